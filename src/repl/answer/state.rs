//! Answers about a state: its facts, and what roles can do, see and get in it.

use super::boards::Boards;
use super::content::{AnswerContent, TextStyle};
use super::text::{joined, line, lines, table, terms};
use crate::game::{ReasonError, Reasoner, Role, Utility};
use crate::repl::value::AnswerValue;
use crate::rules::GroundTerm;
use serde::Serialize;

/// The roles, in the order of joint moves.
#[derive(Clone, Debug, Serialize)]
pub struct RoleNames {
    /// The names of the roles.
    pub(crate) roles: Vec<GroundTerm>,
}

impl AnswerContent for RoleNames {
    fn kind(&self) -> &'static str {
        "roles"
    }

    fn text(&self, style: &TextStyle<'_>) -> String {
        lines(&self.roles, style.dialect)
    }

    fn value(&self) -> Option<AnswerValue> {
        Some(AnswerValue::List(self.roles.clone()))
    }
}

/// The facts of a state, in canonical order.
#[derive(Clone, Debug, Serialize)]
pub struct StateFacts {
    /// The facts that hold, in canonical order.
    pub facts: Vec<GroundTerm>,
    /// The state as it is drawn, if the session draws boards.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(crate) drawn: Option<Boards>,
}

impl AnswerContent for StateFacts {
    fn kind(&self) -> &'static str {
        "state"
    }

    fn text(&self, style: &TextStyle<'_>) -> String {
        match &self.drawn {
            Some(drawn) => drawn.text_beside(style),
            None => lines(&self.facts, style.dialect),
        }
    }

    fn value(&self) -> Option<AnswerValue> {
        Some(AnswerValue::set(self.facts.clone()))
    }
}

/// A state as a line that `set board` takes.
#[derive(Clone, Debug, Serialize)]
pub struct FenLine {
    /// The boards row by row, and the other facts in brackets.
    pub(crate) position: String,
}

impl AnswerContent for FenLine {
    fn kind(&self) -> &'static str {
        "fen"
    }

    fn text(&self, _style: &TextStyle<'_>) -> String {
        line(self.position.clone())
    }
}

/// The legal moves of some roles.
#[derive(Clone, Debug, Serialize)]
pub struct LegalMovesOfRoles {
    /// One entry for each role.
    pub(crate) roles: Vec<LegalMoves>,
}

/// The legal moves of one role.
#[derive(Clone, Debug, Serialize)]
pub(crate) struct LegalMoves {
    /// The role that can make the moves.
    pub(crate) role: GroundTerm,
    /// Its legal moves, in canonical order.
    pub(crate) moves: Vec<GroundTerm>,
}

impl AnswerContent for LegalMovesOfRoles {
    fn kind(&self) -> &'static str {
        "legal"
    }

    fn text(&self, style: &TextStyle<'_>) -> String {
        let row =
            |LegalMoves { role, moves }: &LegalMoves| line(format!("{role}: {}", terms(moves, ", ", style.dialect)));
        self.roles.iter().map(row).collect()
    }

    fn value(&self) -> Option<AnswerValue> {
        if let [only] = &self.roles[..] { Some(AnswerValue::set(only.moves.clone())) } else { None }
    }
}

/// The percepts of some roles after the last joint move.
#[derive(Clone, Debug, Serialize)]
pub struct PerceptsOfRoles {
    /// One entry for each role.
    pub(crate) roles: Vec<Percepts>,
    /// Warnings about the question, such as unknown relations.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub(crate) warnings: Vec<String>,
}

/// The percepts of a role.
#[derive(Clone, Debug, Serialize)]
pub(crate) struct Percepts {
    /// The role that has the percepts.
    pub(crate) role: GroundTerm,
    /// Its percepts, in canonical order.
    pub(crate) percepts: Vec<GroundTerm>,
}

impl AnswerContent for PerceptsOfRoles {
    fn kind(&self) -> &'static str {
        "sees"
    }

    fn text(&self, style: &TextStyle<'_>) -> String {
        let row = |Percepts { role, percepts }: &Percepts| match &percepts[..] {
            [] => line(format!("{role}: nothing")),
            _ => line(format!("{role}: {}", terms(percepts, ", ", style.dialect))),
        };
        self.roles.iter().map(row).collect()
    }

    fn value(&self) -> Option<AnswerValue> {
        if let [only] = &self.roles[..] { Some(AnswerValue::set(only.percepts.clone())) } else { None }
    }

    fn warnings(&self) -> &[String] {
        &self.warnings
    }
}

