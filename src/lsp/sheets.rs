//! Requests about rule sheets, which [`gdl::language`] answers, and code actions: the fixes of problems and translations
//! between the dialects. Positions and answers are converted to the types of the protocol.

use super::examiner::GameValues;
use super::texts::{OpenText, TextKind};
use super::{convert, coverage};
use gdl::diagnostic::{Certainty, Diagnostic, Fix, TextEdit, apply_all};
use gdl::language::{ArgumentHint, Document, RenameError};
use gdl::rules::check_text;
use gdl::syntax::{Dialect, Source, Span, brackets, layout};
use lsp_types as lsp;
use std::convert::Infallible;

/// Hover at a position: the name there, the values that its arguments can take, and the problems there.
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

/// All mentions of the name at a position, as ranges to highlight.
pub(super) fn highlights(text: &OpenText, at: lsp::Position) -> Option<Vec<lsp::DocumentHighlight>> {
    let spans = text.document()?.references(convert::offset(&text.source, at));
    let mark = |span| lsp::DocumentHighlight { range: convert::range(&text.source, span), kind: None };
    Some(spans.into_iter().map(mark).collect())
}

/// The range of the name at a position. The error says why it cannot be renamed.
pub(super) fn prepare_rename(
    text: &OpenText,
    at: lsp::Position,
) -> Result<Option<lsp::PrepareRenameResponse>, RenameError> {
    let Some(document) = text.document() else { return Ok(None) };
    let span = document.renamed(convert::offset(&text.source, at))?;
    Ok(Some(lsp::PrepareRenameResponse::Range(convert::range(&text.source, span))))
}

/// The edits that rename the name at a position.
pub(super) fn rename(
    text: &OpenText,
    at: lsp::Position,
    name: &str,
) -> Result<Option<lsp::WorkspaceEdit>, RenameError> {
    let Some(document) = text.document() else { return Ok(None) };
    let edits = document.rename(convert::offset(&text.source, at), name)?;
    Ok(Some(convert::workspace_edit(&edits, &text.source, &text.uri)))
}

/// Outline of the sheet: its relations with their clauses.
pub(super) fn symbols(text: &OpenText) -> Option<lsp::DocumentSymbolResponse> {
    let outline = text.document()?.outline();
    let symbols = outline.iter().map(|entry| convert::symbol(entry, &text.source)).collect();
    Some(lsp::DocumentSymbolResponse::Nested(symbols))
}

pub(super) fn folds(text: &OpenText) -> Option<Vec<lsp::FoldingRange>> {
    Some(text.document()?.folds().iter().map(convert::fold).collect())
}

/// Completions at a position, as snippets if the editor knows them.
pub(super) fn completion(text: &OpenText, at: lsp::Position, with_snippets: bool) -> Option<lsp::CompletionResponse> {
    let document = text.document()?;
    let found = document.completions(convert::offset(&text.source, at));
    let list = convert::completions(&found, &text.source, document.dialect(), with_snippets);
    Some(lsp::CompletionResponse::List(list))
}

/// The signatures of the term that is being typed at a position.
pub(super) fn signature(text: &OpenText, at: lsp::Position) -> Option<lsp::SignatureHelp> {
    convert::signatures(text.document()?.signatures(convert::offset(&text.source, at)))
}

/// The semantic tokens of the whole text.
pub(super) fn tokens(text: &OpenText) -> Option<lsp::SemanticTokens> {
    let tokens = convert::tokens(&text.document()?.coloured(), &text.source);
    Some(text.colours.borrow_mut().encode_all(tokens))
}

/// The semantic tokens as a change of the answer named `before`.
pub(super) fn changed_tokens(text: &OpenText, before: &str) -> Option<lsp::SemanticTokensFullDeltaResult> {
    let tokens = convert::tokens(&text.document()?.coloured(), &text.source);
    Some(text.colours.borrow_mut().changes(tokens, before))
}

