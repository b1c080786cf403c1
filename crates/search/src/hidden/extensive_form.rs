//! The extensive form of a game: its tree below a state, compiled once to arrays.
//!
//! States are expanded once each, however many lines lead to them; the tree has a node for each line. The strategies of
//! a role are described by its sequences: the empty one, and one for each move at each of its information sets. With
//! perfect recall a sequence determines all moves that the role made before, so what matters of the leaves is a table
//! ([`LeafTable`]): the sequence of each role, and the probability that chance leads there times the utilities.
//!
//! - Source: Kuhn, *Extensive Games and the Problem of Information*, 1953; Koller, Megiddo and von Stengel, *Efficient
//!   Computation of Equilibria for Extensive Two-Person Games*, Games and Economic Behavior 14, 1996.

use super::{Observation, ViewStep};
use crate::budget::Meter;
use crate::memory::{StateTable, list_bytes};
use crate::outcome::Halt;
use crate::{Budget, Outcome, SearchError};
use gdl::number::{to_index, to_u32};
use gdl::rules::GroundTerm;
use ggp_game::{Move, PerceptReasoner, ReasonError, Role, Utility};
use rustc_hash::FxHashMap;
use std::ops::Range;

/// The tree of a game below a state, with what each role knows at each node. Moves and percepts are those of the
/// reasoner that made it, and of its forks.
#[derive(Clone, Debug)]
pub struct ExtensiveForm {
    /// The roles except chance.
    pub(super) players: Vec<Role>,
    /// The root first, each node before its children, and the children of a node one after the other.
    pub(super) nodes: Vec<FormNode>,
    /// The utilities of the players in each terminal node.
    pub(super) payoffs: Vec<f64>,
    /// Grouped by players; the set of an earlier decision of a player comes before those of later ones.
    pub(super) sets: Vec<InformationSet>,
    /// The sets of each player.
    pub(super) sets_of: Vec<Range<usize>>,
    /// The number of sequences of all players. Those with the numbers below the number of players are the empty ones.
    pub(super) sequences: usize,
    /// The leaves by the sequences that lead to them, and their payoffs times the probability of chance.
    pub(super) leaves: LeafTable,
    /// The sum of the utilities of all players, if it is the same in each terminal node.
    pub(super) constant_sum: Option<f64>,
    lists: Vec<Vec<Move>>,
    histories: Vec<PlayerHistory>,
    /// What a role is told of a joint move: numbers of percepts or, without percepts, of the moves of all roles.
    observations: Vec<Vec<u32>>,
}

/// A node of the tree.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct FormNode {
    pub(super) kind: FormNodeKind,
    /// The first child; the others follow.
    pub(super) first: u32,
}

/// The kind of a node.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum FormNodeKind {
    /// Chance makes each move of this list with the same probability.
    Chance(u32),
    /// The role of an information set chooses.
    Decision(u32),
    /// The game is over; the number of the payoffs.
    Terminal(u32),
}

/// Nodes that a role cannot tell apart, since it has made the same moves and had the same percepts before.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct InformationSet {
    /// The role that chooses, as an index among the players.
    pub(super) player: u32,
    /// What the role knows.
    history: u32,
    /// Its legal moves.
    moves: u32,
    /// The number of its legal moves.
    pub(super) count: u32,
    /// The sequence of its first move; those of the others follow.
    pub(super) first: u32,
    /// The sequence that leads here: the last decision of the same role before.
    pub(super) parent: u32,
    /// The number of nodes.
    pub(super) nodes: u32,
    /// The number of joint moves before it.
    ply: u32,
}

impl InformationSet {
    /// The sequences of its moves.
    #[inline]
    pub(super) fn moves(&self) -> Range<usize> {
        self.first as usize..(self.first + self.count) as usize
    }

    /// The number of nodes.
    pub fn size(&self) -> usize {
        self.nodes as usize
    }

    /// The number of joint moves before it.
    pub fn ply(&self) -> u32 {
        self.ply
    }

    /// True if it is in the first state.
    pub fn is_first(&self) -> bool {
        self.ply == 0
    }
}

