//! Lists the files of the folder `course` for `library.rs`, with their contents.

use std::fmt::Write;
use std::path::{Path, PathBuf};
use std::{env, fs, io};

fn main() -> io::Result<()> {
    println!("cargo::rerun-if-changed=course");
    let root = PathBuf::from(env::var_os("CARGO_MANIFEST_DIR").expect("cargo names the folder of the package"));
    let mut files = Vec::new();
    files_below(&root.join("course"), &mut files)?;
    let mut named: Vec<(String, PathBuf)> = files.into_iter().map(|path| (name(&root, &path), path)).collect();
    named.sort();
    let mut list = String::from("&[\n");
    for (name, path) in named {
        let path = path.to_str().expect("the path of the package is text");
        writeln!(list, "    LibrarySheet {{ name: {name:?}, text: include_str!({path:?}) }},").expect("a string grows");
    }
    list += "]\n";
    let output = PathBuf::from(env::var_os("OUT_DIR").expect("cargo names the folder of outputs"));
    fs::write(output.join("course.rs"), list)
}

fn files_below(folder: &Path, files: &mut Vec<PathBuf>) -> io::Result<()> {
    for entry in fs::read_dir(folder)? {
        let path = entry?.path();
        if path.is_dir() {
            files_below(&path, files)?;
        } else {
            files.push(path);
        }
    }
    Ok(())
}

/// The name of a file in the package, with `/` between folders.
fn name(root: &Path, path: &Path) -> String {
    let below = path.strip_prefix(root).expect("the file is in the package");
    below.iter().map(|part| part.to_str().expect("the names of these files are text")).collect::<Vec<_>>().join("/")
}
