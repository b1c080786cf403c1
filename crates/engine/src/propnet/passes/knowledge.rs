//! Consequences of known values of components: unit propagation through the gates, extended by the rules of play.
//!
//! A move that is made is legal, and each role makes exactly one move; of a group of exclusive fluents at most one
//! holds. Nothing is concluded about components on cycles, or from them: such a conclusion could rest on itself.

use super::super::netlist::{Netlist, Readers};
use super::super::network::{Component, MoveId, Output};
use gdl::limits::{Poll, Stop};
use gdl::number::to_u32;
use petgraph::graph::NodeIndex;

/// The maximum number of values that one assumption may add; the nearest consequences come first.
const MOST_CONCLUSIONS: usize = 1500;

/// If a component has more readers, only this many of them are visited.
const MOST_READERS: usize = 400;

/// In gates with more inputs, the case that all inputs are known is not looked for.
const MOST_INPUTS: usize = 64;

/// The maximum number of gates that one evaluation visits.
const MOST_EVALUATED: usize = 100;

/// The steps of a poll that an assumption counts for.
pub(super) const LONG: usize = 32;

/// Structural facts about a netlist; they stay valid while gates are replaced by equal ones.
pub(super) struct NetlistFacts {
    readers: Readers,
    is_cyclic: Vec<bool>,
    /// For each move, the component that its legal output reads.
    legality: Vec<Option<NodeIndex>>,
    /// The input of each move.
    input: Vec<Option<NodeIndex>>,
    /// The inputs of each role's moves.
    pub(super) moves: Vec<Vec<NodeIndex>>,
    /// For each base, the groups of which at most one base is true.
    groups: Vec<Vec<u32>>,
    members: Vec<Vec<NodeIndex>>,
    /// For each group, true if one of its bases is always true.
    is_complete: Vec<bool>,
    /// For each move, true if it is the only legal one whenever it is legal.
    is_forced: Vec<bool>,
    /// For each component, true if it depends on the moves.
    depends_on_moves: Vec<bool>,
    /// True if inputs of components may have changed since the readers were listed.
    pub(super) is_edited: bool,
}

impl NetlistFacts {
    pub(super) fn from_netlist(netlist: &Netlist, poll: &Poll<'_>) -> Result<Self, Stop> {
        let order = netlist.order(poll)?;
        let count = netlist.network.moves.len();
        let mut legality = vec![None; count];
        let mut input = vec![None; count];
        let mut moves = vec![Vec::new(); netlist.network.roles.len()];
        for node in netlist.nodes() {
            match netlist.component(node) {
                Component::Output(Output::Legal(chosen)) => legality[chosen.index()] = Some(netlist.inputs(node)[0]),
                Component::Input(chosen) => {
                    input[chosen.index()] = Some(node);
                    moves[netlist.network.moves[chosen.index()].role.index()].push(node);
                }
                _ => {}
            }
        }
        let groups = vec![Vec::new(); netlist.len()];
        let depends_on_moves = netlist.depends_on_moves(&order, poll)?;
        let is_cyclic = netlist.nodes().map(|node| order.is_cyclic(netlist.input_lists(), node)).collect();
        Ok(Self {
            readers: netlist.readers(poll)?,
            is_cyclic,
            legality,
            input,
            moves,
            groups,
            members: Vec::new(),
            is_complete: Vec::new(),
            is_forced: vec![false; count],
            depends_on_moves,
            is_edited: false,
        })
    }

    /// Withdraws all groups of exclusive fluents.
    pub(super) fn forget_groups(&mut self) {
        self.members.clear();
        self.is_complete.clear();
        self.groups.iter_mut().for_each(Vec::clear);
    }

    /// Finds the moves that are the only legal ones if they are legal, within `most` conclusions.
    pub(super) fn find_forced(
        &mut self,
        netlist: &Netlist,
        knowledge: &mut Knowledge,
        most: usize,
        poll: &Poll<'_>,
    ) -> Result<(), Stop> {
        self.is_forced.fill(false);
        for chosen in 0..self.is_forced.len() {
            let (Some(legality), Some(input)) = (self.legality[chosen], self.input[chosen]) else { continue };
            if self.is_cyclic(legality) || knowledge.effort > most {
                continue;
            }
            poll.steps(LONG)?;
            let mark = knowledge.mark();
            knowledge.assume(netlist, self, legality, true);
            let is_forced = knowledge.value(input) == Some(true);
            knowledge.go_back(mark);
            self.is_forced[chosen] = is_forced;
        }
        Ok(())
    }

    /// The component that must hold for a move to be legal, given the move's input.
    pub(super) fn legality_of(&self, netlist: &Netlist, input: NodeIndex) -> Option<NodeIndex> {
        match netlist.component(input) {
            Component::Input(chosen) => self.legality[chosen.index()],
            _ => None,
        }
    }

    /// True if a component, which must have existed from the start, depends on the moves.
    pub(super) fn depends_on_moves(&self, node: NodeIndex) -> bool {
        self.depends_on_moves[node.index()]
    }

