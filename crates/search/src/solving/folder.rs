//! The files of a run: `manifest.json` and `rules.gdl`, and for each layer a folder with its shards. While a layer is
//! made, `runs` holds what does not fit into memory; `lock` says which process works on the folder.

use super::block::{BlockError, BlockHeader, BlockKind, HEADER, read_keys, read_means, read_numbers, write_keys};
use super::error::{SolvingError, at};
use ggp_game::files::{InputLimit, OutputPath, is_too_large};
use serde::{Deserialize, Serialize};
use std::fs::{self, File};
use std::io::{self, BufReader, Read, Write};
use std::path::{Path, PathBuf};

/// A complete file, as the manifest lists it.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
pub(super) struct FileEntry {
    pub(super) shard: u32,
    pub(super) states: u64,
    pub(super) bytes: u64,
    pub(super) checksum: u32,
}

/// A file that is not as it was written.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct DamagedFile {
    /// The file.
    pub path: PathBuf,
    /// The flaw, in words.
    pub what: String,
}

/// The flaw of a file that is not there.
pub(super) const MISSING: &str = "it is missing";
/// The flaw of a pipe, a folder or a device.
const NO_FILE: &str = "it is no file";

/// The folder of a run.
#[derive(Clone, Debug)]
pub(super) struct Folder {
    root: PathBuf,
}

impl Folder {
    pub(super) fn new(root: &Path) -> Self {
        Self { root: root.to_path_buf() }
    }

    pub(super) fn root(&self) -> &Path {
        &self.root
    }

    pub(super) fn manifest(&self) -> PathBuf {
        self.root.join("manifest.json")
    }

    /// The copy of the manifest, beside the layers.
    pub(super) fn manifest_copy(&self) -> PathBuf {
        self.layers().join("manifest-copy.json")
    }

    pub(super) fn lock(&self) -> PathBuf {
        self.root.join("lock")
    }

    /// Refuses a folder in which something else than a file has the name of one that a run writes.
    pub(super) fn check_writable(&self) -> Result<(), SolvingError> {
        let copy = self.manifest_copy();
        let files = [self.lock(), self.manifest(), self.rules(), unfinished(&copy), copy];
        files.iter().try_for_each(|path| check_writable(path))
    }

    /// The copy of the rule sheet.
    pub(super) fn rules(&self) -> PathBuf {
        self.root.join("rules.gdl")
    }

    pub(super) fn layers(&self) -> PathBuf {
        self.root.join("layers")
    }

    pub(super) fn layer(&self, layer: u32) -> PathBuf {
        self.layers().join(format!("{layer:04}"))
    }

    /// The folder of the blocks that do not fit into memory.
    pub(super) fn runs(&self) -> PathBuf {
        self.root.join("runs")
    }

    /// The file of a shard of a layer.
    pub(super) fn shard(&self, kind: BlockKind, layer: u32, shard: u32) -> PathBuf {
        let ending = match kind {
            BlockKind::Keys | BlockKind::Sent => "keys",
            BlockKind::Values => "values",
            BlockKind::Distances => "distances",
            BlockKind::Means => "means",
        };
        self.layer(layer).join(format!("shard-{shard:04}.{ending}"))
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

    /// The flaw of a file that does not have the length and the checksum of its entry; `None` if it has.
    pub(super) fn check(&self, kind: BlockKind, layer: u32, entry: &FileEntry) -> Result<Option<String>, SolvingError> {
        check(&self.shard(kind, layer, entry.shard), entry.bytes, entry.checksum)
    }
}

/// Opens a file of the run to read it; `None` if it is no file. Opening a pipe would wait for a writer.
fn open(path: &Path) -> io::Result<Option<File>> {
    fs::metadata(path)?.is_file().then(|| File::open(path)).transpose()
}

/// Reads a file of the run.
pub(super) fn read(path: &Path) -> io::Result<Vec<u8>> {
    let mut content = Vec::new();
    open(path)?.ok_or_else(|| io::Error::other(NO_FILE))?.read_to_end(&mut content)?;
    Ok(content)
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

/// The flaw of a file that does not have this length and this checksum; `None` if it has.
pub(super) fn check(path: &Path, bytes: u64, checksum: u32) -> Result<Option<String>, SolvingError> {
    let limit = InputLimit::new(bytes);
    let content = match open(path).and_then(|file| file.map(|file| limit.read_from(file)).transpose()) {
        Ok(Some(content)) => content,
        Ok(None) => return Ok(Some(NO_FILE.to_string())),
        Err(error) if is_too_large(&error) => return Ok(Some(format!("it has more than {bytes} bytes"))),
        Err(error) if error.kind() == std::io::ErrorKind::NotFound => return Ok(Some(MISSING.to_string())),
        Err(error) => return Err(at(path)(error)),
    };
    let found = FileMark { bytes: content.len() as u64, checksum: crc32fast::hash(&content) };
    Ok(found.flaw(&FileMark { bytes, checksum }))
}

/// The length and the checksum of a file.
struct FileMark {
    bytes: u64,
    checksum: u32,
}

impl FileMark {
    /// The flaw of a file that has these, if it should have others.
    fn flaw(&self, expected: &Self) -> Option<String> {
        if self.bytes != expected.bytes {
            return Some(format!("it has {} bytes instead of {}", self.bytes, expected.bytes));
        }
        (self.checksum != expected.checksum).then(|| "its checksum is wrong".to_string())
    }
}

/// Flushes the files of a folder to the disk.
fn sync(path: &Path) -> Result<(), SolvingError> {
    #[cfg(all(feature = "disk", any(target_os = "linux", target_os = "android")))]
    {
        let folder = File::open(path).map_err(at(path))?;
        nix::unistd::syncfs(folder).map_err(|error| at(path)(error.into()))
    }
    #[cfg(not(all(feature = "disk", any(target_os = "linux", target_os = "android"))))]
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
        Err(error) if error.kind() != std::io::ErrorKind::NotFound => Err(at(path)(error)),
        _ => write(path, content),
    }
}

/// Reads the blocks of a file in order. A block is checked when it is read, and the file at its end: only then is it
/// certain that no block is missing, and that the file is that of its shard.
#[derive(Debug)]
pub(super) struct BlockFile {
    path: PathBuf,
    file: BufReader<File>,
    kind: BlockKind,
    layer: u32,
    entry: FileEntry,
    content: Vec<u8>,
    /// The number and the checksum of the bytes that were read.
    bytes: u64,
    checksum: crc32fast::Hasher,
}

impl BlockFile {
    /// Opens the file of an entry of the manifest.
    pub(super) fn open(folder: &Folder, kind: BlockKind, layer: u32, entry: FileEntry) -> Result<Self, SolvingError> {
        let path = folder.shard(kind, layer, entry.shard);
        let file = match open(&path) {
            Ok(Some(file)) => BufReader::with_capacity(1 << 17, file),
            Ok(None) => return Err(SolvingError::Damaged { path, what: NO_FILE.to_string() }),
            Err(error) if error.kind() == std::io::ErrorKind::NotFound => {
                return Err(SolvingError::Damaged { path, what: MISSING.to_string() });
            }
            Err(error) => return Err(at(&path)(error)),
        };
        let checksum = crc32fast::Hasher::new();
        Ok(Self { path, file, kind, layer, entry, content: Vec::new(), bytes: 0, checksum })
    }

