//! Other texts of the same rules: the canonical one, and a scrambled one.
//!
//! [`canonical`] gives sheets that differ in order and in names of variables alone the same text. [`scrambled`] gives
//! names without meaning, in another order, as tournaments do, so that players cannot recognise a game by its words.
//! Comments are lost in both, but for declarations of utilities, which belong to the game.

use super::{Keyword, SAME};
use crate::syntax::ast::{Comment, Formula, Name, ParsedAtom, ParsedClause, Sheet, Term};
use crate::syntax::{CHANCE, Dialect, operations};
use rustc_hash::{FxHashMap, FxHashSet};
use std::sync::Arc;

/// The sheet with its clauses in the order of GDL's relations and then of names, the literals of each body by their
/// text, and variables that are numbered.
///
/// Literals that differ in variables alone stay in the order of the sheet.
pub fn canonical(sheet: &Sheet) -> Sheet {
    let mut clauses: Vec<ParsedClause> =
        sheet.clauses.iter().map(|clause| canonical_clause(clause, sheet.dialect)).collect();
    let text = |clause: &ParsedClause| clause.display(sheet.dialect).to_string();
    clauses.sort_by_cached_key(|clause| (rank(&clause.head), clause.head.relation.text.clone(), text(clause)));
    clauses.dedup_by(|left, right| text(left) == text(right));
    Sheet { dialect: sheet.dialect, clauses, comments: Vec::new() }
}

/// The sheet with other names, its clauses and the literals of its bodies in another order. `below(n)` draws a number
/// below `n`. The words of GDL, integers, `random` and lists stay, and of the comments those that declare utilities.
pub fn scrambled(sheet: &Sheet, below: &mut dyn FnMut(usize) -> usize) -> Sheet {
    let mut clauses = sheet.clauses.clone();
    let mut names = Names { dialect: sheet.dialect, renamed: FxHashMap::default(), taken: FxHashSet::default(), below };
    // Names are drawn in the order of the sheet, which does not depend on the order in which clauses end.
    for clause in &mut clauses {
        names.clause(clause);
    }
    shuffle(&mut clauses, names.below);
    for clause in &mut clauses {
        if let Some(body) = &mut clause.body {
            shuffle(body, names.below);
        }
        number_variables(clause, sheet.dialect);
    }
    let comments = sheet.comments.iter().filter_map(|comment| names.declaration(comment)).collect();
    Sheet { dialect: sheet.dialect, clauses, comments }
}

/// The place of a relation: that of GDL's relations, then all others.
fn rank(head: &ParsedAtom) -> usize {
    const ORDER: [Keyword; 10] = [
        Keyword::Role,
        Keyword::Base,
        Keyword::Input,
        Keyword::Init,
        Keyword::Legal,
        Keyword::Next,
        Keyword::Sees,
        Keyword::Percept,
        Keyword::Goal,
        Keyword::Terminal,
    ];
    let name = &head.relation.text;
    ORDER.iter().position(|keyword| name.eq_ignore_ascii_case(keyword.name())).unwrap_or(ORDER.len())
}

fn canonical_clause(clause: &ParsedClause, dialect: Dialect) -> ParsedClause {
    let mut clause = clause.clone();
    if let Some(body) = &mut clause.body {
        for formula in body.iter_mut() {
            sort_inside(formula, dialect);
        }
        sort_formulas(body, dialect);
        if body.is_empty() {
            clause.body = None;
        }
    }
    number_variables(&mut clause, dialect);
    clause
}

/// Sorts the parts of conjunctions and disjunctions.
fn sort_inside(formula: &mut Formula, dialect: Dialect) {
    match formula {
        Formula::Atom(_) | Formula::Distinct { .. } => {}
        Formula::Not { formula, .. } => sort_inside(formula, dialect),
        Formula::And { formulas, .. } | Formula::Or { formulas, .. } => {
            formulas.iter_mut().for_each(|formula| sort_inside(formula, dialect));
            sort_formulas(formulas, dialect);
        }
    }
}

/// Sorts formulas by their text without the names of variables.
fn sort_formulas(formulas: &mut [Formula], dialect: Dialect) {
    formulas.sort_by_cached_key(|formula| {
        let mut unnamed = formula.clone();
        unnamed.each_variable_mut(&mut |name| name.text = "V".into());
        unnamed.display(dialect).to_string()
    });
}

