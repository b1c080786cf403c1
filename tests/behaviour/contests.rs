//! The searches of several players: the trees of textbooks, and laws that hold between the algorithms on random games.

use crate::effort::effort;
use ggp::engine::{EngineKind, Game, load, load_text};
use ggp::game::{Evaluation, ReasonError, Reasoner, Role, Utility};
use ggp::interpreter::{Interpreter, State};
use ggp::limits::Stop;
use ggp::rules::GroundTerm;
use ggp::search::{
    Budget, Choice, Contest, EqualMoves, Ordering, Outcome, Pruning, Real, SearchError, WeightedMove, Worth,
    alpha_beta, expectiminimax, iterative_alpha_beta, max_n, minimax, nash, negamax, paranoid,
};
use ggp::syntax::Source;
use proptest::prelude::*;
use std::path::Path;

fn library(name: &str) -> Game {
    load(name, Path::new("."), EngineKind::default()).expect("the library has it")
}

fn game(text: &str) -> Game {
    load_text("test".to_string(), Source::new("test.gdl", text), None, EngineKind::default())
        .expect("the sheet is valid")
}

fn all_prunings() -> impl Iterator<Item = Pruning> {
    let orderings = [Ordering::Canonical, Ordering::Evaluation, Ordering::Table];
    orderings.into_iter().flat_map(|ordering| {
        [false, true].map(|table| Pruning {
            ordering,
            table,
            ties: if table { EqualMoves::Honest } else { EqualMoves::Unknown },
            ..Pruning::default()
        })
    })
}

fn term(text: &str) -> GroundTerm {
    let (name, arguments) = text.strip_suffix(')').and_then(|text| text.split_once('(')).unwrap_or((text, ""));
    let arguments = arguments.split(',').filter(|name| !name.is_empty()).map(GroundTerm::symbol).collect();
    GroundTerm { name: name.into(), arguments }
}

/// A contest with an evaluation.
fn judged<'a>(
    state: &'a State,
    role: Role,
    evaluation: &'a mut dyn Evaluation<Interpreter>,
) -> Contest<'a, Interpreter> {
    Contest { evaluation: Some(evaluation), ..Contest::new(state, role) }
}

/// The utility, the move and the nodes of an exact outcome.
fn exact(reasoner: &Interpreter, outcome: Outcome<Choice>) -> (i32, String, u64) {
    assert!(outcome.is_exact());
    let choice = outcome.answer.expect("an exact outcome has an answer");
    let chosen = choice.chosen.map(|chosen| reasoner.move_term(chosen).to_string()).unwrap_or_default();
    (choice.worth.utility().expect("it is exact").floor(), chosen, outcome.cost.nodes)
}

#[test]
fn the_two_ply_tree_of_the_textbook() {
    let reasoner = &mut library("minimax_tree").interpreter;
    let root = reasoner.initial_state().unwrap();
    let max = || Contest::new(&root, Role::new(0));
    let outcome = minimax(reasoner, max(), &Budget::new(), ()).unwrap();
    assert_eq!(exact(reasoner, outcome), (3, "a1".to_string(), 13));
    let outcome = negamax(reasoner, max(), &Budget::new(), ()).unwrap();
    assert_eq!(exact(reasoner, outcome), (3, "a1".to_string(), 13));
    // Two leaves are cut off, those below c2 and c3.
    let outcome = alpha_beta(reasoner, max(), Pruning::default(), &Budget::new(), ()).unwrap();
    assert_eq!(exact(reasoner, outcome), (3, "a1".to_string(), 11));
    let outcome = iterative_alpha_beta(reasoner, max(), &Budget::new(), ()).unwrap();
    let rounds: Vec<_> = outcome.answer.unwrap().rounds.into_iter().map(|round| round.worth).collect();
    assert_eq!(rounds, [Worth::Unknown, Worth::Utility(Utility::whole(3))]);
}

