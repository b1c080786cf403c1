//! Recovery of a folder that an earlier run has left: files that the manifest does not list are removed, and those that it
//! lists are checked.

use super::block::BlockKind;
use super::error::{SolvingError, at};
use super::folder::{DamagedFile, FileEntry, Folder, MISSING, check, read};
use super::manifest::{Layer, Manifest, text_hash};
use super::row::RowForm;
use serde::{Deserialize, Serialize};
use std::collections::{BTreeMap, BTreeSet};
use std::fs;
use std::io;
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

fn forget_values(layer: &mut Layer) {
    layer.values.clear();
    layer.distances.clear();
    layer.worths.clear();
}

/// A damaged file of a layer.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Damage {
    kind: BlockKind,
    layer: u32,
    shard: u32,
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
