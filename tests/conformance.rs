//! Every engine against the reference traces of the corpus, state by state: initial facts, legal moves, terminal, goals, next
//! facts.

#[path = "support/parallel.rs"]
mod parallel;
mod support;

use ggp::engine::{EngineKind, EngineOptions, LoadError, Replayed, load, replay};
use ggp::ground::GroundBudget;
use parallel::in_parallel;
use std::fs::File;
use std::io::BufReader;
use std::path::{Path, PathBuf};
use std::time::Duration;

/// Sheets with a trace that the checks reject, with the code of the error; so they are not loaded and not replayed.
const REJECTED: &[(&str, &str)] = &[
    // `(<= (goal ?p 100) (cell 1 1))`: a variable of the head that nothing binds.
    ("basetest__test_case_3e", "E112"),
];

/// Sheets that are not grounded, for the reasons that tests/grounding_corpus.rs gives; the interpreter alone plays them.
const UNGROUNDED: &[&str] = &["chess", "laikLee_hex", "mummymaze1p", "slaughter"];

/// What grounding a sheet may take at most, on a machine that may be busy.
const PATIENCE: Duration = Duration::from_secs(60);

#[test]
fn every_engine_sees_what_the_reference_reasoner_saw() {
    let Some(corpus) = support::corpus() else { return };
    let traces = traces(&corpus);
    assert!(traces.len() > 200, "the corpus has {} traces only", traces.len());
    for engine in EngineKind::CONCRETE {
        // Building networks takes long without optimisation: some of the traces have to do there.
        let step = if cfg!(debug_assertions) && engine == EngineKind::Propnet { 10 } else { 1 };
        let traces: Vec<&PathBuf> = traces.iter().skip(step - 1).step_by(step).collect();
        let (states, failures) = in_parallel(&traces, |trace| conforms(&corpus, trace, engine));
        assert!(
            failures.is_empty(),
            "{engine}: {} of {} traces:\n{}",
            failures.len(),
            traces.len(),
            failures.join("\n")
        );
        println!("{engine}: {} traces, {states} states agree", traces.len());
    }
}

#[test]
fn every_sheet_that_passes_the_checks_can_be_set_up() {
    let sheets = support::sheets();
    let set_up = |sheet: &PathBuf| match load(&sheet.to_string_lossy(), Path::new(""), EngineKind::Interpreter) {
        Ok(_) | Err(LoadError::Rejected { .. }) => Ok(1),
        Err(error) => Err(error.to_string()),
    };
    let (_, failures) = in_parallel(&sheets, set_up);
    assert!(failures.is_empty(), "{} of {} sheets:\n{}", failures.len(), sheets.len(), failures.join("\n"));
}

/// Whether an engine is known not to be there for the sheet or trace.
fn is_left_out(file: &Path, engine: EngineKind) -> bool {
    let name = file.file_stem().unwrap_or_default().to_string_lossy();
    engine == EngineKind::Propnet && UNGROUNDED.contains(&name.trim_end_matches(".late"))
}

/// Replays one trace; how many states agree, or what is wrong.
fn conforms(corpus: &Path, trace: &Path, engine: EngineKind) -> Result<u64, String> {
    let name = trace.file_stem().expect("a trace has a name").to_string_lossy().into_owned();
    let game = name.strip_suffix(".late").unwrap_or(&name);
    if is_left_out(trace, engine) {
        return Ok(0);
    }
    let sheet = corpus.join("kif").join(format!("{game}.kif"));
    let rejected = REJECTED.iter().find(|(sheet, _)| *sheet == game);
    let mut options = EngineOptions::from(engine);
    options.budget = GroundBudget::new().with_time(PATIENCE);
    let mut game = match (load(&sheet.to_string_lossy(), Path::new(""), options), rejected) {
        (Ok(game), None) => game,
        (Ok(_), Some(_)) => return Err(format!("{name}: listed as rejected, and loads")),
        (Err(LoadError::Rejected { diagnostics, .. }), Some((_, code))) => {
            let is_listed = diagnostics.iter().any(|problem| problem.code.id == *code);
            return if is_listed { Ok(0) } else { Err(format!("{name}: rejected for another reason than {code}")) };
        }
        (Err(error), _) => return Err(format!("{name}: {error}")),
    };
    let input = BufReader::new(File::open(trace).map_err(|error| format!("{name}: {error}"))?);
    let engine = game.engine().map_err(|error| format!("{name}: {error}"))?;
    match replay(engine, input) {
        Ok(Replayed { states, difference: None, .. }) if states > 0 => Ok(states),
        Ok(Replayed { difference: None, .. }) => Err(format!("{name}: the trace has no states")),
        Ok(Replayed { difference: Some(difference), .. }) => Err(format!("{name}: {difference}")),
        Err(error) => Err(format!("{name}: {error}")),
    }
}

/// The traces of the corpus, the largest first, so that no thread ends with a long one.
fn traces(corpus: &Path) -> Vec<PathBuf> {
    let entries = std::fs::read_dir(corpus.join("traces")).expect("the corpus has a folder `traces`");
    let mut traces: Vec<PathBuf> = entries.map(|entry| entry.expect("a folder can be listed").path()).collect();
    traces.retain(|path| path.extension().is_some_and(|extension| extension == "jsonl"));
    traces.sort_by_key(|path| (std::cmp::Reverse(path.metadata().map_or(0, |data| data.len())), path.clone()));
    traces
}
