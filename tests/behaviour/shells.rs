//! Completions and man pages, loaded in the shells and pagers that are there, and what a bug report needs.

use crate::program::call;
use std::io::Write;
use std::path::Path;
use std::process::{Command, Stdio};

/// What a shell prints that reads the completions from a file, with the program on its path; `None` if there is no such
/// shell, which is said.
fn in_shell(shell: &str, arguments: &[&str], script: &str) -> Option<String> {
    let completions = call(&["completions", shell]);
    assert_eq!(completions.code, 0, "{}", completions.talk);
    let file = Path::new(env!("CARGO_TARGET_TMPDIR")).join(format!("completions.{shell}"));
    std::fs::write(&file, completions.answer).expect("the file can be written");
    let script = script.replace("FILE", file.to_str().expect("the path is text"));
    let program = Path::new(env!("CARGO_BIN_EXE_ggp")).parent().expect("it is in a folder");
    let path = std::env::var("PATH").unwrap_or_default();
    let mut command = Command::new(shell);
    command.args(arguments).arg(&script).env("PATH", format!("{}:{path}", program.display()));
    let Ok(child) = command.stderr(Stdio::piped()).stdout(Stdio::piped()).spawn() else {
        let _ = writeln!(std::io::stderr(), "skipped: there is no {shell}");
        return None;
    };
    let output = child.wait_with_output().expect("the shell ends");
    let talk = String::from_utf8_lossy(&output.stderr);
    assert!(output.status.success(), "{shell}: {talk}");
    Some(String::from_utf8_lossy(&output.stdout).into_owned())
}

/// What bash offers for a command line, of which each element is a word.
const BASH: &str = "source FILE; \
    offer() { COMP_WORDS=(\"$@\"); COMP_CWORD=$(($# - 1)); COMPREPLY=(); \
        _clap_complete_ggp ggp \"${COMP_WORDS[COMP_CWORD]}\" \"${COMP_WORDS[COMP_CWORD - 1]}\"; \
        (IFS='|'; echo \"${COMPREPLY[*]}\"); }; ";

#[test]
fn bash_completes_subcommands_options_games_and_moves() {
    let script = "offer ggp che; offer ggp check --de; offer ggp repl tic; offer ggp fmt READ; \
        offer ggp eval nim lega; offer ggp eval tic_tac_toe 'do mark(2,'; \
        offer ggp eval --engine interpreter tic_tac_toe 'do mark(2,1); do mark(2,'; offer ggp eval nowhere le";
    if let Some(answer) = in_shell("bash", &["--noprofile", "--norc", "-c"], &format!("{BASH}{script}")) {
        let lines: Vec<&str> = answer.lines().collect();
        let moves = ["do mark(2,1)|do mark(2,2)|do mark(2,3)", "do mark(2,1); do mark(2,2)|do mark(2,1); do mark(2,3)"];
        assert_eq!(lines, ["check", "--deny", "tic_tac_toe", "README.md", "legal", moves[0], moves[1], ""]);
    }
}

/// What bash offers for a command line as a person types it: it ends words at colons and equals signs.
const TYPED_IN_BASH: &str = "source FILE; \
    offer() { COMP_LINE=\"$1\"; COMP_POINT=${#1}; shift; COMP_WORDS=(\"$@\"); COMP_CWORD=$(($# - 1)); COMPREPLY=(); \
        local begun=\"${COMP_WORDS[COMP_CWORD]}\"; [[ \"$begun\" != [:=] ]] || begun=; \
        _ggp ggp \"$begun\" \"${COMP_WORDS[COMP_CWORD - 1]}\"; (IFS='|'; echo \"${COMPREPLY[*]}\"); }; ";

