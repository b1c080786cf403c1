//! The machines that a program can run on, and the choice of the fastest for a game.
//!
//! No evaluator wins everywhere: counting wins over computing if little changes; compiling moves wins over counting if
//! moves are few and change little. So each machine plays for a short while, and the fastest is kept. The answers are
//! the same. Making and comparing the machines takes longer than many searches, so an engine begins with the machine
//! that is made fastest, and compares them when it has computed [`STATES_BEFORE`] states, or at the request of its
//! caller. If an engine must answer in time, one of its forks compares them on another thread.
//!
//! A machine that does not agree with its program ([`difference`]) is left out, and the next one is taken.

use super::defaults::with_defaults;
use super::demand::Demand;
use super::effects::{Effects, MovePart};
use super::incremental::{Incremental, MoveTreatment};
use super::machine::{JointMoveUse, Machine};
use super::machines::{AnyMachine, ComparisonExtent, difference, with};
use super::outputs::OutputLayout;
use super::rules::{RuleAnswers, RulesMachine};
use super::sparse::Sparse;
use super::{BITS, Full};
use crate::lanes::{BackEnds, Technique};
use crate::program::{FormDifference, Program};
use crate::propnet::EvaluatorKind;
use gdl::limits::{Limits, Stop};
use gdl::number::to_u32;
use gdl::sorting;
use gdl::time::Instant;
use ggp_game::Chance;
use std::collections::BTreeMap;
use std::sync::atomic::AtomicBool;
use std::sync::{Arc, OnceLock};
use std::time::Duration;

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

/// A turn ends early when it takes this many times as long as the fastest one.
const HOPELESS: u32 = 3;

/// A machine of which this number of turns ended early gets no more turns. One may have been slow because the processor was
/// busy with another thread.
const MOST_ENDED_EARLY: u32 = 2;

/// Programs with more gates in the state part than this do not try the full evaluator; no such program is known on
/// which it wins.
const MOST_FULL: u32 = 1000;

/// Programs with more gates between the moves and the next state than this do not try compiled joint moves: compiling
/// each one would take long and use much memory.
const MOST_COMPILED: usize = 20_000;

/// Programs with fewer gates than this do not try evaluation on demand, which wins where a state needs few of many gates.
const FEWEST_FOR_DEMAND: usize = 10_000;

/// Programs with more gates than this try only the machines that are made in the time of a few states: no such program is
/// known on which the others win.
const LARGE: usize = 100_000;

/// The greatest number of states that are computed before the machines are compared.
const STATES_BEFORE: u32 = 50_000;

/// The number of gates of these states together: of a large network fewer states are computed before the comparison.
const GATES_BEFORE: usize = 500_000_000;

/// The least number of states before the comparison.
const FEWEST_BEFORE: usize = 100;

/// An engine that awaits the comparison of another fork asks for its result each time it has computed this many states.
const STATES_BETWEEN: u32 = 1024;

/// A comparison that is still to be made, by an engine or by one of its forks.
#[derive(Clone, Debug)]
pub(in crate::propnet) struct Comparison {
    /// The number of states that are still computed before it.
    left: u32,
    /// True if another fork makes it, and this one takes the result.
    is_awaited: bool,
    interrupt: Option<Arc<AtomicBool>>,
    /// The rules of the game, if they are compared too.
    rules: Option<Arc<dyn RuleAnswers>>,
    /// The result: `None` if no machine agrees with the program but the one in use.
    fastest: Arc<OnceLock<Option<MachineChoice>>>,
}

/// A machine, and its evaluator, which is never [`EvaluatorKind::Auto`].
pub(in crate::propnet) type MachineChoice = (AnyMachine, EvaluatorKind);

