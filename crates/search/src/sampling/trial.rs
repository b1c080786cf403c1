//! Trials: short games between two ways to play, such as a tree search with a learned evaluation and one without.

use super::Playouts;
use super::learned_evaluation::{LearnedEvaluation, share_of_first};
use super::uct::{TreeGuide, Uct, UctOptions};
use crate::adversarial::{Contest, Enhancements, TableMemory, iterative_from};
use crate::{Budget, SearchError};
use gdl::time::Instant;
use ggp_game::statistics::Interval;
use ggp_game::{Chance, Evaluation, JointMoves, Move, OngoingGame, ReasonError, Reasoner, Role, play_to_end};
use std::time::Duration;

/// A way to play in games of two sides that take turns, with what has been learned for it.
pub enum PlayingMethod<'a, R> {
    /// Monte Carlo tree search by random games alone.
    Tree,
    /// Monte Carlo tree search with a learned evaluation beside the random games.
    LearnedTree(&'a LearnedEvaluation),
    /// Alpha-beta with a learned evaluation at the horizon.
    AlphaBeta(&'a LearnedEvaluation),
    /// Monte Carlo tree search guided by a network, without random games.
    GuidedTree(&'a dyn TreeGuide<R>),
    /// Alpha-beta that a network evaluates at the horizon.
    GuidedAlphaBeta(&'a dyn TreeGuide<R>),
}

impl<R> Clone for PlayingMethod<'_, R> {
    fn clone(&self) -> Self {
        *self
    }
}

impl<R> Copy for PlayingMethod<'_, R> {}

impl<R: Reasoner> PlayingMethod<'_, R> {
    /// The method in words, for log lines.
    pub fn describe(self) -> &'static str {
        match self {
            Self::Tree => "the tree by random games",
            Self::LearnedTree(_) => "the tree with the evaluation",
            Self::AlphaBeta(_) => "alpha-beta with the evaluation",
            Self::GuidedTree(_) => "the tree guided by the network",
            Self::GuidedAlphaBeta(_) => "alpha-beta with the network",
        }
    }

    /// The share of the points that the method must win as a challenger. Alpha-beta must win clearly, since a tree
    /// gains more from longer clocks than those of a trial.
    pub fn least_share(self) -> f32 {
        match self {
            Self::Tree | Self::LearnedTree(_) | Self::GuidedTree(_) => 0.55,
            Self::AlphaBeta(_) | Self::GuidedAlphaBeta(_) => 0.8,
        }
    }

    /// The side of a game that begins in a state.
    fn side(self, reasoner: &mut R, state: &R::State, options: UctOptions) -> Result<TrialSide<R>, SearchError> {
        let mut tree = || Uct::new(reasoner, state, options).map(Box::new);
        Ok(match self {
            Self::Tree => TrialSide::Tree(tree()?),
            Self::LearnedTree(learned) => {
                let mut tree = tree()?;
                tree.estimate_by(learned.clone());
                TrialSide::Tree(tree)
            }
            Self::GuidedTree(guide) => {
                let mut tree = tree()?;
                tree.guide_by(guide.fork());
                TrialSide::Tree(tree)
            }
            Self::AlphaBeta(learned) => TrialSide::AlphaBeta(Box::new(learned.clone()), TableMemory::default()),
            Self::GuidedAlphaBeta(guide) => TrialSide::AlphaBeta(guide.fork(), TableMemory::default()),
        })
    }

    /// True if it plays random games.
    fn samples(self) -> bool {
        matches!(self, Self::Tree | Self::LearnedTree(_))
    }
}

/// One side of a game of a trial.
enum TrialSide<R: Reasoner> {
    Tree(Box<Uct<R>>),
    AlphaBeta(Box<dyn Evaluation<R>>, TableMemory),
}

impl<R: Reasoner> TrialSide<R> {
    /// The move that it makes; `None` if it has none in time.
    fn choose(
        &mut self,
        reasoner: &mut R,
        state: &R::State,
        role: Role,
        playouts: &mut dyn Playouts<R>,
        budget: &Budget,
    ) -> Result<Option<Move>, SearchError> {
        match self {
            Self::Tree(tree) => Ok(tree.search(reasoner, role, playouts, budget)?.answer.map(|advice| advice.chosen)),
            Self::AlphaBeta(evaluation, table) => {
                let contest = Contest { state, role, evaluation: Some(&mut **evaluation), table: false };
                let answer = iterative_from(reasoner, contest, Enhancements::ALL, budget, &mut |_| true, table)?.answer;
                Ok(answer.and_then(|deepened| deepened.choice.chosen))
            }
        }
    }

