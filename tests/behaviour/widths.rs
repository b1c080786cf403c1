//! Drawings at terminals of different widths: every line fits, nothing is lost where it can be drawn below, and what is
//! cut says so.

use ggp::diagnostic::render::Paint;
use ggp::engine::LIBRARY;
use ggp::repl::answer::Boards;
use ggp::repl::{Session, evaluate, render};
use std::path::Path;
use std::sync::Arc;

const WIDTHS: [usize; 4] = [20, 40, 80, 160];

/// A session with a game of this text, completed by moves and an end that are never played.
fn session_with(name: &str, text: &str) -> Session {
    let folder = Path::new(env!("CARGO_TARGET_TMPDIR")).join("widths").join(name);
    std::fs::create_dir_all(&folder).expect("a folder can be made");
    let whole = format!("{text}\nrole(robot) legal(robot,wait) goal(robot,0) terminal :- true(over)");
    std::fs::write(folder.join("sheet.gdl"), whole).expect("a file can be written");
    let mut session = Session::new(&folder, Arc::default());
    session.load("sheet.gdl").expect("the sheet is valid");
    session
}

/// What `show` draws at a width.
fn drawn(session: &mut Session, paint: Paint, width: usize) -> String {
    let answer = evaluate(session, "show").expect("a position can be drawn");
    render::text_within(&answer, paint, session.dialect(), width)
}

fn longest(text: &str) -> usize {
    text.lines().map(|line| line.chars().count()).max().unwrap_or(0)
}

/// The numbers from 1, as the rules write a relation of them.
fn numbers(relation: &str, most: usize) -> String {
    (1..=most).map(|number| format!("{relation}({number}) ")).collect()
}

#[test]
fn every_drawing_of_the_library_fits() {
    for sheet in LIBRARY {
        let mut session = Session::new(".", Arc::default());
        session.load(sheet.name).expect("a game of the library loads");
        let mut answer = evaluate(&mut session, "show").expect("it is drawn");
        // Facts are written in full, as `set` and `expect` take them.
        answer.downcast_mut::<Boards>().expect("it is drawn").facts.clear();
        for width in WIDTHS {
            let text = render::text_within(&answer, Paint::Plain, session.dialect(), width);
            assert!(longest(&text) <= width, "{} at {width} columns:\n{text}", sheet.name);
        }
    }
}

#[test]
fn columns_that_do_not_fit_are_drawn_below() {
    let rules = format!("init(cell(1,2,x)) base(cell(R,C,x)) :- row(R) & column(C) row(1) {}", numbers("column", 70));
    let mut session = session_with("columns", &rules);
    for (width, bands) in [(20, 14), (40, 6), (80, 3), (160, 2), (215, 1)] {
        let text = drawn(&mut session, Paint::Plain, width);
        assert!(longest(&text) <= width, "{width} columns:\n{text}");
        assert_eq!(text.matches('┌').count(), bands, "{width} columns:\n{text}");
        let labels = text.lines().filter(|line| !line.contains(['│', '┌', '(']));
        let labels: Vec<&str> = labels.flat_map(str::split_whitespace).collect();
        assert_eq!(labels, (1..=70).map(|column| column.to_string()).collect::<Vec<_>>());
    }
    // 80 columns where there is no terminal.
    let answer = evaluate(&mut session, "show").expect("it is drawn");
    assert_eq!(render::text(&answer, Paint::Plain, session.dialect()), drawn(&mut session, Paint::Plain, 80));
}

#[test]
fn hexagons_have_room_for_the_shift_of_their_rows() {
    let rules = format!(
        "%! board cell(row,column,piece)\n%! shape hex\ninit(cell(1,2,x)) base(cell(R,C,x)) :- n(R) & n(C) {}",
        numbers("n", 15)
    );
    let mut session = session_with("hex", &rules);
    for (width, bands) in [(40, 8), (80, 1)] {
        let text = drawn(&mut session, Paint::Plain, width);
        assert!(longest(&text) <= width, "{width} columns:\n{text}");
        assert_eq!((text.matches('┌').count(), text.matches('.').count()), (bands, 224), "{text}");
    }
}

#[test]
fn a_ring_is_higher_where_there_is_no_room_for_its_width() {
    let rules = "%! board on(column,piece)\n%! shape ring\nbase(on(X,x)) :- at(X)\ninit(on(3,x)) ";
    let mut session = session_with("ring", &format!("{rules}{}", numbers("at", 60)));
    for width in WIDTHS {
        let text = drawn(&mut session, Paint::Plain, width);
        assert!(longest(&text) <= width, "{width} columns:\n{text}");
        assert_eq!((text.matches('.').count(), text.matches('x').count()), (59, 1), "{text}");
        for square in 1..=60 {
            assert!(text.split_whitespace().any(|word| word == square.to_string()), "{square} at {width}:\n{text}");
        }
    }
}