/// The leaves of the tree, those with the same sequences together.
#[derive(Clone, Debug, Default)]
pub(super) struct LeafTable {
    /// The sequence of each player, leaf after leaf.
    pub(super) sequences: Vec<u32>,
    /// The payoff of each player times the probability of chance, leaf after leaf.
    pub(super) weights: Vec<f64>,
    /// The probability of chance of each leaf.
    pub(super) reach: Vec<f64>,
}

/// What a role knows: how it came here, and what it knew before; the first of each role has no step.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
struct PlayerHistory {
    /// What it knew before, or the index of the player.
    previous: u32,
    /// `None` in the first state.
    step: Option<PlayerStep>,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
struct PlayerStep {
    chosen: Move,
    observation: u32,
    /// True if the role had another legal move.
    is_choice: bool,
}

impl ExtensiveForm {
    /// The roles except chance, in the order of the rule sheet. Values come in this order.
    pub fn players(&self) -> &[Role] {
        &self.players
    }

    /// The index of a role among the players; `None` for chance.
    pub fn player(&self, role: Role) -> Option<usize> {
        self.players.iter().position(|&player| player == role)
    }

    /// The number of nodes: of chance, of decisions, and terminal ones.
    pub fn size(&self) -> usize {
        self.nodes.len()
    }

    /// The sum of the utilities of all players, if it is the same in each terminal node.
    pub fn constant_sum(&self) -> Option<f64> {
        self.constant_sum
    }

    /// True if strategies that no role regrets approach an equilibrium: with one role, or two of constant sum.
    pub fn regrets_lead_to_equilibrium(&self) -> bool {
        self.players.len() == 1 || self.is_two_player_constant_sum()
    }

    /// True if there are two players, and what one gains the other loses.
    pub(super) fn is_two_player_constant_sum(&self) -> bool {
        self.players.len() == 2 && self.constant_sum.is_some()
    }

    /// The information sets, those of each role together.
    pub fn information_sets(&self) -> &[InformationSet] {
        &self.sets
    }

    /// The information sets of a player, by its index, as indices of [`ExtensiveForm::information_sets`].
    pub fn sets_of(&self, player: usize) -> Range<usize> {
        self.sets_of[player].clone()
    }

    /// The role that chooses at an information set.
    pub fn role_of(&self, set: usize) -> Role {
        self.players[self.sets[set].player as usize]
    }

    /// The legal moves of the role that chooses at an information set, in canonical order.
    pub fn moves(&self, set: usize) -> &[Move] {
        &self.lists[self.sets[set].moves as usize]
    }

    /// What the role that chooses at an information set knows: each joint move as it saw it, in order.
    pub fn view<R: PerceptReasoner>(&self, reasoner: &R, set: usize) -> Vec<ViewStep> {
        let role = self.role_of(set);
        let mut steps = Vec::new();
        let mut history = self.histories[self.sets[set].history as usize];
        while let Some(PlayerStep { chosen, observation, is_choice }) = history.step {
            let observation = Observation { chosen, seen: self.observations[observation as usize].clone() };
            steps.push(observation.named(reasoner, role, is_choice));
            history = self.histories[history.previous as usize];
        }
        steps.reverse();
        steps
    }

    /// The information set in which a player, by its index, chooses after these observations; `None` if it has no
    /// choice there.
    pub fn set_after(&self, player: usize, view: &[Observation]) -> Option<usize> {
        // The first histories are those of the players before any joint move.
        let mut history = player;
        for Observation { chosen, seen } in view {
            let observation = self.observations.iter().position(|known| known == seen)?;
            // A history comes after the one that it continues.
            let continues = |own: &PlayerHistory| {
                let is_step = |step: PlayerStep| step.chosen == *chosen && step.observation as usize == observation;
                own.previous as usize == history && own.step.is_some_and(is_step)
            };
            history += 1 + self.histories[history + 1..].iter().position(continues)?;
        }
        self.sets_of(player).find(|&set| self.sets[set].history as usize == history)
    }

    /// The moves of a list, such as those of chance at a node.
    pub(super) fn moves_of_list(&self, list: u32) -> &[Move] {
        &self.lists[list as usize]
    }

