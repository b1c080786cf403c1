//! The plies of a batch beside the program.
//!
//! In each state are compared: terminal, the goals, the roles without a move, the largest rank of each choice, that no
//! greater rank is drawn, and the next state. The moves are those of the sample, whose ranks the choices are given.
//! Lanes that begin anew, and some that are held, are compared as well.

use super::super::batch::LaneBatch;
use super::super::choice::RoleContest;
use super::super::compiled_lanes::CompiledLanes;
use super::super::ply::Draws;
use super::super::ply_form::PlyForm;
use super::super::source::read;
use super::super::target::Target;
use super::super::vector::Unit;
use super::super::word::{Word, and, map, none, or, without};
use crate::program::{ComparedOutput, Deviation, NetworkState, ROUNDS, ReferencePlay, SampledPly, SampledStates};
use gdl::limits::unlimited;
use std::ptr;
use std::sync::Arc;

/// The lanes of each column that are held, if lanes ever are.
const HELD: u64 = 1 << 7 | 1 << 39;

impl<const W: usize> LaneBatch<W> {
    /// Keeps the moves that are made for [`LaneBatch::made`] from now on. Must be called before any state is set.
    pub(in super::super) fn keep_moves(&mut self) {
        self.take_form(PlyForm { keeps_moves: true, ..self.form() });
    }

    /// Prepares for games that begin in these states, of which neighbours may be the same. Must be called before any
    /// state is set.
    pub(in super::super) fn expect(&mut self, states: &[&NetworkState]) {
        let mut different = states.chunk_by(|one, next| ptr::eq(*one, *next)).map(|same| same[0]);
        let ignores_exclusion = !different.all(|state| self.compiled().exclusion_holds_from(state));
        self.take_form(PlyForm { ignores_exclusion, ..self.form() });
    }

    /// Changes how plies run: in this form or, if it differs from the program, on the portable loop. Must be called
    /// before any state is set.
    ///
    /// # Panics
    /// If the portable loop differs from the program as well, or nothing may be left out: a fault of this library.
    pub(in super::super) fn take_form(&mut self, form: PlyForm) {
        if form == self.form() {
            return;
        }
        let compiled = Arc::clone(self.compiled());
        let agreed = compiled.agreed(form).unwrap_or_else(|| {
            let agreed = agreeing::<W>(&compiled, form);
            compiled.agree(form, agreed);
            agreed
        });
        *self = Self::new(&compiled, agreed);
    }

    /// Compares the plies of this batch with samples. Overwrites all states.
    ///
    /// # Errors
    /// The first deviation.
    pub(in super::super) fn compare(&mut self, samples: &[SampledPly]) -> Result<(), Deviation> {
        (0..W).for_each(|column| self.random.seed(column, 0, column as u64));
        for (index, samples) in samples.chunks_exact(W).enumerate() {
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
    fn compare_bounds(&mut self, contests: &[RoleContest], columns: &SampledColumns<'_, W>) -> Result<(), Deviation> {
        for (index, contest) in contests.iter().enumerate() {
            let slots = self.layout().ranks[index];
            let first = slots.first as usize;
            let bits = slots.bits as usize;
            let mut used = none();
            for bit in (0..bits).rev() {
                let most = columns.word(|sample| sample.ranks[index].most(bit));
                used = or(&used, &most);
                let choice = ComparedOutput::Choice(contest.members[0].role);
                columns.agree(choice, &self.slots()[first + bit], &most)?;
                columns.agree(choice, &self.slots()[first + bits + bit], &used)?;
            }
        }
        Ok(())
    }

    /// Compares the roles without a move, and the ranks that are drawn with the largest ones.
    fn compare_draw(&mut self, contests: &[RoleContest], columns: &SampledColumns<'_, W>) -> Result<(), Deviation> {
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
            columns.agree(ComparedOutput::Choice(contest.members[0].role), &and(&is_above, &has_drawn), &none())?;
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
fn agreeing<const W: usize>(compiled: &Arc<CompiledLanes>, form: PlyForm) -> PlyForm {
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
    /// The index of the first.
    first: usize,
    /// The lanes that are compared.
    lanes: Word<W>,
    /// Whether the ply for usual states is compared.
    is_usual: bool,
}

impl<const W: usize> SampledColumns<'_, W> {
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
