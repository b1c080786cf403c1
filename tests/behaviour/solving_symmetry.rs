//! Games solved on disk up to their symmetries: published counts, a brute force, and the values of the whole game.

use crate::effort::effort;
use crate::program::call;
use crate::solving_on_disk::{Folder, Sheet, library, stopped_after};
use ggp::engine::EngineKind;
use ggp::game::{JointMoves, Reasoner};
use ggp::solving::{Database, Job, SolvingError};
use rustc_hash::FxHashMap;
use std::collections::BTreeSet;
use std::path::Path;

/// The symmetries of a game of the library.
fn group(name: &str) -> Vec<FxHashMap<ggp::rules::GroundTerm, ggp::rules::GroundTerm>> {
    let game = ggp::engine::load(name, Path::new("."), EngineKind::Interpreter).expect("the library has it");
    game.symmetries().expect("it can be grounded").subgroup(128)
}

fn up_to_symmetry(name: &str, folder: &Folder) -> Job {
    Job { symmetries: Some(group(name)), distances: true, ..folder.job() }
}

#[test]
fn tic_tac_toe_has_765_states_up_to_symmetry() {
    let (one, three) = (Folder::new("up-to-one"), Folder::new("up-to-three"));
    let mut sheet = library("tic_tac_toe");
    let manifest = sheet.solve(&up_to_symmetry("tic_tac_toe", &one)).expect("it is solved");
    let layers: Vec<u64> = manifest.layers.iter().map(|layer| layer.states).collect();
    assert_eq!(layers, [1, 3, 12, 38, 108, 174, 204, 153, 57, 15]);
    assert_eq!((manifest.states(), manifest.symmetries()), (765, Some(8)));
    let job = Job { workers: 3, ..up_to_symmetry("tic_tac_toe", &three) };
    sheet.solve(&job).expect("it is solved");
    assert!(one.files() == three.files(), "three workers make other files");
}

/// Along random lines of play, each state has the same value in both databases.
fn have_equal_values(sheet: &mut Sheet, lines: u32, [one, other]: [&Folder; 2]) {
    let name = sheet.name.clone();
    let [one, other] = [one, other]
        .map(|folder| Database::open(&folder.0, &sheet.name, &sheet.text, &mut sheet.engine).expect("it opens"));
    let (mut random, mut compared) = (1_u32, 0);
    for _ in 0..lines {
        let mut state = sheet.engine.initial_state().expect("there is an initial state");
        loop {
            let known = [&one, &other].map(|database| database.find(&sheet.engine, &state).expect("files are right"));
            assert!(known[0].is_some() && known[0] == known[1], "{name}: {known:?}");
            compared += 1;
            if sheet.engine.is_terminal(&state).expect("it is known") {
                break;
            }
            let mut joint_moves = JointMoves::in_state(&mut sheet.engine, &state).expect("there are moves");
            random = random.wrapping_mul(1_664_525).wrapping_add(1_013_904_223);
            for _ in 0..(random >> 16) % 9 {
                if !joint_moves.advance() {
                    joint_moves = JointMoves::in_state(&mut sheet.engine, &state).expect("there are moves");
                }
            }
            let joint_move = joint_moves.current().to_vec();
            state = sheet.engine.next_state(&state, &joint_move).expect("the move is legal");
        }
    }
    assert!(compared > lines * 3, "{name}: {compared} states");
}

#[test]
fn values_are_those_of_the_whole_game() {
    for name in ["tic_tac_toe", "connect_four_4x4"] {
        let (whole, reduced) = (Folder::new(&format!("whole-{name}")), Folder::new(&format!("reduced-{name}")));
        let mut sheet = library(name);
        let all = sheet.solve(&Job { distances: true, ..whole.job() }).expect("it is solved");
        let few = sheet.solve(&up_to_symmetry(name, &reduced)).expect("it is solved");
        let symmetries = few.symmetries().expect("it has some");
        assert!(few.states() * symmetries >= all.states() && few.states() < all.states() * 6 / 10, "{name}");
        assert_eq!(all.value(), few.value(), "{name}");
        have_equal_values(&mut sheet, effort(20, 400), [&whole, &reduced]);
    }
}

/// A symmetry of the cross about its middle.
type Map = fn(i32, i32) -> (i32, i32);

