//! Renders answers and errors as text for people, and as JSON for programs. Nothing here prints.

pub(super) mod contest;
mod help;
mod lesson;
mod narrated;
mod position;
mod runs;
mod search;
mod trace;

use super::CommandError;
use super::answer::text::{joined, line, lines, table, terms};
use super::answer::{
    Answer, AnswerView, Dependencies, GameEntry, GoalValue, Info, LegalMoves, Listed, ListedClause, Loaded,
    MeanUtility, Percepts, PlayoutAnswer, Playouts, Ply, Resumed, RoleMove, Solutions, Viewed,
};
use super::answer::{
    analysed, best, compared, counted, deliberated, evaluated, explained, judged, network, simulated, tournament,
};
use super::command::JSON;
use super::lesson::LessonRemark;
use crate::diagnostic::render::{Paint, count, mistake, report};
use crate::engine::{FeatureError, LoadError, OriginError};
pub use crate::fit::WIDTH;
use crate::interpreter::explain::render as explanation;
pub(crate) use crate::quantity::grouped;
use crate::quantity::{counted, counted_as};
use crate::search::Sums;
use crate::syntax::Dialect;
pub(crate) use position::position;
use position::{boards_text, drawn_text, result_text};
use serde::Serialize;

/// An answer as text, with its terms in a dialect: whole lines, or the empty text. Prose is wrapped, and boards are
/// cut, at [`WIDTH`].
pub fn text(answer: &Answer, paint: Paint, dialect: Dialect) -> String {
    text_within(answer, paint, dialect, WIDTH)
}

/// As [`text()`], with prose wrapped, and boards cut, at a width.
pub fn text_within(answer: &Answer, paint: Paint, dialect: Dialect, width: usize) -> String {
    viewed(answer, &AnswerView::default(), paint, dialect, width)
}

