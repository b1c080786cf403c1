//! `board`: whether positions are drawn when they change; and the drawn positions of the answers that show one.

use super::show::SHOW;
use super::{Arguments, Command};
use crate::repl::answer::text::line;
use crate::repl::answer::{AnswerContent, Boards, MatchPly, MatchPosition, TextStyle};
use crate::repl::session::Match;
use crate::repl::{Answer, CommandError, Session};
use gdl::rules::GroundTerm;
use ggp_game::Reasoner;
use serde::Serialize;

pub(super) const BOARD: Command = Command {
    name: "board",
    operands: "[on|off]",
    summary: "draw the position; `on` draws it after each change and each `next` (the default at a terminal), `off` does not",
    example: "board",
    ..Command::run_by(board)
};

fn board(session: &mut Session, arguments: &Arguments) -> Result<Answer, CommandError> {
    match arguments.operands() {
        "" => return (SHOW.run)(session, &Arguments::of_values(&SHOW, [])?),
        "on" => session.draw_boards(true),
        "off" => session.draw_boards(false),
        word => return Err(arguments.wrong(format!("`board` is `on` or `off`, not `{word}`"))),
    }
    Ok(Answer::new(BoardSetting { on: session.draws_boards() }))
}

/// The position after a change of the match, drawn if the session draws boards, with what the change has changed.
pub(super) fn position_after(
    session: &mut Session,
    change: impl FnOnce(&mut Match) -> Result<(), CommandError>,
) -> Result<MatchPosition, CommandError> {
    let draws = session.draws_boards();
    let current = session.current()?;
    let before = draws.then(|| facts(current));
    change(current)?;
    let mut position = position(current)?;
    if let Some(before) = before {
        let now = facts(current);
        position.drawn = drawn(current, &now, Some(&before));
    }
    Ok(position)
}

/// A state of the match as it is drawn, with what differs from the facts before; `None` if nothing of it can be drawn.
/// It never fails, because the match has changed already.
pub(super) fn drawn(current: &mut Match, facts: &[GroundTerm], before: Option<&[GroundTerm]>) -> Option<Boards> {
    let setting = current.setting().ok()?;
    Some(Boards::from_facts(&setting, facts, before)).filter(|drawn| !drawn.is_plain())
}

/// The facts of the current state, in canonical order.
pub(super) fn facts(current: &mut Match) -> Vec<GroundTerm> {
    let (reasoner, state) = current.position();
    reasoner.facts(state)
}

/// The current position of the match.
pub(super) fn position(current: &mut Match) -> Result<MatchPosition, CommandError> {
    let last = MatchPly::new(current.ply(), current.roles(), current.last_step());
    let (reasoner, state) = current.position();
    Ok(MatchPosition::at(reasoner, state, last)?)
}

/// Whether positions are drawn when they change.
#[derive(Clone, Debug, Serialize)]
struct BoardSetting {
    /// Whether they are.
    on: bool,
}

impl AnswerContent for BoardSetting {
    fn kind(&self) -> &'static str {
        "board_setting"
    }

    fn text(&self, _style: &TextStyle<'_>) -> String {
        let when = if self.on { "when they change" } else { "only by `show` and `board`" };
        line(format!("positions are drawn {when}"))
    }
}
