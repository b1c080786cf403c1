//! Drawings for a page: the position with the squares that each legal move changes, and the cards of the library's games.
//!
//! A user sees a move, and clicks it, on the squares that it changes. To find them, the position after the move is
//! drawn and compared with the present one, so a page need not know the meaning of a game's terms.

use super::gesture::{Change, Gesture, gestures, is_named, labels};
use crate::repl::session::MatchStep;
use crate::repl::{CommandError, Session};
use gdl::rules::{GroundTerm, Keyword};
use gdl::syntax::{Dialect, Source};
use ggp_draw::board::Setting;
use ggp_draw::{Grid, Ground, Square, SquareIndex, changed_squares};
use ggp_engine::interpreter::{Interpreter, State};
use ggp_engine::{EngineKind, Game, LibrarySheet, instances, load_text};
use ggp_game::{JointMoves, Move, PerceptReasoner, ReasonError, Reasoner, Role, Utility};
use rustc_hash::FxHashMap;
use serde::Serialize;
use std::ops::Range;

/// A position as a page shows it.
#[derive(Serialize)]
pub(super) struct PositionView {
    pub(super) game: String,
    /// The number of plies since the match began.
    pub(super) ply: usize,
    pub(super) is_over: bool,
    /// True if the rules define the percepts of each role, so that a role need not see the whole state.
    pub(super) has_percepts: bool,
    /// What the position is shown by, if it is what a role knows.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(super) known: Option<KnownPosition>,
    /// For each ply the percepts of each role, if the rules define them; a jump to a state has `null`.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub(super) percepts: Vec<Option<Vec<Vec<String>>>>,
    pub(super) roles: Vec<RoleView>,
    /// The boards.
    pub(super) grids: Vec<Grid>,
    /// The lines of text for the facts that the boards do not show.
    pub(super) lines: Vec<String>,
    /// The facts of relations that may change during the match.
    pub(super) facts: Vec<String>,
    /// The facts of relations that never change.
    pub(super) constant: Vec<String>,
    /// The squares that the last joint move changed.
    pub(super) changed: Vec<SquareIndex>,
    /// The joint moves since the match began; a jump to a state is `null`, and so are moves that are hidden.
    pub(super) plies: Vec<Option<Vec<Option<String>>>>,
    /// The same moves with sealed names, by which a page can repeat them, if the roles need not see all moves.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub(super) sealed: Vec<Option<Vec<String>>>,
    /// The dialect of the sheet, in which questions about the position are written.
    pub(super) dialect: Dialect,
    /// The move of roles without control, in a game with operations: it is not shown, since the sheet does not have it.
    pub(super) idle: Option<String>,
}

/// What a role knows of a position, beside what is shown of it.
#[derive(Serialize)]
pub(super) struct KnownPosition {
    /// The role; `null` if no role is played at the page, which then is shown nothing.
    pub(super) role: Option<String>,
    /// The number of states that it thinks possible.
    pub(super) states: usize,
    /// True if these are all; false for a sample.
    pub(super) is_complete: bool,
    /// The squares that differ among these states; the boards are empty there.
    pub(super) beliefs: Vec<SquareBelief>,
}

/// A square that differs among the states that a role thinks possible.
#[derive(Serialize)]
pub(super) struct SquareBelief {
    pub(super) place: SquareIndex,
    /// What may stand there, the most frequent first; nothing does in the other states.
    pub(super) things: Vec<PossibleSquare>,
}

/// What may stand on a square.
#[derive(Serialize)]
pub(super) struct PossibleSquare {
    pub(super) square: Square,
    /// The share of the possible states in which it does.
    pub(super) share: f64,
}

/// A role in a position.
#[derive(Serialize)]
pub(super) struct RoleView {
    pub(super) role: String,
    /// The legal moves.
    pub(super) legal: Vec<String>,
    /// The utility, if there is exactly one.
    pub(super) utility: Option<Utility>,
}

