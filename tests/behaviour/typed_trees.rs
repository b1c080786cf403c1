//! Trees typed as brackets: games like any other, with the lecture's numbers, and messages for what is no tree.

use crate::effort::effort;
use crate::sessions::say;
use ggp::diagnostic::render::{Paint, to_text};
use ggp::engine::{check_text, simulate};
use ggp::repl::{Session, evaluate};
use ggp::syntax::{Source, brackets};
use proptest::prelude::*;
use std::path::Path;
use std::sync::Arc;

/// The answer about a tree of `course`, or one that is typed, up to the cost.
fn about(tree: &str, line: &str) -> String {
    let mut session = Session::new(Path::new(env!("CARGO_MANIFEST_DIR")).join("gdl/course"), Arc::default());
    evaluate(&mut session, &format!("load {tree}")).unwrap_or_else(|error| panic!("{tree}: {error}"));
    let answer = say(&mut session, line);
    answer.split_once(" (").map_or(answer.clone(), |(value, _)| value.to_string())
}

/// The values of the lecture, as they are printed there or computed by hand from its leaves.
#[test]
fn the_trees_of_the_lecture_have_its_values() {
    let values = [
        ("two_ply.tree", "minimax", "max: 3 by a1"),
        ("[[3 12 8] [2 4 6] [14 5 2]]", "negamax", "max: 3 by a1"),
        ("signs.tree", "minimax", "max: -8 by a1"),
        ("risk.tree", "minimax", "max: 10 by a1"),
        ("quiz_1.tree", "alphabeta", "max: 8 by a1"),
        ("quiz_2.tree", "alphabeta", "max: 10 by a1"),
        ("false_tie.tree", "alphabeta --ties", "max: 10 by a1"),
        ("horizon.tree", "minimax", "max: 4 by a2"),
        ("corridor_4_6.tree", "bestplan", "a1 b1: 8 in 2 moves"),
        ("corridor_5_6.tree", "maxscore", "8"),
        ("corridor_5_10.tree", "minimax", "max: 8 by a1"),
        ("chance.tree", "expectimax", "max: 10 expected with noop"),
        ("airport.tree", "expectimax", "max: 35 expected with noop"),
        ("two_dice.tree", "expectimax", "max: 7 expected with noop"),
        ("expectimax.tree", "expectimax", "max: 8 expected by a1"),
        ("three_players.tree", "maxn", "a: 1, b: 2, c: 6 by a1 b1 c1"),
        ("three_players_2.tree", "maxn", "a: 5, b: 2, c: 5 by a2 e2 g2"),
        ("[[1.5 -2.25] [-0.5 1000]]", "minimax", "max: -0.5 by a2"),
        ("[[3,12,8], [2, 4,6] [14 5 2]]", "minimax", "max: 3 by a1"),
        ("(1/2: 8, 1/3: 24, 1/6: -12)", "expectimax", "max: 10 expected"),
        ("max[(1/2: [4 6]  1/2: [-10 20]) 1]", "expectiminimax", "max: 1 expected by a2"),
    ];
    for (tree, line, expected) in values {
        let found = about(tree, line);
        assert!(found.starts_with(expected), "{tree}, {line}: {found}");
    }
}

#[test]
fn alpha_beta_cuts_what_the_lecture_cuts() {
    let costs = |tree: &str| {
        let mut session = Session::new("", Arc::default());
        evaluate(&mut session, &format!("load {tree}")).unwrap();
        say(&mut session, "alphabeta")
    };
    assert!(costs("[[3 12 8] [2 4 6] [14 5 2]]").contains("11 nodes, 4 expanded"), "7 leaves of 9");
    assert!(costs("[[10 8] [4 50]]").contains("6 nodes, 3 expanded"), "3 leaves of 4");
    assert!(costs("[[[10 6] [100 8]] [[1 2] [20 4]]]").contains("11 nodes, 6 expanded"), "5 leaves of 8");
}

