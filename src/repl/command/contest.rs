//! Commands that search a game of several players, or of chance.

use super::approach::SEED;
use super::contested::{
    Asked, Lines, actual_choices, choices, found_choice, found_deepened, found_equilibrium, found_expectation,
    found_shares, is_chance,
};
use super::option::{EVAL, EXTEND_FORCED, LIMITS, STAGES, VIEW};
use super::sees::full_view;
use super::stored::{self, Stored};
use super::symmetry::{SYMMETRY, up_to_symmetry};
use super::watch::Watch;
use super::{Answers, Arguments, Command, CommandOption, OptionGroup, Takes};
use crate::engine::{Feature, FeaturedState};
use crate::game::{BatchReasoner, Evaluation, Role};
use crate::opponents::{OpponentSpec, OpponentSpecError, Predictor};
use crate::repl::answer::{AllStates, SearchAnswer};
use crate::repl::session::Match;
use crate::repl::{Answer, CommandError, Session, read};
use crate::search::{self, Budget, Contest, EqualMoves, Extras, FromAllStates, Ordering, Pruning};
use std::time::Instant;

#[derive(Clone, Copy, PartialEq, Eq)]
enum Algorithm {
    Minimax,
    Negamax,
    AlphaBeta,
    Iterative,
    Paranoid,
    MaxN,
    Expectimax,
    Expectiminimax,
    Nash,
}

impl Algorithm {
    /// What to do if the search was stopped before it had an answer.
    fn hint(self) -> &'static str {
        match self {
            Self::Minimax | Self::Negamax | Self::AlphaBeta | Self::Paranoid => {
                "; `iterative` has an answer after each depth"
            }
            Self::Iterative => "",
            Self::MaxN | Self::Expectimax | Self::Expectiminimax | Self::Nash => "; with less `--depth` it ends sooner",
        }
    }
}

pub(super) const MINIMAX: Command = Command {
    name: "minimax",
    operands: "[ROLE]",
    options: FULL,
    summary: "search for the utility that a role (by default the role to move) can force against all others",
    example: "minimax xplayer",
    takes: Takes::Role,
    answers: Answers::Value,
    run: |session, arguments| contest(session, Algorithm::Minimax, arguments),
};

pub(super) const NEGAMAX: Command = Command {
    name: "negamax",
    operands: "[ROLE]",
    options: FULL,
    summary: "minimax with one rule for both sides: each chooses what is worth least to the other",
    example: "negamax --depth 3 --eval connect_four_weights",
    takes: Takes::Role,
    answers: Answers::Value,
    run: |session, arguments| contest(session, Algorithm::Negamax, arguments),
};

pub(super) const ALPHABETA: Command = Command {
    name: "alphabeta",
    operands: "[ROLE]",
    options: PRUNING,
    summary: "minimax with pruning of what cannot matter (fail-soft); moves ordered by an evaluation or by a table of states",
    example: "alphabeta --depth 5 --eval connect_four_weights --order evaluation",
    takes: Takes::Role,
    answers: Answers::Value,
    run: |session, arguments| contest(session, Algorithm::AlphaBeta, arguments),
};

pub(super) const ITERATIVE: Command = Command {
    name: "iterative",
    operands: "[ROLE]",
    options: DEEPENING,
    summary: "alpha-beta to depth 1, 2, 3 … until a limit is reached, with the best line of each depth",
    example: "iterative --depth 4 --eval connect_four_weights",
    takes: Takes::Role,
    answers: Answers::Value,
    run: |session, arguments| contest(session, Algorithm::Iterative, arguments),
};

pub(super) const PARANOID: Command = Command {
    name: "paranoid",
    operands: "[ROLE]",
    options: PRUNING,
    summary: "search for the utility that a role can force if all others play together against it",
    example: "paranoid a",
    takes: Takes::Role,
    answers: Answers::Value,
    run: |session, arguments| contest(session, Algorithm::Paranoid, arguments),
};

