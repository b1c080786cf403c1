//! Files of solved games that are damaged: every change is found, none makes an answer wrong, and resuming the run
//! makes the files again. And the lock, by which two runs do not damage the files of each other.

use crate::effort::{effort, is_brief};
use crate::program::call;
use crate::solving_on_disk::{Folder, ROOMS, Sheet, stopped_after, written};
use ggp::game::{JointMoves, Reasoner};
use ggp::limits::{Limits, Stop};
use ggp::solving::{DamagedFile, Database, Job, KnownState, Manifest, Progress, RunStep, SolvingError};
use std::collections::{BTreeMap, BTreeSet};
use std::fs;
use std::path::{Path, PathBuf};
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Arc, Mutex, mpsc};
use std::time::Duration;

/// By turns two roles take one or two of five sticks; the last stick loses.
const STICKS: &str = "
role(a) role(b) init(left(5)) init(turn(a))
legal(P,take(1)) :- true(turn(P)) & ~true(left(0)) legal(P,take(2)) :- true(turn(P)) & true(left(N)) & minus(N,2,M)
legal(P,noop) :- role(P) & ~true(turn(P))
next(left(M)) :- does(P,take(K)) & true(left(N)) & minus(N,K,M)
next(turn(a)) :- true(turn(b)) next(turn(b)) :- true(turn(a))
next(taken(s0)) next(taken(s1)) :- true(taken(s0)) next(taken(s2)) :- true(taken(s1)) next(taken(s3)) :- true(taken(s2))
minus(5,1,4) minus(4,1,3) minus(3,1,2) minus(2,1,1) minus(1,1,0)
minus(5,2,3) minus(4,2,2) minus(3,2,1) minus(2,2,0)
terminal :- true(left(0))
goal(P,100) :- true(turn(P)) goal(P,0) :- role(P) & ~true(turn(P))
";

/// A role bets or not, and chance throws a coin.
const COIN: &str = "
role(a) role(random) init(step(1))
legal(a,bet) :- true(step(1)) legal(a,pass) :- true(step(1)) legal(random,noop) :- true(step(1))
legal(random,heads) :- true(step(2)) legal(random,tails) :- true(step(2)) legal(a,noop) :- true(step(2))
next(step(2)) :- true(step(1)) next(step(3)) :- true(step(2))
next(bet) :- does(a,bet) next(bet) :- true(bet) next(heads) :- does(random,heads)
terminal :- true(step(3))
goal(a,90) :- true(bet) & true(heads) goal(a,10) :- true(bet) & ~true(heads) goal(a,40) :- ~true(bet)
goal(random,0)
";

