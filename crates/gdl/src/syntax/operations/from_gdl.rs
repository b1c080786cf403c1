//! From GDL to a sheet with operations, where one role moves at a time.
//!
//! `legal(R,A) :- true(control(R)) & C` becomes `legal(A) :- control(R) & C`, and the moves of roles without control are
//! left out. `next(F) :- does(R,A) & C` becomes `A :: C ==> F`; a relation that depends on `does` becomes an action that
//! the moves do. A rule for `next` without `does` becomes an effect of `tick`, which every move does. What `next` keeps
//! is left out, and what it does not keep is taken away ([`frame`]).

mod frame;

use super::facts::{Signature, constant, first_free, is, names_of, signature};
use super::text::{added_atom, added_name};
use super::translate::variables;
use crate::diagnostic::Diagnostic;
use crate::syntax::ast::{Formula, ParsedAtom, ParsedClause, Sheet, Term};
use crate::syntax::token::Logic;
use crate::syntax::{Dialect, Span, error};
use rustc_hash::{FxHashMap, FxHashSet};
use std::sync::Arc;

/// The sheet in the dialect with operations.
///
/// # Errors
/// The clauses for which the dialect has no form: moves at the same time, and what depends on several moves.
pub fn with_operations(sheet: &Sheet) -> Result<Sheet, Vec<Diagnostic>> {
    let sheet = sheet.in_dialect(Dialect::Infix);
    let mut converter = Converter::new(&sheet);
    for clause in &sheet.clauses {
        converter.clause(clause);
    }
    converter.take_away();
    converter.add_tick();
    converter.refuse_connectives();
    let Converter { clauses, problems, .. } = converter;
    if !problems.is_empty() {
        return Err(problems);
    }
    Ok(Sheet { dialect: Dialect::Operations, clauses, comments: sheet.comments.clone() })
}

/// A sheet with operations that is being made of one in GDL.
struct Converter<'s> {
    sheet: &'s Sheet,
    roles: Vec<Arc<str>>,
    /// The move of roles without control.
    idle: Option<Arc<str>>,
    /// Relations that depend on `does`: actions that the moves do.
    caused: FxHashSet<Signature>,
    /// The moves by name and number of arguments, in the order of the text.
    moves: Vec<Signature>,
    /// The rules that keep facts, with the fact that they keep.
    frames: Vec<(ParsedAtom, &'s ParsedClause)>,
    /// The facts by name and number of arguments, in the order of the text, with a clause that introduces them.
    facts: Vec<(Signature, Span)>,
    /// The action that every move does, if something depends on no move.
    tick: Arc<str>,
    needs_tick: bool,
    clauses: Vec<ParsedClause>,
    problems: Vec<Diagnostic>,
}

impl<'s> Converter<'s> {
    fn new(sheet: &'s Sheet) -> Self {
        let of =
            |name: &'static str, arity: usize| sheet.clauses.iter().filter(move |clause| is(&clause.head, name, arity));
        let roles: Vec<Arc<str>> = of("role", 1).filter_map(|clause| constant(&clause.head.arguments[0])).collect();
        let idle = (roles.len() > 1).then(|| idle_move(sheet, &roles)).flatten();
        let mut moves = Vec::new();
        for chosen in of("legal", 2).flat_map(|clause| named_moves(sheet, clause)) {
            if Some(&chosen.0) != idle.as_ref() && !moves.contains(&chosen) {
                moves.push(chosen);
            }
        }
        let mut facts: Vec<(Signature, Span)> = Vec::new();
        let heads =
            sheet.clauses.iter().filter(|clause| matches!(&*clause.head.relation.text, "base" | "init" | "next"));
        for (fact, span) in heads.filter_map(|clause| Some((clause.head.arguments.first()?.as_atom()?, clause.span))) {
            if facts.iter().all(|(known, _)| *known != signature(&fact)) {
                facts.push((signature(&fact), span));
            }
        }
        let tick = first_free("tick", "_", &names_of(sheet)).into();
        Self {
            sheet,
            caused: caused(sheet),
            roles,
            idle,
            moves,
            frames: Vec::new(),
            facts,
            tick,
            needs_tick: false,
            clauses: Vec::new(),
            problems: Vec::new(),
        }
    }

