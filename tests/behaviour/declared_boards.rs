//! Declarations of how positions are drawn: what they draw, in text, colours, pictures and JSON, and what happens to
//! wrong ones.

use ggp::board::Planes;
use ggp::diagnostic::render::Paint;
use ggp::engine::{Game, check_text};
use ggp::repl::answer::Boards;
use ggp::repl::{Session, evaluate, render};
use ggp::rules::{GroundTerm, codes};
use ggp::syntax::{Dialect, Source, format};
use std::path::{Path, PathBuf};
use std::sync::Arc;

/// A folder for the files of a test.
fn folder(name: &str) -> PathBuf {
    let path = Path::new(env!("CARGO_TARGET_TMPDIR")).join("declared").join(name);
    std::fs::create_dir_all(&path).expect("a folder can be made");
    path
}

/// A session with a game of this text, completed by moves and an end that are never played, in a folder of its own.
fn session_with(name: &str, text: &str) -> Session {
    let folder = folder(name);
    let whole = match text.trim_start().starts_with([';', '(']) {
        true => format!("{text}\n(role robot) (legal robot wait) (goal robot 0) (<= terminal (true over))"),
        false => format!("{text}\nrole(robot) legal(robot,wait) goal(robot,0) terminal :- true(over)"),
    };
    std::fs::write(folder.join("sheet.gdl"), whole).expect("a file can be written");
    let mut session = Session::new(&folder, Arc::default());
    session.load("sheet.gdl").expect("the sheet is valid");
    session
}

fn say(session: &mut Session, line: &str, paint: Paint) -> String {
    match evaluate(session, line) {
        Ok(answer) => render::text(&answer, paint, session.dialect()),
        Err(error) => render::error(&error, paint),
    }
}

fn drawn(name: &str, text: &str) -> String {
    say(&mut session_with(name, text), "show", Paint::Plain)
}

#[test]
fn every_kind_of_figure_is_drawn() {
    let text = "\
%! board sea(column,row,piece) upwards \"your fleet\"
%! board shot(row,column) unlabelled
%! layer rock(row,column)
%! board tile(red,row,column)
%! board tile(blue,row,column)
%! stack on(piece,column)
%! bars heap(row,count)
%! hand holds(owner,piece)
%! label score(owner,value)
%! label wind(value) \"the wind is from\"
%! label storm \"a storm\"
%! label calm
%! glyph ship S blue
%! glyph water ~
%! glyph shot !
%! glyph ace A red
init(sea(a,1,ship)) init(sea(a,2,water)) init(sea(b,1,water)) init(sea(b,2,ship))
init(shot(1,1)) init(shot(2,3)) rock(1,2) rock(2,3)
init(tile(red,1,1)) init(tile(blue,1,2)) init(tile(red,2,2)) init(tile(green,9,9))
init(on(a,x)) init(on(b,x)) init(on(c,y)) base(on(P,Q)) :- disc(P) & peg(Q)
disc(a) disc(b) disc(c) peg(x) peg(y) peg(z)
init(heap(1,3)) init(heap(2,0))
init(holds(north,ace)) init(holds(north,king)) base(holds(P,C)) :- hand(P) & card(C)
hand(north) hand(south) card(ace) card(king)
init(score(north,3)) init(score(south,-2)) init(wind(west)) init(storm) base(calm) init(rest(1))
";
    insta::assert_snapshot!(drawn("figures", text));
}

#[test]
fn hexagons_are_shifted_and_rings_are_closed() {
    let hex = "%! board cell(row,column,piece)\n%! shape hex\nbase(cell(R,C,x)) :- n(R) & n(C)\ninit(cell(2,2,x)) n(1) n(2) n(3)";
    insta::assert_snapshot!(drawn("hex", hex));
    let ring = |squares: usize| {
        let at: String = (1..=squares).map(|square| format!("at({square}) ")).collect();
        format!("%! board on(column,piece)\n%! shape ring\nbase(on(X,x)) :- at(X)\ninit(on(3,x)) {at}")
    };
    assert_eq!(
        drawn("ring", &ring(8)),
        "on(column,piece)\n  1 2 3\n  . . x\n8 .   . 4\n  . . .\n  7 6 5\n",
        "clockwise from the upper left corner"
    );
    assert!(drawn("no_ring", &ring(7)).contains("1 2 3 4 5 6 7\n"), "an odd number of squares is a row");
}

