//! What all searches of several players share: the role that asks, the ends of lines, and the reports to the observer.

use super::arrival::Arrival;
use super::best_so_far::BestSoFar;
use super::line_end::LineEnd;
use super::role_by_role::{Deciders, PartialTurn, RoleByRole};
use super::turn::{RoleTurn, Turns};
use super::value::{PayoffRange, Value, ValueWindow, Worth};
use super::valued_line::{LinePool, ValuedLine};
use crate::game::{Evaluation, JointMoves, Move, Reasoner, Role};
use crate::number::Real;
use crate::search::budget::Meter;
use crate::search::events::{self, GeneratedNode, NodeKind};
use crate::search::outcome::Halt;
use crate::search::{Budget, Event, FinishedMoves, NodeId, Observer, Outcome, SearchError};
use serde::Serialize;
use std::cmp::Ordering;

/// A question to a search of several players.
pub struct Contest<'a, R: Reasoner> {
    /// The state in which the search begins.
    pub state: &'a R::State,
    /// The role that asks: what can it reach, and how?
    pub role: Role,
    /// Evaluates states at the horizon of a search with limited depth. Without one they are unknown, and rank as draws.
    pub evaluation: Option<&'a mut dyn Evaluation<R>>,
    /// Whether a search of the whole tree remembers the values of states. It changes no value; a line that ends where a
    /// state is reached again is continued after the search. Alpha-beta has a table of its own ([`super::Pruning`]).
    pub table: bool,
}

impl<'a, R: Reasoner> Contest<'a, R> {
    /// Asks what the role can reach from a state, without an evaluation and without a table.
    pub fn new(state: &'a R::State, role: Role) -> Self {
        Self { state, role, evaluation: None, table: false }
    }
}

/// The value that a role can reach, and the move and line that reach it, with moves of type `M` and lines of type `L`:
/// those of a reasoner, or others once they are shown.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct Choice<M = Move, L = Vec<Vec<M>>> {
    /// The value for the role.
    #[serde(flatten)]
    pub worth: Worth,
    /// The first move, in canonical order, that reaches it; `None` if the game is over.
    #[serde(rename = "move")]
    pub chosen: Option<M>,
    /// The joint moves that follow if all roles play as the search expects: the principal variation.
    pub line: L,
    /// Where the line ends.
    pub line_ends: LineEnd,
    /// All first moves that are known to be worth as much, in the order in which they were tried. Complete if nothing
    /// is pruned or with [`super::Pruning::ties`]; otherwise empty.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub equals: Vec<M>,
    /// The values of all first moves, in the order in which they were tried. Empty if the search prunes, since it knows
    /// bounds only.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub moves: Vec<RatedMove<M>>,
    /// How much of the first choice was finished, if the search was stopped before it had finished all of it.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub finished: Option<FinishedMoves>,
}

/// A first move with the value, or the mean, that follows it.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
pub struct RatedMove<M = Move, V = Worth> {
    /// The move of the role that asks.
    #[serde(rename = "move")]
    pub chosen: M,
    /// The value that follows it.
    #[serde(flatten)]
    pub worth: V,
}

impl<V> RatedMove<Move, V> {
    /// The same value of the move in another form.
    pub(crate) fn map<M>(self, map: impl FnOnce(Move) -> M) -> RatedMove<M, V> {
        RatedMove { chosen: map(self.chosen), worth: self.worth }
    }
}

impl Choice {
    /// The same choice with moves and line in another form.
    pub(crate) fn map<M, L>(self, line: L, mut map: impl FnMut(Move) -> M) -> Choice<M, L> {
        let Self { worth, chosen, line_ends, equals, moves, finished, .. } = self;
        let (chosen, equals) = (chosen.map(&mut map), equals.into_iter().map(&mut map).collect());
        let moves = moves.into_iter().map(|rated| rated.map(&mut map)).collect();
        Choice { worth, chosen, line, line_ends, equals, moves, finished }
    }

    /// The move with its value, for log lines: `mark(1,1), worth 50`.
    pub(crate) fn describe(&self, reasoner: &impl Reasoner) -> String {
        let chosen = self.chosen.map_or_else(|| "no move".to_string(), |chosen| reasoner.move_term(chosen).to_string());
        format!("{chosen}, worth {}", self.worth)
    }
}

/// Whether the game or the search ends in a state that a search has reached.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(super) enum NodeStatus {
    End,
    /// The state lies on the horizon.
    Horizon,
    Inner,
}

