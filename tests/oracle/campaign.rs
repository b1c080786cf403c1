//! Runs of the oracle: random games, each with questions on both engines, until there are enough answers.

use crate::games::Game;
use crate::judge::{Judge, Verdict};
use crate::questions::Question;
use crate::random::Random;
use ggp::diagnostic::render::Paint;
use ggp::engine::{EngineKind, load_text};
use ggp::repl::render::text;
use ggp::repl::{Session, evaluate};
use ggp::syntax::{Dialect, Source};
use serde_json::Value as Json;
use std::collections::BTreeMap;
use std::fmt::Write;
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::path::PathBuf;
use std::sync::Arc;

/// Questions for a game on an engine.
const QUESTIONS: usize = 12;

/// What a run has asked and found.
#[derive(Default)]
pub(crate) struct Tally {
    pub(crate) games: u64,
    pub(crate) answers: u64,
    /// How many answers of each command were equal, bounds, estimates and refusals.
    counts: BTreeMap<&'static str, [u64; 4]>,
    pub(crate) faults: Vec<String>,
}

/// Asks about random games of a seed until there are `answers` answers, or `faults` of them are wrong.
pub(crate) fn run(seed: u64, answers: u64, faults: usize) -> Tally {
    let mut tally = Tally::default();
    while tally.answers < answers && tally.faults.len() < faults {
        case(seed, tally.games, &mut tally);
        tally.games += 1;
    }
    tally
}

/// A game with its questions.
fn case(seed: u64, number: u64, tally: &mut Tally) {
    let mut random = Random::of_case(seed, number);
    let game = Game::random(&mut random);
    let evaluation = format!("oracle_evaluation_{seed}.kif");
    std::fs::write(folder().join(&evaluation), &game.evaluation).expect("the folder of the tests is writable");
    for kind in [EngineKind::Propnet, EngineKind::Interpreter] {
        let mut session = match begun(&game, kind) {
            Ok(session) => session,
            Err(error) => {
                tally.faults.push(format!("case {number}: {}\n{error}", game.sheet.text));
                return;
            }
        };
        for _ in 0..QUESTIONS {
            let question = Question::random(&game, &evaluation, &mut random);
            let answer = catch_unwind(AssertUnwindSafe(|| asked(&mut session, &question.line)));
            let panicked = answer.is_err();
            let answer = answer.unwrap_or_else(|_| Err("it panicked".to_string()));
            tally.answers += 1;
            match Judge::new(&game, &question).judge(&answer) {
                Ok(verdict) => tally.counts.entry(question.name).or_default()[verdict as usize] += 1,
                Err(wrong) => {
                    tally.faults.push(report(seed, number, &game, kind, &question, &answer, &wrong));
                }
            }
            if panicked {
                break;
            }
        }
    }
}

/// A session of the game in its position.
pub(crate) fn begun(game: &Game, kind: EngineKind) -> Result<Session, String> {
    let source = Source::new("oracle", game.sheet.text.clone());
    let loaded = load_text("oracle".to_string(), source, Some(Dialect::Prefix), kind);
    let loaded = loaded.map_err(|error| error.to_string())?;
    let mut session = Session::new(folder(), Arc::default());
    session.adopt(loaded).map_err(|error| error.to_string())?;
    for line in lines(game) {
        evaluate(&mut session, &line).map_err(|error| format!("{line}: {error}"))?;
    }
    Ok(session)
}

/// The lines that lead to the position.
fn lines(game: &Game) -> Vec<String> {
    let made = |joint_move: &Vec<crate::reasoner::Term>| {
        let moves: Vec<String> = joint_move.iter().map(ToString::to_string).collect();
        format!("do {}", moves.join(" "))
    };
    game.moves.iter().map(made).collect()
}

/// The answer to a line as JSON, or its error.
pub(crate) fn asked(session: &mut Session, line: &str) -> Result<Json, String> {
    let answer = evaluate(session, &format!("{line} --json")).map_err(|error| error.to_string())?;
    let shown = text(&answer, Paint::Plain, Dialect::Infix);
    serde_json::from_str(&shown).map_err(|error| format!("{error} in {shown}"))
}

fn folder() -> PathBuf {
    PathBuf::from(env!("CARGO_TARGET_TMPDIR"))
}

/// All that is needed to ask again.
fn report(
    seed: u64,
    number: u64,
    game: &Game,
    kind: EngineKind,
    question: &Question,
    answer: &Result<Json, String>,
    wrong: &str,
) -> String {
    let mut report = format!("seed {seed}, case {number}, {}: {wrong}\n", kind.name());
    let _ = writeln!(report, "{}", lines(game).join("\n"));
    let _ = writeln!(report, "{}", question.line);
    let shown = answer.as_ref().map_or_else(|error| format!("error: {error}"), ToString::to_string);
    let _ = writeln!(report, "{shown}");
    if question.evaluates {
        let _ = writeln!(report, "; the evaluation\n{}", game.evaluation);
    }
    let _ = writeln!(report, "; the sheet\n{}", game.sheet.text);
    report
}

impl Tally {
    /// How many answers of each command were of each kind.
    pub(crate) fn table(&self) -> String {
        let mut table = format!("{} answers about {} games\n", self.answers, self.games);
        for (name, [equal, bounds, estimates, refused]) in &self.counts {
            let _ = writeln!(
                table,
                "{name:>15}: {equal:6} equal {bounds:6} bounds {estimates:6} estimates {refused:6} refused"
            );
        }
        table
    }

    /// The share of answers whose values were compared.
    pub(crate) fn compared(&self) -> f64 {
        let equal: u64 = self.counts.values().map(|counts| counts[Verdict::Equal as usize]).sum();
        equal as f64 / self.answers as f64
    }
}
