//! Players that use only what their role knows: its own moves and percepts.
//!
//! A referee computes the percepts from the joint moves of the match, as a game master would send them; what chooses
//! moves gets the observations, and never the state.

use crate::ask::budget::QuestionBudget;
use crate::ask::sampling::{EXPLORATION, VISITS};
use crate::ask::spec::SearchSpec;
use crate::ask::{HiddenFound, HiddenQuestion};
use crate::{Deadline, PlayerError, Position, Requirement, Start, Strategy, log};
use gdl::limits::Limits;
use gdl::rules::GroundTerm;
use ggp_engine::interpreter::{Interpreter, State};
use ggp_game::{Chance, Move, ReasonError, Reasoner, Role};
use ggp_search::{Budget, Observation, PossibleStates, WeightedMove, ismcts, possible_states, possible_states_after};
use std::sync::Arc;

/// The most states that are held possible at a time.
const MOST_POSSIBLE: usize = 1_000;
/// The default weight of exploration, for utilities scaled to 0 to 1.
pub(crate) const USUAL_EXPLORATION: f64 = 0.7;

/// A player that searches over information sets, or plays strategies for the whole game that it finds before the first
/// move. If they are not found in time, it searches.
pub(crate) struct HiddenPlayer {
    name: String,
    /// The search for strategies; `None` for the search over information sets alone.
    question: Option<HiddenQuestion>,
    /// The visits of each search over information sets, if they are limited.
    visits: Option<u64>,
    exploration: f64,
    memory: u64,
    random: Chance,
    game: Option<ViewedMatch>,
}

/// A match as the role of the player knows it.
struct ViewedMatch {
    referee: Referee,
    rules: Interpreter,
    role: Role,
    start: State,
    view: Vec<Observation>,
    /// The strategies for the whole game.
    strategies: Option<HiddenFound>,
    /// The states that are possible after the first observations, and the number of these.
    possible: Option<(PossibleStates<State>, usize)>,
}

/// The true state of a match, from which only percepts are told.
struct Referee {
    rules: Interpreter,
    state: State,
}

impl Referee {
    /// Makes a joint move, and returns what a role knows of it.
    fn advance(&mut self, joint_move: &[GroundTerm], role: Role) -> Result<Observation, ReasonError> {
        let moves = joint_move.iter().map(|chosen| self.rules.find_move(chosen));
        let moves = moves.collect::<Result<Vec<Move>, _>>()?;
        let observation = Observation::of(&mut self.rules, &self.state, &moves, role)?;
        self.state = self.rules.next_state(&self.state, &moves)?;
        Ok(observation)
    }
}

impl HiddenPlayer {
    /// A player that finds strategies by a search, or searches at each turn.
    pub(crate) fn new(name: &str, question: Option<HiddenQuestion>, spec: &SearchSpec, seed: u64, memory: u64) -> Self {
        Self {
            name: name.to_string(),
            question,
            visits: spec.number(&VISITS),
            exploration: spec.number(&EXPLORATION).unwrap_or(USUAL_EXPLORATION),
            memory,
            random: Chance::new(seed),
            game: None,
        }
    }

    /// The player that `auto` is in games with hidden information: strategies for the whole game or, if that is too
    /// large, a search at each turn.
    pub(crate) fn of_auto(seed: u64, memory: u64) -> Self {
        /// Enough for a small error in small games, without using all of a long start clock.
        const ITERATIONS: u64 = 10_000;
        Self {
            name: "auto".to_string(),
            question: Some(HiddenQuestion::cfr(ITERATIONS)),
            visits: None,
            exploration: USUAL_EXPLORATION,
            memory,
            random: Chance::new(seed),
            game: None,
        }
    }

    /// True if it plays in a match.
    pub(crate) fn is_playing(&self) -> bool {
        self.game.is_some()
    }

    fn budget(&self, position: &Position, stop: Deadline) -> Budget {
        let interrupt = Arc::clone(&position.interrupt);
        Budget::new().with_time(stop.remaining()).with_memory(self.memory).with_interrupt(interrupt)
    }

