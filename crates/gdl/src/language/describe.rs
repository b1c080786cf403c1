//! Descriptions: the text that an editor shows for the name under the pointer.

use super::Document;
use super::mention::{Mention, NamePlace, Referent};
use super::names::{
    Subject, argument_names, connective_meaning, fluents, keyword_arguments, keyword_meaning, moves, roles,
};
use crate::diagnostic::{Code, Diagnostic};
use crate::quantity::counted_as;
use crate::rules::depends::{ChangesWith, depends};
use crate::syntax::{Dialect, Span, TokenKind};
use std::collections::HashSet;
use std::fmt::Write;

/// The description of the name, variable or connective at a position.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Description {
    /// The span of the name.
    pub span: Span,
    /// The description, in Markdown.
    pub text: String,
    /// The relation, function or object that is described; `None` for a variable or a connective.
    pub subject: Option<Subject>,
}

/// The greatest number of clauses that a description shows.
const SHOWN: usize = 3;

/// The longest text of a clause that a description shows, in bytes.
const LONGEST: usize = 400;

impl Document {
    /// The description of the name at a position. Of a relation it has the clauses, the stratum and the input that its
    /// answers change with; of a function or an object its use; of a word of GDL its meaning.
    pub fn describe(&self, offset: u32) -> Option<Description> {
        let Some(mention) = self.mention_at(offset) else { return self.describe_connective(offset) };
        let (text, subject) = match &mention.referent {
            Referent::Relation { name, arity } => {
                let subject = Subject { name: name.to_string(), arity: *arity, is_relation: true };
                (self.relation(&mention.referent, &subject), Some(subject))
            }
            Referent::Term { name, arity } => {
                let subject = Subject { name: name.to_string(), arity: *arity, is_relation: false };
                (self.term(&mention.referent, &subject), Some(subject))
            }
            variable @ Referent::Variable { .. } => (self.variable_text(mention, variable), None),
        };
        Some(Description { span: mention.name, text, subject })
    }

