//! Questions about many states at once, for searches that expand sets of states.
//!
//! An engine that answers about one state at a time needs no code for it. An engine that computes hundreds of states at
//! once fills an [`Expansions`] in its own way, with the same answers.

use std::borrow::Cow;

use super::{JointMoves, KeyExpansions, KeyReasoner, Move, ReasonError, Reasoner, Role, Utility};

/// A reasoner that can be asked about many states at once. An engine that answers about one state at a time has a
/// [`batch`] of 1 and expands by [`Expansions::fill`]; as in [`Reasoner`], no method has a default body.
///
/// [`batch`]: BatchReasoner::batch
pub trait BatchReasoner: Reasoner + Sized {
    /// The number of states to pass to [`BatchReasoner::expand`] at a time for the best throughput; 1 if larger batches
    /// gain nothing.
    fn batch(&self) -> usize;

    /// Replaces the contents of `expansions` by the expansion of each state, exactly as [`Expansions::fill`] does,
    /// including the order of moves.
    fn expand(&mut self, states: &[&Self::State], expansions: &mut Expansions<Self::State>);

    /// Replaces the contents of `expansions` by the end of each terminal state, and by a turn without moves for each
    /// other one, exactly as [`Expansions::fill_ends`] does. For searches that look no further than these states.
    fn find_ends(&mut self, states: &[&Self::State], expansions: &mut Expansions<Self::State>);

    /// Keys for all states that can be reached from this one; `None` if the engine has none, because it does not know
    /// all fluents beforehand.
    fn keys(&mut self, state: &Self::State) -> Option<Box<dyn KeyReasoner>>;
}

/// The expansions of many states, by the index of the state. Its memory is reused when it is filled again.
#[derive(Clone, Debug)]
pub struct Expansions<S> {
    roles: usize,
    /// For each state, the ends of its entries in the lists.
    ends: Vec<End>,
    goals: Vec<Result<Utility, ReasonError>>,
    moves: Vec<Move>,
    /// For each role of each state that is not terminal, the end of its moves in `moves`.
    move_ends: Vec<usize>,
    successors: Vec<S>,
    /// States whose memory can be reused.
    spare: Vec<S>,
    /// The error for the state after those in `ends`.
    error: Option<ReasonError>,
}

/// The ends of a state's entries in each list.
#[derive(Clone, Copy, Debug, Default)]
struct End {
    goals: usize,
    move_ends: usize,
    successors: usize,
    is_over: bool,
}

