//! The walk over states that all searches of several players share: the question and its answer, nodes down to the
//! horizon, the reports to the observer, and the rest of a line that ends in a state whose value was remembered.

use super::line::{BestSoFar, LineStack, Variation};
use super::turn::RoleTurn;
use crate::budget::Meter;
use crate::events::{GeneratedNode, NodeKind};
use crate::outcome::Halt;
use crate::value::PayoffRange;
use crate::{Budget, Choice, Event, LineEnd, NodeId, Observer, Outcome, RatedMove, SearchError, Value, Window, Worth};
use ggp_game::{Evaluation, JointMoves, Move, ReasonError, Reasoner, Role};
use rustc_hash::FxHashSet;

/// A question to a search of several players.
pub struct Contest<'a, R: Reasoner> {
    /// The state in which the search begins.
    pub state: &'a R::State,
    /// The role that asks for the best that it can reach, and for the way there.
    pub role: Role,
    /// Evaluates states at the horizon of a search with limited depth. Without one they are unknown, and rank as draws.
    pub evaluation: Option<&'a mut dyn Evaluation<R>>,
    /// Remembers the values of states in a search of the whole tree. It changes no value; a line that ends where a
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

/// The way on which a search reached a state.
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

    /// True if no role had a choice on the way to the state, and none has one in it; `choosing` are the roles that do.
    #[inline]
    pub(super) fn is_before_choice(&self, choosing: &[Role]) -> bool {
        self.choices == 0 && choosing.is_empty()
    }
}

/// The status of a state that a search has reached.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(super) enum NodeStatus {
    /// The state is terminal.
    End,
    /// The search goes no farther, since it has reached its horizon.
    Horizon,
    /// The moves of the state are searched.
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
    /// True if this is the first choice of the search.
    #[inline]
    pub(super) fn is_first_choice(&self) -> bool {
        self.arrival.choices == 0 && !self.turn.choosing.is_empty()
    }
}

