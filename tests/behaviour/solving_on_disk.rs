//! Games solved on disk: published counts, the values of `solve` in memory, the same files for any number of workers,
//! and runs that are stopped, damaged and resumed.

use crate::effort::{effort, is_brief};
use crate::ggp::ggp;
use crate::program::call;
use ggp::engine::{Engine, EngineKind, LIBRARY, load, load_text};
use ggp::game::{Reasoner, Utility};
use ggp::limits::{Deadline, Limits, Stop};
use ggp::search::Budget;
use ggp::solving::{Database, Job, Manifest, Progress, SolvingError, solve};
use ggp::syntax::Source;
use std::collections::BTreeMap;
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, AtomicU32, Ordering};
use std::time::Duration;

/// A folder for one test, removed at its end.
pub(crate) struct Folder(pub(crate) PathBuf);

impl Folder {
    pub(crate) fn new(name: &str) -> Self {
        let path = Path::new(env!("CARGO_TARGET_TMPDIR")).join(format!("solving-{}-{name}", std::process::id()));
        // It may be left from an earlier run.
        let _ = std::fs::remove_dir_all(&path);
        Self(path)
    }

    pub(crate) fn text(&self) -> &str {
        self.0.to_str().expect("the path is text")
    }

    /// All files of a run except the manifest of layers in work, by name.
    pub(crate) fn files(&self) -> BTreeMap<PathBuf, Vec<u8>> {
        let (mut files, mut folders) = (BTreeMap::new(), vec![self.0.clone()]);
        while let Some(folder) = folders.pop() {
            for entry in std::fs::read_dir(&folder).expect("the folder can be read") {
                let path = entry.expect("the entry can be read").path();
                if path.is_dir() {
                    folders.push(path);
                } else {
                    let name = path.strip_prefix(&self.0).expect("it is inside").to_path_buf();
                    files.insert(name, std::fs::read(&path).expect("the file can be read"));
                }
            }
        }
        files
    }

    pub(crate) fn job(&self) -> Job {
        Job::new(&self.0)
    }
}

impl Drop for Folder {
    fn drop(&mut self) {
        // A test may not have made it.
        let _ = std::fs::remove_dir_all(&self.0);
    }
}

/// A game with its text.
pub(crate) struct Sheet {
    pub(crate) name: String,
    pub(crate) text: String,
    pub(crate) engine: Engine,
}

pub(crate) fn library(name: &str) -> Sheet {
    let game = load(name, Path::new("."), EngineKind::Propnet).expect("the library has it");
    sheet(game)
}

fn sheet(game: ggp::Game) -> Sheet {
    let (name, text) = (game.name.clone(), game.source.text().to_string());
    Sheet { name, text, engine: game.into_engine().expect("it has a network") }
}

pub(crate) fn written(text: &str) -> Sheet {
    let source = Source::new("test.gdl", text);
    sheet(load_text("test".to_string(), source, None, EngineKind::Propnet).expect("the sheet is valid"))
}

impl Sheet {
    pub(crate) fn solve(&mut self, job: &Job) -> Result<Manifest, SolvingError> {
        self.watched(job, |_| {})
    }

    pub(crate) fn watched(
        &mut self,
        job: &Job,
        watch: impl Fn(&Progress) + Send + Sync + 'static,
    ) -> Result<Manifest, SolvingError> {
        solve(&self.name, &self.text, &mut self.engine, job, Arc::new(watch))
    }
}

/// The number of states of each value, as `solve` in memory counts them.
fn worths(manifest: &Manifest) -> Vec<(Option<Vec<Utility>>, u64)> {
    let endings = manifest.endings.iter().cloned().map(Some).chain([None]);
    endings.zip(manifest.worths()).filter(|(_, states)| *states > 0).collect()
}

#[test]
fn tic_tac_toe_has_the_published_layers() {
    let folder = Folder::new("layers");
    let manifest = library("tic_tac_toe").solve(&folder.job()).expect("it is solved");
    let layers: Vec<u64> = manifest.layers.iter().map(|layer| layer.states).collect();
    assert_eq!(layers, [1, 9, 72, 252, 756, 1260, 1520, 1140, 390, 78]);
    assert_eq!((manifest.states(), manifest.joint_moves()), (5_478, 16_167));
    assert_eq!(manifest.value(), Some(&[Utility::whole(50); 2][..]));
}

