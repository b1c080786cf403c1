//! One match: the arena asks the players turn by turn, enforces their clocks, and records everything.

use super::record::goal_value;
use super::{Clocks, Deadline, FallbackSource, Fault, LastTurn, MatchRecord, PlayerError, Seat, Start, WorkGroup};
use crate::ask::PredictorError;
use crate::log;
use gdl::diagnostic::Diagnostic;
use gdl::limits::Stop;
use gdl::rules::GroundTerm;
use gdl::syntax::{CHANCE, Source};
use gdl::time::SystemTime;
use ggp_engine::{Engine, EngineState, Game};
use ggp_game::{Chance, JointMoves, Move, OngoingGame, ReasonError, Reasoner, Role, Utility, play_to_end};
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::Duration;

/// A match to be played.
#[derive(Clone)]
pub struct Arena {
    /// The identifier of the match.
    pub match_id: String,
    /// The game, with its engine set up.
    pub game: Arc<Game>,
    /// The thinking time of the players.
    pub clocks: Clocks,
    /// The seed of the moves of chance: those of the role `random`, and those made for players that return none.
    pub seed: u64,
    /// Abandons the match if a player is busy or unreachable at the start; otherwise random moves are made for it.
    pub needs_all: bool,
    /// The match is abandoned after this number of joint moves.
    pub longest: usize,
    /// Setting this flag abandons the match.
    pub interrupt: Arc<AtomicBool>,
}

/// An error that prevents a match, or ends it.
#[derive(Debug, thiserror::Error)]
pub enum MatchError {
    /// The number of players differs from the number of roles.
    #[error("the game has {roles} roles for players, and there are {players} players")]
    Players {
        /// The number of roles without `random`.
        roles: usize,
        /// The number of given players.
        players: usize,
    },
    /// The engine has no answer.
    #[error(transparent)]
    Reason(#[from] ReasonError),
    /// A sheet or a file that the options of a player name cannot be added to the game.
    #[error("{player}: {error}")]
    Player {
        /// The player with its options.
        player: String,
        /// The error of the sheet or the file.
        error: Box<PlayerError>,
    },
    /// A player is busy or unreachable, and all players are required.
    #[error("{player} does not take part: {fault}")]
    Absent {
        /// The name of the player.
        player: String,
        /// The fault at the start.
        fault: Box<Fault>,
    },
    /// The flag was set; the record covers the match so far and is marked as aborted.
    #[error("interrupted")]
    Interrupted(Box<MatchRecord>),
}

impl MatchError {
    /// The text of a sheet that a player names and the problems in it, if these prevent the match.
    pub fn problems(&self) -> Option<(&Source, &[Diagnostic])> {
        let Self::Player { error, .. } = self else { return None };
        match &**error {
            PlayerError::Evaluation(error) | PlayerError::Predictor(PredictorError::Evaluation(error)) => {
                error.problems()
            }
            _ => None,
        }
    }
}

/// A state of a match that has just been reached.
pub struct ReachedPosition<'a> {
    /// The identifier of the match.
    pub match_id: &'a str,
    /// The number of joint moves so far.
    pub ply: usize,
    /// The roles, in their order.
    pub roles: &'a [GroundTerm],
    /// The facts of the state, in canonical order.
    pub facts: &'a [GroundTerm],
    /// The joint move that led to it; `None` at the start.
    pub joint_move: Option<&'a [GroundTerm]>,
    /// The goal values of the roles, if the game is over; `None` for a role that has none.
    pub goal_values: Option<&'a [Option<Utility>]>,
}

/// A match in progress.
struct OngoingMatch<'a> {
    arena: &'a Arena,
    spectator: &'a mut dyn FnMut(&ReachedPosition<'_>),
    engine: Engine,
    state: EngineState,
    chance: Chance,
    seats: &'a mut [Seat],
    /// The role of each seat.
    roles: Vec<Role>,
    record: MatchRecord,
    /// The fault of each role in the current turn, as [`Fault::code`] writes it; empty if there is none.
    faults: Vec<String>,
    /// The last joint move; the players get it with the next question.
    last: LastTurn,
    /// All joint moves so far.
    played: Vec<Vec<Move>>,
    /// The end of the time for the current turn.
    deadline: Deadline,
}

