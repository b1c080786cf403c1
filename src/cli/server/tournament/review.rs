//! Review of a match: the moves with which a player threw an exact value away.
//!
//! A value is the utility that a role can force against all others. It is computed from the end of the match backwards,
//! by searches within a number of nodes, until one needs more. Values are comparable where one role at a time chooses and
//! sees the whole state, so games with chance, with simultaneous choices or with percepts are not examined.

use gdl::rules::GroundTerm;
use ggp_engine::Game;
use ggp_engine::interpreter::State;
use ggp_game::{Move, Reasoner, Role};
use ggp_play::ask::budget::{Interrupt, QuestionBudget};
use ggp_play::ask::fitting::{Decisions, SURVEY_TIME, survey};
use ggp_play::ask::{Ask, Belief, Question, QuestionError};
use ggp_play::{MatchRecord, read_term};
use ggp_search::Budget;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};

/// The choices of a role.
#[derive(Clone, Debug, Default)]
pub(super) struct RoleReview {
    /// The number of moves that the player chose itself among several legal ones.
    pub(super) choices: u64,
    /// The number of those before which the value is known.
    pub(super) examined: u64,
    /// The moves that threw it away.
    pub(super) thrown: Vec<ThrownValue>,
}

/// A move that leads to less than the role could force.
#[derive(Clone, Debug)]
pub(super) struct ThrownValue {
    /// The number of the joint move, from 1.
    pub(super) number: usize,
    pub(super) chosen: GroundTerm,
    /// The value that the role can force after it.
    pub(super) value: f64,
    /// A move that keeps the value, and the value before.
    pub(super) best: Option<GroundTerm>,
    pub(super) lost: f64,
}

/// A choice of the match: the state, the role that chose, its move, and the state after it.
struct ReviewedChoice {
    number: usize,
    role: Role,
    before: State,
    chosen: Move,
    after: State,
}

/// The kind of a game, if its choices are not examined.
pub(super) fn unexamined(game: &mut Game, interrupt: &Arc<AtomicBool>) -> Result<Option<&'static str>, QuestionError> {
    if game.rules.has_percepts() {
        return Ok(Some("roles see only their percepts"));
    }
    let state = game.interpreter.initial_state()?;
    let (engine, state) = game.engine_at(&state)?;
    let budget = QuestionBudget::new(Budget::new(), Interrupt::new(interrupt.clone()));
    let kind = survey(engine, &state, &budget, SURVEY_TIME)?.kind;
    let is_examined = matches!(kind, Decisions::Alone | Decisions::Opponents | Decisions::Several);
    Ok((!is_examined).then(|| kind.text()))
}

/// Examines the choices of a match, which agrees with the rules of the game, by searches of this many nodes each. The
/// result is for each role, by its index.
///
/// # Errors
/// If the rules give no answer in some state.
pub(super) fn review(
    game: &mut Game,
    record: &MatchRecord,
    nodes: u64,
    interrupt: &Arc<AtomicBool>,
) -> Result<Vec<RoleReview>, QuestionError> {
    let mut roles = vec![RoleReview::default(); game.interpreter.roles().len()];
    let choices = choices(game, record)?;
    for choice in &choices {
        roles[choice.role.index()].choices += 1;
    }
    for choice in choices.iter().rev() {
        let role = choice.role;
        let Some((lost, best)) = value(game, &choice.before, role, nodes, interrupt)? else { break };
        let Some((value, _)) = value(game, &choice.after, role, nodes, interrupt)? else { break };
        let of_role = &mut roles[role.index()];
        of_role.examined += 1;
        if value < lost {
            let chosen = game.interpreter.move_term(choice.chosen);
            of_role.thrown.push(ThrownValue { number: choice.number, chosen, value, best, lost });
        }
    }
    roles.iter_mut().for_each(|of_role| of_role.thrown.reverse());
    Ok(roles)
}

/// The choices that players made themselves, in their order.
fn choices(game: &mut Game, record: &MatchRecord) -> Result<Vec<ReviewedChoice>, QuestionError> {
    let reasoner = &mut game.interpreter;
    let roles = reasoner.roles().len();
    let mut choices = Vec::new();
    let mut state = reasoner.initial_state()?;
    let mut legal = Vec::new();
    for (ply, joint_move) in record.moves.iter().enumerate() {
        let terms = joint_move.iter().filter_map(|text| read_term(text).ok());
        let moves = terms.map(|term| reasoner.find_move(&term)).collect::<Result<Vec<_>, _>>()?;
        let next = reasoner.next_state(&state, &moves)?;
        let faults = &record.errors[record.errors.len() - record.moves.len()..];
        for role in (0..roles).map(Role::new) {
            reasoner.legal_moves(&state, role, &mut legal)?;
            if legal.len() > 1 && faults[ply][role.index()].is_empty() {
                let chosen = moves[role.index()];
                choices.push(ReviewedChoice {
                    number: ply + 1,
                    role,
                    before: state.clone(),
                    chosen,
                    after: next.clone(),
                });
            }
        }
        state = next;
    }
    Ok(choices)
}

/// The value that a role can force in a state, with a move that does; `None` if that needs more nodes, or after an
/// interrupt.
fn value(
    game: &mut Game,
    state: &State,
    role: Role,
    nodes: u64,
    interrupt: &Arc<AtomicBool>,
) -> Result<Option<(f64, Option<GroundTerm>)>, QuestionError> {
    if interrupt.load(Ordering::Relaxed) {
        return Ok(None);
    }
    if game.interpreter.is_terminal(state)? {
        // Without a goal value the role gets nothing.
        return Ok(Some((game.interpreter.goal(state, role).map_or(0.0, |goal| goal.to_f64()), None)));
    }
    let text = if game.interpreter.roles().len() == 1 { "bestplan" } else { "alphabeta:table" };
    let question: Question = text.parse()?;
    let budget = Budget::new().with_nodes(nodes).with_interrupt(interrupt.clone());
    let found = game.ask(state, role, &question, &budget)?.answer;
    let proven = found.filter(|found| found.belief == Belief::Proven);
    Ok(proven.and_then(|found| Some((found.value?, found.chosen))))
}
