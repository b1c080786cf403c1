//! Moves as they are typed after `do` and `next`: a joint move, or a line of moves that are made one after another.
//!
//! A line takes moves as answers print them: `right down right` in a game of one role, `mark(1,1) mark(2,2)` where the
//! roles take turns, `[a, b] [c, d]` or `(a, b) (c, d)` for joint moves; commas between them are ignored.

use super::position::all_roles;
use crate::repl::session::Match;
use crate::repl::{CommandError, Session, read};
use gdl::rules::GroundTerm;
use gdl::suggestion::alternatives;
use ggp_engine::interpreter::State;
use ggp_game::{JointMoves, Move, Reasoner, Role};

/// The greatest number of joint moves in a row that a line may leave out because no role has a choice there.
const MOST_FORCED: usize = 1_000;

/// A part of a line: one move, or the moves of several roles in brackets.
enum LineItem {
    Single(GroundTerm),
    Joint(Vec<GroundTerm>),
}

/// The joint moves that a text stands for in the current state.
pub(super) struct PlayedLine {
    pub(super) joint_moves: Vec<Vec<Move>>,
    /// Said if the text can be read in another way.
    pub(super) warning: Option<String>,
}

impl PlayedLine {
    /// Reads a text: as a joint move if it is a legal one, else as a line.
    ///
    /// # Errors
    /// If it is neither: about the first move of the line that is not possible, or about the joint move if the text can be
    /// one and not even its first move is possible.
    pub(super) fn read(current: &mut Match, text: &str) -> Result<Self, CommandError> {
        let items = items(text)?;
        let joint = match joint_move_of(current, &items) {
            Ok(joint_move) => {
                let warning = warning_of_line(current, &items, &joint_move);
                return Ok(Self { joint_moves: vec![joint_move], warning });
            }
            Err(error) if items.len() < 2 || is_limit(&error) => return Err(error),
            Err(error) => error,
        };
        match line(current, &items) {
            Ok((joint_moves, _)) => Ok(Self { joint_moves, warning: None }),
            Err(BrokenLine { error, .. }) if is_limit(&error) => Err(*error),
            Err(BrokenLine { before: 0, .. }) if is_joint_or_spaced(current, &items) => Err(joint),
            Err(BrokenLine { before, error }) => {
                let problem = format!("move {} of the line is not possible, so none is made: {error}", before + 1);
                Err(CommandError::refused(problem))
            }
        }
    }
}

/// True if parts have the form of one joint move, or of one move with spaces in place of its brackets.
fn is_joint_or_spaced(current: &mut Match, items: &[LineItem]) -> bool {
    let terms: Vec<GroundTerm> = items.iter().filter_map(LineItem::single).cloned().collect();
    let Ok(legal) = current.joint_moves() else { return true };
    terms.len() == items.len()
        && (terms.len() == current.roles().len() || spaced_move(current, &legal, &terms).is_some())
}

/// True if an error says nothing of the moves: a limit or an interrupt.
fn is_limit(error: &CommandError) -> bool {
    matches!(error.exit_code(), 3 | 130)
}

/// What a text is if `do` could make it in the current state, as the end of a sentence about it.
pub(super) fn legal_here(session: &mut Session, text: &str) -> Option<&'static str> {
    session.current().ok().and_then(|current| legal_in(current, text))
}

/// As [`legal_here`], in a match.
pub(super) fn legal_in(current: &mut Match, text: &str) -> Option<&'static str> {
    let line = PlayedLine::read(current, text).ok()?;
    Some(if line.joint_moves.len() == 1 { "is a legal move" } else { "is a line of legal moves" })
}

/// The joint move of a text: a move for each role, or one for the only role that has a choice, or none if no role has
/// one. A single move may have spaces in place of its brackets: `mark 2 2`.
pub(super) fn joint_move(current: &mut Match, text: &str) -> Result<Vec<Move>, CommandError> {
    joint_move_of(current, &items(text)?)
}

/// The state after a line, and its joint moves; `None` if it is not one.
pub(crate) fn after_line(current: &mut Match, text: &str) -> Option<(State, JointMoves)> {
    let (_, state) = line(current, &items(text).ok()?).ok()?;
    let legal = current.game.joint_moves(&state).ok()?;
    Some((state, legal))
}

