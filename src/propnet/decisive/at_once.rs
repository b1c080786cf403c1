//! Decisive moves where two roles choose at the same time: moves with which a role wins at once whatever the other does,
//! and moves with which it can lose at once. What follows is computed for each pair of their moves.

use super::after::Changes;
use super::gates::GateBuilder;
use super::{Ends, GuardedChoice};
use crate::limits::{Poll, Stop};
use crate::program::Wire;

/// The moves of a choice that win or can lose at once, as signals of the state.
#[derive(Default)]
pub(super) struct AtOnce {
    /// For each move of the choice, whether it wins after every move of the other role; empty if the role chooses alone.
    pub(super) wins: Vec<Wire>,
    /// For each move of the choice, whether the other role wins after some move of its own; empty if the role chooses
    /// alone.
    pub(super) losses: Vec<Wire>,
}

impl AtOnce {
    /// Those of each choice, where two roles have a choice whenever one of them has; `None` if there are too many gates.
    ///
    /// # Errors
    /// If the limits end the work.
    pub(super) fn of_choices(
        builder: &mut GateBuilder,
        choices: &[GuardedChoice],
        ends: &Ends,
        changes: &Changes,
        poll: &Poll<'_>,
    ) -> Result<Option<Vec<Self>>, Stop> {
        let mut all: Vec<Self> = choices.iter().map(|_| Self::default()).collect();
        for (index, choice) in choices.iter().enumerate() {
            let mut others = choices.iter().enumerate().filter(|(_, other)| other.guard == choice.guard);
            let (Some((first, _)), Some((second, other)), None) = (others.next(), others.next(), others.next()) else {
                continue;
            };
            if first == index {
                let Some([own, replies]) = Self::of_pair(builder, choice, other, ends, changes, poll)? else {
                    return Ok(None);
                };
                all[first] = own;
                all[second] = replies;
            }
        }
        Ok(Some(all))
    }

    /// Those of two choices that have the same guard.
    fn of_pair(
        builder: &mut GateBuilder,
        choice: &GuardedChoice,
        other: &GuardedChoice,
        ends: &Ends,
        changes: &Changes,
        poll: &Poll<'_>,
    ) -> Result<Option<[Self; 2]>, Stop> {
        let mut tables = [choice, other].map(|choice| Table::new(choice.moves.len()));
        for (row, &chosen) in choice.moves.iter().enumerate() {
            for (column, &reply) in other.moves.iter().enumerate() {
                let Some(after) = changes.after(builder, choice, &[chosen, reply], poll)? else { return Ok(None) };
                let [own, others] = [choice, other].map(|choice| ends.won_by(builder, choice.role, &after));
                let [chosen, reply] = [chosen, reply].map(|index| builder.program().legal[index].wire);
                tables[0].add(builder, row, reply, [own, others]);
                tables[1].add(builder, column, chosen, [others, own]);
            }
        }
        Ok(Some(tables.map(|table| table.into_moves(builder))))
    }
}

/// For each move of a role, what happens after each of the other role's.
struct Table {
    /// Whether the role has not won, though the reply is legal.
    not_won: Vec<Vec<Wire>>,
    /// Whether the other role has won with a legal reply.
    lost: Vec<Vec<Wire>>,
}

impl Table {
    fn new(moves: usize) -> Self {
        Self { not_won: vec![Vec::new(); moves], lost: vec![Vec::new(); moves] }
    }

    /// Adds what follows a move and a reply, if the reply is legal: whether the role has won, and the other one.
    fn add(&mut self, builder: &mut GateBuilder, chosen: usize, reply: Wire, [won, lost]: [Wire; 2]) {
        self.not_won[chosen].push(builder.and(&[reply, won.negated()]));
        self.lost[chosen].push(builder.and(&[reply, lost]));
    }

    fn into_moves(self, builder: &mut GateBuilder) -> AtOnce {
        let mut any =
            |of_moves: Vec<Vec<Wire>>| -> Vec<Wire> { of_moves.iter().map(|wires| builder.or(wires)).collect() };
        let wins = any(self.not_won).into_iter().map(Wire::negated).collect();
        AtOnce { wins, losses: any(self.lost) }
    }
}
