//! `show`: every board of the library as it is drawn, and sheets of other authors, whose facts must all be on the
//! board.

use crate::support;
use ggp::board::{Board, draw};
use ggp::engine::LIBRARY;
use ggp::repl::answer::{Boards, StateFacts};
use ggp::repl::{Answer, Session, Transcript, complete, evaluate, picture, script};
use ggp::rules::GroundTerm;
use std::collections::BTreeSet;
use std::path::Path;
use std::sync::Arc;
use std::sync::atomic::{AtomicUsize, Ordering};

fn session() -> Session {
    Session::new(".", Arc::default())
}

/// A session with a game of this text, completed by moves and an end that are never played.
fn session_with(facts: &str) -> Session {
    let text = format!("role(robot) legal(robot,wait) goal(robot,0) terminal :- true(over) {facts}");
    static SHEETS: AtomicUsize = AtomicUsize::new(0);
    let name = format!("board_{}_{}.gdl", std::process::id(), SHEETS.fetch_add(1, Ordering::Relaxed));
    let file = Path::new(env!("CARGO_TARGET_TMPDIR")).join(name);
    std::fs::write(&file, text).expect("the folder for temporary files can be written");
    let mut session = session();
    session.load(&file).expect("the sheet is valid");
    std::fs::remove_file(&file).expect("the file is there");
    session
}

/// The output of some commands, each after the command itself.
fn transcript(session: &mut Session, commands: &[&str]) -> String {
    let options = script::Options { keep_going: true, echo: true, json: false };
    let lines = commands.iter().map(|line| Ok((*line).to_string()));
    let mut console = Transcript::default();
    script::run(session, "test", lines, options, &mut console).expect("a transcript can be written");
    console.text
}

fn shown(session: &mut Session, command: &str) -> Boards {
    evaluate(session, command).ok().and_then(Answer::downcast).expect("a position is drawn")
}

fn drawn(session: &mut Session, command: &str) -> String {
    shown(session, command).boards.iter().map(draw).collect()
}

/// Moves for the games of the library after which the state looks different.
const MOVES: &[(&str, &[&str])] = &[
    ("blocksworld_tiles", &["left", "up"]),
    ("blocksworld_tiles_walls", &["left", "left", "up"]),
    ("breakthrough_6x6", &["move(2,2,2,3)", "move(2,5,2,4)", "move(1,2,1,3)", "move(2,4,1,3)"]),
    ("connect_four", &["drop(4)", "drop(4)", "drop(5)"]),
    ("eight_puzzle", &["right", "down"]),
    ("hanoi", &["move(left,right)", "move(left,middle)"]),
    ("lights_out", &["press(2,2)"]),
    ("maze", &["right", "down"]),
    ("nim", &["take(1,2)", "take(3,5)"]),
    ("pacman_small", &["up", "up", "stay", "left"]),
    ("three_puzzle", &["right"]),
    ("tic_tac_toe", &["mark(2,2)", "mark(1,3)"]),
];

#[test]
fn the_library_is_drawn() {
    for sheet in LIBRARY {
        let moves = MOVES.iter().find(|(name, _)| *name == sheet.name).map_or(&[][..], |(_, moves)| moves);
        let mut commands = vec![format!("load {}", sheet.name), "show".to_string()];
        commands.extend(moves.iter().map(|chosen| format!("do {chosen}")));
        commands.extend((!moves.is_empty()).then(|| "show".to_string()));
        let commands: Vec<&str> = commands.iter().map(String::as_str).collect();
        insta::assert_snapshot!(format!("board_{}", sheet.name), transcript(&mut session(), &commands));
    }
}

/// The facts of a board's relation are those that can be read back from its cells, and every other fact is listed, or
/// is of a relation that is drawn in another way.
fn assert_complete(session: &mut Session, sheet: &str) {
    let state: StateFacts = evaluate(session, "state").ok().and_then(Answer::downcast).expect("there is a state");
    let facts = state.facts;
    let Boards { boards, facts: listed, .. } = shown(session, "show");
    let declared = declared_relations(sheet);
    let is_of = |fact: &GroundTerm, board: &Board| *fact.name == *board.relation && fact.arguments.len() == board.arity;
    for board in boards.iter().filter(|board| board.relation != "runners") {
        let own: Vec<GroundTerm> = facts.iter().filter(|fact| is_of(fact, board)).cloned().collect();
        let mut found = facts_of(board);
        found.sort();
        assert_eq!(found, own);
    }
    for fact in &facts {
        let is_drawn = boards.iter().any(|board| is_of(fact, board)) || declared.contains(&*fact.name);
        assert_ne!(listed.contains(fact), is_drawn, "{fact}");
    }
}

