//! Whole games that an algorithm plays against itself, for [`super::compare`].

use super::contest::TIES;
use super::option::DEPTH;
use super::{Arguments, Command};
use crate::engine::simulate::LONGEST_GAME;
use crate::game::{Reasoner, Role, Utility};
use crate::repl::answer::{ComparedRun, Found, GameRecord, RunResult, SearchAnswer};
use crate::repl::{Answer, CommandError, Session};
use crate::rules::GroundTerm;
use crate::search::Stop;

/// A search with its options.
pub(super) struct Contestant {
    /// The name with options, as it was given.
    pub(super) name: String,
    pub(super) command: &'static Command,
    pub(super) arguments: Arguments,
}

impl Contestant {
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
            if self.command.has(&TIES) {
                arguments = arguments.with(TIES, String::new());
            }
        }
        (self.command.run)(session, &arguments)
    }
}

/// Plays games from the current position and then restores it. Each role searches for itself; of moves of equal value
/// one is drawn at random, as far as the algorithm reports them.
pub(super) fn play_games(
    session: &mut Session,
    contestant: &Contestant,
    games: u64,
    run: &mut ComparedRun,
) -> Result<(), CommandError> {
    if session.current()?.roles().len() < 2 {
        return Err(contestant.command.misused("a game against oneself needs two roles"));
    }
    let mut record = GameRecord::default();
    for _ in 0..games {
        let start = session.current()?.ply();
        let end = play_game(session, contestant, &mut record, run);
        let current = session.current()?;
        let plies = current.ply() - start;
        let utilities = end.and_then(|is_over| if is_over { utilities(session).map(Some) } else { Ok(None) });
        session.current()?.undo(plies);
        match utilities? {
            None => record.unfinished += 1,
            Some(utilities) => {
                let others = utilities[1..].iter().max().expect("there are two roles");
                match utilities[0].cmp(others) {
                    std::cmp::Ordering::Greater => record.wins += 1,
                    std::cmp::Ordering::Equal => record.draws += 1,
                    std::cmp::Ordering::Less => record.losses += 1,
                }
            }
        }
    }
    run.result = RunResult::Games(record);
    Ok(())
}

/// The goal values at the end of the game, without that of chance.
fn utilities(session: &mut Session) -> Result<Vec<Utility>, CommandError> {
    let (reasoner, state) = session.current()?.position();
    let roles: Vec<Role> = (0..reasoner.roles().len()).map(Role::new).collect();
    let players = roles.into_iter().filter(|role| reasoner.roles()[role.index()] != GroundTerm::symbol("random"));
    let players: Vec<Role> = players.collect();
    players.into_iter().map(|role| Ok(reasoner.goal(state, role)?)).collect()
}

/// Plays one game; returns whether it ended.
fn play_game(
    session: &mut Session,
    contestant: &Contestant,
    record: &mut GameRecord,
    run: &mut ComparedRun,
) -> Result<bool, CommandError> {
    for _ in 0..LONGEST_GAME {
        if session.current()?.is_over()? {
            return Ok(true);
        }
        let mut joint_moves = session.current()?.joint_moves()?;
        for role in joint_moves.choosing() {
            let name = session.current()?.roles()[role.index()].clone();
            let index = if name == GroundTerm::symbol("random") {
                session.random.index(joint_moves.legal(role).len())
            } else {
                record.searches += 1;
                let chosen = choose(session, contestant, &name, run)?;
                session.current()?.move_index(&joint_moves, role, &chosen).expect("a search returns a legal move")
            };
            joint_moves.choose(role, index);
        }
        session.current()?.play(joint_moves.current().to_vec())?;
    }
    Ok(false)
}

/// The move that a role makes after a search.
fn choose(
    session: &mut Session,
    contestant: &Contestant,
    role: &GroundTerm,
    run: &mut ComparedRun,
) -> Result<GroundTerm, CommandError> {
    let Answer::Search(answer) = contestant.search(session, Some(role), run.depth)? else {
        return Err(contestant.command.misused("this command does not choose moves"));
    };
    if answer.stopped == Some(Stop::Interrupted) {
        return Err(CommandError::Stopped { stop: Stop::Interrupted, cost: None });
    }
    run.add(&answer.cost);
    draw(session, &answer).ok_or_else(|| contestant.command.misused("this command does not choose moves"))
}

/// One of the moves that an answer recommends, at random by their probabilities.
fn draw(session: &mut Session, answer: &SearchAnswer) -> Option<GroundTerm> {
    match &answer.found {
        Found::Value { equals, .. } if !equals.is_empty() => Some(equals[session.random.index(equals.len())].clone()),
        Found::Value { chosen, .. } | Found::Deepened { chosen, .. } | Found::Expectation { chosen, .. } => {
            chosen.clone()
        }
        Found::Shares { line, .. } => Some(line.first()?.chosen.clone()),
        Found::Equilibrium { strategies, .. } => {
            let mut rest = (session.random.word() >> 11) as f64 / (1_u64 << 53) as f64;
            let moves = &strategies.first()?.moves;
            let drawn = moves.iter().find(|weighted| {
                rest -= weighted.probability;
                rest < 0.0
            });
            Some(drawn.or(moves.last())?.chosen.clone())
        }
        _ => None,
    }
}