/// Runs with each kind of file: values with distances, all states as one layer, and means.
fn runs() -> [(&'static str, Sheet); 3] {
    [("sticks", written(STICKS)), ("rooms", written(ROOMS)), ("coin", written(COIN))]
}

fn solved(name: &str, sheet: &mut Sheet) -> Folder {
    let folder = Folder::new(name);
    sheet.solve(&Job { distances: true, ..folder.job() }).expect("it is solved");
    folder
}

fn resume(sheet: &mut Sheet, folder: &Folder) -> Result<Manifest, SolvingError> {
    sheet.solve(&Job { distances: true, resume: true, ..folder.job() })
}

/// What the files say of all states, or why they do not.
fn asked(sheet: &mut Sheet, folder: &Path) -> Result<Vec<KnownState>, SolvingError> {
    Database::rules_of(folder)?;
    let database = Database::open(folder, &sheet.name, &sheet.text, &mut sheet.engine)?;
    let mut states = vec![sheet.engine.initial_state()?];
    let (mut known, mut next) = (Vec::new(), 0);
    while let Some(state) = states.get(next).cloned() {
        next += 1;
        known.push(database.find(&sheet.engine, &state)?.expect("the state is reached"));
        if sheet.engine.is_terminal(&state)? {
            continue;
        }
        let mut joint_moves = JointMoves::in_state(&mut sheet.engine, &state).expect("there are moves");
        loop {
            let successor = sheet.engine.next_state(&state, joint_moves.current())?;
            if !states.contains(&successor) {
                states.push(successor);
            }
            if !joint_moves.advance() {
                break;
            }
        }
    }
    Ok(known)
}

/// The files that `db verify` names.
fn damaged(folder: &Folder) -> Vec<PathBuf> {
    let damaged = Database::verify(&folder.0).expect("it can be read");
    damaged.into_iter().map(|DamagedFile { path, .. }| path).collect()
}

/// Each content that differs from this one in one character: another one in its place, or none, or the end.
fn changes(content: &[u8]) -> impl Iterator<Item = Vec<u8>> {
    (0..content.len()).flat_map(move |index| {
        let (before, after) = (&content[..index], &content[index + 1..]);
        let other = content[index] ^ (1 << (index % 8));
        [[before, &[other], after].concat(), [before, after].concat(), before.to_vec()]
    })
}

/// The files that have something in them.
fn contents(files: &BTreeMap<PathBuf, Vec<u8>>) -> impl Iterator<Item = (&PathBuf, &Vec<u8>)> {
    files.iter().filter(|(_, content)| !content.is_empty())
}

#[test]
fn every_change_of_one_character_is_found_and_answers_nothing_wrong() {
    let mut kinds = BTreeSet::new();
    for (name, mut sheet) in runs() {
        let folder = solved(&format!("characters-{name}"), &mut sheet);
        let (whole, answers) = (folder.files(), asked(&mut sheet, &folder.0).expect("the files are right"));
        assert_eq!(damaged(&folder), [] as [PathBuf; 0]);
        for (file, content) in contents(&whole) {
            let is_new = kinds.insert(file.extension().map(ToOwned::to_owned)) || name == "sticks";
            if is_brief() && !is_new {
                continue;
            }
            let path = folder.0.join(file);
            for changed in changes(content).step_by(effort(3, 1)) {
                fs::write(&path, &changed).expect("it can be written");
                let shown = String::from_utf8_lossy(&changed);
                assert_eq!(damaged(&folder), std::slice::from_ref(&path), "{name}: {shown}");
                match asked(&mut sheet, &folder.0) {
                    // The copy of the manifest is not asked.
                    Ok(found) => assert!(found == answers, "{name}: {}: {shown}", file.display()),
                    Err(SolvingError::Damaged { path: found, .. }) => assert_eq!(found, path, "{name}: {shown}"),
                    Err(error) => panic!("{name}: {}: {error}: {shown}", file.display()),
                }
            }
            fs::write(&path, content).expect("it can be written");
        }
    }
}

#[test]
fn damaged_and_missing_files_are_made_again() {
    for (name, mut sheet) in runs() {
        let folder = solved(&format!("again-{name}"), &mut sheet);
        let whole = folder.files();
        for (file, content) in contents(&whole) {
            let path = folder.0.join(file);
            fs::remove_file(&path).expect("it can be removed");
            assert_eq!(damaged(&folder), std::slice::from_ref(&path), "{name}");
            resume(&mut sheet, &folder).expect("it is made again");
            assert!(folder.files() == whole, "{name}: {} was removed", file.display());
            let few = content.len() * 3 / 7;
            for changed in changes(content).step_by(effort(few.max(1), 1)) {
                fs::write(&path, &changed).expect("it can be written");
                resume(&mut sheet, &folder).expect("it is made again");
                assert!(folder.files() == whole, "{name}: {}", String::from_utf8_lossy(&changed));
            }
        }
    }
}

#[test]
fn a_stopped_run_goes_on_without_its_manifest() {
    let mut sheet = crate::solving_on_disk::library("tic_tac_toe");
    let whole = Folder::new("manifest-whole");
    sheet.solve(&whole.job()).expect("it is solved");
    for (steps, damage) in [(2, "half of".as_bytes()), (7, b"{\"version\":3,\"checksum\":\"00000000\",}"), (14, b"")] {
        let folder = Folder::new(&format!("manifest-{steps}"));
        let job = Job { resume: true, ..folder.job() };
        assert!(stopped_after(&mut sheet, steps, &job));
        let layers = layers_of(&folder);
        fs::write(folder.0.join("manifest.json"), damage).expect("it can be written");
        let said = Arc::new(Mutex::new(Vec::new()));
        let steps = said.clone();
        let watch = move |of: &Progress| steps.lock().expect("no thread panics").push((of.step, of.layer as usize));
        sheet.watched(&job, watch).expect("it goes on");
        assert!(folder.files() == whole.files());
        let said = said.lock().expect("no thread panics");
        assert_eq!(said[0].0, RunStep::Restored, "{said:?}");
        let found = said.iter().find(|(step, _)| *step == RunStep::Found);
        assert!(found.is_none_or(|&(_, layer)| layer == layers), "{layers} layers are kept: {said:?}");
    }
}

/// The number of layers that a folder has, that of the first state included.
fn layers_of(folder: &Folder) -> usize {
    Database::manifest_of(&folder.0).expect("there is a run").layers.len()
}

#[test]
fn waiting_files_of_a_stopped_run_are_checked() {
    let (whole, folder) = (Folder::new("waiting-whole"), Folder::new("waiting"));
    let mut sheet = crate::solving_on_disk::library("tic_tac_toe");
    sheet.solve(&whole.job()).expect("it is solved");
    // With so little memory a layer takes several rounds, each of which is committed and followed by a pause.
    let delay = Duration::from_millis(60);
    let job =
        Job { limits: Limits::new().with_memory(1 << 13), commit_after: Duration::ZERO, resume: true, ..folder.job() };
    let file = loop {
        let flag = Arc::new(AtomicBool::new(false));
        let slow = Job { workers: 2, delay, limits: job.limits.clone().with_interrupt(flag.clone()), ..job.clone() };
        let result = std::thread::scope(|scope| {
            let run = scope.spawn(|| sheet.solve(&slow));
            while !run.is_finished() && waiting(&folder).is_none() {
                std::thread::sleep(Duration::from_millis(1));
            }
            flag.store(true, Ordering::Relaxed);
            run.join().expect("it does not panic")
        });
        assert!(matches!(result, Err(SolvingError::Ended(Stop::Interrupted))), "it is stopped while files wait");
        if let Some(file) = waiting(&folder) {
            break file;
        }
    };
    assert_eq!(damaged(&folder), [] as [PathBuf; 0]);
    let path = folder.0.join("runs").join(file);
    let content = fs::read(&path).expect("it can be read");
    for changed in changes(&content).step_by(effort(7, 1)) {
        fs::write(&path, &changed).expect("it can be written");
        assert_eq!(damaged(&folder), std::slice::from_ref(&path));
    }
    sheet.solve(&job).expect("it goes on");
    assert!(folder.files() == whole.files());
}

/// The first file that the manifest lists of those that wait for the next layer.
fn waiting(folder: &Folder) -> Option<String> {
    let text = fs::read_to_string(folder.0.join("manifest.json")).ok()?;
    let manifest: serde_json::Value = serde_json::from_str(&text).expect("it is JSON");
    manifest["partial"]["runs"][0]["name"].as_str().map(ToString::to_string)
}

#[test]
fn a_run_without_manifest_and_copy_is_left_alone() {
    let mut sheet = written(STICKS);
    for damage in [None, Some("half of")] {
        let folder = solved("no-manifest", &mut sheet);
        for file in ["manifest.json", "layers/manifest-copy.json"] {
            match damage {
                Some(text) => fs::write(folder.0.join(file), text).expect("it can be written"),
                None => fs::remove_file(folder.0.join(file)).expect("it can be removed"),
            }
        }
        let left = folder.files();
        for resume in [false, true] {
            let error = sheet.solve(&Job { resume, ..folder.job() }).expect_err("nothing says which files count");
            assert!(matches!(error, SolvingError::Manifest { .. }), "{error}");
            assert!(error.to_string().ends_with("begin the run again in another folder"), "{error}");
        }
        assert!(asked(&mut sheet, &folder.0).is_err());
        assert!(Database::verify(&folder.0).is_err());
        assert!(folder.files() == left, "a refused run has changed files");
    }
}

#[test]
fn folders_of_other_versions_are_refused_by_their_version() {
    let folder = Folder::new("version");
    fs::create_dir_all(&folder.0).expect("it can be made");
    fs::write(folder.0.join("manifest.json"), r#"{"version":2,"game":"nim","layers":[]}"#).expect("it can be written");
    let said = "manifest.json is of version 2, and this program reads version 3; go on with the program that wrote it";
    for arguments in [
        &["solve", "nim", "--resume", "--dir", folder.text()][..],
        &["db", "verify", folder.text()],
        &["db", "stats", folder.text()],
        &["db", "query", folder.text(), "take(1)"],
    ] {
        let called = call(arguments);
        assert_eq!(called.code, 2, "{}", called.answer);
        assert!(called.talk.contains(said), "{}", called.talk);
    }
}

#[test]
fn the_program_names_what_is_damaged_and_makes_it_again() {
    let folder = Folder::new("named");
    assert_eq!(call(&["solve", "three_puzzle", "--dir", folder.text()]).code, 0);
    let whole = folder.files();
    let manifest = String::from_utf8(whole[Path::new("manifest.json")].clone()).expect("it is text");
    let manifest = manifest.replacen("\"bits\":", "\"bits\":9", 1);
    for (file, content, what) in [
        ("manifest.json", manifest.as_str(), "its checksum is wrong"),
        ("layers/manifest-copy.json", "", "its checksum is wrong"),
        ("rules.gdl", "role(a)", "it is not the rule sheet of the run"),
    ] {
        fs::write(folder.0.join(file), content).expect("it can be written");
        let verified = call(&["db", "verify", folder.text()]);
        assert_eq!((verified.code, verified.answer), (1, format!("{}/{file}: {what}\n", folder.text())));
        let query = call(&["db", "query", folder.text(), ""]);
        match file {
            "layers/manifest-copy.json" => assert_eq!(query.code, 0, "{}", query.talk),
            _ => {
                assert_eq!((query.code, query.answer.as_str()), (2, ""));
                let said = format!("{file} is damaged: {what}; --resume makes it again");
                assert!(query.talk.contains(&said), "{}", query.talk);
            }
        }
        let resumed = call(&["solve", "three_puzzle", "--dir", folder.text(), "--resume"]);
        assert_eq!(resumed.code, 0, "{}", resumed.talk);
        assert!(resumed.talk.contains("was damaged, and is written again"), "{}", resumed.talk);
        assert!(folder.files() == whole, "{file}");
    }
}

#[test]
fn a_second_run_names_the_process_that_works_in_the_folder() {
    let folder = Folder::new("locked");
    let (job, (sender, receiver)) = (folder.job(), mpsc::channel::<()>());
    let (begun, is_begun) = mpsc::channel();
    let receiver = Mutex::new(receiver);
    let first = std::thread::spawn(move || {
        let wait = move |_: &Progress| {
            begun.send(()).expect("the test listens");
            // An error says that the test has ended.
            _ = receiver.lock().expect("no thread panics").recv();
        };
        written(STICKS).watched(&job, wait)
    });
    is_begun.recv().expect("the run begins");
    let held = fs::read_to_string(folder.0.join("lock")).expect("it can be read");
    assert_eq!(held, std::process::id().to_string());
    for resume in [false, true] {
        let before = folder.files();
        let error = written(STICKS).solve(&Job { resume, ..folder.job() }).expect_err("a run works there");
        let said = format!("is in use by process {held}: wait until it has ended");
        assert!(matches!(error, SolvingError::InUse { .. }) && error.to_string().contains(&said), "{error}");
        assert!(folder.files() == before, "a refused run has changed files");
    }
    assert!(Database::manifest_of(&folder.0).is_ok(), "reading needs no lock");
    drop(sender);
    first.join().expect("it does not panic").expect("it is solved");
    assert_eq!(fs::read(folder.0.join("lock")).expect("it can be read"), b"");
    resume(&mut written(STICKS), &folder).expect("the lock is free");
}
