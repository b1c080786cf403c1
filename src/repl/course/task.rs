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

use gdl::settings::{SettingLine, SettingMistake, TextPart, settings};
use gdl::source::Source;
use gdl::suggestion::near_or_all;
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
    /// One of some statements: the one whose condition holds.
    Choice {
        /// The statements.
        choices: Vec<StatedChoice>,
    },
    /// A word or a value of an option, which conditions use.
    Text {
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

/// The settings that every task may have.
const SETTINGS: [&str; 13] = [
    "title", "section", "game", "begin", "question", "kind", "command", "hint", "solution", "wrong", "seconds",
    "because", "field",
];
/// The settings of some kinds.
const OF_KINDS: [(&str, &[&str]); 7] = [
    ("wants", &["plan"]),
    ("event", &["order"]),
    ("choice", &["choice"]),
    ("when", &["choice"]),
    ("same", &["sheet"]),
    ("draft", &["sheet", "layout", "heuristic", "evaluation"]),
    ("must", &["text", "sheet", "layout", "heuristic", "evaluation"]),
];
/// The kinds.
const KINDS: [&str; 12] = [
    "move",
    "plan",
    "number",
    "cut",
    "order",
    "values",
    "choice",
    "text",
    "sheet",
    "layout",
    "heuristic",
    "evaluation",
];
/// The settings that may be repeated: a question goes on, and the others are lists.
const LISTS: [&str; 8] = ["question", "begin", "hint", "wrong", "choice", "when", "must", "because"];

/// The seconds that a judge may take, if the file does not say.
const SECONDS: u64 = 30;

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
        TaskLines { lines, end: TextPart::end_of(source.text()) }
            .task(name, folder.map(Path::to_path_buf))
            .map_err(failed)
    }

    /// Where it stands in the order of the course: document, item.
    pub(super) fn place(&self) -> (u32, u32) {
        let (letter, numbers) = self.section.split_at(1);
        let (document, item) = numbers.split_once('.').unwrap_or((numbers, "0"));
        let number = |text: &str| text.parse().unwrap_or(u32::MAX);
        // The conventions come last.
        if letter == "C" { (u32::MAX, number(document)) } else { (number(document), number(item)) }
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

/// The lines of a task.
struct TaskLines<'t> {
    lines: Vec<SettingLine<'t>>,
    end: TextPart<'t>,
}

impl<'t> TaskLines<'t> {
    fn task(&self, name: String, folder: Option<PathBuf>) -> Result<Task, SettingMistake> {
        let kind = self.needed("kind")?;
        self.check(kind)?;
        let section = self.needed("section")?;
        if !is_section(section.text) {
            return Err(section.mistake(format!("`{}` is no item of the course, such as S3.7", section.text)));
        }
        let command = self.one("command");
        let solution = self.one("solution");
        let kind = self.kind(kind)?;
        if let (true, None) = (kind.is_computed(), command) {
            return Err(self.end.mistake(format!("a task of kind `{}` needs a `command`", kind.word())));
        }
        if let (false, None) = (kind.is_computed() || matches!(kind, TaskKind::Choice { .. }), solution) {
            return Err(self.end.mistake(format!("a task of kind `{}` needs a `solution`", kind.word())));
        }
        if let (TaskKind::File { content: WrittenContent::Heuristic | WrittenContent::Evaluation, .. }, None) =
            (&kind, self.one("game"))
        {
            return Err(self.end.mistake(format!("a task of kind `{}` needs a `game`", kind.word())));
        }
        let seconds = self.one("seconds").map_or(Ok(SECONDS), TextPart::count)?;
        Ok(Task {
            name,
            title: self.needed("title")?.text.to_string(),
            section: section.text.to_string(),
            game: self.one("game").map(|game| game.text.to_string()),
            begin: self.texts("begin"),
            question: {
                self.needed("question")?;
                self.texts("question").join(" ")
            },
            kind,
            hints: self.texts("hint"),
            command: command.map(|command| command.text.to_string()),
            solution: solution.map(|solution| solution.text.to_string()),
            draft: self.one("draft").map(|draft| draft.text.to_string()),
            wrong: self.texts("wrong"),
            time: Duration::from_secs(seconds),
            folder,
        })
    }

