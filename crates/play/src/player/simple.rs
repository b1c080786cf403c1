//! Players that search nothing: the first legal move, a random one, and the move of a person.

use crate::{Deadline, PlayerError, Position, Requirement, Strategy};
use gdl::rules::GroundTerm;
use ggp_game::{Chance, Move, Reasoner};

/// `legal`: makes the first legal move in canonical order.
///
/// - Source: Genesereth and Thielscher, *General Game Playing*, the chapter on game playing.
pub(crate) struct LegalPlayer;

impl Strategy for LegalPlayer {
    fn name(&self) -> String {
        "legal".to_string()
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

    fn wants(&self) -> Requirement {
        Requirement::Nothing
    }

    fn choose(&mut self, position: &mut Position, _: Deadline) -> Result<Option<Move>, PlayerError> {
        Ok(Some(position.legal[self.random.below(position.legal.len())]))
    }
}

/// Asks a person for a move. The caller that runs the match decides how.
pub trait Person: Send {
    /// The person's move; `None` if there is none. If it is not legal, the person is asked again.
    fn ask(&mut self, question: &MovePrompt<'_>) -> Option<GroundTerm>;
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
        let role = &engine.roles()[position.role.index()];
        let facts = engine.facts(&position.state);
        let legal: Vec<_> = position.legal.iter().map(|&chosen| engine.move_term(chosen)).collect();
        let mut refused: Option<GroundTerm> = None;
        loop {
            let question = MovePrompt { role, facts: &facts, legal: &legal, refused: refused.as_ref(), deadline: stop };
            let answer = self.person.as_mut().and_then(|person| person.ask(&question)).ok_or(PlayerError::NoAnswer)?;
            if let Some(index) = legal.iter().position(|term| *term == answer) {
                return Ok(Some(position.legal[index]));
            }
            refused = Some(answer);
        }
    }
}
