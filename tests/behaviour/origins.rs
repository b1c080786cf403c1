//! Questions about facts by their names, and where they come from: `rules cell`, `depends cell`, `why true(F)`; and the
//! states that searches cannot judge, with the way there.

use crate::sessions::{json, say, session};

#[test]
fn rules_of_a_fact_are_those_that_make_it() {
    let mut session = session(&["load tic_tac_toe"]);
    let said = say(&mut session, "rules control");
    for relation in ["init/1\n", "next/1\n", "base/1\n"] {
        assert!(said.contains(relation), "{said}");
    }
    assert!(said.contains("next(control(") && !said.contains("next(cell("), "{said}");
    assert_eq!(say(&mut session, "rules control/1"), said);
    assert!(say(&mut session, "rules control/2").starts_with("error: the rules have no relation"));
    assert!(say(&mut session, "rules contrl").starts_with("error: the rules have no relation"));
    // A relation of the name comes first.
    assert!(say(&mut session, "rules line").starts_with("line/1\n"));
}

#[test]
fn a_rule_for_facts_of_every_name_belongs_to_each() {
    let mut session = session(&["load tic_tac_toe", "rules add next(F) :- true(F) & true(F)"]);
    assert!(say(&mut session, "rules control").contains("next(F) :- true(F)"));
    let depends = say(&mut session, "depends control");
    assert!(depends.contains("true/1"), "{depends}");
}

#[test]
fn dependencies_of_a_fact_lead_through_states() {
    let mut session = session(&["load tic_tac_toe"]);
    let said = say(&mut session, "depends cell");
    assert!(said.starts_with("cell/3, facts of states\n  need\n"), "{said}");
    assert!(said.contains("does/2") && said.contains("  are needed by\n"), "{said}");
    assert!(said.contains("legal/2"), "{said}");
    let value = json(&mut session, "depends control");
    assert_eq!(value["fluents"][0]["fluent"], "control/1");
    assert!(value["fluents"][0]["needs"].as_array().is_some_and(|needs| !needs.is_empty()), "{value}");
    assert!(value["relations"].as_array().is_some_and(Vec::is_empty), "{value}");
    assert!(say(&mut session, "depends cell --dot").contains("draws relations"));
    assert!(say(&mut session, "depends contrl").contains("the rules have no relation `contrl`"));
}

#[test]
fn a_fact_came_by_a_move_and_a_rule() {
    let mut session = session(&["load tic_tac_toe", "do mark(1,1)", "do mark(2,2)"]);
    let said = say(&mut session, "why true(cell(1,1,x))");
    assert!(
        said.starts_with("true(cell(1,1,x))  (in the state)\nit came with ply 1, `do mark(1,1) noop`:\n"),
        "{said}"
    );
    let kept = "it has held since, and after the last ply, `do noop mark(2,2)`, by this rule:\nnext(cell(1,1,x))";
    assert!(said.contains(kept), "{said}");
    let said = say(&mut session, "why true(cell(2,2,o))");
    assert!(said.contains("it came with ply 2, `do noop mark(2,2)`:\nnext(cell(2,2,o))"), "{said}");
    assert!(!said.contains("held since"), "{said}");
    let said = say(&mut session, "why true(cell(3,3,b))");
    assert!(said.contains("it is from `init`:\ninit(cell(3,3,b))") && said.contains("it has held since"), "{said}");
}

#[test]
fn a_fact_went_with_a_move() {
    let mut session = session(&["load tic_tac_toe", "do mark(1,1)", "do mark(2,2)"]);
    let said = say(&mut session, "why not true(cell(1,1,b))");
    let went = "it held until ply 1, `do mark(1,1) noop`, after which no rule makes it:\nnext(cell(1,1,b))  (fails)";
    assert!(said.contains(went), "{said}");
    let said = say(&mut session, "why not true(cell(3,3,x))");
    assert!(said.contains("it has not held in this match, and after the last ply"), "{said}");
    assert_eq!(say(&mut session, "expect why not true(cell(1,1,b))"), "as expected\n");
    // The negation holds for the same reason.
    assert!(say(&mut session, "why ~true(cell(1,1,b))").contains(went));
    let value = json(&mut session, "why not true(cell(1,1,b))");
    assert_eq!(value["history"][0]["effect"], "went");
    assert_eq!(value["history"][0]["ply"], 1);
    assert_eq!(value["history"][0]["why"]["holds"], false);
}

