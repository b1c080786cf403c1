//! The kinds of syntax errors, and of warnings about the layout, with the explanations that `ggp explain` prints.

mod operations;

use crate::diagnostic::{Code, Severity};
pub(crate) use operations::{
    CALLED_WITH, COMPUTED, NO_EFFECT, NO_OPERATIONS, OPERATION, TRANSLATION_CODES, VARIABLE_CONDITION, WITHOUT_MEANING,
};

/// All kinds of problems of the syntax, in the order of their codes.
pub static CODES: &[&Code] = &[
    &UNEXPECTED,
    &UNCLOSED,
    &STRAY,
    &TOO_DEEP,
    &VARIABLE,
    &NO_NAME,
    &CONNECTIVE,
    &NO_BODY,
    &FOREIGN,
    &UNREADABLE_NAME,
    &NOT_TEXT,
    &TOO_LONG,
    &OPERATION,
    &TREE,
    &TREE_CHANCE,
    &TREE_UTILITIES,
    &LAYOUT,
    &NO_EFFECT,
    &LOST_AND,
    &SWALLOWED_FACT,
    &VARIABLE_CONDITION,
];

/// The grammar expects something else.
pub(crate) static UNEXPECTED: Code = Code {
    id: "E001",
    name: "unexpected",
    severity: Severity::Error,
    summary: "the text does not follow the grammar",
    explanation: "\
What: the text cannot be parsed at this position, where the grammar expects something else.

Why: a clause that cannot be parsed has no meaning; it is skipped, and parsing continues with the next one.

Example:

    legal(W,mark(X Y)) :- true(cell(X,Y,b)) & true(control(W))

Instead: add what is missing; here a comma between the arguments.

    legal(W,mark(X,Y)) :- true(cell(X,Y,b)) & true(control(W))
",
};

/// A parenthesis that is never closed.
pub static UNCLOSED: Code = Code {
    id: "E002",
    name: "unclosed-parenthesis",
    severity: Severity::Error,
    summary: "a parenthesis is never closed",
    explanation: "\
What: more parentheses are opened than closed. The position is that of the parenthesis that is most likely unclosed,
judged by the layout, or else that of the first one of the clause.

Why: everything that follows would belong to its clause. Parsing continues at the next line that begins with a
parenthesis no further to the right, so that the rest of the sheet is still read.

Example:

    (<= (legal ?w noop)
        (true (control ?w))
    (role white)

Instead: close every parenthesis.

    (<= (legal ?w noop)
        (true (control ?w)))
    (role white)
",
};

/// A parenthesis that closes nothing.
pub static STRAY: Code = Code {
    id: "E003",
    name: "stray-parenthesis",
    severity: Severity::Error,
    summary: "a parenthesis closes nothing",
    explanation: "\
What: more parentheses are closed than opened.

Why: the clause was complete before; conditions that its author meant to be part of it may be outside.

Example:

    (<= (legal ?w noop)) (true (control ?w)))

Instead: remove the extra parenthesis; here the one after `noop)`.

    (<= (legal ?w noop) (true (control ?w)))
",
};

/// Nesting beyond the limit.
pub(crate) static TOO_DEEP: Code = Code {
    id: "E004",
    name: "too-deep",
    severity: Severity::Error,
    summary: "terms or formulas are nested more than 256 levels deep",
    explanation: "\
What: parentheses, negations or the elements of a list are nested more than 256 levels deep.

Why: no game needs that, and a limit keeps every text from exhausting the memory of the machine.

Example: `f(f(f(…)))` with more than 256 parentheses, or a list `[1,2,3,…]` of more than 256 elements.

Instead: number the elements and write a fact for each: `element(1,a)`, `element(2,b)`.
",
};

/// A variable where a name is needed.
pub(crate) static VARIABLE: Code = Code {
    id: "E005",
    name: "misplaced-variable",
    severity: Severity::Error,
    summary: "a variable is used where a relation, a function or a literal is expected",
    explanation: "\
What: a variable can only be an argument. It cannot be a relation, a function, or a whole literal.

Why: GDL is a first-order language: rules are about objects, not about relations. In infix every name that begins with
an upper-case letter or with `_` is a variable.

Example:

    Role(white)
    legal(W,noop) :- X

Instead: begin names with a lower-case letter, or put them in quotes; write literals with a relation.

    role(white)
    legal(W,noop) :- true(X)
",
};