/// Why a match does not go on.
enum Halt {
    /// It cannot.
    Error(MatchError),
    /// A person takes the last move of a role back.
    TakenBack(Role),
}

impl From<MatchError> for Halt {
    fn from(error: MatchError) -> Self {
        Self::Error(error)
    }
}

impl From<ReasonError> for Halt {
    fn from(error: ReasonError) -> Self {
        Self::Error(error.into())
    }
}

/// The longest time in which players prepare again after moves were taken back.
const RESTART_TIME: Duration = Duration::from_secs(1);

impl Arena {
    /// The default for [`Arena::longest`], in joint moves.
    pub const LONGEST: usize = 10_000;

    /// A match named after the game and the seed. Nothing interrupts it, and players that do not answer get random
    /// moves.
    pub fn new(game: Arc<Game>, clocks: Clocks, seed: u64) -> Self {
        let match_id = format!("{}.{seed}", game.name);
        Self { match_id, game, clocks, seed, needs_all: false, longest: Self::LONGEST, interrupt: Arc::default() }
    }

    /// Plays the match between players in the order of the roles; the role `random` has no player and makes each of its
    /// moves with the same probability.
    ///
    /// If a player returns no legal move in time, a random one is made for it, and its fault is recorded. The record
    /// says whether the match ended.
    ///
    /// # Errors
    /// If the number of players does not fit, the rules give no answer, a required player does not take part, or the
    /// flag is set; the players have then been told that the match is abandoned.
    pub fn play(&self, seats: &mut [Seat]) -> Result<MatchRecord, MatchError> {
        self.play_before(seats, &mut |_| {})
    }

    /// As [`Arena::play`], with a spectator, who is shown each state when it is reached. No clock runs until the
    /// spectator returns.
    pub(crate) fn play_before(
        &self,
        seats: &mut [Seat],
        spectator: &mut dyn FnMut(&ReachedPosition<'_>),
    ) -> Result<MatchRecord, MatchError> {
        let mut engine = self.game.fork_engine();
        let roles: Vec<Role> = Role::players(engine.roles()).collect();
        if roles.len() != seats.len() {
            return Err(MatchError::Players { roles: roles.len(), players: seats.len() });
        }
        let mut ongoing = OngoingMatch {
            arena: self,
            spectator,
            state: engine.initial_state()?,
            chance: Chance::new(self.seed),
            record: self.empty_record(&engine, &roles, seats),
            faults: vec![String::new(); engine.roles().len()],
            engine,
            seats,
            roles,
            last: LastTurn::FIRST,
            played: Vec::new(),
            deadline: Deadline::after(self.clocks.start),
        };
        let Err(error) = ongoing.run() else { return Ok(ongoing.record) };
        // Whatever the error is, the players have to end.
        ongoing.abort();
        match error {
            MatchError::Reason(ReasonError::Stopped(Stop::Interrupted)) => {
                Err(MatchError::Interrupted(Box::new(ongoing.record)))
            }
            error => Err(error),
        }
    }

    /// An error if the flag is set.
    fn go_on(&self) -> Result<(), ReasonError> {
        if self.interrupt.load(Ordering::Relaxed) { Err(ReasonError::Stopped(Stop::Interrupted)) } else { Ok(()) }
    }

    fn empty_record(&self, engine: &Engine, roles: &[Role], seats: &[Seat]) -> MatchRecord {
        let mut names = vec![CHANCE.to_string(); engine.roles().len()];
        for (role, seat) in roles.iter().zip(seats) {
            names[role.index()] = seat.name().to_string();
        }
        MatchRecord::new(&self.match_id, &self.game.name, engine.roles(), names, self.clocks)
    }
}

impl OngoingMatch<'_> {
    fn run(&mut self) -> Result<(), MatchError> {
        self.record.push_state(&self.engine.facts(&self.state), SystemTime::now());
        self.start()?;
        if !self.engine.is_terminal(&self.state)? {
            self.show(None, None);
        }
        loop {
            match play_to_end(self, self.arena.longest) {
                Ok(true) => return self.stop(),
                Ok(false) => {
                    self.abort();
                    return Ok(());
                }
                Err(Halt::TakenBack(role)) => self.take_back(role)?,
                Err(Halt::Error(error)) => return Err(error),
            }
        }
    }

