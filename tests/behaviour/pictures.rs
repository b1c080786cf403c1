//! What drawings of searches show: shapes, bounds, probabilities, ties, stages of alpha-beta, lists, boards.

use crate::sessions::say;
use ggp::repl::Session;
use std::path::{Path, PathBuf};
use std::sync::Arc;

/// The connect-four position of the coursework, in which player 2 (yellow) is to move.
const POSITION: &str = "OO.... OOXOXX X..... OXXOXX XO.... OOXOXX OOOXOX";

fn directory(name: &str) -> PathBuf {
    let path = Path::new(env!("CARGO_TARGET_TMPDIR")).join("pictures").join(name);
    // It may not exist yet.
    _ = std::fs::remove_dir_all(&path);
    std::fs::create_dir_all(&path).expect("a directory can be made");
    path
}

/// The answers of a session about a game, and its folder.
fn about(name: &str, game: &str, lines: &[&str]) -> (Vec<String>, PathBuf) {
    let folder = directory(name);
    let mut session = Session::new(&folder, Arc::default());
    let loaded = say(&mut session, &format!("load {game}"));
    assert!(!loaded.starts_with("error"), "{loaded}");
    (lines.iter().map(|line| say(&mut session, line)).collect(), folder)
}

/// The text that a command writes into a file.
fn file(name: &str, game: &str, command: &str) -> String {
    let (answers, folder) = about(name, game, &[command]);
    std::fs::read_to_string(folder.join("out")).unwrap_or_else(|_| panic!("{answers:?}"))
}

/// How often a class or a shape occurs in a picture.
fn count(picture: &str, class: &str) -> usize {
    picture.matches(&format!("class=\"{class}\"")).count()
}

/// The number of squares, which have two colours, in a picture.
fn squares(picture: &str) -> usize {
    ["cell", "cell odd", "cell last"].into_iter().map(|class| count(picture, class)).sum()
}

/// Games without a board show their values as cards, with shapes where they have some.
#[test]
fn values_are_cards_where_there_is_no_board() {
    let pig = file("pig", "pig_dice", "show --svg out");
    assert_eq!((count(&pig, "card"), count(&pig, "shape die5")), (5, 0), "whose turn it is, is no card");
    for name in ["first score", "second score", "pot", "turn", "the die is thrown"] {
        assert!(pig.contains(&format!(">{name}</text>")), "{name}");
    }
    let hands = file("hands", "rock_paper_scissors", "show --svg out");
    assert_eq!((count(&hands, "card"), count(&hands, "shape fist")), (2, 2));
    let (_, folder) = about("thrown", "pig_dice", &["do roll", "show --svg out"]);
    let thrown = std::fs::read_to_string(folder.join("out")).expect("it is written");
    assert_eq!(count(&thrown, "shape die5"), 1, "what holds is shown by a shape that its words name");
}

/// Values of a sheet that declares nothing are cards too; a relation of which several facts hold is none.
#[test]
fn undeclared_values_are_cards() {
    let folder = directory("undeclared");
    let sheet = "role(robot) legal(robot,wait) goal(robot,0) terminal :- true(over)
        init(level(3)) init(has(robot,key)) init(seen(a)) init(seen(b)) init(seen(c)) init(awake)";
    std::fs::write(folder.join("cards.gdl"), sheet).expect("the folder can be written");
    let mut session = Session::new(&folder, Arc::default());
    say(&mut session, "load cards.gdl");
    say(&mut session, "show --svg out");
    let picture = std::fs::read_to_string(folder.join("out")).expect("it is written");
    assert_eq!(count(&picture, "card"), 3);
    for text in [">level</text>", ">3</text>", ">robot has</text>", ">key</text>", ">awake</text>", ">seen(a)</text>"] {
        assert!(picture.contains(text), "{text} {picture}");
    }
}

/// A game tree is drawn with the node where the game is, by declarations and of trees typed as brackets.
#[test]
fn game_trees_are_drawn() {
    for (name, game, nodes, discs) in
        [("lecture", "minimax_tree", 12, 4), ("typed", TWO_PLY, 12, 4), ("chance", "expectimax_tree", 3, 4)]
    {
        let tree = file(name, game, "show --svg out");
        assert_eq!((count(&tree, "link"), count(&tree, "shape node")), (nodes, discs), "{game}");
    }
    let three = file("three", "three_player_tree", "show --svg out");
    assert!(three.contains(">1,2,6</text>"), "leaves show what they are worth");
    let many = file("many", "uniform(4,5)", "show --svg out");
    assert_eq!(count(&many, "link"), 0, "a large tree is not drawn");
}

