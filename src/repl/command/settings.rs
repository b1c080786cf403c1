//! Commands for the settings of a session: the engine, the dialect, the time.

use super::{AnswerKind, ArgumentKind, Arguments, Command, answer_line};
use crate::repl::answer::text::line;
use crate::repl::answer::{AnswerContent, AnswerValue, Statement, TextStyle};
use crate::repl::{Answer, CommandError, Session};
use gdl::quantity::grouped;
use gdl::rules::GroundTerm;
use gdl::syntax::Dialect;
use gdl::time::Instant;
use serde::Serialize;

pub(super) const ENGINE: Command = Command {
    name: "engine",
    operands: "[NAME]",
    summary: "show or choose the engine that plays and searches: auto, propnet, interpreter",
    example: "engine propnet",
    takes: ArgumentKind::Engine,
    answers: AnswerKind::Value,
    ..Command::run_by(engine)
};

pub(super) const FORMAT: Command = Command {
    name: "format",
    operands: "[prefix|infix]",
    summary: "show or choose the dialect in which answers are written; both are accepted as input, and JSON is infix",
    example: "format prefix",
    takes: ArgumentKind::Dialect,
    answers: AnswerKind::Value,
    ..Command::for_rules(format)
};

pub(super) const TIME: Command = Command {
    name: "time",
    operands: "COMMAND",
    summary: "run a command and show the elapsed time",
    example: "time maxscore",
    example_game: "",
    takes: ArgumentKind::Command,
    ..Command::for_rules(time)
};

fn engine(session: &mut Session, arguments: &Arguments) -> Result<Answer, CommandError> {
    if !arguments.operands().is_empty() {
        session.set_engine(arguments.operands().parse()?)?;
    }
    let engine = session.engine();
    let shown = Statement::new("engine", line(engine.to_string())).with("engine", engine);
    Ok(Answer::new(shown.valued(AnswerValue::One(GroundTerm::symbol(engine.name())))))
}

fn format(session: &mut Session, arguments: &Arguments) -> Result<Answer, CommandError> {
    let name = arguments.operands();
    if !name.is_empty() {
        let dialect = Dialect::ALL.into_iter().find(|dialect| dialect.name() == name);
        session.dialect = dialect.ok_or_else(|| arguments.wrong(format!("there is no dialect `{name}`")))?;
    }
    let dialect = session.dialect();
    let shown = Statement::new("format", line(dialect.name().to_string())).with("dialect", dialect);
    Ok(Answer::new(shown.valued(AnswerValue::One(GroundTerm::symbol(dialect.name())))))
}

fn time(session: &mut Session, arguments: &Arguments) -> Result<Answer, CommandError> {
    if arguments.operands().is_empty() {
        return Err(arguments.wrong("which command?"));
    }
    let started = Instant::now();
    let answer = answer_line(session, arguments.operands())?;
    Ok(Answer::new(TimedAnswer { seconds: started.elapsed().as_secs_f64(), answer }))
}

/// An answer with the time that it took.
#[derive(Clone, Debug, Serialize)]
struct TimedAnswer {
    /// The elapsed time by the clock, in seconds.
    seconds: f64,
    /// The answer of the command that was timed.
    answer: Answer,
}

impl AnswerContent for TimedAnswer {
    fn kind(&self) -> &'static str {
        "timed"
    }

    /// The answer, then the elapsed time and the amount of work per second.
    fn text(&self, style: &TextStyle<'_>) -> String {
        let Self { seconds, answer } = self;
        let rate = match answer.content().work() {
            Some((count, what)) if count > 0 && *seconds > 0.0 => {
                format!(", {} {what} a second", grouped((count as f64 / seconds).round()))
            }
            _ => String::new(),
        };
        answer.text(&style.within()) + &line(format!("{seconds:.3} s{rate}"))
    }

    fn inner(&self) -> Option<&Answer> {
        Some(&self.answer)
    }
}
