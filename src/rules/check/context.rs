//! The context of all checks: the sheet, its rules, their dependencies, and every use of a name.

use crate::diagnostic::TextEdit;
use crate::rules::GroundTerm;
use crate::rules::clause::{Keyword, RuleSet};
use crate::rules::dependency::DependencyGraph;
use crate::syntax::ast::{Atom, Clause, Formula, Name, Sheet, Term};
use crate::syntax::{Dialect, Span};
use rustc_hash::FxHashMap;

/// The input of a check.
pub(super) struct Context<'a> {
    pub(super) sheet: &'a Sheet,
    pub(super) rules: &'a RuleSet,
    pub(super) dependencies: DependencyGraph,
    /// Every name except those of variables, in the order of the text.
    pub(super) uses: Vec<Use<'a>>,
    /// For each name, its uses as indices into `uses`.
    uses_of: FxHashMap<&'a str, Vec<u32>>,
}

/// A use of a name.
#[derive(Clone, Copy)]
pub(super) struct Use<'a> {
    pub(super) name: &'a Name,
    pub(super) kind: Kind,
    pub(super) arity: usize,
    /// The name with its arguments.
    pub(super) span: Span,
}

/// The way in which a name is used.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub(super) enum Kind {
    /// The relation of a head.
    Head,
    /// The relation of a literal.
    Body,
    /// A function with arguments.
    Function,
    /// An object, that is, a symbol without arguments inside a term.
    Object,
}

impl Kind {
    pub(super) fn is_relation(self) -> bool {
        matches!(self, Self::Head | Self::Body)
    }
}

impl<'a> Context<'a> {
    pub(super) fn new(sheet: &'a Sheet, rules: &'a RuleSet) -> Self {
        let mut uses = Vec::new();
        for clause in &sheet.clauses {
            atom(&clause.head, Kind::Head, &mut uses);
            each_atom(clause, &mut |body| atom(body, Kind::Body, &mut uses));
            each_distinct(clause, &mut |left, right| {
                term(left, &mut uses);
                term(right, &mut uses);
            });
        }
        uses.sort_by_key(|found| found.name.span.start);
        let mut uses_of: FxHashMap<&str, Vec<u32>> = FxHashMap::default();
        for (index, used) in (0..).zip(&uses) {
            uses_of.entry(&used.name.text).or_default().push(index);
        }
        Self { sheet, rules, dependencies: DependencyGraph::new(rules), uses, uses_of }
    }

    /// An example in the dialect of the sheet.
    pub(super) fn write<'b>(&self, prefix: &'b str, infix: &'b str) -> &'b str {
        match self.sheet.dialect {
            Dialect::Prefix => prefix,
            Dialect::Infix => infix,
        }
    }

    /// A fact of the state with this name, as a literal in the sheet's dialect.
    pub(super) fn write_true(&self, name: &str) -> String {
        match self.sheet.dialect {
            Dialect::Prefix => format!("(true ({name} …))"),
            Dialect::Infix => format!("true({name}(…))"),
        }
    }

    /// A variable as the sheet writes it.
    pub(super) fn variable(&self, name: &str) -> String {
        let is_anonymous = name.strip_prefix('_').is_some_and(|rest| rest.chars().all(|digit| digit.is_ascii_digit()));
        match self.sheet.dialect {
            Dialect::Prefix => format!("`?{name}`"),
            Dialect::Infix if is_anonymous => "`_`".to_string(),
            Dialect::Infix => format!("`{name}`"),
        }
    }

    /// The edits that rename some uses of a name.
    pub(super) fn rename(&self, old: &str, name: &str, is_meant: impl Fn(&Use<'a>) -> bool) -> Vec<TextEdit> {
        let name = GroundTerm::symbol(name).display(self.sheet.dialect).to_string();
        let uses = self.uses_of.get(old).into_iter().flatten().map(|&index| &self.uses[index as usize]);
        let meant = uses.filter(|used| is_meant(used));
        meant.map(|used| TextEdit::new(used.name.span, name.clone())).collect()
    }

    /// Whether any clause has this relation as its head.
    pub(super) fn is_defined(&self, keyword: Keyword) -> bool {
        let relation = self.rules.keyword(keyword);
        self.rules.clauses.iter().any(|clause| clause.head.relation == relation)
    }

    /// For each relation, whether any clause has it as its head.
    pub(super) fn defined(&self) -> Vec<bool> {
        let mut defined = vec![false; self.rules.relations.len()];
        self.rules.clauses.iter().for_each(|clause| defined[clause.head.relation.index()] = true);
        defined
    }
}

/// The keyword of which an atom is an instance; `None` if the number of arguments is wrong, which has a code of its
/// own.
pub(super) fn keyword_of(atom: &Atom) -> Option<Keyword> {
    let keyword = Keyword::from_name(&atom.relation.text)?;
    (keyword.arity() as usize == atom.arguments.len()).then_some(keyword)
}

/// Visits the atoms of a body at any depth, in the order of the text.
pub(super) fn each_atom<'a>(clause: &'a Clause, visit: &mut impl FnMut(&'a Atom)) {
    each_formula(clause, &mut |formula| {
        if let Formula::Atom(atom) = formula {
            visit(atom);
        }
    });
}

fn each_distinct<'a>(clause: &'a Clause, visit: &mut impl FnMut(&'a Term, &'a Term)) {
    each_formula(clause, &mut |formula| {
        if let Formula::Distinct { left, right, .. } = formula {
            visit(left, right);
        }
    });
}

/// Visits the formulas of a body at any depth, each before its parts.
pub(super) fn each_formula<'a>(clause: &'a Clause, visit: &mut impl FnMut(&'a Formula)) {
    clause.body.iter().flatten().for_each(|part| formula(part, visit));
}

fn formula<'a>(whole: &'a Formula, visit: &mut impl FnMut(&'a Formula)) {
    visit(whole);
    match whole {
        Formula::Atom(_) | Formula::Distinct { .. } => {}
        Formula::Not { formula: part, .. } => formula(part, visit),
        Formula::And { formulas, .. } | Formula::Or { formulas, .. } => {
            formulas.iter().for_each(|part| formula(part, visit));
        }
    }
}

/// Visits the variables of a term from left to right.
pub(super) fn each_variable<'a>(term: &'a Term, visit: &mut impl FnMut(&'a Name)) {
    match term {
        Term::Symbol(_) => {}
        Term::Variable(name) => visit(name),
        Term::Compound { arguments, .. } => arguments.iter().for_each(|part| each_variable(part, visit)),
    }
}

fn atom<'a>(atom: &'a Atom, kind: Kind, uses: &mut Vec<Use<'a>>) {
    uses.push(Use { name: &atom.relation, kind, arity: atom.arguments.len(), span: atom.span });
    atom.arguments.iter().for_each(|argument| term(argument, uses));
}

fn term<'a>(whole: &'a Term, uses: &mut Vec<Use<'a>>) {
    match whole {
        Term::Variable(_) => {}
        Term::Symbol(name) => uses.push(Use { name, kind: Kind::Object, arity: 0, span: name.span }),
        Term::Compound { functor, arguments, span } => {
            let kind = if arguments.is_empty() { Kind::Object } else { Kind::Function };
            uses.push(Use { name: functor, kind, arity: arguments.len(), span: *span });
            arguments.iter().for_each(|part| term(part, uses));
        }
    }
}
