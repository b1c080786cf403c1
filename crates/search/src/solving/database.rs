//! The database in a folder: what is known of each state of a game that was solved, and best play by it.

use super::block::BlockKind;
use super::error::SolvingError;
use super::folder::{BlockFile, DamagedFile, Folder};
use super::manifest::{FoundManifest, Layer, Manifest, damaged_partial, damaged_rules, damages};
use super::row::{RowForm, RowSymmetries};
use super::valued::{RowQuery, ValuedShard};
use crate::{GameKind, Potential, Rule, WordOrder};
use gdl::number::Real;
use ggp_game::{BatchReasoner, JointMoves, KeyReasoner, Move, ReasonError, Reasoner, Role, Utility};
use std::path::{Path, PathBuf};

/// The entry of a state in a database.
#[derive(Clone, Debug, PartialEq)]
pub struct KnownState {
    /// The layer: the least number of joint moves from the first state.
    pub layer: u32,
    /// The utility of each role under best play; `None` if no end can be forced, or if values are not known.
    pub utilities: Option<Vec<Utility>>,
    /// The mean utilities of the roles under best play, in games with chance; that of chance is 0.
    pub means: Option<Vec<f64>>,
    /// The number of joint moves to the end, if distances are stored and the end is forced.
    pub moves: Option<u32>,
}

/// The states of a game in files.
pub struct Database {
    folder: Folder,
    pub(super) manifest: Manifest,
    form: RowForm,
    pub(super) keys: Box<dyn KeyReasoner>,
    potential: Option<Potential>,
    symmetries: Option<RowSymmetries>,
}

impl std::fmt::Debug for Database {
    fn fmt(&self, formatter: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        formatter.debug_struct("Database").field("folder", &self.folder).finish_non_exhaustive()
    }
}

impl Database {
    /// Opens the database in a folder for the game of a rule sheet, given by its name and its text.
    ///
    /// # Errors
    /// If the folder has no run, or one of other rules.
    pub fn open<R: BatchReasoner>(path: &Path, name: &str, text: &str, reasoner: &mut R) -> Result<Self, SolvingError> {
        let manifest = Self::manifest_of(path)?;
        let initial = reasoner.initial_state()?;
        let keys = reasoner.keys(&initial).ok_or(SolvingError::NoKeys)?;
        Manifest::new(name, text, reasoner, &*keys).check_same_game(&manifest, path)?;
        let form = RowForm::new(manifest.bits);
        let images = manifest.symmetries.as_ref();
        let symmetries = images.map(|images| RowSymmetries::new(images, &keys.groups(), form));
        let mut database = Self { folder: Folder::new(path), manifest, form, keys, potential: None, symmetries };
        if let Some(weights) = &database.manifest.potential {
            let groups = database.keys.groups();
            let first = database.row(reasoner, &initial)?;
            database.potential = Some(Potential::new(&groups, weights, WordOrder::HighestFirst, &first));
        }
        Ok(database)
    }

    /// The manifest of a folder.
    ///
    /// # Errors
    /// If the folder has none, or a damaged one.
    pub fn manifest_of(path: &Path) -> Result<Manifest, SolvingError> {
        let found = Manifest::read(&Folder::new(path))?;
        found.ok_or_else(|| SolvingError::Nothing { folder: path.to_path_buf() })
    }

    /// The file of the rule sheet that a folder was made from.
    ///
    /// # Errors
    /// If the folder has no run, or if the file is not as it was written.
    pub fn rules_of(path: &Path) -> Result<PathBuf, SolvingError> {
        let folder = Folder::new(path);
        let manifest = Self::manifest_of(path)?;
        match damaged_rules(&folder, &manifest)? {
            Some(DamagedFile { path, what }) => Err(SolvingError::Damaged { path, what }),
            None => Ok(folder.rules()),
        }
    }

    /// Reads all files of a folder, and returns those that are damaged.
    ///
    /// # Errors
    /// If the folder has no run, or a file cannot be read.
    pub fn verify(path: &Path) -> Result<Vec<DamagedFile>, SolvingError> {
        let folder = Folder::new(path);
        let find = || Manifest::find(&folder)?.ok_or_else(|| SolvingError::Nothing { folder: path.to_path_buf() });
        loop {
            let FoundManifest { manifest, mut damaged } = find()?;
            damaged.extend(damaged_rules(&folder, &manifest)?);
            damaged.extend(damaged_partial(&folder, &manifest)?);
            damaged.extend(damages(&folder, &manifest)?.into_iter().map(|damage| damage.file));
            // A run that is working on the folder may have replaced what this manifest lists.
            if damaged.is_empty() || find()?.manifest == manifest {
                return Ok(damaged);
            }
        }
    }

    /// The folder.
    pub fn path(&self) -> &Path {
        self.folder.root()
    }

