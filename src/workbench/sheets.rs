//! Rule sheets that a page sends as texts: checked, formatted, and loaded as the game of its session, and the questions of
//! its editor about them, which [`gdl::language`] answers. Positions are offsets in the text as a page counts them: in
//! UTF-16 code units.

use crate::repl::answer::LoadedGame;
use crate::repl::render::json;
use crate::repl::{Answer, Session};
use crate::template::{BoardSize, MOST_PLAYERS, SheetTemplate, sheet_name};
use gdl::diagnostic::Diagnostic;
use gdl::diagnostic::render::{JsonDiagnostic, to_json};
use gdl::language::{Document, WordKind};
use gdl::limits::Limits;
use gdl::number::to_u32;
use gdl::syntax::ast::Sheet;
use gdl::syntax::{self, Dialect, Source, Span};
use ggp_engine::{
    EngineKind, EngineOptions, GameOriginError, LoadError, PlayAmount, check_text_within, examine_checked, load_text,
    sheet_of_text,
};
use ggp_game::Reasoner;
use serde::{Deserialize, Serialize};
use std::time::Duration;

/// Time limit on checking a text.
const CHECKING: Duration = Duration::from_secs(10);

/// The text of a rule sheet.
#[derive(Deserialize)]
pub struct SheetText {
    name: String,
    text: String,
    /// The other sheets of the page; a layout is for one of them or for one of the library.
    #[serde(default)]
    opened: Vec<SheetText>,
}

/// A rule sheet to begin with.
#[derive(Deserialize)]
pub struct TemplateRequest {
    name: String,
    players: u8,
    columns: u16,
    rows: u16,
}

/// A text to format.
#[derive(Deserialize)]
pub struct UnformattedText {
    #[serde(flatten)]
    sheet: SheetText,
    /// The dialect of the result; by default that of the text.
    dialect: Option<Dialect>,
}

/// Result of checking, formatting or loading a text: a JSON object.
#[derive(Default, Serialize)]
struct TextVerdict {
    /// The answer of `load`, if it has been loaded.
    #[serde(skip_serializing_if = "Option::is_none")]
    loaded: Option<Answer>,
    /// The formatted text, or the rule sheet that was made of a tree or a layout.
    #[serde(skip_serializing_if = "Option::is_none")]
    text: Option<String>,
    diagnostics: Vec<JsonDiagnostic>,
    #[serde(skip_serializing_if = "Option::is_none")]
    error: Option<String>,
}

impl TextVerdict {
    fn with(diagnostics: &[Diagnostic], source: &Source) -> Self {
        Self { diagnostics: diagnostics.iter().map(|problem| to_json(problem, source)).collect(), ..Self::default() }
    }

    fn failed(error: impl ToString) -> Self {
        Self { error: Some(error.to_string()), ..Self::default() }
    }
}

/// The problems of a text, with those that a short play shows.
pub(super) fn check(SheetText { name, text, .. }: SheetText) -> String {
    let source = Source::new(name.clone(), text);
    let limits = Limits::new().with_time(CHECKING);
    let checked = match check_text_within(&source, None, &limits) {
        Ok(checked) => checked,
        Err(stopped) => return json(&TextVerdict::failed(stopped)),
    };
    let of_text = checked.diagnostics.clone();
    let options = EngineOptions { limits, ..EngineKind::Interpreter.into() };
    // What play shows is left out if the game cannot be played within the limits.
    let examined = examine_checked(name, &source, checked, options, PlayAmount::FixedWork);
    let found = examined.map_or(of_text, |examined| examined.diagnostics);
    json(&TextVerdict::with(&found, &source))
}

/// A rule sheet to begin with, as `ggp new` writes it.
pub(super) fn template(request: &TemplateRequest) -> String {
    let TemplateRequest { name, players, columns, rows } = request;
    let name = match sheet_name(name) {
        Ok(name) => name,
        Err(error) => return json(&TextVerdict::failed(error)),
    };
    let board = BoardSize::new(*columns, *rows).filter(|_| (1..=MOST_PLAYERS).contains(players));
    json(&match board {
        Some(board) => {
            let text = SheetTemplate { players: *players, board, steps: None }.text(name);
            TextVerdict { text: Some(text), ..TextVerdict::default() }
        }
        None => TextVerdict::failed(format!(
            "there are sheets for 1 to {MOST_PLAYERS} players, and for boards of 1 to 99 columns and rows with more than one cell"
        )),
    })
}

