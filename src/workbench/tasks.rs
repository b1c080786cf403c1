//! The course for a page: the list of tasks, a task, the judgement of an answer, a solution. The page keeps the marks.

use crate::repl::command::course::{Judgement, TaskPage, TaskRow, computed, draft, judge, solution};
use crate::repl::course::{Marks, Task, find_tasks, tasks};
use crate::repl::render::{self, json};
use crate::repl::{CommandError, Session};
use gdl::diagnostic::render::Paint;
use gdl::source::Source;
use serde::{Deserialize, Serialize};
use std::sync::Arc;
use std::time::Duration;

/// The greatest time that a judge takes for a task of a page.
const LONGEST: Duration = Duration::from_secs(60);

/// A task that a page asks about.
#[derive(Debug, Deserialize)]
pub struct NamedTask {
    /// The name of a task of the program, or of a file without its extension.
    name: String,
    /// The text of the file, for a task that is none of the program.
    #[serde(default)]
    text: Option<String>,
}

/// A task with its hints, and with the text that a student begins with.
#[derive(Serialize)]
struct OpenedTask {
    #[serde(flatten)]
    page: TaskPage,
    hints: Vec<String>,
    draft: String,
}

/// All lessons and tasks, in the order of the course.
pub(super) fn list() -> String {
    let marks = Marks::default();
    let rows: Vec<TaskRow> = tasks().iter().map(|task| TaskRow::new(task, &marks)).collect();
    json(&serde_json::json!({ "tasks": rows, "marks": marks }))
}

impl NamedTask {
    /// The task for who does it.
    pub(super) fn open(&self, session: &Session) -> String {
        self.answer("task", |task| {
            Ok(OpenedTask { page: TaskPage::new(session, task), hints: task.hints.clone(), draft: draft(task)? })
        })
    }

    /// The judgement of an answer, with the command that computes a right one.
    pub(super) fn judged(&self, session: &Session, answer: &str) -> String {
        self.answer("judged", |task| {
            let Judgement { is_right, text } = judge(session, task, answer)?;
            let command = task.command.as_ref().filter(|_| is_right);
            Ok(serde_json::json!({ "right": is_right, "text": text, "command": command }))
        })
    }

    /// A right answer, with the command that computes it.
    pub(super) fn solved(&self, session: &Session) -> String {
        self.answer("solution", |task| {
            Ok(serde_json::json!({ "text": solution(session, task)?, "command": task.command }))
        })
    }

    /// What the command of the task answers in its position, as text.
    pub(super) fn computed(&self, session: &Session) -> String {
        self.answer("computed", |task| Ok(serde_json::json!({ "text": computed(session, task)? })))
    }

    /// An object with what is asked of the task under this name, or with the error.
    fn answer<T: Serialize>(&self, name: &str, ask: impl FnOnce(&Task) -> Result<T, CommandError>) -> String {
        match self.find() {
            Ok(task) => match ask(&task) {
                Ok(value) => json(&serde_json::json!({ name: value })),
                Err(error) => json(&serde_json::json!({ "error": described(&error) })),
            },
            Err(problem) => json(&serde_json::json!({ "error": problem })),
        }
    }

    /// The task; mistakes of a file have their places.
    fn find(&self) -> Result<Arc<Task>, String> {
        let Some(text) = &self.text else { return Ok(find_tasks(&self.name)?.swap_remove(0)) };
        let source = Source::new(format!("{}.task", self.name), text.as_str());
        match Task::read(&source, None) {
            Ok(task) => Ok(Arc::new(Task { time: task.time.min(LONGEST), ..task })),
            Err(error) => Err(described(&CommandError::from(error))),
        }
    }
}

/// An error in words; one of a text has its place.
fn described(error: &CommandError) -> String {
    let text = render::error(error, Paint::Plain);
    text.trim_end().trim_start_matches("error: ").to_string()
}
