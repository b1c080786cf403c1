//! The blocks of the next layer that a worker has received: in memory as far as it reaches, then in files.

use super::block::{BlockKind, read_sent, take};
use super::error::{SolvingError, at};
use super::exchange::Parcel;
use super::folder::Folder;
use super::row::Form;
use std::collections::BTreeMap;
use std::fs::{self, File};
use std::io::{BufWriter, Read, Seek, SeekFrom, Write};
use std::path::PathBuf;

/// Blocks by shard.
#[derive(Debug)]
pub(super) struct Store {
    folder: Folder,
    form: Form,
    layer: u32,
    worker: u32,
    /// The most bytes to hold in memory.
    memory: usize,
    held: usize,
    blocks: BTreeMap<u32, Vec<Vec<u8>>>,
    runs: Vec<Run>,
}

/// A file of blocks that did not fit into memory.
#[derive(Debug)]
struct Run {
    path: PathBuf,
    file: File,
    /// For each shard, where its blocks begin and how long they are.
    parts: BTreeMap<u32, (u64, usize)>,
}

impl Store {
    pub(super) fn new(folder: &Folder, form: Form, (layer, worker): (u32, u32), memory: usize) -> Self {
        let (blocks, runs) = Default::default();
        Self { folder: folder.clone(), form, layer, worker, memory, held: 0, blocks, runs }
    }

    /// Keeps the blocks of parcels.
    pub(super) fn file(&mut self, parcels: Vec<Parcel>) -> Result<(), SolvingError> {
        for parcel in parcels {
            self.held += parcel.bytes.len();
            self.blocks.entry(parcel.shard).or_default().push(parcel.bytes);
        }
        if self.held > self.memory { self.spill() } else { Ok(()) }
    }

    /// Writes all blocks to a file.
    fn spill(&mut self) -> Result<(), SolvingError> {
        let path = self.folder.runs().join(format!("worker-{:03}-run-{:04}", self.worker, self.runs.len()));
        let options = fs::OpenOptions::new().read(true).write(true).create(true).truncate(true).open(&path);
        let mut file = BufWriter::new(options.map_err(at(&path))?);
        let (mut parts, mut start) = (BTreeMap::new(), 0);
        for (shard, blocks) in std::mem::take(&mut self.blocks) {
            let length: usize = blocks.iter().map(Vec::len).sum();
            for block in blocks {
                file.write_all(&block).map_err(at(&path))?;
            }
            parts.insert(shard, (start, length));
            start += length as u64;
        }
        let file = file.into_inner().map_err(|error| at(&path)(error.into_error()))?;
        self.runs.push(Run { path, file, parts });
        self.held = 0;
        Ok(())
    }

    /// Takes all rows of a shard, sorted and without duplicates.
    pub(super) fn take(&mut self, shard: u32) -> Result<Vec<u64>, SolvingError> {
        let mut rows = Vec::new();
        let damaged = |error: super::block::BlockError, path: PathBuf| SolvingError::Damaged {
            path,
            what: format!("{error} (received blocks of shard {shard})"),
        };
        for blocks in self.blocks.remove(&shard).unwrap_or_default() {
            self.held -= blocks.len();
            read_all(&blocks, self.layer, &mut rows).map_err(|error| damaged(error, self.folder.layer(self.layer)))?;
        }
        let mut content = Vec::new();
        for run in &mut self.runs {
            let Some(&(start, length)) = run.parts.get(&shard) else { continue };
            content.resize(length, 0);
            run.file.seek(SeekFrom::Start(start)).map_err(at(&run.path))?;
            run.file.read_exact(&mut content).map_err(at(&run.path))?;
            read_all(&content, self.layer, &mut rows).map_err(|error| damaged(error, run.path.clone()))?;
        }
        self.form.sort(&mut rows);
        Ok(rows)
    }

    /// The number of bytes that were written to files.
    pub(super) fn spilled(&self) -> u64 {
        self.runs.iter().flat_map(|run| run.parts.values()).map(|&(_, length)| length as u64).sum()
    }
}

/// Removes the files.
impl Drop for Store {
    fn drop(&mut self) {
        for run in &self.runs {
            // What is left is removed when a run is resumed.
            _ = fs::remove_file(&run.path);
        }
    }
}

fn read_all(mut bytes: &[u8], layer: u32, rows: &mut Vec<u64>) -> Result<(), super::block::BlockError> {
    while let Some((header, content)) = take(&mut bytes, BlockKind::Sent, layer)? {
        read_sent(&header, content, rows)?;
    }
    Ok(())
}
