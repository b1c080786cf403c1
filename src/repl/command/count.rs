//! `tree` and `perft`: counting the game tree below the current state.

use super::options::Options;
use super::{Answers, Command, Takes};
use crate::game::Reasoner;
use crate::repl::answer::{CountedDepths, CountedMove, CountedTree, RoleMove};
use crate::repl::{Answer, CommandError, Session};
use crate::search::{self, Budget};

pub(super) const TREE: Command = Command {
    name: "tree",
    arguments: "[LIMITS]",
    summary: "count the whole tree below the current state by its states: nodes, terminal nodes, states, utilities",
    example: "tree",
    takes: Takes::Nothing,
    answers: Answers::Value,
    run: tree,
};

pub(super) const PERFT: Command = Command {
    name: "perft",
    arguments: "N [LIMITS]",
    summary: "count the nodes at each depth down to N, and those below each first joint move",
    example: "perft 4",
    takes: Takes::Nothing,
    answers: Answers::Value,
    run: perft,
};

fn tree(session: &mut Session, arguments: &str) -> Result<Answer, CommandError> {
    let (budget, rest) = limits(&TREE, session.budget(), arguments)?;
    TREE.takes_none(&rest)?;
    let current = session.current()?;
    let roles = current.roles().to_vec();
    let (reasoner, state) = current.engine()?;
    let outcome = search::tree(reasoner, &state, &budget)?;
    let (stopped, cost) = (outcome.stopped, outcome.cost);
    let Some(tree) = outcome.answer else { return Err(stopped_before(stopped)) };
    Ok(Answer::Tree(CountedTree { roles, tree, stopped, cost }))
}

fn perft(session: &mut Session, arguments: &str) -> Result<Answer, CommandError> {
    let (budget, rest) = limits(&PERFT, session.budget(), arguments)?;
    let depth = match &rest[..] {
        "" => return Err(PERFT.misused("how deep?")),
        number => match number.parse() {
            Ok(depth) if depth <= Budget::DEPTH => depth,
            Ok(_) => return Err(PERFT.misused(format!("{} is as deep as it goes", Budget::DEPTH))),
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

/// The budget with the limits that are given, and the rest of the arguments. `--states` is another word for `--nodes`, since each state is visited
/// once.
fn limits(command: &'static Command, budget: Budget, arguments: &str) -> Result<(Budget, String), CommandError> {
    let mut options = Options::of(command, arguments);
    let mut budget = options.budget(budget)?;
    if let Some(states) = options.number("--states", "a number of states")? {
        budget = budget.with_nodes(states);
    }
    Ok((budget, options.rest()?))
}

fn stopped_before(stopped: Option<search::Stop>) -> CommandError {
    CommandError::Stopped { stop: stopped.unwrap_or(search::Stop::Interrupted), cost: None }
}
