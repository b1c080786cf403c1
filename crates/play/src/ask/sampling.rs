//! A question to random games: `mcts` or `montecarlo` with its options, for a role. It is asked of an engine, since
//! random games are played in its lanes.

use super::budget::QuestionBudget;
use super::options::{GivenOptions, NETWORK};
use super::spec::{NamedOption, OptionRelation};
use super::{PlayoutKind, PlayoutOptions, RandomPlay};
use ggp_engine::{Engine, EngineState};
use ggp_game::Role;
use ggp_learn::NeuralGuide;
use ggp_search::{self as search, Advice, Budget, Outcome, SearchError, Uct, UctOptions};

/// `--visits`: the number of visits, each with random games.
pub const VISITS: NamedOption = NamedOption::number(
    "--visits",
    "N",
    "a number of visits from 1 on",
    "make this many visits; each plays random games through the nodes on its line",
)
.within(1, u64::MAX)
.default("10000, unless there is a limit on seconds");
/// `--seed`: the seed of random choices.
pub const SEED: NamedOption =
    NamedOption::number("--seed", "N", "a whole number", "the seed of random choices").default("that of the session");
/// `--exploration`: the weight of exploration in UCB1.
pub const EXPLORATION: NamedOption = NamedOption::decimal(
    "--exploration",
    "C",
    "a number from 0 on",
    "the weight of the uncertainty of a move beside its mean: C of UCB1, for utilities scaled to 0 to 1",
)
.default("0.7");
/// `--single`: one random game at a visit.
const SINGLE: NamedOption = NamedOption::flag(
    "--single",
    "play one random game at a visit, one visit after the other, as in the textbook; otherwise hundreds of games at once, if the network plays",
);
/// `--decisive`: in random games roles win at once where they can.
const DECISIVE: NamedOption = NamedOption::flag(
    "--decisive",
    "in random games a role wins at once if it can, and else prevents the others from doing so, if the network can compute this; otherwise all moves are equally likely",
)
.excluding(&[OptionRelation::to(&["--single"])]);

/// A search by random games.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Sampling {
    /// [`ggp_search::Uct`].
    Mcts,
    /// [`ggp_search::monte_carlo()`].
    MonteCarlo,
}

impl Sampling {
    /// All of them.
    pub const ALL: [Self; 2] = [Self::Mcts, Self::MonteCarlo];

    /// The number of visits if there is a limit neither on them nor on time.
    pub const VISITS: u64 = 10_000;

    /// The name: that of the command, of the player, and in specifications.
    pub const fn name(self) -> &'static str {
        match self {
            Self::Mcts => "mcts",
            Self::MonteCarlo => "montecarlo",
        }
    }

    /// The options that the search has for all callers, without limits on time and memory. The prompt has more, for its
    /// output.
    pub const fn options(self) -> &'static [NamedOption] {
        match self {
            Self::Mcts => &[VISITS, SEED, EXPLORATION, SINGLE, DECISIVE, NETWORK],
            Self::MonteCarlo => &[VISITS, SEED, SINGLE, DECISIVE],
        }
    }

    /// The number of random games at a visit, if they are played in lanes.
    fn games(self) -> usize {
        match self {
            Self::Mcts => 4,
            Self::MonteCarlo => 1,
        }
    }
}

/// A search by random games with its options, for a role.
#[derive(Clone, Debug)]
pub struct SampleQuestion {
    pub(crate) sampling: Sampling,
    /// The role that asks.
    pub role: Role,
    /// The limit on visits, if one was given.
    visits: Option<u64>,
    uct: UctOptions,
    /// The kind and number of random games.
    pub playouts: PlayoutOptions,
    /// Judges states and moves of the tree in place of random games.
    guide: Option<NeuralGuide>,
}

/// The result of random games.
pub struct Sampled {
    /// The recommendation; no answer if no random game was played and nothing is proven.
    pub outcome: Outcome<Advice>,
    /// The tree that has grown, if the search grows one.
    pub tree: Option<Uct<Engine>>,
}

impl SampleQuestion {
    /// The question with these options; `seed` is that of a search which has none.
    pub fn new(sampling: Sampling, role: Role, given: &impl GivenOptions, seed: u64) -> Self {
        let textbook = UctOptions::default();
        let exploration = given.given_number(&EXPLORATION).unwrap_or(textbook.exploration);
        let seed = given.given_number(&SEED).unwrap_or(seed);
        let kind = if given.is_given(&SINGLE) {
            PlayoutKind::Single
        } else if given.is_given(&DECISIVE) {
            PlayoutKind::Decisive
        } else {
            PlayoutKind::Lanes
        };
        Self {
            sampling,
            role,
            visits: given.given_number(&VISITS),
            uct: UctOptions { exploration, seed, ..textbook },
            playouts: PlayoutOptions::new(kind, sampling.games()),
            guide: None,
        }
    }

    /// The question with a network that judges in place of random games, if there is one.
    pub fn guided_by(self, guide: Option<NeuralGuide>) -> Self {
        let playouts = match guide {
            // No random games are played.
            Some(_) => PlayoutOptions::new(PlayoutKind::Single, 1),
            None => self.playouts,
        };
        Self { guide, playouts, ..self }
    }

    /// True if a network judges, so that means are its estimates.
    pub fn is_guided(&self) -> bool {
        self.guide.is_some()
    }

    /// The seed of its random choices.
    pub fn seed(&self) -> u64 {
        self.uct.seed
    }

    /// The budget with the limit on visits.
    pub fn limited(&self, budget: QuestionBudget) -> QuestionBudget {
        let usual = if budget.time().is_some() { None } else { Some(Sampling::VISITS) };
        match self.visits.or(usual) {
            Some(visits) => budget.with(|budget| budget.with_nodes(visits)),
            None => budget,
        }
    }

    /// Answers the question within a budget ([`SampleQuestion::limited`]) by these random games. `watch` is shown the
    /// tree now and then while it grows, with the number of visits.
    ///
    /// # Errors
    /// If the search does not support the game, or the rules give no answer in some state.
    pub fn ask(
        &self,
        engine: &mut Engine,
        state: &EngineState,
        play: &mut RandomPlay,
        budget: &QuestionBudget,
        watch: &mut dyn FnMut(&mut Engine, &Uct<Engine>, u64),
    ) -> Result<Sampled, SearchError> {
        let Self { role, uct, .. } = *self;
        let (outcome, tree) = match self.sampling {
            Sampling::Mcts => {
                let mut tree = Uct::new(engine, state, uct)?;
                if let Some(guide) = &self.guide {
                    tree.guide_by(Box::new(guide.for_other_engine()));
                }
                let search = |budget: &Budget| tree.search_watched(engine, role, play, budget, watch);
                (budget.run(search)?, Some(tree))
            }
            Sampling::MonteCarlo => {
                let search = |budget: &Budget| search::monte_carlo(engine, state, role, play, uct.seed, budget);
                (budget.run(search)?, None)
            }
        };
        let answer = outcome.answer.filter(|advice| advice.found().is_some());
        Ok(Sampled { outcome: Outcome { answer, ..outcome }, tree })
    }
}
