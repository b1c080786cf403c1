//! What searches of several players have found, as answers show it: with terms for moves, and lines without forced
//! moves.

use crate::repl::answer::{Assumption, LineMove, RoleWorth, SearchFound};
use gdl::rules::GroundTerm;
use ggp_game::{JointMoves, Move, ReasonError, Reasoner, Role};
use ggp_play::ask::OpponentSpec;
use ggp_search::{
    Choice, DeepenedChoice, Equilibrium, EquilibriumSelection, Expectation, LineEnd, MixedStrategy, PureEquilibrium,
    PureMove, RoleMean, Round, Shares, SymmetricReasoner, WeightedMove,
};

/// What is asked of a search beside the value.
#[derive(Clone, Copy)]
pub(super) struct MoveQuestion {
    /// The role that asks.
    pub(super) role: Role,
    /// Whether all first moves are listed with their values.
    pub(super) values: bool,
}

/// Turns the joint moves of a line from a state into the moves of an answer: [`choices`], or [`actual_choices`] if the
/// search has visited one state for all that are the same up to symmetry.
pub(super) type LineNamer<R> = fn(&mut R, &<R as Reasoner>::State, &[Vec<Move>]) -> Result<Vec<LineMove>, ReasonError>;

/// A state from which searches have found lines, and what makes moves of an answer of them.
pub(super) struct SearchedState<'r, R: Reasoner> {
    pub(super) reasoner: &'r mut R,
    pub(super) state: &'r R::State,
    pub(super) lines: LineNamer<R>,
}

impl<R: Reasoner> SearchedState<'_, R> {
    fn line(&mut self, line: &[Vec<Move>]) -> Result<Vec<LineMove>, ReasonError> {
        (self.lines)(self.reasoner, self.state, line)
    }

    fn role(&self, role: Role) -> GroundTerm {
        self.reasoner.roles()[role.index()].clone()
    }

    pub(super) fn choice(mut self, question: MoveQuestion, mut choice: Choice) -> Result<SearchFound, ReasonError> {
        choice.moves.retain(|_| question.values);
        let line = self.line(&choice.line)?;
        let choice = choice.map(line, |chosen| self.reasoner.move_term(chosen));
        Ok(SearchFound::Value { role: self.role(question.role), choice })
    }

    pub(super) fn shares(
        mut self,
        Shares { worths, line, line_ends, finished }: Shares,
    ) -> Result<SearchFound, ReasonError> {
        let line = self.line(&line)?;
        let roles = self.reasoner.roles().iter().cloned();
        let worths = roles.zip(worths).map(|(role, worth)| RoleWorth { role, worth }).collect();
        Ok(SearchFound::Shares(Shares { worths, line, line_ends, finished }))
    }

    pub(super) fn expectation(
        mut self,
        question: MoveQuestion,
        spec: &OpponentSpec,
        Expectation { utility, chosen, line, mut line_ends, model, moves, finished }: Expectation,
    ) -> Result<SearchFound, ReasonError> {
        let mut line = self.line(&line)?;
        let role = self.role(question.role);
        // Where the others' moves have probabilities, the line ends, with the move of the role that asks.
        let decides = |other: &GroundTerm| *other == role || *spec == OpponentSpec::Adversaries && !other.is_chance();
        if let Some(mean) = line.iter().find(|own| !decides(&own.role)).map(|own| own.ply) {
            line.retain(|own| own.ply < mean || own.ply == mean && own.role == role);
            line_ends = LineEnd::Chance;
        }
        let is_other = |other: &GroundTerm| *other != role && !other.is_chance();
        let model = Assumption {
            opponents: self.reasoner.roles().iter().any(is_other).then(|| spec.to_string()),
            model_nodes: spec.searches().then_some(model),
        };
        let term = |chosen| self.reasoner.move_term(chosen);
        let moves = moves.into_iter().filter(|_| question.values).map(|rated| rated.map(term)).collect();
        let expectation = Expectation { utility, chosen: chosen.map(term), line, line_ends, model, moves, finished };
        Ok(SearchFound::Expectation { role, expectation })
    }

    pub(super) fn deepened(
        mut self,
        role: Role,
        DeepenedChoice { choice, rounds, begun }: DeepenedChoice,
    ) -> Result<SearchFound, ReasonError> {
        let rounds = rounds.into_iter().map(|round| self.round(round)).collect::<Result<_, _>>()?;
        let line = self.line(&choice.line)?;
        // How much of the search is finished belongs to the round that had begun, not to the last complete one.
        let choice = Choice { finished: None, ..choice }.map(line, |chosen| self.reasoner.move_term(chosen));
        Ok(SearchFound::Deepened { role: self.role(role), deepened: DeepenedChoice { choice, rounds, begun } })
    }

    /// A complete round, with the moves of its line as terms.
    pub(super) fn round(
        &mut self,
        Round { depth, worth, line, line_ends, nodes }: Round,
    ) -> Result<Round<Vec<LineMove>>, ReasonError> {
        Ok(Round { depth, worth, line: self.line(&line)?, line_ends, nodes })
    }
}

/// Numbers are rounded to nine decimal places, to hide rounding errors of the solver.
pub(super) fn found_equilibrium<R: Reasoner>(
    reasoner: &R,
    role: Role,
    Equilibrium { utility, values, strategies, selection, finished }: Equilibrium,
) -> SearchFound {
    let name = |role: Role| reasoner.roles()[role.index()].clone();
    let strategies = strategies.into_iter().map(|MixedStrategy { role, moves }| MixedStrategy {
        role: name(role),
        moves: moves.iter().map(|weighted| weighted_move(reasoner, weighted)).collect(),
    });
    let pure_move = |PureMove { role, chosen }| PureMove { role: name(role), chosen: reasoner.move_term(chosen) };
    let pure = |PureEquilibrium { moves, means }| PureEquilibrium {
        moves: moves.into_iter().map(pure_move).collect(),
        means: means.into_iter().map(rounded).collect(),
    };
    let equilibrium = Equilibrium {
        utility: rounded(utility),
        values: values
            .into_iter()
            .map(|RoleMean { role, mean }| RoleMean { role: name(role), mean: rounded(mean) })
            .collect(),
        strategies: strategies.collect(),
        selection: selection.map(|EquilibriumSelection { pure: listed, later, later_several, later_mixed }| {
            EquilibriumSelection { pure: listed.into_iter().map(pure).collect(), later, later_several, later_mixed }
        }),
        finished,
    };
    SearchFound::Equilibrium { role: name(role), equilibrium }
}

/// A move of a mixed strategy as a term, with its probability rounded to nine decimal places.
pub(super) fn weighted_move<R: Reasoner>(reasoner: &R, weighted: &WeightedMove) -> WeightedMove<GroundTerm> {
    WeightedMove { chosen: reasoner.move_term(weighted.chosen), probability: rounded(weighted.probability) }
}

fn rounded(number: f64) -> f64 {
    (number * 1e9).round() / 1e9
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
    symmetric: &mut SymmetricReasoner<R>,
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
        for role in JointMoves::in_state(reasoner, &state)?.choosing() {
            let chosen = reasoner.move_term(joint_move[role.index()]);
            moves.push(LineMove { ply, role: reasoner.roles()[role.index()].clone(), chosen });
        }
        state = reasoner.next_state(&state, joint_move)?;
    }
    Ok(())
}
