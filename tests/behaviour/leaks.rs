//! What a role is shown in games with hidden information, in random matches: whoever has made the same moves and had
//! the same percepts, by the interpreter, is shown the same, whatever else has happened.

use crate::effort::effort;
use crate::hidden_sheets::hidden_sheets;
use crate::program::call_with_input;
use crate::sessions::{say, session};
use ggp::engine::Game;
use ggp::game::{Chance, JointMoves, Move, PerceptReasoner, Reasoner, Role};
use ggp::interpreter::{Interpreter, State};
use ggp::rules::GroundTerm;
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
            let seats = (0..players.len()).map(|player| if player == person { "human" } else { "random" });
            let seed = seed.to_string();
            let mut arguments = vec!["match", game];
            arguments.extend(seats);
            arguments.extend(["--seed", &seed, "--start-clock", "1", "--record", file, "--force"]);
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
