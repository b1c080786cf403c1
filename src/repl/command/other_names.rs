//! The names that other programs give to what is a command here.

/// Names of other consoles, chess programs and Prolog systems, each with the command that does the same here.
const ELSEWHERE: &[(&str, &str)] = &[
    ("back", "undo"),
    ("bye", "quit"),
    ("consult", "load"),
    ("course", "learn"),
    ("display", "show"),
    ("facts", "state"),
    ("go", "analyse"),
    ("halt", "quit"),
    ("hint", "analyse"),
    ("listing", "rules"),
    ("ls", "games"),
    ("make", "do"),
    ("move", "do"),
    ("moves", "legal"),
    ("new", "restart"),
    ("open", "load"),
    ("position", "set"),
    ("print", "show"),
    ("quit!", "quit"),
    ("reset", "restart"),
    ("score", "goal"),
    ("takeback", "undo"),
    ("tutorial", "learn"),
    ("unmake", "undo"),
    ("?", "help"),
];

/// The command that other programs call by this name.
pub(super) fn called_here(word: &str) -> Option<&'static str> {
    ELSEWHERE.iter().find(|(name, _)| *name == word).map(|(_, here)| *here)
}