impl Comparison {
    /// A comparison of the machines for a program, which this flag interrupts.
    pub(in crate::propnet) fn new(program: &Program, interrupt: Option<Arc<AtomicBool>>) -> Self {
        let states = (GATES_BEFORE / (program.gates.len() + 1)).max(FEWEST_BEFORE);
        let left = STATES_BEFORE.min(to_u32(states));
        Self { left, is_awaited: false, interrupt, rules: None, fastest: Arc::default() }
    }

    /// Compares the rules of the game too.
    pub(in crate::propnet) fn add_rules(&mut self, rules: Arc<dyn RuleAnswers>) {
        self.rules = Some(rules);
    }

    /// Leaves the comparison to another fork, whose result this one takes.
    pub(in crate::propnet) fn wait(&mut self) {
        self.left = STATES_BETWEEN;
        self.is_awaited = true;
    }

    /// Counts a state; returns the limits within which the comparison is to be made now, if it is.
    pub(in crate::propnet) fn count(&mut self) -> Option<Limits> {
        self.left = self.left.saturating_sub(1);
        if self.left > 0 {
            return None;
        }
        if self.is_awaited && !self.is_made() {
            self.left = STATES_BETWEEN;
            return None;
        }
        Some(self.interrupt.iter().fold(Limits::none(), |limits, flag| limits.with_interrupt(flag.clone())))
    }

    /// True if the comparison has been made, by this engine or by another fork.
    pub(in crate::propnet) fn is_made(&self) -> bool {
        self.fastest.get().is_some()
    }

    /// The fastest machine of those that agree with the program, found now unless a fork has found it; `None` if no
    /// machine agrees.
    ///
    /// # Errors
    /// If the interrupt or the deadline of the limits ends the work.
    pub(in crate::propnet) fn fastest(
        &self,
        program: &Arc<Program>,
        back_ends: &BackEnds,
        limits: &Limits,
    ) -> Result<Option<MachineChoice>, Stop> {
        if let Some(known) = self.fastest.get() {
            return Ok(known.clone());
        }
        let rules = self.rules.as_deref();
        let maker = MachineMaker { program, made_of: &|_| program, back_ends, limits, rules };
        let found = maker.machine(EvaluatorKind::Auto)?.ok();
        Ok(self.fastest.get_or_init(|| found).clone())
    }
}

/// The evaluators that are tried, in this order, if the requested one differs from the program.
const PLAINER: [EvaluatorKind; 2] = [EvaluatorKind::Incremental, EvaluatorKind::Full];

/// Makes machines for a program, and leaves out what differs from it.
pub(in crate::propnet) struct MachineMaker<'a, 'p> {
    pub(in crate::propnet) program: &'a Arc<Program>,
    /// The program that each evaluator runs: `program` itself, or in tests a wrong one.
    pub(in crate::propnet) made_of: &'a dyn Fn(EvaluatorKind) -> &'p Arc<Program>,
    /// The techniques that are left out, to which those that differ are added.
    pub(in crate::propnet) back_ends: &'a BackEnds,
    pub(in crate::propnet) limits: &'a Limits,
    /// The rules of the game, if they may be asked.
    pub(in crate::propnet) rules: Option<&'a dyn RuleAnswers>,
}

impl MachineMaker<'_, '_> {
    /// A machine with an evaluator; for [`EvaluatorKind::Auto`], the fastest by measurement. It agrees with the program
    /// on states of random play: a machine that does not is left out, and a plainer one is taken. The first difference,
    /// if all machines differ.
    ///
    /// # Errors
    /// If the interrupt or the deadline of the limits ends the work.
    pub(in crate::propnet) fn machine(
        &self,
        kind: EvaluatorKind,
    ) -> Result<Result<MachineChoice, Box<FormDifference>>, Stop> {
        let mut first = None;
        for kind in std::iter::once(kind).chain(PLAINER) {
            for (mut machine, kind) in self.by_speed(self.machines(kind)?)? {
                if self.why_without(kind).is_some() {
                    continue;
                }
                let extent = ComparisonExtent::from_program(self.program);
                match difference(&mut machine, self.program, extent, &self.limits.poll())? {
                    None => return Ok(Ok((machine, kind))),
                    Some(difference) => {
                        self.back_ends.leave_out(Technique::Evaluator(kind.name()), &difference);
                        first = first.or(Some(difference));
                    }
                }
            }
        }
        // Nothing was compared if all were left out before, by a clone or by the options.
        let of_plainer = || self.why_without(EvaluatorKind::Incremental);
        let difference = first.or_else(of_plainer).unwrap_or_else(|| unreachable!("the plainer ones were tried"));
        Ok(Err(Box::new(difference)))
    }

