//! Benchmarks of ggp; each is a file beside this one.
