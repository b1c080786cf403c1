//! Views of a whole text: the outline of its relations, the parts that can be folded, and the kind of each word, by
//! which editors colour it. Words of clauses that do not parse are judged by themselves.

use super::Document;
use super::mention::{NamePlace, Referent};
use super::names::ACTION;
use crate::rules::Keyword;
use crate::sorting;
use crate::syntax::ast::{Comment, ParsedClause};
use crate::syntax::{Dialect, Logic, Span, Token, TokenKind};

/// Clauses of one relation in a row, or one clause of them.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct OutlineEntry {
    /// The relation with its number of arguments; of a clause, its head.
    pub name: String,
    /// The number of clauses, in words; of a clause, nothing.
    pub detail: String,
    /// The span of all its clauses.
    pub span: Span,
    /// The span of the first head.
    pub head: Span,
    /// True if one of the clauses is a rule, false if all are facts.
    pub has_rules: bool,
    /// The clauses, if there are several.
    pub clauses: Vec<OutlineEntry>,
}

/// Lines that can be folded, counted from 1.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Fold {
    /// The line that stays.
    pub first: u32,
    /// The last line that is hidden.
    pub last: u32,
    /// True for lines of comments, false for clauses.
    pub is_comment: bool,
}

impl Document {
    /// The relations in the order of the text: an entry for each run of clauses of the same relation.
    pub fn outline(&self) -> Vec<OutlineEntry> {
        self.runs().map(|run| self.entry(run)).collect()
    }

    /// The parts that can be folded: clauses of several lines, clauses of one relation in a row, comments in a row.
    pub fn folds(&self) -> Vec<Fold> {
        let lines = |span: Span| (self.source().line(span.start), self.source().line(span.end));
        let mut folds: Vec<Fold> = Vec::new();
        let mut add = |(first, last): (u32, u32), is_comment| {
            if last > first {
                folds.push(Fold { first, last, is_comment });
            }
        };
        for run in self.runs() {
            if run.len() > 1 {
                add(lines(whole(run)), false);
            }
            run.iter().for_each(|clause| add(lines(clause.span), false));
        }
        let in_a_row = |a: &Comment, b: &Comment| {
            self.stands_alone(a) && self.stands_alone(b) && lines(a.span).0 + 1 == lines(b.span).0
        };
        for comments in self.sheet().comments.chunk_by(in_a_row) {
            if let [first, .., last] = comments {
                add((lines(first.span).0, lines(last.span).0), true);
            }
        }
        sorting::sort_by_key(&mut folds, |fold| (fold.first, std::cmp::Reverse(fold.last)));
        // An editor has one fold for a line; the longest comes first.
        folds.dedup_by_key(|fold| fold.first);
        folds
    }

    /// Runs of clauses with the same relation.
    fn runs(&self) -> impl Iterator<Item = &[ParsedClause]> {
        let same = |a: &ParsedClause, b: &ParsedClause| {
            a.head.relation.text == b.head.relation.text && a.head.arguments.len() == b.head.arguments.len()
        };
        self.sheet().clauses.chunk_by(same)
    }

    fn entry(&self, run: &[ParsedClause]) -> OutlineEntry {
        let head = &run[0].head;
        let of_clause = |clause: &ParsedClause| OutlineEntry {
            name: self.source().slice(clause.head.span).to_string(),
            detail: String::new(),
            span: clause.span,
            head: clause.head.span,
            has_rules: clause.body.is_some(),
            clauses: Vec::new(),
        };
        let rules = run.iter().filter(|clause| clause.body.is_some()).count();
        OutlineEntry {
            name: format!("{}/{}", head.relation.text, head.arguments.len()),
            detail: super::describe::clauses(run.len() - rules, rules),
            span: whole(run),
            head: head.span,
            has_rules: rules > 0,
            clauses: if run.len() > 1 { run.iter().map(of_clause).collect() } else { Vec::new() },
        }
    }

    /// True if nothing stands before a comment on its line.
    pub(super) fn stands_alone(&self, comment: &Comment) -> bool {
        let line = self.source().line_span(self.source().line(comment.span.start));
        self.source().slice(Span { start: line.start, end: comment.span.start }).trim().is_empty()
    }
}

fn whole(run: &[ParsedClause]) -> Span {
    run[0].span.to(run[run.len() - 1].span)
}

/// A word or sign with its kind.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct ColouredWord {
    /// The span of the word.
    pub span: Span,
    /// The kind of the word.
    pub kind: WordKind,
    /// True for the relation of a head: the clause defines it.
    pub is_definition: bool,
}

/// Kinds of words and signs.
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
    /// The words, signs and comments of the text with their kinds, in order. Brackets, commas and text that is no token
    /// are left out. Linear in the length of the text.
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
            Referent::Relation { name, .. } if self.dialect() == Dialect::Operations && &**name == ACTION => {
                WordKind::Keyword
            }
            Referent::Relation { .. } => WordKind::Relation,
            Referent::Term { arity, .. } if *arity > 0 => WordKind::Function,
            Referent::Term { name, .. } if is_number(name) => WordKind::Number,
            Referent::Term { .. } => WordKind::Object,
            Referent::Variable { .. } => WordKind::Variable,
        }
    }
}

/// The kind of the token at an index, judged by the token and its neighbours; `None` for brackets, commas and text that
/// is no token.
pub(super) fn kind_alone(text: &str, tokens: &[Token], at: usize, dialect: Dialect) -> Option<WordKind> {
    match tokens[at].kind {
        TokenKind::DoubleColon | TokenKind::LongArrow => Some(WordKind::Connective),
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
        Dialect::Infix | Dialect::Operations => is_open(tokens.get(at + 1)),
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