/// A running search of several players: its question, which is the same in every node, and its scratch memory.
pub(super) struct ContestSearch<'a, R: Reasoner, O> {
    pub(super) reasoner: &'a mut R,
    pub(super) meter: Meter<'a>,
    pub(super) observer: O,
    /// The role that asks.
    pub(super) role: Role,
    pub(super) evaluation: Option<&'a mut dyn Evaluation<R>>,
    /// The greatest number of joint moves that count, if the depth is limited.
    pub(super) horizon: Option<u32>,
    /// True if joint moves without a choice do not count towards the horizon.
    pub(super) extends_forced: bool,
    pub(super) scale: PayoffRange,
    /// True if all other roles are assumed to move at random, so that observers see their nodes as those of chance.
    pub(super) others_are_random: bool,
    pub(super) lines: LineStack,
    /// Turns that are over, whose memory the next ones use: none is allocated in the middle of a search.
    #[expect(clippy::vec_box, reason = "a turn that is taken or given back is not copied")]
    pub(super) spare_turns: Vec<Box<RoleTurn<R::State>>>,
    /// Scratch: the legal moves of a role.
    legal: Vec<Move>,
    /// True if the horizon cut off some line.
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
        let search = Self {
            role,
            evaluation,
            horizon: budget.depth(),
            extends_forced: budget.extends_forced(),
            scale: PayoffRange::from_roles(reasoner),
            others_are_random: false,
            lines: LineStack::new(reasoner.roles().len(), observer.is_on()),
            reasoner,
            meter,
            observer,
            spare_turns: Vec::new(),
            legal: Vec::new(),
            is_cut: false,
        };
        (search, state)
    }

    /// Visits a state: counts and reports its node, and finds out if the line goes on.
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
        Ok(self.scale.value(self.reasoner.goal(state, self.role)?))
    }

    /// The value of a state at the horizon: its evaluation for the role minus those for the others.
    #[inline]
    pub(super) fn estimate(&mut self, state: &R::State) -> Result<Value, Halt> {
        let Some(evaluation) = &mut self.evaluation else { return Ok(Value::UNKNOWN) };
        Ok(Value::estimate(evaluation.lead(self.reasoner, state, self.role)?))
    }

    /// The turn of a state that is not terminal, whose last decision is open. The role that asks decides first; the
    /// others decide after it, `together` or one by one, those that move at random last. Once the turn is over, it is
    /// put among the spare turns; only an error may drop it.
    pub(super) fn decisions(
        &mut self,
        state: &R::State,
        together: bool,
        is_random: impl Fn(Role) -> bool,
    ) -> Result<Box<RoleTurn<R::State>>, Halt> {
        let mut turn = self.spare_turns.pop().unwrap_or_else(|| Box::new(RoleTurn::new()));
        turn.read(self.reasoner, state, self.role, together, is_random)?;
        Ok(turn)
    }

    /// [`ContestSearch::decisions()`] with all joint moves listed in canonical order; all others reply together.
    #[inline]
    pub(super) fn turn(&mut self, state: &R::State) -> Result<Box<RoleTurn<R::State>>, Halt> {
        let mut turn = self.decisions(state, true, |_| false)?;
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

    /// True if the search goes no farther than this state, which is not terminal: all joint moves that count are made.
    /// Where forced ones do not count, it goes on as long as no role has a choice, except where that never ends.
    pub(super) fn is_at_horizon(&mut self, state: &R::State, arrival: &Arrival<'_>) -> Result<bool, ReasonError> {
        let Some(horizon) = self.horizon else { return Ok(false) };
        let is_reached = self.steps(arrival) >= horizon;
        if !self.extends_forced {
            return Ok(is_reached);
        }
        // Asked once in a row of forced moves, since the answer is the same for all that follow.
        if arrival.forced == MOST_FORCED && !self.forced_moves_end(state)? {
            return Ok(true);
        }
        Ok(is_reached && !self.is_forced(state, arrival.choosing)?)
    }

    /// True if no role has a choice in a state that is not terminal. The roles that had one `before` are asked last:
    /// where roles take turns, another has the next.
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

    /// True if the forced joint moves from a state on lead to a choice or to the end of the game; false if a state
    /// repeats, or if they are more than a line may have.
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
        if self.extends_forced { arrival.choices } else { arrival.depth }
    }

    /// The number by which a joint move counts towards the horizon, 0 or 1; `choosing` are the roles that have a
    /// choice.
    #[inline]
    pub(super) fn step(&self, choosing: &[Role]) -> u32 {
        u32::from(!self.extends_forced || !choosing.is_empty())
    }

    /// The number of joint moves left to the horizon; the greatest number if the depth is not limited.
    #[inline]
    pub(super) fn remaining(&self, arrival: &Arrival<'_>) -> u32 {
        self.horizon.map_or(u32::MAX, |horizon| horizon - self.steps(arrival))
    }

    fn tell_generated(
        &mut self,
        state: &R::State,
        node: NodeId,
        arrival: &Arrival<'_>,
        status: NodeStatus,
    ) -> Result<(), Halt> {
        // In a terminal state no role decides, and moves cannot be asked for.
        let kind = if status == NodeStatus::End { NodeKind::Max } else { self.kind(state)? };
        let &Arrival { parent, joint_move, choosing, depth, probability, .. } = arrival;
        // A joint move without a choice is shown whole.
        let all = joint_move.iter().enumerate();
        let moves = all.filter(|&(role, _)| choosing.is_empty() || choosing.contains(&Role::new(role)));
        let moves = moves.map(|(_, &chosen)| chosen).collect();
        let generated = GeneratedNode { node, parent, moves, depth, kind, estimate: None, probability };
        self.observer.observe(&Event::Generated(generated));
        match status {
            NodeStatus::End => {
                let utility = self.reasoner.goal(state, self.role).ok();
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
            roles if roles.contains(&self.role) => NodeKind::Max,
            roles if roles.iter().all(|&role| Some(role) == chance || self.others_are_random) => NodeKind::Chance,
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
        let estimated = self.evaluation.is_some();
        let numbers: Vec<f64> = values.iter().map(|&value| self.scale.number(value, estimated)).collect();
        let worths: Vec<Worth> = values.iter().map(|&value| self.scale.worth(value, estimated)).collect();
        self.observer.observe(&Event::Valued { node, values: numbers.into(), worths: worths.into() });
    }

    /// Reports the best line.
    pub(super) fn tell_best_line<V>(&mut self, found: &Variation<V>) {
        self.observer.observe(&Event::BestLine { nodes: (&found.nodes[..]).into() });
    }

    /// The utility or estimate behind a value that the search has found.
    #[inline]
    pub(super) fn worth(&self, value: Value) -> Worth {
        // A value of 0 may be an estimate only if the horizon cut something off.
        self.scale.worth(value, self.is_cut && self.evaluation.is_some())
    }

    /// The choice of the role in the first state, from the line that was found for it.
    pub(super) fn choice(&mut self, first: &R::State, found: &Variation<Value>) -> Choice {
        Choice {
            worth: self.worth(found.value),
            chosen: found.joint_moves.first().map(|joint_move| joint_move[self.role.index()]),
            line: found.joint_moves.clone(),
            line_ends: self.line_end(first, found),
            equals: Vec::new(),
            moves: Vec::new(),
            finished: None,
        }
    }

    /// Reports the best line and makes the outcome of a search for one role, from the first state on. `firsts` are the
    /// first moves of the role with their values, in the order in which they were searched.
    pub(super) fn finish(
        mut self,
        first: &R::State,
        end: Result<Variation<Value>, Halt>,
        so_far: BestSoFar<Value>,
        firsts: Vec<(Move, Value)>,
    ) -> Result<Outcome<Choice>, SearchError> {
        let (halt, found, finished) = so_far.known(end);
        let decided = found.as_ref().is_some_and(|found| self.scale.is_decided(found.value));
        let choice = found.map(|found| {
            self.tell_best_line(&found);
            let best = firsts.iter().map(|&(_, value)| value).max();
            let equals = firsts.iter().filter(|&&(_, value)| Some(value) == best).map(|&(chosen, _)| chosen).collect();
            let rate = |&(chosen, value): &(Move, Value)| RatedMove { chosen, worth: self.worth(value) };
            let moves = firsts.iter().map(rate).collect();
            Choice { equals, moves, finished, ..self.choice(first, &found) }
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

/// The number of nodes that a search for the next moves of a line may always have.
const FEWEST_NODES: u64 = 10_000;

/// Such a search may also have 1/PART of the nodes of the search before it.
const PART: u64 = 8;

impl<R: Reasoner, O: Observer> ContestSearch<'_, R, O> {
    /// The end of a line from the first state; [`LineEnd::Open`] also if the engine fails or is interrupted.
    pub(super) fn line_end<V>(&mut self, first: &R::State, found: &Variation<V>) -> LineEnd {
        let mut horizon = self.horizon;
        self.follow(&mut first.clone(), &mut horizon, &found.joint_moves).unwrap_or(LineEnd::Open)
    }

    /// Continues a line as long as `again` finds more of it: a search that begins where the line ends. Its nodes do not
    /// count. If the engine fails or is interrupted, the line stays as it is.
    pub(super) fn continue_line<V: PartialEq>(
        &mut self,
        first: &R::State,
        found: &mut Variation<V>,
        mut again: impl FnMut(ContestSearch<'_, R, ()>, &R::State) -> Option<Variation<V>>,
    ) {
        // The rest of a line does not change the value, so it may cost a part of the search only.
        let budget = self.meter.share().with_nodes(FEWEST_NODES.max(self.meter.nodes() / PART));
        let mut state = first.clone();
        let mut horizon = self.horizon;
        let mut followed = 0;
        while self.follow(&mut state, &mut horizon, &found.joint_moves[followed..]) == Ok(LineEnd::Open)
            && found.joint_moves.len() < Budget::DEPTH as usize
        {
            followed = found.joint_moves.len();
            match again(self.quiet(&budget, horizon), &state) {
                Some(rest) if rest.value == found.value && !rest.joint_moves.is_empty() => {
                    found.joint_moves.extend(rest.joint_moves);
                    // Equal values may differ in whether they are known: that of the end counts.
                    found.value = rest.value;
                }
                _ => break,
            }
        }
    }

    /// Makes these joint moves from a state, which becomes that after them, and counts them off the horizon. Returns
    /// the end of the line; [`LineEnd::Open`] if it goes on.
    fn follow(
        &mut self,
        state: &mut R::State,
        horizon: &mut Option<u32>,
        joint_moves: &[Vec<Move>],
    ) -> Result<LineEnd, ReasonError> {
        for joint_move in joint_moves {
            let is_counted = !self.extends_forced || !self.is_forced(state, &[])?;
            *horizon = horizon.map(|horizon| horizon.saturating_sub(u32::from(is_counted)));
            *state = self.reasoner.next_state(state, joint_move)?;
        }
        if self.reasoner.is_terminal(state)? {
            return Ok(LineEnd::Game);
        }
        let Some(horizon) = *horizon else { return Ok(LineEnd::Open) };
        let is_left = if self.extends_forced {
            horizon == 0 && !self.is_forced(state, &[])? || !self.forced_moves_end(state)?
        } else {
            horizon == 0
        };
        Ok(if is_left { LineEnd::Horizon } else { LineEnd::Open })
    }

    /// The same search with its own limits and horizon, without an observer.
    fn quiet<'q>(&'q mut self, budget: &'q Budget, horizon: Option<u32>) -> ContestSearch<'q, R, ()> {
        ContestSearch {
            lines: LineStack::new(self.roles(), false),
            reasoner: self.reasoner,
            meter: Meter::start_without_horizon(budget),
            observer: (),
            role: self.role,
            // A borrow of a trait object is shortened only where the trait object is made again.
            evaluation: self.evaluation.as_mut().map(|evaluation| &mut **evaluation as &mut dyn Evaluation<R>),
            horizon,
            extends_forced: self.extends_forced,
            scale: self.scale,
            others_are_random: self.others_are_random,
            spare_turns: Vec::new(),
            legal: Vec::new(),
            is_cut: false,
        }
    }
}
