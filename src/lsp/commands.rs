//! Commands of the prompt in an editor: scripts (`.query`), with a command a line, and lenses, which run a script or a line
//! about the game of a sheet.
//!
//! The lines of a script are only parsed while it is edited. For completion a session runs the lines before the cursor
//! that load a game and make moves.

use super::convert;
use super::coverage::COVERAGE;
use super::texts::{OpenText, TextKind};
use crate::repl::command::{Command, check_line, find};
use crate::repl::console::Transcript;
use crate::repl::script::{self, Options};
use crate::repl::{CommandError, Session, complete, evaluate, read, render};
use gdl::diagnostic::render::Paint;
use gdl::rules::Keyword;
use gdl::syntax::{Source, Span};
use ggp_engine::{GameOrigin, LoadError, load_text};
use lsp_types as lsp;
use std::io;
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::{Duration, Instant};

/// Time limit on running the lines before the cursor.
const TIME: Duration = Duration::from_secs(1);

/// The problems of a script that can be found without running it.
pub(super) fn diagnostics(text: &OpenText) -> Vec<lsp::Diagnostic> {
    let mut found = Vec::new();
    for (line, start) in lines(&text.source) {
        let Err(error) = check_line(line).and_then(|()| check_game(line, &folder(text))) else { continue };
        let span = place(line, &error);
        let span = Span { start: start + span.start, end: start + span.end };
        found.push(lsp::Diagnostic {
            range: convert::range(&text.source, span),
            severity: Some(lsp::DiagnosticSeverity::ERROR),
            source: Some("ggp".to_string()),
            message: error.to_string(),
            ..lsp::Diagnostic::default()
        });
    }
    found
}

/// Checks that the game that a `load` names exists; other lines pass.
fn check_game(line: &str, folder: &Path) -> Result<(), CommandError> {
    let (word, rest) = read::word(read::without_comment(line));
    let (game, _) = read::word(rest);
    if find(word).is_ok_and(|command| command.name == "load") && !game.is_empty() {
        match GameOrigin::find(game, folder).map_err(LoadError::from)? {
            GameOrigin::File(path) if !path.exists() => {
                let error = io::Error::from(io::ErrorKind::NotFound);
                return Err(CommandError::Unreadable { file: path.display().to_string(), error });
            }
            _ => {}
        }
    }
    Ok(())
}

/// Span in a line that an error is about: the part that it names, or else the whole command.
fn place(line: &str, error: &CommandError) -> Span {
    let command = read::without_comment(line);
    let start = line.find(command).unwrap_or(0);
    let whole = Span::new(start, start + command.len());
    let within = |text: &Source, span: Span| match line.find(text.text()) {
        Some(at) => Span::new(at + span.start as usize, at + span.end as usize),
        None => whole,
    };
    match error {
        CommandError::Syntax { text, diagnostics } => {
            let label = diagnostics.first().and_then(|problem| problem.labels.first());
            label.map_or(whole, |label| within(text, label.span))
        }
        CommandError::Mistyped { text, span, .. } => within(text, *span),
        CommandError::UnknownCommand { word, .. } | CommandError::AmbiguousCommand { word, .. } => {
            command.find(word.as_str()).map_or(whole, |at| Span::new(start + at, start + at + word.len()))
        }
        _ => whole,
    }
}

/// Completions at the cursor, in the position of the match to which the lines before it lead.
pub(super) fn completion(text: &OpenText, at: lsp::Position) -> Option<lsp::CompletionResponse> {
    let offset = convert::offset(&text.source, at);
    let start = text.source.line_span(at.line + 1).start.min(offset);
    let line = text.source.slice(Span { start, end: offset });
    let mut session = session_before(text, start);
    let (begun, words) = complete::complete(&mut session, line);
    let begun = start + u32::try_from(begun).ok()?;
    let range = convert::range(&text.source, Span { start: begun, end: offset });
    let items = words.into_iter().enumerate().map(|(order, word)| lsp::CompletionItem {
        label: word.clone(),
        kind: Some(kind(&word)),
        detail: find(&word).ok().filter(|command| command.name == word).map(|command| command.summary.to_string()),
        sort_text: Some(format!("{order:05}")),
        text_edit: Some(lsp::CompletionTextEdit::Edit(lsp::TextEdit { range, new_text: word })),
        ..lsp::CompletionItem::default()
    });
    Some(lsp::CompletionResponse::Array(items.collect()))
}

fn kind(word: &str) -> lsp::CompletionItemKind {
    match word {
        _ if word.starts_with("--") => lsp::CompletionItemKind::PROPERTY,
        _ if find(word).is_ok_and(|command| command.name == word) => lsp::CompletionItemKind::KEYWORD,
        _ => lsp::CompletionItemKind::VALUE,
    }
}

/// Hover over the name of a command: its usage, its summary and an example.
pub(super) fn hover(text: &OpenText, at: lsp::Position) -> Option<lsp::Hover> {
    let offset = convert::offset(&text.source, at);
    let span = text.source.line_span(at.line + 1);
    let line = text.source.slice(span);
    let words = read::words(read::without_comment(line));
    let here = words.into_iter().find(|word| {
        let at = span.start as usize..=span.start as usize + word.end;
        at.contains(&(offset as usize)) && offset as usize >= span.start as usize + word.start
    })?;
    let command: &Command = find(&line[here.clone()]).ok()?;
    let value = format!("```\n{}\n```\n\n{}\n\nexample: `{}`", command.usage(), command.summary, command.example);
    Some(lsp::Hover {
        contents: lsp::HoverContents::Markup(lsp::MarkupContent { kind: lsp::MarkupKind::Markdown, value }),
        range: Some(convert::range(
            &text.source,
            Span::new(span.start as usize + here.start, span.start as usize + here.end),
        )),
    })
}

