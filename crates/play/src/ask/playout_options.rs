//! How random games are played: which kind, how many from a state, on how many threads.

use ggp_engine::{PlayoutLanes, PlayoutPolicy};

/// How random games are played.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum PlayoutKind {
    /// Hundreds at once in lanes, if the network plays the game; otherwise one after the other.
    Lanes,
    /// As `Lanes`; but a role that can win at once does, and else it prevents that another one can, where the lanes can
    /// see that at little cost.
    Decisive,
    /// One after the other, with any engine.
    Single,
}

impl PlayoutKind {
    /// All kinds.
    pub(crate) const ALL: [Self; 3] = [Self::Lanes, Self::Decisive, Self::Single];

    /// The name in specifications: `lanes`, `decisive` or `single`.
    pub(crate) const fn name(self) -> &'static str {
        match self {
            Self::Lanes => "lanes",
            Self::Decisive => "decisive",
            Self::Single => "single",
        }
    }

    /// The kind with this name.
    pub(crate) fn find(name: &str) -> Option<Self> {
        Self::ALL.into_iter().find(|kind| kind.name() == name)
    }

    /// How roles choose in lanes; `None` if games are played one after the other.
    fn policy(self) -> Option<PlayoutPolicy> {
        match self {
            Self::Lanes => Some(PlayoutPolicy::Uniform),
            Self::Decisive => Some(PlayoutPolicy::Decisive),
            Self::Single => None,
        }
    }
}

/// How random games are played from each state.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct PlayoutOptions {
    /// In lanes or one after the other.
    pub kind: PlayoutKind,
    /// The number of games from a state, if they are played in lanes.
    pub repeats: usize,
    /// The number of further threads that play them, if they are played in lanes; with none, the player's thread does.
    pub threads: usize,
    /// Whether they should tell which moves were made, once there are lanes that do.
    pub keeps_moves: bool,
}

impl PlayoutOptions {
    /// This many games from a state, on the player's thread.
    pub const fn new(kind: PlayoutKind, repeats: usize) -> Self {
        Self { kind, repeats, threads: 0, keeps_moves: false }
    }

    /// The lanes in which they are played; `None` if they are played one after the other.
    pub(crate) fn lanes(self) -> Option<PlayoutLanes> {
        self.kind.policy().map(|policy| PlayoutLanes { policy, keeps_moves: self.keeps_moves })
    }
}
