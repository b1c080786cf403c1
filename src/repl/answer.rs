//! What commands answer, as values: one renderer makes text of them, serde makes JSON.

mod counted;
mod explained;

pub use counted::{CountedDepths, CountedMove, CountedTree};
pub use explained::{Dependencies, Explained, Listed, ListedClause};

use super::board::Board;
use super::session::Step;
use crate::diagnostic::Diagnostic;
use crate::diagnostic::render::to_json;
use crate::engine::{EngineKind, Game};
use crate::game::{ReasonError, Reasoner, Utility};
use crate::rules::GroundTerm;
use crate::search::{Cost, Outcome, Stop};
use crate::syntax::{Dialect, Source};
use serde::{Serialize, Serializer};

/// The answer to a command.
#[derive(Clone, Debug, Serialize)]
#[serde(tag = "kind", rename_all = "snake_case")]
pub enum Answer {
    /// The line held no command.
    Nothing,
    /// The session shall end.
    Quit,
    /// The commands there are, or one of them.
    Help {
        /// One command with its example, or all.
        commands: Vec<HelpEntry>,
    },
    /// The games of the library.
    Games {
        /// By name.
        games: Vec<GameEntry>,
    },
    /// A game has been loaded.
    Loaded(Loaded),
    /// A match has been taken up again: its game was loaded anew, and its plies repeated.
    Resumed(Resumed),
    /// The match has been written to a file.
    Saved {
        /// The file.
        file: String,
        /// The name of the game.
        game: String,
        /// How many plies it has.
        plies: usize,
    },
    /// What the loaded game is like.
    Info(Info),
    /// What is wrong with the loaded sheet.
    Checked(Checked),
    /// The roles, in order.
    Roles {
        /// Their names.
        roles: Vec<GroundTerm>,
    },
    /// The facts of a state, in canonical order.
    State {
        /// What holds.
        facts: Vec<GroundTerm>,
    },
    /// A state as it looks.
    Boards(Boards),
    /// Where the match stands after a command that moved it.
    Position(Position),
    /// How the match came to where it stands.
    History {
        /// One entry a ply.
        plies: Vec<Ply>,
    },
    /// A random line of play.
    Playout(PlayoutAnswer),
    /// What many random games came to.
    Playouts(Playouts),
    /// The dialect in which the terms of answers are written.
    Format {
        /// Its name.
        dialect: Dialect,
    },
    /// The seed of random play.
    Seed {
        /// Its value.
        seed: u64,
    },
    /// What some roles perceive of the last joint move.
    Sees {
        /// One entry a role.
        roles: Vec<Percepts>,
        /// What is odd about the question.
        #[serde(skip_serializing_if = "Vec::is_empty")]
        warnings: Vec<String>,
    },
    /// The legal moves of some roles.
    Legal {
        /// One entry a role.
        roles: Vec<LegalMoves>,
    },
    /// What the state is worth to some roles.
    Goal {
        /// One entry a role.
        goals: Vec<GoalValue>,
    },
    /// Yes or no.
    Truth {
        /// Which.
        holds: bool,
        /// What is odd about the question.
        warnings: Vec<String>,
    },
    /// All solutions of a query with variables.
    Solutions(Solutions),
    /// What a search found.
    Search(SearchAnswer),
    /// Why a literal holds or fails.
    Explained(Explained),
    /// Facts and rules.
    Rules {
        /// By relation.
        relations: Vec<Listed>,
    },
    /// What relations depend on.
    Depends(Dependencies),
    /// The size of the game tree.
    Tree(CountedTree),
    /// The nodes of the game tree by depth.
    Depths(CountedDepths),
    /// The engine in use.
    Engine {
        /// Its name.
        engine: EngineKind,
    },
    /// An answer and how long it took.
    Timed {
        /// Seconds by the clock.
        seconds: f64,
        /// The answer.
        answer: Box<Answer>,
    },
    /// An expectation that is met.
    Met,
}

/// A command as `help` describes it.
#[derive(Clone, Debug, Serialize)]
pub struct HelpEntry {
    /// Its name and arguments.
    pub usage: String,
    /// What it does.
    pub summary: &'static str,
    /// Where only one command is asked for, a line that could be typed.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub example: Option<&'static str>,
}

/// A game of the library.
#[derive(Clone, Debug, Serialize)]
pub struct GameEntry {
    /// Its name.
    pub name: &'static str,
    /// What it is.
    pub summary: &'static str,
}

/// A game that has been loaded.
#[derive(Clone, Debug, Serialize)]
pub struct Loaded {
    /// Its name.
    pub game: String,
    /// Its roles, in order.
    pub roles: Vec<GroundTerm>,
    /// How many facts and rules it has.
    pub clauses: usize,
    /// How many warnings there are.
    pub warnings: usize,
}

/// A match that has been taken up again.
#[derive(Clone, Debug, Serialize)]
pub struct Resumed {
    /// Its game.
    #[serde(flatten)]
    pub loaded: Loaded,
    /// Where it stands.
    pub position: Position,
}

