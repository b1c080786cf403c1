//! `maxscore`, `bestmove`, `bestplan`: the best utility of the only player, and how to reach it.

use super::option::{LIMITS, ORDER_MOVES, VIEW};
use super::plan::{found_plan, move_order};
use super::watch::Watch;
use super::{Answers, Arguments, Command, CommandOption, OptionGroup, Takes};
use crate::game::Reasoner;
use crate::repl::answer::{Found, SearchAnswer};
use crate::repl::{Answer, CommandError, Session};
use crate::search::{self, AllPlans, Budget, Form, Problem};

pub(super) const MAXSCORE: Command = Command {
    name: "maxscore",
    operands: "",
    options: OPTIONS,
    summary: "search for the best utility that the one player can reach; --naive: without remembering states, as in the textbook",
    example: "maxscore",
    takes: Takes::Nothing,
    answers: Answers::Value,
    run: |session, arguments| best(session, Wanted::Score, arguments),
};

pub(super) const BESTMOVE: Command = Command {
    name: "bestmove",
    operands: "",
    options: OPTIONS,
    summary: "search for the one player's best move; --naive: without remembering states",
    example: "bestmove",
    takes: Takes::Nothing,
    answers: Answers::Value,
    run: |session, arguments| best(session, Wanted::Move, arguments),
};

pub(super) const BESTPLAN: Command = Command {
    name: "bestplan",
    operands: "",
    options: &[OptionGroup::own(&[NAIVE, SHORTEST, ALL, ORDER_MOVES]), LIMITS, VIEW],
    summary: "search for a plan for the best utility of the one player; --shortest: the fewest; --all: every shortest plan, N of them listed",
    example: "bestplan --shortest",
    takes: Takes::Nothing,
    answers: Answers::Value,
    run: |session, arguments| best(session, Wanted::Plan, arguments),
};

const OPTIONS: &[OptionGroup] = &[OptionGroup::own(&[NAIVE, ORDER_MOVES]), LIMITS, VIEW];

const NAIVE: CommandOption = CommandOption::flag("--naive", "remember no states, as the textbook has it");
const SHORTEST: CommandOption = CommandOption::flag("--shortest", "find a plan of the fewest moves; not with --naive");
const ALL: CommandOption = CommandOption::optional_number(
    "--all",
    "N",
    "find every shortest plan, and list N of them; not with --naive, --trace or --tree",
)
.default("one plan; 20 without N");

/// The default number of plans that `--all` lists.
const LISTED_PLANS: usize = 20;

#[derive(Clone, Copy, PartialEq, Eq)]
enum Wanted {
    Score,
    Move,
    Plan,
}

fn best(session: &mut Session, wanted: Wanted, arguments: &Arguments) -> Result<Answer, CommandError> {
    let watch = Watch::of(arguments, session)?;
    let budget = arguments.budget(session.budget())?;
    let form = if arguments.has(&NAIVE) { Form::Tree } else { Form::Graph };
    let shortest = arguments.has(&SHORTEST);
    let all = arguments.optional_number(&ALL, LISTED_PLANS)?;
    let clash = match (form, all, shortest) {
        (Form::Tree, Some(_), _) => Some("`--naive` and `--all`"),
        (Form::Tree, _, true) => Some("`--naive` and `--shortest`"),
        (_, Some(_), _) if watch.is_on() => Some("`--all` and `--trace` or `--tree`"),
        _ => None,
    };
    if let Some(clash) = clash {
        return Err(arguments.wrong(format!("{clash} cannot be combined")));
    }
    let (reasoner, state) = session.current()?.engine()?;
    let (order, warnings) = move_order(reasoner, arguments.word(&ORDER_MOVES))?;
    let problem = Problem { form, order, ..Problem::new(&state) };
    if let Some(most) = all {
        return Ok(all_plans(reasoner, &problem, most, &budget)?.warned(warnings));
    }
    let mut watcher = watch.watcher();
    let answer = match wanted {
        Wanted::Score => {
            let outcome = search::max_score(reasoner, &problem, &budget, &mut watcher)?;
            watch.answer(watcher, reasoner, outcome, |utility| Found::Score { utility })
        }
        Wanted::Move => {
            let outcome = search::best_move(reasoner, &problem, &budget, &mut watcher)?;
            let found = |(chosen, utility)| Found::Move { chosen: reasoner.move_term(chosen), utility };
            watch.answer(watcher, reasoner, outcome, found)
        }
        Wanted::Plan => {
            let outcome = match shortest {
                true => search::breadth_first(reasoner, &problem, &budget, &mut watcher)?,
                false => search::best_plan(reasoner, &problem, &budget, &mut watcher)?,
            };
            watch.answer(watcher, reasoner, outcome, found_plan(reasoner, None))
        }
    }?;
    Ok(answer.warned(warnings))
}

fn all_plans<R: Reasoner>(
    reasoner: &mut R,
    problem: &Problem<'_, R::State>,
    most: usize,
    budget: &Budget,
) -> Result<Answer, CommandError> {
    let outcome = search::all_plans(reasoner, problem, most, budget)?;
    let terms = |moves: Vec<_>| moves.into_iter().map(|chosen| reasoner.move_term(chosen)).collect();
    let found = |AllPlans { count, plans, utility, length }| Found::Plans {
        count,
        plans: plans.into_iter().map(|plan| terms(plan.moves)).collect(),
        utility,
        length,
    };
    Ok(Answer::Search(SearchAnswer::of(outcome, found)?))
}
