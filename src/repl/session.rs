//! State of a session: the loaded game, its match ([`Match`]), the lesson that runs, and settings. Every command changes
//! a session or asks it; `course` has the match, `fault` the account of a state that the rules leave undefined, `files` its saved and recorded forms, `rule_changes` the rules that are
//! changed at the prompt, `task` the task of the course that is being done, `trained` networks that are no files.

mod course;
mod fault;
mod files;
mod rule_changes;
mod task;
mod trained;

use super::CommandError;
use super::course::{Marks, Task};
use super::lesson::{LessonPage, LessonRemark};
use super::output::{Download, OutputFile, OutputQueue, Screen, SessionOutputs};
use gdl::limits::Deadline;
use gdl::rules::RuleSet;
use gdl::syntax::{Dialect, Source};
use ggp_engine as engine;
use ggp_engine::interpreter::State;
use ggp_engine::{
    COURSE, EngineKind, EngineOptions, Feature, FeatureError, FeaturedState, Game, GameOrigin, LoadError, Measure,
    RelaxedHeuristic,
};
use ggp_game::files::below;
use ggp_game::{Chance, ReasonError, Utility};
use ggp_learn::{NeuralGuide, NeuralNetwork};
use ggp_play::ask::HiddenFound;
use ggp_play::ask::budget::{Interrupt, QuestionBudget};
use ggp_play::ask::network::find_network;
use ggp_search::{Budget, SearchProgress};
use std::collections::BTreeSet;
use std::ffi::OsStr;
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::sync::atomic::AtomicBool;
use std::time::Duration;

pub(crate) use course::{Match, MatchStep};
#[cfg(feature = "cli")]
pub(crate) use fault::account_of_fault;
pub(crate) use files::{RecordedMatch, record};
pub(crate) use task::RunningTask;
use trained::{SessionNetworks, TRAINED, no_network};

/// A session of one user: at most one game, and settings that outlive it.
pub struct Session {
    /// The directory at which relative paths start; `None` for a session without files.
    directory: Option<PathBuf>,
    /// Texts that are found by their names before files: sheets and layouts that a student has written.
    texts: Vec<Source>,
    /// The destination of the files that commands write.
    outputs: SessionOutputs,
    /// The files to which the session has saved matches and rules, or from which it has restored one. They may be saved
    /// again.
    saves: BTreeSet<PathBuf>,
    engine: EngineOptions,
    interrupt: Interrupt,
    progress: Arc<SearchProgress>,
    screen: Arc<Screen>,
    current: Option<Match>,
    lesson: Option<RunningLesson>,
    /// The task of the course that is being done.
    task: Option<RunningTask>,
    /// What was done of the course.
    marks: Marks,
    /// True if they have changed since they were kept last.
    has_new_marks: bool,
    /// The verdict of the lesson on the last line.
    remark: Option<LessonRemark>,
    pub(crate) dialect: Dialect,
    /// Draws positions when they change; off by default, which suits scripts.
    pub(crate) draws_boards: bool,
    seed: u64,
    /// The generator of random choices since the seed was set.
    pub(crate) random: Chance,
    /// The strategies that the last search for hidden information has found, after the rules of its game.
    strategies: Option<(Arc<RuleSet>, Arc<HiddenFound>)>,
    /// The networks that a session without files has.
    networks: SessionNetworks,
}

impl Session {
    /// A session without a game. Relative paths start at `directory`, and setting the flag stops the running command.
    pub fn new(directory: impl Into<PathBuf>, interrupt: Arc<AtomicBool>) -> Self {
        let directory = directory.into();
        let outputs = SessionOutputs::Written {
            folder: directory.clone(),
            is_forced: false,
            same: None,
            written: OutputQueue::default(),
        };
        Self { directory: Some(directory), outputs, ..Self::without_files(interrupt) }
    }

    /// A session without a game, in which no command reads or writes files of this machine: `load` knows the games of
    /// the library only, and files that commands write wait for the front end.
    pub fn without_files(interrupt: Arc<AtomicBool>) -> Self {
        Self {
            directory: None,
            texts: Vec::new(),
            outputs: SessionOutputs::Queued(OutputQueue::default()),
            saves: BTreeSet::new(),
            engine: EngineOptions::default().with_interrupt(interrupt.clone()),
            interrupt: Interrupt::new(interrupt),
            progress: Arc::default(),
            screen: Arc::default(),
            current: None,
            lesson: None,
            task: None,
            marks: Marks::default(),
            has_new_marks: false,
            remark: None,
            dialect: Dialect::Infix,
            draws_boards: false,
            seed: 0,
            random: Chance::new(0),
            strategies: None,
            networks: SessionNetworks::default(),
        }
    }

