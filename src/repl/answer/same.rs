//! The answer to the question whether two rule sheets define the same game, in words.

use gdl::quantity::{counted, counted_as};
use ggp_engine::{Game, line_of_play};
use ggp_play::SameVerdict;
use ggp_search::{DifferenceKind, GameDifference};

/// The answer with the games that it is about.
pub(crate) struct SameReport<'g> {
    pub(crate) first: &'g Game,
    pub(crate) second: &'g Game,
    pub(crate) verdict: &'g SameVerdict,
}

/// What an answer says of percepts where play shows no difference.
const PERCEPTS: &str = "what roles see (`sees`) is compared by the rules alone, which are not the same";

/// The numbers of states of both games.
fn states_text(states: [usize; 2]) -> String {
    match states {
        [one, other] if one == other => counted(one, "state"),
        [one, other] => format!("{} and {}", counted(one, "state"), counted(other, "state")),
    }
}

/// The names that are shown of a renaming, and of moves that only one game has.
const SHOWN: usize = 8;

impl SameReport<'_> {
    /// The answer in words: one line.
    pub(crate) fn text(&self) -> String {
        match self.verdict {
            SameVerdict::SameRules(renaming) if renaming.pairs.is_empty() => {
                "the same: the rules differ at most in their order and in names of variables\n".to_string()
            }
            SameVerdict::SameRules(renaming) => {
                let pairs = renaming.pairs.iter().map(|(old, new)| format!("{old} = {new}"));
                format!("the same: the rules differ only in their order and in names ({})\n", listed(pairs))
            }
            SameVerdict::SameStates { states, by_name, roles } => {
                let names = if *by_name { "the moves have the same names" } else { "the moves have other names" };
                let pairs = self.first.roles().iter().zip(roles);
                let renamed: Vec<String> = pairs
                    .filter(|(role, other)| *role != *other)
                    .map(|(role, other)| format!("{role} = {other}"))
                    .collect();
                let roles =
                    if renamed.is_empty() { String::new() } else { format!(", and the roles: {}", listed(renamed)) };
                format!("the same: proven for {}; {names}{roles}\n", states_text(*states))
            }
            SameVerdict::SamePlay { states } => {
                format!("no difference in the moves, ends and goals of {}; {PERCEPTS}\n", states_text(*states))
            }
            SameVerdict::RoleCounts([one, other]) => {
                format!(
                    "they differ: {} {}, {} {}\n",
                    self.first.name,
                    counted(*one, "role"),
                    self.second.name,
                    counted(*other, "role")
                )
            }
            SameVerdict::Different(difference) => {
                format!("they differ {}: {}\n", self.way(difference), self.difference(&difference.kind))
            }
            SameVerdict::Unknown { games } => {
                let percepts = if self.leaves_percepts_open() { format!("; {PERCEPTS}") } else { String::new() };
                let games = counted_as(*games, "game", "games");
                format!("no difference in {games}, and no proof that there is none{percepts}\n")
            }
        }
    }

    /// True if roles may see different things in the two games.
    pub(crate) fn leaves_percepts_open(&self) -> bool {
        let has_percepts = self.first.rules.has_percepts() || self.second.rules.has_percepts();
        has_percepts && matches!(self.verdict, SameVerdict::SamePlay { .. } | SameVerdict::Unknown { .. })
    }

    /// The moves that lead to a difference, as `do` takes them; those of the second game too if they have other names.
    fn way(&self, difference: &GameDifference) -> String {
        let [first, second] = &difference.lines;
        if first.is_empty() {
            return "at the start".to_string();
        }
        let own = line_of_play(first, self.first.sheet.dialect);
        let other = line_of_play(second, self.second.sheet.dialect);
        if own == other {
            format!("after {own}")
        } else {
            format!("after {own} in {}, {other} in {}", self.first.name, self.second.name)
        }
    }

    pub(crate) fn difference(&self, kind: &DifferenceKind) -> String {
        let (first, second) = (&self.first.name, &self.second.name);
        let roles = self.first.roles();
        match kind {
            DifferenceKind::End { first_is_terminal: true } => format!("{first} is over, {second} is not"),
            DifferenceKind::End { first_is_terminal: false } => format!("{second} is over, {first} is not"),
            DifferenceKind::Goal { role, values } => {
                let [one, other] =
                    values.map(|value| value.map_or("no single value".to_string(), |value| value.to_string()));
                format!("the goal of {} is {one} in {first}, {other} in {second}", roles[role.index()])
            }
            DifferenceKind::Moves { role, counts, only } => {
                let [one, other] = counts.map(|count| counted(count, "legal move"));
                let mut text = format!("{} has {one} in {first}, {other} in {second}", roles[role.index()]);
                for (game, names) in [(self.first, &only[0]), (self.second, &only[1])] {
                    if !names.is_empty() {
                        let names = names.iter().map(|name| name.display(game.sheet.dialect).to_string());
                        text += &format!("; only in {}: {}", game.name, listed(names));
                    }
                }
                text
            }
            DifferenceKind::Arrangement => "what follows the moves cannot be paired".to_string(),
        }
    }
}

/// Some of the texts, and how many there are beside them.
fn listed(texts: impl IntoIterator<Item = String>) -> String {
    let texts: Vec<String> = texts.into_iter().collect();
    let shown = texts.iter().take(SHOWN).cloned();
    let more = (texts.len() > SHOWN).then(|| format!("and {} more", texts.len() - SHOWN));
    shown.chain(more).collect::<Vec<_>>().join(", ")
}
