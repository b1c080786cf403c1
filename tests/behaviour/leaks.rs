//! What a role is shown in games with hidden information, in random matches: whoever has made the same moves and had
//! the same percepts, by the interpreter, is shown the same, whatever else has happened.

use crate::effort::effort;
use crate::hidden_sheets::hidden_sheets;
use crate::program::call_with_input;
use crate::sessions::{say, session};
use ggp::engine::Game;
use ggp::game::{Chance, JointMoves, Move, PerceptReasoner, Reasoner, Role};
use ggp::interpreter::{Interpreter, State};
use ggp::repl::Session;
use ggp::rules::GroundTerm;
use ggp::workbench::{PageAnswer, PageRequest};
use serde_json::{Value, json};
use std::collections::HashMap;
use std::fmt::Debug;
use std::path::Path;

fn matches() -> u64 {
    effort(4, 200)
}

/// The moves of a role, each with its percepts: what the rules tell it.
type View = Vec<(GroundTerm, Vec<GroundTerm>)>;

/// A match that the interpreter plays.
struct Reference {
    rules: Interpreter,
    state: State,
    /// The views of all roles.
    views: Vec<View>,
    /// The joint moves so far.
    lines: Vec<String>,
}

impl Reference {
    fn of(game: &str) -> Self {
        let mut rules = Game::library(game).expect("the game is in the library").interpreter;
        let state = rules.initial_state().expect("there is an initial state");
        let views = vec![View::new(); rules.roles().len()];
        Self { rules, state, views, lines: Vec::new() }
    }

    fn is_over(&mut self) -> bool {
        self.rules.is_terminal(&self.state).expect("the rules say")
    }

    fn legal(&mut self) -> JointMoves {
        JointMoves::in_state(&mut self.rules, &self.state).expect("every role has a move")
    }

    /// The players: all roles without `random`.
    fn players(&self) -> Vec<(Role, String)> {
        let named = self.rules.roles().iter().enumerate().map(|(role, name)| (Role::new(role), name.to_string()));
        named.filter(|(_, name)| name != "random").collect()
    }

    fn play(&mut self, joint_move: &[Move]) {
        let terms: Vec<GroundTerm> = joint_move.iter().map(|&chosen| self.rules.move_term(chosen)).collect();
        for (role, view) in self.views.iter_mut().enumerate() {
            let percepts = self.rules.percept_terms(&self.state, joint_move, Role::new(role)).expect("the rules say");
            view.push((terms[role].clone(), percepts));
        }
        self.state = self.rules.next_state(&self.state, joint_move).expect("the rules say");
        self.lines.push(terms.iter().map(ToString::to_string).collect::<Vec<_>>().join(" "));
    }

    /// A random joint move.
    fn random_move(&mut self, chance: &mut Chance) -> Vec<Move> {
        let legal = self.legal();
        (0..self.views.len())
            .map(|role| legal.legal(Role::new(role)))
            .map(|moves| moves[chance.below(moves.len())])
            .collect()
    }
}

/// What was shown to roles, by what they know.
struct Door<T> {
    shown: HashMap<(usize, View), (T, Vec<String>)>,
    /// How often a role was in an information set again after another match.
    repeated: usize,
}

impl<T: PartialEq + Debug> Door<T> {
    fn new() -> Self {
        Self { shown: HashMap::new(), repeated: 0 }
    }

    fn show(&mut self, role: Role, reference: &Reference, shown: T) {
        let key = (role.index(), reference.views[role.index()].clone());
        if let Some((known, lines)) = self.shown.get(&key) {
            assert_eq!(*known, shown, "role {} after {lines:?} and {:?}", role.index(), reference.lines);
            self.repeated += usize::from(*lines != reference.lines);
            return;
        }
        self.shown.insert(key, (shown, reference.lines.clone()));
    }
}

#[test]
fn the_prompt_shows_a_role_what_it_knows() {
    let mut repeated = 0;
    for game in hidden_sheets() {
        let mut door = Door::new();
        for seed in 0..matches() {
            let mut chance = Chance::new(seed);
            let mut reference = Reference::of(game);
            let mut session = session(&[&format!("load {game}")]);
            // All plies of a long match take long, since each asks for all that is possible.
            while !reference.is_over() && reference.lines.len() < 5 {
                let joint_move = reference.random_move(&mut chance);
                reference.play(&joint_move);
                say(&mut session, &format!("do {}", reference.lines.last().expect("one was made")));
                for (role, name) in reference.players() {
                    let shown =
                        ["view", "possible 3", "sees"].map(|command| say(&mut session, &format!("{command} {name}")));
                    door.show(role, &reference, shown.join(""));
                }
            }
        }
        repeated += door.repeated;
    }
    assert!(repeated > 0);
}