#[test]
fn prefix_sheets_declare_in_their_own_words() {
    let text = "\
;! board (cell row column piece piece)
;! glyph white,(king 1) K
;; the rest is a comment
(init (cell 1 1 white (king 1))) (init (cell 2 2 black pawn))";
    let text = drawn("prefix", text);
    assert!(text.contains("1 │ K"), "{text}");
    assert!(text.contains("K = white,king(1)"), "{text}");
}

#[test]
fn without_a_declared_board_the_others_are_guessed() {
    let text = "%! glyph agent @\n%! label step(value)\ninit(cell(1,1,agent)) init(cell(1,2,wall)) init(cell(2,2,water)) init(step(1))";
    insta::assert_snapshot!(drawn("guess", text));
}

/// A wrong declaration is a warning, the others count, and the game is as it was.
#[test]
fn wrong_declarations_are_left_out() {
    let rules = "init(cell(1,1,white)) init(cell(1,2,white)) init(cell(2,2,black))";
    let undeclared = drawn("undeclared", rules);
    let wrong = [
        "%! board cel(row,column,piece)",
        "%! board cell(row,column)",
        "%! board cell(row,colum,piece)",
        "%! board cell(row,column,piece",
        "%! board cell(row,column,piece) downwards",
        "%! board terminal",
        "%! glyph white w puce",
        "%! glyph whit w",
        "%! glyph white wwww",
        "%! layer cell(row,column,piece)",
        "%! shape hex",
        "%! stack cell(piece,column)",
        "%! bord cell(row,column,piece)",
    ];
    for line in wrong {
        let text = format!("{line}\n{rules}");
        let warnings = check_text(&Source::new("sheet", text.clone()), None).diagnostics;
        let own = warnings.iter().filter(|warning| ("W228"..="W231").contains(&warning.code.id)).count();
        assert_eq!(own, 1, "{line}: {warnings:#?}");
        assert_eq!(drawn("wrong", &text), undeclared, "{line}");
    }
    let said = |line: &str| {
        let warnings = check_text(&Source::new("sheet", format!("{line}\n{rules}")), None).diagnostics;
        let own = warnings.into_iter().find(|warning| ("W228"..="W231").contains(&warning.code.id));
        let own = own.unwrap_or_else(|| panic!("{line} is wrong"));
        (own.message, own.labels[0].span.start as usize, own.help.unwrap_or_default())
    };
    for (line, message, at) in [
        ("%! board cell(row,column,piece) upward", "`upward` has no meaning here", "upward"),
        ("%! board cell(row,column,piece", "the brackets are not balanced", "(row"),
        ("%! board cell(row,column,piece) \"a", "a quotation mark is never closed", "\"a"),
        ("%! glyph white wwww", "a sign has at most 3 characters, and `wwww` has more", "wwww"),
        ("%! glyph white", "the declaration ends too early", ""),
        ("%! glyph 7 S", "the rules have no `7`", "7"),
    ] {
        let (found, start, help) = said(line);
        assert_eq!((found.as_str(), &line[start..line.len().min(start + at.len())]), (message, at), "{line}");
        // Names without a letter in common are not near.
        assert!(!help.contains("did you mean"), "{line}: {help}");
    }
    let (message, ..) = said("%! board cell(row,column,piece)\n%! shape ring");
    assert_eq!(message, "a ring is a board of one row, and this board has `row`");
    let twice = format!("%! glyph white w\n%! glyph white x\n%! glyph black w\n{rules}");
    assert!(drawn("twice", &twice).contains("w = white"), "the first one counts");
    assert!(["W228", "W229", "W230", "W231"].iter().all(|id| codes().iter().any(|code| code.id == *id)));
}

