//! The file of a task: `SETTING = VALUE` on each line.
//!
//! ```text
//! % The first tree of the lecture.
//! title = The value of a tree
//! section = S3.4
//! game = [[3 12 8] [2 4 6] [14 5 2]]
//! question = What is the tree worth to max?
//! kind = number
//! command = minimax
//! hint = Begin with the three min nodes.
//! wrong = 14
//! ```
//!
//! docs/course/tasks.md explains the settings. Nothing in a file is the right answer: `command`, or the conditions
//! (`must`, `when`), have the engine compute it.

mod lines;

use gdl::settings::{SettingMistake, TextPart, settings};
use gdl::source::Source;
use lines::TaskLines;
use serde::Serialize;
use std::path::{Path, PathBuf};
use std::time::Duration;

/// A task of the course.
#[derive(Clone, Debug)]
pub struct Task {
    /// The name of its file, without the extension.
    pub name: String,
    /// A few words.
    pub title: String,
    /// The item of the course where it stands: `S3.7`.
    pub section: String,
    /// The game that is loaded for it: a game of the library, a file, or a tree in brackets.
    pub game: Option<String>,
    /// Lines of the prompt that lead from the initial state to the position.
    pub begin: Vec<String>,
    /// The question.
    pub question: String,
    /// The kind of answer, and how it is judged.
    pub kind: TaskKind,
    /// Hints, one after another.
    pub hints: Vec<String>,
    /// The command that computes the answer.
    pub command: Option<String>,
    /// A right answer, for kinds whose answer no command gives: a text, or the name of a file with it.
    pub solution: Option<String>,
    /// The file with the text that a student begins with, for answers that are written.
    pub draft: Option<String>,
    /// Answers that the judge has to refuse: texts, or names of files.
    pub wrong: Vec<String>,
    /// The time that the judge may take.
    pub time: Duration,
    /// The folder of the file, in which other files are looked up; `None` for a task of the program.
    pub folder: Option<PathBuf>,
}

/// The kind of answer of a task.
#[derive(Clone, Debug)]
pub enum TaskKind {
    /// A move that keeps the value of the position, as the command computes it.
    Move,
    /// The moves of one player, as `plan check` judges them.
    Plan {
        /// The properties that the plan must have, or must not have.
        wants: Vec<PlanWish>,
    },
    /// A number of the command's answer.
    Number {
        /// The path of the number in the JSON of the answer; without it, the value.
        field: Option<String>,
    },
    /// The leaves of the tree that the command does not visit.
    Cut,
    /// The nodes of the tree in the order in which the command comes to them.
    Order {
        /// The event that counts as coming to a node.
        event: NodeEvent,
    },
    /// The value of each inner node of the tree.
    Values,
    /// Lines of the prompt, typed one after the other.
    Lesson {
        /// The steps: a line each.
        steps: Vec<LessonStep>,
    },
    /// One of some statements: the one whose condition holds.
    Choice {
        /// The statements.
        choices: Vec<StatedChoice>,
    },
    /// A word or a value of an option, which conditions use.
    Text {
        /// The words of the answer, each once, in any order; empty if it may be any text.
        words: Vec<String>,
        /// The conditions.
        conditions: Vec<TaskCondition>,
    },
    /// A text that the student writes.
    File {
        /// What the text is.
        content: WrittenContent,
        /// The game that it has to be, up to names.
        same: Option<String>,
        /// The conditions.
        conditions: Vec<TaskCondition>,
    },
}

/// What a student writes.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum WrittenContent {
    /// A rule sheet, which becomes the loaded game.
    Sheet,
    /// The start of a game as a drawing, which becomes the loaded game.
    Layout,
    /// A sheet that adds a heuristic to the game.
    Heuristic,
    /// A sheet that adds an evaluation to the game.
    Evaluation,
}

/// An event at a node, by which nodes are put in an order.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum NodeEvent {
    Generated,
    Expanded,
    /// The value of the node is known.
    Valued,
}

