//! What searches by random games call exact or proven: it is the value that searches of the whole tree find.

use crate::program::call;
use crate::sessions::session;
use crate::stage_games::PENNIES;
use ggp::diagnostic::render::Paint;
use ggp::engine::Game;
use ggp::game::{Chance, Reasoner, Role};
use ggp::interpreter::Interpreter;
use ggp::repl::{Session, evaluate, render};
use ggp::search::{Budget, Contest, SinglePlayouts, Uct, UctOptions, nash};
use ggp::syntax::Dialect;
use serde_json::Value;

fn json(session: &mut Session, line: &str) -> Value {
    let line = format!("{line} --json");
    let answer = evaluate(session, &line).unwrap_or_else(|error| panic!("{line}: {error:?}"));
    serde_json::from_str(&render::text(&answer, Paint::Plain, Dialect::Infix)).expect("it is an object")
}

fn text(session: &mut Session, line: &str) -> String {
    let answer = evaluate(session, line).unwrap_or_else(|error| panic!("{line}: {error:?}"));
    render::text(&answer, Paint::Plain, Dialect::Infix)
}

fn is_near(one: f64, other: f64) -> bool {
    (one - other).abs() < 1e-6
}

/// A die is thrown while the player has no choice: the mean is 10.
const DIE: &str = "role(player) role(random) init(open)
    face(1) face(2) face(3) face(4) face(5) face(6)
    pays(1,0) pays(2,0) pays(3,0) pays(4,0) pays(5,0) pays(6,60)
    legal(player,noop) legal(random,die(F)) :- face(F)
    next(shows(F)) :- does(random,die(F))
    terminal :- true(shows(_))
    goal(player,N) :- true(shows(F)) & pays(F,N) goal(random,0)";

/// Both choose at once, and `y` prevents the one end that is good for `x`.
const PURE: &str = "role(x) role(y) init(s) legal(x,a0) legal(x,a1) legal(y,b0) legal(y,b1)
    next(e(100)) :- does(x,a0) & does(y,b0) next(e(0)) :- does(x,a0) & does(y,b1) next(e(0)) :- does(x,a1)
    terminal :- true(e(_)) goal(x,V) :- true(e(V)) goal(y,100) :- true(e(0)) goal(y,0) :- true(e(100))";

/// `y` gets 100 in any case. It may end the game with 0 for `x`; with its first move four times `x` gets 100 as well, which
/// random games seldom see, so that both look like opponents.
const HIDDEN_SUM: &str = "role(x) role(y) init(at(0)) succ(0,1) succ(1,2) succ(2,3) succ(3,4)
    move(m0) move(m1) move(m2) move(m3) move(m4) move(m5) move(m6) move(m7) move(m8) move(m9)
    legal(x,noop) legal(y,M) :- move(M)
    next(at(N)) :- does(y,m0) & true(at(M)) & succ(M,N)
    next(lost) :- does(y,M) & distinct(M,m0)
    terminal :- true(lost) terminal :- true(at(4))
    goal(y,100) goal(x,0) :- true(lost) goal(x,100) :- true(at(4))";

/// `x` has 40 if it stops. If it goes on four times, both choose at once, and a mixed strategy is worth 50; alpha-beta, for
/// which the opponent knows the choice, would see 0. Random games seldom get there.
const HIDDEN_CHOICE: &str = "role(x) role(y) init(at(0)) succ(0,1) succ(1,2) succ(2,3) succ(3,4) side(m0) side(m1)
    move(m0) move(m1) move(m2) move(m3) move(m4) move(m5) move(m6) move(m7) move(m8) move(m9)
    legal(x,M) :- move(M) & ~true(at(4)) legal(y,noop) :- ~true(at(4)) legal(R,M) :- role(R) & side(M) & true(at(4))
    next(at(N)) :- does(x,m0) & true(at(M)) & succ(M,N)
    next(pays(40,60)) :- does(x,M) & distinct(M,m0) & ~true(at(4))
    next(pays(100,0)) :- true(at(4)) & does(x,M) & does(y,M)
    next(pays(0,100)) :- true(at(4)) & does(x,M) & does(y,N) & distinct(M,N)
    terminal :- true(pays(_,_)) goal(x,N) :- true(pays(N,_)) goal(y,N) :- true(pays(_,N))";