/// No text of a comment is too strange to be read or refused.
#[test]
fn strange_declarations_are_refused() {
    let deep = |open: &str| format!("%! board {}", open.repeat(400));
    let long = format!("%! board cell({}row)", "piece,".repeat(500));
    let strange = [
        deep("f("),
        deep("(f "),
        format!("%! board {}", "f(".repeat(1_000_000)),
        long,
        "%! board".to_string(),
        "%! board \u{e9}(\u{2603})".to_string(),
        "%! glyph \u{2603} \u{e9}".to_string(),
        "%! label \"".to_string(),
        "%!board".to_string(),
        "%! glyph ,,, x".to_string(),
        "%! wall".to_string(),
    ];
    for line in strange {
        let source = Source::new("sheet", format!("{line}\ninit(cell(1,1,white))"));
        let warnings = check_text(&source, None).diagnostics;
        let own = warnings.iter().filter(|warning| ("W228"..="W231").contains(&warning.code.id));
        let spans: Vec<_> = own.flat_map(|warning| &warning.labels).map(|label| label.span).collect();
        assert_eq!(spans.len(), 1, "{line}");
        assert!(spans[0].start < spans[0].end && spans[0].end as usize <= line.len(), "{line}: {spans:?}");
    }
}

#[test]
fn declarations_are_kept_by_fmt() {
    let text = "%! board cell(row,column,piece)\n%! glyph b .\nrole(robot)\n";
    let source = Source::new("sheet", text);
    let prefix = format(&source, None, Some(Dialect::Prefix)).expect("the text has no errors");
    assert!(prefix.starts_with(";! board cell(row,column,piece)\n;! glyph b .\n"), "{prefix}");
}

#[test]
fn colours_are_where_there_is_colour() {
    let mut session = Session::new(".", Arc::default());
    session.load("tic_tac_toe").expect("a game of the library loads");
    evaluate(&mut session, "do mark(2,2)").expect("the move is legal");
    let (plain, coloured) = (say(&mut session, "show", Paint::Plain), say(&mut session, "show", Paint::Coloured));
    assert!(plain.contains("2 │ . X .") && !plain.contains('\u{1b}'), "{plain}");
    assert!(coloured.contains("\u{1b}[32mX\u{1b}[0m"), "{coloured:?}");
    assert_eq!(anstream::adapter::strip_str(&coloured).to_string(), plain);
}

#[test]
fn changed_cells_are_marked() {
    let mut session = Session::new(".", Arc::default());
    session.load("tic_tac_toe").expect("a game of the library loads");
    let board = |session: &mut Session| {
        let shown = evaluate(session, "show").expect("a game is loaded");
        shown.downcast::<Boards>().expect("a position is drawn").boards.remove(0)
    };
    let before = board(&mut session);
    evaluate(&mut session, "do mark(2,3)").expect("the move is legal");
    let mut after = board(&mut session);
    after.mark_changes(&before);
    assert_eq!(after.changed(), [(1, 2)]);
    after.mark_changes(&after.clone());
    assert_eq!(after.changed(), []);
}

/// The picture of a position, as SVG.
fn picture(name: &str, game: &str, lines: &[&str]) -> String {
    let folder = folder(name);
    let mut session = Session::new(&folder, Arc::default());
    session.load(game).expect("the game loads");
    for line in lines {
        evaluate(&mut session, line).unwrap_or_else(|error| panic!("{line}: {error}"));
    }
    assert_eq!(say(&mut session, "show --svg out.svg --force", Paint::Plain), "out.svg: 1 picture\n");
    std::fs::read_to_string(folder.join("out.svg")).expect("the picture is written")
}

/// The number of squares that are no walls in a picture.
fn squares(picture: &str) -> usize {
    picture.matches("class=\"cell\"").count() + picture.matches("class=\"cell odd\"").count()
}

