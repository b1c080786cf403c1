//! The positions of a match, and the steps that led to them.

use super::boards::Boards;
use super::content::{AnswerContent, TextStyle};
use super::goal::{GoalValue, result_text};
use super::text::{joined, line, table, terms};
use crate::repl::session::MatchStep;
use gdl::quantity::{counted, grouped};
use gdl::rules::GroundTerm;
use gdl::syntax::Dialect;
use ggp_game::{ReasonError, Reasoner};
use serde::Serialize;

/// The position of a match.
#[derive(Clone, Debug, Serialize)]
pub(crate) struct MatchPosition {
    /// The step that led to it.
    #[serde(flatten)]
    pub(crate) last: MatchPly,
    /// The goal values, if the game is over; that of `random` only if it has one.
    pub(crate) result: Option<Vec<GoalValue>>,
    /// How the state differs from the one before, if it was set.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(crate) change: Option<StateChange>,
    /// The position as it is drawn, if the session draws boards.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(crate) drawn: Option<Boards>,
    /// Warnings about the state, such as facts outside `base`.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub(crate) warnings: Vec<String>,
}

/// The facts by which a state differs from the one before, in canonical order.
#[derive(Clone, Debug, Serialize)]
pub(crate) struct StateChange {
    /// The facts that hold now and did not before.
    pub(crate) added: Vec<GroundTerm>,
    /// The facts that held before and do not now.
    pub(crate) removed: Vec<GroundTerm>,
}

impl StateChange {
    /// The difference between two states, given by their facts in canonical order.
    pub(crate) fn between(before: &[GroundTerm], after: &[GroundTerm]) -> Self {
        let only = |facts: &[GroundTerm], others: &[GroundTerm]| {
            facts.iter().filter(|fact| others.binary_search(fact).is_err()).cloned().collect()
        };
        Self { added: only(after, before), removed: only(before, after) }
    }
}

/// One ply of a match: a joint move, a jump to a state, or, as ply 0, the initial state.
#[derive(Clone, Debug, Serialize)]
pub(crate) struct MatchPly {
    /// Its number, from 1; 0 for the initial state.
    pub(crate) ply: usize,
    /// The joint move; empty if it is not one.
    pub(crate) joint_move: Vec<RoleMove>,
    /// The facts of the state, if it was a jump.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(crate) set: Option<Vec<GroundTerm>>,
}

/// The move of one role.
#[derive(Clone, Debug, Serialize)]
pub(crate) struct RoleMove {
    /// The role.
    pub(crate) role: GroundTerm,
    /// Its move.
    #[serde(rename = "move")]
    pub(crate) chosen: GroundTerm,
}

impl MatchPosition {
    /// The position of a state that a ply has led to, not drawn.
    ///
    /// # Errors
    /// Those of the engine.
    pub(crate) fn at<R: Reasoner>(reasoner: &mut R, state: &R::State, last: MatchPly) -> Result<Self, ReasonError> {
        let result = if reasoner.is_terminal(state)? { Some(GoalValue::of_roles(reasoner, state)?) } else { None };
        Ok(Self { last, result, change: None, drawn: None, warnings: Vec::new() })
    }
}

impl MatchPly {
    /// The ply with this number and step; without a step the initial state.
    pub(crate) fn new(number: usize, roles: &[GroundTerm], step: Option<MatchStep>) -> Self {
        let mut ply = Self { ply: number, joint_move: Vec::new(), set: None };
        match step {
            Some(MatchStep::Played(moves)) => ply.joint_move = role_moves(roles, moves),
            Some(MatchStep::Set(facts)) => ply.set = Some(facts),
            None => {}
        }
        ply
    }
}

/// A joint move with its roles.
pub(crate) fn role_moves(roles: &[GroundTerm], moves: Vec<GroundTerm>) -> Vec<RoleMove> {
    roles.iter().cloned().zip(moves).map(|(role, chosen)| RoleMove { role, chosen }).collect()
}

impl AnswerContent for MatchPosition {
    fn kind(&self) -> &'static str {
        "position"
    }

    /// Its ply, the drawn state, and the result of the match.
    fn text(&self, style: &TextStyle<'_>) -> String {
        let Self { last, result, change, drawn, .. } = self;
        let way = match &last.set {
            Some(facts) => {
                let change = change.as_ref().map_or(String::new(), change_text);
                format!("a state of {}{change}", counted(facts.len(), "fact"))
            }
            None => joint_move_text(&last.joint_move, style.dialect),
        };
        let mut text =
            if way.is_empty() { format!("ply {}\n", last.ply) } else { format!("ply {}: {way}\n", last.ply) };
        text += &drawn.as_ref().map_or(String::new(), |drawn| drawn.text_beside(style));
        if let Some(goals) = result {
            text += &result_text(goals);
        }
        text
    }

    fn warnings(&self) -> &[String] {
        &self.warnings
    }

    fn warnings_mut(&mut self) -> Option<&mut Vec<String>> {
        Some(&mut self.warnings)
    }
}

/// How many facts of the state before are gone, and how many are new.
fn change_text(StateChange { added, removed }: &StateChange) -> String {
    match (removed.len(), added.len()) {
        (0, 0) => " (unchanged)".to_string(),
        (gone, new) => format!(" ({} gone, {} new)", grouped(gone), grouped(new)),
    }
}

/// A line for each ply.
pub(crate) fn history_text(plies: &[MatchPly], dialect: Dialect) -> String {
    let row = |ply: &MatchPly| match &ply.set {
        Some(facts) => (ply.ply.to_string(), format!("set {}", terms(facts, " ", dialect))),
        None => (ply.ply.to_string(), joint_move_text(&ply.joint_move, dialect)),
    };
    if plies.is_empty() { line("no ply yet".to_string()) } else { table(plies.iter().map(row)) }
}

/// The joint move with its roles, or only the move if there is one role.
fn joint_move_text(joint_move: &[RoleMove], dialect: Dialect) -> String {
    match joint_move {
        [only] => only.chosen.display(dialect).to_string(),
        _ => {
            let show = |RoleMove { role, chosen }: &RoleMove| format!("{role} {}", chosen.display(dialect));
            joined(joint_move.iter().map(show), ", ")
        }
    }
}
