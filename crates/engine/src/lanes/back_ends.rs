//! The techniques that lanes and evaluators of a game may use. A technique with which they differ from the program is
//! left out from then on; if the plainest lanes differ, there are none.

use crate::program::{FormDifference, write_left_out};
use gdl::limits::Stop;
use serde::{Serialize, Serializer};
use std::fmt;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

/// A technique that makes lanes fast, lanes themselves, or an evaluator of single states.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Technique {
    /// Machine code made at run time; without it steps run on the portable loop.
    MachineCode,
    /// A smaller circuit for the states that usually occur.
    UsualStates,
    /// Choices that rely on guards that exclude each other.
    ExclusiveGuards,
    /// Random play in lanes.
    RandomPlay,
    /// Random play in lanes with decisive moves.
    DecisiveMoves,
    /// Questions about many states at once.
    Questions,
    /// The evaluator of single states that has this name.
    Evaluator(&'static str),
}

impl Technique {
    /// The name in messages.
    pub fn name(self) -> String {
        match self {
            Self::MachineCode => "machine code of lanes".to_string(),
            Self::UsualStates => "the circuit of lanes for usual states".to_string(),
            Self::ExclusiveGuards => "the choice of lanes by exclusive guards".to_string(),
            Self::RandomPlay => "random play in lanes".to_string(),
            Self::DecisiveMoves => "random play in lanes with decisive moves".to_string(),
            Self::Questions => "expansion of states in lanes".to_string(),
            Self::Evaluator(name) => format!("the evaluator `{name}`"),
        }
    }
}

impl Serialize for Technique {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.serialize_str(&self.name())
    }
}

/// A technique that was left out because it makes a difference.
#[derive(Clone, PartialEq, Eq, Debug, Serialize)]
pub struct LeftOutTechnique {
    /// The technique.
    pub technique: Technique,
    /// The first state that it changed, and the output that was wrong there.
    pub difference: FormDifference,
}

impl fmt::Display for LeftOutTechnique {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        write_left_out(formatter, self.technique.name(), &self.difference)
    }
}

/// The techniques that lanes and evaluators of a game may use. Clones share what is left out.
#[derive(Clone, Debug, Default)]
pub struct BackEnds {
    /// Nothing may be left out: what differs is an error.
    is_strict: bool,
    log: Arc<Mutex<LeftOutLog>>,
}

#[derive(Debug, Default)]
struct LeftOutLog {
    left_out: Vec<LeftOutTechnique>,
    /// The number of them that the user has been told of.
    told: usize,
}

impl BackEnds {
    /// Back ends without techniques that are known to differ.
    pub fn without(left_out: &[LeftOutTechnique]) -> Self {
        let log = LeftOutLog { left_out: left_out.to_vec(), told: 0 };
        Self { is_strict: false, log: Arc::new(Mutex::new(log)) }
    }

    /// Back ends of which none is left out: lanes that differ are an error.
    pub(super) fn strict() -> Self {
        Self { is_strict: true, ..Self::default() }
    }

    /// The techniques that were left out so far.
    pub fn left_out(&self) -> Vec<LeftOutTechnique> {
        self.log().left_out.clone()
    }

    /// The techniques that were left out since this was last asked.
    pub(crate) fn take_untold(&self) -> Vec<LeftOutTechnique> {
        let LeftOutLog { left_out, told } = &mut *self.log();
        let untold = left_out[*told..].to_vec();
        *told = left_out.len();
        untold
    }

    /// Makes something with fewer and fewer techniques until it agrees with the program; the techniques that it does
    /// without are left out from now on. If nothing agrees, `whole` is left out. `plainer` has the techniques that each
    /// attempt does without, in order; only the first is made if nothing may be left out.
    ///
    /// # Errors
    /// Those of `make`, which compares what it makes; the first difference, if nothing agrees.
    pub(super) fn first_agreeing<T>(
        &self,
        plainer: &[&[Technique]],
        whole: Technique,
        mut make: impl FnMut(&[Technique]) -> Result<T, LanesError>,
    ) -> Result<T, LanesError> {
        if let Some(difference) = self.why_without(whole) {
            return Err(LanesError::Differ(Box::new(difference)));
        }
        let plainer = if self.is_strict { &plainer[..1] } else { plainer };
        let is_out = |technique: &&Technique| self.why_without(**technique).is_some();
        // Techniques that are left out already are not tried again.
        let out: Vec<Technique> = plainer.iter().copied().flatten().filter(is_out).copied().collect();
        let mut first = None;
        for without in plainer.iter().filter(|without| out.iter().all(|technique| without.contains(technique))) {
            match (make(without), &first) {
                (Err(LanesError::Differ(difference)), _) => first = first.or(Some(difference)),
                (Ok(made), Some(difference)) => {
                    without.iter().for_each(|&technique| self.leave_out(technique, difference));
                    return Ok(made);
                }
                (made, _) => return made,
            }
        }
        let difference = first.unwrap_or_else(|| unreachable!("the plainest is tried"));
        self.leave_out(whole, &difference);
        Err(LanesError::Differ(difference))
    }

    /// Leaves machine code out from now on; false if nothing may be left out.
    pub(super) fn leave_out_machine_code(&self, difference: &FormDifference) -> bool {
        if !self.is_strict {
            self.leave_out(Technique::MachineCode, difference);
        }
        !self.is_strict
    }

    /// The difference for which a technique is left out, if it is.
    pub(crate) fn why_without(&self, technique: Technique) -> Option<FormDifference> {
        let log = self.log();
        let found = log.left_out.iter().find(|left_out| left_out.technique == technique);
        found.map(|left_out| left_out.difference.clone())
    }

    /// Leaves a technique out from now on.
    pub(crate) fn leave_out(&self, technique: Technique, difference: &FormDifference) {
        let mut log = self.log();
        if log.left_out.iter().all(|left_out| left_out.technique != technique) {
            log.left_out.push(LeftOutTechnique { technique, difference: difference.clone() });
        }
    }

    fn log(&self) -> MutexGuard<'_, LeftOutLog> {
        self.log.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

/// An error for which there are no lanes.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum LanesError {
    /// The limits ended the work.
    #[error(transparent)]
    Stopped(#[from] Stop),
    /// Even the plainest lanes differ from the program. This is a bug of this library.
    #[error("{}", .0.report("lanes"))]
    Differ(Box<FormDifference>),
}

/// The result of work without limits.
///
/// # Panics
/// If it differs from the program: a fault of this library.
pub(super) fn made<T>(made: Result<T, LanesError>) -> T {
    made.unwrap_or_else(|error| panic!("{error}"))
}