/// The answer of a page's session to a request.
fn asked(session: &mut Session, task: &str, body: &Value) -> Value {
    let request = PageRequest::read(task, body.to_string().as_bytes()).expect("it is a request");
    let Ok(PageAnswer::Json(text)) = request.answer(session) else { panic!("the answer to {task} is JSON") };
    serde_json::from_str(&text).expect("the answer is JSON")
}

/// An answer in which all sealed moves are alike: their names say nothing to those who have no key.
fn without_names(answer: &Value) -> String {
    let mut parts = Vec::new();
    for (index, part) in answer.to_string().split('~').enumerate() {
        let name = part.find(|sign: char| !(sign.is_ascii_hexdigit() || sign == '.')).unwrap_or(part.len());
        parts.push(if index == 0 { part.to_string() } else { part[name..].to_string() });
    }
    parts.join("~")
}

/// The requests with which a page plays a match, from one of its seats: own moves are sent in plain text, and the moves
/// of others by the sealed names that the page was told.
#[test]
fn a_page_is_answered_what_the_role_of_its_seat_knows() {
    let mut repeated = 0;
    for game in hidden_sheets() {
        let mut door = Door::new();
        for seed in 0..matches() {
            let mut chance = Chance::new(seed);
            let mut reference = Reference::of(game);
            let players = reference.players();
            let (role, name) = &players[seed as usize % players.len()];
            let viewers = json!({ "roles": [name], "seed": seed });
            let mut page = Session::without_files(Default::default());
            let mut others = Session::without_files(Default::default());
            for session in [&mut page, &mut others] {
                asked(session, "lines", &json!({ "lines": [format!("load {game}")] }));
            }
            while !reference.is_over() && reference.lines.len() < 5 {
                let joint_move = reference.random_move(&mut chance);
                let own = reference.rules.move_term(joint_move[role.index()]).to_string();
                reference.play(&joint_move);
                let line = reference.lines.last().expect("one was made").clone();
                // The players of the server move in a session beside that of the page.
                let made = asked(&mut others, "run", &json!({ "line": format!("do {line}"), "viewers": viewers }));
                let moves = made["records"][0]["answer"]["joint_move"].as_array().expect("a list of moves").iter();
                let names = moves.map(|one| one["move"].as_str().expect("a name").to_string());
                let mut names: Vec<String> = names.collect();
                names[role.index()] = own;
                let body = json!({ "lines": [format!("do {}", names.join(" "))], "view": true, "viewers": viewers });
                let mut walked = asked(&mut page, "lines", &body);
                assert_eq!(walked["view"]["ply"], reference.lines.len(), "{walked}");
                // How a match has ended everybody is told; before that nobody has a utility.
                for role in walked["view"]["roles"].as_array_mut().expect("a list") {
                    let utility = role["utility"].take();
                    assert!(utility.is_null() || reference.is_over(), "{role}: {utility}");
                }
                let targets = asked(&mut page, "targets", &viewers);
                let mut shown = [&made, &walked, &targets].map(without_names);
                // The line is that of the request.
                shown[0] = shown[0].replace(&line, "");
                let seeds = format!("\"seed\":{seed}");
                door.show(*role, &reference, shown.join("").replace(&seeds, ""));
            }
        }
        repeated += door.repeated;
    }
    assert!(repeated > 0);
}

#[test]
fn sealed_moves_repeat_a_match_and_nothing_else() {
    let viewers = json!({ "roles": ["first"], "seed": -3 });
    let mut session = Session::without_files(Default::default());
    asked(
        &mut session,
        "lines",
        &json!({ "lines": ["load kuhn_poker", "do deal(first,king)", "do deal(second,jack)"] }),
    );
    let whole = asked(&mut session, "view", &Value::Null)["view"].clone();
    let known = asked(&mut session, "view", &viewers)["view"].clone();
    assert!(whole["facts"].to_string().contains("jack") && !known["facts"].to_string().contains("jack"), "{known}");
    let line = |ply: usize| {
        let names = known["sealed"][ply].as_array().expect("names").iter().map(|name| name.as_str().expect("a name"));
        format!("do {}", names.collect::<Vec<_>>().join(" "))
    };
    let repeat = |lines: &[String]| {
        let mut again = Session::without_files(Default::default());
        let lines: Vec<String> = [vec!["load kuhn_poker".to_string()], lines.to_vec()].concat();
        let answered = asked(&mut again, "lines", &json!({ "lines": lines }));
        (answered["records"].clone(), asked(&mut again, "view", &Value::Null)["view"]["facts"].clone())
    };
    let (records, facts) = repeat(&[line(0), line(1)]);
    assert_eq!(facts, whole["facts"], "the names stand for the moves");
    assert!(!records[2].to_string().contains("jack"), "{records}");
    for (lines, problem) in [
        (vec![line(1)], "fits no legal move"),
        (vec!["do ~".to_string()], "a move for each role"),
        (vec!["do ~1.2 ~x.y ~".to_string()], "fits no legal move"),
        (vec![line(0).replace("~-3.", "~-4.")], "fits no legal move"),
    ] {
        let (records, _) = repeat(&lines);
        assert!(records[1]["error"].to_string().contains(problem), "{lines:?}: {records}");
    }
}

