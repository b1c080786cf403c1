//! Command `deliberate`: the cost of compulsive deliberation, step by step.

use super::option::LIMITS;
use super::{Arguments, Command, OptionGroup};
use crate::repl::answer::text::line;
use crate::repl::answer::{AnswerContent, AnswerValue, NodeCount, TextStyle};
use crate::repl::{Answer, CommandError, Session};
use crate::table::{Column, Table};
use gdl::limits::Stop;
use gdl::quantity::{counted, counted_as, grouped};
use gdl::rules::GroundTerm;
use ggp_game::{Reasoner, Utility};
use ggp_play::ask::approach::{Approach, ORDER_MOVES};
use ggp_play::ask::options::SEED;
use ggp_play::ask::plan::{EXIT, exits};
use ggp_play::ask::searches;
use ggp_play::ask::spec::NamedOption;
use ggp_search::{DeliberationStep, Form, Ties};
use serde::Serialize;

pub(super) const DELIBERATE: Command = Command {
    name: "deliberate",
    options: &[OptionGroup::own(&[EXIT, TIES, ORDER_MOVES, SEED]), LIMITS],
    summary: "count the calls of a player that searches the whole tree before each move, and those of planning once",
    example: "deliberate --exit no",
    example_game: "three_puzzle",
    ..Command::search(deliberate)
};

const TIES: NamedOption = NamedOption::choice(
    "--ties",
    &["first", COSTLIEST],
    "of equally good moves, make the first, or the one after which the rest costs most",
)
.default("first");

const COSTLIEST: &str = "costliest";

fn deliberate(session: &mut Session, arguments: &Arguments) -> Result<Answer, CommandError> {
    let ties = if arguments.word(&TIES) == Some(COSTLIEST) { Ties::Costliest } else { Ties::First };
    let budget = arguments.budget(session.budget())?;
    let approach = Approach::new(arguments, session.seed()).with(Form::Tree, exits(arguments).unwrap_or(true));
    let (reasoner, state) = session.current()?.engine()?;
    let (problem, warnings) = approach.problem(reasoner, &state, None)?;
    let outcome = budget.run(|budget| searches::deliberation(reasoner, &problem, ties, budget))?;
    let Some(found) = outcome.answer else {
        return Err(CommandError::without_answer(outcome.stopped, outcome.cost));
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
    })
    .warned(warnings))
}

/// A game played by compulsive deliberation, compared with planning once.
#[derive(Clone, Debug, Serialize)]
struct DeliberationAnswer {
    /// The steps, first to last; if the search was stopped, those that were finished.
    steps: Vec<DeliberationStep<GroundTerm>>,
    /// The utility at the end of the game; `None` if the search was stopped before it.
    utility: Option<Utility>,
    /// The calls of a player that plans once.
    planning: u64,
    /// The utility of its plan.
    planned: Utility,
    /// True if planning was finished; otherwise the plan is the best so far.
    #[serde(skip)]
    is_planned: bool,
    /// The limit that stopped the search, if one did.
    #[serde(skip_serializing_if = "Option::is_none")]
    stopped: Option<Stop>,
}

impl DeliberationAnswer {
    /// The calls of all steps.
    fn calls(&self) -> u64 {
        self.steps.iter().map(|step| step.calls).sum()
    }
}

impl AnswerContent for DeliberationAnswer {
    fn kind(&self) -> &'static str {
        "deliberated"
    }

    /// A line for each step, and their sum compared with the cost of planning once.
    fn text(&self, style: &TextStyle<'_>) -> String {
        let rows = self.steps.iter().zip(1..).map(|(step, number)| {
            let chosen = step.chosen.display(style.dialect).to_string();
            [number.to_string(), chosen, step.utility.to_string(), grouped(step.calls)]
        });
        use Column::{Left, Right};
        let table =
            Table::new([Right, Left, Right, Right]).row(["step", "move", "utility", "calls"]).rows(rows).to_string();
        let Self { utility, planning, planned, is_planned, stopped, .. } = self;
        let calls = self.calls();
        let steps = self.steps.len();
        let spent = counted_as(calls, "call", "calls");
        let ratio = calls as f64 / *planning as f64;
        let end = utility.map_or(String::new(), |utility| format!(", ends with {utility}"));
        let once = counted_as(*planning, "call", "calls");
        let [deliberation, planning, ratio] = match stopped {
            None => [format!("{spent}{end}"), format!("{once}, ends with {planned}"), format!("ratio: {ratio:.2}")],
            Some(stop) if !is_planned => {
                return line(format!("planning once: best so far, {stop}; {once}, ends with {planned}"));
            }
            Some(stop) if steps == 0 => {
                return line(format!("deliberation: {stop} in the first step"))
                    + &line(format!("planning once: {once}, ends with {planned}"));
            }
            Some(stop) => [
                format!("{stop}; {spent} in {}{end}", counted(steps, "finished step")),
                format!("{once}, ends with {planned}"),
                format!("ratio: at least {ratio:.2}"),
            ],
        };
        table
            + &line(format!("deliberation: {deliberation}"))
            + &line(format!("planning once: {planning}"))
            + &line(ratio)
    }

    fn value(&self) -> Option<AnswerValue> {
        Some(AnswerValue::numbers(self.steps.iter().map(|step| step.calls)))
    }

    fn nodes(&self, _named: Option<NodeCount>) -> Option<AnswerValue> {
        Some(AnswerValue::number(self.calls()))
    }

    fn stopped(&self) -> Option<Stop> {
        self.stopped
    }
}
