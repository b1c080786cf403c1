//! Players that use only what their role knows: its own moves and percepts.
//!
//! They choose by the observations of the match ([`ViewedMatch`]), and never see its state.

use crate::ask::budget::QuestionBudget;
use crate::ask::sampling::{EXPLORATION, VISITS};
use crate::ask::spec::SearchSpec;
use crate::ask::{HiddenFound, HiddenQuestion};
use crate::view::ViewedMatch;
use crate::{Deadline, PlayerError, Position, Requirement, Start, Strategy, log};
use ggp_game::{Chance, Move, Reasoner};
use ggp_search::{Budget, WeightedMove, ismcts};
use std::sync::Arc;

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
    is_playing: bool,
    /// The strategies for the whole game.
    strategies: Option<HiddenFound>,
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
            is_playing: false,
            strategies: None,
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
            is_playing: false,
            strategies: None,
        }
    }

    /// True if it plays in a match.
    pub(crate) fn is_playing(&self) -> bool {
        self.is_playing
    }

    fn budget(&self, position: &Position, stop: Deadline) -> Budget {
        let interrupt = Arc::clone(&position.interrupt);
        Budget::new().with_time(stop.remaining()).with_memory(self.memory).with_interrupt(interrupt)
    }

    /// The move that the strategies draw, in the terms of the rules.
    fn drawn(&mut self, view: &ViewedMatch) -> Option<Move> {
        let HiddenFound { form, learned, .. } = self.strategies.as_ref()?;
        let set = form.set_after(form.player(view.role)?, &view.observations)?;
        let moves = form.moves(set).iter().zip(learned.profile.at(form, set));
        let weighted = moves.map(|(&chosen, &probability)| WeightedMove { chosen, probability });
        WeightedMove::draw(&weighted.collect::<Vec<_>>(), &mut self.random)
    }
}

impl Strategy for HiddenPlayer {
    fn name(&self) -> String {
        self.name.clone()
    }

    fn prepare(&mut self, start: &Start, position: &mut Position, stop: Deadline) -> Result<(), PlayerError> {
        self.forget();
        let budget = QuestionBudget::of_match(self.budget(position, stop));
        let view = position.view.insert(ViewedMatch::new(&start.game, start.role, start.interrupt.clone())?);
        self.is_playing = true;
        if let Some(question) = &self.question {
            match question.ask(&mut view.rules, &view.first, &budget) {
                Ok(outcome) => self.strategies = outcome.answer,
                Err(error) => log::warn(format_args!("{}: {error}", self.name)),
            }
            if self.strategies.is_none() {
                log::warn(format_args!("{}: no strategies were found in time; it searches at each turn", self.name));
            }
        }
        Ok(())
    }

    fn choose(&mut self, position: &mut Position, stop: Deadline) -> Result<Option<Move>, PlayerError> {
        let budget = self.budget(position, stop);
        let Some(view) = &mut position.view else { return Ok(None) };
        let chosen = match self.drawn(view) {
            Some(chosen) => Some(chosen),
            None => match view.possible(self.random.word(), &budget)? {
                Some(possible) if !possible.states.is_empty() => {
                    let budget = self.visits.map_or(budget.clone(), |visits| budget.clone().with_nodes(visits));
                    let seed = self.random.word();
                    let outcome = ismcts(&mut view.rules, &possible, view.role, self.exploration, seed, &budget)?;
                    outcome.answer.map(|advice| advice.chosen)
                }
                _ => None,
            },
        };
        let Some(chosen) = chosen else { return Ok(None) };
        Ok(Some(position.engine.find_move(&view.rules.move_term(chosen))?))
    }

    fn needs_state(&self) -> bool {
        false
    }

    fn wants(&self) -> Requirement {
        Requirement::Nothing
    }

    fn forget(&mut self) {
        self.is_playing = false;
        self.strategies = None;
    }
}
