//! The optimiser: passes that make a network smaller without a change of its answers.
//!
//! Each pass has a name, and is a function that edits a netlist, in a file of its own or with one that has the same
//! idea. [`optimise()`] runs the passes round after round. A pass that has found nothing to do runs again only after
//! another pass has changed the network. A pass that draws conclusions and gains little rests for a round, then for two,
//! four and more: large networks with long chains take many rounds, in most of which such passes gain nothing. The rounds end when a round in
//! which no pass rested reduces the network by less than a thousandth, or when the passes have processed `MOST_WORK`
//! components and edges. All these are counts, so the result does not depend on the speed of the machine. `knowledge` is
//! no pass, but an analysis that passes share.

mod constants;
mod de_morgan;
mod dead;
mod duplicates;
mod exclusive;
mod factor;
mod flatten;
mod implied;
mod knowledge;
mod mirrored;
mod shared;
mod single_input;
mod turns;
mod unchanging;

pub(super) use constants::{ValueBounds, bounds};
pub(super) use exclusive::prove;

use super::Network;
use super::netlist::Netlist;
use gdl::limits::{Limits, Poll, Stop, unlimited};
use serde::Serialize;

/// A pass of the optimiser.
#[derive(Clone, Copy, Debug)]
pub struct Pass {
    /// The name on the command line.
    pub name: &'static str,
    /// A phrase that says what the pass does.
    pub summary: &'static str,
    /// The function. It polls the limits each time it goes through components or edges; if they stop it, the netlist is
    /// of no use.
    run: fn(&mut Netlist, &Poll<'_>) -> Result<(), Stop>,
}

/// The effect of one run of a pass.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Serialize)]
pub struct PassReport {
    /// The name of the pass.
    pub name: &'static str,
    /// The number of components before the run.
    pub before: usize,
    /// The number of components after the run.
    pub after: usize,
    /// The number of edges before the run.
    pub edges_before: usize,
    /// The number of edges after the run.
    pub edges_after: usize,
}

/// All passes, in the order in which they run. Each keeps the answers whatever ran before it. The order only helps: the
/// passes that clean up come first, and `exclusive` comes before the passes that use its groups.
pub const PASSES: &[Pass] = &[
    constants::PASS,
    dead::PASS,
    single_input::SINGLE_INPUT,
    single_input::DOUBLE_NEGATION,
    duplicates::PASS,
    flatten::PASS,
    factor::PASS,
    exclusive::PASS,
    turns::TURNS,
    turns::ONE_MOVE,
    de_morgan::PASS,
    implied::PASS,
    shared::PASS,
    unchanging::PASS,
    mirrored::PASS,
];

/// The names of the passes that rely on invariants of the states that legal play reaches. A network on which they have
/// run is valid for these states only; for others its answers may be wrong, and nothing shows that.
pub(crate) const FOR_PLAY: &[&str] = &[turns::TURNS.name, implied::PASS.name];

/// The names of the passes that draw conclusions from large parts of a network. Those that gain little rest.
const CONCLUDING: &[&str] =
    &[exclusive::PASS.name, turns::TURNS.name, implied::PASS.name, unchanging::PASS.name, mirrored::PASS.name];

/// The divisor of the least gain: a round that reduces the network by less than one part in this many is the last, and a
/// concluding pass that does rests.
const LEAST_GAIN: usize = 1_000;

/// The maximum number of components and edges that all runs of passes together process: about 33 runs over a network of
/// a million components and five million edges.
pub(crate) const MOST_WORK: usize = 200_000_000;

/// The choice of the passes that run.
#[derive(Clone, Copy, Debug)]
pub(super) struct Schedule<'a> {
    /// The names of the passes that are skipped.
    pub(super) without: &'a [&'a str],
    /// Passes that run in each round after those of [`PASSES`].
    pub(super) more: &'a [Pass],
}

impl Pass {
    /// A pass of the caller, for tests of the checks that find a wrong pass.
    #[doc(hidden)]
    pub const fn new(name: &'static str, run: fn(&mut Netlist, &Poll<'_>) -> Result<(), Stop>) -> Self {
        Self { name, summary: "a pass of the caller", run }
    }

    /// Runs the pass once, by itself.
    pub fn apply(&self, network: &mut Network) {
        unlimited(|limits| {
            let poll = limits.poll();
            let mut netlist = Netlist::from_network(std::mem::take(network), &poll)?;
            (self.run)(&mut netlist, &poll)?;
            *network = netlist.into_network(&poll)?;
            Ok(())
        });
    }
}

