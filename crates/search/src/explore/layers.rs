//! The loop over all states of a game, layer by layer, and its stores.
//!
//! [`explore`] is one loop over a [`StateStore`], for whatever a [`Visitor`] does with the states. A store has its
//! states as keys ([`KeyedStates`]) or as the engine has them ([`EngineStates`]): for engines without keys, for states
//! with very many joint moves, and for visitors that need the states themselves.

use super::key_set::KeySet;
use crate::memory::{StateTable, list_bytes, push};
use crate::outcome::Halt;
use gdl::number::to_u32;
use ggp_game::{
    BatchReasoner, Expansion, Expansions, Fluent, KeyExpansion, KeyExpansions, KeyReasoner, KeyTurn, ReasonError,
    Reasoner, Role, Turn, Utility,
};
use std::borrow::Cow;
use std::ops::Range;

/// A store of the states that have been found, numbered in the order in which they are found, with what expands them.
/// It holds the first state from the beginning.
pub(crate) trait StateStore {
    fn len(&self) -> usize;

    /// The first of these states, as many as are expanded in one batch.
    fn next_part(&self, states: Range<usize>) -> Range<usize>;

    /// Replaces the contents of `expansions` by the expansions of states, without successors, which
    /// [`StateStore::number`] numbers. Returns false if a state has more joint moves than can be numbered.
    fn expand(&mut self, states: Range<usize>, expansions: &mut KeyExpansions) -> Result<bool, ReasonError>;

    /// Finds out only which of the states are terminal, in place of [`StateStore::expand`]; the others have no joint
    /// moves.
    fn test(&mut self, states: Range<usize>, expansions: &mut KeyExpansions) -> Result<(), ReasonError>;

    /// Numbers the successors of the states that were expanded last and adds new states, up to the first new one for
    /// which there is no room beside `most` states. `holds` checks the memory beforehand, once or for some successors
    /// at a time.
    fn number(&mut self, expansions: &KeyExpansions, most: u64, holds: Holds<'_>) -> Result<(), Halt>;

    /// The numbers of these successors; fewer than there are successors if room ran out.
    fn numbers(&self) -> &[u32];

    /// The store itself, if it has the states as keys of the engine.
    fn keyed(&mut self) -> Option<&mut KeyedStates> {
        None
    }
}

/// Check of the memory limit before successors are numbered.
pub(crate) type Holds<'h> = &'h mut dyn FnMut(Growth) -> Result<(), Halt>;

/// Memory that is needed while successors are numbered.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Growth {
    /// The number of successors of the states that were expanded last, up to the next check.
    pub(crate) successors: usize,
    /// The bytes of the store with all of them.
    pub(crate) bytes: u64,
    /// The bytes of expansions, whose size depends on the engine.
    pub(crate) scratch: u64,
}

/// The states at one distance from the first.
pub(crate) struct StateLayer {
    /// The distance, in joint moves.
    pub(crate) depth: u32,
    pub(crate) states: Range<usize>,
}

/// Result of an exploration that was not halted.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum ExplorationEnd {
    /// All states are known.
    All,
    /// A state has more joint moves than are computed at once, so states have to be explored without keys.
    TooWide,
    /// A state has another potential than its layer, or there are too many layers, so states have to be explored
    /// without layers.
    Unlayered,
}

/// A visitor of all states: it counts, tests or stores the states of each batch.
pub(crate) trait Visitor<S: StateStore> {
    /// Called for each layer before its states are expanded. A result ends the exploration.
    fn begin_layer(&mut self, _store: &mut S, _layer: &StateLayer) -> Result<Option<ExplorationEnd>, Halt> {
        Ok(None)
    }

    /// True if the states of this layer are expanded; else they are only tested for the end of the game.
    fn expands(&self, _layer: &StateLayer) -> bool {
        true
    }

    /// The first of the waiting states of a layer: as many as are expanded in one batch.
    fn next_part(&mut self, store: &S, waiting: Range<usize>, _depth: u32) -> Result<Range<usize>, Halt> {
        Ok(store.next_part(waiting))
    }

