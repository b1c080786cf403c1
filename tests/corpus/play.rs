//! Players: their answers, and their names.

use crate::effort::{effort, is_brief};
use crate::named::sheet_named;
use ggp::engine::{Engine, EngineKind, EngineOptions, EngineState, LIBRARY, load};
use ggp::game::{Chance, JointMoves, Move, Reasoner, Role, Utility};
use ggp::limits::Limits;
use ggp::play::{
    Arena, Clocks, Deadline, Equipment, Fallback, FallbackSource, LastTurn, Margin, MatchError, MatchRecord,
    Participant, Player, PlayerError, PlayerSpec, PlayoutKind, PlayoutOptions, Position, RandomPlay, Seat, Series,
    Start, Strategy, Tally, WorkGroup, verify,
};
use ggp::rules::GroundTerm;
use ggp::search::{self, Budget, Contest, Exploration, Pruning, SearchError, SinglePlayouts, Uct, UctOptions};
use std::path::Path;
use std::sync::{Arc, Mutex};
use std::thread;
use std::time::{Duration, Instant};

/// A match of a game for a role, with an engine that has been set up.
fn start(name: &str, role: usize, seconds: f64) -> Start {
    let mut game = load(name, Path::new(""), EngineKind::Auto).expect("the game loads");
    game.engine().expect("the game has an engine");
    let clock = Duration::from_secs_f64(seconds);
    Start {
        match_id: "test".to_string(),
        game: Arc::new(game),
        role: Role::new(role),
        clocks: Clocks { start: clock, play: clock },
        interrupt: Arc::default(),
        works: WorkGroup::default(),
    }
}

/// Plays one role by its player and all others by their first moves; returns the number of joint moves and the last
/// state's utility.
fn play_alone(start: &Start, spec: &str, most: usize) -> (usize, Option<i32>) {
    let mut player = spec.parse::<PlayerSpec>().expect("a player").make(1);
    let deadline = || Deadline::after(start.clocks.play);
    let is_for_one = ["deliberation", "planner"].contains(&spec);
    let mut engine = start.game.fork_engine();
    let mut state = engine.initial_state().expect("there is an initial state");
    let started = player.start(start, Deadline::after(start.clocks.start));
    match started {
        Ok(()) => {}
        Err(PlayerError::Search(SearchError::NotOneRole { .. })) if is_for_one => {}
        Err(error) => panic!("{spec}: {error}"),
    }
    let mut last = LastTurn::FIRST;
    for turn in 0..most {
        if engine.is_terminal(&state).expect("a reasoner answers") {
            player.stop(&last, deadline()).expect("the player stops");
            return (turn, engine.goal(&state, start.role).ok().map(|utility| utility.floor()));
        }
        let answer = player.play(&last, deadline()).expect("the player moves");
        let (mut joint_move, mut legal) = (Vec::new(), Vec::new());
        for index in 0..engine.roles().len() {
            engine.legal_moves(&state, Role::new(index), &mut legal).expect("a reasoner answers");
            if index == start.role.index() {
                let chosen = engine.find_move(&answer).expect("the answer is a move");
                assert!(legal.contains(&chosen), "{spec}: {answer} is not legal");
                joint_move.push(chosen);
            } else {
                joint_move.push(legal[0]);
            }
        }
        state = engine.next_state(&state, &joint_move).expect("a reasoner answers");
        let terms = joint_move.into_iter().map(|chosen| engine.move_term(chosen));
        last = LastTurn::JointMove(Some(terms.collect()));
    }
    (most, None)
}

#[test]
fn players_make_legal_moves_in_all_games_of_the_library() {
    const PLAYERS: [&str; 15] = [
        "legal",
        "random:seed=3",
        "deliberation",
        "planner",
        "minimax:depth=2",
        "alphabeta:depth=2",
        "iterative:depth=2,guess",
        "paranoid:depth=2",
        "negamax:depth=2",
        "expectimax:depth=2",
        "deepening",
        "montecarlo:visits=40",
        "mcts:visits=40",
        "growing:visits=40,playouts=single",
        "auto:visits=40",
    ];
    // Without optimisation, only a few moves of each.
    let (turns, seconds) = effort((3, 0.02), (30, 0.05));
    for sheet in LIBRARY {
        let mut start = start(sheet.name, 0, seconds);
        let roles: Vec<Role> = Role::players(start.game.fork_engine().roles()).collect();
        for role in roles {
            start.role = role;
            for player in PLAYERS {
                play_alone(&start, player, turns);
            }
        }
    }
}

#[test]
fn printed_players_parse_back() {
    for text in [
        "legal",
        "random:seed=7",
        "minimax:depth=3,table,guess,memory=64M",
        "alphabeta:depth=4,eval=connect_four_weights",
        "growing:seed=1,visits=100,memory=2G,playouts=lanes,repeats=4,exploration=0.5",
        "auto",
    ] {
        assert_eq!(text.parse::<PlayerSpec>().expect("a player").to_string(), text);
    }
    // MiB without a letter.
    assert_eq!("minimax:memory=64".parse::<PlayerSpec>(), "minimax:memory=64M".parse());
}

#[test]
fn unknown_players_and_options_are_rejected_with_a_hint() {
    let problem = |text: &str| text.parse::<PlayerSpec>().expect_err("no player").to_string();
    assert_eq!(problem("randon"), "there is no player `randon`; did you mean random?");
    assert_eq!(problem("random:sed=1"), "the player `random` has no option `sed`; did you mean seed?");
    assert_eq!(problem("random:seed=x"), "`seed=x` is not `seed=N`, an integer from 0");
    let size = "is not `memory=SIZE`, a size such as 500M or 2G";
    assert_eq!(problem("mcts:memory=0"), format!("`memory=0` {size}"));
    assert_eq!(problem("mcts:memory=-1M"), format!("`memory=-1M` {size}"));
    assert_eq!(problem("legal:seed=1"), "the player `legal` has no option `seed`; it has none");
}

