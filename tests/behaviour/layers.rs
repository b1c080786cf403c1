//! The rooms of the library and their allowed imports, which point down, never up, sideways or in circles.

mod circles;

use std::path::{Path, PathBuf};

/// Each room with the rooms that it may use.
const ROOMS: &[(&str, &[&str])] = &[
    ("number", &[]),
    ("sorting", &[]),
    ("suggestion", &["sorting"]),
    ("fit", &[]),
    ("stack", &[]),
    ("log", &[]),
    ("mask", &[]),
    ("threads", &[]),
    ("time", &[]),
    ("quantity", &[]),
    ("files", &["mask", "quantity"]),
    ("limits", &["time", "quantity"]),
    ("statistics", &[]),
    ("table", &[]),
    ("drawing", &["sorting", "quantity"]),
    ("source", &["number"]),
    ("diagnostic", &["mask", "sorting", "number", "source"]),
    ("syntax", &["sorting", "number", "limits", "source", "diagnostic"]),
    ("rules", &["sorting", "number", "limits", "syntax", "diagnostic", "suggestion"]),
    ("language", &["sorting", "limits", "quantity", "syntax", "diagnostic", "rules"]),
    ("game", &["number", "limits", "rules"]),
    ("interpreter", &["sorting", "number", "limits", "stack", "syntax", "rules", "game"]),
    ("ground", &["sorting", "time", "number", "limits", "syntax", "rules", "game", "interpreter::closure"]),
    ("program", &["number", "limits", "rules", "game"]),
    ("lanes", &["sorting", "time", "number", "limits", "threads", "game", "program"]),
    ("propnet", &["sorting", "time", "number", "limits", "drawing", "rules", "game", "ground", "program", "lanes"]),
    ("search", &["sorting", "time", "number", "limits", "stack", "statistics", "threads", "game", "rules::GroundTerm"]),
    ("solving", &["threads", "files", "number", "limits", "game", "rules::GroundTerm", "search"]),
    (
        "engine",
        &[
            "threads",
            "sorting",
            "time",
            "files",
            "number",
            "limits",
            "syntax",
            "diagnostic",
            "suggestion",
            "rules",
            "game",
            "ground",
            "interpreter",
            "program",
            "lanes",
            "propnet",
        ],
    ),
    (
        "ask",
        &[
            "threads",
            "time",
            "files",
            "number",
            "limits",
            "quantity",
            "syntax",
            "suggestion",
            "rules",
            "game",
            "interpreter::State",
            "engine",
            "search",
        ],
    ),
    (
        "play",
        &[
            "ask",
            "threads",
            "sorting",
            "time",
            "log",
            "number",
            "syntax",
            "limits",
            "quantity",
            "statistics",
            "rules",
            "game",
            "interpreter::State",
            "ground",
            "engine",
            "search",
            "solving",
        ],
    ),
    ("protocol", &["threads", "limits", "syntax", "diagnostic", "suggestion", "rules", "game", "engine", "play"]),
    (
        "board",
        &[
            "sorting",
            "fit",
            "limits",
            "quantity",
            "syntax",
            "diagnostic::render",
            "drawing",
            "rules",
            "game",
            "interpreter",
            "engine",
        ],
    ),
    (
        "repl",
        &[
            "threads",
            "sorting",
            "time",
            "board",
            "fit",
            "files",
            "mask",
            "limits",
            "quantity",
            "statistics",
            "table",
            "syntax",
            "diagnostic",
            "drawing",
            "suggestion",
            "rules",
            "language",
            "game",
            "interpreter",
            "engine",
            "search",
            "solving",
            "ask",
            "play",
        ],
    ),
    (
        "workbench",
        &[
            "number",
            "board",
            "limits",
            "syntax",
            "diagnostic",
            "drawing",
            "rules",
            "language",
            "game",
            "engine",
            "search",
            "ask::spec",
            "repl",
        ],
    ),
    ("serve", &["drawing", "engine", "search", "protocol::http", "repl", "workbench"]),
    (
        "lsp",
        &["threads", "quantity", "limits", "syntax", "diagnostic", "rules", "language", "ground", "engine", "repl"],
    ),
    (
        "cli",
        &[
            "mask",
            "threads",
            "board",
            "drawing",
            "files",
            "syntax",
            "diagnostic",
            "suggestion",
            "limits",
            "quantity",
            "statistics",
            "table",
            "rules",
            "game",
            "ground",
            "interpreter",
            "lanes",
            "propnet",
            "engine",
            "search",
            "ask",
            "play",
            "protocol",
            "repl",
            "serve",
            "lsp",
            "solving",
        ],
    ),
    ("main", &[]),
];

