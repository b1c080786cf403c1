//! The propositional network as a reasoner, with the lanes that play it.

mod batch;

use super::decisive::DecisiveProgram;
use super::evaluate::choose::{Comparison, MachineMaker};
use super::evaluate::machines::{AnyMachine, with};
use super::evaluate::rules::RuleAnswers;
use super::network::Network;
use super::passes::Schedule;
use super::validation::{LeftOut, Sample, faulty_pass, translate};
use super::{EvaluatorKind, NetworkOptions, PropnetError};
use crate::ground::{GroundBudget, ground_merged};
use crate::lanes::{BackEnds, Lanes, LanesError, Questions, SteppedGames, Width};
use crate::program::{FluentStorage, MoveInput, NetworkState, Program};
use batch::BatchQuestions;
use fixedbitset::FixedBitSet;
use gdl::limits::{Limits, Stop, heap_block};
use gdl::number::to_u32;
use gdl::rules::{GroundTerm, RuleSet};
use gdl::time::Instant;
use ggp_game::{Fluent, Move, ReasonError, Reasoner, Role, Utility, UtilityRange};
use std::sync::Arc;
use std::time::Duration;

/// A game as a propositional network that implements [`Reasoner`].
#[derive(Clone, Debug)]
pub struct Propnet {
    program: Arc<Program>,
    range: UtilityRange,
    moves: Arc<MoveTable>,
    machine: AnyMachine,
    evaluator: EvaluatorKind,
    /// The comparison of all evaluators, if it is still to be made.
    comparison: Option<Comparison>,
    /// Scratch: a joint move as indices into [`Program::moves`].
    joint_move: Vec<u32>,
    /// Answers questions about many states at once.
    many: BatchQuestions,
    left_out: Vec<LeftOut>,
    /// The techniques that this network and its clones may use.
    back_ends: BackEnds,
    /// The game for random play with decisive moves.
    decisive: Arc<DecisiveProgram>,
}

/// Maps between moves as terms, which roles share, and moves of a program, which they do not.
#[derive(Debug)]
struct MoveTable {
    /// All moves of all roles, in canonical order.
    terms: Vec<GroundTerm>,
    /// The term of each move of the program.
    term_of: Vec<u32>,
    /// The move of the program for each term, role by role; [`NO_MOVE`] if it can never be legal for the role.
    in_program: Vec<u32>,
}

/// The entry of a move that can never be legal, in [`MoveTable::in_program`].
const NO_MOVE: u32 = u32::MAX;

/// The number of successors that a search should ask for at once: a bound of the memory for those not reached yet.
const SUCCESSORS_AT_ONCE: usize = 64;

impl MoveTable {
    fn new(program: &Program) -> Self {
        let mut terms: Vec<GroundTerm> = program.moves.iter().map(|known| known.term.clone()).collect();
        terms.sort();
        terms.dedup();
        let index =
            |known: &MoveInput| terms.binary_search(&known.term).expect("the term of every move is in the list");
        let term_of: Vec<u32> = program.moves.iter().map(|known| to_u32(index(known))).collect();
        let mut in_program = vec![NO_MOVE; terms.len() * program.roles.len()];
        for (index, (known, &term)) in program.moves.iter().zip(&term_of).enumerate() {
            if known.is_possible {
                in_program[known.role.index() * terms.len() + term as usize] = to_u32(index);
            }
        }
        Self { terms, term_of, in_program }
    }

    fn index_in_program(&self, role: usize, chosen: Move) -> Option<u32> {
        let index = self.in_program[role * self.terms.len() + chosen.index()];
        (index != NO_MOVE).then_some(index)
    }
}