/// An answer as text that shows what a command asked for.
fn viewed(answer: &Answer, view: &AnswerView, paint: Paint, dialect: Dialect, width: usize) -> String {
    match answer {
        Answer::Viewed(Viewed { view, answer }) => viewed(answer, view, paint, dialect, width),
        Answer::Nothing | Answer::Quit => String::new(),
        Answer::Help(page) => help::help(page, dialect, width),
        Answer::Lesson(reply) => lesson::reply(reply, width),
        Answer::Games { games, heuristics } => {
            let entries = |entries: &[GameEntry]| {
                let rows = entries.iter().map(|entry| (entry.name.to_string(), entry.summary.to_string()));
                help::definitions(rows, 0, width)
            };
            entries(games) + "\nheuristics, to be added to a game:\n" + &entries(heuristics)
        }
        Answer::Loaded(loaded) => line(loaded_text(loaded)),
        Answer::Resumed(Resumed { loaded, position: shown }) => {
            line(loaded_text(loaded)) + &position(shown, paint, dialect, width)
        }
        Answer::Filmed { files, frames } => {
            let frames = counted_as(*frames as u64, "frame", "frames");
            files.iter().map(|file| line(format!("{file}: {frames}"))).collect()
        }
        Answer::Saved { file, game, plies } => {
            line(format!("{file}: {game}, {}", counted_as(*plies as u64, "ply", "plies")))
        }
        Answer::SavedRules { file, game, clauses } => line(format!("{file}: {game}, {clauses} clauses")),
        Answer::Info(info) => info_text(info),
        Answer::Checked(checked) => {
            let summary = format!("{}: {}\n", checked.source.name(), count(&checked.diagnostics));
            report(&checked.diagnostics, &checked.source, paint) + &summary
        }
        Answer::Roles { roles } => lines(roles, dialect),
        Answer::State { drawn: Some(drawn), .. } => drawn_text(drawn, paint, dialect, width),
        Answer::State { facts, drawn: None } => lines(facts, dialect),
        Answer::Boards(boards) => boards_text(boards, paint, dialect, width),
        Answer::Position(shown) => position(shown, paint, dialect, width),
        Answer::History { plies } => history_text(plies, dialect),
        Answer::Playout(playout) => playout_text(playout, dialect),
        Answer::Playouts(playouts) => playouts_text(playouts),
        Answer::Simulated(answer) => simulated::text(answer, dialect),
        Answer::Format { dialect } => line(dialect.name().to_string()),
        Answer::BoardSetting { on: true } => line("positions are drawn when they change".to_string()),
        Answer::BoardSetting { on: false } => line("positions are drawn only by `show` and `board`".to_string()),
        Answer::Fen { position } => line(position.clone()),
        Answer::Watched(watched) => {
            joined(watched.positions.iter().map(|shown| position(shown, paint, dialect, width)), "\n")
        }
        Answer::Seed { seed } => line(seed.to_string()),
        Answer::Sees { roles, .. } => roles
            .iter()
            .map(|Percepts { role, percepts }| match &percepts[..] {
                [] => line(format!("{role}: nothing")),
                _ => line(format!("{role}: {}", terms(percepts, ", ", dialect))),
            })
            .collect(),
        Answer::Legal { roles } => roles
            .iter()
            .map(|LegalMoves { role, moves }| line(format!("{role}: {}", terms(moves, ", ", dialect))))
            .collect(),
        Answer::Goal { goals } => goals.iter().map(|goal| line(goal_text(goal)) + &goal_parts(goal)).collect(),
        Answer::Truth { holds, .. } => line(holds.to_string()),
        Answer::Solutions(solutions) => solutions_text(solutions, dialect),
        Answer::Compared(compared) => compared::text(compared),
        Answer::Tournament(answer) => tournament::text(answer),
        Answer::Analysed(answer) => analysed::text(answer, dialect),
        Answer::Best(answer) => best::heading(answer) + &text_within(&answer.answer, paint, dialect, width),
        Answer::Search(search) => search::search(search, view, dialect),
        Answer::Deliberated(answer) => deliberated::text(answer, dialect),
        Answer::Prospects(prospects) => deliberated::prospects_text(prospects, dialect),
        Answer::Runs(runs) => runs::runs(runs, view, dialect),
        Answer::ShownPlan(plan) => runs::shown_plan(plan, paint, dialect, width),
        Answer::CheckedPlan(plan) => judged::plan_text(plan, dialect),
        Answer::ComparedPlans { plans } => judged::plans_text(plans, dialect),
        Answer::CheckedHeuristic(heuristic) => judged::heuristic_text(heuristic, dialect),
        Answer::EstimatedTree(estimated) => counted::estimated_text(estimated),
        Answer::EstimatedLayers(layers) => counted::layers_text(layers),
        Answer::ExplainedEvaluation(explained) => evaluated::evaluation_text(explained),
        Answer::Replanned(replanned) => evaluated::replanned_text(replanned, dialect),
        Answer::Network(part) => network::text(part, dialect),
        Answer::Explained(explained) => explanation::text(&explained.why, &explained.source, explained.depth),
        Answer::Rules { relations } => rules_text(relations),
        Answer::Depends(Dependencies { relations, graphs, file }) => match &graphs[..] {
            [] => relations.iter().map(|found| explained::dependencies_text(found, file)).collect(),
            graphs => graphs.concat(),
        },
        Answer::Solved(solved) => search::solved(solved, view.full, dialect),
        Answer::Tree(counted) => counted::tree_text(counted),
        Answer::Depths(counted) => counted::depths_text(counted, dialect),
        Answer::Engine { engine } => line(engine.to_string()),
        Answer::Timed { seconds, answer } => {
            text_within(answer, paint, dialect, width) + &line(search::timed(*seconds, answer))
        }
        Answer::Json { answer } => json(answer),
        Answer::AsExpected => line("as expected".to_string()),
    }
}

/// What a lesson says of a line: whole lines, after an empty one.
pub fn remark(remark: &LessonRemark, width: usize) -> String {
    lesson::remark(remark, width)
}

/// An error as text: whole lines. Problems of a rule sheet or a query are shown with carets.
pub fn error(error: &CommandError, paint: Paint) -> String {
    match error {
        CommandError::Load(LoadError::Rejected { source_text, diagnostics })
        | CommandError::Load(LoadError::Origin(OriginError::NoTree { source_text, diagnostics, .. }))
        | CommandError::Feature(FeatureError::Rejected { source_text, diagnostics }) => {
            report(diagnostics, source_text, paint) + &headline(error, paint)
        }
        CommandError::Mistyped { text, span, problem, help } => mistake(problem, *span, help.as_deref(), text, paint),
        CommandError::Syntax { text, diagnostics } if !diagnostics.is_empty() => report(diagnostics, text, paint),
        _ => headline(error, paint),
    }
}

/// A line that begins with `error:`.
pub(crate) fn headline(error: &dyn std::fmt::Display, paint: Paint) -> String {
    talk("error", anstyle::AnsiColor::Red, error, paint)
}

