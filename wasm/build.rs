//! Gives the module a stack for recursions that are as deep as on other machines.

fn main() {
    println!("cargo:rerun-if-changed=build.rs");
    if std::env::var("CARGO_CFG_TARGET_FAMILY").is_ok_and(|family| family == "wasm") {
        println!("cargo:rustc-link-arg=-zstack-size=33554432");
    }
}
