//! The position as the persons at a page know it, in games with hidden information: the moves and percepts of one of their
//! roles, the facts that hold in all states that it thinks possible, and on the boards what may stand where these differ.
//!
//! An answer here depends only on what the role knows: two matches with the same moves and percepts of the role have the
//! same answers. Sealed moves are the exception, and they cannot be read.

use super::gesture::Change;
use super::sealed::MoveSeal;
use super::view::{
    KnownPosition, MoveTarget, PositionView, PossibleSquare, RoleView, SquareBelief, changes_of_moves, grids_of,
    targets_of, view,
};
use crate::repl::command::view::RoleKnowledge;
use crate::repl::session::MatchStep;
use crate::repl::{CommandError, Session};
use gdl::rules::GroundTerm;
use ggp_draw::board::Setting;
use ggp_draw::{Grid, Ground, Pictogram, PieceShape, Square};
use ggp_engine::interpreter::{Interpreter, State};
use ggp_game::{JointMoves, Reasoner, Role};
use ggp_search::PossibleStates;
use serde::Deserialize;
use std::collections::{BTreeMap, BTreeSet};

/// The most states that a role is taken to think possible; of more a sample of this size is drawn. Each is drawn as a
/// board after each move.
const MOST_STATES: usize = 300;
/// The most things that may stand on a square; others are left out, the rarest first.
const MOST_THINGS: usize = 6;
/// The most possible states in which the squares of moves are looked for.
const TARGET_STATES: usize = 16;

/// The persons at a page, who are told what one of their roles knows.
#[derive(Clone, Debug, Deserialize)]
pub struct Viewers {
    /// The roles that they play.
    roles: Vec<String>,
    /// The seed of the match, by which moves are sealed.
    seed: i64,
    /// True if they have asked for all of the position.
    #[serde(default)]
    is_open: bool,
}

impl Viewers {
    /// The seed of the match.
    pub(super) fn seed(&self) -> i64 {
        self.seed
    }

    /// True if they are told what they know only: the game has percepts, and they have not asked for all.
    pub(super) fn are_told_less(&self, session: &mut Session) -> bool {
        !self.is_open && session.game().is_some_and(|game| game.rules.has_percepts())
    }

    /// The role whose knowledge is shown: the first that has a choice, else the first; `None` if none is played at the page.
    fn role(&self, roles: &[RoleView]) -> Option<Role> {
        let own = || roles.iter().enumerate().filter(|(_, one)| self.roles.contains(&one.role));
        let chooses = own().find(|(_, one)| one.legal.len() > 1);
        chooses.or_else(|| own().next()).map(|(index, _)| Role::new(index))
    }
}

/// The position as it is shown to viewers: all of it in games without `sees`, or if they have asked for it.
///
/// # Errors
/// If no game is loaded, or a limit is met.
pub(super) fn view_for(session: &mut Session, viewers: &Viewers) -> Result<PositionView, CommandError> {
    let whole = view(session)?;
    if !whole.has_percepts {
        return Ok(whole);
    }
    let mut seal = MoveSeal::after_steps(&[], viewers.seed);
    let mut sealed = Vec::new();
    for step in session.current()?.steps() {
        let names = |moves: &[GroundTerm]| {
            moves.iter().enumerate().map(|(role, chosen)| seal.name(role, &chosen.to_string())).collect()
        };
        sealed.push(match &step {
            MatchStep::Played(moves) => Some(names(moves)),
            MatchStep::Set(_) => None,
        });
        seal = seal.after(&step);
    }
    let whole = PositionView { sealed, ..whole };
    if viewers.is_open { Ok(whole) } else { known_part(session, whole, viewers, seal) }
}

