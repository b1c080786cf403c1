//! Players that search nothing: the first legal move, a random one, and the move of a person.

use super::searching::Sampler;
use crate::ask::{Sampling, SearchSpec};
use crate::{Deadline, PlayerError, Position, Requirement, Strategy};
use gdl::quantity::Size;
use gdl::rules::GroundTerm;
use ggp_game::{Chance, Move, Reasoner};
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

/// A question to a person: the position, and the legal moves.
pub struct MovePrompt<'a> {
    /// The role for which the person moves.
    pub role: &'a GroundTerm,
    /// The facts of the state, in canonical order.
    pub facts: &'a [GroundTerm],
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
}

impl HumanPlayer {
    /// Makes a player for this person.
    pub fn new(person: Box<dyn Person>) -> Self {
        Self { person: Some(person) }
    }

    /// Makes a player for a person who never gives a move.
    pub(crate) fn without_person() -> Self {
        Self { person: None }
    }
}

impl Strategy for HumanPlayer {
    fn name(&self) -> String {
        "human".to_string()
    }

    fn wants(&self) -> Requirement {
        Requirement::Nothing
    }

    fn choose(&mut self, position: &mut Position, stop: Deadline) -> Result<Option<Move>, PlayerError> {
        let engine = &position.engine;
        let role = engine.roles()[position.role.index()].clone();
        let facts = engine.facts(&position.state);
        let legal: Vec<_> = position.legal.iter().map(|&chosen| engine.move_term(chosen)).collect();
        let mut refused: Option<GroundTerm> = None;
        let mut hint: Option<Option<GroundTerm>> = None;
        loop {
            let question = MovePrompt {
                role: &role,
                facts: &facts,
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
}

/// The memory limit of the search for a hint.
const HINT_MEMORY: Size = Size::mebibytes(256);

/// The time for a hint.
const HINT_TIME: Duration = Duration::from_secs(1);

/// The move that a tree search proposes; `None` if it finds none.
fn proposal(position: &mut Position, stop: Deadline) -> Option<GroundTerm> {
    let sampling = Sampling::Mcts;
    let mut adviser = Sampler::new(sampling, SearchSpec::new(sampling.name()), 0, HINT_MEMORY.bytes());
    let chosen = adviser.choose(position, Deadline::after(HINT_TIME.min(stop.remaining()))).ok()??;
    Some(position.engine.move_term(chosen))
}
