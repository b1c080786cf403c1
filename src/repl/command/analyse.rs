//! Command `analyse`: the best first moves with values and lines, searched deeper and deeper until they are exact, or a
//! limit or Ctrl-C ends it.

use super::contest::{choices, to_move};
use super::option::LIMITS;
use super::sample::reproducible_play;
use super::{Arguments, Command, OptionGroup};
use crate::repl::answer::text::{line, line_in_row};
use crate::repl::answer::{AnswerContent, AnswerValue, LineMove, TextStyle};
use crate::repl::output::{Screen, ScreenContent};
use crate::repl::{Answer, CommandError, Session};
use crate::table::{Column, Table};
use gdl::limits::Stop;
use gdl::quantity::{counted_as, grouped};
use gdl::rules::GroundTerm;
use gdl::sorting;
use gdl::syntax::Dialect;
use gdl::time::Instant;
use ggp_engine::{Engine, EngineState, Feature, FeaturedState};
use ggp_game::{Evaluation, ReasonError, Reasoner, Role, Utility};
use ggp_play::ask::budget::QuestionBudget;
use ggp_play::ask::fitting::{AnalysisAlgorithm, SURVEY_TIME, survey};
use ggp_play::ask::options::{DEPTH, EVALUATION, EXTEND_FORCED, NETWORK};
use ggp_play::ask::sampling::{SEED, Sampled};
use ggp_play::ask::spec::NamedOption;
use ggp_play::ask::{RandomPlay, SampleQuestion, Sampling, searches};
use ggp_search as search;
use ggp_search::{Advice, Choice, Contest, Cost, FirstPlans, FirstValues, MoveStatistics, Outcome, Uct, Worth};
use serde::Serialize;
use std::cmp::Reverse;
use std::num::NonZeroUsize;
use std::sync::Arc;
use std::time::Duration;

pub(super) const ANALYSE: Command = Command {
    name: "analyse",
    options: &[OptionGroup::own(&[ALGORITHM, MOVES, EVALUATION, NETWORK, EXTEND_FORCED, SEED]), LIMITS],
    summary: "search deeper and deeper until Ctrl-C or a limit, and keep the best first moves with values and lines on the screen",
    example: "analyse --depth 4 --moves 3 --eval connect_four_weights",
    example_game: "connect_four",
    ..Command::search(analyse)
};

const ALGORITHM: NamedOption = NamedOption::choice(
    "--algorithm",
    &["alphabeta", "mcts", "bestplan"],
    "the search that gives the values; for `mcts` a node is a visit",
)
.default("bestplan for one player; alphabeta for two who take turns against each other, if the game is small or there is an evaluation or a depth; otherwise, and with --net without a depth, mcts");
const MOVES: NamedOption =
    NamedOption::number("--moves", "N", "a number of moves from 1 on", "show the N best first moves").default("5");

/// The default number of moves.
const SHOWN: usize = 5;
/// The default limit on time if no user watches the screen who could end the analysis.
const UNWATCHED: Duration = Duration::from_secs(10);
/// The time between two updates of what a terminal shows of random games; of other searches it shows every round.
const PERIOD: Duration = Duration::from_millis(200);

/// Says why an analysis without a limit has ended.
const NO_LIMIT: &str = "without a terminal and without a limit `analyse` ends after 10 seconds; `--seconds`, `--nodes` and `--depth` set other limits";

struct AnalysisRequest {
    role: Role,
    shown: usize,
    budget: QuestionBudget,
    /// True if a network judges.
    is_guided: bool,
    screen: Arc<Screen>,
    dialect: Dialect,
}

