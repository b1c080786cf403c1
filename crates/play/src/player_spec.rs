//! Players as text: a kind and its options, `growing:seed=1,playouts=single`.
//!
//! [`PlayerKind`] lists the kinds with their options; those of a player that asks a search are the options of that
//! search ([`crate::ask::options`]). [`PlayerSpec`] reads such a text, checks what it names, and makes the player.

use crate::ask::hidden::ISMCTS;
use crate::ask::network::check_network;
use crate::ask::opponents::is_read_once;
use crate::ask::options::{DEPTH, EVALUATION, MEMORY, NETWORK, OPPONENTS};
use crate::ask::plan::HEURISTIC;
use crate::ask::sampling::{EXPLORATION, VISITS};
use crate::ask::spec::{NamedOption, Noun, NumberKind, SearchSpec, Signature, SpecError, TextValue, Vocabulary};
use crate::ask::{
    Algorithm, HiddenAlgorithm, HiddenQuestion, OpponentSpec, PlanAlgorithm, PlayoutKind, PlayoutOptions, Predictor,
    Sampling,
};
use crate::player::auto::AutoPlayer;
use crate::player::hidden::HiddenPlayer;
use crate::player::learning::{DeepeningPlayer, GrowingPlayer};
use crate::player::planning::{DeliberationPlayer, MixedPlayer, Planner};
use crate::player::searching::{PlanningSearcher, Sampler, Searcher};
use crate::player::simple::{HumanPlayer, LegalPlayer, RandomPlayer};
use crate::player::stored::StoredPlayer;
use crate::{MatchError, Participant, Player, PlayerError, Strategy};
use gdl::quantity::Size;
use ggp_engine::{Feature, FeaturedGame, Game, GameOrigin, GameOriginError, Measure};
use ggp_search::UctOptions;
use ggp_search::solving::Database;
use std::fmt;
use std::path::{Path, PathBuf};
use std::str::FromStr;

/// `seed=N`: the seed of everything that a player draws.
pub(crate) const SEED: NamedOption =
    NamedOption::number("--seed", "N", "an integer from 0", "the seed of its random choices");
/// `nodes=N`: nodes of the search for a plan.
pub(crate) const NODES: NamedOption =
    NamedOption::number("--nodes", "N", "a number from 1", "nodes of a search for a plan").within(1, u64::MAX);
/// `playouts=NAME`: the kind of random games.
const PLAYOUTS: NamedOption = NamedOption::choice(
    "--playouts",
    &[PlayoutKind::Decisive.name(), PlayoutKind::Lanes.name(), PlayoutKind::Single.name()],
    "how to play random games: roles win at once if they can, hundreds of games at once, or one after the other",
);
/// `repeats=N`: random games from a leaf, if they are played in lanes.
pub(crate) const REPEATS: NamedOption =
    NamedOption::number("--repeats", "N", "a number from 1 to 64", "random games from a leaf").within(1, 64);
/// `exact=N`: nodes of exact search for each random game.
const EXACT: NamedOption =
    NamedOption::decimal("--exact", "N", "a number from 0", "nodes of exact search for each random game");
/// `estimate=W`: the weight of a learned evaluation against random games, from 0 to 1.
const ESTIMATE: NamedOption = NamedOption::decimal(
    "--estimate",
    "W",
    "a number from 0 to 1",
    "how much a learned evaluation counts against random games",
)
.of_kind(NumberKind::Probability);
/// `rave=N`: the greatest number of visits of a node up to which games count in which a role made a move later.
const RAVE: NamedOption = NamedOption::decimal(
    "--rave",
    "N",
    "a number of visits from 0",
    "games in which the role made a move later count as visits of the move, at most this number of them",
);
/// `transpositions=no`: lines that lead to the same state do not meet in one node of the tree.
const TRANSPOSITIONS: NamedOption = NamedOption::choice(
    "--transpositions",
    &["yes", "no"],
    "whether lines that lead to the same state share a node of the tree",
);
/// `ponder=yes`: the player thinks in the time of the others.
const PONDER: NamedOption =
    NamedOption::choice("--ponder", &["yes", "no"], "whether it thinks in the time of the others");
/// `threads=N`: the threads with which a player thinks.
const THREADS: NamedOption = NamedOption::number(
    "--threads",
    "N",
    "a number from 1 to 64",
    "one thread grows the tree, the others play random games",
)
.within(1, 64);
/// `db=FOLDER`: the files of `ggp solve` from which a player plays, as far as they know the game.
const DATABASE: NamedOption = NamedOption::text(
    "--db",
    "FOLDER",
    "a folder of `ggp solve`",
    TextValue::File,
    "plays from the files of a solved game, in the states that they have",
);

