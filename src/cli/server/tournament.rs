//! `ggp server --tournament`: the matches of a class, from a file that names players and games.
//!
//! The results are in a folder: a record for each match, and tables and reports, which are written anew each time. A match
//! with a record is not played again, so a tournament that was stopped goes on when it is called again.

mod file;
mod fixtures;
mod page;
mod report;
mod result;
mod review;
mod standings;

use super::{hear_of_the_end, interrupted_by_signals};
use crate::cli::arguments::{EngineArguments, Log};
use crate::cli::{Failure, set_up, warned_of_hidden_moves};
use crate::repl::console::Console;
use crate::repl::terminal::{ProgressLine, Terminal};
use anyhow::{Context, bail};
use file::{Description, Entrant, EntrantPlayer, Kind};
use fixtures::Fixture;
use gdl::quantity::counted_as;
use gdl::rules::GroundTerm;
use ggp_engine::{self as engine, Game, LoadError};
use ggp_game::{Reasoner, Role, files, threads};
use ggp_play::{Arena, Deadline, MatchError, MatchRecord, PlayerSpec, Seat, verify};
use report::{ReviewedMatch, report};
use result::{PageResult, PlayedMatch, default_record};
use review::Review;
use rustc_hash::FxHasher;
use serde::Serialize;
use standings::{Standings, match_csv, ranking};
use std::collections::{BTreeMap, BTreeSet};
use std::fs;
use std::hash::{Hash, Hasher};
use std::path::{Path, PathBuf};
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Arc, Condvar, Mutex, MutexGuard, PoisonError, mpsc};
use std::thread;
use std::time::SystemTime;

/// What the command line says of a tournament.
pub(super) struct Options {
    /// The file that describes it.
    pub(super) file: PathBuf,
    /// The folder of its results, if not that beside the file.
    pub(super) results: Option<PathBuf>,
    /// The number of matches that are played at a time.
    pub(super) jobs: usize,
    /// The number of nodes for each exact value of the reports; 0 for reports without them.
    pub(super) review_nodes: u64,
    pub(super) is_json: bool,
    pub(super) log: Log,
    pub(super) engine: EngineArguments,
}

/// A game of a tournament, with the roles of its players.
struct TournamentGame {
    game: Arc<Game>,
    roles: Vec<Role>,
}

/// A tournament whose games are loaded.
struct Tournament {
    description: Description,
    games: Vec<TournamentGame>,
    names: Vec<String>,
    /// The folder of records.
    records: PathBuf,
    interrupt: Arc<AtomicBool>,
    engine: EngineArguments,
    /// Why players did not take part when they were last asked.
    absent: Mutex<BTreeMap<usize, String>>,
}

/// Fixtures that wait to be played, and the players of those that are.
struct Waiting {
    /// With their indices, the last one first.
    fixtures: Vec<(usize, Fixture)>,
    busy: BTreeSet<usize>,
}

/// The results as JSON.
#[derive(Serialize)]
struct TournamentAnswer<'a> {
    file: String,
    results: String,
    played: u64,
    of: u64,
    #[serde(flatten)]
    standings: &'a Standings,
}

