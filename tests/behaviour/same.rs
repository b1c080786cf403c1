//! `ggp same`: renamed and reordered sheets are the same, and one changed rule is found, with the moves that show it.

use crate::program::call;
use std::path::{Path, PathBuf};

/// A folder for the sheets of a test, removed at its end.
struct Folder(PathBuf);

impl Folder {
    fn new(name: &str) -> Self {
        let path = Path::new(env!("CARGO_TARGET_TMPDIR")).join(name);
        std::fs::create_dir_all(&path).expect("the folder can be made");
        Self(path)
    }

    fn sheet(&self, name: &str, text: &str) -> String {
        let path = self.0.join(name);
        std::fs::write(&path, text).expect("the file can be written");
        path.to_str().expect("the path is text").to_string()
    }
}

impl Drop for Folder {
    fn drop(&mut self) {
        let _ = std::fs::remove_dir_all(&self.0);
    }
}

fn library(name: &str) -> String {
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("gdl").join(format!("{name}.gdl"));
    std::fs::read_to_string(path).expect("the game is there")
}

/// A sheet of the library in which a text is replaced.
fn changed(name: &str, from: &str, to: &str) -> String {
    let text = library(name);
    assert!(text.contains(from), "{name} has no `{from}`");
    text.replacen(from, to, 1)
}

/// Sheets with other names in another order are the same by their rules, small and large ones, in either dialect.
#[test]
fn scrambled_sheets_are_the_same() {
    let folder = Folder::new("same_scrambled");
    let games = [
        "tic_tac_toe",
        "three_puzzle",
        "eight_puzzle",
        "connect_four",
        "breakthrough_6x6",
        "nim",
        "peg_solitaire",
        "rock_paper_scissors",
        "dice_race",
        "monty_hall",
        "minimax_tree",
        "lights_out",
        "hanoi",
        "pacman_small",
        "buttons_and_lights",
        "blocksworld_tiles",
    ];
    for (seed, name) in games.into_iter().enumerate() {
        let dialect = if seed % 2 == 0 { "infix" } else { "prefix" };
        let scrambled = call(&["scramble", name, "--seed", &seed.to_string(), "--to", dialect]);
        assert_eq!(scrambled.code, 0, "{}", scrambled.talk);
        let file = folder.sheet(&format!("{name}.gdl"), &scrambled.answer);
        let called = call(&["same", name, &file]);
        assert_eq!(called.code, 0, "{name}: {}{}", called.answer, called.talk);
        assert!(
            called.answer.starts_with("the same: the rules differ only in their order and in names ("),
            "{}",
            called.answer
        );
    }
}

#[test]
fn what_is_scrambled_depends_on_the_seed_alone_and_shows_no_name() {
    let one = call(&["scramble", "tic_tac_toe", "--seed", "3"]).answer;
    assert_eq!(one, call(&["scramble", "tic_tac_toe", "--seed", "3"]).answer);
    assert_ne!(one, call(&["scramble", "tic_tac_toe", "--seed", "4"]).answer);
    for name in ["cell", "mark", "control", "xplayer", "noop", "row"] {
        assert!(!one.contains(name), "{name} in {one}");
    }
    let wrong = call(&["scramble", "no_such_game"]);
    assert_eq!(wrong.code, 2);
}

/// Sheets that are written otherwise are the same if all states show it.
#[test]
fn other_rules_for_the_same_game_are_the_same_by_their_states() {
    let folder = Folder::new("same_states");
    // A fact that nothing asks for, and a rule in two halves.
    let spare = library("tic_tac_toe") + "\ninit(spare(1))\nnext(spare(1)) :- true(spare(1))\n";
    let file = folder.sheet("spare.gdl", &spare);
    let called = call(&["same", "tic_tac_toe", &file]);
    assert_eq!(
        (called.code, called.answer.as_str()),
        (0, "the same: proven for 5,478 states; the moves have the same names\n")
    );
    // The picture of a state may be another one: a counter counts down.
    let up = "role(r) init(n(0)) legal(r,a) legal(r,b) next(n(1)) :- true(n(0)) next(n(2)) :- true(n(1)) & does(r,a) \
              next(n(3)) :- true(n(1)) & does(r,b) terminal :- true(n(2)) terminal :- true(n(3)) \
              goal(r,100) :- true(n(2)) goal(r,0) :- ~true(n(2))";
    let tree = "role(s) init(start) legal(s,left) legal(s,right) next(middle) :- true(start) \
                next(good) :- true(middle) & does(s,right) next(bad) :- true(middle) & does(s,left) \
                terminal :- true(good) terminal :- true(bad) goal(s,100) :- true(good) goal(s,0) :- ~true(good)";
    let (one, other) = (folder.sheet("up.gdl", up), folder.sheet("tree.gdl", tree));
    let called = call(&["same", &one, &other]);
    assert_eq!(called.code, 0, "{}", called.answer);
    assert!(called.answer.starts_with("the same: "), "{}", called.answer);
}

