//! Report for a player of a tournament: its results, its faults, and the moves that threw an exact value away.

use super::result::{PlayedMatch, PlayedSeat};
use super::review::{RoleReview, ThrownValue};
use crate::table::{Column, Table};
use gdl::quantity::counted_as;
use ggp_play::read_term;
use std::fmt::Write;

/// What is known of a match.
pub(super) struct ReviewedMatch<'m> {
    pub(super) played: &'m PlayedMatch,
    /// The choices of each role; empty if they were not examined.
    pub(super) review: &'m [RoleReview],
}

/// The report for a player, by its index.
pub(super) fn report(player: usize, names: &[String], matches: &[ReviewedMatch<'_>], limits: &str) -> String {
    let own: Vec<(&ReviewedMatch<'_>, &PlayedSeat)> = matches
        .iter()
        .flat_map(|reviewed| {
            let seats = reviewed.played.seats.iter().filter(|seat| seat.player == player);
            seats.map(move |seat| (reviewed, seat))
        })
        .collect();
    let mut text = format!("{}: {}\n\n", names[player], counted_as(own.len() as u64, "match", "matches"));
    text += &results(names, &own);
    text += &faults(&own);
    text += &thrown(&own, limits);
    text
}

/// A line for each match: its identifier, the opponents and the goal value.
fn results(names: &[String], own: &[(&ReviewedMatch<'_>, &PlayedSeat)]) -> String {
    let row = |(reviewed, seat): &(&ReviewedMatch<'_>, &PlayedSeat)| {
        let played = reviewed.played;
        let others: Vec<&str> = played
            .seats
            .iter()
            .filter(|other| other.role != seat.role)
            .map(|other| names[other.player].as_str())
            .collect();
        let goal = seat.goal.map_or_else(|| "-".to_string(), |goal| goal.to_string());
        let remark = match (played.is_over, seat.is_absent, played.is_default()) {
            (false, ..) => "abandoned after too many moves",
            (_, true, _) => "did not take part: lost by default",
            (_, false, true) => "the opponent did not take part",
            _ => "",
        };
        [played.id.clone(), others.join(", "), goal, remark.to_string()]
    };
    let columns = [Column::Left, Column::Left, Column::Right, Column::Left];
    Table::new(columns).row(["match", "against", "goal", ""]).rows(own.iter().map(row)).to_string()
}

/// The turns in which the manager made a random move for the player.
fn faults(own: &[(&ReviewedMatch<'_>, &PlayedSeat)]) -> String {
    let mut text = "\nTurns without a legal move in time, in which a random one was made:".to_string();
    let before = text.len();
    for (reviewed, seat) in own {
        let id = &reviewed.played.id;
        let Some(record) = &reviewed.played.record else {
            let counts = [(seat.faults.illegal, "not legal"), (seat.faults.late, "too late")];
            for (count, what) in counts.into_iter().filter(|(count, _)| *count > 0) {
                _ = write!(text, "\n  {id}: {}", counted_as(count, "move", "moves") + " " + what);
            }
            continue;
        };
        if seat.is_absent || reviewed.played.is_default() {
            continue;
        }
        // An entry for the start comes before those of the joint moves.
        for (number, errors) in record.errors.iter().enumerate() {
            let what = match errors.get(seat.role).map_or("", String::as_str) {
                "" => continue,
                "TO" => "no answer in time".to_string(),
                code => match code.strip_prefix("IL ").and_then(|chosen| read_term(chosen).ok()) {
                    Some(chosen) => format!("{chosen} is not legal"),
                    None => "no answer that can be read, or no connection".to_string(),
                },
            };
            let at = if number == 0 { "at the start".to_string() } else { format!("move {number}") };
            _ = write!(text, "\n  {id}, {at}: {what}");
        }
    }
    if text.len() == before {
        text += " none";
    }
    text + "\n"
}

/// The moves that threw an exact value away.
fn thrown(own: &[(&ReviewedMatch<'_>, &PlayedSeat)], limits: &str) -> String {
    let mut text = "\nMoves that threw an exact value away:".to_string();
    let before = text.len();
    let mut sum = RoleReview::default();
    for (reviewed, seat) in own {
        let Some(review) = reviewed.review.get(seat.role) else { continue };
        sum.choices += review.choices;
        sum.examined += review.examined;
        for ThrownValue { number, chosen, value, best, lost } in &review.thrown {
            let id = &reviewed.played.id;
            let kept = best.as_ref().map_or_else(String::new, |best| format!("; {best} keeps {lost}"));
            _ = write!(text, "\n  {id}, move {number}: {chosen} leads from {lost} to {value}{kept}");
        }
    }
    if text.len() == before {
        text += " none";
    }
    let choices = counted_as(sum.choices, "choice", "choices");
    _ = write!(text, "\n{} of {choices} examined: {limits}\n", sum.examined);
    text
}