/// A text as `ggp fmt` writes it, or its errors of syntax.
pub(super) fn format(UnformattedText { sheet: SheetText { name, text, .. }, dialect }: UnformattedText) -> String {
    let source = Source::new(name, text);
    json(&match syntax::format(&source, None, dialect) {
        Ok(text) => TextVerdict { text: Some(text), ..TextVerdict::default() },
        Err(errors) => TextVerdict::with(&errors, &source),
    })
}

/// The rules of a match that begins in the position of a session, as a page of Stanford's course reads them: the clauses
/// of the sheet in the dialect with operations, with commas between them, and the facts of the position in place of
/// those for `init`. Or the errors of clauses that have no form in this dialect.
pub(super) fn ruleset(session: &mut Session) -> String {
    let current = match session.current() {
        Ok(current) => current,
        Err(error) => return json(&TextVerdict::failed(error)),
    };
    let game = &current.game;
    let sheet = match game.sheet.translated(Dialect::Operations) {
        Ok(sheet) => sheet,
        Err(errors) => return json(&TextVerdict::with(&errors, &game.source)),
    };
    let rules = sheet.clauses.iter().filter(|clause| &*clause.head.relation.text != "init").map(|clause| {
        let alone = Sheet { dialect: sheet.dialect, clauses: vec![clause.clone()], comments: Vec::new() };
        alone.to_string().split_whitespace().collect::<Vec<_>>().join(" ")
    });
    let (reasoner, state) = current.position();
    let facts = reasoner.facts(state).into_iter().map(|fact| format!("init({})", fact.display(Dialect::Infix)));
    let text = rules.chain(facts).collect::<Vec<_>>().join(",");
    json(&TextVerdict { text: Some(text), ..TextVerdict::default() })
}

/// Loads a text as the game of a session: a rule sheet, a tree in brackets or a layout, by the extension of its name. If
/// the text has errors, the session keeps its game.
pub(super) fn load(session: &mut Session, SheetText { name, text, opened }: SheetText) -> String {
    let opened: Vec<Source> = opened.into_iter().map(|sheet| Source::new(sheet.name, sheet.text)).collect();
    let given = Source::new(name.clone(), text);
    let made = match sheet_of_text(given.clone(), &opened) {
        Ok(source) => source,
        Err(GameOriginError::NoTree { source_text, diagnostics, .. }) => {
            return json(&TextVerdict::with(&diagnostics, &source_text));
        }
        Err(error) => return json(&TextVerdict::failed(error)),
    };
    let text = (made.text() != given.text()).then(|| made.text().to_string());
    // The folder of a name only tells where the sheet of a layout is.
    let name = name.rsplit('/').next().unwrap_or_default().to_string();
    let loaded = load_text(name, made, None, session.engine_options());
    json(&match loaded {
        Ok(game) => {
            let answer = Answer::new(LoadedGame::from_game(&game));
            let source = game.source.clone();
            let warnings = game.diagnostics.clone();
            let error = session.adopt(game).err().map(|error| error.to_string());
            let loaded = error.is_none().then_some(answer);
            TextVerdict { loaded, text, error, ..TextVerdict::with(&warnings, &source) }
        }
        Err(LoadError::Rejected { source_text, diagnostics }) => TextVerdict::with(&diagnostics, &source_text),
        Err(error) => TextVerdict::failed(error),
    })
}

/// The first error of a sheet that cannot be loaded, with its position; of other errors their text.
pub(super) fn first_problem(error: &LoadError) -> String {
    let first = error.problems().and_then(|(source, problems)| {
        let first = problems.iter().find(|problem| problem.is_error())?;
        let position = first.labels.first().map(|label| source.position(label.span.start));
        let at = position.map_or_else(String::new, |at| format!("line {}, column {}: ", at.line, at.column));
        Some(format!("{at}{} [{}]", first.message, first.code.id))
    });
    first.unwrap_or_else(|| error.to_string())
}

/// Maximum number of candidates for a completion.
const MOST: usize = 500;

/// A question of the editor about a text.
#[derive(Deserialize)]
pub struct LanguageQuestion {
    #[serde(flatten)]
    sheet: SheetText,
    question: EditorQuestion,
}

/// A question, with its position if it is about one.
#[derive(Deserialize)]
#[serde(rename_all = "lowercase")]
enum EditorQuestion {
    /// The dialect, the kinds of all words, and the ranges that can be folded.
    Words,
    /// The completions at a position.
    Completions(u32),
    /// The definitions of the name at a position.
    Definitions(u32),
    /// The description of the name at a position, in Markdown.
    Description(u32),
}

