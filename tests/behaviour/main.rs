//! Tests of user-visible behaviour and of laws, with a module for each subject, in one binary so that the library is
//! linked once.

mod analysing;
mod asking;
mod authors;
mod best;
mod boards;
mod brackets;
mod charts;
mod check_plays;
mod cli;
mod compiled;
mod completion;
mod contests;
mod counts;
mod course;
mod cutoffs;
mod decisive_moves;
mod declared_boards;
mod deviations;
mod diagnostics;
mod door;
mod drawing;
mod earlier_files;
#[cfg(feature = "lsp")]
#[path = "../support/editor.rs"]
mod editor;
#[path = "../support/effort.rs"]
mod effort;
mod engines;
mod equilibria;
mod exact_means;
mod examples;
mod exercises;
mod expected;
mod experiments;
mod faults;
mod faulty_evaluators;
mod faulty_lanes;
mod features;
mod few_threads;
mod files;
mod fixes;
mod fixes_keep_meaning;
mod fuzz_corpus;
mod gamemaster;
mod gestures;
#[path = "../support/ggp.rs"]
mod ggp;
mod goal_values;
mod goals;
mod guided;
mod help;
mod hidden;
mod highlighting;
mod hints;
mod house;
mod inputs;
mod interrupted;
mod interrupted_inside;
mod kinds;
mod layer_values;
mod learning;
mod lenient;
mod lessons;
mod library;
#[path = "../support/limited.rs"]
mod limited;
mod limits;
mod lines;
#[cfg(feature = "lsp")]
mod lsp;
mod moves;
mod networks;
mod one_meaning;
mod one_player;
mod operations;
mod opponents;
mod origins;
mod outputs;
mod perf_test;
mod pictures;
#[path = "../support/program.rs"]
mod program;
mod programs;
mod pty;
mod quantities;
#[path = "../support/random_games.rs"]
mod random_games;
mod random_play;
mod random_search;
mod reading;
mod readme;
mod relaxed;
mod repeating;
mod resident_memory;
mod round_robin;
mod same;
mod sampled_exactness;
mod search;
mod session;
#[path = "../support/sessions.rs"]
mod sessions;
mod setting;
mod shells;
mod signals;
mod small_stacks;
mod solving;
mod solving_chance;
mod solving_damage;
mod solving_full;
mod solving_on_disk;
mod solving_play;
mod solving_processes;
mod solving_symmetry;
mod specifications;
mod stage_games;
#[path = "../support/state_graphs.rs"]
mod state_graphs;
mod subtrees;
#[path = "../support/mod.rs"]
mod support;
mod symmetries;
mod teaching;
mod textbook;
mod tournaments;
mod transcripts;
mod tune;
mod turns;
mod typed_trees;
mod utilities;
mod values;
mod watching;
mod widths;
