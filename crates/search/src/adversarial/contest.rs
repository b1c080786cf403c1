//! What all searches of several players share: the question and its answer, the walk over states down to the horizon,
//! the reports to the observer, and the rest of a best line that ends in a state whose value was remembered.

use super::line::{BestSoFar, LineStack, Variation};
use super::turn::{Deciders, RoleTurn, Successor, TurnGuard, TurnPool};
use crate::budget::Meter;
use crate::events::{GeneratedNode, NodeKind};
use crate::outcome::Halt;
use crate::value::PayoffRange;
use crate::{Budget, Choice, Event, LineEnd, NodeId, Observer, Outcome, RatedMove, SearchError, Value, Window, Worth};
use ggp_game::{Evaluation, JointMoves, Move, ReasonError, Reasoner, Role};
use rustc_hash::FxHashSet;
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
    #[inline]
    pub fn new(state: &'a R::State, role: Role) -> Self {
        Self { state, role, evaluation: None, table: false }
    }
}

/// The first moves of the role that asks, as far as a search knows them.
#[derive(Default)]
pub(super) struct FirstMoves {
    /// Those that are worth as much as the best so far.
    equals: Vec<Move>,
    /// All of them with their values, if the search knows these.
    pub(super) rated: Vec<(Move, Value)>,
}

impl FirstMoves {
    /// Notes a move; `best` is the greatest value of the moves before it.
    #[inline]
    pub(super) fn note(&mut self, chosen: Move, value: Value, best: Option<Value>) {
        match best.map(|best| value.cmp(&best)) {
            Some(Ordering::Less) => return,
            Some(Ordering::Equal) => {}
            Some(Ordering::Greater) | None => self.equals.clear(),
        }
        self.equals.push(chosen);
    }
}

/// How a search reached a state.
pub(super) struct Arrival<'a> {
    /// The predecessor; `None` for the first state.
    parent: Option<NodeId>,
    joint_move: &'a [Move],
    /// The roles that had a choice in the predecessor.
    pub(super) choosing: &'a [Role],
    /// The number of joint moves from the first state.
    pub(super) depth: u32,
    /// The number of turns from the first state in which some role had a choice.
    pub(super) choices: u32,
    /// The number of joint moves without a choice in a row, up to this state.
    forced: u32,
    /// The probability of the joint move, where a model of the opponents predicts it.
    pub(super) probability: Option<f64>,
}

impl Arrival<'_> {
    /// The arrival at the first state.
    pub(super) const ROOT: Arrival<'static> =
        Arrival { parent: None, joint_move: &[], choosing: &[], depth: 0, choices: 0, forced: 0, probability: None };

    /// The arrival at a successor of the state, whose node is `node`.
    #[inline]
    pub(super) fn after<'n>(&self, node: NodeId, joint_move: &'n [Move], choosing: &'n [Role]) -> Arrival<'n> {
        let is_forced = choosing.is_empty();
        Arrival {
            parent: Some(node),
            joint_move,
            choosing,
            depth: self.depth + 1,
            choices: self.choices + u32::from(!is_forced),
            forced: if is_forced { self.forced + 1 } else { 0 },
            probability: None,
        }
    }

    /// [`Arrival::after()`] for a successor that a turn has made.
    #[inline]
    pub(super) fn at<'n, S>(&self, node: NodeId, next: &Successor<'n, S>) -> Arrival<'n> {
        self.after(node, next.joint_move, next.choosing)
    }

    /// Whether the state is the first in which a role has a choice: one of these.
    #[inline]
    pub(super) fn is_first_choice(&self, choosing: &[Role]) -> bool {
        self.choices == 0 && !choosing.is_empty()
    }

    /// Whether the search came to the state without a choice, and goes on without one.
    #[inline]
    pub(super) fn is_before_choice(&self, choosing: &[Role]) -> bool {
        self.choices == 0 && choosing.is_empty()
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

/// A node whose moves are tried.
pub(super) struct TurnNode<'n, S> {
    pub(super) state: &'n S,
    pub(super) node: NodeId,
    pub(super) arrival: &'n Arrival<'n>,
    pub(super) turn: &'n mut RoleTurn<S>,
}

impl<S> TurnNode<'_, S> {
    /// Whether this is the first choice of the search.
    #[inline]
    pub(super) fn is_first_choice(&self) -> bool {
        self.arrival.is_first_choice(&self.turn.choosing)
    }
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
    /// Whether all other roles are assumed to move at random, so that their nodes are those of chance.
    pub(super) others_are_random: bool,
}

