//! Games that the caller steps: every game agrees with the one-state evaluator, ply by ply, on every back end that this
//! machine runs; and what a caller can do wrong.

use crate::effort::effort;
use crate::lanes::{UNGROUNDED, one_state};
use crate::support;
use ggp::engine::{EngineKind, load, load_text};
use ggp::game::{Move, Reasoner, Role, Utility};
use ggp::limits::Limits;
use ggp::rules::GroundTerm;
use ggp::syntax::Source;
use ggp_engine::lanes::{AfterEnd, BackEnds, LegalLists, StepError, SteppedGames, Target};
use ggp_engine::program::NetworkState;
use ggp_engine::propnet::Propnet;
use std::path::{Path, PathBuf};

/// The network of a library game.
fn network(name: &str) -> Propnet {
    let game = load(name, Path::new(""), EngineKind::Interpreter).expect("a sheet of the library");
    one_state(&game.rules).expect("a small game")
}

/// The one-state evaluator that follows a game.
struct Follower<'a> {
    propnet: &'a mut Propnet,
    state: NetworkState,
}

impl Follower<'_> {
    /// Asserts that a game of the batch is in the same state, with the same answers.
    fn agree(&mut self, games: &SteppedGames, game: usize, name: &str) {
        let Self { propnet, state } = self;
        assert_eq!(games.state(game), *state, "{name}: game {game}");
        let is_over = propnet.is_terminal(state).expect("it can be asked");
        assert_eq!(games.is_over(game), is_over, "{name}: game {game}");
        for role in (0..propnet.roles().len()).map(Role::new) {
            let mut legal = Vec::new();
            propnet.legal_moves(state, role, &mut legal).expect("it can be asked");
            let legal: Vec<String> = legal.iter().map(|&chosen| propnet.move_term(chosen).to_string()).collect();
            let own = propnet.program().moves_of(role);
            let row = games.legal(game, role);
            let held = (0..games.moves(role)).filter(|number| row[number / 64] >> (number % 64) & 1 == 1);
            let held: Vec<String> =
                held.map(|number| propnet.program().moves[own.start + number].term.to_string()).collect();
            assert_eq!(held, legal, "{name}: game {game}, {role:?}");
            let utility = propnet.goal(state, role).ok().filter(|_| is_over);
            assert_eq!(games.utilities(game)[role.index()], utility, "{name}: game {game}, {role:?}");
        }
        let mut rows = vec![0; games.len() * games.words_of_facts()];
        games.write_facts(&mut rows);
        let row = &rows[game * games.words_of_facts()..][..games.words_of_facts()];
        assert_eq!(row.iter().map(|word| word.count_ones() as usize).sum::<usize>(), propnet.facts(state).len());
        for (fact, (term, _)) in propnet.program().facts.iter().enumerate() {
            assert_eq!(row[fact / 64] >> (fact % 64) & 1 == 1, propnet.facts(state).contains(term), "{name}: {term}");
            let word = games.holding(fact).nth(game / 64).expect("a word for every 64 games");
            let holds = propnet.facts(state).contains(term);
            assert_eq!(word >> (game % 64) & 1 == 1, holds, "{name}: game {game}, {term}");
        }
    }

    /// Makes the moves of a game with these numbers.
    fn follow(&mut self, moves: &[u32]) {
        let Self { propnet, state } = self;
        let mut joint: Vec<Move> = Vec::new();
        for (role, &number) in moves.iter().enumerate() {
            let index = propnet.program().moves_of(Role::new(role)).start + number as usize;
            let term = propnet.program().moves[index].term.clone();
            joint.push(propnet.find_move(&term).expect("a move of the game"));
        }
        *state = propnet.next_state(state, &joint).expect("it can be made");
    }
}

