//! `growing`: Monte Carlo tree search with all its enhancements, whose tree is kept from move to move.

use super::learning::{LearnedMethod, learn};
use crate::ask::{PlayoutOptions, RandomPlay};
use crate::equipment::{Equipment, Requirement};
use crate::finding::log_search;
use crate::log;
use crate::planning::budget;
use crate::{Deadline, PlayerError, Position, Start, Strategy};
use ggp_engine::Engine;
use ggp_game::{Move, Reasoner};
use ggp_search::{Advice, LearnedEvaluation, PlayingMethod, ProofCounts, Uct, UctOptions};
use std::fmt;
use std::time::Duration;

/// Grows a tree by UCT, keeps it from move to move, and makes the move that it recommends.
pub(crate) struct GrowingPlayer {
    /// The parameters of the tree search.
    pub(crate) uct: UctOptions,
    /// The greatest number of random games for a move.
    pub(crate) visits: Option<u64>,
    /// The memory limit of the tree, in bytes.
    pub(crate) memory: u64,
    /// How it plays random games from leaves.
    pub(crate) playouts: PlayoutOptions,
    /// Whether it thinks in the time of the others.
    pub(crate) ponders: bool,
    tree: Option<Uct<Engine>>,
    play: Option<RandomPlay>,
    /// Whether games with later moves mislead in this match, and the size of the tree from which on it is asked again.
    ignores_later_moves: bool,
    weighed: usize,
}

impl GrowingPlayer {
    /// The default number of random games from a leaf. With fewer, the tree takes more time than the games; with more,
    /// it grows too slowly.
    pub(crate) const REPEATS: usize = 4;

    /// The percentage of a clock for random games that show what kind of game it is, and the greatest one for finding the
    /// exact value of the position.
    const LOOKING: u32 = 1;
    const PROVING: u32 = 50;

    /// Games with later moves count only if the lengths of random games have at most this spread, as a share of their mean.
    /// Where a game may end at any time, it matters when a move is made, and what later moves say is wrong.
    const MOST_SPREAD: f32 = 0.15;

    /// They count unless they foretell less than this of the differences between moves, by two standard errors. With less
    /// they are further from what moves are worth than the mean of the state is.
    const LEAST_FORETOLD: f32 = 0.5;

    /// From here on, by two standard errors, they count also for moves that were never tried.
    const TRUSTED: f32 = 0.25;

    /// The most joint moves of an expected line in the log.
    const LOGGED_LINE: usize = 8;

    /// The longest time in which it thinks while the others do.
    const LONGEST: Duration = Duration::from_secs(3600);

    /// Makes a player with these options that does not think in the time of the others.
    pub(crate) fn new(uct: UctOptions, visits: Option<u64>, memory: u64, playouts: PlayoutOptions) -> Self {
        Self {
            uct,
            visits,
            memory,
            playouts,
            ponders: false,
            tree: None,
            play: None,
            ignores_later_moves: false,
            weighed: 0,
        }
    }

    /// Searches for the exact value of the position in a share of the time, if it is likely to be found; says whether
    /// it is. Not if the number of random games is given: then the clocks should not matter.
    pub(super) fn solve(&mut self, position: &mut Position, stop: Deadline) -> Result<bool, PlayerError> {
        if self.visits.is_some() || position.is_being_set_up {
            return Ok(false);
        }
        if self.tree.is_none() {
            self.think(position, Deadline::after(stop.remaining() * Self::LOOKING / 100))?;
        }
        let budget = budget(position, Deadline::after(stop.remaining() * Self::PROVING / 100), self.memory);
        let Position { engine, role, .. } = position;
        let is_solved = self.tree.as_mut().map_or(Ok(false), |tree| tree.prove_root(engine, *role, &budget))?;
        if is_solved {
            log::info(format_args!("the position is solved"));
        }
        Ok(is_solved)
    }

    /// Learns an evaluation and how to play with it, unless the number of random games is given: then the clocks should
    /// not matter. Returns what has been learned if this player is not the one to play with it.
    pub(super) fn learn(
        &mut self,
        position: &mut Position,
        challengers: &[PlayingMethod],
        stop: Deadline,
    ) -> Result<Option<LearnedEvaluation>, PlayerError> {
        if self.visits.is_some() || self.uct.estimate == 0.0 {
            return Ok(None);
        }
        self.weigh_later_moves(position, stop);
        let (playouts, uct) = (self.playouts(), self.uct());
        let fresh = || position.random_play(playouts, uct.seed);
        let mut play = self.play.take().unwrap_or_else(fresh);
        let lesson = learn(position, challengers, uct, &mut play, stop);
        self.play = Some(play);
        match lesson {
            Some(LearnedMethod { learned, method: PlayingMethod::LearnedTree }) => {
                let tree = Uct::new(&mut position.engine, &position.state, uct)?;
                self.tree.insert(tree).estimate_by(learned);
                Ok(None)
            }
            other => Ok(other.map(|lesson| lesson.learned)),
        }
    }

