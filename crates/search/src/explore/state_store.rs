//! The states of an exploration as the engine has them, for engines without keys, for states with very many joint
//! moves, and for visitors that need the states themselves.

use super::batch_size::BatchSize;
use super::explorer::{ExplorationStore, Growth, Holds};
use crate::memory::{StateTable, list_bytes, push};
use crate::outcome::Halt;
use gdl::number::to_u32;
use ggp_game::{
    BatchReasoner, Expansion, Expansions, KeyExpansion, KeyExpansions, KeyTurn, ReasonError, Reasoner, Role, Turn,
    Utility,
};
use std::borrow::Cow;
use std::ops::Range;

/// Distinct states, numbered in the order in which they are added.
pub(crate) trait NumberedStates<R: Reasoner> {
    fn len(&self) -> usize;

    /// The state with this number.
    fn get(&self, reasoner: &mut R, number: usize) -> Result<Cow<'_, R::State>, ReasonError>;

    /// The number of a state, which is added if it is new; `None` if there are `most` others. `coming` are states that
    /// will be asked for next.
    fn number(&mut self, reasoner: &R, state: Cow<'_, R::State>, most: u64, coming: &[R::State]) -> Option<u32>;

    /// The bytes in use while `more` states are added, each with `heap` bytes on the heap, and the bytes of what the
    /// engine's numbers of fluents determine.
    fn bytes_for(&self, more: usize, heap: usize) -> (u64, u64);
}

/// States in a table, with the engine that expands them.
pub(crate) struct StateStore<'r, R: Reasoner, T> {
    pub(crate) reasoner: &'r mut R,
    pub(crate) table: T,
    at_once: BatchSize,
    /// The expansions of the states from `first` on.
    expansions: Expansions<R::State>,
    first: usize,
    /// The numbers of their successors.
    numbers: Vec<u32>,
}

impl<'r, R: BatchReasoner, T: NumberedStates<R>> StateStore<'r, R, T> {
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

impl<R: BatchReasoner, T: NumberedStates<R>> ExplorationStore for StateStore<'_, R, T> {
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

/// The successors of a state under some of its joint moves, up to the first that has none, and why.
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

/// Adds a terminal state.
fn push_end(goals: Vec<Result<Utility, ReasonError>>, expansions: &mut KeyExpansions) {
    let end = expansions.push_goals(goals);
    expansions.push(KeyExpansion::End(end));
}
