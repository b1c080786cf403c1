//! How moves are made on drawn boards, and what can be asked about their squares, as pages are told.

use ggp::repl::{Session, evaluate};
use ggp::workbench::{PageAnswer, PageRequest};
use serde_json::{Value, json};

fn session(lines: &[&str]) -> Session {
    let mut session = Session::without_files(Default::default());
    for line in lines {
        evaluate(&mut session, line).unwrap_or_else(|error| panic!("{line}: {error}"));
    }
    session
}

fn ask(session: &mut Session, task: &str, body: &Value) -> Value {
    let request = PageRequest::read(task, body.to_string().as_bytes()).expect("it is a request");
    let Ok(PageAnswer::Json(answer)) = request.answer(session) else { panic!("it is JSON") };
    serde_json::from_str(&answer).expect("it is JSON")
}

/// The targets of the position after some lines.
fn targets(lines: &[&str]) -> Vec<Value> {
    let mut own = session(lines);
    let answer = ask(&mut own, "targets", &Value::Null);
    answer["targets"].as_array().expect("there are targets").clone()
}

fn target<'a>(targets: &'a [Value], chosen: &str) -> &'a Value {
    targets.iter().find(|target| target["move"] == chosen).unwrap_or_else(|| panic!("{chosen} in {targets:?}"))
}

#[test]
fn a_move_of_a_piece_is_carried_from_square_to_square() {
    let pawns = targets(&["load breakthrough_6x6"]);
    assert!(pawns.iter().all(|pawn| pawn["carried"].as_array().is_some_and(|pairs| pairs.len() == 1)));
    assert!(pawns.iter().all(|pawn| pawn["placed"] == json!([])));
    // A pawn that takes another in passing is picked up where it stands, and not the one that it takes.
    let lines = [
        "load chess",
        "do move(e,2,e,4) noop",
        "do noop move(a,7,a,6)",
        "do move(e,4,e,5) noop",
        "do noop move(d,7,d,5)",
    ];
    let pawns = targets(&lines);
    let passing = target(&pawns, "move(e,5,d,6)");
    assert_eq!(passing["carried"], json!([[[0, 3, 4], [0, 2, 3]]]));
    assert_eq!(passing["squares"].as_array().map(Vec::len), Some(3));
    // An agent changes places with a block: it moves in every move, and the block in one.
    let agent = targets(&["load blocksworld_tiles"]);
    assert_eq!(target(&agent, "left")["carried"], json!([[[0, 3, 2], [0, 3, 3]], [[0, 3, 3], [0, 3, 2]]]));
    assert_eq!(target(&agent, "up")["carried"], json!([[[0, 3, 3], [0, 2, 3]]]));
    // Two pegs leave their squares: the move names the one that jumps.
    let pegs = targets(&["load peg_solitaire"]);
    assert_eq!(target(&pegs, "jump(2,4,right)")["carried"], json!([[[0, 3, 1], [0, 3, 3]]]));
}

#[test]
fn a_move_that_places_a_piece_is_one_square() {
    for game in ["othello", "connect_four", "lights_out"] {
        let placing = targets(&[&format!("load {game}")]);
        assert!(!placing.is_empty());
        for target in &placing {
            assert_eq!(target["carried"], json!([]), "{game}: {target}");
            assert_eq!(target["placed"].as_array().map(Vec::len), Some(1), "{game}: {target}");
        }
    }
}

#[test]
fn a_square_has_its_facts_and_the_moves_that_name_it() {
    let mut own = session(&["load othello"]);
    let corner = ask(&mut own, "square", &json!({ "place": [0, 0, 0] }));
    assert_eq!(corner["square"]["facts"], json!([]));
    let moves = corner["square"]["moves"].as_array().expect("they are listed");
    assert!(moves.iter().any(|one| one["move"] == "place(1,1)" && one["is_legal"] == json!(false)), "{moves:?}");
    let disc = ask(&mut own, "square", &json!({ "place": [0, 3, 3] }));
    assert_eq!(disc["square"]["facts"], json!(["cell(4,4,white)"]));
    let seen = ask(&mut own, "squares", &json!({ "facts": ["cell(4,4,white)", "control(black)"] }));
    assert_eq!(seen["squares"], json!([[0, 3, 3]]));
    let outside = ask(&mut own, "square", &json!({ "place": [0, 9, 9] }));
    assert_eq!(outside["error"], json!("there is no such square"));
}

/// Each drawing of this board takes some milliseconds, so they cannot be one for each of its 1,600 facts.
#[test]
fn a_square_of_a_large_board_has_its_fact() {
    let indices: String = (1..=40).map(|index| format!("index({index})\n")).collect();
    let rules = "role(r)
        init(cell(X,Y,x)) :- index(X) & index(Y)
        legal(r,clear(X,Y)) :- true(cell(X,Y,x))
        next(cell(X,Y,x)) :- true(cell(X,Y,x)) & ~does(r,clear(X,Y))
        goal(r,100)
        terminal :- ~true(cell(1,1,x))\n";
    let mut own = session(&[]);
    let sheet = json!({ "name": "large.hrf", "text": indices + rules, "opened": [] });
    assert_eq!(ask(&mut own, "load", &sheet)["error"], json!(null));
    let square = ask(&mut own, "square", &json!({ "place": [0, 6, 4] }));
    assert_eq!(square["square"]["facts"], json!(["cell(7,5,x)"]), "{}", square["error"]);
}
