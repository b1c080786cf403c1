//! What all searches of one player share: where they begin, what they look for, and how they go from state to state.

use super::budget::Meter;
use super::outcome::Halt;
use super::trace::{Estimate, Generated, NodeKind};
use super::{Budget, Event, NodeId, Observer, Outcome, Plan, SearchError};
use crate::game::{Move, ReasonError, Reasoner, Role, Utility};

/// A problem of one player.
#[derive(Clone, Debug)]
pub struct Problem<'a, S> {
    /// Where it begins.
    pub state: &'a S,
    /// A terminal state of this worth or more is what is looked for; without one, the best there is.
    pub goal: Option<Utility>,
    /// What is done about states that are reached again.
    pub form: Form,
    /// The order in which moves are tried.
    pub order: MoveOrder,
}

/// What is done about states that are reached again.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Form {
    /// They are remembered, and not searched again without need.
    #[default]
    Graph,
    /// Nothing is remembered: each line is a line of its own.
    Tree,
}

/// The order in which moves are tried: some first, all others after them in canonical order.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct MoveOrder {
    /// The moves that come first.
    pub first: Vec<Move>,
}

impl MoveOrder {
    /// Puts moves, which are in canonical order, into this one.
    pub fn arrange(&self, moves: &mut [Move]) {
        if !self.first.is_empty() {
            let index = |chosen: &Move| self.first.iter().position(|first| first == chosen);
            moves.sort_by_key(|chosen| index(chosen).unwrap_or(usize::MAX));
        }
    }

    /// The places of moves, which are in canonical order, in this one.
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
    /// The best there is from a state on, by graph search, moves in canonical order.
    pub fn new(state: &'a S) -> Self {
        Self { state, goal: None, form: Form::default(), order: MoveOrder::default() }
    }

    /// The best there is from a state on, in the textbook's form: by tree search.
    pub fn textbook(state: &'a S) -> Self {
        Self { form: Form::Tree, ..Self::new(state) }
    }

    /// Whether a terminal state of this worth ends the search.
    pub(super) fn is_solved_by(&self, utility: Utility) -> bool {
        utility >= self.goal.unwrap_or(Utility::MAX)
    }
}

/// The only role.
pub(super) const PLAYER: Role = Role::new(0);

/// A search of one player at work.
pub(super) struct Search<'a, R: Reasoner, O> {
    pub(super) reasoner: &'a mut R,
    pub(super) problem: &'a Problem<'a, R::State>,
    pub(super) meter: Meter<'a>,
    pub(super) observer: O,
    /// The best plan so far, the first of equal ones, with its nodes.
    pub(super) best: Option<(Plan, Vec<NodeId>)>,
}

impl<'a, R: Reasoner, O: Observer> Search<'a, R, O> {
    /// Nothing visited yet.
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

    /// Counts a state and tells of its node; `from` is the node before it and the move between.
    pub(super) fn generate(
        &mut self,
        from: Option<(NodeId, Move)>,
        depth: u32,
        estimate: Option<Estimate>,
    ) -> Result<NodeId, Halt> {
        let node = self.meter.visit(depth)?;
        if self.observer.is_on() {
            let (joint_move, choosing) = (from.map(|(_, chosen)| [chosen]), from.map(|_| [PLAYER]));
            self.observer.observe(Event::Generated(Generated {
                node,
                parent: from.map(|(parent, _)| parent),
                joint_move: joint_move.as_ref().map_or(&[], |moves| moves),
                choosing: choosing.as_ref().map_or(&[], |roles| roles),
                depth,
                kind: NodeKind::Max,
                estimate,
            }));
        }
        Ok(node)
    }

    /// What the state of a node is worth, if the game is over in it.
    pub(super) fn end(&mut self, node: NodeId, state: &R::State) -> Result<Option<Utility>, Halt> {
        if !self.reasoner.is_terminal(state)? {
            return Ok(None);
        }
        let goal = self.reasoner.goal(state, PLAYER);
        self.end_worth(node, &goal).map(Some)
    }

    /// What the state of a node is worth, in which the game is over.
    pub(super) fn end_worth(&mut self, node: NodeId, goal: &Result<Utility, ReasonError>) -> Result<Utility, Halt> {
        let utility = goal.clone()?;
        self.observer.observe(Event::Ended { node, utility: Some(utility) });
        Ok(utility)
    }

    /// Takes a line to the end of the game for the best so far, if it is better than that. Says whether it solves the problem.
    pub(super) fn take(&mut self, utility: Utility, line: impl FnOnce() -> (Vec<Move>, Vec<NodeId>)) -> bool {
        if self.best.as_ref().is_none_or(|(best, _)| utility > best.utility) {
            let (moves, nodes) = line();
            self.best = Some((Plan { moves, utility }, nodes));
        }
        let is_solved = self.problem.is_solved_by(utility);
        if is_solved {
            self.meter.settle();
        }
        is_solved
    }

    /// Counts the expansion of a node and tells of it.
    pub(super) fn begin_expansion(&mut self, node: NodeId) {
        self.meter.expand();
        self.observer.observe(Event::Expanded { node, window: None });
    }

    /// The moves of a state that is not terminal, in the order in which they are tried.
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

    /// The outcome, after the best line has been shown.
    pub(super) fn finish(mut self, end: Result<(), Halt>) -> Result<Outcome<Plan>, SearchError> {
        let best = self.best.map(|(plan, nodes)| {
            self.observer.observe(Event::BestLine { nodes: &nodes });
            plan
        });
        self.meter.best_so_far(end.err(), best)
    }
}
