//! Writing instances as ground rules over numbered atoms, and selecting the rules that matter.
//!
//! A ground rule matters if `next`, `legal`, `goal`, `terminal`, `sees` or a feature depends on its head. Atoms get
//! their terms only then, since the others may be many.
//!
//! If no later question names a view, views with the same rules become one ([`EqualViews`]): relations with many
//! arguments have many instances that differ only in arguments which no rule reads there. Atoms are visited after those
//! that their rules read, literals are replaced by their representatives, and a view is represented by an earlier one
//! with the same rules, or by the only literal of its only rule: hash-consing (Ershov, On Programming of Arithmetic
//! Operations, 1958) of ground rules. On a cycle a literal may be visited before its atom has its representative. It
//! stands for itself then, so some equal views are not found, but no different ones are merged.

use super::instances::{AtomId, AtomKind, GroundAtom, GroundLiteral, GroundRule, Grounding, RulesByHead};
use super::rewrite::AuxiliaryRelations;
use super::split::Instances;
use crate::interpreter::closure::{Closure, ModelTerm, QuestionFailure};
use gdl::limits;
use gdl::limits::{Poll, Stop};
use gdl::number::to_u32;
use gdl::rules::{Atom, GroundTerm, Keyword, Pattern, RelationId, RuleSet, SymbolId, VariableId};
use ggp_game::{ReasonError, Role};
use hashbrown::HashTable;
use rustc_hash::{FxHashMap, FxHashSet, FxHasher};
use std::hash::{Hash, Hasher};
use std::ops::Range;
use std::sync::Arc;

/// The number of instances between two checks of the limits.
const INSTANCES_BETWEEN_CHECKS: usize = 1 << 12;

/// The bytes of an atom, and of a rule, in the tables that order them at the end.
const ORDERED_ATOM: usize = 3 * size_of::<u32>() + size_of::<Option<AtomId>>() + size_of::<bool>();
const ORDERED_RULE: usize = size_of::<u32>() + size_of::<GroundRule>();

/// The ground rules that have been written so far.
pub(super) struct RuleWriter<'a> {
    rules: &'a RuleSet,
    /// The atom of each term, `true(cell(1,1,b))`, by the index of the term.
    ids: Vec<Option<AtomId>>,
    atoms: Vec<(Option<Keyword>, ModelTerm)>,
    written: Vec<GroundRule>,
    literals: Vec<GroundLiteral>,
    initial: Vec<AtomId>,
    /// The heads of the rules for [`RuleSet::features`].
    features: FxHashSet<AtomId>,
    /// The names of auxiliary relations that have been written.
    names: FxHashMap<RelationId, SymbolId>,
    roles: Vec<ModelTerm>,
    /// Scratch: the arguments of a term.
    values: Vec<ModelTerm>,
}

/// An atom of a rule, with variables replaced by the columns that hold their values.
struct AtomForm {
    keyword: Option<Keyword>,
    name: SymbolId,
    arguments: Vec<AtomSlot>,
}

/// How a rule uses an atom.
#[derive(Clone, Copy, PartialEq, Eq)]
enum LiteralUse {
    Positive,
    Negated,
    /// Negated, and an atom that has not been written has no rules.
    NegatedIfWritten,
}

enum AtomSlot {
    Column(usize),
    Constant(ModelTerm),
    Compound(SymbolId, Vec<AtomSlot>),
}

impl AtomSlot {
    /// The slot of a pattern; `columns` are ascending.
    fn new(pattern: &Pattern, columns: &[VariableId], closure: &mut Closure) -> Self {
        match pattern {
            Pattern::Variable(variable) => {
                Self::Column(columns.binary_search(variable).expect("every variable of a ground rule is a column"))
            }
            Pattern::Symbol(name) => Self::Constant(closure.build(*name, &[])),
            Pattern::Compound(name, arguments) => {
                Self::Compound(*name, arguments.iter().map(|argument| Self::new(argument, columns, closure)).collect())
            }
        }
    }

