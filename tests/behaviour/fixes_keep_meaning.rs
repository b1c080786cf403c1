//! A law of fixes: what `check --fix` applies leaves a sheet that loads a sheet that loads, and that plays as before. On
//! fixtures, sheets of the library, sheets of the corpus, and random changes of their texts.

use crate::effort::effort;
use crate::program::call;
use crate::support::sheets;
use ggp::diagnostic::{Certainty, Diagnostic, apply};
use ggp::engine::{LIBRARY, check_text};
use ggp::game::{Chance, JointMoves, ReasonError, Reasoner, Role};
use ggp::interpreter::Interpreter;
use ggp::limits::Limits;
use ggp::syntax::{Dialect, Source, parse};
use std::collections::BTreeMap;
use std::path::Path;
use std::time::Duration;

/// The most characters of a sheet that is changed at random.
const LONGEST: usize = 5_000;

/// The joint moves of a random game that is compared.
const PLIES: usize = 8;

fn is_sound(problem: &&Diagnostic) -> bool {
    problem.fix.as_ref().is_some_and(|fix| fix.certainty == Certainty::Sound)
}

/// The problems of a text; `None` if it does not load.
fn problems(text: &str) -> Option<Vec<Diagnostic>> {
    let found = check_text(&Source::new("test", text), None).diagnostics;
    (!found.iter().any(Diagnostic::is_error)).then_some(found)
}

/// A sheet that loads with all sound fixes, as `check --fix` writes it, and the codes of the problems that they fix.
fn fixed(text: &str) -> (String, Vec<&'static str>) {
    let (mut fixed, mut codes) = (text.to_string(), Vec::new());
    for _ in 0..10 {
        let found = problems(&fixed).unwrap_or_else(|| panic!("it does not load any more:\n{text}\n-----\n{fixed}"));
        let sound: Vec<&Diagnostic> = found.iter().filter(is_sound).collect();
        if sound.is_empty() {
            return (fixed, codes);
        }
        codes.extend(sound.iter().map(|problem| problem.code.id));
        fixed = apply(&fixed, sound.iter().map(|problem| problem.edits())).text;
    }
    panic!("its fixes have no end:\n{text}\n-----\n{fixed}");
}

/// All that a random game shows: facts, legal moves, and at its end the goals. What is wrong with a state is a part of
/// it.
///
/// # Errors
/// If it takes too long.
fn game(text: &str, seed: u64) -> Result<String, ReasonError> {
    let rules = check_text(&Source::new("test", text), None).rules;
    let mut game = Interpreter::new(rules.into()).expect("the sheet loads");
    game.set_limits(Limits::new().with_time(Duration::from_secs(5)));
    let (mut random, mut seen) = (Chance::new(seed), String::new());
    match play(&mut game, &mut random, &mut seen) {
        Err(error @ ReasonError::Stopped(_)) => Err(error),
        Err(error) => Ok(format!("{seen}{error}")),
        Ok(()) => Ok(seen),
    }
}

fn play(game: &mut Interpreter, random: &mut Chance, seen: &mut String) -> Result<(), ReasonError> {
    let roles: Vec<Role> = (0..game.roles().len()).map(Role::new).collect();
    *seen += &format!("{:?}\n", game.roles());
    let mut state = game.initial_state()?;
    for _ in 0..PLIES {
        let is_terminal = game.is_terminal(&state)?;
        let goals: Vec<_> =
            roles.iter().map(|&role| game.goal(&state, role).map_err(|error| error.to_string())).collect();
        *seen += &format!("{:?} {is_terminal} {goals:?}\n", game.facts(&state));
        if is_terminal {
            return Ok(());
        }
        let mut turn = JointMoves::in_state(game, &state)?;
        for &role in &roles {
            let legal: Vec<String> = turn.legal(role).iter().map(|&own| game.move_term(own).to_string()).collect();
            turn.choose(role, random.below(legal.len()));
            *seen += &format!("{}\n", legal.join(" "));
        }
        state = game.next_state(&state, turn.current())?;
    }
    Ok(())
}

