//! The table of Stanford's present course: what its manager sends, a seat that follows a match, states that a program
//! steps through, and the files that `ggp gamemaster` writes.

use crate::program::call;
use crate::support::corpus;
use ggp::GroundTerm;
use ggp::limits::Deadline;
use ggp::play::gamemaster::{ManagerMessage, ManagerMessageProblem, ManagerSeat, MatchStart, SeatError};
use ggp::workbench::{PageSeat, SeatRequest, Stepper, StepperQuestion};
use serde_json::{Value, from_value, json};
use std::path::{Path, PathBuf};
use std::time::Duration;

/// Two roles fill two cells by turns.
const RULES: &str = "role(x),role(o),action(put(M)) :- index(M),init(cell(M,b)) :- index(M),init(control(x)),\
                     legal(put(M)) :- cell(M,b),put(M) :: control(R) ==> cell(M,R) & ~cell(M,b),\
                     put(M) :: control(x) ==> ~control(x) & control(o),put(M) :: control(o) ==> ~control(o) & control(x),\
                     goal(R,100) :- cell(1,R),goal(R,0) :- role(R) & ~cell(1,R),terminal :- ~open,open :- cell(M,b),\
                     index(1),index(2)";

fn start(role: &str) -> MatchStart {
    match ManagerMessage::read(&format!("start({role},ruleset({RULES}),10,6)")) {
        Ok(ManagerMessage::Start(start)) => start,
        other => panic!("{other:?}"),
    }
}

fn clock() -> Deadline {
    Deadline::after(Duration::from_secs(5))
}

fn seat(role: &str, player: &str) -> ManagerSeat {
    let player = player.parse().expect("there is this player");
    ManagerSeat::open(&start(role), &player, 1, clock()).expect("the sheet can be played")
}

fn term(text: &str) -> GroundTerm {
    text.parse().expect("it is a term")
}

#[test]
fn messages_are_read_without_parsing_the_clauses() {
    let begun = start("x");
    assert_eq!(begun.sheet.lines().count(), 15);
    assert!(begun.sheet.contains("put(M) :: control(R) ==> cell(M,R) & ~cell(M,b)\n"), "{}", begun.sheet);
    assert_eq!(begun.clocks.start, Duration::from_secs(10));
    assert_eq!(begun.clocks.play, Duration::from_secs(6));
    assert_eq!(ManagerMessage::read("ping()"), Ok(ManagerMessage::Ping));
    assert_eq!(ManagerMessage::read(" abort( ) "), Ok(ManagerMessage::Abort));
    assert_eq!(ManagerMessage::read("play([])"), Ok(ManagerMessage::Play(None)));
    assert_eq!(ManagerMessage::read("play(mark(2,3))"), Ok(ManagerMessage::Play(Some(term("mark(2,3)")))));
    assert_eq!(ManagerMessage::read("stop(noop)"), Ok(ManagerMessage::Stop(Some(term("noop")))));
    let quoted = ManagerMessage::read("start(a,ruleset(p(\"),(\"),q([a,b])),1.5,1e99)");
    let Ok(ManagerMessage::Start(quoted)) = quoted else { panic!("{quoted:?}") };
    assert_eq!(quoted.sheet, "p(\"),(\")\nq([a,b])");
    assert_eq!(quoted.clocks.start, Duration::from_millis(1500));
    assert!(quoted.clocks.play > Duration::from_secs(3600));
}

/// A sheet of the course has a slip of the pen, `p &(R) ~q(R)`, which its manager sends as two clauses.
#[test]
fn clauses_that_never_hold_are_left_out() {
    let message = "start(a,ruleset(goal(R,25) :- p & R,~q(R) & ~r(R),goal(R,1) :- p(R) & Q_1 & r,q(X) :- p(X)),1,1)";
    let Ok(ManagerMessage::Start(start)) = ManagerMessage::read(message) else { panic!("it is a message") };
    assert_eq!(start.sheet, "q(X) :- p(X)");
}

