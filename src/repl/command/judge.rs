//! `plan check` and `heuristic check`: check a given plan or heuristic.

use super::option::{GOAL, LIMITS};
use super::positions::PositionFormat;
use super::show::setting;
use super::{AnswerKind, ArgumentKind, Arguments, Command, OptionGroup};
use crate::ask::budget::QuestionBudget;
use crate::ask::spec::NamedOption;
use crate::engine::{Feature, FeaturedState, Measure};
use crate::game::{BatchReasoner, Heuristic, Reasoner, Role, Utility};
use crate::interpreter::{Interpreter, State};
use crate::limits::Stop;
use crate::repl::answer::ComparedPlans;
use crate::repl::answer::{Boards, CheckedHeuristic, CheckedPlan, ShownPlan, ShownStep, WrongEstimate};
use crate::repl::{Answer, CommandError, Session, read};
use crate::rules::GroundTerm;
use crate::search::{self, Budget, Outcome, PlanEnd};

pub(super) const PLAN: Command = Command {
    name: "plan",
    operands: "check MOVE … | compare MOVE … / MOVE … / … | show MOVE …",
    options: &[OptionGroup::own(&[BOARDS]), LIMITS],
    summary: "judge plans of one player: legal, complete, minimal (no state before the end is terminal), optimal, shortest; or show one step by step",
    example: "plan check up left left",
    takes: ArgumentKind::Moves,
    answers: AnswerKind::Truth,
    plays_openly: true,
    ..Command::run_by(plan)
};

pub(super) const HEURISTIC: Command = Command {
    name: "heuristic",
    operands: "check SHEET|hmax|hadd|hff",
    options: &[OptionGroup::own(&[GOAL]), LIMITS],
    summary: "compare a heuristic with the true number of moves in every state: is it admissible and consistent",
    example: "heuristic check blocksworld_tiles_manhattan",
    takes: ArgumentKind::Heuristic,
    answers: AnswerKind::Truth,
    ..Command::run_by(heuristic)
};

fn plan(session: &mut Session, arguments: &Arguments) -> Result<Answer, CommandError> {
    let budget = arguments.budget(session.budget())?;
    match read::word(arguments.operands()) {
        ("check", moves) if !moves.is_empty() => {
            let moves = read::list(moves)?;
            Ok(Answer::new(budget.run(|budget| checked(session, moves, budget))?))
        }
        ("compare", plans) if !plans.is_empty() => {
            let plans = plans.split(" / ").map(read::list).collect::<Result<Vec<_>, _>>()?;
            let check = |budget: &Budget| plans.into_iter().map(|moves| checked(session, moves, budget)).collect();
            Ok(Answer::new(ComparedPlans { plans: budget.run(check)? }))
        }
        ("show", moves) if !moves.is_empty() => shown(session, &read::list(moves)?, arguments.has(&BOARDS)),
        ("show", _) => Err(PLAN.misused("`plan show` needs moves")),
        ("compare", _) => Err(PLAN.misused("`plan compare` needs plans with ` / ` between them")),
        _ => Err(PLAN.misused("`plan check` needs moves")),
    }
}

const BOARDS: NamedOption = NamedOption::flag("--boards", "with `plan show`: draw the boards of each state");

/// Makes the moves of a plan one by one, without changing the match.
fn shown(session: &mut Session, moves: &[GroundTerm], draws: bool) -> Result<Answer, CommandError> {
    let dialect = session.dialect();
    let current = session.current()?;
    let writing = PositionFormat::from_match(current, dialect)?;
    let (reasoner, state) = current.position();
    if reasoner.roles().len() != 1 {
        return Err(search::SearchError::NotOneRole { roles: reasoner.roles().len() }.into());
    }
    let (mut state, mut legal) = (state.clone(), Vec::new());
    let step = |reasoner: &Interpreter, state: &State, chosen| ShownStep {
        chosen,
        facts: reasoner.facts(state),
        text: writing.line(reasoner, state),
        drawn: None,
    };
    let mut steps = vec![step(reasoner, &state, None)];
    for (index, term) in moves.iter().enumerate() {
        let chosen = reasoner.find_move(term)?;
        reasoner.legal_moves(&state, Role::new(0), &mut legal)?;
        if reasoner.is_terminal(&state)? {
            return Err(PLAN.misused(format!("the game is over before move {}, {term}", index + 1)));
        }
        if !legal.contains(&chosen) {
            return Err(PLAN.misused(format!("move {}, {term}, is not legal", index + 1)));
        }
        state = reasoner.next_state(&state, &[chosen])?;
        steps.push(step(reasoner, &state, Some(term.clone())));
    }
    let utility = if reasoner.is_terminal(&state)? { Some(reasoner.goal(&state, Role::new(0))?) } else { None };
    if draws {
        for step in &mut steps {
            let drawn = Boards { facts: Vec::new(), ..Boards::from_facts(&*setting(current)?, &step.facts, None) };
            step.drawn = Some(drawn).filter(|drawn| !drawn.is_plain());
        }
    }
    Ok(Answer::new(ShownPlan { steps, utility }))
}

