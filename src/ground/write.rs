//! Writes instances as ground rules over numbered atoms, and finally selects those that matter.
//!
//! A ground rule matters if `next`, `legal`, `goal`, `terminal`, `sees` or a feature depends on its head. Atoms get
//! their terms only then, since the others may be many.

use super::instances::{Atom, AtomId, AtomKind, GroundLiteral, GroundRule, Grounding};
use super::measure::Instances;
use super::rewrite::Auxiliaries;
use crate::game::{ReasonError, Role};
use crate::interpreter::closure::{Closure, ModelTerm, Unanswered};
use crate::limits::{self, Poll};
use crate::number::to_u32;
use crate::rules::{Atom as RuleAtom, GroundTerm, Keyword, Pattern, RelationId, RuleSet, SymbolId, VariableId};
use rustc_hash::{FxHashMap, FxHashSet};
use std::sync::Arc;

/// The number of instances between two checks of the limits.
const INSTANCES_BETWEEN_CHECKS: usize = 1 << 12;

/// The ground rules that have been written so far.
pub(super) struct Writer<'a> {
    rules: &'a RuleSet,
    /// Atoms by their terms: `true(cell(1,1,b))`.
    ids: FxHashMap<ModelTerm, AtomId>,
    atoms: Vec<(Option<Keyword>, ModelTerm)>,
    written: Vec<GroundRule>,
    literals: Vec<GroundLiteral>,
    initial: Vec<AtomId>,
    /// The heads of the rules for [`RuleSet::features`].
    features: FxHashSet<AtomId>,
    /// The names of auxiliary relations that have been written.
    names: FxHashMap<RelationId, SymbolId>,
    roles: Vec<ModelTerm>,
}

/// An atom of a rule, with variables replaced by the columns that hold their values.
struct Form {
    keyword: Option<Keyword>,
    name: SymbolId,
    arguments: Vec<Slot>,
}

enum Slot {
    Column(usize),
    Constant(ModelTerm),
    Compound(SymbolId, Vec<Slot>),
}

impl Slot {
    fn new(pattern: &Pattern, columns: &[VariableId], closure: &mut Closure) -> Self {
        match pattern {
            Pattern::Variable(variable) => {
                let column = columns.iter().position(|column| column == variable);
                Self::Column(column.expect("every variable of a ground rule is a column"))
            }
            Pattern::Symbol(name) => Self::Constant(closure.build(*name, &[])),
            Pattern::Compound(name, arguments) => {
                Self::Compound(*name, arguments.iter().map(|argument| Self::new(argument, columns, closure)).collect())
            }
        }
    }

    /// The term of a function with these arguments.
    fn build(name: SymbolId, arguments: &[Self], tuple: &[ModelTerm], closure: &mut Closure) -> ModelTerm {
        let value = |slot: &Self| match slot {
            Self::Column(column) => tuple[*column],
            Self::Constant(term) => *term,
            Self::Compound(name, inner) => Self::build(*name, inner, tuple, closure),
        };
        let values: Vec<ModelTerm> = arguments.iter().map(value).collect();
        closure.build(name, &values)
    }
}

impl<'a> Writer<'a> {
    /// Starts with the facts of the initial state: the tuples of `init` have the same terms in the closure.
    ///
    /// # Errors
    /// If `init` cannot be computed within the limits of the closure.
    pub(super) fn new(rules: &'a RuleSet, closure: &mut Closure) -> Result<Self, ReasonError> {
        let mut writer = Self {
            rules,
            ids: FxHashMap::default(),
            atoms: Vec::new(),
            written: Vec::new(),
            literals: Vec::new(),
            initial: Vec::new(),
            features: FxHashSet::default(),
            names: FxHashMap::default(),
            roles: rules.roles.iter().map(|&role| closure.build(role, &[])).collect(),
        };
        let fact = rules.relations[rules.keyword(Keyword::True).index()].name;
        for given in closure.tuples(rules, Keyword::Init)? {
            let term = closure.build(fact, &[given]);
            let atom = writer.atom(Some(Keyword::True), term);
            writer.initial.push(atom);
        }
        Ok(writer)
    }

