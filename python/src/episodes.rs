//! Many games in each of which one role is the agent, and the others belong to its environment: what
//! `ggp.gymnasium.GgpVectorEnv` is made of.
//!
//! A step makes the agent's moves, then plies in which the agent can only wait. The other roles play at random, each
//! game by a stream of its own, or as a Python function says.

use crate::arrays::{readable, to_bools, writable};
use crate::batch::{Games, Observation, Observed, ones, packed};
use crate::failure::{Attribute, Failure};
use crate::game::{RawGame, RoleName};
use crate::network::mixed;
use crate::numbers::{Count, Seed};
use ggp::Role;
use ggp_engine::lanes::AfterEnd;
use numpy::PyArray1;
use pyo3::prelude::*;

/// Many games of one rule sheet, played for one role.
#[pyclass(module = "ggp._ggp")]
pub(crate) struct Episodes {
    games: Games,
    agent: Role,
    /// The agent's moves that mean waiting, as bits.
    idle: Vec<u64>,
    /// The reward of an illegal move.
    loss: f64,
    is_scaled: bool,
    /// The bounds of the utilities.
    range: (f64, f64),
    /// The number of plies after which a game is cut off, and the number in each game since it began.
    longest: Option<u32>,
    plies: Vec<u32>,
    /// The games that were cut off, and those that were lost by an illegal move, until they begin again.
    cut_off: Vec<u64>,
    lost: Vec<u64>,
    /// The generators of the other roles' moves, one for each game, and what they gave last.
    streams: Vec<u64>,
    drawn: Vec<u32>,
    /// The move of each role in each game of the next ply.
    moves: Vec<u32>,
}

/// The function that plays for the other roles, and the form of observations that it is given.
struct Opponents {
    call: Py<PyAny>,
    observation: Observation,
    raised: Option<PyErr>,
}

#[pymethods]
impl Episodes {
    #[new]
    #[pyo3(signature = (game, n, role, *, idle, scaled, loss, longest))]
    fn new(
        game: Bound<'_, RawGame>,
        n: Count<usize>,
        role: RoleName,
        idle: Vec<usize>,
        scaled: bool,
        loss: f64,
        longest: Option<u64>,
    ) -> PyResult<Self> {
        let agent = game.get().role(&role)?;
        let range = game.get().utility_range(game.py())?;
        let games = Games::new(game, n, Seed(0), false)?;
        let Count(n) = n;
        let roles = games.games.roles();
        let words = n.div_ceil(64);
        let mut idle_bits = vec![0; games.games.moves(agent).div_ceil(64)];
        for number in idle {
            let word = idle_bits.get_mut(number / 64).ok_or_else(|| Failure::usage(format!("no action {number}")))?;
            *word |= 1 << (number % 64);
        }
        Ok(Self {
            games,
            agent,
            idle: idle_bits,
            loss,
            is_scaled: scaled,
            range,
            longest: longest.map(|longest| u32::try_from(longest).unwrap_or(u32::MAX)),
            plies: vec![0; n],
            cut_off: vec![0; words],
            lost: vec![0; words],
            streams: vec![0; n],
            drawn: vec![0; n],
            moves: vec![0; n * roles],
        })
    }

    /// Begins the streams of some games (a mask) with their seeds, uint64 `[n]`.
    fn seed(&mut self, mask: &Bound<'_, PyAny>, seeds: &Bound<'_, PyAny>) -> PyResult<()> {
        let n = self.streams.len();
        let mask = readable::<bool>(mask, "mask", &[n])?;
        let seeds = readable::<u64>(seeds, "seeds", &[n])?;
        let chosen = mask.as_slice()?.iter().zip(seeds.as_slice()?).zip(&mut self.streams);
        chosen.filter(|((chosen, _), _)| **chosen).for_each(|((_, &seed), stream)| *stream = begun(seed));
        Ok(())
    }

    /// Begins the choices of `sample`.
    fn seed_sample(&mut self, seed: Seed) {
        self.games.games.seed(seed.0);
    }

    /// The first game that is over and has not begun again.
    fn first_over(&self) -> Option<usize> {
        ones(self.games.games.over()).next()
    }