/// A legal move of a role that has a choice, the squares that it changes, and those by which a user means it.
#[derive(Serialize)]
pub(super) struct MoveTarget {
    role: String,
    #[serde(rename = "move")]
    chosen: String,
    squares: Vec<SquareIndex>,
    #[serde(flatten)]
    gesture: Gesture,
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
    let mut percepts = Vec::new();
    if current.game.rules.has_percepts() {
        for ply in 0..steps.len() {
            percepts.push(percepts_after(current.state_before(ply))?);
        }
    }
    let earlier = current.state_before_last().map(|(reasoner, state, _)| reasoner.facts(state));
    let game = current.game.name.clone();
    let has_percepts = current.game.rules.has_percepts();
    let dialect = current.game.sheet.dialect;
    let idle = current.game.rules.idle_move();
    let (reasoner, state) = current.position();
    let facts = reasoner.facts(state);
    let mut roles = Vec::new();
    for (role, name) in (0..).map(Role::new).zip(names) {
        let mut legal = Vec::new();
        if !is_over {
            reasoner.legal_moves(state, role, &mut legal)?;
        }
        let legal: Vec<String> = legal.into_iter().map(|chosen| reasoner.move_term(chosen).to_string()).collect();
        let utility = reasoner.goal(state, role).ok();
        roles.push(RoleView { role: name, legal, utility });
    }
    let mut drawn = setting.draw(&facts, &|axes| axes);
    // Constant facts have a list of their own.
    drawn.facts.retain(|fact| !setting.is_constant(fact));
    let grids = drawn.grids();
    let changed = earlier.map(|earlier| changed_squares(&grids, &grids_of(&setting, &earlier))).unwrap_or_default();
    let texts = |terms: &[GroundTerm]| terms.iter().map(ToString::to_string).collect::<Vec<_>>();
    let (constant, facts): (Vec<_>, Vec<_>) = facts.into_iter().partition(|fact| setting.is_constant(fact));
    let constant = texts(&constant);
    let facts = texts(&facts);
    let plies = steps.iter().map(|step| match step {
        MatchStep::Played(moves) => Some(texts(moves).into_iter().map(Some).collect()),
        MatchStep::Set(_) => None,
    });
    let plies = plies.collect();
    let ply = steps.len();
    let lines = drawn.lines();
    let idle = idle.map(|chosen| chosen.to_string());
    Ok(PositionView {
        game,
        ply,
        is_over,
        has_percepts,
        known: None,
        percepts,
        roles,
        grids,
        lines,
        facts,
        constant,
        changed,
        plies,
        sealed: Vec::new(),
        dialect,
        idle,
    })
}

/// The percepts of each role after a joint move; `None` without one.
///
/// # Errors
/// If a limit is met.
fn percepts_after(
    before: Option<(&mut Interpreter, &State, &[Move])>,
) -> Result<Option<Vec<Vec<String>>>, CommandError> {
    let Some((reasoner, state, joint_move)) = before else { return Ok(None) };
    let roles = 0..reasoner.roles().len();
    let of_role = |role| {
        let seen = reasoner.percept_terms(state, joint_move, Role::new(role))?;
        Ok(seen.iter().map(ToString::to_string).collect())
    };
    Ok(Some(roles.map(of_role).collect::<Result<_, ReasonError>>()?))
}

/// The legal moves of the roles that have a choice, each with the squares that it changes while all other roles make
/// their first moves. The positions after at most `most` moves are drawn.
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
        let own = changes_of_moves(reasoner, &state, role, &setting, most.saturating_sub(all.len()))?;
        all.extend(targets_of(name, own));
    }
    Ok(all)
}

/// The first `most` legal moves of a role that has a choice, each with the squares that it changes if all other roles make
/// their first moves.
///
/// # Errors
/// If a limit is met.
pub(super) fn changes_of_moves<R: Reasoner>(
    reasoner: &mut R,
    state: &R::State,
    role: Role,
    setting: &Setting,
    most: usize,
) -> Result<Vec<(String, Vec<Change>)>, CommandError> {
    let before = grids_of(setting, &reasoner.facts(state));
    let mut joint_moves = JointMoves::in_state(reasoner, state)?;
    let legal: Vec<Move> = joint_moves.legal(role).to_vec();
    let mut own = Vec::new();
    if legal.len() < 2 {
        return Ok(own);
    }
    for (index, &chosen) in legal.iter().enumerate().take(most) {
        joint_moves.choose(role, index);
        let next = reasoner.next_state(state, joint_moves.current())?;
        let after = grids_of(setting, &reasoner.facts(&next));
        let squares = changed_squares(&after, &before);
        let changes = squares.into_iter().map(|place| Change::between(&before, &after, place)).collect();
        own.push((reasoner.move_term(chosen).to_string(), changes));
    }
    Ok(own)
}

/// The targets of a role's moves, by the squares that they change.
pub(super) fn targets_of(role: &GroundTerm, mut own: Vec<(String, Vec<Change>)>) -> Vec<MoveTarget> {
    mark_common_changes(&mut own);
    let made = gestures(&own);
    let target = |((chosen, changes), gesture): ((String, Vec<Change>), Gesture)| MoveTarget {
        role: role.to_string(),
        chosen,
        squares: changes.iter().filter(|change| !change.is_common).map(|change| change.place).collect(),
        gesture,
    };
    own.into_iter().zip(made).map(target).collect()
}