/// The boards of English peg solitaire by number of jumps, up to the eight symmetries of the cross, counted without any
/// rule sheet: a board is a set of bits, of a square of seven by seven.
fn pegs_up_to_symmetry(layers: usize) -> Vec<u64> {
    let is_hole =
        |x: i32, y: i32| (0..7).contains(&x) && (0..7).contains(&y) && ((2..5).contains(&x) || (2..5).contains(&y));
    let bit = |x: i32, y: i32| 1_u64 << (7 * y + x);
    let holes: Vec<(i32, i32)> = (0..49).map(|n| (n % 7, n / 7)).filter(|&(x, y)| is_hole(x, y)).collect();
    let least = |board: u64| {
        let pegs: Vec<(i32, i32)> = holes.iter().copied().filter(|&(x, y)| board & bit(x, y) != 0).collect();
        let image =
            |map: Map| pegs.iter().map(|&(x, y)| map(x - 3, y - 3)).fold(0, |board, (x, y)| board | bit(x + 3, y + 3));
        let maps: [Map; 8] = [
            |x, y| (x, y),
            |x, y| (-x, y),
            |x, y| (x, -y),
            |x, y| (-x, -y),
            |x, y| (y, x),
            |x, y| (-y, x),
            |x, y| (y, -x),
            |x, y| (-y, -x),
        ];
        maps.map(image).into_iter().min().expect("there are eight")
    };
    let full = holes.iter().fold(0, |board, &(x, y)| board | bit(x, y));
    let mut layer = BTreeSet::from([full & !bit(3, 3)]);
    let mut counts = Vec::new();
    for _ in 0..layers {
        counts.push(layer.len() as u64);
        let mut next = BTreeSet::new();
        for &board in &layer {
            for &(x, y) in &holes {
                for (dx, dy) in [(1, 0), (-1, 0), (0, 1), (0, -1)] {
                    let jump = bit(x, y) | if is_hole(x + dx, y + dy) { bit(x + dx, y + dy) } else { 0 };
                    let is_legal = is_hole(x + 2 * dx, y + 2 * dy) && board & jump == jump;
                    if is_legal && board & bit(x + 2 * dx, y + 2 * dy) == 0 {
                        next.insert(least(board & !jump | bit(x + 2 * dx, y + 2 * dy)));
                    }
                }
            }
        }
        layer = next;
    }
    counts
}

#[test]
fn peg_solitaire_has_the_layers_of_a_brute_force() {
    let folder = Folder::new("pegs-up-to");
    let layers = effort(7, 10);
    let expected = pegs_up_to_symmetry(layers);
    assert_eq!(expected[..6], [1, 1, 2, 8, 39, 171]);
    let job = Job { workers: 2, count_only: true, symmetries: Some(group("peg_solitaire")), ..folder.job() };
    let steps = u32::try_from(layers - 1).expect("there are few");
    assert!(stopped_after(&mut library("peg_solitaire"), steps, &job));
    let manifest = Database::manifest_of(&folder.0).expect("there is a run");
    let counted: Vec<u64> = manifest.layers.iter().map(|layer| layer.states).collect();
    assert_eq!(counted[..layers], expected);
}

#[test]
fn a_run_goes_on_as_it_began() {
    let (whole, parts) = (Folder::new("symmetric-whole"), Folder::new("symmetric-parts"));
    let mut sheet = library("tic_tac_toe");
    sheet.solve(&up_to_symmetry("tic_tac_toe", &whole)).expect("it is solved");
    let job = Job { resume: true, ..up_to_symmetry("tic_tac_toe", &parts) };
    while stopped_after(&mut sheet, 3, &job) {}
    assert!(whole.files() == parts.files());
    let error = sheet.solve(&Job { resume: true, ..whole.job() }).expect_err("it was begun with symmetry");
    assert!(matches!(error, SolvingError::Other { .. }) && error.to_string().contains("with --symmetry"), "{error}");
}

#[test]
fn the_program_solves_up_to_symmetry() {
    let folder = Folder::new("symmetric-program");
    let path = folder.0.to_str().expect("the path is text");
    let called = call(&["solve", "tic_tac_toe", "--dir", path, "--symmetry"]);
    assert_eq!(called.code, 0, "{}", called.talk);
    assert!(called.answer.contains("765 states up to 8 symmetries in 10 layers"), "{}", called.answer);
    // The corner on the other side of the board is the same corner.
    for (corner, edge) in [("mark(3,3)", "mark(3,2)"), ("mark(1,3)", "mark(1,2)"), ("mark(1,1)", "mark(2,1)")] {
        let called = call(&["db", "query", path, &format!("{corner} {edge}")]);
        assert_eq!(called.answer, call(&["db", "query", path, "mark(1,1) mark(1,2)"]).answer, "{corner}");
        assert!(called.answer.contains("layer 2"), "{}{}", called.answer, called.talk);
    }
}
