//! The result of a match for the person who has played it.

use ggp_play::{PlayerKind, Series, Standing, Tally};

/// The result of a single match in which one person has played, as whole lines; the empty text if it has not ended.
/// `None` for other series.
pub(super) fn text(series: &Series, tally: &Tally) -> Option<String> {
    let mut people =
        series.players.iter().zip(&tally.standings).filter(|(player, _)| player.kind() == PlayerKind::Human);
    let (person, others) = (people.next()?.1, people.next());
    if series.games != (0..1) || others.is_some() {
        return None;
    }
    if tally.games == 0 {
        return Some(String::new());
    }
    let rivals: Vec<String> = tally.standings.iter().filter(|other| !std::ptr::eq(*other, person)).map(value).collect();
    let own = value(person);
    let result = match (&rivals[..], outcome(person)) {
        ([], _) => format!("your result is {own} of 100"),
        (rivals, outcome) => format!("you {outcome}, {own} to {}", rivals.join(" and ")),
    };
    let random = match person.faults {
        0 => String::new(),
        1 => "; one of your moves was made at random".to_string(),
        faults => format!("; {faults} of your moves were made at random"),
    };
    Some(format!("{result}{random}\n"))
}

fn outcome(person: &Standing) -> &'static str {
    match (person.wins, person.draws) {
        (0, 0) => "lost",
        (0, _) => "drew",
        _ => "won",
    }
}

/// The goal value of a player in its only match.
fn value(standing: &Standing) -> String {
    standing.utilities.to_string()
}
