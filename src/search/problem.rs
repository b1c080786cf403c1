//! What all searches of one player share: where they begin, what they search for, and how they expand states.

use super::budget::Meter;
use super::outcome::Halt;
use super::trace::{Estimate, Generated, NodeKind};
use super::{Budget, Event, NodeId, Observer, Outcome, SearchError};
use crate::game::{Move, ReasonError, Reasoner, Role, Utility, UtilityRange};

/// A search problem of one player.
#[derive(Clone, Debug)]
pub struct Problem<'a, S> {
    /// The state in which the search begins.
    pub state: &'a S,
    /// The search ends at a terminal state of this utility or more; without it, at the best possible utility.
    pub goal: Option<Utility>,
    /// Whether states that are reached again are recognised.
    pub form: Form,
    /// The order in which moves are tried.
    pub order: MoveOrder,
}

/// Whether states that are reached again are recognised.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Form {
    /// States are remembered, and not searched again unless necessary.
    #[default]
    Graph,
    /// Nothing is remembered: every line is searched.
    Tree,
}

/// The order in which moves are tried: `first`, then all others in canonical order.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct MoveOrder {
    /// The moves to try first, in this order.
    pub first: Vec<Move>,
}

impl MoveOrder {
    /// Sorts moves, given in canonical order, into this order.
    pub(crate) fn arrange(&self, moves: &mut [Move]) {
        if !self.first.is_empty() {
            let index = |chosen: &Move| self.first.iter().position(|first| first == chosen);
            moves.sort_by_key(|chosen| index(chosen).unwrap_or(usize::MAX));
        }
    }

    /// The indices of `moves`, given in canonical order, in the order in which they are tried.
    pub(super) fn indices(&self, moves: &[Move]) -> Vec<usize> {
        let mut indices: Vec<usize> = (0..moves.len()).collect();
        if !self.first.is_empty() {
            let first = |index: &usize| self.first.iter().position(|first| *first == moves[*index]);
            indices.sort_by_key(|index| first(index).unwrap_or(usize::MAX));
        }
        indices
    }
}

impl<'a, S> Problem<'a, S> {
    /// A graph search for the best utility from a state, with moves in canonical order.
    pub fn new(state: &'a S) -> Self {
        Self { state, goal: None, form: Form::default(), order: MoveOrder::default() }
    }

    /// A tree search for the best utility from a state: the textbook's form.
    pub fn textbook(state: &'a S) -> Self {
        Self { form: Form::Tree, ..Self::new(state) }
    }

    /// Whether a terminal state of this utility ends the search.
    pub(super) fn is_solved_by(&self, utility: Utility, range: UtilityRange) -> bool {
        utility >= self.goal.unwrap_or(range.most)
    }
}

/// The only role of the game.
pub(super) const PLAYER: Role = Role::new(0);

/// Moves from a state to a terminal one, and the utility there.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Plan {
    /// The moves, first to last.
    pub moves: Vec<Move>,
    /// The utility of the terminal state.
    pub utility: Utility,
}

/// The state of a running search of one player.
pub(super) struct Search<'a, R: Reasoner, O> {
    pub(super) reasoner: &'a mut R,
    pub(super) problem: &'a Problem<'a, R::State>,
    pub(super) meter: Meter<'a>,
    pub(super) observer: O,
    /// The best plan so far (of equal plans the first), with its nodes.
    pub(super) best: Option<(Plan, Vec<NodeId>)>,
}

impl<'a, R: Reasoner, O: Observer> Search<'a, R, O> {
    pub(super) fn start(
        reasoner: &'a mut R,
        problem: &'a Problem<'a, R::State>,
        budget: &'a Budget,
        observer: O,
    ) -> Result<Self, SearchError> {
        SearchError::unless_one_role(reasoner.roles())?;
        let meter = Meter::start_flat(budget);
        let meter = if problem.form == Form::Graph { meter.remembering() } else { meter };
        Ok(Self { reasoner, problem, meter, observer, best: None })
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
            self.observer.observe(&Event::Generated(Generated {
                node,
                parent: from.map(|(parent, _)| parent),
                moves: from.map(|(_, chosen)| chosen).into_iter().collect(),
                depth,
                kind: NodeKind::Max,
                estimate,
            }));
        }
        Ok(node)
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
        self.observer.observe(&Event::Ended { node, utility: Some(utility) });
        Ok(utility)
    }

    /// Keeps a line to a terminal state if it is better than the best so far. Returns whether it solves the problem.
    pub(super) fn take(&mut self, utility: Utility, line: impl FnOnce() -> (Vec<Move>, Vec<NodeId>)) -> bool {
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

    /// Counts and reports the expansion of a node.
    pub(super) fn begin_expansion(&mut self, node: NodeId) {
        self.meter.expand();
        self.observer.observe(&Event::Expanded { node, window: None });
    }

    /// Expands a state that is not terminal; returns its moves in the order in which they are tried.
    pub(super) fn expand(&mut self, node: NodeId, state: &R::State) -> Result<Vec<Move>, Halt> {
        self.begin_expansion(node);
        let mut moves = Vec::new();
        self.reasoner.legal_moves(state, PLAYER, &mut moves)?;
        if moves.is_empty() {
            return Err(ReasonError::NoLegalMove { role: self.reasoner.roles()[0].clone() }.into());
        }
        self.problem.order.arrange(&mut moves);
        Ok(moves)
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
