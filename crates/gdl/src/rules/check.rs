//! The checks: every restriction of GDL and every warning, all problems of a rule sheet at once.
//!
//! A family of checks is a file; it defines its codes, each with an explanation, and one function that examines the
//! sheet as written and its normalised rules, given as a `CheckContext`. [`check`] runs all families. Problems that
//! appear only in play are declared here (`in_play.rs`) and found by the engine. A problem that leaves a rule without a
//! clear meaning, or violates the language, is an error; one that does not change how players read the sheet is a
//! warning.

mod arity;
mod capital;
mod dependence;
mod duplicate;
mod foreign_names;
mod form;
mod goal;
#[doc(hidden)]
pub mod in_play;
mod interface;
mod keyword;
mod lost;
mod names;
mod picture;
mod positions;
mod reach;
mod recursion;
mod roles;
mod safety;
mod same;
mod stratification;
mod unbound;
mod usage;

#[doc(hidden)]
pub use arity::arguments;
#[doc(hidden)]
pub use duplicate::variants;
#[doc(hidden)]
pub use goal::{VALUE as GOAL_VALUE, is_goal_value};
#[doc(hidden)]
pub(super) use lost::add_lost_conditions;
#[doc(hidden)]
pub use safety::unbound_variables;

use super::GroundTerm;
use super::clause::{Keyword, RuleSet};
use super::dependency::DependencyGraph;
use crate::diagnostic::{Code, Diagnostic, TextEdit};
use crate::limits::{Limits, Stop, unlimited};
use crate::sorting;
use crate::syntax::ast::{ParsedAtom, Sheet};
use crate::syntax::operations::{ClauseOrigin, TranslatedSheet};
use crate::syntax::uses::{NameUse, UseKind, add_uses};
use crate::syntax::{Dialect, error};
use arity::OtherArity;
use rustc_hash::FxHashMap;

/// A family of checks: its codes, and the function that reports them.
struct CheckFamily {
    codes: &'static [&'static Code],
    check: fn(&CheckContext<'_>, &mut Vec<Diagnostic>),
}

/// The codes of rules of form: a sheet that breaks one has a meaning all the same, which [`CheckedSheet::leniently`]
/// gives it.
///
/// [`CheckedSheet::leniently`]: super::CheckedSheet::leniently
pub static FORM: [&Code; 4] = [&keyword::FUNCTION, &keyword::HEAD_ONLY, &dependence::ON_STATE, &dependence::ON_MOVES];

/// The codes of problems that only a game has: what it lacks, and relations that nothing uses.
pub(super) static GAME_ONLY: [&Code; 7] = [
    &interface::NO_ROLE,
    &interface::NO_LEGAL,
    &interface::NO_GOAL,
    &interface::NO_TERMINAL,
    &interface::NO_BASE,
    &interface::NO_INPUT,
    &usage::UNUSED,
];

/// The code of a recursion that may derive infinitely many facts.
pub(super) static UNBOUNDED_RECURSION: &Code = &recursion::UNBOUNDED;

/// All families. A new one is a file and a line here.
static FAMILIES: &[CheckFamily] = &[
    arity::FAMILY,
    keyword::FAMILY,
    dependence::FAMILY,
    interface::FAMILY,
    roles::FAMILY,
    safety::FAMILY,
    stratification::FAMILY,
    recursion::FAMILY,
    usage::FAMILY,
    names::FAMILY,
    capital::FAMILY,
    form::FAMILY,
    same::FAMILY,
    duplicate::FAMILY,
    goal::FAMILY,
    reach::FAMILY,
    picture::FAMILY,
];

/// All problems of a sheet, in the order of the text; those of the sheet as a whole come first.
///
/// `rules` must be the result of [`super::normalise()`] for this sheet. The time is nearly linear in the size of the
/// sheet.
pub fn check(sheet: &Sheet, rules: &RuleSet) -> Vec<Diagnostic> {
    unlimited(|limits| check_within(sheet, rules, limits))
}

