//! Specifications of players as text: a name and options, `mcts:seed=1,playouts=single`.

use super::player::alphabeta::AlphaBeta;
use super::player::auto::Auto;
use super::player::deliberation::Deliberation;
use super::player::expectimax::Expectimax;
use super::player::human::{Human, NoPerson};
use super::player::legal::Legal;
use super::player::mcts::Mcts;
use super::player::minimax::Minimax;
use super::player::mixed::Mixed;
use super::player::montecarlo::MonteCarlo;
use super::player::planner::Planner;
use super::player::random::Random;
use super::player::stored::Stored;
use super::playing::PlayoutKind;
use super::{OptionKind, Participant, Player, PlayerKind, Strategy};
use crate::play::OpponentSpec;
use crate::quantity::Size;
use crate::search::UctOptions;
use crate::solving::{Database, SolvingError};
use crate::suggestion::{alternatives, nearest};
use std::fmt;
use std::path::PathBuf;
use std::str::FromStr;

/// A kind of player with its options.
#[derive(Clone, Debug, PartialEq)]
pub struct PlayerSpec {
    /// The kind of player, which determines the possible options.
    pub kind: PlayerKind,
    /// The options; those of other kinds are `None`.
    pub options: PlayerOptions,
}

/// The options of a player; options that were not given are `None`.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct PlayerOptions {
    /// The seed of its random choices.
    pub seed: Option<u64>,
    /// The greatest depth of its search, in plies with a choice.
    pub depth: Option<u32>,
    /// The greatest number of random games for a move, or of nodes of a search for a plan.
    pub nodes: Option<u64>,
    /// The rule sheet with its evaluation: one of the library, or a file.
    pub evaluation: Option<String>,
    /// What it assumes of the other roles.
    pub opponents: Option<OpponentSpec>,
    /// The memory limit of its search.
    pub memory: Option<Size>,
    /// How it plays random games.
    pub playouts: Option<PlayoutKind>,
    /// The number of random games from a leaf, if they are played in lanes.
    pub repeats: Option<usize>,
    /// The weight of exploration: C of UCB1.
    pub exploration: Option<f64>,
    /// The folder of `ggp solve` from which it plays, as far as the files know the game.
    pub database: Option<PathBuf>,
}

/// An error in a specification.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum SpecError {
    /// There is no player of this name.
    #[error("there is no player `{name}`; {}", hint(name, &names()))]
    UnknownPlayer {
        /// The name that is not a player's.
        name: String,
    },
    /// The player does not support the option.
    #[error("the player `{}` has no option `{key}`; {}", player.name(), hint(key, &keys(*player)))]
    UnknownOption {
        /// The kind that does not support the option.
        player: PlayerKind,
        /// The key that was given.
        key: String,
    },
    /// The option is not written as `key=value`, or its value is invalid.
    #[error("`{text}` is not {}", option.form())]
    BadOption {
        /// The option with the invalid value.
        option: OptionKind,
        /// The text of the option.
        text: String,
    },
}

impl PlayerSpec {
    /// Makes the player; `seed` is used if the options have none. A human player made here never answers; callers that
    /// can ask a person make that player themselves.
    pub fn make(&self, seed: u64) -> Box<dyn Player> {
        let strategy = self.strategy(self.options.seed.unwrap_or(seed));
        match &self.options.database {
            Some(folder) => Box::new(Participant::new(Stored::new(folder.clone(), strategy))),
            None => Box::new(Participant::new(strategy)),
        }
    }

    fn strategy(&self, seed: u64) -> Box<dyn Strategy> {
        let options = &self.options;
        let (depth, evaluation, memory) = (options.depth, options.evaluation.clone(), options.memory_bytes());
        match self.kind {
            PlayerKind::Legal => Box::new(Legal),
            PlayerKind::Random => Box::new(Random::new(seed)),
            PlayerKind::Deliberation => Box::new(Deliberation::default()),
            PlayerKind::Planner => Box::new(Planner::default()),
            PlayerKind::Mixed => Box::new(Mixed::new(options.nodes.unwrap_or(Mixed::NODES), seed, memory)),
            PlayerKind::Minimax => Box::new(Minimax::new(evaluation, depth, memory)),
            PlayerKind::AlphaBeta => Box::new(AlphaBeta::new(evaluation, depth, memory)),
            PlayerKind::Expectimax => {
                let opponents = options.opponents.clone().unwrap_or(OpponentSpec::Uniform);
                Box::new(Expectimax::new(evaluation, depth, opponents, memory))
            }
            PlayerKind::MonteCarlo => {
                Box::new(MonteCarlo::new(seed, options.nodes, options.playouts.unwrap_or_default()))
            }
            PlayerKind::Mcts => Box::new(options.mcts(seed)),
            PlayerKind::Human => Box::new(Human::new(Box::new(NoPerson))),
            PlayerKind::Auto => Box::new(Auto::new(options.mcts(seed))),
        }
    }

    /// Checks that the folder from which the player is to play holds a run; whether it is of the game that is played
    /// shows when a match starts.
    ///
    /// # Errors
    /// If the folder has none, or one that cannot be read.
    pub fn check_database(&self) -> Result<(), SolvingError> {
        self.options.database.iter().try_for_each(|folder| Database::manifest_of(folder).map(|_| ()))
    }
}