    /// True if each value is one that a role can force against all others: in games of one role, or of two opponents.
    pub fn is_forced(&self) -> bool {
        GameKind::from_endings(&self.manifest.endings, self.manifest.roles.len()) != GameKind::Several
    }

    /// The manifest of the run, with its layers.
    pub fn manifest(&self) -> &Manifest {
        &self.manifest
    }

    /// The entry of a state; `None` if it cannot be reached, or has not been reached yet. Reads one shard of each layer
    /// in which the state may be.
    ///
    /// # Errors
    /// If a file is damaged or cannot be read.
    pub fn find<R: Reasoner>(&self, reasoner: &R, state: &R::State) -> Result<Option<KnownState>, SolvingError> {
        let row = match self.row(reasoner, state) {
            Ok(row) => row,
            // A state that fits no key has not been reached.
            Err(SolvingError::Reason(ReasonError::NoKey)) => return Ok(None),
            Err(error) => return Err(error),
        };
        let likely = self.potential.as_ref().map(|potential| potential.move_count(&row));
        for (number, layer) in (0..).zip(&self.manifest.layers) {
            if likely.is_some_and(|likely| likely != u64::from(number)) || !self.has(number, layer, &row)? {
                continue;
            }
            // Without layers the values of all states are in the united layer, but the keys tell the distance.
            let united = self.manifest.united.as_ref().map(|united| (self.manifest.united_layer(), united));
            let (of, layer) = united.unwrap_or((number, layer));
            let mut known = KnownState { layer: number, utilities: None, means: None, moves: None };
            if layer.is_valued() {
                self.value(of, layer, &row, &mut known)?;
            }
            return Ok(Some(known));
        }
        Ok(None)
    }

    fn row<R: Reasoner>(&self, reasoner: &R, state: &R::State) -> Result<Vec<u64>, SolvingError> {
        let mut fluents = Vec::new();
        let mut row = Vec::new();
        reasoner.fluents(state, &mut fluents);
        self.keys.push_key(&fluents, &mut row)?;
        self.form.reverse(&mut row);
        if let Some(symmetries) = &self.symmetries {
            symmetries.reduce(&mut row);
        }
        Ok(row)
    }

    /// True if a layer has a row.
    fn has(&self, number: u32, layer: &Layer, row: &[u64]) -> Result<bool, SolvingError> {
        let shard = self.form.shard(row, layer.shards);
        let Some(&entry) = layer.keys.iter().find(|entry| entry.shard == shard) else { return Ok(false) };
        let mut file = BlockFile::open(&self.folder, BlockKind::Keys, number, entry)?;
        let mut rows = Vec::new();
        let mut is_there = false;
        // The file is read to its end, since only then it is checked.
        while file.next_keys(&mut rows)? {
            is_there |= rows.chunks_exact(self.form.width).any(|known| known == row);
        }
        Ok(is_there)
    }

    /// Sets the value of `known` to that of a row, which the layer has.
    fn value(&self, number: u32, layer: &Layer, row: &[u64], known: &mut KnownState) -> Result<(), SolvingError> {
        let shard = self.form.shard(row, layer.shards);
        let form = self.manifest.value_form();
        let path = self.folder.shard(BlockKind::Keys, number, shard);
        let Some(files) = layer.shard_files(shard) else { return Err(SolvingError::Missing { path }) };
        let mut states = ValuedShard::open(&self.folder, number, files, form)?;
        let wanted = RowQuery::new(row.to_vec(), self.form.width);
        let is_there = states.find(self.form, &wanted, |_, (ending, moves), means| match self.manifest.chance {
            Some(chance) if form.means > 0 => {
                let mut means = means.to_vec();
                means.insert(chance, 0.0);
                known.means = Some(means);
            }
            _ => {
                known.utilities = self.manifest.endings.get(usize::from(ending)).cloned();
                // A draw is not forced, and has no distance.
                let rule = Rule::new(&self.manifest.endings, self.manifest.roles.len());
                let is_forced = known.utilities.is_some() && (moves > 0 || !rule.is_draw(ending));
                known.moves = (form.distances && is_forced).then_some(moves);
            }
        })?;
        if is_there { Ok(()) } else { Err(SolvingError::Missing { path }) }
    }
}

/// A joint move, with the entry of the state behind it.
#[derive(Clone, Debug, PartialEq)]
pub struct KnownSuccessor {
    /// The joint move, in the order of the roles.
    pub joint_move: Vec<Move>,
    /// The entry of the state that it leads to.
    pub known: KnownState,
}

impl Database {
    /// True if the reasoner numbers fluents as the database does; another network of the same game may not.
    pub fn fits<R: Reasoner>(&self, reasoner: &R) -> bool {
        Manifest::packing_of(reasoner, &self.keys.groups()) == self.manifest.packing
    }

