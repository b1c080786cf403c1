//! Commands that search a game of several players, or of chance: the options that they share with `ggp_play::ask`, and
//! their results with terms in place of moves.

use super::option::{LIMITS, STAGES, VIEW};
use super::plan::{DIFFERENT_BY_THEM, SYMMETRY, SYMMETRY_OF_TABLE, UpToSymmetry};
use super::stored_answer::{self, StoredAnswer};
use super::watch::{Watch, Watcher};
use super::{Arguments, Command, OptionGroup};
use crate::repl::answer::search::round_rows;
use crate::repl::answer::{AllStates, Assumption, LineMove, RoleWorth, SearchAnswer, SearchFound, Substitute};
use crate::repl::output::{Screen, ScreenContent};
use crate::repl::session::Match;
use crate::repl::{Answer, CommandError, Session, read};
use gdl::rules::GroundTerm;
use gdl::syntax::Dialect;
use gdl::time::Instant;
use ggp_engine::{Feature, FeaturedState};
use ggp_game::{BatchReasoner, Evaluation, JointMoves, Move, ReasonError, Reasoner, Role};
use ggp_learn::NeuralGuide;
use ggp_play::ask::budget::QuestionBudget;
use ggp_play::ask::options::{self, EVALUATION, GUESS, NETWORK, OPPONENTS};
use ggp_play::ask::spec::NamedOption;
use ggp_play::ask::{
    self, Algorithm, Answered, AskedEngine, AskedPosition, ContestFound, ContestQuestion, OpponentSpec, Origin,
    Predictor, SpecError,
};
use ggp_search::{
    Choice, DeepenedChoice, EqualMoves, Equilibrium, EquilibriumSelection, Expectation, LineEnd, MixedStrategy,
    PureEquilibrium, PureMove, RoleMean, Round, Shares, SymmetricReasoner, WeightedMove,
};
use std::sync::Arc;

pub(super) const MINIMAX: Command = Command {
    name: "minimax",
    options: &[options_of(Algorithm::Minimax), WITH_VALUES, LIMITS, VIEW],
    summary: "search for the utility that a role (by default the role to move) can force against all others",
    example: "minimax xplayer",
    example_after: &["do mark(2,2)", "do mark(1,2)"],
    ..Command::search_for_role(|session, arguments| answer(session, Algorithm::Minimax, arguments, None))
};

pub(super) const NEGAMAX: Command = Command {
    name: "negamax",
    options: &[options_of(Algorithm::Negamax), WITH_VALUES, LIMITS, VIEW],
    summary: "minimax with one rule for both sides: each chooses the move that is worth least to the other",
    example: "negamax --depth 3 --eval connect_four_weights",
    example_game: "connect_four",
    ..Command::search_for_role(|session, arguments| answer(session, Algorithm::Negamax, arguments, None))
};

pub(super) const ALPHABETA: Command = Command {
    name: "alphabeta",
    options: PRUNING,
    summary: "minimax that prunes branches which cannot change the value (fail-soft); moves ordered by an evaluation or by a table of states",
    example: "alphabeta --depth 5 --eval connect_four_weights --order evaluation",
    example_game: "connect_four",
    ..Command::search_for_role(|session, arguments| answer(session, Algorithm::AlphaBeta, arguments, None))
};

pub(super) const ITERATIVE: Command = Command {
    name: "iterative",
    options: &[options_of(Algorithm::Iterative), LIMITS, VIEW],
    summary: "alpha-beta to depth 1, 2, 3 … until a limit is reached, with the best line of each depth",
    example: "iterative --depth 4 --eval connect_four_weights",
    example_game: "connect_four",
    ..Command::search_for_role(|session, arguments| answer(session, Algorithm::Iterative, arguments, None))
};

pub(super) const PARANOID: Command = Command {
    name: "paranoid",
    options: PRUNING,
    summary: "search for the utility that a role can force if all others play together against it",
    example: "paranoid a",
    example_game: "three_player_tree",
    ..Command::search_for_role(|session, arguments| answer(session, Algorithm::Paranoid, arguments, None))
};

pub(super) const MAXN: Command = Command {
    name: "maxn",
    options: &[options_of(Algorithm::MaxN), LIMITS, VIEW],
    summary: "search for the utilities of all roles if each maximises its own",
    example: "maxn",
    example_game: "three_player_tree",
    ..Command::search_for_role(|session, arguments| answer(session, Algorithm::MaxN, arguments, None))
};

