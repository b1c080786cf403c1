//! The messages of a match's manager and the replies of a player: how they are written, read, and found to be wrong.
//!
//! A message is read in two steps. The outline is its outermost level, words and lists with their spans; a list of
//! rules or moves is one part there, whatever it contains. [`gdl::syntax`] then reads the moves; rules stay text.
//! Comments extend from `;` to the end of the line, as in every KIF text. Time is linear in the length of the text, and
//! nothing recurses.

use crate::{Clocks, LastTurn};
use gdl::rules::GroundTerm;
use gdl::suggestion::near_or_all;
use gdl::syntax::{Dialect, LineColumn, Source, Span, is_blank, parse_terms};
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
    /// `(play ID nil)` at the first turn, later `(play ID (MOVES…))`: asks for a move after this joint move. In a game
    /// with `sees`, `(play ID TURN MOVE (PERCEPTS…))`: after this view of the joint move, `(play ID 0 nil nil)` at the
    /// first turn.
    Play {
        /// The identifier of the match.
        id: String,
        /// What the player is told of the last turn.
        last: LastTurn,
    },
    /// `(stop ID (MOVES…))` or `(stop ID TURN MOVE (PERCEPTS…))`: the match is over, after this turn.
    Stop {
        /// The identifier of the match.
        id: String,
        /// What the player is told of the last turn.
        last: LastTurn,
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
    fn from_name(name: &str) -> Option<Self> {
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
            Self::Preview { rules, clock } => write!(formatter, " ({rules}{}) {clock}", end_of_comment(rules))?,
            Self::Start(StartMessage { id, role, rules, start_clock, play_clock }) => {
                let role = role.display(Dialect::Prefix);
                let end = end_of_comment(rules);
                write!(formatter, " {id} {role} ({rules}{end}) {start_clock} {play_clock}")?;
            }
            Self::Play { id, last } | Self::Stop { id, last } => {
                write!(formatter, " {id} ")?;
                match last {
                    LastTurn::JointMove(moves) => write_terms(moves.as_deref().unwrap_or_default(), formatter)?,
                    LastTurn::View { turn, chosen, percepts } => {
                        write!(formatter, "{turn} ")?;
                        match chosen {
                            Some(chosen) => write!(formatter, "{} ", chosen.display(Dialect::Prefix))?,
                            None => formatter.write_str("nil ")?,
                        }
                        write_terms(percepts, formatter)?;
                    }
                }
            }
            Self::Abort { id } => write!(formatter, " {id}")?,
        }
        formatter.write_str(")")
    }
}

/// The text between rules and the parenthesis that closes them: a newline if a comment at their end would hide it.
fn end_of_comment(rules: &str) -> &'static str {
    if rules.lines().last().is_some_and(|last| last.contains(';')) { "\n" } else { "" }
}

fn write_terms(terms: &[GroundTerm], formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
    if terms.is_empty() {
        return formatter.write_str("nil");
    }
    for (position, term) in terms.iter().enumerate() {
        write!(formatter, "{}{}", if position == 0 { '(' } else { ' ' }, term.display(Dialect::Prefix))?;
    }
    formatter.write_str(")")
}

/// A reply of a player.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Reply {
    /// To `info`: `((name NAME) (status available))`.
    Info {
        /// The name of the player: one word.
        name: String,
        /// The status of the player.
        status: Status,
    },
    /// To `start` and `preview`: `ready`.
    Ready,
    /// To `play`: the chosen move.
    Move(GroundTerm),
    /// To `stop`: the player has left the match.
    Done,
    /// To `abort`: the player has left the match.
    Aborted,
    /// To any message: another match is being played, `busy`.
    Busy,
}

/// The status of a player.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Status {
    /// The player is free for a match.
    Available,
    /// The player is in a match.
    Busy,
}

impl fmt::Display for Status {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        formatter.write_str(match self {
            Self::Available => "available",
            Self::Busy => "busy",
        })
    }
}

impl fmt::Display for Reply {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Info { name, status } => write!(formatter, "((name {name}) (status {status}))"),
            Self::Ready => formatter.write_str("ready"),
            Self::Move(chosen) => chosen.display(Dialect::Prefix).fmt(formatter),
            Self::Done => formatter.write_str("done"),
            Self::Aborted => formatter.write_str("aborted"),
            Self::Busy => formatter.write_str("busy"),
        }
    }
}

