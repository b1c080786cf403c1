//! Translation validation of decisive moves: the program with them plays at random, and in each state the game's own
//! program must have the same end, goals and next state, and the moves must be legal in it.

use crate::program::{
    ComparedOutput, Deviation, FluentStorage, FormDifference, Program, ROUNDS, ReferencePlay, SampledPly,
    SampledStates, WordSimulation,
};
use gdl::limits::{Poll, Stop};

/// The first difference between random play in a program with decisive moves and play of the game, in 4,096 states.
///
/// # Errors
/// If the limits end the work.
pub(super) fn difference(
    program: &Program,
    decisive: &Program,
    poll: &Poll<'_>,
) -> Result<Option<FormDifference>, Stop> {
    let mut play = ReferencePlay::new(decisive, SampledStates::OfPlay);
    let mut game = WordSimulation::from_program(program);
    for _ in 0..ROUNDS {
        let plies = play.round(poll)?;
        for (sample, ply) in plies.iter().enumerate() {
            if let Some((what, games)) = deviating(program, &mut game, ply, poll)? {
                let deviation = Deviation { what, sample, lane: games.trailing_zeros() };
                return Ok(Some(deviation.described(decisive, &plies)));
            }
        }
    }
    Ok(None)
}

/// An output in which the game differs from a ply of 64 games, and the games in which it does.
fn deviating(
    program: &Program,
    game: &mut WordSimulation,
    ply: &SampledPly,
    poll: &Poll<'_>,
) -> Result<Option<(ComparedOutput, u64)>, Stop> {
    let mut fluents = vec![0; program.facts.len()];
    program.fact_of.iter().zip(&ply.state).for_each(|(&fact, &word)| fluents[fact as usize] = word);
    game.represent(&mut fluents);
    game.enter(&fluents, poll)?;
    let state = deviating_in_state(program, game, ply);
    if state.is_some() {
        return Ok(state);
    }
    let mut made = vec![0; program.moves.len()];
    ply.made.iter().for_each(|&(chosen, games)| made[chosen] = games);
    game.advance(&made, poll)?;
    let goes_on = !ply.terminal & !ply.stuck_games();
    let own = program.facts.iter().zip(0..).filter(|((_, storage), _)| *storage == FluentStorage::Own);
    let mut bits = own.zip(&ply.next).enumerate();
    Ok(bits.find_map(|(bit, ((_, fact), next))| {
        let games = (game.next(fact) ^ next) & goes_on;
        (games != 0).then_some((ComparedOutput::Next(bit), games))
    }))
}

/// The end, the goals, the legal moves and the roles without any, in the state that the game has entered.
fn deviating_in_state(program: &Program, game: &WordSimulation, ply: &SampledPly) -> Option<(ComparedOutput, u64)> {
    let goes_on = !ply.terminal;
    let terminal = (ComparedOutput::Terminal, game.word(game.outputs.terminal) ^ ply.terminal);
    let goals = game.outputs.goals.iter().zip(&ply.goals).enumerate();
    let goals = goals.map(|(goal, (&wire, &word))| (ComparedOutput::Goal(goal), game.word(wire) ^ word));
    let legal = ply.legal.iter();
    let legal = legal.map(|&(chosen, games)| (ComparedOutput::Legal(chosen), games & !game.legal(chosen) & goes_on));
    let mut stuck = vec![u64::MAX; program.roles.len()];
    (0..program.moves.len()).for_each(|chosen| stuck[program.moves[chosen].role.index()] &= !game.legal(chosen));
    let stuck = stuck.iter().zip(&ply.stuck).enumerate();
    let stuck = stuck.map(|(role, (game, ply))| (ComparedOutput::Choice(role), (game ^ ply) & goes_on));
    std::iter::once(terminal).chain(goals).chain(legal).chain(stuck).find(|&(_, games)| games != 0)
}
