//! Table of commands, from which parsing, help and completion derive, and the one evaluation of a line.
//!
//! To add a command, write a `Command` in a file of this room and add a line to its group in `GROUPS`.

pub(super) mod analyse;
mod arguments;
mod best;
mod branching;
mod chance;
pub(crate) mod code;
mod compare;
mod contest;
mod count;
#[doc(hidden)]
pub mod course;
mod deliberate;
mod depends;
mod dive;
mod estimate;
mod evaluation;
mod expect;
pub(crate) mod explain;
mod game;
mod help;
mod heuristic;
mod hidden;
mod info;
mod judge;
mod learn;
mod match_record;
mod mover;
pub(crate) mod moves;
mod named_search;
mod network;
pub(crate) mod option;
mod plan;
mod play;
mod players;
mod position;
mod query;
mod recommend;
mod replan;
pub(crate) mod replay;
mod rules;
mod sample;
mod sees;
mod set;
mod settings;
mod show;
pub(crate) mod simulate;
mod solve;
mod stored_answer;
mod tournament;
pub(crate) mod view;
mod watch;

use super::answer::{Answer, JsonAnswer, Statement};
use super::{CommandError, Session, read};
use gdl::suggestion::{did_you_mean_or, nearest};
use ggp_play::ask::spec::NamedOption;
use ggp_search::SearchError;

pub(crate) use arguments::Arguments;
pub(crate) use course::task_words;
pub(crate) use expect::{ASPECTS, without_aspect};
pub(crate) use help::topics as help_topics;
pub(crate) use learn::lesson_words;
pub(crate) use named_search::{end_of_options, is_search};
pub(crate) use option::{JSON, OptionGroup, SHARED_OPTIONS};
pub use position::StateFacts;
pub(crate) use query::QuerySolutions;
pub use sees::full_view;
#[cfg(feature = "cli")]
pub(crate) use show::drawn_now;
pub use show::picture;

/// One command: an entry of the table.
#[derive(Debug)]
pub struct Command {
    /// The name: one word in lower case.
    pub name: &'static str,
    /// The operands as help shows them; `[…]` is optional. Empty if there are none.
    pub(crate) operands: &'static str,
    /// Its own options, and the groups that it shares with other commands.
    pub options: &'static [OptionGroup],
    /// The effect, in one sentence.
    pub(crate) summary: &'static str,
    /// An example line, which help shows.
    pub(crate) example: &'static str,
    /// The game in which help runs the example, to show its answer; empty if it does not: where it writes a file, ends the
    /// session, or answers with a time.
    pub(crate) example_game: &'static str,
    /// The lines that help runs before it.
    pub(crate) example_after: &'static [&'static str],
    /// The kind of arguments, for completion.
    pub takes: ArgumentKind,
    /// The kind of answer that `expect` can compare.
    pub(crate) answers: AnswerKind,
    /// True if the command plays or searches as if every role saw the whole state. In games in which roles do not, its
    /// answers have a warning.
    pub(crate) plays_openly: bool,
    /// True if it works without a game, or on rules that are none because they have no roles.
    takes_programs: bool,
    pub(crate) run: fn(&mut Session, &Arguments) -> Result<Answer, CommandError>,
}

/// Commands that belong together, which `help` describes by this name.
#[derive(Debug)]
pub(crate) struct CommandGroup {
    /// One word in lower case.
    pub(crate) name: &'static str,
    /// The common purpose of the commands, in a phrase.
    pub(crate) summary: &'static str,
    /// The commands, in the order in which help lists them.
    pub(crate) commands: &'static [&'static Command],
}

/// The kind of arguments of a command, for completion.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum ArgumentKind {
    /// None, or none that can be predicted.
    Nothing,
    /// A game of the library, or a file.
    Game,
    /// The name of a file.
    File,
    /// The name of a role.
    Role,
    /// Legal moves of the current state.
    Moves,
    /// Facts, such as those that hold now.
    Fact,
    /// A relation of the facts of states.
    Fluent,
    /// The name of another command.
    Command,
    /// A topic of `help`: a command, a group of commands, or options that commands share.
    Topic,
    /// The name of an engine.
    Engine,
    /// The name of a relation of the rules.
    Relation,
    /// The name of a relation of the rules, or the word for a change of the rules.
    Rules,
    /// A literal over the relations of the rules.
    Literal,
    /// The name of a dialect.
    Dialect,
    /// The name of a heuristic.
    Heuristic,
    /// A search with options of its own, as `compare` reads it.
    Algorithm,
    /// A lesson, or what else `learn` accepts.
    Lesson,
    /// A task, or what else `course` accepts.
    Task,
    /// The code of a problem.
    Code,
}