pub(super) const EXPECTIMAX: Command = Command {
    name: "expectimax",
    options: &[options_of(Algorithm::Expectimax), WITH_VALUES, LIMITS, VIEW],
    summary: "search for the expected utility of a role against chance and a model of the opponents",
    example: "expectimax max --opponents uniform",
    example_game: "minimax_tree",
    ..Command::search_for_role(|session, arguments| answer(session, Algorithm::Expectimax, arguments, None))
};

pub(super) const EXPECTIMINIMAX: Command = Command {
    name: "expectiminimax",
    options: &[options_of(Algorithm::Expectiminimax), WITH_VALUES, LIMITS, VIEW],
    summary: "expectimax with opponents who play together against the role",
    example: "expectiminimax first",
    example_game: "dice_race",
    ..Command::search_for_role(|session, arguments| answer(session, Algorithm::Expectiminimax, arguments, None))
};

pub(super) const NASH: Command = Command {
    name: "nash",
    options: &[options_of(Algorithm::Nash), LIMITS, VIEW],
    summary: "search for an equilibrium of roles who choose at the same time: their values and mixed strategies",
    example: "nash left",
    example_game: "rock_paper_scissors",
    ..Command::search_for_role(|session, arguments| answer(session, Algorithm::Nash, arguments, None))
};

/// The options of a search without its limits, as `ggp_play` has them.
const fn options_of(algorithm: Algorithm) -> OptionGroup {
    OptionGroup::own(algorithm.options())
}

const WITH_VALUES: OptionGroup = OptionGroup::own(&[VALUES, SYMMETRY_OF_TABLE]);
const PRUNING: &[OptionGroup] =
    &[options_of(Algorithm::AlphaBeta), OptionGroup::own(&[SYMMETRY_OF_TABLE, STAGES]), LIMITS, VIEW];

const VALUES: NamedOption = NamedOption::flag("--values", "list all first moves with their values");

/// A turn in a game, for which a search is asked.
#[derive(Clone, Copy)]
pub(super) struct AskedTurn {
    pub(super) role: Role,
    /// The depth of the search in place of its own.
    pub(super) depth: Option<u32>,
    /// Draws one of equally good moves, so that the search has to find all of them.
    pub(super) draws: bool,
}

/// The answer of a search with these options, for the role of the arguments or at a turn of a game.
///
/// # Errors
/// Those of the search.
pub(super) fn answer(
    session: &mut Session,
    algorithm: Algorithm,
    arguments: &Arguments,
    turn: Option<AskedTurn>,
) -> Result<Answer, CommandError> {
    let request = ContestRequest::from_arguments(session, algorithm, arguments).map(|request| match turn {
        Some(turn) => request.at_turn(turn),
        None => request,
    });
    match request.and_then(|request| request.answer(session, arguments)) {
        Ok(answer) => Ok(Answer::new(answer)),
        Err(CommandError::Stopped { stop, cost }) => {
            Err(CommandError::NoMoveFinished { stop, cost: cost.unwrap_or_default(), hint: hint(algorithm) })
        }
        Err(error) => Err(error),
    }
}

/// Advice after a search was stopped before it had an answer: empty, or a clause after a semicolon.
fn hint(algorithm: Algorithm) -> &'static str {
    match algorithm {
        Algorithm::Minimax | Algorithm::Negamax | Algorithm::AlphaBeta | Algorithm::Paranoid => {
            "; `iterative` has an answer after each depth"
        }
        Algorithm::Iterative => "",
        Algorithm::MaxN | Algorithm::Expectimax | Algorithm::Expectiminimax | Algorithm::Nash => {
            "; with less `--depth` it ends sooner"
        }
    }
}

/// A question of the prompt, and what of the answer is shown.
struct ContestRequest {
    question: ContestQuestion,
    /// Predicts the moves of the opponents.
    predictor: Option<Predictor>,
    /// Judges states at the horizon, if the arguments name a network.
    guide: Option<NeuralGuide>,
    budget: QuestionBudget,
    watch: Watch,
    /// Lists all first moves with their values.
    values: bool,
    /// Shows the rounds of `iterative` while it runs, with terms in this dialect.
    screen: Arc<Screen>,
    dialect: Dialect,
}

