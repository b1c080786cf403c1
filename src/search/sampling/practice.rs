//! Practice: games of a player against itself, from which it learns an evaluation.

use super::learned::{Learned, share_of_first};
use crate::game::{Chance, JointMoves, ReasonError, Reasoner, Role, WinningLine};
use crate::number::{to_index, to_u32};

/// A state in which a role has chosen.
struct Ply<S> {
    state: S,
    /// The expected share of the first role, by looking one move ahead.
    share: f32,
    /// Whether the move that was made is about as good as the best.
    is_best: bool,
}

/// A successor of a state.
struct Successor<S> {
    state: S,
    /// The expected share of the first role.
    share: f32,
}

/// Games of a player against itself. It looks one move ahead, and seldom makes any other move than one of the best;
/// each state is learned from the end of its game and from what one move ahead shows (temporal differences).
///
/// - For games of two roles that take turns, in which one gains what the other loses.
/// - Source: Tesauro, *Temporal Difference Learning and TD-Gammon*, 1995; Sutton, *Learning to Predict by the Methods of
///   Temporal Differences*, 1988.
pub struct Practice<S> {
    learned: Learned,
    random: Chance,
    /// The state from which the games start.
    start: S,
    /// The states of the game that is being played.
    plies: Vec<Ply<S>>,
    /// The successors of a state, and behind them states whose memory is used again.
    successors: Vec<Successor<S>>,
    joint_moves: JointMoves,
    games: u32,
    /// The number of plies of all these games.
    all_plies: u64,
}

/// Why practice has ended.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum PracticeEnd {
    /// The time was over.
    Over,
    /// The game is not one of two sides that take turns, so nothing can be learned.
    OtherKind,
}

impl<S: Clone> Practice<S> {
    /// The longest game, in plies; longer ones are abandoned.
    const LONGEST: usize = 500;
    /// The share of moves that are made at random is one divided by this.
    const RANDOM_MOVES: usize = 10;
    /// A move is about as good as the best if it is worth at most this much less, as a share of the range.
    const ABOUT: f32 = 0.03;
    /// The weight of the end of the game against what one move ahead shows, for each ply (λ).
    const PERSISTENCE: f32 = 0.7;

    /// Games from a state, from which the weights of its fluents and of these lines are learned; the same seed and number
    /// of games give the same evaluation.
    pub fn new(start: S, lines: &[WinningLine], seed: u64) -> Self {
        let (learned, random, joint_moves) = (Learned::new(lines), Chance::new(seed), JointMoves::default());
        Self { learned, random, start, plies: Vec::new(), successors: Vec::new(), joint_moves, games: 0, all_plies: 0 }
    }

    /// The number of games that have been learned from.
    pub fn games(&self) -> u32 {
        self.games
    }

    /// The mean length of these games, in plies, rounded up.
    pub fn length(&self) -> u32 {
        to_u32(to_index(self.all_plies.div_ceil(self.games.max(1).into())))
    }

    /// What has been learned.
    pub fn into_learned(self) -> Learned {
        self.learned
    }

    /// Plays games and learns from them until `is_over`, which is asked before each ply.
    ///
    /// # Errors
    /// If the rules give no answer in a state.
    pub fn go_on<R: Reasoner<State = S>>(
        &mut self,
        reasoner: &mut R,
        is_over: &mut dyn FnMut() -> bool,
    ) -> Result<PracticeEnd, ReasonError> {
        loop {
            self.plies.clear();
            let mut state = self.start.clone();
            while !reasoner.is_terminal(&state)? && self.plies.len() < Self::LONGEST {
                if is_over() {
                    return Ok(PracticeEnd::Over);
                }
                if !self.ply(reasoner, &mut state)? {
                    return Ok(PracticeEnd::OtherKind);
                }
            }
            if reasoner.is_terminal(&state)? {
                let Some(share) = share_at_end(reasoner, &state)? else { return Ok(PracticeEnd::OtherKind) };
                self.learn(reasoner, share);
            }
        }
    }

    /// Makes a move; false if several roles have a choice.
    fn ply<R: Reasoner<State = S>>(&mut self, reasoner: &mut R, state: &mut S) -> Result<bool, ReasonError> {
        self.joint_moves.read(reasoner, state)?;
        let role = self.joint_moves.each_choosing().next();
        if self.joint_moves.each_choosing().nth(1).is_some() {
            return Ok(false);
        }
        let count = role.map_or(1, |role| self.joint_moves.legal(role).len());
        for index in 0..count {
            if let Some(role) = role {
                self.joint_moves.choose(role, index);
            }
            self.succeed(reasoner, state, index)?;
        }
        let side = |share: f32| if role.is_none_or(|role| role.index() == 0) { share } else { 1.0 - share };
        let worth = |successor: &Successor<S>| side(successor.share);
        let best = self.successors[..count].iter().map(worth).fold(0.0, f32::max);
        let pick = self.pick(count, &worth, best);
        let chosen = &self.successors[pick];
        let is_best = worth(chosen) >= best - Self::ABOUT;
        let before = std::mem::replace(state, chosen.state.clone());
        self.plies.push(Ply { state: before, share: side(best), is_best });
        Ok(true)
    }

    /// Computes the successor after the current joint move and what it is worth.
    fn succeed<R: Reasoner<State = S>>(
        &mut self,
        reasoner: &mut R,
        state: &S,
        index: usize,
    ) -> Result<(), ReasonError> {
        if self.successors.len() == index {
            self.successors.push(Successor { state: state.clone(), share: 0.0 });
        }
        let successor = &mut self.successors[index];
        reasoner.next_state_into(state, self.joint_moves.current(), &mut successor.state)?;
        successor.share = if reasoner.is_terminal(&successor.state)? {
            share_of_first(reasoner, &successor.state)?
        } else {
            self.learned.share(reasoner, &successor.state)
        };
        Ok(())
    }

    /// The index of a successor that is about as good as the best, or now and then of any.
    fn pick(&mut self, count: usize, worth: &dyn Fn(&Successor<S>) -> f32, best: f32) -> usize {
        if self.random.below(Self::RANDOM_MOVES) == 0 {
            return self.random.below(count);
        }
        let (mut pick, mut ties) = (0, 0);
        for (index, successor) in self.successors[..count].iter().enumerate() {
            if worth(successor) >= best - Self::ABOUT {
                ties += 1;
                if self.random.below(ties) == 0 {
                    pick = index;
                }
            }
        }
        pick
    }

    /// Learns from the end of a game, backwards. A state before a bad move is worth what the best would have given.
    fn learn<R: Reasoner<State = S>>(&mut self, reasoner: &R, end: f32) {
        let mut share = end;
        for ply in self.plies.iter().rev() {
            share = if ply.is_best { ply.share + Self::PERSISTENCE * (share - ply.share) } else { ply.share };
            self.learned.learn(reasoner, &ply.state, share);
        }
        self.games += 1;
        self.all_plies += self.plies.len() as u64;
    }
}

/// The share of the first role at the end of a game; `None` if the sides do not share the range.
fn share_at_end<R: Reasoner>(reasoner: &mut R, state: &R::State) -> Result<Option<f32>, ReasonError> {
    let sum = reasoner.goal(state, Role::new(0))?.to_f32() + reasoner.goal(state, Role::new(1))?.to_f32();
    let is_shared = reasoner.utility_range().is_shared(sum);
    is_shared.then(|| share_of_first(reasoner, state)).transpose()
}
