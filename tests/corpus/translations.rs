//! Plies of corpus games in the machine code of every target, emulated and compared with the portable back end; and
//! circuits that are covered by functions of three inputs, compared with those that are not.

use crate::effort::effort;
use crate::emulator;
use crate::lanes::{UNGROUNDED, one_state};
use crate::parallel::in_parallel;
use crate::random_games;
use crate::support;
use ggp::rules::normalise;
use ggp::syntax::{Source, parse};
use ggp_engine::lanes::{Target, TranslatedPart, Translation};
use ggp_engine::program::Program;
use proptest::prelude::*;
use std::path::PathBuf;

/// The number of sheets.
fn most_sheets() -> usize {
    effort(12, 40)
}

/// Longer ones are left out, in bytes.
fn largest_sheet() -> u64 {
    effort(4_000, 60_000)
}

/// Numbers that differ for each call.
struct Numbers(u64);

impl Numbers {
    fn next(&mut self) -> u64 {
        // A linear congruential generator whose high bits are mixed into the low ones.
        self.0 = self.0.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
        self.0 ^ self.0 >> 31
    }
}

fn program(source: &Source) -> Option<Program> {
    let checked = ggp::engine::check_text(source, None);
    if checked.diagnostics.iter().any(ggp::diagnostic::Diagnostic::is_error) {
        return None;
    }
    Some(one_state(&checked.rules)?.program().clone())
}

/// A batch whose content is random but for the word that holds everywhere.
fn batch(translation: &Translation, numbers: &mut Numbers) -> Vec<u64> {
    let mut batch: Vec<u64> = std::iter::repeat_with(|| numbers.next()).take(translation.words()).collect();
    batch[translation.always()].fill(u64::MAX);
    batch
}

/// Runs all parts of a ply emulated and portably; returns the number of instructions.
fn emulated_alike(name: &str, program: &Program, target: Target, columns: usize) -> Result<u64, String> {
    let Some(translation) = Translation::new(program, target, columns) else {
        return Err(format!("{name}: the memory is too large for {target:?}"));
    };
    let mut numbers = Numbers(name.len() as u64);
    let mut instructions = 0;
    for part in translation.parts() {
        let function = part.function().ok_or(format!("{name}: {target:?} has no machine code"))?;
        let mut portable = batch(&translation, &mut numbers);
        let mut emulated = portable.clone();
        part.run_portably(&mut portable);
        let mut scratch: Vec<u64> = vec![numbers.next(); function.extent().scratch / 8];
        emulator::run(function, &mut emulated[..function.extent().batch / 8], &mut scratch);
        if let Some(word) = (0..portable.len()).find(|&word| portable[word] != emulated[word]) {
            return Err(format!("{name}: word {word} of {} differs on {target:?} in {columns} columns", part.name()));
        }
        instructions += emulator::decode(function).len() as u64;
    }
    Ok(instructions)
}

#[test]
fn machine_code_of_corpus_games_agrees_with_the_portable_back_end() {
    let Some(_) = support::corpus() else { return };
    let size = |sheet: &PathBuf| std::fs::metadata(sheet).map_or(0, |data| data.len());
    let mut sheets = support::sheets();
    let is_known =
        |sheet: &PathBuf| UNGROUNDED.iter().any(|known| sheet.file_stem().is_some_and(|name| name == *known));
    sheets.retain(|sheet| size(sheet) <= largest_sheet() && !is_known(sheet));
    sheets.sort_by_key(|sheet| (size(sheet), sheet.clone()));
    // Evenly among them by size, the largest included.
    let last = sheets.len() - 1;
    let sheets: Vec<PathBuf> =
        (0..most_sheets()).map(|index| sheets[index * last / (most_sheets() - 1)].clone()).collect();
    let (instructions, failures) = in_parallel(&sheets, |sheet| {
        let bytes = std::fs::read(sheet).map_err(|error| error.to_string())?;
        let name = sheet.file_stem().unwrap_or_default().to_string_lossy().into_owned();
        let Some(program) = program(&Source::from_bytes(name.clone(), bytes)) else { return Ok(0) };
        let mut instructions = 0;
        for target in Target::MACHINES {
            // One vector, and several.
            for columns in [target.columns(), 16] {
                instructions += emulated_alike(&name, &program, target, columns)?;
            }
        }
        Ok(instructions)
    });
    assert_eq!(failures, Vec::<String>::new());
    assert!(instructions > 100_000, "{instructions}");
    println!("{instructions} instructions agree");
}

/// The outputs of each part of a ply in random states and for random ranks, on the portable back end.
fn outputs(translation: &Translation, seed: u64) -> Vec<Vec<u64>> {
    let mut batch = batch(translation, &mut Numbers(seed));
    let run = |part: &TranslatedPart| {
        part.settle_portably(&mut batch);
        part.outputs(&batch)
    };
    translation.parts().iter().flat_map(run).collect()
}

/// Positive cycles of which a part is left after the passes.
#[test]
fn cycles_are_the_same_in_functions_of_three_inputs() {
    let text = "role(x) role(y) init(f0) init(f1) legal(x,m0) legal(y,m0) terminal :- true(never) next(f3)
        v1 :- true(f3) & v0
        v1 :- true(f3)
        v0 :- v1
        legal(y,m2) :- true(f3) & v0
        legal(y,m1) :- true(f0) & v0";
    let rules = normalise(&parse(&Source::new("cycles", text), None).sheet);
    mapped_alike("cycles", one_state(&rules).expect("it is small").program());
}

/// What is computed with tables is the same as without.
fn mapped_alike(name: &str, program: &Program) {
    let [gates, tables, selections] = [Target::Portable, Target::Avx512, Target::Neon]
        .map(|target| Translation::new(program, target, 8).expect("it is small"));
    for seed in 0..4 {
        let expected = outputs(&gates, seed);
        assert_eq!(outputs(&tables, seed), expected, "{name} in tables");
        assert_eq!(outputs(&selections, seed), expected, "{name} in selections");
    }
}

#[test]
fn library_games_are_the_same_in_functions_of_three_inputs() {
    for sheet in ggp::engine::LIBRARY {
        let text = sheet.text;
        let Some(program) = program(&Source::new(sheet.name, text)) else { panic!("{} has errors", sheet.name) };
        mapped_alike(sheet.name, &program);
    }
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 100, ..ProptestConfig::default() })]

    #[test]
    fn random_games_are_the_same_in_functions_of_three_inputs(
        text in random_games::games(),
    ) {
        let rules = normalise(&parse(&Source::new("random", text.as_str()), None).sheet);
        mapped_alike(&text, one_state(&rules).expect("it is small").program());
    }
}
