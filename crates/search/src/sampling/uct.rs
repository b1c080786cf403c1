//! `mcts`: Monte Carlo tree search (UCT) for any number of players.

mod advice;
mod exact;
mod grow;
mod growth;
mod guide;
mod later_moves;
mod node;
mod proof;
mod tree;

use super::learned_evaluation::LearnedEvaluation;
use super::playouts::Playouts;
use crate::adversarial::TableMemory;
use crate::budget::Meter;
use crate::outcome::Halt;
use crate::{Budget, Outcome, SearchError};
use exact::RandomLengths;
use ggp_game::{Chance, Move, Reasoner, Role, UtilityRange};
use later_moves::LaterMoves;
use tree::Tree;

pub use advice::{Advice, MoveStatistics};
pub use growth::TreeGrowth;
pub use guide::TreeGuide;

/// The parameters of the tree search.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct UctOptions {
    /// The weight of exploration: C of UCB1, for utilities scaled to the range from 0 to 1.
    pub exploration: f64,
    /// The nodes of exact search for each random game, for checking the recommended move in games of two sides that
    /// take turns; with 0, or without [`UctOptions::opposed`], nothing is searched exactly.
    pub exact: f64,
    /// The weight of a learned evaluation against the results of random games, from 0 to 1; it has an effect where one
    /// has been learned.
    pub estimate: f64,
    /// True if two players are taken for opponents, as long as all ends of games that were seen have utilities of the
    /// same sum: then what is proven for one is proven for the other. A proven value is what a role can force, as in
    /// [`crate::minimax()`]; otherwise it is that of play in which each role plays for itself.
    pub opposed: bool,
    /// True if lines that lead to the same state after equally many joint moves meet in one node, so that the tree
    /// becomes a graph.
    pub transpositions: bool,
    /// The most visits for which later games count: games in which a role made a move at a later ply (RAVE). It has an
    /// effect where random games record their moves; with 0 later games do not count.
    pub rave: f64,
    /// The seed of random choices.
    pub seed: u64,
}

impl UctOptions {
    /// Options of the players. The exploration is that of the textbook divided by about two, since random games tell
    /// moves apart by a few hundredths. Two nodes of exact search for each random game take a fifth of the time at
    /// most.
    pub const PLAYER: Self =
        Self { exploration: 0.3, exact: 2.0, estimate: 0.5, opposed: true, transpositions: true, rave: 200.0, seed: 0 };
}

impl Default for UctOptions {
    /// The textbook's form.
    #[inline]
    fn default() -> Self {
        Self { exploration: 0.7, exact: 0.0, estimate: 0.0, opposed: false, transpositions: false, rave: 0.0, seed: 0 }
    }
}

