//! Invariants of every grounding, whatever the rules, checked on the result without knowledge of how it was made.
//!
//! Ground rules were once made with one term under two ids, so that rules were lost without an error. These checks fail
//! if something like it happens again, and the game then has an error instead of wrong answers.

use super::{AtomId, AtomKind, GroundError, Grounding};
use gdl::rules::Keyword;

impl Grounding {
    /// Checks that every atom about a role has the kind of its keyword, and that every atom that a rule needs to hold
    /// can be derived. Linear in the literals.
    ///
    /// # Errors
    /// [`GroundError::Inconsistent`], with the first atom that violates an invariant.
    pub fn check(&self) -> Result<(), GroundError> {
        let inconsistent =
            |atom: AtomId, problem| Err(GroundError::Inconsistent { atom: self.written(atom).to_string(), problem });
        let atoms = (0..self.atoms.len()).map(AtomId::new);
        if let Some(atom) = atoms.clone().find(|&atom| self.is_misread(atom)) {
            return inconsistent(atom, "is not recognised as an atom about a role");
        }
        let mut derived = vec![false; self.atoms.len()];
        self.rules.iter().for_each(|rule| derived[rule.head.index()] = true);
        let is_given = |atom: AtomId| matches!(self.atoms[atom.index()].kind, AtomKind::True | AtomKind::Does(_));
        let is_lost = |atom: AtomId| !derived[atom.index()] && !is_given(atom);
        match self.literals.iter().find(|literal| !literal.negated && is_lost(literal.atom)) {
            Some(literal) => inconsistent(literal.atom, "is needed, but no rule derives it"),
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