/// What may stand on the squares of a board, by the share of the possible states.
#[test]
fn a_page_is_told_what_may_stand_on_the_squares_that_its_seat_does_not_see() {
    let mut session = Session::without_files(Default::default());
    let beliefs = |session: &mut Session, lines: &[&str], role: &str| {
        asked(session, "lines", &json!({ "lines": lines }));
        let known = asked(session, "view", &json!({ "roles": [role], "seed": 1 }))["view"]["known"].clone();
        let things = known["beliefs"].as_array().expect("a list").iter().map(|one| {
            let all = one["things"].as_array().expect("a list").iter();
            let things = all
                .map(|thing| format!("{} {:.3}", thing["square"]["text"], thing["share"].as_f64().expect("a share")));
            format!("{}: {}", one["place"], things.collect::<Vec<_>>().join(", "))
        });
        things.collect::<Vec<_>>().join("\n")
    };
    let kuhn = ["load kuhn_poker", "do deal(first,king)", "do deal(second,jack)"];
    insta::assert_snapshot!(beliefs(&mut session, &kuhn, "second"), @r#"[0,0,0]: "king" 0.500, "queen" 0.500"#);
    let phantom = ["load phantom_tic_tac_toe", "do try(2,2)", "do try(2,2)", "do try(1,1)"];
    insta::assert_snapshot!(beliefs(&mut session, &phantom, "xplayer"), @r#"
    [0,0,0]: "ring" 0.125
    [0,0,1]: "ring" 0.125
    [0,0,2]: "ring" 0.125
    [0,1,0]: "ring" 0.125
    [0,1,2]: "ring" 0.125
    [0,2,0]: "ring" 0.125
    [0,2,1]: "ring" 0.125
    [0,2,2]: "ring" 0.125
    "#);
    insta::assert_snapshot!(beliefs(&mut session, &phantom, "oplayer"), @"");
}

#[test]
fn a_person_in_a_match_is_shown_what_the_role_knows() {
    let mut repeated = 0;
    for game in hidden_sheets() {
        let mut doors: HashMap<usize, Door<String>> = HashMap::new();
        for seed in 0..matches() {
            let players = Reference::of(game).players();
            let person = seed as usize % players.len();
            let file = Path::new(env!("CARGO_TARGET_TMPDIR")).join(format!("{game}.{seed}.jsonl"));
            let file = file.to_str().expect("the path is text");
            // A search tells the log what it has found.
            let other = if seed % 2 == 0 { "random" } else { "mcts:visits=2" };
            let seats = (0..players.len()).map(|player| if player == person { "human" } else { other });
            let seed = seed.to_string();
            let mut arguments = vec!["match", game];
            arguments.extend(seats);
            arguments.extend(["--seed", &seed, "--start-clock", "1", "--record", file, "--force", "--log", "debug"]);
            let called = call_with_input(&arguments, &"1\n".repeat(60));
            assert_eq!(called.code, 0, "{}", called.talk);
            let record: serde_json::Value =
                serde_json::from_str(&std::fs::read_to_string(file).expect("it was written")).expect("it is JSON");
            // The text before each question, with the first legal move.
            let mut asked = called.talk.split("a move or its number> ").map(str::to_string);
            let mut reference = Reference::of(game);
            let role = players[person].0;
            for joint_move in record["moves"].as_array().expect("a list") {
                let own = reference.legal().legal(role).len();
                if own > 1 {
                    let shown = asked.next().expect("the person was asked");
                    // At the start it is said which players see more than their roles.
                    let shown = shown.rsplit("warning: ").next().expect("there is a last part").to_string();
                    doors.entry(person).or_insert_with(Door::new).show(role, &reference, shown);
                }
                let terms = joint_move.as_array().expect("a list").iter().map(|text| text.as_str().expect("a term"));
                let terms: Vec<GroundTerm> = terms.map(|text| text.parse().expect("a term")).collect();
                let moves: Vec<Move> =
                    terms.iter().map(|term| reference.rules.find_move(term).expect("a move")).collect();
                reference.play(&moves);
            }
        }
        repeated += doors.values().map(|door| door.repeated).sum::<usize>();
    }
    assert!(repeated > 0);
}
