//! Compiled games as files: what is written is read back, and any other content of a file is rejected with a reason.

use ggp::engine::{LIBRARY, check_text};
use ggp::game::{Fluent, Reasoner, Role};
use ggp::limits::Limits;
use ggp::syntax::Source;
use ggp_engine::ground::{GroundBudget, ground};
use ggp_engine::propnet::{CompiledGame, FileError, NetworkOptions, Propnet, build, lower, optimise};

pub(crate) fn compiled(name: &str, text: &str) -> CompiledGame {
    let rules = check_text(&Source::new(name, text), None).rules;
    let mut network =
        build(&ground(&rules, &GroundBudget::new()).expect("a game of the library is grounded"), &Limits::none())
            .unwrap();
    optimise(&mut network, &[]);
    CompiledGame::new(name.to_string(), text.to_string(), lower(&network, &Limits::none()).unwrap())
}

fn tic_tac_toe() -> CompiledGame {
    let sheet = LIBRARY.iter().find(|sheet| sheet.name == "tic_tac_toe").expect("the library has it");
    compiled(sheet.name, sheet.text)
}

#[test]
fn a_compiled_game_is_read_back() {
    let (mut groups, mut kept) = (0, 0);
    for sheet in LIBRARY {
        let game = compiled(sheet.name, sheet.text);
        let bytes = game.to_bytes().expect("a game is written");
        assert!(CompiledGame::is_one(&bytes), "{}", sheet.name);
        let mut read = CompiledGame::from_bytes(&bytes).expect("a game is read");
        // Not all groups can be proved again once the network has been simplified.
        assert!(read.program.groups.iter().all(|group| game.program.groups.contains(group)), "{}", sheet.name);
        groups += game.program.groups.len();
        kept += read.program.groups.len();
        read.program.groups.clone_from(&game.program.groups);
        assert!(read == game, "{}", sheet.name);
    }
    assert!(10 * kept >= 9 * groups, "{kept} of {groups} groups are proved again");
}

#[test]
fn a_compiled_game_that_is_read_back_plays() {
    let bytes = tic_tac_toe().to_bytes().expect("a game is written");
    let game = CompiledGame::from_bytes(&bytes).expect("a game is read");
    let mut engine = Propnet::from_program(game.program, &NetworkOptions::default(), &Limits::none()).unwrap();
    let mut state = engine.initial_state().expect("there is an initial state");
    let mut played = 0;
    while engine.random_step(&mut state, &mut |_| 0).expect("the first moves are legal") {
        played += 1;
    }
    assert_eq!(played, 7, "the first empty cell, always: x has a diagonal after seven marks");
    assert_eq!(engine.goal(&state, Role::new(0)).map(|utility| utility.floor()), Ok(100));
}

#[test]
fn damage_is_reported() {
    let bytes = tic_tac_toe().to_bytes().expect("a game is written");
    let read = |bytes: &[u8]| CompiledGame::from_bytes(bytes).expect_err("it is damaged");
    assert!(matches!(read(b"role(white)"), FileError::Foreign));
    assert!(matches!(read(b""), FileError::Foreign));
    assert!(matches!(read(b"ggp propnet 1"), FileError::Foreign));
    assert!(matches!(read(b"ggp propnet 99 00000000 0\n"), FileError::Version { found } if found == "99"));
    assert!(matches!(read(&bytes[..bytes.len() - 1]), FileError::Short { .. }));
    for index in (bytes.len() / 2..bytes.len()).step_by(97) {
        let mut damaged = bytes.clone();
        damaged[index] ^= 1;
        assert!(matches!(read(&damaged), FileError::Damaged { .. }), "byte {index}");
    }
}

#[test]
fn a_program_that_cannot_run_is_rejected() {
    type Spoil = fn(&mut CompiledGame);
    let spoilers: &[(&str, Spoil)] = &[
        ("gate", |game| game.program.wires.truncate(3)),
        ("move", |game| _ = game.program.legal.pop()),
        ("bit", |game| _ = game.program.next.pop()),
        ("fact", |game| _ = game.program.facts.pop()),
        ("part", |game| game.program.goal_gates.end += 1),
        ("goal", |game| game.program.goals[0].role = Role::new(7)),
        ("output", |game| game.program.terminal = ggp_engine::program::Wire::new(1_000_000)),
        ("cycle", |game| game.program.cycles.push(4..4)),
        ("group", |game| game.program.groups.push(vec![0, 1_000_000])),
        ("group", |game| game.program.groups[0].reverse()),
    ];
    for (what, spoil) in spoilers {
        let mut game = tic_tac_toe();
        spoil(&mut game);
        let bytes = game.to_bytes().expect("a game is written");
        let error = CompiledGame::from_bytes(&bytes).expect_err(what);
        assert!(matches!(&error, FileError::Unsound(unsound) if unsound.what == *what), "{what}: {error}");
    }
}

/// Two cells of tic-tac-toe may both be marked by x.
#[test]
fn only_groups_that_are_proved_again_are_read() {
    let game = tic_tac_toe();
    assert_eq!(game.program.groups.len(), 10, "nine cells, and whose turn it is");
    let engine = Propnet::from_program(game.program.clone(), &NetworkOptions::default(), &Limits::none()).unwrap();
    let mut forged = game.clone();
    let term = |bit: u32| engine.fluent_term(Fluent::new(bit as usize)).to_string();
    let by_x: Vec<u32> =
        game.program.groups.iter().flatten().copied().filter(|&bit| term(bit).ends_with(",x)")).collect();
    assert_eq!(by_x.len(), 9);
    forged.program.groups.push(by_x[..2].to_vec());
    let bytes = forged.to_bytes().expect("a game is written");
    assert_eq!(CompiledGame::from_bytes(&bytes).expect("a game is read"), game, "the wrong group is dropped");
}
