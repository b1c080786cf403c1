//! The vocabulary of a sheet with operations: the facts of its states, its actions, its roles, and names that it does
//! not use.

use crate::syntax::ast::{Formula, Name, ParsedAtom, ParsedClause, Sheet, Term};
use crate::syntax::uses::add_uses;
use rustc_hash::{FxHashMap, FxHashSet};
use std::sync::Arc;

/// A name with its number of arguments.
pub(super) type Signature = (Arc<str>, usize);

/// The relations of GDL that have no meaning in this dialect. A sheet can define them as any other relation.
pub(super) const WITHOUT_MEANING: [(&str, usize); 6] =
    [("true", 1), ("does", 2), ("next", 1), ("input", 2), ("sees", 2), ("percept", 2)];

/// True for a relation of GDL that is like any other here: GDL gives its name a meaning, with whatever arguments.
pub(super) fn has_no_meaning(name: &str, arity: usize) -> bool {
    match name {
        "true" => arity > 0,
        "legal" => arity == 2,
        _ => matches!(name, "does" | "next" | "input" | "sees" | "percept"),
    }
}

/// The names of a sheet by what they stand for.
pub(super) struct SheetVocabulary {
    /// The facts of states: what `base` and `init` introduce, and what operations add or take away. A relation that
    /// rules define is none if it is only taken away.
    pub(super) facts: FxHashSet<Signature>,
    /// The facts in the order of the text, each with the clause that introduces it.
    pub(super) introduced: Vec<(Signature, usize)>,
    /// The heads of facts and rules.
    pub(super) defined: FxHashSet<Signature>,
    /// The heads of operations.
    pub(super) operations: FxHashSet<Signature>,
    /// The actions that other operations do.
    pub(super) invoked: FxHashSet<Signature>,
    /// The actions that a role can choose.
    pub(super) choosable: FxHashSet<Signature>,
    /// The actions that are done in every step, whatever the role in control chooses.
    pub(super) always: FxHashSet<Signature>,
    /// The roles, in the order of the text.
    pub(super) roles: Vec<Name>,
    /// The clauses of each relation, as indices.
    pub(super) clauses_of: FxHashMap<Signature, Vec<usize>>,
    /// Every name of the sheet, and those that [`SheetVocabulary::fresh`] has given out.
    taken: FxHashSet<Arc<str>>,
}

impl SheetVocabulary {
    pub(super) fn new(sheet: &Sheet) -> Self {
        let mut vocabulary = Self {
            taken: names_of(sheet),
            facts: FxHashSet::default(),
            introduced: Vec::new(),
            defined: FxHashSet::default(),
            operations: FxHashSet::default(),
            invoked: FxHashSet::default(),
            choosable: FxHashSet::default(),
            always: FxHashSet::default(),
            roles: Vec::new(),
            clauses_of: FxHashMap::default(),
        };
        for (index, clause) in sheet.clauses.iter().enumerate() {
            let head = signature(&clause.head);
            if clause.effects.is_some() {
                vocabulary.operations.insert(head);
                continue;
            }
            vocabulary.clauses_of.entry(head.clone()).or_default().push(index);
            vocabulary.defined.insert(head);
            if let (true, [Term::Symbol(role)]) = (is(&clause.head, "role", 1), &clause.head.arguments[..])
                && vocabulary.roles.iter().all(|known| known.text != role.text)
            {
                vocabulary.roles.push(role.clone());
            }
        }
        vocabulary.add_facts(sheet);
        vocabulary.choosable = vocabulary.choosable(sheet);
        vocabulary.always = vocabulary.always(sheet);
        vocabulary
    }

    /// Finds the facts, and the actions that operations do.
    fn add_facts(&mut self, sheet: &Sheet) {
        for (index, clause) in sheet.clauses.iter().enumerate() {
            if let (true, [fact]) =
                (is(&clause.head, "base", 1) || is(&clause.head, "init", 1), &clause.head.arguments[..])
            {
                self.add_fact(term_signature(fact), index);
            }
            for effect in clause.effects.iter().flatten() {
                let is_added = matches!(effect, Formula::Atom(_));
                let Some(effect) = effect_atom(effect).map(signature) else { continue };
                if self.operations.contains(&effect) {
                    self.invoked.insert(effect);
                } else if is_added || !self.defined.contains(&effect) {
                    self.add_fact(Some(effect), index);
                }
            }
        }
    }

