//! Translation validation: an optimised form of a network is run beside the network as it was built, and all outputs
//! are compared (Pnueli, Siegel and Singerman, Translation Validation, 1998).
//!
//! States are compared 64 at a time, from the initial state on in games of random play. Passes that rely on legal play
//! claim nothing about other states; if none of them has run, some games are also put into states that need not be
//! reachable. A form that differs anywhere never answers.

use super::EvaluatorKind;
use super::evaluate::choose::MachineMaker;
use super::evaluate::machines::{self, ComparisonExtent};
use super::literal::{games, simulation};
use super::lower::lower;
use super::netlist::Netlist;
use super::network::{MoveId, Network, Output};
use super::passes::{FOR_PLAY, Pass, Schedule};
use crate::lanes::{self, BackEnds, VerifiedTarget};
use crate::program::{
    FluentId, FormDifference, Program, SampledGames, Wire, WordSimulation, write_left_out, write_state,
};
use gdl::limits::{Limits, Poll, Stop};
use gdl::rules::GroundTerm;
use serde::Serialize;
use std::fmt;
use std::sync::Arc;

/// The fewest plies of 64 games that are compared.
const LEAST_PLIES: usize = 64;
/// The most plies of 64 games that are compared.
const MOST_PLIES: usize = 512;
/// Between the two, plies are compared until about this many gates and inputs have been evaluated.
const EVALUATED: usize = 2_000_000;

/// The extent of a comparison of random play, and the function that is called with its progress.
pub(super) struct Sample<'a> {
    /// The number of plies of 64 games; `None` for as many as the size of the network suggests.
    plies: Option<usize>,
    watch: &'a dyn Fn(VerificationProgress),
}

impl Default for Sample<'_> {
    /// By the size of the network, and without progress.
    fn default() -> Self {
        Self { plies: None, watch: &|_| {} }
    }
}

/// A network as it was built, for comparison with what is made of it.
struct Reference<'a> {
    simulation: WordSimulation,
    games: SampledGames,
    sample: &'a Sample<'a>,
    /// True if none of the passes that rely on legal play runs, so that the forms must agree in every state.
    claims_all: bool,
}