    /// The entries of the successors of a state, one for each joint move in canonical order; none for a terminal state.
    ///
    /// # Errors
    /// Those of [`Database::find`] and of the engine.
    pub fn known_successors<R: Reasoner>(
        &self,
        reasoner: &mut R,
        state: &R::State,
    ) -> Result<Vec<KnownSuccessor>, SolvingError> {
        let mut successors = Vec::new();
        if reasoner.is_terminal(state)? {
            return Ok(successors);
        }
        let mut joint_moves = JointMoves::in_state(reasoner, state)?;
        loop {
            let joint_move = joint_moves.current().to_vec();
            let next = reasoner.next_state(state, &joint_move)?;
            let known = self.find(reasoner, &next)?.ok_or(SolvingError::Reason(ReasonError::NoKey))?;
            successors.push(KnownSuccessor { joint_move, known });
            if !joint_moves.advance() {
                return Ok(successors);
            }
        }
    }

    /// The joint moves of best play from a state: each the first that leads to the same ending and, where distances are
    /// stored, one joint move nearer to it. The line ends with the game, or where a state repeats.
    ///
    /// # Errors
    /// Those of [`Database::known_successors`].
    pub fn line<R: Reasoner>(&self, reasoner: &mut R, state: &R::State) -> Result<Vec<Vec<Move>>, SolvingError> {
        let mut line = Vec::new();
        let mut state = state.clone();
        let mut passed = Vec::new();
        let Some(mut known) = self.find(reasoner, &state)? else { return Ok(line) };
        while !passed.contains(&state) {
            let is_next = |successor: &KnownSuccessor| {
                let nearer = known.moves.is_none_or(|moves| successor.known.moves.unwrap_or(0) + 1 == moves);
                successor.known.utilities == known.utilities && nearer
            };
            let Some(next) = self.known_successors(reasoner, &state)?.into_iter().find(is_next) else { break };
            let after = reasoner.next_state(&state, &next.joint_move)?;
            passed.push(std::mem::replace(&mut state, after));
            known = next.known;
            line.push(next.joint_move);
        }
        Ok(line)
    }

    /// True if best play by the values comes to its end: each joint move leads one layer farther, or distances tell
    /// which is nearer to the end.
    pub fn leads(&self) -> bool {
        self.manifest.united.is_none() || self.manifest.distances
    }

    /// The first of a role's best moves in a state, against the worst replies of the others. Of equally good moves one
    /// that wins sooner or loses later is better, if distances are stored. `None` if values are not known, or if the
    /// state is terminal.
    ///
    /// # Errors
    /// Those of [`Database::known_successors`].
    pub fn best_move<R: Reasoner>(
        &self,
        reasoner: &mut R,
        state: &R::State,
        role: Role,
    ) -> Result<Option<Move>, SolvingError> {
        if self.manifest.chance.is_some() {
            return self.best_on_average(reasoner, state, role);
        }
        if self.find(reasoner, state)?.is_none_or(|known| known.utilities.is_none()) {
            return Ok(None);
        }
        let rule = Rule::new(&self.manifest.endings, self.manifest.roles.len());
        let is_better = |one, other| rule.is_better(role.index(), one, other);
        let mut worst: Vec<(Move, (u16, u32))> = Vec::new();
        for KnownSuccessor { joint_move, known } in self.known_successors(reasoner, state)? {
            let ending = self.manifest.endings.iter().position(|ending| Some(ending) == known.utilities.as_ref());
            // A state without an end that can be forced is worth nothing to a role that is alone.
            let Some(ending) = ending.and_then(|ending| u16::try_from(ending).ok()) else { continue };
            let chosen = joint_move[role.index()];
            let value = (ending, known.moves.unwrap_or(0));
            match worst.iter_mut().find(|(known, _)| *known == chosen) {
                Some((_, known)) if is_better(*known, value) => *known = value,
                Some(_) => {}
                None => worst.push((chosen, value)),
            }
        }
        let best = worst.into_iter().reduce(|best, next| if is_better(next.1, best.1) { next } else { best });
        Ok(best.map(|(chosen, _)| chosen))
    }

    /// The first of a role's moves with the greatest mean; `None` if means are not known.
    fn best_on_average<R: Reasoner>(
        &self,
        reasoner: &mut R,
        state: &R::State,
        role: Role,
    ) -> Result<Option<Move>, SolvingError> {
        let mut best: Option<(Move, f64)> = None;
        for KnownSuccessor { joint_move, known } in self.known_successors(reasoner, state)? {
            let Some(means) = known.means else { return Ok(None) };
            let chosen = joint_move[role.index()];
            let mean = means[role.index()];
            if best.is_none_or(|(_, best)| mean > best + Real::EQUAL) {
                best = Some((chosen, mean));
            }
        }
        Ok(best.map(|(chosen, _)| chosen))
    }
}