#[test]
fn texts_that_are_no_messages_are_refused() {
    for text in
        ["", "ready", "play", "play(", "play(a))", "play(a", "(play a)", "play([)", "play(\"a)", "\u{fffd}(", ")("]
    {
        assert_eq!(ManagerMessage::read(text), Err(ManagerMessageProblem::NoMessage), "{text}");
    }
    assert!(
        matches!(ManagerMessage::read("bid(3)"), Err(ManagerMessageProblem::UnknownMessage(name)) if name == "bid")
    );
    for text in [
        "play()",
        "play(a,b)",
        "play(X)",
        "start(a)",
        "start(a,rules,1,1)",
        "start(a,ruleset(p),soon,1)",
        "start(a,ruleset(p),-1,1)",
    ] {
        assert!(ManagerMessage::read(text).is_err(), "{text}");
    }
    let long = format!("start(a,ruleset({}),1,1)", "(".repeat(1 << 20));
    assert_eq!(ManagerMessage::read(&long), Err(ManagerMessageProblem::NoMessage));
}

#[test]
fn a_seat_follows_a_match_and_chooses_when_its_role_is_in_control() {
    let mut x = seat("x", "minimax");
    let turn = x.follow(None).expect("it is the first turn");
    assert_eq!((turn.is_own, turn.control), (true, Some(term("x"))));
    assert_eq!(turn.legal, [term("put(1)"), term("put(2)")]);
    let choice = x.choose(clock()).expect("it is its turn");
    assert_eq!(choice.chosen, term("put(1)"));
    let thought = choice.thought.expect("it has searched");
    assert_eq!((thought.value, thought.is_proven), (Some(100.0), true));
    let turn = x.follow(Some(&term("put(1)"))).expect("it is legal");
    assert_eq!((turn.is_own, turn.control), (false, Some(term("o"))));
    assert!(matches!(x.choose(clock()), Err(SeatError::NotInControl)));
    let over = x.stop(Some(&term("put(2)"))).expect("it is legal");
    assert_eq!(json!(over.utilities), json!([100, 0]));
}

/// A seat that was late, or whose move another one has replaced, plays on from the position of the manager.
#[test]
fn a_seat_plays_on_after_moves_that_are_not_its_own() {
    let mut o = seat("o", "mcts:visits=10");
    assert!(!o.follow(None).expect("it is the first turn").is_own);
    let illegal = o.follow(Some(&term("put(3)")));
    assert!(matches!(&illegal, Err(SeatError::Misfit(why)) if why.contains("put(3)")), "{:?}", illegal.map(|_| ()));
    let turn = o.follow(Some(&term("put(2)"))).expect("it is legal");
    assert_eq!(turn.legal, [term("put(1)")]);
    assert!(o.follow(None).is_err(), "the first turn is over");
    assert_eq!(o.choose(clock()).expect("it is its turn").chosen, term("put(1)"));
    let over = o.follow(Some(&term("put(1)"))).expect("it is legal");
    assert_eq!((over.control, over.is_own), (None, false));
    assert!(o.follow(Some(&term("put(1)"))).is_err(), "the game is over");
}

/// A player for another kind of game cannot prepare: random legal moves are made.
#[test]
fn a_player_that_cannot_play_is_replaced_by_random_moves() {
    let mut x = seat("x", "planner");
    assert!(x.fault().is_some());
    let legal = x.follow(None).expect("it is the first turn").legal;
    let choice = x.choose(clock()).expect("it is its turn");
    assert!(legal.contains(&choice.chosen) && choice.fault.is_some());
}