    fn refuse(&mut self, span: Span, message: impl Into<String>, help: &str) {
        self.problems.push(Diagnostic::new(&error::NO_OPERATIONS, span, message).with_help(help));
    }

    fn push(&mut self, head: ParsedAtom, body: Vec<Formula>, span: Span) {
        let body = (!body.is_empty()).then_some(body);
        self.clauses.push(ParsedClause { head, body, effects: None, span });
    }

    fn push_operation(&mut self, action: ParsedAtom, condition: Vec<Formula>, effect: Formula, span: Span) {
        let body = (!condition.is_empty()).then_some(condition);
        self.clauses.push(ParsedClause { head: action, body, effects: Some(vec![effect]), span });
    }

    fn clause(&mut self, clause: &'s ParsedClause) {
        let head = &clause.head;
        let body = clause.body.as_deref().unwrap_or_default();
        match (&*head.relation.text, head.arguments.len()) {
            ("legal", 2) => self.legal(clause, body),
            ("input", 2) => self.input(clause, body),
            ("next", 1) => self.next(clause, body),
            ("sees", 2) => {
                self.refuse(clause.span, "`sees` has no form in this dialect", "every role sees the whole state")
            }
            _ if self.caused.contains(&signature(head)) => {
                if !self.is_frame_view(&signature(head)) {
                    self.operation(clause, Formula::Atom(head.clone()), body.to_vec());
                }
            }
            _ => {
                let body = self.body(body, clause.span);
                self.push(head.clone(), body, clause.span);
            }
        }
    }

    fn legal(&mut self, clause: &ParsedClause, body: &[Formula]) {
        let [role, action] = &clause.head.arguments[..] else { return };
        if constant(action).is_some_and(|name| Some(name) == self.idle) {
            if !is_idle_rule(&self.roles, role, body) {
                let help = "only roles without control have this move: `legal(R,noop) :- role(R) & ~true(control(R))`";
                self.refuse(clause.span, "this move is not that of the roles without control", help);
            }
            return;
        }
        let is_own = |formula: &&Formula| control_of(formula) == Some(role);
        if self.roles.len() > 1 && !body.iter().any(|formula| is_own(&formula)) {
            let help = "in this dialect only the role for which `control` holds has moves";
            return self.refuse(clause.span, "this move does not need control", help);
        }
        let others: Vec<Formula> = body.iter().filter(|formula| !is_own(formula)).cloned().collect();
        // The role is implied, unless something else depends on it.
        let is_needed = match role {
            Term::Variable(name) => mentions(&others, &clause.head.arguments[1..], &name.text),
            _ => self.roles.len() > 1,
        };
        let kept: Vec<Formula> = body.iter().filter(|formula| is_needed || !is_own(formula)).cloned().collect();
        let kept = self.without_role(kept, role, is_needed);
        let body = self.body(&kept, clause.span);
        self.push(added_atom("legal", vec![action.clone()], clause.head.span), body, clause.span);
    }

    /// The literals without `role(R)`, if nothing else depends on it.
    fn without_role(&self, body: Vec<Formula>, role: &Term, is_needed: bool) -> Vec<Formula> {
        let is_role = |formula: &Formula| matches!(formula, Formula::Atom(atom) if is(atom, "role", 1) && atom.arguments[0] == *role);
        if is_needed && self.roles.len() == 1 {
            body
        } else {
            body.into_iter().filter(|formula| !is_role(formula)).collect()
        }
    }

    fn input(&mut self, clause: &ParsedClause, body: &[Formula]) {
        let [role, action] = &clause.head.arguments[..] else { return };
        if constant(action).is_some_and(|name| Some(name) == self.idle) {
            return;
        }
        let is_needed = match role {
            Term::Variable(name) => {
                let is_role = |formula: &Formula| matches!(formula, Formula::Atom(atom) if is(atom, "role", 1));
                let others: Vec<Formula> = body.iter().filter(|formula| !is_role(formula)).cloned().collect();
                mentions(&others, &clause.head.arguments[1..], &name.text)
            }
            _ => false,
        };
        let body = if is_needed { body.to_vec() } else { self.without_role(body.to_vec(), role, false) };
        let body = self.body(&body, clause.span);
        let head = added_atom("action", vec![action.clone()], clause.head.span);
        let is_new =
            self.clauses.iter().all(|known| known.head != head || known.body.as_deref().unwrap_or_default() != body);
        // `input(R,A) :- role(R) & action(A)` says nothing here.
        let is_itself = matches!(&body[..], [Formula::Atom(atom)] if *atom == head);
        if is_new && !is_itself {
            self.push(head, body, clause.span);
        }
    }