/// A line that begins with `note:`.
pub fn note(note: &dyn std::fmt::Display, paint: Paint) -> String {
    talk("note", anstyle::AnsiColor::Cyan, note, paint)
}

/// A line that begins with `warning:`.
pub fn warning(warning: &dyn std::fmt::Display, paint: Paint) -> String {
    talk("warning", anstyle::AnsiColor::Yellow, warning, paint)
}

fn talk(kind: &str, colour: anstyle::AnsiColor, message: &dyn std::fmt::Display, paint: Paint) -> String {
    match paint {
        Paint::Plain => format!("{kind}: {message}\n"),
        Paint::Coloured => {
            let style = anstyle::Style::new().bold().fg_color(Some(colour.into()));
            format!("{style}{kind}{style:#}: {message}\n")
        }
    }
}

/// A value as a JSON object on one line.
pub(crate) fn json(value: &impl Serialize) -> String {
    line(serde_json::to_string(value).expect("answers have string keys and no maps that could fail"))
}

/// A command and its result as one JSON object.
#[derive(Serialize)]
pub struct Record<'a> {
    /// The file that contains the command, if it is in one.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(crate) file: Option<&'a str>,
    /// The line in the file, from 1.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(crate) line: Option<usize>,
    /// The text of the command.
    pub(crate) command: &'a str,
    /// The answer, if the command succeeded.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(crate) answer: Option<&'a Answer>,
    /// The error, if it failed.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(crate) error: Option<String>,
    /// The column of the command at which the error is, from 1, in characters.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(crate) column: Option<u32>,
    /// What the running lesson says of it.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(crate) lesson: Option<LessonRemark>,
}

impl<'a> Record<'a> {
    /// The record of a command that is not in a file.
    pub fn new(command: &'a str, result: &'a Result<Answer, CommandError>) -> Self {
        let error = result.as_ref().err().map(ToString::to_string);
        let column = result.as_ref().err().and_then(|error| error.column(command));
        Self { file: None, line: None, command, answer: result.as_ref().ok(), error, column, lesson: None }
    }

    /// The record with what a lesson says of the command.
    pub(crate) fn with_lesson(self, lesson: Option<LessonRemark>) -> Self {
        Self { lesson, ..self }
    }

    /// The JSON object on one line.
    pub fn to_line(&self) -> String {
        json(self)
    }
}

fn loaded_text(Loaded { game, roles, clauses, warnings }: &Loaded) -> String {
    let warnings = match warnings {
        0 => String::new(),
        1 => "; 1 warning (`check` shows it)".to_string(),
        _ => format!("; {warnings} warnings (`check` shows them)"),
    };
    let word = if roles.len() == 1 { "role" } else { "roles" };
    format!("{game}: {word} {}; {clauses} clauses{warnings}", joined(roles, ", "))
}

fn info_text(info: &Info) -> String {
    let promised = |count: Option<usize>, word| count.map_or("not given".to_string(), |count| counted(count, word));
    let clauses = info.facts + info.rules;
    let clauses = format!("{clauses}: {}, {}", counted(info.facts, "fact"), counted(info.rules, "rule"));
    let engine = match info.engine_in_use {
        Some(kind) if info.left_out.is_empty() => kind.to_string(),
        Some(kind) => format!("{kind} without {}, which would change the game", joined(&info.left_out, ", ")),
        None => format!("{}, set up when it is needed", info.engine),
    };
    let relations = match &info.relations[..] {
        [] => "none of its own".to_string(),
        relations => joined(relations, ", "),
    };
    let rows = [
        ("game", info.game.clone()),
        ("source", info.source.clone()),
        ("dialect", info.dialect.name().to_string()),
        ("engine", engine),
        ("roles", joined(&info.roles, ", ")),
        ("clauses", clauses),
        ("relations", relations),
        ("base", promised(info.base, "fact")),
        ("input", promised(info.input, "move")),
        ("warnings", grouped(info.warnings as u64)),
        ("kind", kind_text(info)),
    ];
    table(rows.into_iter().map(|(name, value)| (name.to_string(), value)))
}

