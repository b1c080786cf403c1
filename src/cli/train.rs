//! `ggp train`: trains a neural network for a game by games against itself.

use super::arguments::{EngineArguments, output, source_of, write};
use super::match_::elo_text;
use super::{Failure, complete, interrupt_flag, load, set_up, warned_of_hidden_moves};
use crate::repl::console::Console;
use crate::repl::render;
use crate::repl::terminal::{Terminal, with_progress_line};
use anyhow::{Context, bail};
use gdl::number::to_index;
use gdl::quantity::{Seconds, Size, counted, counted_as};
use ggp_engine::{Engine, EngineState, Game};
use ggp_game::Reasoner;
use ggp_game::files::{OutputPath, is_standard};
use ggp_learn::{NeuralNetwork, Training, TrainingOptions, TrainingProgress};
use ggp_play::{PairedGames, read_network, train_network, training_symmetries};
use ggp_search::Trial;
use std::ffi::OsString;
use std::path::{Path, PathBuf};
use std::sync::atomic::Ordering;
use std::thread;
use std::time::{Duration, Instant};

/// Train a neural network for a game, by games against itself
///
/// `ggp train breakthrough_6x6 --minutes 10 --out breakthrough.net` plays games of the network against itself and learns
/// from them; `ggp match breakthrough_6x6 growing:net=breakthrough.net growing` plays with it. Every minute it writes the
/// file, and says how well the network predicts games that it has not learned from and, in games of two players, how
/// strong it is: its Elo against the network at the start and against plain `mcts`, each with 100 visits for a move.
/// Ctrl-C ends it and keeps what was learned; with a file that is there, it goes on from that.
#[derive(clap::Args)]
pub(super) struct Arguments {
    /// A game of the library, or a file
    #[arg(add = complete::game())]
    game: OsString,
    /// Minutes to train
    #[arg(long, value_name = "N", default_value = "10", value_parser = minutes)]
    minutes: Duration,
    /// The file to write, and to go on from if it is there [default: GAME.net]
    #[arg(long, value_name = "FILE")]
    out: Option<PathBuf>,
    /// Seconds between two reports, with which the file is written
    #[arg(long, value_name = "SECONDS", default_value_t = Seconds::new(60), value_parser = Seconds::positive)]
    every: Seconds,
    /// Play no matches for the reports, which otherwise take a tenth of the time
    #[arg(long)]
    no_matches: bool,
    /// Stop after this number of games
    #[arg(long, value_name = "N")]
    games: Option<u64>,
    /// Number of games to play at a time; by default one for each processor
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u16).range(1..=1024))]
    jobs: Option<u16>,
    /// The seed of all random choices; with --games and one job, the same seed gives the same network
    #[arg(long, value_name = "N", default_value_t = 0)]
    seed: u64,
    /// Remember states of at most this size in all (K, M or G; MiB without a letter)
    #[arg(long, value_name = "SIZE", default_value_t = Size::mebibytes(512))]
    memory: Size,
    #[command(flatten)]
    engine: EngineArguments,
}

/// A time that is given in minutes.
fn minutes(text: &str) -> Result<Duration, String> {
    let minutes: f64 = text.parse().map_err(|_| "it is not a number of minutes".to_string())?;
    if !(minutes > 0.0 && minutes <= 1e6) {
        return Err("it is not a number of minutes from 0 to a million".to_string());
    }
    Ok(Duration::from_secs_f64(60.0 * minutes))
}

