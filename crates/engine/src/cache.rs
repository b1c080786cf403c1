//! A folder of networks that were set up before, so that a large game need not be grounded again.
//!
//! An [`EngineSlot`](super::slot::EngineSlot) asks for the network of a rule sheet before it builds one, and stores a
//! network that took long to build. A file is a compiled game ([`CompiledGame`]) whose name holds the version of this
//! program and the passes that were switched off. It is used only if these and the text of the sheet are the same, its
//! checksums match, its program can run, and the network has the initial state of the rules. Otherwise the network is
//! built again and the file is replaced. A damaged file never makes a game fail.

use crate::propnet::{self, CompiledGame, Propnet, PropnetError};
use gdl::limits::Limits;
use gdl::time::Instant;
use ggp_game::files;
use std::fs::{self, File};
use std::path::{Path, PathBuf};
use std::time::{Duration, SystemTime};

/// A folder with networks, and the rules for keeping them.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct NetworkCache {
    folder: PathBuf,
    version: String,
    least_time: Duration,
    most_bytes: u64,
}

impl NetworkCache {
    /// The extension of its files. No other files are read or removed.
    const EXTENSION: &str = "propnet";

    /// A cache in this folder, which is created when a network is stored. It keeps networks that take a tenth of a
    /// second to build, and at most 1 GiB of files.
    pub fn new(folder: impl Into<PathBuf>) -> Self {
        let version = env!("CARGO_PKG_VERSION").to_string();
        Self { folder: folder.into(), version, least_time: Duration::from_millis(100), most_bytes: 1 << 30 }
    }

    /// Uses only networks made by this version of the program; by default that of the package.
    pub fn with_version(self, version: &str) -> Self {
        Self { version: version.to_string(), ..self }
    }

    /// Stores networks that take at least this time to build.
    pub fn with_least_time(self, least_time: Duration) -> Self {
        Self { least_time, ..self }
    }

    /// Keeps at most `most_bytes` of files. The files that were not used for the longest time are removed; the newest
    /// is kept even if it alone is larger.
    pub fn with_most_bytes(self, most_bytes: u64) -> Self {
        Self { most_bytes, ..self }
    }

    /// The folder.
    pub fn folder(&self) -> &Path {
        &self.folder
    }

    /// The network of a sheet: the stored one, or the result of `build`, which is stored if it took long.
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
        // The name of a pass from outside does not identify its code, so these networks are not cached.
        if !options.more.is_empty() {
            return build();
        }
        let made_by = made_by(&self.version, options);
        let path = self.path(&made_by, sheet);
        if let Some(program) = kept(&path, &made_by, sheet) {
            match Propnet::from_program(program, options, limits) {
                Ok(propnet) => return Ok(propnet),
                Err(PropnetError::Ground(error)) => return Err(error.into()),
                // A stored program that cannot run is replaced below.
                Err(_) => {}
            }
        }
        let begun = Instant::now();
        let propnet = build()?;
        // A pass that was left out shows a bug of this program; such a network is not kept.
        if begun.elapsed() >= self.least_time && propnet.left_out().is_empty() {
            let game = CompiledGame::new(made_by, sheet.to_string(), propnet.program().clone());
            self.keep(&path, &game);
        }
        Ok(propnet)
    }

    /// The file of a sheet. Two sheets whose checksums are equal share a file and replace each other's network.
    fn path(&self, made_by: &str, sheet: &str) -> PathBuf {
        let sum = |text: &str| crc32fast::hash(text.as_bytes());
        self.folder.join(format!("{:08x}{:08x}.{}", sum(made_by), sum(sheet), Self::EXTENSION))
    }

    /// Writes a file. If that fails, as in a folder without write access, the network is built again next time.
    fn keep(&self, path: &Path, game: &CompiledGame) {
        let Ok(bytes) = game.to_bytes() else { return };
        if fs::create_dir_all(&self.folder).is_ok() && files::write(path, bytes).is_ok() {
            self.remove_oldest(path);
        }
    }

    /// Removes the files that were not used for the longest time, except this one, until the total size is within the
    /// limit.
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

/// The version of the program and the passes that are switched off, as the name of a compiled game.
fn made_by(version: &str, options: &propnet::NetworkOptions) -> String {
    let mut without = options.without.clone();
    without.sort();
    without.dedup();
    format!("ggp {version} without {without:?}")
}

/// The program in a file, if its name and its sheet are these. The modification time of the file becomes now, which
/// marks it as used.
fn kept(path: &Path, made_by: &str, sheet: &str) -> Option<crate::program::Program> {
    let game = CompiledGame::from_bytes(&fs::read(path).ok()?).ok()?;
    // A file whose time cannot be changed is only removed earlier than others.
    let _ = File::options().append(true).open(path).and_then(|file| file.set_modified(SystemTime::now()));
    (game.name == made_by && game.sheet == sheet).then_some(game.program)
}
