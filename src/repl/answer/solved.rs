//! The answer of `solve`.

use super::content::{AnswerContent, TextStyle};
use super::line_of_play::folded_line;
use super::search::{mean_text, precision_text, symmetries_text};
use super::text::{line, table};
use super::{LineMove, RoleMove};
use crate::repl::value::AnswerValue;
use gdl::quantity::{counted, counted_as, grouped};
use gdl::rules::GroundTerm;
use gdl::syntax::Dialect;
use ggp_game::Utility;
use ggp_search::{Cost, LineEnd, Precision, Rational, Real, SolvedStates};
use serde::Serialize;

/// A game that has been solved from the current state.
#[derive(Clone, Debug, Serialize)]
pub(crate) struct SolveAnswer {
    /// The utilities under best play; `None` if it never ends, or if there is chance.
    pub(crate) value: Option<Worths>,
    /// The mean utilities under best play, if there is chance.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(crate) expected: Option<ExpectedWorths>,
    /// The number of joint moves to the end, if a side can force it.
    pub(crate) moves: Option<u32>,
    /// The moves of best play by roles that have a choice.
    pub(crate) line: Vec<LineMove>,
    /// Where the line ends; `None` with chance, since the value is a mean, to which no line leads.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(crate) line_ends: Option<LineEnd>,
    /// The number of states that can be reached.
    pub(crate) states: u64,
    /// The number of symmetries up to which they are counted, if that was asked for.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(crate) symmetries: Option<u64>,
    /// The number of joint moves in them.
    pub(crate) joint_moves: u64,
    /// The number of states for each ending.
    pub(crate) worths: Vec<SolvedStates>,
    /// The bytes of one packed state.
    pub(crate) state_bytes: u64,
    /// The most bytes in use at a time.
    pub(crate) memory: u64,
    /// The cost of solving, in states.
    pub(crate) cost: Cost,
    /// The file with the policy, if `--policy` was given.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(crate) policy: Option<String>,
    /// What the value rests on: a note if roles do not see the whole state.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub(crate) warnings: Vec<String>,
}

impl SolveAnswer {
    /// The move of best play that a role has in the first state; `None` if it has no choice there, or play has no end.
    pub(crate) fn first_move(&self, role: &GroundTerm) -> Option<GroundTerm> {
        let of_means = self.expected.as_ref().and_then(|expected| expected.chosen.as_ref());
        let of_line = self.line.iter().find(|chosen| chosen.ply == 1 && chosen.role == *role);
        let of_means = of_means.filter(|chosen| chosen.role == *role).map(|chosen| chosen.chosen.clone());
        of_means.or(of_line.map(|chosen| chosen.chosen.clone()))
    }

    /// How many of the moves to the end are forced, so that the line leaves them out.
    fn forced_text(&self, moves: u32) -> String {
        let chosen = self.line.chunk_by(|left, right| left.ply == right.ply).count();
        match (moves as usize).saturating_sub(chosen) {
            forced @ 1.. if self.line_ends == Some(LineEnd::Game) => format!(", {forced} of them forced"),
            _ => String::new(),
        }
    }

    /// Whether no further work would change the values.
    pub(crate) fn is_exact(&self) -> bool {
        self.expected.as_ref().is_none_or(|expected| expected.precision.is_exact())
    }
}

/// The value of a game with chance.
#[derive(Clone, Debug, Serialize)]
pub(crate) struct ExpectedWorths {
    /// The mean utility of each role except chance.
    pub(crate) means: Vec<(GroundTerm, f64)>,
    /// The means themselves, of the roles whose mean is not rounded.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub(crate) fractions: Vec<(GroundTerm, Rational)>,
    /// The first move of best play, if a role has a choice.
    #[serde(rename = "move", skip_serializing_if = "Option::is_none")]
    pub(crate) chosen: Option<RoleMove>,
    /// How exact the means are.
    #[serde(flatten)]
    pub(crate) precision: Precision,
}

impl ExpectedWorths {
    /// The mean of each role.
    pub(crate) fn each(&self) -> impl Iterator<Item = (&GroundTerm, Real)> {
        let fraction = |role: &GroundTerm| self.fractions.iter().find(|(other, _)| other == role);
        self.means.iter().map(move |(role, mean)| {
            (role, fraction(role).map_or(Real::Rounded(*mean), |&(_, fraction)| Real::Exact(fraction)))
        })
    }
}

