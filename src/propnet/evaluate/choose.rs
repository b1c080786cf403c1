//! The machines that a program can run on, and the choice of the fastest for a game.
//!
//! No evaluator wins everywhere: counting wins over computing if little changes; compiling moves wins over counting if
//! moves are few and change little. So each machine plays for a short while, and the fastest is kept. The answers are
//! the same. Making and comparing the machines takes longer than many a search, so an engine begins with the machine
//! that is made fastest, and compares them when it has computed [`STATES_BEFORE`] states, or when it is told to.

use super::defaults::with_defaults;
use super::effects::{Effects, MovePart};
use super::full::Full;
use super::incremental::{Incremental, Moves};
use super::machine::{Machine, Making};
use super::outputs::Outputs;
use super::sparse::{Conditions, Sparse};
use super::{BITS, Evaluator};
use crate::game::Chance;
use crate::limits::{Limits, Stop};
use crate::number::to_u32;
use crate::program::Program;
use crate::propnet::options::EvaluatorKind;
use std::collections::BTreeMap;
use std::sync::atomic::AtomicBool;
use std::sync::{Arc, OnceLock};
use std::time::{Duration, Instant};

/// The number of joint moves of random play from which the defaults are found.
const WATCHED_MOVES: usize = 400;

/// A game that is longer than this many steps is abandoned, and a new one begins.
const LONGEST_GAME: usize = 200;

/// The time for which all evaluators together are measured: per gate of the program, with a minimum and a maximum.
const MEASURED_PER_GATE: Duration = Duration::from_micros(15);
const LEAST_MEASURED: Duration = Duration::from_micros(500);
const MOST_MEASURED: Duration = Duration::from_millis(150);

/// The machines play in alternation, this many turns each, and the best turn of each counts. A processor that is busy
/// or clocks down then slows all of them or none, and compiling an effect once does not count.
const TURNS: u32 = 8;

/// Programs with more gates in the state part than this do not try the full evaluator; no such program is known on
/// which it wins.
const MOST_FULL: u32 = 1000;

/// Programs with more gates between the moves and the next state than this do not try compiled joint moves: compiling
/// each one would take long and use much memory.
const MOST_COMPILED: usize = 20_000;

/// The number of states that are computed before the machines are compared.
const STATES_BEFORE: u32 = 50_000;

/// A comparison that is still to be made, by an engine or by one of its forks.
#[derive(Clone, Debug)]
pub(in crate::propnet) struct Comparison {
    /// The number of states that are still computed before it.
    left: u32,
    interrupt: Option<Arc<AtomicBool>>,
    fastest: Arc<OnceLock<(AnyMachine, EvaluatorKind)>>,
}

impl Comparison {
    /// A comparison that this flag interrupts.
    pub(in crate::propnet) fn new(interrupt: Option<Arc<AtomicBool>>) -> Self {
        Self { left: STATES_BEFORE, interrupt, fastest: Arc::default() }
    }

    /// Counts a state; returns the limits within which the comparison is to be made now, if it is.
    pub(in crate::propnet) fn count(&mut self) -> Option<Limits> {
        self.left = self.left.saturating_sub(1);
        (self.left == 0)
            .then(|| self.interrupt.iter().fold(Limits::none(), |limits, flag| limits.with_interrupt(flag.clone())))
    }

    /// The fastest machine, which is found now if no fork has found it.
    ///
    /// # Errors
    /// If the interrupt or the deadline of the limits ends the work.
    pub(in crate::propnet) fn fastest(
        &self,
        program: &Arc<Program>,
        limits: &Limits,
    ) -> Result<(AnyMachine, EvaluatorKind), Stop> {
        if let Some(known) = self.fastest.get() {
            return Ok(known.clone());
        }
        let found = machine(program, EvaluatorKind::Auto, limits)?;
        Ok(self.fastest.get_or_init(|| found).clone())
    }
}

/// A machine with one of the evaluators.
#[derive(Clone, Debug)]
pub(in crate::propnet) enum AnyMachine {
    /// Computes every gate in every state.
    Full(Machine<Full>),
    /// Computes what changes; joint moves may be compiled.
    Incremental(Machine<Incremental>),
}