impl Reply {
    /// Parses the reply to a message of this kind. Keywords are read in any case, and `busy` is never a move. For
    /// `info`, a plain `available` or `busy`, as some players send it, is accepted as well.
    ///
    /// # Errors
    /// If the text is not such a reply.
    pub fn parse(text: &str, message: MessageKind) -> Result<Self, MessageError> {
        let word = text.trim();
        if message != MessageKind::Info && word.eq_ignore_ascii_case("busy") {
            return Ok(Self::Busy);
        }
        let (expected, reply) = match message {
            MessageKind::Info => ("`((name …) (status available))`", info(text)),
            MessageKind::Preview | MessageKind::Start => ("`ready` or `busy`", is(word, "ready", Self::Ready)),
            MessageKind::Stop => ("`done`", is(word, "done", Self::Done)),
            MessageKind::Abort => ("`aborted`", is(word, "aborted", Self::Aborted)),
            MessageKind::Play => {
                let mut terms = terms(text, Span::new(0, text.len()))?;
                ("one move", if terms.len() == 1 { terms.pop().map(Self::Move) } else { None })
            }
        };
        let problem = MessageProblem::Reply { message, expected };
        reply.ok_or_else(|| MessageError::new(text, Span::new(0, text.len()), problem))
    }
}

fn is(word: &str, expected: &str, reply: Reply) -> Option<Reply> {
    word.eq_ignore_ascii_case(expected).then_some(reply)
}

fn info(text: &str) -> Option<Reply> {
    let mut parts = parts(text).ok()?;
    if let [MessagePart::List(list)] = parts[..] {
        parts = inside(text, list).ok()?;
    }
    let mut name = String::new();
    let mut status = None;
    for part in parts {
        let words: Vec<&str> = match part {
            MessagePart::Word(span) => vec!["status", &text[span.range()]],
            MessagePart::List(span) => inside(text, span).ok()?.iter().map(|part| &text[part.span().range()]).collect(),
        };
        match words[..] {
            [key, value] if key.eq_ignore_ascii_case("name") => name = value.to_string(),
            [key, value] if key.eq_ignore_ascii_case("status") => status = status_of(value).or(status),
            _ => {}
        }
    }
    status.map(|status| Reply::Info { name, status })
}

fn status_of(word: &str) -> Option<Status> {
    match word.to_ascii_lowercase().as_str() {
        "available" | "ready" => Some(Status::Available),
        "busy" => Some(Status::Busy),
        _ => None,
    }
}

/// A text that is not a message, or not the expected reply.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("{}:{}: {problem}", position.line, position.column)]
pub struct MessageError {
    /// The range of the error in the text.
    pub span: Span,
    /// The line and column where it begins.
    pub position: LineColumn,
    /// The problem at this position.
    pub problem: MessageProblem,
}

/// A problem of a message or a reply.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum MessageProblem {
    /// The text is too long for 32-bit positions.
    #[error("the text has 4 GiB or more")]
    TooLong,
    /// The text is empty or only whitespace.
    #[error("a message is expected, such as `(info)`")]
    Empty,
    /// The text does not begin with a list.
    #[error("a message begins with `(`, as in `(info)`")]
    NotAList,
    /// The first word of the message is missing.
    #[error("a message begins with its name, as in `(info)`")]
    NoName,
    /// A parenthesis is never closed.
    #[error("this parenthesis is not closed")]
    Unclosed,
    /// A closing parenthesis has no opening one.
    #[error("this parenthesis has no opening one")]
    Stray,
    /// The message continues after its last part.
    #[error("nothing more is expected here")]
    Surplus,
    /// There is no message of this name.
    #[error("there is no message `{name}`; {}", hint(name))]
    UnknownMessage {
        /// The name that is not a message's.
        name: String,
    },
    /// A part of the message is missing or of the wrong kind.
    #[error("`{message}` needs {part} here")]
    Expected {
        /// The kind of message that needs the part.
        message: MessageKind,
        /// A description of the part, with an article.
        part: &'static str,
    },
    /// A part is not a term, although it must be.
    #[error("{0}")]
    Term(String),
    /// A move or a role contains a variable.
    #[error("a move, a role or a percept must not contain variables")]
    Variable,
    /// The reply does not answer the message.
    #[error("the answer to `{message}` must be {expected}")]
    Reply {
        /// The kind of message that was sent.
        message: MessageKind,
        /// The expected form of the reply.
        expected: &'static str,
    },
}

impl MessageError {
    /// A problem at `span` of a text.
    pub(super) fn new(text: &str, span: Span, problem: MessageProblem) -> Self {
        let position = Source::new("message", text).position(span.start);
        Self { span, position, problem }
    }
}

fn hint(name: &str) -> String {
    near_or_all(name, &MessageKind::ALL.map(MessageKind::name))
}