/// Reads the parts of a text.
fn items(text: &str) -> Result<Vec<LineItem>, CommandError> {
    if let Some((at, sign)) = ["…", "..."].iter().find_map(|sign| Some((text.find(sign)?, sign))) {
        let help = "type the moves that are left out; `--full` lists the whole line".to_string();
        return Err(CommandError::mistyped(text, at..at + sign.len(), "the line is cut off here", Some(help)));
    }
    // Offsets stay valid, since each comma becomes one space.
    let spaced = read::without_commas(text);
    let words: Vec<_> = read::words(&spaced).collect();
    if !words.iter().any(|word| joined(&text[word.clone()]).is_some()) {
        return Ok(read::terms(text)?.into_iter().map(LineItem::Single).collect());
    }
    let item = |word: &std::ops::Range<usize>| match joined(&text[word.clone()]) {
        Some(moves) => Ok(LineItem::Joint(read::list(&format!("[{moves}]"))?)),
        None => Ok(LineItem::Single(read::term_at(text, word.clone())?)),
    };
    words.iter().map(item).collect()
}

/// The text within the brackets of a joint move: `[a, b]`, or `(a, b)` with a comma, which no term in prefix form has.
fn joined(word: &str) -> Option<&str> {
    if let Some(inside) = word.strip_prefix('[').and_then(|word| word.strip_suffix(']')) {
        return Some(inside);
    }
    let inside = word.strip_prefix('(')?.strip_suffix(')')?;
    (read::split_outside_parentheses(inside, ',').len() > 1).then_some(inside)
}

fn joint_move_of(current: &mut Match, items: &[LineItem]) -> Result<Vec<Move>, CommandError> {
    let legal = current.joint_moves()?;
    match items {
        [LineItem::Joint(terms)] => Ok(of_roles(current, legal, terms)?.current().to_vec()),
        items => {
            let terms: Vec<GroundTerm> = items.iter().filter_map(LineItem::single).cloned().collect();
            if terms.len() < items.len() {
                return Err(CommandError::refused("only one joint move is possible here"));
            }
            match of_terms(current, legal.clone(), &terms) {
                Ok(chosen) => Ok(chosen.current().to_vec()),
                Err(error) => match spaced_move(current, &legal, &terms) {
                    Some(term) => Ok(of_terms(current, legal, &[term])?.current().to_vec()),
                    None => Err(error),
                },
            }
        }
    }
}

/// The move that a name and its arguments with spaces between them stand for, if a legal move looks like it.
fn spaced_move(current: &Match, legal: &JointMoves, terms: &[GroundTerm]) -> Option<GroundTerm> {
    let (name, arguments) = terms.split_first()?;
    if arguments.is_empty() || !name.arguments.is_empty() {
        return None;
    }
    let is_like = |&chosen: &Move| {
        let own = current.game.interpreter.move_term(chosen);
        own.name == name.name && own.arguments.len() == arguments.len()
    };
    let is_legal = all_roles(current).into_iter().any(|role| legal.legal(role).iter().any(is_like));
    is_legal.then(|| GroundTerm { name: name.name.clone(), arguments: arguments.to_vec() })
}

/// Chooses the moves of a joint move.
fn of_terms(current: &Match, mut legal: JointMoves, given: &[GroundTerm]) -> Result<JointMoves, CommandError> {
    let choosing = legal.choosing();
    let roles = current.roles().len();
    match (given.len(), &choosing[..]) {
        (count, _) if count == roles => {
            for (index, term) in given.iter().enumerate() {
                current.choose(&mut legal, Role::new(index), term)?;
            }
        }
        (1, &[role]) => current.choose(&mut legal, role, &given[0])?,
        // No role has a choice, so the move may be the only one of any role.
        (1, []) => {
            let role = role_of(current, &legal, &given[0]).unwrap_or(Role::new(0));
            current.choose(&mut legal, role, &given[0])?;
        }
        (0, []) => {}
        (count, _) => return Err(CommandError::refused(needed(current, count, &choosing))),
    }
    Ok(legal)
}

/// Chooses moves in brackets: one for each role, or one for each role that has a choice.
fn of_roles(current: &Match, mut legal: JointMoves, given: &[GroundTerm]) -> Result<JointMoves, CommandError> {
    let choosing = legal.choosing();
    if given.len() == current.roles().len() || given.len() != choosing.len() {
        return of_terms(current, legal, given);
    }
    for (role, term) in choosing.into_iter().zip(given) {
        current.choose(&mut legal, role, term)?;
    }
    Ok(legal)
}

