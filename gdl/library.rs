//! The game library: the rule sheets of `gdl/`, embedded in the program.
//!
//! To add a game, put its sheet into `gdl/` and its name into the table; the first line of the sheet describes it.
//! Sheets that only add heuristics to a game are in `gdl/heuristics/`. All files of `gdl/course/` are embedded as well:
//! what the commands of the course use, under the names that they have there.
//!
//! The tables are `static`: the texts of a `const` are in the program once for each unit of code that reads it.

use std::path::{Component, Path};

/// A rule sheet of the library.
#[derive(Clone, Copy, Debug)]
pub struct LibrarySheet {
    /// The name by which it is loaded.
    pub name: &'static str,
    /// The whole text, in either dialect.
    pub text: &'static str,
}

macro_rules! sheets {
    ($folder:literal: $($name:literal),* $(,)?) => {
        &[$(LibrarySheet { name: $name, text: include_str!(concat!($folder, $name, ".gdl")) }),*]
    };
}

/// All games of the library, by name.
pub static LIBRARY: &[LibrarySheet] = sheets!["":
    "battleship_small",
    "blocksworld_tiles",
    "blocksworld_tiles_walls",
    "breakthrough_6x6",
    "buttons_and_lights",
    "checkers",
    "chess",
    "connect_four",
    "connect_four_4x4",
    "connect_four_4x5",
    "connect_four_5x4",
    "connect_four_5x5",
    "dice_race",
    "eight_puzzle",
    "eight_puzzle_two_moves",
    "eight_puzzle_unlimited",
    "expectimax_tree",
    "gomoku_9x9",
    "goofspiel_hidden",
    "hanoi",
    "hanoi_8",
    "hex_7x7",
    "kalaha",
    "kuhn_poker",
    "leduc_poker",
    "liars_dice",
    "lights_out",
    "mastermind",
    "maze",
    "minimax_tree",
    "monty_hall",
    "nim",
    "othello",
    "pacman_corridor",
    "pacman_corridor_small",
    "pacman_hunt",
    "pacman_mystery",
    "pacman_ring",
    "pacman_ring_two_ghosts",
    "pacman_small",
    "pacman_trapped",
    "peg_solitaire",
    "phantom_tic_tac_toe",
    "pig_dice",
    "rock_paper_scissors",
    "three_player_tree",
    "three_puzzle",
    "tic_tac_toe",
];

/// All heuristic sheets of the library, by name: rules to be added to a game.
pub static HEURISTICS: &[LibrarySheet] = sheets!["heuristics/":
    "blocksworld_tiles_boost",
    "blocksworld_tiles_manhattan",
    "blocksworld_tiles_misplaced",
    "connect_four_weights",
    "eight_puzzle_manhattan",
    "eight_puzzle_misplaced",
    "pacman_corridor_hungry",
    "pacman_corridor_score",
    "pacman_hunt_avoid",
    "pacman_hunt_seek",
    "pacman_ring_two_ghosts_seek",
];

/// The files of the course by name, such as `course/tiles_1.gdl`: trees, rule sheets, layouts, scripts, and the results
/// of the scripts.
pub static COURSE: &[LibrarySheet] = include!(concat!(env!("OUT_DIR"), "/course.rs"));

impl LibrarySheet {
    /// The file of the course at a path: `course/tiles_1.gdl`, in any folder and with any detour.
    pub fn find_course(path: &Path) -> Option<&'static Self> {
        let mut parts: Vec<&str> = Vec::new();
        for component in path.components() {
            match component {
                Component::ParentDir => drop(parts.pop()),
                Component::Normal(part) => parts.push(part.to_str()?),
                Component::Prefix(_) | Component::RootDir | Component::CurDir => {}
            }
        }
        let first = parts.iter().rposition(|part| *part == "course")?;
        let name = parts[first..].join("/");
        COURSE.binary_search_by(|file| file.name.cmp(&name)).ok().map(|index| &COURSE[index])
    }

    /// The heuristic sheet of this name.
    pub fn find_heuristic(name: &str) -> Option<&'static Self> {
        HEURISTICS.iter().find(|sheet| sheet.name == name)
    }

    /// The game of this name.
    pub fn find(name: &str) -> Option<&'static Self> {
        LIBRARY.iter().find(|sheet| sheet.name == name)
    }

    /// A description in one sentence: the first line of the sheet without its comment sign and the name.
    pub fn summary(&self) -> &'static str {
        let line = self.text.lines().next().unwrap_or_default();
        let line = line.trim_start_matches(['%', ';', ' ']);
        line.strip_prefix(self.name).unwrap_or(line).trim_start_matches([':', ' '])
    }
}