/// The kind of answer that `expect` can compare.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum AnswerKind {
    /// None: `expect` rejects the command.
    Nothing,
    /// A truth value: `expect COMMAND` or `expect not COMMAND`.
    Truth,
    /// A term or a list of terms.
    Value,
}

/// All commands by group, in the order in which help lists them.
pub(crate) const GROUPS: &[CommandGroup] = &[
    CommandGroup {
        name: "loading",
        summary: "load a game, choose its engine, and check its rules",
        commands: &[
            &game::LOAD,
            &game::RELOAD,
            &game::GAMES,
            &settings::ENGINE,
            &info::INFO,
            &game::CHECK,
            &code::EXPLAIN,
        ],
    },
    CommandGroup {
        name: "playing",
        summary: "see the position, make moves and take them back",
        commands: &[
            &show::SHOW,
            &show::BOARD,
            &position::STATE,
            &position::INIT,
            &position::ROLES,
            &position::LEGAL,
            &position::GOAL,
            &position::TERMINAL,
            &sees::SEES,
            &view::VIEW_OF_ROLE,
            &view::POSSIBLE,
            &play::DO,
            &mover::PLAY,
            &play::NEXT,
            &play::UNDO,
            &play::REDO,
            &play::RESTART,
            &match_record::HISTORY,
            &set::SET,
            &set::FEN,
            &match_record::SAVE,
            &match_record::RESTORE,
            &replay::REPLAY,
        ],
    },
    CommandGroup {
        name: "asking",
        summary: "ask about rules and facts, and see why; `?- QUERY` lists all solutions",
        commands: &[&explain::WHY, &rules::RULES, &depends::DEPENDS, &network::NETWORK],
    },
    CommandGroup {
        name: "counting",
        summary: "count states, lines and ends of the game",
        commands: &[&branching::BRANCHING, &count::TREE, &count::PERFT, &estimate::ESTIMATE],
    },
    CommandGroup {
        name: "alone",
        summary: "search for one player",
        commands: &[
            &best::MAXSCORE,
            &best::BESTMOVE,
            &best::BESTPLAN,
            &deliberate::DELIBERATE,
            &plan::BFS,
            &plan::DFS,
            &plan::IDS,
            &plan::ASTAR,
            &plan::IDA,
            &plan::GREEDY,
            &dive::DIVE,
            &dive::NESTED,
            &judge::PLAN,
            &heuristic::HEURISTIC,
            &evaluation::EVALUATION,
            &replan::REPLAN,
        ],
    },
    CommandGroup {
        name: "others",
        summary: "search against others",
        commands: &[
            &contest::MINIMAX,
            &contest::NEGAMAX,
            &contest::ALPHABETA,
            &contest::ITERATIVE,
            &contest::PARANOID,
            &contest::MAXN,
            &contest::NASH,
            &analyse::ANALYSE,
            &sample::MCTS,
            &sample::MONTECARLO,
        ],
    },
    CommandGroup {
        name: "hidden",
        summary: "search games in which roles do not see the whole state",
        commands: &[&hidden::EQUILIBRIUM, &hidden::CFR, &hidden::MCCFR, &view::ISMCTS],
    },
    CommandGroup {
        name: "chance",
        summary: "random play, and searches with chance",
        commands: &[
            &chance::PLAYOUT,
            &simulate::SIMULATE,
            &chance::SEED,
            &contest::EXPECTIMAX,
            &contest::EXPECTIMINIMAX,
        ],
    },
    CommandGroup {
        name: "solving",
        summary: "solve games, compare searches, measure strategies",
        commands: &[
            &recommend::BEST,
            &solve::SOLVE,
            &compare::COMPARE,
            &tournament::TOURNAMENT,
            &players::PLAYERS,
            &hidden::EXPLOIT,
            &hidden::INFOSETS,
        ],
    },
    CommandGroup {
        name: "session",
        summary: "settings, scripts, lessons, tasks of the course, help",
        commands: &[
            &expect::EXPECT,
            &settings::FORMAT,
            &settings::TIME,
            &learn::LEARN,
            &course::COURSE,
            &course::ANSWER,
            &course::HINT,
            &help::HELP,
            &help::QUIT,
        ],
    },
];

