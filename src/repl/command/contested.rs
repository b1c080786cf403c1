//! What searches of several players have found, as answers show it: with terms for moves, and lines without forced
//! moves.

use crate::game::{JointMoves, Move, ReasonError, Reasoner, Role};
use crate::play::OpponentSpec;
use crate::repl::answer::{
    DeepeningRound, Found, LineMove, MoveMean, MoveWorth, RoleStrategy, RoleWorth, WeightedMove,
};
use crate::rules::GroundTerm;
use crate::search::{Choice, Deepened, Equilibrium, Expectation, RatedMove, Real, Round, Shares, Symmetric};

/// What is asked of a search beside the value.
#[derive(Clone, Copy)]
pub(super) struct MoveQuestion {
    /// The role that asks.
    pub(super) role: Role,
    /// Whether all equally good first moves are listed.
    pub(super) ties: bool,
    /// Whether all first moves are listed with their values.
    pub(super) values: bool,
}

/// How the joint moves of a line from a state become the moves of an answer: [`choices`], unless the search has visited
/// other states.
pub(super) type Lines<R> = fn(&mut R, &<R as Reasoner>::State, &[Vec<Move>]) -> Result<Vec<LineMove>, ReasonError>;

pub(super) fn found_choice<R: Reasoner>(
    (reasoner, state): (&mut R, &R::State),
    lines: Lines<R>,
    MoveQuestion { role, ties, values }: MoveQuestion,
    choice: Choice,
) -> Result<Found, ReasonError> {
    let line = lines(reasoner, state, &choice.line)?;
    let rated = |rated: &RatedMove| MoveWorth { chosen: reasoner.move_term(rated.chosen), worth: rated.worth };
    Ok(Found::Value {
        role: reasoner.roles()[role.index()].clone(),
        worth: choice.worth,
        chosen: choice.chosen.map(|chosen| reasoner.move_term(chosen)),
        line,
        equals: choice.equals.iter().filter(|_| ties).map(|&chosen| reasoner.move_term(chosen)).collect(),
        moves: choice.moves.iter().filter(|_| values).map(rated).collect(),
        finished: choice.finished,
    })
}

pub(super) fn found_shares<R: Reasoner>(
    (reasoner, state): (&mut R, &R::State),
    lines: Lines<R>,
    shares: Shares,
) -> Result<Found, ReasonError> {
    let line = lines(reasoner, state, &shares.line)?;
    let roles = reasoner.roles().iter().cloned();
    let finished = shares.finished;
    let shares = roles.zip(shares.worths).map(|(role, worth)| RoleWorth { role, worth }).collect();
    Ok(Found::Shares { shares, line, finished })
}

pub(super) fn found_expectation<R: Reasoner>(
    (reasoner, state): (&mut R, &R::State),
    lines: Lines<R>,
    MoveQuestion { role, values, .. }: MoveQuestion,
    (spec, expectation): (&OpponentSpec, Expectation),
) -> Result<Found, ReasonError> {
    let name = reasoner.roles()[role.index()].clone();
    let is_other = |other: &GroundTerm| *other != name && !other.is_chance();
    let opponents = reasoner.roles().iter().any(is_other).then(|| spec.to_string());
    let mut line = lines(reasoner, state, &expectation.line)?;
    // The line ends where a mean is taken: of that joint move it has the move of the role that asks.
    let decides = |role: &GroundTerm| *role == name || *spec == OpponentSpec::Adversaries && !role.is_chance();
    if let Some(mean) = line.iter().find(|own| !decides(&own.role)).map(|own| own.ply) {
        line.retain(|own| own.ply < mean || own.ply == mean && own.role == name);
    }
    let rated = |(chosen, mean): (Move, Real)| MoveMean { chosen: reasoner.move_term(chosen), mean: mean.into() };
    Ok(Found::Expectation {
        role: name.clone(),
        mean: expectation.utility.into(),
        chosen: expectation.chosen.map(|chosen| reasoner.move_term(chosen)),
        line,
        opponents,
        model_nodes: Some(expectation.model_nodes).filter(|_| spec.searches()),
        moves: expectation.moves.into_iter().filter(|_| values).map(rated).collect(),
        finished: expectation.finished,
    })
}

