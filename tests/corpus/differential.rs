//! A differential fuzzer: the interpreter compared with every evaluator, passes in several orders, lanes in every width
//! with and without machine code, and batches of states, on random first-order sheets, on mutants of real ones, and on
//! random programs made of the idioms of real ones.
//!
//! The sheets that it found are kept in `tests/fixtures/differential/`, each with a comment that describes the bug. The
//! long run: `GGP_MUTANTS=200000 GGP_PROGRAMS=200000 cargo test --profile release-tests --test corpus differential
//! -- --ignored --nocapture`; `GGP_SEED` repeats one.

mod campaign;
mod compare;
pub(crate) mod idioms;
mod mutate;
mod sheets;

use crate::effort::{effort, is_brief};
use crate::parallel::in_parallel;
use crate::support;
use campaign::{Candidate, Tally, reduce};
use compare::{Outcome, PassOrder, compare};
use ggp::diagnostic::Diagnostic;
use ggp::engine::{LIBRARY, check_text};
use ggp::limits::Limits;
use ggp::syntax::{Dialect, Source};
use ggp_engine::ground::{GroundBudget, ground};
use ggp_engine::lanes::Width;
use mutate::Base;
use proptest::prelude::*;
use proptest::strategy::ValueTree;
use proptest::test_runner::{Config, RngAlgorithm, TestRng, TestRunner};
use std::path::{Path, PathBuf};
use std::time::{Duration, Instant};

/// The number of mutants in the test that always runs.
fn most_mutants() -> u64 {
    effort(250, 3_000)
}
/// The size of the largest sheet on which passes run in several orders, in bytes.
fn most_bytes() -> usize {
    effort(8_000, 12_000)
}
/// The number of orders that are compared in one walk.
const ORDERS_AT_ONCE: usize = 15;
/// The number of random programs in the test that always runs.
fn most_programs() -> u64 {
    effort(150, 3_000)
}
/// The number of random sheets of which mutants are made, in addition to the real ones.
const RANDOM_BASES: usize = 150;
/// The maximum size of real sheets, in bytes.
const LARGEST: usize = 3_000;
/// The maximum number of ground rules of real sheets: small sheets find as much, in less time.
const MOST_RULES: usize = 120;

/// The sheets that revealed a bug. The first line describes it; one that begins with `; E` names the code with which
/// the checks reject the sheet now.
#[test]
fn kept_differences_are_fixed() {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/fixtures/differential");
    let mut paths: Vec<_> = std::fs::read_dir(folder).unwrap().map(|entry| entry.unwrap().path()).collect();
    paths.sort();
    assert!(paths.len() >= 3, "{paths:?}");
    for path in paths {
        let text = std::fs::read_to_string(&path).unwrap();
        let says = text.lines().next().and_then(|line| line.strip_prefix("; ")).expect("a comment says what was wrong");
        let expected = ["E106", "E113"].into_iter().find(|code| says.starts_with(code));
        let expected = expected.map_or(Outcome::Compared, Outcome::Rejected);
        assert_eq!(compare(&text, &Width::ALL, &PassOrder::all()), expected, "{}", path.display());
    }
}

/// The checks reject a sheet whose `init` depends on the state; grounding it without the checks returns an error.
#[test]
fn init_that_depends_on_the_state_is_an_error() {
    let text = "(role p)(init (a 1))(<= (init (a 3)) (legal p x))(<= (legal p x) (true (a 1)))(goal p 100)
        (<= terminal (true (a 3)))";
    for through in ["(legal p x)", "(goal p 100)", "terminal", "(q 1)"] {
        let text = text.replacen("(legal p x)", through, 1)
            + "(<= (goal p 0) (true (a 2)))(<= (q ?x) (goal p 0) (true (a ?x)))";
        let text = text.replace("(goal p 100)\n", "(<= (goal p 100) (true (a 1)))\n");
        let checked = check_text(&Source::new("sheet", text), Some(Dialect::Prefix));
        let codes: Vec<&str> = checked.diagnostics.iter().map(|diagnostic| diagnostic.code.id).collect();
        assert!(codes.contains(&"E106"), "through {through}: {codes:?}");
        let error = ground(&checked.rules, &GroundBudget::new()).expect_err("there is no initial state");
        assert_eq!(error.to_string(), "`init` depends on `true` or `does`");
    }
    let text = "(role p)(init (a 1))(<= (init (a 3)) (legal p x))(legal p x)(goal p 100)(<= terminal (true (a 3)))";
    assert_eq!(compare(text, &Width::ALL, &[]), Outcome::Compared);
}

