//! Where figures come from: what is kept beside a file of figures, and within an answer in JSON, so that the figures can be
//! cited, and computed again by `ggp again`.

use crc32fast::hash;
use ggp_engine::{GameOrigin, LibrarySheet};
use ggp_game::files;
use serde::{Deserialize, Serialize};
use std::collections::BTreeMap;
use std::ffi::OsString;
use std::path::{Path, PathBuf};
use std::sync::{Mutex, PoisonError};
use std::{fs, io};

/// The version of the program, with its commit in a build for release: `0.1.0 (3cd4cf46)`.
pub const VERSION: &str = env!("GGP_VERSION");

/// The program, the command, the sheets and the machine that computed some figures.
#[derive(Serialize, Deserialize, Clone, Debug, PartialEq, Eq)]
pub(crate) struct Provenance {
    /// The version of the program, with its commit in a release.
    pub(crate) version: String,
    /// The arguments of `ggp`, seeds and limits among them; what is not given has the default of the version.
    pub(crate) command: Vec<String>,
    /// The lines that were typed at the prompt, if the command reads them.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub(crate) input: Option<String>,
    /// The folder in which relative paths begin.
    pub(crate) folder: PathBuf,
    /// The sheets and other files that the command names, with their digests.
    pub(crate) files: BTreeMap<String, String>,
    /// The name of the processor, if the system tells it.
    pub(crate) processor: String,
    /// The number of threads that run at a time.
    pub(crate) threads: usize,
    /// The name of the file of figures, as the command has it; none for an answer on standard output.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub(crate) output: Option<String>,
}

/// The options of all commands that name a file to write.
const OUTPUT_OPTIONS: [&str; 10] =
    ["--csv", "--svg", "--out", "--rows", "--record", "--strategy", "--policy", "--html", "--sheet", "--efg"];

/// The arguments with which the program was called, without its name.
static COMMAND: Mutex<Vec<String>> = Mutex::new(Vec::new());

/// Keeps the arguments of the program, of which the first is its name, for [`Provenance::of_command`].
pub(crate) fn keep_command(arguments: &[OsString]) {
    let words = arguments.iter().skip(1).map(|word| word.to_string_lossy().into_owned());
    *COMMAND.lock().unwrap_or_else(PoisonError::into_inner) = words.collect();
}

/// The path of the provenance of a file.
pub(crate) fn beside(file: &Path) -> PathBuf {
    let mut name = file.file_name().unwrap_or_default().to_os_string();
    name.push(".provenance.json");
    file.with_file_name(name)
}

impl Provenance {
    /// That of the command that runs.
    pub(crate) fn of_command() -> Self {
        let command = COMMAND.lock().unwrap_or_else(PoisonError::into_inner).clone();
        Self::new(command, None)
    }

    /// That of the command that runs, a prompt at which these lines were typed.
    pub(crate) fn of_lines(lines: &[String]) -> Self {
        let Self { command, .. } = Self::of_command();
        Self::new(command, Some(lines.iter().map(|line| format!("{line}\n")).collect()))
    }

    fn new(command: Vec<String>, input: Option<String>) -> Self {
        let texts = command.iter().map(String::as_str).chain(input.as_deref());
        // A path of its own may have spaces.
        let names = command.iter().map(String::as_str).chain(texts.flat_map(words_read));
        let files = names.filter_map(|name| Some((name.to_string(), digest(name)?))).collect();
        Self {
            version: VERSION.to_string(),
            files,
            command,
            input,
            folder: std::env::current_dir().unwrap_or_default(),
            processor: processor(),
            threads: std::thread::available_parallelism().map_or(1, usize::from),
            output: None,
        }
    }

    /// The same, of figures that are in this file.
    pub(crate) fn in_file(self, file: &Path) -> Self {
        Self { output: Some(file.to_string_lossy().into_owned()), ..self }
    }

    /// Writes the provenance of a table with commas beside it; nothing for other files, which are drawn from figures or
    /// have it within, and for devices.
    ///
    /// # Errors
    /// Those of the system.
    pub(crate) fn write_beside(self, file: &Path) -> io::Result<()> {
        if file.extension().is_none_or(|end| end != "csv") || !file.is_file() {
            return Ok(());
        }
        files::write(&beside(file), serde_json::to_string_pretty(&self.in_file(file))? + "\n")
    }

