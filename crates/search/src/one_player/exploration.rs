//! `Exploration`: a breadth-first search of one player that continues from move to move.
//!
//! Fluents that only count the moves made, such as step counters, are clocks ([`ClockFluents`]). States
//! that differ in nothing else count as one.

use super::problem::{Lookahead, PLAYER};
use crate::budget::Meter;
use crate::outcome::Halt;
use crate::{Budget, Outcome, Plan, SearchError};
use gdl::number::to_u32;
use ggp_game::{BatchReasoner, Chance, Expansion, Fluent, Move, ReasonError, Reasoner, Utility};
use rustc_hash::FxHashSet;
use std::collections::{BTreeMap, BTreeSet, VecDeque};

/// A breadth-first search that is kept while moves are made: after a move it continues with the states that can still
/// be reached.
///
/// Fluents that only count moves, clocks, are detected. States that differ in nothing else count as one, and the
/// first that is reached is kept. If the whole space has been searched in this way without a plan for the best utility,
/// the search begins again without clocks.
///
/// - Precondition: one role.
/// - Guarantee: [`Exploration::is_exact`] says whether every state has been seen; the plan is the best of what has been
///   seen.
/// - Cost: every state nearer than the plan, in time and memory. Making a move is cheap by itself: the known nodes are
///   listed again while the search goes on, and successors of the new root that were left out because another line had
///   reached them are generated again.
/// - Source: Russell and Norvig, *Artificial Intelligence: A Modern Approach*, the chapter on solving problems by
///   searching; keeping the tree over moves: Koenig and Likhachev, *Adaptive A\**, 2005.
pub struct Exploration<R: Reasoner> {
    nodes: Vec<ExplorationNode<R::State>>,
    /// The keys of the states that can be reached from the root.
    known: FxHashSet<u128>,
    clocks: ClockFluents,
    /// The seed of the random lines that detect clocks; `None` when that is done.
    seed: Option<u64>,
    root: u32,
    /// Nodes from the root up to this one have been listed.
    listed: u32,
    /// No node before this one waits.
    next: u32,
    /// Expanded nodes, some of whose successors have to be generated again.
    again: VecDeque<u32>,
    /// The number of waiting nodes below each successor of the root.
    waiting: BTreeMap<u32, u64>,
    /// The best terminal node that can be reached.
    best: Option<(u32, Utility)>,
    bytes: u64,
    is_full: bool,
    is_exhausted: bool,
}

/// A state that has been reached.
struct ExplorationNode<S> {
    state: S,
    key: u128,
    /// The parent and the move between them; `None` for the very first node.
    from: Option<(u32, Move)>,
    /// The number of moves from the very first node.
    depth: u32,
    /// The successor of the root below which the node lies.
    branch: u32,
    kind: ExplorationStatus,
}

/// The status of a node.
#[derive(Clone, Copy, PartialEq, Eq)]
enum ExplorationStatus {
    Waiting,
    /// Expanded; all its successors are nodes.
    Expanded,
    /// Expanded; some successors had been reached by other lines and were left out.
    Cut,
    End(Utility),
}

/// The branch of the root, and that of nodes that cannot be reached from it.
const ROOT: u32 = u32::MAX - 1;
const OUTSIDE: u32 = u32::MAX;

impl<R: BatchReasoner> Exploration<R> {
    /// Starts a search from a state.
    ///
    /// # Errors
    /// If the game has more than one role.
    pub fn new(reasoner: &R, state: &R::State, seed: u64) -> Result<Self, SearchError> {
        SearchError::unless_one_role(reasoner.roles())?;
        let mut exploration = Self {
            nodes: Vec::new(),
            known: FxHashSet::default(),
            clocks: ClockFluents::none(),
            seed: Some(seed),
            root: 0,
            listed: 0,
            next: 0,
            again: VecDeque::new(),
            waiting: BTreeMap::new(),
            best: None,
            bytes: 0,
            is_full: false,
            is_exhausted: false,
        };
        exploration.begin(reasoner, state.clone());
        Ok(exploration)
    }