impl Propnet {
    /// Compiles the rules of a game: grounds them, builds the network, optimises it, and lowers it to a program. If the
    /// time of the budget runs out during the optimisation, the network is used as it is.
    ///
    /// The program is compared with the network as it was built, as by [`super::verify`]. If they differ, the pass that
    /// is to blame is left out ([`Propnet::left_out`]).
    ///
    /// # Errors
    /// [`PropnetError`] if the game cannot be grounded within the budget, if the caller interrupts, or if the network
    /// differs from the ground rules.
    pub fn new(rules: &RuleSet, budget: &GroundBudget, options: &NetworkOptions) -> Result<Self, PropnetError> {
        let begun = Instant::now();
        let limits = budget.work();
        let mut options = options.clone();
        let mut left_out = Vec::new();
        // Each turn leaves out one pass more, so this ends. The network is built anew: passes have changed the last
        // one.
        loop {
            let network = Self::network(rules, budget)?;
            let left = budget.time().saturating_sub(begun.elapsed());
            let error = match Self::from_network(network, &options, left, &limits) {
                Ok(propnet) => return Ok(Self { left_out, ..propnet }.bounded_by(rules.utility_range().into())),
                Err(error @ PropnetError::Differs(_)) => error,
                Err(error) => return Err(error),
            };
            let without: Vec<&str> = options.without.iter().map(String::as_str).collect();
            let schedule = Schedule { without: &without, more: &options.more };
            let faulty = faulty_pass(Self::network(rules, budget)?, &schedule, &Sample::default(), &limits)?;
            let faulty = faulty.ok_or(error)?;
            options.without.push(faulty.pass.to_string());
            left_out.push(faulty);
        }
    }

    /// The same engine, whose utilities lie at least between these bounds. Searches of different engines have the same
    /// answers only with the same bounds, and the rules may give others than the network can show.
    pub(crate) fn bounded_by(self, range: UtilityRange) -> Self {
        Self { range: self.range.including(range.least).including(range.most), ..self }
    }

    /// The network as built, from the rules with equal views merged.
    fn network(rules: &RuleSet, budget: &GroundBudget) -> Result<Network, PropnetError> {
        let grounding = ground_merged(rules, budget)?;
        super::build(&grounding, &budget.work())
    }

    /// Optimises a network as it is built, for no longer than `time`, and lowers it to a program.
    ///
    /// # Errors
    /// [`PropnetError::Unfaithful`] if something that may change has no output; [`PropnetError::Differs`] if the
    /// program differs from the network as it was built; or if the interrupt or the deadline of the limits ends the
    /// work.
    pub fn from_network(
        network: Network,
        options: &NetworkOptions,
        time: Duration,
        limits: &Limits,
    ) -> Result<Self, PropnetError> {
        super::check_outputs(&network)?;
        let begun = Instant::now();
        let without: Vec<&str> = options.without.iter().map(String::as_str).collect();
        let schedule = Schedule { without: &without, more: &options.more };
        let translated = translate(network, &schedule, &Sample::default(), limits, || begun.elapsed() < time)?;
        super::check_outputs(&translated.network)?;
        match translated.difference {
            Some(difference) => Err(PropnetError::Differs(Box::new(difference))),
            None => Self::from_program(translated.program, options, limits),
        }
    }

    /// The engine that runs a program. The fastest evaluator is chosen after 50,000 states, or by
    /// [`Propnet::choose_evaluator`]. An evaluator that differs from the program gate by gate, in up to 512 states of
    /// random play, is left out of [`Propnet::back_ends`], and another one takes its place.
    ///
    /// # Errors
    /// If the interrupt or the deadline of the limits ends the work, or if all evaluators differ.
    pub fn from_program(program: Program, options: &NetworkOptions, limits: &Limits) -> Result<Self, PropnetError> {
        let program = Arc::new(program);
        Self::evaluating(&program, &|_| &program, options, limits)
    }

