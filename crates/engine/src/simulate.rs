//! Random games in which every state is checked against the rule sheet: `ggp check`, and with more games `ggp check
//! --simulate`.

use crate::game::LONGEST_PLAYOUT;
use crate::idle_roles::IdleRoles;
use crate::interpreter::QueryError;
use crate::play_report::PlayedProblem;
use crate::{EngineError, Game, promised};
use gdl::diagnostic::{Code, Diagnostic};
use gdl::rules::check::in_play::{ENDLESS, GOALS, NO_GOAL, NO_MOVE, OUTSIDE_BASE, OUTSIDE_INPUT};
use gdl::rules::check::{GOAL_VALUE, is_goal_value};
use gdl::rules::{GroundTerm, Keyword, RuleSet};
use gdl::syntax::Dialect;
use ggp_game::{Chance, JointMoves, Move, ReasonError, Reasoner, Role};
use rustc_hash::FxHashSet;
use std::collections::BTreeMap;

/// The greatest number of joint moves of one game; a longer game is reported as one that may not end.
pub const LONGEST_GAME: usize = LONGEST_PLAYOUT;

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
/// each role, with the shortest line that leads to one. The same seed plays the same games.
pub fn simulate(game: &mut Game, games: u64, seed: u64) -> Result<Vec<Diagnostic>, SimulationError> {
    let promises = Promises::of_game(game)?;
    let mut simulation = Simulation::new(game.engine()?, promises, seed);
    for _ in 0..games {
        simulation.play(&mut ())?;
    }
    let found = simulation.into_found();
    Ok(found.iter().map(|problem| problem.diagnostic(game)).collect())
}

/// The promises of a sheet about its states.
pub(super) struct Promises {
    /// The facts of `base`; `None` if the sheet does not define it.
    base: Option<FxHashSet<Vec<GroundTerm>>>,
    /// The roles with their moves of `input`; `None` if the sheet does not define it.
    input: Option<FxHashSet<Vec<GroundTerm>>>,
    /// True if goal values are themselves the utilities, so that a utility shows its goal value.
    has_goal_values: bool,
    /// The dialect in which terms are shown.
    dialect: Dialect,
    /// The move of roles without control, in a game with operations.
    idle: Option<GroundTerm>,
}

impl Promises {
    pub(super) fn of_game(game: &mut Game) -> Result<Self, QueryError> {
        let base = promised_set(game, Keyword::Base)?;
        let input = promised_set(game, Keyword::Input)?;
        Ok(Self { base, input, ..Self::undeclared(game) })
    }

    /// As if the sheet had neither `base` nor `input`.
    pub(super) fn undeclared(game: &Game) -> Self {
        let has_goal_values = game.rules.utilities.is_empty();
        let idle = game.rules.idle_move();
        Self { base: None, input: None, has_goal_values, dialect: game.sheet.dialect, idle }
    }
}

/// The declarations of `base` or `input`; `None` if the rule sheet does not define the relation.
fn promised_set(game: &mut Game, keyword: Keyword) -> Result<Option<FxHashSet<Vec<GroundTerm>>>, QueryError> {
    Ok(promised(game, keyword)?.map(|rows| rows.into_iter().collect()))
}

/// An observer of the moves of random games.
pub(super) trait StepObserver {
    /// True if it wants the next step of a game after `depth` joint moves.
    fn wants(&self, depth: usize) -> bool;

    /// Called after a joint move, the last of `line`, with the facts of the states before and after it.
    fn observe(&mut self, before: &[GroundTerm], after: &[GroundTerm], line: &[Vec<Move>]);
}

/// Observes nothing.
impl StepObserver for () {
    fn wants(&self, _: usize) -> bool {
        false
    }

    fn observe(&mut self, _: &[GroundTerm], _: &[GroundTerm], _: &[Vec<Move>]) {}
}

