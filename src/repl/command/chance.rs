//! Commands for random play.

use super::{AnswerKind, Arguments, Command};
use crate::repl::answer::text::line;
use crate::repl::answer::{
    AnswerContent, AnswerValue, GoalValue, MatchPly, Statement, TextStyle, history_text, result_text,
};
use crate::repl::session::MatchStep;
use crate::repl::{Answer, CommandError, Session};
use gdl::limits::Stop;
use gdl::quantity::{counted_as, grouped};
use gdl::rules::GroundTerm;
use ggp_engine::playout;
use ggp_engine::simulate::LONGEST_GAME;
use ggp_game::Reasoner;
use ggp_search::RoleMean;
use serde::Serialize;

pub(super) const PLAYOUT: Command = Command {
    name: "playout",
    operands: "[N]",
    summary: "play at random to the end, without changing the match; N times: show the mean utilities",
    example: "playout 1000",
    answers: AnswerKind::Value,
    ..Command::run_by(play)
};

pub(super) const SEED: Command = Command {
    name: "seed",
    operands: "[N]",
    summary: "show the seed of random play, or restart it with another seed",
    example: "seed 7",
    answers: AnswerKind::Value,
    ..Command::for_rules(seed)
};

fn play(session: &mut Session, arguments: &Arguments) -> Result<Answer, CommandError> {
    let games = arguments.operands();
    if !games.is_empty() {
        let number = games.parse().ok().filter(|&number: &u64| number > 0);
        let number = number.ok_or_else(|| arguments.wrong(format!("`{games}` is not a number of games")))?;
        return many(session, number);
    }
    // The generator moves on only if the command succeeds.
    let mut random = session.random.clone();
    let current = session.current()?;
    if current.is_over()? {
        return Err(CommandError::Over);
    }
    let ply = current.ply();
    let (reasoner, state) = current.engine()?;
    let line = playout(reasoner, &state, &mut random, LONGEST_GAME)?;
    let result = if line.is_over { Some(GoalValue::of_roles(reasoner, &line.end)?) } else { None };
    let terms = line.joint_moves.iter().map(|moves| moves.iter().map(|&chosen| reasoner.move_term(chosen)).collect());
    let plies = terms
        .enumerate()
        .map(|(at, moves)| MatchPly::new(ply + at + 1, reasoner.roles(), Some(MatchStep::Played(moves))));
    let answer = PlayoutAnswer { plies: plies.collect(), result };
    session.random = random;
    Ok(Answer::new(answer))
}

/// Plays `number` games, or until an interrupt or a limit.
fn many(session: &mut Session, number: u64) -> Result<Answer, CommandError> {
    let mut random = session.random.clone();
    let interrupt = session.interrupt();
    let current = session.current()?;
    if current.is_over()? {
        return Err(CommandError::Over);
    }
    let (reasoner, state) = current.engine()?;
    let names = reasoner.roles().to_vec();
    let mut sums: Vec<(f64, u64)> = vec![(0.0, 0); names.len()];
    let mut answer = PlayoutsAnswer { playouts: 0, unfinished: 0, plies: 0, means: Vec::new(), stopped: None };
    while answer.playouts < number {
        let game = playout(reasoner, &state, &mut random, LONGEST_GAME).and_then(|line| {
            let goals = if line.is_over { GoalValue::of_roles(reasoner, &line.end)? } else { Vec::new() };
            Ok((line, goals))
        });
        let (line, goals) = match game {
            _ if interrupt.is_set() => {
                answer.stopped = Some(Stop::Interrupted);
                break;
            }
            Ok(game) => game,
            Err(error) => {
                answer.stopped = Some(error.stop().ok_or(error)?);
                break;
            }
        };
        answer.playouts += 1;
        answer.plies += line.joint_moves.len() as u64;
        answer.unfinished += u64::from(!line.is_over);
        for goal in goals {
            let index = names.iter().position(|name| *name == goal.role);
            if let (Some(index), Some(utility)) = (index, goal.value) {
                sums[index].0 += utility.to_f64();
                sums[index].1 += 1;
            }
        }
    }
    // Without a game there is no mean to show.
    if let (0, Some(stop)) = (answer.playouts, answer.stopped) {
        return Err(CommandError::Stopped { stop, cost: None });
    }
    let means = names.into_iter().zip(sums).filter(|(_, (_, count))| *count > 0);
    answer.means = means.map(|(role, (sum, count))| RoleMean { role, mean: sum / count as f64 }).collect();
    session.random = random;
    Ok(Answer::new(answer))
}

fn seed(session: &mut Session, arguments: &Arguments) -> Result<Answer, CommandError> {
    let seed = arguments.operands();
    if !seed.is_empty() {
        let seed = seed.parse().map_err(|_| arguments.wrong(format!("`{seed}` is not a whole number")))?;
        session.set_seed(seed);
    }
    let seed = session.seed();
    let shown = Statement::new("seed", line(seed.to_string())).with("seed", seed);
    Ok(Answer::new(shown.valued(AnswerValue::number(seed))))
}

/// A random line of play from the current state.
#[derive(Clone, Debug, Serialize)]
struct PlayoutAnswer {
    /// Its plies, numbered on from those of the match.
    plies: Vec<MatchPly>,
    /// The goal values at the end; `None` if the line was cut off before the end of the game.
    result: Option<Vec<GoalValue>>,
}

/// Many random games from the current state.
#[derive(Clone, Debug, Serialize)]
struct PlayoutsAnswer {
    /// The number of games that were played.
    playouts: u64,
    /// The number of games that were cut off before the end; they have no utilities.
    unfinished: u64,
    /// The number of joint moves of all games.
    plies: u64,
    /// The mean utility of each role, over the games in which it has one.
    means: Vec<RoleMean<GroundTerm>>,
    /// The limit that stopped the games early, if one did.
    #[serde(skip_serializing_if = "Option::is_none")]
    stopped: Option<Stop>,
}

impl AnswerContent for PlayoutAnswer {
    fn kind(&self) -> &'static str {
        "playout"
    }

    fn text(&self, style: &TextStyle<'_>) -> String {
        let end = match &self.result {
            Some(goals) => result_text(goals),
            None => line("the game did not end within the limit of moves".to_string()),
        };
        history_text(&self.plies, style.dialect) + &end
    }

    fn value(&self) -> Option<AnswerValue> {
        self.result.as_deref().map(GoalValue::as_value)
    }

    fn count(&self) -> Option<AnswerValue> {
        Some(AnswerValue::number(self.plies.len()))
    }
}

impl AnswerContent for PlayoutsAnswer {
    fn kind(&self) -> &'static str {
        "playouts"
    }

    fn text(&self, _style: &TextStyle<'_>) -> String {
        let Self { playouts, unfinished, plies, means, stopped } = self;
        let mut text = counted_as(*playouts, "game", "games");
        text += &format!(" of {:.2} plies on average", *plies as f64 / *playouts as f64);
        if *unfinished > 0 {
            text += &format!(", {} did not end", grouped(*unfinished));
        }
        if let Some(stop) = stopped {
            text += &format!(" ({stop})");
        }
        line(text) + &means.iter().map(|RoleMean { role, mean }| line(format!("{role}: {mean:.2}"))).collect::<String>()
    }

    fn stopped(&self) -> Option<Stop> {
        self.stopped
    }
}