#[test]
fn connect_four_has_the_published_number_of_states() {
    let folder = Folder::new("connect-four");
    let manifest = library("connect_four_4x4").solve(&Job { workers: 2, ..folder.job() }).expect("it is solved");
    assert_eq!((manifest.states(), manifest.joint_moves()), (161_029, 304_574));
    assert_eq!(manifest.worths(), [36_499, 90_120, 34_410, 0]);
    assert!(manifest.bytes() < 2 * manifest.states(), "{} bytes", manifest.bytes());
}

/// States of Connect Four on its usual board by the number of discs: OEIS A212693.
const DISCS: [u64; 13] = [1, 7, 49, 238, 1120, 4263, 16422, 54859, 184275, 558186, 1662623, 4568683, 12236101];

#[test]
fn connect_four_has_the_published_layers() {
    let folder = Folder::new("discs");
    let mut sheet = library("connect_four");
    let counted = |manifest: &Manifest| manifest.layers.iter().map(|layer| layer.states).collect::<Vec<_>>();
    let layers = effort(5, 9);
    let job = Job { count_only: true, layers: Some(3), workers: 2, ..folder.job() };
    assert_eq!(counted(&sheet.solve(&job).expect("it is counted")), DISCS[..4]);
    let manifest = sheet.solve(&Job { layers: Some(layers), resume: true, ..job }).expect("it goes on");
    assert_eq!(counted(&manifest), DISCS[..=layers as usize]);
    assert!(!manifest.is_explored());
}

#[test]
fn a_damaged_manifest_is_not_promised_to_be_made_again() {
    let folder = Folder::new("manifest");
    std::fs::create_dir_all(&folder.0).expect("the folder is made");
    std::fs::write(folder.0.join("manifest.json"), "half of").expect("the file is written");
    let error = library("tic_tac_toe").solve(&Job { resume: true, ..folder.job() }).expect_err("it is damaged");
    assert!(error.to_string().ends_with("begin the run again in another folder"), "{error}");
}

#[test]
fn larger_boards_have_the_published_number_of_states() {
    let boards = [("connect_four_4x5", 1_706_255), ("connect_four_5x4", 3_945_711)];
    for &(name, states) in effort(&boards[..1], &boards) {
        let folder = Folder::new(name);
        let manifest = library(name).solve(&Job { workers: 2, ..folder.job() }).expect("it is solved");
        assert_eq!((manifest.states(), manifest.value()), (states, Some(&[Utility::whole(50); 2][..])), "{name}");
    }
}

#[test]
fn games_without_values_on_disk_are_refused_before_all_states_are_found() {
    // What shows that a game is of such a kind is met in one of the first layers.
    for (name, states, most) in [("pig_dice", 86_071, 8), ("rock_paper_scissors", 10, 0)] {
        let refused = Folder::new(&format!("refused-{name}"));
        let largest = Arc::new(AtomicU32::new(0));
        let layers = largest.clone();
        let watch = move |progress: &Progress| _ = layers.fetch_max(progress.layer, Ordering::Relaxed);
        assert!(library(name).watched(&refused.job(), watch).is_err(), "{name}");
        let largest = largest.load(Ordering::Relaxed);
        assert!(largest <= most, "{name}: layer {largest}");
        let counted = Folder::new(&format!("counted-{name}"));
        let manifest = library(name).solve(&Job { count_only: true, ..counted.job() }).expect("it is counted");
        assert_eq!(manifest.states(), states, "{name}");
    }
}

/// Games that are too large for a test of all games, or have no value on disk.
const LEFT_OUT: &[&str] =
    &["breakthrough_6x6", "connect_four", "connect_four_4x5", "connect_four_5x4", "connect_four_5x5", "peg_solitaire"];