/// Names the variables of a clause in the order in which they appear: `V1`, `V2`. Anonymous ones stay.
fn number_variables(clause: &mut ParsedClause, dialect: Dialect) {
    let sign = if dialect == Dialect::Prefix { 'v' } else { 'V' };
    let mut numbers: FxHashMap<Arc<str>, Arc<str>> = FxHashMap::default();
    let mut rename = |name: &mut Name| {
        if dialect.is_infix() && name.is_anonymous() {
            return;
        }
        let next = numbers.len() + 1;
        name.text = numbers.entry(name.text.clone()).or_insert_with(|| format!("{sign}{next}").into()).clone();
    };
    clause.each_variable_mut(&mut rename);
}

/// Puts the items in random order (Fisher and Yates).
fn shuffle<T>(items: &mut [T], below: &mut dyn FnMut(usize) -> usize) {
    for index in (1..items.len()).rev() {
        items.swap(index, below(index + 1));
    }
}

/// New names for those of a sheet.
struct Names<'c> {
    dialect: Dialect,
    renamed: FxHashMap<Arc<str>, Arc<str>>,
    taken: FxHashSet<Arc<str>>,
    below: &'c mut dyn FnMut(usize) -> usize,
}

impl Names<'_> {
    fn clause(&mut self, clause: &mut ParsedClause) {
        self.atom(&mut clause.head);
        clause.body.iter_mut().chain(&mut clause.effects).flatten().for_each(|formula| self.formula(formula));
    }

    fn formula(&mut self, formula: &mut Formula) {
        match formula {
            Formula::Atom(atom) => self.atom(atom),
            Formula::Not { formula, .. } => self.formula(formula),
            Formula::And { formulas, .. } | Formula::Or { formulas, .. } => {
                formulas.iter_mut().for_each(|formula| self.formula(formula));
            }
            Formula::Distinct { left, right, .. } => {
                self.term(left);
                self.term(right);
            }
        }
    }

    fn atom(&mut self, atom: &mut ParsedAtom) {
        self.name(&mut atom.relation);
        atom.arguments.iter_mut().for_each(|term| self.term(term));
    }

    fn term(&mut self, term: &mut Term) {
        match term {
            Term::Symbol(name) => self.name(name),
            Term::Variable(_) => {}
            Term::Compound { functor, arguments, .. } => {
                self.name(functor);
                arguments.iter_mut().for_each(|term| self.term(term));
            }
        }
    }

    /// A comment that declares utilities, `! utility(robot) = goal - 12`, with the new name of the role.
    fn declaration(&self, comment: &Comment) -> Option<Comment> {
        let declared = comment.text.trim().strip_prefix('!')?.trim_start();
        declared.strip_prefix("utility")?;
        let mut text = format!("! {declared}");
        if let Some((start, rest)) = declared.split_once('(')
            && let Some((role, rest)) = rest.split_once(')')
            && let Some(new) = self.renamed.get(role.trim())
        {
            text = format!("! {start}({new}){rest}");
        }
        Some(Comment { text, ..comment.clone() })
    }

    fn name(&mut self, name: &mut Name) {
        let is_word = Keyword::ALL.iter().any(|keyword| name.text.eq_ignore_ascii_case(keyword.name()));
        // `[a,b]` is `cons(a,cons(b,nil))`.
        let is_list = ["cons", "nil"].contains(&&*name.text);
        let is_number = name.text.parse::<f64>().is_ok();
        let is_word = is_word || self.dialect == Dialect::Operations && operations::is_word(&name.text);
        let has_meaning = [CHANCE, SAME].iter().any(|known| name.text.eq_ignore_ascii_case(known));
        if is_word || is_list || is_number || has_meaning {
            return;
        }
        if let Some(new) = self.renamed.get(&name.text) {
            name.text = new.clone();
            return;
        }
        let new = loop {
            let word: Arc<str> = self.word().into();
            if self.taken.insert(word.clone()) {
                break word;
            }
        };
        self.renamed.insert(name.text.clone(), new.clone());
        name.text = new;
    }

    /// A word of three or four syllables that can be read aloud.
    fn word(&mut self) -> String {
        const CONSONANTS: [char; 14] = ['b', 'd', 'f', 'g', 'k', 'l', 'm', 'n', 'p', 'r', 's', 't', 'v', 'z'];
        const VOWELS: [char; 5] = ['a', 'e', 'i', 'o', 'u'];
        let syllables = 3 + (self.below)(2);
        let mut word = String::new();
        for _ in 0..syllables {
            word.push(CONSONANTS[(self.below)(CONSONANTS.len())]);
            word.push(VOWELS[(self.below)(VOWELS.len())]);
        }
        word
    }
}
