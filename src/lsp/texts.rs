//! The texts that are open in the editor.

use super::colours::SentColours;
use gdl::diagnostic::Diagnostic;
use gdl::language::Document;
use gdl::limits::Limits;
use gdl::syntax::Source;
use lsp_types::{TextDocumentContentChangeEvent, Uri};
use std::cell::{OnceCell, RefCell};
use std::path::PathBuf;
use std::time::Duration;

/// The time that checking a text may take after a change.
const CHECKING: Duration = Duration::from_secs(10);

/// What a text is.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum TextKind {
    /// A rule sheet.
    Sheet,
    /// Commands of the prompt.
    Script,
    /// A tree in brackets, of which only the problems of its syntax are told.
    Tree,
    /// A start drawn as a grid, of which only the problems of its syntax are told.
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
    /// The rule sheet, made when it is first needed after a change. `None` inside if checking takes too long.
    document: OnceCell<Option<Document>>,
    /// The problems that the examiner has found in this version.
    pub(super) examined: Option<Vec<Diagnostic>>,
    /// The colours that the editor has, maybe those of an older version.
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
        Self { uri, version, kind, source, path, document: OnceCell::new(), examined: None, colours }
    }

    /// The name of the game: that of the file without its extension.
    pub(super) fn game_name(&self) -> String {
        let stem = self.path.as_deref().and_then(|path| path.file_stem());
        stem.map_or_else(|| "untitled".to_string(), |stem| stem.to_string_lossy().into_owned())
    }

    /// Changes the text as the editor has done.
    pub(super) fn change(&mut self, version: i32, changes: Vec<TextDocumentContentChangeEvent>) {
        for change in changes {
            let text = match change.range {
                None => change.text,
                Some(range) => {
                    let start = self.source.editor_offset(range.start.line, range.start.character) as usize;
                    let end = self.source.editor_offset(range.end.line, range.end.character) as usize;
                    let old = self.source.text();
                    [&old[..start.min(end)], &change.text, &old[start.max(end)..]].concat()
                }
            };
            self.source = Source::new(self.source.name(), text);
        }
        self.version = version;
        self.document = OnceCell::new();
        self.examined = None;
    }

    /// The rule sheet; `None` if it is not one, or if checking it takes too long.
    pub(super) fn document(&self) -> Option<&Document> {
        if self.kind != TextKind::Sheet {
            return None;
        }
        let limits = || Limits::new().with_time(CHECKING);
        self.document.get_or_init(|| Document::within(self.source.clone(), None, &limits()).ok()).as_ref()
    }

    /// The problems that are known now.
    pub(super) fn diagnostics(&self) -> &[Diagnostic] {
        match (&self.examined, self.document()) {
            (Some(examined), _) => examined,
            (None, Some(document)) => document.diagnostics(),
            (None, None) => &[],
        }
    }
}

/// The path of a file's address.
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
    // `/C:/games/x.gdl` is `C:/games/x.gdl`.
    let has_drive = path.as_bytes().get(2) == Some(&b':') && cfg!(windows);
    Some(PathBuf::from(if has_drive { &path[1..] } else { &path[..] }))
}
