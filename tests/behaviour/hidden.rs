//! Games with hidden information: strategies against published values, what a role knows, and what no player may see.

use crate::sessions::{json, say, session};
use ggp::engine::Game;
use ggp::game::{JointMoves, Reasoner, Role};
use ggp::limits::Deadline;
use ggp::play::{Clocks, LastTurn, PlayerSpec, Start, WorkGroup};
use ggp::rules::GroundTerm;
use ggp::search::{
    Budget, ExtensiveForm, LearnedProfile, LearningEnd, LineSampling, Observation, RegretUpdate, SearchError, cfr,
    equilibrium, evaluate, extensive_form, mccfr, possible_states,
};
use std::collections::BTreeSet;
use std::sync::Arc;
use std::time::Duration;

fn form(game: &str) -> ExtensiveForm {
    let mut game = Game::library(game).expect("the game is in the library");
    let start = game.initial_state().unwrap();
    extensive_form(&mut game.interpreter, &start, &Budget::new()).unwrap().answer.expect("the tree is small")
}

fn of_text(text: &str) -> Result<ExtensiveForm, SearchError> {
    let mut game = Game::from_text(text).expect("the sheet is valid");
    let start = game.initial_state().unwrap();
    Ok(extensive_form(&mut game.interpreter, &start, &Budget::new())?.answer.expect("the tree is small"))
}

/// The payoff of the first role, whose utility is 50 + k times the payoff, and the exploitability.
fn payoff(form: &ExtensiveForm, learned: &LearnedProfile, k: f64) -> (f64, f64) {
    let values = evaluate(form, &learned.profile);
    ((values.values[0] - 50.0) / k, values.exploitability() / k)
}

fn by_cfr(form: &ExtensiveForm, update: RegretUpdate, iterations: u64) -> LearnedProfile {
    cfr(form, update, iterations.into(), &Budget::new()).unwrap().answer.expect("there are iterations")
}

#[test]
fn kuhn_poker_has_its_published_value() {
    let form = form("kuhn_poker");
    assert_eq!(form.information_sets().len(), 12);
    // Chance deals 3 cards, then 2; each deal has 4 decisions and 5 ends.
    assert_eq!(form.size(), 1 + 3 + 6 * 9);
    let exact = equilibrium(&form, &Budget::new()).unwrap().answer.unwrap();
    let (value, error) = payoff(&form, &exact, 25.0);
    assert!((value + 1.0 / 18.0).abs() < 1e-6 && error < 1e-6, "{value}, {error}");
    for update in [RegretUpdate::Plus, RegretUpdate::Discounted] {
        let (value, error) = payoff(&form, &by_cfr(&form, update, 2_000), 25.0);
        assert!((value + 1.0 / 18.0).abs() < 1e-3 && error < 1e-3, "{update:?}: {value}, {error}");
    }
    let (value, error) = payoff(&form, &by_cfr(&form, RegretUpdate::Vanilla, 20_000), 25.0);
    assert!((value + 1.0 / 18.0).abs() < 1e-3 && error < 5e-3, "{value}, {error}");
}

#[test]
fn sampled_regrets_approach_the_same_value() {
    let form = form("kuhn_poker");
    for (sampling, iterations) in [(LineSampling::External, 50_000_u64), (LineSampling::Outcome, 400_000)] {
        let outcome = mccfr(&form, sampling, iterations.into(), 1, &Budget::new()).unwrap();
        let (value, error) = payoff(&form, &outcome.answer.unwrap(), 25.0);
        assert!((value + 1.0 / 18.0).abs() < 2e-2 && error < 4e-2, "{sampling:?}: {value}, {error}");
        let again = mccfr(&form, sampling, 1_000_u64.into(), 7, &Budget::new()).unwrap();
        assert_eq!(again.answer, mccfr(&form, sampling, 1_000_u64.into(), 7, &Budget::new()).unwrap().answer);
    }
}

#[test]
fn a_search_ends_when_its_strategies_are_good_enough() {
    let form = form("kuhn_poker");
    let end = LearningEnd { iterations: u64::MAX, exploitability: Some(0.01) };
    let searches = [
        cfr(&form, RegretUpdate::Plus, end, &Budget::new()).unwrap(),
        mccfr(&form, LineSampling::External, LearningEnd { exploitability: Some(1.0), ..end }, 1, &Budget::new())
            .unwrap(),
    ];
    for (outcome, most) in searches.into_iter().zip([0.01, 1.0]) {
        let learned = outcome.answer.expect("there are iterations");
        assert!(evaluate(&form, &learned.profile).exploitability() <= most && learned.iterations < 1_000_000);
    }
    let none = LearningEnd { iterations: 3, exploitability: Some(1e9) };
    assert_eq!(cfr(&form, RegretUpdate::Plus, none, &Budget::new()).unwrap().answer.unwrap().iterations, 3);
    // At the prompt too, a limit on seconds is not used up.
    let answer = json(&mut session(&["load kuhn_poker"]), "cfr --seconds 600");
    assert!(answer["exploitability"].as_f64() <= Some(0.01), "{answer}");
}