/// What a search of several players is asked: the same in every node.
pub(super) struct ContestTask<'a, R: Reasoner> {
    pub(super) role: Role,
    pub(super) evaluation: Option<&'a mut dyn Evaluation<R>>,
    /// The depth of the search in joint moves, if it is limited.
    pub(super) horizon: Option<u32>,
    /// Whether joint moves without a choice do not count towards the horizon.
    pub(super) extends_forced: bool,
    pub(super) scale: PayoffRange,
    /// Whether the value of a node is reported for the side that has moved there, and not for the role that asks.
    pub(super) is_sided: bool,
    /// Whether all other roles are assumed to move at random, so that their nodes are those of chance.
    pub(super) others_are_random: bool,
}

/// The memory that nodes leave to the nodes after them.
pub(super) struct NodeMemory<S> {
    pub(super) lines: LinePool,
    pub(super) turns: Turns<S>,
    /// Turns that are decided role by role.
    #[expect(clippy::vec_box, reason = "turns are boxed where they are used")]
    pub(super) choices: Vec<Box<RoleByRole<S>>>,
    pub(super) states: Vec<S>,
    /// Scratch: the legal moves of a role.
    pub(super) legal: Vec<Move>,
}

impl<S> NodeMemory<S> {
    /// No memory. Lines have nodes if there is an observer.
    pub(super) fn new(has_observer: bool) -> Self {
        let (choices, states, legal) = Default::default();
        Self { lines: LinePool::new(has_observer), turns: Turns::new(), choices, states, legal }
    }
}

/// What a search knows of the first moves of the role that asks.
#[derive(Default)]
pub(super) struct FirstMoves {
    /// Those that are worth as much as the best so far.
    equals: Vec<Move>,
    /// All of them with their values, if the search knows these.
    rated: Vec<(Move, Value)>,
}

/// The state of a running search of several players.
pub(super) struct ContestSearch<'a, R: Reasoner, O> {
    pub(super) reasoner: &'a mut R,
    pub(super) meter: Meter<'a>,
    pub(super) observer: O,
    pub(super) task: ContestTask<'a, R>,
    pub(super) memory: NodeMemory<R::State>,
    pub(super) firsts: FirstMoves,
    /// Whether the horizon cut off some line.
    pub(super) is_cut: bool,
}

impl<'a, R: Reasoner, O: Observer> ContestSearch<'a, R, O> {
    /// Starts a search that has visited nothing yet; returns the first state as well.
    pub(super) fn start<'c: 'a>(
        reasoner: &'a mut R,
        contest: Contest<'c, R>,
        budget: &'a Budget,
        observer: O,
    ) -> (Self, &'c R::State) {
        let Contest { state, role, evaluation, table } = contest;
        // A borrow of a trait object is shortened only where the trait object is made again.
        let evaluation = evaluation.map(|evaluation| evaluation as &mut dyn Evaluation<R>);
        let meter = Meter::start_without_horizon(budget).counting_leaves();
        let meter = if table { meter.remembering() } else { meter };
        let task = ContestTask {
            role,
            evaluation,
            horizon: budget.depth(),
            extends_forced: budget.extends_forced(),
            scale: PayoffRange::from_roles(reasoner),
            is_sided: false,
            others_are_random: false,
        };
        let (memory, firsts) = (NodeMemory::new(observer.is_on()), FirstMoves::default());
        let search = Self { reasoner, meter, observer, task, memory, firsts, is_cut: false };
        (search, state)
    }

    /// Visits a state and returns its node and whether the line goes on there.
    pub(super) fn enter(&mut self, state: &R::State, arrival: &Arrival<'_>) -> Result<(NodeId, NodeStatus), Halt> {
        let node = self.meter.visit(arrival.depth)?;
        let status = if self.reasoner.is_terminal(state)? {
            NodeStatus::End
        } else if self.is_at_horizon(state, arrival)? {
            self.is_cut = true;
            NodeStatus::Horizon
        } else {
            self.meter.expand();
            NodeStatus::Inner
        };
        if status != NodeStatus::Inner {
            self.meter.leaf();
        }
        if self.observer.is_on() {
            self.tell(state, node, arrival, status)?;
        }
        Ok((node, status))
    }

    fn tell(&mut self, state: &R::State, node: NodeId, arrival: &Arrival<'_>, status: NodeStatus) -> Result<(), Halt> {
        let kind = if status == NodeStatus::End { NodeKind::Max } else { self.kind(state)? };
        let &Arrival { parent, joint_move, choosing, depth, probability, .. } = arrival;
        let all = joint_move.iter().enumerate();
        let moves = all.filter(|&(role, _)| choosing.is_empty() || choosing.contains(&Role::new(role)));
        let moves = moves.map(|(_, &chosen)| chosen).collect();
        let estimate = None;
        let generated = GeneratedNode { node, parent, moves, depth, kind, estimate, probability };
        self.observer.observe(&Event::Generated(generated));
        match status {
            NodeStatus::End => {
                let utility = self.reasoner.goal(state, self.task.role).ok();
                self.observer.observe(&Event::Ended { node, utility });
            }
            NodeStatus::Horizon => self.observer.observe(&Event::Beyond { node }),
            NodeStatus::Inner => {}
        }
        Ok(())
    }

