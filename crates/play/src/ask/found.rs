//! What a question has found, with the moves of the reasoner that was asked.

use gdl::limits::Stop;
use ggp_game::{Chance, Move, Reasoner, Role};
use ggp_search::{Choice, Cost, DeepenedChoice, Equilibrium, Expectation, Outcome, Precision, Shares, WeightedMove};

/// The answer to a question.
pub struct Answered {
    /// What was found, and what it cost.
    pub outcome: Outcome<ContestFound>,
    /// Which work has found it.
    pub origin: Origin,
    /// How states at the horizon are ranked, if the search has one and no evaluation, so that they are unknown.
    pub unknown: Option<f64>,
}

/// What a search has found.
#[derive(Clone, Debug, PartialEq)]
pub enum ContestFound {
    /// The value that a role can force.
    Choice(Choice),
    /// The same by iterative deepening.
    Deepened(DeepenedChoice),
    /// The values of all roles.
    Shares(Shares),
    /// A mean.
    Expectation(Expectation),
    /// The means and strategies of roles who choose at the same time.
    Equilibrium(Equilibrium),
}

/// Which work has given an answer.
#[derive(Clone, Debug, PartialEq)]
pub enum Origin {
    /// The search that was asked for.
    Search,
    /// All states of a game in which play can come back to a state.
    AllStates {
        /// What play without end counts for the role that asks, if it is an outcome like others.
        endless: Option<f64>,
        /// How exact a mean is.
        precision: Option<Precision>,
    },
    /// The same search to this depth, since a limit stopped the one that was asked for before it knew anything.
    Shallower {
        /// The depth, in joint moves.
        depth: u32,
        /// What stopped the search that was asked for.
        stop: Stop,
        /// What that search has cost.
        cost: Cost,
    },
}

/// One of the moves that are worth as much as the chosen one, as far as the search tells them.
pub fn draw_equal<M: Clone, L>(choice: &Choice<M, L>, random: &mut Chance) -> Option<M> {
    match &choice.equals[..] {
        [] => choice.chosen.clone(),
        equals => Some(equals[random.index(equals.len())].clone()),
    }
}

/// One of the moves of the mixed strategy of a role.
pub fn draw_strategy<R: PartialEq, M: Clone>(
    equilibrium: &Equilibrium<R, M>,
    role: &R,
    random: &mut Chance,
) -> Option<M> {
    let own = equilibrium.strategies.iter().find(|strategy| strategy.role == *role)?;
    WeightedMove::draw(&own.moves, random)
}

impl ContestFound {
    /// One of the moves that are recommended to a role, at random: of equally good ones each with the same probability, and
    /// those of a mixed strategy with theirs. `None` if the game is over.
    pub(crate) fn draw(&self, role: Role, random: &mut Chance) -> Option<Move> {
        match self {
            Self::Choice(choice) | Self::Deepened(DeepenedChoice { choice, .. }) => draw_equal(choice, random),
            Self::Shares(shares) => Some(shares.line.first()?[role.index()]),
            Self::Expectation(expectation) => expectation.chosen,
            Self::Equilibrium(equilibrium) => draw_strategy(equilibrium, &role, random),
        }
    }

    /// The recommended move with its value, for log lines.
    pub(crate) fn describe<R: Reasoner>(&self, reasoner: &R) -> String {
        let term = |chosen: Option<Move>| {
            chosen.map_or_else(|| "no move".to_string(), |chosen| reasoner.move_term(chosen).to_string())
        };
        match self {
            Self::Choice(choice) => choice.describe(reasoner),
            Self::Deepened(deepened) => {
                format!("{}, in {} complete rounds", deepened.choice.describe(reasoner), deepened.rounds.len())
            }
            Self::Shares(shares) => {
                let worths: Vec<String> = shares.worths.iter().map(ToString::to_string).collect();
                format!("utilities {}", worths.join(", "))
            }
            Self::Expectation(found) => format!("{}, worth {:.1}", term(found.chosen), found.utility),
            Self::Equilibrium(found) => format!("an equilibrium worth {:.1}", found.utility),
        }
    }
}
