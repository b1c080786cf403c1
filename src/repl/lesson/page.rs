//! Lessons as values for answers: the list, the step that is next, and what is said of a line.

use super::{Lesson, lessons};
use serde::Serialize;

/// The answer of `learn`.
#[derive(Clone, Debug, Serialize)]
#[serde(tag = "page", rename_all = "snake_case")]
pub enum LessonReply {
    /// All lessons.
    List {
        /// The lessons, in order.
        lessons: Vec<LessonEntry>,
        /// The step that is next, if a lesson is running.
        #[serde(skip_serializing_if = "Option::is_none")]
        running: Option<LessonPage>,
    },
    /// A lesson begins, or a step is shown again.
    Step(LessonPage),
    /// A step is left out.
    Skipped {
        /// The line that solves it.
        line: String,
        /// What follows.
        #[serde(flatten)]
        then: LessonRemark,
    },
    /// The lesson is left.
    Left {
        /// Its title.
        title: String,
        /// The game and ply that are loaded again; `None` if no game was loaded before the lesson.
        back: Option<(String, usize)>,
    },
}

/// A lesson in the list.
#[derive(Clone, Debug, Serialize)]
pub struct LessonEntry {
    /// Its number, from 1.
    pub(crate) number: usize,
    /// One word.
    pub(crate) name: String,
    /// The name in a few words.
    pub(crate) title: String,
    /// What it is for.
    pub(crate) about: String,
    /// The number of its steps.
    pub(crate) steps: usize,
}

/// The step of a lesson that is next.
#[derive(Clone, Debug, Serialize)]
pub struct LessonPage {
    /// The number of the lesson, from 1.
    pub(crate) lesson: usize,
    /// Its title.
    pub(crate) title: String,
    /// The number of the step, from 1.
    pub step: usize,
    /// The number of steps.
    pub of: usize,
    /// What to do and why.
    pub(crate) text: String,
    /// What to type.
    pub line: String,
}

/// What is said of a line that was typed in a lesson.
#[derive(Clone, Debug, Serialize)]
#[serde(tag = "verdict", rename_all = "snake_case")]
pub enum LessonRemark {
    /// The line solved the step; this one is next.
    Next(LessonPage),
    /// The line did not solve the step.
    NotYet {
        /// What to do instead.
        hint: String,
        /// The step that is still next.
        page: LessonPage,
    },
    /// The line solved the last step.
    Finished {
        /// The number of the lesson.
        lesson: usize,
        /// Its title.
        title: String,
        /// The number of lessons.
        of: usize,
        /// The game and ply that are loaded again; `None` if no game was loaded before the lesson.
        back: Option<(String, usize)>,
    },
}

impl LessonEntry {
    /// The entries of all lessons.
    pub(crate) fn all() -> Vec<Self> {
        let entry = |lesson: &Lesson| Self {
            number: lesson.number,
            name: lesson.name.clone(),
            title: lesson.title.clone(),
            about: lesson.about.clone(),
            steps: lesson.steps.len(),
        };
        lessons().iter().map(entry).collect()
    }
}

impl Lesson {
    /// The step with this index as a page.
    pub(crate) fn page(&self, index: usize) -> LessonPage {
        let task = &self.steps[index];
        LessonPage {
            lesson: self.number,
            title: self.title.clone(),
            step: index + 1,
            of: self.steps.len(),
            text: task.text.clone(),
            line: task.line.clone(),
        }
    }
}
