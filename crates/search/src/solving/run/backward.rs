//! Values of a layer from those of the next: each state is expanded again, and the values of its successors are asked
//! for. The rule is that of `solve` in memory.

use super::super::block::BlockKind;
use super::super::error::SolvingError;
use super::super::folder::FileEntry;
use super::super::manifest::Layer;
use super::super::valued::{FoundState, RowQuery, StoredValue, ValuedShard, write_values};
use super::exchange::WorkerMessage;
use super::member::{RunWorker, in_order};
use super::questions::{AskedState, SuccessorQuestions, answer, rows_of, take_value};
use super::walk::ShardWalk;
use crate::Rule;
use rustc_hash::FxHashMap;
use serde::{Deserialize, Serialize};
use std::collections::BTreeMap;

/// The values of a layer that a worker has written.
#[derive(Debug, Default, Serialize, Deserialize)]
pub(super) struct LayerOutput {
    pub(super) values: Vec<FileEntry>,
    distances: Vec<FileEntry>,
    /// The ending of the first state, if it is among them.
    pub(super) first: Option<u16>,
    /// The means of the first state, as the bits of numbers, if they are among them.
    pub(super) first_means: Option<Vec<u64>>,
    /// For each ending, the number of states; then that of states without one.
    worths: Vec<u64>,
}

