//! The prompt: reads lines with editing, history and completion, and shows the results.
//!
//! Ctrl-C at the prompt clears the line; in a search it stops the search. Ctrl-D ends the session. A line with an open
//! bracket, or with `:-`, `&` or a comma at its end, continues on the next, at a prompt that shows the sign; an empty line
//! ends it in any case, and so does one that begins with the name of a command, which is evaluated in its place. Several
//! lines that are pasted are several commands, and `;` separates commands in a line.
//!
//! [`ask`] is a prompt of its own: a question that is answered by one of some moves.

use super::answer::SessionEnd;
use super::complete::{self, Hint, next_arguments, without_spaces};
use super::console::show;
use super::course::{Marks, marks_file};
use super::highlight::{coloured, painted};
use super::render::{headline, note, warning};
use super::{Console, Session, commands, continuation, evaluate, highlight, read};
use crate::provenance::Provenance;
use anstyle::{AnsiColor, Style};
use gdl::mask::{is_masked, masked};
use gdl::rules::Keyword;
use ggp_draw::fit::{ESCAPE, paragraph};
use ggp_game::files::{self, InputLimit};
use rustyline::completion::{Candidate, Completer};
use rustyline::error::ReadlineError;
use rustyline::highlight::{CmdKind, Highlighter};
use rustyline::hint::Hinter;
use rustyline::history::{FileHistory, MemHistory};
use rustyline::validate::Validator;
use rustyline::{CompletionType, Config, Context, Editor, Helper, Highlighter, Hinter, Validator};
use std::borrow::Cow;
use std::cell::RefCell;
use std::io;
use std::path::{Path, PathBuf};
use std::rc::Rc;
use std::sync::atomic::{AtomicBool, Ordering};

/// The message for a line that is no text. Only a terminal without editing (`TERM=dumb`) lets one through.
const NOT_UTF_8: &str = "the line is not UTF-8";

