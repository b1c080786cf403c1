//! What is shown of the course: the list of tasks, a task, a judgement, a hint.

use super::super::answer_line;
use super::judge::position;
use super::tree::{TaskNode, VisitedTree};
use crate::repl::Session;
use crate::repl::answer::text::line;
use crate::repl::answer::{AnswerContent, AnswerValue, TextStyle};
use crate::repl::course::{Marks, Task, TaskKind, TaskMark, tasks};
use crate::repl::render;
use crate::table::{Column, Table};
use gdl::diagnostic::render::Paint;
use gdl::quantity::counted_as;
use ggp_draw::fit::paragraph;
use serde::Serialize;

/// The answer of the commands of the course.
#[derive(Clone, Debug, Serialize)]
#[serde(tag = "page", rename_all = "snake_case")]
pub(super) enum CourseReply {
    /// All lessons and tasks.
    List {
        tasks: Vec<TaskRow>,
        /// The task that is being done.
        #[serde(skip_serializing_if = "Option::is_none")]
        running: Option<TaskPage>,
    },
    /// A task begins.
    Task(TaskPage),
    /// An answer was judged.
    Judged(JudgedAnswer),
    /// A hint.
    Hint { task: String, number: usize, of: usize, text: String },
    /// What the student begins with was written to a file.
    Draft { task: String, file: String },
    /// A right answer, and the command that computes it.
    Solution { task: String, text: String, command: Option<String> },
    /// The course is left; the match before it is back.
    Left { title: String, back: Option<(String, usize)> },
}

/// The judgement of an answer, for who has given it.
#[derive(Clone, Debug, Serialize)]
pub(super) struct JudgedAnswer {
    pub(super) task: String,
    #[serde(rename = "right")]
    pub(super) is_right: bool,
    /// What is wrong with it, or what else can be said of it.
    pub(super) text: String,
    /// The command that computes it, after a right answer.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(super) command: Option<String>,
    pub(super) tries: u32,
    pub(super) hints_left: usize,
}

/// A task in a list, with its mark.
#[derive(Clone, Debug, Serialize)]
pub(crate) struct TaskRow {
    name: String,
    section: String,
    title: String,
    /// The purpose of a lesson.
    #[serde(skip_serializing_if = "Option::is_none")]
    about: Option<String>,
    kind: &'static str,
    /// The number of hints.
    #[serde(rename = "hint_count")]
    hints: usize,
    mark: TaskMark,
}

/// A task as it is put to a student.
#[derive(Clone, Debug, Serialize)]
pub(crate) struct TaskPage {
    #[serde(flatten)]
    row: TaskRow,
    question: String,
    /// The form of an answer.
    form: &'static str,
    /// True if the student writes a file.
    is_written: bool,
    /// True if the student begins with a text, and not from nothing.
    has_draft: bool,
    /// The steps of a lesson.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    steps: Vec<String>,
    /// The statements to choose from, by their letters.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    choices: Vec<(String, String)>,
    /// The nodes of the tree, if the answer is about them.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    nodes: Vec<TaskNode>,
    /// The same nodes as text.
    #[serde(skip)]
    tree: String,
    /// The position, if the page is shown where it is loaded.
    #[serde(skip)]
    position: String,
    /// The game, as `load` takes it.
    #[serde(skip_serializing_if = "Option::is_none")]
    game: Option<String>,
    /// The lines that lead to the position.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    begin: Vec<String>,
}

impl TaskRow {
    pub(crate) fn new(task: &Task, marks: &Marks) -> Self {
        Self {
            name: task.name.clone(),
            section: task.section.clone(),
            title: task.title.clone(),
            about: task.is_lesson().then(|| task.question.clone()),
            kind: task.kind.word(),
            hints: task.hints.len(),
            mark: marks.of(&task.name),
        }
    }

