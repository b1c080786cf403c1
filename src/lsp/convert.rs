//! Conversion between the language service and the types of the protocol. Positions of the protocol count lines from 0
//! and columns in UTF-16 code units; [`gdl`] counts bytes.

use gdl::diagnostic::{Diagnostic, Severity, TextEdit};
use gdl::language::{CallSignature, ColouredWord, Completions, Fold, OutlineEntry, WordKind};
use gdl::syntax::{Dialect, Source, Span};
use lsp_types as lsp;
use lsp_types::Uri;

/// The position of a byte.
pub(super) fn position(source: &Source, offset: u32) -> lsp::Position {
    let (line, character) = source.editor_position(offset);
    lsp::Position { line, character }
}

/// The range of a span.
pub(super) fn range(source: &Source, span: Span) -> lsp::Range {
    lsp::Range { start: position(source, span.start), end: position(source, span.end) }
}

/// The byte at a position.
pub(super) fn offset(source: &Source, position: lsp::Position) -> u32 {
    source.editor_offset(position.line, position.character)
}

/// The span of a range.
pub(super) fn span(source: &Source, range: lsp::Range) -> Span {
    let start = offset(source, range.start);
    let end = offset(source, range.end);
    Span { start: start.min(end), end: start.max(end) }
}

/// A problem; one without a position is at the beginning of the text.
pub(super) fn diagnostic(problem: &Diagnostic, source: &Source, uri: &Uri) -> lsp::Diagnostic {
    let primary = problem.labels.first();
    let mut message = problem.message.clone();
    for more in primary.map(|label| &label.message).into_iter().filter(|more| !more.is_empty()) {
        message = format!("{message}: {more}");
    }
    if let Some(help) = &problem.help {
        message = format!("{message}\nhelp: {help}");
    }
    let related = problem.labels.iter().skip(1).map(|label| lsp::DiagnosticRelatedInformation {
        location: lsp::Location { uri: uri.clone(), range: range(source, label.span) },
        message: label.message.clone(),
    });
    let related: Vec<_> = related.collect();
    lsp::Diagnostic {
        range: primary.map_or_else(lsp::Range::default, |label| range(source, label.span)),
        severity: Some(match problem.severity {
            Severity::Error => lsp::DiagnosticSeverity::ERROR,
            Severity::Warning => lsp::DiagnosticSeverity::WARNING,
        }),
        code: Some(lsp::NumberOrString::String(problem.code.id.to_string())),
        source: Some("ggp".to_string()),
        message,
        related_information: Some(related).filter(|related| !related.is_empty()),
        tags: is_unnecessary(problem).then(|| vec![lsp::DiagnosticTag::UNNECESSARY]),
        ..lsp::Diagnostic::default()
    }
}

/// True if the problem is about code that could be left out, which editors show in a fainter colour.
fn is_unnecessary(problem: &Diagnostic) -> bool {
    ["unused-relation", "duplicate-clause"].contains(&problem.code.name)
}

/// Edits of a text.
pub(super) fn edits(edits: &[TextEdit], source: &Source) -> Vec<lsp::TextEdit> {
    let edit = |edit: &TextEdit| lsp::TextEdit::new(range(source, edit.span), edit.replacement.clone());
    edits.iter().map(edit).collect()
}

/// Edits of one text, for a workspace.
pub(super) fn workspace_edit(changes: &[TextEdit], source: &Source, uri: &Uri) -> lsp::WorkspaceEdit {
    lsp::WorkspaceEdit::new([(uri.clone(), edits(changes, source))].into_iter().collect())
}

/// A relation of the outline.
pub(super) fn symbol(entry: &OutlineEntry, source: &Source) -> lsp::DocumentSymbol {
    let children: Vec<_> = entry.clauses.iter().map(|clause| symbol(clause, source)).collect();
    let kind = if entry.has_rules { lsp::SymbolKind::FUNCTION } else { lsp::SymbolKind::CONSTANT };
    #[expect(deprecated, reason = "the field must be given")]
    lsp::DocumentSymbol {
        name: entry.name.clone(),
        detail: Some(entry.detail.clone()).filter(|detail| !detail.is_empty()),
        kind,
        tags: None,
        deprecated: None,
        range: range(source, entry.span),
        selection_range: range(source, entry.head),
        children: Some(children).filter(|children| !children.is_empty()),
    }
}

/// A range of lines that can be folded; the protocol counts them from 0.
pub(super) fn fold(fold: &Fold) -> lsp::FoldingRange {
    lsp::FoldingRange {
        start_line: fold.first - 1,
        end_line: fold.last - 1,
        kind: fold.is_comment.then_some(lsp::FoldingRangeKind::Comment),
        ..lsp::FoldingRange::default()
    }
}

