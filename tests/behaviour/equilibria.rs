//! `nash` in games whose utilities have no constant sum: what it returns is an equilibrium, and it says which.

use crate::sessions::{json, say, session};
use ggp::engine::Game;
use ggp::game::{Chance, Reasoner, Role};
use ggp::interpreter::Interpreter;
use ggp::rules::GroundTerm;
use ggp::search::{Budget, Contest, Equilibrium, SearchError, nash};
use std::path::Path;

/// The utilities of two roles for each pair of moves.
type Matrix = Vec<Vec<[i32; 2]>>;

fn game(text: &str) -> Game {
    Game::from_text(text).expect("the sheet is valid")
}

/// A sheet in which `at(N)` is the state before the choice of the matrix N.
fn sheet(matrices: &[Matrix]) -> String {
    let mut text = String::from(
        "role(a) role(b) init(at(0))
        legal(a,M) :- true(at(S)) & row(S,M) legal(b,M) :- true(at(S)) & column(S,M)
        next(over(U,V)) :- true(at(S)) & does(a,M) & does(b,N) & entry(S,M,N,U,V)
        terminal :- true(over(U,V)) goal(a,U) :- true(over(U,V)) goal(b,V) :- true(over(U,V))\n",
    );
    for (stage, matrix) in matrices.iter().enumerate() {
        (0..matrix[0].len()).for_each(|column| text += &format!("column({stage},{column}) "));
        for (row, entries) in matrix.iter().enumerate() {
            text += &format!("row({stage},{row}) ");
            for (column, [first, second]) in entries.iter().enumerate() {
                text += &format!("entry({stage},{row},{column},{first},{second}) ");
            }
        }
    }
    text
}

fn at(stage: usize) -> GroundTerm {
    GroundTerm { name: "at".into(), arguments: vec![GroundTerm::symbol(stage.to_string())] }
}

fn solved(reasoner: &mut Interpreter, state: &<Interpreter as Reasoner>::State, role: usize) -> Equilibrium {
    let outcome = nash(reasoner, Contest::new(state, Role::new(role)), &Budget::new(), ()).unwrap();
    assert!(outcome.is_exact());
    outcome.answer.unwrap()
}

/// The probabilities of a strategy, whose moves are numbers.
fn probabilities(reasoner: &Interpreter, equilibrium: &Equilibrium, side: usize, count: usize) -> Vec<f64> {
    let mut probabilities = vec![0.0; count];
    for weighted in &equilibrium.strategies[side].moves {
        let number: usize = reasoner.move_term(weighted.chosen).to_string().parse().unwrap();
        probabilities[number] = weighted.probability;
    }
    probabilities
}

/// The pairs of moves from which neither role gains alone.
fn pure_equilibria(matrix: &Matrix) -> Vec<(usize, usize)> {
    let (rows, columns) = (matrix.len(), matrix[0].len());
    let is_stable = |row: usize, column: usize| {
        let [first, second] = matrix[row][column];
        (0..rows).all(|other| matrix[other][column][0] <= first)
            && (0..columns).all(|other| matrix[row][other][1] <= second)
    };
    (0..rows)
        .flat_map(|row| (0..columns).map(move |column| (row, column)))
        .filter(|&(row, column)| is_stable(row, column))
        .collect()
}

/// Utilities from many or few numbers, so that many are equal, and rows or columns that are the same.
fn random_matrix(random: &mut Chance) -> Matrix {
    let (rows, columns) = (1 + random.below(5), 1 + random.below(5));
    let kinds = [101, 11, 4, 2][random.below(4)];
    let utility = |random: &mut Chance| (random.below(kinds) * (100 / (kinds - 1))) as i32;
    let mut matrix: Matrix =
        (0..rows).map(|_| (0..columns).map(|_| [utility(random), utility(random)]).collect()).collect();
    // One gains about what the other loses, so that many have no equilibrium of pure strategies.
    if random.below(2) == 0 {
        for [first, second] in matrix.iter_mut().flatten() {
            *second = (100 - *first + random.below(21) as i32 - 10).clamp(0, 100);
        }
    }
    if random.below(4) == 0 {
        let copied = matrix[0].clone();
        matrix[rows - 1] = copied;
    }
    if random.below(4) == 0 {
        matrix.iter_mut().for_each(|row| row[columns - 1] = row[0]);
    }
    matrix
}

