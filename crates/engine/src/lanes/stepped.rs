//! Games that the caller steps: many games of one rule sheet, each of which makes the moves that it is given.
//!
//! The states stay in lanes between two steps, in batches of 512 games that share the memory of one. A step takes a
//! move of each role in each game, as a number, and computes the next states, which of them are terminal, their legal
//! moves and, where games have ended, their utilities. Vectorised environments and batched searches are made of this.
//! Nothing relies on how states were reached, so games can be set to any state.

mod moves;
mod step;

pub use moves::LegalLists;

use super::ask::{COLUMNS, Inquiry, Store};
use super::back_ends::{BackEnds, LanesError, made};
use super::rows::{Rows, turn};
use super::target::{Target, TargetError};
use super::validation::agreeing_inquiry;
use super::vector::{Kernel, Unit};
use super::word::{BatchMemory, Word, and, none, opaque, or, without};
use crate::program::{FluentStorage, NetworkState, Program};
use fixedbitset::FixedBitSet;
use gdl::limits::Limits;
use gdl::number::to_u32;
use ggp_game::{Coding, Role, Utility};
use rand_core::SeedableRng;
use rand_xoshiro::Xoshiro256PlusPlus;
use std::ops::Range;
use std::sync::Arc;

/// The number of games of a batch.
const BATCH: usize = 64 * COLUMNS;

/// The treatment of games that were over before a step.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum AfterEnd {
    /// They stay as they are.
    Stay,
    /// They return to the initial state; the step makes no move in them.
    Restart,
}

/// An error for which no step was made. All games are as before.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
pub enum StepError {
    /// The number of moves is not that of the roles in all games.
    #[error("{found} moves for {games} games of {roles} roles: there must be {}", .games * .roles)]
    Length {
        /// The number of games.
        games: usize,
        /// The number of roles.
        roles: usize,
        /// The number of moves that were given.
        found: usize,
    },
    /// A move is not legal.
    #[error("move {chosen} of role {} in game {game} is not legal", .role.index())]
    NotLegal {
        /// The index of the game.
        game: usize,
        /// The role whose move it is.
        role: Role,
        /// The number of the move.
        chosen: u32,
    },
    /// A role has no legal move, although the game is not over.
    #[error("role {} has no legal move in game {game}, which is not over", .role.index())]
    NoMove {
        /// The index of the game.
        game: usize,
        /// The role.
        role: Role,
    },
}

/// Many games of one rule sheet, stepped together with moves of the caller's choice.
///
/// The moves of a role are numbered from 0 in the order of [`Program::moves_of`], whatever optimisations the network
/// had. Costs are those of 512 games at least.
///
/// ```
/// use ggp_engine::{Engine, EngineOptions, load};
/// use ggp_engine::lanes::AfterEnd;
/// use gdl::limits::Limits;
/// use std::path::Path;
///
/// let mut game = load("tic_tac_toe", Path::new(""), EngineOptions::default())?;
/// let Engine::Propnet(propnet) = game.engine()? else { unreachable!("tic-tac-toe has a network") };
/// let mut games = propnet.stepped_games(1000, &Limits::none())?;
/// let mut moves = vec![0; 1000 * 2];
/// // No game has more than nine plies.
/// for _ in 0..9 {
///     games.choose(&mut moves);
///     games.step(&moves, AfterEnd::Stay)?;
/// }
/// assert!((0..1000).all(|game| games.is_over(game)));
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Debug)]
pub struct SteppedGames {
    rules: Arc<SteppedRules>,
    unit: Unit,
    games: usize,
    memory: BatchMemory<COLUMNS>,
    /// The words of the bits of the states, batch after batch.
    states: Vec<Word<COLUMNS>>,
    /// For each batch, the lanes whose game is over, by the rules or by the caller.
    over: Vec<Word<COLUMNS>>,
    /// For each batch, the lanes whose game the caller has ended, and not the rules.
    ended: Vec<Word<COLUMNS>>,
    /// By role, the legal moves of each game.
    legal: Vec<Rows>,
    /// The utilities of all roles, game by game, of those games that are over.
    utilities: Vec<Option<Utility>>,
    random: Xoshiro256PlusPlus,
    /// The number of steps that were made.
    steps: u64,
}

