//! Choice of moves in a session by a search with its options, or at random: for games at the prompt (`tournament`,
//! `compare --selfplay`), and the command `play`, by which a person plays against a search.

use super::contest::{self, AskedTurn};
use super::moves::legal_here;
use super::play::play_line;
use super::recommend::BEST;
use super::show::position_after;
use super::solve::SolveAnswer;
use super::{ArgumentKind, Arguments, Command, named_search};
use crate::repl::answer::{BestAnswer, SearchAnswer, SearchFound};
use crate::repl::session::MatchStep;
use crate::repl::{Answer, CommandError, Session, read};
use gdl::limits::Stop;
use gdl::rules::GroundTerm;
use ggp_engine::simulate::LONGEST_GAME;
use ggp_game::{Chance, JointMoves, Move, OngoingGame, ReasonError, Reasoner, Role, Utility, play_to_end};
use ggp_play::ask::options::DEPTH;
use ggp_play::ask::{Algorithm, draw_equal, draw_strategy};
use ggp_search::{Cost, DeepenedChoice};

/// Chooser of the moves of a role.
pub(super) enum Mover {
    Search(NamedSearch),
    /// The generator of the session.
    Random,
}

/// The name of the mover without a search.
pub(super) const RANDOM: &str = "random";

/// A search that is named with its options, as the argument of another command.
#[derive(Clone)]
pub(super) struct NamedSearch {
    /// The name with options, as it is written in a list.
    pub(super) name: String,
    pub(super) command: &'static Command,
    pub(super) arguments: Arguments,
    /// The command whose argument it is.
    pub(super) argument_of: &'static Command,
}

/// Recommendation of a search at a turn.
pub(super) struct Recommendation {
    answer: Answer,
    /// The name of the role whose turn it is.
    role: GroundTerm,
}

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
            "" => Ok(Self::Search(NamedSearch { name: format!("{spec:#}"), command, arguments, argument_of })),
            operands => Err(argument_of.misused(format!("the roles to move search, so leave out `{operands}`"))),
        }
    }

    /// Its name with its options, as it is written in a list.
    pub(super) fn name(&self) -> String {
        match self {
            Self::Search(search) => search.name.clone(),
            Self::Random => RANDOM.to_string(),
        }
    }

    /// Chooses a move for each role that has a choice; chance moves at random.
    fn choose_all(&self, session: &mut Session, joint_moves: &mut JointMoves) -> Result<(), CommandError> {
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
        let is_chance = Role::chance(session.current()?.roles()) == Some(role);
        match self {
            Self::Search(search) if !is_chance => {
                let recommended = search.recommend(session, AskedTurn { role, depth: None, draws: false })?;
                let chosen = recommended.draw(&mut session.random).ok_or_else(|| search.without_move())?;
                Ok(session.current()?.move_index(joint_moves, role, &chosen).expect("a search returns a legal move"))
            }
            _ => Ok(session.random.index(joint_moves.legal(role).len())),
        }
    }
}

impl NamedSearch {
    /// Asks the search at a turn of a game. A search of several players is asked as it is; the others by their commands.
    ///
    /// # Errors
    /// Those of the search, and if it was interrupted: then no move is made.
    pub(super) fn recommend(&self, session: &mut Session, turn: AskedTurn) -> Result<Recommendation, CommandError> {
        let role = session.current()?.roles()[turn.role.index()].clone();
        let algorithm = Algorithm::ALL.into_iter().find(|algorithm| algorithm.name() == self.command.name);
        let answer = match algorithm {
            Some(algorithm) => contest::answer(session, algorithm, &self.arguments, Some(turn))?,
            None => self.run(session, Some(&role), turn.depth)?,
        };
        match answer.stopped() {
            // Ctrl-C takes the command back, so no move is made.
            Some(Stop::Interrupted) => Err(CommandError::Stopped { stop: Stop::Interrupted, cost: None }),
            _ => Ok(Recommendation { answer, role }),
        }
    }

    /// The answer of its command, for a role, by default the role to move, and to a depth, by default its own.
    pub(super) fn run(
        &self,
        session: &mut Session,
        role: Option<&GroundTerm>,
        depth: Option<u32>,
    ) -> Result<Answer, CommandError> {
        let mut arguments = self.arguments.clone();
        if let Some(depth) = depth {
            arguments = arguments.with(DEPTH, depth.to_string());
        }
        if let Some(role) = role
            && self.command.takes == ArgumentKind::Role
        {
            arguments = arguments.with_operands(role.to_string());
        }
        (self.command.run)(session, &arguments)
    }

    /// The error if it recommends no move.
    pub(super) fn without_move(&self) -> CommandError {
        self.argument_of.misused(format!("`{}` recommends no move", self.command.name))
    }
}

impl Recommendation {
    /// The cost of the search; zero if its answer has none.
    pub(super) fn cost(&self) -> Cost {
        self.answer.downcast_ref().map_or(Cost::default(), |answer: &SearchAnswer| answer.cost)
    }