fn sheet(name: &str, text: &str) -> String {
    let path = std::path::Path::new(env!("CARGO_TARGET_TMPDIR")).join(format!("{name}.hrf"));
    std::fs::write(&path, text).expect("it can be written");
    path.display().to_string()
}

/// Positions with a role that asks and its value.
fn positions() -> Vec<(String, Vec<&'static str>, &'static str, f64)> {
    let tic_tac_toe = vec!["do mark(1,1)", "do mark(2,1)", "do mark(1,2)", "do mark(2,2)"];
    vec![
        ("expectimax_tree".into(), vec![], "", 10.0),
        (sheet("die", DIE), vec![], "", 10.0),
        ("tic_tac_toe".into(), tic_tac_toe.clone(), "oplayer", 0.0),
        ("tic_tac_toe".into(), tic_tac_toe, "xplayer", 100.0),
        ("three_player_tree".into(), vec![], "b", 2.0),
        ("monty_hall".into(), vec![], "", 100.0),
        (sheet("pure", PURE), vec![], "x", 0.0),
        (sheet("pure", PURE), vec![], "y", 100.0),
        (sheet("mixed", PENNIES), vec![], "a", 100.0 / 3.0),
        (sheet("mixed", PENNIES), vec![], "b", 200.0 / 3.0),
        (sheet("hidden", HIDDEN_SUM), vec![], "y", 100.0),
        (sheet("hidden", HIDDEN_SUM), vec![], "x", 100.0),
    ]
}

#[test]
fn exact_answers_are_the_value_of_the_position_for_the_role() {
    for (game, moves, role, value) in positions() {
        let load = format!("load {game}");
        let mut session = session(&[&[load.as_str()], &moves[..]].concat());
        for seed in 1..=5 {
            for single in ["", " --single"] {
                let found = json(&mut session, &format!("mcts {role} --seed {seed}{single}"));
                assert_eq!((&found["exact"], &found["proven"]), (&true.into(), &true.into()), "{game} {role}: {found}");
                assert!(is_near(found["mean"].as_f64().expect("a mean"), value), "{game} {role}: {found}");
            }
        }
        let shown = text(&mut session, &format!("mcts {role}"));
        let expected = format!(": {} with ", (value * 1e3).round() / 1e3);
        assert!(shown.contains(&expected) && shown.contains("(exact; "), "{game} {role}: {shown}");
    }
}

/// `analyse` and `best` say what `mcts` says. `analyse` asks for the role to move.
#[test]
fn other_commands_agree() {
    for (game, moves, role, value) in positions() {
        let load = format!("load {game}");
        let mut session = session(&[&[load.as_str()], &moves[..]].concat());
        let analysed = json(&mut session, "analyse --algorithm mcts --nodes 10000");
        if role.is_empty() || analysed["role"] == role {
            assert_eq!(analysed["exact"], true, "{game}: {analysed}");
            let first = &analysed["moves"][0];
            assert_eq!(first["proven"], true, "{game}: {analysed}");
            assert!(is_near(first["mean"].as_f64().expect("a mean"), value), "{game}: {analysed}");
        }
    }
}

/// A mixed strategy is told with its probabilities, and a move whose value is known while others are open is a bound.
#[test]
fn mixed_strategies_and_bounds_are_told() {
    let path = sheet("mixed", PENNIES);
    let mut session = session(&[&format!("load {path}")]);
    let found = json(&mut session, "mcts a");
    let weights: Vec<f64> =
        found["strategy"].as_array().expect("a strategy").iter().filter_map(|it| it["probability"].as_f64()).collect();
    assert!(weights.len() == 2 && is_near(weights[0], 1.0 / 3.0) && is_near(weights[1], 2.0 / 3.0), "{found}");
    assert!(text(&mut session, "mcts a").contains("a plays heads 0.3333, tails 0.6667\n"));
    // One move ends the game with a draw, and what follows the other is endless.
    let open = "role(a) init(s(0)) legal(a,draw) legal(a,play) number(0) number(1)
        next(over) :- does(a,draw) next(s(N)) :- does(a,play) & true(s(M)) & number(N) & distinct(N,M)
        terminal :- true(over) goal(a,50) :- true(over)";
    let path = sheet("bound", open);
    evaluate(&mut session, &format!("load {path}")).expect("it loads");
    let found = json(&mut session, "mcts --visits 50");
    assert!(found["move"] == "draw" && found["mean"] == 50.0, "{found}");
    assert!(found["exact"] == false && found["proven"] == false, "{found}");
    assert!(text(&mut session, "mcts --visits 50").contains("a: at least 50 with draw"), "{found}");
}

