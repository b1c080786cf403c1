//! Renders evaluations feature by feature, and players who search again at every step.

use super::{counted, grouped, joined, line};
use crate::repl::answer::{ExplainedEvaluation, Replanned, ReplannedStep};
use crate::repl::words::cost_text;
use crate::search::{RatedMove, Worth};
use crate::syntax::Dialect;
use crate::table::{Column, Table};

/// A table for each role: the features by name and weight, their number and what they contribute.
pub(super) fn evaluation(ExplainedEvaluation { roles, .. }: &ExplainedEvaluation) -> String {
    if roles.is_empty() {
        return line("no feature holds in this state, so it is worth 0 to every role".to_string());
    }
    let mut text = String::new();
    for evaluated in roles {
        let columns = [Column::Left, Column::Right, Column::Right, Column::Right];
        let mut table =
            Table::new(columns).row([evaluated.role.to_string(), "number".into(), "weight".into(), "adds".into()]);
        for group in &evaluated.groups {
            let numbers = [grouped(group.keys.len()), group.weight.to_string(), group.contribution().to_string()];
            table = table.row([format!("  {}", group.feature)].into_iter().chain(numbers));
        }
        text +=
            &table.row(["  all".to_string(), String::new(), String::new(), evaluated.value.to_string()]).to_string();
    }
    text
}

/// A line for each step with the values of all moves.
pub(super) fn replanned(replanned: &Replanned, dialect: Dialect) -> String {
    let columns = [Column::Right, Column::Right, Column::Left, Column::Left, Column::Left];
    let mut table = Table::new(columns).row(["step", "now", "makes", "values", "equally good"]);
    for (number, ReplannedStep { evaluation, chosen, moves, best }) in (1..).zip(&replanned.steps) {
        let values = joined(
            moves.iter().map(|RatedMove { chosen, worth }| {
                let worth = match worth {
                    Worth::Utility(utility) => format!("{utility} at the end"),
                    worth => worth.number(),
                };
                format!("{} {worth}", chosen.display(dialect))
            }),
            ", ",
        );
        let equal =
            if best.len() > 1 { joined(best.iter().map(|term| term.display(dialect)), ", ") } else { String::new() };
        table =
            table.row([number.to_string(), evaluation.to_string(), chosen.display(dialect).to_string(), values, equal]);
    }
    let table = table.row(["end".to_string(), replanned.evaluation.to_string()]);
    let end = match (replanned.utility, replanned.stopped) {
        (Some(utility), _) => format!("the game is over: {utility}"),
        (None, Some(stop)) => stop.to_string(),
        (None, None) => "the game goes on".to_string(),
    };
    let steps = counted(replanned.steps.len(), "step");
    table.to_string() + &line(format!("{steps}, {end} ({})", cost_text(&replanned.cost)))
}
