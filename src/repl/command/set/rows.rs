//! `set board`: positions of boards, row by row, and other facts: `[RELATION] ROW/ROW/… [FACT…]`, or `… [FACT, FACT…]`
//! with all other facts in brackets.

use super::super::board::facts;
use super::super::show::boards;
use crate::repl::session::Match;
use crate::repl::{CommandError, read};
use gdl::rules::GroundTerm;
use gdl::suggestion::{did_you_mean, nearest};
use ggp_draw::board::Board;
use std::ops::Range;

/// The parts of a typed position, as ranges of bytes of the operands.
#[derive(Default)]
struct TypedParts {
    /// The rows of boards, each after the name of its relation, if there is one.
    boards: Vec<(Option<Range<usize>>, Range<usize>)>,
    /// Facts that replace those of their relations.
    facts: Vec<Range<usize>>,
    /// All facts that stand on none of these boards.
    others: Option<Vec<Range<usize>>>,
}

/// The facts of the state that `text` describes; its first word is `board`.
pub(super) fn position(current: &mut Match, text: &str) -> Result<Vec<GroundTerm>, CommandError> {
    let now = facts(current);
    let known = boards(current, &now)?;
    let parts = TypedParts::read(text, &known)?;
    let mut typed = Vec::new();
    let mut replaced: Vec<&Board> = Vec::new();
    for (name, rows) in &parts.boards {
        let board = board(text, name.as_ref(), rows, &known)?;
        if replaced.iter().any(|other| std::ptr::eq(*other, board)) {
            return Err(CommandError::mistyped(text, rows.clone(), "this board is given twice", None));
        }
        replaced.push(board);
        typed.extend(board.facts_of_rows(&text[rows.clone()]).map_err(|wrong| {
            let at = rows.start + wrong.at.start..rows.start + wrong.at.end;
            let problem = format!("`{}`: {}", board.relation, wrong.problem);
            CommandError::mistyped(
                text,
                at,
                problem,
                Some("`show` draws the board, and `fen` writes it so".to_string()),
            )
        })?);
    }
    let term = |range: &Range<usize>| read::term_at(text, range.clone());
    let facts: Vec<GroundTerm> = parts.facts.iter().map(term).collect::<Result<_, _>>()?;
    let is_kept = |fact: &&GroundTerm| {
        let is_of = |other: &GroundTerm| other.name == fact.name && other.arguments.len() == fact.arguments.len();
        !replaced.iter().any(|board| board.draws(fact)) && !facts.iter().any(is_of)
    };
    match &parts.others {
        Some(others) => typed.extend(others.iter().map(term).collect::<Result<Vec<_>, _>>()?),
        None => typed.extend(now.iter().filter(is_kept).cloned()),
    }
    typed.extend(facts);
    Ok(typed)
}

/// The board that rows are for: the named one, or the only one.
fn board<'a>(
    text: &str,
    name: Option<&Range<usize>>,
    rows: &Range<usize>,
    known: &'a [Board],
) -> Result<&'a Board, CommandError> {
    let named = name.map(|range| &text[range.clone()]);
    match (named, known) {
        (Some(name), _) => Ok(known.iter().find(|board| board.relation == name).expect("only boards are names here")),
        (None, [board]) => Ok(board),
        (None, []) => {
            Err(CommandError::mistyped(text, rows.clone(), "no relation of this state looks like a board", None))
        }
        (None, _) => {
            let names: Vec<&str> = known.iter().map(|board| board.relation.as_str()).collect();
            let help = format!("write the name before the rows: `set board {} …`", names[0]);
            let problem = format!("which board is this: {}?", names.join(", "));
            Err(CommandError::mistyped(text, rows.clone(), problem, Some(help)))
        }
    }
}