impl RunWorker<'_> {
    /// The number of each ending.
    pub(super) fn ending_numbers(&self) -> FxHashMap<Vec<i64>, u16> {
        let key = |ending: &Vec<ggp_game::Utility>| ending.iter().map(|utility| utility.millionths()).collect();
        self.manifest.endings.iter().map(key).zip(0..).collect()
    }

    /// Finds the values of a layer, and commits them.
    pub(super) fn backward(&mut self, layer: u32) -> Result<(), SolvingError> {
        let rule = Rule::new(&self.manifest.endings, self.manifest.roles.len());
        let numbers = self.ending_numbers();
        let shards = self.manifest.layers.get(layer as usize + 1).map_or(1, |next| next.shards);
        let distances = self.manifest.distances;
        let memory = self.memory / 4;
        let mut walk = self.unvalued(layer);
        let mut values = Vec::new();
        let mut written = self.nothing_written();
        loop {
            let mut questions = SuccessorQuestions::new(shards);
            while questions.bytes(self.form.width, 6) < memory && self.expander.expand(&mut walk)? {
                self.team.check()?;
                questions.take(self, &numbers)?;
            }
            let messages = questions.messages(self.team.workers());
            let (asked, more) = self.team.round(messages, !walk.is_done())?;
            let with_distances = self.manifest.distances;
            let sent = |message: &WorkerMessage, values: &[StoredValue]| answer(message, values, with_distances);
            let answers = self.answers(layer + 1, &asked, 1, |found, value| value[0] = found.value, sent)?;
            drop(asked);
            let (answers, is_time) = self.team.round(answers, self.is_time_to_commit())?;
            let read = |bytes: &mut &[u8]| take_value(bytes, distances);
            questions.settle(&answers, 1, read, |state, successors| {
                values.push(match state {
                    AskedState::End(ending) => (ending, 0),
                    AskedState::Turn { role, .. } => rule.value(usize::from(role), successors.iter().copied()),
                });
            })?;
            let mut start = 0;
            for (shard, blocks) in walk.finished() {
                let end = start + blocks.iter().map(|&count| count as usize).sum::<usize>();
                self.write_shard(layer, shard, &blocks, &values[start..end], &mut written)?;
                start = end;
            }
            values.drain(..start);
            if !more {
                return self.commit_values(layer, written);
            }
            if is_time {
                let done = std::mem::replace(&mut written, self.nothing_written());
                self.commit_values(layer, done)?;
            }
        }
    }

    /// A walk through this worker's states of a layer whose values are not known.
    pub(super) fn unvalued(&self, layer: u32) -> ShardWalk {
        let known: Vec<u32> = self.manifest.layers[layer as usize].values.iter().map(|entry| entry.shard).collect();
        self.walk(layer, &known)
    }

    /// Commits what all workers have written of a layer since the last time.
    pub(super) fn commit_values(&mut self, layer: u32, written: LayerOutput) -> Result<(), SolvingError> {
        self.folder.sync(layer)?;
        let written = self.gather(&written)?;
        for written in &written {
            self.manifest.first = self.manifest.first.or(written.first);
            self.manifest.first_means = self.manifest.first_means.take().or_else(|| written.first_means.clone());
        }
        note(&mut self.manifest.layers[layer as usize], written);
        self.commit()
    }

    pub(super) fn nothing_written(&self) -> LayerOutput {
        LayerOutput { worths: vec![0; self.manifest.endings.len() + 1], ..LayerOutput::default() }
    }

    /// The answers to questions about states of a layer whose values are known. `read` takes `each` items from what is
    /// known of a state, and `answer` sends those of the states of a message.
    pub(super) fn answers<T: Clone + Default>(
        &self,
        layer: u32,
        asked: &[WorkerMessage],
        each: usize,
        read: impl Fn(FoundState<'_>, &mut [T]),
        answer: impl Fn(&WorkerMessage, &[T]) -> WorkerMessage,
    ) -> Result<Vec<WorkerMessage>, SolvingError> {
        let mut by_shard: BTreeMap<u32, Vec<&WorkerMessage>> = BTreeMap::new();
        for message in asked {
            by_shard.entry(message.shard).or_default().push(message);
        }
        let mut answers = Vec::new();
        for (shard, messages) in by_shard {
            self.team.check()?;
            let rows: Vec<u64> = messages.iter().flat_map(|message| rows_of(message)).collect();
            let mut items = vec![T::default(); rows.len() / self.form.width * each];
            let wanted = RowQuery::new(rows, self.form.width);
            let mut states = self.valued_shard(layer, shard)?;
            if !states.find(self.form, &wanted, |index, found| read(found, &mut items[index * each..][..each]))? {
                let path = self.folder.shard(BlockKind::Keys, layer, shard);
                return Err(SolvingError::Missing { path });
            }
            let mut start = 0;
            for message in messages {
                let end = start + message.bytes.len() / 8 / self.form.width * each;
                answers.push(answer(message, &items[start..end]));
                start = end;
            }
        }
        Ok(answers)
    }

    /// The files of a shard of a layer whose values are known.
    pub(super) fn valued_shard(&self, layer: u32, shard: u32) -> Result<ValuedShard, SolvingError> {
        let path = || self.folder.shard(BlockKind::Keys, layer, shard);
        let of = self.manifest.layers.get(layer as usize);
        let files = of.and_then(|of| of.shard_files(shard)).ok_or_else(|| SolvingError::Missing { path: path() })?;
        ValuedShard::open(&self.folder, layer, files, self.manifest.value_form())
    }

    /// Writes the values of a shard.
    pub(super) fn write_shard(
        &self,
        layer: u32,
        shard: u32,
        blocks: &[u32],
        values: &[StoredValue],
        written: &mut LayerOutput,
    ) -> Result<(), SolvingError> {
        let form = self.manifest.value_form();
        if layer == 0 && self.manifest.is_layered {
            written.first = values.first().map(|&(ending, _)| ending.min(form.endings));
        }
        values.iter().for_each(|&(ending, _)| written.worths[usize::from(ending.min(form.endings))] += 1);
        let (entry, distances) = write_values(&self.folder, layer, shard, form, blocks, values)?;
        written.values.push(entry);
        written.distances.extend(distances);
        Ok(())
    }
}

/// Adds to a layer what all workers have written of it.
pub(super) fn note(layer: &mut Layer, written: Vec<LayerOutput>) {
    let worths = written.iter().map(|written| &written.worths);
    let sum = |mut sums: Vec<u64>, worths: &Vec<u64>| {
        sums.resize(worths.len(), 0);
        sums.iter_mut().zip(worths).for_each(|(sum, worth)| *sum += worth);
        sums
    };
    layer.worths = worths.fold(std::mem::take(&mut layer.worths), sum);
    let (values, distances): (Vec<_>, Vec<_>) =
        written.into_iter().map(|written| (written.values, written.distances)).unzip();
    layer.values = in_order(layer.values.drain(..).chain(values.into_iter().flatten()));
    layer.distances = in_order(layer.distances.drain(..).chain(distances.into_iter().flatten()));
}
