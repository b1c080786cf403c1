//! Where a fact of the position comes from: the proof that the last joint move made it, or that it holds initially.

use crate::repl::command::explain::ExplanationAnswer;
use crate::repl::{Answer, CommandError, Session, read};

/// Why a fact holds in the position, by the rules for `next` and the joint move before it, or by those for `init`.
///
/// # Errors
/// If no game is loaded, if the text is no fact, or if a limit is met.
pub(super) fn origin(session: &mut Session, fact: &str) -> Result<Answer, CommandError> {
    let current = session.current()?;
    let source = current.game.source.clone();
    let relation = if current.state_before_last().is_some() { "next" } else { "init" };
    let query = read::query(&format!("{relation}({fact})"))?;
    let [literal] = &query[..] else {
        let problem = "this is no fact".to_string();
        let usage = "a fact of the position".to_string();
        return Err(CommandError::Usage { problem, usage });
    };
    let why = match current.state_before_last() {
        Some((reasoner, state, joint_move)) => reasoner.why(state, Some(joint_move), literal)?,
        None => {
            let (reasoner, state) = current.position();
            reasoner.why(state, None, literal)?
        }
    };
    Ok(Answer::new(ExplanationAnswer {
        why: why.into(),
        history: None,
        source,
        depth: None,
        denied: false,
        warnings: Vec::new(),
    }))
}
