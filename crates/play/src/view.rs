//! A match as one role knows it: its own moves and percepts, and the states that it thinks possible.
//!
//! A referee computes the percepts from the joint moves of the match, as a game master sends them. What chooses moves
//! gets the observations, and never the state.

use crate::{LastTurn, PlayerError};
use gdl::limits::Limits;
use gdl::rules::GroundTerm;
use ggp_engine::Game;
use ggp_engine::interpreter::{Interpreter, State};
use ggp_game::{Move, PerceptReasoner, ReasonError, Reasoner, Role};
use ggp_search::{Budget, Observation, PossibleStates, ViewStep, possible_states, possible_states_after};
use std::sync::Arc;
use std::sync::atomic::AtomicBool;

/// The most states that are held possible at a time.
const MOST_POSSIBLE: usize = 1_000;

/// The true state of a match, of which a role is told only its percepts.
pub(crate) struct Referee {
    rules: Interpreter,
    state: State,
    role: Role,
    /// The number of joint moves so far.
    turn: usize,
}

impl Referee {
    /// The referee of a match whose rules define `sees`; `None` if they do not, and every role is told the joint move.
    ///
    /// # Errors
    /// If the rules give no first state.
    pub(crate) fn of_match(game: &Game, role: Role) -> Result<Option<Self>, ReasonError> {
        if !game.rules.has_percepts() {
            return Ok(None);
        }
        let mut rules = game.interpreter.fork();
        let state = rules.initial_state()?;
        Ok(Some(Self { rules, state, role, turn: 0 }))
    }

    /// Makes a joint move, and returns what the role knows of it; `None` at the first turn.
    ///
    /// # Errors
    /// If the rules give no answer; the state then stays as it is.
    pub(crate) fn tell(&mut self, joint_move: Option<&[GroundTerm]>) -> Result<LastTurn, ReasonError> {
        let Some(joint_move) = joint_move else {
            return Ok(LastTurn::View { turn: self.turn, chosen: None, percepts: Vec::new() });
        };
        let moves = joint_move.iter().map(|chosen| self.rules.find_move(chosen));
        let moves = moves.collect::<Result<Vec<Move>, _>>()?;
        let percepts = self.rules.percept_terms(&self.state, &moves, self.role)?;
        self.state = self.rules.next_state(&self.state, &moves)?;
        self.turn += 1;
        let chosen = Some(joint_move[self.role.index()].clone());
        Ok(LastTurn::View { turn: self.turn, chosen, percepts })
    }
}

/// A match as the role of a player knows it.
pub(crate) struct ViewedMatch {
    /// Tells the percepts, if the player is told joint moves.
    referee: Option<Referee>,
    /// The rules, which number the moves and percepts of the observations.
    pub(crate) rules: Interpreter,
    pub(crate) role: Role,
    /// The first state, which all roles know.
    pub(crate) first: State,
    /// What the role knows of each joint move.
    pub(crate) observations: Vec<Observation>,
    /// The states that are possible after the first observations, and the number of these.
    possible: Option<(PossibleStates<State>, usize)>,
}

impl ViewedMatch {
    /// A match that begins; the interrupt stops the search for possible states.
    ///
    /// # Errors
    /// If the rules give no first state.
    pub(crate) fn new(game: &Game, role: Role, interrupt: Arc<AtomicBool>) -> Result<Self, ReasonError> {
        // The referee is stopped with the match alone: it follows the match when the player is late.
        let referee = Referee::of_match(game, role)?;
        let mut rules = game.interpreter.fork();
        let first = rules.initial_state()?;
        let memory = rules.limits().memory();
        rules.set_limits(Limits::new().with_memory(memory).with_interrupt(interrupt));
        Ok(Self { referee, rules, role, first, observations: Vec::new(), possible: None })
    }

