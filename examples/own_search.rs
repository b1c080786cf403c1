//! A search of one's own over `Reasoner`: in how many moves can a role force a win, whatever the others do?
//!
//!     cargo run --release --example own_search

use ggp::game::JointMoves;
use ggp::{Game, ReasonError, Reasoner, Role, Utility};
use std::error::Error;
use std::io::{self, Write};

fn main() -> Result<(), Box<dyn Error>> {
    run(&mut io::stdout())
}

/// Looks for a forced win after three moves of tic-tac-toe.
pub(crate) fn run(out: &mut impl Write) -> Result<(), Box<dyn Error>> {
    let mut game = Game::library("tic_tac_toe")?;
    let x = game.role("xplayer")?;
    let noop = "noop".parse()?;
    let mut state = game.initial_state()?;
    for (mover, cell) in [(0, "mark(2,2)"), (1, "mark(1,2)"), (0, "mark(1,1)")] {
        let mut joint_move = [&noop; 2].map(Clone::clone);
        joint_move[mover] = cell.parse()?;
        state = game.next(&state, &joint_move)?;
    }

    // The engine has states of its own; it is fast where the rules can be compiled to a network.
    let (engine, state) = game.engine_at(&state)?;
    match (1..=6).find_map(|depth| forces(engine, &state, x, depth).map(|wins| wins.then_some(depth)).transpose()) {
        Some(depth) => writeln!(out, "x forces a win within {} joint moves", depth?)?,
        None => writeln!(out, "x cannot force a win")?,
    }
    Ok(())
}

/// Whether a role can force the best utility within so many joint moves: by some move of its own for every reply of the
/// others.
///
/// It works on every engine, since it asks nothing but the trait.
fn forces<R: Reasoner>(reasoner: &mut R, state: &R::State, role: Role, depth: u32) -> Result<bool, ReasonError> {
    if reasoner.is_terminal(state)? {
        return Ok(reasoner.goal(state, role)? == Utility::MAX);
    }
    if depth == 0 {
        return Ok(false);
    }
    let mut joint_moves = JointMoves::in_state(reasoner, state)?;
    for own in 0..joint_moves.legal(role).len() {
        // The role's move stays, and the others go through all of theirs.
        joint_moves.hold(role, own);
        let wins = loop {
            let next = reasoner.next_state(state, joint_moves.current())?;
            if !forces(reasoner, &next, role, depth - 1)? {
                break false;
            }
            if !joint_moves.advance() {
                break true;
            }
        };
        if wins {
            return Ok(true);
        }
    }
    Ok(false)
}
