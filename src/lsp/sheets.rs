//! Requests about rule sheets: what is asked of [`gdl::language`], with positions as the protocol has them.

use super::convert::{self, CompletionStyle};
use super::texts::{OpenText, TextKind};
use super::values::GameValues;
use gdl::diagnostic::{Diagnostic, TextEdit};
use gdl::language::{Document, RenameError};
use gdl::syntax::{brackets, layout};
use lsp_types as lsp;

/// What is at a position: the name, the values that it can have, and the problems there.
pub(super) fn hover(text: &OpenText, at: lsp::Position, values: Option<&GameValues>) -> Option<lsp::Hover> {
    let document = text.document()?;
    let offset = convert::offset(&text.source, at);
    let described = document.describe(offset);
    let can_be = described.as_ref().and_then(|found| values?.text(found.subject.as_ref()?));
    let range = described.as_ref().map(|found| convert::range(&text.source, found.span));
    let parts = [described.map(|found| found.text), can_be, document.explain(offset, text.diagnostics())];
    let parts: Vec<String> = parts.into_iter().flatten().collect();
    (!parts.is_empty()).then(|| lsp::Hover {
        contents: lsp::HoverContents::Markup(lsp::MarkupContent {
            kind: lsp::MarkupKind::Markdown,
            value: parts.join("\n\n---\n\n"),
        }),
        range,
    })
}

/// The definitions of the name at a position.
pub(super) fn definition(text: &OpenText, at: lsp::Position) -> Option<lsp::GotoDefinitionResponse> {
    let document = text.document()?;
    let spans = document.definitions(convert::offset(&text.source, at));
    let locations: Vec<_> = spans.iter().map(|&span| location(text, span)).collect();
    (!locations.is_empty()).then_some(lsp::GotoDefinitionResponse::Array(locations))
}

/// All mentions of the name at a position; without `with_definitions`, those that do not define it.
pub(super) fn references(text: &OpenText, at: lsp::Position, with_definitions: bool) -> Option<Vec<lsp::Location>> {
    let document = text.document()?;
    let offset = convert::offset(&text.source, at);
    let mut spans = document.references(offset);
    if !with_definitions {
        let definitions = document.definitions(offset);
        spans.retain(|span| !definitions.contains(span));
    }
    Some(spans.into_iter().map(|span| location(text, span)).collect())
}

/// The mentions of the name at a position, to be marked.
pub(super) fn highlights(text: &OpenText, at: lsp::Position) -> Option<Vec<lsp::DocumentHighlight>> {
    let spans = text.document()?.references(convert::offset(&text.source, at));
    let mark = |span| lsp::DocumentHighlight { range: convert::range(&text.source, span), kind: None };
    Some(spans.into_iter().map(mark).collect())
}

/// The range of the name at a position, if it can be renamed.
pub(super) fn prepare_rename(
    text: &OpenText,
    at: lsp::Position,
) -> Result<Option<lsp::PrepareRenameResponse>, RenameError> {
    let Some(document) = text.document() else { return Ok(None) };
    let span = document.renamed(convert::offset(&text.source, at))?;
    Ok(Some(lsp::PrepareRenameResponse::Range(convert::range(&text.source, span))))
}

/// The edits that rename what is at a position.
pub(super) fn rename(
    text: &OpenText,
    at: lsp::Position,
    name: &str,
) -> Result<Option<lsp::WorkspaceEdit>, RenameError> {
    let Some(document) = text.document() else { return Ok(None) };
    let edits = document.rename(convert::offset(&text.source, at), name)?;
    Ok(Some(convert::workspace_edit(&edits, &text.source, &text.uri)))
}

/// The relations of the sheet.
pub(super) fn symbols(text: &OpenText) -> Option<lsp::DocumentSymbolResponse> {
    let outline = text.document()?.outline();
    let symbols = outline.iter().map(|entry| convert::symbol(entry, &text.source)).collect();
    Some(lsp::DocumentSymbolResponse::Nested(symbols))
}

/// The lines that can be folded.
pub(super) fn folds(text: &OpenText) -> Option<Vec<lsp::FoldingRange>> {
    Some(text.document()?.folds().iter().map(convert::fold).collect())
}

/// What may be typed at a position.
pub(super) fn completion(
    text: &OpenText,
    at: lsp::Position,
    style: CompletionStyle,
) -> Option<lsp::CompletionResponse> {
    let document = text.document()?;
    let found = document.completions(convert::offset(&text.source, at));
    let list = convert::completions(&found, &text.source, document.dialect(), style);
    Some(lsp::CompletionResponse::List(list))
}

/// The arguments of what is typed at a position.
pub(super) fn signature(text: &OpenText, at: lsp::Position) -> Option<lsp::SignatureHelp> {
    convert::signatures(text.document()?.signatures(convert::offset(&text.source, at)))
}

/// The kinds of all words.
pub(super) fn tokens(text: &OpenText) -> Option<lsp::SemanticTokens> {
    let tokens = convert::tokens(&text.document()?.coloured(), &text.source);
    Some(text.colours.borrow_mut().encode_all(tokens))
}

/// What has changed in the kinds of words since the answer that is called `before`.
pub(super) fn changed_tokens(text: &OpenText, before: &str) -> Option<lsp::SemanticTokensFullDeltaResult> {
    let tokens = convert::tokens(&text.document()?.coloured(), &text.source);
    Some(text.colours.borrow_mut().changes(tokens, before))
}

/// The names of arguments in a range.
pub(super) fn hints(text: &OpenText, range: lsp::Range) -> Option<Vec<lsp::InlayHint>> {
    let hints = text.document()?.argument_hints(convert::span(&text.source, range));
    let hint = |hint: gdl::language::ArgumentHint| lsp::InlayHint {
        position: convert::position(&text.source, hint.at),
        label: lsp::InlayHintLabel::String(format!("{}:", hint.name)),
        kind: Some(lsp::InlayHintKind::PARAMETER),
        padding_right: Some(true),
        padding_left: None,
        text_edits: None,
        tooltip: None,
        data: None,
    };
    Some(hints.into_iter().map(hint).collect())
}

/// The edits that format the text, or the clauses of a range. None if the text does not parse.
pub(super) fn format(text: &OpenText, range: Option<lsp::Range>) -> Option<Vec<lsp::TextEdit>> {
    let document = text.document()?;
    let edits: Vec<TextEdit> = match range {
        Some(range) => document.format_range(convert::span(&text.source, range)),
        None => document.format(None).ok()?,
    };
    Some(convert::edits(&edits, &text.source))
}

/// The problems of a text, as they are known now.
pub(super) fn diagnostics(text: &OpenText) -> Vec<lsp::Diagnostic> {
    let converted = |problems: &[Diagnostic]| {
        problems.iter().map(|problem| convert::diagnostic(problem, &text.source, &text.uri)).collect()
    };
    match text.kind {
        TextKind::Sheet => converted(text.diagnostics()),
        TextKind::Script => super::scripts::diagnostics(text),
        TextKind::Tree => converted(&brackets::sheet(&text.game_name(), &text.source).err().unwrap_or_default()),
        TextKind::Layout => converted(&layout::read(&text.source).err().unwrap_or_default()),
    }
}

/// Whether a text has no errors, so that its game can be played.
pub(super) fn is_playable(document: &Document) -> bool {
    !document.diagnostics().iter().any(Diagnostic::is_error)
}

fn location(text: &OpenText, span: gdl::syntax::Span) -> lsp::Location {
    lsp::Location { uri: text.uri.clone(), range: convert::range(&text.source, span) }
}
