//! Proofs with a SAT solver that no pass changes the answers of a game: on each sheet of the library and the corpus up
//! to a size, in all states, not only in those of random play.
//!
//! All of them: `GGP_THOROUGH=1 cargo test --test corpus equivalence -- --nocapture`, which prints how many sheets are
//! proved, and for each of the others why it is not.

mod circuit;
mod encode;
mod proof;
mod solver;

use crate::differential::idioms::program;
use crate::effort::effort;
use crate::parallel::in_parallel;
use crate::support;
use ggp::diagnostic::Diagnostic;
use ggp::engine::{LIBRARY, check_text};
use ggp::limits::Limits;
use ggp::syntax::Source;
use ggp_engine::ground::{GroundBudget, ground};
use ggp_engine::program::{FluentId, FluentStorage};
use ggp_engine::propnet::{Component, Group, Network, build, optimise};
use proof::{Proved, Unproved, prove, runs, weight};
use std::collections::BTreeMap;
use std::path::Path;
use std::sync::Mutex;
use std::time::Duration;

/// One sheet of this many is tried.
fn one_sheet_of() -> usize {
    effort(8, 1)
}

/// The size of the largest network that is tried, in components as built.
fn most_components() -> usize {
    effort(1_500, 30_000)
}

/// The number of random programs.
fn most_programs() -> u64 {
    effort(200, 5_000)
}

/// The outcomes of all sheets.
#[derive(Default)]
struct Tally {
    sheets: u64,
    proved: Proved,
    /// The sheets that are not proved, by the reason.
    others: BTreeMap<&'static str, Vec<String>>,
}

impl Tally {
    fn count(&mut self, name: &str, found: Result<Proved, Unproved>) -> Result<u64, String> {
        match found {
            Ok(Proved { components, runs, outputs, claims }) => {
                self.sheets += 1;
                self.proved.components += components;
                self.proved.runs += runs;
                self.proved.outputs += outputs;
                self.proved.claims += claims;
                Ok(1)
            }
            Err(Unproved::TooHard(reason)) => {
                self.others.entry(reason).or_default().push(name.to_string());
                Ok(0)
            }
            Err(Unproved::Refuted(why)) => Err(format!("{name}: {why}")),
        }
    }
}

impl std::fmt::Display for Tally {
    fn fmt(&self, formatter: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        let Proved { components, runs, outputs, claims } = &self.proved;
        writeln!(formatter, "{} sheets of {components} components are proved, {runs} runs of passes", self.sheets)?;
        writeln!(formatter, "{} outputs, {} of them by the solver", outputs.all, outputs.solved)?;
        writeln!(formatter, "{} claims, {} of them by the solver", claims.all, claims.solved)?;
        for (reason, names) in &self.others {
            writeln!(formatter, "not proved, {reason}: {} ({})", names.len(), names.join(" "))?;
        }
        Ok(())
    }
}

/// Proves what it can, prints the tally, and fails if anything is refuted.
fn prove_all(sheets: &[(String, String)]) -> u64 {
    let tally = Mutex::new(Tally::default());
    let (count, failures) = in_parallel(sheets, |(name, text)| {
        let budget = GroundBudget::new().with_time(Duration::from_secs(20));
        let found = network(text, &budget).map_err(Unproved::from).and_then(|built| proved(&built));
        tally.lock().expect("no thread panics with the lock").count(name, found)
    });
    println!("{}", tally.into_inner().expect("no thread panics with the lock"));
    assert!(failures.is_empty(), "{}", failures.join("\n"));
    count
}

#[test]
fn passes_keep_all_answers_of_the_library_and_the_corpus() {
    let library = LIBRARY.iter().map(|sheet| (sheet.name.to_string(), sheet.text.to_string()));
    let sheets: Vec<_> = library.chain(support::sheets().iter().map(|path| named(path))).collect();
    let sheets: Vec<_> = sheets.into_iter().step_by(one_sheet_of()).collect();
    let count = prove_all(&sheets);
    assert!(4 * count as usize > sheets.len(), "{count} sheets");
}

#[test]
fn passes_keep_all_answers_of_random_programs_and_kept_sheets() {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/fixtures/differential");
    let kept = std::fs::read_dir(folder).unwrap().map(|entry| named(&entry.unwrap().path()));
    let random = (0..most_programs()).map(|seed| (format!("program {seed}"), program(seed).join("\n")));
    let sheets: Vec<_> = kept.chain(random).collect();
    let count = prove_all(&sheets);
    assert!(10 * count > 9 * most_programs(), "{count} sheets");
}

