//! The machines of a program, whatever their evaluator is, and their comparison with the program.
//!
//! A machine that has been made is run beside the program gate by gate, in games of random play, before it answers
//! (translation validation: Pnueli, Siegel and Singerman, Translation Validation, 1998). Machines go from state to
//! state, so the plies of a game are compared one after the other, and then those of the next game.

use super::Full;
use super::demand::Demand;
use super::incremental::Incremental;
use super::machine::Machine;
use super::rules::RulesMachine;
use crate::program::{
    ComparedOutput, Deviation, FormDifference, Program, ROUNDS, ReferencePlay, STATES_OF_ROUND, SampledPly,
    SampledStates,
};
use fixedbitset::FixedBitSet;
use gdl::limits::{Poll, Stop};
use gdl::number::to_u32;
use ggp_game::Role;

/// A machine with one of the evaluators.
#[derive(Clone, Debug)]
pub(in crate::propnet) enum AnyMachine {
    /// Computes every gate in every state.
    Full(Machine<Full>),
    /// Computes what changes; joint moves may be compiled.
    Incremental(Machine<Incremental>),
    /// Computes the gates that are asked for.
    Demand(Machine<Demand>),
    /// Asks the rules of the game.
    Rules(RulesMachine),
}

/// Runs a piece of code with the machine, whatever it is.
macro_rules! with {
    ($machine:expr, $name:ident => $what:expr) => {
        match $machine {
            AnyMachine::Full($name) => $what,
            AnyMachine::Incremental($name) => $what,
            AnyMachine::Demand($name) => $what,
            AnyMachine::Rules($name) => $what,
        }
    };
}
pub(in crate::propnet) use with;

/// Programs with more gates than this are compared in fewer states: the set-up should take hardly longer.
const MANY_GATES: usize = 4_096;

/// The number of states of random play that are compared.
#[derive(Clone, Copy, Debug)]
pub(in crate::propnet) struct ComparisonExtent {
    /// The rounds of samples.
    rounds: usize,
    /// The games of each round, at most 64.
    games: usize,
}

impl ComparisonExtent {
    /// The extent before a machine answers: 512 states, or 128 of a program with very many gates.
    pub(super) fn from_program(program: &Program) -> Self {
        match program.gates.len() > MANY_GATES {
            true => Self { rounds: 1, games: 8 },
            false => Self { rounds: ROUNDS / 2, games: 16 },
        }
    }

    /// At least this many states, of all games of each round.
    pub(in crate::propnet) fn of_states(states: usize) -> Self {
        Self { rounds: states.div_ceil(STATES_OF_ROUND), games: 64 }
    }

    /// The number of states that are compared.
    pub(in crate::propnet) fn states(self) -> usize {
        self.rounds * STATES_OF_ROUND / 64 * self.games
    }
}

/// The first difference between a machine and its program in games of random play, if there is one.
///
/// # Errors
/// If the limits end the work.
pub(in crate::propnet) fn difference(
    machine: &mut AnyMachine,
    program: &Program,
    extent: ComparisonExtent,
    poll: &Poll<'_>,
) -> Result<Option<FormDifference>, Stop> {
    let mut play = ReferencePlay::new(program, SampledStates::OfPlay);
    play.difference(extent.rounds, poll, |samples| compare_games(machine, program, samples, extent.games))
}

/// Compares this many games of a round.
///
/// # Errors
/// The first deviation.
fn compare_games(
    machine: &mut AnyMachine,
    program: &Program,
    samples: &[SampledPly],
    games: usize,
) -> Result<(), Deviation> {
    for lane in (0..64).step_by(64 / games) {
        for (sample, ply) in samples.iter().enumerate() {
            let compared = ComparedPly { machine, program, ply, lane }.compare(sample);
            compared.map_err(|what| Deviation { what, sample, lane })?;
        }
    }
    Ok(())
}

/// A machine beside its program, in one ply of one of 64 games.
struct ComparedPly<'a> {
    machine: &'a mut AnyMachine,
    program: &'a Program,
    ply: &'a SampledPly,
    /// The game, from 0 to 63.
    lane: u32,
}

