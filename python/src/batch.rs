//! Many games that are stepped together, in arrays that the package allocates.
//!
//! The Python class `ggp.BatchEnv` owns the arrays and says what they hold; here they are checked and filled without
//! the interpreter lock.

use crate::arrays::{is_of, readable, to_bools, to_floats, writable};
use crate::calls::Signals;
use crate::failure::{Attribute, Failure};
use crate::game::{RawGame, RoleName};
use crate::memory;
use crate::network::Network;
use crate::numbers::{Count, Seed};
use crate::shared::Shared;
use crate::state::State;
use ggp::limits::{Limits, Stop};
use ggp::{EngineState, Reasoner, Role};
use ggp_engine::lanes::{AfterEnd, Lanes, LegalLists, StepError, SteppedGames};
use numpy::{Element, PyArray1};
use pyo3::prelude::*;
use std::sync::Arc;

/// Many games of one rule sheet: what `ggp.BatchEnv` is made of.
#[pyclass(module = "ggp._ggp")]
pub(crate) struct Games {
    game: Py<RawGame>,
    pub(crate) shared: Arc<Shared>,
    pub(crate) network: Arc<Network>,
    pub(crate) games: SteppedGames,
    /// For rollouts from the states; compiled when they are first asked for.
    lanes: Option<Lanes>,
    /// The roles whose moves the caller chooses, by index.
    players: Vec<usize>,
    /// The move of each role in each game of the next step.
    moves: Vec<u32>,
    /// The number of moves in each game since it began, counted if there is a longest one.
    lengths: Vec<u32>,
    /// The games that were cut off, as bits, until they begin again.
    cut_off: Vec<u64>,
    /// The facts of the states, if they have been written since the last step.
    facts: Vec<u64>,
    pub(crate) are_facts_known: bool,
    /// The bounds of the utilities.
    range: (f32, f32),
    /// For each entry of a row of planes, the fluents that stand for 1 there: as the first role sees it, and as the
    /// second does if observations are those of the role that moves.
    planes: Vec<Vec<Vec<usize>>>,
    /// Forms of what roles know.
    views: Vec<ViewForm>,
}

/// A form of what each player knows, as bits: the fluents that stand for 1 at each entry of a row.
struct ViewForm {
    size: usize,
    /// For each player, the fluents of each entry.
    players: Vec<Vec<Vec<usize>>>,
}

/// The action of a role whose game keeps its state in a step.
const HOLD: i128 = -1;

/// The number of an action, in an array of one of three types.
pub(crate) trait Action: Copy + Into<i128> + Sync {}

impl<T: Copy + Into<i128> + Sync> Action for T {}

/// Treatment of games that have ended, in a step.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Autoreset {
    Disabled,
    NextStep,
    SameStep,
}

/// A form of observations.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(crate) enum Observation {
    Bools,
    Floats,
    Planes,
}

/// Observations of all games, row after row.
pub(crate) enum Observed {
    Bools(Vec<bool>),
    Floats(Vec<f32>),
}

/// Options of a step.
struct Manner {
    autoreset: Autoreset,
    /// The number of moves after which a game is cut off.
    longest: Option<u32>,
    /// True if an illegal move loses the game, instead of being an error.
    illegal_loses: bool,
    is_scaled: bool,
}

/// The arrays to which a step writes its results.
struct Outcome<'a> {
    rewards: &'a mut [f32],
    terminations: &'a mut [bool],
    truncations: &'a mut [bool],
}

#[pymethods]
impl Games {
    #[new]
    #[pyo3(signature = (game, n, *, seed=Seed(0), random_role=true))]
    pub(crate) fn new(game: Bound<'_, RawGame>, n: Count<usize>, seed: Seed, random_role: bool) -> PyResult<Self> {
        let Count(n) = n;
        let Seed(seed) = seed;
        let py = game.py();
        let shared = game.get().shared.clone();
        let (network, games, range) = shared.signals.on_thread(py, || {
            let network = shared.network()?;
            let none = shared.propnet(|propnet| Ok(propnet.stepped_games(0, &Limits::none())?))?;
            let roles = shared.roles.len();
            let own = n.checked_mul((none.words_of_facts() + 1) * size_of::<u64>() + (roles + 1) * size_of::<u32>());
            let bytes = own.zip(none.bytes_of(n)).and_then(|(own, games)| own.checked_add(games));
            memory::check(&format!("a batch of {n} games of {}", shared.name), bytes)?;
            let mut games = none.fork(n);
            games.seed(seed);
            let range = shared.game(|game| Ok(ggp::Reasoner::utility_range(&game.interpreter)))?;
            Ok((network, games, (range.least.to_f32(), range.most.to_f32())))
        })?;
        let roles = shared.roles.len();
        let chance = if random_role { shared.random } else { None };
        let players = (0..roles).filter(|&role| Some(role) != chance).collect();
        let facts = vec![0; n * games.words_of_facts()];
        let moves = vec![0; n * roles];
        let lengths = vec![0; n];
        let game = game.unbind();
        Ok(Self {
            game,
            shared,
            network,
            games,
            lanes: None,
            players,
            moves,
            lengths,
            cut_off: vec![0; n.div_ceil(64)],
            facts,
            are_facts_known: false,
            range,
            planes: Vec::new(),
            views: Vec::new(),
        })
    }

