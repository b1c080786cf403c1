//! Positions with their best moves, by which players are compared.

use super::{Clocks, Deadline, Player, PlayerError, Start, WorkGroup};
use crate::engine::{Engine, Game};
use crate::game::{JointMoves, Reasoner, Role};
use crate::rules::GroundTerm;
use std::sync::Arc;
use std::sync::atomic::AtomicBool;
use std::time::Duration;

/// A position of a game in which roles take turns, and its best moves.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Exercise {
    /// The name of the game.
    pub game: String,
    /// The moves that lead to the position, without those of roles that have only one.
    pub moves: Vec<String>,
    /// The best moves there.
    pub best: Vec<String>,
}

/// The joint moves to the position of an exercise, and the role that is to move there.
struct ExercisePath {
    joint_moves: Vec<Vec<GroundTerm>>,
    role: Role,
}

impl Exercise {
    /// Reads a row: the game, the moves and the best moves, with commas followed by no other part of a move between the
    /// three, and spaces between moves: `nim,take(a,1) take(b,2),take(a,3) take(a,4)`.
    pub fn read(row: &str) -> Option<Self> {
        let (game, rest) = row.split_once(',')?;
        let mut depth = 0_usize;
        let comma = rest.char_indices().find(|&(_, letter)| {
            match letter {
                '(' => depth += 1,
                ')' => depth = depth.saturating_sub(1),
                _ => {}
            }
            letter == ',' && depth == 0
        });
        let (moves, best) = rest.split_at(comma?.0);
        let words = |text: &str| text.split_whitespace().map(str::to_string).collect();
        Some(Self { game: game.to_string(), moves: words(moves), best: words(&best[1..]) })
    }

    /// Whether a player makes one of the best moves within this time; setting `interrupt` stops it. It gets no time for
    /// the moves before.
    ///
    /// # Errors
    /// Those of the player, and if the moves are not those of the game.
    pub fn is_solved_by(
        &self,
        player: &mut dyn Player,
        game: &Arc<Game>,
        time: Duration,
        interrupt: Arc<AtomicBool>,
    ) -> Result<bool, PlayerError> {
        let way = self.path(&mut game.fork_engine())?;
        let start = Start {
            match_id: self.game.clone(),
            game: game.clone(),
            role: way.role,
            clocks: Clocks { start: time, play: time },
            interrupt,
            works: WorkGroup::default(),
        };
        let at_once = || Deadline::after(Duration::ZERO);
        player.start(&start, at_once())?;
        let mut last = None;
        for joint_move in &way.joint_moves {
            player.play(last, at_once())?;
            last = Some(joint_move.as_slice());
        }
        let chosen = player.play(last, Deadline::after(time))?.to_string();
        player.abort();
        Ok(self.best.contains(&chosen))
    }

    fn path(&self, engine: &mut Engine) -> Result<ExercisePath, PlayerError> {
        let (mut state, mut joint_moves) = (engine.initial_state()?, Vec::new());
        for text in &self.moves {
            let mut turn = JointMoves::in_state(engine, &state)?;
            for role in turn.choosing() {
                let index = turn.legal(role).iter().position(|&legal| engine.move_term(legal).to_string() == *text);
                let role_term = || engine.roles()[role.index()].clone();
                let index =
                    index.ok_or_else(|| PlayerError::Remote(format!("{text} is not legal for {}", role_term())));
                turn.choose(role, index?);
            }
            joint_moves.push(turn.current().iter().map(|&chosen| engine.move_term(chosen)).collect());
            state = engine.next_state(&state, turn.current())?;
        }
        if engine.is_terminal(&state)? {
            return Err(PlayerError::Over);
        }
        let choosing = JointMoves::in_state(engine, &state)?.choosing();
        let role =
            choosing.first().copied().ok_or_else(|| PlayerError::Remote("no role has a choice there".to_string()))?;
        Ok(ExercisePath { joint_moves, role })
    }
}
