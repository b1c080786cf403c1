//! A worker of a run: what it needs for any of the steps, and its walk through the states of a layer, which it expands.

use super::super::block::BlockKind;
use super::super::error::SolvingError;
use super::super::folder::{BlockFile, FileEntry, Folder};
use super::super::manifest::Manifest;
use super::super::row::{RowForm, RowSymmetries};
use super::exchange::Team;
use super::files::sweep_runs;
use crate::Potential;
use crate::explore::layers::BatchSize;
use ggp_game::{KeyExpansion, KeyExpansions, KeyReasoner, KeyTurn, ReasonError, Utility};
use std::collections::{BTreeSet, VecDeque};
use std::sync::Arc;
use std::time::{Duration, Instant};

/// A worker with its engine and its copy of the manifest, which is the same for all.
pub(super) struct RunWorker<'w> {
    pub(super) team: Team<'w>,
    pub(super) folder: Folder,
    pub(super) form: RowForm,
    pub(super) manifest: Manifest,
    /// The number of moves to a row, unless a move has violated it.
    pub(super) potential: Option<Potential>,
    /// The row of the first state.
    pub(super) first: Vec<u64>,
    pub(super) expander: Expander,
    /// The index of chance among the roles, whose utilities count as 0.
    pub(super) chance: Option<usize>,
    /// The memory of this worker, in bytes.
    pub(super) memory: usize,
    /// The bytes that all workers had sent each other when the manifest was written last.
    pub(super) exchanged: u64,
    /// The time at which the manifest was written last.
    pub(super) committed: Instant,
    /// The time after which work on a layer is committed before it is finished.
    pub(super) commit_after: Duration,
}

impl RunWorker<'_> {
    /// A walk through this worker's states of a layer, except those of some shards.
    pub(super) fn walk(&self, layer: u32, without: &[u32]) -> ShardWalk {
        let without: BTreeSet<u32> = without.iter().copied().collect();
        let is_own = |entry: &FileEntry| self.team.owns(entry.shard) && !without.contains(&entry.shard);
        let files = self.manifest.layers[layer as usize].keys.iter().copied();
        ShardWalk::new(&self.folder, layer, files.filter(is_own))
    }

    /// The number of the newest layer.
    pub(super) fn newest(&self) -> u32 {
        u32::try_from(self.manifest.layers.len() - 1).expect("there are few layers")
    }

    /// Gives each worker's message to all, and returns all messages.
    pub(super) fn gather<T: serde::Serialize + serde::de::DeserializeOwned>(
        &mut self,
        message: &T,
    ) -> Result<Vec<T>, SolvingError> {
        let unread = |error: serde_json::Error| SolvingError::Worker { what: error.to_string() };
        let texts = self.team.gather(&serde_json::to_vec(message).map_err(unread)?)?;
        texts.iter().map(|text| serde_json::from_slice(text).map_err(unread)).collect()
    }

    /// Writes the manifest, after all workers have written their files, and before any of them goes on.
    pub(super) fn commit(&mut self) -> Result<(), SolvingError> {
        if self.team.index() == 0 {
            self.manifest.write(&self.folder)?;
            sweep_runs(&self.folder, &self.manifest)?;
        }
        self.committed = Instant::now();
        let sent = self.team.sent();
        self.exchanged = self.gather(&sent)?.into_iter().sum();
        Ok(())
    }

    /// True if work on a layer is to be committed although it is not finished.
    pub(super) fn is_time_to_commit(&self) -> bool {
        self.committed.elapsed() >= self.commit_after
    }

    /// The utilities of a terminal state, in millionths; chance has 0.
    pub(super) fn ending(&self, goals: &[Result<Utility, ReasonError>]) -> Result<Vec<i64>, SolvingError> {
        let utility = |(role, goal): (usize, &Result<Utility, ReasonError>)| match goal {
            _ if Some(role) == self.chance => Ok(0),
            Ok(utility) => Ok(utility.millionths()),
            Err(error) => Err(error.clone()),
        };
        Ok(goals.iter().enumerate().map(utility).collect::<Result<_, _>>()?)
    }
}

/// The files of all workers in the order of their shards.
pub(super) fn in_order(files: impl Iterator<Item = FileEntry>) -> Vec<FileEntry> {
    let mut files: Vec<FileEntry> = files.collect();
    files.sort_unstable();
    files
}

/// The states of some shards of a layer, in order.
#[derive(Debug)]
pub(super) struct ShardWalk {
    folder: Folder,
    layer: u32,
    waiting: VecDeque<FileEntry>,
    current: Option<(u32, BlockFile)>,
    rows: Vec<u64>,
    next: usize,
    /// For each block that was read, its shard and its number of states.
    blocks: VecDeque<(u32, u32)>,
}