/// The compiled rule sheet, which all its games share.
#[derive(Debug)]
struct SteppedRules {
    inquiry: Arc<Inquiry>,
    /// The number of bits of a state.
    bits: usize,
    initial: NetworkState,
    /// For each fact of the program, its bit or its constant value.
    facts: Vec<FactHolds>,
    /// For each role, its moves as a range of the program's.
    moves: Vec<Range<usize>>,
    /// For each role, its goal values as indices into the program.
    goals: Vec<Range<usize>>,
    /// The utility of each goal value of the program, if it is one.
    values: Vec<Option<Utility>>,
}

/// The representation of a fact in a state: the same value in all, or a bit.
#[derive(Clone, Copy, Debug)]
enum FactHolds {
    Always(bool),
    InBit(u32),
}

impl SteppedGames {
    /// Compiles a program, and begins this many games of it. Linear in the gates and in the games. Machine code that
    /// differs from the program gate by gate, in 4,096 states of random play and others, is left out of `back_ends`.
    ///
    /// # Errors
    /// If the interrupt or the deadline of the limits ends the work, or if even the portable loop differs.
    pub fn new(program: &Program, games: usize, back_ends: &BackEnds, limits: &Limits) -> Result<Self, LanesError> {
        Self::on_target(program, games, Target::forced().unwrap_or_else(Target::fastest), back_ends, limits)
    }

    /// As [`SteppedGames::new`], on a certain target. All targets play the same games.
    ///
    /// # Errors
    /// If this processor cannot run the target.
    ///
    /// # Panics
    /// If lanes on the target differ from the program: a fault of this library.
    pub fn on(program: &Program, games: usize, target: Target) -> Result<Self, TargetError> {
        target.check()?;
        Ok(made(Self::on_target(program, games, target, &BackEnds::strict(), &Limits::none())))
    }

    fn on_target(
        program: &Program,
        games: usize,
        target: Target,
        back_ends: &BackEnds,
        limits: &Limits,
    ) -> Result<Self, LanesError> {
        let inquiry =
            agreeing_inquiry(program, |_| program, &Coding::new(program.bits(), &[]), target, back_ends, limits)?;
        let roles = || (0..program.roles.len()).map(Role::new);
        let rules = SteppedRules {
            inquiry,
            bits: program.bits(),
            initial: NetworkState::new(program.initial.clone()),
            facts: (0..program.facts.len()).map(|fact| holds(program, fact)).collect(),
            moves: roles().map(|role| program.moves_of(role)).collect(),
            goals: roles().map(|role| program.goals_of(role)).collect(),
            values: (0..program.goals.len()).map(|goal| program.utility(goal)).collect(),
        };
        Ok(Self::from_rules(Arc::new(rules), games))
    }

    fn from_rules(rules: Arc<SteppedRules>, games: usize) -> Self {
        let inquiry = &rules.inquiry;
        let batches = games.div_ceil(BATCH);
        let memory = BatchMemory::new(inquiry.slots, inquiry.scratch(COLUMNS), to_u32(rules.bits));
        let mut legal = vec![Rows::default(); rules.moves.len()];
        legal.iter_mut().zip(&rules.moves).for_each(|(rows, moves)| rows.reset(moves.len(), games));
        let mut new = Self {
            unit: inquiry.unit,
            games,
            memory,
            states: vec![none(); batches * rules.bits],
            over: vec![none(); batches],
            ended: vec![none(); batches],
            legal,
            utilities: vec![None; games * rules.moves.len()],
            random: Xoshiro256PlusPlus::seed_from_u64(0),
            steps: 0,
            rules,
        };
        new.restart();
        new
    }