impl Arguments {
    pub(super) fn run(self, console: &mut Terminal) -> Result<u8, Failure> {
        let interrupt = interrupt_flag()?;
        let options = self.engine.options().with_interrupt(interrupt.clone());
        let mut game = load(&self.game, options)?;
        let engine = set_up(&mut game, console)?;
        let start = engine.initial_state()?;
        let engine = engine.fork();
        warned_of_hidden_moves(&game, console)?;
        let path = self.out.clone().unwrap_or_else(|| PathBuf::from(format!("{}.net", game.name)));
        if is_standard(&path) {
            bail!("a network is written every minute, so standard output cannot take it: name a file with --out");
        }
        let mut network = match path.exists() {
            true => self.known(&path, &game)?,
            false => NeuralNetwork::new(&engine, &engine.winning_lines(), game.source.text(), self.seed),
        };
        // The trained network replaces the file that it comes from.
        let output = output(&path, true, source_of(&self.game))?;
        let jobs = match self.jobs {
            Some(jobs) => jobs.into(),
            None => thread::available_parallelism().map_or(1, usize::from),
        };
        let symmetries = training_symmetries(&game, game.limits())?;
        let training = TrainingOptions {
            jobs,
            seed: self.seed,
            time: Some(self.minutes),
            games: self.games,
            memory: self.memory.bytes(),
            symmetries,
            interrupt: interrupt.clone(),
        };
        let matches = if self.no_matches { None } else { Matches::new(&network, &engine, &start, &training) };
        let reports = Reports { every: self.every.duration(), output: &output, matches };
        let progress = train(&mut network, &engine, &start, &training, reports, console)?;
        if network.games() == 0 {
            console.talk(&render::headline(
                &"no game has ended within the limits, so nothing was learned",
                console.paint(),
            ))?;
            return Ok(if interrupt.load(Ordering::Relaxed) { 130 } else { 3 });
        }
        save(&network, &output)?;
        console.answer(&summary(&network, &progress, &path))?;
        Ok(if interrupt.load(Ordering::Relaxed) { 130 } else { 0 })
    }

    /// The network of a file, for this game.
    fn known(&self, path: &Path, game: &Game) -> Result<NeuralNetwork, Failure> {
        let network = read_network(path)?;
        let fits = network.for_rules(&game.rules, game.interpreter.roles());
        fits.with_context(|| format!("{} has learned another game; name another file with --out", path.display()))
    }
}

/// The reports about training, with each of which the file is written.
struct Reports<'r> {
    /// The time between two of them.
    every: Duration,
    output: &'r OutputPath,
    /// Games that show the strength of the network, if they are wanted and the game has two players.
    matches: Option<Matches>,
}

/// Games of the network against the one with which training began and against plain `mcts`, and between two searches with it.
struct Matches {
    games: PairedGames,
    first: NeuralNetwork,
    /// The time that they have taken.
    spent: Duration,
    /// The time that matches between two searches with the network have taken, beside those.
    tried: Duration,
}

impl Matches {
    /// The part of the time that they take: one in this many; and the part of those between two searches, and the least time
    /// for some of these.
    const PART: u32 = 15;
    const TRIAL_PART: u32 = 30;
    const LEAST_TRIAL: Duration = Duration::from_secs(2);

    fn new(network: &NeuralNetwork, engine: &Engine, start: &EngineState, options: &TrainingOptions) -> Option<Self> {
        let games = PairedGames::new(engine, start, options.seed, &options.interrupt)?;
        Some(Self { games, first: network.snapshot(), spent: Duration::ZERO, tried: Duration::ZERO })
    }

    /// Plays games as long as their part of the time allows, and says what they show: `, +85 Elo (20 to 160) against
    /// mcts`. Nothing if earlier games have taken more than their part.
    fn text(&mut self, network: &NeuralNetwork, time: Duration) -> Result<String, Failure> {
        let left = (time / Self::PART).saturating_sub(self.spent);
        let begun = Instant::now();
        let network = network.snapshot();
        let mut text = String::new();
        let parts = [(Some(&self.first), "the start", left / 4), (None, "mcts", 3 * (left / 4))];
        for (other, name, share) in parts {
            let tally = self.games.play([Some(&network), other], share)?;
            if let Some(elo) = tally.elo() {
                text += &format!(
                    "; {} Elo against {name} in {}",
                    elo_text(elo),
                    counted_as(tally.games, "match", "matches")
                );
            }
        }
        self.spent += begun.elapsed();
        Ok(text)
    }

