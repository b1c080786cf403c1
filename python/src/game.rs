//! A loaded game, as the Python class `ggp.Game` extends it.

use crate::calls::Signals;
use crate::failure::{Failure, as_json};
use crate::function::Raised;
use crate::matches::{self, Named};
use crate::neural::NeuralNetwork;
use crate::numbers::{Count, Seed, refuse_truth_values};
use crate::shared::Shared;
use crate::state::State;
use ggp::board::Planes;
use ggp::diagnostic::render::Paint;
use ggp::engine::lanes::Request;
use ggp::engine::simulate::simulate;
use ggp::engine::{EngineKind, LIBRARY};
use ggp::repl::{Answer, CommandCall, render};
use ggp::syntax::Dialect;
use ggp::{EngineState, GroundTerm, Reasoner, Role};
use pyo3::prelude::*;
use pyo3::types::{PyDict, PyString};
use std::path::PathBuf;
use std::sync::Arc;

/// The names of the games of the library, with a sentence about each.
#[pyfunction]
pub(crate) fn library() -> Vec<(&'static str, &'static str)> {
    LIBRARY.iter().map(|sheet| (sheet.name, sheet.summary())).collect()
}

/// A loaded game: what `ggp.Game` is made of.
#[pyclass(frozen, subclass, weakref, module = "ggp._ggp")]
pub(crate) struct RawGame {
    pub(crate) shared: Arc<Shared>,
}

/// A role of a game, by name or by index.
pub(crate) enum RoleName {
    Index(usize),
    Name(String),
}

impl<'py> FromPyObject<'_, 'py> for RoleName {
    type Error = PyErr;

    fn extract(given: Borrowed<'_, 'py, PyAny>) -> PyResult<Self> {
        match given.cast::<PyString>() {
            Ok(name) => Ok(Self::Name(name.to_cow()?.into_owned())),
            Err(_) => {
                refuse_truth_values(&given, "a role")?;
                Ok(Self::Index(given.extract()?))
            }
        }
    }
}

impl RawGame {
    /// The role with a name or an index.
    pub(crate) fn role(&self, role: &RoleName) -> Result<Role, Failure> {
        match role {
            RoleName::Name(name) => self.shared.role(name),
            &RoleName::Index(index) if index < self.shared.roles.len() => Ok(Role::new(index)),
            RoleName::Index(index) => {
                let roles = self.shared.roles.len();
                Err(Failure::usage(format!("there is no role {index}: {} has {roles}", self.shared.name)))
            }
        }
    }
}

/// The facts of a position, and whether legal play reaches it.
type Position = (Vec<GroundTerm>, bool);

fn borrowed(position: Option<&Position>) -> Option<(&[GroundTerm], bool)> {
    position.map(|(facts, is_reached)| (&facts[..], *is_reached))
}

impl RawGame {
    /// The answer of a command as JSON and as text, and its warnings.
    fn answer(
        &self,
        py: Python<'_>,
        ask: impl FnOnce() -> Result<Answer, Failure> + Send,
    ) -> PyResult<(String, String, Vec<String>)> {
        let answered = self.shared.signals.on_thread(py, || {
            let answer = ask()?;
            let json = serde_json::to_string(&answer).map_err(|error| Failure::other(error.to_string()))?;
            Ok((json, render::text(&answer, Paint::Plain, Dialect::Infix), answer.warnings().to_vec()))
        })?;
        self.shared.warn(py)?;
        Ok(answered)
    }
}

#[pymethods]
impl RawGame {
    #[new]
    #[pyo3(signature = (name, text=None, *, engine="auto"))]
    fn new(py: Python<'_>, name: &str, text: Option<String>, engine: &str) -> PyResult<Self> {
        let kind: EngineKind = engine.parse().map_err(|error| Failure::usage(format!("{error}")))?;
        let signals = Signals::default();
        let shared = signals.on_thread(py, || Shared::load(name, text, kind, signals.clone()))?;
        Ok(Self { shared: Arc::new(shared) })
    }

    /// The name of the game: that of the library, or that of the file without its extension.
    #[getter]
    fn name(&self) -> &str {
        &self.shared.name
    }

    /// The text of the rule sheet.
    #[getter]
    fn rules(&self) -> &str {
        &self.shared.text
    }

