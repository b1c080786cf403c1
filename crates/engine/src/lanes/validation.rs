//! Translation validation: lanes in the form in which they will answer are run beside the program gate by gate
//! ([`super::reference`]), on states of random play, and all outputs are compared bit by bit (Pnueli, Siegel and
//! Singerman, Translation Validation, 1998). A form that differs never answers.
//!
//! Every ply and every inquiry that answers is compared where it is made: when the fastest form of random play is
//! chosen, when games begin in a state of another kind, and when questions are compiled. What counts games and keeps
//! them apart is no part of a form, and is not compared.

mod answers;
mod plies;

pub(super) use answers::{ComparedQuestions, agreeing};