impl TypedParts {
    /// Splits the operands of `set`. Rows end at the first space, unless they stand in quotation marks or have a slash
    /// between spaces; such rows end before the first fact with parentheses.
    fn read(text: &str, known: &[Board]) -> Result<Self, CommandError> {
        let mut parts = Self::default();
        let mut at = "board".len();
        loop {
            at += text[at..].len() - text[at..].trim_start().len();
            let Some(first) = text[at..].chars().next() else { break };
            let word = at..at + text[at..].find(char::is_whitespace).unwrap_or(text.len() - at);
            let name = known.iter().any(|board| text[word.clone()] == board.relation).then(|| word.clone());
            let begin = name.as_ref().map_or(at, |name| name.end + spaces(&text[name.end..]));
            let is_first = parts.boards.is_empty() && parts.facts.is_empty() && parts.others.is_none();
            if first == '[' {
                let list = bracketed(text, at)?;
                parts.others.get_or_insert_default().extend(items(text, list.clone()));
                at = list.end + 1;
            } else if name.is_some() && begin < text.len() || is_first || is_rows(&text[at..]) {
                if name.is_none() {
                    misspelt(text, word, known)?;
                }
                let (rows, end) = rows(text, begin)?;
                parts.boards.push((name, rows));
                at = end;
            } else {
                let fact = read::words(&text[at..]).next().expect("there is a word");
                parts.facts.push(at + fact.start..at + fact.end);
                at += fact.end;
            }
        }
        Ok(parts)
    }
}

/// The error for a word that is nearly the name of a board, before rows.
fn misspelt(text: &str, word: Range<usize>, known: &[Board]) -> Result<(), CommandError> {
    let near = nearest(&text[word.clone()], known.iter().map(|board| board.relation.as_str()));
    if near.is_empty() || text[word.clone()].contains('/') || !is_rows(text[word.end..].trim_start()) {
        return Ok(());
    }
    let problem = format!("there is no board `{}`; {}", &text[word.clone()], did_you_mean(&near));
    Err(CommandError::mistyped(text, word, problem, None))
}

/// Whether a text begins with rows and not with a fact.
fn is_rows(text: &str) -> bool {
    let word = &text[..text.find(char::is_whitespace).unwrap_or(text.len())];
    text.starts_with(['"', '\'']) || word.contains('/') && !word.contains('(')
}

/// The range of the rows at an offset, and where they end, a closing quotation mark included.
fn rows(text: &str, at: usize) -> Result<(Range<usize>, usize), CommandError> {
    let mark = text[at..].chars().next().filter(|mark| matches!(mark, '\'' | '"'));
    if let Some(mark) = mark {
        let Some(length) = text[at + 1..].find(mark) else {
            return Err(CommandError::mistyped(text, at..at + 1, format!("a closing `{mark}` is missing"), None));
        };
        let inside = at + 1..at + 1 + length;
        let trimmed = text[inside.clone()].trim();
        let start = inside.start + spaces(&text[inside.clone()]);
        return Ok((start..start + trimmed.len(), inside.end + 1));
    }
    let word = at + text[at..].find(char::is_whitespace).unwrap_or(text.len() - at);
    let is_spaced = text[at..].split_whitespace().any(|word| word.starts_with('/') || word.ends_with('/'));
    if !is_spaced {
        return Ok((at..word, word));
    }
    let is_fact = |word: &Range<usize>| text[at..][word.clone()].contains(['(', '[']);
    let words = read::words(&text[at..]).take_while(|word| !is_fact(word));
    let end = words.last().map_or(word, |word| at + word.end);
    Ok((at..end, end))
}

/// The range between the brackets that open at an offset.
fn bracketed(text: &str, at: usize) -> Result<Range<usize>, CommandError> {
    let mut depth = 0_usize;
    for (index, c) in text[at..].char_indices() {
        match c {
            '[' | '(' => depth += 1,
            ']' | ')' => depth -= 1,
            _ => {}
        }
        if depth == 0 {
            return Ok(at + 1..at + index);
        }
    }
    Err(CommandError::mistyped(text, at..at + 1, "this `[` is never closed", None))
}

/// The items between commas in a range.
fn items(text: &str, list: Range<usize>) -> Vec<Range<usize>> {
    let spaced = read::without_commas(&text[list.clone()]);
    read::words(&spaced).map(|word| list.start + word.start..list.start + word.end).collect()
}

/// The length of the white space at the beginning of a text.
fn spaces(text: &str) -> usize {
    text.len() - text.trim_start().len()
}