/// The relations of the declarations of a sheet.
fn declared_relations(text: &str) -> BTreeSet<&str> {
    let words = ["board", "layer", "stack", "bars", "hand", "label"];
    let declared = text.lines().filter_map(|line| line.strip_prefix("%! ")?.split_once(' '));
    let names = declared.filter(|(word, _)| words.contains(word)).map(|(_, rest)| rest);
    names.filter_map(|rest| rest.split(['(', ' ']).next()).collect()
}

/// The facts that a board shows, read back from its cells.
fn facts_of(board: &Board) -> Vec<GroundTerm> {
    let mut facts = Vec::new();
    for (row, cells) in board.rows.iter().zip(&board.cells) {
        for (column, pieces) in board.columns.iter().zip(cells) {
            for piece in pieces.iter().flatten() {
                let mut arguments = vec![GroundTerm::symbol("?"); board.arity];
                let indices = board.axes.rows.iter().zip(row).chain(board.axes.columns.iter().zip(column));
                indices.for_each(|(&index, coordinate)| arguments[index] = coordinate.clone());
                let free = (0..board.arity)
                    .filter(|index| !board.axes.rows.contains(index) && !board.axes.columns.contains(index));
                free.zip(piece).for_each(|(index, term)| arguments[index] = term.clone());
                facts.push(GroundTerm { name: board.relation.as_str().into(), arguments });
            }
        }
    }
    facts
}

#[test]
fn every_fact_is_shown_once() {
    for sheet in LIBRARY {
        let mut session = session();
        session.load(sheet.name).expect("a game of the library loads");
        assert_complete(&mut session, sheet.text);
        for chosen in MOVES.iter().filter(|(name, _)| *name == sheet.name).flat_map(|(_, moves)| *moves) {
            evaluate(&mut session, &format!("do {chosen}")).expect("the move is legal");
            assert_complete(&mut session, sheet.text);
        }
    }
}

/// Sheets of other authors: the relation, rows, columns, and a move.
#[test]
fn boards_of_the_corpus_have_their_sizes() {
    let Some(corpus) = support::corpus() else { return };
    let sheets = [
        ("breakthrough", "cellHolds", 8, 8, "move(1,2,1,3)"),
        ("connectFour", "cell", 8, 6, "drop(4)"),
        ("checkers", "cell", 8, 8, "move(wp,b,3,c,4)"),
        ("speedChess", "cell", 8, 8, "move(pawn,a,2,a,3)"),
        ("eightPuzzle", "cell", 3, 3, "move(3,2)"),
    ];
    for (name, relation, rows, columns, chosen) in sheets {
        let mut session = session();
        let file = corpus.join("kif").join(format!("{name}.kif"));
        session.load(&file).expect("the sheet loads");
        let boards = shown(&mut session, "show").boards;
        let sizes: Vec<_> =
            boards.iter().map(|board| (&*board.relation, board.rows.len(), board.columns.len())).collect();
        assert_eq!(sizes, [(relation, rows, columns)], "{name}");
        assert_complete(&mut session, "");
        evaluate(&mut session, &format!("do {chosen}")).unwrap_or_else(|error| panic!("{name}: {error}"));
        assert_complete(&mut session, "");
    }
}

#[test]
fn letters_are_files_and_numbers_are_ranks_in_any_order() {
    let facts = |facts: &str| drawn(&mut session_with(facts), "show");
    let there = facts("init(cell(a,1,king)) init(cell(b,2,knight)) init(cell(c,1,king))");
    assert_eq!(there, "cell(column,row,piece)\n2 │ . n .\n1 │ k . k\n  └──────\n    a b c\nk = king, n = knight\n");
    let back = facts("init(cell(1,a,king)) init(cell(2,b,knight)) init(cell(1,c,king))");
    assert_eq!(back, there.replace("column,row", "row,column"));
}