/// The boards of peg solitaire by the number of jumps.
const PEGS: [u64; 12] = [1, 4, 12, 60, 296, 1338, 5648, 21842, 77559, 249690, 717788, 1834379];

#[test]
fn peg_solitaire_has_the_published_layers() {
    let folder = Folder::new("pegs");
    let layers = effort(8, PEGS.len());
    let steps = u32::try_from(layers - 1).expect("there are few");
    let job = Job { workers: 2, count_only: true, ..folder.job() };
    assert!(stopped_after(&mut library("peg_solitaire"), steps, &job));
    let manifest = Database::manifest_of(&folder.0).expect("there is a run");
    let counted: Vec<u64> = manifest.layers.iter().map(|layer| layer.states).collect();
    assert_eq!(counted[..layers], PEGS[..layers]);
}

/// Compares a game with `solve` in memory; false if that cannot solve it within this many states.
fn is_as_in_memory(sheet: &mut Sheet, nodes: u64) -> bool {
    let root = sheet.engine.initial_state().expect("there is an initial state");
    let budget = Budget::new().with_nodes(nodes);
    let Ok(outcome) = ggp::search::solve(&mut sheet.engine, &root, &budget) else { return false };
    let Some(expected) = outcome.answer else { return false };
    let folder = Folder::new(&format!("compared-{}", sheet.name));
    let manifest = match sheet.solve(&Job { workers: 2, distances: true, ..folder.job() }) {
        Ok(manifest) => manifest,
        Err(SolvingError::Unsupported { .. }) if expected.expected.is_some() => return false,
        Err(error) => panic!("{}: {error}", sheet.name),
    };
    assert_eq!((manifest.states(), manifest.joint_moves()), (expected.states, expected.joint_moves), "{}", sheet.name);
    assert_eq!(manifest.value(), expected.utilities.as_deref(), "{}", sheet.name);
    let in_memory: Vec<_> = expected.worths.iter().map(|worth| (worth.utilities.clone(), worth.states)).collect();
    assert_eq!(worths(&manifest), in_memory, "{}", sheet.name);
    let database = Database::open(&folder.0, &sheet.name, &sheet.text, &mut sheet.engine).expect("it opens");
    let known = database.find(&sheet.engine, &root).expect("files are right").expect("the first state is known");
    assert_eq!((known.utilities, known.moves), (expected.utilities, expected.moves), "{}", sheet.name);
    true
}

#[test]
fn values_are_those_of_solve_in_memory() {
    // Unoptimised, larger games take long.
    let nodes = effort(6_000, 200_000);
    let mut compared = Vec::new();
    for game in LIBRARY.iter().filter(|game| !LEFT_OUT.contains(&game.name)) {
        if is_as_in_memory(&mut library(game.name), nodes) {
            compared.push(game.name);
        }
    }
    for name in ["hanoi", "lights_out", "nim", "three_player_tree", "tic_tac_toe"] {
        assert!(compared.contains(&name), "{name} is not among {compared:?}");
    }
}

/// Two roles walk in a circle by turns. Each may stop, which is worth more in some rooms, and neither has to.
const CIRCLE: &str = "
role(a) role(b) init(turn(a)) init(at(1))
legal(P,go) :- true(turn(P)) legal(P,stop) :- true(turn(P))
legal(a,noop) :- true(turn(b)) legal(b,noop) :- true(turn(a))
next(turn(b)) :- true(turn(a)) & ~does(a,stop) next(turn(a)) :- true(turn(b)) & ~does(b,stop)
next(at(Y)) :- true(at(X)) & after(X,Y) & ~stopped next(at(X)) :- true(at(X)) & stopped
next(over(P)) :- does(P,stop)
stopped :- does(P,stop)
after(1,2) after(2,3) after(3,4) after(4,5) after(5,1)
terminal :- true(over(P))
goal(P,100) :- true(over(P)) & true(at(4)) goal(P,0) :- true(over(P)) & ~true(at(4))
goal(P,0) :- true(over(Q)) & distinct(P,Q) & role(P) & true(at(4))
goal(P,100) :- true(over(Q)) & distinct(P,Q) & role(P) & ~true(at(4))
";