#[test]
fn positions_are_drawn_as_pictures() {
    let maze = picture("maze", "maze", &[]);
    assert_eq!((squares(&maze), maze.matches("\"cell wall\"").count()), (17, 8));
    assert!(maze.contains("class=\"shape person\"") && maze.contains("fill:#3c9a5a"), "{maze}");
    assert!(maze.contains(">robot carries: nothing</text>") && maze.contains(">step: 0</text>"), "{maze}");
    let hunt = picture("hunt", "pacman_hunt", &[]);
    assert!(hunt.contains(">to move: pacman, step: 0</text>") && !hunt.contains("class=\"heading\""), "{hunt}");
    let hanoi = picture("hanoi", "hanoi", &["do move(left,right)"]);
    assert_eq!((hanoi.matches("class=\"disc\"").count(), hanoi.matches("class=\"pole\"").count()), (5, 15));
    let ring = picture("ring_picture", "pacman_ring", &[]);
    assert_eq!(squares(&ring), 12);
    let numbers: Vec<&str> = ring.lines().filter(|line| line.contains("class=\"corner\"")).collect();
    assert_eq!(numbers.len(), 12, "{ring}");
    assert!((1..=12).all(|number| ring.contains(&format!(">{number}</text>"))), "{numbers:?}");
    assert_eq!(picture("nim", "nim", &[]).matches(">|</text>").count(), 12);
    session_with("hex_picture", "%! board on(row,column)\n%! shape hex\ninit(on(1,1)) init(on(2,2))");
    let hex = picture("hex_picture", "sheet.gdl", &[]);
    assert_eq!((hex.matches("<polygon class=\"cell").count(), squares(&hex)), (4, 4));
    let two = "%! board on(row,column) \"here\"\n%! bars heap(row,count)\ninit(on(1,1)) init(on(2,2)) init(heap(1,2))";
    session_with("two_pictures", two);
    let two = picture("two_pictures", "sheet.gdl", &[]);
    assert!(two.contains(">here</text>") && two.contains(">heap(row,count)</text>"), "{two}");
    let mut session = Session::new(folder("missing"), Arc::default());
    session.load("maze").expect("the game loads");
    let error = evaluate(&mut session, "show --svg nowhere/out.svg").expect_err("there is no such folder");
    assert!(error.to_string().contains("nowhere/out.svg"), "{error}");
}

/// The shape of a piece follows from its name, and else from its declared sign; other pieces have their text.
#[test]
fn pieces_are_drawn_as_shapes() {
    let shapes = |name: &str, pieces: &str, declared: &str| {
        let cells: Vec<String> =
            pieces.split(' ').zip(1..).map(|(piece, at)| format!("init(cell(1,{at},{piece}))")).collect();
        session_with(name, &format!("%! board cell(row,column,piece)\n{declared}{}", cells.join("\n")));
        let picture = picture(name, "sheet.gdl", &[]);
        let class = |line: &str| Some(line.split_once("class=\"shape ")?.1.split('"').next()?.to_string());
        picture.lines().filter_map(class).collect::<Vec<_>>().join(" ")
    };
    assert_eq!(shapes("chess_shapes", "wp bk wn br", ""), "pawn king knight rook");
    assert_eq!(shapes("word_shapes", "white_king whiteQueen red ghost2 wall", ""), "king queen disc ghost wall");
    assert_eq!(shapes("tile_shapes", "1 2 15", ""), "tile tile tile");
    assert_eq!(shapes("die_shapes", "die6", ""), "die6");
    assert_eq!(shapes("sign_shapes", "a c water", "%! glyph a X red\n%! glyph c \u{265e}\n"), "cross knight");
    assert_eq!(shapes("no_shapes", "wq zebra", ""), "", "one piece of two letters is no chess");
}

#[test]
fn small_boards_stand_in_the_nodes_of_trees() {
    let folder = folder("trees");
    let mut session = Session::new(&folder, Arc::default());
    for (game, command, sign) in [
        ("hanoi", "ids --depth 2 --tree svg out.svg --boards --force", "class=\"disc\""),
        ("maze", "bfs --depth 2 --tree svg out.svg --boards --force", "class=\"cell wall\""),
        ("nim", "minimax --depth 1 --tree svg out.svg --boards --force", ">|</text>"),
        ("pacman_ring", "minimax --depth 2 --tree svg out.svg --boards --force", "class=\"shape ghost\""),
    ] {
        session.load(game).expect("a game of the library loads");
        say(&mut session, command, Paint::Plain);
        let svg = std::fs::read_to_string(folder.join("out.svg")).unwrap_or_else(|error| panic!("{game}: {error}"));
        assert!(svg.contains(sign), "{game}: {svg}");
    }
}