    /// The machines that have an evaluator and are not left out; those for `Auto` are all that may be the fastest.
    ///
    /// # Errors
    /// If the limits end the work.
    pub(in crate::propnet) fn machines(&self, kind: EvaluatorKind) -> Result<Vec<MachineChoice>, Stop> {
        let program = (self.made_of)(kind);
        let with = |machine| vec![(machine, kind)];
        Ok(match kind {
            _ if self.why_without(kind).is_some() => Vec::new(),
            EvaluatorKind::Full => with(AnyMachine::Full(full(program))),
            EvaluatorKind::Incremental => with(AnyMachine::Incremental(incremental(program, MoveTreatment::Kept))),
            EvaluatorKind::Compiled => with(AnyMachine::Incremental(compiled(program, self.limits)?)),
            EvaluatorKind::Sparse => sparse(program, &[false, true], self.limits)?,
            EvaluatorKind::Demand => demand(program, self.limits)?.into_iter().collect(),
            // The rules are compared with networks only, so a plainer machine is taken if they are selected.
            EvaluatorKind::Rules => Vec::new(),
            EvaluatorKind::Auto => self.all()?,
        })
    }

    /// The difference for which an evaluator is left out, if it is.
    fn why_without(&self, kind: EvaluatorKind) -> Option<FormDifference> {
        self.back_ends.why_without(Technique::Evaluator(kind.name()))
    }

    /// Every machine that may be the fastest.
    fn all(&self) -> Result<Vec<MachineChoice>, Stop> {
        let gates = self.program.gates.len();
        let is_large = gates > LARGE;
        let mut machines = self.machines(EvaluatorKind::Incremental)?;
        // A second incremental machine, which undoes moves; it is left out together with the first.
        if !machines.is_empty() && !is_large {
            self.limits.check()?;
            let taken_back = AnyMachine::Incremental(incremental(
                (self.made_of)(EvaluatorKind::Incremental),
                MoveTreatment::TakenBack,
            ));
            machines.push((taken_back, EvaluatorKind::Incremental));
        }
        if gates >= FEWEST_FOR_DEMAND {
            machines.extend(self.machines(EvaluatorKind::Demand)?);
        }
        machines.extend(self.with_rules(machines.first()));
        if is_large {
            if self.why_without(EvaluatorKind::Sparse).is_none() {
                machines.extend(sparse((self.made_of)(EvaluatorKind::Sparse), &[false], self.limits)?);
            }
            return Ok(machines);
        }
        machines.extend(self.machines(EvaluatorKind::Sparse)?);
        if self.program.move_gates.len() <= MOST_COMPILED {
            machines.extend(self.machines(EvaluatorKind::Compiled)?);
        }
        if self.program.move_gates.start <= MOST_FULL {
            machines.extend(self.machines(EvaluatorKind::Full)?);
        }
        Ok(machines)
    }

    /// The machine that asks the rules, beside this incremental one, if they may be asked. They know nothing of features,
    /// which a sheet may add.
    fn with_rules(&self, beside: Option<&MachineChoice>) -> Option<MachineChoice> {
        let may_ask = self.program.features.is_empty() && self.why_without(EvaluatorKind::Rules).is_none();
        let rules = self.rules.filter(|_| may_ask)?;
        let (AnyMachine::Incremental(network), _) = beside? else { return None };
        let machine = RulesMachine::new(self.program, rules.fork(), network.clone());
        Some((AnyMachine::Rules(machine), EvaluatorKind::Rules))
    }