    fn next(&mut self, clause: &'s ParsedClause, body: &[Formula]) {
        let Some(fact) = clause.head.arguments[0].as_atom() else {
            return self.refuse(clause.span, "a variable stands for any fact", "write a rule for each kind of fact");
        };
        let keeps = |formula: &Formula| matches!(formula, Formula::Atom(atom) if is(atom, "true", 1) && atom.arguments == clause.head.arguments);
        if body.iter().any(keeps) {
            self.frames.push((fact, clause));
        } else {
            self.operation(clause, Formula::Atom(fact), body.to_vec());
        }
    }

    /// Adds an operation: its action is the move, or the relation that depends on moves, that the body names.
    fn operation(&mut self, clause: &ParsedClause, effect: Formula, body: Vec<Formula>) {
        let Some(trigger) = self.trigger(&body, clause.span) else { return };
        let condition = trigger.condition(&body, &effect);
        let condition = self.body(&condition, clause.span);
        let action = trigger.action.unwrap_or_else(|| self.tick(clause.span));
        self.push_operation(action, condition, effect, clause.span);
    }

    fn tick(&mut self, span: Span) -> ParsedAtom {
        self.needs_tick = true;
        added_atom(self.tick.clone(), Vec::new(), span)
    }

    /// The literal of a body that depends on moves; `None`, with a problem, if there are several.
    fn trigger(&mut self, body: &[Formula], span: Span) -> Option<MoveTrigger> {
        let mut found: Option<MoveTrigger> = None;
        for (index, formula) in body.iter().enumerate() {
            let mut depends = false;
            formula.each_atom(&mut |atom| depends |= is(atom, "does", 2) || self.caused.contains(&signature(atom)));
            if !depends {
                continue;
            }
            let trigger = match formula {
                Formula::Atom(atom) if is(atom, "does", 2) => atom.arguments[1].as_atom().map(|action| {
                    let role = (self.roles.len() > 1).then(|| atom.arguments[0].clone());
                    MoveTrigger { index: Some(index), action: Some(action), role }
                }),
                Formula::Atom(atom) => Some(MoveTrigger { index: Some(index), action: Some(atom.clone()), role: None }),
                _ => None,
            };
            let is_idle = trigger
                .as_ref()
                .and_then(|trigger| trigger.action.as_ref())
                .is_some_and(|action| action.arguments.is_empty() && Some(&action.relation.text) == self.idle.as_ref());
            match trigger.filter(|_| found.is_none() && !is_idle) {
                Some(trigger) => found = Some(trigger),
                None => {
                    let help = "an operation has one action, and a condition on the state before it";
                    self.refuse(span, "this depends on a move in a way that no operation has", help);
                    return None;
                }
            }
        }
        Some(found.unwrap_or(MoveTrigger { index: None, action: None, role: None }))
    }

    /// Translates a conjunction: facts without `true`.
    fn body(&mut self, formulas: &[Formula], span: Span) -> Vec<Formula> {
        formulas.iter().map(|formula| self.formula(formula, span)).collect()
    }

    fn formula(&mut self, formula: &Formula, span: Span) -> Formula {
        match formula {
            Formula::Atom(atom) => self.atom(atom, span),
            Formula::Not { formula, span: whole } => {
                Formula::Not { formula: Box::new(self.formula(formula, span)), span: *whole }
            }
            Formula::And { formulas, span: whole } => {
                Formula::And { formulas: self.body(formulas, span), span: *whole }
            }
            Formula::Or { formulas, span: whole } => Formula::Or { formulas: self.body(formulas, span), span: *whole },
            Formula::Distinct { .. } => formula.clone(),
        }
    }

