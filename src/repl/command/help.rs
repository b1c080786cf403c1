//! Commands `help` and `quit`. Help derives from the table of commands, and runs the example of a command in a session
//! of its own to show its answer.

use super::{
    ArgumentKind, Arguments, Command, CommandGroup, GROUPS, JSON, OptionGroup, SHARED_OPTIONS, answer_line, commands,
    find,
};
use crate::repl::answer::text::definitions;
use crate::repl::answer::{AnswerContent, AnswerView, SessionEnd, TextStyle};
use crate::repl::{Answer, CommandError, Session};
use gdl::diagnostic::render::Paint;
use gdl::syntax::Dialect;
use ggp_draw::fit::{paragraph, wrapping};
use ggp_play::ask::spec::NamedOption;
use serde::Serialize;

pub(super) const HELP: Command = Command {
    name: "help",
    operands: "[GROUP|COMMAND|LIMITS|OUTPUT|?-]",
    summary: "list the commands, or explain a group of them, one of them, or options that they share",
    example: "help legal",
    takes: ArgumentKind::Topic,
    ..Command::for_rules(help)
};

pub(super) const QUIT: Command =
    Command { name: "quit", summary: "end the session", example: "quit", example_game: "", ..Command::for_rules(quit) };

/// The topic of `help` for queries, in addition to commands and groups.
const QUERY: &str = "?-";

fn help(session: &mut Session, arguments: &Arguments) -> Result<Answer, CommandError> {
    let topic = arguments.operands();
    if topic.is_empty() {
        return Ok(Answer::new(Help::Overview { groups: GROUPS.iter().map(named).collect() }));
    }
    if let Some(group) = GROUPS.iter().find(|group| group.name == topic) {
        return Ok(Answer::new(Help::Group(named(group))));
    }
    if let Some(group) = SHARED_OPTIONS.iter().find(|group| group.name.eq_ignore_ascii_case(topic)) {
        let options = group.options.iter().map(OptionEntry::for_option).collect();
        return Ok(Answer::new(Help::Options { name: group.name, help: group.help, options }));
    }
    if topic == QUERY {
        return Ok(Answer::new(Help::Query(query_example(session))));
    }
    // A command of several words, such as `plan check`, is explained as a whole.
    let command = find(topic.split_whitespace().next().unwrap_or(topic))?;
    Ok(Answer::new(Help::Command(explained(command, session))))
}

fn named(group: &CommandGroup) -> HelpGroup {
    let commands = group.commands.iter().map(|command| HelpEntry::for_command(command)).collect();
    HelpGroup { name: group.name, summary: group.summary, commands }
}

fn explained(command: &'static Command, session: &Session) -> HelpEntry {
    let group = GROUPS.iter().find(|group| group.commands.iter().any(|other| other.name == command.name));
    let others = group.into_iter().flat_map(|group| group.commands).map(|other| other.name);
    HelpEntry {
        example: Some(example(command, session)),
        options: command.options.iter().flat_map(OptionEntry::of_group).collect(),
        see: others.filter(|&name| name != command.name).collect(),
        group: group.map(|group| group.name),
        ..HelpEntry::for_command(command)
    }
}

/// All words that `help` accepts.
pub(crate) fn topics() -> impl Iterator<Item = &'static str> {
    let shared = SHARED_OPTIONS.iter().map(|group| group.name);
    let groups = GROUPS.iter().map(|group| group.name);
    commands().map(|command| command.name).chain(groups).chain(shared).chain([QUERY])
}

fn quit(_: &mut Session, _: &Arguments) -> Result<Answer, CommandError> {
    Ok(Answer::new(SessionEnd {}))
}

/// A page of help.
#[derive(Clone, Debug, Serialize)]
#[serde(tag = "page", rename_all = "snake_case")]
enum Help {
    /// All commands by group.
    Overview {
        /// The groups, in order.
        groups: Vec<HelpGroup>,
    },
    /// The commands of a group.
    Group(HelpGroup),
    /// A command with its options and its example.
    Command(HelpEntry),
    /// Options that several commands share.
    Options {
        /// The word for them in the usage of a command.
        name: &'static str,
        /// Their common effect.
        help: &'static str,
        options: Vec<OptionEntry>,
    },
    /// Queries, with an example.
    Query(Example),
}

/// A group of commands as described by `help`.
#[derive(Clone, Debug, Serialize)]
struct HelpGroup {
    name: &'static str,
    /// The common purpose of its commands.
    summary: &'static str,
    commands: Vec<HelpEntry>,
}

