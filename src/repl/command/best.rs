//! `maxscore`, `bestmove`, `bestplan`: the best utility of the only player, and how to reach it.

use super::option::{LIMITS, VIEW};
use super::plan::{LISTED_PLANS, found, found_optimal_plans, found_plans, options_of};
use super::watch::Watch;
use super::{AnswerKind, Arguments, Command, OptionGroup};
use crate::repl::answer::{Prospect, Prospects, SearchAnswer};
use crate::repl::{Answer, CommandError, Session};
use gdl::limits::Stop;
use ggp_engine::{Engine, EngineState};
use ggp_game::{Reasoner, Role};
use ggp_play::ask::budget::QuestionBudget;
use ggp_play::ask::spec::{NamedOption, OptionRelation};
use ggp_play::ask::{PlanAlgorithm, PlanQuestion, searches};
use ggp_search::{Cost, Form, Outcome, Problem, Procedure};

pub(super) const MAXSCORE: Command = Command {
    name: "maxscore",
    options: &[options_of(PlanAlgorithm::MaxScore), OptionGroup::own(&[VALUES]), LIMITS, VIEW],
    summary: "search for the best utility that the one player can reach; --naive: without remembering states, as in the textbook",
    example: "maxscore",
    example_game: "three_puzzle",
    answers: AnswerKind::Value,
    plays_openly: true,
    ..Command::run_by(|session, arguments| best(session, PlanAlgorithm::MaxScore, arguments))
};

pub(super) const BESTMOVE: Command = Command {
    name: "bestmove",
    options: &[options_of(PlanAlgorithm::BestMove), LIMITS, VIEW],
    summary: "search for the one player's best move; --naive: without remembering states",
    example: "bestmove",
    example_game: "three_puzzle",
    answers: AnswerKind::Value,
    plays_openly: true,
    ..Command::run_by(|session, arguments| best(session, PlanAlgorithm::BestMove, arguments))
};

pub(super) const BESTPLAN: Command = Command {
    name: "bestplan",
    options: &[options_of(PlanAlgorithm::BestPlan), OptionGroup::own(&[ALL, OPTIMAL]), LIMITS, VIEW],
    summary: "search for a plan to the best utility of the one player; --shortest: with the fewest moves; --all: every shortest plan, with N of them listed",
    example: "bestplan --shortest",
    example_game: "three_puzzle",
    answers: AnswerKind::Value,
    plays_openly: true,
    ..Command::run_by(|session, arguments| best(session, PlanAlgorithm::BestPlan, arguments))
};

const ALL: NamedOption = NamedOption::optional_number(
    "--all",
    "N",
    "find every shortest plan, and list N of them; not with --naive, --trace or --tree",
)
.default("one plan; 20 without N")
.excluding(&[OptionRelation::to(&["--trace", "--tree"]), OptionRelation::to(&["--queue"])]);
const OPTIMAL: NamedOption = NamedOption::optional_number(
    "--optimal",
    "N",
    "count the plans to the best utility of every length, and list N of them; not with the options above",
)
.default("one plan; 20 without N")
.excluding(&[OptionRelation::to(&["--naive", "--exit no", "--shortest", "--all", "--trace", "--queue", "--tree"])
    .saying("`--optimal` and other ways to search cannot be combined")]);
const VALUES: NamedOption =
    NamedOption::flag("--values", "a table: the reward now, and the utility, of the state and after each move")
        .excluding(&[OptionRelation::to(&["--trace", "--tree"]), OptionRelation::to(&["--queue"])]);

/// The procedure that finds this in the textbook.
fn procedure(algorithm: PlanAlgorithm) -> Procedure {
    match algorithm {
        PlanAlgorithm::MaxScore => Procedure::MaxScore,
        PlanAlgorithm::BestMove => Procedure::BestMove,
        _ => Procedure::BestPlan,
    }
}

fn best(session: &mut Session, algorithm: PlanAlgorithm, arguments: &Arguments) -> Result<Answer, CommandError> {
    let watch = Watch::from_arguments(arguments, session)?;
    let budget = arguments.budget(session.budget())?;
    let question = PlanQuestion::new(algorithm, arguments, session.seed());
    let all = arguments.optional_number(&ALL, LISTED_PLANS)?;
    let optimal = arguments.optional_number(&OPTIMAL, LISTED_PLANS)?;
    let (reasoner, state) = session.current()?.engine()?;
    let range = reasoner.utility_range();
    let (problem, warnings) = question.problem(reasoner, &state)?;
    let watch = match problem.form {
        Form::Tree => watch.narrating(procedure(algorithm), problem.exit, range, arguments)?,
        Form::Graph => watch,
    };
    if arguments.has(&VALUES) {
        return prospects(reasoner, &problem, &budget);
    }
    let answer = if let Some(most) = optimal {
        let outcome = budget.run(|budget| searches::optimal_plans(reasoner, &problem, most, budget))?;
        SearchAnswer::from_outcome(outcome.map(found_optimal_plans(reasoner)))?
    } else if let Some(most) = all {
        let outcome = budget.run(|budget| searches::all_plans(reasoner, &problem, most, budget))?;
        SearchAnswer::from_outcome(outcome.map(found_plans(reasoner)))?
    } else {
        let mut watcher = watch.watcher();
        let outcome = question.ask(reasoner, &problem, None, &budget, watch.observing(&mut watcher))?;
        let outcome = outcome.map(|planned| found(reasoner, planned, None));
        watch.answer(watcher, reasoner, problem.state, outcome)?
    };
    Ok(Answer::new(answer.warned(warnings)))
}

/// What the state and each of its moves are worth, now and at best.
fn prospects(
    reasoner: &mut Engine,
    problem: &Problem<'_, EngineState>,
    budget: &QuestionBudget,
) -> Result<Answer, CommandError> {
    let (mut moves, mut states) = (vec![None], vec![problem.state.clone()]);
    if !reasoner.is_terminal(problem.state)? {
        let mut legal = Vec::new();
        reasoner.legal_moves(problem.state, Role::new(0), &mut legal)?;
        for chosen in legal {
            moves.push(Some(reasoner.move_term(chosen)));
            states.push(reasoner.next_state(problem.state, &[chosen])?);
        }
    }
    let (mut rows, mut cost, mut was_interrupted) = (Vec::new(), Cost::default(), false);
    for (chosen, state) in moves.into_iter().zip(&states) {
        let outcome = match was_interrupted {
            true => Outcome { answer: None, stopped: Some(Stop::Interrupted), cost: Cost::default() },
            false => {
                let problem = Problem { state, ..problem.clone() };
                budget.run(|budget| searches::max_score(reasoner, &problem, budget))?
            }
        };
        cost = cost.with(outcome.cost);
        let (utility, stopped) = (outcome.answer, outcome.stopped);
        // From the state itself no line ends the game; after a move that may be so although others end it.
        if chosen.is_none() && utility.is_none() && stopped.is_none() {
            return Err(CommandError::NoEnd { cost });
        }
        // After an interrupt the other moves are searched no more, but they are asked for their rewards.
        was_interrupted |= stopped == Some(Stop::Interrupted);
        rows.push(Prospect { chosen, reward: reasoner.goal(state, Role::new(0)).ok(), utility, stopped });
    }
    if rows.iter().all(|row| row.utility.is_none()) {
        let stop = rows.iter().find_map(|row| row.stopped).unwrap_or(Stop::Interrupted);
        return Err(CommandError::Stopped { stop, cost: Some(Box::new(cost)) });
    }
    Ok(Answer::new(Prospects { rows, cost }))
}