/// The kind of game, with what visiting states has shown of it.
fn kind_text(info: &Info) -> String {
    let mut words = vec![counted(info.players, "player")];
    let survey = info.survey.as_ref();
    words.extend(survey.filter(|_| info.players + usize::from(info.chance) > 1).and_then(|survey| {
        match (survey.most_choosing, survey.complete) {
            (2.., _) => Some("simultaneous moves".to_string()),
            (_, true) => Some("turns".to_string()),
            (_, false) => None,
        }
    }));
    words.push(if info.chance { "chance" } else { "deterministic" }.to_string());
    words.push(if info.percepts { "imperfect information" } else { "perfect information" }.to_string());
    let Some(survey) = survey else { return joined(words, ", ") };
    let states = counted_as(survey.states, "state", "states");
    match survey.repeats {
        Some(true) => words.extend([format!("{states}, some of which repeat")]),
        Some(false) => words.extend(["finite".to_string(), states]),
        None => words.push(format!("more than {states}")),
    }
    if info.players > 1 {
        words.push(match (survey.sums, survey.complete) {
            (Sums::Different, _) => "the sum of the utilities is not constant".to_string(),
            (Sums::Constant(sum), true) => format!("the utilities sum to {sum}"),
            (Sums::Constant(sum), false) => format!("the utilities sum to {sum} as far as was seen"),
            (Sums::None, _) => "the sum of the utilities is unknown".to_string(),
        });
    }
    joined(words, ", ")
}

fn playout_text(PlayoutAnswer { plies, result }: &PlayoutAnswer, dialect: Dialect) -> String {
    let end = match result {
        Some(goals) => result_text(goals),
        None => line("the game did not end within the limit of moves".to_string()),
    };
    history_text(plies, dialect) + &end
}

fn playouts_text(Playouts { playouts, unfinished, plies, means, stopped }: &Playouts) -> String {
    let mut text = counted_as(*playouts, "game", "games");
    text += &format!(" of {:.2} plies on average", *plies as f64 / *playouts as f64);
    if *unfinished > 0 {
        text += &format!(", {} did not end", grouped(*unfinished));
    }
    if let Some(stop) = stopped {
        text += &format!(" ({stop})");
    }
    line(text) + &means.iter().map(|MeanUtility { role, mean }| line(format!("{role}: {mean:.2}"))).collect::<String>()
}

fn history_text(plies: &[Ply], dialect: Dialect) -> String {
    let row = |ply: &Ply| match &ply.set {
        Some(facts) => (ply.ply.to_string(), format!("set {}", terms(facts, " ", dialect))),
        None => (ply.ply.to_string(), joint_move_text(&ply.joint_move, dialect)),
    };
    if plies.is_empty() { line("no ply yet".to_string()) } else { table(plies.iter().map(row)) }
}

/// The joint move with its roles, or only the move if there is one role.
fn joint_move_text(joint_move: &[RoleMove], dialect: Dialect) -> String {
    match joint_move {
        [only] => only.chosen.display(dialect).to_string(),
        _ => {
            let show = |RoleMove { role, chosen }: &RoleMove| format!("{role} {}", chosen.display(dialect));
            joined(joint_move.iter().map(show), ", ")
        }
    }
}

/// The facts that a goal value rests on, a line for each.
fn goal_parts(goal: &GoalValue) -> String {
    let parts = goal.parts.iter().flatten();
    table(parts.map(|part| (format!("  {}", part.fact), joined(&part.rules, ", "))))
}

fn goal_text(GoalValue { role, value, problem, .. }: &GoalValue) -> String {
    match (value, problem) {
        (Some(utility), _) => format!("{role}: {utility}"),
        (None, problem) => format!("{role}: none ({})", problem.as_deref().unwrap_or("no value")),
    }
}

fn solutions_text(Solutions { variables, rows, .. }: &Solutions, dialect: Dialect) -> String {
    let mut text = String::new();
    for row in rows {
        let bindings = variables.iter().zip(row);
        let bindings = bindings.map(|(variable, value)| format!("{variable} = {}", value.display(dialect)));
        text += &line(joined(bindings, ", "));
    }
    text + &line(counted(rows.len(), "solution"))
}

fn rules_text(relations: &[Listed]) -> String {
    let mut text = String::new();
    for Listed { relation, clauses } in relations {
        text += &line(relation.clone());
        for ListedClause { at, text: clause } in clauses {
            text += &line(format!("  {}:{}  {clause}", at.line, at.column));
        }
    }
    let clauses: usize = relations.iter().map(|listed| listed.clauses.len()).sum();
    text + &line(format!("{} {}", grouped(clauses), if clauses == 1 { "clause" } else { "clauses" }))
}
