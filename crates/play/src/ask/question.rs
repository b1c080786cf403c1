//! Questions as the library asks them: any search with its options in one text, of a game, in a state, for a role; and
//! what was found, in terms.
//!
//! [`Ask`] has searches as methods of a game. They take its own states and give moves as terms; all other searches of
//! [`ggp_search`] run on the engine of [`Game::engine_at`].

mod attempts;

use super::approach::ApproachError;
use super::budget::QuestionBudget;
use super::network::{NetworkReadError, find_network};
use super::options::{DEPTH, EVALUATION, EXTEND_FORCED, GUESS, MEMORY, NETWORK, NODES, OPPONENTS, SECONDS};
use super::plan::HEURISTIC;
use super::spec::{Noun, SearchSpec, Signature, SpecError, Vocabulary};
use super::{
    Algorithm, Answered, AskedPosition, ContestFound, ContestQuestion, HiddenAlgorithm, HiddenFound, HiddenQuestion,
    OpponentSpec, Origin, PlanAlgorithm, PlanQuestion, Planned, Predictor, PredictorError, RandomPlay, SampleQuestion,
    Sampling, best, guess, options,
};
use gdl::quantity::{Seconds, Size};
use gdl::rules::GroundTerm;
use ggp_engine::interpreter::State;
use ggp_engine::{
    Engine, EngineError, EngineState, Feature, FeatureError, FeaturedGame, FeaturedState, Game, Measure,
    RelaxedHeuristic,
};
use ggp_game::{Evaluation, Heuristic, Move, ReasonError, Reasoner, Role, Utility};
use ggp_learn::NeuralGuide;
use ggp_search::{
    Advice, Budget, Choice, Contest, DeepenedChoice, Outcome, Plan, Problem, SearchError, Worth, best_plan, minimax,
};
use std::fmt;
use std::path::Path;
use std::str::FromStr;
use std::sync::Arc;

/// The names of searches with their options.
const SEARCHES: Vocabulary = Vocabulary { noun: Noun::Search, signatures: &SIGNATURES };

/// The searches of several players, those by random games, those of one player, those for hidden information, and
/// `best`.
const SIGNATURES: [Signature<'static>; COUNT] = {
    const FIRST_PLAN: usize = Algorithm::ALL.len() + Sampling::ALL.len();
    const FIRST_HIDDEN: usize = FIRST_PLAN + PlanAlgorithm::ALL.len();
    let mut all = [contest(Algorithm::Minimax); COUNT];
    let mut at = 0;
    while at < COUNT {
        all[at] = if at < Algorithm::ALL.len() {
            contest(Algorithm::ALL[at])
        } else if at < FIRST_PLAN {
            sample(Sampling::ALL[at - Algorithm::ALL.len()])
        } else if at < FIRST_HIDDEN {
            plan(PlanAlgorithm::ALL[at - FIRST_PLAN])
        } else if at < COUNT - 1 {
            hidden(HiddenAlgorithm::ALL[at - FIRST_HIDDEN])
        } else {
            best::SIGNATURE
        };
        at += 1;
    }
    all
};
const COUNT: usize =
    Algorithm::ALL.len() + Sampling::ALL.len() + PlanAlgorithm::ALL.len() + HiddenAlgorithm::ALL.len() + 1;

const fn contest(algorithm: Algorithm) -> Signature<'static> {
    Signature::new(Noun::Search, algorithm.name(), algorithm.options()).with(&[DEPTH], &[NODES, SECONDS, MEMORY])
}

const fn sample(sampling: Sampling) -> Signature<'static> {
    Signature::new(Noun::Search, sampling.name(), sampling.options()).with(&[], &[SECONDS, MEMORY])
}

const fn plan(algorithm: PlanAlgorithm) -> Signature<'static> {
    Signature::new(Noun::Search, algorithm.name(), algorithm.options()).with(&[DEPTH], &[NODES, SECONDS, MEMORY])
}

