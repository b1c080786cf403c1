//! The optimiser: passes that make a network smaller and keep its answers.
//!
//! Each pass is a function from a network to a network in a file of its own, known by a name. [`optimise()`] runs them
//! round after round until none makes anything smaller.

use super::Network;

/// A pass of the optimiser.
#[derive(Clone, Copy, Debug)]
pub struct Pass {
    /// How it is called on the command line.
    pub name: &'static str,
    /// What it does, in a sentence.
    pub summary: &'static str,
    /// The network without what the pass takes away.
    pub run: fn(&Network) -> Network,
}

/// What one run of a pass did.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct PassReport {
    /// The pass.
    pub name: &'static str,
    /// Components before it.
    pub before: usize,
    /// Components after it.
    pub after: usize,
}

/// All passes, in the order in which they run.
pub const PASSES: &[Pass] = &[];

/// Runs all passes but those named in `without`, until none of them makes the network smaller. Returns what each run did.
pub fn optimise(network: &mut Network, without: &[&str]) -> Vec<PassReport> {
    let mut reports = Vec::new();
    loop {
        let start = network.graph.node_count();
        for pass in PASSES.iter().filter(|pass| !without.contains(&pass.name)) {
            let before = network.graph.node_count();
            *network = (pass.run)(network);
            reports.push(PassReport { name: pass.name, before, after: network.graph.node_count() });
        }
        if network.graph.node_count() >= start {
            return reports;
        }
    }
}
