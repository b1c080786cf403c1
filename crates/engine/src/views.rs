//! A rule sheet whose states hold what each role knows: its last move and percepts, and all that it has done and
//! perceived so far.
//!
//! With such rules percepts are fluents of the next state, so everything that answers about states answers about
//! percepts too: evaluators, lanes, and the comparisons that check them.

use crate::Game;
use gdl::syntax::Dialect;

/// The text of a game with views, and the name of the relation that they are.
///
/// With the name `view`, the facts are `view(R,last,did(M))` and `view(R,last,saw(P))` for the last joint move, and
/// `view(R,ever,did(M))` and `view(R,ever,saw(P))` for all joint moves. The role `random` has none.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ViewedSheet {
    /// The rules, in the dialect of the game.
    pub text: String,
    /// The name of the relation, which the rules of the game do not use.
    pub relation: String,
}

/// The rules for views, in infix.
const INFIX: &str = "
next(VIEW(R,T,did(M))) :- does(R,M) & distinct(R,random) & VIEW_span(T)
next(VIEW(R,T,saw(P))) :- sees(R,P) & distinct(R,random) & VIEW_span(T)
next(VIEW(R,ever,X)) :- true(VIEW(R,ever,X))
VIEW_span(last)
VIEW_span(ever)
";

/// The same in prefix.
const PREFIX: &str = "
(<= (next (VIEW ?r ?t (did ?m))) (does ?r ?m) (distinct ?r random) (VIEW_span ?t))
(<= (next (VIEW ?r ?t (saw ?p))) (sees ?r ?p) (distinct ?r random) (VIEW_span ?t))
(<= (next (VIEW ?r ever ?x)) (true (VIEW ?r ever ?x)))
(VIEW_span last)
(VIEW_span ever)
";

/// The rules for the percepts of the last joint move alone, in infix.
const INFIX_PERCEPTS: &str = "
next(VIEW(R,P)) :- sees(R,P)
";

/// The same in prefix.
const PREFIX_PERCEPTS: &str = "
(<= (next (VIEW ?r ?p)) (sees ?r ?p))
";

impl Game {
    /// The rules of a game that defines `sees`, with views. Without the views, its states, moves, utilities and ends are
    /// those of the game.
    pub fn with_views(&self) -> ViewedSheet {
        self.with_rules(INFIX, PREFIX)
    }

    /// As [`Game::with_views`], with the percepts of the last joint move alone: `view(R,P)`, also of the role `random`.
    pub(crate) fn with_percepts(&self) -> ViewedSheet {
        self.with_rules(INFIX_PERCEPTS, PREFIX_PERCEPTS)
    }

    fn with_rules(&self, infix: &str, prefix: &str) -> ViewedSheet {
        let text = self.source.text();
        let mut names = std::iter::once("view".to_string()).chain((1_u32..).map(|number| format!("view_{number}")));
        let relation = names.find(|name| !text.contains(name.as_str())).expect("a text is finite");
        let rules = if self.sheet.dialect == Dialect::Prefix { prefix } else { infix };
        ViewedSheet { text: format!("{text}\n{}", rules.replace("VIEW", &relation)), relation }
    }
}