/// Asserts that the fixes of a sheet that loads keep what it means; the codes of the problems that they fix.
fn assert_same_games(text: &str, seed: u64) -> Vec<&'static str> {
    let (fixed, codes) = fixed(text);
    for seed in [seed, seed + 1] {
        if fixed == text {
            break;
        }
        let (Ok(before), Ok(after)) = (game(text, seed), game(&fixed, seed)) else { continue };
        assert_eq!(before, after, "{codes:?} change what a sheet means:\n{text}\n-----\n{fixed}");
    }
    codes
}

/// A text in pieces: comments, blanks, words and single signs.
fn pieces(text: &str) -> Vec<String> {
    let is_word = |sign: char| sign.is_alphanumeric() || matches!(sign, '_' | '?' | '\'');
    let mut pieces: Vec<String> = Vec::new();
    for line in text.split_inclusive('\n') {
        let end = line.find([';', '%']).unwrap_or(line.len());
        for sign in line[..end].chars() {
            let kind = (is_word(sign), sign.is_whitespace());
            let goes_on = |last: &&mut String| {
                let last = last.chars().next_back().expect("no piece is empty");
                kind != (false, false) && (is_word(last), last.is_whitespace()) == kind
            };
            match pieces.last_mut().filter(goes_on) {
                Some(last) => last.push(sign),
                None => pieces.push(sign.to_string()),
            }
        }
        // A comment is a piece of its own.
        if end < line.len() {
            pieces.push(line[end..].to_string());
        }
    }
    pieces
}

/// Makes a random change of a kind that authors make by mistake, or that other programs write.
fn change(pieces: &mut Vec<String>, dialect: Dialect, random: &mut Chance) {
    let is_variable = |word: &str| match dialect {
        Dialect::Prefix => word.starts_with('?'),
        Dialect::Infix | Dialect::Operations => word.starts_with(char::is_uppercase),
    };
    let is_name = |word: &str| word.starts_with(char::is_alphanumeric) && !is_variable(word);
    let find = |is_meant: &dyn Fn(&str) -> bool, random: &mut Chance| {
        let meant: Vec<usize> = (0..pieces.len()).filter(|&index| is_meant(&pieces[index])).collect();
        (!meant.is_empty()).then(|| meant[random.below(meant.len())])
    };
    let kind = random.below(6);
    let found = match kind {
        0 | 2 | 3 => find(&is_name, random),
        1 => find(&is_variable, random),
        4 => find(&|piece| piece == "(", random),
        _ => find(&|piece| piece.chars().all(char::is_whitespace), random),
    };
    let Some(at) = found else { return };
    let is_fact = at == 0 || pieces[at - 1].contains('\n');
    match (kind, dialect) {
        // A misspelt name, or another one.
        (0, _) if pieces[at].chars().count() > 1 => drop(pieces[at].pop()),
        (2, _) => {
            let other = find(&is_name, random).expect("there is a name");
            pieces[at] = pieces[other].clone();
        }
        // A variable that occurs once.
        (1, Dialect::Prefix) => pieces[at] = ["?new", "?_new", "?n"][random.below(3)].to_string(),
        (1, Dialect::Infix) => pieces[at] = ["New", "N", "_"][random.below(3)].to_string(),
        (3, Dialect::Prefix) => pieces[at] = format!("({})", pieces[at]),
        (3, Dialect::Infix) => pieces[at] += "()",
        // A fact as a rule.
        (4, Dialect::Prefix) if is_fact && pieces.get(at + 1).is_some_and(|next| next != "<") => {
            let mut depth = 0;
            let close = (at..pieces.len()).find(|&index| {
                depth += i32::from(pieces[index] == "(") - i32::from(pieces[index] == ")");
                depth == 0
            });
            if let Some(close) = close {
                pieces[close] = "))".to_string();
                pieces[at] = "(<= (".to_string();
            }
        }
        // A blank less.
        (5, _) => drop(pieces.remove(at)),
        _ => {}
    }
}

