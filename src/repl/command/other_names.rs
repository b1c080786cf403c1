//! The names that other programs give to what is a command here, and those that options had before.

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

/// Options that have other names now: the command, the earlier name, and the present one.
const RENAMED: &[(&str, &str, &str)] = &[("maxscore", "--moves", "--values")];

/// The present name of an option of a command that had this name before.
pub(super) fn present_option(command: &str, word: &str) -> Option<&'static str> {
    RENAMED.iter().find(|(of, earlier, _)| *of == command && *earlier == word).map(|(.., present)| *present)
}

/// The command that other programs call by this name.
pub(super) fn called_here(word: &str) -> Option<&'static str> {
    ELSEWHERE.iter().find(|(name, _)| *name == word).map(|(_, here)| *here)
}