impl ContestRequest {
    fn from_arguments(
        session: &mut Session,
        algorithm: Algorithm,
        arguments: &Arguments,
    ) -> Result<Self, CommandError> {
        let watch = Watch::from_arguments(arguments, session)?;
        let budget = arguments.budget(session.budget())?;
        let values = arguments.has(&VALUES);
        let pruning = options::pruning(arguments, || session.random.word());
        let (opponents, predictor) = opponents(session, algorithm, arguments)?.unzip();
        let role = asking_role(session.current()?, arguments)?;
        let guide = arguments.word(&NETWORK).map(|file| session.neural_guide(file)).transpose()?;
        let question = ContestQuestion { algorithm, role, pruning, opponents, is_watched: watch.is_on() };
        let (screen, dialect) = (session.screen(), session.dialect());
        Ok(Self { question, predictor, guide, budget, watch, values, screen, dialect })
    }

    /// The same question at a turn of a game.
    fn at_turn(mut self, AskedTurn { role, depth, draws }: AskedTurn) -> Self {
        self.question.role = role;
        if let Some(depth) = depth {
            self.budget = self.budget.with(|budget| budget.with_depth(depth));
        }
        // Otherwise a move as good as the best may be cut as no better.
        if draws && self.question.pruning.ties == EqualMoves::Unknown {
            self.question.pruning.ties = EqualMoves::Honest;
        }
        self
    }

    /// The answer: up to symmetries, from the files of a solved game, or as the question is answered.
    fn answer(self, session: &mut Session, arguments: &Arguments) -> Result<SearchAnswer, CommandError> {
        if arguments.has(&SYMMETRY) {
            if self.question.opponents.as_ref().is_some_and(OpponentSpec::predicts) {
                return Err(arguments.wrong(DIFFERENT_BY_THEM));
            }
            let UpToSymmetry { mut reasoner, state, warnings } = UpToSymmetry::in_session(session)?;
            let answer = self.ask_without_sheet(arguments, &mut reasoner, &state, actual_choices)?;
            return Ok(answer.up_to(reasoner.symmetries()).warned(warnings));
        }
        if self.question.may_be_stored(&self.budget)
            && let Some(StoredAnswer { answer, note }) = stored_answer::choice(session, self.question.role)?
        {
            let (reasoner, state) = session.current()?.engine()?;
            let found = SearchedState { reasoner, state: &state, lines: choices };
            let outcome = answer.try_map(|choice| self.shown(found, self.question.told(choice)))?;
            return Ok(SearchAnswer::from_outcome(outcome)?.warned(vec![note]));
        }
        let (engine, state) = session.current()?.engine()?;
        let Some(sheet) = arguments.word(&EVALUATION) else {
            return self.ask_without_sheet(arguments, engine, &state, choices);
        };
        let FeaturedState { engine, state, features, warnings } = session.featured(sheet, Feature::Evaluation)?;
        Ok(self.ask(engine, &state, Some(features), choices)?.warned(warnings))
    }

    /// Asks in a state without a sheet: a network judges, or a guess, or nothing.
    fn ask_without_sheet<R: AskedEngine>(
        mut self,
        arguments: &Arguments,
        reasoner: &mut R,
        state: &R::State,
        lines: LineNamer<R>,
    ) -> Result<SearchAnswer, CommandError> {
        let mut guess = ask::guess::<R>;
        let mut guide = self.guide.take();
        let evaluation = match &mut guide {
            Some(guide) => Some(guide as &mut dyn Evaluation<R>),
            None => arguments.has(&GUESS).then_some(&mut guess as &mut dyn Evaluation<R>),
        };
        self.ask(reasoner, state, evaluation, lines)
    }

