//! Answers about many states beside the program.

use super::super::ask::{Answers, COLUMNS, GoalStates, Questions};
use super::super::back_ends::{BackEnds, Technique};
use super::super::error::{LanesError, made};
use super::super::forced::TargetError;
use super::super::inquiry::Inquiry;
use super::super::rows::Rows;
use super::super::target::Target;
use crate::program::{ComparedOutput, Deviation, Program, ROUNDS, ReferencePlay, SampledPly, SampledStates};
use gdl::limits::Limits;
use gdl::number::to_u32;
use ggp_game::Coding;
use std::sync::Arc;

/// What questions do without if the answers differ, in the order in which this is tried.
const PLAINER: [&[Technique]; 2] = [&[], &[Technique::MachineCode]];

/// The parts that answer questions, if they agree with the program, or those of the portable loop. Without some
/// techniques they are made of `made_of`: the program itself, or in tests a wrong one.
///
/// # Errors
/// If the limits end the work, or if even the portable loop differs.
pub(in super::super) fn agreeing<'p>(
    program: &'p Program,
    made_of: impl Fn(&[Technique]) -> &'p Program,
    coding: &Coding,
    target: Target,
    back_ends: &BackEnds,
    limits: &Limits,
) -> Result<Arc<Inquiry>, LanesError> {
    back_ends.first_agreeing(&PLAINER, Technique::Questions, |without| {
        let target = if without.contains(&Technique::MachineCode) { Target::Portable } else { target };
        let inquiry = Arc::new(Inquiry::on(made_of(without), coding, target, COLUMNS, &limits.poll())?);
        let mut compared = ComparedQuestions::new(Arc::clone(&inquiry), program, coding);
        let mut reference = ReferencePlay::new(program, compared.states());
        match reference.difference(ROUNDS, &limits.poll(), |samples| compared.compare(samples))? {
            Some(difference) => Err(LanesError::Differ(Box::new(difference))),
            None => Ok(inquiry),
        }
    })
}

impl Questions {
    /// Compiles a program for questions. Linear in its gates. Machine code with which the answers differ from the program gate by gate,
    /// in 4,096 states of random play and others, is left out of `back_ends`.
    ///
    /// # Errors
    /// If the interrupt or the deadline of the limits ends the work, or if even the portable loop differs.
    pub fn new(program: &Program, back_ends: &BackEnds, limits: &Limits) -> Result<Self, LanesError> {
        Self::coded(program, &Coding::new(program.bits(), &[]), back_ends, limits)
    }

    /// As [`Questions::new`], but without some techniques the answers come from another program: for tests of what
    /// finds that they differ.
    ///
    /// # Errors
    /// As there.
    pub fn compared<'p>(
        program: &'p Program,
        made_of: impl Fn(&[Technique]) -> &'p Program,
        back_ends: &BackEnds,
    ) -> Result<Self, LanesError> {
        let coding = Coding::new(program.bits(), &[]);
        let inquiry = agreeing(program, made_of, &coding, Target::fastest(), back_ends, &Limits::none())?;
        Ok(Self::for_inquiry(inquiry, coding.bits() as usize, program.roles.len()))
    }

    /// As [`Questions::new`], on a certain target.
    ///
    /// # Errors
    /// If this processor cannot run the target.
    ///
    /// # Panics
    /// If lanes on the target differ from the program: a fault of this library.
    pub fn on(program: &Program, target: Target) -> Result<Self, TargetError> {
        target.check()?;
        let coding = Coding::new(program.bits(), &[]);
        let inquiry = agreeing(program, |_| program, &coding, target, &BackEnds::strict(), &Limits::none());
        Ok(Self::for_inquiry(made(inquiry), coding.bits() as usize, program.roles.len()))
    }

    /// As [`Questions::new`], for states that are written in this code.
    pub(in super::super) fn coded(
        program: &Program,
        coding: &Coding,
        back_ends: &BackEnds,
        limits: &Limits,
    ) -> Result<Self, LanesError> {
        let target = Target::forced().unwrap_or_else(Target::fastest);
        let inquiry = agreeing(program, |_| program, coding, target, back_ends, limits)?;
        Ok(Self::for_inquiry(inquiry, coding.bits() as usize, program.roles.len()))
    }
}

/// Questions that are put to lanes whose answers are known.
pub(in super::super) struct ComparedQuestions<'a> {
    questions: Questions,
    answers: Answers,
    program: &'a Program,
    coding: &'a Coding,
}

/// The keys of states, and which of the states have one.
struct SampledKeys {
    rows: Rows,
    has_key: Vec<bool>,
}

impl<'a> ComparedQuestions<'a> {
    pub(in super::super) fn new(inquiry: Arc<Inquiry>, program: &'a Program, coding: &'a Coding) -> Self {
        let questions = Questions::for_inquiry(inquiry, coding.bits() as usize, program.roles.len());
        Self { questions, answers: Answers::default(), program, coding }
    }