    /// Visits a part of a layer with its expansions, and numbers the successors. Returns true to end the exploration.
    fn visit(
        &mut self,
        store: &mut S,
        part: Range<usize>,
        layer: &StateLayer,
        expansions: &KeyExpansions,
    ) -> Result<bool, Halt>;
}

/// Explores all states that can be reached from the first, layer by layer, until they are all known or the visitor ends
/// it.
pub(crate) fn explore<S: StateStore>(store: &mut S, visitor: &mut impl Visitor<S>) -> Result<ExplorationEnd, Halt> {
    let mut next = 0;
    let mut layer = StateLayer { depth: 0, states: 0..1 };
    let mut expansions = KeyExpansions::default();
    while next < store.len() {
        // New states are numbered behind all others, so the states behind a layer are the next layer.
        if next == layer.states.end {
            layer = StateLayer { depth: layer.depth + 1, states: next..store.len() };
        }
        if next == layer.states.start
            && let Some(explored) = visitor.begin_layer(store, &layer)?
        {
            return Ok(explored);
        }
        let waiting = next..layer.states.end;
        let part = if visitor.expands(&layer) {
            let part = visitor.next_part(store, waiting, layer.depth)?;
            if !store.expand(part.clone(), &mut expansions)? {
                return Ok(ExplorationEnd::TooWide);
            }
            part
        } else {
            // Tests compute no successors, so the batch size that was learned from successors does not apply.
            let part = next..waiting.end.min(next + BatchSize::MOST);
            store.test(part.clone(), &mut expansions)?;
            part
        };
        next = part.end;
        // An error of the engine comes behind the states that were expanded before it, which are visited first.
        if visitor.visit(store, part, &layer, &expansions)? {
            break;
        }
        if let Some(error) = expansions.error() {
            return Err(error.clone().into());
        }
    }
    Ok(ExplorationEnd::All)
}

/// States as keys, numbered in the order in which they are found, with what expands them.
pub(crate) struct KeyedStates {
    pub(crate) keys: Box<dyn KeyReasoner>,
    pub(crate) set: KeySet,
    /// The numbers of the successors of the states that were expanded last, as far as they have been numbered.
    pub(crate) numbers: Vec<u32>,
    pub(crate) at_once: BatchSize,
}

impl std::fmt::Debug for KeyedStates {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("Keyed").field("set", &self.set).finish_non_exhaustive()
    }
}

impl KeyedStates {
    /// The first state as a key.
    ///
    /// # Errors
    /// If the state has none.
    pub(crate) fn new<R: Reasoner>(
        keys: Box<dyn KeyReasoner>,
        reasoner: &R,
        first: &R::State,
    ) -> Result<Self, ReasonError> {
        let mut fluents = Vec::new();
        let mut key = Vec::new();
        reasoner.fluents(first, &mut fluents);
        keys.push_key(&fluents, &mut key)?;
        let mut set = KeySet::new(keys.words());
        set.number_one(&key, u64::MAX);
        Ok(Self { keys, set, numbers: Vec::new(), at_once: BatchSize::default() })
    }

    /// The number of successors in the expansions.
    pub(crate) fn successors(&self, expansions: &KeyExpansions) -> usize {
        expansions.successors().len() / self.set.width()
    }

    /// Replaces the contents of `fluents` by the facts of a state.
    pub(crate) fn fluents(&self, number: usize, fluents: &mut Vec<Fluent>) {
        self.keys.fluents(self.set.keys(number..number + 1), fluents);
    }

