//! Questions about many states at once: what all searches that look at whole sets of states ask.
//!
//! An engine that answers about one state after the other has nothing to do for it. One that looks at hundreds at once
//! fills an [`Expansions`] its own way, and the answers are the same.

use std::borrow::Cow;

use super::{JointMoves, Move, ReasonError, Reasoner, Role, Utility};

/// A reasoner that can be asked about many states at once. One that answers about one state after the other has a [`batch`] of 1 and
/// expands by [`Expansions::fill`]; as in [`Reasoner`], no method has a body here.
///
/// [`batch`]: BatchReasoner::batch
pub trait BatchReasoner: Reasoner + Sized {
    /// How many states it likes to be asked about at once; 1 where nothing is gained by asking about more.
    fn batch(&self) -> usize;

    /// Writes what follows from each of the states to `expansions`, instead of what it held: as [`Expansions::fill`] does, the same
    /// to the last move.
    fn expand(&mut self, states: &[&Self::State], expansions: &mut Expansions<Self::State>);
}

/// What follows from many states, each in its place. What was written first is used again when it is filled again.
#[derive(Clone, Debug)]
pub struct Expansions<S> {
    roles: usize,
    /// For each state, where what belongs to it ends.
    ends: Vec<End>,
    goals: Vec<Result<Utility, ReasonError>>,
    moves: Vec<Move>,
    /// For each role of each state that goes on, where its moves end.
    move_ends: Vec<usize>,
    successors: Vec<S>,
    /// States that are no longer needed, for their memory.
    spare: Vec<S>,
    /// Why there is nothing more.
    error: Option<ReasonError>,
}

/// Where what belongs to a state ends in each of the lists.
#[derive(Clone, Copy, Debug, Default)]
struct End {
    goals: usize,
    move_ends: usize,
    successors: usize,
    /// Whether the game is over.
    is_over: bool,
}

