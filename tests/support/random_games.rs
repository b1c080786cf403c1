//! Random propositional games: recursion, negation, simultaneous moves, several goal values or none.

use proptest::prelude::*;

const FLUENTS: usize = 6;
const MOVES: usize = 4;
const VIEWS: usize = 8;

/// A literal: the index of its proposition, and whether it is negated.
pub(crate) type Mention = (usize, bool);

/// The body of a rule. Numbers are reduced to the valid range.
#[derive(Clone, Debug)]
pub(crate) struct Body {
    fluents: Vec<Mention>,
    views: Vec<Mention>,
    moves: Vec<Mention>,
}

fn body() -> impl Strategy<Value = Body> {
    let mentions = |of: usize, most: usize| prop::collection::vec((0..of, any::<bool>()), 0..=most);
    (mentions(FLUENTS, 3), mentions(VIEWS, 2), mentions(2 * MOVES, 2)).prop_map(|(fluents, views, moves)| Body {
        fluents,
        views,
        moves,
    })
}

/// The text of a body that depends on the state alone.
pub(crate) fn condition(body: &Body) -> String {
    show(body, VIEWS / 2, VIEWS / 2, false)
}

/// The text of a body. A view may be negated below `negatable`, and used positively only below `usable`; so views come
/// in pairs that may depend on each other positively, and on earlier pairs in any way.
fn show(body: &Body, usable: usize, negatable: usize, with_moves: bool) -> String {
    let sign = |negated: bool| if negated { "~" } else { "" };
    let mut literals: Vec<String> =
        body.fluents.iter().map(|&(fluent, negated)| format!("{}true(f{fluent})", sign(negated))).collect();
    for &(view, negated) in body.views.iter().filter(|(view, _)| *view < usable) {
        literals.push(format!("{}v{view}", sign(negated && view < negatable)));
    }
    for &(chosen, negated) in body.moves.iter().filter(|_| with_moves) {
        let role = ["x", "y"][chosen % 2];
        literals.push(format!("{}does({role},m{})", sign(negated), chosen / 2));
    }
    if literals.is_empty() { String::new() } else { format!(" :- {}", literals.join(" & ")) }
}

/// A propositional game: recursion, negation, two players whose first moves are always legal.
fn sheet(views: &[(usize, Body)], next: &[(usize, Body)], legal: &[(usize, Body)], ends: &[(usize, Body)]) -> String {
    let mut text =
        String::from("role(x)\nrole(y)\ninit(f0)\ninit(f1)\nlegal(x,m0)\nlegal(y,m0)\nterminal :- true(never)\n");
    for (view, body) in views {
        // The upper half of the views may depend on moves.
        let (view, with_moves) = (view % VIEWS, view % VIEWS >= VIEWS / 2);
        text += &format!("v{view}{}\n", show(body, view / 2 * 2 + 2, view / 2 * 2, with_moves));
    }
    for (fluent, body) in next {
        text += &format!("next(f{}){}\n", fluent % FLUENTS, show(body, VIEWS, VIEWS, true));
    }
    for (chosen, body) in legal {
        let role = ["x", "y"][chosen % 2];
        text += &format!("legal({role},m{}){}\n", chosen / 2 % MOVES, condition(body));
    }
    for (value, body) in ends {
        let body = condition(body);
        text += &match value % 5 {
            4 => format!("terminal{body}\n"),
            value => format!("goal({},{}){body}\n", ["x", "y"][value % 2], value / 2 * 100),
        };
    }
    text
}

/// The sheets of such games.
pub(crate) fn games() -> impl Strategy<Value = String> {
    let parts = (rules(14), rules(14), rules(8), rules(4));
    parts.prop_map(|(views, next, legal, ends)| sheet(&views, &next, &legal, &ends))
}

pub(crate) fn rules(most: usize) -> impl Strategy<Value = Vec<(usize, Body)>> {
    prop::collection::vec((0..40_usize, body()), 0..most)
}
