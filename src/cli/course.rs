//! `ggp course`: the tasks of the course for students and teachers: list, show, try, check, and grade.

use super::arguments::EngineArguments;
use super::{Failure, interrupt_flag};
use crate::repl::command::course::{Judgement, TaskPage, TaskRow, draft, judge, list_text, problems, solution};
use crate::repl::console::Console;
use crate::repl::course::{Marks, Task, TaskMark, find_tasks, marks_file, tasks};
use crate::repl::terminal::Terminal;
use crate::repl::{CommandError, Session, render};
use anyhow::{Context, anyhow};
use gdl::quantity::counted;
use gdl::source::Source;
use ggp_game::files::InputLimit;
use serde::Serialize;
use std::path::{Path, PathBuf};

/// Tasks of the course: list, try and grade them
///
/// The prompt has them too (`course`), and the page of `ggp serve`. A task is one of the program, by its name, or a file
/// that you write: docs/course/tasks.md explains the format.
#[derive(clap::Args)]
pub(super) struct Arguments {
    #[command(subcommand)]
    action: CourseAction,
}

#[derive(clap::Subcommand)]
enum CourseAction {
    /// List the tasks with your marks
    List {
        /// Print one JSON object
        #[arg(long)]
        json: bool,
    },
    /// Show a task
    Show {
        /// The name of a task, or its file
        task: String,
        /// Show the solution too
        #[arg(long)]
        solution: bool,
        /// Print the text that you begin with, and nothing else
        #[arg(long, conflicts_with = "solution")]
        draft: bool,
    },
    /// Have an answer judged; the exit code is 1 if it is wrong
    Try {
        /// The name of a task, or its file
        task: String,
        /// The answer, or the file with it
        answer: String,
        #[command(flatten)]
        engine: EngineArguments,
    },
    /// Check files with tasks: their form, and that their own answers are judged right and wrong
    Check {
        /// The files
        #[arg(required = true)]
        files: Vec<PathBuf>,
        #[command(flatten)]
        engine: EngineArguments,
    },
    /// Print your marks, as a file for your teacher
    Marks,
    /// Judge the answers in files of marks again, and print a table (CSV)
    Grade {
        /// The files of marks
        #[arg(required = true)]
        files: Vec<PathBuf>,
        /// A file with a task that is not one of the program; may be repeated
        #[arg(long, value_name = "FILE")]
        task: Vec<PathBuf>,
        #[command(flatten)]
        engine: EngineArguments,
    },
}

impl Arguments {
    pub(super) fn run(self, console: &mut Terminal) -> Result<u8, Failure> {
        match self.action {
            CourseAction::List { json } => list(json, console),
            CourseAction::Show { task, draft: true, .. } => {
                console.data(&draft(&task_of(&task)?)?)?;
                Ok(0)
            }
            CourseAction::Show { task, solution, .. } => show(&task, solution, console),
            CourseAction::Try { task, answer, engine } => attempt(&task, &answer, &engine, console),
            CourseAction::Check { files, engine } => check(&files, &engine, console),
            CourseAction::Marks => {
                console.data(&own_marks()?.text())?;
                Ok(0)
            }
            CourseAction::Grade { files, task, engine } => grade(&files, &task, &engine, console),
        }
    }
}

fn session(engine: &EngineArguments) -> Result<Session, Failure> {
    Ok(Session::new("", interrupt_flag()?).with_engine(engine.options()))
}

/// The marks of who uses this machine.
fn own_marks() -> Result<Marks, Failure> {
    match marks_file().filter(|file| file.exists()) {
        Some(file) => marks_of(&file),
        None => Ok(Marks::default()),
    }
}

fn marks_of(file: &Path) -> Result<Marks, Failure> {
    let text = InputLimit::default().read_text(file).with_context(|| format!("cannot read {}", file.display()))?;
    Marks::read(&text).map_err(|problem| anyhow!("{}: {problem}", file.display()))
}

/// The task of this name, or of this file.
fn task_of(name: &str) -> Result<Task, Failure> {
    if name.ends_with(".task") {
        return read_task(Path::new(name));
    }
    let found = find_tasks(name).map_err(|problem| anyhow!(problem))?;
    match found[..] {
        [ref task] => Ok(Task::clone(task)),
        _ => {
            let names: Vec<&str> = found.iter().map(|task| task.name.as_str()).collect();
            Err(anyhow!("{name} has several tasks: {}", names.join(", ")))
        }
    }
}

fn read_task(file: &Path) -> Result<Task, Failure> {
    let text = InputLimit::default().read_text(file).with_context(|| format!("cannot read {}", file.display()))?;
    let folder = file.parent().unwrap_or(Path::new(""));
    Ok(Task::read(&Source::new(file.display().to_string(), text), Some(folder)).map_err(CommandError::from)?)
}

