//! Parts that all searches of one player share: the problem that is given, the order of moves, the state of a running
//! search, and the expansion of states ahead of it.

use crate::budget::Meter;
use crate::events::{Estimate, GeneratedNode, NodeKind};
use crate::explore::layers::BatchSize;
use crate::outcome::Halt;
use crate::{Budget, Event, NodeId, Observer, Outcome, SearchError};
use ggp_game::{
    BatchReasoner, Chance, Expansion, Expansions, Move, ReasonError, Reasoner, Role, Utility, UtilityRange,
};
use serde::Serialize;
use std::ops::Range;

/// A search problem of one player.
#[derive(Clone, Debug)]
pub struct Problem<'a, S> {
    /// The state in which the search begins.
    pub state: &'a S,
    /// The search ends at a terminal state of this utility or more; without it, at the best possible utility.
    pub goal: Option<Utility>,
    /// Form of the search: states that are reached again are recognised in a graph search.
    pub form: Form,
    /// The order in which moves are tried.
    pub order: MoveOrder,
    /// True if the search ends at the first terminal state that solves the problem. If not, it goes on through all
    /// lines, and its answer is still the first of the best plans.
    pub exit: bool,
    /// Moment at which the searches with a queue or a stack test a node for the end of the game.
    pub goal_test: GoalTest,
    /// Moment at which a depth-first search without memory generates the children of a node.
    pub siblings: Siblings,
}

/// Form of a search: it recognises states that are reached again, or not.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Form {
    /// States are remembered, and not searched again unless necessary.
    #[default]
    Graph,
    /// Every line is searched, since no state is remembered.
    Tree,
}

/// Moment at which a node is tested for the end of the game.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum GoalTest {
    /// Before the node is expanded, so that A* returns the cheapest plan.
    #[default]
    Expansion,
    /// As soon as the node is generated, so that a search without costs ends a level earlier. A terminal node is never
    /// put into the queue.
    Generation,
}

/// Moment at which a depth-first search generates the children of a node.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Siblings {
    /// One by one: a node is generated when it is visited.
    #[default]
    OneByOne,
    /// All together: they wait on a stack, and the one that was generated last is visited first.
    Together,
}

impl<'a, S> Problem<'a, S> {
    /// A graph search for the best utility from a state, with moves in canonical order.
    pub fn new(state: &'a S) -> Self {
        Self {
            state,
            goal: None,
            form: Form::default(),
            order: MoveOrder::default(),
            exit: true,
            goal_test: GoalTest::default(),
            siblings: Siblings::default(),
        }
    }

    /// A tree search for the best utility from a state: the textbook's form.
    pub fn textbook(state: &'a S) -> Self {
        Self { form: Form::Tree, ..Self::new(state) }
    }

    /// True if a terminal state of this utility ends the search.
    pub(crate) fn is_solved_by(&self, utility: Utility, range: UtilityRange) -> bool {
        self.exit && utility >= self.goal.unwrap_or(range.most)
    }
}

/// The legal moves of a state that is not terminal, in the order of the first expansion of a search.
pub(crate) fn ordered_moves<R: Reasoner>(
    reasoner: &mut R,
    state: &R::State,
    problem: &Problem<'_, R::State>,
) -> Result<Vec<Move>, ReasonError> {
    let mut moves = Vec::new();
    reasoner.legal_moves(state, PLAYER, &mut moves)?;
    if moves.is_empty() {
        return Err(ReasonError::NoLegalMove { role: reasoner.roles()[0].clone() });
    }
    SiblingArranger::new(&problem.order).arrange(&mut moves);
    Ok(moves)
}

/// The only role of the game.
pub(super) const PLAYER: Role = Role::new(0);

/// Moves from a state to a terminal one, and the utility there; of type `M`: those of a reasoner, or their terms.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct Plan<M = Move> {
    /// The moves, first to last.
    pub moves: Vec<M>,
    /// The utility of the terminal state.
    pub utility: Utility,
}

/// The state of a running search of one player.
pub(super) struct ProblemSearch<'a, R: Reasoner, O> {
    pub(super) reasoner: &'a mut R,
    pub(super) problem: &'a Problem<'a, R::State>,
    pub(super) meter: Meter<'a>,
    pub(super) observer: O,
    /// The order of the moves of each expansion.
    pub(super) arranger: SiblingArranger<'a>,
    /// The best plan so far (of equal plans the first), with its nodes.
    pub(super) best: Option<(Plan, Vec<NodeId>)>,
}

impl<'a, R: Reasoner, O: Observer> ProblemSearch<'a, R, O> {
    pub(super) fn start(
        reasoner: &'a mut R,
        problem: &'a Problem<'a, R::State>,
        budget: &'a Budget,
        observer: O,
    ) -> Result<Self, SearchError> {
        SearchError::unless_one_role(reasoner.roles())?;
        let meter = Meter::start_flat(budget).counting_leaves();
        // A tree search remembers no states, so it reports no number of them.
        let meter = if problem.form == Form::Graph { meter.remembering() } else { meter };
        let arranger = SiblingArranger::new(&problem.order);
        Ok(Self { reasoner, problem, meter, observer, arranger, best: None })
    }

