//! The sheets with operations that Stanford's course plays, compared state by state with the traces of its own reasoner:
//! facts, legal moves of the role in control, end, control and goals, on the interpreter, on the network, and in lanes.

use crate::effort::is_brief;
use crate::parallel::in_parallel;
use crate::support;
use ggp::engine::{EngineKind, EngineOptions, Game, LIBRARY, load, load_text};
use ggp::game::{BatchReasoner, Expansion, Expansions, Move, Reasoner, Role, Utility};
use ggp::rules::GroundTerm;
use ggp::search::{self, Budget, DepthCount};
use ggp::syntax::{Dialect, Source, format, parse, parse_term};
use serde::Deserialize;
use std::io::Write;
use std::path::{Path, PathBuf};

/// Sheets of which every engine is compared in a brief run: one with each feature of the dialect, without large networks.
const SAMPLE: &[&str] = &[
    "albuquerque",
    "buttonsandlights",
    "chinook",
    "hamilton",
    "leafymcfallface",
    "parallelbuttonsandlights",
    "rainbow",
    "threepuzzle",
    "tictactoe",
];

/// The folder of the sheets with their traces, next to the corpus. Reports if there is none.
fn course() -> Option<PathBuf> {
    let folder = support::corpus()?.join("../stanford");
    if folder.is_dir() {
        return Some(folder);
    }
    // Written past the capture of the test harness, so that it is visible.
    let _ = writeln!(std::io::stderr(), "skipped: no sheets at {}", folder.display());
    None
}

/// The number of sheets.
const SHEETS: usize = 44;

/// Sheets that are not grounded: `solution` of the eight queens has a rule for each way to place them in eight columns.
/// Only the interpreter plays them.
const UNGROUNDED: &[&str] = &["queens"];

#[derive(Deserialize)]
struct Roles {
    roles: Vec<String>,
}

/// A state of a trace.
#[derive(Deserialize)]
struct Visit {
    p: u32,
    k: u32,
    state: Vec<String>,
    terminal: bool,
    control: String,
    goals: Vec<String>,
    legal: Vec<String>,
    #[serde(rename = "move")]
    chosen: Option<String>,
}

#[test]
fn engines_match_the_traces_of_the_course() {
    let Some(folder) = course() else { return };
    let sheets = sheets(&folder);
    assert_eq!(sheets.len(), SHEETS);
    for engine in EngineKind::CONCRETE {
        let mut chosen: Vec<&PathBuf> = sheets.iter().filter(|sheet| !is_brief() || is_one_of(sheet, SAMPLE)).collect();
        chosen.retain(|sheet| engine == EngineKind::Interpreter || !is_one_of(sheet, UNGROUNDED));
        let (states, failures) = in_parallel(&chosen, |sheet| conforms(&folder, sheet, engine));
        assert!(
            failures.is_empty(),
            "{engine}: {} of {} games:\n{}",
            failures.len(),
            chosen.len(),
            failures.join("\n")
        );
        println!("{engine}: {} games, {states} states agree", chosen.len());
    }
}

#[test]
fn every_sheet_of_the_course_can_be_loaded() {
    let Some(folder) = course() else { return };
    for sheet in sheets(&folder) {
        let game = load(&sheet, Path::new(""), EngineKind::Interpreter);
        assert!(game.is_ok(), "{}: {}", sheet.display(), game.err().map(|error| error.to_string()).unwrap_or_default());
    }
}

fn is_one_of(sheet: &Path, names: &[&str]) -> bool {
    sheet.file_stem().is_some_and(|stem| names.iter().any(|name| stem == *name))
}

fn sheets(folder: &Path) -> Vec<PathBuf> {
    let entries = std::fs::read_dir(folder.join("hrf")).expect("the folder has a folder `hrf`");
    let mut sheets: Vec<PathBuf> = entries.filter_map(|entry| Some(entry.ok()?.path())).collect();
    sheets.sort();
    sheets
}

/// Compares a sheet with its trace; returns the number of states that agree, or the first difference.
fn conforms(folder: &Path, sheet: &Path, engine: EngineKind) -> Result<u64, String> {
    let name = sheet.file_stem().expect("a sheet has a name").to_string_lossy().into_owned();
    let failed = |what: String| format!("{name}: {what}");
    let text = std::fs::read_to_string(folder.join("traces").join(format!("{name}.jsonl")))
        .map_err(|e| failed(e.to_string()))?;
    let mut lines = text.lines();
    let roles: Roles = serde_json::from_str(lines.next().unwrap_or_default()).map_err(|e| failed(e.to_string()))?;
    let visits: Result<Vec<Visit>, _> = lines.map(serde_json::from_str).collect();
    let visits = visits.map_err(|e| failed(e.to_string()))?;
    let mut game = load(sheet, Path::new(""), EngineOptions::from(engine)).map_err(|e| failed(e.to_string()))?;
    let idle = game.rules.operations.as_ref().and_then(|names| names.idle.clone()).map(GroundTerm::symbol);
    let trace = Trace { roles: roles.roles.iter().map(|role| term(role)).collect(), visits, idle };
    trace.compare(&mut game).map_err(failed)
}

