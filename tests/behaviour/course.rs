//! The commands of `docs/course/` do what the pages show.
//!
//! A page shows sessions in blocks that begin with three backticks and `console`: lines with a `$` are calls of the
//! program, the lines below them are what it prints, answers first and talk after them. `console long` marks what takes
//! minutes without optimisation: that runs in the ignored test. To write the pages anew after an answer has changed,
//! and to read the difference:
//!
//! ```text
//! GGP_WRITE_COURSE=1 cargo test --test behaviour course::
//! ```

use crate::ggp::ggp;
use std::path::{Path, PathBuf};

/// How long a block takes.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Length {
    Short,
    Long,
}

#[test]
fn the_sessions_of_the_course_are_real_ones() {
    let shown: usize = pages().iter().map(|page| check(page, Length::Short)).sum();
    assert!(shown >= 60, "the course shows only {shown} commands");
}

/// Some minutes; the release run has them.
#[test]
#[ignore = "some minutes; the release run has them"]
fn the_long_sessions_of_the_course_are_real_ones() {
    let shown: usize = pages().iter().map(|page| check(page, Length::Long)).sum();
    assert!(shown > 0, "the course shows no long command");
}

/// Every item of the table of contents has one line, and its page has a heading for it.
#[test]
fn every_item_of_the_table_has_its_heading() {
    let folder = folder();
    let read = |name: &str| std::fs::read_to_string(folder.join(name)).expect("the page is there");
    let table = read("README.md");
    let items: Vec<&str> = table.lines().filter(|line| line.starts_with("| [S") || line.starts_with("| [C")).collect();
    assert!(items.len() >= 55, "the table has only {} items", items.len());
    for item in items {
        let (name, rest) = item["| [".len()..].split_once("](").expect("an item is a link");
        let (target, rest) = rest.split_once(") |").expect("the link ends");
        let (page, _) = target.split_once('#').expect("the link leads to a heading");
        let headings = read(page);
        assert!(headings.lines().any(|line| line.starts_with(&format!("## {name} "))), "{name}: no heading in {page}");
        let cells: Vec<&str> = rest.split('|').map(str::trim).collect();
        assert!(matches!(cells[1], "done" | "partly" | "open"), "{name}: status `{}`", cells[1]);
    }
}

/// The table's own command of every item has an answer. The scripts of the studies, which take minutes, are repeated on
/// their first rows by the tests of experiments.
#[test]
fn every_command_of_the_table_has_an_answer() {
    let table = std::fs::read_to_string(folder().join("README.md")).expect("the page is there");
    let items = table.lines().filter(|line| line.starts_with("| [S") || line.starts_with("| [C"));
    let commands = items.filter_map(|item| item.rsplit_once(" | `")?.1.strip_suffix("` |"));
    let commands: Vec<String> = commands.map(|command| command.replace("\\|", "|")).collect();
    let (scripts, others): (Vec<&String>, Vec<&String>) =
        commands.iter().partition(|command| command.starts_with("ggp run "));
    assert!(others.len() >= 55 && scripts.len() <= 5, "{} and {} commands", others.len(), scripts.len());
    let place = workplace("table");
    for command in others {
        let printed = output(command, &place);
        let is_wrong = printed.is_empty() || printed.lines().any(|line| line.starts_with("error"));
        assert!(!is_wrong, "{command}: {printed}");
    }
    for script in scripts {
        let file = script.rsplit(' ').next().expect("a script is named");
        let path = Path::new(env!("CARGO_MANIFEST_DIR")).join(file);
        assert!(path.is_file(), "{script}");
    }
}

fn folder() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("docs/course")
}

fn pages() -> Vec<PathBuf> {
    let entries = std::fs::read_dir(folder()).expect("the folder is there");
    let mut pages: Vec<PathBuf> = entries.map(|entry| entry.expect("a folder can be listed").path()).collect();
    pages.retain(|path| path.extension().is_some_and(|extension| extension == "md"));
    pages.sort();
    pages
}

/// Runs the commands of a page's blocks of one length, compares the page with what they print, and gives their number.
fn check(page: &Path, length: Length) -> usize {
    let text = std::fs::read_to_string(page).expect("the page is there");
    let name = page.file_stem().expect("a page has a name").to_string_lossy();
    let place = workplace(&format!("{name}_{length:?}"));
    let (mut found, mut block, mut commands) = (String::new(), None, 0);
    for line in text.lines() {
        match block {
            None => block = opens(line),
            Some(_) if line == "```" => block = None,
            Some(of) if of == length => {
                let Some(command) = line.strip_prefix("$ ") else { continue };
                commands += 1;
                found += &format!("{line}\n{}", output(command, &place));
                continue;
            }
            Some(_) => {}
        }
        found += &format!("{line}\n");
    }
    assert!(block.is_none(), "{}: a block does not end", page.display());
    if std::env::var_os("GGP_WRITE_COURSE").is_some() {
        std::fs::write(page, &found).expect("the page can be written");
    } else {
        for (number, (shown, printed)) in text.lines().zip(found.lines()).enumerate() {
            assert_eq!(shown, printed, "{}:{}: shown, and printed", page.display(), number + 1);
        }
        assert_eq!(text.lines().count(), found.lines().count(), "{}", page.display());
    }
    commands
}

fn opens(line: &str) -> Option<Length> {
    match line {
        "```console" => Some(Length::Short),
        "```console long" => Some(Length::Long),
        _ => None,
    }
}

/// A fresh copy of the folders that commands of the pages name, so that those that write files leave the sources alone
/// and find no files of others.
pub(super) fn workplace(name: &str) -> PathBuf {
    let copy = Path::new(env!("CARGO_TARGET_TMPDIR")).join("course").join(name);
    // It may not exist yet.
    _ = std::fs::remove_dir_all(&copy);
    for name in ["docs/course", "examples", "gdl", "tests/fixtures"] {
        copy_folder(&Path::new(env!("CARGO_MANIFEST_DIR")).join(name), &copy.join(name));
    }
    copy
}

fn copy_folder(from: &Path, to: &Path) {
    std::fs::create_dir_all(to).expect("the copy can be written");
    for entry in std::fs::read_dir(from).expect("the folder is there") {
        let path = entry.expect("a folder can be listed").path();
        let to = to.join(path.file_name().expect("it has a name"));
        if path.is_dir() {
            copy_folder(&path, &to);
        } else {
            std::fs::copy(&path, &to).expect("the copy can be written");
        }
    }
}

/// What a command prints in a folder, answers first, without spaces at the ends of lines.
pub(super) fn output(command: &str, folder: &Path) -> String {
    let words = words(command);
    let (name, arguments) = words.split_first().expect("a command has a name");
    assert_eq!(name, "ggp", "{command}");
    let output = ggp().args(arguments).env("NO_COLOR", "1").current_dir(folder).output().expect("the program starts");
    let text = [output.stdout, output.stderr].concat();
    let text = String::from_utf8(text).expect("the program writes UTF-8");
    text.lines().map(|line| format!("{}\n", line.trim_end())).collect()
}

/// The words of a command as a shell has them: between spaces, or in single quotes.
fn words(command: &str) -> Vec<String> {
    let mut words = Vec::new();
    for (index, part) in command.split('\'').enumerate() {
        if index % 2 == 1 {
            words.push(part.to_string());
        } else {
            words.extend(part.split_whitespace().map(str::to_string));
        }
    }
    words
}
