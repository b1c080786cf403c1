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
//! - `hint`: what is said after a line that does not;
//! - one or more conditions, all of which must hold: `StepCondition`.

mod page;
mod text;

pub(super) use page::remark_text;
pub use page::{LessonEntry, LessonPage, LessonRemark, LessonReply};

use gdl::suggestion::{did_you_mean_or, nearest};
use std::sync::LazyLock;

/// A lesson of some steps.
#[derive(Debug)]
pub(crate) struct Lesson {
    /// Its number, from 1.
    pub(crate) number: usize,
    /// One word.
    pub(crate) name: String,
    /// The name in a few words.
    pub(crate) title: String,
    /// What it is for.
    pub(crate) about: String,
    /// The lines that are run before the first step.
    pub(crate) begin: Vec<String>,
    /// The steps, in order.
    pub(crate) steps: Vec<LessonTask>,
}

/// A step of a lesson.
#[derive(Debug)]
pub(crate) struct LessonTask {
    /// What to do and why.
    pub(crate) text: String,
    /// A line that solves it.
    pub(crate) line: String,
    /// What is said after a line that does not solve it.
    pub(crate) hint: String,
    /// When it is done.
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
    /// Whether the line that solves it fails.
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

/// What is wrong with the text of a lesson, with the line; `None` if it is one.
pub fn problem(text: &str) -> Option<String> {
    text::read(1, text).err()
}

/// All lessons, in order.
pub(crate) fn lessons() -> &'static [Lesson] {
    static LESSONS: LazyLock<Vec<Lesson>> = LazyLock::new(|| {
        let read = |(index, text): (usize, &&str)| {
            text::read(index + 1, text).unwrap_or_else(|problem| panic!("lesson {}: {problem}", index + 1))
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