/// The sheets of the library and of the fixtures that are not too long, in both dialects.
fn bases() -> Vec<(String, Dialect)> {
    let library = LIBRARY.iter().map(|sheet| sheet.text.to_string());
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/fixtures");
    let mut folders: Vec<_> = std::fs::read_dir(folder)
        .expect("the fixtures are there")
        .map(|entry| entry.expect("a folder can be listed").path())
        .collect();
    folders.sort();
    let files =
        folders.iter().flat_map(|folder| ["bad.gdl", "bad.kif", "good.gdl", "good.kif"].map(|name| folder.join(name)));
    let fixtures = files.filter_map(|file| std::fs::read_to_string(file).ok());
    let short = library.chain(fixtures).filter(|text| text.len() <= LONGEST && problems(text).is_some());
    let both = short.flat_map(|text| {
        let sheet = parse(&Source::new("base", &*text), None).sheet;
        let own = sheet.dialect;
        let other = if own == Dialect::Prefix { Dialect::Infix } else { Dialect::Prefix };
        [(text, own), (sheet.in_dialect(other).to_string(), other)]
    });
    both.filter(|(text, _)| problems(text).is_some()).collect()
}

/// A random change of a random sheet; `None` if it does not load.
fn mutant(bases: &[(String, Dialect)], random: &mut Chance) -> Option<String> {
    let (text, dialect) = &bases[random.below(bases.len())];
    let mut pieces = pieces(text);
    for _ in 0..1 + random.below(6) {
        change(&mut pieces, *dialect, random);
    }
    let text = pieces.concat();
    problems(&text).map(|_| text)
}

#[test]
fn fixes_keep_what_sheets_mean() {
    let bases = bases();
    assert!(bases.len() > 100, "{} sheets", bases.len());
    let mut codes: BTreeMap<&str, usize> = BTreeMap::new();
    let mut count = |fixed: Vec<&'static str>| fixed.into_iter().for_each(|code| *codes.entry(code).or_default() += 1);
    for (text, _) in &bases {
        count(assert_same_games(text, 0));
    }
    let seed = std::env::var("GGP_SEED").ok().and_then(|seed| seed.parse().ok()).unwrap_or(1);
    let (mut random, mutants) = (Chance::new(seed), effort(400, 40_000));
    for number in 0..mutants {
        if let Some(text) = mutant(&bases, &mut random) {
            count(assert_same_games(&text, number));
        }
    }
    println!("seed {seed}, {mutants} mutants: {codes:?}");
    assert!(["W207", "W208"].iter().all(|code| codes.get(code).is_some_and(|&count| count > 5)), "{codes:?}");
}

#[test]
fn fixes_keep_what_sheets_of_the_corpus_mean() {
    let every = effort(40, 1);
    let texts = sheets().into_iter().step_by(every).filter_map(|path| std::fs::read_to_string(path).ok());
    for text in texts.filter(|text| text.len() <= effort(20_000, usize::MAX) && problems(text).is_some()) {
        assert_same_games(&text, 0);
    }
}

/// The program writes what the law is about.
#[test]
fn the_program_applies_the_sound_fixes_of_mutants() {
    let (bases, mut random, mut tried) = (bases(), Chance::new(7), 0);
    let path = Path::new(env!("CARGO_TARGET_TMPDIR")).join("fixes_mutant.gdl");
    while tried < effort(10, 300) {
        let Some(text) = mutant(&bases, &mut random) else { continue };
        let (expected, codes) = fixed(&text);
        if codes.is_empty() {
            continue;
        }
        tried += 1;
        std::fs::write(&path, &text).expect("it can be written");
        let called = call(&["check", "--fix", path.to_str().expect("the path is text")]);
        let written = std::fs::read_to_string(&path).expect("it is there");
        // The program also writes `base` and `input`, at the end.
        assert!(written.starts_with(expected.trim_end()), "{written}\n{}\n{}", called.talk, called.answer);
        if let (Ok(before), Ok(after)) = (game(&expected, 0), game(&written, 0)) {
            assert_eq!(before, after, "{written}");
        }
    }
}
