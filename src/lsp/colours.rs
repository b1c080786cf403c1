//! The colours of a text as the editor has them. After a change the editor is told only what differs from what it was
//! told last, if it asks for that.

use lsp_types::{
    SemanticToken, SemanticTokens, SemanticTokensDelta, SemanticTokensEdit, SemanticTokensFullDeltaResult,
};
use std::iter::zip;
use std::sync::atomic::{AtomicU64, Ordering};

/// The number of answers about all texts. It names them, so that a text that is closed and opened again does not take a
/// name of before for one of its own.
static ANSWERS: AtomicU64 = AtomicU64::new(0);

/// The numbers that the protocol has for a token.
const NUMBERS: usize = 5;

/// What the editor was told last about a text.
#[derive(Default)]
pub(super) struct SentColours {
    name: String,
    tokens: Vec<SemanticToken>,
}

impl SentColours {
    /// All tokens.
    pub(super) fn encode_all(&mut self, tokens: Vec<SemanticToken>) -> SemanticTokens {
        *self = Self { name: ANSWERS.fetch_add(1, Ordering::Relaxed).to_string(), tokens: tokens.clone() };
        SemanticTokens { result_id: Some(self.name.clone()), data: tokens }
    }

    /// The tokens, as what changes those of the answer `before`; all of them if that was not the last answer.
    pub(super) fn changes(&mut self, tokens: Vec<SemanticToken>, before: &str) -> SemanticTokensFullDeltaResult {
        if self.name != before {
            return self.encode_all(tokens).into();
        }
        let edits = edit(&self.tokens, &tokens).into_iter().collect();
        *self = Self { name: ANSWERS.fetch_add(1, Ordering::Relaxed).to_string(), tokens };
        SemanticTokensDelta { result_id: Some(self.name.clone()), edits }.into()
    }
}

/// What makes `new` of `old`: one edit between what they have in common at both ends.
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