#[test]
fn each_of_three_players_maximises_its_own_utility() {
    let reasoner = &mut library("three_player_tree").interpreter;
    let root = reasoner.initial_state().unwrap();
    let outcome = max_n(reasoner, Contest::new(&root, Role::new(0)), &Budget::new(), ()).unwrap();
    assert_eq!((outcome.is_exact(), outcome.cost.nodes), (true, 15));
    let shares = outcome.answer.unwrap();
    assert_eq!(shares.worths, [1, 2, 6].map(|utility| Worth::Utility(Utility::whole(utility))));
    assert_eq!(shares.line.len(), 3);
    // Against all others as one opponent, a can force at most 1 as well.
    let outcome =
        paranoid(reasoner, Contest::new(&root, Role::new(0)), Pruning::default(), &Budget::new(), ()).unwrap();
    assert_eq!(exact(reasoner, outcome).0, 1);
}

#[test]
fn chance_nodes_have_the_mean_value() {
    let reasoner = &mut library("expectimax_tree").interpreter;
    let root = reasoner.initial_state().unwrap();
    let outcome = expectiminimax(reasoner, Contest::new(&root, Role::new(0)), &Budget::new(), ()).unwrap();
    assert_eq!((outcome.is_exact(), outcome.answer.unwrap().utility), (true, Real::whole(10)));
    let asked = expectiminimax(reasoner, Contest::new(&root, Role::new(1)), &Budget::new(), ());
    assert_eq!(asked.unwrap_err(), SearchError::AsksChance);
    let asked = max_n(reasoner, Contest::new(&root, Role::new(0)), &Budget::new(), ());
    assert_eq!(asked.unwrap_err(), SearchError::Chance);
}

/// Columns from the left, each from the bottom; red is O.
const POSITION: [&str; 7] = ["OO....", "OOXOXX", "X.....", "OXXOXX", "XO....", "OOXOXX", "OOOXOX"];
const WEIGHTS: [[i64; 6]; 4] = [[3, 4, 5, 5, 4, 3], [4, 6, 8, 8, 6, 4], [5, 8, 11, 11, 8, 5], [7, 10, 13, 13, 10, 7]];

fn position(reasoner: &mut Interpreter) -> State {
    let mut facts = vec![term("control(yellow)")];
    for (column, discs) in (1..).zip(POSITION) {
        for (row, disc) in (1..).zip(discs.chars()).filter(|&(_, disc)| disc != '.') {
            let role = if disc == 'O' { "red" } else { "yellow" };
            facts.push(term(&format!("square({column},{row},{role})")));
        }
    }
    reasoner.state_from_facts(&facts).unwrap()
}

/// The weights of a role's squares.
fn weigh(reasoner: &mut Interpreter, state: &State, role: Role) -> Result<i64, ReasonError> {
    let name = reasoner.roles()[role.index()].clone();
    let facts = reasoner.facts(state);
    let own = facts.iter().filter(|fact| &*fact.name == "square" && fact.arguments[2] == name);
    let coordinate = |fact: &GroundTerm, argument: usize| fact.arguments[argument].name.parse::<usize>().unwrap() - 1;
    Ok(own.map(|fact| WEIGHTS[coordinate(fact, 0).min(6 - coordinate(fact, 0))][coordinate(fact, 1)]).sum())
}

#[test]
fn the_connect_four_position_of_the_course() {
    let reasoner = &mut library("connect_four").interpreter;
    let state = position(reasoner);
    let depth = Budget::new().with_depth(3);
    let yellow = Role::new(1);
    let check = |found: Outcome<Choice>, nodes: Option<u64>, reasoner: &Interpreter| {
        let choice = found.answer.unwrap();
        assert_eq!(reasoner.move_term(choice.chosen.unwrap()).to_string(), "drop(5)");
        assert_eq!((choice.worth, found.stopped), (Worth::Estimate(15), Some(Stop::Depth { limit: 3 })));
        assert_eq!(choice.line.len(), 3);
        nodes.into_iter().for_each(|nodes| assert_eq!(found.cost.nodes, nodes));
    };
    check(minimax(reasoner, judged(&state, yellow, &mut weigh), &depth, ()).unwrap(), Some(31), reasoner);
    check(negamax(reasoner, judged(&state, yellow, &mut weigh), &depth, ()).unwrap(), Some(31), reasoner);
    for pruning in all_prunings() {
        let nodes = (pruning == Pruning::default()).then_some(28);
        check(alpha_beta(reasoner, judged(&state, yellow, &mut weigh), pruning, &depth, ()).unwrap(), nodes, reasoner);
    }
    let deepened = iterative_alpha_beta(reasoner, judged(&state, yellow, &mut weigh), &depth, ()).unwrap();
    assert_eq!(deepened.answer.unwrap().rounds.len(), 3);
}

