//! Films of matches and plans: the positions of a line of play with the moves between them and the scores.

use ggp_draw::board::Setting;
use ggp_draw::{Film, Frame};
use ggp_game::{JointMoves, ReasonError, Reasoner, Role};

/// The greatest number of facts beside the board of a frame.
const MOST_FACTS: usize = 8;

/// The film of a line of play from a state, with as many frames as there are states.
///
/// # Errors
/// Those of the engine. The joint moves must be legal.
pub(crate) fn film<R: Reasoner>(
    reasoner: &mut R,
    setting: &Setting,
    title: String,
    first: &R::State,
    line: &[Vec<ggp_game::Move>],
) -> Result<Film, ReasonError> {
    let mut state = first.clone();
    let mut frames = vec![frame(reasoner, setting, &state, "the start".to_string())?];
    for (number, joint_move) in line.iter().enumerate() {
        let choosing = JointMoves::in_state(reasoner, &state)?.choosing();
        let roles = reasoner.roles().len();
        let made = |role: Role| {
            let chosen = reasoner.move_term(joint_move[role.index()]);
            if roles == 1 { chosen.to_string() } else { format!("{} {chosen}", reasoner.roles()[role.index()]) }
        };
        let moves = match &choosing[..] {
            [] => (0..roles).map(|role| made(Role::new(role))).collect::<Vec<_>>().join(", "),
            choosing => choosing.iter().map(|&role| made(role)).collect::<Vec<_>>().join(", "),
        };
        state = reasoner.next_state(&state, joint_move)?;
        frames.push(frame(reasoner, setting, &state, format!("{}: {moves}", number + 1))?);
    }
    Ok(Film { title, frames })
}

fn frame<R: Reasoner>(
    reasoner: &mut R,
    setting: &Setting,
    state: &R::State,
    way: String,
) -> Result<Frame, ReasonError> {
    let facts = reasoner.facts(state);
    let drawn = setting.draw(&facts, &|axes| axes);
    let boards = drawn.grids();
    let mut facts = drawn.lines();
    if facts.len() > MOST_FACTS {
        let more = facts.len() - MOST_FACTS + 1;
        facts.truncate(MOST_FACTS - 1);
        facts.push(format!("… {more} facts more"));
    }
    let mut scores = Vec::new();
    for index in 0..reasoner.roles().len() {
        let role = reasoner.roles()[index].clone();
        match reasoner.goal(state, Role::new(index)) {
            Ok(utility) => scores.push(format!("{role} {utility}")),
            Err(error @ ReasonError::Stopped(_)) => return Err(error),
            Err(_) => {}
        }
    }
    let is_over = reasoner.is_terminal(state)?;
    let end = if is_over { "the end: " } else { "" };
    let score = if scores.is_empty() { String::new() } else { format!("{end}{}", scores.join(", ")) };
    Ok(Frame { caption: vec![way, score], boards, facts })
}
