//! The seat of a page at the table of Stanford's present course ([`ggp_play::gamemaster`]): messages of the manager as
//! requests, and their answers as JSON. The page keeps the clocks and says how many seconds are left.

use ggp_play::gamemaster::{ManagerMessage, ManagerSeat, SeatError};
use ggp_play::{Deadline, PlayerSpec};
use serde::{Deserialize, Serialize};
use serde_json::{Value, json};
use std::time::Duration;

/// A request of the page.
#[derive(Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum SeatRequest {
    /// A match begins; the answer comes when the player is ready.
    Start {
        /// The message of the manager: `start(…)`.
        message: String,
        /// The player with its options: `growing:exploration=0.4`.
        player: String,
        /// The seed of the player, if it has none.
        seed: u32,
        /// The time until the answer has to be there.
        seconds: f64,
    },
    /// The match goes on after a move.
    Play {
        /// The message of the manager: `play(…)`.
        message: String,
    },
    /// The seat has to choose a move.
    Choose {
        /// The time until the answer has to be there.
        seconds: f64,
    },
    /// The match is over.
    Stop {
        /// The message of the manager: `stop(…)`.
        message: String,
    },
}

/// The seat of a page, with its match if there is one.
#[derive(Default)]
pub struct PageSeat(Option<ManagerSeat>);

impl PageSeat {
    /// The answer to a request.
    ///
    /// # Errors
    /// If there is none: the reason. A match goes on after an error.
    pub fn answer(&mut self, request: SeatRequest) -> Result<Value, String> {
        match request {
            SeatRequest::Start { message, player, seed, seconds } => {
                self.0 = None;
                let ManagerMessage::Start(start) = read(&message)? else { return Err(other("start")) };
                let player: PlayerSpec = player.parse().map_err(said)?;
                let opened = ManagerSeat::open(&start, &player, seed.into(), deadline(seconds));
                let seat = self.0.insert(opened.map_err(|error| problem(&error))?);
                Ok(json!({
                    "role": seat.role(),
                    "roles": seat.game().roles(),
                    "engine": seat.engine(),
                    "fault": seat.fault(),
                }))
            }
            SeatRequest::Play { message } => {
                let ManagerMessage::Play(last) = read(&message)? else { return Err(other("play")) };
                value(self.seat()?.follow(last.as_ref()).map_err(said)?)
            }
            SeatRequest::Choose { seconds } => value(self.seat()?.choose(deadline(seconds)).map_err(said)?),
            SeatRequest::Stop { message } => {
                let ManagerMessage::Stop(last) = read(&message)? else { return Err(other("stop")) };
                let over = self.seat()?.stop(last.as_ref()).map_err(said);
                self.0 = None;
                value(over?)
            }
        }
    }

    fn seat(&mut self) -> Result<&mut ManagerSeat, String> {
        self.0.as_mut().ok_or_else(|| "no match has begun".to_string())
    }
}

fn read(message: &str) -> Result<ManagerMessage, String> {
    ManagerMessage::read(message).map_err(said)
}

fn other(expected: &str) -> String {
    format!("this is no message `{expected}`")
}

/// The error with the first problem of a sheet.
fn problem(error: &SeatError) -> String {
    let SeatError::Load(error) = error else { return error.to_string() };
    super::sheets::first_problem(error)
}

fn deadline(seconds: f64) -> Deadline {
    Deadline::after(Duration::try_from_secs_f64(seconds).unwrap_or_default())
}

fn said(error: impl ToString) -> String {
    error.to_string()
}

fn value(answer: impl Serialize) -> Result<Value, String> {
    Ok(json!(answer))
}
