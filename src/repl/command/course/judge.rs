//! The judge of tasks: the engine computes what is right, and what is wrong with an answer.
//!
//! A task is judged in a session of its own, in which the task's game is loaded and its lines have led to the position.
//! A written answer is a text of that session; commands find it under the name that stands for `ANSWER`.

use super::super::judge::CheckedPlan;
use super::super::{answer_line, without_aspect};
use super::tree::VisitedTree;
use crate::repl::answer::same::SameReport;
use crate::repl::course::task::{
    ComparedNumber, ConditionTest, PlanWish, StatedChoice, TaskCondition, TaskKind, WrittenContent,
};
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
use std::collections::{BTreeMap, BTreeSet};
use std::path::Path;

/// The word of conditions that stands for the answer.
const ANSWER: &str = "ANSWER";

/// The difference up to which two numbers are equal.
const CLOSE: f64 = 1e-9;

/// The limits of a comparison with a game that the student's sheet has to be.
const SAME: SameOptions = SameOptions { states: 200_000, games: 200, seed: 0 };

/// The judgement of an answer.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Judgement {
    /// True if the answer is right.
    pub is_right: bool,
    /// What is wrong with it, or what else can be said of it.
    pub text: String,
}

impl Judgement {
    fn right(text: impl Into<String>) -> Self {
        Self { is_right: true, text: text.into() }
    }

    fn wrong(text: impl Into<String>) -> Self {
        Self { is_right: false, text: text.into() }
    }
}

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
    let path = below(task.folder.as_deref().unwrap_or(Path::new(FOLDER)), answer);
    let unreadable = |error| CommandError::Unreadable { file: answer.to_string(), error };
    InputLimit::default().read_text(&path).map_err(unreadable)
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

/// The word for no leaves.
const NONE: &str = "none";

fn judge_cut(session: &mut Session, command: &str, answer: &str) -> Result<Judgement, CommandError> {
    let whole = whole(session, command)?;
    let cut = cut_of(session, command, &whole)?;
    let named: BTreeSet<&str> = if answer == NONE { BTreeSet::new() } else { words(answer).collect() };
    let leaves: BTreeSet<&str> = whole.leaves().collect();
    if let Some(other) = named.iter().find(|name| !leaves.contains(*name)) {
        return Err(CommandError::refused(format!("`{other}` is no leaf of the tree")));
    }
    if let Some(visited) = named.iter().find(|name| !cut.contains(**name)) {
        return Ok(Judgement::wrong(format!("`{visited}` is not cut: the search evaluates it")));
    }
    Ok(match cut.len() - named.len() {
        0 => Judgement::right(format!("{} cut", counted_as(cut.len() as u64, "leaf is", "leaves are"))),
        missing => {
            let more = counted_as(missing as u64, "further leaf is", "further leaves are");
            Judgement::wrong(format!("the leaves that you name are cut, but {more}"))
        }
    })
}

fn judge_order(order: &[&str], tree: &VisitedTree, answer: &str) -> Result<Judgement, CommandError> {
    let named: Vec<&str> = words(answer).collect();
    if let Some(other) = named.iter().find(|name| !tree.nodes.iter().any(|node| node.name == **name)) {
        return Err(CommandError::refused(format!("`{other}` is no node of the tree")));
    }
    let right = named.iter().zip(order).take_while(|(named, right)| named == right).count();
    Ok(match (named.get(right), order.get(right)) {
        (None, None) => Judgement::right(format!("{} in this order", counted_as(right as u64, "node", "nodes"))),
        (None, Some(_)) => Judgement::wrong(format!(
            "{} in order, but the search comes to more",
            counted_as(right as u64, "node is", "nodes are")
        )),
        (Some(wrong), Some(_)) => {
            Judgement::wrong(format!("node {}, `{wrong}`, is the first that is out of order", right + 1))
        }
        (Some(wrong), None) => Judgement::wrong(format!("the search does not come to `{wrong}`, number {}", right + 1)),
    })
}

