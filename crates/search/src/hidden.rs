//! Games with hidden information: searches that know of a role only what it knows itself, its own moves and percepts.
//!
//! ```text
//! reasoner, state ── extensive_form ── ExtensiveForm ── equilibrium, cfr, mccfr ── StrategyProfile ── evaluate: values,
//!                                                                                                     best responses
//!                 ── possible_states ── ismcts: a move, without the whole tree
//! ```
//!
//! The tree below a state is compiled once ([`extensive_form()`]): nodes of chance and of decisions, in which nodes that
//! a role cannot tell apart share an information set, and leaves with utilities. Roles that move at the same time become
//! successive decisions whose later ones do not see the earlier ones. A role has perfect recall: it remembers its own
//! moves and percepts, in order. All searches return a behaviour strategy for each role ([`StrategyProfile`]).

mod belief;
mod best_response;
mod cfr;
mod equilibrium;
mod extensive_form;
mod gambit;
mod ismcts;
mod learning_end;
mod linear_program;
mod mccfr;
mod observation;
mod profile;

pub use belief::{PossibleState, PossibleStates, possible_states, possible_states_after};
pub use best_response::{ProfileValues, evaluate};
pub use cfr::{RegretUpdate, cfr};
pub use equilibrium::equilibrium;
pub use extensive_form::{ExtensiveForm, InformationSet, extensive_form};
pub use gambit::gambit;
pub use ismcts::ismcts;
pub use learning_end::LearningEnd;
pub use mccfr::{LineSampling, mccfr};
pub use observation::{Observation, ViewStep};
pub use profile::{LearnedProfile, StrategyProfile};