/// A step of [`verify_watched`].
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum VerificationProgress {
    /// This pass of the optimiser begins.
    Pass(&'static str),
    /// This many states have been compared.
    Compared {
        /// The number of states so far.
        states: usize,
        /// The number of states of the whole comparison.
        wanted: usize,
        /// The pass whose network is compared, if a pass is sought that changes the game; otherwise it is the program.
        after: Option<&'static str>,
    },
    /// This evaluator of single states begins to be compared with the program.
    Evaluator(EvaluatorKind),
    /// Lanes on this target begin to be compared with the program.
    Lanes(&'static str),
}

/// The result of [`verify`].
#[derive(Clone, PartialEq, Eq, Debug, Serialize)]
pub struct Verification {
    /// The number of states that were compared; fewer than requested if there is a difference.
    pub states: usize,
    /// The first difference between the program and the network as it was built.
    pub difference: Option<NetworkDifference>,
    /// The pass that is to blame; `None` with a difference if lowering is.
    pub left_out: Option<LeftOut>,
    /// Every evaluator of single states, compared with the program.
    pub evaluators: Vec<VerifiedEvaluator>,
    /// Every target of lanes, compared with the program.
    pub lanes: Vec<VerifiedTarget>,
}

/// The result of the comparison of an evaluator with the program.
#[derive(Clone, PartialEq, Eq, Debug, Serialize)]
pub struct VerifiedEvaluator {
    /// The name of the evaluator.
    pub evaluator: &'static str,
    /// The number of states that were compared; `None` if the evaluator cannot run the program.
    pub states: Option<usize>,
    /// The first difference between the evaluator and the program.
    pub difference: Option<FormDifference>,
}

/// Optimises and lowers a network, and compares the program with the network as it was built on about this many states
/// of random play, at least 64, and all evaluators and the lanes of all targets of this processor with the program, on
/// as many states, at least 1,024. `without` names the passes that are skipped. The same states are compared on every
/// machine. This is [`verify_watched`] without progress.
///
/// # Errors
/// If the interrupt or the deadline of the limits ends the work.
pub fn verify(network: &Network, without: &[&str], states: usize, limits: &Limits) -> Result<Verification, Stop> {
    verify_watched(network, without, states, limits, &|_| {})
}

/// As [`verify`], and tells `watch` each step.
///
/// # Errors
/// If the interrupt or the deadline of the limits ends the work.
pub fn verify_watched(
    network: &Network,
    without: &[&str],
    states: usize,
    limits: &Limits,
    watch: &dyn Fn(VerificationProgress),
) -> Result<Verification, Stop> {
    let schedule = Schedule { without, more: &[] };
    let sample = Sample { plies: Some(states.div_ceil(64)), watch };
    let ValidatedNetwork { program, plies, difference, .. } =
        translate(network.clone(), &schedule, &sample, limits, || true)?;
    let left_out = match difference {
        Some(_) => faulty_pass(network.clone(), &schedule, &sample, limits)?,
        None => None,
    };
    let program = Arc::new(program);
    let evaluators = verify_evaluators(&program, &|_| &program, states, limits, watch)?;
    let of_target = |target| watch(VerificationProgress::Lanes(target));
    let lanes = lanes::verify(&program, &program, states, limits, &of_target)?;
    Ok(Verification { states: 64 * plies, difference, left_out, evaluators, lanes })
}

/// Compares all evaluators of single states with the program gate by gate, on about this many states of random play, at
/// least 1,024. `watch` is called with each evaluator before its turn. Each evaluator runs `made_of`: the program
/// itself, or in tests a wrong one.
///
/// # Errors
/// If the interrupt or the deadline of the limits ends the work.
pub fn verify_evaluators<'p>(
    program: &Arc<Program>,
    made_of: &dyn Fn(EvaluatorKind) -> &'p Arc<Program>,
    states: usize,
    limits: &Limits,
    watch: &dyn Fn(VerificationProgress),
) -> Result<Vec<VerifiedEvaluator>, Stop> {
    let back_ends = &BackEnds::default();
    let maker = MachineMaker { program, made_of, back_ends, limits, rules: None };
    let extent = ComparisonExtent::of_states(states);
    let verified = |kind: EvaluatorKind| {
        watch(VerificationProgress::Evaluator(kind));
        let mut difference = None;
        let mut states = None;
        for (mut machine, _) in maker.machines(kind)? {
            states = Some(extent.states());
            difference = machines::difference(&mut machine, program, extent, &limits.poll())?;
            if difference.is_some() {
                break;
            }
        }
        Ok(VerifiedEvaluator { evaluator: kind.name(), states, difference })
    };
    EvaluatorKind::ALL.into_iter().filter(|&kind| kind != EvaluatorKind::Auto).map(verified).collect()
}

/// A network that has been optimised, lowered, and compared with the network as it was built.
pub(super) struct ValidatedNetwork {
    /// The network after the passes.
    pub(super) network: Network,
    pub(super) program: Program,
    /// The number of plies of 64 games in which the program agrees.
    plies: usize,
    pub(super) difference: Option<NetworkDifference>,
}

/// Optimises a network while `goes_on`, lowers it, and compares the program with the network as given.
///
/// # Errors
/// If the limits end the work.
pub(super) fn translate(
    network: Network,
    schedule: &Schedule<'_>,
    sample: &Sample<'_>,
    limits: &Limits,
    goes_on: impl Fn() -> bool,
) -> Result<ValidatedNetwork, Stop> {
    let poll = limits.poll();
    let mut netlist = Netlist::from_network(network, &poll)?;
    let mut reference = Reference::new(&netlist, schedule, sample, &poll)?;
    schedule.run(&mut netlist, limits, |_, next| {
        (sample.watch)(VerificationProgress::Pass(next.name));
        Ok(goes_on())
    })?;
    let network = netlist.into_network(&poll)?;
    let program = lower(&network, limits)?;
    let (plies, difference) = reference.compare(&mut WordSimulation::from_program(&program), &network, None, &poll)?;
    Ok(ValidatedNetwork { network, program, plies, difference })
}

/// The first difference between an optimised form of a network and the network as it was built.
#[derive(Clone, PartialEq, Eq, Debug, Serialize)]
pub struct NetworkDifference {
    /// The proposition: `terminal`, or an instance of `next`, `legal`, `goal` or a feature.
    pub proposition: GroundTerm,
    /// True if it holds in the network as it was built, and not in the other form.
    pub holds: bool,
    /// The facts of the state, in canonical order.
    pub state: Vec<GroundTerm>,
    /// The move of each role, if the proposition is about the next state.
    pub joint_move: Vec<GroundTerm>,
}

impl fmt::Display for NetworkDifference {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        let verb = if self.holds { "no longer holds" } else { "holds" };
        write!(formatter, "`{}` {verb}", self.proposition)?;
        write_state(formatter, &self.state, &self.joint_move)
    }
}