    /// The machines by their speed, the fastest first.
    ///
    /// # Errors
    /// If the limits end the work.
    fn by_speed(&self, machines: Vec<MachineChoice>) -> Result<Vec<MachineChoice>, Stop> {
        let program = &**self.program;
        let limits = self.limits;
        if machines.len() < 2 {
            return Ok(machines);
        }
        let mut players = Vec::with_capacity(machines.len());
        for (machine, kind) in machines {
            limits.check()?;
            players.push(MeasuredMachine::new(machine, kind, program));
        }
        let time = MEASURED_PER_GATE.saturating_mul(to_u32(program.gates.len())).clamp(LEAST_MEASURED, MOST_MEASURED);
        let turn = time / (TURNS * to_u32(players.len()));
        // The number of moves per turn is doubled until the first machine takes a whole turn for them.
        let mut moves = 1;
        while players[0].take_turn(moves, Duration::MAX).is_some_and(|taken| taken < turn) {
            limits.check()?;
            moves *= 2;
        }
        // These turns only showed how many moves make a turn.
        players[0].best = Duration::MAX;
        for _ in 0..TURNS {
            for index in 0..players.len() {
                // Also in the first round: a machine may be a thousand times slower than those before it.
                let fastest = players.iter().map(|player| player.best).min().unwrap_or(Duration::MAX);
                let most = fastest.saturating_mul(HOPELESS);
                let player = &mut players[index];
                if player.ended_early < MOST_ENDED_EARLY {
                    limits.check()?;
                    player.ended_early += u32::from(player.take_turn(moves, most).is_none_or(|taken| taken > most));
                }
            }
        }
        // The first of several equal ones comes first.
        sorting::sort_by_key(&mut players, |player| player.best);
        Ok(players.into_iter().map(|player| (player.machine, player.kind)).collect())
    }
}

fn full(program: &Arc<Program>) -> Machine<Full> {
    let outputs = OutputLayout::new(program, &program.next);
    let evaluator = Full::new(program, &outputs);
    Machine::new(program, outputs, evaluator, JointMoveUse::Evaluator)
}

fn incremental(program: &Arc<Program>, moves: MoveTreatment) -> Machine<Incremental> {
    let outputs = OutputLayout::new(program, &program.next);
    let evaluator = Incremental::new(program, &outputs, moves, program.move_gates.end as usize);
    Machine::new(program, outputs, evaluator, JointMoveUse::Evaluator)
}

fn compiled(program: &Arc<Program>, limits: &Limits) -> Result<Machine<Incremental>, Stop> {
    let mut play = MachineRandomPlay::new(AnyMachine::Incremental(incremental(program, MoveTreatment::Kept)), program);
    let mut watched: BTreeMap<Vec<u32>, u32> = BTreeMap::new();
    for _ in 0..WATCHED_MOVES {
        limits.check()?;
        let Some(joint_move) = play.step() else { break };
        *watched.entry(joint_move.to_vec()).or_default() += 1;
    }
    let (with_defaults, defaults) = with_defaults(program, &watched);
    let program = &Arc::new(with_defaults);
    let outputs = OutputLayout::new(program, &defaults);
    let evaluator = Incremental::new(program, &outputs, MoveTreatment::Ignored, program.move_gates.start as usize);
    let effects = Effects::new(Arc::new(MovePart::new(program, defaults)));
    Ok(Machine::new(program, outputs, evaluator, JointMoveUse::Effects(Box::new(effects))))
}