    /// The kind of node by the roles that choose in a state: the role that asks, another role, or chance alone.
    fn kind(&mut self, state: &R::State) -> Result<NodeKind, Halt> {
        let choosing = JointMoves::in_state(self.reasoner, state)?.choosing();
        let chance = self.chance();
        Ok(match &choosing[..] {
            [] => NodeKind::Max,
            roles if roles.contains(&self.task.role) => NodeKind::Max,
            roles if roles.iter().all(|&role| Some(role) == chance || self.task.others_are_random) => NodeKind::Chance,
            _ => NodeKind::Min,
        })
    }

    /// The role of chance, if the game has one.
    pub(super) fn chance(&self) -> Option<Role> {
        Role::chance(self.reasoner.roles())
    }

    /// The value of a terminal state.
    pub(super) fn utility(&mut self, state: &R::State) -> Result<Value, Halt> {
        Ok(self.task.scale.value(self.reasoner.goal(state, self.task.role)?))
    }

    /// The value of a state at the horizon: its evaluation for the role minus those for the others.
    pub(super) fn estimate(&mut self, state: &R::State) -> Result<Value, Halt> {
        let Some(evaluation) = &mut self.task.evaluation else { return Ok(Value::UNKNOWN) };
        Ok(Value::estimate(evaluation.lead(self.reasoner, state, self.task.role)?))
    }

    /// The value of a state at the horizon for searches that compute means, which need a scale and not only an order:
    /// the middle of the range of utilities (50) plus the estimate, limited to that range.
    pub(super) fn mean_estimate(&mut self, state: &R::State) -> Result<Real, Halt> {
        let (estimate, range) = (self.estimate(state)?, self.task.scale.range());
        let estimate = match self.task.scale.worth(estimate, true) {
            Worth::Estimate(estimate) => estimate,
            _ => 0,
        };
        Ok(range.clamp(range.exact_middle().plus(Real::whole(estimate))))
    }

