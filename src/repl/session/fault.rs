//! The account of a state that the rules leave undefined, for the error of a search that has met one: how to get there,
//! its facts, and the rules that fail in it.

use crate::repl::read;
use gdl::rules::GroundTerm;
use gdl::syntax::{Dialect, Source};
use ggp_engine::interpreter::explain::render;
use ggp_engine::interpreter::{Interpreter, State};
use ggp_engine::{Game, joint_move_text, line_of_play};
use ggp_game::{Move, ReasonError, Reasoner};
use ggp_play::ask::searches::{faulty_end, stuck_state};

/// The greatest number of facts of the state that are listed.
const MOST_FACTS: usize = 100;
/// The greatest number of goal values whose proofs are shown.
const MOST_VALUES: usize = 3;

/// Account of a missing goal value or of a missing move, for the error of a search that has met one: the joint moves from
/// a state to such a state, its facts, and the rules: each with the first literal that fails, or the proofs of the goal
/// values. `None` if the error is another one, or if no such state is found. `is_reached`: legal play leads to the state.
pub(crate) fn account_of_fault(
    game: &mut Game,
    state: &State,
    is_reached: bool,
    error: &ReasonError,
    dialect: Dialect,
) -> Option<String> {
    let (name, lacks_move) = match error {
        ReasonError::NoLegalMove { role } => (role, true),
        error => (error.role_without_goal()?, false),
    };
    let line = line_to_fault(game, state, is_reached, name, lacks_move)?;
    let interpreter = &mut game.interpreter;
    let mut fault = state.clone();
    for joint_move in &line {
        let moves = joint_move.iter().map(|term| interpreter.find_move(term)).collect::<Result<Vec<Move>, _>>().ok()?;
        fault = interpreter.next_state(&fault, &moves).ok()?;
    }
    let what = if lacks_move { "it is a state that is not terminal" } else { "it is an end of the game" };
    let way = match line.is_empty() {
        true => format!("{what}, the current one\n"),
        false => format!("{what}, after {}\nto go there: {}\n", line_of_play(&line, dialect), command(&line)),
    };
    let facts = facts(interpreter, &fault, dialect);
    let rules = match lacks_move {
        true => explained(interpreter, &fault, &format!("legal({name},M)"), &game.source)?,
        false => goal_rules(interpreter, &fault, name, &game.source)?,
    };
    Some(format!("{way}{facts}{rules}").trim_end().to_string())
}

/// The joint moves from a state to one in which the role lacks a move or a goal value; empty only for a missing move.
fn line_to_fault(
    game: &mut Game,
    state: &State,
    is_reached: bool,
    name: &GroundTerm,
    lacks_move: bool,
) -> Option<Vec<Vec<GroundTerm>>> {
    let role = game.role(&name.to_string()).ok()?;
    let (engine, first) = game.engine_for(state, is_reached).ok()?;
    if engine.is_terminal(&first).ok()? {
        return None;
    }
    let line = match lacks_move {
        true => stuck_state(engine, &first, role).ok()??,
        false => faulty_end(engine, &first, role).ok()??,
    };
    let terms = |joint_move: &Vec<Move>| joint_move.iter().map(|&chosen| engine.move_term(chosen)).collect();
    Some(line.iter().map(terms).collect())
}

/// The line of the prompt that makes the joint moves. A single joint move needs no brackets.
fn command(line: &[Vec<GroundTerm>]) -> String {
    let moves: Vec<String> = match line {
        [only] => only.iter().map(GroundTerm::to_string).collect(),
        line => line.iter().map(|joint_move| joint_move_text(joint_move, Dialect::Infix)).collect(),
    };
    format!("do {}", moves.join(" "))
}

/// The facts of a state as a line.
fn facts(interpreter: &mut Interpreter, state: &State, dialect: Dialect) -> String {
    let facts = interpreter.facts(state);
    let shown: Vec<String> = facts.iter().take(MOST_FACTS).map(|fact| fact.display(dialect).to_string()).collect();
    let more = match facts.len().saturating_sub(MOST_FACTS) {
        0 => String::new(),
        more => format!(" and {more} more"),
    };
    if facts.is_empty() {
        return "no fact holds there\n".to_string();
    }
    format!("its facts: {}{more}\n", shown.join(" "))
}

/// The failures of the rules for `goal`, or the proofs of the values that they give.
fn goal_rules(interpreter: &mut Interpreter, state: &State, name: &GroundTerm, source: &Source) -> Option<String> {
    let query = read::query(&format!("goal({name},V)")).ok()?;
    let values = interpreter.query(Some(state), None, &query).ok()?.rows;
    if values.is_empty() {
        return explained(interpreter, state, &format!("goal({name},V)"), source);
    }
    let mut rules = String::new();
    for value in values.iter().flatten().take(MOST_VALUES) {
        rules += &explained(interpreter, state, &format!("goal({name},{value})"), source)?;
    }
    Some(rules)
}

/// The proof of a literal, or the failures of its rules.
fn explained(interpreter: &mut Interpreter, state: &State, literal: &str, source: &Source) -> Option<String> {
    let query = read::query(literal).ok()?;
    let why = interpreter.why(state, None, query.first()?).ok()?;
    Some(render::text(&why, source, None))
}
