//! One name, one meaning: a search with its options finds the same at the prompt, on a page, for a player and in the library,
//! in positions of games of every kind; and where it has no answer, it has none for any of them.

use crate::effort::effort;
use ggp::ask::{Ask, Belief, Question};
use ggp::engine::{EngineKind, load};
use ggp::game::{Chance, Reasoner, Role};
use ggp::limits::Deadline;
use ggp::play::{Clocks, LastTurn, PlayerSpec, Start, WorkGroup};
use ggp::repl::{Session, evaluate, render};
use ggp::rules::GroundTerm;
use ggp::workbench::{PageAnswer, PageRequest};
use ggp::{Budget, Game, State};
use serde_json::{Value, json};
use std::path::Path;
use std::sync::Arc;
use std::time::Duration;

const GAMES: [&str; 10] = [
    "tic_tac_toe",
    "connect_four",
    "connect_four_4x4",
    "breakthrough_6x6",
    "nim",
    "minimax_tree",
    "three_player_tree",
    "pacman_small",
    "dice_race",
    "rock_paper_scissors",
];

/// Games of one role.
const ALONE: [&str; 5] = ["three_puzzle", "eight_puzzle", "blocksworld_tiles", "buttons_and_lights", "maze"];

/// Searches without equal moves or mixed strategies, of which one would be drawn.
const SPECIFICATIONS: [&str; 15] = [
    "mcts:visits=100,seed=3",
    "mcts:visits=60,seed=3,single,exploration=0.4",
    "montecarlo:visits=100,seed=3",
    "minimax:depth=2",
    "minimax:depth=2,guess",
    "minimax:depth=3,extend-forced,guess,table",
    "negamax:depth=2",
    "alphabeta:depth=3,guess",
    "alphabeta:depth=3,table,killers,history,null-windows,guess",
    "iterative:depth=3,guess,aspiration",
    "paranoid:depth=2,guess",
    "maxn:depth=2,guess",
    "expectimax:depth=2,guess",
    "expectimax:depth=2,opponents=minimax",
    "expectiminimax:depth=2",
];

/// Searches for plans. Those that remember no states look only a few moves ahead.
const PLANS: [&str; 10] = [
    "bfs",
    "dfs",
    "dfs:tree-search,stack,depth=4",
    "ids:depth=6",
    "astar:heuristic=hmax",
    "ida:heuristic=hadd,depth=12",
    "greedy:heuristic=hff",
    "bestmove",
    "bestplan",
    "bestplan:shortest",
];

/// The number of positions of a game that are looked at, for each role that has a choice there.
fn positions() -> usize {
    effort(6, 20)
}

/// A clock that no search of these needs.
const CLOCK: Duration = Duration::from_secs(600);

/// The recommended move, and whether the answer is exact.
type Recommended = (String, bool);

/// The line of the prompt that asks for a role. Searches of one player take no role.
fn line_for(specification: &str, role: &GroundTerm) -> String {
    if PLANS.contains(&specification) { specification.to_string() } else { format!("{specification} {role}") }
}

/// The move that an answer recommends to a role, or that it recommends none.
fn recommended(answer: &Value, role: &GroundTerm) -> Result<Recommended, String> {
    let own = answer["line"].as_array().into_iter().flatten().find(|own| own["role"] == role.to_string());
    let of_plan = answer["moves"].get(0).filter(|first| first.is_string());
    let chosen = answer.get("move").or(own.and_then(|own| own.get("move"))).or(of_plan);
    let chosen = chosen.and_then(Value::as_str).ok_or("no move is found")?;
    Ok((chosen.to_string(), answer["exact"].as_bool().expect("it says whether it is exact")))
}

/// The move that the prompt finds for a role, or that it finds none.
fn at_the_prompt(session: &mut Session, specification: &str, role: &GroundTerm) -> Result<Recommended, String> {
    let line = line_for(specification, role);
    let answer = evaluate(session, &format!("{line} --json")).map_err(|error| error.to_string())?;
    let text = render::text(&answer, ggp::diagnostic::render::Paint::Plain, ggp::syntax::Dialect::Infix);
    recommended(&serde_json::from_str(&text).expect("it is an object"), role)
}

/// The record of a line that a page sends.
fn sent_by_the_page(session: &mut Session, line: &str) -> Value {
    let body = json!({ "line": line }).to_string();
    let request = PageRequest::read("run", body.as_bytes()).expect("it is a request");
    let Ok(PageAnswer::Json(answer)) = request.answer(session) else { panic!("{line} is answered in JSON") };
    let mut answer: Value = serde_json::from_str(&answer).expect("it is an object");
    answer["records"][0].take()
}

/// The move that a page finds for a role, or that it finds none.
fn on_the_page(session: &mut Session, specification: &str, role: &GroundTerm) -> Result<Recommended, String> {
    let record = sent_by_the_page(session, &line_for(specification, role));
    match record["error"].as_str() {
        Some(error) => Err(error.to_string()),
        None => recommended(&record["answer"], role),
    }
}

