//! The transcripts of all scripts of `examples/scripts/`, and of scripts with mistakes.

use ggp::engine::EngineKind;
use ggp::repl::{Session, Transcript, script};
use std::path::{Path, PathBuf};
use std::sync::Arc;

/// Runs a script as `ggp run` does; returns its transcript and exit code.
fn transcript(script: &Path, keep_going: bool) -> (String, u8) {
    transcript_of(script, keep_going, EngineKind::Auto)
}

fn transcript_of(script: &Path, keep_going: bool, engine: EngineKind) -> (String, u8) {
    let text = std::fs::read_to_string(script).expect("the script is there");
    let name = script.file_name().expect("a script is a file").to_string_lossy().into_owned();
    let folder = script.parent().expect("a script lies in a folder").strip_prefix(root()).expect("inside the package");
    let mut session = Session::new(folder, Arc::default()).with_engine(engine.into());
    let mut console = Transcript::default();
    let options = script::Options { keep_going, echo: true, json: false };
    let lines = text.lines().map(|line| Ok(line.to_string()));
    let report = script::run(&mut session, &name, lines, options, &mut console).expect("a transcript can be written");
    (console.text + &script::summary(&name, &report), report.exit_code)
}

fn root() -> &'static Path {
    Path::new(env!("CARGO_MANIFEST_DIR"))
}

fn scripts(folder: &str) -> Vec<PathBuf> {
    let entries = std::fs::read_dir(root().join(folder)).expect("the folder is there");
    let mut scripts: Vec<PathBuf> = entries.map(|entry| entry.expect("a folder can be listed").path()).collect();
    scripts.retain(|path| path.extension().is_some_and(|extension| extension == "query"));
    scripts.sort();
    scripts
}

fn name(script: &Path) -> String {
    script.file_stem().expect("a script has a name").to_string_lossy().into_owned()
}

#[test]
fn examples_meet_their_expectations() {
    let scripts = scripts("examples/scripts");
    assert!(scripts.len() >= 3, "there is an example for each of the first games");
    for script in scripts {
        let (text, code) = transcript(&script, false);
        insta::assert_snapshot!(format!("example_{}", name(&script)), text);
        assert_eq!(code, 0, "{}:\n{text}", script.display());
    }
}

#[test]
fn wrong_input_is_explained_and_the_session_continues() {
    for script in scripts("tests/scripts") {
        let (text, code) = transcript(&script, true);
        insta::assert_snapshot!(format!("script_{}", name(&script)), text);
        assert_ne!(code, 0, "{} is full of mistakes", script.display());
    }
}

#[test]
fn a_script_stops_at_its_first_error() {
    let (text, code) = transcript(&root().join("tests/scripts/wrong_input.query"), false);
    assert_eq!(text.lines().filter(|line| line.starts_with("> ")).count(), 1, "{text}");
    assert!(text.contains("wrong_input.query:2: error:"), "{text}");
    assert_eq!(code, 2);
}

#[test]
fn transcripts_are_the_same_on_every_run() {
    let script = root().join("tests/scripts/loading.query");
    assert_eq!(transcript(&script, true), transcript(&script, true));
}

#[test]
fn transcripts_do_not_depend_on_the_engine() {
    // `info` names the engine, as it should, and `simulate` needs the network.
    const ABOUT_ENGINES: [&str; 3] = ["engines", "restoring", "simulating"];
    for (kind, folder) in [("example", "examples/scripts"), ("script", "tests/scripts")] {
        for script in scripts(folder) {
            let name = name(&script);
            if !ABOUT_ENGINES.contains(&&*name) {
                let (text, _) = transcript_of(&script, kind == "script", EngineKind::Interpreter);
                insta::assert_snapshot!(format!("{kind}_{name}"), text);
            }
        }
    }
}
