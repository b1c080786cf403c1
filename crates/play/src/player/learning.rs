//! Players that learn in the start clock: `growing` by Monte Carlo tree search, `deepening` by alpha-beta.
//!
//! They play games against themselves, learn an evaluation of states from these, and try in short matches which way to
//! play is the strongest with it. Both use all enhancements of their search and keep its tree or table from move to
//! move.

use super::neural::guide_for;
use super::searching::{Judge, budget, log_search};
use crate::ask::{PlayoutKind, PlayoutOptions, RandomPlay};
use crate::{Deadline, Equipment, PlayerError, Position, Requirement, Start, Strategy, Thought, log};
use gdl::number::to_u32;
use ggp_engine::Engine;
use ggp_game::{Move, Reasoner, Role, Utility};
use ggp_learn::NeuralGuide;
use ggp_search::{
    Advice, Enhancements, LearnedEvaluation, LogLoss, PlayingMethod, Practice, PracticeEnd, ProofCounts, SearchError,
    TableMemory, Trial, TrialSettings, Uct, UctOptions, iterative_from,
};
use std::fmt;
use std::path::PathBuf;
use std::sync::atomic::Ordering;
use std::time::Duration;

/// The least time for learning.
const LEAST: Duration = Duration::from_secs(2);
/// The percentage of the time for practice, and that for practice and trials. In the rest the player thinks.
const PRACTICE: u32 = 40;
const BOTH: u32 = 90;
/// The least agreement of an evaluation with the ends of games that were held out, in standard errors. An evaluation
/// that was learned from too few games, or where single facts and lines predict nothing, is noise, which a short trial
/// cannot tell from knowledge: in hex and quarto the agreement is 3.4 at most, in other games 4.8 to 18.
const LEAST_AGREEMENT: f64 = 4.0;
/// The number of games of a trial, if they are as long as those of practice.
const TRIAL_GAMES: u32 = 20;

/// Games of practice that are over.
struct PracticeResult {
    learned: LearnedEvaluation,
    games: u32,
    /// Their mean length, in plies.
    length: u32,
    /// The number of lines whose weights are learned.
    lines: u32,
    /// The loss of its predictions for games that were held out.
    log_loss: Option<LogLoss>,
}

impl PracticeResult {
    /// True if it predicts the ends of games that were held out better than chance.
    fn foretells(&self) -> bool {
        self.log_loss.is_some_and(|log_loss| log_loss.agreement >= LEAST_AGREEMENT)
    }

    /// In words, for log lines.
    fn describe(&self) -> String {
        let Self { games, lines, log_loss, .. } = self;
        let practice = format!("{games} games of practice with {lines} lines");
        match log_loss {
            Some(LogLoss { games, loss, of_mean, agreement }) => format!(
                "{practice}: log loss {loss:.3} on {games} games held out, of their mean {of_mean:.3}; agrees with their \
                 ends by {agreement:.1} standard errors"
            ),
            None => practice,
        }
    }
}

/// Practises until shortly before the deadline; `None` if there is too little time, or if nothing can be learned in the
/// game.
fn practise(position: &mut Position, seed: u64, stop: Deadline) -> Option<LearnedEvaluation> {
    let end = Deadline::after(stop.remaining() * BOTH / 100);
    let practised = if can_learn(position, stop) { practise_until(position, seed, end) } else { Ok(None) };
    without_errors(practised).map(|practised| practised.learned)
}

/// Learns an evaluation in games against itself, and returns it with the way to play that wins short matches: first the
/// tree search by random games meets the first challenger, then the winner the next one. `None` if nothing is gained.
fn learn(
    position: &mut Position,
    challengers: &[PlayingMethod],
    uct: UctOptions,
    play: &mut RandomPlay,
    stop: Deadline,
) -> Option<(LearnedEvaluation, PlayingMethod)> {
    if !can_learn(position, stop) {
        return None;
    }
    let all = stop.remaining();
    let practice_end = Deadline::after(all * PRACTICE / 100);
    let practised = without_errors(practise_until(position, uct.seed, practice_end))?;
    let PracticeResult { learned, length, .. } = practised;
    let mut best = PlayingMethod::Tree;
    // The time after practice is shared by the trials, one for each challenger.
    let time = all * (BOTH - PRACTICE) / 100 / u32::try_from(challengers.len()).unwrap_or(1);
    for &challenger in challengers {
        let settings = TrialSettings { learned: &learned, options: uct, time: time / TRIAL_GAMES / length.max(1) };
        let trial = without_errors(try_out(position, [challenger, best], settings, play, Deadline::after(time)))?;
        let Trial { points, games } = trial;
        let name = challenger.describe();
        let other = best.describe();
        log::info(format_args!("{name}: {points} points of {games} against {other}"));
        if trial.is_passed_by(challenger) {
            best = challenger;
        }
    }
    (best != PlayingMethod::Tree).then_some((learned, best))
}

