//! The history of a fact in the match: the move and the rule by which it came, or by which it went.

use crate::repl::session::{Match, MatchStep};
use crate::repl::{CommandError, read};
use gdl::rules::GroundTerm;
use gdl::syntax::ast::Formula;
use gdl::syntax::operations::shown_moves;
use gdl::syntax::{Dialect, Source};
use ggp_engine::interpreter::Justification;
use ggp_engine::interpreter::explain::render;
use ggp_game::Reasoner;
use serde_json::{Value, json};

/// The steps of a match that explain why a fact is in the current state, or is not.
#[derive(Clone, Debug, Default)]
pub(crate) struct FactHistory {
    steps: Vec<HistoryStep>,
}

/// A step of a match with its effect on the fact.
#[derive(Clone, Debug)]
struct HistoryStep {
    effect: FactChange,
    /// The number of the ply, from 1; 0 for the start.
    ply: usize,
    /// The line of the prompt that took the step; `None` for the start.
    line: Option<String>,
    /// The proof of `init(F)` or `next(F)`, or the failures of its rules; `None` after a jump to a state.
    why: Option<Box<Justification>>,
}

/// The effect of a step on a fact.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum FactChange {
    /// It did not hold before, and holds after the step.
    Came,
    /// It held before, and still does.
    Kept,
    /// It held before, and no longer does.
    Went,
    /// It has not held in the match, and does not after the step.
    StayedAway,
}

impl FactHistory {
    /// The history of the fact that a claim `true(F)` or `~true(F)` is about; `None` if it is another claim, or has
    /// variables.
    ///
    /// # Errors
    /// Those of [`ggp_engine::interpreter::Interpreter::why`].
    pub(super) fn of_claim(current: &mut Match, claim: &Formula, levels: u32) -> Result<Option<Self>, CommandError> {
        let claim = if let Formula::Not { formula, .. } = claim { formula } else { claim };
        let Formula::Atom(atom) = claim else { return Ok(None) };
        let [term] = &atom.arguments[..] else { return Ok(None) };
        let Some(fact) = GroundTerm::from_term(term).filter(|_| &*atom.relation.text == "true") else {
            return Ok(None);
        };
        let plies = current.ply();
        let holds: Vec<bool> = (0..=plies)
            .map(|ply| {
                let (reasoner, state) = current.state_after(ply);
                reasoner.facts(state).contains(&fact)
            })
            .collect();
        let steps = match holds[plies] {
            true => {
                // The first state since which the fact has held.
                let came = holds.iter().rposition(|holds| !holds).map_or(0, |before| before + 1);
                let kept = (plies > came).then_some((FactChange::Kept, plies));
                [(FactChange::Came, came)].into_iter().chain(kept).collect()
            }
            false => match holds.iter().rposition(|&holds| holds) {
                Some(last) => vec![(FactChange::Went, last + 1)],
                None => vec![(FactChange::StayedAway, plies)],
            },
        };
        let steps = steps.into_iter().map(|(effect, ply)| step(current, &fact, effect, ply, levels));
        Ok(Some(Self { steps: steps.collect::<Result<_, _>>()? }))
    }

    /// The steps as text, each with its proof or the failures of its rules.
    pub(super) fn text(&self, source: &Source, depth: Option<u32>) -> String {
        let step = |step: &HistoryStep| {
            let why = step.why.as_ref().map(|why| render::text(why, source, depth)).unwrap_or_default();
            format!("{}{}\n{why}", step.heading(), if why.is_empty() { "" } else { ":" })
        };
        self.steps.iter().map(step).collect()
    }

    /// The steps as JSON.
    pub(super) fn json(&self, source: &Source, depth: Option<u32>) -> Value {
        let step = |step: &HistoryStep| {
            let why = step.why.as_ref().map(|why| render::json(why, source, depth));
            json!({ "effect": step.effect.name(), "ply": step.ply, "line": step.line, "why": why })
        };
        self.steps.iter().map(step).collect()
    }
}

/// A step of the match, by the number of its ply, with the explanation of `init` or `next`.
fn step(
    current: &mut Match,
    fact: &GroundTerm,
    effect: FactChange,
    ply: usize,
    levels: u32,
) -> Result<HistoryStep, CommandError> {
    let keyword = if ply == 0 { "init" } else { "next" };
    let literal = read::query(&format!("{keyword}({fact})"))?;
    let [literal] = &literal[..] else { return Ok(HistoryStep { effect, ply, line: None, why: None }) };
    let Some(index) = ply.checked_sub(1) else {
        let (reasoner, state) = current.beginning();
        let why = reasoner.why_to_level(state, None, literal, levels)?;
        return Ok(HistoryStep { effect, ply, line: None, why: Some(why.into()) });
    };
    let dialect = current.game.sheet.dialect;
    let line = current.steps().get(index).map(|step| line_of(step, dialect));
    let why = match current.state_before(index) {
        Some((reasoner, state, joint_move)) => {
            Some(reasoner.why_to_level(state, Some(joint_move), literal, levels)?.into())
        }
        None => None,
    };
    Ok(HistoryStep { effect, ply, line, why })
}

/// The line of the prompt that takes a step. In a game with operations only the role in control moves.
fn line_of(step: &MatchStep, dialect: Dialect) -> String {
    match step {
        MatchStep::Played(moves) => {
            let shown = shown_moves(moves, |chosen| &*chosen.name, dialect);
            MatchStep::Played(shown.into_iter().cloned().collect()).line()
        }
        MatchStep::Set(_) => step.line(),
    }
}

impl FactChange {
    fn name(self) -> &'static str {
        match self {
            Self::Came => "came",
            Self::Kept => "kept",
            Self::Went => "went",
            Self::StayedAway => "stayed_away",
        }
    }
}

impl HistoryStep {
    fn heading(&self) -> String {
        let Some(line) = &self.line else {
            return match self.effect {
                FactChange::Came | FactChange::Kept => "it is from `init`".to_string(),
                FactChange::Went | FactChange::StayedAway => "it is not in `init`".to_string(),
            };
        };
        let ply = self.ply;
        match (self.effect, &self.why) {
            (FactChange::Came | FactChange::Kept, None) => format!("ply {ply} was a jump to a state with it"),
            (FactChange::Went | FactChange::StayedAway, None) => format!("ply {ply} was a jump to a state without it"),
            (FactChange::Came, Some(_)) => format!("it came with ply {ply}, `{line}`"),
            (FactChange::Kept, Some(_)) => format!("it has held since, and after the last ply, `{line}`, by this rule"),
            (FactChange::Went, Some(_)) => format!("it held until ply {ply}, `{line}`, after which no rule makes it"),
            (FactChange::StayedAway, Some(_)) => {
                format!("it has not held in this match, and after the last ply, `{line}`, no rule makes it")
            }
        }
    }
}