    /// Begins the games of a mask, and plays each until its agent is asked.
    #[pyo3(signature = (mask, opponents=None, observation="float32"))]
    fn reset(
        &mut self,
        py: Python<'_>,
        mask: &Bound<'_, PyAny>,
        opponents: Option<Py<PyAny>>,
        observation: &str,
    ) -> PyResult<()> {
        let mask = readable::<bool>(mask, "mask", &[self.streams.len()])?;
        let begins = packed(mask.as_slice()?);
        self.with_opponents(py, opponents, observation, |own, opponents| {
            own.begin(&begins);
            own.games.games.restart_some(&begins);
            own.play_on(begins, opponents)
        })
    }

    /// Makes the agent's moves, int64 `[n]`, and plays each game until its agent is asked again or it is over. Games
    /// that were over begin instead. Writes what has happened, and which moves were illegal: those games are lost, or
    /// it is an error and nothing has changed.
    #[pyo3(signature = (actions, rewards, terminations, truncations, illegal, *, illegal_loses, opponents=None, observation="float32"))]
    #[expect(clippy::too_many_arguments, reason = "the Python class passes its arrays and settings")]
    fn step(
        &mut self,
        py: Python<'_>,
        actions: &Bound<'_, PyAny>,
        rewards: &Bound<'_, PyAny>,
        terminations: &Bound<'_, PyAny>,
        truncations: &Bound<'_, PyAny>,
        illegal: &Bound<'_, PyAny>,
        illegal_loses: bool,
        opponents: Option<Py<PyAny>>,
        observation: &str,
    ) -> PyResult<()> {
        let n = self.streams.len();
        let actions = readable::<i64>(actions, "actions", &[n])?;
        let mut rewards = writable::<f64>(rewards, "rewards", &[n])?;
        let mut terminations = writable::<bool>(terminations, "terminations", &[n])?;
        let mut truncations = writable::<bool>(truncations, "truncations", &[n])?;
        let mut illegal = writable::<bool>(illegal, "illegal", &[n])?;
        let actions = actions.as_slice()?;
        let rewards = rewards.as_slice_mut()?;
        let terminations = terminations.as_slice_mut()?;
        let truncations = truncations.as_slice_mut()?;
        let illegal = illegal.as_slice_mut()?;
        self.with_opponents(py, opponents, observation, |own, opponents| {
            let begins = own.games.games.over().to_vec();
            let lost = own.illegal(actions, &begins);
            if let Some(game) = ones(&lost).next()
                && !illegal_loses
            {
                return Err(own.not_legal(game, actions[game]));
            }
            own.make_moves(actions, &begins, &lost, opponents)?;
            let over = own.games.games.over().iter().zip(own.cut_off.iter().zip(&own.lost));
            let ended: Vec<u64> = over.map(|(over, (cut_off, lost))| over & !cut_off & !lost).collect();
            let now =
                |words: &[u64]| words.iter().zip(&begins).map(|(word, begins)| word & !begins).collect::<Vec<_>>();
            let ended = now(&ended);
            let cut_off = now(&own.cut_off);
            own.write_rewards(&ended, &lost, rewards);
            let terminated: Vec<u64> = ended.iter().zip(&lost).map(|(ended, lost)| ended | lost).collect();
            to_bools(&terminated, n, terminations);
            to_bools(&cut_off, n, truncations);
            to_bools(&lost, n, illegal);
            Ok(())
        })
    }

    /// Writes the legal moves of the agent as truth values; none in games that the rules have ended.
    fn write_masks(&self, py: Python<'_>, out: &Bound<'_, PyAny>) -> PyResult<()> {
        let n = self.streams.len();
        let moves = self.games.games.moves(self.agent);
        let mut out = writable::<bool>(out, "masks", &[n, moves])?;
        let out = out.as_slice_mut()?;
        self.games.shared.signals.inline(py, || {
            self.fill_masks(self.agent, out);
            Ok(())
        })
    }

    /// Writes the observations, as truth values (bool), numbers (float32) or planes.
    fn write_observations(&mut self, py: Python<'_>, observation: &str, out: &Bound<'_, PyAny>) -> PyResult<()> {
        if self.games.has_views() {
            return self.games.write_views(py, 0, out, Some(self.agent.index()));
        }
        match read_observation(observation)? {
            Observation::Bools => self.games.write_bools(py, out),
            Observation::Floats => self.games.write_floats(py, out),
            Observation::Planes => self.games.write_planes(py, out),
        }
    }