/// Random games on an engine, with the problems found so far.
pub(super) struct Simulation<'a, R: Reasoner> {
    reasoner: &'a mut R,
    promises: Promises,
    random: Chance,
    /// The moves that the roles have had.
    idle: IdleRoles,
    /// The shortest line to each kind of problem of each role.
    found: BTreeMap<(&'static str, usize), PlayedProblem>,
    /// The number of the current game, from 1.
    number: u64,
    /// Its joint moves so far.
    moves: Vec<Vec<Move>>,
    /// The number of facts and legal moves that may still be visited.
    left: u64,
    /// The number of them after which one game is abandoned.
    most_in_game: u64,
}

impl<'a, R: Reasoner> Simulation<'a, R> {
    pub(super) fn new(reasoner: &'a mut R, promises: Promises, seed: u64) -> Self {
        let random = Chance::new(seed);
        let idle = IdleRoles::new(reasoner.roles().len());
        let found = BTreeMap::new();
        let moves = Vec::new();
        Self { reasoner, promises, random, idle, found, number: 0, moves, left: u64::MAX, most_in_game: u64::MAX }
    }

    /// Ends the games after states with this number of facts and legal moves, and abandons each one after a part of it.
    pub(super) fn with_work(self, left: u64, most_in_game: u64) -> Self {
        Self { left, most_in_game, ..self }
    }

    /// The problems of roles that never had a choice, if the sheet has `input`.
    pub(super) fn idle_roles(&self, rules: &RuleSet) -> Vec<Diagnostic> {
        let input = self.promises.input.as_ref();
        input.map_or_else(Vec::new, |input| self.idle.problems(self.reasoner, rules, input, self.promises.dialect))
    }

    /// The problems, in the order of their codes and roles.
    pub(super) fn into_found(self) -> Vec<PlayedProblem> {
        self.found.into_values().collect()
    }

    /// Plays one game. Returns false if the work that was allowed is used up.
    ///
    /// # Errors
    /// Those of the reasoner, except for states in which a role has no legal move or no single goal value.
    pub(super) fn play(&mut self, observer: &mut impl StepObserver) -> Result<bool, ReasonError> {
        self.number += 1;
        self.moves.clear();
        let mut state = self.reasoner.initial_state()?;
        let mut fluents = Vec::new();
        let begun = self.left;
        loop {
            self.reasoner.fluents(&state, &mut fluents);
            // A state without facts costs something too, or games that end at once would never use the work up.
            self.spend(1 + fluents.len());
            self.check_facts(&state);
            if self.reasoner.is_terminal(&state)? {
                self.idle.end_game();
                return self.check_goals(&state).map(|()| self.left > 0);
            }
            if self.moves.len() == LONGEST_GAME {
                self.report(&ENDLESS, 0, "a random game did not end".to_string(), &state);
                return Ok(self.left > 0);
            }
            let mut joint_moves = match JointMoves::in_state(self.reasoner, &state) {
                Ok(joint_moves) => joint_moves,
                Err(ReasonError::NoLegalMove { role }) => {
                    let index = self.reasoner.roles().iter().position(|other| *other == role);
                    let index = index.expect("only a role of the game can be without a move");
                    let message = format!("{role} has no legal move, and the game is not over");
                    self.report(&NO_MOVE, index, message, &state);
                    return Ok(self.left > 0);
                }
                Err(error) => return Err(error),
            };
            if self.has_no_control(&joint_moves) {
                let message = "no role has control, and the game is not over".to_string();
                self.report(&NO_MOVE, 0, message, &state);
                return Ok(self.left > 0);
            }
            self.check_moves(&joint_moves, &state);
            self.idle.observe(&joint_moves);
            for role in (0..self.reasoner.roles().len()).map(Role::new) {
                let legal = joint_moves.legal(role).len();
                self.spend(legal);
                joint_moves.choose(role, self.random.below(legal));
            }
            if self.left == 0 || begun - self.left > self.most_in_game {
                return Ok(self.left > 0);
            }
            let next = self.reasoner.next_state(&state, joint_moves.current())?;
            self.moves.push(joint_moves.current().to_vec());
            if observer.wants(self.moves.len() - 1) {
                observer.observe(&self.reasoner.facts(&state), &self.reasoner.facts(&next), &self.moves);
            }
            state = next;
        }
    }