    /// Forgets all nodes and begins with `state`.
    fn begin(&mut self, reasoner: &R, state: R::State) {
        self.nodes.clear();
        self.clocks.begin();
        let key = self.clocks.key(reasoner, &state, 0).expect("no other state is known at this depth");
        (self.bytes, self.is_full, self.is_exhausted) = (Self::node_bytes(reasoner, &state), false, false);
        self.nodes.push(ExplorationNode {
            state,
            key,
            from: None,
            depth: 0,
            branch: ROOT,
            kind: ExplorationStatus::Waiting,
        });
        self.go_to(0);
    }

    /// Makes a node the root; the nodes from it on have to be listed again.
    fn go_to(&mut self, root: u32) {
        self.known.clear();
        self.again.clear();
        self.waiting.clear();
        (self.root, self.listed, self.next, self.best, self.is_exhausted) = (root, root, root, None, false);
    }

    /// Continues until the budget is spent, a plan reaches the best possible utility, or all states have been seen. The
    /// answer is the best plan from the current state.
    ///
    /// # Errors
    /// If the rules give no answer in some state.
    pub fn search(&mut self, reasoner: &mut R, budget: &Budget) -> Result<Outcome<Plan>, SearchError> {
        let mut meter = Meter::start_flat(budget).remembering();
        let end = self.run(reasoner, &mut meter);
        meter.best_so_far(end.err(), self.plan())
    }

    /// True if every state that can be reached has been seen, and none was left out.
    pub fn is_exact(&self) -> bool {
        self.is_exhausted && self.clocks.is_empty()
    }

    /// The first move towards the branch in which most states wait: the move that loses the least of the search.
    pub fn widest(&self) -> Option<Move> {
        let mut widest: Option<(u32, u64)> = None;
        for (&branch, &count) in &self.waiting {
            if count > 0 && widest.is_none_or(|(_, most)| count > most) {
                widest = Some((branch, count));
            }
        }
        let (branch, _) = widest?;
        self.nodes.get(branch as usize)?.from.map(|(_, chosen)| chosen)
    }

    /// Continues from the state after a move. The nodes below it are kept; if it is not known, or memory is full, the
    /// search begins again there.
    pub fn advance(&mut self, reasoner: &R, chosen: Move, state: &R::State) {
        let from = Some((self.root, chosen));
        let after = self.nodes.iter().skip(self.root as usize + 1).position(|node| node.from == from);
        match after.map(|offset| self.root + 1 + to_u32(offset)) {
            // If memory is full, beginning again is the only way to free nodes.
            Some(child) if !self.is_full && self.nodes[child as usize].state == *state => self.go_to(child),
            _ => self.begin(reasoner, state.clone()),
        }
    }

    fn run(&mut self, reasoner: &mut R, meter: &mut Meter<'_>) -> Result<(), Halt> {
        let mut lookahead = Lookahead::new();
        if let Some(seed) = self.seed.take() {
            let state = self.nodes[self.root as usize].state.clone();
            self.clocks = ClockFluents::learn(reasoner, &state, seed, meter)?;
            self.begin(reasoner, state);
        }
        loop {
            self.list(meter)?;
            if self.best.is_some_and(|(_, utility)| utility >= reasoner.utility_range().most) {
                return Ok(());
            }
            let goes_on = match self.again.front() {
                Some(&index) => self.expand_again(reasoner, index, meter)?,
                None => match self.next_waiting() {
                    Some(index) => self.expand(reasoner, index, &mut lookahead, meter)?,
                    // All states have been seen; without clocks none was left out.
                    None if self.clocks.is_empty() => {
                        self.is_exhausted = true;
                        return Ok(());
                    }
                    None => {
                        // A state that was left out as equal but for its clocks may lead to a better end.
                        self.clocks.clear();
                        false
                    }
                },
            };
            if !goes_on {
                let state = self.nodes[self.root as usize].state.clone();
                self.begin(reasoner, state);
                lookahead = Lookahead::new();
            }
        }
    }