/// Signature help; `None` without signatures.
pub(super) fn signatures(signatures: Vec<CallSignature>) -> Option<lsp::SignatureHelp> {
    let active = signatures.first()?.active;
    let utf16 = |label: &str, end: usize| u32::try_from(label[..end].encode_utf16().count()).unwrap_or(0);
    let information = |signature: CallSignature| {
        let label = &signature.label;
        let parameter = |range: &std::ops::Range<usize>| lsp::ParameterInformation {
            label: lsp::ParameterLabel::LabelOffsets([utf16(label, range.start), utf16(label, range.end)]),
            documentation: None,
        };
        lsp::SignatureInformation {
            parameters: Some(signature.arguments.iter().map(parameter).collect()),
            documentation: signature.meaning.map(|meaning| lsp::Documentation::String(meaning.to_string())),
            active_parameter: u32::try_from(signature.active).ok(),
            label: signature.label,
        }
    };
    Some(lsp::SignatureHelp {
        signatures: signatures.into_iter().map(information).collect(),
        active_signature: Some(0),
        active_parameter: u32::try_from(active).ok(),
    })
}

/// The types of semantic tokens; a token refers to them by index.
pub(super) const TOKEN_TYPES: [lsp::SemanticTokenType; 8] = [
    lsp::SemanticTokenType::KEYWORD,
    lsp::SemanticTokenType::OPERATOR,
    lsp::SemanticTokenType::FUNCTION,
    lsp::SemanticTokenType::PROPERTY,
    lsp::SemanticTokenType::ENUM_MEMBER,
    lsp::SemanticTokenType::NUMBER,
    lsp::SemanticTokenType::VARIABLE,
    lsp::SemanticTokenType::COMMENT,
];

/// Index in [`TOKEN_TYPES`].
fn token_type(kind: WordKind) -> u32 {
    match kind {
        WordKind::Keyword => 0,
        WordKind::Connective => 1,
        WordKind::Relation => 2,
        WordKind::Function => 3,
        WordKind::Object => 4,
        WordKind::Number => 5,
        WordKind::Variable => 6,
        WordKind::Comment => 7,
    }
}

/// Semantic tokens of coloured words. Positions are relative to the token before, as the protocol wants.
pub(super) fn tokens(words: &[ColouredWord], source: &Source) -> Vec<lsp::SemanticToken> {
    let mut before = lsp::Position::default();
    let token = |word: &ColouredWord| {
        let range = range(source, word.span);
        let delta_line = range.start.line - before.line;
        let start = if delta_line == 0 { range.start.character - before.character } else { range.start.character };
        before = range.start;
        lsp::SemanticToken {
            delta_line,
            delta_start: start,
            length: range.end.character.saturating_sub(range.start.character),
            token_type: token_type(word.kind),
            token_modifiers_bitset: word.is_definition.into(),
        }
    };
    words.iter().map(token).collect()
}

/// Maximum number of completions in an answer.
const MOST: usize = 1000;

/// Completions, in their order; with snippets, arguments are places to fill in. The list is marked as incomplete if it is
/// cut off, so that the editor asks again after the next character.
pub(super) fn completions(
    found: &Completions,
    source: &Source,
    dialect: Dialect,
    with_snippets: bool,
) -> lsp::CompletionList {
    let range = range(source, found.span);
    let follows = source.text()[found.span.end as usize..].starts_with('(');
    let items = found.candidates.iter().take(MOST).enumerate().map(|(order, candidate)| {
        let snippet = if with_snippets { candidate.snippet(dialect, follows) } else { None };
        let is_snippet = snippet.is_some();
        let new_text = snippet.unwrap_or_else(|| candidate.begun());
        lsp::CompletionItem {
            label: match candidate.arity {
                0 => candidate.name.clone(),
                arity => format!("{}/{arity}", candidate.name),
            },
            kind: Some(completion_kind(candidate.kind)),
            detail: Some(candidate.detail.clone()).filter(|detail| !detail.is_empty()),
            filter_text: Some(candidate.name.clone()),
            // Editors sort by this text, not by the order of the list.
            sort_text: Some(format!("{order:05}")),
            insert_text_format: Some(match is_snippet {
                true => lsp::InsertTextFormat::SNIPPET,
                false => lsp::InsertTextFormat::PLAIN_TEXT,
            }),
            text_edit: Some(lsp::CompletionTextEdit::Edit(lsp::TextEdit { range, new_text })),
            ..lsp::CompletionItem::default()
        }
    });
    lsp::CompletionList { is_incomplete: found.candidates.len() > MOST, items: items.collect() }
}

fn completion_kind(kind: WordKind) -> lsp::CompletionItemKind {
    match kind {
        WordKind::Keyword => lsp::CompletionItemKind::KEYWORD,
        WordKind::Connective => lsp::CompletionItemKind::OPERATOR,
        WordKind::Relation => lsp::CompletionItemKind::FUNCTION,
        WordKind::Function => lsp::CompletionItemKind::STRUCT,
        WordKind::Object => lsp::CompletionItemKind::CONSTANT,
        WordKind::Number => lsp::CompletionItemKind::VALUE,
        WordKind::Variable => lsp::CompletionItemKind::VARIABLE,
        WordKind::Comment => lsp::CompletionItemKind::TEXT,
    }
}
