//! The networks that a session has beside files: those of `ggp serve --net`, with which a page plays without reading
//! files.

use crate::repl::CommandError;
use gdl::rules::RuleSet;
use ggp_engine::Game;
use ggp_game::Reasoner;
use ggp_learn::NeuralNetwork;
use std::sync::Arc;

/// How a command names the network for the loaded game in a session without files: `mcts --net trained`.
pub(super) const TRAINED: &str = "trained";

/// Networks of several games, and the one for the loaded game.
#[derive(Clone, Default)]
pub(super) struct SessionNetworks {
    all: Arc<[NeuralNetwork]>,
    /// The rules that were asked for last, and the network that has learned them, if one has.
    found: Option<(Arc<RuleSet>, Option<Arc<NeuralNetwork>>)>,
}

impl SessionNetworks {
    pub(super) fn new(all: Arc<[NeuralNetwork]>) -> Self {
        Self { all, found: None }
    }

    /// The network that has learned a game, up to names and order of its rules.
    pub(super) fn of(&mut self, game: &Game) -> Option<Arc<NeuralNetwork>> {
        if let Some((rules, network)) = &self.found
            && Arc::ptr_eq(rules, &game.rules)
        {
            return network.clone();
        }
        let roles = game.interpreter.roles();
        let network = self.all.iter().find_map(|network| network.clone().for_rules(&game.rules, roles)).map(Arc::new);
        self.found = Some((Arc::clone(&game.rules), network.clone()));
        network
    }
}

/// The error where there is none.
pub(super) fn no_network() -> CommandError {
    CommandError::refused("this server has no network that has learned this game")
}