    /// The indices of the roles whose moves the caller chooses.
    #[getter]
    fn players(&self) -> Vec<usize> {
        self.players.clone()
    }

    /// The number of fluents.
    #[getter]
    fn fluents(&self) -> usize {
        self.network.fluents.len()
    }

    /// The numbers of moves of the roles whose moves the caller chooses.
    #[getter]
    fn moves(&self) -> Vec<usize> {
        self.players.iter().map(|&role| self.games.moves(Role::new(role))).collect()
    }

    /// Begins the random choices of a seed.
    fn seed(&mut self, seed: Seed) {
        self.games.seed(seed.0);
    }

    /// Puts all games, or those of a mask, into the initial state.
    #[pyo3(signature = (mask=None))]
    fn reset(&mut self, py: Python<'_>, mask: Option<&Bound<'_, PyAny>>) -> PyResult<()> {
        let mask = mask.map(|mask| readable::<bool>(mask, "mask", &[self.games.len()])).transpose()?;
        let mask = mask.as_ref().map(|mask| mask.as_slice()).transpose()?;
        let signals = self.shared.signals.clone();
        signals.inline(py, || {
            self.are_facts_known = false;
            match mask {
                None => {
                    self.lengths.fill(0);
                    self.cut_off.fill(0);
                    self.games.restart_some(&vec![u64::MAX; self.games.len().div_ceil(64)]);
                }
                Some(mask) => {
                    self.lengths
                        .iter_mut()
                        .zip(mask)
                        .filter(|(_, chosen)| **chosen)
                        .for_each(|(length, _)| *length = 0);
                    let games = packed(mask);
                    self.cut_off.iter_mut().zip(&games).for_each(|(cut_off, games)| *cut_off &= !games);
                    self.games.restart_some(&games);
                }
            }
            Ok(())
        })
    }

    /// Makes a move of each role in each game. The actions are an array of int32, int64 or uint64.
    #[pyo3(signature = (actions, rewards, terminations, truncations, *, autoreset, longest, illegal_loses, scaled, last=None))]
    #[expect(clippy::too_many_arguments, reason = "the Python class passes its settings")]
    fn step(
        &mut self,
        py: Python<'_>,
        actions: &Bound<'_, PyAny>,
        rewards: &Bound<'_, PyAny>,
        terminations: &Bound<'_, PyAny>,
        truncations: &Bound<'_, PyAny>,
        autoreset: &str,
        longest: Option<u32>,
        illegal_loses: bool,
        scaled: bool,
        last: Option<&Bound<'_, PyAny>>,
    ) -> PyResult<()> {
        let n = self.games.len();
        let players = self.players.len();
        let autoreset = match autoreset {
            "next_step" => Autoreset::NextStep,
            "same_step" => Autoreset::SameStep,
            _ => Autoreset::Disabled,
        };
        let manner = Manner { autoreset, longest, illegal_loses, is_scaled: scaled };
        let mut rewards = writable::<f32>(rewards, "rewards", &[n, players])?;
        let mut terminations = writable::<bool>(terminations, "terminations", &[n])?;
        let mut truncations = writable::<bool>(truncations, "truncations", &[n])?;
        let words = self.games.words_of_facts();
        let mut last = last.map(|last| writable::<u64>(last, "final observations", &[n, words])).transpose()?;
        let last = last.as_mut().map(|last| last.as_slice_mut()).transpose()?;
        let outcome = Outcome {
            rewards: rewards.as_slice_mut()?,
            terminations: terminations.as_slice_mut()?,
            truncations: truncations.as_slice_mut()?,
        };
        let signals = self.shared.signals.clone();
        if is_of::<i32>(actions) {
            let actions = readable::<i32>(actions, "actions", &[n, players])?;
            let actions = actions.as_slice()?;
            return signals.inline(py, || self.make_step(actions, &manner, outcome, last));
        }
        if is_of::<u64>(actions) {
            let actions = readable::<u64>(actions, "actions", &[n, players])?;
            let actions = actions.as_slice()?;
            return signals.inline(py, || self.make_step(actions, &manner, outcome, last));
        }
        let actions = readable::<i64>(actions, "actions", &[n, players])?;
        let actions = actions.as_slice()?;
        signals.inline(py, || self.make_step(actions, &manner, outcome, last))
    }

    /// Writes which fluents hold, as words of 64 fluents for each game.
    fn write_packed(&mut self, py: Python<'_>, out: &Bound<'_, PyAny>) -> PyResult<()> {
        let mut out = writable::<u64>(out, "observations", &[self.games.len(), self.games.words_of_facts()])?;
        let out = out.as_slice_mut()?;
        let signals = self.shared.signals.clone();
        signals.inline(py, || {
            self.games.write_facts(out);
            Ok(())
        })
    }