/// A command as described by `help`.
#[derive(Clone, Debug, Default, Serialize)]
struct HelpEntry {
    name: &'static str,
    /// The name with the arguments.
    usage: String,
    /// The effect of the command, in one sentence.
    summary: &'static str,
    /// An example, if only one command is described.
    #[serde(skip_serializing_if = "Option::is_none")]
    example: Option<Example>,
    /// Its options, if only one command is described.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    options: Vec<OptionEntry>,
    /// The other commands of its group, if only one command is described.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    see: Vec<&'static str>,
    /// The name of its group, if only one command is described.
    #[serde(skip_serializing_if = "Option::is_none")]
    group: Option<&'static str>,
}

/// An option as `help` describes it.
#[derive(Clone, Debug, Serialize)]
struct OptionEntry {
    /// Its name, with the name of its value: `--depth MOVES`.
    form: String,
    /// The effect of the option.
    help: &'static str,
    /// The value without it.
    #[serde(skip_serializing_if = "str::is_empty")]
    default: &'static str,
    /// The word that stands for its group in the usage; empty for an option of this command alone.
    #[serde(skip_serializing_if = "str::is_empty")]
    group: &'static str,
}

impl HelpEntry {
    /// A command in a line.
    fn for_command(command: &Command) -> Self {
        Self { name: command.name, usage: command.usage(), summary: command.summary, ..Self::default() }
    }
}

impl OptionEntry {
    /// An option without a group.
    fn for_option(option: &NamedOption) -> Self {
        Self { form: option.usage(), help: option.help, default: option.default, group: "" }
    }

    fn of_group(group: &'static OptionGroup) -> impl Iterator<Item = Self> {
        group.options.iter().map(|option| Self { group: group.name, ..Self::for_option(option) })
    }
}

impl AnswerContent for Help {
    fn kind(&self) -> &'static str {
        "help"
    }

    fn text(&self, style: &TextStyle<'_>) -> String {
        let &TextStyle { dialect, width, .. } = style;
        match self {
            Help::Overview { groups } => overview(groups, width),
            Help::Group(group) => self::group(group, width),
            Help::Command(command) => self::command(command, dialect, width),
            Help::Options { name, help, options: entries } => {
                paragraph(&format!("{name}: {help}"), "", "  ", width) + &options(entries, 2, width)
            }
            Help::Query(example) => query(example, dialect, width),
        }
    }
}

/// Below this width the overview has no summaries, so that it fits on a small screen.
const NARROW: usize = 60;

/// The greatest number of lines of an example's answer.
const MOST_LINES: usize = 8;

fn overview(groups: &[HelpGroup], width: usize) -> String {
    let names = |group: &HelpGroup| group.commands.iter().map(|command| command.name).collect::<Vec<_>>().join(" ");
    let rows = groups.iter().flat_map(|group| match width < NARROW {
        true => vec![(group.name.to_string(), names(group))],
        false => vec![(group.name.to_string(), group.summary.to_string()), (String::new(), names(group))],
    });
    let last = match width < NARROW {
        true => "`help GROUP`, `help COMMAND` explain.".to_string(),
        false => format!("`help GROUP` and `help COMMAND` explain them; {} with any: JSON.", JSON.name),
    };
    definitions(rows, 0, width) + &paragraph(&last, "", "", width)
}

fn group(HelpGroup { name, summary, commands }: &HelpGroup, width: usize) -> String {
    let rows = commands.iter().map(|command| (command.name.to_string(), command.summary.to_string()));
    paragraph(&format!("{name}: {summary}"), "", "  ", width) + &definitions(rows, 2, width)
}

fn command(entry: &HelpEntry, dialect: Dialect, width: usize) -> String {
    let mut text = paragraph(&entry.usage, "", "    ", width) + &paragraph(entry.summary, "  ", "  ", width);
    let mut start = 0;
    // The options of a group stand side by side, so each group is one run.
    while let Some(first) = entry.options.get(start) {
        let count = entry.options[start..].iter().take_while(|option| option.group == first.group).count();
        if !first.group.is_empty() {
            text += &format!("  {}:\n", first.group);
        }
        let indent = if first.group.is_empty() { 2 } else { 4 };
        text += &options(&entry.options[start..start + count], indent, width);
        start += count;
    }
    text += &entry.example.as_ref().map(|example| example_text(example, dialect, width)).unwrap_or_default();
    if let Some(group) = entry.group {
        text += &paragraph(&format!("see also: {}; `help {group}`", entry.see.join(" ")), "", "  ", width);
    }
    text
}