#[test]
fn all_searches_agree_on_every_state_of_tic_tac_toe() {
    let reasoner = &mut library("tic_tac_toe").interpreter;
    let root = reasoner.initial_state().unwrap();
    let mut states = vec![root.clone()];
    let mut seen: std::collections::HashSet<State> = states.iter().cloned().collect();
    let mut next = 0;
    while let Some(state) = states.get(next).cloned() {
        next += 1;
        if reasoner.is_terminal(&state).unwrap() {
            continue;
        }
        let mut joint_moves = ggp::game::JointMoves::in_state(reasoner, &state).unwrap();
        loop {
            let after = reasoner.next_state(&state, joint_moves.current()).unwrap();
            if seen.insert(after.clone()) {
                states.push(after);
            }
            if !joint_moves.advance() {
                break;
            }
        }
    }
    assert_eq!(states.len(), 5_478);
    // From the end backwards, so that each state's value follows from its successors by the definition of minimax.
    let mut values: std::collections::HashMap<State, i32> = std::collections::HashMap::new();
    let most_moves_left = effort(5, 9);
    let orderings = [Ordering::Canonical, Ordering::Evaluation, Ordering::Table];
    for (number, state) in states.iter().enumerate().rev() {
        let value = by_definition(reasoner, state, &values);
        values.insert(state.clone(), value);
        let contest = || Contest::new(state, Role::new(0));
        // In a sample each state has one of the orderings.
        for ordering in orderings.into_iter().skip(effort(number % 3, 0)).take(effort(1, 3)) {
            let pruning = Pruning { ordering, ..Pruning::default() };
            let outcome = alpha_beta(reasoner, contest(), pruning, &Budget::new(), ()).unwrap();
            assert_eq!(exact(reasoner, outcome).0, value);
        }
        let blanks = reasoner.facts(state).iter().filter(|fact| fact.to_string().ends_with(",b)")).count();
        if blanks <= most_moves_left {
            let outcome = minimax(reasoner, contest(), &Budget::new(), ()).unwrap();
            assert_eq!(exact(reasoner, outcome).0, value);
        }
    }
    assert_eq!(values[&root], 50);
}

/// The value of a state whose successors' values are known.
fn by_definition(reasoner: &mut Interpreter, state: &State, values: &std::collections::HashMap<State, i32>) -> i32 {
    if reasoner.is_terminal(state).unwrap() {
        return reasoner.goal(state, Role::new(0)).unwrap().floor();
    }
    let mut joint_moves = ggp::game::JointMoves::in_state(reasoner, state).unwrap();
    let mut reached = Vec::new();
    loop {
        let after = reasoner.next_state(state, joint_moves.current()).unwrap();
        reached.push(values[&after]);
        if !joint_moves.advance() {
            break;
        }
    }
    let maximises = joint_moves.legal(Role::new(0)).len() > 1
        || reasoner.facts(state).iter().any(|fact| fact.to_string() == "control(xplayer)");
    if maximises { *reached.iter().max().unwrap() } else { *reached.iter().min().unwrap() }
}