/// A row whose squares the rules pair has two rows, and stores at its ends.
#[test]
fn opposite_squares_are_hollows() {
    let folder = directory("mancala");
    let (pits, links): (Vec<String>, Vec<String>) =
        (1..=6).map(|pit| (format!("init(pit(p{pit},s4)) "), format!("next_to(p{pit},p{}) ", pit % 6 + 1))).unzip();
    let sheet = format!(
        "role(robot) legal(robot,wait) goal(robot,0) terminal :- true(over) {} {} init(pit(home,s0)) init(pit(away,s13))
        opposite(p1,p6) opposite(p2,p5) opposite(p3,p4) after(robot,p3,home) after(robot,p1,away)",
        pits.concat(),
        links.concat()
    );
    std::fs::write(folder.join("mancala.gdl"), sheet).expect("the folder can be written");
    let mut session = Session::new(&folder, Arc::default());
    say(&mut session, "load mancala.gdl");
    say(&mut session, "show --svg out");
    let picture = std::fs::read_to_string(folder.join("out")).expect("it is written");
    assert_eq!((count(&picture, "pit"), count(&picture, "shape seed")), (8, 6 * 4 + 13));
    let place = |name: &str| {
        let line = picture.lines().find(|line| line.contains(&format!(">{name}: "))).expect("it is there");
        let number = |key: &str| line.split_once(key).and_then(|(_, rest)| rest.split_once('"')?.0.parse::<f64>().ok());
        (number(" x=\"").expect("a number"), number(" y=\"").expect("a number"))
    };
    let (p1, p3, p4, p6) = (place("p1"), place("p3"), place("p4"), place("p6"));
    assert!(p1.0 < p3.0 && p6.0 == p1.0 && p4.0 == p3.0 && p6.1 < p1.1, "{p1:?} {p3:?} {p4:?} {p6:?}");
    assert!(place("away").0 < p1.0 && place("home").0 > p3.0, "stores stand where seeds come from");
}

const TWO_PLY: &str = "[[3 12 8] [2 4 6] [14 5 2]]";

/// The figure of the textbook: the intervals after each leaf.
#[test]
fn the_stages_of_alpha_beta_are_those_of_the_textbook() {
    let (answers, _) = about("stages", TWO_PLY, &["alphabeta --stages"]);
    insta::assert_snapshot!(answers[0]);
    let panels = file("panels", TWO_PLY, "alphabeta --tree stages out");
    assert_eq!(panels.matches("class=\"title\"").count(), 7);
    for interval in
        ["[-∞, ∞]", "[-∞, 3]", "[3, ∞]", "[3, 3]", "[-∞, 2]", "[3, 14]", "[-∞, 14]", "[3, 5]", "[-∞, 5]", "[2, 2]"]
    {
        assert!(panels.contains(&format!(">{interval}</text>")), "{interval}");
    }
}

#[test]
fn stages_are_refused_where_values_are_not_known() {
    let (answers, _) = about("refused", "tic_tac_toe", &["alphabeta --depth 4 --table --stages", "minimax --stages"]);
    assert!(answers[0].contains("stages are for a search without a table"), "{}", answers[0]);
    assert!(answers[1].contains("`minimax` has no option `--stages`"), "{}", answers[1]);
}

/// The numbers of leaves are those of an independent program: 5 with the best order, 9 with the worst; perfect order
/// sees b^⌈m/2⌉ + b^⌊m/2⌋ - 1 leaves (Knuth and Moore).
#[test]
fn orders_see_as_many_leaves_as_the_theory_says() {
    let leaves = |game: &str, order: &str| {
        let (answers, _) = about("orders", game, &[&format!("alphabeta --order {order} --json")]);
        let answer: serde_json::Value = serde_json::from_str(&answers[0]).expect("an object");
        let cost = |name: &str| answer["cost"][name].as_u64().expect("a number");
        (cost("nodes") - cost("expanded"), answer["utility"].clone())
    };
    assert_eq!(["best", "given", "worst"].map(|order| leaves(TWO_PLY, order).0), [5, 7, 9]);
    for (width, plies, perfect) in [(3, 2, 5), (3, 4, 17), (2, 7, 23), (4, 3, 19), (5, 4, 49)] {
        for seed in 0..3 {
            let game = format!("uniform({width},{plies},{seed})");
            let (best, worst, random) = (leaves(&game, "best"), leaves(&game, "worst"), leaves(&game, "random"));
            assert_eq!(best.0, perfect, "{game}");
            assert!(best.0 <= random.0 && random.0 <= worst.0, "{game}: {best:?} {random:?} {worst:?}");
            assert!(best.1 == worst.1 && best.1 == random.1, "{game}: the value does not depend on the order");
        }
    }
    assert_eq!(leaves("tic_tac_toe", "best").1, 50);
}

