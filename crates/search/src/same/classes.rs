//! Two games whose states can be listed: classes of states that are alike, and what tells the initial states apart.

use super::graph::{GameGraph, Table};
use super::{DifferenceKind, GameDifference, GamePair, Sameness, names};
use gdl::number::to_u32;
use gdl::rules::GroundTerm;
use ggp_game::{Move, ReasonError, Reasoner, Role};
use rustc_hash::{FxHashMap, FxHashSet};
use std::hash::Hash;

/// The steps of the search for pairs of simultaneous moves in all states together.
const PAIRING_STEPS: u64 = 10_000_000;

/// Compares two games by all their states; `None` if one of them has more than `most`.
///
/// - Guarantee: both answers are proven. States are told apart in rounds: two states of different classes in round k
///   differ within k joint moves. Where several roles choose at once, a class may hold states that are not alike, so the
///   pairs of moves are then found one by one; if that takes too long, the answer is [`Sameness::Unknown`].
/// - Cost: a round for each joint move that the first difference is away, or until no round divides a class; memory of
///   four bytes for each state and round, and of the states themselves.
///
/// # Errors
/// If the rules of one of the games give no answer in some state.
pub fn compare_graphs<R: Reasoner>(pair: &mut GamePair<'_, R>, most: usize) -> Result<Option<Sameness>, ReasonError> {
    let own: Vec<Role> = pair.first_roles();
    let Some(first) = GameGraph::explore(pair.first, &own, most)? else { return Ok(None) };
    let Some(second) = GameGraph::explore(pair.second, &pair.roles, most)? else { return Ok(None) };
    let states = [first.len(), second.len()];
    let mut classes = StateClasses::new(first, second);
    if !classes.refine() {
        return Ok(Some(Sameness::Different(classes.explain(pair)?)));
    }
    if !classes.are_paired() {
        return Ok(Some(Sameness::Unknown { games: 0 }));
    }
    let by_name = classes.have_same_names(pair)?;
    Ok(Some(Sameness::Same { states, by_name }))
}

/// The classes of the states of both games, those of the second behind those of the first.
struct StateClasses<S> {
    graphs: [GameGraph<S>; 2],
    /// After each round, the class of each state.
    rounds: Vec<Vec<u32>>,
}

/// Numbers for keys, in the order in which they appear.
struct Numbers<K>(FxHashMap<K, u32>);

impl<K: Eq + Hash> Numbers<K> {
    fn new() -> Self {
        Self(FxHashMap::default())
    }

    fn number(&mut self, key: K) -> u32 {
        let next = to_u32(self.0.len());
        *self.0.entry(key).or_insert(next)
    }
}

impl<S: Clone + Eq + Hash> StateClasses<S> {
    /// The classes by what the states show.
    fn new(first: GameGraph<S>, second: GameGraph<S>) -> Self {
        let mut numbers = Numbers::new();
        let classes = first.shown.iter().chain(&second.shown).map(|shown| numbers.number(shown)).collect();
        Self { rounds: vec![classes], graphs: [first, second] }
    }

    fn table(&self, state: usize) -> (Table<'_>, usize) {
        let first = self.graphs[0].len();
        if state < first { (self.graphs[0].table(state), 0) } else { (self.graphs[1].table(state - first), first) }
    }

    /// Divides classes until none changes; false as soon as the initial states are in different ones.
    fn refine(&mut self) -> bool {
        let initial = [0, self.graphs[0].len()];
        let mut count = 0;
        loop {
            let last = self.rounds.last().expect("there is a round");
            if last[initial[0]] != last[initial[1]] {
                return false;
            }
            let mut numbers = Numbers::new();
            let mut slices = Numbers::new();
            let next: Vec<u32> = (0..last.len())
                .map(|state| {
                    let (table, offset) = self.table(state);
                    let mut key = signature(&table, |entry| last[offset + entry as usize], &mut slices);
                    key.push(last[state]);
                    numbers.number(key)
                })
                .collect();
            if numbers.0.len() == count {
                return true;
            }
            count = numbers.0.len();
            self.rounds.push(next);
        }
    }

