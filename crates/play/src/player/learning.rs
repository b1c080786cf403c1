//! Players that learn in the start clock: `growing` by Monte Carlo tree search, `deepening` by alpha-beta.
//!
//! They play games against themselves, learn from these how to evaluate states, and try in short matches which way to
//! play is the strongest with that ([`super::lesson`]). Both use all enhancements of their search and keep its tree or
//! table from move to move.

use super::lesson::{Lesson, LessonOptions, learn, practise};
use super::neural::guide_for;
use super::searching::{Judge, budget, log_search};
use crate::ask::{PlayoutKind, PlayoutOptions, RandomPlay};
use crate::{Deadline, Equipment, PlayerError, Position, Requirement, Start, Strategy, Thought, log};
use ggp_engine::{Engine, Game};
use ggp_game::{Move, Reasoner, Utility};
use ggp_learn::{NeuralGuide, NeuralNetwork};
use ggp_search::{Advice, Enhancements, ProofCounts, SearchError, TableMemory, Uct, UctOptions, iterative_from};
use std::fmt;
use std::path::PathBuf;
use std::time::Duration;

/// `growing`: grows a tree by UCT, keeps it from move to move, and makes the move that it recommends.
pub(crate) struct GrowingPlayer {
    /// The parameters of the tree search.
    pub(crate) uct: UctOptions,
    /// The greatest number of random games for a move.
    pub(crate) visits: Option<u64>,
    /// The memory limit of the tree, in bytes.
    pub(crate) memory: u64,
    /// The kind of random games from leaves.
    pub(crate) playouts: PlayoutOptions,
    /// True if it thinks in the time of the others.
    pub(crate) ponders: bool,
    /// The file or the folder of the network that guides the tree, if one does.
    pub(crate) network_file: Option<PathBuf>,
    /// The network for the game of the match.
    pub(super) guide: Option<NeuralGuide>,
    tree: Option<Uct<Engine>>,
    play: Option<RandomPlay>,
    /// True if games with later moves mislead in this match.
    ignores_later_moves: bool,
    /// The size of the tree from which on this is decided again; 0 if it has not been decided yet.
    weighed: usize,
}

impl GrowingPlayer {
    /// The default number of random games from a leaf. With fewer, the tree takes more time than the games; with more,
    /// it grows too slowly.
    pub(crate) const REPEATS: usize = 4;

    /// The percentage of a clock for random games that show what kind of game it is, and the greatest one for finding
    /// the exact value of the position.
    const LOOKING: u32 = 1;
    const PROVING: u32 = 50;

    /// The greatest spread of the lengths of random games, as a share of their mean, for which games with later moves
    /// count. Where a game may end at any time, the time of a move matters, so games with later moves mislead.
    const MOST_SPREAD: f32 = 0.15;

    /// The least share of the differences between moves that games with later moves have to predict, within two
    /// standard errors. With less they are further from the values of the moves than the mean of the state is.
    const LEAST_FORETOLD: f32 = 0.5;

