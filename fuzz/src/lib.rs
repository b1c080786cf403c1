//! The functions that fuzzing calls: each is given bytes, and panics if it finds a bug in ggp.
//!
//! The fuzz targets call them with the inputs that libFuzzer generates, and `tests/behaviour/fuzz_corpus.rs` of the
//! main package, which includes this file as a module, with the inputs in `corpus/`.

pub mod compiled;
pub mod lines;
pub mod messages;
pub mod mutate;
pub mod records;
pub mod sheets;
pub mod text;
pub mod walk;

/// A target, which panics if a law is violated.
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