/// A walk of one role among rooms, with ends of different worth, and rooms from which no end can be reached.
pub(crate) const ROOMS: &str = "
role(robot) init(at(1))
legal(robot,go(Y)) :- true(at(X)) & door(X,Y)
next(at(Y)) :- does(robot,go(Y))
door(1,2) door(2,1) door(2,3) door(3,1) door(1,4) door(4,5) door(5,4) door(3,6) door(3,7) door(7,3) door(7,8)
terminal :- true(at(6)) terminal :- true(at(8))
goal(robot,70) :- true(at(6)) goal(robot,80) :- true(at(8)) goal(robot,0) :- ~terminal
";

#[test]
fn games_whose_states_repeat_have_the_values_of_solve_in_memory() {
    for text in [CIRCLE, ROOMS] {
        assert!(is_as_in_memory(&mut written(text), 1_000), "{text}");
    }
}

#[test]
fn files_do_not_depend_on_the_workers() {
    let mut games = vec!["tic_tac_toe", "nim"];
    if !is_brief() {
        games.extend(["connect_four_4x4", "hanoi_8"]);
    }
    for name in games {
        let mut sheet = library(name);
        let folder = Folder::new(&format!("one-{name}"));
        sheet.solve(&Job { distances: true, ..folder.job() }).expect("it is solved");
        for (workers, memory) in [(2, 1 << 30), (3, 1 << 15), (8, 1 << 30)] {
            let other = Folder::new(&format!("{workers}-{name}"));
            let limits = Limits::new().with_memory(memory);
            sheet.solve(&Job { workers, limits, distances: true, ..other.job() }).expect("it is solved");
            assert!(folder.files() == other.files(), "{workers} workers make other files of {name}");
        }
    }
}

#[test]
fn blocks_belong_to_the_layer_that_they_carry_however_late_they_come() {
    let (folder, other) = (Folder::new("punctual"), Folder::new("late"));
    let mut sheet = library("tic_tac_toe");
    sheet.solve(&folder.job()).expect("it is solved");
    let delay = Duration::from_millis(6);
    // With so little memory a layer takes several rounds.
    sheet
        .solve(&Job { workers: 4, limits: Limits::new().with_memory(1 << 14), delay, ..other.job() })
        .expect("it is solved");
    assert!(folder.files() == other.files(), "delayed workers make other files");
}

#[test]
fn files_do_not_depend_on_commits() {
    let games: &[&str] = effort(&["tic_tac_toe", "hanoi"], &["tic_tac_toe", "hanoi", "connect_four_4x4"]);
    for name in games {
        let (whole, parts) = (Folder::new(&format!("commits-none-{name}")), Folder::new(&format!("commits-{name}")));
        let mut sheet = library(name);
        sheet.solve(&whole.job()).expect("it is solved");
        // With so little memory a layer takes several rounds, each of which is committed.
        let job =
            Job { workers: 3, limits: Limits::new().with_memory(1 << 13), commit_after: Duration::ZERO, ..parts.job() };
        sheet.solve(&job).expect("it is solved");
        assert!(whole.files() == parts.files(), "{name}");
    }
}

/// Stops a run after this many steps; whether it was stopped.
pub(crate) fn stopped_after(sheet: &mut Sheet, steps: u32, job: &Job) -> bool {
    let (flag, seen) = (Arc::new(AtomicBool::new(false)), AtomicU32::new(0));
    let job = Job { limits: job.limits.clone().with_interrupt(flag.clone()), ..job.clone() };
    let result = sheet.watched(&job, move |_| {
        flag.store(seen.fetch_add(1, Ordering::Relaxed) + 1 >= steps, Ordering::Relaxed);
    });
    matches!(result, Err(SolvingError::Ended(Stop::Interrupted)))
}