/// As [`check`], within limits.
///
/// # Errors
/// If the interrupt or the deadline of the limits ends the work.
pub fn check_within(sheet: &Sheet, rules: &RuleSet, limits: &Limits) -> Result<Vec<Diagnostic>, Stop> {
    let mut found = all_problems(&CheckContext::new(sheet, sheet, rules), limits)?;
    in_order(&mut found);
    Ok(found)
}

/// As [`check_within`], for a sheet with operations. What is wrong with its clauses is said of the operations of which
/// they are made.
pub(super) fn check_translation(
    sheet: &Sheet,
    translation: &TranslatedSheet,
    rules: &RuleSet,
    limits: &Limits,
) -> Result<Vec<Diagnostic>, Stop> {
    let mut context = CheckContext::new(sheet, &translation.sheet, rules);
    context.origins = Some(&translation.names.origins);
    let mut found = all_problems(&context, limits)?;
    found.extend(translation.problems.iter().cloned());
    in_order(&mut found);
    // An operation with several effects is several clauses, which have the same problems.
    found.dedup();
    Ok(found)
}

fn all_problems(context: &CheckContext<'_>, limits: &Limits) -> Result<Vec<Diagnostic>, Stop> {
    let mut found = Vec::new();
    for family in FAMILIES {
        limits.check()?;
        (family.check)(context, &mut found);
    }
    Ok(found)
}

/// Sorts problems by their positions. Those of the sheet as a whole have none, and come first.
fn in_order(found: &mut [Diagnostic]) {
    sorting::sort_by_key(found, |problem| (problem.labels.first().map(|label| label.span.start), problem.code.id));
}

/// All codes in order, including those of syntax errors and of problems that only play shows.
pub fn codes() -> Vec<&'static Code> {
    let checks = FAMILIES.iter().flat_map(|family| family.codes);
    let mut codes: Vec<_> =
        error::CODES.iter().chain(error::TRANSLATION_CODES).chain(checks).chain(in_play::CODES).copied().collect();
    sorting::sort_by_key(&mut codes, |code| code.id);
    codes
}

/// The code with this id (`E112`, in any case) or name (`unsafe-head`). Former ids of codes are known too (`W301` for
/// `E301`).
pub fn find_code(wanted: &str) -> Option<&'static Code> {
    let former = || in_play::FORMER.iter().find(|(id, _)| id.eq_ignore_ascii_case(wanted)).map(|(_, code)| *code);
    codes().into_iter().find(|code| code.id.eq_ignore_ascii_case(wanted) || code.name == wanted).or_else(former)
}

/// The input of a check.
struct CheckContext<'a> {
    /// The clauses that are checked: those of the sheet, or those to which its operations are translated.
    sheet: &'a Sheet,
    /// The dialect in which the sheet is written.
    dialect: Dialect,
    /// The origins of the clauses, if the sheet has operations.
    origins: Option<&'a [ClauseOrigin]>,
    rules: &'a RuleSet,
    dependencies: DependencyGraph,
    /// Every name except those of variables, in the order of the text.
    uses: Vec<NameUse<'a>>,
    /// For each name, its uses as indices into `uses`.
    uses_of: FxHashMap<&'a str, Vec<u32>>,
    /// The keywords that are used with other numbers of arguments.
    other_arities: Vec<OtherArity<'a>>,
}

impl<'a> CheckContext<'a> {
    /// The context of a sheet as it is written, and of its clauses, which are others if it has operations.
    fn new(written: &'a Sheet, sheet: &'a Sheet, rules: &'a RuleSet) -> Self {
        let mut uses = Vec::new();
        written.clauses.iter().for_each(|clause| add_uses(clause, &mut uses));
        sorting::sort_by_key(&mut uses, |found| found.name.span.start);
        let mut uses_of: FxHashMap<&str, Vec<u32>> = FxHashMap::default();
        for (index, used) in (0..).zip(&uses) {
            uses_of.entry(&used.name.text).or_default().push(index);
        }
        let dependencies = DependencyGraph::new(rules);
        let dialect = written.dialect;
        let other_arities = arity::other_arities(&uses, dialect);
        Self { sheet, dialect, origins: None, rules, dependencies, uses, uses_of, other_arities }
    }