    fn add_fact(&mut self, fact: Option<Signature>, clause: usize) {
        let Some(fact) = fact else { return };
        if self.facts.insert(fact.clone()) {
            self.introduced.push((fact, clause));
        }
    }

    /// The actions that `legal` names; if it does not name them all, those of `action` too, or else all of operations.
    fn choosable(&self, sheet: &Sheet) -> FxHashSet<Signature> {
        let mut choosable = FxHashSet::default();
        let mut is_complete = true;
        for &index in self.clauses_of.get(&("legal".into(), 1)).into_iter().flatten() {
            let named = self.named_by(sheet, &sheet.clauses[index]);
            is_complete &= named.is_some();
            choosable.extend(named.into_iter().flatten());
        }
        if is_complete {
            return choosable;
        }
        let actions = self.clauses_of.get(&("action".into(), 1)).into_iter().flatten();
        let actions: Vec<_> =
            actions.map(|&index| sheet.clauses[index].head.arguments.first().and_then(term_signature)).collect();
        match actions.iter().all(Option::is_some) && !actions.is_empty() {
            true => choosable.extend(actions.into_iter().flatten()),
            false => choosable.extend(self.operations.iter().cloned()),
        }
        choosable
    }

    /// The actions that a clause for `legal` can name. An action that is a variable is followed into the relation of the
    /// body that names it.
    fn named_by(&self, sheet: &Sheet, clause: &ParsedClause) -> Option<Vec<Signature>> {
        let action = clause.head.arguments.first()?;
        let Term::Variable(variable) = action else { return term_signature(action).map(|action| vec![action]) };
        let is_variable = |term: &Term| matches!(term, Term::Variable(name) if name.text == variable.text);
        let literals = clause.body.iter().flatten().filter_map(Formula::as_atom);
        literals.into_iter().find_map(|atom| {
            let position = atom.arguments.iter().position(is_variable)?;
            let clauses = self.clauses_of.get(&signature(atom))?;
            clauses.iter().map(|&index| term_signature(&sheet.clauses[index].head.arguments[position])).collect()
        })
    }

    /// The actions that are done in every step: every choosable action is it, or does it without a condition.
    fn always(&self, sheet: &Sheet) -> FxHashSet<Signature> {
        let mut steps = self.choosable.iter().map(|action| self.done_with(sheet, action));
        let Some(first) = steps.next() else { return FxHashSet::default() };
        steps.fold(first, |common, done| common.intersection(&done).cloned().collect())
    }

    /// An action and the propositions that are done with it in any case.
    fn done_with(&self, sheet: &Sheet, action: &Signature) -> FxHashSet<Signature> {
        let mut done = FxHashSet::from_iter([action.clone()]);
        loop {
            let before = done.len();
            for clause in &sheet.clauses {
                let Some(effects) = &clause.effects else { continue };
                let is_done = done.contains(&signature(&clause.head)) && is_general(&clause.head);
                if !is_done || !self.is_no_condition(clause.body.as_deref()) {
                    continue;
                }
                let positive = effects.iter().filter(|effect| matches!(effect, Formula::Atom(_)));
                let actions = positive.filter_map(effect_atom).map(signature);
                done.extend(actions.filter(|effect| effect.1 == 0 && self.operations.contains(effect)));
            }
            if done.len() == before {
                return done;
            }
        }
    }

    /// True if there is no condition, or only one that some role has control, which holds always.
    fn is_no_condition(&self, condition: Option<&[Formula]>) -> bool {
        match condition {
            None | Some([]) => true,
            Some([Formula::Atom(atom)]) => is(atom, "control", 1) && matches!(atom.arguments[..], [Term::Variable(_)]),
            Some(_) => false,
        }
    }

