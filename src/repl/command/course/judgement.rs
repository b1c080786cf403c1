//! The judgement of an answer.

/// The judgement of an answer.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Judgement {
    /// True if the answer is right.
    pub is_right: bool,
    /// What is wrong with it, or what else can be said of it.
    pub text: String,
}

impl Judgement {
    pub(super) fn right(text: impl Into<String>) -> Self {
        Self { is_right: true, text: text.into() }
    }

    pub(super) fn wrong(text: impl Into<String>) -> Self {
        Self { is_right: false, text: text.into() }
    }
}