    /// As [`Propnet::from_program`]; until the fastest is chosen, each evaluator runs `made_of`: the program itself, or
    /// in tests a wrong one.
    ///
    /// # Errors
    /// As there.
    pub fn evaluating<'p>(
        program: &Arc<Program>,
        made_of: &dyn Fn(EvaluatorKind) -> &'p Arc<Program>,
        options: &NetworkOptions,
        limits: &Limits,
    ) -> Result<Self, PropnetError> {
        limits.check()?;
        let is_auto = options.evaluator == EvaluatorKind::Auto;
        // The incremental evaluator is made fastest, so it runs until the evaluators are compared.
        let first = if is_auto { EvaluatorKind::Incremental } else { options.evaluator };
        let back_ends = BackEnds::without(&options.left_out);
        let maker = MachineMaker { program, made_of, back_ends: &back_ends, limits, rules: None };
        let (machine, evaluator) = maker.machine(first)?.map_err(PropnetError::Evaluators)?;
        let comparison = is_auto.then(|| Comparison::new(program, limits.interrupt().cloned()));
        Ok(Self {
            range: program.utility_range(),
            moves: Arc::new(MoveTable::new(program)),
            machine,
            evaluator,
            comparison,
            joint_move: Vec::with_capacity(program.roles.len()),
            program: Arc::clone(program),
            many: BatchQuestions::default(),
            left_out: Vec::new(),
            back_ends,
            decisive: Arc::default(),
        })
    }

    /// Compares the evaluators with the rules of the game as well, where the network is so large that the rules may be
    /// faster.
    pub(crate) fn compare_with_rules(&mut self, rules: Arc<dyn RuleAnswers>) {
        if let Some(comparison) = &mut self.comparison {
            comparison.add_rules(rules);
        }
    }

    /// Compares all evaluators and takes the fastest of those that agree with the program, unless the options named one
    /// or this has been done. Takes up to a second if states have many moves.
    ///
    /// # Errors
    /// If the interrupt or the deadline of the limits ends the work. Then the evaluator stays as it was.
    pub fn choose_evaluator(&mut self, limits: &Limits) -> Result<(), Stop> {
        if let Some(comparison) = &self.comparison {
            if let Some(choice) = comparison.fastest(&self.program, &self.back_ends, limits)? {
                (self.machine, self.evaluator) = choice;
            }
            self.comparison = None;
        }
        Ok(())
    }

    /// True if the fastest evaluator is still to be found, by this network or a clone of it.
    pub(crate) fn is_evaluator_open(&self) -> bool {
        self.comparison.as_ref().is_some_and(|comparison| !comparison.is_made())
    }

    /// Leaves the comparison to a clone ([`Propnet::choose_evaluator`]), and takes its choice soon after it is made: so
    /// each state is computed without delay.
    pub(crate) fn await_evaluator(&mut self) {
        if let Some(comparison) = &mut self.comparison {
            comparison.wait();
        }
    }

    /// Counts a state that is computed, and compares the evaluators when it is time.
    #[inline]
    fn count_state(&mut self) -> Result<(), ReasonError> {
        match self.comparison.as_mut().and_then(Comparison::count) {
            Some(limits) => Ok(self.choose_evaluator(&limits)?),
            None => Ok(()),
        }
    }

    /// The evaluator in use, which is never [`EvaluatorKind::Auto`].
    pub fn evaluator(&self) -> EvaluatorKind {
        self.evaluator
    }

    /// The passes that were left out, since they changed the game on this sheet: faults of this program.
    pub fn left_out(&self) -> &[LeftOut] {
        &self.left_out
    }

    /// The program that the engine runs.
    pub fn program(&self) -> &Program {
        &self.program
    }

    /// The program, shared with forks of the engine.
    pub(crate) fn shared_program(&self) -> &Arc<Program> {
        &self.program
    }

    /// True if legal play may reach a state with this fact, as far as grounding and the passes have found.
    pub(crate) fn may_hold(&self, fact: &GroundTerm) -> bool {
        let facts = &self.program.facts;
        let known = facts.binary_search_by(|(known, _)| known.cmp(fact));
        known.is_ok_and(|index| facts[index].1 != FluentStorage::Always(false))
    }

    /// Calls `each` for those of some features that hold in a state, given as indices into [`Program::features`].
    pub(crate) fn each_feature(&mut self, state: &NetworkState, among: &[u32], each: impl FnMut(u32)) {
        let state = state.bits().as_slice();
        with!(&mut self.machine, machine => machine.features(state, among).for_each(each));
    }

    /// Looks up the moves of a joint move in the program, and leaves them in `joint_move`.
    #[inline]
    fn read(&mut self, joint_move: &[Move]) -> Result<(), ReasonError> {
        self.joint_move.clear();
        for (role, &chosen) in joint_move.iter().enumerate() {
            let index = self.moves.index_in_program(role, chosen).ok_or_else(|| ReasonError::NeverLegal {
                role: self.program.roles[role].clone(),
                chosen: self.moves.terms[chosen.index()].clone(),
            })?;
            self.joint_move.push(index);
        }
        Ok(())
    }

    /// The move at an index of [`Program::moves`].
    pub(super) fn move_at(&self, index: u32) -> Move {
        Move::new(self.moves.term_of[index as usize] as usize)
    }
}

impl Propnet {
    /// Checks that exactly these facts, given in canonical order, hold in the initial state of the network.
    ///
    /// # Errors
    /// [`PropnetError::InitialFact`], with the first fact that differs.
    pub fn check_initial(&self, facts: &[GroundTerm]) -> Result<(), PropnetError> {
        let own = self.facts(&NetworkState::new(self.program.initial.clone()));
        let only = |some: &[GroundTerm], others: &[GroundTerm]| {
            some.iter().find(|fact| others.binary_search(fact).is_err()).cloned()
        };
        match (only(&own, facts), only(facts, &own)) {
            (Some(fact), _) => Err(PropnetError::InitialFact { fact, holds: true }),
            (None, Some(fact)) => Err(PropnetError::InitialFact { fact, holds: false }),
            (None, None) => Ok(()),
        }
    }
}

