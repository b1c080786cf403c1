//! The cost of each stage, from the text of a rule sheet to random play: parse, check, ground, optimise, evaluate.
//!
//! The games range from tiny to large; those that are not in the library come from the corpus (`GGP_CORPUS`), and are
//! skipped if it is absent. The stage `evaluate` plays the same random games on every engine and evaluator; the
//! interpreter is the baseline, and all must have played the same games.
//!
//!     cargo bench -p ggp-benches --bench stages -- evaluate/tic_tac_toe

use criterion::{BatchSize, BenchmarkId, Criterion, Throughput, criterion_group, criterion_main};
use ggp::engine::bench::{BenchGames, PlayedAmount};
use ggp::engine::{Engine, EngineKind, EngineOptions, GameOrigin, check_text, load_text};
use ggp::game::Reasoner;
use ggp::limits::Limits;
use ggp::rules::{RuleSet, check, normalise};
use ggp::syntax::{Source, parse};
use ggp_engine::ground::{GroundBudget, ground};
use ggp_engine::propnet::{self, EvaluatorKind};
use std::hint::black_box;
use std::path::{Path, PathBuf};
use std::time::Duration;

/// Games of the library, from tiny to large.
const LIBRARY: &[&str] = &["three_puzzle", "tic_tac_toe", "eight_puzzle", "connect_four", "breakthrough_6x6"];
/// Larger games of the corpus.
const CORPUS: &[&str] = &["reversi", "hex", "speedChess"];
/// The number of states computed by one run of `evaluate`.
const STATES: u64 = 500;

/// The sheets that are available; prints a line for each that is not.
fn sources() -> Vec<(String, Source)> {
    let corpus = std::env::var_os("GGP_CORPUS").map_or_else(|| PathBuf::from("../../shared/corpus"), PathBuf::from);
    let corpus = CORPUS.iter().map(|name| corpus.join("kif").join(name).with_extension("kif"));
    let names = LIBRARY.iter().map(|name| name.to_string()).chain(corpus.map(|path| path.display().to_string()));
    let mut found = Vec::new();
    for name in names {
        let origin = GameOrigin::find(&name, Path::new("")).expect("a name of the library or a path");
        match origin.read(ggp_game::files::InputLimit::default()) {
            Ok(source) => found.push((origin.game_name(), source)),
            Err(error) => eprintln!("skipped: {error}"),
        }
    }
    found
}

fn rules(source: &Source) -> RuleSet {
    check_text(source, None).rules
}

fn front(criterion: &mut Criterion) {
    let mut group = criterion.benchmark_group("parse");
    for (name, source) in sources() {
        group.throughput(Throughput::Bytes(source.text().len() as u64));
        group.bench_function(name, |bencher| bencher.iter(|| parse(black_box(&source), None)));
    }
    group.finish();
    let mut group = criterion.benchmark_group("check");
    for (name, source) in sources() {
        let sheet = parse(&source, None).sheet;
        group.bench_function(name, |bencher| {
            bencher.iter(|| {
                let rules = normalise(black_box(&sheet));
                check(&sheet, &rules).len()
            });
        });
    }
    group.finish();
}

fn network(criterion: &mut Criterion) {
    let mut group = criterion.benchmark_group("ground");
    for (name, source) in sources() {
        let rules = rules(&source);
        group.bench_function(name, |bencher| bencher.iter(|| ground(black_box(&rules), &GroundBudget::new()).is_ok()));
    }
    group.finish();
    let mut group = criterion.benchmark_group("optimise");
    for (name, source) in sources() {
        let Ok(grounding) = ground(&rules(&source), &GroundBudget::new()) else { continue };
        group.bench_function(name, |bencher| {
            let built = || propnet::build(&grounding, &Limits::none()).unwrap();
            bencher.iter_batched_ref(built, |network| propnet::optimise(network, &[]), BatchSize::PerIteration);
        });
    }
    group.finish();
}

fn evaluate(criterion: &mut Criterion) {
    let mut group = criterion.benchmark_group("evaluate");
    group.throughput(Throughput::Elements(STATES));
    for (name, source) in sources() {
        let mut expected = None;
        for (label, options) in engines() {
            let game = load_text(name.clone(), source.clone(), None, options);
            let engine = match game.map(|game| game.into_engine().expect("it has been set up")) {
                Ok(engine) => engine,
                Err(error) => {
                    eprintln!("skipped: {error}");
                    continue;
                }
            };
            let played = match &engine {
                Engine::Interpreter(engine) => play(engine.fork()),
                Engine::Propnet(engine) => play(engine.fork()),
            };
            assert_eq!(played, *expected.get_or_insert(played), "{name}: {label} plays as the interpreter does");
            // The engine is matched outside the measurement.
            match engine {
                Engine::Interpreter(engine) => measure(&mut group, label, &name, *engine),
                Engine::Propnet(mut engine) => {
                    engine.choose_evaluator(&Limits::none()).expect("nothing stops it");
                    measure(&mut group, label, &name, *engine);
                }
            }
        }
    }
    group.finish();
}

type Group<'a> = criterion::BenchmarkGroup<'a, criterion::measurement::WallTime>;

fn measure<R: Reasoner>(group: &mut Group<'_>, label: &str, game: &str, engine: R) {
    let mut player = BenchGames::new(engine, 0).expect("the game begins");
    let id = BenchmarkId::new(game, label);
    group.bench_function(id, |bencher| bencher.iter(|| player.play(STATES).expect("the game can be played")));
}

fn play<R: Reasoner>(engine: R) -> PlayedAmount {
    let mut player = BenchGames::new(engine, 0).expect("the game begins");
    player.play(STATES).expect("the game can be played");
    player.played()
}

/// The baseline, and the network with each of its evaluators.
fn engines() -> Vec<(&'static str, EngineOptions)> {
    let propnet = |evaluator| {
        let mut options = EngineOptions::from(EngineKind::Propnet);
        options.propnet.evaluator = evaluator;
        options
    };
    let kinds = EvaluatorKind::ALL.into_iter().filter(|&kind| kind != EvaluatorKind::Auto);
    std::iter::once(("interpreter", EngineKind::Interpreter.into()))
        .chain(kinds.map(|kind| (kind.name(), propnet(kind))))
        .collect()
}

fn short() -> Criterion {
    Criterion::default()
        .sample_size(10)
        .warm_up_time(Duration::from_millis(300))
        .measurement_time(Duration::from_secs(1))
}

criterion_group! { name = stages; config = short(); targets = front, network, evaluate }
criterion_main!(stages);
