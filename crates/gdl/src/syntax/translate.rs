//! Translates trees from one dialect to the other: variables get names that the other dialect can write.
//!
//! `?x` becomes `X` and `X` becomes `?x`, as is usual in either dialect; within a clause, different variables keep
//! different names, and an anonymous variable gets one of its own. Everything else is the same in both dialects.

use super::Dialect;
use super::ast::{Formula, Name, ParsedAtom, ParsedClause, Sheet, Term};
use super::characters::{begins_variable, is_word_character};
use rustc_hash::{FxHashMap, FxHashSet};

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

/// An infix name for a variable of prefix: `X` for `?x`.
fn infix_name(prefix: &str) -> String {
    let legible: String = prefix.chars().map(|c| if is_word_character(c) { c } else { '_' }).collect();
    let mut characters = legible.chars();
    let capital: String = characters.next().into_iter().flat_map(char::to_uppercase).chain(characters).collect();
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