/// A game as a table: states are numbered, and each leads to later ones.
struct TableGame {
    players: usize,
    has_chance: bool,
    states: Vec<TableState>,
}

enum TableState {
    End(Vec<i32>),
    /// The number of moves of each role, and the next state by joint move, the first role's move first.
    Turn(Vec<usize>, Vec<usize>),
}

#[derive(Clone, Copy, PartialEq)]
enum Kind {
    Turns,
    Simultaneous,
    ConstantSum,
}

impl TableGame {
    fn random(random: &mut Chance, players: usize, has_chance: bool, kind: Kind) -> Self {
        let (inner, ends) = (3 + random.below(8), 4 + random.below(6));
        let roles = players + usize::from(has_chance);
        let turn = |own: usize, random: &mut Chance| {
            let mut moves = vec![1; roles];
            let deciders = if kind == Kind::Turns { 1 } else { 1 + random.below(2) };
            (0..deciders).for_each(|_| moves[random.below(roles)] = 1 + random.below(3));
            let next = (0..moves.iter().product()).map(|_| own + 1 + random.below(inner + ends - own - 1));
            TableState::Turn(moves, next.collect())
        };
        let mut states: Vec<TableState> = (0..inner).map(|own| turn(own, random)).collect();
        for _ in 0..ends {
            let mut utilities: Vec<i32> = (0..players).map(|_| 25 * random.below(5) as i32).collect();
            if kind == Kind::ConstantSum {
                utilities[1] = 100 - utilities[0];
            }
            states.push(TableState::End(utilities));
        }
        Self { players, has_chance, states }
    }

    fn roles(&self) -> Vec<&'static str> {
        let players = ["a", "b", "c"].into_iter().take(self.players);
        players.chain(self.has_chance.then_some("random")).collect()
    }

    fn text(&self) -> String {
        let roles = self.roles();
        let mut text: String = roles.iter().map(|role| format!("role({role}) ")).collect();
        let does: Vec<String> = roles.iter().map(|role| format!("does({role},M{role})")).collect();
        let moves: Vec<String> = roles.iter().map(|role| format!("M{role}")).collect();
        text += &format!(
            "init(at(0)) legal(R,M) :- true(at(S)) & may(S,R,M)
            next(at(T)) :- true(at(S)) & {} & leads(S,{},T)
            terminal :- true(at(S)) & pays(S,_,_) goal(R,V) :- true(at(S)) & pays(S,R,V)\n",
            does.join(" & "),
            moves.join(",")
        );
        for (number, state) in self.states.iter().enumerate() {
            match state {
                TableState::End(utilities) => {
                    for (role, utility) in roles.iter().zip(utilities.iter().chain([&0])) {
                        text += &format!("pays({number},{role},{utility}) ");
                    }
                }
                TableState::Turn(moves, next) => {
                    for (role, &count) in roles.iter().zip(moves) {
                        (0..count).for_each(|index| text += &format!("may({number},{role},m{index}) "));
                    }
                    for (joint, next) in next.iter().enumerate() {
                        let mut left = joint;
                        let mut picks: Vec<String> = moves
                            .iter()
                            .rev()
                            .map(|count| {
                                let pick = left % count;
                                left /= count;
                                format!("m{pick}")
                            })
                            .collect();
                        picks.reverse();
                        text += &format!("leads({number},{},{next}) ", picks.join(","));
                    }
                }
            }
        }
        text
    }

    /// The value of a state for each player, where one role at a time decides: each takes the first of its best moves or,
    /// `against` one of them, the worst for that one. Chance has the mean.
    fn values(&self, state: usize, against: Option<usize>) -> Vec<f64> {
        let (moves, next) = match &self.states[state] {
            TableState::End(utilities) => return utilities.iter().copied().map(f64::from).collect(),
            TableState::Turn(moves, next) => (moves, next),
        };
        let after: Vec<Vec<f64>> = next.iter().map(|&next| self.values(next, against)).collect();
        let mover = moves.iter().position(|&count| count > 1).unwrap_or(0);
        if self.has_chance && mover == self.players {
            return (0..self.players).map(|role| mean(after.iter().map(|values| values[role]))).collect();
        }
        let worth = |values: &[f64]| match against {
            Some(role) if role != mover => -values[role],
            _ => values[mover],
        };
        let better = |best: Vec<f64>, next: Vec<f64>| if worth(&next) > worth(&best) + 1e-9 { next } else { best };
        after.into_iter().reduce(better).expect("there is a move")
    }

    fn load(&self) -> Game {
        Game::from_text(self.text()).expect("the sheet is valid")
    }
}

