//! Retrograde analysis in memory, from the ends of the game back to all states that lead to them; and the rule by which
//! the value of a state follows from those of its successors, for every analysis.
//!
//! The analysis holds the predecessors of each state and goes from state to state, so that each joint move is followed
//! once. It is for the games that `solve` holds in memory, and for the few states that answer a search with a table
//! (`repeating.rs`). A game that is solved into a folder, by one process or many, has no room for predecessors: there
//! `solving/run/rounds.rs` finds the same values forwards, in rounds, and pays by expanding open states again.

use crate::SearchError;
use crate::budget::Meter;
use crate::explore::state_space::{StateKind, StateSpace};
use crate::outcome::Halt;
use gdl::number::to_u32;
use gdl::sorting;
use ggp_game::Utility;

/// The result of best play from each state.
#[derive(Debug)]
pub(super) struct SpaceValues {
    /// The ending, as an index into [`StateSpace::endings`]; [`OPEN`] if no end can be forced.
    pub(super) endings: Vec<u16>,
    /// The number of joint moves to it.
    pub(super) distances: Vec<u32>,
}

/// No end can be forced.
pub(super) const OPEN: u16 = u16::MAX;

/// The states that lead to each state.
pub(super) struct Predecessors {
    ends: Vec<u32>,
    states: Vec<u32>,
}

/// Finds the value of every state.
///
/// - Source: Ströhlein, *Untersuchungen über kombinatorische Spiele*, 1970; Thompson, *Retrograde Analysis of Certain
///   Endgames*, ICCA Journal 9, 1986: here with any number of utilities, the best first.
pub(super) fn values(space: &StateSpace, roles: usize, meter: &mut Meter<'_>) -> Result<SpaceValues, Halt> {
    let states = space.len();
    let joint_moves = space.joint_moves();
    // The predecessors and, for each state, its ending, distance, counter and an entry of the queue.
    let bytes = joint_moves * size_of::<u32>() + states * (size_of::<u16>() + 4 * size_of::<u32>());
    meter.holds(space.bytes() + bytes as u64)?;
    let mut analysis = Analysis {
        space,
        predecessors: Predecessors::new(space),
        values: SpaceValues { endings: vec![OPEN; states], distances: vec![0; states] },
        open: (0..states).map(|state| to_u32(space.successors(state).len())).collect(),
        queue: Vec::new(),
        meter,
    };
    match GameKind::from_endings(&space.endings, roles) {
        GameKind::OneRole => {
            for utility in analysis.utilities(0) {
                analysis.force(0, utility)?;
            }
        }
        GameKind::Opponents(sum) => {
            for role in 0..2 {
                // From no state can both sides force more than half, so neither takes states from the other.
                for utility in analysis.utilities(role).into_iter().filter(|utility| 2 * utility.millionths() > sum) {
                    analysis.force(role, utility)?;
                }
            }
            // What neither side wins is drawn.
            analysis.draw(sum);
        }
        // Without an end no state is settled, whatever the utilities would be.
        GameKind::Several if space.endings.is_empty() => {}
        GameKind::Several => analysis.induce()?,
    }
    Ok(analysis.values)
}

struct Analysis<'a, 'b> {
    space: &'a StateSpace,
    predecessors: Predecessors,
    values: SpaceValues,
    /// For each state, the number of its successors that are not settled yet.
    open: Vec<u32>,
    queue: Vec<u32>,
    meter: &'a mut Meter<'b>,
}

impl Analysis<'_, '_> {
    /// The number of states between two checks of the clock.
    const STATES_PER_CHECK: usize = 1 << 16;

    /// The utilities of a role in the endings, best first.
    fn utilities(&self, role: usize) -> Vec<Utility> {
        let mut utilities: Vec<Utility> = self.space.endings.iter().map(|ending| ending[role]).collect();
        sorting::sort_by(&mut utilities, |left, right| right.cmp(left));
        utilities.dedup();
        utilities
    }