/// A `(` without a name after it.
pub(crate) static NO_NAME: Code = Code {
    id: "E006",
    name: "no-name",
    severity: Severity::Error,
    summary: "`(` without a name after it",
    explanation: "\
What: in prefix, every `(` must be followed by the name of a relation or a function.

Why: `()` and `((p) …)` do not apply a relation or function to anything.

Example:

    (<= terminal ((true done)))

Instead:

    (<= terminal (true done))
",
};

/// A logical connective that is used incorrectly.
pub(crate) static CONNECTIVE: Code = Code {
    id: "E007",
    name: "misused-connective",
    severity: Severity::Error,
    summary: "`not`, `and`, `or`, `distinct` or `<=` is used incorrectly",
    explanation: "\
What: `not` takes one formula, `distinct` takes two terms, and neither they nor `and`, `or` and `<=` can be the head of
a clause or stand alone. A rule cannot be inside another rule.

Why: these words are logical connectives, and not relations that a sheet could define.

Example:

    (<= (legal ?w noop) (not (true (control ?w)) (true done)))

Instead: decide which of the two is meant.

    (<= (legal ?w noop) (not (true (control ?w))) (true done))
    (<= (legal ?w noop) (not (and (true (control ?w)) (true done))))
",
};

/// A `:-` without a body or a head.
pub(crate) static NO_BODY: Code = Code {
    id: "E008",
    name: "half-a-rule",
    severity: Severity::Error,
    summary: "`:-` without a head before it or a body after it",
    explanation: "\
What: a rule has a head, `:-`, and a body.

Why: the head alone is a fact and is written without `:-`; a body alone defines nothing.

Example:

    terminal :-

Instead:

    terminal :- true(done)
",
};

/// A sign of another language.
pub(crate) static FOREIGN: Code = Code {
    id: "E009",
    name: "foreign-sign",
    severity: Severity::Error,
    summary: "a sign that this dialect does not have",
    explanation: "\
What: the text contains a sign of another dialect, of Prolog, of logic or of another language.

Why: it has no meaning here. These signs of infix are meant by others:

    %           a comment: # // -- ; /*
    :-          if: := <- : -> => ==>, with the head first
    &           and: && ∧
    |           or: || ∨ ;
    ~           not: ! ¬ \\+ -
    distinct    not equal: != \\= <> ≠
    X, twice    equal: = ==
    facts       + - * / < > <= >= is: GDL has no arithmetic, and the relation is defined by facts: succ(1,2)
    'a#b'       any other sign in a name

In prefix, `;` begins a comment, conditions follow one another without a sign, and negation is `(not …)`.

Example:

    legal(?w,noop) :- \\+ true(control(?w)) ; true(done)

Instead: variables begin with an upper-case letter, `~` is negation, `|` is or, and `distinct(X,Y)` tests that terms
differ.

    legal(W,noop) :- ~true(control(W)) | true(done)
",
};

/// A name that cannot be read.
pub(crate) static UNREADABLE_NAME: Code = Code {
    id: "E010",
    name: "unreadable-name",
    severity: Severity::Error,
    summary: "a name or a variable is not written correctly",
    explanation: "\
What: a quote is not closed in its line; or a quoted name is empty, or contains a blank, a parenthesis or `;`, or begins
with `?`; or a `?` has no name after it.

Why: prefix has no quotes. A name that it cannot write could not be translated, nor sent to another player.

Example:

    cell('upper left', empty)

Instead:

    cell(upper_left, empty)
",
};

/// Bytes that are not text.
pub(crate) static NOT_TEXT: Code = Code {
    id: "E011",
    name: "not-text",
    severity: Severity::Error,
    summary: "bytes that are not UTF-8 text",
    explanation: "\
What: outside comments, the file contains a NUL byte or bytes that are not UTF-8.

Why: such bytes have no meaning as names. NUL bytes often mean that the file is UTF-16, or not text at all. In comments,
bytes of an old encoding are tolerated, because public rule sheets have them.

Instead: save the file as UTF-8.
",
};

/// A text of 4 GiB or more.
pub(crate) static TOO_LONG: Code = Code {
    id: "E012",
    name: "too-long",
    severity: Severity::Error,
    summary: "a text of 4 GiB or more",
    explanation: "\
What: the text has 4 GiB or more.

Why: positions are stored in 32 bits. No rule sheet comes near this size.

Instead: pass a rule sheet.
",
};