    /// Asks in a state.
    fn ask<R: AskedEngine>(
        mut self,
        reasoner: &mut R,
        state: &R::State,
        evaluation: Option<&mut dyn Evaluation<R>>,
        lines: LineNamer<R>,
    ) -> Result<SearchAnswer, CommandError> {
        let mut watcher = self.watch.watcher();
        let mut screen = RoundScreen::new(self.screen.clone(), self.dialect);
        let mut rounds = |reasoner: &mut R, round: &Round| {
            // If the engine is interrupted, the search ends, and its answer has the round.
            let round = SearchedState { reasoner, state, lines }.round(round.clone());
            round.into_iter().for_each(|round| screen.add(round));
        };
        // A borrow of a trait object is shortened only where the trait object is made again.
        let evaluation = evaluation.map(|evaluation| evaluation as &mut dyn Evaluation<R>);
        let predictor = self.predictor.as_mut();
        let mut asked = AskedPosition { reasoner: &mut *reasoner, state, evaluation, predictor };
        let answered = self.question.ask(&mut asked, &self.budget, self.watch.observing(&mut watcher), &mut rounds)?;
        self.answer_of(answered, watcher, reasoner, state, lines)
    }

    /// The answer with its observations: the trace, the tree, and the search that was asked in its place.
    fn answer_of<R: BatchReasoner>(
        self,
        Answered { outcome, origin, unknown }: Answered,
        watcher: Watcher,
        reasoner: &mut R,
        state: &R::State,
        lines: LineNamer<R>,
    ) -> Result<SearchAnswer, CommandError> {
        let found = outcome.try_map(|found| self.shown(SearchedState { reasoner, state, lines }, found))?;
        let answer = self.watch.answer(watcher, reasoner, state, found)?.ranking(unknown);
        Ok(match origin {
            Origin::Search => answer,
            Origin::AllStates { endless, precision } => {
                SearchAnswer { from_all_states: Some(AllStates { endless, precision }), ..answer }
            }
            Origin::Shallower { depth, stop, cost } => {
                let missed = "no first move was searched to its end";
                let search = self.question.algorithm.name();
                answer.in_place_of(stop, cost, Substitute { search, depth: Some(depth), missed })
            }
        })
    }

    /// The result with terms for moves.
    fn shown<R: Reasoner>(&self, state: SearchedState<'_, R>, found: ContestFound) -> Result<SearchFound, ReasonError> {
        let ContestQuestion { role, opponents, .. } = &self.question;
        match found {
            ContestFound::Choice(choice) => state.choice(*role, self.values, choice),
            ContestFound::Deepened(deepened) => state.deepened(*role, deepened),
            ContestFound::Shares(shares) => state.shares(shares),
            ContestFound::Expectation(expectation) => {
                state.expectation(*role, self.values, opponents.as_ref().unwrap_or(&OpponentSpec::Uniform), expectation)
            }
            ContestFound::Equilibrium(equilibrium) => Ok(found_equilibrium(state.reasoner, *role, equilibrium)),
        }
    }
}

/// The model that a search assumes of the opponents, ready to predict; `None` if it assumes nothing.
fn opponents(
    session: &mut Session,
    algorithm: Algorithm,
    arguments: &Arguments,
) -> Result<Option<(OpponentSpec, Predictor)>, CommandError> {
    let directory = session.directory().map(std::path::Path::to_path_buf);
    let current = session.current()?;
    let spec = match arguments.word(&OPPONENTS) {
        Some(text) => Some(text.parse().map_err(|error: SpecError| arguments.wrong(error.to_string()))?),
        None => algorithm.usual_opponents(Role::chance(current.roles()).is_some()),
    };
    let Some(spec) = spec else { return Ok(None) };
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
    // Chance moves too, but a search is asked for a player.
    choosing.retain(|role| !current.roles()[role.index()].is_chance());
    match choosing[..] {
        [role] => Ok(role),
        _ => Ok(first),
    }
}

/// Turns the joint moves of a line from a state into the moves of an answer: [`choices`], or [`actual_choices`] if the
/// search has visited one state for all that are the same up to symmetry.
type LineNamer<R> = fn(&mut R, &<R as Reasoner>::State, &[Vec<Move>]) -> Result<Vec<LineMove>, ReasonError>;

/// A state from which a search has found lines, and the function that turns them into moves of an answer.
pub(super) struct SearchedState<'r, R: Reasoner> {
    pub(super) reasoner: &'r mut R,
    pub(super) state: &'r R::State,
    pub(super) lines: LineNamer<R>,
}

