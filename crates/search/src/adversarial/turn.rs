//! A turn: the joint moves of a state that is not terminal, and the states after them.
//!
//! A turn is a sequence of decisions. The role that asks decides first, even if it has only one move; then the others
//! that have a choice decide, each for itself or all together. The moves of roles whose decisions are made are fixed;
//! the joint moves that are still open are numbered like numbers, so that the last role's move changes fastest. A
//! search of the whole tree makes one decision after the other and opens the last alone, since there may be millions of
//! joint moves. One that tries them in an order of its own opens all decisions, and lists the joint moves.
//!
//! An engine that updates its values from state to state would go back to the state of the turn for each successor. So
//! several successors are computed at once, as many as the engine says, and the search then goes from one to the next.
//! The number changes neither answers nor counts: an error is reported when its state is reached.

use gdl::limits::Stop;
use gdl::number::to_u32;
use ggp_game::{JointMoves, Move, ReasonError, Reasoner, Role};
use std::ops::Range;

/// The index of a joint move among those that are open, in canonical order.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(super) struct JointIndex(u32);

impl JointIndex {
    #[inline]
    pub(super) fn index(self) -> usize {
        self.0 as usize
    }
}

/// A joint move that is made, and the state after it.
pub(super) struct Successor<'t, S> {
    pub(super) state: &'t S,
    pub(super) joint_move: &'t [Move],
    /// The roles that had a choice.
    pub(super) choosing: &'t [Role],
}

/// The moves of a turn, and the states after those that are open. The next turn uses its memory.
pub(super) struct RoleTurn<S> {
    /// The joint move so far, where roles that have not decided make their first move.
    pub(super) joint_moves: JointMoves,
    /// The roles that have a choice. If there are none, the joint move is forced.
    pub(super) choosing: Vec<Role>,
    /// The role that asks, and the others that have a choice, in the order in which they decide.
    pub(super) deciding: Vec<Role>,
    pub(super) decisions: Vec<RoleDecision>,
    /// The position in `deciding` of the first role whose move is open.
    open: usize,
    /// The number of open joint moves.
    count: usize,
    /// The open joint moves in the order in which they are tried, if they are listed; else this is the canonical order.
    pub(super) order: Vec<JointIndex>,
    /// The states that are computed, and memory for further ones.
    states: Vec<S>,
    computed: StateCache,
    /// The number of successors that the search expects to reach; if it reaches more, the others follow.
    expected: usize,
    /// The number of successors that the search has reached: one more than the greatest position it has asked for.
    reached: usize,
}

/// A decision of one role, or of several together.
pub(super) struct RoleDecision {
    /// The end of its roles among those that decide; they begin where those of the decision before it end.
    pub(super) end: usize,
    /// The number of its moves.
    pub(super) moves: usize,
}

/// The successors that are computed.
enum StateCache {
    /// Those of the joint moves at these positions.
    Positions(Range<usize>),
    /// All, by the indices of the joint moves.
    All,
}

impl<S> RoleTurn<S> {
    /// A turn that has read no state.
    pub(super) fn new() -> Self {
        Self {
            joint_moves: JointMoves::default(),
            choosing: Vec::new(),
            deciding: Vec::new(),
            decisions: Vec::new(),
            open: 0,
            count: 0,
            order: Vec::new(),
            states: Vec::new(),
            computed: StateCache::Positions(0..0),
            expected: usize::MAX,
            reached: 0,
        }
    }

    /// Reads the moves of a state that is not terminal, and opens the last decision. The role `first` decides first,
    /// and roles that move at random decide last; with `together` all but the first make one decision.
    ///
    /// # Errors
    /// If a role has no legal move.
    pub(super) fn read<R: Reasoner<State = S>>(
        &mut self,
        reasoner: &mut R,
        state: &S,
        first: Role,
        together: bool,
        is_random: impl Fn(Role) -> bool,
    ) -> Result<(), ReasonError> {
        self.forget_states();
        self.order.clear();
        self.joint_moves.read(reasoner, state)?;
        self.choosing.clear();
        self.choosing.extend(self.joint_moves.each_choosing());
        self.deciding.clear();
        self.deciding.push(first);
        for random_ones in [false, true] {
            for &role in &self.choosing {
                if role != first && is_random(role) == random_ones {
                    self.deciding.push(role);
                }
            }
        }
        self.decisions.clear();
        self.open = 0;
        for (start, &role) in self.deciding.iter().enumerate() {
            let moves = self.joint_moves.legal(role).len();
            match self.decisions.last_mut() {
                // The first role decides alone; together, all others add to the second decision.
                Some(others) if together && start > 1 => {
                    others.end = start + 1;
                    // Joint moves whose number saturates need too much memory, and are refused when they are listed.
                    others.moves = others.moves.saturating_mul(moves);
                }
                _ => {
                    self.decisions.push(RoleDecision { end: start + 1, moves });
                    self.open = start;
                }
            }
        }
        self.count = self.decisions.last().map_or(0, |last| last.moves);
        Ok(())
    }

    /// Opens all decisions.
    #[inline]
    pub(super) fn open_all(&mut self) {
        self.forget_states();
        self.count = self.decisions.iter().fold(1, |count, decision| count.saturating_mul(decision.moves));
        // A role that has one move is left out, so that the moves of another are found without a division.
        self.open = usize::from(self.decisions[0].moves == 1 && self.deciding.len() > 1);
    }

