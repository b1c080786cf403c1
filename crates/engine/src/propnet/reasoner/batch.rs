//! Questions to a network about many states at once, answered in lanes; searches use this. States are given as such, or
//! packed into keys ([`Keys`]).

use super::Propnet;
use crate::lanes::{Answers, GoalStates, KeyQuestions, Questions};
use crate::program::{NetworkState, Program};
use fixedbitset::FixedBitSet;
use gdl::limits::Limits;
use gdl::number::to_u32;
use ggp_game::{
    BatchReasoner, Coding, Expansions, Fluent, JointMoves, KeyExpansion, KeyExpansions, KeyGroup, KeyReasoner, KeyTurn,
    ReasonError, Reasoner, Role, Utility,
};
use rustc_hash::FxHashMap;
use std::ops::Range;
use std::sync::Arc;

/// The lanes that answer, made when they are first needed, and memory for their answers.
#[derive(Debug, Default)]
pub(super) struct BatchQuestions {
    questions: Option<Box<Questions>>,
    answers: Answers,
    /// For each successor to be computed: the joint move, as indices of moves, and the index of the state in which it
    /// is made.
    joint_moves: Vec<u32>,
    from: Vec<u32>,
}

/// A clone has lanes of its own, made of the same compiled game.
impl Clone for BatchQuestions {
    fn clone(&self) -> Self {
        let questions = self.questions.as_ref().map(|questions| Box::new(questions.fork()));
        Self { questions, ..Self::default() }
    }
}

impl BatchReasoner for Propnet {
    fn batch(&self) -> usize {
        Self::BATCH
    }

    fn expand(&mut self, states: &[&NetworkState], expansions: &mut Expansions<NetworkState>) {
        if states.len() < Self::FEWEST || !self.expand_as(states, expansions, |state| state, Some) {
            expansions.fill(self, states);
        }
    }

    fn find_ends(&mut self, states: &[&NetworkState], expansions: &mut Expansions<NetworkState>) {
        if states.len() < Self::FEWEST || !self.find_ends_as(states, expansions) {
            expansions.fill_ends(self, states);
        }
    }

    fn keys(&mut self, state: &NetworkState) -> Option<Box<dyn KeyReasoner>> {
        Some(Box::new(Keys::new(self, state)?))
    }
}

impl Propnet {
    /// The best number of states for one batch.
    pub(crate) const BATCH: usize = 1 << 10;

    /// Fewer states than this are evaluated one by one: lanes cost the same, however few of them are used.
    pub const FEWEST: usize = 64;

    /// As [`BatchReasoner::expand`], but only in lanes, and for callers that wrap this engine's states in a type of
    /// their own. Returns false, and does nothing, if all lanes that can be made differ from the network.
    #[must_use]
    pub fn expand_as<S>(
        &mut self,
        states: &[&NetworkState],
        expansions: &mut Expansions<S>,
        wrap: impl Fn(NetworkState) -> S,
        unwrap: impl Fn(S) -> Option<NetworkState>,
    ) -> bool {
        let Some(mut questions) = self.take_questions() else { return false };
        // Taken out, since the answers are written while the engine is borrowed.
        let mut many = std::mem::take(&mut self.many);
        questions.evaluate(states.iter().copied(), GoalStates::Terminal, &mut many.answers);
        self.write_answers(&mut many, states.len(), expansions);
        let next = questions.next_states(many.from.iter().map(|&index| states[index as usize]), &many.joint_moves);
        for index in 0..next.len() {
            // A state that the caller no longer needs gives its memory to the next one.
            let spare = expansions.take_spare().and_then(&unwrap);
            expansions.push_successor(wrap(next.get(index, spare)));
        }
        many.questions = Some(questions);
        self.many = many;
        true
    }

    /// As [`BatchReasoner::find_ends`], under the conditions of [`Propnet::expand_as`].
    #[must_use]
    pub(crate) fn find_ends_as<S>(&mut self, states: &[&NetworkState], expansions: &mut Expansions<S>) -> bool {
        let Some(mut questions) = self.take_questions() else { return false };
        let mut answers = std::mem::take(&mut self.many.answers);
        questions.evaluate(states.iter().copied(), GoalStates::Terminal, &mut answers);
        let program = self.program();
        let goals = goal_ranges(program);
        expansions.clear(program.roles.len());
        for state in 0..states.len() {
            if answers.is_terminal(state) {
                expansions.push_end(ends(program, &answers, &goals, state));
            } else {
                expansions.push_unknown_turn();
            }
        }
        self.many.questions = Some(questions);
        self.many.answers = answers;
        true
    }

