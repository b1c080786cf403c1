//! Rules without roles: `ggp query`, and `load` with `?-` at the prompt.

use crate::program::{call, call_with_input};
use crate::sessions::{json, say, say_with_warnings, session};
use std::time::{Duration, Instant};

const FAMILY: &str = "examples/family.gdl";

#[test]
fn rules_without_roles_are_asked() {
    let answer = |query: &str| call(&["query", FAMILY, query]);
    assert_eq!(answer("?- ancestor(ann,X)").answer, "X = bob\nX = carl\nX = dora\nX = emil\n4 solutions\n");
    assert_eq!(answer("childless(X)").answer, "X = carl\nX = emil\n2 solutions\n");
    assert_eq!(answer("generations(ann,X,s(s(N)))").answer, "X = dora, N = zero\nX = emil, N = s(zero)\n2 solutions\n");
    let [yes, no] = ["ancestor(ann,emil)", "(ancestor emil ann)"].map(answer);
    assert_eq!((yes.code, no.code), (0, 1));
    assert_eq!((&*yes.answer, &*no.answer), ("true\n", "false\n"));
    assert!(yes.talk.is_empty() && no.talk.is_empty(), "{}{}", yes.talk, no.talk);
    let both = call(&["query", "--json", FAMILY, "parent(bob,X)", "ancester(a,X)"]);
    let lines: Vec<serde_json::Value> =
        both.answer.lines().map(|line| serde_json::from_str(line).expect("it is JSON")).collect();
    assert_eq!(lines.len(), 2);
    assert_eq!(lines[0]["answer"]["rows"], serde_json::json!([["dora"]]));
    assert!(lines[1].to_string().contains("did you mean ancestor?"), "{}", lines[1]);
}

#[test]
fn prefix_and_a_game_are_asked_too() {
    let prefix = "(p a) (p (f b)) (<= (q ?x) (p (f ?x))) (<= (r ?x) (p ?x) (not (s ?x))) (s a)";
    let called = call_with_input(&["query", "-", "?- q(X)", "?- (r ?x)"], prefix);
    assert_eq!(called.answer, "X = b\n1 solution\nx = f(b)\n1 solution\n");
    let game = call(&["query", "tic_tac_toe", "?- true(control(W))"]);
    assert_eq!(game.answer, "W = xplayer\n1 solution\n");
}

#[test]
fn the_prompt_asks_rules_and_plays_games() {
    let mut session = session(&[]);
    let loaded = say(&mut session, &format!("load {FAMILY}"));
    assert_eq!(loaded, "family: rules without roles, for `?- QUERY`; 12 clauses; 1 warning (`check` shows it)\n");
    assert_eq!(say(&mut session, "?- parent(X,carl)"), "X = ann\n1 solution\n");
    assert!(say(&mut session, "why ancestor(ann,dora)").contains("parent(bob,dora)"));
    assert!(say(&mut session, "why not childless(bob)").contains("has_child(bob)"));
    assert!(say(&mut session, "rules ancestor").contains("ancestor(X,Z) :- parent(X,Z)"));
    assert!(say(&mut session, "depends childless").contains("has_child/1"));
    assert!(say(&mut session, "check").contains("warning[E116]"));
    assert_eq!(say(&mut session, "expect ?- parent(ann,bob)"), say(&mut session, "expect ?- parent(ann,carl)"));
    let warned = say_with_warnings(&mut session, "?- ancester(X,Y)");
    assert!(warned.contains("did you mean ancestor?"), "{warned}");
    for line in ["legal", "do go", "show", "perft 3", "mcts", "simulate", "solve", "info", "engine propnet", "network"]
    {
        let refused = say(&mut session, line);
        assert!(refused.contains("family has rules and no roles: `?- QUERY` asks them"), "{line}: {refused}");
    }
    assert!(!say(&mut session, "rules add parent(emil,fred)").starts_with("error"));
    assert_eq!(say(&mut session, "?- ancestor(dora,X)"), "X = emil\nX = fred\n2 solutions\n");
    assert!(!say(&mut session, "reload").starts_with("error"));
    assert_eq!(json(&mut session, "?- ancestor(dora,X)")["rows"], serde_json::json!([["emil"]]));
    assert!(say(&mut session, "load tic_tac_toe").starts_with("tic_tac_toe: roles xplayer, oplayer"));
    assert!(say(&mut session, "legal").starts_with("xplayer: "));
}

#[test]
fn an_infinite_recursion_ends_with_an_error() {
    let numbers = "natural(zero)\nnatural(s(N)) :- natural(N)\nother(zero)\nother(s(N)) :- other(N)\n";
    let begun = Instant::now();
    let bounded = call_with_input(&["query", "-", "natural(s(s(zero)))", "natural(s(s(one)))"], numbers);
    assert_eq!(bounded.answer, "true\nfalse\n");
    let endless = call_with_input(&["query", "-", "natural(X)"], numbers);
    assert_eq!(endless.code, 3, "{}{}", endless.answer, endless.talk);
    let wanted = "`natural` needs itself for an unbounded term (line 2), so there may be no end of answers";
    assert!(endless.talk.contains(wanted), "{}", endless.talk);
    // The error names the rule that the query needs, and no other.
    let other = call_with_input(&["query", "-", "other(X)"], numbers);
    assert!(other.talk.contains("`other` needs itself for an unbounded term (line 4)"), "{}", other.talk);
    assert!(begun.elapsed() < Duration::from_secs(120));
}

#[test]
fn what_is_wrong_in_rules_is_an_error() {
    let unsafe_rule = call_with_input(&["query", "-", "p(X)"], "p(X) :- ~q(X)\nq(1)\n");
    assert_eq!(unsafe_rule.code, 2, "{}", unsafe_rule.talk);
    assert!(unsafe_rule.talk.contains("E112") && !unsafe_rule.talk.contains("E108"), "{}", unsafe_rule.talk);
    let cycle = call_with_input(&["query", "-", "p"], "p :- ~q\nq :- ~p\n");
    assert!(cycle.talk.contains("E115"), "{}", cycle.talk);
    // A text with relations of GDL is meant to be a game.
    let game = call_with_input(&["query", "-", "p"], "p :- true(q)\ninit(q)\n");
    assert!(game.talk.contains("E108"), "{}", game.talk);
    let empty = call_with_input(&["query", "-", "p"], "% nothing\n");
    assert_eq!(empty.code, 2, "{}", empty.talk);
    // Commands that play need a game.
    let played = call(&["simulate", FAMILY]);
    assert!(played.code == 2 && played.talk.contains("E108"), "{}", played.talk);
    let checked = call(&["check", FAMILY]);
    assert!(checked.code == 1 && checked.answer.contains("`ggp query` asks them"), "{}", checked.answer);
}
