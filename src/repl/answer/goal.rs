//! Goal values of roles in a state, in the answers of several commands.

use super::text::{joined, line};
use crate::repl::value::AnswerValue;
use gdl::rules::GroundTerm;
use ggp_game::{ReasonError, Reasoner, Role, Utility};
use serde::Serialize;

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
    pub(crate) fn as_value(goals: &[Self]) -> AnswerValue {
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

/// The end of a match.
pub(crate) fn result_text(goals: &[GoalValue]) -> String {
    line(format!("the game is over; {}", joined(goals.iter().map(goal_text), ", ")))
}

pub(crate) fn goal_text(GoalValue { role, value, problem, .. }: &GoalValue) -> String {
    match (value, problem) {
        (Some(utility), _) => format!("{role}: {utility}"),
        (None, problem) => format!("{role}: none ({})", problem.as_deref().unwrap_or("no value")),
    }
}