#[test]
fn no_role_gains_by_another_strategy() {
    let mut random = Chance::new(66);
    let (mut mixed, mut constant) = (0, 0);
    for _ in 0..20 {
        let matrices: Vec<Matrix> = (0..200).map(|_| random_matrix(&mut random)).collect();
        let mut loaded = game(&sheet(&matrices));
        let reasoner = &mut loaded.interpreter;
        for (stage, matrix) in matrices.iter().enumerate() {
            let state = reasoner.state_from_facts(&[at(stage)]).unwrap();
            let found = solved(reasoner, &state, 0);
            let row = probabilities(reasoner, &found, 0, matrix.len());
            let column = probabilities(reasoner, &found, 1, matrix[0].len());
            let gain = |row: usize, column: usize, side: usize| f64::from(matrix[row][column][side]);
            let of_row = |at: usize| -> f64 { (0..column.len()).map(|other| column[other] * gain(at, other, 0)).sum() };
            let of_column = |at: usize| -> f64 { (0..row.len()).map(|other| row[other] * gain(other, at, 1)).sum() };
            let values = [found.values[0].mean, found.values[1].mean];
            let best = [
                (0..row.len()).map(of_row).fold(f64::NEG_INFINITY, f64::max),
                (0..column.len()).map(of_column).fold(f64::NEG_INFINITY, f64::max),
            ];
            for side in 0..2 {
                assert!((best[side] - values[side]).abs() < 1e-6, "{best:?} {values:?} {found:?}: {matrix:?}");
            }
            assert!((row.iter().sum::<f64>() - 1.0).abs() < 1e-9 && (column.iter().sum::<f64>() - 1.0).abs() < 1e-9);
            let Some(selection) = &found.selection else {
                let sums: Vec<i32> = matrix.iter().flatten().map(|[first, second]| first + second).collect();
                assert!(sums.iter().all(|sum| *sum == sums[0]), "{matrix:?}");
                constant += 1;
                continue;
            };
            let pure = pure_equilibria(matrix);
            let means: Vec<Vec<f64>> = pure.iter().map(|&(at, to)| vec![gain(at, to, 0), gain(at, to, 1)]).collect();
            let listed: Vec<Vec<f64>> = selection.pure.iter().map(|pure| pure.means.clone()).collect();
            assert_eq!(listed, means, "{matrix:?}");
            match means.iter().map(|means| means.iter().sum::<f64>()).reduce(f64::max) {
                Some(most) => assert!((values[0] + values[1] - most).abs() < 1e-6, "{found:?}: {matrix:?}"),
                None => mixed += 1,
            }
        }
    }
    assert!(mixed > 200 && constant > 50, "{mixed} mixed, {constant} of constant sum");
}

/// Paths that go round in a circle without a rule for bounds that are met at once, and other hard cases: all utilities
/// equal but the diagonal, the game of Shapley, and a game of which no two moves differ.
#[test]
fn degenerate_games_have_an_equilibrium() {
    let shapley = vec![
        vec![[0, 0], [100, 50], [50, 100]],
        vec![[50, 100], [0, 0], [100, 50]],
        vec![[100, 50], [50, 100], [0, 0]],
    ];
    let mut loaded = game(&sheet(&[shapley]));
    let reasoner = &mut loaded.interpreter;
    let state = reasoner.initial_state().unwrap();
    let found = solved(reasoner, &state, 0);
    assert!(found.selection.as_ref().unwrap().pure.is_empty());
    for side in 0..2 {
        for probability in probabilities(reasoner, &found, side, 3) {
            assert!((probability - 1.0 / 3.0).abs() < 1e-9, "{found:?}");
        }
        assert!((found.values[side].mean - 50.0).abs() < 1e-9, "{found:?}");
    }
}

