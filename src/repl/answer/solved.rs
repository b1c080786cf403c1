//! The answer of `solve`.

use super::{LineMove, RoleMove};
use crate::game::Utility;
use crate::rules::GroundTerm;
use crate::search::{Cost, Precision, Rational, Real, SolvedStates};
use serde::Serialize;

/// A game that has been solved from the current state.
#[derive(Clone, Debug, Serialize)]
pub struct Solved {
    /// The utilities under best play; `None` if it never ends, or if there is chance.
    pub(crate) value: Option<Worths>,
    /// The mean utilities under best play, if there is chance.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(crate) expected: Option<ExpectedWorths>,
    /// The number of joint moves to the end, if a side can force it.
    pub(crate) moves: Option<u32>,
    /// The moves of best play by roles that have a choice.
    pub(crate) line: Vec<LineMove>,
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

impl Solved {
    /// The move of best play that a role has in the first state; `None` if it has no choice there, or play has no end.
    pub(crate) fn first_move(&self, role: &GroundTerm) -> Option<GroundTerm> {
        let of_means = self.expected.as_ref().and_then(|expected| expected.chosen.as_ref());
        let of_line = self.line.iter().find(|chosen| chosen.ply == 1 && chosen.role == *role);
        let of_means = of_means.filter(|chosen| chosen.role == *role).map(|chosen| chosen.chosen.clone());
        of_means.or(of_line.map(|chosen| chosen.chosen.clone()))
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