    /// The successors of a state, one for each joint move in canonical order. They are searched for among all states of
    /// the next layer; `layers` has the number of the first state of each layer.
    ///
    /// # Errors
    /// Errors of the engine.
    pub(crate) fn find_successors(&mut self, number: usize, layers: &[u32]) -> Result<Vec<u32>, ReasonError> {
        let Self { keys, set, .. } = self;
        let mut expansions = KeyExpansions::default();
        keys.expand(set.keys(number..number + 1), &mut expansions);
        if let Some(error) = expansions.error() {
            return Err(error.clone());
        }
        let layer = layers.partition_point(|&start| start as usize <= number);
        let start = layers.get(layer).map_or(set.len(), |&start| start as usize);
        let end = layers.get(layer + 1).map_or(set.len(), |&start| start as usize);
        let wanted = |successor: &[u64]| {
            let mut next = (start..end).zip(set.keys(start..end).chunks_exact(set.width()));
            to_u32(next.find(|(_, key)| *key == successor).expect("the next layer has every successor").0)
        };
        Ok(expansions.successors().chunks_exact(set.width()).map(wanted).collect())
    }
}

impl StateStore for KeyedStates {
    fn len(&self) -> usize {
        self.set.len()
    }

    fn next_part(&self, states: Range<usize>) -> Range<usize> {
        self.at_once.next(states)
    }

    fn expand(&mut self, states: Range<usize>, expansions: &mut KeyExpansions) -> Result<bool, ReasonError> {
        self.keys.expand(self.set.keys(states.clone()), expansions);
        self.at_once.learn(states.len(), self.successors(expansions));
        let is_wide =
            |expansion: &KeyExpansion| matches!(expansion, KeyExpansion::Turn(KeyTurn { is_stored: false, .. }));
        Ok(!expansions.all().iter().any(is_wide))
    }

    fn test(&mut self, states: Range<usize>, expansions: &mut KeyExpansions) -> Result<(), ReasonError> {
        self.keys.ends(self.set.keys(states), expansions)
    }

    fn number(&mut self, expansions: &KeyExpansions, most: u64, holds: Holds<'_>) -> Result<(), Halt> {
        self.numbers.clear();
        let successors = self.successors(expansions);
        let bytes = self.set.bytes_for_next(successors);
        let scratch = expansions.bytes() + list_bytes(&self.numbers);
        holds(Growth { successors, bytes: bytes as u64, scratch: scratch as u64 })?;
        let room = most.saturating_sub(self.set.len() as u64);
        self.set.number(expansions.successors(), room, &mut self.numbers);
        Ok(())
    }

    fn numbers(&self) -> &[u32] {
        &self.numbers
    }

    fn keyed(&mut self) -> Option<&mut KeyedStates> {
        Some(self)
    }
}

/// Distinct states, numbered in the order in which they are added.
pub(crate) trait NumberedStates<R: Reasoner> {
    fn len(&self) -> usize;

    /// The state with this number.
    fn get(&self, reasoner: &mut R, number: usize) -> Result<Cow<'_, R::State>, ReasonError>;

    /// The number of a state, which is added if it is new; `None` if it is new and there are `most` states. `coming`
    /// are states that will be numbered next.
    fn number(&mut self, reasoner: &R, state: Cow<'_, R::State>, most: u64, coming: &[R::State]) -> Option<u32>;

    /// Two numbers of bytes: those in use while `more` states are added, each with `heap` bytes on the heap; and those
    /// of scratch memory.
    fn bytes_for(&self, more: usize, heap: usize) -> (u64, u64);
}

/// States in a table, with the engine that expands them.
pub(crate) struct EngineStates<'r, R: Reasoner, T> {
    pub(crate) reasoner: &'r mut R,
    pub(crate) table: T,
    at_once: BatchSize,
    /// The expansions of the states from `first` on.
    expansions: Expansions<R::State>,
    first: usize,
    /// The numbers of their successors.
    numbers: Vec<u32>,
}

impl<'r, R: BatchReasoner, T: NumberedStates<R>> EngineStates<'r, R, T> {
    /// The number of joint moves between two checks of the limits.
    const MOVES_PER_CHECK: usize = 256;
    /// The greatest number of successors that are computed at a time if they are not stored.
    const MOST_COMPUTED: usize = 1 << 11;

