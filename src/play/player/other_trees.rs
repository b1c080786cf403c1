//! Trees that other threads grow beside that of `mcts`, from the same position: root parallelization.
//!
//! Each thread has an engine, a tree and random games of its own, so none waits for another. What the trees know of the
//! first moves is added up at the end (Chaslot, Winands and van den Herik, *Parallel Monte-Carlo Tree Search*, 2008).

use crate::engine::{Engine, EngineState};
use crate::game::{Move, Reasoner, Role};
use crate::log;
use crate::play::planning::budget;
use crate::play::playing::RandomPlay;
use crate::play::{Deadline, PlayerError, Position};
use crate::search::{Budget, Learned, Rated, Uct, UctOptions};
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::Duration;

/// The trees of the other threads.
#[derive(Default)]
pub(super) struct OtherTrees(Vec<OtherTree>);

/// What a thread has for its tree.
struct OtherTree {
    engine: Engine,
    state: EngineState,
    tree: Uct<Engine>,
    play: RandomPlay,
}

/// What each thread may spend on a move.
#[derive(Clone, Copy)]
pub(super) struct Share {
    /// The number of random games, if it is given; then the clock does not matter.
    pub(super) nodes: Option<u64>,
    /// The memory of its tree, in bytes.
    pub(super) memory: u64,
}

/// The moves of a role in the position, as one of the other trees rates them.
pub(super) struct OtherAdvice {
    pub(super) options: Vec<Rated>,
    /// The value of the position, if it is proven.
    pub(super) proven: Option<f64>,
}

impl OtherTrees {
    /// The time after which a thread looks whether the player has ended its own search.
    const SLICE: Duration = Duration::from_millis(20);

    /// Starts trees in a position until there are this many, with seeds of their own and with what has been learned.
    pub(super) fn fill(
        &mut self,
        count: usize,
        position: &Position,
        play: &RandomPlay,
        options: UctOptions,
        learned: Option<&Learned>,
    ) -> Result<(), PlayerError> {
        while self.0.len() < count {
            let seed = options.seed.wrapping_add((self.0.len() as u64 + 1) << 32);
            let mut engine = position.engine.fork();
            let state = engine.state_from_facts(&position.engine.facts(&position.state))?;
            let mut tree = Uct::new(&mut engine, &state, UctOptions { seed, ..options })?;
            if let Some(learned) = learned {
                tree.estimate_by(learned.clone());
            }
            self.0.push(OtherTree { engine, state, tree, play: play.fork(seed) });
        }
        Ok(())
    }

    /// Grows the trees while `search`, that of the player, runs, and returns its result with what they know of the
    /// moves.
    pub(super) fn beside<T>(
        &mut self,
        position: &mut Position,
        stop: Deadline,
        share: Share,
        search: impl FnOnce(&mut Position) -> Result<T, PlayerError>,
    ) -> Result<(T, Vec<OtherAdvice>), PlayerError> {
        let (is_done, role) = (AtomicBool::new(false), position.role);
        let budget = budget(position, stop, share.memory).with_nodes(share.nodes.unwrap_or(u64::MAX));
        let found = std::thread::scope(|scope| {
            let (budget, is_done, is_counted) = (&budget, &is_done, share.nodes.is_some());
            let trees = self.0.iter_mut();
            let growing = trees.map(|other| scope.spawn(move || other.grow(role, budget, stop, is_counted, is_done)));
            let growing: Vec<_> = growing.collect();
            let found = search(position);
            is_done.store(true, Ordering::Relaxed);
            for thread in growing {
                // The player's own tree is enough for a move.
                if let Err(error) = thread.join().unwrap_or_else(|panic| std::panic::resume_unwind(panic)) {
                    log::debug(format_args!("a tree beside the player's own does not grow: {error}"));
                }
            }
            found
        })?;
        let advice = self.0.iter_mut().map(|other| other.advice(position)).collect::<Result<Vec<_>, _>>()?;
        Ok((found, advice))
    }

    /// Continues from the position after a joint move. Trees that cannot follow are given up.
    pub(super) fn advance(&mut self, joint_move: &[Move], position: &Position) {
        self.0.retain_mut(|other| other.advance(joint_move, position).is_ok());
    }
}

impl OtherTree {
    /// Grows the tree until the time is over or the player is done; if a number of games is given, until they are played.
    fn grow(
        &mut self,
        role: Role,
        budget: &Budget,
        stop: Deadline,
        is_counted: bool,
        is_done: &AtomicBool,
    ) -> Result<(), PlayerError> {
        let Self { engine, tree, play, .. } = self;
        if is_counted {
            tree.search(engine, role, play, budget)?;
            return Ok(());
        }
        let is_stopped = || is_done.load(Ordering::Relaxed) || stop.is_over();
        while tree.proven(role).is_none() && !is_stopped() {
            let slice = budget.clone().with_time(stop.remaining().min(OtherTrees::SLICE));
            tree.search(engine, role, play, &slice)?;
        }
        Ok(())
    }

    /// What the tree knows of the moves, as moves of the player's engine.
    fn advice(&mut self, position: &mut Position) -> Result<OtherAdvice, PlayerError> {
        let mut options = self.tree.advice(position.role).map_or_else(Vec::new, |advice| advice.options);
        for option in &mut options {
            option.chosen = position.engine.find_move(&self.engine.move_term(option.chosen))?;
        }
        Ok(OtherAdvice { options, proven: self.tree.proven(position.role) })
    }

    fn advance(&mut self, joint_move: &[Move], position: &Position) -> Result<(), PlayerError> {
        let Self { engine, state, tree, .. } = self;
        let own = joint_move.iter().map(|&chosen| engine.find_move(&position.engine.move_term(chosen)));
        let own = own.collect::<Result<Vec<_>, _>>()?;
        *state = engine.next_state(state, &own)?;
        Ok(tree.advance(engine, &own, state)?)
    }
}