#[test]
fn forced_joint_moves_count_unless_they_extend_the_search() {
    // One choice, then a corridor of five steps, then another choice.
    let text = "role(a) role(b) init(at(0)) legal(b,wait)
        legal(a,left) :- true(at(0)) legal(a,right) :- true(at(0))
        legal(a,go) :- true(at(N)) & distinct(N,0) & distinct(N,5)
        legal(a,left) :- true(at(5)) legal(a,right) :- true(at(5))
        next(at(N)) :- true(at(M)) & succ(M,N)
        next(last(M)) :- does(a,M)
        terminal :- true(at(6))
        goal(a,80) :- true(last(left)) goal(a,20) :- ~true(last(left)) goal(b,0)
        succ(0,1) succ(1,2) succ(2,3) succ(3,4) succ(4,5) succ(5,6)";
    let reasoner = &mut game(text).interpreter;
    let root = reasoner.initial_state().unwrap();
    let found = |reasoner: &mut Interpreter, budget: Budget| {
        minimax(reasoner, Contest::new(&root, Role::new(0)), &budget, ()).unwrap()
    };
    for depth in 1..=5 {
        let outcome = found(reasoner, Budget::new().with_depth(depth));
        assert_eq!((outcome.answer.unwrap().worth, outcome.cost.depth), (Worth::Unknown, depth));
    }
    let extending = Budget::new().extending_forced();
    assert_eq!(found(reasoner, extending.clone().with_depth(1)).answer.unwrap().worth, Worth::Unknown);
    for budget in [Budget::new().with_depth(6), extending.with_depth(2)] {
        let outcome = found(reasoner, budget);
        assert_eq!((outcome.is_exact(), outcome.cost.depth), (true, 6));
        assert_eq!(outcome.answer.unwrap().worth, Worth::Utility(Utility::whole(80)));
    }
}

#[test]
fn rock_paper_scissors_is_played_at_random() {
    let reasoner = &mut library("rock_paper_scissors").interpreter;
    let root = reasoner.initial_state().unwrap();
    let outcome = nash(reasoner, Contest::new(&root, Role::new(1)), &Budget::new(), ()).unwrap();
    assert_eq!((outcome.is_exact(), outcome.cost.nodes, outcome.cost.expanded), (true, 10, 1));
    let equilibrium = outcome.answer.unwrap();
    assert!((equilibrium.utility - 50.0).abs() < 1e-6);
    assert_eq!(equilibrium.strategies.iter().map(|strategy| strategy.role.index()).collect::<Vec<_>>(), [1, 0]);
    for strategy in equilibrium.strategies {
        let moves: Vec<String> =
            strategy.moves.iter().map(|weighted| reasoner.move_term(weighted.chosen).to_string()).collect();
        assert_eq!(moves, ["paper", "rock", "scissors"]);
        assert!(strategy.moves.iter().all(|weighted| (weighted.probability - 1.0 / 3.0).abs() < 1e-6));
    }
}

#[test]
fn equilibria_are_for_several_roles() {
    let asked = |game: &mut Game, role: usize| {
        let reasoner = &mut game.interpreter;
        let root = reasoner.initial_state().unwrap();
        nash(reasoner, Contest::new(&root, Role::new(role)), &Budget::new(), ())
    };
    assert_eq!(asked(&mut library("expectimax_tree"), 0).unwrap_err(), SearchError::NotSeveralRoles);
    assert_eq!(asked(&mut library("pig_dice"), 2).unwrap_err(), SearchError::AsksChance);
    // Where roles take turns, each takes the greatest value of its own, as by maxn.
    let mut tree = library("three_player_tree");
    let found = asked(&mut tree, 0).unwrap().answer.unwrap();
    let reasoner = &mut tree.interpreter;
    let root = reasoner.initial_state().unwrap();
    let shares = max_n(reasoner, Contest::new(&root, Role::new(0)), &Budget::new(), ()).unwrap().answer.unwrap();
    let shares: Vec<f64> = shares.worths.iter().map(|worth| worth.utility().unwrap().to_f64()).collect();
    assert_eq!(found.values.iter().map(|own| own.mean).collect::<Vec<_>>(), shares);
}