const fn hidden(algorithm: HiddenAlgorithm) -> Signature<'static> {
    Signature::new(Noun::Search, algorithm.name(), algorithm.options()).with(&[], &[NODES, SECONDS, MEMORY])
}

/// A search with its options, of any kind: `alphabeta:depth=4,table`, `mcts:visits=1000`, `astar:heuristic=hff`.
///
/// The names and options are those of the prompt and of players, and mean the same. `best` takes the searches that fit
/// the kind of game, one after the other, until an answer is exact or the limits are spent (without any: 1,000,000
/// nodes, or 20,000 with the interpreter).
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Question {
    spec: SearchSpec,
}

/// The result of a question, in terms.
#[derive(Clone, Debug, PartialEq)]
pub struct Found {
    /// The recommended move of the role: the first of equally good ones. `None` if the game is over, or the search
    /// knows a value alone.
    pub chosen: Option<GroundTerm>,
    /// The value for the role: a utility, a mean of utilities, or an estimate, as [`Found::belief`] says; `None` if it
    /// is unknown, or if play never ends.
    pub value: Option<f64>,
    /// The joint moves that are expected, in the order of the roles; of a plan its moves.
    pub line: Vec<Vec<GroundTerm>>,
    /// The certainty of the value.
    pub belief: Belief,
    /// The search that answered, with its options: the one that was asked, the one that `best` took, or the one that
    /// was asked with the depth at which a limit left it (`minimax:depth=3`).
    pub search: String,
}

/// The certainty of a value.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Belief {
    /// No further work would change it.
    Proven,
    /// It is a mean over all states, computed to a small error: by rounding, since play can come back to a state, or
    /// since the strategies of the roles only approach an equilibrium.
    Approximate,
    /// It is what the search had found when a limit stopped it.
    Limited,
    /// It is an evaluation of states before the end of the game, or a mean of what a network expects.
    Estimated,
    /// It is a mean of random games.
    Sampled,
    /// The value is unknown: the search saw no end of the game, and had no evaluation.
    Unknown,
}

