//! Values of games whose moves do not lead from layer to layer: the retrograde analysis of `solve` in memory
//! (`search/exact/retrograde.rs`), in rounds and without predecessors.
//!
//! All layers are united into one set of states. In each round the states that are still open are expanded, and the
//! values of their successors are asked for; a round settles the states whose end is one joint move farther away than
//! those of the round before. The values stay in memory, six bytes a state over all workers, until they are written.

use super::super::block::BlockKind;
use super::super::error::SolvingError;
use super::super::folder::{BlockFile, FileEntry, Folder};
use super::super::manifest::Layer;
use super::super::valued::StoredValue;
use super::backward::{AskedState, SuccessorQuestions, answer, note, rows_of, take_value};
use super::blocks::shards_for;
use super::exchange::WorkerMessage;
use super::forward::overlap;
use super::worker::{RunWorker, in_order};
use crate::{GameKind, Rule, SearchError};
use std::collections::BTreeMap;

/// No end is known.
const OPEN: StoredValue = (u16::MAX, 0);

/// The states of a shard, with their values so far.
struct Shard {
    rows: Vec<u64>,
    /// The number of states of each block.
    blocks: Vec<u32>,
    values: Vec<StoredValue>,
    /// The indices of the states that are open.
    open: Vec<u32>,
}

/// The states that a round settles.
#[derive(Clone, Copy, Debug)]
enum Phase {
    /// The states from which a role forces this utility.
    Force { role: usize, utility: i64 },
    /// The states all of whose successors are settled.
    Induce,
}