/// Two roles choose at once, `chance` throws a coin, and that may lead to a second choice, with random matrices. A
/// number from 0 to 100 is the utility of the first role, and a greater number leads to the second matrix.
fn stages(first: &[Vec<[i32; 2]>], second: &[Vec<i32>]) -> String {
    let mut text = "role(a) role(random) role(b) init(at(start))
        legal(a,M) :- row(S,M) & true(at(S)) legal(b,M) :- column(S,M) & true(at(S))
        legal(random,heads) legal(random,tails)
        next(at(S)) :- true(at(start)) & does(a,M) & does(b,N) & does(random,C) & entry(M,N,C,S)
        next(at(S)) :- true(at(later)) & does(a,M) & does(b,N) & later(M,N,S)
        terminal :- true(at(S)) & worth(S,_)
        goal(a,V) :- true(at(S)) & worth(S,V) goal(b,V) :- true(at(S)) & worth(S,W) & rest(W,V)
        goal(random,50)\n"
        .to_string();
    for (row, entries) in first.iter().enumerate() {
        text += &format!("row(start,{row})\n");
        for (column, ends) in entries.iter().enumerate() {
            for (coin, end) in ["heads", "tails"].iter().zip(ends) {
                let target = if *end > 100 { "later".to_string() } else { format!("end({end})") };
                text += &format!("entry({row},{column},{coin},{target})\n");
            }
        }
    }
    first[0].iter().enumerate().for_each(|(column, _)| text += &format!("column(start,{column})\n"));
    for (row, entries) in second.iter().enumerate() {
        text += &format!("row(later,{row})\n");
        for (column, end) in entries.iter().enumerate() {
            text += &format!("later({row},{column},end({end}))\n");
        }
    }
    second[0].iter().enumerate().for_each(|(column, _)| text += &format!("column(later,{column})\n"));
    (0..=100).for_each(|worth| text += &format!("worth(end({worth}),{worth}) rest({worth},{})\n", 100 - worth));
    text
}

/// The value that each side's strategy guarantees against every reply of the other: both must equal the value of the
/// game, so that neither side can improve.
fn guarantees(matrix: &[Vec<f64>], rows: &[f64], columns: &[f64]) -> (f64, f64) {
    let against = |column: usize| matrix.iter().zip(rows).map(|(entries, share)| entries[column] * share).sum::<f64>();
    let with = |entries: &Vec<f64>| entries.iter().zip(columns).map(|(entry, share)| entry * share).sum::<f64>();
    let sure = (0..columns.len()).map(against).fold(f64::INFINITY, f64::min);
    (sure, matrix.iter().map(with).fold(f64::NEG_INFINITY, f64::max))
}

/// A random turn-based game: a tree of positions with the role to move, and utilities at its leaves. The numbers
/// determine everything; equal numbers give equal games.
#[derive(Clone, Debug)]
struct Tree {
    roles: usize,
    /// For each inner position: the role to move, and the positions to which the moves lead, all with higher numbers.
    inner: Vec<(usize, Vec<usize>)>,
    /// The utilities of each leaf.
    leaves: Vec<Vec<i32>>,
}

impl Tree {
    fn sheet(&self) -> String {
        let mut text = String::new();
        for role in 0..self.roles {
            text += &format!("role(r{role}) legal(r{role},noop) :- true(at(N)) & decides(N,Q) & distinct(Q,r{role})\n");
        }
        text += "init(at(0)) legal(R,M) :- true(at(N)) & decides(N,R) & edge(N,M,_)
                 next(at(C)) :- true(at(N)) & decides(N,R) & does(R,M) & edge(N,M,C)
                 terminal :- true(at(N)) & worth(N,_,_) goal(R,V) :- true(at(N)) & worth(N,R,V)\n";
        for (index, (role, successors)) in self.inner.iter().enumerate() {
            text += &format!("decides({index},r{role})\n");
            for (number, successor) in successors.iter().enumerate() {
                text += &format!("edge({index},m{number},{successor})\n");
            }
        }
        for (index, worths) in (self.inner.len()..).zip(&self.leaves) {
            for (role, worth) in worths.iter().enumerate() {
                text += &format!("worth({index},r{role},{worth})\n");
            }
        }
        text
    }
}

