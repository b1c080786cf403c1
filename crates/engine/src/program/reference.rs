//! The reference with which lanes and evaluators are compared: games of random play, in which the program is evaluated
//! gate by gate.

use super::simulation::{SampledGames, WordSimulation, ones};
use super::{Program, Wire};
use fixedbitset::FixedBitSet;
use gdl::limits::{Poll, Stop};
use gdl::rules::GroundTerm;
use serde::Serialize;
use std::fmt;

/// The number of plies in a round of samples: one for each column of the widest batch. Each ply is that of 64 games.
const PLIES_OF_ROUND: usize = 16;

/// The number of states in a round of samples.
pub(crate) const STATES_OF_ROUND: usize = 64 * PLIES_OF_ROUND;

/// The number of rounds of samples in a comparison: 4,096 states. In a few of them no joint move is made, since a role
/// has no legal move.
pub(crate) const ROUNDS: usize = 4;

/// 64 games of random play in a program, side by side. A game is one bit of each word.
pub(crate) struct ReferencePlay<'a> {
    program: &'a Program,
    simulation: WordSimulation,
    games: SampledGames,
    /// The kind of states that are sampled.
    states: SampledStates,
    /// The choice to which each move of the program belongs, if it belongs to one.
    choice_of: Vec<Option<u32>>,
    /// The number of choices.
    choices: usize,
}

/// The kind of states that are sampled.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum SampledStates {
    /// States that random play reaches.
    OfPlay,
    /// Also states that may not be reachable: some fluents of some games are changed at random before each ply.
    Any,
}

/// A ply of 64 games: in each word the bits stand for the games.
#[derive(Debug)]
pub(crate) struct SampledPly {
    /// For each bit of a state, the games in which it is set.
    pub(crate) state: Vec<u64>,
    /// The games whose state is terminal.
    pub(crate) terminal: u64,
    /// The moves of the program that are legal in some game, in order, each with the games in which it is legal.
    pub(crate) legal: Vec<(usize, u64)>,
    /// The moves that are made, in the same form.
    pub(crate) made: Vec<(usize, u64)>,
    /// For each choice, the ranks of its moves.
    pub(crate) ranks: Vec<SampledRanks>,
    /// For each goal value of the program, the games in which it holds.
    pub(crate) goals: Vec<u64>,
    /// For each feature of the program, the games in which it holds.
    pub(crate) features: Vec<u64>,
    /// For each bit, the games in whose next state it is set; unspecified where a role has no legal move.
    pub(crate) next: Vec<u64>,
    /// For each role, the games in which it has no legal move.
    pub(crate) stuck: Vec<u64>,
    /// The games that begin anew after the ply. Those in which a role has no legal move are among them.
    pub(crate) over: u64,
}

/// The ranks of the moves of a choice, as [`bit_words`]: the rank of a move is the number of legal moves of the choice
/// before it.
#[derive(Debug)]
pub(crate) struct SampledRanks {
    /// The largest rank; 0 if there is no move.
    most: Vec<u64>,
    /// The rank of the move that is made; 0 if there is none.
    chosen: Vec<u64>,
}

impl<'a> ReferencePlay<'a> {
    /// Games from the initial state of a program.
    pub(crate) fn new(program: &'a Program, states: SampledStates) -> Self {
        Self {
            program,
            simulation: WordSimulation::from_program(program),
            games: SampledGames::from_program(program, 0),
            states,
            choice_of: vec![None; program.moves.len()],
            choices: 0,
        }
    }

    /// The play with samples of the ranks of these choices. Each choice is given by the indices of its moves in
    /// [`Program::moves`].
    pub(crate) fn with_choices<I: Iterator<Item = u32>>(mut self, choices: impl Iterator<Item = I>) -> Self {
        for (index, candidates) in (0..).zip(choices) {
            candidates.for_each(|candidate| self.choice_of[candidate as usize] = Some(index));
            self.choices = index as usize + 1;
        }
        self
    }

    /// The plies of the next round.
    ///
    /// # Errors
    /// If the limits end the work.
    pub(crate) fn round(&mut self, poll: &Poll<'_>) -> Result<Vec<SampledPly>, Stop> {
        (0..PLIES_OF_ROUND).map(|_| self.sample(poll)).collect()
    }