impl RunWorker<'_> {
    /// Writes all states as one layer, and commits it.
    pub(super) fn unite(&mut self) -> Result<(), SolvingError> {
        let shards = shards_for(self.manifest.states());
        let layer = self.manifest.united_layer();
        Folder::make(&self.folder.layer(layer))?;
        let mut files: Vec<FileEntry> = Vec::new();
        for shard in (0..shards).filter(|&shard| self.team.owns(shard)) {
            self.team.check()?;
            let mut rows = Vec::new();
            let mut block = Vec::new();
            for (index, of) in (0..).zip(&self.manifest.layers) {
                for entry in of.keys.iter().filter(|entry| overlap(entry.shard, of.shards, shard, shards)) {
                    let mut file = BlockFile::open(&self.folder, BlockKind::Keys, index, *entry)?;
                    while file.next_keys(&mut block)? {
                        let of_shard = |row: &&[u64]| self.form.shard(row, shards) == shard;
                        block
                            .chunks_exact(self.form.width)
                            .filter(of_shard)
                            .for_each(|row| rows.extend_from_slice(row));
                    }
                }
            }
            self.form.sort(&mut rows);
            if rows.is_empty() {
                continue;
            }
            files.push(self.folder.write_keys(layer, shard, &rows, self.form.width)?);
        }
        self.folder.sync(layer)?;
        let files = self.gather(&files)?;
        let keys = in_order(files.into_iter().flatten());
        let states = keys.iter().map(|entry| entry.states).sum();
        self.manifest.united = Some(Layer { states, shards, keys, ..Layer::default() });
        self.commit()
    }

    /// Finds the values of all states, and commits them.
    pub(super) fn retrograde(&mut self) -> Result<(), SolvingError> {
        let layer = self.manifest.united_layer();
        let rule = Rule::new(&self.manifest.endings, self.manifest.roles.len());
        let mut shards = self.read_shards(layer)?;
        for phase in self.phases(&rule) {
            while self.settle_round(&mut shards, &rule, phase)? {}
        }
        self.close(&mut shards, &rule)?;
        let mut written = self.nothing_written();
        for (&shard, states) in &shards {
            self.write_shard(layer, shard, &states.blocks, &states.values, &mut written)?;
        }
        let first = shards.get(&self.form.shard(&self.first, self.united_shards()));
        let first = first.and_then(|shard| find(&shard.rows, &self.first).map(|index| shard.values[index].0));
        written.first = first.map(|ending| ending.min(self.manifest.open_ending()));
        self.folder.sync(layer)?;
        let written = self.gather(&written)?;
        self.manifest.first = written.iter().find_map(|written| written.first);
        let united = self.manifest.united.as_mut().expect("the layers are united before");
        note(united, written);
        self.commit()
    }

    /// The states of this worker, all open.
    fn read_shards(&self, layer: u32) -> Result<BTreeMap<u32, Shard>, SolvingError> {
        let united = self.manifest.united.as_ref().expect("the layers are united before");
        let mut shards = BTreeMap::new();
        for entry in united.keys.iter().filter(|entry| self.team.owns(entry.shard)) {
            let mut file = BlockFile::open(&self.folder, BlockKind::Keys, layer, *entry)?;
            let mut rows = Vec::new();
            let mut blocks = Vec::new();
            let mut block = Vec::new();
            while file.next_keys(&mut block)? {
                blocks.push(u32::try_from(block.len() / self.form.width).expect("blocks are short"));
                rows.extend_from_slice(&block);
            }
            let states = u32::try_from(rows.len() / self.form.width).expect("a shard has fewer states");
            let values = vec![OPEN; states as usize];
            shards.insert(entry.shard, Shard { rows, blocks, values, open: (0..states).collect() });
        }
        Ok(shards)
    }

    fn united_shards(&self) -> u32 {
        self.manifest.united.as_ref().map_or(1, |united| united.shards)
    }

    /// The phases in their order, the best utility first.
    fn phases(&self, rule: &Rule) -> Vec<Phase> {
        let utilities = |role: usize| {
            let mut all: Vec<i64> = self.manifest.endings.iter().map(|ending| ending[role].millionths()).collect();
            all.sort_unstable_by(|left, right| right.cmp(left));
            all.dedup();
            all.into_iter().map(move |utility| Phase::Force { role, utility })
        };
        match rule.kind {
            GameKind::OneRole => utilities(0).collect(),
            GameKind::Opponents(sum) => {
                let wins = |phase: &Phase| matches!(phase, Phase::Force { utility, .. } if 2 * utility > sum);
                utilities(0).filter(wins).chain(utilities(1).filter(wins)).collect()
            }
            GameKind::Several => vec![Phase::Induce],
        }
    }

    /// One round; true if any worker has settled a state.
    fn settle_round(
        &mut self,
        shards: &mut BTreeMap<u32, Shard>,
        rule: &Rule,
        phase: Phase,
    ) -> Result<bool, SolvingError> {
        let numbers = self.ending_numbers();
        let united = self.united_shards();
        let width = self.form.width;
        let memory = self.memory / 4;
        let waiting: Vec<(u32, u32)> =
            shards.iter().flat_map(|(&shard, states)| states.open.iter().map(move |&state| (shard, state))).collect();
        let mut next = 0;
        let mut settled = Vec::new();
        let mut rows = Vec::new();
        loop {
            let mut questions = SuccessorQuestions::new(united);
            let start = next;
            while questions.bytes(width, 6) < memory && next < waiting.len() {
                self.team.check()?;
                // Few at a time, so that the questions hardly exceed their memory.
                let end = waiting.len().min(next + 256);
                rows.clear();
                for &(shard, state) in &waiting[next..end] {
                    rows.extend_from_slice(&shards[&shard].rows[state as usize * width..][..width]);
                }
                self.expander.expand_rows(&rows)?;
                questions.take(self, &numbers)?;
                next = end;
            }
            let messages = questions.messages(self.team.workers());
            let (asked, more) = self.team.round(messages, next < waiting.len())?;
            let answers = self.answers_to(shards, &asked)?;
            let (answers, _) = self.team.round(answers, false)?;
            let mut states = waiting[start..next].iter();
            let read = |bytes: &mut &[u8]| take_value(bytes, true);
            questions.settle(&answers, 1, read, |asked, successors| {
                let state = *states.next().expect("there is an answer for each state");
                settled.extend(settle(asked, successors, rule, phase).map(|value| (state, value)));
            })?;
            if !more {
                break;
            }
        }
        // Values count from the next round on, so that the order of the states does not matter.
        for &((shard, state), value) in &settled {
            shards.get_mut(&shard).expect("it is this worker's").values[state as usize] = value;
        }
        shards.values_mut().for_each(|shard| shard.open.retain(|&state| shard.values[state as usize] == OPEN));
        let (_, any) = self.team.round(Vec::new(), !settled.is_empty())?;
        Ok(any)
    }

    /// The answers to questions: the values that are settled so far.
    fn answers_to(
        &self,
        shards: &BTreeMap<u32, Shard>,
        asked: &[WorkerMessage],
    ) -> Result<Vec<WorkerMessage>, SolvingError> {
        let mut answers = Vec::new();
        let width = self.form.width;
        for message in asked {
            let layer = self.manifest.united_layer();
            let path = || self.folder.shard(BlockKind::Keys, layer, message.shard);
            let shard = shards.get(&message.shard).ok_or_else(|| SolvingError::Missing { path: path() })?;
            let rows: Vec<u64> = rows_of(message).collect();
            let mut values = Vec::with_capacity(rows.len() / width);
            for row in rows.chunks_exact(width) {
                let found = find(&shard.rows, row).ok_or_else(|| SolvingError::Missing { path: path() })?;
                values.push(shard.values[found]);
            }
            answers.push(answer(message, &values, true));
        }
        Ok(answers)
    }

    /// Closes the states that are still open: they are draws of two opponents, or have no end that can be forced.
    ///
    /// # Errors
    /// If open states have no value in a game of this kind, unless the game has no end at all.
    fn close(&mut self, shards: &mut BTreeMap<u32, Shard>, rule: &Rule) -> Result<(), SolvingError> {
        let is_open = shards.values().any(|shard| !shard.open.is_empty());
        let (_, is_open) = self.team.round(Vec::new(), is_open)?;
        let is_endless = self.manifest.endings.is_empty();
        if is_open && rule.kind == GameKind::Several && !is_endless {
            return Err(SolvingError::Game(SearchError::Circular));
        }
        let endings = u16::try_from(self.manifest.endings.len()).expect("endings are numbered with 16 bits");
        let draw = (0..endings).find(|&ending| rule.is_draw(ending));
        let value = draw.map_or(OPEN, |draw| (draw, 0));
        for shard in shards.values_mut() {
            shard.values.iter_mut().filter(|known| **known == OPEN).for_each(|known| *known = value);
        }
        Ok(())
    }
}