/// A tree of statistics of random play, kept from move to move.
///
/// In each node every role with a choice selects the move with the greatest upper confidence bound (UCB1) by its own
/// statistics (decoupled UCT); the role `random` selects each of its moves with the same probability. Leaves are
/// evaluated by random play, a batch at a time. While the batch is collected, the visits of its lines count towards the
/// uncertainty but not towards the mean, so that the batch spreads only where the best move is uncertain. A state whose
/// value is certain is proven, and its value propagates to its ancestors; moves that are proven to be worse than
/// another are no longer tried. Where two sides choose at once and all that follows is proven, the value is that of the
/// matrix's equilibrium, from which the recommended move is drawn. In games of two sides exact search checks the
/// recommended move ([`UctOptions::exact`]).
///
/// With [`UctOptions::transpositions`] lines that lead to the same state meet in one node, which is found by a table.
/// In games of two sides a node has a mean of all games through it, and a move has that of the node to which it leads.
/// A move that leads to a known node has that mean without a game, and the line selects again.
///
/// - Guarantee: a proven value is exact, and the search is stopped by no limit only if that of the first state is
///   proven for the role that asks; all others are estimates. It is the value if each role plays for itself and of
///   equally good moves makes the first, as in [`crate::max_n()`]; where two opponents choose at once, that of
///   [`crate::nash()`]; and what a role can force with [`UctOptions::opposed`].
/// - Cost: the whole budget. The tree uses at most the budget's memory; a full tree no longer grows, but its statistics
///   are updated.
/// - Source: Kocsis and Szepesvári, *Bandit Based Monte-Carlo Planning*, 2006; decoupled UCT: Finnsson and Björnsson,
///   *Simulation-Based Approach to General Game Playing*, 2008; proofs: Winands, Björnsson and Saito, *Monte-Carlo Tree
///   Search Solver*, 2008; transpositions: Childs, Brodeur and Kocsis, *Transpositions and Move Groups in Monte Carlo
///   Tree Search*, 2008; visits counted ahead: Liu and others, *Watch the Unobserved: A Simple Approach to
///   Parallelizing Monte Carlo Tree Search*, 2020.
pub struct Uct<R: Reasoner> {
    tree: Tree<R::State>,
    /// The states that exact search remembers, and the role for which their values are.
    prover_table: TableMemory,
    prover_role: Option<Role>,
    /// True if, in all that was seen, the game is one of two sides that take turns, and one wins what the other loses.
    /// Only then exact search and an evaluation know for both sides what they know for one.
    is_contest: bool,
    /// The two players of the game, if in all that was seen one wins what the other loses.
    opponents: Option<[Role; 2]>,
    /// The learned evaluation, if there is one.
    learned: Option<LearnedEvaluation>,
    /// What evaluates leaves and moves in place of random games, if anything does.
    guide: Option<Box<dyn TreeGuide<R>>>,
    options: UctOptions,
    random: Chance,
    chance: Option<Role>,
    roles: usize,
    range: UtilityRange,
    /// The weight of exploration in this range.
    exploration: f32,
    /// The moves of the games from a leaf, while they are handed up.
    later: LaterMoves,
    /// True if games with later moves count also for moves that were never tried.
    foretells_untried: bool,
    /// The lengths of random games from the first state or an earlier one.
    lengths: RandomLengths,
    /// Buffers for the joint move to a new node, and for the value of a proven one.
    joint_move: Vec<Move>,
    worth: Vec<f32>,
    /// A buffer for the utilities that a line hands up.
    handed: Vec<f32>,
    /// The number of random games from the root, and the sum of their utilities for each role.
    played: u32,
    sums: Vec<f64>,
    /// The length of the longest line, in joint moves.
    deepest: u32,
    proofs: ProofCounts,
}

/// The numbers of states that have been proved since the last joint move, terminal ones not counted.
#[derive(Clone, Copy, Debug, Default)]
pub struct ProofCounts {
    /// By exact search in them.
    pub by_search: u32,
    /// By the values of the states that follow.
    pub by_successors: u32,
}

impl<R: Reasoner> Uct<R> {
    /// Starts a tree that has one state.
    #[expect(clippy::cast_possible_truncation, reason = "bounds are compared in 32 bits")]
    pub fn new(reasoner: &mut R, state: &R::State, options: UctOptions) -> Result<Self, SearchError> {
        let random = Chance::new(options.seed);
        let chance = Role::chance(reasoner.roles());
        let roles = reasoner.roles().len();
        let opponents = <[Role; 2]>::try_from(Role::players(reasoner.roles()).collect::<Vec<_>>()).ok();
        let range = reasoner.utility_range();
        Ok(Self {
            tree: Tree::new(reasoner, state, &options)?,
            prover_table: TableMemory::default(),
            prover_role: None,
            is_contest: roles == 2 && chance.is_none(),
            opponents,
            learned: None,
            guide: None,
            options,
            random,
            chance,
            roles,
            range,
            // The weight is for utilities from 0 to 1.
            exploration: (options.exploration * range.width()) as f32,
            later: LaterMoves::default(),
            foretells_untried: false,
            lengths: RandomLengths::default(),
            joint_move: Vec::new(),
            worth: Vec::new(),
            handed: Vec::new(),
            played: 0,
            sums: vec![0.0; roles],
            deepest: 0,
            proofs: ProofCounts::default(),
        })
    }