/// A session after those lines before a byte that load games and make moves, as far as they succeed within [`TIME`].
fn session_before(text: &OpenText, end: u32) -> Session {
    let stop = Arc::new(AtomicBool::new(false));
    let mut session = Session::new(folder(text), stop.clone());
    let begun = Instant::now();
    for (line, _) in lines(&text.source).take_while(|&(_, start)| start < end) {
        if begun.elapsed() > TIME {
            stop.store(true, Ordering::Relaxed);
            break;
        }
        complete::follow(&mut session, line);
    }
    // The completion itself is not to be interrupted.
    stop.store(false, Ordering::Relaxed);
    session
}

/// The folder of a text, at which relative paths in it start; the current one for a text without a file.
fn folder(text: &OpenText) -> PathBuf {
    let folder = text.path.as_deref().and_then(Path::parent).filter(|folder| !folder.as_os_str().is_empty());
    folder.unwrap_or(Path::new(".")).to_path_buf()
}

/// The lines of a text, each with the byte at which it starts.
fn lines(source: &Source) -> impl Iterator<Item = (&str, u32)> {
    // An offset beyond the end is on the last line.
    let last = source.line(u32::MAX);
    (1..=last).map(|line| {
        let span = source.line_span(line);
        (source.slice(span), span.start)
    })
}

/// Command of the protocol that answers a line of the prompt about the game of a sheet. Its arguments are the URI of the
/// sheet and the line.
pub(super) const EVALUATE: &str = "ggp.evaluate";

/// Command of the protocol that runs a script. Its argument is the URI of the script.
pub(super) const RUN: &str = "ggp.run";

/// The lenses of a text. A script has one, which runs it. A sheet without errors has one above the first clause of each of
/// `init`, `legal`, `next` and `goal`: random play, counts of the move tree, coverage, a check.
pub(super) fn lenses(text: &OpenText) -> Vec<lsp::CodeLens> {
    let lens = |span: Span, title: &str, command: &str, line: Option<&str>| {
        let address = serde_json::Value::from(text.uri.as_str());
        let arguments = [Some(address), line.map(serde_json::Value::from)].into_iter().flatten().collect();
        lsp::CodeLens {
            range: convert::range(&text.source, span),
            command: Some(lsp::Command::new(title.to_string(), command.to_string(), Some(arguments))),
            data: None,
        }
    };
    if text.kind == TextKind::Script {
        return vec![lens(Span::default(), "run", RUN, None)];
    }
    let Some(document) = text.document().filter(|_| text.is_playable()) else { return Vec::new() };
    let rules = document.rules();
    let first = |keyword| rules.clauses.iter().find(|clause| clause.head.relation == rules.keyword(keyword));
    let offers = [
        (Keyword::Init, "play at random", "playout"),
        (Keyword::Legal, "perft 3", "perft 3"),
        (Keyword::Goal, "check", "check"),
    ];
    let offers = offers.into_iter().filter_map(|(keyword, title, line)| Some((first(keyword)?.span, title, line)));
    let mut lenses: Vec<_> = offers.map(|(span, title, line)| lens(span, title, EVALUATE, Some(line))).collect();
    let title = if text.shows_coverage { "hide coverage" } else { "show coverage" };
    lenses.extend(first(Keyword::Next).map(|clause| lens(clause.span, title, COVERAGE, None)));
    lenses
}

/// Work that a lens has started: a line about the game of a sheet, or a script.
pub(super) struct LensJob {
    /// The name of the game, or of the script for messages.
    name: String,
    /// The sheet or the script.
    source: Source,
    /// The line about the game; `None` runs the script.
    line: Option<String>,
    folder: PathBuf,
}

impl LensJob {
    /// The work of a command about a text.
    ///
    /// # Errors
    /// If there is no such command, or it is not for a text of this kind: a message for the user.
    pub(super) fn new(command: &str, text: &OpenText, line: Option<&str>) -> Result<Self, String> {
        let (name, line) = match (command, line, text.kind) {
            (EVALUATE, Some(line), TextKind::Sheet) => (text.game_name(), Some(line.to_string())),
            (RUN, _, TextKind::Script) => (text.source.name().to_string(), None),
            (EVALUATE, None, _) => return Err("which line?".to_string()),
            (EVALUATE, Some(_), _) => return Err("this is no rule sheet".to_string()),
            (RUN, ..) => return Err("this is no script".to_string()),
            (other, ..) => return Err(format!("there is no command `{other}`")),
        };
        Ok(Self { name, source: text.source.clone(), line, folder: folder(text) })
    }

    /// Does the work until it is finished or stopped, and returns the answer, or the error, as text.
    pub(super) fn run(self, stop: &Arc<AtomicBool>) -> String {
        let Self { name, source, line, folder } = self;
        let mut session = Session::new(folder, stop.clone());
        let Some(line) = line else {
            let mut transcript = Transcript::default();
            let options = Options { echo: true, ..Options::default() };
            let lines = lines(&source).map(|(line, _)| Ok(line.to_string()));
            return match script::run(&mut session, &name, lines, options, &mut transcript) {
                Ok(report) => format!("{}{}", transcript.text, script::summary(&name, &report)),
                Err(error) => error.to_string(),
            };
        };
        let game = match load_text(name, source, None, session.engine_options()) {
            Ok(game) => game,
            Err(error) => return error.to_string(),
        };
        if let Err(error) = session.adopt(game) {
            return error.to_string();
        }
        match evaluate(&mut session, &line) {
            Ok(answer) => render::text(&answer, Paint::Plain, session.dialect()),
            Err(error) => render::error(&error, Paint::Plain),
        }
    }
}
