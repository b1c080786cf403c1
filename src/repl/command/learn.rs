//! Command `learn`: guided lessons, and the check of each line that is typed in one.

use super::expect::{fails_with, has_value};
use super::{ArgumentKind, Arguments, Command, answer_line, find};
use crate::repl::lesson::{self, Lesson, LessonRemark, LessonReply, StepCondition, lessons};
use crate::repl::{Answer, CommandError, Session, read};

pub(super) const LEARN: Command = Command {
    name: "learn",
    operands: "[LESSON|next|again|off]",
    summary: "list the lessons, begin one by its number or name, leave out a step (`next`), repeat it (`again`) or leave the lesson (`off`)",
    example: "learn",
    takes: ArgumentKind::Lesson,
    ..Command::for_rules(learn)
};

/// The words that `learn` accepts beside numbers and names of lessons.
const WORDS: [&str; 4] = ["next", "skip", "again", "off"];

/// All words that `learn` accepts.
pub(crate) fn lesson_words() -> impl Iterator<Item = &'static str> {
    lessons().iter().map(|lesson| lesson.name.as_str()).chain(WORDS)
}

pub(super) fn learn(session: &mut Session, arguments: &Arguments) -> Result<Answer, CommandError> {
    let word = arguments.operands();
    let reply = match word {
        "" => {
            let running = session.lesson().map(|running| running.page());
            LessonReply::List { lessons: lessons(), running }
        }
        "off" | "again" | "next" | "skip" => {
            let Some(running) = session.lesson() else {
                return Err(arguments.wrong("no lesson is running; `learn` lists them"));
            };
            let lesson = running.lesson;
            let step = running.step;
            match word {
                "off" => left(session, lesson),
                "again" => {
                    set_up(session, lesson, step)?;
                    LessonReply::Step(lesson.page(step))
                }
                _ => skip(session, lesson, step)?,
            }
        }
        name => begin(session, lesson::find(name).map_err(|problem| arguments.wrong(problem))?)?,
    };
    Ok(Answer::new(reply))
}

/// Begins a lesson. If its game cannot be loaded, everything stays as it was.
fn begin(session: &mut Session, lesson: &'static Lesson) -> Result<LessonReply, CommandError> {
    let before = session.exchange(None);
    // The lesson is set up without the match, which comes back if that fails.
    let ready = set_up(session, lesson, 0);
    let begun = session.exchange(before);
    ready?;
    session.begin_lesson(lesson);
    session.exchange(begun);
    Ok(LessonReply::Step(lesson.page(0)))
}

/// Leaves out a step: the position is then the one in which the next step begins.
fn skip(session: &mut Session, lesson: &'static Lesson, step: usize) -> Result<LessonReply, CommandError> {
    if step + 1 < lesson.steps.len() {
        set_up(session, lesson, step + 1)?;
    }
    Ok(LessonReply::Skipped { line: lesson.steps[step].line.clone(), then: advance(session, lesson, step) })
}

fn left(session: &mut Session, lesson: &Lesson) -> LessonReply {
    let back = session.end_lesson().and_then(|(_, back)| back);
    LessonReply::Left { title: lesson.title.clone(), back }
}

/// Runs the lines that lead to the beginning of a step, without showing their answers. If one fails, the match stays as
/// it was.
fn set_up(session: &mut Session, lesson: &'static Lesson, step: usize) -> Result<(), CommandError> {
    let before = session.exchange(None);
    let solved = lesson.steps[..step].iter().filter(|task| !task.is_failure()).map(|task| &task.line);
    for line in lesson.begin.iter().chain(solved) {
        if let Err(error) = answer_line(session, line) {
            session.exchange(before);
            return Err(error);
        }
    }
    Ok(())
}

/// Goes on to the next step, or ends the lesson after the last one.
fn advance(session: &mut Session, lesson: &'static Lesson, step: usize) -> LessonRemark {
    if step + 1 < lesson.steps.len() {
        session.go_to_step(step + 1);
        return LessonRemark::Next(lesson.page(step + 1));
    }
    let back = session.end_lesson().and_then(|(_, back)| back);
    LessonRemark::Finished { lesson: lesson.number, title: lesson.title.clone(), of: lessons().len(), back }
}

/// Checks a line against the step of the running lesson, and notes the verdict in the session.
pub(super) fn check_step(session: &mut Session, line: &str, result: &Result<Answer, CommandError>) {
    let line = read::without_comment(line);
    let Some(running) = session.lesson() else { return };
    let is_other =
        |line: &str| find(read::word(line).0).is_ok_and(|command| [LEARN.name, "help", "quit"].contains(&command.name));
    // Help, and commands about the lesson itself, are no attempts.
    if line.is_empty() || (!read::is_query(line) && is_other(line)) {
        return;
    }
    let lesson = running.lesson;
    let step = running.step;
    let task = running.task();
    let is_solved = task.conditions.iter().all(|condition| holds(session, condition, line, result));
    let remark = if is_solved {
        advance(session, lesson, step)
    } else {
        LessonRemark::NotYet { hint: task.hint.clone(), page: lesson.page(step) }
    };
    session.remark(remark);
}

fn holds(session: &mut Session, condition: &StepCondition, line: &str, result: &Result<Answer, CommandError>) -> bool {
    match (condition, result) {
        (StepCondition::Uses(words), _) => uses(line, words),
        (StepCondition::Fails(expected), Err(error)) => fails_with(expected, error),
        (StepCondition::Fails(_), Ok(_)) | (_, Err(_)) => false,
        (StepCondition::Game(name), Ok(_)) => session.game_name() == Some(name),
        (StepCondition::Answer(value), Ok(answer)) => has_value(answer.content().value(), value),
        (StepCondition::Count(number), Ok(answer)) => has_value(answer.content().count(), number),
        (StepCondition::Then(line), Ok(_)) => answer_line(session, &format!("expect {line}")).is_ok(),
    }
}

/// True if a line is this command, or a query for `?-`, and contains the other words.
fn uses(line: &str, words: &str) -> bool {
    let (name, others) = read::word(words);
    let is_command = match name {
        "?-" => read::is_query(line),
        _ => !read::is_query(line) && find(read::word(line).0).is_ok_and(|command| command.name == name),
    };
    is_command && others.split_whitespace().all(|other| read::words(line).any(|range| line[range] == *other))
}
