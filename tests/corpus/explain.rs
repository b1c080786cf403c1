//! Explanations: their text, as snapshots; and the law that every proof passes an independent proof checker.

use crate::effort::{effort, is_brief};
use crate::proof;
use crate::support;
use ggp::game::{JointMoves, Move, Reasoner};
use ggp::interpreter::explain::render;
use ggp::interpreter::{Interpreter, Justification, State};
use ggp::syntax::{self, Source};
use std::path::Path;

/// A game with its text.
struct Sheet {
    source: Source,
    game: Interpreter,
}

impl Sheet {
    fn new(source: Source) -> Self {
        let parsed = syntax::parse(&source, None);
        let game = Interpreter::new(ggp::rules::normalise(&parsed.sheet).into()).expect("the rules are stratified");
        Self { source, game }
    }

    fn of(text: &str) -> Self {
        Self::new(Source::new("sheet", text))
    }

    fn own(name: &str) -> Self {
        let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("gdl").join(name).with_extension("gdl");
        Self::new(Source::new(name, std::fs::read_to_string(path).expect("the sheet can be read")))
    }

    fn start(&mut self) -> State {
        self.game.initial_state().expect("there is an initial state")
    }

    /// The joint move with these moves, one per role.
    fn joint_move(&mut self, moves: &[&str]) -> Vec<Move> {
        let term = |text: &&str| {
            let term = syntax::parse_term(&Source::new("move", *text), None).expect("the move parses");
            ggp::rules::GroundTerm::from_term(&term).expect("it is ground")
        };
        moves
            .iter()
            .map(term)
            .collect::<Vec<_>>()
            .iter()
            .map(|term| self.game.find_move(term).expect("small"))
            .collect()
    }

    /// The state after some joint moves.
    fn after(&mut self, joint_moves: &[&[&str]]) -> State {
        let mut state = self.start();
        for moves in joint_moves {
            let joint_move = self.joint_move(moves);
            state = self.game.next_state(&state, &joint_move).expect("there is a next state");
        }
        state
    }

    fn why(&mut self, state: &State, joint_move: Option<&[Move]>, literal: &str) -> Justification {
        let query = syntax::parse_query(&Source::new("query", literal), None).expect("the literal parses");
        let [literal] = &query[..] else { panic!("one literal") };
        let why = self.game.why(state, joint_move, literal).expect("it can be explained");
        proof::check(&why, &mut self.game, state, joint_move);
        why
    }

    /// The explanation of a literal in a state, as text.
    fn text(&mut self, state: &State, literal: &str) -> String {
        let why = self.why(state, None, literal);
        render::text(&why, &self.source, None)
    }
}

const FIRST_MOVES: [&[&str]; 5] = [
    &["mark(1,1)", "noop"],
    &["noop", "mark(2,1)"],
    &["mark(1,2)", "noop"],
    &["noop", "mark(2,2)"],
    &["mark(1,3)", "noop"],
];

#[test]
fn a_win_is_explained_by_a_line_and_the_line_by_its_marks() {
    let mut sheet = Sheet::own("tic_tac_toe");
    let end = sheet.after(&FIRST_MOVES);
    insta::assert_snapshot!(sheet.text(&end, "goal(xplayer,100)"));
}

#[test]
fn a_negation_explains_why_its_operand_fails() {
    let mut sheet = Sheet::own("tic_tac_toe");
    let state = sheet.after(&FIRST_MOVES[..4]);
    insta::assert_snapshot!(sheet.text(&state, "~line(x)"));
}

#[test]
fn a_rule_fails_at_its_first_failing_literal() {
    let mut sheet = Sheet::own("tic_tac_toe");
    let state = sheet.after(&FIRST_MOVES[..4]);
    insta::assert_snapshot!("taken", sheet.text(&state, "legal(xplayer,mark(2,1))"));
    insta::assert_snapshot!("not_at_turn", sheet.text(&state, "legal(oplayer,mark(3,3))"));
    insta::assert_snapshot!("no_such_move", sheet.text(&state, "legal(xplayer,resign)"));
    insta::assert_snapshot!("at_turn", sheet.text(&state, "legal(xplayer,noop)"));
}

#[test]
fn failures_are_followed_for_two_levels() {
    let mut sheet = Sheet::own("three_puzzle");
    let state = sheet.start();
    insta::assert_snapshot!("left", sheet.text(&state, "legal(robot,left)"));
    insta::assert_snapshot!("unsolved", sheet.text(&state, "goal(robot,100)"));
}

#[test]
fn the_next_state_is_explained_by_the_moves() {
    let mut sheet = Sheet::own("three_puzzle");
    let state = sheet.start();
    let joint_move = sheet.joint_move(&["right"]);
    let why = sheet.why(&state, Some(&joint_move), "next(cell(1,1,3))");
    insta::assert_snapshot!("moved", render::text(&why, &sheet.source, None));
    let why = sheet.why(&state, Some(&joint_move), "next(cell(1,2,3))");
    insta::assert_snapshot!("not_moved", render::text(&why, &sheet.source, None));
    insta::assert_snapshot!("no_joint_move", sheet.text(&state, "next(cell(1,1,3))"));
}

