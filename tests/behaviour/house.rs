//! The source itself: no circles of files, and sockets in few modules. Which crate may use which is in their manifests.

mod circles;
mod packages;

use std::path::{Path, PathBuf};

#[test]
fn only_three_modules_use_sockets() {
    let files = roots().into_iter().flat_map(|root| sources(&root).into_iter().map(move |file| (root.clone(), file)));
    for (root, file) in files {
        let inside = file.strip_prefix(&root).expect("the file lies in src").to_path_buf();
        let text = std::fs::read_to_string(&file).expect("a source can be read");
        let code = text.lines().filter(|line| !line.trim_start().starts_with("//"));
        let crates = ["hyper::", "hyper_util::", "http_body_util::", "tokio::", "TcpStream"];
        let with_sockets = ["protocol/http", "solving/run/cluster.rs", "serve", "serve.rs"];
        if with_sockets.iter().any(|module| inside.starts_with(module)) {
            continue;
        }
        for line in code {
            assert!(!crates.iter().any(|name| line.contains(name)), "{}: {line}", inside.display());
        }
    }
}

/// The sources of each crate.
fn roots() -> Vec<PathBuf> {
    let package = Path::new(env!("CARGO_MANIFEST_DIR"));
    let crates = std::fs::read_dir(package.join("crates")).expect("the folder is there");
    let mut found: Vec<PathBuf> = crates.map(|entry| entry.expect("it can be listed").path().join("src")).collect();
    found.push(package.join("src"));
    found.sort();
    found
}

fn sources(folder: &Path) -> Vec<PathBuf> {
    let mut found = Vec::new();
    for entry in std::fs::read_dir(folder).expect("the folder is there") {
        let path = entry.expect("a folder can be listed").path();
        if path.is_dir() {
            found.extend(sources(&path));
        } else if path.extension().is_some_and(|extension| extension == "rs") {
            found.push(path);
        }
    }
    found.sort();
    found
}

#[test]
fn the_readme_of_each_crate_shows_the_example_of_its_front_page() {
    for source in roots() {
        let package = source.parent().expect("a crate has a folder");
        let read = |file: &str| std::fs::read_to_string(package.join(file)).expect("each crate has this file");
        // The facade's own test compares more.
        if package == Path::new(env!("CARGO_MANIFEST_DIR")) {
            continue;
        }
        let page = read("src/lib.rs");
        let page = page.lines().map_while(|line| line.strip_prefix("//!"));
        let page: Vec<&str> = page.map(|line| line.strip_prefix(' ').unwrap_or(line)).collect();
        let example = page.split(|line| *line == "```").nth(1).expect("the page has an example");
        let visible: Vec<&str> = example.iter().copied().filter(|line| !line.starts_with("# ")).collect();
        let shown = format!("```rust\n{}\n```", visible.join("\n"));
        assert!(read("README.md").contains(&shown), "{} does not show:\n{shown}", package.display());
    }
}