fn example_text(Example { line, game, before, answer }: &Example, dialect: Dialect, width: usize) -> String {
    let Some(game) = game else { return paragraph(line, "example: ", "    ", width) };
    let mut text = paragraph(&format!("example, in {game}:"), "", "  ", width);
    for line in before.iter().chain([line]) {
        text += &paragraph(line, "  > ", "    ", width);
    }
    let style = TextStyle { view: AnswerView::PLAIN, paint: Paint::Plain, dialect, width: width.saturating_sub(2) };
    let answer = answer.as_ref().map(|answer| answer.text(&style));
    let answer = answer.unwrap_or_default();
    let lines: Vec<String> = answer.lines().flat_map(|line| answer_lines(line, width)).collect();
    // One line more takes as much room as the note that it is left out.
    let shown = if lines.len() > MOST_LINES + 1 { MOST_LINES } else { lines.len() };
    lines[..shown].iter().for_each(|line| text += &format!("{}\n", line.trim_end()));
    if shown < lines.len() {
        text += &format!("  … {} more lines\n", lines.len() - shown);
    }
    text
}

/// A line of an answer, indented. Prose is wrapped; a row of a table, which has columns, is cut.
fn answer_lines(line: &str, width: usize) -> Vec<String> {
    let is_row = line.trim_start().contains("  ");
    if is_row && line.chars().count() + 2 > width {
        let kept: String = line.chars().take(width.saturating_sub(3)).collect();
        return vec![format!("  {kept}…")];
    }
    let options = wrapping(width).initial_indent("  ").subsequent_indent("    ");
    if is_row {
        vec![format!("  {line}")]
    } else {
        textwrap::wrap(line, options).iter().map(ToString::to_string).collect()
    }
}

fn query(example: &Example, dialect: Dialect, width: usize) -> String {
    let lines = [
        "?- QUERY",
        "list all solutions of a query in the current state, or say whether it holds if it has no variables",
        "QUERY has literals over the relations of the rules, `true(FACT)` for the facts of the state, `&` (and), `|` (or), \
         `~` (not), `distinct(A,B)`, and parentheses; variables begin with a capital letter, or with `?` in the prefix \
         dialect. A line that begins with `(` is a query too. The prompt shows more than a hundred solutions page by page; \
         `--all` after the query lists all.",
    ];
    paragraph(lines[0], "", "    ", width)
        + &paragraph(lines[1], "  ", "  ", width)
        + &paragraph(lines[2], "  ", "  ", width)
        + &example_text(example, dialect, width)
}

/// A line for each option, or more where its description is long.
fn options(entries: &[OptionEntry], indent: usize, width: usize) -> String {
    let meaning = |entry: &OptionEntry| match entry.default {
        "" => entry.help.to_string(),
        default => format!("{} [default: {default}]", entry.help),
    };
    definitions(entries.iter().map(|entry| (entry.form.clone(), meaning(entry))), indent, width)
}

/// The example of a command, with its answer in a session of its own, which the interrupt flag of `session` stops.
fn example(command: &'static Command, session: &Session) -> Example {
    let &Command { example: line, example_game: game, example_after: before, .. } = command;
    if game.is_empty() {
        return Example { line, game: None, before, answer: None };
    }
    Example { line, game: Some(game), before, answer: answer(game, before, line, session) }
}

fn query_example(session: &Session) -> Example {
    let game = "tic_tac_toe";
    let before = &["do mark(2,2)"][..];
    let line = "?- true(cell(X,X,b))";
    Example { line, game: Some(game), before, answer: answer(game, before, line, session) }
}

/// The answer to a line in a session of its own; `None` if it fails or is interrupted.
fn answer(game: &str, before: &[&str], line: &str, session: &Session) -> Option<Answer> {
    let flag = session.interrupt().flag();
    let mut own = match session.directory() {
        Ok(directory) => Session::new(directory, flag),
        Err(_) => Session::without_files(flag),
    };
    own.load(game).ok()?;
    for earlier in before {
        answer_line(&mut own, earlier).ok()?;
    }
    answer_line(&mut own, line).ok()
}

/// An example of a command.
#[derive(Clone, Debug, Serialize)]
struct Example {
    line: &'static str,
    /// The game in which it was tried; `None` if it was not.
    #[serde(skip_serializing_if = "Option::is_none")]
    game: Option<&'static str>,
    /// The lines before it.
    #[serde(skip_serializing_if = "<[_]>::is_empty")]
    before: &'static [&'static str],
    /// Its answer there.
    #[serde(skip_serializing_if = "Option::is_none")]
    answer: Option<Answer>,
}