#[test]
fn the_history_knows_the_start_and_jumps() {
    let mut session = session(&["load tic_tac_toe"]);
    assert!(say(&mut session, "why true(control(xplayer))").contains("it is from `init`:\ninit(control(xplayer))"));
    assert!(say(&mut session, "why not true(cell(1,1,x))").contains("it is not in `init`:\ninit(cell(1,1,x))  (fails"));
    say(&mut session, "set cell(1,1,x) control(oplayer)");
    assert!(say(&mut session, "why true(cell(1,1,x))").contains("ply 1 was a jump to a state with it\n"));
    assert!(say(&mut session, "why not true(cell(3,3,b))").contains("ply 1 was a jump to a state without it\n"));
    // Other questions have no history.
    assert_eq!(json(&mut session, "why terminal")["history"], serde_json::Value::Null);
    assert!(!say(&mut session, "why true(cell(9,9,Z))").contains("ply"));
}

/// A role that cannot move after two moves.
const STUCK: &str = "role(a) role(b) init(at(0)) succ(0,1) succ(1,2) succ(2,3) succ(3,4)
legal(a,go(N)) :- true(at(M)) & succ(M,N)
legal(a,wait) :- true(at(0))
legal(b,noop) :- ~true(at(2))
next(at(N)) :- does(a,go(N))
next(at(M)) :- does(a,wait) & true(at(M))
terminal :- true(at(4))
goal(a,100) :- true(at(4))
goal(a,0) :- ~true(at(4))
goal(b,0)
";

#[test]
fn a_state_without_a_move_is_shown_by_every_search() {
    let path = std::path::Path::new(env!("CARGO_TARGET_TMPDIR")).join("origins_stuck.gdl");
    std::fs::write(&path, STUCK).expect("it can be written");
    let load = format!("load {}", path.display());
    for engine in ["interpreter", "propnet"] {
        let mut session = session(&[&load, &format!("engine {engine}")]);
        for line in ["minimax a", "alphabeta a", "maxn", "mcts a --visits 300", "solve"] {
            let said = say(&mut session, line);
            assert!(said.starts_with("error: b has no legal move, and the state is not terminal\n"), "{line}: {said}");
            let way = "it is a state that is not terminal, after [go(1), noop], [go(2), noop]\n";
            assert!(said.contains(way), "{line}: {said}");
            assert!(said.contains("to go there: do [go(1), noop] [go(2), noop]\n"), "{line}: {said}");
            assert!(said.contains("its facts: at(2)\n"), "{line}: {said}");
            assert!(said.contains("legal(b,M)  (fails)") && said.contains("true(at(2))"), "{line}: {said}");
        }
        for step in ["do go(1) noop", "do go(2) noop"] {
            say(&mut session, step);
        }
        let said = say(&mut session, "minimax a");
        assert!(said.contains("it is a state that is not terminal, the current one\nits facts: at(2)\n"), "{said}");
    }
}

/// Of an end with two goal values both proofs are shown.
#[test]
fn two_goal_values_are_shown_with_their_rules() {
    let sheet = STUCK.replace(" :- ~true(at(2))", "").replace("goal(a,0) :- ~true(at(4))", "goal(a,0)");
    let path = std::path::Path::new(env!("CARGO_TARGET_TMPDIR")).join("origins_two.gdl");
    std::fs::write(&path, sheet).expect("it can be written");
    let mut session = session(&[&format!("load {}", path.display())]);
    let said = say(&mut session, "minimax a");
    assert!(said.contains("it is an end of the game, after [go(1), noop], "), "{said}");
    assert!(said.contains("its facts: at(4)\n"), "{said}");
    assert!(said.contains("goal(a,0)  (") && said.contains("goal(a,100)  ("), "{said}");
}