#[test]
fn imports_point_down() {
    let mut found = Vec::new();
    for file in sources(&root()) {
        let room = room_of(&file);
        if room == "lib" {
            continue;
        }
        let (_, below) =
            ROOMS.iter().find(|(name, _)| *name == room).unwrap_or_else(|| panic!("`{room}` is not in the table"));
        let text = std::fs::read_to_string(&file).expect("a source can be read");
        for path in used_paths(&text) {
            let is_own = path == room || path.starts_with(&format!("{room}::"));
            let is_below = below.iter().any(|allowed| path == *allowed || path.starts_with(&format!("{allowed}::")));
            if !is_own && !is_below {
                found.push(format!("{}: `{room}` may not use `{path}`", file.display()));
            }
        }
    }
    assert!(found.is_empty(), "{}", found.join("\n"));
}

#[test]
fn every_allowed_import_is_used_and_of_a_room_above() {
    let mut found = Vec::new();
    for (index, (room, below)) in ROOMS.iter().enumerate() {
        let texts = sources(&root()).into_iter().filter(|file| room_of(file) == *room).map(std::fs::read_to_string);
        let used: Vec<String> = texts.flat_map(|text| used_paths(&text.expect("a source can be read"))).collect();
        for allowed in *below {
            if !used.iter().any(|path| path == allowed || path.starts_with(&format!("{allowed}::"))) {
                found.push(format!("`{room}` does not use `{allowed}`"));
            }
            let is_of = |name: &str| *allowed == name || allowed.starts_with(&format!("{name}::"));
            if !ROOMS[..index].iter().any(|(name, _)| is_of(name)) {
                found.push(format!("`{allowed}`, which `{room}` uses, does not come before it"));
            }
        }
    }
    assert!(found.is_empty(), "{}", found.join("\n"));
}

#[test]
fn only_three_modules_use_sockets() {
    for file in sources(&root()) {
        let inside = file.strip_prefix(root()).expect("the file lies in src").to_path_buf();
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

#[test]
fn upward_imports_are_detected() {
    assert_eq!(used_paths("use crate::repl::Session;\n"), ["repl::Session"]);
    assert_eq!(used_paths("use crate::{game::Move, search};\n"), ["game::Move", "search"]);
    assert_eq!(used_paths("let x = crate::engine::load();\n"), ["engine::load"]);
    assert_eq!(used_paths("/// See [`crate::repl`].\n// crate::repl\n"), Vec::<String>::new());
}

/// The paths below `crate::` that a text uses, outside comments: `use` lines, lists in braces and full paths.
fn used_paths(text: &str) -> Vec<String> {
    let code: Vec<&str> = text.lines().filter(|line| !line.trim_start().starts_with("//")).collect();
    let code = code.join("\n");
    let mut paths = Vec::new();
    for (at, _) in code.match_indices("crate::") {
        let rest = &code[at + "crate::".len()..];
        if let Some(list) = rest.strip_prefix('{') {
            paths.extend(items(list));
        } else {
            paths.push(path(rest));
        }
    }
    paths
}

/// The paths of a list in braces, up to its closing brace.
fn items(list: &str) -> Vec<String> {
    let (mut depth, mut start, mut found) = (0_usize, 0, Vec::new());
    for (at, c) in list.char_indices() {
        match c {
            '{' => depth += 1,
            '}' if depth > 0 => depth -= 1,
            ',' | '}' if depth == 0 => {
                found.push(path(list[start..at].trim()));
                start = at + 1;
                if c == '}' {
                    break;
                }
            }
            _ => {}
        }
    }
    found.retain(|path| !path.is_empty());
    found
}

/// The path at the beginning of a text.
fn path(text: &str) -> String {
    let end = text.find(|c: char| !(c.is_alphanumeric() || c == '_' || c == ':')).unwrap_or(text.len());
    text[..end].trim_end_matches(':').to_string()
}

fn root() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("src")
}

/// The room of a file: its name below `src`, or that of its directory.
fn room_of(file: &Path) -> String {
    let inside = file.strip_prefix(root()).expect("the file lies in src");
    let first = inside.components().next().expect("the path is not empty");
    Path::new(first.as_os_str()).file_stem().expect("a name").to_string_lossy().into_owned()
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
