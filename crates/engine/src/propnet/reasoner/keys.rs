//! States of a network as keys, expanded in lanes.

use super::Propnet;
use super::joint::{add_joint_moves, goal_ranges, move_ranges};
use crate::lanes::{Answers, KeyQuestions};
use crate::program::NetworkState;
use gdl::limits::Limits;
use gdl::number::to_u32;
use ggp_game::{
    Coding, Fluent, JointMoves, KeyExpansion, KeyExpansions, KeyGroup, KeyReasoner, KeyTurn, ReasonError, Reasoner,
    Role, Utility,
};
use rustc_hash::FxHashMap;
use std::ops::Range;
use std::sync::Arc;

/// The answer for the goals of a state: the utility of each role.
type GoalAnswer = Vec<Result<Utility, ReasonError>>;

/// Expands keys: few of them one by one, many in lanes, which are made when they are first needed.
#[derive(Debug)]
pub(super) struct Keys {
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
    pub(super) fn new(engine: &Propnet, state: &NetworkState) -> Option<Self> {
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

    fn state(&self, key: &[u64]) -> NetworkState {
        let mut bits = fixedbitset::FixedBitSet::with_capacity(self.engine.program().bits());
        self.coding.read(key, |bit| bits.insert(bit));
        NetworkState::new(bits)
    }

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

    fn goals_of(&mut self, state: &NetworkState) -> GoalAnswer {
        (0..self.legal.len()).map(|role| self.engine.goal(state, Role::new(role))).collect()
    }

    /// Expands one state without lanes.
    fn expand_one(&mut self, state: &NetworkState, expansions: &mut KeyExpansions) -> Result<(), ReasonError> {
        if self.engine.is_terminal(state)? {
            let goals = self.goals_of(state);
            let end = expansions.push_goals(goals);
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
                let end = self.end(key, |goals| expansions.push_goals(goals));
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

    /// The index of the goals of a terminal state, which `push` adds if they are new.
    fn end(&mut self, key: usize, push: impl FnOnce(GoalAnswer) -> u32) -> u32 {
        let row = self.answers.goal_row(key);
        if let Some(&known) = self.ends.get(row) {
            return known;
        }
        let program = self.engine.program();
        let goals = (0..).map(Role::new).zip(&self.goals);
        let goals: GoalAnswer =
            goals.map(|(role, range)| program.worth(role, self.answers.goals(key, range.clone()))).collect();
        let index = push(goals);
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
            let end = self.answers.is_terminal(key).then(|| self.end(key, |goals| expansions.push_goals(goals)));
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