    /// The lanes that answer; `None` if all that can be made differ from the network.
    fn take_questions(&mut self) -> Option<Box<Questions>> {
        self.many.questions.take().or_else(|| self.questions().map(Box::new))
    }

    /// Writes everything but the successors, and records how these are to be computed.
    fn write_answers<S>(&self, many: &mut BatchQuestions, states: usize, expansions: &mut Expansions<S>) {
        let program = self.program();
        let moves = move_ranges(program);
        let goals = goal_ranges(program);
        expansions.clear(program.roles.len());
        many.joint_moves.clear();
        many.from.clear();
        let mut legal: Vec<Vec<u32>> = vec![Vec::new(); program.roles.len()];
        for state in 0..states {
            if many.answers.is_terminal(state) {
                expansions.push_end(ends(program, &many.answers, &goals, state));
                continue;
            }
            for (role, (legal, range)) in legal.iter_mut().zip(&moves).enumerate() {
                legal.clear();
                legal.extend(many.answers.legal(state, range.clone()).map(|index| to_u32(index)));
                if legal.is_empty() {
                    return expansions.fail(ReasonError::NoLegalMove { role: program.roles[role].clone() });
                }
            }
            for legal in &legal {
                expansions.push_legal(legal.iter().map(|&index| self.move_at(index)));
            }
            // Beyond the limit the caller computes the successors one by one.
            let count = legal.iter().map(Vec::len).fold(1, usize::saturating_mul);
            let is_held = count <= Expansions::<S>::MOST;
            let joint_moves = if is_held { add_joint_moves(&legal, &mut many.joint_moves) } else { 0 };
            expansions.push_turn(joint_moves);
            many.from.extend(std::iter::repeat_n(to_u32(state), joint_moves));
        }
    }
}

/// The goal of each role in a terminal state.
fn ends<'a>(
    program: &'a Program,
    answers: &'a Answers,
    goals: &'a [Range<usize>],
    state: usize,
) -> impl Iterator<Item = Result<Utility, ReasonError>> + 'a {
    (0..program.roles.len()).map(move |role| program.worth(Role::new(role), answers.goals(state, goals[role].clone())))
}

/// Expands states that are packed into keys: few of them one by one, many in lanes, which are made when they are first
/// needed.
#[derive(Debug)]
struct Keys {
    engine: Propnet,
    coding: Arc<Coding>,
    questions: Option<Box<KeyQuestions>>,
    answers: Answers,
    /// For each successor to be computed: the joint move, as indices of moves, and the index of the key in which it is
    /// made.
    joint_moves: Vec<u32>,
    from: Vec<u32>,
    /// The moves and the goal values of each role, as ranges of indices of the program.
    moves: Vec<Range<usize>>,
    goals: Vec<Range<usize>>,
    /// The legal moves of each role in the state that is being expanded.
    legal: Vec<Vec<u32>>,
    /// The index of goals in the expansions that are being filled, by the goal values that hold.
    ends: FxHashMap<Vec<u64>, u32>,
}

impl Keys {
    /// Keys for the states that can be reached from this one; `None` if a state has no bits.
    fn new(engine: &Propnet, state: &NetworkState) -> Option<Self> {
        let program = engine.program();
        if program.bits() == 0 {
            return None;
        }
        // From a state of the caller's in which two facts of a group hold, the groups prove nothing.
        let groups = if program.are_groups_kept(state) { program.groups.as_slice() } else { &[] };
        let coding = Arc::new(Coding::new(program.bits(), groups));
        Some(Self::from_engine(engine.fork(), coding, None))
    }

    fn from_engine(engine: Propnet, coding: Arc<Coding>, questions: Option<Box<KeyQuestions>>) -> Self {
        let program = engine.program();
        let moves = move_ranges(program);
        let goals = goal_ranges(program);
        let legal = vec![Vec::new(); program.roles.len()];
        let (answers, joint_moves, from, ends) = Default::default();
        Self { engine, coding, questions, answers, joint_moves, from, moves, goals, legal, ends }
    }