    /// Keeps strategies for the current game.
    ///
    /// # Errors
    /// If no game is loaded.
    pub(crate) fn keep_strategies(&mut self, found: Arc<HiddenFound>) -> Result<(), CommandError> {
        let rules = Arc::clone(&self.current()?.game.rules);
        self.strategies = Some((rules, found));
        Ok(())
    }

    /// The strategies that were found last, if they are for the current game.
    pub(crate) fn strategies(&self) -> Option<Arc<HiddenFound>> {
        let current = self.current.as_ref()?;
        let (_, found) = self.strategies.as_ref().filter(|(rules, _)| Arc::ptr_eq(rules, &current.game.rules))?;
        Some(Arc::clone(found))
    }

    /// Loads a game and replaces the current one; if that fails, the current game stays.
    pub fn load(&mut self, name: impl AsRef<OsStr>) -> Result<&mut Match, CommandError> {
        let fresh = self.open(name)?;
        Ok(self.begin(fresh))
    }

    /// Loads a game and returns a match of it, without replacing the current one.
    pub(crate) fn open(&self, name: impl AsRef<OsStr>) -> Result<Match, CommandError> {
        self.open_with(name, false)
    }

    /// As [`Session::open`]; leniently if `is_lenient`, or if the session loads all games so.
    pub(crate) fn open_with(&self, name: impl AsRef<OsStr>, is_lenient: bool) -> Result<Match, CommandError> {
        let name = name.as_ref();
        let options = self.loading(is_lenient);
        if let Some(text) = self.texts.iter().find(|text| name == text.name()) {
            let title = Path::new(text.name()).file_stem().unwrap_or_default().to_string_lossy().into_owned();
            let sheet = engine::sheet_of_text(text.clone(), &sheets_of_course()).map_err(LoadError::Origin)?;
            return Ok(Match::new(engine::load_text(title, sheet, None, options)?, name)?);
        }
        let game = match &self.directory {
            Some(directory) => engine::load(name, directory, options)?,
            None => engine::load_from_library(&name.to_string_lossy(), options)?,
        };
        Ok(Match::new(game, name)?)
    }

    /// The options for loading a text: rules without roles can be asked here.
    fn loading(&self, is_lenient: bool) -> EngineOptions {
        let is_lenient = is_lenient || self.engine.is_lenient;
        EngineOptions { is_lenient, takes_programs: true, ..self.engine.clone() }
    }

    /// Begins a match of a game that the caller has loaded, and replaces the current one.
    ///
    /// # Errors
    /// Those of the interpreter, if it has no initial state.
    pub fn adopt(&mut self, game: Game) -> Result<(), ReasonError> {
        let name = game.name.clone();
        self.begin(Match::new(game, name)?);
        Ok(())
    }

    /// The loaded game, for questions of the caller's; `None` if there is none.
    pub fn game(&mut self) -> Option<&mut Game> {
        self.current.as_mut().map(|current| &mut current.game)
    }

    /// Begins the current match again in a state of the interpreter of its game, so that the next line is about this
    /// state. `is_reached` promises that legal play leads to it from the initial state: the network that plays may rely
    /// on that.
    ///
    /// # Errors
    /// If no game is loaded, or if the state is of another one.
    pub fn begin_in(&mut self, state: State, is_reached: bool) -> Result<(), CommandError> {
        Ok(self.current()?.begin_in(state, is_reached)?)
    }

    /// Replaces the current match by a new one, whose network is built in the background if the engine's options say so.
    pub(crate) fn begin(&mut self, fresh: Match) -> &mut Match {
        let current = self.current.insert(fresh);
        current.game.prepare_engine();
        current
    }

    /// Replaces the current match by another, or by none, and returns it.
    pub(crate) fn exchange(&mut self, other: Option<Match>) -> Option<Match> {
        std::mem::replace(&mut self.current, other)
    }

