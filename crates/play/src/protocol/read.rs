//! Parses messages.

use super::error::{MessageError, MessageProblem};
use super::outline::{self, MessagePart};
use super::{Message, MessageKind, StartMessage};
use gdl::rules::GroundTerm;
use gdl::syntax::{Dialect, Source, Span, parse_terms};

impl Message {
    /// Parses a message. The rules of `preview` and `start` are not parsed; only their parentheses have to match.
    ///
    /// # Errors
    /// Why the text is not a message, with the position. Time and memory are linear in the length of the text.
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
            MessageKind::Play => Self::Play { id: fields.id()?, moves: fields.moves()? },
            MessageKind::Stop => Self::Stop { id: fields.id()?, moves: fields.moves()? },
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
            return Err(MessageError::new("", Span::default(), MessageProblem::TooLong));
        }
        let fail = |span, problem| Err(MessageError::new(text, span, problem));
        let list = match outline::parts(text)?[..] {
            [] => return fail(Span::new(text.len(), text.len()), MessageProblem::Empty),
            [MessagePart::Word(span), ..] => return fail(span, MessageProblem::NotAList),
            [MessagePart::List(span)] => span,
            [_, surplus, ..] => return fail(surplus.span(), MessageProblem::Surplus),
        };
        let end = Span { start: list.end - 1, end: list.end };
        let mut parts = outline::inside(text, list)?.into_iter();
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
            Some(MessagePart::List(span)) => Ok(self.text[outline::inner(span).range()].trim().to_string()),
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

    fn moves(&mut self) -> Result<Option<Vec<GroundTerm>>, MessageError> {
        match self.parts.next() {
            Some(MessagePart::Word(span)) if self.text[span.range()].eq_ignore_ascii_case("nil") => Ok(None),
            Some(MessagePart::List(span)) => {
                let moves = terms(self.text, outline::inner(span))?;
                Ok((!moves.is_empty()).then_some(moves))
            }
            other => self.expected("`nil` or the joint move in parentheses", other),
        }
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
