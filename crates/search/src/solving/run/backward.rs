//! Values of a layer from those of the next: each state is expanded again, and the values of its successors are asked
//! for. The rules are those of `solve` in memory: ends that are forced or, with chance, means.
//!
//! Questions go to the workers of the shards in the order in which states are expanded, and the answers come back in
//! it.

use super::super::block::BlockKind;
use super::super::error::SolvingError;
use super::super::folder::FileEntry;
use super::super::manifest::Layer;
use super::super::valued::{Players, RowQuery, StoredValue, ValuedShard};
use super::blocks::write_means;
use super::exchange::WorkerMessage;
use super::files::write_values;
use super::worker::{RunWorker, ShardWalk, in_order};
use crate::Rule;
use gdl::number::Real;
use ggp_game::{KeyExpansion, Utility};
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
        let key = |ending: &Vec<Utility>| ending.iter().map(|utility| utility.millionths()).collect();
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
            let answers = self.answers(layer + 1, &asked, 1, |value, _, item| item[0] = value, sent)?;
            // The answers need the memory of the questions.
            drop(asked);
            let (answers, is_time) = self.team.round(answers, self.is_time_to_commit())?;
            let read = |bytes: &mut &[u8]| take_value(bytes, distances);
            questions.settle(&answers, 1, read, |state, successors| {
                values.push(match state {
                    AskedState::End(ending) => (ending, 0),
                    AskedState::Turn { role, .. } => rule.value(usize::from(role), successors.iter().copied()),
                });
            })?;
            // A shard is written when its last state has a value; a round may end in the middle of one.
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

    /// The answers to questions about states of a layer whose values are known. `read` fills in the `each` items of a
    /// state from its value and its means, and `answer` makes a message of the items of the states of a question.
    pub(super) fn answers<T: Clone + Default>(
        &self,
        layer: u32,
        asked: &[WorkerMessage],
        each: usize,
        read: impl Fn(StoredValue, &[f64], &mut [T]),
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
            if !states.find(self.form, &wanted, |index, value, means| {
                read(value, means, &mut items[index * each..][..each])
            })? {
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
        let open = self.manifest.open_ending();
        if layer == 0 && self.manifest.is_layered {
            written.first = values.first().map(|&(ending, _)| ending.min(open));
        }
        values.iter().for_each(|&(ending, _)| written.worths[usize::from(ending.min(open))] += 1);
        let (entry, distances) = write_values(&self.folder, layer, shard, &self.manifest, blocks, values)?;
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

impl RunWorker<'_> {
    /// Finds the means of a layer, and commits them.
    pub(super) fn expect(&mut self, layer: u32, players: &Players) -> Result<(), SolvingError> {
        let numbers = self.ending_numbers();
        let shards = self.manifest.layers.get(layer as usize + 1).map_or(1, |next| next.shards);
        let each = players.count();
        let memory = self.memory / 4;
        let mut walk = self.unvalued(layer);
        let mut means = Vec::new();
        let mut written = LayerOutput::default();
        loop {
            let mut questions = SuccessorQuestions::new(shards);
            while questions.bytes(self.form.width, each * size_of::<f64>()) < memory
                && self.expander.expand(&mut walk)?
            {
                self.team.check()?;
                questions.take(self, &numbers)?;
            }
            let messages = questions.messages(self.team.workers());
            let (asked, more) = self.team.round(messages, !walk.is_done())?;
            let read = |_, found: &[f64], means: &mut [f64]| means.copy_from_slice(found);
            let sent = |message: &WorkerMessage, means: &[f64]| {
                let bytes = means.iter().flat_map(|mean| mean.to_le_bytes()).collect();
                WorkerMessage::new(message.from, message.shard, bytes)
            };
            let answers = self.answers(layer + 1, &asked, each, read, sent)?;
            // The answers need the memory of the questions.
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

    /// Writes the means of a shard, in blocks of as many states as those of its keys.
    fn write_means(
        &self,
        layer: u32,
        shard: u32,
        blocks: &[u32],
        means: &[f64],
        written: &mut LayerOutput,
    ) -> Result<(), SolvingError> {
        let states: usize = blocks.iter().map(|&count| count as usize).sum();
        let each = means.len() / states.max(1);
        let mut content = Vec::new();
        let mut rest = means;
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

/// A state whose value is asked for.
#[derive(Clone, Copy, Debug)]
pub(super) enum AskedState {
    /// It is terminal, with this ending.
    End(u16),
    /// A role decides: its index, the number of roles that have a choice, and the number of joint moves.
    Turn { role: u16, choosing: u16, joint_moves: u32 },
}

/// The states of a round and the questions about their successors.
#[derive(Debug)]
pub(super) struct SuccessorQuestions {
    states: Vec<AskedState>,
    /// The shard of each question.
    shards: Vec<u16>,
    /// The rows that are asked for, by shard.
    rows: Vec<Vec<u64>>,
}

impl SuccessorQuestions {
    pub(super) fn new(shards: u32) -> Self {
        Self { states: Vec::new(), shards: Vec::new(), rows: vec![Vec::new(); shards as usize] }
    }

    /// The bytes of the questions and their answers, of this many bytes each.
    pub(super) fn bytes(&self, width: usize, answer: usize) -> usize {
        self.shards.len() * (width * 8 + 2 + answer) + self.states.len() * size_of::<AskedState>()
    }

    /// Adds the states that `member` has expanded last. `numbers` has the number of each ending by its utilities, in
    /// millionths.
    pub(super) fn take(
        &mut self,
        member: &RunWorker<'_>,
        numbers: &FxHashMap<Vec<i64>, u16>,
    ) -> Result<(), SolvingError> {
        let form = member.form;
        let expansions = member.expander.expansions();
        let mut endings = Vec::with_capacity(expansions.ends().len());
        for goals in expansions.ends() {
            endings.push(numbers[&member.ending(goals)?]);
        }
        for expansion in expansions.all() {
            self.states.push(match *expansion {
                KeyExpansion::End(end) => AskedState::End(endings[end as usize]),
                KeyExpansion::Turn(turn) => {
                    let joint_moves = u32::try_from(turn.joint_moves).expect("successors are stored");
                    AskedState::Turn { role: turn.chooser, choosing: turn.choosing, joint_moves }
                }
            });
        }
        let shards = u32::try_from(self.rows.len()).expect("there are few shards");
        for row in member.expander.successors().chunks_exact(form.width) {
            let shard = form.shard(row, shards);
            self.rows[shard as usize].extend_from_slice(row);
            self.shards.push(u16::try_from(shard).expect("there are few shards"));
        }
        Ok(())
    }

    /// The questions as messages.
    pub(super) fn messages(&mut self, workers: u32) -> Vec<WorkerMessage> {
        let mut messages = Vec::new();
        for (shard, rows) in (0..).zip(&mut self.rows).filter(|(_, rows)| !rows.is_empty()) {
            let bytes = std::mem::take(rows).iter().flat_map(|word| word.to_le_bytes()).collect();
            messages.push(WorkerMessage::new(shard % workers, shard, bytes));
        }
        messages
    }

    /// Calls `each` for the states in order, with the values of their successors; a successor has `width` of them,
    /// which `read` takes from an answer.
    pub(super) fn settle<T>(
        &self,
        answers: &[WorkerMessage],
        width: usize,
        read: impl Fn(&mut &[u8]) -> Option<T>,
        mut each: impl FnMut(AskedState, &[T]),
    ) -> Result<(), SolvingError> {
        let mut by_shard: Vec<&[u8]> = vec![&[]; self.rows.len()];
        for message in answers {
            by_shard[message.shard as usize] = &message.bytes;
        }
        let missing = || SolvingError::Worker { what: "an answer is missing".to_string() };
        let mut values = Vec::new();
        let mut shards = self.shards.iter();
        for &state in &self.states {
            values.clear();
            let joint_moves = if let AskedState::Turn { joint_moves, .. } = state { joint_moves } else { 0 };
            for &shard in shards.by_ref().take(joint_moves as usize) {
                for _ in 0..width {
                    values.push(read(&mut by_shard[usize::from(shard)]).ok_or_else(missing)?);
                }
            }
            each(state, &values);
        }
        Ok(())
    }
}

/// The rows of a message of questions.
pub(super) fn rows_of(message: &WorkerMessage) -> impl Iterator<Item = u64> {
    message.bytes.as_chunks::<8>().0.iter().map(|bytes| u64::from_le_bytes(*bytes))
}

/// The answer to a message of questions: for each value the number of its ending and, if they are wanted, its distance.
pub(super) fn answer(question: &WorkerMessage, values: &[StoredValue], distances: bool) -> WorkerMessage {
    let mut bytes = Vec::with_capacity(values.len() * if distances { 6 } else { 2 });
    for (ending, distance) in values {
        bytes.extend_from_slice(&ending.to_le_bytes());
        if distances {
            bytes.extend_from_slice(&distance.to_le_bytes());
        }
    }
    WorkerMessage::new(question.from, question.shard, bytes)
}

/// The next value of an answer.
pub(super) fn take_value(bytes: &mut &[u8], distances: bool) -> Option<StoredValue> {
    let (ending, rest) = bytes.split_first_chunk()?;
    *bytes = rest;
    let ending = u16::from_le_bytes(*ending);
    if !distances {
        return Some((ending, 0));
    }
    let (distance, rest) = bytes.split_first_chunk()?;
    *bytes = rest;
    Some((ending, u32::from_le_bytes(*distance)))
}

/// The rule by which the means of a state follow from those of its successors: that of `solve` in memory for games in
/// which no state repeats.
impl Players {
    /// Adds the means of a terminal state with these utilities, in the order of the roles.
    fn of_end(&self, ending: &[Utility], means: &mut Vec<f64>) {
        means.extend(self.roles.iter().map(|&role| ending[usize::from(role)].to_f64()));
    }

    /// Adds the means of a state in which `role` decides, from those of the successors. `choosing` is the number of roles
    /// that have a choice; if it is 0, there is one successor.
    fn back_up(&self, role: u16, choosing: u16, successors: &[f64], means: &mut Vec<f64>) {
        let each = self.count();
        let position = self.roles.iter().position(|&player| player == role);
        // The only role that is no player is chance.
        if choosing > 0 && position.is_none() {
            let count = (successors.len() / each) as f64;
            means.extend((0..each).map(|player| successors.iter().skip(player).step_by(each).sum::<f64>() / count));
            return;
        }
        let decides = position.filter(|_| choosing > 0).unwrap_or(0);
        let mut states = successors.chunks_exact(each);
        let first = states.next().expect("a state that is not over has a successor");
        let better = |best: &'_ [f64], next: &'_ [f64]| next[decides] > best[decides] + Real::EQUAL;
        means.extend_from_slice(states.fold(first, |best, next| if better(best, next) { next } else { best }));
    }
}