    /// The first setting that does not exist, is not one of this kind, or is given twice.
    fn check(&self, kind: TextPart<'t>) -> Result<(), SettingMistake> {
        for (index, SettingLine { key, .. }) in self.lines.iter().enumerate() {
            let of_kind = OF_KINDS.iter().find(|(name, _)| *name == key.text);
            if let Some((_, kinds)) = of_kind.filter(|(_, kinds)| !kinds.contains(&kind.text)) {
                return Err(key.mistake(format!("`{}` is for tasks of kind {}", key.text, kinds.join(", "))));
            }
            if of_kind.is_none() && !SETTINGS.contains(&key.text) {
                let known: Vec<&str> = SETTINGS.into_iter().chain(OF_KINDS.iter().map(|(name, _)| *name)).collect();
                let help = Some(near_or_all(key.text, &known));
                return Err(SettingMistake { help, ..key.mistake(format!("there is no setting `{}`", key.text)) });
            }
            let is_list = LISTS.contains(&key.text);
            if !is_list && self.lines[..index].iter().any(|line| line.key.text == key.text) {
                return Err(key.mistake(format!("`{}` is set a second time", key.text)));
            }
        }
        Ok(())
    }

    fn kind(&self, kind: TextPart<'t>) -> Result<TaskKind, SettingMistake> {
        let file = |content| {
            let same = self.one("same").map(|game| game.text.to_string());
            let conditions = self.conditions("must")?;
            if conditions.is_empty() && same.is_none() {
                return Err(kind.mistake("what has to hold of the answer? `must` says it"));
            }
            Ok(TaskKind::File { content, same, conditions })
        };
        Ok(match kind.text {
            "move" => TaskKind::Move,
            "plan" => TaskKind::Plan { wants: self.wishes()? },
            "number" => TaskKind::Number { field: self.one("field").map(|field| field.text.to_string()) },
            "cut" => TaskKind::Cut,
            "order" => TaskKind::Order { event: self.event()? },
            "values" => TaskKind::Values,
            "choice" => TaskKind::Choice { choices: self.choices()? },
            "text" => {
                let conditions = self.conditions("must")?;
                if conditions.is_empty() {
                    return Err(kind.mistake("what has to hold of the answer? `must` says it"));
                }
                TaskKind::Text { conditions }
            }
            "sheet" => file(WrittenContent::Sheet)?,
            "layout" => file(WrittenContent::Layout)?,
            "heuristic" => file(WrittenContent::Heuristic)?,
            "evaluation" => file(WrittenContent::Evaluation)?,
            name => {
                let help = Some(near_or_all(name, &KINDS));
                return Err(SettingMistake { help, ..kind.mistake(format!("there is no kind `{name}` of tasks")) });
            }
        })
    }