    /// Declares that at most one of these bases is true in each state, or exactly one if the group is complete.
    pub(super) fn exclude(&mut self, bases: &[NodeIndex], is_complete: bool) {
        for base in bases {
            self.groups[base.index()].push(to_u32(self.members.len()));
        }
        self.members.push(bases.to_vec());
        self.is_complete.push(is_complete);
    }

    /// True if a component is on a cycle. Components that were added later are not.
    pub(super) fn is_cyclic(&self, node: NodeIndex) -> bool {
        self.is_cyclic.get(node.index()).copied().unwrap_or(false)
    }
}

/// Known values of components, which can be undone back to an earlier mark.
pub(super) struct Knowledge {
    values: Vec<Option<bool>>,
    known: Vec<NodeIndex>,
    /// True if the assumptions contradict each other.
    pub(super) is_impossible: bool,
    /// True if every role makes a move. This need not hold for statements about states alone: in a terminal state there
    /// may be no legal moves.
    pub(super) is_step: bool,
    /// True if nothing is concluded from moves about their readers, only about which moves are made.
    pub(super) stops_at_moves: bool,
    /// For each role, the number of inputs known to be false.
    unmade: Vec<usize>,
    /// For each role, an input known to be true.
    made: Vec<Option<NodeIndex>>,
    /// The role of each input.
    roles: Vec<Option<u32>>,
    /// The number of conclusions that have been drawn or tried so far.
    pub(super) effort: usize,
}

/// A point to which knowledge can be undone.
#[derive(Clone, Copy)]
pub(super) struct Mark {
    known: usize,
    is_impossible: bool,
}

impl Knowledge {
    pub(super) fn new(netlist: &Netlist) -> Self {
        let role = |component: &Component| match component {
            Component::Input(chosen) => Some(to_u32(netlist.network.moves[chosen.index()].role.index())),
            _ => None,
        };
        Self {
            values: vec![None; netlist.len()],
            known: Vec::new(),
            is_impossible: false,
            is_step: false,
            stops_at_moves: false,
            unmade: vec![0; netlist.network.roles.len()],
            made: vec![None; netlist.network.roles.len()],
            roles: netlist.nodes().map(|node| role(&netlist.component(node))).collect(),
            effort: 0,
        }
    }

    pub(super) fn mark(&self) -> Mark {
        Mark { known: self.known.len(), is_impossible: self.is_impossible }
    }

    /// Forgets all values that have become known since the mark.
    pub(super) fn go_back(&mut self, mark: Mark) {
        for node in self.known.drain(mark.known..) {
            match (self.roles[node.index()], self.values[node.index()]) {
                (Some(role), Some(false)) => self.unmade[role as usize] -= 1,
                (Some(role), Some(true)) => {
                    self.made[role as usize] = self.made[role as usize].filter(|&made| made != node);
                }
                _ => {}
            }
            self.values[node.index()] = None;
        }
        self.is_impossible = mark.is_impossible;
    }

    /// The value of a component, if it is known.
    pub(super) fn value(&self, node: NodeIndex) -> Option<bool> {
        self.values[node.index()]
    }

    /// Assumes a value, and draws its conclusions.
    pub(super) fn assume(&mut self, netlist: &Netlist, facts: &NetlistFacts, node: NodeIndex, value: bool) {
        // Breadth first, since the number of conclusions is bounded and the nearest ones matter most.
        let mut next = self.known.len();
        let most = next + MOST_CONCLUSIONS;
        self.set(node, value);
        while let Some(&node) = self.known.get(next)
            && next < most
            && !self.is_impossible
        {
            next += 1;
            let value = self.values[node.index()] == Some(true);
            if !facts.is_cyclic(node) {
                self.conclude_inputs(netlist, facts, node, value);
            }
            self.conclude_readers(netlist, facts, node, value);
        }
    }

    /// Records a value, or a contradiction if the opposite value is known.
    fn set(&mut self, node: NodeIndex, value: bool) {
        self.effort += 1;
        match self.values[node.index()] {
            None => {
                self.values[node.index()] = Some(value);
                self.known.push(node);
                match (self.roles[node.index()], value) {
                    (Some(role), false) => self.unmade[role as usize] += 1,
                    (Some(role), true) => self.made[role as usize] = self.made[role as usize].or(Some(node)),
                    _ => {}
                }
            }
            Some(known) => self.is_impossible |= known != value,
        }
    }

