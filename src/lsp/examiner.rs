//! The examiner: finds in a thread of its own what only play shows about a sheet, namely the problems that `ggp check`
//! finds, and the values that arguments can take.
//!
//! It begins when a text has not changed for a while, and stops when the text changes.

use gdl::diagnostic::Diagnostic;
use gdl::language::Subject;
use gdl::quantity::counted_as;
use gdl::rules::{GroundTerm, Keyword};
use gdl::syntax::Source;
use ggp_engine::ground::{AtomKind, GroundBudget, ground};
use ggp_engine::{EngineOptions, ExamineError, Game, PlayAmount, examine};
use ggp_game::threads::{self, NoThread};
use lsp_types::Uri;
use std::collections::{BTreeSet, HashMap};
use std::fmt::Write;
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::mpsc::{Receiver, Sender, channel};
use std::thread;
use std::time::{Duration, Instant};

/// Time without changes before a text is examined.
const PAUSE: Duration = Duration::from_millis(200);

/// A version of a text to examine; `stop` gives it up.
struct ExaminationTask {
    uri: Uri,
    version: i32,
    name: String,
    source: Source,
    stop: Arc<AtomicBool>,
}

/// Result of one step of an examination.
pub(super) enum Finding {
    /// All problems of the text; `None` if the examination failed.
    Problems(Option<Vec<Diagnostic>>),
    /// The values that the arguments of relations, facts and moves can take.
    Values(GameValues),
}

/// A finding about a version of a text.
pub(super) struct Examination {
    pub(super) uri: Uri,
    pub(super) version: i32,
    pub(super) finding: Finding,
}

/// Handle of the examiner in the thread of the server. When it is dropped, all examinations stop.
pub(super) struct Examiner {
    tasks: Sender<ExaminationTask>,
    /// The texts that are examined or wait for it, with their stop flags. Examinations that have ended stay listed until
    /// the text changes.
    running: Vec<(Uri, Arc<AtomicBool>)>,
}

impl Examiner {
    /// Starts the thread. `tell` passes a finding to the server; it returns false if the server has ended.
    ///
    /// # Errors
    /// If the system starts no thread.
    pub(super) fn start(tell: impl Fn(Examination) -> bool + Send + 'static) -> Result<Self, NoThread> {
        let (tasks, received) = channel();
        threads::start(move || work(&received, &tell))?;
        Ok(Self { tasks, running: Vec::new() })
    }

    /// Examines a version of a text, and stops the examination of any other version.
    pub(super) fn examine(&mut self, uri: Uri, version: i32, name: String, source: Source) {
        self.stop(&uri);
        let stop = Arc::new(AtomicBool::new(false));
        self.running.push((uri.clone(), stop.clone()));
        // If the thread is gone, the problems that need play are not found.
        let _ = self.tasks.send(ExaminationTask { uri, version, name, source, stop });
    }

    /// Stops the examination of a text.
    pub(super) fn stop(&mut self, uri: &Uri) {
        self.running.retain(|(other, stop)| {
            let is_it = other == uri;
            if is_it {
                stop.store(true, Ordering::Relaxed);
            }
            !is_it
        });
    }
}

impl Drop for Examiner {
    fn drop(&mut self) {
        self.running.iter().for_each(|(_, stop)| stop.store(true, Ordering::Relaxed));
    }
}

fn work(tasks: &Receiver<ExaminationTask>, tell: &dyn Fn(Examination) -> bool) {
    while let Ok(task) = tasks.recv() {
        if !is_unchanged_for_a_while(&task.stop) {
            continue;
        }
        // A panic ends only this examination; the problems that need no play are shown in any case.
        if let Ok(false) = catch_unwind(AssertUnwindSafe(|| examine_one(&task, tell))) {
            return;
        }
    }
}

/// Waits for [`PAUSE`]; false if the text changes meanwhile.
fn is_unchanged_for_a_while(stop: &AtomicBool) -> bool {
    let begun = Instant::now();
    while begun.elapsed() < PAUSE {
        if stop.load(Ordering::Relaxed) {
            return false;
        }
        thread::sleep(Duration::from_millis(10));
    }
    true
}

