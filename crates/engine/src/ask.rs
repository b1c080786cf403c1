//! Questions to a game with owned answers: terms go in and come out, never the ids of an engine.
//!
//! A state belongs to the game that made it. Questions about the state of another game, also of the same sheet loaded a
//! second time, end with [`ReasonError::OtherGame`].

use super::simulate::LONGEST_GAME;
use super::{Game, Playout, playout};
use crate::interpreter::explain::render;
use crate::interpreter::{Justification, QueryError, Solutions, State};
use gdl::diagnostic::Diagnostic;
use gdl::rules::GroundTerm;
use gdl::suggestion::{did_you_mean_or, nearest};
use gdl::syntax::ast::Formula;
use gdl::syntax::{Source, parse_query};
use ggp_game::{Chance, JointMoves, ReasonError, Reasoner, Role, Utility};
use std::fmt;

/// Why a question to a [`Game`] has no answer.
#[derive(Debug, thiserror::Error)]
pub enum AskError {
    /// The text of a query or of a literal cannot be parsed.
    #[error("{}", diagnostics.first().map_or("this cannot be parsed", |first| first.message.as_str()))]
    Syntax {
        /// The text of the query or literal.
        text: Source,
        /// The problems of the text, with positions.
        diagnostics: Vec<Diagnostic>,
    },
    /// An explanation was requested for several literals.
    #[error("one literal can be explained at a time, and here are {found}")]
    OneLiteral {
        /// The number of literals in the text.
        found: usize,
    },
    /// The game has no role of this name.
    #[error("the game has no role `{name}`{}", did_you_mean_or(near, ""))]
    UnknownRole {
        /// The unknown name, as a term.
        name: String,
        /// Roles with a similar name.
        near: Vec<String>,
    },
    /// The number of moves differs from the number of roles.
    #[error("{found} moves for {expected} roles")]
    WrongNumber {
        /// The number of roles of the game.
        expected: usize,
        /// The number of given moves.
        found: usize,
    },
    /// A move is not legal.
    #[error("`{chosen}` is not legal for {role}{}", did_you_mean_or(near, ""))]
    IllegalMove {
        /// The role for which the move is not legal.
        role: GroundTerm,
        /// The move that is not legal.
        chosen: GroundTerm,
        /// Legal moves with a similar text.
        near: Vec<String>,
    },
    /// The state is terminal, so no move can be made.
    #[error("the game is over")]
    Over,
    /// The query cannot be answered.
    #[error(transparent)]
    Query(#[from] QueryError),
    /// The interpreter has no answer.
    #[error(transparent)]
    Reason(#[from] ReasonError),
}

/// Why a literal holds, or why it does not. Its text is a tree with one claim on each line, and the reasons indented
/// below it.
#[derive(Clone, Debug)]
pub struct Explanation {
    /// The claims, with the claims on which each depends.
    pub why: Justification,
    /// The text of the rules, to whose lines the claims refer.
    source: Source,
}

impl fmt::Display for Explanation {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        formatter.write_str(&render::text(&self.why, &self.source, None))
    }
}

impl Game {
    /// The roles, in the order of the rule sheet, which is that of joint moves.
    pub fn roles(&self) -> &[GroundTerm] {
        self.interpreter.roles()
    }

    /// The role with this name.
    pub fn role(&self, name: &str) -> Result<Role, AskError> {
        let found = name.parse().ok().and_then(|name| self.roles().iter().position(|role: &GroundTerm| *role == name));
        found.map(Role::new).ok_or_else(|| {
            let names: Vec<String> = self.roles().iter().map(ToString::to_string).collect();
            AskError::UnknownRole { name: name.to_string(), near: similar_names(name, &names) }
        })
    }

    /// The state in which the facts of `init` hold.
    pub fn initial_state(&mut self) -> Result<State, ReasonError> {
        self.interpreter.initial_state()
    }

    /// The state in which exactly these facts hold, whether or not play can reach it.
    ///
    /// # Errors
    /// If a term is nested too deep.
    pub fn state_from_facts(&mut self, facts: &[GroundTerm]) -> Result<State, ReasonError> {
        let state = self.interpreter.state_from_facts(facts)?;
        self.has_set_states = true;
        Ok(state)
    }

    /// The facts of a state, in canonical order.
    ///
    /// # Panics
    /// If the state is of another game.
    pub fn facts(&self, state: &State) -> Vec<GroundTerm> {
        self.interpreter.facts(state)
    }

