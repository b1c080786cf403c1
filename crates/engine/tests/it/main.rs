//! Tests of the engines by themselves: the interpreter, grounding and the passes over networks, without searches and
//! commands. One binary, with a module for each subject.

#[path = "../../../../tests/support/effort.rs"]
mod effort;
mod grounding;
#[path = "../../../../tests/support/hidden_sheets.rs"]
mod hidden_sheets;
mod interpreter;
mod kept_networks;
mod optimiser;
mod percepts;
mod products;
#[path = "../../../../tests/support/random_games.rs"]
mod random_games;
#[path = "../../../../tests/support/mod.rs"]
mod support;
