//! Signs of other languages in infix GDL. One that can only stand for a sign of infix, or that begins a comment, is
//! read as that and reported; all others are explained.

use super::characters::{is_blank, is_word_character, run_length};
use super::{Dialect, Source, Span, error};
use crate::diagnostic::{Diagnostic, Fix, TextEdit};
use crate::number::to_u32;

/// A sign of another language, as the lexer reads it.
pub(super) struct ForeignSign {
    /// The length of the sign in bytes.
    pub(super) length: usize,
    /// The length in bytes of what is skipped: the sign, or the whole comment.
    pub(super) skipped: usize,
    /// What the sign stands for.
    pub(super) meaning: Meaning,
}

/// The sign of infix for which a sign of another language stands.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum Meaning {
    /// `%`
    Comment,
    /// `&`
    And,
    /// `|`
    Or,
    /// `~`
    Not,
    /// `:-`
    If,
}

/// The sign at the beginning of `rest` if only one thing can be meant by it; `before` is the text that precedes it.
pub(super) fn recognise(rest: &str, before: &str) -> Option<ForeignSign> {
    // Every token passes here, and few begin like a sign of another language.
    if !rest.starts_with(['&', '|', '!', '\\', ':', '<', '/', '#', '-']) && rest.starts_with(|c: char| c.is_ascii()) {
        return None;
    }
    if let Some((length, skipped)) = comment(rest, before) {
        return Some(ForeignSign { length, skipped, meaning: Meaning::Comment });
    }
    let (length, meaning) = meant(rest)?;
    Some(ForeignSign { length, skipped: length, meaning })
}

/// The lengths of the sign and of the comment that begins here.
fn comment(rest: &str, before: &str) -> Option<(usize, usize)> {
    if rest.starts_with("/*") {
        return Some((2, rest.find("*/").map_or(rest.len(), |end| end + 2)));
    }
    let sign = ["//", "--", "#"].into_iter().find(|sign| rest.starts_with(sign))?;
    let line = &before[before.rfind(['\n', '\r']).map_or(0, |end| end + 1)..];
    let begins_line = line.chars().all(is_blank);
    let stands_alone = line.ends_with(is_blank) && rest[sign.len()..].starts_with(is_blank);
    // A sign inside a term is part of a name or of arithmetic.
    (begins_line || stands_alone || sign == "//" && line.ends_with(is_blank))
        .then(|| (sign.len(), run_length(rest, |c| c != '\n' && c != '\r')))
}

/// The connective for which a sign of another language stands, and the length of the sign.
fn meant(rest: &str) -> Option<(usize, Meaning)> {
    const SIGNS: [(&str, Meaning); 13] = [
        ("&&", Meaning::And),
        ("∧", Meaning::And),
        ("⋀", Meaning::And),
        ("||", Meaning::Or),
        ("∨", Meaning::Or),
        ("⋁", Meaning::Or),
        ("¬", Meaning::Not),
        ("\\+", Meaning::Not),
        (":=", Meaning::If),
        (":--", Meaning::If),
        ("<-", Meaning::If),
        ("←", Meaning::If),
        ("⇐", Meaning::If),
    ];
    if let Some(&(sign, meaning)) = SIGNS.iter().find(|(sign, _)| rest.starts_with(sign)) {
        return Some((sign.len(), meaning));
    }
    // `!=` is another sign.
    let is_negation = |next: char| next == '(' || next == '\'' || next.is_alphabetic();
    rest.strip_prefix('!').is_some_and(|rest| rest.starts_with(is_negation)).then_some((1, Meaning::Not))
}

/// The problem of a sign that was read as what it stands for.
pub(super) fn read_as(meaning: Meaning, source: &Source, at: Span) -> Diagnostic {
    let text = source.slice(at);
    let problem = no_meaning(source, at);
    let (help, sign) = match meaning {
        Meaning::Comment if text == "/*" => {
            return problem.with_help("a comment begins with `%` and ends with its line");
        }
        Meaning::If if has_operations(source) => return problem.with_help(FORMS),
        Meaning::If => {
            let fix = Fix::guess([TextEdit::new(at, ":-")]);
            return problem.with_help("write `:-` between head and body").with_fix(fix);
        }
        Meaning::Comment => ("a comment begins with `%`", "%"),
        Meaning::And => ("conjunction is written `&`", "&"),
        Meaning::Or => ("disjunction is written `|`", "|"),
        Meaning::Not => ("negation is written `~`", "~"),
    };
    problem.with_help(help).with_fix(Fix::sound([TextEdit::new(at, sign)]))
}

fn no_meaning(source: &Source, at: Span) -> Diagnostic {
    let place = if has_operations(source) { "this dialect" } else { "infix GDL" };
    Diagnostic::new(&error::FOREIGN, at, format!("`{}` has no meaning in {place}", source.slice(at)))
}

/// The forms of a clause in a sheet with operations.
const FORMS: &str = "an operation is written `ACTION :: CONDITION ==> EFFECTS`, and a rule `HEAD :- BODY`";