    /// The state of a key.
    fn state(&self, key: &[u64]) -> NetworkState {
        let mut bits = FixedBitSet::with_capacity(self.engine.program().bits());
        self.coding.read(key, |bit| bits.insert(bit));
        NetworkState::new(bits)
    }

    /// Adds the key of a state, given by its bits that are set.
    ///
    /// # Errors
    /// [`ReasonError::NoKey`] if two facts of a group hold in it.
    fn push(&self, state: impl Iterator<Item = usize>, keys: &mut Vec<u64>) -> Result<(), ReasonError> {
        let start = keys.len();
        keys.resize(start + self.coding.words(), 0);
        if self.coding.write(state, &mut keys[start..]) { Ok(()) } else { Err(ReasonError::NoKey) }
    }

    /// The lanes, which are to be put back, for this number of keys; `None` if they are too few for lanes, or if all
    /// lanes that can be made differ from the network.
    fn questions(&mut self, keys: usize) -> Option<Box<KeyQuestions>> {
        if keys < Propnet::FEWEST {
            return None;
        }
        self.questions.take().or_else(|| {
            let Self { engine, coding, .. } = self;
            let made = KeyQuestions::within(engine.program(), coding, engine.back_ends(), &Limits::none());
            made.ok().map(Box::new)
        })
    }

    /// The goal of each role in a state, without lanes.
    fn goals_of(&mut self, state: &NetworkState) -> Vec<Result<Utility, ReasonError>> {
        (0..self.legal.len()).map(|role| self.engine.goal(state, Role::new(role))).collect()
    }

    /// Expands one state without lanes.
    fn expand_one(&mut self, state: &NetworkState, expansions: &mut KeyExpansions) -> Result<(), ReasonError> {
        if self.engine.is_terminal(state)? {
            let end = expansions.push_goals(self.goals_of(state));
            expansions.push(KeyExpansion::End(end));
            return Ok(());
        }
        let mut joint_moves = JointMoves::in_state(&mut self.engine, state)?;
        let lengths = (0..self.legal.len()).map(|role| joint_moves.legal(Role::new(role)).len());
        let turn = KeyTurn::from_lengths(lengths);
        if turn.is_stored {
            loop {
                let next = self.engine.next_state(state, joint_moves.current())?;
                self.push(next.bits().ones(), expansions.successors_mut())?;
                if !joint_moves.advance() {
                    break;
                }
            }
        }
        expansions.push(KeyExpansion::Turn(turn));
        Ok(())
    }

    /// Writes everything but the successors, and records how these are to be computed.
    fn write_answers(&mut self, keys: usize, expansions: &mut KeyExpansions) {
        self.joint_moves.clear();
        self.from.clear();
        self.ends.clear();
        for key in 0..keys {
            if self.answers.is_terminal(key) {
                let end = self.end(key, expansions);
                expansions.push(KeyExpansion::End(end));
                continue;
            }
            for (legal, range) in self.legal.iter_mut().zip(&self.moves) {
                legal.clear();
                self.answers.legal(key, range.clone()).for_each(|chosen| legal.push(to_u32(chosen)));
            }
            if let Some(role) = self.legal.iter().position(Vec::is_empty) {
                let role = self.engine.program().roles[role].clone();
                return expansions.fail(ReasonError::NoLegalMove { role });
            }
            let turn = KeyTurn::from_lengths(self.legal.iter().map(Vec::len));
            if turn.is_stored {
                add_joint_moves(&self.legal, &mut self.joint_moves);
                self.from.extend(std::iter::repeat_n(to_u32(key), turn.joint_moves));
            }
            expansions.push(KeyExpansion::Turn(turn));
        }
    }

    /// The index of the goals of a terminal state in the expansions, to which they are added if they are new.
    fn end(&mut self, key: usize, expansions: &mut KeyExpansions) -> u32 {
        let row = self.answers.goal_row(key);
        if let Some(&known) = self.ends.get(row) {
            return known;
        }
        let program = self.engine.program();
        let index = expansions.push_goals(ends(program, &self.answers, &self.goals, key).collect());
        self.ends.insert(row.to_vec(), index);
        index
    }
}

impl KeyReasoner for Keys {
    fn words(&self) -> usize {
        self.coding.words()
    }

    fn push_key(&self, fluents: &[Fluent], keys: &mut Vec<u64>) -> Result<(), ReasonError> {
        self.push(fluents.iter().map(|fluent| fluent.index()), keys)
    }

