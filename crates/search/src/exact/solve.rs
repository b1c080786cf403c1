//! `solve`: the value of the whole game, and a line that reaches it.

use super::expected_values::{ExpectedValues, Precision, expected_values};
use super::layered::layered_values;
use super::retrograde::{OPEN, SpaceValues, values};
use crate::budget::Meter;
use crate::explore::state_space::{StateKind, StateSpace};
use crate::outcome::Halt;
use crate::{Budget, Outcome, SearchError};
use gdl::number::Real;
use gdl::sorting;
use ggp_game::{BatchReasoner, Fluent, JointMoves, Move, ReasonError, Reasoner, Role, Utility};

/// A game that has been solved from a state on.
#[derive(Clone, Debug, PartialEq)]
pub struct Solution {
    /// The utilities under best play, in the order of the roles; `None` if it never ends, or if there is chance.
    pub utilities: Option<Vec<Utility>>,
    /// The mean utilities under best play, if there is chance.
    pub expected: Option<ExpectedValue>,
    /// The number of joint moves to the end under best play, if a side can force that end.
    pub moves: Option<u32>,
    /// Best play: the joint moves up to the end, or until a state repeats.
    pub line: Vec<Vec<Move>>,
    /// The number of states that can be reached.
    pub states: u64,
    /// The number of joint moves in them.
    pub joint_moves: u64,
    /// The values of the states, counted by ending: greatest utilities first, the first role's before the second's.
    /// Empty if there is chance, since a mean is no ending.
    pub worths: Vec<SolvedStates>,
    /// The bytes of one packed state.
    pub state_bytes: u64,
    /// The most bytes in use at a time for all states together.
    pub memory: u64,
}

/// The value of a game with chance.
#[derive(Clone, Debug, PartialEq)]
pub struct ExpectedValue {
    /// The mean utility of each role except chance.
    pub means: Vec<(Role, Real)>,
    /// The first move of best play, if a role has a choice in the first state.
    pub chosen: Option<(Role, Move)>,
    /// The precision of the means.
    pub precision: Precision,
}

/// A state of a solved game, with its value.
pub struct SolvedState<'a, S> {
    /// The state.
    pub state: &'a S,
    /// The role that has a choice in it, if there is one.
    pub role: Option<Role>,
    /// The joint move of best play; `None` in a terminal state and where chance decides.
    pub joint_move: Option<Vec<Move>>,
    /// The utility or mean of each role in the order of the roles, 0 for chance; `None` if no end can be forced.
    pub worths: Option<Vec<Real>>,
    /// The number of joint moves to the end, if a side forces it.
    pub moves: Option<u32>,
}

/// The states from which best play reaches the same ending.
#[derive(Clone, Debug, PartialEq, Eq, serde::Serialize)]
pub struct SolvedStates {
    /// The utilities of the ending, in the order of the roles; `None` if no end can be forced.
    pub utilities: Option<Vec<Utility>>,
    /// The number of these states.
    pub states: u64,
    /// The number of terminal states among them.
    pub terminal: u64,
    /// The greatest number of joint moves from one of them to the end, if a side can force it.
    pub farthest: Option<u32>,
}

/// Solves the game below a state by visiting every state that can be reached.
///
/// In a game of one role the value is the best utility that can be reached, by the fewest moves. In a turn-taking game
/// of two opponents it is what each can force: the side that gets more than half takes the shortest way, its opponent
/// the longest, and if neither can force more than half the game is drawn, even if it never ends. In other turn-taking
/// games it is the result of backward induction, in which each role maximises its own utility and chooses the first of
/// equal moves.
///
/// With chance each role maximises its mean utility. Where no state repeats that is backward induction, for any number
/// of roles; otherwise the means are iterated, for one role or two opponents ([`Precision`]).
///
/// - Precondition: no simultaneous choices; with several roles that are not two opponents, no state that can repeat.
/// - Guarantee: exact; with chance rounded or within an error where the answer says so ([`Precision`]). Unlike searches
///   along lines it has an answer for games with endless lines.
/// - Cost: if each joint move leads one layer farther from the first state, each state is expanded twice, and memory
///   holds each state's key with about ten more bytes. Otherwise each state is expanded once, and memory holds each
///   packed state with its index entry, eight bytes for each joint move, and about 24 more bytes for each state.
/// - Source: see the modules of the retrograde analysis (Ströhlein 1970, Thompson 1986) and of expected values (Shapley
///   1953).
pub fn solve<R: BatchReasoner>(
    reasoner: &mut R,
    state: &R::State,
    budget: &Budget,
) -> Result<Outcome<Solution>, SearchError> {
    solve_each(reasoner, state, budget, None)
}

