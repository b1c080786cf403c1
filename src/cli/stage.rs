//! Display of matches for spectators: each position when it is reached.

use crate::repl::answer::{Boards, GoalValue, MatchPly, MatchPosition, role_moves};
use crate::repl::console::{Console, Playback, show_next};
use crate::repl::terminal::Terminal;
use crate::repl::{Answer, render};
use gdl::rules::GroundTerm;
use gdl::syntax::Dialect;
use ggp_draw::board::Setting;
use ggp_engine::Game;
use ggp_engine::interpreter::QueryError;
use ggp_game::Utility;
use ggp_play::ReachedPosition;
use std::io;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Arc, Mutex};

/// Spectators of a match, which decide where and in which form positions are shown.
pub(super) enum Audience {
    /// On standard output, one after another.
    Watching(Playback),
    /// On standard output, as JSON objects.
    Program,
    /// On standard error, above the questions to a person who plays.
    Playing,
}

/// Shows the positions of matches that are played one at a time.
pub(super) struct MatchStage {
    setting: Setting,
    /// The dialect in which moves are shown: that of the sheet, or infix for one in prefix.
    dialect: Dialect,
    /// True if the identifier of each match is shown before its first position.
    names_matches: bool,
    /// Set to end the match if the output cannot be written.
    interrupt: Arc<AtomicBool>,
    scene: Mutex<StageScene>,
}

/// State of the display, which changes with each position.
struct StageScene {
    audience: Audience,
    console: Terminal,
    /// The facts of the position before, which tell what has changed.
    before: Option<Vec<GroundTerm>>,
    /// The first error of writing; nothing is shown after it.
    written: io::Result<()>,
}

impl MatchStage {
    /// A stage for matches of a game, which has no position yet.
    ///
    /// # Errors
    /// If the constant facts of the game cannot be found.
    pub(super) fn new(
        game: &mut Game,
        audience: Audience,
        names_matches: bool,
        interrupt: Arc<AtomicBool>,
    ) -> Result<Self, QueryError> {
        let setting = Setting::from_game(game)?;
        let dialect = if game.sheet.dialect.is_infix() { game.sheet.dialect } else { Dialect::Infix };
        let scene = StageScene { audience, console: Terminal::new(), before: None, written: Ok(()) };
        Ok(Self { setting, dialect, names_matches, interrupt, scene: Mutex::new(scene) })
    }

    /// Shows a position. If that fails, the match is interrupted, and [`MatchStage::close`] returns the error.
    pub(super) fn show(&self, reached: &ReachedPosition<'_>) {
        let Ok(mut scene) = self.scene.lock() else { return };
        let StageScene { audience, console, before, written } = &mut *scene;
        if written.is_err() {
            return;
        }
        let earlier = before.replace(reached.facts.to_vec());
        // At the start of a match the position before belongs to the last one.
        let before = if reached.ply > 0 { earlier } else { None };
        let position = self.position(reached, before.as_deref());
        let heading =
            if self.names_matches && reached.ply == 0 { format!("{}\n", reached.match_id) } else { String::new() };
        let text = heading + &render::position(&position, console.paint(), self.dialect, console.width());
        *written = match audience {
            Audience::Watching(playback) => show_next(console, playback, &text),
            Audience::Program => console.answer(&render::json(&Answer::new(position))),
            Audience::Playing => console.talk(&format!("\n{text}")),
        };
        if written.is_err() {
            self.interrupt.store(true, Ordering::Relaxed);
        }
    }

    /// Ends the display.
    ///
    /// # Errors
    /// If something could not be written.
    pub(super) fn close(self) -> io::Result<()> {
        self.scene.into_inner().map_or(Ok(()), |scene| scene.written)
    }

    fn position(&self, reached: &ReachedPosition<'_>, before: Option<&[GroundTerm]>) -> MatchPosition {
        let joint_move = role_moves(reached.roles, reached.joint_move.unwrap_or_default().to_vec());
        let goal = |(role, value): (&GroundTerm, &Option<Utility>)| GoalValue::from_known(role.clone(), *value);
        MatchPosition {
            last: MatchPly { ply: reached.ply, joint_move, set: None },
            result: reached.goal_values.map(|values| reached.roles.iter().zip(values).map(goal).collect()),
            change: None,
            drawn: Some(Boards::from_facts(&self.setting, reached.facts, before)),
            warnings: Vec::new(),
        }
    }
}
