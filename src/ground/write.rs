//! Instances written down as ground rules over numbered atoms; in the end, those that matter.
//!
//! A ground rule matters where `next`, `legal`, `goal`, `terminal` or `sees` need its head, by whatever way. Only then are atoms given
//! their terms, since the others may be many.

use super::instances::{Atom, AtomId, AtomKind, GroundLiteral, GroundRule, Grounding};
use super::measure::Instances;
use super::rewrite::Auxiliaries;
use crate::game::Role;
use crate::interpreter::closure::{Closure, ModelTerm, Stopped};
use crate::rules::{Atom as RuleAtom, GroundTerm, Keyword, RelationId, RuleSet, SymbolId, VariableId};
use rustc_hash::FxHashMap;
use std::sync::Arc;

/// How many instances are written between two looks at the clock.
const INSTANCES_BETWEEN_CHECKS: usize = 1 << 12;

/// What has been written so far.
pub(super) struct Writer<'a> {
    rules: &'a RuleSet,
    /// Atoms by their terms: `true(cell(1,1,b))`.
    ids: FxHashMap<ModelTerm, AtomId>,
    atoms: Vec<(Option<Keyword>, ModelTerm)>,
    written: Vec<GroundRule>,
    literals: Vec<GroundLiteral>,
    initial: Vec<AtomId>,
    /// The names of auxiliary relations that have been written.
    names: FxHashMap<RelationId, SymbolId>,
    roles: Vec<ModelTerm>,
}

impl<'a> Writer<'a> {
    /// Begins with the facts of the initial state: what `init` gives stands in the closure under the same terms.
    pub(super) fn new(rules: &'a RuleSet, closure: &mut Closure) -> Self {
        let mut writer = Self {
            rules,
            ids: FxHashMap::default(),
            atoms: Vec::new(),
            written: Vec::new(),
            literals: Vec::new(),
            initial: Vec::new(),
            names: FxHashMap::default(),
            roles: rules.roles.iter().map(|&role| closure.build(role, &[])).collect(),
        };
        let fact = rules.relations[rules.keyword(Keyword::True).index()].name;
        for given in closure.stored(rules.keyword(Keyword::Init)) {
            let term = closure.build(fact, &[given]);
            let atom = writer.atom(Some(Keyword::True), term);
            writer.initial.push(atom);
        }
        writer
    }

