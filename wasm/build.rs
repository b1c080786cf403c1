//! Gives the module a stack for recursions that are as deep as on other machines, and a bound on its memory.

/// The size of the stack, in bytes.
const STACK: u32 = 32 << 20;
/// The most memory that the module may have, in bytes. A search stops at `ggp::Budget::MEMORY`, which leaves room for
/// the game and for tables that are copied as they grow.
const MEMORY: u32 = 2 << 30;

fn main() {
    println!("cargo:rerun-if-changed=build.rs");
    if std::env::var("CARGO_CFG_TARGET_FAMILY").is_ok_and(|family| family == "wasm") {
        println!("cargo:rustc-link-arg=-zstack-size={STACK}");
        println!("cargo:rustc-link-arg=--max-memory={MEMORY}");
    }
}