/// The state of a running search of several players.
pub(super) struct ContestSearch<'a, R: Reasoner, O> {
    pub(super) reasoner: &'a mut R,
    pub(super) meter: Meter<'a>,
    pub(super) observer: O,
    pub(super) task: ContestTask<'a, R>,
    pub(super) lines: LineStack,
    pub(super) turns: TurnPool<R::State>,
    /// Scratch: the legal moves of a role.
    pub(super) legal: Vec<Move>,
    /// Whether the horizon cut off some line.
    pub(super) is_cut: bool,
}

/// After this many forced joint moves in a row, a search that does not count them finds out whether they ever end.
const MOST_FORCED: u32 = 32;

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
            others_are_random: false,
        };
        let lines = LineStack::new(reasoner.roles().len(), observer.is_on());
        let turns = TurnPool::new();
        (Self { reasoner, meter, observer, task, lines, turns, legal: Vec::new(), is_cut: false }, state)
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
            self.tell_generated(state, node, arrival, status)?;
        }
        Ok((node, status))
    }

    /// The value of a state where the line does not go on.
    #[inline]
    pub(super) fn leaf(&mut self, state: &R::State, status: NodeStatus) -> Result<Value, Halt> {
        if status == NodeStatus::End { self.utility(state) } else { self.estimate(state) }
    }

    /// The value of a terminal state.
    #[inline]
    pub(super) fn utility(&mut self, state: &R::State) -> Result<Value, Halt> {
        Ok(self.task.scale.value(self.reasoner.goal(state, self.task.role)?))
    }

    /// The value of a state at the horizon: its evaluation for the role minus those for the others.
    #[inline]
    pub(super) fn estimate(&mut self, state: &R::State) -> Result<Value, Halt> {
        let Some(evaluation) = &mut self.task.evaluation else { return Ok(Value::UNKNOWN) };
        Ok(Value::estimate(evaluation.lead(self.reasoner, state, self.task.role)?))
    }

    /// The turn of a state that is not terminal, for a search in which the roles decide one after the other.
    pub(super) fn decisions(
        &mut self,
        state: &R::State,
        deciders: &Deciders<impl Fn(Role) -> bool>,
    ) -> Result<TurnGuard<R::State>, Halt> {
        Ok(self.turns.decisions(self.reasoner, state, deciders)?)
    }

    /// The turn of a state that is not terminal, with all joint moves in canonical order: the role decides first, and all
    /// others reply together.
    #[inline]
    pub(super) fn turn(&mut self, state: &R::State) -> Result<TurnGuard<R::State>, Halt> {
        let deciders = Deciders { first: self.task.role, together: true, is_random: |_| false };
        let mut turn = self.decisions(state, &deciders)?;
        turn.open_all();
        turn.list(self.meter.limit())?;
        Ok(turn)
    }

    /// The number of roles.
    #[inline]
    pub(super) fn roles(&self) -> usize {
        self.reasoner.roles().len()
    }

    /// The role of chance, if the game has one.
    #[inline]
    pub(super) fn chance(&self) -> Option<Role> {
        Role::chance(self.reasoner.roles())
    }

    /// Whether the search goes no farther than a state that is not terminal: it has made all joint moves that count.
    /// Where forced ones do not count, it goes on as long as no role has a choice, except where that never ends.
    pub(super) fn is_at_horizon(&mut self, state: &R::State, arrival: &Arrival<'_>) -> Result<bool, ReasonError> {
        let Some(horizon) = self.task.horizon else { return Ok(false) };
        let is_reached = self.steps(arrival) >= horizon;
        if !self.task.extends_forced {
            return Ok(is_reached);
        }
        if arrival.forced == MOST_FORCED && !self.forced_moves_end(state)? {
            return Ok(true);
        }
        Ok(is_reached && !self.is_forced(state, arrival.choosing)?)
    }

    /// Whether no role has a choice in a state that is not terminal. The roles that had one before are asked last: where
    /// roles take turns, another has the next.
    pub(super) fn is_forced(&mut self, state: &R::State, before: &[Role]) -> Result<bool, ReasonError> {
        let roles = self.roles();
        for had_choice in [false, true] {
            for role in (0..roles).map(Role::new).filter(|role| before.contains(role) == had_choice) {
                self.reasoner.legal_moves(state, role, &mut self.legal)?;
                if self.legal.len() > 1 {
                    return Ok(false);
                }
            }
        }
        Ok(true)
    }

    /// Whether the forced joint moves from a state on lead to a choice or to the end of the game: not if a state comes
    /// again, or if there are more of them than a line may have.
    pub(super) fn forced_moves_end(&mut self, state: &R::State) -> Result<bool, ReasonError> {
        let mut state = state.clone();
        let mut passed = FxHashSet::default();
        while passed.len() < Budget::DEPTH as usize {
            if self.reasoner.is_terminal(&state)? {
                return Ok(true);
            }
            let turn = JointMoves::in_state(self.reasoner, &state)?;
            if turn.each_choosing().next().is_some() {
                return Ok(true);
            }
            let next = self.reasoner.next_state(&state, turn.current())?;
            if !passed.insert(std::mem::replace(&mut state, next)) {
                return Ok(false);
            }
        }
        Ok(false)
    }

    /// The number of joint moves from the first state that count towards the horizon.
    #[inline]
    pub(super) fn steps(&self, arrival: &Arrival<'_>) -> u32 {
        if self.task.extends_forced { arrival.choices } else { arrival.depth }
    }

    /// How much a joint move counts towards the horizon, by the roles that have a choice.
    #[inline]
    pub(super) fn step(&self, choosing: &[Role]) -> u32 {
        u32::from(!self.task.extends_forced || !choosing.is_empty())
    }

    /// The number of joint moves left to the horizon.
    #[inline]
    pub(super) fn remaining(&self, arrival: &Arrival<'_>) -> u32 {
        self.task.horizon.map_or(u32::MAX, |horizon| horizon - self.steps(arrival))
    }

    fn tell_generated(
        &mut self,
        state: &R::State,
        node: NodeId,
        arrival: &Arrival<'_>,
        status: NodeStatus,
    ) -> Result<(), Halt> {
        let kind = if status == NodeStatus::End { NodeKind::Max } else { self.kind(state)? };
        let &Arrival { parent, joint_move, choosing, depth, probability, .. } = arrival;
        let all = joint_move.iter().enumerate();
        let moves = all.filter(|&(role, _)| choosing.is_empty() || choosing.contains(&Role::new(role)));
        let moves = moves.map(|(_, &chosen)| chosen).collect();
        let generated = GeneratedNode { node, parent, moves, depth, kind, estimate: None, probability };
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

    /// Reports that a node is expanded.
    #[inline]
    pub(super) fn tell_expanded(&mut self, node: NodeId, window: Option<Window>) {
        self.observer.observe(&Event::Expanded { node, window });
    }

    /// Reports the values of a node: one, or one for each role.
    pub(super) fn tell_values(&mut self, node: NodeId, values: &[Value]) {
        if !self.observer.is_on() {
            return;
        }
        let estimated = self.task.evaluation.is_some();
        let numbers: Vec<f64> = values.iter().map(|&value| self.task.scale.number(value, estimated)).collect();
        let worths: Vec<Worth> = values.iter().map(|&value| self.task.scale.worth(value, estimated)).collect();
        self.observer.observe(&Event::Valued { node, values: numbers.into(), worths: worths.into() });
    }

    /// Reports the best line.
    pub(super) fn tell_best_line<V>(&mut self, found: &Variation<V>) {
        self.observer.observe(&Event::BestLine { nodes: (&found.nodes[..]).into() });
    }

    /// The utility or estimate behind a value that the search has found.
    #[inline]
    pub(super) fn worth(&self, value: Value) -> Worth {
        self.task.scale.worth(value, self.is_cut && self.task.evaluation.is_some())
    }

    /// The choice of the role in the first state, from the line that was found for it.
    pub(super) fn choice(&mut self, first: &R::State, found: &Variation<Value>) -> Choice {
        Choice {
            worth: self.worth(found.value),
            chosen: found.joint_moves.first().map(|joint_move| joint_move[self.task.role.index()]),
            line: found.joint_moves.clone(),
            line_ends: self.line_end(first, found),
            equals: Vec::new(),
            moves: Vec::new(),
            finished: None,
        }
    }

    /// Reports the best line and makes the outcome of a search for one role, from the first state on.
    pub(super) fn finish(
        mut self,
        first: &R::State,
        end: Result<Variation<Value>, Halt>,
        so_far: BestSoFar<Value>,
        firsts: FirstMoves,
    ) -> Result<Outcome<Choice>, SearchError> {
        let (halt, known) = so_far.known(end);
        let decided = known.as_ref().is_some_and(|(found, _)| self.task.scale.is_decided(found.value));
        let rate = |(chosen, value): (Move, Value)| RatedMove { chosen, worth: self.worth(value) };
        let moves = firsts.rated.into_iter().map(rate).collect();
        let choice = known.map(|(found, finished)| {
            self.tell_best_line(&found);
            Choice { equals: firsts.equals, moves, finished, ..self.choice(first, &found) }
        });
        self.outcome(halt, choice, decided)
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

/// The nodes that a search for the next moves of a line may always have.
const FEWEST_NODES: u64 = 10_000;

/// Such a search may also have this part of the nodes of the search before it.
const PART: u64 = 8;

/// A state on a line.
struct LinePosition<S> {
    state: S,
    /// The number of joint moves from there to the horizon, if the search has one.
    horizon: Option<u32>,
}

impl<R: Reasoner, O: Observer> ContestSearch<'_, R, O> {
    /// Where a line from the first state ends; [`LineEnd::Open`] also if the engine fails or is interrupted.
    pub(super) fn line_end<V>(&mut self, first: &R::State, found: &Variation<V>) -> LineEnd {
        let mut position = LinePosition { state: first.clone(), horizon: self.task.horizon };
        self.follow(&mut position, &found.joint_moves).unwrap_or(LineEnd::Open)
    }

    /// Continues a line as long as `again` finds more of it: a search that begins where the line ends. Its nodes do not
    /// count. If the engine fails or is interrupted, the line stays as it is.
    pub(super) fn continue_line<V: PartialEq>(
        &mut self,
        first: &R::State,
        found: &mut Variation<V>,
        mut again: impl FnMut(ContestSearch<'_, R, ()>, &R::State) -> Option<Variation<V>>,
    ) {
        let budget = self.meter.share().with_nodes(FEWEST_NODES.max(self.meter.nodes() / PART));
        let mut position = LinePosition { state: first.clone(), horizon: self.task.horizon };
        let mut followed = 0;
        while self.follow(&mut position, &found.joint_moves[followed..]).is_ok_and(|end| end == LineEnd::Open)
            && found.joint_moves.len() < Budget::DEPTH as usize
        {
            followed = found.joint_moves.len();
            match again(self.quiet(&budget, position.horizon), &position.state) {
                Some(rest) if rest.value == found.value && !rest.joint_moves.is_empty() => {
                    found.joint_moves.extend(rest.joint_moves);
                    // Equal values may differ in whether they are known: that of the end counts.
                    found.value = rest.value;
                }
                _ => break,
            }
        }
    }

    /// Makes these joint moves on a line. Returns where the line ends; [`LineEnd::Open`] if it goes on.
    fn follow(
        &mut self,
        position: &mut LinePosition<R::State>,
        joint_moves: &[Vec<Move>],
    ) -> Result<LineEnd, ReasonError> {
        for joint_move in joint_moves {
            let is_counted = !self.task.extends_forced || !self.is_forced(&position.state, &[])?;
            position.horizon = position.horizon.map(|horizon| horizon.saturating_sub(u32::from(is_counted)));
            position.state = self.reasoner.next_state(&position.state, joint_move)?;
        }
        if self.reasoner.is_terminal(&position.state)? {
            return Ok(LineEnd::Game);
        }
        let Some(horizon) = position.horizon else { return Ok(LineEnd::Open) };
        let is_left = if self.task.extends_forced {
            horizon == 0 && !self.is_forced(&position.state, &[])? || !self.forced_moves_end(&position.state)?
        } else {
            horizon == 0
        };
        Ok(if is_left { LineEnd::Horizon } else { LineEnd::Open })
    }

    /// The same search with its own limits and horizon, without an observer.
    fn quiet<'q>(&'q mut self, budget: &'q Budget, horizon: Option<u32>) -> ContestSearch<'q, R, ()> {
        let lines = LineStack::new(self.roles(), false);
        let task = ContestTask {
            // A borrow of a trait object is shortened only where the trait object is made again.
            evaluation: self.task.evaluation.as_mut().map(|evaluation| &mut **evaluation as &mut dyn Evaluation<R>),
            horizon,
            ..self.task
        };
        let meter = Meter::start_without_horizon(budget);
        ContestSearch {
            reasoner: self.reasoner,
            meter,
            observer: (),
            task,
            lines,
            turns: TurnPool::new(),
            legal: Vec::new(),
            is_cut: false,
        }
    }
}