/// The index of a row among sorted ones.
fn find(rows: &[u64], row: &[u64]) -> Option<usize> {
    let width = row.len();
    if width == 1 {
        return rows.binary_search(&row[0]).ok();
    }
    let mut start = 0;
    let mut end = rows.len() / width;
    while start < end {
        let middle = usize::midpoint(start, end);
        match rows[middle * width..][..width].cmp(row) {
            std::cmp::Ordering::Less => start = middle + 1,
            std::cmp::Ordering::Greater => end = middle,
            std::cmp::Ordering::Equal => return Some(middle),
        }
    }
    None
}

/// The value of a state, if this round settles it.
fn settle(asked: AskedState, successors: &[StoredValue], rule: &Rule, phase: Phase) -> Option<StoredValue> {
    match (asked, phase) {
        (AskedState::End(ending), Phase::Induce) => Some((ending, 0)),
        (AskedState::End(ending), Phase::Force { role, utility }) => {
            (rule.utility(ending, role) == utility).then_some((ending, 0))
        }
        (AskedState::Turn { role, .. }, Phase::Induce) => {
            let all = successors.iter().all(|&value| value != OPEN);
            all.then(|| rule.value(usize::from(role), successors.iter().copied()))
        }
        (AskedState::Turn { role: chooser, choosing, .. }, Phase::Force { role, utility }) => {
            let worth = |&(ending, _): &StoredValue| rule.utility(ending, role);
            let mut known = successors.iter().filter(|&&value| value != OPEN && worth(&value) == utility);
            let decides = choosing == 0 || usize::from(chooser) == role;
            if decides {
                return known.min_by_key(|value| value.1).map(|&(ending, distance)| (ending, distance + 1));
            }
            // The other side does not have to allow the utility as long as it may do better.
            if successors.iter().any(|&value| value == OPEN || worth(&value) < utility) {
                return None;
            }
            // It delays the end as long as it can.
            let first = known.next()?;
            let farthest = known.fold(first, |best, value| if value.1 > best.1 { value } else { best });
            Some((farthest.0, farthest.1 + 1))
        }
    }
}