#[test]
fn a_stopped_run_goes_on_with_other_workers_and_comes_to_the_same_files() {
    for name in ["tic_tac_toe", "hanoi"] {
        let (whole, parts) = (Folder::new(&format!("whole-{name}")), Folder::new(&format!("parts-{name}")));
        let mut sheet = library(name);
        sheet.solve(&whole.job()).expect("it is solved");
        let mut stops = 0;
        while stopped_after(&mut sheet, 2, &Job { workers: 1 + stops % 3, resume: true, ..parts.job() }) {
            stops += 1;
        }
        assert!(stops > 2, "{stops} stops");
        sheet.solve(&Job { resume: true, ..parts.job() }).expect("it is solved");
        assert!(whole.files() == parts.files(), "{name}");
    }
}

#[test]
fn a_run_ends_at_its_deadline_and_goes_on() {
    let (whole, parts) = (Folder::new("whole-in-time"), Folder::new("parts-in-time"));
    let mut sheet = library("tic_tac_toe");
    sheet.solve(&whole.job()).expect("it is solved");
    let limits = Limits::new().with_deadline(Deadline::after(Duration::ZERO));
    let error = sheet.solve(&Job { limits, ..parts.job() }).expect_err("the time is over");
    let says = "the time limit of 0 s was reached; all finished layers are kept, go on with --resume";
    assert_eq!(error.to_string(), says);
    sheet.solve(&Job { resume: true, ..parts.job() }).expect("it is solved");
    assert!(whole.files() == parts.files());
}

#[test]
fn a_count_becomes_a_solution() {
    let (whole, counted) = (Folder::new("solved"), Folder::new("counted"));
    let mut sheet = library("tic_tac_toe");
    sheet.solve(&whole.job()).expect("it is solved");
    let manifest = sheet.solve(&Job { count_only: true, ..counted.job() }).expect("it is counted");
    assert!(manifest.is_explored() && !manifest.is_solved() && manifest.value().is_none());
    let manifest = sheet.solve(&Job { resume: true, ..counted.job() }).expect("it is solved");
    assert!(manifest.is_solved());
    assert!(whole.files() == counted.files());
}

#[test]
fn damaged_files_are_named_and_made_again() {
    let folder = Folder::new("damaged");
    let mut sheet = library("connect_four_4x4");
    sheet.solve(&folder.job()).expect("it is solved");
    let whole = folder.files();
    let shards = whole.keys().filter(|name| name.starts_with("layers")).cloned().collect::<Vec<_>>();
    for (number, name) in shards.iter().enumerate().step_by(3) {
        let path = folder.0.join(name);
        let mut content = whole[name].clone();
        match number % 2 {
            0 => content.truncate(content.len() / 2),
            _ => *content.last_mut().expect("it is not empty") ^= 4,
        }
        std::fs::write(&path, &content).expect("it can be written");
        let damaged = Database::verify(&folder.0).expect("it can be read");
        assert_eq!(damaged.iter().map(|file| file.path.clone()).collect::<Vec<_>>(), [path], "{number}");
        sheet.solve(&Job { workers: 2, resume: true, ..folder.job() }).expect("it is made again");
        assert!(folder.files() == whole, "{}", name.display());
    }
    assert_eq!(Database::verify(&folder.0).expect("it can be read"), []);
}

#[test]
fn several_damaged_layers_are_made_again_in_turn() {
    for name in ["tic_tac_toe", "hanoi"] {
        let folder = Folder::new(&format!("gaps-{name}"));
        let mut sheet = library(name);
        sheet.solve(&folder.job()).expect("it is solved");
        let whole = folder.files();
        for name in whole.keys().filter(|name| name.extension().is_some_and(|ending| ending == "keys")) {
            std::fs::remove_file(folder.0.join(name)).expect("it can be removed");
        }
        sheet.solve(&Job { resume: true, ..folder.job() }).expect("it is made again");
        assert!(folder.files() == whole, "{name}");
    }
}

#[test]
fn folders_of_other_rules_and_without_a_run_are_refused() {
    let folder = Folder::new("refused");
    let mut sheet = library("tic_tac_toe");
    sheet.solve(&folder.job()).expect("it is solved");
    let whole = folder.files();
    let error = sheet.solve(&folder.job()).expect_err("there is a run");
    assert!(matches!(error, SolvingError::Exists { ref game, .. } if game == "tic_tac_toe"), "{error}");
    sheet.text += "% changed";
    let error = sheet.solve(&Job { resume: true, ..folder.job() }).expect_err("the rules have changed");
    assert!(matches!(error, SolvingError::Other { what: "rule sheet", .. }), "{error}");
    assert!(folder.files() == whole, "a refused run has changed files");
    let nothing = Database::verify(&folder.0.join("layers")).expect_err("there is no run");
    assert!(matches!(nothing, SolvingError::Nothing { .. }), "{nothing}");
}

