"""Rule sheets that the tests write: the rules of other libraries' games, and small games of special kinds."""

from __future__ import annotations

SQUARES = """
next(cell(R,C,P)) :- does(P,place(R,C))
control_changes(black,white)
control_changes(white,black)
next(control(Q)) :- true(control(P)) & control_changes(P,Q)
legal(P,noop) :- role(P) & ~true(control(P))
init(control(black))
role(black)
role(white)
"""


def hex_sheet(size: int) -> str:
    """Hex without the swap rule: black, who begins, connects the first row with the last, white the columns."""
    indices = "\n".join(f"index({i})" for i in range(1, size + 1))
    successors = "\n".join(f"succ({i},{i + 1})" for i in range(1, size))
    return f"""{SQUARES}
base(cell(R,C,P)) :- index(R) & index(C) & role(P)
base(control(P)) :- role(P)
input(P,place(R,C)) :- role(P) & index(R) & index(C)
input(P,noop) :- role(P)
legal(P,place(R,C)) :- true(control(P)) & index(R) & index(C) & ~taken(R,C)
next(cell(R,C,P)) :- true(cell(R,C,P))
taken(R,C) :- true(cell(R,C,_))
near(R,C,R,D) :- index(R) & succ(C,D)
near(R,C,S,C) :- index(C) & succ(R,S)
near(R,C,S,D) :- succ(R,S) & succ(D,C)
adjacent(R,C,S,D) :- near(R,C,S,D)
adjacent(R,C,S,D) :- near(S,D,R,C)
first(black,1,C) :- index(C)
first(white,R,1) :- index(R)
last(black,{size},C) :- index(C)
last(white,R,{size}) :- index(R)
reached(P,R,C) :- first(P,R,C) & true(cell(R,C,P))
reached(P,S,D) :- reached(P,R,C) & adjacent(R,C,S,D) & true(cell(S,D,P))
wins(P) :- last(P,R,C) & reached(P,R,C)
terminal :- wins(_)
goal(P,100) :- wins(P)
goal(P,0) :- role(P) & ~wins(P)
{indices}
{successors}
"""


def othello_sheet(end: str = "neither can move") -> str:
    """Othello on 8 by 8. Who cannot place a disc passes.

    Args:
        end: the game ends when ``"neither can move"`` (as in OpenSpiel), or after ``"two passes"``, on a full board, and
            when a player has no disc (as in pgx).
    """
    indices = "\n".join(f"index({i})" for i in range(1, 9))
    numbers = "\n".join(f"succ({i},{i + 1})" for i in range(1, 65))
    squares = "\n".join(f"square({8 * (r - 1) + c},{r},{c})" for r in range(1, 9) for c in range(1, 9))
    ends = {
        "neither can move": "terminal :- ~can(black) & ~can(white)",
        "two passes": """
base(passed(1))
base(passed(2))
next(passed(1)) :- does(_,pass) & ~true(passed(1))
next(passed(2)) :- does(_,pass) & true(passed(1))
terminal :- true(passed(2))
terminal :- ~is_open
terminal :- role(P) & ~has_disc(P)
is_open :- index(R) & index(C) & ~taken(R,C)
has_disc(P) :- true(cell(_,_,P))
""",
    }
    return f"""{SQUARES}
base(cell(R,C,P)) :- index(R) & index(C) & role(P)
base(control(P)) :- role(P)
input(P,place(R,C)) :- role(P) & index(R) & index(C)
input(P,pass) :- role(P)
input(P,noop) :- role(P)
init(cell(4,4,white))
init(cell(4,5,black))
init(cell(5,4,black))
init(cell(5,5,white))
legal(P,place(R,C)) :- true(control(P)) & may(P,R,C)
legal(P,pass) :- true(control(P)) & ~can(P)
may(P,R,C) :- run(P,_,R,C) & ~taken(R,C)
can(P) :- may(P,_,_)
taken(R,C) :- true(cell(R,C,_))
run(P,D,R,C) :- ahead(D,R,C,S,E) & control_changes(P,Q) & true(cell(S,E,Q)) & closed(P,D,S,E)
closed(P,D,R,C) :- ahead(D,R,C,S,E) & true(cell(S,E,P))
closed(P,D,R,C) :- ahead(D,R,C,S,E) & control_changes(P,Q) & true(cell(S,E,Q)) & closed(P,D,S,E)
turns(P,D,S,E) :- does(P,place(R,C)) & run(P,D,R,C) & ahead(D,R,C,S,E)
turns(P,D,S,E) :- turns(P,D,R,C) & ahead(D,R,C,S,E) & control_changes(P,Q) & true(cell(S,E,Q))
turned(R,C) :- turns(_,_,R,C)
next(cell(R,C,P)) :- turns(P,_,R,C)
next(cell(R,C,P)) :- true(cell(R,C,P)) & ~turned(R,C)
{ends[end]}
count(P,0,0) :- role(P)
count(P,J,N) :- succ(I,J) & square(J,R,C) & count(P,I,M) & true(cell(R,C,P)) & succ(M,N)
count(P,J,N) :- succ(I,J) & square(J,R,C) & count(P,I,N) & ~true(cell(R,C,P))
more(P) :- control_changes(P,Q) & count(P,64,N) & count(Q,64,M) & greater(N,M)
greater(N,M) :- succ(M,N)
greater(N,M) :- succ(K,N) & greater(K,M)
goal(P,100) :- more(P)
goal(P,0) :- control_changes(P,Q) & more(Q)
goal(P,50) :- role(P) & ~more(black) & ~more(white)
ahead(n,R,C,S,C) :- succ(S,R) & index(S) & index(R) & index(C)
ahead(s,R,C,S,C) :- succ(R,S) & index(S) & index(R) & index(C)
ahead(w,R,C,R,D) :- succ(D,C) & index(D) & index(C) & index(R)
ahead(e,R,C,R,D) :- succ(C,D) & index(D) & index(C) & index(R)
ahead(nw,R,C,S,D) :- ahead(n,R,C,S,C) & ahead(w,R,C,R,D)
ahead(ne,R,C,S,D) :- ahead(n,R,C,S,C) & ahead(e,R,C,R,D)
ahead(sw,R,C,S,D) :- ahead(s,R,C,S,C) & ahead(w,R,C,R,D)
ahead(se,R,C,S,D) :- ahead(s,R,C,S,C) & ahead(e,R,C,R,D)
{indices}
{squares}
{numbers}
succ(0,1)
"""


PENNIES = """
role(even)
role(odd)
base(shown(P,S)) :- role(P) & side(S)
input(P,S) :- role(P) & side(S)
init(shown(even,heads))
init(shown(odd,heads))
legal(P,S) :- role(P) & side(S)
next(shown(P,S)) :- does(P,S)
side(heads)
side(tails)
terminal :- true(shown(even,never))
goal(P,50) :- role(P)
"""
"""Matching pennies without an end: every action is legal in every state."""