/// A kind of player, which specifications name.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum PlayerKind {
    /// Makes the first legal move.
    Legal,
    /// Makes a random legal move.
    Random,
    /// For one role: searches for a plan again at each step.
    Deliberation,
    /// For one role: searches for a plan once and follows it.
    Planner,
    /// For one role: makes random moves until the rest of the game can be planned whole.
    Mixed,
    /// Asks a search at each turn, with the options that it has at the prompt.
    Search(Algorithm),
    /// Alpha-beta with iterative deepening and all its enhancements, as long as there is time.
    Deepening,
    /// For one role: asks a search for a plan at each turn, with the options that it has at the prompt.
    Plan(PlanAlgorithm),
    /// Asks random games at each turn, with the options that the search has at the prompt.
    Sample(Sampling),
    /// Monte Carlo tree search (UCT) with all its enhancements, kept from move to move.
    Growing,
    /// Plays strategies for the whole game that a search for hidden information finds before the first move.
    Hidden(HiddenAlgorithm),
    /// Monte Carlo tree search over what the role knows.
    Ismcts,
    /// Asks a person for each move.
    Human,
    /// A planner for one role, otherwise Monte Carlo tree search.
    Auto,
}

/// The names and options of the kinds, in the order of [`PlayerKind::ALL`].
pub const PLAYERS: Vocabulary = Vocabulary { noun: Noun::Player, signatures: &SIGNATURES };

const SIGNATURES: [Signature<'static>; PlayerKind::ALL.len()] = {
    let mut all = [PlayerKind::Legal.own_signature(); PlayerKind::ALL.len()];
    let mut at = 0;
    while at < all.len() {
        all[at] = PlayerKind::ALL[at].own_signature();
        at += 1;
    }
    all
};

const GROWING: &[NamedOption] = &[
    SEED,
    VISITS,
    MEMORY,
    PLAYOUTS,
    REPEATS,
    EXPLORATION.default("0.3"),
    EXACT,
    ESTIMATE,
    RAVE,
    TRANSPOSITIONS,
    PONDER,
    THREADS,
    NETWORK,
    DATABASE,
];

impl PlayerKind {
    /// All kinds, in the order of the help text.
    pub const ALL: &[Self] = &[
        Self::Legal,
        Self::Random,
        Self::Deliberation,
        Self::Planner,
        Self::Mixed,
        Self::Search(Algorithm::Minimax),
        Self::Search(Algorithm::Negamax),
        Self::Search(Algorithm::AlphaBeta),
        Self::Search(Algorithm::Iterative),
        Self::Search(Algorithm::Paranoid),
        Self::Search(Algorithm::MaxN),
        Self::Search(Algorithm::Expectimax),
        Self::Search(Algorithm::Expectiminimax),
        Self::Search(Algorithm::Nash),
        Self::Plan(PlanAlgorithm::BreadthFirst),
        Self::Plan(PlanAlgorithm::DepthFirst),
        Self::Plan(PlanAlgorithm::IterativeDeepening),
        Self::Plan(PlanAlgorithm::AStar),
        Self::Plan(PlanAlgorithm::IdaStar),
        Self::Plan(PlanAlgorithm::Greedy),
        Self::Plan(PlanAlgorithm::BestMove),
        Self::Plan(PlanAlgorithm::BestPlan),
        Self::Deepening,
        Self::Sample(Sampling::MonteCarlo),
        Self::Sample(Sampling::Mcts),
        Self::Growing,
        Self::Hidden(HiddenAlgorithm::Equilibrium),
        Self::Hidden(HiddenAlgorithm::Cfr),
        Self::Hidden(HiddenAlgorithm::Mccfr),
        Self::Ismcts,
        Self::Human,
        Self::Auto,
    ];

