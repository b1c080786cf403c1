//! Fixtures of a tournament: which players meet in which game, and who takes which seat.

use super::file::TournamentKind;
use gdl::sorting;
use ggp_play::rotations;
use std::cmp::Reverse;

/// A match that is to be played.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(super) struct Fixture {
    /// The index of the game.
    pub(super) game: usize,
    /// The players in the order of the seats, by their indices.
    pub(super) seats: Vec<usize>,
    /// The round of a Swiss tournament, otherwise the number among matches with these seats; from 1.
    pub(super) number: u64,
}

/// The matches of a tournament whose results do not decide who meets whom. `seats` has the number of seats of each game,
/// `players` those who play. Players of games with one seat play alone.
pub(super) fn fixtures(kind: TournamentKind, seats: &[usize], players: &[usize], matches: u64) -> Vec<Fixture> {
    let mut fixtures = Vec::new();
    for number in 1..=matches {
        for (game, &seats) in seats.iter().enumerate() {
            let arrangements = match kind {
                TournamentKind::Ours { ours } if seats > 1 => against_ours(ours, seats, players),
                _ => combinations(players, seats).iter().flat_map(|group| rotations(group)).collect(),
            };
            fixtures.extend(arrangements.into_iter().map(|seats| Fixture { game, seats, number }));
        }
    }
    fixtures
}

/// The number of matches of a tournament; at most `u64::MAX`. `seats` has the number of seats of each game, `players` is the
/// number of those who play, `matches` the number for each arrangement.
pub(super) fn count(kind: TournamentKind, seats: &[usize], players: usize, matches: u64) -> u64 {
    let arrangements = |&seats: &usize| match kind {
        TournamentKind::Swiss { rounds } => rounds.saturating_mul(2 * (players / 2) as u64),
        TournamentKind::Ours { .. } if seats > 1 => (players.saturating_sub(1) * seats) as u64,
        _ => {
            let groups = (0..seats).fold(1_u128, |groups, chosen| {
                groups.saturating_mul(players.saturating_sub(chosen) as u128) / (chosen as u128 + 1)
            });
            u64::try_from(groups.saturating_mul(seats as u128)).unwrap_or(u64::MAX)
        }
    };
    let of_each = if matches!(kind, TournamentKind::Swiss { .. }) { 1 } else { matches };
    seats.iter().map(arrangements).fold(0, u64::saturating_add).saturating_mul(of_each)
}

/// The matches of a round of a Swiss tournament: each pair plays every game in both seats.
pub(super) fn of_pairs(pairs: &[[usize; 2]], games: usize, round: u64) -> Vec<Fixture> {
    let of_game = |game| pairs.iter().flat_map(move |pair| rotations(pair).into_iter().map(move |seats| (game, seats)));
    (0..games).flat_map(of_game).map(|(game, seats)| Fixture { game, seats, number: round }).collect()
}

/// The pairs of the next round: of the players, the best first, each meets the next one whom it has not met. With an
/// odd number of players one rests, the last of those who have not rested yet. Players meet again only if there is no
/// other way.
pub(super) fn pairs(ranking: &[usize], met: &[[usize; 2]]) -> Vec<[usize; 2]> {
    let fresh = resting(ranking, met).into_iter().find_map(|rests| paired(&without(ranking, rests), met));
    fresh.or_else(|| paired(&without(ranking, *resting(ranking, met).first()?), &[])).unwrap_or_default()
}

/// Who may rest in the next round, in the order in which that is tried; `None` for no one.
fn resting(ranking: &[usize], met: &[[usize; 2]]) -> Vec<Option<usize>> {
    if ranking.len().is_multiple_of(2) {
        return vec![None];
    }
    // Those who have rested have met fewer players. The order is stable, so the last of the ranking comes first.
    let meetings = |player: usize| met.iter().filter(|pair| pair.contains(&player)).count();
    let mut players: Vec<usize> = ranking.iter().rev().copied().collect();
    sorting::sort_by_key(&mut players, |&player| Reverse(meetings(player)));
    players.into_iter().map(Some).collect()
}

fn without(ranking: &[usize], rests: Option<usize>) -> Vec<usize> {
    ranking.iter().copied().filter(|&player| Some(player) != rests).collect()
}

/// Pairs of all these players who have not met, by trying partners in their order.
fn paired(ranking: &[usize], met: &[[usize; 2]]) -> Option<Vec<[usize; 2]>> {
    let Some((&first, others)) = ranking.split_first() else { return Some(Vec::new()) };
    let has_met = |other: usize| met.iter().any(|pair| pair.contains(&first) && pair.contains(&other));
    others.iter().copied().filter(|&other| !has_met(other)).find_map(|partner| {
        let rest: Vec<usize> = others.iter().copied().filter(|&player| player != partner).collect();
        let mut pairs = paired(&rest, met)?;
        pairs.insert(0, [first, partner]);
        Some(pairs)
    })
}

/// All ways to choose some of the players, each in their order.
fn combinations(players: &[usize], count: usize) -> Vec<Vec<usize>> {
    let Some(fewer) = count.checked_sub(1) else { return vec![Vec::new()] };
    let from = |(index, &first): (usize, &usize)| {
        let others = combinations(&players[index + 1..], fewer).into_iter();
        others.map(move |others| [&[first], &others[..]].concat())
    };
    players.iter().enumerate().flat_map(from).collect()
}

/// Each other player in each seat, and `ours` in all the others.
fn against_ours(ours: usize, seats: usize, players: &[usize]) -> Vec<Vec<usize>> {
    let others = players.iter().filter(|&&player| player != ours);
    let arranged = |&player: &usize| {
        (0..seats).map(move |own| (0..seats).map(|seat| if seat == own { player } else { ours }).collect())
    };
    others.flat_map(arranged).collect()
}
