//! Completion: the names and words that fit at the position of the cursor.

use super::Document;
use super::cursor::{Call, ExpectedText};
use super::describe::applied_text;
use super::names::{
    ACTION, Subject, argument_names, arguments_seen, connective_meaning, fluents, keyword_arguments, moves, relations,
    roles,
};
use super::outline::WordKind;
use crate::rules::{GroundTerm, Keyword};
use crate::syntax::{Dialect, Logic, Span};

/// The candidates for a position, and the text that they replace.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Completions {
    /// The part of the text that a candidate replaces.
    pub span: Span,
    /// The candidates, the likeliest first.
    pub candidates: Vec<CompletionCandidate>,
}

/// One of the texts that may be typed.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct CompletionCandidate {
    /// The name, as the dialect writes it.
    pub name: String,
    /// The kind of the name.
    pub kind: WordKind,
    /// The number of its arguments.
    pub arity: usize,
    /// The names of its arguments, with `_` for one without; empty if it has none.
    pub arguments: Vec<String>,
    /// The name with its arguments, or the meaning of a word.
    pub detail: String,
    /// True if prefix needs a bracket before the name and none has been typed.
    pub needs_bracket: bool,
}

impl CompletionCandidate {
    /// The text to insert, with its arguments as places of a snippet: `${1:row}`; `None` if there are no arguments to
    /// type. `follows`: an opening bracket follows already.
    pub fn snippet(&self, dialect: Dialect, follows: bool) -> Option<String> {
        if self.arity == 0 || follows {
            return None;
        }
        let escaped = |text: &str| text.replace('\\', "\\\\").replace('$', "\\$").replace('}', "\\}");
        let places = (1..=self.arity).map(|at| {
            let argument = self.arguments.get(at - 1).map_or("", String::as_str);
            format!("${{{at}:{}}}", escaped(argument.trim_start_matches('?')))
        });
        let places: Vec<String> = places.collect();
        let name = escaped(&self.name);
        Some(match dialect {
            Dialect::Infix | Dialect::Operations => format!("{name}({})", places.join(",")),
            Dialect::Prefix if self.needs_bracket => format!("({name} {})", places.join(" ")),
            Dialect::Prefix => format!("{name} {}", places.join(" ")),
        })
    }

    /// The text to insert without its arguments.
    pub fn begun(&self) -> String {
        let open = if self.needs_bracket { "(" } else { "" };
        format!("{open}{}", self.name)
    }
}

impl Document {
    /// The candidates for a position; none within a comment. All names that can stand there are offered, whatever has
    /// been typed of them: editors select.
    pub fn completions(&self, offset: u32) -> Completions {
        let Some(cursor) = self.cursor(offset) else {
            return Completions { span: Span { start: offset, end: offset }, candidates: Vec::new() };
        };
        let mut candidates = match &cursor.expected {
            ExpectedText::Head => self.heads_to_type(),
            ExpectedText::Formula => self.formulas_to_type(),
            ExpectedText::Argument(call) => self.arguments_to_type(call, offset),
        };
        if self.dialect() == Dialect::Prefix && !cursor.is_open {
            candidates.iter_mut().for_each(|candidate| candidate.needs_bracket = candidate.arity > 0);
        }
        Completions { span: cursor.begun, candidates }
    }

    fn heads_to_type(&self) -> Vec<CompletionCandidate> {
        let in_bodies_only = |keyword: &Keyword| matches!(keyword, Keyword::True | Keyword::Does);
        let keywords = Keyword::ALL.into_iter().filter(|keyword| !in_bodies_only(keyword));
        let keywords = keywords.filter(|keyword| self.has_meaning(*keyword)).map(|word| self.keyword(word));
        let own = self.own_relations();
        let mut candidates: Vec<CompletionCandidate> = own.into_iter().chain(keywords).collect();
        if let Some(words) = &self.rules().operations {
            // Actions begin operations.
            candidates.extend(words.actions.iter().map(|(name, arity)| self.term_to_type(name, *arity)));
            if candidates.iter().all(|candidate| candidate.name != ACTION) {
                candidates.push(self.applied(ACTION, 1, WordKind::Keyword));
            }
        }
        if self.dialect() == Dialect::Prefix {
            candidates.push(self.connective(Logic::Implied, 2));
        }
        candidates
    }