/// Up to seven inner positions and up to six leaves; a position can be reached in several ways, so that states repeat.
fn a_tree(roles: usize) -> impl Strategy<Value = Tree> {
    (1..8_usize, 1..7_usize).prop_flat_map(move |(inner, leaves)| {
        let all = inner + leaves;
        let successors = move |index: usize| prop::collection::vec(index + 1..all, 1..4);
        let inner: Vec<_> = (0..inner).map(|index| (0..roles, successors(index))).collect();
        let worth = prop::sample::select(vec![0, 25, 50, 75, 100]);
        let leaves = prop::collection::vec(prop::collection::vec(worth, roles), leaves);
        (inner, leaves).prop_map(move |(inner, mut leaves)| {
            // Two roles are opponents.
            leaves.iter_mut().filter(|worths| worths.len() == 2).for_each(|worths| worths[1] = 100 - worths[0]);
            Tree { roles, inner, leaves }
        })
    })
}

/// The first moves that are reported as equally good, in canonical order.
fn sorted(reasoner: &Interpreter, outcome: Outcome<Choice>) -> Vec<String> {
    let equals = outcome.answer.unwrap().equals.into_iter();
    let mut equals: Vec<String> = equals.map(|chosen| reasoner.move_term(chosen).to_string()).collect();
    equals.sort();
    equals
}

/// The moves of a role with which it can force exactly this worth, by definition.
fn equally_good(reasoner: &mut Interpreter, root: &State, role: Role, worth: i32) -> Vec<String> {
    if reasoner.is_terminal(root).unwrap() {
        return Vec::new();
    }
    let mut joint_moves = ggp::game::JointMoves::in_state(reasoner, root).unwrap();
    let mut worst = std::collections::BTreeMap::new();
    loop {
        let after = reasoner.next_state(root, joint_moves.current()).unwrap();
        let outcome = minimax(reasoner, Contest::new(&after, role), &Budget::new(), ()).unwrap();
        let value = exact(reasoner, outcome).0;
        let chosen = reasoner.move_term(joint_moves.current()[role.index()]).to_string();
        let entry = worst.entry(chosen).or_insert(value);
        *entry = value.min(*entry);
        if !joint_moves.advance() {
            break;
        }
    }
    worst.into_iter().filter(|&(_, value)| value == worth).map(|(chosen, _)| chosen).collect()
}

