//! Commands that query the current state without changing it.

use super::{AnswerKind, Arguments, Command, OptionGroup};
use crate::repl::answer::text::{joined, line, lines, table, terms};
use crate::repl::answer::{AnswerContent, AnswerValue, Boards, GoalPart, GoalValue, TextStyle, TruthValue, goal_text};
use crate::repl::session::Match;
use crate::repl::{Answer, CommandError, Session, read};
use gdl::rules::{GroundTerm, Keyword};
use gdl::sorting;
use gdl::syntax::Dialect;
use gdl::syntax::ast::Formula;
use ggp_game::{Reasoner, Role};
use ggp_play::ask::spec::NamedOption;
use serde::Serialize;
use std::sync::Arc;

pub(super) const ROLES: Command = Command {
    name: "roles",
    summary: "list the roles, in the order of joint moves",
    example: "roles",
    answers: AnswerKind::Value,
    ..Command::run_by(roles)
};

pub(super) const INIT: Command = Command {
    name: "init",
    summary: "show the facts of the initial state",
    example: "init",
    answers: AnswerKind::Value,
    ..Command::run_by(init)
};

pub(super) const STATE: Command = Command {
    name: "state",
    summary: "show the facts of the current state",
    example: "state",
    answers: AnswerKind::Value,
    ..Command::run_by(state)
};

pub(super) const LEGAL: Command = Command {
    name: "legal",
    summary: "list the legal moves of a role, or of all",
    example: "legal xplayer",
    ..Command::about_role(legal)
};

pub(super) const GOAL: Command = Command {
    name: "goal",
    options: &[OptionGroup::own(&[PARTS])],
    summary: "show the goal value of a role, or of all, in the current state",
    example: "goal xplayer",
    ..Command::about_role(goal)
};

pub(super) const TERMINAL: Command = Command {
    name: "terminal",
    summary: "say whether the game is over",
    example: "terminal",
    answers: AnswerKind::Truth,
    ..Command::run_by(terminal)
};

fn roles(session: &mut Session, _: &Arguments) -> Result<Answer, CommandError> {
    Ok(Answer::new(RoleNames { roles: session.current()?.roles().to_vec() }))
}

fn init(session: &mut Session, _: &Arguments) -> Result<Answer, CommandError> {
    let (reasoner, state) = session.current()?.beginning();
    Ok(Answer::new(StateFacts { facts: reasoner.facts(state), drawn: None }))
}

fn state(session: &mut Session, _: &Arguments) -> Result<Answer, CommandError> {
    let (reasoner, state) = session.current()?.position();
    Ok(Answer::new(StateFacts { facts: reasoner.facts(state), drawn: None }))
}

fn legal(session: &mut Session, arguments: &Arguments) -> Result<Answer, CommandError> {
    let current = session.current()?;
    let rules = Arc::clone(&current.game.rules);
    let mut legal = Vec::new();
    for role in asked_roles(current, arguments)? {
        let name = current.roles()[role.index()].clone();
        let (reasoner, state) = current.position();
        let mut moves = Vec::new();
        reasoner.legal_moves(state, role, &mut moves)?;
        let moves = moves.into_iter().map(|chosen| reasoner.move_term(chosen));
        let moves: Vec<GroundTerm> = moves.filter(|chosen| !rules.is_idle(chosen)).collect();
        // Where there is no move to wait with, a role without control is not mentioned.
        if moves.is_empty() && rules.operations.is_some() && arguments.operands().is_empty() {
            continue;
        }
        legal.push(LegalMoves { role: name, moves });
    }
    Ok(Answer::new(LegalMovesOfRoles { roles: legal }))
}

fn goal(session: &mut Session, arguments: &Arguments) -> Result<Answer, CommandError> {
    let current = session.current()?;
    let roles = asked_roles(current, arguments)?;
    let mut goals = goal_values(current, roles)?;
    if arguments.has(&PARTS) {
        for goal in &mut goals {
            goal.parts = Some(parts(current, goal)?);
        }
    }
    Ok(Answer::new(GoalsOfRoles { goals }))
}

const PARTS: NamedOption =
    NamedOption::flag("--parts", "list the facts of the state that the value rests on, and the rules that use them");

/// The facts of the state in the proof of a goal value, each with the rules that use it.
fn parts(current: &mut Match, goal: &GoalValue) -> Result<Vec<GoalPart>, CommandError> {
    let query = read::query(&format!("goal({},Value)", goal.role))?;
    let [literal] = &query[..] else { return Ok(Vec::new()) };
    let source = current.game.source.clone();
    let (reasoner, state) = current.position();
    let why = reasoner.why(state, None, literal)?;
    let mut parts: Vec<GoalPart> = Vec::new();
    for (claim, clause) in why.facts_used() {
        let at = source.position(clause.span.start);
        let rule = format!("{}:{}:{}", source.name(), at.line, at.column);
        let fact = fact_text(&why.node(claim).claim);
        match parts.iter_mut().find(|part| part.fact == fact) {
            Some(part) => part.rules.push(rule),
            None => parts.push(GoalPart { fact, rules: vec![rule] }),
        }
    }
    sorting::sort_by(&mut parts, |left, right| left.fact.cmp(&right.fact));
    for part in &mut parts {
        part.rules.sort();
        part.rules.dedup();
    }
    Ok(parts)
}