    fn advance(&mut self, reasoner: &mut R, joint_move: &[Move], state: &R::State) -> Result<(), SearchError> {
        match self {
            Self::Tree(tree) => tree.advance(reasoner, joint_move, state),
            Self::AlphaBeta(..) => Ok(()),
        }
    }
}

/// Result of a trial of a challenger against the best way to play so far.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct Trial {
    /// The number of games.
    pub games: u32,
    /// The points of the challenger: 1 for a won game, and shares of it.
    pub points: f32,
}

/// Settings of a trial, the same for both sides.
#[derive(Clone, Copy)]
pub struct TrialSettings {
    /// The parameters of trees; their seed is that of the openings.
    pub options: UctOptions,
    /// The least time for a move. It is extended if a tree by random games needs more time for enough visits of each move.
    pub time: Duration,
}

impl Trial {
    /// The least number of points above half of them.
    const LEAST_GAIN: f32 = 2.0;
    /// The least number of games, if there is time.
    const LEAST_GAMES: u32 = 4;
    /// The memory of each side, in bytes.
    const MEMORY: u64 = 64 << 20;
    /// The number of random plies with which a game begins.
    const OPENING: usize = 2;
    /// The longest game, in plies; longer ones are draws.
    const LONGEST: usize = 500;
    /// The number of visits of a tree for each legal move of the first state, in the time for a move. With fewer visits
    /// a tree knows too little of each move, and loses to alpha-beta games that it wins with the clocks of a match.
    const VISITS_BY_MOVE: u64 = 10;
    /// The greatest factor by which the time for a move is extended for these visits: with longer moves no trial would
    /// end.
    const LONGEST_MOVE: u32 = 20;

    /// True if a challenger has shown that it is stronger.
    ///
    /// `least` is the share of the points that it must win ([`PlayingMethod::least_share`]).
    pub fn is_passed(self, least: f32) -> bool {
        self.has_gained() && self.points >= least * self.games as f32
    }

    fn has_gained(self) -> bool {
        self.points >= self.games as f32 / 2.0 + Self::LEAST_GAIN
    }

    /// True if further games are not likely to change whether the challenger wins this share of the points.
    pub fn is_clear(self, least: f32) -> bool {
        if self.games < Self::LEAST_GAMES {
            return false;
        }
        let games = f64::from(self.games);
        let share = Interval::of_share(f64::from(self.points) / games, games);
        let least = f64::from(least);
        share.high < least || share.low > least && self.has_gained()
    }