    /// Writes which fluents hold, as truth values.
    pub(crate) fn write_bools(&mut self, py: Python<'_>, out: &Bound<'_, PyAny>) -> PyResult<()> {
        self.write_unpacked(py, out, to_bools)
    }

    /// Writes which fluents hold, as 0 and 1.
    pub(crate) fn write_floats(&mut self, py: Python<'_>, out: &Bound<'_, PyAny>) -> PyResult<()> {
        self.write_unpacked(py, out, to_floats)
    }

    /// Sets the size of the rows of planes, and for each fluent the first of its entries and their number; with
    /// `swapped`, these are the entries where the second role moves.
    #[pyo3(signature = (size, entries, swapped=None))]
    pub(crate) fn set_planes(
        &mut self,
        size: usize,
        entries: Vec<(usize, usize)>,
        swapped: Option<Vec<(usize, usize)>>,
    ) -> PyResult<()> {
        let planes = [Some(entries), swapped].into_iter().flatten().map(|entries| self.sets(size, &entries));
        self.planes = planes.collect::<Result<_, Failure>>()?;
        Ok(())
    }

    /// Adds a form of what players know: the size of a row, and for each player and each fluent the first of its entries
    /// and their number. Returns the number of the form.
    pub(crate) fn add_views(&mut self, size: usize, players: Vec<Vec<(usize, usize)>>) -> PyResult<usize> {
        if players.len() != self.players.len() {
            return Err(Failure::usage("the entries of each player").into());
        }
        let players = players.iter().map(|entries| self.sets(size, entries)).collect::<Result<_, Failure>>()?;
        self.views.push(ViewForm { size, players });
        Ok(self.views.len() - 1)
    }

    /// Writes what a player knows in each game, in a form: words of 64 bits (uint64), truth values (bool) or 0 and 1
    /// (float32). Without a player it is who moves, and nothing where that is not one player.
    #[pyo3(signature = (form, out, player=None))]
    pub(crate) fn write_views(
        &self,
        py: Python<'_>,
        form: usize,
        out: &Bound<'_, PyAny>,
        player: Option<usize>,
    ) -> PyResult<()> {
        let Some(ViewForm { size, players }) = self.views.get(form) else {
            return Err(Failure::usage(format!("there is no form {form}")).into());
        };
        if player.is_some_and(|player| player >= players.len()) {
            return Err(Failure::usage(format!("there are {} players", players.len())).into());
        }
        let n = self.games.len();
        let (size, signals) = (*size, &self.shared.signals);
        if is_of::<u64>(out) {
            let mut out = writable::<u64>(out, "observations", &[n, size.div_ceil(64)])?;
            let out = out.as_slice_mut()?;
            return signals.inline(py, || {
                out.copy_from_slice(&self.view_rows(form, player));
                Ok(())
            });
        }
        if is_of::<bool>(out) {
            let mut out = writable::<bool>(out, "observations", &[n, size])?;
            let out = out.as_slice_mut()?;
            return signals.inline(py, || {
                to_bools(&self.view_rows(form, player), size, out);
                Ok(())
            });
        }
        let mut out = writable::<f32>(out, "observations", &[n, size])?;
        let out = out.as_slice_mut()?;
        signals.inline(py, || {
            to_floats(&self.view_rows(form, player), size, out);
            Ok(())
        })
    }

    /// Writes the index of the player who moves in each game: the only role with several legal moves. Where none has
    /// several, the first whose move is not `noop`, or the first; -1 where several have, a role moves that is not a
    /// player, or the game is over.
    fn write_movers(&self, out: &Bound<'_, PyAny>) -> PyResult<()> {
        let mut out = writable::<i64>(out, "movers", &[self.games.len()])?;
        for (game, out) in out.as_slice_mut()?.iter_mut().enumerate() {
            *out = self.mover(game).map_or(-1, |player| player as i64);
        }
        Ok(())
    }

    /// Writes a 1 at the entries of each fluent that holds, and 0 elsewhere.
    pub(crate) fn write_planes(&mut self, py: Python<'_>, out: &Bound<'_, PyAny>) -> PyResult<()> {
        let mut out = writable::<f32>(out, "observations", &[self.games.len(), self.size_of_planes()])?;
        let out = out.as_slice_mut()?;
        let signals = self.shared.signals.clone();
        signals.inline(py, || {
            self.fill_planes(out);
            Ok(())
        })
    }

    /// Writes the legal moves of a role as words of 64 moves for each game.
    fn write_legal_packed(&mut self, py: Python<'_>, role: RoleName, out: &Bound<'_, PyAny>) -> PyResult<()> {
        let role = self.role(py, &role)?;
        let mut out = writable::<u64>(out, "masks", &[self.games.len(), self.games.moves(role).div_ceil(64)])?;
        out.as_slice_mut()?.copy_from_slice(self.games.all_legal(role));
        Ok(())
    }