/// A property of plans that a task asks for.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct PlanWish {
    /// The property.
    pub property: PlanProperty,
    /// False if the plan must not have it.
    pub is_wanted: bool,
}

/// A property of plans, as `plan check` names them.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum PlanProperty {
    Legal,
    Complete,
    Minimal,
    Optimal,
    Shortest,
}

/// A step of a lesson: a line to type.
#[derive(Clone, Debug)]
pub struct LessonStep {
    /// What to do, and why.
    pub text: String,
    /// A line that solves it.
    pub line: String,
    /// The reply to a line that does not solve it.
    pub hint: String,
    /// The conditions under which it is done.
    pub conditions: Vec<StepCondition>,
}

/// A condition under which a step is done.
#[derive(Clone, Debug)]
pub enum StepCondition {
    /// `uses = WORD…`: the line is this command, which may be abbreviated, or a query (`?-`), and contains the other
    /// words.
    Uses(String),
    /// `loaded = NAME`: this game is loaded.
    Loaded(String),
    /// `answer = VALUE`: the answer has this value, in the sense of `expect`; `true` and `false` for truth values.
    Answer(String),
    /// `count = N`: the answer has N items, in the sense of `expect count`.
    Count(String),
    /// `fails = E001`, `fails = "words"`: the line fails with this code, or with these words in its message.
    Fails(String),
    /// `must = LINE`: `expect LINE` is met after the line.
    Must(String),
}

impl LessonStep {
    /// True if the line that solves it fails.
    pub(crate) fn is_failure(&self) -> bool {
        self.conditions.iter().any(|condition| matches!(condition, StepCondition::Fails(_)))
    }
}

/// A statement to choose.
#[derive(Clone, Debug)]
pub struct StatedChoice {
    /// The word that chooses it.
    pub name: String,
    /// The statement.
    pub text: String,
    /// The statement is right if this holds.
    pub when: TaskCondition,
}

/// A condition that the engine decides.
#[derive(Clone, Debug)]
pub struct TaskCondition {
    /// The test.
    pub test: ConditionTest,
    /// The reply if it fails; without it, what the engine found.
    pub because: Option<String>,
}

/// A test of a condition. `ANSWER` in a line stands for the answer: its text, or the name of the file with it. A line
/// may be several with `;` between them, of which the last one is tested.
#[derive(Clone, Debug)]
pub enum ConditionTest {
    /// `COMMAND VALUE`, as `expect` reads it.
    Expect(String),
    /// `NUMBER < NUMBER`.
    Less {
        /// The smaller side.
        left: ComparedNumber,
        /// The greater side.
        right: ComparedNumber,
    },
    /// `same GAME OTHER`: both are the same game, up to names.
    Same {
        /// The first game.
        game: String,
        /// The other one.
        other: String,
    },
}

/// A side of a comparison.
#[derive(Clone, Debug)]
pub enum ComparedNumber {
    /// A number.
    Number(f64),
    /// `FIELD of COMMAND`: a number of the answer of a command.
    Answer {
        /// The path of the number in the JSON of the answer.
        field: String,
        /// The line of the prompt.
        command: String,
    },
}

/// A file that is no task.
#[derive(Clone, Debug, thiserror::Error)]
#[error("{}", mistake.problem)]
pub struct TaskError {
    /// The text of the file.
    pub file: Source,
    /// Its first mistake.
    pub mistake: SettingMistake,
}

impl Task {
    /// Reads a task; other files are looked up in `folder`, or among those of the program.
    ///
    /// # Errors
    /// The first mistake of the file.
    pub fn read(source: &Source, folder: Option<&Path>) -> Result<Self, TaskError> {
        let failed = |mistake| TaskError { file: source.clone(), mistake };
        let lines = settings(source, "`SETTING = VALUE`").map_err(failed)?;
        let file = Path::new(source.name());
        let name = file.file_stem().unwrap_or_default().to_string_lossy().into_owned();
        let lines = TaskLines { lines, end: TextPart::end_of(source.text()) };
        lines.task(name, folder.map(Path::to_path_buf)).map_err(failed)
    }

