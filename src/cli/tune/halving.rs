//! Successive halving: all candidates play a little, and the better half of them plays more.
//!
//! - Source: Karnin, Koren and Somekh, *Almost Optimal Exploration in Multi-Armed Bandits*, 2013; unlike theirs, a
//!   round ranks by all matches so far, and has twice as many of each candidate as the one before.

use super::super::Failure;
use super::super::match_::play_pair;
use super::report::{CandidateResult, TuningReport, no_matches};
use super::rows::{RowsFile, TuningRow};
use ggp_engine::Game;
use ggp_play::{Clocks, PlayerSpec, Series, Tally};
use std::sync::Arc;
use std::sync::atomic::AtomicBool;

/// Which matches are played, and how.
pub(super) struct Halving {
    /// The player that every candidate meets.
    pub(super) base: PlayerSpec,
    /// The games in which candidates are compared.
    pub(super) games: Vec<Arc<Game>>,
    /// The number of matches of a candidate in each of these games in the first round.
    pub(super) matches: u64,
    /// The games in which the candidate that is left is checked.
    pub(super) check_games: Vec<Arc<Game>>,
    /// The number of matches in each game of the check; by default twice those of the last round.
    pub(super) check_matches: Option<u64>,
    pub(super) clocks: Clocks,
    pub(super) seed: u64,
    /// The number of matches at a time, or as many as fit.
    pub(super) jobs: Option<usize>,
    pub(super) interrupt: Arc<AtomicBool>,
    /// The file to which each row is added as soon as its matches are over.
    pub(super) rows: Option<RowsFile>,
}

impl Halving {
    /// Plays the rounds and the check. An interrupt ends it.
    pub(super) fn run(&self, candidates: Vec<PlayerSpec>) -> Result<TuningReport, Failure> {
        let names = |games: &[Arc<Game>]| games.iter().map(|game| game.name.clone()).collect();
        let mut tuned = TuningReport {
            player: self.base.to_string(),
            clocks: self.clocks,
            games: names(&self.games),
            check_games: names(&self.check_games),
            candidates: candidates.into_iter().map(|player| CandidateResult::new(player, &self.base)).collect(),
            chosen: None,
            check: None,
            rows: Vec::new(),
            is_interrupted: false,
        };
        let mut left = tuned.candidates.len();
        let mut matches = self.matches;
        let rounds = left.next_power_of_two().ilog2().max(1);
        for round in 1..=rounds {
            for game in &self.games {
                for index in 0..left {
                    let title = format!("round {round} of {rounds}, candidate {} of {left}, {}", index + 1, game.name);
                    let player = tuned.candidates[index].player.clone();
                    let tally = self.play(&mut tuned, player, game, Some(round), matches, title)?;
                    tuned.candidates[index].add(round, &tally);
                    if tuned.is_interrupted {
                        return Ok(tuned);
                    }
                }
            }
            // Stable: of equals, those that were named first go on.
            tuned.candidates[..left].sort_by(|one, other| other.share().total_cmp(&one.share()));
            left = left.div_ceil(2);
            matches = matches.saturating_mul(2);
        }
        let player = tuned.candidates[0].player.clone();
        tuned.chosen = Some(player.to_string());
        for game in &self.check_games {
            let title = format!("check, {}", game.name);
            let matches = self.check_matches.unwrap_or(matches);
            let tally = self.play(&mut tuned, player.clone(), game, None, matches, title)?;
            tuned.check.get_or_insert_with(|| no_matches(&player, &self.base)).add_all(&tally);
            if tuned.is_interrupted {
                break;
            }
        }
        Ok(tuned)
    }

    /// Plays a candidate against the base in a game, and keeps the row.
    fn play(
        &self,
        tuned: &mut TuningReport,
        player: PlayerSpec,
        game: &Arc<Game>,
        round: Option<u32>,
        matches: u64,
        title: String,
    ) -> Result<Tally, Failure> {
        let series = Series {
            game: game.clone(),
            players: vec![player, self.base.clone()],
            games: matches,
            clocks: self.clocks,
            // Each round has its own seeds, which its candidates share; the check has those of round 0.
            seed: self.seed.wrapping_mul(64).wrapping_add(u64::from(round.unwrap_or(0))),
            swap: true,
            jobs: 1,
            interrupt: self.interrupt.clone(),
        };
        let (tally, is_interrupted) = play_pair(series, self.jobs, title)?;
        tuned.is_interrupted = is_interrupted;
        let row = TuningRow { round, game: game.name.clone(), tally: tally.clone() };
        if let Some(file) = self.rows.as_ref()
            && tally.games + tally.aborted > 0
        {
            file.append(&row, self.clocks, self.seed)?;
        }
        tuned.rows.push(row);
        Ok(tally)
    }
}