/// All commands, in the order in which help lists them.
pub fn commands() -> impl Iterator<Item = &'static Command> {
    GROUPS.iter().map(|group| group.commands).collect::<Vec<_>>().concat().into_iter()
}

impl Command {
    /// A command without operands and options, whose answer `expect` rejects. Each command states only its differences
    /// from this one, and its name, summary and example.
    const fn run_by(run: fn(&mut Session, &Arguments) -> Result<Answer, CommandError>) -> Self {
        Self {
            name: "",
            operands: "",
            options: &[],
            summary: "",
            example: "",
            example_game: "tic_tac_toe",
            example_after: &[],
            takes: ArgumentKind::Nothing,
            answers: AnswerKind::Nothing,
            plays_openly: false,
            takes_programs: false,
            run,
        }
    }

    /// A command that works without a game, or on rules without roles.
    const fn for_rules(run: fn(&mut Session, &Arguments) -> Result<Answer, CommandError>) -> Self {
        Self { takes_programs: true, ..Self::run_by(run) }
    }

    /// A search whose answer has a value.
    const fn search(run: fn(&mut Session, &Arguments) -> Result<Answer, CommandError>) -> Self {
        Self { answers: AnswerKind::Value, plays_openly: true, ..Self::run_by(run) }
    }

    /// A question about a role, which may be named, and whose answer has a value.
    const fn about_role(run: fn(&mut Session, &Arguments) -> Result<Answer, CommandError>) -> Self {
        Self { operands: "[ROLE]", takes: ArgumentKind::Role, answers: AnswerKind::Value, ..Self::run_by(run) }
    }

    /// A search for a role, which may be named.
    const fn search_for_role(run: fn(&mut Session, &Arguments) -> Result<Answer, CommandError>) -> Self {
        Self { plays_openly: true, ..Self::about_role(run) }
    }

    /// All its options, including those of shared groups.
    pub fn every_option(&self) -> impl Iterator<Item = &'static NamedOption> {
        let mut options: Vec<&'static NamedOption> = Vec::new();
        for group in self.options {
            options.extend(group.options);
        }
        options.push(&JSON);
        options.into_iter()
    }

    pub(crate) fn has(&self, option: &NamedOption) -> bool {
        self.every_option().any(|own| own.name == option.name)
    }

    /// The operands and options as help shows them.
    pub(crate) fn arguments(&self) -> String {
        let parts = std::iter::once(self.operands.to_string()).chain(self.options.iter().map(OptionGroup::usage));
        parts.filter(|part| !part.is_empty()).collect::<Vec<_>>().join(" ")
    }

    /// The name with the arguments.
    pub(crate) fn usage(&self) -> String {
        format!("{} {}", self.name, self.arguments()).trim_end().to_string()
    }

    /// The error for an option that it does not have.
    fn has_no_option(&self, word: &str) -> CommandError {
        if let Some(present) = present_option(self.name, word) {
            return self.misused(format!("`{word}` of `{}` is called `{present}` now", self.name));
        }
        let near = nearest(word, self.every_option().map(|option| option.name));
        let hint = did_you_mean_or(&near, "");
        self.misused(format!("`{}` has no option `{word}`{hint}", self.name))
    }

    /// The error for invalid arguments.
    pub(crate) fn misused(&self, problem: impl Into<String>) -> CommandError {
        CommandError::usage(problem, self.usage())
    }
}