/// The machine that computes gates on demand; none if gates are nested too deep.
fn demand(program: &Program, limits: &Limits) -> Result<Option<MachineChoice>, Stop> {
    let made = Demand::new(program, limits)?;
    Ok(made.map(|(program, outputs, evaluator)| {
        let machine = Machine::new(&program, outputs, evaluator, JointMoveUse::Evaluator);
        (AnyMachine::Demand(machine), EvaluatorKind::Demand)
    }))
}

/// The machines with the sparse evaluator: one keeps conditions up to date (false), the other computes them on demand
/// (true). None if a cycle depends on the moves.
fn sparse(program: &Program, on_demand: &[bool], limits: &Limits) -> Result<Vec<MachineChoice>, Stop> {
    let machine = |on_demand| {
        let (program, outputs, sparse) = Sparse::new(program, on_demand)?;
        let evaluator = Incremental::new(&program, &outputs, MoveTreatment::Ignored, sparse.kept_gates());
        let machine = Machine::new(&program, outputs, evaluator, JointMoveUse::Sparse(sparse));
        Some((AnyMachine::Incremental(machine), EvaluatorKind::Sparse))
    };
    let mut machines = Vec::new();
    for &on_demand in on_demand {
        limits.check()?;
        machines.extend(machine(on_demand));
    }
    Ok(machines)
}

/// A machine whose speed is measured.
struct MeasuredMachine<'a> {
    machine: AnyMachine,
    kind: EvaluatorKind,
    play: MachineRandomPlay<'a>,
    /// The time of its fastest turn.
    best: Duration,
    /// The number of its turns that took too long.
    ended_early: u32,
}

impl<'a> MeasuredMachine<'a> {
    fn new(machine: AnyMachine, kind: EvaluatorKind, program: &'a Program) -> Self {
        let play = MachineRandomPlay::new(machine.clone(), program);
        Self { machine, kind, play, best: Duration::MAX, ended_early: 0 }
    }

    /// Plays `moves` joint moves and returns the time taken; `None` if nothing can be played. The turn ends early if it
    /// takes longer than `most`, which is seen after one, two, four and so on moves.
    fn take_turn(&mut self, moves: usize, most: Duration) -> Option<Duration> {
        let start = Instant::now();
        for index in 1..=moves {
            self.play.step()?;
            if index.is_power_of_two() && start.elapsed() > most {
                break;
            }
        }
        let taken = start.elapsed();
        self.best = self.best.min(taken);
        Some(taken)
    }
}

/// Random play on a machine, from a fixed seed.
struct MachineRandomPlay<'a> {
    machine: AnyMachine,
    program: &'a Program,
    random: Chance,
    state: Vec<usize>,
    joint_move: Vec<u32>,
    length: usize,
}

impl<'a> MachineRandomPlay<'a> {
    fn new(machine: AnyMachine, program: &'a Program) -> Self {
        let state = program.initial.as_slice().to_vec();
        debug_assert_eq!(state.len(), program.bits().div_ceil(BITS));
        let random = Chance::new(0);
        Self { machine, program, random, state, joint_move: Vec::new(), length: 0 }
    }

    /// Plays one joint move and returns it; begins a new game if the current one is over. `None` if not even the first
    /// move of a game can be played.
    fn step(&mut self) -> Option<&[u32]> {
        loop {
            let Self { machine, random, state, joint_move, .. } = self;
            let mut choose = |count: usize| random.below(count);
            let mut is_on =
                || with!(machine, machine => machine.random_step(state, joint_move, &mut choose)) == Ok(true);
            if self.length < LONGEST_GAME && is_on() {
                self.length += 1;
                return Some(&self.joint_move);
            }
            if self.length == 0 {
                return None;
            }
            // The goals of the end belong to a game; in a short one they cost more than its moves.
            for role in 0..self.program.roles.len() {
                with!(&mut self.machine, machine => machine.goals(&self.state, role).for_each(drop));
            }
            self.state.copy_from_slice(self.program.initial.as_slice());
            self.length = 0;
        }
    }
}
