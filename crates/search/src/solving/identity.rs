//! What tells a run of one game from those of others: the rules, and how their states are written as keys.

use super::error::SolvingError;
use super::manifest::Manifest;
#[cfg(feature = "disk")]
use super::run::Job;
use ggp_game::{KeyGroup, KeyReasoner, Reasoner, Role};
use std::path::Path;

/// What tells a run of one game from those of others.
pub(super) struct Identity {
    game: String,
    rules: String,
    packing: String,
    roles: Vec<String>,
    pub(super) bits: u32,
    /// The index of chance among the roles.
    pub(super) chance: Option<usize>,
    pub(super) symmetries: Option<Vec<Vec<usize>>>,
}

impl Identity {
    pub(super) fn new<R: Reasoner>(name: &str, text: &str, reasoner: &R, keys: &dyn KeyReasoner) -> Self {
        let groups = keys.groups();
        Self {
            game: name.to_string(),
            rules: hash(text.as_bytes()),
            packing: Self::packing_of(reasoner, &groups),
            roles: reasoner.roles().iter().map(ToString::to_string).collect(),
            bits: groups.last().map_or(0, |group| group.bits.end),
            chance: Role::chance(reasoner.roles()).map(Role::index),
            symmetries: None,
        }
    }

    /// The hash of how states are written as keys.
    pub(super) fn packing_of<R: Reasoner>(reasoner: &R, groups: &[KeyGroup]) -> String {
        let mut packing = String::new();
        for group in groups {
            let names = group.fluents.iter().map(|&fluent| reasoner.fluent_term(fluent).to_string());
            packing += &format!("{:?} {}\n", group.bits, names.collect::<Vec<_>>().join(" "));
        }
        hash(packing.as_bytes())
    }

    /// The manifest of a run that has not begun.
    pub(super) fn manifest(&self) -> Manifest {
        let Self { game, rules, packing, roles, bits, chance, symmetries } = self;
        let mut manifest = Manifest::new(game.clone(), rules.clone(), packing.clone(), roles.clone(), *bits);
        (manifest.chance, manifest.symmetries) = (*chance, symmetries.clone());
        manifest
    }

    /// What the processes of a run must agree on.
    #[cfg(feature = "disk")]
    pub(super) fn work(&self, job: &Job) -> [u8; 16] {
        let Self { rules, packing, symmetries, .. } = self;
        let Job { workers, count_only, layers, distances, .. } = job;
        let text = format!("{rules} {packing} {symmetries:?} {workers} {count_only} {layers:?} {distances}");
        hash_of(text.as_bytes()).to_le_bytes()
    }

    /// Refuses a folder of other rules. The name of the game does not count, nor do symmetries: both a run with them
    /// and one without them know the values of all states.
    pub(super) fn check(&self, manifest: &Manifest, folder: &Path) -> Result<(), SolvingError> {
        let what = match () {
            () if manifest.rules != self.rules => "rule sheet",
            () if manifest.roles != self.roles || manifest.chance != self.chance => "list of roles",
            () if manifest.packing != self.packing || manifest.bits != self.bits => {
                "form of keys (it is of another version of this program)"
            }
            () => return Ok(()),
        };
        Err(SolvingError::Other { folder: folder.to_path_buf(), game: manifest.game.clone(), what })
    }
}

/// A hash of 128 bits (FNV-1a), in hexadecimal digits. It tells mistakes, not forgeries.
pub(super) fn hash(text: &[u8]) -> String {
    format!("{:032x}", hash_of(text))
}

fn hash_of(text: &[u8]) -> u128 {
    let start = 0x6c62_272e_07bb_0142_62b8_2175_6295_c58d_u128;
    let step = |hash: u128, &byte: &u8| (hash ^ u128::from(byte)).wrapping_mul(0x0100_0000_0000_0000_0000_013b);
    text.iter().fold(start, step)
}
