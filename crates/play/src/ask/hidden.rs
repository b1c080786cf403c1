//! A question to a search that knows of each role only what the role knows itself: `equilibrium`, `cfr` or `mccfr` with
//! its options. It is asked of the interpreter, which knows the percepts of roles.

use super::budget::QuestionBudget;
use super::options::GivenOptions;
use super::sampling::SEED;
use super::spec::NamedOption;
use gdl::time::Instant;
use ggp_engine::interpreter::{Interpreter, State};
use ggp_game::Reasoner;
use ggp_search::{
    self as search, Budget, Cost, ExtensiveForm, LearnedProfile, LearningEnd, LineSampling, Outcome, ProfileValues,
    RegretUpdate, SearchError,
};

/// The name of the search over information sets: that of the command and of the player.
pub const ISMCTS: &str = "ismcts";

/// `--iterations`: the number of iterations.
pub const ITERATIONS: NamedOption = NamedOption::number(
    "--iterations",
    "N",
    "a number of iterations from 1 on",
    "change the strategy of each role this often",
)
.within(1, u64::MAX)
.default("1000, or with a limit on seconds until the exploitability is small");
/// `--update`: the rule by which regrets are updated.
const UPDATE: NamedOption = NamedOption::choice(
    "--update",
    &["plus", "vanilla", "discounted"],
    "which regrets and iterations count: CFR+, all alike, or later ones more than earlier ones",
)
.default("plus");

/// `--sampling`: the lines that an iteration of `mccfr` visits.
const SAMPLING: NamedOption = NamedOption::choice(
    "--sampling",
    &["external", "outcome"],
    "which lines an iteration visits: all moves of one role and one of the others, or a single line",
)
.default("external");
/// `--iterations` of `mccfr`, whose iterations are short.
const MANY_ITERATIONS: NamedOption =
    ITERATIONS.default("100000, or with a limit on seconds until the exploitability is small");

/// The exploitability at which a search ends that has a limit on time alone, as a part of the range of utilities.
const ENOUGH: f64 = 1e-4;

/// A search for strategies of roles that do not see the whole state.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum HiddenAlgorithm {
    /// [`ggp_search::equilibrium()`].
    Equilibrium,
    /// [`ggp_search::cfr()`].
    Cfr,
    /// [`ggp_search::mccfr()`].
    Mccfr,
}

impl HiddenAlgorithm {
    /// All of them.
    pub const ALL: [Self; 3] = [Self::Equilibrium, Self::Cfr, Self::Mccfr];

    /// The number of iterations if there is a limit neither on them nor on time.
    const fn usual_iterations(self) -> u64 {
        match self {
            Self::Mccfr => 100_000,
            Self::Equilibrium | Self::Cfr => 1_000,
        }
    }

    /// The name: that of the command, and in specifications.
    pub const fn name(self) -> &'static str {
        match self {
            Self::Equilibrium => "equilibrium",
            Self::Cfr => "cfr",
            Self::Mccfr => "mccfr",
        }
    }

    /// True if its answer is exact up to rounding errors.
    pub const fn is_exact(self) -> bool {
        matches!(self, Self::Equilibrium)
    }

    /// The options that the search has for all callers, without its limits. The prompt has more, for its output.
    pub const fn options(self) -> &'static [NamedOption] {
        match self {
            Self::Equilibrium => &[],
            Self::Cfr => &[ITERATIONS, UPDATE],
            Self::Mccfr => &[MANY_ITERATIONS, SAMPLING, SEED],
        }
    }
}

/// A search for strategies with its options.
#[derive(Clone, Debug, PartialEq)]
pub struct HiddenQuestion {
    algorithm: HiddenAlgorithm,
    /// The limit on iterations, if one was given.
    iterations: Option<u64>,
    update: RegretUpdate,
    sampling: LineSampling,
    /// The seed of random choices.
    seed: u64,
}

/// The strategies that a search has found, with the tree that they are for.
#[derive(Clone, Debug)]
pub struct HiddenFound {
    /// The tree below the state that was asked about.
    pub form: ExtensiveForm,
    /// The strategies of all roles.
    pub learned: LearnedProfile,
    /// Their values.
    pub values: ProfileValues,
}

impl HiddenFound {
    /// The strategies with their values.
    pub fn new(form: ExtensiveForm, learned: LearnedProfile) -> Self {
        let values = search::evaluate(&form, &learned.profile);
        Self { form, learned, values }
    }
}

impl HiddenQuestion {
    /// The question with these options.
    pub fn new(algorithm: HiddenAlgorithm, given: &impl GivenOptions, seed: u64) -> Self {
        let update = match given.given_word(&UPDATE) {
            Some("vanilla") => RegretUpdate::Vanilla,
            Some("discounted") => RegretUpdate::Discounted,
            _ => RegretUpdate::Plus,
        };
        let sampling = match given.given_word(&SAMPLING) {
            Some("outcome") => LineSampling::Outcome,
            _ => LineSampling::External,
        };
        let iterations = given.given_number(&ITERATIONS);
        Self { algorithm, iterations, update, sampling, seed: given.given_number(&SEED).unwrap_or(seed) }
    }

    /// `cfr` with this number of iterations at most.
    pub fn cfr(iterations: u64) -> Self {
        let algorithm = HiddenAlgorithm::Cfr;
        Self {
            algorithm,
            iterations: Some(iterations),
            update: RegretUpdate::Plus,
            sampling: LineSampling::default(),
            seed: 0,
        }
    }

    /// The tree below a state, compiled within a budget, and the time that is left.
    ///
    /// # Errors
    /// If a role cannot know its legal moves, or the rules give no answer in some state.
    pub fn tree(
        rules: &mut Interpreter,
        state: &State,
        budget: &QuestionBudget,
    ) -> Result<Outcome<ExtensiveForm>, SearchError> {
        budget.run(|budget| search::extensive_form(rules, state, budget))
    }

    /// Answers the question: compiles the tree below a state, and searches for strategies. The limit on nodes is for the
    /// tree; no answer if it is too large for the budget.
    ///
    /// # Errors
    /// If the search does not support the game, or the rules give no answer in some state.
    pub fn ask(
        &self,
        rules: &mut Interpreter,
        state: &State,
        budget: &QuestionBudget,
    ) -> Result<Outcome<HiddenFound>, SearchError> {
        let started = Instant::now();
        let compiled = Self::tree(rules, state, budget)?;
        let Some(form) = compiled.answer else {
            return Ok(Outcome { answer: None, stopped: compiled.stopped, cost: compiled.cost });
        };
        let budget = budget.with(|budget| budget.begun_at(started));
        let end = match self.iterations {
            Some(iterations) => iterations.into(),
            None if budget.time().is_none() => self.algorithm.usual_iterations().into(),
            None => LearningEnd { iterations: u64::MAX, exploitability: Some(ENOUGH * rules.utility_range().width()) },
        };
        let search = |budget: &Budget| match self.algorithm {
            HiddenAlgorithm::Equilibrium => search::equilibrium(&form, budget),
            HiddenAlgorithm::Cfr => search::cfr(&form, self.update, end, budget),
            HiddenAlgorithm::Mccfr => search::mccfr(&form, self.sampling, end, self.seed, budget),
        };
        let Outcome { answer, stopped, cost: Cost { time, .. } } = budget.run(search)?;
        let answer = answer.map(|learned| HiddenFound::new(form, learned));
        Ok(Outcome { answer, stopped, cost: Cost { time, ..compiled.cost } })
    }
}
