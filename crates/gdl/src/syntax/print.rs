//! Prints trees in any dialect, on one line, and translates them from one dialect to the other. [`super::format()`]
//! lays out whole sheets.
//!
//! The tree must be one of the dialect in which it is printed ([`Sheet::in_dialect`]); its text then parses back to the
//! same tree. Between prefix and infix a translation changes only the names of variables: `?x` becomes `X` and `X`
//! becomes `?x`, as is usual there. Within a clause, different variables keep different names, and an anonymous
//! variable gets one of its own.

use super::Dialect;
use super::ast::{Formula, Name, ParsedAtom, ParsedClause, Sheet, Term, list_elements};
use super::characters::{begins_variable, capitalised, is_bare, is_word_character};
use super::operations::{translate, with_operations};
use crate::diagnostic::Diagnostic;
use rustc_hash::{FxHashMap, FxHashSet};
use std::borrow::Borrow;
use std::fmt;
use std::fmt::{Display, Write};

/// Writes the name of an object, a function or a relation. Infix quotes a name that it could not read otherwise:
/// `'Red'`, `'+'`, `'don''t'`. Prefix has no quotes and needs none.
pub(crate) fn write_symbol(name: &str, dialect: Dialect, out: &mut impl Write) -> fmt::Result {
    match dialect {
        Dialect::Infix | Dialect::Operations if !is_bare(name) => write!(out, "'{}'", name.replace('\'', "''")),
        _ => out.write_str(name),
    }
}

/// Prints the sheet in its dialect, one clause per line, without its comments.
impl Display for Sheet {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.clauses.iter().try_for_each(|clause| writeln!(formatter, "{}", clause.display(self.dialect)))
    }
}

impl ParsedClause {
    /// The text of the clause, which must be a tree of this dialect, on one line.
    pub fn display(&self, dialect: Dialect) -> impl Display {
        fmt::from_fn(move |out| Printer { dialect, out }.clause(self))
    }
}

impl Formula {
    /// The text of the formula, which must be a tree of this dialect, on one line.
    pub fn display(&self, dialect: Dialect) -> impl Display {
        fmt::from_fn(move |out| Printer { dialect, out }.formula(self, PrintContext::Operand))
    }
}

impl Term {
    /// The text of the term, which must be a tree of this dialect, on one line.
    pub fn display(&self, dialect: Dialect) -> impl Display {
        fmt::from_fn(move |out| Printer { dialect, out }.term(self))
    }
}

/// The context of a formula, which decides whether infix needs parentheses around it.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(crate) enum PrintContext {
    /// The whole body: a disjunction has no parentheses.
    Body,
    /// An operand of `|`: a conjunction has no parentheses.
    Alternative,
    /// Any other position.
    Operand,
}

impl Formula {
    /// True if infix needs parentheses around the formula in this context.
    pub(crate) fn needs_parentheses(&self, context: PrintContext) -> bool {
        match self {
            Self::And { formulas, .. } => formulas.len() > 1 && context != PrintContext::Alternative,
            Self::Or { formulas, .. } => formulas.len() > 1 && context != PrintContext::Body,
            _ => false,
        }
    }
}

/// Writes trees on one line.
pub(crate) struct Printer<'o, W> {
    pub(crate) dialect: Dialect,
    pub(crate) out: &'o mut W,
}

