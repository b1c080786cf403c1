//! Commands of the course: `course` lists the tasks and begins one, `answer` has an answer judged, `hint` helps.

mod condition;
mod judge;
mod judgement;
mod nodes;
mod page;
mod tree;
mod typed;

use super::learn::{self, learn};
use super::{AnswerKind, ArgumentKind, Arguments, Command};
use crate::repl::course::{EXTENSION, Task, TaskKind, find_tasks, tasks};
use crate::repl::session::{MatchStep, RunningTask};
use crate::repl::{Answer, CommandError, Session};
use gdl::rules::GroundTerm;
use gdl::source::Source;
use ggp_game::JointMoves;
use page::{CourseReply, JudgedAnswer, position_text};
use std::path::Path;
use std::sync::Arc;

pub(crate) use judge::{computed, draft};
pub use judge::{judge, problems, solution, written};
pub use judgement::Judgement;
#[cfg(feature = "cli")]
pub(crate) use page::list_text;
pub(crate) use page::{TaskPage, TaskRow};

pub(super) const COURSE: Command = Command {
    name: "course",
    operands: "[TASK|LESSON|S3.7|FILE|next|again|draft FILE|solution|off]",
    summary: "list the lessons and the tasks of the course, begin one by its name, by the item of the course or from a file, or the next one that is not done (`next`), repeat its beginning (`again`), write the text that you begin with to a file (`draft`), show its solution, or leave the course (`off`)",
    example: "course S3.4",
    takes: ArgumentKind::Task,
    ..Command::for_rules(course)
};

pub(super) const ANSWER: Command = Command {
    name: "answer",
    operands: "[ANSWER|FILE]",
    summary: "answer the task of the course: with a text or, if you write the answer, with its file; without one, with the moves that you have made since the task began",
    example: "answer 3",
    example_after: &["course two_ply_value"],
    takes: ArgumentKind::File,
    answers: AnswerKind::Truth,
    ..Command::for_rules(answer)
};

pub(super) const HINT: Command = Command {
    name: "hint",
    summary: "show the next hint for the task of the course",
    example: "hint",
    example_after: &["course two_ply_value"],
    ..Command::for_rules(hint)
};

/// The words that `course` accepts beside names of tasks and items.
const WORDS: [&str; 5] = ["next", "again", "draft", "solution", "off"];

/// All words that `course` accepts.
pub(crate) fn task_words() -> impl Iterator<Item = &'static str> {
    let named = tasks().iter().flat_map(|task| [task.name.as_str(), task.section.as_str()]);
    named.chain(WORDS)
}

fn course(session: &mut Session, arguments: &Arguments) -> Result<Answer, CommandError> {
    let reply = match arguments.operands() {
        // Without a task these words are about the lesson that runs.
        "off" | "again" if session.task().is_none() && session.lesson().is_some() => return learn(session, arguments),
        "" => {
            let rows = tasks().iter().map(|task| TaskRow::new(task, session.marks())).collect();
            let running = session.task().map(|running| TaskPage::new(session, &running.task));
            CourseReply::List { tasks: rows, running }
        }
        "solution" if session.task().is_none() && session.lesson().is_some() => {
            let (lesson, step) = running_step(session)?;
            session.marks_mut().note_solution(&lesson.name);
            let text = lesson.steps()[step].line.clone();
            CourseReply::Solution { task: lesson.name.clone(), text, command: None }
        }
        "next" => begin(session, next_task(session))?,
        "again" => {
            let task = running(session)?.task.clone();
            begin(session, task)?
        }
        "solution" => {
            let task = running(session)?.task.clone();
            let text = solution(session, &task)?;
            session.marks_mut().note_solution(&task.name);
            CourseReply::Solution { task: task.name.clone(), text, command: task.command.clone() }
        }
        "off" => {
            let task = running(session)?.task.clone();
            CourseReply::Left { title: task.title.clone(), back: session.end_task() }
        }
        draft if draft == "draft" || draft.starts_with("draft ") => {
            let file = draft["draft".len()..].trim();
            if file.is_empty() {
                return Err(arguments.wrong("`course draft` needs the name of a file"));
            }
            let task = running(session)?.task.clone();
            if task.draft.is_none() {
                return Err(CommandError::refused("this task begins with an empty text"));
            }
            session.output(file, false, &[])?.write(judge::draft(&task)?)?;
            CourseReply::Draft { task: task.name.clone(), file: file.to_string() }
        }
        file if file.ends_with(EXTENSION) => {
            let source = Source::new(file, session.input(file)?);
            let folder = session.path(file)?.parent().map(Path::to_path_buf);
            let task = Arc::new(Task::read(&source, folder.as_deref())?);
            if task.is_lesson() {
                return Ok(Answer::new(learn::begin(session, task)?));
            }
            begin(session, task)?
        }
        word => {
            let found = find_tasks(word).map_err(|problem| arguments.wrong(problem))?;
            let open = found.iter().find(|task| !session.marks().of(&task.name).right);
            let task = open.unwrap_or(&found[0]).clone();
            if task.is_lesson() {
                return Ok(Answer::new(learn::begin(session, task)?));
            }
            begin(session, task)?
        }
    };
    Ok(Answer::new(reply))
}

