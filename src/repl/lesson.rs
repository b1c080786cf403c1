//! Lessons: tasks of a few lines at the prompt, each with the conditions under which it is done. The command `learn` runs
//! them: what it says of a lesson, of its steps and of a line.

use super::answer::text::definitions;
use super::answer::{AnswerContent, TextStyle};
use super::course::{Task, tasks};
use gdl::suggestion::{did_you_mean_or, nearest};
use ggp_draw::fit::paragraph;
use serde::Serialize;
use std::sync::Arc;

/// All lessons of the program, in order.
pub(crate) fn lessons() -> impl Iterator<Item = &'static Arc<Task>> {
    tasks().iter().filter(|task| task.is_lesson())
}

/// The lesson with this number or name; a message if there is none.
pub(crate) fn find(word: &str) -> Result<&'static Arc<Task>, String> {
    let mut numbered = lessons().zip(1..);
    let found = numbered.find(|(lesson, number)| lesson.name == word || word.parse() == Ok(*number));
    found.map(|(lesson, _)| lesson).ok_or_else(|| {
        let near = nearest(word, lessons().map(|lesson| lesson.name.as_str()));
        format!("there is no lesson `{word}`{}", did_you_mean_or(&near, "; `learn` lists them"))
    })
}

/// A lesson in a list.
#[derive(Clone, Debug, Serialize)]
pub struct LessonRow {
    /// Its number, from 1.
    number: usize,
    /// One word.
    name: String,
    /// The name in a few words.
    title: String,
    /// Its purpose.
    about: String,
    /// The number of its steps.
    steps: usize,
}

/// The rows of all lessons.
pub(crate) fn lesson_rows() -> Vec<LessonRow> {
    let row = |(number, lesson): (usize, &'static Arc<Task>)| LessonRow {
        number,
        name: lesson.name.clone(),
        title: lesson.title.clone(),
        about: lesson.question.clone(),
        steps: lesson.steps().len(),
    };
    (1..).zip(lessons()).map(row).collect()
}

/// The answer of `learn`.
#[derive(Clone, Debug, Serialize)]
#[serde(tag = "page", rename_all = "snake_case")]
pub enum LessonReply {
    /// All lessons.
    List {
        /// The lessons, in order.
        lessons: Vec<LessonRow>,
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
        /// The step that follows, or the end of the lesson.
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

/// The step of a lesson that is next.
#[derive(Clone, Debug, Serialize)]
pub struct LessonPage {
    /// The name of the lesson.
    pub(crate) lesson: String,
    pub(crate) title: String,
    /// The number of the step, from 1.
    pub step: usize,
    /// The number of steps.
    pub of: usize,
    /// The task and its reason.
    pub(crate) text: String,
    /// A line that solves it.
    pub line: String,
}

/// Verdict on a line that was typed in a lesson.
#[derive(Clone, Debug, Serialize)]
#[serde(tag = "verdict", rename_all = "snake_case")]
pub enum LessonRemark {
    /// The line solved the step; this one is next.
    Next(LessonPage),
    /// The line did not solve the step.
    NotYet {
        /// Advice for another line.
        hint: String,
        /// True if the line was one of the command that the step asks for, which counts as a try.
        is_try: bool,
        /// The step that is still next.
        page: LessonPage,
    },
    /// The line solved the last step.
    Finished {
        /// The name of the lesson.
        lesson: String,
        /// Its title.
        title: String,
        /// The lines that have solved its steps, as an answer to the task.
        answer: String,
        /// The name of the lesson after it, if there is one.
        next: Option<String>,
        /// The game and ply that are loaded again; `None` if no game was loaded before the lesson.
        back: Option<(String, usize)>,
    },
}

impl LessonPage {
    /// The step of a lesson with this index.
    pub(crate) fn new(lesson: &Task, index: usize) -> Self {
        let step = &lesson.steps()[index];
        Self {
            lesson: lesson.name.clone(),
            title: lesson.title.clone(),
            step: index + 1,
            of: lesson.steps().len(),
            text: step.text.clone(),
            line: step.line.clone(),
        }
    }
}

/// The text below the list of lessons.
const ABOUT: &str = "`learn N` begins one. `course` lists them with tasks on search and games, which the engine judges. Whoever \
    takes a course finds it item by item in docs/course/README.md of the sources.";

impl AnswerContent for LessonReply {
    fn kind(&self) -> &'static str {
        "lesson"
    }

    fn text(&self, style: &TextStyle<'_>) -> String {
        let width = style.width;
        match self {
            Self::List { lessons, running } => list(lessons, width) + &running_text(running.as_ref(), width),
            Self::Step(page) => {
                let about = "Other commands work as always. `learn next` leaves out a step; `learn off` ends the lesson and \
                    brings back the game before it.";
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

/// The verdict as text, with an empty line before it.
pub(super) fn remark_text(remark: &LessonRemark, width: usize) -> String {
    let text = match remark {
        LessonRemark::Next(page) => step(page, width),
        LessonRemark::NotYet { hint, page, .. } => {
            let text = format!("not yet (step {} of {}): {hint}", page.step, page.of);
            paragraph(&text, "", "  ", width) + &typed(page)
        }
        LessonRemark::Finished { title, next, back, .. } => {
            let next = match next {
                Some(next) => format!("; `learn {next}` is the next one"),
                None => "; it was the last one".to_string(),
            };
            paragraph(&format!("the lesson \"{title}\" is done{}{next}", back_text(back.as_ref())), "", "  ", width)
        }
    };
    format!("\n{text}")
}

fn list(lessons: &[LessonRow], width: usize) -> String {
    let row = |LessonRow { number, name, title, about, steps }: &LessonRow| {
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