    /// Draws conclusions from the value of a component about its inputs, and about moves and fluents that exclude each
    /// other.
    fn conclude_inputs(&mut self, netlist: &Netlist, facts: &NetlistFacts, node: NodeIndex, value: bool) {
        let is_sure = |input: &&NodeIndex| !facts.is_cyclic(**input);
        match (netlist.component(node), value) {
            (Component::And, true) | (Component::Or, false) | (Component::View | Component::Output(_), _) => {
                netlist.inputs(node).iter().filter(is_sure).for_each(|&input| self.set(input, value));
            }
            (Component::Not, _) => {
                netlist.inputs(node).iter().filter(is_sure).for_each(|&input| self.set(input, !value))
            }
            (Component::Constant(constant), _) => self.is_impossible |= constant != value,
            (Component::Input(chosen), true) => {
                if let Some(legality) = facts.legality[chosen.index()].filter(|legality| !facts.is_cyclic(*legality)) {
                    self.set(legality, true);
                }
                let role = netlist.network.moves[chosen.index()].role.index();
                facts.moves[role].iter().filter(|&&other| other != node).for_each(|&other| self.set(other, false));
            }
            (Component::Input(chosen), false) if self.is_step => self.conclude_unmade(netlist, facts, chosen),
            (Component::Base(_), true) => {
                for &group in &facts.groups[node.index()] {
                    let others = facts.members[group as usize].iter().filter(|&&other| other != node);
                    others.for_each(|&other| self.set(other, false));
                }
            }
            (Component::Base(_), false) => {
                for &group in facts.groups[node.index()].iter().filter(|&&group| facts.is_complete[group as usize]) {
                    let members = &facts.members[group as usize];
                    let mut left = members.iter().filter(|&&other| self.value(other) != Some(false));
                    match (left.next(), left.next()) {
                        (None, _) => self.is_impossible = true,
                        (Some(&last), None) => self.set(last, true),
                        _ => {}
                    }
                }
            }
            _ => {}
        }
    }

    /// Draws conclusions from a move that is not made in a step: it is not legal if it would have been the only legal
    /// one, and the last move that is left is made.
    fn conclude_unmade(&mut self, netlist: &Netlist, facts: &NetlistFacts, chosen: MoveId) {
        let role = netlist.network.moves[chosen.index()].role.index();
        let moves = &facts.moves[role];
        if facts.is_forced[chosen.index()]
            && let Some(legality) = facts.legality[chosen.index()]
        {
            self.set(legality, false);
        }
        if self.unmade[role] + 1 >= moves.len() {
            // To search for the move that is left takes long, and it is nearly always known already.
            let is_left = |other: &NodeIndex| self.value(*other) != Some(false);
            match self.made[role].or_else(|| moves.iter().copied().find(is_left)) {
                Some(last) => self.set(last, true),
                None => self.is_impossible = true,
            }
        }
    }

    /// Draws conclusions from the value of a component about its readers.
    fn conclude_readers(&mut self, netlist: &Netlist, facts: &NetlistFacts, node: NodeIndex, value: bool) {
        let is_move = self.stops_at_moves && matches!(netlist.component(node), Component::Input(_));
        if is_move || node.index() >= facts.is_cyclic.len() {
            return;
        }
        let readers = facts.readers.reading(node);
        self.effort += readers.len().min(MOST_READERS);
        for &reader in readers.iter().take(MOST_READERS) {
            // A pass may have removed the edge since the readers were listed.
            let reads = || !facts.is_edited || netlist.inputs(reader).binary_search(&node).is_ok();
            if facts.is_cyclic(reader) || !reads() {
                continue;
            }
            match netlist.component(reader) {
                Component::And if !value => self.set(reader, false),
                Component::Or if value => self.set(reader, true),
                gate @ (Component::And | Component::Or) => {
                    let inputs = netlist.inputs(reader);
                    let are_all =
                        inputs.len() <= MOST_INPUTS && inputs.iter().all(|&input| self.value(input) == Some(value));
                    if are_all {
                        self.set(reader, gate == Component::And);
                    }
                }
                Component::Not => self.set(reader, !value),
                Component::View => self.set(reader, value),
                Component::Output(Output::Legal(chosen)) if !value => {
                    if let Some(input) = facts.input[chosen.index()] {
                        self.set(input, false);
                    }
                }
                _ => {}
            }
        }
    }

    /// The value of a component if it follows from the known values of the components below it.
    pub(super) fn evaluate(&mut self, netlist: &Netlist, facts: &NetlistFacts, node: NodeIndex) -> Option<bool> {
        let mut left = MOST_EVALUATED;
        let value = self.evaluate_within(netlist, facts, node, &mut left);
        self.effort += MOST_EVALUATED - left;
        value
    }

    fn evaluate_within(
        &self,
        netlist: &Netlist,
        facts: &NetlistFacts,
        node: NodeIndex,
        left: &mut usize,
    ) -> Option<bool> {
        if self.value(node).is_some() || facts.is_cyclic(node) || *left == 0 {
            return self.value(node);
        }
        *left -= 1;
        let deciding = match netlist.component(node) {
            Component::And => false,
            Component::Or => true,
            Component::Not => return self.evaluate_within(netlist, facts, netlist.inputs(node)[0], left).map(|v| !v),
            Component::View | Component::Output(_) => {
                return self.evaluate_within(netlist, facts, netlist.inputs(node)[0], left);
            }
            Component::Constant(value) => return Some(value),
            Component::Base(_) | Component::Input(_) => return None,
        };
        let mut all = true;
        for &input in netlist.inputs(node) {
            match self.evaluate_within(netlist, facts, input, left) {
                Some(value) if value == deciding => return Some(deciding),
                Some(_) => {}
                // A later input may still decide the value.
                None => all = false,
            }
        }
        all.then_some(!deciding)
    }
}