/// Plays what is left of a tournament, and writes its tables and reports.
pub(super) fn run(options: Options, console: &mut Terminal) -> Result<u8, Failure> {
    let interrupt = interrupted_by_signals()?;
    options.log.start();
    let folder = match &options.results {
        Some(folder) => folder.clone(),
        None if files::is_standard(&options.file) => bail!("`--results DIR` is needed if FILE is standard input"),
        None => options.file.with_extension("results"),
    };
    let description = Description::read(&options.file, options.engine.input())?;
    let mut tournament = Tournament::new(description, &folder, options.engine, interrupt, &options.file, console)?;
    let mut matches = tournament.page_results()?;
    let is_foreign =
        fs::read_dir(&folder).is_ok_and(|mut entries| entries.next().is_some()) && !tournament.records.is_dir();
    if is_foreign {
        bail!("{}: this is not the folder of a tournament, and it is not empty", folder.display());
    }
    for part in ["matches", "reports"] {
        let part = folder.join(part);
        fs::create_dir_all(&part).with_context(|| format!("cannot create {}", part.display()))?;
    }
    let of = tournament.count() + matches.len() as u64;
    tournament.play(options.jobs, &mut matches, of)?;
    let is_interrupted = tournament.interrupt.load(Ordering::Relaxed);
    let standings = Standings::new(&tournament.names, &matches);
    let played = matches.len() as u64;
    let title = options.file.file_stem().unwrap_or_default().to_string_lossy().into_owned();
    let state = tournament.state(played, of);
    let write = |name: &str, text: String| {
        let path = folder.join(name);
        files::write(&path, text).with_context(|| format!("cannot write {}", path.display()))
    };
    let tables = standings.text();
    write("table.txt", format!("{title}: {state}\n{tables}"))?;
    write("table.csv", standings.csv())?;
    write("matches.csv", match_csv(&tournament.names, &matches))?;
    write("index.html", page::page(&title, &state, &standings))?;
    let (reviews, limits) = tournament.reviews(&matches, options.review_nodes)?;
    let reviewed: Vec<ReviewedMatch<'_>> = matches
        .iter()
        .zip(&reviews)
        .map(|(played, review)| ReviewedMatch { played, review: review.as_ref() })
        .collect();
    for player in standings.players() {
        let text = report(player.index, &tournament.names, &reviewed, &limits);
        write(&format!("reports/{}.txt", player.player), text)?;
    }
    let (file, results) = (options.file.display().to_string(), folder.display().to_string());
    console.answer(&if options.is_json {
        serde_json::to_string(&TournamentAnswer { file, results, played, of, standings: &standings })? + "\n"
    } else {
        let notes: String = tournament.notes(&matches)?.into_iter().map(|note| note + "\n").collect();
        format!("{title}: {state}\n{tables}{notes}records, tables and a report for each player: {results}\n")
    })?;
    Ok(if is_interrupted { 130 } else { 0 })
}

impl Tournament {
    fn new(
        description: Description,
        folder: &Path,
        engine: EngineArguments,
        interrupt: Arc<AtomicBool>,
        file: &Path,
        console: &mut Terminal,
    ) -> Result<Self, Failure> {
        let names = description.players.iter().map(|entrant| entrant.name.clone()).collect();
        let records = folder.join("matches");
        let mut tournament =
            Self { description, games: Vec::new(), names, records, interrupt, engine, absent: Mutex::default() };
        let beside = file.parent().unwrap_or(Path::new(""));
        for index in 0..tournament.description.games.len() {
            let game = tournament.load(index, beside, console)?;
            tournament.games.push(game);
        }
        Ok(tournament)
    }

    /// Loads a game, and checks that it can be played here.
    fn load(&self, index: usize, beside: &Path, console: &mut Terminal) -> Result<TournamentGame, Failure> {
        let named = &self.description.games[index];
        let wrong = |problem: String| self.description.wrong(named.span, problem);
        let options = self.engine.options().with_interrupt(self.interrupt.clone());
        let mut game = match engine::load(&named.name, beside, options) {
            Ok(game) => game,
            // Problems of a sheet are shown in the sheet.
            Err(error @ LoadError::Rejected { .. }) => return Err(error.into()),
            Err(error) => return Err(wrong(error.to_string())),
        };
        let roles: Vec<Role> = Role::players(set_up(&mut game, console)?.roles()).collect();
        warned_of_hidden_moves(&game, console)?;
        let players = self.played_players();
        if roles.len() > players.len() && roles.len() > 1 {
            let roles = counted_as(roles.len() as u64, "role", "roles");
            return Err(wrong(format!("`{}` has {roles}, and {} of the players play here", game.name, players.len())));
        }
        match self.description.kind {
            Kind::Swiss { .. } if roles.len() != 2 => {
                let roles = counted_as(roles.len() as u64, "role", "roles");
                return Err(wrong(format!(
                    "`kind = swiss` is for games of two roles, and `{}` has {roles}",
                    game.name
                )));
            }
            Kind::Ours { ours } if roles.len() > 2 && self.description.players[ours].is_remote() => {
                let ours = &self.names[ours];
                return Err(wrong(format!("{ours} would need several seats in `{}`, and can take one", game.name)));
            }
            _ => {}
        }
        if self.games.iter().any(|other| other.game.name == game.name) {
            return Err(wrong(format!("there are two games called `{}`", game.name)));
        }
        for entrant in &self.description.players {
            if let Some(spec) = entrant.spec() {
                spec.check_database()?;
                spec.check_sheets(&game)?;
            }
        }
        Ok(TournamentGame { game: Arc::new(game), roles })
    }

