//! Proofs: exact values of terminal states, propagated to their ancestors as far as they decide them.
//!
//! A value is proven for each role by itself: a role that can win has a proven value although those of the others may
//! depend on how it wins. The values are those of play in which each role plays for itself and chooses the first of the
//! moves that are best for it, as in [`crate::max_n()`].

use super::Uct;
use super::children::NodeIndex;
use super::outcomes::PlayersTurn;
use super::proof::{CommonValues, OPEN, Proof, is_equal};
use gdl::number::to_index;
use ggp_game::{Reasoner, Role};
use std::borrow::Cow;

impl<R: Reasoner> Uct<R> {
    /// The exact value of a node for a role, if it is known.
    #[inline]
    pub(super) fn known(&self, index: NodeIndex, role: Role) -> Option<f64> {
        self.tree.proven(index)?.of(role)
    }

    /// Whether the values of a node are proven for all players, so that no line needs to go further.
    #[inline]
    pub(super) fn is_closed(&self, index: NodeIndex) -> bool {
        self.tree.proven(index).is_some_and(|proof| proof.is_complete_without(self.chance))
    }

    /// Checks for the nodes of a line, from the last one on, what a child decides of which something is proven.
    pub(super) fn prove(&mut self, steps: &[(NodeIndex, usize)], end: NodeIndex) {
        let mut child = end;
        for &(node, _) in steps.iter().rev() {
            self.tell(node, child);
            let has_news = !self.is_closed(node) && self.prove_node(node, child);
            // A state that several lines reach may have been proven on another one.
            let is_told = !has_news && !self.options.transpositions;
            if is_told || self.tree.proven(node).is_none() {
                return;
            }
            child = node;
        }
    }

    /// Adds to a node what a child decides of which something is proven. Returns whether that was not known.
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

    /// The value of a node for each role, as far as the nodes that follow decide it; [`OPEN`] elsewhere. `proved` is the
    /// only one of which there may be news; without one all are looked at.
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
        let may_win = proved.is_none_or(|child| players.has_chance() || self.known(child, role).is_some_and(wins));
        let mut best: Option<Cow<'_, [f64]>> = None;
        let mut common = CommonValues::new();
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
            common.add(&values);
            let is_better = |best: &Cow<'_, [f64]>| values[own] > best[own] && !is_equal(values[own], best[own]);
            if best.as_ref().is_none_or(is_better) {
                best = Some(values);
            }
        }
        match best {
            Some(best) if !is_open => best.into_owned(),
            _ if has_gap => vec![OPEN; self.roles],
            _ => common.finish(self.roles),
        }
    }

    /// Whether no value is greater.
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
            if (0..choice.arms.len()).any(|pick| players.with_pick(side, pick).all(wins)) {
                forced[choice.role.index()] = self.range.most.to_f64();
            }
        }
        let mut common = CommonValues::new();
        for joint in 0..players.width() {
            let Some(values) = self.outcome(players, joint) else { return forced };
            common.add(&values);
        }
        let mut values = common.finish(self.roles);
        let won = forced.into_iter().enumerate().filter(|(_, value)| !value.is_nan());
        won.for_each(|(role, value)| values[role] = value);
        if let Some(stage) = self.solved_stage(index) {
            stage.values().into_iter().for_each(|(role, value)| values[role.index()] = value);
        }
        values
    }

    /// Adds what is left for the other of two opponents, if the value for one of them is known and they oppose each
    /// other as far as was seen.
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

    /// The move to be explored in a node in which one player decides and its value for that player is proven: the first
    /// that may be best, since it decides the values of the others.
    #[inline]
    pub(super) fn decisive_pick(&self, index: NodeIndex) -> Option<usize> {
        let proof = self.tree.proven(index)?;
        let only = self.players_turn(index)?.only()?;
        let own = proof.of(only.role)?;
        let is_worse = |value: f64| value < own && !is_equal(value, own);
        (0..only.arms.len()).find(|&pick| !only.proven.get(pick).is_some_and(|&value| is_worse(value)))
    }

    /// Notes what a child proves of the moves that lead to it, in a node in which one player decides.
    pub(super) fn tell(&mut self, index: NodeIndex, child: NodeIndex) {
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

    /// Lets go of all proofs that follow from the assumption that two opponents oppose each other.
    #[inline]
    pub(super) fn forget_opposition(&mut self) {
        if self.opponents.take().is_some() && self.options.opposed {
            self.tree.forget_proofs();
        }
    }

    /// Forgets the proof of a root as far as no proven child tells the move.
    pub(super) fn forget_unexplained(&mut self) {
        let root = self.tree.root();
        let node = self.tree.node(root);
        let Some(proof) = &node.proven else { return };
        let mut children = node.turn.iter().flat_map(|turn| turn.children().entries());
        if !children.any(|(_, child)| self.tree.proven(child) == Some(proof)) {
            self.tree.node_mut(root).proven = Proof::from_values(self.decided(root, None));
        }
    }
}
