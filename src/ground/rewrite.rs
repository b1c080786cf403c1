//! Rules rewritten so that their possible instances can be found bottom-up.
//!
//! Each rule becomes a [`Template`] with a relation of its own, whose tuples are the rule's instances: the values of the
//! variables that its head and its state-dependent literals use. Facts and moves are laid flat, `true(cell(X,Y,b))` as
//! `true_cell(X,Y,b)`, so that they can be looked up by what is inside them.

use crate::interpreter::closure::OpenRule;
use crate::rules::dependency::DependencyGraph;
use crate::rules::{Atom, Clause, Keyword, Literal, Pattern, RelationId, RuleSet, SymbolId, VariableId};
use crate::syntax::Span;
use rustc_hash::{FxHashMap, FxHashSet};

/// Relations made here are numbered from here, above those of every rule set and of the interpreter.
const FIRST_NEW: usize = RelationId::LIMIT / 4 * 3;

/// A rule, and the relation of its instances.
#[derive(Clone, Debug)]
pub(super) struct Template {
    pub(super) head: Atom,
    /// The state-dependent literals, and whether they are negated.
    pub(super) literals: Vec<(Atom, bool)>,
    pub(super) instances: RelationId,
    /// What the columns of an instance are.
    pub(super) variables: Vec<VariableId>,
    pub(super) span: Span,
}

/// All rules of a game, rewritten.
#[derive(Debug, Default)]
pub(super) struct Rewritten {
    pub(super) open: Vec<OpenRule>,
    pub(super) templates: Vec<Template>,
    /// The names of relations that stand for parts of negations.
    pub(super) auxiliaries: FxHashMap<RelationId, String>,
}

/// Rewrites all rules that depend on the state, and those that the game itself is asked about.
pub(super) fn rewrite(rules: &RuleSet) -> Rewritten {
    let mut rewriter = Rewriter::new(rules);
    for clause in &rules.clauses {
        if rewriter.is_open(clause.head.relation) {
            rewriter.clause(clause.clone());
        }
    }
    rewriter.bridges();
    rewriter.done
}

/// A flat relation: the facts, or the moves, of one functor; without one, all of them as terms.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
struct Flat {
    moves: bool,
    functor: Option<(SymbolId, u32)>,
}

struct Rewriter<'a> {
    rules: &'a RuleSet,
    open: Vec<bool>,
    done: Rewritten,
    /// In the order of their making.
    flats: Vec<(Flat, RelationId)>,
    next: usize,
    /// Some head gives facts (moves) that only their values tell the functor of; some literal reads such.
    loose_heads: [bool; 2],
    loose_literals: [bool; 2],
}

impl<'a> Rewriter<'a> {
    fn new(rules: &'a RuleSet) -> Self {
        let graph = DependencyGraph::new(rules);
        let mut open = vec![false; rules.relations.len()];
        for keyword in [Keyword::True, Keyword::Does] {
            for (known, dependent) in open.iter_mut().zip(graph.dependents(rules.keyword(keyword))) {
                *known |= dependent;
            }
        }
        for keyword in [Keyword::Legal, Keyword::Next, Keyword::Terminal, Keyword::Goal, Keyword::Sees] {
            open[rules.keyword(keyword).index()] = true;
        }
        let (done, flats) = (Rewritten::default(), Vec::new());
        Self { rules, open, done, flats, next: FIRST_NEW, loose_heads: [false; 2], loose_literals: [false; 2] }
    }

    fn is_open(&self, relation: RelationId) -> bool {
        self.open.get(relation.index()).copied().unwrap_or(true)
    }

    fn fresh(&mut self) -> RelationId {
        self.next += 1;
        RelationId::new(self.next - 1)
    }

    fn flat(&mut self, flat: Flat) -> RelationId {
        if let Some(&(_, relation)) = self.flats.iter().find(|(other, _)| *other == flat) {
            return relation;
        }
        let relation = self.fresh();
        self.flats.push((flat, relation));
        relation
    }