/// A function that gets each state of a solved game, in the order in which they are found, breadth first.
pub type SolvedVisitor<'v, R> =
    &'v mut dyn FnMut(&mut R, SolvedState<'_, <R as Reasoner>::State>) -> Result<(), ReasonError>;

/// [`solve()`], which then calls `visit` for every state, with the joint move of best play there.
pub fn solve_each<R: BatchReasoner>(
    reasoner: &mut R,
    state: &R::State,
    budget: &Budget,
    visit: Option<SolvedVisitor<'_, R>>,
) -> Result<Outcome<Solution>, SearchError> {
    let mut meter = Meter::start_flat(budget).remembering();
    match run(reasoner, state, &mut meter, visit) {
        Ok(solution) => meter.best_so_far(None, Some(solution)),
        Err(halt) => meter.best_so_far(Some(halt), None),
    }
}

fn run<R: BatchReasoner>(
    reasoner: &mut R,
    state: &R::State,
    meter: &mut Meter<'_>,
    visit: Option<SolvedVisitor<'_, R>>,
) -> Result<Solution, Halt> {
    // Successors are stored for a visitor, or for means; otherwise only those of one line are needed, and found again.
    let stores = visit.is_some() || Role::chance(reasoner.roles()).is_some();
    let (mut space, halt) = StateSpace::explore(reasoner, state, meter, stores);
    meter.remembered(space.len() as u64);
    if let Some(halt) = halt {
        return Err(halt);
    }
    space.close();
    let roles = reasoner.roles().len();
    let found = match Role::chance(reasoner.roles()) {
        Some(chance) => SolvedValues::Expected(expected_values(&space, roles, chance, meter)?, chance),
        // Of layers no successors are stored: each state is expanded a second time instead.
        None if space.layered().is_some() => SolvedValues::Forced(layered_values(&space, roles, meter)?),
        None => SolvedValues::Forced(values(&space, roles, meter)?),
    };
    if let Some(visit) = visit {
        found.visit(reasoner, &space, meter, visit)?;
    }
    let (utilities, expected, line, worths) = match &found {
        SolvedValues::Forced(values) => {
            let ending = space.endings.get(usize::from(values.endings[0])).cloned();
            let worths = worths(&space, values);
            (ending, None, best_line(reasoner, state, &mut space, values)?, worths)
        }
        SolvedValues::Expected(values, chance) => {
            let joint_move = found.joint_move(reasoner, &space, state, 0)?;
            let chosen = found.role(&space, 0).zip(joint_move).map(|(role, moves)| (role, moves[role.index()]));
            let means = (0..).map(Role::new).zip(values.means(0).iter().copied());
            let means = means.filter(|(role, _)| role != chance).collect();
            (None, Some(ExpectedValue { means, chosen, precision: values.precision }), Vec::new(), Vec::new())
        }
    };
    Ok(Solution {
        utilities,
        expected,
        moves: found.distance(&space, 0),
        line,
        states: space.len() as u64,
        joint_moves: space.joint_moves() as u64,
        worths,
        state_bytes: space.state_bytes() as u64,
        memory: meter.most_memory(),
    })
}

/// The values of all states: endings that best play reaches or, with chance, means.
enum SolvedValues {
    Forced(SpaceValues),
    Expected(ExpectedValues, Role),
}

impl SolvedValues {
    /// The role that has a choice in a state; chance has none.
    fn role(&self, space: &StateSpace, state: usize) -> Option<Role> {
        match (space.kind(state), self) {
            (StateKind::Turn(role), Self::Expected(_, chance)) if usize::from(role) == chance.index() => None,
            (StateKind::Turn(role), _) => Some(Role::new(usize::from(role))),
            _ => None,
        }
    }

    fn distance(&self, space: &StateSpace, state: usize) -> Option<u32> {
        match self {
            Self::Forced(values) => values.distance(space, state),
            Self::Expected(..) => None,
        }
    }

    fn worths(&self, space: &StateSpace, state: usize) -> Option<Vec<Real>> {
        match self {
            Self::Forced(values) => {
                let ending = space.endings.get(usize::from(values.endings[state]))?;
                Some(ending.iter().map(|utility| utility.to_real()).collect())
            }
            Self::Expected(values, _) => Some(values.means(state).to_vec()),
        }
    }

