//! Solving on disk, layer by layer: for games whose states do not fit into memory.
//!
//! States are keys ([`ggp_game::KeyReasoner`]) in sorted files, a folder a layer, divided into shards. Workers share
//! the shards; each layer is expanded, its successors are exchanged, merged and written, and the layer is committed by
//! renaming the manifest. Then values come back from the last layer to the first. A run that was killed goes on from
//! the last committed layer, with any number of workers, and comes to the same files byte by byte.
//!
//! The modules, from the bottom up:
//!
//! - Form: `row` (keys as sorted rows, shards, symmetries), `block` (the unit of files and messages), `folder`,
//!   `manifest`, `valued` (values).
//! - A run, in `run/`. Writing: `blocks`, `files` (with the recovery of a folder). Work: `exchange` (rounds on timely
//!   dataflow), `cluster` (processes), `worker`. Steps: `forward`, `backward`, and `rounds` for games without layers.
//! - What is read afterwards: `database`.
//!
//! Without the feature `disk`, which is the door of `run`, solved games are read, and nothing is solved.

mod block;
mod database;
mod error;
mod folder;
mod manifest;
mod row;
#[cfg(feature = "disk")]
mod run;
mod valued;

pub use database::{Database, KnownState, KnownSuccessor};
pub use error::SolvingError;
pub use folder::DamagedFile;
pub use manifest::{Layer, Manifest};
#[cfg(feature = "disk")]
pub use run::{Hosts, Job, Progress, RunStep, solve};