    /// The mark in a word: empty if nothing was done.
    fn mark_word(&self) -> &'static str {
        let TaskMark { right, tries, hints, shown, .. } = self.mark;
        match right {
            true => "right",
            false if tries > 0 || hints > 0 || shown => "open",
            false => "",
        }
    }

    /// What was done for the mark; empty for one right answer.
    fn counts(&self) -> String {
        let TaskMark { right, tries, hints, shown, .. } = self.mark;
        let mut words = Vec::new();
        if tries > 1 || (tries > 0 && !right) {
            words.push(counted_as(u64::from(tries), "try", "tries"));
        }
        if hints > 0 {
            words.push(counted_as(u64::from(hints), "hint", "hints"));
        }
        if shown {
            words.push("solution shown".to_string());
        }
        words.join(", ")
    }
}

impl TaskPage {
    /// The page of a task; the tree is that of its position.
    pub(crate) fn new(session: &Session, task: &Task) -> Self {
        let has_tree = matches!(task.kind, TaskKind::Cut | TaskKind::Order { .. } | TaskKind::Values);
        let tree = match has_tree {
            true => position(session, task).ok().and_then(|mut own| VisitedTree::whole(&mut own)),
            false => None,
        };
        let choices = match &task.kind {
            TaskKind::Choice { choices } => {
                choices.iter().map(|choice| (choice.name.clone(), choice.text.clone())).collect()
            }
            _ => Vec::new(),
        };
        Self {
            row: TaskRow::new(task, session.marks()),
            question: task.question.clone(),
            form: task.kind.form(),
            is_written: task.is_written(),
            has_draft: task.draft.is_some(),
            steps: task.steps().iter().map(|step| step.text.clone()).collect(),
            choices,
            tree: tree.as_ref().map(VisitedTree::text).unwrap_or_default(),
            nodes: tree.map(|tree| tree.nodes).unwrap_or_default(),
            position: String::new(),
            game: task.game.clone(),
            begin: task.begin.clone(),
        }
    }

    /// The page with the position in which the task begins.
    #[cfg(feature = "cli")]
    pub(crate) fn in_its_position(session: &Session, task: &Task) -> Self {
        let text = position(session, task).map(|mut own| position_text(&mut own, task));
        Self::new(session, task).with_position(text.unwrap_or_default())
    }

    /// The page with the position as text, unless it has the nodes of a tree.
    pub(super) fn with_position(self, position: String) -> Self {
        if self.nodes.is_empty() { Self { position, ..self } } else { self }
    }

    /// The page as text.
    pub(crate) fn text(&self, width: usize) -> String {
        let TaskRow { section, title, hints, name, .. } = &self.row;
        let mut text = paragraph(&format!("{section} {title} ({name})"), "", "  ", width);
        text += &paragraph(&self.question, "", "", width);
        for (step, number) in self.steps.iter().zip(1..) {
            text += &paragraph(step, &format!("{number:3}  "), "     ", width);
        }
        for (name, choice) in &self.choices {
            text += &paragraph(choice, &format!("  {name}  "), "     ", width);
        }
        text += &self.tree;
        text += &self.position;
        let hints = match hints {
            0 => String::new(),
            number => format!("; `hint` ({number})"),
        };
        if self.has_draft {
            let draft = format!(
                "`course draft FILE` writes what you begin with; in the shell `ggp course show {name} --draft` prints it."
            );
            text += &paragraph(&draft, "", "  ", width);
        }
        text + &paragraph(&format!("`answer`: {}{hints}", self.form), "", "  ", width)
    }
}

/// The position in which a task begins: the nodes of a game tree, otherwise the board.
pub(super) fn position_text(session: &mut Session, task: &Task) -> String {
    let Some(game) = task.game.as_ref().filter(|_| !task.is_lesson()) else { return String::new() };
    let is_tree = game.contains('[') || game.starts_with('(') || game.ends_with(".tree");
    if is_tree && let Some(tree) = session.in_fork(VisitedTree::whole) {
        return tree.text();
    }
    let shown = answer_line(session, "show");
    shown.map(|shown| render::text(&shown, Paint::Plain, session.dialect())).unwrap_or_default()
}