    /// Writes a ground rule for each instance.
    pub(super) fn write(
        &mut self,
        instances: &Instances,
        auxiliaries: &Auxiliaries,
        closure: &mut Closure,
    ) -> Result<(), Stopped> {
        let Instances { part, columns, solutions, .. } = instances;
        let mut form = |atom: &'_ RuleAtom| {
            let keyword = self.rules.keyword_of(atom.relation);
            (keyword, self.name(atom.relation, auxiliaries, closure))
        };
        let head = form(&part.head);
        let ground = part.body.iter().filter_map(|condition| condition.ground.as_ref());
        let literals: Vec<_> = ground.map(|(atom, negated)| (form(atom), atom, *negated)).collect();
        for number in 0..solutions.len() {
            if number.is_multiple_of(INSTANCES_BETWEEN_CHECKS) {
                closure.check(self.bytes() + solutions.bytes())?;
            }
            let tuple = solutions.tuple(number);
            let values = |variable: VariableId| {
                let column = columns.iter().position(|&column| column == variable);
                tuple[column.expect("every variable of a ground rule is a column")]
            };
            let start = self.literals.len() as u32;
            let mut possible = true;
            for &((keyword, name), atom, negated) in &literals {
                match self.instance(keyword, name, atom, &values, closure) {
                    Some(atom) => self.literals.push(GroundLiteral { atom, negated }),
                    None => possible &= negated,
                }
            }
            let head = self.instance(head.0, head.1, &part.head, &values, closure).filter(|_| possible);
            match head {
                Some(head) => {
                    let body = start..self.literals.len() as u32;
                    self.written.push(GroundRule { head, body, span: part.span });
                }
                None => self.literals.truncate(start as usize),
            }
        }
        Ok(())
    }

    /// How many bytes the ground rules take, about.
    fn bytes(&self) -> usize {
        let ids = self.ids.capacity() * (size_of::<(ModelTerm, AtomId)>() + 1) * 8 / 7;
        let vectors = self.atoms.capacity() * size_of::<(Option<Keyword>, ModelTerm)>()
            + self.written.capacity() * size_of::<GroundRule>()
            + self.literals.capacity() * size_of::<GroundLiteral>();
        ids + vectors
    }

    /// The atom of an instance; none where it speaks of a move of somebody who is no role.
    fn instance(
        &mut self,
        keyword: Option<Keyword>,
        name: SymbolId,
        atom: &RuleAtom,
        values: &dyn Fn(VariableId) -> ModelTerm,
        closure: &mut Closure,
    ) -> Option<AtomId> {
        let arguments: Vec<ModelTerm> =
            atom.arguments.iter().map(|argument| closure.instantiate(argument, values)).collect();
        if keyword == Some(Keyword::Does) && !self.roles.contains(&arguments[0]) {
            return None;
        }
        let term = closure.build(name, &arguments);
        Some(self.atom(keyword, term))
    }

    fn name(&mut self, relation: RelationId, auxiliaries: &Auxiliaries, closure: &mut Closure) -> SymbolId {
        let Some(name) = auxiliaries.name(relation) else { return self.rules.relations[relation.index()].name };
        let number = self.names.len() + 1;
        *self.names.entry(relation).or_insert_with(|| closure.intern(&format!("{name}#{number}")))
    }

    fn atom(&mut self, keyword: Option<Keyword>, term: ModelTerm) -> AtomId {
        *self.ids.entry(term).or_insert_with(|| {
            self.atoms.push((keyword, term));
            AtomId::new(self.atoms.len() - 1)
        })
    }

    /// The ground rules that matter, and their atoms.
    pub(super) fn finish(mut self, closure: &Closure) -> Grounding {
        self.ids = FxHashMap::default();
        let matters = self.relevant();
        let mut number = vec![None; self.atoms.len()];
        let mut atoms = Vec::new();
        for (place, &(keyword, term)) in self.atoms.iter().enumerate().filter(|&(place, _)| matters[place]) {
            number[place] = Some(AtomId::new(atoms.len()));
            atoms.push(self.value(keyword, term, closure));
        }
        let renumbered = |atom: AtomId| number[atom.index()];
        let mut literals = Vec::new();
        let mut rules = Vec::new();
        for rule in &self.written {
            let Some(head) = renumbered(rule.head) else { continue };
            let start = literals.len() as u32;
            for literal in &self.literals[rule.body.start as usize..rule.body.end as usize] {
                let atom = renumbered(literal.atom).expect("what a rule that matters needs matters");
                literals.push(GroundLiteral { atom, ..*literal });
            }
            rules.push(GroundRule { head, body: start..literals.len() as u32, span: rule.span });
        }
        let names = self.rules.roles.iter().map(|&role| Arc::clone(self.rules.symbols.name(role)));
        let initial = self.initial.iter().filter_map(|&atom| renumbered(atom)).collect();
        Grounding { roles: names.map(GroundTerm::symbol).collect(), atoms, rules, literals, initial }
    }

    /// Which atoms matter: what the game is asked about, the facts of the initial state, and whatever those rest on.
    fn relevant(&self) -> Vec<bool> {
        let asked = [Keyword::Next, Keyword::Legal, Keyword::Goal, Keyword::Terminal, Keyword::Sees].map(Some);
        let mut matters: Vec<bool> = self.atoms.iter().map(|(keyword, _)| asked.contains(keyword)).collect();
        self.initial.iter().for_each(|atom| matters[atom.index()] = true);
        let mut first = vec![0_u32; self.atoms.len() + 1];
        self.written.iter().for_each(|rule| first[rule.head.index() + 1] += 1);
        for place in 1..first.len() {
            first[place] += first[place - 1];
        }
        let mut rules_of = vec![0_u32; self.written.len()];
        let mut next = first.clone();
        for (rule, number) in self.written.iter().zip(0..) {
            let place = &mut next[rule.head.index()];
            rules_of[*place as usize] = number;
            *place += 1;
        }
        let mut open: Vec<usize> = (0..matters.len()).filter(|&atom| matters[atom]).collect();
        while let Some(atom) = open.pop() {
            for &rule in &rules_of[first[atom] as usize..first[atom + 1] as usize] {
                let body = &self.written[rule as usize].body;
                for literal in &self.literals[body.start as usize..body.end as usize] {
                    let needed = literal.atom.index();
                    if !std::mem::replace(&mut matters[needed], true) {
                        open.push(needed);
                    }
                }
            }
        }
        matters
    }

    fn value(&self, keyword: Option<Keyword>, term: ModelTerm, closure: &Closure) -> Atom {
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
        Atom { kind, term: closure.value(shown) }
    }
}