#[test]
fn sheets_that_cannot_be_played_are_refused() {
    let message = |rules: &str, role: &str| SeatRequest::Start {
        message: format!("start({role},ruleset({rules}),5,5)"),
        player: "random".to_string(),
        seed: 1,
        seconds: 1.0,
    };
    let mut seat = PageSeat::default();
    let no_sheet = seat.answer(message("role(x),legal(p :- q", "x"));
    assert!(no_sheet.is_err_and(|why| why.contains("no message")));
    let unreadable = seat.answer(message(&format!("{RULES},late(A) :- evaluate(A,B)"), "x"));
    assert!(unreadable.as_ref().is_err_and(|why| why.starts_with("line 16, column 12: ")), "{unreadable:?}");
    assert!(seat.answer(message(RULES, "y")).is_err_and(|why| why.contains("no role y")));
    assert!(seat.answer(message(RULES, "o")).is_ok());
    assert!(seat.answer(SeatRequest::Choose { seconds: 1.0 }).is_err_and(|why| why.contains("control")));
    let stop = SeatRequest::Stop { message: "stop([])".to_string() };
    assert!(seat.answer(stop).is_ok());
    let play = SeatRequest::Play { message: "play([])".to_string() };
    assert!(seat.answer(play).is_err_and(|why| why.contains("no match")));
}

fn stepper(text: &str) -> (Stepper, Value) {
    let (stepper, about) = Stepper::load(text, Some(30.0)).unwrap_or_else(|error| panic!("{error}"));
    (stepper, json!(about))
}

fn ask(stepper: &mut Stepper, question: Value) -> Value {
    let question: StepperQuestion = from_value(question).expect("it is a question");
    stepper.answer(question).unwrap_or_else(|error| panic!("{error}"))
}

fn words(value: &Value) -> Vec<u32> {
    from_value(value.clone()).expect("these are words")
}

/// What a state shows: whether it is terminal, the role in control, its moves.
struct Shown {
    is_terminal: bool,
    control: Option<usize>,
    moves: Vec<u32>,
}

impl Shown {
    fn of(seen: &[u32]) -> Self {
        let control = (seen[1] as usize).checked_sub(1);
        Self { is_terminal: seen[0] == 1, control, moves: seen[2..].to_vec() }
    }
}

#[test]
fn all_successors_are_those_of_the_single_moves() {
    let (mut stepper, about) = stepper(&start("x").sheet);
    let mut states = vec![words(&about["initial"])];
    let mut visited = 0;
    while let Some(state) = states.pop() {
        let mut seen = Vec::new();
        stepper.look(&state, &mut seen).expect("it has an answer");
        let shown = Shown::of(&seen);
        let (false, Some(control)) = (shown.is_terminal, shown.control) else { continue };
        for with_goals in [false, true] {
            let mut single = Vec::new();
            for &chosen in &shown.moves {
                let mut after = Vec::new();
                stepper.step(&state, control as u32, chosen, &mut after).expect("it is legal");
                let next = after[1..=state.len()].to_vec();
                let is_terminal = after[state.len() + 1] == 1;
                let mut goals = Vec::new();
                stepper.goals(&next, &mut goals).expect("it has an answer");
                single.extend(&next);
                single.push(u32::from(is_terminal));
                single.extend(if with_goals || is_terminal { goals } else { vec![0, 0] });
                states.push(next);
                visited += 1;
            }
            let mut together = Vec::new();
            stepper.expand(&state, control as u32, with_goals, &mut together).expect("it has an answer");
            assert_eq!(together, single);
        }
        assert!(stepper.expand(&state, 2, false, &mut Vec::new()).is_err_and(|why| why.contains("no such role")));
    }
    assert_eq!(visited, 12, "twice two first moves, and after each of these twice one second move");
}

