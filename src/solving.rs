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

mod advice;
mod backward;
mod block;
mod cluster;
mod database;
mod error;
mod exchange;
mod expected;
mod failure;
mod folder;
mod forward;
mod identity;
mod job;
mod lock;
mod manifest;
mod member;
mod partial;
mod players;
mod questions;
mod recover;
mod rounds;
mod row;
mod run;
mod store;
mod symmetry;
mod valued;
mod walk;

pub use advice::KnownSuccessor;
pub use cluster::Hosts;
pub use database::{Database, KnownState};
pub use error::SolvingError;
pub use folder::DamagedFile;
pub use job::{Job, Progress, RunStep};
pub use manifest::{Layer, Manifest};
pub use run::solve;
