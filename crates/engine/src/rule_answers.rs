//! The interpreter as the rules that a large network may ask ([`RuleAnswers`]): it answers for states of the network,
//! which are translated bit by bit.

use crate::interpreter::{Interpreter, State};
use crate::program::{FluentStorage, Program};
use crate::propnet::RuleAnswers;
use ggp_game::{Fluent, Move, ReasonError, Reasoner, Role};
use std::sync::Arc;

/// A question that needs more steps than this is left to the network: about a tenth of a second.
const MOST_STEPS: u64 = 1 << 20;

/// The number of bits of a word of a state.
const BITS: usize = usize::BITS as usize;

/// The interpreter beside a network.
#[derive(Clone, Debug)]
pub(super) struct InterpreterAnswers {
    interpreter: Interpreter,
    terms: Arc<NetworkTerms>,
    /// The state that was asked about last, and the one that was computed last: play asks about it next.
    asked: Translated,
    computed: Translated,
    /// Scratch.
    fluents: Vec<Fluent>,
    moves: Vec<Move>,
}

/// A state in both forms.
#[derive(Clone, Debug)]
struct Translated {
    words: Vec<usize>,
    state: State,
}

/// The numbers of facts and moves in a network and in the interpreter.
#[derive(Debug)]
struct NetworkTerms {
    program: Arc<Program>,
    /// The facts that hold in all states.
    always: Vec<Fluent>,
    /// For each bit, the facts that hold if it is set.
    of_bit: Vec<Vec<Fluent>>,
    /// For each fact of the interpreter, its bit, [`WITHOUT_BIT`] or [`UNKNOWN`]. Facts from the end on are unknown.
    bit_of: Vec<u32>,
    /// For each move of the program, that of the interpreter.
    moves: Vec<Move>,
    /// For each role, the move of the program for each move of the interpreter, or [`UNKNOWN`].
    index_of: Vec<Vec<u32>>,
}

/// The entry of a fact or a move that the network does not know.
const UNKNOWN: u32 = u32::MAX;

/// The entry of a fact that always holds, or has the bit of another.
const WITHOUT_BIT: u32 = u32::MAX - 1;

/// Sets an entry of a table, which grows as needed.
fn enter(table: &mut Vec<u32>, index: usize, entry: u32) {
    if index >= table.len() {
        table.resize(index + 1, UNKNOWN);
    }
    table[index] = entry;
}

impl InterpreterAnswers {
    /// Answers about the states of this program.
    ///
    /// # Errors
    /// If the interpreter cannot keep a term of the program, or has no initial state.
    pub(super) fn new(mut interpreter: Interpreter, program: &Arc<Program>) -> Result<Self, ReasonError> {
        let terms = Arc::new(NetworkTerms::new(&mut interpreter, program)?);
        let words = program.initial.as_slice().to_vec();
        let mut fluents = Vec::new();
        terms.list_fluents(&words, &mut fluents);
        let state = interpreter.state_from_fluents(&fluents)?;
        let initial = Translated { words, state };
        let computed = initial.clone();
        Ok(Self { interpreter, terms, asked: initial, computed, fluents, moves: Vec::new() })
    }

    /// Makes a state the one that is asked about.
    fn go_to(&mut self, state: &[usize]) -> Option<()> {
        self.interpreter.limit_steps(Some(MOST_STEPS));
        if self.asked.words == state {
            return Some(());
        }
        if self.computed.words == state {
            self.asked.clone_from(&self.computed);
            return Some(());
        }
        self.terms.list_fluents(state, &mut self.fluents);
        let found = self.interpreter.state_from_fluents(&self.fluents).ok()?;
        self.asked.words.copy_from_slice(state);
        self.asked.state = found;
        Some(())
    }
}

impl RuleAnswers for InterpreterAnswers {
    fn fork(&self) -> Box<dyn RuleAnswers> {
        Box::new(self.clone())
    }

    fn is_terminal(&mut self, state: &[usize]) -> Option<bool> {
        self.go_to(state)?;
        self.interpreter.is_terminal(&self.asked.state).ok()
    }