    /// The share from which on, by two standard errors, they count also for moves that were never tried.
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
            network_file: None,
            guide: None,
            tree: None,
            play: None,
            ignores_later_moves: false,
            weighed: 0,
        }
    }

    /// Starts a tree in a position, guided by the network if there is one.
    fn new_tree(&self, position: &mut Position) -> Result<Uct<Engine>, SearchError> {
        let mut tree = Uct::new(&mut position.engine, &position.state, self.uct())?;
        if let Some(guide) = &self.guide {
            // The tree may be one for another engine than the last.
            tree.guide_by(Box::new(guide.for_other_engine()));
        }
        Ok(tree)
    }

    /// Searches for the exact value of the position in a share of the time, if it is likely to be found. Returns true
    /// if it has been found. Does nothing if the number of random games is given: then the clocks should not matter.
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

    /// Learns how to evaluate states, and tries with which method it plays best; `network` is one that has learned the
    /// game before. If the number of visits is given, nothing is learned or tried, since the clocks should not matter then.
    /// Returns what judges states if alpha-beta is tried and should play.
    pub(super) fn learn(
        &mut self,
        position: &mut Position,
        game: &Game,
        network: Option<NeuralNetwork>,
        tries_alpha_beta: bool,
        stop: Deadline,
    ) -> Result<Option<Judge>, PlayerError> {
        if self.visits.is_some() || self.uct().estimate == 0.0 {
            if let Some(network) = network {
                self.guide_by(network.guide(), position)?;
            }
            return Ok(None);
        }
        self.weigh_later_moves(position, stop);
        let playouts = self.playouts();
        let uct = self.uct();
        let fresh = || position.random_play(playouts, uct.seed);
        let mut play = self.play.take().unwrap_or_else(fresh);
        let options = LessonOptions { uct, tries_alpha_beta, jobs: 1 + playouts.threads };
        let lesson = learn(position, game, network, &options, &mut play, stop);
        self.play = Some(play);
        match lesson {
            Some(Lesson::LearnedTree(learned)) => {
                let tree = Uct::new(&mut position.engine, &position.state, uct)?;
                self.tree.insert(tree).estimate_by(*learned);
            }
            Some(Lesson::GuidedTree(guide)) => self.guide_by(*guide, position)?,
            Some(Lesson::AlphaBeta(judge)) => return Ok(Some(judge)),
            None => {}
        }
        Ok(None)
    }

    /// Plays on with a new tree that a network guides.
    fn guide_by(&mut self, network: NeuralGuide, position: &mut Position) -> Result<(), SearchError> {
        self.guide = Some(network);
        self.play = None;
        self.tree = Some(self.new_tree(position)?);
        Ok(())
    }

    /// Decides if games with later moves count. They do not for the rest of the match if the game may end at any time,
    /// or if they predict too little of the differences between moves; they count also for moves that were never tried
    /// if they predict much. This is decided again when the tree has twice the size, or if there was too little time
    /// for random games.
    fn weigh_later_moves(&mut self, position: &mut Position, stop: Deadline) {
        let counts = self.uct().rave > 0.0;
        let weighed = self.weighed;
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
        match (&self.guide, self.ignores_later_moves) {
            (Some(_), _) => UctOptions { rave: 0.0, estimate: 0.0, ..self.uct },
            (None, true) => UctOptions { rave: 0.0, ..self.uct },
            (None, false) => self.uct,
        }
    }

    /// The kind of random games in this match.
    fn playouts(&self) -> PlayoutOptions {
        match self.guide {
            // No random games are played.
            Some(_) => PlayoutOptions { kind: PlayoutKind::Single, ..self.playouts },
            None => PlayoutOptions { keeps_moves: self.uct().rave > 0.0, ..self.playouts },
        }
    }

    /// Grows the tree until it is time to stop.
    pub(super) fn think(&mut self, position: &mut Position, stop: Deadline) -> Result<Option<Advice>, PlayerError> {
        self.weigh_later_moves(position, stop);
        let budget = budget(position, stop, self.memory).with_nodes(self.visits.unwrap_or(u64::MAX));
        let playouts = self.playouts();
        let seed = self.uct.seed;
        if self.tree.is_none() {
            self.tree = Some(self.new_tree(position)?);
        }
        let play = self.play.get_or_insert_with(|| position.random_play(playouts, seed));
        let Position { engine, role, .. } = position;
        let tree = self.tree.as_mut().expect("there is a tree");
        let outcome = tree.search(engine, *role, play, &budget)?;
        log_search("growing", &outcome, |advice| advice.describe(engine));
        log::debug(format_args!("growing: {}", account(engine, tree, outcome.cost.time, budget.time())));
        position.thought = Thought::of_playouts(&outcome, play.repeats());
        Ok(outcome.answer)
    }
}