    fn fluents(&self, key: &[u64], fluents: &mut Vec<Fluent>) {
        fluents.clear();
        self.coding.read(key, |bit| fluents.push(Fluent::new(bit)));
    }

    fn expand(&mut self, keys: &[u64], expansions: &mut KeyExpansions) {
        expansions.clear();
        let count = keys.len() / self.coding.words();
        let Some(mut questions) = self.questions(count) else {
            for key in keys.chunks_exact(self.coding.words()) {
                let state = self.state(key);
                if let Err(error) = self.expand_one(&state, expansions) {
                    return expansions.fail(error);
                }
            }
            return;
        };
        questions.evaluate(keys, &mut self.answers);
        self.write_answers(count, expansions);
        expansions.successors_mut().extend_from_slice(questions.next(keys, &self.from, &self.joint_moves));
        self.questions = Some(questions);
    }

    fn ends(&mut self, keys: &[u64], expansions: &mut KeyExpansions) -> Result<(), ReasonError> {
        expansions.clear();
        let count = keys.len() / self.coding.words();
        let expansion = |end: Option<u32>| end.map_or(KeyExpansion::Turn(KeyTurn::default()), KeyExpansion::End);
        let Some(mut questions) = self.questions(count) else {
            for key in keys.chunks_exact(self.coding.words()) {
                let state = self.state(key);
                let end = self.engine.is_terminal(&state)?.then(|| expansions.push_goals(self.goals_of(&state)));
                expansions.push(expansion(end));
            }
            return Ok(());
        };
        questions.evaluate(keys, &mut self.answers);
        self.ends.clear();
        for key in 0..count {
            let end = self.answers.is_terminal(key).then(|| self.end(key, expansions));
            expansions.push(expansion(end));
        }
        self.questions = Some(questions);
        Ok(())
    }

    fn groups(&self) -> Vec<KeyGroup> {
        let fluents = |members: &[u32]| members.iter().map(|&bit| Fluent::new(bit as usize)).collect();
        self.coding.groups().map(|(members, bits)| KeyGroup { fluents: fluents(members), bits }).collect()
    }

    fn fork(&self) -> Box<dyn KeyReasoner> {
        let questions = self.questions.as_ref().map(|questions| Box::new(questions.fork()));
        Box::new(Self::from_engine(self.engine.fork(), Arc::clone(&self.coding), questions))
    }
}

/// Adds all combinations of these legal moves, the last role's changing fastest; returns their number.
fn add_joint_moves(legal: &[Vec<u32>], joint_moves: &mut Vec<u32>) -> usize {
    let count: usize = legal.iter().map(Vec::len).product();
    // In games of turns one role has all the choices.
    match legal.iter().position(|legal| legal.len() == count) {
        Some(chooser) => add_moves(legal, chooser, joint_moves),
        None => add_combinations(legal, count, joint_moves),
    }
    count
}

/// Adds a joint move for each move of a role, where the others have one move.
fn add_moves(legal: &[Vec<u32>], chooser: usize, joint_moves: &mut Vec<u32>) {
    for &chosen in &legal[chooser] {
        let start = joint_moves.len();
        joint_moves.extend(legal.iter().map(|legal| legal[0]));
        joint_moves[start + chooser] = chosen;
    }
}

/// Adds all combinations of the moves of several roles.
fn add_combinations(legal: &[Vec<u32>], count: usize, joint_moves: &mut Vec<u32>) {
    let start = joint_moves.len();
    let roles = legal.len();
    joint_moves.resize(start + count * roles, 0);
    // Each role in turn: a move is repeated for all combinations of the later roles' moves.
    let mut repeated = count;
    for (role, legal) in legal.iter().enumerate() {
        repeated /= legal.len().max(1);
        let mut index = start + role;
        for &chosen in legal.iter().cycle().take(count / repeated.max(1)) {
            for _ in 0..repeated {
                joint_moves[index] = chosen;
                index += roles;
            }
        }
    }
}

/// The range of each role's moves in the program.
fn move_ranges(program: &Program) -> Vec<Range<usize>> {
    (0..program.roles.len()).map(|role| program.moves_of(Role::new(role))).collect()
}

/// The range of each role's goal values in the program.
fn goal_ranges(program: &Program) -> Vec<Range<usize>> {
    (0..program.roles.len()).map(|role| program.goals_of(Role::new(role))).collect()
}
