//! The commands of `docs/course/` do what the pages show, in an empty folder.
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
use ggp::engine::{COURSE, LibrarySheet};
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
        assert!(LibrarySheet::find_course(Path::new(file)).is_some(), "{script}");
    }
}

/// The files of the course are read where there is no folder of their name, and from the folder where there is one.
#[test]
fn the_files_of_the_course_are_in_the_program() {
    let place = workplace("files");
    assert_eq!(
        output("ggp eval course/no.tree minimax", &place),
        "error: cannot read course/no.tree: No such file or directory (os error 2)\n"
    );
    let written = output("ggp games --course course", &place);
    assert_eq!(written, format!("{} files are in course\n", COURSE.len()));
    let value = |found: &str| output("ggp eval course/risk.tree minimax", &place).contains(found);
    assert!(value("max: 10 by a1 b1"));
    std::fs::write(place.join("course/risk.tree"), "[[7 8] [1 2]]").expect("it can be written");
    assert!(value("max: 7 by"), "the file on disk is read");
    std::fs::remove_file(place.join("course/risk.tree")).expect("it can be removed");
    assert!(value("error: cannot read course/risk.tree"), "a folder that exists has what it has");
    assert!(output("ggp games --course course", &place).starts_with("error: cannot write course/"));
}

/// What a command draws is part of its answer: no command has to name standard output for it.
#[test]
fn no_command_of_the_course_names_standard_output() {
    let mut commands = 0;
    for page in pages() {
        let text = std::fs::read_to_string(&page).expect("the page is there");
        for command in text.lines().filter_map(|line| line.strip_prefix("$ ")) {
            commands += 1;
            let is_named = |word: &str| word.trim_matches(['\'', ';']) == "-" || word.contains("/dev/std");
            assert!(!command.split_whitespace().any(is_named), "{}: {command}", page.display());
        }
    }
    assert!(commands > 200, "the course shows only {commands} commands");
}

/// Studies say before they run what they take, and pages say it in the paragraph before a block, where the page looks.
#[test]
fn long_commands_state_their_time_and_memory() {
    let scripts = COURSE.iter().filter(|file| file.name.ends_with(".query"));
    let costs = scripts.map(|file| {
        let header = file.text.lines().take_while(|line| line.starts_with('%')).last().unwrap_or_default();
        assert!(header.starts_with("% Takes about ") && header.ends_with('.'), "{}: {header}", file.name);
    });
    assert!(costs.count() >= 7);
    let mut stated = 0;
    for page in pages() {
        let text = std::fs::read_to_string(&page).expect("the page is there");
        let paragraphs: Vec<&str> = text.split("\n\n").collect();
        for pair in paragraphs.windows(2).filter(|pair| !pair[0].starts_with("```") && pair[0].contains("Takes about "))
        {
            let is_read = pair[0].ends_with('.') && pair[1].starts_with("```console");
            assert!(is_read, "{}: {}", page.display(), pair[0]);
            stated += 1;
        }
    }
    assert!(stated >= 5, "only {stated} blocks state what they take");
    let place = workplace("stated");
    std::fs::write(place.join("a.query"), "% Takes about 1 s.\nload nim\n% Takes about 2 s and 1 GB.\nroles\n")
        .expect("it can be written");
    let told = output("ggp run a.query", &place);
    let told: Vec<&str> = told.lines().filter(|line| line.contains("Takes about")).collect();
    assert_eq!(
        told,
        ["a.query:1: Takes about 1 s. Ctrl-C stops it.", "a.query:3: Takes about 2 s and 1 GB. Ctrl-C stops it."]
    );
    assert!(!output("ggp run --quiet a.query", &place).contains("Takes about"));
    assert!(!output("ggp run --json a.query", &place).contains("Takes about"));
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

/// An empty folder: what the commands of the pages name is in the program.
pub(super) fn workplace(name: &str) -> PathBuf {
    let place = Path::new(env!("CARGO_TARGET_TMPDIR")).join("exercises").join(name);
    // It may not exist yet.
    _ = std::fs::remove_dir_all(&place);
    std::fs::create_dir_all(&place).expect("the folder can be made");
    place
}

/// A fresh copy of the folders that commands of the README name, so that those that write files leave the sources alone.
pub(super) fn checkout(name: &str) -> PathBuf {
    let copy = workplace(name);
    for folder in ["examples", "gdl"] {
        copy_folder(&Path::new(env!("CARGO_MANIFEST_DIR")).join(folder), &copy.join(folder));
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