impl<W: Write> Printer<'_, W> {
    pub(crate) fn clause(&mut self, clause: &ParsedClause) -> fmt::Result {
        if let Some(effects) = &clause.effects {
            return self.operation(clause, effects);
        }
        let Some(body) = &clause.body else { return self.atom(&clause.head) };
        match self.dialect {
            Dialect::Prefix => {
                self.out.write_str("(<= ")?;
                self.atom(&clause.head)?;
                self.spaced_formulas(body)?;
                self.out.write_str(")")
            }
            Dialect::Infix | Dialect::Operations => {
                self.atom(&clause.head)?;
                self.out.write_str(" :- ")?;
                self.infix_body(body)
            }
        }
    }

    /// Writes an operation, which only one dialect has.
    fn operation(&mut self, clause: &ParsedClause, effects: &[Formula]) -> fmt::Result {
        self.atom(&clause.head)?;
        self.out.write_str(" :: ")?;
        if let Some(condition) = &clause.body {
            self.infix_body(condition)?;
            self.out.write_str(" ==> ")?;
        }
        self.infix_body(effects)
    }

    fn infix_body(&mut self, body: &[Formula]) -> fmt::Result {
        match body {
            [] => self.out.write_str("()"),
            [formula] => self.formula(formula, PrintContext::Body),
            formulas => self.joined(formulas, " & ", PrintContext::Operand),
        }
    }

    pub(crate) fn formula(&mut self, formula: &Formula, context: PrintContext) -> fmt::Result {
        match self.dialect {
            Dialect::Prefix => self.prefix_formula(formula),
            Dialect::Infix | Dialect::Operations => self.infix_formula(formula, context),
        }
    }

    fn prefix_formula(&mut self, formula: &Formula) -> fmt::Result {
        let (word, formulas) = match formula {
            Formula::Atom(atom) => return self.atom(atom),
            Formula::Distinct { left, right, .. } => {
                self.out.write_str("(distinct ")?;
                self.term(left)?;
                self.out.write_str(" ")?;
                self.term(right)?;
                return self.out.write_str(")");
            }
            Formula::Not { formula, .. } => ("(not", std::slice::from_ref(&**formula)),
            Formula::And { formulas, .. } => ("(and", &formulas[..]),
            Formula::Or { formulas, .. } => ("(or", &formulas[..]),
        };
        self.out.write_str(word)?;
        self.spaced_formulas(formulas)?;
        self.out.write_str(")")
    }

    fn spaced_formulas(&mut self, formulas: &[Formula]) -> fmt::Result {
        formulas.iter().try_for_each(|formula| {
            self.out.write_str(" ")?;
            self.prefix_formula(formula)
        })
    }

    fn infix_formula(&mut self, formula: &Formula, context: PrintContext) -> fmt::Result {
        let parentheses = formula.needs_parentheses(context);
        if parentheses {
            self.out.write_str("(")?;
        }
        match formula {
            Formula::Atom(atom) => self.atom(atom)?,
            Formula::Not { formula, .. } => {
                self.out.write_str("~")?;
                self.infix_formula(formula, PrintContext::Operand)?;
            }
            Formula::And { formulas, .. } => self.infix_junction(formulas, "and", " & ", PrintContext::Operand)?,
            Formula::Or { formulas, .. } => self.infix_junction(formulas, "or", " | ", PrintContext::Alternative)?,
            Formula::Distinct { left, right, .. } => {
                self.out.write_str("distinct(")?;
                self.term(left)?;
                self.out.write_str(",")?;
                self.term(right)?;
                self.out.write_str(")")?;
            }
        }
        if parentheses { self.out.write_str(")") } else { Ok(()) }
    }

    /// Writes a conjunction or disjunction; if it has fewer than two operands, with a word before them and no sign.
    fn infix_junction(&mut self, formulas: &[Formula], word: &str, sign: &str, context: PrintContext) -> fmt::Result {
        if formulas.len() > 1 {
            return self.joined(formulas, sign, context);
        }
        self.out.write_str(word)?;
        self.out.write_str("(")?;
        self.joined(formulas, ", ", PrintContext::Operand)?;
        self.out.write_str(")")
    }

    fn joined(&mut self, formulas: &[Formula], sign: &str, context: PrintContext) -> fmt::Result {
        for (position, formula) in formulas.iter().enumerate() {
            if position > 0 {
                self.out.write_str(sign)?;
            }
            self.infix_formula(formula, context)?;
        }
        Ok(())
    }

    pub(crate) fn atom(&mut self, atom: &ParsedAtom) -> fmt::Result {
        if atom.arguments.is_empty() && !atom.parenthesised {
            return write_symbol(&atom.relation.text, self.dialect, self.out);
        }
        self.applied(&atom.relation.text, &atom.arguments)
    }

    fn term(&mut self, term: &Term) -> fmt::Result {
        if self.dialect.is_infix()
            && let Some(elements) = list_elements(term)
        {
            return self.enclosed("[", &elements, "]");
        }
        match term {
            Term::Symbol(name) => write_symbol(&name.text, self.dialect, self.out),
            Term::Variable(name) => self.variable(&name.text),
            Term::Compound { functor, arguments, .. } => self.applied(&functor.text, arguments),
        }
    }

    fn variable(&mut self, name: &str) -> fmt::Result {
        // The name `?_` already has its sign.
        if self.dialect == Dialect::Prefix && !name.starts_with('?') {
            self.out.write_str("?")?;
        }
        self.out.write_str(name)
    }

    fn applied(&mut self, name: &str, arguments: &[Term]) -> fmt::Result {
        match self.dialect {
            Dialect::Prefix => {
                self.out.write_str("(")?;
                write_symbol(name, self.dialect, self.out)?;
                for argument in arguments {
                    self.out.write_str(" ")?;
                    self.term(argument)?;
                }
                self.out.write_str(")")
            }
            Dialect::Infix | Dialect::Operations => {
                write_symbol(name, self.dialect, self.out)?;
                self.enclosed("(", arguments, ")")
            }
        }
    }

    /// Writes terms with commas between them.
    fn enclosed<T: Borrow<Term>>(&mut self, open: &str, terms: &[T], close: &str) -> fmt::Result {
        self.out.write_str(open)?;
        for (position, term) in terms.iter().enumerate() {
            if position > 0 {
                self.out.write_str(",")?;
            }
            self.term(term.borrow())?;
        }
        self.out.write_str(close)
    }
}

