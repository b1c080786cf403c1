//! Whole games that an algorithm plays against itself, for [`super::compare`].

use super::session_game::{FinishedGame, RoleUtility, play_out};
use super::{Arguments, Command};
use crate::ask::options::{DEPTH, HONEST, TIES};
use crate::ask::spec::NamedOption;
use crate::game::{Chance, ReasonError, Utility};
use crate::limits::Stop;
use crate::repl::answer::{ComparedRun, Found, GameEnd, GameRecord, PlayedGame, RunResult, SearchAnswer};
use crate::repl::{Answer, CommandError, Session};
use crate::rules::GroundTerm;
use crate::search::{Choice, DeepenedChoice, WeightedMove};

/// A search with its options.
#[derive(Clone)]
pub(super) struct Contestant {
    /// The name with options, as it was given.
    pub(super) name: String,
    pub(super) command: &'static Command,
    pub(super) arguments: Arguments,
    /// The depths to which it searches; all if it has none of its own.
    pub(super) depths: Option<Vec<u32>>,
}

impl Contestant {
    /// The same search with another value of an option.
    pub(super) fn with(self, option: NamedOption, value: String) -> Self {
        Self { arguments: self.arguments.with(option, value), ..self }
    }

    /// Whether it searches to a depth.
    pub(super) fn goes_to(&self, depth: Option<u32>) -> bool {
        self.depths.as_ref().is_none_or(|own| depth.is_none_or(|depth| own.contains(&depth)))
    }

    /// Searches to a depth for a role, by default the role to move.
    pub(super) fn search(
        &self,
        session: &mut Session,
        role: Option<&GroundTerm>,
        depth: Option<u32>,
    ) -> Result<Answer, CommandError> {
        let mut arguments = self.arguments.clone();
        if let Some(depth) = depth {
            arguments = arguments.with(DEPTH, depth.to_string());
        }
        if let Some(role) = role {
            arguments = arguments.with_operands(role.to_string());
            if self.command.has(&TIES) && !arguments.has(&TIES) {
                arguments = arguments.with(TIES, HONEST.to_string());
            }
        }
        (self.command.run)(session, &arguments)
    }
}

/// Plays games from the current position and then restores it, until one is stopped. Each role searches for itself; of
/// moves of equal value one is drawn at random, as far as the algorithm reports them. The n-th game, from 0, draws from
/// a generator of its own, whose seed is that of the session plus n.
pub(super) fn play_games(
    session: &mut Session,
    contestant: &Contestant,
    games: u64,
    run: &mut ComparedRun,
) -> Result<(), CommandError> {
    if session.current()?.roles().len() < 2 {
        return Err(contestant.command.misused("a game against oneself needs two roles"));
    }
    let mut record = GameRecord { of: games, ..GameRecord::default() };
    for number in 0..games {
        let seed = session.seed().wrapping_add(number);
        let (mut chance, calls) = (Chance::new(seed), run.nodes);
        let played = play_out(session, |session, role, joint_moves| {
            let name = session.current()?.roles()[role.index()].clone();
            if name.is_chance() {
                return Ok(chance.index(joint_moves.legal(role).len()));
            }
            record.searches += 1;
            let chosen = choose(session, contestant, &name, &mut chance, run)?;
            Ok(session.current()?.move_index(joint_moves, role, &chosen).expect("a search returns a legal move"))
        });
        match played.and_then(|FinishedGame { plies, utilities }| Ok((plies, end_of(utilities)?))) {
            Ok((plies, end)) => record.add(PlayedGame { seed, calls: run.nodes - calls, plies, end }),
            Err(error) => {
                record.stopped = Some(error.stop().ok_or(error)?);
                break;
            }
        }
    }
    run.result = RunResult::Games(record);
    Ok(())
}

/// Who has won a game: the role whose goal value is greater than that of every other, without chance.
fn end_of(utilities: Option<Vec<RoleUtility>>) -> Result<GameEnd, CommandError> {
    let Some(utilities) = utilities else { return Ok(GameEnd::Unfinished) };
    let utilities: Vec<(GroundTerm, Utility)> = utilities
        .into_iter()
        .map(|RoleUtility { role, utility }| Ok((role, utility?)))
        .collect::<Result<_, ReasonError>>()?;
    let most = utilities.iter().map(|(_, utility)| *utility).max();
    let is_first = |role: &GroundTerm| utilities.first().is_some_and(|(first, _)| first == role);
    let best: Vec<&GroundTerm> =
        utilities.iter().filter(|(_, utility)| Some(*utility) == most).map(|(role, _)| role).collect();
    Ok(match best[..] {
        [role] => GameEnd::Won { role: role.clone(), is_first: is_first(role) },
        _ => GameEnd::Drawn,
    })
}

/// The move that a role makes after a search.
fn choose(
    session: &mut Session,
    contestant: &Contestant,
    role: &GroundTerm,
    chance: &mut Chance,
    run: &mut ComparedRun,
) -> Result<GroundTerm, CommandError> {
    let Some(answer) = contestant.search(session, Some(role), run.depth)?.downcast::<SearchAnswer>() else {
        return Err(contestant.command.misused("this command does not choose moves"));
    };
    if answer.stopped == Some(Stop::Interrupted) {
        return Err(CommandError::Stopped { stop: Stop::Interrupted, cost: None });
    }
    run.add(&answer.cost);
    draw(chance, &answer).ok_or_else(|| contestant.command.misused("this command does not choose moves"))
}

/// One of the moves that an answer recommends, at random by their probabilities.
pub(super) fn draw(chance: &mut Chance, answer: &SearchAnswer) -> Option<GroundTerm> {
    match &answer.found {
        Found::Value { choice: Choice { equals, .. }, .. } if !equals.is_empty() => {
            Some(equals[chance.index(equals.len())].clone())
        }
        Found::Value { choice, .. } | Found::Deepened { deepened: DeepenedChoice { choice, .. }, .. } => {
            choice.chosen.clone()
        }
        Found::Expectation { expectation, .. } => expectation.chosen.clone(),
        Found::Sampled(choice) => Some(choice.chosen.clone()),
        Found::Shares(shares) => Some(shares.line.first()?.chosen.clone()),
        Found::Equilibrium { equilibrium, .. } => WeightedMove::draw(&equilibrium.strategies.first()?.moves, chance),
        _ => None,
    }
}
