//! The part of an answer that `expect` compares: a truth value, a term, a list, a set, or a number.

use super::answer::{Answer, Best, CountedTree, Dependencies, Found, GoalValue, PlayoutAnswer, Prospects, Viewed};
use crate::rules::GroundTerm;
use crate::search::{Deepened, TreeSize};
use std::fmt;

/// The comparable part of an answer.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) enum AnswerValue {
    /// A truth value, as of a query without variables.
    Truth(bool),
    /// One term: a number, a move, a name.
    One(GroundTerm),
    /// Terms whose order matters, as in a plan.
    List(Vec<GroundTerm>),
    /// Terms whose order does not matter, in canonical order.
    Set(Vec<GroundTerm>),
}

impl AnswerValue {
    /// The value of an answer; `None` if it has no single one, as for the legal moves of several roles.
    pub(crate) fn from_answer(answer: &Answer) -> Option<Self> {
        Some(match answer {
            Answer::Truth { holds, .. } => Self::Truth(*holds),
            Answer::Solutions(solutions) => Self::Truth(!solutions.rows.is_empty()),
            Answer::Explained(explained) => Self::Truth(explained.is_as_asked()),
            Answer::CheckedPlan(plan) => Self::Truth(plan.is_good()),
            Answer::CheckedHeuristic(heuristic) => Self::Truth(heuristic.is_admissible),
            Answer::Tree(counted) => Self::List(tree_counts(counted)),
            Answer::Depths(counted) => Self::List(counted.depths.iter().map(|depth| number(depth.nodes)).collect()),
            Answer::Depends(dependencies) => Self::set(needed(dependencies)),
            Answer::EstimatedTree(estimated) => Self::One(number(estimated.log10)),
            Answer::EstimatedLayers(estimated) => Self::One(number(estimated.nodes)),
            Answer::ExplainedEvaluation(explained) => {
                Self::List(explained.roles.iter().map(|evaluated| number(evaluated.value)).collect())
            }
            Answer::Replanned(replanned) => {
                Self::List(replanned.steps.iter().map(|step| step.chosen.clone()).collect())
            }
            Answer::Roles { roles } => Self::List(roles.clone()),
            Answer::State { facts, .. } => Self::set(facts.clone()),
            Answer::Format { dialect } => Self::One(GroundTerm::symbol(dialect.name())),
            Answer::Seed { seed } => Self::One(number(seed)),
            Answer::Sees { roles, .. } => match &roles[..] {
                [only] => Self::set(only.percepts.clone()),
                _ => return None,
            },
            Answer::Best(Best { answer, .. }) | Answer::Viewed(Viewed { answer, .. }) => {
                return Self::from_answer(answer);
            }
            Answer::Analysed(analysed) => Self::One(analysed.moves.first()?.chosen.clone()),
            Answer::Engine { engine } => Self::One(GroundTerm::symbol(engine.name())),
            Answer::Legal { roles } => match &roles[..] {
                [only] => Self::set(only.moves.clone()),
                _ => return None,
            },
            Answer::Goal { goals } => Self::goals(goals),
            Answer::Playout(playout) => Self::goals(playout.result.as_ref()?),
            Answer::Solved(solved) => match (&solved.value, &solved.expected) {
                (Some(worths), _) => Self::List(worths.0.iter().map(|(_, utility)| number(utility)).collect()),
                (None, Some(expected)) => Self::List(expected.means.iter().map(|(_, mean)| number(mean)).collect()),
                (None, None) => return None,
            },
            Answer::Deliberated(deliberated) => {
                Self::List(deliberated.steps.iter().map(|step| number(step.calls)).collect())
            }
            Answer::Prospects(Prospects { rows, .. }) => {
                Self::List(rows.iter().map(|row| number(row.utility_text())).collect())
            }
            Answer::Search(search) => match &search.found {
                Found::Nothing => return None,
                Found::Score { utility } => Self::One(number(utility)),
                Found::Value { choice, .. } | Found::Deepened { deepened: Deepened { choice, .. }, .. } => {
                    Self::One(number(choice.worth.number()))
                }
                Found::Shares(shares) => {
                    Self::List(shares.worths.iter().map(|share| number(share.worth.number())).collect())
                }
                Found::Expectation { expectation, .. } => Self::One(number(expectation.utility.to_f64())),
                Found::Equilibrium { equilibrium, .. } => Self::One(number(equilibrium.utility)),
                Found::Move { chosen, .. } => Self::One(chosen.clone()),
                Found::Sampled(choice) => Self::One(choice.chosen.clone()),
                Found::Plan { plan, .. } => Self::List(plan.moves.clone()),
                Found::Plans(plans) => Self::One(number(plans.count)),
                Found::OptimalPlans(plans) => Self::One(number(plans.count())),
            },
            _ => return None,
        })
    }