/// What follows from a state.
#[derive(Clone, Copy, Debug)]
pub enum Expansion<'a, S> {
    /// The game is over: what that is worth to each role.
    End(&'a [Result<Utility, ReasonError>]),
    /// The game goes on.
    Turn(Turn<'a, S>),
}

/// What can be done in a state, and what comes of it.
#[derive(Clone, Copy, Debug)]
pub struct Turn<'a, S> {
    moves: &'a [Move],
    /// Where the moves of the roles before, and of each role, end.
    ends: (usize, &'a [usize]),
    /// None where they are too many to be held.
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
    /// A state with more joint moves than this has no successors here: [`Turn::successor`] finds each when it is asked for.
    pub const MOST: usize = 1 << 12;

    /// Asks about one state after the other, up to the first error.
    pub fn fill<R: Reasoner<State = S>>(&mut self, reasoner: &mut R, states: &[&S]) {
        self.clear(reasoner.roles().len());
        // Engines that answer about one state after the other make new states.
        self.spare.clear();
        for state in states {
            if let Err(error) = self.add(reasoner, state) {
                self.fail(error);
                return;
            }
        }
    }

    fn add<R: Reasoner<State = S>>(&mut self, reasoner: &mut R, state: &S) -> Result<(), ReasonError> {
        if reasoner.is_terminal(state)? {
            self.push_end((0..self.roles).map(|role| reasoner.goal(state, Role::new(role))));
            return Ok(());
        }
        let mut joint_moves = JointMoves::of(reasoner, state)?;
        for role in 0..self.roles {
            self.push_legal(joint_moves.legal(Role::new(role)).iter().copied());
        }
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

    /// Begins anew, for a game of so many roles.
    pub fn clear(&mut self, roles: usize) {
        self.roles = roles;
        self.ends.clear();
        self.goals.clear();
        self.moves.clear();
        self.move_ends.clear();
        self.spare.append(&mut self.successors);
        self.error = None;
    }

    /// Adds a state in which the game is over, with what that is worth to each role.
    pub fn push_end(&mut self, goals: impl IntoIterator<Item = Result<Utility, ReasonError>>) {
        self.goals.extend(goals);
        self.push(0, true);
    }

    /// Adds the legal moves of the next role, in canonical order.
    pub fn push_legal(&mut self, moves: impl IntoIterator<Item = Move>) {
        self.moves.extend(moves);
        self.move_ends.push(self.moves.len());
    }

    /// Adds the state whose legal moves have been added, and which has this many successors: one for each joint move, or none where
    /// these are more than [`Expansions::MOST`]. The successors may be added later.
    pub fn push_turn(&mut self, successors: usize) {
        self.push(successors, false);
    }

    fn push(&mut self, successors: usize, is_over: bool) {
        let successors = self.ends.last().map_or(0, |end| end.successors) + successors;
        self.ends.push(End { goals: self.goals.len(), move_ends: self.move_ends.len(), successors, is_over });
    }

    /// Adds the state that the next joint move leads to: those of each state in order, the last role's move changing fastest.
    pub fn push_successor(&mut self, successor: S) {
        self.successors.push(successor);
    }

    /// There is no answer about the next state, and none about those behind it.
    pub fn fail(&mut self, error: ReasonError) {
        self.error = Some(error);
    }

    /// A state that is no longer needed.
    pub fn take_spare(&mut self) -> Option<S> {
        self.spare.pop()
    }

    /// How many states there are answers about.
    pub fn len(&self) -> usize {
        self.ends.len()
    }

    /// Whether there is no answer at all.
    pub fn is_empty(&self) -> bool {
        self.ends.is_empty()
    }

    /// How many successors are held for all states together.
    pub fn successors(&self) -> usize {
        self.successors.len()
    }

    /// How many successors and legal moves are held for all states together.
    pub fn size(&self) -> usize {
        self.successors.len() + self.moves.len()
    }

    /// How many bytes everything takes; `heap` says of a state what it takes beside its own size.
    pub fn bytes(&self, heap: impl Fn(&S) -> usize) -> usize {
        let states = self.successors.len() + self.spare.len();
        let of_one = self.successors.first().or(self.spare.first()).map_or(0, heap);
        let lists = (self.successors.capacity() + self.spare.capacity()) * size_of::<S>();
        lists + states * of_one + self.moves.capacity() * size_of::<Move>() + self.ends.capacity() * size_of::<End>()
    }

    /// What follows from a state.
    ///
    /// # Errors
    /// Why there is no answer about it, or about one before it.
    ///
    /// # Panics
    /// Where there was no such state.
    pub fn get(&self, state: usize) -> Result<Expansion<'_, S>, ReasonError> {
        let Some(end) = self.ends.get(state) else {
            return Err(self.error.clone().expect("the state has been asked about"));
        };
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
    pub fn legal(&self, role: Role) -> &'a [Move] {
        let (before, ends) = self.ends;
        let start = role.index().checked_sub(1).map_or(before, |last| ends[last]);
        &self.moves[start..ends[role.index()]]
    }

    /// The roles that have more than one legal move.
    pub fn choosing(&self) -> impl Iterator<Item = Role> {
        (0..self.ends.1.len()).map(Role::new).filter(|&role| self.legal(role).len() > 1)
    }

    /// How many joint moves there are.
    pub fn joint_moves(&self) -> usize {
        let roles = (0..self.ends.1.len()).map(Role::new);
        roles.map(|role| self.legal(role).len()).fold(1, usize::saturating_mul)
    }

    /// The states that joint moves lead to, the last role's move changing fastest; none where there are more joint moves than
    /// [`Expansions::MOST`].
    pub fn successors(&self) -> &'a [S] {
        self.successors
    }

    /// The state that the joint move with this number leads to, from 0 on: the last role's move changes fastest. `state` is the one
    /// that this is about.
    ///
    /// # Errors
    /// Those of [`Reasoner::next_state`], where there are too many joint moves to hold their successors.
    ///
    /// # Panics
    /// Where there is no such joint move.
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
        for role in (0..self.ends.1.len()).rev() {
            let legal = self.legal(Role::new(role));
            joint_move.push(legal[rest % legal.len()]);
            rest /= legal.len();
        }
        joint_move.reverse();
        reasoner.next_state(state, &joint_move).map(Cow::Owned)
    }
}
