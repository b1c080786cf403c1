//! The answer of `learn`, and what a lesson says of a line: values, their JSON, and their text, wrapped between words at a
//! width. The line to type is never broken.

use super::{Lesson, lessons};
use crate::repl::answer::content::{AnswerContent, TextStyle};
use crate::repl::answer::text::definitions;
use ggp_draw::fit::paragraph;
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

/// What is said below the list of lessons.
const ABOUT: &str = "`learn N` begins one. Whoever takes a course finds it item by item, with commands and exercises, in \
    docs/course/README.md of the sources.";

impl AnswerContent for LessonReply {
    fn kind(&self) -> &'static str {
        "lesson"
    }

    fn text(&self, style: &TextStyle<'_>) -> String {
        let width = style.width;
        match self {
            Self::List { lessons, running } => list(lessons, width) + &running_text(running.as_ref(), width),
            Self::Step(page) => {
                let about = "Other commands work as always; `learn next` leaves out a step, `learn off` the lesson.";
                let first = if page.step == 1 { paragraph(about, "", "", width) } else { String::new() };
                title(page, width) + &first + &step(page, width)
            }
            Self::Skipped { line, then } => {
                paragraph(&format!("left out: `{line}`"), "", "  ", width) + &remark_text(then, width)
            }
            Self::Left { title, back } => {
                paragraph(&format!("the lesson \"{title}\" is left{}", back_text(back.as_ref())), "", "  ", width)
            }
        }
    }
}

/// What is said after the answer to a line, with an empty line before it.
pub(in crate::repl) fn remark_text(remark: &LessonRemark, width: usize) -> String {
    let text = match remark {
        LessonRemark::Next(page) => step(page, width),
        LessonRemark::NotYet { hint, page } => {
            let text = format!("not yet (step {} of {}): {hint}", page.step, page.of);
            paragraph(&text, "", "  ", width) + &typed(page)
        }
        LessonRemark::Finished { lesson, title, of, back } => {
            let next = match lesson + 1 {
                next if next <= *of => format!("; `learn {next}` is the next one"),
                _ => "; it was the last one".to_string(),
            };
            paragraph(&format!("the lesson \"{title}\" is done{}{next}", back_text(back.as_ref())), "", "  ", width)
        }
    };
    format!("\n{text}")
}

fn list(lessons: &[LessonEntry], width: usize) -> String {
    let row = |entry: &LessonEntry| {
        let LessonEntry { number, name, title, about, steps } = entry;
        (format!("{number} {name}"), format!("{title}: {about} ({steps} steps)"))
    };
    definitions(lessons.iter().map(row), 0, width) + &paragraph(ABOUT, "", "", width)
}

fn running_text(running: Option<&LessonPage>, width: usize) -> String {
    running.map_or(String::new(), |page| format!("\n{}{}", title(page, width), step(page, width)))
}

fn title(LessonPage { lesson, title, .. }: &LessonPage, width: usize) -> String {
    paragraph(&format!("lesson {lesson}: {title}"), "", "  ", width)
}

fn step(page: &LessonPage, width: usize) -> String {
    let heading = format!("step {} of {}: ", page.step, page.of);
    paragraph(&page.text, &heading, "  ", width) + &typed(page)
}

fn typed(page: &LessonPage) -> String {
    format!("  type: {}\n", page.line)
}

fn back_text(back: Option<&(String, usize)>) -> String {
    back.map_or(String::new(), |(game, ply)| format!("; {game} is back, at ply {ply}"))
}
