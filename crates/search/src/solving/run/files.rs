//! Files as a run writes them: shards of keys and values, the manifest, and the rule sheet. Files of an earlier run that
//! the manifest does not list are removed, and those that it lists are checked.

use super::super::block::BlockKind;
use super::super::error::{SolvingError, at};
use super::super::folder::{FileEntry, Folder, NO_FILE, read};
use super::super::manifest::{Layer, LayerTally, Manifest, PartialLayer, damaged_partial, damages, head};
use super::super::row::RowForm;
use super::super::valued::StoredValue;
use super::blocks::{bits_for, write_keys, write_numbers};
use ggp_game::files::OutputPath;
use serde::{Deserialize, Serialize};
use std::collections::{BTreeMap, BTreeSet};
use std::fs::{self, File};
use std::io::{self, Write};
use std::path::{Path, PathBuf};

/// The files that [`recover`] has made again, and those that the run that follows has to make again.
#[derive(Clone, Debug, Default, Serialize, Deserialize)]
pub(super) struct Repairs {
    /// True if the manifest, its copy or the rule sheet was made again.
    pub(super) restored: bool,
    /// The shards of keys that are lost, by layer: the states of these shards are found again.
    pub(super) keys: BTreeMap<u32, Vec<u32>>,
}

/// Removes the files that the manifest does not list, and finds damaged ones. Damaged values are struck from the
/// manifest, so that they are found again; so are all values if distances are wanted with them and were not stored.
/// `first` is the key of the first state, which is all that layer 0 contains.
pub(super) fn recover(
    folder: &Folder,
    manifest: &mut Manifest,
    first: &[u64],
    form: RowForm,
    distances: bool,
) -> Result<Repairs, SolvingError> {
    if damaged_partial(folder, manifest)?.is_some() {
        manifest.partial = None;
    }
    sweep(folder, manifest)?;
    let mut lost = Repairs::default();
    if distances && !manifest.distances {
        manifest.distances = true;
        manifest.layers.iter_mut().chain(&mut manifest.united).for_each(forget_values);
    }
    for damage in damages(folder, manifest)? {
        match damage.kind {
            // The united layer is made again of the others.
            _ if damage.layer == manifest.united_layer() => manifest.united = None,
            BlockKind::Keys if damage.layer == 0 => {
                folder.write_keys(0, 0, first, form.width)?;
                folder.sync(0)?;
            }
            BlockKind::Keys => lost.keys.entry(damage.layer).or_default().push(damage.shard),
            _ => forget_values(&mut manifest.layers[damage.layer as usize]),
        }
    }
    Ok(lost)
}

impl Folder {
    pub(super) fn lock(&self) -> PathBuf {
        self.root().join("lock")
    }

    /// Refuses a folder in which something else than a file has the name of one that a run writes.
    pub(super) fn check_writable(&self) -> Result<(), SolvingError> {
        let copy = self.manifest_copy();
        let files = [self.lock(), self.manifest(), self.rules(), unfinished(&copy), copy];
        files.iter().try_for_each(|path| check_writable(path))
    }

    /// Makes a folder, if it does not exist.
    pub(super) fn make(path: &Path) -> Result<(), SolvingError> {
        fs::create_dir_all(path).map_err(at(path))
    }

    /// Writes the file of a shard, and returns its entry for the manifest. [`sync`](Self::sync) comes before the
    /// manifest that lists it: a file that no manifest lists is removed when the run is resumed.
    pub(super) fn write(
        &self,
        kind: BlockKind,
        layer: u32,
        shard: u32,
        states: u64,
        content: &[u8],
    ) -> Result<FileEntry, SolvingError> {
        let path = self.shard(kind, layer, shard);
        if fs::symlink_metadata(&path).is_ok_and(|found| !found.is_file()) {
            // A damaged file is written anew, and not where a link leads.
            fs::remove_file(&path).map_err(at(&path))?;
        }
        fs::write(&path, content).map_err(at(&path))?;
        Ok(FileEntry { shard, states, bytes: content.len() as u64, checksum: crc32fast::hash(content) })
    }

    /// Flushes the files of a layer to the disk. One call for all of them: a layer has up to a thousand files, and the
    /// journals of most file systems are written once for each file that is flushed by itself.
    pub(super) fn sync(&self, layer: u32) -> Result<(), SolvingError> {
        sync(&self.layer(layer))
    }

    /// Flushes the files of the blocks that do not fit into memory to the disk.
    pub(super) fn sync_runs(&self) -> Result<(), SolvingError> {
        sync(&self.runs())
    }