    /// True if in each state the moves can be paired with those of the first state of its class.
    fn are_paired(&self) -> bool {
        let last = self.rounds.last().expect("there is a round");
        let mut representatives: FxHashMap<u32, usize> = FxHashMap::default();
        let mut steps = PAIRING_STEPS;
        for state in 0..last.len() {
            let representative = *representatives.entry(last[state]).or_insert(state);
            let (table, offset) = self.table(state);
            if representative == state || !table.is_simultaneous() {
                continue;
            }
            let (other, other_offset) = self.table(representative);
            let colours = |table: &Table<'_>, offset: usize| -> Vec<u32> {
                table.entries.iter().map(|&entry| last[offset + entry as usize]).collect()
            };
            let tables = [(&table, colours(&table, offset)), (&other, colours(&other, other_offset))];
            if !(Pairing { tables, steps: &mut steps, chosen: Vec::new() }).exists() {
                return false;
            }
        }
        true
    }

    /// True if in all pairs of states that the same names lead to, the moves have the same names and lead to states that
    /// are alike.
    fn have_same_names<R: Reasoner<State = S>>(&self, pair: &mut GamePair<'_, R>) -> Result<bool, ReasonError> {
        let last = self.rounds.last().expect("there is a round");
        let mut queue = vec![(0_u32, 0_u32)];
        let mut seen: FxHashSet<(u32, u32)> = queue.iter().copied().collect();
        while let Some((left, right)) = queue.pop() {
            if last[left as usize] != last[self.graphs[0].len() + right as usize] {
                return Ok(false);
            }
            let Some(successors) = self.by_name(pair, left as usize, right as usize)? else { return Ok(false) };
            for step in successors {
                if seen.insert((step.left, step.right)) {
                    queue.push((step.left, step.right));
                }
            }
        }
        Ok(true)
    }

    /// The successors that joint moves of the same names lead to, with the indices of the moves; `None` if the names of
    /// the legal moves differ.
    fn by_name<R: Reasoner<State = S>>(
        &self,
        pair: &mut GamePair<'_, R>,
        left: usize,
        right: usize,
    ) -> Result<Option<Vec<NamedStep>>, ReasonError> {
        let (table, other) = (self.graphs[0].table(left), self.graphs[1].table(right));
        let mut positions = Vec::new();
        for role in pair.first_roles() {
            let own = names(pair.first, &self.graphs[0].states[left], role)?;
            let others = names(pair.second, &self.graphs[1].states[right], pair.roles[role.index()])?;
            let found: Option<Vec<usize>> =
                own.iter().map(|name| others.iter().position(|other| other == name)).collect();
            match found {
                Some(found) if own.len() == others.len() => positions.push(found),
                _ => return Ok(None),
            }
        }
        let steps = (0..table.entries.len()).map(|entry| {
            let indices: Vec<usize> = table.indices(entry).collect();
            let others: Vec<usize> = indices.iter().zip(&positions).map(|(&index, role)| role[index]).collect();
            NamedStep {
                left: table.entries[entry],
                right: other.entries[other.position(&others)],
                indices: [indices, others],
            }
        });
        Ok(Some(steps.collect()))
    }

    /// A shortest way to a difference, by joint moves of the same names where these lead to one.
    fn explain<R: Reasoner<State = S>>(&self, pair: &mut GamePair<'_, R>) -> Result<GameDifference, ReasonError> {
        let offset = self.graphs[0].len();
        let (mut left, mut right) = (0, 0);
        let mut lines = [Vec::new(), Vec::new()];
        loop {
            let differs = |round: &Vec<u32>| round[left] != round[offset + right];
            let round = self.rounds.iter().position(differs).expect("the classes differ");
            let states = [&self.graphs[0].states[left], &self.graphs[1].states[right]];
            if round == 0 {
                let shown = pair.shown(states[0], states[1])?;
                let kind = pair.difference(states[0], states[1], &shown)?;
                return Ok(GameDifference { lines, kind: kind.expect("what they show differs") });
            }
            let before = &self.rounds[round - 1];
            let named = self.by_name(pair, left, right)?.unwrap_or_default();
            let step =
                named.into_iter().find(|step| before[step.left as usize] != before[offset + step.right as usize]);
            let Some(step) = step.or_else(|| self.unpaired(left, right, before)) else {
                return Ok(GameDifference { lines, kind: DifferenceKind::Arrangement });
            };
            let own = pair.first_roles();
            lines[0].push(joint_move(pair.first, states[0], &own, &step.indices[0])?);
            lines[1].push(joint_move(pair.second, states[1], &pair.roles, &step.indices[1])?);
            (left, right) = (step.left as usize, step.right as usize);
        }
    }

    /// Joint moves to states of different classes, each of a class that the other state leads to less often.
    fn unpaired(&self, left: usize, right: usize, classes: &[u32]) -> Option<NamedStep> {
        let offset = self.graphs[0].len();
        let (table, other) = (self.graphs[0].table(left), self.graphs[1].table(right));
        let mut excess: FxHashMap<u32, i64> = FxHashMap::default();
        for &entry in table.entries {
            *excess.entry(classes[entry as usize]).or_default() += 1;
        }
        for &entry in other.entries {
            *excess.entry(classes[offset + entry as usize]).or_default() -= 1;
        }
        let own = table.entries.iter().position(|&entry| excess[&classes[entry as usize]] > 0)?;
        let others = other.entries.iter().position(|&entry| excess[&classes[offset + entry as usize]] < 0)?;
        let indices = [table.indices(own).collect(), other.indices(others).collect()];
        Some(NamedStep { left: table.entries[own], right: other.entries[others], indices })
    }
}

