//! From a layer to the next: states are expanded, their successors sorted by shard, sent to the shard's worker as
//! blocks, stored there until all have come, merged and written.

use super::super::block::BlockKind;
use super::super::error::{SolvingError, at};
use super::super::folder::{BlockFile, Folder};
use super::super::manifest::{Layer, LayerTally, PartialLayer, RunEntry};
use super::super::row::RowForm;
use super::blocks::{KeyWriter, read_sent, shards_for, take};
use super::exchange::WorkerMessage;
use super::worker::{RunWorker, ShardWalk, in_order};
use ggp_game::{KeyExpansion, Utility};
use std::collections::{BTreeMap, BTreeSet};
use std::fs::{self, File};
use std::io::{BufWriter, Read, Seek, SeekFrom, Write};
use std::ops::Range;
use std::path::PathBuf;

impl RunWorker<'_> {
    /// Makes the next layer, and commits it.
    ///
    /// Work that takes long is committed before: while the newest layer is expanded, the shards that are done and the
    /// files in which their successors wait; while these are merged, the shards that are written. A shard that was
    /// expanded in part is expanded again after a stop, and its successors are dropped as duplicates.
    pub(super) fn forward(&mut self) -> Result<(), SolvingError> {
        let layer = self.newest();
        let next = layer + 1;
        Folder::make(&self.folder.layer(next))?;
        let shards = self.next_shards();
        let begun = self.manifest.partial.get_or_insert_default().clone();
        // With the number of committed files in it, no name of this run is that of one of them.
        let name = format!("from-{:05}-worker-{:03}", begun.runs.len(), self.team.index());
        let mut store = BlockStore::new(&self.folder, self.form, next, name, self.memory / 4);
        store.open(&begun.runs)?;
        let mut done = PartialLayer::default();
        let mut walk = self.walk(layer, &begun.expanded);
        self.expand_layer(&mut walk, layer, shards, &mut store, &mut done, true)?;
        let is_made = |shard: &u32| begun.made.files.iter().any(|entry| entry.shard == *shard);
        let own = (0..shards).filter(|&shard| self.team.owns(shard) && !is_made(&shard)).collect::<Vec<_>>();
        self.merge(next, own, &mut store, &mut done, true)?;
        // On disk before the manifest says so.
        self.folder.sync(next)?;
        self.take(done)?;
        self.add_layer(layer, shards);
        self.commit()
    }

    /// Makes the files of some shards of a layer again, from the layer before.
    pub(super) fn repair(&mut self, layer: u32, lost: &[u32]) -> Result<(), SolvingError> {
        let shards = self.manifest.layers[layer as usize].shards;
        Folder::make(&self.folder.layer(layer))?;
        let name = format!("repair-worker-{:03}", self.team.index());
        let mut store = BlockStore::new(&self.folder, self.form, layer, name, self.memory / 4);
        let mut done = PartialLayer::default();
        let mut walk = self.walk(layer - 1, &[]);
        self.expand_layer(&mut walk, layer - 1, shards, &mut store, &mut done, false)?;
        let own: Vec<u32> = lost.iter().copied().filter(|&shard| self.team.owns(shard)).collect();
        self.merge(layer, own, &mut store, &mut done, false)?;
        self.folder.sync(layer)?;
        for entry in done.made.files {
            // An entry has the checksum of its file, so equal entries are equal files.
            if !self.manifest.layers[layer as usize].keys.contains(&entry) {
                let path = self.folder.shard(BlockKind::Keys, layer, entry.shard);
                return Err(SolvingError::Damaged { path, what: "what is made again differs".to_string() });
            }
        }
        self.team.barrier()
    }

    /// The number of shards of the next layer: by the states of the last, and by the branching before it. It depends on
    /// the manifest only, so any number of workers makes the same files.
    fn next_shards(&self) -> u32 {
        let layers = &self.manifest.layers;
        let last = layers.last().map_or(0, |layer| layer.states);
        let before = layers.len().checked_sub(2).map(|index| &layers[index]);
        // Nothing is known of the branching before the first layer is expanded: a guess.
        let branching = before.map_or(4, |layer| layer.joint_moves / layer.states.max(1) + 1);
        shards_for(last.saturating_mul(branching))
    }

    /// Expands a layer, and files the blocks of its successors.
    fn expand_layer(
        &mut self,
        walk: &mut ShardWalk,
        layer: u32,
        shards: u32,
        store: &mut BlockStore,
        done: &mut PartialLayer,
        commits: bool,
    ) -> Result<(), SolvingError> {
        let mut outgoing = OutgoingRows::new(shards, self.memory / 4);
        // The tally of the shard that is being expanded, and if a successor has another potential than its layer.
        let mut met = LayerTally::default();
        let mut violates = false;
        loop {
            while !outgoing.is_full() && self.expander.expand(walk)? {
                self.team.check()?;
                done.add_shards(walk.finished().into_iter().map(|(shard, _)| shard), &mut met);
                self.note(&mut met)?;
                outgoing.take(self, shards);
            }
            if walk.is_done() {
                done.add_shards(walk.finished().into_iter().map(|(shard, _)| shard), &mut met);
            }
            let messages =
                outgoing.messages(self, layer + 1, |potential| violates |= potential != u64::from(layer) + 1);
            let (received, more) = self.team.round(messages, !walk.is_done())?;
            store.file(received)?;
            if !more {
                return self.judge_potential(violates);
            }
            // A round that all workers take part in, so that they commit together.
            if commits && self.is_for_any(self.is_time_to_commit())? {
                self.judge_potential(violates)?;
                self.commit_part(layer + 1, std::mem::take(done), store)?;
            }
        }
    }

    /// True if something is the case for any worker.
    fn is_for_any(&mut self, is_for_this: bool) -> Result<bool, SolvingError> {
        Ok(self.team.round(Vec::new(), is_for_this)?.1)
    }

    /// Drops the potential if any worker has found a move that violates it.
    fn judge_potential(&mut self, violates: bool) -> Result<(), SolvingError> {
        if self.is_for_any(violates)? {
            self.potential = None;
            self.manifest.potential = None;
        }
        Ok(())
    }

    /// Commits the part of the next layer that is done.
    fn commit_part(&mut self, next: u32, mut done: PartialLayer, store: &mut BlockStore) -> Result<(), SolvingError> {
        done.runs = store.commit()?;
        self.folder.sync_runs()?;
        self.folder.sync(next)?;
        self.take(done)?;
        self.commit()
    }

    /// Adds the work of all workers on a layer to the manifest.
    fn take(&mut self, done: PartialLayer) -> Result<(), SolvingError> {
        let all = self.gather(&done)?;
        let partial = self.manifest.partial.get_or_insert_default();
        all.into_iter().for_each(|done| partial.add(done));
        Ok(())
    }

    /// Adds the states that were expanded last to a tally.
    fn note(&self, met: &mut LayerTally) -> Result<(), SolvingError> {
        let expansions = self.expander.expansions();
        for expansion in expansions.all() {
            match expansion {
                KeyExpansion::End(_) => met.terminal += 1,
                KeyExpansion::Turn(turn) => {
                    met.joint_moves += turn.joint_moves as u64;
                    met.choosing = met.choosing.max(turn.choosing);
                }
            }
        }
        for goals in expansions.ends() {
            met.endings.insert(self.ending(goals)?);
        }
        Ok(())
    }

    /// Merges and writes shards of a layer.
    fn merge(
        &mut self,
        layer: u32,
        own: Vec<u32>,
        store: &mut BlockStore,
        done: &mut PartialLayer,
        commits: bool,
    ) -> Result<(), SolvingError> {
        let mut waiting = own.into_iter();
        loop {
            for shard in waiting.by_ref() {
                self.team.check()?;
                let mut rows = store.take(shard)?;
                // With a potential the number of moves to a row is known, so it is in no older layer.
                if self.potential.is_none() {
                    let before = rows.len();
                    self.subtract_older(layer, shard, &mut rows)?;
                    done.made.overlaps |= rows.len() < before;
                }
                if !rows.is_empty() {
                    done.made.files.push(self.folder.write_keys(layer, shard, &rows, self.form.width)?);
                }
                if commits && self.is_time_to_commit() {
                    break;
                }
            }
            if !self.is_for_any(waiting.len() > 0)? {
                return Ok(());
            }
            self.commit_part(layer, std::mem::take(done), store)?;
        }
    }

    /// Drops the rows of a shard that are in older layers.
    fn subtract_older(&self, layer: u32, shard: u32, rows: &mut Vec<u64>) -> Result<(), SolvingError> {
        let shards = shards_of_layer(&self.manifest.layers, layer, self.next_shards());
        let mut older = Vec::new();
        for index in 0..layer {
            let of = &self.manifest.layers[index as usize];
            for entry in of.keys.iter().filter(|entry| overlap(entry.shard, of.shards, shard, shards)) {
                let mut file = BlockFile::open(&self.folder, BlockKind::Keys, index, *entry)?;
                let mut subtraction = Subtraction { width: self.form.width, read: 0, kept: Vec::new() };
                while file.next_keys(&mut older)? {
                    subtraction.drop_all(rows, &older);
                }
                subtraction.finish(rows);
            }
        }
        Ok(())
    }

    /// Adds the next layer to the manifest, and its counts to the layer that was expanded.
    fn add_layer(&mut self, layer: u32, shards: u32) {
        let manifest = &mut self.manifest;
        let PartialLayer { met, made, .. } = manifest.partial.take().unwrap_or_default();
        let known = manifest.endings.iter().map(|ending| ending.iter().map(|utility| utility.millionths()).collect());
        let endings: BTreeSet<Vec<i64>> = known.chain(met.endings).collect();
        let utilities = |ending: Vec<i64>| ending.into_iter().map(Utility::from_millionths).collect();
        // Sorted, since workers meet endings in another order in each run.
        manifest.endings = endings.into_iter().rev().map(utilities).collect();
        let expanded = &mut manifest.layers[layer as usize];
        (expanded.terminal, expanded.joint_moves, expanded.choosing) = (met.terminal, met.joint_moves, met.choosing);
        manifest.is_layered &= !made.overlaps;
        let keys = in_order(made.files.into_iter());
        if keys.is_empty() {
            manifest.is_explored = true;
            return;
        }
        let states = keys.iter().map(|entry| entry.states).sum();
        manifest.layers.push(Layer { states, shards, keys, ..Layer::default() });
    }
}

