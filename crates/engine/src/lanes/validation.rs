//! Translation validation: lanes in the form in which they will answer are run beside the program gate by gate
//! ([`crate::program::ReferencePlay`]), on states of random play, and all outputs are compared bit by bit (Pnueli,
//! Siegel and Singerman, Translation Validation, 1998). A form that differs never answers.
//!
//! Every ply and every inquiry that answers is compared where it is made: when the fastest form of random play is
//! chosen, when games begin in a state of another kind, and when questions are compiled. [`verify`] compares every form
//! on all targets that this processor has. The counting of games is no part of a form, and is not compared.
//!
//! In each state of a ply are compared: terminal, the goals, the roles without a move, the largest rank of each choice,
//! that no greater rank is drawn, and the next state. The moves are those of the sample, whose ranks the choices are
//! given. Lanes that begin anew, and some that are held, are compared as well.

use super::ask::{Answers, COLUMNS, GoalStates, Inquiry, Questions};
use super::back_ends::{BackEnds, LanesError, Technique, made};
use super::batch::LaneBatch;
use super::choice::GuardedCandidates;
use super::compiled_lanes::CompiledLanes;
use super::machine::Function;
use super::ply::{Draws, PlyForm};
use super::rows::Rows;
use super::steps::Steps;
use super::target::{Target, TargetError};
use super::vector::{MachineCode, Unit};
use super::width::{AnyBatch, Width, assume_usual_if_large};
use super::word::{Word, and, map, none, or, read, without};
use crate::program::{
    ComparedOutput, Deviation, FormDifference, NetworkState, Program, ROUNDS, ReferencePlay, STATES_OF_ROUND,
    SampledPly, SampledStates,
};
use gdl::limits::{Limits, Stop, unlimited};
use gdl::number::to_u32;
use ggp_game::Coding;
use serde::Serialize;
use std::ptr;
use std::sync::Arc;

/// The techniques that questions do without if the answers differ, in the order in which this is tried.
const PLAINER: [&[Technique]; 2] = [&[], &[Technique::MachineCode]];

/// The parts that answer questions, if they agree with the program, or those of the portable loop. `made_of` gives the
/// program of which parts without some techniques are made: the program itself, or in tests a wrong one.
///
/// # Errors
/// If the limits end the work, or if even the portable loop differs.
pub(super) fn agreeing_inquiry<'p>(
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
    /// Compiles a program for questions. Linear in its gates. Machine code with which the answers differ from the
    /// program gate by gate, in 4,096 states of random play and others, is left out of `back_ends`.
    ///
    /// # Errors
    /// If the interrupt or the deadline of the limits ends the work, or if even the portable loop differs.
    pub fn new(program: &Program, back_ends: &BackEnds, limits: &Limits) -> Result<Self, LanesError> {
        Self::coded(program, &Coding::new(program.bits(), &[]), back_ends, limits)
    }

    /// As [`Questions::new`], but the answers that do without these techniques come from another program: for tests of
    /// the comparison.
    ///
    /// # Errors
    /// As there.
    pub fn compared<'p>(
        program: &'p Program,
        made_of: impl Fn(&[Technique]) -> &'p Program,
        back_ends: &BackEnds,
    ) -> Result<Self, LanesError> {
        let coding = Coding::new(program.bits(), &[]);
        let inquiry = agreeing_inquiry(program, made_of, &coding, Target::fastest(), back_ends, &Limits::none())?;
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
        let inquiry = agreeing_inquiry(program, |_| program, &coding, target, &BackEnds::strict(), &Limits::none());
        Ok(Self::for_inquiry(made(inquiry), coding.bits() as usize, program.roles.len()))
    }

    /// As [`Questions::new`], for states that are written in this code.
    pub(super) fn coded(
        program: &Program,
        coding: &Coding,
        back_ends: &BackEnds,
        limits: &Limits,
    ) -> Result<Self, LanesError> {
        let target = Target::forced().unwrap_or_else(Target::fastest);
        let inquiry = agreeing_inquiry(program, |_| program, coding, target, back_ends, limits)?;
        Ok(Self::for_inquiry(inquiry, coding.bits() as usize, program.roles.len()))
    }
}