    /// The name in specifications and commands.
    pub const fn name(self) -> &'static str {
        match self {
            Self::Legal => "legal",
            Self::Random => "random",
            Self::Deliberation => "deliberation",
            Self::Planner => "planner",
            Self::Mixed => "mixed",
            Self::Search(algorithm) => algorithm.name(),
            Self::Deepening => "deepening",
            Self::Plan(algorithm) => algorithm.name(),
            Self::Sample(sampling) => sampling.name(),
            Self::Growing => "growing",
            Self::Hidden(algorithm) => algorithm.name(),
            Self::Ismcts => ISMCTS,
            Self::Human => "human",
            Self::Auto => "auto",
        }
    }

    /// The name with the options of the kind. A player that asks a search has the options of that search.
    const fn own_signature(self) -> Signature<'static> {
        match self {
            Self::Legal | Self::Human => self.with_options(&[]),
            Self::Random => self.with_options(&[SEED, DATABASE]),
            Self::Deliberation | Self::Planner => self.with_options(&[DATABASE]),
            Self::Mixed => self.with_options(&[SEED, NODES, MEMORY, DATABASE]),
            Self::Search(algorithm) => self.with_options(algorithm.options()).with(&[DEPTH], &[SEED, MEMORY, DATABASE]),
            Self::Plan(algorithm) => self.with_options(algorithm.options()).with(&[DEPTH], &[SEED, MEMORY, DATABASE]),
            Self::Sample(sampling) => self.with_options(sampling.options()).with(&[], &[SEED, MEMORY, DATABASE]),
            Self::Deepening => self.with_options(&[EVALUATION, NETWORK, MEMORY, DATABASE]),
            Self::Hidden(algorithm) => self.with_options(algorithm.options()).with(&[], &[SEED, MEMORY]),
            Self::Ismcts => self.with_options(&[SEED, VISITS, EXPLORATION, MEMORY]),
            Self::Growing | Self::Auto => self.with_options(GROWING),
        }
    }

    const fn with_options(self, options: &'static [NamedOption]) -> Signature<'static> {
        Signature::new(Noun::Player, self.name(), options)
    }

    /// The name with the options that the kind supports.
    pub fn signature(self) -> &'static Signature<'static> {
        let own = PLAYERS.signatures.iter().find(|signature| signature.name == self.name());
        own.expect("the vocabulary has the names of the kinds")
    }

    /// The kind with this name.
    pub fn find(name: &str) -> Option<Self> {
        Self::ALL.iter().copied().find(|kind| kind.name() == name)
    }

    /// Its way to play, in a phrase.
    pub fn summary(self) -> String {
        let text = match self {
            Self::Legal => "makes the first legal move",
            Self::Random => "makes a random legal move",
            Self::Deliberation => "for one role: searches for a plan again at each step",
            Self::Planner => "for one role: searches for a plan once and follows it",
            Self::Mixed => "for one role: makes random moves until the rest of the game can be planned whole",
            Self::Plan(_) => {
                return format!(
                    "for one role: makes the first move of the plan that the search `{}` finds",
                    self.name()
                );
            }
            Self::Search(_) | Self::Sample(_) => {
                return format!("makes the move that the search `{}` recommends", self.name());
            }
            Self::Deepening => {
                "alpha-beta deeper and deeper as long as there is time, with all its enhancements and an evaluation that \
                 it learns in the start clock"
            }
            Self::Growing => {
                "Monte Carlo tree search with all its enhancements, which keeps its tree from move to move and learns an \
                 evaluation in the start clock"
            }
            Self::Hidden(_) => {
                return format!(
                    "plays the strategies for the whole game that the search `{}` finds in the start clock; it knows only \
                     its own moves and percepts",
                    self.name()
                );
            }
            Self::Ismcts => {
                "Monte Carlo tree search over the states that it thinks possible; it knows only its own moves and percepts"
            }
            Self::Human => "asks a person for each move",
            Self::Auto => {
                "a planner for one role; with `sees` cfr or, in large games, ismcts; otherwise growing or, if that wins in \
                 a trial, deepening"
            }
        };
        text.to_string()
    }

    /// True if in games with hidden information it uses only the moves and percepts of its role.
    pub const fn uses_view_only(self) -> bool {
        matches!(self, Self::Hidden(_) | Self::Ismcts | Self::Auto | Self::Human)
    }

    /// True if it answers at once, so that many matches at a time do not slow it down.
    pub(crate) fn is_quick(self) -> bool {
        matches!(self, Self::Legal | Self::Random)
    }
}

/// A kind of player with its options.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct PlayerSpec {
    /// The kind of player, which determines the possible options.
    kind: PlayerKind,
    /// The options, in the order of its signature.
    spec: SearchSpec,
}

impl PlayerSpec {
    /// The default memory limit of a search.
    pub const MEMORY: Size = Size::mebibytes(1024);

    /// The kind of player.
    pub fn kind(&self) -> PlayerKind {
        self.kind
    }

