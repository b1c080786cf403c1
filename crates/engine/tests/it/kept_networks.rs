//! Networks that are kept in a folder: they are used again for the same rules, and no file changes an answer.

use gdl::rules::GroundTerm;
use gdl::syntax::Source;
use ggp_engine::{Engine, EngineOptions, Game, NetworkCache, SetupProgress, load_text};
use ggp_game::{Reasoner, Role};
use std::fs;
use std::path::PathBuf;
use std::sync::Arc;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::time::{Duration, SystemTime};

const SHEET: &str = "role(robot) init(step(0)) legal(robot,go) legal(robot,stay)
    next(step(1)) :- true(step(0)) & does(robot,go)
    next(step(0)) :- true(step(0)) & does(robot,stay)
    terminal :- true(step(1)) goal(robot,100) :- true(step(1)) goal(robot,0) :- true(step(0))";

/// A folder of its own for each test, removed at its end.
struct Folder(PathBuf);

impl Folder {
    fn new(name: &str) -> Self {
        let folder = std::env::temp_dir().join(format!("ggp-kept-{}-{name}", std::process::id()));
        let _ = fs::remove_dir_all(&folder);
        Self(folder)
    }

    fn cache(&self) -> NetworkCache {
        NetworkCache::new(&self.0).with_least_time(Duration::ZERO)
    }

    fn files(&self) -> Vec<PathBuf> {
        let entries = fs::read_dir(&self.0).into_iter().flatten();
        let mut files: Vec<PathBuf> = entries.map(|entry| entry.expect("it can be read").path()).collect();
        files.sort();
        files
    }
}

impl Drop for Folder {
    fn drop(&mut self) {
        let _ = fs::remove_dir_all(&self.0);
    }
}

/// Plays a sheet with a cache, and checks its answers; returns how many networks have been built.
fn builds(sheet: &str, cache: NetworkCache, without: &[&str]) -> usize {
    let built = Arc::new(AtomicUsize::new(0));
    let counter = built.clone();
    let progress = SetupProgress::new(move || {
        counter.fetch_add(1, Ordering::Relaxed);
        Box::new(())
    });
    let mut options = EngineOptions { cache: Some(cache), progress: Some(progress), ..EngineOptions::default() };
    options.propnet.without = without.iter().map(ToString::to_string).collect();
    let mut game = load_text("game".to_string(), Source::new("game", sheet), None, options).expect("it is valid");
    check(&mut game);
    built.load(Ordering::Relaxed)
}

/// The first move ends the game, with 100 for the robot.
fn check(game: &mut Game) {
    let engine = game.engine().expect("there is an engine");
    assert!(matches!(engine, Engine::Propnet(_)));
    let state = engine.initial_state().expect("there is a state");
    let go = engine.find_move(&GroundTerm::symbol("go")).expect("there is a move");
    let end = engine.next_state(&state, &[go]).expect("the move is legal");
    assert_eq!(engine.is_terminal(&end), Ok(true));
    let robot = Role::new(0);
    assert_eq!(engine.goal(&end, robot).map(|utility| utility.floor()), Ok(100));
}

#[test]
fn a_network_is_built_once_for_the_same_rules() {
    let folder = Folder::new("once");
    assert_eq!(builds(SHEET, folder.cache(), &[]), 1);
    assert_eq!(builds(SHEET, folder.cache(), &[]), 0);
    assert_eq!(folder.files().len(), 1);
    // Other rules, and a pass that is switched off, have networks of their own.
    let other = SHEET.replace("goal(robot,0)", "goal(robot,7)");
    assert_eq!(builds(&other, folder.cache(), &[]), 1);
    assert_eq!(builds(SHEET, folder.cache(), &["factor"]), 1);
    assert_eq!(builds(SHEET, folder.cache(), &["factor"]), 0);
    assert_eq!(folder.files().len(), 3);
}

#[test]
fn a_file_that_is_damaged_or_of_other_rules_is_replaced() {
    let folder = Folder::new("damaged");
    builds(SHEET, folder.cache(), &[]);
    let [file] = &folder.files()[..] else { panic!("there is one file") };
    let good = fs::read(file).expect("it can be read");
    let other = Folder::new("other");
    builds(&SHEET.replace("goal(robot,0)", "goal(robot,7)"), other.cache(), &[]);
    let foreign = fs::read(&other.files()[0]).expect("it can be read");
    for bytes in [&good[..good.len() - 1], &[], b"ggp propnet 2 00000000 0\n", b"role(robot)", &foreign[..]] {
        fs::write(file, bytes).expect("it can be written");
        assert_eq!(builds(SHEET, folder.cache(), &[]), 1, "{} bytes", bytes.len());
        assert_eq!(fs::read(file).expect("it can be read"), good);
        assert_eq!(builds(SHEET, folder.cache(), &[]), 0);
    }
}

#[test]
fn what_is_built_quickly_is_not_kept() {
    let folder = Folder::new("quick");
    let cache = NetworkCache::new(&folder.0).with_least_time(Duration::from_secs(3600));
    assert_eq!(builds(SHEET, cache, &[]), 1);
    assert!(folder.files().is_empty());
}

#[test]
fn a_folder_that_cannot_be_written_changes_nothing() {
    let folder = Folder::new("file");
    fs::write(&folder.0, "a file in its place").expect("it can be written");
    assert_eq!(builds(SHEET, folder.cache(), &[]), 1);
    assert_eq!(builds(SHEET, folder.cache(), &[]), 1);
    assert_eq!(fs::read_to_string(&folder.0).expect("it can be read"), "a file in its place");
    fs::remove_file(&folder.0).expect("it can be removed");
}

#[test]
fn the_network_that_was_used_last_stays() {
    let folder = Folder::new("oldest");
    builds(SHEET, folder.cache(), &[]);
    builds(SHEET, folder.cache(), &["factor"]);
    let files = folder.files();
    let bytes: u64 = files.iter().map(|file| fs::metadata(file).expect("it is there").len()).sum();
    fs::write(folder.0.join("notes.txt"), "kept").expect("it can be written");
    for file in &files {
        let hour = SystemTime::now() - Duration::from_secs(3600);
        fs::File::options().append(true).open(file).and_then(|file| file.set_modified(hour)).expect("it has a time");
    }
    // The first network is used, so the other one makes room for a third.
    assert_eq!(builds(SHEET, folder.cache(), &[]), 0);
    assert_eq!(builds(SHEET, folder.cache().with_most_bytes(bytes + 100), &["flatten"]), 1);
    assert_eq!(folder.files().len(), 3, "two networks and the notes");
    assert_eq!(builds(SHEET, folder.cache(), &[]), 0);
    assert_eq!(builds(SHEET, folder.cache(), &["factor"]), 1);
}
