//! A game of the library as a card of the first page: its board, its kind, its players and the size of its board.

use gdl::rules::GroundTerm;
use gdl::syntax::Source;
use ggp_draw::board::Setting;
use ggp_draw::{Grid, Ground};
use ggp_engine::{EngineKind, Game, LibrarySheet, load_text};
use ggp_game::{JointMoves, Reasoner};
use serde::Serialize;

/// What a card says.
#[derive(Serialize)]
pub(super) struct Card {
    /// The number of players; chance is none of them.
    players: usize,
    /// `chance`, `puzzle` or `contest`.
    kind: &'static str,
    /// The columns and rows of the largest board, if there is one.
    size: Option<String>,
    /// The largest board in the initial state, or after some moves if nothing stands there before.
    board: Option<Grid>,
}

/// The card of a game; `None` if the library has none of this name, or its first position cannot be drawn.
pub(super) fn card(name: &str) -> Option<Card> {
    let sheet = LibrarySheet::find(name)?;
    let source = Source::new(name, sheet.text);
    let mut game: Game = load_text(name.to_string(), source, None, EngineKind::Interpreter).ok()?;
    let setting = Setting::from_game(&mut game).ok()?;
    let grids = shown(&mut game, &setting);
    let has_chance = setting.roles.iter().any(|role| role.is_chance());
    let players = setting.roles.iter().filter(|role| !role.is_chance()).count();
    let kind = match (players, has_chance) {
        (_, true) => "chance",
        (1, _) => "puzzle",
        _ => "contest",
    };
    let sides = |grid: &Grid| (grid.squares.first().map_or(0, Vec::len), grid.squares.len());
    let largest = grids.into_iter().rev().max_by_key(|grid| sides(grid).0 * sides(grid).1);
    // Cards of values and nodes of trees are no squares.
    let has_squares = |grid: &&Grid| {
        !grid.squares.iter().flatten().any(|square| matches!(square.ground, Ground::Card | Ground::Bare))
    };
    let size = largest.as_ref().filter(has_squares).map(sides).map(|(across, down)| format!("{across} × {down}"));
    Some(Card { players, kind, size, board: largest.map(Grid::without_labels) })
}

/// The moves that are made before a board is shown on which nothing stands at the start.
const MOVES: usize = 7;

/// The boards of the initial state; those after some moves if nothing stands on them, or nothing can be seen.
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

/// The facts after some moves, which are spread over the legal ones; `None` if the game ends before.
fn facts_after(game: &mut Game, moves: usize) -> Option<Vec<GroundTerm>> {
    let reasoner = &mut game.interpreter;
    let mut state = reasoner.initial_state().ok()?;
    for ply in 0..moves {
        if reasoner.is_terminal(&state).ok()? {
            return None;
        }
        let mut joint_moves = JointMoves::in_state(reasoner, &state).ok()?;
        for role in joint_moves.choosing() {
            let legal = joint_moves.legal(role).len();
            joint_moves.choose(role, (legal / 2 + ply * legal / 3) % legal);
        }
        state = reasoner.next_state(&state, joint_moves.current()).ok()?;
    }
    Some(reasoner.facts(&state))
}