    /// The number of players.
    #[inline]
    pub(super) fn width(&self) -> usize {
        self.players.len()
    }

    /// The children of a node.
    #[inline]
    pub(super) fn children(&self, node: FormNode) -> Range<usize> {
        let count = match node.kind {
            FormNodeKind::Chance(list) => self.lists[list as usize].len(),
            FormNodeKind::Decision(set) => self.sets[set as usize].count as usize,
            FormNodeKind::Terminal(_) => 0,
        };
        node.first as usize..node.first as usize + count
    }

    /// The utilities of the players in a terminal node.
    #[inline]
    pub(super) fn payoffs_at(&self, number: u32) -> &[f64] {
        &self.payoffs[number as usize * self.width()..][..self.width()]
    }
}

/// The extensive form of the game below a state, which all roles know.
///
/// - Precondition: a role knows its legal moves: they are the same in all states that it cannot tell apart.
/// - Guarantee: no answer if a limit stops the work; lines have at most [`Budget::DEPTH`] joint moves.
/// - Cost: a node for each line of play, and the successors of each state once.
///
/// # Errors
/// If the precondition does not hold, or the rules give no answer in some state.
pub fn extensive_form<R: PerceptReasoner>(
    reasoner: &mut R,
    state: &R::State,
    budget: &Budget,
) -> Result<Outcome<ExtensiveForm>, SearchError> {
    let players: Vec<Role> = Role::players(reasoner.roles()).collect();
    let compiler = FormCompiler {
        states: StateTable::default(),
        steps: FxHashMap::default(),
        lists: StateTable::default(),
        observations: StateTable::default(),
        histories: StateTable::default(),
        sets: Vec::new(),
        nodes: Vec::new(),
        payoffs: Vec::new(),
        sums: Vec::new(),
        leaves: LeafTable::default(),
        // The first sequence of each player is the empty one.
        sequences: players.len(),
        players,
        meter: Meter::start_without_horizon(budget),
        reasoner,
    };
    compiler.compile(state)
}

struct FormCompiler<'a, R: PerceptReasoner> {
    reasoner: &'a mut R,
    meter: Meter<'a>,
    players: Vec<Role>,
    states: StateTable<R::State, FormState>,
    /// For each state and joint move, by their numbers: the next state, and the move and the observation of each player.
    /// Each is computed once.
    steps: FxHashMap<(u32, u64), (u32, Vec<PlayerStep>)>,
    lists: StateTable<Vec<u32>, ()>,
    observations: StateTable<Vec<u32>, ()>,
    /// The histories of all players, each with the set in which the player chooses after it.
    histories: StateTable<PlayerHistory, Option<u32>>,
    sets: Vec<InformationSet>,
    nodes: Vec<FormNode>,
    payoffs: Vec<f64>,
    /// The sums of utilities in terminal states, in millionths, while they differ: one or two.
    sums: Vec<i64>,
    leaves: LeafTable,
    sequences: usize,
}

/// A state that is known.
#[derive(Clone, Debug)]
enum FormState {
    /// The number of its payoffs.
    Over(u32),
    /// The list of legal moves of each role.
    Legal(Vec<u32>),
}

/// A line to a node, with the choices that have been made in its last state.
#[derive(Clone)]
struct FormLine {
    state: u32,
    /// The number of roles that have chosen.
    role: usize,
    /// The number of the joint move, as far as it is chosen.
    joint_move: u64,
    /// The number of joint moves.
    depth: u32,
    /// The probability that chance leads here.
    probability: f64,
    /// What each player knows.
    histories: Vec<u32>,
    /// The last decision of each player.
    sequences: Vec<u32>,
}