    /// Finds all open states from which a role can force this utility, the nearest first; states from which it can
    /// force more are settled already.
    fn force(&mut self, role: usize, utility: Utility) -> Result<(), Halt> {
        self.settle(
            |ending| ending[role] == utility,
            |analysis, before, after| {
                if analysis.values.endings[before] != OPEN {
                    return None;
                }
                let decides = match analysis.space.kind(before) {
                    StateKind::Turn(chooser) => chooser as usize == role,
                    _ => true,
                };
                analysis.open[before] -= 1;
                // Where the other side decides, all its moves have to be settled. The last of them leads to the
                // farthest end with this utility, as states are settled in the order of their distances.
                (decides || analysis.open[before] == 0).then_some(after)
            },
        )
    }

    /// Settles the ends of the game that count, and then, move by move backwards, the states from which moves lead to
    /// settled ones. For each such move from `before` to `after`, `settles(self, before, after)` is the successor of
    /// `before` whose value it has, if it is settled now.
    fn settle(
        &mut self,
        counts: impl Fn(&[Utility]) -> bool,
        settles: impl Fn(&mut Self, usize, usize) -> Option<usize>,
    ) -> Result<(), Halt> {
        self.queue.clear();
        for state in 0..self.space.len() {
            if let StateKind::End(ending) = self.space.kind(state)
                && counts(&self.space.endings[ending as usize])
            {
                self.values.endings[state] = ending;
                self.queue.push(to_u32(state));
            }
        }
        let mut next = 0;
        while let Some(&after) = self.queue.get(next) {
            if next.is_multiple_of(Self::STATES_PER_CHECK) {
                self.meter.pause()?;
            }
            next += 1;
            for index in self.predecessors.range(after) {
                let before = self.predecessors.states[index] as usize;
                if let Some(source) = settles(self, before, after as usize) {
                    self.values.endings[before] = self.values.endings[source];
                    self.values.distances[before] = self.values.distances[source] + 1;
                    self.queue.push(to_u32(before));
                }
            }
        }
        Ok(())
    }

    /// States from which neither side can force more than half are worth half to both, if the game has such an end at
    /// all.
    fn draw(&mut self, sum: i64) {
        let half = |ending: &Vec<Utility>| ending.iter().all(|utility| 2 * utility.millionths() == sum);
        let Some((draw, _)) = (0..).zip(&self.space.endings).find(|(_, ending)| half(ending)) else { return };
        for ending in self.values.endings.iter_mut().filter(|ending| **ending == OPEN) {
            *ending = draw;
        }
    }

    /// Backward induction: the value of a state is that of the successor that is best for the role that decides.
    fn induce(&mut self) -> Result<(), Halt> {
        self.settle(
            |_| true,
            |analysis, before, _| {
                analysis.open[before] -= 1;
                (analysis.open[before] == 0).then(|| analysis.favourite(before) as usize)
            },
        )?;
        if self.queue.len() == self.space.len() { Ok(()) } else { Err(Halt::Refused(SearchError::Circular)) }
    }

    /// The first of the successors that are best for the role that decides.
    fn favourite(&self, state: usize) -> u32 {
        let role = match self.space.kind(state) {
            StateKind::Turn(role) => role as usize,
            _ => 0,
        };
        let worth = |&state: &u32| self.space.endings[self.values.endings[state as usize] as usize][role];
        let mut successors = self.space.successors(state).iter();
        let first = successors.next().expect("a state that is not over has a successor");
        *successors.fold(first, |best, successor| if worth(successor) > worth(best) { successor } else { best })
    }
}

impl Predecessors {
    /// Inverts all joint moves by counting sort.
    pub(super) fn new(space: &StateSpace) -> Self {
        let mut ends = vec![0_u32; space.len() + 1];
        for state in 0..space.len() {
            space.successors(state).iter().for_each(|&after| ends[after as usize + 1] += 1);
        }
        for state in 0..space.len() {
            ends[state + 1] += ends[state];
        }
        // Each entry is where the predecessors of a state begin; filling them in moves it to where they end.
        let mut states = vec![0; space.joint_moves()];
        for state in 0..space.len() {
            for &after in space.successors(state) {
                let slot = &mut ends[after as usize];
                states[*slot as usize] = to_u32(state);
                *slot += 1;
            }
        }
        Self { ends, states }
    }

