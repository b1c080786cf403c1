//! Commands `set` and `fen`. `set` jumps to another state, in which exactly the given facts hold, or which differs from
//! the current one in single facts (`+FACT -FACT …`) or in the position of a board, row by row (`board [RELATION]
//! ROW/ROW/… [FACT…]`, or `… [FACT, FACT…]` with all other facts in brackets). `fen` writes the current state in that
//! form.

use super::show::{boards, drawn, facts};
use super::{ArgumentKind, Arguments, Command, show};
use crate::repl::answer::text::line;
use crate::repl::answer::{MatchPosition, StateChange, Statement};
use crate::repl::session::Match;
use crate::repl::{Answer, CommandError, Session, read};
use gdl::rules::GroundTerm;
use gdl::sorting;
use gdl::suggestion::{did_you_mean, nearest};
use ggp_draw::board::Board;
use ggp_engine::{Game, Impossible, impossible};
use std::ops::Range;

pub(super) const SET: Command = Command {
    name: "set",
    operands: "FACT… | +FACT -FACT … | [board] [RELATION] ROW/ROW/… [FACT…|[FACT,…]]",
    summary: "set the state in which exactly these facts hold; `+` and `-` before facts add and remove single ones, and `set board` sets the squares of a board and keeps all other facts; `undo` goes back, and `set []` is the empty state",
    example: "set +cell(2,2,x) -cell(2,2,b)",
    takes: ArgumentKind::Fact,
    ..Command::run_by(set)
};

/// The greatest number of facts that are named in one warning.
const NAMED_FACTS: usize = 5;

fn set(session: &mut Session, arguments: &Arguments) -> Result<Answer, CommandError> {
    let draws = session.draws_boards;
    let current = session.current()?;
    let text = arguments.operands();
    let before = facts(current);
    let mut warnings = Vec::new();
    let wanted = match read::word(text) {
        ("", _) => return Err(arguments.wrong("which facts?")),
        ("board", "") => return Err(arguments.wrong("`set board` needs rows with slashes between them")),
        ("board", _) => typed_position(current, text, "board".len())?,
        _ if is_position(text) => typed_position(current, text, 0)?,
        _ if Edit::begins(text) => {
            let edits = Edit::all(text)?;
            warnings.extend(edits.iter().filter_map(|edit| edit.idle(&before)));
            edited(&before, &edits)
        }
        _ => read::list(text)?,
    };
    warnings.extend(impossible_facts(&mut current.game, &before, &wanted)?);
    current.set(&wanted)?;
    match show::position(current) {
        Ok(position) => {
            let now = facts(current);
            let drawn = if draws { drawn(current, &now, Some(&before)) } else { None };
            let change = Some(StateChange::between(&before, &now));
            Ok(Answer::new(MatchPosition { change, drawn, warnings, ..position }))
        }
        Err(error) => {
            current.retract(1);
            Err(error)
        }
    }
}

/// True if a text has the rows of a board, with slashes between them: `1 2 3 / 4 5 6 / 7 8 b`. No list of facts has one
/// outside brackets.
fn is_position(text: &str) -> bool {
    !text.starts_with(SIGNS) && read::depths(text).any(|(_, c, depth)| c == '/' && depth == 0)
}

/// Warnings about the facts that no state can have, except those that hold already.
fn impossible_facts(
    game: &mut Game,
    before: &[GroundTerm],
    wanted: &[GroundTerm],
) -> Result<Vec<String>, CommandError> {
    // Facts that hold already have been warned of, if at all, when they were set.
    let fresh: Vec<GroundTerm> = wanted.iter().filter(|fact| before.binary_search(fact).is_err()).cloned().collect();
    let mut problems = impossible(game, &fresh)?;
    sorting::sort_by_key(&mut problems, |(reason, _)| *reason);
    let warning = |group: &[(Impossible, GroundTerm)]| {
        let mut names: Vec<String> = group.iter().take(NAMED_FACTS).map(|(_, fact)| format!("`{fact}`")).collect();
        if group.len() > NAMED_FACTS {
            names.push(format!("and {} more", group.len() - NAMED_FACTS));
        }
        let names = names.join(", ");
        match group[0].0 {
            Impossible::OutsideBase => format!("`base` does not have {names}"),
            Impossible::OutOfReach => format!("no line of play from the initial state leads to {names}"),
            Impossible::NoRule => format!("no rule for `init` or `next` gives {names}"),
        }
    };
    Ok(problems.chunk_by(|left, right| left.0 == right.0).map(warning).collect())
}

