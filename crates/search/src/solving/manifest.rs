//! The manifest of a run: what it is about, and which files are complete. A file that it does not list does not count.
//!
//! It is one line of JSON that begins with the version of the files and the checksum (CRC-32) of the rest of the line.
//! Nothing of it is believed before the whole line is as it was written. Beside the layers lies a copy of it, from
//! which a run that goes on makes it again. A layer that was begun is listed as far as it was committed
//! ([`PartialLayer`]). Damaged files are those that are not as the manifest lists them.

use super::block::BlockKind;
use super::error::{SolvingError, at};
use super::folder::{DamagedFile, FileEntry, Folder, MISSING, check, read};
use super::valued::{Players, ShardFiles, ValueForm};
use ggp_game::{KeyGroup, KeyReasoner, Reasoner, Role, Utility};
use serde::{Deserialize, Serialize};
use std::collections::{BTreeMap, BTreeSet};
use std::io;
use std::path::Path;

/// The version of the files.
const VERSION: u32 = 3;

/// The subject of a run, and its progress.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Manifest {
    /// The name of the game.
    pub game: String,
    /// The hash of the rule sheet.
    pub(super) rules: String,
    /// The hash of the form in which states are written as keys.
    pub(super) packing: String,
    /// The roles, in order.
    pub roles: Vec<String>,
    /// The number of bits of a key.
    pub bits: u32,
    /// For each fluent in the order of the keys, its weight in the potential that grows by 1 with each joint move, if
    /// there is one; numbers modulo a prime.
    pub(super) potential: Option<Vec<u64>>,
    /// If states are the same up to symmetry, the fluent that each fluent becomes, for each symmetry but the one that
    /// changes nothing.
    pub(super) symmetries: Option<Vec<Vec<usize>>>,
    /// True if each joint move so far led exactly one layer farther.
    pub(super) is_layered: bool,
    /// The layers, from the first state on.
    pub layers: Vec<Layer>,
    /// The next layer, as far as work on it has been committed.
    pub(super) partial: Option<PartialLayer>,
    /// All states as one layer, if moves do not lead from layer to layer and values are wanted.
    pub(super) united: Option<Layer>,
    /// True if the last layer has no new successors.
    pub(super) is_explored: bool,
    /// The utilities of the ends of the game, greatest first, in the order of the roles.
    pub endings: Vec<Vec<Utility>>,
    /// True if distances are stored with the values.
    pub(super) distances: bool,
    /// The index of chance among the roles.
    pub(super) chance: Option<usize>,
    /// The means of the first state in games with chance, as the bits of floating-point numbers: text would round them.
    pub(super) first_means: Option<Vec<u64>>,
    /// The number of the ending that best play reaches from the first state; that of no ending is one more.
    pub(super) first: Option<u16>,
}

/// A manifest, read from either of its two files.
#[derive(Debug)]
pub(super) struct FoundManifest {
    pub(super) manifest: Manifest,
    /// Those of its two files that are not as they were written.
    pub(super) damaged: Vec<DamagedFile>,
}

/// The reason why a file of a manifest cannot be read.
#[derive(Debug, thiserror::Error)]
enum Flaw {
    #[error("{MISSING}")]
    Missing,
    #[error("its version is {0}, and this program reads {VERSION}")]
    Version(u32),
    #[error("its checksum is wrong")]
    Checksum,
    #[error("{0}")]
    Content(String),
}

/// The part that all versions of the manifest have.
#[derive(Deserialize)]
struct ManifestVersion {
    version: u32,
}

/// The beginning of the text of a manifest, before this rest of it.
pub(super) fn head(rest: &[u8]) -> String {
    format!(r#"{{"version":{VERSION},"checksum":"{:08x}","#, crc32fast::hash(rest))
}

/// A layer: the states that are equally many joint moves away from the first.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct Layer {
    /// The number of its states.
    pub states: u64,
    /// The number of terminal states; known when the next layer is.
    pub terminal: u64,
    /// The number of joint moves in the states that are not terminal; known when the next layer is.
    pub joint_moves: u64,
    /// The greatest number of roles that choose at the same time.
    pub(super) choosing: u16,
    /// The number of shards into which it is divided.
    pub(super) shards: u32,
    /// The files of keys; a shard without states has none.
    pub(super) keys: Vec<FileEntry>,
    /// The files of values; empty until they are known.
    pub(super) values: Vec<FileEntry>,
    /// The files of distances, if they are wanted.
    pub(super) distances: Vec<FileEntry>,
    /// For each ending of the manifest, the number of states with this value; then that of states without one.
    pub worths: Vec<u64>,
}