fn mean(values: impl ExactSizeIterator<Item = f64>) -> f64 {
    let count = values.len() as f64;
    values.sum::<f64>() / count
}

/// What a tree search proves of the first state for each player, with the value of each proven move.
fn proven(reasoner: &mut Interpreter, role: usize, options: UctOptions) -> (Option<f64>, Vec<Option<f64>>) {
    let root = reasoner.initial_state().expect("a state");
    let mut tree = Uct::new(reasoner, &root, options).expect("a tree");
    let (role, mut games) = (Role::new(role), SinglePlayouts::new(options.seed));
    let outcome = tree.search(reasoner, role, &mut games, &Budget::new().with_nodes(3_000)).expect("a search");
    assert_eq!(outcome.stopped.is_none(), tree.proven(role).is_some());
    let advice = outcome.answer.expect("an answer");
    assert_eq!(advice.proven, tree.proven(role));
    (advice.proven, advice.options.iter().map(|option| option.proven).collect())
}

#[test]
fn proofs_in_turns_are_the_values_of_the_whole_tree() {
    let (mut random, mut asked, mut found) = (Chance::new(7), 0, 0);
    for round in 0..240 {
        let players = 1 + round % 3;
        let game = TableGame::random(&mut random, players, round % 2 == 0, Kind::Turns);
        let mut loaded = game.load();
        let expected = game.values(0, None);
        for (role, expected) in expected.into_iter().enumerate() {
            for transpositions in [false, true] {
                let options = UctOptions { seed: round as u64, transpositions, ..UctOptions::default() };
                let (value, moves) = proven(&mut loaded.interpreter, role, options);
                asked += 1;
                if let Some(value) = value {
                    assert!(is_near(value, expected), "{round}, role {role}: {value} for {expected}\n{}", game.text());
                    found += 1;
                }
                let TableState::Turn(counts, next) = &game.states[0] else { continue };
                if counts[role] > 1 {
                    for (&next, own) in next.iter().zip(moves) {
                        let worth = game.values(next, None)[role];
                        assert!(
                            own.is_none_or(|own| is_near(own, worth)),
                            "{round}: {own:?}, {worth}\n{}",
                            game.text()
                        );
                    }
                }
            }
        }
    }
    // UCB1 tries moves with low means seldom, so a value in a longer game may stay open.
    assert!(found * 100 > asked * 99, "{found} of {asked}");
}

