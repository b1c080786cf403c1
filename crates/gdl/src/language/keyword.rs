//! What the words of GDL mean, for those who read a sheet: keywords and connectives.

use crate::rules::Keyword;
use crate::syntax::Logic;

/// The names of the arguments of a keyword.
pub(super) fn arguments(keyword: Keyword) -> &'static [&'static str] {
    match keyword {
        Keyword::Role => &["role"],
        Keyword::Init | Keyword::True | Keyword::Next | Keyword::Base => &["fact"],
        Keyword::Does | Keyword::Legal | Keyword::Input => &["role", "move"],
        Keyword::Goal => &["role", "value"],
        Keyword::Sees => &["role", "percept"],
        Keyword::Terminal => &[],
    }
}

/// What a keyword means, in a sentence or two.
pub(super) fn meaning(keyword: Keyword) -> &'static str {
    match keyword {
        Keyword::Role => "The game has this role. Roles are ground facts, and their order is that of the text.",
        Keyword::Init => "The fact holds in the initial state.",
        Keyword::True => "The fact holds in the current state. Only in bodies.",
        Keyword::Does => "The role makes this move now. Only in bodies.",
        Keyword::Legal => "The role may make this move in the current state.",
        Keyword::Next => "The fact holds in the next state. What no rule for `next` keeps is gone.",
        Keyword::Goal => "The utility of the role in the current state, from 0 to 100.",
        Keyword::Terminal => "The game is over in the current state.",
        Keyword::Base => "The fact may hold in some state. `base` lists all of them.",
        Keyword::Input => "The role may make this move in some state. `input` lists all of them.",
        Keyword::Sees => "The role perceives this after a joint move (GDL-II).",
    }
}

/// What a connective means.
pub(super) fn connective(logic: Logic) -> (&'static str, &'static str) {
    match logic {
        Logic::Not => {
            ("not", "The formula cannot be derived. Its variables must occur in a positive literal of the body.")
        }
        Logic::And => ("and", "All of the formulas hold."),
        Logic::Or => ("or", "At least one of the formulas holds."),
        Logic::Distinct => ("distinct", "The two terms differ. Their variables must occur in a positive literal."),
        Logic::Implied => ("<=", "The head holds if all literals of the body do."),
    }
}
