//! `solve` of games with chance, and the policies that it writes.

use ggp::engine::{EngineKind, Game, load, load_text};
use ggp::game::{Reasoner, Role};
use ggp::repl::{Session, evaluate, render};
use ggp::search::{Budget, Contest, ExpectedValue, Precision, SearchError, Solution, expectiminimax, solve};
use ggp::syntax::Source;
use std::path::Path;
use std::sync::Arc;

fn game(text: &str) -> Game {
    load_text("test".to_string(), Source::new("test.gdl", text), None, EngineKind::default())
        .expect("the sheet is valid")
}

fn solved(game: &mut Game) -> Result<Solution, SearchError> {
    let engine = game.engine().expect("the game has an engine");
    let start = engine.initial_state().expect("there is an initial state");
    Ok(solve(engine, &start, &Budget::new())?.answer.expect("there is enough of everything"))
}

/// The means, the name of the first move, and the precision.
fn expected(text: &str) -> (Vec<f64>, String, Precision) {
    let mut game = game(text);
    let ExpectedValue { means, chosen, precision } = solved(&mut game).unwrap().expected.expect("the game has chance");
    let engine = game.engine().unwrap();
    let chosen = chosen.map_or(String::new(), |(_, chosen)| engine.move_term(chosen).to_string());
    (means.into_iter().map(|(_, mean)| mean.to_f64()).collect(), chosen, precision)
}

/// Backward induction finds what the search of the tree finds.
#[test]
fn solving_agrees_with_expectiminimax() {
    // The fractions of up to 120 throws do not fit.
    let games = [("expectimax_tree", true), ("dice_race", true), ("pig_dice", false)];
    for (name, is_exact) in games {
        let mut game = load(name, Path::new("."), EngineKind::default()).expect("the library has it");
        let found = solved(&mut game).unwrap().expected.expect("the game has chance");
        let engine = game.engine().unwrap();
        let start = engine.initial_state().unwrap();
        let contest = Contest { table: true, ..Contest::new(&start, Role::new(0)) };
        let searched = expectiminimax(engine, contest, &Budget::new(), ()).unwrap().answer.unwrap();
        let (role, mean) = found.means[0];
        let precision = if is_exact { Precision::Exact } else { Precision::Rounded };
        assert_eq!((role, found.precision), (Role::new(0), precision), "{name}");
        assert_eq!((mean.is_exact(), searched.utility.is_exact()), (is_exact, is_exact), "{name}");
        let is_same = if is_exact { mean == searched.utility } else { near(mean.to_f64(), searched.utility.to_f64()) };
        assert!(is_same, "{name}: {mean}, not {}", searched.utility);
        assert_eq!(found.chosen, None, "{name}: no role has a choice in the first state");
    }
}

fn near(left: f64, right: f64) -> bool {
    (left - right).abs() < 1e-9
}

/// After a throw of 4, and again in the pot of 8, the first player may hold.
#[test]
fn the_first_move_is_that_of_expectiminimax() {
    let mut session = Session::new(Path::new("."), Arc::default());
    for line in ["load pig_dice", "do roll", "do throw(4)"] {
        say(&mut session, line);
    }
    for throw in ["throw(4)", "throw(6)"] {
        let (solved, searched) = (say(&mut session, "solve"), say(&mut session, "expectiminimax --table"));
        let found = solved.split(" (").next().unwrap();
        let (means, chosen) = found.split_once(" expected ").expect("it has a move");
        let mean = means.split(", ").next().unwrap();
        let chosen = chosen.strip_prefix("with ").expect("it has a move");
        let best = format!("{mean} expected by {chosen}, opponents minimax");
        assert!(searched.starts_with(&best), "{solved}{searched}");
        say(&mut session, "do roll");
        say(&mut session, &format!("do {throw}"));
    }
}

/// A player flips a coin until heads, or stops; `wait` and the values at the ends vary.
fn coin(moves: &str, heads: u32, tails: &str, stop: u32) -> String {
    format!(
        "role(player) role(random) init(at(start))
        legal(player,M) :- true(at(start)) & choice(M) legal(player,noop) :- true(at(coin))
        legal(random,noop) :- true(at(start)) legal(random,heads) :- true(at(coin)) legal(random,tails) :- true(at(coin))
        next(at(coin)) :- does(player,flip) next(at(stopped)) :- does(player,stop) next(at(start)) :- does(player,wait)
        next(at(heads)) :- does(random,heads) next(at({tails})) :- does(random,tails)
        terminal :- true(at(heads)) terminal :- true(at(stopped)) terminal :- true(at(tails))
        goal(player,{heads}) :- true(at(heads)) goal(player,{stop}) :- true(at(stopped)) goal(player,10) :- true(at(tails))
        {moves}"
    )
}

#[test]
fn a_player_who_may_try_again_and_again_wins() {
    // Each round wins with probability 1/2, and a lost one changes nothing.
    let (means, chosen, precision) = expected(&coin("choice(flip) choice(stop)", 100, "start", 50));
    assert!((means[0] - 100.0).abs() < 1e-9, "{means:?}");
    assert_eq!(chosen, "flip");
    assert!(matches!(precision, Precision::Within { error } if error <= 1e-9), "{precision:?}");
}

