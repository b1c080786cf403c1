//! The change of the engine in the middle of a game: the interpreter plays the first half of each recorded game, the
//! network the second half, from the state at which it took over.

use crate::conformance::{UNGROUNDED, games};
use crate::effort::is_brief;
use crate::parallel::in_parallel;
use crate::support;
use ggp::engine::{Engine, EngineKind, Game, load};
use ggp::{Reasoner, Role, State};
use ggp_engine::ground::GroundBudget;
use ggp_engine::propnet::Propnet;
use ggp_engine::trace::{Trace, Visit};
use std::fs::File;
use std::io::BufReader;
use std::path::Path;

#[test]
fn the_network_takes_over_in_the_middle_of_recorded_games() {
    let Some(corpus) = support::corpus() else { return };
    let step = if is_brief() { 12 } else { 1 };
    let games: Vec<_> = games(&corpus).into_iter().skip(step - 1).step_by(step).collect();
    let (states, failures) = in_parallel(&games, |(game, traces)| match UNGROUNDED.contains(&game.as_str()) {
        true => Ok(0),
        false => takes_over(&corpus.join("kif").join(format!("{game}.kif")), &traces[0])
            .map_err(|problem| format!("{}: {problem}", traces[0].display())),
    });
    assert!(failures.is_empty(), "{} of {} games:\n{}", failures.len(), games.len(), failures.join("\n"));
    assert!(states > 0, "no game changed its engine");
    println!("{} games, {states} states after the change agree", games.len());
}

/// Plays the first recorded game of a trace, changes the engine at half of it, and returns the number of states that the
/// network answered like the interpreter.
fn takes_over(sheet: &Path, trace: &Path) -> Result<u64, String> {
    // What the checks reject is listed in the tests of conformance.
    let Ok(mut game) = load(sheet, Path::new(""), EngineKind::Interpreter) else { return Ok(0) };
    let visits = first_game(trace)?;
    let mut state = game.initial_state().map_err(|error| error.to_string())?;
    let mut agreed = 0;
    for (number, visit) in visits.iter().enumerate() {
        if number == visits.len() / 2 {
            game.set_options(EngineKind::Auto.into()).map_err(|error| error.to_string())?;
            let built = Propnet::new(&game.rules, &GroundBudget::new(), &game.options().propnet);
            game.adopt(built).map_err(|error| error.to_string())?;
            if !matches!(game.engine_in_use(), Some(Engine::Propnet(_))) {
                return Err("the network did not take over".to_string());
            }
        }
        compare(&mut game, &state, visit).map_err(|problem| format!("state {number}: {problem}"))?;
        agreed += u64::from(number >= visits.len() / 2);
        let Some(moves) = &visit.moves else { break };
        state = game.next(&state, moves).map_err(|error| error.to_string())?;
    }
    Ok(agreed)
}

/// The states of the first game of a trace, from its beginning.
fn first_game(trace: &Path) -> Result<Vec<Visit>, String> {
    let input = BufReader::new(File::open(trace).map_err(|error| error.to_string())?);
    let (_, mut trace) = Trace::open(input).map_err(|error| error.to_string())?;
    let mut visits: Vec<Visit> = Vec::new();
    while let Some(visit) = trace.next_visit().map_err(|error| error.to_string())? {
        if visits.first().is_some_and(|first| first.playout != visit.playout) {
            break;
        }
        visits.push(visit);
    }
    Ok(visits)
}

/// Compares the engine in use with the trace and with the interpreter of the game.
fn compare(game: &mut Game, state: &State, visit: &Visit) -> Result<(), String> {
    let sorted = |mut terms: Vec<_>| {
        terms.sort();
        terms
    };
    let roles = game.roles().len();
    let is_over = game.is_terminal(state).map_err(|error| error.to_string())?;
    let expected = answers(roles, game, |game, role| {
        let legal = if is_over { None } else { game.legal(state, role).ok() };
        (is_over, game.goal(state, role).ok(), legal)
    });
    let (engine, state) = game.engine_at(state).map_err(|error| error.to_string())?;
    let facts = sorted(engine.facts(&state));
    if facts != sorted(visit.state.clone()) {
        return Err(format!("other facts: {facts:?}"));
    }
    let found = answers(roles, engine, |engine, role| {
        let mut moves = Vec::new();
        let is_over = engine.is_terminal(&state).unwrap_or(!is_over);
        let legal = if is_over { None } else { engine.legal_moves(&state, role, &mut moves).ok() };
        let terms = legal.map(|()| moves.iter().map(|&chosen| engine.move_term(chosen)).collect());
        (is_over, engine.goal(&state, role).ok(), terms)
    });
    if expected == found { Ok(()) } else { Err(format!("{found:?} instead of {expected:?}")) }
}

/// The answers for each role.
fn answers<T, A>(roles: usize, asked: &mut T, ask: impl Fn(&mut T, Role) -> A) -> Vec<A> {
    (0..roles).map(|role| ask(asked, Role::new(role))).collect()
}
