//! Forks of a session, for lines that must not change it.

use super::{Match, Session};

impl Session {
    /// Does work in a fork of the session, which begins with the same match and the same settings, but without a lesson
    /// and without the files of a solved game. What the work changes ends with the fork: the game and its rules, the
    /// position, the engine, and settings. Files that it writes stay. What it has set up for the same game, such as the
    /// network, is kept for the session and for later forks.
    pub fn in_fork<T>(&mut self, work: impl FnOnce(&mut Self) -> T) -> T {
        let mut fork = Self {
            directory: self.directory.clone(),
            outputs: self.outputs.clone(),
            saves: self.saves.clone(),
            engine: self.engine.clone(),
            interrupt: self.interrupt.clone(),
            progress: self.progress.clone(),
            screen: self.screen.clone(),
            current: self.current.as_mut().map(Match::fork),
            lesson: None,
            remark: None,
            dialect: self.dialect,
            draws_boards: self.draws_boards,
            seed: self.seed,
            random: self.random.clone(),
        };
        let done = work(&mut fork);
        self.saves = fork.saves;
        if let (Some(current), Some(used)) = (&mut self.current, fork.current) {
            current.take_from(used);
        }
        done
    }
}