    /// Lists the open joint moves in canonical order. The list may take this much memory, in bytes.
    #[inline]
    pub(super) fn list(&mut self, memory: u64) -> Result<(), Stop> {
        if (self.count as u64).saturating_mul(size_of::<JointIndex>() as u64) > memory {
            return Err(Stop::Memory { limit: memory });
        }
        self.order.extend((0..to_u32(self.count)).map(JointIndex));
        Ok(())
    }

    /// The number of replies to each move of the role that asks, if the others decide together.
    #[inline]
    pub(super) fn replies(&self) -> usize {
        self.decisions.get(1).map_or(1, |others| others.moves)
    }

    /// The number of open joint moves.
    #[inline]
    pub(super) fn count(&self) -> usize {
        self.count
    }

    /// The joint move with an index, in the order of the roles.
    #[inline]
    pub(super) fn joint_move(&mut self, index: JointIndex) -> &[Move] {
        set_moves(&mut self.joint_moves, &self.deciding[self.open..], index.index());
        self.joint_moves.current()
    }

    /// Makes the open joint move at a position.
    #[inline]
    pub(super) fn make<R: Reasoner<State = S>>(
        &mut self,
        reasoner: &mut R,
        state: &S,
        position: usize,
    ) -> Result<Successor<'_, S>, ReasonError> {
        self.reached = self.reached.max(position + 1);
        let number = match &self.computed {
            StateCache::All => self.order[position].index(),
            StateCache::Positions(known) if known.contains(&position) => position - known.start,
            StateCache::Positions(_) => {
                self.compute_from(reasoner, state, position)?;
                0
            }
        };
        // The moves of later successors may have been made since.
        self.choose_at(position);
        Ok(Successor { state: &self.states[number], joint_move: self.joint_moves.current(), choosing: &self.choosing })
    }

    #[inline]
    fn choose_at(&mut self, position: usize) {
        let index = self.order.get(position).map_or(position, |index| index.index());
        set_moves(&mut self.joint_moves, &self.deciding[self.open..], index);
    }

    /// Expects the search to reach this number of successors, at least one. A search that often leaves a turn early
    /// computes no more at first.
    #[inline]
    pub(super) fn expect(&mut self, count: usize) {
        self.expected = count.max(1);
    }

    /// The number of successors that the search has reached.
    #[inline]
    pub(super) fn reached(&self) -> usize {
        self.reached
    }

    /// Forgets the successors, but keeps their memory. All successors are expected to be reached.
    #[inline]
    pub(super) fn forget_states(&mut self) {
        self.computed = StateCache::Positions(0..0);
        self.expected = usize::MAX;
        self.reached = 0;
    }

    /// Computes the successor at a position, and as many after it as the engine computes at once.
    fn compute_from<R: Reasoner<State = S>>(
        &mut self,
        reasoner: &mut R,
        state: &S,
        position: usize,
    ) -> Result<(), ReasonError> {
        self.computed = StateCache::Positions(0..0);
        // A search that goes beyond the expected successors is likely to reach all of them.
        let wanted = if position == 0 { self.expected } else { usize::MAX };
        let end = self.count.min(position + wanted.min(reasoner.successors_at_once()));
        self.choose_at(position);
        self.compute(0, reasoner, state)?;
        let mut computed = 1;
        while position + computed < end {
            self.choose_at(position + computed);
            if self.compute(computed, reasoner, state).is_err() {
                // What fails for a later one is reported if the search reaches it.
                break;
            }
            computed += 1;
        }
        self.computed = StateCache::Positions(position..position + computed);
        Ok(())
    }

    /// Computes the states after all listed joint moves, by their indices; until the turn is over they are found
    /// whatever the order.
    pub(super) fn compute_all<R: Reasoner<State = S>>(
        &mut self,
        reasoner: &mut R,
        state: &S,
    ) -> Result<&[S], ReasonError> {
        for index in 0..self.count {
            set_moves(&mut self.joint_moves, &self.deciding[self.open..], index);
            self.compute(index, reasoner, state)?;
        }
        self.computed = StateCache::All;
        Ok(&self.states[..self.count])
    }

    /// Computes the state after the current joint move, and stores it as the one with this number; all before it are
    /// there.
    fn compute<R: Reasoner<State = S>>(
        &mut self,
        number: usize,
        reasoner: &mut R,
        state: &S,
    ) -> Result<(), ReasonError> {
        let joint_move = self.joint_moves.current();
        match self.states.get_mut(number) {
            Some(next) => reasoner.next_state_into(state, joint_move, next),
            None => {
                self.states.push(reasoner.next_state(state, joint_move)?);
                Ok(())
            }
        }
    }
}

/// Sets the moves of some roles to those with this index, which counts them like numbers: the last role's move changes
/// fastest.
#[inline]
pub(super) fn set_moves(joint_moves: &mut JointMoves, roles: &[Role], mut index: usize) {
    // The usual case, without a division.
    if let [only] = *roles {
        return joint_moves.choose(only, index);
    }
    for &role in roles.iter().rev() {
        let count = joint_moves.legal(role).len();
        joint_moves.choose(role, index % count);
        index /= count;
    }
}