    /// Expands a state that is not terminal, for a search in which the roles decide one after the other.
    /// [`ContestSearch::over`] takes the turn when it is over.
    pub(super) fn partial_turn<'t>(
        &mut self,
        state: &R::State,
        node: NodeId,
        arrival: &'t Arrival<'t>,
        deciders: &Deciders<impl Fn(Role) -> bool>,
    ) -> Result<PartialTurn<'t, R::State>, Halt> {
        self.tell_expanded(node, None);
        let mut choices = self.memory.choices.pop().unwrap_or_else(|| Box::new(RoleByRole::new()));
        choices.read(self.reasoner, state, deciders)?;
        Ok(PartialTurn { node, arrival, choices, probability: None })
    }

    /// Gives back the memory of a turn.
    pub(super) fn give_back_turn(&mut self, turn: PartialTurn<'_, R::State>) {
        self.memory.choices.push(turn.choices);
    }

    /// The state after a joint move, in memory that is used again if the state is put into [`ContestSearch::states`].
    pub(super) fn next_state(&mut self, state: &R::State, joint_move: &[Move]) -> Result<R::State, Halt> {
        let Some(mut next) = self.memory.states.pop() else { return Ok(self.reasoner.next_state(state, joint_move)?) };
        self.reasoner.next_state_into(state, joint_move, &mut next)?;
        Ok(next)
    }

    /// The turn of a state that is not terminal; [`Turns::give_back`] takes it when it is over.
    pub(super) fn turn(&mut self, state: &R::State) -> Result<Box<RoleTurn<R::State>>, Halt> {
        let memory = self.meter.limit();
        self.memory.turns.take(self.reasoner, state, self.task.role, memory)
    }

    /// The line of no moves in a state where the search does not go on.
    pub(super) fn leaf(
        &mut self,
        state: &R::State,
        node: NodeId,
        status: NodeStatus,
        arrival: &Arrival<'_>,
    ) -> Result<ValuedLine<Value>, Halt> {
        let value = if status == NodeStatus::End { self.utility(state)? } else { self.estimate(state)? };
        self.tell_value(node, value, arrival);
        Ok(self.memory.lines.end(value, node))
    }

    /// Reports that a node is expanded.
    pub(super) fn tell_expanded(&mut self, node: NodeId, window: Option<ValueWindow>) {
        if self.observer.is_on() {
            let window = window.map(|window| self.shown(window));
            self.observer.observe(&Event::Expanded { node, window });
        }
    }

    /// Reports the bounds in the parent of a node after the node has been evaluated.
    pub(super) fn tell_narrowed(&mut self, node: NodeId, window: ValueWindow) {
        if self.observer.is_on() {
            let window = self.shown(window);
            self.observer.observe(&Event::Narrowed { node, window });
        }
    }

    fn shown(&self, ValueWindow { alpha, beta }: ValueWindow) -> events::Window {
        let estimated = self.task.evaluation.is_some();
        let number = |value: Value| match value {
            value if value == Value::LEAST => f64::NEG_INFINITY,
            value if value == Value::MOST => f64::INFINITY,
            value => self.task.scale.number(value, estimated),
        };
        events::Window { alpha: number(alpha), beta: number(beta) }
    }

    /// Reports that the state of a node is known already.
    pub(super) fn tell_repeated(&mut self, node: NodeId) {
        self.observer.observe(&Event::Repeated { node });
    }

    /// Reports the value of a node.
    pub(super) fn tell_value(&mut self, node: NodeId, value: Value, arrival: &Arrival<'_>) {
        if self.observer.is_on() {
            let by_others = !arrival.choosing.is_empty() && !arrival.choosing.contains(&self.task.role);
            let value = if self.task.is_sided && by_others { -value } else { value };
            self.tell_values(node, &[value]);
        }
    }

    /// Reports the values of a node: one, or one for each role.
    pub(super) fn tell_values(&mut self, node: NodeId, values: &[Value]) {
        let estimated = self.task.evaluation.is_some();
        let numbers: Vec<f64> = values.iter().map(|&value| self.task.scale.number(value, estimated)).collect();
        let worths: Vec<Worth> = values.iter().map(|&value| self.task.scale.worth(value, estimated)).collect();
        self.observer.observe(&Event::Valued { node, values: numbers.into(), worths: worths.into() });
    }

    /// Reports the best line and makes the outcome of a search for one role, from the first state on.
    pub(super) fn finish(
        mut self,
        first: &R::State,
        end: Result<ValuedLine<Value>, Halt>,
        so_far: BestSoFar<Value>,
    ) -> Result<Outcome<Choice>, SearchError> {
        let (halt, known) = so_far.known(end);
        let decided = known.as_ref().is_some_and(|(found, _)| self.task.scale.is_decided(found.value));
        let FirstMoves { equals, rated } = std::mem::take(&mut self.firsts);
        let moves = rated.into_iter().map(|(chosen, value)| RatedMove { chosen, worth: self.worth(value) }).collect();
        let choice = known.map(|(found, finished)| {
            self.show(&found);
            Choice { equals, moves, finished, ..self.choice(first, &found) }
        });
        self.outcome(halt, choice, decided)
    }

    /// The choice of the role in the first state, from the line that was found for it.
    pub(super) fn choice(&mut self, first: &R::State, found: &ValuedLine<Value>) -> Choice {
        let (line, line_ends) = (found.joint_moves(self.roles()), self.line_end(first, found));
        let chosen = line.first().map(|joint_move| joint_move[self.task.role.index()]);
        let (equals, moves) = Default::default();
        Choice { worth: self.worth(found.value), chosen, line, line_ends, equals, moves, finished: None }
    }

    /// The utility or estimate behind a value that the search has found.
    pub(super) fn worth(&self, value: Value) -> Worth {
        self.task.scale.worth(value, self.is_cut && self.task.evaluation.is_some())
    }

    /// The number of roles.
    pub(super) fn roles(&self) -> usize {
        self.reasoner.roles().len()
    }

    /// The move of the role with which a line begins.
    pub(super) fn first(&self, found: &ValuedLine<Value>) -> Move {
        found.first(self.roles())[self.task.role.index()]
    }

    /// Compares the value of a first move with the best before it, and keeps the list of first moves of equal value.
    pub(super) fn note_first(&mut self, chosen: Move, value: Value, best: Option<Value>) {
        match best.map(|best| value.cmp(&best)) {
            Some(Ordering::Less) => return,
            Some(Ordering::Equal) => {}
            Some(Ordering::Greater) | None => self.firsts.equals.clear(),
        }
        self.firsts.equals.push(chosen);
    }

    /// Keeps the value of a first move.
    pub(super) fn rate_first(&mut self, chosen: Move, value: Value) {
        self.firsts.rated.push((chosen, value));
    }

    /// Reports the best line to the observer.
    pub(super) fn show<V>(&mut self, found: &ValuedLine<V>) {
        let nodes: Vec<NodeId> = found.nodes().iter().rev().copied().collect();
        self.observer.observe(&Event::BestLine { nodes: nodes.into() });
    }

    /// The outcome with its cost. If `decided`, nothing beyond the horizon can change the answer.
    pub(super) fn outcome<T>(
        mut self,
        halt: Option<Halt>,
        answer: Option<T>,
        decided: bool,
    ) -> Result<Outcome<T>, SearchError> {
        if self.is_cut && !decided {
            self.meter.cut();
        }
        self.meter.best_so_far(halt, answer)
    }
}