    /// Lists the nodes that can be reached from the root, and those that have to be expanded.
    fn list(&mut self, meter: &Meter<'_>) -> Result<(), Halt> {
        while (self.listed as usize) < self.nodes.len() {
            if self.listed.is_multiple_of(1 << 10) {
                meter.pause()?;
            }
            let index = self.listed;
            self.listed += 1;
            let branch = match self.nodes[index as usize].from {
                _ if index == self.root => ROOT,
                Some((parent, _)) if parent == self.root => index,
                Some((parent, _)) if parent > self.root => self.nodes[parent as usize].branch,
                _ => OUTSIDE,
            };
            let node = &mut self.nodes[index as usize];
            // Of two nodes with one state the one that was reached first is kept.
            node.branch = if branch == OUTSIDE || !self.known.insert(node.key) { OUTSIDE } else { branch };
            if node.branch == OUTSIDE {
                continue;
            }
            match node.kind {
                ExplorationStatus::Waiting => *self.waiting.entry(branch).or_default() += 1,
                ExplorationStatus::Cut => self.again.push_back(index),
                ExplorationStatus::End(utility) => self.keep_if_best(index, utility),
                ExplorationStatus::Expanded => {}
            }
        }
        Ok(())
    }

    /// The next waiting node that can be reached.
    fn next_waiting(&mut self) -> Option<u32> {
        while let Some(node) = self.nodes.get(self.next as usize) {
            self.next += 1;
            if node.kind == ExplorationStatus::Waiting && node.branch != OUTSIDE {
                return Some(self.next - 1);
            }
        }
        None
    }

    /// Expands a node for the first time; false if the search has to begin again.
    fn expand(
        &mut self,
        reasoner: &mut R,
        index: u32,
        lookahead: &mut Lookahead<R::State>,
        meter: &mut Meter<'_>,
    ) -> Result<bool, Halt> {
        // If a limit is reached, the node stays waiting.
        self.next = index;
        let states = self.nodes[index as usize..].iter().map(|node| &node.state);
        lookahead.expand(reasoner, index as usize, states);
        let turn = match lookahead.get(index as usize)? {
            Expansion::End(goals) => {
                let utility = goals[PLAYER.index()].clone()?;
                self.settle(index, ExplorationStatus::End(utility));
                self.keep_if_best(index, utility);
                return Ok(true);
            }
            Expansion::Turn(turn) => turn,
        };
        meter.expand();
        let moves = turn.legal(PLAYER);
        if moves.is_empty() {
            return Err(ReasonError::NoLegalMove { role: reasoner.roles()[0].clone() }.into());
        }
        let mut kind = ExplorationStatus::Expanded;
        for (number, &chosen) in moves.iter().enumerate() {
            let state = turn.successor(reasoner, &self.nodes[index as usize].state, number)?;
            match self.add(reasoner, index, chosen, &state, meter)? {
                AddResult::New => {}
                AddResult::Known => kind = ExplorationStatus::Cut,
                AddResult::NoClock => return Ok(false),
            }
        }
        self.settle(index, kind);
        Ok(true)
    }

    /// Generates the successors again that were left out; false if the search has to begin again.
    fn expand_again(&mut self, reasoner: &mut R, index: u32, meter: &mut Meter<'_>) -> Result<bool, Halt> {
        let mut legal = Vec::new();
        let state = self.nodes[index as usize].state.clone();
        reasoner.legal_moves(&state, PLAYER, &mut legal)?;
        for chosen in legal {
            let next = reasoner.next_state(&state, &[chosen])?;
            if matches!(self.add(reasoner, index, chosen, &next, meter)?, AddResult::NoClock) {
                return Ok(false);
            }
        }
        self.again.pop_front();
        Ok(true)
    }