fn analyse(session: &mut Session, arguments: &Arguments) -> Result<Answer, CommandError> {
    let given = AnalysisAlgorithm::ALL.into_iter().find(|own| arguments.word(&ALGORITHM) == Some(own.name()));
    let shown = arguments.number::<NonZeroUsize>(&MOVES)?.map_or(SHOWN, NonZeroUsize::get);
    let seed = arguments.number(&SEED)?.unwrap_or(session.seed());
    let budget = arguments.budget(session.budget())?;
    // Without a terminal no user watches, who could end the analysis.
    let needs_limit = !session.screen().is_watched() && !budget.is_limited();
    let budget = if needs_limit { budget.with(|budget| budget.with_time(UNWATCHED)) } else { budget };
    if session.current()?.is_over()? {
        return Err(CommandError::Over);
    }
    let algorithm = match given {
        Some(algorithm) => algorithm,
        None if arguments.has(&EVALUATION) => AnalysisAlgorithm::AlphaBeta,
        None if arguments.has(&NETWORK) && !arguments.has(&DEPTH) => AnalysisAlgorithm::Mcts,
        None => {
            let whole = session.budget();
            let (engine, state) = session.current()?.engine()?;
            AnalysisAlgorithm::fitting(survey(engine, &state, &whole, SURVEY_TIME)?, arguments.has(&DEPTH))
        }
    };
    check_options(arguments, algorithm)?;
    let role = to_move(session.current()?)?;
    let mut guide = arguments.word(&NETWORK).map(|file| session.neural_guide(file)).transpose()?;
    let (screen, dialect) = (session.screen(), session.dialect());
    let is_guided = guide.is_some();
    let request = AnalysisRequest { role, shown, budget, is_guided, screen: screen.clone(), dialect };
    let answer = match algorithm {
        AnalysisAlgorithm::AlphaBeta => match arguments.word(&EVALUATION) {
            Some(sheet) => {
                let FeaturedState { engine, state, features, warnings } =
                    session.featured(sheet, Feature::Evaluation)?;
                request.values(engine, &state, Some(features)).map(|analysed| AnalysisAnswer { warnings, ..analysed })
            }
            None => {
                let (engine, state) = session.current()?.engine()?;
                let evaluation = guide.as_mut().map(|guide| guide as &mut dyn Evaluation<Engine>);
                request.values(engine, &state, evaluation)
            }
        },
        AnalysisAlgorithm::BestPlan => {
            let (engine, state) = session.current()?.engine()?;
            request.plans(engine, &state)
        }
        AnalysisAlgorithm::Mcts => {
            let limits = session.current()?.game.limits().clone();
            let (engine, state) = session.current()?.engine()?;
            let question = SampleQuestion::new(Sampling::Mcts, role, arguments, seed).guided_by(guide);
            let play = reproducible_play(engine, question.playouts, question.seed(), &limits);
            play.and_then(|mut play| request.samples(engine, &state, &question, &mut play))
        }
    };
    screen.set(None);
    let mut answer = answer?;
    if needs_limit && matches!(answer.stopped, Some(Stop::Time { .. })) {
        answer.warnings.push(NO_LIMIT.to_string());
    }
    Ok(Answer::new(answer))
}

/// Checks that the given options belong to the algorithm.
fn check_options(arguments: &Arguments, algorithm: AnalysisAlgorithm) -> Result<(), CommandError> {
    let is_for = [
        (&EVALUATION, AnalysisAlgorithm::AlphaBeta),
        (&EXTEND_FORCED, AnalysisAlgorithm::AlphaBeta),
        (&SEED, AnalysisAlgorithm::Mcts),
    ];
    for (option, is_for) in is_for {
        if arguments.has(option) && algorithm != is_for {
            return Err(arguments.wrong(format!("`{}` is for `{}`", option.name, is_for.name())));
        }
    }
    if arguments.has(&NETWORK) && algorithm == AnalysisAlgorithm::BestPlan {
        return Err(arguments.wrong("`--net` is for `mcts` and `alphabeta`"));
    }
    if arguments.has(&DEPTH) && algorithm == AnalysisAlgorithm::Mcts {
        return Err(arguments.wrong("`--depth` is not for `mcts`: limit its visits by `--nodes`, or its time"));
    }
    Ok(())
}

impl AnalysisRequest {
    /// Analyses by alpha-beta, deeper and deeper.
    fn values(
        &self,
        reasoner: &mut Engine,
        state: &EngineState,
        evaluation: Option<&mut dyn Evaluation<Engine>>,
    ) -> Result<AnalysisAnswer, CommandError> {
        // A borrow of a trait object is shortened only where the trait object is made again.
        let evaluation = evaluation.map(|evaluation| evaluation as &mut dyn Evaluation<Engine>);
        let contest = Contest { evaluation, ..Contest::new(state, self.role) };
        // An update that fails is left out; if a limit is the reason, the answer at the end reports it.
        let mut watch = |reasoner: &mut Engine, values: &FirstValues| {
            if let Ok(analysed) = self.of_values(reasoner, state, values) {
                self.show(&analysed);
            }
        };
        let outcome = self.budget.run(|budget| searches::first_values(reasoner, contest, budget, &mut watch))?;
        finished(outcome, |values| self.of_values(reasoner, state, &values))
    }

