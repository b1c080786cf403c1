//! The judge of tasks: the engine computes what is right, and what is wrong with an answer.
//!
//! A task is judged in a session of its own, in which the task's game is loaded and its lines have led to the position.
//! A written answer is a text of that session; commands find it under the name that stands for `ANSWER`.

use super::super::answer_line;
use super::super::judge::CheckedPlan;
use super::super::learn::is_solved;
use super::condition::{failure, number, to_json};
use super::judgement::Judgement;
use super::nodes::{NONE, cut_leaves, judge_cut, judge_order, judge_values, trees};
use super::typed::{CLOSE, TypedNumber};
use crate::repl::answer::same::SameReport;
use crate::repl::course::task::{LessonStep, PlanWish, StatedChoice, TaskCondition, TaskKind, WrittenContent};
use crate::repl::course::{FOLDER, Task};
use crate::repl::{Answer, CommandError, Session, read, render};
use gdl::diagnostic::render::Paint;
use gdl::limits::Stop;
use gdl::quantity::counted_as;
use gdl::source::Source;
use gdl::suggestion::alternatives;
use ggp_engine::LibrarySheet;
use ggp_game::files::{InputLimit, below};
use ggp_game::{Reasoner, Role};
use ggp_play::{SameOptions, SameVerdict, same};
use ggp_search::events::value_text;
use serde_json::Value;
use std::io;
use std::path::Path;

/// The limits of a comparison with a game that the student's sheet has to be.
const SAME: SameOptions = SameOptions { states: 200_000, games: 200, seed: 0 };

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
        TaskKind::Text { conditions } => {
            // An option beside the answer could limit the search by which it is judged.
            if answer.contains(['\n', ';', '%', '#']) || answer.split_whitespace().any(|word| word.starts_with("--")) {
                return Err(CommandError::refused("the answer is one line, without `;`, comments and options"));
            }
            judge_conditions(&mut position(session, task)?, conditions, answer)
        }
        TaskKind::File { content, same, conditions } => {
            let judged = judge_file(session, task, *content, same.as_deref(), conditions, answer);
            judged.or_else(|error| fault_of_file(error, task))
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

fn judge_move(session: &mut Session, command: &str, answer: &str) -> Result<Judgement, CommandError> {
    let chosen = read::term(answer)?;
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
    let checked = answer_line(session, &format!("plan check {answer}"))?;
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

fn judge_number(
    session: &mut Session,
    command: &str,
    field: Option<&str>,
    answer: &str,
) -> Result<Judgement, CommandError> {
    let given = TypedNumber::read(answer)?;
    let right = number(session, command, field)?;
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
    let chosen = choices.iter().find(|choice| choice.name.eq_ignore_ascii_case(answer)).ok_or_else(|| {
        let names: Vec<&str> = choices.iter().map(|choice| choice.name.as_str()).collect();
        CommandError::refused(format!("the answer is {}", alternatives(&names)))
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

/// What makes the loaded game another one than a model; `None` if nothing does.
fn difference(session: &mut Session, model: &str) -> Result<Option<String>, CommandError> {
    let mut model = session.open(model)?;
    let written = session.current()?;
    let interrupt = model.game.limits().clone();
    let mut go_on = |_| interrupt.check().is_ok();
    let verdict = same(&mut written.game, &mut model.game, &SAME, &mut go_on)
        .map_err(|error| CommandError::refused(error.to_string()))?;
    let is_same = matches!(verdict, SameVerdict::SameRules(_) | SameVerdict::SameStates { .. });
    let report = SameReport { first: &written.game, second: &model.game, verdict: &verdict };
    Ok((!is_same).then(|| report.text().trim_end().to_string()))
}

/// The moves of a plan that was found.
fn moves_of(answer: &Answer) -> Vec<String> {
    let json = to_json(answer);
    let moves = json.get("moves").and_then(Value::as_array).into_iter().flatten();
    moves.filter_map(Value::as_str).map(str::to_string).collect()
}

/// The first legal move that is judged right.
fn best_move(session: &mut Session, command: &str) -> Result<String, CommandError> {
    let legal = session.current()?.joint_moves()?;
    let role = legal.choosing().first().copied().unwrap_or(Role::new(0));
    let (reasoner, _) = session.current()?.position();
    let moves: Vec<String> = legal.legal(role).iter().map(|&legal| reasoner.move_term(legal).to_string()).collect();
    for chosen in moves {
        if session.in_fork(|fork| judge_move(fork, command, &chosen))?.is_right {
            return Ok(chosen);
        }
    }
    Err(CommandError::refused(format!("after no move `{command}` has the value that it has before")))
}