impl ComparedPly<'_> {
    /// True if a word, which has a bit for each game, has that of this game.
    fn holds(&self, word: u64) -> bool {
        word >> self.lane & 1 == 1
    }

    /// A state, given by the word of each bit.
    fn state(&self, words: &[u64]) -> FixedBitSet {
        let mut state = FixedBitSet::with_capacity(words.len());
        (0..words.len()).filter(|&bit| self.holds(words[bit])).for_each(|bit| state.insert(bit));
        state
    }

    /// Those of some moves, given with the games in which they are legal or made, that are so in this game.
    fn moves(&self, moves: &[(usize, u64)]) -> Vec<u32> {
        moves.iter().filter(|&&(_, games)| self.holds(games)).map(|&(chosen, _)| to_u32(chosen)).collect()
    }

    /// Compares the answers: goals and features are asked where a game ends, and in the first ply, which is number 0.
    fn compare(&mut self, number: usize) -> Result<(), ComparedOutput> {
        let state = self.state(&self.ply.state);
        let words = state.as_slice();
        let is_terminal = self.holds(self.ply.terminal);
        if with!(&mut *self.machine, machine => machine.is_terminal(words)) != is_terminal {
            return Err(ComparedOutput::Terminal);
        }
        let legal = self.moves(&self.ply.legal);
        self.legal(words, &legal)?;
        if is_terminal || number == 0 {
            self.goals(words)?;
            self.features(words)?;
        }
        if self.holds(self.ply.stuck_games()) {
            return Ok(());
        }
        // Both ways to make a step are compared, in turn; random play cannot leave a terminal state.
        let is_random = !is_terminal && number % 2 == 1;
        let next = if is_random { self.random_step(words, &legal)? } else { self.next_state(words) };
        match next.symmetric_difference(&self.state(&self.ply.next)).next() {
            Some(bit) => Err(ComparedOutput::Next(bit)),
            None => Ok(()),
        }
    }

    fn legal(&mut self, state: &[usize], legal: &[u32]) -> Result<(), ComparedOutput> {
        let mut found = Vec::with_capacity(legal.len());
        for role in 0..self.program.roles.len() {
            with!(&mut *self.machine, machine => machine.each_legal_move(state, role, |chosen| found.push(chosen)));
        }
        first_difference(&found, legal).map_or(Ok(()), |chosen| Err(ComparedOutput::Legal(chosen)))
    }

    fn goals(&mut self, state: &[usize]) -> Result<(), ComparedOutput> {
        let mut found = vec![false; self.program.goals.len()];
        for role in 0..self.program.roles.len() {
            with!(&mut *self.machine, machine => machine.goals(state, role).for_each(|goal| found[goal] = true));
        }
        let wrong = (0..found.len()).find(|&goal| found[goal] != self.holds(self.ply.goals[goal]));
        wrong.map_or(Ok(()), |goal| Err(ComparedOutput::Goal(goal)))
    }

    fn features(&mut self, state: &[usize]) -> Result<(), ComparedOutput> {
        let all: Vec<u32> = (0..to_u32(self.ply.features.len())).collect();
        let expected: Vec<u32> =
            all.iter().copied().filter(|&feature| self.holds(self.ply.features[feature as usize])).collect();
        let found: Vec<u32> = with!(&mut *self.machine, machine => machine.features(state, &all).collect());
        first_difference(&found, &expected).map_or(Ok(()), |feature| Err(ComparedOutput::Feature(feature)))
    }

    fn next_state(&mut self, state: &[usize]) -> FixedBitSet {
        let joint_move = self.moves(&self.ply.made);
        let mut next = FixedBitSet::with_capacity(self.program.bits());
        with!(&mut *self.machine, machine => machine.next_state(state, &joint_move, next.as_mut_slice()));
        next
    }

    /// The next state, if the moves of the game are chosen by their indices among the legal ones.
    fn random_step(&mut self, state: &[usize], legal: &[u32]) -> Result<FixedBitSet, ComparedOutput> {
        let made = self.moves(&self.ply.made);
        let index = |role: usize| {
            let first = self.program.moves_of(Role::new(role)).start;
            let before = |&&chosen: &&u32| (first..made[role] as usize).contains(&(chosen as usize));
            legal.iter().filter(before).count()
        };
        let mut indices = (0..made.len()).map(index);
        let mut choose = |count: usize| indices.next().unwrap_or_default().min(count - 1);
        let mut next = FixedBitSet::with_capacity(self.program.bits());
        next.as_mut_slice().copy_from_slice(state);
        let mut joint_move = Vec::with_capacity(made.len());
        // A step that is not made leaves moves out.
        _ = with!(&mut *self.machine, machine => machine.random_step(next.as_mut_slice(), &mut joint_move, &mut choose));
        let wrong = (0..made.len()).find(|&role| joint_move.get(role) != Some(&made[role]));
        wrong.map_or(Ok(next), |role| Err(ComparedOutput::Choice(role)))
    }
}

/// The first number that is in one of two ordered lists alone.
fn first_difference(found: &[u32], expected: &[u32]) -> Option<usize> {
    let only = |some: &[u32], others: &[u32]| some.iter().copied().find(|one| !others.contains(one));
    (found != expected).then(|| only(found, expected).or_else(|| only(expected, found)).unwrap_or_default() as usize)
}
