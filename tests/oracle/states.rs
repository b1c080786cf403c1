//! State by state: facts, legal moves, ends and goals of both engines are those of the reference, along random lines of
//! random games.

use crate::games::{Game, prefix};
use crate::random::Random;
use crate::space::Position;
use ggp::engine::{Engine, EngineKind, EngineState, load_text};
use ggp::game::{Reasoner, Role};
use ggp::syntax::{Dialect, Source};

/// Compares both engines along some lines of a random game; returns the number of states.
pub(crate) fn compare(seed: u64, number: u64) -> Result<u64, String> {
    let mut random = Random::of_case(seed, number);
    let game = Game::random(&mut random);
    let mut states = 0;
    for kind in [EngineKind::Propnet, EngineKind::Interpreter] {
        let source = Source::new("oracle", game.sheet.text.clone());
        let loaded = load_text("oracle".to_string(), source, Some(Dialect::Prefix), kind);
        let mut loaded = loaded.map_err(|error| format!("{error}\n{}", game.sheet.text))?;
        let engine = loaded.engine().map_err(|error| error.to_string())?;
        for _ in 0..3 {
            states += line(engine, &game, &mut random).map_err(|wrong| {
                format!("seed {seed}, case {number}, {}: {wrong}\n{}", kind.name(), game.sheet.text)
            })?;
        }
    }
    Ok(states)
}

/// Plays the game to its position, and on at random; returns the number of states.
fn line(engine: &mut Engine, game: &Game, random: &mut Random) -> Result<u64, String> {
    let fails = |error: ggp::game::ReasonError| error.to_string();
    let mut state = engine.initial_state().map_err(fails)?;
    for joint_move in &game.moves {
        let names: Vec<String> = joint_move.iter().map(ToString::to_string).collect();
        state = after(engine, &state, &names)?;
    }
    let mut number = 0;
    for steps in 1..=20 {
        let position = &game.space.positions[number];
        agrees(engine, &state, position).map_err(|wrong| {
            let facts: Vec<String> = position.facts.iter().map(prefix).collect();
            format!("{wrong}\nwhere {} hold", facts.join(" "))
        })?;
        if position.is_terminal {
            return Ok(steps);
        }
        let joint_move: Vec<usize> = position.legal.iter().map(|legal| random.below(legal.len())).collect();
        let names = joint_move.iter().zip(&position.legal).map(|(&own, legal)| legal[own].to_string());
        state = after(engine, &state, &names.collect::<Vec<String>>())?;
        number = position.after(&joint_move);
    }
    Ok(20)
}

fn after(engine: &mut Engine, state: &EngineState, names: &[String]) -> Result<EngineState, String> {
    let mut joint_move = Vec::new();
    for (role, name) in names.iter().enumerate() {
        let mut legal = Vec::new();
        engine.legal_moves(state, Role::new(role), &mut legal).map_err(|error| error.to_string())?;
        let found = legal.iter().find(|&&own| engine.move_term(own).to_string() == *name);
        joint_move.push(*found.ok_or_else(|| format!("{name} is not legal"))?);
    }
    engine.next_state(state, &joint_move).map_err(|error| error.to_string())
}

/// Compares all that an engine says of a state with the reference.
fn agrees(engine: &mut Engine, state: &EngineState, position: &Position) -> Result<(), String> {
    let same = |what: &str, shown: Vec<String>, right: Vec<String>| {
        if shown == right { Ok(()) } else { Err(format!("{what}: {shown:?}, right is {right:?}")) }
    };
    let facts = engine.facts(state).iter().map(ToString::to_string).collect();
    same("the facts", facts, position.facts.iter().map(ToString::to_string).collect())?;
    let is_terminal = engine.is_terminal(state).map_err(|error| error.to_string())?;
    same("terminal", vec![is_terminal.to_string()], vec![position.is_terminal.to_string()])?;
    for (role, legal) in position.legal.iter().enumerate() {
        let mut moves = Vec::new();
        match engine.legal_moves(state, Role::new(role), &mut moves) {
            Ok(()) => {
                let shown = moves.iter().map(|&own| engine.move_term(own).to_string()).collect();
                same("the legal moves", shown, legal.iter().map(ToString::to_string).collect())?;
            }
            Err(error) if !legal.is_empty() => return Err(error.to_string()),
            Err(_) => {}
        }
        let utility = engine.goal(state, Role::new(role)).ok().map(ggp::game::Utility::to_f64);
        let (shown, right) = (format!("{utility:?}"), format!("{:?}", position.utilities[role]));
        same("the utility", vec![shown], vec![right])?;
    }
    Ok(())
}
