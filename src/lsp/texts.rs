//! The texts that are open in the editor, with their problems and with the colours that the editor was sent.

use gdl::diagnostic::Diagnostic;
use gdl::language::Document;
use gdl::limits::Limits;
use gdl::syntax::Source;
use ggp_engine::Coverage;
use lsp_types::{
    SemanticToken, SemanticTokens, SemanticTokensDelta, SemanticTokensEdit, SemanticTokensFullDeltaResult,
    TextDocumentContentChangeEvent, Uri,
};
use std::cell::{OnceCell, RefCell};
use std::iter::zip;
use std::path::PathBuf;
use std::sync::atomic::{AtomicU64, Ordering};
use std::time::Duration;

/// Time limit on checking a text after a change.
const CHECKING: Duration = Duration::from_secs(10);

/// Kind of a text, by the extension of its file or by the language that the editor names.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum TextKind {
    /// A rule sheet.
    Sheet,
    /// Commands of the prompt.
    Script,
    /// A tree in brackets; only its syntax is checked.
    Tree,
    /// An initial state drawn as a grid; only its syntax is checked.
    Layout,
}

/// A text that is open, as it is in the editor.
pub(super) struct OpenText {
    pub(super) uri: Uri,
    pub(super) version: i32,
    pub(super) kind: TextKind,
    pub(super) source: Source,
    /// The file, if it is one.
    pub(super) path: Option<PathBuf>,
    /// The checked rule sheet, made on first use after a change. The inner `None` means that checking took too long.
    document: OnceCell<Option<Document>>,
    /// All problems of this version, once the examiner has found them.
    pub(super) examined: Option<Vec<Diagnostic>>,
    /// True if the coverage of each version is to be shown.
    pub(super) shows_coverage: bool,
    /// What random games of this version did not use, once they have been played.
    pub(super) coverage: Option<Coverage>,
    /// The colours last sent, possibly for an older version.
    pub(super) colours: RefCell<SentColours>,
}

impl OpenText {
    pub(super) fn new(uri: Uri, language: &str, version: i32, text: String) -> Self {
        let path = path_of(&uri);
        let extension =
            path.as_deref().and_then(|path| path.extension()).map(|extension| extension.to_ascii_lowercase());
        let kind = match extension.as_deref().and_then(|extension| extension.to_str()) {
            Some("query") => TextKind::Script,
            Some("tree") => TextKind::Tree,
            Some("layout") => TextKind::Layout,
            _ if language == "ggp-query" => TextKind::Script,
            _ => TextKind::Sheet,
        };
        let name = path.as_ref().map_or_else(|| uri.as_str().to_string(), |path| path.display().to_string());
        let source = Source::new(name, text);
        let colours = RefCell::default();
        Self {
            uri,
            version,
            kind,
            source,
            path,
            document: OnceCell::new(),
            examined: None,
            shows_coverage: false,
            coverage: None,
            colours,
        }
    }

    /// The name of the game: the file name without extension, or `untitled` for a text without a file.
    pub(super) fn game_name(&self) -> String {
        let stem = self.path.as_deref().and_then(|path| path.file_stem());
        stem.map_or_else(|| "untitled".to_string(), |stem| stem.to_string_lossy().into_owned())
    }

    /// Applies changes of the editor, in their order, and forgets what was computed for the old text.
    pub(super) fn change(&mut self, version: i32, changes: Vec<TextDocumentContentChangeEvent>) {
        for change in changes {
            let text = match change.range {
                None => change.text,
                Some(range) => {
                    let start = self.source.editor_offset(range.start.line, range.start.character) as usize;
                    let end = self.source.editor_offset(range.end.line, range.end.character) as usize;
                    let old = self.source.text();
                    // The protocol does not promise that the start comes before the end.
                    [&old[..start.min(end)], &change.text, &old[start.max(end)..]].concat()
                }
            };
            self.source = Source::new(self.source.name(), text);
        }
        self.version = version;
        self.document = OnceCell::new();
        self.examined = None;
        self.coverage = None;
    }

