//! `solve`: the value of the whole game below the current state.

use super::contest::choices;
use super::option::LIMITS;
use super::{Answers, Arguments, Command, Takes};
use crate::game::Reasoner;
use crate::repl::answer::{Solved, Worths};
use crate::repl::{Answer, CommandError, Session};
use crate::search::{self, Stop};

pub(super) const SOLVE: Command = Command {
    name: "solve",
    operands: "",
    options: &[LIMITS],
    summary: "find the exact value and best play from the current state by visiting every state that can be reached",
    example: "solve --memory 2G",
    takes: Takes::Nothing,
    answers: Answers::Value,
    run: solve,
};

fn solve(session: &mut Session, arguments: &Arguments) -> Result<Answer, CommandError> {
    let budget = arguments.budget(session.budget())?;
    let (reasoner, state) = session.current()?.engine()?;
    let outcome = search::solve(reasoner, &state, &budget)?;
    let cost = outcome.cost;
    let Some(solution) = outcome.answer else {
        return Err(CommandError::Stopped { stop: outcome.stopped.unwrap_or(Stop::Interrupted), cost: Some(cost) });
    };
    let line = choices(reasoner, &state, &solution.line)?;
    let roles = reasoner.roles().iter().cloned();
    Ok(Answer::Solved(Solved {
        value: solution.utilities.map(|utilities| Worths(roles.zip(utilities).collect())),
        moves: solution.moves,
        line,
        states: solution.states,
        joint_moves: solution.joint_moves,
        worths: solution.worths,
        state_bytes: solution.state_bytes,
        memory: solution.memory,
        cost,
    }))
}
