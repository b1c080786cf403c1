//! The functions that fuzzing calls: each takes bytes, and panics where something is wrong with ggp.
//!
//! The fuzz targets call them with what libFuzzer makes up, and `tests/fuzz_corpus.rs` of the main package, which takes this file for a
//! module, with the inputs that are kept in `corpus/`.

pub mod compiled;
pub mod walk;
