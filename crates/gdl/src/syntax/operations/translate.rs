//! From a sheet with operations to clauses of GDL.
//!
//! Facts in bodies become `true(F)`. `legal(A)` becomes `legal(R,A)` for the role `R` in control; the other roles have
//! one move, whose name the sheet does not use (`noop`). `A :: C ==> E` becomes a clause for each effect: `next(F) :-
//! does(R,A) & C` for a fact that is added, `removed(F)` for one that is taken away, and for an action that it does, a
//! relation with the name of that action. A rule for each kind of fact lets it go on to hold ([`super::frame`]). A goal
//! without a value is 0 ([`super::goals`]).

use super::computed::ComputedRelation;
use super::facts::{
    SheetVocabulary, Signature, WITHOUT_MEANING, effect_atom, first_free, has_no_meaning, is, is_general, signature,
};
use super::text::{ClauseOrigin, OperationNames, added_atom, added_name, atom_term};
use crate::diagnostic::Diagnostic;
use crate::sorting;
use crate::syntax::ast::{Formula, Name, ParsedAtom, ParsedClause, Sheet, Term};
use crate::syntax::{Dialect, Span, error};
use rustc_hash::{FxHashMap, FxHashSet};
use std::collections::BTreeMap;
use std::sync::Arc;

/// A sheet with operations as clauses of GDL.
#[derive(Clone, Debug)]
pub struct TranslatedSheet {
    /// The clauses, as a tree of infix. Their spans are those of the sheet with operations; names that do not occur
    /// in the text have empty ones.
    pub sheet: Sheet,
    /// The words of the sheet, the names that the translation adds, and the origins of the clauses.
    pub names: OperationNames,
    /// Errors of what cannot be translated, and warnings of what has another meaning than in GDL.
    pub problems: Vec<Diagnostic>,
}

/// Translates a sheet with operations. Linear in its size but for the values of goals that rules ask for.
pub fn translate(sheet: &Sheet) -> TranslatedSheet {
    let mut translator = Translator::new(sheet);
    for (index, clause) in sheet.clauses.iter().enumerate() {
        match &clause.effects {
            Some(effects) => translator.operation(index, clause, effects),
            None => translator.clause(index, clause),
        }
    }
    translator.actions();
    translator.frame();
    translator.goals();
    translator.turns();
    translator.arithmetic();
    let Translator { clauses, origins, mut names, problems, .. } = translator;
    names.origins = origins;
    let sheet = Sheet { dialect: Dialect::Infix, clauses, comments: sheet.comments.clone() };
    TranslatedSheet { sheet, names, problems }
}

/// The maximum number of literals of a translation, heads included: each effect of an operation has its condition.
const MOST_LITERALS: usize = 2_000_000;

/// A translation that is being made.
pub(super) struct Translator<'s> {
    pub(super) sheet: &'s Sheet,
    pub(super) vocabulary: SheetVocabulary,
    pub(super) names: OperationNames,
    pub(super) clauses: Vec<ParsedClause>,
    pub(super) origins: Vec<ClauseOrigin>,
    pub(super) problems: Vec<Diagnostic>,
    /// Facts that some operation takes away.
    pub(super) taken_away: FxHashSet<Signature>,
    /// The relations for goals of one value that bodies ask for, by the value.
    pub(super) values: Vec<(Option<Arc<str>>, Arc<str>)>,
    /// The relations that the course's reasoner computes, with the numbers for which they are needed.
    pub(super) computed_relations: BTreeMap<Signature, ComputedRelation>,
    /// The number of literals of the translation, heads included.
    literals: usize,
    /// Relations that have another name in the translation.
    renamed: FxHashMap<Signature, Arc<str>>,
}