impl Sheet {
    /// The same sheet as a tree of this dialect: equal to it up to the names of variables. A sheet with operations is
    /// translated to clauses of GDL; the dialect with operations is only for a sheet that has them
    /// ([`Sheet::translated`]).
    pub fn in_dialect(&self, to: Dialect) -> Self {
        if self.dialect == Dialect::Operations && to != Dialect::Operations {
            return translate(self).sheet.in_dialect(to);
        }
        let clauses = self.clauses.iter().map(|clause| clause.translated(self.dialect, to)).collect();
        Self { dialect: to, clauses, comments: self.comments.clone() }
    }
}

impl Sheet {
    /// The same sheet as a tree of this dialect, whichever it is.
    ///
    /// # Errors
    /// The clauses that have no form in the dialect with operations.
    pub fn translated(&self, to: Dialect) -> Result<Self, Vec<Diagnostic>> {
        match (self.dialect, to) {
            (Dialect::Prefix | Dialect::Infix, Dialect::Operations) => with_operations(self),
            _ => Ok(self.in_dialect(to)),
        }
    }
}

impl ParsedClause {
    /// The clause, a tree of the dialect `from`, as a tree of the dialect `to`.
    pub(crate) fn translated(&self, from: Dialect, to: Dialect) -> Self {
        let mut clause = self.clone();
        if from.is_infix() != to.is_infix() {
            let mut renamer = Renamer { to, names: FxHashMap::default(), taken: FxHashSet::default() };
            clause.each_variable_mut(&mut |variable| renamer.rename(variable));
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
    fn rename(&mut self, variable: &mut Name) {
        let anonymous = variable.is_anonymous();
        if !anonymous && let Some(known) = self.names.get(&*variable.text) {
            variable.text = known.as_str().into();
            return;
        }
        let wish = match self.to {
            Dialect::Infix | Dialect::Operations => infix_name(&variable.text),
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