    /// The explanations of the problems whose primary position contains the offset, in Markdown.
    pub fn explain<'a>(&self, offset: u32, problems: impl IntoIterator<Item = &'a Diagnostic>) -> Option<String> {
        let is_here = |span: Span| span.start <= offset && offset <= span.end;
        let here =
            problems.into_iter().filter(|problem| problem.labels.first().is_some_and(|label| is_here(label.span)));
        let mut codes: Vec<&'static Code> = Vec::new();
        for problem in here {
            if !codes.iter().any(|code| code.id == problem.code.id) {
                codes.push(problem.code);
            }
        }
        let texts: Vec<String> = codes.into_iter().map(explanation).collect();
        (!texts.is_empty()).then(|| texts.join("\n\n---\n\n"))
    }

    fn describe_connective(&self, offset: u32) -> Option<Description> {
        let tokens = &self.lexed().tokens;
        let after = tokens.partition_point(|token| token.span.start <= offset);
        let token = tokens[..after].last().filter(|token| offset <= token.span.end)?;
        let TokenKind::Logic(logic) = token.kind else { return None };
        let (word, meaning) = connective_meaning(logic);
        Some(Description { span: token.span, text: format!("**{word}**\n\n{meaning}"), subject: None })
    }

    fn relation(&self, referent: &Referent, subject: &Subject) -> String {
        let mut text = self.title(subject);
        if let Some(keyword) = referent.keyword() {
            let _ = write!(text, "\n\n{}", keyword_meaning(keyword, self.dialect()));
            if subject.arity != keyword_arguments(keyword, self.dialect()).len() {
                let _ = write!(text, " It has {} arguments.", keyword_arguments(keyword, self.dialect()).len());
            }
        }
        let clauses: Vec<&Mention> = self.heads(referent).collect();
        let facts = clauses.iter().filter(|head| self.is_fact(head)).count();
        if !clauses.is_empty() {
            let _ = write!(text, "\n\n{}", self::clauses(facts, clauses.len() - facts));
            let _ = write!(text, "{}", self.dependencies(subject));
        } else if referent.keyword().is_none() {
            text += "\n\nNo clause defines it, so it never holds.";
        }
        if let Some(comment) = clauses.first().and_then(|head| self.comment_above(head)) {
            let _ = write!(text, "\n\n{comment}");
        }
        if !clauses.is_empty() {
            let _ = write!(text, "\n\n{}", self.excerpt(&clauses));
        }
        text
    }

    fn term(&self, referent: &Referent, subject: &Subject) -> String {
        let rules = self.rules();
        let key = (subject.name.as_str().into(), subject.arity);
        let kinds = [("a fact of states", fluents(rules)), ("a move", moves(rules)), ("a role", roles(rules))];
        let mut is: Vec<&str> = kinds.iter().filter(|(_, names)| names.contains(&key)).map(|(kind, _)| *kind).collect();
        if is.is_empty() && self.is_operation(&key.0, key.1) {
            is.push("an action that other actions do");
        }
        if is.is_empty() {
            is.push(if subject.arity > 0 { "a function" } else { "an object" });
        }
        let uses = self.mentions().iter().filter(|mention| mention.referent == *referent).count();
        let title = self.title(subject);
        let mut text = format!("{title}\n\n{}, used {}", is.join(" and "), counted_as(uses as u64, "time", "times"));
        let defined: HashSet<Span> = match self.mentions().iter().find(|mention| mention.referent == *referent) {
            Some(first) if subject.arity > 0 || is[0] != "an object" => {
                self.definitions(first.name.start).into_iter().collect()
            }
            _ => HashSet::new(),
        };
        let heads: Vec<&Mention> = self.mentions().iter().filter(|mention| defined.contains(&mention.name)).collect();
        if let Some(comment) = heads.first().and_then(|head| self.comment_above(head)) {
            let _ = write!(text, "\n\n{comment}");
        }
        if !heads.is_empty() && subject.arity > 0 {
            let _ = write!(text, "\n\n{}", self.excerpt(&heads));
        }
        text
    }

    /// True for an action of a sheet with operations.
    fn is_operation(&self, name: &str, arity: usize) -> bool {
        let mut operations = self.sheet().clauses.iter().filter(|clause| clause.effects.is_some());
        operations.any(|clause| &*clause.head.relation.text == name && clause.head.arguments.len() == arity)
    }

    fn variable_text(&self, mention: &Mention, referent: &Referent) -> String {
        let name = self.source().slice(mention.name);
        let uses = self.mentions().iter().filter(|mention| mention.referent == *referent).count();
        match name {
            "_" if self.dialect().is_infix() => "**_**\n\nany value; each `_` is another variable".to_string(),
            _ => format!(
                "**{name}**\n\na variable, {} in this clause",
                counted_as(uses as u64, "occurrence", "occurrences")
            ),
        }
    }

    /// The name with its arguments, as code.
    fn title(&self, subject: &Subject) -> String {
        let arguments = argument_names(self.rules(), subject, self.dialect());
        format!("```gdl\n{}\n```", applied_text(&subject.name, &arguments, self.dialect()))
    }

    /// The stratum, and the input that the answers change with.
    fn dependencies(&self, subject: &Subject) -> String {
        let Some(relation) = self.rules().find_relation(&subject.name, subject.arity) else { return String::new() };
        let depends = depends(self.rules(), self.source(), relation);
        let stratum = depends.stratum.map(|stratum| format!("; stratum {stratum}")).unwrap_or_default();
        let changes = match depends.changes_with {
            ChangesWith::Nothing => "the same in every state",
            ChangesWith::State => "changes with the state",
            ChangesWith::JointMove => "changes with the joint move",
        };
        let recursive = if depends.recursive { "; recursive" } else { "" };
        format!("{stratum}; {changes}{recursive}")
    }

    fn heads(&self, referent: &Referent) -> impl Iterator<Item = &Mention> {
        self.mentions().iter().filter(move |mention| mention.place == NamePlace::Head && mention.referent == *referent)
    }

    fn is_fact(&self, head: &Mention) -> bool {
        head.clause.is_some_and(|index| self.sheet().clauses[index].body.is_none())
    }

    /// The first clauses of these mentions, as code.
    fn excerpt(&self, mentions: &[&Mention]) -> String {
        let mut indices: Vec<usize> = mentions.iter().filter_map(|mention| mention.clause).collect();
        indices.dedup();
        let shown = indices.iter().take(SHOWN).map(|&index| {
            let text = self.source().slice(self.sheet().clauses[index].span);
            let end = text.char_indices().map(|(at, _)| at).take_while(|&at| at <= LONGEST).last().unwrap_or(0);
            if text.len() > LONGEST { format!("{} …", &text[..end]) } else { text.to_string() }
        });
        let mut text = format!("```gdl\n{}\n```", shown.collect::<Vec<_>>().join("\n"));
        if indices.len() > SHOWN {
            let _ = write!(text, "\n\nand {} more", indices.len() - SHOWN);
        }
        text
    }

    /// The comment that stands directly above a clause, without its signs. Declarations are not part of it.
    fn comment_above(&self, head: &Mention) -> Option<String> {
        let clause = &self.sheet().clauses[head.clause?];
        let mut line = self.source().line(clause.span.start);
        let comments = &self.sheet().comments;
        let before = comments.partition_point(|comment| comment.span.start < clause.span.start);
        let mut lines = Vec::new();
        for comment in comments[..before].iter().rev() {
            if self.source().line(comment.span.start) + 1 != line || !self.stands_alone(comment) {
                break;
            }
            line -= 1;
            let text = comment.text.trim();
            if !text.starts_with('!') && text.chars().any(char::is_alphanumeric) {
                lines.push(text.to_string());
            }
        }
        lines.reverse();
        (!lines.is_empty()).then(|| lines.join("\n"))
    }
}

/// A name with the names of its arguments; `_` stands for an argument without a name.
pub(super) fn applied_text(name: &str, arguments: &[Option<String>], dialect: Dialect) -> String {
    let words: Vec<&str> = arguments.iter().map(|argument| argument.as_deref().unwrap_or("_")).collect();
    match dialect {
        _ if words.is_empty() => name.to_string(),
        Dialect::Prefix => format!("({name} {})", words.join(" ")),
        Dialect::Infix | Dialect::Operations => format!("{name}({})", words.join(", ")),
    }
}

/// Numbers of facts and rules, in words.
pub(super) fn clauses(facts: usize, rules: usize) -> String {
    let facts = (facts > 0).then(|| counted_as(facts as u64, "fact", "facts"));
    let rules = (rules > 0).then(|| counted_as(rules as u64, "rule", "rules"));
    facts.into_iter().chain(rules).collect::<Vec<_>>().join(", ")
}

/// The explanation of a code, in Markdown.
fn explanation(code: &'static Code) -> String {
    format!("**{} {}**: {}\n\n{}", code.id, code.name, code.summary, code.explanation.trim_end())
}