/// Runs all passes except those named in `without`, round after round. Returns the effect of each run.
pub fn optimise(network: &mut Network, without: &[&str]) -> Vec<PassReport> {
    unlimited(|limits| optimise_within(network, without, limits, || true))
}

/// As [`optimise()`], within limits, and as long as `goes_on` returns true. Passes poll the limits while they run;
/// `goes_on` is asked only before each pass, so the network is valid when it ends the work. One pass over a million
/// components takes some seconds.
///
/// # Errors
/// If the interrupt or the deadline of the limits ends the work. Then the network is of no use.
pub fn optimise_within(
    network: &mut Network,
    without: &[&str],
    limits: &Limits,
    goes_on: impl Fn() -> bool,
) -> Result<Vec<PassReport>, Stop> {
    let poll = limits.poll();
    let mut netlist = Netlist::from_network(std::mem::take(network), &poll)?;
    let schedule = Schedule { without, more: &[] };
    let reports = schedule.run(&mut netlist, limits, |_, _| Ok(goes_on()))?;
    *network = netlist.into_network(&poll)?;
    Ok(reports)
}

impl Schedule<'_> {
    /// Runs the passes on a netlist, until a round gains too little, the work is too much, or `goes_on`, which is asked
    /// before each pass, returns false. Returns the effect of each run.
    ///
    /// # Errors
    /// If the limits end the work, or `goes_on` fails. Then the netlist is of no use.
    pub(super) fn run<'a>(
        &'a self,
        netlist: &mut Netlist,
        limits: &Limits,
        mut goes_on: impl FnMut(&Netlist, &'a Pass) -> Result<bool, Stop>,
    ) -> Result<Vec<PassReport>, Stop> {
        let poll = limits.poll();
        let mut reports = Vec::new();
        let mut turns = vec![PassTurn::default(); PASSES.len() + self.more.len()];
        let mut work = 0;
        'rounds: loop {
            let start = weight(netlist);
            let mut has_rested = false;
            for (pass, turn) in PASSES.iter().chain(self.more).zip(&mut turns) {
                if self.without.contains(&pass.name) || turn.idle_after == Some(netlist.edits()) {
                    continue;
                }
                if turn.rests() {
                    has_rested = true;
                    continue;
                }
                if work >= MOST_WORK || !goes_on(netlist, pass)? {
                    break 'rounds;
                }
                let (before, edges_before) = netlist.size();
                let edits = netlist.edits();
                work += before + edges_before;
                limits.check()?;
                (pass.run)(netlist, &poll)?;
                let (after, edges_after) = netlist.size();
                reports.push(PassReport { name: pass.name, before, after, edges_before, edges_after });
                turn.idle_after = (netlist.edits() == edits).then_some(edits);
                if CONCLUDING.contains(&pass.name) {
                    turn.note(gains_little(before + edges_before, after + edges_after));
                }
            }
            if gains_little(start, weight(netlist)) {
                if !has_rested {
                    break;
                }
                turns.iter_mut().for_each(|turn| turn.left = 0);
            }
        }
        Ok(reports)
    }
}

/// When a pass runs next.
#[derive(Clone, Default)]
struct PassTurn {
    /// The number of edits at its last run, if it found nothing to do then.
    idle_after: Option<u64>,
    /// The number of rounds for which it still rests.
    left: u32,
    /// The number of rounds for which it rests after its next run with little gain.
    next: u32,
}

impl PassTurn {
    /// True if the pass rests in this round.
    fn rests(&mut self) -> bool {
        let rests = self.left > 0;
        self.left = self.left.saturating_sub(1);
        rests
    }

    /// Notes whether a run gained little.
    fn note(&mut self, little: bool) {
        self.next = if little { (2 * self.next).max(1) } else { 0 };
        self.left = self.next;
    }
}

/// True if the weight of the network has become less by less than the least gain.
fn gains_little(before: usize, after: usize) -> bool {
    after + before / LEAST_GAIN >= before
}

/// The number of components plus the number of edges, which the optimiser minimises.
fn weight(netlist: &Netlist) -> usize {
    let (components, edges) = netlist.size();
    components + edges
}