impl Layer {
    /// The bytes of all files.
    pub fn bytes(&self) -> u64 {
        self.keys.iter().chain(&self.values).chain(&self.distances).map(|entry| entry.bytes).sum()
    }

    /// The files of a shard, if it has states whose values are known.
    pub(super) fn shard_files(&self, shard: u32) -> Option<ShardFiles> {
        let find = |entries: &[FileEntry]| entries.iter().copied().find(|entry| entry.shard == shard);
        Some(ShardFiles { keys: find(&self.keys)?, values: find(&self.values)?, distances: find(&self.distances) })
    }

    /// True if the values of its states are known.
    pub(crate) fn is_valued(&self) -> bool {
        self.values.len() == self.keys.len()
    }
}

impl Manifest {
    /// The manifest of a run that has not begun: the rules, and the form of the keys of its states.
    pub(super) fn new<R: Reasoner>(game: &str, text: &str, reasoner: &R, keys: &dyn KeyReasoner) -> Self {
        let groups = keys.groups();
        Self {
            game: game.to_string(),
            rules: text_hash(text.as_bytes()),
            packing: Self::packing_of(reasoner, &groups),
            roles: reasoner.roles().iter().map(ToString::to_string).collect(),
            bits: groups.last().map_or(0, |group| group.bits.end),
            potential: None,
            symmetries: None,
            is_layered: true,
            layers: Vec::new(),
            partial: None,
            united: None,
            is_explored: false,
            endings: Vec::new(),
            distances: false,
            chance: Role::chance(reasoner.roles()).map(Role::index),
            first_means: None,
            first: None,
        }
    }

    /// The hash of the form in which states are written as keys.
    pub(super) fn packing_of<R: Reasoner>(reasoner: &R, groups: &[KeyGroup]) -> String {
        let mut packing = String::new();
        for group in groups {
            let names = group.fluents.iter().map(|&fluent| reasoner.fluent_term(fluent).to_string());
            packing += &format!("{:?} {}\n", group.bits, names.collect::<Vec<_>>().join(" "));
        }
        text_hash(packing.as_bytes())
    }

    /// Refuses a folder whose run is of other rules than this one. The name of the game does not count, nor do symmetries:
    /// both a run with them and one without them know the values of all states.
    pub(super) fn check_same_game(&self, found: &Self, folder: &Path) -> Result<(), SolvingError> {
        let what = match () {
            () if found.rules != self.rules => "rule sheet",
            () if found.roles != self.roles || found.chance != self.chance => "list of roles",
            () if found.packing != self.packing || found.bits != self.bits => {
                "form of keys (it is of another version of this program)"
            }
            () => return Ok(()),
        };
        Err(SolvingError::Other { folder: folder.to_path_buf(), game: found.game.clone(), what })
    }

    /// Reads the manifest of a folder; `None` if the folder has neither a manifest nor a copy of one. The copy alone is
    /// an error: the run has to go on first, which makes the manifest again.
    pub(super) fn read(folder: &Folder) -> Result<Option<Self>, SolvingError> {
        let Some(FoundManifest { manifest, damaged }) = Self::find(folder)? else { return Ok(None) };
        match damaged.into_iter().find(|file| file.path == folder.manifest()) {
            Some(DamagedFile { path, what }) => Err(SolvingError::Damaged { path, what }),
            None => Ok(Some(manifest)),
        }
    }

    /// Finds the manifest of a folder, or else its copy; `None` if the folder has neither.
    pub(super) fn find(folder: &Folder) -> Result<Option<FoundManifest>, SolvingError> {
        let path = folder.manifest();
        let copy = folder.manifest_copy();
        let damaged = |path, flaw: Option<Flaw>| {
            let file = flaw.map(|flaw| DamagedFile { path, what: flaw.to_string() });
            file.into_iter().collect()
        };
        match (Self::read_file(&path)?, Self::read_file(&copy)?) {
            (Ok(manifest), other) => Ok(Some(FoundManifest { manifest, damaged: damaged(copy, other.err()) })),
            (Err(flaw), Ok(manifest)) => Ok(Some(FoundManifest { manifest, damaged: damaged(path, Some(flaw)) })),
            (Err(Flaw::Missing), Err(Flaw::Missing)) => Ok(None),
            (Err(Flaw::Version(found)), Err(_)) => Err(SolvingError::Version { path, found, read: VERSION }),
            (Err(flaw), Err(of_copy)) => {
                Err(SolvingError::Manifest { path, what: flaw.to_string(), copy, what_of_copy: of_copy.to_string() })
            }
        }
    }