/// Each change of one rule is found, with the moves that lead to it.
#[test]
fn one_changed_rule_is_found() {
    let folder = Folder::new("same_changed");
    let cases = [
        ("three_puzzle", "goal(robot,0)", "goal(robot,1)"),
        ("tic_tac_toe", "goal(oplayer,50)", "goal(oplayer,40)"),
        ("nim", "goal(", "goal("),
    ];
    for (name, from, to) in cases {
        let text = library(name);
        if !text.contains(from) || from == to {
            continue;
        }
        let file = folder.sheet(&format!("{name}.gdl"), &text.replacen(from, to, 1));
        let called = call(&["same", name, &file]);
        assert_eq!(called.code, 1, "{name}: {}{}", called.answer, called.talk);
        assert!(called.answer.contains("the goal of"), "{}", called.answer);
    }
    // Forgotten turns: both may move.
    let file = folder.sheet("turns.gdl", &changed("tic_tac_toe", "true(control(", "role(P) & true(other("));
    assert_eq!(call(&["same", "tic_tac_toe", &file]).code, 1);
}

/// The first difference, as text and in JSON; the line can be given to `do`.
#[test]
fn the_first_difference_is_told() {
    let folder = Folder::new("same_told");
    let walk = |end: u32, value: u32| {
        format!(
            "role(robot) init(at(1)) legal(robot,go) legal(robot,rest) next(at(2)) :- does(robot,go) & true(at(1)) \
             next(at(3)) :- does(robot,go) & true(at(2)) next(at(N)) :- does(robot,rest) & true(at(N)) \
             terminal :- true(at({end})) goal(robot,{value}) :- true(at({end})) goal(robot,0) :- ~true(at({end}))"
        )
    };
    let one = folder.sheet("one.gdl", &walk(3, 100));
    let shorter = folder.sheet("shorter.gdl", &walk(2, 100));
    let cheaper = folder.sheet("cheaper.gdl", &walk(3, 90));
    let called = call(&["same", &one, &shorter]);
    assert_eq!((called.code, called.answer.as_str()), (1, "they differ after go: shorter is over, one is not\n"));
    let called = call(&["same", &one, &cheaper]);
    assert_eq!(called.answer, "they differ after go, go: the goal of robot is 100 in one, 90 in cheaper\n");
    let called = call(&["same", "--json", &one, &cheaper]);
    let json: serde_json::Value = serde_json::from_str(&called.answer).expect("it is JSON");
    assert_eq!(json["verdict"], "different");
    assert_eq!(json["lines"], serde_json::json!([[["go"], ["go"]], [["go"], ["go"]]]));
    let called = call(&["same", &one, "tic_tac_toe"]);
    assert_eq!((called.code, called.answer.as_str()), (1, "they differ: one 1 role, tic_tac_toe 2 roles\n"));
}

/// Games with too many states are played in step.
#[test]
fn large_games_are_played_in_step() {
    let folder = Folder::new("same_large");
    let spare = library("connect_four") + "\ninit(spare(1))\nnext(spare(1)) :- true(spare(1))\n";
    let file = folder.sheet("spare.gdl", &spare);
    let called = call(&["same", "connect_four", &file, "--games", "20", "--states", "1000"]);
    assert_eq!(
        (called.code, called.answer.as_str()),
        (3, "no difference in 20 games, and no proof that there is none\n")
    );
}

/// Roles of other names may stand for each other in any order: that the first order shows a difference proves none.
#[test]
fn large_games_are_played_in_every_order_of_the_roles() {
    let folder = Folder::new("same_orders");
    let spare = library("connect_four") + "\ninit(spare(1))\nnext(spare(1)) :- true(spare(1))\n";
    let swapped = |text: &str| {
        text.replace("role(red)\nrole(yellow)", "role(yellow)\nrole(red)")
            .replace("red", "rouge")
            .replace("yellow", "jaune")
    };
    assert!(swapped(&spare).contains("role(jaune)\nrole(rouge)"));
    let file = folder.sheet("swapped.gdl", &swapped(&spare));
    let limits = ["--games", "20", "--states", "1000"];
    let called = call(&[&["same", "connect_four", &file][..], &limits].concat());
    assert_eq!(
        (called.code, called.answer.as_str()),
        (3, "no difference in 20 games, and no proof that there is none\n")
    );
    // A difference in each order is one.
    let file = folder.sheet("gift.gdl", &swapped(&(spare + "\nlegal(red,gift) :- true(control(red))\n")));
    let called = call(&[&["same", "connect_four", &file][..], &limits].concat());
    assert_eq!(called.code, 1, "{}", called.answer);
}

/// Rules that choose at once: moves are paired so that all that follows fits.
#[test]
fn simultaneous_moves_are_paired() {
    let folder = Folder::new("same_simultaneous");
    let game = |best: &str, second: &str| {
        let moves = ["a", "b", "c"];
        let mut text = "role(x) role(y) init(start) ".to_string();
        for chosen in moves {
            text += &format!("legal(x,{chosen}) :- true(start) legal(y,{chosen}) :- true(start) ");
        }
        text + &format!(
            "next(won) :- does(x,{best}) & does(y,{second}) next(over) :- true(start) terminal :- true(over) \
             goal(x,100) :- true(won) goal(x,0) :- ~true(won) goal(y,0)"
        )
    };
    let one = folder.sheet("one.gdl", &game("a", "b"));
    let other = folder.sheet("other.gdl", &(game("c", "c") + " init(spare) next(spare)"));
    let called = call(&["same", &one, &other]);
    assert_eq!(
        (called.code, called.answer.as_str()),
        (0, "the same: proven for 3 states; the moves have other names\n")
    );
    // Two ways to win are another game than one.
    let more = folder.sheet("more.gdl", &(game("a", "b") + " next(won) :- does(x,b) & does(y,a)"));
    assert_eq!(call(&["same", &one, &more]).code, 1);
}