/// A tree in brackets that cannot be read.
pub(crate) static TREE: Code = Code {
    id: "E014",
    name: "tree",
    severity: Severity::Error,
    summary: "a tree typed as brackets cannot be read",
    explanation: "\
What: brackets are not balanced, a node has no children, or something else is not as trees are written: `[…]` is a
decision, `(1/2: … 1/2: …)` a chance node, a number an end, `(1,2,6)` an end with a utility for each player.

Why: another tree than the one that was meant would have other values.

Example:

    [[3 12 8] [2 4 6] [14 5 2]

Instead:

    [[3 12 8] [2 4 6] [14 5 2]]
",
};

/// Probabilities that are none.
pub(crate) static TREE_CHANCE: Code = Code {
    id: "E015",
    name: "tree-probabilities",
    severity: Severity::Error,
    summary: "the probabilities of a chance node do not sum to 1",
    explanation: "\
What: in a tree typed as brackets, the probabilities of a chance node do not sum to 1, one of them is not greater than
0, or their common denominator is greater than 10,000.

Why: the expected value of such a node is not defined. The role `random` of GDL makes each of its moves with the same
probability, so a chance node gets as many moves as the common denominator says.

Example:

    (1/2: 8  1/3: 24  1/4: -12)

Instead:

    (1/2: 8  1/3: 24  1/6: -12)
",
};

/// Ends with different numbers of utilities.
pub(crate) static TREE_UTILITIES: Code = Code {
    id: "E016",
    name: "tree-utilities",
    severity: Severity::Error,
    summary: "the ends of a tree have different numbers of utilities",
    explanation: "\
What: in a tree typed as brackets, an end has another number of utilities than the first end.

Why: every player has a utility at every end. A number is the utility of max, whose loss min gains; numbers in
parentheses are those of the players a, b, c and so on.

Example:

    [[(1,2,6) (4,2)] [(6,1,2) 7]]

Instead:

    [[(1,2,6) (4,2,3)] [(6,1,2) (7,4,1)]]
",
};

/// A layout that cannot be read.
pub(crate) static LAYOUT: Code = Code {
    id: "E017",
    name: "layout",
    severity: Severity::Error,
    summary: "a layout drawn as a grid of text cannot be read",
    explanation: "\
What: in a file with the extension `layout`, the rows of the grid have different lengths, a sign stands for nothing, or
the line that names the rule sheet is missing.

Why: the sheet gets a fact `drawn(X,Y,T)` for each square of the grid, so each row has as many squares as the others,
and each sign is a constant: a letter or digit itself, `.` is `free`, `#` is `wall`, and others have a line of their own.

Example:

    sheet tiles.gdl
    ....
    abc@

Instead:

    sheet tiles.gdl
    @ agent
    ....
    abc@
",
};

/// A fact in the place of a literal.
pub(crate) static LOST_AND: Code = Code {
    id: "W232",
    name: "lost-and",
    severity: Severity::Warning,
    summary: "a fact stands where a condition of the rule before it would stand",
    explanation: "\
What: in infix, after a rule, a literal without `&` before it stands on the same line or on an indented one.

Why: a rule ends where nothing continues it, so the literal is a fact: it holds always, and the rule does not depend on
it.

Example:

    next(lamp(on)) :-
      does(x,press)
      plugged(lamp)

Instead: write `&` between the conditions, or begin a line with the fact.

    next(lamp(on)) :-
      does(x,press) &
      plugged(lamp)
",
};

/// A literal in the place of a fact.
pub(crate) static SWALLOWED_FACT: Code = Code {
    id: "W235",
    name: "swallowed-fact",
    severity: Severity::Warning,
    summary: "the last condition of a rule stands where a fact would stand",
    explanation: "\
What: in infix, a line ends with `&`, `|` or `,`, and the literal after it stands where a fact would stand: it has no
variables, nothing follows it, and its line begins no further to the right than the rule, after an empty line or although
the other conditions are indented.

Why: a rule goes on after such a sign, whatever the layout. If the sign is left over, the fact is taken for a condition:
the rule depends on it, and the fact does not hold.

Example:

    goal(robot,100) :-
      true(at(3)) &

    succ(1,2)

Instead: remove the sign, or indent the condition.

    goal(robot,100) :-
      true(at(3))

    succ(1,2)
",
};

/// Help for signs of arithmetic.
pub(crate) const NO_ARITHMETIC: &str = "GDL has no arithmetic: the relation is defined by facts, such as `succ(1,2)` \
     and `succ(2,3)`, and asked by a literal, such as `succ(N,M)`";

/// Help for signs that compare numbers.
pub(crate) const NO_ORDER: &str = "GDL has no arithmetic: the relation is defined by rules, such as \
     `less(X,Y) :- succ(X,Y)` and `less(X,Z) :- succ(X,Y) & less(Y,Z)`, and facts, such as `succ(1,2)` and `succ(2,3)`";
