//! Neural networks that have learned a game: their training, and what they expect in a state.

use crate::failure::Failure;
use crate::game::{RawGame, RoleName};
use crate::numbers::{Count, Seed};
use crate::shared::Shared;
use crate::state::State;
use ggp::quantity::Size;
use ggp::{Engine, EngineState, ReasonError, Reasoner, Role};
use ggp_game::files::OutputPath;
use ggp_learn::{NeuralGuide, Training, TrainingOptions};
use ggp_play::ask::network::{FoundNetwork, find_network};
use ggp_play::{NetworkReadError, train_network, training_symmetries};
use ggp_search::TreeGuide;
use pyo3::prelude::*;
use pyo3::types::PyDict;
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::thread;
use std::time::{Duration, Instant};

/// A neural network that has learned a game (`ggp train`, `Game.train`): what it expects in a state. Made by `Game.net`.
#[pyclass(frozen, module = "ggp")]
pub(crate) struct NeuralNetwork {
    shared: Arc<Shared>,
    guide: NeuralGuide,
    games: u64,
    file: PathBuf,
}

impl NeuralNetwork {
    /// The network of a file or a folder, for a game.
    ///
    /// # Errors
    /// If there is none for this game.
    pub(crate) fn read(shared: &Arc<Shared>, path: &Path) -> Result<Self, Failure> {
        let FoundNetwork { file, network } = shared.game(|game| Ok(find_network(path, game)?))?;
        Ok(Self { shared: Arc::clone(shared), guide: network.guide(), games: network.games(), file })
    }

    /// Asks in a state, in which the game may not be over. The engine of the state numbers facts and moves in its own
    /// way, so the guide begins anew.
    fn ask<T: Send>(
        &self,
        py: Python<'_>,
        state: &Bound<'_, State>,
        question: impl FnOnce(&mut NeuralGuide, &mut Engine, &EngineState) -> Result<T, Failure> + Send,
    ) -> PyResult<T> {
        let state = state.get().engine_state_in(py, &self.shared)?;
        let mut guide = self.guide.for_other_engine();
        self.shared.signals.inline(py, || {
            self.shared.engines(|engines| {
                let engine = engines.of(&state);
                if engine.is_terminal(&state)? {
                    return Err(Failure::new("GameOver", "the game is over: `goals` has the utilities"));
                }
                question(&mut guide, engine, &state)
            })
        })
    }
}

#[pymethods]
impl NeuralNetwork {
    /// The number of games from which it has learned.
    #[getter]
    fn games(&self) -> u64 {
        self.games
    }

    /// The file from which it was read.
    #[getter]
    fn file(&self) -> &Path {
        &self.file
    }

    /// The utility that each role except `random` can expect in a state, from the least to the greatest of the game.
    fn value<'py>(&self, py: Python<'py>, state: &Bound<'py, State>) -> PyResult<Bound<'py, PyDict>> {
        let utilities = self.ask(py, state, |guide, engine, state| {
            let mut utilities = Vec::new();
            guide.utilities(engine, state, &mut utilities);
            Ok(utilities)
        })?;
        let expected = PyDict::new(py);
        for role in Role::players(&self.shared.roles) {
            expected.set_item(self.shared.roles[role.index()].to_string(), utilities[role.index()])?;
        }
        Ok(expected)
    }

    /// The probability that it gives each legal move of a role in a state; their sum is 1.
    fn priors<'py>(&self, py: Python<'py>, state: &Bound<'py, State>, role: RoleName) -> PyResult<Bound<'py, PyDict>> {
        let role = state.get().role(&role)?;
        if Some(role.index()) == self.shared.random {
            return Err(Failure::usage("`random` draws its moves, so they have no priors").into());
        }
        let moves = self.ask(py, state, |guide, engine, state| {
            let mut moves = Vec::new();
            engine.legal_moves(state, role, &mut moves)?;
            let mut priors = Vec::new();
            guide.priors(engine, state, role, &moves, &mut priors);
            Ok(moves.iter().map(|&chosen| engine.move_term(chosen).to_string()).zip(priors).collect::<Vec<_>>())
        })?;
        let priors = PyDict::new(py);
        moves.into_iter().try_for_each(|(chosen, prior)| priors.set_item(chosen, prior))?;
        Ok(priors)
    }