/// A wrong network does not become an engine: `check_faithful` and `check_initial` reject it.
#[test]
fn a_network_that_lost_a_component_is_rejected() {
    use ggp_engine::propnet::{Component, NetworkOptions, Propnet, build, check_faithful, check_outputs, lower};
    let text = "(role r)(init c)(init d)(<= (legal ?r a) (role ?r))(<= terminal (not (true c)))(goal r 100)(next d)";
    let rules = check_text(&Source::new("sheet", text), Some(Dialect::Prefix)).rules;
    let grounding = ground(&rules, &GroundBudget::new()).expect("it is small");
    let network = build(&grounding, &Limits::none()).unwrap();
    assert_eq!((check_faithful(&grounding, &network), check_outputs(&network)), (Ok(()), Ok(())));
    let outputs = network.graph.node_indices().filter(|&node| matches!(network.graph[node], Component::Output(_)));
    for output in outputs.collect::<Vec<_>>() {
        let mut lost = network.clone();
        lost.graph[output] = Component::Constant(false);
        assert!(check_outputs(&lost).is_err(), "{:?}", network.graph[output]);
        let asks_nothing =
            network.inputs(output).iter().any(|&input| network.graph[input] == Component::Constant(false));
        assert_eq!(check_faithful(&grounding, &lost).is_ok(), asks_nothing, "{:?}", network.graph[output]);
    }
    let mut begins_elsewhere = network.clone();
    begins_elsewhere.fluents[0].initially = false;
    let error = check_faithful(&grounding, &begins_elsewhere).expect_err("a fact is lost");
    assert!(error.to_string().contains("`c` has another initial value than the rules say"), "{error}");
    let propnet = Propnet::from_program(
        lower(&begins_elsewhere, &Limits::none()).unwrap(),
        &NetworkOptions::default(),
        &Limits::none(),
    )
    .unwrap();
    let facts =
        ggp::game::Reasoner::facts(&propnet, &ggp::game::Reasoner::initial_state(&mut propnet.clone()).unwrap());
    assert_eq!(propnet.check_initial(&facts), Ok(()));
    let c = ggp::rules::GroundTerm::symbol("c");
    let error = propnet.check_initial(&[c, facts[0].clone()]).expect_err("a fact is lost");
    assert!(error.to_string().contains("initially `c` does not hold in it"), "{error}");
}

proptest! {
    #![proptest_config(ProptestConfig { cases: effort(100, 1_500), ..ProptestConfig::default() })]

    #[test]
    fn random_sheets_agree(genes in sheets::genes()) {
        let text = sheets::sheet(&genes);
        if let Outcome::Differs(difference) = compare(&text, &[Width::W64, Width::W512], &[]) {
            panic!("{difference}\n{text}");
        }
    }
}

#[test]
fn few_random_sheets_are_rejected() {
    let texts = random_texts(100, 5);
    let outcomes = texts.iter().map(|text| compare(text, &[Width::W64], &[]));
    let compared = outcomes.filter(|outcome| *outcome == Outcome::Compared).count();
    assert!(compared >= 50, "{compared} of {} sheets can be compared", texts.len());
}

#[test]
fn mutants_agree() {
    let tally = mutants(most_mutants(), 1);
    assert!(tally.compared >= most_mutants());
}

#[test]
fn programs_agree() {
    let tally = programs(most_programs(), 1);
    let rejected: u64 = tally.rejected.values().sum();
    assert!(rejected <= tally.compared / 10, "{:?}", tally.rejected);
}

/// Each pass left out alone, and each pair of passes in both orders: some of them for a sample of the corpus, all where
/// samples are not enough.
#[test]
fn passes_agree_in_any_order_on_the_corpus() {
    let sheets: Vec<(usize, PathBuf)> = support::sheets().into_iter().enumerate().step_by(effort(5, 1)).collect();
    if sheets.is_empty() {
        return;
    }
    let (compared, failures) = in_parallel(&sheets, |(number, path)| {
        let orders = if is_brief() { PassOrder::of_round(*number as u64).to_vec() } else { PassOrder::all() };
        let bytes = std::fs::read(path).map_err(|error| error.to_string())?;
        let text = String::from_utf8_lossy(&bytes);
        let Some(base) = Base::new("sheet", &text).filter(|_| text.len() <= most_bytes()) else { return Ok(0) };
        let text = base.clauses().join("\n");
        for orders in orders.chunks(ORDERS_AT_ONCE) {
            match compare(&text, &[], orders) {
                Outcome::Compared => {}
                Outcome::Differs(difference) => return Err(format!("{}: {difference}", path.display())),
                Outcome::Rejected(_) | Outcome::Skipped(_) => return Ok(0),
            }
        }
        Ok(1)
    });
    println!("{compared} of {} sheets are compared", sheets.len());
    assert_eq!(failures, Vec::<String>::new());
    assert!(compared as usize > sheets.len() / 8, "{compared} sheets");
}

