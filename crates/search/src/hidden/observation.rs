//! What a role knows of a match: its own moves and what it was told of each joint move.

use gdl::number::to_u32;
use gdl::rules::GroundTerm;
use gdl::sorting;
use ggp_game::{Move, Percept, PerceptReasoner, ReasonError, Role};
use serde::{Deserialize, Serialize};

/// What a role knows of a joint move: its own move, and its percepts or, in a game without `sees`, the moves of all
/// roles.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct Observation {
    /// The move of the role.
    pub chosen: Move,
    /// The numbers of the percepts or of the moves.
    pub(super) seen: Vec<u32>,
}

impl Observation {
    /// What a role knows of a joint move in a state.
    ///
    /// # Errors
    /// If the rules give no answer.
    pub fn of<R: PerceptReasoner>(
        reasoner: &mut R,
        state: &R::State,
        joint_move: &[Move],
        role: Role,
    ) -> Result<Self, ReasonError> {
        let chosen = joint_move[role.index()];
        if !reasoner.has_percepts() {
            let seen = joint_move.iter().map(|chosen| to_u32(chosen.index())).collect();
            return Ok(Self { chosen, seen });
        }
        let mut percepts = Vec::new();
        reasoner.percepts(state, joint_move, role, &mut percepts)?;
        Ok(Self { chosen, seen: percepts.into_iter().map(|percept| to_u32(percept.index())).collect() })
    }

    /// What a role is told in a game with `sees`: its move, and its percepts in any order.
    ///
    /// # Errors
    /// If a term is nested too deep.
    pub fn told<R: PerceptReasoner>(
        reasoner: &mut R,
        chosen: &GroundTerm,
        percepts: &[GroundTerm],
    ) -> Result<Self, ReasonError> {
        let mut percepts: Vec<&GroundTerm> = percepts.iter().collect();
        // Percepts are a set; equal observations have them in the same order.
        sorting::sort(&mut percepts);
        percepts.dedup();
        let numbers = percepts.into_iter().map(|percept| Ok(to_u32(reasoner.find_percept(percept)?.index())));
        let seen = numbers.collect::<Result<_, ReasonError>>()?;
        Ok(Self { chosen: reasoner.find_move(chosen)?, seen })
    }

    /// The observation in terms; `is_choice`: the role had another legal move.
    pub fn named<R: PerceptReasoner>(&self, reasoner: &R, role: Role, is_choice: bool) -> ViewStep {
        let percepts = match reasoner.has_percepts() {
            true => self.seen.iter().map(|&it| reasoner.percept_term(Percept::new(it as usize))).collect(),
            false => moves_of_others(reasoner, role, &self.seen),
        };
        ViewStep { chosen: reasoner.move_term(self.chosen), is_choice, percepts }
    }
}

/// What a role knows of a joint move, in terms.
#[derive(Clone, Debug, PartialEq, Eq, Hash, Serialize, Deserialize)]
pub struct ViewStep {
    /// The move of the role.
    #[serde(rename = "move")]
    pub chosen: GroundTerm,
    /// True if it had another legal move.
    #[serde(default)]
    pub is_choice: bool,
    /// Its percepts, in canonical order; in a game without `sees` the moves of the other roles, `does(ROLE,MOVE)`.
    pub percepts: Vec<GroundTerm>,
}

/// The moves of all roles but one, as terms.
fn moves_of_others<R: PerceptReasoner>(reasoner: &R, own: Role, joint_move: &[u32]) -> Vec<GroundTerm> {
    let others = reasoner.roles().iter().zip(joint_move).enumerate().filter(|&(index, _)| index != own.index());
    let does = |(_, (role, &chosen)): (usize, (&GroundTerm, &u32))| GroundTerm {
        name: "does".into(),
        arguments: vec![role.clone(), reasoner.move_term(Move::new(chosen as usize))],
    };
    others.map(does).collect()
}