/// Both roles choose at the same time.
const DUEL: &str = "
role(a) role(b) init(ready)
legal(a,left) legal(a,right) legal(b,left) legal(b,right)
next(over(X,Y)) :- does(a,X) & does(b,Y)
terminal :- true(over(X,Y))
goal(a,100) :- true(over(X,X)) goal(a,0) :- ~goal(a,100)
goal(b,0) :- true(over(X,X)) goal(b,100) :- ~goal(b,0)
";

#[test]
fn games_without_values_can_be_counted() {
    let folder = Folder::new("duel");
    let mut sheet = written(DUEL);
    let manifest = sheet.solve(&Job { count_only: true, ..folder.job() }).expect("it is counted");
    assert_eq!((manifest.states(), manifest.joint_moves()), (5, 4));
    let error = sheet.solve(&Job { resume: true, ..folder.job() }).expect_err("it has no value");
    assert!(error.to_string().contains("at the same time"), "{error}");
}

#[test]
fn errors_of_the_system_name_the_file() {
    let folder = Folder::new("file");
    std::fs::write(&folder.0, "in the way").expect("it can be written");
    let error = library("tic_tac_toe").solve(&folder.job()).expect_err("a file is in the way");
    std::fs::remove_file(&folder.0).expect("it can be removed");
    assert!(matches!(error, SolvingError::File { .. }), "{error}");
    assert!(error.to_string().contains("solving-"), "{error}");
}

#[test]
fn a_session_answers_from_a_database() {
    let folder = Folder::new("session");
    let called = call(&["solve", "tic_tac_toe", "--dir", folder.text(), "--distances"]);
    assert_eq!(called.code, 0, "{}", called.talk);
    let asked = |lines: &str| {
        let load = format!("load tic_tac_toe --from-db {}; {lines}", folder.text());
        call(&["eval", "three_puzzle", &load])
    };
    let called = asked("do mark(1,1); do mark(1,2); minimax --values");
    let searched = call(&["eval", "tic_tac_toe", "do mark(1,1); do mark(1,2); minimax --values"]);
    let values = |answer: &str| answer.lines().filter(|line| line.contains("100")).count();
    assert!(called.talk.contains("from the database"), "{}{}", called.answer, called.talk);
    assert_eq!(values(&called.answer), values(&searched.answer), "{}{}", called.answer, searched.answer);
    let called = asked("do mark(1,1); do mark(1,2); solve");
    assert!(called.answer.contains("xplayer: 100, oplayer: 0 after 5 joint moves"), "{}", called.answer);
    assert!(called.talk.contains("from the database"), "{}", called.talk);
    let called = asked("minimax --depth 2");
    assert!(!called.talk.contains("from the database"), "{}", called.talk);
    let called = call(&["eval", "three_puzzle", &format!("load hanoi --from-db {}; info", folder.text())]);
    assert_eq!(called.code, 2);
    assert!(called.talk.contains("holds a run of tic_tac_toe with another rule sheet"), "{}", called.talk);
}

