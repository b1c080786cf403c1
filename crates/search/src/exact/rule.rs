//! How the value of a state follows from those of its successors, by the kind of the game.

use ggp_game::Utility;

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

/// How the value of a state follows from those of its successors.
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

    /// What an ending is worth to a role, in millionths.
    pub(crate) fn utility(&self, ending: u16, role: usize) -> i64 {
        self.utilities[usize::from(ending) * self.roles + role]
    }

    /// The ending and the distance of a state in which a role decides, from those of its successors.
    pub(crate) fn value(&self, role: usize, successors: impl Iterator<Item = (u16, u32)>) -> (u16, u32) {
        let better = |best, next| if self.is_better(role, next, best) { next } else { best };
        let (ending, distance) = successors.reduce(better).expect("a state that is not over has a successor");
        if self.is_draw(ending) { (ending, 0) } else { (ending, distance + 1) }
    }

    /// Whether a role prefers one value to another: the greater utility; among equal ones the nearer end of a win, and
    /// the farther one of a loss. In games of several players the first of equal ones is kept.
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

    /// Whether an ending is a draw of two opponents, which neither forces.
    pub(crate) fn is_draw(&self, ending: u16) -> bool {
        let GameKind::Opponents(sum) = self.kind else { return false };
        self.utilities[usize::from(ending) * self.roles..][..self.roles].iter().all(|utility| 2 * utility == sum)
    }
}