    /// True if all roles of a game with operations have only the move of roles without control.
    fn has_no_control(&self, joint_moves: &JointMoves) -> bool {
        let Some(idle) = &self.promises.idle else { return false };
        (0..self.reasoner.roles().len()).all(|index| match joint_moves.legal(Role::new(index)) {
            &[only] => self.reasoner.move_term(only) == *idle,
            _ => false,
        })
    }

    fn spend(&mut self, work: usize) {
        self.left = self.left.saturating_sub(work as u64);
    }

    fn check_facts(&mut self, state: &R::State) {
        let Some(base) = &self.promises.base else { return };
        let facts = self.reasoner.facts(state);
        if let Some(fact) = facts.into_iter().find(|fact| !base.contains(std::slice::from_ref(fact))) {
            let message = format!("`{}` holds, and `base` does not have it", self.show(&fact));
            self.report(&OUTSIDE_BASE, 0, message, state);
        }
    }

    fn check_moves(&mut self, joint_moves: &JointMoves, state: &R::State) {
        let Some(input) = &self.promises.input else { return };
        let mut outside = Vec::new();
        for (index, role) in self.reasoner.roles().iter().enumerate() {
            let moves = joint_moves.legal(Role::new(index)).iter().map(|&chosen| self.reasoner.move_term(chosen));
            let unknown = moves.map(|chosen| vec![role.clone(), chosen]).find(|pair| !input.contains(pair));
            outside.extend(unknown.map(|pair| (index, pair)));
        }
        let lister = if self.promises.dialect == Dialect::Operations { "action" } else { "input" };
        for (index, pair) in outside {
            let message =
                format!("`{}` is legal for {}, and `{lister}` does not have it", self.show(&pair[1]), pair[0]);
            self.report(&OUTSIDE_INPUT, index, message, state);
        }
    }

    fn check_goals(&mut self, state: &R::State) -> Result<(), ReasonError> {
        for index in 0..self.reasoner.roles().len() {
            let mut values = Vec::new();
            let (code, message) = match self.reasoner.goal(state, Role::new(index)) {
                Ok(utility) if !self.promises.has_goal_values || is_goal_value(&utility.to_string()) => continue,
                Ok(utility) => {
                    let role = &self.reasoner.roles()[index];
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
                Err(ReasonError::GoalNotUnique { role, values: all }) => {
                    let shown: Vec<String> = all.iter().map(|value| self.show(value)).collect();
                    let shown = shown.join(", ");
                    values = all;
                    (&GOALS, format!("{role} has more than one goal value in a terminal state: {shown}"))
                }
                Err(ReasonError::GoalNotInteger { role, value }) => {
                    let shown = self.show(&value);
                    values = vec![value];
                    (
                        &GOALS,
                        format!("the goal value of {role} in a terminal state is {shown}, which is not an integer"),
                    )
                }
                Err(error) => return Err(error),
            };
            self.report_values(code, index, message, values, state);
        }
        Ok(())
    }

    fn report(&mut self, code: &'static Code, role: usize, message: String, state: &R::State) {
        self.report_values(code, role, message, Vec::new(), state);
    }

    /// Records a problem of a state with the moves that led there, unless one of its kind has been found for this role
    /// by a line that is not longer.
    fn report_values(
        &mut self,
        code: &'static Code,
        role: usize,
        message: String,
        values: Vec<GroundTerm>,
        state: &R::State,
    ) {
        let known = self.found.get(&(code.id, role));
        if known.is_some_and(|known| known.line.len() <= self.moves.len()) {
            return;
        }
        let terms = |joint_move: &Vec<Move>| joint_move.iter().map(|&chosen| self.reasoner.move_term(chosen)).collect();
        let line = self.moves.iter().map(terms).collect();
        let facts = self.reasoner.facts(state);
        let role_name = self.reasoner.roles()[role].clone();
        let problem = PlayedProblem { code, role: role_name, message, values, game: self.number, line, facts };
        self.found.insert((code.id, role), problem);
    }

    /// A term in the dialect of the rule sheet.
    fn show(&self, term: &GroundTerm) -> String {
        term.display(self.promises.dialect).to_string()
    }
}
