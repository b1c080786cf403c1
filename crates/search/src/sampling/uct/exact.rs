//! Exact search in a node of the tree: alpha-beta proves what random games only estimate.
//!
//! It looks for the value of the position, where that is within reach (`within_reach.rs`), and checks the move that the
//! tree recommends (`check.rs`). All searches use one table of states, which is kept from move to move, so a search that
//! was stopped is soon where it was. What it proves is a proof of the tree like any other.

use super::Uct;
use super::children::NodeIndex;
use super::proof::{OPEN, Proof};
use crate::adversarial::{Contest, Enhancements, TableMemory, iterative_from};
use crate::outcome::Halt;
use crate::{Budget, DeepenedChoice, Round};
use gdl::limits::Stop;
use gdl::number::to_u32;
use ggp_game::{Move, Reasoner, Role, Utility};

/// The exact value of a node.
#[derive(Clone, Copy)]
pub(super) struct ExactValue {
    /// The utility for the role that searches.
    pub(super) utility: f64,
    /// The best move there.
    chosen: Option<Move>,
}

/// What exact search has found.
#[derive(Default)]
pub(super) struct ExactSearch {
    pub(super) value: Option<ExactValue>,
    /// The complete rounds of deepening.
    pub(super) rounds: Vec<Round>,
}

/// What exact search keeps from one search to the next.
#[derive(Default)]
pub(super) struct Prover {
    /// What it remembers of states, and the role for which their values are.
    table: TableMemory,
    role: Option<Role>,
}

impl Prover {
    /// The table has the memory divided by this.
    const SHARE_OF_MEMORY: u64 = 8;
    /// The enhancements of alpha-beta.
    const ENHANCEMENTS: Enhancements = Enhancements { aspiration: false, ..Enhancements::ALL };
}

impl<R: Reasoner> Uct<R> {
    /// Whether exact search is wanted and the game is one for it. It tells what a role can force against an opponent.
    #[inline]
    pub(super) fn is_exact(&self) -> bool {
        self.options.exact > 0.0 && self.options.opposed && self.is_contest
    }

    /// The memory that the table of exact search may use, of the memory of the search.
    #[inline]
    pub(super) fn table_memory(&self, memory: u64) -> u64 {
        if self.is_exact() { memory / Prover::SHARE_OF_MEMORY } else { 0 }
    }

    /// Searches exactly in a node of the tree for a role, until the budget is spent or `goes_on` says, after each round
    /// that decides nothing, that there is to be no other. It finds nothing if it is interrupted or out of time, or if the
    /// rules give no answer somewhere below, which random games tolerate.
    pub(super) fn search_exactly(
        &mut self,
        reasoner: &mut R,
        role: Role,
        index: NodeIndex,
        budget: &Budget,
        goes_on: &mut dyn FnMut(&[Round]) -> bool,
    ) -> ExactSearch {
        if self.prover.role.replace(role) != Some(role) {
            self.prover.table = TableMemory::default();
        }
        let mut even = |_: &mut R, _: &R::State, _: Role| Ok(0);
        let contest = Contest { state: self.tree.state(index), role, evaluation: Some(&mut even), table: false };
        let table = &mut self.prover.table;
        let Ok(outcome) = iterative_from(reasoner, contest, Prover::ENHANCEMENTS, budget, goes_on, table) else {
            return ExactSearch::default();
        };
        if self.prover.table.has_simultaneous_moves() {
            self.is_contest = false;
            return ExactSearch::default();
        }
        if let Some(Stop::Interrupted | Stop::Time { .. }) = outcome.stopped {
            return ExactSearch::default();
        }
        let is_exact = outcome.is_exact();
        let Some(DeepenedChoice { choice, rounds, .. }) = outcome.answer else { return ExactSearch::default() };
        // An exact value that is neither won nor lost is a draw.
        let utility = choice.worth.utility().map_or(self.range.middle(), Utility::to_f64);
        ExactSearch { value: is_exact.then_some(ExactValue { utility, chosen: choice.chosen }), rounds }
    }

    /// Enters the value of a node for a role, and that of the best move there, if it is one of the role. The choices in
    /// the node must have been computed.
    pub(super) fn settle(
        &mut self,
        reasoner: &mut R,
        index: NodeIndex,
        role: Role,
        ExactValue { utility, chosen }: ExactValue,
    ) -> Result<(), Halt> {
        let mut values = vec![OPEN; self.roles];
        values[role.index()] = utility;
        self.add_rest(&mut values);
        let proof = Proof::from_values(values);
        let turn = self.tree.node(index).turn.as_ref().expect("the node has been expanded");
        let choice = turn.choices.first().filter(|choice| choice.role == role);
        let pick = choice.and_then(|choice| choice.arms.iter().position(|arm| Some(arm.chosen) == chosen));
        if let Some(pick) = pick {
            let joint = pick as u64;
            let child = match self.tree.child(index, joint) {
                Some(child) => child,
                None => {
                    let joint_move = turn.picked(&[to_u32(pick)]);
                    let next = reasoner.next_state(self.tree.state(index), &joint_move)?;
                    self.tree.add_child(reasoner, index, joint, next)?
                }
            };
            if self.tree.proven(child).is_none() {
                self.tree.node_mut(child).proven = proof.clone();
            }
            self.tell(index, child);
        }
        self.tree.node_mut(index).proven = proof;
        self.proofs.by_search += 1;
        Ok(())
    }
}
