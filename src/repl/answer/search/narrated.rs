//! Renders narrated procedures: a line for each step, indented by the calls around it.

use crate::repl::answer::Narration;
use crate::repl::answer::text::{line, terms};
use gdl::quantity::counted_as;
use gdl::rules::GroundTerm;
use gdl::syntax::Dialect;
use ggp_search::{CallVerdict, NarratedEvent, NarratedStep, Procedure, ScoredPlan};

/// The lines of a narration.
pub(super) fn text(narration: &Narration, dialect: Dialect) -> String {
    let writer = NarrationWriter { procedure: narration.procedure, dialect };
    let mut text = String::new();
    for step in &narration.steps {
        text += &line("  ".repeat(step.depth as usize) + &writer.step(step));
    }
    if narration.left_out > 0 {
        text += &line(format!("… {}", counted_as(narration.left_out, "step more", "steps more")));
    }
    text
}

struct NarrationWriter {
    procedure: Procedure,
    dialect: Dialect,
}

impl NarrationWriter {
    fn step(&self, NarratedStep { depth, what }: &NarratedStep<GroundTerm>) -> String {
        match what {
            NarratedEvent::Call { number, chosen } => {
                let name = match self.procedure {
                    Procedure::BestMove if *depth == 0 => "bestmove",
                    Procedure::BestMove | Procedure::MaxScore => "maxscore",
                    Procedure::BestPlan => "bestplan",
                };
                match chosen {
                    Some(chosen) => format!("call {number}: {name} after {}", chosen.display(self.dialect)),
                    None => format!("call {number}: {name}"),
                }
            }
            NarratedEvent::TerminalTest { reward: None } => "terminal: no".to_string(),
            NarratedEvent::TerminalTest { reward: Some(reward) } => {
                let result = ScoredPlan { score: *reward, plan: Vec::new() };
                format!("terminal: yes, return {}", self.result(&result))
            }
            NarratedEvent::Moves { moves, score } => {
                let begin = match (score, moves.first()) {
                    (None, _) => String::new(),
                    (Some(score), Some(first)) if self.procedure == Procedure::BestMove && *depth == 0 => {
                        format!("; begin with {} and score {score}", first.display(self.dialect))
                    }
                    (Some(score), _) => format!("; begin with score {score}"),
                };
                format!("moves: {}{begin}", terms(moves, ", ", self.dialect))
            }
            NarratedEvent::Beyond => "beyond the limit on depth: not examined".to_string(),
            NarratedEvent::Compared { chosen, result, verdict } => {
                let result = result.as_ref().map_or("nothing".to_string(), |result| self.result(result));
                let verdict = match verdict {
                    CallVerdict::AtOnce => "return at once".to_string(),
                    CallVerdict::First => "the first result, keep".to_string(),
                    CallVerdict::Greater(than) => format!("greater than {than}, keep"),
                    CallVerdict::NotGreater(than) => format!("not greater than {than}"),
                    CallVerdict::Unknown => "nothing to keep".to_string(),
                };
                format!("{}: {result}, {verdict}", chosen.display(self.dialect))
            }
            NarratedEvent::Returned { result } => match (self.procedure, &result.plan[..]) {
                (Procedure::BestMove, [chosen]) if *depth == 0 => format!("return {}", chosen.display(self.dialect)),
                _ => format!("return {}", self.result(result)),
            },
        }
    }

    /// A score, or for `bestplan` the pair of a score and a plan, last move first.
    fn result(&self, ScoredPlan { score, plan }: &ScoredPlan<GroundTerm>) -> String {
        match self.procedure {
            Procedure::BestPlan => format!("({score}, [{}])", terms(plan, " ", self.dialect)),
            _ => score.to_string(),
        }
    }
}