#[test]
fn invalid_messages_are_errors_and_change_nothing() {
    let start = start("tic_tac_toe", 0, 1.0);
    let deadline = Deadline::after(Duration::from_secs(1));
    let mut player = "legal".parse::<PlayerSpec>().expect("a player").make(0);
    assert!(matches!(player.play(&LastTurn::FIRST, deadline), Err(PlayerError::NotStarted)));
    player.start(&start, deadline).expect("the player starts");
    let symbol = |name: &str| GroundTerm::symbol(name);
    let joint_move = |moves| LastTurn::JointMove(Some(moves));
    let wrong = player.play(&joint_move(vec![symbol("noop")]), deadline).expect_err("one move is missing");
    assert_eq!(wrong.to_string(), "the last joint move has 1 moves, and the game 2 roles");
    let illegal =
        player.play(&joint_move(vec![symbol("noop"), symbol("noop")]), deadline).expect_err("xplayer cannot wait");
    assert_eq!(illegal.to_string(), "noop was not legal for xplayer");
    assert_eq!(player.play(&LastTurn::FIRST, deadline).expect("a move").to_string(), "mark(1,1)");
}

fn arena(start: &Start) -> Arena {
    Arena {
        match_id: "test.1".to_string(),
        game: start.game.clone(),
        clocks: start.clocks,
        seed: 5,
        needs_all: false,
        longest: Arena::LONGEST,
        interrupt: Arc::default(),
    }
}

fn seat(spec: &str) -> Seat {
    Seat::new(spec.parse::<PlayerSpec>().expect("a player").make(1))
}

/// Plays badly, in one way or another.
struct Bad {
    how: How,
    turns: usize,
}

#[derive(Clone, Copy, PartialEq)]
enum How {
    Dies,
    Sleeps,
    TalksNonsense,
    GivesUp,
}

impl Player for Bad {
    fn name(&self) -> String {
        "bad".to_string()
    }

    fn start(&mut self, _: &Start, _: Deadline) -> Result<(), PlayerError> {
        Ok(())
    }

    fn play(&mut self, _: &LastTurn, _: Deadline) -> Result<GroundTerm, PlayerError> {
        self.turns += 1;
        match self.how {
            How::Dies => panic!("it was too much"),
            How::Sleeps => {
                thread::sleep(Duration::from_millis(if self.turns == 1 { 400 } else { 0 }));
                Ok(GroundTerm::symbol("noop"))
            }
            How::TalksNonsense => Ok(GroundTerm::symbol("hello")),
            How::GivesUp => Err(PlayerError::NoAnswer),
        }
    }

    fn stop(&mut self, _: &LastTurn, _: Deadline) -> Result<(), PlayerError> {
        Ok(())
    }

    fn abort(&mut self) {}
}

#[test]
fn a_match_continues_whatever_a_player_does() {
    let mut start = start("tic_tac_toe", 0, 5.0);
    for (how, code) in [(How::Dies, "CE"), (How::TalksNonsense, "IL hello"), (How::GivesUp, "CE"), (How::Sleeps, "TO")]
    {
        if how == How::Sleeps {
            start.clocks.play = Duration::from_millis(100);
        }
        let mut seats = [Seat::new(Box::new(Bad { how, turns: 0 })), seat("legal")];
        let record = arena(&start).play(&mut seats).expect("the match is played");
        assert!(record.is_completed);
        assert_eq!(record.errors[1][0], code);
        assert!(record.faults(0) >= 2, "{} faults", record.faults(0));
        assert!(how == How::Sleeps || record.faults(1) == 0);
        verify(&mut start.game.fork_engine(), &record).expect("the record holds");
    }
}

#[test]
fn a_match_needs_a_player_for_each_role_except_chance() {
    let tic_tac_toe = start("tic_tac_toe", 0, 1.0);
    let refused = arena(&tic_tac_toe).play(&mut [seat("legal")]).expect_err("a player is missing");
    assert!(matches!(refused, MatchError::Players { roles: 2, players: 1 }));
    let record = arena(&start("pig_dice", 0, 1.0)).play(&mut [seat("random:seed=1"), seat("random:seed=2")]);
    let record = record.expect("chance needs no player");
    assert!(record.is_completed && record.player_names_from_host.contains(&"random".to_string()));
}

