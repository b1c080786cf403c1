//! What a student has done of the course: a file of JSON, which the prompt, the page and `ggp course grade` read.

use serde::{Deserialize, Serialize};
use std::collections::BTreeMap;

/// The first field of a file of marks, by which it is known.
const VERSION: u32 = 1;

/// The marks of a student.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Marks {
    /// The version of the format.
    ggp_course: u32,
    /// The marks by the names of the tasks.
    pub tasks: BTreeMap<String, TaskMark>,
}

/// The mark of a student for a task.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct TaskMark {
    /// True if an answer was right.
    pub right: bool,
    /// The number of answers, up to the first right one.
    pub tries: u32,
    /// The number of hints that were shown before the first right answer.
    pub hints: u32,
    /// True if the solution was shown before the first right answer.
    #[serde(default)]
    pub shown: bool,
    /// The last answer, or the first right one.
    pub answer: String,
}

impl Default for Marks {
    fn default() -> Self {
        Self { ggp_course: VERSION, tasks: BTreeMap::new() }
    }
}

impl Marks {
    /// Reads a file of marks.
    ///
    /// # Errors
    /// A message, if the text is none.
    pub fn read(text: &str) -> Result<Self, String> {
        let marks: Self = serde_json::from_str(text).map_err(|error| format!("this is no file of marks: {error}"))?;
        match marks.ggp_course {
            VERSION => Ok(marks),
            other => Err(format!("these marks have the version {other}, and this program reads {VERSION}")),
        }
    }

    /// The text of its file.
    pub fn text(&self) -> String {
        serde_json::to_string_pretty(self).expect("marks are texts and numbers") + "\n"
    }

    /// The mark of a task; the empty one if it has none.
    pub fn of(&self, task: &str) -> TaskMark {
        self.tasks.get(task).cloned().unwrap_or_default()
    }

    /// Notes an answer. After a right one, nothing changes.
    pub fn note_answer(&mut self, task: &str, answer: &str, is_right: bool) {
        self.change(task, |mark| {
            mark.tries += 1;
            mark.right = is_right;
            mark.answer = answer.to_string();
        });
    }

    /// Notes that hints up to this number were shown.
    pub fn note_hints(&mut self, task: &str, hints: u32) {
        self.change(task, |mark| mark.hints = mark.hints.max(hints));
    }

    /// Notes that the solution was shown.
    pub fn note_solution(&mut self, task: &str) {
        self.change(task, |mark| mark.shown = true);
    }

    fn change(&mut self, task: &str, change: impl FnOnce(&mut TaskMark)) {
        let mark = self.tasks.entry(task.to_string()).or_default();
        if !mark.right {
            change(mark);
        }
    }
}
