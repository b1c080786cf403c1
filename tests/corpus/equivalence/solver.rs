//! Questions to the SAT solver: whether something can be true where all hypotheses are.

use super::circuit::{Circuit, Literal};
use batsat::{Callbacks, Lit, Solver, SolverInterface, SolverOpts, lbool};
use std::cell::Cell;
use std::collections::HashMap;

/// The number of decisions and restarts that one question may take; a count, so that answers do not depend on the speed
/// of the machine.
const MOST_STEPS: u64 = 300_000;

/// The answer to a question.
pub(super) enum Answer {
    /// It is false wherever all hypotheses are true.
    Never,
    /// It can be true, with these nodes of the circuit true.
    Possible(Vec<usize>),
    /// The solver has taken too many steps.
    Unknown,
}

/// Counts the steps of a question.
#[derive(Default)]
struct Steps(Cell<u64>);

impl Callbacks for Steps {
    fn on_start(&mut self) {
        self.0.set(0);
    }

    fn stop(&self) -> bool {
        self.0.set(self.0.get() + 1);
        self.0.get() > MOST_STEPS
    }
}

/// A solver that knows some hypotheses, and the part of a circuit that has been asked about.
pub(super) struct Questions<'a> {
    circuit: &'a Circuit,
    solver: Solver<Steps>,
    variables: HashMap<usize, Lit>,
}

impl<'a> Questions<'a> {
    /// Questions under these hypotheses.
    pub(super) fn new(circuit: &'a Circuit, hypotheses: &[Literal]) -> Self {
        let solver = Solver::new(SolverOpts::default(), Steps::default());
        let mut questions = Self { circuit, solver, variables: HashMap::new() };
        for &hypothesis in hypotheses {
            let literal = questions.literal(hypothesis);
            questions.clause(&[literal]);
        }
        questions
    }

    /// Whether this can be true.
    pub(super) fn ask(&mut self, bad: Literal) -> Answer {
        if bad == Literal::FALSE {
            return Answer::Never;
        }
        let literal = self.literal(bad);
        match self.solver.solve_limited(&[literal]) {
            found if found == lbool::FALSE => {
                self.clause(&[!literal]);
                Answer::Never
            }
            found if found == lbool::TRUE => Answer::Possible(self.model()),
            _ => Answer::Unknown,
        }
    }

    fn model(&self) -> Vec<usize> {
        let is_true = |literal: &Lit| self.solver.value_lit(*literal) == lbool::TRUE;
        self.variables.iter().filter(|(_, literal)| is_true(literal)).map(|(&node, _)| node).collect()
    }

    /// The solver's literal, with clauses for everything below it (Tseitin, 1968).
    fn literal(&mut self, literal: Literal) -> Lit {
        let mut open = vec![literal.node()];
        while let Some(&node) = open.last() {
            if self.variables.contains_key(&node) {
                open.pop();
                continue;
            }
            let inputs = self.circuit.inputs(node).unwrap_or_default();
            let before = open.len();
            open.extend(inputs.iter().map(|input| input.node()).filter(|input| !self.variables.contains_key(input)));
            if open.len() == before {
                open.pop();
                self.define(node, inputs);
            }
        }
        self.known(literal)
    }

    /// Adds the variable of a node whose inputs have theirs.
    fn define(&mut self, node: usize, inputs: &[Literal]) {
        let value = Lit::new(self.solver.new_var_default(), true);
        self.variables.insert(node, value);
        if node == Literal::FALSE.node() {
            self.clause(&[!value]);
        }
        if inputs.is_empty() {
            return;
        }
        let inputs: Vec<Lit> = inputs.iter().map(|&input| self.known(input)).collect();
        for &input in &inputs {
            self.clause(&[!value, input]);
        }
        let all: Vec<Lit> = inputs.iter().map(|&input| !input).chain([value]).collect();
        self.clause(&all);
    }

    fn known(&self, literal: Literal) -> Lit {
        self.variables[&literal.node()].apply_sign(!literal.is_negated())
    }

    fn clause(&mut self, literals: &[Lit]) {
        self.solver.add_clause_reuse(&mut literals.to_vec());
    }
}
