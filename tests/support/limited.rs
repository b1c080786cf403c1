//! An engine that asks the trait for what it need not do itself, one state at a time, and that may meet a limit at its
//! n-th question, as the interpreter may at any of its own checks.

use ggp::game::{
    BatchReasoner, Expansions, Fluent, KeyReasoner, Move, ReasonError, Reasoner, Role, Utility, UtilityRange,
    random_step_by_moves,
};
use ggp::limits::Stop;
use ggp::rules::GroundTerm;

/// An engine that answers some questions, and then meets a limit at every further one.
#[derive(Clone)]
pub(crate) struct Limited<R> {
    engine: R,
    /// The number of questions that it has been asked.
    pub(crate) asked: u64,
    /// The number of questions that it answers.
    pub(crate) most: u64,
    /// What it says to the others.
    pub(crate) error: ReasonError,
    /// The number of successors to compute at once, if not that of the engine.
    pub(crate) at_once: Option<usize>,
    /// No joint move with this move has a next state.
    pub(crate) refused: Option<Move>,
}

impl<R> Limited<R> {
    pub(crate) fn new(engine: R) -> Self {
        Self {
            engine,
            asked: 0,
            most: u64::MAX,
            error: ReasonError::Stopped(Stop::Interrupted),
            at_once: None,
            refused: None,
        }
    }

    fn ask(&mut self) -> Result<&mut R, ReasonError> {
        self.asked += 1;
        if self.asked > self.most { Err(self.error.clone()) } else { Ok(&mut self.engine) }
    }

    fn check(&self, joint_move: &[Move]) -> Result<(), ReasonError> {
        if self.refused.is_some_and(|refused| joint_move.contains(&refused)) { Err(self.error.clone()) } else { Ok(()) }
    }
}

impl<R: Reasoner> Reasoner for Limited<R> {
    type State = R::State;

    fn roles(&self) -> &[GroundTerm] {
        self.engine.roles()
    }

    fn initial_state(&mut self) -> Result<Self::State, ReasonError> {
        self.ask()?.initial_state()
    }

    fn legal_moves(&mut self, state: &Self::State, role: Role, moves: &mut Vec<Move>) -> Result<(), ReasonError> {
        self.ask()?.legal_moves(state, role, moves)
    }

    fn next_state(&mut self, state: &Self::State, joint_move: &[Move]) -> Result<Self::State, ReasonError> {
        self.check(joint_move)?;
        self.ask()?.next_state(state, joint_move)
    }

    fn next_state_into(
        &mut self,
        state: &Self::State,
        joint_move: &[Move],
        next: &mut Self::State,
    ) -> Result<(), ReasonError> {
        self.check(joint_move)?;
        self.ask()?.next_state_into(state, joint_move, next)
    }

    fn successors_at_once(&self) -> usize {
        self.at_once.unwrap_or_else(|| self.engine.successors_at_once())
    }

    fn is_terminal(&mut self, state: &Self::State) -> Result<bool, ReasonError> {
        self.ask()?.is_terminal(state)
    }

    fn goal(&mut self, state: &Self::State, role: Role) -> Result<Utility, ReasonError> {
        self.ask()?.goal(state, role)
    }

    fn utility_range(&self) -> UtilityRange {
        self.engine.utility_range()
    }

    fn heap_bytes(&self, state: &Self::State) -> usize {
        self.engine.heap_bytes(state)
    }

    fn random_step(
        &mut self,
        state: &mut Self::State,
        choose: &mut dyn FnMut(usize) -> usize,
    ) -> Result<bool, ReasonError> {
        random_step_by_moves(self, state, choose)
    }

    fn facts(&self, state: &Self::State) -> Vec<GroundTerm> {
        self.engine.facts(state)
    }

    fn state_from_facts(&mut self, facts: &[GroundTerm]) -> Result<Self::State, ReasonError> {
        self.ask()?.state_from_facts(facts)
    }

    fn fluents(&self, state: &Self::State, fluents: &mut Vec<Fluent>) {
        self.engine.fluents(state, fluents);
    }

    fn fluent_words(&self, state: &Self::State, words: &mut Vec<u64>) {
        self.engine.fluent_words(state, words);
    }

    fn state_from_fluents(&mut self, fluents: &[Fluent]) -> Result<Self::State, ReasonError> {
        self.ask()?.state_from_fluents(fluents)
    }

    fn fluent_term(&self, fluent: Fluent) -> GroundTerm {
        self.engine.fluent_term(fluent)
    }

    fn find_fluent(&mut self, fact: &GroundTerm) -> Result<Option<Fluent>, ReasonError> {
        self.ask()?.find_fluent(fact)
    }

    fn move_term(&self, chosen: Move) -> GroundTerm {
        self.engine.move_term(chosen)
    }

    fn find_move(&mut self, term: &GroundTerm) -> Result<Move, ReasonError> {
        self.ask()?.find_move(term)
    }

    fn fork(&self) -> Self {
        Self { engine: self.engine.fork(), error: self.error.clone(), ..*self }
    }
}

impl<R: Reasoner> BatchReasoner for Limited<R> {
    fn batch(&self) -> usize {
        1
    }

    fn expand(&mut self, states: &[&Self::State], expansions: &mut Expansions<Self::State>) {
        expansions.fill(self, states);
    }

    fn find_ends(&mut self, states: &[&Self::State], expansions: &mut Expansions<Self::State>) {
        expansions.fill_ends(self, states);
    }

    fn keys(&mut self, _: &Self::State) -> Option<Box<dyn KeyReasoner>> {
        None
    }
}
