//! What users of the library meet first: loading a game, and asking it with terms; wrong input is a typed error.

use ggp::ask::{AdviceError, Ask};
use ggp::engine::GameOriginError;
use ggp::search::Budget;
use ggp::{AskError, EngineError, EngineKind, Game, GroundTerm, LoadError, ReasonError, Reasoner, Role, Utility};

fn terms(texts: &[&str]) -> Vec<GroundTerm> {
    texts.iter().map(|text| text.parse().expect("a ground term")).collect()
}

#[test]
fn games_load_from_the_library_a_file_and_a_text() {
    let named = Game::library("three_puzzle").expect("the library has it");
    let file = Game::open(concat!(env!("CARGO_MANIFEST_DIR"), "/gdl/three_puzzle.gdl")).expect("the file is there");
    let text = Game::from_text(named.source.text()).expect("the text is valid");
    assert_eq!((&*named.name, &*file.name, &*text.name), ("three_puzzle", "three_puzzle", "game"));
    for mut game in [named, file, text] {
        let start = game.initial_state().unwrap();
        assert_eq!(game.facts(&start).len(), 5, "{}", game.name);
    }
}

#[test]
fn what_cannot_be_loaded_says_why() {
    let Err(LoadError::Origin(error)) = Game::library("tictactoe") else { panic!("there is no such game") };
    assert!(matches!(&error, GameOriginError::NotInLibrary { near, .. } if near == &["tic_tac_toe"]), "{error:?}");
    assert_eq!(error.to_string(), "there is no game `tictactoe` in the library; did you mean tic_tac_toe?");
    assert!(matches!(Game::open("no/such/file.gdl"), Err(LoadError::Origin(GameOriginError::Unreadable { .. }))));
    let Err(LoadError::Rejected { diagnostics, .. }) = Game::from_text("role(robot) legal(robot,X)") else {
        panic!("the text breaks several restrictions")
    };
    assert!(diagnostics.len() > 1);
}

#[test]
fn questions_take_and_give_terms() {
    let mut game = Game::library("tic_tac_toe").unwrap();
    let (x, o) = (game.role("xplayer").unwrap(), game.role("oplayer").unwrap());
    let start = game.initial_state().unwrap();
    assert_eq!(game.legal(&start, o).unwrap(), terms(&["noop"]));
    let next = game.next(&start, &terms(&["(mark 2 2)", "noop"])).unwrap();
    assert_eq!(game.legal(&next, o).unwrap().len(), 8);
    let solutions = game.query(&next, "true(cell(R,C,x))").unwrap();
    assert_eq!(solutions.rows, [terms(&["2", "2"])]);
    let why = game.why(&next, "~legal(oplayer,mark(2,2))").unwrap();
    assert!(why.why.holds && why.to_string().starts_with("~legal(oplayer,mark(2,2))"), "{why}");
    assert!(game.why(&next, "legal(oplayer,mark(1,1))").unwrap().why.holds);

    let line = game.playout(&next, 3).unwrap();
    assert!(line.is_over && game.is_terminal(&line.end).unwrap());
    assert_eq!(game.playout(&next, 3).unwrap().joint_moves, line.joint_moves, "the seed decides");
    assert_eq!(
        game.goal(&line.end, x).unwrap().floor() + game.goal(&line.end, o).unwrap().floor(),
        Utility::MAX.floor()
    );
    let replayed = line.joint_moves.iter().try_fold(next, |state, joint_move| game.next(&state, joint_move)).unwrap();
    assert_eq!(replayed, line.end);
}

#[test]
fn wrong_questions_are_typed_errors() {
    let mut game = Game::library("tic_tac_toe").unwrap();
    let start = game.initial_state().unwrap();
    let error = game.role("xplayr").unwrap_err();
    assert_eq!(error.to_string(), "the game has no role `xplayr`; did you mean xplayer or oplayer?");
    assert!(matches!(game.role(")(").unwrap_err(), AskError::UnknownRole { near, .. } if near.is_empty()));
    let error = game.next(&start, &terms(&["mark(2,4)", "noop"])).unwrap_err();
    assert!(matches!(&error, AskError::IllegalMove { near, .. } if !near.is_empty()), "{error}");
    let error = game.next(&start, &terms(&["noop"])).unwrap_err();
    assert!(matches!(error, AskError::WrongNumber { expected: 2, found: 1 }), "{error}");
    assert!(matches!(game.query(&start, "true(cell(").unwrap_err(), AskError::Syntax { .. }));
    assert!(matches!(game.query(&start, "").unwrap_err(), AskError::Syntax { .. }));
    assert!(matches!(game.query(&start, "distinct(R,C)").unwrap_err(), AskError::Query(_)));
    let error = game.why(&start, "terminal & open").unwrap_err();
    assert!(matches!(error, AskError::OneLiteral { found: 2 }), "{error}");
    let end = game.playout(&start, 0).unwrap().end;
    assert!(matches!(game.next(&end, &terms(&["noop", "noop"])).unwrap_err(), AskError::Over));
    assert!("cell(X)".parse::<GroundTerm>().is_err() && "a b".parse::<GroundTerm>().is_err());
}

