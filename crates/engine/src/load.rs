//! Loading a game: the sources of rule sheets (the library, files, standard input, trees in brackets, layouts), and the
//! way from a text to a [`Game`].

use crate::interpreter::QueryError;
use crate::program::Program;
use crate::propnet::{CompiledGame, FileError};
use crate::{EngineError, EngineKind, EngineOptions, Game, HEURISTICS, LIBRARY, LibrarySheet};
use gdl::diagnostic::Diagnostic;
use gdl::limits::Stop;
use gdl::rules::{CheckedSheet, check_text_within};
use gdl::sorting;
use gdl::suggestion::{did_you_mean_or, nearest};
use gdl::syntax::{Dialect, Source, brackets, layout};
use ggp_game::ReasonError;
use ggp_game::files::{InputLimit, NoFile, is_standard, of_course};
use std::ffi::OsStr;
use std::path::{Path, PathBuf};
use std::{fmt, io};

/// The reason for which a game cannot be loaded.
#[derive(Debug, thiserror::Error)]
pub enum LoadError {
    /// The text cannot be read.
    #[error(transparent)]
    Origin(#[from] GameOriginError),
    /// The text violates the restrictions of GDL.
    #[error("{} is not a valid rule sheet: {}", source_text.name(), gdl::diagnostic::render::count(diagnostics))]
    Rejected {
        /// The text of the rule sheet.
        source_text: Source,
        /// All problems of the rule sheet, warnings included.
        diagnostics: Vec<Diagnostic>,
    },
    /// A limit of [`EngineOptions::limits`] was reached.
    #[error("{name} was not loaded: {stopped}")]
    Stopped {
        /// The name of the game.
        name: String,
        /// The limit that was reached.
        stopped: Stop,
    },
    /// The rules cannot be interpreted.
    #[error("{name} cannot be set up: {error}")]
    Interpreter {
        /// The name of the game.
        name: String,
        /// The reason.
        error: QueryError,
    },
    /// The compiled network does not belong to the rule sheet in the same file.
    #[error("the compiled network of {name} does not belong to its rule sheet: {what} differ; compile the game again")]
    OtherGame {
        /// The name of the game.
        name: String,
        /// The part that differs, in the plural.
        what: &'static str,
    },
    /// The selected engine cannot be set up.
    #[error("{name}: {error}")]
    Engine {
        /// The name of the game.
        name: String,
        /// The reason.
        error: EngineError,
    },
}

impl LoadError {
    /// The text and its problems, if it is a rule sheet, a tree or a layout that is not valid.
    pub fn problems(&self) -> Option<(&Source, &[Diagnostic])> {
        match self {
            Self::Rejected { source_text, diagnostics }
            | Self::Origin(GameOriginError::NoTree { source_text, diagnostics, .. }) => {
                Some((source_text, diagnostics))
            }
            _ => None,
        }
    }

    /// The interrupt or limit, if that is the cause.
    pub fn reason(&self) -> Option<ReasonError> {
        match self {
            Self::Stopped { stopped, .. } => Some((*stopped).into()),
            Self::Interpreter { error: QueryError::Reason(error), .. }
            | Self::Engine { error: EngineError::Reason(error), .. } => Some(error.clone()),
            _ => None,
        }
    }
}

impl Game {
    /// Loads a game of the library ([`LIBRARY`]) by its name: `tic_tac_toe`. The engine is chosen, and set up,
    /// when it is first needed.
    ///
    /// # Errors
    /// If the library has no such game; the error names games like it.
    pub fn library(name: &str) -> Result<Self, LoadError> {
        load_origin(&GameOrigin::find_game(name)?, EngineOptions::default())
    }

    /// Loads the rule sheet, in any dialect, or the compiled game in a file.
    ///
    /// # Errors
    /// If the file cannot be read, or violates the restrictions of GDL ([`LoadError::Rejected`] has all problems, with
    /// positions).
    pub fn open(path: impl Into<PathBuf>) -> Result<Self, LoadError> {
        load_origin(&GameOrigin::File(path.into()), EngineOptions::default())
    }