impl Reasoner for Propnet {
    type State = NetworkState;

    fn roles(&self) -> &[GroundTerm] {
        &self.program.roles
    }

    fn initial_state(&mut self) -> Result<NetworkState, ReasonError> {
        Ok(NetworkState::new(self.program.initial.clone()))
    }

    #[inline]
    fn legal_moves(&mut self, state: &NetworkState, role: Role, moves: &mut Vec<Move>) -> Result<(), ReasonError> {
        moves.clear();
        let state = state.bits().as_slice();
        let role = role.index();
        let term_of = &self.moves.term_of;
        let each = |index: u32| moves.push(Move::new(term_of[index as usize] as usize));
        with!(&mut self.machine, machine => machine.each_legal_move(state, role, each));
        Ok(())
    }

    fn random_step(
        &mut self,
        state: &mut NetworkState,
        choose: &mut dyn FnMut(usize) -> usize,
    ) -> Result<bool, ReasonError> {
        self.count_state()?;
        let state = state.bits_mut().as_mut_slice();
        let joint_move = &mut self.joint_move;
        let played = with!(&mut self.machine, machine => machine.random_step(state, joint_move, choose));
        played.map_err(|role| ReasonError::NoLegalMove { role: self.program.roles[role.index()].clone() })
    }

    fn next_state(&mut self, state: &NetworkState, joint_move: &[Move]) -> Result<NetworkState, ReasonError> {
        let mut next = state.clone();
        self.next_state_into(state, joint_move, &mut next)?;
        Ok(next)
    }

    #[inline]
    fn next_state_into(
        &mut self,
        state: &NetworkState,
        joint_move: &[Move],
        next: &mut NetworkState,
    ) -> Result<(), ReasonError> {
        self.count_state()?;
        self.read(joint_move)?;
        let state = state.bits().as_slice();
        let words = next.bits_mut().as_mut_slice();
        with!(&mut self.machine, machine => machine.next_state(state, &self.joint_move, words));
        Ok(())
    }

    fn successors_at_once(&self) -> usize {
        SUCCESSORS_AT_ONCE
    }

    #[inline]
    fn is_terminal(&mut self, state: &NetworkState) -> Result<bool, ReasonError> {
        Ok(with!(&mut self.machine, machine => machine.is_terminal(state.bits().as_slice())))
    }

    fn goal(&mut self, state: &NetworkState, role: Role) -> Result<Utility, ReasonError> {
        let program = &self.program;
        with!(&mut self.machine, machine => program.worth(role, machine.goals(state.bits().as_slice(), role.index())))
    }

    fn utility_range(&self) -> UtilityRange {
        self.range
    }

    fn facts(&self, state: &NetworkState) -> Vec<GroundTerm> {
        self.program.facts_in(state.bits()).cloned().collect()
    }

    fn state_from_facts(&mut self, facts: &[GroundTerm]) -> Result<NetworkState, ReasonError> {
        let program = &self.program;
        let mut state = FixedBitSet::with_capacity(program.bits());
        let mut given = FixedBitSet::with_capacity(program.facts.len());
        for fact in facts {
            let known = program.facts.binary_search_by(|(known, _)| known.cmp(fact));
            let Ok(index) = known else {
                return Err(ReasonError::OutOfReach { fact: fact.clone(), holds: true });
            };
            given.insert(index);
            if let Some(bit) = program.bit_of[index] {
                state.insert(bit as usize);
            }
        }
        for (index, (fact, kept)) in program.facts.iter().enumerate() {
            let holds = given.contains(index);
            if *kept != FluentStorage::Own && holds != program.holds(&state, index) {
                return Err(ReasonError::OutOfReach { fact: fact.clone(), holds });
            }
        }
        Ok(NetworkState::new(state))
    }

    /// The facts for which the state has a bit; facts that always hold or mirror another distinguish no states.
    fn fluents(&self, state: &NetworkState, fluents: &mut Vec<Fluent>) {
        fluents.clear();
        fluents.extend(state.bits().ones().map(Fluent::new));
    }

