//! Tic-tac-toe by hand: two masks of nine bits, tables for lines and for the choice of a cell.

use super::random::{Random, Tally, below};

const ALL: usize = 0o777;
const LINES: [usize; 8] = [0o7, 0o70, 0o700, 0o111, 0o222, 0o444, 0o421, 0o124];

/// Whether a mask has a line.
static IS_WON: [bool; ALL + 1] = {
    let mut table = [false; ALL + 1];
    let mut mask = 0;
    while mask <= ALL {
        let mut line = 0;
        while line < LINES.len() {
            table[mask] |= mask & LINES[line] == LINES[line];
            line += 1;
        }
        mask += 1;
    }
    table
};

/// The set bits of each mask, lowest first.
static BITS: [[u16; 16]; ALL + 1] = {
    let mut table = [[0; 16]; ALL + 1];
    let mut mask = 0;
    while mask <= ALL {
        let (mut rest, mut rank) = (mask, 0);
        while rest != 0 {
            table[mask][rank] = 1 << rest.trailing_zeros();
            rest &= rest - 1;
            rank += 1;
        }
        mask += 1;
    }
    table
};

/// Plays random games.
pub(crate) fn play(games: u64, random: &mut Random) -> Tally {
    let mut tally = Tally { games, ..Tally::default() };
    for _ in 0..games {
        let mut fraction = random.fraction();
        let (mut mine, mut others) = (0_usize, 0_usize);
        for ply in 0..9_u32 {
            let free = ALL & !(mine | others);
            mine |= usize::from(BITS[free][below(&mut fraction, 9 - ply) as usize & 15]);
            tally.plies += 1;
            if IS_WON[mine & ALL] {
                tally.wins[(ply & 1) as usize] += 1;
                break;
            }
            std::mem::swap(&mut mine, &mut others);
        }
    }
    tally
}