fn judge_values(tree: &VisitedTree, answer: &str) -> Result<Judgement, CommandError> {
    let mut given = BTreeMap::new();
    for pair in answer.split_whitespace() {
        let (name, value) = pair
            .split_once('=')
            .ok_or_else(|| CommandError::refused(format!("`{pair}` is not of the form NODE=VALUE")))?;
        let index = tree.nodes.iter().position(|node| node.name == name && node.value.is_none());
        let index = index.ok_or_else(|| CommandError::refused(format!("`{name}` is no inner node of the tree")))?;
        given.insert(index, value.trim_matches(['(', ')']));
    }
    // From the leaves up: a wrong value is first told where it begins.
    for (&index, right) in tree.values.iter().rev() {
        let name = &tree.nodes[index].name;
        let Some(value) = given.get(&index) else {
            return Ok(Judgement::wrong(format!("the value of `{name}` is missing")));
        };
        if !is_value(value, right)? {
            return Ok(Judgement::wrong(format!("`{name}` is not worth {value}")));
        }
    }
    Ok(Judgement::right(format!("{} right", counted_as(tree.values.len() as u64, "value is", "values are"))))
}

/// True if a typed value is that of a node; tuples have commas.
fn is_value(typed: &str, right: &str) -> Result<bool, CommandError> {
    let (typed, right): (Vec<&str>, Vec<&str>) = (typed.split(',').collect(), right.split(',').collect());
    if typed.len() != right.len() {
        return Ok(false);
    }
    let mut pairs = typed.iter().zip(&right);
    pairs.try_fold(true, |so_far, (typed, right)| {
        let typed = TypedNumber::read(typed)?;
        Ok(so_far && right.parse().is_ok_and(|right| typed.is(right)))
    })
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
    if let Some(model) = model
        && let Some(why) = difference(&mut own, model)?
    {
        return Ok(Judgement::wrong(why));
    }
    begin(&mut own, task)?;
    judge_conditions(&mut own, conditions, name)
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

/// Why a condition does not hold; `None` if it does.
fn failure(session: &mut Session, condition: &TaskCondition, answer: &str) -> Result<Option<String>, CommandError> {
    let found = match &condition.test {
        ConditionTest::Expect(line) => {
            let line = line.replace(ANSWER, answer);
            match session.in_fork(|fork| answer_last(fork, &line, "expect ")) {
                Ok(_) => return Ok(None),
                Err(CommandError::Unmet { expected, found }) => unmet(session, &line, &expected, &found),
                Err(error) => return Err(error),
            }
        }
        ConditionTest::Less { left, right } => {
            let (less, less_text) = compared(session, left, answer)?;
            let (more, more_text) = compared(session, right, answer)?;
            if less < more {
                return Ok(None);
            }
            format!("{less_text} is not below {more_text}")
        }
    };
    Ok(Some(match &condition.because {
        Some(because) => format!("{because}: {found}"),
        None => found,
    }))
}

/// What is wrong with an answer that differs from the expected one. Of a check that is the whole of its answer, which
/// tells the first state where it fails.
fn unmet(session: &mut Session, line: &str, expected: &str, found: &str) -> String {
    let short = format!("`{line}`: expected {expected}, and it is {found}");
    let checked = session.in_fork(|fork| answer_last(fork, without_aspect(line), ""));
    match checked {
        Ok(answer) if answer.is_no() => {
            let text = render::text(&answer, Paint::Plain, session.dialect());
            format!("`{line}`:\n{}", text.trim_end())
        }
        _ => short,
    }
}

/// A side of a comparison, with its text.
fn compared(session: &mut Session, side: &ComparedNumber, answer: &str) -> Result<(f64, String), CommandError> {
    match side {
        ComparedNumber::Number(number) => Ok((*number, value_text(*number))),
        ComparedNumber::Answer { field, command } => {
            let command = command.replace(ANSWER, answer);
            let number = number(session, &command, Some(field))?;
            Ok((number, format!("{} ({field} of `{command}`)", value_text(number))))
        }
    }
}

/// Answers lines with `;` between them; `before` stands before the last one, whose answer is returned.
fn answer_last(session: &mut Session, lines: &str, before: &str) -> Result<Answer, CommandError> {
    let lines = read::split_outside_parentheses(lines, ';');
    let Some((last, others)) = lines.split_last() else { return answer_line(session, "") };
    for line in others {
        answer_line(session, line)?;
    }
    answer_line(session, &format!("{before}{last}"))
}

/// The number of a command's answer at a path of its JSON; without a path its value.
fn number(session: &mut Session, command: &str, field: Option<&str>) -> Result<f64, CommandError> {
    let answer = session.in_fork(|fork| answer_last(fork, command, ""))?;
    // A depth limit is part of the question; any other one leaves it unanswered.
    if let Some(stop) = answer.stopped().filter(|stop| !matches!(stop, Stop::Depth { .. })) {
        return Err(CommandError::Stopped { stop, cost: None });
    }
    let json = to_json(&answer);
    let found = match field {
        Some(path) => path.split('.').try_fold(&json, |value, part| match value {
            Value::Array(items) => items.get(part.parse::<usize>().ok()?),
            value => value.get(part),
        }),
        None => ["utility", "estimate", "mean", "value"].iter().find_map(|name| json.get(name)),
    };
    let found = match found {
        // A list stands for its length.
        Some(Value::Array(items)) => Some(items.len() as f64),
        found => found.and_then(Value::as_f64),
    };
    found.ok_or_else(|| {
        let wanted = field.map_or("value".to_string(), |path| format!("number `{path}`"));
        CommandError::refused(format!("the answer of `{command}` has no {wanted}"))
    })
}

fn to_json(answer: &Answer) -> Value {
    serde_json::to_value(answer).unwrap_or_default()
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

/// The whole tree of a position.
fn whole(session: &mut Session, command: &str) -> Result<VisitedTree, CommandError> {
    let tree = session.in_fork(VisitedTree::whole);
    tree.ok_or_else(|| CommandError::refused(format!("the tree that `{command}` prunes is too large")))
}

/// The whole tree, if it is small enough, and the part that a command visits.
fn trees(session: &mut Session, command: &str) -> Result<(Option<VisitedTree>, VisitedTree), CommandError> {
    let whole = session.in_fork(VisitedTree::whole);
    let visited = session.in_fork(|fork| VisitedTree::visited_by(fork, command, whole.as_ref()))?;
    Ok((whole, visited))
}

fn cut_leaves(session: &mut Session, command: &str) -> Result<BTreeSet<String>, CommandError> {
    let whole = whole(session, command)?;
    cut_of(session, command, &whole)
}

/// The leaves that a search does not visit.
fn cut_of(session: &mut Session, command: &str, whole: &VisitedTree) -> Result<BTreeSet<String>, CommandError> {
    let visited = session.in_fork(|fork| VisitedTree::visited_by(fork, command, Some(whole)))?;
    let visited: BTreeSet<&str> = visited.nodes.iter().map(|node| node.name.as_str()).collect();
    Ok(whole.leaves().filter(|leaf| !visited.contains(leaf)).map(str::to_string).collect())
}

/// The words of an answer, with spaces or commas between them; a comma within parentheses belongs to a word.
fn words(answer: &str) -> impl Iterator<Item = &str> {
    read::all_outside_parentheses(answer, ',').into_iter().flat_map(str::split_whitespace)
}

/// A number that a student has typed.
#[derive(Clone, Copy, Debug)]
struct TypedNumber {
    value: f64,
    /// The digits after the point, up to which it may be rounded; `None` for a fraction.
    digits: Option<u32>,
}

impl TypedNumber {
    /// Reads a whole number, with commas or without, a decimal or a fraction.
    fn read(text: &str) -> Result<Self, CommandError> {
        let wrong = || CommandError::refused(format!("`{text}` is no number"));
        let plain: String = text.chars().filter(|c| !",'_ ".contains(*c)).collect();
        let parse = |text: &str| text.parse::<f64>().ok().filter(|number| number.is_finite()).ok_or_else(wrong);
        if let Some((above, below)) = plain.split_once('/') {
            let value = parse(above)? / parse(below)?;
            return if value.is_finite() { Ok(Self { value, digits: None }) } else { Err(wrong()) };
        }
        let digits = plain.split_once('.').map_or(0, |(_, digits)| digits.len());
        Ok(Self { value: parse(&plain)?, digits: u32::try_from(digits).ok() })
    }

    /// True if it is this number, or this number rounded to two digits or more.
    fn is(self, right: f64) -> bool {
        let difference = (self.value - right).abs();
        let rounded = self.digits.filter(|digits| *digits >= 2);
        let is_rounded = rounded.is_some_and(|digits| difference <= 0.5 * 0.1_f64.powi(digits as i32) + CLOSE);
        difference < CLOSE || is_rounded
    }
}