impl<R: PerceptReasoner> FormCompiler<'_, R> {
    fn compile(mut self, state: &R::State) -> Result<Outcome<ExtensiveForm>, SearchError> {
        match self.grow(state) {
            Ok(()) => {
                let form = self.form();
                form.0.best_so_far(None, Some(form.1))
            }
            Err(halt) => self.meter.best_so_far(Some(halt), None),
        }
    }

    /// Adds all nodes below a state.
    fn grow(&mut self, state: &R::State) -> Result<(), Halt> {
        let players = self.players.len();
        let histories = (0..players).map(|player| self.history(PlayerHistory { previous: to_u32(player), step: None }));
        let histories = histories.collect();
        let sequences = (0..players).map(to_u32).collect();
        let state = self.state(state.clone())?;
        let line = FormLine { state, role: 0, joint_move: 0, depth: 0, probability: 1.0, histories, sequences };
        self.nodes.push(FormNode { kind: FormNodeKind::Terminal(0), first: 0 });
        // The nodes that are not yet expanded, each with the line to it.
        let mut pending = vec![(0, line)];
        while let Some((node, line)) = pending.pop() {
            self.meter.visit(line.depth)?;
            self.meter.holds(self.bytes() + (pending.len() * (size_of::<(u32, FormLine)>() + 8 * players)) as u64)?;
            self.expand(node, line, &mut pending)?;
        }
        Ok(())
    }

    /// Gives a node its kind, and adds its children.
    fn expand(&mut self, node: u32, mut line: FormLine, pending: &mut Vec<(u32, FormLine)>) -> Result<(), Halt> {
        let roles = self.reasoner.roles().len();
        loop {
            let legal = match self.states.value(line.state) {
                &FormState::Over(payoffs) => {
                    self.nodes[node as usize].kind = FormNodeKind::Terminal(payoffs);
                    self.leaf(&line, payoffs);
                    return Ok(());
                }
                FormState::Legal(legal) => legal,
            };
            if line.role == roles {
                self.meter.reach(line.depth + 1)?;
                self.advance(&mut line)?;
                continue;
            }
            let list = legal[line.role];
            let role = Role::new(line.role);
            let count = self.lists.state(list).len();
            line.role += 1;
            if count == 1 {
                continue;
            }
            let first = to_u32(self.nodes.len());
            let player = self.players.iter().position(|&player| player == role);
            let set = match player {
                Some(player) => Some(self.information_set(player, &line, list)?),
                None => None,
            };
            let kind = set.map_or(FormNodeKind::Chance(list), FormNodeKind::Decision);
            self.nodes[node as usize] = FormNode { kind, first };
            // Children are adjacent, so a node has the number of its first child only.
            self.nodes.resize(self.nodes.len() + count, FormNode { kind: FormNodeKind::Terminal(0), first: 0 });
            self.meter.expand();
            // The first child is expanded first.
            for choice in (0..count).rev() {
                let mut line = line.clone();
                line.joint_move = line.joint_move * count as u64 + choice as u64;
                match player.zip(set) {
                    Some((player, set)) => line.sequences[player] = self.sets[set as usize].first + to_u32(choice),
                    None => line.probability /= count as f64,
                }
                pending.push((first + to_u32(choice), line));
            }
            return Ok(());
        }
    }

    /// The set in which a player chooses among the moves of a list at the end of a line.
    fn information_set(&mut self, player: usize, line: &FormLine, list: u32) -> Result<u32, Halt> {
        let history = line.histories[player];
        if let Some(set) = *self.histories.value(history) {
            let known = &mut self.sets[set as usize];
            if known.moves != list {
                let moves = [known.moves, list].map(|list| self.terms(list));
                let role = self.reasoner.roles()[self.players[player].index()].clone();
                return Err(Halt::Refused(SearchError::UnknownMoves { role, moves }));
            }
            known.nodes += 1;
            return Ok(set);
        }
        let set = to_u32(self.sets.len());
        *self.histories.value_mut(history) = Some(set);
        let count = self.lists.state(list).len();
        self.sets.push(InformationSet {
            player: to_u32(player),
            history,
            moves: list,
            count: to_u32(count),
            first: to_u32(self.sequences),
            parent: line.sequences[player],
            nodes: 1,
            ply: line.depth,
        });
        self.sequences += count;
        Ok(set)
    }

    /// Makes the joint move of a line.
    fn advance(&mut self, line: &mut FormLine) -> Result<(), Halt> {
        let key = (line.state, line.joint_move);
        if !self.steps.contains_key(&key) {
            let step = self.step(line.state, line.joint_move)?;
            self.steps.insert(key, step);
        }
        let (next, seen) = &self.steps[&key];
        line.state = *next;
        let seen = seen.clone();
        for (history, step) in line.histories.iter_mut().zip(seen) {
            *history = self.history(PlayerHistory { previous: *history, step: Some(step) });
        }
        line.role = 0;
        line.joint_move = 0;
        line.depth += 1;
        Ok(())
    }

    /// Computes a joint move in a state: the next state, and what each player sees of it.
    fn step(&mut self, number: u32, mut joint_move: u64) -> Result<(u32, Vec<PlayerStep>), Halt> {
        let FormState::Legal(legal) = self.states.value(number).clone() else { unreachable!("the game goes on") };
        let mut moves = vec![Move::new(0); legal.len()];
        for (chosen, &list) in moves.iter_mut().zip(&legal).rev() {
            let list = self.lists.state(list);
            *chosen = Move::new(list[to_index(joint_move % list.len() as u64)] as usize);
            joint_move /= list.len() as u64;
        }
        let state = self.states.state(number).clone();
        let next = self.reasoner.next_state(&state, &moves)?;
        let mut steps = Vec::with_capacity(self.players.len());
        for role in self.players.clone() {
            let Observation { chosen, seen } = Observation::of(self.reasoner, &state, &moves, role)?;
            let observation = number_of(&mut self.observations, seen);
            let is_choice = self.lists.state(legal[role.index()]).len() > 1;
            steps.push(PlayerStep { chosen, observation, is_choice });
        }
        Ok((self.state(next)?, steps))
    }

    /// The number of a state, which is expanded when it is met first.
    fn state(&mut self, state: R::State) -> Result<u32, Halt> {
        if let Some(number) = self.states.find(&state) {
            return Ok(number);
        }
        let kind = if self.reasoner.is_terminal(&state)? {
            let mut sum = 0;
            let number = to_u32(self.payoffs.len() / self.players.len().max(1));
            for &role in &self.players {
                let utility = self.reasoner.goal(&state, role)?;
                sum += utility.millionths();
                self.payoffs.push(utility.to_f64());
            }
            if self.sums.len() < 2 && !self.sums.contains(&sum) {
                self.sums.push(sum);
            }
            FormState::Over(number)
        } else {
            let mut legal = Vec::new();
            let mut moves = Vec::new();
            for role in 0..self.reasoner.roles().len() {
                self.reasoner.legal_moves(&state, Role::new(role), &mut moves)?;
                if moves.is_empty() {
                    let role = self.reasoner.roles()[role].clone();
                    return Err(ReasonError::NoLegalMove { role }.into());
                }
                let list = moves.iter().map(|chosen| to_u32(chosen.index())).collect();
                legal.push(number_of(&mut self.lists, list));
            }
            FormState::Legal(legal)
        };
        let heap = self.reasoner.heap_bytes(&state);
        Ok(self.states.insert(state, kind, heap))
    }

    fn history(&mut self, history: PlayerHistory) -> u32 {
        let found = self.histories.find(&history);
        found.unwrap_or_else(|| self.histories.insert(history, None, 0))
    }

    fn leaf(&mut self, line: &FormLine, payoffs: u32) {
        let players = self.players.len();
        self.leaves.sequences.extend_from_slice(&line.sequences);
        let payoffs = &self.payoffs[payoffs as usize * players..][..players];
        self.leaves.weights.extend(payoffs.iter().map(|payoff| payoff * line.probability));
        self.leaves.reach.push(line.probability);
    }

    /// The terms of a list of moves.
    fn terms(&self, list: u32) -> Vec<GroundTerm> {
        let moves = self.lists.state(list).iter();
        moves.map(|&chosen| self.reasoner.move_term(Move::new(chosen as usize))).collect()
    }

    /// The bytes in use, without those of the steps from states, of which there are fewer than nodes.
    fn bytes(&self) -> u64 {
        let lists = list_bytes(&self.nodes) + list_bytes(&self.sets) + list_bytes(&self.payoffs);
        let leaves = list_bytes(&self.leaves.sequences) + list_bytes(&self.leaves.weights);
        let steps = self.steps.len() * (size_of::<((u32, u64), (u32, Vec<PlayerStep>))>() + 64);
        (lists + leaves + steps) as u64 + self.histories.bytes_for_next(0) + self.states.bytes_for_next(0)
    }

    /// The finished form: sets and sequences are numbered player by player, and leaves with equal sequences merged.
    fn form<'a>(self) -> (Meter<'a>, ExtensiveForm)
    where
        Self: 'a,
    {
        let players = self.players.len();
        let mut order: Vec<u32> = (0..to_u32(self.sets.len())).collect();
        // The sort is stable, so that earlier decisions stay before later ones.
        gdl::sorting::sort_by_key(&mut order, |&set| self.sets[set as usize].player);
        let mut sequence_of: Vec<u32> = (0..to_u32(self.sequences)).collect();
        let mut set_of = vec![0; order.len()];
        let mut sets = Vec::with_capacity(order.len());
        let mut next = to_u32(players);
        for &old in &order {
            let set = self.sets[old as usize];
            for number in 0..set.count {
                sequence_of[(set.first + number) as usize] = next + number;
            }
            set_of[old as usize] = to_u32(sets.len());
            sets.push(InformationSet { first: next, parent: sequence_of[set.parent as usize], ..set });
            next += set.count;
        }
        let mut nodes = self.nodes;
        for node in &mut nodes {
            if let FormNodeKind::Decision(set) = &mut node.kind {
                *set = set_of[*set as usize];
            }
        }
        let starts = |player: usize| sets.partition_point(|set| (set.player as usize) < player);
        let sets_of = (0..players).map(|player| starts(player)..starts(player + 1)).collect();
        let mut leaves = self.leaves;
        leaves.sequences.iter_mut().for_each(|sequence| *sequence = sequence_of[*sequence as usize]);
        let constant_sum = match self.sums[..] {
            [sum] => Some(Utility::from_millionths(sum).to_f64()),
            _ => None,
        };
        let as_moves = |(list, ()): &(Vec<u32>, ())| list.iter().map(|&it| Move::new(it as usize)).collect();
        let form = ExtensiveForm {
            players: self.players,
            nodes,
            payoffs: self.payoffs,
            sets,
            sets_of,
            sequences: self.sequences,
            leaves: leaves.merged(players),
            constant_sum,
            lists: self.lists.from(0).iter().map(as_moves).collect(),
            histories: self.histories.from(0).iter().map(|(history, _)| *history).collect(),
            observations: self.observations.from(0).iter().map(|(list, ())| list.clone()).collect(),
        };
        (self.meter, form)
    }
}

