//! Whole games that a search plays against itself, for [`super::compare`].

use super::contest::AskedTurn;
use super::mover::NamedSearch;
use super::session_game::{FinishedGame, RoleUtility, play_out};
use crate::repl::answer::{ComparedRun, GameEnd, GameRecord, PlayedGame, RunResult};
use crate::repl::{CommandError, Session};
use gdl::rules::GroundTerm;
use ggp_game::{Chance, ReasonError, Role, Utility};

/// Plays games from the current position and then restores it, until one is stopped. Each role searches for itself; of
/// moves of equal value one is drawn at random, as far as the search reports them. The n-th game, from 0, draws from
/// a generator of its own, whose seed is that of the session plus n.
pub(super) fn play_games(
    session: &mut Session,
    search: &NamedSearch,
    games: u64,
    run: &mut ComparedRun,
) -> Result<(), CommandError> {
    if session.current()?.roles().len() < 2 {
        return Err(search.command.misused("a game against oneself needs two roles"));
    }
    let mut record = GameRecord { of: games, ..GameRecord::default() };
    for number in 0..games {
        let seed = session.seed().wrapping_add(number);
        let mut chance = Chance::new(seed);
        let calls = run.nodes;
        let played = play_out(session, |session, role, joint_moves| {
            if Role::chance(session.current()?.roles()) == Some(role) {
                return Ok(chance.index(joint_moves.legal(role).len()));
            }
            record.searches += 1;
            let recommended = search.recommend(session, AskedTurn { role, depth: run.depth, draws: true })?;
            run.add(&recommended.cost());
            let chosen = recommended.draw(&mut chance).ok_or_else(|| search.without_move())?;
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
