//! Commands that search a game of several players, or of chance.

use super::approach::SEED;
use super::contest_answer::{actual_choices, choices};
use super::contest_search::{ContestAlgorithm, ContestRequest};
use super::option::{EVAL, EXTEND_FORCED, LIMITS, STAGES, VIEW};
use super::stored_answer::{self, StoredAnswer};
use super::symmetry::{SYMMETRY, SYMMETRY_OF_TABLE, UpToSymmetry};
use super::watch::Watch;
use super::{Arguments, Command, CommandOption, OptionGroup};
use crate::engine::{Feature, FeaturedState};
use crate::game::Role;
use crate::play::{OpponentSpec, Predictor, SpecError};
use crate::repl::answer::SearchAnswer;
use crate::repl::session::Match;
use crate::repl::{Answer, CommandError, Session, read};
use crate::search::{Enhancements, EqualMoves, Ordering, Pruning};

pub(super) const MINIMAX: Command = Command {
    name: "minimax",
    options: FULL,
    summary: "search for the utility that a role (by default the role to move) can force against all others",
    example: "minimax xplayer",
    plays_openly: true,
    ..Command::about_role(|session, arguments| contest(session, ContestAlgorithm::Minimax, arguments))
};

pub(super) const NEGAMAX: Command = Command {
    name: "negamax",
    options: FULL,
    summary: "minimax with one rule for both sides: each chooses what is worth least to the other",
    example: "negamax --depth 3 --eval connect_four_weights",
    plays_openly: true,
    ..Command::about_role(|session, arguments| contest(session, ContestAlgorithm::Negamax, arguments))
};

pub(super) const ALPHABETA: Command = Command {
    name: "alphabeta",
    options: PRUNING,
    summary: "minimax with pruning of what cannot matter (fail-soft); moves ordered by an evaluation or by a table of states",
    example: "alphabeta --depth 5 --eval connect_four_weights --order evaluation",
    plays_openly: true,
    ..Command::about_role(|session, arguments| contest(session, ContestAlgorithm::AlphaBeta, arguments))
};

pub(super) const ITERATIVE: Command = Command {
    name: "iterative",
    options: DEEPENING,
    summary: "alpha-beta to depth 1, 2, 3 … until a limit is reached, with the best line of each depth",
    example: "iterative --depth 4 --eval connect_four_weights",
    plays_openly: true,
    ..Command::about_role(|session, arguments| contest(session, ContestAlgorithm::Iterative, arguments))
};

pub(super) const PARANOID: Command = Command {
    name: "paranoid",
    options: PRUNING,
    summary: "search for the utility that a role can force if all others play together against it",
    example: "paranoid a",
    plays_openly: true,
    ..Command::about_role(|session, arguments| contest(session, ContestAlgorithm::Paranoid, arguments))
};

pub(super) const MAXN: Command = Command {
    name: "maxn",
    options: &[OptionGroup::own(&[TABLE, EVAL, EXTEND_FORCED]), LIMITS, VIEW],
    summary: "search for the utilities of all roles if each maximises its own",
    example: "maxn",
    plays_openly: true,
    ..Command::about_role(|session, arguments| contest(session, ContestAlgorithm::MaxN, arguments))
};

pub(super) const EXPECTIMAX: Command = Command {
    name: "expectimax",
    options: &[OptionGroup::own(&[OPPONENTS, VALUES, TABLE, SYMMETRY_OF_TABLE, EVAL, EXTEND_FORCED]), LIMITS, VIEW],
    summary: "search for the expected utility of a role against chance, and against opponents of whom something is assumed",
    example: "expectimax max --opponents uniform",
    plays_openly: true,
    ..Command::about_role(|session, arguments| contest(session, ContestAlgorithm::Expectimax, arguments))
};

pub(super) const EXPECTIMINIMAX: Command = Command {
    name: "expectiminimax",
    options: &[OptionGroup::own(&[VALUES, TABLE, SYMMETRY_OF_TABLE, EVAL, EXTEND_FORCED]), LIMITS, VIEW],
    summary: "expectimax with opponents who play together against the role",
    example: "expectiminimax first",
    plays_openly: true,
    ..Command::about_role(|session, arguments| contest(session, ContestAlgorithm::Expectiminimax, arguments))
};

pub(super) const NASH: Command = Command {
    name: "nash",
    options: OPTIONS,
    summary: "search for an equilibrium of roles who choose at the same time: their values and mixed strategies",
    example: "nash left",
    plays_openly: true,
    ..Command::about_role(|session, arguments| contest(session, ContestAlgorithm::Nash, arguments))
};

