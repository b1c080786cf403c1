//! Where an end of the game without a usable goal value is, for the error of a search that has met one, and which rules
//! for `goal` fail there.

use super::read;
use gdl::syntax::Dialect;
use ggp_engine::Game;
use ggp_engine::interpreter::State;
use ggp_engine::interpreter::explain::render;
use ggp_game::{Move, ReasonError, Reasoner};
use ggp_play::ask::searches::faulty_end;

/// The lines of an error: the joint moves from a state to an end of the game for which the rules give a role no usable
/// goal value, and each rule with the first literal that fails. `None` if the error is another one, or if no such end is
/// found. `is_reached` says whether legal play leads to the state.
pub(crate) fn account_of_fault(
    game: &mut Game,
    state: &State,
    is_reached: bool,
    error: &ReasonError,
    dialect: Dialect,
) -> Option<String> {
    let name = error.role_without_goal()?;
    let role = game.role(&name.to_string()).ok()?;
    let (engine, first) = game.engine_for(state, is_reached).ok()?;
    if engine.is_terminal(&first).ok()? {
        return None;
    }
    let line = faulty_end(engine, &first, role).ok()??;
    let line: Vec<Vec<_>> =
        line.iter().map(|joint_move| joint_move.iter().map(|&chosen| engine.move_term(chosen)).collect()).collect();
    let joint_moves = line.iter().map(|joint_move| {
        let moves: Vec<String> = joint_move.iter().map(|chosen| chosen.display(dialect).to_string()).collect();
        if let [only] = &moves[..] { only.clone() } else { format!("[{}]", moves.join(", ")) }
    });
    let way = joint_moves.collect::<Vec<_>>().join(", ");
    let interpreter = &mut game.interpreter;
    let mut end = state.clone();
    for joint_move in &line {
        let moves = joint_move.iter().map(|term| interpreter.find_move(term)).collect::<Result<Vec<Move>, _>>().ok()?;
        end = interpreter.next_state(&end, &moves).ok()?;
    }
    let query = read::query(&format!("goal({name},V)")).ok()?;
    let why = interpreter.why(&end, None, query.first()?).ok()?;
    let reasons = if why.holds { String::new() } else { render::text(&why, &game.source, None) };
    Some(format!("it is an end of the game, after {way}\n{reasons}").trim_end().to_string())
}