    /// Adds the state after a move, unless it is known.
    fn add(
        &mut self,
        reasoner: &R,
        parent: u32,
        chosen: Move,
        state: &R::State,
        meter: &mut Meter<'_>,
    ) -> Result<AddResult, Halt> {
        let ExplorationNode { depth, branch, .. } = self.nodes[parent as usize];
        let index = to_u32(self.nodes.len());
        let branch = if branch == ROOT { index } else { branch };
        let Some(key) = self.clocks.key(reasoner, state, depth + 1) else { return Ok(AddResult::NoClock) };
        if self.known.contains(&key) {
            return Ok(AddResult::Known);
        }
        meter.visit(depth + 1)?;
        let bytes = self.bytes + Self::node_bytes(reasoner, state);
        if let Err(halt) = meter.holds(bytes) {
            self.is_full = true;
            return Err(halt);
        }
        self.bytes = bytes;
        self.known.insert(key);
        let from = Some((parent, chosen));
        self.nodes.push(ExplorationNode {
            state: state.clone(),
            key,
            from,
            depth: depth + 1,
            branch,
            kind: ExplorationStatus::Waiting,
        });
        *self.waiting.entry(branch).or_default() += 1;
        self.listed = to_u32(self.nodes.len());
        Ok(AddResult::New)
    }

    /// Sets the status of a node that was waiting.
    fn settle(&mut self, index: u32, kind: ExplorationStatus) {
        let node = &mut self.nodes[index as usize];
        node.kind = kind;
        if let Some(count) = self.waiting.get_mut(&node.branch) {
            *count -= 1;
        }
        self.next = index + 1;
    }

    fn keep_if_best(&mut self, index: u32, utility: Utility) {
        if self.best.is_none_or(|(_, best)| utility > best) {
            self.best = Some((index, utility));
        }
    }

    /// The moves from the root to the best terminal node.
    fn plan(&self) -> Option<Plan> {
        let (mut index, utility) = self.best?;
        let mut moves = Vec::new();
        while index != self.root {
            let (parent, chosen) = self.nodes[index as usize].from?;
            moves.push(chosen);
            index = parent;
        }
        moves.reverse();
        Some(Plan { moves, utility })
    }

    /// The approximate number of bytes of a node with its key in `known`, including spare capacity: a growing vector
    /// has up to half of its capacity free.
    fn node_bytes(reasoner: &R, state: &R::State) -> u64 {
        (3 * (size_of::<ExplorationNode<R::State>>() + size_of::<u128>()) / 2 + reasoner.heap_bytes(state)) as u64
    }
}

/// The result of adding a state.
enum AddResult {
    New,
    /// Another line has reached the state.
    Known,
    /// The state shows that a fluent taken for a clock is not one.
    NoClock,
}

/// The clocks of a search.
struct ClockFluents {
    clocks: FxHashSet<Fluent>,
    /// The clocks that hold at each depth that has been reached, each list sorted.
    at: Vec<Option<Vec<Fluent>>>,
    /// Buffers for the fluents of a state, and for the clocks among them.
    fluents: Vec<Fluent>,
    holding: Vec<Fluent>,
}

impl ClockFluents {
    /// The number of random lines, and their greatest length in joint moves.
    const LINES: usize = 8;
    const LONGEST: usize = 200;

    fn none() -> Self {
        Self { clocks: FxHashSet::default(), at: Vec::new(), fluents: Vec::new(), holding: Vec::new() }
    }