    /// Writes a ground rule for each instance.
    pub(super) fn write(
        &mut self,
        instances: &Instances,
        auxiliaries: &Auxiliaries,
        closure: &mut Closure,
    ) -> Result<(), Unanswered> {
        let Instances { part, columns, solutions, .. } = instances;
        let head = self.form(&part.head, columns, auxiliaries, closure);
        let ground = part.body.iter().filter_map(|condition| condition.ground.as_ref());
        let literals: Vec<(Form, bool)> =
            ground.map(|(atom, negated)| (self.form(atom, columns, auxiliaries, closure), *negated)).collect();
        for number in 0..solutions.len() {
            if number.is_multiple_of(INSTANCES_BETWEEN_CHECKS) {
                let stopped = |reason| Unanswered { reason, found: solutions.len() };
                closure.check(self.bytes() + solutions.bytes()).map_err(stopped)?;
            }
            let tuple = solutions.tuple(number);
            let start = to_u32(self.literals.len());
            let mut possible = true;
            for (form, negated) in &literals {
                match self.instance(form, tuple, closure) {
                    Some(atom) => self.literals.push(GroundLiteral { atom, negated: *negated }),
                    None => possible &= negated,
                }
            }
            match self.instance(&head, tuple, closure).filter(|_| possible) {
                Some(head) => {
                    if self.rules.features == Some(part.head.relation) {
                        self.features.insert(head);
                    }
                    let body = start..to_u32(self.literals.len());
                    self.written.push(GroundRule { head, body, span: part.span });
                }
                None => self.literals.truncate(start as usize),
            }
        }
        Ok(())
    }

    /// Prepares an atom to be instantiated from tuples of these columns.
    fn form(
        &mut self,
        atom: &RuleAtom,
        columns: &[VariableId],
        auxiliaries: &Auxiliaries,
        closure: &mut Closure,
    ) -> Form {
        let keyword = self.rules.keyword_of(atom.relation);
        let name = self.name(atom.relation, auxiliaries, closure);
        let arguments = atom.arguments.iter().map(|argument| Slot::new(argument, columns, closure)).collect();
        Form { keyword, name, arguments }
    }

    /// The approximate size of the ground rules in bytes.
    fn bytes(&self) -> usize {
        let ids = self.ids.capacity() * (size_of::<(ModelTerm, AtomId)>() + 1) * 8 / 7;
        let vectors = self.atoms.capacity() * size_of::<(Option<Keyword>, ModelTerm)>()
            + self.written.capacity() * size_of::<GroundRule>()
            + self.literals.capacity() * size_of::<GroundLiteral>();
        ids + vectors
    }