/// The part of a position that the viewers know; the seal is that of the position.
fn known_part(
    session: &mut Session,
    whole: PositionView,
    viewers: &Viewers,
    seal: MoveSeal,
) -> Result<PositionView, CommandError> {
    let viewer = viewers.role(&whole.roles);
    let knowledge = viewer.and_then(|role| RoleKnowledge::of_role(session, role, MOST_STATES).ok());
    let current = session.current()?;
    let setting = current.setting()?;
    let index = viewer.map(Role::index);
    let own = |moves: Vec<Option<String>>| {
        moves.into_iter().enumerate().map(|(role, chosen)| chosen.filter(|_| Some(role) == index)).collect()
    };
    let plies = whole.plies.into_iter().map(|moves| moves.map(own)).collect();
    let is_over = whole.is_over;
    let choosing = match &knowledge {
        Some(known) if known.possible.is_complete => Some(choosing(current.position().0, &known.possible)?),
        _ => None,
    };
    let known_role = |(role, one): (usize, RoleView)| {
        let is_played_here = viewers.roles.contains(&one.role);
        // Of others the page needs to know whether they may have a choice; more of their moves it is not told.
        let may_choose = choosing.as_ref().is_none_or(|choosing| choosing.contains(&role));
        let all =
            one.legal.iter().take(1).flat_map(|chosen| vec![seal.name(role, chosen); 1 + usize::from(may_choose)]);
        let sealed = || all.collect();
        let legal = if is_played_here { one.legal.clone() } else { sealed() };
        RoleView { legal, utility: one.utility.filter(|_| is_over), role: one.role }
    };
    let roles = whole.roles.into_iter().enumerate().map(known_role).collect();
    let percepts = whole.percepts.into_iter().map(|seen| {
        let of_viewer = |(role, seen)| if Some(role) == index { seen } else { Vec::new() };
        Some(seen?.into_iter().enumerate().map(of_viewer).collect())
    });
    let percepts = percepts.collect();
    let certain = knowledge.as_ref().map_or(&[][..], |known| &known.certain);
    let mut drawn = setting.draw(certain, &|axes| axes);
    drawn.facts.retain(|fact| !setting.is_constant(fact));
    let (grids, beliefs) = match &knowledge {
        Some(known) => beliefs(&setting, &known.states.iter().collect::<Vec<_>>(), certain),
        None => Default::default(),
    };
    let facts = certain.iter().filter(|fact| !setting.is_constant(fact)).map(ToString::to_string).collect();
    let known = KnownPosition {
        role: index.map(|index| current.roles()[index].to_string()),
        states: knowledge.as_ref().map_or(0, |known| known.states.len()),
        is_complete: knowledge.as_ref().is_some_and(|known| known.possible.is_complete),
        beliefs,
    };
    // Every field is named here, so that a new one is not shown by accident.
    Ok(PositionView {
        game: whole.game,
        ply: whole.ply,
        is_over,
        has_percepts: true,
        has_network: false,
        known: Some(known),
        percepts,
        roles,
        grids,
        lines: drawn.lines(),
        facts,
        constant: whole.constant,
        changed: Vec::new(),
        plies,
        sealed: whole.sealed,
        dialect: whole.dialect,
        idle: whole.idle,
    })
}

/// The roles that have a choice in one of the states.
///
/// # Errors
/// If the rules give no answer.
fn choosing(rules: &mut Interpreter, possible: &PossibleStates<State>) -> Result<BTreeSet<usize>, CommandError> {
    let mut roles = BTreeSet::new();
    for (state, _) in &possible.states {
        if !rules.is_terminal(&state.state)? {
            roles.extend(JointMoves::in_state(rules, &state.state)?.choosing().into_iter().map(Role::index));
        }
    }
    Ok(roles)
}

/// The boards with what stands on their squares in all possible states, and what does in some. If the boards have not the
/// same form in all of them, they are those of the certain facts, and nothing is said of what may stand there.
fn beliefs(setting: &Setting, states: &[&Vec<GroundTerm>], certain: &[GroundTerm]) -> (Vec<Grid>, Vec<SquareBelief>) {
    let drawn: Vec<Vec<Grid>> = states.iter().map(|facts| grids_of(setting, facts)).collect();
    let form = |grids: &[Grid]| -> Vec<Grid> { grids.iter().cloned().map(without_things).collect() };
    let one_form = drawn.first().filter(|first| {
        let expected = form(first);
        drawn.iter().all(|grids| form(grids) == expected)
    });
    let Some(first) = one_form else { return (grids_of(setting, certain), Vec::new()) };
    let mut shown = first.clone();
    let mut beliefs = Vec::new();
    for (board, grid) in shown.iter_mut().enumerate() {
        for (row, squares) in grid.squares.iter_mut().enumerate() {
            for (column, square) in squares.iter_mut().enumerate() {
                let all: Vec<&Square> = drawn.iter().map(|grids| &grids[board].squares[row][column]).collect();
                if all.iter().any(|other| *other != square) {
                    let (common, things) = possible_squares(&all);
                    *square = common;
                    beliefs.push(SquareBelief { place: (board, row, column), things });
                }
            }
        }
    }
    (shown, beliefs)
}