#[test]
fn the_first_solution_of_a_literal_is_explained() {
    let mut sheet = Sheet::own("three_puzzle");
    let state = sheet.start();
    insta::assert_snapshot!("solution", sheet.text(&state, "legal(R,M)"));
    insta::assert_snapshot!("none", sheet.text(&state, "goal(R,100)"));
}

const REACHES: &str = "role(r) legal(r,go) terminal goal(r,0)
reaches(X,X) :- node(X)
reaches(X,Z) :- reaches(X,Y) & edge(Y,Z) & ~closed(Y,Z)
node(X) :- edge(X,_)
node(Y) :- edge(_,Y)
edge(a,b) edge(b,a) edge(b,c) edge(c,a) edge(c,d) edge(d,e)
closed(d,e)";

#[test]
fn no_proof_of_a_recursive_relation_rests_on_itself() {
    let mut sheet = Sheet::of(REACHES);
    let state = sheet.start();
    insta::assert_snapshot!("reaches", sheet.text(&state, "reaches(b,d)"));
    insta::assert_snapshot!("does_not_reach", sheet.text(&state, "reaches(a,e)"));
}

#[test]
fn mutually_recursive_relations_have_well_founded_proofs() {
    // The first clause of each would lead to an infinite recursion.
    let mut sheet = Sheet::of(
        "role(r) legal(r,go) terminal goal(r,0) init(start(1))
         even(X) :- odd(Y) & succ(X,Y)
         odd(X) :- even(Y) & succ(X,Y)
         even(X) :- true(start(Y)) & (even(X) | same(X,Y))
         odd(X) :- even(Y) & succ(Y,X)
         even(X) :- odd(Y) & succ(Y,X)
         same(X,X) :- number(X)
         number(1) number(2) number(3) number(4) succ(1,2) succ(2,3) succ(3,4)",
    );
    let state = sheet.start();
    insta::assert_snapshot!(sheet.text(&state, "odd(4)"));
}

#[test]
fn alternatives_conjunctions_and_equal_terms_are_explained() {
    let mut sheet = Sheet::of(
        "role(r) legal(r,go) terminal goal(r,0) init(p(1)) init(p(f(2)))
         either(X) :- true(p(X)) & (distinct(X,1) | small(X))
         small(1)
         other(X) :- true(p(X)) & ~(small(X) & ~distinct(X,1))
         pair(X,f(Y)) :- true(p(X)) & true(p(f(Y)))
         neither :- ~(either(3) | other(1))",
    );
    let state = sheet.start();
    for (name, literal) in [
        ("first_alternative", "either(f(2))"),
        ("second_alternative", "either(1)"),
        ("no_alternative", "either(3)"),
        ("denied_conjunction", "other(f(2))"),
        ("conjunction_not_denied", "other(1)"),
        ("same_variable", "pair(Z,Z)"),
        ("one_variable", "pair(1,Z)"),
        ("variable_within_itself", "pair(Z,f(Z))"),
        ("terms_in_the_question", "pair(f(Z),Z)"),
        ("neither", "neither"),
        ("asked_together", "(small(1) & ~small(2))"),
        ("not_asked_together", "(small(X) & distinct(X,1))"),
        ("distinct", "distinct(1,2)"),
        ("not_distinct", "distinct(1,1)"),
    ] {
        let text = sheet.text(&state, literal);
        insta::with_settings!({ description => literal }, { insta::assert_snapshot!(name, text) });
    }
}

#[test]
fn alternatives_with_a_shared_variable_hold_together() {
    // A green neighbour of X; each disjunction alone would be satisfied by another neighbour.
    let mut sheet = Sheet::of(
        "role(r) legal(r,go) terminal goal(r,0)
         near_green(X) :- node(X) & (edge(X,Y) | lonely(X)) & (green(Y) | free(X))
         delayed(X) :- (edge(X,Y) | lonely(X)) & green(Y)
         denied(X) :- node(X) & ~((edge(X,Y) | lonely(X)) & (green(Y) | free(X)))
         node(a) node(b) node(c) node(d) edge(a,b) edge(a,c) edge(b,c) green(c) green(d) lonely(c)",
    );
    let state = sheet.start();
    for (name, literal) in [
        ("shared_holds", "near_green(a)"),
        ("shared_fails", "near_green(d)"),
        ("shared_delayed", "delayed(a)"),
        ("shared_not_delayed", "delayed(d)"),
        ("shared_denied", "denied(d)"),
        ("shared_not_denied", "denied(a)"),
    ] {
        let text = sheet.text(&state, literal);
        insta::with_settings!({ description => literal }, { insta::assert_snapshot!(name, text) });
    }
}