/// The goal values of some roles in the state.
#[derive(Clone, Debug, Serialize)]
pub struct GoalValues {
    /// One entry for each role.
    pub(crate) goals: Vec<GoalValue>,
}

/// The goal value of a role in a state.
#[derive(Clone, Debug, Serialize)]
pub(crate) struct GoalValue {
    /// The role to which the value belongs.
    pub(crate) role: GroundTerm,
    /// The value, if there is exactly one.
    pub(crate) value: Option<Utility>,
    /// Why there is no value.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(crate) problem: Option<String>,
    /// The facts of the state that the value rests on, if they were asked for.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(crate) parts: Option<Vec<GoalPart>>,
}

/// A fact of the state that a goal value rests on.
#[derive(Clone, Debug, Serialize)]
pub(crate) struct GoalPart {
    /// The fact.
    pub(crate) fact: String,
    /// The rules that use it, as file, line and column.
    pub(crate) rules: Vec<String>,
}

impl GoalValue {
    /// The values of the roles in a terminal state. `random` is left out if it has no value, since chance has no aim.
    pub(crate) fn of_roles<R: Reasoner>(reasoner: &mut R, state: &R::State) -> Result<Vec<Self>, ReasonError> {
        let mut goals = Vec::new();
        for (index, role) in reasoner.roles().to_vec().into_iter().enumerate() {
            match reasoner.goal(state, Role::new(index)) {
                Err(ReasonError::GoalUndefined { .. }) if role.is_chance() => {}
                value => goals.push(Self::new(role, value)?),
            }
        }
        Ok(goals)
    }

    /// A value that is known; `None` if the rules give no single value.
    pub(crate) fn from_known(role: GroundTerm, value: Option<Utility>) -> Self {
        let problem = value.is_none().then(|| "the rules give no single value".to_string());
        Self { role, value, problem, parts: None }
    }

    /// Converts the answer of an engine; the absence of a single value is an answer as well, not an error.
    pub(crate) fn new(role: GroundTerm, value: Result<Utility, ReasonError>) -> Result<Self, ReasonError> {
        match value {
            Ok(utility) => Ok(Self { role, value: Some(utility), problem: None, parts: None }),
            Err(error @ ReasonError::Stopped(_)) => Err(error),
            Err(error) => Ok(Self { role, value: None, problem: Some(error.to_string()), parts: None }),
        }
    }

    /// The value of one role, or of several in their order, for `expect`.
    pub(super) fn as_value(goals: &[Self]) -> AnswerValue {
        let value = |goal: &Self| match goal.value {
            Some(utility) => AnswerValue::term(utility),
            None => GroundTerm::symbol("none"),
        };
        match goals {
            [only] => AnswerValue::One(value(only)),
            _ => AnswerValue::List(goals.iter().map(value).collect()),
        }
    }
}

impl AnswerContent for GoalValues {
    fn kind(&self) -> &'static str {
        "goal"
    }

    fn text(&self, _style: &TextStyle<'_>) -> String {
        self.goals.iter().map(|goal| line(goal_text(goal)) + &goal_parts(goal)).collect()
    }

    fn value(&self) -> Option<AnswerValue> {
        Some(GoalValue::as_value(&self.goals))
    }
}

/// The facts that a goal value rests on, a line for each.
fn goal_parts(goal: &GoalValue) -> String {
    let parts = goal.parts.iter().flatten();
    table(parts.map(|part| (format!("  {}", part.fact), joined(&part.rules, ", "))))
}

fn goal_text(GoalValue { role, value, problem, .. }: &GoalValue) -> String {
    match (value, problem) {
        (Some(utility), _) => format!("{role}: {utility}"),
        (None, problem) => format!("{role}: none ({})", problem.as_deref().unwrap_or("no value")),
    }
}

/// The end of a match.
pub(super) fn result_text(goals: &[GoalValue]) -> String {
    line(format!("the game is over; {}", joined(goals.iter().map(goal_text), ", ")))
}