    /// Counts a state and reports its node; `from` is the parent and the move between them.
    pub(super) fn generate(
        &mut self,
        from: Option<(NodeId, Move)>,
        depth: u32,
        estimate: Option<Estimate>,
    ) -> Result<NodeId, Halt> {
        let node = self.meter.visit(depth)?;
        if self.observer.is_on() {
            self.observer.observe(&Event::Generated(GeneratedNode {
                node,
                parent: from.map(|(parent, _)| parent),
                moves: from.map(|(_, chosen)| chosen).into_iter().collect(),
                depth,
                kind: NodeKind::Max,
                estimate,
                probability: None,
            }));
        }
        Ok(node)
    }

    /// True if nodes are tested for the end of the game at this moment.
    pub(super) fn tests_at(&self, moment: GoalTest) -> bool {
        self.problem.goal_test == moment
    }

    /// The utility of the state of a node, if it is terminal.
    pub(super) fn end(&mut self, node: NodeId, state: &R::State) -> Result<Option<Utility>, Halt> {
        if !self.reasoner.is_terminal(state)? {
            return Ok(None);
        }
        let goal = self.reasoner.goal(state, PLAYER);
        self.end_worth(node, &goal).map(Some)
    }

    /// Reports and returns the utility of a terminal state.
    pub(super) fn end_worth(&mut self, node: NodeId, goal: &Result<Utility, ReasonError>) -> Result<Utility, Halt> {
        let utility = goal.clone()?;
        self.meter.leaf();
        self.observer.observe(&Event::Ended { node, utility: Some(utility) });
        Ok(utility)
    }

    /// Keeps a line to a terminal state if it is better than the best so far. Returns whether it solves the problem.
    pub(super) fn keep_if_best(&mut self, utility: Utility, line: impl FnOnce() -> (Vec<Move>, Vec<NodeId>)) -> bool {
        if self.best.as_ref().is_none_or(|(best, _)| utility > best.utility) {
            let (moves, nodes) = line();
            self.best = Some((Plan { moves, utility }, nodes));
        }
        let is_solved = self.problem.is_solved_by(utility, self.reasoner.utility_range());
        if is_solved {
            self.meter.settle();
        }
        is_solved
    }

    /// Counts and reports a node that lies on the horizon or beyond the bound of the round.
    pub(super) fn leave(&mut self, node: NodeId) {
        self.meter.leaf();
        self.observer.observe(&Event::Beyond { node });
    }

    /// Counts and reports the expansion of a node.
    pub(super) fn begin_expansion(&mut self, node: NodeId) {
        self.meter.expand();
        self.observer.observe(&Event::Expanded { node, window: None });
    }

    /// Expands a state that is not terminal; returns its moves in the order in which they are tried.
    pub(super) fn expand(&mut self, node: NodeId, state: &R::State) -> Result<Vec<Move>, Halt> {
        let mut moves = Vec::new();
        self.expand_into(node, state, &mut moves)?;
        Ok(moves)
    }

    /// Expands as [`ProblemSearch::expand`], but replaces the contents of `moves`.
    pub(super) fn expand_into(&mut self, node: NodeId, state: &R::State, moves: &mut Vec<Move>) -> Result<(), Halt> {
        self.begin_expansion(node);
        self.reasoner.legal_moves(state, PLAYER, moves)?;
        if moves.is_empty() {
            return Err(ReasonError::NoLegalMove { role: self.reasoner.roles()[0].clone() }.into());
        }
        self.arranger.arrange(moves);
        if self.observer.wants_moves() {
            self.observer.observe(&Event::Legal { node, moves: moves[..].into() });
        }
        Ok(())
    }

    /// The state after a move, in the memory of a state that is no longer needed, if there is one.
    pub(super) fn next_state(
        &mut self,
        state: &R::State,
        chosen: Move,
        spare: Option<R::State>,
    ) -> Result<R::State, ReasonError> {
        let Some(mut next) = spare else { return self.reasoner.next_state(state, &[chosen]) };
        self.reasoner.next_state_into(state, &[chosen], &mut next)?;
        Ok(next)
    }

    /// Reports the best line and makes the outcome.
    pub(super) fn finish(mut self, end: Result<(), Halt>) -> Result<Outcome<Plan>, SearchError> {
        let best = self.best.map(|(plan, nodes)| {
            self.observer.observe(&Event::BestLine { nodes: nodes.into() });
            plan
        });
        self.meter.best_so_far(end.err(), best)
    }
}