fn named(path: &Path) -> (String, String) {
    let name = path.file_stem().unwrap_or_default().to_string_lossy().into_owned();
    (name, String::from_utf8_lossy(&std::fs::read(path).expect("it can be read")).into_owned())
}

/// Wrong networks are refuted: one in which a gate is another one, and one in which a fluent is said never to change.
#[test]
fn wrong_networks_are_refuted() {
    let text = program(3).join("\n");
    let sheet = LIBRARY.iter().find(|sheet| sheet.name == "tic_tac_toe").expect("it is in the library");
    for text in [text.as_str(), sheet.text] {
        let built = network(text, &GroundBudget::new()).expect("it is small");
        let last = runs(&built).pop().expect("some pass changes it").network;
        let (mut gates, mut found) = (0, 0);
        for node in last.graph.node_indices() {
            let flipped = match last.graph[node] {
                Component::And => Component::Or,
                Component::Or => Component::And,
                _ => continue,
            };
            gates += 1;
            found += u32::from(refuted(&built, |network| network.graph[node] = flipped));
        }
        // In some states that cannot be reached, gates may be others.
        assert!(found > gates / 2, "{found} of {gates} gates");
        for (index, fluent) in last.fluents.iter().enumerate() {
            for value in [false, true] {
                let storage = FluentStorage::Always(value);
                let is_wrong = fluent.storage == FluentStorage::Own;
                let is_refuted = is_wrong && refuted(&built, |network| network.fluents[index].storage = storage);
                assert_eq!(is_refuted, is_wrong, "{} {storage:?}", fluent.fact);
            }
        }
    }
}

/// Wrong groups are refuted, and those that are right are proved.
#[test]
fn wrong_groups_are_refuted() {
    let text = "(role p)(init (a 1))(legal p go)(legal p stay)(goal p 0)(<= terminal (true (a 3)) (not (true (a 2))))
        (<= (next (a 1)) (does p stay))(<= (next (a 2)) (does p go))(<= (next (a 3)) (does p go) (true (a 1)))";
    let built = network(text, &GroundBudget::new()).expect("it is small");
    let facts: Vec<String> = built.fluents.iter().map(|fluent| fluent.fact.to_string()).collect();
    assert_eq!(facts, ["a(1)", "a(2)", "a(3)"]);
    let groups = [
        ([0, 1], false, false),
        ([0, 1], true, false),
        ([0, 2], false, false),
        ([0, 2], true, true),
        ([1, 2], false, true),
        ([1, 2], true, true),
    ];
    for (members, is_complete, expected) in groups {
        let group = Group { fluents: members.map(FluentId::new).to_vec(), is_complete };
        let found = refuted(&built, |network| network.groups.proved = vec![group]);
        assert_eq!(found, expected, "{members:?}, complete: {is_complete}");
    }
}

/// Whether the proof for a network finds a mistake that is made in the last of its forms.
fn refuted(built: &Network, mistake: impl FnOnce(&mut Network)) -> bool {
    let mut runs = runs(built);
    mistake(&mut runs.last_mut().expect("some pass changes it").network);
    matches!(prove(built, &runs), Err(Unproved::Refuted(_)))
}

/// The network of a sheet as built, if it is small.
fn network(text: &str, budget: &GroundBudget) -> Result<Network, &'static str> {
    let checked = check_text(&Source::new("sheet", text), None);
    if checked.diagnostics.iter().any(Diagnostic::is_error) {
        return Err("errors in the sheet");
    }
    let grounding = ground(&checked.rules, budget).map_err(|_| "the limits of grounding")?;
    let literals = grounding.rules.len() + grounding.atoms.len();
    if literals > 2 * most_components() {
        return Err("the size of the network");
    }
    let built = build(&grounding, &Limits::none()).unwrap();
    if built.graph.node_count() > most_components() { Err("the size of the network") } else { Ok(built) }
}

fn proved(built: &Network) -> Result<Proved, Unproved> {
    let runs = runs(built);
    let mut optimised = built.clone();
    optimise(&mut optimised, &[]);
    let last = runs.last().map_or(built, |run| &run.network);
    assert_eq!(weight(last), weight(&optimised), "the runs are those of the optimiser");
    prove(built, &runs)
}