    /// The files that have changed since, or are gone.
    pub(crate) fn changed_files(&self) -> Vec<&str> {
        let changed = self.files.iter().filter(|(name, known)| {
            let path = self.folder.join(name);
            digest(&path.to_string_lossy()).or_else(|| digest(name)).as_ref() != Some(known)
        });
        changed.map(|(name, _)| name.as_str()).collect()
    }

    /// The same command with all files that it writes in another folder, and the path there of the file of figures.
    pub(crate) fn redirected(&self, folder: &Path) -> (Self, Option<PathBuf>) {
        let mut redirection = Redirection { folder, output: self.output.as_deref(), target: None, is_value: false };
        let command = self.command.iter().map(|argument| redirection.argument(argument)).collect();
        let input = self.input.as_ref().map(|lines| redirection.text(lines));
        let target = redirection.target;
        (Self { command, input, ..self.clone() }, target)
    }
}

/// Replaces the paths of the files that a command writes.
struct Redirection<'a> {
    folder: &'a Path,
    /// The name of the file of figures, and its path in the folder once it has been met.
    output: Option<&'a str>,
    target: Option<PathBuf>,
    /// True after an option that names a file to write.
    is_value: bool,
}

impl Redirection<'_> {
    /// An argument, which is one word, a path with spaces, or commands of the prompt.
    fn argument(&mut self, argument: &str) -> String {
        if self.is_value { self.word(argument) } else { self.text(argument) }
    }

    /// Words with the spaces between them.
    fn text(&mut self, text: &str) -> String {
        let pieces = text.split_inclusive(char::is_whitespace);
        pieces.map(|piece| self.word(piece.trim_end()) + &piece[piece.trim_end().len()..]).collect()
    }

    fn word(&mut self, word: &str) -> String {
        if std::mem::replace(&mut self.is_value, OUTPUT_OPTIONS.contains(&word)) {
            return self.path(word);
        }
        match word.split_once('=') {
            Some((option, path)) if OUTPUT_OPTIONS.contains(&option) => format!("{option}={}", self.path(path)),
            _ => word.to_string(),
        }
    }

    fn path(&mut self, path: &str) -> String {
        if files::is_standard(path) {
            return path.to_string();
        }
        let moved = self.folder.join(Path::new(path).file_name().unwrap_or_default());
        if self.output.is_some_and(|output| Path::new(output).ends_with(path)) {
            self.target = Some(moved.clone());
        }
        moved.to_string_lossy().into_owned()
    }
}

/// The words of a command that may name a file which it reads: those after an option for a file to write do not.
fn words_read(text: &str) -> impl Iterator<Item = &str> {
    let mut is_output = false;
    let words = text.split_whitespace().filter(move |word| {
        let was = std::mem::replace(&mut is_output, OUTPUT_OPTIONS.contains(word));
        !was && !OUTPUT_OPTIONS.iter().any(|option| word.strip_prefix(option).is_some_and(|end| end.starts_with('=')))
    });
    words.flat_map(|word| std::iter::once(word).chain(word.split(['=', ':', '+', ','])))
}

/// The digest of the sheet or file of this name; `None` if there is none, or if it is of figures.
fn digest(name: &str) -> Option<String> {
    let path = Path::new(name);
    let known =
        LibrarySheet::find(name).or_else(|| LibrarySheet::find_heuristic(name)).or_else(|| files::of_course(path));
    let bytes = match known {
        Some(sheet) => sheet.text.as_bytes().to_vec(),
        None if GameOrigin::has_sheet_extension(path) => fs::read(path).ok()?,
        None => return None,
    };
    Some(format!("crc32 {:08x}, {} bytes", hash(&bytes), bytes.len()))
}

/// The name of the processor of this machine; its architecture if the system tells no more.
pub fn processor() -> String {
    let named = fs::read_to_string("/proc/cpuinfo").ok().and_then(|account| {
        let line = account.lines().find_map(|line| line.strip_prefix("model name"))?;
        Some(line.trim_start_matches([' ', '\t', ':']).to_string())
    });
    named.unwrap_or_else(|| std::env::consts::ARCH.to_string())
}
