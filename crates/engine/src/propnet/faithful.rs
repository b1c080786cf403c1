//! Checks of a network against its ground rules, before and after the passes.

use super::error::PropnetError;
use super::network::{Component, MoveId, Network, NetworkFluent, Output};
use crate::ground::{AtomId, AtomKind, Grounding};
use crate::program::{FluentId, FluentStorage};
use gdl::limits::Limits;
use gdl::rules::GroundTerm;
use rustc_hash::FxHashSet;

/// Checks that every proposition has one component, that the network's initial facts are those of the grounding, and
/// that everything the game is asked about has an output which reads its proposition. Linear in the number of atoms.
///
/// # Errors
/// [`PropnetError::Unfaithful`], with the first proposition that violates this; or if the limits end the work.
pub(super) fn check(grounding: &Grounding, network: &Network, limits: &Limits) -> Result<(), PropnetError> {
    let poll = limits.poll();
    poll.steps(network.names.len() + grounding.initial.len())?;
    let unfaithful = |proposition: &GroundTerm, problem| {
        Err(PropnetError::Unfaithful { proposition: proposition.to_string(), problem })
    };
    if let Some(twice) = network.names.windows(2).find(|pair| pair[0].0 == pair[1].0) {
        return unfaithful(&twice[0].0, "has two components");
    }
    let initial: FxHashSet<&GroundTerm> =
        grounding.initial.iter().map(|&atom| &grounding.atoms[atom.index()].term).collect();
    if let Some(fluent) = network.fluents.iter().find(|it| it.initially != initial.contains(&it.fact)) {
        return unfaithful(&fluent.fact, "has another initial value than the rules say");
    }
    let mut named = vec![None; network.graph.node_count()];
    network.names.iter().for_each(|(name, node)| named[node.index()] = Some(name));
    let mut answered: FxHashSet<&GroundTerm> = FxHashSet::default();
    for node in network.graph.node_indices() {
        poll.step()?;
        let Component::Output(output) = *network.component(node) else { continue };
        // An output that reads a constant has a proposition that no rule derives.
        let Some(read) = network.inputs(node).first().and_then(|input| named[input.index()]) else { continue };
        let proposition = network.proposition(output);
        if *read != proposition {
            return unfaithful(&proposition, "has an output that reads another proposition");
        }
        answered.insert(read);
    }
    let is_asked = |kind| !matches!(kind, AtomKind::True | AtomKind::Does(_) | AtomKind::View);
    let atoms = grounding.atoms.iter().zip((0..).map(AtomId::new)).filter(|(atom, _)| is_asked(atom.kind));
    for (_, id) in atoms {
        poll.step()?;
        let name = grounding.written(id);
        if !answered.contains(&name) {
            return unfaithful(&name, "has no output");
        }
    }
    Ok(())
}

/// Checks that everything which may change has its output: every fluent with a bit of its own, every move that can be
/// legal, every goal value, every feature, and terminal. Passes must keep these, because lowering treats a missing
/// output as false. Linear in the number of components.
///
/// # Errors
/// [`PropnetError::Unfaithful`], with the first proposition without an output.
pub(super) fn check_outputs(network: &Network) -> Result<(), PropnetError> {
    let components = network.graph.node_weights();
    let found: FxHashSet<Output> = components
        .filter_map(|component| if let Component::Output(output) = *component { Some(output) } else { None })
        .collect();
    let own = |(_, fluent): &(usize, &NetworkFluent)| fluent.storage == FluentStorage::Own;
    let next = network.fluents.iter().enumerate().filter(own).map(|(index, _)| Output::Next(FluentId::new(index)));
    let possible = network.moves.iter().enumerate().filter(|(_, known)| known.is_possible);
    let legal = possible.map(|(index, _)| Output::Legal(MoveId::new(index)));
    let goals = (0..network.goals.len()).map(Output::Goal);
    let features = (0..network.features.len()).map(Output::Feature);
    match next
        .chain(legal)
        .chain(goals)
        .chain(features)
        .chain([Output::Terminal])
        .find(|output| !found.contains(output))
    {
        Some(lost) => {
            let proposition = network.proposition(lost).to_string();
            Err(PropnetError::Unfaithful { proposition, problem: "has no output" })
        }
        None => Ok(()),
    }
}