    /// Whether the game is over in a state.
    pub fn is_terminal(&mut self, state: &State) -> Result<bool, ReasonError> {
        self.interpreter.is_terminal(state)
    }

    /// The legal moves of a role in a state, in canonical order.
    ///
    /// # Errors
    /// If a limit of the game is met.
    pub fn legal(&mut self, state: &State, role: Role) -> Result<Vec<GroundTerm>, ReasonError> {
        let mut moves = Vec::new();
        self.interpreter.legal_moves(state, role, &mut moves)?;
        Ok(moves.into_iter().map(|chosen| self.interpreter.move_term(chosen)).collect())
    }

    /// The utility of a state for a role.
    pub fn goal(&mut self, state: &State, role: Role) -> Result<Utility, ReasonError> {
        self.interpreter.goal(state, role)
    }

    /// The state after a joint move, given in the order of the roles.
    pub fn next(&mut self, state: &State, joint_move: &[GroundTerm]) -> Result<State, AskError> {
        let mut legal = self.joint_moves(state)?;
        let expected = self.roles().len();
        if joint_move.len() != expected {
            return Err(AskError::WrongNumber { expected, found: joint_move.len() });
        }
        for (index, chosen) in joint_move.iter().enumerate() {
            self.choose(&mut legal, Role::new(index), chosen)?;
        }
        Ok(self.interpreter.next_state(state, legal.current())?)
    }

    /// Plays from a state until the game is over, or for [`LONGEST_GAME`] joint moves: each role makes each of its
    /// legal moves with the same probability. The same seed plays the same moves on every machine.
    pub fn playout(&mut self, state: &State, seed: u64) -> Result<Playout<State, GroundTerm>, ReasonError> {
        let line = playout(&mut self.interpreter, state, &mut Chance::new(seed), LONGEST_GAME)?;
        Ok(line.with_terms(&self.interpreter))
    }

    /// All solutions of a query in a state, in either dialect: `true(cell(R,C,x)) & ~true(cell(R,1,b))`.
    ///
    /// # Errors
    /// If the text does not parse, nothing binds a variable of a negation, or a limit of the game is met.
    pub fn query(&mut self, state: &State, query: &str) -> Result<Solutions, AskError> {
        Ok(self.interpreter.query(Some(state), None, &parsed(query)?)?)
    }

    /// Why a literal such as `legal(x,mark(1,1))` holds in a state, or why it does not. For a literal with variables
    /// the first solution is explained.
    pub fn why(&mut self, state: &State, literal: &str) -> Result<Explanation, AskError> {
        match &parsed(literal)?[..] {
            [literal] => {
                let why = self.interpreter.why(state, None, literal)?;
                Ok(Explanation { why, source: self.source.clone() })
            }
            several => Err(AskError::OneLiteral { found: several.len() }),
        }
    }

    /// The joint moves of a state.
    pub fn joint_moves(&mut self, state: &State) -> Result<JointMoves, AskError> {
        if self.is_terminal(state)? {
            return Err(AskError::Over);
        }
        Ok(JointMoves::in_state(&mut self.interpreter, state)?)
    }

    /// Sets a role's move in a joint move.
    pub fn choose(&self, legal: &mut JointMoves, role: Role, term: &GroundTerm) -> Result<(), AskError> {
        if let Some(index) = self.move_index(legal, role, term) {
            legal.choose(role, index);
            return Ok(());
        }
        let moves = legal.legal(role).iter().map(|&chosen| self.interpreter.move_term(chosen).to_string());
        let near = similar_names(&term.to_string(), &moves.collect::<Vec<String>>());
        Err(AskError::IllegalMove { role: self.roles()[role.index()].clone(), chosen: term.clone(), near })
    }

    /// The index of a move among a role's legal moves.
    pub fn move_index(&self, legal: &JointMoves, role: Role, term: &GroundTerm) -> Option<usize> {
        legal.legal(role).iter().position(|&chosen| self.interpreter.move_term(chosen) == *term)
    }
}

fn parsed(query: &str) -> Result<Vec<Formula>, AskError> {
    let text = Source::new("query", query);
    parse_query(&text, None).map_err(|diagnostics| AskError::Syntax { text, diagnostics })
}

fn similar_names(name: &str, known: &[String]) -> Vec<String> {
    nearest(name, known.iter().map(String::as_str)).into_iter().map(str::to_string).collect()
}
