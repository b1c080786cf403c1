//! The speed of lanes, compared with simulators written by hand that play one game at a time, and with the one-state
//! evaluators of the network.
//!
//!     cargo bench -p ggp-benches --bench lanes                # against bitboards: tic-tac-toe, connect four, breakthrough
//!     cargo bench -p ggp-benches --bench lanes -- corpus      # against the one-state evaluator: games of the corpus that ground
//!     cargo bench -p ggp-benches --bench lanes -- steps       # 4,096 games stepped with moves chosen from the masks by the caller
//!     cargo bench -p ggp-benches --bench lanes -- percepts    # with and without percepts, and percepts of single states
//!
//! Both sides are measured in alternation in one run, on one thread, by CPU time; the medians are printed. The
//! simulators must agree with the rule sheets on how often each role wins and how long a game is, or the benchmark
//! panics. Breakthrough 8x8 and the second part come from the corpus (`GGP_CORPUS`), and are skipped if it is absent.

mod scalar {
    pub(crate) mod breakthrough;
    pub(crate) mod connect_four;
    pub(crate) mod random;
    pub(crate) mod tic_tac_toe;
}

#[path = "../tests/support/hidden_sheets.rs"]
mod hidden_sheets;

use ggp::engine::bench::BenchGames;
use ggp::engine::{Engine, EngineOptions, load};
use ggp::game::{Chance, JointMoves, Move, PerceptReasoner, Reasoner, Role, Utility};
use ggp::limits::Limits;
use ggp_engine::lanes::{AfterEnd, BackEnds, Lanes, Outcomes, Request, SteppedGames};
use ggp_engine::propnet::Propnet;
use hidden_sheets::hidden_sheets;
use scalar::random::{Random, Tally};
use std::path::{Path, PathBuf};
use std::time::{Duration, Instant};

/// The number of measurements of each side.
const ROUNDS: usize = 7;
/// The time of each measurement.
const SLICE: Duration = Duration::from_millis(200);
/// The time of each measurement of a corpus game: many plies even of those with the most gates.
const CORPUS_SLICE: Duration = Duration::from_millis(400);
/// Longer sheets of the corpus, in bytes, are skipped, since many of them take long to set up.
const LONGEST_SHEET: u64 = 12_000;
/// The maximum difference between simulator and rule sheet, in standard errors.
const ERRORS: f64 = 5.0;

fn main() {
    match std::env::args().find(|argument| ["corpus", "steps", "percepts"].contains(&argument.as_str())).as_deref() {
        Some("corpus") => against_one_state(),
        Some("percepts") => percepts(),
        Some(_) => steps(),
        None => against_scalar(),
    }
}

/// The CPU time of this process or, if the system does not provide it, the elapsed time.
fn clock() -> Duration {
    #[cfg(unix)]
    if let Ok(now) = nix::time::clock_gettime(nix::time::ClockId::CLOCK_PROCESS_CPUTIME_ID) {
        return now.into();
    }
    static START: std::sync::OnceLock<Instant> = std::sync::OnceLock::new();
    START.get_or_init(Instant::now).elapsed()
}

fn median(mut numbers: Vec<f64>) -> f64 {
    numbers.sort_by(f64::total_cmp);
    numbers[numbers.len() / 2]
}

fn corpus() -> PathBuf {
    std::env::var_os("GGP_CORPUS").map_or_else(|| PathBuf::from("../../shared/corpus"), PathBuf::from).join("kif")
}

/// The network of a game; `None` if there is no file, it has errors, or it cannot be grounded.
fn network(name: &str) -> Option<Propnet> {
    let mut game = load(name, Path::new(""), EngineOptions::default()).ok()?;
    match game.engine().ok()? {
        Engine::Propnet(propnet) => Some((**propnet).clone()),
        Engine::Interpreter(_) => None,
    }
}

/// A simulator, which plays a number of games.
type Simulator = fn(u64, &mut Random) -> Tally;

