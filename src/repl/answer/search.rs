//! Answers of searches: what was found, its cost, and what was observed. `text` words the result, `trace` the events.

mod text;
mod trace;

use super::text::line;
use super::{AnswerContent, AnswerValue, DrawnTree, FoundStrategies, LineMove, Stages, TextStyle};
use crate::repl::CommandError;
use gdl::limits::Stop;
use gdl::rules::GroundTerm;
use ggp_game::Utility;
use ggp_game::statistics::Interval;
use ggp_search::events::value_text;
use ggp_search::{
    AllPlans, Budget, Choice, Cost, DeepenedChoice, EndedRound, Equilibrium, Expectation, FinishedMoves, NarratedStep,
    OptimalPlans, Outcome, Plan, Precision, Procedure, Shares, WeightedMove, Worth,
};
use serde::Serialize;
use text::{end_text, found_text, rounds_text};

pub(in crate::repl) use text::{mean_text, precision_text, round_rows, symmetries_text};
pub(crate) use trace::{EventTrace, NodePosition};

/// The answer of a search with its cost.
#[derive(Clone, Debug, Default, Serialize)]
pub struct SearchAnswer {
    /// The result.
    #[serde(flatten)]
    pub found: SearchFound,
    /// True if no further work would change the result.
    pub(crate) exact: bool,
    /// The limit that stopped the search, if the result is not exact.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(crate) stopped: Option<Stop>,
    /// Rank of unknown states at the horizon, in the units of utilities, if the search has a horizon and no evaluation.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(crate) unknown_ranked: Option<f64>,
    /// Set if the answer comes from all states of a game in which states repeat, and not from a search along lines.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(crate) from_all_states: Option<AllStates>,
    /// The search that has answered instead, if a limit stopped the one that was asked for before it knew anything.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(crate) instead: Option<Box<Substitute>>,
    /// The number of symmetries up to which states are counted, if that was asked for.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(crate) symmetries: Option<u64>,
    /// The work that was done.
    pub cost: Cost,
    /// True if the search follows lines to their ends, so that its cost counts lines; others count nodes.
    #[serde(skip)]
    pub(crate) counts_lines: bool,
    /// The cost of each round, if `--rounds` was given.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub rounds: Vec<EndedRound>,
    /// The steps of a textbook's procedure, if `--trace` was given with `--naive`.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub narration: Option<Narration>,
    /// The events of the search, if `--trace` was given.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(crate) trace: Option<Box<EventTrace>>,
    /// The file with the explored tree, if `--tree` was given.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(crate) tree: Option<DrawnTree>,
    /// The stages of alpha-beta, if `--stages` was given.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(crate) stages: Option<Box<Stages>>,
    /// Warnings about the question, such as moves that do not exist.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub(crate) warnings: Vec<String>,
}

/// A search that has answered in place of one that was stopped.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub(crate) struct Substitute {
    /// The name of its command.
    pub(crate) search: &'static str,
    /// The limit on its depth in joint moves, if it had one.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(crate) depth: Option<u32>,
    /// Part of the work that the stopped search had not finished, as a clause for the text.
    #[serde(skip)]
    pub(crate) missed: &'static str,
}

/// Data of an answer that an analysis of all states has given instead of a search.
#[derive(Clone, Copy, Debug, Serialize)]
pub(crate) struct AllStates {
    /// Value of play without end for the role that asks, if it is an outcome like others.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(crate) endless: Option<f64>,
    /// Exactness of the mean, if the answer is one.
    #[serde(flatten, skip_serializing_if = "Option::is_none")]
    pub(crate) precision: Option<Precision>,
}

/// Steps of a textbook's procedure.
#[derive(Clone, Debug, Serialize)]
pub struct Narration {
    /// The procedure.
    pub procedure: Procedure,
    /// The first steps.
    pub steps: Vec<NarratedStep<GroundTerm>>,
    /// The number of later steps, which are not shown.
    pub left_out: u64,
}

