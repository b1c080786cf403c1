//! Scripts (`.query`): commands of the prompt, a line each. Lines are read, not run; for completion a session runs the
//! lines before the cursor that load a game and make moves.

use super::convert;
use super::texts::OpenText;
use crate::repl::command::{Command, check_line, find};
use crate::repl::{CommandError, Session, complete, read};
use gdl::syntax::{Source, Span};
use ggp_engine::GameOrigin;
use lsp_types as lsp;
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::{Duration, Instant};

/// The time that the lines before the cursor may take together.
const TIME: Duration = Duration::from_secs(1);

/// The problems that show without running the script.
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

/// Checks that the game of `load` is there.
fn check_game(line: &str, folder: &Path) -> Result<(), CommandError> {
    let (word, rest) = read::word(read::without_comment(line));
    let (game, _) = read::word(rest);
    if find(word).is_ok_and(|command| command.name == "load") && !game.is_empty() {
        match GameOrigin::find(game, folder).map_err(ggp_engine::LoadError::from)? {
            GameOrigin::File(path) if !path.exists() => {
                let error = std::io::Error::from(std::io::ErrorKind::NotFound);
                return Err(CommandError::Unreadable { file: path.display().to_string(), error });
            }
            _ => {}
        }
    }
    Ok(())
}

/// The part of a line that an error is about: the part that it names, or the whole command.
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

/// What may be typed at a position, in the position of the match that the lines before it lead to.
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

/// The command at a position, with its usage and what it does.
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

/// A session after the lines before a position that load games and make moves, as far as they succeed in time.
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
    stop.store(false, Ordering::Relaxed);
    session
}

/// The folder of a script, where its paths start.
pub(super) fn folder(text: &OpenText) -> PathBuf {
    let folder = text.path.as_deref().and_then(Path::parent).filter(|folder| !folder.as_os_str().is_empty());
    folder.unwrap_or(Path::new(".")).to_path_buf()
}

/// The lines of a text with their positions.
pub(super) fn lines(source: &Source) -> impl Iterator<Item = (&str, u32)> {
    let last = source.line(u32::MAX);
    (1..=last).map(|line| {
        let span = source.line_span(line);
        (source.slice(span), span.start)
    })
}