/// The number of shards of a layer, which may be the next one.
fn shards_of_layer(layers: &[Layer], layer: u32, next: u32) -> u32 {
    layers.get(layer as usize).map_or(next, |layer| layer.shards)
}

/// True if a shard of a layer, and one of a layer with another number of shards, may have rows in common: shards are
/// ranges of hashes, and their numbers are powers of two.
pub(super) fn overlap(one: u32, ones: u32, other: u32, others: u32) -> bool {
    if ones >= others { one / (ones / others) == other } else { other / (others / ones) == one }
}

/// The subtraction of sorted lists from sorted rows.
struct Subtraction {
    width: usize,
    read: usize,
    kept: Vec<Range<usize>>,
}

impl Subtraction {
    /// Drops the rows that are among `others`, which come in order from call to call.
    fn drop_all(&mut self, rows: &[u64], others: &[u64]) {
        let width = self.width;
        for other in others.chunks_exact(width) {
            let start = self.read;
            while self.read < rows.len() && rows[self.read..self.read + width] < *other {
                self.read += width;
            }
            self.keep(start..self.read);
            if self.read == rows.len() {
                return;
            }
            if rows[self.read..self.read + width] == *other {
                self.read += width;
            }
        }
    }

    fn keep(&mut self, range: Range<usize>) {
        match self.kept.last_mut() {
            _ if range.is_empty() => {}
            Some(last) if last.end == range.start => last.end = range.end,
            _ => self.kept.push(range),
        }
    }

