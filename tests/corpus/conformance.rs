//! Every engine compared with the reference traces of the corpus, state by state: initial facts, legal moves, terminal,
//! goals, next facts.

use crate::effort::is_brief;
use crate::large_sheets;
use crate::parallel::in_parallel;
use crate::support;
use ggp::engine::{EngineKind, EngineOptions, LoadError, ReplayResult, load, replay};
use ggp_engine::ground::GroundBudget;
use std::collections::BTreeMap;
use std::fmt::Display;
use std::fs::File;
use std::io::BufReader;
use std::path::{Path, PathBuf};
use std::time::Duration;

/// Sheets with a trace that the checks reject, with the code of the error; they are neither loaded nor replayed.
const REJECTED: &[(&str, &str)] = &[
    // `(<= (goal ?p 100) (cell 1 1))`: an unbound variable in the head.
    ("basetest__test_case_3e", "E112"),
];

/// Sheets that are not grounded, for the reasons given in tests/corpus/grounding_corpus.rs; only the interpreter plays
/// them.
pub(crate) const UNGROUNDED: &[&str] = &["laikLee_hex"];

/// The maximum time to ground a sheet: many times what the slowest needs alone, so that a busy machine changes no
/// result.
const PATIENCE: Duration = Duration::from_secs(300);

#[test]
fn the_interpreter_matches_the_reference_traces() {
    matches_the_reference_traces(EngineKind::Interpreter, 1);
}

/// Building networks takes long without optimisation, so only some of the games are replayed, unless all are asked for.
#[test]
fn the_network_matches_the_reference_traces() {
    matches_the_reference_traces(EngineKind::Propnet, if is_brief() { 10 } else { 1 });
}

/// Replays the traces of one game of so many on an engine.
fn matches_the_reference_traces(engine: EngineKind, step: usize) {
    let Some(corpus) = support::corpus() else { return };
    let games = games(&corpus);
    assert!(games.len() > 200, "the corpus has traces of {} games only", games.len());
    let games: Vec<&(String, Vec<PathBuf>)> = games.iter().skip(step - 1).step_by(step).collect();
    let traces: usize = games.iter().map(|(_, traces)| traces.len()).sum();
    let (states, failures) = in_parallel(&games, |(game, traces)| conforms(&corpus, game, traces, engine));
    assert!(failures.is_empty(), "{engine}: {} of {} games:\n{}", failures.len(), games.len(), failures.join("\n"));
    println!("{engine}: {} games, {traces} traces, {states} states agree", games.len());
}

#[test]
fn engines_match_the_reference_traces_of_large_sheets() {
    let Some(folder) = support::corpus().and_then(|corpus| large_sheets::large(&corpus)) else { return };
    for engine in EngineKind::CONCRETE {
        let games = games(&folder);
        let (states, failures) = in_parallel(&games, |(game, traces)| conforms(&folder, game, traces, engine));
        assert!(failures.is_empty(), "{engine}: {}", failures.join("\n"));
        println!("{engine}: {states} states agree");
    }
}

#[test]
fn every_sheet_that_passes_the_checks_can_be_set_up() {
    let sheets = support::sheets();
    let set_up = |sheet: &PathBuf| match load(sheet, Path::new(""), EngineKind::Interpreter) {
        Ok(_) | Err(LoadError::Rejected { .. }) => Ok(1),
        Err(error) => Err(error.to_string()),
    };
    let (_, failures) = in_parallel(&sheets, set_up);
    assert!(failures.is_empty(), "{} of {} sheets:\n{}", failures.len(), sheets.len(), failures.join("\n"));
}

/// Replays the traces of a game; returns the number of states that agree, or the first error. The game is set up once
/// for all of them.
fn conforms(corpus: &Path, game: &str, traces: &[PathBuf], engine: EngineKind) -> Result<u64, String> {
    if engine == EngineKind::Propnet && UNGROUNDED.contains(&game) {
        return Ok(0);
    }
    let sheet = corpus.join("kif").join(format!("{game}.kif"));
    let rejected = REJECTED.iter().find(|(sheet, _)| *sheet == game);
    let mut options = EngineOptions::from(engine);
    options.budget = GroundBudget::new().with_time(PATIENCE);
    let mut loaded = match (load(&sheet, Path::new(""), options), rejected) {
        (Ok(loaded), None) => loaded,
        (Ok(_), Some(_)) => return Err(format!("{game}: listed as rejected, and loads")),
        (Err(LoadError::Rejected { diagnostics, .. }), Some((_, code))) => {
            let is_listed = diagnostics.iter().any(|problem| problem.code.id == *code);
            return if is_listed { Ok(0) } else { Err(format!("{game}: rejected for another reason than {code}")) };
        }
        (Err(error), _) => return Err(format!("{game}: {error}")),
    };
    let engine = loaded.engine().map_err(|error| format!("{game}: {error}"))?;
    let mut agreed = 0;
    for trace in traces {
        let failed = |what: &dyn Display| format!("{}: {what}", trace.display());
        let input = BufReader::new(File::open(trace).map_err(|error| failed(&error))?);
        match replay(engine, input) {
            Ok(ReplayResult { states, difference: None, .. }) if states > 0 => agreed += states,
            Ok(ReplayResult { difference: None, .. }) => return Err(failed(&"the trace has no states")),
            Ok(ReplayResult { difference: Some(difference), .. }) => return Err(failed(&difference)),
            Err(error) => return Err(failed(&error)),
        }
    }
    Ok(agreed)
}

/// The games with traces in the corpus, with these, the largest first, so that no thread ends with a long one.
pub(crate) fn games(corpus: &Path) -> Vec<(String, Vec<PathBuf>)> {
    let entries = std::fs::read_dir(corpus.join("traces")).expect("the corpus has a folder `traces`");
    let mut games: BTreeMap<String, Vec<PathBuf>> = BTreeMap::new();
    for entry in entries {
        let path = entry.expect("a folder can be listed").path();
        let name = path.file_name().expect("an entry of a folder has a name").to_string_lossy().into_owned();
        if let Some(trace) = name.strip_suffix(".jsonl") {
            games.entry(trace.trim_end_matches(".late").to_string()).or_default().push(path);
        }
    }
    let mut games: Vec<(String, Vec<PathBuf>)> = games.into_iter().collect();
    let length = |path: &PathBuf| path.metadata().map_or(0, |data| data.len());
    games.iter_mut().for_each(|(_, traces)| traces.sort());
    games.sort_by_key(|(_, traces)| std::cmp::Reverse(traces.iter().map(length).sum::<u64>()));
    games
}
