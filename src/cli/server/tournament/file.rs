//! The file of a tournament: `SETTING = VALUE` on each line, and `player NAME = ADDRESS` for each player.
//!
//! ```text
//! % The tournament of a class.
//! kind = all
//! games = tic_tac_toe, connect_four
//! start clock = 10
//! play clock = 5
//!
//! player alice = localhost:9147
//! player bob = localhost:9148
//! ```
//!
//! A comment begins with `%`. A mistake is reported with its line and column.

use super::super::MatchPlayer;
use crate::cli::Failure;
use crate::repl::CommandError;
use anyhow::Context;
use gdl::quantity::{Seconds, counted_as};
use gdl::settings::{SettingLine, SettingMistake, TextPart, settings};
use gdl::source::{Source, Span};
use gdl::suggestion::near_or_all;
use ggp_game::files::InputLimit;
use ggp_play::Clocks;
use std::path::{Path, PathBuf};
use std::time::Duration;

/// What a file says of a tournament.
pub(super) struct TournamentDescription {
    source: Source,
    pub(super) kind: TournamentKind,
    /// The games in the order of the file: names of the library, or files.
    pub(super) games: Vec<(String, Span)>,
    pub(super) players: Vec<Entrant>,
    /// The number of matches for each arrangement of players in a game.
    pub(super) matches: u64,
    pub(super) clocks: Clocks,
    /// The time that an answer of a player on another machine may arrive after its clock.
    pub(super) grace: Duration,
    /// The time to wait before a match for players that are busy or cannot be reached.
    pub(super) wait: Duration,
    pub(super) seed: u64,
    /// The file with results of matches between pages of Stanford's course.
    pub(super) pages: Option<(PathBuf, Span)>,
}

/// Who meets whom.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum TournamentKind {
    /// Every player meets every other one.
    All,
    /// In each round, players with about as many points meet who have not met before.
    Swiss { rounds: u64 },
    /// Every player meets one of them, by its index.
    Ours { ours: usize },
}

/// A player of the tournament.
pub(super) struct Entrant {
    pub(super) name: String,
    pub(super) player: EntrantPlayer,
}

/// Where a player plays.
pub(super) enum EntrantPlayer {
    /// In this process, or behind an address.
    Known(MatchPlayer),
    /// In a browser: ggp does not play its matches, their results are read from a file.
    Page,
}

/// The settings of a file; players have lines of their own.
const SETTINGS: [&str; 10] =
    ["kind", "rounds", "ours", "games", "matches", "start clock", "play clock", "grace", "wait", "seed"];
/// The setting that names results of pages.
const PAGES: &str = "pages";
/// The begin of a line for a player, and the value for one that plays in a browser.
const PLAYER: &str = "player";
const PAGE: &str = "page";

/// A number of seconds.
fn seconds(part: TextPart<'_>) -> Result<Duration, SettingMistake> {
    part.read("a number of seconds").map(Seconds::duration)
}

impl TournamentDescription {
    /// Reads a file.
    ///
    /// # Errors
    /// If it cannot be read, or is not the description of a tournament.
    pub(super) fn read(path: &Path, limit: InputLimit) -> Result<Self, Failure> {
        let text = limit.read_text(path).with_context(|| format!("cannot read {}", path.display()))?;
        let source = Source::new(path.display().to_string(), text);
        Self::parse(&source).map_err(|mistake| mistyped(&source, mistake).into())
    }

    /// The name of the file.
    pub(super) fn file(&self) -> &str {
        self.source.name()
    }

    /// The error for a part of the file that turns out to be wrong later.
    pub(super) fn wrong(&self, span: Span, problem: impl Into<String>) -> Failure {
        mistyped(&self.source, SettingMistake { span, problem: problem.into(), help: None }).into()
    }

    fn parse(source: &Source) -> Result<Self, SettingMistake> {
        let mut lines = Lines::default();
        for line in settings(source, "`SETTING = VALUE` or `player NAME = ADDRESS`")? {
            lines.add(line)?;
        }
        lines.description(source)
    }
}