    /// An empty table with this state as the first.
    pub(crate) fn new(reasoner: &'r mut R, mut table: T, first: &R::State) -> Self {
        table.number(reasoner, Cow::Borrowed(first), u64::MAX, &[]);
        Self {
            reasoner,
            table,
            at_once: BatchSize::default(),
            expansions: Expansions::default(),
            first: 0,
            numbers: Vec::new(),
        }
    }
}

impl<R: BatchReasoner, T: NumberedStates<R>> StateStore for EngineStates<'_, R, T> {
    fn len(&self) -> usize {
        self.table.len()
    }

    fn next_part(&self, states: Range<usize>) -> Range<usize> {
        let most = states.end.min(states.start + self.reasoner.batch());
        self.at_once.next(states.start..most)
    }

    fn expand(&mut self, states: Range<usize>, expansions: &mut KeyExpansions) -> Result<bool, ReasonError> {
        let Self { reasoner, table, .. } = self;
        self.first = states.start;
        let states = states.map(|number| table.get(reasoner, number)).collect::<Result<Vec<_>, _>>()?;
        reasoner.expand(&states.iter().map(|state| &**state).collect::<Vec<_>>(), &mut self.expansions);
        self.at_once.learn(states.len(), self.expansions.size());
        expansions.clear();
        for index in 0..states.len() {
            match self.expansions.get(index) {
                Ok(Expansion::End(goals)) => push_end(goals.to_vec(), expansions),
                Ok(Expansion::Turn(turn)) => expansions.push(KeyExpansion::Turn(KeyTurn::from_lengths(turn.lengths()))),
                Err(error) => {
                    expansions.fail(error);
                    break;
                }
            }
        }
        Ok(true)
    }

    fn test(&mut self, states: Range<usize>, expansions: &mut KeyExpansions) -> Result<(), ReasonError> {
        let roles = self.reasoner.roles().len();
        expansions.clear();
        for number in states {
            let state = self.table.get(self.reasoner, number)?;
            if self.reasoner.is_terminal(&state)? {
                push_end((0..roles).map(|role| self.reasoner.goal(&state, Role::new(role))).collect(), expansions);
            } else {
                expansions.push(KeyExpansion::Turn(KeyTurn::default()));
            }
        }
        Ok(())
    }

    fn number(&mut self, expansions: &KeyExpansions, most: u64, holds: Holds<'_>) -> Result<(), Halt> {
        let Self { reasoner, table, expansions: expanded, numbers, .. } = self;
        numbers.clear();
        let held = expanded.bytes(|state| reasoner.heap_bytes(state));
        // The number of successors for which there is memory: all that are stored at once, others from time to time.
        let mut allowed = 0;
        for index in 0..expansions.all().len() {
            let Expansion::Turn(turn) = expanded.get(index)? else { continue };
            let stored = turn.successors();
            let joint_moves = turn.joint_moves();
            // Successors that are not stored are computed from the state, as many at a time as there are states, so
            // that the table learns from many at once.
            let state = stored.is_empty().then(|| table.get(reasoner, self.first + index).map(Cow::into_owned));
            let state = state.transpose()?;
            let mut start = 0;
            while start < joint_moves {
                let at_once = if state.is_none() { 0 } else { table.len().min(Self::MOST_COMPUTED) };
                let end = joint_moves.min(start + at_once.max(Self::MOVES_PER_CHECK));
                let (successors, failed) = match &state {
                    Some(state) => compute_successors(*reasoner, &turn, state, start..end),
                    None => (Cow::Borrowed(&stored[start..]), None),
                };
                let more = successors.len().min(end - start);
                if let Some(first) = successors.first()
                    && numbers.len() + more > allowed
                {
                    let coming = if state.is_none() { expanded.successors() } else { more };
                    allowed = numbers.len() + coming;
                    let (bytes, beside) = table.bytes_for(coming, reasoner.heap_bytes(first));
                    let scratch = (held + list_bytes(numbers)) as u64 + beside;
                    holds(Growth { successors: allowed, bytes, scratch })?;
                }
                for (at, successor) in successors[..more].iter().enumerate() {
                    let successor = Cow::Borrowed(successor);
                    let Some(number) = table.number(reasoner, successor, most, &successors[at + 1..]) else {
                        return Ok(());
                    };
                    push(numbers, number);
                }
                failed.map_or(Ok(()), Err)?;
                start = end;
            }
        }
        Ok(())
    }

    fn numbers(&self) -> &[u32] {
        &self.numbers
    }
}