    /// Writes rows, which are sorted, as the keys of a shard.
    pub(super) fn write_keys(
        &self,
        layer: u32,
        shard: u32,
        rows: &[u64],
        width: usize,
    ) -> Result<FileEntry, SolvingError> {
        let mut content = Vec::new();
        write_keys(layer, width, rows, &mut content);
        self.write(BlockKind::Keys, layer, shard, (rows.len() / width) as u64, &content)
    }
}

impl Manifest {
    /// The number that stands for states without an ending: the number of endings.
    pub(super) fn open_ending(&self) -> u16 {
        u16::try_from(self.endings.len()).unwrap_or(u16::MAX)
    }

    /// The text of its files.
    fn text(&self) -> Vec<u8> {
        let fields = serde_json::to_vec(self).expect("a manifest can be written as JSON");
        // The head opens the object.
        let rest = &fields[1..];
        [head(rest).as_bytes(), rest].concat()
    }

    /// Writes the manifest completely or not at all, and then its copy.
    pub(super) fn write(&self, folder: &Folder) -> Result<(), SolvingError> {
        let text = self.text();
        write(&folder.manifest(), &text)?;
        // The manifest is on the disk, so its copy need not be.
        replace(&folder.manifest_copy(), &text)
    }

    /// Writes the manifest and its copy, each if its file has other content.
    pub(super) fn restore(&self, folder: &Folder) -> Result<(), SolvingError> {
        let text = self.text();
        restore(&folder.manifest(), &text)?;
        restore(&folder.manifest_copy(), &text)
    }
}

/// Writes the values of a shard, in blocks of as many states as those of its keys, and then the distances.
pub(super) fn write_values(
    folder: &Folder,
    layer: u32,
    shard: u32,
    manifest: &Manifest,
    blocks: &[u32],
    values: &[StoredValue],
) -> Result<(FileEntry, Option<FileEntry>), SolvingError> {
    let open = manifest.open_ending();
    let mut endings = Vec::new();
    let mut distances = Vec::new();
    let mut start = 0;
    let bits = |numbers: &[u32]| bits_for(numbers.iter().copied().max().unwrap_or(0));
    for &count in blocks {
        let part = &values[start..start + count as usize];
        start += count as usize;
        // Each block has the fewest bits that its own numbers need.
        let numbers: Vec<u32> = part.iter().map(|&(ending, _)| ending.min(open).into()).collect();
        write_numbers(BlockKind::Values, layer, bits(&numbers), &numbers, &mut endings);
        let numbers: Vec<u32> = part.iter().map(|&(_, distance)| distance).collect();
        write_numbers(BlockKind::Distances, layer, bits(&numbers), &numbers, &mut distances);
    }
    let states = values.len() as u64;
    let values = folder.write(BlockKind::Values, layer, shard, states, &endings)?;
    let distances = if manifest.value_form().distances {
        Some(folder.write(BlockKind::Distances, layer, shard, states, &distances)?)
    } else {
        None
    };
    Ok((values, distances))
}

/// Refuses a path to write to that is no file of its own: a link may lead out of the folder, and a pipe waits for a
/// reader.
fn check_writable(path: &Path) -> Result<(), SolvingError> {
    let what = match fs::symlink_metadata(path) {
        Ok(found) if found.file_type().is_symlink() => "it is a symbolic link, and a run writes no files through links",
        Ok(found) if !found.is_file() => NO_FILE,
        Ok(_) => return Ok(()),
        Err(error) if error.kind() == io::ErrorKind::NotFound => return Ok(()),
        Err(error) => return Err(at(path)(error)),
    };
    Err(at(path)(io::Error::other(what)))
}

/// Flushes the files of a folder to the disk.
fn sync(path: &Path) -> Result<(), SolvingError> {
    #[cfg(any(target_os = "linux", target_os = "android"))]
    {
        let folder = File::open(path).map_err(at(path))?;
        nix::unistd::syncfs(folder).map_err(|error| at(path)(error.into()))
    }
    #[cfg(not(any(target_os = "linux", target_os = "android")))]
    {
        for entry in fs::read_dir(path).map_err(at(path))? {
            let file = entry.map_err(at(path))?.path();
            File::open(&file).and_then(|file| file.sync_all()).map_err(at(&file))?;
        }
        // Not every system can flush a folder.
        _ = File::open(path).and_then(|folder| folder.sync_all());
        Ok(())
    }
}

