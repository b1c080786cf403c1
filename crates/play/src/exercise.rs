//! Positions with their best moves, by which players are compared.

use super::{Clocks, Deadline, LastTurn, Player, PlayerError, Start, WorkGroup};
use gdl::number::to_index;
use gdl::quantity::counted_as;
use gdl::rules::GroundTerm;
use ggp_engine::{Engine, Game};
use ggp_game::{JointMoves, Reasoner, Role};
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

/// An exercise of a file.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ExerciseRow {
    /// The line of the file in which it begins, from 1.
    pub line: u64,
    /// The exercise.
    pub exercise: Exercise,
}

/// A row of a file that is not an exercise.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("{line}: not a position: {fault}")]
pub struct ExerciseError {
    /// The line in which the row begins, from 1.
    pub line: u64,
    /// The fault of the row.
    pub fault: ExerciseFault,
}

/// A fault of a row in a file of exercises.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum ExerciseFault {
    /// Not three fields.
    #[error("it has {} instead of the game, the moves and the best moves", counted_as(*found as u64, "field", "fields"))]
    Fields {
        /// The number of fields.
        found: usize,
    },
    /// A field over several lines, since a quote is missing.
    #[error("a quote is not closed in its line")]
    OpenQuote,
}

impl Exercise {
    /// Reads a file of comma-separated values (RFC 4180), whose first row is a header and whose others have three
    /// fields each: the game, the moves and the best moves, the moves with spaces between them. A field that is not
    /// quoted may have commas inside parentheses: `nim,take(a,1) take(b,2),take(a,3) take(a,4)`.
    ///
    /// # Errors
    /// The fault of the first row that is no exercise.
    pub fn read_all(text: &str) -> Result<Vec<ExerciseRow>, ExerciseError> {
        let mut reader = csv::ReaderBuilder::new().flexible(true).from_reader(text.as_bytes());
        let mut line = 1;
        let mut counted = 0;
        let rows = reader.byte_records().map(|record| {
            let record = record.expect("a text in memory has rows of any length");
            // The reader's position may be before the end of the last row, or before empty lines.
            let position = record.position().map_or(0, |position| to_index(position.byte()));
            let start = text.len() - text[position..].trim_start_matches(['\r', '\n']).len();
            line += text[counted..start].matches('\n').count() as u64;
            counted = start;
            let fields: Vec<String> = record.iter().map(|field| String::from_utf8_lossy(field).into_owned()).collect();
            match Self::from_fields(fields) {
                Ok(exercise) => Ok(ExerciseRow { line, exercise }),
                Err(fault) => Err(ExerciseError { line, fault }),
            }
        });
        rows.collect()
    }

    fn from_fields(fields: Vec<String>) -> Result<Self, ExerciseFault> {
        let depth = |text: &str| text.matches('(').count().saturating_sub(text.matches(')').count());
        let mut whole: Vec<String> = Vec::new();
        for field in fields {
            if field.contains(['\r', '\n']) {
                return Err(ExerciseFault::OpenQuote);
            }
            match whole.last_mut().filter(|last| depth(last) > 0) {
                Some(last) => *last = format!("{last},{field}"),
                None => whole.push(field),
            }
        }
        let [game, moves, best] = &whole[..] else { return Err(ExerciseFault::Fields { found: whole.len() }) };
        let words = |text: &str| text.split_whitespace().map(str::to_string).collect();
        Ok(Self { game: game.trim().to_string(), moves: words(moves), best: words(best) })
    }

    /// True if a player makes one of the best moves within this time. It gets no time for the moves before; setting
    /// `interrupt` stops it.
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
        let (joint_moves, role) = self.path(&mut game.fork_engine())?;
        let start = Start {
            match_id: self.game.clone(),
            game: game.clone(),
            role,
            clocks: Clocks { start: time, play: time },
            interrupt,
            works: WorkGroup::default(),
        };
        let at_once = || Deadline::after(Duration::ZERO);
        player.start(&start, at_once())?;
        let mut last = LastTurn::FIRST;
        for joint_move in joint_moves {
            player.play(&last, at_once())?;
            last = LastTurn::JointMove(Some(joint_move));
        }
        let chosen = player.play(&last, Deadline::after(time))?.to_string();
        player.abort();
        Ok(self.best.contains(&chosen))
    }

    /// The joint moves to the position, and the role that is to move there.
    fn path(&self, engine: &mut Engine) -> Result<(Vec<Vec<GroundTerm>>, Role), PlayerError> {
        let mut state = engine.initial_state()?;
        let mut joint_moves = Vec::new();
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
        Ok((joint_moves, role))
    }
}