    /// The players whose matches are played here, by their indices.
    fn played_players(&self) -> Vec<usize> {
        let players = self.description.players.iter().enumerate();
        players.filter(|(_, entrant)| entrant.is_played()).map(|(index, _)| index).collect()
    }

    /// The fixtures of a tournament that is no Swiss one.
    fn fixtures(&self) -> Vec<Fixture> {
        let seats: Vec<usize> = self.games.iter().map(|game| game.roles.len()).collect();
        fixtures::fixtures(self.description.kind, &seats, &self.played_players(), self.description.matches)
    }

    /// The number of matches that are played here.
    fn count(&self) -> u64 {
        match self.description.kind {
            Kind::Swiss { rounds } => {
                let pairs = self.played_players().len() / 2;
                rounds * (2 * pairs * self.games.len()) as u64
            }
            _ => self.fixtures().len() as u64,
        }
    }

    /// The kind, the games, the clocks, and how many matches have been played.
    fn state(&self, played: u64, of: u64) -> String {
        let Description { kind, clocks, .. } = &self.description;
        let kind = match kind {
            Kind::All => "all play all".to_string(),
            Kind::Swiss { rounds } => format!("Swiss, {}", counted_as(*rounds, "round", "rounds")),
            Kind::Ours { ours } => format!("against {}", self.names[*ours]),
        };
        let games: Vec<&str> = self.games.iter().map(|game| game.game.name.as_str()).collect();
        let [start, play] = [clocks.start, clocks.play].map(|clock| clock.as_secs_f64());
        format!("{kind}; {}; {start} s to start, {play} s a move; {played} of {of} matches", games.join(", "))
    }

    /// The results of matches between pages.
    fn page_results(&self) -> Result<Vec<PlayedMatch>, Failure> {
        let Some((path, span)) = &self.description.pages else { return Ok(Vec::new()) };
        let beside = Path::new(self.description.file()).parent().unwrap_or(Path::new(""));
        let text = self.engine.input().read_text(&files::below(beside, path));
        let text = text.map_err(|error| self.description.wrong(*span, format!("this file cannot be read: {error}")))?;
        let mut matches = Vec::new();
        for (number, line) in (1..).zip(text.lines()).filter(|(_, line)| !line.trim().is_empty()) {
            let at = || format!("{}:{number}", path.display());
            let result: PageResult = serde_json::from_str(line).with_context(at)?;
            let player = |name: &String| {
                let found = self.names.iter().position(|known| known == name);
                found.with_context(|| format!("{}: the tournament has no player `{name}`", at()))
            };
            let players = result.players.iter().map(player).collect::<Result<Vec<_>, _>>()?;
            matches.push(result.played(number, &players));
        }
        Ok(matches)
    }

