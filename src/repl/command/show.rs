//! Commands `show` and `board`: draw the current state, on demand or after each change; and the positions of the match
//! that other commands answer with.

use super::option::{FORCE, file};
use super::{ArgumentKind, Arguments, Command, OptionGroup};
use crate::repl::answer::text::line;
use crate::repl::answer::{Boards, MatchPly, MatchPosition, Statement};
use crate::repl::session::Match;
use crate::repl::{Answer, CommandError, Session};
use gdl::rules::{GroundTerm, RuleSet};
use gdl::sorting;
use gdl::suggestion::{did_you_mean_or, nearest};
use ggp_draw as drawing;
use ggp_draw::Frame;
use ggp_draw::board::{Axes, Board, BoardPlan, DrawnPosition, Extent, Places, Setting, tuples};
use ggp_game::Reasoner;
use ggp_play::ask::spec::NamedOption;

pub(super) const SHOW: Command = Command {
    name: "show",
    operands: "[RELATION]",
    options: &[OptionGroup::own(&[ROWS, COLUMNS, SWAP, FLIP, PICTURE, FORCE])],
    summary: "draw the position as its sheet declares (docs/boards.md), or else all relations that look like boards, and list the other facts",
    example: "show cell --rows 1 --columns 2",
    takes: ArgumentKind::Fluent,
    ..Command::run_by(show)
};

/// The part of the position that is drawn, and its axes.
struct ShowRequest {
    relation: Option<String>,
    rows: Option<Vec<usize>>,
    columns: Option<Vec<usize>>,
    swap: bool,
    flip: bool,
}

const ROWS: NamedOption = argument("--rows", "A", "the argument, or several as in `1,3`, that goes down");
const COLUMNS: NamedOption = argument("--columns", "B", "the argument, or several, that goes across");
const SWAP: NamedOption = NamedOption::flag("--swap", "exchange rows and columns");
const FLIP: NamedOption = NamedOption::flag("--flip", "turn the rows upside down");

/// `--svg FILE`: a picture.
const PICTURE: NamedOption = file("--svg", "write the drawing as an SVG picture");

const fn argument(name: &'static str, value: &'static str, help: &'static str) -> NamedOption {
    NamedOption::word(name, value, "the number of an argument, from 1, or several as in `1,3`", help)
}

fn show(session: &mut Session, arguments: &Arguments) -> Result<Answer, CommandError> {
    let request = ShowRequest::read(arguments)?;
    let picture = arguments.output(&PICTURE, session)?;
    let current = session.current()?;
    let setting = current.setting()?;
    let (reasoner, state) = current.position();
    let facts = reasoner.facts(state);
    let drawn = match &request.relation {
        None => setting.draw(&facts, &|axes| request.turned(axes)),
        Some(relation) => show_relation(current, &setting, &request, relation, &facts)?,
    };
    let title = current.game.name.clone();
    if let Some(output) = &picture {
        output.write(svg(title, &drawn))?;
    }
    let DrawnPosition { boards, figures, facts, .. } = drawn;
    Ok(Answer::new(Boards { boards, figures, facts, file: picture.map(|output| output.name) }))
}

/// A position as a picture in SVG.
fn svg(title: String, drawn: &DrawnPosition) -> String {
    drawing::position_picture(title, Frame { caption: Vec::new(), boards: drawn.grids(), facts: drawn.lines() })
}

/// The current position of a session as a picture in SVG, as `show --svg` draws it, with the squares marked that the last
/// move has changed.
///
/// # Errors
/// If no game is loaded, or a limit is met.
pub fn picture(session: &mut Session) -> Result<String, CommandError> {
    let current = session.current()?;
    let setting = current.setting()?;
    let earlier = current.state_before_last().map(|(reasoner, state, _)| reasoner.facts(state));
    let (reasoner, state) = current.position();
    let drawn = setting.draw(&reasoner.facts(state), &|axes| axes);
    let mut boards = drawn.grids();
    if let Some(earlier) = earlier {
        drawing::mark_changed(&mut boards, &setting.draw(&earlier, &|axes| axes).grids());
    }
    let frame = Frame { caption: Vec::new(), boards, facts: drawn.lines() };
    Ok(drawing::position_picture(current.game.name.clone(), frame))
}

/// The boards of a state of the current game.
pub(super) fn boards(current: &mut Match, facts: &[GroundTerm]) -> Result<Vec<Board>, CommandError> {
    Ok(current.setting()?.boards(facts))
}

/// The relations of the current state that are boards, with the names of their squares.
pub(super) fn places(current: &mut Match) -> Result<Places, CommandError> {
    let setting = current.setting()?;
    let (reasoner, state) = current.position();
    let facts = reasoner.facts(state);
    Ok(Places::from_boards(&setting.boards(&facts)))
}

/// Draws one relation of the state or of the rules, with every arity that it has.
fn show_relation(
    current: &mut Match,
    setting: &Setting,
    request: &ShowRequest,
    relation: &str,
    facts: &[GroundTerm],
) -> Result<DrawnPosition, CommandError> {
    let extents = setting.extents(facts);
    let mut boards = Vec::new();
    for extent in extents.iter().filter(|extent| extent.name() == relation) {
        boards.push(request.board(setting, extent, &extents)?);
    }
    // The relation is not in the state: it may be one of the rules, such as `line`.
    if boards.is_empty() {
        for arity in arities(&current.game.rules, relation) {
            let (reasoner, state) = current.position();
            let tuples = tuples(reasoner, Some(state), relation, arity)?;
            let extent = Extent::of_tuples(relation, arity, tuples.iter().map(Vec::as_slice));
            boards.push(request.board(setting, &extent, std::slice::from_ref(&extent))?);
        }
    }
    if boards.is_empty() {
        let near = nearest(relation, extents.iter().map(Extent::name));
        let hint = did_you_mean_or(&near, "");
        return Err(SHOW.misused(format!("there is no relation `{relation}`{hint}")));
    }
    Ok(DrawnPosition { boards, ..DrawnPosition::default() })
}