const PRISONERS: &str = "role(left) role(right) init(open) legal(P,silent) :- role(P) legal(P,tell) :- role(P)
    next(chose(P,M)) :- does(P,M) terminal :- true(chose(_,_)) other(left,right) other(right,left)
    goal(P,60) :- true(chose(P,silent)) & other(P,Q) & true(chose(Q,silent))
    goal(P,0) :- true(chose(P,silent)) & other(P,Q) & true(chose(Q,tell))
    goal(P,100) :- true(chose(P,tell)) & other(P,Q) & true(chose(Q,silent))
    goal(P,20) :- true(chose(P,tell)) & other(P,Q) & true(chose(Q,tell))";

/// A file with this sheet.
fn file(name: &str, text: &str) -> String {
    let path = Path::new(env!("CARGO_TARGET_TMPDIR")).join(name);
    std::fs::write(&path, text).unwrap();
    path.display().to_string()
}

#[test]
fn the_prisoners_tell() {
    let mut session = session(&[&format!("load {}", file("prisoners.hrf", PRISONERS))]);
    let said = say(&mut session, "nash");
    assert_eq!(
        said.lines().collect::<Vec<_>>(),
        [
            "left plays tell",
            "right plays tell",
            "left: 20, right: 20 expected; the only equilibrium of pure strategies (exact; 5 nodes, 1 expanded, depth 1)"
        ]
    );
    let answer = json(&mut session, "nash right");
    assert_eq!(answer["mean"], 20.0);
    assert_eq!(answer["values"][0]["role"], "right");
    assert_eq!(answer["values"][1]["mean"], 20.0);
    assert_eq!(answer["strategies"][1]["moves"][0]["move"], "tell");
    assert_eq!(answer["selection"]["pure"].as_array().unwrap().len(), 1);
    // `solve` advises a search that answers.
    assert!(say(&mut session, "solve").contains("use `nash`"));
}

#[test]
fn equilibria_among_which_one_is_chosen_are_listed() {
    let meeting = "role(a) role(b) init(start) legal(R,opera) :- role(R) legal(R,match) :- role(R)
        next(chose(R,M)) :- does(R,M) terminal :- ~true(start)
        both(M) :- true(chose(a,M)) & true(chose(b,M))
        goal(a,50) :- both(opera) goal(b,20) :- both(opera) goal(a,30) :- both(match) goal(b,100) :- both(match)
        met :- both(M) goal(R,0) :- role(R) & ~met & ~true(start)";
    let mut session = session(&[&format!("load {}", file("meeting.gdl", meeting))]);
    let said = say(&mut session, "nash");
    assert_eq!(
        said.lines().collect::<Vec<_>>(),
        [
            "equilibrium: a match, b match for 30, 100",
            "equilibrium: a opera, b opera for 50, 20",
            "a plays match",
            "b plays match",
            "a: 30, b: 100 expected; of 2 equilibria of pure strategies the first with the greatest sum (exact; 5 nodes, \
             1 expanded, depth 1)"
        ]
    );
    assert_eq!(json(&mut session, "nash")["selection"]["pure"][1]["moves"][1]["move"], "opera");
}