impl ShardWalk {
    pub(super) fn new(folder: &Folder, layer: u32, shards: impl Iterator<Item = FileEntry>) -> Self {
        Self {
            folder: folder.clone(),
            layer,
            waiting: shards.collect(),
            current: None,
            rows: Vec::new(),
            next: 0,
            blocks: VecDeque::new(),
        }
    }

    /// The next rows, this many at most; none at the end.
    pub(super) fn next_rows(&mut self, most: usize, form: RowForm) -> Result<&[u64], SolvingError> {
        while self.next == self.rows.len() {
            self.next = 0;
            let Some((shard, file)) = &mut self.current else {
                let Some(entry) = self.waiting.pop_front() else { break };
                let file = BlockFile::open(&self.folder, BlockKind::Keys, self.layer, entry)?;
                self.current = Some((entry.shard, file));
                self.rows.clear();
                continue;
            };
            if file.next_keys(&mut self.rows)? {
                let count = u32::try_from(self.rows.len() / form.width).expect("blocks are short");
                self.blocks.push_back((*shard, count));
            } else {
                self.current = None;
            }
        }
        let start = self.next;
        self.next = self.rows.len().min(start + most * form.width);
        Ok(&self.rows[start..self.next])
    }

    /// True if all states have been given.
    pub(super) fn is_done(&self) -> bool {
        self.next == self.rows.len() && self.current.is_none() && self.waiting.is_empty()
    }

    /// The shards whose last rows have been given since the last call, each with the number of states of its blocks.
    pub(super) fn finished(&mut self) -> Vec<(u32, Vec<u32>)> {
        let unfinished = self.current.as_ref().map(|(shard, _)| *shard);
        let mut finished: Vec<(u32, Vec<u32>)> = Vec::new();
        while let Some((shard, count)) = self.blocks.pop_front_if(|block| Some(block.0) != unfinished) {
            match finished.last_mut() {
                Some((last, blocks)) if *last == shard => blocks.push(count),
                _ => finished.push((shard, vec![count])),
            }
        }
        finished
    }
}

/// An engine that expands rows, with its scratch memory.
pub(super) struct Expander {
    form: RowForm,
    keys: Box<dyn KeyReasoner>,
    /// Symmetries, if states are the same up to them.
    symmetries: Option<Arc<RowSymmetries>>,
    scratch: Vec<u64>,
    successors: Vec<u64>,
    expansions: KeyExpansions,
    at_once: BatchSize,
}

impl Expander {
    /// The number of successors to hold at a time, approximately.
    const SUCCESSORS: usize = 1 << 14;

    pub(super) fn new(keys: Box<dyn KeyReasoner>, form: RowForm, symmetries: Option<Arc<RowSymmetries>>) -> Self {
        let (scratch, successors, expansions) = Default::default();
        Self { form, keys, symmetries, scratch, successors, expansions, at_once: BatchSize::holding(Self::SUCCESSORS) }
    }

    /// Expands the next states of a walk; false if there are none.
    pub(super) fn expand(&mut self, walk: &mut ShardWalk) -> Result<bool, SolvingError> {
        let rows = walk.next_rows(self.at_once.states(), self.form)?;
        if rows.is_empty() {
            return Ok(false);
        }
        self.expand_rows(rows)?;
        let states = self.expansions.all().len();
        let successors = self.expansions.successors().len() / self.form.width;
        self.at_once.learn(states, successors);
        Ok(true)
    }

    /// Expands some rows.
    pub(super) fn expand_rows(&mut self, rows: &[u64]) -> Result<(), SolvingError> {
        if self.form.width == 1 {
            // A row of one word is a key as it is.
            self.keys.expand(rows, &mut self.expansions);
        } else {
            self.scratch.clear();
            self.scratch.extend_from_slice(rows);
            self.form.reverse(&mut self.scratch);
            self.keys.expand(&self.scratch, &mut self.expansions);
            self.successors.clear();
            self.successors.extend_from_slice(self.expansions.successors());
            self.form.reverse(&mut self.successors);
        }
        if let Some(symmetries) = &self.symmetries {
            if self.form.width == 1 {
                // The engine's own list is not to be changed.
                self.successors.clear();
                self.successors.extend_from_slice(self.expansions.successors());
            }
            symmetries.reduce(&mut self.successors);
        }
        if let Some(error) = self.expansions.error() {
            return Err(error.clone().into());
        }
        let is_wide =
            |expansion: &KeyExpansion| matches!(expansion, KeyExpansion::Turn(KeyTurn { is_stored: false, .. }));
        if self.expansions.all().iter().any(is_wide) {
            return Err(SolvingError::TooWide { limit: KeyExpansions::MOST });
        }
        Ok(())
    }

    /// The expansions of the states that were expanded last.
    pub(super) fn expansions(&self) -> &KeyExpansions {
        &self.expansions
    }

    /// The rows of their successors.
    pub(super) fn successors(&self) -> &[u64] {
        if self.form.width == 1 && self.symmetries.is_none() { self.expansions.successors() } else { &self.successors }
    }
}
