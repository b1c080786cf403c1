//! Lessons as text, wrapped between words at a width. The line to type is never broken.

use super::content::{AnswerContent, TextStyle};
use super::text::definitions;
use crate::fit::paragraph;
use crate::repl::lesson::{LessonEntry, LessonPage, LessonRemark, LessonReply};

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