    /// Loads a game from the text of its rules, in any dialect. It is called `game`.
    ///
    /// # Errors
    /// If the text violates the restrictions of GDL ([`LoadError::Rejected`] has all problems, with positions).
    pub fn from_text(text: impl Into<String>) -> Result<Self, LoadError> {
        load_text("game".to_string(), Source::new("game", text), None, EngineOptions::default())
    }
}

/// Loads the game called `name` ([`GameOrigin::find`]; relative paths start at `directory`), in any dialect.
///
/// An engine selected by name is set up now; with [`EngineKind::Auto`] when it is first needed ([`Game::engine`]).
pub fn load(name: impl AsRef<OsStr>, directory: &Path, engine: impl Into<EngineOptions>) -> Result<Game, LoadError> {
    load_origin(&GameOrigin::find(name, directory)?, engine.into())
}

/// Loads a game of the library, or a tree typed as brackets.
pub fn load_from_library(name: &str, engine: EngineOptions) -> Result<Game, LoadError> {
    load_origin(&GameOrigin::find_game(name)?, engine)
}

fn load_origin(origin: &GameOrigin, options: EngineOptions) -> Result<Game, LoadError> {
    match origin.open(options.input)? {
        (source, None) => load_text(origin.game_name(), source, None, options),
        (source, Some(CompiledGame { name, program, .. })) => assemble(name, source, None, options, Some(program)),
    }
}

/// Loads a game from its text, in the given dialect or, without one, in the dialect that is recognised.
pub fn load_text(
    name: String,
    source: Source,
    dialect: Option<Dialect>,
    engine: impl Into<EngineOptions>,
) -> Result<Game, LoadError> {
    assemble(name, source, dialect, engine.into(), None)
}

fn assemble(
    name: String,
    source: Source,
    dialect: Option<Dialect>,
    options: EngineOptions,
    compiled: Option<Program>,
) -> Result<Game, LoadError> {
    let stopped = |stopped| LoadError::Stopped { name: name.clone(), stopped };
    let checked = check_text_within(&source, dialect, &options.limits).map_err(stopped)?;
    load_checked(name, source, checked, options, compiled)
}

/// Loads a game from a text that has been checked.
pub(super) fn load_checked(
    name: String,
    source: Source,
    checked: CheckedSheet,
    options: EngineOptions,
    compiled: Option<Program>,
) -> Result<Game, LoadError> {
    let checked = if options.is_lenient { checked.leniently() } else { checked };
    let is_program = options.takes_programs && checked.rules.is_program();
    let checked = if is_program { checked.as_program() } else { checked };
    if checked.diagnostics.iter().any(Diagnostic::is_error) {
        return Err(LoadError::Rejected { source_text: source, diagnostics: checked.diagnostics });
    }
    let mut game = Game::new(name.clone(), source, checked, options, compiled)
        .map_err(|error| LoadError::Interpreter { name: name.clone(), error })?;
    match game.foreign_network() {
        Ok(None) => {}
        Ok(Some(what)) => return Err(LoadError::OtherGame { name, what }),
        Err(error) => return Err(LoadError::Engine { name, error: error.into() }),
    }
    if game.options().kind != EngineKind::Auto {
        game.engine().map_err(|error| LoadError::Engine { name, error })?;
    }
    Ok(game)
}

/// The end of messages about unknown names.
const LISTED: &str = "; `games` lists the library";

/// The source of a rule sheet.
#[derive(Clone, Debug)]
pub enum GameOrigin {
    /// A sheet of the embedded library.
    Library(&'static LibrarySheet),
    /// A file, by its path.
    File(PathBuf),
    /// Standard input, written `-`; it can be read only once.
    StandardInput,
    /// A tree typed as brackets.
    Tree(String),
}

/// The reason for which a text cannot be read.
#[derive(Debug, thiserror::Error)]
pub enum GameOriginError {
    /// The name is neither a game of the library nor a file.
    #[error("there is no game `{name}` in the library, and {found}{}", did_you_mean_or(near, LISTED))]
    Unknown {
        /// The name that was looked up.
        name: String,
        /// The reason for which no file was read.
        found: NoFile,
        /// Games of the library and files with a similar name.
        near: Vec<String>,
    },
    /// The library has no game of this name.
    #[error("there is no game `{name}` in the library{}", did_you_mean_or(near, LISTED))]
    NotInLibrary {
        /// The name that was looked up.
        name: String,
        /// Games with a similar name.
        near: Vec<&'static str>,
    },
    /// The name is neither a heuristic sheet of the library nor a file.
    #[error("there is no heuristic sheet `{name}` in the library, and {found}{}", did_you_mean_or(near, LISTED))]
    UnknownHeuristic {
        /// The unknown name.
        name: String,
        /// The reason for which no file was read.
        found: NoFile,
        /// Sheets with a similar name.
        near: Vec<&'static str>,
    },
    /// A file or standard input cannot be read.
    #[error("cannot read {origin}: {error}{}", did_you_mean_or(near, ""))]
    Unreadable {
        /// The name of the file.
        origin: String,
        /// The error of the operating system.
        error: io::Error,
        /// Sheets with a similar name in the same folder, if there is no such file.
        near: Vec<String>,
    },
    /// A compiled game cannot be read.
    #[error("cannot load {origin}: {error}")]
    Compiled {
        /// The name of the file.
        origin: String,
        /// The error of the file.
        error: FileError,
    },
    /// A tree typed as brackets, or a layout, cannot be read.
    #[error("{} is not a {what}: {}", source_text.name(), gdl::diagnostic::render::count(diagnostics))]
    NoTree {
        /// The expected kind of text: `tree` or `layout`.
        what: &'static str,
        /// The text of the tree or layout.
        source_text: Source,
        /// All problems of the text.
        diagnostics: Vec<Diagnostic>,
    },
    /// The rule sheet of a layout is a layout or a tree itself.
    #[error("{origin} draws a start for {sheet}, which is no rule sheet")]
    NoSheet {
        /// The name of the layout.
        origin: String,
        /// The name of its sheet.
        sheet: String,
    },
    /// The rule sheet of a layout is a file, and files cannot be read here.
    #[error("{origin} draws a start for {sheet}: open that rule sheet first")]
    NotOpened {
        /// The name of the layout.
        origin: String,
        /// The name of its sheet.
        sheet: String,
    },
    /// The text is longer than 32-bit positions can count.
    #[error("{origin} is too large: a rule sheet has less than 4 GiB")]
    TooLarge {
        /// The name of the file.
        origin: String,
    },
}

impl GameOrigin {
    /// The extensions of files with rule sheets.
    pub const EXTENSIONS: [&str; 5] = ["gdl", "hrf", "kif", "layout", "tree"];