impl<'s> Translator<'s> {
    fn new(sheet: &'s Sheet) -> Self {
        let vocabulary = SheetVocabulary::new(sheet);
        let idle = (vocabulary.roles.len() > 1).then(|| vocabulary.idle());
        let mut names = OperationNames { idle, ..OperationNames::default() };
        let facts = vocabulary.introduced.iter().map(|(fact, _)| fact);
        names.facts = facts.filter(|fact| !vocabulary.defined.contains(*fact)).cloned().collect();
        let is_action = |action: &&Signature| !names.facts.contains(*action) && !vocabulary.defined.contains(*action);
        names.actions = vocabulary.choosable.iter().filter(is_action).cloned().collect();
        names.actions.sort();
        let mut translator = Self {
            sheet,
            vocabulary,
            names,
            clauses: Vec::new(),
            origins: Vec::new(),
            problems: Vec::new(),
            taken_away: FxHashSet::default(),
            values: Vec::new(),
            computed_relations: BTreeMap::new(),
            literals: 0,
            renamed: FxHashMap::default(),
        };
        translator.rename_relations();
        translator
    }

    /// Finds the relations that need another name in GDL: those to which GDL gives a meaning and this dialect none,
    /// those that a body asks for and GDL allows as heads only, and actions that are relations as well.
    fn rename_relations(&mut self) {
        let mut asked: FxHashMap<Signature, Span> = FxHashMap::default();
        for clause in &self.sheet.clauses {
            clause.body.iter().flatten().for_each(|formula| {
                formula.each_atom(&mut |atom| {
                    asked.entry(signature(atom)).or_insert(atom.span);
                })
            });
        }
        let heads = self.vocabulary.clauses_of.iter();
        let heads = heads.map(|(relation, clauses)| (relation.clone(), self.sheet.clauses[clauses[0]].head.span));
        let mut used: Vec<(Signature, Span)> = heads.collect();
        used.extend(
            asked
                .iter()
                .filter(|(relation, _)| !self.vocabulary.defined.contains(*relation))
                .map(|(relation, &span)| (relation.clone(), span)),
        );
        used.retain(|((name, arity), _)| has_no_meaning(name, *arity));
        sorting::sort_by_key(&mut used, |(_, span)| span.start);
        for (relation, span) in used {
            if WITHOUT_MEANING.contains(&(&*relation.0, relation.1)) {
                self.problems.push(without_meaning(&relation.0, span));
            }
            let wish = format!("own_{}", relation.0);
            self.rename(relation, &wish);
        }
        for (name, wish) in [("legal", "legal_action"), ("init", "initial"), ("base", "basis")] {
            let relation = (name.into(), 1);
            if asked.contains_key(&relation) {
                self.rename(relation, wish);
            }
        }
        let mut actions: Vec<Signature> = self.vocabulary.invoked.iter().cloned().collect();
        actions.sort();
        for action in actions {
            if self.vocabulary.defined.contains(&action) || self.vocabulary.facts.contains(&action) {
                let wish = format!("done_{}", action.0);
                self.rename(action, &wish);
            }
        }
    }

    fn rename(&mut self, relation: Signature, wish: &str) {
        let name = self.vocabulary.fresh(wish);
        self.names.renamed.push((name.clone(), relation.0.clone()));
        self.renamed.insert(relation, name);
    }

    /// The name of a relation in the translation, if it has another one.
    fn renamed(&self, relation: &Signature) -> Option<&Arc<str>> {
        self.renamed.get(relation)
    }

    /// Adds a clause, unless the translation is too large already.
    pub(super) fn push(&mut self, origin: ClauseOrigin, head: ParsedAtom, body: Vec<Formula>, span: Span) {
        if self.is_full() {
            return;
        }
        self.literals += 1 + body.len();
        if self.is_full() {
            let message = format!("the translation to GDL has more than {MOST_LITERALS} literals");
            self.problems.push(Diagnostic::new(&error::COMPUTED, span, message).with_help("write a smaller sheet"));
        }
        let body = (!body.is_empty()).then_some(body);
        self.clauses.push(ParsedClause { head, body, effects: None, span });
        self.origins.push(origin);
    }

