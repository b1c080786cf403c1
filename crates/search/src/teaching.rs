//! Material for courses that no search needs: a textbook's procedure told step by step, and the cost of deliberating
//! anew before each move.

mod deliberation;
mod narration;

pub use deliberation::{Deliberation, DeliberationStep, Ties, deliberation};
pub use narration::{CallVerdict, NarratedEvent, NarratedStep, Narrator, Procedure, ScoredPlan};
