//! Lenses, and the commands that they start: lines of the prompt about the game of a sheet, and scripts.

use super::convert;
use super::texts::{OpenText, TextKind};
use super::{scripts, sheets};
use crate::repl::console::Transcript;
use crate::repl::script::{self, Options};
use crate::repl::{Session, evaluate, render};
use gdl::diagnostic::render::Paint;
use gdl::rules::Keyword;
use gdl::syntax::{Source, Span};
use ggp_engine::load_text;
use lsp_types as lsp;
use std::path::PathBuf;
use std::sync::Arc;
use std::sync::atomic::AtomicBool;

/// The command that answers a line of the prompt about the game of a sheet. Its arguments are the address of the sheet
/// and the line.
pub(super) const EVALUATE: &str = "ggp.evaluate";

/// The command that runs a script. Its argument is the address of the script.
pub(super) const RUN: &str = "ggp.run";

/// The lenses of a sheet, above the first clauses of `init`, `legal` and `goal`: random play, counts, a check. A script
/// has one that runs it. A sheet with errors has none.
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
    let Some(document) = text.document().filter(|document| sheets::is_playable(document)) else { return Vec::new() };
    let rules = document.rules();
    let first = |keyword| rules.clauses.iter().find(|clause| clause.head.relation == rules.keyword(keyword));
    let offers = [
        (Keyword::Init, "play at random", "playout"),
        (Keyword::Legal, "perft 3", "perft 3"),
        (Keyword::Goal, "check", "check"),
    ];
    let offers = offers.into_iter().filter_map(|(keyword, title, line)| Some((first(keyword)?.span, title, line)));
    offers.map(|(span, title, line)| lens(span, title, EVALUATE, Some(line))).collect()
}

/// Work that a lens has started.
pub(super) enum LensJob {
    /// A line about the game of a sheet.
    Evaluate { name: String, source: Source, line: String, folder: PathBuf },
    /// A script.
    Run { name: String, source: Source, folder: PathBuf },
}

impl LensJob {
    /// The work of a command about a text; an error if the arguments are wrong.
    pub(super) fn new(command: &str, text: &OpenText, line: Option<&str>) -> Result<Self, String> {
        let source = text.source.clone();
        let folder = scripts::folder(text);
        match (command, line, text.kind) {
            (EVALUATE, Some(line), TextKind::Sheet) => {
                Ok(Self::Evaluate { name: text.game_name(), source, line: line.to_string(), folder })
            }
            (RUN, _, TextKind::Script) => Ok(Self::Run { name: text.source.name().to_string(), source, folder }),
            (EVALUATE, None, _) => Err("which line?".to_string()),
            (EVALUATE, Some(_), _) => Err("this is no rule sheet".to_string()),
            (RUN, ..) => Err("this is no script".to_string()),
            (other, ..) => Err(format!("there is no command `{other}`")),
        }
    }

    /// Does the work until it is finished or stopped, and returns the answer as text.
    pub(super) fn run(self, stop: &Arc<AtomicBool>) -> String {
        match self {
            Self::Evaluate { name, source, line, folder } => {
                let mut session = Session::new(folder, stop.clone());
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
            Self::Run { name, source, folder } => {
                let mut session = Session::new(folder, stop.clone());
                let mut transcript = Transcript::default();
                let options = Options { echo: true, ..Options::default() };
                let lines = scripts::lines(&source).map(|(line, _)| Ok(line.to_string()));
                match script::run(&mut session, &name, lines, options, &mut transcript) {
                    Ok(report) => format!("{}{}", transcript.text, script::summary(&name, &report)),
                    Err(error) => error.to_string(),
                }
            }
        }
    }
}