    /// The rule sheet; `None` if it is not one, or if checking it takes too long.
    pub(super) fn document(&self) -> Option<&Document> {
        if self.kind != TextKind::Sheet {
            return None;
        }
        let limits = || Limits::new().with_time(CHECKING);
        self.document.get_or_init(|| Document::within(self.source.clone(), None, &limits()).ok()).as_ref()
    }

    /// True if the text is a rule sheet without errors, so that its game can be played.
    pub(super) fn is_playable(&self) -> bool {
        self.document().is_some_and(|document| !document.diagnostics().iter().any(Diagnostic::is_error))
    }

    /// The problems known so far: all of them after the examination, before it those that need no play.
    pub(super) fn diagnostics(&self) -> &[Diagnostic] {
        match (&self.examined, self.document()) {
            (Some(examined), _) => examined,
            (None, Some(document)) => document.diagnostics(),
            (None, None) => &[],
        }
    }
}

/// The path of a `file:` URI, with its percent escapes decoded; `None` for other URIs.
fn path_of(uri: &Uri) -> Option<PathBuf> {
    let rest = uri.as_str().strip_prefix("file://")?;
    let path = &rest[rest.find('/')?..];
    let mut bytes = Vec::with_capacity(path.len());
    let mut left = path.bytes();
    while let Some(byte) = left.next() {
        let decoded = match byte {
            b'%' => {
                let digits = [left.next()?, left.next()?];
                u8::from_str_radix(std::str::from_utf8(&digits).ok()?, 16).ok()?
            }
            byte => byte,
        };
        bytes.push(decoded);
    }
    let path = String::from_utf8(bytes).ok()?;
    // On Windows the path of a URI begins with a slash before the drive: `/C:/games/x.gdl`.
    let has_drive = path.as_bytes().get(2) == Some(&b':') && cfg!(windows);
    Some(PathBuf::from(if has_drive { &path[1..] } else { &path[..] }))
}

/// Number of answers so far, over all texts; each answer is named by it. One counter for all texts keeps a text that was
/// closed and opened again from reusing a name that the editor still has.
static ANSWERS: AtomicU64 = AtomicU64::new(0);

/// Integers per token in the encoding of the protocol.
const NUMBERS: usize = 5;

/// The tokens that the editor was sent last for a text, and the name of that answer.
#[derive(Default)]
pub(super) struct SentColours {
    name: String,
    tokens: Vec<SemanticToken>,
}

impl SentColours {
    /// The answer with all tokens.
    pub(super) fn encode_all(&mut self, tokens: Vec<SemanticToken>) -> SemanticTokens {
        *self = Self { name: ANSWERS.fetch_add(1, Ordering::Relaxed).to_string(), tokens: tokens.clone() };
        SemanticTokens { result_id: Some(self.name.clone()), data: tokens }
    }

    /// The answer with the edit that changes the answer named `before` into these tokens; all tokens if another answer was
    /// sent since.
    pub(super) fn changes(&mut self, tokens: Vec<SemanticToken>, before: &str) -> SemanticTokensFullDeltaResult {
        if self.name != before {
            return self.encode_all(tokens).into();
        }
        let edits = edit(&self.tokens, &tokens).into_iter().collect();
        *self = Self { name: ANSWERS.fetch_add(1, Ordering::Relaxed).to_string(), tokens };
        SemanticTokensDelta { result_id: Some(self.name.clone()), edits }.into()
    }
}

/// One edit that changes `old` into `new`, between their common prefix and suffix; `None` if they are equal.
fn edit(old: &[SemanticToken], new: &[SemanticToken]) -> Option<SemanticTokensEdit> {
    let first = zip(old, new).take_while(|(old, new)| old == new).count();
    let old = &old[first..];
    let new = &new[first..];
    let last = zip(old.iter().rev(), new.iter().rev()).take_while(|(old, new)| old == new).count();
    let old = &old[..old.len() - last];
    let new = &new[..new.len() - last];
    let number = |tokens: usize| u32::try_from(tokens * NUMBERS).unwrap_or(u32::MAX);
    (!old.is_empty() || !new.is_empty()).then(|| SemanticTokensEdit {
        start: number(first),
        delete_count: number(old.len()),
        data: Some(new.to_vec()),
    })
}
