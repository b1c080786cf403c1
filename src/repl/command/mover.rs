//! Who chooses moves in a session: a search with its options, or the generator of random numbers.

use super::named_search;
use super::recommend::BEST;
use super::selfplay::draw;
use super::{ArgumentKind, Arguments, Command};
use crate::ask::SearchSpec;
use crate::game::{JointMoves, Role};
use crate::limits::Stop;
use crate::repl::answer::{BestAnswer, Found, SearchAnswer, SolveAnswer};
use crate::repl::{CommandError, Session, read};
use crate::rules::GroundTerm;

/// Who chooses the moves of a role.
pub(super) enum Mover {
    /// A search with its options.
    Search {
        /// Its name with its options.
        spec: SearchSpec,
        /// Its command.
        command: &'static Command,
        /// Its options.
        arguments: Arguments,
        /// The command whose argument it is.
        argument_of: &'static Command,
    },
    /// The generator of the session.
    Random,
}

/// The name of the mover without a search.
pub(super) const RANDOM: &str = "random";

impl Mover {
    /// Reads `random`, or a search named with its options, as the argument of a command.
    ///
    /// # Errors
    /// If it is no search that chooses moves, or has no such options.
    pub(super) fn read(text: &str, argument_of: &'static Command) -> Result<Self, CommandError> {
        if text == RANDOM { Ok(Self::Random) } else { Self::search(text, "", argument_of) }
    }

    /// Reads the operands of a command: `random`, `mcts --visits 500`, or `mcts:visits=500`.
    ///
    /// # Errors
    /// As [`Mover::read`].
    pub(super) fn from_arguments(arguments: &Arguments) -> Result<Self, CommandError> {
        match read::word(arguments.operands()) {
            ("", _) => Err(arguments.wrong("which search? `help others` and `help alone` list them")),
            (RANDOM, "") => Ok(Self::Random),
            (RANDOM, _) => Err(arguments.wrong("`random` has no options; `seed N` restarts its generator")),
            (word, options) => Self::search(word, options, arguments.command()),
        }
    }

    /// Reads a search named with its options, and the options of its command that follow.
    fn search(text: &str, options: &str, argument_of: &'static Command) -> Result<Self, CommandError> {
        let command = named_search::command(text)?;
        if !named_search::is_search(command) && command.name != BEST.name {
            return Err(argument_of.misused(format!("`{}` is not a search", command.name)));
        }
        let spec = named_search::spec(command, text, &[])?;
        let arguments = named_search::arguments(command, &spec, options)?;
        match arguments.operands() {
            "" => Ok(Self::Search { spec, command, arguments, argument_of }),
            operands => Err(argument_of.misused(format!("the roles to move search, so leave out `{operands}`"))),
        }
    }

    /// Its name with its options, as it is written in a list.
    pub(super) fn name(&self) -> String {
        match self {
            Self::Search { spec, .. } => format!("{spec:#}"),
            Self::Random => RANDOM.to_string(),
        }
    }

    /// Chooses a move for each role that has a choice; chance moves at random.
    pub(super) fn choose_all(&self, session: &mut Session, joint_moves: &mut JointMoves) -> Result<(), CommandError> {
        for role in joint_moves.choosing() {
            let index = self.choose(session, role, joint_moves)?;
            joint_moves.choose(role, index);
        }
        Ok(())
    }

    /// The index of the move that a role makes; chance moves at random.
    pub(super) fn choose(
        &self,
        session: &mut Session,
        role: Role,
        joint_moves: &JointMoves,
    ) -> Result<usize, CommandError> {
        let name = session.current()?.roles()[role.index()].clone();
        match self {
            Self::Search { command, arguments, argument_of, .. } if !name.is_chance() => {
                let no_move = || argument_of.misused(format!("`{}` recommends no move", command.name));
                let chosen = recommended(session, command, arguments, &name)?.ok_or_else(no_move)?;
                Ok(session.current()?.move_index(joint_moves, role, &chosen).expect("a search returns a legal move"))
            }
            _ => Ok(session.random.index(joint_moves.legal(role).len())),
        }
    }
}

/// The move that a search recommends to a role, if it recommends one.
fn recommended(
    session: &mut Session,
    command: &'static Command,
    arguments: &Arguments,
    role: &GroundTerm,
) -> Result<Option<GroundTerm>, CommandError> {
    let mut arguments = arguments.clone();
    if command.takes == ArgumentKind::Role {
        arguments = arguments.with_operands(role.to_string());
    }
    let answer = (command.run)(session, &arguments)?;
    // An interrupted search makes no move, so that the position stays.
    if answer.stopped() == Some(Stop::Interrupted) {
        return Err(CommandError::Stopped { stop: Stop::Interrupted, cost: None });
    }
    let answer = answer.downcast_ref().map_or(&answer, |best: &BestAnswer| &best.answer);
    if let Some(solved) = answer.downcast_ref::<SolveAnswer>() {
        return Ok(solved.first_move(role));
    }
    let Some(search) = answer.downcast_ref::<SearchAnswer>() else { return Ok(None) };
    Ok(match &search.found {
        Found::Plan { plan, .. } => plan.moves.first().cloned(),
        Found::Move { chosen, .. } => Some(chosen.clone()),
        _ => draw(&mut session.random, search),
    })
}
