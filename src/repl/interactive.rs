//! The prompt: reads lines with editing, history and completion, and shows the results.
//!
//! Ctrl-C at the prompt clears the line; in a search it stops the search. Ctrl-D ends the session. A line with an open
//! bracket continues on the next, at a prompt that shows the bracket; an empty line ends it in any case, and so does
//! one that begins with the name of a command, which is evaluated in its place.

pub(crate) mod moves;
mod prompt;

use super::answer::SessionEnd;
use super::console::show;
use super::render::{headline, note};
use super::{Console, Session, commands, evaluate, read};
use gdl::mask::masked;
use gdl::rules::Keyword;
use ggp_draw::fit::paragraph;
use prompt::Prompt;
use rustyline::error::ReadlineError;
use rustyline::history::FileHistory;
use rustyline::{CompletionType, Config, Editor};
use std::cell::RefCell;
use std::io;
use std::path::PathBuf;
use std::rc::Rc;
use std::sync::atomic::{AtomicBool, Ordering};

/// What is said of a line that is no text. Only a terminal without editing (`TERM=dumb`) lets one through.
pub(crate) const NOT_UTF_8: &str = "the line is not UTF-8";

/// Runs a session at the terminal until it ends.
///
/// `interrupt` is the flag that Ctrl-C sets while a command runs; it is cleared before each line.
///
/// # Errors
/// If the terminal cannot be read or written.
pub(crate) fn run(session: Session, interrupt: &AtomicBool, console: &mut dyn Console) -> Result<(), ReadlineError> {
    let session = Rc::new(RefCell::new(session));
    let config = Config::builder().completion_type(CompletionType::List).completion_show_all_if_ambiguous(true).build();
    let mut editor: Editor<Prompt, FileHistory> = Editor::with_config(config)?;
    editor.set_helper(Some(Prompt::new(session.clone())));
    let history = history_file();
    if let Some(file) = &history {
        // The file does not exist before the first session.
        let _ = editor.load_history(file);
    }
    loop {
        let prompt = format!("{}> ", masked(session.borrow().game_name().unwrap_or("ggp")));
        // While a line is typed Ctrl-C is a key. The interrupt of the last command must not stop completion, or the
        // next command.
        interrupt.store(false, Ordering::Relaxed);
        let lines = match lines(&mut editor, &prompt, &session, console) {
            Ok(lines) => lines,
            Err(ReadlineError::Interrupted) => continue,
            Err(ReadlineError::Io(error)) if error.kind() == io::ErrorKind::InvalidData => {
                console.talk(&headline(&NOT_UTF_8, console.paint()))?;
                continue;
            }
            Err(ReadlineError::Eof) => break,
            Err(error) => return Err(error),
        };
        let line = read::one_line(&lines);
        if !lines.starts_with(' ') {
            editor.add_history_entry(line.as_str())?;
        }
        let line_shown = console.watch(session.borrow().progress(), session.borrow().screen());
        let result = evaluate(&mut session.borrow_mut(), &line);
        drop(line_shown);
        show(console, &mut session.borrow_mut(), &result, "")?;
        if result.is_ok_and(|answer| answer.is::<SessionEnd>()) {
            break;
        }
    }
    if let Some(file) = &history {
        // An error in saving the history is ignored.
        let _ = file.parent().map(std::fs::create_dir_all);
        let _ = editor.append_history(file);
    }
    Ok(())
}

/// Reads a line, and while a bracket is open further lines, whose prompts show that bracket. A note says how to leave.
fn lines(
    editor: &mut Editor<Prompt, FileHistory>,
    prompt: &str,
    session: &RefCell<Session>,
    console: &mut dyn Console,
) -> Result<String, ReadlineError> {
    let mut lines = editor.readline(prompt)?;
    let mut is_continued = false;
    while let Some(bracket) = read::open_bracket(&lines) {
        if !is_continued {
            let leave = format!("`{bracket}` is open, so the line goes on; an empty line ends it");
            console.talk(&note(&leave, console.paint()))?;
            is_continued = true;
        }
        let next = continued(editor, &lines, &format!("{bracket} ...> "))?;
        if is_command(&session.borrow(), &next) {
            let left =
                format!("`{}` is left, since its `{bracket}` is open and a command follows", read::one_line(&lines));
            console.talk(&note(&left, console.paint()))?;
            (lines, is_continued) = (next, false);
            continue;
        }
        lines.push('\n');
        lines.push_str(&next);
    }
    Ok(lines)
}

/// Whether a line that may continue another begins with the whole name of a command. The rules may have a proposition
/// of the same name, such as `terminal`; such a line continues the other one.
fn is_command(session: &Session, line: &str) -> bool {
    let (word, _) = read::word(read::without_comment(line));
    let is_proposition = session.rules().is_some_and(|rules| rules.find_relation(word, 0).is_some());
    !is_proposition
        && Keyword::from_name(word) != Some(Keyword::Terminal)
        && commands().any(|command| command.name == word)
}

/// Reads a line that continues others.
fn continued(editor: &mut Editor<Prompt, FileHistory>, lines: &str, prompt: &str) -> Result<String, ReadlineError> {
    let set_earlier = |editor: &mut Editor<Prompt, FileHistory>, earlier| {
        if let Some(helper) = editor.helper_mut() {
            helper.earlier = earlier;
        }
    };
    set_earlier(editor, read::one_line(lines) + " ");
    let next = editor.readline(prompt);
    set_earlier(editor, String::new());
    next
}

/// The greeting, to be shown before the game is loaded, wrapped at a width.
pub(crate) fn banner(width: usize) -> String {
    let version = env!("CARGO_PKG_VERSION");
    let text = format!("ggp {version}: games in GDL. `learn` shows how, `help` lists commands, Ctrl-D ends.");
    paragraph(&text, "", "  ", width)
}

/// The file of the history, if the platform has a directory for it.
fn history_file() -> Option<PathBuf> {
    let directories = directories::ProjectDirs::from("", "", "ggp")?;
    Some(directories.state_dir().unwrap_or_else(|| directories.data_local_dir()).join("history"))
}
