//! The context of all checks: the sheet, its rules, their dependencies, and every use of a name.

use crate::diagnostic::TextEdit;
use crate::rules::GroundTerm;
use crate::rules::clause::{Keyword, RuleSet};
use crate::rules::dependency::DependencyGraph;
use crate::rules::uses::{NameUse, add_uses};
use crate::sorting;
use crate::syntax::Dialect;
use crate::syntax::ast::{ParsedAtom, Sheet};
use rustc_hash::FxHashMap;

/// The input of a check.
pub(super) struct CheckContext<'a> {
    pub(super) sheet: &'a Sheet,
    pub(super) rules: &'a RuleSet,
    pub(super) dependencies: DependencyGraph,
    /// Every name except those of variables, in the order of the text.
    pub(super) uses: Vec<NameUse<'a>>,
    /// For each name, its uses as indices into `uses`.
    uses_of: FxHashMap<&'a str, Vec<u32>>,
}

impl<'a> CheckContext<'a> {
    pub(super) fn new(sheet: &'a Sheet, rules: &'a RuleSet) -> Self {
        let mut uses = Vec::new();
        sheet.clauses.iter().for_each(|clause| add_uses(clause, &mut uses));
        sorting::sort_by_key(&mut uses, |found| found.name.span.start);
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
    pub(super) fn rename(&self, old: &str, name: &str, is_meant: impl Fn(&NameUse<'a>) -> bool) -> Vec<TextEdit> {
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
pub(super) fn keyword_of(atom: &ParsedAtom) -> Option<Keyword> {
    let keyword = Keyword::from_name(&atom.relation.text)?;
    (keyword.arity() as usize == atom.arguments.len()).then_some(keyword)
}