    /// Adds what the role knows of the last turn.
    ///
    /// # Errors
    /// If that is not the turn after those that are known, or the rules give no answer; nothing is added then.
    pub(crate) fn follow(&mut self, last: &LastTurn) -> Result<(), PlayerError> {
        match last {
            LastTurn::JointMove(None) => {}
            LastTurn::JointMove(Some(joint_move)) => match &mut self.referee {
                Some(referee) => {
                    let told = referee.tell(Some(joint_move))?;
                    self.follow(&told)?;
                }
                None => {
                    let moves = joint_move.iter().map(|chosen| self.rules.find_move(chosen));
                    let moves = moves.collect::<Result<Vec<Move>, _>>()?;
                    // Without `sees` the observation is the joint move, in whatever state.
                    let observation = Observation::of(&mut self.rules, &self.first, &moves, self.role)?;
                    self.observations.push(observation);
                }
            },
            LastTurn::View { .. } if !self.rules.has_percepts() => {
                return Err(PlayerError::WrongForm("the rules have no `sees`, so the last joint move is needed"));
            }
            LastTurn::View { turn: 0, .. } if self.observations.is_empty() => {}
            LastTurn::View { turn, chosen, percepts } if *turn == self.observations.len() + 1 => {
                let missing = PlayerError::WrongForm("the last move of the role is missing");
                let chosen = chosen.as_ref().ok_or(missing)?;
                self.observations.push(Observation::told(&mut self.rules, chosen, percepts)?);
            }
            LastTurn::View { turn, .. } => {
                return Err(PlayerError::WrongTurn { expected: self.observations.len(), found: *turn });
            }
        }
        Ok(())
    }

    /// What the role knows of each joint move, in terms; `choices` says of each whether the role had a choice.
    pub(crate) fn steps(&self, choices: &[bool]) -> Vec<ViewStep> {
        let steps = self.observations.iter().zip(choices);
        steps.map(|(seen, &is_choice)| seen.named(&self.rules, self.role, is_choice)).collect()
    }

    /// The states that are possible now; `None` if they were not found within the budget.
    ///
    /// # Errors
    /// If the rules give no answer in some state.
    pub(crate) fn possible(
        &mut self,
        seed: u64,
        budget: &Budget,
    ) -> Result<Option<PossibleStates<State>>, PlayerError> {
        let Self { rules, role, first, observations, possible, .. } = self;
        let (mut states, mut known) = match possible.take() {
            Some(known) => known,
            None => (PossibleStates::known(first.clone(), rules.roles().len()), 0),
        };
        while known < observations.len() && !states.states.is_empty() {
            let last = &observations[known];
            let outcome = possible_states_after(rules, states.clone(), *role, last, MOST_POSSIBLE, seed, budget)?;
            let Some(after) = outcome.answer else { break };
            states = after;
            known += 1;
        }
        if (states.states.is_empty() && !states.is_complete) || known < observations.len() {
            // The sample has died out: it is drawn again along the whole match.
            let outcome = possible_states(rules, first, *role, observations, MOST_POSSIBLE, seed, budget)?;
            if let Some(again) = outcome.answer {
                states = again;
                known = observations.len();
            }
        }
        let found = (known == observations.len()).then(|| states.clone());
        *possible = Some((states, known));
        Ok(found)
    }

    /// The legal moves of the role now, in canonical order, which are the same in all states that it thinks possible;
    /// none if the game is over there. `None` if no possible state was found within the budget.
    ///
    /// # Errors
    /// If no state agrees with the last observation, which is then dropped, or the rules give no answer.
    pub(crate) fn legal(&mut self, budget: &Budget) -> Result<Option<Vec<GroundTerm>>, PlayerError> {
        let seed = self.observations.len() as u64;
        let Some(PossibleStates { states, is_complete }) = self.possible(seed, budget)? else { return Ok(None) };
        if states.is_empty() && is_complete {
            self.observations.pop();
            self.possible = None;
            return Err(PlayerError::Inconsistent);
        }
        if states.is_empty() {
            return Ok(None);
        }
        for (possible, _) in &states {
            if !self.rules.is_terminal(&possible.state)? {
                let mut legal = Vec::new();
                self.rules.legal_moves(&possible.state, self.role, &mut legal)?;
                return Ok(Some(legal.into_iter().map(|chosen| self.rules.move_term(chosen)).collect()));
            }
        }
        Ok(Some(Vec::new()))
    }
}