fn list(is_json: bool, console: &mut Terminal) -> Result<u8, Failure> {
    let marks = own_marks()?;
    let rows: Vec<TaskRow> = tasks().iter().map(|task| TaskRow::new(task, &marks)).collect();
    console.answer(&match is_json {
        true => render::json(&serde_json::json!({ "tasks": rows })),
        false => list_text(&rows, console.width()),
    })?;
    Ok(0)
}

fn show(name: &str, with_solution: bool, console: &mut Terminal) -> Result<u8, Failure> {
    let task = task_of(name)?;
    let session = Session::new("", interrupt_flag()?).with_marks(own_marks()?);
    console.answer(&TaskPage::in_its_position(&session, &task).text(console.width()))?;
    if with_solution {
        console.answer(&format!("\n{}\n", solution(&session, &task)?.trim_end()))?;
    }
    Ok(0)
}

fn attempt(name: &str, answer: &str, engine: &EngineArguments, console: &mut Terminal) -> Result<u8, Failure> {
    let task = task_of(name)?;
    let text = match task.is_written() {
        true => engine.input().read_text(Path::new(answer)).with_context(|| format!("cannot read {answer}"))?,
        false => answer.to_string(),
    };
    let Judgement { is_right, text } = judge(&session(engine)?, &task, &text)?;
    let first = if is_right { "right" } else { "not right" };
    let separator = if text.contains('\n') { '\n' } else { ' ' };
    console.answer(&format!("{first}:{separator}{text}\n"))?;
    Ok(u8::from(!is_right))
}

fn check(files: &[PathBuf], engine: &EngineArguments, console: &mut Terminal) -> Result<u8, Failure> {
    let session = session(engine)?;
    let mut has_problems = false;
    for file in files {
        let task = match read_task(file) {
            Ok(task) => task,
            Err(failure) => {
                console.talk(&super::text(&failure, console.paint()))?;
                has_problems = true;
                continue;
            }
        };
        let found = problems(&session, &task);
        for problem in &found {
            console.talk(&render::headline(&format_args!("{}: {problem}", file.display()), console.paint()))?;
        }
        if found.is_empty() {
            let wrong = counted(task.wrong.len(), "wrong answer");
            console.answer(&format!("{}: its solution is judged right, {wrong} not\n", file.display()))?;
        }
        has_problems |= !found.is_empty();
    }
    Ok(u8::from(has_problems))
}

/// A row of the table for a teacher.
#[derive(Serialize)]
struct GradedRow<'a> {
    file: String,
    task: &'a str,
    /// Whether the answer is right, as it is judged now.
    right: bool,
    tries: u32,
    hints: u32,
    /// True if the solution was shown before the right answer.
    shown: bool,
    /// What does not fit: a mark that its answer does not earn, an unknown task.
    note: String,
}

fn grade(
    files: &[PathBuf],
    further: &[PathBuf],
    engine: &EngineArguments,
    console: &mut Terminal,
) -> Result<u8, Failure> {
    let session = session(engine)?;
    let further: Vec<Task> = further.iter().map(|file| read_task(file)).collect::<Result<_, _>>()?;
    let known: Vec<&Task> = further.iter().chain(tasks().iter().map(|task| &**task)).collect();
    let marks: Vec<(&PathBuf, Marks)> =
        files.iter().map(|file| Ok((file, marks_of(file)?))).collect::<Result<_, Failure>>()?;
    let mut table = csv::Writer::from_writer(Vec::new());
    for (file, marks) in &marks {
        for (name, mark) in &marks.tasks {
            let task = known.iter().find(|task| task.name == *name);
            let (right, note) = match task {
                Some(task) => regraded(&session, task, mark)?,
                None => (false, "there is no such task".to_string()),
            };
            let TaskMark { tries, hints, shown, .. } = *mark;
            table.serialize(GradedRow {
                file: file.display().to_string(),
                task: name,
                right,
                tries,
                hints,
                shown,
                note,
            })?;
        }
    }
    console.data(&String::from_utf8_lossy(&table.into_inner().map_err(|error| anyhow!(error.to_string()))?))?;
    Ok(0)
}

/// Whether the answer of a mark is right, and what does not fit the mark.
fn regraded(session: &Session, task: &Task, mark: &TaskMark) -> Result<(bool, String), Failure> {
    if mark.answer.trim().is_empty() {
        let note = if mark.right { "marked right without an answer" } else { "" };
        return Ok((false, note.to_string()));
    }
    let judged = match judge(session, task, &mark.answer) {
        Ok(Judgement { is_right, .. }) => is_right,
        Err(error) if error.exit_code() == 130 => return Err(error.into()),
        Err(_) => false,
    };
    let note = match (mark.right, judged) {
        (true, false) => "marked right, and the answer is wrong",
        (false, true) => "marked wrong, and the answer is right",
        (true, true) if mark.tries == 0 => "marked right without a try",
        (true, true) if mark.hints as usize > task.hints.len() => "more hints than the task has",
        _ => "",
    };
    Ok((judged, note.to_string()))
}