    /// Plays one ply, and returns it.
    fn sample(&mut self, poll: &Poll<'_>) -> Result<SampledPly, Stop> {
        let Self { program, simulation, games, states, choice_of, choices } = self;
        if *states == SampledStates::Any {
            games.mutate();
            // A change may have set a fluent apart from the one that represents it.
            simulation.represent(&mut games.state);
        }
        simulation.enter(&games.state, poll)?;
        games.choose(simulation);
        let terminal = simulation.word(simulation.outputs.terminal);
        let words = |wires: &[Wire]| wires.iter().map(|&wire| simulation.word(wire)).collect();
        let goals = words(&simulation.outputs.goals);
        let features = words(&simulation.outputs.features);
        let legal = (0..program.moves.len()).map(|chosen| simulation.legal(chosen));
        let legal = nonzero(legal);
        let made = nonzero(games.moves.iter().copied());
        let mut stuck = vec![u64::MAX; program.roles.len()];
        legal.iter().for_each(|&(chosen, games)| stuck[program.moves[chosen].role.index()] &= !games);
        simulation.advance(&games.moves, poll)?;
        let facts = || program.fact_of.iter().map(|&fact| fact as usize);
        let sample = SampledPly {
            state: facts().map(|fact| games.state[fact]).collect(),
            terminal,
            ranks: SampledRanks::from_moves(&legal, &games.moves, choice_of, *choices),
            legal,
            made,
            goals,
            features,
            next: facts().map(|fact| simulation.next(fact)).collect(),
            stuck,
            over: games.over(simulation),
        };
        games.advance(simulation);
        Ok(sample)
    }

    /// The first difference that `compare` finds in this many rounds of samples, if there is one.
    ///
    /// # Errors
    /// If the limits end the work.
    pub(crate) fn difference(
        &mut self,
        rounds: usize,
        poll: &Poll<'_>,
        mut compare: impl FnMut(&[SampledPly]) -> Result<(), Deviation>,
    ) -> Result<Option<FormDifference>, Stop> {
        for _ in 0..rounds {
            let samples = self.round(poll)?;
            if let Err(deviation) = compare(&samples) {
                return Ok(Some(deviation.described(self.program, &samples)));
            }
        }
        Ok(None)
    }
}

/// The words that are not zero, with their indices.
fn nonzero(words: impl Iterator<Item = u64>) -> Vec<(usize, u64)> {
    words.enumerate().filter(|&(_, word)| word != 0).collect()
}

impl SampledPly {
    /// The pairs of the index of a word and a game whose bit is set in it.
    pub(crate) fn in_games(words: impl Iterator<Item = (usize, u64)>) -> impl Iterator<Item = (usize, usize)> {
        words.flat_map(|(index, word)| ones(word).map(move |game| (index, game)))
    }

    /// For each game, the indices of the words in which its bit is set, in order.
    pub(crate) fn by_game(words: &[u64]) -> Vec<Vec<usize>> {
        let in_games = || Self::in_games(words.iter().copied().enumerate());
        // Counted first, so that each list is allocated once.
        let mut counts = [0; 64];
        in_games().for_each(|(_, game)| counts[game] += 1);
        let mut indices: Vec<Vec<usize>> = counts.into_iter().map(Vec::with_capacity).collect();
        in_games().for_each(|(index, game)| indices[game].push(index));
        indices
    }

    /// The games in which a move is made.
    pub(crate) fn games_making(&self, chosen: usize) -> u64 {
        self.made.binary_search_by_key(&chosen, |&(index, _)| index).map_or(0, |found| self.made[found].1)
    }

    /// The games in which some role has no legal move.
    pub(crate) fn stuck_games(&self) -> u64 {
        self.stuck.iter().fold(0, |all, games| all | games)
    }
}

impl SampledRanks {
    /// The ranks of each choice in a ply in which these moves are legal and made.
    fn from_moves(legal: &[(usize, u64)], made: &[u64], choice_of: &[Option<u32>], choices: usize) -> Vec<Self> {
        let mut ranks = vec![([0_u32; 64], [0_u32; 64]); choices];
        for &(index, games) in legal {
            let Some((counts, chosen)) = choice_of[index].map(|choice| &mut ranks[choice as usize]) else { continue };
            // The count so far is the rank of this move.
            ones(made[index]).for_each(|lane| chosen[lane] = counts[lane]);
            ones(games).for_each(|lane| counts[lane] += 1);
        }
        let ranks = ranks.into_iter().map(|(counts, chosen)| {
            let most = counts.map(|count| count.saturating_sub(1));
            Self { most: bit_words(&most), chosen: bit_words(&chosen) }
        });
        ranks.collect()
    }

    /// The games in which a bit of the largest rank is set.
    pub(crate) fn most(&self, bit: usize) -> u64 {
        self.most.get(bit).copied().unwrap_or(0)
    }

    /// The games in which a bit of the rank of the move that is made is set.
    pub(crate) fn chosen(&self, bit: usize) -> u64 {
        self.chosen.get(bit).copied().unwrap_or(0)
    }
}