fn against_scalar() {
    let breakthrough = corpus().join("breakthrough.kif").display().to_string();
    let games: [(&str, Simulator); 3] = [
        ("tic_tac_toe", scalar::tic_tac_toe::play),
        ("connect_four", scalar::connect_four::play),
        (&breakthrough, scalar::breakthrough::play),
    ];
    println!("{:<16}{:>16}{:>16}{:>8}", "playouts/s", "lanes", "scalar", "ratio");
    for (name, simulator) in games {
        let Some(mut propnet) = network(name) else {
            eprintln!("skipped: no {name}");
            continue;
        };
        let mut lanes = Lanes::new(propnet.program(), &BackEnds::default(), None, &Limits::none()).unwrap();
        let start = propnet.initial_state().expect("the game begins");
        agree(name, &lanes.playouts(&start, &Request::playouts(200_000)), &scalar::random::run(simulator, 200_000, 1));
        let (mut ours, mut theirs) = (Vec::new(), Vec::new());
        for round in 0..ROUNDS as u64 {
            let began = clock();
            let outcomes = lanes.playouts(&start, &Request::until(Instant::now() + SLICE).with_seed(round));
            ours.push(outcomes.playouts as f64 / (clock() - began).as_secs_f64());
            let (began, until, mut games) = (clock(), Instant::now() + SLICE, 0);
            while Instant::now() < until {
                games += scalar::random::run(simulator, 10_000, round << 32 | games).games;
            }
            theirs.push(games as f64 / (clock() - began).as_secs_f64());
        }
        let (ours, theirs) = (median(ours), median(theirs));
        let name = Path::new(name).file_stem().unwrap_or_default().display().to_string();
        println!("{name:<16}{ours:>16.0}{theirs:>16.0}{:>8.2}", ours / theirs);
    }
}

/// Panics if a simulator does not play the game of the rule sheet.
fn agree(name: &str, lanes: &Outcomes, scalar: &Tally) {
    let share = |wins: u64, games: u64| wins as f64 / games as f64;
    for (role, &wins) in scalar.wins.iter().enumerate() {
        let theirs = share(wins, scalar.games);
        let ours = share(lanes.roles[role].utilities.get(&Utility::whole(100)).copied().unwrap_or(0), lanes.playouts);
        let error = (ours * (1.0 - ours) * (1.0 / lanes.playouts as f64 + 1.0 / scalar.games as f64)).sqrt();
        assert!((ours - theirs).abs() < ERRORS * error, "{name}: role {role} wins {theirs}, by the rule sheet {ours}");
    }
    let (ours, theirs) = (lanes.mean_length().unwrap_or(0.0), scalar.plies as f64 / scalar.games as f64);
    let games = lanes.playouts as f64;
    let squares = lanes.lengths.iter().map(|(&plies, &count)| (f64::from(plies) - ours).powi(2) * count as f64);
    let error = (squares.sum::<f64>() / games * (1.0 / games + 1.0 / scalar.games as f64)).sqrt();
    assert!((ours - theirs).abs() < ERRORS * error, "{name}: {theirs} plies, by the rule sheet {ours}");
}