    fn atom(&mut self, atom: &ParsedAtom, span: Span) -> Formula {
        let relation = signature(atom);
        match (&*relation.0, &atom.arguments[..]) {
            ("true", [fact]) => match fact.as_atom() {
                Some(fact) if !self.is_relation(&signature(&fact)) => return Formula::Atom(fact),
                Some(fact) => {
                    let message = format!("`{}` is a fact of the state and a relation", fact.relation.text);
                    self.refuse(span, message, "give one of them another name");
                }
                None => self.refuse(span, "a variable stands for any fact", "write a rule for each kind of fact"),
            },
            ("legal" | "does" | "sees" | "next", [_, _]) => {
                let message = format!("`{}` in a body has no form here", relation.0);
                self.refuse(span, message, "define a relation of your own, and use it in both places");
            }
            _ if self.caused.contains(&relation) => {
                let help = "an operation has one action, and a condition on the state before it";
                self.refuse(span, "this depends on a move in a way that no operation has", help);
            }
            _ => {}
        }
        Formula::Atom(atom.clone())
    }

    /// True if clauses of the sheet define the relation.
    fn is_relation(&self, relation: &Signature) -> bool {
        self.sheet.clauses.iter().any(|clause| signature(&clause.head) == *relation)
    }

    /// Refuses facts and moves with the name of a connective: in this dialect they would be read as formulas.
    fn refuse_connectives(&mut self) {
        let mut found: Vec<(Arc<str>, Span)> = Vec::new();
        for clause in &self.clauses {
            let mut look = |atom: &ParsedAtom| {
                let name = &atom.relation.text;
                if Logic::from_name(name).is_some() && found.iter().all(|(known, _)| known != name) {
                    found.push((name.clone(), clause.span));
                }
            };
            look(&clause.head);
            clause.each_atom(&mut look);
        }
        for (name, span) in found {
            let message = format!("`{name}` is a connective of this dialect, and here a fact or a move");
            self.refuse(span, message, "give it another name");
        }
    }

    /// Adds what every move does.
    fn add_tick(&mut self) {
        if !self.needs_tick {
            return;
        }
        let Some(legal) = self.sheet.clauses.iter().find(|clause| is(&clause.head, "legal", 2)) else { return };
        let span = legal.span;
        if self.moves.is_empty() {
            self.refuse(span, "no rule names the moves", "write the move in the head of a rule for `legal`");
        }
        for (name, arity) in self.moves.clone() {
            let action = added_atom(name, variables(arity, span), span);
            let tick = added_atom(self.tick.clone(), Vec::new(), span);
            self.push_operation(action, Vec::new(), Formula::Atom(tick), span);
        }
    }
}

/// The move on which a rule depends.
struct MoveTrigger {
    /// The index of its literal; `None` if the rule depends on no move.
    index: Option<usize>,
    action: Option<ParsedAtom>,
    /// The role that makes the move.
    role: Option<Term>,
}

impl MoveTrigger {
    /// The other literals of the body, and `control` for the role if something depends on it.
    fn condition(&self, body: &[Formula], effect: &Formula) -> Vec<Formula> {
        let others = body.iter().enumerate().filter(|(index, _)| Some(*index) != self.index);
        let mut condition: Vec<Formula> = others.map(|(_, formula)| formula.clone()).collect();
        let Some(role) = &self.role else { return condition };
        let says_so = condition.iter().any(|formula| control_of(formula) == Some(role));
        let is_needed = match (role, &self.action) {
            (Term::Variable(name), Some(action)) => {
                let effects = [condition.clone(), vec![effect.clone()]].concat();
                mentions(&effects, &action.arguments, &name.text)
            }
            _ => true,
        };
        if is_needed && !says_so {
            let span = effect.span();
            let control = Term::Compound { functor: added_name("control", span), arguments: vec![role.clone()], span };
            condition.insert(0, Formula::Atom(added_atom("true", vec![control], span)));
        }
        condition
    }
}