pub(super) fn found_deepened<R: Reasoner>(
    (reasoner, state): (&mut R, &R::State),
    lines: Lines<R>,
    role: Role,
    Deepened { choice, rounds: complete, begun }: Deepened,
) -> Result<Found, ReasonError> {
    let rounds =
        complete.iter().map(|round| finished_round((reasoner, state), lines, round)).collect::<Result<_, _>>()?;
    let line = lines(reasoner, state, &choice.line)?;
    Ok(Found::Deepened {
        role: reasoner.roles()[role.index()].clone(),
        worth: choice.worth,
        chosen: choice.chosen.map(|chosen| reasoner.move_term(chosen)),
        line,
        rounds,
        begun,
    })
}

/// A complete round as answers have it.
pub(super) fn finished_round<R: Reasoner>(
    (reasoner, state): (&mut R, &R::State),
    lines: Lines<R>,
    Round { depth, choice, nodes }: &Round,
) -> Result<DeepeningRound, ReasonError> {
    let line = lines(reasoner, state, &choice.line)?;
    Ok(DeepeningRound { depth: *depth, worth: choice.worth, line, nodes: *nodes })
}

/// Probabilities are rounded to nine decimal places, to hide rounding errors of the solver.
pub(super) fn found_equilibrium<R: Reasoner>(reasoner: &R, role: Role, equilibrium: Equilibrium) -> Found {
    let rounded = |number: f64| (number * 1e9).round() / 1e9;
    let weighted =
        |(chosen, probability)| WeightedMove { chosen: reasoner.move_term(chosen), probability: rounded(probability) };
    let strategies = equilibrium.strategies.into_iter().map(|strategy| RoleStrategy {
        role: reasoner.roles()[strategy.role.index()].clone(),
        moves: strategy.moves.into_iter().map(weighted).collect(),
    });
    let finished = equilibrium.finished;
    let role = reasoner.roles()[role.index()].clone();
    Found::Equilibrium { role, mean: rounded(equilibrium.utility), strategies: strategies.collect(), finished }
}

/// The moves of a line by roles that had a choice; forced moves are left out. If the engine meets a limit, the line
/// ends there.
pub(super) fn choices<R: Reasoner>(
    reasoner: &mut R,
    state: &R::State,
    line: &[Vec<Move>],
) -> Result<Vec<LineMove>, ReasonError> {
    let mut moves = Vec::new();
    match add_choices(reasoner, state, line, &mut moves) {
        Err(error) if error.stop().is_none() => Err(error),
        _ => Ok(moves),
    }
}

/// The moves of a line whose states behind the first are those that stand for others up to symmetry.
pub(super) fn actual_choices<R: Reasoner>(
    symmetric: &mut Symmetric<R>,
    state: &R::State,
    line: &[Vec<Move>],
) -> Result<Vec<LineMove>, ReasonError> {
    let line = symmetric.actual_line_after(state, line)?;
    choices(symmetric.reasoner(), state, &line)
}

fn add_choices<R: Reasoner>(
    reasoner: &mut R,
    state: &R::State,
    line: &[Vec<Move>],
    moves: &mut Vec<LineMove>,
) -> Result<(), ReasonError> {
    let mut state = state.clone();
    for (ply, joint_move) in (1..).zip(line) {
        for role in JointMoves::of(reasoner, &state)?.choosing() {
            let chosen = reasoner.move_term(joint_move[role.index()]);
            moves.push(LineMove { ply, role: reasoner.roles()[role.index()].clone(), chosen });
        }
        state = reasoner.next_state(&state, joint_move)?;
    }
    Ok(())
}
