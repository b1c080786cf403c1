//! `ggp new`: a rule sheet to begin with.

use super::Failure;
use super::arguments::{OutputArguments, write};
use crate::repl::console::Console;
use crate::repl::terminal::Terminal;
use anyhow::bail;
use std::fmt::Write;
use std::path::PathBuf;

/// Write a rule sheet to begin with: it checks without problems and can be played
///
/// With one player a robot walks over a board to a corner; with several they mark cells in turn. The sheet has what every
/// game needs: roles, turns and the move of those who wait, frame rules, a counter that ends the game, goals for all
/// outcomes, `base` and `input`.
#[derive(clap::Args)]
pub(super) struct Arguments {
    /// The name of the game; the file is NAME.gdl in this folder
    name: String,
    /// The number of players
    #[arg(long, value_name = "N", default_value_t = 2, value_parser = clap::value_parser!(u8).range(1..=6))]
    players: u8,
    /// The columns and rows of the board
    #[arg(long, value_name = "COLUMNSxROWS", default_value = "3x3", value_parser = board)]
    board: BoardSize,
    /// The moves after which the game ends at the latest [default: one for each cell, of one player twice as many]
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u16).range(1..=1000))]
    steps: Option<u16>,
    #[command(flatten)]
    output: OutputArguments,
}

/// The size of a board.
#[derive(Clone, Copy)]
struct BoardSize {
    columns: u16,
    rows: u16,
}

fn board(text: &str) -> Result<BoardSize, String> {
    let sides = text.split_once('x').and_then(|(columns, rows)| Some((columns.parse().ok()?, rows.parse().ok()?)));
    match sides {
        Some((columns @ 1..=99, rows @ 1..=99)) if columns * rows > 1 => Ok(BoardSize { columns, rows }),
        _ => Err("a board is COLUMNSxROWS, such as 8x8: from 1 to 99, and more than one cell".to_string()),
    }
}

const NAMES: [&str; 6] = ["white", "black", "red", "green", "blue", "yellow"];

impl Arguments {
    pub(super) fn run(self, console: &mut Terminal) -> Result<u8, Failure> {
        let name = self.name.trim_end_matches(".gdl");
        let is_name = |letter: char| letter.is_ascii_alphanumeric() || "_-".contains(letter);
        if name.is_empty() || !name.chars().all(is_name) {
            bail!("a name has letters, digits, `_` and `-`, not `{}`", self.name);
        }
        let path = PathBuf::from(format!("{name}.gdl"));
        let sheet = if self.players == 1 { self.puzzle(name) } else { self.contest(name) };
        write(&self.output.output(&path, None)?, sheet)?;
        let file = path.display();
        console.answer(&format!("written: {file}\nnow: ggp check {file}; ggp repl {file}\n"))?;
        Ok(0)
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
