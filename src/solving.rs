//! Solving on disk, layer by layer: for games whose states do not fit into memory.
//!
//! States are keys ([`crate::game::KeyReasoner`]) in sorted files, a folder a layer, divided into shards. Workers share
//! the shards; each layer is expanded, its successors are exchanged, merged and written, and the layer is committed by
//! renaming the manifest. Then values come back from the last layer to the first. A run that was killed goes on from
//! the last committed layer, with any number of workers, and comes to the same files byte by byte.
//!
//! The modules, from the bottom up:
//!
//! - Form: `row` (keys as sorted rows, shards), `block` (the unit of files and messages), `folder`, `lock`,
//!   `manifest`, `partial`, `identity`.
//! - Work: `exchange` (rounds on timely dataflow), `cluster` (processes), `failure`, `walk`, `store`, `member` (a
//!   worker), `symmetry`.
//! - Steps: `forward`, `backward` and `expected` (chance, with `players`) with `questions` and `valued`, `rounds` for games without layers, `recover`, `run`.
//! - What is read afterwards: `database`, `advice`.
//!
//! Without the feature `disk` what was solved is read, and nothing is solved.

mod advice;
#[cfg(feature = "disk")]
mod backward;
mod block;
#[cfg(feature = "disk")]
mod cluster;
mod database;
mod error;
#[cfg(feature = "disk")]
mod exchange;
#[cfg(feature = "disk")]
mod expected;
#[cfg(feature = "disk")]
mod failure;
mod folder;
#[cfg(feature = "disk")]
mod forward;
mod identity;
#[cfg(feature = "disk")]
mod job;
#[cfg(feature = "disk")]
mod lock;
mod manifest;
#[cfg(feature = "disk")]
mod member;
mod partial;
mod players;
#[cfg(feature = "disk")]
mod questions;
mod recover;
#[cfg(feature = "disk")]
mod rounds;
mod row;
#[cfg(feature = "disk")]
mod run;
#[cfg(feature = "disk")]
mod store;
mod symmetry;
mod valued;
#[cfg(feature = "disk")]
mod walk;

pub use advice::KnownSuccessor;
#[cfg(feature = "disk")]
pub use cluster::Hosts;
pub use database::{Database, KnownState};
pub use error::SolvingError;
pub use folder::DamagedFile;
#[cfg(feature = "disk")]
pub use job::{Job, Progress, RunStep};
pub use manifest::{Layer, Manifest};
#[cfg(feature = "disk")]
pub use run::solve;