fn against_one_state() {
    let Ok(entries) = std::fs::read_dir(corpus()) else {
        eprintln!("skipped: no corpus at {}", corpus().display());
        return;
    };
    let mut sheets: Vec<PathBuf> = entries.filter_map(|entry| Some(entry.ok()?.path())).collect();
    sheets.retain(|sheet| std::fs::metadata(sheet).is_ok_and(|data| data.len() <= LONGEST_SHEET));
    sheets.sort();
    println!("{:<40}{:>8}{:>14}{:>14}{:>10}", "states/s", "width", "lanes", "one state", "ratio");
    let mut ratios = Vec::new();
    for sheet in sheets {
        let Some(propnet) = network(&sheet.display().to_string()) else { continue };
        let Some((width, lanes, one)) = speeds(propnet) else { continue };
        let name = sheet.file_stem().unwrap_or_default().display().to_string();
        println!("{name:<40}{width:>8}{lanes:>14.0}{one:>14.0}{:>10.1}", lanes / one);
        ratios.push(lanes / one);
    }
    ratios.sort_by(f64::total_cmp);
    if let [least, .., most] = ratios[..] {
        let at = |share: f64| ratios[(share * (ratios.len() - 1) as f64).round() as usize];
        println!(
            "{} games: least {least:.1}, quartiles {:.1} {:.1} {:.1}, most {most:.1}",
            ratios.len(),
            at(0.25),
            at(0.5),
            at(0.75)
        );
    }
}

/// States per second of both, and the width of the lanes. `None` if play reaches a state in which the rules define no
/// successor, or if nothing is played.
fn speeds(mut propnet: Propnet) -> Option<(usize, f64, f64)> {
    let start = propnet.initial_state().ok()?;
    let mut lanes = Lanes::new(propnet.program(), &BackEnds::default(), None, &Limits::none()).unwrap();
    // The first playouts choose the width and write its machine code.
    lanes.playouts(&start, &Request::until(Instant::now() + CORPUS_SLICE));
    let began = clock();
    let outcomes = lanes.playouts(&start, &Request::until(Instant::now() + CORPUS_SLICE).with_seed(1));
    let ours = outcomes.states as f64 / (clock() - began).as_secs_f64();
    propnet.choose_evaluator(&Limits::none()).ok()?;
    let mut player = BenchGames::new(propnet, 0).ok()?;
    let (began, until) = (clock(), Instant::now() + CORPUS_SLICE);
    while Instant::now() < until {
        player.play(100).ok()?;
    }
    let theirs = player.played().states as f64 / (clock() - began).as_secs_f64();
    (ours > 0.0 && theirs > 0.0).then(|| (lanes.width().lanes(), ours, theirs))
}

/// The number of games that are stepped together.
const STEPPED: usize = 4096;

/// Steps of single games per second, choosing included. Games that are over restart.
fn steps() {
    println!("{:<16}{:>16}{:>16}", "steps/s", "steps alone", "with choices");
    let corpus_sheet = |name: &str| corpus().join(format!("{name}.kif")).display().to_string();
    let corpus_sheets = ["breakthrough", "reversi", "pentago", "hex"].map(corpus_sheet);
    for name in ["tic_tac_toe", "connect_four"].into_iter().chain(corpus_sheets.iter().map(String::as_str)) {
        let Some(propnet) = network(name) else {
            eprintln!("skipped: no {name}");
            continue;
        };
        let mut games = SteppedGames::new(propnet.program(), STEPPED, &BackEnds::default(), &Limits::none()).unwrap();
        let mut moves = vec![0; STEPPED * games.roles()];
        let (mut alone, mut chosen) = (Vec::new(), Vec::new());
        for _ in 0..ROUNDS {
            let (mut stepping, mut choosing, began) = (Duration::ZERO, Duration::ZERO, Instant::now());
            let mut steps = 0.0;
            while began.elapsed() < SLICE {
                let start = clock();
                games.choose(&mut moves);
                let middle = clock();
                games.step(&moves, AfterEnd::Restart).expect("the moves are legal");
                steps += STEPPED as f64;
                (stepping, choosing) = (stepping + (clock() - middle), choosing + (middle - start));
            }
            alone.push(steps / stepping.as_secs_f64());
            chosen.push(steps / (stepping + choosing).as_secs_f64());
        }
        let name = Path::new(name).file_stem().unwrap_or_default().display().to_string();
        println!("{name:<16}{:>16.0}{:>16.0}", median(alone), median(chosen));
    }
}

/// The number of states of random play in which single questions are asked.
const ASKED: usize = 1_000;