    /// Leaves only the rows that were not dropped.
    fn finish(mut self, rows: &mut Vec<u64>) {
        self.keep(self.read..rows.len());
        let mut end = 0;
        for range in self.kept {
            let length = range.len();
            rows.copy_within(range, end);
            end += length;
        }
        rows.truncate(end);
    }
}

/// The successors that a worker has found and not yet sent, by shard.
struct OutgoingRows {
    buckets: Vec<Vec<u64>>,
    /// The number of words that the buckets have room for.
    held: usize,
    most: usize,
}

impl OutgoingRows {
    fn new(shards: u32, bytes: usize) -> Self {
        Self { buckets: vec![Vec::new(); shards as usize], held: 0, most: bytes / size_of::<u64>() }
    }

    fn is_full(&self) -> bool {
        self.held >= self.most
    }

    /// Takes the successors that were found last.
    fn take(&mut self, member: &RunWorker<'_>, shards: u32) {
        let form = member.form;
        let successors = member.expander.successors();
        let mut held = self.held;
        let mut file = |bucket: &mut Vec<u64>, row: &[u64]| {
            let room = bucket.capacity();
            bucket.extend_from_slice(row);
            held += bucket.capacity() - room;
        };
        if form.width == 1 {
            // With a constant width the compiler unrolls the copy of a row.
            for row in successors.as_chunks::<1>().0 {
                file(&mut self.buckets[form.shard(row, shards) as usize], row);
            }
        } else {
            for row in successors.chunks_exact(form.width) {
                file(&mut self.buckets[form.shard(row, shards) as usize], row);
            }
        }
        self.held = held;
    }