impl<R: Reasoner> NumberedStates<R> for StateTable<R::State, ()> {
    fn len(&self) -> usize {
        StateTable::len(self)
    }

    fn get(&self, _: &mut R, number: usize) -> Result<Cow<'_, R::State>, ReasonError> {
        Ok(Cow::Borrowed(self.state(to_u32(number))))
    }

    fn number(&mut self, reasoner: &R, state: Cow<'_, R::State>, most: u64, _: &[R::State]) -> Option<u32> {
        let known = self.find(&state);
        if known.is_some() || StateTable::len(self) as u64 >= most {
            return known;
        }
        let heap = reasoner.heap_bytes(&state);
        Some(self.insert(state.into_owned(), (), heap))
    }

    fn bytes_for(&self, more: usize, heap: usize) -> (u64, u64) {
        (StateTable::bytes_for(self, more, heap), 0)
    }
}

/// The successors of a state under some of its joint moves, up to the first move that fails, and the error of that
/// move.
fn compute_successors<'s, R: Reasoner>(
    reasoner: &mut R,
    turn: &Turn<'_, R::State>,
    state: &'s R::State,
    joint_moves: Range<usize>,
) -> (Cow<'s, [R::State]>, Option<ReasonError>) {
    let mut successors = Vec::with_capacity(joint_moves.len());
    for joint_move in joint_moves {
        match turn.successor(reasoner, state, joint_move) {
            Ok(successor) => successors.push(successor.into_owned()),
            Err(error) => return (Cow::Owned(successors), Some(error)),
        }
    }
    (Cow::Owned(successors), None)
}

/// Adds a terminal state with these goals to the expansions.
fn push_end(goals: Vec<Result<Utility, ReasonError>>, expansions: &mut KeyExpansions) {
    let end = expansions.push_goals(goals);
    expansions.push(KeyExpansion::End(end));
}

/// The number of states to expand in one batch, learned from the states that were expanded last. Engines compute many
/// states at once in less time than one after the other; but all successors are held in memory together, so the more
/// joint moves states have, the fewer are expanded.
#[derive(Clone, Copy, Debug)]
pub(crate) struct BatchSize {
    states: usize,
    /// The number of successors to hold at a time, approximately; a single state may have more.
    successors: usize,
}

impl BatchSize {
    /// The greatest number of states.
    pub(crate) const MOST: usize = 1 << 10;
    /// The number of states that are expanded first, when the branching factor is not yet known.
    const FIRST: usize = 1 << 7;

    /// A batch size that holds about this many successors at a time.
    pub(crate) fn holding(successors: usize) -> Self {
        Self { states: Self::FIRST, successors }
    }

    pub(crate) fn states(self) -> usize {
        self.states
    }

    /// The first of these states, as many as are expanded in one batch.
    pub(crate) fn next(self, states: Range<usize>) -> Range<usize> {
        states.start..states.end.min(states.start + self.states)
    }

    /// Updates the batch size by the number of successors of the states that were expanded last.
    pub(crate) fn learn(&mut self, states: usize, successors: usize) {
        self.states = (self.successors * states / successors.max(1)).clamp(1, Self::MOST);
    }
}

/// Holds some thousand successors, which stay in the cache.
impl Default for BatchSize {
    fn default() -> Self {
        Self::holding(1 << 13)
    }
}
