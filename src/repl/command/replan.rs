//! Command `replan`: one player who searches to a limited depth at every step, and makes the best move.

use super::option::LIMITS;
use super::{Arguments, Command, OptionGroup};
use crate::repl::answer::text::{cost_text, joined, line};
use crate::repl::answer::{AnswerContent, AnswerValue, TextStyle};
use crate::repl::{Answer, CommandError, Session, read};
use crate::table::{Column, Table};
use gdl::limits::Stop;
use gdl::quantity::counted;
use gdl::rules::GroundTerm;
use gdl::sorting;
use ggp_engine::{Engine, EngineState, Feature, FeaturedState};
use ggp_game::{Evaluation, Move, Reasoner, Role, Utility};
use ggp_play::ask::approach::ORDER_MOVES;
use ggp_play::ask::budget::QuestionBudget;
use ggp_play::ask::options::{DEPTH, EVALUATION};
use ggp_play::ask::searches;
use ggp_play::ask::spec::NamedOption;
use ggp_search::{Budget, Contest, Cost, Outcome, RatedMove, SearchError, Worth};
use serde::Serialize;

pub(super) const REPLAN: Command = Command {
    name: "replan",
    options: &[OptionGroup::own(&[EVALUATION, ORDER_MOVES, STEPS]), LIMITS],
    summary: "show one player who searches to a limited depth at every step: the values of its moves, the ties, and the move it makes",
    example: "replan --depth 2 --eval pacman_corridor_score",
    example_game: "pacman_corridor",
    ..Command::search(replan)
};

const STEPS: NamedOption = NamedOption::number("--steps", "N", "a number of steps", "make no more steps than this")
    .default("100; to the end of the game if that comes first");

/// The default of `--steps`.
const MOST_STEPS: u64 = 100;

fn replan(session: &mut Session, arguments: &Arguments) -> Result<Answer, CommandError> {
    let budget = arguments.budget(session.budget())?;
    if !arguments.has(&DEPTH) {
        return Err(arguments.wrong("`--depth` is needed: how far to search at each step"));
    }
    let steps = arguments.number(&STEPS)?.unwrap_or(MOST_STEPS);
    let sheet =
        arguments.word(&EVALUATION).ok_or_else(|| arguments.wrong("`--eval` is needed: a sheet with an evaluation"))?;
    let parts = read::split_outside_parentheses(arguments.word(&ORDER_MOVES).unwrap_or_default(), ',');
    let mut order = Vec::new();
    for part in parts {
        order.extend(read::terms(part)?);
    }
    let roles = session.current()?.roles().len();
    if roles != 1 {
        return Err(SearchError::NotOneRole { roles }.into());
    }
    let FeaturedState { engine, state, features, warnings } = session.featured(sheet, Feature::Evaluation)?;
    let replanned = walk(engine, state, features, &order, steps, &budget)?;
    Ok(Answer::new(replanned).warned(warnings))
}

/// Walks until the end of the game, the last step or a limit. The moves in `order` are preferred among equal ones.
fn walk(
    reasoner: &mut Engine,
    mut state: EngineState,
    evaluation: &mut dyn Evaluation<Engine>,
    order: &[GroundTerm],
    most_steps: u64,
    budget: &QuestionBudget,
) -> Result<ReplanAnswer, CommandError> {
    let mut steps = Vec::new();
    let mut cost = Cost::default();
    let mut next = |budget: &Budget| loop {
        if reasoner.is_terminal(&state)? {
            return Ok(Some(reasoner.goal(&state, PLAYER)?));
        }
        if steps.len() as u64 >= most_steps {
            return Ok(None);
        }
        let (step, chosen) = step(reasoner, &state, evaluation, order, budget, &mut cost)?;
        // The step counts only if the state after it is known.
        let after = reasoner.next_state(&state, &[chosen])?;
        steps.push(step);
        state = after;
    };
    let Outcome { answer: utility, stopped, .. } = budget.run(|budget| {
        let (answer, stopped) = match next(budget) {
            Ok(utility) => (utility, None),
            Err(error) => (None, Some(CommandError::stop(&error).ok_or(error)?)),
        };
        Ok::<_, CommandError>(Outcome { answer, stopped, cost: Cost::default() })
    })?;
    let now = evaluation.evaluate(reasoner, &state, PLAYER)?;
    Ok(ReplanAnswer { steps, evaluation: now, utility, stopped, cost })
}

/// The only role of the game.
const PLAYER: Role = Role::new(0);

