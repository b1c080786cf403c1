//! Material for courses that no search needs: a textbook's procedure told step by step, pseudo-code with the line at work,
//! and the cost of deliberating anew before each move.

mod deliberation;
mod narration;
mod pseudocode;

pub use deliberation::{Deliberation, DeliberationStep, Ties, deliberation};
pub use narration::{CallVerdict, NarratedEvent, NarratedStep, Narrator, Procedure, ScoredPlan};
pub use pseudocode::{CodeReader, Pseudocode};