/// The bits of one number for each game: a word for each bit, the lowest first, up to the highest that is set in any.
fn bit_words(numbers: &[u32; 64]) -> Vec<u64> {
    let all = numbers.iter().fold(0, |all, number| all | number);
    let word = |bit: u32| numbers.iter().rev().fold(0, |games, number| games << 1 | u64::from(number >> bit & 1));
    (0..u32::BITS - all.leading_zeros()).map(word).collect()
}

/// An output of a program, which is compared.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum ComparedOutput {
    /// The end of the game.
    Terminal,
    /// The legality of a move of the program.
    Legal(usize),
    /// The choice of a role.
    Choice(usize),
    /// A goal value of the program.
    Goal(usize),
    /// A feature of the program.
    Feature(usize),
    /// The making of a move of the program.
    Made(usize),
    /// A bit of the next state.
    Next(usize),
}

/// An output that differs from that of a sample.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Deviation {
    /// The output.
    pub(crate) what: ComparedOutput,
    /// The index of the sample.
    pub(crate) sample: usize,
    /// The number of the game in the sample.
    pub(crate) lane: u32,
}

impl Deviation {
    /// The difference in words: the output, the state and, if it matters, the joint move.
    pub(crate) fn described(self, program: &Program, samples: &[SampledPly]) -> FormDifference {
        let Self { what, sample, lane } = self;
        let sample = &samples[sample];
        let holds = |word: u64| word >> lane & 1 == 1;
        let state: FixedBitSet = (0..program.bits()).filter(|&bit| holds(sample.state[bit])).collect();
        let role = |role: usize| &program.roles[role];
        let of_move = |relation: &str, chosen: usize| {
            let known = &program.moves[chosen];
            format!("`{relation}({},{})`", role(known.role.index()), known.term)
        };
        let subject = match what {
            ComparedOutput::Terminal => "`terminal`".to_string(),
            ComparedOutput::Legal(chosen) => of_move("legal", chosen),
            ComparedOutput::Choice(index) => format!("the choice among the legal moves of `{}`", role(index)),
            ComparedOutput::Goal(goal) => {
                let goal = &program.goals[goal];
                format!("`goal({},{})`", role(goal.role.index()), goal.value)
            }
            ComparedOutput::Feature(feature) => format!("`{}`", program.features[feature]),
            ComparedOutput::Made(chosen) => of_move("does", chosen),
            ComparedOutput::Next(bit) => format!("`next({})`", program.facts[program.fact_of[bit] as usize].0),
        };
        let depends_on_moves = matches!(what, ComparedOutput::Made(_) | ComparedOutput::Next(_));
        let made = sample.made.iter().filter(|&&(_, made)| depends_on_moves && holds(made));
        FormDifference {
            subject,
            state: program.facts_in(&state).cloned().collect(),
            joint_move: made.map(|&(chosen, _)| program.moves[chosen].term.clone()).collect(),
        }
    }
}

/// The first state in which a form of a program differs from the program gate by gate: a fault of this library.
#[derive(Clone, PartialEq, Eq, Debug, Serialize)]
pub struct FormDifference {
    /// The output that is wrong: `terminal`, an instance of `legal`, `goal`, `next` or a feature, or the choice of a
    /// role.
    pub subject: String,
    /// The facts of the state, in canonical order.
    pub state: Vec<GroundTerm>,
    /// The move of each role, if the next state is wrong.
    pub joint_move: Vec<GroundTerm>,
}

impl fmt::Display for FormDifference {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Self { subject, state, joint_move } = self;
        write!(formatter, "{subject} is wrong")?;
        write_state(formatter, state, joint_move)
    }
}

impl FormDifference {
    /// The message that even the plainest of these forms, such as `lanes`, differ.
    pub(crate) fn report(&self, forms: &str) -> String {
        format!("{forms} differ from the network: {self}; please report the sheet")
    }
}

/// Writes the state and, if there are any, the moves.
pub(crate) fn write_state(
    formatter: &mut fmt::Formatter<'_>,
    state: &[GroundTerm],
    joint_move: &[GroundTerm],
) -> fmt::Result {
    let list = |terms: &[GroundTerm]| terms.iter().map(ToString::to_string).collect::<Vec<_>>().join(" ");
    write!(formatter, " in the state {}", list(state))?;
    match joint_move {
        [] => Ok(()),
        joint_move => write!(formatter, " with the moves {}", list(joint_move)),
    }
}

/// Writes that something is left out because it makes this difference.
pub(crate) fn write_left_out(
    formatter: &mut fmt::Formatter<'_>,
    what: impl fmt::Display,
    difference: impl fmt::Display,
) -> fmt::Result {
    write!(formatter, "{what} is left out, since it changes the game: {difference}; ")?;
    write!(formatter, "please report the sheet (`ggp propnet verify` writes a report)")
}
