//! Practice: games of a player against itself, from which it learns an evaluation.
//!
//! One game of ten is held out: nothing is learned from it, so these games show how well the evaluation foretells ends.

use super::learned_evaluation::LearnedEvaluation;
use gdl::number::{to_index, to_u32};
use ggp_game::{
    BatchReasoner, Chance, Expansion, Expansions, ReasonError, Reasoner, Role, Turn, Utility, UtilityRange,
    WinningLine, statistics,
};
use std::collections::VecDeque;

/// A game that is being played.
struct PracticeGame<S> {
    state: S,
    /// The plies before this state.
    plies: Vec<PracticePly<S>>,
    /// The number of plies at its beginning that are made at random.
    opening: usize,
}

/// A state in which a role has chosen.
struct PracticePly<S> {
    state: S,
    /// The expected share of the first role, by looking one move ahead.
    share: f32,
    /// True if the move that was made is about as good as the best.
    is_best: bool,
}

/// Games of a player against itself. It looks one move ahead, and seldom makes any other move than one of the best;
/// each state is learned from the end of its game and from what one move ahead shows (temporal differences). Many games
/// are played at once, so that an engine with lanes answers about all their successors together.
///
/// - For games of two roles that take turns, in which one gains what the other loses.
/// - Source: Tesauro, *Temporal Difference Learning and TD-Gammon*, 1995; Sutton, *Learning to Predict by the Methods
///   of Temporal Differences*, 1988.
pub struct Practice<S> {
    learned: LearnedEvaluation,
    random: Chance,
    /// The state from which the games start.
    start: S,
    games: Vec<PracticeGame<S>>,
    /// The current states of the games with their successors, and which of these are ends.
    expansions: Expansions<S>,
    ends: Expansions<S>,
    /// The expected share of the first role in each successor.
    shares: Vec<f32>,
    /// The states of the last games that were held out, each with the share of the first role at its end;
    /// [`Practice::MOST_HELD_OUT`] at most.
    held_out: VecDeque<(Vec<S>, f32)>,
    /// The number of games that are over, and of their plies.
    played: u32,
    all_plies: u64,
}

/// Reason for the end of practice.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum PracticeEnd {
    /// The time was over.
    Over,
    /// The game is not one of two sides that take turns, so nothing can be learned.
    OtherKind,
}

impl<S: Clone> Practice<S> {
    /// The number of games that are played at once, if the engine answers about many states at once.
    const AT_ONCE: usize = 64;
    /// The longest game, in plies; longer ones are abandoned.
    const LONGEST: usize = 500;
    /// The most plies at the beginning of a game that are made at random. Without them all games become alike after
    /// some thousands, and what is learned is wrong elsewhere.
    const LONGEST_OPENING: usize = 8;
    /// The share of later moves that are made at random is one divided by this.
    const RANDOM_MOVES: usize = 10;
    /// A move is about as good as the best if it is worth at most this much less, as a share of the range.
    const ABOUT: f32 = 0.03;
    /// Every game whose number is a multiple of this is held out.
    const HELD_OUT: u32 = 10;
    /// The most games that are kept of those that were held out.
    const MOST_HELD_OUT: usize = 500;
    /// The weight of the end of the game against what one move ahead shows, for each ply (λ).
    const PERSISTENCE: f32 = 0.7;

    /// Games from a state, from which the weights of its fluents and of these lines are learned; the same seed and
    /// number of plies give the same evaluation.
    pub fn new(start: S, lines: &[WinningLine], seed: u64) -> Self {
        Self {
            learned: LearnedEvaluation::new(lines),
            random: Chance::new(seed),
            start,
            games: Vec::new(),
            expansions: Expansions::default(),
            ends: Expansions::default(),
            shares: Vec::new(),
            held_out: VecDeque::new(),
            played: 0,
            all_plies: 0,
        }
    }

    /// The number of games that are over; one of ten is held out, and the others have been learned from.
    pub fn games(&self) -> u32 {
        self.played
    }

    /// The mean length of these games, in plies, rounded up.
    pub fn length(&self) -> u32 {
        to_u32(to_index(self.all_plies.div_ceil(self.played.max(1).into())))
    }

    /// The quality of the evaluation on the last games that were held out; `None` before the first.
    pub fn log_loss<R: BatchReasoner<State = S>>(&mut self, reasoner: &R) -> Option<LogLoss> {
        log_loss(&self.held_out, reasoner, &mut self.learned)
    }

    /// The evaluation that has been learned.
    pub fn into_learned(self) -> LearnedEvaluation {
        self.learned
    }

