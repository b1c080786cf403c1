//! The rule sheets of a folder, for the subcommands that take one.

use super::Failure;
use anyhow::Context;
use gdl::sorting;
use ggp_engine::GameOrigin;
use std::ffi::OsStr;
use std::fs::{DirEntry, read_dir};
use std::io;
use std::path::{Path, PathBuf};

/// The folder that an argument names; a game of the library with the same name comes first.
pub(super) fn folder_of(file: &OsStr) -> Option<PathBuf> {
    let path = PathBuf::from(file);
    let is_other = || matches!(GameOrigin::find(file, Path::new("")), Ok(GameOrigin::Library(_) | GameOrigin::Tree(_)));
    (path.is_dir() && !is_other()).then_some(path)
}

/// The sheets in a folder and in those below it, by name. Hidden files are left out, and links to folders are not
/// followed, which might lead back.
pub(super) fn sheets(folder: &Path) -> Result<Vec<PathBuf>, Failure> {
    let mut found = Vec::new();
    let mut open = vec![folder.to_path_buf()];
    while let Some(folder) = open.pop() {
        let listed = read_dir(&folder).and_then(|entries| entries.collect::<io::Result<Vec<DirEntry>>>());
        for entry in listed.with_context(|| format!("cannot read {}", folder.display()))? {
            let path = entry.path();
            if entry.file_name().to_string_lossy().starts_with('.') {
                continue;
            }
            if entry.file_type().is_ok_and(|kind| kind.is_dir()) {
                open.push(path);
            } else if GameOrigin::has_sheet_extension(&path) {
                found.push(path);
            }
        }
    }
    sorting::sort(&mut found);
    Ok(found)
}

/// As [`sheets`].
///
/// # Errors
/// If there are none.
pub(super) fn some_sheets(folder: &Path) -> Result<Vec<PathBuf>, Failure> {
    let sheets = sheets(folder)?;
    if sheets.is_empty() {
        anyhow::bail!(
            "{} has no rule sheets: files that end with .{}",
            folder.display(),
            GameOrigin::EXTENSIONS.join(", .")
        );
    }
    Ok(sheets)
}