    /// Other games of the same rule sheet, from its initial state; the compiled code is shared.
    pub fn fork(&self, games: usize) -> Self {
        Self::from_rules(Arc::clone(&self.rules), games)
    }

    /// The bytes of memory that [`SteppedGames::fork`] takes for this many games; `None` if they have more than 64
    /// bits.
    pub fn bytes_of(&self, games: usize) -> Option<usize> {
        let roles = self.roles();
        let legal: usize = self.legal.iter().map(|rows| rows.words_of_row() * size_of::<u64>()).sum();
        let of_game = legal + roles * size_of::<Option<Utility>>();
        let of_batch = (self.rules.bits + 2) * size_of::<Word<COLUMNS>>();
        games.checked_mul(of_game)?.checked_add(games.div_ceil(BATCH).checked_mul(of_batch)?)
    }

    /// Puts all games into the initial state.
    pub fn restart(&mut self) {
        self.begin_again(|_| u64::MAX);
    }

    /// Puts some games into the initial state: those whose bits are set, game `i` at bit `i % 64` of word `i / 64`.
    /// Missing words count as zero. Costs one evaluation of each batch of 512 games that has such a game.
    pub fn restart_some(&mut self, games: &[u64]) {
        self.begin_again(|column| games.get(column).copied().unwrap_or(0));
    }

    fn begin_again(&mut self, lanes: impl Fn(usize) -> u64) {
        for batch in 0..self.over.len() {
            let lanes: Word<COLUMNS> = std::array::from_fn(|column| lanes(batch * COLUMNS + column));
            if lanes == none() {
                continue;
            }
            let initial = self.rules.initial.bits();
            for (bit, word) in self.states[batch * self.rules.bits..][..self.rules.bits].iter_mut().enumerate() {
                let value = if initial.contains(bit) { u64::MAX } else { 0 };
                word.iter_mut().zip(lanes).for_each(|(word, lanes)| *word = *word & !lanes | value & lanes);
            }
            self.ended[batch] = without(&self.ended[batch], &lanes);
            self.evaluate(batch);
        }
    }

    /// Puts one game into a state. Costs one evaluation of its batch of 512 games.
    ///
    /// # Panics
    /// If there is no such game, or the state is not of this rule sheet.
    pub fn set(&mut self, game: usize, state: &NetworkState) {
        self.load(game, state);
        self.evaluate(game / BATCH);
    }

    /// Puts each game into a state of its own. Costs one evaluation of each batch.
    ///
    /// # Panics
    /// If there are not as many states as games, or they are not of this rule sheet.
    pub fn set_all(&mut self, states: &[NetworkState]) {
        assert_eq!(states.len(), self.games, "a state for each game");
        states.iter().enumerate().for_each(|(game, state)| self.load(game, state));
        (0..self.over.len()).for_each(|batch| self.evaluate(batch));
    }

    fn load(&mut self, game: usize, state: &NetworkState) {
        assert!(game < self.games, "there are {} games", self.games);
        assert_eq!(state.bits().len(), self.rules.bits, "the state is of another rule sheet");
        let batch = game / BATCH;
        let column = game % BATCH / 64;
        let lane = game % 64;
        for (bit, word) in self.states[batch * self.rules.bits..][..self.rules.bits].iter_mut().enumerate() {
            word[column] = word[column] & !(1 << lane) | u64::from(state.bits().contains(bit)) << lane;
        }
        self.ended[batch][column] &= !(1 << lane);
    }

    /// Ends some games, as a limit on their length does: those whose bits are set, as in
    /// [`SteppedGames::restart_some`]. They count as over from now on, in the state in which they are and without
    /// utilities, until they begin again.
    pub fn end_some(&mut self, games: &[u64]) {
        for batch in 0..self.over.len() {
            let lanes = self.lanes_of(batch, games);
            let over = &mut self.over[batch];
            let ended = &mut self.ended[batch];
            // Games that the rules have ended stay ended when the caller resumes them.
            *ended = or(ended, &without(&lanes, over));
            *over = or(over, &lanes);
        }
    }