#[test]
fn proofs_against_an_opponent_are_what_a_role_can_force() {
    let (mut random, mut found) = (Chance::new(11), 0);
    for round in 0..120 {
        let kind = if round % 2 == 0 { Kind::Turns } else { Kind::ConstantSum };
        let mut game = TableGame::random(&mut random, 2, false, Kind::Turns);
        if kind == Kind::ConstantSum {
            for state in &mut game.states {
                if let TableState::End(utilities) = state {
                    utilities[1] = 100 - utilities[0];
                }
            }
        }
        let mut loaded = game.load();
        for role in 0..2 {
            let options =
                UctOptions { exact: 2.0, opposed: true, transpositions: true, seed: round, ..UctOptions::default() };
            let Some(value) = proven(&mut loaded.interpreter, role, options).0 else { continue };
            // Once utilities of another sum have been seen, each role plays for itself.
            let expected = [game.values(0, Some(role))[role], game.values(0, None)[role]];
            assert!(expected.iter().any(|&own| is_near(own, value)), "{value}, {expected:?}\n{}", game.text());
            assert!(kind == Kind::Turns || is_near(expected[0], expected[1]));
            found += 1;
        }
    }
    assert!(found > 200, "{found} of 240");
    let mut hidden = Game::from_text(HIDDEN_SUM).expect("the sheet is valid");
    let options = UctOptions { exact: 2.0, opposed: true, ..UctOptions::default() };
    assert_eq!(proven(&mut hidden.interpreter, 0, options).0, Some(0.0));
}

#[test]
fn proofs_of_simultaneous_moves_are_equilibria() {
    let (mut random, mut asked, mut found) = (Chance::new(5), 0, 0);
    for round in 0..160 {
        let game = TableGame::random(&mut random, 2, round % 2 == 0, Kind::ConstantSum);
        let mut loaded = game.load();
        let reasoner = &mut loaded.interpreter;
        let root = reasoner.initial_state().expect("a state");
        for role in 0..2 {
            let whole = nash(reasoner, Contest::new(&root, Role::new(role)), &Budget::new(), ()).expect("a search");
            let expected = whole.answer.expect("an answer").utility;
            for opposed in [false, true] {
                let exact = if opposed { 2.0 } else { 0.0 };
                let options = UctOptions { opposed, exact, exploration: 2.0, seed: round, ..UctOptions::default() };
                asked += 1;
                let Some(value) = proven(reasoner, role, options).0 else { continue };
                assert!((value - expected).abs() < 1e-3, "{round}: {value} for {expected}\n{}", game.text());
                found += 1;
            }
        }
    }
    assert!(found > asked * 9 / 10, "{found} of {asked}");
}

#[test]
fn exact_search_of_players_proves_nothing_where_both_choose_at_once() {
    let path = sheet("hidden_choice", HIDDEN_CHOICE);
    let clocks = ["--start-clock", "3", "--play-clock", "1", "--seed", "2", "--log", "debug", "--json"];
    let called = call(&[&["match", &path, "mcts", "random"], &clocks[..]].concat());
    assert_eq!(called.code, 0, "{}", called.talk);
    assert!(called.talk.contains(" mcts: ") && !called.talk.contains("worth 40.0 for certain"), "{}", called.talk);
}

/// Where sums differ, an equilibrium is not the only one: nothing is proven unless the choices do not matter, or a move
/// forces the most.
#[test]
fn commands_claim_what_whole_searches_find() {
    let mut random = Chance::new(3);
    for round in 0..60 {
        let (players, kind) = (1 + round % 3, if round % 2 == 0 { Kind::Turns } else { Kind::Simultaneous });
        let game = TableGame::random(&mut random, players, false, kind);
        let path = sheet(&format!("random_{round}"), &game.text());
        let mut session = session(&[&format!("load {path}")]);
        let worths = json(&mut session, "maxn");
        for (index, role) in game.roles().iter().enumerate() {
            let found = json(&mut session, &format!("mcts {role} --visits 2000 --seed {round}"));
            assert_eq!(found["exact"], found["proven"], "{found}");
            if found["exact"] == true && kind == Kind::Turns {
                let expected = worths["shares"][index]["utility"].as_f64().expect("a utility");
                assert!(
                    is_near(found["mean"].as_f64().expect("a mean"), expected),
                    "{found}, {worths}\n{}",
                    game.text()
                );
            }
            let best = json(&mut session, &format!("best {role}"));
            if best["answer"]["kind"] == "search" {
                assert_eq!(best["exact"], best["answer"]["exact"], "{best}");
            }
        }
    }
}