/// The number of a list, which is added if it is new.
fn number_of(table: &mut StateTable<Vec<u32>, ()>, list: Vec<u32>) -> u32 {
    let heap = list_bytes(&list);
    table.find(&list).unwrap_or_else(|| table.insert(list, (), heap))
}

impl LeafTable {
    /// The same leaves in the order of their sequences, those with equal sequences as one.
    fn merged(self, players: usize) -> Self {
        if players == 0 {
            return self;
        }
        let at = |leaf: u32| &self.sequences[leaf as usize * players..][..players];
        let mut order: Vec<u32> = (0..to_u32(self.sequences.len() / players)).collect();
        gdl::sorting::sort_by(&mut order, |&one, &other| at(one).cmp(at(other)));
        let mut merged = Self::default();
        for leaf in order {
            let weights = &self.weights[leaf as usize * players..][..players];
            let reach = self.reach[leaf as usize];
            // `ends_with` compares whole leaves, since each has the same number of sequences.
            if merged.sequences.ends_with(at(leaf)) {
                let start = merged.weights.len() - players;
                merged.weights[start..].iter_mut().zip(weights).for_each(|(sum, weight)| *sum += weight);
                *merged.reach.last_mut().expect("a leaf was added") += reach;
            } else {
                merged.sequences.extend_from_slice(at(leaf));
                merged.weights.extend_from_slice(weights);
                merged.reach.push(reach);
            }
        }
        merged
    }
}