    /// Plays games and learns from them until `is_over`, which is called before each ply of all games, returns true.
    ///
    /// # Errors
    /// If the rules give no answer in a state.
    pub fn go_on<R: BatchReasoner<State = S>>(
        &mut self,
        reasoner: &mut R,
        is_over: &mut dyn FnMut() -> bool,
    ) -> Result<PracticeEnd, ReasonError> {
        let at_once = reasoner.batch().clamp(1, Self::AT_ONCE);
        while self.games.len() < at_once {
            let opening = self.random.below(Self::LONGEST_OPENING + 1);
            self.games.push(PracticeGame { state: self.start.clone(), plies: Vec::new(), opening });
        }
        while !is_over() {
            self.expand(reasoner);
            let mut first = 0;
            for game in 0..self.games.len() {
                let Some(successors) = self.ply(reasoner, game, first)? else { return Ok(PracticeEnd::OtherKind) };
                first += successors;
            }
        }
        Ok(PracticeEnd::Over)
    }

    /// Computes the successors of all games, and which of them are ends.
    fn expand<R: BatchReasoner<State = S>>(&mut self, reasoner: &mut R) {
        let states: Vec<&S> = self.games.iter().map(|game| &game.state).collect();
        reasoner.expand(&states, &mut self.expansions);
        // The successors of all games are tested together, so that an engine with lanes has many states.
        let successors: Vec<&S> = self.expansions.all_successors().iter().collect();
        reasoner.find_ends(&successors, &mut self.ends);
    }

    /// Makes a move in a game; returns the number of successors of its state, of which the first has this number among
    /// all. `None` if the game is of another kind.
    fn ply<R: BatchReasoner<State = S>>(
        &mut self,
        reasoner: &R,
        game: usize,
        first: usize,
    ) -> Result<Option<usize>, ReasonError> {
        let Some(role) = self.look_ahead(reasoner, game, first)? else { return Ok(None) };
        let (pick, share, is_best) = self.choose(game, role);
        let Expansion::Turn(turn) = self.expansions.get(game)? else { return Ok(None) };
        let playing = &mut self.games[game];
        let before = std::mem::replace(&mut playing.state, turn.successors()[pick].clone());
        playing.plies.push(PracticePly { state: before, share, is_best });
        let is_long = playing.plies.len() == Self::LONGEST;
        let successors = self.shares.len();
        if matches!(self.ends.get(first + pick)?, Expansion::End(_)) {
            self.end(reasoner, game, self.shares[pick]);
        } else if is_long {
            self.restart(game);
        }
        Ok(Some(successors))
    }

    /// Computes the expected share of the first role in each successor of a game's state, and returns the role that
    /// decides; `None` if the game is of another kind.
    fn look_ahead<R: BatchReasoner<State = S>>(
        &mut self,
        reasoner: &R,
        game: usize,
        first: usize,
    ) -> Result<Option<Role>, ReasonError> {
        let Expansion::Turn(turn) = self.expansions.get(game)? else { return Ok(None) };
        self.shares.clear();
        for (index, successor) in turn.successors().iter().enumerate() {
            let share = match self.ends.get(first + index)? {
                Expansion::End(goals) => share_at_end(goals, reasoner.utility_range())?,
                Expansion::Turn(_) => Some(self.learned.share(reasoner, successor)),
            };
            let Some(share) = share else { return Ok(None) };
            self.shares.push(share);
        }
        Ok(if self.shares.is_empty() { None } else { decider(&turn) })
    }

    /// Chooses a move of the role that decides; returns its index, the share of the first role after the best move, and
    /// whether the chosen one is about as good.
    fn choose(&mut self, game: usize, role: Role) -> (usize, f32, bool) {
        let side = |share: f32| if role.index() == 0 { share } else { 1.0 - share };
        let best = self.shares.iter().map(|&share| side(share)).fold(0.0, f32::max);
        let PracticeGame { plies, opening, .. } = &self.games[game];
        let is_random = plies.len() < *opening || self.random.below(Self::RANDOM_MOVES) == 0;
        let pick = match is_random {
            true => self.random.below(self.shares.len()),
            false => pick(&mut self.random, self.shares.iter().map(|&share| side(share)), best - Self::ABOUT),
        };
        (pick, side(best), side(self.shares[pick]) >= best - Self::ABOUT)
    }

    /// Ends a game, from which it learns unless it is held out, and starts another one.
    fn end<R: BatchReasoner<State = S>>(&mut self, reasoner: &R, game: usize, end: f32) {
        self.played += 1;
        self.all_plies += self.games[game].plies.len() as u64;
        if self.played.is_multiple_of(Self::HELD_OUT) {
            if self.held_out.len() == Self::MOST_HELD_OUT {
                self.held_out.pop_front();
            }
            let states = self.games[game].plies.drain(..).map(|ply| ply.state).collect();
            self.held_out.push_back((states, end));
        } else {
            self.learn(reasoner, game, end);
        }
        self.restart(game);
    }

