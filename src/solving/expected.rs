//! Games with chance: the mean utilities of a layer from those of the next. The rule is that of `solve` in memory for
//! games in which no state repeats.

use super::backward::{Written, note};
use super::block::{BlockKind, write_means};
use super::error::SolvingError;
use super::exchange::Parcel;
use super::member::Member;
use super::questions::{Asked, Questions, rows_of};
use super::valued::{ValuedShard, Wanted};
use crate::search::EQUAL_MEANS;
use std::collections::BTreeMap;

/// How the means of a state follow from those of its successors. A state has a mean for each role except chance.
#[derive(Clone, Debug)]
pub(super) struct Players {
    chance: u16,
    /// The roles except chance.
    roles: Vec<u16>,
}

impl Players {
    /// The players of a game of this many roles.
    pub(super) fn new(roles: usize, chance: usize) -> Self {
        let number = |role: usize| u16::try_from(role).expect("there are few roles");
        let (chance, all) = (number(chance), 0..number(roles));
        Self { chance, roles: all.filter(|&role| role != chance).collect() }
    }

    /// The number of means of a state.
    pub(super) fn count(&self) -> usize {
        self.roles.len()
    }

    /// The means of these utilities of all roles, given in the order of the roles.
    fn of_end(&self, ending: &[crate::game::Utility], means: &mut Vec<f64>) {
        means.extend(self.roles.iter().map(|&role| ending[usize::from(role)].to_f64()));
    }

    /// Adds the means of a state in which a role decides, from those of the successors.
    fn back_up(&self, role: u16, choosing: u16, successors: &[f64], means: &mut Vec<f64>) {
        let each = self.count();
        if choosing > 0 && role == self.chance {
            let count = (successors.len() / each) as f64;
            means.extend((0..each).map(|player| successors.iter().skip(player).step_by(each).sum::<f64>() / count));
            return;
        }
        let decides = self.roles.iter().position(|&player| choosing > 0 && player == role).unwrap_or(0);
        let mut states = successors.chunks_exact(each);
        let first = states.next().expect("a state that is not over has a successor");
        let better = |best: &'_ [f64], next: &'_ [f64]| next[decides] > best[decides] + EQUAL_MEANS;
        means.extend_from_slice(states.fold(first, |best, next| if better(best, next) { next } else { best }));
    }
}

impl Member<'_> {
    /// Finds the means of a layer, and commits them.
    pub(super) fn expect(&mut self, layer: u32, players: &Players) -> Result<(), SolvingError> {
        let numbers = self.ending_numbers();
        let shards = self.manifest.layers.get(layer as usize + 1).map_or(1, |next| next.shards);
        let (each, memory) = (players.count(), self.memory / 4);
        let (mut walk, mut means) = (self.walk(layer), Vec::new());
        let mut written = Written::default();
        loop {
            let mut questions = Questions::new(shards);
            while questions.bytes(self.form.width, each * size_of::<f64>()) < memory && self.expander.expand(&mut walk)? {
                self.team.check()?;
                questions.take(self, &numbers)?;
            }
            let parcels = questions.parcels(self.team.workers());
            let (asked, more) = self.team.round(parcels, !walk.is_done())?;
            let answers = self.means(layer + 1, &asked, each)?;
            drop(asked);
            let (answers, _) = self.team.round(answers, false)?;
            questions.settle(&answers, each, take_mean, |state, successors| match state {
                Asked::End(ending) => players.of_end(&self.manifest.endings[usize::from(ending)], &mut means),
                Asked::Turn { role, choosing, .. } => players.back_up(role, choosing, successors, &mut means),
            })?;
            for (shard, blocks) in walk.finished() {
                let states: usize = blocks.iter().map(|&count| count as usize).sum();
                let rest = means.split_off(states * each);
                self.write_means((layer, shard), &blocks, &std::mem::replace(&mut means, rest), &mut written)?;
            }
            if !more {
                break;
            }
        }
        self.folder.sync(layer)?;
        let written = self.gather(&written)?;
        if layer == 0 {
            self.manifest.first_means = written.iter().find_map(|written| written.first_means.clone());
        }
        note(&mut self.manifest.layers[layer as usize], written);
        self.commit()
    }

    /// The answers to questions about states of a layer whose means are known.
    fn means(&self, layer: u32, asked: &[Parcel], each: usize) -> Result<Vec<Parcel>, SolvingError> {
        let mut by_shard: BTreeMap<u32, Vec<&Parcel>> = BTreeMap::new();
        for parcel in asked {
            by_shard.entry(parcel.shard).or_default().push(parcel);
        }
        let (mut answers, form) = (Vec::new(), self.manifest.value_form());
        for (shard, parcels) in by_shard {
            self.team.check()?;
            let rows: Vec<u64> = parcels.iter().flat_map(|parcel| rows_of(parcel)).collect();
            let mut means = vec![0.0; rows.len() / self.form.width * each];
            let wanted = Wanted::new(rows, self.form.width);
            let mut states = ValuedShard::open(&self.folder, layer, shard, form)?;
            let found = states.find(self.form, &wanted, |index, state| {
                means[index * each..][..each].copy_from_slice(state.means);
            })?;
            if !found {
                return Err(SolvingError::Missing { path: self.folder.shard(BlockKind::Keys, layer, shard) });
            }
            let mut start = 0;
            for parcel in parcels {
                let end = start + parcel.bytes.len() / 8 / self.form.width * each;
                let bytes = means[start..end].iter().flat_map(|mean| mean.to_le_bytes()).collect();
                answers.push(Parcel::new(parcel.from, parcel.shard, bytes));
                start = end;
            }
        }
        Ok(answers)
    }

    /// Writes the means of a shard, in blocks of as many states as those of its keys.
    fn write_means(
        &self,
        (layer, shard): (u32, u32),
        blocks: &[u32],
        means: &[f64],
        written: &mut Written,
    ) -> Result<(), SolvingError> {
        let states: u64 = blocks.iter().map(|&count| u64::from(count)).sum();
        let (each, mut content, mut rest) = (means.len() / states.max(1) as usize, Vec::new(), means);
        for &count in blocks {
            let (block, later) = rest.split_at(count as usize * each);
            write_means(layer, each, block, &mut content);
            rest = later;
        }
        if layer == 0 {
            written.first_means = Some(means.iter().map(|mean| mean.to_bits()).collect());
        }
        written.values.push(self.folder.write(BlockKind::Means, (layer, shard), states, &content)?);
        Ok(())
    }
}

fn take_mean(bytes: &mut &[u8]) -> Option<f64> {
    let (mean, rest) = bytes.split_first_chunk()?;
    *bytes = rest;
    Some(f64::from_le_bytes(*mean))
}