    /// One of the moves that are recommended, at random by their probabilities; `None` if there is none.
    pub(super) fn draw(&self, random: &mut Chance) -> Option<GroundTerm> {
        let answer = self.answer.downcast_ref().map_or(&self.answer, |best: &BestAnswer| &best.answer);
        if let Some(solved) = answer.downcast_ref::<SolveAnswer>() {
            return solved.first_move(&self.role);
        }
        self.draw_found(&answer.downcast_ref::<SearchAnswer>()?.found, random)
    }

    fn draw_found(&self, found: &SearchFound, random: &mut Chance) -> Option<GroundTerm> {
        match found {
            SearchFound::Plan { plan, .. } => plan.moves.first().cloned(),
            SearchFound::Move { chosen, .. } => Some(chosen.clone()),
            SearchFound::Value { choice, .. }
            | SearchFound::Deepened { deepened: DeepenedChoice { choice, .. }, .. } => draw_equal(choice, random),
            SearchFound::Expectation { expectation, .. } => expectation.chosen.clone(),
            SearchFound::Sampled(choice) => Some(choice.chosen.clone()),
            SearchFound::Shares(shares) => {
                let own = shares.line.iter().find(|chosen| chosen.ply == 1 && chosen.role == self.role)?;
                Some(own.chosen.clone())
            }
            SearchFound::Equilibrium { equilibrium, .. } => draw_strategy(equilibrium, &self.role, random),
            SearchFound::Strategies(found) => found.draw(random),
            _ => None,
        }
    }
}

/// A game that has been played.
pub(super) struct FinishedGame {
    /// The joint moves, each as a line of the prompt.
    pub(super) moves: Vec<String>,
    /// The goal values of the roles except chance, in their order, each an error if the rules give none or several;
    /// `None` if the game was abandoned because it was too long.
    pub(super) utilities: Option<Vec<Result<Utility, ReasonError>>>,
}

/// Plays from the current position, and then restores it. `choose` is asked for the index of the move of each role that
/// has a choice, also of chance.
///
/// # Errors
/// Those of `choose` and of the rules.
pub(super) fn play_out(
    session: &mut Session,
    choose: impl FnMut(&mut Session, Role, &JointMoves) -> Result<usize, CommandError>,
) -> Result<FinishedGame, CommandError> {
    let start = session.current()?.ply();
    let mut game = SessionGame { session, choose };
    let ended = play_to_end(&mut game, LONGEST_GAME);
    let utilities = ended.and_then(|is_over| if is_over { utilities(session).map(Some) } else { Ok(None) });
    let moves: Vec<String> = session.current()?.steps()[start..].iter().map(MatchStep::line).collect();
    // The match is restored before an error of the goal values is returned.
    session.current()?.retract(moves.len());
    Ok(FinishedGame { moves, utilities: utilities? })
}

/// The goal values at the end of the game, without that of chance.
fn utilities(session: &mut Session) -> Result<Vec<Result<Utility, ReasonError>>, CommandError> {
    let (reasoner, state) = session.current()?.position();
    let players: Vec<Role> = Role::players(reasoner.roles()).collect();
    let mut found = Vec::new();
    for role in players {
        match reasoner.goal(state, role) {
            // A limit is no property of the rules: it ends the game.
            Err(error) if error.stop().is_some() => return Err(error.into()),
            utility => found.push(utility),
        }
    }
    Ok(found)
}

struct SessionGame<'a, F> {
    session: &'a mut Session,
    choose: F,
}

impl<F: FnMut(&mut Session, Role, &JointMoves) -> Result<usize, CommandError>> OngoingGame for SessionGame<'_, F> {
    type Error = CommandError;

    fn is_over(&mut self) -> Result<bool, CommandError> {
        Ok(self.session.current()?.is_over()?)
    }

    fn joint_moves(&mut self) -> Result<JointMoves, CommandError> {
        self.session.current()?.joint_moves()
    }

    fn choose(&mut self, role: Role, joint_moves: &JointMoves) -> Result<usize, CommandError> {
        (self.choose)(self.session, role, joint_moves)
    }

    fn advance(&mut self, joint_move: &[Move]) -> Result<(), CommandError> {
        Ok(self.session.current()?.play(joint_move.to_vec())?)
    }
}

pub(super) const PLAY: Command = Command {
    name: "play",
    operands: "SEARCH|random|MOVE…",
    summary: "make the move that a search recommends to the role to move, or a random move; if several roles have a choice, a move for each of them",
    example: "play mcts --visits 500",
    takes: ArgumentKind::Command,
    plays_openly: true,
    ..Command::run_by(play)
};

fn play(session: &mut Session, arguments: &Arguments) -> Result<Answer, CommandError> {
    let mover = match Mover::from_arguments(arguments) {
        Ok(mover) => mover,
        // Whoever types moves here wants them made.
        Err(_) if legal_here(session, arguments.operands()).is_some() && !arguments.operands().is_empty() => {
            return play_line(session, arguments.operands());
        }
        Err(error) => return Err(error),
    };
    let mut joint_moves = session.current()?.joint_moves()?;
    let random = session.random.clone();
    if let Err(error) = mover.choose_all(session, &mut joint_moves) {
        session.random = random;
        return Err(error);
    }
    let position = position_after(session, |current| Ok(current.play(joint_moves.current().to_vec())?))?;
    Ok(Answer::new(position))
}
