//! Command `sees`: the percepts of a role, which are all that it learns of a joint move in GDL-II.

use super::position::asked_roles;
use super::{Arguments, Command};
use crate::repl::answer::text::{line, terms};
use crate::repl::answer::{AnswerContent, AnswerValue, TextStyle};
use crate::repl::{Answer, CommandError, Session};
use gdl::rules::GroundTerm;
use ggp_engine::Game;
use ggp_game::{PerceptReasoner, Reasoner, Role};
use serde::Serialize;

pub(super) const SEES: Command = Command {
    name: "sees",
    summary: "show the percepts of a role, or of all, after the last joint move (GDL-II)",
    example: "sees candidate",
    example_game: "monty_hall",
    example_after: &["do hide(2)", "do choose(1)", "do open(3)"],
    ..Command::about_role(sees)
};

fn sees(session: &mut Session, arguments: &Arguments) -> Result<Answer, CommandError> {
    let current = session.current()?;
    let roles = asked_roles(current, arguments)?;
    let (reasoner, state, joint_move) = current.state_before_last().ok_or_else(|| {
        CommandError::refused("there are no percepts: `sees` is about the last joint move, and there is none")
    })?;
    let joint_move = joint_move.to_vec();
    let warning = "no rule defines `sees`: every role knows all moves".to_string();
    let warnings = (!reasoner.has_percepts()).then_some(warning);
    let percepts = |role: Role| {
        let percepts = reasoner.percept_terms(state, &joint_move, role)?;
        Ok(Percepts { role: reasoner.roles()[role.index()].clone(), percepts })
    };
    let roles = roles.into_iter().map(percepts).collect::<Result<_, CommandError>>()?;
    Ok(Answer::new(PerceptsOfRoles { roles }).warned(warnings))
}

/// The warning of what plays as if all roles saw the whole state, if the rules say that they do not.
pub fn full_view(game: &Game) -> Option<String> {
    let what = "the roles of this game see only what `sees` tells them; here they play as if they saw everything";
    game.rules.has_percepts().then(|| what.to_string())
}

/// The percepts of some roles after the last joint move.
#[derive(Clone, Debug, Serialize)]
struct PerceptsOfRoles {
    /// One entry for each role.
    roles: Vec<Percepts>,
}

/// The percepts of a role.
#[derive(Clone, Debug, Serialize)]
struct Percepts {
    role: GroundTerm,
    /// Its percepts, in canonical order.
    percepts: Vec<GroundTerm>,
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
}
