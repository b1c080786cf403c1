//! `deliberate`: what compulsive deliberation costs, step by step.

use crate::ask::options::SEED;
use crate::ask::spec::NamedOption;
use crate::game::Reasoner;
use crate::repl::answer::DeliberationAnswer;
use crate::repl::command::approach::Approach;
use crate::repl::command::best::{EXIT, exit};
use crate::repl::command::option::{LIMITS, ORDER_MOVES};
use crate::repl::command::{AnswerKind, Arguments, Command, OptionGroup};
use crate::repl::{Answer, CommandError, Session};
use crate::search::{self, DeliberationStep, Form, Ties};

pub(in crate::repl::command) const DELIBERATE: Command = Command {
    name: "deliberate",
    options: &[OptionGroup::own(&[EXIT, TIES, ORDER_MOVES, SEED]), LIMITS],
    summary: "count the calls of a player that searches the whole tree anew before each move, beside planning once",
    example: "deliberate --exit no",
    answers: AnswerKind::Value,
    plays_openly: true,
    ..Command::run_by(deliberate)
};

const TIES: NamedOption = NamedOption::choice(
    "--ties",
    &["first", COSTLIEST],
    "of equally good moves make the first, or the one that makes the rest cost most",
)
.default("first");

const COSTLIEST: &str = "costliest";

fn deliberate(session: &mut Session, arguments: &Arguments) -> Result<Answer, CommandError> {
    let ties = if arguments.word(&TIES) == Some(COSTLIEST) { Ties::Costliest } else { Ties::First };
    let budget = arguments.budget(session.budget())?;
    let approach = Approach::from_arguments(arguments, session)?.with(Form::Tree, exit(arguments).unwrap_or(true));
    let (reasoner, state) = session.current()?.engine()?;
    let (problem, warnings) = approach.problem(reasoner, &state, None)?;
    let outcome = budget.run(|budget| search::deliberation(reasoner, &problem, ties, budget))?;
    let Some(found) = outcome.answer else {
        let stop = outcome.stopped.expect("a deliberation without an answer was stopped");
        return Err(CommandError::Stopped { stop, cost: Some(Box::new(outcome.cost)) });
    };
    let step = |DeliberationStep { chosen, calls, utility }| DeliberationStep {
        chosen: reasoner.move_term(chosen),
        calls,
        utility,
    };
    Ok(Answer::new(DeliberationAnswer {
        steps: found.steps.into_iter().map(step).collect(),
        utility: found.utility,
        planning: found.planning,
        planned: found.plan.utility,
        is_planned: found.is_planned,
        stopped: outcome.stopped,
        warnings,
    }))
}
