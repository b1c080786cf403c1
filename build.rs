//! Tells the program its version: that of the package and, in a build for release, the commit that it is built from.
//!
//! The commit is that of GGP_COMMIT (set it to build from a tarball), or of `.cargo_vcs_info.json`, which packages of
//! cargo have, or of git; a tree without any of them has none. Other builds leave it out, so that a commit does not
//! compile everything again.

use std::process::Command;

fn main() {
    println!("cargo::rerun-if-changed=build.rs");
    println!("cargo::rerun-if-env-changed=GGP_COMMIT");
    let version = env!("CARGO_PKG_VERSION");
    let version = match commit() {
        Some(commit) => format!("{version} ({commit})"),
        None => version.to_string(),
    };
    println!("cargo::rustc-env=GGP_VERSION={version}");
}

/// The first digits of the commit, with a plus sign if files differ from it.
fn commit() -> Option<String> {
    if let Some(commit) = std::env::var("GGP_COMMIT").ok().filter(|commit| !commit.is_empty()) {
        return Some(commit);
    }
    if std::env::var("PROFILE").as_deref() != Ok("release") {
        return None;
    }
    commit_of_package().or_else(commit_of_git)
}

fn commit_of_package() -> Option<String> {
    let record = std::fs::read_to_string(".cargo_vcs_info.json").ok()?;
    let (_, rest) = record.split_once("\"sha1\"")?;
    Some(rest.split('"').nth(1)?.get(..9)?.to_string())
}

fn commit_of_git() -> Option<String> {
    // A package in the folder of another project is not that project.
    if !std::path::Path::new(".git").exists() {
        return None;
    }
    let head = git(&["rev-parse", "--git-path", "logs/HEAD"])?;
    println!("cargo::rerun-if-changed={head}");
    let commit = git(&["rev-parse", "--short=9", "HEAD"])?;
    let is_changed = !git(&["status", "--porcelain", "--untracked-files=no"])?.is_empty();
    Some(if is_changed { commit + "+" } else { commit })
}

/// The answer of git, without the end of its line.
fn git(arguments: &[&str]) -> Option<String> {
    let output = Command::new("git").args(arguments).output().ok().filter(|output| output.status.success())?;
    Some(String::from_utf8(output.stdout).ok()?.trim_end().to_string())
}
