//! Command `why`: proofs of literals, and reasons for their failure; of a fact, its history in the match.

mod history;

use super::moves::joint_move;
use super::query::warnings;
use super::{AnswerKind, ArgumentKind, Arguments, Command, OptionGroup};
use crate::repl::answer::{AnswerContent, AnswerValue, TextStyle};
use crate::repl::{Answer, CommandError, Session, read};
use gdl::syntax::Source;
use ggp_engine::interpreter::explain::render;
use ggp_engine::interpreter::{Interpreter, Justification};
use ggp_play::ask::spec::NamedOption;
use history::FactHistory;
use serde::{Serialize, Serializer};

pub(super) const WHY: Command = Command {
    name: "why",
    operands: "[not] LITERAL [after MOVE…]",
    options: &[OptionGroup::own(&[LEVELS])],
    summary: "prove a literal in the current state (`next`: after a joint move), or show where each of its rules fails; for a fact, `why true(F)` and `why not true(F)` show the move and the rule that made or removed it",
    example: "why not legal(xplayer,mark(1,1))",
    example_after: &["do mark(1,1)"],
    takes: ArgumentKind::Literal,
    answers: AnswerKind::Truth,
    ..Command::for_rules(why)
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
    let history = match joint_move {
        Some(_) => None,
        None => FactHistory::of_claim(current, &why.node(why.root).claim, levels)?,
    };
    Ok(Answer::new(ExplanationAnswer { why: why.into(), history, source, depth, denied, warnings }))
}

/// Proof of a literal, or the reasons for its failure.
#[derive(Clone, Debug)]
pub(crate) struct ExplanationAnswer {
    /// The proof, or the reasons for failure.
    pub(crate) why: Box<Justification>,
    /// The history of the fact, if the question is about one.
    pub(crate) history: Option<FactHistory>,
    /// The text of the rules.
    pub(crate) source: Source,
    /// The depth to which it is shown; `None` for all of it.
    pub(crate) depth: Option<u32>,
    /// True if the question was why the literal does not hold.
    pub(crate) denied: bool,
    /// Warnings about the question, such as unknown relations.
    pub(crate) warnings: Vec<String>,
}

impl ExplanationAnswer {
    /// True if the question is right about the literal: it holds or, if that was asked, does not hold.
    fn is_as_asked(&self) -> bool {
        self.why.holds != self.denied
    }
}

impl Serialize for ExplanationAnswer {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        let mut value = render::json(&self.why, &self.source, self.depth);
        value["warnings"] = self.warnings.clone().into();
        if let Some(history) = &self.history {
            value["history"] = history.json(&self.source, self.depth);
        }
        value.serialize(serializer)
    }
}

impl AnswerContent for ExplanationAnswer {
    fn kind(&self) -> &'static str {
        "explained"
    }

    fn text(&self, _style: &TextStyle<'_>) -> String {
        let history = self.history.as_ref().map(|history| history.text(&self.source, self.depth));
        render::text(&self.why, &self.source, self.depth) + &history.unwrap_or_default()
    }

    fn value(&self) -> Option<AnswerValue> {
        Some(AnswerValue::Truth(self.is_as_asked()))
    }

    fn warnings(&self) -> &[String] {
        &self.warnings
    }
}