/// Over all 1,296 orders of the tree 5, 6, 7, 8 and 9 leaves occur 48, 96, 432, 384 and 336 times, so the mean is
/// 7.667.
#[test]
fn random_orders_see_as_many_leaves_on_average_as_all_orders() {
    let folder = directory("random");
    let mut session = Session::new(&folder, Arc::default());
    say(&mut session, &format!("load {TWO_PLY}"));
    let leaves = |session: &mut Session| {
        let answer: serde_json::Value = serde_json::from_str(&say(session, "alphabeta --order random --json")).unwrap();
        answer["cost"]["nodes"].as_u64().unwrap() - answer["cost"]["expanded"].as_u64().unwrap()
    };
    let runs = 600;
    let mut counts = std::collections::BTreeMap::new();
    (0..runs).for_each(|_| *counts.entry(leaves(&mut session)).or_insert(0_u64) += 1);
    assert_eq!(counts.keys().copied().collect::<Vec<_>>(), [5, 6, 7, 8, 9]);
    let sum: u64 = counts.iter().map(|(leaves, count)| leaves * count).sum();
    let (mean, deviation) = (sum as f64 / runs as f64, 1.18);
    assert!((mean - 7.667).abs() < 4.0 * deviation / f64::from(600_u16).sqrt(), "{mean}");
}

/// The coursework's tree of negamax: scores from the side of the player who moved, wins infinite.
#[test]
fn negamax_reports_scores_from_the_side_that_moved() {
    let list = file("negamax", "connect_four", "negamax --depth 3 --eval connect_four_weights --tree list out");
    assert!(list.starts_with("node  move"), "{list}");
    let folder = directory("negamax_position");
    let mut session = Session::new(&folder, Arc::default());
    say(&mut session, "load connect_four");
    assert_eq!(say(&mut session, &set()).lines().count(), 1);
    let answer = say(&mut session, "negamax --depth 3 --eval connect_four_weights --tree list out");
    assert!(answer.contains("estimate 15 by drop(5)") && answer.contains("31 nodes"), "{answer}");
    insta::assert_snapshot!("negamax", std::fs::read_to_string(folder.join("out")).unwrap());
    let answer = say(&mut session, "alphabeta --depth 3 --eval connect_four_weights --tree list out --force");
    assert!(answer.contains("28 nodes"), "{answer}");
    insta::assert_snapshot!("alphabeta", std::fs::read_to_string(folder.join("out")).unwrap());
}

/// The command that sets the position of the coursework.
fn set() -> String {
    let mut facts = vec!["control(yellow)".to_string()];
    for (column, discs) in (1..).zip(POSITION.split(' ')) {
        for (row, disc) in (1..).zip(discs.chars()) {
            match disc {
                'O' => facts.push(format!("square({column},{row},red)")),
                'X' => facts.push(format!("square({column},{row},yellow)")),
                _ => {}
            }
        }
    }
    format!("set {}", facts.join(" "))
}

/// A cut branch reports a bound, which is not a tie.
#[test]
fn bounds_are_marked_and_are_no_ties() {
    let text = file("bounds", "[[10 10] [10 0]]", "alphabeta --ties --tree text out");
    insta::assert_snapshot!(text);
    let cut = file("cut", "[[10 10] [10 0]]", "alphabeta --tree text out");
    assert!(cut.contains("≤ 10") && !cut.contains("a1: ▽ #1 min, α -∞, β ∞, 10, tie"), "{cut}");
}

#[test]
fn chance_nodes_show_probabilities() {
    let text = file("chance", "[(1/2: 8  1/3: 24  1/6: -12) 3]", "expectimax --tree text out");
    insta::assert_snapshot!(text);
    let svg = file("chance_svg", "[(1/2: 8  1/3: 24  1/6: -12) 3]", "expectimax --tree svg out");
    assert!(svg.contains(">b2 1/3</text>") && svg.contains("<ellipse") && svg.contains("class=\"node up"), "{svg}");
}