    /// Where it stands in the order of the course: lessons, documents or conventions, document, item.
    pub(super) fn place(&self) -> (usize, u32, u32) {
        let (letter, numbers) = self.section.split_at(1);
        let (document, item) = numbers.split_once('.').unwrap_or((numbers, "0"));
        let number = |text: &str| text.parse().unwrap_or(u32::MAX);
        ("LSC".find(letter).unwrap_or(0), number(document), number(item))
    }

    /// The steps of a lesson; empty for other tasks.
    pub(crate) fn steps(&self) -> &[LessonStep] {
        match &self.kind {
            TaskKind::Lesson { steps } => steps,
            _ => &[],
        }
    }

    /// True if it is a lesson, whose lines are typed in the running session.
    pub(crate) fn is_lesson(&self) -> bool {
        matches!(self.kind, TaskKind::Lesson { .. })
    }

    /// True if a student writes the answer as a file.
    pub fn is_written(&self) -> bool {
        matches!(self.kind, TaskKind::File { .. })
    }

    /// The name under which commands find a written answer.
    pub(crate) fn answer_name(&self) -> &'static str {
        match self.kind {
            TaskKind::File { content: WrittenContent::Layout, .. } => "answer.layout",
            _ => "answer.gdl",
        }
    }
}

impl TaskKind {
    /// The word for the kind.
    pub fn word(&self) -> &'static str {
        match self {
            Self::Move => "move",
            Self::Plan { .. } => "plan",
            Self::Number { .. } => "number",
            Self::Cut => "cut",
            Self::Order { .. } => "order",
            Self::Values => "values",
            Self::Lesson { .. } => "lesson",
            Self::Choice { .. } => "choice",
            Self::Text { .. } => "text",
            Self::File { content, .. } => match content {
                WrittenContent::Sheet => "sheet",
                WrittenContent::Layout => "layout",
                WrittenContent::Heuristic => "heuristic",
                WrittenContent::Evaluation => "evaluation",
            },
        }
    }

    /// The form of an answer, for people.
    pub fn form(&self) -> &'static str {
        match self {
            Self::Move => "a move",
            Self::Plan { .. } => "moves, with spaces between them",
            Self::Number { .. } => "a number",
            Self::Cut => "the names of leaves, with spaces between them, or `none`",
            Self::Order { .. } => "the names of nodes in their order, with spaces between them",
            Self::Values => "NODE=VALUE for each inner node, with spaces between them",
            Self::Lesson { .. } => "lines of the prompt, one for each step",
            Self::Choice { .. } => "the letter of a statement",
            Self::Text { .. } => "a text",
            Self::File { content, .. } => match content {
                WrittenContent::Sheet => "a file with the rule sheet",
                WrittenContent::Layout => "a file with the layout",
                WrittenContent::Heuristic => "a file with the rules of the heuristic",
                WrittenContent::Evaluation => "a file with the rules of the evaluation",
            },
        }
    }
}

impl Serialize for TaskKind {
    fn serialize<S: serde::Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        self.word().serialize(serializer)
    }
}

impl PlanProperty {
    const ALL: [(&'static str, Self); 5] = [
        ("legal", Self::Legal),
        ("complete", Self::Complete),
        ("minimal", Self::Minimal),
        ("optimal", Self::Optimal),
        ("shortest", Self::Shortest),
    ];

    /// Its word.
    pub fn word(self) -> &'static str {
        Self::ALL.iter().find(|(_, property)| *property == self).map_or("", |(word, _)| word)
    }
}

impl TaskKind {
    /// True if a command computes the answer.
    fn is_computed(&self) -> bool {
        !matches!(self, Self::Lesson { .. } | Self::Choice { .. } | Self::Text { .. } | Self::File { .. })
    }
}