    /// Goes back to the last state but the current one in which a role had a choice; to the first state if there is none.
    fn take_back(&mut self, role: Role) -> Result<(), MatchError> {
        let mut state = self.engine.initial_state()?;
        let mut back = (0, state.clone());
        for (ply, joint_move) in self.played.iter().enumerate() {
            if JointMoves::in_state(&mut self.engine, &state)?.legal(role).len() > 1 {
                back = (ply, state.clone());
            }
            state = self.engine.next_state(&state, joint_move)?;
        }
        let plies = back.0;
        self.state = back.1;
        self.played.truncate(plies);
        self.record.take_back_to(plies);
        // The position of the players is that of the moves that stay, so there is no last move to tell them.
        self.last = LastTurn::FIRST;
        self.start_seats(self.arena.clocks.start.min(RESTART_TIME))?;
        self.take_faults();
        let deadline = Deadline::after(RESTART_TIME);
        let terms: Vec<Vec<GroundTerm>> = self.played.iter().map(|joint_move| self.terms(joint_move)).collect();
        self.seats.iter_mut().for_each(|seat| seat.follow(terms.clone()));
        for seat in &mut *self.seats {
            // A player that cannot follow makes no legal moves, which is a fault then.
            let _ = seat.answer(deadline, &self.arena.interrupt);
        }
        self.show(None, None);
        Ok(())
    }

    fn terms(&self, joint_move: &[Move]) -> Vec<GroundTerm> {
        joint_move.iter().map(|&chosen| self.engine.move_term(chosen)).collect()
    }

    /// Tells all players that the match is abandoned.
    fn abort(&mut self) {
        self.seats.iter_mut().for_each(Seat::abort);
        self.record.is_aborted = true;
    }

    /// Shows the state that has been reached to the spectator.
    fn show(&mut self, joint_move: Option<&[GroundTerm]>, goal_values: Option<&[Option<Utility>]>) {
        (self.spectator)(&ReachedPosition {
            match_id: &self.arena.match_id,
            ply: self.record.moves.len(),
            roles: self.engine.roles(),
            facts: &self.engine.facts(&self.state),
            joint_move,
            goal_values,
        });
    }

    /// Tells all players that the match begins.
    fn start(&mut self) -> Result<(), MatchError> {
        self.start_seats(self.arena.clocks.start)?;
        let faults = self.take_faults();
        self.record.push_start(faults);
        Ok(())
    }

    /// Starts all players, which have this time to prepare, and notes their faults.
    fn start_seats(&mut self, time: Duration) -> Result<(), MatchError> {
        let Arena { match_id, game, clocks, interrupt, .. } = self.arena;
        let deadline = Deadline::after(time);
        for (seat, &role) in self.seats.iter_mut().zip(&self.roles) {
            let start = Start {
                match_id: match_id.clone(),
                game: game.clone(),
                role,
                clocks: *clocks,
                interrupt: interrupt.clone(),
                works: WorkGroup::default(),
            };
            seat.start(start, deadline);
        }
        // All have been started before one is waited for, so that they prepare at the same time.
        for (seat, role) in self.seats.iter_mut().zip(&self.roles) {
            let answer = seat.answer(deadline, interrupt);
            self.arena.go_on()?;
            let Err(fault) = answer else { continue };
            log::warn(format_args!("at the start: {fault} player={:?}", seat.name()));
            if self.arena.needs_all && fault.is_absence() {
                return Err(MatchError::Absent { player: seat.name().to_string(), fault: Box::new(fault) });
            }
            self.faults[role.index()] = fault.code();
        }
        Ok(())
    }