/// Utilities with their roles, in the order of the roles.
#[derive(Clone, Debug, Serialize)]
#[serde(transparent)]
pub(crate) struct Worths(pub Vec<(GroundTerm, Utility)>);

impl AnswerContent for SolveAnswer {
    fn kind(&self) -> &'static str {
        "solved"
    }

    /// Its value, best play, and the number of states for each ending.
    fn text(&self, style: &TextStyle<'_>) -> String {
        let (full, dialect) = (style.view.full, style.dialect);
        let value = match (&self.value, &self.expected) {
            (_, Some(expected)) => expected_text(expected, dialect),
            // The files of a solved game do not count endings.
            (None, None) if !self.worths.is_empty() && self.worths.iter().all(|worth| worth.terminal == 0) => {
                "the game never ends: no terminal state can be reached".to_string()
            }
            (None, None) => "no end can be forced".to_string(),
            (Some(worths), None) => {
                let worths: Vec<String> = worths.0.iter().map(|(role, utility)| format!("{role}: {utility}")).collect();
                let moves = self.moves.map_or(String::new(), |moves| {
                    format!(" after {}{}", counted(moves as usize, "joint move"), self.forced_text(moves))
                });
                worths.join(", ") + &moves
            }
        };
        let line_of_play = match &self.line[..] {
            [] => String::new(),
            moves => line(format!("best play: {}", folded_line(moves, full, dialect))),
        };
        let rows = self.worths.iter().map(|SolvedStates { utilities, states, terminal, farthest }| {
            let name = utilities.as_ref().map_or("open".to_string(), |utilities| {
                let utilities: Vec<String> = utilities.iter().map(ToString::to_string).collect();
                utilities.join(" ")
            });
            let farthest =
                farthest.map_or(String::new(), |moves| format!(", at most {}", counted(moves as usize, "move")));
            (
                name,
                format!("{}, {} of them terminal{farthest}", counted_as(*states, "state", "states"), grouped(terminal)),
            )
        });
        let per_state = self.memory as f64 / self.states as f64;
        let states = format!(
            "{}, {}",
            counted_as(self.states, "state", "states"),
            counted_as(self.joint_moves, "joint move", "joint moves") + &symmetries_text(self.symmetries)
        );
        // Memory depends on the engine, so it is shown only if all is asked for.
        let memory = match full {
            true => format!("; {} bytes per packed state, {per_state:.1} in total", self.state_bytes),
            false => String::new(),
        };
        let written = self.policy.as_ref();
        let policy = written.map_or(String::new(), |file| {
            line(format!("{file}: the policy, {}", counted_as(self.states, "state", "states")))
        });
        line(value) + &line_of_play + &table(rows) + &line(states + &memory) + &policy
    }

    fn value(&self) -> Option<AnswerValue> {
        match (&self.value, &self.expected) {
            (Some(worths), _) => Some(AnswerValue::numbers(worths.0.iter().map(|(_, utility)| utility))),
            (None, Some(expected)) => Some(AnswerValue::numbers(expected.means.iter().map(|(_, mean)| mean))),
            (None, None) => None,
        }
    }

    fn count(&self) -> Option<AnswerValue> {
        Some(AnswerValue::number(self.states))
    }

    fn work(&self) -> Option<(u64, &'static str)> {
        Some((self.states, "states"))
    }

    fn warnings(&self) -> &[String] {
        &self.warnings
    }

    fn warnings_mut(&mut self) -> Option<&mut Vec<String>> {
        Some(&mut self.warnings)
    }
}

/// Means with the first move, and how exact they are.
fn expected_text(expected: &ExpectedWorths, dialect: Dialect) -> String {
    let ExpectedWorths { chosen, precision, .. } = expected;
    let means = expected.each().map(|(role, mean)| format!("{role}: {}", mean_text(mean)));
    let means: Vec<String> = means.collect();
    let chosen = chosen.as_ref().map_or(String::new(), |chosen| format!(" with {}", chosen.chosen.display(dialect)));
    let precision = precision_text(precision);
    format!("{} expected{chosen} ({precision})", means.join(", "))
}
