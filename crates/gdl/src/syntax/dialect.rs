//! The two dialects of GDL: recognition of the dialect of a text, and translation of trees from one to the other.
//!
//! A translation changes only the names of variables: `?x` becomes `X` and `X` becomes `?x`, as is usual in either
//! dialect. Within a clause, different variables keep different names, and an anonymous variable gets one of its own.

use super::ast::{Formula, Name, ParsedAtom, ParsedClause, Sheet, Term};
use super::token::{begins_variable, is_blank, is_word_character};
use rustc_hash::{FxHashMap, FxHashSet};

/// A concrete syntax of GDL.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, serde::Serialize, serde::Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum Dialect {
    /// KIF, the dialect of the GGP protocol: `(<= (legal ?r noop) (role ?r) (not (true (control ?r))))`.
    Prefix,
    /// HRF, the dialect of Genesereth's book: `legal(R,noop) :- role(R) & ~true(control(R))`.
    Infix,
}

impl Dialect {
    /// Both dialects.
    pub const ALL: [Self; 2] = [Self::Prefix, Self::Infix];

    /// The dialect in which a text is written, judged by all distinctive signs among its first few thousand, so that
    /// single signs of the other dialect do not matter. A text without any such sign, which reads the same in both,
    /// is infix.
    ///
    /// Linear in the length of the text; nearly always only a short prefix is read.
    pub fn detect(text: &str) -> Self {
        let mut lead = i64::from(text.trim_start_matches(is_blank).starts_with('('));
        for line in text.split(['\n', '\r']) {
            lead += prefix_lead(line);
            if lead.unsigned_abs() >= ENOUGH {
                break;
            }
        }
        if lead > 0 { Self::Prefix } else { Self::Infix }
    }

    /// The name on the command line: `prefix` or `infix`.
    pub fn name(self) -> &'static str {
        match self {
            Self::Prefix => "prefix",
            Self::Infix => "infix",
        }
    }

    /// The sign that begins a comment.
    pub fn comment_sign(self) -> char {
        match self {
            Self::Prefix => ';',
            Self::Infix => '%',
        }
    }
}

/// A lead of either dialect that the rest of a text does not outweigh.
const ENOUGH: u64 = 64;

/// The number of signs of prefix in a line, less the number of signs of infix. A comment ends the line, since its text
/// says nothing about the dialect.
fn prefix_lead(line: &str) -> i64 {
    let mut lead = 0;
    let mut previous = ' ';
    let mut characters = line.chars().peekable();
    while let Some(c) = characters.next() {
        let next = characters.peek().copied().unwrap_or(' ');
        match c {
            ';' => return lead + i64::from(previous == ' '),
            '%' if !is_inside_name(previous) => return lead - i64::from(previous == ' '),
            '?' if !is_inside_name(previous) && is_inside_name(next) => lead += 1,
            '(' if next == '<' => lead += 2,
            '(' if is_inside_name(previous) => lead -= 1,
            '(' if matches!(previous, ' ' | '(' | ')') && is_inside_name(next) => lead += 1,
            ':' if next == '-' => lead -= 2,
            ',' | '~' | '&' | '|' | '[' | '.' => lead -= 1,
            _ => {}
        }
        previous = if is_blank(c) { ' ' } else { c };
    }
    lead
}

fn is_inside_name(c: char) -> bool {
    c.is_alphanumeric() || matches!(c, '_' | '-' | '+')
}

impl Sheet {
    /// The same sheet as a tree of this dialect: equal to it up to the names of variables.
    pub fn in_dialect(&self, to: Dialect) -> Self {
        let clauses = self.clauses.iter().map(|clause| clause.translated(self.dialect, to)).collect();
        Self { dialect: to, clauses, comments: self.comments.clone() }
    }
}

