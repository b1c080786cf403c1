//! Translation validation of decisive moves: the program with them plays at random, and in each state the game's own
//! program must have the same end, goals and next state, and the moves must be legal in it.

use crate::limits::{Poll, Stop};
use crate::program::{FluentStorage, Program, ROUNDS, ReferencePlay, SampledPly, SampledStates, WordSimulation};

/// Whether random play in a program with decisive moves is play of the game, in 4,096 states.
///
/// # Errors
/// If the limits end the work.
pub(super) fn is_same_game(program: &Program, decisive: &Program, poll: &Poll<'_>) -> Result<bool, Stop> {
    let mut play = ReferencePlay::new(decisive, SampledStates::OfPlay);
    let mut game = WordSimulation::from_program(program);
    for _ in 0..ROUNDS {
        for ply in play.round(poll)? {
            if !agrees(program, &mut game, &ply, poll)? {
                return Ok(false);
            }
        }
    }
    Ok(true)
}

/// Whether the game has the states, ends and moves of a ply of 64 games.
fn agrees(program: &Program, game: &mut WordSimulation, ply: &SampledPly, poll: &Poll<'_>) -> Result<bool, Stop> {
    let mut fluents = vec![0; program.facts.len()];
    program.fact_of.iter().zip(&ply.state).for_each(|(&fact, &word)| fluents[fact as usize] = word);
    game.represent(&mut fluents);
    game.enter(&fluents, poll)?;
    let goes_on = !ply.terminal;
    let goals = game.outputs.goals.iter().zip(&ply.goals).all(|(&goal, &word)| game.word(goal) == word);
    let mut stuck = vec![u64::MAX; program.roles.len()];
    (0..program.moves.len()).for_each(|chosen| stuck[program.moves[chosen].role.index()] &= !game.legal(chosen));
    let moves = ply.legal.iter().all(|&(chosen, games)| games & !game.legal(chosen) & goes_on == 0);
    let has_moves = stuck.iter().zip(&ply.stuck).all(|(game, ply)| (game ^ ply) & goes_on == 0);
    if game.word(game.outputs.terminal) != ply.terminal || !goals || !moves || !has_moves {
        return Ok(false);
    }
    let mut made = vec![0; program.moves.len()];
    ply.made.iter().for_each(|&(chosen, games)| made[chosen] = games);
    game.advance(&made, poll)?;
    let goes_on = goes_on & !ply.is_stuck();
    let own = program.facts.iter().zip(0..).filter(|((_, storage), _)| *storage == FluentStorage::Own);
    Ok(own.zip(&ply.next).all(|((_, fact), next)| (game.next(fact) ^ next) & goes_on == 0))
}