    /// The move that the strategies draw, in the terms of the rules.
    fn drawn(game: &ViewedMatch, random: &mut Chance) -> Option<Move> {
        let HiddenFound { form, learned, .. } = game.strategies.as_ref()?;
        let set = form.set_after(form.player(game.role)?, &game.view)?;
        let moves = form.moves(set).iter().zip(learned.profile.at(form, set));
        let weighted = moves.map(|(&chosen, &probability)| WeightedMove { chosen, probability });
        WeightedMove::draw(&weighted.collect::<Vec<_>>(), random)
    }
}

impl ViewedMatch {
    /// The states that are possible now.
    fn possible(&mut self, seed: u64, budget: &Budget) -> Result<PossibleStates<State>, PlayerError> {
        let Self { rules, role, start, view, possible, .. } = self;
        let (mut states, mut known) = match possible.take() {
            Some(known) => known,
            None => (PossibleStates::known(start.clone(), rules.roles().len()), 0),
        };
        while known < view.len() && !states.states.is_empty() {
            let outcome =
                possible_states_after(rules, states.clone(), *role, &view[known], MOST_POSSIBLE, seed, budget)?;
            let Some(after) = outcome.answer else { break };
            states = after;
            known += 1;
        }
        if states.states.is_empty() || known < view.len() {
            // The sample has died out: it is drawn again along the whole match.
            let outcome = possible_states(rules, start, *role, view, MOST_POSSIBLE, seed, budget)?;
            if let Some(again) = outcome.answer {
                states = again;
                known = view.len();
            }
        }
        *possible = Some((states.clone(), known));
        Ok(states)
    }
}

impl Strategy for HiddenPlayer {
    fn name(&self) -> String {
        self.name.clone()
    }

    fn prepare(&mut self, start: &Start, position: &mut Position, stop: Deadline) -> Result<(), PlayerError> {
        let mut rules = start.game.interpreter.fork();
        rules.set_limits(Limits::new().with_interrupt(start.interrupt.clone()));
        let first = rules.initial_state()?;
        let referee = Referee { rules: rules.fork(), state: first.clone() };
        let mut strategies = None;
        if let Some(question) = &self.question {
            let budget = QuestionBudget::of_match(self.budget(position, stop));
            match question.ask(&mut rules, &first, &budget) {
                Ok(outcome) => strategies = outcome.answer,
                Err(error) => log::warn(format_args!("{}: {error}", self.name)),
            }
            if strategies.is_none() {
                log::warn(format_args!("{}: no strategies were found in time; it searches at each turn", self.name));
            }
        }
        let role = start.role;
        self.game =
            Some(ViewedMatch { referee, rules, role, start: first, view: Vec::new(), strategies, possible: None });
        Ok(())
    }

    fn choose(&mut self, position: &mut Position, stop: Deadline) -> Result<Option<Move>, PlayerError> {
        let budget = self.budget(position, stop);
        let Self { game: Some(game), random, visits, exploration, .. } = self else { return Ok(None) };
        let chosen = match Self::drawn(game, random) {
            Some(chosen) => Some(chosen),
            None => {
                let possible = game.possible(random.word(), &budget)?;
                if possible.states.is_empty() {
                    None
                } else {
                    let budget = visits.map_or(budget.clone(), |visits| budget.clone().with_nodes(visits));
                    let seed = random.word();
                    let outcome = ismcts(&mut game.rules, &possible, game.role, *exploration, seed, &budget)?;
                    outcome.answer.map(|advice| advice.chosen)
                }
            }
        };
        let Some(chosen) = chosen else { return Ok(None) };
        Ok(Some(position.engine.find_move(&game.rules.move_term(chosen))?))
    }

    fn wants(&self) -> Requirement {
        Requirement::Nothing
    }

    fn played(&mut self, joint_move: &[Move], position: &mut Position) {
        let Some(game) = &mut self.game else { return };
        let terms: Vec<GroundTerm> = joint_move.iter().map(|&chosen| position.engine.move_term(chosen)).collect();
        match game.referee.advance(&terms, game.role) {
            Ok(observation) => game.view.push(observation),
            Err(error) => {
                log::warn(format_args!("{}: {error}", self.name));
                self.game = None;
            }
        }
    }

    fn forget(&mut self) {
        self.game = None;
    }
}
