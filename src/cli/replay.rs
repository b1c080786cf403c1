//! `ggp replay`: compares recorded games with an engine.

use super::arguments::{EngineArguments, OutputArguments, source_of, write};
use super::{Failure, interrupt_flag, load, set_up};
use crate::repl::command::replay::{WatchAnswer, film};
use crate::repl::console::{Console, play};
use crate::repl::error::reason_code;
use crate::repl::session::{RecordedMatch, record};
use crate::repl::terminal::Terminal;
use crate::repl::{Answer, Session, render};
use anyhow::{Context, bail};
use gdl::quantity::{Seconds, counted_as};
use gdl::syntax::Dialect;
use ggp_draw as drawing;
use ggp_draw::Film;
use ggp_draw::board::Setting;
use ggp_engine as engine;
use ggp_engine::{EngineOptions, Game};
use ggp_game::files::OutputPath;
use ggp_game::{Move, Reasoner, Utility};
use ggp_play::{MatchRecord, RecordError, RecordSummary, VerifyError, read_term, verify};
use serde::Serialize;
use std::ffi::{OsStr, OsString};
use std::path::PathBuf;

/// Replay a recorded game and compare every state with an engine
///
/// A trace is compared line by line; if the engine differs, the first difference is shown and the exit code is 1.
/// Records of matches (`ggp match --record`, `ggp serve`, matches saved at the prompt, and those of public archives)
/// are verified: moves must be legal, states and goal values those of the rules.
#[derive(clap::Args)]
pub(super) struct Arguments {
    /// A trace, one JSON object on each line, or records of matches; `-` reads standard input
    trace: PathBuf,
    /// The rule sheet; not needed for records of games of the library
    #[arg(long, value_name = "FILE")]
    rules: Option<OsString>,
    #[command(flatten)]
    engine: EngineArguments,
    /// Draw the first match of the records as an SVG picture that plays by itself
    #[arg(long, value_name = "FILE")]
    svg: Option<PathBuf>,
    /// Draw it as a page with buttons to play, step and change the speed
    #[arg(long, value_name = "FILE")]
    html: Option<PathBuf>,
    /// Draw it as an SVG picture with all frames side by side
    #[arg(long, value_name = "FILE")]
    sheet: Option<PathBuf>,
    #[command(flatten)]
    writing: OutputArguments,
    /// Draw the positions of each match: one at a time on a terminal, else one below the other; with --json an object
    /// for each
    #[arg(long)]
    watch: bool,
    /// Seconds between the positions of --watch [default: 0.5 on a terminal, else 0]
    #[arg(long, value_name = "SECONDS", requires = "watch")]
    delay: Option<Seconds>,
    /// Print one JSON object
    #[arg(long)]
    json: bool,
}

/// Function that draws a film in one of its forms.
type FilmDrawer = fn(&Film) -> String;

/// The initial state and the joint moves of a record.
fn line<R: Reasoner>(reasoner: &mut R, record: &MatchRecord) -> Result<(R::State, Vec<Vec<Move>>), Failure> {
    let mut line = Vec::new();
    for joint_move in &record.moves {
        let terms = joint_move.iter().map(|text| read_term(text)).collect::<Result<Vec<_>, _>>()?;
        line.push(terms.iter().map(|term| reasoner.find_move(term)).collect::<Result<Vec<_>, _>>()?);
    }
    Ok((reasoner.initial_state()?, line))
}

/// The result of verifying a record.
#[derive(Serialize)]
#[serde(rename_all = "snake_case")]
enum RecordVerdict {
    Verified(RecordSummary),
    Refused { match_id: String, problem: String },
}

impl Arguments {
    pub(super) fn run(self, console: &mut Terminal) -> Result<u8, Failure> {
        let options = self.engine.options().with_interrupt(interrupt_flag()?);
        let name = self.trace.display().to_string();
        // Files that may not be written are an error before any work.
        self.films()?;
        let text = options.input.read(&self.trace).with_context(|| format!("cannot read {name}"))?;
        if MatchRecord::is_one(&text[..]) {
            let records = MatchRecord::read_all(&text[..]);
            return self.verify(&name, self.rules.as_deref(), records, options, console);
        }
        if let Some((record, rules)) = saved(&name, &text, &options)? {
            let rules = self.rules.clone().unwrap_or_else(|| rules.into());
            return self.verify(&name, Some(rules.as_os_str()), [Ok(record)], options, console);
        }
        let Some(rules) = &self.rules else { bail!("{name} is a trace, and a trace needs `--rules FILE`") };
        let mut game = load(rules, options)?;
        let engine = set_up(&mut game, console)?;
        let replayed = engine::replay(engine, &text[..]).with_context(|| name.clone())?;
        if self.json {
            console.answer(&(serde_json::to_string(&replayed)? + "\n"))?;
        } else {
            let text = match &replayed.difference {
                None => format!("{} states and {} joint moves agree", replayed.states, replayed.transitions),
                Some(difference) => difference.to_string(),
            };
            console.answer(&format!("{name}: {text}\n"))?;
        }
        Ok(replayed.difference.is_some().into())
    }

