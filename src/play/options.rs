//! Players as text: a name and options, `mcts:seed=1,playouts=single`.

use super::player::alphabeta::AlphaBeta;
use super::player::auto::Auto;
use super::player::deliberation::Deliberation;
use super::player::expectimax::Expectimax;
use super::player::human::{Human, Nobody};
use super::player::legal::Legal;
use super::player::mcts::Mcts;
use super::player::minimax::Minimax;
use super::player::montecarlo::MonteCarlo;
use super::player::planner::Planner;
use super::player::random::Random;
use super::playing::PlayoutKind;
use super::{Participant, Player, PlayerKind};
use crate::search::UctOptions;
use crate::suggestion::{alternatives, nearest};
use std::fmt;
use std::str::FromStr;

/// A player that can be made: which, and with what options.
#[derive(Clone, Debug, PartialEq)]
pub struct PlayerSpec {
    /// Which player.
    pub kind: PlayerKind,
    /// What was said about it.
    pub options: PlayerOptions,
}

/// What can be chosen about a player; what was not said is `None`.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct PlayerOptions {
    /// What its random choices begin with.
    pub seed: Option<u64>,
    /// How many plies it looks ahead at the most.
    pub depth: Option<u32>,
    /// How many random games it plays for a move at the most.
    pub nodes: Option<u64>,
    /// The sheet that judges states for it: one of the library, or a file.
    pub evaluation: Option<String>,
    /// MiB that it may use for what it remembers.
    pub memory: Option<u32>,
    /// How it plays random games.
    pub playouts: Option<PlayoutKind>,
    /// How many random games it plays from a leaf, side by side.
    pub repeats: Option<usize>,
    /// How much it prefers moves that it seldom tried.
    pub exploration: Option<f64>,
}

/// An option, by its key.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum OptionKind {
    /// `seed=N`: what random choices begin with.
    Seed,
    /// `depth=N`: plies ahead.
    Depth,
    /// `nodes=N`: random games for a move.
    Nodes,
    /// `eval=SHEET`: what judges states.
    Evaluation,
    /// `memory=MIB`: for what it remembers.
    Memory,
    /// `playouts=NAME`: how random games are played.
    Playouts,
    /// `repeats=N`: random games from a leaf.
    Repeats,
    /// `exploration=C`: of UCB1.
    Exploration,
}

/// A text that means no player.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum SpecError {
    /// There is no such player.
    #[error("there is no player `{name}`; {}", hint(name, &names()))]
    UnknownPlayer {
        /// What was asked for.
        name: String,
    },
    /// The player has no such option.
    #[error("the player `{}` has no option `{key}`; {}", player.name(), hint(key, &keys(*player)))]
    UnknownOption {
        /// The player.
        player: PlayerKind,
        /// What was said.
        key: String,
    },
    /// An option is not written as `key=value`, or its value means nothing.
    #[error("`{text}` is not {}", option.form())]
    BadOption {
        /// The option.
        option: OptionKind,
        /// What was said.
        text: String,
    },
}

impl PlayerSpec {
    /// The player with these options. Where no seed was said, it is this one. A human is nobody here; whoever can ask a person makes that
    /// player itself.
    pub fn make(&self, seed: u64) -> Box<dyn Player> {
        let options = &self.options;
        let seed = options.seed.unwrap_or(seed);
        let (depth, evaluation, memory) = (options.depth, options.evaluation.clone(), options.memory_bytes());
        match self.kind {
            PlayerKind::Legal => Box::new(Participant::new(Legal)),
            PlayerKind::Random => Box::new(Participant::new(Random::new(seed))),
            PlayerKind::Deliberation => Box::new(Participant::new(Deliberation::default())),
            PlayerKind::Planner => Box::new(Participant::new(Planner::default())),
            PlayerKind::Minimax => Box::new(Participant::new(Minimax { depth, memory })),
            PlayerKind::AlphaBeta => Box::new(Participant::new(AlphaBeta::new(evaluation, depth, memory))),
            PlayerKind::Expectimax => Box::new(Participant::new(Expectimax::new(evaluation, depth, memory))),
            PlayerKind::MonteCarlo => {
                let playouts = options.playouts.unwrap_or_default();
                Box::new(Participant::new(MonteCarlo::new(seed, options.nodes, playouts)))
            }
            PlayerKind::Mcts => Box::new(Participant::new(options.mcts(seed))),
            PlayerKind::Human => Box::new(Participant::new(Human::new(Box::new(Nobody)))),
            PlayerKind::Auto => Box::new(Participant::new(Auto::new(options.mcts(seed)))),
        }
    }
}

