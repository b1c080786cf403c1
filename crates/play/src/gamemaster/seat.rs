//! A seat at the table: it follows a match by the moves that the manager reports, and lets a player choose when its role
//! is in control.

use super::MatchStart;
use crate::{Deadline, LastTurn, Player, PlayerError, PlayerSpec, Position, Start, Thought, WorkGroup};
use gdl::limits::Limits;
use gdl::rules::GroundTerm;
use gdl::syntax::{Dialect, Source};
use ggp_engine::{EngineKind, EngineOptions, Game, LoadError, load_text};
use ggp_game::{Chance, ReasonError, Reasoner, Role, Utility};
use std::sync::Arc;
use std::time::Duration;

/// A match in progress. The moves that are chosen are legal, whatever the player does.
pub struct ManagerSeat {
    game: Arc<Game>,
    player: Box<dyn Player>,
    position: Position,
    /// The joint moves that the player does not know yet.
    untold: Vec<Vec<GroundTerm>>,
    /// The number of moves so far.
    plies: usize,
    /// Draws a move where the player has none.
    chance: Chance,
    /// Why the player could not prepare, if so.
    fault: Option<String>,
}

/// The turn after a move.
#[derive(Clone, Debug, PartialEq, Eq, serde::Serialize)]
pub struct SeatTurn {
    /// The role in control; `None` if the game is over.
    pub control: Option<GroundTerm>,
    /// True if that is the role of the seat, which has to choose.
    pub is_own: bool,
    /// The legal moves of the role of the seat if it has to choose, in canonical order.
    pub legal: Vec<GroundTerm>,
    /// The utilities of all roles if the game is over; `None` for a role to which the rules give none.
    pub utilities: Option<Vec<Option<Utility>>>,
}

/// A move with what the player says of it.
#[derive(Clone, Debug, serde::Serialize)]
pub struct SeatChoice {
    /// The move, which is legal.
    #[serde(rename = "move")]
    pub chosen: GroundTerm,
    /// What the search found, if the player searched.
    pub thought: Option<Thought>,
    /// Why another move was made than the player's, if so.
    pub fault: Option<String>,
}