/// An account of a search for log lines: the share of the time that it took, the numbers of proved states by the kind
/// of proof, and the line that the tree expects.
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

    fn prepare(&mut self, start: &Start, position: &mut Position, stop: Deadline) -> Result<(), PlayerError> {
        self.guide = guide_for(self.network_file.as_deref(), start)?;
        if !position.is_over() && !stop.is_over() && !self.solve(position, stop)? {
            let tries_alpha_beta = false;
            self.learn(position, &start.game, None, tries_alpha_beta, stop)?;
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
        self.guide = None;
        self.tree = None;
        self.play = None;
        self.ignores_later_moves = false;
        self.weighed = 0;
    }
}

/// `deepening`: alpha-beta with iterative deepening, as long as there is time.
///
/// Makes the best move of the deepest complete round. States at the horizon are evaluated by a rule sheet, by an
/// evaluation learned in the start clock, or by goal value and mobility.
pub(crate) struct DeepeningPlayer {
    /// The rule sheet with the evaluation.
    pub(crate) evaluation: Option<String>,
    /// The file or the folder of the network that evaluates, if one does.
    pub(crate) network_file: Option<PathBuf>,
    /// The memory limit, in bytes.
    pub(crate) memory: u64,
    judge: Judge,
    /// The table of positions, kept from move to move.
    table: TableMemory,
}

impl DeepeningPlayer {
    /// The seed of the games from which it learns.
    const SEED: u64 = 0;

    /// Makes a player with these options.
    pub(crate) fn new(evaluation: Option<String>, network_file: Option<PathBuf>, memory: u64) -> Self {
        Self { evaluation, network_file, memory, judge: Judge::Guess, table: TableMemory::default() }
    }

    /// Makes a player that judges states by what was learned.
    pub(super) fn judged_by(judge: Judge, memory: u64) -> Self {
        Self { judge, ..Self::new(None, None, memory) }
    }

    /// True if a network judges states: it does so in any engine.
    pub(super) fn has_network(&self) -> bool {
        matches!(self.judge, Judge::Network(_))
    }
}

impl Strategy for DeepeningPlayer {
    fn name(&self) -> String {
        "deepening".to_string()
    }

    fn prepare(&mut self, start: &Start, position: &mut Position, stop: Deadline) -> Result<(), PlayerError> {
        self.forget();
        self.judge = Judge::load(self.evaluation.as_deref(), Judge::Guess, start)?;
        if let Some(guide) = guide_for(self.network_file.as_deref(), start)? {
            self.judge = Judge::Network(Box::new(guide));
        } else if self.evaluation.is_none()
            && let Some(learned) = practise(position, Self::SEED, stop)
        {
            self.judge = Judge::Learned(Box::new(learned));
        }
        Ok(())
    }

    fn choose(&mut self, position: &mut Position, stop: Deadline) -> Result<Option<Move>, PlayerError> {
        let budget = budget(position, stop, self.memory);
        let mut thought = None;
        let chosen = self.judge.ask(position, |reasoner, contest| {
            let outcome =
                iterative_from(reasoner, contest, Enhancements::ALL, &budget, &mut |_| true, &mut self.table)?;
            log_search("deepening", &outcome, |found| {
                format!("{}, in {} complete rounds", found.choice.describe(reasoner), found.rounds.len())
            });
            let worth = outcome.answer.as_ref().and_then(|deepened| deepened.choice.worth.utility());
            thought = Some(Thought::of_search(&outcome, worth.map(Utility::to_f64)));
            Ok(outcome.answer.and_then(|deepened| deepened.choice.chosen))
        })?;
        position.thought = thought;
        Ok(chosen)
    }

    fn equipped(&mut self, equipment: Equipment, _: &mut Position) {
        if equipment == Equipment::Engine {
            self.judge.change_engine();
            self.forget();
        }
    }

    fn forget(&mut self) {
        self.table = TableMemory::default();
        if matches!(self.judge, Judge::Learned(_)) {
            self.judge = Judge::Guess;
        }
    }
}