pub(super) const MAXN: Command = Command {
    name: "maxn",
    operands: "[ROLE]",
    options: &[OptionGroup::own(&[TABLE, EVAL, EXTEND_FORCED]), LIMITS, VIEW],
    summary: "search for the utilities of all roles if each maximises its own",
    example: "maxn",
    takes: Takes::Role,
    answers: Answers::Value,
    run: |session, arguments| contest(session, Algorithm::MaxN, arguments),
};

pub(super) const EXPECTIMAX: Command = Command {
    name: "expectimax",
    operands: "[ROLE]",
    options: &[OptionGroup::own(&[OPPONENTS, VALUES, TABLE, SYMMETRY, EVAL, EXTEND_FORCED]), LIMITS, VIEW],
    summary: "search for the expected utility of a role against chance, and against opponents of whom something is assumed",
    example: "expectimax max --opponents uniform",
    takes: Takes::Role,
    answers: Answers::Value,
    run: |session, arguments| contest(session, Algorithm::Expectimax, arguments),
};

pub(super) const EXPECTIMINIMAX: Command = Command {
    name: "expectiminimax",
    operands: "[ROLE]",
    options: &[OptionGroup::own(&[VALUES, TABLE, SYMMETRY, EVAL, EXTEND_FORCED]), LIMITS, VIEW],
    summary: "expectimax with opponents who play together against the role",
    example: "expectiminimax first",
    takes: Takes::Role,
    answers: Answers::Value,
    run: |session, arguments| contest(session, Algorithm::Expectiminimax, arguments),
};

pub(super) const NASH: Command = Command {
    name: "nash",
    operands: "[ROLE]",
    options: OPTIONS,
    summary: "search for the value of a game of two opponents who choose at the same time, and their mixed strategies",
    example: "nash left",
    takes: Takes::Role,
    answers: Answers::Value,
    run: |session, arguments| contest(session, Algorithm::Nash, arguments),
};