/// A joint move in each game, as the index of each role's move, in the order of the first game's roles.
struct NamedStep {
    left: u32,
    right: u32,
    indices: [Vec<usize>; 2],
}

/// The terms of a joint move, in the order of the reasoner's roles. `roles` has the order of the indices.
fn joint_move<R: Reasoner>(
    reasoner: &mut R,
    state: &R::State,
    roles: &[Role],
    indices: &[usize],
) -> Result<Vec<GroundTerm>, ReasonError> {
    let mut moves = vec![None; roles.len()];
    for (&role, &index) in roles.iter().zip(indices) {
        let mut legal: Vec<Move> = Vec::new();
        reasoner.legal_moves(state, role, &mut legal)?;
        moves[role.index()] = Some(reasoner.move_term(legal[index]));
    }
    Ok(moves.into_iter().flatten().collect())
}

/// A key of the table of a state that is the same for all ways to number the moves of a role.
fn signature(table: &Table<'_>, class: impl Fn(u32) -> u32, slices: &mut Numbers<(usize, Vec<u32>)>) -> Vec<u32> {
    let mut colours: Vec<u32> = table.entries.iter().map(|&entry| class(entry)).collect();
    if table.is_simultaneous() {
        // Each move of a role is known by the entries that go with it; each entry then by the moves that lead to it.
        let of_moves = move_colours(table, &colours, slices);
        for (entry, colour) in colours.iter_mut().enumerate() {
            let moves = table.indices(entry).enumerate().map(|(role, index)| of_moves[role][index]);
            let key: Vec<u32> = moves.chain([*colour]).collect();
            *colour = slices.number((usize::MAX, key));
        }
    }
    colours.sort_unstable();
    colours
}

/// For each role and each of its moves, a number of the entries that go with the move, whatever their order.
fn move_colours(table: &Table<'_>, colours: &[u32], slices: &mut Numbers<(usize, Vec<u32>)>) -> Vec<Vec<u32>> {
    let mut of_moves: Vec<Vec<Vec<u32>>> = table.counts.iter().map(|&count| vec![Vec::new(); count]).collect();
    for (entry, &colour) in colours.iter().enumerate() {
        for (role, index) in table.indices(entry).enumerate() {
            of_moves[role][index].push(colour);
        }
    }
    let number = |(role, moves): (usize, Vec<Vec<u32>>)| -> Vec<u32> {
        let mut numbers = Vec::with_capacity(moves.len());
        for mut slice in moves {
            slice.sort_unstable();
            numbers.push(slices.number((role, slice)));
        }
        numbers
    };
    of_moves.into_iter().enumerate().map(number).collect()
}

/// The search for pairs of the moves of two states, role by role.
struct Pairing<'t> {
    /// The tables, each with the classes of its entries.
    tables: [(&'t Table<'t>, Vec<u32>); 2],
    steps: &'t mut u64,
    /// For each role that has been treated, and the one that is treated, the moves of the second table that stand for
    /// those of the first in order.
    chosen: Vec<Vec<usize>>,
}

impl Pairing<'_> {
    fn exists(mut self) -> bool {
        let mut slices = Numbers::new();
        let colours = self.tables.each_ref().map(|(table, classes)| move_colours(table, classes, &mut slices));
        self.extend(&colours, 0)
    }

    /// Pairs the moves of a role and of those behind it.
    fn extend(&mut self, colours: &[Vec<Vec<u32>>; 2], role: usize) -> bool {
        if role == self.tables[0].0.counts.len() {
            return self.fits();
        }
        self.chosen.push(Vec::new());
        let is_found = self.choose(colours, role);
        if !is_found {
            self.chosen.pop();
        }
        is_found
    }

    /// Pairs the next move of a role.
    fn choose(&mut self, colours: &[Vec<Vec<u32>>; 2], role: usize) -> bool {
        let index = self.chosen[role].len();
        let count = self.tables[0].0.counts[role];
        if index == count {
            return self.extend(colours, role + 1);
        }
        for other in 0..count {
            if self.chosen[role].contains(&other) || colours[0][role][index] != colours[1][role][other] {
                continue;
            }
            let Some(left) = self.steps.checked_sub(1) else { return false };
            *self.steps = left;
            self.chosen[role].push(other);
            if self.choose(colours, role) {
                return true;
            }
            self.chosen[role].truncate(index);
        }
        false
    }

    /// True if all entries that stand for each other are of one class.
    fn fits(&mut self) -> bool {
        let [(table, classes), (other, other_classes)] = &self.tables;
        *self.steps = self.steps.saturating_sub(classes.len() as u64);
        (0..classes.len()).all(|entry| {
            let indices: Vec<usize> =
                table.indices(entry).zip(&self.chosen).map(|(index, chosen)| chosen[index]).collect();
            classes[entry] == other_classes[other.position(&indices)]
        })
    }
}
