//! What an earlier run has left: files that do not count are removed, and those that count are checked.

use super::block::BlockKind;
use super::error::{SolvingError, at};
use super::folder::{Folder, check};
use super::manifest::{Layer, Manifest};
use super::row::Form;
use serde::{Deserialize, Serialize};
use std::collections::{BTreeMap, BTreeSet};
use std::fs;
use std::path::{Path, PathBuf};

/// Files that are to be made again.
#[derive(Clone, Debug, Default, Serialize, Deserialize)]
pub(super) struct Lost {
    /// The shards of keys, by layer.
    pub(super) keys: BTreeMap<u32, Vec<u32>>,
}

/// Removes what the manifest does not list, and finds what is damaged. Damaged values are struck from the manifest, so
/// that they are found again.
pub(super) fn recover(
    folder: &Folder,
    manifest: &mut Manifest,
    first: &[u64],
    form: Form,
    distances: bool,
) -> Result<Lost, SolvingError> {
    if !is_partial_whole(folder, manifest)? {
        manifest.partial = None;
    }
    sweep(folder, manifest)?;
    let mut lost = Lost::default();
    if distances && !manifest.distances {
        manifest.distances = true;
        manifest.layers.iter_mut().chain(&mut manifest.united).for_each(forget_values);
    }
    for damage in damages(folder, manifest)? {
        match damage.kind {
            _ if damage.layer == manifest.united_layer() => manifest.united = None,
            BlockKind::Keys if damage.layer == 0 => {
                folder.write_keys((0, 0), first, form.width)?;
                folder.sync(0)?;
            }
            BlockKind::Keys => lost.keys.entry(damage.layer).or_default().push(damage.shard),
            _ => forget_values(&mut manifest.layers[damage.layer as usize]),
        }
    }
    Ok(lost)
}

/// Whether the files of a layer that was begun are as they were written; without one of them it is begun again.
fn is_partial_whole(folder: &Folder, manifest: &Manifest) -> Result<bool, SolvingError> {
    let Some(partial) = &manifest.partial else { return Ok(true) };
    for run in &partial.runs {
        if check(&folder.runs().join(&run.name), run.bytes, run.checksum)?.is_some() {
            return Ok(false);
        }
    }
    for entry in &partial.made.files {
        if folder.check(BlockKind::Keys, manifest.united_layer(), entry)?.is_some() {
            return Ok(false);
        }
    }
    Ok(true)
}

fn forget_values(layer: &mut Layer) {
    layer.values.clear();
    layer.distances.clear();
    layer.worths.clear();
}

/// A file that is not as it was written.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Damage {
    kind: BlockKind,
    layer: u32,
    shard: u32,
    pub(super) path: PathBuf,
    pub(super) what: String,
}

/// The files that are not as they were written.
pub(super) fn damages(folder: &Folder, manifest: &Manifest) -> Result<Vec<Damage>, SolvingError> {
    let (mut damages, values_are) = (Vec::new(), manifest.value_form().kind());
    for (layer, of) in (0..).zip(manifest.layers.iter().chain(&manifest.united)) {
        let keys = of.keys.iter().map(|entry| (BlockKind::Keys, entry));
        let values = of.values.iter().map(|entry| (values_are, entry));
        let distances = of.distances.iter().map(|entry| (BlockKind::Distances, entry));
        for (kind, entry) in keys.chain(values).chain(distances) {
            if let Some(what) = folder.check(kind, layer, entry)? {
                let path = folder.shard(kind, layer, entry.shard);
                damages.push(Damage { kind, layer, shard: entry.shard, path, what });
            }
        }
    }
    Ok(damages)
}

/// Removes all files of layers that the manifest does not list, and what did not fit into memory.
fn sweep(folder: &Folder, manifest: &Manifest) -> Result<(), SolvingError> {
    let mut listed = BTreeSet::new();
    for (layer, of) in (0..).zip(manifest.layers.iter().chain(&manifest.united)) {
        let mut list = |kind, entries: &[super::folder::FileEntry]| {
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
        for file in entries(&path)? {
            if !listed.contains(&file) {
                fs::remove_file(&file).map_err(at(&file))?;
            }
        }
    }
    sweep_runs(folder, manifest)?;
    for file in entries(folder.root())? {
        let name = file.file_name().unwrap_or_default().to_string_lossy();
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

/// What is in a folder.
fn entries(folder: &Path) -> Result<Vec<PathBuf>, SolvingError> {
    let entries = fs::read_dir(folder).map_err(at(folder))?;
    entries.map(|entry| entry.map(|entry| entry.path()).map_err(at(folder))).collect()
}