/// The move that roles have while another one has control: a constant that is legal for each role, and by its rules only
/// without control. Without such rules, one that is legal for each role, so that they can be refused.
fn idle_move(sheet: &Sheet, roles: &[Arc<str>]) -> Option<Arc<str>> {
    let mut movers: FxHashMap<Arc<str>, FxHashSet<String>> = FxHashMap::default();
    for clause in sheet.clauses.iter().filter(|clause| is(&clause.head, "legal", 2)) {
        let Some(chosen) = constant(&clause.head.arguments[1]) else { continue };
        let known = movers.entry(chosen).or_default();
        match constant(&clause.head.arguments[0]) {
            Some(role) => _ = known.insert(role.to_string()),
            None => known.extend(roles.iter().map(|role| role.to_string())),
        }
    }
    let mut common: Vec<Arc<str>> =
        movers.into_iter().filter(|(_, movers)| movers.len() == roles.len()).map(|(chosen, _)| chosen).collect();
    let has_other_rules = |chosen: &Arc<str>| {
        let rules = sheet.clauses.iter().filter(|clause| is(&clause.head, "legal", 2));
        let mut rules = rules.filter(|clause| constant(&clause.head.arguments[1]).as_ref() == Some(chosen));
        !rules.all(|rule| is_idle_rule(roles, &rule.head.arguments[0], rule.body.as_deref().unwrap_or_default()))
    };
    common.sort_by_cached_key(|chosen| (has_other_rules(chosen), &**chosen != "noop", chosen.clone()));
    common.into_iter().next()
}

/// True for the condition of a role without control.
fn is_idle_rule(roles: &[Arc<str>], role: &Term, body: &[Formula]) -> bool {
    let is_role = |formula: &Formula| matches!(formula, Formula::Atom(atom) if is(atom, "role", 1));
    let others: Vec<&Formula> = body.iter().filter(|formula| !is_role(formula)).collect();
    match others[..] {
        [Formula::Not { formula, .. }] => control_of(formula) == Some(role),
        [formula] => match (control_of(formula).and_then(constant), constant(role)) {
            (Some(other), Some(own)) => roles.len() == 2 && other != own && roles.contains(&other),
            _ => false,
        },
        _ => false,
    }
}

/// The moves that a rule for `legal` names. A variable is followed into the relation of the body that names it.
fn named_moves(sheet: &Sheet, legal: &ParsedClause) -> Vec<Signature> {
    let action = &legal.head.arguments[1];
    let Term::Variable(variable) = action else { return action.as_atom().iter().map(signature).collect() };
    let is_variable = |term: &Term| matches!(term, Term::Variable(name) if name.text == variable.text);
    let atoms = legal.body.iter().flatten().filter_map(Formula::as_atom);
    let named = atoms.filter_map(|atom| Some((signature(atom), atom.arguments.iter().position(is_variable)?)));
    named
        .flat_map(|(relation, position)| {
            let clauses = sheet.clauses.iter().filter(move |clause| signature(&clause.head) == relation);
            clauses.filter_map(move |clause| clause.head.arguments[position].as_atom())
        })
        .map(|atom| signature(&atom))
        .collect()
}

/// The relations that depend on `does`, other than those of GDL.
fn caused(sheet: &Sheet) -> FxHashSet<Signature> {
    let mut caused: FxHashSet<Signature> = FxHashSet::default();
    loop {
        let before = caused.len();
        for clause in &sheet.clauses {
            if matches!(&*clause.head.relation.text, "next" | "legal" | "sees" | "goal" | "terminal") {
                continue;
            }
            let mut depends = false;
            for formula in clause.body.iter().flatten() {
                formula.each_atom(&mut |atom| depends |= is(atom, "does", 2) || caused.contains(&signature(atom)));
            }
            if depends {
                caused.insert(signature(&clause.head));
            }
        }
        if caused.len() == before {
            return caused;
        }
    }
}

/// The role of a literal `true(control(R))` or `control(R)`.
fn control_of(formula: &Formula) -> Option<&Term> {
    let Formula::Atom(atom) = formula else { return None };
    match &atom.arguments[..] {
        [Term::Compound { functor, arguments, .. }] if is(atom, "true", 1) && &*functor.text == "control" => {
            if let [role] = &arguments[..] { Some(role) } else { None }
        }
        [role] if is(atom, "control", 1) => Some(role),
        _ => None,
    }
}

/// True if a variable occurs in formulas or terms.
fn mentions(formulas: &[Formula], terms: &[Term], variable: &str) -> bool {
    let mut found = false;
    formulas.iter().for_each(|formula| formula.each_variable(&mut |name| found |= &*name.text == variable));
    terms.iter().for_each(|term| term.each_variable(&mut |name| found |= &*name.text == variable));
    found
}