/// The result of a search.
#[derive(Clone, Debug, Default, Serialize)]
#[serde(tag = "found", rename_all = "snake_case")]
pub enum SearchFound {
    /// No result: nothing was found before the search was stopped.
    #[default]
    Nothing,
    /// The best utility, as of `maxscore`.
    Score {
        /// The utility that can be reached.
        utility: Utility,
    },
    /// The best move, as of `bestmove`.
    Move {
        /// The first move of the best line.
        #[serde(rename = "move")]
        chosen: GroundTerm,
        /// The utility that can be reached with it.
        utility: Utility,
    },
    /// A plan: a line of moves to a terminal state.
    Plan {
        /// The moves, and the utility at the end.
        #[serde(flatten)]
        plan: Plan<GroundTerm>,
        /// The requested utility, if the plan reaches less.
        #[serde(skip_serializing_if = "Option::is_none")]
        missed: Option<Utility>,
    },
    /// All shortest lines of moves to the best utility.
    Plans(AllPlans<GroundTerm>),
    /// All lines of moves to the best utility, of whatever length.
    OptimalPlans(OptimalPlans<GroundTerm>),
    /// The value that a role can force.
    Value {
        /// The role for which the value holds.
        role: GroundTerm,
        /// The value, with all first moves of equal value and the values of all first moves if they were requested.
        #[serde(flatten)]
        choice: Choice<GroundTerm, Vec<LineMove>>,
    },
    /// The value that a role can force, by iterative deepening.
    Deepened {
        /// The role for which the value holds.
        role: GroundTerm,
        /// The value and the complete rounds.
        #[serde(flatten)]
        deepened: DeepenedChoice<GroundTerm, Vec<LineMove>>,
    },
    /// The values of all roles, if each maximises its own.
    Shares(Shares<RoleWorth, Vec<LineMove>>),
    /// The expected utility of a role.
    Expectation {
        /// The role for which the mean holds.
        role: GroundTerm,
        /// The mean, with those of all first moves if they were requested.
        #[serde(flatten)]
        expectation: Expectation<GroundTerm, Vec<LineMove>, Assumption>,
    },
    /// An equilibrium of roles who choose at the same time.
    Equilibrium {
        /// The role for which the mean holds.
        role: GroundTerm,
        /// The means and the strategies, with numbers rounded to nine decimal places.
        #[serde(flatten)]
        equilibrium: Equilibrium<GroundTerm, GroundTerm>,
    },
    /// Strategies of roles that do not see the whole state.
    Strategies(FoundStrategies),
    /// Statistics of random games about the moves of a role.
    Sampled(SampledChoice),
}

impl SearchFound {
    /// The number of first moves that were finished, if the search was stopped before it had finished all of them.
    pub(crate) fn finished(&self) -> Option<FinishedMoves> {
        match self {
            Self::Value { choice, .. } => choice.finished,
            Self::Shares(shares) => shares.finished,
            Self::Expectation { expectation, .. } => expectation.finished,
            Self::Equilibrium { equilibrium, .. } => equilibrium.finished,
            // Without a complete round the answer is that of the first.
            Self::Deepened { deepened, .. } => deepened.begun.filter(|_| deepened.rounds.is_empty()),
            _ => None,
        }
    }
}

/// Assumption of an expectation about the other roles.
#[derive(Clone, Debug, Serialize)]
pub struct Assumption {
    /// The model of the other roles, if there are any except chance.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(crate) opponents: Option<String>,
    /// The nodes of the searches that simulated them, which the cost does not contain.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(crate) model_nodes: Option<u64>,
}

/// The value of a state for a role.
#[derive(Clone, Debug, Serialize)]
pub struct RoleWorth {
    /// The role for which the value holds.
    pub(crate) role: GroundTerm,
    /// The utility; an estimate if the search did not reach the end of the game.
    #[serde(flatten)]
    pub(crate) worth: Worth,
}

impl SearchAnswer {
    /// Adds warnings about the question.
    pub(crate) fn warned(mut self, warnings: Vec<String>) -> Self {
        self.warnings.extend(warnings);
        self
    }

    /// Says that states are counted up to symmetries.
    pub(crate) fn up_to(self, symmetries: u64) -> Self {
        Self { symmetries: Some(symmetries), ..self }
    }

    /// Says how states at the horizon are ranked, if what lies there is unknown and the answer depends on it.
    pub(crate) fn ranking(self, unknown: Option<f64>) -> Self {
        Self { unknown_ranked: unknown.filter(|_| !self.exact), ..self }
    }

    /// The answer of another search, in place of one that was stopped at this cost. If nothing can change it, it is
    /// exact for all that.
    pub(crate) fn in_place_of(self, stop: Stop, cost: Cost, instead: Substitute) -> Self {
        Self { stopped: Some(stop).filter(|_| !self.exact), cost, instead: Some(Box::new(instead)), ..self }
    }