/// A tree is a sheet: it passes the checks, random play finds no problem, and it can be saved and restored.
#[test]
fn trees_are_rule_sheets() {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("gdl/course");
    let mut found = 0;
    for entry in std::fs::read_dir(folder).unwrap() {
        let path = entry.unwrap().path();
        if path.extension().is_none_or(|extension| extension != "tree") {
            continue;
        }
        let source = Source::new("tree", std::fs::read_to_string(&path).unwrap());
        let sheet = Source::new("sheet", brackets::sheet("tree", &source).unwrap());
        let problems = check_text(&sheet, None).diagnostics;
        assert!(problems.is_empty(), "{}: {problems:?}", path.display());
        let mut game = ggp::engine::Game::from_text(sheet.text()).unwrap();
        assert!(simulate(&mut game, 20, 0).unwrap().is_empty(), "{}", path.display());
        found += 1;
    }
    assert_eq!(found, 16);
    let folder = Path::new(env!("CARGO_TARGET_TMPDIR")).join("typed_trees");
    std::fs::create_dir_all(&folder).unwrap();
    let mut session = Session::new(&folder, Arc::default());
    say(&mut session, "load [[3 12] [2 4]]");
    say(&mut session, "do a2");
    let _ = std::fs::remove_file(folder.join("match.json"));
    assert_eq!(say(&mut session, "save match.json"), "match.json: tree, 1 ply\n");
    let mut other = Session::new(&folder, Arc::default());
    assert!(say(&mut other, "restore match.json").contains("ply 1: max a2, min noop"));
    assert_eq!(say(&mut other, "do c1"), "ply 2: max noop, min c1\nthe game is over; max: 2, min: -2\n");
}

#[test]
fn the_sheet_of_a_tree() {
    let sheet = |text: &str| brackets::sheet("tree", &Source::new("tree", text)).unwrap();
    insta::assert_snapshot!(sheet("[[3 12 8] [2 4 6] [14 5 2]]"));
    insta::assert_snapshot!(sheet("max[(1/3: -0.5  2/3: 1000) 7]"));
    insta::assert_snapshot!(sheet("[[(1,2,6) (4,2,3)] [(6,1,2) (7,4,1)]]"));
}

/// The leaves are drawn as utilities of a role, which has to be one of the rules.
#[test]
fn a_layer_of_utilities_names_a_role() {
    let sheet = brackets::sheet("tree", &Source::new("tree", "[[-8 -5] [-10 8]]")).unwrap();
    let problems = |text: &str| check_text(&Source::new("sheet", text), None).diagnostics;
    assert!(problems(&sheet).is_empty());
    let found = problems(&sheet.replace("worth(child,utility(max)", "worth(child,utility(mix)"));
    assert_eq!(found.len(), 1, "{found:?}");
    assert!(found[0].code.id == "W228" && found[0].message.contains("`mix`"), "{found:?}");
}

/// Each text with what is said of it, and the line and column.
#[test]
fn what_is_no_tree_is_said_with_its_position() {
    let texts = [
        "",
        "[",
        "[]",
        "[[3 12 8] [2 4 6] [14 5 2]",
        "[3 4]]",
        "[3 4] 5",
        "[3 (]",
        "[3 4)",
        "[3 x]",
        "x[3 4]",
        "c[(1,2) (3,4)]",
        "[3 (4)]",
        "(1/2: 3  1/3: 4)",
        "(0.3: 1  0.3: 2  0.3: 3)",
        "(1/2: 3  1/0: 4)",
        "(-1/2: 3  3/2: 4)",
        "(1/2: 3  1/2 4)",
        "(1/2: 3",
        "(1/99991: 1  99990/99991: 2)",
        "[(1,2) (3,4,5)]",
        "[(1,2) 3]",
        "[(1,2 3)]",
        "[0.1234567 2]",
        "[99999999999 1]",
        "[1.2.3]",
        "7",
        "% only a comment",
        "[1\n  [2 3]\n  [4 é]\n]",
        "uniform(2)",
        "uniform(0,3)",
        "uniform(10,7)",
        "max 3",
        "exp[]",
        "uniform(2,3",
        "(1: )",
        "[1, 2,]",
        "[1,, 2]",
        "[,1 2]",
        "(1/2: 3, 1/2: 4,)",
    ];
    let shown = texts.map(|text| {
        let source = Source::new("tree", text);
        let problems = brackets::sheet("tree", &source).expect_err(text);
        let lines: String = problems.iter().map(|problem| to_text(problem, &source, Paint::Plain)).collect();
        format!("{text:?}\n{lines}")
    });
    insta::assert_snapshot!(shown.join("\n"));
}

