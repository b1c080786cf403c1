//! Fixes: the edits of a text that a diagnostic proposes, applied by `ggp check --fix` and shown as a diff without it.

use crate::syntax::Span;

/// A change of a text: a span, and the text that replaces it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Edit {
    /// The span that is replaced.
    pub span: Span,
    /// Its replacement; empty to delete the span.
    pub replacement: String,
}

impl Edit {
    /// Replaces a span.
    pub fn new(span: Span, replacement: impl Into<String>) -> Self {
        Self { span, replacement: replacement.into() }
    }
}

/// A text with fixes applied.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Fixed {
    /// The new text.
    pub text: String,
    /// The number of fixes that are in it.
    pub applied: usize,
}

/// Applies fixes to the text to which their spans refer. A fix is applied with all its edits or, where one of them
/// overlaps an edit of an earlier fix, not at all. Two equal edits count as one.
pub fn apply<'a>(text: &str, fixes: impl IntoIterator<Item = &'a [Edit]>) -> Fixed {
    let mut edits: Vec<&Edit> = Vec::new();
    let mut applied = 0;
    for fix in fixes {
        let collides = |edit: &&Edit| edits.iter().any(|other| *other != *edit && overlap(edit.span, other.span));
        if fix.is_empty() || fix.iter().any(|edit| collides(&edit)) {
            continue;
        }
        applied += 1;
        for edit in fix {
            if !edits.contains(&edit) {
                edits.push(edit);
            }
        }
    }
    edits.sort_by_key(|edit| edit.span.start);
    let mut fixed = String::with_capacity(text.len());
    let mut end = 0;
    // Edits of one fix do not overlap; if they did, the first would count.
    edits.dedup_by(|later, earlier| overlap(earlier.span, later.span));
    for edit in edits {
        fixed.push_str(&text[end..edit.span.start as usize]);
        fixed.push_str(&edit.replacement);
        end = edit.span.end as usize;
    }
    fixed.push_str(&text[end..]);
    Fixed { text: fixed, applied }
}

fn overlap(left: Span, right: Span) -> bool {
    left.start < right.end && right.start < left.end || left.start == right.start
}