    /// The number of items of an answer: solutions, facts, moves of a role or of a plan, roles, plies.
    pub(crate) fn count(answer: &Answer) -> Option<Self> {
        let count = match (answer, Self::from_answer(answer)) {
            (Answer::Solutions(solutions), _) => solutions.rows.len(),
            (Answer::History { plies } | Answer::Playout(PlayoutAnswer { plies, .. }), _) => plies.len(),
            (Answer::Rules { relations }, _) => relations.iter().map(|listed| listed.clauses.len()).sum(),
            (Answer::Best(Best { answer, .. }) | Answer::Viewed(Viewed { answer, .. }), _) => {
                return Self::count(answer);
            }
            (Answer::Solved(solved), _) => return Some(Self::One(number(solved.states))),
            (Answer::Tree(counted), _) => return Some(Self::One(number(counted.tree.states))),
            (_, Some(Self::List(terms) | Self::Set(terms))) => terms.len(),
            _ => return None,
        };
        Some(Self::One(number(count)))
    }

    /// The number of nodes that a search visited, or the first count that `--count` names.
    pub(crate) fn nodes(answer: &Answer) -> Option<Self> {
        match answer {
            Answer::Viewed(Viewed { view, answer }) => match (view.counts.first(), &**answer) {
                (Some(count), Answer::Search(search)) => Some(Self::One(number(count.count_in(&search.cost)?))),
                (_, answer) => Self::nodes(answer),
            },
            Answer::Search(search) => Some(Self::One(number(search.cost.nodes))),
            Answer::Best(best) => Self::nodes(&best.answer),
            Answer::Deliberated(deliberated) => Some(Self::One(number(deliberated.calls()))),
            Answer::Tree(counted) => Some(Self::One(tree_counts(counted).swap_remove(0))),
            Answer::Depths(counted) => Some(Self::One(number(counted.depths.last()?.nodes))),
            _ => None,
        }
    }

    /// Whether the value equals `terms`, which were written in brackets (a list) or as one term.
    pub(crate) fn is(&self, terms: &[GroundTerm], bracketed: bool) -> bool {
        match self {
            Self::Truth(holds) => !bracketed && *terms == [GroundTerm::symbol(holds.to_string())],
            Self::One(term) => !bracketed && terms == std::slice::from_ref(term),
            Self::List(own) => bracketed && own == terms,
            Self::Set(_) => bracketed && *self == Self::set(terms.to_vec()),
        }
    }

    fn goals(goals: &[GoalValue]) -> Self {
        let value = |goal: &GoalValue| match goal.value {
            Some(utility) => number(utility),
            None => GroundTerm::symbol("none"),
        };
        if let [only] = goals { Self::One(value(only)) } else { Self::List(goals.iter().map(value).collect()) }
    }

    fn set(mut terms: Vec<GroundTerm>) -> Self {
        terms.sort();
        Self::Set(terms)
    }
}

/// The numbers of nodes, terminal nodes and distinct states of a tree.
fn tree_counts(counted: &CountedTree) -> Vec<GroundTerm> {
    let (nodes, terminal_nodes) = match counted.tree.tree {
        TreeSize::Finite { nodes, terminal_nodes, .. } => (number(nodes), number(terminal_nodes)),
        TreeSize::Infinite => (GroundTerm::symbol("infinite"), GroundTerm::symbol("infinite")),
        TreeSize::Unknown => (GroundTerm::symbol("unknown"), GroundTerm::symbol("unknown")),
    };
    vec![nodes, terminal_nodes, number(counted.tree.states)]
}

/// The names of the relations on which the given relations depend directly.
fn needed(dependencies: &Dependencies) -> Vec<GroundTerm> {
    let links = dependencies.relations.iter().flat_map(|relation| &relation.needs);
    let names = links.filter_map(|link| link.relative.relation.rsplit_once('/'));
    let mut names: Vec<GroundTerm> = names.map(|(name, _)| GroundTerm::symbol(name)).collect();
    names.sort();
    names.dedup();
    names
}

fn number(value: impl fmt::Display) -> GroundTerm {
    GroundTerm::symbol(value.to_string())
}

impl fmt::Display for AnswerValue {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Truth(holds) => holds.fmt(formatter),
            Self::One(term) => term.fmt(formatter),
            Self::List(terms) | Self::Set(terms) => {
                let terms: Vec<String> = terms.iter().map(ToString::to_string).collect();
                write!(formatter, "[{}]", terms.join(", "))
            }
        }
    }
}
