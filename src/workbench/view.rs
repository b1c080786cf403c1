//! What a page draws: the position, and what each legal move changes in it.
//!
//! A move is shown, and made by clicking, on the squares that it changes: the position after it is drawn and compared
//! with the present one. So a page need not know what the terms of a game mean.

use crate::repl::command::has_percepts;
use crate::repl::{CommandError, Session};
use gdl::rules::GroundTerm;
use ggp_draw::Grid;
use ggp_draw::board::Setting;
use ggp_game::{JointMoves, Move, Reasoner, Role, Utility};
use rustc_hash::FxHashMap;
use serde::Serialize;

/// A square of a drawing: its board, row and column, from 0.
type SquareIndex = (usize, usize, usize);

/// A position as it is drawn.
#[derive(Serialize)]
pub(super) struct PositionView {
    game: String,
    /// The number of plies since the match began.
    ply: usize,
    is_over: bool,
    /// Whether the rules say what each role sees, so that not all see the whole state.
    has_percepts: bool,
    roles: Vec<RoleView>,
    /// The boards.
    grids: Vec<Grid>,
    /// What the boards do not show, line by line.
    lines: Vec<String>,
    /// The facts that may change during the match.
    facts: Vec<String>,
    /// Those that never do.
    constant: Vec<String>,
    /// The squares that the last joint move changed.
    changed: Vec<SquareIndex>,
    /// The joint moves since the match began; a jump to a state is `null`.
    plies: Vec<Option<Vec<String>>>,
}

/// A role in a position.
#[derive(Serialize)]
struct RoleView {
    role: String,
    legal: Vec<String>,
    /// Its utility, if it has exactly one.
    utility: Option<Utility>,
}

/// A legal move of a role that has a choice, and the squares that it changes.
#[derive(Serialize)]
pub(super) struct MoveTarget {
    role: String,
    #[serde(rename = "move")]
    chosen: String,
    squares: Vec<SquareIndex>,
}

/// The position of a session.
///
/// # Errors
/// If no game is loaded, or a limit is met.
pub(super) fn view(session: &mut Session) -> Result<PositionView, CommandError> {
    let current = session.current()?;
    let setting = current.setting()?;
    let is_over = current.is_over()?;
    let names: Vec<String> = current.roles().iter().map(ToString::to_string).collect();
    let steps = current.steps();
    let earlier = current.state_before_last().map(|(reasoner, state, _)| reasoner.facts(state));
    let game = current.game.name.clone();
    let has_percepts = has_percepts(&current.game);
    let (reasoner, state) = current.position();
    let facts = reasoner.facts(state);
    let mut roles = Vec::new();
    for (role, name) in (0..).map(Role::new).zip(names) {
        let mut legal = Vec::new();
        if !is_over {
            reasoner.legal_moves(state, role, &mut legal)?;
        }
        let legal = legal.into_iter().map(|chosen| reasoner.move_term(chosen).to_string()).collect();
        roles.push(RoleView { role: name, legal, utility: reasoner.goal(state, role).ok() });
    }
    let mut drawn = setting.draw(&facts, &|axes| axes);
    drawn.facts.retain(|fact| !setting.is_constant(fact));
    let grids = drawn.grids();
    let changed = earlier.map(|earlier| differences(&grids, &grids_of(&setting, &earlier))).unwrap_or_default();
    let words = |terms: &[GroundTerm]| terms.iter().map(ToString::to_string).collect::<Vec<_>>();
    let (constant, facts): (Vec<_>, Vec<_>) = facts.into_iter().partition(|fact| setting.is_constant(fact));
    let constant = words(&constant);
    let facts = words(&facts);
    let plies = steps.iter().map(|step| match step {
        crate::repl::session::MatchStep::Played(moves) => Some(words(moves)),
        crate::repl::session::MatchStep::Set(_) => None,
    });
    let plies = plies.collect();
    let ply = steps.len();
    let lines = drawn.lines();
    Ok(PositionView { game, ply, is_over, has_percepts, roles, grids, lines, facts, constant, changed, plies })
}

/// The legal moves of the roles that have a choice, with the squares that they change while all other roles make their
/// first moves. Squares that change with each move of a role (the number of the ply) say nothing about its choice and
/// are left out. At most `most` positions are drawn.
///
/// # Errors
/// If no game is loaded, or a limit is met.
pub(super) fn targets(session: &mut Session, most: usize) -> Result<Vec<MoveTarget>, CommandError> {
    let current = session.current()?;
    if current.is_over()? {
        return Ok(Vec::new());
    }
    let setting = current.setting()?;
    let names = current.roles().to_vec();
    let (reasoner, state) = current.engine()?;
    let before = grids_of(&setting, &reasoner.facts(&state));
    if before.is_empty() {
        return Ok(Vec::new());
    }
    let mut all: Vec<MoveTarget> = Vec::new();
    for (role, name) in (0..).map(Role::new).zip(&names) {
        let mut joint_moves = JointMoves::in_state(reasoner, &state)?;
        let legal: Vec<Move> = joint_moves.legal(role).to_vec();
        if legal.len() < 2 {
            continue;
        }
        let mut own = Vec::new();
        for (index, &chosen) in legal.iter().enumerate().take(most.saturating_sub(all.len())) {
            joint_moves.choose(role, index);
            let next = reasoner.next_state(&state, joint_moves.current())?;
            let squares = differences(&grids_of(&setting, &reasoner.facts(&next)), &before);
            own.push(MoveTarget { role: name.to_string(), chosen: reasoner.move_term(chosen).to_string(), squares });
        }
        let mut counts: FxHashMap<SquareIndex, usize> = FxHashMap::default();
        own.iter().flat_map(|target| &target.squares).for_each(|&place| *counts.entry(place).or_default() += 1);
        let moves = own.len();
        own.iter_mut().for_each(|target| target.squares.retain(|place| counts[place] < moves));
        all.append(&mut own);
    }
    Ok(all)
}

fn grids_of(setting: &Setting, facts: &[GroundTerm]) -> Vec<Grid> {
    setting.draw(facts, &|axes| axes).grids()
}

/// The squares in which two drawings of the same form differ.
fn differences(new: &[Grid], old: &[Grid]) -> Vec<SquareIndex> {
    let mut places = Vec::new();
    for (board, (new, old)) in new.iter().zip(old).enumerate() {
        for (row, (new, old)) in new.squares.iter().zip(&old.squares).enumerate() {
            let pairs = new.iter().zip(old).enumerate();
            places.extend(pairs.filter(|(_, (new, old))| new != old).map(|(column, _)| (board, row, column)));
        }
    }
    places
}
