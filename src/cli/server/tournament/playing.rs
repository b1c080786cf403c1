//! The matches of a tournament are played, and their records kept.

use super::super::{hear_of_the_end, player_seeds};
use super::file::{EntrantPlayer, TournamentDescription, TournamentKind};
use super::fixtures::{self, Fixture};
use super::result::{PlayedMatch, default_record};
use super::standings::ranking;
use super::{ClassTournament, TournamentGame, locked};
use crate::cli::Failure;
use crate::repl::terminal::ProgressLine;
use anyhow::{Context, anyhow, bail};
use gdl::rules::GroundTerm;
use gdl::syntax::CHANCE;
use ggp_game::{Reasoner, files, threads};
use ggp_play::{Arena, Deadline, MatchError, MatchRecord, Seat, verify};
use rustc_hash::FxHasher;
use std::collections::BTreeSet;
use std::hash::{Hash, Hasher};
use std::path::PathBuf;
use std::sync::atomic::Ordering;
use std::sync::{Arc, Condvar, Mutex, PoisonError};
use std::time::{Duration, SystemTime};

/// Fixtures that wait to be played, and the players of those that are.
struct Waiting {
    /// With their indices, the last one first.
    fixtures: Vec<(usize, Fixture)>,
    busy: BTreeSet<usize>,
}

impl ClassTournament {
    /// Plays all matches that have no record yet, until an interrupt. The results are in the order of the fixtures.
    pub(super) fn play(&self, jobs: usize, matches: &mut Vec<PlayedMatch>, of: u64) -> Result<(), Failure> {
        let TournamentKind::Swiss { rounds } = self.description.kind else {
            return self.play_fixtures(self.fixtures(), jobs, matches, of);
        };
        let mut met = Vec::new();
        for round in 1..=rounds {
            let playing = self.played_players();
            let ranking = ranking(&self.names, matches).into_iter().map(|player| player.index);
            let ranking: Vec<usize> = ranking.filter(|player| playing.contains(player)).collect();
            let pairs = fixtures::pairs(&ranking, &met);
            self.play_fixtures(fixtures::of_pairs(&pairs, self.games.len(), round), jobs, matches, of)?;
            if self.interrupt.load(Ordering::Relaxed) {
                break;
            }
            met.extend(pairs);
        }
        Ok(())
    }

    fn play_fixtures(
        &self,
        fixtures: Vec<Fixture>,
        jobs: usize,
        matches: &mut Vec<PlayedMatch>,
        of: u64,
    ) -> Result<(), Failure> {
        let mut results: Vec<Option<PlayedMatch>> = Vec::new();
        let mut left = Vec::new();
        for (index, fixture) in fixtures.into_iter().enumerate() {
            let kept = self.kept(&fixture)?;
            if kept.is_none() {
                left.push((index, fixture));
            }
            results.push(kept);
        }
        let before = (matches.len() + results.len() - left.len()) as u64;
        let progress = Arc::new(Mutex::new(before));
        let shown = progress.clone();
        let text = move || Some(format!("{} of {of} matches (Ctrl-C stops; the same command goes on)", locked(&shown)));
        let line = ProgressLine::start(text);
        left.reverse();
        let waiting = Mutex::new(Waiting { fixtures: left, busy: BTreeSet::new() });
        let is_free = Condvar::new();
        let played = threads::work_off(
            jobs,
            || self.play_next(&waiting, &is_free),
            |incoming| {
                for (index, result) in incoming {
                    let result = result?;
                    *locked(&progress) += u64::from(result.is_some());
                    results[index] = result;
                }
                Ok(())
            },
        );
        drop(line);
        matches.extend(results.into_iter().flatten());
        played
    }

    /// Plays the next match whose players are free, and keeps its record; `None` after the last one. The result is `None`
    /// after an interrupt.
    fn play_next(
        &self,
        waiting: &Mutex<Waiting>,
        is_free: &Condvar,
    ) -> Option<(usize, Result<Option<PlayedMatch>, Failure>)> {
        let mut held = locked(waiting);
        let (index, fixture) = loop {
            if self.interrupt.load(Ordering::Relaxed) || held.fixtures.is_empty() {
                return None;
            }
            let Waiting { fixtures, busy } = &*held;
            let fits = |(_, fixture): &(usize, Fixture)| !fixture.seats.iter().any(|player| busy.contains(player));
            if let Some(next) = fixtures.iter().rposition(fits) {
                break held.fixtures.remove(next);
            }
            held = is_free.wait(held).unwrap_or_else(PoisonError::into_inner);
        };
        // A player of this process can play several matches at a time.
        let remote = fixture.seats.iter().copied().filter(|&player| self.description.players[player].is_remote());
        let remote: Vec<usize> = remote.collect();
        held.busy.extend(&remote);
        drop(held);
        let result = self.play_one(&fixture);
        let mut held = locked(waiting);
        held.busy.retain(|player| !remote.contains(player));
        if result.is_err() {
            // After an error no further match begins.
            held.fixtures.clear();
        }
        drop(held);
        is_free.notify_all();
        Some((index, result))
    }

