//! An engine that uses the default implementation of every optional method.

use ggp::game::{
    BatchReasoner, Expansions, Fluent, Move, ReasonError, Reasoner, Role, Utility, UtilityRange, random_step_by_moves,
};
use ggp::rules::GroundTerm;

/// An engine with only the required methods of the trait.
pub(crate) struct Plain<R>(pub(crate) R);

impl<R: Reasoner> Reasoner for Plain<R> {
    type State = R::State;

    fn roles(&self) -> &[GroundTerm] {
        self.0.roles()
    }

    fn initial_state(&mut self) -> Result<Self::State, ReasonError> {
        self.0.initial_state()
    }

    fn legal_moves(&mut self, state: &Self::State, role: Role, moves: &mut Vec<Move>) -> Result<(), ReasonError> {
        self.0.legal_moves(state, role, moves)
    }

    fn next_state(&mut self, state: &Self::State, joint_move: &[Move]) -> Result<Self::State, ReasonError> {
        self.0.next_state(state, joint_move)
    }

    fn is_terminal(&mut self, state: &Self::State) -> Result<bool, ReasonError> {
        self.0.is_terminal(state)
    }

    fn goal(&mut self, state: &Self::State, role: Role) -> Result<Utility, ReasonError> {
        self.0.goal(state, role)
    }

    fn utility_range(&self) -> UtilityRange {
        self.0.utility_range()
    }

    fn heap_bytes(&self, state: &Self::State) -> usize {
        self.0.heap_bytes(state)
    }

    fn random_step(
        &mut self,
        state: &mut Self::State,
        choose: &mut dyn FnMut(usize) -> usize,
    ) -> Result<bool, ReasonError> {
        random_step_by_moves(self, state, choose)
    }

    fn facts(&self, state: &Self::State) -> Vec<GroundTerm> {
        self.0.facts(state)
    }

    fn state_from_facts(&mut self, facts: &[GroundTerm]) -> Result<Self::State, ReasonError> {
        self.0.state_from_facts(facts)
    }

    fn fluents(&self, state: &Self::State, fluents: &mut Vec<Fluent>) {
        self.0.fluents(state, fluents);
    }

    fn state_from_fluents(&mut self, fluents: &[Fluent]) -> Result<Self::State, ReasonError> {
        self.0.state_from_fluents(fluents)
    }

    fn fluent_term(&self, fluent: Fluent) -> GroundTerm {
        self.0.fluent_term(fluent)
    }

    fn move_term(&self, chosen: Move) -> GroundTerm {
        self.0.move_term(chosen)
    }

    fn find_move(&mut self, term: &GroundTerm) -> Result<Move, ReasonError> {
        self.0.find_move(term)
    }

    fn fork(&self) -> Self {
        Self(self.0.fork())
    }
}

impl<R: Reasoner> BatchReasoner for Plain<R> {
    fn batch(&self) -> usize {
        1
    }

    fn expand(&mut self, states: &[&Self::State], expansions: &mut Expansions<Self::State>) {
        expansions.fill(self, states);
    }
}