#[test]
fn leduc_poker_has_its_published_value() {
    let form = form("leduc_poker");
    assert_eq!((form.information_sets().len(), form.size()), (936, 9_457));
    let (value, error) = payoff(&form, &by_cfr(&form, RegretUpdate::Plus, 1_000), 3.0);
    assert!((value + 0.0856).abs() < 1e-3 && error < 1e-2, "{value}, {error}");
}

#[test]
fn liars_dice_has_its_published_value() {
    let form = form("liars_dice");
    // Half of the 24,576 sets have one legal move, to doubt the highest bid; these are no choices.
    assert_eq!(form.information_sets().len(), 24_576 / 2);
    let (value, error) = payoff(&form, &by_cfr(&form, RegretUpdate::Plus, 100), 50.0);
    assert!((value + 7.0 / 258.0).abs() < 5e-3 && error < 2e-2, "{value}, {error}");
}

/// The value of a role by a search at the prompt.
fn value(game: &str, line: &str) -> f64 {
    let answer = json(&mut session(&[&format!("load {game}")]), line);
    answer["mean"].as_f64().expect("the search has a value")
}

#[test]
fn simultaneous_choices_have_the_value_of_nash() {
    for search in ["equilibrium left", "cfr left", "nash left"] {
        assert!((value("rock_paper_scissors", search) - 50.0).abs() < 0.1, "{search}");
    }
    let pennies = "role(even) role(odd) init(open) side(heads) side(tails) legal(P,S) :- role(P) & true(open) & side(S)
        next(shown(P,S)) :- does(P,S) terminal :- true(shown(even,_)) same :- true(shown(even,S)) & true(shown(odd,S))
        goal(even,100) :- same goal(even,0) :- ~same goal(odd,0) :- same goal(odd,100) :- ~same";
    let form = of_text(pennies).unwrap();
    let learned = equilibrium(&form, &Budget::new()).unwrap().answer.unwrap();
    assert_eq!(payoff(&form, &learned, 50.0), (0.0, 0.0));
    assert_eq!(learned.profile.at(&form, 0), [0.5, 0.5]);
}

#[test]
fn a_candidate_who_sees_one_door_wins_two_times_in_three() {
    for search in ["equilibrium", "cfr", "cfr --update discounted"] {
        assert!((value("monty_hall", search) - 200.0 / 3.0).abs() < 0.1, "{search}");
    }
    // A search that sees the car wins always.
    assert_eq!(json(&mut session(&["load monty_hall"]), "expectimax")["mean"], 100.0);
}

#[test]
fn three_roles_are_searched_and_the_answer_says_what_it_guarantees() {
    let mut session = session(&["load three_player_tree"]);
    assert!(say(&mut session, "equilibrium").contains("two whose utilities have the same sum"));
    let answer = json(&mut session, "cfr --iterations 500");
    assert_eq!(answer["values"].as_array().unwrap().len(), 3);
    assert!(answer["warnings"][0].as_str().unwrap().contains("coarse correlated equilibrium"));
}

#[test]
fn a_role_that_does_not_know_its_moves_is_named() {
    let sheet = "role(a) role(b) init(step(1)) legal(a,x) :- true(step(1)) legal(a,y) :- true(step(1))
        legal(b,wait) :- true(step(1)) legal(a,wait) :- true(step(2)) legal(b,p) :- true(step(2))
        legal(b,q) :- true(step(2)) & true(went(x)) legal(b,r) :- true(step(2)) & true(went(y))
        next(step(2)) :- true(step(1)) next(step(3)) :- true(step(2)) next(went(M)) :- does(a,M)
        sees(a,nothing) :- true(step(9)) terminal :- true(step(3)) goal(a,50) goal(b,50)";
    let error = of_text(sheet).unwrap_err();
    assert!(error.to_string().starts_with("b cannot know its legal moves"), "{error}");
}

#[test]
fn limits_end_the_compilation_of_the_tree_without_an_answer() {
    let mut session = session(&["load leduc_poker"]);
    assert!(say(&mut session, "cfr --nodes 100").contains("limit of 100 nodes"));
    assert!(say(&mut session, "equilibrium --memory 1M").contains("memory"));
    assert!(say(&mut session, "cfr --iterations 0").contains("takes a number of iterations from 1 on"));
    assert!(say(&mut session, "cfr random").contains("`random` is chance"));
}