const OPTIONS: &[OptionGroup] = &[OptionGroup::own(&[EVAL, EXTEND_FORCED]), LIMITS, VIEW];
const FULL: &[OptionGroup] = &[OptionGroup::own(&[VALUES, TIES, TABLE, SYMMETRY, EVAL, EXTEND_FORCED]), LIMITS, VIEW];
const PRUNING: &[OptionGroup] = &[
    OptionGroup::own(&[
        ORDER,
        SEED,
        TABLE,
        SYMMETRY,
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

const ORDER: CommandOption = CommandOption::word(
    "--order",
    "given|evaluation|estimate|table|best|worst|random",
    "an order of moves",
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
const OPPONENTS: CommandOption = CommandOption::word(
    "--opponents",
    "MODEL",
    "an assumption about the opponents",
    "what to assume of the other roles: uniform, minimax, minimax:depth=N,epsilon=E,eval=SHEET, greedy:eval=SHEET or \
     weights:file=FILE",
)
.default("uniform; in a game with `random` minimax");

struct Request {
    algorithm: Algorithm,
    role: Role,
    pruning: Pruning,
    opponents: Option<(OpponentSpec, Predictor)>,
    ties: bool,
    values: bool,
    budget: Budget,
    watch: Watch,
}

fn contest(session: &mut Session, algorithm: Algorithm, arguments: &Arguments) -> Result<Answer, CommandError> {
    search_for(session, algorithm, arguments).map_err(|error| match error {
        CommandError::Stopped { stop, cost } => {
            CommandError::NoMoveFinished { stop, cost: cost.unwrap_or_default(), hint: algorithm.hint() }
        }
        error => error,
    })
}

fn search_for(session: &mut Session, algorithm: Algorithm, arguments: &Arguments) -> Result<Answer, CommandError> {
    let watch = Watch::of(arguments, session)?;
    let budget = arguments.budget(session.budget())?;
    let (ties, values) = (arguments.has(&TIES), arguments.has(&VALUES));
    let pruning = pruning(arguments, ties, session)?;
    let opponents = opponents(session, algorithm, arguments)?;
    let role = asking(session.current()?, arguments)?;
    let view = full_view(&session.current()?.game).into_iter().collect();
    let mut request = Request { algorithm, role, pruning, opponents, ties, values, budget, watch };
    if arguments.has(&SYMMETRY) {
        request.check_symmetry(arguments)?;
        let (mut symmetric, state) = up_to_symmetry(session, arguments)?;
        let answer = request.answer_without_evaluation(&mut symmetric, &state, actual_choices)?;
        return Ok(answer.up_to(symmetric.symmetries()).warned(view));
    }
    if request.may_be_stored()
        && let Some(Stored { answer, note }) = stored::choice(session, role)?
    {
        let (engine, state) = session.current()?.engine()?;
        let asked = Asked { role, ties: request.ties, values: request.values };
        let found = answer.try_map(|choice| found_choice((engine, &state), choices, asked, choice))?;
        let watcher = request.watch.watcher();
        let answer = request.watch.answer(watcher, (engine, &state), found, |found| found)?;
        return Ok(answer.warned(vec![note]).warned(view));
    }
    let Some(sheet) = arguments.word(&EVAL) else {
        let (engine, state) = session.current()?.engine()?;
        return Ok(request.answer_without_evaluation(engine, &state, choices)?.warned(view));
    };
    let (engine, state) = session.current()?.engine()?;
    if let Some(answer) = request.answer_from_all_states(engine, &state, choices)? {
        return Ok(answer.warned(view));
    }
    let FeaturedState { engine, state, features, warnings } = session.featured(sheet, Feature::Evaluation)?;
    Ok(request.answer(engine, &state, Some(features), choices)?.warned(warnings).warned(view))
}

fn pruning(arguments: &Arguments, ties: bool, session: &mut Session) -> Result<Pruning, CommandError> {
    let table = arguments.has(&TABLE);
    let ordering = match arguments.word(&ORDER) {
        None | Some("given") => Ordering::Canonical,
        Some("evaluation") => Ordering::Evaluation,
        Some("estimate") => Ordering::Estimate,
        Some("table") => Ordering::Table,
        Some("best") => Ordering::Best,
        Some("worst") => Ordering::Worst,
        Some("random") => Ordering::Random { seed: arguments.number(&SEED)?.unwrap_or_else(|| session.random.word()) },
        Some(other) => {
            let orders = "`given`, `evaluation`, `estimate`, `table`, `best`, `worst` or `random`";
            return Err(arguments.wrong(format!("the order of moves is {orders}, not `{other}`")));
        }
    };
    let ties = match (ties, arguments.word(&TIES)) {
        (false, _) => EqualMoves::Unknown,
        (true, Some(NAIVE)) => EqualMoves::Naive,
        (true, _) => EqualMoves::Honest,
    };
    let extras = Extras {
        killers: arguments.has(&KILLERS),
        history: arguments.has(&HISTORY),
        null_windows: arguments.has(&NULL_WINDOWS),
        aspiration: arguments.has(&ASPIRATION),
    };
    Ok(Pruning { ordering, table, ties, extras })
}

/// What expectimax assumes of the opponents: by default that they move at random, unless the game has chance, which
/// does.
fn opponents(
    session: &mut Session,
    algorithm: Algorithm,
    arguments: &Arguments,
) -> Result<Option<(OpponentSpec, Predictor)>, CommandError> {
    let directory = session.directory().map(std::path::Path::to_path_buf);
    let current = session.current()?;
    let spec = match (arguments.word(&OPPONENTS), algorithm) {
        (Some(text), _) => text.parse().map_err(|error: OpponentSpecError| arguments.wrong(error.to_string()))?,
        (None, Algorithm::Expectimax) if !current.roles().iter().any(is_chance) => OpponentSpec::Uniform,
        (None, Algorithm::Expectimax | Algorithm::Expectiminimax) => OpponentSpec::Adversaries,
        _ => return Ok(None),
    };
    // A session without files has no directory, and its assumptions no files.
    let directory = if spec.names_a_file() { directory? } else { directory.unwrap_or_default() };
    let predictor = Predictor::new(&spec, &current.game, &directory, current.game.options().limits.clone())?;
    Ok(Some((spec, predictor)))
}

/// The role that asks: the named one, or the role to move.
pub(super) fn asking(current: &mut Match, arguments: &Arguments) -> Result<Role, CommandError> {
    match &read::terms(arguments.operands())?[..] {
        [] => to_move(current),
        [name] => current.role(name),
        _ => Err(arguments.wrong("only one role at a time")),
    }
}

/// The role to move: the only role except chance that has a choice; if there is none or more than one, the first role
/// that is not chance.
pub(super) fn to_move(current: &mut Match) -> Result<Role, CommandError> {
    let is_player = |&role: &Role| !is_chance(&current.roles()[role.index()]);
    let first = (0..current.roles().len()).map(Role::new).find(is_player).unwrap_or(Role::new(0));
    if current.is_over()? {
        return Ok(first);
    }
    let mut choosing = current.joint_moves()?.choosing();
    choosing.retain(|role| !is_chance(&current.roles()[role.index()]));
    match choosing[..] {
        [role] => Ok(role),
        _ => Ok(first),
    }
}

impl Request {
    /// The answer from all states if that is how the question is answered, and else of the search.
    fn answer_without_evaluation<R: BatchReasoner>(
        mut self,
        reasoner: &mut R,
        state: &R::State,
        lines: Lines<R>,
    ) -> Result<Answer, CommandError> {
        if let Some(answer) = self.answer_from_all_states(reasoner, state, lines)? {
            return Ok(answer);
        }
        let has_horizon = self.algorithm == Algorithm::Iterative || self.budget.depth().is_some();
        let ranked = Some(reasoner.utility_range().middle()).filter(|_| has_horizon);
        Ok(self.answer(reasoner, state, None, lines)?.ranking(ranked))
    }

    /// Runs the search from a state.
    fn answer<R: BatchReasoner>(
        self,
        reasoner: &mut R,
        state: &R::State,
        evaluation: Option<&mut dyn Evaluation<R>>,
        lines: Lines<R>,
    ) -> Result<Answer, CommandError> {
        let Self { algorithm, role, pruning, opponents, ties, values, budget, watch } = self;
        // A borrow of a trait object is shortened only where the trait object is made again.
        let evaluation = evaluation.map(|evaluation| evaluation as &mut dyn Evaluation<R>);
        let contest = Contest { state, role, evaluation, table: pruning.table };
        let mut watcher = watch.watcher();
        let observer = &mut watcher;
        let asked = Asked { role, ties, values };
        let found = match algorithm {
            Algorithm::MaxN => {
                let outcome = search::max_n(reasoner, contest, &budget, observer)?;
                outcome.try_map(|shares| found_shares((reasoner, state), lines, shares))?
            }
            Algorithm::Expectimax | Algorithm::Expectiminimax => {
                let (spec, mut predictor) = opponents.expect("it was read for these searches");
                let outcome = search::expectimax(reasoner, contest, predictor.opponents(), &budget, observer)?;
                outcome
                    .try_map(|expectation| found_expectation((reasoner, state), lines, asked, (&spec, expectation)))?
            }
            Algorithm::Nash => {
                let outcome = search::nash(reasoner, contest, &budget, observer)?;
                outcome.map(|equilibrium| found_equilibrium(reasoner, role, equilibrium))
            }
            Algorithm::Iterative => {
                let outcome = search::iterative_with(reasoner, contest, pruning.extras, &budget, observer)?;
                outcome.try_map(|deepened| found_deepened((reasoner, state), lines, role, deepened))?
            }
            _ => {
                let outcome = match algorithm {
                    Algorithm::Negamax => search::negamax(reasoner, contest, &budget, observer)?,
                    Algorithm::AlphaBeta => search::alpha_beta(reasoner, contest, pruning, &budget, observer)?,
                    Algorithm::Paranoid => search::paranoid(reasoner, contest, pruning, &budget, observer)?,
                    _ => search::minimax(reasoner, contest, &budget, observer)?,
                };
                outcome.try_map(|choice| found_choice((reasoner, state), lines, asked, choice))?
            }
        };
        budget.heed(found.stopped);
        watch.answer(watcher, (reasoner, state), found, |found| found)
    }

    /// Whether the files of `ggp solve` may answer instead: a question for what the role can force, without a horizon,
    /// whose trace or tree is not asked for.
    fn may_be_stored(&self) -> bool {
        let forces = matches!(self.algorithm, Algorithm::Minimax | Algorithm::Negamax | Algorithm::AlphaBeta);
        forces && self.budget.depth().is_none() && !self.watch.is_on()
    }

    /// Whether the search may be answered from all states instead: if it remembers states, has no horizon, and neither
    /// its trace nor its tree is asked for.
    fn may_repeat(&self) -> bool {
        self.pruning.table && self.budget.depth().is_none() && !self.watch.is_on()
    }

    /// Whether symmetries can be used: where states are remembered, and nothing that is asked for tells a state from
    /// those that are like it.
    fn check_symmetry(&self, arguments: &Arguments) -> Result<(), CommandError> {
        let is_modelled = self.opponents.as_ref().is_some_and(|(spec, _)| spec.predicts());
        if !self.pruning.table && self.pruning.ordering != Ordering::Table {
            return Err(arguments.wrong("`--symmetry` needs `--table`: without a table no state is looked up"));
        }
        if self.watch.is_on() {
            return Err(arguments.wrong("`--symmetry` and `--trace`, `--tree` or `--stages` cannot be combined"));
        }
        if arguments.has(&EVAL) || is_modelled {
            let reason = "`--symmetry` and `--eval` or a model of the opponents cannot be combined: states that are \
                          alike by the rules may differ by them";
            return Err(arguments.wrong(reason));
        }
        Ok(())
    }

    /// The answer from all states, if the search may be answered from them, there are few, and play can come back to
    /// one of them. What it took is deducted from the budget otherwise.
    fn answer_from_all_states<R: BatchReasoner>(
        &mut self,
        reasoner: &mut R,
        state: &R::State,
        lines: Lines<R>,
    ) -> Result<Option<Answer>, CommandError> {
        if !self.may_repeat() {
            return Ok(None);
        }
        let started = Instant::now();
        let answer = self.answer_if_repeating(reasoner, state, lines)?;
        self.budget = self.budget.clone().begun_at(started);
        Ok(answer)
    }

    fn answer_if_repeating<R: BatchReasoner>(
        &self,
        reasoner: &mut R,
        state: &R::State,
        lines: Lines<R>,
    ) -> Result<Option<Answer>, CommandError> {
        let &Self { algorithm, role, ties, values, ref budget, .. } = self;
        let asked = Asked { role, ties, values };
        let found = match algorithm {
            Algorithm::MaxN => search::repeating_shares(reasoner, state, budget)?
                .map(|answer| answer.try_map(|shares| found_shares((reasoner, state), lines, shares))),
            Algorithm::Expectimax | Algorithm::Expectiminimax => {
                let Some((spec @ (OpponentSpec::Uniform | OpponentSpec::Adversaries), _)) = &self.opponents else {
                    return Ok(None);
                };
                let others_are_random = *spec == OpponentSpec::Uniform;
                search::repeating_expectation(reasoner, state, role, others_are_random, budget)?.map(|answer| {
                    answer
                        .try_map(|expectation| found_expectation((reasoner, state), lines, asked, (spec, expectation)))
                })
            }
            Algorithm::Iterative | Algorithm::Nash => None,
            Algorithm::Minimax | Algorithm::Negamax | Algorithm::AlphaBeta | Algorithm::Paranoid => {
                search::repeating_choice(reasoner, state, role, budget)?
                    .map(|answer| answer.try_map(|choice| found_choice((reasoner, state), lines, asked, choice)))
            }
        };
        let Some(FromAllStates { outcome, endless, precision }) = found.transpose()? else { return Ok(None) };
        let Answer::Search(answer) =
            self.watch.clone().answer(self.watch.watcher(), (reasoner, state), outcome, |found| found)?
        else {
            return Ok(None);
        };
        Ok(Some(Answer::Search(SearchAnswer { from_all_states: Some(AllStates { endless, precision }), ..answer })))
    }
}
