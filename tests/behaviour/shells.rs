//! Completions and man pages, loaded in the shells and pagers that are there, and what a bug report needs.

use crate::program::call;
use std::io::Write;
use std::path::Path;
use std::process::{Command, Stdio};

/// What a shell prints that reads the completions from a file; `None` if there is no such shell, which is said.
fn in_shell(shell: &str, arguments: &[&str], script: &str) -> Option<String> {
    let completions = call(&["completions", shell]);
    assert_eq!(completions.code, 0, "{}", completions.talk);
    let file = Path::new(env!("CARGO_TARGET_TMPDIR")).join(format!("completions.{shell}"));
    std::fs::write(&file, completions.answer).expect("the file can be written");
    let script = script.replace("FILE", file.to_str().expect("the path is text"));
    let Ok(child) =
        Command::new(shell).args(arguments).arg(&script).stderr(Stdio::piped()).stdout(Stdio::piped()).spawn()
    else {
        let _ = writeln!(std::io::stderr(), "skipped: there is no {shell}");
        return None;
    };
    let output = child.wait_with_output().expect("the shell ends");
    let talk = String::from_utf8_lossy(&output.stderr);
    assert!(output.status.success(), "{shell}: {talk}");
    Some(String::from_utf8_lossy(&output.stdout).into_owned())
}

#[test]
fn bash_completes_subcommands_and_options() {
    let script = "source FILE; \
        COMP_WORDS=(ggp che); COMP_CWORD=1; _ggp ggp che ggp; echo \"${COMPREPLY[*]}\"; \
        COMP_WORDS=(ggp check --de); COMP_CWORD=2; _ggp ggp --de check; echo \"${COMPREPLY[*]}\"";
    if let Some(answer) = in_shell("bash", &["--noprofile", "--norc", "-c"], script) {
        assert_eq!(answer, "check\n--deny\n");
    }
}

#[test]
fn zsh_loads_its_completions() {
    let script = "autoload -U compinit; compinit -D; source FILE; print $+functions[_ggp] $_comps[ggp]";
    if let Some(answer) = in_shell("zsh", &["-f", "-c"], script) {
        assert_eq!(answer, "1 _ggp\n");
    }
}

#[test]
fn fish_completes_subcommands() {
    if let Some(answer) = in_shell("fish", &["--no-config", "-c"], "source FILE; complete -C 'ggp che'") {
        assert!(answer.starts_with("check\t"), "{answer}");
    }
}

#[test]
fn an_unknown_shell_is_an_error() {
    let called = call(&["completions", "tcsh"]);
    assert_eq!(called.code, 2);
    assert!(called.talk.contains("possible values: bash"), "{}", called.talk);
}

#[test]
fn man_pages_are_pages_of_man() {
    let page = call(&["man", "check"]);
    assert_eq!(page.code, 0, "{}", page.talk);
    assert!(page.answer.contains(".TH ggp-check 1"), "{}", page.answer);
    assert!(call(&["man"]).answer.contains(".TH ggp 1"));
    let wrong = call(&["man", "frobnicate"]);
    assert_eq!(wrong.code, 2);
    assert!(wrong.talk.contains("there is no subcommand `frobnicate`"), "{}", wrong.talk);
    let folder = Path::new(env!("CARGO_TARGET_TMPDIR")).join("man1");
    assert_eq!(call(&["man", "--output", folder.to_str().expect("the path is text")]).code, 0);
    for name in ["ggp.1", "ggp-check.1", "ggp-solve.1"] {
        assert!(folder.join(name).is_file(), "{name}");
    }
    let shown = Command::new("man").args(["-l"]).arg(folder.join("ggp-check.1")).env("MANPAGER", "cat").output();
    match shown {
        Ok(shown) if shown.status.success() => {
            let text = String::from_utf8_lossy(&shown.stdout);
            assert!(text.contains("--deny") && text.contains("NAME"), "{text}");
        }
        _ => {
            let _ = writeln!(std::io::stderr(), "skipped: there is no man");
        }
    }
    std::fs::remove_dir_all(&folder).expect("the folder can be removed");
}

#[test]
fn the_doctor_says_what_a_bug_report_needs() {
    let called = call(&["doctor"]);
    assert_eq!(called.code, 0, "{}", called.talk);
    for name in ["version", "system", "memory", "lanes", "library", "corpus", "language server", "editors"] {
        assert!(called.answer.lines().any(|line| line.starts_with(name)), "{name}: {}", called.answer);
    }
    let findings: serde_json::Value = serde_json::from_str(&call(&["doctor", "--json"]).answer).expect("it is JSON");
    assert_eq!(findings["version"], env!("CARGO_PKG_VERSION"));
    assert!(findings["lanes"].as_array().is_some_and(|lanes| !lanes.is_empty()), "{findings}");
    assert_eq!(findings["language_server"], cfg!(feature = "lsp"));
}
