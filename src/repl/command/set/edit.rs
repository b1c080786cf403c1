//! Single facts that are added to a state or removed from it: `+FACT -FACT …`.

use crate::repl::{CommandError, read};
use gdl::rules::GroundTerm;

/// A fact that is added or removed.
pub(super) struct Edit {
    adds: bool,
    fact: GroundTerm,
}

/// The signs of facts that are added and removed.
const SIGNS: [char; 2] = ['+', '-'];

impl Edit {
    /// Whether a text begins with a signed fact, so that each of its facts needs a sign.
    pub(super) fn begins(text: &str) -> bool {
        text.starts_with(SIGNS)
    }

    /// Parses signed facts with spaces or commas between them; there may be a space after a sign.
    pub(super) fn all(text: &str) -> Result<Vec<Self>, CommandError> {
        let spaced = read::without_commas(text);
        let mut edits: Vec<Self> = Vec::new();
        let mut waiting = None;
        for word in read::words(&spaced) {
            let own = text[word.clone()].chars().next().filter(|first| SIGNS.contains(first));
            let fact = word.start + own.map_or(0, char::len_utf8)..word.end;
            let adds = match (waiting.take(), own) {
                (None, Some(sign)) => sign == '+',
                (Some(adds), None) => adds,
                (Some(_), Some(_)) => return Err(CommandError::mistyped(text, word, "there are two signs here", None)),
                (None, None) => {
                    let help = "`set FACT …` without signs is the state in which exactly these facts hold";
                    let problem = "this fact has no sign, and the first one has";
                    return Err(CommandError::mistyped(text, word, problem, Some(help.to_string())));
                }
            };
            if fact.is_empty() {
                waiting = Some(adds);
                continue;
            }
            let edit = Self { adds, fact: read::term_at(text, fact.clone())? };
            if edits.iter().any(|other| other.fact == edit.fact && other.adds != adds) {
                return Err(CommandError::mistyped(text, fact, "this fact is both added and removed", None));
            }
            edits.push(edit);
        }
        match waiting {
            Some(_) => {
                Err(CommandError::mistyped(text, text.len() - 1..text.len(), "there is no fact after this sign", None))
            }
            None => Ok(edits),
        }
    }

    /// What to say if the edit changes nothing.
    pub(super) fn idle(&self, before: &[GroundTerm]) -> Option<String> {
        match (self.adds, before.binary_search(&self.fact).is_ok()) {
            (true, true) => Some(format!("`{}` holds already", self.fact)),
            (false, false) => Some(format!("`{}` does not hold, so it cannot be removed", self.fact)),
            _ => None,
        }
    }
}

/// The facts of a state after edits.
pub(super) fn edited(before: &[GroundTerm], edits: &[Edit]) -> Vec<GroundTerm> {
    let is_removed = |fact: &&GroundTerm| edits.iter().any(|edit| !edit.adds && edit.fact == **fact);
    let added = edits.iter().filter(|edit| edit.adds).map(|edit| &edit.fact);
    before.iter().filter(|fact| !is_removed(fact)).chain(added).cloned().collect()
}
