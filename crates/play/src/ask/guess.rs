//! An evaluation for any game, for who has none.

use ggp_game::{ReasonError, Reasoner, Role};

/// The current goal value of a role, if there is one, and with less weight the number of its moves.
///
/// # Errors
/// Those of the engine.
///
/// - Source: Genesereth and Thielscher, *General Game Playing*, the chapter on heuristic search: mobility and goal
///   proximity.
pub fn guess<R: Reasoner>(reasoner: &mut R, state: &R::State, role: Role) -> Result<i64, ReasonError> {
    /// The weight of a point of the goal value, in legal moves.
    const POINT: i64 = 10;
    let goal = match reasoner.goal(state, role) {
        Ok(utility) => i64::from(utility.floor()),
        Err(error @ ReasonError::Stopped(_)) => return Err(error),
        Err(_) => 0,
    };
    let mut moves = Vec::new();
    reasoner.legal_moves(state, role, &mut moves)?;
    Ok(POINT * goal + moves.len() as i64)
}