    /// Learns from the end of a game, backwards. A state before a bad move is worth what the best would have given.
    fn learn<R: BatchReasoner<State = S>>(&mut self, reasoner: &R, game: usize, end: f32) {
        let mut share = end;
        for ply in self.games[game].plies.iter().rev() {
            share = if ply.is_best { ply.share + Self::PERSISTENCE * (share - ply.share) } else { ply.share };
            self.learned.learn(reasoner, &ply.state, share);
        }
    }

    fn restart(&mut self, game: usize) {
        self.games[game].state.clone_from(&self.start);
        self.games[game].plies.clear();
        self.games[game].opening = self.random.below(Self::LONGEST_OPENING + 1);
    }
}

/// The role that decides in a state; the first one if none has a choice, and `None` if several have.
fn decider<S>(turn: &Turn<'_, S>) -> Option<Role> {
    let mut choosing = turn.choosing();
    let role = choosing.next().unwrap_or(Role::new(0));
    choosing.next().is_none().then_some(role)
}

/// The index of a successor that is worth at least this much.
fn pick(random: &mut Chance, worths: impl Iterator<Item = f32>, least: f32) -> usize {
    let mut pick = 0;
    let mut ties = 0;
    for (index, worth) in worths.enumerate() {
        if worth >= least {
            ties += 1;
            // The n-th equal replaces the choice with probability 1/n, so all are equally likely.
            if random.below(ties) == 0 {
                pick = index;
            }
        }
    }
    pick
}

/// The share of the first role at the end of a game; `None` if the sides do not share the range.
fn share_at_end(goals: &[Result<Utility, ReasonError>], range: UtilityRange) -> Result<Option<f32>, ReasonError> {
    let [first, second] = goals else { return Ok(None) };
    let first = first.clone()?.to_f32();
    let second = second.clone()?.to_f32();
    Ok(range.is_shared(first + second).then(|| range.share(first)))
}

/// Quality of an evaluation: how well it foretells the ends of games from which it has learned nothing.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct LogLoss {
    /// The number of these games.
    pub games: u32,
    /// The mean, over their states, of minus the logarithm of the probability that is given to the end.
    pub loss: f64,
    /// The same mean for a prediction of the mean end, which knows nothing of the states.
    pub of_mean: f64,
    /// The number of standard errors by which the covariance between what is expected in a game, on average over its
    /// states, and its end is above 0. It shows if the evaluation knows anything, however much it exaggerates.
    pub agreement: f64,
}

/// Judges an evaluation by the ends of these games; `None` without states.
fn log_loss<R: Reasoner>(
    games: &VecDeque<(Vec<R::State>, f32)>,
    reasoner: &R,
    learned: &mut LearnedEvaluation,
) -> Option<LogLoss> {
    let mut states = 0.0;
    let mut sum = 0.0;
    let mut loss = 0.0;
    let mut ends = Vec::with_capacity(games.len());
    for (held_out, end) in games.iter().filter(|(held_out, _)| !held_out.is_empty()) {
        let end = f64::from(*end);
        let mut expected = 0.0;
        for state in held_out {
            let share = f64::from(learned.share(reasoner, state));
            loss += statistics::log_loss(share, end);
            expected += share;
        }
        let length = held_out.len() as f64;
        states += length;
        sum += end * length;
        ends.push((expected / length, end));
    }
    let mean = sum / states;
    // The loss is linear in the end, so the mean end stands for all.
    let loss = loss / states;
    let of_mean = statistics::log_loss(mean, mean);
    let agreement = agreement(&ends);
    (states > 0.0).then(|| LogLoss { games: to_u32(ends.len()), loss, of_mean, agreement })
}

/// [`LogLoss::agreement`] of games, each with what was expected and its end; 0 if all are alike.
fn agreement(games: &[(f64, f64)]) -> f64 {
    let mean = |part: fn(&(f64, f64)) -> f64| games.iter().map(part).sum::<f64>() / games.len() as f64;
    let mean_expected = mean(|game| game.0);
    let mean_end = mean(|game| game.1);
    let products = games.iter().map(|(expected, end)| (expected - mean_expected) * (end - mean_end));
    let squares: f64 = products.clone().map(|product| product * product).sum();
    if squares > 0.0 { products.sum::<f64>() / squares.sqrt() } else { 0.0 }
}