/// A fact that is added or removed.
struct Edit {
    adds: bool,
    fact: GroundTerm,
}

/// The signs of facts that are added and removed.
const SIGNS: [char; 2] = ['+', '-'];

impl Edit {
    /// True if a text begins with a signed fact, so that each of its facts needs a sign.
    fn begins(text: &str) -> bool {
        text.starts_with(SIGNS)
    }

    /// Parses signed facts with spaces or commas between them; there may be a space after a sign.
    fn all(text: &str) -> Result<Vec<Self>, CommandError> {
        // Offsets stay valid, since each comma becomes one space.
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

    /// A warning if the edit changes nothing.
    fn idle(&self, before: &[GroundTerm]) -> Option<String> {
        match (self.adds, before.binary_search(&self.fact).is_ok()) {
            (true, true) => Some(format!("`{}` holds already", self.fact)),
            (false, false) => Some(format!("`{}` does not hold, so it cannot be removed", self.fact)),
            _ => None,
        }
    }
}

/// The facts of a state after edits.
fn edited(before: &[GroundTerm], edits: &[Edit]) -> Vec<GroundTerm> {
    let is_removed = |fact: &&GroundTerm| edits.iter().any(|edit| !edit.adds && edit.fact == **fact);
    let added = edits.iter().filter(|edit| edit.adds).map(|edit| &edit.fact);
    before.iter().filter(|fact| !is_removed(fact)).chain(added).cloned().collect()
}

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

/// The facts of the state that `text` describes from a byte on, behind the word `board` if it is there.
fn typed_position(current: &mut Match, text: &str, start: usize) -> Result<Vec<GroundTerm>, CommandError> {
    let now = facts(current);
    let known = boards(current, &now)?;
    let parts = TypedParts::read(text, start, &known)?;
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
    /// Splits the operands of `set board`. Rows end at the first space, unless they stand in quotation marks or have a
    /// slash between spaces; such rows end before the first fact with parentheses.
    fn read(text: &str, start: usize, known: &[Board]) -> Result<Self, CommandError> {
        let mut parts = Self::default();
        let mut at = start;
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

/// True if a text begins with rows and not with a fact.
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

pub(super) const FEN: Command = Command {
    name: "fen",
    summary: "write the position as a line that `set board` takes: boards row by row, and all other facts in brackets",
    example: "fen",
    ..Command::run_by(fen)
};

fn fen(session: &mut Session, _: &Arguments) -> Result<Answer, CommandError> {
    let dialect = session.dialect();
    let current = session.current()?;
    let mut others = facts(current);
    let boards = boards(current, &others)?;
    let is_only = boards.len() == 1;
    let mut parts = Vec::new();
    for board in &boards {
        let (own, rest): (Vec<GroundTerm>, _) = others.iter().cloned().partition(|fact| board.draws(fact));
        // Facts that rows cannot express stay among the facts.
        let is_only_name = boards.iter().filter(|other| other.relation == board.relation).count() == 1;
        let is_exact = |rows: &String| is_only_name && board.facts_of_rows(rows).is_ok_and(|read| read == own);
        let Some(rows) = board.rows_text().filter(is_exact) else { continue };
        let rows = if rows.contains([' ', '#', '%', '(', ')', '[', ']']) { format!("\"{rows}\"") } else { rows };
        parts.push(if is_only { rows } else { format!("{} {rows}", board.relation) });
        others = rest;
    }
    let others: Vec<String> = others.iter().map(|fact| fact.display(dialect).to_string()).collect();
    parts.push(format!("[{}]", others.join(", ")));
    let position = parts.join(" ");
    Ok(Answer::new(Statement::new("fen", line(position.clone())).with("position", position)))
}