/// Examines a text and passes the findings to the server; false if the server has ended.
fn examine_one(task: &ExaminationTask, tell: &dyn Fn(Examination) -> bool) -> bool {
    let report = |finding| Examination { uri: task.uri.clone(), version: task.version, finding };
    let options = EngineOptions::default().with_interrupt(task.stop.clone());
    match examine(task.name.clone(), &task.source, None, options, PlayAmount::FixedWork) {
        Ok(examined) => {
            let is_heard = tell(report(Finding::Problems(Some(examined.diagnostics))));
            let found = examined.game.map(|mut game| values(&mut game, &task.stop));
            is_heard && found.is_none_or(|found| tell(report(Finding::Values(found))))
        }
        Err(_) if task.stop.load(Ordering::Relaxed) => true,
        Err(
            ExamineError::Reason(_) | ExamineError::Load(_) | ExamineError::Engine(_) | ExamineError::Simulation(_),
        ) => tell(report(Finding::Problems(None))),
    }
}

/// Time limit on grounding a game for its values.
const GROUNDING: Duration = Duration::from_secs(2);

/// Maximum number of values of an argument that a description lists.
const LISTED: usize = 12;

/// The values that the arguments of each name of a game can take, for descriptions.
#[derive(Default)]
pub(super) struct GameValues(HashMap<Subject, NameValues>);

/// The ground instances of one name.
#[derive(Default)]
struct NameValues {
    count: usize,
    /// The values of each argument, at most one more than are listed.
    arguments: Vec<BTreeSet<GroundTerm>>,
}

impl GameValues {
    /// The values of a name in Markdown; `None` if none are known.
    pub(super) fn text(&self, subject: &Subject) -> Option<String> {
        let instances = self.0.get(subject)?;
        let mut text = format!("can be: {}", counted_as(instances.count as u64, "instance", "instances"));
        for (at, values) in instances.arguments.iter().enumerate() {
            let listed: Vec<String> = values.iter().take(LISTED).map(|value| format!("`{value}`")).collect();
            let more = if values.len() > LISTED { " …" } else { "" };
            let _ = write!(text, "\n{}. {}{more}", at + 1, listed.join(", "));
        }
        Some(text)
    }

    fn add(&mut self, name: &str, arguments: &[GroundTerm], is_relation: bool) {
        let subject = Subject { name: name.to_string(), arity: arguments.len(), is_relation };
        let instances = self.0.entry(subject).or_default();
        instances.count += 1;
        instances.arguments.resize_with(arguments.len(), BTreeSet::new);
        for (values, argument) in instances.arguments.iter_mut().zip(arguments) {
            if values.len() <= LISTED {
                values.insert(argument.clone());
            }
        }
    }
}

/// The values of a game, from its facts and its ground rules; from its facts alone if grounding takes too long.
fn values(game: &mut Game, stop: &Arc<AtomicBool>) -> GameValues {
    let mut values = GameValues::default();
    add_facts(game, &mut values);
    let budget = GroundBudget::new().with_interrupt(stop.clone()).with_time(GROUNDING);
    let Ok(grounding) = ground(&game.rules, &budget) else { return values };
    let mut moves = BTreeSet::new();
    for atom in &grounding.atoms {
        match atom.kind {
            AtomKind::True => values.add(&atom.term.name, &atom.term.arguments, false),
            AtomKind::Does(_) | AtomKind::Legal(_) => drop(moves.insert(atom.term.clone())),
            AtomKind::View => values.add(&atom.term.name, &atom.term.arguments, true),
            AtomKind::Next | AtomKind::Goal(_) | AtomKind::Terminal | AtomKind::Feature => {}
        }
    }
    for chosen in moves {
        values.add(&chosen.name, &chosen.arguments, false);
    }
    values
}

/// Adds the relations whose clauses are all facts, other than keywords.
fn add_facts(game: &Game, values: &mut GameValues) {
    let rules = &game.rules;
    let ruled: BTreeSet<_> =
        rules.clauses.iter().filter(|clause| !clause.body.is_empty()).map(|clause| clause.head.relation).collect();
    for clause in &game.sheet.clauses {
        let name = &clause.head.relation.text;
        let arity = clause.head.arguments.len();
        let is_ruled = rules.find_relation(name, arity).is_none_or(|relation| ruled.contains(&relation));
        let arguments: Option<Vec<_>> = clause.head.arguments.iter().map(GroundTerm::from_term).collect();
        if let Some(arguments) = arguments
            && !is_ruled
            && Keyword::from_name(name).is_none()
        {
            values.add(name, &arguments, true);
        }
    }
}
