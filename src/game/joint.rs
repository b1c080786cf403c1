//! The joint moves of a state, one after the other, in canonical order.

use super::{Move, ReasonError, Reasoner, Role};

/// Enumerates the joint moves of one state like numbers: the last role's move changes fastest.
///
/// One role's move can be fixed ([`JointMoves::hold`]); then only the others change.
#[derive(Clone, Debug)]
pub struct JointMoves {
    legal: Vec<Vec<Move>>,
    indices: Vec<usize>,
    joint_move: Vec<Move>,
    held: Option<Role>,
}

impl JointMoves {
    /// The joint moves of a state that is not terminal, beginning with the first. A role without a legal move is an
    /// error.
    pub fn of<R: Reasoner>(reasoner: &mut R, state: &R::State) -> Result<Self, ReasonError> {
        let mut legal = Vec::new();
        for index in 0..reasoner.roles().len() {
            let mut moves = Vec::new();
            reasoner.legal_moves(state, Role::new(index), &mut moves)?;
            if moves.is_empty() {
                return Err(ReasonError::NoLegalMove { role: reasoner.roles()[index].clone() });
            }
            legal.push(moves);
        }
        let joint_move = legal.iter().map(|moves| moves[0]).collect();
        Ok(Self { indices: vec![0; legal.len()], legal, joint_move, held: None })
    }

    /// The legal moves of a role, in canonical order.
    pub fn legal(&self, role: Role) -> &[Move] {
        &self.legal[role.index()]
    }

    /// The number of joint moves; `usize::MAX` if there are more.
    pub fn count(&self) -> usize {
        self.legal.iter().map(Vec::len).fold(1, usize::saturating_mul)
    }

    /// The roles that have more than one legal move.
    pub fn choosing(&self) -> Vec<Role> {
        (0..self.legal.len()).filter(|&index| self.legal[index].len() > 1).map(Role::new).collect()
    }

    /// The current joint move, in the order of the roles.
    pub fn current(&self) -> &[Move] {
        &self.joint_move
    }

    /// Sets a role's move to the one with this index in its list of legal moves; the others stay as they are.
    ///
    /// # Panics
    /// If there is no such role or index.
    pub fn choose(&mut self, role: Role, index: usize) {
        self.indices[role.index()] = index;
        self.joint_move[role.index()] = self.legal[role.index()][index];
    }

    /// Fixes a role's move to the one with this index in its list of legal moves, and starts again with the others.
    ///
    /// # Panics
    /// If there is no such role or index.
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
        for index in (0..self.legal.len()).rev() {
            if self.held == Some(Role::new(index)) {
                continue;
            }
            let moves = &self.legal[index];
            self.indices[index] = (self.indices[index] + 1) % moves.len();
            self.joint_move[index] = moves[self.indices[index]];
            if self.indices[index] != 0 {
                return true;
            }
        }
        false
    }
}