    fn wishes(&self) -> Result<Vec<PlanWish>, SettingMistake> {
        let wish = |part: TextPart<'t>| {
            let (is_wanted, word) = part.text.strip_prefix("not ").map_or((true, part.text), |word| (false, word));
            let property = PlanProperty::ALL.iter().find(|(name, _)| *name == word.trim());
            property.map(|&(_, property)| PlanWish { property, is_wanted }).ok_or_else(|| {
                let help = Some(near_or_all(word, &PlanProperty::ALL.map(|(name, _)| name)));
                SettingMistake { help, ..part.mistake(format!("`{word}` is no property of plans")) }
            })
        };
        self.needed("wants")?.listed().map(wish).collect()
    }

    fn event(&self) -> Result<NodeEvent, SettingMistake> {
        match self.one("event").map(|event| (event, event.text)) {
            None | Some((_, "generated")) => Ok(NodeEvent::Generated),
            Some((_, "expanded")) => Ok(NodeEvent::Expanded),
            Some((_, "valued")) => Ok(NodeEvent::Valued),
            Some((event, _)) => Err(event.mistake("an event is `generated`, `expanded` or `valued`")),
        }
    }

    /// The statements, each with the condition on the line after it.
    fn choices(&self) -> Result<Vec<StatedChoice>, SettingMistake> {
        let mut choices: Vec<StatedChoice> = Vec::new();
        let mut stated: Option<TextPart<'t>> = None;
        for line in self.lines.iter().filter(|line| ["choice", "when", "because"].contains(&line.key.text)) {
            if let ("because", Some(choice), None) = (line.key.text, choices.last_mut(), stated) {
                choice.when.because = Some(line.value.text.to_string());
                continue;
            }
            match (line.key.text, stated.take()) {
                ("choice", None) => stated = Some(line.value),
                ("choice", Some(part)) => return Err(part.mistake("a choice needs a line `when = CONDITION` after it")),
                (_, None) => return Err(line.key.mistake("`when` belongs to the `choice` before it")),
                (_, Some(text)) => {
                    let name = char::from(b'a' + u8::try_from(choices.len().min(25)).unwrap_or(0)).to_string();
                    let when = TaskCondition { test: test(line.value)?, because: None };
                    choices.push(StatedChoice { name, text: text.text.to_string(), when });
                }
            }
        }
        match (stated, choices.len()) {
            (Some(part), _) => Err(part.mistake("a choice needs a line `when = CONDITION` after it")),
            (None, 0 | 1) => Err(self.end.mistake("a task of kind `choice` needs two choices or more")),
            (None, _) => Ok(choices),
        }
    }

    /// The conditions with the replies on the lines after them.
    fn conditions(&self, name: &str) -> Result<Vec<TaskCondition>, SettingMistake> {
        let mut conditions: Vec<TaskCondition> = Vec::new();
        for line in self.lines.iter().filter(|line| [name, "because"].contains(&line.key.text)) {
            if line.key.text == name {
                conditions.push(TaskCondition { test: test(line.value)?, because: None });
                continue;
            }
            match conditions.last_mut().filter(|condition| condition.because.is_none()) {
                Some(condition) => condition.because = Some(line.value.text.to_string()),
                None => return Err(line.key.mistake(format!("`because` belongs to the `{name}` before it"))),
            }
        }
        Ok(conditions)
    }

    fn one(&self, key: &str) -> Option<TextPart<'t>> {
        self.lines.iter().find(|line| line.key.text == key).map(|line| line.value)
    }

    fn needed(&self, key: &str) -> Result<TextPart<'t>, SettingMistake> {
        self.one(key).ok_or_else(|| self.end.mistake(format!("`{key}` is missing")))
    }

    fn texts(&self, key: &str) -> Vec<String> {
        let lines = self.lines.iter().filter(|line| line.key.text == key);
        lines.map(|line| line.value.text.to_string()).collect()
    }
}

impl TaskKind {
    /// True if a command computes the answer.
    fn is_computed(&self) -> bool {
        !matches!(self, Self::Choice { .. } | Self::Text { .. } | Self::File { .. })
    }
}

/// `S3.7` and the like; also a section of conventions, `C1`.
fn is_section(text: &str) -> bool {
    let numbers = text.strip_prefix(['S', 'C']).unwrap_or_default();
    !numbers.is_empty() && numbers.split('.').all(|part| part.parse::<u32>().is_ok())
}

/// A condition: a comparison if it has the form of one, otherwise an expectation.
fn test(part: TextPart<'_>) -> Result<ConditionTest, SettingMistake> {
    let Some((left, right)) = part.split_once('<') else { return Ok(ConditionTest::Expect(part.text.to_string())) };
    let side = |part: TextPart<'_>| match (part.text.parse(), part.text.split_once(" of ")) {
        (Ok(number), _) => Ok(ComparedNumber::Number(number)),
        (Err(_), Some((field, command))) => {
            Ok(ComparedNumber::Answer { field: field.trim().to_string(), command: command.trim().to_string() })
        }
        (Err(_), None) => Err(part.mistake("a side of `<` is a number or `FIELD of COMMAND`")),
    };
    Ok(ConditionTest::Less { left: side(left)?, right: side(right)? })
}
