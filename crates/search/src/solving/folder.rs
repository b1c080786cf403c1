//! The files of a run: `manifest.json` and `rules.gdl`, and for each layer a folder with its shards. While a layer is
//! made, `runs` holds what does not fit into memory; `lock` says which process works on the folder.

use super::block::{BlockError, BlockHeader, BlockKind, HEADER, read_keys, read_means, read_numbers};
use super::error::{SolvingError, at};
use ggp_game::files::{InputLimit, is_too_large};
use serde::{Deserialize, Serialize};
use std::fs::{self, File};
use std::io::{self, BufReader, Read};
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
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct DamagedFile {
    /// The file.
    #[serde(rename = "file")]
    pub path: PathBuf,
    /// The flaw, in words.
    pub what: String,
}

/// The flaw of a file that is not there.
pub(super) const MISSING: &str = "it is missing";
/// The flaw of a pipe, a folder or a device.
pub(super) const NO_FILE: &str = "it is no file";

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
            BlockKind::Keys => "keys",
            BlockKind::Values => "values",
            BlockKind::Distances => "distances",
            BlockKind::Means => "means",
        };
        self.layer(layer).join(format!("shard-{shard:04}.{ending}"))
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
        let header = BlockHeader::read(&head, self.kind.magic(), self.layer).map_err(|error| self.damaged(error))?;
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