    /// Reads one of the files of a manifest.
    fn read_file(path: &Path) -> Result<Result<Self, Flaw>, SolvingError> {
        match read(path) {
            Ok(text) => Ok(Self::parse(&text)),
            Err(error) if error.kind() == io::ErrorKind::NotFound => Ok(Err(Flaw::Missing)),
            Err(error) => Err(at(path)(error)),
        }
    }

    fn parse(text: &[u8]) -> Result<Self, Flaw> {
        // All heads are of one length.
        let (start, rest) = text.split_at_checked(head(&[]).len()).unwrap_or((text, &[]));
        if start == head(rest).as_bytes() {
            return serde_json::from_slice(text).map_err(|error| Flaw::Content(error.to_string()));
        }
        match serde_json::from_slice(text) {
            Ok(ManifestVersion { version }) if version != VERSION => Err(Flaw::Version(version)),
            _ => Err(Flaw::Checksum),
        }
    }

    /// The number of symmetries up to which states are the same, the one that changes nothing included.
    pub fn symmetries(&self) -> Option<u64> {
        self.symmetries.as_ref().map(|symmetries| symmetries.len() as u64 + 1)
    }

    /// The number of states of all layers.
    pub fn states(&self) -> u64 {
        self.layers.iter().map(|layer| layer.states).sum()
    }

    /// The number of joint moves in all states.
    pub fn joint_moves(&self) -> u64 {
        self.layers.iter().map(|layer| layer.joint_moves).sum()
    }

    /// The bytes of all files of states and values.
    pub fn bytes(&self) -> u64 {
        self.layers.iter().chain(&self.united).map(Layer::bytes).sum()
    }

    /// True if all states have been found.
    pub fn is_explored(&self) -> bool {
        self.is_explored
    }

    /// True if the values of all states are known.
    pub fn is_solved(&self) -> bool {
        let is_valued = match &self.united {
            Some(united) => united.is_valued(),
            None => self.is_layered && self.layers.iter().all(Layer::is_valued),
        };
        self.is_explored && is_valued
    }

    /// The utility of each role under best play from the first state, if it is known and an end can be forced.
    pub fn value(&self) -> Option<&[Utility]> {
        if !self.is_solved() {
            return None;
        }
        let first = self.first?;
        self.endings.get(usize::from(first)).map(Vec::as_slice)
    }

    /// For each ending, the number of states with this value; then that of states without one.
    pub fn worths(&self) -> Vec<u64> {
        let layers: &[Layer] = self.united.as_ref().map_or(&self.layers, std::slice::from_ref);
        let mut sums = vec![0; self.endings.len() + 1];
        for layer in layers {
            sums.iter_mut().zip(&layer.worths).for_each(|(sum, worth)| *sum += worth);
        }
        sums
    }

    /// The form in which values are written.
    pub(super) fn value_form(&self) -> ValueForm {
        let means = self.players().map_or(0, |players| players.count());
        ValueForm { distances: self.distances && means == 0, means }
    }

    /// The players of a game with chance.
    pub(super) fn players(&self) -> Option<Players> {
        let players = Players::new(self.roles.len(), self.chance?);
        Some(players).filter(|players| players.count() > 0)
    }

    /// For each role except chance, its mean utility from the first state under best play, if it is known.
    pub fn means(&self) -> Option<Vec<(String, f64)>> {
        let chance = self.chance?;
        if !self.is_solved() {
            return None;
        }
        let means = self.first_means.as_ref()?;
        let players = (0..).zip(&self.roles).filter(|&(role, _)| role != chance);
        Some(players.zip(means).map(|((_, role), &mean)| (role.clone(), f64::from_bits(mean))).collect())
    }

    /// The number under which all states are one layer.
    pub(super) fn united_layer(&self) -> u32 {
        u32::try_from(self.layers.len()).expect("there are few layers")
    }
}

