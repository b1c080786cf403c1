//! `auto`: the player that suits the game.

use super::hidden::HiddenPlayer;
use super::learning::{DeepeningPlayer, GrowingPlayer};
use super::neural::network_for;
use super::planning::Planner;
use super::searching::Judge;
use crate::{Deadline, Equipment, PlayerError, Position, Requirement, Start, Strategy};
use ggp_game::{Move, Reasoner};
use ggp_learn::NeuralNetwork;

/// With one role it plans, and uses Monte Carlo tree search only while it has no plan; with several roles it uses Monte
/// Carlo tree search or, if that wins in a trial with what it has learned in the start clock, alpha-beta. The network of a
/// file guides the tree, or evaluates for alpha-beta if that was stronger while the network learned, unless it loses a trial. On
/// sheets with `sees` it uses only its own moves and percepts.
pub(crate) struct AutoPlayer {
    planner: Planner,
    growing: GrowingPlayer,
    /// Plays in place of `growing`, if it has won the trial.
    alpha_beta: Option<DeepeningPlayer>,
    /// Plays games in which roles do not see the whole state.
    hidden: HiddenPlayer,
}

impl AutoPlayer {
    /// Makes a player that searches with `growing` when it does not plan.
    /// Games with hidden information are left to `hidden`.
    pub(crate) fn new(growing: GrowingPlayer, hidden: HiddenPlayer) -> Self {
        Self { planner: Planner::default(), growing, alpha_beta: None, hidden }
    }

    /// Plays with a network from now on, in the search that it suits; if the number of visits of a tree is given, in a tree.
    fn play_with(&mut self, network: Option<NeuralNetwork>) {
        let Some(network) = network else { return };
        let guide = network.guide();
        if network.suits_alpha_beta() && self.growing.visits.is_none() {
            let judge = Judge::Network(Box::new(guide));
            self.alpha_beta = Some(DeepeningPlayer::judged_by(judge, self.growing.memory));
        } else {
            self.growing.guide = Some(guide);
        }
    }
}

/// True if the game has one role, so that the player plans.
fn plans(position: &Position) -> bool {
    position.engine.roles().len() == 1
}

impl Strategy for AutoPlayer {
    fn name(&self) -> String {
        "auto".to_string()
    }

    fn prepare(&mut self, start: &Start, position: &mut Position, stop: Deadline) -> Result<(), PlayerError> {
        self.forget();
        if start.game.rules.has_percepts() {
            return self.hidden.prepare(start, position, stop);
        }
        if plans(position) {
            return self.planner.prepare(start, position, stop);
        }
        let network = network_for(self.growing.network_file.as_deref(), start)?;
        if position.is_over() || stop.is_over() {
            // It plays later in the match, without a trial.
            self.play_with(network);
            return Ok(());
        }
        if self.growing.solve(position, stop)? {
            return Ok(());
        }
        let tries_alpha_beta = true;
        let judge = self.growing.learn(position, &start.game, network, tries_alpha_beta, stop)?;
        self.alpha_beta = judge.map(|judge| DeepeningPlayer::judged_by(judge, self.growing.memory));
        if self.alpha_beta.is_none() {
            self.growing.think(position, stop)?;
        }
        Ok(())
    }

    fn choose(&mut self, position: &mut Position, stop: Deadline) -> Result<Option<Move>, PlayerError> {
        if self.hidden.is_playing() {
            return self.hidden.choose(position, stop);
        }
        if plans(position) {
            // The tree gets the other half, if there is no plan.
            let half = Deadline::after(stop.remaining() / 2);
            if let Some(chosen) = self.planner.next(position, half)? {
                return Ok(Some(chosen));
            }
        }
        match &mut self.alpha_beta {
            Some(alpha_beta) => alpha_beta.choose(position, stop),
            None => self.growing.choose(position, stop),
        }
    }

    fn played(&mut self, joint_move: &[Move], position: &mut Position) {
        if self.hidden.is_playing() {
            return;
        }
        if plans(position) {
            self.planner.played(joint_move, position);
        }
        if self.alpha_beta.is_none() {
            self.growing.played(joint_move, position);
        }
    }

    fn ponder(&mut self, position: &mut Position) {
        if !self.hidden.is_playing() && !plans(position) && self.alpha_beta.is_none() {
            self.growing.ponder(position);
        }
    }

    /// Where it may be told percepts alone, it plays by them.
    fn needs_state(&self) -> bool {
        false
    }

    fn wants(&self) -> Requirement {
        self.growing.wants()
    }

    fn equipped(&mut self, equipment: Equipment, position: &mut Position) {
        self.planner.equipped(equipment, position);
        self.growing.equipped(equipment, position);
        if let Some(alpha_beta) = &mut self.alpha_beta {
            alpha_beta.equipped(equipment, position);
        }
        if equipment == Equipment::Engine {
            // What was learned in the start clock belongs to the engine, but for a network.
            self.alpha_beta.take_if(|alpha_beta| !alpha_beta.has_network());
        }
    }

    fn forget(&mut self) {
        self.hidden.forget();
        self.planner.forget();
        self.growing.forget();
        self.alpha_beta = None;
    }
}
