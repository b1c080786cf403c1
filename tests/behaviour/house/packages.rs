//! What a package needs to be published: the texts of its licences, keywords, and settings for docs.rs.

use std::path::{Path, PathBuf};

/// The folders of the packages that are published, at the root, on crates.io and on PyPI, and of those for editors.
fn packages() -> Vec<PathBuf> {
    let root = Path::new(env!("CARGO_MANIFEST_DIR"));
    let crates = std::fs::read_dir(root.join("crates")).expect("the folder is there");
    let mut found: Vec<PathBuf> = crates.map(|entry| entry.expect("it can be listed").path()).collect();
    found.extend(["", "gdl", "python", "editors/vscode", "editors/tree-sitter"].map(|folder| root.join(folder)));
    found
}

fn text(path: &Path) -> String {
    std::fs::read_to_string(path).unwrap_or_else(|error| panic!("{}: {error}", path.display()))
}

#[test]
fn every_package_has_the_texts_of_both_licences() {
    let root = Path::new(env!("CARGO_MANIFEST_DIR"));
    for folder in packages() {
        for name in ["LICENSE-MIT", "LICENSE-APACHE"] {
            assert_eq!(text(&folder.join(name)), text(&root.join(name)), "{}: {name}", folder.display());
        }
    }
}

#[test]
fn every_crate_that_is_published_says_what_it_is() {
    let mut published = 0;
    for folder in packages() {
        let path = folder.join("Cargo.toml");
        if !path.exists() || text(&path).lines().any(|line| line == "publish = false") {
            continue;
        }
        published += 1;
        let manifest = text(&path);
        for field in ["description = ", "license.workspace = true", "readme = ", "keywords = ", "categories = "] {
            assert!(manifest.lines().any(|line| line.starts_with(field)), "{}: no {field}", path.display());
        }
        assert!(manifest.contains("\n[package.metadata.docs.rs]\n"), "{}: no settings for docs.rs", path.display());
    }
    assert_eq!(published, 9, "ggp and the crates below it");
}