    /// The clocks that random lines from a state suggest.
    fn learn<R: Reasoner>(reasoner: &mut R, state: &R::State, seed: u64, meter: &Meter<'_>) -> Result<Self, Halt> {
        let mut random = Chance::new(seed);
        let mut lines: Vec<Vec<BTreeSet<Fluent>>> = Vec::new();
        for _ in 0..Self::LINES {
            let mut state = state.clone();
            let mut line = Vec::new();
            for _ in 0..Self::LONGEST {
                let mut fluents = Vec::new();
                reasoner.fluents(&state, &mut fluents);
                line.push(fluents.into_iter().collect());
                meter.pause()?;
                match reasoner.random_step(&mut state, &mut |count| random.below(count)) {
                    Ok(true) => {}
                    Err(error @ ReasonError::Stopped(_)) => return Err(error.into()),
                    // The line ends, or the rules give no answer there; the search will report that if it gets there.
                    Ok(false) | Err(_) => break,
                }
            }
            lines.push(line);
        }
        Ok(Self { clocks: clocks_of(&lines), ..Self::none() })
    }

    fn is_empty(&self) -> bool {
        self.clocks.is_empty()
    }

    fn clear(&mut self) {
        self.clocks.clear();
    }

    /// Forgets which clocks hold at which depth, for a search that counts depths from a new first state.
    fn begin(&mut self) {
        self.at.clear();
    }

    /// A 128-bit hash of the fluents of a state that are not clocks. `None` if its clocks differ from those of another
    /// state at `depth`, the number of moves from the first state: the fluents that differ are no longer clocks, and
    /// earlier keys are invalid.
    fn key<R: Reasoner>(&mut self, reasoner: &R, state: &R::State, depth: u32) -> Option<u128> {
        reasoner.fluents(state, &mut self.fluents);
        self.holding.clear();
        let mut key = 0;
        for &fluent in &self.fluents {
            if self.clocks.contains(&fluent) {
                self.holding.push(fluent);
            } else {
                key = mix(key, fluent);
            }
        }
        if self.clocks.is_empty() {
            return Some(key);
        }
        let depth = depth as usize;
        if self.at.len() <= depth {
            self.at.resize(depth + 1, None);
        }
        match &self.at[depth] {
            Some(known) if *known != self.holding => {
                let differ = |fluent: &&Fluent| known.contains(fluent) != self.holding.contains(fluent);
                for fluent in known.iter().chain(&self.holding).filter(differ) {
                    self.clocks.remove(fluent);
                }
                return None;
            }
            Some(_) => {}
            none => {
                debug_assert!(none.is_none());
                self.at[depth] = Some(self.holding.clone());
            }
        }
        Some(key)
    }
}

/// The fluents that hold at some depths and not at others, and at each depth in all lines of at least that length or in
/// none.
fn clocks_of(lines: &[Vec<BTreeSet<Fluent>>]) -> FxHashSet<Fluent> {
    let mut seen: BTreeSet<Fluent> = BTreeSet::new();
    let mut always: Option<BTreeSet<Fluent>> = None;
    let mut differing = BTreeSet::new();
    let longest = lines.iter().map(Vec::len).max().unwrap_or(0);
    for depth in 0..longest {
        let mut states = lines.iter().filter_map(|line| line.get(depth));
        let Some(first) = states.next() else { continue };
        for state in states {
            differing.extend(first.symmetric_difference(state).copied());
        }
        for state in lines.iter().filter_map(|line| line.get(depth)) {
            seen.extend(state);
            always = Some(always.map_or_else(|| state.clone(), |always| always.intersection(state).copied().collect()));
        }
    }
    let always = always.unwrap_or_default();
    seen.into_iter().filter(|fluent| !differing.contains(fluent) && !always.contains(fluent)).collect()
}

/// Extends a 128-bit hash by a fluent.
fn mix(key: u128, fluent: Fluent) -> u128 {
    const FIRST: u128 = 0x9e37_79b9_7f4a_7c15_f39c_c060_5ced_c835;
    const SECOND: u128 = 0xda94_2042_e4dd_58b5_6c8e_9cf5_7093_2bd5;
    // The multiplications spread each fluent over all bits; the shift brings the high bits down again.
    let mixed = (key ^ (fluent.index() as u128 + 1).wrapping_mul(SECOND)).wrapping_mul(FIRST);
    mixed ^ (mixed >> 67)
}