/// Random games in lanes with and without percepts, and what questions about single states take: the legal moves and the
/// percepts of all roles, and the next state.
fn percepts() {
    println!(
        "{:<20}{:>12}{:>14}{:>14}{:>7}{:>10}{:>10}{:>10}{:>14}",
        "", "gates", "states/s", "with percepts", "ratio", "legal ns", "next ns", "percepts", "by the rules"
    );
    for name in hidden_sheets() {
        let mut game = load(name, Path::new(""), EngineOptions::default()).expect("the game is in the library");
        let mut network = game.percept_network().expect("the game has a network");
        let Some(plain) = self::network(name) else { continue };
        let lanes =
            |propnet: &Propnet| Lanes::new(propnet.program(), &BackEnds::default(), None, &Limits::none()).unwrap();
        let mut sides = [(lanes(&plain), plain.clone()), (lanes(network.propnet()), network.propnet().clone())];
        let mut rates = [Vec::new(), Vec::new()];
        for round in 0..ROUNDS as u64 {
            for ((lanes, propnet), rates) in sides.iter_mut().zip(&mut rates) {
                let start = propnet.initial_state().expect("the game begins");
                let began = clock();
                let outcomes = lanes.playouts(&start, &Request::until(Instant::now() + SLICE).with_seed(round));
                rates.push(outcomes.states as f64 / (clock() - began).as_secs_f64());
            }
        }
        let [without, with] = rates.map(median);
        let gates = [&plain, network.propnet()].map(|propnet| propnet.program().gates.len().to_string()).join(" to ");
        let [legal, next, told] = questions(&mut network);
        let [_, _, by_rules] = questions(&mut game.interpreter);
        println!(
            "{name:<20}{gates:>12}{without:>14.0}{with:>14.0}{:>7.2}{legal:>10.0}{next:>10.0}{told:>10.0}{by_rules:>14.0}",
            with / without
        );
    }
}

/// The nanoseconds for the legal moves of all roles, the next state, and the percepts of all roles, each by itself.
fn questions<R: PerceptReasoner>(reasoner: &mut R) -> [f64; 3] {
    let mut chance = Chance::new(0);
    let roles = reasoner.roles().len();
    let mut asked: Vec<(R::State, Vec<Move>)> = Vec::new();
    let mut state = reasoner.initial_state().expect("the game begins");
    while asked.len() < ASKED {
        if reasoner.is_terminal(&state).expect("the rules say") {
            state = reasoner.initial_state().expect("the game begins");
        }
        let legal = JointMoves::in_state(reasoner, &state).expect("every role has a move");
        let moves = (0..roles).map(|role| legal.legal(Role::new(role)));
        let joint_move: Vec<Move> = moves.map(|moves| moves[chance.below(moves.len())]).collect();
        let next = reasoner.next_state(&state, &joint_move).expect("the rules say");
        asked.push((std::mem::replace(&mut state, next), joint_move));
    }
    let mut legal = Vec::new();
    let mut percepts = Vec::new();
    let mut next = state.clone();
    let time = |ask: &mut dyn FnMut(&R::State, &[Move])| {
        let rounds = (0..ROUNDS).map(|_| {
            let began = clock();
            asked.iter().for_each(|(state, joint_move)| ask(state, joint_move));
            (clock() - began).as_secs_f64() * 1e9 / ASKED as f64
        });
        median(rounds.collect())
    };
    [
        time(&mut |state, _| {
            (0..roles)
                .for_each(|role| reasoner.legal_moves(state, Role::new(role), &mut legal).expect("the rules say"));
        }),
        time(&mut |state, joint_move| {
            reasoner.next_state_into(state, joint_move, &mut next).expect("the rules say");
        }),
        time(&mut |state, joint_move| {
            (0..roles).for_each(|role| {
                reasoner.percepts(state, joint_move, Role::new(role), &mut percepts).expect("the rules say");
            });
        }),
    ]
}