    /// Makes the player; `seed` is used if the options have none. A human player made here never answers; callers that
    /// can ask a person make that player themselves.
    pub fn make(&self, seed: u64) -> Box<dyn Player> {
        let strategy = self.strategy(self.spec.number(&SEED).unwrap_or(seed));
        match self.database() {
            Some(folder) => Box::new(Participant::new(StoredPlayer::new(folder.to_path_buf(), strategy))),
            None => Box::new(Participant::new(strategy)),
        }
    }

    fn strategy(&self, seed: u64) -> Box<dyn Strategy> {
        let memory = self.memory();
        match self.kind {
            PlayerKind::Legal => Box::new(LegalPlayer),
            PlayerKind::Random => Box::new(RandomPlayer::new(seed)),
            PlayerKind::Deliberation => Box::new(DeliberationPlayer::default()),
            PlayerKind::Planner => Box::new(Planner::default()),
            PlayerKind::Mixed => {
                let nodes = self.spec.number(&NODES).unwrap_or(MixedPlayer::NODES);
                Box::new(MixedPlayer::new(nodes, seed, memory))
            }
            PlayerKind::Search(algorithm) => Box::new(Searcher::new(algorithm, &self.spec, seed, memory)),
            PlayerKind::Deepening => {
                let evaluation = self.spec.text(&EVALUATION).map(str::to_string);
                Box::new(DeepeningPlayer::new(evaluation, self.network(), memory))
            }
            PlayerKind::Plan(algorithm) => Box::new(PlanningSearcher::new(algorithm, self.spec.clone(), seed, memory)),
            PlayerKind::Sample(sampling) => Box::new(Sampler::new(sampling, self.spec.clone(), seed, memory)),
            PlayerKind::Growing => Box::new(self.growing(seed)),
            PlayerKind::Hidden(algorithm) => {
                let question = HiddenQuestion::new(algorithm, &self.spec, seed);
                Box::new(HiddenPlayer::new(self.kind.name(), Some(question), &self.spec, seed, memory))
            }
            PlayerKind::Ismcts => Box::new(HiddenPlayer::new(ISMCTS, None, &self.spec, seed, memory)),
            PlayerKind::Human => Box::new(HumanPlayer::without_person()),
            PlayerKind::Auto => Box::new(AutoPlayer::new(self.growing(seed), HiddenPlayer::of_auto(seed, memory))),
        }
    }

    fn growing(&self, seed: u64) -> GrowingPlayer {
        let default = UctOptions::PLAYER;
        let uct = UctOptions {
            exploration: self.spec.number(&EXPLORATION).unwrap_or(default.exploration),
            exact: self.spec.number(&EXACT).unwrap_or(default.exact),
            estimate: self.spec.number(&ESTIMATE).unwrap_or(default.estimate),
            opposed: default.opposed,
            rave: self.spec.number(&RAVE).unwrap_or(default.rave),
            transpositions: self.spec.text(&TRANSPOSITIONS) != Some("no"),
            seed,
        };
        let repeats = self.spec.number(&REPEATS).unwrap_or(GrowingPlayer::REPEATS);
        let kind = self.spec.text(&PLAYOUTS).and_then(PlayoutKind::find).unwrap_or(PlayoutKind::Decisive);
        let playouts = PlayoutOptions { threads: self.threads() - 1, ..PlayoutOptions::new(kind, repeats) };
        let mut player = GrowingPlayer::new(uct, self.spec.number(&VISITS), self.memory(), playouts);
        player.ponders = self.spec.text(&PONDER) == Some("yes");
        player.network_file = self.network();
        player
    }

    /// The number of threads with which it thinks.
    pub(crate) fn threads(&self) -> usize {
        self.spec.number(&THREADS).unwrap_or(1)
    }

    /// The memory limit of the search, in bytes.
    fn memory(&self) -> u64 {
        self.spec.number(&MEMORY).unwrap_or(Self::MEMORY).bytes()
    }

    /// The folder of `ggp solve` from which it plays.
    fn database(&self) -> Option<&Path> {
        self.spec.text(&DATABASE).map(Path::new)
    }

    /// The file or the folder of the network with which it plays.
    fn network(&self) -> Option<PathBuf> {
        self.spec.text(&NETWORK).map(PathBuf::from)
    }

