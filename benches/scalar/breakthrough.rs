//! Breakthrough on 8x8 by hand: one mask per player. The board is turned after each move, so that the player to move
//! always moves up.

use super::random::{Random, Tally, below, select, with_bit_instructions};

const LEFT_FILE: u64 = 0x0101_0101_0101_0101;
const RIGHT_FILE: u64 = LEFT_FILE << 7;
const LAST_ROW: u64 = 0xff << 56;
/// Both players begin with two rows.
const START: u64 = 0xffff;

/// Plays random games.
pub(crate) fn play(games: u64, random: &mut Random) -> Tally {
    with_bit_instructions(playouts, games, random)
}

#[cfg_attr(target_arch = "x86_64", target_feature(enable = "bmi1,bmi2,popcnt"))]
fn playouts(games: u64, random: &mut Random) -> Tally {
    let mut tally = Tally { games, ..Tally::default() };
    for _ in 0..games {
        let (mut mine, mut others, mut fraction, mut ply) = (START, START.swap_bytes(), 0, 0_u32);
        loop {
            if ply.is_multiple_of(8) {
                fraction = random.fraction();
            }
            // The targets of pieces: an empty cell straight ahead, or a diagonal cell without a piece of their own.
            let ahead = mine << 8 & !others & !mine;
            let left = (mine & !LEFT_FILE) << 7 & !mine;
            let right = (mine & !RIGHT_FILE) << 9 & !mine;
            let (straight, aslant) = (ahead.count_ones(), left.count_ones());
            let rank = below(&mut fraction, straight + aslant + right.count_ones());
            let (to, step) = if rank < straight {
                (select(ahead, rank), 8)
            } else if rank < straight + aslant {
                (select(left, rank - straight), 7)
            } else {
                (select(right, rank - straight - aslant), 9)
            };
            mine ^= to | to >> step;
            others &= !to;
            ply += 1;
            if to & LAST_ROW != 0 || others == 0 {
                break;
            }
            (mine, others) = (others.swap_bytes(), mine.swap_bytes());
        }
        tally.plies += u64::from(ply);
        tally.wins[(ply & 1 ^ 1) as usize] += 1;
    }
    tally
}
