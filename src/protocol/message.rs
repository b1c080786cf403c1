//! What the manager of a match tells a player, and how it is written.

use crate::play::Clocks;
use crate::rules::GroundTerm;
use crate::syntax::Dialect;
use std::fmt;
use std::time::Duration;

/// A message to a player.
///
/// Written in KIF, it is the body of a request; [`Message::parse`] reads it back. Words of the protocol are read in any case and
/// written in small letters.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Message {
    /// `(info)`: who are you, and are you free?
    Info,
    /// `(preview (RULES…) CLOCK)`: look at this game.
    Preview {
        /// The clauses, in KIF; not yet read.
        rules: String,
        /// For how long, in seconds.
        clock: u32,
    },
    /// `(start ID ROLE (RULES…) STARTCLOCK PLAYCLOCK)`: a match begins.
    Start(StartMessage),
    /// `(play ID nil)` at first, then `(play ID (MOVES…))`: your move, after this joint move.
    Play {
        /// The match.
        id: String,
        /// The last joint move, one move a role in the order of the rules; `None` where there was none.
        moves: Option<Vec<GroundTerm>>,
    },
    /// `(stop ID (MOVES…))`: the match is over, after this joint move.
    Stop {
        /// The match.
        id: String,
        /// The last joint move.
        moves: Option<Vec<GroundTerm>>,
    },
    /// `(abort ID)`: the match is given up.
    Abort {
        /// The match.
        id: String,
    },
}

/// What a player is told when a match begins.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct StartMessage {
    /// What the match is called: one word.
    pub id: String,
    /// The role to be played.
    pub role: GroundTerm,
    /// The clauses, in KIF; not yet read.
    pub rules: String,
    /// How long the player may think before the first move, in seconds.
    pub start_clock: u32,
    /// How long it may think about each move, in seconds.
    pub play_clock: u32,
}

impl StartMessage {
    /// Both clocks.
    pub fn clocks(&self) -> Clocks {
        let seconds = |clock: u32| Duration::from_secs(clock.into());
        Clocks { start: seconds(self.start_clock), play: seconds(self.play_clock) }
    }
}

/// The kinds of messages.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum MessageKind {
    /// [`Message::Info`]
    Info,
    /// [`Message::Preview`]
    Preview,
    /// [`Message::Start`]
    Start,
    /// [`Message::Play`]
    Play,
    /// [`Message::Stop`]
    Stop,
    /// [`Message::Abort`]
    Abort,
}

impl MessageKind {
    /// All of them.
    pub const ALL: [Self; 6] = [Self::Info, Self::Preview, Self::Start, Self::Play, Self::Stop, Self::Abort];

    /// How it is written.
    pub fn name(self) -> &'static str {
        match self {
            Self::Info => "info",
            Self::Preview => "preview",
            Self::Start => "start",
            Self::Play => "play",
            Self::Stop => "stop",
            Self::Abort => "abort",
        }
    }

    /// The kind of this name, in any case.
    pub fn from_name(name: &str) -> Option<Self> {
        Self::ALL.into_iter().find(|kind| kind.name().eq_ignore_ascii_case(name))
    }
}

impl fmt::Display for MessageKind {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        formatter.write_str(self.name())
    }
}

impl Message {
    /// Its kind.
    pub fn kind(&self) -> MessageKind {
        match self {
            Self::Info => MessageKind::Info,
            Self::Preview { .. } => MessageKind::Preview,
            Self::Start(_) => MessageKind::Start,
            Self::Play { .. } => MessageKind::Play,
            Self::Stop { .. } => MessageKind::Stop,
            Self::Abort { .. } => MessageKind::Abort,
        }
    }

    /// The match that it is about, where there is one.
    pub fn match_id(&self) -> Option<&str> {
        match self {
            Self::Info | Self::Preview { .. } => None,
            Self::Start(StartMessage { id, .. })
            | Self::Play { id, .. }
            | Self::Stop { id, .. }
            | Self::Abort { id } => Some(id),
        }
    }
}

/// The text of the message. It parses back to the same one if the id is a word and the rules are balanced.
impl fmt::Display for Message {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(formatter, "({}", self.kind())?;
        match self {
            Self::Info => {}
            Self::Preview { rules, clock } => write!(formatter, " ({}) {clock}", Closed(rules))?,
            Self::Start(StartMessage { id, role, rules, start_clock, play_clock }) => {
                let (role, rules) = (role.display(Dialect::Prefix), Closed(rules));
                write!(formatter, " {id} {role} ({rules}) {start_clock} {play_clock}")?;
            }
            Self::Play { id, moves } | Self::Stop { id, moves } => {
                write!(formatter, " {id} ")?;
                write_moves(moves.as_deref().unwrap_or_default(), formatter)?;
            }
            Self::Abort { id } => write!(formatter, " {id}")?,
        }
        formatter.write_str(")")
    }
}

/// A text in KIF that another parenthesis may follow: a comment at its end would hide it.
struct Closed<'t>(&'t str);

impl fmt::Display for Closed<'_> {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        let last = self.0.lines().last().unwrap_or_default();
        formatter.write_str(self.0)?;
        if last.contains(';') { formatter.write_str("\n") } else { Ok(()) }
    }
}

fn write_moves(moves: &[GroundTerm], formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
    if moves.is_empty() {
        return formatter.write_str("nil");
    }
    for (position, chosen) in moves.iter().enumerate() {
        write!(formatter, "{}{}", if position == 0 { '(' } else { ' ' }, chosen.display(Dialect::Prefix))?;
    }
    formatter.write_str(")")
}