    /// Translates a fact or a rule.
    fn clause(&mut self, index: usize, clause: &ParsedClause) {
        let origin = ClauseOrigin::Clause(index);
        let relation = signature(&clause.head);
        let mut head = clause.head.clone();
        let mut body = self.body(clause);
        if is(&head, "goal", 2) {
            self.add_role(clause, &mut body);
        } else {
            self.bind_head(clause, &mut body);
        }
        if let Some(name) = self.renamed(&relation).cloned() {
            head.relation.text = name.clone();
            self.push(origin, head.clone(), body, clause.span);
            if matches!(&*relation.0, "init" | "base") && relation.1 == 1 && self.is_first(&relation, index) {
                let fact = Term::Variable(added_name("F", clause.span));
                let view = added_atom(name, vec![fact.clone()], clause.span);
                let whole = added_atom(relation.0, vec![fact], clause.span);
                self.push(ClauseOrigin::Implied, whole, vec![Formula::Atom(view)], clause.span);
            }
            return;
        }
        if is(&head, "legal", 1) {
            let (role, literal) = self.mover(clause);
            body.splice(0..0, literal);
            head.arguments.insert(0, role);
        }
        self.push(origin, head, body, clause.span);
    }

    /// True if nothing is added any more.
    pub(super) fn is_full(&self) -> bool {
        self.literals > MOST_LITERALS
    }

    /// True for the first clause of a relation.
    pub(super) fn is_first(&self, relation: &Signature, index: usize) -> bool {
        self.vocabulary.clauses_of.get(relation).and_then(|clauses| clauses.first()) == Some(&index)
    }

    /// The role that moves where this clause applies: the only one, or the one for which the body says `control`, or
    /// else a variable and the literal that binds it.
    pub(super) fn mover(&self, clause: &ParsedClause) -> (Term, Option<Formula>) {
        if let [only] = &self.vocabulary.roles[..] {
            return (Term::Symbol(added_name(only.text.clone(), clause.span)), None);
        }
        if let Some(role) = clause.body.iter().flatten().find_map(control_of) {
            return (role.clone(), None);
        }
        let role = Term::Variable(added_name(free_variable(clause, "R"), clause.span));
        let control = added_atom("control", vec![role.clone()], clause.span);
        (role, Some(self.literal(&Formula::Atom(control))))
    }

    /// Translates the body of a clause; what always holds is left out.
    fn body(&mut self, clause: &ParsedClause) -> Vec<Formula> {
        let holds = |formula: &&Formula| matches!(formula, Formula::Atom(atom) if is(atom, "true", 0));
        let formulas: Vec<&Formula> = clause.body.iter().flatten().filter(|formula| !holds(formula)).collect();
        formulas.into_iter().map(|formula| self.formula(formula, clause)).collect()
    }

    /// Translates a formula, and notes the goals and the sums that it asks for.
    fn formula(&mut self, formula: &Formula, clause: &ParsedClause) -> Formula {
        formula.each_atom(&mut |atom| {
            if is(atom, "goal", 2) {
                self.note_value(&atom.arguments[1]);
            }
        });
        let formula = self.computed(formula, clause);
        self.literal(&formula)
    }

    /// Translates a formula.
    pub(super) fn literal(&self, formula: &Formula) -> Formula {
        let each = |formulas: &[Formula]| formulas.iter().map(|formula| self.literal(formula)).collect();
        match formula {
            Formula::Atom(atom) => self.atom(atom),
            Formula::Not { formula, span } => Formula::Not { formula: Box::new(self.literal(formula)), span: *span },
            Formula::And { formulas, span } => Formula::And { formulas: each(formulas), span: *span },
            Formula::Or { formulas, span } => Formula::Or { formulas: each(formulas), span: *span },
            Formula::Distinct { .. } => formula.clone(),
        }
    }

    fn atom(&self, atom: &ParsedAtom) -> Formula {
        let relation = signature(atom);
        let span = atom.span;
        if self.vocabulary.is_fact(&relation) {
            let fact = Formula::Atom(added_atom("true", vec![atom_term(atom)], span));
            if !self.vocabulary.defined.contains(&relation) {
                return fact;
            }
            // A fact of the state that rules define as well.
            return Formula::Or { formulas: vec![fact, Formula::Atom(atom.clone())], span };
        }
        if let [left, right] = &atom.arguments[..]
            && is(atom, "same", 2)
            && !self.vocabulary.defined.contains(&relation)
        {
            let differ = Formula::Distinct { left: left.clone(), right: right.clone(), span };
            return Formula::Not { formula: Box::new(differ), span };
        }
        if is(atom, "true", 0) {
            return Formula::And { formulas: Vec::new(), span };
        }
        if is(atom, "goal", 2) {
            return Formula::Atom(self.value(atom));
        }
        let mut atom = atom.clone();
        if let Some(name) = self.renamed(&relation) {
            atom.relation.text = name.clone();
        }
        Formula::Atom(atom)
    }