/// The reason for which a message cannot be answered.
#[derive(Debug, thiserror::Error)]
pub enum SeatError {
    /// The sheet cannot be read.
    #[error(transparent)]
    Load(#[from] LoadError),
    /// The sheet has no such role.
    #[error("the game has no role {0}")]
    Role(GroundTerm),
    /// The sheet is not one in which a role at a time is in control.
    #[error("this is no sheet with operations")]
    NoOperations,
    /// The reported move does not fit the position, which stays as it was.
    #[error("the message does not fit the position: {0}")]
    Misfit(String),
    /// It is not the turn of the role.
    #[error("another role is in control")]
    NotInControl,
    /// The engine has no answer.
    #[error(transparent)]
    Reason(#[from] ReasonError),
    /// The player could not be started.
    #[error(transparent)]
    Player(#[from] PlayerError),
}

impl ManagerSeat {
    /// The network is built in the start clock divided by this; the player needs the rest.
    const SHARE_FOR_ENGINE: u32 = 2;
    /// The time of a player for a move of another role: it has none to choose.
    const NOTICE: Duration = Duration::from_millis(100);

    /// Begins a match: loads the sheet, sets up its engine, and lets a player prepare until the deadline.
    ///
    /// # Errors
    /// If the sheet cannot be read, or has no such role. A player that cannot prepare is no error.
    pub fn open(start: &MatchStart, player: &PlayerSpec, seed: u64, deadline: Deadline) -> Result<Self, SeatError> {
        let source = Source::new("rules", start.sheet.as_str());
        let options = EngineOptions { is_lenient: true, ..EngineKind::Auto.into() };
        let mut game = load_text("match".to_string(), source, Some(Dialect::Operations), options)?;
        let role = game.roles().iter().position(|role| *role == start.role).map(Role::new);
        let role = role.ok_or_else(|| SeatError::Role(start.role.clone()))?;
        if game.rules.operations.is_none() {
            return Err(SeatError::NoOperations);
        }
        let end = Deadline::after(deadline.remaining() / Self::SHARE_FOR_ENGINE);
        game.set_limits(Limits::new().with_deadline(end));
        // Without a network the interpreter plays.
        _ = game.engine();
        game.set_limits(Limits::new());
        let start = Start {
            match_id: "match".to_string(),
            game: Arc::new(game),
            role,
            clocks: start.clocks,
            interrupt: Arc::default(),
            works: WorkGroup::default(),
        };
        let position = Position::initial(&start)?;
        let mut player = player.make(seed);
        let fault = player.start(&start, deadline).err().map(|error| error.to_string());
        let chance = Chance::new(seed);
        Ok(Self { game: start.game, player, position, untold: Vec::new(), plies: 0, chance, fault })
    }

    /// The role of the seat.
    pub fn role(&self) -> &GroundTerm {
        &self.game.roles()[self.position.role.index()]
    }

    /// The game.
    pub fn game(&self) -> &Game {
        &self.game
    }

    /// The name of the engine that plays.
    pub fn engine(&self) -> &'static str {
        self.position.engine.kind().name()
    }

    /// Why the player could not prepare, if so.
    pub fn fault(&self) -> Option<&str> {
        self.fault.as_deref()
    }

    /// Follows the move of the role in control; `None` at the first turn, which may be asked for again.
    ///
    /// # Errors
    /// If the move does not fit the position, which then stays as it is.
    pub fn follow(&mut self, last: Option<&GroundTerm>) -> Result<SeatTurn, SeatError> {
        match last {
            Some(chosen) => self.advance(chosen)?,
            None if self.plies > 0 => return Err(SeatError::Misfit(format!("no move after {} moves", self.plies))),
            None => {}
        }
        let turn = self.turn()?;
        if turn.control.is_some() && !turn.is_own {
            // The player is told now, while others think; a mistake of it shows when it has to choose.
            _ = self.ask_player(Deadline::after(Self::NOTICE));
        }
        Ok(turn)
    }

    /// The player's move, or a random one if it has none. The deadline is that of the answer.
    ///
    /// # Errors
    /// If the role of the seat is not in control.
    pub fn choose(&mut self, deadline: Deadline) -> Result<SeatChoice, SeatError> {
        let SeatTurn { is_own: true, legal, .. } = self.turn()? else { return Err(SeatError::NotInControl) };
        let fault = match self.ask_player(deadline) {
            Ok(chosen) if legal.contains(&chosen) => {
                let thought = self.player.thought();
                let fault = self.player.stood_in().then(|| "no search chose a move in time".to_string());
                return Ok(SeatChoice { chosen, thought, fault });
            }
            Ok(chosen) => format!("the player chose {chosen}, which is not legal"),
            Err(error) => error.to_string(),
        };
        let chosen = legal[self.chance.below(legal.len())].clone();
        Ok(SeatChoice { chosen, thought: None, fault: Some(fault) })
    }

    /// The utilities after the last move.
    ///
    /// # Errors
    /// As [`ManagerSeat::follow`].
    pub fn stop(&mut self, last: Option<&GroundTerm>) -> Result<SeatTurn, SeatError> {
        last.map_or(Ok(()), |chosen| self.advance(chosen))?;
        self.player.abort();
        self.turn()
    }

    /// Makes the joint move in which the role in control makes this move and the others wait.
    fn advance(&mut self, chosen: &GroundTerm) -> Result<(), SeatError> {
        let misfit = |error: PlayerError| SeatError::Misfit(error.to_string());
        let control = self.control()?.ok_or_else(|| misfit(PlayerError::Over))?;
        let waits = self.game.rules.idle_move().unwrap_or_else(|| chosen.clone());
        let roles = 0..self.game.roles().len();
        let joint_move: Vec<_> =
            roles.map(|role| if role == control.index() { chosen.clone() } else { waits.clone() }).collect();
        self.position.advance(&joint_move).map_err(misfit)?;
        self.untold.push(joint_move);
        self.plies += 1;
        Ok(())
    }

    /// The role in control: the one that may do more than wait. `None` if the game is over.
    fn control(&mut self) -> Result<Option<Role>, SeatError> {
        let Position { engine, state, .. } = &mut self.position;
        if engine.is_terminal(state)? {
            return Ok(None);
        }
        let mut moves = Vec::new();
        for role in (0..engine.roles().len()).map(Role::new) {
            engine.legal_moves(state, role, &mut moves)?;
            if moves.iter().any(|&chosen| !self.game.rules.is_idle(&engine.move_term(chosen))) {
                return Ok(Some(role));
            }
        }
        Ok(None)
    }

    fn turn(&mut self) -> Result<SeatTurn, SeatError> {
        let control = self.control()?;
        let is_own = control == Some(self.position.role);
        let Position { engine, state, legal, .. } = &mut self.position;
        let legal = if is_own { legal.iter().map(|&chosen| engine.move_term(chosen)).collect() } else { Vec::new() };
        let utilities = match engine.is_terminal(state)? {
            true => Some((0..engine.roles().len()).map(|role| engine.goal(state, Role::new(role)).ok()).collect()),
            false => None,
        };
        let control = control.map(|role| self.game.roles()[role.index()].clone());
        Ok(SeatTurn { control, is_own, legal, utilities })
    }

    /// Tells the player the joint moves that it does not know, and asks it for a move.
    fn ask_player(&mut self, deadline: Deadline) -> Result<GroundTerm, PlayerError> {
        let mut untold = std::mem::take(&mut self.untold);
        let last = untold.pop();
        self.player.follow(&untold)?;
        self.player.play(&LastTurn::JointMove(last), deadline)
    }
}
