//! Parts of a series of matches, which are played apart, on several machines, and put together by `ggp merge`.
//!
//! The seats and the seeds of a match follow from its number, so that the parts together are the matches of the series.

use super::is_human;
use anyhow::bail;
use ggp_play::{Series, Tally};
use serde::{Deserialize, Serialize};
use std::fmt;
use std::ops::Range;
use std::str::FromStr;

/// A part of a series, as `--part` names it: `3/40`.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
pub(in crate::cli) struct Part {
    /// The number of the part, from 1.
    pub(in crate::cli) number: u64,
    /// The number of parts.
    pub(in crate::cli) of: u64,
}

impl Part {
    /// The only part of a series.
    pub(super) const WHOLE: Self = Self { number: 1, of: 1 };

    /// The numbers of its matches, of this many in the series. The parts differ by one match at most.
    pub(super) fn of(self, games: u64) -> Range<u64> {
        let bound = |number: u64| {
            let games = u128::from(games) * u128::from(number) / u128::from(self.of);
            u64::try_from(games).expect("it is at most the number of games")
        };
        bound(self.number - 1)..bound(self.number)
    }
}

impl FromStr for Part {
    type Err = String;

    fn from_str(text: &str) -> Result<Self, String> {
        let numbers = text.split_once('/').and_then(|(number, of)| Some((number.parse().ok()?, of.parse().ok()?)));
        match numbers {
            Some((number, of)) if (1..=of).contains(&number) => Ok(Self { number, of }),
            _ => Err("a part is its number, from 1, and the number of parts, such as `3/40`".to_string()),
        }
    }
}

impl fmt::Display for Part {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(formatter, "{}/{}", self.number, self.of)
    }
}

/// Everything on which the results of a series depend, except the speed of the machine.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub(in crate::cli) struct SeriesDescription {
    pub(super) version: String,
    pub(super) game: String,
    /// The text of the rule sheet.
    rules: String,
    /// The specifications of the players.
    players: Vec<String>,
    /// True if a person plays.
    #[serde(skip)]
    pub(super) has_person: bool,
    /// The number of matches of the whole series.
    games: u64,
    /// The seconds before the first move, and for each.
    pub(super) start_clock: f64,
    pub(super) play_clock: f64,
    seed: u64,
    swap: bool,
}

impl SeriesDescription {
    /// The description of a series of this many matches, of which `series` may be a part.
    pub(super) fn of(series: &Series, games: u64) -> Self {
        Self {
            version: env!("GGP_VERSION").to_string(),
            game: series.game.name.clone(),
            rules: series.game.source.text().to_string(),
            players: series.players.iter().map(ToString::to_string).collect(),
            has_person: series.players.iter().any(is_human),
            games,
            start_clock: series.clocks.start.as_secs_f64(),
            play_clock: series.clocks.play.as_secs_f64(),
            seed: series.seed,
            swap: series.swap,
        }
    }
}

/// The results of a part, as `--out` writes them.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub(in crate::cli) struct SeriesPart {
    pub(in crate::cli) part: Part,
    pub(in crate::cli) series: SeriesDescription,
    pub(in crate::cli) tally: Tally,
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub(in crate::cli) warnings: Vec<String>,
}

impl SeriesPart {
    /// Adds another part.
    ///
    /// # Errors
    /// If it is of another series, and in which way.
    pub(in crate::cli) fn add(&mut self, other: Self) -> anyhow::Result<()> {
        if self.part.of != other.part.of {
            bail!("it is part {}, and the first file has one of {} parts", other.part, self.part.of);
        }
        if let Some(difference) = self.series.difference(&other.series) {
            bail!("it is of another series: {difference}");
        }
        self.tally.add_all(&other.tally);
        self.warnings.extend(other.warnings);
        self.warnings.sort();
        self.warnings.dedup();
        Ok(())
    }
}

impl SeriesDescription {
    /// The first field in which another series differs, with both values.
    fn difference(&self, other: &Self) -> Option<String> {
        let fields = |series: &Self| {
            [
                ("version", series.version.clone()),
                ("game", series.game.clone()),
                ("players", series.players.join(" ")),
                ("games", series.games.to_string()),
                ("start clock", series.start_clock.to_string()),
                ("play clock", series.play_clock.to_string()),
                ("seed", series.seed.to_string()),
                ("swap", series.swap.to_string()),
            ]
        };
        let mut pairs = fields(self).into_iter().zip(fields(other));
        let different = pairs.find(|(one, other)| one != other);
        let named = different.map(|((name, one), (_, other))| format!("{name} {other} instead of {one}"));
        named.or_else(|| (self.rules != other.rules).then(|| format!("other rules of {}", self.game)))
    }
}
