//! A folder with pages of players, whose files are sent at the address of the server, so that they share its storage with
//! the page.

use super::page::{PageFile, content_type};
use ggp_game::files::InputLimit;
use std::path::{Component, Path, PathBuf};

/// A folder whose files are sent.
pub(crate) struct PageFolder {
    folder: PathBuf,
    limit: InputLimit,
}

impl PageFolder {
    /// The files in a folder and in those below it, up to a size.
    ///
    /// # Errors
    /// If it cannot be read.
    pub(crate) fn new(folder: &Path, limit: InputLimit) -> std::io::Result<Self> {
        std::fs::read_dir(folder)?;
        Ok(Self { folder: folder.canonicalize()?, limit })
    }

    /// The file at a path of the server. Hidden files, and those to which links lead out of the folder, are not sent.
    pub(super) fn file(&self, path: &str) -> Option<PageFile> {
        let name = decoded(path.strip_prefix('/')?)?;
        let is_plain =
            |part: Component<'_>| matches!(part, Component::Normal(name) if !name.to_string_lossy().starts_with('.'));
        if !Path::new(&name).components().all(is_plain) {
            return None;
        }
        let file = self.folder.join(&name).canonicalize().ok()?;
        if !file.starts_with(&self.folder) || !file.is_file() {
            return None;
        }
        let bytes = self.limit.read(&file).ok()?;
        Some(PageFile { content_type: content_type(&name), bytes: bytes.into() })
    }
}

/// A path of an address with its escaped bytes; `None` if it is not UTF-8.
fn decoded(path: &str) -> Option<String> {
    let mut bytes = Vec::new();
    let mut rest = path.bytes();
    while let Some(byte) = rest.next() {
        let escaped = (byte == b'%').then(|| {
            let digit = |byte: Option<u8>| char::from(byte?).to_digit(16);
            let (high, low) = (digit(rest.next())?, digit(rest.next())?);
            u8::try_from(16 * high + low).ok()
        });
        bytes.push(escaped.map_or(Some(byte), |escaped| escaped)?);
    }
    String::from_utf8(bytes).ok()
}
