//! The course for a page: the list of tasks, a task, the judgement of an answer, a solution. The page keeps the marks.

use super::value_or_error;
use crate::repl::command::course::{Judgement, TaskPage, TaskRow, draft, judge, solution};
use crate::repl::course::{Marks, Task, find_tasks, tasks};
use crate::repl::render::json;
use crate::repl::{CommandError, Session};
use serde::Serialize;
use std::sync::Arc;

/// All tasks, in the order of the course.
pub(super) fn list() -> String {
    let marks = Marks::default();
    let rows: Vec<TaskRow> = tasks().iter().map(|task| TaskRow::new(task, &marks)).collect();
    json(&serde_json::json!({ "tasks": rows, "marks": marks }))
}

/// A task with its hints, and with the text that a student begins with.
#[derive(Serialize)]
struct OpenedTask {
    #[serde(flatten)]
    page: TaskPage,
    hints: Vec<String>,
    draft: String,
}

/// A task for who does it.
pub(super) fn open(session: &Session, name: &str) -> String {
    value_or_error(
        "task",
        (|| {
            let task = find(name)?;
            Ok(OpenedTask { page: TaskPage::new(session, &task), hints: task.hints.clone(), draft: draft(&task)? })
        })(),
    )
}

/// The judgement of an answer, with the command that computes a right one.
pub(super) fn judged(session: &Session, name: &str, answer: &str) -> String {
    value_or_error(
        "judged",
        (|| {
            let task = find(name)?;
            let Judgement { is_right, text } = judge(session, &task, answer)?;
            let command = task.command.as_ref().filter(|_| is_right);
            Ok(serde_json::json!({ "right": is_right, "text": text, "command": command }))
        })(),
    )
}

/// A right answer, with the command that computes it.
pub(super) fn solved(session: &Session, name: &str) -> String {
    value_or_error(
        "solution",
        (|| {
            let task = find(name)?;
            Ok(serde_json::json!({ "text": solution(session, &task)?, "command": task.command }))
        })(),
    )
}

fn find(name: &str) -> Result<Arc<Task>, CommandError> {
    let mut found = find_tasks(name).map_err(CommandError::refused)?;
    Ok(found.swap_remove(0))
}
