//! Questions about many states at once: what all searches that look at whole sets of states ask.
//!
//! An engine that answers about one state after the other has nothing to do for it. One that looks at hundreds at once
//! fills an [`Expansions`] its own way, and the answers are the same.

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
    /// Asks about one state after the other, up to the first error.
    pub fn fill<R: Reasoner<State = S>>(&mut self, reasoner: &mut R, states: &[&S]) {
        self.clear(reasoner.roles().len());
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
        self.push_turn(0);
    }

    /// Adds the legal moves of the next role, in canonical order.
    pub fn push_legal(&mut self, moves: impl IntoIterator<Item = Move>) {
        self.moves.extend(moves);
        self.move_ends.push(self.moves.len());
    }

    /// Adds the state whose legal moves have been added, and which has so many joint moves. Where they lead to may be added later.
    pub fn push_turn(&mut self, joint_moves: usize) {
        let successors = self.ends.last().map_or(0, |end| end.successors) + joint_moves;
        self.ends.push(End { goals: self.goals.len(), move_ends: self.move_ends.len(), successors });
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

    /// How many successors all states have together.
    pub fn successors(&self) -> usize {
        self.successors.len()
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
        if end.successors == start.successors {
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

    /// The states that joint moves lead to: the last role's move changes fastest.
    pub fn successors(&self) -> &'a [S] {
        self.successors
    }
}