/// The fact within `true(…)`, or the claim itself.
fn fact_text(claim: &Formula) -> String {
    match claim {
        Formula::Atom(atom) if *atom.relation.text == *Keyword::True.name() && atom.arguments.len() == 1 => {
            atom.arguments[0].display(Dialect::Infix).to_string()
        }
        _ => claim.display(Dialect::Infix).to_string(),
    }
}

fn terminal(session: &mut Session, _: &Arguments) -> Result<Answer, CommandError> {
    Ok(Answer::new(TruthValue { holds: session.current()?.is_over()?, warnings: Vec::new() }))
}

/// The goal values of some roles in the current state.
fn goal_values(current: &mut Match, roles: Vec<Role>) -> Result<Vec<GoalValue>, CommandError> {
    let mut goals = Vec::new();
    for role in roles {
        let name = current.roles()[role.index()].clone();
        let (reasoner, state) = current.position();
        goals.push(GoalValue::new(name, reasoner.goal(state, role))?);
    }
    Ok(goals)
}

pub(super) fn all_roles(current: &Match) -> Vec<Role> {
    (0..current.roles().len()).map(Role::new).collect()
}

/// The named role, or all roles.
pub(super) fn asked_roles(current: &Match, arguments: &Arguments) -> Result<Vec<Role>, CommandError> {
    match &read::terms(arguments.operands())?[..] {
        [] => Ok(all_roles(current)),
        [name] => Ok(vec![current.role(name)?]),
        _ => Err(arguments.wrong("only one role at a time")),
    }
}

/// The roles, in the order of joint moves.
#[derive(Clone, Debug, Serialize)]
struct RoleNames {
    roles: Vec<GroundTerm>,
}

impl AnswerContent for RoleNames {
    fn kind(&self) -> &'static str {
        "roles"
    }

    fn text(&self, style: &TextStyle<'_>) -> String {
        lines(&self.roles, style.dialect)
    }

    fn value(&self) -> Option<AnswerValue> {
        Some(AnswerValue::List(self.roles.clone()))
    }
}

/// The facts of a state, in canonical order.
#[derive(Clone, Debug, Serialize)]
pub struct StateFacts {
    /// The facts that hold, in canonical order.
    pub facts: Vec<GroundTerm>,
    /// The state as it is drawn, if the session draws boards.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(super) drawn: Option<Boards>,
}

impl AnswerContent for StateFacts {
    fn kind(&self) -> &'static str {
        "state"
    }

    fn text(&self, style: &TextStyle<'_>) -> String {
        match &self.drawn {
            Some(drawn) => drawn.text_beside(style),
            None => lines(&self.facts, style.dialect),
        }
    }

    fn value(&self) -> Option<AnswerValue> {
        Some(AnswerValue::set(self.facts.clone()))
    }
}

/// The legal moves of some roles.
#[derive(Clone, Debug, Serialize)]
struct LegalMovesOfRoles {
    /// One entry for each role.
    roles: Vec<LegalMoves>,
}

/// The legal moves of one role.
#[derive(Clone, Debug, Serialize)]
struct LegalMoves {
    /// The role that can make the moves.
    role: GroundTerm,
    /// Its legal moves, in canonical order.
    moves: Vec<GroundTerm>,
}

impl AnswerContent for LegalMovesOfRoles {
    fn kind(&self) -> &'static str {
        "legal"
    }

    fn text(&self, style: &TextStyle<'_>) -> String {
        let row = |LegalMoves { role, moves }: &LegalMoves| match &moves[..] {
            [] => line(format!("{role}: (none)")),
            moves => line(format!("{role}: {}", terms(moves, ", ", style.dialect))),
        };
        self.roles.iter().map(row).collect()
    }

    fn value(&self) -> Option<AnswerValue> {
        if let [only] = &self.roles[..] { Some(AnswerValue::set(only.moves.clone())) } else { None }
    }
}

/// The goal values of some roles in the state.
#[derive(Clone, Debug, Serialize)]
struct GoalsOfRoles {
    /// One entry for each role.
    goals: Vec<GoalValue>,
}

impl AnswerContent for GoalsOfRoles {
    fn kind(&self) -> &'static str {
        "goal"
    }

    fn text(&self, _style: &TextStyle<'_>) -> String {
        self.goals.iter().map(|goal| line(goal_text(goal)) + &goal_parts(goal)).collect()
    }

    fn value(&self) -> Option<AnswerValue> {
        Some(GoalValue::as_value(&self.goals))
    }
}

/// The facts that a goal value rests on, a line for each.
fn goal_parts(goal: &GoalValue) -> String {
    let parts = goal.parts.iter().flatten();
    table(parts.map(|part| (format!("  {}", part.fact), joined(&part.rules, ", "))))
}
