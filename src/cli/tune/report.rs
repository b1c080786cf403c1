//! What `ggp tune` reports: the candidates in their order, and the check of the first.

use super::super::match_::elo_text;
use super::rows::TuningRow;
use crate::repl::answer::share;
use crate::table::Table;
use gdl::quantity::counted;
use ggp_play::{Clocks, PlayerSpec, Standing, Tally};
use serde::{Serialize, Serializer};

/// The results of a tuning.
#[derive(Serialize)]
pub(super) struct TuningReport {
    /// The player that every candidate met.
    pub(super) player: String,
    #[serde(skip)]
    pub(super) clocks: Clocks,
    pub(super) games: Vec<String>,
    pub(super) check_games: Vec<String>,
    /// The best first: those that went on before those that did not.
    pub(super) candidates: Vec<CandidateResult>,
    /// The candidate that was left, if no interrupt came before.
    pub(super) chosen: Option<String>,
    /// All matches of the check.
    pub(super) check: Option<Tally>,
    pub(super) rows: Vec<TuningRow>,
    #[serde(rename = "interrupted")]
    pub(super) is_interrupted: bool,
}

/// A candidate with its matches of all rounds.
#[derive(Serialize)]
pub(super) struct CandidateResult {
    #[serde(serialize_with = "as_text")]
    pub(super) player: PlayerSpec,
    /// The number of rounds that it played in.
    rounds: u32,
    /// The candidate and the base.
    tally: Tally,
}

fn as_text<S: Serializer>(player: &PlayerSpec, serializer: S) -> Result<S::Ok, S::Error> {
    serializer.collect_str(player)
}

impl CandidateResult {
    pub(super) fn new(player: PlayerSpec, base: &PlayerSpec) -> Self {
        let tally = no_matches(&player, base);
        Self { player, rounds: 0, tally }
    }

    pub(super) fn add(&mut self, round: u32, tally: &Tally) {
        self.rounds = round;
        self.tally.add_all(tally);
    }

    /// Its share of the points.
    pub(super) fn share(&self) -> f64 {
        self.tally.standings[0].score().map_or(0.0, |score| score.value)
    }
}

impl TuningReport {
    /// The tables as text, in which candidates are named by the options with these keys.
    pub(super) fn text(&self, keys: &[&str]) -> String {
        let Self { player, games, clocks, .. } = self;
        let start = clocks.start.as_secs_f64();
        let play = clocks.play.as_secs_f64();
        let count = counted(self.candidates.len(), "candidate");
        let mut text = format!("{player} in {}\n{count}, {start} s to start, {play} s a move\n", games.join(", "));
        let row = |candidate: &CandidateResult| {
            let name = candidate.player.options_text(keys);
            [vec![name, candidate.rounds.to_string()], counts(&candidate.tally)].concat()
        };
        let headings = ["candidate", "rounds", "wins", "draws", "losses", "faults", "score"];
        text += &Table::of_numbers(7).row(headings).rows(self.candidates.iter().map(row)).to_string();
        let Some(chosen) = &self.chosen else {
            return text + "interrupted before a candidate was chosen\n";
        };
        text += &format!("chosen: {chosen}\n");
        let Some(check) = &self.check else {
            return text + "not checked; `--check GAME` plays it in games on which it was not chosen\n";
        };
        let checked = self.rows.iter().filter(|row| row.round.is_none()).map(|row| (&*row.game, &row.tally));
        let row = |(game, tally): (&str, &Tally)| [vec![game.to_string()], counts(tally)].concat();
        let headings = ["check", "wins", "draws", "losses", "faults", "score"];
        let all = (self.check_games.len() > 1).then_some(("all", check));
        text += &Table::of_numbers(6).row(headings).rows(checked.chain(all).map(row)).to_string();
        if let Some(elo) = check.elo() {
            let verdict = match (elo.low > 0.0, elo.high < 0.0) {
                (true, _) => "a gain",
                (_, true) => "a loss",
                _ => "no clear difference",
            };
            text += &format!("Elo difference {}: {verdict}\n", elo_text(elo));
        }
        text
    }
}

/// A tally of no matches between a candidate and the base.
pub(super) fn no_matches(player: &PlayerSpec, base: &PlayerSpec) -> Tally {
    Tally::new(&[player.to_string(), base.to_string()])
}

/// Wins, draws, losses, faults and the share of the points of the first player.
fn counts(tally: &Tally) -> Vec<String> {
    let standing = &tally.standings[0];
    let Standing { wins, draws, losses, faults, .. } = standing;
    let score = standing.score().map_or_else(String::new, share);
    [wins, draws, losses, faults].into_iter().map(u64::to_string).chain([score]).collect()
}
