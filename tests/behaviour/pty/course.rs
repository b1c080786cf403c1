//! Tasks of the course at the prompt: the marks are kept from one session to the next.

use super::{Terminal, home};

#[test]
fn marks_are_kept() {
    let home = home("course");
    let mut terminal = Terminal::start("nim", &home);
    terminal.asks("course two_ply_value", "What is the tree worth to max?", "tree> ");
    terminal.asks("answer 14", "not right: 14 is too large", "tree> ");
    terminal.asks("answer 3", "right: it is 3", "tree> ");
    terminal.ends();
    let file = home.join("data/ggp/course.json");
    let kept = std::fs::read_to_string(&file).expect("the marks are kept");
    assert!(kept.contains("\"right\": true") && kept.contains("\"tries\": 2"), "{kept}");
    let mut terminal = Terminal::start("nim", &home);
    terminal.asks("course", "2 tries", "nim> ");
    terminal.ends();
    std::fs::write(&file, "{").expect("it can be written");
    let mut terminal = Terminal::run(&["repl", "nim"], &home, false);
    terminal.sees("warning");
    terminal.sees("nim> ");
    terminal.asks("course two_ply_value", "worth to max?", "tree> ");
    terminal.asks("answer 3", "right: it is 3", "tree> ");
    terminal.ends();
    assert_eq!(std::fs::read_to_string(&file).ok().as_deref(), Some("{"), "a damaged file is not replaced");
}