/// A pass that was left out, since the network that it made differs from the one as it was built.
#[derive(Clone, PartialEq, Eq, Debug, Serialize)]
pub struct LeftOut {
    /// The name of the pass.
    pub pass: &'static str,
    /// The first difference after the pass.
    pub difference: NetworkDifference,
}

impl fmt::Display for LeftOut {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        write_left_out(formatter, format_args!("the pass `{}`", self.pass), &self.difference)
    }
}

/// An output in which two forms differ.
struct OutputDeviation {
    output: Output,
    /// True if the output holds in the network as it was built.
    holds: bool,
    /// The game in which it differs.
    lane: u32,
}

impl<'a> Reference<'a> {
    /// A network before any pass of the schedule has changed it.
    ///
    /// # Errors
    /// If the limits end the work.
    fn new(netlist: &Netlist, schedule: &Schedule<'_>, sample: &'a Sample<'a>, poll: &Poll<'_>) -> Result<Self, Stop> {
        let claims_all = FOR_PLAY.iter().all(|pass| schedule.without.contains(pass));
        Ok(Self { simulation: simulation(netlist, poll)?, games: games(netlist, 0), sample, claims_all })
    }

    /// Compares a form of the network on at least 4,096 states, if the caller has not said on how many; `network` has
    /// its terms, and `after` is the pass that has made it, or `None` for the program. The same states are compared on
    /// every machine. Returns the number of plies that agreed, and the first difference.
    ///
    /// # Errors
    /// If the limits end the work.
    fn compare(
        &mut self,
        form: &mut WordSimulation,
        network: &Network,
        after: Option<&'static str>,
        poll: &Poll<'_>,
    ) -> Result<(usize, Option<NetworkDifference>), Stop> {
        let mut games = self.games.clone();
        // The larger the network, the fewer plies are compared.
        let size = 1 + self.simulation.size() + form.size();
        let plies = self.sample.plies.unwrap_or((EVALUATED / size).clamp(LEAST_PLIES, MOST_PLIES));
        for ply in 0..plies {
            if let Some(deviation) = self.ply(form, &mut games, poll)? {
                return Ok((ply, Some(deviation.described(network, &games))));
            }
            let states = 64 * (ply + 1);
            let wanted = 64 * plies;
            (self.sample.watch)(VerificationProgress::Compared { states, wanted, after });
        }
        Ok((plies, None))
    }

    /// Compares one ply of 64 games.
    fn ply(
        &mut self,
        form: &mut WordSimulation,
        games: &mut SampledGames,
        poll: &Poll<'_>,
    ) -> Result<Option<OutputDeviation>, Stop> {
        if self.claims_all {
            games.mutate();
            form.represent(&mut games.state);
        }
        // The state is compared before any move is made.
        games.moves.fill(0);
        self.simulation.enter(&games.state, poll)?;
        form.enter(&games.state, poll)?;
        let asked = self.of_state(form);
        if asked.is_some() {
            return Ok(asked);
        }
        games.choose(&self.simulation);
        self.simulation.advance(&games.moves, poll)?;
        form.advance(&games.moves, poll)?;
        let next = self.of_next(form, games.stuck);
        if next.is_none() {
            games.advance(&self.simulation);
        }
        Ok(next)
    }