/// The order in which moves are tried.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum MoveOrder {
    /// These moves first, in this order, then all others in canonical order.
    First(Vec<Move>),
    /// A random order, drawn for each expansion, every order with the same probability.
    Random {
        /// The seed of the draws: equal seeds give equal searches.
        seed: u64,
    },
    /// The n-th expansion tries the moves of the n-th list first; behind the last list the order is canonical. With it
    /// a run that was written down is repeated.
    Listed(Vec<Vec<Move>>),
}

impl Default for MoveOrder {
    /// Canonical order.
    fn default() -> Self {
        Self::First(Vec::new())
    }
}

impl MoveOrder {
    /// True if every expansion has the canonical order.
    pub(super) fn is_canonical(&self) -> bool {
        match self {
            Self::First(first) => first.is_empty(),
            Self::Random { .. } => false,
            Self::Listed(lists) => lists.iter().all(Vec::is_empty),
        }
    }
}

/// Orders the moves of one expansion after the other.
#[derive(Debug)]
pub(super) struct SiblingArranger<'a> {
    order: &'a MoveOrder,
    /// The source of random orders.
    chance: Chance,
    /// The number of expansions so far.
    expansions: usize,
}

impl<'a> SiblingArranger<'a> {
    pub(super) fn new(order: &'a MoveOrder) -> Self {
        let seed = if let MoveOrder::Random { seed } = order { *seed } else { 0 };
        Self { order, chance: Chance::new(seed), expansions: 0 }
    }

    /// The indices of the moves of the next expansion, given in canonical order, in the order in which they are tried.
    pub(super) fn indices(&mut self, moves: &[Move]) -> Vec<usize> {
        let mut indices: Vec<usize> = (0..moves.len()).collect();
        self.order(&mut indices, |&index| moves[index]);
        indices
    }

    /// Puts the moves of the next expansion into the order in which they are tried.
    pub(super) fn arrange(&mut self, moves: &mut [Move]) {
        self.order(moves, |&chosen| chosen);
    }

    /// Puts the items of the next expansion, each of which stands for a move, into the order in which they are tried.
    fn order<T>(&mut self, items: &mut [T], chosen: impl Fn(&T) -> Move) {
        match self.order {
            MoveOrder::First(first) => put_first(first, items, chosen),
            MoveOrder::Random { .. } => self.shuffle(items),
            MoveOrder::Listed(lists) => {
                if let Some(first) = lists.get(self.expansions) {
                    put_first(first, items, chosen);
                }
            }
        }
        self.expansions += 1;
    }

    /// Shuffles the items, every order with the same probability. Source: Durstenfeld, Algorithm 235: Random
    /// permutation (1964).
    fn shuffle<T>(&mut self, items: &mut [T]) {
        for last in (1..items.len()).rev() {
            items.swap(last, self.chance.below(last + 1));
        }
    }
}

fn put_first<T>(first: &[Move], items: &mut [T], chosen: impl Fn(&T) -> Move) {
    if !first.is_empty() {
        let rank = |item: &T| first.iter().position(|first| *first == chosen(item));
        // The sort is stable, so moves that are not listed keep their order.
        items.sort_by_key(|item| rank(item).unwrap_or(usize::MAX));
    }
}

/// The expansions of the states with consecutive numbers that a search will reach next. They are expanded in one batch,
/// so that an engine that computes many states at once is given many. This changes neither answers nor counts: the
/// search counts a state when it reaches it.
#[derive(Debug)]
pub(super) struct Lookahead<S> {
    known: Range<usize>,
    expansions: Expansions<S>,
    at_once: BatchSize,
    /// The bytes that the expansions use.
    pub(super) bytes: usize,
}

impl<S> Lookahead<S> {
    pub(super) fn new() -> Self {
        Self { known: 0..0, expansions: Expansions::default(), at_once: BatchSize::default(), bytes: 0 }
    }

    /// Expands the state with this number, unless it is known, and some of those that follow it; `states` are the
    /// states from it on, in the order in which the search will reach them.
    pub(super) fn expand<'a, R: BatchReasoner<State = S>>(
        &mut self,
        reasoner: &mut R,
        number: usize,
        states: impl Iterator<Item = &'a S>,
    ) where
        S: 'a,
    {
        if !self.known.contains(&number) {
            let states: Vec<&S> = states.take(self.at_once.states().min(reasoner.batch())).collect();
            reasoner.expand(&states, &mut self.expansions);
            self.known = number..number + states.len();
            self.bytes = self.expansions.bytes(|state| reasoner.heap_bytes(state));
            self.at_once.learn(states.len(), self.expansions.size());
        }
    }

    /// The expansion of the state with this number, which [`Lookahead::expand`] has computed.
    pub(super) fn get(&self, number: usize) -> Result<Expansion<'_, S>, ReasonError> {
        self.expansions.get(number - self.known.start)
    }
}