/// Inlay hints in a range: the names of arguments.
pub(super) fn hints(text: &OpenText, range: lsp::Range) -> Option<Vec<lsp::InlayHint>> {
    let hints = text.document()?.argument_hints(convert::span(&text.source, range));
    let hint = |hint: ArgumentHint| lsp::InlayHint {
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

/// The problems of a text that are known now, and the hints of its coverage.
pub(super) fn diagnostics(text: &OpenText) -> Vec<lsp::Diagnostic> {
    let converted = |problems: &[Diagnostic]| {
        problems.iter().map(|problem| convert::diagnostic(problem, &text.source, &text.uri)).collect()
    };
    match text.kind {
        TextKind::Sheet => {
            let mut found: Vec<lsp::Diagnostic> = converted(text.diagnostics());
            found.extend(text.coverage.iter().flat_map(|found| coverage::hints(found, text)));
            found
        }
        TextKind::Script => super::commands::diagnostics(text),
        TextKind::Tree => converted(&brackets::sheet(&text.game_name(), &text.source).err().unwrap_or_default()),
        TextKind::Layout => converted(&layout::read(&text.source).err().unwrap_or_default()),
    }
}

fn location(text: &OpenText, span: Span) -> lsp::Location {
    lsp::Location { uri: text.uri.clone(), range: convert::range(&text.source, span) }
}

/// Maximum length of the title of a code action, in characters.
const LONGEST: usize = 100;

/// The code actions for a range, of the kinds that the editor asks for.
pub(super) fn actions(
    text: &OpenText,
    range: lsp::Range,
    context: &lsp::CodeActionContext,
) -> Option<lsp::CodeActionResponse> {
    let document = text.document()?;
    let span = convert::span(&text.source, range);
    let mut actions = fixes(text, span);
    actions.extend(fix_all(text));
    actions.extend(translate(text, document, span));
    if let Some(only) = &context.only {
        // Kinds are hierarchical: `refactor` also asks for `refactor.rewrite`.
        actions.retain(|action| {
            let kind = action.kind.as_ref().map_or("", |kind| kind.as_str());
            only.iter().any(|wanted| kind == wanted.as_str() || kind.starts_with(&format!("{}.", wanted.as_str())))
        });
    }
    Some(actions.into_iter().map(lsp::CodeActionOrCommand::CodeAction).collect())
}

/// A quick fix for each problem whose primary label touches a span.
fn fixes(text: &OpenText, span: Span) -> Vec<lsp::CodeAction> {
    let touches = |problem: &&Diagnostic| {
        let at = problem.labels.first().map_or(Span::default(), |label| label.span);
        at.start <= span.end && span.start <= at.end
    };
    let touching = text.diagnostics().iter().filter(touches);
    let fixable = touching.filter_map(|problem| Some((problem, problem.fix.as_ref()?)));
    fixable
        .map(|(problem, fix)| lsp::CodeAction {
            title: title(problem, fix),
            kind: Some(lsp::CodeActionKind::QUICKFIX),
            diagnostics: Some(vec![convert::diagnostic(problem, &text.source, &text.uri)]),
            is_preferred: Some(fix.certainty == Certainty::Sound),
            ..edited(text, &fix.edits)
        })
        .collect()
}

/// Title of a fix: the first line of the problem's help, marked if the fix is a guess, and cut to [`LONGEST`].
fn title(problem: &Diagnostic, fix: &Fix) -> String {
    let help = problem.help.as_deref().unwrap_or("").lines().next().unwrap_or("");
    let title = if help.is_empty() { format!("fix {}", problem.code.name) } else { help.to_string() };
    let title = match fix.certainty {
        Certainty::Sound => title,
        Certainty::Guess => format!("guess: {title}"),
    };
    match title.chars().count() > LONGEST {
        true => title.chars().take(LONGEST - 1).chain(['…']).collect(),
        false => title,
    }
}

/// All sound fixes at once, as `ggp check --fix` applies them. Guesses are only offered one by one.
fn fix_all(text: &OpenText) -> Option<lsp::CodeAction> {
    let problems = text.diagnostics().to_vec();
    let is_sound = |problem: &Diagnostic| problem.fix.as_ref().is_some_and(|fix| fix.certainty == Certainty::Sound);
    if !problems.iter().any(is_sound) {
        return None;
    }
    let check = |source: &Source| Ok::<_, Infallible>(check_text(source, None).diagnostics);
    let Ok(fixed) = apply_all(text.source.clone(), problems, |_, _| Ok(false), check);
    let whole = Span::new(0, text.source.text().len());
    Some(lsp::CodeAction {
        title: format!("apply all {} fixes", fixed.applied),
        kind: Some(lsp::CodeActionKind::SOURCE_FIX_ALL),
        ..edited(text, &[TextEdit::new(whole, fixed.source.text())])
    })
}

/// Translations: of a selection pasted from a sheet in another dialect into that of the sheet, and of the sheet: into
/// infix, or of a sheet in infix into prefix.
fn translate(text: &OpenText, document: &Document, span: Span) -> Vec<lsp::CodeAction> {
    let name = |dialect| match dialect {
        Dialect::Prefix => "prefix (KIF)",
        Dialect::Infix => "infix (HRF)",
        Dialect::Operations => "infix with operations",
    };
    let action = |title: String, edits: &[TextEdit]| lsp::CodeAction {
        title,
        kind: Some(lsp::CodeActionKind::REFACTOR_REWRITE),
        ..edited(text, edits)
    };
    let mut actions = Vec::new();
    if let Some(edit) = Some(span).filter(|span| span.start < span.end).and_then(|span| document.translated(span)) {
        actions.push(action(format!("translate the selection to {}", name(document.dialect())), &[edit]));
    }
    let other = match document.dialect() {
        Dialect::Prefix => Dialect::Infix,
        Dialect::Infix => Dialect::Prefix,
        Dialect::Operations => Dialect::Infix,
    };
    if let Ok(edits) = document.format(Some(other))
        && !edits.is_empty()
    {
        actions.push(action(format!("translate the sheet to {}", name(other)), &edits));
    }
    actions
}

/// A code action that makes these edits; its other fields are empty.
fn edited(text: &OpenText, edits: &[TextEdit]) -> lsp::CodeAction {
    lsp::CodeAction {
        edit: Some(convert::workspace_edit(edits, &text.source, &text.uri)),
        ..lsp::CodeAction::default()
    }
}
