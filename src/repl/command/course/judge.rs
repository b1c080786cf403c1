//! The judge of tasks: the engine computes what is right, and what is wrong with an answer.
//!
//! A task is judged in a session of its own, in which the task's game is loaded and its lines have led to the position.
//! A written answer is a text of that session; commands find it under the name that stands for `ANSWER`.

use super::super::answer_line;
use super::super::judge::CheckedPlan;
use super::super::learn::is_solved;
use super::condition::{difference, failure, number, to_json};
use super::judgement::Judgement;
use super::nodes::{NONE, cut_leaves, judge_cut, judge_order, judge_values, trees};
use super::typed::{self, CLOSE, TypedNumber, meant};
use crate::repl::course::task::{LessonStep, PlanWish, StatedChoice, TaskCondition, TaskKind, WrittenContent};
use crate::repl::course::{FOLDER, Task};
use crate::repl::{Answer, CommandError, Session, read, render};
use gdl::diagnostic::render::Paint;
use gdl::limits::Stop;
use gdl::quantity::counted_as;
use gdl::rules::GroundTerm;
use gdl::source::Source;
use gdl::suggestion::alternatives;
use ggp_engine::{GameOriginError, LibrarySheet, LoadError};
use ggp_game::files::{InputLimit, below};
use ggp_game::{Reasoner, Role};
use ggp_search::events::value_text;
use serde_json::Value;
use std::io;
use std::path::Path;

/// Judges an answer: what was typed, or the text of the file that the student has written. `session` gives the engine
/// and the interrupt; nothing of it changes.
///
/// # Errors
/// If the answer does not have the form of one, or if the task itself cannot be asked. An interrupt too.
pub fn judge(session: &Session, task: &Task, answer: &str) -> Result<Judgement, CommandError> {
    let answer = answer.trim();
    if answer.is_empty() {
        return Err(CommandError::refused(format!("the answer is {}", task.kind.form())));
    }
    match &task.kind {
        TaskKind::Move => judge_move(&mut position(session, task)?, command(task), answer),
        TaskKind::Plan { wants } => judge_plan(&mut position(session, task)?, wants, answer),
        TaskKind::Number { field } => {
            judge_number(&mut position(session, task)?, command(task), field.as_deref(), answer)
        }
        TaskKind::Cut => judge_cut(&mut position(session, task)?, command(task), answer),
        TaskKind::Order { event } => {
            let (whole, visited) = trees(&mut position(session, task)?, command(task))?;
            judge_order(&visited.order(*event), whole.as_ref().unwrap_or(&visited), answer)
        }
        TaskKind::Values => judge_values(&trees(&mut position(session, task)?, command(task))?.1, answer),
        TaskKind::Lesson { steps } => Ok(judge_lesson(&mut position(session, task)?, steps, answer)),
        TaskKind::Choice { choices } => judge_choice(&mut position(session, task)?, choices, answer),
        TaskKind::Text { words, conditions } => {
            // An option beside the answer could limit the search by which it is judged.
            if answer.contains(['\n', ';', '%', '#']) || answer.split_whitespace().any(|word| word.starts_with("--")) {
                return Err(CommandError::refused("the answer is one line, without `;`, comments and options"));
            }
            let answer = if words.is_empty() { answer.to_string() } else { permutation(words, answer)? };
            let judged = judge_conditions(&mut position(session, task)?, conditions, &answer);
            // The student has typed the answer alone, not the command in which it stands.
            judged.map_err(|error| match error {
                CommandError::Usage { problem, .. } => CommandError::refused(problem),
                CommandError::Load(LoadError::Origin(GameOriginError::NoTree { .. })) => error,
                CommandError::Load(LoadError::Origin(_)) => {
                    CommandError::refused(format!("`{answer}` is no tree in brackets, such as [[3 12] [2 4]]"))
                }
                error => error,
            })
        }
        TaskKind::File { content, same, conditions } => {
            let judged = judge_file(session, task, *content, same.as_deref(), conditions, answer);
            let judged = judged.or_else(|error| fault_of_file(error, task))?;
            // The student does not know the name that the answer has in commands.
            Ok(Judgement { text: judged.text.replace(task.answer_name(), YOURS), ..judged })
        }
    }
}

