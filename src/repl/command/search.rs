//! Commands that search the game tree below the current state.

use super::{Answers, Command, Takes};
use crate::game::{Reasoner, Role};
use crate::repl::answer::{Found, SearchAnswer};
use crate::repl::session::Match;
use crate::repl::{Answer, CommandError, Session, read};
use crate::search::{self, Choice, Contest, Plan};

pub(super) const MAXSCORE: Command = Command {
    name: "maxscore",
    arguments: "",
    summary: "search for the best utility that the one player can reach",
    example: "maxscore",
    takes: Takes::Nothing,
    answers: Answers::Value,
    run: maxscore,
};

pub(super) const BESTMOVE: Command = Command {
    name: "bestmove",
    arguments: "",
    summary: "search for the one player's best move",
    example: "bestmove",
    takes: Takes::Nothing,
    answers: Answers::Value,
    run: bestmove,
};

pub(super) const BESTPLAN: Command = Command {
    name: "bestplan",
    arguments: "",
    summary: "search for the moves that lead the one player to the best utility",
    example: "bestplan",
    takes: Takes::Nothing,
    answers: Answers::Value,
    run: bestplan,
};

pub(super) const MINIMAX: Command = Command {
    name: "minimax",
    arguments: "[ROLE]",
    summary: "search for the utility that a role (without a name: who is to move) can force against all others",
    example: "minimax xplayer",
    takes: Takes::Role,
    answers: Answers::Value,
    run: minimax,
};

fn maxscore(session: &mut Session, arguments: &str) -> Result<Answer, CommandError> {
    MAXSCORE.takes_none(arguments)?;
    let budget = session.budget();
    let (reasoner, state) = session.current()?.engine()?;
    let outcome = search::max_score(reasoner, &state, &budget)?;
    finish(SearchAnswer::of(outcome, |utility| Found::Score { utility }))
}

fn bestmove(session: &mut Session, arguments: &str) -> Result<Answer, CommandError> {
    BESTMOVE.takes_none(arguments)?;
    let budget = session.budget();
    let (reasoner, state) = session.current()?.engine()?;
    let outcome = search::best_move(reasoner, &state, &budget)?;
    let found = |(chosen, utility)| Found::Move { chosen: reasoner.move_term(chosen), utility };
    finish(SearchAnswer::of(outcome, found))
}

fn bestplan(session: &mut Session, arguments: &str) -> Result<Answer, CommandError> {
    BESTPLAN.takes_none(arguments)?;
    let budget = session.budget();
    let (reasoner, state) = session.current()?.engine()?;
    let outcome = search::best_plan(reasoner, &state, &budget)?;
    finish(SearchAnswer::of(outcome, found_plan(reasoner)))
}

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

/// A plan as it is answered.
pub(super) fn found_plan<R: Reasoner>(reasoner: &R) -> impl Fn(Plan) -> Found {
    |plan| Found::Plan {
        moves: plan.moves.into_iter().map(|chosen| reasoner.move_term(chosen)).collect(),
        utility: plan.utility,
    }
}

fn finish(answer: Result<SearchAnswer, CommandError>) -> Result<Answer, CommandError> {
    answer.map(Answer::Search)
}