/// The next layer, as far as it is made: first the newest layer is expanded, then the successors are merged.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
pub(super) struct PartialLayer {
    /// The shards of the newest layer that have been expanded.
    pub(super) expanded: Vec<u32>,
    /// The tally of these shards.
    pub(super) met: LayerTally,
    /// The files in which their successors wait.
    pub(super) runs: Vec<RunEntry>,
    /// The shards that have been merged and written.
    pub(super) made: SuccessorOutput,
}

/// A file of successors that wait to be merged, as the manifest lists it.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub(super) struct RunEntry {
    pub(super) name: String,
    /// For each shard, the position and the length of its blocks, in bytes.
    pub(super) parts: BTreeMap<u32, (u64, usize)>,
    pub(super) bytes: u64,
    pub(super) checksum: u32,
}

/// Counts over shards of a layer, and the endings that were found in them.
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

/// The files of the next layer that have been written.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
pub(super) struct SuccessorOutput {
    pub(super) files: Vec<FileEntry>,
    /// True if a successor was in an older layer.
    pub(super) overlaps: bool,
}

/// A hash of 128 bits (FNV-1a), in hexadecimal digits. It finds mistakes, not forgeries.
pub(super) fn text_hash(text: &[u8]) -> String {
    format!("{:032x}", hash_of(text))
}

pub(super) fn hash_of(text: &[u8]) -> u128 {
    let start = 0x6c62_272e_07bb_0142_62b8_2175_6295_c58d_u128;
    let step = |hash: u128, &byte: &u8| (hash ^ u128::from(byte)).wrapping_mul(0x0100_0000_0000_0000_0000_013b);
    text.iter().fold(start, step)
}

/// The first damaged file of a layer that was begun. If there is one, the layer is begun again.
pub(super) fn damaged_partial(folder: &Folder, manifest: &Manifest) -> Result<Option<DamagedFile>, SolvingError> {
    let Some(partial) = &manifest.partial else { return Ok(None) };
    let runs = partial.runs.iter().map(|run| (folder.runs().join(&run.name), run.bytes, run.checksum));
    let shard = |entry: &FileEntry| folder.shard(BlockKind::Keys, manifest.united_layer(), entry.shard);
    let made = partial.made.files.iter().map(|entry| (shard(entry), entry.bytes, entry.checksum));
    for (path, bytes, checksum) in runs.chain(made) {
        if let Some(what) = check(&path, bytes, checksum)? {
            return Ok(Some(DamagedFile { path, what }));
        }
    }
    Ok(None)
}

/// The file of the rule sheet, if it is not as it was written.
pub(super) fn damaged_rules(folder: &Folder, manifest: &Manifest) -> Result<Option<DamagedFile>, SolvingError> {
    let path = folder.rules();
    let what = match read(&path) {
        Ok(text) if text_hash(&text) == manifest.rules => return Ok(None),
        Ok(_) => "it is not the rule sheet of the run",
        Err(error) if error.kind() == io::ErrorKind::NotFound => MISSING,
        Err(error) => return Err(at(&path)(error)),
    };
    Ok(Some(DamagedFile { path, what: what.to_string() }))
}

/// A damaged file of a layer.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Damage {
    pub(super) kind: BlockKind,
    pub(super) layer: u32,
    pub(super) shard: u32,
    pub(super) file: DamagedFile,
}

/// The damaged files of all layers.
pub(super) fn damages(folder: &Folder, manifest: &Manifest) -> Result<Vec<Damage>, SolvingError> {
    let mut damages = Vec::new();
    let values_are = manifest.value_form().kind();
    for (layer, of) in (0..).zip(manifest.layers.iter().chain(&manifest.united)) {
        let keys = of.keys.iter().map(|entry| (BlockKind::Keys, entry));
        let values = of.values.iter().map(|entry| (values_are, entry));
        let distances = of.distances.iter().map(|entry| (BlockKind::Distances, entry));
        for (kind, entry) in keys.chain(values).chain(distances) {
            if let Some(what) = folder.check(kind, layer, entry)? {
                let path = folder.shard(kind, layer, entry.shard);
                damages.push(Damage { kind, layer, shard: entry.shard, file: DamagedFile { path, what } });
            }
        }
    }
    Ok(damages)
}
