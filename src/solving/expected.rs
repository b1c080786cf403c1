//! Games with chance: the mean utilities of a layer from those of the next.

use super::backward::Written;
use super::block::{BlockKind, write_means};
use super::error::SolvingError;
use super::exchange::Parcel;
use super::member::Worker;
use super::players::Players;
use super::questions::{AskedState, Questions, rows_of};
use super::valued::RowQuery;
use std::collections::BTreeMap;

impl Worker<'_> {
    /// Finds the means of a layer, and commits them.
    pub(super) fn expect(&mut self, layer: u32, players: &Players) -> Result<(), SolvingError> {
        let numbers = self.ending_numbers();
        let shards = self.manifest.layers.get(layer as usize + 1).map_or(1, |next| next.shards);
        let (each, memory) = (players.count(), self.memory / 4);
        let (mut walk, mut means) = (self.unvalued(layer), Vec::new());
        let mut written = Written::default();
        loop {
            let mut questions = Questions::new(shards);
            while questions.bytes(self.form.width, each * size_of::<f64>()) < memory
                && self.expander.expand(&mut walk)?
            {
                self.team.check()?;
                questions.take(self, &numbers)?;
            }
            let parcels = questions.parcels(self.team.workers());
            let (asked, more) = self.team.round(parcels, !walk.is_done())?;
            let answers = self.means(layer + 1, &asked, each)?;
            drop(asked);
            let (answers, is_time) = self.team.round(answers, self.is_time_to_commit())?;
            questions.settle(&answers, each, take_mean, |state, successors| match state {
                AskedState::End(ending) => players.of_end(&self.manifest.endings[usize::from(ending)], &mut means),
                AskedState::Turn { role, choosing, .. } => players.back_up(role, choosing, successors, &mut means),
            })?;
            for (shard, blocks) in walk.finished() {
                let states: usize = blocks.iter().map(|&count| count as usize).sum();
                let rest = means.split_off(states * each);
                self.write_means(layer, shard, &blocks, &std::mem::replace(&mut means, rest), &mut written)?;
            }
            if !more {
                return self.commit_values(layer, written);
            }
            if is_time {
                self.commit_values(layer, std::mem::take(&mut written))?;
            }
        }
    }

    /// The answers to questions about states of a layer whose means are known.
    fn means(&self, layer: u32, asked: &[Parcel], each: usize) -> Result<Vec<Parcel>, SolvingError> {
        let mut by_shard: BTreeMap<u32, Vec<&Parcel>> = BTreeMap::new();
        for parcel in asked {
            by_shard.entry(parcel.shard).or_default().push(parcel);
        }
        let mut answers = Vec::new();
        for (shard, parcels) in by_shard {
            self.team.check()?;
            let rows: Vec<u64> = parcels.iter().flat_map(|parcel| rows_of(parcel)).collect();
            let mut means = vec![0.0; rows.len() / self.form.width * each];
            let wanted = RowQuery::new(rows, self.form.width);
            let mut states = self.valued_shard(layer, shard)?;
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
        layer: u32,
        shard: u32,
        blocks: &[u32],
        means: &[f64],
        written: &mut Written,
    ) -> Result<(), SolvingError> {
        let states: usize = blocks.iter().map(|&count| count as usize).sum();
        let (each, mut content, mut rest) = (means.len() / states.max(1), Vec::new(), means);
        for &count in blocks {
            let (block, later) = rest.split_at(count as usize * each);
            write_means(layer, each, block, &mut content);
            rest = later;
        }
        if layer == 0 {
            written.first_means = Some(means.iter().map(|mean| mean.to_bits()).collect());
        }
        written.values.push(self.folder.write(BlockKind::Means, layer, shard, states as u64, &content)?);
        Ok(())
    }
}

fn take_mean(bytes: &mut &[u8]) -> Option<f64> {
    let (mean, rest) = bytes.split_first_chunk()?;
    *bytes = rest;
    Some(f64::from_le_bytes(*mean))
}