/// What the looks of a square in the possible states have in common, and what else stands there in some of them.
fn possible_squares(all: &[&Square]) -> (Square, Vec<PossibleSquare>) {
    let mut counts: BTreeMap<Square, usize> = BTreeMap::new();
    all.iter().flat_map(|square| things(square)).for_each(|thing| *counts.entry(thing).or_default() += 1);
    let (certain, possible): (Vec<_>, Vec<_>) = counts.into_iter().partition(|(_, count)| *count == all.len());
    let first = all[0];
    let label = if all.iter().all(|one| one.label == first.label) { first.label.clone() } else { String::new() };
    let ground = if all.iter().all(|one| one.ground == first.ground) { first.ground } else { Ground::Open };
    let mut certain: Vec<Square> = certain.into_iter().map(|(thing, _)| thing).collect();
    let common = match certain.len() {
        0 | 1 => certain.pop().unwrap_or_default(),
        _ => {
            let texts: Vec<&str> = certain.iter().map(|thing| &*thing.text).collect();
            let pieces = certain.iter().filter_map(|thing| thing.pictogram).collect();
            Square { pieces, ..Square::open(texts.join(" "), None) }
        }
    };
    let share = |(square, count)| PossibleSquare { square, share: count as f64 / all.len() as f64 };
    let mut possible: Vec<PossibleSquare> = possible.into_iter().map(share).collect();
    possible.sort_by(|one, other| other.share.total_cmp(&one.share));
    possible.truncate(MOST_THINGS);
    (Square { label, ground, ..common }, possible)
}

/// The things on a square, each once, alone and without what lies below it. A thing that is drawn as a shape has the name of
/// the shape as its text, since several together have a text of their own.
fn things(square: &Square) -> BTreeSet<Square> {
    let named = |shape: &Pictogram| {
        let name = serde_json::to_value(shape.shape).ok().and_then(|name| Some(name.as_str()?.replace('_', " ")));
        Square { pictogram: Some(*shape), ..Square::open(name.unwrap_or_default(), None) }
    };
    let shape = square.pictogram.as_ref().filter(|one| !matches!(one.shape, PieceShape::Tile | PieceShape::Node));
    match (&square.pieces[..], shape) {
        ([], None) if square.text.is_empty() => BTreeSet::new(),
        ([], None) => BTreeSet::from([Square { label: String::new(), ground: Ground::Open, ..square.clone() }]),
        ([], Some(shape)) => BTreeSet::from([named(shape)]),
        (pieces, _) => pieces.iter().map(named).collect(),
    }
}

/// A board on which nothing stands.
fn without_things(mut grid: Grid) -> Grid {
    grid.squares.iter_mut().flatten().for_each(|square| *square = Square::default());
    grid
}

/// The legal moves of the role whose knowledge is shown, with the squares that they change in one of the possible states.
///
/// # Errors
/// If no game is loaded, or a limit is met.
pub(super) fn known_targets(
    session: &mut Session,
    viewers: &Viewers,
    most: usize,
) -> Result<Vec<MoveTarget>, CommandError> {
    let roles = view(session)?.roles;
    let Some(role) = viewers.role(&roles).filter(|role| roles[role.index()].legal.len() > 1) else {
        return Ok(Vec::new());
    };
    let possible = RoleKnowledge::of_role(session, role, MOST_STATES)?.possible;
    let current = session.current()?;
    let setting = current.setting()?;
    let name = current.roles()[role.index()].clone();
    let legal = roles[role.index()].legal.len();
    let mut all: Vec<(String, Vec<Change>)> = Vec::new();
    let (rules, _) = current.position();
    for (state, _) in possible.states.iter().take((most / legal).clamp(1, TARGET_STATES)) {
        // A role cannot know that the game is over in a state that it thinks possible, if its sheet is faulty.
        if rules.is_terminal(&state.state)? || JointMoves::in_state(rules, &state.state)?.legal(role).len() != legal {
            continue;
        }
        for (chosen, changes) in changes_of_moves(rules, &state.state, role, &setting, most)? {
            match all.iter_mut().find(|(known, _)| *known == chosen) {
                Some((_, known)) => {
                    let new = changes.into_iter().filter(|change| known.iter().all(|one| one.place != change.place));
                    let new: Vec<Change> = new.collect();
                    known.extend(new);
                }
                None => all.push((chosen, changes)),
            }
        }
    }
    Ok(targets_of(&name, all))
}