    /// The states before a state, one entry for each joint move.
    pub(super) fn predecessors(&self, state: u32) -> impl Iterator<Item = u32> {
        self.states[self.range(state)].iter().copied()
    }

    fn range(&self, state: u32) -> std::ops::Range<usize> {
        let start = if state == 0 { 0 } else { self.ends[state as usize - 1] };
        start as usize..self.ends[state as usize] as usize
    }
}

/// The method by which the values of a game are found.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum GameKind {
    /// One role: the best end that can be reached.
    OneRole,
    /// Two roles, whose utilities have this sum, in millionths, in each terminal state.
    Opponents(i64),
    /// Any other number of roles or utilities, in a game whose states never repeat.
    Several,
}

impl GameKind {
    /// The kind of a game of this many roles with these endings, each the utilities of all roles.
    pub(crate) fn from_endings(endings: &[Vec<Utility>], roles: usize) -> Self {
        let sum = |ending: &Vec<Utility>| ending.iter().map(|utility| utility.millionths()).sum::<i64>();
        match (roles, endings.first().map(sum)) {
            (1, _) => Self::OneRole,
            (2, Some(first)) if endings.iter().all(|ending| sum(ending) == first) => Self::Opponents(first),
            _ => Self::Several,
        }
    }
}

/// The rule by which the value of a state follows from those of its successors.
#[derive(Clone, Debug)]
pub(crate) struct Rule {
    pub(crate) kind: GameKind,
    /// The utility in millionths for each role, ending after ending.
    utilities: Vec<i64>,
    roles: usize,
}

impl Rule {
    /// The rule of a game with these endings, each the utilities of all roles.
    pub(crate) fn new(endings: &[Vec<Utility>], roles: usize) -> Self {
        let utilities = endings.iter().flatten().map(|utility| utility.millionths()).collect();
        Self { kind: GameKind::from_endings(endings, roles), utilities, roles }
    }

    /// The utility of an ending for a role, in millionths.
    pub(crate) fn utility(&self, ending: u16, role: usize) -> i64 {
        self.utilities[usize::from(ending) * self.roles + role]
    }

    /// The ending and the distance of a state in which a role decides, from those of its successors.
    pub(crate) fn value(&self, role: usize, successors: impl Iterator<Item = (u16, u32)>) -> (u16, u32) {
        let better = |best, next| if self.is_better(role, next, best) { next } else { best };
        let (ending, distance) = successors.reduce(better).expect("a state that is not over has a successor");
        if self.is_draw(ending) { (ending, 0) } else { (ending, distance + 1) }
    }

    /// True if a role prefers `one` value to the `other`: the greater utility; among equal ones the nearer end of a
    /// win, and the farther one of a loss. In games of several players no value is preferred to an equal one.
    pub(crate) fn is_better(&self, role: usize, one: (u16, u32), other: (u16, u32)) -> bool {
        let utility = |(ending, _): (u16, u32)| self.utility(ending, role);
        if utility(one) != utility(other) {
            return utility(one) > utility(other);
        }
        match self.kind {
            GameKind::OneRole => one.1 < other.1,
            GameKind::Opponents(sum) if 2 * utility(one) > sum => one.1 < other.1,
            GameKind::Opponents(_) => one.1 > other.1,
            GameKind::Several => false,
        }
    }

    /// True if an ending is a draw of two opponents, which neither forces.
    pub(crate) fn is_draw(&self, ending: u16) -> bool {
        let GameKind::Opponents(sum) = self.kind else { return false };
        self.utilities[usize::from(ending) * self.roles..][..self.roles].iter().all(|utility| 2 * utility == sum)
    }
}