fn mistyped(source: &Source, SettingMistake { span, problem, help }: SettingMistake) -> CommandError {
    CommandError::Mistyped { text: source.clone(), span, problem, help }
}

/// The lines of a file that have been read.
#[derive(Default)]
struct Lines<'t> {
    settings: Vec<(TextPart<'t>, TextPart<'t>)>,
    players: Vec<(TextPart<'t>, TextPart<'t>)>,
}

impl<'t> Lines<'t> {
    fn add(&mut self, SettingLine { key, value }: SettingLine<'t>) -> Result<(), SettingMistake> {
        if let Some(name) = key.text.strip_prefix(PLAYER).filter(|rest| rest.starts_with(char::is_whitespace)) {
            let name = TextPart { text: name, start: key.start + PLAYER.len() }.trimmed();
            self.players.push((name, value));
            return Ok(());
        }
        if key.text == PLAYER {
            return Err(key.mistake("a player needs a name: `player NAME = ADDRESS`"));
        }
        let known: Vec<&str> = SETTINGS.into_iter().chain([PAGES, PLAYER]).collect();
        if !known.contains(&key.text) {
            let help = Some(near_or_all(key.text, &known));
            return Err(SettingMistake { help, ..key.mistake(format!("there is no setting `{}`", key.text)) });
        }
        let is_list = key.text == "games";
        if let Some((first, _)) = self.settings.iter().find(|(other, _)| other.text == key.text && !is_list) {
            let problem = format!("`{}` is set a second time", first.text);
            return Err(key.mistake(problem));
        }
        self.settings.push((key, value));
        Ok(())
    }