/// The long runs.
#[test]
#[ignore = "takes as long as it is told to: GGP_MUTANTS"]
fn many_mutants_agree() {
    mutants(number("GGP_MUTANTS").unwrap_or(20_000), seed());
}

#[test]
#[ignore = "takes as long as it is told to: GGP_PROGRAMS"]
fn many_programs_agree() {
    programs(number("GGP_PROGRAMS").unwrap_or(20_000), seed());
}

fn number(name: &str) -> Option<u64> {
    std::env::var(name).ok().and_then(|value| value.parse().ok())
}

/// The seed that is given, or else the time.
fn seed() -> u64 {
    let clock = || std::time::SystemTime::now().duration_since(std::time::UNIX_EPOCH).map_or(0, |it| it.as_secs());
    number("GGP_SEED").unwrap_or_else(clock)
}

/// A difference is reduced to a minimal sheet.
#[test]
fn reduction_keeps_the_difference() {
    let clauses: Vec<String> = ["(p a)", "(<= (q ?x) (p ?x) (r ?x))", "(r a)"].map(str::to_string).to_vec();
    let judge = |clauses: &[String]| {
        let differs = clauses.iter().any(|clause| clause.contains("(q ?x)") && clause.contains("(r ?x)"));
        if differs { Outcome::Differs("it".to_string()) } else { Outcome::Compared }
    };
    assert_eq!(reduce(clauses, &judge), (vec!["(<= (q ?x) (r ?x))".to_string()], Some("it".to_string())));
}

/// Compares mutants until there are enough.
fn mutants(count: u64, seed: u64) -> Tally {
    let bases = bases(seed);
    println!("{} sheets to make mutants of", bases.len());
    campaign(|number| Candidate::mutant(&bases, number, seed), count, seed)
}

/// Compares random programs until there are enough.
fn programs(count: u64, seed: u64) -> Tally {
    campaign(|number| Some(Candidate::program(number, seed)), count, seed)
}

/// Compares candidates until there are enough, prints the tally, and fails if any differs.
fn campaign(candidate: impl Fn(u64) -> Option<Candidate> + Sync, count: u64, seed: u64) -> Tally {
    let begun = Instant::now();
    let tally = campaign::run(candidate, count);
    println!("{:.0} s, seed {seed}: {:?}", begun.elapsed().as_secs_f64(), tally.rejected);
    println!("{tally}");
    assert!(tally.differences.is_empty(), "seed {seed}\n{}", tally.differences.join("\n"));
    tally
}

/// The sheets of the library, the small ones of the corpus, random ones and those that revealed a bug.
fn bases(seed: u64) -> Vec<Base> {
    let mut texts: Vec<(String, String)> =
        LIBRARY.iter().map(|sheet| (sheet.name.to_string(), sheet.text.to_string())).collect();
    let found = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/fixtures/differential");
    let mut paths: Vec<_> = std::fs::read_dir(found).unwrap().map(|entry| entry.unwrap().path()).collect();
    paths.sort();
    for path in paths.into_iter().chain(support::sheets()) {
        let name = path.file_stem().unwrap_or_default().to_string_lossy().into_owned();
        texts.push((name, String::from_utf8_lossy(&std::fs::read(path).unwrap()).into_owned()));
    }
    texts.extend(random_texts(RANDOM_BASES, seed).into_iter().map(|text| ("a random sheet".to_string(), text)));
    let budget = GroundBudget::new().with_time(Duration::from_secs(2));
    let is_small = |clauses: &[String]| {
        let checked = check_text(&Source::new("sheet", clauses.join("\n")), Some(Dialect::Prefix));
        let is_valid = !checked.diagnostics.iter().any(Diagnostic::is_error);
        is_valid && ground(&checked.rules, &budget).is_ok_and(|grounding| grounding.rules.len() <= MOST_RULES)
    };
    let base = |(name, text): (String, String)| {
        let base = Base::new(&name, &text).filter(|_| text.len() <= LARGEST)?;
        is_small(&base.clauses()).then_some(base)
    };
    texts.into_iter().filter_map(base).collect()
}

fn random_texts(count: usize, seed: u64) -> Vec<String> {
    let mut bytes = [0; 32];
    bytes[..8].copy_from_slice(&seed.to_le_bytes());
    let mut runner = TestRunner::new_with_rng(Config::default(), TestRng::from_seed(RngAlgorithm::ChaCha, &bytes));
    let genes = || sheets::genes().new_tree(&mut runner).map(|tree| sheets::sheet(&tree.current()));
    std::iter::repeat_with(genes).take(count).map(|text| text.expect("numbers can be drawn")).collect()
}