    /// Writes the legal moves of a role as truth values.
    fn write_legal(&mut self, py: Python<'_>, role: RoleName, out: &Bound<'_, PyAny>) -> PyResult<()> {
        let role = self.role(py, &role)?;
        let moves = self.games.moves(role);
        let mut out = writable::<bool>(out, "masks", &[self.games.len(), moves])?;
        let out = out.as_slice_mut()?;
        let signals = self.shared.signals.clone();
        signals.inline(py, || {
            to_bools(self.games.all_legal(role), moves, out);
            Ok(())
        })
    }

    /// Writes the legal moves of each role in each game as one list, if the array is longer than the list by the margin
    /// at least. Returns how long it has to be.
    fn write_legal_lists(
        &mut self,
        py: Python<'_>,
        moves: &Bound<'_, PyAny>,
        starts: &Bound<'_, PyAny>,
        counts: &Bound<'_, PyAny>,
    ) -> PyResult<usize> {
        let shape = [self.games.len(), self.players.len()];
        let mut starts = writable::<i64>(starts, "starts", &shape)?;
        let mut counts = writable::<i32>(counts, "counts", &shape)?;
        let mut moves = writable::<i32>(moves, "actions", &[moves.len()?])?;
        let starts = starts.as_slice_mut()?;
        let counts = counts.as_slice_mut()?;
        let moves = moves.as_slice_mut()?;
        let signals = self.shared.signals.clone();
        signals.inline(py, || {
            let roles: Vec<Role> = self.players.iter().map(|&role| Role::new(role)).collect();
            let needed = self.games.count_legal(&roles) + LegalLists::MARGIN;
            if needed <= moves.len() {
                self.games.list_legal(&roles, LegalLists { starts, counts, moves });
            }
            Ok(needed)
        })
    }

    /// Draws a legal move of each role in each game; 0 where a role has none.
    fn sample(&mut self, py: Python<'_>, out: &Bound<'_, PyAny>) -> PyResult<()> {
        let players = self.players.len();
        let mut out = writable::<i64>(out, "actions", &[self.games.len(), players])?;
        let out = out.as_slice_mut()?;
        let signals = self.shared.signals.clone();
        signals.inline(py, || {
            out.fill(0);
            for (player, &role) in self.players.iter().enumerate() {
                self.games.draw_for(Role::new(role), |game, chosen| out[game * players + player] = i64::from(chosen));
            }
            Ok(())
        })
    }

    /// The generator of random choices, as text.
    fn random(&self) -> PyResult<String> {
        Ok(serde_json::to_string(self.games.random()).map_err(|error| Failure::other(error.to_string()))?)
    }

    /// The data from which a batch is restored, beside the facts of its states: the number of moves in each game, and
    /// as bits which games are over and which were cut off.
    #[expect(clippy::type_complexity, reason = "the Python class makes arrays of it")]
    fn progress<'py>(
        &self,
        py: Python<'py>,
    ) -> (Bound<'py, PyArray1<u32>>, Bound<'py, PyArray1<u64>>, Bound<'py, PyArray1<u64>>) {
        let array = |words: &[u64]| PyArray1::from_slice(py, words);
        (PyArray1::from_slice(py, &self.lengths), array(self.games.over()), array(&self.cut_off))
    }

    /// Takes up what [`Games::write_packed`], [`Games::random`] and [`Games::progress`] have written.
    fn restore(
        &mut self,
        py: Python<'_>,
        facts: &Bound<'_, PyAny>,
        random: &str,
        lengths: &Bound<'_, PyAny>,
        over: &Bound<'_, PyAny>,
        cut_off: &Bound<'_, PyAny>,
    ) -> PyResult<()> {
        let n = self.games.len();
        let words = self.games.words_of_facts();
        let facts = readable::<u64>(facts, "states", &[n, words])?;
        let lengths = readable::<u32>(lengths, "lengths", &[n])?;
        let over = readable::<u64>(over, "over", &[n.div_ceil(64)])?;
        let cut_off = readable::<u64>(cut_off, "cut_off", &[n.div_ceil(64)])?;
        let random = serde_json::from_str(random).map_err(|error| Failure::usage(error.to_string()))?;
        let facts = facts.as_slice()?;
        let lengths = lengths.as_slice()?;
        let over = over.as_slice()?;
        let cut_off = cut_off.as_slice()?;
        let signals = self.shared.signals.clone();
        signals.inline(py, || {
            let states = facts.chunks_exact(words.max(1)).map(|facts| {
                let bits = self.network.bits(ones(facts).filter(|&fluent| fluent < self.network.fluents.len()));
                match self.shared.engines(|engines| Ok(engines.own.state_from_fluents(&bits)?))? {
                    EngineState::Propnet(state) => Ok(state),
                    EngineState::Interpreter(_) => Err(Failure::other("the state is not of the network")),
                }
            });
            let states = states.collect::<Result<Vec<_>, Failure>>()?;
            self.games.set_all(&states);
            self.games.end_some(over);
            self.games.set_random(random);
            self.lengths.copy_from_slice(lengths);
            self.cut_off.copy_from_slice(cut_off);
            self.are_facts_known = false;
            Ok(())
        })
    }

    /// Adds up the utilities of random games from the states that are not over, `games` from each, and writes the
    /// means.
    fn values(
        &mut self,
        py: Python<'_>,
        games: Count<u32>,
        seed: Seed,
        longest: Count<u32>,
        out: &Bound<'_, PyAny>,
    ) -> PyResult<()> {
        let mut out = writable::<f32>(out, "values", &[self.games.len(), self.players.len()])?;
        let out = out.as_slice_mut()?;
        let signals = self.shared.signals.clone();
        signals.on_thread(py, || self.roll_out(games.0, seed.0, longest.0, out, &signals))
    }

    /// The state of a game of the batch.
    fn state(&self, py: Python<'_>, game: Count<usize>) -> PyResult<State> {
        let Count(game) = game;
        self.existing(game)?;
        Ok(State::new(self.game.clone_ref(py), EngineState::Propnet(self.games.state(game)), true))
    }

    /// Puts a game of the batch into a state that legal play reaches.
    fn set_state(&mut self, py: Python<'_>, game: Count<usize>, state: &Bound<'_, State>) -> PyResult<()> {
        let Count(game) = game;
        self.existing(game)?;
        let (facts, is_reached) = state.get().position_in(py, &self.shared)?;
        if !is_reached {
            return Err(
                Failure::usage("the state was made from facts; a batch holds states that legal play reaches").into()
            );
        }
        let shared = self.shared.clone();
        let signals = self.shared.signals.clone();
        signals.inline(py, || {
            let EngineState::Propnet(state) = shared.engines(|engines| engines.state(&facts, true))? else {
                return Err(Failure::other("the state is not of the network"));
            };
            self.games.set(game, &state);
            self.lengths[game] = 0;
            self.cut_off[game / 64] &= !(1 << (game % 64));
            self.are_facts_known = false;
            Ok(())
        })
    }
}