/// Marks the squares that every move of a role changes, such as a count of the plies: they say nothing about its choice.
fn mark_common_changes(moves: &mut [(String, Vec<Change>)]) {
    let mut counts: FxHashMap<SquareIndex, usize> = FxHashMap::default();
    moves.iter().flat_map(|(_, changes)| changes).for_each(|change| *counts.entry(change.place).or_default() += 1);
    let all = moves.len();
    let changes = moves.iter_mut().flat_map(|(_, changes)| changes);
    changes.for_each(|change| change.is_common = counts[&change.place] == all);
}

/// The squares on which facts of the position are seen: those that look different without one of them. At most
/// [`SEEN_FACTS`] facts are looked for.
///
/// # Errors
/// If no game is loaded, or a limit is met.
pub(super) fn squares(session: &mut Session, texts: &[String]) -> Result<Vec<SquareIndex>, CommandError> {
    let current = session.current()?;
    let setting = current.setting()?;
    let (reasoner, state) = current.position();
    let facts = reasoner.facts(state);
    let drawn = grids_of(&setting, &facts);
    let mut squares = Vec::new();
    let wanted = (0..facts.len()).filter(|&index| texts.contains(&facts[index].to_string()));
    for index in wanted.take(SEEN_FACTS) {
        let mut others = facts.clone();
        others.remove(index);
        squares.extend(changed_squares(&drawn, &grids_of(&setting, &others)));
    }
    squares.sort_unstable();
    squares.dedup();
    Ok(squares)
}

/// Maximum number of facts whose squares are looked for: each needs a drawing.
const SEEN_FACTS: usize = 64;

/// What can be asked about a square.
#[derive(Serialize)]
pub(super) struct AboutSquare {
    /// The facts that are seen there.
    facts: Vec<String>,
    /// The moves that name it, legal or not. Moves that are not legal are known where the rules define `input`.
    moves: Vec<NamedMove>,
}

/// A move of a role that names a square.
#[derive(Serialize)]
pub(super) struct NamedMove {
    role: String,
    #[serde(rename = "move")]
    chosen: String,
    is_legal: bool,
}

/// What can be asked about a square.
///
/// # Errors
/// If no game is loaded, if there is no such square, or if a limit is met.
pub(super) fn about_square(session: &mut Session, place: SquareIndex) -> Result<AboutSquare, CommandError> {
    let (board, row, column) = place;
    let current = session.current()?;
    let is_over = current.is_over()?;
    let setting = current.setting()?;
    let (reasoner, state) = current.position();
    let facts = reasoner.facts(state);
    let drawn = grids_of(&setting, &facts);
    let square = |grids: &[Grid]| Some(grids.get(board)?.squares.get(row)?.get(column)?.clone());
    let Some(shown) = square(&drawn) else {
        return Err(CommandError::refused("there is no such square"));
    };
    let looks_same = |facts: &[GroundTerm]| square(&grids_of(&setting, facts)).as_ref() == Some(&shown);
    let seen: Vec<String> =
        needed(&facts, 0..facts.len(), &looks_same).into_iter().map(|index| facts[index].to_string()).collect();
    let mut moves = Vec::new();
    if !is_over {
        let labels = labels(&drawn[board], row, column);
        let possible = instances(reasoner, Keyword::Input, Some(state), None)?.unwrap_or_default();
        for (role, name) in (0..).map(Role::new).zip(&setting.roles) {
            let mut legal = Vec::new();
            reasoner.legal_moves(state, role, &mut legal)?;
            let legal: Vec<String> = legal.into_iter().map(|chosen| reasoner.move_term(chosen).to_string()).collect();
            let declared = possible.iter().filter(|row| row[0] == *name).map(|row| row[1].to_string());
            let mut all: Vec<String> =
                declared.chain(legal.iter().cloned()).filter(|chosen| is_named(chosen, &labels)).collect();
            all.sort();
            all.dedup();
            let asked =
                |chosen: String| NamedMove { role: name.to_string(), is_legal: legal.contains(&chosen), chosen };
            moves.extend(all.into_iter().map(asked).take(ASKED_MOVES));
        }
    }
    Ok(AboutSquare { facts: seen, moves })
}