/// The move that the library finds for a role, or that it finds none.
fn in_the_library(game: &mut Game, specification: &str, state: &State, role: Role) -> Result<Recommended, String> {
    let question: Question = specification.parse().expect("it is a search");
    assert_eq!(question.to_string().parse(), Ok(question.clone()), "{specification}");
    let outcome = game.ask(state, role, &question, &Budget::new()).map_err(|error| error.to_string())?;
    let exact = outcome.is_exact();
    let found = outcome.answer.ok_or("nothing is found")?;
    assert_eq!(exact, found.belief == Belief::Proven, "{specification}: {found:?}");
    Ok((found.chosen.ok_or("no move is found")?.to_string(), exact))
}

/// Random joint moves from the initial state of a game.
fn line_of_play(start: &Start, seed: u64) -> Vec<Vec<GroundTerm>> {
    let (mut reasoner, mut chance, mut line) = (start.game.fork_engine(), Chance::new(seed), Vec::new());
    let mut state = reasoner.initial_state().expect("it begins");
    while line.len() < positions() && !reasoner.is_terminal(&state).expect("it is known") {
        let mut joint_move = Vec::new();
        for role in 0..reasoner.roles().len() {
            let mut legal = Vec::new();
            reasoner.legal_moves(&state, Role::new(role), &mut legal).expect("there are moves");
            joint_move.push(legal[chance.below(legal.len())]);
        }
        state = reasoner.next_state(&state, &joint_move).expect("it goes on");
        line.push(joint_move.into_iter().map(|chosen| reasoner.move_term(chosen)).collect());
    }
    line
}

/// A position of a match, for those who are asked beside the players.
struct Asked {
    prompt: Session,
    page: Session,
    game: Game,
    state: State,
}

impl Asked {
    fn at_the_start(name: &str) -> Self {
        let mut prompt = Session::new(Path::new("."), Arc::default());
        evaluate(&mut prompt, &format!("load {name}")).expect("the game loads");
        let mut page = Session::without_files(Arc::default());
        let record = sent_by_the_page(&mut page, &format!("load {name}"));
        assert!(record.get("answer").is_some(), "{record}");
        let mut game = Game::library(name).expect("the game loads");
        let state = game.initial_state().expect("it begins");
        Self { prompt, page, game, state }
    }

    /// What the prompt finds for a role, which the page and the library find as well.
    fn find(&mut self, specification: &str, role: Role, at: &str) -> Result<Recommended, String> {
        let name = self.game.roles()[role.index()].clone();
        let found = at_the_prompt(&mut self.prompt, specification, &name);
        let in_library = in_the_library(&mut self.game, specification, &self.state, role);
        let on_page = on_the_page(&mut self.page, specification, &name);
        for other in [in_library, on_page] {
            if found.is_ok() || other.is_ok() {
                assert_eq!(found, other, "{specification} {name} in {at}");
            }
        }
        found
    }

    fn follow(&mut self, joint_move: &[GroundTerm]) {
        let terms: Vec<String> = joint_move.iter().map(ToString::to_string).collect();
        let line = format!("do {}", terms.join(" "));
        evaluate(&mut self.prompt, &line).expect("it is legal");
        let record = sent_by_the_page(&mut self.page, &line);
        assert!(record.get("answer").is_some(), "{record}");
        self.state = self.game.next(&self.state, joint_move).expect("it is legal");
    }
}

/// Compares a player of each role with all others who are asked, along a line of play; returns the number of moves that
/// were compared.
fn compare(start: &Start, game: &str, specification: &str, line: &[Vec<GroundTerm>]) -> usize {
    let mut reasoner = start.game.fork_engine();
    let roles: Vec<Role> = Role::players(reasoner.roles()).collect();
    let mut players: Vec<_> = roles
        .iter()
        .map(|&role| {
            let mut player = specification.parse::<PlayerSpec>().expect("it is a player").make(1);
            player.start(&Start { role, ..start.clone() }, Deadline::after(CLOCK)).map(|()| player)
        })
        .collect();
    let mut asked = Asked::at_the_start(game);
    let (mut state, mut last, mut compared) = (reasoner.initial_state().expect("it begins"), LastTurn::FIRST, 0);
    for joint_move in line {
        let at = format!("{game}: {:?}", reasoner.facts(&state));
        for (&role, player) in roles.iter().zip(&mut players) {
            let Ok(player) = player else { panic!("{game}: {specification} does not start") };
            let answer = player.play(&last, Deadline::after(CLOCK)).map(|chosen| chosen.to_string());
            let answer = answer.map_err(|error| error.to_string());
            // A player whose search finds nothing makes the first move.
            let answer = if player.stood_in() { Err("no move is found".to_string()) } else { answer };
            let mut legal = Vec::new();
            reasoner.legal_moves(&state, role, &mut legal).expect("there are moves");
            if legal.len() == 1 {
                continue;
            }
            match (asked.find(specification, role, &at), answer) {
                (Ok((found, _)), Ok(answer)) => assert_eq!(found, answer, "{specification} {role:?} in {at}"),
                (Err(_), Err(_)) => {}
                (found, answer) => panic!("{specification} {role:?}: {found:?} and {answer:?} in {at}"),
            }
            compared += 1;
        }
        let moves: Vec<_> = joint_move.iter().map(|term| reasoner.find_move(term).expect("it is a move")).collect();
        state = reasoner.next_state(&state, &moves).expect("it goes on");
        asked.follow(joint_move);
        last = LastTurn::JointMove(Some(joint_move.clone()));
    }
    compared
}

