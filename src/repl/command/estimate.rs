//! Command `estimate`: the size of a game tree from its branching and its depth.

use super::{AnswerKind, Arguments, Command, OptionGroup};
use crate::repl::answer::text::line;
use crate::repl::answer::{AnswerContent, AnswerValue, TextStyle};
use crate::repl::{Answer, CommandError, Session};
use gdl::limits::Stop;
use gdl::quantity::{counted_as, grouped};
use ggp_engine::playout;
use ggp_engine::simulate::LONGEST_GAME;
use ggp_game::{Chance, JointMoves, ReasonError, Reasoner};
use ggp_play::ask::spec::NamedOption;
use ggp_search::Count;
use serde::Serialize;

pub(super) const ESTIMATE: Command = Command {
    name: "estimate",
    operands: "[N]",
    options: &[OptionGroup::own(&[LAYERS])],
    summary: "estimate the size of the tree from N random games, by default 100: mean moves b, mean plies m, and b^m",
    example: "estimate 1000",
    answers: AnswerKind::Value,
    ..Command::run_by(estimate)
};

const LAYERS: NamedOption = NamedOption::word(
    "--layers",
    "B,…",
    "numbers of moves with commas between them",
    "multiply these branching factors instead, layer by layer; `35^80` is 80 layers of 35",
);

/// The default number of random games.
const GAMES: u64 = 100;

fn estimate(session: &mut Session, arguments: &Arguments) -> Result<Answer, CommandError> {
    if let Some(layers) = arguments.word(&LAYERS) {
        if !arguments.operands().is_empty() {
            return Err(arguments.wrong("either a number of games or `--layers`"));
        }
        return Ok(Answer::new(layered(layers).map_err(|problem| arguments.wrong(problem))?));
    }
    let games = match arguments.operands() {
        "" => GAMES,
        text => {
            let number = text.parse().ok().filter(|&number: &u64| number > 0);
            number.ok_or_else(|| arguments.wrong(format!("`{text}` is not a number of games")))?
        }
    };
    sampled(session, games)
}

/// The product of branching factors: `20,21,20` or `35^80`.
fn layered(text: &str) -> Result<EstimatedLayers, String> {
    let mut layers = 0_u64;
    let mut nodes = Count::ONE;
    let mut log10 = 0.0;
    for part in text.split(',') {
        let (base, times) = part.split_once('^').unwrap_or((part, "1"));
        let wrong = || format!("`{part}` is not a number of moves, nor a power of one such as `35^80`");
        let base: u32 = base.trim().parse().ok().filter(|&base| base > 0).ok_or_else(wrong)?;
        let times: u32 = times.trim().parse().ok().filter(|times| (1..=100_000).contains(times)).ok_or_else(wrong)?;
        layers += u64::from(times);
        // The logarithm stays known where the count overflows.
        log10 += f64::from(times) * f64::from(base).log10();
        for _ in 0..times {
            nodes = nodes.times(u128::from(base));
        }
    }
    Ok(EstimatedLayers { layers, nodes, log10 })
}

/// Counts plies and moves in random games. A ply is a turn in which some role has a choice.
fn sampled(session: &mut Session, games: u64) -> Result<Answer, CommandError> {
    let mut random = session.random.clone();
    if session.current()?.is_over()? {
        return Err(CommandError::Over);
    }
    let estimated = random_games(session, &mut random, games, u64::MAX)?;
    if let (0, Some(stop)) = (estimated.games, estimated.stopped) {
        return Err(CommandError::Stopped { stop, cost: None });
    }
    session.random = random;
    Ok(Answer::new(estimated.finished()))
}

/// An estimate from some random games, for a command that counts the tree: always the same for a seed. `None` if no
/// game could be played.
pub(super) fn quick_estimate(session: &mut Session) -> Option<EstimatedTree> {
    /// The number of plies after which no other game begins.
    const PLIES: u64 = 500;
    let mut random = Chance::new(session.seed());
    let estimated = random_games(session, &mut random, GAMES, PLIES).ok()?;
    // Without a choice in any game there is no branching.
    (estimated.plies > 0).then(|| estimated.finished())
}

