//! Results of matches: from records in the folder of a tournament, and from the lines of a program that plays pages of
//! Stanford's course.

use super::fixtures::Fixture;
use ggp_game::{Role, Utility};
use ggp_play::MatchRecord;
use serde::{Deserialize, Serialize};

/// The result of a match.
pub(super) struct PlayedMatch {
    /// The identifier of the match, under which its record is kept.
    pub(super) id: String,
    pub(super) game: String,
    /// The index of the game among those of the tournament; `None` for a match between pages.
    pub(super) game_index: Option<usize>,
    /// The round, or the number among matches of the same players.
    pub(super) number: u64,
    pub(super) seats: Vec<PlayedSeat>,
    /// False if the match was abandoned after too many moves.
    pub(super) is_over: bool,
    /// The moves; `None` for a match between pages.
    pub(super) record: Option<MatchRecord>,
}

/// The result of a player in a match.
pub(super) struct PlayedSeat {
    /// The player, by its index.
    pub(super) player: usize,
    /// The index of its role.
    pub(super) role: usize,
    pub(super) goal: Option<Utility>,
    /// True if the player did not take part, and lost by default.
    pub(super) is_absent: bool,
    pub(super) faults: Faults,
}

/// The turns of a player in which the manager made a random move for it.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize)]
pub(super) struct Faults {
    /// The moves that were not legal.
    pub(super) illegal: u64,
    /// The answers that came too late or never.
    pub(super) late: u64,
    /// The answers that could not be read, and those that were not sent since the connection failed.
    pub(super) failed: u64,
}

impl Faults {
    /// Counts a code of a record.
    fn count(&mut self, code: &str) {
        match code {
            "" => {}
            "TO" => self.late += 1,
            code if code.starts_with("IL") => self.illegal += 1,
            _ => self.failed += 1,
        }
    }

    pub(super) fn add(&mut self, Self { illegal, late, failed }: Self) {
        self.illegal += illegal;
        self.late += late;
        self.failed += failed;
    }
}

/// The record of a match that was not played, from one of its initial state; `is_absent` says of each role whether its
/// player did not take part.
pub(super) fn default_record(mut empty: MatchRecord, is_absent: &[bool]) -> MatchRecord {
    let code = |&is_absent: &bool| if is_absent { ABSENT.to_string() } else { String::new() };
    empty.push_start(is_absent.iter().map(code).collect());
    empty.is_aborted = true;
    empty
}

/// The code of a player that did not take part, in the entry for the start.
const ABSENT: &str = "CE";

impl PlayedMatch {
    /// The result of a match with a record. `roles` are those of the players.
    pub(super) fn of_record(id: String, fixture: &Fixture, roles: &[Role], record: MatchRecord) -> Self {
        // A match that was not played has no moves, and says at its start who was absent.
        let is_default = record.is_aborted && record.moves.is_empty();
        let seat = |(&player, role): (&usize, &Role)| {
            let role = role.index();
            let codes: Vec<&str> =
                record.errors.iter().filter_map(|errors| errors.get(role)).map(String::as_str).collect();
            let is_absent = is_default && codes.first() == Some(&ABSENT);
            let goal = match is_default {
                true => Some(if is_absent { Utility::MIN } else { Utility::MAX }),
                false => record.goal_values.get(role).copied().flatten(),
            };
            let mut faults = Faults::default();
            if !is_default {
                codes.iter().for_each(|code| faults.count(code));
            }
            PlayedSeat { player, role, goal, is_absent, faults }
        };
        Self {
            id,
            game: record.game_name.clone(),
            game_index: Some(fixture.game),
            number: fixture.number,
            seats: fixture.seats.iter().zip(roles).map(seat).collect(),
            is_over: record.is_completed || is_default,
            record: Some(record),
        }
    }

    /// True if a player did not take part.
    pub(super) fn is_default(&self) -> bool {
        self.seats.iter().any(|seat| seat.is_absent)
    }

    /// The players in the order of the seats.
    pub(super) fn players(&self) -> Vec<usize> {
        self.seats.iter().map(|seat| seat.player).collect()
    }
}

/// The result of a match between pages, as a line of JSON has it.
#[derive(Deserialize)]
pub(super) struct PageResult {
    pub(super) game: String,
    /// The players in the order of the roles.
    pub(super) players: Vec<String>,
    #[serde(default)]
    scores: Vec<i32>,
    #[serde(default)]
    over: bool,
    /// The number of moves of each player that were not legal, or came too late.
    #[serde(default)]
    illegal: Vec<u64>,
    #[serde(default)]
    timeouts: Vec<u64>,
}

impl PageResult {
    /// The result between these players, by their indices.
    pub(super) fn played(self, number: u64, players: &[usize]) -> PlayedMatch {
        let at = |counts: &[u64], role: usize| counts.get(role).copied().unwrap_or(0);
        let seat = |(role, &player)| PlayedSeat {
            player,
            role,
            goal: self.scores.get(role).copied().map(Utility::whole),
            is_absent: false,
            faults: Faults { illegal: at(&self.illegal, role), late: at(&self.timeouts, role), failed: 0 },
        };
        PlayedMatch {
            id: format!("{}.{}.page{number}", self.game, self.players.join(".")),
            seats: players.iter().enumerate().map(seat).collect(),
            game: self.game,
            game_index: None,
            number,
            is_over: self.over,
            record: None,
        }
    }
}