    /// Loads the current game again from its source, and repeats the plies as far as they are legal. If that fails, the
    /// match stays as it is. Describes the first ply that could not be
    /// repeated ([`Match::repeat`]).
    pub(crate) fn reload(&mut self) -> Result<Option<String>, CommandError> {
        let current = self.current()?;
        if current.is_from_standard_input() {
            return Err(CommandError::OnceOnly);
        }
        let name = current.loaded_as.clone();
        let steps = current.steps();
        let is_lenient = current.game.options().is_lenient;
        let mut fresh = self.open_with(&name, is_lenient)?;
        let misfit = fresh.repeat(&steps)?;
        self.begin(fresh);
        Ok(misfit)
    }

    /// The current match; an error if no game is loaded.
    pub(crate) fn current(&mut self) -> Result<&mut Match, CommandError> {
        self.current.as_mut().ok_or(CommandError::NoGame)
    }

    /// The rules of the loaded game.
    #[cfg(feature = "cli")]
    pub(crate) fn rules(&self) -> Option<&RuleSet> {
        self.current.as_ref().map(|current| &*current.game.rules)
    }

    /// The name of the loaded game.
    pub fn game_name(&self) -> Option<&str> {
        self.current.as_ref().map(|current| current.game.name.as_str())
    }

    /// The directory at which relative paths start.
    ///
    /// # Errors
    /// If the session reads no files.
    pub(crate) fn directory(&self) -> Result<&Path, CommandError> {
        self.directory.as_deref().ok_or(CommandError::NoFiles)
    }

    /// The path of a file that is named in a command.
    ///
    /// # Errors
    /// If the session reads no files.
    pub(crate) fn path(&self, file: &str) -> Result<PathBuf, CommandError> {
        Ok(below(self.directory()?, file))
    }

    /// The text of a file that is named in a command; `-` is standard input.
    ///
    /// # Errors
    /// If the session reads no files, or the file cannot be read.
    pub(crate) fn input(&self, file: &str) -> Result<String, CommandError> {
        let text = self.engine.input.read_text(&self.path(file)?);
        text.map_err(|error| CommandError::Unreadable { file: file.to_string(), error })
    }

    /// A file that a command is to write, which replaces neither the loaded game nor one of the other games. It is
    /// asked for before long work, since it is an error if it may not be written.
    ///
    /// # Errors
    /// [`CommandError::Unwritable`].
    pub(crate) fn output(&self, file: &str, is_forced: bool, games: &[String]) -> Result<OutputFile, CommandError> {
        let loaded = self.current.iter().map(|current| current.loaded_as.as_os_str());
        let games = games.iter().map(OsStr::new);
        self.outputs.file(file, is_forced, loaded.chain(games).filter_map(|game| self.source_of(game)))
    }

    /// The file of a game that is named in a command, if it comes from one.
    pub(crate) fn source_of(&self, game: impl AsRef<OsStr>) -> Option<PathBuf> {
        GameOrigin::file_of(game, self.directory.as_deref()?)
    }

    /// Sets what becomes of the files that commands write; by default they are written to the session's directory.
    #[cfg(feature = "cli")]
    pub(crate) fn with_outputs(self, outputs: SessionOutputs) -> Self {
        Self { outputs, ..self }
    }

    /// Removes and returns the paths of the files that commands have written.
    #[cfg(feature = "cli")]
    pub(crate) fn take_written(&self) -> Vec<PathBuf> {
        match &self.outputs {
            SessionOutputs::Written { written, .. } => written.take(),
            SessionOutputs::Queued(_) => Vec::new(),
        }
    }

    /// Removes and returns what commands have written in a session without files.
    pub(crate) fn take_downloads(&self) -> Vec<Download> {
        match &self.outputs {
            SessionOutputs::Queued(queue) => queue.take(),
            _ => Vec::new(),
        }
    }

    /// The engine that plays and searches.
    pub(crate) fn engine(&self) -> EngineKind {
        self.engine.kind
    }

    /// Changes the engine, also that of the current game.
    ///
    /// # Errors
    /// If the engine cannot be set up for the current game; everything then stays as it was.
    pub(crate) fn set_engine(&mut self, kind: EngineKind) -> Result<(), CommandError> {
        let options = EngineOptions { kind, ..self.engine.clone() };
        if let Some(current) = &mut self.current {
            current.set_options(options.clone())?;
        }
        self.engine = options;
        Ok(())
    }

    /// The options of engines.
    pub(crate) fn engine_options(&self) -> EngineOptions {
        self.engine.clone()
    }