/// True if there is time to learn, and the game may be one of two sides that take turns.
fn can_learn(position: &Position, stop: Deadline) -> bool {
    let roles = position.engine.roles();
    stop.remaining() >= LEAST && roles.len() == 2 && Role::chance(roles).is_none() && !position.is_being_set_up
}

/// The result, or `None` after an error: nothing is learned if the rules give no answer in some state, which the
/// searches tolerate.
fn without_errors<T>(found: Result<Option<T>, SearchError>) -> Option<T> {
    found.unwrap_or_else(|error| {
        log::debug(format_args!("nothing is learned: {error}"));
        None
    })
}

fn practise_until(position: &mut Position, seed: u64, end: Deadline) -> Result<Option<PracticeResult>, SearchError> {
    let Position { engine, state, interrupt, .. } = position;
    let lines = engine.winning_lines();
    let mut practice = Practice::<<Engine as Reasoner>::State>::new(state.clone(), &lines, seed);
    let lesson = practice.go_on(engine, &mut || end.is_over() || interrupt.load(Ordering::Relaxed))?;
    let games = practice.games();
    let length = practice.length();
    let lines = to_u32(lines.len());
    if lesson == PracticeEnd::OtherKind {
        log::info(format_args!("nothing is learned: this is not a game of two sides that take turns"));
        return Ok(None);
    }
    let log_loss = practice.log_loss(engine);
    let practised = PracticeResult { learned: practice.into_learned(), games, length, lines, log_loss };
    log::info(format_args!("{}", practised.describe()));
    Ok(Some(practised).filter(PracticeResult::foretells))
}

fn try_out(
    position: &mut Position,
    pair: [PlayingMethod; 2],
    settings: TrialSettings<'_>,
    play: &mut RandomPlay,
    end: Deadline,
) -> Result<Option<Trial>, SearchError> {
    let Position { engine, state, interrupt, .. } = position;
    let mut is_over = || end.is_over() || interrupt.load(Ordering::Relaxed);
    Trial::run(engine, state, pair, settings, play, &mut is_over).map(Some)
}

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
    guide: Option<NeuralGuide>,
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

    /// Reads the network for the game of a match, if one is to guide the tree.
    pub(super) fn read_network(&mut self, start: &Start) -> Result<(), PlayerError> {
        self.guide = guide_for(self.network_file.as_deref(), start)?;
        Ok(())
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

    /// Learns an evaluation, and tries with which method it plays best. Does nothing if the number of random games is
    /// given: then the clocks should not matter. Returns the evaluation if another player should play with it.
    pub(super) fn learn(
        &mut self,
        position: &mut Position,
        challengers: &[PlayingMethod],
        stop: Deadline,
    ) -> Result<Option<LearnedEvaluation>, PlayerError> {
        if self.visits.is_some() || self.uct().estimate == 0.0 {
            return Ok(None);
        }
        self.weigh_later_moves(position, stop);
        let playouts = self.playouts();
        let uct = self.uct();
        let fresh = || position.random_play(playouts, uct.seed);
        let mut play = self.play.take().unwrap_or_else(fresh);
        let lesson = learn(position, challengers, uct, &mut play, stop);
        self.play = Some(play);
        match lesson {
            Some((learned, PlayingMethod::LearnedTree)) => {
                let tree = Uct::new(&mut position.engine, &position.state, uct)?;
                self.tree.insert(tree).estimate_by(learned);
                Ok(None)
            }
            other => Ok(other.map(|(learned, _)| learned)),
        }
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
        self.read_network(start)?;
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

    /// Makes a player that evaluates states by a learned evaluation.
    pub(super) fn of_learned(learned: LearnedEvaluation, memory: u64) -> Self {
        Self { judge: Judge::Learned(Box::new(learned)), ..Self::new(None, None, memory) }
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