/// Steps 700 games, which are a batch and a part of one, and follows every 50th of them, until the plies are over or
/// one of the games has no legal move and is not over, which the rules of some sheets allow. Returns the number of
/// plies.
fn steps_alike(name: &str, propnet: &mut Propnet, target: Target, after_end: AfterEnd, plies: usize) -> usize {
    const GAMES: usize = 700;
    let initial = propnet.initial_state().expect("there is one");
    let mut games = SteppedGames::on(propnet.program(), GAMES, target).expect("an available target");
    games.seed(7);
    let roles = games.roles();
    let mut moves = vec![0; GAMES * roles];
    let followed: Vec<usize> = (0..GAMES).step_by(50).chain([GAMES - 1]).collect();
    let mut states = vec![initial.clone(); followed.len()];
    for ply in 0..plies {
        games.choose(&mut moves);
        let before: Vec<bool> = followed.iter().map(|&game| games.is_over(game)).collect();
        if let Err(error) = games.step(&moves, after_end) {
            let is_stuck = matches!(error, StepError::NoMove { .. });
            assert!(is_stuck, "{name}: {error}");
            return ply;
        }
        for ((&game, state), was_over) in followed.iter().zip(&mut states).zip(before) {
            let mut follower = Follower { propnet: &mut *propnet, state: state.clone() };
            match (was_over, after_end) {
                (false, _) => follower.follow(&moves[game * roles..][..roles]),
                (true, AfterEnd::Stay) => {}
                (true, AfterEnd::Restart) => follower.state = initial.clone(),
            }
            follower.agree(&games, game, name);
            *state = follower.state;
        }
    }
    plies
}

/// The back ends that this machine runs.
fn targets() -> impl Iterator<Item = Target> {
    Target::ALL.into_iter().filter(|target| target.is_available())
}

#[test]
fn stepped_games_of_the_library_follow_the_one_state_evaluator() {
    for sheet in ggp::engine::LIBRARY {
        let mut propnet = network(sheet.name);
        for (target, after_end) in targets().zip([AfterEnd::Stay, AfterEnd::Restart].into_iter().cycle()) {
            let plies = effort(8, 40);
            assert_eq!(steps_alike(sheet.name, &mut propnet, target, after_end, plies), plies, "{}", sheet.name);
        }
    }
}

#[test]
fn stepped_games_of_the_corpus_follow_the_one_state_evaluator() {
    if support::corpus().is_none() {
        return;
    }
    let (mut compared, mut stepped) = (0, 0);
    let (every, largest, plies) = effort((36, 6_000, 4), (12, 20_000, 20));
    let size = |sheet: &PathBuf| std::fs::metadata(sheet).map_or(0, |data| data.len());
    let is_known =
        |sheet: &PathBuf| UNGROUNDED.iter().any(|known| sheet.file_stem().is_some_and(|name| name == *known));
    let sheets = support::sheets().into_iter().step_by(every);
    for (number, sheet) in sheets.filter(|sheet| size(sheet) <= largest && !is_known(sheet)).enumerate() {
        let name = sheet.display().to_string();
        let Ok(game) = load(&name, Path::new(""), EngineKind::Interpreter) else { continue };
        let Some(mut propnet) = one_state(&game.rules) else { continue };
        let after_end = [AfterEnd::Stay, AfterEnd::Restart][number % 2];
        for target in targets() {
            stepped += steps_alike(&name, &mut propnet, target, after_end, plies);
        }
        compared += 1;
    }
    assert!(compared >= 5 && stepped >= compared * plies / 2, "{stepped} plies of {compared} sheets");
}