/// A game, described.
#[derive(Clone, Debug, Serialize)]
pub struct Info {
    /// Its name.
    pub game: String,
    /// Where its text comes from.
    pub source: String,
    /// How it is written.
    pub dialect: Dialect,
    /// What answers for it.
    pub engine: EngineKind,
    /// Its roles, in order.
    pub roles: Vec<GroundTerm>,
    /// How many clauses are facts.
    pub facts: usize,
    /// How many clauses have a body.
    pub rules: usize,
    /// The relations of its own that it defines, with their arities, by name.
    pub relations: Vec<String>,
    /// How many facts `base` has, where the sheet defines it.
    pub base: Option<usize>,
    /// How many moves `input` has for all roles together, where the sheet defines it.
    pub input: Option<usize>,
    /// How many warnings there are.
    pub warnings: usize,
}

/// The problems of a sheet.
#[derive(Clone, Debug)]
pub struct Checked {
    /// The text.
    pub source: Source,
    /// All problems.
    pub diagnostics: Vec<Diagnostic>,
}

/// What can be seen of a state.
#[derive(Clone, Debug, Serialize)]
pub struct Boards {
    /// The relations that are boards, by name.
    pub boards: Vec<Board>,
    /// The other facts, in canonical order.
    pub facts: Vec<GroundTerm>,
}

/// Where a match stands.
#[derive(Clone, Debug, Serialize)]
pub struct Position {
    /// How it came here.
    #[serde(flatten)]
    pub last: Ply,
    /// Where the game is over, what it is worth to each role; to `random` only where it has a value.
    pub result: Option<Vec<GoalValue>>,
    /// What is odd about the state.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub warnings: Vec<String>,
}

/// One ply of a match: a joint move, a jump to a state, or, as ply 0, the beginning.
#[derive(Clone, Debug, Serialize)]
pub struct Ply {
    /// Its number, from 1; 0 is the beginning.
    pub ply: usize,
    /// The joint move, where it was one.
    pub joint_move: Vec<RoleMove>,
    /// The facts of the state, where it was a jump to one.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub set: Option<Vec<GroundTerm>>,
}

/// The move of one role.
#[derive(Clone, Debug, Serialize)]
#[expect(missing_docs, reason = "the fields say it")]
pub struct RoleMove {
    pub role: GroundTerm,
    #[serde(rename = "move")]
    pub chosen: GroundTerm,
}

/// The legal moves of one role.
#[derive(Clone, Debug, Serialize)]
pub struct LegalMoves {
    /// The role.
    pub role: GroundTerm,
    /// Its moves, in canonical order.
    pub moves: Vec<GroundTerm>,
}

/// What a role perceives.
#[derive(Clone, Debug, Serialize)]
pub struct Percepts {
    /// The role.
    pub role: GroundTerm,
    /// All that it sees, in canonical order.
    pub percepts: Vec<GroundTerm>,
}

/// A random line of play from the current state.
#[derive(Clone, Debug, Serialize)]
pub struct PlayoutAnswer {
    /// Its plies; the numbers go on from those of the match.
    pub plies: Vec<Ply>,
    /// What the end is worth to each role; `None` where the line was cut off before there was one.
    pub result: Option<Vec<GoalValue>>,
}

/// Many random games from the current state.
#[derive(Clone, Debug, Serialize)]
pub struct Playouts {
    /// How many were played.
    pub playouts: u64,
    /// How many of them were cut off before they were over; they have no utilities.
    pub unfinished: u64,
    /// The joint moves of all of them together.
    pub plies: u64,
    /// For each role that has any, the mean of its utilities.
    pub means: Vec<MeanUtility>,
    /// What kept the others from being played.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub stopped: Option<Stop>,
}

/// The mean of a role's utilities.
#[derive(Clone, Debug, Serialize)]
pub struct MeanUtility {
    /// The role.
    pub role: GroundTerm,
    /// The mean.
    pub mean: f64,
}

/// What a state is worth to a role.
#[derive(Clone, Debug, Serialize)]
pub struct GoalValue {
    /// The role.
    pub role: GroundTerm,
    /// The value.
    pub value: Option<Utility>,
    /// Why there is no value.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub problem: Option<String>,
}

/// The solutions of a query.
#[derive(Clone, Debug, Serialize)]
pub struct Solutions {
    /// The variables, in the order of the query.
    pub variables: Vec<String>,
    /// One value for each variable in each row; rows in canonical order.
    pub rows: Vec<Vec<GroundTerm>>,
    /// What is odd about the question.
    pub warnings: Vec<String>,
}

/// The answer of a search with its price.
#[derive(Clone, Debug, Serialize)]
pub struct SearchAnswer {
    /// What it found.
    #[serde(flatten)]
    pub found: Found,
    /// Whether no further work would change it.
    pub exact: bool,
    /// The limit that stopped it, where it is not exact.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub stopped: Option<Stop>,
    /// What it cost.
    pub cost: Cost,
}