    /// Plays all matches that have no record yet, until an interrupt. The results are in the order of the fixtures.
    fn play(&mut self, jobs: usize, matches: &mut Vec<PlayedMatch>, of: u64) -> Result<(), Failure> {
        let Kind::Swiss { rounds } = self.description.kind else {
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
        let (done, incoming) = mpsc::channel();
        let play_next = || self.play_next(&waiting, &is_free);
        let played: Result<(), Failure> = thread::scope(|scope| {
            let mut started = 0;
            for _ in 0..jobs.max(1) {
                let done = done.clone();
                let play_next = &play_next;
                let job = move || {
                    while let Some(result) = play_next() {
                        if done.send(result).is_err() {
                            break;
                        }
                    }
                };
                started += usize::from(threads::start_in(scope, job).is_ok());
            }
            drop(done);
            // If the system starts no thread, the matches are played here.
            let here = std::iter::from_fn(|| if started == 0 { play_next() } else { None });
            for (index, result) in incoming.into_iter().chain(here) {
                // After an error no further match begins.
                let result = result.inspect_err(|_| locked(&waiting).fixtures.clear())?;
                *locked(&progress) += u64::from(result.is_some());
                results[index] = result;
            }
            Ok(())
        });
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
        locked(waiting).busy.retain(|player| !remote.contains(player));
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
        let Description { clocks, grace, wait, seed, .. } = &self.description;
        let mut hasher = FxHasher::default();
        (seed, id).hash(&mut hasher);
        let seed = hasher.finish();
        let mut reasons = vec![None; game.roles().len()];
        let mut seats: Vec<Seat> = Vec::new();
        let deadline = Deadline::after(*wait);
        for ((seed, role), &player) in (seed..).zip(roles).zip(&fixture.seats) {
            let EntrantPlayer::Known(known) = &self.description.players[player].player else {
                bail!("{} plays in a browser", self.names[player]);
            };
            // Who was absent the last time is asked, and not waited for.
            let was_absent = locked(&self.absent).contains_key(&player);
            let deadline = if was_absent { Deadline::after(std::time::Duration::ZERO) } else { deadline };
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
        let names = vec![String::from("random"); reasoner.roles().len()];
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
            return Err(anyhow::anyhow!("it is {played}").context(at()));
        }
        verify(&mut game.fork_engine(), &record).with_context(at)?;
        Ok(Some(PlayedMatch::of_record(id, fixture, roles, record)))
    }

    /// The identifier of a match: the game, the players in the order of the seats, and a number.
    fn id(&self, fixture: &Fixture) -> String {
        let game = &self.games[fixture.game].game.name;
        // Identifiers are single words of messages and names of files.
        let game: String = game.chars().map(|c| if c.is_ascii_alphanumeric() { c } else { '_' }).collect();
        let players: Vec<&str> = fixture.seats.iter().map(|&player| self.names[player].as_str()).collect();
        format!("{game}.{}.{}", players.join("."), fixture.number)
    }

    fn record_path(&self, id: &str) -> PathBuf {
        self.records.join(format!("{id}.json"))
    }

    /// Reviews of the matches, in their order, and the limits of these in words.
    fn reviews(&self, matches: &[PlayedMatch], nodes: u64) -> Result<(Vec<Option<Review>>, String), Failure> {
        let none = || matches.iter().map(|_| None).collect();
        if nodes == 0 {
            return Ok((none(), "`--review-nodes` is 0".to_string()));
        }
        if self.interrupt.load(Ordering::Relaxed) {
            return Ok((none(), "the tournament was interrupted".to_string()));
        }
        let limits = review::Limits { nodes, interrupt: self.interrupt.clone() };
        let mut notes =
            format!("from the end of each match backwards, with {} for a value", counted_as(nodes, "node", "nodes"));
        let mut games: Vec<Option<Game>> = Vec::new();
        for TournamentGame { game, .. } in &self.games {
            let mut game = game.fork();
            let other = review::unexamined(&mut game, &limits).with_context(|| game.name.clone())?;
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
                (Some(game), Some(record)) if !played.is_default() => Some(review::review(game, record, &limits)),
                _ => None,
            };
            reviews.push(review.transpose().with_context(|| played.id.clone())?);
            *locked(&progress) += 1;
        }
        drop(line);
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

impl Entrant {
    /// True if the player plays one match at a time, behind an address.
    fn is_remote(&self) -> bool {
        matches!(self.player, EntrantPlayer::Known(super::MatchPlayer::Remote(_)))
    }

    /// The name and the options of a player of this process.
    fn spec(&self) -> Option<&PlayerSpec> {
        match &self.player {
            EntrantPlayer::Known(super::MatchPlayer::Local(spec)) => Some(spec),
            _ => None,
        }
    }
}

fn locked<T>(mutex: &Mutex<T>) -> MutexGuard<'_, T> {
    mutex.lock().unwrap_or_else(PoisonError::into_inner)
}