    /// True if the literal asks for a fact of the state and nothing else.
    pub(super) fn is_fact(&self, signature: &Signature) -> bool {
        self.facts.contains(signature) && !self.operations.contains(signature)
    }

    /// A name for the move of roles without control.
    pub(super) fn idle(&self) -> Arc<str> {
        idle_name(self.taken.iter().map(|name| &**name)).into()
    }

    /// A name that the sheet does not use: the wish, or the wish with the least number that makes it new.
    pub(super) fn fresh(&mut self, wish: &str) -> Arc<str> {
        let name: Arc<str> = first_free(wish, "_", &self.taken).into();
        self.taken.insert(name.clone());
        name
    }
}

/// The relations, functions and objects of a sheet.
pub(super) fn names_of(sheet: &Sheet) -> FxHashSet<Arc<str>> {
    let mut uses = Vec::new();
    sheet.clauses.iter().for_each(|clause| add_uses(clause, &mut uses));
    uses.iter().map(|used| used.name.text.clone()).collect()
}

/// The wish, or the wish with the least number from 2 on that makes it new.
pub(super) fn first_free(wish: &str, before_number: &str, taken: &FxHashSet<Arc<str>>) -> String {
    let numbered = (2_u32..).map(|number| format!("{wish}{before_number}{number}"));
    let mut names = std::iter::once(wish.to_string()).chain(numbered);
    names.find(|name| !taken.contains(&**name)).unwrap_or_default()
}

/// The name of a term that is a constant.
pub(super) fn constant(term: &Term) -> Option<Arc<str>> {
    if let Term::Symbol(name) = term { Some(name.text.clone()) } else { None }
}

/// The relation of an atom.
pub(super) fn signature(atom: &ParsedAtom) -> Signature {
    (atom.relation.text.clone(), atom.arguments.len())
}

/// The functor of a term; `None` for a variable.
fn term_signature(term: &Term) -> Option<Signature> {
    match term {
        Term::Symbol(name) => Some((name.text.clone(), 0)),
        Term::Compound { functor, arguments, .. } => Some((functor.text.clone(), arguments.len())),
        Term::Variable(_) => None,
    }
}

/// True if the atom is of the relation with this name and number of arguments.
pub(super) fn is(atom: &ParsedAtom, name: &str, arity: usize) -> bool {
    &*atom.relation.text == name && atom.arguments.len() == arity
}

/// The atom of an effect, added or taken away.
pub(super) fn effect_atom(effect: &Formula) -> Option<&ParsedAtom> {
    match effect {
        Formula::Atom(atom) => Some(atom),
        Formula::Not { formula, .. } => effect_atom(formula),
        _ => None,
    }
}

/// The facts that a clause introduces with `base` or `init`, or that it adds or takes away, as atoms.
pub fn facts_mentioned(clause: &ParsedClause) -> Vec<ParsedAtom> {
    let introduced = match (&*clause.head.relation.text, &clause.head.arguments[..]) {
        ("base" | "init", [fact]) => fact.as_atom(),
        _ => None,
    };
    let effects = clause.effects.iter().flatten().filter_map(effect_atom).cloned();
    introduced.into_iter().chain(effects).collect()
}

/// True if the arguments are different variables.
pub(super) fn is_general(atom: &ParsedAtom) -> bool {
    let mut seen = FxHashSet::default();
    atom.arguments.iter().all(|term| match term {
        Term::Variable(name) => name.is_anonymous() || seen.insert(name.text.clone()),
        _ => false,
    })
}

/// True for the name of a move of roles without control, with its number.
pub(super) fn idle_number(name: &str) -> Option<u32> {
    match name.strip_prefix("noop")? {
        "" => Some(1),
        rest => rest.strip_prefix('_')?.parse().ok(),
    }
}

/// The name of the move of roles without control in a sheet with these names.
fn idle_name<'a>(taken: impl Iterator<Item = &'a str>) -> String {
    match taken.filter_map(idle_number).max() {
        None => "noop".to_string(),
        Some(greatest) => format!("noop_{}", greatest.saturating_add(1)),
    }
}
