//! Strategies of roles that do not see the whole state: their values, and the probabilities of moves by what a role
//! knows.

use super::text::{joined, line};
use gdl::quantity::{counted, counted_as, grouped};
use gdl::rules::GroundTerm;
use gdl::syntax::Dialect;
use ggp_game::Chance;
use ggp_search::events::value_text;
use ggp_search::{ViewStep, WeightedMove};
use serde::{Deserialize, Serialize};

/// Strategies of all roles that a search has found, from the start of the match on.
#[derive(Clone, Debug, Serialize)]
pub struct FoundStrategies {
    /// The role that asks.
    pub(crate) role: GroundTerm,
    /// Its mean utility.
    pub(crate) mean: f64,
    /// The mean utility of each role, and with its best response to the others.
    pub(crate) values: Vec<RoleGain>,
    /// The mean of the gains: 0 in an equilibrium.
    pub(crate) exploitability: f64,
    /// The number of iterations, of a linear program of pivots.
    pub(crate) iterations: u64,
    /// Word for the iterations.
    #[serde(skip)]
    pub(crate) unit: &'static str,
    /// The number of information sets of all roles.
    pub(crate) information_sets: usize,
    /// The strategy of the role that asks with what it knows now, if it has a choice.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(crate) here: Option<SetStrategy>,
    /// The strategy of the role that asks at its first information sets.
    pub(crate) strategy: Vec<SetStrategy>,
    /// The number of further information sets of the role.
    pub(crate) further_sets: usize,
    /// The file with all strategies, if `--strategy` was given.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(crate) file: Option<String>,
}

/// The value of a strategy for its role.
#[derive(Clone, Debug, Serialize)]
pub(crate) struct RoleGain {
    pub(crate) role: GroundTerm,
    /// The mean utility.
    pub(crate) mean: f64,
    /// The mean utility with the best response to the strategies of the others.
    pub(crate) best_response: f64,
}

/// The probabilities of moves at an information set.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub(crate) struct SetStrategy {
    pub(crate) role: GroundTerm,
    /// What the role knows: each joint move as it saw it, in order.
    pub(crate) view: Vec<ViewStep>,
    /// The legal moves.
    pub(crate) moves: Vec<WeightedMove<GroundTerm>>,
}

impl FoundStrategies {
    /// Draws a move of the role that asks with what it knows now.
    pub(crate) fn draw(&self, random: &mut Chance) -> Option<GroundTerm> {
        WeightedMove::draw(&self.here.as_ref()?.moves, random)
    }

    /// The strategy of the role that asks, and the values.
    pub(crate) fn text(&self, dialect: Dialect) -> String {
        let rows: String = self.strategy.iter().map(|set| line(set.text(dialect))).collect();
        let further = match self.further_sets {
            0 => String::new(),
            count => line(format!("… {}", counted_as(count as u64, "information set more", "information sets more"))),
        };
        let here = self.here.as_ref().map_or(String::new(), |here| line(format!("now {}", here.text(dialect))));
        let values = joined(self.values.iter().map(|own| format!("{}: {}", own.role, value_text(own.mean))), ", ");
        let file = self.file.as_ref().map_or(String::new(), |file| line(format!("{file}: the strategies")));
        file + &rows + &further + &here + &format!("{values} expected")
    }

    /// The exploitability, and the work.
    pub(crate) fn work_text(&self) -> String {
        let Self { exploitability, iterations, unit, information_sets, .. } = self;
        let sets = counted(*information_sets, "information set");
        let iterations = format!("{} {unit}{}", grouped(iterations), if *iterations == 1 { "" } else { "s" });
        format!("exploitability {}; {iterations}, {sets}", small(*exploitability))
    }
}

/// A number that may be close to 0.
pub(crate) fn small(number: f64) -> String {
    if number.abs() < 1e-9 {
        "below 1e-9".to_string()
    } else if number < 0.001 {
        format!("{number:.1e}")
    } else {
        value_text(number)
    }
}

impl SetStrategy {
    /// What the role knows, and the probabilities of its moves.
    pub(crate) fn text(&self, dialect: Dialect) -> String {
        let made = self.moves.iter().filter(|weighted| weighted.probability > 0.0);
        let moves = made.map(|WeightedMove { chosen, probability }| {
            let chosen = chosen.display(dialect);
            if *probability == 1.0 { chosen.to_string() } else { format!("{chosen} {probability:.4}") }
        });
        format!("{}{}: {}", self.role.display(dialect), view_text(&self.view, dialect), joined(moves, ", "))
    }
}

/// What a role knows, as the end of a clause; empty if that is nothing.
fn view_text(view: &[ViewStep], dialect: Dialect) -> String {
    known(view, dialect).map_or_else(String::new, |known| format!(" that {known}"))
}

/// What a role knows, as a sentence of its own.
pub(crate) fn known_text(view: &[ViewStep], dialect: Dialect) -> String {
    known(view, dialect).unwrap_or_else(|| "nothing so far".to_string())
}

/// The percepts of a role and the moves that it chose, in order; `None` if there are none.
fn known(view: &[ViewStep], dialect: Dialect) -> Option<String> {
    let mut parts = Vec::new();
    for ViewStep { chosen, is_choice, percepts } in view {
        if *is_choice {
            parts.push(format!("did {}", chosen.display(dialect)));
        }
        if !percepts.is_empty() {
            parts.push(format!("saw {}", joined(percepts.iter().map(|percept| percept.display(dialect)), " and ")));
        }
    }
    (!parts.is_empty()).then(|| parts.join(", "))
}