    /// The term of a function with these arguments: `term` builds a term or finds it, and if it has none, neither has this.
    /// `values` is scratch memory, of which only the end is used.
    fn term(
        name: SymbolId,
        arguments: &[Self],
        tuple: &[ModelTerm],
        values: &mut Vec<ModelTerm>,
        term: &mut impl FnMut(SymbolId, &[ModelTerm]) -> Option<ModelTerm>,
    ) -> Option<ModelTerm> {
        let first = values.len();
        for slot in arguments {
            let value = match slot {
                Self::Column(column) => Some(tuple[*column]),
                Self::Constant(term) => Some(*term),
                Self::Compound(name, inner) => Self::term(*name, inner, tuple, values, term),
            };
            values.extend(value);
        }
        let is_whole = values.len() == first + arguments.len();
        let found = if is_whole { term(name, &values[first..]) } else { None };
        values.truncate(first);
        found
    }
}

impl<'a> RuleWriter<'a> {
    /// Starts with the facts of the initial state: the tuples of `init` have the same terms in the closure.
    ///
    /// # Errors
    /// If `init` cannot be computed within the limits of the closure.
    pub(super) fn new(rules: &'a RuleSet, closure: &mut Closure) -> Result<Self, ReasonError> {
        let mut writer = Self {
            rules,
            ids: Vec::new(),
            atoms: Vec::new(),
            written: Vec::new(),
            literals: Vec::new(),
            initial: Vec::new(),
            features: FxHashSet::default(),
            names: FxHashMap::default(),
            roles: rules.roles.iter().map(|&role| closure.build(role, &[])).collect(),
            values: Vec::new(),
        };
        let fact = rules.relations[rules.keyword(Keyword::True).index()].name;
        for given in closure.tuples(rules, Keyword::Init)? {
            let term = closure.build(fact, &[given]);
            let atom = writer.atom(Some(Keyword::True), term);
            writer.initial.push(atom);
        }
        Ok(writer)
    }

    /// Writes a ground rule for each instance. `is_written` is true of the relations whose rules have all been written;
    /// their atoms without rules never hold, and their negations are left out.
    pub(super) fn write(
        &mut self,
        instances: &Instances,
        is_written: &impl Fn(RelationId) -> bool,
        auxiliaries: &AuxiliaryRelations,
        closure: &mut Closure,
    ) -> Result<(), QuestionFailure> {
        let Instances { part, columns, solutions, .. } = instances;
        let head = self.prepare_atom(&part.head, columns, auxiliaries, closure);
        let ground = part.body.iter().filter_map(|condition| condition.ground.as_ref());
        let given = [Keyword::True, Keyword::Does].map(|keyword| self.rules.keyword(keyword));
        let literals: Vec<(AtomForm, LiteralUse)> = ground
            .map(|(atom, negated)| {
                let may_lack_rules = *negated && !given.contains(&atom.relation) && is_written(atom.relation);
                let usage = match negated {
                    false => LiteralUse::Positive,
                    true if may_lack_rules => LiteralUse::NegatedIfWritten,
                    true => LiteralUse::Negated,
                };
                (self.prepare_atom(atom, columns, auxiliaries, closure), usage)
            })
            .collect();
        for number in 0..solutions.len() {
            if number.is_multiple_of(INSTANCES_BETWEEN_CHECKS) {
                let stopped = |reason| QuestionFailure { reason, found: solutions.len() };
                closure.hold(self.bytes() + solutions.bytes());
                closure.check().map_err(stopped)?;
            }
            let tuple = solutions.tuple(number);
            let start = to_u32(self.literals.len());
            let mut possible = true;
            for (form, usage) in &literals {
                let negated = *usage != LiteralUse::Positive;
                let atom = match usage {
                    LiteralUse::NegatedIfWritten => self.known_instance(form, tuple, closure),
                    _ => self.instance(form, tuple, closure),
                };
                match atom {
                    Some(atom) => self.literals.push(GroundLiteral { atom, negated }),
                    // What never holds drops the rule as a positive literal; negated it is true.
                    None => possible &= negated,
                }
            }
            match self.instance(&head, tuple, closure) {
                Some(head) if possible => {
                    if self.rules.features == Some(part.head.relation) {
                        self.features.insert(head);
                    }
                    let body = start..to_u32(self.literals.len());
                    self.written.push(GroundRule { head, body, span: part.span });
                }
                _ => self.literals.truncate(start as usize),
            }
        }
        closure.hold(self.bytes());
        Ok(())
    }

