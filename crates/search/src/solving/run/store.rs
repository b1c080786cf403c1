//! The blocks of the next layer that a worker has received: in memory as far as it reaches, then in files.

use super::super::block::{BlockKind, read_sent, take};
use super::super::error::{SolvingError, at};
use super::super::folder::Folder;
use super::super::partial::RunEntry;
use super::super::row::RowForm;
use super::exchange::WorkerMessage;
use std::collections::BTreeMap;
use std::fs::{self, File};
use std::io::{BufWriter, Read, Seek, SeekFrom, Write};
use std::path::PathBuf;

/// Blocks by shard.
#[derive(Debug)]
pub(super) struct BlockStore {
    folder: Folder,
    form: RowForm,
    layer: u32,
    /// What the names of its files begin with.
    name: String,
    /// The most bytes to hold in memory.
    memory: usize,
    held: usize,
    blocks: BTreeMap<u32, Vec<Vec<u8>>>,
    runs: Vec<BlockRun>,
    /// How many of them have been committed.
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

    /// Reads also from files that were committed earlier.
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

    /// Keeps the blocks of messages.
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
    while let Some((header, content)) = take(&mut bytes, BlockKind::Sent, layer)? {
        read_sent(&header, content, rows)?;
    }
    Ok(())
}