#[test]
fn a_tie_of_three_players_is_shown_as_one() {
    let text = file("maxn", "three_player_tree", "maxn --tree text out");
    insta::assert_snapshot!(text);
}

/// The first plies of tic-tac-toe: three moves that are different, and their two, five and five answers.
#[test]
fn boards_are_drawn_and_symmetric_children_merged() {
    let all = file("boards", "tic_tac_toe", "minimax --depth 2 --tree svg out --boards");
    assert_eq!(squares(&all), 82 * 9);
    let merged = file("merged", "tic_tac_toe", "minimax --depth 2 --tree svg out --boards --merge");
    assert_eq!(squares(&merged), (1 + 3 + 12) * 9);
    assert!(merged.contains("×4"));
    let (answers, _) = about("no_tree", "tic_tac_toe", &["minimax --depth 1 --boards"]);
    assert!(answers[0].contains("`--boards` and `--merge` are for a drawn tree"), "{}", answers[0]);
}

#[test]
fn wrong_formats_and_orders_are_named() {
    let lines = ["alphabeta --tree png out", "alphabeta --order first", "alphabeta --order"];
    let (answers, _) = about("wrong", TWO_PLY, &lines);
    assert!(answers[0].contains("`text`, `list`, `dot`, `svg` or `stages`, not `png`"), "{}", answers[0]);
    assert!(
        answers[1].contains("`given`, `evaluation`, `estimate`, `table`, `best`, `worst` or `random`, not `first`"),
        "{}",
        answers[1]
    );
    assert!(answers[2].contains("`--order` needs a value"), "{}", answers[2]);
}

/// A plan and a match as films: a frame for each state, with the move and the score.
#[test]
fn plans_and_matches_are_replayed() {
    let plan = "replay right down right down --svg plan.svg --html plan.html --sheet sheet.svg";
    let (answers, folder) =
        about("film", "eight_puzzle", &[plan, "do right", "do down", "replay --svg match.svg", "state"]);
    assert_eq!(answers[0], "plan.svg: 5 frames\nplan.html: 5 frames\nsheet.svg: 5 frames\n");
    assert_eq!(answers[3], "match.svg: 3 frames\n");
    assert!(answers[4].contains("step(2)"), "a replay leaves the position: {}", answers[4]);
    let read = |name: &str| std::fs::read_to_string(folder.join(name)).unwrap();
    let (film, page, sheet) = (read("plan.svg"), read("plan.html"), read("sheet.svg"));
    for text in [&film, &page, &sheet] {
        assert_eq!(squares(text), 5 * 9);
        assert!(text.contains("4: down") && text.contains("the end: robot 100"));
    }
    assert!(film.contains("@keyframes show") && !film.contains("<script"), "an SVG picture has no scripts");
    assert!(page.contains("id=\"play\"") && !page.contains("http"), "a page needs no network");
    let theme = include_str!("../../crates/draw/src/theme.css");
    assert!(page.contains(theme) && page.contains("var(--paper)"), "it looks like the page of the server");
    assert!(
        !film.contains("var(") && film.contains(".cell{fill:#eee6d6"),
        "an SVG picture has values, and no properties"
    );
    assert_eq!(sheet.matches("class=\"frame-box\"").count(), 5);
    assert!(!sheet.contains("@keyframes"));
}

#[test]
fn films_show_the_utilities_that_a_sheet_declares() {
    let (_, folder) = about("score", "pacman_corridor_small", &["replay west west --sheet out"]);
    let sheet = std::fs::read_to_string(folder.join("out")).unwrap();
    assert!(sheet.contains("the end: pacman 8") && sheet.contains("2: west"), "{sheet}");
}

#[test]
fn wrong_replays_are_refused_and_change_nothing() {
    let lines = ["replay", "replay right sideways --svg x.svg", "replay right --svg missing/x.svg", "state"];
    let (answers, folder) = about("refused_film", "eight_puzzle", &lines);
    assert!(answers[0].contains("where to? `--watch` draws here"), "{}", answers[0]);
    assert!(answers[1].starts_with("error: ") && answers[1].contains("sideways"), "{}", answers[1]);
    assert!(answers[2].starts_with("error: ") && answers[2].contains("missing/x.svg"), "{}", answers[2]);
    assert!(answers[3].contains("step(0)") && !folder.join("x.svg").exists(), "{}", answers[3]);
}