/// A right answer, as the engine computes it or as the task has it.
///
/// # Errors
/// If the task cannot be asked.
pub fn solution(session: &Session, task: &Task) -> Result<String, CommandError> {
    if let Some(solution) = &task.solution {
        return written(task, solution);
    }
    let mut own = position(session, task)?;
    Ok(match &task.kind {
        TaskKind::Move => best_move(&mut own, command(task))?,
        TaskKind::Plan { .. } => moves_of(&answer_line(&mut own, command(task))?).join(" "),
        TaskKind::Number { field } => value_text(number(&mut own, command(task), field.as_deref())?),
        TaskKind::Cut => {
            let cut = cut_leaves(&mut own, command(task))?;
            if cut.is_empty() { NONE.to_string() } else { cut.into_iter().collect::<Vec<_>>().join(" ") }
        }
        TaskKind::Order { event } => trees(&mut own, command(task))?.1.order(*event).join(" "),
        TaskKind::Values => {
            let tree = trees(&mut own, command(task))?.1;
            let pairs = tree.values.iter().map(|(&index, value)| format!("{}={value}", tree.nodes[index].name));
            pairs.collect::<Vec<_>>().join(" ")
        }
        TaskKind::Choice { choices } => right_choices(&mut own, choices)?.join(" "),
        TaskKind::Lesson { steps } => {
            let lines: Vec<&str> = steps.iter().map(|step| step.line.as_str()).collect();
            lines.join("\n")
        }
        TaskKind::Text { .. } | TaskKind::File { .. } => String::new(),
    })
}

/// What the command of a task answers in its position, as text.
///
/// # Errors
/// If the task cannot be asked.
pub(crate) fn computed(session: &Session, task: &Task) -> Result<String, CommandError> {
    let mut own = position(session, task)?;
    let answer = answer_line(&mut own, command(task))?;
    Ok(render::text(&answer, Paint::Plain, own.dialect()))
}

/// A session with the game of a task in its position.
///
/// # Errors
/// If the game cannot be loaded, or a line fails.
pub(crate) fn position(session: &Session, task: &Task) -> Result<Session, CommandError> {
    let mut own = session.apart(task.folder.as_deref(), Vec::new(), task.time);
    if let Some(game) = &task.game {
        own.load(game)?;
    }
    begin(&mut own, task)?;
    Ok(own)
}

/// Runs the lines that lead to the position of a task.
pub(crate) fn begin(session: &mut Session, task: &Task) -> Result<(), CommandError> {
    task.begin.iter().try_for_each(|line| answer_line(session, line).map(drop))
}

/// The text of an answer that a task names: of written ones the content of the file, or of the sheet of the library.
///
/// # Errors
/// If the file cannot be read.
pub fn written(task: &Task, answer: &str) -> Result<String, CommandError> {
    if !task.is_written() {
        return Ok(answer.to_string());
    }
    if let Some(sheet) = LibrarySheet::find(answer).or_else(|| LibrarySheet::find_heuristic(answer)) {
        return Ok(sheet.text.to_string());
    }
    let unreadable = |error| CommandError::Unreadable { file: answer.to_string(), error };
    let Some(folder) = &task.folder else {
        // Without a folder no file of this machine can be named.
        let file = LibrarySheet::find_course(&Path::new(FOLDER).join(answer));
        return file.map(|file| file.text.to_string()).ok_or_else(|| unreadable(io::ErrorKind::NotFound.into()));
    };
    InputLimit::default().read_text(&below(folder, answer)).map_err(unreadable)
}