    /// The atom of an instance; `None` for a move of a term that is no role.
    fn instance(&mut self, form: &Form, tuple: &[ModelTerm], closure: &mut Closure) -> Option<AtomId> {
        let term = Slot::build(form.name, &form.arguments, tuple, closure);
        let is_role = |term| self.roles.contains(&closure.arguments(term)[0]);
        if form.keyword == Some(Keyword::Does) && !is_role(term) {
            return None;
        }
        Some(self.atom(form.keyword, term))
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
    ///
    /// # Errors
    /// If the limits end the work.
    pub(super) fn finish(mut self, closure: &mut Closure, poll: &Poll<'_>) -> Result<Grounding, limits::Stop> {
        let undeclared = self.undeclared(closure);
        self.ids = FxHashMap::default();
        let matters = self.relevant(poll)?;
        let mut number = vec![None; self.atoms.len()];
        let mut atoms = Vec::new();
        for (index, &(keyword, term)) in self.atoms.iter().enumerate().filter(|&(index, _)| matters[index]) {
            poll.step()?;
            number[index] = Some(AtomId::new(atoms.len()));
            let mut atom = self.value(keyword, term, closure);
            if self.features.contains(&AtomId::new(index)) {
                atom.kind = AtomKind::Feature;
            }
            atoms.push(atom);
        }
        let renumbered = |atom: AtomId| number[atom.index()];
        let mut literals = Vec::new();
        let mut rules = Vec::new();
        for rule in &self.written {
            let Some(head) = renumbered(rule.head) else { continue };
            let start = to_u32(literals.len());
            poll.steps(1 + rule.body.len())?;
            for literal in &self.literals[rule.body.start as usize..rule.body.end as usize] {
                let atom = renumbered(literal.atom).expect("what a rule that matters needs matters");
                literals.push(GroundLiteral { atom, ..*literal });
            }
            rules.push(GroundRule { head, body: start..to_u32(literals.len()), span: rule.span });
        }
        let names = self.rules.roles.iter().map(|&role| Arc::clone(self.rules.symbols.name(role)));
        let initial = self.initial.iter().filter_map(|&atom| renumbered(atom)).collect();
        let roles = names.map(GroundTerm::symbol).collect();
        let utilities = self.rules.utilities.clone();
        let undeclared = undeclared.into_iter().filter_map(renumbered).collect();
        Ok(Grounding { roles, utilities, atoms, rules, literals, initial, undeclared })
    }

    /// The facts and moves that are missing in `base` and `input`, if these are declared.
    fn undeclared(&self, closure: &mut Closure) -> Vec<AtomId> {
        let mut declared = |keyword: Keyword| {
            let tuples = closure.stored(self.rules, keyword).filter(|tuples| !tuples.is_empty())?;
            Some(tuples.chunks(keyword.arity() as usize).map(<[ModelTerm]>::to_vec).collect::<FxHashSet<_>>())
        };
        let (base, input) = (declared(Keyword::Base), declared(Keyword::Input));
        let arguments_of = |wanted: Keyword| {
            let atoms = self.atoms.iter().filter(move |(keyword, _)| *keyword == Some(wanted));
            atoms.map(|&(_, term)| closure.arguments(term)).collect::<FxHashSet<_>>()
        };
        let (given, legal) = (arguments_of(Keyword::Next), arguments_of(Keyword::Legal));
        let initial: FxHashSet<&[ModelTerm]> =
            self.initial.iter().map(|atom| closure.arguments(self.atoms[atom.index()].1)).collect();
        let is_undeclared = |&(keyword, term): &(Option<Keyword>, ModelTerm)| {
            let atom = closure.arguments(term);
            let (declared, is_possible) = match keyword {
                Some(Keyword::True) => (&base, given.contains(atom) || initial.contains(atom)),
                Some(Keyword::Does) => (&input, legal.contains(atom)),
                _ => return false,
            };
            is_possible && declared.as_ref().is_some_and(|declared| !declared.contains(atom))
        };
        let atoms = self.atoms.iter().enumerate().filter(|(_, atom)| is_undeclared(atom));
        atoms.map(|(index, _)| AtomId::new(index)).collect()
    }

    /// For each atom, whether it matters: the outputs of the game, the initial facts, and everything on which these
    /// depend.
    fn relevant(&self, poll: &Poll<'_>) -> Result<Vec<bool>, limits::Stop> {
        let asked = [Keyword::Next, Keyword::Legal, Keyword::Goal, Keyword::Terminal, Keyword::Sees].map(Some);
        let mut matters: Vec<bool> = self.atoms.iter().map(|(keyword, _)| asked.contains(keyword)).collect();
        self.initial.iter().chain(&self.features).for_each(|atom| matters[atom.index()] = true);
        let mut first = vec![0_u32; self.atoms.len() + 1];
        self.written.iter().for_each(|rule| first[rule.head.index() + 1] += 1);
        for index in 1..first.len() {
            first[index] += first[index - 1];
        }
        let mut rules_of = vec![0_u32; self.written.len()];
        let mut next = first.clone();
        for (rule, number) in self.written.iter().zip(0..) {
            let slot = &mut next[rule.head.index()];
            rules_of[*slot as usize] = number;
            *slot += 1;
        }
        let mut open: Vec<usize> = (0..matters.len()).filter(|&atom| matters[atom]).collect();
        while let Some(atom) = open.pop() {
            for &rule in &rules_of[first[atom] as usize..first[atom + 1] as usize] {
                let body = &self.written[rule as usize].body;
                poll.steps(1 + body.len())?;
                for literal in &self.literals[body.start as usize..body.end as usize] {
                    let needed = literal.atom.index();
                    if !std::mem::replace(&mut matters[needed], true) {
                        open.push(needed);
                    }
                }
            }
        }
        Ok(matters)
    }

    fn value(&self, keyword: Option<Keyword>, term: ModelTerm, closure: &Closure) -> Atom {
        let arguments = closure.arguments(term);
        let role = || {
            let index = self.roles.iter().position(|role| arguments.first() == Some(role));
            index.map(Role::new)
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
