//! What lanes are compared with: the program gate by gate, in games of random play.

use super::difference::LanesDifference;
use super::play::lanes;
use crate::limits::{Poll, Stopped};
use crate::program::{Program, SampledGames, WordSimulation};
use fixedbitset::FixedBitSet;

/// The plies of 64 games in a round of samples: one for each column of the widest batch.
const TOGETHER: usize = 16;

/// The states in a round of samples.
pub(super) const STATES_OF_ROUND: usize = 64 * TOGETHER;

/// The rounds of samples in each comparison: 5,120 states, of which a few make no move.
pub(super) const ROUNDS: usize = 5;

/// 64 games of random play in a program.
pub(super) struct Reference<'a> {
    program: &'a Program,
    simulation: WordSimulation,
    games: SampledGames,
    /// The states that are sampled.
    states: SampledStates,
}

/// Which states are sampled.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum SampledStates {
    /// Those of play.
    OfPlay,
    /// Also such as need not be reachable.
    Any,
}

/// A ply of 64 games. Each word has a bit for each game.
#[derive(Debug)]
pub(super) struct Sample {
    /// By bit, the states.
    pub(super) state: Vec<u64>,
    pub(super) terminal: u64,
    /// By move of the program, where it is legal, ...
    pub(super) legal: Vec<u64>,
    /// ... and where it is made.
    pub(super) made: Vec<u64>,
    /// By goal value of the program.
    pub(super) goals: Vec<u64>,
    /// By bit, the next states; unspecified where a role has no legal move.
    pub(super) next: Vec<u64>,
    /// The games in which some role has no legal move.
    pub(super) stuck: u64,
    /// The games that begin anew after the ply, those among them.
    pub(super) over: u64,
}

impl<'a> Reference<'a> {
    /// Games from the initial state of a program.
    pub(super) fn new(program: &'a Program, states: SampledStates) -> Self {
        Self { program, simulation: WordSimulation::of(program), games: SampledGames::of(program, 0), states }
    }

    fn sample(&mut self, poll: &Poll<'_>) -> Result<Sample, Stopped> {
        let Self { program, simulation, games, states } = self;
        if *states == SampledStates::Any {
            games.mutate();
            simulation.represent(&mut games.state);
        }
        games.moves.fill(0);
        simulation.enter(&games.state, poll)?;
        games.choose(simulation);
        let terminal = simulation.word(simulation.outputs.terminal);
        let goals = simulation.outputs.goals.iter().map(|&goal| simulation.word(goal)).collect();
        let legal = (0..program.moves.len()).map(|chosen| simulation.legal(chosen)).collect();
        simulation.advance(&games.moves, poll)?;
        let facts = || program.fact_of.iter().map(|&fact| fact as usize);
        let sample = Sample {
            state: facts().map(|fact| games.state[fact]).collect(),
            terminal,
            legal,
            made: games.moves.clone(),
            goals,
            next: facts().map(|fact| simulation.next(fact)).collect(),
            stuck: games.stuck,
            over: games.over(simulation),
        };
        games.advance(simulation);
        Ok(sample)
    }

    /// Compares lanes in this many rounds of samples; the first difference, if there is one.
    ///
    /// # Errors
    /// If the limits end the work.
    pub(super) fn difference(
        &mut self,
        rounds: usize,
        poll: &Poll<'_>,
        mut compare: impl FnMut(&[Sample]) -> Result<(), Deviation>,
    ) -> Result<Option<LanesDifference>, Stopped> {
        for _ in 0..rounds {
            let samples: Vec<Sample> = (0..TOGETHER).map(|_| self.sample(poll)).collect::<Result<_, _>>()?;
            if let Err(deviation) = compare(&samples) {
                return Ok(Some(self.described(deviation, &samples)));
            }
        }
        Ok(None)
    }

    /// What a deviation from these samples says.
    fn described(&self, Deviation { what, sample, lane }: Deviation, samples: &[Sample]) -> LanesDifference {
        let (program, sample) = (self.program, &samples[sample]);
        let holds = |word: u64| word >> lane & 1 == 1;
        let state: FixedBitSet = (0..program.bits()).filter(|&bit| holds(sample.state[bit])).collect();
        let role = |role: usize| &program.roles[role];
        let of_move = |relation: &str, chosen: usize| {
            let known = &program.moves[chosen];
            format!("`{relation}({},{})`", role(known.role.index()), known.term)
        };
        let subject = match what {
            Output::Terminal => "`terminal`".to_string(),
            Output::Legal(chosen) => of_move("legal", chosen),
            Output::Choice(index) => format!("the choice among the legal moves of `{}`", role(index)),
            Output::Goal(goal) => {
                let goal = &program.goals[goal];
                format!("`goal({},{})`", role(goal.role.index()), goal.value)
            }
            Output::Made(chosen) => of_move("does", chosen),
            Output::Next(bit) => format!("`next({})`", program.facts[program.fact_of[bit] as usize].0),
        };
        let depends_on_moves = matches!(what, Output::Made(_) | Output::Next(_));
        let made = program.moves.iter().zip(&sample.made).filter(|&(_, &made)| depends_on_moves && holds(made));
        LanesDifference {
            subject,
            state: program.facts_in(&state).cloned().collect(),
            joint_move: made.map(|(known, _)| known.term.clone()).collect(),
        }
    }
}

impl Sample {
    /// For each game, the indices of those words in which its bit is set, in order.
    pub(super) fn by_game(words: &[u64]) -> Vec<Vec<usize>> {
        let mut indices = vec![Vec::new(); 64];
        for (index, &word) in words.iter().enumerate() {
            lanes(word).for_each(|lane| indices[lane as usize].push(index));
        }
        indices
    }
}

/// What lanes compute.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum Output {
    Terminal,
    /// The legality of a move of the program.
    Legal(usize),
    /// The choice of a role.
    Choice(usize),
    /// A goal value of the program.
    Goal(usize),
    /// Whether a move of the program is made.
    Made(usize),
    /// A bit of the next state.
    Next(usize),
}

/// An output that differs from a sample.
#[derive(Clone, Copy, Debug)]
pub(super) struct Deviation {
    pub(super) what: Output,
    /// The index of the sample, ...
    pub(super) sample: usize,
    /// ... and the game.
    pub(super) lane: u32,
}
