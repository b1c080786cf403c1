//! The networks of games that have been set up before, in a folder, so that a large game need not be grounded again.
//!
//! An [`super::EngineSlot`] asks for the network of a rule sheet before it builds one, and hands in what took long to
//! build. A file is a compiled game ([`CompiledGame`]) whose name says by which version of this program and without
//! which passes it was made. It is used only if that and the text of the sheet are the same, its checksums match, its
//! program can run, and the network begins as the rules say; otherwise the network is built again, and the file is
//! replaced. No error of a file is one of the game.

use crate::propnet::{self, CompiledGame, Propnet, PropnetError};
use gdl::limits::Limits;
use gdl::time::Instant;
use ggp_game::files;
use std::fs::{self, File};
use std::path::{Path, PathBuf};
use std::time::{Duration, SystemTime};

/// A folder with the networks of games that have been set up before.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct NetworkCache {
    folder: PathBuf,
    version: String,
    least_time: Duration,
    most_bytes: u64,
}

impl NetworkCache {
    /// The end of the names of its files, and of no others that it reads or removes.
    const EXTENSION: &str = "propnet";

    /// Keeps networks in this folder, which is made when there is one to keep: those that take a tenth of a second to
    /// build, and files of 1 GiB in all.
    pub fn new(folder: impl Into<PathBuf>) -> Self {
        let version = env!("CARGO_PKG_VERSION").to_string();
        Self { folder: folder.into(), version, least_time: Duration::from_millis(100), most_bytes: 1 << 30 }
    }

    /// Uses only networks that a program of this version has made; by default, that of the package.
    pub fn with_version(self, version: &str) -> Self {
        Self { version: version.to_string(), ..self }
    }

    /// Keeps networks that take at least this time to build.
    pub fn with_least_time(self, least_time: Duration) -> Self {
        Self { least_time, ..self }
    }

    /// Keeps files of at most `most_bytes` in all: those that have not been used for the longest time are removed. The
    /// last one is kept in any case.
    pub fn with_most_bytes(self, most_bytes: u64) -> Self {
        Self { most_bytes, ..self }
    }

    /// The folder.
    pub fn folder(&self) -> &Path {
        &self.folder
    }

    /// The network of a sheet: the one that is kept, or what `build` makes, which is kept if that took long.
    ///
    /// # Errors
    /// Those of `build`, or an interrupt while a kept network is set up.
    pub(super) fn network(
        &self,
        sheet: &str,
        options: &propnet::NetworkOptions,
        limits: &Limits,
        build: impl FnOnce() -> Result<Propnet, PropnetError>,
    ) -> Result<Propnet, PropnetError> {
        if !options.more.is_empty() {
            return build();
        }
        let made_by = made_by(&self.version, options);
        let path = self.path(&made_by, sheet);
        if let Some(program) = kept(&path, &made_by, sheet) {
            match Propnet::from_program(program, options, limits) {
                Ok(propnet) => return Ok(propnet),
                Err(PropnetError::Ground(error)) => return Err(error.into()),
                Err(_) => {}
            }
        }
        let begun = Instant::now();
        let propnet = build()?;
        if begun.elapsed() >= self.least_time && propnet.left_out().is_empty() {
            let game = CompiledGame::new(made_by, sheet.to_string(), propnet.program().clone());
            self.keep(&path, &game);
        }
        Ok(propnet)
    }

    /// The file of a sheet. Two sheets with the same name of a file replace each other's networks.
    fn path(&self, made_by: &str, sheet: &str) -> PathBuf {
        let sum = |text: &str| crc32fast::hash(text.as_bytes());
        self.folder.join(format!("{:08x}{:08x}.{}", sum(made_by), sum(sheet), Self::EXTENSION))
    }

    /// Writes a file. Where that fails, as in a folder that cannot be written, the network is built again next time.
    fn keep(&self, path: &Path, game: &CompiledGame) {
        let Ok(bytes) = game.to_bytes() else { return };
        if fs::create_dir_all(&self.folder).is_ok() && files::write(path, bytes).is_ok() {
            self.remove_oldest(path);
        }
    }

    /// Removes the files that have not been used for the longest time, except this one, as long as all are too large.
    fn remove_oldest(&self, except: &Path) {
        let Ok(entries) = fs::read_dir(&self.folder) else { return };
        let mut kept: Vec<(SystemTime, u64, PathBuf)> = Vec::new();
        for entry in entries.flatten() {
            let path = entry.path();
            let data = entry.metadata();
            if let (Some(Ok(used)), true) = (data.as_ref().ok().map(fs::Metadata::modified), is_own(&path)) {
                kept.push((used, data.map_or(0, |data| data.len()), path));
            }
        }
        kept.sort();
        let mut bytes: u64 = kept.iter().map(|(_, bytes, _)| bytes).sum();
        for (_, size, path) in kept.into_iter().filter(|(_, _, path)| path != except) {
            if bytes <= self.most_bytes {
                return;
            }
            if fs::remove_file(path).is_ok() {
                bytes -= size;
            }
        }
    }
}

fn is_own(path: &Path) -> bool {
    path.extension().is_some_and(|extension| extension == NetworkCache::EXTENSION)
}

/// By what a network is made: the version of the program, and the passes that are switched off.
fn made_by(version: &str, options: &propnet::NetworkOptions) -> String {
    let mut without = options.without.clone();
    without.sort();
    without.dedup();
    format!("ggp {version} without {without:?}")
}

/// The program in a file, if it was made in this way from this sheet; the file counts as used now.
fn kept(path: &Path, made_by: &str, sheet: &str) -> Option<crate::program::Program> {
    let game = CompiledGame::from_bytes(&fs::read(path).ok()?).ok()?;
    // A file whose time cannot be changed is only removed earlier than others.
    let _ = File::options().append(true).open(path).and_then(|file| file.set_modified(SystemTime::now()));
    (game.name == made_by && game.sheet == sheet).then_some(game.program)
}