/// The arities with which the rules define a relation.
fn arities(rules: &RuleSet, name: &str) -> Vec<usize> {
    let heads = rules.clauses.iter().map(|clause| clause.head.relation);
    let named = heads.filter(|&relation| rules.relation_name(relation) == name);
    let mut arities: Vec<usize> = named.map(|relation| rules.relations[relation.index()].arity as usize).collect();
    sorting::sort(&mut arities);
    arities.dedup();
    arities
}

impl ShowRequest {
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

    /// The requested board of a relation: the declared one, unless other axes are requested.
    fn board(&self, setting: &Setting, extent: &Extent, extents: &[Extent]) -> Result<Board, CommandError> {
        let name = extent.name();
        let arity = extent.arity();
        let has_axes = self.rows.is_some() || self.columns.is_some();
        if let Some(figure) = setting.picture().board(name, arity)
            && !has_axes
        {
            let plan = BoardPlan::declared(figure).turned(&|axes| self.turned(axes));
            return setting.board(extents, plan).map_err(|error| SHOW.misused(error.to_string()));
        }
        let chosen = Axes::any(extent, &setting.roles)
            .ok_or_else(|| SHOW.misused(format!("`{name}` has no arguments to draw")))?;
        let axes = match (&self.rows, &self.columns) {
            (None, None) => chosen,
            (rows, columns) => {
                let rows = rows.clone().unwrap_or_default();
                let columns = columns.clone().unwrap_or_default();
                Axes { upwards: chosen.upwards && chosen.rows == rows, rows, columns }
            }
        };
        let mut given: Vec<usize> = axes.rows.iter().chain(&axes.columns).copied().collect();
        sorting::sort(&mut given);
        if given.windows(2).any(|pair| pair[0] == pair[1]) {
            return Err(SHOW.misused("an argument is either a row or a column, and only once"));
        }
        if given.last().is_some_and(|&last| last >= arity) {
            let word = if arity == 1 { "argument" } else { "arguments" };
            return Err(SHOW.misused(format!("`{name}` has {arity} {word}")));
        }
        let plan = BoardPlan::guessed(extent, self.turned(axes));
        setting.board(extents, plan).map_err(|error| SHOW.misused(error.to_string()))
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

pub(super) const BOARD: Command = Command {
    name: "board",
    operands: "[on|off]",
    summary: "draw the position; `on` draws it after each change and each `next` (the default at a terminal), `off` does not",
    example: "board",
    ..Command::run_by(board)
};

fn board(session: &mut Session, arguments: &Arguments) -> Result<Answer, CommandError> {
    match arguments.operands() {
        "" => return (SHOW.run)(session, &Arguments::of_values(&SHOW, [])?),
        "on" => session.draws_boards = true,
        "off" => session.draws_boards = false,
        word => return Err(arguments.wrong(format!("`board` is `on` or `off`, not `{word}`"))),
    }
    let on = session.draws_boards;
    let when = if on { "when they change" } else { "only by `show` and `board`" };
    Ok(Answer::new(Statement::new("board_setting", line(format!("positions are drawn {when}"))).with("on", on)))
}

/// The position after a change of the match. If the session draws boards, it is drawn, and the squares that have
/// changed are marked.
pub(super) fn position_after(
    session: &mut Session,
    change: impl FnOnce(&mut Match) -> Result<(), CommandError>,
) -> Result<MatchPosition, CommandError> {
    let draws = session.draws_boards;
    let current = session.current()?;
    let before = draws.then(|| facts(current));
    change(current)?;
    let mut position = position(current)?;
    if let Some(before) = before {
        let now = facts(current);
        position.drawn = drawn(current, &now, Some(&before));
    }
    Ok(position)
}

/// A state of the match as it is drawn, with the differences from earlier facts; `None` if nothing of it can be drawn.
/// It never fails, because the match has changed already.
pub(super) fn drawn(current: &mut Match, facts: &[GroundTerm], before: Option<&[GroundTerm]>) -> Option<Boards> {
    let setting = current.setting().ok()?;
    Some(Boards::from_facts(&setting, facts, before)).filter(|drawn| !drawn.is_plain())
}

/// The current state as it is drawn, with a few of the facts on no board; `None` without a game, or if nothing of it can
/// be drawn.
#[cfg(feature = "cli")]
pub(crate) fn drawn_now(session: &mut Session) -> Option<super::StateFacts> {
    let current = session.current().ok()?;
    let facts = facts(current);
    let drawn = drawn(current, &facts, None)?;
    Some(super::StateFacts { facts, drawn: Some(drawn) })
}

/// The facts of the current state, in canonical order.
pub(super) fn facts(current: &mut Match) -> Vec<GroundTerm> {
    let (reasoner, state) = current.position();
    reasoner.facts(state)
}

pub(super) fn position(current: &mut Match) -> Result<MatchPosition, CommandError> {
    let last = MatchPly::new(current.ply(), current.roles(), current.last_step());
    let (reasoner, state) = current.position();
    Ok(MatchPosition::at(reasoner, state, last)?)
}