    /// Sets the size of the rows of planes, and for each fluent the first of its entries and their number.
    fn set_planes(&mut self, size: usize, entries: Vec<(usize, usize)>) -> PyResult<()> {
        self.games.set_planes(size, entries, None)
    }

    /// Makes observations what roles know: the size of a row, and for each role and each fluent the first of its entries
    /// and their number.
    fn set_views(&mut self, size: usize, roles: Vec<Vec<(usize, usize)>>) -> PyResult<()> {
        self.games.add_views(size, roles).map(drop)
    }

    /// Draws a legal move of the agent in each game; 0 where it has none.
    fn sample(&mut self, py: Python<'_>, out: &Bound<'_, PyAny>) -> PyResult<()> {
        let mut out = writable::<i64>(out, "actions", &[self.streams.len()])?;
        let out = out.as_slice_mut()?;
        let agent = self.agent;
        let signals = self.games.shared.signals.clone();
        signals.inline(py, || {
            out.fill(0);
            self.games.games.draw_for(agent, |game, chosen| out[game] = i64::from(chosen));
            Ok(())
        })
    }
}

impl Episodes {
    /// Runs work that may ask the function of the opponents. What it raises is raised here.
    fn with_opponents(
        &mut self,
        py: Python<'_>,
        call: Option<Py<PyAny>>,
        observation: &str,
        work: impl FnOnce(&mut Self, Option<&mut Opponents>) -> Result<(), Failure> + Send,
    ) -> PyResult<()> {
        let observation = read_observation(observation)?;
        let mut opponents = call.map(|call| Opponents { call, observation, raised: None });
        let signals = self.games.shared.signals.clone();
        let done = signals.inline(py, || work(self, opponents.as_mut()));
        self.games.are_facts_known = false;
        match opponents.and_then(|opponents| opponents.raised) {
            Some(error) => Err(error),
            None => done,
        }
    }

    /// Forgets how these games went before.
    fn begin(&mut self, begins: &[u64]) {
        ones(begins).for_each(|game| self.plies[game] = 0);
        for words in [&mut self.cut_off, &mut self.lost] {
            words.iter_mut().zip(begins).for_each(|(word, begins)| *word &= !begins);
        }
    }

    /// The games in which the agent's action is not legal, but for those that begin.
    fn illegal(&self, actions: &[i64], begins: &[u64]) -> Vec<u64> {
        let legal = self.games.games.all_legal(self.agent);
        let stride = self.idle.len();
        let is_legal = |game: usize, action: i64| {
            let action = usize::try_from(action).unwrap_or(usize::MAX);
            action / 64 < stride && legal[game * stride + action / 64] >> (action % 64) & 1 == 1
        };
        let column = |(column, actions): (usize, &[i64])| {
            let illegal = |(lane, &action): (usize, &i64)| u64::from(!is_legal(column * 64 + lane, action)) << lane;
            actions.iter().enumerate().map(illegal).fold(0, |word, bit| word | bit)
        };
        let columns = actions.chunks(64).enumerate().map(column);
        columns.zip(begins).map(|(illegal, begins)| illegal & !begins).collect()
    }

    fn not_legal(&self, game: usize, action: i64) -> Failure {
        let name = self.games.shared.roles[self.agent.index()].to_string();
        Failure::new("IllegalAction", format!("game {game}: {name} has no legal action {action} in this state"))
            .with("game", Attribute::Number(game as i128))
            .with("role", Attribute::Text(name))
            .with("action", Attribute::Number(action.into()))
    }

