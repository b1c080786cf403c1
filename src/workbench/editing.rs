//! What the editor of a page asks about a rule sheet; [`gdl::language`] answers. Positions are offsets in the text as
//! a page counts them: in code units of UTF-16.

use super::sheets::{CHECKING, SheetText};
use crate::repl::render::json;
use gdl::language::{Document, WordKind};
use gdl::limits::Limits;
use gdl::number::to_u32;
use gdl::syntax::{Dialect, Source, Span};
use serde::{Deserialize, Serialize};

/// The greatest number of candidates that are offered.
const MOST: usize = 500;

/// A question about a text.
#[derive(Deserialize)]
pub struct LanguageQuestion {
    #[serde(flatten)]
    sheet: SheetText,
    question: EditorQuestion,
}

/// What is asked.
#[derive(Deserialize)]
#[serde(rename_all = "lowercase")]
enum EditorQuestion {
    /// The dialect, what each word is, and what can be folded.
    Words,
    /// What may be typed at a position.
    Completions(u32),
    /// Where the name at a position is defined.
    Definitions(u32),
    /// What the name at a position is, in Markdown.
    Description(u32),
}

/// An answer.
#[derive(Serialize)]
#[serde(untagged)]
enum EditorAnswer {
    Words {
        dialect: Dialect,
        /// The start and the end of each word with what it is, in order.
        words: Vec<(u32, u32, WordKind)>,
        /// What is hidden by each fold: from the end of its first line to the end of its last.
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

/// What may be typed.
#[derive(Serialize)]
struct EditorCandidate {
    name: String,
    kind: WordKind,
    detail: String,
    text: String,
    /// Whether the text is a snippet, with places for the arguments.
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

/// The offset in code units of UTF-16 of each byte of a text, and of its end.
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
        to_u32(self.0.partition_point(|&before| before < unit).min(self.0.len() - 1))
    }
}
