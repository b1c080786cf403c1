//! What a terminal would obey instead of showing it: control characters and directions of writing from sheets, names of
//! files and arguments.

use super::{Terminal, home};
use crate::ggp::ggp;
use expectrl::{Eof, Expect};
use std::path::{Path, PathBuf};

/// A move with a direction of writing, a cell with a title for the window between its brackets, a comment with a colour
/// that the program never uses, and a rule that is refused.
const SHEET: &str = "; one\x1b[45m: a game.\n(role r)\n(init (p \x1b]title\x07x))\n(legal r a\u{202e}.b)\n\
    (legal r \u{9b}45mx)\n(goal r 0)\n(<= terminal (true (p z)))\n";

/// Characters that no output to a terminal may have.
const OBEYED: [&str; 8] = ["\x1b[45m", "\x1b]", "\x07", "\u{9b}", "\u{202e}", "\u{2066}", "\x7f", "\x08"];

fn sheet(home: &Path, text: &str) -> PathBuf {
    let path = home.join("game.kif");
    std::fs::write(&path, text).expect("it is written");
    path
}

/// All that a call shows at a terminal, which may contain nothing that is obeyed.
fn shown(arguments: &[&str], home: &Path, has_colours: bool) -> String {
    let mut terminal = Terminal::run(arguments, home, has_colours);
    let seen = terminal.program.expect(Eof).expect("the program ends");
    let text = String::from_utf8_lossy(seen.as_bytes()).into_owned();
    for obeyed in OBEYED {
        assert!(!text.contains(obeyed), "{arguments:?}: {obeyed:?} in {text:?}");
    }
    text
}

#[test]
fn answers_and_diagnostics_are_masked_and_keep_their_colours() {
    let home = home("masking");
    let game = sheet(&home, SHEET);
    let game = game.to_str().expect("it is text");
    for has_colours in [false, true] {
        let legal = shown(&["eval", game, "legal"], &home, has_colours);
        assert!(legal.contains("a\u{fffd}.b"), "{legal:?}");
        shown(&["eval", game, "rules", "facts", "describe"], &home, has_colours);
        let printed = shown(&["fmt", game], &home, has_colours);
        assert!(printed.contains("one␛[45m"), "{printed:?}");
        let broken = sheet(&home, &SHEET.replace("(goal r 0)", "(goal \x1b[45m r \u{9b}5m 0\u{202e}"));
        let checked = shown(&["check", broken.to_str().expect("it is text")], &home, has_colours);
        assert!(checked.contains("error") && checked.contains("␛[45m"), "{checked:?}");
        // The program's own colours are there.
        assert_eq!(checked.contains("\x1b[1m") || checked.contains("\x1b[91m"), has_colours, "{checked:?}");
        sheet(&home, SHEET);
    }
}

#[test]
fn arguments_and_names_of_files_are_masked_in_errors() {
    let home = home("masked_names");
    let named = home.join("\x1b[45m\u{202e}.kif");
    std::fs::write(&named, "(role r) (legal").expect("it is written");
    let named = named.to_str().expect("it is text");
    for has_colours in [false, true] {
        for arguments in [
            &["check", named][..],
            &["check", "\x1b[45m\u{9b}none\u{2066}"],
            &["\x1b[45mcheck\u{9b}"],
            &["check", "--\x1b[45m\u{202e}"],
            &["eval", "tic_tac_toe", "\x1b[45mlegal\u{9b}1m"],
            &["eval", "tic_tac_toe", "?- true(\x1b[45m\u{202e}"],
            &["solve", "tic_tac_toe", "--dir", "/dev/null/\x1b[45m\u{202e}"],
        ] {
            let text = shown(arguments, &home, has_colours);
            assert!(text.contains("error") && (text.contains('␛') || text.contains('\u{fffd}')), "{text:?}");
        }
    }
}

#[test]
fn the_prompt_is_masked() {
    let home = home("masked_prompt");
    let named = home.join("a\u{202e}b.kif");
    std::fs::write(&named, SHEET).expect("it is written");
    let mut terminal = Terminal::run(&["repl", named.to_str().expect("it is text")], &home, false);
    let before = terminal.until("a\u{fffd}b> ");
    assert!(!before.contains('\u{202e}'), "{before:?}");
    terminal.ends();
}

#[test]
fn a_file_gets_what_the_sheet_has() {
    let home = home("unmasked");
    let game = sheet(&home, SHEET);
    let legal = ggp().arg("eval").arg(&game).arg("legal").output().expect("it ends");
    assert!(String::from_utf8_lossy(&legal.stdout).contains("a\u{202e}.b"), "{legal:?}");
    let printed = ggp().arg("fmt").arg(&game).output().expect("it ends");
    assert!(String::from_utf8_lossy(&printed.stdout).contains("one\x1b[45m: a game."), "{printed:?}");
    // Also where colours are forced, as for a pager.
    let mut command = ggp();
    command.arg("eval").arg(&game).args(["legal", "nothing"]).env("CLICOLOR_FORCE", "1").env_remove("NO_COLOR");
    let forced = command.output().expect("it ends");
    assert!(String::from_utf8_lossy(&forced.stdout).contains("a\u{202e}.b"), "{forced:?}");
    assert!(String::from_utf8_lossy(&forced.stderr).contains("\x1b[1m\x1b[31merror\x1b[0m: "), "{forced:?}");
}

#[test]
fn each_control_character_has_a_sign_of_one_column() {
    use gdl::mask::masked;

    assert_eq!(masked("x\ty\nz\r\n"), "x\ty\nz\r\n");
    assert_eq!(masked("\r\x1b\x00\x1f\x7f\x08"), "␍␛␀␟␡␈");
    assert_eq!(masked("\u{80}\u{9b}\u{9f}\u{a0}"), "\u{fffd}\u{fffd}\u{fffd}\u{a0}");
    let directions = "\u{61c}\u{200e}\u{200f}\u{2028}\u{2029}\u{202a}\u{202e}\u{2066}\u{2069}";
    assert_eq!(masked(directions), "\u{fffd}".repeat(9));
    // Joiners and letters that are written from right to left are text.
    assert_eq!(masked("\u{200d}\u{5d0}ä♜"), "\u{200d}\u{5d0}ä♜");
}