#[test]
fn games_that_are_over_stay_or_restart() {
    let propnet = network("tic_tac_toe");
    let mut games = SteppedGames::new(propnet.program(), 100, &BackEnds::default(), &Limits::none()).unwrap();
    let mut moves = vec![0; 200];
    for _ in 0..9 {
        games.choose(&mut moves);
        games.step(&moves, AfterEnd::Stay).expect("the moves are legal");
    }
    assert!((0..100).all(|game| games.is_over(game)));
    assert_eq!(games.over()[1], (1 << 36) - 1, "bits beyond the last game are not set");
    let last: Vec<NetworkState> = (0..100).map(|game| games.state(game)).collect();
    // Moves of games that are over are not read.
    games.step(&[u32::MAX; 200], AfterEnd::Stay).expect("no game is played");
    assert!((0..100).all(|game| games.state(game) == last[game]));
    games.restart_some(&[0b101]);
    let over: Vec<usize> = (0..100).filter(|&game| !games.is_over(game)).collect();
    assert_eq!(over, [0, 2]);
    assert_eq!(games.utilities(0), [None, None]);
    games.step(&[&[0, 9, 7, 7, 8, 9][..], &[u32::MAX; 194]].concat(), AfterEnd::Restart).expect("they are legal");
    assert!((0..100).all(|game| !games.is_over(game)));
    let fresh = games.fork(1).state(0);
    assert_ne!(games.state(0), fresh);
    assert_eq!(games.state(1), fresh);
}

#[test]
fn games_that_the_caller_ends_stay_until_they_begin_again() {
    let propnet = network("tic_tac_toe");
    let mut games = SteppedGames::new(propnet.program(), 70, &BackEnds::default(), &Limits::none()).unwrap();
    let mut moves = vec![0; 140];
    games.choose(&mut moves);
    games.step(&moves, AfterEnd::Stay).expect("the moves are legal");
    let state = games.state(69);
    games.end_some(&[0b10, u64::MAX]);
    let over: Vec<usize> = (0..70).filter(|&game| games.is_over(game)).collect();
    assert_eq!(over, [1, 64, 65, 66, 67, 68, 69]);
    assert_eq!(games.over()[1], 0b11_1111, "bits beyond the last game are not set");
    games.choose(&mut moves);
    games.step(&moves, AfterEnd::Stay).expect("the moves are legal");
    assert_eq!(games.state(69), state, "games that are over do not move");
    assert_eq!(games.utilities(69), [None, None]);
    games.restart_some(&[0b1]);
    assert!(games.is_over(1) && games.is_over(64), "other games begin again");
    games.restart_some(&[0b10]);
    assert!(!games.is_over(1));
    games.choose(&mut moves);
    games.step(&moves, AfterEnd::Restart).expect("the moves are legal");
    assert!((0..70).all(|game| !games.is_over(game)));
    assert_eq!(games.state(69), games.fork(1).state(0));
}

#[test]
fn a_move_that_is_not_legal_changes_no_game() {
    let propnet = network("tic_tac_toe");
    let mut games = SteppedGames::new(propnet.program(), 600, &BackEnds::default(), &Limits::none()).unwrap();
    let mut moves = vec![0; 1200];
    games.choose(&mut moves);
    let (before, o) = (games.state(0), Role::new(1));
    for wrong in [0, 10, u32::MAX] {
        let mut moves = moves.clone();
        moves[2 * 599 + 1] = wrong;
        let error = games.step(&moves, AfterEnd::Stay).expect_err("a move is not legal");
        assert_eq!(error, StepError::NotLegal { game: 599, role: o, chosen: wrong });
    }
    let error = games.step(&moves[1..], AfterEnd::Stay).expect_err("a move is missing");
    assert_eq!(error.to_string(), "1199 moves for 600 games of 2 roles: there must be 1200");
    assert_eq!(games.steps(), 0);
    assert!((0..600).all(|game| games.state(game) == before));
}

#[test]
fn stepped_games_go_on_from_states_that_were_set() {
    let mut propnet = network("connect_four");
    let mut games = SteppedGames::new(propnet.program(), 3, &BackEnds::default(), &Limits::none()).unwrap();
    let mut moves = vec![0; 6];
    games.choose(&mut moves);
    games.step(&moves, AfterEnd::Stay).expect("the moves are legal");
    let state = games.state(2);
    games.set(0, &state);
    Follower { propnet: &mut propnet, state }.agree(&games, 0, "connect_four");
}