    fn of_values(
        &self,
        reasoner: &mut Engine,
        state: &EngineState,
        FirstValues { depth, moves }: &FirstValues,
    ) -> Result<AnalysisAnswer, ReasonError> {
        let first = |reasoner: &mut Engine, choice: &Choice| {
            let chosen = choice.chosen.map(|chosen| reasoner.move_term(chosen)).expect("a first move has been made");
            let value = Some(AnalysedValue::Forced(choice.worth));
            Ok(AnalysedMove { chosen, value, line: choices(reasoner, state, &choice.line)? })
        };
        self.analysed(reasoner, AnalysisAlgorithm::AlphaBeta, AnalysisProgress::Depth(*depth), moves, first)
    }

    /// Analyses by plans, longer and longer.
    fn plans(&self, reasoner: &mut Engine, state: &EngineState) -> Result<AnalysisAnswer, CommandError> {
        let mut watch = |reasoner: &mut Engine, plans: &FirstPlans| {
            if let Ok(analysed) = self.of_plans(reasoner, state, plans) {
                self.show(&analysed);
            }
        };
        let outcome = self.budget.run(|budget| searches::first_plans(reasoner, state, budget, &mut watch))?;
        finished(outcome, |plans| self.of_plans(reasoner, state, &plans))
    }

    fn of_plans(
        &self,
        reasoner: &mut Engine,
        state: &EngineState,
        FirstPlans { depth, moves }: &FirstPlans,
    ) -> Result<AnalysisAnswer, ReasonError> {
        let first = |reasoner: &mut Engine, first: &search::FirstPlan| {
            let plan = first.plan.as_ref();
            let value = plan.map(|plan| AnalysedValue::Planned { utility: plan.utility, length: plan.moves.len() });
            let line: Vec<_> = plan.iter().flat_map(|plan| &plan.moves).map(|&chosen| vec![chosen]).collect();
            let chosen = reasoner.move_term(first.chosen);
            Ok(AnalysedMove { chosen, value, line: choices(reasoner, state, &line)? })
        };
        self.analysed(reasoner, AnalysisAlgorithm::BestPlan, AnalysisProgress::Depth(*depth), moves, first)
    }

    /// Analyses by random games from a growing tree.
    fn samples(
        &self,
        engine: &mut Engine,
        state: &EngineState,
        question: &SampleQuestion,
        play: &mut RandomPlay,
    ) -> Result<AnalysisAnswer, CommandError> {
        let mut last = Instant::now();
        let mut watch = |engine: &mut Engine, tree: &Uct<Engine>, visits: u64| {
            if last.elapsed() >= PERIOD
                && let Some(advice) = tree.advice(self.role)
                && let Ok(analysed) = self.of_samples(engine, state, tree, &advice, visits)
            {
                last = Instant::now();
                self.show(&analysed);
            }
        };
        let Sampled { outcome, tree } = question.ask(engine, state, play, &self.budget, &mut watch)?;
        let visits = outcome.cost.nodes;
        let tree = tree.expect("`mcts` grows a tree");
        finished(outcome, |advice| self.of_samples(engine, state, &tree, &advice, visits))
    }

    fn of_samples(
        &self,
        engine: &mut Engine,
        state: &EngineState,
        tree: &Uct<Engine>,
        advice: &Advice,
        visits: u64,
    ) -> Result<AnalysisAnswer, ReasonError> {
        let mut options = advice.options.clone();
        // The recommended move comes first, even if another one has more visits.
        sorting::sort_by_key(&mut options, |option| (option.chosen != advice.chosen, Reverse(option.visits)));
        let first = |engine: &mut Engine, &MoveStatistics { chosen, visits, mean, proven, .. }: &MoveStatistics| {
            let value = AnalysedValue::Mean { visits, mean: proven.unwrap_or(mean), proven: proven.is_some() };
            let value = (visits > 0 || proven.is_some()).then_some(value);
            let line = choices(engine, state, &tree.line_after(self.role, chosen))?;
            Ok(AnalysedMove { chosen: engine.move_term(chosen), value, line })
        };
        self.analysed(engine, AnalysisAlgorithm::Mcts, AnalysisProgress::Visits(visits), &options, first)
    }

