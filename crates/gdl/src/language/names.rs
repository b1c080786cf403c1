//! Names for the language service: those that the rules define, the names of arguments, and the meanings of keywords.
//!
//! GDL has no names for arguments, so they are taken from what the author has written: a declared board, or the
//! variables of heads.

use crate::rules::{Keyword, Literal, Pattern, RuleSet};
use crate::syntax::{Dialect, Logic};
use std::collections::BTreeSet;
use std::sync::Arc;

/// The relation that lists the actions of a sheet with operations.
pub(super) const ACTION: &str = "action";

/// The names of the arguments of a keyword.
pub(super) fn keyword_arguments(keyword: Keyword, dialect: Dialect) -> &'static [&'static str] {
    match keyword {
        Keyword::Legal if dialect == Dialect::Operations => &["action"],
        Keyword::Role => &["role"],
        Keyword::Init | Keyword::True | Keyword::Next | Keyword::Base => &["fact"],
        Keyword::Does | Keyword::Legal | Keyword::Input => &["role", "move"],
        Keyword::Goal => &["role", "value"],
        Keyword::Sees | Keyword::Percept => &["role", "percept"],
        Keyword::Terminal => &[],
    }
}

/// The meaning of a keyword, in a sentence or two.
pub(super) fn keyword_meaning(keyword: Keyword, dialect: Dialect) -> &'static str {
    match keyword {
        Keyword::Legal if dialect == Dialect::Operations => {
            "The role in control may do this action in the current state."
        }
        _ if keyword.arity_in(dialect).is_none() => "A word of GDL that has no meaning in a sheet with operations.",
        Keyword::Role => "The game has this role. Roles are ground facts, and their order is that of the text.",
        Keyword::Init => "The fact holds in the initial state.",
        Keyword::True => "The fact holds in the current state. Only in bodies.",
        Keyword::Does => "The role makes this move now. Only in bodies.",
        Keyword::Legal => "The role may make this move in the current state.",
        Keyword::Next => "The fact holds in the next state. What no rule for `next` keeps is gone.",
        Keyword::Goal => "The utility of the role in the current state, from 0 to 100.",
        Keyword::Terminal => "The game is over in the current state.",
        Keyword::Base => "The fact may hold in some state. `base` lists all of them.",
        Keyword::Input => "The role may make this move in some state. `input` lists all of them.",
        Keyword::Sees => "The role perceives this after a joint move (GDL-II).",
        Keyword::Percept => "The role may perceive this in some state (GDL-II). `percept` lists all of them.",
    }
}

/// The name of a connective and its meaning.
pub(super) fn connective_meaning(logic: Logic) -> (&'static str, &'static str) {
    match logic {
        Logic::Not => {
            ("not", "The formula cannot be derived. Its variables must occur in a positive literal of the body.")
        }
        Logic::And => ("and", "All of the formulas hold."),
        Logic::Or => ("or", "At least one of the formulas holds."),
        Logic::Distinct => ("distinct", "The two terms differ. Their variables must occur in a positive literal."),
        Logic::Implied => ("<=", "The head holds if all literals of the body do."),
    }
}

/// Names with their numbers of arguments, in order.
pub type Names = BTreeSet<(Arc<str>, usize)>;

/// The relations that clauses define.
pub fn relations(rules: &RuleSet) -> Names {
    let relations = rules.clauses.iter().map(|clause| clause.head.relation);
    let relation = |id| (Arc::from(rules.relation_name(id)), rules.relations[id.index()].arity as usize);
    relations.map(relation).collect()
}

/// The functions and objects that are facts of states, as far as `base`, `init` and `next` name them.
pub fn fluents(rules: &RuleSet) -> Names {
    last_arguments(rules, &[Keyword::Base, Keyword::Init, Keyword::Next])
}

/// The functions and objects that are moves, as far as `input` and `legal` name them.
pub(crate) fn moves(rules: &RuleSet) -> Names {
    last_arguments(rules, &[Keyword::Input, Keyword::Legal])
}

/// The roles.
pub(crate) fn roles(rules: &RuleSet) -> Names {
    rules.roles.iter().map(|role| (rules.symbols.name(*role).clone(), 0)).collect()
}

/// The names in the last arguments of the heads of these keywords.
fn last_arguments(rules: &RuleSet, keywords: &[Keyword]) -> Names {
    let is_wanted = |relation| rules.keyword_of(relation).is_some_and(|keyword| keywords.contains(&keyword));
    let heads = rules.clauses.iter().map(|clause| &clause.head).filter(|head| is_wanted(head.relation));
    heads.filter_map(|head| named(rules, head.arguments.last()?)).collect()
}