#[test]
fn the_program_solves_shows_checks_and_asks() {
    let folder = Folder::new("program");
    let called = call(&["solve", "tic_tac_toe", "--dir", folder.text(), "--distances"]);
    assert_eq!(called.code, 0, "{}", called.talk);
    assert!(called.answer.starts_with("xplayer: 50, oplayer: 50\n"), "{}", called.answer);
    assert!(called.answer.contains("5,478 states in 10 layers, 958 terminal, 16,167 joint moves"), "{}", called.answer);
    assert!(called.talk.contains("layer 9: 78 states found"), "{}", called.talk);
    let called = call(&["db", "stats", folder.text(), "--json"]);
    let stats: serde_json::Value = serde_json::from_str(&called.answer).expect("it is JSON");
    assert_eq!((&stats["states"], &stats["solved"]), (&5_478.into(), &true.into()));
    assert_eq!(call(&["db", "verify", folder.text()]).answer, "all files are as they were written\n");
    let query = |state: &str| call(&["db", "query", folder.text(), state]);
    let called = query("mark(1,1) mark(1,2) mark(2,2)");
    assert_eq!(called.answer, "xplayer: 100, oplayer: 0 after 4 joint moves (layer 3)\n", "{}", called.talk);
    let called = query("control(oplayer)");
    assert_eq!((called.code, called.answer.as_str()), (1, "the state cannot be reached\n"), "{}", called.talk);
    for (moves, said) in [
        (
            "mark(1,1) mark(1,2) mark(1,1)",
            "mark(1,1) is not legal after mark(1,1) mark(1,2): xplayer can make mark(1,3), ",
        ),
        ("mark(4,4)", ""),
        (
            "mark(1,1) mark(2,1) mark(1,2) mark(2,2) mark(1,3) mark(3,3)",
            "mark(3,3) is not legal after mark(1,1) mark(2,1)",
        ),
    ] {
        let called = query(moves);
        assert!(called.code != 0 && called.talk.contains(said), "{moves}: {}{}", called.answer, called.talk);
    }
    let called = query("mark(1,1");
    assert_eq!((called.code, called.answer.as_str()), (2, ""), "{}", called.talk);
    assert!(called.talk.contains("--> input:1:9\n") && called.talk.contains("still open"), "{}", called.talk);
    let called = call(&["solve", "tic_tac_toe", "--dir", folder.text()]);
    assert_eq!(called.code, 2);
    assert!(called.talk.contains("go on with --resume"), "{}", called.talk);
    let called = call(&["solve", "tic_tac_toe", "--dir", folder.text(), "--memory", "1K"]);
    assert_eq!(called.code, 2);
    assert_eq!(call(&["db", "verify", "/nowhere"]).code, 2);
}

/// Kills a run (signal 9) this many times at random moments, resumes it each time with another number of workers, and
/// compares its files with those of a run that was left alone.
fn killed_and_resumed(game: &str, kills: u32, seed: u32) {
    let start = |folder: &Folder, workers: u32| {
        let workers = workers.to_string();
        let arguments = [
            "solve",
            game,
            "--dir",
            folder.text(),
            "--resume",
            "--distances",
            "--workers",
            &workers,
            "--memory",
            "1M",
            "--commit-after",
            "0",
        ];
        let mut command = ggp();
        let command = command.args(arguments).stdout(std::process::Stdio::null()).stderr(std::process::Stdio::null());
        command.spawn().expect("the program starts")
    };
    let (whole, killed) = (Folder::new(&format!("left-alone-{seed}")), Folder::new(&format!("killed-{seed}")));
    let began = std::time::Instant::now();
    assert!(start(&whole, 1).wait().expect("it ends").success());
    let duration = began.elapsed();
    let mut random = seed.wrapping_mul(2_654_435_761).wrapping_add(12_345);
    for _ in 0..kills {
        random = random.wrapping_mul(1_664_525).wrapping_add(1_013_904_223);
        let mut run = start(&killed, 1 + random % 3);
        std::thread::sleep(duration * (random >> 16) / (1 << 16));
        run.kill().expect("it can be killed");
        run.wait().expect("it ends");
    }
    assert!(start(&killed, 2).wait().expect("it ends").success());
    assert!(whole.files() == killed.files(), "seed {seed}");
}

#[test]
fn a_killed_run_goes_on_and_comes_to_the_same_files() {
    killed_and_resumed("tic_tac_toe", 4, 1);
    killed_and_resumed("hanoi", 4, 2);
}

#[test]
#[ignore = "takes some minutes"]
fn a_run_killed_two_hundred_times_comes_to_the_same_files() {
    for seed in 0..20 {
        killed_and_resumed("connect_four_4x4", 10, 100 + seed);
    }
}
