//! Players as text: a name and options, `mcts:seed=1,playouts=single`.

use super::player::legal::Legal;
use super::player::random::Random;
use super::{Participant, Player, PlayerKind};
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
}

/// An option, by its key.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum OptionKind {
    /// `seed=N`: what random choices begin with.
    Seed,
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
    /// The player with these options. Where no seed was said, it is this one.
    pub fn make(&self, seed: u64) -> Box<dyn Player> {
        let seed = self.options.seed.unwrap_or(seed);
        match self.kind {
            PlayerKind::Legal => Box::new(Participant::new(Legal)),
            PlayerKind::Random => Box::new(Participant::new(Random::new(seed))),
        }
    }
}

impl From<PlayerKind> for PlayerSpec {
    fn from(kind: PlayerKind) -> Self {
        Self { kind, options: PlayerOptions::default() }
    }
}

impl PlayerOptions {
    /// Sets an option from its text; false where that means nothing.
    fn set(&mut self, option: OptionKind, value: &str) -> bool {
        match option {
            OptionKind::Seed => set(&mut self.seed, value.parse().ok()),
        }
    }

    /// The text of an option, where it was said.
    fn get(&self, option: OptionKind) -> Option<String> {
        match option {
            OptionKind::Seed => self.seed.map(|seed| seed.to_string()),
        }
    }
}

fn set<T>(place: &mut Option<T>, value: Option<T>) -> bool {
    *place = value;
    place.is_some()
}

impl OptionKind {
    /// How its key is written.
    pub fn key(self) -> &'static str {
        match self {
            Self::Seed => "seed",
        }
    }

    /// How it is written, with what its value can be.
    pub fn form(self) -> &'static str {
        match self {
            Self::Seed => "`seed=N`, a whole number from 0 on",
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