#[test]
fn bash_completes_players_with_their_options() {
    let script = "offer 'ggp match nim mon' ggp match nim mon; offer 'ggp match nim mcts:se' ggp match nim mcts : se; \
        offer 'ggp match nim growing:seed=1,playouts=' ggp match nim growing : seed = 1,playouts =; \
        offer 'ggp match nim legal growing:pl' ggp match nim legal growing : pl; \
        offer 'ggp player --player=growing:po' ggp player --player = growing : po; \
        offer 'ggp match nim random:' ggp match nim random :; offer 'ggp match nim unknown:' ggp match nim unknown :; \
        offer 'ggp match nim expectimax:opponents=minimax:de' ggp match nim expectimax : opponents = minimax : de; \
        offer 'ggp match nim minimax:eval=connect_four_w' ggp match nim minimax : eval = connect_four_w; \
        offer 'ggp repl tic' ggp repl tic";
    if let Some(answer) = in_shell("bash", &["--noprofile", "--norc", "-c"], &format!("{TYPED_IN_BASH}{script}")) {
        let lines: Vec<&str> = answer.lines().collect();
        let expected = [
            "montecarlo",
            "seed=",
            "decisive|lanes|single",
            "playouts=",
            "ponder=",
            "seed=|db=",
            "",
            "depth=",
            "connect_four_weights",
            "tic_tac_toe",
        ];
        assert_eq!(lines, expected);
    }
}

/// A folder with files of several kinds.
fn folder_of_sheets() -> std::path::PathBuf {
    let folder = Path::new(env!("CARGO_TARGET_TMPDIR")).join("sheets_to_complete");
    std::fs::create_dir_all(&folder).expect("the folder can be made");
    for name in ["one.gdl", "other.kif", "or.txt", "once.query"] {
        std::fs::write(folder.join(name), "").expect("the file can be written");
    }
    folder
}

#[test]
fn shells_offer_rule_sheets_where_a_game_stands_and_scripts_where_they_run() {
    let folder = folder_of_sheets();
    let at = folder.display();
    let bash = format!("{BASH}cd {at}; offer ggp check o; offer ggp run o; offer ggp check or.; offer ggp man o");
    if let Some(answer) = in_shell("bash", &["--noprofile", "--norc", "-c"], &bash) {
        assert_eq!(answer.lines().take(3).collect::<Vec<_>>(), ["othello|one.gdl|other.kif", "once.query", "or.txt"]);
    }
    let fish =
        format!("source FILE; cd {at}; complete -C 'ggp check o'; complete -C 'ggp match nim growing:playouts='");
    if let Some(answer) = in_shell("fish", &["--no-config", "-c"], &fish) {
        let words: Vec<&str> = answer.lines().collect();
        assert_eq!(
            words,
            ["one.gdl", "other.kif", "growing:playouts=decisive", "growing:playouts=lanes", "growing:playouts=single"]
        );
    }
}

#[test]
fn moves_to_a_state_of_a_solved_game_are_completed() {
    let folder = Path::new(env!("CARGO_TARGET_TMPDIR")).join("solved_to_complete");
    let _ = std::fs::remove_dir_all(&folder);
    let path = folder.to_str().expect("the path is text");
    assert_eq!(call(&["solve", "tic_tac_toe", "--dir", path, "--count-only"]).code, 0);
    let script = format!("{BASH}offer ggp db query {path} 'mark(2,'; offer ggp db query {path} 'mark(2,2) mark(2,'");
    if let Some(answer) = in_shell("bash", &["--noprofile", "--norc", "-c"], &script) {
        let lines: Vec<&str> = answer.lines().collect();
        assert_eq!(lines, ["mark(2,1)|mark(2,2)|mark(2,3)", "mark(2,2) mark(2,1)|mark(2,2) mark(2,3)"]);
    }
    std::fs::remove_dir_all(&folder).expect("the folder can be removed");
}

#[test]
fn zsh_loads_its_completions() {
    let script =
        "autoload -U compinit; compinit -D; source FILE; print $+functions[_clap_dynamic_completer_ggp] $_comps[ggp]";
    if let Some(answer) = in_shell("zsh", &["-f", "-c"], script) {
        assert_eq!(answer, "1 _clap_dynamic_completer_ggp\n");
    }
}