    fn fluent_words(&self, state: &NetworkState, words: &mut Vec<u64>) {
        words.clear();
        // The blocks of a bit set are as wide as addresses: 32 bits in WebAssembly.
        let width = usize::BITS as usize;
        let blocks = state.bits().as_slice().chunks(64 / width);
        words.extend(
            blocks.map(|blocks| blocks.iter().rev().fold(0, |word, &block| (word << (width % 64)) | block as u64)),
        );
    }

    fn state_from_fluents(&mut self, fluents: &[Fluent]) -> Result<NetworkState, ReasonError> {
        let mut state = FixedBitSet::with_capacity(self.program.bits());
        fluents.iter().for_each(|fluent| state.insert(fluent.index()));
        Ok(NetworkState::new(state))
    }

    fn fluent_term(&self, fluent: Fluent) -> GroundTerm {
        let program = &self.program;
        program.facts[program.fact_of[fluent.index()] as usize].0.clone()
    }

    fn find_fluent(&mut self, fact: &GroundTerm) -> Result<Option<Fluent>, ReasonError> {
        let program = &self.program;
        let Ok(index) = program.facts.binary_search_by(|(known, _)| known.cmp(fact)) else { return Ok(None) };
        let own = match program.facts[index].1 {
            FluentStorage::Own => index,
            FluentStorage::Same(other) => other.index(),
            FluentStorage::Always(_) => return Ok(None),
        };
        Ok(program.bit_of[own].map(|bit| Fluent::new(bit as usize)))
    }

    fn heap_bytes(&self, state: &NetworkState) -> usize {
        heap_block(size_of_val(state.bits().as_slice()))
    }

    fn move_term(&self, chosen: Move) -> GroundTerm {
        self.moves.terms[chosen.index()].clone()
    }

    fn find_move(&mut self, term: &GroundTerm) -> Result<Move, ReasonError> {
        let index = self.moves.terms.binary_search(term);
        index.map(Move::new).map_err(|_| ReasonError::NoSuchMove { chosen: term.clone() })
    }

    fn fork(&self) -> Self {
        self.clone()
    }
}

impl Propnet {
    /// The techniques that the lanes of this network may use, and those that were left out since they change the game
    /// on this sheet: faults of this program. They are left out of all lanes of the network and of its clones.
    pub fn back_ends(&self) -> &BackEnds {
        &self.back_ends
    }

    /// Lanes for random play ([`Lanes::new`]).
    ///
    /// # Errors
    /// If the limits end the work, or if even the plainest lanes differ from the network.
    pub fn lanes(&self, width: Option<Width>, limits: &Limits) -> Result<Lanes, LanesError> {
        Lanes::new(&self.program, &self.back_ends, width, limits)
    }

    /// The same game for random play with decisive moves: a role that can win at once may make no other moves, and one
    /// that cannot may make none after which another role can, unless there are no others. States of one program are
    /// states of the other. `None` if random play would be much slower, or if no move can be seen to win. It is made
    /// once for this network and its clones, which takes up to a few tenths of a second.
    ///
    /// # Errors
    /// If the limits end the work.
    pub fn decisive_program(&self, limits: &Limits) -> Result<Option<&Arc<Program>>, Stop> {
        self.decisive.get(&self.program, &self.back_ends, limits)
    }

    /// Lanes for random play with decisive moves, if there are any ([`Propnet::decisive_program`]).
    ///
    /// # Errors
    /// As [`Propnet::lanes`].
    pub fn decisive_lanes(&self, width: Option<Width>, limits: &Limits) -> Result<Option<Lanes>, LanesError> {
        let Some(program) = self.decisive_program(limits)? else { return Ok(None) };
        Lanes::new(program, &self.back_ends, width, limits).map(Some)
    }

    /// This many games that the caller steps ([`SteppedGames::new`]).
    ///
    /// # Errors
    /// If the limits end the work, or if even the plainest lanes differ from the network.
    pub fn stepped_games(&self, games: usize, limits: &Limits) -> Result<SteppedGames, LanesError> {
        SteppedGames::new(&self.program, games, &self.back_ends, limits)
    }

    /// Every move with its role, in the order of [`Program::moves`].
    pub(crate) fn moves_of_lanes(&self) -> impl Iterator<Item = (Role, Move)> {
        (0..).zip(&self.program.moves).map(|(index, known)| (known.role, self.move_at(index)))
    }

    /// Lanes for questions about many states; `None` if all that can be made differ from the network.
    fn questions(&self) -> Option<Questions> {
        Questions::new(&self.program, &self.back_ends, &Limits::none()).ok()
    }
}