    /// Grows the tree until the budget is spent or the value of the first state is proven for `role`, and recommends a
    /// move for it there. The budget counts a random game as a node.
    ///
    /// # Errors
    /// If the game is over, or the rules give no answer in some state of the tree.
    pub fn search(
        &mut self,
        reasoner: &mut R,
        role: Role,
        playouts: &mut dyn Playouts<R>,
        budget: &Budget,
    ) -> Result<Outcome<Advice>, SearchError> {
        self.search_watched(reasoner, role, playouts, budget, &mut |_, _, _| {})
    }

    /// Searches as [`Uct::search`]; `watch` is called with the reasoner, the tree and the number of random games after
    /// each batch of them.
    ///
    /// # Errors
    /// Errors of [`Uct::search`].
    pub fn search_watched(
        &mut self,
        reasoner: &mut R,
        role: Role,
        playouts: &mut dyn Playouts<R>,
        budget: &Budget,
        watch: &mut dyn FnMut(&mut R, &Self, u64),
    ) -> Result<Outcome<Advice>, SearchError> {
        if reasoner.is_terminal(self.tree.state(self.tree.root()))? {
            return Err(SearchError::Over);
        }
        let mut meter = Meter::start_flat(budget);
        let expanded = self.tree.expanded();
        let halt = self.grow(reasoner, role, playouts, &mut meter, budget.memory(), watch).err();
        // A limit that is reached with the proof does not matter.
        let is_proven = self.proven(role).is_some();
        let halt = halt.filter(|halt| !(is_proven && matches!(halt, Halt::Stopped(_))));
        meter.expanded_also(self.tree.expanded() - expanded);
        meter.best_so_far(halt, self.advice(role))
    }

    /// Continues from the state after a joint move and keeps what is known of it. The rest is freed while the search
    /// goes on, a few nodes with each visit, so the call is fast however large the tree is.
    pub fn advance(&mut self, reasoner: &mut R, joint_move: &[Move], state: &R::State) -> Result<(), SearchError> {
        match self.tree.after(joint_move).filter(|&child| self.tree.state(child) == state) {
            Some(child) => self.tree.go_to(child),
            None => self.tree.go_to_new(reasoner, state)?,
        }
        if !reasoner.is_terminal(state)? {
            self.forget_unexplained();
        }
        (self.played, self.deepest, self.proofs) = (0, 0, ProofCounts::default());
        self.sums.fill(0.0);
        Ok(())
    }

    /// The number of nodes in memory: those of the tree, and those that are still to be freed.
    #[inline]
    pub fn size(&self) -> usize {
        self.tree.len()
    }

    /// The numbers of states that have been proved since the last joint move.
    #[inline]
    pub fn proofs(&self) -> ProofCounts {
        self.proofs
    }

    /// The value of the state at the root for a role, if it is proven.
    #[inline]
    pub fn proven(&self, role: Role) -> Option<f64> {
        self.proven_value(self.tree.root(), role)
    }

    /// The states after other joint moves than this one in which the game goes on and of which it is proven what each role
    /// gets, with the utilities; that of the role `random` may be NaN.
    pub fn proven_beside(&self, joint_move: &[Move]) -> impl Iterator<Item = (&R::State, &[f64])> {
        let made = self.tree.after(joint_move);
        let turn = self.tree.node(self.tree.root()).turn.iter();
        let others = turn.flat_map(|turn| turn.children.entries()).map(|(_, child)| child);
        let others = others.filter(move |&child| Some(child) != made && self.is_closed(child));
        others.filter_map(|child| {
            let node = self.tree.node(child);
            node.proven.as_ref().filter(|_| !node.is_terminal).map(|proof| (&node.state, proof.values()))
        })
    }
}