    /// Prepares an atom to be instantiated from tuples of these columns.
    fn prepare_atom(
        &mut self,
        atom: &Atom,
        columns: &[VariableId],
        auxiliaries: &AuxiliaryRelations,
        closure: &mut Closure,
    ) -> AtomForm {
        let keyword = self.rules.keyword_of(atom.relation);
        let name = self.name(atom.relation, auxiliaries, closure);
        let arguments = atom.arguments.iter().map(|argument| AtomSlot::new(argument, columns, closure)).collect();
        AtomForm { keyword, name, arguments }
    }

    /// The approximate size of the ground rules in bytes.
    fn bytes(&self) -> usize {
        self.ids.capacity() * size_of::<Option<AtomId>>()
            + self.atoms.capacity() * size_of::<(Option<Keyword>, ModelTerm)>()
            + self.written.capacity() * size_of::<GroundRule>()
            + self.literals.capacity() * size_of::<GroundLiteral>()
    }

    /// The atom of an instance; `None` for a move of a term that is no role.
    fn instance(&mut self, form: &AtomForm, tuple: &[ModelTerm], closure: &mut Closure) -> Option<AtomId> {
        let mut build = |name, arguments: &[ModelTerm]| Some(closure.build(name, arguments));
        let term = AtomSlot::term(form.name, &form.arguments, tuple, &mut self.values, &mut build)?;
        let is_role = |term| self.roles.contains(&closure.arguments(term)[0]);
        if form.keyword == Some(Keyword::Does) && !is_role(term) {
            return None;
        }
        Some(self.atom(form.keyword, term))
    }

    /// The atom of an instance, if it has been written.
    fn known_instance(&mut self, form: &AtomForm, tuple: &[ModelTerm], closure: &Closure) -> Option<AtomId> {
        let mut find = |name, arguments: &[ModelTerm]| closure.find(name, arguments);
        let term = AtomSlot::term(form.name, &form.arguments, tuple, &mut self.values, &mut find)?;
        self.ids.get(term.index()).copied().flatten()
    }

    fn name(&mut self, relation: RelationId, auxiliaries: &AuxiliaryRelations, closure: &mut Closure) -> SymbolId {
        let Some(name) = auxiliaries.name(relation) else { return self.rules.relations[relation.index()].name };
        let number = self.names.len() + 1;
        *self.names.entry(relation).or_insert_with(|| closure.intern(&format!("{name}#{number}")))
    }

    fn atom(&mut self, keyword: Option<Keyword>, term: ModelTerm) -> AtomId {
        if self.ids.len() <= term.index() {
            self.ids.resize(term.index() + 1, None);
        }
        *self.ids[term.index()].get_or_insert_with(|| {
            self.atoms.push((keyword, term));
            AtomId::new(self.atoms.len() - 1)
        })
    }

