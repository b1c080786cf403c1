//! The course as tasks: files that teachers write, judged by the engine. `task` reads them, `marks` keeps what a student
//! has done. The judge and the commands are in `command/course.rs`.

pub(super) mod marks;
pub(super) mod task;

pub use marks::{Marks, TaskMark};
pub use task::{Task, TaskError, TaskKind};

use gdl::source::Source;
use gdl::suggestion::{did_you_mean_or, nearest};
use ggp_engine::COURSE;
use std::collections::BTreeSet;
#[cfg(feature = "cli")]
use std::path::PathBuf;
use std::sync::{Arc, LazyLock};

/// The folder of the tasks among the files of the course, and the end of their names.
pub(super) const FOLDER: &str = "course/tasks/";
pub(super) const EXTENSION: &str = ".task";

/// All tasks of the program, in the order of the sections of the course.
pub fn tasks() -> &'static [Arc<Task>] {
    static TASKS: LazyLock<Vec<Arc<Task>>> = LazyLock::new(|| {
        let files = COURSE.iter().filter(|file| file.name.starts_with(FOLDER) && file.name.ends_with(EXTENSION));
        let mut tasks: Vec<Arc<Task>> = files
            .map(|file| {
                let source = Source::new(file.name, file.text);
                let task = Task::read(&source, None);
                Arc::new(task.unwrap_or_else(|error| panic!("{}: {}", file.name, error.mistake.problem)))
            })
            .collect();
        // The names are sorted already, and the sort is stable. What is written takes longest.
        gdl::sorting::sort_by_key(&mut tasks, |task| (task.place(), task.is_written()));
        tasks
    });
    &TASKS
}

/// The tasks that a word names: one by its name, or all of a section (`S3.7`).
///
/// # Errors
/// A message, if there is none.
pub fn find_tasks(word: &str) -> Result<Vec<Arc<Task>>, String> {
    let is_meant = |task: &&Arc<Task>| task.name == word || task.section.eq_ignore_ascii_case(word);
    let found: Vec<Arc<Task>> = tasks().iter().filter(is_meant).cloned().collect();
    if found.is_empty() {
        let names: BTreeSet<&str> =
            tasks().iter().flat_map(|task| [task.name.as_str(), task.section.as_str()]).collect();
        let near = nearest(word, names);
        return Err(format!("there is no task `{word}`{}", did_you_mean_or(&near, "; `course` lists them")));
    }
    Ok(found)
}

/// The file with the marks of who uses this machine, if the platform has a folder for it.
#[cfg(feature = "cli")]
pub(crate) fn marks_file() -> Option<PathBuf> {
    Some(directories::ProjectDirs::from("", "", "ggp")?.data_dir().join("course.json"))
}