#[test]
fn words_before_numbers_label_them() {
    let axes = |facts: &str| {
        let board = shown(&mut session_with(facts), "show").boards.remove(0);
        (board.axes.rows, board.axes.columns, board.axes.upwards)
    };
    assert_eq!(axes("init(on(c1,r1,a)) init(on(c2,r1,b)) init(on(c10,r2,a))"), (vec![1], vec![0], false));
    assert_eq!(axes("init(on(row1,col1,a)) init(on(row2,col1,b)) init(on(row1,col2,a))"), (vec![0], vec![1], false));
    assert_eq!(axes("init(on(y1,x1,a)) init(on(y2,x1,b)) init(on(y1,x2,a))"), (vec![0], vec![1], true));
    assert_eq!(axes("init(on(n1,n1,a)) init(on(n2,n1,b)) init(on(n1,n2,a))"), (vec![0], vec![1], false));
    let columns = shown(&mut session_with("init(on(c1,r1,a)) init(on(c2,r1,b)) init(on(c10,r2,a))"), "show").boards;
    let columns: Vec<String> = columns[0].columns.iter().map(|column| column[0].to_string()).collect();
    assert_eq!(columns, ["c1", "c2", "c10"]);
}

#[test]
fn empty_rows_and_impossible_cells() {
    // The rows are not declared, so those in between are assumed.
    let sparse = drawn(&mut session_with("init(cell(1,1,x)) init(cell(4,2,o)) init(cell(4,3,x))"), "show");
    insta::assert_snapshot!(sparse);
    // `base` declares only one cell in the second row.
    let declared = "base(cell(1,1,x)) base(cell(1,2,x)) base(cell(2,2,x)) base(cell(4,1,x)) init(cell(1,1,x))";
    insta::assert_snapshot!(drawn(&mut session_with(declared), "show"));
}

