//! Joint moves: all of one state in canonical order, and the loop that plays a game by them until it is over.

use crate::{Move, ReasonError, Reasoner, Role};

/// Enumerates the joint moves of one state like numbers: the last role's move changes fastest.
///
/// One role's move can be fixed ([`JointMoves::hold`]); then only the others change.
#[derive(Clone, Debug, Default)]
pub struct JointMoves {
    legal: Vec<Vec<Move>>,
    indices: Vec<usize>,
    joint_move: Vec<Move>,
    held: Option<Role>,
}

impl JointMoves {
    /// The joint moves of a state that is not terminal, beginning with the first. A role without a legal move is an
    /// error.
    pub fn in_state<R: Reasoner>(reasoner: &mut R, state: &R::State) -> Result<Self, ReasonError> {
        let mut joint_moves = Self::default();
        joint_moves.read(reasoner, state)?;
        Ok(joint_moves)
    }

    /// As [`JointMoves::in_state`], but replaces these joint moves and reuses their memory. After an error they have no
    /// meaning.
    pub fn read<R: Reasoner>(&mut self, reasoner: &mut R, state: &R::State) -> Result<(), ReasonError> {
        let Self { legal, indices, joint_move, held } = self;
        legal.resize_with(reasoner.roles().len(), Vec::new);
        joint_move.clear();
        for (index, moves) in legal.iter_mut().enumerate() {
            reasoner.legal_moves(state, Role::new(index), moves)?;
            let Some(&first) = moves.first() else {
                return Err(ReasonError::NoLegalMove { role: reasoner.roles()[index].clone() });
            };
            joint_move.push(first);
        }
        indices.clear();
        indices.resize(legal.len(), 0);
        *held = None;
        Ok(())
    }

    /// The legal moves of a role, in canonical order.
    #[inline]
    pub fn legal(&self, role: Role) -> &[Move] {
        &self.legal[role.index()]
    }

    /// The index of a move among the legal ones of a role.
    #[inline]
    pub fn index_of(&self, role: Role, chosen: Move) -> Option<usize> {
        self.legal(role).iter().position(|&legal| legal == chosen)
    }

    /// The number of joint moves; `usize::MAX` if there are more.
    #[inline]
    pub fn count(&self) -> usize {
        self.legal.iter().map(Vec::len).fold(1, usize::saturating_mul)
    }

    /// The roles that have more than one legal move.
    #[inline]
    pub fn choosing(&self) -> Vec<Role> {
        self.each_choosing().collect()
    }

    /// The roles that have more than one legal move, one after the other.
    #[inline]
    pub fn each_choosing(&self) -> impl Iterator<Item = Role> {
        (0..self.legal.len()).filter(|&index| self.legal[index].len() > 1).map(Role::new)
    }

    /// The current joint move, in the order of the roles.
    #[inline]
    pub fn current(&self) -> &[Move] {
        &self.joint_move
    }

    /// Sets a role's move to the one with this index in its list of legal moves; the others stay as they are.
    ///
    /// # Panics
    /// If there is no such role or index.
    #[inline]
    pub fn choose(&mut self, role: Role, index: usize) {
        self.indices[role.index()] = index;
        self.joint_move[role.index()] = self.legal[role.index()][index];
    }

    /// Fixes a role's move to the one with this index in its list of legal moves, and starts again with the others.
    ///
    /// # Panics
    /// If there is no such role or index.
    #[inline]
    pub fn hold(&mut self, role: Role, index: usize) {
        self.held = Some(role);
        self.indices.fill(0);
        self.indices[role.index()] = index;
        for (index, &chosen) in self.indices.iter().enumerate() {
            self.joint_move[index] = self.legal[index][chosen];
        }
    }

    /// Advances to the next joint move; after the last one returns false and is at the first again.
    pub fn advance(&mut self) -> bool {
        // As adding one to a number: a role at its last move goes back to its first, and the role on its left advances.
        for index in (0..self.legal.len()).rev() {
            if self.held == Some(Role::new(index)) {
                continue;
            }
            let moves = &self.legal[index];
            if moves.len() == 1 {
                continue;
            }
            let chosen = self.indices[index] + 1;
            let is_last = chosen == moves.len();
            self.indices[index] = if is_last { 0 } else { chosen };
            self.joint_move[index] = moves[self.indices[index]];
            if !is_last {
                return true;
            }
        }
        false
    }
}

/// A game that is being played: a match, a game at the prompt, or a trial of a player that learns.
pub trait OngoingGame {
    /// The error of a turn that cannot be played.
    type Error;

    /// True if the game is over.
    fn is_over(&mut self) -> Result<bool, Self::Error>;

    /// The legal moves of the roles in the current state.
    fn joint_moves(&mut self) -> Result<JointMoves, Self::Error>;

    /// The roles that are asked for a move; the others make their first one.
    #[inline]
    fn asked_roles(&self, joint_moves: &JointMoves) -> Vec<Role> {
        joint_moves.choosing()
    }

    /// The index of a role's move among its legal ones.
    fn choose(&mut self, role: Role, joint_moves: &JointMoves) -> Result<usize, Self::Error>;

    /// Makes a joint move.
    fn advance(&mut self, joint_move: &[Move]) -> Result<(), Self::Error>;
}

/// Plays until the game is over; false if it is not over after this number of joint moves.
///
/// # Errors
/// The first one of the game.
pub fn play_to_end<G: OngoingGame>(game: &mut G, longest: usize) -> Result<bool, G::Error> {
    for _ in 0..longest {
        if game.is_over()? {
            return Ok(true);
        }
        let mut joint_moves = game.joint_moves()?;
        for role in game.asked_roles(&joint_moves) {
            let index = game.choose(role, &joint_moves)?;
            joint_moves.choose(role, index);
        }
        game.advance(joint_moves.current())?;
    }
    game.is_over()
}