impl Games {
    /// True if observations are what players know.
    pub(crate) fn has_views(&self) -> bool {
        !self.views.is_empty()
    }

    /// The fluents of each entry of a row, from the first of the entries of each fluent and their number.
    fn sets(&self, size: usize, entries: &[(usize, usize)]) -> Result<Vec<Vec<usize>>, Failure> {
        let fits = |&(first, count): &(usize, usize)| first.checked_add(count).is_some_and(|end| end <= size);
        if entries.len() != self.network.fluents.len() || !entries.iter().all(fits) {
            return Err(Failure::usage("entries within a row for each fluent"));
        }
        memory::check("planes", size.checked_mul(size_of::<Vec<usize>>() * 4))?;
        let mut sets = vec![Vec::new(); size];
        for (fluent, &(first, count)) in entries.iter().enumerate() {
            sets[first..first + count].iter_mut().for_each(|set: &mut Vec<usize>| set.push(fluent));
        }
        Ok(sets)
    }

    /// Rows of what a player knows, or who moves, as bits of words.
    fn view_rows(&self, form: usize, player: Option<usize>) -> Vec<u64> {
        let ViewForm { size, players } = &self.views[form];
        let stride = size.div_ceil(64);
        let rows = |player: usize| {
            let mut words = vec![0; self.games.len() * stride];
            self.games.write_sets(&players[player], &mut words);
            words
        };
        if let Some(player) = player {
            return rows(player);
        }
        let mut chosen = vec![0; self.games.len() * stride];
        let movers: Vec<Option<usize>> = (0..self.games.len()).map(|game| self.mover(game)).collect();
        for player in (0..players.len()).filter(|&player| movers.contains(&Some(player))) {
            let own = rows(player);
            let all = chosen.chunks_exact_mut(stride.max(1)).zip(own.chunks_exact(stride.max(1)));
            let moving = all.zip(&movers).filter(|(_, mover)| **mover == Some(player));
            moving.for_each(|((row, own), _)| row.copy_from_slice(own));
        }
        chosen
    }

    /// Writes which fluents hold, a value each, as `unpack` makes them of the words of the facts.
    fn write_unpacked<T: Element + Send>(
        &mut self,
        py: Python<'_>,
        out: &Bound<'_, PyAny>,
        unpack: fn(&[u64], usize, &mut [T]),
    ) -> PyResult<()> {
        let mut out = writable::<T>(out, "observations", &[self.games.len(), self.network.fluents.len()])?;
        let out = out.as_slice_mut()?;
        let signals = self.shared.signals.clone();
        signals.inline(py, || {
            self.know_facts();
            unpack(&self.facts, self.network.fluents.len(), out);
            Ok(())
        })
    }

    /// The number of entries of a row of planes.
    fn size_of_planes(&self) -> usize {
        self.planes.first().map_or(0, Vec::len)
    }

