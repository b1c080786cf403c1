//! No circles of files: where a file uses another, that one does not use it, however indirectly.
//!
//! A file uses the file in which the item of a `use` or of a path stands; a re-export counts as the file that it comes
//! from, so a parent that lists its children's items makes no circle. A file and the files below it count as one: a
//! table of checks lists the checks, and each check is of a type of the table.

use petgraph::algo::tarjan_scc;
use petgraph::graph::{DiGraph, NodeIndex};
use std::collections::BTreeMap;

/// Circles that stay, as the names of their files, and why.
const EXCEPTIONS: &[(&[&str], &str)] = &[];

#[test]
fn files_use_each_other_in_one_direction() {
    for root in super::roots() {
        let sources = super::sources(&root).into_iter().filter(|file| !file.ends_with("main.rs")).map(|file| {
            let inside = file.strip_prefix(&root).expect("the file lies in src").with_extension("");
            let names: Vec<String> = inside.iter().map(|name| name.to_string_lossy().into_owned()).collect();
            let name = if names == ["lib"] { String::new() } else { names.join("::") };
            (name, std::fs::read_to_string(&file).expect("a source can be read"))
        });
        let mut found = circles(&sources.collect());
        found.retain(|circle| EXCEPTIONS.iter().all(|(files, _)| circle != files));
        assert!(found.is_empty(), "files of {} in circles: {found:#?}", root.display());
    }
}

#[test]
fn circles_of_made_up_files_are_found() {
    let files = |files: &[(&str, &str)]| {
        let with_root = files.iter().chain(&[("", "mod a; mod b; mod c;")]);
        circles(&with_root.map(|(name, text)| (name.to_string(), text.to_string())).collect())
    };
    let two = |a: &str, b: &str| files(&[("a", a), ("b", b), ("c", "pub struct C;")]);
    assert_eq!(two("use crate::b::B;", "use super::a::A;"), [["a", "b"]]);
    assert_eq!(two("use crate::{b::{self, B}, c::C};", "fn f() -> crate::a::A {}"), [["a", "b"]]);
    assert_eq!(two("pub(crate) use crate::b::B as Other;", "fn f(it: super::a::Other) {}"), [[""; 0]; 0]);
    assert_eq!(two("use crate::b::B;", "fn f() -> impl Fn() + use<'_> {}\nuse crate::c::C;"), [[""; 0]; 0]);
    assert_eq!(two("use crate::b::B;", "/// [`crate::a`]\nconst TEXT: &str = \"crate::a::A\";"), [[""; 0]; 0]);
    let three = [("a", "use crate::b::B;"), ("b", "use crate::c::C;"), ("c", "use crate::a::A;")];
    assert_eq!(files(&three), [["a", "b", "c"]]);
    let parent = ("a", "mod x;\nmod y;\npub use x::X;\npub use y::Y;\npub struct T;");
    assert_eq!(files(&[parent, ("a::x", "use super::Y;"), ("a::y", "use super::X;")]), [["a::x", "a::y"]]);
    assert_eq!(files(&[parent, ("a::x", "use super::{T, Y};"), ("a::y", "use super::T;")]), [[""; 0]; 0]);
    assert_eq!(files(&[parent, ("a::x", "use crate::b::B;"), ("b", "use crate::a::X;")]), [["a::x", "b"]]);
}

/// The sets of files that use each other in circles, sorted; files are modules by their paths below the crate.
fn circles(sources: &BTreeMap<String, String>) -> Vec<Vec<String>> {
    let files: BTreeMap<&str, File> = sources.iter().map(|(name, text)| (&**name, File::read(text))).collect();
    let mut graph = DiGraph::<&str, ()>::new();
    let nodes: BTreeMap<&str, NodeIndex> = files.keys().map(|&name| (name, graph.add_node(name))).collect();
    for (&name, file) in &files {
        for path in file.paths.iter().chain(file.uses.iter().filter(|it| !it.is_public).map(|it| &it.path)) {
            let Some(used) = resolve(&files, name, path, 0) else { continue };
            if !is_below(used, name) && !is_below(name, used) {
                graph.add_edge(nodes[name], nodes[used], ());
            }
        }
    }
    let mut found: Vec<Vec<String>> = tarjan_scc(&graph)
        .into_iter()
        .filter(|circle| circle.len() > 1)
        .map(|circle| circle.into_iter().map(|node| graph[node].to_string()).collect())
        .collect();
    found.iter_mut().for_each(|circle| circle.sort());
    found.sort();
    found
}

/// Whether a module is the other one, or below it.
fn is_below(module: &str, other: &str) -> bool {
    other.is_empty() || module == other || module.starts_with(&format!("{other}::"))
}

/// What a file names of others.
struct File {
    uses: Vec<Use>,
    /// Paths in the code outside of `use`.
    paths: Vec<Vec<String>>,
}

/// One item of a `use`.
struct Use {
    is_public: bool,
    path: Vec<String>,
    name: String,
}