#[test]
fn a_record_is_read_back_and_verified() {
    let start = start("tic_tac_toe", 0, 1.0);
    let record = arena(&start).play(&mut [seat("random:seed=1"), seat("random:seed=2")]).expect("a match");
    let text = record.to_json().expect("a record is JSON");
    assert!(MatchRecord::is_one(text.as_bytes()));
    assert!(!MatchRecord::is_one(&br#"{"game": "x", "roles": [], "init": []}"#[..]));
    let read: Vec<MatchRecord> =
        MatchRecord::read_all(format!("{text}\n{text}\n").as_bytes()).collect::<Result<_, _>>().expect("two records");
    assert_eq!(read, [record.clone(), record.clone()]);
    let verified = verify(&mut start.game.fork_engine(), &record).expect("the record holds");
    assert_eq!((verified.states, verified.goal_values), (record.moves.len() + 1, record.goal_values.clone()));
}

#[test]
fn a_record_that_was_tampered_with_is_rejected() {
    let start = start("tic_tac_toe", 0, 1.0);
    let record = arena(&start).play(&mut [seat("legal"), seat("legal")]).expect("a match");
    let mut engine = start.game.fork_engine();
    let mut refused = |tamper: &dyn Fn(&mut MatchRecord)| {
        let mut tampered = record.clone();
        tamper(&mut tampered);
        verify(&mut engine, &tampered).expect_err("the record does not hold").to_string()
    };
    insta::assert_snapshot!(
        [
            refused(&|record| record.moves[1][0] = "( mark 3 3 )".to_string()),
            refused(&|record| record.moves[0][0] = "( mark 2 2 )".to_string()),
            refused(&|record| record.moves[0][0] = "( mark 2".to_string()),
            refused(&|record| record.states[2] = record.states[1].clone()),
            refused(&|record| record.states[2] = "cell".to_string()),
            refused(&|record| record.goal_values = vec![Some(Utility::MIN), Some(Utility::MAX)]),
            refused(&|record| drop(record.states.pop())),
            refused(&|record| record.is_completed = false),
            refused(&|record| {
                record.states.pop();
                record.moves.pop();
            }),
            refused(&|record| record.roles = vec!["white".to_string(), "black".to_string()]),
            refused(&|record| drop(record.moves[0].pop())),
        ]
        .join("\n")
    );
}

#[test]
fn mcts_proves_tic_tac_toe_and_wins_won_positions() {
    let start = start("tic_tac_toe", 0, 1.0);
    let mut engine = start.game.fork_engine();
    let term = |text: &str| {
        let source = ggp::syntax::Source::new("fact", text);
        GroundTerm::from_term(&ggp::syntax::parse_term(&source, None).expect("a term")).expect("a ground term")
    };
    let facts = [
        "cell(1,1,x)",
        "cell(1,2,b)",
        "cell(1,3,o)",
        "cell(2,1,b)",
        "cell(2,2,b)",
        "cell(2,3,b)",
        "cell(3,1,x)",
        "cell(3,2,b)",
        "cell(3,3,o)",
        "control(xplayer)",
    ];
    let facts: Vec<GroundTerm> = facts.iter().map(|fact| term(fact)).collect();
    // Either side wins at once if it is its turn.
    let turns = [("control(xplayer)", 0, "mark(2,1)"), ("control(oplayer)", 1, "mark(2,3)")];
    for ((control, role, winning), form) in turns.into_iter().flat_map(|turn| FORMS.map(|form| (turn, form))) {
        let mut facts = facts.clone();
        *facts.last_mut().expect("there are facts") = term(control);
        let state = engine.state_from_facts(&facts).expect("a state");
        let mut uct = Uct::new(&mut engine, &state, form).expect("a tree");
        let outcome =
            uct.search(&mut engine, Role::new(role), &mut SinglePlayouts::new(1), &Budget::new().with_nodes(10_000));
        let outcome = outcome.expect("a search");
        assert!(outcome.is_exact() || uct.proven(Role::new(role)) == Some(100.0));
        let advice = outcome.answer.expect("advice");
        assert_eq!(engine.move_term(advice.chosen).to_string(), winning);
        assert_eq!(advice.best().proven, Some(100.0));
        assert_eq!(uct.proven(Role::new(role)), Some(100.0));
        assert_eq!(uct.proven(Role::new(1 - role)), Some(0.0));
    }
}

/// A tree, and a graph in which lines to the same state meet.
const FORMS: [UctOptions; 2] = [
    UctOptions {
        exploration: 0.7,
        exact: 0.0,
        estimate: 0.0,
        opposed: true,
        transpositions: false,
        rave: 0.0,
        seed: 0,
    },
    UctOptions { exploration: 0.7, exact: 0.0, estimate: 0.0, opposed: true, transpositions: true, rave: 0.0, seed: 0 },
];

/// The utility that a role can force within this many plies, if it is certain.
fn certain(engine: &mut Engine, state: &EngineState, role: Role, plies: u32) -> Option<Utility> {
    let budget = Budget::new().with_depth(plies);
    let contest = Contest::new(state, role);
    let outcome = search::alpha_beta(engine, contest, Pruning::default(), &budget, ()).expect("a search");
    outcome.answer.expect("a value").worth.utility()
}

/// A position of random play on a board of 5 by 5 from which a role, whose turn it is, can force a win in exactly this
/// many plies, with several moves to choose from.
fn forced_win(engine: &mut Engine, plies: u32, random: &mut Chance) -> (EngineState, Role) {
    loop {
        let mut state = engine.initial_state().expect("there is one");
        let played = 6 + random.below(12);
        let goes_on = (0..played)
            .all(|_| engine.random_step(&mut state, &mut |count| random.below(count)).expect("it can be played"));
        if !goes_on || engine.is_terminal(&state).expect("it can be asked") {
            continue;
        }
        let choosing = JointMoves::in_state(engine, &state).expect("there are moves").choosing();
        let &[role] = &choosing[..] else { continue };
        let wins = |engine: &mut Engine, plies| certain(engine, &state, role, plies) == Some(Utility::MAX);
        if wins(engine, plies) && (plies == 1 || !wins(engine, plies - 2)) {
            return (state, role);
        }
    }
}

#[test]
fn mcts_finds_wins_of_one_three_and_five_plies() {
    let start = start("connect_four_5x5", 0, 1.0);
    let mut engine = start.game.fork_engine();
    let mut random = Chance::new(5);
    let depths = [(1, 6), (3, 7), (5, 7)];
    for (plies, positions) in depths.map(|(plies, all)| (plies, effort(2, all))) {
        for position in 0..positions {
            let (state, role) = forced_win(&mut engine, plies, &mut random);
            let mut play =
                RandomPlay::reproducible(PlayoutOptions::new(PlayoutKind::Lanes, 4), &engine, 1, &Limits::none())
                    .expect("lanes");
            let mut uct = Uct::new(&mut engine, &state, FORMS[position % 2]).expect("a tree");
            let outcome = uct.search(&mut engine, role, &mut play, &Budget::new().with_nodes(50_000));
            let chosen = outcome.expect("a search").answer.expect("advice").chosen;
            let mut joint_moves = JointMoves::in_state(&mut engine, &state).expect("there are moves");
            let index = joint_moves.legal(role).iter().position(|&legal| legal == chosen);
            joint_moves.choose(role, index.expect("it is legal"));
            let next = engine.next_state(&state, joint_moves.current()).expect("it can be made");
            // A longer win counts as well.
            let kept = certain(&mut engine, &next, role, plies - 1).or_else(|| certain(&mut engine, &next, role, 10));
            assert_eq!(kept, Some(Utility::MAX), "position {position} of {plies} plies: {}", engine.move_term(chosen));
        }
    }
}

/// In hex the games in which a move is made later say much of it: with them a tree wins most games against one of as many
/// visits without. The games are the same on every run.
#[test]
fn moves_that_are_made_later_count() {
    const GAMES: u64 = 8;
    let Some(sheet) = sheet_named("hex") else { return };
    let start = start(&sheet.display().to_string(), 0, 1.0);
    let mut engine = start.game.fork_engine();
    let options = PlayoutOptions { keeps_moves: true, ..PlayoutOptions::new(PlayoutKind::Lanes, 4) };
    let budget = Budget::new().with_nodes(300);
    let mut won = 0;
    for seed in 0..GAMES {
        let playouts = RandomPlay::reproducible(options, &engine, seed, &Limits::none());
        let mut playouts = playouts.expect("nothing stops it");
        let mut state = engine.initial_state().expect("there is an initial state");
        let counting = Role::new((seed % 2) as usize);
        while !engine.is_terminal(&state).expect("a reasoner answers") {
            let mut joint_moves = JointMoves::in_state(&mut engine, &state).expect("joint moves");
            for role in joint_moves.choosing() {
                let rave = if role == counting { 200.0 } else { 0.0 };
                let uct = UctOptions { rave, exploration: 0.3, seed, ..UctOptions::default() };
                let mut uct = Uct::new(&mut engine, &state, uct).expect("a tree");
                let outcome = uct.search(&mut engine, role, &mut playouts, &budget).expect("a search");
                let chosen = outcome.answer.expect("advice").chosen;
                let index = joint_moves.legal(role).iter().position(|&legal| legal == chosen);
                joint_moves.choose(role, index.expect("the advice is legal"));
            }
            state = engine.next_state(&state, joint_moves.current()).expect("a next state");
        }
        won += u64::from(engine.goal(&state, counting) == Ok(Utility::MAX));
    }
    assert!(won >= 6, "{won} of {GAMES} games are won");
}

/// A tree that trusts them leaves moves untried of which games with later moves say that they are bad, and goes deeper.
#[test]
fn trusted_later_moves_count_for_moves_never_tried() {
    let Some(sheet) = sheet_named("hex") else { return };
    let start = start(&sheet.display().to_string(), 0, 1.0);
    let mut engine = start.game.fork_engine();
    let state = engine.initial_state().expect("there is an initial state");
    let options = PlayoutOptions { keeps_moves: true, ..PlayoutOptions::new(PlayoutKind::Lanes, 4) };
    let mut search = |trusts: bool| {
        let mut playouts = RandomPlay::reproducible(options, &engine, 1, &Limits::none()).expect("nothing stops it");
        let uct = UctOptions { rave: 200.0, exploration: 0.15, ..UctOptions::default() };
        let mut uct = Uct::new(&mut engine, &state, uct).expect("a tree");
        if trusts {
            uct.trust_later_moves();
        }
        let budget = Budget::new().with_nodes(2_000);
        let outcome = uct.search(&mut engine, Role::new(0), &mut playouts, &budget).expect("a search");
        let options = outcome.answer.expect("advice").options;
        (options.iter().filter(|option| option.visits == 0).count(), outcome.cost.depth)
    };
    let ((untried, depth), (untried_if_trusted, depth_if_trusted)) = (search(false), search(true));
    assert_eq!(untried, 0);
    assert!(
        untried_if_trusted > 0 && depth_if_trusted > depth,
        "{untried_if_trusted} untried, {depth_if_trusted} plies"
    );
}

#[test]
fn the_proof_of_a_small_game_is_kept_from_move_to_move() {
    FORMS.into_iter().for_each(keeps_the_proof);
}

fn keeps_the_proof(form: UctOptions) {
    let start = start("nim", 0, 1.0);
    let mut engine = start.game.fork_engine();
    let mut state = engine.initial_state().expect("there is an initial state");
    let solution =
        ggp::search::minimax(&mut engine, ggp::search::Contest::new(&state, Role::new(0)), &Budget::new(), ())
            .expect("a search")
            .answer
            .expect("a choice");
    let mut uct = Uct::new(&mut engine, &state, form).expect("a tree");
    let mut playouts = SinglePlayouts::new(3);
    let most = Budget::new().with_nodes(2_000_000);
    let outcome = uct.search(&mut engine, Role::new(0), &mut playouts, &most).expect("a search");
    let value = solution.worth.utility().expect("minimax saw the ends");
    assert_eq!(uct.proven(Role::new(0)), Some(f64::from(value.floor())), "{:?}", outcome.stopped);
    // The value stays proven as long as the winner follows the proof.
    while !engine.is_terminal(&state).expect("a reasoner answers") {
        let mut joint_moves = ggp::game::JointMoves::in_state(&mut engine, &state).expect("joint moves");
        for role in [Role::new(0), Role::new(1)] {
            if joint_moves.legal(role).len() > 1 {
                let none = Budget::new().with_nodes(0);
                let advice = uct.search(&mut engine, role, &mut playouts, &none).expect("a search").answer;
                let chosen = advice.expect("advice").chosen;
                let index = joint_moves.legal(role).iter().position(|&legal| legal == chosen);
                joint_moves.choose(role, index.expect("the advice is legal"));
            }
        }
        state = engine.next_state(&state, joint_moves.current()).expect("a next state");
        uct.advance(&mut engine, joint_moves.current(), &state).expect("the tree goes on");
    }
    assert_eq!(engine.goal(&state, Role::new(0)), Ok(value));
}

#[test]
fn a_full_tree_stops_growing_and_still_chooses_a_move() {
    FORMS.into_iter().for_each(stops_growing);
}

fn stops_growing(form: UctOptions) {
    let start = start("connect_four", 0, 1.0);
    let mut engine = start.game.fork_engine();
    let state = engine.initial_state().expect("there is an initial state");
    let mut uct = Uct::new(&mut engine, &state, form).expect("a tree");
    let budget = Budget::new().with_nodes(300).with_memory(10_000);
    let outcome = uct.search(&mut engine, Role::new(0), &mut SinglePlayouts::new(1), &budget).expect("a search");
    assert!(uct.size() < 60, "{} nodes", uct.size());
    let advice = outcome.answer.expect("advice");
    assert_eq!(advice.options.iter().map(|option| option.visits).sum::<u32>(), 300);
}

/// Makes the first joint move, and tells the tree.
fn advance(engine: &mut Engine, state: &mut EngineState, uct: &mut Uct<Engine>) {
    let joint_moves = JointMoves::in_state(engine, state).expect("there are moves");
    *state = engine.next_state(state, joint_moves.current()).expect("it can be made");
    uct.advance(engine, joint_moves.current(), state).expect("the tree goes on");
}

#[test]
fn memory_of_a_tree_is_freed_by_the_search_after_the_move() {
    FORMS.into_iter().for_each(frees_memory);
}

fn frees_memory(form: UctOptions) {
    let start = start("connect_four", 0, 1.0);
    let mut engine = start.game.fork_engine();
    let mut state = engine.initial_state().expect("there is an initial state");
    let mut uct = Uct::new(&mut engine, &state, form).expect("a tree");
    let mut playouts = SinglePlayouts::new(1);
    let mut search = |engine: &mut Engine, uct: &mut Uct<Engine>, nodes| {
        uct.search(engine, start.role, &mut playouts, &Budget::new().with_nodes(nodes)).expect("a search");
    };
    search(&mut engine, &mut uct, 3_000);
    let before = uct.size();
    advance(&mut engine, &mut state, &mut uct);
    // A pass over the tree would have left a seventh of it.
    assert_eq!(uct.size(), before);
    // Each visit frees two nodes and adds one.
    search(&mut engine, &mut uct, 1_000);
    assert!(uct.size() <= before - 900, "{} of {before} nodes", uct.size());
    // A move that the tree does not have starts a new tree, and frees nothing at once either.
    let visits = |uct: &mut Uct<Engine>, engine: &mut Engine| {
        let none = Budget::new().with_nodes(0);
        let outcome = uct.search(engine, start.role, &mut SinglePlayouts::new(1), &none).expect("a search");
        outcome.answer.expect("advice").options.iter().map(|option| option.visits).sum::<u32>()
    };
    assert!(visits(&mut uct, &mut engine) > 0);
    for _ in 0..4 {
        advance(&mut engine, &mut state, &mut uct);
    }
    search(&mut engine, &mut uct, 3_000);
    assert!(uct.size() <= 3_010, "{} nodes", uct.size());
}

#[test]
fn a_full_tree_grows_again_after_a_move() {
    FORMS.into_iter().for_each(grows_again);
}

fn grows_again(form: UctOptions) {
    let start = start("connect_four", 0, 1.0);
    let mut engine = start.game.fork_engine();
    let mut state = engine.initial_state().expect("there is an initial state");
    let mut uct = Uct::new(&mut engine, &state, form).expect("a tree");
    let budget = Budget::new().with_nodes(2_000).with_memory(400_000);
    uct.search(&mut engine, start.role, &mut SinglePlayouts::new(1), &budget).expect("a search");
    let full = uct.size();
    assert!(full < 1_900, "{full} nodes");
    let mut kept = 0;
    for _ in 0..3 {
        advance(&mut engine, &mut state, &mut uct);
        uct.search(&mut engine, start.role, &mut SinglePlayouts::new(1), &budget).expect("a search");
        kept = uct.size();
        assert!(kept <= full + 100 && kept > full / 2, "{kept} nodes, and {full} before");
    }
    assert!(kept > 0);
}

/// Tic-tac-toe has 5,478 states, each of one ply. A tree has many more nodes; a graph has hardly more, since it may forget
/// which node a state has.
#[test]
fn lines_that_lead_to_the_same_state_meet_in_one_node() {
    let [tree, graph] = FORMS.map(|form| {
        let start = start("tic_tac_toe", 0, 1.0);
        let mut engine = start.game.fork_engine();
        let state = engine.initial_state().expect("there is an initial state");
        let mut uct = Uct::new(&mut engine, &state, form).expect("a tree");
        let most = Budget::new().with_nodes(200_000);
        uct.search(&mut engine, Role::new(0), &mut SinglePlayouts::new(3), &most).expect("a search");
        uct.size()
    });
    assert!((5_000..=5_650).contains(&graph) && tree > 20_000, "{graph} nodes of a graph, {tree} of a tree");
}

/// What a graph proves is what minimax finds, from move to move of random matches.
#[test]
fn the_proofs_of_a_graph_are_exact() {
    let mut random = Chance::new(11);
    for game in ["tic_tac_toe", "nim", "connect_four_4x4"] {
        let start = start(game, 0, 1.0);
        let mut engine = start.game.fork_engine();
        for _ in 0..effort(3, 12) {
            let mut state = engine.initial_state().expect("there is an initial state");
            let mut uct = Uct::new(&mut engine, &state, FORMS[1]).expect("a tree");
            let mut proofs = 0;
            while !engine.is_terminal(&state).expect("it can be asked") {
                let budget = Budget::new().with_nodes(3_000);
                uct.search(&mut engine, Role::new(0), &mut SinglePlayouts::new(1), &budget).expect("a search");
                if let Some(proven) = uct.proven(Role::new(0)) {
                    let value = search::minimax(&mut engine, Contest::new(&state, Role::new(0)), &Budget::new(), ());
                    let worth = value.expect("a search").answer.expect("a choice").worth;
                    assert_eq!(worth.utility().map(|value| f64::from(value.floor())), Some(proven), "{game}");
                    proofs += 1;
                }
                let mut joint_moves = JointMoves::in_state(&mut engine, &state).expect("there are moves");
                for role in joint_moves.choosing() {
                    let index = random.below(joint_moves.legal(role).len());
                    joint_moves.choose(role, index);
                }
                state = engine.next_state(&state, joint_moves.current()).expect("it can be made");
                uct.advance(&mut engine, joint_moves.current(), &state).expect("the tree goes on");
            }
            assert!(proofs > 0, "nothing was proved in a match of {game}");
        }
    }
}

/// The calls of a strategy for tests.
#[derive(Default)]
struct Asked {
    /// The kind of the engine at each choice.
    choices: Vec<EngineKind>,
    equipped: Vec<Equipment>,
}

/// Finds a move or none, and records its calls.
struct Witness {
    asked: Arc<Mutex<Asked>>,
    finds: bool,
}

impl Strategy for Witness {
    fn name(&self) -> String {
        "witness".to_string()
    }

    fn choose(&mut self, position: &mut Position, _: Deadline) -> Result<Option<Move>, PlayerError> {
        self.asked.lock().expect("a lock").choices.push(position.engine.kind());
        Ok(position.legal.last().copied().filter(|_| self.finds))
    }

    fn equipped(&mut self, equipment: Equipment, _: &mut Position) {
        self.asked.lock().expect("a lock").equipped.push(equipment);
    }
}

fn witness(finds: bool) -> (Participant<Witness>, Arc<Mutex<Asked>>) {
    let asked = Arc::<Mutex<Asked>>::default();
    (Participant::new(Witness { asked: asked.clone(), finds }), asked)
}

#[test]
fn a_forced_move_is_made_without_a_search() {
    let start = start("tic_tac_toe", 1, 5.0);
    let (mut player, asked) = witness(true);
    player.start(&start, Deadline::after(start.clocks.start)).expect("the player starts");
    let forced = player.play(&LastTurn::FIRST, Deadline::after(start.clocks.play)).expect("a move");
    assert_eq!((forced.to_string().as_str(), player.stood_in()), ("noop", false));
    assert!(asked.lock().expect("a lock").choices.is_empty());
}

#[test]
fn fallback_moves_are_counted_and_recorded() {
    let start = start("tic_tac_toe", 0, 5.0);
    let (player, _) = witness(false);
    let mut seats = [Seat::new(Box::new(player)), Seat::new(Box::new(Bad { how: How::TalksNonsense, turns: 0 }))];
    let record = arena(&start).play(&mut seats).expect("the match is played");
    let first = Fallback { ply: 0, role: 0, source: FallbackSource::FirstLegal };
    let second = Fallback { ply: 0, role: 1, source: FallbackSource::Random };
    assert_eq!(record.fallbacks[..2], [first, second]);
    // Each second move is forced, and so is the last one, which fills the board; invalid moves are replaced
    // nevertheless.
    let chosen = (0..record.moves.len()).filter(|ply| ply % 2 == 0 && *ply < 8).count();
    assert_eq!((record.fallbacks(0), record.fallbacks(1)), (chosen, record.moves.len()));
    assert_eq!(record.faults(0), 0);
    let text = record.to_json().expect("a record is JSON");
    assert!(text.contains(r#""fallbacks":[{"ply":0,"role":0,"source":"firstLegal"}"#), "{text}");
    let read = MatchRecord::read_all(text.as_bytes()).next().expect("a record").expect("it can be read");
    assert_eq!(read, record);
    verify(&mut start.game.fork_engine(), &record).expect("the record holds");
    // A search that has enough time chooses each move.
    let mut seats = [seat("mcts:visits=50"), seat("mcts:visits=50")];
    assert!(arena(&start).play(&mut seats).expect("a match").fallbacks.is_empty());
}

/// A match of a game whose engine has not been set up.
fn start_without_engine(name: &str, options: EngineOptions) -> Start {
    let game = Arc::new(load(name, Path::new(""), options).expect("the game loads"));
    let clock = Duration::from_secs(5);
    let clocks = Clocks { start: clock, play: clock };
    let (interrupt, works) = (Arc::default(), WorkGroup::default());
    Start { match_id: "test".to_string(), game, role: Role::new(0), clocks, interrupt, works }
}

/// Plays one role, and all others by their first moves, until the condition holds or the game is over.
fn play_until(player: &mut dyn Player, start: &Start, mut is_enough: impl FnMut() -> bool) {
    let mut engine = start.game.fork_engine();
    let mut state = engine.initial_state().expect("there is an initial state");
    let mut last = LastTurn::FIRST;
    while !engine.is_terminal(&state).expect("a reasoner answers") && !is_enough() {
        let answer = player.play(&last, Deadline::after(start.clocks.play)).expect("a move");
        let mut joint_moves = JointMoves::in_state(&mut engine, &state).expect("there are moves");
        let chosen = engine.find_move(&answer).expect("a move");
        let index = joint_moves.legal(start.role).iter().position(|&legal| legal == chosen).expect("it is legal");
        joint_moves.choose(start.role, index);
        state = engine.next_state(&state, joint_moves.current()).expect("it can be made");
        let terms = joint_moves.current().iter().map(|&chosen| engine.move_term(chosen));
        last = LastTurn::JointMove(Some(terms.collect()));
    }
}

#[test]
fn a_player_switches_from_the_interpreter_to_the_network() {
    // Without a start clock there is no waiting.
    for game in ["breakthrough_6x6", "connect_four", "pig_dice"] {
        let start = start_without_engine(game, EngineOptions::default());
        assert_eq!(start.game.fork_engine().kind(), EngineKind::Interpreter);
        let (mut player, asked) = witness(true);
        player.start(&start, Deadline::after(Duration::ZERO)).expect("the player starts");
        let on_the_network = || {
            let choices = asked.lock().expect("a lock").choices.clone();
            if choices.len() > 1 && choices.last() == Some(&EngineKind::Interpreter) {
                // The network is being built: each move waits for a second, so that it is ready long before the end of
                // the game.
                thread::sleep(Duration::from_secs(1));
            }
            choices.ends_with(&[EngineKind::Propnet; 3])
        };
        play_until(&mut player, &start, on_the_network);
        let asked = asked.lock().expect("a lock");
        assert!(asked.choices.is_sorted_by_key(|kind| *kind == EngineKind::Propnet), "{:?}", asked.choices);
        assert!(asked.equipped.len() <= 1, "{:?}", asked.equipped);
        assert!(game != "connect_four" || asked.equipped == [Equipment::Engine], "{:?}", asked.choices);
    }
}

#[test]
fn a_long_start_clock_waits_for_network_and_lanes() {
    let start = start_without_engine("tic_tac_toe", EngineOptions::default());
    for spec in ["mcts:visits=50", "montecarlo:visits=50", "alphabeta:depth=2", "deepening", "auto:visits=50"] {
        let mut player = spec.parse::<PlayerSpec>().expect("a player").make(1);
        player.start(&start, Deadline::after(Duration::from_secs(20))).expect("the player starts");
        play_until(&mut *player, &start, || false);
        assert!(!player.stood_in(), "{spec}");
    }
    let (mut player, asked) = witness(true);
    player.start(&start, Deadline::after(Duration::from_secs(60))).expect("the player starts");
    play_until(&mut player, &start, || false);
    let asked = asked.lock().expect("a lock");
    assert!(!asked.choices.is_empty() && asked.choices.iter().all(|&kind| kind == EngineKind::Propnet));
}

#[test]
fn the_interpreter_plays_a_game_that_cannot_be_grounded() {
    let options = EngineOptions::default();
    let budget = options.budget.clone().with_memory(1);
    let start = start_without_engine("tic_tac_toe", EngineOptions { budget, ..options });
    let (mut player, asked) = witness(true);
    player.start(&start, Deadline::after(start.clocks.start)).expect("the player starts");
    play_until(&mut player, &start, || false);
    let asked = asked.lock().expect("a lock");
    assert!(asked.equipped.is_empty());
    assert!(asked.choices.len() >= 3 && asked.choices.iter().all(|&kind| kind == EngineKind::Interpreter));
}

#[test]
fn background_set_up_ends_with_the_match() {
    // The thread holds the rules while it grounds them or builds a network.
    let start = start_without_engine("breakthrough_6x6", EngineOptions::default());
    let held = || Arc::strong_count(&start.game.rules);
    let before = held();
    for ends in [0, 1, 2] {
        let (mut player, _) = witness(true);
        player.start(&start, Deadline::after(Duration::ZERO)).expect("the player starts");
        match ends {
            0 => player.abort(),
            1 => player.stop(&LastTurn::FIRST, Deadline::after(Duration::ZERO)).expect("the player stops"),
            _ => drop(player),
        }
        let given_up = Instant::now();
        while held() > before {
            assert!(given_up.elapsed() < Duration::from_secs(60), "the thread goes on");
            thread::sleep(Duration::from_millis(10));
        }
    }
}

#[test]
fn plan_search_in_slices_does_the_same_work() {
    for puzzle in ["eight_puzzle", "hanoi", "three_puzzle"] {
        let start = start(puzzle, 0, 1.0);
        let mut engine = start.game.fork_engine();
        let state = engine.initial_state().expect("there is an initial state");
        let mut whole = Exploration::new(&engine, &state, 1).expect("a search");
        let whole = whole.search(&mut engine, &Budget::new()).expect("a search");
        let mut exploration = Exploration::new(&engine, &state, 1).expect("a search");
        let (mut nodes, mut slices) = (0, 0);
        let plan = loop {
            let outcome = exploration.search(&mut engine, &Budget::new().with_nodes(7)).expect("a search");
            (nodes, slices) = (nodes + outcome.cost.nodes, slices + 1);
            if outcome.stopped.is_none() {
                break outcome.answer;
            }
        };
        assert!(slices > 1, "{puzzle}");
        assert_eq!((plan, nodes), (whole.answer, whole.cost.nodes), "{puzzle}");
    }
}

#[test]
fn plan_search_kept_over_moves_finds_the_same_plan() {
    let mut random = Chance::new(9);
    for (puzzle, nodes) in [("eight_puzzle", 40), ("hanoi", 10), ("three_puzzle", 4), ("buttons_and_lights", 5)] {
        let start = start(puzzle, 0, 1.0);
        let mut engine = start.game.fork_engine();
        for seed in 0..5 {
            let mut state = engine.initial_state().expect("there is an initial state");
            let mut exploration = Exploration::new(&engine, &state, seed).expect("a search");
            for turn in 0..4 {
                exploration.search(&mut engine, &Budget::new().with_nodes(nodes)).expect("a search");
                let mut legal = Vec::new();
                engine.legal_moves(&state, start.role, &mut legal).expect("a reasoner answers");
                // Alternately the move that keeps most of the search, and a random move.
                let any = legal[random.below(legal.len())];
                let chosen = exploration.widest().filter(|_| turn % 2 == 0).unwrap_or(any);
                let next = engine.next_state(&state, &[chosen]).expect("the move is legal");
                if engine.is_terminal(&next).expect("a reasoner answers") {
                    break;
                }
                state = next;
                exploration.advance(&engine, chosen, &state);
            }
            let found = exploration.search(&mut engine, &Budget::new()).expect("a search").answer;
            let best = search::breadth_first(&mut engine, &search::Problem::new(&state), &Budget::new(), ());
            let best = best.expect("a search").answer;
            assert_eq!(found.as_ref().map(|plan| plan.utility), best.map(|plan| plan.utility), "{puzzle}, seed {seed}");
            for chosen in found.iter().flat_map(|plan| &plan.moves) {
                state = engine.next_state(&state, &[*chosen]).expect("the move is legal");
            }
            let reached = engine.goal(&state, start.role).ok();
            assert_eq!(reached.filter(|_| found.is_some()), found.map(|plan| plan.utility), "{puzzle}, seed {seed}");
        }
    }
}

#[test]
fn plan_search_visits_every_state_if_it_is_exhaustive() {
    for puzzle in ["three_puzzle", "hanoi", "buttons_and_lights", "lights_out"] {
        let start = start(puzzle, 0, 1.0);
        let mut engine = start.game.fork_engine();
        let state = engine.initial_state().expect("there is an initial state");
        let mut exploration = Exploration::new(&engine, &state, 1).expect("a search");
        let found = exploration.search(&mut engine, &Budget::new()).expect("a search").answer.expect("a plan");
        let best = search::breadth_first(&mut engine, &search::Problem::new(&state), &Budget::new(), ());
        let best = best.expect("a search").answer.expect("a plan");
        assert_eq!((found.utility, found.moves.len()), (best.utility, best.moves.len()), "{puzzle}");
        let mut state = state;
        for chosen in found.moves {
            state = engine.next_state(&state, &[chosen]).expect("the move is legal");
        }
        assert_eq!(engine.goal(&state, Role::new(0)), Ok(best.utility), "{puzzle}");
    }
}

#[test]
fn planners_solve_the_puzzles_of_the_library() {
    let puzzles: &[(&str, i32)] = if is_brief() {
        &[("three_puzzle", 100), ("hanoi", 100), ("buttons_and_lights", 100)]
    } else {
        &[
            ("three_puzzle", 100),
            ("eight_puzzle", 100),
            ("hanoi", 100),
            ("lights_out", 100),
            ("blocksworld_tiles", 100),
            ("buttons_and_lights", 100),
        ]
    };
    for &(puzzle, best) in puzzles {
        let start = start(puzzle, 0, 20.0);
        let (_, utility) = play_alone(&start, "planner", 1000);
        assert_eq!(utility, Some(best), "{puzzle}");
    }
}

#[test]
fn planners_solve_public_puzzles() {
    let mut puzzles = vec![("blocksWorld", 100), ("buttons", 100), ("maze", 100)];
    if !is_brief() {
        // No plan for the pancakes is worth more.
        puzzles.extend([("hanoi", 100), ("pancakes6", 90), ("eightPuzzle", 100), ("knightmove", 100)]);
    }
    // Without a corpus the test is skipped, which has been said by then.
    for (puzzle, best) in puzzles {
        let Some(sheet) = sheet_named(puzzle) else { return };
        let start = start(&sheet.display().to_string(), 0, 30.0);
        let (_, utility) = play_alone(&start, "planner", 1000);
        assert_eq!(utility, Some(best), "{puzzle}");
    }
}

#[test]
fn a_planner_replans_if_the_state_is_not_as_expected() {
    // The player's first move is ignored: another one is made in its place, as a server does after a fault.
    let start = start("three_puzzle", 0, 5.0);
    let mut engine = start.game.fork_engine();
    let mut state = engine.initial_state().expect("there is an initial state");
    let mut player = "planner".parse::<PlayerSpec>().expect("a player").make(1);
    let deadline = || Deadline::after(Duration::from_secs(5));
    player.start(&start, deadline()).expect("the player starts");
    let mut last = LastTurn::FIRST;
    for turn in 0..50 {
        if engine.is_terminal(&state).expect("a reasoner answers") {
            break;
        }
        let mut answer = player.play(&last, deadline()).expect("the player moves");
        let mut legal = Vec::new();
        engine.legal_moves(&state, start.role, &mut legal).expect("a reasoner answers");
        if turn == 0 {
            let other = legal.iter().map(|&chosen| engine.move_term(chosen)).find(|term| *term != answer);
            answer = other.expect("there is another move");
        }
        let chosen = engine.find_move(&answer).expect("a move");
        assert!(legal.contains(&chosen), "{answer} is not legal");
        state = engine.next_state(&state, &[chosen]).expect("a next state");
        last = LastTurn::JointMove(Some(vec![answer]));
    }
    assert_eq!(engine.goal(&state, start.role).map(|utility| utility.floor()), Ok(100));
}

/// None of these searches comes to an end in its time, so a player that answers has stopped it. On a busy machine a
/// player that was late keeps a distance from its deadline, so it is asked again with a longer clock.
#[test]
fn players_use_their_clocks_and_stop() {
    for spec in ["mcts", "montecarlo", "deepening", "alphabeta", "minimax", "expectimax"] {
        let uses_its_time = |seconds: f64| {
            let start = start("connect_four", 0, seconds);
            let mut player = spec.parse::<PlayerSpec>().expect("a player").make(1);
            player.start(&start, Deadline::after(start.clocks.start)).expect("the player starts");
            let asked = Instant::now();
            player.play(&LastTurn::FIRST, Deadline::after(start.clocks.play)).expect("a move");
            asked.elapsed() > start.clocks.play.mul_f64(0.4)
        };
        assert!([0.25, 1.0, 4.0, 16.0].into_iter().any(uses_its_time), "{spec} does not use its time");
    }
}

#[test]
fn players_stop_before_their_deadline() {
    let milliseconds = Duration::from_millis;
    let left = |clock: u64| {
        let deadline = Deadline::after(milliseconds(clock));
        deadline.at() - Margin::new().stop_before(deadline).at()
    };
    assert_eq!([left(0), left(60_000)], [0, 500].map(milliseconds));
    assert!(left(30) <= milliseconds(5), "a short time is not given away");
    assert!((milliseconds(5)..=milliseconds(100)).contains(&left(1_000)), "a tenth of what is left");
    // A delay of the past is counted twice.
    let mut margin = Margin::new();
    margin.think(Deadline::after(milliseconds(1)), |stop| while stop.at() + milliseconds(20) > Instant::now() {});
    assert!(margin.delay() >= milliseconds(20));
    let deadline = Deadline::after(Duration::from_secs(600));
    assert_eq!(deadline.at() - margin.stop_before(deadline).at(), milliseconds(500) + 2 * margin.delay());
    // However long it was, half of a shorter clock is left to think.
    let deadline = Deadline::after(milliseconds(30));
    assert!(deadline.at() - margin.stop_before(deadline).at() <= milliseconds(15), "no time to think is left");
}

#[test]
fn a_series_has_the_same_results_with_any_number_of_jobs() {
    let start = start("tic_tac_toe", 0, 5.0);
    let players: Vec<PlayerSpec> =
        ["growing:visits=60,playouts=single", "random"].iter().map(|spec| spec.parse().expect("a player")).collect();
    let series = Series {
        game: start.game.clone(),
        players,
        games: 0..12,
        clocks: start.clocks,
        seed: 3,
        swap: true,
        jobs: 1,
        interrupt: Arc::default(),
    };
    let play = |series: &Series| {
        let mut moves = Vec::new();
        let (tally, error) = series.play(&|spec, seed| spec.make(seed), |record, _| moves.push(record.moves.clone()));
        assert!(error.is_none());
        (tally, moves)
    };
    let (tally, moves) = play(&series);
    let Tally { games, aborted, standings } = &tally;
    assert_eq!((*games, *aborted, standings.len(), moves.len()), (12, 0, 2, 12));
    assert_eq!(standings[0].wins, standings[1].losses);
    assert!(standings[0].wins >= 9, "{standings:?}");
    let (again, same_moves) = play(&Series { jobs: 3, ..series });
    assert_eq!((again, same_moves), (tally, moves));
}

#[test]
fn scores_have_the_confidence_intervals_of_textbooks() {
    let names = ["first".to_string(), "second".to_string()];
    let mut tally = Tally::new(&names);
    assert_eq!((tally.elo(), tally.standings[0].score()), (None, None));
    for game in 0..100 {
        let first = if game < 60 { 100 } else { 0 };
        tally.add(&[first, 100 - first].map(|utility| Some(Utility::whole(utility))), &[0, 1]);
    }
    let score = tally.standings[0].score().expect("there are matches");
    // Wilson's interval for 60 of 100: 0.502 to 0.691.
    assert!(
        (score.value - 0.6).abs() < 1e-9 && (score.low - 0.5020).abs() < 1e-3 && (score.high - 0.6906).abs() < 1e-3
    );
    let elo = tally.elo().expect("two players");
    assert!((elo.value - 70.4).abs() < 0.1, "{elo:?}");
    let mean = tally.standings[0].mean().expect("there are matches");
    assert!((mean.value - 60.0).abs() < 1e-9 && (mean.high - 69.65).abs() < 0.02, "{mean:?}");
    assert_eq!(tally.standings[1].faults, 100);
    // An interval ends at 0 and 100, unless there were utilities beyond them.
    let interval = |utilities: [i32; 2]| {
        let mut tally = Tally::new(&names[..1]);
        utilities.iter().for_each(|&utility| tally.add(&[Some(Utility::whole(utility))], &[0]));
        tally.standings[0].mean().expect("there are matches")
    };
    assert_eq!(interval([90, 100]).high, 100.0);
    let scores = interval([520, 530]);
    assert!((scores.high + scores.low - 2.0 * 525.0).abs() < 1e-9 && scores.high > 530.0, "{scores:?}");
    let mut all = Tally::new(&names);
    all.add(&[Some(Utility::MAX), Some(Utility::MIN)], &[0, 0]);
    assert_eq!(all.elo().map(|elo| elo.value), Some(f64::INFINITY));
}

/// Assumptions about a ghost, against its behaviour: the table of the lectures, with fewer matches.
#[test]
fn minimax_is_safe_and_expectimax_is_bold() {
    let start = start("pacman_small", 0, 30.0);
    let games = effort(3, 40);
    let mean = |players: [&str; 2]| {
        let players = players.iter().map(|spec| spec.parse().expect("a player")).collect();
        let (game, clocks) = (start.game.clone(), start.clocks);
        let series =
            Series { game, players, games: 0..games, clocks, seed: 1, swap: false, jobs: 2, interrupt: Arc::default() };
        let (tally, error) = series.play(&|spec, seed| spec.make(seed), |_, _| {});
        assert!(error.is_none() && tally.standings[0].faults == 0);
        tally.standings[0].mean().expect("there are matches").value
    };
    assert_eq!(mean(["minimax:table", "minimax:table"]), 30.0);
    assert_eq!(mean(["expectimax:table", "minimax:table"]), 0.0);
    if !is_brief() {
        let (safe, bold) = (mean(["minimax:table", "random"]), mean(["expectimax:table", "random"]));
        assert!((30.0..60.0).contains(&safe) && bold > 70.0, "{safe} and {bold}");
    }
}
