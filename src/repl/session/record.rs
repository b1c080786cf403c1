//! The match of a session as a record, which `ggp replay` verifies and other programs read.

use super::MatchStep;
use crate::repl::{CommandError, Session};
use gdl::rules::GroundTerm;
use gdl::time::SystemTime;
use ggp_game::{Reasoner, Role};
use ggp_play::{Clocks, MatchRecord};
use std::time::Duration;

/// The record of a session's match so far. Each state has the time of the record, since a session goes back and forth.
///
/// # Errors
/// If no game is loaded, or a jump to a state is among the plies.
pub(crate) fn record(session: &mut Session, players: Vec<String>) -> Result<MatchRecord, CommandError> {
    let current = session.current()?;
    let steps = current.steps();
    let game = current.game.name.clone();
    let is_over = current.is_over()?;
    let roles: Vec<GroundTerm> = current.roles().to_vec();
    let clocks = Clocks { start: Duration::ZERO, play: Duration::ZERO };
    let mut record = MatchRecord::new(&format!("{game}.session"), &game, &roles, players, clocks);
    record.push_start(vec![String::new(); roles.len()]);
    for ply in 0..=steps.len() {
        let (reasoner, state) = current.state_after(ply);
        record.push_state(&reasoner.facts(state), SystemTime::now());
        match steps.get(ply) {
            Some(MatchStep::Played(moves)) => record.push_moves(moves, vec![String::new(); roles.len()]),
            Some(MatchStep::Set(_)) => {
                let problem = format!("ply {} is a jump to a state: a record has moves only", ply + 1);
                return Err(CommandError::JointMove { problem });
            }
            None => {}
        }
    }
    if is_over {
        let (reasoner, state) = current.position();
        record.complete((0..roles.len()).map(|role| reasoner.goal(state, Role::new(role)).ok()).collect());
    }
    Ok(record)
}
