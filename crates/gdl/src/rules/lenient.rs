//! Lenient reading: a sheet that only breaks a rule of form gets the meaning that its rules have all the same.
//!
//! - A keyword inside a term is a function (E102), and one that belongs in heads holds in a body of what its rules
//!   derive (E105).
//! - `legal`, `goal` and `terminal` are asked before any role moves, so `does` holds of nothing in their rules
//!   (E107), whatever the rules for `next` see. Players that ask a prover about the state alone read it so, too.
//! - `init`, `base` and `input` are asked before there is a state, so `true` and `does` hold of nothing in theirs
//!   (E106).
//!
//! The last two are written into the rules, so no engine knows of them: `true` and `does` become relations that no
//! clause defines, and a relation between them and the keyword becomes a copy, which has the same clauses over these.
//! The copies follow the clauses of the sheet.

use super::CheckedSheet;
use super::check::FORM;
use super::clause::{Clause, Keyword, Literal, Relation, RelationId, RuleSet};
use super::dependency::DependencyGraph;
use crate::diagnostic::{Diagnostic, Severity};
use rustc_hash::FxHashMap;

impl CheckedSheet {
    /// The same sheet with the problems of form ([`FORM`]) as warnings, and with rules of which each has a meaning.
    pub fn leniently(mut self) -> Self {
        self.diagnostics.iter_mut().for_each(soften);
        lenient_rules(&mut self.rules);
        self
    }
}

/// Makes a problem of form a warning that says what the clause means.
pub fn soften(problem: &mut Diagnostic) {
    if !FORM.contains(&problem.code) {
        return;
    }
    problem.severity = Severity::Warning;
    problem.help = Some(match problem.code.id {
        "E102" => "read as a function of this name".to_string(),
        "E105" => "read as the relation that the rules for this keyword define".to_string(),
        "E106" => "there is no state yet: `true` and `does` hold of nothing here".to_string(),
        _ => "no role has moved yet: `does` holds of nothing here".to_string(),
    });
}

/// Rewrites the rules of properties of a state without moves, and those of the game without a state.
pub fn lenient_rules(rules: &mut RuleSet) {
    let mut state: Vec<RelationId> =
        [Keyword::Legal, Keyword::Goal, Keyword::Terminal].map(|keyword| rules.keyword(keyword)).into();
    state.extend(rules.features);
    let game = [Keyword::Init, Keyword::Base, Keyword::Input].map(|keyword| rules.keyword(keyword));
    Blinding::apply(rules, &state, &[Keyword::Does], "before_moves");
    Blinding::apply(rules, &game, &[Keyword::True, Keyword::Does], "before_play");
}

/// Rules in which some relations do not see others.
struct Blinding<'a> {
    /// The relations that do not see what is unseen, in all of their clauses.
    blind: &'a [RelationId],
    unseen: Vec<RelationId>,
    /// For each relation, true if it depends on what is unseen.
    sees: Vec<bool>,
    /// The end of the names of copies.
    ending: &'static str,
    /// The copies, each with its original, in the order in which they were made.
    copies: Vec<(RelationId, RelationId)>,
    copy_of: FxHashMap<RelationId, RelationId>,
}

impl<'a> Blinding<'a> {
    fn apply(rules: &mut RuleSet, blind: &'a [RelationId], unseen: &[Keyword], ending: &'static str) {
        let unseen: Vec<RelationId> = unseen.iter().map(|&keyword| rules.keyword(keyword)).collect();
        let graph = DependencyGraph::new(rules);
        let mut sees = vec![false; rules.relations.len()];
        for &relation in &unseen {
            sees.iter_mut().zip(graph.dependents(relation)).for_each(|(sees, dependent)| *sees |= dependent);
        }
        if !blind.iter().any(|relation| sees[relation.index()]) {
            return;
        }
        let mut blinding = Self { blind, unseen, sees, ending, copies: Vec::new(), copy_of: FxHashMap::default() };
        let originals = rules.clauses.clone();
        for (index, clause) in originals.iter().enumerate() {
            if blind.contains(&clause.head.relation) {
                rules.clauses[index] = blinding.blinded(clause, rules);
            }
        }
        let mut next = 0;
        // The clauses of a copy may need further copies.
        while let Some(&(copy, original)) = blinding.copies.get(next) {
            next += 1;
            let is_unseen = blinding.unseen.contains(&original);
            for clause in originals.iter().filter(|clause| !is_unseen && clause.head.relation == original) {
                let mut clause = blinding.blinded(clause, rules);
                clause.head.relation = copy;
                rules.clauses.push(clause);
            }
        }
    }

    /// A clause over relations that do not see what is unseen.
    fn blinded(&mut self, clause: &Clause, rules: &mut RuleSet) -> Clause {
        let mut clause = clause.clone();
        clause.body.iter_mut().for_each(|literal| self.blind_literal(literal, rules));
        clause
    }

    fn blind_literal(&mut self, literal: &mut Literal, rules: &mut RuleSet) {
        match literal {
            Literal::Atom(atom) => atom.relation = self.blind_relation(atom.relation, rules),
            Literal::Not(denied, _) => denied.iter_mut().for_each(|literal| self.blind_literal(literal, rules)),
            Literal::Or(branches, _) => {
                branches.iter_mut().flatten().for_each(|literal| self.blind_literal(literal, rules));
            }
            Literal::Distinct(..) | Literal::Equal(..) => {}
        }
    }

    fn blind_relation(&mut self, relation: RelationId, rules: &mut RuleSet) -> RelationId {
        if self.blind.contains(&relation) || !self.sees[relation.index()] {
            return relation;
        }
        *self.copy_of.entry(relation).or_insert_with(|| {
            let copy = RelationId::new(rules.relations.len());
            let name = rules.symbols.intern(&format!("{}#{}", rules.relation_name(relation), self.ending));
            rules.relations.push(Relation { name, arity: rules.relations[relation.index()].arity });
            self.copies.push((copy, relation));
            copy
        })
    }
}