    /// The agent's moves in the games that go on, and what follows them; the others begin, or are lost.
    fn make_moves(
        &mut self,
        actions: &[i64],
        begins: &[u64],
        lost: &[u64],
        mut opponents: Option<&mut Opponents>,
    ) -> Result<(), Failure> {
        let roles = self.games.games.roles();
        let agent = self.agent.index();
        self.begin(begins);
        let own = self.moves.iter_mut().skip(agent).step_by(roles);
        own.zip(actions).for_each(|(own, &action)| *own = u32::try_from(action).unwrap_or(u32::MAX));
        let n = self.streams.len();
        let moving = (0..).zip(begins.iter().zip(lost)).map(|(column, (begins, lost))| {
            let held = n - column * 64;
            let exist = if held >= 64 { u64::MAX } else { u64::MAX >> (64 - held) };
            exist & !begins & !lost
        });
        let mut active: Vec<u64> = moving.collect();
        let mut after_end = AfterEnd::Restart;
        if lost.iter().any(|&word| word != 0) {
            // A lost game keeps its state, so the step below must not restart what is over.
            self.games.games.restart_some(begins);
            after_end = AfterEnd::Stay;
        }
        self.ply(&active, after_end, opponents.as_deref_mut())?;
        self.lost.iter_mut().zip(lost).for_each(|(word, lost)| *word |= lost);
        self.games.games.end_some(lost);
        active.iter_mut().zip(begins).for_each(|(active, begins)| *active |= begins);
        self.play_on(active, opponents)
    }

    /// Plays the active games until their agent is asked or they are over.
    fn play_on(&mut self, mut active: Vec<u64>, mut opponents: Option<&mut Opponents>) -> Result<(), Failure> {
        loop {
            active.iter_mut().zip(self.games.games.over()).for_each(|(active, over)| *active &= !over);
            if let Some(longest) = self.longest {
                let mut cut_off = vec![0; active.len()];
                for game in ones(&active).filter(|&game| self.plies[game] >= longest) {
                    cut_off[game / 64] |= 1 << (game % 64);
                }
                self.games.games.end_some(&cut_off);
                for ((all, active), cut_off) in self.cut_off.iter_mut().zip(&mut active).zip(cut_off) {
                    *all |= cut_off;
                    *active &= !cut_off;
                }
            }
            self.keep_waiting(&mut active);
            if active.iter().all(|&word| word == 0) {
                return Ok(());
            }
            let Self { games, moves, agent, .. } = self;
            let roles = games.games.roles();
            games.games.choose_by(*agent, |_, _| 0, |game, chosen| moves[game * roles + agent.index()] = chosen);
            self.ply(&active, AfterEnd::Stay, opponents.as_deref_mut())?;
        }
    }

    /// Keeps those of some games in which the agent can only wait.
    fn keep_waiting(&self, active: &mut [u64]) {
        let legal = self.games.games.all_legal(self.agent);
        let stride = self.idle.len();
        for (column, word) in active.iter_mut().enumerate() {
            for lane in ones(&[*word]) {
                let row = &legal[(column * 64 + lane) * stride..][..stride];
                let count: u32 = row.iter().map(|word| word.count_ones()).sum();
                let is_idle = || row.iter().zip(&self.idle).any(|(row, idle)| row & idle != 0);
                if count > 1 || count == 1 && !is_idle() {
                    *word &= !(1 << lane);
                }
            }
        }
    }

    /// Makes a move of each role in the active games; the others keep their state, or begin if they are over.
    fn ply(
        &mut self,
        active: &[u64],
        after_end: AfterEnd,
        mut opponents: Option<&mut Opponents>,
    ) -> Result<(), Failure> {
        if active.iter().all(|&word| word == 0) && after_end == AfterEnd::Stay {
            return Ok(());
        }
        for role in 0..self.games.games.roles() {
            if role == self.agent.index() {
                continue;
            }
            match &mut opponents {
                Some(opponents) if Some(role) != self.games.shared.random => self.ask(opponents, role, active)?,
                _ => self.draw(role, active),
            }
        }
        let held: Vec<u64> = self.games.games.over().iter().zip(active).map(|(over, active)| !over & !active).collect();
        self.games.games.end_some(&held);
        let made = self.games.games.step(&self.moves, after_end);
        self.games.games.resume_some(&held);
        self.games.are_facts_known = false;
        made.map_err(|error| {
            let actions: Vec<i64> = self.moves.iter().copied().map(i64::from).collect();
            self.games.not_made(error, &actions)
        })?;
        for (plies, &active) in self.plies.chunks_mut(64).zip(active) {
            (0..).zip(plies).for_each(|(lane, plies)| *plies += (active >> lane & 1) as u32);
        }
        Ok(())
    }