/// Where each square has a value at the start, a square without one is unlike an empty one, and two values are both shown.
#[test]
fn squares_that_break_the_frame_rule_are_unlike_empty_ones() {
    let sheet = LIBRARY.iter().find(|sheet| sheet.name == "tic_tac_toe").expect("it is there");
    let undeclared: Vec<&str> = sheet.text.lines().filter(|line| !line.starts_with("%!")).collect();
    let file = Path::new(env!("CARGO_TARGET_TMPDIR")).join("squares_without_values.gdl");
    std::fs::write(&file, undeclared.join("\n")).expect("the file can be written");
    let mut session = session();
    session.load(&file).expect("the sheet is valid");
    let drawn = drawn(&mut session, "show cell");
    assert!(drawn.contains("1 │ . . .") && !drawn.contains("no value"), "{drawn}");
    evaluate(&mut session, "set -cell(1,1,b) +cell(2,2,x)").expect("a state has any facts");
    insta::assert_snapshot!(self::drawn(&mut session, "show cell"), @r"
    cell(row,column,piece)
        1  2  3
      ┌─────────
    1 │ ?  .  .
    2 │ .  bx .
    3 │ .  .  .
    ? = no value, . = b
    ");
    // Pictures show the same signs.
    assert_eq!(signs(&picture(&mut session).expect("it is drawn")), ["?", "bx"]);
}

/// The texts on the squares of a picture.
fn signs(picture: &str) -> Vec<&str> {
    let after = picture.split("class=\"piece\"").skip(1);
    after.filter_map(|rest| rest.split_once('>')?.1.split_once('<')).map(|(text, _)| text).collect()
}

/// A declared board shows them too, if one sign stands for an empty square; what a layer shows is no missing value.
#[test]
fn declared_boards_show_squares_without_values() {
    let rules = "%! board cell(row,column,piece)\n%! glyph b .\n%! layer lit(row,column)\n\
        init(cell(1,1,b)) init(cell(1,2,b)) init(cell(2,1,b)) init(cell(2,2,x)) base(lit(1,2)) base(lit(2,1))";
    let mut session = session_with(rules);
    evaluate(&mut session, "set -cell(1,1,b) -cell(1,2,b) +lit(1,2) +lit(2,1)").expect("a state has any facts");
    insta::assert_snapshot!(drawn(&mut session, "show"), @r"
    cell(row,column,piece)
        1   2
      ┌────────
    1 │ ?   lit
    2 │ lit x
    ? = no value
    ");
    assert_eq!(signs(&picture(&mut session).expect("it is drawn")), ["?"]);
}

#[test]
fn a_corridor_is_one_row() {
    let corridor =
        session_with("init(cell(1,1,pellet)) init(cell(1,2,pacman)) init(cell(1,3,pellet)) init(cell(1,3,ghost))");
    insta::assert_snapshot!(drawn(&mut { corridor }, "show"));
    let squares = session_with("init(place(a,frog)) init(place(b,empty)) init(place(c,toad))");
    insta::assert_snapshot!(drawn(&mut { squares }, "show"));
}

#[test]
fn two_boards_and_other_facts_are_shown() {
    let text =
        "init(sea(a,1,ship)) init(sea(a,2,water)) init(sea(b,1,water)) init(air(1,1)) init(air(1,2)) init(air(2,2))
                init(score(robot,3)) init(wind(north))";
    insta::assert_snapshot!(transcript(&mut session_with(text), &["show", "show sea", "show air --flip"]));
}

#[test]
fn boards_of_boards() {
    let layers: String = [1, 2]
        .into_iter()
        .flat_map(|layer| [(1, 1), (1, 2), (2, 1), (2, 2)].map(|(x, y)| format!("init(cell({x},{y},{layer},b)) ")))
        .collect();
    insta::assert_snapshot!(transcript(&mut session_with(&layers), &["show", "show cell --rows 1 --columns 3,2"]));
}

/// A board of four by four squares; `steps` are the directions in which the rules have neighbours.
fn board_with_neighbours(steps: &[&str]) -> String {
    let numbers = "coordinate(1) coordinate(2) coordinate(3) coordinate(4) succ(1,2) succ(2,3) succ(3,4)";
    let rules: String = steps.iter().map(|body| format!(" adjacent(X,Y,V,W) :- {body}")).collect();
    format!("init(cell(X,Y,blank)) :- coordinate(X) & coordinate(Y) {numbers}{rules}")
}

#[test]
fn squares_with_six_neighbours_are_hexagons() {
    let across = "coordinate(X) & succ(Y,W) & coordinate(V) & same_row(X,V)";
    let along = "succ(X,V) & coordinate(Y) & same_row(Y,W)";
    let [rising, falling] = ["succ(X,V) & succ(Y,W)", "succ(X,V) & succ(W,Y)"];
    let same = "same_row(X,X) :- coordinate(X) ";
    let board = |steps: &[&str]| drawn(&mut session_with(&format!("{same}{}", board_with_neighbours(steps))), "show");
    let first_rows =
        |text: &str| text.lines().filter(|line| line.contains('│')).map(str::to_string).collect::<Vec<_>>();
    let hexagons = first_rows(&board(&[across, along, falling]));
    assert_eq!(hexagons, ["1 │ . . . .", "2 │  . . . .", "3 │   . . . .", "4 │    . . . ."]);
    // The other direction: the rows are turned, so that neighbours touch.
    let turned = first_rows(&board(&[across, along, rising]));
    assert_eq!(turned, ["4 │ . . . .", "3 │  . . . .", "2 │   . . . .", "1 │    . . . ."]);
    let squares = ["1 │ . . . .", "2 │ . . . .", "3 │ . . . .", "4 │ . . . ."];
    assert_eq!(first_rows(&board(&[across, along])), squares, "four neighbours");
    assert_eq!(first_rows(&board(&[across, along, rising, falling])), squares, "eight neighbours");
}

/// Pieces on squares with one name each; each letter has the squares with these numbers.
fn board_of_names(rows: &[(char, std::ops::RangeInclusive<usize>)]) -> String {
    let names =
        rows.iter().flat_map(|(letter, numbers)| numbers.clone().map(move |number| format!("{letter}{number}")));
    let squares: String = names.map(|name| format!("square({name}) ")).collect();
    format!("base(cell(S,P)) :- square(S) & colour(P) {squares} colour(red) colour(teal) init(cell(b2,red))")
}

#[test]
fn squares_that_are_named_by_a_letter_and_a_number_are_a_board() {
    let rows = |names: &str| {
        let text = drawn(&mut session_with(names), "show");
        text.lines().filter(|line| line.contains('│')).map(str::to_string).collect::<Vec<_>>()
    };
    // Rows that lie between each other are hexagons: a star, a hexagon, and a triangle.
    let star = rows(&board_of_names(&[('a', 1..=1), ('b', 1..=2), ('c', 1..=5), ('d', 1..=4), ('e', 1..=5)]));
    assert_eq!(star, ["a │     .", "b │    . r", "c │ . . . . .", "d │  . . . .", "e │ . . . . ."]);
    let hexagon = rows(&board_of_names(&[('a', 1..=3), ('b', 1..=4), ('c', 1..=5), ('d', 2..=5), ('e', 3..=5)]));
    assert_eq!(hexagon, ["a │   . . .", "b │  . r . .", "c │ . . . . .", "d │  . . . .", "e │   . . ."]);
    let triangle = rows(&board_of_names(&[('a', 1..=1), ('b', 1..=2), ('c', 1..=3), ('d', 1..=4)]));
    assert_eq!(triangle, ["a │    .", "b │   . r", "c │  . . .", "d │ . . . ."]);
    // All others are files and ranks: a whole board, and a cross.
    let whole = rows(&board_of_names(&[('a', 1..=3), ('b', 1..=3), ('c', 1..=3)]));
    assert_eq!(whole, ["3 │ . . .", "2 │ . r .", "1 │ . . ."]);
    let cross = rows(&board_of_names(&[('a', 2..=2), ('b', 1..=3), ('c', 1..=3), ('d', 2..=2)]));
    assert_eq!(cross, Vec::<String>::new(), "too few squares");
    let cross = rows(&board_of_names(&[('a', 3..=3), ('b', 1..=5), ('c', 1..=5), ('d', 3..=3)]));
    assert_eq!(cross[2..4], ["3 │ . . . .", "2 │   r ."]);
    // Names that are no coordinates, such as those of blocks, are none.
    assert_eq!(
        rows("base(on(S,T)) :- s(S) & s(T) s(a1) s(a2) s(x1) s(x2) s(y7) init(on(a1,a2))"),
        Vec::<String>::new()
    );
}

#[test]
fn squares_of_a_colour_that_a_game_does_not_use_lack_no_value() {
    // After a move only the squares of one colour have a value.
    let rules = "n(1) n(2) n(3) n(4) black(1,1) black(1,3) black(2,2) black(2,4) black(3,1) black(3,3) black(4,2) black(4,4) \
                 init(cell(X,Y,b)) :- n(X) & n(Y)  next(cell(X,Y,b)) :- true(cell(X,Y,b)) & black(X,Y)";
    let mut session = session_with(rules);
    let text = transcript(&mut session, &["do wait", "show"]);
    assert!(!text.contains('?') && !text.contains("no value"), "{text}");
    // One square more without a value is a fault of the rules.
    let mut session = session_with(&rules.replace("black(4,4)", ""));
    let text = transcript(&mut session, &["do wait", "show"]);
    assert!(text.contains("? = no value"), "{text}");
}

#[test]
fn an_empty_board_of_layers_has_all_squares() {
    // Two layers of three by three squares, on which nothing stands at first.
    let numbers = "layer(1) layer(2) coordinate(1) coordinate(2) coordinate(3) colour(red) colour(black)";
    let facts = "base(cell(Q,X,Y,P)) :- layer(Q) & coordinate(X) & coordinate(Y) & colour(P)";
    assert_eq!(shown(&mut session_with(&format!("{numbers} {facts}")), "show").boards.len(), 1);
    let text = drawn(&mut session_with(&format!("{numbers} {facts}")), "show");
    let rows: Vec<&str> = text.lines().filter(|line| line.contains('│')).collect();
    assert_eq!(rows.len(), 6, "{text}");
    assert!(rows[3].starts_with("2,1 │ . . ."), "{text}");
}

#[test]
fn boxes_of_a_board_are_drawn_side_by_side() {
    let cells = (0..16).map(|cell| [cell / 8 + 1, cell / 4 % 2 + 1, cell / 2 % 2 + 1, cell % 2 + 1]);
    let facts: String = cells.map(|[r, c, y, x]| format!("init(cell({r},{c},{y},{x},b)) ")).collect();
    let board = shown(&mut session_with(&facts), "show").boards.remove(0);
    assert_eq!((board.axes.rows, board.axes.columns), (vec![0, 2], vec![1, 3]));
    assert_eq!((board.rows.len(), board.columns.len()), (4, 4));
}

#[test]
fn many_facts_per_cell_are_not_a_board() {
    let facts: String =
        (0..24).map(|fact| format!("init(near({},{},thing{fact})) ", fact / 2 % 2 + 1, fact % 2 + 1)).collect();
    let Boards { boards, facts, .. } = shown(&mut session_with(&facts), "show");
    assert_eq!((boards.len(), facts.len()), (0, 24));
}

#[test]
fn abbreviations_stay_the_same_and_tell_pieces_apart() {
    let pieces = ["white,pawn", "white,knight", "white,king", "black,pawn", "black,bishop", "black,king"];
    let base: String = (1..=3).flat_map(|row| pieces.map(|piece| format!("base(cell({row},1,{piece})) "))).collect();
    let one = drawn(&mut session_with(&format!("{base} init(cell(1,1,white,king))")), "show cell");
    assert!(one.contains("wk = white,king"), "{one}");
    // Several words of a name count as well, and numbers are kept whole.
    let names = "init(cell(1,1,whitePawn)) init(cell(1,2,whiteKing)) init(cell(2,1,blackPawn)) init(cell(2,2,gun12))";
    let board = drawn(&mut session_with(names), "show");
    assert!(board.ends_with("bP = blackPawn, g12 = gun12, wK = whiteKing, wP = whitePawn\n"), "{board}");
    // `a` has its own letter, so `agent` gets another one.
    let board =
        shown(&mut session_with("init(cell(1,1,a)) init(cell(1,2,agent)) init(cell(2,1,ag))"), "show").boards.remove(0);
    let text = draw(&board);
    let words: BTreeSet<&str> =
        text.lines().filter(|line| line.contains('│')).flat_map(str::split_whitespace).collect();
    assert!(["a", "g", "e"].iter().all(|word| words.contains(word)), "{text}");
}

#[test]
fn options_choose_the_axes() {
    let commands = [
        "load hanoi",
        "show on --rows 1 --columns 2",
        "show on --rows 2 --columns 1 --flip",
        "show on --columns 1",
        "show on --rows 1",
        "load connect_four",
        "do drop(1)",
        "show --swap --flip",
        "load maze",
        "show wall",
        "load buttons_and_lights",
        "do a",
        "show lit",
    ];
    insta::assert_snapshot!(transcript(&mut session(), &commands));
}

#[test]
fn wrong_options_are_explained() {
    let commands = [
        "show",
        "load maze",
        "show cel",
        "show --sideways",
        "show cell --rows",
        "show cell --rows 0 --columns 1",
        "show cell --rows 1 --columns 4",
        "show cell --rows 1 --columns 1",
        "show --rows 1 --columns 2",
        "show cell step",
        "show out",
        "help show",
    ];
    insta::assert_snapshot!(transcript(&mut session(), &commands));
}

#[test]
fn a_board_that_is_too_large_is_listed() {
    let facts: String = (1..=300).map(|number| format!("init(pair({number},{})) ", 1000 - number)).collect();
    let mut session = session_with(&facts);
    let Boards { boards, facts, .. } = shown(&mut session, "show");
    assert_eq!((boards.len(), facts.len()), (0, 300));
    let error = evaluate(&mut session, "show pair --rows 1 --columns 2").expect_err("90,000 cells are too many");
    assert!(error.to_string().contains("a board of 300 rows and 300 columns is too large"), "{error}");
}

#[test]
fn json_gives_the_board_as_a_value() {
    let answer = evaluate(
        &mut session_with("base(cell(1,1,x)) base(cell(1,2,x)) base(cell(2,2,x)) init(cell(1,1,x)) init(step(1))"),
        "show",
    );
    insta::assert_snapshot!(serde_json::to_string(&answer.expect("a state can be shown")).expect("answers are JSON"));
}

#[test]
fn relations_are_completed() {
    let mut session = session();
    session.load("maze").expect("a game of the library loads");
    let (start, words) = complete::complete(&mut session, "show c");
    assert_eq!((start, words), (5, vec!["carries".to_string(), "cell".to_string()]));
}