    /// True if the extension of a file is one of [`GameOrigin::EXTENSIONS`].
    pub fn has_sheet_extension(path: &Path) -> bool {
        path.extension().is_some_and(|extension| Self::EXTENSIONS.iter().any(|known| extension == *known))
    }

    /// Resolves a name: `-` is standard input; brackets are a tree ([`brackets::is_tree`]); a name of the library is
    /// that game; everything else is a file, relative to `directory`. A plain name that is neither is an error that
    /// suggests similar names.
    pub fn find(name: impl AsRef<OsStr>, directory: &Path) -> Result<Self, GameOriginError> {
        let file_name = name.as_ref();
        // What is not UTF-8 can only be a file.
        let Some(name) = file_name.to_str() else { return Ok(Self::File(directory.join(file_name))) };
        if is_standard(name) {
            return Ok(Self::StandardInput);
        }
        if brackets::is_tree(name) {
            return Ok(Self::Tree(name.to_string()));
        }
        if let Some(sheet) = LibrarySheet::find(name) {
            return Ok(Self::Library(sheet));
        }
        file(name, directory).map_err(|found| {
            let games = nearest(name, LIBRARY.iter().map(|sheet| sheet.name)).into_iter().map(String::from);
            let near = games.chain(near_files(&directory.join(name))).collect();
            GameOriginError::Unknown { name: name.to_string(), found, near }
        })
    }

    /// The game of the library with this name, a game of the course, or a tree typed as brackets.
    fn find_game(name: &str) -> Result<Self, GameOriginError> {
        if brackets::is_tree(name) {
            return Ok(Self::Tree(name.to_string()));
        }
        if of_course(Path::new(name)).is_some() {
            return Ok(Self::File(PathBuf::from(name)));
        }
        let near = || nearest(name, LIBRARY.iter().map(|sheet| sheet.name));
        let found = LibrarySheet::find(name).map(Self::Library);
        found.ok_or_else(|| GameOriginError::NotInLibrary { name: name.to_string(), near: near() })
    }

    /// The file of the game with this name, if it comes from one ([`GameOrigin::find`]).
    pub fn file_of(name: impl AsRef<OsStr>, directory: &Path) -> Option<PathBuf> {
        match Self::find(name, directory) {
            Ok(Self::File(path)) => Some(path),
            _ => None,
        }
    }