#[test]
fn canonical_text_is_one_for_all_orders() {
    let folder = Folder::new("same_canonical");
    let one = folder.sheet("one.gdl", "% words\np(X) :- q(X,Y) & ~r(Y)\nrole(a)\nq(1,2)\n");
    let other = folder.sheet("other.gdl", "q(1,2)\nrole(a)\np(A) :- ~r(B) & q(A,B)\nq(1,2)\n");
    let text = call(&["fmt", "--canonical", &one]).answer;
    assert_eq!(text, call(&["fmt", "--canonical", &other]).answer);
    assert!(text.starts_with("role(a)\n") && !text.contains("words"), "{text}");
    let broken = folder.sheet("broken.gdl", "role(a");
    assert_eq!(call(&["fmt", "--canonical", &broken]).code, 2);
}

/// What `ggp new` writes checks without problems and plays to its end.
#[test]
fn a_new_sheet_checks_and_plays() {
    for (players, board) in [("1", "3x3"), ("2", "3x3"), ("2", "8x8"), ("3", "1x5"), ("6", "4x2"), ("1", "1x2")] {
        let folder = Folder::new("new_sheets");
        let text = ggp_new(&folder.0, &["made", "--players", players, "--board", board]);
        let file = folder.sheet("made_again.gdl", &text);
        let called = call(&["check", "--deny", "warnings", "--simulate", "100", &file]);
        assert_eq!(called.code, 0, "{players} {board}: {}{}", called.answer, called.talk);
    }
    for (arguments, problem) in [
        (["x", "--players", "0"], "0 is not in 1..=6"),
        (["x", "--board", "8"], "a board is COLUMNSxROWS"),
        (["x", "--board", "1x1"], "more than one cell"),
        (["../x", "--board", "2x2"], "a name has letters"),
    ] {
        let called = call(&[&["new"], &arguments[..]].concat());
        assert_eq!(called.code, 2);
        assert!(called.talk.contains(problem), "{}", called.talk);
    }
}

/// The sheet that `ggp new` writes in a folder. A second call keeps it.
fn ggp_new(folder: &Path, arguments: &[&str]) -> String {
    let run = || {
        let mut command = std::process::Command::new(env!("CARGO_BIN_EXE_ggp"));
        command.arg("new").args(arguments).current_dir(folder).output().expect("it runs")
    };
    let first = run();
    assert!(first.status.success(), "{}", String::from_utf8_lossy(&first.stderr));
    let again = run();
    assert_eq!(again.status.code(), Some(2), "the file is kept");
    std::fs::read_to_string(folder.join("made.gdl")).expect("it is written")
}

/// What roles see is compared by the rules alone, and the answer says so.
#[test]
fn games_that_differ_in_what_roles_see_are_no_same_games() {
    let folder = Folder::new("same_percepts");
    let sheet = |percept: &str| {
        format!(
            "role(a)\nrole(random)\ninit(closed)\nlegal(a,wait)\nlegal(random,throw(X)) :- side(X)\nside(1)\nside(2)\n\
             next(open) :- does(a,wait)\nterminal :- true(open)\ngoal(R,50) :- role(R)\n{percept}\n"
        )
    };
    let seen = folder.sheet("seen.gdl", &sheet("sees(a,X) :- does(random,throw(X))"));
    let unseen = folder.sheet("unseen.gdl", &sheet("sees(a,thrown) :- does(random,throw(X))"));
    let called = call(&["same", &seen, &unseen]);
    let expected = "no difference in the moves, ends and goals of 2 states; what roles see (`sees`) is compared by the rules \
        alone, which are not the same\n";
    assert_eq!((called.code, called.answer.as_str()), (3, expected));
    let json: serde_json::Value =
        serde_json::from_str(&call(&["same", "--json", &seen, &unseen]).answer).expect("it is JSON");
    assert_eq!(json, serde_json::json!({ "verdict": "unknown", "states": [2, 2], "percepts_unknown": true }));
    // Where play is compared by games alone, this is said as well.
    let called = call(&["same", &seen, &unseen, "--states", "1", "--games", "3"]);
    let expected = "no difference in 3 games, and no proof that there is none; what roles see (`sees`) is compared by the \
        rules alone, which are not the same\n";
    assert_eq!((called.code, called.answer.as_str()), (3, expected));
    let renamed = folder.sheet("renamed.gdl", &sheet("sees(a,Y) :- does(random,throw(Y))"));
    assert_eq!(call(&["same", &seen, &renamed]).code, 0);
}
