//! `mcts`: Monte Carlo tree search, UCT, for any number of players.

mod children;
mod grow;
mod prove;
mod tree;

use super::budget::Meter;
use super::playouts::{Playouts, chance_role};
use super::{Budget, Outcome, SearchError};
use crate::game::{Move, Reasoner, Role};
use rand_core::SeedableRng;
use rand_xoshiro::Xoshiro256PlusPlus;
use tree::Tree;

/// What a Monte Carlo search recommends.
#[derive(Clone, Debug, PartialEq)]
pub struct Advice {
    /// The move; the first legal one where nothing is known yet.
    pub chosen: Move,
    /// All moves of the role, in canonical order.
    pub options: Vec<Rated>,
}

/// What is known of a move.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Rated {
    /// The move.
    pub chosen: Move,
    /// How many random games began with it.
    pub visits: u32,
    /// What they were worth to the role, on the average.
    pub mean: f64,
    /// What the move is worth for certain, if that is known.
    pub proven: Option<f64>,
}

impl Advice {
    /// The move with what is known of it, for log lines: `mark(1,1): mean 54.2 of 1300 games`.
    pub fn describe(&self, reasoner: &impl Reasoner) -> String {
        let chosen = reasoner.move_term(self.chosen);
        let Some(rated) = self.options.iter().find(|rated| rated.chosen == self.chosen) else {
            return chosen.to_string();
        };
        let proven = rated.proven.map_or_else(String::new, |worth| format!(", worth {worth:.1} for certain"));
        format!("{chosen}: mean {:.1} of {} games{proven}", rated.mean, rated.visits)
    }

    /// The best of the moves that are known to some degree: one whose proven worth is not less than the mean of the move that was
    /// visited most, else that move.
    pub(super) fn of(options: Vec<Rated>) -> Self {
        let first_best = |key: &dyn Fn(&Rated) -> f64, among: &dyn Fn(&Rated) -> bool| {
            let mut best: Option<&Rated> = None;
            for option in options.iter().filter(|option| among(option)) {
                if best.is_none_or(|best| key(option) > key(best)) {
                    best = Some(option);
                }
            }
            best.copied()
        };
        let worth = |option: &Rated| option.proven.unwrap_or(0.0);
        let visits = |option: &Rated| f64::from(option.visits);
        let proven = first_best(&worth, &|option| option.proven.is_some());
        let open = first_best(&visits, &|option| option.proven.is_none());
        let best = match (proven, open) {
            (Some(proven), Some(open)) if worth(&proven) == 0.0 || worth(&proven) < open.mean => Some(open),
            // Of moves that are all lost the one that took longest to refute.
            (Some(proven), None) if worth(&proven) == 0.0 => first_best(&visits, &|_| true),
            (Some(proven), _) => Some(proven),
            (None, open) => open,
        };
        Self { chosen: best.expect("a role has a legal move").chosen, options }
    }

    /// The move that is recommended, if a random game began with it or its worth is proven.
    pub fn found(&self) -> Option<Move> {
        let best = self.best();
        (best.visits > 0 || best.proven.is_some()).then_some(best.chosen)
    }

    /// The move that is recommended, with what is known of it.
    pub fn best(&self) -> Rated {
        let chosen = self.options.iter().find(|option| option.chosen == self.chosen);
        *chosen.expect("the recommended move is one of the options")
    }
}

/// How a tree is grown.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct UctOptions {
    /// How much a move that was seldom tried is preferred: C of UCB1, for utilities from 0 to 1.
    pub exploration: f64,
    /// What random choices begin with.
    pub seed: u64,
}

impl Default for UctOptions {
    fn default() -> Self {
        Self { exploration: 0.7, seed: 0 }
    }
}

/// A tree of what random play has shown, kept from move to move.
///
/// In each node every role that has a choice takes the move that looks best to itself by UCB1, each by its own statistics (decoupled UCT);
/// the role `random` takes each of its moves with the same probability. Leaves are judged by random play, a batch at a time; while the batch
/// is collected, the visits of its lines count already, and what they will be worth does not, so that the batch spreads where it is not
/// known what is best, and only there. A state whose worth is certain is
/// proven, and its worth handed up; moves that are proven to be worse than another are not tried any more.
///
/// - Guarantee: a proven worth is exact for opponents that each play for themselves; all else is an estimate.
/// - Cost: as much as it is given. The tree takes no more than the budget's memory; then it grows no more, and only its numbers do.
/// - Source: Kocsis and Szepesvári, *Bandit Based Monte-Carlo Planning*, 2006; decoupled UCT: Finnsson and Björnsson,
///   *Simulation-Based Approach to General Game Playing*, 2008; proofs: Winands, Björnsson and Saito, *Monte-Carlo Tree Search Solver*,
///   2008; visits counted ahead: Liu and others, *Watch the Unobserved: A Simple Approach to Parallelizing Monte Carlo Tree Search*, 2020.
pub struct Uct<R: Reasoner> {
    tree: Tree<R::State>,
    options: UctOptions,
    random: Xoshiro256PlusPlus,
    chance: Option<Role>,
    roles: usize,
    /// Room for what the moves of a node are known to be worth.
    worths: Vec<Option<f32>>,
}

impl<R: Reasoner> Uct<R> {
    /// A tree of one state.
    pub fn new(reasoner: &mut R, state: &R::State, options: UctOptions) -> Result<Self, SearchError> {
        let random = Xoshiro256PlusPlus::seed_from_u64(options.seed);
        let (chance, roles) = (chance_role(reasoner), reasoner.roles().len());
        let tree = Tree::new(reasoner, state)?;
        Ok(Self { tree, options, random, chance, roles, worths: Vec::new() })
    }

    /// Grows the tree until the budget is spent or the worth of the first state is proven, and says what a role should do there. A node of
    /// the budget is a random game.
    ///
    /// # Errors
    /// Where the game is over, or the rules give no answer somewhere in the tree.
    pub fn search(
        &mut self,
        reasoner: &mut R,
        role: Role,
        playouts: &mut dyn Playouts<R>,
        budget: &Budget,
    ) -> Result<Outcome<Advice>, SearchError> {
        if reasoner.is_terminal(self.tree.state(self.tree.root()))? {
            return Err(SearchError::Over);
        }
        let mut meter = Meter::start(budget);
        let halt = self.grow(reasoner, playouts, &mut meter, budget.memory()).err();
        // Nothing is known of the first state where the rules gave no answer there.
        let options = self.tree.rated(role);
        let advice = (!options.is_empty()).then(|| Advice::of(options));
        meter.best_so_far(halt, advice)
    }

    /// Goes to the state after a joint move and keeps what is known of it. Everything else is forgotten while the search goes on, a few
    /// nodes with each visit, so this takes no time however large the tree is.
    pub fn advance(&mut self, reasoner: &mut R, joint_move: &[Move], state: &R::State) -> Result<(), SearchError> {
        match self.tree.after(joint_move).filter(|&child| self.tree.state(child) == state) {
            Some(child) => self.tree.go_to(child),
            None => self.tree.go_to_new(reasoner, state)?,
        }
        Ok(())
    }

    /// How many states take memory: those of the tree, and those that are to be forgotten.
    pub fn size(&self) -> usize {
        self.tree.len()
    }

    /// What the state at the root is worth to a role, where that is proven.
    pub fn proven(&self, role: Role) -> Option<f64> {
        let worth = self.tree.proven(self.tree.root())?;
        Some(f64::from(worth[role.index()]))
    }
}
