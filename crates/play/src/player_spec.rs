//! Players as text: a kind and its options, `growing:seed=1,playouts=single`.

use super::kind::PLAYERS;
use super::options::{
    DATABASE, ESTIMATE, EXACT, EXPLORATION, MEMORY, NODES, PLAYOUTS, PONDER, RAVE, REPEATS, SEED, THREADS,
    TRANSPOSITIONS, VISITS,
};
use super::player::auto::AutoPlayer;
use super::player::deepening::DeepeningPlayer;
use super::player::deliberation::DeliberationPlayer;
use super::player::growing::GrowingPlayer;
use super::player::human::{HumanPlayer, NoPerson};
use super::player::legal::LegalPlayer;
use super::player::mixed::MixedPlayer;
use super::player::planner::Planner;
use super::player::planning_searcher::PlanningSearcher;
use super::player::random::RandomPlayer;
use super::player::sampler::Sampler;
use super::player::searcher::Searcher;
use super::player::stored::StoredPlayer;
use super::{MatchError, Participant, Player, PlayerError, PlayerKind, Strategy};
use crate::ask::opponents::is_read_once;
use crate::ask::options::{EVALUATION, OPPONENTS};
use crate::ask::plan::HEURISTIC;
use crate::ask::spec::{SearchSpec, SpecError};
use crate::ask::{OpponentSpec, PlayoutKind, PlayoutOptions, Predictor};
use gdl::quantity::Size;
use ggp_engine::{Feature, FeaturedGame, Game, GameOrigin, GameOriginError, Measure};
use ggp_search::UctOptions;
use ggp_search::solving::{Database, SolvingError};
use std::fmt;
use std::path::{Path, PathBuf};
use std::str::FromStr;

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
                Box::new(DeepeningPlayer::new(self.spec.text(&EVALUATION).map(str::to_string), memory))
            }
            PlayerKind::Plan(algorithm) => Box::new(PlanningSearcher::new(algorithm, self.spec.clone(), seed, memory)),
            PlayerKind::Sample(sampling) => Box::new(Sampler::new(sampling, self.spec.clone(), seed, memory)),
            PlayerKind::Growing => Box::new(self.growing(seed)),
            PlayerKind::Human => Box::new(HumanPlayer::new(Box::new(NoPerson))),
            PlayerKind::Auto => Box::new(AutoPlayer::new(self.growing(seed))),
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

    /// Checks that the folder from which the player is to play holds a run; whether it is of the game that is played
    /// shows when a match starts.
    ///
    /// # Errors
    /// If the folder has none, or one that cannot be read.
    pub fn check_database(&self) -> Result<(), SolvingError> {
        self.database().map_or(Ok(()), |folder| Database::manifest_of(folder).map(|_| ()))
    }

    /// Checks that the sheets and files which the options name can be added to a game.
    ///
    /// # Errors
    /// If there is none of such a name, or one that does not fit the game.
    pub fn check_sheets(&self, game: &Game) -> Result<(), MatchError> {
        let unfit = |error| MatchError::Player { player: self.to_string(), error: Box::new(error) };
        self.load_sheets(game).map_err(unfit)
    }

    fn load_sheets(&self, game: &Game) -> Result<(), PlayerError> {
        // What is read once is read by the player.
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
    /// If there is none of such a name, neither in the library nor as a file.
    pub fn check_names(&self) -> Result<(), GameOriginError> {
        self.sheets().try_for_each(|(name, _)| GameOrigin::find_heuristic(name, Some(Path::new(""))).map(|_| ()))
    }

    /// The sheets that the options name, each with what it has to define; those of models of the opponents are left out.
    fn sheets(&self) -> impl Iterator<Item = (&str, Feature)> {
        let evaluation = self.spec.text(&EVALUATION).map(|name| (name, Feature::Evaluation));
        let heuristic = self.spec.text(&HEURISTIC).map(|name| (name, Feature::Heuristic));
        let is_sheet = |(name, _): &(&str, Feature)| Measure::find(name).is_none();
        evaluation.into_iter().chain(heuristic.filter(is_sheet))
    }

    /// With the folder of `ggp solve` from which it plays.
    ///
    /// # Errors
    /// If players of this kind do not use one.
    pub fn with_database(self, folder: PathBuf) -> Result<Self, SpecError> {
        self.with(DATABASE.key(), &folder.to_string_lossy())
    }

    /// With a value for an option that has not been given: `with_default("memory", "512M")`. As it is, if players of
    /// this kind do not have the option, or it does not take the value.
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

    /// With a value for an option in place of the one that it has: `with("seed", "1")`.
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