    /// Reads the next block; `None` at the end.
    fn next(&mut self) -> Result<Option<BlockHeader>, SolvingError> {
        let mut head = [0; HEADER];
        let mut length = 0;
        // A read may return less than was asked for.
        while length < HEADER {
            match self.file.read(&mut head[length..]).map_err(at(&self.path))? {
                0 if length == 0 => return self.check_all().map(|()| None),
                0 => return Err(self.damaged(BlockError::Truncated)),
                read => length += read,
            }
        }
        let header = BlockHeader::read(&head, self.kind, self.layer).map_err(|error| self.damaged(error))?;
        self.content.resize(header.bytes(), 0);
        self.file.read_exact(&mut self.content).map_err(|_| self.damaged(BlockError::Truncated))?;
        header.check(&self.content).map_err(|error| self.damaged(error))?;
        self.bytes += (HEADER + self.content.len()) as u64;
        self.checksum.update(&head);
        self.checksum.update(&self.content);
        Ok(Some(header))
    }

    /// Checks at the end of the file that the blocks that were read are the file of the entry.
    fn check_all(&self) -> Result<(), SolvingError> {
        let found = FileMark { bytes: self.bytes, checksum: self.checksum.clone().finalize() };
        match found.flaw(&FileMark { bytes: self.entry.bytes, checksum: self.entry.checksum }) {
            Some(what) => Err(self.damaged(what)),
            None => Ok(()),
        }
    }

    /// Replaces the content of `rows` by the keys of the next block; false at the end.
    pub(super) fn next_keys(&mut self, rows: &mut Vec<u64>) -> Result<bool, SolvingError> {
        rows.clear();
        let Some(header) = self.next()? else { return Ok(false) };
        read_keys(&header, &self.content, rows).map_err(|error| self.damaged(error))?;
        Ok(true)
    }

    /// Replaces the content of `numbers` by those of the next block; false at the end.
    pub(super) fn next_numbers(&mut self, numbers: &mut Vec<u32>) -> Result<bool, SolvingError> {
        numbers.clear();
        let Some(header) = self.next()? else { return Ok(false) };
        read_numbers(&header, &self.content, numbers).map_err(|error| self.damaged(error))?;
        Ok(true)
    }

    /// Replaces the content of `means` by those of the next block; false at the end.
    pub(super) fn next_means(&mut self, means: &mut Vec<f64>) -> Result<bool, SolvingError> {
        means.clear();
        let Some(header) = self.next()? else { return Ok(false) };
        read_means(&header, &self.content, means).map_err(|error| self.damaged(error))?;
        Ok(true)
    }

    pub(super) fn damaged(&self, error: impl std::fmt::Display) -> SolvingError {
        SolvingError::Damaged { path: self.path.clone(), what: error.to_string() }
    }
}