/// Questions whose answers are compared with the program.
struct ComparedQuestions<'a> {
    questions: Questions,
    answers: Answers,
    program: &'a Program,
    coding: &'a Coding,
}

impl<'a> ComparedQuestions<'a> {
    fn new(inquiry: Arc<Inquiry>, program: &'a Program, coding: &'a Coding) -> Self {
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
    fn compare(&mut self, samples: &[SampledPly]) -> Result<(), Deviation> {
        samples.chunks_exact(COLUMNS).enumerate().try_for_each(|(index, samples)| {
            let compared = self.compare_answers(samples).and_then(|()| self.compare_next(samples));
            compared.map_err(|deviation| Deviation { sample: index * COLUMNS + deviation.sample, ..deviation })
        })
    }

    fn compare_answers(&mut self, samples: &[SampledPly]) -> Result<(), Deviation> {
        let (rows, has_key) = self.keys(samples, |sample| &sample.state);
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
        let (_, known) = self.keys(samples, |sample| &sample.state);
        let (expected, has_key) = self.keys(samples, |sample| &sample.next);
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

    /// The keys of states, and for each state true if it has one: a state that is not reachable may have none.
    fn keys(&self, samples: &[SampledPly], words: impl Fn(&SampledPly) -> &[u64]) -> (Rows, Vec<bool>) {
        let mut rows = Rows::default();
        rows.reset(self.coding.bits() as usize, samples.len() * 64);
        let states = samples.iter().flat_map(|sample| SampledPly::by_game(words(sample)));
        let has_key = states.enumerate().map(|(game, bits)| self.coding.write(bits, rows.row_mut(game))).collect();
        (rows, has_key)
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

/// The lanes of each column that are held, if lanes ever are.
const HELD: u64 = 1 << 7 | 1 << 39;

impl<const W: usize> LaneBatch<W> {
    /// Keeps the moves that are made for [`LaneBatch::made`] from now on. Must be called before any state is set.
    pub(super) fn keep_moves(&mut self) {
        self.take_form(PlyForm { keeps_moves: true, ..self.form() });
    }

    /// Prepares for games that begin in these states, of which neighbours may be the same. Must be called before any
    /// state is set.
    pub(super) fn expect(&mut self, states: &[&NetworkState]) {
        let mut different = states.chunk_by(|one, next| ptr::eq(*one, *next)).map(|same| same[0]);
        let ignores_exclusion = !different.all(|state| self.compiled().exclusion_holds_from(state));
        self.take_form(PlyForm { ignores_exclusion, ..self.form() });
    }

    /// Changes how plies run: in this form or, if it differs from the program, on the portable loop. Must be called
    /// before any state is set.
    ///
    /// # Panics
    /// If the portable loop differs from the program as well, or nothing may be left out: a fault of this library.
    pub(super) fn take_form(&mut self, form: PlyForm) {
        if form == self.form() {
            return;
        }
        let compiled = Arc::clone(self.compiled());
        let agreed = compiled.agreed(form).unwrap_or_else(|| {
            let agreed = agreeing_form::<W>(&compiled, form);
            compiled.agree(form, agreed);
            agreed
        });
        *self = Self::new(&compiled, agreed);
    }

    /// Compares the plies of this batch with samples. Overwrites all states.
    ///
    /// # Errors
    /// The first deviation.
    pub(super) fn compare(&mut self, samples: &[SampledPly]) -> Result<(), Deviation> {
        (0..W).for_each(|column| self.random.seed(column, 0, column as u64));
        for (index, samples) in samples.chunks_exact(W).enumerate() {
            // Both plies of the batch answer, each for its states.
            for is_usual in [false, true] {
                if self.assume_usual(is_usual) {
                    self.load(samples);
                    let lanes = if is_usual { self.usual_lanes() } else { [u64::MAX; W] };
                    self.compare_ply(&SampledColumns { samples, first: index * W, lanes, is_usual })?;
                }
            }
        }
        self.assume_usual(false);
        Ok(())
    }

    fn load(&mut self, samples: &[SampledPly]) {
        for (bit, word) in self.bits().iter_mut().enumerate() {
            *word = std::array::from_fn(|column| samples[column].state[bit]);
        }
    }

    /// The lanes in which no rare bit is set.
    fn usual_lanes(&mut self) -> Word<W> {
        let compiled = Arc::clone(self.compiled());
        let rare = compiled.rare().into_iter().flat_map(|rare| rare.ones());
        let bits = self.bits();
        rare.fold([u64::MAX; W], |lanes, bit| without(&lanes, &bits[bit]))
    }

    /// Compares the ply that is right for the states.
    fn compare_ply(&mut self, columns: &SampledColumns<'_, W>) -> Result<(), Deviation> {
        let terminal = self.evaluate_state();
        columns.agree(ComparedOutput::Terminal, &terminal, &columns.word(|sample| sample.terminal))?;
        self.evaluate_goals();
        for goal in 0..self.layout().goals.len() {
            columns.agree(
                ComparedOutput::Goal(goal),
                &self.valued(goal),
                &columns.word(|sample| sample.goals[goal]),
            )?;
        }
        let compiled = Arc::clone(self.compiled());
        let contests = compiled.choices(self.form()).contests();
        self.compare_bounds(contests, columns)?;
        self.compare_draw(contests, columns)?;
        self.set_ranks(columns);
        self.compare_step(columns)
    }

    /// Compares the largest ranks.
    fn compare_bounds(
        &mut self,
        contests: &[Vec<GuardedCandidates>],
        columns: &SampledColumns<'_, W>,
    ) -> Result<(), Deviation> {
        for (index, contest) in contests.iter().enumerate() {
            let slots = self.layout().ranks[index];
            let first = slots.first as usize;
            let bits = slots.bits as usize;
            let mut used = none();
            for bit in (0..bits).rev() {
                let most = columns.word(|sample| sample.ranks[index].most(bit));
                used = or(&used, &most);
                let choice = ComparedOutput::Choice(contest[0].role);
                columns.agree(choice, &self.slots()[first + bit], &most)?;
                columns.agree(choice, &self.slots()[first + bits + bit], &used)?;
            }
        }
        Ok(())
    }

    /// Compares the roles without a move, and the ranks that are drawn with the largest ones.
    fn compare_draw(
        &mut self,
        contests: &[Vec<GuardedCandidates>],
        columns: &SampledColumns<'_, W>,
    ) -> Result<(), Deviation> {
        let live = and(&columns.lanes, &columns.word(|sample| !sample.over | sample.stuck_games()));
        self.draw(&live, Draws::ByPace);
        for (role, stuck) in self.stuck.iter().enumerate() {
            columns.agree(
                ComparedOutput::Choice(role),
                stuck,
                &and(&live, &columns.word(|sample| sample.stuck[role])),
            )?;
        }
        let has_drawn = without(&live, &self.held);
        for (index, contest) in contests.iter().enumerate() {
            let slots = self.layout().ranks[index];
            let first = slots.first as usize;
            let bits = slots.bits as usize;
            let slots = self.slots();
            // From the lowest bit on: above if so in this bit, or equal in this bit and above in the lower ones.
            let is_above = (0..bits).fold(none(), |is_above, bit| {
                let most = &slots[first + bit];
                let rank = &slots[first + 2 * bits + bit];
                or(&without(rank, most), &without(&is_above, &without(most, rank)))
            });
            columns.agree(ComparedOutput::Choice(contest[0].role), &and(&is_above, &has_drawn), &none())?;
        }
        Ok(())
    }

    /// Replaces the ranks that were drawn by those of the samples' moves.
    fn set_ranks(&mut self, columns: &SampledColumns<'_, W>) {
        for index in 0..self.layout().ranks.len() {
            let slots = self.layout().ranks[index];
            for bit in 0..slots.bits as usize {
                let chosen = columns.word(|sample| sample.ranks[index].chosen(bit));
                self.slots()[(slots.first + 2 * slots.bits) as usize + bit] = chosen;
            }
        }
    }

    /// Makes the moves of the samples, and compares the next states.
    fn compare_step(&mut self, columns: &SampledColumns<'_, W>) -> Result<(), Deviation> {
        let compiled = Arc::clone(self.compiled());
        let fresh = columns.word(|sample| sample.over);
        let leaves = self.layout().leaves;
        self.held = match self.layout().going.holds {
            Some(_) => without(&[HELD; W], &fresh),
            None => none(),
        };
        let held = self.held;
        self.descend(&without(&[u64::MAX; W], &fresh));
        let is_kept = !self.layout().moves.is_empty();
        self.advance(&fresh);
        let going = without(&[u64::MAX; W], &or(&held, &fresh));
        if is_kept {
            for (_, candidate) in compiled.choices.candidates() {
                let chosen = candidate.index as usize;
                let made = and(&going, &columns.word(|sample| sample.games_making(chosen)));
                columns.agree(ComparedOutput::Made(chosen), &self.made(candidate), &made)?;
            }
        }
        let mut leaving = none();
        let rare = if columns.is_usual { compiled.rare() } else { None };
        for bit in 0..compiled.bits {
            let initial = if compiled.initial().contains(bit) { fresh } else { none() };
            let kept = and(&held, &columns.word(|sample| sample.state[bit]));
            let next = or(&and(&going, &columns.word(|sample| sample.next[bit])), &or(&kept, &initial));
            columns.agree(ComparedOutput::Next(bit), &self.slots()[bit], &next)?;
            if rare.is_some_and(|rare| rare.contains(bit)) {
                leaving = or(&leaving, &next);
            }
        }
        match rare.and_then(|rare| rare.ones().next()) {
            Some(bit) => columns.agree(ComparedOutput::Next(bit), &read(self.slots(), leaves), &leaving),
            None => Ok(()),
        }
    }
}

/// The form itself if its plies agree with the program, or else that of the portable loop.
///
/// # Panics
/// If the portable loop differs as well, or nothing may be left out.
fn agreeing_form<const W: usize>(compiled: &Arc<CompiledLanes>, form: PlyForm) -> PlyForm {
    // Choices that rely on no exclusion are for states of any origin.
    let states = if form.ignores_exclusion { SampledStates::Any } else { SampledStates::OfPlay };
    let difference = |form: PlyForm| {
        let mut batch = LaneBatch::<W>::new(compiled, form);
        let mut reference =
            ReferencePlay::new(&compiled.program, states).with_choices(compiled.choices(form).contested());
        unlimited(|limits| reference.difference(ROUNDS, &limits.poll(), |samples| batch.compare(samples)))
    };
    let Some(found) = difference(form) else { return form };
    let portable = PlyForm { target: Target::Portable, unit: Unit::BASELINE, ..form };
    let agrees = compiled.back_ends.leave_out_machine_code(&found) && difference(portable).is_none();
    assert!(agrees, "{}", found.report("lanes"));
    portable
}

/// Samples, one for each column of a batch.
struct SampledColumns<'a, const W: usize> {
    samples: &'a [SampledPly],
    /// The index of the first sample.
    first: usize,
    /// The lanes that are compared.
    lanes: Word<W>,
    /// The ply for usual states is compared.
    is_usual: bool,
}

impl<const W: usize> SampledColumns<'_, W> {
    /// The word that has a column from each sample.
    fn word(&self, of: impl Fn(&SampledPly) -> u64) -> Word<W> {
        let mut word = none();
        for (column, sample) in self.samples.iter().enumerate().take(W) {
            word[column] = of(sample);
        }
        word
    }

    /// An error if two words differ in a lane that is compared.
    fn agree(&self, what: ComparedOutput, found: &Word<W>, expected: &Word<W>) -> Result<(), Deviation> {
        let differing = and(&self.lanes, &map(found, expected, |found, expected| found ^ expected));
        let column = differing.iter().position(|&lanes| lanes != 0);
        column.map_or(Ok(()), |column| {
            Err(Deviation { what, sample: self.first + column, lane: differing[column].trailing_zeros() })
        })
    }
}

/// The result of the comparison of lanes on a target with the program.
#[derive(Clone, PartialEq, Eq, Debug, Serialize)]
pub struct VerifiedTarget {
    /// The name of the target.
    pub target: &'static str,
    /// The number of states that were compared; `None` if the target cannot run here.
    pub states: Option<usize>,
    /// The first difference between lanes on the target and the program.
    pub difference: Option<FormDifference>,
}

/// Compares lanes on all targets that this processor has with the program gate by gate, on about `states` states of
/// random play, at least 1,024: random play in all forms and widths, and questions about states of any origin. The same
/// states are compared on every machine. `watch` is told the name of each target before its turn.
///
/// The lanes are made of `made_of`: the program itself, or in tests a wrong one.
///
/// # Errors
/// If the interrupt or the deadline of the limits ends the work.
pub fn verify(
    program: &Program,
    made_of: &Program,
    states: usize,
    limits: &Limits,
    watch: &dyn Fn(&'static str),
) -> Result<Vec<VerifiedTarget>, Stop> {
    let compiled = Arc::new(CompiledLanes::new(made_of, &BackEnds::default(), &[], limits)?);
    assume_usual_if_large(&compiled, Width::W512, Width::W512.form(Target::Portable), limits)?;
    let rounds = states.div_ceil(STATES_OF_ROUND);
    let verified = |target: Target| {
        watch(target.name());
        let is_here = runs_here(target);
        let difference =
            if is_here { first_difference(program, made_of, &compiled, target, rounds, limits)? } else { None };
        let states = is_here.then_some(rounds * STATES_OF_ROUND);
        Ok(VerifiedTarget { target: target.name(), states, difference })
    };
    Target::ALL.into_iter().map(verified).collect()
}

/// True if this processor has the target, and the system lets processes generate code for it.
fn runs_here(target: Target) -> bool {
    let loads = || MachineCode::load(&Function::new(target, &Steps::default(), target.columns())?);
    target == Target::Portable || loads().is_some()
}

/// The first difference of lanes on a target.
fn first_difference(
    program: &Program,
    made_of: &Program,
    compiled: &Arc<CompiledLanes>,
    target: Target,
    rounds: usize,
    limits: &Limits,
) -> Result<Option<FormDifference>, Stop> {
    let poll = &limits.poll();
    let in_play = |form: PlyForm| [form, PlyForm { keeps_moves: true, ..form }];
    let mut of_play = batches(compiled, target, in_play, limits)?;
    let mut reference = ReferencePlay::new(program, SampledStates::OfPlay).with_choices(compiled.choices.contested());
    let found = reference
        .difference(rounds, poll, |samples| of_play.iter_mut().try_for_each(|batch| batch.compare(samples)))?;
    if found.is_some() {
        return Ok(found);
    }
    // Batches of large games take much memory.
    drop(of_play);
    let general = |form: PlyForm| PlyForm { ignores_exclusion: true, ..form };
    let mut without_exclusion = batches(compiled, target, |form| [general(form)], limits)?;
    let coding = Coding::new(program.bits(), &[]);
    let inquiry = Inquiry::on(made_of, &coding, target, COLUMNS, poll)?;
    let mut questions = ComparedQuestions::new(Arc::new(inquiry), program, &coding);
    let choices = compiled.choices(general(Width::W1024.form(target)));
    ReferencePlay::new(program, SampledStates::Any).with_choices(choices.contested()).difference(
        rounds,
        poll,
        |samples| {
            without_exclusion.iter_mut().try_for_each(|batch| batch.compare(samples))?;
            questions.compare(samples)
        },
    )
}

/// Batches of all widths that run on a target, in these forms.
fn batches<const N: usize>(
    compiled: &Arc<CompiledLanes>,
    target: Target,
    forms: impl Fn(PlyForm) -> [PlyForm; N],
    limits: &Limits,
) -> Result<Vec<Box<dyn AnyBatch>>, Stop> {
    let mut batches = Vec::new();
    let mut last = None;
    let widths = Width::ALL.map(|width| (width, width.form(target)));
    for (width, form) in widths.into_iter().filter(|(_, form)| form.target == target) {
        for form in forms(form) {
            compiled.ply_after(&mut last, form, &limits.poll())?;
            batches.push(width.batch(compiled, form));
        }
    }
    Ok(batches)
}