const OPTIONS: &[OptionGroup] = &[OptionGroup::own(&[EVAL, EXTEND_FORCED]), LIMITS, VIEW];
const FULL: &[OptionGroup] =
    &[OptionGroup::own(&[VALUES, TIES, TABLE, SYMMETRY_OF_TABLE, EVAL, EXTEND_FORCED]), LIMITS, VIEW];
const PRUNING: &[OptionGroup] = &[
    OptionGroup::own(&[
        ORDER,
        SEED,
        TABLE,
        SYMMETRY_OF_TABLE,
        KILLERS,
        HISTORY,
        NULL_WINDOWS,
        TIES,
        STAGES,
        EVAL,
        EXTEND_FORCED,
    ]),
    LIMITS,
    VIEW,
];
const DEEPENING: &[OptionGroup] =
    &[OptionGroup::own(&[KILLERS, HISTORY, NULL_WINDOWS, ASPIRATION, EVAL, EXTEND_FORCED]), LIMITS, VIEW];

const KILLERS: CommandOption =
    CommandOption::flag("--killers", "try the last two moves that have cut at the same depth before others");
const HISTORY: CommandOption =
    CommandOption::flag("--history", "try moves that have cut often before others, after the killers");
const NULL_WINDOWS: CommandOption = CommandOption::flag(
    "--null-windows",
    "ask of moves after the first only whether they are better, and search those that are again (PVS)",
);
const ASPIRATION: CommandOption =
    CommandOption::flag("--aspiration", "begin each round with a window around the value of the round before");

const ORDER: CommandOption = CommandOption::choice(
    "--order",
    &["given", "evaluation", "estimate", "table", "best", "worst", "random"],
    "which moves to try first: in canonical order, those that the evaluation (`estimate`: also of ends of the game) or the table of states prefers, the best or \
     the worst by their minimax values, or at random by the seed",
)
.default("given");
const TABLE: CommandOption = CommandOption::flag(
    "--table",
    "remember states and their values; where play can come back to a state, all states of a game with few answer",
);
/// `--ties`: report all first moves of equal value.
pub(super) const TIES: CommandOption = CommandOption::optional_choice(
    "--ties",
    &[HONEST, NAIVE],
    "list all first moves that are equally good; `naive`: also those that a cut has left at a bound of this value",
)
.default("none; honest without a word");
/// All first moves that are worth as much as the best, and no others.
pub(super) const HONEST: &str = "honest";
const NAIVE: &str = "naive";

const VALUES: CommandOption = CommandOption::flag("--values", "list all first moves with their values");
pub(super) const OPPONENTS: CommandOption = CommandOption::word(
    "--opponents",
    "MODEL",
    "an assumption about the opponents",
    "what to assume of the other roles: uniform, minimax, minimax:depth=N,epsilon=E,eval=SHEET, greedy:eval=SHEET or \
     weights:file=FILE",
)
.default("uniform; in a game with `random` minimax");

fn contest(session: &mut Session, algorithm: ContestAlgorithm, arguments: &Arguments) -> Result<Answer, CommandError> {
    let request = request(session, algorithm, arguments);
    match request.and_then(|request| answer(session, request, arguments)) {
        Ok(answer) => Ok(Answer::Search(answer)),
        Err(CommandError::Stopped { stop, cost }) => {
            Err(CommandError::NoMoveFinished { stop, cost: cost.unwrap_or_default(), hint: algorithm.hint() })
        }
        Err(error) => Err(error),
    }
}

fn request(
    session: &mut Session,
    algorithm: ContestAlgorithm,
    arguments: &Arguments,
) -> Result<ContestRequest, CommandError> {
    let watch = Watch::from_arguments(arguments, session)?;
    let budget = arguments.budget(session.budget())?;
    let (ties, values) = (arguments.has(&TIES), arguments.has(&VALUES));
    let pruning = pruning(arguments, ties, session)?;
    let opponents = opponents(session, algorithm, arguments)?;
    let role = asking_role(session.current()?, arguments)?;
    let (name, screen, dialect) = (arguments.command().name, session.screen(), session.dialect());
    Ok(ContestRequest { algorithm, name, role, pruning, opponents, ties, values, budget, watch, screen, dialect })
}

