//! The check of goal values that relations compute (W210). The text of such a rule does not show its values, so the
//! check searches states that play reaches.

use super::Engine;
use crate::propnet::Propnet;
use gdl::diagnostic::Diagnostic;
use gdl::rules::check::{GOAL_VALUE, is_goal_value};
use gdl::rules::{Atom, GroundTerm, Keyword, Pattern, RuleSet};
use gdl::syntax::Span;
use ggp_game::{JointMoves, ReasonError, Reasoner, Role};
use rustc_hash::FxHashSet;

/// The number of states in which goal values are checked with the network.
const NETWORK_STATES: usize = 10_000;

/// The number of states in which goal values are checked with the interpreter, which needs longer for each.
const INTERPRETER_STATES: usize = 1_000;

/// The warnings about goal values that relations compute and that are not integers from 0 to 100: at most one for each
/// role, about the first such value.
///
/// Grounding lists all values that a goal can have; if all are good, the search is skipped. It may list values that
/// play cannot reach, so a bad value is reported only if the search finds a state with it. The search goes breadth
/// first from the initial state, over at most 10,000 states, or 1,000 with the interpreter; random games
/// ([`super::simulate()`]) reach farther.
///
/// If a sheet declares utilities ([`gdl::rules::Utilities`]), the engine answers with these instead of goal values, and
/// nothing is reported.
///
/// `engine` must play the game of these rules. It is asked nothing unless [`computes_goals`] is true.
///
/// # Errors
/// Those of the engine, except for goals.
pub fn computed_goals(engine: &mut Engine, rules: &RuleSet) -> Result<Vec<Diagnostic>, ReasonError> {
    let heads = computed_goal_heads(rules);
    if heads.is_empty() {
        return Ok(Vec::new());
    }
    let most = match engine {
        Engine::Propnet(propnet) if all_listed_are_good(propnet) => return Ok(Vec::new()),
        Engine::Propnet(_) => NETWORK_STATES,
        Engine::Interpreter(_) => INTERPRETER_STATES,
    };
    let mut found = Vec::new();
    // The roles of which no bad value has been found.
    let mut left: Vec<Role> = (0..engine.roles().len()).map(Role::new).collect();
    let start = engine.initial_state()?;
    let mut seen: FxHashSet<_> = [start.clone()].into_iter().collect();
    let mut queue = std::collections::VecDeque::from([start]);
    while let Some(state) = queue.pop_front() {
        for (role, value) in take_bad_goals(engine, &state, &mut left) {
            let name = engine.roles()[role.index()].clone();
            // A head whose role is a variable is one for every role.
            let is_of_role = |head: &&&Atom| match head.arguments[0] {
                Pattern::Symbol(symbol) => *rules.symbols.name(symbol) == name.name,
                _ => true,
            };
            found.extend(heads.iter().find(is_of_role).map(|head| diagnostic(head.span, &name, &value)));
        }
        if left.is_empty() {
            break;
        }
        if engine.is_terminal(&state)? {
            continue;
        }
        // Another check reports a state in which a role has no legal move.
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

/// True if relations compute some goal value, so that [`computed_goals`] has something to check.
pub fn computes_goals(rules: &RuleSet) -> bool {
    !computed_goal_heads(rules).is_empty()
}

/// The heads `goal(R,V)` of clauses whose value is a variable; none if the sheet declares utilities.
fn computed_goal_heads(rules: &RuleSet) -> Vec<&Atom> {
    if !rules.utilities.is_empty() {
        return Vec::new();
    }
    let goal = rules.keyword(Keyword::Goal);
    let heads = rules.clauses.iter().map(|clause| &clause.head).filter(|head| head.relation == goal);
    heads.filter(|head| matches!(head.arguments[..], [_, Pattern::Variable(_)])).collect()
}

/// True if all goal values that the ground rules list are integers from 0 to 100.
fn all_listed_are_good(propnet: &Propnet) -> bool {
    propnet.program().goals.iter().all(|goal| is_goal_value(&goal.value.to_string()))
}

/// Removes from `left` the roles that have a bad goal value in a state, and returns these values.
fn take_bad_goals(
    engine: &mut Engine,
    state: &<Engine as Reasoner>::State,
    left: &mut Vec<Role>,
) -> Vec<(Role, String)> {
    let mut bad = Vec::new();
    left.retain(|&role| {
        let value = bad_goal(engine, state, role);
        let is_good = value.is_none();
        bad.extend(value.map(|value| (role, value)));
        is_good
    });
    bad
}

/// A goal value of a role that is not an integer from 0 to 100, if there is one.
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

/// The warning about a bad value.
fn diagnostic(span: Span, role: &GroundTerm, value: &str) -> Diagnostic {
    let message = format!("the goal value of {role} can be `{value}`, which is not an integer from 0 to 100");
    let help = "play reaches a state with it; 0 is the worst value, 100 the best";
    Diagnostic::new(&GOAL_VALUE, span, message).with_help(help)
}
