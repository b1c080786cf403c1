//! The optimiser: passes that make a network smaller and keep its answers.
//!
//! Each pass is a function that edits a network laid flat, in a file of its own, known by a name. [`optimise()`] runs them
//! round after round until none makes anything smaller.

mod bounds;
mod constants;
mod de_morgan;
mod dead;
mod double_negation;
mod duplicates;
mod exclusive;
mod factor;
mod flatten;
mod implied;
mod knowledge;
mod mirrored;
mod one_move;
mod shared;
mod single_input;
mod turns;
mod unchanging;

use super::Network;
use super::netlist::Netlist;
use serde::Serialize;

/// A pass of the optimiser.
#[derive(Clone, Copy, Debug)]
pub struct Pass {
    /// How it is called on the command line.
    pub name: &'static str,
    /// What it does, in a sentence.
    pub summary: &'static str,
    run: fn(&mut Netlist),
}

/// What one run of a pass did.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Serialize)]
pub struct PassReport {
    /// The pass.
    pub name: &'static str,
    /// Components before it.
    pub before: usize,
    /// Components after it.
    pub after: usize,
    /// Edges before it.
    pub edges_before: usize,
    /// Edges after it.
    pub edges_after: usize,
}

/// All passes, in the order in which they run.
pub const PASSES: &[Pass] = &[
    constants::PASS,
    dead::PASS,
    single_input::PASS,
    double_negation::PASS,
    duplicates::PASS,
    flatten::PASS,
    factor::PASS,
    turns::PASS,
    one_move::PASS,
    de_morgan::PASS,
    implied::PASS,
    shared::PASS,
    unchanging::PASS,
    mirrored::PASS,
];

/// The passes that rely on what can be said of all states that legal play reaches. A network that they have been run on answers
/// for those states alone; others may get a wrong answer, and nobody would know.
pub const FOR_PLAY: &[&str] = &[turns::PASS.name, implied::PASS.name];

impl Pass {
    /// Runs the pass once, by itself.
    pub fn apply(&self, network: &mut Network) {
        let mut netlist = Netlist::of(std::mem::take(network));
        (self.run)(&mut netlist);
        *network = netlist.into_network();
    }
}

/// Runs all passes but those named in `without`, until none of them makes the network smaller. Returns what each run did.
pub fn optimise(network: &mut Network, without: &[&str]) -> Vec<PassReport> {
    optimise_while(network, without, || true)
}

/// As [`optimise()`], but asks before each pass whether to go on, and where not, leaves the network as it is by then: it answers
/// the same with every pass that has been run. One pass over a million components takes some seconds.
pub fn optimise_while(network: &mut Network, without: &[&str], goes_on: impl Fn() -> bool) -> Vec<PassReport> {
    let mut reports = Vec::new();
    let mut netlist = Netlist::of(std::mem::take(network));
    loop {
        let start = weight(&netlist);
        for pass in PASSES.iter().filter(|pass| !without.contains(&pass.name) && goes_on()) {
            let (before, edges_before) = netlist.size();
            (pass.run)(&mut netlist);
            let (after, edges_after) = netlist.size();
            reports.push(PassReport { name: pass.name, before, after, edges_before, edges_after });
        }
        if weight(&netlist) >= start || !goes_on() {
            break;
        }
    }
    *network = netlist.into_network();
    reports
}

/// What the optimiser makes less of: components and edges together.
fn weight(netlist: &Netlist) -> usize {
    let (components, edges) = netlist.size();
    components + edges
}