impl File {
    fn read(text: &str) -> Self {
        let words = words(text);
        let (mut file, mut at) = (Self { uses: Vec::new(), paths: Vec::new() }, 0);
        while at < words.len() {
            // `use<'a>` says what a type captures.
            if words[at] == "use" && words.get(at + 1).is_some_and(|word| word != "<") {
                let end = at + words[at..].iter().position(|word| word == ";").unwrap_or(words.len() - at);
                let is_public = at > 0 && (words[at - 1] == "pub" || words[at - 1] == ")");
                add_uses(&words[at + 1..end], &[], is_public, &mut file.uses);
                at = end;
            } else if is_name(&words[at]) && words.get(at + 1).is_some_and(|word| word == "::") {
                let mut path = vec![words[at].clone()];
                while words.get(at + 1).is_some_and(|word| word == "::")
                    && words.get(at + 2).is_some_and(|word| is_name(word))
                {
                    path.push(words[at + 2].clone());
                    at += 2;
                }
                file.paths.push(path);
            }
            at += 1;
        }
        file
    }
}

/// The items of a tree such as `a::{b, c::{self, D as E}}`.
fn add_uses(tree: &[String], before: &[String], is_public: bool, uses: &mut Vec<Use>) {
    let mut path = before.to_vec();
    let mut name = None;
    let mut at = 0;
    while at < tree.len() {
        match &*tree[at] {
            "::" => {}
            "as" => {
                name = tree.get(at + 1).cloned();
                at += 1;
            }
            "{" => {
                let (mut depth, mut start) = (0, at + 1);
                for (end, word) in tree.iter().enumerate().skip(at) {
                    depth += usize::from(word == "{");
                    depth -= usize::from(word == "}");
                    if depth == 0 || depth == 1 && word == "," {
                        add_uses(&tree[start..end], &path, is_public, uses);
                        start = end + 1;
                    }
                }
                return;
            }
            word => path.push(word.to_string()),
        }
        at += 1;
    }
    if path.len() > before.len() {
        let name = name.or_else(|| path.iter().rfind(|word| *word != "self").cloned()).unwrap_or_default();
        uses.push(Use { is_public, path, name });
    }
}

/// The file in which the item of a path stands that is written in a module; `None` if it is of another crate.
/// Re-exports are followed, up to a depth.
fn resolve<'f>(files: &BTreeMap<&'f str, File>, module: &str, path: &[String], depth: usize) -> Option<&'f str> {
    let mut base: Vec<&str> = module.split("::").filter(|name| !name.is_empty()).collect();
    let mut rest = path;
    match &*path[0] {
        "crate" => (base, rest) = (Vec::new(), &path[1..]),
        "self" => rest = &path[1..],
        "super" => {
            while rest.first().is_some_and(|word| word == "super") {
                base.pop();
                rest = &rest[1..];
            }
        }
        first => {
            let child: Vec<&str> = base.iter().copied().chain([first]).collect();
            files.get_key_value(&*child.join("::"))?;
        }
    }
    while let Some(next) = rest.first() {
        base.push(next);
        if !files.contains_key(&*base.join("::")) {
            base.pop();
            break;
        }
        rest = &rest[1..];
    }
    let (&found, file) = files.get_key_value(&*base.join("::"))?;
    let exported = rest.first().and_then(|name| file.uses.iter().find(|it| it.is_public && it.name == *name));
    let followed = exported.filter(|_| depth < 8).and_then(|it| resolve(files, found, &it.path, depth + 1));
    Some(followed.unwrap_or(found))
}

fn is_name(word: &str) -> bool {
    word.starts_with(|c: char| c.is_alphabetic() || c == '_')
}

/// Names, `::` and single signs, without comments and texts.
fn words(text: &str) -> Vec<String> {
    let (mut words, mut rest) = (Vec::new(), text);
    while let Some(c) = rest.chars().next() {
        let length = match c {
            '/' if rest.starts_with("//") => rest.find('\n').unwrap_or(rest.len()),
            '"' => text_length(rest),
            '\'' if rest.starts_with("'\\") => 2 + rest[3..].find('\'').map_or(rest.len() - 2, |end| end + 2),
            '\'' if rest.chars().nth(2) == Some('\'') => rest.char_indices().nth(3).map_or(rest.len(), |(end, _)| end),
            'r' if rest.starts_with("r#\"") => 3 + rest[3..].find("\"#").map_or(rest.len() - 3, |end| end + 2),
            c if c.is_alphanumeric() || c == '_' => {
                let end = rest.find(|c: char| !(c.is_alphanumeric() || c == '_')).unwrap_or(rest.len());
                words.push(rest[..end].to_string());
                end
            }
            ':' if rest.starts_with("::") => {
                words.push("::".to_string());
                2
            }
            c => {
                if !c.is_whitespace() {
                    words.push(c.to_string());
                }
                c.len_utf8()
            }
        };
        rest = &rest[length..];
    }
    words
}

/// The length of the text in quotes at the beginning, the quotes included.
fn text_length(rest: &str) -> usize {
    let mut is_escaped = false;
    for (at, c) in rest.char_indices().skip(1) {
        match c {
            '"' if !is_escaped => return at + 1,
            _ => is_escaped = c == '\\' && !is_escaped,
        }
    }
    rest.len()
}