    /// Checks that the folder from which the player is to play holds a run, and that its network can be read. Their games
    /// are compared only when a match starts.
    ///
    /// # Errors
    /// If the folder has no run, or one that cannot be read; if the file is not one of `ggp train`, or the folder of
    /// networks cannot be read.
    pub fn check_files(&self) -> Result<(), PlayerError> {
        if let Some(folder) = self.database() {
            Database::manifest_of(folder)?;
        }
        Ok(self.network().map_or(Ok(()), |path| check_network(&path))?)
    }

    /// Checks that the sheets and files which the options name can be added to a game.
    ///
    /// # Errors
    /// If there is no sheet or file of such a name, or if it does not fit the game.
    pub fn check_sheets(&self, game: &Game) -> Result<(), MatchError> {
        let unfit = |error| MatchError::Player { player: self.to_string(), error: Box::new(error) };
        self.load_sheets(game).map_err(unfit)
    }

    fn load_sheets(&self, game: &Game) -> Result<(), PlayerError> {
        // Standard input can be read only once, so it is left to the player.
        for (name, feature) in self.sheets().filter(|(name, _)| !is_read_once(name)) {
            FeaturedGame::load(game, name, Path::new(""), feature)?;
        }
        if let Some(model) = self.spec.search(&OPPONENTS).map(OpponentSpec::from_spec)
            && !model.file_or_sheet().is_some_and(is_read_once)
        {
            Predictor::load(&model, game, Path::new(""))?;
        }
        Ok(())
    }

    /// Checks that there are the sheets which the options name; those of models of the opponents are left out.
    ///
    /// # Errors
    /// If there is no sheet of such a name, neither in the library nor as a file.
    pub fn check_names(&self) -> Result<(), GameOriginError> {
        self.sheets().try_for_each(|(name, _)| GameOrigin::find_heuristic(name, Some(Path::new(""))).map(|_| ()))
    }

    /// The sheets that the options name, each with what it has to define; those of models of the opponents are left
    /// out.
    fn sheets(&self) -> impl Iterator<Item = (&str, Feature)> {
        let evaluation = self.spec.text(&EVALUATION).map(|name| (name, Feature::Evaluation));
        let heuristic = self.spec.text(&HEURISTIC).map(|name| (name, Feature::Heuristic));
        let is_sheet = |(name, _): &(&str, Feature)| Measure::find(name).is_none();
        evaluation.into_iter().chain(heuristic.filter(is_sheet))
    }

    /// The player, which plays from this folder of `ggp solve`.
    ///
    /// # Errors
    /// If players of this kind use no such folder.
    pub fn with_database(self, folder: PathBuf) -> Result<Self, SpecError> {
        self.with(DATABASE.key(), &folder.to_string_lossy())
    }

    /// The player with a value for an option that has not been given: `with_default("memory", "512M")`. It is unchanged
    /// if players of this kind do not have the option, or if the option does not take the value.
    pub fn with_default(self, key: &str, value: &str) -> Self {
        let is_given = self.spec.options().any(|(given, _)| given == key);
        if is_given { self } else { self.clone().with(key, value).unwrap_or(self) }
    }

    /// The options with these keys, as they are given: `exploration=0.2,repeats=4`.
    pub fn options_text(&self, keys: &[&str]) -> String {
        let given = self.spec.options().filter(|(key, _)| keys.contains(key));
        let texts = given.map(|(key, value)| value.map_or_else(|| key.to_string(), |value| format!("{key}={value}")));
        texts.collect::<Vec<_>>().join(",")
    }

    /// The player with another value for an option: `with("seed", "1")`.
    ///
    /// # Errors
    /// If players of this kind do not have the option, or the option does not take the value.
    pub fn with(self, key: &str, value: &str) -> Result<Self, SpecError> {
        let signature = self.kind.signature();
        let spec = signature.with_value(self.spec, key, value)?.in_order_of(signature);
        Ok(Self { kind: self.kind, spec })
    }
}

impl From<PlayerKind> for PlayerSpec {
    fn from(kind: PlayerKind) -> Self {
        Self { kind, spec: SearchSpec::new(kind.name()) }
    }
}

impl FromStr for PlayerSpec {
    type Err = SpecError;

    fn from_str(text: &str) -> Result<Self, SpecError> {
        let spec = PLAYERS.read(text)?;
        let kind = PlayerKind::find(spec.name()).expect("the vocabulary has the names of the kinds");
        Ok(Self { kind, spec: spec.in_order_of(kind.signature()) })
    }
}

impl fmt::Display for PlayerSpec {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.spec.fmt(formatter)
    }
}
