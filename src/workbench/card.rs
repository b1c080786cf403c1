//! A game of the library as a card of the first page: its board, its kind, its players and the size of its board.

use crate::board::Setting;
use crate::drawing::Grid;
use crate::engine::{EngineKind, Game, LibrarySheet, load_text};
use crate::syntax::Source;
use serde::Serialize;

/// What a card says.
#[derive(Serialize)]
pub(super) struct Card {
    /// The number of players; chance is none of them.
    players: usize,
    /// One of a few words: what there is to be done.
    kind: &'static str,
    /// The columns and rows of the largest board, if there is one.
    size: Option<String>,
    /// The largest board in the initial state.
    board: Option<Grid>,
}

/// The card of a game; `None` if the library has none of this name, or its first position cannot be drawn.
pub(super) fn card(name: &str) -> Option<Card> {
    let sheet = LibrarySheet::find(name)?;
    let source = Source::new(name, sheet.text);
    let mut game: Game = load_text(name.to_string(), source, None, EngineKind::Interpreter).ok()?;
    let setting = Setting::of(&mut game).ok()?;
    let grids: Vec<Grid> = setting.draw(&setting.initial, &|axes| axes).grids();
    let has_chance = setting.roles.iter().any(|role| role.is_chance());
    let players = setting.roles.iter().filter(|role| !role.is_chance()).count();
    let kind = match (players, has_chance) {
        (_, true) => "chance",
        (1, _) => "puzzle",
        _ => "contest",
    };
    let sides = |grid: &Grid| (grid.squares.first().map_or(0, Vec::len), grid.squares.len());
    let largest = grids.into_iter().rev().max_by_key(|grid| sides(grid).0 * sides(grid).1);
    let size = largest.as_ref().map(sides).map(|(across, down)| format!("{across} × {down}"));
    Some(Card { players, kind, size, board: largest.map(Grid::without_labels) })
}
