//! Rule sheets to begin with, which check without problems and can be played: with one player a robot walks over a board to
//! a corner; with several they mark cells in turn. Each has what every game needs: roles, turns and the move of those who
//! wait, frame rules, a counter that ends the game, goals for all outcomes, `base` and `input`.

use std::fmt::Write;

/// Size of a board: from 1 to 99 columns and rows, and more than one cell.
#[derive(Clone, Copy, Debug)]
pub(crate) struct BoardSize {
    columns: u16,
    rows: u16,
}

impl BoardSize {
    /// `None` if there is no board of this size.
    pub(crate) fn new(columns: u16, rows: u16) -> Option<Self> {
        let is_board = (1..=99).contains(&columns) && (1..=99).contains(&rows) && columns * rows > 1;
        is_board.then_some(Self { columns, rows })
    }
}

/// A rule sheet to begin with.
#[derive(Clone, Copy, Debug)]
pub(crate) struct SheetTemplate {
    /// The number of players, from 1 to [`MOST_PLAYERS`].
    pub(crate) players: u8,
    pub(crate) board: BoardSize,
    /// The moves after which the game ends at the latest; by default one for each cell, for one player twice as many.
    pub(crate) steps: Option<u16>,
}

/// The name of a sheet has letters, digits, `_` and `-` only.
#[derive(Debug, thiserror::Error)]
#[error("a name has letters, digits, `_` and `-`, not `{0}`")]
pub(crate) struct SheetNameError(String);

/// The name of a sheet without its extension.
///
/// # Errors
/// If it has other signs.
pub(crate) fn sheet_name(text: &str) -> Result<&str, SheetNameError> {
    let name = text.trim_end_matches(".gdl");
    let is_name = |letter: char| letter.is_ascii_alphanumeric() || "_-".contains(letter);
    if name.is_empty() || !name.chars().all(is_name) {
        return Err(SheetNameError(text.to_string()));
    }
    Ok(name)
}

/// The greatest number of players.
pub(crate) const MOST_PLAYERS: u8 = 6;

const NAMES: [&str; MOST_PLAYERS as usize] = ["white", "black", "red", "green", "blue", "yellow"];

impl SheetTemplate {
    /// The text of the sheet, whose game has this name.
    pub(crate) fn text(&self, name: &str) -> String {
        if self.players == 1 { self.puzzle(name) } else { self.contest(name) }
    }

    fn contest(&self, name: &str) -> String {
        let Self { players, board: BoardSize { columns, rows }, .. } = *self;
        let roles = &NAMES[..usize::from(players)];
        let steps = self.steps.unwrap_or(columns * rows);
        let mut text = format!(
            "% {name}: {players} players mark the cells of a board of {columns} by {rows} in turn.\n\
             %\n\
             % Change the rules from here: who may move where (`legal`), what a move does (`next`), who wins (`wins`).\n\n"
        );
        roles.iter().for_each(|role| text += &format!("role({role})\n"));
        text += &format!(
            "
% The start. `blank` stands for a cell without a mark.
init(cell(X,Y,blank)) :- column(X) & row(Y)
init(control({first}))
init(step(0))

% The player in turn marks a blank cell; the others wait.
legal(P,mark(X,Y)) :- true(control(P)) & true(cell(X,Y,blank))
legal(P,noop) :- role(P) & ~true(control(P))

% A mark stays; all other cells stay as they are (a frame rule: without it they would be gone).
next(cell(X,Y,P)) :- does(P,mark(X,Y))
next(cell(X,Y,M)) :- true(cell(X,Y,M)) & ~marked(X,Y)
marked(X,Y) :- does(_,mark(X,Y))

% Turns, and a counter that ends the game.
next(control(Q)) :- true(control(P)) & follows(P,Q)
next(step(N)) :- true(step(M)) & succ(M,N)
terminal :- true(step({steps}))
terminal :- ~open
terminal :- won
open :- true(cell(_,_,blank))

% Who has two opposite corners wins. Every role has one goal value at every end.
wins(P) :- role(P) & true(cell(1,1,P)) & true(cell({columns},{rows},P))
won :- wins(_)
goal(P,100) :- wins(P)
goal(P,50) :- role(P) & ~won
goal(P,0) :- role(P) & won & ~wins(P)

% All facts that a state can have, and all moves.
base(cell(X,Y,M)) :- column(X) & row(Y) & content(M)
base(control(P)) :- role(P)
base(step(0))
base(step(N)) :- succ(_,N)
content(blank)
content(P) :- role(P)
input(P,mark(X,Y)) :- role(P) & column(X) & row(Y)
input(P,noop) :- role(P)

",
            first = roles[0]
        );
        for (role, next) in roles.iter().zip(roles.iter().cycle().skip(1)) {
            text += &format!("follows({role},{next})\n");
        }
        numbers(&mut text, "column", columns);
        numbers(&mut text, "row", rows);
        successors(&mut text, steps);
        text
    }

    fn puzzle(&self, name: &str) -> String {
        let Self { board: BoardSize { columns, rows }, .. } = *self;
        let steps = self.steps.unwrap_or(2 * columns * rows);
        let mut text = format!(
            "% {name}: a robot walks over a board of {columns} by {rows} to the opposite corner.
%
% Change the rules from here: what the robot may do (`legal`), what that does (`next`), what it is worth (`goal`).

role(robot)

% The start.
init(at(1,1))
init(step(0))

% A step to a neighbouring cell, or none.
legal(robot,walk(right)) :- true(at(X,_)) & succ(X,X2) & column(X2)
legal(robot,walk(left)) :- true(at(X,_)) & succ(X2,X) & column(X2)
legal(robot,walk(up)) :- true(at(_,Y)) & succ(Y,Y2) & row(Y2)
legal(robot,walk(down)) :- true(at(_,Y)) & succ(Y2,Y) & row(Y2)
legal(robot,stay)

next(at(X2,Y)) :- does(robot,walk(right)) & true(at(X,Y)) & succ(X,X2)
next(at(X2,Y)) :- does(robot,walk(left)) & true(at(X,Y)) & succ(X2,X)
next(at(X,Y2)) :- does(robot,walk(up)) & true(at(X,Y)) & succ(Y,Y2)
next(at(X,Y2)) :- does(robot,walk(down)) & true(at(X,Y)) & succ(Y2,Y)
next(at(X,Y)) :- does(robot,stay) & true(at(X,Y))

% A counter that ends the game.
next(step(N)) :- true(step(M)) & succ(M,N)
terminal :- true(step({steps}))
terminal :- arrived

% There is one goal value at every end.
arrived :- true(at({columns},{rows}))
goal(robot,100) :- arrived
goal(robot,0) :- ~arrived

% All facts that a state can have, and all moves.
base(at(X,Y)) :- column(X) & row(Y)
base(step(0))
base(step(N)) :- succ(_,N)
input(robot,walk(D)) :- direction(D)
input(robot,stay)

direction(right)
direction(left)
direction(up)
direction(down)
"
        );
        numbers(&mut text, "column", columns);
        numbers(&mut text, "row", rows);
        successors(&mut text, steps.max(columns).max(rows));
        text
    }
}

/// Facts of a relation for the numbers from 1 on.
fn numbers(text: &mut String, relation: &str, most: u16) {
    text.push('\n');
    for number in 1..=most {
        let _ = writeln!(text, "{relation}({number})");
    }
}

/// The facts of `succ` from 0 on.
fn successors(text: &mut String, most: u16) {
    text.push('\n');
    for number in 0..most {
        let _ = writeln!(text, "succ({number},{})", number + 1);
    }
}