/// True if a text has the signs of operations.
fn has_operations(source: &Source) -> bool {
    Dialect::detect(source.text()) == Dialect::Operations
}

/// The problem of a sign that cannot be read.
pub(super) fn unknown(source: &Source, at: Span) -> Diagnostic {
    let text = source.slice(at);
    let problem = no_meaning(source, at);
    if let Some((span, literal)) = inequality(source, at) {
        let help = format!("to test that two terms differ, write `{literal}`");
        return problem.with_help(help).with_fix(Fix::guess([TextEdit::new(span, literal)]));
    }
    let hint = match text {
        ";" => "a comment begins with `%`; or is `|`",
        "!" => "negation is written `~`; there is no cut",
        "-" if !follows_term(source, at) => "negation is written `~`",
        "=" | "==" | "≡" => "to test that two terms are equal, use one variable for both",
        "!=" | "\\=" | "\\==" | "<>" | "≠" => "to test that two terms differ, write `distinct(X,Y)`",
        "->" | "→" | "⇒" | "<=>" | "=>" | "↔" | "⇔" | ":" if has_operations(source) => FORMS,
        "->" | "→" | "⇒" => "a rule is written `HEAD :- BODY`: the head first, then `:-`",
        "==>" | "::" | "<=>" | "=>" | "↔" | "⇔" => "a rule is written `HEAD :- BODY`",
        ":" => "write `:-` between head and body",
        "{" | "}" => "arguments are written in round parentheses",
        "?-" => "leave it out",
        "∃" | "∀" => "GDL has no quantifiers: a variable of the body alone stands for some value",
        "<" | ">" | ">=" | "=<" | "≤" | "≥" => error::NO_ORDER,
        "\"" => "quotes are single: `'Name'`",
        _ => match name_around(source, at) {
            Some(name) => {
                return problem.with_help(format!("a name that contains such a sign is written in quotes: `'{name}'`"));
            }
            None if is_arithmetic(text) => error::NO_ARITHMETIC,
            None => "infix has `:-`, `&`, `|`, `~` and `,`, and `%` for comments",
        },
    };
    problem.with_help(hint)
}

/// Two words with a sign between them that says that they differ, such as `X \= 3` and `~X = 3`, and the literal of infix
/// that is meant.
fn inequality(source: &Source, at: Span) -> Option<(Span, String)> {
    let (before, after) = (&source.text()[..at.start as usize], &source.text()[at.end as usize..]);
    let before = before.trim_end_matches(is_blank);
    let after = after.trim_start_matches(is_blank);
    let mut start = before.trim_end_matches(is_word_character).len();
    let (left, right) = (&before[start..], &after[..run_length(after, is_word_character)]);
    let is_compound = before[..start].ends_with(['\'', '(']) || after[right.len()..].starts_with('(');
    if left.is_empty() || right.is_empty() || is_compound {
        return None;
    }
    match source.slice(at) {
        "!=" | "\\=" | "\\==" | "<>" | "≠" => {}
        "=" | "==" | "≡" => {
            let negated = before[..start].trim_end_matches(is_blank);
            start = negated.strip_suffix('~').or_else(|| negated.strip_suffix("\\+"))?.len();
        }
        _ => return None,
    }
    let end = source.text().len() - after.len() + right.len();
    let span = Span { start: to_u32(start), end: to_u32(end) };
    Some((span, format!("distinct({left},{right})")))
}

/// True for the signs of sums, differences and products.
pub(super) fn is_arithmetic(text: &str) -> bool {
    matches!(text, "+" | "-" | "*" | "/" | "**" | "^" | "×" | "÷" | "−" | "·")
}

/// True if a term ends right before this span, but for blanks: `M - N`.
fn follows_term(source: &Source, at: Span) -> bool {
    let before = source.text()[..at.start as usize].trim_end_matches([' ', '\t']);
    before.ends_with(|last: char| is_word_character(last) || last == ')')
}

/// The name of which a sign is likely a part: it is an argument by itself, or stands between letters. Arithmetic stands
/// between variables.
fn name_around(source: &Source, at: Span) -> Option<&str> {
    let belongs = |c: char| is_word_character(c) || !c.is_ascii() && !is_blank(c) || "#$%@*+/^<>=-".contains(c);
    let (before, after) = (&source.text()[..at.start as usize], &source.text()[at.end as usize..]);
    let start =
        before.rfind(|c| !belongs(c)).map_or(0, |at| at + before[at..].chars().next().map_or(0, char::len_utf8));
    let end = at.end as usize + run_length(after, belongs);
    let name = &source.text()[start..end];
    let is_argument = before[..start].ends_with(['(', ',']) && source.text()[end..].starts_with([')', ',']);
    let begins_name = name.starts_with(|first: char| !first.is_uppercase() && first != '_');
    let is_sum = is_arithmetic(source.slice(at)) && name.len() > at.end as usize - at.start as usize;
    (is_argument && begins_name && !is_sum).then_some(name)
}