/// The values that the player finds for its moves in a state, and the move that it makes.
fn step(
    reasoner: &mut Engine,
    state: &EngineState,
    evaluation: &mut dyn Evaluation<Engine>,
    order: &[GroundTerm],
    budget: &Budget,
    cost: &mut Cost,
) -> Result<(ReplannedStep, Move), CommandError> {
    let now = evaluation.evaluate(reasoner, state, PLAYER)?;
    let contest = Contest { evaluation: Some(evaluation), ..Contest::new(state, PLAYER) };
    let outcome = searches::minimax(reasoner, contest, budget)?;
    *cost = cost.with(outcome.cost);
    if let Some(stop) = outcome.stopped.filter(|stop| !matches!(stop, Stop::Depth { .. })) {
        return Err(CommandError::Stopped { stop, cost: None });
    }
    let choice = outcome.answer.ok_or(SearchError::Over)?;
    let mut best: Vec<_> = choice.equals.iter().map(|&chosen| (reasoner.move_term(chosen), chosen)).collect();
    let preferred = |term: &GroundTerm| order.iter().position(|first| first == term);
    sorting::sort_by_key(&mut best, |(term, _)| preferred(term).unwrap_or(usize::MAX));
    let (term, chosen) = best.first().cloned().ok_or(SearchError::Over)?;
    let moves = choice.moves.iter().map(|rated| rated.map(|chosen| reasoner.move_term(chosen))).collect();
    let best = best.into_iter().map(|(term, _)| term).collect();
    Ok((ReplannedStep { evaluation: now, chosen: term, moves, best }, chosen))
}

/// A player that searches again at every step.
#[derive(Clone, Debug, Serialize)]
struct ReplanAnswer {
    steps: Vec<ReplannedStep>,
    /// The evaluation of the state after the last step, for its role.
    evaluation: i64,
    /// The utility, if the game is over.
    #[serde(skip_serializing_if = "Option::is_none")]
    utility: Option<Utility>,
    /// The limit that stopped it, if one did.
    #[serde(skip_serializing_if = "Option::is_none")]
    stopped: Option<Stop>,
    /// The cost of all its searches.
    cost: Cost,
}

/// One step of such a player.
#[derive(Clone, Debug, Serialize)]
struct ReplannedStep {
    /// The evaluation of the state before it.
    evaluation: i64,
    /// The move that was made.
    #[serde(rename = "move")]
    chosen: GroundTerm,
    /// All moves with the values that the search found.
    moves: Vec<RatedMove<GroundTerm>>,
    /// The moves of the greatest value, in the order in which they are preferred.
    best: Vec<GroundTerm>,
}

impl AnswerContent for ReplanAnswer {
    fn kind(&self) -> &'static str {
        "replanned"
    }

    /// A line for each step with the values of all moves.
    fn text(&self, style: &TextStyle<'_>) -> String {
        let columns = [Column::Right, Column::Right, Column::Left, Column::Left, Column::Left];
        let mut table = Table::new(columns).row(["step", "now", "makes", "values", "equally good"]);
        for (number, ReplannedStep { evaluation, chosen, moves, best }) in (1..).zip(&self.steps) {
            let values = joined(
                moves.iter().map(|RatedMove { chosen, worth }| {
                    let worth = match worth {
                        Worth::Utility(utility) => format!("{utility} at the end"),
                        worth => worth.number(),
                    };
                    format!("{} {worth}", chosen.display(style.dialect))
                }),
                ", ",
            );
            let equal = if best.len() > 1 {
                joined(best.iter().map(|term| term.display(style.dialect)), ", ")
            } else {
                String::new()
            };
            table = table.row([
                number.to_string(),
                evaluation.to_string(),
                chosen.display(style.dialect).to_string(),
                values,
                equal,
            ]);
        }
        let table = table.row(["end".to_string(), self.evaluation.to_string()]);
        let end = match (self.utility, self.stopped) {
            (Some(utility), _) => format!("the game is over: {utility}"),
            (None, Some(stop)) => stop.to_string(),
            (None, None) => "the game goes on".to_string(),
        };
        let steps = counted(self.steps.len(), "step");
        table.to_string() + &line(format!("{steps}, {end} ({})", cost_text(&self.cost)))
    }

    fn value(&self) -> Option<AnswerValue> {
        Some(AnswerValue::List(self.steps.iter().map(|step| step.chosen.clone()).collect()))
    }

    fn stopped(&self) -> Option<Stop> {
        self.stopped
    }
}