    fn __repr__(&self) -> String {
        format!("<network of {}: {} games>", self.shared.name, self.games)
    }
}

/// The time between two writings of the file.
const BETWEEN_FILES: Duration = Duration::from_secs(60);

/// Trains the network of a file, or a new one, and writes it.
#[pyfunction]
#[pyo3(signature = (game, out, *, minutes, games, jobs, seed, memory))]
#[expect(clippy::too_many_arguments, reason = "the Python class passes its settings")]
pub(crate) fn train(
    py: Python<'_>,
    game: &Bound<'_, RawGame>,
    out: PathBuf,
    minutes: Option<f64>,
    games: Option<Count<u64>>,
    jobs: Option<Count<usize>>,
    seed: Seed,
    memory: &str,
) -> PyResult<()> {
    let shared = &game.get().shared;
    let memory: Size = memory.parse().map_err(|_| Failure::usage(format!("`{memory}` is not a size such as 500M")))?;
    let time = minutes.map(|minutes| Duration::try_from_secs_f64(60.0 * minutes)).transpose();
    let time = time.map_err(|_| Failure::usage("`minutes` is not a number of minutes"))?;
    let options = TrainingOptions {
        jobs: jobs.map_or_else(|| thread::available_parallelism().map_or(1, usize::from), |jobs| jobs.0),
        seed: seed.0,
        time,
        games: games.map(|games| games.0),
        memory: memory.bytes(),
        interrupt: shared.signals.flag(),
        ..TrainingOptions::default()
    };
    shared.signals.on_thread(py, || train_file(shared, &out, options))?;
    shared.warn(py)
}

fn train_file(shared: &Shared, out: &Path, options: TrainingOptions) -> Result<(), Failure> {
    let mut game = shared.copy()?;
    let engine = game.engine()?.fork();
    let start = engine.fork().initial_state()?;
    let mut network = match out.exists() {
        true if out.is_dir() => return Err(Failure::usage(format!("{} is a folder", out.display()))),
        true => find_network(out, &game)?.network,
        false => ggp_learn::NeuralNetwork::new(&engine, &engine.winning_lines(), shared.text.clone(), options.seed),
    };
    let output = OutputPath::new(out).forced(true);
    let write = |network: &ggp_learn::NeuralNetwork| {
        let text = network.to_json().map_err(|error| Failure::other(error.to_string()))?;
        output.write(text + "\n").map_err(|error| Failure::other(format!("{}: {error}", out.display())))
    };
    let options = TrainingOptions { symmetries: training_symmetries(&game, game.limits())?, ..options };
    let mut written = Instant::now();
    let mut failure = None;
    let mut report = |training: &Training<'_>| {
        if written.elapsed() >= BETWEEN_FILES {
            written = Instant::now();
            failure = write(training.network()).err();
        }
        failure.is_none()
    };
    let mut training = Training::new(&mut network, &options);
    let trained = train_network(&mut training, &engine, &start, &options, &mut |training, _| report(training));
    trained.map_err(ggp::repl::CommandError::from)?;
    match failure {
        Some(failure) => Err(failure),
        // What was learned before an interrupt is kept.
        None if network.games() > 0 => write(&network),
        None if options.interrupt.load(std::sync::atomic::Ordering::Relaxed) => {
            Err(ReasonError::Stopped(ggp::limits::Stop::Interrupted).into())
        }
        None => Err(Failure::new("LimitReached", "no game has ended within the limits, so nothing was learned")),
    }
}

impl From<NetworkReadError> for Failure {
    fn from(error: NetworkReadError) -> Self {
        match error {
            NetworkReadError::File { .. } => Self::new("NotFound", error.to_string()),
            _ => Self::usage(error.to_string()),
        }
    }
}