/// Runs a session at the terminal until it ends.
///
/// `interrupt` is the flag that Ctrl-C sets while a command runs; it is cleared before each line.
///
/// # Errors
/// If the terminal cannot be read or written.
pub(crate) fn run(session: Session, interrupt: &AtomicBool, console: &mut dyn Console) -> Result<(), ReadlineError> {
    let (session, marks) = with_kept_marks(session, console)?;
    let session = Rc::new(RefCell::new(session));
    let config = Config::builder().completion_type(CompletionType::List).completion_show_all_if_ambiguous(true).build();
    let mut editor: Editor<Prompt, FileHistory> = Editor::with_config(config)?;
    editor.set_helper(Some(Prompt::new(session.clone())));
    let mut typed_lines = Vec::new();
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
        let typed = continuation::split_lines(&lines);
        let is_pasted = typed.len() > 1;
        let mut has_ended = false;
        for line in typed {
            if !line.starts_with(' ') {
                editor.add_history_entry(continuation::one_line(&line))?;
            }
            if is_pasted {
                console.answer(&format!("> {}\n", continuation::one_line(&line)))?;
            }
            let line = continuation::one_line(&line);
            typed_lines.push(line.clone());
            has_ended = run_line(&line, &session, marks.as_deref(), console)?;
            for file in session.borrow().take_written() {
                Provenance::of_lines(&typed_lines).write_beside(&file)?;
            }
            if has_ended || interrupt.load(Ordering::Relaxed) {
                break;
            }
        }
        if has_ended {
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

/// Runs the commands of a line, up to one that fails. True if one of them has ended the session.
fn run_line(
    line: &str,
    session: &RefCell<Session>,
    marks: Option<&Path>,
    console: &mut dyn Console,
) -> io::Result<bool> {
    for command in read::split_outside_parentheses(line, ';') {
        let line_shown = console.watch(session.borrow().progress(), session.borrow().screen());
        let result = evaluate(&mut session.borrow_mut(), command);
        drop(line_shown);
        show(console, &mut session.borrow_mut(), &result, "")?;
        keep_marks(&mut session.borrow_mut(), marks, console)?;
        match result {
            Ok(answer) if answer.is::<SessionEnd>() => return Ok(true),
            Ok(answer) if answer.stopped().is_none() => {}
            _ => break,
        }
    }
    Ok(false)
}

/// Reads a line, and while it goes on further lines, whose prompts show why. A note says how to leave.
fn lines(
    editor: &mut Editor<Prompt, FileHistory>,
    prompt: &str,
    session: &RefCell<Session>,
    console: &mut dyn Console,
) -> Result<String, ReadlineError> {
    let mut lines = editor.readline(prompt)?;
    let mut is_continued = false;
    while let Some((sign, reason)) = unfinished(&lines) {
        if !is_continued {
            let leave = format!("{reason}, so the line goes on; an empty line ends it");
            console.talk(&note(&leave, console.paint()))?;
            is_continued = true;
        }
        let next = continued(editor, &lines, &format!("{sign} ...> "))?;
        if is_command(&session.borrow(), &next) {
            let left = format!("`{}` is left, since {reason} and a command follows", last_command(&lines));
            console.talk(&note(&left, console.paint()))?;
            (lines, is_continued) = (next, false);
            continue;
        }
        lines.push('\n');
        lines.push_str(&next);
    }
    Ok(lines)
}

/// The sign because of which the last of several lines goes on, and the reason in words.
fn unfinished(lines: &str) -> Option<(String, String)> {
    match continuation::unfinished(continuation::split_lines(lines).last()?)? {
        continuation::Unfinished::Bracket(bracket) => Some((bracket.to_string(), format!("its `{bracket}` is open"))),
        continuation::Unfinished::Sign(sign) => Some((sign.to_string(), format!("it ends with `{sign}`"))),
    }
}

/// The last command of several lines, on one line.
fn last_command(lines: &str) -> String {
    continuation::split_lines(lines).last().map(|command| continuation::one_line(command)).unwrap_or_default()
}

/// True if a line that may continue another begins with the whole name of a command. The rules may have a proposition
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
    set_earlier(editor, continuation::one_line(lines) + " ");
    let next = editor.readline(prompt);
    set_earlier(editor, String::new());
    next
}

/// The greeting, to be shown before the game is loaded, wrapped at a width.
pub(crate) fn banner(width: usize) -> String {
    let version = env!("CARGO_PKG_VERSION");
    let text = format!("ggp {version}: games in GDL. `course` shows how, `help` lists commands, Ctrl-D ends.");
    paragraph(&text, "", "  ", width)
}

/// The session with the marks of the course that earlier ones have kept, and the file that keeps them. A file that cannot
/// be read is left as it is, and the marks of this session are not kept.
fn with_kept_marks(session: Session, console: &mut dyn Console) -> io::Result<(Session, Option<PathBuf>)> {
    let Some(file) = marks_file() else { return Ok((session, None)) };
    if !file.exists() {
        return Ok((session, Some(file)));
    }
    let read = InputLimit::default().read_text(&file).map_err(|error| error.to_string());
    match read.and_then(|text| Marks::read(&text)) {
        Ok(marks) => Ok((session.with_marks(marks), Some(file))),
        Err(problem) => {
            let text = format!("{}: {problem}; the marks of this session are not kept", file.display());
            console.talk(&warning(&text, console.paint()))?;
            Ok((session, None))
        }
    }
}

/// Writes the marks of the course if the last line has changed them.
fn keep_marks(session: &mut Session, file: Option<&Path>, console: &mut dyn Console) -> io::Result<()> {
    let (Some(marks), Some(file)) = (session.take_changed_marks(), file) else { return Ok(()) };
    let folder = file.parent().map_or(Ok(()), std::fs::create_dir_all);
    match folder.and_then(|()| files::write(file, marks.text())) {
        Ok(()) => Ok(()),
        Err(error) => {
            console.talk(&warning(&format!("the marks are not kept in {}: {error}", file.display()), console.paint()))
        }
    }
}

/// The file of the history, if the platform has a directory for it.
fn history_file() -> Option<PathBuf> {
    let directories = directories::ProjectDirs::from("", "", "ggp")?;
    Some(directories.state_dir().unwrap_or_else(|| directories.data_local_dir()).join("history"))
}

/// Answers the line editor, which does not ask for colours if `NO_COLOR` is set.
#[derive(Helper)]
struct Prompt {
    session: Rc<RefCell<Session>>,
    /// The lines that the current one continues, as one, with a space at the end; empty if there are none.
    earlier: String,
}

/// A word that completes the line.
struct CompletingWord {
    text: String,
    /// Its last argument, as the terminal may show it.
    shown: String,
}

impl CompletingWord {
    fn new(text: String) -> Self {
        let shown = masked(last_argument(&text)).into_owned();
        Self { text, shown }
    }
}

impl Candidate for CompletingWord {
    /// Menus show the last argument of a term, and the last part of a path.
    fn display(&self) -> &str {
        &self.shown
    }

    fn replacement(&self) -> &str {
        &self.text
    }
}

impl Prompt {
    fn new(session: Rc<RefCell<Session>>) -> Self {
        Self { session, earlier: String::new() }
    }
}

impl Completer for Prompt {
    type Candidate = CompletingWord;

    fn complete(&self, line: &str, at: usize, _: &Context<'_>) -> rustyline::Result<(usize, Vec<CompletingWord>)> {
        let whole = format!("{}{}", self.earlier, &line[..at]);
        // The last command of the line is completed.
        let command = read::last_item(&whole, ';');
        let (start, words) = complete::complete(&mut self.session.borrow_mut(), &whole[command..]);
        let start = command + start;
        // The beginning of a word on an earlier line stays there.
        let begun = whole.get(start..self.earlier.len()).map_or(0, |begun| without_spaces(begun).len());
        let rest = |text: String| text.get(begun..).map(str::to_string);
        let words = words.into_iter().filter_map(rest).map(CompletingWord::new).collect();
        Ok((start.saturating_sub(self.earlier.len()), words))
    }
}

impl Hinter for Prompt {
    type Hint = Hint;

    fn hint(&self, line: &str, at: usize, _: &Context<'_>) -> Option<Hint> {
        if at == line.len() && self.earlier.is_empty() { complete::hint(line) } else { None }
    }
}

impl rustyline::hint::Hint for Hint {
    fn display(&self) -> &str {
        &self.text
    }

    fn completion(&self) -> Option<&str> {
        Some(&self.text[..self.taken]).filter(|taken| !taken.is_empty())
    }
}

impl Highlighter for Prompt {
    fn highlight<'l>(&self, line: &'l str, at: usize) -> Cow<'l, str> {
        let coloured = highlight::line(&self.earlier, line, at, self.session.borrow().rules());
        // The editor counts no columns for these characters, so nothing may be shown in their place.
        Cow::Owned(coloured.replace(|character| character != ESCAPE && is_masked(character), ""))
    }

    fn highlight_prompt<'b, 's: 'b, 'p: 'b>(&'s self, prompt: &'p str, _: bool) -> Cow<'b, str> {
        Cow::Owned(painted(coloured(AnsiColor::Green), prompt))
    }

    fn highlight_hint<'h>(&self, hint: &'h str) -> Cow<'h, str> {
        Cow::Owned(painted(Style::new().dimmed(), hint))
    }

    fn highlight_char(&self, _: &str, _: usize, _: CmdKind) -> bool {
        // The parenthesis that matches the one at the cursor may be anywhere in the line.
        true
    }
}