/// The text that a student begins with; empty if the task has none.
///
/// # Errors
/// If its file cannot be read.
pub(crate) fn draft(task: &Task) -> Result<String, CommandError> {
    task.draft.as_ref().map_or(Ok(String::new()), |file| written(task, file))
}

/// The problems of a task: its own solution must be right, and its wrong answers wrong.
pub fn problems(session: &Session, task: &Task) -> Vec<String> {
    let mut problems = Vec::new();
    let solution = match solution(session, task) {
        Ok(solution) => solution,
        Err(error) => return vec![format!("the solution cannot be computed: {error}")],
    };
    match judge(session, task, &solution) {
        Ok(Judgement { is_right: true, .. }) => {}
        Ok(Judgement { text, .. }) => problems.push(format!("its own solution is judged wrong: {text}")),
        Err(error) => problems.push(format!("its own solution cannot be judged: {error}")),
    }
    for wrong in &task.wrong {
        match written(task, wrong).and_then(|text| judge(session, task, &text)) {
            Ok(Judgement { is_right: false, .. }) => {}
            Ok(Judgement { is_right: true, .. }) => {
                problems.push(format!("the wrong answer `{wrong}` is judged right"))
            }
            Err(error) => problems.push(format!("the wrong answer `{wrong}` cannot be judged: {error}")),
        }
    }
    if task.wrong.is_empty() {
        problems.push("it has no `wrong` answer that the judge could refuse".to_string());
    }
    problems
}

fn command(task: &Task) -> &str {
    task.command.as_deref().unwrap_or_default()
}

/// A fault of a written answer is what is wrong with it; an interrupt says nothing of it.
fn fault_of_file(error: CommandError, task: &Task) -> Result<Judgement, CommandError> {
    match error.stop() {
        Some(Stop::Interrupted) => Err(error),
        Some(stop) => Ok(Judgement::wrong(format!("{stop}, after at most {} s", task.time.as_secs()))),
        None => Ok(Judgement::wrong(render::error(&error, Paint::Plain).trim_end())),
    }
}

/// What a student writes, in sentences about it.
const YOURS: &str = "your answer";

/// An answer that names each of some words once, with commas between them.
fn permutation(words: &[String], answer: &str) -> Result<String, CommandError> {
    let known = || words.iter().map(String::as_str);
    let named: Vec<&str> = typed::words(answer).map(|word| meant(word, known())).collect();
    let is_one = |word: &str| named.iter().filter(|named| **named == word).count() == 1;
    if named.len() != words.len() || !known().all(is_one) {
        let problem = format!("the answer names each of {} once, with commas between them", words.join(", "));
        return Err(CommandError::refused(problem));
    }
    Ok(named.join(","))
}

/// The moves that an answer names. No move begins with a capital letter, so words that do are meant without it.
fn typed_moves(session: &mut Session, answer: &str) -> Result<Vec<GroundTerm>, CommandError> {
    let moves = typed::words(answer).collect::<Vec<_>>().join(" ");
    let read = read::list(&moves).or_else(|_| read::list(&moves.to_lowercase()));
    read.or_else(|_| {
        let mut legal = legal_moves(session)?;
        legal.truncate(MOST_NAMED);
        let legal: Vec<String> = legal.iter().map(ToString::to_string).collect();
        Err(CommandError::refused(format!("`{answer}` names no moves, such as {}", alternatives(&legal))))
    })
}

/// The legal moves that are named as examples.
const MOST_NAMED: usize = 3;

/// The legal moves of the role that has a choice.
fn legal_moves(session: &mut Session) -> Result<Vec<GroundTerm>, CommandError> {
    let legal = session.current()?.joint_moves()?;
    let role = legal.choosing().first().copied().unwrap_or(Role::new(0));
    let (reasoner, _) = session.current()?.position();
    Ok(legal.legal(role).iter().map(|&legal| reasoner.move_term(legal)).collect())
}