    /// Fills rows of planes.
    fn fill_planes(&mut self, out: &mut [f32]) {
        let size = self.size_of_planes();
        let mut words = vec![0; self.games.len() * size.div_ceil(64)];
        if let [first, others @ ..] = &self.planes[..] {
            self.games.write_sets(first, &mut words);
            if let [second] = others {
                let mut swapped = vec![0; words.len()];
                self.games.write_sets(second, &mut swapped);
                let rows = words.chunks_exact_mut(size.div_ceil(64)).zip(swapped.chunks_exact(size.div_ceil(64)));
                let second = rows.enumerate().filter(|&(game, _)| self.mover(game) == Some(1));
                second.for_each(|(_, (row, swapped))| row.copy_from_slice(swapped));
            }
        }
        to_floats(&words, size, out);
    }

    /// The index of the player who moves in a game.
    fn mover(&self, game: usize) -> Option<usize> {
        if self.games.is_over(game) {
            return None;
        }
        let mut mover = None;
        let mut acting = None;
        let mut first = None;
        for role in (0..self.games.roles()).map(Role::new) {
            let legal = self.games.legal(game, role);
            let count: u32 = legal.iter().map(|word| word.count_ones()).sum();
            if count > 1 && mover.replace(role).is_some() {
                return None;
            }
            let idle = self.network.idle[role.index()].map(|idle| idle as usize);
            if acting.is_none() && count == 1 && ones(legal).next() != idle {
                acting = Some(role);
            }
            first = first.or(Some(role));
        }
        let mover = mover.or(acting).or(first)?;
        self.players.iter().position(|&player| player == mover.index())
    }

    /// The observations of all games, row after row; those of a player if there is a form of what players know.
    pub(crate) fn observed(&mut self, observation: Observation, player: usize) -> Observed {
        let n = self.games.len();
        if let Some(&ViewForm { size, .. }) = self.views.first() {
            let rows = self.view_rows(0, Some(player));
            if observation == Observation::Bools {
                let mut bools = vec![false; n * size];
                to_bools(&rows, size, &mut bools);
                return Observed::Bools(bools);
            }
            let mut floats = vec![0.0; n * size];
            to_floats(&rows, size, &mut floats);
            return Observed::Floats(floats);
        }
        if observation == Observation::Planes {
            let mut planes = vec![0.0; n * self.size_of_planes()];
            self.fill_planes(&mut planes);
            return Observed::Floats(planes);
        }
        self.know_facts();
        let fluents = self.network.fluents.len();
        if observation == Observation::Bools {
            let mut bools = vec![false; n * fluents];
            to_bools(&self.facts, fluents, &mut bools);
            return Observed::Bools(bools);
        }
        let mut floats = vec![0.0; n * fluents];
        to_floats(&self.facts, fluents, &mut floats);
        Observed::Floats(floats)
    }

    fn role(&self, py: Python<'_>, role: &RoleName) -> PyResult<Role> {
        Ok(self.game.bind(py).get().role(role)?)
    }

    fn existing(&self, game: usize) -> Result<(), Failure> {
        match game < self.games.len() {
            true => Ok(()),
            false => Err(Failure::usage(format!("there is no game {game}: the batch has {}", self.games.len()))),
        }
    }

    /// Writes the facts of the states, unless they are known.
    fn know_facts(&mut self) {
        if !self.are_facts_known {
            self.games.write_facts(&mut self.facts);
            self.are_facts_known = true;
        }
    }

    fn compile_lanes(&mut self) -> Result<(), Failure> {
        if self.lanes.is_none() {
            self.lanes = Some(self.shared.lanes()?);
        }
        Ok(())
    }

    fn make_step(
        &mut self,
        actions: &[impl Action],
        manner: &Manner,
        outcome: Outcome<'_>,
        last: Option<&mut [u64]>,
    ) -> Result<(), Failure> {
        let before = self.games.over().to_vec();
        let held = self.held(actions, manner);
        self.games.end_some(&held);
        let lost = self.choose(actions, manner);
        let after_end = if manner.autoreset == Autoreset::NextStep { AfterEnd::Restart } else { AfterEnd::Stay };
        let made = self.games.step(&self.moves, after_end);
        self.games.resume_some(&held);
        made.map_err(|error| self.not_made(error, actions))?;
        self.are_facts_known = false;
        self.games.end_some(&packed_indices(self.games.len(), lost.iter().map(|&(game, _)| game)));
        self.write_rewards(&before, manner.is_scaled, outcome.rewards);
        for (game, loser) in lost {
            self.write_loss(game, loser, manner.is_scaled, outcome.rewards);
        }
        if let Some(longest) = manner.longest {
            let mut unmoved = before;
            unmoved.iter_mut().zip(held).for_each(|(unmoved, held)| *unmoved |= held);
            self.count_lengths(&unmoved, manner);
            self.cut_off_after(longest);
        }
        let ended = self.games.over().iter().zip(&self.cut_off);
        let terminated: Vec<u64> = ended.map(|(over, cut_off)| over & !cut_off).collect();
        to_bools(&terminated, self.games.len(), outcome.terminations);
        to_bools(&self.cut_off, self.games.len(), outcome.truncations);
        if manner.autoreset == Autoreset::SameStep {
            self.restart_ended(last);
        }
        Ok(())
    }

