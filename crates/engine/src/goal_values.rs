//! Checks goal values that relations compute (W210). The rule alone does not show them; the states that play reaches
//! do.

use super::Engine;
use crate::propnet::Propnet;
use gdl::diagnostic::Diagnostic;
use gdl::rules::check::{GOAL_VALUE, is_goal_value};
use gdl::rules::{GroundTerm, Keyword, Pattern, RuleSet};
use gdl::syntax::Span;
use ggp_game::{JointMoves, ReasonError, Reasoner, Role};
use rustc_hash::FxHashSet;

/// The number of states in which goal values are checked: with the network, and with the interpreter.
const CHECKED_STATES: (usize, usize) = (10_000, 1_000);

/// Reports goal values that are computed by relations and are not integers from 0 to 100, one for each role, with the
/// first such value.
///
/// Grounding lists the values that a goal can have at all, and if all are good nothing more is done. Since it lists
/// more than play can reach, a bad one is reported only where a state with it has been found, breadth first from the
/// initial state. It checks no more than 10,000 states, or 1,000 with the interpreter; random games
/// ([`super::simulate()`]) reach farther.
///
/// Where a sheet declares what its goal values stand for ([`gdl::rules::Utilities`]) the engine has utilities only,
/// and nothing is reported.
///
/// `engine` must play the game of these rules; it is not asked anything unless [`computes_goals`] is true.
pub fn computed_goals(engine: &mut Engine, rules: &RuleSet) -> Result<Vec<Diagnostic>, ReasonError> {
    let clauses = computed_values(rules);
    if clauses.is_empty() {
        return Ok(Vec::new());
    }
    let most = match engine {
        Engine::Propnet(propnet) if all_possible_are_good(propnet) => return Ok(Vec::new()),
        Engine::Propnet(_) => CHECKED_STATES.0,
        Engine::Interpreter(_) => CHECKED_STATES.1,
    };
    let mut found = Vec::new();
    let mut left: Vec<Role> = (0..engine.roles().len()).map(Role::new).collect();
    let start = engine.initial_state()?;
    let mut seen: FxHashSet<_> = [start.clone()].into_iter().collect();
    let mut queue = std::collections::VecDeque::from([start]);
    while let Some(state) = queue.pop_front() {
        let mut bad = Vec::new();
        left.retain(|&role| match bad_goal(engine, &state, role) {
            Some(value) => {
                bad.push((role, value));
                false
            }
            None => true,
        });
        for (role, value) in bad {
            let name = engine.roles()[role.index()].clone();
            let clause = clauses.iter().find(|clause| clause.role.as_ref().is_none_or(|role| *role == name));
            found.extend(clause.map(|clause| diagnostic(clause, &name, &value)));
        }
        if left.is_empty() || engine.is_terminal(&state)? {
            continue;
        }
        // A state without a move for some role is another problem.
        let Ok(mut joint_moves) = JointMoves::in_state(engine, &state) else { continue };
        while seen.len() < most {
            let next = engine.next_state(&state, joint_moves.current())?;
            if seen.insert(next.clone()) {
                queue.push_back(next);
            }
            if !joint_moves.advance() {
                break;
            }
        }
    }
    Ok(found)
}

/// A clause of `goal` whose value is a variable.
struct GoalClause {
    /// The role; `None` for any.
    role: Option<GroundTerm>,
    /// Where the value is written.
    span: Span,
}

/// Whether some goal value is computed by relations.
pub fn computes_goals(rules: &RuleSet) -> bool {
    !computed_values(rules).is_empty()
}

fn computed_values(rules: &RuleSet) -> Vec<GoalClause> {
    if !rules.utilities.is_empty() {
        return Vec::new();
    }
    let goal = rules.keyword(Keyword::Goal);
    let heads = rules.clauses.iter().map(|clause| &clause.head).filter(|head| head.relation == goal);
    let computed = heads.filter_map(|head| match &head.arguments[..] {
        [role, Pattern::Variable(_)] => {
            let role = match role {
                Pattern::Symbol(symbol) => Some(GroundTerm::symbol(&**rules.symbols.name(*symbol))),
                _ => None,
            };
            Some(GoalClause { role, span: head.span })
        }
        _ => None,
    });
    computed.collect()
}

/// Whether all goal values that the ground rules list are integers from 0 to 100.
fn all_possible_are_good(propnet: &Propnet) -> bool {
    propnet.program().goals.iter().all(|goal| is_goal_value(&goal.value.to_string()))
}

/// A value of a role in a state that is not an integer from 0 to 100.
fn bad_goal(engine: &mut Engine, state: &<Engine as Reasoner>::State, role: Role) -> Option<String> {
    match engine.goal(state, role) {
        Ok(utility) => Some(utility.to_string()).filter(|utility| !is_goal_value(utility)),
        Err(ReasonError::GoalNotInteger { value, .. }) => Some(value.to_string()),
        Err(ReasonError::GoalNotUnique { values, .. }) => {
            values.iter().map(ToString::to_string).find(|value| !is_goal_value(value))
        }
        Err(_) => None,
    }
}

fn diagnostic(clause: &GoalClause, role: &GroundTerm, value: &str) -> Diagnostic {
    let message = format!("the goal value of {role} can be `{value}`, which is not an integer from 0 to 100");
    let help = "play reaches a state with it; 0 is the worst value, 100 the best";
    Diagnostic::new(&GOAL_VALUE, clause.span, message).with_help(help)
}