    /// The engine that was asked for: `auto`, `propnet` or `interpreter`.
    #[getter]
    fn engine(&self) -> &'static str {
        self.shared.kind.name()
    }

    /// The names of the roles, in the order of joint moves.
    #[getter]
    fn roles(&self) -> Vec<String> {
        texts(&self.shared.roles)
    }

    /// The greatest and the least utility of the game.
    #[getter]
    pub(crate) fn utility_range(&self, py: Python<'_>) -> PyResult<(f64, f64)> {
        self.shared.signals.inline(py, || {
            self.shared.game(|game| {
                let range = game.interpreter.utility_range();
                Ok((range.least.to_f64(), range.most.to_f64()))
            })
        })
    }

    /// Stops the search of this game that is running in another thread, which raises `Interrupted`.
    fn interrupt(&self) {
        self.shared.signals.interrupt();
    }

    /// The initial state.
    fn initial(slf: Bound<'_, Self>) -> PyResult<State> {
        let py = slf.py();
        let state = State::initial(slf.clone().unbind(), py)?;
        slf.get().shared.warn(py)?;
        Ok(state)
    }

    /// The state in which exactly these facts hold. All roles know it, unless `known` is false.
    #[pyo3(signature = (facts, *, reached=false, known=true))]
    fn state(slf: Bound<'_, Self>, facts: Vec<String>, reached: bool, known: bool) -> PyResult<State> {
        let shared = slf.get().shared.clone();
        let state = shared.signals.on_thread(slf.py(), || {
            let facts = facts.iter().map(|fact| term(fact)).collect::<Result<Vec<_>, _>>()?;
            shared.engines(|engines| engines.state(&facts, reached))
        })?;
        Ok(State::restored(slf.unbind(), state, reached, known))
    }

    /// The moves of a role by number, in canonical order.
    fn actions(&self, py: Python<'_>, role: RoleName) -> PyResult<Vec<String>> {
        self.shared.signals.on_thread(py, || {
            let role = self.role(&role)?;
            Ok(texts(&self.shared.network()?.moves[role.index()]))
        })
    }

    /// The text of a move by its number.
    fn action_to_term(&self, py: Python<'_>, role: RoleName, action: i64) -> PyResult<String> {
        self.shared.signals.inline(py, || {
            let role = self.role(&role)?;
            let network = self.shared.network()?;
            let moves = &network.moves[role.index()];
            let found = usize::try_from(action).ok().and_then(|action| moves.get(action));
            let name = &self.shared.roles[role.index()];
            found.map(ToString::to_string).ok_or_else(|| {
                Failure::usage(format!(
                    "{name} has no action {action}: its actions are 0 to {}",
                    moves.len().saturating_sub(1)
                ))
            })
        })
    }

    /// The number of a move, in infix or prefix.
    fn term_to_action(&self, py: Python<'_>, role: RoleName, text: &str) -> PyResult<u32> {
        self.shared.signals.inline(py, || {
            let role = self.role(&role)?;
            let term = term(text)?;
            let name = &self.shared.roles[role.index()];
            let number = self.shared.network()?.number(role, &term);
            number.ok_or_else(|| Failure::usage(format!("`{term}` is no move of {name} in any state")))
        })
    }

    /// The facts that can hold, in canonical order.
    #[getter]
    fn fluents(&self, py: Python<'_>) -> PyResult<Vec<String>> {
        self.shared.signals.on_thread(py, || Ok(texts(&self.shared.network()?.fluents)))
    }

    /// A number for the list of fluents.
    #[getter]
    fn fingerprint(&self, py: Python<'_>) -> PyResult<u64> {
        self.shared.signals.on_thread(py, || Ok(self.shared.network()?.fingerprint))
    }

    /// The engine that plays, and why it is not the network, if it is not.
    #[getter]
    fn engine_in_use(&self, py: Python<'_>) -> PyResult<(&'static str, Option<String>)> {
        self.shared.signals.on_thread(py, || {
            let kind = self.shared.engines(|engines| Ok(engines.own.kind()))?;
            self.shared.game(|game| Ok((kind.name(), game.why_no_propnet().map(str::to_string))))
        })
    }

    /// Does nothing if the state is one of this game, or of another one with the same rules.
    ///
    /// # Errors
    /// `UsageError` if the state is of another game.
    fn check_state(&self, state: &Bound<'_, State>) -> PyResult<()> {
        Ok(self.shared.check_owner(state.get().shared())?)
    }

    /// The network of a file of `ggp train`, or of a folder of such files, that has learned this game.
    fn net(&self, py: Python<'_>, file: PathBuf) -> PyResult<NeuralNetwork> {
        self.shared.signals.on_thread(py, || NeuralNetwork::read(&self.shared, &file))
    }

    /// Answers lines of the prompt one after another, beginning in a state: the answer to the last, as JSON and
    /// as text, and its warnings.
    #[pyo3(signature = (lines, state=None))]
    fn command(
        &self,
        py: Python<'_>,
        lines: Vec<String>,
        state: Option<Bound<'_, State>>,
    ) -> PyResult<(String, String, Vec<String>)> {
        let position = state.map(|state| state.get().position_in(py, &self.shared)).transpose()?;
        self.answer(py, || self.shared.command(borrowed(position.as_ref()), &lines))
    }

    /// Answers a command with these values of options, beginning in a state, as [`RawGame::command`] answers lines.
    #[pyo3(signature = (name, operand, options, state=None))]
    fn call(
        &self,
        py: Python<'_>,
        name: String,
        operand: String,
        options: Vec<(String, Vec<String>)>,
        state: Option<Bound<'_, State>>,
    ) -> PyResult<(String, String, Vec<String>)> {
        let position = state.map(|state| state.get().position_in(py, &self.shared)).transpose()?;
        let call = CommandCall { name, operand, options };
        self.answer(py, || self.shared.call(borrowed(position.as_ref()), &call))
    }

    /// The problems of the rule sheet, and those that some random games find, as JSON.
    #[pyo3(signature = (games=Count(0), seed=Seed(0)))]
    fn problems(&self, py: Python<'_>, games: Count<u64>, seed: Seed) -> PyResult<Vec<String>> {
        self.shared.signals.on_thread(py, || {
            self.shared.game(|game| {
                let mut found = game.diagnostics.clone();
                if games.0 > 0 {
                    found.extend(simulate(game, games.0, seed.0).map_err(|error| Failure::other(error.to_string()))?);
                }
                Ok(as_json(&game.source, &found))
            })
        })
    }

    /// The planes of the board: their names, the rows, the columns, and for each fluent the first of its entries and
    /// their number. `None` without a board.
    #[expect(clippy::type_complexity, reason = "the Python class makes a dataclass of it")]
    fn planes(&self, py: Python<'_>) -> PyResult<Option<(Vec<String>, Vec<String>, Vec<String>, Vec<(usize, usize)>)>> {
        self.shared.signals.on_thread(py, || {
            let network = self.shared.network()?;
            self.shared.game(|game| {
                let planes = Planes::from_game(game, &network.fluents);
                let planes = planes.map_err(|error| Failure::from(ggp::AskError::from(error)))?;
                Ok(planes.map(|Planes { names, rows, columns, entries }| {
                    (names, rows, columns, entries.into_iter().map(|entries| (entries.start, entries.len())).collect())
                }))
            })
        })
    }

    /// The names of the variables of a query, and its rows.
    #[pyo3(signature = (text, state=None))]
    fn rows(
        &self,
        py: Python<'_>,
        text: &str,
        state: Option<Bound<'_, State>>,
    ) -> PyResult<(Vec<String>, Vec<Vec<String>>)> {
        let position = state.map(|state| state.get().position_in(py, &self.shared)).transpose()?;
        self.shared.signals.on_thread(py, || {
            let facts = position.as_ref().map(|(facts, _)| facts.as_slice());
            self.shared.interpreter(facts, |game, state| {
                let found = game.query(state, text)?;
                let rows = found.rows.iter().map(|row| texts(row)).collect();
                Ok((found.variables.iter().map(ToString::to_string).collect(), rows))
            })
        })
    }

    /// The network as plain numbers, in a dictionary.
    fn circuit<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyDict>> {
        let circuit = self
            .shared
            .signals
            .on_thread(py, || self.shared.propnet(|propnet| Ok(propnet.fork().program().plain_circuit())))?;
        let dictionary = PyDict::new(py);
        dictionary.set_item("bits", circuit.bits)?;
        dictionary.set_item("moves", circuit.moves)?;
        dictionary.set_item("conjunctions", circuit.conjunctions)?;
        dictionary.set_item("ends", circuit.ends)?;
        dictionary.set_item("inputs", circuit.inputs)?;
        dictionary.set_item("cycles", circuit.cycles)?;
        dictionary.set_item("initial", circuit.initial)?;
        dictionary.set_item("fluents", circuit.fluents)?;
        dictionary.set_item("next", circuit.next)?;
        dictionary.set_item("legal", circuit.legal)?;
        dictionary.set_item("goals", circuit.goals)?;
        dictionary.set_item("terminal", circuit.terminal)?;
        Ok(dictionary)
    }

    /// The reason for which a literal holds in a state, or does not.
    #[pyo3(signature = (text, state=None))]
    fn why(&self, py: Python<'_>, text: &str, state: Option<Bound<'_, State>>) -> PyResult<String> {
        let position = state.map(|state| state.get().position_in(py, &self.shared)).transpose()?;
        self.shared.signals.on_thread(py, || {
            let facts = position.as_ref().map(|(facts, _)| facts.as_slice());
            self.shared.interpreter(facts, |game, state| Ok(game.why(state, text)?.to_string()))
        })
    }

    /// Plays matches between players of the library and functions, those of a series with numbers from `first` on: the
    /// standings and the matches, as JSON.
    #[pyo3(signature = (players, *, first, games, start_clock, play_clock, seed, swap, jobs, hidden=true))]
    #[expect(clippy::too_many_arguments, reason = "the Python class passes its settings")]
    fn matches(
        slf: Bound<'_, Self>,
        players: Vec<Named>,
        first: Count<u64>,
        games: Count<u64>,
        start_clock: f64,
        play_clock: f64,
        seed: Seed,
        swap: bool,
        jobs: Count<usize>,
        hidden: bool,
    ) -> PyResult<String> {
        let (Count(jobs), Seed(seed)) = (jobs, seed);
        let games = first.0..first.0.saturating_add(games.0);
        check_threads("jobs", jobs)?;
        let py = slf.py();
        let signals = slf.get().shared.signals.clone();
        let request = matches::Request { players, games, start_clock, play_clock, seed, swap, jobs, hidden };
        let game = slf.unbind();
        let raised = Raised::new(signals.flag());
        let played = signals.on_thread(py, || matches::play(&game, &request, &raised));
        game.get().shared.warn(py)?;
        raised.take().map_or(played, Err)
    }

    /// Plays random games in lanes, from a state, or one of several parts of them: the number of games, of moves, of games
    /// that were too long and of games without a move, and for each role the numbers of games by utility.
    #[pyo3(signature = (games, state=None, *, seed=Seed(0), threads=Count(1), longest=Count(5000), part=(0, 1)))]
    #[expect(clippy::type_complexity, reason = "the Python class makes a dataclass of it")]
    #[expect(clippy::too_many_arguments, reason = "the Python class passes its settings")]
    fn playouts(
        &self,
        py: Python<'_>,
        games: Count<u64>,
        state: Option<Bound<'_, State>>,
        seed: Seed,
        threads: Count<usize>,
        longest: Count<u32>,
        part: (u64, u64),
    ) -> PyResult<(u64, u64, u64, u64, Vec<Vec<(f64, u64)>>, Vec<(u32, u64)>)> {
        check_threads("threads", threads.0)?;
        let position = state.map(|state| state.get().position_in(py, &self.shared)).transpose()?;
        let signals = &self.shared.signals;
        signals.on_thread(py, || {
            let request =
                Request::playouts(games.0).with_part(part.0, part.1).with_seed(seed.0).with_threads(threads.0);
            let request = request.with_longest(longest.0).with_interrupt(signals.flag());
            let outcomes = match &position {
                Some((facts, false)) => self.shared.interpreter(Some(facts), |game, state| {
                    let state = game.state_from_facts(&game.facts(state))?;
                    let (_, state) = game.engine_at(&state)?;
                    Ok(game.lanes()?.playouts(&state, &request))
                })?,
                position => {
                    let mut lanes = self.shared.lanes()?;
                    let state = self.shared.engines(|engines| match position {
                        Some((facts, _)) => engines.state(facts, true),
                        None => engines.initial(),
                    })?;
                    let EngineState::Propnet(state) = state else {
                        return Err(Failure::other("the state is not of the network"));
                    };
                    lanes.playouts(&state, &request)
                }
            };
            let utilities = |role: &ggp::engine::lanes::RoleOutcomes| {
                role.utilities.iter().map(|(utility, &games)| (utility.to_f64(), games)).collect()
            };
            let roles = outcomes.roles.iter().map(utilities).collect();
            let lengths = outcomes.lengths.iter().map(|(&plies, &games)| (plies, games)).collect();
            Ok((outcomes.playouts, outcomes.states, outcomes.unfinished, outcomes.stuck, roles, lengths))
        })
    }
}

/// The greatest number of threads that a call starts.
const MOST_THREADS: usize = 1024;

fn check_threads(name: &str, threads: usize) -> Result<(), Failure> {
    match (1..=MOST_THREADS).contains(&threads) {
        true => Ok(()),
        false => Err(Failure::usage(format!("{name} are from 1 to {MOST_THREADS}, not {threads}"))),
    }
}

/// The infix texts of terms.
pub(crate) fn texts(terms: &[GroundTerm]) -> Vec<String> {
    terms.iter().map(ToString::to_string).collect()
}

/// The term of a text in infix or prefix.
pub(crate) fn term(text: &str) -> Result<GroundTerm, Failure> {
    text.parse().map_err(|error| Failure::new("QueryError", format!("{error}")))
}
