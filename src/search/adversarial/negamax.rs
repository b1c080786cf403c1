//! `negamax`: minimax with one rule for both sides.

use super::contest::{Choice, Contest};
use super::found::Found;
use super::full_tree::FullTree;
use super::turn::Expanded;
use super::two_sided::{AgainstAll, Rule, two_sided};
use super::value::Value;
use crate::game::BatchReasoner;
use crate::search::outcome::Halt;
use crate::search::{Budget, Observer, Outcome, SearchError};

/// The utility that a role can force from a state if all other roles play together against it.
///
/// What one side gains the other loses, so each side chooses what is worth least to the other: the value of a node is
/// the greatest of the negated values of its successors. Simultaneous moves are two such choices, the role's first.
///
/// Observers get the value of a node for the side that has moved there, as the rule has it.
///
/// - Guarantee, cost and nodes: those of [`super::minimax()`]; it is the same search, written once for both sides.
/// - Source: Knuth and Moore, *An Analysis of Alpha-Beta Pruning*, Artificial Intelligence 6, 1975, where it is called
///   F0.
pub fn negamax<R: BatchReasoner>(
    reasoner: &mut R,
    contest: Contest<'_, R>,
    budget: &Budget,
    observer: impl Observer,
) -> Result<Outcome<Choice>, SearchError> {
    two_sided(reasoner, contest, budget, observer, Negated)
}

/// Each side takes the greatest of the negated values of what follows.
#[derive(Clone, Copy)]
struct Negated;

impl Rule for Negated {
    fn is_sided(self) -> bool {
        true
    }

    fn choose<R: BatchReasoner, O: Observer>(
        self,
        tree: &mut FullTree<'_, '_, R, O, AgainstAll<Self>>,
        mut node: Expanded<'_, R::State>,
    ) -> Result<Found<Value>, Halt> {
        let mut best: Option<Found<Value>> = None;
        let (here, moves) = (node.here, node.moves);
        for option in &moves.options {
            let mut others: Option<Found<Value>> = None;
            for reply in option.replies() {
                let found = negated(tree.after_reply(&mut node, reply)?);
                match &others {
                    Some(others) if found.value <= others.value => tree.search.memory.lines.give_back(found),
                    _ => {
                        let found = tree.search.memory.lines.after(found, moves.joint_move(reply), here.node);
                        tree.search.memory.lines.replace(&mut others, found);
                    }
                }
                tree.note_reply(here, others.as_ref(), |value| -value);
            }
            let others = others.expect("there is a joint move for each move of the role");
            tree.note_option(here, negated(others), &mut best);
        }
        Ok(best.expect("a state that is not over has at least one joint move"))
    }
}

/// A line with its value for the other side.
fn negated(found: Found<Value>) -> Found<Value> {
    let value = -found.value;
    found.with(value)
}