/// The expansion of a state.
#[derive(Clone, Copy, Debug)]
pub enum Expansion<'a, S> {
    /// The state is terminal, with the goal of each role.
    End(&'a [Result<Utility, ReasonError>]),
    /// The state is not terminal.
    Turn(Turn<'a, S>),
}

/// The legal moves and the successors of a state that is not terminal.
#[derive(Clone, Copy, Debug)]
pub struct Turn<'a, S> {
    moves: &'a [Move],
    /// The start of the first role's moves, and the end of each role's.
    ends: (usize, &'a [usize]),
    /// Empty if there are more than [`Expansions::MOST`].
    successors: &'a [S],
}

impl<S> Default for Expansions<S> {
    fn default() -> Self {
        Self {
            roles: 0,
            ends: Vec::new(),
            goals: Vec::new(),
            moves: Vec::new(),
            move_ends: Vec::new(),
            successors: Vec::new(),
            spare: Vec::new(),
            error: None,
        }
    }
}

impl<S> Expansions<S> {
    /// The greatest number of joint moves of a state whose successors are stored; those of other states are computed by
    /// [`Turn::successor`] when they are needed.
    pub const MOST: usize = KeyExpansions::MOST;

    /// Expands one state after the other, up to the first error.
    pub fn fill<R: Reasoner<State = S>>(&mut self, reasoner: &mut R, states: &[&S]) {
        self.clear(reasoner.roles().len());
        // Engines that answer about one state at a time allocate new states.
        self.spare.clear();
        for state in states {
            if let Err(error) = self.add(reasoner, state) {
                self.fail(error);
                return;
            }
        }
    }

    /// Finds the ends among these states, one after the other, up to the first error. Others are turns without moves.
    pub fn fill_ends<R: Reasoner<State = S>>(&mut self, reasoner: &mut R, states: &[&S]) {
        self.clear(reasoner.roles().len());
        for state in states {
            match self.add_end(reasoner, state) {
                Ok(true) => {}
                Ok(false) => self.push_unknown_turn(),
                Err(error) => return self.fail(error),
            }
        }
    }

    /// Adds a state if it is terminal. Returns true if it is.
    fn add_end<R: Reasoner<State = S>>(&mut self, reasoner: &mut R, state: &S) -> Result<bool, ReasonError> {
        let is_over = reasoner.is_terminal(state)?;
        if is_over {
            self.push_end((0..self.roles).map(|role| reasoner.goal(state, Role::new(role))));
        }
        Ok(is_over)
    }

    fn add<R: Reasoner<State = S>>(&mut self, reasoner: &mut R, state: &S) -> Result<(), ReasonError> {
        if self.add_end(reasoner, state)? {
            return Ok(());
        }
        let mut joint_moves = JointMoves::in_state(reasoner, state)?;
        for role in 0..self.roles {
            self.push_legal(joint_moves.legal(Role::new(role)).iter().copied());
        }
        // `Turn::successor` computes them one by one.
        if joint_moves.count() > Self::MOST {
            self.push_turn(0);
            return Ok(());
        }
        let before = self.successors.len();
        loop {
            let successor = reasoner.next_state(state, joint_moves.current())?;
            self.push_successor(successor);
            if !joint_moves.advance() {
                self.push_turn(self.successors.len() - before);
                return Ok(());
            }
        }
    }

    /// Starts again, for a game with this number of roles.
    pub fn clear(&mut self, roles: usize) {
        self.roles = roles;
        self.ends.clear();
        self.goals.clear();
        self.moves.clear();
        self.move_ends.clear();
        self.spare.append(&mut self.successors);
        self.error = None;
    }

    /// Adds a terminal state with the goal of each role.
    pub fn push_end(&mut self, goals: impl IntoIterator<Item = Result<Utility, ReasonError>>) {
        self.goals.extend(goals);
        self.push(0, true);
    }

    /// Adds the legal moves of the next role, in canonical order.
    #[inline]
    pub fn push_legal(&mut self, moves: impl IntoIterator<Item = Move>) {
        self.moves.extend(moves);
        self.move_ends.push(self.moves.len());
    }

    /// Adds the state whose legal moves have been added, with this number of successors: one for each joint move, or
    /// none if there are more than [`Expansions::MOST`]. The successors may be added later.
    #[inline]
    pub fn push_turn(&mut self, successors: usize) {
        self.push(successors, false);
    }

    /// Adds a state that is not terminal, without moves and successors.
    #[inline]
    pub fn push_unknown_turn(&mut self) {
        self.move_ends.extend(std::iter::repeat_n(self.moves.len(), self.roles));
        self.push_turn(0);
    }

    #[inline]
    fn push(&mut self, successors: usize, is_over: bool) {
        let successors = self.ends.last().map_or(0, |end| end.successors) + successors;
        self.ends.push(End { goals: self.goals.len(), move_ends: self.move_ends.len(), successors, is_over });
    }

    /// Adds the state after the next joint move, for each state in order; the last role's move changes fastest.
    #[inline]
    pub fn push_successor(&mut self, successor: S) {
        self.successors.push(successor);
    }

    /// Replaces stored successors for which `other` returns a state; after an error no state has an expansion.
    pub fn replace_successors(&mut self, mut other: impl FnMut(&S) -> Result<Option<S>, ReasonError>) {
        for index in 0..self.successors.len() {
            match other(&self.successors[index]) {
                Ok(Some(successor)) => self.successors[index] = successor,
                Ok(None) => {}
                Err(error) => {
                    self.ends.clear();
                    return self.fail(error);
                }
            }
        }
    }

    /// Records the error of the next state; those after it have no expansion either.
    pub fn fail(&mut self, error: ReasonError) {
        self.error = Some(error);
    }

    /// A state whose memory can be reused.
    #[inline]
    pub fn take_spare(&mut self) -> Option<S> {
        self.spare.pop()
    }

    /// The number of states that have an expansion.
    #[inline]
    pub fn len(&self) -> usize {
        self.ends.len()
    }

    /// True if no state has an expansion.
    #[inline]
    pub fn is_empty(&self) -> bool {
        self.ends.is_empty()
    }

    /// The number of stored successors of all states.
    #[inline]
    pub fn successors(&self) -> usize {
        self.successors.len()
    }

    /// The stored successors of all states, in their order.
    #[inline]
    pub fn all_successors(&self) -> &[S] {
        &self.successors
    }

    /// The number of stored successors and legal moves of all states.
    #[inline]
    pub fn size(&self) -> usize {
        self.successors.len() + self.moves.len()
    }

    /// The bytes of all lists; `heap` returns the heap bytes of a state.
    #[inline]
    pub fn bytes(&self, heap: impl Fn(&S) -> usize) -> usize {
        let states = self.successors.len() + self.spare.len();
        let of_one = self.successors.first().or(self.spare.first()).map_or(0, heap);
        let lists = (self.successors.capacity() + self.spare.capacity()) * size_of::<S>();
        lists + states * of_one + self.moves.capacity() * size_of::<Move>() + self.ends.capacity() * size_of::<End>()
    }

    /// The expansion of the state with this index.
    ///
    /// # Errors
    /// The error of this state, or of one before it.
    ///
    /// # Panics
    /// If there was no such state.
    pub fn get(&self, state: usize) -> Result<Expansion<'_, S>, ReasonError> {
        let Some(end) = self.ends.get(state) else {
            return Err(self.error.clone().expect("the state has been asked about"));
        };
        // The entries of a state begin where those of the state before it end.
        let start = if state == 0 { End::default() } else { self.ends[state - 1] };
        if end.is_over {
            return Ok(Expansion::End(&self.goals[start.goals..end.goals]));
        }
        let before = if start.move_ends == 0 { 0 } else { self.move_ends[start.move_ends - 1] };
        let ends = (before, &self.move_ends[start.move_ends..end.move_ends]);
        let successors = &self.successors[start.successors..end.successors];
        Ok(Expansion::Turn(Turn { moves: &self.moves, ends, successors }))
    }
}

