//! Random play on a netlist, of 64 games at once: each word has one bit of each game.
//!
//! What is false in one of the games need not be tried to be proved. The end of a game is ignored, as in the proofs: a
//! game goes on while every role has a legal move, and then begins anew.

use super::super::netlist::Netlist;
use super::super::network::{Component, Output};
use super::super::order::Order;
use crate::game::Chance;
use crate::limits::{Poll, Stopped};
use petgraph::graph::NodeIndex;

/// At most this many joint moves are made in each game.
const MOST_STEPS: usize = 100;

/// At most this many components and edges are evaluated, but a few steps are always made.
const MOST_EVALUATED: usize = 20_000_000;
const LEAST_STEPS: usize = 8;

/// 64 games of a netlist.
pub(super) struct Sample<'a> {
    netlist: &'a Netlist,
    /// The components in order, grouped by cycle, first those that depend on the state alone.
    order: [Vec<Vec<NodeIndex>>; 2],
    /// For each role, the input of each of its moves and the component that its legality reads.
    moves: Vec<Vec<(NodeIndex, NodeIndex)>>,
    /// For each base, its initial value, and what its next output reads.
    bases: Vec<(NodeIndex, bool, Option<NodeIndex>)>,
    values: Vec<u64>,
    chance: Chance,
}

impl<'a> Sample<'a> {
    /// Games in the initial state.
    pub(super) fn new(netlist: &'a Netlist, poll: &Poll<'_>) -> Result<Self, Stopped> {
        let order = Order::within(netlist, poll)?;
        let mut depends = vec![false; netlist.components.len()];
        let mut parts = [Vec::new(), Vec::new()];
        for group in order.groups() {
            poll.steps(group.len())?;
            let is_later = group.iter().any(|&node| {
                matches!(netlist.component(node), Component::Input(_))
                    || netlist.inputs(node).iter().any(|input| depends[input.index()])
            });
            group.iter().for_each(|node| depends[node.index()] = is_later);
            let is_gate =
                |node: &NodeIndex| !matches!(netlist.component(*node), Component::Base(_) | Component::Input(_));
            if group.iter().all(is_gate) {
                parts[usize::from(is_later)].push(group.to_vec());
            }
        }
        let (mut nexts, mut legality) =
            (vec![None; netlist.network.fluents.len()], vec![None; netlist.network.moves.len()]);
        for node in netlist.nodes() {
            match netlist.component(node) {
                Component::Output(Output::Next(fluent)) => nexts[fluent.index()] = Some(netlist.inputs(node)[0]),
                Component::Output(Output::Legal(chosen)) => legality[chosen.index()] = Some(netlist.inputs(node)[0]),
                _ => {}
            }
        }
        let (mut bases, mut moves) = (Vec::new(), vec![Vec::new(); netlist.network.roles.len()]);
        for node in netlist.nodes() {
            match netlist.component(node) {
                Component::Base(fluent) => {
                    let initially = netlist.network.fluents[fluent.index()].initially;
                    bases.push((node, initially, nexts[fluent.index()]));
                }
                Component::Input(chosen) => {
                    let role = netlist.network.moves[chosen.index()].role.index();
                    moves[role].extend(legality[chosen.index()].map(|legality| (node, legality)));
                }
                _ => {}
            }
        }
        let (values, chance) = (vec![0; netlist.components.len()], Chance::new(0));
        let mut sample = Self { netlist, order: parts, moves, bases, values, chance };
        sample.begin(u64::MAX);
        Ok(sample)
    }

    /// Plays, and calls `each` with the words of all components in each state; stops if it returns false.
    pub(super) fn play(&mut self, poll: &Poll<'_>, mut each: impl FnMut(&[u64]) -> bool) -> Result<(), Stopped> {
        let (components, edges) = self.netlist.size();
        let steps = (MOST_EVALUATED / (components + edges + 1)).clamp(LEAST_STEPS, MOST_STEPS);
        for _ in 0..steps {
            poll.steps(components + edges)?;
            self.evaluate(0);
            if !each(&self.values) {
                break;
            }
            let stuck = self.choose();
            self.evaluate(1);
            let next = |&(_, _, next): &(_, _, Option<NodeIndex>)| next.map_or(0, |next| self.values[next.index()]);
            let words: Vec<u64> = self.bases.iter().map(next).collect();
            self.bases.iter().zip(words).for_each(|(&(base, ..), word)| self.values[base.index()] = word);
            self.begin(stuck);
        }
        Ok(())
    }

    /// Begins some of the games.
    fn begin(&mut self, lanes: u64) {
        for &(base, initially, _) in &self.bases {
            let value = &mut self.values[base.index()];
            *value = if initially { *value | lanes } else { *value & !lanes };
        }
    }

    fn evaluate(&mut self, part: usize) {
        for group in &self.order[part] {
            if let &[node] = group.as_slice()
                && !self.netlist.inputs(node).contains(&node)
            {
                self.values[node.index()] = self.value(node);
                continue;
            }
            group.iter().for_each(|node| self.values[node.index()] = 0);
            let mut has_changed = true;
            while std::mem::take(&mut has_changed) {
                for &node in group {
                    let value = self.value(node);
                    has_changed |= std::mem::replace(&mut self.values[node.index()], value) != value;
                }
            }
        }
    }

    fn value(&self, node: NodeIndex) -> u64 {
        let mut inputs = self.netlist.inputs(node).iter().map(|input| self.values[input.index()]);
        match self.netlist.component(node) {
            Component::Constant(value) => {
                if value {
                    u64::MAX
                } else {
                    0
                }
            }
            Component::And => inputs.fold(u64::MAX, |all, input| all & input),
            Component::Or => inputs.fold(0, |any, input| any | input),
            Component::Not => !inputs.next().unwrap_or_default(),
            Component::View | Component::Output(_) => inputs.next().unwrap_or_default(),
            Component::Base(_) | Component::Input(_) => self.values[node.index()],
        }
    }

    /// Chooses a legal move for each role in each game; returns the games in which a role has none.
    fn choose(&mut self) -> u64 {
        let mut stuck = 0;
        for moves in &self.moves {
            let mut counts = [0_usize; 64];
            for &(input, legality) in moves {
                self.values[input.index()] = 0;
                ones(self.values[legality.index()]).for_each(|lane| counts[lane] += 1);
            }
            let mut left = counts.map(|count| if count == 0 { 0 } else { self.chance.below(count) + 1 });
            stuck |= (0..64).filter(|&lane| counts[lane] == 0).fold(0, |lanes, lane| lanes | 1 << lane);
            for &(input, legality) in moves {
                for lane in ones(self.values[legality.index()]) {
                    // 1 at the chosen move, 0 after it.
                    self.values[input.index()] |= u64::from(left[lane] == 1) << lane;
                    left[lane] = left[lane].saturating_sub(1);
                }
            }
        }
        stuck
    }
}

/// The indices of the set bits of a word.
fn ones(word: u64) -> impl Iterator<Item = usize> {
    std::iter::successors(Some(word), |word| Some(word & word.wrapping_sub(1)))
        .take_while(|&word| word != 0)
        .map(|word| word.trailing_zeros() as usize)
}