    /// Sets the options of engines; must be called before a game is loaded.
    pub fn with_engine(mut self, options: EngineOptions) -> Self {
        self.engine = options.with_interrupt(self.interrupt.flag());
        self
    }

    /// Removes and returns the notes for the user, about engines and about files that are kept.
    pub fn take_notes(&mut self) -> Vec<String> {
        let mut notes = self.current.as_mut().map(|current| current.game.take_notes()).unwrap_or_default();
        if let SessionOutputs::Written { same: Some(same), .. } = &self.outputs {
            notes.extend(same.take());
        }
        notes
    }

    /// The dialect of answers: the one that was set. Of a game with operations, infix answers are in its own dialect.
    pub fn dialect(&self) -> Dialect {
        let own = self.current.as_ref().map(|current| current.game.sheet.dialect);
        match (self.dialect, own) {
            (Dialect::Infix, Some(Dialect::Operations)) => Dialect::Operations,
            (dialect, _) => dialect,
        }
    }

    /// The seed of random play.
    pub(crate) fn seed(&self) -> u64 {
        self.seed
    }

    /// Restarts the random generator with a seed.
    pub(crate) fn set_seed(&mut self, seed: u64) {
        self.seed = seed;
        self.random = Chance::new(seed);
    }

    /// The flag that stops the running command.
    pub(crate) fn interrupt(&self) -> Interrupt {
        self.interrupt.clone()
    }

    /// The loaded game with the rules of another sheet added, in the current position.
    pub(crate) fn featured(&mut self, sheet: &str, feature: Feature) -> Result<FeaturedState<'_>, CommandError> {
        let source = match self.texts.iter().find(|text| text.name() == sheet) {
            Some(text) => text.clone(),
            None => GameOrigin::find_heuristic(sheet, self.directory.as_deref())
                .and_then(|origin| origin.read(self.engine.input))
                .map_err(FeatureError::from)?,
        };
        self.current()?.add(source, feature)
    }

    /// With networks for a session without files, where commands name the one for the loaded game `trained`.
    pub fn with_networks(mut self, networks: Arc<[NeuralNetwork]>) -> Self {
        self.networks = SessionNetworks::new(networks);
        self
    }

    /// True if one of these networks has learned the loaded game.
    pub(crate) fn has_network(&mut self) -> bool {
        self.current.as_ref().is_some_and(|current| self.networks.of(&current.game).is_some())
    }

    /// A guide by the network of a file or folder that has learned the loaded game.
    pub(crate) fn neural_guide(&mut self, file: &str) -> Result<NeuralGuide, CommandError> {
        if self.directory.is_none() && file == TRAINED {
            let game = &self.current.as_ref().ok_or(CommandError::NoGame)?.game;
            return Ok(self.networks.of(game).ok_or_else(no_network)?.guide());
        }
        let path = self.path(file)?;
        Ok(find_network(&path, &self.current()?.game)?.network.guide())
    }

    /// A delete-relaxation heuristic for the loaded game.
    pub(crate) fn relaxed(
        &mut self,
        measure: Measure,
        goal: Option<Utility>,
    ) -> Result<RelaxedHeuristic, CommandError> {
        let interrupt = self.interrupt.flag();
        Ok(RelaxedHeuristic::new(&self.current()?.game.rules, measure, goal, interrupt)?)
    }

    /// The default budget of a command's searches: unlimited except by the interrupt and the deadline of the engine, if
    /// there is one. It resets the progress of the session and updates it.
    pub(crate) fn budget(&self) -> QuestionBudget {
        self.progress.reset();
        let budget = Budget::new().with_limits(&self.engine.limits).with_progress(self.progress.clone());
        QuestionBudget::new(budget, self.interrupt.clone())
    }

    /// The screen of the running analysis.
    pub fn screen(&self) -> Arc<Screen> {
        self.screen.clone()
    }

    /// The progress of the running search.
    pub fn progress(&self) -> Arc<SearchProgress> {
        self.progress.clone()
    }

    /// With counters that the caller has made.
    pub fn with_progress(self, progress: Arc<SearchProgress>) -> Self {
        Self { screen: Arc::new(Screen::announced_by(progress.clone())), progress, ..self }
    }
}

