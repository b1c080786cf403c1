//! `tree` and `perft`: count the game tree below the current state.

use super::option::LIMITS;
use super::teaching::estimate::quick_estimate;
use super::{AnswerKind, Arguments, Command, OptionGroup};
use crate::ask::budget::QuestionBudget;
use crate::ask::spec::NamedOption;
use crate::game::Reasoner;
use crate::limits::Stop;
use crate::repl::answer::{CountedDepths, CountedMove, CountedTree, RoleMove};
use crate::repl::screen::ScreenContent;
use crate::repl::{Answer, CommandError, Session};
use crate::search::{self, Budget, GameTree, Outcome, TreeSize};

pub(super) const TREE: Command = Command {
    name: "tree",
    options: &[OWN, LIMITS],
    summary: "count the whole tree below the current state by its states: nodes, terminal nodes, states, utilities",
    example: "tree",
    answers: AnswerKind::Value,
    ..Command::run_by(tree)
};

pub(super) const PERFT: Command = Command {
    name: "perft",
    operands: "N",
    options: &[OWN, LIMITS],
    summary: "count the nodes at each depth down to N, and those below each first joint move",
    example: "perft 4",
    answers: AnswerKind::Value,
    ..Command::run_by(perft)
};

/// The number of states up to which a tree is counted before it is estimated: most need no more.
const FEW: u64 = 2_000;

const OWN: OptionGroup = OptionGroup::own(&[STATES]);
const STATES: NamedOption = NamedOption::number(
    "--states",
    "N",
    "a number of states",
    "visit no more states than this: the same as --nodes, since each state is visited once",
);

fn tree(session: &mut Session, arguments: &Arguments) -> Result<Answer, CommandError> {
    let budget = limits(session.budget(), arguments)?;
    let whole = budget.most_nodes();
    let few = budget.with(|budget| budget.with_nodes(whole.min(FEW)));
    let mut counted = count(session, &few)?;
    let estimate = match counted.stopped {
        None | Some(Stop::Interrupted) => None,
        Some(_) => quick_estimate(session),
    };
    if whole > FEW && matches!(counted.stopped, Some(Stop::Nodes { .. })) {
        let screen = session.screen();
        screen.set(estimate.as_ref().map(|estimate| {
            let heading = format!("tree: {}", estimate.nodes_text());
            ScreenContent { heading, what: "states", rows: String::new(), answer: None }
        }));
        let all = count(session, &budget);
        screen.set(None);
        counted = all?;
    }
    let Outcome { answer, stopped, cost } = counted;
    let Some(tree) = answer else { return Err(stopped_before(stopped)) };
    let estimate = estimate.filter(|_| tree.tree == TreeSize::Unknown);
    let roles = session.current()?.roles().to_vec();
    Ok(Answer::new(CountedTree { roles, tree, estimate, stopped, cost }))
}

/// Counts the tree below the current state.
fn count(session: &mut Session, budget: &QuestionBudget) -> Result<Outcome<GameTree>, CommandError> {
    let (reasoner, state) = session.current()?.engine()?;
    Ok(budget.run(|budget| search::tree(reasoner, &state, budget))?)
}

fn perft(session: &mut Session, arguments: &Arguments) -> Result<Answer, CommandError> {
    let budget = limits(session.budget(), arguments)?;
    let depth = match arguments.operands() {
        "" => return Err(PERFT.misused("how deep?")),
        number => match number.parse() {
            Ok(depth) if depth <= Budget::DEPTH => depth,
            Ok(_) => return Err(PERFT.misused(format!("the greatest depth is {}", Budget::DEPTH))),
            Err(_) => return Err(PERFT.misused(format!("`{number}` is not a depth"))),
        },
    };
    let current = session.current()?;
    let roles = current.roles().to_vec();
    let (reasoner, state) = current.engine()?;
    let outcome = budget.run(|budget| search::perft(reasoner, &state, depth, budget))?;
    let (stopped, cost) = (outcome.stopped, outcome.cost);
    let Some(perft) = outcome.answer else { return Err(stopped_before(stopped)) };
    let counted = |(joint_move, nodes): (Vec<crate::game::Move>, _)| {
        let moves = roles.iter().cloned().zip(joint_move);
        let moves = moves.map(|(role, chosen)| RoleMove { role, chosen: reasoner.move_term(chosen) });
        CountedMove { joint_move: moves.collect(), nodes }
    };
    let first_moves = perft.first_moves.into_iter().map(counted).collect();
    Ok(Answer::new(CountedDepths { depths: perft.depths, first_moves, stopped, cost }))
}

/// The budget with the given limits.
fn limits(budget: QuestionBudget, arguments: &Arguments) -> Result<QuestionBudget, CommandError> {
    let budget = arguments.budget(budget)?;
    Ok(match arguments.number(&STATES)? {
        Some(states) => budget.with(|budget| budget.with_nodes(states)),
        None => budget,
    })
}

fn stopped_before(stopped: Option<Stop>) -> CommandError {
    CommandError::Stopped { stop: stopped.unwrap_or(Stop::Interrupted), cost: None }
}