    /// The states that can be compared: if facts exclude each other, only states of play have a key.
    fn states(&self) -> SampledStates {
        match self.coding.bits() as usize == self.program.bits() {
            true => SampledStates::Any,
            false => SampledStates::OfPlay,
        }
    }

    /// Compares the answers about samples.
    ///
    /// # Errors
    /// The first deviation.
    pub(in super::super) fn compare(&mut self, samples: &[SampledPly]) -> Result<(), Deviation> {
        samples.chunks_exact(COLUMNS).enumerate().try_for_each(|(index, samples)| {
            let compared = self.compare_answers(samples).and_then(|()| self.compare_next(samples));
            compared.map_err(|deviation| Deviation { sample: index * COLUMNS + deviation.sample, ..deviation })
        })
    }

    fn compare_answers(&mut self, samples: &[SampledPly]) -> Result<(), Deviation> {
        let SampledKeys { rows, has_key } = self.keys(samples, |sample| &sample.state);
        *self.questions.rows().0 = rows;
        self.questions.evaluate_rows(GoalStates::All, &mut self.answers);
        let program = self.program;
        let answers = &self.answers;
        let legal = expected(program.moves.len(), samples, |sample| sample.legal.iter().copied());
        let goals = expected(program.goals.len(), samples, |sample| sample.goals.iter().copied().enumerate());
        for game in (0..has_key.len()).filter(|&game| has_key[game]) {
            let terminal = samples[game / 64].terminal >> (game % 64) & 1 == 1;
            let what = match () {
                () if answers.is_terminal(game) != terminal => Some(ComparedOutput::Terminal),
                () => {
                    let chosen = answers.legal_rows().first_difference(&legal, game).map(ComparedOutput::Legal);
                    chosen.or_else(|| answers.goal_rows().first_difference(&goals, game).map(ComparedOutput::Goal))
                }
            };
            what.map_or(Ok(()), |what| Err(deviation(what, game)))?;
        }
        Ok(())
    }

    /// Compares the next states of those that were asked about last.
    fn compare_next(&mut self, samples: &[SampledPly]) -> Result<(), Deviation> {
        if self.program.moves.is_empty() {
            return Ok(());
        }
        let roles = self.program.roles.len();
        // Where a role has no move, the first of all is as good as any: the next state is not compared.
        let mut joint_moves = vec![0; samples.len() * 64 * roles];
        for (chosen, game) in in_games(samples, |sample| sample.made.iter().copied()) {
            joint_moves[game * roles + self.program.moves[chosen].role.index()] = to_u32(chosen);
        }
        let known = self.keys(samples, |sample| &sample.state).has_key;
        let SampledKeys { rows: expected, has_key } = self.keys(samples, |sample| &sample.next);
        let next = self.questions.next_rows(&joint_moves);
        for game in (0..has_key.len()).filter(|&game| known[game] && has_key[game]) {
            let is_stuck = samples[game / 64].stuck_games() >> (game % 64) & 1 == 1;
            if !is_stuck && next.row(game) != expected.row(game) {
                let bits = |row: &[u64]| {
                    let mut bits = Vec::new();
                    self.coding.read(row, |bit| bits.push(bit));
                    bits
                };
                let found = bits(next.row(game));
                let expected = bits(expected.row(game));
                let bit = (0..self.program.bits()).find(|bit| found.contains(bit) != expected.contains(bit));
                return Err(deviation(ComparedOutput::Next(bit.unwrap_or_default()), game));
            }
        }
        Ok(())
    }

    fn keys(&self, samples: &[SampledPly], words: impl Fn(&SampledPly) -> &[u64]) -> SampledKeys {
        let mut rows = Rows::default();
        rows.reset(self.coding.bits() as usize, samples.len() * 64);
        let states = samples.iter().flat_map(|sample| SampledPly::by_game(words(sample)));
        let has_key = states.enumerate().map(|(game, bits)| self.coding.write(bits, rows.row_mut(game))).collect();
        SampledKeys { rows, has_key }
    }
}

/// The rows of bits that samples have as words.
fn expected<'a, I: Iterator<Item = (usize, u64)>>(
    bits: usize,
    samples: &'a [SampledPly],
    words: impl Fn(&'a SampledPly) -> I,
) -> Rows {
    let mut rows = Rows::default();
    rows.reset(bits, samples.len() * 64);
    for (bit, game) in in_games(samples, words) {
        rows.row_mut(game)[bit / 64] |= 1 << (bit % 64);
    }
    rows
}

/// The indices of words with each game in which their bit is set.
fn in_games<'a, I: Iterator<Item = (usize, u64)>>(
    samples: &'a [SampledPly],
    words: impl Fn(&'a SampledPly) -> I,
) -> impl Iterator<Item = (usize, usize)> {
    samples.iter().enumerate().flat_map(move |(sample, ply)| {
        SampledPly::in_games(words(ply)).map(move |(index, game)| (index, sample * 64 + game))
    })
}

/// The deviation in a game of these samples, 64 of each.
fn deviation(what: ComparedOutput, game: usize) -> Deviation {
    Deviation { what, sample: game / 64, lane: to_u32(game % 64) }
}
