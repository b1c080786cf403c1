//! A proof checker that shares only the rules with the engine: it matches clauses and claims itself. Failures are
//! compared with the engine's queries.

use ggp::game::{Move, Reasoner};
use ggp::interpreter::explain::{ClaimId, FailureReason, Proof, ProofNode, Verdict};
use ggp::interpreter::{Interpreter, Justification, QueryError, State};
use ggp::rules::{Clause, GroundTerm, Keyword, Literal, Pattern, RelationId, RuleSet, VariableId};
use ggp::syntax::ast::{Formula, Name, ParsedAtom, Term};
use ggp::syntax::{Dialect, Span};
use std::collections::{BTreeMap, HashSet};
use std::sync::Arc;

/// Relations of more arguments are skipped: one of them in chess has millions of answers.
const MOST_ARGUMENTS: usize = 5;

/// Checks every claim of an explanation.
pub(crate) fn check(why: &Justification, game: &mut Interpreter, state: &State, joint_move: Option<&[Move]>) {
    let moves = joint_move.map(|joint_move| {
        let moves = joint_move.iter().map(|&chosen| game.move_term(chosen));
        game.roles().iter().cloned().zip(moves).collect::<Vec<_>>()
    });
    let facts = game.facts(state).into_iter().collect();
    let rules = Arc::clone(game.rules());
    let checker = Checker { why, rules: &rules, facts, moves: moves.unwrap_or_default() };
    assert_eq!(checker.why.holds, why.node(why.root).holds());
    let mut denied: HashSet<String> = HashSet::new();
    for (number, node) in why.nodes.iter().enumerate() {
        for reason in node.reasons() {
            assert!(reason.index() < number, "{} rests on what comes after it", shown(&node.claim));
        }
        match &node.verdict {
            Verdict::Holds(proof) => checker.proof(node, proof),
            Verdict::Fails(failure) => checker.failure(node, failure),
        }
        if !node.holds() && denied.insert(shown(&node.claim)) && denied.len() < 12 {
            match game.query(Some(state), joint_move, std::slice::from_ref(&node.claim)) {
                Ok(found) => assert!(found.rows.is_empty(), "{} holds", shown(&node.claim)),
                // Some branch of a disjunction does not have all of its variables.
                Err(error) => {
                    let is_unsafe = matches!(error, QueryError::Unsafe | QueryError::Unbound { .. });
                    assert!(is_unsafe, "{}: {error}", shown(&node.claim));
                }
            }
        }
    }
}

/// Explains answers of every relation in a state, and atoms that are not answers.
pub(crate) fn check_all(game: &mut Interpreter, state: &State, joint_move: Option<&[Move]>, most: usize) {
    let rules = Arc::clone(game.rules());
    let mut relations: Vec<RelationId> = rules.clauses.iter().map(|clause| clause.head.relation).collect();
    relations.sort_unstable();
    relations.dedup();
    for relation in relations {
        if joint_move.is_none() && rules.keyword_of(relation) == Some(Keyword::Next) {
            continue;
        }
        let arity = rules.relations[relation.index()].arity as usize;
        if arity > MOST_ARGUMENTS {
            continue;
        }
        let variables = (0..arity).map(|number| Term::Variable(name(&format!("V{number}")))).collect();
        let pattern = atom(rules.relation_name(relation), variables);
        let Ok(solutions) = game.query(Some(state), joint_move, std::slice::from_ref(&pattern)) else { continue };
        let step = solutions.rows.len().div_ceil(most).max(1);
        for row in solutions.rows.iter().step_by(step) {
            let claim = atom(rules.relation_name(relation), row.iter().map(term).collect());
            explain(game, state, joint_move, &claim, true);
            // The reversed arguments are usually not an answer.
            let turned: Vec<GroundTerm> = row.iter().rev().cloned().collect();
            let holds = solutions.rows.contains(&turned);
            let claim = atom(rules.relation_name(relation), turned.iter().map(term).collect());
            explain(game, state, joint_move, &claim, holds);
        }
    }
}

fn explain(game: &mut Interpreter, state: &State, joint_move: Option<&[Move]>, claim: &Formula, holds: bool) {
    let why = game.why(state, joint_move, claim).expect("it can be explained");
    assert_eq!(why.holds, holds, "{}", shown(claim));
    assert_eq!(&why.node(why.root).claim, claim);
    check(&why, game, state, joint_move);
}

fn name(text: &str) -> Name {
    Name::new(text, Span::default())
}

fn atom(relation: &str, arguments: Vec<Term>) -> Formula {
    Formula::Atom(ParsedAtom { relation: name(relation), arguments, parenthesised: false, span: Span::default() })
}

fn term(value: &GroundTerm) -> Term {
    if value.arguments.is_empty() {
        return Term::Symbol(name(&value.name));
    }
    let arguments = value.arguments.iter().map(term).collect();
    Term::Compound { functor: name(&value.name), arguments, span: Span::default() }
}

fn shown(claim: &Formula) -> String {
    claim.display(Dialect::Infix).to_string()
}