    /// The joint move of best play in a state with this number.
    fn joint_move<R: Reasoner>(
        &self,
        reasoner: &mut R,
        space: &StateSpace,
        state: &R::State,
        number: usize,
    ) -> Result<Option<Vec<Move>>, Halt> {
        let index = match self {
            Self::Forced(values) => values.best(space.successors(number), number),
            Self::Expected(values, chance) => values.best(space, number, *chance),
        };
        Ok(index.map(|index| joint_move(reasoner, state, index)).transpose()?)
    }

    /// Calls `visit` for every state.
    fn visit<R: Reasoner>(
        &self,
        reasoner: &mut R,
        space: &StateSpace,
        meter: &Meter<'_>,
        visit: SolvedVisitor<'_, R>,
    ) -> Result<(), Halt> {
        let mut fluents: Vec<Fluent> = Vec::new();
        for number in 0..space.len() {
            meter.pause()?;
            space.fluents(number, &mut fluents);
            let state = reasoner.state_from_fluents(&fluents)?;
            let joint_move = self.joint_move(reasoner, space, &state, number)?;
            let role = self.role(space, number);
            let worths = self.worths(space, number);
            let moves = self.distance(space, number);
            visit(reasoner, SolvedState { state: &state, role, joint_move, worths, moves })?;
        }
        Ok(())
    }
}

/// The joint move with this index in canonical order.
pub(super) fn joint_move<R: Reasoner>(
    reasoner: &mut R,
    state: &R::State,
    index: usize,
) -> Result<Vec<Move>, ReasonError> {
    let mut joint_moves = JointMoves::in_state(reasoner, state)?;
    for _ in 0..index {
        joint_moves.advance();
    }
    Ok(joint_moves.current().to_vec())
}

impl SpaceValues {
    /// The number of joint moves to the end if a side forces it; a draw is not forced.
    fn distance(&self, space: &StateSpace, state: usize) -> Option<u32> {
        // A draw has the distance 0, as an end has.
        let is_end = matches!(space.kind(state), StateKind::End(_));
        (self.endings[state] != OPEN && (is_end || self.distances[state] > 0)).then_some(self.distances[state])
    }

    /// The index of the joint move of best play: the first that leads to the same ending and is one move nearer.
    fn best(&self, successors: &[u32], state: usize) -> Option<usize> {
        let is_next = |after: usize| {
            self.endings[after] == self.endings[state]
                && (self.distances[state] == 0 || self.distances[after] + 1 == self.distances[state])
        };
        successors.iter().position(|&after| is_next(after as usize))
    }
}

/// The joint moves of best play from the first state, up to the end or until a state repeats.
pub(super) fn best_line<R: Reasoner>(
    reasoner: &mut R,
    first: &R::State,
    space: &mut StateSpace,
    values: &SpaceValues,
) -> Result<Vec<Vec<Move>>, Halt> {
    let mut line = Vec::new();
    let mut state = first.clone();
    let mut number = 0;
    let mut passed = rustc_hash::FxHashSet::default();
    while passed.insert(number) {
        let successors = space.find_successors(number)?;
        let Some(index) = values.best(&successors, number) else { break };
        number = successors[index] as usize;
        let joint_move = joint_move(reasoner, &state, index)?;
        state = reasoner.next_state(&state, &joint_move)?;
        line.push(joint_move);
    }
    Ok(line)
}

/// Counts the states by their endings.
fn worths(space: &StateSpace, values: &SpaceValues) -> Vec<SolvedStates> {
    let endings = space.endings.iter().cloned().map(Some).chain([None]);
    let mut worths: Vec<SolvedStates> =
        endings.map(|utilities| SolvedStates { utilities, states: 0, terminal: 0, farthest: None }).collect();
    for state in 0..space.len() {
        let index = (values.endings[state] as usize).min(space.endings.len());
        let worth = &mut worths[index];
        worth.states += 1;
        worth.terminal += u64::from(matches!(space.kind(state), StateKind::End(_)));
        worth.farthest = worth.farthest.max(values.distance(space, state));
    }
    worths.retain(|worth| worth.states > 0);
    // A draw is not forced, so only terminal states know their distance.
    worths
        .iter_mut()
        .filter(|worth| worth.states > worth.terminal && worth.farthest == Some(0))
        .for_each(|worth| worth.farthest = None);
    sorting::sort_by(&mut worths, |left, right| right.utilities.cmp(&left.utilities));
    worths
}
