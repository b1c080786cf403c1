//! The functions that fuzzing calls: each takes bytes, and panics where something is wrong with ggp.
//!
//! The fuzz targets call them with what libFuzzer makes up, and `tests/behaviour/fuzz_corpus.rs` of the main package, which takes this file for a
//! module, with the inputs that are kept in `corpus/`.

pub mod compiled;
pub mod lines;
pub mod messages;
pub mod mutate;
pub mod records;
pub mod sheets;
pub mod text;
pub mod walk;

/// A target: it panics where a law is broken.
pub type Target = fn(&[u8]);

/// Each target with its function.
pub const TARGETS: &[(&str, Target)] = &[
    ("compiled", |data| _ = compiled::run(data)),
    ("lines", lines::run),
    ("messages", messages::run),
    ("records", records::run),
    ("sheets", sheets::run),
    ("text", text::run),
];