struct Checker<'a> {
    why: &'a Justification,
    rules: &'a RuleSet,
    facts: HashSet<GroundTerm>,
    moves: Vec<(GroundTerm, GroundTerm)>,
}

/// The values with which the variables of a clause have been matched.
type Values = BTreeMap<VariableId, Term>;

impl Checker<'_> {
    fn proof(&self, node: &ProofNode, proof: &Proof) {
        let claim = shown(&node.claim);
        match proof {
            Proof::Fact => {
                let [fact] = &self.arguments(node, "true")[..] else { panic!("{claim}: one argument") };
                assert!(self.facts.contains(fact), "{claim} is no fact");
            }
            Proof::Move => {
                let [role, chosen] = &self.arguments(node, "does")[..] else { panic!("{claim}: two arguments") };
                assert!(self.moves.contains(&(role.clone(), chosen.clone())), "{claim} was not played");
            }
            Proof::Clause(clause, step) => {
                let clause = &self.rules.clauses[clause.index];
                assert!(self.is_instance(clause, node, &step.premises), "{claim} is no instance of its clause");
            }
            Proof::Branch(number, step) => {
                let Formula::Or { formulas, .. } = &node.claim else { panic!("{claim} is no disjunction") };
                self.premises_of(&formulas[*number as usize], &step.premises);
            }
            Proof::All(step) => self.premises_of(&node.claim, &step.premises),
            Proof::Different => {
                let Formula::Distinct { left, right, .. } = &node.claim else { panic!("{claim} is no distinct") };
                assert!(ground(left) != ground(right), "{claim} does not hold");
            }
            Proof::Same => {
                let Formula::Not { formula, .. } = &node.claim else { panic!("{claim} is no equality") };
                let Formula::Distinct { left, right, .. } = &**formula else { panic!("{claim} is no equality") };
                assert!(ground(left) == ground(right), "{claim} does not hold");
            }
            Proof::Absent(fails) => {
                let Formula::Not { formula, .. } = &node.claim else { panic!("{claim} is no negation") };
                assert_eq!(**formula, self.why.node(*fails).claim);
                assert!(!self.why.node(*fails).holds(), "{claim} does not hold");
            }
            Proof::Unexplored => panic!("{claim} is left unexplored"),
        }
    }

    fn failure(&self, node: &ProofNode, failure: &FailureReason) {
        let claim = shown(&node.claim);
        match failure {
            FailureReason::Present(holds) => {
                let Formula::Not { .. } = &node.claim else { panic!("{claim} is no negation") };
                assert!(self.why.node(*holds).holds(), "{claim} holds");
            }
            FailureReason::Attempts(attempts) => {
                assert!(!attempts.is_empty(), "{claim} has attempts");
                for attempt in attempts {
                    assert!(attempt.held < attempt.literals, "{claim} fails at one of its literals");
                    assert!(!self.why.node(attempt.fails).holds(), "{claim}: what should fail holds");
                }
            }
            FailureReason::NoFact => {
                let Formula::Atom(atom) = &node.claim else { panic!("{claim} is no atom") };
                let matches = |fact: &GroundTerm| unify(&atom.arguments[0], &term(fact), &mut BTreeMap::new());
                assert!(!self.facts.iter().any(matches), "{claim} is a fact");
            }
            // All others are compared with the engine's answer.
            _ => {}
        }
    }

    /// The ground arguments of a claim that is an atom of this relation.
    fn arguments(&self, node: &ProofNode, relation: &str) -> Vec<GroundTerm> {
        let Formula::Atom(atom) = &node.claim else { panic!("{} is no atom", shown(&node.claim)) };
        assert_eq!(&*atom.relation.text, relation);
        atom.arguments.iter().map(|argument| ground(argument).expect("a claim that holds is ground")).collect()
    }

    /// Whether the claim is the head of the clause, and the premises its body, for some values of its variables.
    fn is_instance(&self, clause: &Clause, node: &ProofNode, premises: &[ClaimId]) -> bool {
        let mut values = Values::new();
        let Formula::Atom(head) = &node.claim else { return false };
        self.is_atom(clause.head.relation, &clause.head.arguments, head, &mut values)
            && self.are_premises(&clause.body, premises, &values)
    }

    /// Whether the premises are these literals, each a claim that holds; or, for a disjunction, the literals of a
    /// branch.
    fn are_premises(&self, literals: &[Literal], premises: &[ClaimId], values: &Values) -> bool {
        let [literal, others @ ..] = literals else { return premises.is_empty() };
        let whole = premises.split_first().is_some_and(|(&first, rest)| {
            let (claim, mut values) = (self.why.node(first), values.clone());
            claim.holds()
                && self.matches(literal, &claim.claim, &mut values)
                && self.are_premises(others, rest, &values)
        });
        let Literal::Or(branches, _) = literal else { return whole };
        whole
            || branches.iter().any(|branch| {
                let literals: Vec<Literal> = branch.iter().chain(others).cloned().collect();
                self.are_premises(&literals, premises, values)
            })
    }

    fn is_atom(&self, relation: RelationId, patterns: &[Pattern], atom: &ParsedAtom, values: &mut Values) -> bool {
        self.rules.relation_name(relation) == &*atom.relation.text && self.are(patterns, &atom.arguments, values)
    }

    fn matches(&self, literal: &Literal, claim: &Formula, values: &mut Values) -> bool {
        match (literal, claim) {
            (Literal::Atom(literal), Formula::Atom(atom)) => {
                self.is_atom(literal.relation, &literal.arguments, atom, values)
            }
            (Literal::Not(denied, _), Formula::Not { formula, .. }) => {
                // A disjunction in a negated conjunction may have been multiplied out; its failure is compared with the
                // engine.
                let spread = denied.len() > 1 && denied.iter().any(|literal| matches!(literal, Literal::Or(..)));
                self.all_match(denied, formula, values) || (spread && matches!(**formula, Formula::Or { .. }))
            }
            (Literal::Or(branches, _), Formula::Or { formulas, .. }) => {
                branches.len() == formulas.len()
                    && branches.iter().zip(formulas).all(|(branch, formula)| self.all_match(branch, formula, values))
            }
            (Literal::Distinct(left, right, _), Formula::Distinct { left: a, right: b, .. }) => {
                self.is(left, a, values) && self.is(right, b, values)
            }
            (Literal::Equal(left, right, _), Formula::Not { formula, .. }) => {
                let Formula::Distinct { left: a, right: b, .. } = &**formula else { return false };
                self.is(left, a, values) && self.is(right, b, values)
            }
            _ => false,
        }
    }

    fn all_match(&self, literals: &[Literal], claim: &Formula, values: &mut Values) -> bool {
        match (literals, claim) {
            ([literal], claim) => self.matches(literal, claim, values),
            (literals, Formula::And { formulas, .. }) => {
                literals.len() == formulas.len()
                    && literals.iter().zip(formulas).all(|(literal, claim)| self.matches(literal, claim, values))
            }
            _ => false,
        }
    }

    fn are(&self, patterns: &[Pattern], terms: &[Term], values: &mut Values) -> bool {
        patterns.len() == terms.len()
            && patterns.iter().zip(terms).all(|(pattern, term)| self.is(pattern, term, values))
    }

    fn is(&self, pattern: &Pattern, term: &Term, values: &mut Values) -> bool {
        match (pattern, term) {
            (Pattern::Variable(variable), _) => values.entry(*variable).or_insert_with(|| term.clone()) == term,
            (Pattern::Symbol(symbol), Term::Symbol(name)) => **self.rules.symbols.name(*symbol) == *name.text,
            (Pattern::Compound(symbol, patterns), Term::Compound { functor, arguments, .. }) => {
                **self.rules.symbols.name(*symbol) == *functor.text && self.are(patterns, arguments, values)
            }
            _ => false,
        }
    }

    /// Checks that the premises are the parts of a conjunction, with values for its variables.
    fn premises_of(&self, claim: &Formula, premises: &[ClaimId]) {
        let parts = match claim {
            Formula::And { formulas, .. } => &formulas[..],
            single => std::slice::from_ref(single),
        };
        assert_eq!(parts.len(), premises.len(), "{}", shown(claim));
        let mut values = BTreeMap::new();
        for (part, &premise) in parts.iter().zip(premises) {
            let premise = self.why.node(premise);
            assert!(premise.holds(), "{} does not hold", shown(&premise.claim));
            let (Some(part), Some(claim)) = (as_term(part), as_term(&premise.claim)) else {
                panic!("{}", shown(claim))
            };
            assert!(unify(&part, &claim, &mut values), "{} is no part", shown(&premise.claim));
        }
    }
}