    fn formulas_to_type(&self) -> Vec<CompletionCandidate> {
        let in_bodies = [Keyword::True, Keyword::Does, Keyword::Role, Keyword::Legal, Keyword::Goal, Keyword::Terminal];
        let keywords = in_bodies.into_iter().filter(|word| self.has_meaning(*word)).map(|word| self.keyword(word));
        // Facts and actions stand in bodies and effects without `true` and `does`.
        let facts = self.rules().operations.iter().flat_map(|words| words.facts.iter().chain(&words.actions));
        let facts = facts.map(|(name, arity)| self.term_to_type(name, *arity));
        let connectives: &[(Logic, usize)] = match self.dialect() {
            Dialect::Prefix => &[(Logic::Not, 1), (Logic::Or, 2), (Logic::And, 2), (Logic::Distinct, 2)],
            Dialect::Infix | Dialect::Operations => &[(Logic::Distinct, 2)],
        };
        let connectives = connectives.iter().map(|&(logic, arity)| self.connective(logic, arity));
        keywords.chain(facts).chain(self.own_relations()).chain(connectives).collect()
    }

    /// True if the keyword has a meaning in the dialect of the sheet.
    fn has_meaning(&self, keyword: Keyword) -> bool {
        keyword.arity_in(self.dialect()).is_some()
    }

    fn arguments_to_type(&self, call: &Call, offset: u32) -> Vec<CompletionCandidate> {
        let rules = self.rules();
        let keyword = if call.is_relation { Keyword::from_name(&call.name) } else { None };
        let names = match (keyword, call.index) {
            (Some(Keyword::True | Keyword::Init | Keyword::Next | Keyword::Base), _) => fluents(rules),
            (Some(Keyword::Role), _) => roles(rules),
            (Some(Keyword::Legal), _) if self.dialect() == Dialect::Operations => moves(rules),
            (None, _) if self.dialect() == Dialect::Operations && call.name == ACTION => moves(rules),
            (
                Some(
                    Keyword::Does | Keyword::Legal | Keyword::Input | Keyword::Goal | Keyword::Sees | Keyword::Percept,
                ),
                0,
            ) => roles(rules),
            (Some(Keyword::Does | Keyword::Legal | Keyword::Input), _) => moves(rules),
            _ => arguments_seen(rules, &call.name, call.index),
        };
        let variables = self
            .variables_around(offset)
            .into_iter()
            .map(|name| CompletionCandidate { detail: "variable".to_string(), ..plain(name, WordKind::Variable) });
        let terms = names.into_iter().map(|(name, arity)| self.term_to_type(&name, arity));
        // A keyword is about facts, moves and roles, which are likelier there than variables.
        match keyword {
            Some(_) => terms.chain(variables).collect(),
            None => variables.chain(terms).collect(),
        }
    }

    fn own_relations(&self) -> Vec<CompletionCandidate> {
        let own = relations(self.rules()).into_iter().filter(|(name, _)| Keyword::from_name(name).is_none());
        // What a translation adds is not in the text.
        let own = own.filter(|(name, _)| {
            self.dialect() != Dialect::Operations
                || self.sheet().clauses.iter().any(|clause| clause.head.relation.text == *name)
        });
        own.map(|(name, arity)| self.applied(&name, arity, WordKind::Relation)).collect()
    }

    fn keyword(&self, keyword: Keyword) -> CompletionCandidate {
        self.applied(keyword.name(), keyword_arguments(keyword, self.dialect()).len(), WordKind::Keyword)
    }

    fn connective(&self, logic: Logic, arity: usize) -> CompletionCandidate {
        let (word, meaning) = connective_meaning(logic);
        CompletionCandidate { arity, detail: meaning.to_string(), ..plain(word.to_string(), WordKind::Connective) }
    }

    fn term_to_type(&self, name: &str, arity: usize) -> CompletionCandidate {
        let kind = if arity > 0 { WordKind::Function } else { WordKind::Object };
        self.applied(name, arity, kind)
    }

    fn applied(&self, name: &str, arity: usize, kind: WordKind) -> CompletionCandidate {
        let is_relation = matches!(kind, WordKind::Relation | WordKind::Keyword);
        let subject = Subject { name: name.to_string(), arity, is_relation };
        let names = argument_names(self.rules(), &subject, self.dialect());
        let written = GroundTerm::symbol(name).display(self.dialect()).to_string();
        let detail = applied_text(name, &names, self.dialect());
        let arguments = names.into_iter().map(|name| name.unwrap_or_else(|| "_".to_string())).collect();
        CompletionCandidate { arity, arguments, detail, ..plain(written, kind) }
    }
}

fn plain(name: String, kind: WordKind) -> CompletionCandidate {
    CompletionCandidate { name, kind, arity: 0, arguments: Vec::new(), detail: String::new(), needs_bracket: false }
}
