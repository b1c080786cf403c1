//! Code actions: the fixes of problems, one by one and all at once, and translations between the dialects.

use super::convert;
use super::texts::OpenText;
use gdl::diagnostic::{Certainty, Diagnostic, Fix, TextEdit, apply_all};
use gdl::language::Document;
use gdl::rules::check_text;
use gdl::syntax::{Dialect, Span};
use lsp_types as lsp;
use std::convert::Infallible;

/// The greatest length of a title, in characters.
const LONGEST: usize = 100;

/// What can be done in a range.
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
        actions.retain(|action| {
            let kind = action.kind.as_ref().map_or("", |kind| kind.as_str());
            only.iter().any(|wanted| kind == wanted.as_str() || kind.starts_with(&format!("{}.", wanted.as_str())))
        });
    }
    Some(actions.into_iter().map(lsp::CodeActionOrCommand::CodeAction).collect())
}

/// The fixes of the problems that touch a span.
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

/// All sound fixes, as `ggp check --fix` applies them. A guess is accepted by itself.
fn fix_all(text: &OpenText) -> Option<lsp::CodeAction> {
    let problems = text.diagnostics().to_vec();
    let is_sound = |problem: &Diagnostic| problem.fix.as_ref().is_some_and(|fix| fix.certainty == Certainty::Sound);
    if !problems.iter().any(is_sound) {
        return None;
    }
    let check = |source: &gdl::syntax::Source| Ok::<_, Infallible>(check_text(source, None).diagnostics);
    let Ok(fixed) = apply_all(text.source.clone(), problems, |_, _| Ok(false), check);
    let whole = Span::new(0, text.source.text().len());
    Some(lsp::CodeAction {
        title: format!("apply all {} fixes", fixed.applied),
        kind: Some(lsp::CodeActionKind::SOURCE_FIX_ALL),
        ..edited(text, &[TextEdit::new(whole, fixed.source.text())])
    })
}

/// The sheet in the other dialect, and a selection that is written in the other dialect in that of the sheet.
fn translate(text: &OpenText, document: &Document, span: Span) -> Vec<lsp::CodeAction> {
    let name = |dialect| match dialect {
        Dialect::Prefix => "prefix (KIF)",
        Dialect::Infix => "infix (HRF)",
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
    };
    if let Ok(edits) = document.format(Some(other))
        && !edits.is_empty()
    {
        actions.push(action(format!("translate the sheet to {}", name(other)), &edits));
    }
    actions
}

fn edited(text: &OpenText, edits: &[TextEdit]) -> lsp::CodeAction {
    lsp::CodeAction {
        edit: Some(convert::workspace_edit(edits, &text.source, &text.uri)),
        ..lsp::CodeAction::default()
    }
}