    /// True if no further work would change the answer. A mean by iteration is not exact.
    pub(crate) fn is_exact(&self) -> bool {
        let precision = self.from_all_states.as_ref().and_then(|all| all.precision.as_ref());
        self.exact && precision.is_none_or(Precision::is_exact)
    }

    /// The limit that cut the answer off. A depth limit of a search of several players does not count: an estimate at
    /// that depth is what was requested; nor does a limit on visits or time where random games have no other end.
    pub(crate) fn cut_off(&self) -> Option<Stop> {
        if let SearchFound::Sampled(_) | SearchFound::Strategies(_) = self.found {
            return self.stopped.filter(|stop| !matches!(stop, Stop::Nodes { .. } | Stop::Time { .. }));
        }
        // The default depth is a safeguard and no request, so reaching it does cut the answer off.
        let is_estimate = matches!(
            self.found,
            SearchFound::Value { .. }
                | SearchFound::Deepened { .. }
                | SearchFound::Shares { .. }
                | SearchFound::Expectation { .. }
                | SearchFound::Equilibrium { .. }
        );
        self.stopped.filter(|stop| !(is_estimate && matches!(stop, Stop::Depth { limit } if *limit < Budget::DEPTH)))
    }

    /// The answer of an outcome.
    ///
    /// # Errors
    /// If the search found nothing, because it was stopped or because there is nothing to find.
    pub(crate) fn from_outcome(outcome: Outcome<SearchFound>) -> Result<Self, CommandError> {
        match outcome.answer {
            Some(_) => Ok(Self::of_any(outcome)),
            None => Err(CommandError::without_answer(outcome.stopped, outcome.cost)),
        }
    }

    /// The answer of an outcome, even if nothing was found, since the trace of the search may be useful.
    pub(crate) fn of_any(Outcome { answer, stopped, cost }: Outcome<SearchFound>) -> Self {
        Self { found: answer.unwrap_or_default(), exact: stopped.is_none(), stopped, cost, ..Self::default() }
    }
}

impl AnswerContent for SearchAnswer {
    fn kind(&self) -> &'static str {
        "search"
    }

    /// The answer, with its trace and its drawn tree.
    fn text(&self, style: &TextStyle<'_>) -> String {
        let dialect = style.dialect;
        let Self { rounds, narration, trace, tree, stages, .. } = self;
        let answer = format!("{} ({})", found_text(self, style.view.full, dialect), end_text(self, &style.view.counts));
        let trace = trace.as_ref().map_or(String::new(), |events| events.text(dialect));
        let narration = narration.as_ref().map_or(String::new(), |narration| narration.text(dialect));
        let stages = stages.as_ref().map_or(String::new(), |stages| stages.text());
        narration
            + &trace
            + &stages
            + &rounds_text(rounds)
            + &line(answer)
            + &tree.as_ref().map_or(String::new(), DrawnTree::text)
    }

    fn value(&self) -> Option<AnswerValue> {
        Some(match &self.found {
            SearchFound::Nothing => return None,
            SearchFound::Score { utility } => AnswerValue::number(utility),
            SearchFound::Value { choice, .. }
            | SearchFound::Deepened { deepened: DeepenedChoice { choice, .. }, .. } => {
                AnswerValue::number(choice.worth.number())
            }
            SearchFound::Shares(shares) => AnswerValue::numbers(shares.worths.iter().map(|share| share.worth.number())),
            SearchFound::Expectation { expectation, .. } => AnswerValue::number(expectation.utility.to_f64()),
            SearchFound::Equilibrium { equilibrium, .. } => AnswerValue::number(equilibrium.utility),
            SearchFound::Strategies(found) => AnswerValue::number(found.mean),
            SearchFound::Move { chosen, .. } => AnswerValue::One(chosen.clone()),
            SearchFound::Sampled(choice) => AnswerValue::One(choice.chosen.clone()),
            SearchFound::Plan { plan, .. } => AnswerValue::List(plan.moves.clone()),
            SearchFound::Plans(plans) => AnswerValue::number(plans.count),
            SearchFound::OptimalPlans(plans) => AnswerValue::number(plans.count()),
        })
    }

    fn nodes(&self, named: Option<NodeCount>) -> Option<AnswerValue> {
        let count = named.map_or(Some(self.cost.nodes), |named| named.count_in(&self.cost));
        count.map(AnswerValue::number)
    }

    fn work(&self) -> Option<(u64, &'static str)> {
        Some(match &self.found {
            SearchFound::Sampled(_) => (self.cost.nodes, "visits"),
            SearchFound::Strategies(found) => (found.iterations, "iterations"),
            _ if self.counts_lines => (self.cost.nodes, "lines"),
            _ => (self.cost.expanded, "states"),
        })
    }

    fn warnings(&self) -> &[String] {
        &self.warnings
    }

    fn warnings_mut(&mut self) -> Option<&mut Vec<String>> {
        Some(&mut self.warnings)
    }

    fn stopped(&self) -> Option<Stop> {
        self.cut_off()
    }
}