    /// Resolves the name of a heuristic sheet: one of the library or of the course or, where there is a directory, a file
    /// or `-` for standard input.
    pub fn find_heuristic(name: impl AsRef<OsStr>, directory: Option<&Path>) -> Result<Self, GameOriginError> {
        let file_name = name.as_ref();
        let name = &*file_name.to_string_lossy();
        if let Some(sheet) = LibrarySheet::find_heuristic(name) {
            return Ok(Self::Library(sheet));
        }
        let near = || nearest(name, HEURISTICS.iter().map(|sheet| sheet.name));
        let found = match directory {
            None if of_course(Path::new(name)).is_some() => Ok(Self::File(PathBuf::from(name))),
            None => Err(NoFile::Missing),
            Some(_) if is_standard(name) => Ok(Self::StandardInput),
            Some(directory) => file(file_name, directory),
        };
        found.map_err(|found| GameOriginError::UnknownHeuristic { name: name.to_string(), found, near: near() })
    }

    /// The name of the game: that in the library, or that of the file without its extension.
    pub fn game_name(&self) -> String {
        match self {
            Self::Library(sheet) => sheet.name.to_string(),
            Self::File(path) => path.file_stem().unwrap_or(path.as_os_str()).to_string_lossy().into_owned(),
            Self::StandardInput => "stdin".to_string(),
            Self::Tree(_) => "tree".to_string(),
        }
    }

    /// The text of the rule sheet ([`Source::from_bytes`]): of a compiled game the sheet in the file, of a tree in
    /// brackets the sheet that it describes, of a layout its sheet with the facts of its squares.
    pub fn read(&self, limit: InputLimit) -> Result<Source, GameOriginError> {
        self.open(limit).map(|(source, _)| source)
    }

    /// The text and, if the origin is a compiled game, that game.
    pub(super) fn open(&self, limit: InputLimit) -> Result<(Source, Option<CompiledGame>), GameOriginError> {
        let name = self.to_string();
        let unreadable = |error: io::Error| {
            let near = match self {
                Self::File(path) if error.kind() == io::ErrorKind::NotFound => near_files(path),
                _ => Vec::new(),
            };
            GameOriginError::Unreadable { origin: name.clone(), error, near }
        };
        let bytes = match self {
            Self::Library(sheet) => return Ok((Source::new(name, sheet.text), None)),
            Self::Tree(text) => return Ok((self.tree(Source::new(name, text.as_str()))?, None)),
            Self::File(path) => limit.read(path).map_err(unreadable)?,
            Self::StandardInput => limit.read(Path::new("-")).map_err(unreadable)?,
        };
        if u32::try_from(bytes.len()).is_err() {
            return Err(GameOriginError::TooLarge { origin: name });
        }
        if !CompiledGame::is_one(&bytes) {
            let source = Source::from_bytes(name, bytes);
            let source = match self {
                _ if self.is_tree() => self.tree(source)?,
                Self::File(path) if is_layout(path) => laid_out(source, path, limit)?,
                _ => source,
            };
            return Ok((source, None));
        }
        let read = CompiledGame::from_bytes(&bytes);
        let mut game = read.map_err(|error| GameOriginError::Compiled { origin: name.clone(), error })?;
        Ok((Source::new(name, std::mem::take(&mut game.sheet)), Some(game)))
    }

    /// True if the rule sheet is generated from another text: a tree in brackets or a layout.
    pub fn is_generated(&self) -> bool {
        self.is_tree() || matches!(self, Self::File(path) if is_layout(path))
    }

    /// True if it is a readable file with the rule sheet itself: no tree, layout or compiled game.
    pub fn is_sheet(&self, limit: InputLimit) -> bool {
        let is_read = || self.open(limit).is_ok_and(|(_, compiled)| compiled.is_none());
        matches!(self, Self::File(_)) && !self.is_generated() && is_read()
    }

    /// True if it is a tree in brackets: one that was typed, or a file with the extension `tree`.
    fn is_tree(&self) -> bool {
        match self {
            Self::Tree(_) => true,
            Self::File(path) => path.extension().is_some_and(|extension| extension == "tree"),
            Self::Library(_) | Self::StandardInput => false,
        }
    }