    /// All rows that are held, as messages of blocks; `check` is called with the potential of each row. Rows are freed
    /// as soon as they are in a message: other shards get the next ones, so room that was kept would add up over all
    /// shards.
    fn messages(&mut self, member: &RunWorker<'_>, layer: u32, mut check: impl FnMut(u64)) -> Vec<WorkerMessage> {
        let mut messages = Vec::new();
        let width = member.form.width;
        let workers = member.team.workers();
        for (shard, rows) in (0..).zip(&mut self.buckets).filter(|(_, rows)| !rows.is_empty()) {
            member.form.sort(rows);
            if let Some(potential) = &member.potential {
                rows.chunks_exact(width).for_each(|row| check(potential.move_count(row)));
            }
            let mut writer = KeyWriter::new(layer, width);
            let mut bytes = Vec::new();
            rows.chunks_exact(width).for_each(|row| writer.push(row, &mut bytes));
            writer.finish(&mut bytes);
            *rows = Vec::new();
            bytes.shrink_to_fit();
            messages.push(WorkerMessage::new(shard % workers, shard, bytes));
        }
        self.held = 0;
        messages
    }
}

/// The blocks that a worker has received for the next layer, by shard: in memory as far as it reaches, then in files.
#[derive(Debug)]
pub(super) struct BlockStore {
    folder: Folder,
    form: RowForm,
    layer: u32,
    /// The beginning of the names of its files.
    name: String,
    /// The most bytes to hold in memory.
    memory: usize,
    held: usize,
    blocks: BTreeMap<u32, Vec<Vec<u8>>>,
    runs: Vec<BlockRun>,
    /// The number of them that have been committed.
    committed: usize,
}

/// A file of blocks that did not fit into memory, or were committed.
#[derive(Debug)]
struct BlockRun {
    path: PathBuf,
    file: File,
    entry: RunEntry,
}

impl BlockStore {
    /// A store for a layer; the name tells its files from those of other workers and earlier runs.
    pub(super) fn new(folder: &Folder, form: RowForm, layer: u32, name: String, memory: usize) -> Self {
        let (blocks, runs) = Default::default();
        Self { folder: folder.clone(), form, layer, name, memory, held: 0, blocks, runs, committed: 0 }
    }