    fn setting(&self, key: &str) -> Option<TextPart<'t>> {
        self.settings.iter().find(|(name, _)| name.text == key).map(|(_, value)| *value)
    }

    fn seconds(&self, key: &str, otherwise: u64) -> Result<Duration, SettingMistake> {
        self.setting(key).map_or(Ok(Duration::from_secs(otherwise)), seconds)
    }

    fn description(&self, source: &Source) -> Result<TournamentDescription, SettingMistake> {
        let players = self.entrants()?;
        let games = self.games()?;
        let end = TextPart::end_of(source.text());
        if games.is_empty() {
            return Err(end.mistake("the file names no game: a line `games = tic_tac_toe` is missing"));
        }
        if players.len() < 2 {
            return Err(end.mistake("a tournament needs two players or more: lines `player NAME = ADDRESS`"));
        }
        let pages = self.setting(PAGES);
        if let (Some((name, _)), None) = (self.players.iter().find(|(_, value)| value.text == PAGE), pages) {
            let problem = format!("`{}` plays in a browser: a line `pages = FILE` has to name its results", name.text);
            return Err(name.mistake(problem));
        }
        let clocks = Clocks { start: self.seconds("start clock", 30)?, play: self.seconds("play clock", 10)? };
        Ok(TournamentDescription {
            source: source.clone(),
            kind: self.kind(&players)?,
            games,
            players,
            matches: self.setting("matches").map_or(Ok(1), TextPart::count)?,
            clocks,
            grace: self.seconds("grace", 1)?,
            // A player that was late in its last match may still think about that move.
            wait: self.seconds("wait", 10 + clocks.play.as_secs())?,
            seed: self.setting("seed").map_or(Ok(0), |seed| seed.read("a whole number"))?,
            pages: pages.map(|file| (PathBuf::from(file.text), file.span())),
        })
    }

    fn kind(&self, players: &[Entrant]) -> Result<TournamentKind, SettingMistake> {
        const KINDS: [&str; 3] = ["all", "swiss", "ours"];
        let kind = self.setting("kind");
        let name = kind.map_or(KINDS[0], |kind| kind.text);
        // A setting that the kind does not use is a misunderstanding.
        for (setting, of) in [("rounds", "swiss"), ("ours", "ours")] {
            if let Some(value) = self.setting(setting).filter(|_| name != of) {
                return Err(value.mistake(format!("`{setting}` is for `kind = {of}`")));
            }
        }
        if let Some(value) = self.setting("matches").filter(|_| name == "swiss") {
            return Err(value.mistake("a Swiss tournament has `rounds` instead of `matches`"));
        }
        match (name, kind) {
            ("all", _) => Ok(TournamentKind::All),
            ("swiss", Some(kind)) => {
                let rounds = self.setting("rounds").ok_or_else(|| kind.mistake("`rounds = N` is missing"))?;
                let number = rounds.count()?;
                // Up to then there are always pairs of players who have not met (Dirac's theorem).
                let most = players.iter().filter(|entrant| entrant.is_played()).count() as u64 / 2;
                if number > most {
                    let problem =
                        format!("half as many as players are possible: {}", counted_as(most, "round", "rounds"));
                    return Err(rounds.mistake(problem));
                }
                Ok(TournamentKind::Swiss { rounds: number })
            }
            ("ours", Some(kind)) => {
                let ours = self.setting("ours").ok_or_else(|| kind.mistake("`ours = NAME` is missing"))?;
                let names: Vec<&str> = players.iter().map(|entrant| entrant.name.as_str()).collect();
                let index = names.iter().position(|name| *name == ours.text).ok_or_else(|| SettingMistake {
                    help: Some(near_or_all(ours.text, &names)),
                    ..ours.mistake(format!("there is no player `{}`", ours.text))
                })?;
                Ok(TournamentKind::Ours { ours: index })
            }
            (_, kind) => {
                let kind = kind.unwrap_or(TextPart { text: name, start: 0 });
                let help = Some(near_or_all(name, &KINDS));
                Err(SettingMistake { help, ..kind.mistake(format!("there is no kind `{name}` of tournaments")) })
            }
        }
    }

    fn games(&self) -> Result<Vec<(String, Span)>, SettingMistake> {
        let mut games: Vec<(String, Span)> = Vec::new();
        for (_, list) in self.settings.iter().filter(|(key, _)| key.text == "games") {
            for game in list.listed() {
                if game.text.is_empty() {
                    return Err(list.mistake("there is an empty name between the commas"));
                }
                if games.iter().any(|(other, _)| other == game.text) {
                    return Err(game.mistake(format!("`{}` is named a second time", game.text)));
                }
                games.push((game.text.to_string(), game.span()));
            }
        }
        Ok(games)
    }

    fn entrants(&self) -> Result<Vec<Entrant>, SettingMistake> {
        let mut entrants: Vec<Entrant> = Vec::new();
        let mut addresses: Vec<String> = Vec::new();
        for &(name, value) in &self.players {
            let is_word = name.text.chars().all(|c| c.is_ascii_alphanumeric() || "_-".contains(c));
            if !is_word {
                let problem = "the name of a player is a word of letters, digits, `_` and `-`";
                return Err(name.mistake(problem));
            }
            if entrants.iter().any(|entrant| entrant.name == name.text) {
                return Err(name.mistake(format!("there is a player `{}` already", name.text)));
            }
            let player = match value.text {
                PAGE => EntrantPlayer::Page,
                text => EntrantPlayer::Known(text.parse().map_err(|problem: String| value.mistake(problem))?),
            };
            if let EntrantPlayer::Known(player @ MatchPlayer::Remote(_)) = &player {
                let address = player.to_string();
                if addresses.contains(&address) {
                    return Err(value.mistake(format!("another player listens on {address}")));
                }
                addresses.push(address);
            }
            entrants.push(Entrant { name: name.text.to_string(), player });
        }
        Ok(entrants)
    }
}

impl Entrant {
    /// True if this program plays the matches of the player.
    pub(super) fn is_played(&self) -> bool {
        matches!(self.player, EntrantPlayer::Known(_))
    }
}