/// Plays random games, until there are enough, or enough plies.
fn random_games(
    session: &mut Session,
    random: &mut Chance,
    games: u64,
    plies: u64,
) -> Result<EstimatedTree, CommandError> {
    let interrupt = session.interrupt();
    let (reasoner, first) = session.current()?.engine()?;
    let mut estimated = EstimatedTree::default();
    while estimated.games < games && estimated.plies < plies {
        if interrupt.is_set() {
            estimated.stopped = Some(Stop::Interrupted);
            break;
        }
        match sampled_game(reasoner, &first, random) {
            Ok(game) => {
                estimated.games += 1;
                estimated.unfinished += game.unfinished;
                estimated.plies += game.plies;
                estimated.moves = estimated.moves.saturating_add(game.moves);
            }
            Err(error) => {
                estimated.stopped = Some(error.stop().ok_or(error)?);
                break;
            }
        }
    }
    Ok(estimated)
}

/// The plies and moves of one random game.
fn sampled_game<R: Reasoner>(
    reasoner: &mut R,
    first: &R::State,
    random: &mut Chance,
) -> Result<EstimatedTree, ReasonError> {
    let line = playout(reasoner, first, random, LONGEST_GAME)?;
    let mut game = EstimatedTree { unfinished: u64::from(!line.is_over), ..EstimatedTree::default() };
    let mut state = first.clone();
    for joint_move in &line.joint_moves {
        let moves = JointMoves::in_state(reasoner, &state)?.count() as u64;
        // A state without a choice adds no branching and no depth to b^m.
        if moves > 1 {
            game.plies += 1;
            game.moves = game.moves.saturating_add(moves);
        }
        state = reasoner.next_state(&state, joint_move)?;
    }
    Ok(game)
}

/// The size of a tree, estimated from random games.
#[derive(Clone, Debug, Default, Serialize)]
pub(super) struct EstimatedTree {
    /// The number of random games.
    pub(super) games: u64,
    /// The games that did not end within the limit of moves.
    unfinished: u64,
    /// The turns in all games in which some role had a choice.
    plies: u64,
    /// The joint moves that were possible in these turns.
    #[serde(skip)]
    moves: u64,
    /// The mean number of joint moves of a ply: b.
    branching: f64,
    /// The mean number of plies of a game: m.
    depth: f64,
    /// The decimal logarithm of b^m.
    log10: f64,
    /// Set if it was interrupted.
    #[serde(skip_serializing_if = "Option::is_none")]
    stopped: Option<Stop>,
}

impl EstimatedTree {
    /// The same with the means of what was counted.
    fn finished(self) -> Self {
        let branching = if self.plies == 0 { 1.0 } else { self.moves as f64 / self.plies as f64 };
        let depth = self.plies as f64 / self.games as f64;
        Self { branching, depth, log10: depth * branching.log10(), ..self }
    }

    /// About how many nodes a tree has: `about 10^17.6 nodes`.
    pub(super) fn nodes_text(&self) -> String {
        format!("about 10^{:.1} nodes", self.log10)
    }
}

/// The number of nodes in the last layer of a tree with these branching factors.
#[derive(Clone, Debug, Serialize)]
struct EstimatedLayers {
    /// The number of layers.
    layers: u64,
    /// The number of nodes.
    nodes: Count,
    /// Its decimal logarithm.
    log10: f64,
}

impl AnswerContent for EstimatedTree {
    fn kind(&self) -> &'static str {
        "estimated_tree"
    }

    /// The mean branching and depth of random games, and the size of a tree with these.
    fn text(&self, _style: &TextStyle<'_>) -> String {
        let Self { games, unfinished, branching, depth, log10, .. } = self;
        let cut =
            if *unfinished > 0 { format!(", {} of which did not end", grouped(unfinished)) } else { String::new() };
        let random = counted_as(*games, "random game", "random games");
        line(format!("{random}{cut}: b = {branching:.2} moves a ply, m = {depth:.2} plies a game; b^m = 10^{log10:.1}"))
    }

    fn value(&self) -> Option<AnswerValue> {
        Some(AnswerValue::number(self.log10))
    }

    fn stopped(&self) -> Option<Stop> {
        self.stopped
    }
}

impl AnswerContent for EstimatedLayers {
    fn kind(&self) -> &'static str {
        "estimated_layers"
    }

    /// The nodes of the last of several layers.
    fn text(&self, _style: &TextStyle<'_>) -> String {
        let Self { layers, nodes, log10 } = self;
        let exact = nodes.exact().map_or(String::new(), |nodes| format!("{} = ", grouped(nodes)));
        line(format!("{}: {exact}10^{log10:.1} nodes", counted_as(*layers, "layer", "layers")))
    }

    fn value(&self) -> Option<AnswerValue> {
        Some(AnswerValue::number(self.nodes))
    }
}