    /// Adds files that were committed earlier.
    pub(super) fn open(&mut self, entries: &[RunEntry]) -> Result<(), SolvingError> {
        for entry in entries {
            let path = self.folder.runs().join(&entry.name);
            let file = File::open(&path).map_err(at(&path))?;
            self.runs.push(BlockRun { path, file, entry: entry.clone() });
        }
        self.committed = self.runs.len();
        Ok(())
    }

    /// Puts all blocks into files, and returns the entries of those that are new since the last call.
    pub(super) fn commit(&mut self) -> Result<Vec<RunEntry>, SolvingError> {
        if self.held > 0 {
            self.spill()?;
        }
        let new = self.runs[self.committed..].iter().map(|run| run.entry.clone()).collect();
        self.committed = self.runs.len();
        Ok(new)
    }

    /// Adds the blocks of messages, and writes all to a file if they exceed the memory.
    pub(super) fn file(&mut self, messages: Vec<WorkerMessage>) -> Result<(), SolvingError> {
        for message in messages {
            self.held += message.bytes.len();
            self.blocks.entry(message.shard).or_default().push(message.bytes);
        }
        if self.held > self.memory { self.spill() } else { Ok(()) }
    }

    /// Writes all blocks to a file.
    fn spill(&mut self) -> Result<(), SolvingError> {
        let name = format!("{}-{:04}", self.name, self.runs.len());
        let path = self.folder.runs().join(&name);
        let options = fs::OpenOptions::new().read(true).write(true).create(true).truncate(true).open(&path);
        let mut file = BufWriter::new(options.map_err(at(&path))?);
        let mut parts = BTreeMap::new();
        let mut start = 0;
        let mut checksum = crc32fast::Hasher::new();
        for (shard, blocks) in std::mem::take(&mut self.blocks) {
            let length: usize = blocks.iter().map(Vec::len).sum();
            for block in blocks {
                file.write_all(&block).map_err(at(&path))?;
                checksum.update(&block);
            }
            parts.insert(shard, (start, length));
            start += length as u64;
        }
        let file = file.into_inner().map_err(|error| at(&path)(error.into_error()))?;
        let entry = RunEntry { name, parts, bytes: start, checksum: checksum.finalize() };
        self.runs.push(BlockRun { path, file, entry });
        self.held = 0;
        Ok(())
    }

    /// Takes all rows of a shard, sorted and without duplicates.
    pub(super) fn take(&mut self, shard: u32) -> Result<Vec<u64>, SolvingError> {
        let mut rows = Vec::new();
        let damaged = |error: super::super::block::BlockError, path: PathBuf| SolvingError::Damaged {
            path,
            what: format!("{error} (received blocks of shard {shard})"),
        };
        for blocks in self.blocks.remove(&shard).unwrap_or_default() {
            self.held -= blocks.len();
            read_all(&blocks, self.layer, &mut rows).map_err(|error| damaged(error, self.folder.layer(self.layer)))?;
        }
        let mut content = Vec::new();
        for run in &mut self.runs {
            let Some(&(start, length)) = run.entry.parts.get(&shard) else { continue };
            content.resize(length, 0);
            run.file.seek(SeekFrom::Start(start)).map_err(at(&run.path))?;
            run.file.read_exact(&mut content).map_err(at(&run.path))?;
            read_all(&content, self.layer, &mut rows).map_err(|error| damaged(error, run.path.clone()))?;
        }
        self.form.sort(&mut rows);
        Ok(rows)
    }
}

fn read_all(mut bytes: &[u8], layer: u32, rows: &mut Vec<u64>) -> Result<(), super::super::block::BlockError> {
    while let Some((header, content)) = take(&mut bytes, layer)? {
        read_sent(&header, content, rows)?;
    }
    Ok(())
}