/// A trace, and the move that roles without control make here.
struct Trace {
    roles: Vec<GroundTerm>,
    visits: Vec<Visit>,
    idle: Option<GroundTerm>,
}

impl Trace {
    fn compare(&self, game: &mut Game) -> Result<u64, String> {
        let engine = game.engine().map_err(|error| error.to_string())?;
        if engine.roles() != self.roles {
            return Err(format!("roles: {:?}", engine.roles()));
        }
        let mut state = engine.initial_state().map_err(|error| error.to_string())?;
        let mut states = Vec::new();
        for visit in &self.visits {
            if visit.k == 0 {
                state = engine.initial_state().map_err(|error| error.to_string())?;
            }
            self.state(engine, &state, visit).map_err(|what| format!("match {}, ply {}: {what}", visit.p, visit.k))?;
            states.push(state.clone());
            if let Some(joint_move) = self.joint_move(engine, visit)? {
                state = engine.next_state(&state, &joint_move).map_err(|error| error.to_string())?;
            }
        }
        self.batch(engine, &states)?;
        Ok(self.visits.len() as u64)
    }

    /// Compares the answers about one state.
    fn state<R: Reasoner>(&self, engine: &mut R, state: &R::State, visit: &Visit) -> Result<(), String> {
        same("facts", sorted(engine.facts(state)), sorted(visit.state.iter().map(|fact| term(fact)).collect()))?;
        let terminal = engine.is_terminal(state).map_err(|error| error.to_string())?;
        same("terminal", terminal, visit.terminal)?;
        for (index, goal) in visit.goals.iter().enumerate() {
            let found = engine.goal(state, Role::new(index)).map_err(|error| error.to_string())?;
            same("goal", found, utility(goal))?;
        }
        if terminal {
            return Ok(());
        }
        for (index, role) in self.roles.iter().enumerate() {
            let mut moves = Vec::new();
            engine.legal_moves(state, Role::new(index), &mut moves).map_err(|error| error.to_string())?;
            let found = moves.iter().map(|&chosen| engine.move_term(chosen)).collect();
            same("legal", sorted(found), self.legal(visit, role))?;
        }
        Ok(())
    }

    /// The legal moves of a role: those of the trace if it has control.
    fn legal(&self, visit: &Visit, role: &GroundTerm) -> Vec<GroundTerm> {
        match *role == term(&visit.control) {
            true => sorted(visit.legal.iter().map(|chosen| term(chosen)).collect()),
            false => self.idle.iter().cloned().collect(),
        }
    }

    fn joint_move<R: Reasoner>(&self, engine: &mut R, visit: &Visit) -> Result<Option<Vec<Move>>, String> {
        let Some(chosen) = &visit.chosen else { return Ok(None) };
        let moves = self.roles.iter().map(|role| match *role == term(&visit.control) {
            true => engine.find_move(&term(chosen)),
            false => engine.find_move(self.idle.as_ref().expect("several roles")),
        });
        moves.collect::<Result<_, _>>().map(Some).map_err(|error| error.to_string())
    }

    /// Compares the answers about all states at once, which networks compute in lanes.
    fn batch<R: BatchReasoner>(&self, engine: &mut R, states: &[R::State]) -> Result<(), String> {
        let mut expansions = Expansions::default();
        let size = engine.batch().max(1);
        for (states, visits) in states.chunks(size).zip(self.visits.chunks(size)) {
            engine.expand(&states.iter().collect::<Vec<_>>(), &mut expansions);
            for (index, visit) in visits.iter().enumerate() {
                let here = |what: String| format!("match {}, ply {}, in a batch: {what}", visit.p, visit.k);
                match expansions.get(index).map_err(|error| here(error.to_string()))? {
                    Expansion::End(found) => {
                        let goals: Vec<_> = visit.goals.iter().map(|goal| Ok(utility(goal))).collect();
                        same("goals", found.to_vec(), goals).map_err(here)?;
                    }
                    Expansion::Turn(turn) => {
                        same("terminal", false, visit.terminal).map_err(here)?;
                        for (number, role) in self.roles.iter().enumerate() {
                            let found = turn.legal(Role::new(number)).iter().map(|&chosen| engine.move_term(chosen));
                            same("legal", sorted(found.collect()), self.legal(visit, role)).map_err(here)?;
                        }
                    }
                }
            }
        }
        Ok(())
    }
}