/// The network relies on legal play; after a state is set, it drops that assumption or is replaced.
#[test]
fn the_engine_holds_states_that_were_set() {
    let mut game = Game::library("tic_tac_toe").unwrap();
    let x = game.role("xplayer").unwrap();
    let start = game.initial_state().unwrap();
    let (engine, _) = game.engine_at(&start).unwrap();
    assert_eq!(engine.kind(), EngineKind::Propnet);
    let cells =
        ["cell(1,1,x)", "cell(1,2,x)", "cell(1,3,x)", "cell(2,1,o)", "cell(2,2,o)", "cell(2,3,o)", "control(xplayer)"];
    let state = game.state_from_facts(&terms(&cells)).unwrap();
    let expected: Result<Utility, ReasonError> = game.goal(&state, x);
    let (engine, own) = game.engine_at(&state).unwrap();
    assert_eq!(engine.goal(&own, x), expected);
    let mut found = engine.facts(&own);
    found.sort();
    let mut cells = terms(&cells);
    cells.sort();
    assert_eq!(found, cells);
}

/// The facts of another game have numbers of their own, which may be those of facts here.
#[test]
fn a_state_of_another_game_is_refused_by_every_question() {
    let mut nim = Game::library("nim").unwrap();
    let mut games = ["tic_tac_toe", "three_puzzle"].map(|name| Game::library(name).unwrap());
    for game in &mut games {
        game.engine().unwrap();
    }
    let state = nim.initial_state().unwrap();
    let budget = Budget::new();
    for mut game in games {
        let role = Role::new(0);
        let start = game.initial_state().unwrap();
        assert_eq!(game.is_terminal(&state), Err(ReasonError::OtherGame));
        assert_eq!(game.legal(&state, role), Err(ReasonError::OtherGame));
        assert_eq!(game.goal(&state, role), Err(ReasonError::OtherGame));
        assert_eq!(game.playout(&state, 1).map(|line| line.is_over), Err(ReasonError::OtherGame));
        assert!(matches!(game.next(&state, &[]), Err(AskError::Reason(ReasonError::OtherGame))));
        for error in [game.query(&state, "true(X)").err(), game.why(&state, "terminal").err()] {
            assert_eq!(error.expect("the state is another game's").to_string(), "the state is of another game");
        }
        let other = || AdviceError::Engine(EngineError::Reason(ReasonError::OtherGame));
        assert_eq!(game.minimax(&state, role, &budget).err(), Some(other()));
        assert_eq!(game.best_plan(&state, &budget).err(), Some(other()));
        assert_eq!(game.engine_at(&state).err(), Some(EngineError::Reason(ReasonError::OtherGame)));
        // The game answers afterwards as before.
        assert_eq!(game.is_terminal(&start), Ok(false));
        assert!(!game.legal(&start, role).unwrap().is_empty());
        assert!(!game.query(&start, "true(X)").unwrap().rows.is_empty());
        assert!(!game.why(&start, "terminal").unwrap().why.holds);
    }
}

#[test]
fn a_state_goes_to_a_second_load_by_its_facts() {
    let [mut one, mut other] = [(); 2].map(|()| Game::library("three_puzzle").unwrap());
    let (start, role) = (one.initial_state().unwrap(), Role::new(0));
    let next = one.next(&start, &terms(&["down"])).unwrap();
    assert_eq!(other.legal(&next, role), Err(ReasonError::OtherGame));
    let same = other.state_from_facts(&one.facts(&next)).unwrap();
    assert_eq!(other.legal(&same, role), one.legal(&next, role));
    // Forks of an interpreter share their states.
    let mut fork = one.interpreter.fork();
    assert_eq!(fork.facts(&next), one.facts(&next));
    assert_eq!(fork.is_terminal(&next), one.is_terminal(&next));
}

#[test]
fn a_session_does_not_begin_in_a_state_of_another_game() {
    let mut session = ggp::repl::Session::new(".", Default::default());
    ggp::repl::evaluate(&mut session, "load three_puzzle").unwrap();
    ggp::repl::evaluate(&mut session, "do down").unwrap();
    let state = Game::library("three_puzzle").unwrap().initial_state().unwrap();
    let error = session.begin_in(state, true).expect_err("it is another load");
    assert_eq!(error.to_string(), "the state is of another game");
    assert!(crate::sessions::say(&mut session, "history").contains("down"), "the match stays");
}