fn checked(session: &mut Session, moves: Vec<GroundTerm>, budget: &Budget) -> Result<CheckedPlan, CommandError> {
    let (reasoner, state) = session.current()?.position();
    let plan = moves.iter().map(|term| reasoner.find_move(term)).collect::<Result<Vec<_>, _>>()?;
    let Outcome { answer, cost, .. } = search::plan_check(reasoner, state, &plan, budget)?;
    let Some(check) = answer else {
        return Err(CommandError::Stopped { stop: Stop::Interrupted, cost: Some(Box::new(cost)) });
    };
    let wrong = match check.end {
        PlanEnd::Illegal(index) | PlanEnd::Over { index, .. } => Some((index + 1, moves[index].clone())),
        PlanEnd::Complete | PlanEnd::Open => None,
    };
    Ok(CheckedPlan {
        length: moves.len(),
        moves,
        is_legal: !matches!(check.end, PlanEnd::Illegal(_) | PlanEnd::Over { is_legal: false, .. }),
        wrong,
        is_complete: check.end == PlanEnd::Complete,
        is_minimal: !matches!(check.end, PlanEnd::Over { .. }),
        utility: check.utility,
        best: check.best,
        fewest: check.fewest,
        stopped: check.stopped,
        cost,
    })
}

fn heuristic(session: &mut Session, arguments: &Arguments) -> Result<Answer, CommandError> {
    let budget = arguments.budget(session.budget())?;
    let goal = arguments.number(&GOAL)?;
    let sheet = match read::word(arguments.operands()) {
        ("check", sheet) if !sheet.is_empty() => sheet,
        _ => return Err(HEURISTIC.misused("`heuristic check` needs a sheet")),
    };
    if let Some(measure) = Measure::find(sheet) {
        let relaxed = session.relaxed(measure, goal)?;
        let (reasoner, state) = session.current()?.engine()?;
        return Ok(Answer::new(check(reasoner, &state, relaxed, goal, &budget)?));
    }
    let FeaturedState { engine, state, features, warnings } = session.featured(sheet, Feature::Heuristic)?;
    let checked = check(engine, &state, features, goal, &budget)?;
    Ok(Answer::new(CheckedHeuristic { warnings, ..checked }))
}

fn check<R: BatchReasoner>(
    reasoner: &mut R,
    state: &R::State,
    heuristic: impl Heuristic<R>,
    goal: Option<Utility>,
    budget: &QuestionBudget,
) -> Result<CheckedHeuristic, CommandError> {
    let outcome = budget.run(|budget| search::heuristic_check(reasoner, state, heuristic, goal, budget))?;
    let cost = outcome.cost;
    let check = match (outcome.answer, outcome.stopped) {
        (Some(check), _) => check,
        (None, Some(stop)) => return Err(CommandError::Stopped { stop, cost: Some(Box::new(cost)) }),
        (None, None) => return Err(CommandError::NoEnd { cost }),
    };
    let (is_admissible, is_consistent) = (check.is_admissible(), check.is_consistent());
    Ok(CheckedHeuristic {
        goal: check.goal,
        states: check.states,
        solvable: check.solvable,
        is_admissible,
        is_consistent,
        overestimates: check.overestimates,
        first_overestimate: check.first_overestimate.map(|wrong| WrongEstimate {
            facts: reasoner.facts(&wrong.state),
            estimate: wrong.estimate,
            moves: wrong.distance,
        }),
        inconsistencies: check.inconsistencies,
        first_inconsistency: check.first_inconsistency.map(|wrong| {
            let facts = [&wrong.before, &wrong.after].map(|state| reasoner.facts(state));
            (facts, wrong.estimate_before, wrong.estimate_after)
        }),
        mean_estimate: check.mean_estimate,
        mean_moves: check.mean_distance,
        cost,
        warnings: Vec::new(),
    })
}
