//! Random games in which every state is checked against the rule sheet: `ggp check --simulate`.

use crate::game::LONGEST_PLAYOUT;
use crate::interpreter::QueryError;
use crate::{Engine, EngineError, EngineState, Game, promised};
use gdl::diagnostic::{Code, Diagnostic};
use gdl::rules::check::in_play::{ENDLESS, GOALS, NO_GOAL, NO_MOVE, OUTSIDE_BASE, OUTSIDE_INPUT};
use gdl::rules::check::{GOAL_VALUE, is_goal_value};
use gdl::rules::{GroundTerm, Keyword};
use gdl::syntax::Dialect;
use ggp_game::{Chance, JointMoves, Move, ReasonError, Reasoner, Role};
use rustc_hash::FxHashSet;
use std::collections::BTreeMap;

/// The greatest number of joint moves of one game; a longer game is reported as one that may not end.
pub const LONGEST_GAME: usize = LONGEST_PLAYOUT;

/// The number of facts that are shown with a problem.
const SHOWN_FACTS: usize = 30;

/// The reason for which a simulation could not continue.
#[derive(Debug, thiserror::Error)]
pub enum SimulationError {
    /// The engine has no answer.
    #[error(transparent)]
    Reason(#[from] ReasonError),
    /// The engine cannot be set up.
    #[error(transparent)]
    Engine(#[from] EngineError),
    /// The declared facts or moves cannot be listed.
    #[error(transparent)]
    Query(#[from] QueryError),
}

/// Plays this number of random games and reports problems of the states that they reach: each kind of problem once for
/// each role, in the first state that has it. The same seed plays the same games.
pub fn simulate(game: &mut Game, games: u64, seed: u64) -> Result<Vec<Diagnostic>, SimulationError> {
    let base = promised_set(game, Keyword::Base)?;
    let input = promised_set(game, Keyword::Input)?;
    let dialect = game.sheet.dialect;
    let has_goal_values = game.rules.utilities.is_empty();
    let engine = game.engine()?;
    let random = Chance::new(seed);
    let found = BTreeMap::new();
    let number = 0;
    let moves = Vec::new();
    let mut simulation = Simulation { engine, dialect, base, input, random, has_goal_values, found, number, moves };
    for number in 1..=games {
        simulation.number = number;
        simulation.moves.clear();
        simulation.play()?;
    }
    Ok(simulation.found.into_values().collect())
}

struct Simulation<'a> {
    engine: &'a mut Engine,
    /// The dialect in which terms are shown.
    dialect: Dialect,
    base: Option<FxHashSet<Vec<GroundTerm>>>,
    input: Option<FxHashSet<Vec<GroundTerm>>>,
    random: Chance,
    /// True if goal values are themselves the utilities, so that a utility shows its goal value.
    has_goal_values: bool,
    /// The first problem of each kind and role.
    found: BTreeMap<(&'static str, usize), Diagnostic>,
    /// The number of the current game, from 1.
    number: u64,
    /// Its joint moves so far.
    moves: Vec<Vec<Move>>,
}

impl Simulation<'_> {
    fn play(&mut self) -> Result<(), ReasonError> {
        let mut state = self.engine.initial_state()?;
        loop {
            self.check_facts(&state);
            if self.engine.is_terminal(&state)? {
                return self.check_goals(&state);
            }
            if self.moves.len() == LONGEST_GAME {
                self.report(&ENDLESS, 0, "a random game did not end".to_string(), &state);
                return Ok(());
            }
            let mut joint_moves = match JointMoves::in_state(self.engine, &state) {
                Ok(joint_moves) => joint_moves,
                Err(ReasonError::NoLegalMove { role }) => {
                    let index = self.engine.roles().iter().position(|other| *other == role);
                    let index = index.expect("only a role of the game can be without a move");
                    let message = format!("{role} has no legal move, and the game is not over");
                    self.report(&NO_MOVE, index, message, &state);
                    return Ok(());
                }
                Err(error) => return Err(error),
            };
            self.check_moves(&joint_moves, &state);
            for index in 0..self.engine.roles().len() {
                let role = Role::new(index);
                joint_moves.choose(role, self.random.below(joint_moves.legal(role).len()));
            }
            state = self.engine.next_state(&state, joint_moves.current())?;
            self.moves.push(joint_moves.current().to_vec());
        }
    }

    fn check_facts(&mut self, state: &EngineState) {
        let Some(base) = &self.base else { return };
        let facts = self.engine.facts(state);
        if let Some(fact) = facts.into_iter().find(|fact| !base.contains(std::slice::from_ref(fact))) {
            let message = format!("`{}` holds, and `base` does not have it", self.show(&fact));
            self.report(&OUTSIDE_BASE, 0, message, state);
        }
    }

    fn check_moves(&mut self, joint_moves: &JointMoves, state: &EngineState) {
        let Some(input) = &self.input else { return };
        let mut outside = Vec::new();
        for (index, role) in self.engine.roles().iter().enumerate() {
            let moves = joint_moves.legal(Role::new(index)).iter().map(|&chosen| self.engine.move_term(chosen));
            let unknown = moves.map(|chosen| vec![role.clone(), chosen]).find(|pair| !input.contains(pair));
            outside.extend(unknown.map(|pair| (index, pair)));
        }
        for (index, pair) in outside {
            let message = format!("`{}` is legal for {}, and `input` does not have it", self.show(&pair[1]), pair[0]);
            self.report(&OUTSIDE_INPUT, index, message, state);
        }
    }

    fn check_goals(&mut self, state: &EngineState) -> Result<(), ReasonError> {
        for index in 0..self.engine.roles().len() {
            let (code, message) = match self.engine.goal(state, Role::new(index)) {
                Ok(utility) if !self.has_goal_values || is_goal_value(&utility.to_string()) => continue,
                Ok(utility) => {
                    let role = &self.engine.roles()[index];
                    let message = format!(
                        "the goal value of {role} in a terminal state is {utility}, which is not an integer from 0 to 100"
                    );
                    (&GOAL_VALUE, message)
                }
                // Chance has no aim, so it needs no goal value.
                Err(ReasonError::GoalUndefined { role }) if role.is_chance() => continue,
                Err(ReasonError::GoalUndefined { role }) => {
                    (&NO_GOAL, format!("{role} has no goal value in a terminal state"))
                }
                Err(ReasonError::GoalNotUnique { role, values }) => {
                    let values = self.list(&values, values.len());
                    (&GOALS, format!("{role} has more than one goal value in a terminal state: {values}"))
                }
                Err(ReasonError::GoalNotInteger { role, value }) => {
                    let value = self.show(&value);
                    (
                        &GOALS,
                        format!("the goal value of {role} in a terminal state is {value}, which is not an integer"),
                    )
                }
                Err(error) => return Err(error),
            };
            self.report(code, index, message, state);
        }
        Ok(())
    }

    /// Records a problem of a state with the moves that led there, unless one of its kind has been found for this role.
    fn report(&mut self, code: &'static Code, role: usize, message: String, state: &EngineState) {
        if self.found.contains_key(&(code.id, role)) {
            return;
        }
        let way = match self.moves.len() {
            0 => "in the initial state".to_string(),
            1 => format!("in random game {}, after {}", self.number, self.line_text()),
            steps => format!("in random game {}, after {steps} joint moves: {}", self.number, self.line_text()),
        };
        let facts = self.engine.facts(state);
        let state = if facts.is_empty() { "nothing holds".to_string() } else { self.list(&facts, SHOWN_FACTS) };
        let problem = Diagnostic::of_sheet(code, message).with_help(format!("{way}\nthe state: {state}"));
        self.found.insert((code.id, role), problem);
    }

    fn line_text(&self) -> String {
        line_text(self.engine, &self.moves, self.dialect)
    }

    fn list(&self, terms: &[GroundTerm], most: usize) -> String {
        let shown = terms.iter().take(most).map(|term| self.show(term));
        let more = (terms.len() > most).then(|| format!("and {} more", terms.len() - most));
        shown.chain(more).collect::<Vec<_>>().join(", ")
    }

    /// A term in the dialect of the rule sheet.
    fn show(&self, term: &GroundTerm) -> String {
        term.display(self.dialect).to_string()
    }
}

/// The declarations of `base` or `input`; `None` if the rule sheet does not define the relation.
fn promised_set(game: &mut Game, keyword: Keyword) -> Result<Option<FxHashSet<Vec<GroundTerm>>>, QueryError> {
    Ok(promised(game, keyword)?.map(|rows| rows.into_iter().collect()))
}

/// The number of last joint moves that are shown.
const SHOWN_MOVES: usize = 12;

/// The last joint moves of a line, in the dialect of the rule sheet; in a game of one role without brackets.
pub(super) fn line_text(reasoner: &impl Reasoner, line: &[Vec<Move>], dialect: Dialect) -> String {
    let left_out = line.len().saturating_sub(SHOWN_MOVES);
    let joint_moves = line[left_out..].iter().map(|joint_move| {
        let terms = joint_move.iter().map(|&chosen| reasoner.move_term(chosen));
        let moves: Vec<String> = terms.map(|term| term.display(dialect).to_string()).collect();
        if let [only] = &moves[..] { only.clone() } else { format!("[{}]", moves.join(", ")) }
    });
    let start = (left_out > 0).then(|| "…".to_string());
    start.into_iter().chain(joint_moves).collect::<Vec<_>>().join(", ")
}
