//! The text of a tournament: a table of its players.

use crate::quantity::counted_as;
use crate::repl::answer::{Contender, Tournament};
use crate::statistics::Interval;
use crate::table::{Column, Table};

const COLUMNS: [&str; 6] = ["player", "wins", "draws", "losses", "score", "utility"];

/// The heading and the table.
pub(super) fn tournament(answer: &Tournament) -> String {
    format!("{}\n{}", heading(answer), rows(answer))
}

/// How many games have been played.
pub(crate) fn heading(answer: &Tournament) -> String {
    let &Tournament { ref game, games, abandoned, of, stopped, .. } = answer;
    let done = if games + abandoned == of { String::new() } else { format!("{} of ", games + abandoned) };
    let mut text = format!("{game}: {done}{}", counted_as(of, "game", "games"));
    if abandoned > 0 {
        text += &format!(", {abandoned} abandoned after too many plies");
    }
    if let Some(stop) = stopped {
        text += &format!(" ({stop})");
    }
    text
}

/// A row for each player.
pub(crate) fn rows(answer: &Tournament) -> String {
    let numbers = std::iter::repeat_n(Column::Right, COLUMNS.len() - 1);
    let columns: Vec<Column> = std::iter::once(Column::Left).chain(numbers).collect();
    Table::new(columns).row(COLUMNS).rows(answer.players.iter().map(row)).to_string()
}

fn row(contender: &Contender) -> [String; 6] {
    let &Contender { ref player, wins, draws, losses, score, mean } = contender;
    let (score, mean) = (score.map(share), mean.map(interval));
    let [wins, draws, losses] = [wins, draws, losses].map(|games| games.to_string());
    [player.clone(), wins, draws, losses, score.unwrap_or_default(), mean.unwrap_or_default()]
}

/// A share of the points with its interval, in percent.
pub(crate) fn share(Interval { value, low, high }: Interval) -> String {
    format!("{:.1}% ({:.1} to {:.1})", 100.0 * value, 100.0 * low, 100.0 * high)
}

/// A mean with its interval.
pub(crate) fn interval(Interval { value, low, high }: Interval) -> String {
    format!("{value:.1} ({low:.1} to {high:.1})")
}