/// The error of a question that has no answer.
#[derive(Debug, thiserror::Error)]
pub enum QuestionError {
    /// The text names no search, or not its options.
    #[error(transparent)]
    Spec(#[from] SpecError),
    /// The game has no engine.
    #[error(transparent)]
    Engine(#[from] EngineError),
    /// The search does not support the game, or an answer of the engine has failed.
    #[error(transparent)]
    Search(#[from] SearchError),
    /// A term of the order of moves is no move.
    #[error(transparent)]
    Approach(#[from] ApproachError),
    /// An evaluation or a heuristic cannot be set up.
    #[error(transparent)]
    Feature(#[from] FeatureError),
    /// A model of the opponents cannot be set up.
    #[error(transparent)]
    Predictor(#[from] PredictorError),
    /// There is no network for the game.
    #[error(transparent)]
    Network(#[from] NetworkReadError),
    /// The option guides searches in games of another kind.
    #[error("`{option}` is for games of {players}")]
    OtherKind {
        /// The name of the option.
        option: &'static str,
        /// The number of players of games that it is for.
        players: &'static str,
    },
}

/// The error of a search that has no answer.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum AdviceError {
    /// The game has no engine.
    #[error(transparent)]
    Engine(#[from] EngineError),
    /// The search does not support the game, or an answer of the engine has failed.
    #[error(transparent)]
    Search(#[from] SearchError),
}

/// The searches of a game, which begin in a state.
pub trait Ask {
    /// Asks a search in a state for a role. Sheets that options name are of the library or files.
    ///
    /// ```
    /// use ggp_engine::Game;
    /// use ggp_play::ask::Ask;
    /// use ggp_search::Budget;
    ///
    /// # fn main() -> Result<(), Box<dyn std::error::Error>> {
    /// let mut game = Game::library("tic_tac_toe")?;
    /// let (start, x) = (game.initial_state()?, game.role("xplayer")?);
    /// let found = game.ask(&start, x, &"alphabeta:table".parse()?, &Budget::new())?;
    /// assert_eq!(found.answer.and_then(|found| found.value), Some(50.0));
    /// # Ok(())
    /// # }
    /// ```
    ///
    /// # Errors
    /// If the game has no engine, the search does not support it, the rules give no answer in some state, or a sheet or
    /// file that the options name cannot be set up.
    fn ask(
        &mut self,
        state: &State,
        role: Role,
        question: &Question,
        budget: &Budget,
    ) -> Result<Outcome<Found>, QuestionError>;

    /// The utility that a role can force against all others, and its first move that does, by [`minimax()`].
    ///
    /// # Errors
    /// Those of [`Game::engine`], and if the rules give no answer in some state of the tree.
    fn minimax(
        &mut self,
        state: &State,
        role: Role,
        budget: &Budget,
    ) -> Result<Outcome<Choice<GroundTerm>>, AdviceError>;

    /// A plan for the best utility of a game of one player, by [`best_plan()`].
    ///
    /// # Errors
    /// Those of [`Game::engine`], if the game has several roles, and if the rules give no answer in some state.
    fn best_plan(&mut self, state: &State, budget: &Budget) -> Result<Outcome<Plan<GroundTerm>>, AdviceError>;
}

impl Ask for Game {
    fn ask(
        &mut self,
        state: &State,
        role: Role,
        question: &Question,
        budget: &Budget,
    ) -> Result<Outcome<Found>, QuestionError> {
        question.ask(self, state, role, budget)
    }

    fn minimax(
        &mut self,
        state: &State,
        role: Role,
        budget: &Budget,
    ) -> Result<Outcome<Choice<GroundTerm>>, AdviceError> {
        let (engine, state) = self.engine_at(state)?;
        let found = minimax(engine, Contest::new(&state, role), budget, ())?;
        Ok(found.map(|choice| {
            let term = |chosen| engine.move_term(chosen);
            let line = choice.line.iter().map(|joint_move| joint_move.iter().copied().map(term).collect()).collect();
            choice.map(line, term)
        }))
    }

    fn best_plan(&mut self, state: &State, budget: &Budget) -> Result<Outcome<Plan<GroundTerm>>, AdviceError> {
        let (engine, state) = self.engine_at(state)?;
        let found = best_plan(engine, &Problem::new(&state), budget, ())?;
        Ok(found.map(|Plan { moves, utility }| {
            let moves = moves.into_iter().map(|chosen| engine.move_term(chosen)).collect();
            Plan { moves, utility }
        }))
    }
}

impl From<ReasonError> for QuestionError {
    fn from(error: ReasonError) -> Self {
        Self::Search(error.into())
    }
}

impl FromStr for Question {
    type Err = SpecError;

    fn from_str(text: &str) -> Result<Self, SpecError> {
        Ok(Self { spec: SEARCHES.read(text)? })
    }
}

impl fmt::Display for Question {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.spec.fmt(formatter)
    }
}

impl Question {
    /// Asks the search; the answer is that of [`super::Ask::ask`].
    pub(super) fn ask(
        &self,
        game: &mut Game,
        state: &State,
        role: Role,
        budget: &Budget,
    ) -> Result<Outcome<Found>, QuestionError> {
        // A state of another game is an error before anything is set up.
        game.is_terminal(state)?;
        let budget = self.limited(budget);
        self.search(game, state, role, &budget)
    }

    /// Asks the search within a budget that has the limits of the options.
    fn search(
        &self,
        game: &mut Game,
        state: &State,
        role: Role,
        budget: &QuestionBudget,
    ) -> Result<Outcome<Found>, QuestionError> {
        let name = self.spec.name();
        if name == best::BEST {
            attempts::ask_best(&self.spec, game, state, role, budget)
        } else if let Some(sampling) = Sampling::ALL.into_iter().find(|it| it.name() == name) {
            self.ask_random_games(game, state, SampleQuestion::new(sampling, role, &self.spec, 0), budget)
        } else if let Some(algorithm) = PlanAlgorithm::ALL.into_iter().find(|it| it.name() == name) {
            self.ask_for_plan(game, state, &PlanQuestion::new(algorithm, &self.spec, 0), budget)
        } else if let Some(algorithm) = HiddenAlgorithm::ALL.into_iter().find(|it| it.name() == name) {
            self.ask_hidden(game, state, role, &HiddenQuestion::new(algorithm, &self.spec, 0), budget)
        } else {
            let algorithm = Algorithm::ALL.into_iter().find(|it| it.name() == name);
            self.ask_contest(game, state, role, algorithm.expect("the vocabulary has these names"), budget)
        }
    }

    /// The budget with the limits of the options.
    fn limited(&self, budget: &Budget) -> QuestionBudget {
        let mut budget = budget.clone();
        if let Some(depth) = self.spec.number(&DEPTH) {
            budget = budget.with_depth(depth);
        }
        if let Some(nodes) = self.spec.number(&NODES) {
            budget = budget.with_nodes(nodes);
        }
        if let Some(seconds) = self.spec.number(&SECONDS) {
            budget = budget.with_time(Seconds::duration(seconds));
        }
        if let Some(memory) = self.spec.number(&MEMORY) {
            budget = budget.with_memory(Size::bytes(memory));
        }
        if self.spec.has(&EXTEND_FORCED) {
            budget = budget.extending_forced();
        }
        QuestionBudget::of_match(budget)
    }

    fn ask_contest(
        &self,
        game: &mut Game,
        state: &State,
        role: Role,
        algorithm: Algorithm,
        budget: &QuestionBudget,
    ) -> Result<Outcome<Found>, QuestionError> {
        let has_chance = Role::chance(game.roles()).is_some();
        let given = self.spec.search(&OPPONENTS).map(OpponentSpec::from_spec);
        let opponents = given.or_else(|| algorithm.usual_opponents(has_chance));
        let mut predictor = None;
        if let Some(model) = &opponents {
            predictor = Some(Predictor::new(model, game, Path::new(""), game.limits().clone())?);
        }
        let pruning = options::pruning(&self.spec, || 0);
        let question = ContestQuestion { algorithm, role, pruning, opponents, is_watched: false };
        if let Some(sheet) = self.spec.text(&EVALUATION) {
            let mut featured = FeaturedGame::load(game, sheet, Path::new(""), Feature::Evaluation)?;
            let FeaturedState { engine, state, features, .. } = featured.at(&game.facts(state), false)?;
            return Ok(contest_answer(
                &self.spec,
                &question,
                engine,
                &state,
                Some(features),
                predictor.as_mut(),
                budget,
            )?);
        }
        let mut guide = self.guide(game)?;
        let (engine, state) = game.engine_at(state)?;
        let mut guess = guess::<Engine>;
        let evaluation = match &mut guide {
            Some(guide) => Some(guide as &mut dyn Evaluation<Engine>),
            None => self.spec.has(&GUESS).then_some(&mut guess as &mut dyn Evaluation<Engine>),
        };
        Ok(contest_answer(&self.spec, &question, engine, &state, evaluation, predictor.as_mut(), budget)?)
    }

    fn ask_random_games(
        &self,
        game: &mut Game,
        state: &State,
        question: SampleQuestion,
        budget: &QuestionBudget,
    ) -> Result<Outcome<Found>, QuestionError> {
        let question = question.guided_by(self.guide(game)?);
        let limits = game.limits().clone();
        let (engine, state) = game.engine_at(state)?;
        let play = RandomPlay::reproducible(question.playouts, engine, question.seed(), &limits);
        let mut play = play.map_err(ReasonError::from)?;
        let budget = question.limited(budget.clone());
        let sampled = question.ask(engine, &state, &mut play, &budget, &mut |_, _, _| {})?;
        let line = sampled.tree.map(|tree| tree.best_line()).unwrap_or_default();
        let mean = if question.is_guided() { Belief::Estimated } else { Belief::Sampled };
        Ok(sampled.outcome.map(|advice| found_by_tree(engine, &advice, mean, &line, self.to_string())))
    }

    /// The network that judges, if the options name one.
    fn guide(&self, game: &Game) -> Result<Option<NeuralGuide>, NetworkReadError> {
        let path = self.spec.text(&NETWORK).map(Path::new);
        path.map(|path| Ok(find_network(path, game)?.network.guide())).transpose()
    }

    fn ask_hidden(
        &self,
        game: &mut Game,
        state: &State,
        role: Role,
        question: &HiddenQuestion,
        budget: &QuestionBudget,
    ) -> Result<Outcome<Found>, QuestionError> {
        let rules = &mut game.interpreter;
        let outcome = question.ask(rules, state, budget)?;
        let player = Role::players(rules.roles()).position(|player| player == role).ok_or(SearchError::AsksChance)?;
        Ok(outcome.map(|HiddenFound { form, learned, values }| {
            let first = form.sets_of(player).find(|&set| form.information_sets()[set].is_first());
            let likeliest = first.and_then(|set| {
                let weights = learned.profile.at(&form, set).iter();
                let best = form.moves(set).iter().zip(weights).max_by(|one, other| one.1.total_cmp(other.1));
                best.map(|(&chosen, _)| rules.move_term(chosen))
            });
            Found {
                chosen: likeliest,
                value: Some(values.values[player]),
                line: Vec::new(),
                belief: Belief::Approximate,
                search: self.to_string(),
            }
        }))
    }

    fn ask_for_plan(
        &self,
        game: &mut Game,
        state: &State,
        question: &PlanQuestion,
        budget: &QuestionBudget,
    ) -> Result<Outcome<Found>, QuestionError> {
        let Some(name) = self.spec.text(&HEURISTIC) else {
            let (engine, state) = game.engine_at(state)?;
            return plan_answer(&self.spec, question, engine, &state, None, budget);
        };
        if let Some(measure) = Measure::find(name) {
            let mut heuristic = RelaxedHeuristic::new(&game.rules, measure, question.goal, Arc::default())?;
            let (engine, state) = game.engine_at(state)?;
            return plan_answer(&self.spec, question, engine, &state, Some(&mut heuristic), budget);
        }
        let mut featured = FeaturedGame::load(game, name, Path::new(""), Feature::Heuristic)?;
        let FeaturedState { engine, state, features, .. } = featured.at(&game.facts(state), false)?;
        plan_answer(&self.spec, question, engine, &state, Some(features), budget)
    }
}

fn contest_answer(
    spec: &SearchSpec,
    question: &ContestQuestion,
    reasoner: &mut Engine,
    state: &EngineState,
    evaluation: Option<&mut dyn Evaluation<Engine>>,
    predictor: Option<&mut Predictor>,
    budget: &QuestionBudget,
) -> Result<Outcome<Found>, SearchError> {
    // A borrow of a trait object is shortened only where the trait object is made again.
    let evaluation = evaluation.map(|evaluation| evaluation as &mut dyn Evaluation<Engine>);
    let mut asked = AskedPosition { reasoner: &mut *reasoner, state, evaluation, predictor };
    let Answered { outcome, origin, .. } = question.ask(&mut asked, budget, None, &mut |_, _| {})?;
    let search = match origin {
        Origin::Shallower { depth, .. } => spec.clone().with(&DEPTH, depth),
        _ => spec.clone(),
    };
    let known = match origin {
        _ if !outcome.is_exact() => Belief::Limited,
        Origin::AllStates { precision: Some(precision), .. } if !precision.is_exact() => Belief::Approximate,
        _ => Belief::Proven,
    };
    Ok(outcome.map(|found| found_in_contest(reasoner, question.role, found, known, search.to_string())))
}

fn plan_answer(
    spec: &SearchSpec,
    question: &PlanQuestion,
    reasoner: &mut Engine,
    state: &EngineState,
    heuristic: Option<&mut dyn Heuristic<Engine>>,
    budget: &QuestionBudget,
) -> Result<Outcome<Found>, QuestionError> {
    let (problem, _) = question.problem(reasoner, state)?;
    let outcome = question.ask(reasoner, &problem, heuristic, budget, None)?;
    let belief = if outcome.is_exact() { Belief::Proven } else { Belief::Limited };
    Ok(outcome.map(|planned| found_plan(reasoner, &planned, belief, spec.to_string())))
}

fn found_plan(reasoner: &Engine, planned: &Planned, belief: Belief, search: String) -> Found {
    let line: Vec<Vec<Move>> = match planned {
        Planned::Plan(Plan { moves, .. }) => moves.iter().map(|&chosen| vec![chosen]).collect(),
        Planned::Move(..) | Planned::Score(_) => Vec::new(),
    };
    Found {
        chosen: planned.first().map(|chosen| reasoner.move_term(chosen)),
        value: Some(planned.utility().to_f64()),
        line: terms(reasoner, &line),
        belief,
        search,
    }
}

/// The answer of `search` in terms; `known` is the certainty of a utility.
fn found_in_contest<R: Reasoner>(
    reasoner: &R,
    role: Role,
    found: ContestFound,
    known: Belief,
    search: String,
) -> Found {
    let (value, belief, chosen, line) = match found {
        ContestFound::Choice(choice) | ContestFound::Deepened(DeepenedChoice { choice, .. }) => {
            let Choice { worth, chosen, line, .. } = choice;
            let (value, belief) = believed(worth, known);
            (value, belief, chosen, line)
        }
        ContestFound::Shares(shares) => {
            let (value, belief) = believed(shares.worths[role.index()], known);
            let chosen = shares.line.first().map(|joint_move| joint_move[role.index()]);
            (value, belief, chosen, shares.line)
        }
        ContestFound::Expectation(found) => (Some(found.utility.to_f64()), known, found.chosen, found.line),
        ContestFound::Equilibrium(found) => {
            let own = found.strategies.iter().find(|strategy| strategy.role == role);
            let likeliest =
                own.and_then(|own| own.moves.iter().max_by(|one, other| one.probability.total_cmp(&other.probability)));
            (Some(found.utility), known, likeliest.map(|weighted| weighted.chosen), Vec::new())
        }
    };
    let chosen = chosen.map(|chosen| reasoner.move_term(chosen));
    Found { chosen, value, line: terms(reasoner, &line), belief, search }
}

/// A worth as a number with its certainty, which is `known` for a utility.
fn believed(worth: Worth, known: Belief) -> (Option<f64>, Belief) {
    match worth {
        Worth::Utility(utility) => (Some(Utility::to_f64(utility)), known),
        #[expect(clippy::cast_precision_loss, reason = "estimates are small")]
        Worth::Estimate(estimate) => (Some(estimate as f64), Belief::Estimated),
        Worth::Unknown => (None, Belief::Unknown),
    }
}

/// The answer of a search whose values are means, the certainty of which is `mean`, or proved.
fn found_by_tree(engine: &Engine, advice: &Advice, mean: Belief, line: &[Vec<Move>], search: String) -> Found {
    let best = advice.best();
    let belief = if advice.proven.is_some() { Belief::Proven } else { mean };
    let value = Some(advice.proven.or(best.proven).unwrap_or(best.mean));
    Found { chosen: Some(engine.move_term(best.chosen)), value, line: terms(engine, line), belief, search }
}

/// Joint moves as terms.
fn terms<R: Reasoner>(reasoner: &R, line: &[Vec<Move>]) -> Vec<Vec<GroundTerm>> {
    let joint_move = |moves: &Vec<Move>| moves.iter().map(|&chosen| reasoner.move_term(chosen)).collect();
    line.iter().map(joint_move).collect()
}