impl PlayerSpec {
    /// With the folder of `ggp solve` from which it plays.
    ///
    /// # Errors
    /// If players of this kind do not use one.
    pub fn with_database(mut self, folder: PathBuf) -> Result<Self, SpecError> {
        if !self.kind.options().contains(&OptionKind::Database) {
            return Err(SpecError::UnknownOption { player: self.kind, key: OptionKind::Database.key().to_string() });
        }
        self.options.database = Some(folder);
        Ok(self)
    }

    /// With this memory limit for its search, if none has been given.
    pub fn with_default_memory(mut self, memory: Size) -> Self {
        self.options.memory.get_or_insert(memory);
        self
    }
}

impl From<PlayerKind> for PlayerSpec {
    fn from(kind: PlayerKind) -> Self {
        Self { kind, options: PlayerOptions::default() }
    }
}

impl PlayerOptions {
    /// The default memory limit.
    pub const MEMORY: Size = Size::mebibytes(1024);

    fn memory_bytes(&self) -> u64 {
        self.memory.unwrap_or(Self::MEMORY).bytes()
    }

    fn mcts(&self, seed: u64) -> Mcts {
        let default = UctOptions::default();
        let uct = UctOptions { exploration: self.exploration.unwrap_or(default.exploration), seed };
        let repeats = self.repeats.unwrap_or(Mcts::REPEATS);
        Mcts::new(uct, self.nodes, self.memory_bytes(), self.playouts.unwrap_or_default(), repeats)
    }

    /// Sets an option from its text; false if the text is invalid.
    fn set(&mut self, option: OptionKind, value: &str) -> bool {
        let positive = |exploration: &f64| exploration.is_finite() && *exploration >= 0.0;
        match option {
            OptionKind::Seed => set(&mut self.seed, value.parse().ok()),
            OptionKind::Depth => set(&mut self.depth, value.parse().ok().filter(|&depth| depth > 0)),
            OptionKind::Nodes => set(&mut self.nodes, value.parse().ok().filter(|&nodes| nodes > 0)),
            OptionKind::Evaluation => {
                set(&mut self.evaluation, Some(value.to_string()).filter(|name| !name.is_empty()))
            }
            OptionKind::Opponents => set(&mut self.opponents, value.parse().ok()),
            OptionKind::Memory => set(&mut self.memory, Size::positive(value).ok()),
            OptionKind::Playouts => set(&mut self.playouts, PlayoutKind::find(value)),
            OptionKind::Repeats => {
                set(&mut self.repeats, value.parse().ok().filter(|&repeats| (1..=64).contains(&repeats)))
            }
            OptionKind::Exploration => set(&mut self.exploration, value.parse().ok().filter(positive)),
            OptionKind::Database => set(&mut self.database, Some(PathBuf::from(value)).filter(|_| !value.is_empty())),
        }
    }

    /// The text of an option, if it was given.
    fn get(&self, option: OptionKind) -> Option<String> {
        match option {
            OptionKind::Seed => self.seed.map(|seed| seed.to_string()),
            OptionKind::Depth => self.depth.map(|depth| depth.to_string()),
            OptionKind::Nodes => self.nodes.map(|nodes| nodes.to_string()),
            OptionKind::Evaluation => self.evaluation.clone(),
            OptionKind::Opponents => self.opponents.as_ref().map(ToString::to_string),
            OptionKind::Memory => self.memory.map(|memory| memory.to_string()),
            OptionKind::Playouts => self.playouts.map(|playouts| playouts.name().to_string()),
            OptionKind::Repeats => self.repeats.map(|repeats| repeats.to_string()),
            OptionKind::Exploration => self.exploration.map(|exploration| exploration.to_string()),
            OptionKind::Database => self.database.as_ref().map(|folder| folder.display().to_string()),
        }
    }
}

fn set<T>(option: &mut Option<T>, value: Option<T>) -> bool {
    *option = value;
    option.is_some()
}

impl FromStr for PlayerSpec {
    type Err = SpecError;

    fn from_str(text: &str) -> Result<Self, SpecError> {
        let (name, rest) = text.split_once(':').map_or((text, None), |(name, rest)| (name, Some(rest)));
        let kind = PlayerKind::ALL.iter().copied().find(|kind| kind.name() == name);
        let kind = kind.ok_or_else(|| SpecError::UnknownPlayer { name: name.to_string() })?;
        let mut spec = Self::from(kind);
        for text in rest.into_iter().flat_map(|rest| rest.split(',')) {
            let (key, value) = text.split_once('=').unwrap_or((text, ""));
            let option = kind.options().iter().copied().find(|option| option.key() == key);
            let option = option.ok_or_else(|| SpecError::UnknownOption { player: kind, key: key.to_string() })?;
            if !spec.options.set(option, value) {
                return Err(SpecError::BadOption { option, text: text.to_string() });
            }
        }
        Ok(spec)
    }
}

impl fmt::Display for PlayerSpec {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        formatter.write_str(self.kind.name())?;
        let mut separator = ':';
        for &option in self.kind.options() {
            if let Some(value) = self.options.get(option) {
                write!(formatter, "{separator}{}={value}", option.key())?;
                separator = ',';
            }
        }
        Ok(())
    }
}

fn names() -> Vec<&'static str> {
    PlayerKind::ALL.iter().map(|kind| kind.name()).collect()
}

fn keys(player: PlayerKind) -> Vec<&'static str> {
    player.options().iter().map(|option| option.key()).collect()
}

fn hint(name: &str, known: &[&str]) -> String {
    match &nearest(name, known.iter().copied())[..] {
        [] if known.is_empty() => "it has none".to_string(),
        [] => format!("there is {}", alternatives(known)),
        near => format!("did you mean {}?", alternatives(near)),
    }
}
