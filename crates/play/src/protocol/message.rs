//! The messages of a match's manager to a player, and how they are written.

use crate::Clocks;
use gdl::rules::GroundTerm;
use gdl::syntax::Dialect;
use std::fmt;
use std::time::Duration;

/// A message to a player.
///
/// It is written in KIF as the body of a request; [`Message::parse`] reads it. Keywords of the protocol are read in any
/// case and written in lower case.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Message {
    /// `(info)`: asks for the player's name and whether it is free.
    Info,
    /// `(preview (RULES…) CLOCK)`: shows the player a game.
    Preview {
        /// The clauses, in KIF, not parsed yet.
        rules: String,
        /// The time for the preview, in seconds.
        clock: u32,
    },
    /// `(start ID ROLE (RULES…) STARTCLOCK PLAYCLOCK)`: a match begins.
    Start(StartMessage),
    /// `(play ID nil)` at the first turn, later `(play ID (MOVES…))`: asks for a move after this joint move.
    Play {
        /// The identifier of the match.
        id: String,
        /// The previous joint move, in the order of the roles; `None` at the first turn.
        moves: Option<Vec<GroundTerm>>,
    },
    /// `(stop ID (MOVES…))`: the match is over, after this joint move.
    Stop {
        /// The identifier of the match.
        id: String,
        /// The last joint move, in the order of the roles; `None` if there was none.
        moves: Option<Vec<GroundTerm>>,
    },
    /// `(abort ID)`: the match is abandoned.
    Abort {
        /// The identifier of the match.
        id: String,
    },
}

/// The contents of the message with which a match begins.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct StartMessage {
    /// The identifier of the match: one word.
    pub id: String,
    /// The role of the player.
    pub role: GroundTerm,
    /// The clauses, in KIF, not parsed yet.
    pub rules: String,
    /// The time before the first move, in seconds.
    pub start_clock: u32,
    /// The time for each move, in seconds.
    pub play_clock: u32,
}

impl StartMessage {
    /// The start clock and the play clock.
    pub fn clocks(&self) -> Clocks {
        let seconds = |clock: u32| Duration::from_secs(clock.into());
        Clocks { start: seconds(self.start_clock), play: seconds(self.play_clock) }
    }
}

/// The kinds of messages, without their contents.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum MessageKind {
    /// `info`, see [`Message::Info`].
    Info,
    /// `preview`, see [`Message::Preview`].
    Preview,
    /// `start`, see [`Message::Start`].
    Start,
    /// `play`, see [`Message::Play`].
    Play,
    /// `stop`, see [`Message::Stop`].
    Stop,
    /// `abort`, see [`Message::Abort`].
    Abort,
}

impl MessageKind {
    /// All kinds, in the order of the documentation.
    pub const ALL: [Self; 6] = [Self::Info, Self::Preview, Self::Start, Self::Play, Self::Stop, Self::Abort];

    /// The keyword of the message.
    pub(crate) fn name(self) -> &'static str {
        match self {
            Self::Info => "info",
            Self::Preview => "preview",
            Self::Start => "start",
            Self::Play => "play",
            Self::Stop => "stop",
            Self::Abort => "abort",
        }
    }

    /// The kind with this keyword, in any case.
    pub(crate) fn from_name(name: &str) -> Option<Self> {
        Self::ALL.into_iter().find(|kind| kind.name().eq_ignore_ascii_case(name))
    }
}

impl fmt::Display for MessageKind {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        formatter.write_str(self.name())
    }
}

impl Message {
    /// The kind of the message.
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

    /// The identifier of the match, if the message has one.
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

/// The text of the message. It parses back to an equal message if the identifier is a word and the parentheses of the
/// rules match.
impl fmt::Display for Message {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(formatter, "({}", self.kind())?;
        match self {
            Self::Info => {}
            Self::Preview { rules, clock } => write!(formatter, " ({}) {clock}", ClosedText(rules))?,
            Self::Start(StartMessage { id, role, rules, start_clock, play_clock }) => {
                let role = role.display(Dialect::Prefix);
                let rules = ClosedText(rules);
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

/// A KIF text after which a parenthesis may follow: a newline is added if a comment at the end would hide it.
struct ClosedText<'t>(&'t str);

impl fmt::Display for ClosedText<'_> {
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