impl<R: Reasoner> SearchedState<'_, R> {
    fn line(&mut self, line: &[Vec<Move>]) -> Result<Vec<LineMove>, ReasonError> {
        (self.lines)(self.reasoner, self.state, line)
    }

    fn role(&self, role: Role) -> GroundTerm {
        self.reasoner.roles()[role.index()].clone()
    }

    /// The value for a role; with all first moves if their values are wanted.
    pub(super) fn choice(mut self, role: Role, values: bool, mut choice: Choice) -> Result<SearchFound, ReasonError> {
        choice.moves.retain(|_| values);
        let line = self.line(&choice.line)?;
        let choice = choice.map(line, |chosen| self.reasoner.move_term(chosen));
        Ok(SearchFound::Value { role: self.role(role), choice })
    }

    pub(super) fn shares(
        mut self,
        Shares { worths, line, line_ends, finished }: Shares,
    ) -> Result<SearchFound, ReasonError> {
        let line = self.line(&line)?;
        let roles = self.reasoner.roles().iter().cloned();
        let worths = roles.zip(worths).map(|(role, worth)| RoleWorth { role, worth }).collect();
        Ok(SearchFound::Shares(Shares { worths, line, line_ends, finished }))
    }

    pub(super) fn expectation(
        mut self,
        role: Role,
        values: bool,
        spec: &OpponentSpec,
        Expectation { utility, chosen, line, mut line_ends, model, moves, finished }: Expectation,
    ) -> Result<SearchFound, ReasonError> {
        let mut line = self.line(&line)?;
        let role = self.role(role);
        // Where the others' moves have probabilities, the line ends, with the move of the role that asks.
        let decides = |other: &GroundTerm| *other == role || *spec == OpponentSpec::Adversaries && !other.is_chance();
        if let Some(mean) = line.iter().find(|own| !decides(&own.role)).map(|own| own.ply) {
            line.retain(|own| own.ply < mean || own.ply == mean && own.role == role);
            line_ends = LineEnd::Chance;
        }
        let is_other = |other: &GroundTerm| *other != role && !other.is_chance();
        let model = Assumption {
            opponents: self.reasoner.roles().iter().any(is_other).then(|| spec.to_string()),
            model_nodes: spec.searches().then_some(model),
        };
        let term = |chosen| self.reasoner.move_term(chosen);
        let moves = moves.into_iter().filter(|_| values).map(|rated| rated.map(term)).collect();
        let expectation = Expectation { utility, chosen: chosen.map(term), line, line_ends, model, moves, finished };
        Ok(SearchFound::Expectation { role, expectation })
    }

    pub(super) fn deepened(
        mut self,
        role: Role,
        DeepenedChoice { choice, rounds, begun }: DeepenedChoice,
    ) -> Result<SearchFound, ReasonError> {
        let rounds = rounds.into_iter().map(|round| self.round(round)).collect::<Result<_, _>>()?;
        let line = self.line(&choice.line)?;
        // How much of the search is finished belongs to the round that had begun, not to the last complete one.
        let choice = Choice { finished: None, ..choice }.map(line, |chosen| self.reasoner.move_term(chosen));
        Ok(SearchFound::Deepened { role: self.role(role), deepened: DeepenedChoice { choice, rounds, begun } })
    }

    /// A complete round, with the moves of its line as terms.
    pub(super) fn round(
        &mut self,
        Round { depth, worth, line, line_ends, nodes }: Round,
    ) -> Result<Round<Vec<LineMove>>, ReasonError> {
        Ok(Round { depth, worth, line: self.line(&line)?, line_ends, nodes })
    }
}

/// Numbers are rounded to nine decimal places, to hide rounding errors of the solver.
fn found_equilibrium<R: Reasoner>(
    reasoner: &R,
    role: Role,
    Equilibrium { utility, values, strategies, selection, finished }: Equilibrium,
) -> SearchFound {
    let name = |role: Role| reasoner.roles()[role.index()].clone();
    let strategies = strategies.into_iter().map(|MixedStrategy { role, moves }| MixedStrategy {
        role: name(role),
        moves: moves.iter().map(|weighted| weighted_move(reasoner, weighted)).collect(),
    });
    let pure_move = |PureMove { role, chosen }| PureMove { role: name(role), chosen: reasoner.move_term(chosen) };
    let pure = |PureEquilibrium { moves, means }| PureEquilibrium {
        moves: moves.into_iter().map(pure_move).collect(),
        means: means.into_iter().map(rounded).collect(),
    };
    let equilibrium = Equilibrium {
        utility: rounded(utility),
        values: values
            .into_iter()
            .map(|RoleMean { role, mean }| RoleMean { role: name(role), mean: rounded(mean) })
            .collect(),
        strategies: strategies.collect(),
        selection: selection.map(|EquilibriumSelection { pure: listed, later, later_several, later_mixed }| {
            EquilibriumSelection { pure: listed.into_iter().map(pure).collect(), later, later_several, later_mixed }
        }),
        finished,
    };
    SearchFound::Equilibrium { role: name(role), equilibrium }
}

