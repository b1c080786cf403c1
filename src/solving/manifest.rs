//! The manifest of a run: what it is about, and which files are complete. A file that it does not list does not count.

use super::error::{SolvingError, at};
use super::folder::{self, FileEntry, Folder};
use super::partial::Partial;
use super::players::Players;
use super::valued::ValueForm;
use crate::game::Utility;
use serde::{Deserialize, Serialize};
use std::fs;
use std::io;

/// The version of the files.
const VERSION: u32 = 2;

/// What a run is about, and how far it has come.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Manifest {
    version: u32,
    /// The name of the game.
    pub game: String,
    /// The hash of the rule sheet.
    pub(super) rules: String,
    /// The hash of how states are written as keys.
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
    /// Whether each joint move so far led exactly one layer farther.
    pub(super) is_layered: bool,
    /// The layers, from the first state on.
    pub layers: Vec<Layer>,
    /// The next layer, as far as it has been found when work on it was committed.
    pub(super) partial: Option<Partial>,
    /// All states as one layer, if moves do not lead from layer to layer and values are wanted.
    pub(super) united: Option<Layer>,
    /// Whether the last layer has no new successors.
    pub(super) is_explored: bool,
    /// The utilities of the ends of the game, greatest first, in the order of the roles.
    pub endings: Vec<Vec<Utility>>,
    /// Whether distances are stored with the values.
    pub(super) distances: bool,
    /// The index of chance among the roles.
    pub(super) chance: Option<usize>,
    /// The means of the first state in games with chance, as the bits of numbers, which are the same when they are read.
    pub(super) first_means: Option<Vec<u64>>,
    /// The number of the ending that best play reaches from the first state; that of no ending is one more.
    pub(super) first: Option<u16>,
}

/// A layer: the states that are equally many joint moves away from the first.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct Layer {
    /// The number of its states.
    pub states: u64,
    /// The number of terminal states, ...
    pub terminal: u64,
    /// ... and of the joint moves in the others; both are known when the next layer is.
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

    /// Whether the values of its states are known.
    pub fn is_valued(&self) -> bool {
        self.values.len() == self.keys.len()
    }
}

impl Manifest {
    /// A run that has not begun.
    pub(super) fn new(game: String, rules: String, packing: String, roles: Vec<String>, bits: u32) -> Self {
        Self {
            version: VERSION,
            game,
            rules,
            packing,
            roles,
            bits,
            potential: None,
            symmetries: None,
            is_layered: true,
            layers: Vec::new(),
            partial: None,
            united: None,
            is_explored: false,
            endings: Vec::new(),
            distances: false,
            chance: None,
            first_means: None,
            first: None,
        }
    }

    /// Reads the manifest of a folder; `None` if there is none.
    pub(super) fn read(folder: &Folder) -> Result<Option<Self>, SolvingError> {
        let path = folder.manifest();
        let text = match fs::read(&path) {
            Ok(text) => text,
            Err(error) if error.kind() == io::ErrorKind::NotFound => return Ok(None),
            Err(error) => return Err(at(&path)(error)),
        };
        let unusable = |what: String| SolvingError::Manifest { path: path.clone(), what };
        let manifest: Self = serde_json::from_slice(&text).map_err(|error| unusable(error.to_string()))?;
        if manifest.version != VERSION {
            return Err(unusable(format!("its version is {}, and this program reads {VERSION}", manifest.version)));
        }
        Ok(Some(manifest))
    }

    /// Writes the manifest completely or not at all.
    pub(super) fn write(&self, folder: &Folder) -> Result<(), SolvingError> {
        let text = serde_json::to_vec(self).expect("a manifest can be written as JSON");
        folder::write(&folder.manifest(), &text)
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

    /// Whether all states have been found.
    pub fn is_explored(&self) -> bool {
        self.is_explored
    }

    /// Whether the values of all states are known.
    pub fn is_solved(&self) -> bool {
        let is_valued = match &self.united {
            Some(united) => united.is_valued(),
            None => self.is_layered && self.layers.iter().all(Layer::is_valued),
        };
        self.is_explored && is_valued
    }

    /// What best play is worth to each role from the first state, if it is known and an end can be forced.
    pub fn value(&self) -> Option<&[Utility]> {
        let first = self.first.filter(|_| self.is_solved())?;
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

    /// How values are written.
    pub(super) fn value_form(&self) -> ValueForm {
        let endings = u16::try_from(self.endings.len()).unwrap_or(u16::MAX);
        let means = self.players().map_or(0, |players| players.count());
        ValueForm { endings, distances: self.distances && means == 0, means }
    }

    /// The players of a game with chance.
    pub(super) fn players(&self) -> Option<Players> {
        let players = Players::new(self.roles.len(), self.chance?);
        Some(players).filter(|players| players.count() > 0)
    }

    /// For each role except chance, its mean utility from the first state under best play, if it is known.
    pub fn means(&self) -> Option<Vec<(String, f64)>> {
        let (chance, means) = (self.chance?, self.first_means.as_ref().filter(|_| self.is_solved())?);
        let players = (0..).zip(&self.roles).filter(|&(role, _)| role != chance);
        Some(players.zip(means).map(|((_, role), &mean)| (role.clone(), f64::from_bits(mean))).collect())
    }

    /// The number under which all states are one layer.
    pub(super) fn united_layer(&self) -> u32 {
        u32::try_from(self.layers.len()).expect("there are few layers")
    }
}
