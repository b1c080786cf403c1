//! What a player is given in the course of a match: it begins with the interpreter, which is there at once, and goes on with the network
//! and its lanes when they have been set up in the background.

use super::{Deadline, Position, Start};
use crate::engine::{Arrival, Background};
use std::sync::atomic::Ordering;
use std::time::Duration;
use tracing::{info, warn};

/// What a strategy has a use for.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Wanted {
    /// The interpreter is enough.
    Nothing,
    /// The network.
    Engine,
    /// The network and its lanes.
    Lanes,
}

impl Wanted {
    /// The network, with its lanes if they are wanted.
    pub fn lanes_if(wanted: bool) -> Self {
        if wanted { Self::Lanes } else { Self::Engine }
    }
}

/// Something new in a position.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Equipment {
    /// Another engine: states, moves and fluents of the one before mean nothing any more.
    Engine,
    /// The lanes of the engine.
    Lanes,
}

/// What is being set up for a match in the background; it ends when this is dropped.
#[derive(Default)]
pub struct Workshop(Option<Background>);

impl Workshop {
    /// How often those who wait look whether they are to stop.
    const LOOK: Duration = Duration::from_millis(20);

    /// Begins to set up what is wanted for a match, unless the game has an engine already.
    pub fn open(start: &Start, wanted: Wanted, position: &mut Position) -> Self {
        let background = match wanted {
            Wanted::Nothing => None,
            Wanted::Engine | Wanted::Lanes => start.game.set_up_in_background(wanted == Wanted::Lanes),
        };
        position.is_in_the_making = background.is_some();
        Self(background)
    }

    /// Puts what is ready into a position, waiting for all of it until the deadline; what is new there is told one by one.
    pub fn equip(&mut self, position: &mut Position, wait: Deadline, mut tell: impl FnMut(Equipment, &mut Position)) {
        while let Some(background) = &mut self.0 {
            match background.next(wait.remaining().min(Self::LOOK)) {
                Some(Arrival::Engine(engine)) => match position.adopt(engine) {
                    Ok(()) => {
                        info!("the propnet plays from now on");
                        tell(Equipment::Engine, position);
                    }
                    Err(error) => {
                        warn!("the interpreter goes on playing: {error}");
                        self.0 = None;
                    }
                },
                Some(Arrival::Lanes(lanes)) => {
                    position.lanes = Some(*lanes);
                    self.0 = None;
                    tell(Equipment::Lanes, position);
                }
                Some(Arrival::Failed(error)) => {
                    warn!("the interpreter goes on playing: {error}");
                    self.0 = None;
                }
                None if background.is_done() => self.0 = None,
                None if wait.is_over() || position.interrupt.load(Ordering::Relaxed) => break,
                None => {}
            }
        }
        position.is_in_the_making = self.0.is_some();
    }
}