    /// The analysis of all first moves, of which the best come first.
    fn analysed<R: Reasoner, T>(
        &self,
        reasoner: &mut R,
        algorithm: AnalysisAlgorithm,
        reached: AnalysisProgress,
        all: &[T],
        mut first: impl FnMut(&mut R, &T) -> Result<AnalysedMove, ReasonError>,
    ) -> Result<AnalysisAnswer, ReasonError> {
        let moves = all.iter().take(self.shown).map(|it| first(reasoner, it)).collect::<Result<_, _>>()?;
        Ok(AnalysisAnswer {
            algorithm: algorithm.name(),
            guided: self.is_guided,
            role: reasoner.roles()[self.role.index()].clone(),
            reached,
            moves,
            others: all.len().saturating_sub(self.shown),
            exact: false,
            stopped: None,
            cost: Cost::default(),
            warnings: Vec::new(),
        })
    }

    /// Shows the state of the analysis on a terminal.
    fn show(&self, analysed: &AnalysisAnswer) {
        let unit = if matches!(analysed.reached, AnalysisProgress::Visits(_)) { "visits" } else { "nodes" };
        self.screen.set(Some(ScreenContent {
            heading: heading(analysed),
            unit,
            rows: rows(analysed, self.dialect),
            answer: Some(Answer::new(analysed.clone())),
        }));
    }
}

/// The final state of an analysis; an error if it was stopped before anything was known.
fn finished<T>(
    Outcome { answer, stopped, cost }: Outcome<T>,
    analysed: impl FnOnce(T) -> Result<AnalysisAnswer, ReasonError>,
) -> Result<AnalysisAnswer, CommandError> {
    let answer = answer.ok_or_else(|| CommandError::without_answer(stopped, cost))?;
    Ok(AnalysisAnswer { exact: stopped.is_none(), stopped, cost, ..analysed(answer)? })
}

/// The best first moves of the role to move, each with its value and the line that follows.
#[derive(Clone, Debug, Serialize)]
pub(crate) struct AnalysisAnswer {
    /// The search that gave the values.
    algorithm: &'static str,
    /// True if a network judges states, for `mcts` in place of random games.
    #[serde(skip_serializing_if = "std::ops::Not::not")]
    guided: bool,
    /// The role that moves.
    role: GroundTerm,
    /// Progress of the search.
    #[serde(flatten)]
    reached: AnalysisProgress,
    /// The best moves, the best first.
    moves: Vec<AnalysedMove>,
    /// The number of other first moves.
    others: usize,
    /// True if no further work would change the values.
    exact: bool,
    /// The limit that ended the analysis, if it is not exact.
    #[serde(skip_serializing_if = "Option::is_none")]
    stopped: Option<Stop>,
    /// The work that was done.
    cost: Cost,
    /// Warnings about the question.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    warnings: Vec<String>,
}