#[test]
fn an_unknown_relation_has_no_clause() {
    let mut sheet = Sheet::own("three_puzzle");
    let state = sheet.start();
    for literal in ["nonsense(1)", "goal", "legal(robot,up,down)", "role(human)", "true(cell(9,9,b))", "init(step(2))"]
    {
        let why = sheet.why(&state, None, literal);
        assert!(!why.holds, "{literal}");
    }
    insta::assert_snapshot!(sheet.text(&state, "nonsense(X,f(X))"));
}

#[test]
fn an_unsafe_question_is_an_error() {
    let mut sheet = Sheet::own("three_puzzle");
    let state = sheet.start();
    let query = syntax::parse_query(&Source::new("query", "distinct(X,1)"), None).expect("it parses");
    let error = sheet.game.why(&state, None, &query[0]).expect_err("X has no value");
    assert_eq!(error, ggp::interpreter::QueryError::Unbound { variables: vec!["X".into()] });
    // The engine continues to work.
    assert!(sheet.why(&state, None, "legal(robot,down)").holds);
}

#[test]
fn repetitions_are_folded_and_depth_is_limited() {
    let mut sheet = Sheet::of(
        "role(r) legal(r,go) terminal goal(r,0)
         top :- left & right
         left :- shared(1)
         right :- shared(1)
         shared(X) :- part(X) & ~part(2)
         part(1)",
    );
    let state = sheet.start();
    let why = sheet.why(&state, None, "top");
    insta::assert_snapshot!("folded", render::text(&why, &sheet.source, None));
    insta::assert_snapshot!("depth_2", render::text(&why, &sheet.source, Some(2)));
    insta::assert_snapshot!("depth_0", render::text(&why, &sheet.source, Some(0)));
    let json = |depth| serde_json::to_string_pretty(&render::json(&why, &sheet.source, depth)).expect("it is JSON");
    insta::assert_snapshot!("json", json(None));
    insta::assert_snapshot!("json_depth_1", json(Some(1)));
}

#[test]
fn long_chains_are_proved_and_shown_without_a_deep_stack() {
    let mut text = "role(r) legal(r,go) terminal goal(r,0) less(X,Y) :- succ(X,Y)
                    less(X,Z) :- less(X,Y) & succ(Y,Z)\n"
        .to_string();
    (0..400).for_each(|number| text += &format!("succ({number},{})\n", number + 1));
    let mut sheet = Sheet::of(&text);
    let state = sheet.start();
    let why = sheet.why(&state, None, "less(0,400)");
    assert!(why.holds);
    assert_eq!(render::text(&why, &sheet.source, None).lines().count(), 800);
}

/// Explains the answers of every relation in some states of some random games, and checks every proof.
fn check_games(sheet: &mut Sheet, plays: usize, most_states: usize, most_answers: usize) {
    let mut random = 0x9e37_79b9_u64;
    let mut next = move |below: usize| {
        random = random.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
        (random >> 33) as usize % below
    };
    for _ in 0..plays {
        let mut state = sheet.start();
        for _ in 0..most_states {
            if sheet.game.is_terminal(&state).expect("it can be asked") {
                proof::check_all(&mut sheet.game, &state, None, most_answers);
                break;
            }
            let joint_moves = JointMoves::in_state(&mut sheet.game, &state).expect("everybody can move");
            let choose = |role| {
                let legal = joint_moves.legal(ggp::game::Role::new(role));
                legal[next(legal.len())]
            };
            let joint_move: Vec<Move> = (0..sheet.game.roles().len()).map(choose).collect();
            proof::check_all(&mut sheet.game, &state, Some(&joint_move), most_answers);
            state = sheet.game.next_state(&state, &joint_move).expect("there is a next state");
        }
    }
}

#[test]
fn every_proof_of_the_library_games_passes_the_checker() {
    for name in ["three_puzzle", "tic_tac_toe", "eight_puzzle"] {
        check_games(&mut Sheet::own(name), 2, 5, 6);
    }
}

/// Games with an infinite relation, which this test cannot list.
const ENDLESS: [&str; 2] = ["laikLee_hex", "mummymaze1p"];

/// Games for builds without optimisation: recursion, disjunctions, goals through the negation of goals, chains of
/// succession, chess.
const FEW: [&str; 7] = ["ticTacToe", "connectFour", "blocksWorld", "futoshiki5", "hex", "reversi", "chess"];

#[test]
fn every_proof_of_the_corpus_games_passes_the_checker() {
    let (states, answers) = effort((1, 2), (4, 4));
    for path in support::sheets() {
        let Some(name) = path.file_stem().and_then(|name| name.to_str()) else { continue };
        if ENDLESS.contains(&name) || (is_brief() && !FEW.contains(&name)) {
            continue;
        }
        let bytes = std::fs::read(&path).expect("the sheet can be read");
        check_games(&mut Sheet::new(Source::from_bytes(name, bytes)), 1, states, answers);
    }
}
