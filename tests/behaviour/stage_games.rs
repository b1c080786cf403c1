//! Exact values in the tree of `mcts` where several roles choose at once.

use ggp::engine::Game;
use ggp::game::{Chance, Reasoner, Role};
use ggp::interpreter::Interpreter;
use ggp::search::{Advice, Budget, Contest, SinglePlayouts, Uct, UctOptions, nash};

const SIDES: [Role; 2] = [Role::new(0), Role::new(1)];

fn game(text: &str) -> Game {
    Game::from_text(text).expect("the sheet is valid")
}

/// A game of two stages: in the first, the sum of the numbers of both moves says which matrix follows; the second has the
/// utilities of the first role.
fn two_stages(matrices: &[Vec<Vec<i32>>]) -> String {
    let mut text = String::from(
        "role(a) role(b) init(at(start))
        legal(a,M) :- true(at(S)) & row(S,M) legal(b,M) :- true(at(S)) & column(S,M)
        next(at(S)) :- true(at(start)) & does(a,M) & does(b,N) & leads(M,N,S)
        next(at(over(U))) :- true(at(S)) & does(a,M) & does(b,N) & entry(S,M,N,U)
        terminal :- true(at(over(U)))
        goal(a,U) :- true(at(over(U))) goal(b,V) :- true(at(over(U))) & rest(U,V)\n",
    );
    for number in 0..=100 {
        text += &format!("rest({number},{}) ", 100 - number);
    }
    for first in 0..2 {
        text += &format!("row(start,{first}) column(start,{first}) ");
        (0..2)
            .for_each(|second| text += &format!("leads({first},{second},{}) ", (first + 2 * second) % matrices.len()));
    }
    for (stage, matrix) in matrices.iter().enumerate() {
        (0..matrix[0].len()).for_each(|column| text += &format!("column({stage},{column}) "));
        for (row, entries) in matrix.iter().enumerate() {
            text += &format!("row({stage},{row}) ");
            for (column, entry) in entries.iter().enumerate() {
                text += &format!("entry({stage},{row},{column},{entry}) ");
            }
        }
    }
    text
}

fn advice(reasoner: &mut Interpreter, role: Role, seed: u64, visits: u64) -> (Option<f64>, Advice) {
    let root = reasoner.initial_state().unwrap();
    // With much exploration all joint moves are soon reached.
    let mut tree = Uct::new(reasoner, &root, UctOptions { seed, exploration: 3.0, ..UctOptions::default() }).unwrap();
    let budget = Budget::new().with_nodes(visits);
    let outcome = tree.search(reasoner, role, &mut SinglePlayouts::new(seed), &budget).unwrap();
    (tree.proven(role), outcome.answer.unwrap())
}

#[test]
fn proven_values_are_those_of_equilibria() {
    let (mut random, mut found) = (Chance::new(1), 0);
    for round in 0..20 {
        let matrix = |random: &mut Chance| {
            let (rows, columns) = (2 + random.below(2), 2 + random.below(2));
            (0..rows).map(|_| (0..columns).map(|_| 20 * random.below(6) as i32).collect()).collect()
        };
        let matrices: Vec<Vec<Vec<i32>>> = (0..4).map(|_| matrix(&mut random)).collect();
        let mut loaded = game(&two_stages(&matrices));
        let reasoner = &mut loaded.interpreter;
        let root = reasoner.initial_state().unwrap();
        for role in SIDES {
            let exact = nash(reasoner, Contest::new(&root, role), &Budget::new(), ()).unwrap().answer.unwrap();
            if let Some(proven) = advice(reasoner, role, round, 20_000).0 {
                assert!((proven - exact.utility).abs() < 1e-3, "{proven} and {}: {matrices:?}", exact.utility);
                found += 1;
            }
        }
    }
    assert!(found >= 30, "{found} of 40");
}

/// Both choose heads with a probability of 1/3: the first role gets 100 for two heads and 50 for two tails.
pub(crate) const PENNIES: &str = "role(a) role(b) init(start) legal(R,heads) :- role(R) legal(R,tails) :- role(R)
    next(chose(R,M)) :- does(R,M)
    terminal :- ~true(start)
    gain(100) :- true(chose(a,heads)) & true(chose(b,heads))
    gain(50) :- true(chose(a,tails)) & true(chose(b,tails))
    gain(0) :- true(chose(a,M)) & true(chose(b,N)) & distinct(M,N)
    goal(a,G) :- gain(G) goal(b,R) :- gain(G) & rest(G,R)
    rest(100,0) rest(50,50) rest(0,100)";

/// A player who always made the same move would get nothing from an opponent who knows it. The moves are drawn with the
/// probabilities of the equilibrium, and differ between seeds and roles, but not for the same seed.
#[test]
fn moves_are_drawn_with_the_probabilities_of_an_equilibrium() {
    let mut loaded = game(PENNIES);
    let reasoner = &mut loaded.interpreter;
    let (seeds, mut heads, mut both) = (300, [0_u32; 2], 0);
    for seed in 0..seeds {
        let chosen = SIDES.map(|role| {
            let (proven, first) = advice(reasoner, role, seed, 1000);
            let exact = if role == SIDES[0] { 100.0 / 3.0 } else { 200.0 / 3.0 };
            assert!((proven.expect("the game is small") - exact).abs() < 1e-3);
            assert_eq!(first, advice(reasoner, role, seed, 1000).1);
            reasoner.move_term(first.chosen).to_string() == "heads"
        });
        heads.iter_mut().zip(chosen).for_each(|(heads, chosen)| *heads += u32::from(chosen));
        both += u32::from(chosen == [true, true]);
    }
    // Four standard deviations are 33 of 300.
    assert!(heads.iter().all(|heads| heads.abs_diff(100) < 33), "{heads:?}");
    // The roles draw independently of each other.
    assert!(both.abs_diff(33) < 22, "{both}");
}

/// Whatever the others do, `up` wins: the value is proven although most of what follows is open.
#[test]
fn a_move_that_wins_against_all_replies_is_proven() {
    let text =
        "role(a) role(b) role(c) init(at(0)) legal(a,up) legal(a,down) legal(R,M) :- role(R) & distinct(R,a) & word(M)
        word(1) word(2) word(3)
        next(won) :- does(a,up)
        next(at(M)) :- does(a,down) & does(b,M)
        terminal :- true(won)
        goal(a,100) :- true(won) goal(a,0) :- ~true(won) goal(b,0) goal(c,0)";
    let mut loaded = game(text);
    let reasoner = &mut loaded.interpreter;
    for seed in 0..5 {
        let (proven, advice) = advice(reasoner, SIDES[0], seed, 2000);
        assert_eq!(proven, Some(100.0));
        assert_eq!(reasoner.move_term(advice.chosen).to_string(), "up");
    }
}

/// The sum of the utilities is not constant, so the values that follow do not give a value.
#[test]
fn other_games_are_not_proven() {
    let text = "role(a) role(b) init(start) legal(R,stay) :- role(R) legal(R,swerve) :- role(R)
        next(chose(R,M)) :- does(R,M)
        terminal :- ~true(start)
        goal(R,50) :- true(chose(R,swerve))
        goal(R,100) :- true(chose(R,stay)) & role(S) & distinct(R,S) & true(chose(S,swerve))
        goal(R,0) :- true(chose(R,stay)) & role(S) & distinct(R,S) & true(chose(S,stay))";
    let mut loaded = game(text);
    assert_eq!(advice(&mut loaded.interpreter, SIDES[0], 1, 500).0, None);
}