    /// Tries alpha-beta with the network against the tree that it guides, as long as their part of the time allows; `None`
    /// if there is too little time for a game, or if alpha-beta does not suit the game.
    fn try_alpha_beta(&mut self, network: &NeuralNetwork, time: Duration) -> Option<Trial> {
        let left = (time / Self::TRIAL_PART).saturating_sub(self.tried);
        if left < Self::LEAST_TRIAL {
            return None;
        }
        let begun = Instant::now();
        let trial = self.games.try_alpha_beta(&network.snapshot(), left);
        self.tried += begun.elapsed();
        trial.filter(|trial| trial.games > 0)
    }
}

/// Trains until a limit; now and then writes the network and tells how well it does.
fn train(
    network: &mut NeuralNetwork,
    engine: &Engine,
    start: &EngineState,
    options: &TrainingOptions,
    mut reports: Reports<'_>,
    console: &mut Terminal,
) -> Result<TrainingProgress, Failure> {
    let (tell, line) =
        with_progress_line(|progress: TrainingProgress| format!("{} s, {}", progress.time.as_secs(), work(&progress)));
    let mut saved = Instant::now();
    let mut failure = None;
    let mut training = Training::new(network, options);
    let progress = train_network(&mut training, engine, start, options, &mut |training, progress| {
        tell(*progress);
        if saved.elapsed() < reports.every {
            return true;
        }
        saved = Instant::now();
        failure = reports.report(training, progress, console).err();
        failure.is_none()
    })?;
    drop(line);
    match failure {
        Some(failure) => Err(failure),
        None => Ok(progress),
    }
}

/// The file is written completely or not at all, so that an interrupt loses nothing.
fn save(network: &NeuralNetwork, output: &OutputPath) -> Result<(), Failure> {
    write(output, network.to_json()? + "\n")
}

impl Reports<'_> {
    /// Writes the file, and a line about the state of training.
    fn report(
        &mut self,
        training: &mut Training<'_>,
        progress: &TrainingProgress,
        console: &mut Terminal,
    ) -> Result<(), Failure> {
        let trial = self.matches.as_mut().and_then(|matches| matches.try_alpha_beta(training.network(), progress.time));
        let trial = trial.map_or_else(String::new, |Trial { games, points }| {
            training.note_alpha_beta(games, points);
            format!("; alpha-beta has {points} of {} against the tree", number(games.into(), "point"))
        });
        save(training.network(), self.output)?;
        let TrainingProgress { games, time, .. } = *progress;
        let losses = training.losses().map_or_else(String::new, |losses| {
            format!("; loss on games held out: {:.3} of values, {:.3} of moves", losses.values, losses.priors)
        });
        let matches = self.matches.as_mut().map(|matches| matches.text(training.network(), time)).transpose()?;
        let matches = matches.unwrap_or_default();
        // Short runs report more than once in a minute.
        let time = match time.as_secs() {
            seconds @ 0..60 => format!("{seconds} s"),
            _ => format!("{:.0} min", time.as_secs_f64() / 60.0),
        };
        Ok(console.talk(&format!("{time}: {}{losses}{matches}{trial}\n", number(games, "game")))?)
    }
}

/// The result, in a line.
fn summary(network: &NeuralNetwork, progress: &TrainingProgress, path: &Path) -> String {
    let (facts, moves) = network.sizes();
    let seconds = progress.time.as_secs_f64();
    format!(
        "{}: {} in {seconds:.0} s; {} and {} known; {} in all\n",
        path.display(),
        work(progress),
        counted(facts, "fact"),
        counted(moves, "move"),
        number(network.games(), "game"),
    )
}

/// The games, states and steps of a run.
fn work(progress: &TrainingProgress) -> String {
    let TrainingProgress { games, states, steps, .. } = *progress;
    [number(games, "game"), number(states, "state"), number(steps, "step")].join(", ")
}

fn number(count: u64, word: &str) -> String {
    counted(to_index(count), word)
}