/// The command with this name, or the only command whose name begins with `word`; for a search named with its options,
/// its command.
pub fn find(word: &str) -> Result<&'static Command, CommandError> {
    let word = match word {
        "analyze" => analyse::ANALYSE.name,
        "exit" => help::QUIT.name,
        word => word,
    };
    // A whole name comes first: it may also be the beginning of another one.
    if let Some(command) = commands().find(|command| command.name == word) {
        return Ok(command);
    }
    if let Some(search) = named_search::with_options(word) {
        return Ok(search);
    }
    if let Some(here) = called_here(word) {
        return Err(CommandError::UnknownCommand { word: word.to_string(), near: vec![here] });
    }
    let begins: Vec<_> = commands().filter(|command| !word.is_empty() && command.name.starts_with(word)).collect();
    match begins[..] {
        [command] => Ok(command),
        [] => {
            let near = nearest(word, commands().map(|command| command.name));
            Err(CommandError::UnknownCommand { word: word.to_string(), near })
        }
        _ => {
            let candidates = begins.iter().map(|command| command.name).collect();
            Err(CommandError::AmbiguousCommand { word: word.to_string(), candidates })
        }
    }
}

/// Evaluates one line: a command, with `--json` as an object, or a query (`?- QUERY`, or a line that begins with `(` or
/// `name(`). A comment, from `%` or `#` to the end of the line, is ignored.
///
/// An error leaves the session as it was. If a lesson is running, the line is checked against its step, and
/// [`Session::take_remark`] has the verdict.
pub fn evaluate(session: &mut Session, line: &str) -> Result<Answer, CommandError> {
    take_built_network(session);
    let result = answer_line(session, line);
    learn::check_step(session, line, &result);
    result
}

/// A network that was built since the last question answers from this one on.
fn take_built_network(session: &mut Session) {
    if let Some(game) = session.game() {
        game.take_built();
    }
}

/// As [`evaluate`], without the lesson: for lines within other commands.
fn answer_line(session: &mut Session, line: &str) -> Result<Answer, CommandError> {
    let line = read::without_comment(line);
    if line.is_empty() {
        return Ok(Answer::new(Statement::new("nothing", String::new())));
    }
    answered(session, line).map_err(|error| error.in_line(line))
}

/// A command as a program calls it: with the values of its options, which no line contains, so that they may have spaces.
#[derive(Clone, Debug)]
pub struct CommandCall {
    /// The name, or a search with options of its own, such as `alphabeta:order=table`.
    pub name: String,
    /// The operand; empty for none.
    pub operand: String,
    /// The options by their names without `--`, each with its values.
    pub options: Vec<(String, Vec<String>)>,
}

/// As [`evaluate`], for a call in place of a line.
///
/// # Errors
/// If there is no such command, or it does not take an option or its values; otherwise that of the command.
pub fn call(session: &mut Session, call: &CommandCall) -> Result<Answer, CommandError> {
    take_built_network(session);
    let mut arguments = match named_search::line(&call.name)? {
        Some((_, arguments)) => arguments,
        None => Arguments::none(find(&call.name)?),
    };
    for (key, values) in &call.options {
        arguments.give(&format!("--{key}"), values)?;
    }
    run(session, &arguments.with_operands(call.operand.clone()).checked()?)
}

fn answered(session: &mut Session, line: &str) -> Result<Answer, CommandError> {
    let read = read_line(line).map_err(|error| {
        let is_unknown = matches!(error, CommandError::UnknownCommand { .. } | CommandError::AmbiguousCommand { .. });
        let legal = if is_unknown { moves::legal_here(session, line) } else { None };
        legal.map_or(error, |legal| {
            CommandError::refused(format!("`{line}` {legal} and not a command; `do {line}` makes it"))
        })
    })?;
    match read {
        None => query::answer(session, line),
        Some(arguments) => run(session, &arguments),
    }
}

/// Reads a line without its comment: the command with its arguments; `None` if the line is a query.
fn read_line(line: &str) -> Result<Option<Arguments>, CommandError> {
    // The error that is expected may be about brackets, so `expect error` judges them itself.
    if !expect::expects_error(line) {
        read::check_brackets(line)?;
    }
    if let Some((_, arguments)) = named_search::line(line)? {
        return Ok(Some(arguments));
    }
    if read::is_query(line) {
        return Ok(None);
    }
    let (word, text) = read::word(line);
    Arguments::read(find(word)?, text).map(Some)
}