    fn take_faults(&mut self) -> Vec<String> {
        let none = vec![String::new(); self.faults.len()];
        std::mem::replace(&mut self.faults, none)
    }

    /// The index of the move of the player in a seat among its legal ones; `None` if it makes none, with its fault
    /// recorded.
    fn chosen_index(&mut self, seat: usize, joint_moves: &JointMoves) -> Result<Option<usize>, Halt> {
        let role = self.roles[seat];
        let answer = self.seats[seat].answer(self.deadline, &self.arena.interrupt);
        self.arena.go_on()?;
        let fault = match answer {
            Ok(Some(term)) => {
                let chosen = self.engine.find_move(&term).ok();
                match chosen.and_then(|chosen| joint_moves.index_of(role, chosen)) {
                    Some(index) => {
                        if self.seats[seat].stood_in() {
                            self.record.push_fallback(role, FallbackSource::FirstLegal);
                        }
                        return Ok(Some(index));
                    }
                    None => Fault::Illegal(term),
                }
            }
            Ok(None) => Fault::Gone,
            Err(Fault::Failed(PlayerError::TakenBack)) => return Err(Halt::TakenBack(role)),
            Err(fault) => fault,
        };
        let number = self.record.moves.len() + 1;
        log::warn(format_args!("joint move {number}: {fault} player={:?}", self.seats[seat].name()));
        self.faults[role.index()] = fault.code();
        self.record.push_fallback(role, FallbackSource::Random);
        Ok(None)
    }

    /// Records the goal values, and tells all players that the match is over.
    fn stop(&mut self) -> Result<(), MatchError> {
        let last = std::mem::replace(&mut self.last, LastTurn::FIRST);
        let mut values = Vec::new();
        for index in 0..self.engine.roles().len() {
            values.push(goal_value(&mut self.engine, &self.state, Role::new(index))?);
        }
        self.show(last.joint_move(), Some(&values));
        self.record.complete(values);
        let deadline = Deadline::after(self.arena.clocks.play);
        self.seats.iter_mut().for_each(|seat| seat.stop(&last, deadline));
        for seat in &mut *self.seats {
            // The match is over, so an error of a player no longer matters.
            let _ = seat.answer(deadline, &self.arena.interrupt);
        }
        Ok(())
    }
}

impl OngoingGame for OngoingMatch<'_> {
    type Error = Halt;

    fn is_over(&mut self) -> Result<bool, Halt> {
        Ok(self.engine.is_terminal(&self.state)?)
    }

    /// Orders go to all players at once, so that they think at the same time.
    fn joint_moves(&mut self) -> Result<JointMoves, Halt> {
        let joint_moves = JointMoves::in_state(&mut self.engine, &self.state)?;
        self.deadline = Deadline::after(self.arena.clocks.play);
        self.seats.iter_mut().for_each(|seat| seat.play(&self.last, self.deadline));
        Ok(joint_moves)
    }

    fn asked_roles(&self, _: &JointMoves) -> Vec<Role> {
        (0..self.engine.roles().len()).map(Role::new).collect()
    }

    fn choose(&mut self, role: Role, joint_moves: &JointMoves) -> Result<usize, Halt> {
        // A number is drawn for every role at every turn, so that the moves of chance do not depend on faults.
        let random = self.chance.below(joint_moves.legal(role).len());
        match self.roles.iter().position(|&player| player == role) {
            None => Ok(random),
            Some(seat) => Ok(self.chosen_index(seat, joint_moves)?.unwrap_or(random)),
        }
    }

    fn advance(&mut self, joint_move: &[Move]) -> Result<(), Halt> {
        self.state = self.engine.next_state(&self.state, joint_move)?;
        let terms = self.terms(joint_move);
        self.played.push(joint_move.to_vec());
        let faults = self.take_faults();
        self.record.push_moves(&terms, faults);
        self.record.push_state(&self.engine.facts(&self.state), SystemTime::now());
        if !self.engine.is_terminal(&self.state)? {
            self.show(Some(&terms), None);
        }
        self.last = LastTurn::JointMove(Some(terms));
        Ok(())
    }
}