fn judge_move(session: &mut Session, command: &str, answer: &str) -> Result<Judgement, CommandError> {
    let moves = typed_moves(session, answer)?;
    let [chosen] = &moves[..] else {
        return Err(CommandError::refused(format!("the answer is one move, and these are {}", moves.len())));
    };
    let best = number(session, command, None)?;
    match answer_line(session, &format!("do {chosen}")) {
        Ok(_) => {}
        Err(error @ CommandError::IllegalMove { .. }) => return Ok(Judgement::wrong(error.to_string())),
        Err(error) => return Err(error),
    }
    let [value, best] = [number(session, command, None)?, best].map(value_text);
    Ok(if value == best {
        Judgement::right(format!("`{chosen}` is worth {value}, and no move is worth more"))
    } else {
        Judgement::wrong(format!("`{chosen}` is worth {value}, and another move is worth more"))
    })
}

fn judge_plan(session: &mut Session, wants: &[PlanWish], answer: &str) -> Result<Judgement, CommandError> {
    let moves: Vec<String> = typed_moves(session, answer)?.iter().map(ToString::to_string).collect();
    let checked = answer_line(session, &format!("plan check {}", moves.join(" ")))?;
    let plan = checked.downcast_ref::<CheckedPlan>().expect("`plan check` answers with a plan that was checked");
    for &PlanWish { property, is_wanted } in wants {
        let word = property.word();
        match plan.has(property) {
            Some(has) if has == is_wanted => {}
            Some(true) => return Ok(Judgement::wrong(format!("the plan is {word}, and this one must not be"))),
            Some(false) | None => {
                let text = render::text(&checked, Paint::Plain, session.dialect());
                let row = text.lines().find_map(|line| line.strip_prefix(word)).unwrap_or_default().trim();
                let row = row.strip_prefix("no: ").unwrap_or(row);
                return Ok(Judgement::wrong(format!("the plan is not {word}: {row}")));
            }
        }
    }
    let wanted: Vec<String> =
        wants
            .iter()
            .map(|wish| {
                if wish.is_wanted { wish.property.word().to_string() } else { format!("not {}", wish.property.word()) }
            })
            .collect();
    Ok(Judgement::right(format!("the plan is {}", wanted.join(", "))))
}

/// The field of a number that stands for the power of ten.
const LOG10: &str = "log10";

fn judge_number(
    session: &mut Session,
    command: &str,
    field: Option<&str>,
    answer: &str,
) -> Result<Judgement, CommandError> {
    let given = TypedNumber::read(answer)?;
    let given = if field == Some(LOG10) { given.logarithm() } else { given };
    let right = number(session, command, field)?;
    if given.is_rounded_too_far(right) {
        let problem = format!("{answer} is rounded too far: two digits after the point are needed, or a fraction");
        return Err(CommandError::refused(problem));
    }
    Ok(match given {
        TypedNumber { value, .. } if given.is(right) => {
            let exact = if (value - right).abs() < CLOSE { String::new() } else { format!("; exactly {right}") };
            Judgement::right(format!("it is {answer}{exact}"))
        }
        TypedNumber { value, .. } if value > right => Judgement::wrong(format!("{answer} is too large")),
        _ => Judgement::wrong(format!("{answer} is too small")),
    })
}

/// Judges lines, one for each step, in the order in which they were typed.
fn judge_lesson(session: &mut Session, steps: &[LessonStep], answer: &str) -> Judgement {
    let mut lines = answer.lines();
    for (number, step) in (1..).zip(steps) {
        let Some(line) = lines.next() else {
            return Judgement::wrong(format!("a line for step {number} of {} is missing", steps.len()));
        };
        let result = answer_line(session, line);
        if !is_solved(session, step, line, &result) {
            return Judgement::wrong(format!(
                "`{line}` does not solve step {number} of {}: {}",
                steps.len(),
                step.hint
            ));
        }
    }
    match lines.next() {
        None => Judgement::right(format!("{} solved", counted_as(steps.len() as u64, "step is", "steps are"))),
        Some(line) => Judgement::wrong(format!("`{line}` is more than the {} steps", steps.len())),
    }
}