/// The list of lessons and tasks as text: a line for each, or more if it is too long.
pub(crate) fn list_text(rows: &[TaskRow], width: usize) -> String {
    let cells = rows.iter().map(|row| [&*row.section, &row.name, row.mark_word()]);
    let table = Table::new([Column::Left; 3]).row(["item", "task", "mark"]).rows(cells).to_string();
    let indent = table.lines().map(str::len).max().unwrap_or(0) + 2;
    let blank = " ".repeat(indent);
    let titles = [("title", String::new())].into_iter().chain(rows.iter().map(|row| (&*row.title, row.counts())));
    let line = |(line, (title, counts)): (&str, (&str, String))| {
        let first = format!("{line:indent$}");
        let whole = if counts.is_empty() { title.to_string() } else { format!("{title}, {counts}") };
        // Counts are not divided.
        match counts.is_empty() || indent + whole.chars().count() <= width {
            true => paragraph(&whole, &first, &blank, width),
            false => paragraph(title, &first, &blank, width) + &paragraph(&counts, &blank, &blank, width),
        }
    };
    table.lines().zip(titles).map(line).collect()
}

impl AnswerContent for CourseReply {
    fn kind(&self) -> &'static str {
        "course"
    }

    fn text(&self, style: &TextStyle<'_>) -> String {
        let width = style.width;
        match self {
            Self::List { tasks: rows, running } => {
                let done = rows.iter().filter(|row| row.mark.right).count();
                let about = format!(
                    "{done} of {} tasks are right. `course NAME` begins a lesson or a task, `course next` the next task that is not right.",
                    tasks().len()
                );
                let running = running.as_ref().map_or(String::new(), |page| line(String::new()) + &page.text(width));
                list_text(rows, width) + &paragraph(&about, "", "", width) + &running
            }
            Self::Task(page) => page.text(width),
            Self::Judged(JudgedAnswer { is_right, text, command, tries, hints_left, .. }) => {
                let first = if *is_right { "right: " } else { "not right: " };
                let mut said = if text.contains('\n') {
                    format!("{first}\n{text}\n")
                } else {
                    paragraph(text, first, "  ", width)
                };
                if let Some(command) = command {
                    said += &paragraph(&format!("`{command}` computes it."), "", "  ", width);
                }
                let next = match (is_right, hints_left) {
                    (true, _) => format!("{}; `course next` goes on", counted_as(u64::from(*tries), "try", "tries")),
                    (false, 0) => "try again; `course solution` shows the solution".to_string(),
                    (false, left) => format!("try again; `hint` ({left}) helps, `course solution` shows the solution"),
                };
                said + &paragraph(&next, "", "  ", width)
            }
            Self::Hint { number, of, text, .. } => paragraph(text, &format!("hint {number} of {of}: "), "  ", width),
            Self::Solution { text, command, .. } => {
                let command = command
                    .as_ref()
                    .map_or(String::new(), |command| paragraph(&format!("`{command}` computes it."), "", "  ", width));
                let text =
                    if text.trim().contains('\n') { format!("{}\n", text.trim_end()) } else { line(text.clone()) };
                text + &command
            }
            Self::Draft { file, .. } => {
                paragraph(&format!("{file} has what you begin with; `answer {file}` answers"), "", "  ", width)
            }
            Self::Left { title, back } => {
                let back = back.as_ref().map_or(String::new(), |(game, ply)| format!("; {game} is back, at ply {ply}"));
                paragraph(&format!("the task \"{title}\" is left{back}"), "", "  ", width)
            }
        }
    }

    /// Whether an answer was right.
    fn value(&self) -> Option<AnswerValue> {
        match self {
            Self::Judged(judged) => Some(AnswerValue::Truth(judged.is_right)),
            _ => None,
        }
    }
}