/// A random game of two stages, in which the second stage depends on the first: in each state the strategies are an
/// equilibrium of the game whose values are those of the states that follow.
#[test]
fn later_stages_are_played_as_chosen() {
    let (mut random, mut several) = (Chance::new(3), 0);
    for _ in 0..40 {
        let matrices: Vec<Matrix> = (0..4).map(|_| random_matrix(&mut random)).collect();
        // The first choice leads to one of the four.
        let text = sheet(&matrices).replace("init(at(0))", "init(first)")
            + "legal(R,0) :- role(R) & true(first) legal(R,1) :- role(R) & true(first)
            next(at(S)) :- true(first) & does(a,M) & does(b,N) & leads(M,N,S)
            leads(0,0,0) leads(0,1,1) leads(1,0,2) leads(1,1,3)";
        let mut loaded = game(&text);
        let reasoner = &mut loaded.interpreter;
        let mut means = Vec::new();
        for stage in 0..4 {
            let state = reasoner.state_from_facts(&[at(stage)]).unwrap();
            let found = solved(reasoner, &state, 0);
            means.push([found.values[0].mean, found.values[1].mean]);
        }
        let root = reasoner.initial_state().unwrap();
        let found = solved(reasoner, &root, 0);
        let shares = [probabilities(reasoner, &found, 0, 2), probabilities(reasoner, &found, 1, 2)];
        for side in 0..2 {
            let gain = |own: usize| -> f64 {
                let after = |other: usize| if side == 0 { 2 * own + other } else { 2 * other + own };
                (0..2).map(|other| shares[1 - side][other] * means[after(other)][side]).sum()
            };
            assert!((gain(0).max(gain(1)) - found.values[side].mean).abs() < 1e-6, "{found:?}: {matrices:?}");
        }
        several += found.selection.map_or(0, |selection| selection.later_several);
    }
    assert!(several > 0);
}

/// Three roles who choose at once: an equilibrium of pure strategies if there is one, else a refusal that says so.
#[test]
fn three_roles_need_pure_strategies() {
    let three = |goals: &str| {
        format!(
            "role(a) role(b) role(c) init(start) legal(R,x) :- role(R) legal(R,y) :- role(R) next(chose(R,M)) :- does(R,M)
            terminal :- ~true(start)
            same(R,S) :- true(chose(R,M)) & true(chose(S,M)) {goals}"
        )
    };
    let asked = |text: &str| {
        let mut loaded = game(text);
        let root = loaded.interpreter.initial_state().unwrap();
        nash(&mut loaded.interpreter, Contest::new(&root, Role::new(1)), &Budget::new(), ())
    };
    let agree =
        three("all :- same(a,b) & same(b,c) goal(R,70) :- role(R) & all goal(R,0) :- role(R) & ~all & ~true(start)");
    let found = asked(&agree).unwrap().answer.unwrap();
    let selection = found.selection.unwrap();
    assert_eq!((selection.pure.len(), found.values[2].mean, found.strategies.len()), (2, 70.0, 3));
    // a wants to be like b, b like c, and c unlike a.
    let chase = three(
        "goal(a,100) :- same(a,b) goal(a,0) :- ~same(a,b) goal(b,100) :- same(b,c) goal(b,0) :- ~same(b,c)
        goal(c,0) :- same(c,a) goal(c,100) :- ~same(c,a)",
    );
    let error = asked(&chase).unwrap_err();
    assert_eq!(error, SearchError::NoPureEquilibrium { choosing: 3 });
    assert!(error.to_string().contains("`maxn`"), "{error}");
}

/// With chance and a horizon.
#[test]
fn chance_counts_by_its_mean() {
    let text = "role(a) role(random) role(b) init(start) legal(R,x) :- role(R) legal(R,y) :- role(R)
        next(chose(R,M)) :- does(R,M) terminal :- ~true(start)
        goal(a,100) :- true(chose(a,x)) & true(chose(random,x)) goal(a,0) :- true(chose(a,x)) & true(chose(random,y))
        goal(a,40) :- true(chose(a,y))
        goal(b,10) :- true(chose(b,x)) goal(b,30) :- true(chose(b,y))";
    let mut loaded = game(text);
    let root = loaded.interpreter.initial_state().unwrap();
    let found = solved(&mut loaded.interpreter, &root, 0);
    assert_eq!(found.values.iter().map(|own| own.mean).collect::<Vec<_>>(), [50.0, 30.0]);
}