/// What a search found.
#[derive(Clone, Debug, Serialize)]
#[serde(tag = "found", rename_all = "snake_case")]
pub enum Found {
    /// A utility.
    Score {
        /// What can be reached.
        utility: Utility,
    },
    /// A move.
    Move {
        /// The move.
        #[serde(rename = "move")]
        chosen: GroundTerm,
        /// What can be reached with it.
        utility: Utility,
    },
    /// A line of moves.
    Plan {
        /// The moves.
        moves: Vec<GroundTerm>,
        /// The utility at its end.
        utility: Utility,
    },
    /// What a role can force.
    Value {
        /// The role.
        role: GroundTerm,
        /// The utility.
        utility: Utility,
        /// The move that forces it; none in a terminal state.
        #[serde(rename = "move")]
        chosen: Option<GroundTerm>,
    },
}

impl Answer {
    /// What to say about a game that has been loaded.
    pub fn loaded(game: &Game) -> Self {
        Self::Loaded(Loaded::of(game))
    }

    /// Yes or no, with nothing odd about the question.
    pub fn truth(holds: bool) -> Self {
        Self::Truth { holds, warnings: Vec::new() }
    }

    /// What is odd about the question that was answered.
    pub fn warnings(&self) -> &[String] {
        match self {
            Self::Truth { warnings, .. } | Self::Sees { warnings, .. } => warnings,
            Self::Position(position) => &position.warnings,
            Self::Resumed(resumed) => &resumed.position.warnings,
            Self::Solutions(solutions) => &solutions.warnings,
            Self::Explained(explained) => &explained.warnings,
            Self::Timed { answer, .. } => answer.warnings(),
            _ => &[],
        }
    }

    /// Whether the answer is no: false, or a query without solutions.
    pub fn is_no(&self) -> bool {
        match self {
            Self::Truth { holds, .. } => !holds,
            Self::Solutions(solutions) => solutions.rows.is_empty(),
            Self::Explained(explained) => !explained.is_as_asked(),
            Self::Rules { relations } => relations.is_empty(),
            Self::Timed { answer, .. } => answer.is_no(),
            _ => false,
        }
    }

    /// The limit that cut the answer off, if one did.
    pub fn stopped(&self) -> Option<Stop> {
        match self {
            Self::Search(search) => search.stopped,
            Self::Playouts(playouts) => playouts.stopped,
            Self::Tree(counted) => counted.stopped,
            Self::Depths(counted) => counted.stopped,
            Self::Timed { answer, .. } => answer.stopped(),
            _ => None,
        }
    }
}

impl SearchAnswer {
    /// The answer of an outcome, with its moves as terms; the limit that stopped the search, where it found nothing.
    pub fn of<T>(outcome: Outcome<T>, found: impl FnOnce(T) -> Found) -> Result<Self, Stop> {
        let Outcome { answer, stopped, cost } = outcome;
        match (answer, stopped) {
            (Some(answer), stopped) => Ok(Self { found: found(answer), exact: stopped.is_none(), stopped, cost }),
            (None, stopped) => Err(stopped.unwrap_or(Stop::Interrupted)),
        }
    }
}

impl GoalValue {
    /// What a state is worth to a role, as an engine answers; that there is no single value is an answer as well.
    pub fn of(role: GroundTerm, value: Result<Utility, ReasonError>) -> Result<Self, ReasonError> {
        match value {
            Ok(utility) => Ok(Self { role, value: Some(utility), problem: None }),
            Err(error @ (ReasonError::Limit { .. } | ReasonError::Interrupted)) => Err(error),
            Err(error) => Ok(Self { role, value: None, problem: Some(error.to_string()) }),
        }
    }
}

impl Loaded {
    /// What to say about a game that has been loaded.
    pub fn of(game: &Game) -> Self {
        Self {
            game: game.name.clone(),
            roles: game.reasoner.roles().to_vec(),
            clauses: game.rules.clauses.len(),
            warnings: game.diagnostics.len(),
        }
    }
}

impl Ply {
    /// The ply of this number, which was the step; the beginning without one.
    pub fn new(number: usize, roles: &[GroundTerm], step: Option<Step>) -> Self {
        let mut ply = Self { ply: number, joint_move: Vec::new(), set: None };
        match step {
            Some(Step::Played(moves)) => ply.joint_move = role_moves(roles, moves),
            Some(Step::Set(facts)) => ply.set = Some(facts),
            None => {}
        }
        ply
    }
}

/// A joint move with its roles.
pub fn role_moves(roles: &[GroundTerm], moves: Vec<GroundTerm>) -> Vec<RoleMove> {
    roles.iter().cloned().zip(moves).map(|(role, chosen)| RoleMove { role, chosen }).collect()
}

impl Serialize for Checked {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        #[derive(Serialize)]
        struct Problems<T> {
            diagnostics: Vec<T>,
        }
        let diagnostics = self.diagnostics.iter().map(|diagnostic| to_json(diagnostic, &self.source)).collect();
        Problems { diagnostics }.serialize(serializer)
    }
}