/// What the completer of zsh passes to the shell, with `_describe`, which needs an editor of lines, in its place.
#[test]
fn zsh_completes_players_games_and_sheets() {
    let folder = folder_of_sheets();
    let script = "autoload -U compinit; compinit -D; source FILE; cd FOLDER; \
        _describe() { print -l \"${(@P)@[-1]}\"; }; \
        offer() { words=(\"$@\"); CURRENT=$#; _clap_dynamic_completer_ggp; }; \
        offer ggp match nim growing:pl; offer ggp match nim growing:playouts=; offer ggp check o; offer ggp repl tic; \
        offer ggp eval tic_tac_toe \"'do mark(2,\""
        .replace("FOLDER", &folder.display().to_string());
    if let Some(answer) = in_shell("zsh", &["-f", "-c"], &script) {
        let plain = answer.replace('\\', "");
        let lines: Vec<&str> = plain.lines().map(|line| line.split(":three").next().unwrap_or(line)).collect();
        let expected = [
            &[
                "growing:playouts=",
                "growing:playouts=decisive",
                "growing:playouts=lanes",
                "growing:playouts=single",
                "one.gdl",
                "other.kif",
                "tic_tac_toe",
            ][..],
            &["do mark(2,1)", "do mark(2,2)", "do mark(2,3)"][..],
        ];
        assert_eq!(lines, expected.concat());
    }
}

#[test]
fn fish_completes_subcommands_games_and_moves() {
    let script = "source FILE; complete -C 'ggp che'; complete -C 'ggp repl tic'; \
        complete -C \"ggp eval tic_tac_toe 'do mark(2,1); do mark(2,\"";
    if let Some(answer) = in_shell("fish", &["--no-config", "-c"], script) {
        let words: Vec<&str> = answer.lines().map(|line| line.split('\t').next().unwrap_or(line)).collect();
        assert_eq!(words, ["check", "tic_tac_toe", "do mark(2,1); do mark(2,2)", "do mark(2,1); do mark(2,3)"]);
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
    for name in ["version", "system", "memory", "lanes", "library"] {
        assert!(called.answer.lines().any(|line| line.starts_with(name)), "{name}: {}", called.answer);
    }
    let findings: serde_json::Value = serde_json::from_str(&call(&["doctor", "--json"]).answer).expect("it is JSON");
    let version = call(&["--version"]).answer;
    assert_eq!(Some(version.trim()), findings["version"].as_str().map(|version| format!("ggp {version}")).as_deref());
    assert!(version.starts_with(concat!("ggp ", env!("CARGO_PKG_VERSION"))), "{version}");
    assert!(findings["lanes"].as_array().is_some_and(|lanes| !lanes.is_empty()), "{findings}");
}

/// What `ggp doctor` says of a part, in a process with these programs and settings.
fn part_by_doctor(name: &str, environment: &[(&str, &Path)]) -> String {
    let mut command = Command::new(env!("CARGO_BIN_EXE_ggp"));
    let output = command.arg("doctor").envs(environment.iter().copied()).output().expect("the program starts");
    let text = String::from_utf8(output.stdout).expect("it is text");
    let (_, parts) = text.split_once("\noptional parts\n").expect("there is a list");
    let row = parts.lines().find_map(|line| line.strip_prefix(name)).unwrap_or_else(|| panic!("{name}: {parts}"));
    row.trim().to_string()
}

#[test]
fn the_doctor_says_how_to_get_what_is_missing() {
    let nowhere = Path::new("/nowhere");
    let bare: [(&str, &Path); 2] = [("PATH", nowhere), ("GGP_CORPUS", nowhere)];
    for (name, remedy) in [
        ("corpus", "set GGP_CORPUS"),
        ("editors", "docs/editors.md"),
        ("ggp", "to PATH"),
        ("Python package", "pip install"),
        ("Node", "from version 20"),
        ("container", "docker or podman"),
    ] {
        let row = part_by_doctor(name, &bare);
        assert!(row.starts_with("missing: ") && row.contains(remedy), "{name}: {row}");
    }
    assert!(part_by_doctor("networks", &[("GGP_CACHE", Path::new("off"))]).starts_with("missing: "));
    let folder = Path::new(env!("CARGO_BIN_EXE_ggp")).parent().expect("it is in a folder");
    assert_eq!(part_by_doctor("ggp", &[("PATH", folder)]), env!("CARGO_BIN_EXE_ggp"));
}

#[test]
fn the_doctor_gives_each_part_one_finding() {
    let findings: serde_json::Value = serde_json::from_str(&call(&["doctor", "--json"]).answer).expect("it is JSON");
    let parts = findings["parts"].as_array().expect("there is a list");
    assert!(parts.len() > 6, "{findings}");
    for part in parts {
        assert!(part["name"].is_string() && part["found"].is_string() != part["missing"].is_string(), "{part}");
    }
}
