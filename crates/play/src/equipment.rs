//! The engine of a player in the course of a match: at first the interpreter, which is available at once, later the
//! network and its lanes, when they have been set up in the background.

use super::{Deadline, Position, Start};
use crate::ask::PlayoutOptions;
use crate::log;
use ggp_engine::{Background, PlayoutLanes, SetupArrival};
use std::fmt::Display;
use std::sync::atomic::Ordering;
use std::time::Duration;

/// What a strategy needs in addition to rules and clocks.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Requirement {
    /// The interpreter, which needs no set-up.
    Nothing,
    /// The network, set up in the background if it does not exist.
    Engine,
    /// The network and these lanes.
    Lanes(PlayoutLanes),
}

impl Requirement {
    /// What a player with such random games needs.
    pub(crate) fn of_playouts(options: PlayoutOptions) -> Self {
        options.lanes().map_or(Self::Engine, Self::Lanes)
    }
}

/// What is new in a position.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Equipment {
    /// Another engine: the states, moves and fluents of the old one are no longer valid.
    Engine,
    /// The lanes of the engine.
    Lanes,
}

/// The engine and lanes being set up in the background for a match; dropping it stops the work.
#[derive(Default)]
pub(crate) struct Workshop(Option<Background>);

impl Workshop {
    /// The time between two checks of the interrupt while waiting.
    const POLL_INTERVAL: Duration = Duration::from_millis(20);

    /// Starts to set up what the strategy needs and the game does not have.
    pub(crate) fn open(start: &Start, wanted: Requirement, position: &mut Position) -> Self {
        let set_up = |lanes| start.game.set_up_in_background(lanes, start.works.begin());
        let background = match wanted {
            Requirement::Nothing => None,
            Requirement::Engine => set_up(None),
            Requirement::Lanes(lanes) => set_up(Some(lanes)),
        };
        if background.is_some() {
            position.engine.await_evaluator();
        }
        position.is_being_set_up = background.as_ref().is_some_and(Background::brings_engine);
        Self(background)
    }

    /// Puts what is ready into the position, waiting until the deadline for the rest; `tell` is called for each new
    /// thing.
    pub(crate) fn equip(
        &mut self,
        position: &mut Position,
        wait: Deadline,
        mut tell: impl FnMut(Equipment, &mut Position),
    ) {
        while let Some(background) = &mut self.0 {
            match background.next(wait.remaining().min(Self::POLL_INTERVAL)) {
                Some(SetupArrival::Engine(engine)) => {
                    warn_of(engine.left_out());
                    match position.adopt(engine) {
                        Ok(()) => {
                            log::info(format_args!("the propnet plays from now on"));
                            position.is_being_set_up = false;
                            tell(Equipment::Engine, position);
                        }
                        Err(error) => {
                            log::warn(format_args!("the interpreter continues to play: {error}"));
                            self.0 = None;
                        }
                    }
                }
                Some(SetupArrival::Lanes(lanes)) => {
                    position.lanes = Some(*lanes);
                    tell(Equipment::Lanes, position);
                }
                Some(SetupArrival::Failed(error)) => {
                    log::warn(format_args!("the interpreter continues to play: {error}"));
                    self.0 = None;
                }
                None if background.is_done() => {
                    self.0 = None;
                    warn_of(&position.engine.techniques_left_out());
                }
                None if wait.is_over() || position.interrupt.load(Ordering::Relaxed) => break,
                None => {}
            }
        }
        position.is_being_set_up &= self.0.is_some();
    }
}

/// Logs the techniques that were left out of an engine or its lanes, because with them the game was changed.
fn warn_of(left_out: &[impl Display]) {
    left_out.iter().for_each(|left_out| log::warn(format_args!("{left_out}")));
}
