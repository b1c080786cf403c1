//! What follows the joint moves of the players in a node: where chance decides at the same time, the mean over its
//! moves.

use super::Uct;
use super::children::NodeIndex;
use super::choice::RoleChoice;
use super::proof::is_equal;
use super::tree::NodeTurn;
use ggp_game::{Reasoner, Role};
use std::borrow::Cow;

/// The greatest number of joint moves of a turn for which a proof over all of them is attempted.
const MOST_JOINT_MOVES: u64 = 1 << 16;

/// The choices in a node, those of the players apart from that of chance.
#[derive(Clone, Copy)]
pub(super) struct PlayersTurn<'t> {
    index: NodeIndex,
    turn: &'t NodeTurn,
    chance: Option<Role>,
    /// The number of moves of chance; 1 if it has no choice.
    random: u64,
    /// The number of joint moves of the players whose choices come after that of chance.
    later: u64,
}

impl<'t> PlayersTurn<'t> {
    fn new(index: NodeIndex, turn: &'t NodeTurn, chance: Option<Role>) -> Self {
        let mut random = 1;
        let mut later = 1_u64;
        for choice in turn.choices.iter().rev() {
            if Some(choice.role) == chance {
                random = choice.arms.len() as u64;
                break;
            }
            later *= choice.arms.len() as u64;
        }
        Self { index, turn, chance, random, later: if random == 1 { 1 } else { later } }
    }

    /// The choices of the players.
    #[inline]
    pub(super) fn choices(self) -> impl Iterator<Item = &'t RoleChoice> {
        self.turn.choices.iter().filter(move |choice| Some(choice.role) != self.chance)
    }

    /// Whether chance decides as well.
    #[inline]
    pub(super) fn has_chance(self) -> bool {
        self.random > 1
    }

    /// The choice of the only player who has one.
    #[inline]
    pub(super) fn only(self) -> Option<&'t RoleChoice> {
        let mut choices = self.choices();
        let first = choices.next();
        if choices.next().is_none() { first } else { None }
    }

    /// The position of a role among the players who have a choice.
    #[inline]
    pub(super) fn side(self, role: Role) -> Option<usize> {
        self.choices().position(|choice| choice.role == role)
    }

    /// The number of joint moves of the players.
    #[inline]
    pub(super) fn width(self) -> u64 {
        self.turn.width() / self.random
    }

    /// The numbers of the players' joint moves in which a side makes this pick.
    #[inline]
    pub(super) fn with_pick(self, side: usize, pick: usize) -> impl Iterator<Item = u64> {
        let mut later = self.choices().skip(side).map(|choice| choice.arms.len() as u64);
        let own = later.next().unwrap_or(1);
        let later: u64 = later.product();
        let earlier = self.width() / (own * later);
        (0..earlier).flat_map(move |high| (0..later).map(move |low| (high * own + pick as u64) * later + low))
    }

    /// The numbers of the joint moves, one for each move of chance, for one of the players.
    #[inline]
    fn joints(self, players: u64) -> impl Iterator<Item = u64> {
        let high = players / self.later;
        let low = players % self.later;
        (0..self.random).map(move |random| (high * self.random + random) * self.later + low)
    }
}

impl<R: Reasoner> Uct<R> {
    /// The choices in a node, if they have been computed and are not too many for proofs.
    #[inline]
    pub(super) fn players_turn(&self, index: NodeIndex) -> Option<PlayersTurn<'_>> {
        let turn = self.tree.node(index).turn.as_ref().filter(|turn| turn.width() <= MOST_JOINT_MOVES)?;
        Some(PlayersTurn::new(index, turn, self.chance))
    }

    /// The exact value for each role after a joint move of the players, [`super::proof::OPEN`] where it is not known;
    /// `None` if nothing is known.
    pub(super) fn outcome<'s>(&'s self, players: PlayersTurn<'s>, joint: u64) -> Option<Cow<'s, [f64]>> {
        let after = |joint| Some(self.tree.proven(self.tree.child(players.index, joint)?)?.values());
        if players.random == 1 {
            return after(joint).map(Cow::Borrowed);
        }
        let mut sum = vec![0.0; self.roles];
        for joint in players.joints(joint) {
            sum.iter_mut().zip(after(joint)?).for_each(|(sum, value)| *sum += value);
        }
        sum.iter_mut().for_each(|sum| *sum /= players.random as f64);
        Some(sum.into())
    }

    /// The exact value for a role after a joint move of the players, if it is known.
    #[inline]
    pub(super) fn outcome_for(&self, players: PlayersTurn<'_>, joint: u64, role: Role) -> Option<f64> {
        self.outcome(players, joint).map(|values| values[role.index()]).filter(|value| !value.is_nan())
    }

    /// The value of a move of a role that has others, if it is known and the same whatever the others do.
    #[inline]
    pub(super) fn sure_value(&self, players: PlayersTurn<'_>, side: usize, role: Role, pick: usize) -> Option<f64> {
        let mut joints = players.with_pick(side, pick);
        let first = self.outcome_for(players, joints.next()?, role)?;
        let mut is_same = |joint| self.outcome_for(players, joint, role).is_some_and(|value| is_equal(value, first));
        joints.all(&mut is_same).then_some(first)
    }
}
