//! `minimax`: the utility that a role can force against all others.

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
/// With simultaneous moves the value is the pessimistic one: the others choose knowing the role's move. In a
/// turn-taking game of two opponents it is the value of the game.
///
/// - Guarantee: exact if the game tree below the state is finite and the budget allows; with a limited depth, the value
///   of the tree down to the horizon, where the evaluation replaces what lies beyond; when stopped, the best of the
///   moves that were searched completely.
/// - Cost: every node of the tree below the state; nothing is pruned. With a table every state below the first, for
///   each number of joint moves to the horizon.
/// - Source: Genesereth and Thielscher, *General Game Playing*, the chapter on small multiple-player games.
pub fn minimax<R: BatchReasoner>(
    reasoner: &mut R,
    contest: Contest<'_, R>,
    budget: &Budget,
    observer: impl Observer,
) -> Result<Outcome<Choice>, SearchError> {
    two_sided(reasoner, contest, budget, observer, MaxMin)
}

/// The role takes the greatest value, the others the least.
#[derive(Clone, Copy)]
struct MaxMin;

impl Rule for MaxMin {
    fn is_sided(self) -> bool {
        false
    }

    fn choose<R: BatchReasoner, O: Observer>(
        self,
        tree: &mut FullTree<'_, '_, R, O, AgainstAll<Self>>,
        mut node: Expanded<'_, R::State>,
    ) -> Result<Found<Value>, Halt> {
        let mut best: Option<Found<Value>> = None;
        let (here, moves) = (node.here, node.moves);
        for option in &moves.options {
            let mut worst: Option<Found<Value>> = None;
            for reply in option.replies() {
                let found = tree.after_reply(&mut node, reply)?;
                match &worst {
                    Some(worst) if found.value >= worst.value => tree.search.memory.lines.give_back(found),
                    _ => {
                        let found = tree.search.memory.lines.after(found, moves.joint_move(reply), here.node);
                        tree.search.memory.lines.replace(&mut worst, found);
                    }
                }
                tree.note_reply(here, worst.as_ref(), |value| value);
            }
            let worst = worst.expect("there is a joint move for each move of the role");
            tree.note_option(here, worst, &mut best);
        }
        Ok(best.expect("a state that is not over has at least one joint move"))
    }
}
