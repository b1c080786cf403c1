//! The game library: the rule sheets of `gdl/`, embedded, so that they load wherever the program runs.
//!
//! To add a game, put its sheet into `gdl/` and its name into the table; the sheet's first line says what it is.

/// A rule sheet of the library.
#[derive(Clone, Copy, Debug)]
pub struct LibrarySheet {
    /// The name by which it is loaded.
    pub name: &'static str,
    /// The whole text.
    pub text: &'static str,
}

macro_rules! sheets {
    ($($name:literal),* $(,)?) => {
        &[$(LibrarySheet { name: $name, text: include_str!(concat!("../../gdl/", $name, ".gdl")) }),*]
    };
}

/// All games of the library, by name.
pub const LIBRARY: &[LibrarySheet] = sheets![
    "blocksworld_tiles",
    "blocksworld_tiles_walls",
    "breakthrough_6x6",
    "buttons_and_lights",
    "connect_four",
    "eight_puzzle",
    "expectimax_tree",
    "hanoi",
    "lights_out",
    "maze",
    "minimax_tree",
    "monty_hall",
    "nim",
    "pacman_small",
    "pig_dice",
    "rock_paper_scissors",
    "three_player_tree",
    "three_puzzle",
    "tic_tac_toe",
];

impl LibrarySheet {
    /// The sheet of this name.
    pub fn find(name: &str) -> Option<&'static Self> {
        LIBRARY.iter().find(|sheet| sheet.name == name)
    }

    /// What the game is, in a sentence: the first line of the sheet without its comment sign and the name.
    pub fn summary(&self) -> &'static str {
        let line = self.text.lines().next().unwrap_or_default();
        let line = line.trim_start_matches(['%', ';', ' ']);
        line.strip_prefix(self.name).unwrap_or(line).trim_start_matches([':', ' '])
    }
}
