//! Codes of problems that only play shows. The engine finds and reports them (`play_check.rs` and the files below
//! it in `ggp-engine`); they are declared here, so that the table of codes has all of them.
//!
//! An error here is a state that play has reached and in which the game cannot go on, or has no result. The sheet can
//! still be loaded: its other states can be played and examined.

use crate::diagnostic::{Code, Severity};

pub(super) static CODES: &[&Code] = &[
    &NO_MOVE,
    &NO_GOAL,
    &GOALS,
    &ENDLESS,
    &OUTSIDE_BASE,
    &OUTSIDE_INPUT,
    &TWO_VALUES,
    &LOST_VALUES,
    &IDLE_ROLE,
    &UNKNOWN_MOVES,
    &UNKNOWN_END,
];

/// Former ids of codes, which are still understood: these problems were warnings once.
pub(super) static FORMER: &[(&str, &Code)] = &[("W301", &NO_MOVE), ("W302", &NO_GOAL), ("W303", &GOALS)];

/// A role has no legal move in a reached state.
pub static NO_MOVE: Code = Code {
    id: "E301",
    name: "no-legal-move",
    severity: Severity::Error,
    summary: "a role has no legal move in a state that is not terminal",
    explanation: "\
What: in a state that play reaches, a role has no legal move, and the state is not terminal.

Why: every role must be able to move until the game is over (the specification calls the game playable); otherwise the
game cannot go on.

Example:

    legal(xplayer,mark(R,C)) :- true(cell(R,C,b)) & true(control(xplayer))

Instead: give the role whose turn it is not a move that changes nothing.

    legal(xplayer,noop) :- true(control(oplayer))

In a sheet with operations the role that has control moves. There the problem is also that no role has it: `init` must
give `control` to one, and an operation that takes it away must give it to another.
",
};

/// A role has no goal value at an end.
pub static NO_GOAL: Code = Code {
    id: "E302",
    name: "no-goal-value",
    severity: Severity::Error,
    summary: "a role has no goal value in a terminal state",
    explanation: "\
What: in a terminal state that play reaches, the rules give a role no goal value.

Why: every role must have exactly one value in every terminal state. (The role `random` of GDL-II needs none.)

Example:

    goal(robot,100) :- solved

Instead: give the other case a value too.

    goal(robot,100) :- solved
    goal(robot,0) :- ~solved

The message has the rules for `goal`, each with the first condition that fails, and a line for the prompt that goes to
the state.
",
};

/// A role has several goal values at an end.
pub static GOALS: Code = Code {
    id: "E303",
    name: "two-goal-values",
    severity: Severity::Error,
    summary: "a terminal state has two values for one role, or one that is not an integer",
    explanation: "\
What: in a terminal state that play reaches, the rules give a role more than one goal value, or a value that is not an
integer.

Why: every role must have exactly one value in every terminal state; players and engines disagree on which one counts.

Example:

    goal(robot,50) :- half
    goal(robot,100) :- solved

where a solved puzzle also counts as half solved. Instead: let only one of the rules hold.

    goal(robot,50) :- half & ~solved
    goal(robot,100) :- solved

The message has the rules that give the values, and a line for the prompt that goes to the state.
",
};

/// No end was seen in many moves.
pub static ENDLESS: Code = Code {
    id: "W304",
    name: "long-game",
    severity: Severity::Warning,
    summary: "a random game did not end",
    explanation: "\
What: a game of random moves had not ended after 5,000 joint moves.

Why: every game must end, whatever the players do (the specification calls it terminating).

Instead: count the steps, and end the game at the last.

    next(step(N)) :- true(step(M)) & succ(M,N)
    terminal :- true(step(50))
",
};

/// A fact that no `base` declares is reached.
pub static OUTSIDE_BASE: Code = Code {
    id: "W305",
    name: "outside-base",
    severity: Severity::Warning,
    summary: "a fact holds that `base` does not have",
    explanation: "\
What: play reaches a state with a fact that the relation `base` does not have.

Why: `base` declares all facts that can ever hold in a state; programs that rely on it fail.

Example:

    base(step(1))
    base(step(2))
    next(step(3)) :- true(step(2))

Instead: complete `base`.

    base(step(3))
",
};