    /// Undoes [`SteppedGames::end_some`] for some games: of those whose bits are set, the games that the rules have not
    /// ended go on. So a step with [`AfterEnd::Stay`] in between leaves games as they are.
    pub fn resume_some(&mut self, games: &[u64]) {
        for batch in 0..self.over.len() {
            let lanes = self.lanes_of(batch, games);
            let over = &mut self.over[batch];
            let ended = &mut self.ended[batch];
            let resumed = and(&lanes, ended);
            *ended = without(ended, &resumed);
            *over = without(over, &resumed);
        }
    }

    /// The lanes of a batch whose games have their bits set in `games`.
    fn lanes_of(&self, batch: usize, games: &[u64]) -> Word<COLUMNS> {
        let given = std::array::from_fn(|column| games.get(batch * COLUMNS + column).copied().unwrap_or(0));
        and(&given, &first_lanes(self.games - batch * BATCH))
    }

    /// The number of games.
    pub fn len(&self) -> usize {
        self.games
    }

    /// True if there are no games.
    pub fn is_empty(&self) -> bool {
        self.games == 0
    }

    /// The number of roles.
    pub fn roles(&self) -> usize {
        self.rules.moves.len()
    }

    /// The number of moves that a role has in the whole game, legal or not.
    pub fn moves(&self, role: Role) -> usize {
        self.rules.moves[role.index()].len()
    }

    /// The number of steps that were made.
    pub fn steps(&self) -> u64 {
        self.steps
    }

    /// The state of a game. Linear in the bits of a state.
    ///
    /// # Panics
    /// If there is no such game.
    pub fn state(&self, game: usize) -> NetworkState {
        assert!(game < self.games, "there are {} games", self.games);
        let mut state = FixedBitSet::with_capacity(self.rules.bits);
        for (bit, word) in self.states[game / BATCH * self.rules.bits..][..self.rules.bits].iter().enumerate() {
            state.set(bit, word[game % BATCH / 64] >> (game % 64) & 1 == 1);
        }
        NetworkState::new(state)
    }

    /// The games in which a fact holds, given as an index into [`Program::facts`]: words of 64 games each. Bits beyond
    /// the last game are unspecified.
    pub fn holding(&self, fact: usize) -> impl Iterator<Item = u64> {
        (0..self.over.len()).flat_map(move |batch| self.lanes_with(batch, fact)).take(self.games.div_ceil(64))
    }

    /// True if a game is over.
    ///
    /// # Panics
    /// If there is no such game.
    pub fn is_over(&self, game: usize) -> bool {
        assert!(game < self.games, "there are {} games", self.games);
        self.over()[game / 64] >> (game % 64) & 1 == 1
    }

    /// The games that are over: game `i` is bit `i % 64` of word `i / 64`. Bits beyond the last game are not set.
    pub fn over(&self) -> &[u64] {
        &self.over.as_flattened()[..self.games.div_ceil(64)]
    }

    /// The utility of a game that is over for each role. `None` for games that are not over, and where the rules define
    /// no integer or several.
    pub fn utilities(&self, game: usize) -> &[Option<Utility>] {
        &self.utilities[game * self.roles()..][..self.roles()]
    }

    /// The legal moves of a role in a game as bits: move `i` is bit `i % 64` of word `i / 64`. They are those that the
    /// rules define, also where the game is over.
    pub fn legal(&self, game: usize, role: Role) -> &[u64] {
        self.legal[role.index()].row(game)
    }

    /// The legal moves of a role in all games, game after game; each has the same number of words, as in
    /// [`SteppedGames::legal`].
    pub fn all_legal(&self, role: Role) -> &[u64] {
        self.legal[role.index()].words()
    }