#[test]
fn strategies_are_written_and_measured_again() {
    let folder = std::path::PathBuf::from(env!("CARGO_TARGET_TMPDIR")).join("hidden");
    drop(std::fs::remove_dir_all(&folder));
    std::fs::create_dir_all(&folder).unwrap();
    let mut session = crate::sessions::session_in(&folder, &["load kuhn_poker", "cfr --strategy kuhn.json"]);
    let found = json(&mut session, "exploit");
    // Probabilities are written with nine decimals.
    let exploitability = |answer: &serde_json::Value| answer["exploitability"].as_f64().unwrap();
    let again = json(&mut session, "exploit kuhn.json");
    assert!((exploitability(&again) - exploitability(&found)).abs() < 1e-6);
    say(&mut session, "exploit --strategy best.json");
    // A best response gains against the strategies, and can itself be exploited.
    assert!(json(&mut session, "exploit best.json")["exploitability"].as_f64() > found["exploitability"].as_f64());
    say(&mut session, "cfr --strategy kuhn.txt");
    let text = std::fs::read_to_string(folder.join("kuhn.txt")).unwrap();
    assert_eq!(text.lines().count(), 12);
    assert!(text.contains("second that saw own_card(king), saw bet: bet\n"), "{text}");
    std::fs::write(folder.join("part.json"), r#"{"game":"kuhn_poker","strategies":[]}"#).unwrap();
    let answer = json(&mut session, "exploit part.json");
    assert!(answer["warnings"][0].as_str().unwrap().contains("no strategy for 12 information sets"));
    std::fs::write(folder.join("wrong.json"), "[1]").unwrap();
    assert!(say(&mut session, "exploit wrong.json").contains("has no strategies"));
    assert!(say(&mut session, "exploit absent.json").contains("absent.json"));
}

#[test]
fn play_uses_the_view_of_the_role_and_not_the_state() {
    // Dealt a jack, the second player cannot know whether the first has a queen or a king.
    for (first, played) in [("queen", "bet"), ("king", "bet")] {
        let deal = [format!("do deal(first,{first})"), "do deal(second,jack)".to_string(), format!("do {played}")];
        let mut session = session(&["load kuhn_poker"]);
        deal.iter().for_each(|line| drop(say(&mut session, line)));
        let here = json(&mut session, "cfr second")["here"].clone();
        let moves = here["moves"].as_array().expect("a list");
        let pass = moves.iter().find(|weighted| weighted["move"] == "pass");
        assert!(moves.len() == 2 && pass.is_some_and(|pass| pass["probability"].as_f64() > Some(0.99)), "{here}");
        let sees = r#"[{"is_choice":false,"move":"noop","percepts":[]},{"is_choice":false,"move":"noop","percepts":["own_card(jack)"]},{"is_choice":false,"move":"noop","percepts":["bet"]}]"#;
        let mut view = here["view"].clone();
        view.sort_all_objects();
        assert_eq!(view.to_string(), sees);
    }
}

/// The states that are possible, against all lines of the game that look the same to the role.
#[test]
fn possible_states_are_those_of_all_lines_that_look_the_same() {
    let mut game = Game::library("kuhn_poker").unwrap();
    let rules = &mut game.interpreter;
    let start = rules.initial_state().unwrap();
    let role = Role::new(1);
    // All lines of three joint moves: what the role sees, and the facts in the end.
    let mut lines = vec![(Vec::<Observation>::new(), start.clone())];
    for _ in 0..3 {
        let mut longer = Vec::new();
        for (view, state) in lines {
            let mut turn = JointMoves::in_state(rules, &state).unwrap();
            loop {
                let seen = Observation::of(rules, &state, turn.current(), role).unwrap();
                let view = view.iter().cloned().chain([seen]).collect::<Vec<_>>();
                longer.push((view, rules.next_state(&state, turn.current()).unwrap()));
                if !turn.advance() {
                    break;
                }
            }
        }
        lines = longer;
    }
    for (view, _) in &lines {
        let same = lines.iter().filter(|(other, _)| other == view).map(|(_, state)| rules.facts(state));
        let expected: BTreeSet<_> = same.collect();
        let found = possible_states(rules, &start, role, view, 100, 0, &Budget::new()).unwrap().answer.unwrap();
        let states: BTreeSet<_> = found.states.iter().map(|(possible, _)| rules.facts(&possible.state)).collect();
        assert!(found.is_complete);
        assert_eq!(states, expected);
    }
}

#[test]
fn a_role_is_shown_what_it_knows_and_no_more() {
    let mut session = session(&["load monty_hall", "do hide(2)", "do choose(1)", "do open(3)"]);
    let view = json(&mut session, "view candidate");
    assert_eq!(view["states"], 2);
    let certain: Vec<&str> = view["certain"].as_array().unwrap().iter().map(|fact| fact.as_str().unwrap()).collect();
    assert_eq!(certain, ["chosen(1)", "opened(3)", "step(decide)"]);
    assert_eq!(say(&mut session, "possible candidate"), "car(1)\ncar(2)\ncandidate: 2 states are possible\n");
    assert!(say(&mut session, "view random").contains("it knows nothing"));
    assert!(say(&mut session, "possible 1 candidate").contains("… 1 state more"));
    // In a game without `sees` nothing is hidden.
    let mut open = crate::sessions::session(&["load tic_tac_toe", "do mark(2,2)"]);
    assert_eq!(json(&mut open, "view oplayer")["states"], 1);
}

#[test]
fn information_sets_are_counted() {
    let mut session = session(&["load kuhn_poker"]);
    insta::assert_snapshot!(say(&mut session, "infosets"));
}

#[test]
fn a_tree_is_written_for_gambit() {
    let folder = std::path::PathBuf::from(env!("CARGO_TARGET_TMPDIR")).join("gambit");
    drop(std::fs::remove_dir_all(&folder));
    std::fs::create_dir_all(&folder).unwrap();
    let mut session = crate::sessions::session_in(&folder, &["load rock_paper_scissors", "tree --efg rps.efg"]);
    let text = std::fs::read_to_string(folder.join("rps.efg")).unwrap();
    let lines: Vec<&str> = text.lines().collect();
    assert_eq!(lines[0], r#"EFG 2 R "rock_paper_scissors" { "left" "right" }"#);
    assert_eq!(lines[3], r#"p "" 1 1 "" { "paper" "rock" "scissors" } 0"#);
    // The second player chooses at one information set, whatever the first has chosen.
    let second = lines.iter().filter(|line| line.starts_with(r#"p "" 2 1 "" "#)).count();
    assert_eq!((lines.len(), second), (3 + 1 + 3 + 9, 3));
    assert!(say(&mut session, "tree --efg rps.efg").contains("rps.efg"));
}

/// The move of a player of the second role with a jack, after the first has bet with another card.
fn answer_to_a_bet(player: &str, card: &str) -> String {
    const CLOCK: Duration = Duration::from_secs(20);
    let start = Start {
        match_id: "hidden".to_string(),
        game: Arc::new(Game::library("kuhn_poker").unwrap()),
        role: Role::new(1),
        clocks: Clocks { start: CLOCK, play: CLOCK },
        interrupt: Arc::default(),
        works: WorkGroup::default(),
    };
    let mut player = player.parse::<PlayerSpec>().expect("it is a player").make(1);
    player.start(&start, Deadline::after(CLOCK)).unwrap();
    let mut last = LastTurn::FIRST;
    for line in [format!("noop noop deal(first,{card})"), "noop noop deal(second,jack)".into(), "bet noop noop".into()]
    {
        player.play(&last, Deadline::after(CLOCK)).unwrap();
        let terms = line.split(' ').map(|term| term.parse::<GroundTerm>().unwrap());
        last = LastTurn::JointMove(Some(terms.collect()));
    }
    player.play(&last, Deadline::after(CLOCK)).unwrap().to_string()
}

#[test]
fn a_player_makes_the_same_move_whatever_it_does_not_see() {
    for player in ["equilibrium", "cfr:iterations=50", "mccfr:iterations=500", "ismcts:visits=100"] {
        assert_eq!(answer_to_a_bet(player, "queen"), answer_to_a_bet(player, "king"), "{player}");
    }
    assert_eq!(answer_to_a_bet("equilibrium", "queen"), "pass");
}

#[test]
fn players_with_hidden_information_play() {
    let answer =
        crate::program::call(&["match", "kuhn_poker", "cfr", "ismcts:visits=200", "--games", "2", "--json"]).answer;
    assert!(answer.contains("\"utilities\""), "{answer}");
}

#[test]
fn the_search_over_information_sets_switches_doors() {
    let mut session = session(&["load monty_hall", "do hide(2)", "do choose(1)", "do open(3)"]);
    let answer = json(&mut session, "ismcts --visits 2000");
    assert_eq!(answer["move"], "switch");
    // It does not know where the car is.
    assert!((answer["mean"].as_f64().unwrap() - 66.7).abs() < 10.0, "{answer}");
}
