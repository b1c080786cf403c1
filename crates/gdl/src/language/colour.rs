//! Colours: what each word and sign of a text is. Words of clauses that do not parse are judged by themselves.

use super::Document;
use super::mention::{NamePlace, Referent};
use crate::rules::Keyword;
use crate::sorting;
use crate::syntax::{Dialect, Logic, Span, Token, TokenKind};

/// A word or sign with what it is.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct ColouredWord {
    /// The span of the word.
    pub span: Span,
    /// What it is.
    pub kind: WordKind,
    /// Whether it is the relation of a head, which it defines.
    pub is_definition: bool,
}

/// What a word or sign is.
#[derive(Clone, Copy, Debug, PartialEq, Eq, serde::Serialize)]
#[serde(rename_all = "lowercase")]
pub enum WordKind {
    /// A relation to which GDL gives a meaning.
    Keyword,
    /// `not`, `or`, `distinct`, `~`, `:-` and their like.
    Connective,
    /// A relation.
    Relation,
    /// A function.
    Function,
    /// An object.
    Object,
    /// A number.
    Number,
    /// A variable.
    Variable,
    /// A comment.
    Comment,
}

impl Document {
    /// The words, signs and comments of the text with their kinds, in order. Brackets, commas and what is no token are
    /// left out. Linear in the length of the text.
    pub fn coloured(&self) -> Vec<ColouredWord> {
        let lexed = self.lexed();
        let mut mentions = self.mentions().iter().peekable();
        let mut coloured: Vec<ColouredWord> = Vec::with_capacity(lexed.tokens.len());
        for (at, token) in lexed.tokens.iter().enumerate() {
            while mentions.next_if(|mention| mention.name.start < token.span.start).is_some() {}
            let mention = mentions.peek().filter(|mention| mention.name == token.span);
            let known = mention.map(|mention| (self.kind_of(&mention.referent), mention.place == NamePlace::Head));
            let alone = || kind_alone(self.source().text(), &lexed.tokens, at, self.dialect());
            let kind = known.or_else(|| alone().map(|kind| (kind, false)));
            coloured.extend(kind.map(|(kind, is_definition)| ColouredWord { span: token.span, kind, is_definition }));
        }
        let comment = |span| ColouredWord { span, kind: WordKind::Comment, is_definition: false };
        coloured.extend(lexed.comments.iter().map(|found| comment(found.span)));
        sorting::sort_by_key(&mut coloured, |word| word.span.start);
        coloured
    }

    fn kind_of(&self, referent: &Referent) -> WordKind {
        match referent {
            Referent::Relation { .. } if referent.keyword().is_some() => WordKind::Keyword,
            Referent::Relation { .. } => WordKind::Relation,
            Referent::Term { arity, .. } if *arity > 0 => WordKind::Function,
            Referent::Term { name, .. } if is_number(name) => WordKind::Number,
            Referent::Term { .. } => WordKind::Object,
            Referent::Variable { .. } => WordKind::Variable,
        }
    }
}

/// What the token at an index is, judged by itself and its neighbours; `None` for brackets, commas and what is no
/// token.
pub(super) fn kind_alone(text: &str, tokens: &[Token], at: usize, dialect: Dialect) -> Option<WordKind> {
    match tokens[at].kind {
        TokenKind::Neck | TokenKind::Ampersand | TokenKind::Bar | TokenKind::Tilde => Some(WordKind::Connective),
        TokenKind::Logic(Logic::Not | Logic::And | Logic::Or | Logic::Distinct | Logic::Implied) => {
            Some(WordKind::Connective)
        }
        TokenKind::Variable => Some(WordKind::Variable),
        TokenKind::Word => Some(kind_of_word(text, tokens, at, dialect)),
        _ => None,
    }
}

fn kind_of_word(text: &str, tokens: &[Token], at: usize, dialect: Dialect) -> WordKind {
    let word = &text[tokens[at].span.range()];
    let is_open = |token: Option<&Token>| token.is_some_and(|token| token.kind == TokenKind::Open);
    let is_applied = match dialect {
        Dialect::Infix => is_open(tokens.get(at + 1)),
        Dialect::Prefix => is_open(at.checked_sub(1).and_then(|before| tokens.get(before))),
    };
    match Keyword::from_name(word) {
        Some(keyword) if is_applied || keyword == Keyword::Terminal => WordKind::Keyword,
        _ if is_number(word) => WordKind::Number,
        _ if is_applied => WordKind::Function,
        _ => WordKind::Object,
    }
}

fn is_number(name: &str) -> bool {
    name.parse::<f64>().is_ok() && name.contains(|c: char| c.is_ascii_digit())
}
