//! The widths of batches, and a batch of any width.

use super::batch::LaneBatch;
use super::compiled_lanes::CompiledLanes;
use super::lines::{self, Line};
use super::outcomes::Outcomes;
use super::play;
use super::ply_form::PlyForm;
use super::rare_bits;
use super::rollouts::{self, RandomGames, Rollouts};
use super::target::Target;
use super::vector::Unit;
use super::work::{ColumnQueue, Request};
use crate::program::{Deviation, NetworkState, SampledPly};
use fixedbitset::FixedBitSet;
use gdl::limits::{Limits, Stop};
use ggp_game::Utility;
use std::sync::Arc;
use std::time::Duration;

/// The number of games in a batch.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Width {
    /// 64 games.
    W64,
    /// 128 games.
    W128,
    /// 256 games.
    W256,
    /// 512 games.
    W512,
    /// 1024 games.
    W1024,
}

impl Width {
    /// All widths, in ascending order.
    pub const ALL: [Self; 5] = [Self::W64, Self::W128, Self::W256, Self::W512, Self::W1024];

    /// The widths of which the fastest is chosen by measurement.
    pub(super) const TRIED: [Self; 3] = [Self::W1024, Self::W512, Self::W256];

    /// The widths that are measured if the circuit is larger than the caches.
    pub(super) const TRIED_IF_LARGE: [Self; 2] = [Self::W512, Self::W256];

    /// The number of games in a batch.
    pub fn lanes(self) -> usize {
        match self {
            Self::W64 => 64,
            Self::W128 => 128,
            Self::W256 => 256,
            Self::W512 => 512,
            Self::W1024 => 1024,
        }
    }

    /// The words of 64 games that one proposition takes.
    pub(super) fn columns(self) -> usize {
        self.lanes() / 64
    }

    /// A batch of this width; `form` is for as many columns.
    pub(super) fn batch(self, compiled: &Arc<CompiledLanes>, form: PlyForm) -> Box<dyn AnyBatch> {
        match self {
            Self::W64 => Box::new(LaneBatch::<1>::new(compiled, form)),
            Self::W128 => Box::new(LaneBatch::<2>::new(compiled, form)),
            Self::W256 => Box::new(LaneBatch::<4>::new(compiled, form)),
            Self::W512 => Box::new(LaneBatch::<8>::new(compiled, form)),
            Self::W1024 => Box::new(LaneBatch::<16>::new(compiled, form)),
        }
    }

    /// The form of plies that runs on a target, or on a narrower one if batches of this width are too narrow for it.
    pub(super) fn form(self, target: Target) -> PlyForm {
        let columns = self.columns();
        let unit = Unit::for_target(target);
        PlyForm {
            target: target.for_columns(columns),
            unit,
            columns,
            keeps_moves: false,
            ignores_exclusion: false,
            is_usual: false,
        }
    }
}

/// A batch of any width.
pub(super) trait AnyBatch: std::fmt::Debug + Send + Sync {
    /// How plies run.
    fn form(&self) -> PlyForm;
    /// [`LaneBatch::take_form`]
    fn take_form(&mut self, form: PlyForm);
    /// [`LaneBatch::compare`]
    fn compare(&mut self, samples: &[SampledPly]) -> Result<(), Deviation>;
    fn play(&mut self, initial: &NetworkState, work: &ColumnQueue<'_>, values: &[Option<Utility>]) -> Outcomes;
    fn speed(&mut self, initial: &NetworkState, goals: usize, time: Duration) -> f64;
    fn rare(&mut self, initial: &NetworkState, goals: usize, limits: &Limits) -> Result<Option<FixedBitSet>, Stop>;
    fn expect(&mut self, states: &[&NetworkState]);
    fn lines(&mut self, from: &NetworkState, games: RandomGames, values: &[Option<Utility>]) -> Vec<Line>;
    fn roll_out(
        &mut self,
        states: &[&NetworkState],
        games: RandomGames,
        values: &[Option<Utility>],
        first: usize,
        rollouts: &mut Rollouts,
    );
}

impl<const W: usize> AnyBatch for LaneBatch<W> {
    fn form(&self) -> PlyForm {
        Self::form(self)
    }

    fn take_form(&mut self, form: PlyForm) {
        Self::take_form(self, form);
    }

    fn compare(&mut self, samples: &[SampledPly]) -> Result<(), Deviation> {
        Self::compare(self, samples)
    }

    fn play(&mut self, initial: &NetworkState, work: &ColumnQueue<'_>, values: &[Option<Utility>]) -> Outcomes {
        self.expect(&[initial]);
        self.set_initial(initial);
        play::play(self, work, values)
    }

    fn speed(&mut self, initial: &NetworkState, goals: usize, time: Duration) -> f64 {
        self.set_initial(initial);
        play::speed(self, &ColumnQueue::new(&Request::playouts(u64::MAX)), goals, time)
    }

    fn rare(&mut self, initial: &NetworkState, goals: usize, limits: &Limits) -> Result<Option<FixedBitSet>, Stop> {
        self.set_initial(initial);
        rare_bits::find(self, goals, limits)
    }

    fn expect(&mut self, states: &[&NetworkState]) {
        Self::expect(self, states);
    }

    fn lines(&mut self, from: &NetworkState, games: RandomGames, values: &[Option<Utility>]) -> Vec<Line> {
        lines::lines(self, from, games, values)
    }

    fn roll_out(
        &mut self,
        states: &[&NetworkState],
        games: RandomGames,
        values: &[Option<Utility>],
        first: usize,
        rollouts: &mut Rollouts,
    ) {
        rollouts::roll_out(self, states, games, values, first, rollouts);
    }
}