impl<'a, S> Turn<'a, S> {
    /// The legal moves of a role, in canonical order.
    #[inline]
    pub fn legal(&self, role: Role) -> &'a [Move] {
        let (before, ends) = self.ends;
        let start = role.index().checked_sub(1).map_or(before, |last| ends[last]);
        &self.moves[start..ends[role.index()]]
    }

    /// The number of legal moves of each role.
    #[inline]
    pub fn lengths(&self) -> impl Iterator<Item = usize> {
        (0..self.ends.1.len()).map(|role| self.legal(Role::new(role)).len())
    }

    /// The roles that have more than one legal move.
    #[inline]
    pub fn choosing(&self) -> impl Iterator<Item = Role> {
        (0..self.ends.1.len()).map(Role::new).filter(|&role| self.legal(role).len() > 1)
    }

    /// The number of joint moves; `usize::MAX` if there are more.
    #[inline]
    pub fn joint_moves(&self) -> usize {
        self.lengths().fold(1, usize::saturating_mul)
    }

    /// The states after the joint moves, the last role's move changing fastest; empty if there are more than
    /// [`Expansions::MOST`].
    #[inline]
    pub fn successors(&self) -> &'a [S] {
        self.successors
    }

    /// The state after the joint move with this number, from 0; the last role's move changes fastest. `state` is the
    /// expanded state.
    ///
    /// # Errors
    /// Those of [`Reasoner::next_state`], if the successors are not stored.
    ///
    /// # Panics
    /// If there is no such joint move.
    pub fn successor<R: Reasoner<State = S>>(
        &self,
        reasoner: &mut R,
        state: &S,
        number: usize,
    ) -> Result<Cow<'a, S>, ReasonError>
    where
        S: Clone,
    {
        if !self.successors.is_empty() {
            return Ok(Cow::Borrowed(&self.successors[number]));
        }
        assert!(number < self.joint_moves(), "there is no joint move {number}");
        let mut rest = number;
        let mut joint_move: Vec<Move> = Vec::with_capacity(self.ends.1.len());
        // The digits of the number, of which the last role has the lowest, are the indices of the moves.
        for role in (0..self.ends.1.len()).rev() {
            let legal = self.legal(Role::new(role));
            joint_move.push(legal[rest % legal.len()]);
            rest /= legal.len();
        }
        joint_move.reverse();
        reasoner.next_state(state, &joint_move).map(Cow::Owned)
    }
}
