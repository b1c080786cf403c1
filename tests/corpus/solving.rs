//! Games of the corpus solved on disk: the values of `solve` in memory, of all states together and of a sample of them
//! one by one.

use crate::effort::effort;
use crate::parallel::in_parallel;
use crate::support;
use ggp::engine::{Engine, EngineKind, EngineOptions, EngineState, load};
use ggp::game::Reasoner;
use ggp::search::{Budget, SolvedState, solve_each};
use ggp::solving::{Database, Job, SolvingError, solve};
use ggp_engine::ground::GroundBudget;
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::time::Duration;

/// Which games are compared, and how closely.
struct Extent {
    /// The memory that grounding may take, in MiB: a bound that does not depend on the clock.
    memory: usize,
    /// The greatest number of states of a game.
    states: u64,
    /// One of this many states is looked up.
    sampled: u64,
}

/// Compares a game with `solve` in memory; 0 if that cannot solve it within the extent, else the number of its states.
fn compared(path: &Path, extent: &Extent) -> Result<u64, String> {
    let name = path.file_stem().expect("a sheet has a name").to_string_lossy().into_owned();
    let said = |what: String| format!("{name}: {what}");
    let budget = GroundBudget::new().with_memory(extent.memory << 20);
    let options = EngineOptions { budget: budget.with_time(Duration::from_secs(600)), ..EngineKind::Propnet.into() };
    let Ok(game) = load(path, Path::new(""), options) else { return Ok(0) };
    let text = game.source.text().to_string();
    let Ok(mut engine) = game.into_engine() else { return Ok(0) };
    let root = engine.initial_state().map_err(|error| said(error.to_string()))?;
    let budget = Budget::new().with_nodes(extent.states);
    match ggp::search::solve(&mut engine, &root, &budget) {
        Ok(outcome) if outcome.answer.is_some() && outcome.is_exact() => {}
        _ => return Ok(0),
    }
    let folder = Path::new(env!("CARGO_TARGET_TMPDIR")).join(format!("corpus-{}-{name}", std::process::id()));
    let job = Job { workers: 2, distances: true, ..Job::new(&folder) };
    let solved = solve(&name, &text, &mut engine, &job, Arc::new(|_| {}));
    let states = match solved {
        // Chance without layers.
        Err(SolvingError::Unsupported { .. }) => Ok(0),
        Err(error) => Err(said(error.to_string())),
        Ok(manifest) => {
            let database =
                Database::open(&folder, &name, &text, &mut engine).map_err(|error| said(error.to_string()))?;
            let (mut number, mut differences) = (0, Vec::new());
            let mut visit = |engine: &mut Engine, solved: SolvedState<'_, EngineState>| {
                number += 1;
                if number % extent.sampled != 0 {
                    return Ok(());
                }
                let known = database.find(engine, solved.state).expect("files are right").expect("it is known");
                let utilities = known.utilities.map(|all| all.iter().map(|one| one.to_f64()).collect::<Vec<_>>());
                let worths = known.means.or(utilities);
                // On disk a draw that has been reached has no distance, as one that can be reached.
                let distances = [known.moves, solved.moves].map(Option::unwrap_or_default);
                let in_memory = solved.worths.as_ref();
                let in_memory = in_memory.map(|all| all.iter().map(|worth| worth.to_f64()).collect::<Vec<_>>());
                let is_near = |(left, right): (&f64, &f64)| (left - right).abs() < 1e-9;
                let are_near = match (&worths, &in_memory) {
                    (Some(worths), Some(in_memory)) => worths.iter().zip(in_memory).all(is_near),
                    (worths, in_memory) => worths == in_memory,
                };
                if !are_near || distances[0] != distances[1] {
                    differences.push(format!(
                        "{worths:?} {:?}, in memory {:?} {:?}",
                        known.moves, solved.worths, solved.moves
                    ));
                }
                Ok(())
            };
            let outcome = solve_each(&mut engine, &root, &budget, Some(&mut visit)).expect("it was solved before");
            let expected = outcome.answer.expect("it was solved before");
            let counted = (manifest.states(), manifest.joint_moves(), manifest.value());
            if counted != (expected.states, expected.joint_moves, expected.utilities.as_deref()) {
                differences.push(format!("{counted:?}"));
            }
            if differences.is_empty() { Ok(expected.states) } else { Err(said(differences.join("\n"))) }
        }
    };
    // A refused run may not have made it.
    let _ = std::fs::remove_dir_all(&folder);
    states
}

#[test]
fn values_are_those_of_solve_in_memory() {
    let sheets = support::sheets();
    let bytes = |path: &&PathBuf| std::fs::metadata(path).expect("the sheet is there").len();
    let sample: Vec<_> = sheets.iter().filter(|path| bytes(path) <= effort(4 << 10, 8 << 10)).collect();
    let extent = Extent { memory: effort(3, 16), states: effort(1_500, 5_000), sampled: effort(31, 7) };
    let (states, failures) = in_parallel(&sample, |path| compared(path, &extent));
    assert_eq!(failures, Vec::<String>::new());
    assert!(sheets.is_empty() || states > 1_500, "{states} states");
}

#[test]
#[ignore = "takes most of an hour: every state of every sheet that is solved in memory within 200,000 states"]
fn all_values_are_those_of_solve_in_memory() {
    let sheets = support::sheets();
    let extent = Extent { memory: 256, states: 200_000, sampled: 1 };
    let (states, failures) = in_parallel(&sheets, |path| {
        let states = compared(path, &extent);
        println!("{}: {states:?}", path.display());
        states
    });
    println!("{states} states");
    assert_eq!(failures, Vec::<String>::new());
}
