//! `why`: proofs of literals, and reasons for their failure.

use super::play::joint_move;
use super::query::warnings;
use super::{AnswerKind, ArgumentKind, Arguments, Command, OptionGroup};
use crate::ask::spec::NamedOption;
use crate::interpreter::Interpreter;
use crate::repl::answer::ExplanationAnswer;
use crate::repl::{Answer, CommandError, Session, read};

pub(super) const WHY: Command = Command {
    name: "why",
    operands: "[not] LITERAL [after MOVE…]",
    options: &[OptionGroup::own(&[LEVELS])],
    summary: "prove a literal in the current state (`next`: after a joint move), or show where each of its rules fails",
    example: "why not legal(xplayer,mark(1,1))",
    takes: ArgumentKind::Literal,
    answers: AnswerKind::Truth,
    ..Command::run_by(why)
};

const LEVELS: NamedOption =
    NamedOption::number("--depth", "N", "a number of levels", "show no more levels of the proof than this");

fn why(session: &mut Session, arguments: &Arguments) -> Result<Answer, CommandError> {
    let depth = arguments.number(&LEVELS)?;
    let (denied, asked) = match read::word(arguments.operands()) {
        ("not", rest) => (true, rest),
        _ => (false, arguments.operands()),
    };
    let (literal, moves) = read::split_at_word(asked, "after");
    if literal.is_empty() {
        return Err(WHY.misused("which literal?"));
    }
    let current = session.current()?;
    let query = read::query(literal)?;
    let [literal] = &query[..] else { return Err(WHY.misused("one literal at a time")) };
    let joint_move = match moves {
        Some(moves) => Some(joint_move(current, moves)?),
        None => None,
    };
    let warnings = warnings(current, &query);
    let source = current.game.source.clone();
    let (reasoner, state) = current.position();
    let levels = depth.map_or(Interpreter::LEVELS, |depth: u32| depth.max(Interpreter::LEVELS));
    let why = reasoner.why_to_level(state, joint_move.as_deref(), literal, levels)?;
    Ok(Answer::new(ExplanationAnswer { why: why.into(), source, depth, denied, warnings }))
}
