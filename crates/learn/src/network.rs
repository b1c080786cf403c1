//! A neural network with the game that it has learned, and its file.

use crate::encoding::Encoding;
use crate::guide::NeuralGuide;
use crate::lines::LineInputs;
use crate::parameters::Parameters;
use crate::quantised::QuantisedNetwork;
use gdl::rules::{GroundTerm, RuleSet, check_text, renaming};
use gdl::syntax::Source;
use ggp_game::{Chance, Reasoner, WinningLine};
use serde::{Deserialize, Serialize};
use std::collections::HashMap;
use std::sync::Arc;

/// A small neural network for one game: from the facts of a state it expects a utility for each role, and gives each
/// legal move a probability.
///
/// - Cost: some hundred nanoseconds a state on a processor of today, and some ten for each legal move.
/// - Source: Silver and others, *A general reinforcement learning algorithm that masters chess, shogi and Go through
///   self-play*, 2018, for the two outputs; Nasu, *Efficiently Updatable Neural-Network-based Evaluation Functions for
///   Computer Shogi*, 2018, for the layers.
#[derive(Clone, Debug)]
pub struct NeuralNetwork {
    /// The rows of facts and moves. While it trains, players of the games may add some.
    pub(crate) encoding: Arc<Encoding>,
    pub(crate) lines: Arc<LineInputs>,
    pub(crate) parameters: Parameters,
    /// The roles, in the order of the rule sheet.
    roles: Vec<GroundTerm>,
    /// The rules of the game.
    rules: String,
    /// The games from which it has learned.
    pub(crate) games: u64,
    alpha_beta: AlphaBetaScore,
}

/// What matches between two searches by one network have shown: alpha-beta that it evaluates, against a tree that it guides,
/// with as much time.
#[derive(Clone, Copy, Debug, Default, PartialEq, Serialize, Deserialize)]
struct AlphaBetaScore {
    /// The matches. Earlier ones, played with other weights, count half as much with each time that new ones are added.
    matches: f32,
    /// The points of alpha-beta: 1 for a match that was won, and shares of it.
    points: f32,
}

impl AlphaBetaScore {
    /// The least number of matches that say something.
    const LEAST_MATCHES: f32 = 4.0;
    /// The least share of the points with which alpha-beta is the stronger search. It has to win more than half of them, since
    /// a tree gains more from longer clocks than those of training.
    const LEAST_SHARE: f32 = 0.65;

    fn add(&mut self, matches: f32, points: f32) {
        self.matches = self.matches / 2.0 + matches;
        self.points = self.points / 2.0 + points;
    }

    fn is_won(self) -> bool {
        self.matches >= Self::LEAST_MATCHES && self.points >= Self::LEAST_SHARE * self.matches
    }

    fn is_valid(self) -> bool {
        self.matches.is_finite() && (0.0..=self.matches).contains(&self.points)
    }
}

/// The file of a network: JSON.
#[derive(Serialize, Deserialize)]
struct NetworkFile {
    format: String,
    games: u64,
    #[serde(default)]
    alpha_beta: AlphaBetaScore,
    rules: String,
    roles: Vec<GroundTerm>,
    facts: Vec<GroundTerm>,
    moves: Vec<(usize, GroundTerm)>,
    lines: LineInputs,
    parameters: Parameters,
}

/// The text that begins every file; its number changes with the form of the file.
const FORMAT: &str = "ggp neural network 2";

/// The reason why a text is not the file of a network.
#[derive(Debug, thiserror::Error)]
pub enum NetworkFileError {
    /// It is not JSON of this form.
    #[error("this is no file of `ggp train`: {0}")]
    Json(serde_json::Error),
    /// It has been written in another form.
    #[error("the file has the form `{found}`, and this version reads `{FORMAT}`: train again")]
    OtherFormat {
        /// The form that the file names.
        found: String,
    },
    /// The numbers are not those of a network.
    #[error("the file is damaged: its numbers or the lengths of its lists are not those of a network")]
    Damaged,
}

impl NeuralNetwork {
    /// A network that knows nothing of the game of a reasoner; `lines` are inputs beside its facts, `rules` is its rule
    /// sheet, `seed` that of the first weights.
    pub fn new(reasoner: &impl Reasoner, lines: &[WinningLine], rules: impl Into<String>, seed: u64) -> Self {
        let roles = reasoner.roles().to_vec();
        let encoding = Encoding::default();
        let lines = Arc::new(LineInputs::new(lines, &encoding, reasoner));
        let mut random = Chance::new(seed);
        let mut parameters = Parameters::random(roles.len(), lines.row_count(), &mut random);
        // The facts of lines have rows from the beginning.
        parameters.grow(encoding.terms().0.len(), 0, Some(&mut random));
        Self {
            encoding: Arc::new(encoding),
            lines,
            parameters,
            roles,
            rules: rules.into(),
            games: 0,
            alpha_beta: AlphaBetaScore::default(),
        }
    }

    /// The rules of the game that it has learned.
    pub fn rules(&self) -> &str {
        &self.rules
    }

    /// The number of games from which it has learned.
    pub fn games(&self) -> u64 {
        self.games
    }