/// Makes a machine of the given kind; for [`EvaluatorKind::Auto`], the fastest by measurement.
///
/// # Errors
/// If the interrupt or the deadline of the limits ends the work.
pub(in crate::propnet) fn machine(
    program: &Arc<Program>,
    kind: EvaluatorKind,
    limits: &Limits,
) -> Result<(AnyMachine, EvaluatorKind), Stop> {
    Ok(match kind {
        EvaluatorKind::Full => (AnyMachine::Full(full(program)), kind),
        EvaluatorKind::Incremental => (AnyMachine::Incremental(incremental(program, Moves::Kept)), kind),
        EvaluatorKind::Compiled => (AnyMachine::Incremental(compiled(program, limits)?), kind),
        EvaluatorKind::Sparse => match sparse(program, limits)? {
            machines if machines.is_empty() => self::machine(program, EvaluatorKind::Incremental, limits)?,
            machines => fastest(program, machines, limits)?,
        },
        EvaluatorKind::Auto => fastest(program, all(program, limits)?, limits)?,
    })
}

fn full(program: &Arc<Program>) -> Machine<Full> {
    let outputs = Outputs::new(program, &program.next);
    let evaluator = Full::new(program, &outputs);
    Machine::new(program, outputs, evaluator, Making::Evaluator)
}

fn incremental(program: &Arc<Program>, moves: Moves) -> Machine<Incremental> {
    let outputs = Outputs::new(program, &program.next);
    let evaluator = Incremental::new(program, &outputs, moves, program.move_gates.end as usize);
    Machine::new(program, outputs, evaluator, Making::Evaluator)
}

fn compiled(program: &Arc<Program>, limits: &Limits) -> Result<Machine<Incremental>, Stop> {
    let mut play = RandomPlay::new(incremental(program, Moves::Kept), program);
    let mut watched: BTreeMap<Vec<u32>, u32> = BTreeMap::new();
    for _ in 0..WATCHED_MOVES {
        limits.check()?;
        let Some(joint_move) = play.step() else { break };
        *watched.entry(joint_move.to_vec()).or_default() += 1;
    }
    let (with_defaults, defaults) = with_defaults(program, &watched);
    let program = &Arc::new(with_defaults);
    let outputs = Outputs::new(program, &defaults);
    let evaluator = Incremental::new(program, &outputs, Moves::Ignored, program.move_gates.start as usize);
    let effects = Effects::new(Arc::new(MovePart::new(program, defaults)));
    Ok(Machine::new(program, outputs, evaluator, Making::Effects(Box::new(effects))))
}

/// Empty if a cycle depends on the moves; else two machines, which keep conditions up to date or compute them on
/// demand.
fn sparse(program: &Program, limits: &Limits) -> Result<Vec<(AnyMachine, EvaluatorKind)>, Stop> {
    let machine = |conditions| {
        let (program, outputs, sparse) = Sparse::new(program, conditions)?;
        let evaluator = Incremental::new(&program, &outputs, Moves::Ignored, sparse.kept_gates());
        let machine = Machine::new(&program, outputs, evaluator, Making::Sparse(sparse));
        Some((AnyMachine::Incremental(machine), EvaluatorKind::Sparse))
    };
    let mut machines = Vec::new();
    for conditions in [Conditions::Kept, Conditions::OnDemand] {
        limits.check()?;
        machines.extend(machine(conditions));
    }
    Ok(machines)
}

/// Every machine that may be the fastest.
fn all(program: &Arc<Program>, limits: &Limits) -> Result<Vec<(AnyMachine, EvaluatorKind)>, Stop> {
    let incremental = |moves| (AnyMachine::Incremental(incremental(program, moves)), EvaluatorKind::Incremental);
    let mut machines = vec![incremental(Moves::Kept)];
    limits.check()?;
    machines.push(incremental(Moves::TakenBack));
    machines.extend(sparse(program, limits)?);
    if program.move_gates.len() <= MOST_COMPILED {
        machines.push((AnyMachine::Incremental(compiled(program, limits)?), EvaluatorKind::Compiled));
    }
    if program.move_gates.start <= MOST_FULL {
        machines.push((AnyMachine::Full(full(program)), EvaluatorKind::Full));
    }
    Ok(machines)
}

