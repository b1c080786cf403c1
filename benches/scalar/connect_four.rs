//! Connect four by hand, 7 columns and 6 rows: seven bits a column, of which the highest stays empty (Tromp's boards).

use super::random::{Random, Tally, below, select, with_bit_instructions};

const HEIGHT: u32 = 7;
const BOTTOM: u64 = 0x0408_1020_4081;
const BOARD: u64 = BOTTOM * 0x3f;

/// Plays random games.
pub(crate) fn play(games: u64, random: &mut Random) -> Tally {
    with_bit_instructions(playouts, games, random)
}

#[cfg_attr(target_arch = "x86_64", target_feature(enable = "bmi1,bmi2,popcnt"))]
fn playouts(games: u64, random: &mut Random) -> Tally {
    let mut tally = Tally { games, ..Tally::default() };
    for _ in 0..games {
        let (mut mine, mut others, mut fraction) = (0_u64, 0_u64, random.fraction());
        for ply in 0..42_u32 {
            if ply % 16 == 15 {
                fraction = random.fraction();
            }
            // The lowest free cell of each column that is not full.
            let free = ((mine | others) + BOTTOM) & BOARD;
            mine |= select(free, below(&mut fraction, free.count_ones()));
            tally.plies += 1;
            if is_won(mine) {
                tally.wins[(ply & 1) as usize] += 1;
                break;
            }
            std::mem::swap(&mut mine, &mut others);
        }
    }
    tally
}

#[inline(always)]
fn is_won(discs: u64) -> bool {
    [1, HEIGHT, HEIGHT - 1, HEIGHT + 1].into_iter().fold(0, |won, step| {
        let pairs = discs & discs >> step;
        won | pairs & pairs >> (2 * step)
    }) != 0
}