/// Writes a file completely or not at all; it is on the disk when this returns.
pub(super) fn write(path: &Path, content: &[u8]) -> Result<(), SolvingError> {
    let mut file = OutputPath::new(path).forced(true).create().map_err(at(path))?;
    file.write_all(content).map_err(at(path))?;
    file.commit().map_err(at(path))
}

/// The path of a file while it is written, before it replaces another.
fn unfinished(path: &Path) -> PathBuf {
    path.with_extension("tmp")
}

/// Writes a file completely or not at all; the system may put it on the disk later.
pub(super) fn replace(path: &Path, content: &[u8]) -> Result<(), SolvingError> {
    let new = unfinished(path);
    fs::write(&new, content).map_err(at(&new))?;
    fs::rename(&new, path).map_err(at(path))
}

/// Writes a file completely or not at all, unless it has this content.
pub(super) fn restore(path: &Path, content: &[u8]) -> Result<(), SolvingError> {
    match read(path) {
        Ok(found) if found == content => Ok(()),
        Err(error) if error.kind() != io::ErrorKind::NotFound => Err(at(path)(error)),
        _ => write(path, content),
    }
}

fn forget_values(layer: &mut Layer) {
    layer.values.clear();
    layer.distances.clear();
    layer.worths.clear();
}

/// Removes all files of layers, and of blocks that did not fit into memory, that the manifest does not list.
fn sweep(folder: &Folder, manifest: &Manifest) -> Result<(), SolvingError> {
    let mut listed = BTreeSet::from([folder.manifest_copy()]);
    for (layer, of) in (0..).zip(manifest.layers.iter().chain(&manifest.united)) {
        let mut list = |kind, entries: &[FileEntry]| {
            listed.extend(entries.iter().map(|entry| folder.shard(kind, layer, entry.shard)));
        };
        list(BlockKind::Keys, &of.keys);
        list(manifest.value_form().kind(), &of.values);
        list(BlockKind::Distances, &of.distances);
    }
    if let Some(partial) = &manifest.partial {
        let next = manifest.united_layer();
        listed.extend(partial.made.files.iter().map(|entry| folder.shard(BlockKind::Keys, next, entry.shard)));
    }
    Folder::make(&folder.layers())?;
    Folder::make(&folder.runs())?;
    for path in entries(&folder.layers())? {
        let files = if path.is_dir() { entries(&path)? } else { vec![path] };
        for file in files.iter().filter(|file| !listed.contains(*file)) {
            fs::remove_file(file).map_err(at(file))?;
        }
    }
    sweep_runs(folder, manifest)?;
    for file in entries(folder.root())? {
        let name = file.file_name().unwrap_or_default().to_string_lossy();
        // Such a file was being written when a run was killed.
        if name.starts_with(".ggp-") && name.ends_with(".tmp") {
            fs::remove_file(&file).map_err(at(&file))?;
        }
    }
    Ok(())
}

/// Removes all files of blocks that the manifest does not list.
pub(super) fn sweep_runs(folder: &Folder, manifest: &Manifest) -> Result<(), SolvingError> {
    let runs = manifest.partial.iter().flat_map(|partial| &partial.runs);
    let listed: BTreeSet<PathBuf> = runs.map(|run| folder.runs().join(&run.name)).collect();
    for file in entries(&folder.runs())? {
        if !listed.contains(&file) {
            fs::remove_file(&file).map_err(at(&file))?;
        }
    }
    Ok(())
}

/// The paths of all entries of a folder.
fn entries(folder: &Path) -> Result<Vec<PathBuf>, SolvingError> {
    let entries = fs::read_dir(folder).map_err(at(folder))?;
    entries.map(|entry| entry.map(|entry| entry.path()).map_err(at(folder))).collect()
}

impl PartialLayer {
    /// Adds what a worker has done since work on the layer was committed last.
    pub(super) fn add(&mut self, done: Self) {
        self.expanded.extend(done.expanded);
        self.met.add(done.met);
        self.runs.extend(done.runs);
        self.made.files.extend(done.made.files);
        self.made.overlaps |= done.made.overlaps;
    }

    /// Adds shards that have been expanded, whose states were counted in `met`, which is then empty again.
    pub(super) fn add_shards(&mut self, shards: impl Iterator<Item = u32>, met: &mut LayerTally) {
        for shard in shards {
            self.expanded.push(shard);
            self.met.add(std::mem::take(met));
        }
    }
}

impl LayerTally {
    pub(super) fn add(&mut self, other: Self) {
        self.terminal += other.terminal;
        self.joint_moves += other.joint_moves;
        self.choosing = self.choosing.max(other.choosing);
        self.endings.extend(other.endings);
    }
}