impl From<PlayerKind> for PlayerSpec {
    fn from(kind: PlayerKind) -> Self {
        Self { kind, options: PlayerOptions::default() }
    }
}

impl PlayerOptions {
    /// MiB for what a player remembers, if nothing else is said.
    pub const MEMORY: u32 = 1024;

    fn memory_bytes(&self) -> u64 {
        u64::from(self.memory.unwrap_or(Self::MEMORY)) << 20
    }

    fn mcts(&self, seed: u64) -> Mcts {
        let default = UctOptions::default();
        let uct = UctOptions { exploration: self.exploration.unwrap_or(default.exploration), seed };
        let repeats = self.repeats.unwrap_or(Mcts::REPEATS);
        Mcts::new(uct, self.nodes, self.memory_bytes(), self.playouts.unwrap_or_default(), repeats)
    }

    /// Sets an option from its text; false where that means nothing.
    fn set(&mut self, option: OptionKind, value: &str) -> bool {
        let positive = |exploration: &f64| exploration.is_finite() && *exploration >= 0.0;
        match option {
            OptionKind::Seed => set(&mut self.seed, value.parse().ok()),
            OptionKind::Depth => set(&mut self.depth, value.parse().ok().filter(|&depth| depth > 0)),
            OptionKind::Nodes => set(&mut self.nodes, value.parse().ok().filter(|&nodes| nodes > 0)),
            OptionKind::Evaluation => {
                set(&mut self.evaluation, Some(value.to_string()).filter(|name| !name.is_empty()))
            }
            OptionKind::Memory => set(&mut self.memory, value.parse().ok().filter(|&memory| memory > 0)),
            OptionKind::Playouts => set(&mut self.playouts, PlayoutKind::find(value)),
            OptionKind::Repeats => {
                set(&mut self.repeats, value.parse().ok().filter(|&repeats| (1..=64).contains(&repeats)))
            }
            OptionKind::Exploration => set(&mut self.exploration, value.parse().ok().filter(positive)),
        }
    }

    /// The text of an option, where it was said.
    fn get(&self, option: OptionKind) -> Option<String> {
        match option {
            OptionKind::Seed => self.seed.map(|seed| seed.to_string()),
            OptionKind::Depth => self.depth.map(|depth| depth.to_string()),
            OptionKind::Nodes => self.nodes.map(|nodes| nodes.to_string()),
            OptionKind::Evaluation => self.evaluation.clone(),
            OptionKind::Memory => self.memory.map(|memory| memory.to_string()),
            OptionKind::Playouts => self.playouts.map(|playouts| playouts.name().to_string()),
            OptionKind::Repeats => self.repeats.map(|repeats| repeats.to_string()),
            OptionKind::Exploration => self.exploration.map(|exploration| exploration.to_string()),
        }
    }
}

fn set<T>(option: &mut Option<T>, value: Option<T>) -> bool {
    *option = value;
    option.is_some()
}

impl OptionKind {
    /// How its key is written.
    pub fn key(self) -> &'static str {
        match self {
            Self::Seed => "seed",
            Self::Depth => "depth",
            Self::Nodes => "nodes",
            Self::Evaluation => "eval",
            Self::Memory => "memory",
            Self::Playouts => "playouts",
            Self::Repeats => "repeats",
            Self::Exploration => "exploration",
        }
    }

    /// How it is written, with what its value can be.
    pub fn form(self) -> &'static str {
        match self {
            Self::Seed => "`seed=N`, a whole number from 0 on",
            Self::Depth => "`depth=N`, plies ahead from 1 on",
            Self::Nodes => "`nodes=N`, random games for a move from 1 on",
            Self::Evaluation => "`eval=SHEET`, a sheet of the library or a file",
            Self::Memory => "`memory=MIB`, from 1 on",
            Self::Playouts => "`playouts=lanes` or `playouts=single`",
            Self::Repeats => "`repeats=N`, from 1 to 64 random games from a leaf",
            Self::Exploration => "`exploration=C`, a number from 0 on",
        }
    }
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