    /// True if the clause with this index is one of the sheet, and not an effect of an operation or implied.
    fn is_written(&self, index: usize) -> bool {
        self.origins.is_none_or(|origins| matches!(origins[index], ClauseOrigin::Clause(_)))
    }

    /// True if the clause with this index is an effect of an operation.
    fn is_effect(&self, index: usize) -> bool {
        self.origins.is_some_and(|origins| matches!(origins[index], ClauseOrigin::Operation(_)))
    }

    /// True if the clause with this index is one that the dialect with operations implies.
    fn is_implied(&self, index: usize) -> bool {
        self.origins.is_some_and(|origins| origins[index] == ClauseOrigin::Implied)
    }

    /// An example in the dialect of the sheet.
    fn write<'b>(&self, prefix: &'b str, infix: &'b str) -> &'b str {
        match self.dialect {
            Dialect::Prefix => prefix,
            Dialect::Infix | Dialect::Operations => infix,
        }
    }

    /// A fact of the state with this name, as a literal in the sheet's dialect.
    fn write_true(&self, name: &str) -> String {
        match self.dialect {
            Dialect::Prefix => format!("(true ({name} …))"),
            Dialect::Infix => format!("true({name}(…))"),
            Dialect::Operations => format!("{name}(…)"),
        }
    }

    /// A variable as the sheet writes it.
    fn variable(&self, name: &str) -> String {
        let is_anonymous = name.strip_prefix('_').is_some_and(|rest| rest.chars().all(|digit| digit.is_ascii_digit()));
        match self.dialect {
            Dialect::Prefix => format!("`?{name}`"),
            Dialect::Infix | Dialect::Operations if is_anonymous => "`_`".to_string(),
            Dialect::Infix | Dialect::Operations => format!("`{name}`"),
        }
    }

    /// The edits that rename some uses of a name.
    fn rename(&self, old: &str, name: &str, is_meant: impl Fn(&NameUse<'a>) -> bool) -> Vec<TextEdit> {
        let name = GroundTerm::symbol(name).display(self.dialect).to_string();
        let uses = self.uses_of.get(old).into_iter().flatten().map(|&index| &self.uses[index as usize]);
        let meant = uses.filter(|used| is_meant(used));
        meant.map(|used| TextEdit::new(used.name.span, name.clone())).collect()
    }

    /// True if a clause has this relation as its head. That roles without control have a move is implied by a sheet with
    /// operations and does not count.
    fn is_defined(&self, keyword: Keyword) -> bool {
        if keyword == Keyword::Legal && self.dialect == Dialect::Operations {
            return self.has_head("legal", 1);
        }
        let relation = self.rules.keyword(keyword);
        self.rules.clauses.iter().any(|clause| clause.head.relation == relation)
    }

    /// True if the sheet has a fact or a rule for a relation of this name, as it is written.
    fn has_head(&self, name: &str, arity: usize) -> bool {
        let mut uses = self.uses_of.get(name).into_iter().flatten().map(|&index| &self.uses[index as usize]);
        uses.any(|used| used.kind == UseKind::Head && used.arity == arity)
    }

    /// For each relation, true if a clause has it as its head.
    fn defined(&self) -> Vec<bool> {
        let mut defined = vec![false; self.rules.relations.len()];
        self.rules.clauses.iter().for_each(|clause| defined[clause.head.relation.index()] = true);
        defined
    }
}

/// The keyword of which an atom is an instance; `None` if the number of arguments is wrong, which has a code of its
/// own.
fn keyword_of(atom: &ParsedAtom) -> Option<Keyword> {
    let keyword = Keyword::from_name(&atom.relation.text)?;
    (keyword.arity() as usize == atom.arguments.len()).then_some(keyword)
}