#[test]
fn a_program_steps_through_states_as_words() {
    let (mut stepper, about) = stepper(&start("x").sheet);
    assert_eq!(about["roles"], json!(["x", "o"]));
    let initial = words(&about["initial"]);
    let mut seen = Vec::new();
    stepper.look(&initial, &mut seen).expect("it has an answer");
    let shown = Shown::of(&seen);
    assert_eq!((shown.is_terminal, shown.control), (false, Some(0)));
    let terms = ask(&mut stepper, json!({ "terms": { "moves": shown.moves } }));
    assert_eq!(terms, json!(["put(1)", "put(2)"]));
    let mut after = Vec::new();
    stepper.step(&initial, 0, shown.moves[0], &mut after).expect("it is legal");
    let count = after[0] as usize;
    let next = after[1..=count].to_vec();
    assert_eq!(Shown::of(&after[count + 1..]).control, Some(1));
    assert!(stepper.step(&next, 2, shown.moves[1], &mut Vec::new()).is_err_and(|why| why.contains("no such role")));
    let facts = ask(&mut stepper, json!({ "facts": { "state": next } }));
    assert_eq!(facts, json!(["cell(1,x)", "cell(2,b)", "control(o)"]));
    assert_eq!(words(&ask(&mut stepper, json!({ "state": { "facts": facts } }))), next);
    let mut goals = Vec::new();
    stepper.goals(&next, &mut goals).expect("it has an answer");
    assert_eq!(goals, [100, 0]);
    let cells = json!({ "query": { "formula": "cell(M,b)", "state": next } });
    assert_eq!(ask(&mut stepper, cells), json!({ "variables": ["M"], "rows": [["2"]] }));
    let found = ask(&mut stepper, json!({ "search": { "search": "best", "state": initial, "seconds": 1 } }));
    assert_eq!((&found["move"], &found["value"], &found["exact"]), (&json!("put(1)"), &json!(100.0), &json!(true)));
    let mut means = Vec::new();
    stepper.playouts(&initial, 300, 7, &mut means).expect("it has an answer");
    assert!(
        means[0] >= 300.0 && (means[1] - 50.0).abs() < 15.0 && (means[1] + means[2] - 100.0).abs() < 1e-3,
        "{means:?}"
    );
}

/// The states of the recorded matches of the course's reasoner, step by step.
#[test]
fn stepping_agrees_with_the_traces_of_the_course() {
    let Some(stanford) = corpus().map(|corpus| corpus.join("../stanford")).filter(|folder| folder.is_dir()) else {
        return println!("skipped: there are no traces of the course");
    };
    for name in ["tictactoe", "connectfour", "kono", "hamilton", "chinesecheckers3", "trifecta"] {
        let sheet = std::fs::read_to_string(stanford.join(format!("hrf/{name}.hrf"))).expect("the sheet is there");
        let trace = std::fs::read_to_string(stanford.join(format!("traces/{name}.jsonl"))).expect("the trace is there");
        let (mut stepper, about) = stepper(&sheet);
        let initial = words(&about["initial"]);
        let mut state = initial.clone();
        for line in trace.lines().skip(1) {
            let record: Value = serde_json::from_str(line).expect("it is JSON");
            if record["k"] == 0 {
                state.clone_from(&initial);
            }
            let at = format!("{name} {} {}", record["p"], record["k"]);
            let mut seen = Vec::new();
            stepper.look(&state, &mut seen).expect("it has an answer");
            let shown = Shown::of(&seen);
            assert_eq!(json!(shown.is_terminal), record["terminal"], "{at}");
            let mut goals = Vec::new();
            stepper.goals(&state, &mut goals).expect("it has an answer");
            let expected: Vec<u32> = record["goals"].as_array().expect("a list").iter().map(number).collect();
            assert_eq!(goals, expected, "{at}");
            if shown.is_terminal {
                continue;
            }
            assert_eq!(about["roles"][shown.control.expect("a role is in control")], record["control"], "{at}");
            let mut terms: Vec<String> =
                from_value(ask(&mut stepper, json!({ "terms": { "moves": shown.moves } }))).expect("these are terms");
            let chosen = record["move"].as_str().expect("a move was made");
            let chosen = terms.iter().position(|term| term == chosen).unwrap_or_else(|| panic!("{at}: {chosen}"));
            let mut after = Vec::new();
            let control = shown.control.expect("a role is in control") as u32;
            stepper.step(&state, control, shown.moves[chosen], &mut after).expect("it is legal");
            state = after[1..=after[0] as usize].to_vec();
            terms.sort();
            assert_eq!(json!(terms), record["legal"], "{at}");
        }
    }
}