    /// Does without the games with later moves for the rest of the match, if the game may end at any time or they say too
    /// little about the moves, and lets them count also for moves that were never tried, if they say much. What they say
    /// is looked at again when the tree has twice the size, and while there was too little time for random games.
    fn weigh_later_moves(&mut self, position: &mut Position, stop: Deadline) {
        let (counts, weighed) = (self.uct().rave > 0.0, self.weighed);
        let looking = budget(position, Deadline::after(stop.remaining() * Self::LOOKING / 100), self.memory);
        let engine = &mut position.engine;
        let Some(tree) = self.tree.as_mut().filter(|tree| counts && tree.size() >= weighed) else { return };
        if weighed == 0 {
            // If the rules give no answer in a random game, its search says so.
            let Some(spread) = tree.random_lengths(engine, &looking).unwrap_or_default().spread() else { return };
            if spread > Self::MOST_SPREAD {
                if spread.is_infinite() {
                    log::info(format_args!("later moves do not count: some random games do not end"));
                } else {
                    let percent = 100.0 * spread;
                    log::info(format_args!("later moves do not count: random games differ in length by {percent:.0}%"));
                }
                return self.ignore_later_moves();
            }
        }
        self.weighed = 2 * tree.size();
        let Some((slope, error)) = tree.foretold_by_later_moves() else { return };
        log::info(format_args!("later moves foretell {slope:.2}±{error:.2} of the differences between moves"));
        if slope + 2.0 * error < Self::LEAST_FORETOLD {
            self.ignore_later_moves();
        } else if slope - 2.0 * error > Self::TRUSTED {
            tree.trust_later_moves();
        }
    }

    fn ignore_later_moves(&mut self) {
        self.ignores_later_moves = true;
        self.play = None;
        self.tree.iter_mut().for_each(Uct::ignore_later_moves);
    }

    /// The parameters of the tree search in this match.
    fn uct(&self) -> UctOptions {
        if self.ignores_later_moves { UctOptions { rave: 0.0, ..self.uct } } else { self.uct }
    }

    /// How it plays random games in this match.
    fn playouts(&self) -> PlayoutOptions {
        PlayoutOptions { keeps_moves: self.uct().rave > 0.0, ..self.playouts }
    }

    /// Grows the tree until it is time to stop.
    pub(super) fn think(&mut self, position: &mut Position, stop: Deadline) -> Result<Option<Advice>, PlayerError> {
        self.weigh_later_moves(position, stop);
        let budget = budget(position, stop, self.memory).with_nodes(self.visits.unwrap_or(u64::MAX));
        let (playouts, uct) = (self.playouts(), self.uct());
        let play = self.play.get_or_insert_with(|| position.random_play(playouts, uct.seed));
        let Position { engine, state, role, .. } = position;
        let tree = match &mut self.tree {
            Some(tree) => tree,
            none => none.insert(Uct::new(engine, state, uct)?),
        };
        let outcome = tree.search(engine, *role, play, &budget)?;
        log_search("growing", &outcome, |advice| advice.describe(engine));
        log::debug(format_args!("growing: {}", account(engine, tree, outcome.cost.time, budget.time())));
        Ok(outcome.answer)
    }
}

/// The share of the time that a search took, what has proved states, and the line that the tree expects, for log lines.
fn account(engine: &Engine, tree: &Uct<Engine>, spent: Duration, given: Option<Duration>) -> impl fmt::Display {
    fmt::from_fn(move |out| {
        if let Some(given) = given.filter(|given| !given.is_zero()) {
            write!(out, "{:.0}% of the time, ", 100.0 * spent.as_secs_f64() / given.as_secs_f64())?;
        }
        let ProofCounts { by_search, by_successors } = tree.proofs();
        write!(out, "{by_search} states proved by exact search and {by_successors} by what follows, expects")?;
        for joint_move in tree.best_line().into_iter().take(GrowingPlayer::LOGGED_LINE) {
            let moves = joint_move.iter().map(|&chosen| engine.move_term(chosen).to_string());
            write!(out, " {}", moves.collect::<Vec<_>>().join("+"))?;
        }
        Ok(())
    })
}

impl Strategy for GrowingPlayer {
    fn name(&self) -> String {
        "growing".to_string()
    }

    fn prepare(&mut self, _: &Start, position: &mut Position, stop: Deadline) -> Result<(), PlayerError> {
        if !position.is_over() && !stop.is_over() && !self.solve(position, stop)? {
            self.learn(position, &[PlayingMethod::LearnedTree], stop)?;
            self.think(position, stop)?;
        }
        Ok(())
    }

    fn choose(&mut self, position: &mut Position, stop: Deadline) -> Result<Option<Move>, PlayerError> {
        self.solve(position, stop)?;
        Ok(self.think(position, stop)?.and_then(|advice| advice.found()))
    }

    fn played(&mut self, joint_move: &[Move], position: &mut Position) {
        if let Some(tree) = &mut self.tree
            && tree.advance(&mut position.engine, joint_move, &position.state).is_err()
        {
            // The next move starts a new tree; if the error persists, it is reported then.
            self.tree = None;
        }
    }

    /// The tree grows from the position before the last joint move, as long as that is not known.
    fn ponder(&mut self, position: &mut Position) {
        if self.ponders
            && let Err(error) = self.think(position, Deadline::after(Self::LONGEST))
        {
            log::debug(format_args!("no thinking in the others' time: {error}"));
        }
    }

    fn wants(&self) -> Requirement {
        Requirement::of_playouts(self.playouts())
    }

    /// The states of the tree belong to the engine; lanes only change how random games are played.
    fn equipped(&mut self, equipment: Equipment, _: &mut Position) {
        self.play = None;
        if equipment == Equipment::Engine {
            self.tree = None;
        }
    }

    fn forget(&mut self) {
        (self.tree, self.play) = (None, None);
        (self.ignores_later_moves, self.weighed) = (false, 0);
    }
}