    /// The rule sheet of a tree in brackets.
    fn tree(&self, source_text: Source) -> Result<Source, GameOriginError> {
        match brackets::sheet(&self.game_name(), &source_text) {
            Ok(sheet) => Ok(Source::new(source_text.name(), sheet)),
            Err(diagnostics) => Err(GameOriginError::NoTree { what: "tree", source_text, diagnostics }),
        }
    }
}

/// The rule sheet of a text where files cannot be read, by the extension of its name: that of a tree in brackets; that
/// of a layout, whose sheet is in `opened`, in the library or a file of the course; otherwise the text itself.
///
/// # Errors
/// If it is no tree or layout, or the sheet of a layout is not known.
pub fn sheet_of_text(source: Source, opened: &[Source]) -> Result<Source, GameOriginError> {
    let origin = GameOrigin::File(PathBuf::from(source.name()));
    if origin.is_tree() {
        return origin.tree(source);
    }
    if !origin.is_generated() {
        return Ok(source);
    }
    let layout = read_layout(&source)?;
    let sheet =
        opened.iter().find(|opened| Path::new(opened.name()).file_name() == Path::new(&layout.sheet).file_name());
    let folder = Path::new(source.name()).parent().unwrap_or(Path::new(""));
    let of_course = || LibrarySheet::find_course(&folder.join(&layout.sheet));
    let text = match (sheet, LibrarySheet::find(&layout.sheet).or_else(of_course)) {
        (Some(sheet), _) => sheet.text(),
        (None, Some(sheet)) => sheet.text,
        (None, None) => {
            return Err(GameOriginError::NotOpened { origin: source.name().to_string(), sheet: layout.sheet });
        }
    };
    Ok(with_facts(&source, text, &layout))
}

fn read_layout(source: &Source) -> Result<layout::Layout, GameOriginError> {
    layout::read(source).map_err(|diagnostics| {
        let source_text = source.clone();
        GameOriginError::NoTree { what: "layout", source_text, diagnostics }
    })
}

/// A rule sheet with the facts of a layout.
fn with_facts(source: &Source, sheet: &str, layout: &layout::Layout) -> Source {
    let facts = layout.facts(Dialect::detect(sheet));
    Source::new(source.name(), format!("{}\n{facts}", sheet.trim_end()))
}

/// True if a file is a layout, by its extension.
fn is_layout(path: &Path) -> bool {
    path.extension().is_some_and(|extension| extension == "layout")
}

/// Reads the rule sheet of a layout, and adds the facts of its squares.
fn laid_out(source_text: Source, path: &Path, limit: InputLimit) -> Result<Source, GameOriginError> {
    let layout = read_layout(&source_text)?;
    let sheet = GameOrigin::find(&layout.sheet, path.parent().unwrap_or(Path::new("")))?;
    if sheet.is_generated() || matches!(sheet, GameOrigin::StandardInput) {
        return Err(GameOriginError::NoSheet { origin: source_text.name().to_string(), sheet: layout.sheet });
    }
    let sheet = sheet.read(limit)?;
    Ok(with_facts(&source_text, sheet.text(), &layout))
}

impl fmt::Display for GameOrigin {
    /// The name in messages: `NAME.gdl`, the path, `<stdin>` or `<tree>`.
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Library(sheet) => write!(formatter, "{}.gdl", sheet.name),
            Self::File(path) => path.display().fmt(formatter),
            Self::StandardInput => formatter.write_str("<stdin>"),
            Self::Tree(_) => formatter.write_str("<tree>"),
        }
    }
}

/// The file with this name, if the name looks like a path (it has an extension or a folder) or the file exists.
fn file(name: impl AsRef<OsStr>, directory: &Path) -> Result<GameOrigin, NoFile> {
    let path = directory.join(name.as_ref());
    let name = name.as_ref().to_string_lossy();
    let is_path = name.contains(['/', '\\']) || path.extension().is_some();
    match NoFile::at(&path) {
        Some(found) if !is_path => Err(found),
        _ => Ok(GameOrigin::File(path)),
    }
}

/// Up to three rule sheets in the folder of a file whose names are near to its name, for a message.
fn near_files(path: &Path) -> Vec<String> {
    let folder = path.parent().unwrap_or(Path::new(""));
    let Some(name) = path.file_name().and_then(OsStr::to_str) else { return Vec::new() };
    let listed = if folder.as_os_str().is_empty() { Path::new(".").read_dir() } else { folder.read_dir() };
    let names = listed.into_iter().flatten().flatten().filter_map(|entry| entry.file_name().into_string().ok());
    let mut sheets: Vec<String> = names.filter(|name| GameOrigin::has_sheet_extension(Path::new(name))).collect();
    sorting::sort(&mut sheets);
    let near = nearest(name, sheets.iter().map(String::as_str));
    near.into_iter().map(|name| folder.join(name).display().to_string()).collect()
}
