//! What a tournament writes: tables, and a report for each player.

use super::report::{ReviewedMatch, report};
use super::result::PlayedMatch;
use super::review::{self, RoleReview};
use super::standings::{Standings, match_csv};
use super::{ClassTournament, TournamentGame, locked, page};
use crate::cli::Failure;
use crate::repl::terminal::ProgressLine;
use anyhow::Context;
use gdl::quantity::counted_as;
use ggp_engine::Game;
use ggp_game::files;
use serde::Serialize;
use std::collections::BTreeSet;
use std::fs;
use std::path::Path;
use std::sync::atomic::Ordering;
use std::sync::{Arc, Mutex};

/// The tables, and what a reader has to know beside them.
#[derive(Serialize)]
pub(super) struct WrittenTables {
    #[serde(flatten)]
    standings: Standings,
    notes: Vec<String>,
}

impl WrittenTables {
    /// The tables as text, below a line about the tournament.
    pub(super) fn text(&self, title: &str, state: &str) -> String {
        let notes: String = self.notes.iter().map(|note| format!("{note}\n")).collect();
        format!("{title}: {state}\n{}{notes}", self.standings.text())
    }
}

impl ClassTournament {
    /// Writes the tables, and then the reports, for which values are computed.
    pub(super) fn write(
        &self,
        folder: &Path,
        title: &str,
        state: &str,
        matches: &[PlayedMatch],
        review_nodes: u64,
    ) -> Result<WrittenTables, Failure> {
        let write = |name: &str, text: String| {
            let path = folder.join(name);
            files::write(&path, text).with_context(|| format!("cannot write {}", path.display()))
        };
        let tables = WrittenTables { standings: Standings::new(&self.names, matches), notes: self.notes(matches)? };
        write("table.txt", tables.text(title, state))?;
        write("table.csv", tables.standings.csv())?;
        write("matches.csv", match_csv(&self.names, matches))?;
        write("index.html", page::page(title, state, &tables.standings, &tables.notes))?;
        let (reviews, limits) = self.reviews(matches, review_nodes)?;
        let reviewed = matches.iter().zip(&reviews);
        let reviewed: Vec<ReviewedMatch<'_>> =
            reviewed.map(|(played, review)| ReviewedMatch { played, review }).collect();
        for (player, name) in self.names.iter().enumerate() {
            write(&format!("reports/{name}.txt"), report(player, &self.names, &reviewed, &limits))?;
        }
        Ok(tables)
    }

    /// Reviews of the matches, in their order, and the limits of these in words. A review has the choices of each role; it
    /// is empty if the match was not examined.
    fn reviews(&self, matches: &[PlayedMatch], nodes: u64) -> Result<(Vec<Vec<RoleReview>>, String), Failure> {
        let none = || vec![Vec::new(); matches.len()];
        if nodes == 0 {
            return Ok((none(), "`--review-nodes` is 0".to_string()));
        }
        if self.interrupt.load(Ordering::Relaxed) {
            return Ok((none(), "the tournament was interrupted".to_string()));
        }
        let mut notes =
            format!("from the end of each match backwards, with {} for a value", counted_as(nodes, "node", "nodes"));
        let mut games: Vec<Option<Game>> = Vec::new();
        for TournamentGame { game, .. } in &self.games {
            let mut game = game.fork();
            let other = review::unexamined(&mut game, &self.interrupt).with_context(|| game.name.clone())?;
            if let Some(kind) = other {
                notes += &format!("; {} is left out: {kind}", game.name);
            }
            games.push(other.is_none().then_some(game));
        }
        let progress = Arc::new(Mutex::new(0));
        let (shown, all) = (progress.clone(), matches.len());
        let line =
            ProgressLine::start(move || Some(format!("{} of {all} matches reviewed (Ctrl-C stops)", locked(&shown))));
        let mut reviews = Vec::new();
        for played in matches {
            let game = played.game_index.and_then(|index| games[index].as_mut());
            let review = match (game, &played.record) {
                (Some(game), Some(record)) if !played.is_default() => {
                    review::review(game, record, nodes, &self.interrupt).with_context(|| played.id.clone())?
                }
                _ => Vec::new(),
            };
            reviews.push(review);
            *locked(&progress) += 1;
        }
        drop(line);
        if self.interrupt.load(Ordering::Relaxed) {
            notes += "; interrupted";
        }
        Ok((reviews, notes))
    }

    /// What a reader of the table has to know: who was absent, and which records do not count.
    fn notes(&self, matches: &[PlayedMatch]) -> Result<Vec<String>, Failure> {
        let mut notes = Vec::new();
        let absent = locked(&self.absent);
        for (index, name) in self.names.iter().enumerate() {
            let seats = matches.iter().flat_map(|played| &played.seats);
            let count = seats.filter(|seat| seat.player == index && seat.is_absent).count() as u64;
            if count > 0 {
                let reason = absent.get(&index).map_or_else(String::new, |reason| format!(" ({reason})"));
                let matches = counted_as(count, "match", "matches");
                notes.push(format!("{name} did not take part in {matches} and lost by default{reason}"));
            }
        }
        let known: BTreeSet<String> = matches.iter().map(|played| format!("{}.json", played.id)).collect();
        let listed = fs::read_dir(&self.records).with_context(|| format!("cannot read {}", self.records.display()))?;
        let names = listed.filter_map(|entry| entry.ok()?.file_name().into_string().ok());
        let others = names.filter(|name| name.ends_with(".json") && !known.contains(name)).count() as u64;
        if others > 0 && !self.interrupt.load(Ordering::Relaxed) {
            let records = counted_as(others, "record", "records");
            notes.push(format!("{records} of other matches in {} do not count", self.records.display()));
        }
        Ok(notes)
    }
}
