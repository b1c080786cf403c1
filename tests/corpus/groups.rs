//! Exclusive groups of the optimiser: in every state of random play at most one member of each holds. The games are
//! played by networks without the passes that rely on the groups, so a wrong group cannot make itself true.

use crate::effort::effort;
use crate::parallel::in_parallel;
use crate::support;
use ggp::diagnostic::Severity;
use ggp::engine::check_text;
use ggp::game::{Chance, Fluent, Reasoner};
use ggp::limits::Limits;
use ggp::rules::GroundTerm;
use ggp::syntax::Source;
use ggp_engine::ground::{GroundBudget, ground};
use ggp_engine::program::Program;
use ggp_engine::propnet::{EvaluatorKind, Group, NetworkOptions, Propnet, build, lower, optimise};
use std::collections::BTreeMap;
use std::path::Path;
use std::time::Duration;

/// The passes that simplify by what excludes each other.
const RELYING: [&str; 2] = ["turns", "implied"];

/// One sheet of this many is tried.
fn one_sheet_of() -> usize {
    effort(9, 6)
}

/// The size of the largest sheet that is tried, in bytes.
fn largest_sheet() -> u64 {
    effort(8_000, 60_000)
}

/// The number of states of each game.
fn states_of_a_game() -> usize {
    effort(100, 2_000)
}

#[test]
fn at_most_one_member_of_each_group_holds_in_random_play() {
    let sheets: Vec<_> = support::sheets().into_iter().step_by(one_sheet_of()).collect();
    if sheets.is_empty() {
        return;
    }
    let (groups, failures) =
        in_parallel(&sheets, |path| play(path).map_err(|error| format!("{}: {error}", path.display())));
    assert!(failures.is_empty(), "{}", failures.join("\n"));
    assert!(groups as usize > sheets.len(), "{groups} groups");
}

/// The number of groups of a sheet, which hold in random play; 0 if it is not tried.
fn play(path: &Path) -> Result<u64, String> {
    if path.metadata().map_err(|error| error.to_string())?.len() > largest_sheet() {
        return Ok(0);
    }
    let text = String::from_utf8_lossy(&std::fs::read(path).map_err(|error| error.to_string())?).into_owned();
    let checked = check_text(&Source::new("sheet", text.as_str()), None);
    if checked.diagnostics.iter().any(|problem| problem.severity == Severity::Error) {
        return Ok(0);
    }
    let budget = GroundBudget::new().with_time(Duration::from_secs(20));
    let Ok(grounding) = ground(&checked.rules, &budget) else { return Ok(0) };
    let (mut all, mut plain) =
        (build(&grounding, &Limits::none()).unwrap(), build(&grounding, &Limits::none()).unwrap());
    optimise(&mut all, &[]);
    optimise(&mut plain, &RELYING);
    let program = lower(&all, &Limits::none()).unwrap();
    let mut groups: BTreeMap<GroundTerm, Vec<usize>> = BTreeMap::new();
    let terms = |group: &Group| group.fluents.iter().map(|fluent| all.fluents[fluent.index()].fact.clone()).collect();
    let proved: Vec<Vec<GroundTerm>> = all.groups.proved.iter().map(terms).collect();
    for (number, terms) in proved.iter().chain(&terms_of(&program)).enumerate() {
        terms.iter().for_each(|term| groups.entry(term.clone()).or_default().push(number));
    }
    let mut engine = Propnet::from_program(lower(&plain, &Limits::none()).unwrap(), &fixed(), &Limits::none()).unwrap();
    let mut chance = Chance::new(17);
    let start = engine.initial_state().map_err(|error| error.to_string())?;
    let mut state = start.clone();
    for _ in 0..states_of_a_game() {
        let mut held: BTreeMap<usize, GroundTerm> = BTreeMap::new();
        for fact in engine.facts(&state) {
            for &group in groups.get(&fact).into_iter().flatten() {
                if let Some(other) = held.insert(group, fact.clone()) {
                    return Err(format!("`{other}` and `{fact}` hold, of one group"));
                }
            }
        }
        if !matches!(engine.random_step(&mut state, &mut |count| chance.below(count)), Ok(true)) {
            state.clone_from(&start);
        }
    }
    println!("{}: {} groups", path.display(), program.groups.len());
    Ok(program.groups.len() as u64)
}

/// The groups of a program as terms.
fn terms_of(program: &Program) -> Vec<Vec<GroundTerm>> {
    let engine = Propnet::from_program(program.clone(), &fixed(), &Limits::none()).unwrap();
    let terms = |group: &Vec<u32>| group.iter().map(|&bit| engine.fluent_term(Fluent::new(bit as usize))).collect();
    program.groups.iter().map(terms).collect()
}

fn fixed() -> NetworkOptions {
    NetworkOptions { evaluator: EvaluatorKind::Incremental, ..NetworkOptions::default() }
}
