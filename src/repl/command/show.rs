//! `show`: draws the boards of the current state.

use super::{Answers, Arguments, Command, CommandOption, OptionGroup, Takes};
use crate::engine::promised;
use crate::game::{ReasonError, Reasoner};
use crate::interpreter::QueryError;
use crate::repl::answer::Boards;
use crate::repl::board::{Axes, Board, Extent, Places};
use crate::repl::session::Match;
use crate::repl::{Answer, CommandError, Session, read};
use crate::rules::{GroundTerm, Keyword, RuleSet};
use crate::suggestion::{alternatives, nearest};

pub(super) const SHOW: Command = Command {
    name: "show",
    operands: "[RELATION]",
    options: &[OptionGroup::own(&[ROWS, COLUMNS, SWAP, FLIP])],
    summary: "draw boards, with argument A (or several, as in 1,3) as rows and B as columns, and list the other facts",
    example: "show cell --rows 1 --columns 2",
    takes: Takes::Fluent,
    answers: Answers::Nothing,
    run: show,
};

#[derive(Default)]
struct Request {
    relation: Option<String>,
    rows: Option<Vec<usize>>,
    columns: Option<Vec<usize>>,
    swap: bool,
    flip: bool,
}

const ROWS: CommandOption = argument("--rows", "A", "the argument, or several as in `1,3`, that goes down");
const COLUMNS: CommandOption = argument("--columns", "B", "the argument, or several, that goes across");
const SWAP: CommandOption = CommandOption::flag("--swap", "exchange rows and columns");
const FLIP: CommandOption = CommandOption::flag("--flip", "turn the rows upside down");

const fn argument(name: &'static str, value: &'static str, help: &'static str) -> CommandOption {
    CommandOption::word(name, value, "the number of an argument, from 1, or several as in `1,3`", help)
}

fn show(session: &mut Session, arguments: &Arguments) -> Result<Answer, CommandError> {
    let request = Request::read(arguments)?;
    let current = session.current()?;
    let base = declared(current)?;
    let (reasoner, state) = current.beginning();
    let initial = reasoner.facts(state);
    let (reasoner, state) = current.position();
    let facts = reasoner.facts(state);
    let extents = Extent::of_facts(&facts, &initial, &base);
    match &request.relation {
        None => all(current, &request, &extents, &facts),
        Some(relation) => one(current, &request, relation, &extents),
    }
}

/// The boards of a state of the current game.
pub(super) fn boards(current: &mut Match, facts: &[GroundTerm]) -> Result<Vec<Board>, CommandError> {
    let base = declared(current)?;
    let (reasoner, state) = current.beginning();
    let initial = reasoner.facts(state);
    let mut boards = Vec::new();
    for extent in &Extent::of_facts(facts, &initial, &base) {
        if let Some(axes) = Axes::choose(extent, current.roles()) {
            boards.extend(Board::new(extent, &axes));
        }
    }
    Ok(boards)
}

/// Which relations of the current state are boards.
pub(super) fn places(current: &mut Match) -> Result<Places, CommandError> {
    let base = declared(current)?;
    let (reasoner, state) = current.beginning();
    let initial = reasoner.facts(state);
    let (reasoner, state) = current.position();
    let facts = reasoner.facts(state);
    Ok(Places::of(&Extent::of_facts(&facts, &initial, &base), current.roles()))
}

/// Draws all relations that look like boards; the facts of the others are listed.
fn all(current: &Match, request: &Request, extents: &[Extent], facts: &[GroundTerm]) -> Result<Answer, CommandError> {
    let mut boards = Vec::new();
    for extent in extents {
        if let Some(axes) = Axes::choose(extent, current.roles()) {
            boards.extend(Board::new(extent, &request.turned(axes)));
        }
    }
    let is_drawn = |fact: &GroundTerm| {
        boards.iter().any(|board: &Board| board.relation == *fact.name && board.arity == fact.arguments.len())
    };
    let facts = facts.iter().filter(|fact| !is_drawn(fact)).cloned().collect();
    Ok(Answer::Boards(Boards { boards, facts }))
}

