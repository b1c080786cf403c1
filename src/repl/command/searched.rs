//! `play`: makes the move that a search recommends, so that a person can play against it at the prompt.

use super::board::after;
use super::recommend::BEST;
use super::selfplay::draw;
use super::{Answers, Arguments, Command, Takes, find, named};
use crate::game::{JointMoves, Role};
use crate::limits::Stop;
use crate::repl::answer::Found;
use crate::repl::{Answer, CommandError, Session, read};
use crate::rules::GroundTerm;

pub(super) const PLAY: Command = Command {
    name: "play",
    operands: "SEARCH|random",
    options: &[],
    summary: "make the move that a search recommends to the role to move, or a random one; where several roles have a choice, for each of them",
    example: "play mcts --visits 500",
    takes: Takes::Command,
    answers: Answers::Nothing,
    run: play,
};

/// Who chooses the moves.
enum Mover {
    /// A search with its options.
    Search(&'static Command, Arguments),
    /// The generator of the session.
    Random,
}

fn play(session: &mut Session, arguments: &Arguments) -> Result<Answer, CommandError> {
    let mover = Mover::of(arguments)?;
    let mut joint_moves = session.current()?.joint_moves()?;
    let random = session.random.clone();
    if let Err(error) = mover.choose(session, &mut joint_moves) {
        session.random = random;
        return Err(error);
    }
    let position = after(session, |current| Ok(current.play(joint_moves.current().to_vec())?))?;
    Ok(Answer::Position(position))
}

impl Mover {
    /// Reads `mcts --visits 500`, or `mcts:visits=500` as in `compare`.
    fn of(arguments: &Arguments) -> Result<Self, CommandError> {
        let (word, options) = read::word(arguments.operands());
        match word {
            "" => Err(arguments.wrong("which search? `help others` and `help alone` list them")),
            "random" if options.is_empty() => Ok(Self::Random),
            "random" => Err(arguments.wrong("`random` has no options; `seed N` restarts its generator")),
            word if word.contains(':') && options.is_empty() => {
                let (command, spec) = named::search(word, &[], arguments.command())?;
                Ok(Self::Search(command, named::arguments(command, &spec)?))
            }
            word => {
                let command = find(word)?;
                if command.name != BEST.name {
                    named::search(command.name, &[], arguments.command())?;
                }
                let own = Arguments::read(command, options)?;
                match own.operands() {
                    "" => Ok(Self::Search(command, own)),
                    operands => Err(arguments.wrong(format!("the roles to move search, so leave out `{operands}`"))),
                }
            }
        }
    }

    /// Chooses a move for each role that has a choice; chance moves at random.
    fn choose(&self, session: &mut Session, joint_moves: &mut JointMoves) -> Result<(), CommandError> {
        for role in joint_moves.choosing() {
            let name = session.current()?.roles()[role.index()].clone();
            let index = match self {
                Self::Search(command, arguments) if !name.is_chance() => {
                    let chosen = recommended(session, command, arguments, &name)?;
                    session.current()?.move_index(joint_moves, role, &chosen).expect("a search returns a legal move")
                }
                _ => random_index(session, joint_moves, role),
            };
            joint_moves.choose(role, index);
        }
        Ok(())
    }
}

fn random_index(session: &mut Session, joint_moves: &JointMoves, role: Role) -> usize {
    session.random.index(joint_moves.legal(role).len())
}

/// The move that a search recommends to a role.
fn recommended(
    session: &mut Session,
    command: &'static Command,
    arguments: &Arguments,
    role: &GroundTerm,
) -> Result<GroundTerm, CommandError> {
    let mut arguments = arguments.clone();
    if command.takes == Takes::Role {
        arguments = arguments.with_operands(role.to_string());
    }
    let no_move = || PLAY.misused(format!("`{}` recommends no move", command.name));
    let answer = match (command.run)(session, &arguments)? {
        // An interrupted search makes no move, so that the position stays.
        answer if answer.stopped() == Some(Stop::Interrupted) => {
            return Err(CommandError::Stopped { stop: Stop::Interrupted, cost: None });
        }
        Answer::Best(best) => *best.answer,
        answer => answer,
    };
    match answer {
        Answer::Search(answer) => match &answer.found {
            Found::Plan { moves, .. } => moves.first().cloned().ok_or_else(no_move),
            Found::Move { chosen, .. } => Ok(chosen.clone()),
            _ => draw(&mut session.random, &answer).ok_or_else(no_move),
        },
        Answer::Solved(solved) => solved.first_move(role).ok_or_else(no_move),
        _ => Err(no_move()),
    }
}