impl ParsedClause {
    /// The clause, a tree of the dialect `from`, as a tree of the dialect `to`.
    pub(crate) fn translated(&self, from: Dialect, to: Dialect) -> Self {
        let mut clause = self.clone();
        if from != to {
            let mut renamer = Renamer { to, names: FxHashMap::default(), taken: FxHashSet::default() };
            renamer.rename_atom(&mut clause.head);
            renamer.rename_formulas(clause.body.as_deref_mut().unwrap_or_default());
        }
        clause
    }
}

/// Distinct infix names for the variables of one clause, whatever their dialect: `X` for `x`. Names that infix can read
/// already are not changed, unless an earlier variable has taken one.
pub fn infix_variables<'a>(names: impl Iterator<Item = &'a str>) -> Vec<String> {
    let mut renamer = Renamer { to: Dialect::Infix, names: FxHashMap::default(), taken: FxHashSet::default() };
    names
        .map(|name| {
            let name = renamer.free_name(infix_name(name));
            renamer.taken.insert(name.clone());
            name
        })
        .collect()
}

/// The new names of the variables of one clause.
struct Renamer {
    to: Dialect,
    names: FxHashMap<String, String>,
    taken: FxHashSet<String>,
}

impl Renamer {
    fn rename_formulas(&mut self, formulas: &mut [Formula]) {
        formulas.iter_mut().for_each(|formula| self.rename_formula(formula));
    }

    fn rename_formula(&mut self, formula: &mut Formula) {
        match formula {
            Formula::Atom(atom) => self.rename_atom(atom),
            Formula::Not { formula, .. } => self.rename_formula(formula),
            Formula::And { formulas, .. } | Formula::Or { formulas, .. } => self.rename_formulas(formulas),
            Formula::Distinct { left, right, .. } => {
                self.rename_term(left);
                self.rename_term(right);
            }
        }
    }

    fn rename_atom(&mut self, atom: &mut ParsedAtom) {
        atom.arguments.iter_mut().for_each(|term| self.rename_term(term));
    }

    fn rename_term(&mut self, term: &mut Term) {
        match term {
            Term::Symbol(_) => {}
            Term::Variable(name) => self.rename(name),
            Term::Compound { arguments, .. } => arguments.iter_mut().for_each(|term| self.rename_term(term)),
        }
    }

    fn rename(&mut self, variable: &mut Name) {
        let anonymous = variable.is_anonymous();
        if !anonymous && let Some(known) = self.names.get(&*variable.text) {
            variable.text = known.as_str().into();
            return;
        }
        let wish = match self.to {
            Dialect::Infix => infix_name(&variable.text),
            Dialect::Prefix => prefix_name(&variable.text),
        };
        let name = self.free_name(wish);
        self.taken.insert(name.clone());
        if !anonymous {
            self.names.insert(variable.text.to_string(), name.clone());
        }
        variable.text = name.into();
    }

    /// The wished name, or that name with the least number appended that makes it new.
    fn free_name(&self, wish: String) -> String {
        if !self.taken.contains(&wish) {
            return wish;
        }
        (2u32..).map(|number| format!("{wish}{number}")).find(|name| !self.taken.contains(name)).unwrap_or(wish)
    }
}

/// The text with its first character in upper case.
pub(super) fn capitalised(text: &str) -> String {
    let mut characters = text.chars();
    characters.next().into_iter().flat_map(char::to_uppercase).chain(characters).collect()
}

/// An infix name for a variable of prefix: `X` for `?x`.
fn infix_name(prefix: &str) -> String {
    let legible: String = prefix.chars().map(|c| if is_word_character(c) { c } else { '_' }).collect();
    let capital = capitalised(&legible);
    if capital == "_" || !capital.starts_with(begins_variable) { format!("V{legible}") } else { capital }
}

/// A prefix name for a variable of infix: `?x` for `X`, `?myCell` for `MyCell`.
fn prefix_name(infix: &str) -> String {
    if infix == "_" {
        return "any".into();
    }
    if !infix.contains(char::is_lowercase) {
        return infix.to_lowercase();
    }
    let mut characters = infix.chars();
    characters.next().into_iter().flat_map(char::to_lowercase).chain(characters).collect()
}