/// The first role for which a move is legal.
fn role_of(current: &Match, legal: &JointMoves, term: &GroundTerm) -> Option<Role> {
    all_roles(current).into_iter().find(|&role| current.move_index(legal, role, term).is_some())
}

/// A line of which a move is not possible.
struct BrokenLine {
    /// The number of moves before that one.
    before: usize,
    error: Box<CommandError>,
}

impl BrokenLine {
    fn new(before: usize, error: impl Into<CommandError>) -> Self {
        Self { before, error: Box::new(error.into()) }
    }
}

/// Plays a line without changing the match. Where no role has a choice, and the next move is not legal, the
/// only joint move is made: answers leave it out.
///
fn line(current: &mut Match, items: &[LineItem]) -> Result<(Vec<Vec<Move>>, State), BrokenLine> {
    let mut state = current.position().1.clone();
    let mut joint_moves = Vec::new();
    let mut at = 0;
    let mut forced = 0;
    while at < items.len() {
        let legal = current.game.joint_moves(&state).map_err(|error| BrokenLine::new(at, error))?;
        let (chosen, taken) = next_of_line(current, legal, &items[at..]).map_err(|error| BrokenLine::new(at, error))?;
        forced = if taken == 0 { forced + 1 } else { 0 };
        if forced > MOST_FORCED {
            return Err(BrokenLine::new(at, CommandError::refused("no role has a choice any more")));
        }
        let chosen = chosen.current().to_vec();
        state = current.game.interpreter.next_state(&state, &chosen).map_err(|error| BrokenLine::new(at, error))?;
        joint_moves.push(chosen);
        at += taken;
    }
    Ok((joint_moves, state))
}

/// The next joint move of a line, and the number of parts that it takes.
fn next_of_line(
    current: &Match,
    mut legal: JointMoves,
    items: &[LineItem],
) -> Result<(JointMoves, usize), CommandError> {
    let first = match &items[0] {
        LineItem::Joint(terms) => return Ok((of_roles(current, legal, terms)?, 1)),
        LineItem::Single(term) => term,
    };
    match legal.choosing()[..] {
        [role] => {
            current.choose(&mut legal, role, first)?;
            Ok((legal, 1))
        }
        [] => match role_of(current, &legal, first) {
            Some(role) => {
                current.choose(&mut legal, role, first)?;
                Ok((legal, 1))
            }
            None => Ok((legal, 0)),
        },
        // Roles that choose at the same time have a move each.
        _ => {
            let terms: Vec<GroundTerm> = items.iter().map_while(LineItem::single).cloned().collect();
            let count = current.roles().len().min(terms.len());
            Ok((of_terms(current, legal, &terms[..count])?, count))
        }
    }
}

/// Says of a joint move that its moves could also be made one after another.
fn warning_of_line(current: &mut Match, items: &[LineItem], joint_move: &[Move]) -> Option<String> {
    if items.len() < 2 {
        return None;
    }
    let (line, _) = line(current, items).ok()?;
    if line == [joint_move.to_vec()] || line.len() != items.len() {
        return None;
    }
    let first = items[0].single()?;
    Some(format!(
        "these moves are made at the same time, as a joint move; to make them one after another, begin with `do {first}`"
    ))
}

impl LineItem {
    fn single(&self) -> Option<&GroundTerm> {
        if let Self::Single(term) = self { Some(term) } else { None }
    }
}

/// A description of the joint moves that are possible here.
fn needed(current: &Match, given: usize, choosing: &[Role]) -> String {
    let names: Vec<&GroundTerm> = choosing.iter().map(|role| &current.roles()[role.index()]).collect();
    let roles = current.roles().len();
    match &names[..] {
        [] => format!("no role has a choice here: give no move, or {roles}, one for each role; found {given}"),
        [only] if given == 0 => format!("which move? {only} has a choice; `legal {only}` lists its moves"),
        [only] => {
            format!("give one move, for {only}, or {roles}, one for each role in the order of `roles`; found {given}")
        }
        _ => format!(
            "{roles} moves are needed, one for each role in the order of `roles`, since {} have a choice; found {given}",
            alternatives(&names).replace(" or ", " and "),
        ),
    }
}
