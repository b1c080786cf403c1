//! Lessons: courses of a few steps at the prompt, each with a line to type and the conditions under which the step is
//! done. The texts are files in `src/repl/lesson/`; the command `learn` runs them.
//!
//! A file consists of blocks with empty lines between them. A block has lines `key: value`, and indented lines that
//! continue the value before them; lines that begin with `#` are comments. The first block describes the lesson:
//!
//! - `name`: one word, `title`: a few words, `about`: what it is for;
//! - `begin`: a line that is run before the first step, any number of them.
//!
//! Each block after it is a step:
//!
//! - `step`: what to do and why;
//! - `line`: a line that solves the step, which is shown;
//! - `hint`: the reply to a line that does not;
//! - one or more conditions, all of which must hold: `StepCondition`.

use super::answer::text::definitions;
use super::answer::{AnswerContent, TextStyle};
use gdl::suggestion::{did_you_mean_or, nearest};
use ggp_draw::fit::paragraph;
use serde::{Serialize, Serializer};
use std::sync::LazyLock;

/// A lesson of some steps. In JSON it is an entry of the list of lessons, without their lines.
#[derive(Debug, Serialize)]
pub struct Lesson {
    /// Its number, from 1.
    pub(crate) number: usize,
    /// One word.
    pub(crate) name: String,
    /// The name in a few words.
    pub(crate) title: String,
    /// Its purpose.
    pub(crate) about: String,
    /// The lines that are run before the first step.
    #[serde(skip)]
    pub(crate) begin: Vec<String>,
    /// The steps, in order. The list has their number.
    #[serde(serialize_with = "number_of")]
    pub(crate) steps: Vec<LessonTask>,
}

/// A step of a lesson.
#[derive(Debug)]
pub(crate) struct LessonTask {
    /// The task and its reason.
    pub(crate) text: String,
    /// A line that solves it.
    pub(crate) line: String,
    /// The reply to a line that does not solve it.
    pub(crate) hint: String,
    /// The conditions under which it is done.
    pub(crate) conditions: Vec<StepCondition>,
}

/// A condition under which a step is done.
#[derive(Debug)]
pub(crate) enum StepCondition {
    /// `uses: WORD…`: the line is this command, which may be abbreviated, or a query (`?-`), and contains the other
    /// words.
    Uses(String),
    /// `game: NAME`: this game is loaded.
    Game(String),
    /// `answer: VALUE`: the answer has this value, in the sense of `expect`; `true` and `false` for truth values.
    Answer(String),
    /// `count: N`: the answer has N items, in the sense of `expect count`.
    Count(String),
    /// `fails: E001`, `fails: "words"`: the line fails with this code, or with these words in its message.
    Fails(String),
    /// `then: LINE`: `expect LINE` is met after the line.
    Then(String),
}

impl LessonTask {
    /// True if the line that solves it fails.
    pub(crate) fn is_failure(&self) -> bool {
        self.conditions.iter().any(|condition| matches!(condition, StepCondition::Fails(_)))
    }
}

/// The texts, in the order of their numbers.
const TEXTS: &[&str] = &[
    include_str!("lesson/1_look_and_play.lesson"),
    include_str!("lesson/2_ask_and_why.lesson"),
    include_str!("lesson/3_search_alone.lesson"),
    include_str!("lesson/4_search_against_others.lesson"),
    include_str!("lesson/5_write_your_own_rules.lesson"),
];

/// The first mistake in the text of a lesson, with its line; `None` if the text is a lesson.
pub fn problem(text: &str) -> Option<String> {
    read(1, text).err()
}

/// All lessons, in order.
pub(crate) fn lessons() -> &'static [Lesson] {
    static LESSONS: LazyLock<Vec<Lesson>> = LazyLock::new(|| {
        let read = |(index, text): (usize, &&str)| {
            read(index + 1, text).unwrap_or_else(|problem| panic!("lesson {}: {problem}", index + 1))
        };
        TEXTS.iter().enumerate().map(read).collect()
    });
    &LESSONS
}

/// The lesson with this number or name; a message if there is none.
pub(crate) fn find(word: &str) -> Result<&'static Lesson, String> {
    let is_meant = |lesson: &&Lesson| lesson.name == word || word.parse() == Ok(lesson.number);
    lessons().iter().find(is_meant).ok_or_else(|| {
        let near = nearest(word, lessons().iter().map(|lesson| lesson.name.as_str()));
        format!("there is no lesson `{word}`{}", did_you_mean_or(&near, "; `learn` lists them"))
    })
}

