//! A worker of a run: what it needs for any of the steps.

use super::super::error::SolvingError;
use super::super::folder::FileEntry;
use super::super::folder::Folder;
use super::super::manifest::Manifest;
use super::super::recover::sweep_runs;
use super::super::row::RowForm;
use super::exchange::Team;
use super::walk::{Expander, ShardWalk};
use crate::Potential;
use ggp_game::{ReasonError, Utility};
use std::collections::BTreeSet;
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
    /// When the manifest was written last.
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

    /// Whether work on a layer is to be committed although it is not finished.
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