/// The functions and objects that are an argument, counted from 0, of a relation or function with this name.
pub(crate) fn arguments_seen(rules: &RuleSet, name: &str, index: usize) -> Names {
    let mut search = ArgumentSearch { rules, name, index, found: Names::new() };
    for clause in &rules.clauses {
        search.subject(rules.relation_name(clause.head.relation), &clause.head.arguments);
        search.literals(&clause.body);
    }
    search.found
}

/// The search for what stands in an argument.
struct ArgumentSearch<'r> {
    rules: &'r RuleSet,
    name: &'r str,
    index: usize,
    found: Names,
}

impl ArgumentSearch<'_> {
    fn literals(&mut self, literals: &[Literal]) {
        for literal in literals {
            match literal {
                Literal::Atom(atom) => self.subject(self.rules.relation_name(atom.relation), &atom.arguments),
                Literal::Not(denied, _) => self.literals(denied),
                Literal::Or(branches, _) => branches.iter().for_each(|branch| self.literals(branch)),
                Literal::Distinct(left, right, _) | Literal::Equal(left, right, _) => {
                    self.term(left);
                    self.term(right);
                }
            }
        }
    }

    fn subject(&mut self, name: &str, arguments: &[Pattern]) {
        if name.eq_ignore_ascii_case(self.name) {
            self.found.extend(arguments.get(self.index).and_then(|argument| named(self.rules, argument)));
        }
        arguments.iter().for_each(|argument| self.term(argument));
    }

    fn term(&mut self, term: &Pattern) {
        if let Pattern::Compound(name, arguments) = term {
            self.subject(self.rules.symbols.name(*name), arguments);
        }
    }
}

/// The name of a term with the number of its arguments; `None` for a variable.
fn named(rules: &RuleSet, term: &Pattern) -> Option<(Arc<str>, usize)> {
    term.functor().map(|(name, arity)| (rules.symbols.name(name).clone(), arity))
}

/// A name of the rules with its number of arguments.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct Subject {
    /// The name.
    pub name: String,
    /// The number of arguments.
    pub arity: usize,
    /// True for a relation, false for a function or an object.
    pub is_relation: bool,
}

/// The names of the arguments: those of the language for keywords, else the words of a declared figure, else the
/// variables of heads; `None` for an argument without a name.
pub(super) fn argument_names(rules: &RuleSet, subject: &Subject, dialect: Dialect) -> Vec<Option<String>> {
    if let Some(keyword) = Keyword::from_name(&subject.name)
        && subject.is_relation
    {
        return keyword_arguments(keyword, dialect).iter().map(|name| Some((*name).to_string())).collect();
    }
    let mut names = declared(rules, subject);
    for clause in &rules.clauses {
        if names.iter().all(Option::is_some) {
            break;
        }
        let variable = |argument: &Pattern| match argument {
            Pattern::Variable(variable) => {
                Some(&*clause.variables[variable.index()]).filter(|name| says_something(name))
            }
            Pattern::Symbol(_) | Pattern::Compound(..) => None,
        };
        for (name, argument) in names.iter_mut().zip(defined(rules, clause, subject).unwrap_or_default()) {
            let known = || variable(argument).map(|name| written(name, dialect));
            *name = name.take().or_else(known);
        }
    }
    names
}

/// The words of a declared board, stack and so on.
fn declared(rules: &RuleSet, subject: &Subject) -> Vec<Option<String>> {
    let forms = rules.picture.figures.iter().flat_map(|figure| &figure.facts);
    let form = forms.into_iter().find(|form| form.is_of(&subject.name, subject.arity));
    let word = |word: String| Some(word).filter(|word| word != "_");
    form.map_or_else(|| vec![None; subject.arity], |form| form.fields.iter().map(|field| word(field.word())).collect())
}

/// The arguments that the head of a clause gives it: its own, or those of a fact or move that the head is about.
fn defined<'a>(rules: &RuleSet, clause: &'a crate::rules::Clause, subject: &Subject) -> Option<&'a [Pattern]> {
    let head = &clause.head;
    let is_it = |name: &str, arguments: &[Pattern]| name == subject.name && arguments.len() == subject.arity;
    if subject.is_relation {
        return is_it(rules.relation_name(head.relation), &head.arguments).then_some(&head.arguments);
    }
    match head.arguments.last() {
        Some(Pattern::Compound(name, arguments)) if is_it(rules.symbols.name(*name), arguments) => Some(arguments),
        _ => None,
    }
}

/// True if the name of a variable says something; `_` and its like stand for anything.
fn says_something(name: &str) -> bool {
    !name.trim_start_matches('?').starts_with('_')
}

fn written(name: &str, dialect: Dialect) -> String {
    match dialect {
        Dialect::Prefix => format!("?{name}"),
        Dialect::Infix | Dialect::Operations => name.to_string(),
    }
}