/// The lesson in a text; a message with its line if the text is not one.
fn read(number: usize, text: &str) -> Result<Lesson, String> {
    let mut blocks = blocks(text)?.into_iter();
    let mut lesson = head(number, blocks.next().ok_or("the text is empty")?)?;
    lesson.steps = blocks.map(task).collect::<Result<_, _>>()?;
    match lesson.steps.is_empty() {
        true => Err("there are no steps".to_string()),
        false => Ok(lesson),
    }
}

/// A line `key: value`, with the lines that continue it.
struct KeyLine<'a> {
    line: usize,
    key: &'a str,
    value: String,
}

/// The blocks of entries with empty lines between them.
fn blocks(text: &str) -> Result<Vec<Vec<KeyLine<'_>>>, String> {
    let mut blocks: Vec<Vec<KeyLine>> = vec![Vec::new()];
    for (index, line) in text.lines().enumerate().filter(|(_, line)| !line.starts_with('#')) {
        let line_number = index + 1;
        let block = blocks.last_mut().expect("there is always one");
        if line.trim().is_empty() {
            if !block.is_empty() {
                blocks.push(Vec::new());
            }
        } else if line.starts_with(' ') {
            let entry = block.last_mut().ok_or_else(|| format!("line {line_number} continues nothing"))?;
            entry.value += &format!(" {}", line.trim());
        } else {
            let (key, value) =
                line.split_once(": ").ok_or_else(|| format!("line {line_number} is not of the form `key: value`"))?;
            block.push(KeyLine { line: line_number, key, value: value.trim().to_string() });
        }
    }
    // The text may end with an empty line, which begins a block without entries.
    blocks.retain(|block| !block.is_empty());
    Ok(blocks)
}

fn head(number: usize, entries: Vec<KeyLine<'_>>) -> Result<Lesson, String> {
    let name = String::new();
    let title = String::new();
    let about = String::new();
    let mut lesson = Lesson { number, name, title, about, begin: Vec::new(), steps: Vec::new() };
    for KeyLine { line, key, value } in entries {
        match key {
            "name" => lesson.name = value,
            "title" => lesson.title = value,
            "about" => lesson.about = value,
            "begin" => lesson.begin.push(value),
            _ => return Err(format!("line {line}: a lesson has no `{key}`")),
        }
    }
    let given = [("name", &lesson.name), ("title", &lesson.title), ("about", &lesson.about)];
    match given.iter().find(|(_, value)| value.is_empty()) {
        Some((key, _)) => Err(format!("`{key}` is missing")),
        None => Ok(lesson),
    }
}

fn task(entries: Vec<KeyLine<'_>>) -> Result<LessonTask, String> {
    let first = entries.first().map_or(0, |entry| entry.line);
    let mut task = LessonTask { text: String::new(), line: String::new(), hint: String::new(), conditions: Vec::new() };
    for KeyLine { line, key, value } in entries {
        match key {
            "step" => task.text = value,
            "line" => task.line = value,
            "hint" => task.hint = value,
            "uses" => task.conditions.push(StepCondition::Uses(value)),
            "game" => task.conditions.push(StepCondition::Game(value)),
            "answer" => task.conditions.push(StepCondition::Answer(value)),
            "count" => task.conditions.push(StepCondition::Count(value)),
            "fails" => task.conditions.push(StepCondition::Fails(value)),
            "then" => task.conditions.push(StepCondition::Then(value)),
            _ => return Err(format!("line {line}: a step has no `{key}`")),
        }
    }
    let given = [("step", &task.text), ("line", &task.line), ("hint", &task.hint)];
    match given.iter().find(|(_, value)| value.is_empty()) {
        Some((key, _)) => Err(format!("line {first}: the step has no `{key}`")),
        None if task.conditions.is_empty() => Err(format!("line {first}: the step has no condition")),
        None => Ok(task),
    }
}

/// The answer of `learn`.
#[derive(Clone, Debug, Serialize)]
#[serde(tag = "page", rename_all = "snake_case")]
pub enum LessonReply {
    /// All lessons.
    List {
        /// The lessons, in order.
        lessons: &'static [Lesson],
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
    /// The number of the lesson, from 1.
    pub(crate) lesson: usize,
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

/// Serializes the number of steps.
fn number_of<S: Serializer>(steps: &[LessonTask], serializer: S) -> Result<S::Ok, S::Error> {
    steps.len().serialize(serializer)
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

fn list(lessons: &[Lesson], width: usize) -> String {
    let row = |Lesson { number, name, title, about, steps, .. }: &Lesson| {
        (format!("{number} {name}"), format!("{title}: {about} ({} steps)", steps.len()))
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