#[test]
fn play_without_end_counts_least_for_one_player() {
    // To flip is worth (30 + 10) / 2. To wait for ever would avoid the tails, but is no end.
    let (means, chosen, precision) = expected(&coin("choice(flip) choice(wait)", 30, "tails", 50));
    assert_eq!((means, chosen), (vec![20.0], "flip".to_string()));
    assert!(matches!(precision, Precision::Iterated { endless: 10.0, .. }), "{precision:?}");
}

/// Two players throw a coin by turns; the first head wins.
const DUEL: &str = "
role(a) role(b) role(random) init(turn(a))
legal(P,throw) :- true(turn(P)) & ~true(air)
legal(P,noop) :- role(P) & distinct(P,random) & ~to_move(P)
legal(random,heads) :- true(air) legal(random,tails) :- true(air) legal(random,noop) :- ~true(air)
to_move(P) :- true(turn(P)) & ~true(air)
next(air) :- does(P,throw)
next(turn(P)) :- does(P,throw)
next(won(P)) :- does(random,heads) & true(turn(P))
next(turn(b)) :- does(random,tails) & true(turn(a))
next(turn(a)) :- does(random,tails) & true(turn(b))
terminal :- true(won(P))
goal(P,100) :- true(won(P)) goal(a,0) :- true(won(b)) goal(b,0) :- true(won(a))";

#[test]
fn the_first_of_two_who_throw_by_turns_wins_two_thirds() {
    // p = 1/2 + 1/4 p.
    let (means, _, precision) = expected(DUEL);
    assert!((means[0] - 200.0 / 3.0).abs() < 1e-9 && (means[1] - 100.0 / 3.0).abs() < 1e-9, "{means:?}");
    assert!(matches!(precision, Precision::Within { .. }), "{precision:?}");
}

#[test]
fn games_with_chance_of_other_kinds_are_rejected() {
    let friendly = DUEL.replace("goal(b,0)", "goal(b,20)");
    assert_eq!(solved(&mut game(&friendly)).unwrap_err(), SearchError::Circular);
    let endless = "role(r) role(random) init(on) legal(r,go) legal(random,a) legal(random,b) next(on) \
        terminal :- true(off) goal(r,0)";
    assert_eq!(solved(&mut game(endless)).unwrap_err(), SearchError::Endless);
    let at_once = "role(r) role(random) init(on) legal(r,x) legal(r,y) legal(random,a) legal(random,b)
        next(off) terminal :- true(off) goal(r,0)";
    assert_eq!(solved(&mut game(at_once)).unwrap_err(), SearchError::SimultaneousChance);
}

fn say(session: &mut Session, line: &str) -> String {
    match evaluate(session, line) {
        Ok(answer) => render::text(&answer, ggp::diagnostic::render::Paint::Plain, ggp::syntax::Dialect::Infix),
        Err(error) => format!("error: {error}"),
    }
}

#[test]
fn a_policy_has_a_line_for_each_state() {
    let directory = Path::new(env!("CARGO_TARGET_TMPDIR"));
    let mut session = Session::new(directory, Arc::default());
    say(&mut session, "load minimax_tree");
    let answer = say(&mut session, "solve --policy tree.csv --force");
    assert!(answer.ends_with("tree.csv: the policy, 13 states\n"), "{answer}");
    insta::assert_snapshot!(std::fs::read_to_string(directory.join("tree.csv")).unwrap());
    let answer = say(&mut session, "solve --policy no/such/folder.csv");
    assert!(answer.starts_with("error: "), "{answer}");
    assert_eq!(say(&mut session, "legal max"), "max: a1, a2, a3\n", "the game is still there");
}

/// In every state of tic-tac-toe the policy's move keeps the value, which is that of the line's columns.
#[test]
fn the_moves_of_a_policy_keep_the_value() {
    let directory = Path::new(env!("CARGO_TARGET_TMPDIR"));
    let mut session = Session::new(directory, Arc::default());
    say(&mut session, "load tic_tac_toe");
    say(&mut session, "solve --policy tic_tac_toe.csv --force");
    let policy = std::fs::read_to_string(directory.join("tic_tac_toe.csv")).unwrap();
    let rows: Vec<Vec<String>> = policy.lines().skip(1).map(fields).collect();
    assert_eq!(rows.len(), 5_478);
    let value_of: std::collections::HashMap<&str, &[String]> =
        rows.iter().map(|row| (row[0].as_str(), &row[4..])).collect();
    for row in rows.iter().step_by(97).filter(|row| !row[2].is_empty()) {
        say(&mut session, &format!("set {}", row[0]));
        say(&mut session, &format!("do {}", row[2]));
        let after = say(&mut session, "state").lines().collect::<Vec<_>>().join(" ");
        assert_eq!(value_of[after.as_str()], &row[4..], "{} in {}", row[2], row[0]);
    }
}

/// The fields of a line of comma-separated values in which quotes have no quotes within.
fn fields(line: &str) -> Vec<String> {
    let (mut fields, mut quoted) = (vec![String::new()], false);
    for character in line.chars() {
        match character {
            '"' => quoted = !quoted,
            ',' if !quoted => fields.push(String::new()),
            other => fields.last_mut().expect("there is a field").push(other),
        }
    }
    fields
}