impl Message {
    /// Parses a message. The rules of `preview` and `start` are not parsed; only their parentheses have to match.
    ///
    /// # Errors
    /// The first problem of a text that is no message, with its position.
    pub fn parse(text: &str) -> Result<Self, MessageError> {
        let mut fields = Fields::read(text)?;
        let message = match fields.message {
            MessageKind::Info => Self::Info,
            MessageKind::Preview => Self::Preview { rules: fields.rules()?, clock: fields.clock("the clock")? },
            MessageKind::Start => Self::Start(StartMessage {
                id: fields.id()?,
                role: fields.role()?,
                rules: fields.rules()?,
                start_clock: fields.clock("the start clock")?,
                play_clock: fields.clock("the play clock")?,
            }),
            MessageKind::Play => Self::Play { id: fields.id()?, last: fields.last_turn()? },
            MessageKind::Stop => Self::Stop { id: fields.id()?, last: fields.last_turn()? },
            MessageKind::Abort => Self::Abort { id: fields.id()? },
        };
        fields.finish()?;
        Ok(message)
    }
}

/// The parts of a message after its name.
struct Fields<'t> {
    text: &'t str,
    message: MessageKind,
    parts: std::vec::IntoIter<MessagePart>,
    /// The parenthesis at the end of the message.
    end: Span,
}

impl<'t> Fields<'t> {
    fn read(text: &'t str) -> Result<Self, MessageError> {
        if u32::try_from(text.len()).is_err() {
            // Spans have 32 bits, so the error of a longer text has no position.
            return Err(MessageError::new("", Span::default(), MessageProblem::TooLong));
        }
        let fail = |span, problem| Err(MessageError::new(text, span, problem));
        let list = match parts(text)?[..] {
            [] => return fail(Span::new(text.len(), text.len()), MessageProblem::Empty),
            [MessagePart::Word(span), ..] => return fail(span, MessageProblem::NotAList),
            [MessagePart::List(span)] => span,
            [_, surplus, ..] => return fail(surplus.span(), MessageProblem::Surplus),
        };
        let end = Span { start: list.end - 1, end: list.end };
        let mut parts = inside(text, list)?.into_iter();
        let message = match parts.next() {
            Some(MessagePart::Word(span)) => {
                let name = &text[span.range()];
                let unknown = || MessageProblem::UnknownMessage { name: name.to_string() };
                MessageKind::from_name(name).ok_or_else(|| MessageError::new(text, span, unknown()))?
            }
            Some(MessagePart::List(span)) => return fail(span, MessageProblem::NoName),
            None => return fail(end, MessageProblem::NoName),
        };
        Ok(Self { text, message, parts, end })
    }

    /// The identifier of the match.
    fn id(&mut self) -> Result<String, MessageError> {
        match self.parts.next() {
            Some(MessagePart::Word(span)) => Ok(self.text[span.range()].to_string()),
            other => self.expected("the id of a match", other),
        }
    }

    fn role(&mut self) -> Result<GroundTerm, MessageError> {
        match self.parts.next() {
            Some(part) => {
                let mut terms = terms(self.text, part.span())?;
                terms.pop().map_or_else(|| self.expected("a role", Some(part)), Ok)
            }
            None => self.expected("a role", None),
        }
    }

    fn rules(&mut self) -> Result<String, MessageError> {
        match self.parts.next() {
            Some(MessagePart::List(span)) => Ok(self.text[inner(span).range()].trim().to_string()),
            other => self.expected("the rules in parentheses", other),
        }
    }

    fn clock(&mut self, part: &'static str) -> Result<u32, MessageError> {
        let found = self.parts.next();
        match found {
            Some(MessagePart::Word(span)) if let Ok(seconds) = self.text[span.range()].parse() => Ok(seconds),
            other => self.expected(part, other),
        }
    }

    /// What is told of the last turn: one part for the joint move, three for a view of it.
    fn last_turn(&mut self) -> Result<LastTurn, MessageError> {
        if self.parts.len() <= 1 {
            let moves = self.terms_or_nil("`nil` or the joint move in parentheses")?;
            return Ok(LastTurn::JointMove((!moves.is_empty()).then_some(moves)));
        }
        let found = self.parts.next();
        let turn = match found {
            Some(MessagePart::Word(span)) if let Ok(turn) = self.text[span.range()].parse() => turn,
            other => return self.expected("the number of joint moves so far", other),
        };
        let chosen = match self.parts.next() {
            Some(MessagePart::Word(span)) if self.is_nil(span) => None,
            Some(part) => terms(self.text, part.span())?.pop(),
            None => return self.expected("the last move of the role, or `nil`,", None),
        };
        Ok(LastTurn::View { turn, chosen, percepts: self.terms_or_nil("`nil` or the percepts in parentheses")? })
    }