/// Rotations of hexagons in rows by a quarter are no symmetries, and stacks keep their order.
#[test]
fn only_boards_of_the_same_shape_are_merged() {
    let cells = "base(cell(R,C,x)) :- n(R) & n(C)\nn(1) n(2)\nlegal(solo,put(R,C)) :- n(R) & n(C) \
                 next(cell(R,C,x)) :- does(solo,put(R,C)) role(solo) goal(solo,0) terminal :- true(cell(R,C,x)) & n(R) & n(C)";
    let merged = |name: &str, shape: &str| {
        let folder = folder(name);
        let text = format!("%! board cell(row,column,piece)\n%! shape {shape}\n{cells}");
        std::fs::write(folder.join("sheet.gdl"), text).expect("a file can be written");
        let mut session = Session::new(&folder, Arc::default());
        session.load("sheet.gdl").expect("the sheet is valid");
        say(&mut session, "bfs --depth 1 --tree svg out.svg --boards --merge --force", Paint::Plain);
        std::fs::read_to_string(folder.join("out.svg"))
            .expect("the tree is written")
            .matches("class=\"shape cross\"")
            .count()
    };
    assert_eq!(merged("merge_square", "square"), 1, "the four corners are one");
    assert_eq!(merged("merge_hex", "hex"), 2, "two corners have two neighbours, and two have three");
}

#[test]
fn json_has_figures_and_layers() {
    let mut session = Session::new(".", Arc::default());
    for (game, part) in [
        (
            "hanoi",
            r#""figures":[{"title":"discs on pegs","figure":"stacks","stacks":[["left",["1","2","3","4","5"]],["middle",[]],["right",[]]]}"#,
        ),
        ("maze", r#""layers":[{"relation":"exit","cells":"#),
        ("pig_dice", r#"{"title":"score","figure":"values","values":[[["first"],[["0"]]],[["second"],[["0"]]]]"#),
    ] {
        session.load(game).expect("a game of the library loads");
        let json = say(&mut session, "show --json", Paint::Plain)
            .replace(['\n', ' '], "")
            .replace("discsonpegs", "discs on pegs");
        assert!(json.contains(part), "{game}: {json}");
    }
}

/// The session at the head of docs/boards.md.
#[test]
fn the_page_of_boards_shows_what_is_drawn() {
    let page =
        std::fs::read_to_string(Path::new(env!("CARGO_MANIFEST_DIR")).join("docs/boards.md")).expect("it is there");
    let mut session = Session::new(".", Arc::default());
    session.load("tic_tac_toe").expect("a game of the library loads");
    let lines: String = format!("> show\n{}", say(&mut session, "show", Paint::Plain))
        .lines()
        .map(|line| if line.is_empty() { "\n".to_string() } else { format!("    {line}\n") })
        .collect();
    assert!(page.contains(&lines), "{lines}");
    let sheet = ggp::engine::LIBRARY.iter().find(|sheet| sheet.name == "tic_tac_toe").expect("it is there");
    let declared: Vec<String> =
        sheet.text.lines().filter(|line| line.starts_with("%!")).map(|line| format!("    {line}\n")).collect();
    assert!(page.contains(&declared.concat()), "{declared:?}");
}

#[test]
fn planes_for_networks_have_pieces_on_squares_and_facts_everywhere() {
    let mut game = Game::library("tic_tac_toe").expect("the library has it");
    let facts = ["control(oplayer)", "cell(1,1,x)", "cell(1,1,b)", "cell(3,2,x)", "control(xplayer)"];
    let facts: Vec<GroundTerm> = facts.iter().map(|fact| fact.parse().expect("it is a term")).collect();
    let planes = Planes::from_game(&mut game, &facts).expect("the rules answer").expect("the sheet declares a board");
    assert_eq!(planes.names, ["cell b", "cell x", "control(oplayer)", "control(xplayer)"]);
    assert_eq!((planes.rows.len(), planes.columns.len()), (3, 3));
    // One of the nine squares of a plane, or all of them.
    assert_eq!(planes.entries, [18..27, 9..10, 0..1, 16..17, 27..36]);
}