/// Checks a line without running it, as far as that is possible without a game: brackets, the command, its options, and
/// the syntax of a query.
///
/// # Errors
/// Those of [`evaluate`] in every session.
#[cfg(feature = "cli")]
pub(crate) fn check_line(line: &str) -> Result<(), CommandError> {
    let line = read::without_comment(line);
    if line.is_empty() {
        return Ok(());
    }
    match read_line(line)? {
        None => read::query(line).map(drop),
        Some(arguments) if arguments.command().takes == ArgumentKind::Command => {
            let inner = without_aspect(arguments.operands());
            let (word, _) = read::word(inner);
            if inner.is_empty() || read::is_query(inner) { Ok(()) } else { find(word).map(drop) }
        }
        Some(_) => Ok(()),
    }
}

/// Runs a command. With `--json` its answer is an object; otherwise the text shows the parts that options ask for.
fn run(session: &mut Session, arguments: &Arguments) -> Result<Answer, CommandError> {
    let command = arguments.command();
    if let Some(game) = session.game().filter(|game| game.is_program() && !command.takes_programs) {
        let problem =
            format!("{} has rules and no roles: `?- QUERY` asks them, `{}` needs a game", game.name, command.name);
        return Err(CommandError::refused(problem));
    }
    let answer = (command.run)(session, arguments).map_err(|error| with_account(session, error))?;
    // Random moves of `play random` use no knowledge of the state, so they need no warning.
    let is_open = command.plays_openly && arguments.operands() != mover::RANDOM && !plays_by_view(arguments);
    let current = session.current().ok();
    let answer = match current.and_then(|current| full_view(&current.game)) {
        Some(warning) if is_open => answer.warned([warning]),
        _ => answer,
    };
    if arguments.has(&JSON) {
        return Ok(Answer::new(JsonAnswer { answer }));
    }
    Ok(answer.viewed(watch::view(arguments)?))
}

/// True if the command plays by a search that knows only what its role knows.
fn plays_by_view(arguments: &Arguments) -> bool {
    let (search, _) = read::word(arguments.operands());
    arguments.command().name == mover::PLAY.name
        && find(search).is_ok_and(|search| is_search(search) && !search.plays_openly)
}

/// The same error; if a search has met a state without a usable goal value or without a legal move, with the moves that
/// lead there, its facts and its rules.
fn with_account(session: &mut Session, error: CommandError) -> CommandError {
    let reason = match &error {
        CommandError::Reason(reason) | CommandError::Search(SearchError::Reason(reason)) => reason.clone(),
        _ => return error,
    };
    let dialect = session.dialect();
    let account = session.current().ok().and_then(|current| current.account_of_fault(&reason, dialect));
    account.map_or(error, |account| CommandError::FaultyEnd { error: Box::new(reason), account })
}

/// Names of other consoles, chess programs and Prolog systems, each with the command that does the same here.
const ELSEWHERE: &[(&str, &str)] = &[
    ("?", "help"),
    ("A*", "astar"),
    ("a*", "astar"),
    ("back", "undo"),
    ("bye", "quit"),
    ("consult", "load"),
    ("display", "show"),
    ("facts", "state"),
    ("findlegalp", "legal"),
    ("findlegals", "legal"),
    ("findreward", "goal"),
    ("findroles", "roles"),
    ("findterminalp", "terminal"),
    ("go", "analyse"),
    ("halt", "quit"),
    ("listing", "rules"),
    ("ls", "games"),
    ("make", "do"),
    ("move", "do"),
    ("moves", "legal"),
    ("new", "restart"),
    ("open", "load"),
    ("position", "set"),
    ("print", "show"),
    ("quit!", "quit"),
    ("reset", "restart"),
    ("reward", "goal"),
    ("score", "goal"),
    ("takeback", "undo"),
    ("tutorial", "learn"),
    ("unmake", "undo"),
];

/// Options that have other names now: the command, the earlier name, and the present one.
const RENAMED: &[(&str, &str, &str)] = &[("maxscore", "--moves", "--values")];

/// The present name of an option of a command that had this name before.
fn present_option(command: &str, word: &str) -> Option<&'static str> {
    RENAMED.iter().find(|(of, earlier, _)| *of == command && *earlier == word).map(|(.., present)| *present)
}

/// The command that other programs call by this name.
fn called_here(word: &str) -> Option<&'static str> {
    ELSEWHERE.iter().find(|(name, _)| *name == word).map(|(_, here)| *here)
}
