//! The bounds of utilities, which the rules tell before any play.

use super::clause::{Keyword, Pattern};
use super::range::GoalValues;
use super::{GroundTerm, RuleSet, SymbolId};
use crate::number::Decimal;

impl RuleSet {
    /// The least and the greatest utility of all roles without chance: what goal values from 0 to 100 stand for, and what
    /// the rules for `goal` can give beyond that.
    ///
    /// A number that is no name of the sheet is a goal value only in a state with facts from outside.
    pub fn utility_range(&self) -> (Decimal, Decimal) {
        let name = |role: SymbolId| GroundTerm::symbol(self.symbols.name(role).clone());
        let roles: Vec<GroundTerm> = self.roles.iter().map(|&role| name(role)).collect();
        let (mut least, mut most) = self.utilities.range(&roles);
        for GoalValues { role: own, values } in GoalValues::from_rules(self) {
            let is_own = |&(&id, role): &(&SymbolId, &GroundTerm)| own.is_none_or(|own| own == id) && !role.is_chance();
            for value in values.into_iter().map(name) {
                for (_, role) in self.roles.iter().zip(&roles).filter(is_own) {
                    if let Some(utility) = self.utilities.value(role, &value) {
                        (least, most) = (least.min(utility), most.max(utility));
                    }
                }
            }
        }
        (least, most)
    }

    /// Whether some rule for `goal` takes its value from other relations, and so perhaps from facts.
    pub fn computes_goals(&self) -> bool {
        let goal = self.keyword(Keyword::Goal);
        let mut heads = self.clauses.iter().map(|clause| &clause.head).filter(|head| head.relation == goal);
        heads.any(|head| matches!(head.arguments.get(1), Some(Pattern::Variable(_))))
    }
}