fn fastest(
    program: &Arc<Program>,
    machines: Vec<(AnyMachine, EvaluatorKind)>,
    limits: &Limits,
) -> Result<(AnyMachine, EvaluatorKind), Stop> {
    let mut players = Vec::with_capacity(machines.len());
    for (machine, kind) in machines {
        limits.check()?;
        players.push(Player::new(machine, kind, program));
    }
    let time = MEASURED_PER_GATE.saturating_mul(to_u32(program.gates.len())).clamp(LEAST_MEASURED, MOST_MEASURED);
    let turn = time / (TURNS * to_u32(players.len()));
    let mut moves = 1;
    while players[0].take_turn(moves).is_some_and(|taken| taken < turn) {
        limits.check()?;
        moves *= 2;
    }
    players[0].best = Duration::MAX;
    for _ in 0..TURNS {
        for player in &mut players {
            limits.check()?;
            player.take_turn(moves);
        }
    }
    // The first of several equal ones.
    let best = players.into_iter().min_by_key(|player| player.best);
    Ok(best.map_or_else(|| unreachable!("one of them is always there"), |best| (best.machine, best.kind)))
}

/// A machine whose speed is measured.
struct Player<'a> {
    machine: AnyMachine,
    kind: EvaluatorKind,
    play: Box<dyn Play + 'a>,
    /// The time of its fastest turn.
    best: Duration,
}

impl<'a> Player<'a> {
    fn new(machine: AnyMachine, kind: EvaluatorKind, program: &'a Program) -> Self {
        let play: Box<dyn Play> = match machine.clone() {
            AnyMachine::Full(machine) => Box::new(RandomPlay::new(machine, program)),
            AnyMachine::Incremental(machine) => Box::new(RandomPlay::new(machine, program)),
        };
        Self { machine, kind, play, best: Duration::MAX }
    }

    /// Plays `moves` joint moves and returns the time taken; `None` if nothing can be played.
    fn take_turn(&mut self, moves: usize) -> Option<Duration> {
        let start = Instant::now();
        if !self.play.play(moves) {
            return None;
        }
        let taken = start.elapsed();
        self.best = self.best.min(taken);
        Some(taken)
    }
}

/// Plays, whatever the evaluator.
trait Play {
    /// Plays `moves` joint moves; false if nothing can be played.
    fn play(&mut self, moves: usize) -> bool;
}

impl<E: Evaluator> Play for RandomPlay<'_, E> {
    fn play(&mut self, moves: usize) -> bool {
        (0..moves).all(|_| self.step().is_some())
    }
}

/// Random play on a machine, from a fixed seed.
struct RandomPlay<'a, E> {
    machine: Machine<E>,
    program: &'a Program,
    random: Chance,
    state: Vec<usize>,
    joint_move: Vec<u32>,
    length: usize,
}

impl<'a, E: Evaluator> RandomPlay<'a, E> {
    fn new(machine: Machine<E>, program: &'a Program) -> Self {
        let state = program.initial.as_slice().to_vec();
        debug_assert_eq!(state.len(), program.bits().div_ceil(BITS));
        let random = Chance::new(0);
        Self { machine, program, random, state, joint_move: Vec::new(), length: 0 }
    }

    /// Plays one joint move and returns it; begins a new game if the current one is over. `None` if nothing can be
    /// played.
    fn step(&mut self) -> Option<&[u32]> {
        loop {
            let random = &mut self.random;
            let mut choose = |count: usize| random.below(count);
            let is_on = self.length < LONGEST_GAME
                && self.machine.random_step(&mut self.state, &mut self.joint_move, &mut choose) == Ok(true);
            if is_on {
                self.length += 1;
                return Some(&self.joint_move);
            }
            if self.length == 0 {
                return None;
            }
            self.state.copy_from_slice(self.program.initial.as_slice());
            self.length = 0;
        }
    }
}
