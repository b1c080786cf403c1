//! Commands that search the game tree below the current state.

use super::{Answers, Command, Takes};
use crate::game::{Reasoner, Role};
use crate::repl::answer::{Found, SearchAnswer};
use crate::repl::session::Match;
use crate::repl::{Answer, CommandError, Session, read};
use crate::search::{self, Choice, Contest};

pub(super) const MINIMAX: Command = Command {
    name: "minimax",
    arguments: "[ROLE]",
    summary: "search for the utility that a role (without a name: who is to move) can force against all others",
    example: "minimax xplayer",
    takes: Takes::Role,
    answers: Answers::Value,
    run: minimax,
};

fn minimax(session: &mut Session, arguments: &str) -> Result<Answer, CommandError> {
    let budget = session.budget();
    let current = session.current()?;
    let role = match &read::terms(arguments)?[..] {
        [] => to_move(current)?,
        [name] => current.role(name)?,
        _ => return Err(MINIMAX.misused("only one role at a time")),
    };
    let name = current.roles()[role.index()].clone();
    let (reasoner, state) = current.engine()?;
    let outcome = search::minimax(reasoner, Contest::new(&state, role), &budget, ())?;
    let found = |choice: Choice| Found::Value {
        role: name,
        utility: choice.worth.utility().unwrap_or(crate::game::Utility(50)),
        chosen: choice.chosen.map(|chosen| reasoner.move_term(chosen)),
    };
    finish(SearchAnswer::of(outcome, found))
}

/// The only role that has a choice; the first role where there is no such.
fn to_move(current: &mut Match) -> Result<Role, CommandError> {
    if current.is_over()? {
        return Ok(Role::new(0));
    }
    match current.joint_moves()?.choosing()[..] {
        [role] => Ok(role),
        _ => Ok(Role::new(0)),
    }
}

fn finish(answer: Result<SearchAnswer, CommandError>) -> Result<Answer, CommandError> {
    answer.map(Answer::Search)
}
