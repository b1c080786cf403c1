//! Games with chance solved on disk: the means of `solve` in memory, of all states.

use crate::program::call;
use crate::solving_on_disk::{Folder, library, written};
use ggp::engine::{Engine, EngineState};
use ggp::game::Reasoner;
use ggp::limits::Limits;
use ggp::search::{Budget, Real, SolvedState, solve_each};
use ggp::solving::{Database, Job, SolvingError};

/// By turns chance throws a die and a player may add it to its sum or not. After two throws each, an even sum is worth
/// 100 and an odd one 70, to either player.
const DICE: &str = "
role(a) role(b) role(random)
init(step(0)) init(sum(a,0)) init(sum(b,0)) init(phase(throw))
legal(random,throw(N)) :- true(phase(throw)) & die(N)
legal(random,noop) :- ~true(phase(throw))
legal(P,take) :- true(phase(choose)) & turn(P) legal(P,pass) :- true(phase(choose)) & turn(P)
legal(P,noop) :- player(P) & ~chooses(P)
chooses(P) :- true(phase(choose)) & turn(P)
player(a) player(b) die(1) die(2) die(3)
turn(a) :- true(step(N)) & even(N) turn(b) :- true(step(N)) & odd(N)
even(0) even(2) odd(1) odd(3)
next(phase(choose)) :- true(phase(throw)) next(phase(throw)) :- true(phase(choose))
next(die(N)) :- does(random,throw(N))
next(step(N)) :- true(step(N)) & true(phase(throw))
next(step(M)) :- true(step(N)) & true(phase(choose)) & succ(N,M)
next(sum(P,S)) :- true(sum(P,S)) & ~does(P,take)
next(sum(P,T)) :- true(sum(P,S)) & does(P,take) & true(die(N)) & plus(S,N,T)
succ(0,1) succ(1,2) succ(2,3) succ(3,4) succ(4,5) succ(5,6)
plus(S,1,T) :- succ(S,T) plus(S,N,T) :- succ(M,N) & distinct(N,1) & plus(S,M,R) & succ(R,T)
terminal :- true(step(4))
goal(P,100) :- true(sum(P,X)) & even_sum(X)
goal(P,70) :- true(sum(P,X)) & ~even_sum(X)
even_sum(0) even_sum(2) even_sum(4) even_sum(6)
goal(random,0)
";

#[test]
fn means_are_those_of_solve_in_memory() {
    let games = ["dice_race", "expectimax_tree", "monty_hall"].map(library).into_iter().chain([written(DICE)]);
    let mut compared = Vec::new();
    for mut sheet in games {
        let name = sheet.name.clone();
        let root = sheet.engine.initial_state().expect("there is an initial state");
        let budget = Budget::new();
        let folder = Folder::new(&format!("means-{name}"));
        let manifest =
            match sheet.solve(&Job { workers: 2, limits: Limits::new().with_memory(1 << 20), ..folder.job() }) {
                Ok(manifest) => manifest,
                Err(SolvingError::Unsupported { .. }) => continue,
                Err(error) => panic!("{name}: {error}"),
            };
        let database = Database::open(&folder.0, &sheet.name, &sheet.text, &mut sheet.engine).expect("it opens");
        let mut states = 0;
        let mut visit = |engine: &mut Engine, solved: SolvedState<'_, EngineState>| {
            let known = database.find(engine, solved.state).expect("files are right").expect("it is known");
            assert_near(&known.means.expect("it has means"), &solved.worths.expect("it has an end"), &name);
            states += 1;
            Ok(())
        };
        let outcome = solve_each(&mut sheet.engine, &root, &budget, Some(&mut visit)).expect("it can be solved");
        let expected = outcome.answer.expect("it is solved").expected.expect("there is chance");
        assert_eq!(manifest.states(), states, "{name}");
        let means: Vec<f64> = manifest.means().expect("it is solved").into_iter().map(|(_, mean)| mean).collect();
        let in_memory: Vec<Real> = expected.means.into_iter().map(|(_, mean)| mean).collect();
        assert_near(&means, &in_memory, &name);
        compared.push(name);
    }
    assert!(compared.len() >= 3, "{compared:?}");
}

#[test]
fn files_of_means_are_made_again_and_asked() {
    let (whole, other) = (Folder::new("means-whole"), Folder::new("means-other"));
    let mut sheet = library("expectimax_tree");
    sheet.solve(&whole.job()).expect("it is solved");
    sheet.solve(&Job { workers: 3, ..other.job() }).expect("it is solved");
    assert!(whole.files() == other.files(), "three workers make other files");
    let files = whole.files();
    let means = files.keys().filter(|name| name.extension().is_some_and(|ending| ending == "means"));
    for name in means {
        std::fs::write(other.0.join(name), "damaged").expect("it can be written");
    }
    assert!(!Database::verify(&other.0).expect("it can be read").is_empty());
    sheet.solve(&Job { resume: true, ..other.job() }).expect("it is made again");
    assert!(whole.files() == other.files());
    let path = other.0.to_str().expect("the path is text");
    let called = call(&["db", "query", path, ""]);
    assert!(called.answer.contains(" on average"), "{}{}", called.answer, called.talk);
    let stats = call(&["db", "stats", path]);
    assert!(stats.answer.contains(" on average"), "{}{}", stats.answer, stats.talk);
}

#[test]
fn chance_in_games_without_layers_is_refused() {
    let folder = Folder::new("means-repeated");
    let error = library("pig_dice").solve(&folder.job()).expect_err("its states repeat");
    assert!(error.to_string().contains("do not lead from layer to layer"), "{error}");
}

/// Files have floating-point numbers, which are near the fractions in memory.
fn assert_near(on_disk: &[f64], in_memory: &[Real], name: &str) {
    assert_eq!(on_disk.len(), in_memory.len(), "{name}");
    for (on_disk, in_memory) in on_disk.iter().zip(in_memory) {
        assert!((on_disk - in_memory.to_f64()).abs() < 1e-9, "{name}: {on_disk}, in memory {in_memory}");
    }
}
