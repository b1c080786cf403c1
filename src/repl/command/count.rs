//! `tree` and `perft`: count the game tree below the current state.

use super::option::LIMITS;
use super::{Answers, Arguments, Command, CommandOption, OptionGroup, Takes};
use crate::game::Reasoner;
use crate::repl::answer::{CountedDepths, CountedMove, CountedTree, RoleMove};
use crate::repl::{Answer, CommandError, Session};
use crate::search::{self, Budget};

pub(super) const TREE: Command = Command {
    name: "tree",
    operands: "",
    options: &[OWN, LIMITS],
    summary: "count the whole tree below the current state by its states: nodes, terminal nodes, states, utilities",
    example: "tree",
    takes: Takes::Nothing,
    answers: Answers::Value,
    run: tree,
};

pub(super) const PERFT: Command = Command {
    name: "perft",
    operands: "N",
    options: &[OWN, LIMITS],
    summary: "count the nodes at each depth down to N, and those below each first joint move",
    example: "perft 4",
    takes: Takes::Nothing,
    answers: Answers::Value,
    run: perft,
};

const OWN: OptionGroup = OptionGroup::own(&[STATES]);
const STATES: CommandOption = CommandOption::word(
    "--states",
    "N",
    "a number of states",
    "visit no more states than this: the same as --nodes, since each state is visited once",
);

fn tree(session: &mut Session, arguments: &Arguments) -> Result<Answer, CommandError> {
    let budget = limits(session.budget(), arguments)?;
    let current = session.current()?;
    let roles = current.roles().to_vec();
    let (reasoner, state) = current.engine()?;
    let outcome = search::tree(reasoner, &state, &budget)?;
    let (stopped, cost) = (outcome.stopped, outcome.cost);
    let Some(tree) = outcome.answer else { return Err(stopped_before(stopped)) };
    Ok(Answer::Tree(CountedTree { roles, tree, stopped, cost }))
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
    let outcome = search::perft(reasoner, &state, depth, &budget)?;
    let (stopped, cost) = (outcome.stopped, outcome.cost);
    let Some(perft) = outcome.answer else { return Err(stopped_before(stopped)) };
    let counted = |(joint_move, nodes): (Vec<crate::game::Move>, _)| {
        let moves = roles.iter().cloned().zip(joint_move);
        let moves = moves.map(|(role, chosen)| RoleMove { role, chosen: reasoner.move_term(chosen) });
        CountedMove { joint_move: moves.collect(), nodes }
    };
    let first_moves = perft.first_moves.into_iter().map(counted).collect();
    Ok(Answer::Depths(CountedDepths { depths: perft.depths, first_moves, stopped, cost }))
}

/// The budget with the given limits.
fn limits(budget: Budget, arguments: &Arguments) -> Result<Budget, CommandError> {
    let budget = arguments.budget(budget)?;
    Ok(match arguments.number(&STATES)? {
        Some(states) => budget.with_nodes(states),
        None => budget,
    })
}

fn stopped_before(stopped: Option<search::Stop>) -> CommandError {
    CommandError::Stopped { stop: stopped.unwrap_or(search::Stop::Interrupted), cost: None }
}