    fn terms_or_nil(&mut self, part: &'static str) -> Result<Vec<GroundTerm>, MessageError> {
        match self.parts.next() {
            Some(MessagePart::Word(span)) if self.is_nil(span) => Ok(Vec::new()),
            Some(MessagePart::List(span)) => terms(self.text, inner(span)),
            other => self.expected(part, other),
        }
    }

    fn is_nil(&self, word: Span) -> bool {
        self.text[word.range()].eq_ignore_ascii_case("nil")
    }

    fn finish(mut self) -> Result<(), MessageError> {
        match self.parts.next() {
            Some(surplus) => Err(MessageError::new(self.text, surplus.span(), MessageProblem::Surplus)),
            None => Ok(()),
        }
    }

    fn expected<T>(&self, part: &'static str, found: Option<MessagePart>) -> Result<T, MessageError> {
        let problem = MessageProblem::Expected { message: self.message, part };
        Err(MessageError::new(self.text, found.map_or(self.end, MessagePart::span), problem))
    }
}

/// The ground terms in this part of a text.
pub(super) fn terms(text: &str, span: Span) -> Result<Vec<GroundTerm>, MessageError> {
    let source = Source::new("message", &text[span.range()]);
    let terms = parse_terms(&source, Some(Dialect::Prefix)).map_err(|problems| {
        let label = problems.first().and_then(|problem| problem.labels.first());
        let span =
            label.map_or(span, |label| Span { start: span.start + label.span.start, end: span.start + label.span.end });
        let what = problems.into_iter().next().map_or_else(String::new, |problem| problem.message);
        MessageError::new(text, span, MessageProblem::Term(what))
    })?;
    let ground = |term| GroundTerm::from_term(term);
    let variable = |term: &gdl::syntax::ast::Term| {
        let own = term.span();
        let span = Span { start: span.start + own.start, end: span.start + own.end };
        MessageError::new(text, span, MessageProblem::Variable)
    };
    terms.iter().map(|term| ground(term).ok_or_else(|| variable(term))).collect()
}

/// A part of a list.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
enum MessagePart {
    /// Characters up to whitespace or a parenthesis.
    Word(Span),
    /// From `(` to the `)` that closes it.
    List(Span),
}

impl MessagePart {
    /// The range of the part in the text.
    pub(super) fn span(self) -> Span {
        match self {
            Self::Word(span) | Self::List(span) => span,
        }
    }
}

/// The parts of a whole text.
fn parts(text: &str) -> Result<Vec<MessagePart>, MessageError> {
    parts_within(text, Span::new(0, text.len()))
}

/// The parts of a list; `list` includes its parentheses.
fn inside(text: &str, list: Span) -> Result<Vec<MessagePart>, MessageError> {
    parts_within(text, inner(list))
}

/// The range between the parentheses of a list.
pub(super) fn inner(list: Span) -> Span {
    Span { start: list.start + 1, end: list.end - 1 }
}

fn parts_within(text: &str, span: Span) -> Result<Vec<MessagePart>, MessageError> {
    let mut found = Vec::new();
    let mut open = Vec::new();
    let mut at = span.start as usize;
    let end = span.end as usize;
    while let Some(c) = text[at..end].chars().next() {
        let start = at;
        at += c.len_utf8();
        match c {
            ';' => at += length(&text[at..end], |c| !matches!(c, '\n' | '\r')),
            '(' => open.push(start),
            ')' => match open.pop() {
                Some(opened) if open.is_empty() => found.push(MessagePart::List(Span::new(opened, at))),
                Some(_) => {}
                None => return Err(MessageError::new(text, Span::new(start, at), MessageProblem::Stray)),
            },
            c if is_blank(c) => {}
            _ => {
                at += length(&text[at..end], |c| !is_blank(c) && !matches!(c, '(' | ')' | ';'));
                if open.is_empty() {
                    found.push(MessagePart::Word(Span::new(start, at)));
                }
            }
        }
    }
    match open.first() {
        Some(&opened) => Err(MessageError::new(text, Span::new(opened, opened + 1), MessageProblem::Unclosed)),
        None => Ok(found),
    }
}

/// The number of bytes of the longest prefix of such characters.
fn length(text: &str, belongs: impl Fn(char) -> bool) -> usize {
    text.find(|c| !belongs(c)).unwrap_or(text.len())
}