/// Draws one relation of the state or of the rules, with every arity that it has.
fn one(current: &mut Match, request: &Request, relation: &str, extents: &[Extent]) -> Result<Answer, CommandError> {
    let mut boards = Vec::new();
    for extent in extents.iter().filter(|extent| extent.name() == relation) {
        boards.push(request.board(extent, current.roles())?);
    }
    if boards.is_empty() {
        for arity in arities(&current.game.rules, relation) {
            let tuples = tuples(current, relation, arity)?;
            boards.push(request.board(&Extent::of_tuples(relation, arity, &tuples), current.roles())?);
        }
    }
    if boards.is_empty() {
        let near = nearest(relation, extents.iter().map(Extent::name));
        let hint = if near.is_empty() { String::new() } else { format!("; did you mean {}?", alternatives(&near)) };
        return Err(SHOW.misused(format!("there is no relation `{relation}`{hint}")));
    }
    Ok(Answer::Boards(Boards { boards, facts: Vec::new() }))
}

/// The facts that `base` declares; empty if they cannot be computed, since a board can be drawn without them.
pub(super) fn declared(current: &mut Match) -> Result<Vec<GroundTerm>, CommandError> {
    match promised(&mut current.game, Keyword::Base) {
        Ok(rows) => Ok(rows.into_iter().flatten().flatten().collect()),
        Err(error @ QueryError::Reason(ReasonError::Interrupted)) => Err(error.into()),
        Err(_) => Ok(Vec::new()),
    }
}

/// The arities with which the rules define a relation.
fn arities(rules: &RuleSet, name: &str) -> Vec<usize> {
    let heads = rules.clauses.iter().map(|clause| clause.head.relation);
    let named = heads.filter(|&relation| rules.relation_name(relation) == name);
    let mut arities: Vec<usize> = named.map(|relation| rules.relations[relation.index()].arity as usize).collect();
    arities.sort_unstable();
    arities.dedup();
    arities
}

/// The arguments with which a relation of the rules holds in the current state.
fn tuples(current: &mut Match, name: &str, arity: usize) -> Result<Vec<Vec<GroundTerm>>, CommandError> {
    let variables: String = (1..=arity).map(|argument| format!(" ?argument{argument}")).collect();
    let query = read::query(&format!("({name}{variables})"))?;
    let (reasoner, state) = current.position();
    Ok(reasoner.query(Some(state), None, &query)?.rows)
}

impl Request {
    fn read(arguments: &Arguments) -> Result<Self, CommandError> {
        let relation = match &arguments.operands().split_whitespace().collect::<Vec<_>>()[..] {
            [] => None,
            [relation] => Some((*relation).to_string()),
            _ => return Err(arguments.wrong("only one relation at a time")),
        };
        let (rows, columns) =
            (arguments.parsed(&ROWS, argument_numbers)?, arguments.parsed(&COLUMNS, argument_numbers)?);
        if relation.is_none() && (rows.is_some() || columns.is_some()) {
            return Err(arguments.wrong("`--rows` and `--columns` need the name of a relation"));
        }
        Ok(Self { relation, rows, columns, swap: arguments.has(&SWAP), flip: arguments.has(&FLIP) })
    }

    /// The requested board of a relation.
    fn board(&self, extent: &Extent, roles: &[GroundTerm]) -> Result<Board, CommandError> {
        let (name, arity) = (extent.name(), extent.arity());
        let chosen =
            Axes::any(extent, roles).ok_or_else(|| SHOW.misused(format!("`{name}` has no arguments to draw")))?;
        let axes = match (&self.rows, &self.columns) {
            (None, None) => chosen,
            (rows, columns) => {
                let (rows, columns) = (rows.clone().unwrap_or_default(), columns.clone().unwrap_or_default());
                Axes { upwards: chosen.upwards && chosen.rows == rows, rows, columns }
            }
        };
        let mut given: Vec<usize> = axes.rows.iter().chain(&axes.columns).copied().collect();
        given.sort_unstable();
        if given.windows(2).any(|pair| pair[0] == pair[1]) {
            return Err(SHOW.misused("an argument is either a row or a column, and only once"));
        }
        if given.last().is_some_and(|&last| last >= arity) {
            let word = if arity == 1 { "argument" } else { "arguments" };
            return Err(SHOW.misused(format!("`{name}` has {arity} {word}")));
        }
        Board::new(extent, &self.turned(axes)).map_err(|error| SHOW.misused(error.to_string()))
    }

    fn turned(&self, axes: Axes) -> Axes {
        let axes = if self.swap { axes.swapped() } else { axes };
        if self.flip { axes.flipped() } else { axes }
    }
}

/// Parses argument numbers such as `2` or `1,3` into indices from 0.
fn argument_numbers(text: &str) -> Result<Vec<usize>, ()> {
    let index = |number: &str| number.parse::<usize>().ok().and_then(|number| number.checked_sub(1)).ok_or(());
    text.split(',').map(index).collect()
}