fn answer(session: &mut Session, arguments: &Arguments) -> Result<Answer, CommandError> {
    let running = running(session)?;
    let task = running.task.clone();
    let ply = running.ply;
    let text = match arguments.operands() {
        "" => moves_made(session, &task, ply)?,
        file if task.is_written() => session.input(file)?,
        text => text.to_string(),
    };
    let Judgement { is_right, text: said } = judge(session, &task, &text)?;
    session.marks_mut().note_answer(&task.name, &text, is_right);
    let mark = session.marks().of(&task.name);
    let command = task.command.clone().filter(|_| is_right);
    let hints = task.hints.len() - session.task().map_or(0, |running| running.hints);
    Ok(Answer::new(CourseReply::Judged(JudgedAnswer {
        task: task.name.clone(),
        is_right,
        text: said,
        command,
        tries: mark.tries,
        hints_left: hints,
    })))
}

fn hint(session: &mut Session, _: &Arguments) -> Result<Answer, CommandError> {
    if session.task().is_none() && session.lesson().is_some() {
        let (lesson, step) = running_step(session)?;
        let text = lesson.steps()[step].hint.clone();
        session.marks_mut().note_hints(&lesson.name, u32::try_from(step + 1).unwrap_or(u32::MAX));
        return Ok(Answer::new(CourseReply::Hint { task: lesson.name.clone(), number: 1, of: 1, text }));
    }
    let task = running(session)?.task.clone();
    let of = task.hints.len();
    match session.next_hint() {
        Some(text) => {
            let number = session.task().map_or(0, |running| running.hints);
            Ok(Answer::new(CourseReply::Hint { task: task.name.clone(), number, of, text }))
        }
        None if of == 0 => Err(CommandError::refused("this task has no hints; `course solution` shows the solution")),
        None => Err(CommandError::refused("there are no more hints; `course solution` shows the solution")),
    }
}

/// The lesson that runs, with the index of its step.
fn running_step(session: &Session) -> Result<(Arc<Task>, usize), CommandError> {
    let running = session.lesson().ok_or_else(|| CommandError::refused("no lesson is running"))?;
    Ok((running.lesson.clone(), running.step))
}

fn running(session: &Session) -> Result<&RunningTask, CommandError> {
    session
        .task()
        .ok_or_else(|| CommandError::refused("no task has begun; `course` lists them, `course next` begins one"))
}

/// The first task that is not done and no lesson, after the one that is being done; that one or the first if all are done.
fn next_task(session: &Session) -> Arc<Task> {
    let all = tasks();
    let is_running = |task: &Task| session.task().is_some_and(|running| running.task.name == task.name);
    let start = all.iter().position(|task| is_running(task)).map_or(0, |index| index + 1);
    let (before, after) = all.split_at(start);
    let is_open = |task: &&Arc<Task>| !task.is_lesson() && !session.marks().of(&task.name).right;
    after.iter().chain(before).find(is_open).or(after.first()).unwrap_or(&all[0]).clone()
}

/// Begins a task: its position becomes the current match. If that fails, everything stays as it was.
fn begin(session: &mut Session, task: Arc<Task>) -> Result<CourseReply, CommandError> {
    let before = session.exchange(None);
    // A file that stands beside the task is found from any folder.
    let beside = |game: &String| task.folder.as_ref().map(|folder| folder.join(game)).filter(|path| path.is_file());
    let ready = task.game.as_ref().map_or(Ok(()), |game| match beside(game) {
        Some(path) => session.load(path).map(drop),
        None => session.load(game).map(drop),
    });
    if let Err(error) = ready.and_then(|()| judge::begin(session, &task)) {
        session.exchange(before);
        return Err(error);
    }
    session.begin_task(task.clone(), before);
    let page = TaskPage::new(session, &task);
    let position = position_text(session, &task);
    Ok(CourseReply::Task(page.with_position(position)))
}

/// The moves that were made since a task began, each of the role that had a choice, as an answer.
fn moves_made(session: &mut Session, task: &Task, ply: usize) -> Result<String, CommandError> {
    let form = || CommandError::refused(format!("the answer is {}", task.kind.form()));
    if !matches!(task.kind, TaskKind::Move | TaskKind::Plan { .. }) {
        return Err(form());
    }
    let current = session.current()?;
    let steps = current.steps();
    let mut moves: Vec<GroundTerm> = Vec::new();
    for (index, step) in steps.iter().enumerate().skip(ply) {
        let MatchStep::Played(played) = step else { return Err(form()) };
        let Some((reasoner, state, _)) = current.state_before(index) else { return Err(form()) };
        let choosing = JointMoves::in_state(reasoner, state)?.choosing();
        let role = choosing.first().map_or(0, |role| role.index());
        moves.push(played[role].clone());
    }
    let texts: Vec<String> = moves.iter().map(ToString::to_string).collect();
    match (&task.kind, texts.is_empty()) {
        (_, true) => Err(form()),
        (TaskKind::Move, false) => Ok(texts[0].clone()),
        _ => Ok(texts.join(" ")),
    }
}
