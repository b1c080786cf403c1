//! What holds in every grounding, whatever the rules: a second look at the result, which knows nothing of how it was made.
//!
//! The ground rules were once made with one term under two ids, and rules were lost without a word. These laws fail if that or
//! something like it happens again, and a game then gets an error in the place of wrong answers.

use super::{AtomId, AtomKind, GroundError, Grounding};
use crate::rules::Keyword;

impl Grounding {
    /// Checks that every atom that speaks of a role is known as such, and that every atom which a rule needs to hold can be
    /// derived. Linear in the literals.
    ///
    /// # Errors
    /// [`GroundError::Inconsistent`], with the first atom that breaks a law.
    pub(super) fn check(&self) -> Result<(), GroundError> {
        let inconsistent =
            |atom: AtomId, problem| Err(GroundError::Inconsistent { atom: self.written(atom).to_string(), problem });
        let atoms = (0..self.atoms.len()).map(AtomId::new);
        if let Some(atom) = atoms.clone().find(|&atom| self.is_misread(atom)) {
            return inconsistent(atom, "is not known as what it says of a role");
        }
        let mut derived = vec![false; self.atoms.len()];
        self.rules.iter().for_each(|rule| derived[rule.head.index()] = true);
        let is_given = |atom: AtomId| matches!(self.atoms[atom.index()].kind, AtomKind::True | AtomKind::Does(_));
        let is_lost = |atom: AtomId| !derived[atom.index()] && !is_given(atom);
        match self.literals.iter().find(|literal| !literal.negated && is_lost(literal.atom)) {
            Some(literal) => inconsistent(literal.atom, "is needed, and no rule gives it"),
            None => Ok(()),
        }
    }

    /// Whether a view is written like `legal`, `goal` or `does` of a role.
    fn is_misread(&self, atom: AtomId) -> bool {
        let atom = &self.atoms[atom.index()];
        let [role, _] = &atom.term.arguments[..] else { return false };
        let of_roles = [Keyword::Legal, Keyword::Goal, Keyword::Does];
        atom.kind == AtomKind::View
            && of_roles.iter().any(|keyword| *atom.term.name == *keyword.name())
            && self.roles.contains(role)
    }
}