/// The facts of a part of all, by their indices in ascending order, without one of which something does not look the same.
/// Facts without all of which it does are not looked at one by one, so each fact that is found costs some drawings, and not
/// each fact.
fn needed(facts: &[GroundTerm], part: Range<usize>, looks_same: &impl Fn(&[GroundTerm]) -> bool) -> Vec<usize> {
    let Range { start, end } = part;
    if start == end || looks_same(&[&facts[..start], &facts[end..]].concat()) {
        return Vec::new();
    }
    if end - start == 1 {
        return vec![start];
    }
    let middle = start.midpoint(end);
    [start..middle, middle..end].into_iter().flat_map(|half| needed(facts, half, looks_same)).collect()
}

/// Maximum number of moves of a role that are listed for a square.
const ASKED_MOVES: usize = 100;

/// The boards of a state, none of them turned.
pub(super) fn grids_of(setting: &Setting, facts: &[GroundTerm]) -> Vec<Grid> {
    setting.draw(facts, &|axes| axes).grids()
}

/// The card of a game of the library.
#[derive(Serialize)]
pub(super) struct GameCard {
    /// The number of players without chance.
    players: usize,
    kind: PlayKind,
    /// The columns and rows of the board; playing cards and nodes of trees have no such size.
    size: Option<String>,
    /// The largest board in the initial state, or after some moves if nothing stands there before.
    board: Option<Grid>,
}

/// What a game is for its players.
#[derive(Serialize)]
#[serde(rename_all = "snake_case")]
enum PlayKind {
    /// A game with chance.
    Chance,
    /// A game of one player.
    Puzzle,
    /// A game of several players.
    Contest,
}

/// The card of a game of the library. `None` if the library has no game of this name, or if its initial state cannot be
/// drawn.
pub(super) fn card(name: &str) -> Option<GameCard> {
    let sheet = LibrarySheet::find(name)?;
    let source = Source::new(name, sheet.text);
    let mut game: Game = load_text(name.to_string(), source, None, EngineKind::Interpreter).ok()?;
    let setting = Setting::from_game(&mut game).ok()?;
    let grids = shown(&mut game, &setting);
    let has_chance = setting.roles.iter().any(|role| role.is_chance());
    let players = setting.roles.iter().filter(|role| !role.is_chance()).count();
    let kind = match (players, has_chance) {
        (_, true) => PlayKind::Chance,
        (1, _) => PlayKind::Puzzle,
        _ => PlayKind::Contest,
    };
    let sides = |grid: &Grid| (grid.squares.first().map_or(0, Vec::len), grid.squares.len());
    // The first of the largest ones: `max_by_key` would take the last.
    let largest = grids.into_iter().rev().max_by_key(|grid| sides(grid).0 * sides(grid).1);
    // Playing cards and nodes of trees are drawn in grids too, but these have no size in squares.
    let has_squares = |grid: &&Grid| {
        !grid.squares.iter().flatten().any(|square| matches!(square.ground, Ground::Card | Ground::Bare))
    };
    let size = largest.as_ref().filter(has_squares).map(sides).map(|(across, down)| format!("{across} × {down}"));
    let board = largest.map(Grid::without_labels);
    Some(GameCard { players, kind, size, board })
}

/// Number of plies before a board is shown on which nothing stands at the start.
const MOVES: usize = 7;

/// The boards of the initial state; those after [`MOVES`] plies if there are boards and nothing stands on them.
fn shown(game: &mut Game, setting: &Setting) -> Vec<Grid> {
    let drawn = |facts: &[GroundTerm]| setting.draw(facts, &|axes| axes).grids();
    let first = drawn(&setting.initial);
    let is_bare = |grid: &Grid| {
        grid.squares.iter().flatten().all(|square| square.text.is_empty() && matches!(square.ground, Ground::Open))
    };
    if first.is_empty() || !first.iter().all(is_bare) {
        return first;
    }
    facts_after(game, MOVES).map_or(first, |facts| drawn(&facts))
}

/// The facts after some plies; `None` if the game ends before.
fn facts_after(game: &mut Game, moves: usize) -> Option<Vec<GroundTerm>> {
    let reasoner = &mut game.interpreter;
    let mut state = reasoner.initial_state().ok()?;
    for ply in 0..moves {
        if reasoner.is_terminal(&state).ok()? {
            return None;
        }
        let mut joint_moves = JointMoves::in_state(reasoner, &state).ok()?;
        for role in joint_moves.choosing() {
            // From the middle of the list a third of it further with each ply, so that the pieces spread over the board.
            let legal = joint_moves.legal(role).len();
            joint_moves.choose(role, (legal / 2 + ply * legal / 3) % legal);
        }
        state = reasoner.next_state(&state, joint_moves.current()).ok()?;
    }
    Some(reasoner.facts(&state))
}
