//! Players that search nothing: the first legal move, a random one, and the move of a person.

use super::hidden::USUAL_EXPLORATION;
use super::searching::Sampler;
use crate::ask::{Sampling, SearchSpec};
use crate::view::ViewedMatch;
use crate::{Deadline, PlayerError, Position, Requirement, Start, Strategy};
use gdl::quantity::Size;
use gdl::rules::GroundTerm;
use ggp_game::{Chance, Move, Reasoner};
use ggp_search::{Budget, ViewStep, ismcts};
use std::sync::Arc;
use std::time::Duration;

/// `legal`: makes the first legal move in canonical order.
///
/// - Source: Genesereth and Thielscher, *General Game Playing*, the chapter on game playing.
pub(crate) struct LegalPlayer;

impl Strategy for LegalPlayer {
    fn name(&self) -> String {
        "legal".to_string()
    }

    fn needs_state(&self) -> bool {
        false
    }

    fn wants(&self) -> Requirement {
        Requirement::Nothing
    }

    fn choose(&mut self, position: &mut Position, _: Deadline) -> Result<Option<Move>, PlayerError> {
        Ok(position.legal.first().copied())
    }
}

/// `random`: makes each legal move with the same probability; the same seed makes the same moves in the same match.
pub(crate) struct RandomPlayer {
    random: Chance,
}

impl RandomPlayer {
    /// Makes a player with this seed.
    pub(crate) fn new(seed: u64) -> Self {
        Self { random: Chance::new(seed) }
    }
}

impl Strategy for RandomPlayer {
    fn name(&self) -> String {
        "random".to_string()
    }

    fn needs_state(&self) -> bool {
        false
    }

    fn wants(&self) -> Requirement {
        Requirement::Nothing
    }

    fn choose(&mut self, position: &mut Position, _: Deadline) -> Result<Option<Move>, PlayerError> {
        Ok(Some(position.legal[self.random.below(position.legal.len())]))
    }
}

/// Asks a person for a move. The caller that runs the match decides how.
pub trait Person: Send {
    /// The person's answer; `None` if there is none. If it is a move that is not legal, the person is asked again.
    fn ask(&mut self, question: &MovePrompt<'_>) -> Option<PersonAnswer>;
}

/// The answer of a person.
pub enum PersonAnswer {
    /// A move, which need not be legal.
    Move(GroundTerm),
    /// A request for a proposal, after which the person is asked again.
    Hint,
    /// The person's last move is to be taken back.
    TakeBack,
}

/// A question to a person: the position or what the role knows of it, and the legal moves.
pub struct MovePrompt<'a> {
    /// The role for which the person moves.
    pub role: &'a GroundTerm,
    /// The facts of the state, in canonical order; none if the rules define `sees`, so that the role does not see it.
    pub facts: &'a [GroundTerm],
    /// The moves and percepts of the role so far, if the rules define `sees`.
    pub view: Option<&'a [ViewStep]>,
    /// The legal moves, in canonical order.
    pub legal: &'a [GroundTerm],
    /// The previous answer to the same question, if it was not legal.
    pub refused: Option<&'a GroundTerm>,
    /// The proposal of a search, if the previous answer to the same question asked for it; `None` within if it found
    /// nothing.
    pub hint: Option<Option<&'a GroundTerm>>,
    /// The moment by which the move must arrive.
    pub deadline: Deadline,
}

/// `human`: lets a person choose, through any interface.
pub struct HumanPlayer {
    /// `None` gives no move.
    person: Option<Box<dyn Person>>,
    /// For each joint move of this match, whether the role had a choice.
    choices: Vec<bool>,
    /// True if it has a choice now.
    has_choice: bool,
}

impl HumanPlayer {
    /// Makes a player for this person.
    pub fn new(person: Box<dyn Person>) -> Self {
        Self { person: Some(person), choices: Vec::new(), has_choice: false }
    }

    /// Makes a player for a person who never gives a move.
    pub(crate) fn without_person() -> Self {
        Self { person: None, choices: Vec::new(), has_choice: false }
    }
}

impl Strategy for HumanPlayer {
    fn name(&self) -> String {
        "human".to_string()
    }

    fn prepare(&mut self, start: &Start, position: &mut Position, _: Deadline) -> Result<(), PlayerError> {
        self.choices.clear();
        self.has_choice = position.legal.len() > 1;
        if start.game.rules.has_percepts() {
            position.view = Some(ViewedMatch::new(&start.game, start.role, start.interrupt.clone())?);
        }
        Ok(())
    }

    fn wants(&self) -> Requirement {
        Requirement::Nothing
    }

    fn choose(&mut self, position: &mut Position, stop: Deadline) -> Result<Option<Move>, PlayerError> {
        let view = position.view.as_ref().map(|view| view.steps(&self.choices));
        let engine = &position.engine;
        let role = engine.roles()[position.role.index()].clone();
        let facts = if view.is_some() { Vec::new() } else { engine.facts(&position.state) };
        let legal: Vec<_> = position.legal.iter().map(|&chosen| engine.move_term(chosen)).collect();
        let mut refused: Option<GroundTerm> = None;
        let mut hint: Option<Option<GroundTerm>> = None;
        loop {
            let question = MovePrompt {
                role: &role,
                facts: &facts,
                view: view.as_deref(),
                legal: &legal,
                refused: refused.as_ref(),
                hint: hint.as_ref().map(Option::as_ref),
                deadline: stop,
            };
            let answer = self.person.as_mut().and_then(|person| person.ask(&question)).ok_or(PlayerError::NoAnswer)?;
            (refused, hint) = (None, None);
            match answer {
                PersonAnswer::Move(term) => match legal.iter().position(|own| *own == term) {
                    Some(index) => return Ok(Some(position.legal[index])),
                    None => refused = Some(term),
                },
                PersonAnswer::Hint => hint = Some(proposal(position, stop)),
                PersonAnswer::TakeBack => return Err(PlayerError::TakenBack),
            }
        }
    }

    fn played(&mut self, _: &[Move], position: &mut Position) {
        self.choices.push(self.has_choice);
        self.has_choice = position.legal.len() > 1;
    }
}

/// The memory limit of the search for a hint.
const HINT_MEMORY: Size = Size::mebibytes(256);

/// The time for a hint.
const HINT_TIME: Duration = Duration::from_secs(1);

/// The move that a tree search proposes, by the view of the role if it does not see the state; `None` if it finds none.
fn proposal(position: &mut Position, stop: Deadline) -> Option<GroundTerm> {
    let time = HINT_TIME.min(stop.remaining());
    if let Some(view) = &mut position.view {
        let budget = Budget::new().with_memory(HINT_MEMORY.bytes()).with_interrupt(Arc::clone(&position.interrupt));
        let possible = view.possible(0, &budget.clone().with_time(time)).ok()??;
        let budget = budget.with_time(time);
        let found = ismcts(&mut view.rules, &possible, view.role, USUAL_EXPLORATION, 0, &budget).ok()?;
        return found.answer.map(|advice| view.rules.move_term(advice.chosen));
    }
    let sampling = Sampling::Mcts;
    let mut adviser = Sampler::new(sampling, SearchSpec::new(sampling.name()), 0, HINT_MEMORY.bytes());
    let chosen = adviser.choose(position, Deadline::after(time)).ok()??;
    Some(position.engine.move_term(chosen))
}