/// The first moves of a role by random play, and the recommended one.
#[derive(Clone, Debug, Serialize)]
pub struct SampledChoice {
    /// The role that asks.
    pub(crate) role: GroundTerm,
    /// The recommended move.
    #[serde(rename = "move")]
    pub(crate) chosen: GroundTerm,
    /// The exact value of the position for the role, if it is proven; otherwise the exact value of the recommended move,
    /// which is a lower bound, or the mean utility of the random games that began with it, or of what a network expects.
    pub(crate) mean: f64,
    /// True if the mean is the exact value of the position.
    pub(crate) proven: bool,
    /// The moves with their probabilities, if that value needs a mixed strategy.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub(crate) strategy: Vec<WeightedMove<GroundTerm>>,
    /// The moves that are expected, as far as the search knows.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub(crate) line: Vec<LineMove>,
    /// All first moves, the most visited first or, where all are visited alike, the one with the greatest mean.
    pub(crate) moves: Vec<SampledMove>,
    /// The number of first moves that the text lists; JSON has all of them.
    #[serde(skip)]
    pub(crate) listed: usize,
    /// The number of random games of a visit, whose mean is its result.
    pub(crate) games: usize,
    /// True if a network judges in place of random games.
    #[serde(skip_serializing_if = "std::ops::Not::not")]
    pub(crate) guided: bool,
    /// The number of nodes of the search tree, if the search keeps one.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(crate) tree_nodes: Option<usize>,
}

/// A first move by random play.
#[derive(Clone, Debug, Serialize)]
pub(crate) struct SampledMove {
    #[serde(rename = "move")]
    pub(crate) chosen: GroundTerm,
    /// The number of visits that began with it.
    pub(crate) visits: u32,
    /// Their mean utility for the role; `None` without a visit.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(crate) mean: Option<f64>,
    /// The mean with its 95% confidence interval, where the games are independent of each other.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(crate) interval: Option<Interval>,
    /// The exact value, if it is proven.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(crate) proven: Option<f64>,
}

impl SampledChoice {
    /// True if the recommended move has a proven value while others are open.
    fn is_bound(&self) -> bool {
        !self.proven && self.moves.iter().any(|row| row.chosen == self.chosen && row.proven.is_some())
    }

    /// The value of the position, a bound of it, or a mean.
    pub(crate) fn number(&self) -> String {
        match (self.proven, self.is_bound()) {
            (true, _) => value_text(self.mean),
            (false, true) => format!("at least {}", value_text(self.mean)),
            (false, false) => format!("{:.1}", self.mean),
        }
    }
}

/// Convention by which nodes are counted: five of textbooks and courses.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
#[serde(rename_all = "snake_case")]
pub(crate) enum NodeCount {
    /// Calls of the recursive function, the one for the root included.
    Calls,
    /// Nodes that were created, the root included.
    Generated,
    /// Nodes whose children were created.
    Expanded,
    /// Nodes that were taken from the queue or stack.
    Pops,
    /// Terminal nodes, and nodes at the horizon.
    Leaves,
}

impl NodeCount {
    pub(crate) const ALL: [Self; 5] = [Self::Calls, Self::Generated, Self::Expanded, Self::Pops, Self::Leaves];

    /// Its word, in the plural.
    pub(crate) fn name(self) -> &'static str {
        match self {
            Self::Calls => "calls",
            Self::Generated => "generated",
            Self::Expanded => "expanded",
            Self::Pops => "pops",
            Self::Leaves => "leaves",
        }
    }

    /// The count of a search; `None` if the search has no such thing.
    pub(crate) fn count_in(self, cost: &Cost) -> Option<u64> {
        match self {
            Self::Calls => cost.calls(),
            Self::Generated => Some(cost.nodes),
            Self::Expanded => Some(cost.expanded),
            Self::Pops => cost.pops,
            Self::Leaves => cost.leaves,
        }
    }
}
