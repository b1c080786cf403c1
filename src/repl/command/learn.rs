//! Command `learn`: guided lessons, and the check of each line that is typed in one.

use super::expect::{fails_with, has_value};
use super::{ArgumentKind, Arguments, Command, answer_line, find};
use crate::repl::course::Task;
use crate::repl::course::task::{LessonStep, StepCondition};
use crate::repl::lesson::{self, LessonPage, LessonRemark, LessonReply, lesson_rows, lessons};
use crate::repl::{Answer, CommandError, Session, read};
use std::sync::Arc;

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
    lessons().map(|lesson| lesson.name.as_str()).chain(WORDS)
}

pub(super) fn learn(session: &mut Session, arguments: &Arguments) -> Result<Answer, CommandError> {
    let word = arguments.operands();
    let reply = match word {
        "" => {
            let running = session.lesson().map(|running| running.page());
            LessonReply::List { lessons: lesson_rows(), running }
        }
        "off" | "again" | "next" | "skip" => {
            let Some(running) = session.lesson() else {
                return Err(arguments.wrong("no lesson is running; `learn` lists them"));
            };
            let lesson = running.lesson.clone();
            let step = running.step;
            match word {
                "off" => left(session, &lesson),
                "again" => {
                    set_up(session, &lesson, step)?;
                    LessonReply::Step(LessonPage::new(&lesson, step))
                }
                _ => skip(session, &lesson, step)?,
            }
        }
        name => begin(session, lesson::find(name).map_err(|problem| arguments.wrong(problem))?.clone())?,
    };
    Ok(Answer::new(reply))
}

/// Begins a lesson. If its game cannot be loaded, everything stays as it was.
pub(super) fn begin(session: &mut Session, lesson: Arc<Task>) -> Result<LessonReply, CommandError> {
    let before = session.exchange(None);
    // The lesson is set up without the match, which comes back if that fails.
    let ready = set_up(session, &lesson, 0);
    let begun = session.exchange(before);
    ready?;
    session.begin_lesson(lesson.clone());
    session.exchange(begun);
    Ok(LessonReply::Step(LessonPage::new(&lesson, 0)))
}

/// Leaves out a step: the position is then the one in which the next step begins.
fn skip(session: &mut Session, lesson: &Task, step: usize) -> Result<LessonReply, CommandError> {
    if step + 1 < lesson.steps().len() {
        set_up(session, lesson, step + 1)?;
    }
    session.marks_mut().note_solution(&lesson.name);
    let line = lesson.steps()[step].line.clone();
    Ok(LessonReply::Skipped { then: advance(session, lesson, step, &line), line })
}

fn left(session: &mut Session, lesson: &Task) -> LessonReply {
    let back = session.end_lesson().and_then(|(_, back)| back);
    LessonReply::Left { title: lesson.title.clone(), back }
}

/// Runs the lines that lead to the beginning of a step, without showing their answers. If one fails, the match stays as
/// it was.
fn set_up(session: &mut Session, lesson: &Task, step: usize) -> Result<(), CommandError> {
    let before = session.exchange(None);
    let solved = lesson.steps()[..step].iter().filter(|step| !step.is_failure()).map(|step| &step.line);
    for line in lesson.begin.iter().chain(solved) {
        if let Err(error) = answer_line(session, line) {
            session.exchange(before);
            return Err(error);
        }
    }
    Ok(())
}

/// Goes on to the next step after a line, or ends the lesson after the last one.
fn advance(session: &mut Session, lesson: &Task, step: usize, line: &str) -> LessonRemark {
    session.solve_step(line);
    if step + 1 < lesson.steps().len() {
        return LessonRemark::Next(LessonPage::new(lesson, step + 1));
    }
    let (lines, back) = session.end_lesson().map(|(ended, back)| (ended.lines, back)).unwrap_or_default();
    let answer = lines.join("\n");
    session.marks_mut().note_answer(&lesson.name, &answer, true);
    let next = lessons().skip_while(|other| other.name != lesson.name).nth(1).map(|next| next.name.clone());
    LessonRemark::Finished { lesson: lesson.name.clone(), title: lesson.title.clone(), answer, next, back }
}

/// Checks a line against the step of the running lesson, and notes the verdict in the session.
pub(super) fn check_step(session: &mut Session, line: &str, result: &Result<Answer, CommandError>) {
    let line = read::without_comment(line);
    let Some(running) = session.lesson() else { return };
    let others = [LEARN.name, "course", "hint", "help", "quit"];
    let is_other = |line: &str| find(read::word(line).0).is_ok_and(|command| others.contains(&command.name));
    // Help, and commands about the lesson itself, are no attempts.
    if line.is_empty() || (!read::is_query(line) && is_other(line)) {
        return;
    }
    let lesson = running.lesson.clone();
    let index = running.step;
    let step = &lesson.steps()[index];
    let remark = if is_solved(session, step, line, result) {
        advance(session, &lesson, index, line)
    } else {
        // Who looks around with other commands has not tried.
        let is_try = is_command_of(line, &step.line);
        if is_try {
            session.marks_mut().note_answer(&lesson.name, "", false);
        }
        LessonRemark::NotYet { hint: step.hint.clone(), is_try, page: LessonPage::new(&lesson, index) }
    };
    session.remark(remark);
}

/// True if a line with its result solves a step. An error solves only a step that asks for one.
pub(super) fn is_solved(
    session: &mut Session,
    step: &LessonStep,
    line: &str,
    result: &Result<Answer, CommandError>,
) -> bool {
    let is_expected = result.is_ok() || step.is_failure();
    is_expected && step.conditions.iter().all(|condition| holds(session, condition, line, result))
}

fn holds(session: &mut Session, condition: &StepCondition, line: &str, result: &Result<Answer, CommandError>) -> bool {
    match (condition, result) {
        (StepCondition::Uses(words), _) => uses(line, words),
        (StepCondition::Fails(expected), Err(error)) => fails_with(expected, error),
        (StepCondition::Fails(_), Ok(_)) | (_, Err(_)) => false,
        (StepCondition::Loaded(name), Ok(_)) => session.game_name() == Some(name),
        (StepCondition::Answer(value), Ok(answer)) => has_value(answer.content().value(), value),
        (StepCondition::Count(number), Ok(answer)) => has_value(answer.content().count(), number),
        (StepCondition::Must(line), Ok(_)) => answer_line(session, &format!("expect {line}")).is_ok(),
    }
}

/// True if a line is this command, or a query for `?-`, and contains the other words.
fn uses(line: &str, words: &str) -> bool {
    let is_used = |wanted: &str| read::words(line).any(|range| is_word(&line[range], wanted));
    is_command_of(line, words) && read::word(words).1.split_whitespace().all(is_used)
}

/// True if a line is the same command as another one, which may be abbreviated, or both are queries.
fn is_command_of(line: &str, other: &str) -> bool {
    let named = |line: &str| match read::is_query(line) {
        true => None,
        false => find(read::word(line).0).ok().map(|command| command.name),
    };
    read::is_query(line) == read::is_query(other) && named(line) == named(other)
}

/// True if a word is another one, with blanks in it, with the stop of a clause, or with the number of its arguments.
fn is_word(word: &str, wanted: &str) -> bool {
    let word = word.trim_end_matches('.');
    let is_counted = || word.strip_prefix(wanted).and_then(|rest| rest.strip_prefix('/')).is_some();
    let is_term = || read::term(word).ok().zip(read::term(wanted).ok()).is_some_and(|(word, wanted)| word == wanted);
    word == wanted || is_counted() || is_term()
}