    /// The games that keep their state: all their actions are [`HOLD`], and they are not over. None where games that
    /// are over begin again in this step. Empty if there is none.
    fn held(&self, actions: &[impl Action], manner: &Manner) -> Vec<u64> {
        let players = self.players.len();
        if manner.autoreset == Autoreset::NextStep || players == 0 || !actions.iter().any(is_held) {
            return Vec::new();
        }
        let mut held = vec![0; self.games.len().div_ceil(64)];
        for (game, actions) in actions.chunks_exact(players).enumerate() {
            if !self.games.is_over(game) && actions.iter().all(is_held) {
                held[game / 64] |= 1 << (game % 64);
            }
        }
        held
    }

    /// Counts the moves of each game but of those that were over or kept their state.
    fn count_lengths(&mut self, unmoved: &[u64], manner: &Manner) {
        for ((lengths, &unmoved), cut_off) in self.lengths.chunks_mut(64).zip(unmoved).zip(&mut self.cut_off) {
            if unmoved == 0 {
                lengths.iter_mut().for_each(|length| *length += 1);
                continue;
            }
            let restarts = manner.autoreset == Autoreset::NextStep;
            for (lane, length) in lengths.iter_mut().enumerate() {
                match (unmoved >> lane & 1 == 1, restarts) {
                    (false, _) => *length += 1,
                    (true, true) => *length = 0,
                    (true, false) => {}
                }
            }
            if restarts {
                *cut_off &= !unmoved;
            }
        }
    }

    /// Cuts off the games that have as many moves.
    fn cut_off_after(&mut self, longest: u32) {
        let too_long = self.lengths.iter().enumerate().filter(|(_, length)| **length >= longest);
        let mut too_long = packed_indices(self.games.len(), too_long.map(|(game, _)| game));
        too_long.iter_mut().zip(self.games.over()).for_each(|(games, over)| *games &= !over);
        self.games.end_some(&too_long);
        self.cut_off.iter_mut().zip(too_long).for_each(|(cut_off, games)| *cut_off |= games);
    }

    /// Restarts the games that are over, and writes the facts of all states before.
    fn restart_ended(&mut self, last: Option<&mut [u64]>) {
        if let Some(last) = last {
            self.games.write_facts(last);
        }
        let over = self.games.over().to_vec();
        if over.iter().any(|&word| word != 0) {
            ones(&over).for_each(|game| self.lengths[game] = 0);
            self.cut_off.fill(0);
            self.games.restart_some(&over);
        }
    }

    /// Takes the moves of the next step from the caller's actions, and those of chance from the generator. Returns the
    /// games that are lost by an illegal move, with the index of the player who made it; a legal move replaces it.
    fn choose(&mut self, actions: &[impl Action], manner: &Manner) -> Vec<(usize, usize)> {
        let roles = self.games.roles();
        let players = self.players.len();
        if players < roles {
            self.games.choose(&mut self.moves);
        }
        let mut lost: Vec<(usize, usize)> = Vec::new();
        if players == roles {
            self.moves.iter_mut().zip(actions).for_each(|(own, &action)| *own = number(action));
        } else {
            for (player, &role) in self.players.iter().enumerate() {
                let own = self.moves.iter_mut().skip(role).step_by(roles);
                let actions = actions.iter().skip(player).step_by(players);
                own.zip(actions).for_each(|(own, &action)| *own = number(action));
            }
        }
        if manner.illegal_loses {
            for game in 0..self.games.len() {
                if self.games.is_over(game) {
                    continue;
                }
                for (player, &role) in self.players.iter().enumerate() {
                    let chosen = self.moves[game * roles + role] as usize;
                    let legal = self.games.legal(game, Role::new(role));
                    if legal.get(chosen / 64).is_some_and(|word| word >> (chosen % 64) & 1 == 1) {
                        continue;
                    }
                    let Some(first) = ones(legal).next() else { continue };
                    self.moves[game * roles + role] = u32::try_from(first).unwrap_or(u32::MAX);
                    if lost.last().is_none_or(|&(last, _)| last != game) {
                        lost.push((game, player));
                    }
                }
            }
        }
        lost
    }

    pub(crate) fn not_made(&self, error: StepError, actions: &[impl Action]) -> Failure {
        match error {
            StepError::NotLegal { game, role, chosen } => {
                let player = self.players.iter().position(|&player| player == role.index());
                let given = player.and_then(|player| actions.get(game * self.players.len() + player));
                self.illegal(game, role.index(), given.map_or(i128::from(chosen), |&given| given.into()))
            }
            StepError::NoMove { game, role } => {
                let name = self.shared.roles[role.index()].to_string();
                let message = format!("{name} has no legal move in game {game}, which is not over");
                Failure::new("NoLegalMove", message)
                    .with("game", Attribute::Number(game as i128))
                    .with("role", Attribute::Text(name))
            }
            StepError::Length { .. } => Failure::other(error.to_string()),
        }
    }