/// A move of a mixed strategy as a term, with its probability rounded to nine decimal places.
pub(super) fn weighted_move<R: Reasoner>(reasoner: &R, weighted: &WeightedMove) -> WeightedMove<GroundTerm> {
    WeightedMove { chosen: reasoner.move_term(weighted.chosen), probability: rounded(weighted.probability) }
}

fn rounded(number: f64) -> f64 {
    (number * 1e9).round() / 1e9
}

/// The moves of a line by roles that had a choice or, where none had one, of those that do not wait. If the engine meets
/// a limit, the line ends there.
pub(super) fn choices<R: Reasoner>(
    reasoner: &mut R,
    state: &R::State,
    line: &[Vec<Move>],
) -> Result<Vec<LineMove>, ReasonError> {
    let mut moves = Vec::new();
    match add_choices(reasoner, state, line, &mut moves) {
        Err(error) if error.stop().is_none() => Err(error),
        _ => Ok(moves),
    }
}

/// The moves of a line found up to symmetry, whose states after the first are representatives.
fn actual_choices<R: Reasoner>(
    symmetric: &mut SymmetricReasoner<R>,
    state: &R::State,
    line: &[Vec<Move>],
) -> Result<Vec<LineMove>, ReasonError> {
    let line = symmetric.actual_line_after(state, line)?;
    choices(symmetric.reasoner(), state, &line)
}

fn add_choices<R: Reasoner>(
    reasoner: &mut R,
    state: &R::State,
    line: &[Vec<Move>],
    moves: &mut Vec<LineMove>,
) -> Result<(), ReasonError> {
    let mut state = state.clone();
    for (ply, joint_move) in (1..).zip(line) {
        let choosing = JointMoves::in_state(reasoner, &state)?.choosing();
        let made = |role: usize| LineMove {
            ply,
            role: reasoner.roles()[role].clone(),
            chosen: reasoner.move_term(joint_move[role]),
        };
        if choosing.is_empty() {
            // What is forced is made by the roles that do not wait.
            moves.extend((0..joint_move.len()).map(made).filter(|made| !is_waiting(&made.chosen)));
        } else {
            moves.extend(choosing.iter().map(|role| made(role.index())));
        }
        state = reasoner.next_state(&state, joint_move)?;
    }
    Ok(())
}

/// True for the move by which a role waits, as sheets name it.
fn is_waiting(chosen: &GroundTerm) -> bool {
    chosen.arguments.is_empty() && *chosen.name == *"noop"
}

/// The rounds so far; the screen is cleared when it is dropped.
struct RoundScreen {
    screen: Arc<Screen>,
    dialect: Dialect,
    /// Each round with the nodes that it visited in a second.
    rounds: Vec<(Round<Vec<LineMove>>, f64)>,
    begun: Instant,
}

impl RoundScreen {
    /// No rounds; the first one begins now.
    pub(super) fn new(screen: Arc<Screen>, dialect: Dialect) -> Self {
        Self { screen, dialect, rounds: Vec::new(), begun: Instant::now() }
    }

    /// Shows a round that is finished. The next one begins now.
    pub(super) fn add(&mut self, round: Round<Vec<LineMove>>) {
        let heading = format!("iterative: depth {} finished", round.depth);
        let rate = round.nodes as f64 / self.begun.elapsed().as_secs_f64();
        self.rounds.push((round, rate));
        let rows = round_rows(&self.rounds, self.dialect);
        self.screen.set(Some(ScreenContent { heading, unit: "nodes", rows, answer: None }));
        self.begun = Instant::now();
    }
}

impl Drop for RoundScreen {
    fn drop(&mut self) {
        self.screen.set(None);
    }
}