fn judge_choice(session: &mut Session, choices: &[StatedChoice], answer: &str) -> Result<Judgement, CommandError> {
    // A letter is written as it stands before its statement, or the statement is.
    let letter = answer.trim_matches(['(', ')', '.', ':', ' ']);
    let is_chosen =
        |choice: &&StatedChoice| choice.name.eq_ignore_ascii_case(letter) || choice.text.eq_ignore_ascii_case(answer);
    let chosen = choices.iter().find(is_chosen).ok_or_else(|| {
        let names: Vec<&str> = choices.iter().map(|choice| choice.name.as_str()).collect();
        CommandError::refused(format!("the answer is the letter of a statement: {}", alternatives(&names)))
    })?;
    Ok(match refutation(session, chosen)? {
        None => Judgement::right(chosen.text.clone()),
        Some(why) => Judgement::wrong(why),
    })
}

/// Why a statement is not true. A command without an answer, such as a search without a plan, does not confirm it.
fn refutation(session: &mut Session, choice: &StatedChoice) -> Result<Option<String>, CommandError> {
    match failure(session, &choice.when, "") {
        Err(error) if error.stop().is_none() => Ok(Some(error.to_string())),
        // The number that a statement would need says nothing to who has not chosen it.
        Ok(Some(_)) if choice.when.because.is_some() => Ok(choice.when.because.clone()),
        found => found,
    }
}

fn right_choices<'t>(session: &mut Session, choices: &'t [StatedChoice]) -> Result<Vec<&'t str>, CommandError> {
    let mut right = Vec::new();
    for choice in choices {
        if refutation(session, choice)?.is_none() {
            right.push(choice.name.as_str());
        }
    }
    match right.len() {
        1 => Ok(right),
        number => Err(CommandError::refused(format!("{number} of its choices hold, and one should"))),
    }
}

fn judge_conditions(
    session: &mut Session,
    conditions: &[TaskCondition],
    answer: &str,
) -> Result<Judgement, CommandError> {
    for condition in conditions {
        if let Some(why) = failure(session, condition, answer)? {
            return Ok(Judgement::wrong(why));
        }
    }
    Ok(Judgement::right("all that was asked for holds"))
}

fn judge_file(
    session: &Session,
    task: &Task,
    content: WrittenContent,
    model: Option<&str>,
    conditions: &[TaskCondition],
    text: &str,
) -> Result<Judgement, CommandError> {
    let name = task.answer_name();
    let mut own = session.apart(task.folder.as_deref(), vec![Source::new(name, text)], task.time);
    match content {
        WrittenContent::Sheet | WrittenContent::Layout => drop(own.load(name)?),
        WrittenContent::Heuristic | WrittenContent::Evaluation => {
            own.load(task.game.as_deref().unwrap_or_default())?;
        }
    }
    begin(&mut own, task)?;
    // Conditions say why in words, so they come first.
    let judged = judge_conditions(&mut own, conditions, name)?;
    if judged.is_right
        && let Some(model) = model
        && let Some(why) = difference(&mut own, model)?
    {
        return Ok(Judgement::wrong(why));
    }
    Ok(judged)
}

/// The moves of a plan that was found.
fn moves_of(answer: &Answer) -> Vec<String> {
    let json = to_json(answer);
    let moves = json.get("moves").and_then(Value::as_array).into_iter().flatten();
    moves.filter_map(Value::as_str).map(str::to_string).collect()
}

/// The first legal move that is judged right.
fn best_move(session: &mut Session, command: &str) -> Result<String, CommandError> {
    for chosen in legal_moves(session)? {
        let chosen = chosen.to_string();
        if session.in_fork(|fork| judge_move(fork, command, &chosen))?.is_right {
            return Ok(chosen);
        }
    }
    Err(CommandError::refused(format!("after no move `{command}` has the value that it has before")))
}