    /// Adds the clauses of an operation, one for each effect.
    fn operation(&mut self, index: usize, clause: &ParsedClause, effects: &[Formula]) {
        let condition = self.body(clause);
        for effect in effects {
            let Some(atom) = effect_atom(effect).filter(|_| !self.is_full()) else { continue };
            let relation = signature(atom);
            let is_added = matches!(effect, Formula::Atom(_));
            let span = Span { start: clause.span.start, end: effect.span().end };
            let head = match (self.vocabulary.operations.contains(&relation), is_added) {
                // No literal asks for what is done in every step.
                (true, true) if relation.1 == 0 && self.vocabulary.always.contains(&relation) => continue,
                (true, true) => self.action_atom(atom),
                (true, false) => {
                    self.problems.push(takes_away_action(atom));
                    continue;
                }
                (false, true) => added_atom("next", vec![atom_term(atom)], atom.span),
                (false, false) => {
                    self.taken_away.insert(relation);
                    let removed = self.removed();
                    added_atom(removed, vec![atom_term(atom)], atom.span)
                }
            };
            let body = self.done(clause, atom).into_iter().chain(condition.iter().cloned()).collect();
            self.push(ClauseOrigin::Operation(index), head, body, span);
        }
    }

    /// The relation of facts that are taken away.
    pub(super) fn removed(&mut self) -> Arc<str> {
        if self.names.removed.is_none() {
            self.names.removed = Some(self.vocabulary.fresh("removed"));
        }
        self.names.removed.clone().unwrap_or_else(|| "removed".into())
    }

    /// The literal that the action of an operation is done, unless it is in every step.
    fn done(&self, clause: &ParsedClause, effect: &ParsedAtom) -> Option<Formula> {
        let action = signature(&clause.head);
        if self.vocabulary.always.contains(&action) && is_general(&clause.head) && !shares_variables(clause, effect) {
            return None;
        }
        if self.vocabulary.invoked.contains(&action) {
            return Some(Formula::Atom(self.action_atom(&clause.head)));
        }
        let (role, _) = self.mover(clause);
        Some(Formula::Atom(added_atom("does", vec![role, atom_term(&clause.head)], clause.head.span)))
    }

    /// The atom that says that an action is done, which an operation may have caused.
    fn action_atom(&self, action: &ParsedAtom) -> ParsedAtom {
        let mut atom = action.clone();
        if let Some(name) = self.renamed(&signature(action)) {
            atom.relation.text = name.clone();
        }
        atom
    }

    /// Adds a rule for each action that operations do and roles can choose as well.
    fn actions(&mut self) {
        let mut seen = FxHashSet::default();
        for clause in self.sheet.clauses.iter().filter(|clause| clause.effects.is_some()) {
            let action = signature(&clause.head);
            let is_both = self.vocabulary.invoked.contains(&action) && self.vocabulary.choosable.contains(&action);
            let is_asked = action.1 > 0 || !self.vocabulary.always.contains(&action);
            if !is_both || !is_asked || !seen.insert(action) {
                continue;
            }
            let mut head = clause.head.clone();
            head.arguments = variables(head.arguments.len(), head.span);
            let role = match &self.vocabulary.roles[..] {
                [only] => Term::Symbol(added_name(only.text.clone(), clause.span)),
                _ => Term::Variable(added_name("R", clause.span)),
            };
            let does = added_atom("does", vec![role, atom_term(&head)], head.span);
            let head = self.action_atom(&head);
            self.push(ClauseOrigin::Implied, head, vec![Formula::Atom(does)], clause.head.span);
        }
    }