/// Each square of a ring is beside the next one, whatever its size.
#[test]
fn rings_are_closed() {
    for squares in (4..=24).step_by(2) {
        let rules = "%! board on(column,piece) unlabelled\n%! shape ring\nbase(on(X,P)) :- at(X) & at(P)\n";
        let on: String = (1..=squares).map(|at| format!("init(on({at},{at})) ")).collect();
        let mut session = session_with("rings", &format!("{rules}{on}{}", numbers("at", squares)));
        let text = drawn(&mut session, Paint::Plain, 80);
        let side = if squares > 9 { 3 } else { 2 };
        let at = |number: usize| {
            let is_it = |(row, line): (usize, &str)| {
                let start = line.match_indices(&number.to_string()).find(|(start, found)| {
                    let after = line[start + found.len()..].chars().next();
                    let before = line[..*start].chars().next_back();
                    !before.is_some_and(|c| c.is_ascii_digit()) && !after.is_some_and(|c| c.is_ascii_digit())
                });
                start.map(|(start, found)| (row, (start + found.len()) / side))
            };
            text.lines().enumerate().skip(1).find_map(is_it).unwrap_or_else(|| panic!("{number} is missing:\n{text}"))
        };
        for number in 1..=squares {
            let ((row, column), (next_row, next_column)) = (at(number), at(number % squares + 1));
            assert_eq!(row.abs_diff(next_row) + column.abs_diff(next_column), 1, "{number} of {squares}:\n{text}");
        }
    }
}

#[test]
fn stacks_bars_hands_and_values_fit() {
    let rules = format!(
        "%! stack on(piece,column)\n%! bars heap(row,count)\n%! hand holds(owner,piece)\n%! label score(owner,value)\n\
         init(on(a,1)) base(on(P,C)) :- disc(P) & peg(C) disc(a) disc(b) disc(c) {}\n\
         init(heap(1,50)) init(heap(2,3))\n\
         {}\n{}",
        numbers("peg", 30),
        (1..=30).map(|card| format!("init(holds(north,card{card})) ")).collect::<String>(),
        (1..=12).map(|role| format!("init(score(player{role},{role})) ")).collect::<String>(),
    );
    let mut session = session_with("figures", &rules);
    for width in WIDTHS {
        let text = drawn(&mut session, Paint::Plain, width);
        assert!(longest(&text) <= width, "{width} columns:\n{text}");
        for word in (1..=30).map(|card| format!("card{card}")).chain((1..=12).map(|role| format!("player{role}"))) {
            assert!(text.split_whitespace().any(|seen| seen == word), "{word} at {width} columns:\n{text}");
        }
        let pegs = text.lines().skip_while(|line| !line.starts_with('─')).take_while(|line| !line.starts_with("heap"));
        let pegs: Vec<&str> = pegs.flat_map(str::split_whitespace).filter(|word| word.parse::<u8>().is_ok()).collect();
        assert_eq!(pegs.len(), 30, "{width} columns:\n{text}");
        let marks = text.lines().find(|line| line.starts_with("1 │")).expect("the first heap is drawn");
        assert!(marks.ends_with("  50"), "{text}");
        assert_eq!(marks.contains('…'), width < 60, "{marks}");
    }
}

/// The styles of a terminal have no width, and end where they began.
#[test]
fn coloured_drawings_are_cut_at_the_same_characters() {
    let long = "an_extraordinarily_long_name_of_a_piece";
    let rules = format!("%! board cell(row,column,piece)\n%! glyph x X red\ninit(cell(1,1,x)) init(cell(1,2,{long}))");
    let mut session = session_with("colours", &format!("{rules} init(cell({long}{long},2,x))"));
    for width in [1, 10, 20, 80] {
        let plain = drawn(&mut session, Paint::Plain, width);
        let coloured = drawn(&mut session, Paint::Coloured, width);
        assert_eq!(anstream::adapter::strip_str(&coloured).to_string(), plain, "{width} columns");
        assert!(longest(&plain) <= width, "{width} columns:\n{plain}");
        for line in coloured.lines() {
            assert_eq!(line.matches("\x1b[31m").count(), line.matches("\x1b[0m").count(), "{line:?}");
        }
    }
    assert!(drawn(&mut session, Paint::Plain, 20).contains("…\n"));
}

/// Games without boards have stacks, labels and so on.
#[test]
fn plans_are_drawn_as_the_sheet_declares() {
    let mut session = Session::new(".", Arc::default());
    session.load("hanoi").expect("a game of the library loads");
    let answer = evaluate(&mut session, "plan show move(left,right) --boards").expect("the plan is drawn");
    let text = render::text(&answer, Paint::Plain, session.dialect());
    assert_eq!(text.matches("discs on pegs").count(), 2, "{text}");
    assert!(text.contains("step 1  move(left,right)\n") && text.contains("step: 1\n"), "{text}");
}

#[test]
fn plans_are_drawn_for_the_width_too() {
    let mut session = Session::new(".", Arc::default());
    session.load("blocksworld_tiles").expect("a game of the library loads");
    let answer = evaluate(&mut session, "plan show up left --boards").expect("the plan is drawn");
    let text = render::text_within(&answer, Paint::Plain, session.dialect(), 8);
    assert!(text.lines().filter(|line| line.contains('│')).all(|line| line.chars().count() <= 8), "{text}");
}