    /// Adds matches of alpha-beta that this network evaluates against a tree that it guides: their number, and the points of
    /// alpha-beta, 1 for a match that was won.
    pub fn note_alpha_beta(&mut self, matches: u32, points: f32) {
        self.alpha_beta.add(matches as f32, points);
    }

    /// True if alpha-beta has won these matches clearly, so that it is the stronger search with this network.
    pub fn suits_alpha_beta(&self) -> bool {
        self.alpha_beta.is_won()
    }

    /// The numbers of facts and of moves that it knows.
    pub fn sizes(&self) -> (usize, usize) {
        let (facts, _, moves) = self.parameters.sizes();
        (facts, moves)
    }

    /// The network as it is now. Guides of the copy meet facts and moves without numbering them for this network.
    pub fn snapshot(&self) -> Self {
        let (facts, moves) = self.encoding.terms();
        Self { encoding: Arc::new(Encoding::from_terms(&facts, &moves)), ..self.clone() }
    }

    /// A guide that evaluates states and moves with the present weights, rounded. Its reasoner has to play the same game with the
    /// same roles.
    pub fn guide(&self) -> NeuralGuide {
        NeuralGuide::new(Arc::clone(&self.encoding), Arc::clone(&self.lines), self.quantised())
    }

    /// The present weights, rounded.
    pub(crate) fn quantised(&self) -> Arc<QuantisedNetwork> {
        Arc::new(QuantisedNetwork::new(&self.parameters, &self.lines))
    }

    /// The contents of its file.
    ///
    /// # Errors
    /// Those of JSON; none is known.
    pub fn to_json(&self) -> Result<String, serde_json::Error> {
        let (mut facts, mut moves) = self.encoding.terms();
        // Terms that were met after the last step of training have no weights.
        let (known_facts, _, known_moves) = self.parameters.sizes();
        facts.truncate(known_facts);
        moves.truncate(known_moves);
        let Self { parameters, roles, rules, games, alpha_beta, .. } = self.clone();
        serde_json::to_string(&NetworkFile {
            format: FORMAT.to_string(),
            games,
            alpha_beta,
            rules,
            roles,
            facts,
            moves,
            lines: LineInputs::clone(&self.lines),
            parameters,
        })
    }

    /// Reads the contents of a file.
    ///
    /// # Errors
    /// If the text is no such file, or a damaged one.
    pub fn from_json(text: &str) -> Result<Self, NetworkFileError> {
        let file = serde_json::from_str(text).map_err(|error| unread(text, error));
        let NetworkFile { format, games, alpha_beta, rules, roles, facts, moves, lines, parameters } = file?;
        if format != FORMAT {
            return Err(NetworkFileError::OtherFormat { found: format });
        }
        if !alpha_beta.is_valid()
            || !lines.fits(facts.len())
            || !parameters.fits(facts.len(), lines.row_count(), roles.len(), moves.len())
        {
            return Err(NetworkFileError::Damaged);
        }
        let encoding = Arc::new(Encoding::from_terms(&facts, &moves));
        Ok(Self { encoding, lines: Arc::new(lines), parameters, roles, rules, games, alpha_beta })
    }

    /// The same network for a rule sheet that defines the same game in other names or another order; `roles` are its
    /// roles. `None` if its rules are others.
    pub fn for_rules(mut self, rules: &RuleSet, roles: &[GroundTerm]) -> Option<Self> {
        let own = check_text(&Source::new("rules.gdl", self.rules.as_str()), None).rules;
        let pairs = renaming(&own, rules)?.pairs;
        let names: HashMap<&str, &str> = pairs.iter().map(|(old, new)| (&**old, &**new)).collect();
        let renamed: Vec<GroundTerm> = self.roles.iter().map(|role| in_names(role, &names)).collect();
        let place = |role: &GroundTerm| roles.iter().position(|other| other == role);
        let places = renamed.iter().map(place).collect::<Option<Vec<usize>>>()?;
        let (facts, moves) = self.encoding.terms();
        let facts: Vec<GroundTerm> = facts.iter().map(|fact| in_names(fact, &names)).collect();
        let moves: Vec<(usize, GroundTerm)> =
            moves.iter().map(|(role, chosen)| (places[*role], in_names(chosen, &names))).collect();
        self.encoding = Arc::new(Encoding::from_terms(&facts, &moves));
        self.parameters.permute_roles(&places);
        self.roles = roles.to_vec();
        Some(self)
    }
}

/// The reason why a text is not read: the form that it names, if that is another one.
fn unread(text: &str, error: serde_json::Error) -> NetworkFileError {
    #[derive(Deserialize)]
    struct NamedFormat {
        format: String,
    }
    match serde_json::from_str(text) {
        Ok(NamedFormat { format }) if format != FORMAT => NetworkFileError::OtherFormat { found: format },
        _ => NetworkFileError::Json(error),
    }
}

/// A term with other names.
fn in_names(term: &GroundTerm, names: &HashMap<&str, &str>) -> GroundTerm {
    let name = names.get(&*term.name).map_or_else(|| term.name.clone(), |&name| name.into());
    GroundTerm { name, arguments: term.arguments.iter().map(|argument| in_names(argument, names)).collect() }
}