    /// The ground rules that matter, and their atoms. If `merges_views`, one view represents all with the same rules
    /// ([`EqualViews`]), and the others lose their names. The closure loses its tuples.
    ///
    /// # Errors
    /// If the limits end the work.
    pub(super) fn finish(
        mut self,
        merges_views: bool,
        closure: &mut Closure,
        poll: &Poll<'_>,
    ) -> Result<Grounding, limits::Stop> {
        let undeclared = self.undeclared(closure);
        // The tables that are no longer needed are freed before the largest ones are made.
        self.ids = Vec::new();
        closure.forget_all();
        closure.hold(self.bytes() + self.atoms.len() * ORDERED_ATOM + self.written.len() * ORDERED_RULE);
        closure.check_memory(0)?;
        let by_head = RulesByHead::new(self.atoms.len(), &self.written);
        let mut order = self.order(&by_head, poll)?;
        let mut same: Vec<AtomId> = (0..self.atoms.len()).map(AtomId::new).collect();
        if merges_views {
            let is_view = |atom: AtomId| self.atoms[atom.index()].0.is_none() && !self.features.contains(&atom);
            let mut merged = EqualViews::new(same, &mut self.literals);
            self.written = merged.merge(&order, &by_head, &self.written, is_view, poll)?;
            same = merged.representatives();
        }
        drop(by_head);
        order.retain(|&atom| same[atom.index()] == atom);
        // The search only chose the atoms; their order is that in which they were written.
        order.sort_unstable();
        let mut number = vec![None; self.atoms.len()];
        let mut atoms = Vec::with_capacity(order.len());
        let mut bytes = order.len() * size_of::<GroundAtom>();
        for id in order {
            poll.step()?;
            if atoms.len().is_multiple_of(INSTANCES_BETWEEN_CHECKS) {
                closure.check_memory(bytes)?;
            }
            number[id.index()] = Some(AtomId::new(atoms.len()));
            let (keyword, term) = self.atoms[id.index()];
            let mut atom = self.value(keyword, term, closure);
            if self.features.contains(&id) {
                atom.kind = AtomKind::Feature;
            }
            bytes += atom.term.heap_bytes();
            atoms.push(atom);
        }
        let renumbered = |atom: AtomId| number[same[atom.index()].index()];
        let mut literals = Vec::new();
        let mut rules = Vec::new();
        for rule in &self.written {
            let Some(head) = renumbered(rule.head) else { continue };
            if rules.len().is_multiple_of(INSTANCES_BETWEEN_CHECKS) {
                let copied =
                    literals.capacity() * size_of::<GroundLiteral>() + rules.capacity() * size_of::<GroundRule>();
                closure.check_memory(bytes + copied)?;
            }
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
        let base = declared(Keyword::Base);
        let input = declared(Keyword::Input);
        let arguments_of = |wanted: Keyword| {
            let atoms = self.atoms.iter().filter(move |(keyword, _)| *keyword == Some(wanted));
            atoms.map(|&(_, term)| closure.arguments(term)).collect::<FxHashSet<_>>()
        };
        let given = arguments_of(Keyword::Next);
        let legal = arguments_of(Keyword::Legal);
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

    /// The atoms that matter: the outputs of the game, the initial facts, and everything on which these depend. Each
    /// comes after those that its rules read, unless they are on a cycle.
    fn order(&self, by_head: &RulesByHead, poll: &Poll<'_>) -> Result<Vec<AtomId>, limits::Stop> {
        let asked = [Keyword::Next, Keyword::Legal, Keyword::Goal, Keyword::Terminal, Keyword::Sees].map(Some);
        let is_asked = |atom: &AtomId| asked.contains(&self.atoms[atom.index()].0) || self.features.contains(atom);
        let roots = (0..self.atoms.len()).map(AtomId::new).filter(is_asked).chain(self.initial.iter().copied());
        let mut is_seen = vec![false; self.atoms.len()];
        let mut order = Vec::new();
        // A stack of its own, since chains of atoms may be longer than recursion allows.
        let mut open: Vec<(AtomId, bool)> = roots.map(|atom| (atom, false)).collect();
        while let Some((atom, is_left)) = open.pop() {
            if is_left {
                order.push(atom);
                continue;
            }
            if std::mem::replace(&mut is_seen[atom.index()], true) {
                continue;
            }
            open.push((atom, true));
            for &rule in by_head.rules(atom) {
                let body = &self.written[rule as usize].body;
                poll.steps(1 + body.len())?;
                let literals = &self.literals[body.start as usize..body.end as usize];
                let needed = literals.iter().map(|literal| literal.atom).filter(|atom| !is_seen[atom.index()]);
                open.extend(needed.map(|atom| (atom, false)));
            }
        }
        Ok(order)
    }

    fn value(&self, keyword: Option<Keyword>, term: ModelTerm, closure: &Closure) -> GroundAtom {
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
        GroundAtom { kind, term: closure.value(shown) }
    }
}

/// The views that represent others, and the representatives of all atoms.
struct EqualViews<'a> {
    /// An equal atom for each atom: itself, or one that was visited before.
    same: Vec<AtomId>,
    /// The bodies of all rules; those that were visited are sorted.
    literals: &'a mut [GroundLiteral],
    /// The rules of each atom that represents itself, sorted by their bodies.
    rules: Vec<GroundRule>,
    /// The rules of each different view.
    views: HashTable<Range<u32>>,
}

impl<'a> EqualViews<'a> {
    /// Atoms that represent themselves.
    fn new(same: Vec<AtomId>, literals: &'a mut [GroundLiteral]) -> Self {
        Self { same, literals, rules: Vec::new(), views: HashTable::new() }
    }