    fn legal_moves(&mut self, state: &[usize], role: usize, moves: &mut Vec<u32>) -> Option<()> {
        self.go_to(state)?;
        self.interpreter.legal_moves(&self.asked.state, Role::new(role), &mut self.moves).ok()?;
        moves.clear();
        let known = &self.terms.index_of[role];
        for chosen in &self.moves {
            moves.push(*known.get(chosen.index()).filter(|&&index| index != UNKNOWN)?);
        }
        Some(())
    }

    fn next_state(&mut self, state: &[usize], joint_move: &[u32], next: &mut [usize]) -> Option<()> {
        self.go_to(state)?;
        self.moves.clear();
        self.moves.extend(joint_move.iter().map(|&chosen| self.terms.moves[chosen as usize]));
        let found = self.interpreter.next_state(&self.asked.state, &self.moves).ok()?;
        self.interpreter.fluents(&found, &mut self.fluents);
        let Some(()) = self.terms.write(&self.fluents, &mut self.computed.words) else {
            // The words of some of its facts are those of another state.
            self.computed.clone_from(&self.asked);
            return None;
        };
        self.computed.state = found;
        next.copy_from_slice(&self.computed.words);
        Some(())
    }

    fn goals(&mut self, state: &[usize], role: usize) -> Option<Vec<usize>> {
        self.go_to(state)?;
        let role = Role::new(role);
        let program = &self.terms.program;
        let of_role = program.goals_of(role);
        let index = |value| {
            let index = program.goals[of_role.clone()].binary_search_by(|goal| goal.value.cmp(&value)).ok()?;
            Some(of_role.start + index)
        };
        self.interpreter.goal_values(&self.asked.state, role).ok()?.into_iter().map(index).collect()
    }
}

impl NetworkTerms {
    fn new(interpreter: &mut Interpreter, program: &Arc<Program>) -> Result<Self, ReasonError> {
        let mut terms = Self {
            program: Arc::clone(program),
            always: Vec::new(),
            of_bit: vec![Vec::new(); program.bits()],
            bit_of: Vec::new(),
            moves: Vec::with_capacity(program.moves.len()),
            index_of: vec![Vec::new(); program.roles.len()],
        };
        for (index, (fact, storage)) in program.facts.iter().enumerate() {
            let Some(fluent) = interpreter.find_fluent(fact)? else { continue };
            let own = match storage {
                FluentStorage::Always(false) => continue,
                FluentStorage::Always(true) => {
                    terms.always.push(fluent);
                    enter(&mut terms.bit_of, fluent.index(), WITHOUT_BIT);
                    continue;
                }
                FluentStorage::Own => index,
                FluentStorage::Same(other) => other.index(),
            };
            let Some(bit) = program.bit_of[own] else { continue };
            terms.of_bit[bit as usize].push(fluent);
            enter(&mut terms.bit_of, fluent.index(), if own == index { bit } else { WITHOUT_BIT });
        }
        for (index, known) in (0..).zip(&program.moves) {
            let chosen = interpreter.find_move(&known.term)?;
            terms.moves.push(chosen);
            enter(&mut terms.index_of[known.role.index()], chosen.index(), index);
        }
        Ok(terms)
    }

    /// Replaces `fluents` by the facts of a state of the network.
    fn list_fluents(&self, words: &[usize], fluents: &mut Vec<Fluent>) {
        fluents.clone_from(&self.always);
        for (index, &word) in words.iter().enumerate() {
            let mut bits = word;
            while bits != 0 {
                fluents.extend_from_slice(&self.of_bit[index * BITS + bits.trailing_zeros() as usize]);
                bits &= bits - 1;
            }
        }
    }

    /// Writes the bits of these facts; `None` if the network does not know one.
    fn write(&self, fluents: &[Fluent], words: &mut [usize]) -> Option<()> {
        words.fill(0);
        for fluent in fluents {
            match *self.bit_of.get(fluent.index())? {
                UNKNOWN => return None,
                WITHOUT_BIT => {}
                bit => words[bit as usize / BITS] |= 1 << (bit as usize % BITS),
            }
        }
        Some(())
    }
}