/// A move that no `input` declares is legal.
pub static OUTSIDE_INPUT: Code = Code {
    id: "W306",
    name: "outside-input",
    severity: Severity::Warning,
    summary: "a move is legal that `input` does not have",
    explanation: "\
What: play reaches a state where a move is legal that the relation `input` does not have.

Why: `input` declares all moves that can ever be legal; programs that rely on it fail.

Example:

    input(robot,left)
    legal(robot,right)

Instead: complete `input`.

    input(robot,right)
",
};

/// A function of the state has two values.
pub static TWO_VALUES: Code = Code {
    id: "W307",
    name: "two-values",
    severity: Severity::Warning,
    summary: "a fluent that has one value at a time holds of two values at once",
    explanation: "\
What: in the initial state a fluent has exactly one value, as the farmer has one bank in `at(farmer,left)`; in random
games a move replaces its value by another; and after some moves it has two values at once. The same is reported if all
keys begin with one value (`cell(1,b)`, `cell(2,b)`), moves add a second value, and no move takes the first one away.

Why: often a rule for `next` keeps the old value where a move has set a new one, so the farmer is on both banks. If the
fluent is meant to have several values, ignore the warning.

Example:

    next(at(T,B)) :- does(robot,cross(T,B))
    next(at(T,B)) :- true(at(T,B))

Instead: keep the old value only of what has not moved.

    next(at(T,B)) :- does(robot,cross(T,B))
    next(at(T,B)) :- true(at(T,B)) & ~moves(T)
",
};

/// A function of the state loses its values.
pub static LOST_VALUES: Code = Code {
    id: "W308",
    name: "lost-values",
    severity: Severity::Warning,
    summary: "a move sets the value of one key, and all other keys lose theirs",
    explanation: "\
What: in the initial state a fluent has one value for each of several keys, as each square has one mark in `cell(1,b)`
and `cell(2,b)`; a move sets the value of one of them, and the others have no value afterwards.

Why: a fact holds in the next state only if a rule for `next` says so. What a move does not change needs a rule that
keeps it (a frame rule); without one the board is empty after the first move.

Example:

    next(cell(N,x)) :- does(robot,put(N))

Instead: keep what the move does not change.

    next(cell(N,x)) :- does(robot,put(N))
    next(cell(N,V)) :- true(cell(N,V)) & ~changed(N)
    changed(N) :- does(_,put(N))

If the facts are meant to vanish, ignore the warning.
",
};

/// A role has the same move in every state.
pub static IDLE_ROLE: Code = Code {
    id: "W309",
    name: "idle-role",
    severity: Severity::Warning,
    summary: "a role never has a choice, though `input` declares several moves for it",
    explanation: "\
What: in all random games, of which some have ended, a role has only one legal move, always the same; the relation
`input` declares more moves for it.

Why: the role cannot play. Often its turn never comes, because a rule for `next` is missing or gives the turn to the same
role again.

Example:

    next(control(P)) :- true(control(P))

Instead: give the turn to the other role.

    next(control(Q)) :- true(control(P)) & role(Q) & distinct(P,Q)

If other moves become legal only in states that random games do not reach, ignore the warning.
",
};

/// A role does not know its legal moves.
pub static UNKNOWN_MOVES: Code = Code {
    id: "W310",
    name: "unknown-moves",
    severity: Severity::Warning,
    summary: "a role cannot know its legal moves from its own moves and percepts",
    explanation: "\
What: the sheet defines `sees`, and in two random games a role has made the same moves and had the same percepts, but
its legal moves are not the same.

Why: a role knows only its own moves and its percepts. It cannot choose among moves if it does not know which are legal,
and searches over information sets have no answer.

Example: whether a bet may be called depends on a bet that the role does not see.

    legal(second,call) :- true(bet(first))

Instead: tell the role what its moves depend on.

    sees(second,bet) :- does(first,bet)
",
};

/// A role does not know whether the game is over.
pub static UNKNOWN_END: Code = Code {
    id: "W311",
    name: "unknown-end",
    severity: Severity::Warning,
    summary: "a role cannot know from its own moves and percepts that the game is over",
    explanation: "\
What: the sheet defines `sees`, and in two random games a role has made the same moves and had the same percepts, but
one game is over and the other is not.

Why: a role that waits for its turn may think that the game goes on, or make a move after its end. A game master of
GDL-II tells the players when a match ends, so the sheet can be played; but what a role knows at each move depends on it.

Example: the game ends when the other finds the treasure, which the role does not see.

    terminal :- true(found(treasure))

Instead: tell all roles.

    sees(P,over) :- role(P) & does(_,dig(X)) & treasure_at(X)
",
};
