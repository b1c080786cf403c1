//! Work on a layer that was committed before the layer was finished.

use super::folder::FileEntry;
use serde::{Deserialize, Serialize};
use std::collections::{BTreeMap, BTreeSet};

/// How far the next layer has come: first the newest layer is expanded, then the successors are merged.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
pub(super) struct PartialLayer {
    /// The shards of the newest layer that have been expanded.
    pub(super) expanded: Vec<u32>,
    /// What was met in them.
    pub(super) met: LayerTally,
    /// The files in which their successors wait.
    pub(super) runs: Vec<RunEntry>,
    /// What has been merged and written.
    pub(super) made: SuccessorOutput,
}

/// A file of successors that wait, as the manifest lists it.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub(super) struct RunEntry {
    pub(super) name: String,
    /// For each shard, where its blocks begin and how many bytes they have.
    pub(super) parts: BTreeMap<u32, (u64, usize)>,
    pub(super) bytes: u64,
    pub(super) checksum: u32,
}

/// What was met in shards of a layer.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
pub(super) struct LayerTally {
    /// The number of terminal states.
    pub(super) terminal: u64,
    /// The number of joint moves in the states that are not terminal.
    pub(super) joint_moves: u64,
    /// The greatest number of roles that choose at the same time.
    pub(super) choosing: u16,
    /// The utilities of all roles in terminal states, in millionths.
    pub(super) endings: BTreeSet<Vec<i64>>,
}

impl LayerTally {
    pub(super) fn add(&mut self, other: Self) {
        self.terminal += other.terminal;
        self.joint_moves += other.joint_moves;
        self.choosing = self.choosing.max(other.choosing);
        self.endings.extend(other.endings);
    }
}

/// What was written of the next layer.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
pub(super) struct SuccessorOutput {
    pub(super) files: Vec<FileEntry>,
    /// Whether a successor was in an older layer.
    pub(super) overlaps: bool,
}