/// An evaluation that is informative, but not always right.
fn guess(reasoner: &mut Interpreter, state: &State, role: Role) -> Result<i64, ReasonError> {
    let index: i64 = reasoner.facts(state)[0].arguments[0].name.parse().unwrap();
    Ok((index * 7 + role.index() as i64 * 3) % 5)
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(effort(50, 150)))]

    #[test]
    fn all_algorithms_agree_with_minimax(tree in prop_oneof![a_tree(2), a_tree(3)]) {
        let reasoner = &mut game(&tree.sheet()).interpreter;
        let root = reasoner.initial_state().unwrap();
        for role in (0..tree.roles).map(Role::new) {
            let contest = || Contest::new(&root, role);
            let (worth, chosen, nodes) = {
                let outcome = minimax(reasoner, contest(), &Budget::new(), ()).unwrap();
                exact(reasoner, outcome)
            };
            let outcome = minimax(reasoner, contest(), &Budget::new(), ()).unwrap();
            let equals = sorted(reasoner, outcome);
            let outcome = negamax(reasoner, contest(), &Budget::new(), ()).unwrap();
            prop_assert_eq!(sorted(reasoner, outcome.clone()), equals.clone());
            prop_assert_eq!(exact(reasoner, outcome), (worth, chosen.clone(), nodes));
            prop_assert_eq!(&equals, &equally_good(reasoner, &root, role, worth));
            for pruning in all_prunings() {
                let outcome = alpha_beta(reasoner, contest(), pruning, &Budget::new(), ()).unwrap();
                if pruning.ties == EqualMoves::Honest {
                    prop_assert_eq!(sorted(reasoner, outcome.clone()), equals.clone());
                }
                let found = exact(reasoner, outcome);
                prop_assert_eq!(found.0, worth);
                prop_assert!(found.2 <= nodes);
                if pruning.ordering == Ordering::Canonical {
                    prop_assert_eq!(&found.1, &chosen);
                }
            }
            let outcome = iterative_alpha_beta(reasoner, contest(), &Budget::new(), ()).unwrap();
            prop_assert!(outcome.is_exact());
            prop_assert_eq!(outcome.answer.unwrap().choice.worth, Worth::Utility(Utility::whole(worth)));
            let outcome = expectiminimax(reasoner, contest(), &Budget::new(), ()).unwrap();
            prop_assert_eq!(outcome.answer.unwrap().utility, Real::whole(worth.into()));
            if tree.roles == 2 {
                let outcome = nash(reasoner, contest(), &Budget::new(), ()).unwrap();
                prop_assert_eq!((outcome.is_exact(), outcome.cost.nodes), (true, nodes));
                prop_assert_eq!(outcome.answer.unwrap().utility, f64::from(worth));
            }
            let shares = max_n(reasoner, contest(), &Budget::new(), ()).unwrap().answer.unwrap();
            let own = shares.worths[role.index()].utility().unwrap().floor();
            prop_assert!(own >= worth);
            prop_assert!(tree.roles > 2 || own == worth);
        }
    }

    #[test]
    fn pruning_never_changes_the_value_at_any_depth(tree in a_tree(2), depth in 1..5_u32) {
        let reasoner = &mut game(&tree.sheet()).interpreter;
        let root = reasoner.initial_state().unwrap();
        let budget = Budget::new().with_depth(depth);
            let plain = minimax(reasoner, judged(&root, Role::new(0), &mut guess), &budget, ()).unwrap();
        let choice = plain.answer.unwrap();
        for pruning in all_prunings() {
            let outcome = alpha_beta(reasoner, judged(&root, Role::new(0), &mut guess), pruning, &budget, ()).unwrap();
            let (found, is_exact) = (outcome.answer.unwrap(), outcome.stopped.is_none());
            // If pruning hides the horizon, its answer is exact, and a draw is reported as a draw.
            if is_exact == plain.stopped.is_none() {
                prop_assert_eq!(found.worth, choice.worth);
            }
            if pruning.ordering == Ordering::Canonical {
                prop_assert_eq!(found.chosen, choice.chosen);
            }
        }
    }

    #[test]
    fn no_side_can_improve_on_its_equilibrium(
        first in (1..4_usize, 1..4_usize).prop_flat_map(|(rows, columns)| {
            prop::collection::vec(prop::collection::vec([0..120_i32, 0..120], columns), rows)
        }),
        second in (1..5_usize, 1..5_usize).prop_flat_map(|(rows, columns)| {
            prop::collection::vec(prop::collection::vec(0..=100_i32, columns), rows)
        }),
    ) {
        let reasoner = &mut game(&stages(&first, &second)).interpreter;
        let root = reasoner.initial_state().unwrap();
        let later = reasoner.state_from_facts(&[term("at(later)")]).unwrap();
        let mut values = Vec::new();
        for state in [&later, &root] {
            let (own, other) = (Contest::new(state, Role::new(0)), Contest::new(state, Role::new(2)));
            let own = nash(reasoner, own, &Budget::new(), ()).unwrap().answer.unwrap();
            let other = nash(reasoner, other, &Budget::new(), ()).unwrap().answer.unwrap();
            prop_assert!((own.utility + other.utility - 100.0).abs() < 1e-4);
            values.push(own);
        }
        let of_entry = |end: i32| if end > 100 { values[0].utility } else { f64::from(end) };
        let mean = |ends: &[i32; 2]| f64::midpoint(of_entry(ends[0]), of_entry(ends[1]));
        let first: Vec<Vec<f64>> = first.iter().map(|row| row.iter().map(mean).collect()).collect();
        let second: Vec<Vec<f64>> = second.iter().map(|row| row.iter().copied().map(f64::from).collect()).collect();
        for (matrix, found) in [second, first].iter().zip(&values) {
            let shares = |side: usize, size: usize| {
                let mut shares = vec![0.0; size];
                for &WeightedMove { chosen, probability: share } in &found.strategies[side].moves {
                    shares[reasoner.move_term(chosen).name.parse::<usize>().unwrap()] = share;
                }
                shares
            };
            let (sure, held) = guarantees(matrix, &shares(0, matrix.len()), &shares(1, matrix[0].len()));
            prop_assert!((sure - found.utility).abs() < 1e-3 && (held - found.utility).abs() < 1e-3, "{sure} {held} {found:?}");
        }
    }
}