/// The answer to a question.
#[derive(Serialize)]
#[serde(untagged)]
enum EditorAnswer {
    Words {
        dialect: Dialect,
        /// The start, the end and the kind of each word, in order.
        words: Vec<(u32, u32, WordKind)>,
        /// The text that each fold hides: from the end of its first line to the end of its last.
        folds: Vec<(u32, u32)>,
    },
    Completions {
        from: u32,
        to: u32,
        candidates: Vec<EditorCandidate>,
    },
    Definitions {
        definitions: Vec<(u32, u32)>,
    },
    Description {
        from: u32,
        to: u32,
        text: String,
    },
    Nothing {},
    Failed {
        error: String,
    },
}

/// A candidate for a completion.
#[derive(Serialize)]
struct EditorCandidate {
    name: String,
    kind: WordKind,
    detail: String,
    text: String,
    /// True if the text is a snippet, with places for the arguments.
    is_snippet: bool,
}

/// Answers a question, as JSON.
pub(super) fn answer(LanguageQuestion { sheet: SheetText { name, text, .. }, question }: LanguageQuestion) -> String {
    let units = Utf16Offsets::from_text(&text);
    let document = Document::within(Source::new(name, text), None, &Limits::new().with_time(CHECKING));
    json(&match document {
        Ok(document) => question.answer(&document, &units),
        Err(stopped) => EditorAnswer::Failed { error: stopped.to_string() },
    })
}

impl EditorQuestion {
    fn answer(self, document: &Document, units: &Utf16Offsets) -> EditorAnswer {
        match self {
            Self::Words => words(document, units),
            Self::Completions(at) => completions(document, units, at),
            Self::Definitions(at) => {
                let spans = document.definitions(units.byte(at));
                EditorAnswer::Definitions { definitions: spans.into_iter().map(|span| units.span(span)).collect() }
            }
            Self::Description(at) => match document.describe(units.byte(at)) {
                Some(found) => {
                    let (from, to) = units.span(found.span);
                    EditorAnswer::Description { from, to, text: found.text }
                }
                None => EditorAnswer::Nothing {},
            },
        }
    }
}

fn words(document: &Document, units: &Utf16Offsets) -> EditorAnswer {
    let words = document.coloured().into_iter().map(|word| {
        let (from, to) = units.span(word.span);
        (from, to, word.kind)
    });
    let end = |line| units.of_byte(document.source().line_span(line).end);
    let folds = document.folds().into_iter().map(|fold| (end(fold.first), end(fold.last)));
    EditorAnswer::Words { dialect: document.dialect(), words: words.collect(), folds: folds.collect() }
}

fn completions(document: &Document, units: &Utf16Offsets, at: u32) -> EditorAnswer {
    let found = document.completions(units.byte(at));
    let follows = document.source().text()[found.span.end as usize..].starts_with('(');
    let candidates = found.candidates.into_iter().take(MOST).map(|candidate| {
        let snippet = candidate.snippet(document.dialect(), follows);
        EditorCandidate {
            is_snippet: snippet.is_some(),
            text: snippet.unwrap_or_else(|| candidate.begun()),
            name: candidate.name,
            kind: candidate.kind,
            detail: candidate.detail,
        }
    });
    let (from, to) = units.span(found.span);
    EditorAnswer::Completions { from, to, candidates: candidates.collect() }
}

/// The offset in UTF-16 code units of each byte of a text, and of its end.
struct Utf16Offsets(Vec<u32>);

impl Utf16Offsets {
    fn from_text(text: &str) -> Self {
        let mut units = Vec::with_capacity(text.len() + 1);
        let mut length = 0;
        for character in text.chars() {
            units.extend(std::iter::repeat_n(length, character.len_utf8()));
            length += to_u32(character.len_utf16());
        }
        units.push(length);
        Self(units)
    }

    fn of_byte(&self, byte: u32) -> u32 {
        self.0.get(byte as usize).or(self.0.last()).copied().unwrap_or_default()
    }

    fn span(&self, span: Span) -> (u32, u32) {
        (self.of_byte(span.start), self.of_byte(span.end))
    }

    /// The first byte of the character at an offset.
    fn byte(&self, unit: u32) -> u32 {
        // All bytes of a character have the same offset, so the first that is not smaller begins a character.
        to_u32(self.0.partition_point(|&before| before < unit).min(self.0.len() - 1))
    }
}
