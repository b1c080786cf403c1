//! Proofs: exact values of terminal states, propagated to their ancestors as far as they decide them.
//!
//! A value is proven for each role by itself: a role that can win has a proven value although those of the others may
//! depend on how it wins. The values are those of play in which each role plays for itself and chooses the first of the
//! moves that are best for it, as in [`crate::max_n()`]. Where chance decides at the same time, the outcome of a joint
//! move of the players is the mean over the moves of chance. Where two players choose at once and proven values follow
//! all their joint moves, the values form a matrix; if one gains what the other loses, its equilibrium gives the value,
//! and the moves may have to be mixed to reach it.

use super::Uct;
use super::node::{NodeIndex, NodeTurn, OPEN, Proof, RoleChoice, is_equal};
use crate::adversarial::{Matrix, MixedPlay};
use gdl::number::to_index;
use ggp_game::{Chance, Reasoner, Role};
use std::borrow::Cow;

/// Takes the values of another state into account: of the values that all states share, those that differ here become
/// [`OPEN`]. `common` is `None` before the first state.
fn keep_common(common: &mut Option<Vec<f64>>, values: &[f64]) {
    let Some(common) = common else {
        *common = Some(values.to_vec());
        return;
    };
    for (own, value) in common.iter_mut().zip(values) {
        if !is_equal(*own, *value) {
            *own = OPEN;
        }
    }
}

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
        // Without chance the numbers of joint moves are those of the players.
        Self { index, turn, chance, random, later: if random == 1 { 1 } else { later } }
    }

    /// The choices of the players.
    #[inline]
    pub(super) fn choices(self) -> impl Iterator<Item = &'t RoleChoice> {
        self.turn.choices.iter().filter(move |choice| Some(choice.role) != self.chance)
    }

    /// True if chance decides as well.
    #[inline]
    fn has_chance(self) -> bool {
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
    fn with_pick(self, side: usize, pick: usize) -> impl Iterator<Item = u64> {
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

    /// The exact value for each role after a joint move of the players, [`OPEN`] where it is not known; `None` if
    /// nothing is known.
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
    fn outcome_for(&self, players: PlayersTurn<'_>, joint: u64, role: Role) -> Option<f64> {
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

impl<R: Reasoner> Uct<R> {
    /// The exact value of a node for a role, if it is known.
    #[inline]
    pub(super) fn proven_value(&self, index: NodeIndex, role: Role) -> Option<f64> {
        self.tree.proven(index)?.of(role)
    }

    /// True if the values of a node are proven for all players, so that no line needs to go further.
    #[inline]
    pub(super) fn is_closed(&self, index: NodeIndex) -> bool {
        self.tree.proven(index).is_some_and(|proof| proof.is_complete_without(self.chance))
    }

    /// Propagates the proof of a child up a line, from the last node on, as far as it decides something.
    pub(super) fn prove(&mut self, steps: &[(NodeIndex, usize)], end: NodeIndex) {
        let mut child = end;
        for &(node, _) in steps.iter().rev() {
            self.note_moves_to(node, child);
            let has_news = !self.is_closed(node) && self.prove_node(node, child);
            // A state that several lines reach may have been proven on another one.
            let is_told = !has_news && !self.options.transpositions;
            if is_told || self.tree.proven(node).is_none() {
                return;
            }
            child = node;
        }
    }

    /// Adds the values to a node that a child with a proof decides. Returns true if some of them were not known.
    fn prove_node(&mut self, index: NodeIndex, child: NodeIndex) -> bool {
        let values = self.decided(index, Some(child));
        let node = self.tree.node_mut(index);
        let has_news = match &mut node.proven {
            Some(proof) => proof.extend(&values),
            none => {
                *none = Proof::from_values(values);
                none.is_some()
            }
        };
        self.proofs.by_successors += u32::from(has_news && self.is_closed(index));
        has_news
    }

    /// The value of a node for each role, as far as the nodes that follow decide it; [`OPEN`] elsewhere. `proved` is
    /// the only child of which there may be news; without one all children are considered.
    fn decided(&self, index: NodeIndex, proved: Option<NodeIndex>) -> Vec<f64> {
        let Some(players) = self.players_turn(index) else { return vec![OPEN; self.roles] };
        let mut values = match (players.choices().count(), players.only()) {
            (0, _) => self.outcome(players, 0).map_or_else(|| vec![OPEN; self.roles], Cow::into_owned),
            (_, Some(only)) => self.best_of_one(players, only.role, proved),
            (_, None) => self.decided_by_several(index, players),
        };
        self.add_rest(&mut values);
        values
    }

    /// The value of a node in which one player decides: what follows the first of its best moves.
    fn best_of_one(&self, players: PlayersTurn<'_>, role: Role, proved: Option<NodeIndex>) -> Vec<f64> {
        let own = role.index();
        let wins = |value| self.is_most(value);
        // Where chance decides as well, a child is only a part of what follows a move.
        let may_win =
            proved.is_none_or(|child| players.has_chance() || self.proven_value(child, role).is_some_and(wins));
        let mut best: Option<Cow<'_, [f64]>> = None;
        let mut common = None;
        // Whether the value of a move is not known for the player, and whether nothing is known of a move.
        let mut is_open = false;
        let mut has_gap = false;
        for joint in 0..players.width() {
            let Some(values) = self.outcome(players, joint) else {
                if !may_win {
                    return vec![OPEN; self.roles];
                }
                is_open = true;
                has_gap = true;
                continue;
            };
            if wins(values[own]) {
                if !is_open {
                    return values.into_owned();
                }
                // Another move that comes first may win as well, and be worth something else to the others.
                let mut won = vec![OPEN; self.roles];
                won[own] = values[own];
                return won;
            }
            is_open |= values[own].is_nan();
            keep_common(&mut common, &values);
            let is_better = |best: &Cow<'_, [f64]>| values[own] > best[own] && !is_equal(values[own], best[own]);
            if best.as_ref().is_none_or(is_better) {
                best = Some(values);
            }
        }
        match best {
            Some(best) if !is_open => best.into_owned(),
            _ if has_gap => vec![OPEN; self.roles],
            _ => common.unwrap_or_else(|| vec![OPEN; self.roles]),
        }
    }

    /// True if no utility is greater.
    #[inline]
    fn is_most(&self, value: f64) -> bool {
        let most = self.range.most.to_f64();
        value > most || is_equal(value, most)
    }

    /// The value of a node in which several players decide: what one of them forces, what follows all joint moves, and
    /// what an equilibrium gives.
    fn decided_by_several(&self, index: NodeIndex, players: PlayersTurn<'_>) -> Vec<f64> {
        let mut forced = vec![OPEN; self.roles];
        for (side, choice) in players.choices().enumerate() {
            let wins = |joint| self.outcome_for(players, joint, choice.role).is_some_and(|value| self.is_most(value));
            // A role that wins with one move whatever the others do has a proven value, even if other joint moves are
            // open.
            if (0..choice.arms.len()).any(|pick| players.with_pick(side, pick).all(wins)) {
                forced[choice.role.index()] = self.range.most.to_f64();
            }
        }
        let mut common = None;
        for joint in 0..players.width() {
            let Some(values) = self.outcome(players, joint) else { return forced };
            keep_common(&mut common, &values);
        }
        let mut values = common.unwrap_or_else(|| vec![OPEN; self.roles]);
        for (value, forced) in values.iter_mut().zip(forced) {
            if !forced.is_nan() {
                *value = forced;
            }
        }
        if let Some(stage) = self.solved_stage(index) {
            for (role, value) in stage.values() {
                values[role.index()] = value;
            }
        }
        values
    }

    /// Adds the value of the other of two opponents, if the value of one of them is known and they have opposed each
    /// other in all games that were seen.
    pub(super) fn add_rest(&self, values: &mut [f64]) {
        let Some([one, other]) = self.opponents else { return };
        if !self.options.opposed {
            return;
        }
        let sum = self.range.least.to_f64() + self.range.most.to_f64();
        for (role, rest) in [(one, other), (other, one)] {
            if values[role.index()].is_nan() {
                values[role.index()] = sum - values[rest.index()];
            }
        }
    }

    /// The index of the move to explore in a node in which one player decides and its value for that player is proven:
    /// the first that may be best, since it decides the values of the others.
    #[inline]
    pub(super) fn decisive_pick(&self, index: NodeIndex) -> Option<usize> {
        let proof = self.tree.proven(index)?;
        let only = self.players_turn(index)?.only()?;
        let own = proof.of(only.role)?;
        let is_worse = |value: f64| value < own && !is_equal(value, own);
        (0..only.arms.len()).find(|&pick| !only.proven.get(pick).is_some_and(|&value| is_worse(value)))
    }

    /// Notes the values of the moves that lead to a proven child, in a node in which one player decides.
    pub(super) fn note_moves_to(&mut self, index: NodeIndex, child: NodeIndex) {
        if self.tree.proven(child).is_none() {
            return;
        }
        let Some(players) = self.players_turn(index) else { return };
        let Some(only) = players.only() else { return };
        let leads = |&joint: &u64| players.has_chance() || self.tree.child(index, joint) == Some(child);
        let value = |joint| Some((to_index(joint), self.outcome_for(players, joint, only.role)?));
        let values: Vec<(usize, f64)> = (0..players.width()).filter(leads).filter_map(value).collect();
        let role = only.role;
        self.tree.note_proven(index, role, &values);
    }

    /// Forgets all proofs that follow from the assumption that two opponents oppose each other.
    #[inline]
    pub(super) fn forget_opposition(&mut self) {
        if self.opponents.take().is_some() && self.options.opposed {
            self.tree.forget_proofs();
        }
    }

    /// Forgets the part of the root's proof that no proven child explains, so that a proven root always has a move to
    /// recommend.
    pub(super) fn forget_unexplained(&mut self) {
        let root = self.tree.root();
        let node = self.tree.node(root);
        let Some(proof) = &node.proven else { return };
        let mut children = node.turn.iter().flat_map(|turn| turn.children.entries());
        if !children.any(|(_, child)| self.tree.proven(child) == Some(proof)) {
            self.tree.node_mut(root).proven = Proof::from_values(self.decided(root, None));
        }
    }
}

/// The greatest number of joint moves of a matrix that is solved.
const LARGEST_MATRIX: u64 = 1024;

/// The greatest difference between sums of utilities that count as equal, as a share of the range of utilities.
const ROUNDING: f64 = 1e-6;

/// A stage game of two players in which one gains what the other loses.
struct StageSolution {
    /// The players, the one that gains first.
    sides: [Role; 2],
    /// The equilibrium; gains are the utilities of the first side.
    play: MixedPlay,
    /// The sum of the utilities of both.
    sum: f64,
}

impl StageSolution {
    /// The value for each of the players.
    #[inline]
    pub(super) fn values(&self) -> [(Role, f64); 2] {
        let [first, second] = self.sides;
        [(first, self.play.value), (second, self.sum - self.play.value)]
    }
}

impl<R: Reasoner> Uct<R> {
    /// The probabilities of the moves of a role in a node whose value is proven by an equilibrium. `None` elsewhere,
    /// and for a role to which the equilibrium gives the least: then random games show which move is the hardest to
    /// answer.
    #[inline]
    pub(super) fn equilibrium_strategy(&self, index: NodeIndex, role: Role) -> Option<Vec<f64>> {
        if self.proven_value(index, role)? <= self.range.least.to_f64() {
            return None;
        }
        let StageSolution { sides, play, .. } = self.solved_stage(index)?;
        let side = sides.iter().position(|&own| own == role)?;
        Some(if side == 0 { play.row } else { play.column })
    }

    /// The index of a move of a role in a node, drawn with these probabilities. The same tree gives the same move.
    pub(super) fn drawn(&self, index: NodeIndex, role: Role, strategy: &[f64]) -> usize {
        // Both sides draw for themselves, also where one tree advises both.
        let seed = self.options.seed ^ (u64::from(self.tree.node(index).ply) << 32) ^ ((role.index() as u64) << 56);
        let mut left = Chance::new(seed).fraction();
        let mut drawn = 0;
        for (pick, &probability) in strategy.iter().enumerate().filter(|&(_, &probability)| probability > 0.0) {
            // The last move with a probability is the answer if rounding leaves a rest.
            drawn = pick;
            left -= probability;
            if left < 0.0 {
                break;
            }
        }
        drawn
    }

    /// The equilibrium in a node in which the two players of the game choose, if all that follows is proven with the
    /// same sum of their utilities.
    fn solved_stage(&self, index: NodeIndex) -> Option<StageSolution> {
        let players = self.players_turn(index).filter(|players| players.width() <= LARGEST_MATRIX)?;
        let mut choices = players.choices();
        let (Some(first), Some(second), None) = (choices.next(), choices.next(), choices.next()) else { return None };
        if self.roles - usize::from(self.chance.is_some()) != 2 {
            return None;
        }
        let sides = [first.role, second.role];
        // The matrix has a value only if all entries have the same sum.
        let mut sum = OPEN;
        let mut entries = Vec::new();
        for joint in 0..players.width() {
            let values = self.outcome(players, joint)?;
            let [gain, loss] = sides.map(|role| values[role.index()]);
            sum = if joint == 0 { gain + loss } else { sum };
            // What is not known has no sum.
            let is_shared = (gain + loss - sum).abs() <= ROUNDING * self.range.width();
            entries.push(is_shared.then_some(gain)?);
        }
        let play = Matrix { rows: first.arms.len(), columns: second.arms.len(), entries }.solve()?;
        Some(StageSolution { sides, play, sum })
    }
}