impl Session {
    /// A session with the engine and the interrupt of this one, and nothing else of it: no game, the first seed, files
    /// of `folder` or none, and texts that are found by their names. All its work has to be done in this time.
    pub(crate) fn apart(&self, folder: Option<&Path>, texts: Vec<Source>, time: Duration) -> Self {
        let flag = self.interrupt.flag();
        let fresh = folder.map_or_else(|| Self::without_files(flag.clone()), |folder| Self::new(folder, flag.clone()));
        // The engine is there before an answer is judged, so that the answer does not depend on the machine.
        let engine = EngineOptions { background: None, ..self.engine.clone() };
        let engine = engine.with_deadline(Deadline::after(time));
        Self { texts, outputs: SessionOutputs::Queued(OutputQueue::default()), ..fresh }.with_engine(engine)
    }

    /// Does work in a fork of the session, which has the same match and settings, but no lesson and no files of a
    /// solved game. Changes of the game, its rules, the position, the engine and the settings end with the fork. Files
    /// that it writes stay, and so does what it sets up for the same game, such as the network.
    pub fn in_fork<T>(&mut self, work: impl FnOnce(&mut Self) -> T) -> T {
        let mut fork = Self {
            directory: self.directory.clone(),
            texts: self.texts.clone(),
            outputs: self.outputs.clone(),
            saves: self.saves.clone(),
            engine: self.engine.clone(),
            interrupt: self.interrupt.clone(),
            progress: self.progress.clone(),
            screen: self.screen.clone(),
            current: self.current.as_mut().map(Match::fork),
            lesson: None,
            task: None,
            marks: Marks::default(),
            has_new_marks: false,
            remark: None,
            dialect: self.dialect,
            draws_boards: self.draws_boards,
            seed: self.seed,
            random: self.random.clone(),
            strategies: self.strategies.take(),
            networks: self.networks.clone(),
        };
        let done = work(&mut fork);
        self.strategies = fork.strategies;
        // What the fork has written may be replaced by the session, as its own files may.
        self.saves = fork.saves;
        if let (Some(current), Some(used)) = (&mut self.current, fork.current) {
            current.take_from(used);
        }
        done
    }
}

/// The rule sheets of the course, which layouts name.
fn sheets_of_course() -> Vec<Source> {
    let sheets = COURSE.iter().filter(|file| file.name.ends_with(".gdl"));
    sheets.map(|file| Source::new(file.name, file.text)).collect()
}

/// A lesson with its progress.
pub(crate) struct RunningLesson {
    pub(crate) lesson: Arc<Task>,
    /// The index of the step that is next.
    pub(crate) step: usize,
    /// The lines that have solved the steps before it.
    pub(crate) lines: Vec<String>,
    /// The match before the lesson began, which comes back when it ends.
    before: Option<Match>,
}

impl RunningLesson {
    /// The step that is next, as a page.
    pub(crate) fn page(&self) -> LessonPage {
        LessonPage::new(&self.lesson, self.step)
    }
}

impl Session {
    /// The lesson that runs, if one does.
    pub(crate) fn lesson(&self) -> Option<&RunningLesson> {
        self.lesson.as_ref()
    }

    /// Begins a lesson, without a game. A lesson or a task that runs ends; what was loaded before it is kept.
    pub(crate) fn begin_lesson(&mut self, lesson: Arc<Task>) {
        let current = self.current.take();
        let before = self.leave_course(current);
        self.lesson = Some(RunningLesson { lesson, step: 0, lines: Vec::new(), before });
    }

    /// Notes the line that has solved the step of the running lesson, and goes on to the next one.
    pub(crate) fn solve_step(&mut self, line: &str) {
        if let Some(running) = &mut self.lesson {
            running.lines.push(line.to_string());
            running.step += 1;
        }
    }

    /// Ends the running lesson. The match before it comes back; if there was none, the current one stays. Returns the
    /// lesson, and the name and ply of the match that is back.
    pub(crate) fn end_lesson(&mut self) -> Option<(RunningLesson, Option<(String, usize)>)> {
        let mut running = self.lesson.take()?;
        let before = running.before.take();
        let back = before.as_ref().map(|before| (before.game.name.clone(), before.ply()));
        if before.is_some() {
            self.current = before;
        }
        Some((running, back))
    }

    /// Notes the verdict on the last line.
    pub(crate) fn remark(&mut self, remark: LessonRemark) {
        self.remark = Some(remark);
    }

    /// Removes and returns the verdict of the running lesson on the last line.
    pub fn take_remark(&mut self) -> Option<LessonRemark> {
        self.remark.take()
    }
}