    /// The flat relation and columns of a fact or a move; `before` are the columns in front of it.
    fn flatten(&mut self, moves: bool, before: &[Pattern], term: &Pattern) -> (RelationId, Vec<Pattern>) {
        let mut columns = before.to_vec();
        let functor = match term {
            Pattern::Compound(name, arguments) => {
                columns.extend_from_slice(arguments);
                Some((*name, arguments.len() as u32))
            }
            Pattern::Variable(_) | Pattern::Symbol(_) => {
                columns.push(term.clone());
                None
            }
        };
        (self.flat(Flat { moves, functor }), columns)
    }

    /// Rewrites a clause, each way to choose from its disjunctions apart; those of mere tests stay.
    fn clause(&mut self, clause: Clause) {
        let may_bind = |literal: &Literal| match literal {
            Literal::Or(branches, _) => branches.iter().flatten().any(|part| !matches!(part, Literal::Distinct(..))),
            _ => false,
        };
        let disjunction = clause.body.iter().position(may_bind);
        let Some(place) = disjunction else { return self.conjunction(clause) };
        let Literal::Or(branches, _) = &clause.body[place] else { return };
        for branch in branches {
            let mut chosen = clause.clone();
            chosen.body.splice(place..=place, branch.iter().cloned());
            self.clause(chosen);
        }
    }

    fn mentions_open(&self, literal: &Literal) -> bool {
        match literal {
            Literal::Atom(atom) => self.is_open(atom.relation),
            Literal::Not(body, _) => body.iter().any(|literal| self.mentions_open(literal)),
            Literal::Or(branches, _) => branches.iter().flatten().any(|literal| self.mentions_open(literal)),
            Literal::Distinct(..) | Literal::Equal(..) => false,
        }
    }

    /// Rewrites a clause without disjunctions that depend on the state.
    fn conjunction(&mut self, clause: Clause) {
        let mut literals = Vec::new();
        let mut body = Vec::new();
        for (place, literal) in clause.body.iter().enumerate() {
            match literal {
                Literal::Atom(atom) if self.is_open(atom.relation) => {
                    literals.push((atom.clone(), false));
                    let (relation, arguments) = self.possible(atom);
                    body.push(Literal::Atom(Atom { relation, arguments, span: atom.span }));
                }
                Literal::Not(inner, span) if self.mentions_open(literal) => {
                    literals.push((self.negated(&clause, place, inner, *span), true));
                }
                _ => body.push(literal.clone()),
            }
        }
        self.template(clause, literals, body);
    }

    /// The relation in which the possible instances of an open literal stand.
    fn possible(&mut self, atom: &Atom) -> (RelationId, Vec<Pattern>) {
        let (fact, does) = (self.rules.keyword(Keyword::True), self.rules.keyword(Keyword::Does));
        let moves = atom.relation == does;
        if atom.relation != fact && !moves {
            return (atom.relation, atom.arguments.clone());
        }
        let (term, before) = atom.arguments.split_last().expect("`true` and `does` have arguments");
        self.loose_literals[usize::from(moves)] |= matches!(term, Pattern::Variable(_));
        self.flatten(moves, before, term)
    }

    /// What a negation denies, as one atom. A conjunction, or one with variables of its own, becomes a relation.
    fn negated(&mut self, clause: &Clause, place: usize, inner: &[Literal], span: Span) -> Atom {
        let mut outside = FxHashSet::default();
        let mut note = |variable| outside.extend([variable]);
        clause.head.arguments.iter().for_each(|argument| argument.each_variable(&mut note));
        for (other, literal) in clause.body.iter().enumerate() {
            if other != place {
                literal.each_variable(&mut note);
            }
        }
        let mut own = FxHashSet::default();
        inner.iter().for_each(|literal| literal.each_variable(&mut |variable| own.extend([variable])));
        if let [Literal::Atom(atom)] = inner
            && own.is_subset(&outside)
        {
            return atom.clone();
        }
        let mut shared: Vec<VariableId> = own.intersection(&outside).copied().collect();
        shared.sort_unstable();
        let relation = self.fresh();
        self.done.auxiliaries.insert(relation, format!("not#{}", relation.index() - FIRST_NEW));
        let head = Atom { relation, arguments: shared.into_iter().map(Pattern::Variable).collect(), span };
        // The positive literals around it say what the shared variables range over.
        let around = clause.body.iter().filter(|literal| matches!(literal, Literal::Atom(_))).cloned();
        let body = around.chain(inner.iter().cloned()).collect();
        self.clause(Clause { head: head.clone(), body, ..clause.clone() });
        head
    }