/// The answer: up to symmetries, from the files of a solved game, from all states, or of the search.
fn answer(
    session: &mut Session,
    mut request: ContestRequest,
    arguments: &Arguments,
) -> Result<SearchAnswer, CommandError> {
    if arguments.has(&SYMMETRY) {
        request.check_symmetry(arguments)?;
        let UpToSymmetry { mut reasoner, state, warnings } = UpToSymmetry::in_session(session)?;
        let answer = request.answer(&mut reasoner, &state, actual_choices)?;
        return Ok(answer.up_to(reasoner.symmetries()).warned(warnings));
    }
    if request.may_be_stored()
        && let Some(StoredAnswer { answer, note }) = stored_answer::choice(session, request.role)?
    {
        let (engine, state) = session.current()?.engine()?;
        return Ok(request.stored_answer(engine, &state, answer)?.warned(vec![note]));
    }
    let (engine, state) = session.current()?.engine()?;
    let Some(sheet) = arguments.word(&EVAL) else { return request.answer(engine, &state, choices) };
    if let Some(answer) = request.answer_from_all_states(engine, &state, choices)? {
        return Ok(answer);
    }
    let FeaturedState { engine, state, features, warnings } = session.featured(sheet, Feature::Evaluation)?;
    Ok(request.answer_of_search(engine, &state, Some(features), choices)?.warned(warnings))
}

fn pruning(arguments: &Arguments, ties: bool, session: &mut Session) -> Result<Pruning, CommandError> {
    let table = arguments.has(&TABLE);
    let ordering = match arguments.word(&ORDER) {
        Some("evaluation") => Ordering::Evaluation,
        Some("estimate") => Ordering::Estimate,
        Some("table") => Ordering::Table,
        Some("best") => Ordering::Best,
        Some("worst") => Ordering::Worst,
        Some("random") => Ordering::Random { seed: arguments.number(&SEED)?.unwrap_or_else(|| session.random.word()) },
        _ => Ordering::Canonical,
    };
    let ties = match (ties, arguments.word(&TIES)) {
        (false, _) => EqualMoves::Unknown,
        (true, Some(NAIVE)) => EqualMoves::Naive,
        (true, _) => EqualMoves::Honest,
    };
    let enhancements = Enhancements {
        killers: arguments.has(&KILLERS),
        history: arguments.has(&HISTORY),
        null_windows: arguments.has(&NULL_WINDOWS),
        aspiration: arguments.has(&ASPIRATION),
    };
    Ok(Pruning { ordering, table, ties, enhancements })
}

/// What expectimax assumes of the opponents: by default that they move at random, unless the game has chance, which
/// does.
fn opponents(
    session: &mut Session,
    algorithm: ContestAlgorithm,
    arguments: &Arguments,
) -> Result<Option<(OpponentSpec, Predictor)>, CommandError> {
    let directory = session.directory().map(std::path::Path::to_path_buf);
    let current = session.current()?;
    let spec = match (arguments.word(&OPPONENTS), algorithm) {
        (Some(text), _) => text.parse().map_err(|error: SpecError| arguments.wrong(error.to_string()))?,
        (None, ContestAlgorithm::Expectimax) if Role::chance(current.roles()).is_none() => OpponentSpec::Uniform,
        (None, ContestAlgorithm::Expectimax | ContestAlgorithm::Expectiminimax) => OpponentSpec::Adversaries,
        _ => return Ok(None),
    };
    // A session without files has no directory, and its assumptions no files.
    let directory = if spec.names_a_file() { directory? } else { directory.unwrap_or_default() };
    let predictor = Predictor::new(&spec, &current.game, &directory, current.game.options().limits.clone())?;
    Ok(Some((spec, predictor)))
}

/// The role that asks: the named one, or the role to move.
pub(super) fn asking_role(current: &mut Match, arguments: &Arguments) -> Result<Role, CommandError> {
    match &read::terms(arguments.operands())?[..] {
        [] => to_move(current),
        [name] => current.role(name),
        _ => Err(arguments.wrong("only one role at a time")),
    }
}

/// The role to move: the only role except chance that has a choice; if there is none or more than one, the first role
/// that is not chance.
pub(super) fn to_move(current: &mut Match) -> Result<Role, CommandError> {
    let first = Role::players(current.roles()).next().unwrap_or(Role::new(0));
    if current.is_over()? {
        return Ok(first);
    }
    let mut choosing = current.joint_moves()?.choosing();
    choosing.retain(|role| !current.roles()[role.index()].is_chance());
    match choosing[..] {
        [role] => Ok(role),
        _ => Ok(first),
    }
}
