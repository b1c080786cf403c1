//! Tests on the rule sheets and traces of the corpus, and other long ones: samples of them in `cargo test`, all of them
//! where `GGP_THOROUGH` is set, as in `.ci/run --thorough`.

mod agreement;
mod conformance;
mod differential;
#[path = "../support/editor.rs"]
#[expect(dead_code, reason = "tests/behaviour asks the server for more")]
mod editor;
#[path = "../support/effort.rs"]
mod effort;
mod emulator;
mod equivalence;
mod exact;
mod explain;
#[path = "../support/ggp.rs"]
mod ggp;
mod grounding_corpus;
mod groups;
mod lanes;
#[path = "../support/large_sheets.rs"]
mod large_sheets;
#[path = "../support/limited.rs"]
mod limited;
mod machine_code;
mod named;
mod outcomes;
#[path = "../support/parallel.rs"]
mod parallel;
mod play;
#[path = "../support/program.rs"]
mod program;
#[path = "../proof/mod.rs"]
mod proof;
mod published;
#[path = "../support/random_games.rs"]
mod random_games;
mod solving;
mod stanford;
mod stepped;
#[path = "../support/mod.rs"]
mod support;
mod tiers;
mod translations;
#[path = "../support/walk.rs"]
mod walk;