    /// Merges views, and returns the rules that are left. `order` has the atoms that matter, each after those that its
    /// rules read unless they are on a cycle.
    ///
    /// # Errors
    /// If the limits end the work.
    fn merge(
        &mut self,
        order: &[AtomId],
        by_head: &RulesByHead,
        written: &[GroundRule],
        is_view: impl Fn(AtomId) -> bool,
        poll: &Poll<'_>,
    ) -> Result<Vec<GroundRule>, Stop> {
        for &atom in order {
            let first = self.rules.len();
            for &rule in by_head.rules(atom) {
                let rule = &written[rule as usize];
                poll.steps(1 + rule.body.len())?;
                let body = self.represent(&rule.body);
                self.rules.push(GroundRule { body, ..rule.clone() });
            }
            self.sort_from(first);
            if is_view(atom)
                && let Some(other) = self.equal(atom, first)
            {
                self.rules.truncate(first);
                self.same[atom.index()] = other;
            }
        }
        Ok(std::mem::take(&mut self.rules))
    }

    /// The atom that represents each atom.
    fn representatives(mut self) -> Vec<AtomId> {
        for atom in 0..self.same.len() {
            self.same[atom] = self.representative(AtomId::new(atom));
        }
        self.same
    }

    /// The atom that represents this one.
    fn representative(&self, mut atom: AtomId) -> AtomId {
        while self.same[atom.index()] != atom {
            atom = self.same[atom.index()];
        }
        atom
    }

    /// Replaces the literals of a body by their representatives, and sorts them. Returns the range that is left.
    fn represent(&mut self, body: &Range<u32>) -> Range<u32> {
        for index in body.start as usize..body.end as usize {
            self.literals[index].atom = self.representative(self.literals[index].atom);
        }
        let literals = &mut self.literals[body.start as usize..body.end as usize];
        // Sorted, so that equal bodies are equal lists.
        literals.sort_unstable();
        let mut kept = 0;
        for index in 0..literals.len() {
            if index == 0 || literals[index] != literals[kept - 1] {
                literals[kept] = literals[index];
                kept += 1;
            }
        }
        body.start..body.start + to_u32(kept)
    }

    /// Sorts the rules from this one on by their bodies, and removes duplicates.
    fn sort_from(&mut self, first: usize) {
        let Self { rules, literals, .. } = self;
        let body = |rule: &GroundRule| &literals[rule.body.start as usize..rule.body.end as usize];
        // Views are equal whatever the order of their rules.
        rules[first..].sort_unstable_by(|left, right| body(left).cmp(body(right)));
        let mut kept = first;
        for index in first..rules.len() {
            if index == first || body(&rules[index]) != body(&rules[kept - 1]) {
                rules.swap(kept, index);
                kept += 1;
            }
        }
        rules.truncate(kept);
    }

    /// The representative of a view whose rules are those from this one on; `None` if the view will represent others.
    fn equal(&mut self, view: AtomId, first: usize) -> Option<AtomId> {
        let own = to_u32(first)..to_u32(self.rules.len());
        if own.is_empty() {
            return None;
        }
        if let ([only], &[GroundLiteral { atom, negated: false }]) = (&self.rules[first..], self.bodies(&own).next()?) {
            debug_assert_eq!(only.head, view);
            return (atom != view).then_some(atom);
        }
        let hash = self.hash(&own);
        match self.views.find(hash, |other| self.bodies(other).eq(self.bodies(&own))) {
            Some(other) => Some(self.rules[other.start as usize].head),
            None => {
                // Hashing reads the other fields, so the table is taken out of `self` meanwhile.
                let mut views = std::mem::take(&mut self.views);
                views.insert_unique(hash, own, |other| self.hash(other));
                self.views = views;
                None
            }
        }
    }

    fn bodies(&self, rules: &Range<u32>) -> impl Iterator<Item = &[GroundLiteral]> {
        let rules = &self.rules[rules.start as usize..rules.end as usize];
        rules.iter().map(|rule| &self.literals[rule.body.start as usize..rule.body.end as usize])
    }

    fn hash(&self, rules: &Range<u32>) -> u64 {
        let mut hasher = FxHasher::default();
        self.bodies(rules).for_each(|body| body.hash(&mut hasher));
        hasher.finish()
    }
}
