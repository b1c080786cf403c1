//! What the bits, moves and goal values of a program stand for.

use super::Program;
use fixedbitset::FixedBitSet;
use gdl::number::index_id;
use gdl::rules::GroundTerm;
use ggp_game::{ReasonError, Role, Utility, UtilityRange};
use serde::{Deserialize, Serialize};

index_id! {
    /// A fluent: an index into the fluents of a network, or into [`Program::facts`](super::Program::facts).
    #[derive(Serialize, Deserialize, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord, Debug)]
    pub struct FluentId
}

/// How a state represents a fluent.
#[derive(Serialize, Deserialize, Clone, Copy, PartialEq, Eq, Debug)]
pub enum FluentStorage {
    /// With a bit of its own.
    Own,
    /// Not at all: it holds in every reachable state (true), or in none (false).
    Always(bool),
    /// By another fluent, which has a bit of its own and always the same value.
    Same(FluentId),
}

/// A move of a role as the network knows it.
#[derive(Serialize, Deserialize, Clone, PartialEq, Eq, Debug)]
pub struct MoveInput {
    /// The role that can make the move.
    pub role: Role,
    /// The term of the move.
    pub term: GroundTerm,
    /// Whether it can be legal at all; otherwise it has neither input nor output.
    pub is_possible: bool,
}

/// A goal value of a role.
#[derive(Serialize, Deserialize, Clone, PartialEq, Eq, Debug)]
pub struct RoleGoal {
    /// The role that the value is for.
    pub role: Role,
    /// The value; the rules may make it something other than an integer.
    pub value: GroundTerm,
}

impl Program {
    /// Whether a fact holds in a state.
    pub(crate) fn holds(&self, state: &FixedBitSet, fact: usize) -> bool {
        match self.facts[fact].1 {
            FluentStorage::Always(value) => value,
            FluentStorage::Own => self.bit_of[fact].is_some_and(|bit| state.contains(bit as usize)),
            FluentStorage::Same(other) => self.holds(state, other.index()),
        }
    }

    /// The facts that hold in a state, in canonical order.
    pub(crate) fn facts_in<'a>(&'a self, state: &'a FixedBitSet) -> impl Iterator<Item = &'a GroundTerm> {
        let facts = self.facts.iter().enumerate();
        facts.filter(|&(fact, _)| self.holds(state, fact)).map(|(_, (fact, _))| fact)
    }

    /// The utility that a goal value stands for, given as an index into [`Program::goals`].
    pub(crate) fn utility(&self, goal: usize) -> Option<Utility> {
        let RoleGoal { role, value } = &self.goals[goal];
        self.utilities.value(&self.roles[role.index()], value).map(Utility::from)
    }

    /// The bounds between which all utilities lie: those of goal values from 0 to 100, and of all that can hold.
    pub(crate) fn utility_range(&self) -> UtilityRange {
        let declared = UtilityRange::from(self.utilities.range(&self.roles));
        let can_hold = |goal: &usize| self.goal[*goal] != self.always.negated();
        let players = Role::players(&self.roles).flat_map(|role| self.goals_of(role));
        let utilities = players.filter(can_hold).filter_map(|goal| self.utility(goal));
        utilities.fold(declared, UtilityRange::including)
    }

    /// The utility of a state for a role in which these goal values hold, given as indices into [`Program::goals`].
    pub(crate) fn worth(&self, role: Role, mut goals: impl Iterator<Item = usize>) -> Result<Utility, ReasonError> {
        let role_term = || self.roles[role.index()].clone();
        let value = |goal: usize| self.goals[goal].value.clone();
        let Some(only) = goals.next() else { return Err(ReasonError::GoalUndefined { role: role_term() }) };
        if let Some(second) = goals.next() {
            let values = [only, second].into_iter().chain(goals).map(value).collect();
            return Err(ReasonError::GoalNotUnique { role: role_term(), values });
        }
        self.utility(only).ok_or_else(|| ReasonError::no_utility(&self.utilities, role_term(), value(only)))
    }
}