#[test]
fn a_search_finds_the_same_at_the_prompt_on_a_page_for_a_player_and_in_the_library() {
    let compared = compare_in(&GAMES, &SPECIFICATIONS);
    assert!(compared > effort(500, 1_500), "{compared}");
}

#[test]
fn a_search_for_plans_finds_the_same_at_the_prompt_on_a_page_for_a_player_and_in_the_library() {
    let compared = compare_in(&ALONE, &PLANS);
    assert!(compared > effort(100, 300), "{compared}");
}

/// Compares all specifications in positions of all games; returns the number of moves that were compared.
fn compare_in(games: &[&str], specifications: &[&str]) -> usize {
    let mut compared = 0;
    for &game in games {
        let mut loaded = load(game, Path::new(""), EngineKind::Auto).expect("the game loads");
        loaded.engine().expect("it has an engine");
        let start = Start {
            match_id: "one".to_string(),
            game: Arc::new(loaded),
            role: Role::new(0),
            clocks: Clocks { start: CLOCK, play: CLOCK },
            interrupt: Arc::default(),
            works: WorkGroup::default(),
        };
        let line = line_of_play(&start, 1);
        for specification in specifications {
            compared += compare(&start, game, specification, &line);
        }
    }
    compared
}

/// The position of which the two gave different moves, when each had a search of its own by this name.
#[test]
fn minimax_of_depth_two_is_the_same_for_everybody() {
    let mut session = Session::new(Path::new("."), Arc::default());
    for line in ["load connect_four", "do drop(1)", "do drop(1)", "do drop(1)", "do drop(1)"] {
        evaluate(&mut session, line).expect("it is legal");
    }
    let red = GroundTerm::symbol("red");
    assert_eq!(at_the_prompt(&mut session, "minimax:depth=2", &red), Ok(("drop(1)".to_string(), false)));
}

/// Two evaluations are one too many for everybody.
#[test]
fn what_cannot_be_combined_is_refused_by_both() {
    let specification = "minimax:depth=2,guess,eval=connect_four_weights";
    let refused = specification.parse::<PlayerSpec>().expect_err("it has two evaluations").to_string();
    assert_eq!(refused, "`--guess` and `--eval` cannot be combined");
    let mut session = Session::new(Path::new("."), Arc::default());
    evaluate(&mut session, "load connect_four").expect("the game loads");
    let refused = at_the_prompt(&mut session, specification, &GroundTerm::symbol("red")).expect_err("so at the prompt");
    assert!(refused.contains("`--guess` and `--eval` cannot be combined"), "{refused}");
}

/// A state belongs to its game, with and without what options bring.
#[test]
fn a_state_of_another_game_is_an_error() {
    let mut other = Game::library("nim").expect("the game loads");
    let state = other.initial_state().expect("it begins");
    let mut game = Game::library("connect_four").expect("the game loads");
    for specification in ["minimax:depth=2", "minimax:depth=2,eval=connect_four_weights", "mcts:visits=5", "bfs"] {
        let found = in_the_library(&mut game, specification, &state, Role::new(0));
        assert!(found.as_ref().is_err_and(|error| error.contains("another game")), "{specification}: {found:?}");
    }
}

#[test]
fn questions_that_are_wrong_name_the_option() {
    for (text, problem) in [
        ("", "there is no search ``"),
        ("minmax", "did you mean minimax?"),
        ("alphabeta:depht=3", "`alphabeta` has no option `depht`; did you mean depth?"),
        ("alphabeta:depth=99999999999", "`depth=99999999999` is not `depth=MOVES`, a number of moves"),
        ("alphabeta:seed=3", "`--seed` needs `--order random`"),
        ("mcts:single,decisive", "`--decisive` and `--single` cannot be combined"),
        ("dfs:stack", "`--stack` needs `--tree-search`"),
    ] {
        let error = text.parse::<Question>().expect_err("it is wrong").to_string();
        assert!(error.contains(problem), "{text}: {error}");
    }
}