    /// Plays a match and keeps its record; `None` after an interrupt.
    fn play_one(&self, fixture: &Fixture) -> Result<Option<PlayedMatch>, Failure> {
        let id = self.id(fixture);
        let Some(mut record) = self.record(fixture, &id)? else { return Ok(None) };
        let TournamentGame { roles, .. } = &self.games[fixture.game];
        for (role, &player) in roles.iter().zip(&fixture.seats) {
            record.player_names_from_host[role.index()] = self.names[player].clone();
        }
        let path = self.record_path(&id);
        files::write(&path, record.to_json()? + "\n").with_context(|| format!("cannot write {}", path.display()))?;
        Ok(Some(PlayedMatch::of_record(id, fixture, roles, record)))
    }

    /// The record of a match: if players do not take part, it has no moves, and names them by a fault at the start.
    fn record(&self, fixture: &Fixture, id: &str) -> Result<Option<MatchRecord>, Failure> {
        let TournamentGame { game, roles } = &self.games[fixture.game];
        let TournamentDescription { clocks, grace, wait, seed, .. } = &self.description;
        let mut hasher = FxHasher::default();
        (seed, id).hash(&mut hasher);
        let seed = hasher.finish();
        let mut reasons = vec![None; game.roles().len()];
        let mut seats: Vec<Seat> = Vec::new();
        let deadline = Deadline::after(*wait);
        for ((seed, role), &player) in player_seeds(seed).zip(roles).zip(&fixture.seats) {
            let EntrantPlayer::Known(known) = &self.description.players[player].player else {
                bail!("{} plays in a browser", self.names[player]);
            };
            // Who was absent the last time is asked, and not waited for.
            let was_absent = locked(&self.absent).contains_key(&player);
            let deadline = if was_absent { Deadline::after(Duration::ZERO) } else { deadline };
            match known.seat(seed, *grace, deadline, &self.interrupt)? {
                Ok(seat) => {
                    locked(&self.absent).remove(&player);
                    seats.push(seat);
                }
                Err(_) if self.interrupt.load(Ordering::Relaxed) => return Ok(None),
                Err(problem) => reasons[role.index()] = Some((player, problem.to_string())),
            }
        }
        if reasons.iter().all(Option::is_none) {
            let arena = Arena {
                match_id: id.to_string(),
                game: game.clone(),
                clocks: *clocks,
                seed,
                needs_all: true,
                longest: Arena::LONGEST,
                interrupt: self.interrupt.clone(),
            };
            match arena.play(&mut seats) {
                Ok(record) => return Ok(Some(record)),
                Err(MatchError::Interrupted(_)) => {
                    hear_of_the_end(&mut seats);
                    return Ok(None);
                }
                Err(MatchError::Absent { player, fault }) => {
                    hear_of_the_end(&mut seats);
                    let seat = seats.iter().position(|seat| seat.name() == player).unwrap_or(0);
                    reasons[roles[seat].index()] = Some((fixture.seats[seat], fault.to_string()));
                }
                Err(error) => return Err(Failure::from(error).context(id.to_string())),
            }
        }
        let mut reasoner = game.fork_engine();
        let names = vec![CHANCE.to_string(); reasoner.roles().len()];
        let mut empty = MatchRecord::new(id, &game.name, reasoner.roles(), names, *clocks);
        let initial = reasoner.initial_state()?;
        let facts: Vec<GroundTerm> = reasoner.facts(&initial);
        empty.push_state(&facts, SystemTime::now());
        let is_absent: Vec<bool> = reasons.iter().map(Option::is_some).collect();
        locked(&self.absent).extend(reasons.into_iter().flatten());
        Ok(Some(default_record(empty, &is_absent)))
    }

    /// The result of a match that has a record already.
    ///
    /// # Errors
    /// If the record is not that of this match.
    fn kept(&self, fixture: &Fixture) -> Result<Option<PlayedMatch>, Failure> {
        let id = self.id(fixture);
        let path = self.record_path(&id);
        if !path.exists() {
            return Ok(None);
        }
        let at =
            || format!("{}: this is not the record of the match; remove it, or choose other --results", path.display());
        let text = self.engine.input().read(&path).with_context(at)?;
        let record =
            MatchRecord::read_all(&text[..]).next().context("the file is empty").with_context(at)?.with_context(at)?;
        let TournamentGame { game, roles } = &self.games[fixture.game];
        let clocks = &self.description.clocks;
        let has_clocks =
            (record.start_clock, record.play_clock) == (clocks.start.as_secs_f64(), clocks.play.as_secs_f64());
        if record.match_id != id || !has_clocks {
            let played = format!(
                "{}, with {} s to start and {} s a move",
                record.match_id, record.start_clock, record.play_clock
            );
            return Err(anyhow!("it is {played}").context(at()));
        }
        verify(&mut game.fork_engine(), &record).with_context(at)?;
        Ok(Some(PlayedMatch::of_record(id, fixture, roles, record)))
    }

    /// The identifier of a match: the game, the players in the order of the seats, and a number.
    fn id(&self, fixture: &Fixture) -> String {
        let game = self.games[fixture.game].word();
        let players: Vec<&str> = fixture.seats.iter().map(|&player| self.names[player].as_str()).collect();
        format!("{game}.{}.{}", players.join("."), fixture.number)
    }

    fn record_path(&self, id: &str) -> PathBuf {
        self.records.join(format!("{id}.json"))
    }
}