#[test]
fn a_game_that_is_set_forgets_its_utility() {
    const SHEET: &str = "role(p) init(at(0)) succ(0,1) succ(1,2)
        legal(p,go) next(at(Y)) :- true(at(X)) & succ(X,Y)
        terminal :- true(at(1)) terminal :- true(at(2)) goal(p,70) :- true(at(1))";
    let game = load_text("ends".to_string(), Source::new("ends.hrf", SHEET), None, EngineKind::Interpreter);
    let mut propnet = one_state(&game.expect("it can be loaded").rules).expect("a small game");
    let mut state = |fact: &str| {
        let fact: GroundTerm = fact.parse().expect("a fact");
        propnet.state_from_facts(&[fact]).expect("a state of the game")
    };
    let (valued, other) = (state("at(1)"), state("at(2)"));
    let mut games = SteppedGames::new(propnet.program(), 2, &BackEnds::default(), &Limits::none()).unwrap();
    games.set(0, &valued);
    assert_eq!(games.utilities(0), [Some(Utility::whole(70))]);
    games.set(0, &other);
    assert!(games.is_over(0));
    assert_eq!(games.utilities(0), [None]);
}

/// Asserts that the list of the legal moves of these roles has what their rows have.
fn lists_the_rows(games: &SteppedGames, roles: &[Role], name: &str) {
    let pairs = games.len() * roles.len();
    let total = games.count_legal(roles);
    // What was in the arrays does not matter.
    let (mut starts, mut counts, mut moves) = (vec![-1; pairs], vec![-1; pairs], vec![-1; total + LegalLists::MARGIN]);
    games.list_legal(roles, LegalLists { starts: &mut starts, counts: &mut counts, moves: &mut moves });
    let mut listed = 0;
    for (pair, (&start, &count)) in starts.iter().zip(&counts).enumerate() {
        let (game, role) = (pair / roles.len(), roles[pair % roles.len()]);
        let row = games.legal(game, role);
        let held = (0..games.moves(role)).filter(|number| row[number / 64] >> (number % 64) & 1 == 1);
        let own = &moves[listed..][..count as usize];
        assert!(held.eq(own.iter().map(|&number| number as usize)), "{name}: game {game}, {role:?}: {own:?}");
        assert_eq!(start as usize, listed, "{name}: game {game}, {role:?}");
        listed += own.len();
    }
    assert_eq!((listed, moves[listed]), (total, 0), "{name}");
}

#[test]
fn the_lists_of_legal_moves_have_what_the_rows_have() {
    let mut most = 0;
    for sheet in ggp::engine::LIBRARY {
        let propnet = network(sheet.name);
        for target in targets() {
            let mut games = SteppedGames::on(propnet.program(), 90, target).expect("an available target");
            let roles: Vec<Role> = (0..games.roles()).map(Role::new).collect();
            most = roles.iter().map(|&role| games.moves(role)).fold(most, usize::max);
            let mut joint_moves = vec![0; 90 * roles.len()];
            for _ in 0..4 {
                lists_the_rows(&games, &roles, sheet.name);
                lists_the_rows(&games, &roles[roles.len() - 1..], sheet.name);
                games.choose(&mut joint_moves);
                if games.step(&joint_moves, AfterEnd::Restart).is_err() {
                    break;
                }
            }
        }
    }
    assert!(most > 64, "some role has moves in several words: {most}");
}

#[test]
#[should_panic(expected = "room for all legal moves")]
fn a_list_without_room_is_refused() {
    let games = SteppedGames::new(network("tic_tac_toe").program(), 3, &BackEnds::default(), &Limits::none()).unwrap();
    let (mut starts, mut counts, mut moves) = ([0; 3], [0; 3], vec![0; 27 + LegalLists::MARGIN - 1]);
    let lists = LegalLists { starts: &mut starts, counts: &mut counts, moves: &mut moves };
    games.list_legal(&[Role::new(0)], lists);
}

