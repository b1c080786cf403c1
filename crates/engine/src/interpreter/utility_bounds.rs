//! The bounds of utilities, which all forks of an interpreter share.

use gdl::rules::{GroundTerm, RuleSet};
use ggp_game::{Utility, UtilityRange};
use std::sync::OnceLock;
use std::sync::atomic::{AtomicI64, Ordering};

/// The bounds of utilities: by the rules, and by the facts that came from outside.
#[derive(Debug)]
pub(super) struct UtilityBounds {
    /// The bounds by the rules, once they have been asked for.
    of_rules: OnceLock<UtilityRange>,
    /// The least and the greatest utility that a number in a fact from outside stands for, in millionths.
    least_given: AtomicI64,
    most_given: AtomicI64,
}

impl Default for UtilityBounds {
    fn default() -> Self {
        let least_given = AtomicI64::new(i64::MAX);
        let most_given = AtomicI64::new(i64::MIN);
        Self { of_rules: OnceLock::new(), least_given, most_given }
    }
}

impl UtilityBounds {
    /// The range of utilities.
    pub(super) fn range(&self, rules: &RuleSet) -> UtilityRange {
        let UtilityRange { least, most } = *self.of_rules.get_or_init(|| rules.utility_range().into());
        let given = |bound: &AtomicI64| Utility::from_millionths(bound.load(Ordering::Relaxed));
        UtilityRange { least: least.min(given(&self.least_given)), most: most.max(given(&self.most_given)) }
    }

    /// Includes the numbers in a fact from outside, which the rules may take as goal values of these roles.
    pub(super) fn include(&self, rules: &RuleSet, roles: &[GroundTerm], fact: &GroundTerm) {
        fact.arguments.iter().for_each(|argument| self.include(rules, roles, argument));
        for role in roles.iter().filter(|role| !role.is_chance()) {
            if let Some(utility) = rules.utilities.value(role, fact) {
                self.least_given.fetch_min(utility.millionths(), Ordering::Relaxed);
                self.most_given.fetch_max(utility.millionths(), Ordering::Relaxed);
            }
        }
    }
}