/// A goal value of a trace, which is a number or its text.
fn number(value: &Value) -> u32 {
    value.as_u64().map_or_else(|| value.as_str().and_then(|text| text.parse().ok()).expect("a number"), |it| it as u32)
}

/// An empty folder for one test, with something that begins as a WebAssembly module does.
fn folder(name: &str) -> PathBuf {
    let path = Path::new(env!("CARGO_TARGET_TMPDIR")).join("gamemaster").join(name);
    _ = std::fs::remove_dir_all(&path);
    std::fs::create_dir_all(&path).expect("a folder can be made");
    std::fs::write(path.join("module"), b"\0asm\x01\0\0\0").expect("it is written");
    std::fs::write(path.join("text"), "no module").expect("it is written");
    path
}

fn write(folder: &Path, file: &str, wasm: &str, rest: &[&str]) -> (i32, String) {
    let path = |name: &str| folder.join(name).to_str().expect("the path is text").to_string();
    let [out, wasm] = [file, wasm].map(path);
    let arguments = ["gamemaster", "--out", &out, "--wasm", &wasm];
    let called = call(&[&arguments[..], rest].concat());
    (called.code, called.talk)
}

#[test]
fn the_page_has_the_library_and_the_player_in_it() {
    let folder = folder("page");
    let (code, talk) = write(&folder, "page.html", "module", &["--player", "growing:exploration=0.4", "--name", "me"]);
    assert_eq!(code, 0, "{talk}");
    let page = std::fs::read_to_string(folder.join("page.html")).expect("it is written");
    assert!(page.contains("\nAGFzbQEAAAA=\n"), "the library is there in base64");
    assert!(page.contains(r#""name":"me","player":"growing:exploration=0.4""#));
    assert!(page.contains("class Library {") && !page.contains("\nexport ") && !page.contains("/*SCRIPT*/"));
    assert_eq!(page.matches("</script>").count(), 4, "nothing within ends a script");
    let (code, talk) = write(&folder, "page.html", "module", &[]);
    assert_eq!(code, 2);
    assert!(talk.contains("--force"), "{talk}");
}

#[test]
fn the_script_has_the_functions_of_the_course() {
    let folder = folder("script");
    let (code, talk) = write(&folder, "general.js", "module", &["--script"]);
    assert_eq!(code, 0, "{talk}");
    let script = std::fs::read_to_string(folder.join("general.js")).expect("it is written");
    assert!(script.contains(";base64,AGFzbQEAAAA=\"") && script.contains("function definemorerules(rules, clauses)"));
    assert!(!script.contains("\nimport ") && !script.contains("\nexport ") && !script.contains("/*PARTS*/"));
}

#[test]
fn wrong_options_are_refused_before_anything_is_written() {
    let folder = folder("wrong");
    for (wasm, rest, why) in [
        ("text", &[][..], "is no WebAssembly module"),
        ("missing", &[], "`web/wasm` in a checkout builds it"),
        ("module", &["--player", "mtcs"], "did you mean"),
        ("module", &["--name", "Me"], "small letter"),
        ("module", &["--script", "--player", "mcts"], "--player"),
    ] {
        let (code, talk) = write(&folder, "page.html", wasm, rest);
        assert_eq!(code, 2, "{talk}");
        assert!(talk.contains(why), "{talk}");
        assert!(!folder.join("page.html").exists());
    }
    let out = folder.join("small.html");
    let out = out.to_str().expect("the path is text");
    let called = call(&["gamemaster", "--module", "https://example.org/a.wasm", "--out", out]);
    assert_eq!(called.code, 0, "{}", called.talk);
    let page = std::fs::read_to_string(out).expect("it is written");
    assert!(page.contains(r#""module":"https://example.org/a.wasm""#) && page.len() < 60_000, "{}", page.len());
}
