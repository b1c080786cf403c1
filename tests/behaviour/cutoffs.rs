//! Options of alpha-beta that change its node counts: killers, history, null windows and aspiration windows keep the
//! value of minimax, and the move is as good.

use super::solving::a_walk;
use crate::sessions::{say, session};
use ggp::engine::{EngineKind, load_text};
use ggp::game::{Reasoner, Role, Utility};
use ggp::interpreter::Interpreter;
use ggp::search::{
    Budget, Contest, Enhancements, EqualMoves, Ordering, Pruning, Worth, alpha_beta, iterative_with, minimax,
};
use ggp::syntax::Source;
use proptest::prelude::*;

fn game(text: &str) -> Interpreter {
    let source = Source::new("test.gdl", text);
    load_text("test".to_string(), source, None, EngineKind::Interpreter).expect("the sheet is valid").interpreter
}

/// A value as searches rank it: what is unknown is a draw.
fn ranked(worth: Worth) -> Worth {
    if worth == Worth::Unknown { Worth::Utility(Utility::whole(50)) } else { worth }
}

fn each() -> [Enhancements; 5] {
    let none = Enhancements::default();
    [
        Enhancements { killers: true, ..none },
        Enhancements { history: true, ..none },
        Enhancements { null_windows: true, ..none },
        Enhancements { aspiration: true, ..none },
        Enhancements::ALL,
    ]
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(40))]

    #[test]
    fn no_option_changes_a_value(text in a_walk(), depth in 1..7_u32) {
        let reasoner = &mut game(&text);
        let root = reasoner.initial_state().unwrap();
        let budget = Budget::new().with_depth(depth);
        for role in [Role::new(0), Role::new(1)] {
            let naive = minimax(reasoner, Contest::new(&root, role), &budget, ()).unwrap().answer.unwrap();
            let is_best = |chosen| naive.moves.iter().any(|rated| Some(rated.chosen) == chosen && ranked(rated.worth) == ranked(naive.worth));
            for enhancements in each() {
                for (table, ordering) in [(false, Ordering::Canonical), (true, Ordering::Table), (false, Ordering::Best)] {
                    let pruning = Pruning { ordering, table, ties: EqualMoves::Honest, enhancements };
                    let found = alpha_beta(reasoner, Contest::new(&root, role), pruning, &budget, ()).unwrap();
                    let found = found.answer.unwrap();
                    prop_assert_eq!(ranked(found.worth), ranked(naive.worth), "{:?}", pruning);
                    prop_assert!(naive.moves.len() < 2 || is_best(found.chosen), "{:?}", pruning);
                    let (mut found, mut equals) = (found.equals, naive.equals.clone());
                    found.sort_unstable_by_key(|chosen| chosen.index());
                    equals.sort_unstable_by_key(|chosen| chosen.index());
                    prop_assert_eq!(found, equals, "{:?}", pruning);
                }
                let found = iterative_with(reasoner, Contest::new(&root, role), enhancements, &budget, (), &mut |_, _| {}).unwrap();
                prop_assert_eq!(ranked(found.answer.unwrap().choice.worth), ranked(naive.worth), "{:?}", enhancements);
            }
        }
    }
}

/// The answers of a session with a game to these lines.
fn said(game: &str, lines: &[&str]) -> Vec<String> {
    let mut session = session(&[&format!("load {game}")]);
    lines.iter().map(|line| say(&mut session, line)).collect()
}

/// Evaluations make the windows narrow; the counts show that each option does something, and that none is on by itself.
#[test]
fn each_option_changes_the_count_alone() {
    let depth = "alphabeta --depth 5 --eval connect_four_weights";
    let lines = ["", " --killers", " --history", " --null-windows"].map(|option| format!("{depth}{option}"));
    let answers = said("connect_four", &lines.each_ref().map(String::as_str));
    let part = |answer: &str, after: &str| {
        answer.split_once(after).expect("it is there").1.split(' ').next().unwrap().to_string()
    };
    let values: Vec<String> = answers.iter().map(|answer| part(answer, "estimate ")).collect();
    assert!(values.iter().all(|value| *value == values[0]), "{answers:?}");
    let nodes: Vec<String> = answers.iter().map(|answer| part(answer, "ahead was reached; ")).collect();
    assert!(nodes[1..].iter().all(|count| *count != nodes[0]), "{nodes:?}");
    let rounds = said(
        "connect_four",
        &[
            "iterative --depth 4 --eval connect_four_weights",
            "iterative --depth 4 --eval connect_four_weights --aspiration --killers --history --null-windows",
        ],
    );
    let values = |answer: &str| answer.lines().map(|line| part(line, "estimate ")).collect::<Vec<_>>();
    assert_eq!(values(&rounds[0]), values(&rounds[1]));
}

/// A table knows states by their signatures. Two states with one signature would be taken for one, and the counts would
/// change: those of 64,282 states are what they are with the states themselves instead of signatures.
#[test]
fn a_table_tells_all_states_apart() {
    let mut session = session(&["load connect_four_4x5"]);
    let answer = say(&mut session, "alphabeta --table");
    assert!(answer.starts_with("red: 50 by "), "{answer}");
    assert!(answer.ends_with("(exact; 108,763 nodes, 86,970 expanded, 64,282 states, depth 20)\n"), "{answer}");
}