    pub(crate) fn illegal(&self, game: usize, role: usize, action: i128) -> Failure {
        let name = self.shared.roles[role].to_string();
        let moves = &self.network.moves[role];
        let message = match usize::try_from(action).ok().and_then(|action| moves.get(action)) {
            Some(term) => format!("action {action} of {name} in game {game}, `{term}`, is not legal"),
            None => {
                let last = moves.len().saturating_sub(1);
                format!("{name} has no action {action}, which was chosen in game {game}: its actions are 0 to {last}")
            }
        };
        Failure::new("IllegalAction", message)
            .with("game", Attribute::Number(game as i128))
            .with("role", Attribute::Text(name))
            .with("action", Attribute::Number(action))
    }

    /// The reward for a utility.
    pub(crate) fn reward(&self, utility: f32, is_scaled: bool) -> f32 {
        let (least, most) = self.range;
        match is_scaled && most > least {
            true => (utility - least) / (most - least) * 2.0 - 1.0,
            false => utility,
        }
    }

    /// Writes the rewards of the games that have ended in this step, and 0 for all others.
    fn write_rewards(&self, before: &[u64], is_scaled: bool, rewards: &mut [f32]) {
        rewards.fill(0.0);
        let ended: Vec<u64> = self.games.over().iter().zip(before).map(|(over, before)| over & !before).collect();
        let players = self.players.len();
        for game in ones(&ended) {
            let utilities = self.games.utilities(game);
            for (reward, &role) in rewards[game * players..].iter_mut().zip(&self.players) {
                *reward = utilities[role].map_or(f32::NAN, |utility| self.reward(utility.to_f32(), is_scaled));
            }
        }
    }

    /// The least for the player who has made an illegal move, the greatest for the others.
    fn write_loss(&self, game: usize, loser: usize, is_scaled: bool, rewards: &mut [f32]) {
        let players = self.players.len();
        for (player, reward) in rewards[game * players..][..players].iter_mut().enumerate() {
            let utility = if player == loser { self.range.0 } else { self.range.1 };
            *reward = self.reward(utility, is_scaled);
        }
    }

    fn roll_out(
        &mut self,
        games: u32,
        seed: u64,
        longest: u32,
        out: &mut [f32],
        signals: &Signals,
    ) -> Result<(), Failure> {
        self.compile_lanes()?;
        let Some(lanes) = &mut self.lanes else { return Err(Failure::other("the game has no lanes")) };
        let n = self.games.len();
        let players = self.players.len();
        let states: Vec<_> = (0..n).map(|game| self.games.state(game)).collect();
        let mut counts = vec![0_u32; out.len()];
        out.fill(0.0);
        for game in 0..u64::from(games) {
            if signals.are_raised() {
                return Err(ggp::ReasonError::Stopped(Stop::Interrupted).into());
            }
            let rollouts = lanes.rollouts(&states, seed.wrapping_add(game), longest);
            for state in 0..n {
                let utilities = rollouts.utilities(state);
                for (player, &role) in self.players.iter().enumerate() {
                    if let Some(utility) = utilities[role] {
                        out[state * players + player] += utility.to_f32();
                        counts[state * players + player] += 1;
                    }
                }
            }
        }
        out.iter_mut().zip(counts).for_each(|(sum, count)| *sum /= count as f32);
        Ok(())
    }
}

/// True if an action is [`HOLD`].
fn is_held(action: &impl Action) -> bool {
    (*action).into() == HOLD
}

/// The number of the move that an action is; one that no role has if it is none.
fn number(action: impl Action) -> u32 {
    u32::try_from(action.into()).unwrap_or(u32::MAX)
}

/// The games with these indices, as bits of words; no words if there are none.
fn packed_indices(games: usize, indices: impl Iterator<Item = usize>) -> Vec<u64> {
    let mut words = Vec::new();
    for game in indices {
        words.resize(games.div_ceil(64), 0_u64);
        words[game / 64] |= 1 << (game % 64);
    }
    words
}

/// Truth values as bits of words.
pub(crate) fn packed(mask: &[bool]) -> Vec<u64> {
    let word = |values: &[bool]| (0..).zip(values).map(|(bit, &value)| u64::from(value) << bit).sum();
    mask.chunks(64).map(word).collect()
}

/// The indices of the set bits of a row of words.
pub(crate) fn ones(words: &[u64]) -> impl Iterator<Item = usize> {
    words.iter().enumerate().flat_map(|(index, &word)| {
        let mut word = word;
        std::iter::from_fn(move || {
            let bit = (word != 0).then(|| index * 64 + word.trailing_zeros() as usize);
            word &= word.wrapping_sub(1);
            bit
        })
    })
}