    /// Draws the positions of a match one after another.
    fn show(&self, game: &mut Game, record: &MatchRecord, console: &mut Terminal) -> Result<(), Failure> {
        let setting = Setting::from_game(game)?;
        let interrupt = interrupt_flag()?;
        let (first, line) = line(&mut game.interpreter, record)?;
        let watched = WatchAnswer::new(&mut game.interpreter, &setting, &first, &line, self.delay)?;
        if !self.json {
            return Ok(play(console, &watched, Dialect::Infix, interrupt)?);
        }
        for position in watched.positions {
            console.answer(&render::json(&Answer::new(position)))?;
        }
        Ok(())
    }

    /// The files for the films that are wanted, each with the function that draws its form.
    fn films(&self) -> Result<Vec<(OutputPath, FilmDrawer)>, Failure> {
        let wanted: [(&Option<PathBuf>, FilmDrawer); 3] =
            [(&self.svg, drawing::film), (&self.html, drawing::page), (&self.sheet, drawing::contact_sheet)];
        let rules = self.rules.as_deref().and_then(source_of);
        let sources = || [self.trace.clone()].into_iter().chain(rules.clone());
        let films = wanted.into_iter().filter_map(|(file, draw)| Some((file.as_ref()?, draw)));
        films.map(|(file, draw)| Ok((self.writing.output(file, sources())?, draw))).collect()
    }

    /// Writes the requested films of a match.
    fn draw(&self, game: &mut Game, record: &MatchRecord, console: &mut Terminal) -> Result<(), Failure> {
        let wanted = self.films()?;
        if wanted.is_empty() {
            return Ok(());
        }
        let setting = Setting::from_game(game)?;
        let reasoner = &mut game.interpreter;
        let (first, line) = line(reasoner, record)?;
        let players = record.player_names_from_host.join(", ");
        let title = if players.is_empty() { game.name.clone() } else { format!("{}: {players}", game.name) };
        let film = film(reasoner, &setting, title, &first, &line)?;
        for (output, draw) in wanted {
            write(&output, draw(&film))?;
            let frames = counted_as(film.frames.len() as u64, "frame", "frames");
            console.answer(&format!("{output}: {frames}\n"))?;
        }
        Ok(())
    }

    /// Verifies records, and shows or draws those that hold. The exit code is 1 if one is refused.
    fn verify(
        &self,
        name: &str,
        rules: Option<&OsStr>,
        records: impl IntoIterator<Item = Result<MatchRecord, RecordError>>,
        options: EngineOptions,
        console: &mut Terminal,
    ) -> Result<u8, Failure> {
        let mut game: Option<(OsString, Game)> = None;
        let mut code = 0;
        let mut is_drawn = false;
        for record in records {
            let record = record.with_context(|| name.to_string())?;
            let rules = rules.unwrap_or(OsStr::new(&record.game_name));
            if rules.is_empty() {
                bail!("{name}: the record of {} does not name its game: `--rules FILE` does", record.match_id);
            }
            if game.as_ref().is_none_or(|(loaded, _)| loaded != rules) {
                let loaded = load(rules, options.clone())?;
                game = Some((rules.to_os_string(), loaded));
            }
            let Some((_, game)) = &mut game else { continue };
            let engine = set_up(game, console)?;
            let verdict = match verify(engine, &record) {
                Ok(verified) => {
                    if self.watch {
                        self.show(game, &record, console)?;
                    }
                    // Only the first match that holds is drawn.
                    if !std::mem::replace(&mut is_drawn, true) {
                        self.draw(game, &record, console)?;
                    }
                    RecordVerdict::Verified(verified)
                }
                Err(VerifyError::Reason(error)) => {
                    let code = reason_code(&error);
                    console.talk(&format!("{name}: {}: {error}\n", record.match_id))?;
                    return Ok(code);
                }
                Err(problem) => RecordVerdict::Refused { match_id: record.match_id, problem: problem.to_string() },
            };
            code = code.max(matches!(verdict, RecordVerdict::Refused { .. }).into());
            let text = if self.json { serde_json::to_string(&verdict)? } else { format!("{name}: {verdict}") };
            console.answer(&(text + "\n"))?;
        }
        Ok(code)
    }
}

/// The record of a session that was saved at the prompt, and the name or the file of its game; `None` if the text is no
/// saved session.
fn saved(name: &str, text: &[u8], options: &EngineOptions) -> Result<Option<(MatchRecord, String)>, Failure> {
    let recorded = std::str::from_utf8(text).ok().and_then(|text| RecordedMatch::read(text).ok());
    let Some((recorded, rules)) = recorded.and_then(|recorded| Some((recorded.clone(), recorded.source?))) else {
        return Ok(None);
    };
    let mut session = Session::new("", interrupt_flag()?).with_engine(options.clone());
    session.resume(name, &recorded)?;
    Ok(Some((record(&mut session, Vec::new())?, rules)))
}

impl std::fmt::Display for RecordVerdict {
    fn fmt(&self, formatter: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        match self {
            Self::Refused { match_id, problem } => write!(formatter, "{match_id}: {problem}"),
            Self::Verified(RecordSummary { match_id, states, moves, goal_values }) => {
                write!(formatter, "{match_id}: {states} states and {moves} joint moves hold")?;
                if goal_values.is_empty() {
                    return formatter.write_str(", and the match was not played to its end");
                }
                let show = |value: &Option<Utility>| value.map_or("none".to_string(), |value| value.to_string());
                let values: Vec<String> = goal_values.iter().map(show).collect();
                write!(formatter, ", goals {}", values.join(" "))
            }
        }
    }
}
