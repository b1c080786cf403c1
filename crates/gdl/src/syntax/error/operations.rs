//! The kinds of problems of the dialect with operations, of its translation to GDL and of the way back.

use crate::diagnostic::{Code, Severity};

/// The kinds of problems of translations, in the order of their codes.
pub(crate) static TRANSLATION_CODES: &[&Code] = &[&COMPUTED, &NO_OPERATIONS, &WITHOUT_MEANING, &CALLED_WITH];

/// An operation in infix.
pub(crate) static OPERATION: Code = Code {
    id: "E013",
    name: "operation",
    severity: Severity::Error,
    summary: "an operation in a sheet that is read as infix",
    explanation: "\
What: the sheet has an operation, `ACTION :: CONDITION ==> EFFECTS`, and is read as infix.

Why: operations belong to the dialect of Stanford's present course. It looks like infix, and another dialect was chosen
with `--dialect`. In infix, moves belong to roles, and `next` defines everything that holds afterwards; an operation
defines what changes and leaves the rest as it is.

Example:

    legal(mark(M,N)) :- cell(M,N,b)
    mark(M,N) :: control(x) ==> cell(M,N,x) & ~cell(M,N,b)

Instead: leave `--dialect` out, or write

    legal(x,mark(M,N)) :- true(cell(M,N,b)) & true(control(x))
    legal(x,noop) :- true(control(o))
    next(cell(M,N,x)) :- does(x,mark(M,N))
    next(cell(M,N,W)) :- true(cell(M,N,W)) & distinct(W,b)
",
};

/// An effect that is none.
pub(crate) static NO_EFFECT: Code = Code {
    id: "E018",
    name: "no-effect",
    severity: Severity::Error,
    summary: "an effect of an operation is neither a fact nor an action",
    explanation: "\
What: an effect of an operation is something else than a fact that is added, a fact with `~` before it, which is taken
away, or an action that is done as well.

Why: an operation says what changes. Alternatives and comparisons belong to its condition, before `==>`.

Example:

    mark(M,N) :: control(R) ==> cell(M,N,x) | cell(M,N,o)

Instead:

    mark(M,N) :: control(R) ==> cell(M,N,R)
",
};

/// A relation that only the course's reasoner computes.
pub(crate) static COMPUTED: Code = Code {
    id: "E019",
    name: "computed-relation",
    severity: Severity::Error,
    summary: "a sheet with operations needs a relation that is computed",
    explanation: "\
What: a condition asks for a relation that the reasoner of Stanford's course computes, such as `plus`, `leq` or
`evaluate`, and the sheet does not define it.

Why: GDL has no arithmetic. A computed relation holds for infinitely many numbers, and a game has finitely many states.

Example:

    step(M) ==> ~step(M) & step(N)
    tick :: step(M) & plus(M,1,N) ==> ~step(M) & step(N)

Instead: define the relation by facts for the numbers that occur.

    tick :: step(M) & succ(M,N) ==> ~step(M) & step(N)
    succ(1,2)
    succ(2,3)
",
};

/// What the dialect with operations cannot say.
pub(crate) static NO_OPERATIONS: Code = Code {
    id: "E020",
    name: "no-operations",
    severity: Severity::Error,
    summary: "a rule of GDL has no form in the dialect with operations",
    explanation: "\
What: a sheet is to be written with operations, and this rule has no form there.

Why: in that dialect one role moves at a time, the one for which `control` holds. An operation says what one action
changes, and its condition is about the state before it.

Example:

    legal(R,stone) :- role(R)
    legal(R,paper) :- role(R)

Instead: let the roles take turns, with a move `noop` for the others.

    legal(R,stone) :- true(control(R))
    legal(R,noop) :- role(R) & ~true(control(R))
",
};

/// A variable as a condition.
pub(crate) static VARIABLE_CONDITION: Code = Code {
    id: "W240",
    name: "variable-condition",
    severity: Severity::Warning,
    summary: "a variable stands in the place of a condition, so the clause is left out",
    explanation: "\
What: in a sheet with operations, a variable in parentheses stands where a condition is expected. The clause is left out.

Why: the reasoner of the course reads such a variable as a condition that never holds. Most likely a sign slipped between
the name of a relation and its arguments.

Example:

    goal(R,25) :- p &(R) ~q(R)

Instead:

    goal(R,25) :- p(R) & ~q(R)
",
};

/// A relation of GDL that has no meaning in the dialect with operations.
pub(crate) static WITHOUT_MEANING: Code = Code {
    id: "W241",
    name: "no-meaning-here",
    severity: Severity::Warning,
    summary: "a relation of GDL that has no meaning in a sheet with operations",
    explanation: "\
What: a sheet with operations defines or asks for `true`, `does`, `next`, `input`, `sees` or `percept`.

Why: these are relations of GDL. In the dialect with operations they have no meaning: they hold only if the sheet
defines them, and have no effect on the game.

Example:

    next(cell(X,Y,P)) :- cell(X,Y,P)

Instead: a fact goes on to hold until an operation takes it away.

    move(X,Y,U,V) :: cell(X,Y,P) ==> ~cell(X,Y,P) & cell(U,V,P)
",
};

/// A variable of a head with the values of those who ask.
pub(crate) static CALLED_WITH: Code = Code {
    id: "W242",
    name: "unbound-in-head",
    severity: Severity::Warning,
    summary: "a variable of a head gets its values where other rules ask for the relation",
    explanation: "\
What: in a sheet with operations, a variable of the head occurs in no positive condition. It has the values with which
other rules ask for the relation.

Why: the reasoner of the course answers from the question to the facts, so a question can bring a value. Other programs
need a condition that says what the variable can be.

Example:

    line(X,Y,D,X,Y) :- cell(X,Y,red)
    line(X,Y,D,U,V) :- step(X,Y,D,M,N) & line(M,N,D,U,V)

Instead:

    line(X,Y,D,X,Y) :- cell(X,Y,red) & direction(D)
    line(X,Y,D,U,V) :- step(X,Y,D,M,N) & line(M,N,D,U,V)
",
};