    /// Adds the moves that roles can ever choose, the move of roles without control, and the legality of actions that
    /// bodies ask for.
    fn turns(&mut self) {
        let first = |name: &str| self.vocabulary.clauses_of.get(&(name.into(), 1)).map(|clauses| clauses[0]);
        let (roles, actions, legals) = (first("role"), first("action"), first("legal"));
        let Some(roles) = roles.map(|index| self.sheet.clauses[index].span) else { return };
        let variable = |name: &str, at: Span| Term::Variable(added_name(name, at));
        let role = |at: Span| Formula::Atom(added_atom("role", vec![variable("R", at)], at));
        if let (Some(view), Some(index)) = (self.renamed(&("legal".into(), 1)).cloned(), legals) {
            let span = self.sheet.clauses[index].span;
            let clause = ParsedClause { head: added_atom("legal", Vec::new(), span), body: None, effects: None, span };
            let (mover, control) = self.mover(&clause);
            let head = added_atom("legal", vec![mover, variable("A", span)], span);
            let view = Formula::Atom(added_atom(view, vec![variable("A", span)], span));
            self.push(ClauseOrigin::Implied, head, control.into_iter().chain([view]).collect(), span);
        }
        if let Some(index) = actions {
            let span = self.sheet.clauses[index].span;
            let head = added_atom("input", vec![variable("R", span), variable("A", span)], span);
            let action = Formula::Atom(added_atom("action", vec![variable("A", span)], span));
            self.push(ClauseOrigin::Implied, head, vec![role(span), action], span);
        }
        let Some(idle) = self.names.idle.clone() else { return };
        let moves = |name: &str| {
            added_atom(name, vec![variable("R", roles), Term::Symbol(added_name(idle.clone(), roles))], roles)
        };
        if actions.is_some() {
            self.push(ClauseOrigin::Implied, moves("input"), vec![role(roles)], roles);
        }
        let control = self.literal(&Formula::Atom(added_atom("control", vec![variable("R", roles)], roles)));
        let waits = Formula::Not { formula: Box::new(control), span: roles };
        self.push(ClauseOrigin::Implied, moves("legal"), vec![role(roles), waits], roles);
    }
}

/// The role of a literal `control(R)`.
fn control_of(formula: &Formula) -> Option<&Term> {
    match formula {
        Formula::Atom(atom) if is(atom, "control", 1) => atom.arguments.first(),
        _ => None,
    }
}

/// Different variables for the arguments of an atom: `X`, `Y`, `Z`, or `X1`, `X2` and so on.
pub(super) fn variables(count: usize, at: Span) -> Vec<Term> {
    let name = |index: usize| match count {
        0..=3 => ["X", "Y", "Z"][index].to_string(),
        _ => format!("X{}", index + 1),
    };
    (0..count).map(|index| Term::Variable(added_name(name(index), at))).collect()
}

/// A variable that the clause does not have.
pub(super) fn free_variable(clause: &ParsedClause, wish: &str) -> String {
    let mut taken: FxHashSet<Arc<str>> = FxHashSet::default();
    clause.each_variable(&mut |name| _ = taken.insert(name.text.clone()));
    first_free(wish, "", &taken)
}

/// True if the action of an operation has a variable in common with its condition or with this effect.
fn shares_variables(clause: &ParsedClause, effect: &ParsedAtom) -> bool {
    let mut own = FxHashSet::default();
    clause.head.each_variable(&mut |name| _ = own.insert(name.text.clone()));
    let mut shared = false;
    let mut compare = |name: &Name| shared |= own.contains(&name.text);
    clause.body.iter().flatten().for_each(|formula| formula.each_variable(&mut compare));
    effect.each_variable(&mut compare);
    shared
}

fn without_meaning(name: &str, span: Span) -> Diagnostic {
    let message = format!("`{name}` has no meaning in this dialect: it is a relation like any other");
    let help = match name {
        "next" | "does" => "what an action changes is written `ACTION :: CONDITION ==> EFFECTS`",
        "true" => "a fact of the state stands in a body without `true`",
        _ => "leave it out, or give the relation another name",
    };
    Diagnostic::new(&error::WITHOUT_MEANING, span, message).with_help(help)
}

fn takes_away_action(atom: &ParsedAtom) -> Diagnostic {
    let message = format!("`{}` is an action, which cannot be taken away", atom.relation.text);
    Diagnostic::new(&error::NO_EFFECT, atom.span, message)
        .with_help("an effect is a fact that is added, `~` before one that is taken away, or an action")
}