    /// Plays games from a state, each opening twice with sides swapped, until it is clear who is stronger, by a
    /// confidence interval of 95%, or until `is_over`, called before each move, returns true. `pair` is the challenger
    /// and the way to play that it challenges.
    ///
    /// # Errors
    /// If the rules give no answer in a state, or both roles choose in it.
    pub fn run<R: Reasoner>(
        reasoner: &mut R,
        state: &R::State,
        pair: [PlayingMethod<'_, R>; 2],
        TrialSettings { options, time }: TrialSettings,
        playouts: &mut dyn Playouts<R>,
        is_over: &mut dyn FnMut() -> bool,
    ) -> Result<Self, SearchError> {
        let mut budget = Budget::new().with_memory(Self::MEMORY).with_time(time).extending_forced();
        if pair.into_iter().any(PlayingMethod::samples) {
            // Both sides get the time that a tree needs to try each move a few times.
            let longest = budget.clone().with_time(time * Self::LONGEST_MOVE);
            budget = budget.with_time(time.max(time_for_visits(reasoner, state, options, playouts, &longest)?));
        }
        let mut trial = Self::default();
        let mut random = Chance::new(options.seed);
        while !trial.is_clear(pair[0].least_share()) {
            let opening = random_opening(reasoner, state, Self::OPENING, &mut random)?;
            let mut points = 0.0;
            // An opening may favour one side, so both play it from both sides.
            for is_first in [true, false] {
                let [first, second] = if is_first { pair } else { [pair[1], pair[0]] };
                let sides = [first.side(reasoner, &opening, options)?, second.side(reasoner, &opening, options)?];
                let state = opening.clone();
                let game = TrialGame { reasoner, state, sides, playouts, budget: &budget, is_over };
                let Some(share) = game.play()? else { return Ok(trial) };
                points += if is_first { share } else { 1.0 - share };
            }
            trial.games += 2;
            trial.points += points;
        }
        Ok(trial)
    }
}

/// The time in which a tree visits each move of a state [`Trial::VISITS_BY_MOVE`] times, on average; at most that of
/// the budget.
fn time_for_visits<R: Reasoner>(
    reasoner: &mut R,
    state: &R::State,
    options: UctOptions,
    playouts: &mut dyn Playouts<R>,
    budget: &Budget,
) -> Result<Duration, SearchError> {
    let joint_moves = JointMoves::in_state(reasoner, state)?;
    let Some(role) = joint_moves.each_choosing().next() else { return Ok(Duration::ZERO) };
    let visits = Trial::VISITS_BY_MOVE * joint_moves.legal(role).len() as u64;
    let begun = Instant::now();
    Uct::new(reasoner, state, options)?.search(reasoner, role, playouts, &budget.clone().with_nodes(visits))?;
    Ok(begun.elapsed())
}

/// A state after this many random plies; the state itself if the game would be over.
///
/// # Errors
/// If the rules give no answer in a state.
pub fn random_opening<R: Reasoner>(
    reasoner: &mut R,
    state: &R::State,
    plies: usize,
    random: &mut Chance,
) -> Result<R::State, ReasonError> {
    let mut opening = state.clone();
    for _ in 0..plies {
        reasoner.random_step(&mut opening, &mut |count| random.below(count))?;
    }
    // A game that ends in its opening decides nothing.
    Ok(if reasoner.is_terminal(&opening)? { state.clone() } else { opening })
}

/// A game of a trial.
struct TrialGame<'t, R: Reasoner> {
    reasoner: &'t mut R,
    state: R::State,
    /// The sides, the first for the first role.
    sides: [TrialSide<R>; 2],
    playouts: &'t mut dyn Playouts<R>,
    budget: &'t Budget,
    /// True once the time of the trial is over.
    is_over: &'t mut dyn FnMut() -> bool,
}

/// Reason why a game between two ways to play is not played to its end.
pub enum GameStop {
    /// The time is over, or there was an interrupt.
    NoTime,
    /// The search does not support the game, or the rules give no answer.
    Failed(SearchError),
}

impl<E: Into<SearchError>> From<E> for GameStop {
    fn from(error: E) -> Self {
        Self::Failed(error.into())
    }
}

impl<R: Reasoner> OngoingGame for TrialGame<'_, R> {
    type Error = GameStop;

    fn is_over(&mut self) -> Result<bool, GameStop> {
        Ok(self.reasoner.is_terminal(&self.state)?)
    }

    fn joint_moves(&mut self) -> Result<JointMoves, GameStop> {
        if (self.is_over)() {
            return Err(GameStop::NoTime);
        }
        let joint_moves = JointMoves::in_state(self.reasoner, &self.state)?;
        if joint_moves.each_choosing().count() > 1 {
            return Err(SearchError::Simultaneous.into());
        }
        Ok(joint_moves)
    }

    fn choose(&mut self, role: Role, joint_moves: &JointMoves) -> Result<usize, GameStop> {
        let side = &mut self.sides[role.index()];
        let chosen = side.choose(self.reasoner, &self.state, role, self.playouts, self.budget)?;
        Ok(chosen.and_then(|chosen| joint_moves.index_of(role, chosen)).unwrap_or(0))
    }

    fn advance(&mut self, joint_move: &[Move]) -> Result<(), GameStop> {
        self.state = self.reasoner.next_state(&self.state, joint_move)?;
        for side in &mut self.sides {
            side.advance(self.reasoner, joint_move, &self.state)?;
        }
        Ok(())
    }
}

impl<R: Reasoner> TrialGame<'_, R> {
    /// Plays to the end; returns the share of the range that the first role gets, or `None` if the time is over.
    fn play(mut self) -> Result<Option<f32>, SearchError> {
        match play_to_end(&mut self, Trial::LONGEST) {
            Ok(true) => Ok(Some(share_of_first(self.reasoner, &self.state)?)),
            Ok(false) => Ok(Some(0.5)),
            Err(GameStop::NoTime) => Ok(None),
            Err(GameStop::Failed(error)) => Err(error),
        }
    }
}