    fn template(&mut self, clause: Clause, literals: Vec<(Atom, bool)>, body: Vec<Literal>) {
        let mut used = FxHashSet::default();
        let arguments = literals.iter().flat_map(|(atom, _)| &atom.arguments);
        for argument in clause.head.arguments.iter().chain(arguments) {
            argument.each_variable(&mut |variable| used.extend([variable]));
        }
        let mut columns: Vec<VariableId> = used.into_iter().collect();
        columns.sort_unstable();
        let instances = self.fresh();
        let instance: Vec<Pattern> = columns.iter().copied().map(Pattern::Variable).collect();
        let span = clause.span;
        let every = Literal::Atom(Atom { relation: instances, arguments: instance.clone(), span });
        self.done.open.push(OpenRule { head: (instances, instance), body, span });
        self.head(&clause.head, every, span);
        self.done.templates.push(Template { head: clause.head, literals, instances, variables: columns, span });
    }

    /// What an instance makes possible.
    fn head(&mut self, head: &Atom, every: Literal, span: Span) {
        let own = (head.relation, head.arguments.clone());
        match (self.rules.keyword_of(head.relation), head.arguments.as_slice()) {
            (Some(Keyword::Next), [fact]) => {
                self.loose_heads[0] |= matches!(fact, Pattern::Variable(_));
                let flat = self.flatten(false, &[], fact);
                self.done.open.push(OpenRule { head: flat, body: vec![every], span });
            }
            (Some(Keyword::Legal), [role, chosen]) => {
                self.loose_heads[1] |= matches!(chosen, Pattern::Variable(_));
                let flat = self.flatten(true, std::slice::from_ref(role), chosen);
                let relation = self.rules.keyword(Keyword::Role);
                let is_role = Literal::Atom(Atom { relation, arguments: vec![role.clone()], span });
                self.done.open.push(OpenRule { head: flat, body: vec![every.clone(), is_role], span });
                self.done.open.push(OpenRule { head: own, body: vec![every], span });
            }
            _ => self.done.open.push(OpenRule { head: own, body: vec![every], span }),
        }
    }

    /// Rules between flat relations and those of whole terms, and from `init`.
    fn bridges(&mut self) {
        let span = Span::default();
        let every_fact = self.flat(Flat { moves: false, functor: None });
        let every_move = self.flat(Flat { moves: true, functor: None });
        let init = self.rules.keyword(Keyword::Init);
        let open = |relation, arguments| Literal::Atom(Atom { relation, arguments, span });
        let x = Pattern::Variable(VariableId(0));
        let given = open(init, vec![x.clone()]);
        self.done.open.push(OpenRule { head: (every_fact, vec![x]), body: vec![given], span });
        for (flat, relation) in self.flats.clone() {
            let Some((name, arity)) = flat.functor else { continue };
            let first = u32::from(flat.moves);
            let columns: Vec<Pattern> =
                (0..first + arity).map(|number| Pattern::Variable(VariableId(number))).collect();
            let term = Pattern::Compound(name, columns[first as usize..].to_vec());
            let mut whole = columns[..first as usize].to_vec();
            whole.push(term.clone());
            let every = if flat.moves { every_move } else { every_fact };
            if !flat.moves {
                let body = vec![open(init, vec![term])];
                self.done.open.push(OpenRule { head: (relation, columns.clone()), body, span });
            }
            if self.loose_literals[first as usize] {
                let body = vec![open(relation, columns.clone())];
                self.done.open.push(OpenRule { head: (every, whole.clone()), body, span });
            }
            if self.loose_heads[first as usize] {
                let body = vec![open(every, whole)];
                self.done.open.push(OpenRule { head: (relation, columns), body, span });
            }
        }
    }
}