#[test]
fn each_legal_move_is_chosen_equally_often() {
    let propnet = network("tic_tac_toe");
    let mut games = SteppedGames::new(propnet.program(), 90_000, &BackEnds::default(), &Limits::none()).unwrap();
    let mut moves = vec![0; 180_000];
    games.choose(&mut moves);
    let mut counts = vec![0_u32; games.moves(Role::new(0))];
    moves.chunks(2).for_each(|moves| counts[moves[0] as usize] += 1);
    counts.retain(|&count| count > 0);
    assert_eq!(counts.len(), 9);
    let chi_square: f64 = counts.iter().map(|&count| (f64::from(count) - 1e4).powi(2) / 1e4).sum();
    // The 99.99th percentile for eight degrees of freedom.
    assert!(chi_square < 31.8, "{counts:?}");
}

#[test]
fn moves_are_chosen_by_their_index_and_drawn_as_the_generator_says() {
    for name in ["connect_four", "breakthrough_6x6"] {
        let propnet = network(name);
        for target in targets() {
            let mut games = SteppedGames::on(propnet.program(), 700, target).expect("an available target");
            games.seed(3);
            let mut moves = vec![0; 700 * games.roles()];
            games.choose(&mut moves);
            games.step(&moves, AfterEnd::Stay).expect("legal moves");
            for role in (0..games.roles()).map(Role::new) {
                for wanted in [0, 5] {
                    games.choose_by(
                        role,
                        |_, count| (count - 1).min(wanted),
                        |game, chosen| {
                            let row = games.legal(game, role);
                            let legal: Vec<usize> = (0..games.moves(role))
                                .filter(|number| row[number / 64] >> (number % 64) & 1 == 1)
                                .collect();
                            assert_eq!(chosen as usize, legal[legal.len().min(wanted as usize + 1) - 1], "{name}");
                        },
                    );
                }
            }
            // A generator that is set goes on as the one that it was taken from.
            let kept = games.random().clone();
            let mut again = vec![0; moves.len()];
            games.choose(&mut moves);
            games.set_random(kept);
            games.choose(&mut again);
            assert_eq!(moves, again, "{name}");
        }
    }
}

#[test]
fn all_states_are_set_at_once_and_sets_of_facts_are_written() {
    let propnet = network("connect_four_4x4");
    let mut games = SteppedGames::new(propnet.program(), 600, &BackEnds::default(), &Limits::none()).unwrap();
    let mut moves = vec![0; 600 * games.roles()];
    for _ in 0..5 {
        games.choose(&mut moves);
        games.step(&moves, AfterEnd::Stay).expect("legal moves");
    }
    let states: Vec<NetworkState> = (0..600).map(|game| games.state(game)).collect();
    let mut other = games.fork(600);
    other.set_all(&states);
    assert!((0..600).all(|game| other.state(game) == states[game] && other.is_over(game) == games.is_over(game)));
    assert!(games.bytes_of(600).is_some_and(|bytes| bytes > 600) && games.bytes_of(usize::MAX).is_none());
    let facts = propnet.program().facts.len();
    let sets = [vec![0], vec![], (0..facts).collect(), vec![facts - 1, 1]];
    let (mut rows, mut words) = (vec![0; 600 * games.words_of_facts()], vec![0; 600]);
    games.write_facts(&mut rows);
    games.write_sets(&sets, &mut words);
    for (row, word) in rows.chunks(games.words_of_facts()).zip(words) {
        let holds = |&fact: &usize| row[fact / 64] >> (fact % 64) & 1 == 1;
        let wanted: u64 = sets.iter().enumerate().map(|(set, facts)| u64::from(facts.iter().any(holds)) << set).sum();
        assert_eq!(word, wanted);
    }
}