fn ground(term: &Term) -> Option<GroundTerm> {
    GroundTerm::from_term(term)
}

/// A formula as one term, so that term matching applies to it.
fn as_term(formula: &Formula) -> Option<Term> {
    let all = |formulas: &[Formula]| formulas.iter().map(as_term).collect::<Option<Vec<_>>>();
    let (functor, arguments) = match formula {
        Formula::Atom(atom) => (&*atom.relation.text, atom.arguments.clone()),
        Formula::Not { formula, .. } => ("not", vec![as_term(formula)?]),
        Formula::And { formulas, .. } => ("and", all(formulas)?),
        Formula::Or { formulas, .. } => ("or", all(formulas)?),
        Formula::Distinct { left, right, .. } => ("distinct", vec![left.clone(), right.clone()]),
    };
    Some(Term::Compound { functor: name(functor), arguments, span: Span::default() })
}

/// Whether the second term is an instance of the first; `_` matches any term.
fn unify(pattern: &Term, term: &Term, values: &mut BTreeMap<String, Term>) -> bool {
    match (pattern, term) {
        (Term::Variable(name), _) if &*name.text == "_" => true,
        (Term::Variable(name), _) => values.entry(name.text.to_string()).or_insert_with(|| term.clone()) == term,
        (Term::Symbol(a), Term::Symbol(b)) => a.text == b.text,
        (Term::Compound { functor: a, arguments: left, .. }, Term::Compound { functor: b, arguments: right, .. }) => {
            a.text == b.text && left.len() == right.len() && left.iter().zip(right).all(|(l, r)| unify(l, r, values))
        }
        _ => false,
    }
}
