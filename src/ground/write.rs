//! Instances written down as ground rules over numbered atoms.

use super::instances::{Atom, AtomId, AtomKind, GroundLiteral, GroundRule, Grounding};
use super::merge::Instances;
use super::rewrite::Auxiliaries;
use crate::game::{ReasonError, Role};
use crate::interpreter::closure::{Closure, ModelTerm};
use crate::rules::{Atom as RuleAtom, GroundTerm, Keyword, RelationId, RuleSet, SymbolId, VariableId};
use rustc_hash::FxHashMap;
use std::sync::Arc;

/// How many instances are written between two looks at the clock.
const INSTANCES_BETWEEN_CHECKS: usize = 1 << 12;

/// What has been written so far.
pub(super) struct Writer<'a> {
    rules: &'a RuleSet,
    auxiliaries: &'a Auxiliaries,
    /// Atoms by their terms: `true(cell(1,1,b))`.
    ids: FxHashMap<ModelTerm, AtomId>,
    /// The names of auxiliary relations that have been written.
    names: FxHashMap<RelationId, SymbolId>,
    roles: Vec<ModelTerm>,
    grounding: Grounding,
    /// What the terms of atoms take, about.
    term_bytes: usize,
}

impl<'a> Writer<'a> {
    /// Begins with the facts of the initial state: what `init` gives stands in the closure under the same terms.
    pub(super) fn new(rules: &'a RuleSet, auxiliaries: &'a Auxiliaries, closure: &mut Closure) -> Self {
        let names = rules.roles.iter().map(|&role| Arc::clone(rules.symbols.name(role)));
        let grounding = Grounding {
            roles: names.map(GroundTerm::symbol).collect(),
            atoms: Vec::new(),
            rules: Vec::new(),
            literals: Vec::new(),
            initial: Vec::new(),
        };
        let (ids, names) = (FxHashMap::default(), FxHashMap::default());
        let roles = rules.roles.iter().map(|&role| closure.build(role, &[])).collect();
        let mut writer = Self { rules, auxiliaries, ids, names, roles, grounding, term_bytes: 0 };
        let fact = rules.relations[rules.keyword(Keyword::True).index()].name;
        for given in closure.stored(rules.keyword(Keyword::Init)) {
            let term = closure.build(fact, &[given]);
            let atom = writer.atom(Some(Keyword::True), term, closure);
            writer.grounding.initial.push(atom);
        }
        writer
    }

    /// All that has been written.
    pub(super) fn finish(self) -> Grounding {
        self.grounding
    }

    /// Writes a ground rule for each instance.
    pub(super) fn write(&mut self, instances: &Instances, closure: &mut Closure) -> Result<(), ReasonError> {
        let Instances { part, columns, solutions } = instances;
        let literals: Vec<&(RuleAtom, bool)> =
            part.body.iter().filter_map(|condition| condition.ground.as_ref()).collect();
        for number in 0..solutions.len() {
            if number.is_multiple_of(INSTANCES_BETWEEN_CHECKS) {
                closure.check(self.bytes() + solutions.bytes())?;
            }
            let tuple = solutions.tuple(number);
            let values = |variable: VariableId| {
                let column = columns.iter().position(|&column| column == variable);
                tuple[column.expect("every variable of a ground rule is a column")]
            };
            let start = self.grounding.literals.len() as u32;
            let mut possible = true;
            for (atom, negated) in &literals {
                match self.instance(atom, &values, closure) {
                    Some(atom) => self.grounding.literals.push(GroundLiteral { atom, negated: *negated }),
                    None => possible &= *negated,
                }
            }
            let head = if possible { self.instance(&part.head, &values, closure) } else { None };
            match head {
                Some(head) => {
                    let body = start..self.grounding.literals.len() as u32;
                    self.grounding.rules.push(GroundRule { head, body, span: part.span });
                }
                None => self.grounding.literals.truncate(start as usize),
            }
        }
        Ok(())
    }

    /// How many bytes the ground rules take, about.
    fn bytes(&self) -> usize {
        let Grounding { atoms, rules, literals, .. } = &self.grounding;
        let ids = self.ids.capacity() * (size_of::<(ModelTerm, AtomId)>() + 1) * 8 / 7;
        let vectors = atoms.capacity() * size_of::<Atom>()
            + rules.capacity() * size_of::<GroundRule>()
            + literals.capacity() * size_of::<GroundLiteral>();
        ids + vectors + self.term_bytes
    }

    /// The atom of an instance; none where it speaks of a move of somebody who is no role.
    fn instance(
        &mut self,
        atom: &RuleAtom,
        values: &dyn Fn(VariableId) -> ModelTerm,
        closure: &mut Closure,
    ) -> Option<AtomId> {
        let arguments: Vec<ModelTerm> =
            atom.arguments.iter().map(|argument| closure.instantiate(argument, values)).collect();
        let keyword = self.rules.keyword_of(atom.relation);
        if keyword == Some(Keyword::Does) && !self.roles.contains(&arguments[0]) {
            return None;
        }
        let name = self.name(atom.relation, closure);
        let term = closure.build(name, &arguments);
        Some(self.atom(keyword, term, closure))
    }

    fn name(&mut self, relation: RelationId, closure: &mut Closure) -> SymbolId {
        let Some(name) = self.auxiliaries.name(relation) else { return self.rules.relations[relation.index()].name };
        let number = self.names.len() + 1;
        *self.names.entry(relation).or_insert_with(|| closure.intern(&format!("{name}#{number}")))
    }

    fn atom(&mut self, keyword: Option<Keyword>, term: ModelTerm, closure: &Closure) -> AtomId {
        if let Some(&id) = self.ids.get(&term) {
            return id;
        }
        let arguments = closure.arguments(term);
        let role = || {
            let place = self.roles.iter().position(|role| arguments.first() == Some(role));
            place.map(Role::new)
        };
        let (kind, shown) = match (keyword, arguments) {
            (Some(Keyword::True), &[fact]) => (Some(AtomKind::True), fact),
            (Some(Keyword::Next), &[fact]) => (Some(AtomKind::Next), fact),
            (Some(Keyword::Does), &[_, chosen]) => (role().map(AtomKind::Does), chosen),
            (Some(Keyword::Legal), &[_, chosen]) => (role().map(AtomKind::Legal), chosen),
            (Some(Keyword::Goal), &[_, value]) => (role().map(AtomKind::Goal), value),
            (Some(Keyword::Terminal), _) => (Some(AtomKind::Terminal), term),
            _ => (None, term),
        };
        let (kind, shown) = kind.map_or((AtomKind::View, term), |kind| (kind, shown));
        let id = AtomId::new(self.grounding.atoms.len());
        let term_written = closure.value(shown);
        self.term_bytes += bytes_of(&term_written);
        self.grounding.atoms.push(Atom { kind, term: term_written });
        self.ids.insert(term, id);
        id
    }
}

/// What the arguments of a term take.
fn bytes_of(term: &GroundTerm) -> usize {
    term.arguments.iter().map(|argument| size_of::<GroundTerm>() + bytes_of(argument)).sum()
}