fn same<T: PartialEq + std::fmt::Debug>(what: &str, found: T, expected: T) -> Result<(), String> {
    if found == expected { Ok(()) } else { Err(format!("{what}: {found:?}, and the course has {expected:?}")) }
}

fn sorted(mut terms: Vec<GroundTerm>) -> Vec<GroundTerm> {
    terms.sort();
    terms
}

fn term(text: &str) -> GroundTerm {
    let parsed = parse_term(&Source::new("trace", text), Some(Dialect::Operations)).ok();
    parsed.and_then(|term| GroundTerm::from_term(&term)).expect("a trace has ground terms")
}

fn utility(text: &str) -> Utility {
    Utility::whole(text.parse().expect("a goal is a number"))
}

/// Printed as GDL, and written with operations again, a sheet has as many nodes at each depth as it has itself.
#[test]
fn sheets_of_the_course_keep_their_trees_in_gdl() {
    let Some(folder) = course() else { return };
    let depth = if is_brief() { 2 } else { 3 };
    let sheets = sheets(&folder);
    let chosen: Vec<&PathBuf> = sheets.iter().filter(|sheet| !is_brief() || is_one_of(sheet, SAMPLE)).collect();
    let (kept, failures) = in_parallel(&chosen, |sheet| keeps_its_tree(sheet, depth));
    assert!(failures.is_empty(), "{}", failures.join("\n"));
    assert_eq!(kept, chosen.len() as u64);
}

fn keeps_its_tree(sheet: &Path, depth: u32) -> Result<u64, String> {
    let text = std::fs::read_to_string(sheet).map_err(|error| error.to_string())?;
    let source = Source::new(sheet.display().to_string(), text);
    let own = nodes(&source, depth)?;
    for dialect in [Dialect::Infix, Dialect::Prefix] {
        let failed = |what: String| format!("{}, {}: {what}", sheet.display(), dialect.name());
        let printed = format(&source, None, Some(dialect)).map_err(|problems| failed(format!("{problems:?}")))?;
        let printed = Source::new(format!("{}.{}", source.name(), dialect.name()), printed);
        let parsed = parse(&printed, None).sheet;
        same("dialect", parsed.dialect, dialect).map_err(failed)?;
        same("nodes", nodes(&printed, depth)?, own.clone()).map_err(failed)?;
        let again = format(&printed, None, Some(Dialect::Operations))
            .map_err(|problems| failed(format!("not written with operations: {problems:?}")))?;
        let again = Source::new(format!("{} again", source.name()), again);
        same("nodes with operations", nodes(&again, depth)?, own.clone()).map_err(failed)?;
    }
    Ok(1)
}

/// The numbers of nodes at each depth.
fn nodes(source: &Source, depth: u32) -> Result<Vec<DepthCount>, String> {
    let failed = |error: &dyn std::fmt::Display| format!("{}: {error}", source.name());
    // The network counts large trees in time; the interpreter plays the sheets that are not grounded.
    let is_ungrounded = UNGROUNDED.iter().any(|name| source.name().contains(&format!("/{name}.")));
    let engine = if is_ungrounded { EngineKind::Interpreter } else { EngineKind::Auto };
    let mut game = load_text("game".to_string(), source.clone(), None, engine).map_err(|error| failed(&error))?;
    let engine = game.engine().map_err(|error| failed(&error))?;
    let start = engine.initial_state().map_err(|error| failed(&error))?;
    let counted = search::perft(engine, &start, depth, &Budget::new()).map_err(|error| failed(&error))?;
    Ok(counted.answer.ok_or_else(|| failed(&"no depth was counted"))?.depths)
}

/// Three Puzzle as it is in the library, and as the course plays it today.
#[test]
fn three_puzzle_has_the_tree_of_the_library() {
    let Some(folder) = course() else { return };
    let text = std::fs::read_to_string(folder.join("hrf/threepuzzle.hrf")).expect("it is there");
    let library = LIBRARY.iter().find(|sheet| sheet.name == "three_puzzle").expect("it is in the library");
    let own = nodes(&Source::new("threepuzzle", text), 8).expect("it is small");
    assert_eq!(nodes(&Source::new("three_puzzle", library.text), 8).expect("it is small"), own);
}