    /// The first output in which the states differ.
    fn of_state(&self, form: &WordSimulation) -> Option<OutputDeviation> {
        let own = &self.simulation;
        let compared = |output, ours: Wire, theirs: Wire| deviation(output, own.word(ours), form.word(theirs));
        let ours = &own.outputs;
        let theirs = &form.outputs;
        let mut legal = (0..ours.legal.len())
            .filter_map(|chosen| deviation(Output::Legal(MoveId::new(chosen)), own.legal(chosen), form.legal(chosen)));
        let goals = ours.goals.iter().zip(&theirs.goals).enumerate();
        let mut goals = goals.filter_map(|(index, (&our, &their))| compared(Output::Goal(index), our, their));
        let features = ours.features.iter().zip(&theirs.features).enumerate();
        let mut features = features.filter_map(|(index, (&our, &their))| compared(Output::Feature(index), our, their));
        compared(Output::Terminal, ours.terminal, theirs.terminal)
            .or_else(|| legal.next())
            .or_else(|| goals.next())
            .or_else(|| features.next())
    }

    /// The first fluent in which the next states differ, in games in which every role has made a move.
    fn of_next(&self, form: &WordSimulation, stuck: u64) -> Option<OutputDeviation> {
        let fluents = 0..self.simulation.outputs.next.len();
        let mut deviations = fluents.filter_map(|fluent| {
            let own = self.simulation.next(fluent);
            let other = form.next(fluent);
            deviation(Output::Next(FluentId::new(fluent)), own & !stuck, other & !stuck)
        });
        deviations.next()
    }
}

/// The deviation of an output in the first game in which its words differ, if they do.
fn deviation(output: Output, own: u64, other: u64) -> Option<OutputDeviation> {
    let lane = (own ^ other).trailing_zeros();
    (own != other).then(|| OutputDeviation { output, holds: own >> lane & 1 == 1, lane })
}

impl OutputDeviation {
    /// The deviation in the terms of the game; `games` is at the state in which it was found.
    fn described(&self, network: &Network, games: &SampledGames) -> NetworkDifference {
        let joint_move: Vec<GroundTerm> = match self.output {
            Output::Next(_) => games.joint_move(self.lane).map(|chosen| network.moves[chosen].term.clone()).collect(),
            _ => Vec::new(),
        };
        let fact = |fluent: FluentId| network.fluents[fluent.index()].fact.clone();
        NetworkDifference {
            proposition: network.proposition(self.output),
            holds: self.holds,
            state: games.fluents(self.lane).map(fact).collect(),
            joint_move,
        }
    }
}

/// The first pass after which a network differs from what it was before all passes, if there is one. Takes a comparison
/// for each run of a pass.
///
/// # Errors
/// If the limits end the work.
pub(super) fn faulty_pass(
    network: Network,
    schedule: &Schedule<'_>,
    sample: &Sample<'_>,
    limits: &Limits,
) -> Result<Option<LeftOut>, Stop> {
    let poll = limits.poll();
    let mut netlist = Netlist::from_network(network, &poll)?;
    let mut reference = Reference::new(&netlist, schedule, sample, &poll)?;
    let mut faulty = |netlist: &Netlist, pass: &'static str| {
        let mut form = simulation(netlist, &poll)?;
        let (_, difference) = reference.compare(&mut form, &netlist.network, Some(pass), &poll)?;
        Ok(difference.map(|difference| LeftOut { pass, difference }))
    };
    // The network is compared after each pass: that is, before the next one, and at the end.
    let mut last: Option<&Pass> = None;
    let mut found = None;
    schedule.run(&mut netlist, limits, |netlist, next| {
        found = match last {
            Some(pass) => faulty(netlist, pass.name)?,
            None => None,
        };
        (sample.watch)(VerificationProgress::Pass(next.name));
        last = Some(next);
        Ok(found.is_none())
    })?;
    if let (None, Some(pass)) = (&found, last) {
        found = faulty(&netlist, pass.name)?;
    }
    Ok(found)
}