/// A text that is no tree leaves the game and its state as they were.
#[test]
fn a_wrong_tree_leaves_the_game_loaded() {
    let mut session = Session::new("", Arc::default());
    say(&mut session, "load [[3 12] [2 4]]");
    say(&mut session, "do a2");
    let problem = say(&mut session, "load [[3 12] [2 4]");
    assert!(problem.contains("E002") && problem.contains("this `[` is never closed"), "{problem}");
    assert!(say(&mut session, "load missing.tree").starts_with("error: cannot read"));
    assert_eq!(say(&mut session, "legal min"), "min: c1, c2\n");
}

/// A tree stands where a game does, also among others.
#[test]
fn trees_are_compared() {
    let mut session = Session::new("", Arc::default());
    let line = "compare [[10 8] [4 50]] uniform(2,3) --algorithms minimax,alphabeta:order=best";
    let answer = say(&mut session, line);
    assert_eq!(answer.lines().count(), 5, "{answer}");
    assert!(answer.contains("alphabeta:order=best"), "{answer}");
}

/// The network of a tree grows with its nodes and not with their square: grounding stays within its budget.
#[test]
fn large_trees_are_grounded() {
    let source = Source::new("tree", "uniform(4,5)");
    let sheet = brackets::sheet("tree", &source).unwrap();
    let mut game = ggp::engine::Game::from_text(sheet).unwrap();
    game.set_options(ggp::engine::EngineKind::Propnet.into()).expect("the network is built");
}

#[test]
fn deep_nesting_is_refused_and_not_a_stack_overflow() {
    let text = "[".repeat(100_000) + "1" + &"]".repeat(100_000);
    let problems = brackets::sheet("deep", &Source::new("deep", text)).unwrap_err();
    assert_eq!(problems[0].message, "a tree is at most 256 levels deep");
}

#[test]
fn test_trees_have_their_size_and_are_the_same_for_a_seed() {
    let sheet = |text: &str| brackets::sheet("tree", &Source::new("tree", text)).unwrap();
    assert_eq!(sheet("uniform(3,4,7)"), sheet("uniform(3,4,7)"));
    assert_ne!(sheet("uniform(3,4,7)"), sheet("uniform(3,4,8)"));
    let mut session = Session::new("", Arc::default());
    say(&mut session, "load uniform(3,4)");
    assert!(say(&mut session, "tree").starts_with("tree: 121 nodes, 81 of them terminal; depth 4"));
}

/// A tree of numbers, its text, and its minimax value, computed here.
fn typed() -> impl Strategy<Value = (String, i32)> {
    let leaf = (-300..300_i32).prop_map(Shape::End);
    let shape = leaf.prop_recursive(3, 40, 4, |inner| prop::collection::vec(inner, 1..4).prop_map(Shape::Inner));
    prop::collection::vec(shape, 1..4).prop_map(|children| {
        let root = Shape::Inner(children);
        (root.text(), root.value(true))
    })
}

#[derive(Clone, Debug)]
enum Shape {
    End(i32),
    Inner(Vec<Shape>),
}

impl Shape {
    fn text(&self) -> String {
        match self {
            Self::End(number) => number.to_string(),
            Self::Inner(children) => format!("[{}]", children.iter().map(Self::text).collect::<Vec<_>>().join(" ")),
        }
    }

    fn value(&self, is_max: bool) -> i32 {
        match self {
            Self::End(number) => *number,
            Self::Inner(children) => {
                let values = children.iter().map(|child| child.value(!is_max));
                if is_max { values.max() } else { values.min() }.expect("there is a child")
            }
        }
    }
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(effort(20, 40)))]

    #[test]
    fn minimax_of_a_typed_tree_is_its_value((text, value) in typed()) {
        for algorithm in ["minimax max", "negamax max", "alphabeta max", "alphabeta max --table"] {
            let found = about(&text, algorithm);
            let expected = format!("max: {value} ");
            prop_assert!(found.starts_with(&expected), "{}, {}: {}", text, algorithm, found);
        }
    }

    #[test]
    fn no_text_makes_the_reader_panic(text in "[\\[\\](){}0-9.,:/% \\-a-c\n]{0,60}") {
        let _ = brackets::sheet("any", &Source::new("any", text));
    }
}
