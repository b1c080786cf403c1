//! Compiled games as files: what is written is read again, and whatever else there is in a file is refused with a reason.

#[path = "../fuzz/src/lib.rs"]
mod fuzz;

use fuzz::compiled::{compile as compiled, file};
use fuzz::walk::Random;
use ggp::engine::LIBRARY;
use ggp::game::{Reasoner, Role};
use ggp::propnet::{CompiledGame, FileError, Options, Propnet};
use std::collections::BTreeMap;

fn tic_tac_toe() -> CompiledGame {
    let sheet = LIBRARY.iter().find(|sheet| sheet.name == "tic_tac_toe").expect("the library has it");
    compiled(sheet.name, sheet.text)
}

#[test]
fn what_is_written_is_read() {
    for sheet in LIBRARY {
        let game = compiled(sheet.name, sheet.text);
        let bytes = game.to_bytes().expect("a game is written");
        assert!(CompiledGame::is_one(&bytes), "{}", sheet.name);
        assert_eq!(CompiledGame::from_bytes(&bytes).expect("a game is read"), game, "{}", sheet.name);
    }
}

#[test]
fn what_is_read_plays() {
    let bytes = tic_tac_toe().to_bytes().expect("a game is written");
    let game = CompiledGame::from_bytes(&bytes).expect("a game is read");
    let mut engine = Propnet::from_program(game.program, &Options::default());
    let mut state = engine.initial_state().expect("there is an initial state");
    let mut played = 0;
    while engine.random_step(&mut state, &mut |_| 0).expect("the first moves are legal") {
        played += 1;
    }
    assert_eq!(played, 7, "the first empty cell, always: x has a diagonal after seven marks");
    assert_eq!(engine.goal(&state, Role::new(0)).map(|utility| utility.0), Ok(100));
}

#[test]
fn damage_is_told() {
    let bytes = tic_tac_toe().to_bytes().expect("a game is written");
    let read = |bytes: &[u8]| CompiledGame::from_bytes(bytes).expect_err("it is damaged");
    assert!(matches!(read(b"role(white)"), FileError::Foreign));
    assert!(matches!(read(b""), FileError::Foreign));
    assert!(matches!(read(b"ggp propnet 1"), FileError::Foreign));
    assert!(matches!(read(b"ggp propnet 99 00000000 0\n"), FileError::Version { found } if found == "99"));
    assert!(matches!(read(&bytes[..bytes.len() - 1]), FileError::Short { .. }));
    for place in (bytes.len() / 2..bytes.len()).step_by(97) {
        let mut damaged = bytes.clone();
        damaged[place] ^= 1;
        assert!(matches!(read(&damaged), FileError::Damaged { .. }), "byte {place}");
    }
}

#[test]
fn a_program_that_cannot_run_is_refused() {
    type Spoil = fn(&mut CompiledGame);
    let spoilers: &[(&str, Spoil)] = &[
        ("gate", |game| game.program.wires.truncate(3)),
        ("move", |game| _ = game.program.legal.pop()),
        ("bit", |game| _ = game.program.next.pop()),
        ("fact", |game| _ = game.program.facts.pop()),
        ("part", |game| game.program.goal_gates.end += 1),
        ("goal", |game| game.program.goals[0].role = Role::new(7)),
        ("output", |game| game.program.terminal = ggp::propnet::Wire::new(1_000_000)),
        ("cycle", |game| game.program.cycles.push(4..4)),
    ];
    for (what, spoil) in spoilers {
        let mut game = tic_tac_toe();
        spoil(&mut game);
        let bytes = game.to_bytes().expect("a game is written");
        let error = CompiledGame::from_bytes(&bytes).expect_err(what);
        assert!(matches!(&error, FileError::Unsound(unsound) if unsound.what == *what), "{what}: {error}");
    }
}

/// Five thousand files whose fields have been changed and whose checksum is right. Each is refused with a reason; or it is a program like any
/// other, though not that of the game, and all evaluators and lanes play it alike.
#[test]
fn changed_fields_are_refused_or_play() {
    let mut random = Random(13);
    let (mut refused, mut played) = (BTreeMap::<String, usize>::new(), 0);
    for _ in 0..5_000 {
        let recipe: Vec<u8> = (0..2 + random.below(12)).map(|_| random.draw() as u8).map(|byte| byte & 0x7f).collect();
        match fuzz::compiled::run(&recipe) {
            Ok(true) => played += 1,
            Ok(false) => unreachable!("a recipe makes a file"),
            Err(FileError::Unsound(error)) => *refused.entry(format!("{}: {}", error.what, error.problem)).or_default() += 1,
            Err(FileError::Json(_)) => *refused.entry("JSON".to_string()).or_default() += 1,
            Err(FileError::OtherSheet) => *refused.entry("sheet".to_string()).or_default() += 1,
            Err(error) => panic!("{recipe:?}: {error}"),
        }
    }
    println!("{played} played, {refused:#?}");
    assert!(refused.len() >= 20, "few reasons: {refused:?}");
    assert!(played >= 100, "{played} programs played");
}