    /// The number of words in which [`SteppedGames::write_facts`] writes the facts of a game.
    pub fn words_of_facts(&self) -> usize {
        self.rules.facts.len().div_ceil(64)
    }

    /// Writes the facts that hold in each game, game after game: fact `i` of [`Program::facts`] is bit `i % 64` of word
    /// `i / 64`. Bits beyond the last fact are not set. Linear in the facts and the games.
    ///
    /// # Panics
    /// If there are not [`SteppedGames::words_of_facts`] words for each game.
    pub fn write_facts(&self, words: &mut [u64]) {
        assert_eq!(words.len(), self.games * self.words_of_facts(), "the words of each game");
        if !words.is_empty() {
            let lanes = |batch: usize, fact: usize| self.lanes_with(batch, fact);
            self.unit.narrow().run(WriteBits { bits: self.rules.facts.len(), lanes, words });
        }
    }

    /// Writes for each game the sets of facts in which a fact holds, as [`SteppedGames::write_facts`] writes facts: set
    /// `i` is bit `i % 64` of word `i / 64`. Linear in the facts of all sets, the sets and the games.
    ///
    /// # Panics
    /// If there are not `sets.len().div_ceil(64)` words for each game, or a set has something that is no fact.
    pub fn write_sets(&self, sets: &[Vec<usize>], words: &mut [u64]) {
        assert_eq!(words.len(), self.games * sets.len().div_ceil(64), "the words of each game");
        if !words.is_empty() {
            let lanes = |batch: usize, set: usize| {
                sets[set].iter().fold(none(), |held, &fact| or(&held, &self.lanes_with(batch, fact)))
            };
            self.unit.narrow().run(WriteBits { bits: sets.len(), lanes, words });
        }
    }

    /// The lanes of a batch in which a fact holds.
    #[inline(always)]
    fn lanes_with(&self, batch: usize, fact: usize) -> Word<COLUMNS> {
        match self.rules.facts[fact] {
            FactHolds::Always(value) => [if value { u64::MAX } else { 0 }; COLUMNS],
            FactHolds::InBit(bit) => self.states[batch * self.rules.bits + bit as usize],
        }
    }
}

/// The representation of a fact; fluents with the same values share a bit.
fn holds(program: &Program, fact: usize) -> FactHolds {
    match program.facts[fact].1 {
        FluentStorage::Always(value) => FactHolds::Always(value),
        FluentStorage::Own => program.bit_of[fact].map_or(FactHolds::Always(false), FactHolds::InBit),
        FluentStorage::Same(other) => holds(program, other.index()),
    }
}

/// The first `count` lanes of a batch.
fn first_lanes(count: usize) -> Word<COLUMNS> {
    std::array::from_fn(|column| match count.saturating_sub(column * 64) {
        0 => 0,
        held @ 1..64 => u64::MAX >> (64 - held),
        _ => u64::MAX,
    })
}

/// Transposes bits of all games; `lanes` gives the games of a batch in which a bit is set.
struct WriteBits<'a, Lanes: Fn(usize, usize) -> Word<COLUMNS>> {
    bits: usize,
    lanes: Lanes,
    words: &'a mut [u64],
}

impl<Lanes: Fn(usize, usize) -> Word<COLUMNS>> Kernel for WriteBits<'_, Lanes> {
    #[inline(always)]
    fn run(self) {
        let stride = self.bits.div_ceil(64);
        for (batch, words) in self.words.chunks_mut(BATCH * stride).enumerate() {
            for index in 0..stride {
                let mut held = [none(); 64];
                for (bit, held) in (index * 64..self.bits).zip(&mut held) {
                    *held = (self.lanes)(batch, opaque(bit));
                }
                for (column, words) in words.chunks_mut(64 * stride).enumerate() {
                    let mut block = held.each_ref().map(|held: &Word<COLUMNS>| held[column]);
                    turn(&mut block);
                    words.chunks_exact_mut(stride).zip(block).for_each(|(row, bits)| row[index] = bits);
                }
            }
        }
    }
}
