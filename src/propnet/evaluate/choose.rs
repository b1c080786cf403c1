//! The machines that a program can run on, and which of them is the fastest on this game.
//!
//! No evaluator wins everywhere: where little changes, counting wins over computing; where moves are few and do little,
//! compiling them wins over counting. So each plays a short while, and the fastest is taken. The answers are the same.

use super::defaults::with_defaults;
use super::effects::{Effects, MovePart};
use super::full::Full;
use super::incremental::Incremental;
use super::machine::Machine;
use super::outputs::Outputs;
use super::{BITS, Evaluator};
use crate::propnet::options::EvaluatorKind;
use crate::propnet::program::Program;
use rand_core::{Rng, SeedableRng};
use rand_xoshiro::Xoshiro256PlusPlus;
use std::collections::BTreeMap;
use std::sync::Arc;
use std::time::{Duration, Instant};

/// So many joint moves of random play are watched for what most of them do.
const WATCHED_MOVES: usize = 400;

/// A longer game is broken off and begun again.
const LONGEST_GAME: usize = 200;

/// So many joint moves are played between two looks at the clock.
const MOVES_BETWEEN_CHECKS: usize = 16;

/// How long each evaluator plays to be measured, for each gate of the program and at least and at most: long enough to
/// compile the moves that are made often.
const MEASURED_PER_GATE: Duration = Duration::from_micros(20);
const LEAST_MEASURED: Duration = Duration::from_micros(800);
const MOST_MEASURED: Duration = Duration::from_millis(60);

/// Compiling joint moves is not tried with more gates between the moves and the next state than this: each joint move would
/// take long to compile and much memory.
const MOST_COMPILED: usize = 20_000;

/// Some evaluator at work.
#[derive(Clone, Debug)]
pub(in crate::propnet) enum AnyMachine {
    /// Every gate in every state.
    Full(Machine<Full>),
    /// What changes; joint moves may be compiled.
    Incremental(Machine<Incremental>),
}

/// The machine of a kind; by measurement where the kind is left open.
pub(in crate::propnet) fn machine(program: &Arc<Program>, kind: EvaluatorKind) -> (AnyMachine, EvaluatorKind) {
    match kind {
        EvaluatorKind::Full => (AnyMachine::Full(full(program)), kind),
        EvaluatorKind::Incremental => (AnyMachine::Incremental(incremental(program)), kind),
        EvaluatorKind::Compiled => (AnyMachine::Incremental(compiled(program)), kind),
        EvaluatorKind::Auto => fastest(program),
    }
}

fn full(program: &Arc<Program>) -> Machine<Full> {
    let outputs = Outputs::new(program, &program.next);
    let evaluator = Full::new(program, &outputs);
    Machine::new(program, outputs, evaluator, None)
}

fn incremental(program: &Arc<Program>) -> Machine<Incremental> {
    let outputs = Outputs::new(program, &program.next);
    let evaluator = Incremental::new(program, &outputs, true);
    Machine::new(program, outputs, evaluator, None)
}

fn compiled(program: &Arc<Program>) -> Machine<Incremental> {
    let mut play = RandomPlay::new(incremental(program), program);
    let mut watched: BTreeMap<Vec<u32>, u32> = BTreeMap::new();
    for _ in 0..WATCHED_MOVES {
        let Some(joint_move) = play.step() else { break };
        *watched.entry(joint_move.to_vec()).or_default() += 1;
    }
    let (with_defaults, defaults) = with_defaults(program, &watched);
    let program = &Arc::new(with_defaults);
    let outputs = Outputs::new(program, &defaults);
    let evaluator = Incremental::new(program, &outputs, false);
    let effects = Effects::new(Arc::new(MovePart::new(program, defaults)));
    Machine::new(program, outputs, evaluator, Some(effects))
}

fn fastest(program: &Arc<Program>) -> (AnyMachine, EvaluatorKind) {
    let incremental = incremental(program);
    let mut best = (speed(&incremental, program), AnyMachine::Incremental(incremental), EvaluatorKind::Incremental);
    if program.move_gates.len() <= MOST_COMPILED {
        let compiled = compiled(program);
        let measured = speed(&compiled, program);
        if measured > best.0 {
            best = (measured, AnyMachine::Incremental(compiled), EvaluatorKind::Compiled);
        }
    }
    let full = full(program);
    if speed(&full, program) > best.0 {
        return (AnyMachine::Full(full), EvaluatorKind::Full);
    }
    (best.1, best.2)
}

/// Joint moves a second, in the best of the time that it is given: what is compiled once should not count.
fn speed<E: Evaluator + Clone>(machine: &Machine<E>, program: &Program) -> f64 {
    let time = MEASURED_PER_GATE.saturating_mul(program.gates.len() as u32).clamp(LEAST_MEASURED, MOST_MEASURED);
    let mut play = RandomPlay::new(machine.clone(), program);
    let (start, mut best) = (Instant::now(), 0.0_f64);
    while start.elapsed() < time {
        let slice = Instant::now();
        let mut played = 0;
        while slice.elapsed() < time / 8 {
            for _ in 0..MOVES_BETWEEN_CHECKS {
                if play.step().is_none() {
                    return 0.0;
                }
            }
            played += MOVES_BETWEEN_CHECKS;
        }
        best = best.max(played as f64 / slice.elapsed().as_secs_f64());
    }
    best
}

/// Random play on a machine, always the same.
struct RandomPlay<'a, E> {
    machine: Machine<E>,
    program: &'a Program,
    random: Xoshiro256PlusPlus,
    state: Vec<usize>,
    next: Vec<usize>,
    joint_move: Vec<u32>,
    length: usize,
}

impl<'a, E: Evaluator> RandomPlay<'a, E> {
    fn new(machine: Machine<E>, program: &'a Program) -> Self {
        let state = program.initial.as_slice().to_vec();
        debug_assert_eq!(state.len(), program.bits().div_ceil(BITS));
        let random = Xoshiro256PlusPlus::seed_from_u64(0);
        Self { machine, program, random, next: state.clone(), state, joint_move: Vec::new(), length: 0 }
    }

    /// Plays one joint move, and gives it; begins again where the game is over. `None` where nothing can be played.
    fn step(&mut self) -> Option<&[u32]> {
        if self.length == LONGEST_GAME || self.machine.is_terminal(&self.state) {
            self.state.copy_from_slice(self.program.initial.as_slice());
            self.length = 0;
            if self.machine.is_terminal(&self.state) {
                return None;
            }
        }
        self.joint_move.clear();
        for role in 0..self.program.roles.len() {
            let random = &mut self.random;
            let mut choose = |count: usize| (random.next_u64() % count as u64) as usize;
            match self.machine.choose(&self.state, role, &mut choose) {
                Some(chosen) => self.joint_move.push(chosen),
                None if self.length == 0 => return None,
                None => {
                    self.length = LONGEST_GAME;
                    return self.step();
                }
            }
        }
        self.machine.next_state(&self.state, &self.joint_move, &mut self.next);
        std::mem::swap(&mut self.state, &mut self.next);
        self.length += 1;
        Some(&self.joint_move)
    }
}