impl AnalysisAnswer {
    /// The limit that cut the analysis off. A limit of the search does not count, since an analysis has no other end.
    fn cut_off(&self) -> Option<Stop> {
        self.stopped.filter(|stop| matches!(stop, Stop::Interrupted | Stop::Work { .. }))
    }
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
#[serde(rename_all = "snake_case")]
enum AnalysisProgress {
    /// All first moves have been searched to this depth.
    Depth(u32),
    /// This many random games have been played.
    Visits(u64),
}

/// A first move in an analysis.
#[derive(Clone, Debug, Serialize)]
struct AnalysedMove {
    #[serde(rename = "move")]
    chosen: GroundTerm,
    /// Its value; `None` if nothing is known yet.
    #[serde(flatten)]
    value: Option<AnalysedValue>,
    /// The expected line, with this move.
    line: Vec<LineMove>,
}

/// The value of a first move.
#[derive(Clone, Debug, Serialize)]
#[serde(untagged)]
enum AnalysedValue {
    /// The value that the role can force.
    Forced(Worth),
    /// The utility at the end of a plan.
    Planned {
        utility: Utility,
        /// The number of moves to it.
        length: usize,
    },
    /// The mean of random games or of what a network expects, or the exact value if it is proven.
    Mean {
        /// The number of visits, each with a random game or an estimate.
        visits: u32,
        /// Their mean utility.
        mean: f64,
        /// True if the mean is the exact value.
        proven: bool,
    },
}

impl AnalysedValue {
    /// The value as a cell of a table.
    fn text(&self) -> String {
        match self {
            Self::Forced(worth) => worth.to_string(),
            Self::Planned { utility, length } => format!("{utility} in {length}"),
            Self::Mean { mean, proven: true, .. } => format!("{} proven", ggp_search::events::value_text(*mean)),
            Self::Mean { mean, .. } => format!("{mean:.1}"),
        }
    }
}

/// The role, the search and its progress: `red to move: alphabeta, depth 7`.
fn heading(AnalysisAnswer { algorithm, guided, role, reached, .. }: &AnalysisAnswer) -> String {
    let guided = if *guided { " with a network" } else { "" };
    let reached = match reached {
        AnalysisProgress::Depth(depth) => format!("depth {depth}"),
        AnalysisProgress::Visits(visits) => counted_as(*visits, "visit", "visits"),
    };
    format!("{role} to move: {algorithm}{guided}, {reached}")
}

/// A line for each of the best moves: its rank, its value, and the line that begins with it.
fn rows(AnalysisAnswer { moves, others, .. }: &AnalysisAnswer, dialect: Dialect) -> String {
    let row = |(index, AnalysedMove { chosen, value, line }): (usize, &AnalysedMove)| {
        let line = if line.is_empty() { chosen.display(dialect).to_string() } else { line_in_row(line, dialect) };
        let visits = match value {
            Some(AnalysedValue::Mean { visits, .. }) => grouped(visits),
            _ => String::new(),
        };
        let value = value.as_ref().map_or("unknown".to_string(), AnalysedValue::text);
        [(index + 1).to_string(), visits, value, line]
    };
    let rows: Vec<[String; 4]> = moves.iter().enumerate().map(row).collect();
    let is_counted = rows.iter().any(|[_, visits, ..]| !visits.is_empty());
    let table = match is_counted {
        true => Table::new([Column::Right, Column::Right, Column::Right, Column::Left]).rows(rows),
        false => {
            let rows = rows.into_iter().map(|[rank, _, value, line]| [rank, value, line]);
            Table::new([Column::Right, Column::Left, Column::Left]).rows(rows)
        }
    };
    let more = match others {
        0 => String::new(),
        count => line(format!("… {}", counted_as(*count as u64, "move more", "moves more"))),
    };
    table.to_string() + &more
}

/// The reason for which the analysis ended, and its cost.
fn end_text(AnalysisAnswer { reached, stopped, cost, .. }: &AnalysisAnswer) -> String {
    let is_sampled = matches!(reached, AnalysisProgress::Visits(_));
    let end = match stopped {
        None => "exact".to_string(),
        Some(Stop::Nodes { limit }) if is_sampled => {
            format!("the limit of {} was reached", counted_as(*limit, "visit", "visits"))
        }
        Some(stop) => stop.to_string(),
    };
    if is_sampled { end } else { format!("{end}; {}", counted_as(cost.nodes, "node", "nodes")) }
}

impl AnswerContent for AnalysisAnswer {
    fn kind(&self) -> &'static str {
        "analysed"
    }

    /// The heading without counts, then a line for each move.
    fn text(&self, style: &TextStyle<'_>) -> String {
        line(format!("{}; {}", heading(self), end_text(self))) + &rows(self, style.dialect)
    }

    fn value(&self) -> Option<AnswerValue> {
        Some(AnswerValue::One(self.moves.first()?.chosen.clone()))
    }

    fn warnings(&self) -> &[String] {
        &self.warnings
    }

    fn warnings_mut(&mut self) -> Option<&mut Vec<String>> {
        Some(&mut self.warnings)
    }

    fn stopped(&self) -> Option<Stop> {
        self.cut_off()
    }
}
