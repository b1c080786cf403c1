//! Command `branching`: the number of moves of each role in the current state.

use super::{AnswerKind, Arguments, Command};
use crate::repl::answer::text::line;
use crate::repl::answer::{AnswerContent, AnswerValue, TextStyle};
use crate::repl::{Answer, CommandError, Session};
use gdl::quantity::{counted, grouped};
use gdl::rules::GroundTerm;
use ggp_game::{Reasoner, Role};
use serde::Serialize;
use std::sync::Arc;

pub(super) const BRANCHING: Command = Command {
    name: "branching",
    summary: "count the legal moves of each role in the current state, and the joint moves",
    example: "branching",
    answers: AnswerKind::Value,
    ..Command::run_by(branching)
};

/// The numbers of moves in a state.
#[derive(Clone, Debug, Serialize)]
struct Branching {
    /// The roles, in a game with operations those in control.
    roles: Vec<RoleBranching>,
    /// The product of the numbers of moves: the successors of the state, none if the game is over. At most `u64::MAX`.
    joint_moves: u64,
}

/// The number of legal moves of a role.
#[derive(Clone, Debug, Serialize)]
struct RoleBranching {
    role: GroundTerm,
    moves: usize,
}

fn branching(session: &mut Session, _: &Arguments) -> Result<Answer, CommandError> {
    let current = session.current()?;
    let is_over = current.is_over()?;
    let names = current.roles().to_vec();
    let rules = Arc::clone(&current.game.rules);
    let (reasoner, state) = current.position();
    let mut moves = Vec::new();
    let mut roles = Vec::new();
    let mut joint_moves = u64::from(!is_over);
    for (index, role) in names.into_iter().enumerate() {
        moves.clear();
        reasoner.legal_moves(state, Role::new(index), &mut moves)?;
        joint_moves = joint_moves.saturating_mul(moves.len() as u64);
        // In a game with operations, roles without control have no move of the sheet.
        if !matches!(&moves[..], &[only] if rules.is_idle(&reasoner.move_term(only))) {
            roles.push(RoleBranching { role, moves: moves.len() });
        }
    }
    Ok(Answer::new(Branching { roles, joint_moves }))
}

impl AnswerContent for Branching {
    fn kind(&self) -> &'static str {
        "branching"
    }

    fn text(&self, style: &TextStyle<'_>) -> String {
        let role = |role: &RoleBranching| {
            line(format!("{}: {}", role.role.display(style.dialect), counted(role.moves, "move")))
        };
        let roles: String = self.roles.iter().map(role).collect();
        roles + &line(format!("joint moves: {}", grouped(self.joint_moves)))
    }

    /// The number of joint moves.
    fn value(&self) -> Option<AnswerValue> {
        Some(AnswerValue::number(self.joint_moves))
    }
}