/// Every line is accepted; where a bracket is open, the session asks for the next line itself.
impl Validator for Prompt {}

/// The line that answers a question; Tab completes it to one of the moves.
///
/// # Errors
/// If the line is left by Ctrl-C or Ctrl-D, or if the terminal cannot be read or written.
pub(crate) fn ask(question: &str, moves: Vec<String>) -> Result<String, ReadlineError> {
    // The process may end while a line is being read, so the terminal must not be in another mode then.
    let config = Config::builder().completion_type(CompletionType::List).completion_show_all_if_ambiguous(true);
    let config = config.bracketed_paste(false).build();
    let mut editor: Editor<MoveCompleter, MemHistory> = Editor::with_history(config, MemHistory::new())?;
    editor.set_helper(Some(MoveCompleter { moves }));
    editor.readline(masked(question).as_ref())
}

/// Completes moves.
#[derive(Helper, Hinter, Highlighter, Validator)]
struct MoveCompleter {
    moves: Vec<String>,
}

impl Completer for MoveCompleter {
    type Candidate = CompletingWord;

    fn complete(&self, line: &str, at: usize, _: &Context<'_>) -> rustyline::Result<(usize, Vec<CompletingWord>)> {
        let begun = line[..at].trim_start();
        let words = next_arguments(&self.moves, &without_spaces(begun));
        Ok((at - begun.len(), words.into_iter().map(CompletingWord::new).collect()))
    }
}

/// The part of a word that a menu shows: its last argument, or the last part of a path.
fn last_argument(word: &str) -> &str {
    let end = word.trim_end_matches(|c| "(), /".contains(c)).len();
    let start = word[..end].rfind(|c| "(, /".contains(c)).map_or(0, |sign| sign + 1);
    match word[start..end].is_empty() {
        true => word,
        false if word.ends_with(['(', '/']) => &word[start..],
        false => &word[start..end],
    }
}