    /// Draws the moves of a role in the active games.
    fn draw(&mut self, role: usize, active: &[u64]) {
        let Self { games, streams, drawn, moves, .. } = self;
        let roles = games.games.roles();
        for ((streams, drawn), &active) in streams.chunks_mut(64).zip(drawn.chunks_mut(64)).zip(active) {
            for (lane, (stream, drawn)) in (0..).zip(streams.iter_mut().zip(drawn)) {
                *stream = stream.wrapping_add(STEP * (active >> lane & 1));
                *drawn = (mixed(*stream) >> 32) as u32;
            }
        }
        let index = |game: usize, count: u32| ((u64::from(drawn[game]) * u64::from(count)) >> 32) as u32;
        games.games.choose_by(Role::new(role), index, |game, chosen| moves[game * roles + role] = chosen);
    }

    /// Asks the function for the moves of a role in the active games.
    fn ask(&mut self, opponents: &mut Opponents, role: usize, active: &[u64]) -> Result<(), Failure> {
        let n = self.streams.len();
        let roles = self.games.games.roles();
        let moves = self.games.games.moves(Role::new(role));
        let observed = self.games.observed(opponents.observation, role);
        let mut masks = vec![false; n * moves];
        self.fill_masks(Role::new(role), &mut masks);
        let mut asked = vec![false; n];
        to_bools(active, n, &mut asked);
        let answer = Python::attach(|py| -> PyResult<Vec<i64>> {
            let observed = match observed {
                Observed::Bools(bools) => PyArray1::from_vec(py, bools).into_any(),
                Observed::Floats(floats) => PyArray1::from_vec(py, floats).into_any(),
            };
            let masks = PyArray1::from_vec(py, masks);
            let asked = PyArray1::from_vec(py, asked);
            let chosen = opponents.call.bind(py).call1((role, observed, masks, asked))?;
            Ok(readable::<i64>(&chosen, "actions", &[n])?.as_slice()?.to_vec())
        });
        let chosen = match answer {
            Ok(chosen) => chosen,
            Err(error) => {
                opponents.raised = Some(error);
                return Err(Failure::other("the opponents raised an exception"));
            }
        };
        let own = self.moves.iter_mut().skip(role).step_by(roles);
        own.zip(chosen).for_each(|(own, chosen)| *own = u32::try_from(chosen).unwrap_or(u32::MAX));
        Ok(())
    }

    fn fill_masks(&self, role: Role, out: &mut [bool]) {
        let moves = self.games.games.moves(role);
        to_bools(self.games.games.all_legal(role), moves, out);
        for (column, over) in self.games.games.over().iter().enumerate() {
            let ended = over & !self.cut_off[column] & !self.lost[column];
            ones(&[ended]).for_each(|lane| out[(column * 64 + lane) * moves..][..moves].fill(false));
        }
    }

    /// Writes the utilities of the games that have ended, the least reward for those that were lost, and 0 for all
    /// others.
    fn write_rewards(&self, ended: &[u64], lost: &[u64], rewards: &mut [f64]) {
        rewards.fill(0.0);
        let (least, most) = self.range;
        for game in ones(ended) {
            let utility = self.games.games.utilities(game)[self.agent.index()].map_or(f64::NAN, ggp::Utility::to_f64);
            rewards[game] = match self.is_scaled && most > least {
                true => (utility - least) * (2.0 / (most - least)) - 1.0,
                false => utility,
            };
        }
        ones(lost).for_each(|game| rewards[game] = self.loss);
    }
}

fn read_observation(name: &str) -> PyResult<Observation> {
    match name {
        "bool" => Ok(Observation::Bools),
        "float32" => Ok(Observation::Floats),
        "planes" => Ok(Observation::Planes),
        _ => Err(Failure::usage(format!("observation is one of 'bool', 'float32', 'planes', not '{name}'")).into()),
    }
}

/// Increment of the counter of a stream for each number.
const STEP: u64 = 0x9E37_79B9_7F4A_7C15;

/// The counter of the stream of a seed.
fn begun(seed: u64) -> u64 {
    mixed(seed.wrapping_add(STEP))
}
