//! Declarations, and those of utilities: a sheet may say that its goal values stand for other numbers.
//!
//! A declaration is a comment that begins with `!`. It tells this program what the rules cannot say, and every other
//! program ignores it. `picture` reads those about drawings.
//!
//! GDL's goal values are whole numbers from 0 to 100. A comment that begins with `! utility` says which utilities they
//! stand for. These may be negative and have decimals, and still every other program can play the sheet:
//!
//! ```text
//! %! utility = goal - 50
//! %! utility(max) = [-12, 8, 24]
//! ```
//!
//! The first form adds a constant to the goal values. In the second form the goal values 0, 1, 2 … stand for the
//! numbers of the list, which are in ascending order; `-12 to -3` in a list stands for every whole number from one to
//! the other. Either form is for all roles or, with a name in parentheses, for one role.

use super::GroundTerm;
use crate::diagnostic::{Code, Diagnostic};
use crate::number::{Decimal, DecimalError};
use crate::syntax::Span;
use crate::syntax::ast::Sheet;
use nom::branch::alt;
use nom::bytes::complete::{tag, take_while1};
use nom::character::complete::{char, multispace0, one_of};
use nom::combinator::{all_consuming, opt, recognize};
use nom::multi::separated_list1;
use nom::sequence::{delimited, preceded};
use nom::{IResult, Parser};
use serde::{Deserialize, Serialize};

/// The greatest goal value of GDL; the least is 0.
const GREATEST_GOAL: i32 = 100;

/// The declarations of utilities in a sheet. If there are none, goal values are utilities.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Utilities(Vec<UtilityDeclaration>);

/// The meaning of the goal values of one role or of all.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
struct UtilityDeclaration {
    /// The name of the role; `None` for all roles.
    role: Option<String>,
    meaning: GoalMeaning,
}

/// The utilities that goal values stand for.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
enum GoalMeaning {
    /// The goal value plus a constant.
    Shifted(Decimal),
    /// The number at the index that the goal value is, from 0. There is at least one.
    Listed(Vec<Decimal>),
}

impl Utilities {
    /// The declarations in the comments of a sheet that can be read.
    pub(super) fn from_sheet(sheet: &Sheet) -> Self {
        Self(declarations(sheet).filter_map(|(_, declaration)| declaration.ok()).collect())
    }

    /// A problem with this code for each declaration that cannot be read, in the order of the text.
    pub(super) fn problems(sheet: &Sheet, code: &'static Code) -> impl Iterator<Item = Diagnostic> {
        declarations(sheet).filter_map(move |(span, declaration)| Some(Diagnostic::new(code, span, declaration.err()?)))
    }

    /// True if there are no declarations, so that goal values are utilities.
    pub fn is_empty(&self) -> bool {
        self.0.is_empty()
    }

    /// The declarations with other names of roles.
    pub(super) fn renamed(&self, rename: impl Fn(&str) -> String) -> Self {
        let declaration = |UtilityDeclaration { role, meaning }: &UtilityDeclaration| UtilityDeclaration {
            role: role.as_deref().map(&rename),
            meaning: meaning.clone(),
        };
        Self(self.0.iter().map(declaration).collect())
    }

    /// The utility that a goal value of a role stands for; `None` if it is not a whole number of 32 bits, or not
    /// an index of the role's list.
    pub fn value(&self, role: &GroundTerm, goal: &GroundTerm) -> Option<Decimal> {
        let number: i32 = goal.arguments.is_empty().then(|| goal.name.parse().ok()).flatten()?;
        match self.meaning(role) {
            None => Some(Decimal::whole(number)),
            Some(GoalMeaning::Shifted(constant)) => Decimal::whole(number).plus(*constant),
            Some(GoalMeaning::Listed(numbers)) => numbers.get(usize::try_from(number).ok()?).copied(),
        }
    }

    /// The least and the greatest utility that goal values from 0 to 100 of these roles stand for; chance does not
    /// count. The rules may give goal values beyond these ([`RuleSet::utility_range`](super::RuleSet::utility_range)).
    pub fn range(&self, roles: &[GroundTerm]) -> (Decimal, Decimal) {
        let ends = |role: &GroundTerm| match self.meaning(role) {
            None => (Decimal::whole(0), Decimal::whole(GREATEST_GOAL)),
            Some(GoalMeaning::Shifted(constant)) => {
                // A sum that is out of range is no utility: then the constant stands for it.
                let end = |number| Decimal::whole(number).plus(*constant).unwrap_or(*constant);
                (end(0), end(GREATEST_GOAL))
            }
            Some(GoalMeaning::Listed(numbers)) => (numbers[0], numbers[numbers.len() - 1]),
        };
        let players = roles.iter().filter(|&role| !role.is_chance());
        let all = players.map(ends).reduce(|(least, most), (low, high)| (least.min(low), most.max(high)));
        all.unwrap_or((Decimal::whole(0), Decimal::whole(GREATEST_GOAL)))
    }

    /// The declared meaning of the goal values of a role: its own declaration counts before one for all roles.
    fn meaning(&self, role: &GroundTerm) -> Option<&GoalMeaning> {
        let is_own = |name: &str| role.arguments.is_empty() && *role.name == *name;
        let own = self.0.iter().find(|declaration| declaration.role.as_deref().is_some_and(is_own));
        own.or_else(|| self.0.iter().find(|declaration| declaration.role.is_none())).map(|found| &found.meaning)
    }
}

/// The declarations of a sheet, with the spans of their comments.
fn declarations(sheet: &Sheet) -> impl Iterator<Item = (Span, Result<UtilityDeclaration, String>)> {
    let own = Declaration::all(sheet).filter(|found| found.text.starts_with("utility"));
    own.map(|found| (found.comment, read_declaration(found.text)))
}

/// Reads the text of a declaration, without the comment sign and the `!`.
fn read_declaration(text: &str) -> Result<UtilityDeclaration, String> {
    let form = "a declaration is `utility = goal - 50`, `utility(ROLE) = goal + 50` or `utility(ROLE) = [-1, 0, 2.5, 10 to 20]`";
    let (_, (role, meaning)) = all_consuming(parse_declaration).parse(text).map_err(|_| form.to_string())?;
    let meaning = match meaning {
        WrittenMeaning::Shifted(sign, constant) => {
            let constant = decimal(constant)?;
            GoalMeaning::Shifted(if sign == '-' { constant.negated() } else { constant })
        }
        WrittenMeaning::Listed(numbers) => {
            let numbers = numbers.into_iter().map(|(first, last)| listed_numbers(first, last));
            let numbers = numbers.collect::<Result<Vec<_>, _>>()?.concat();
            if let Some(pair) = numbers.windows(2).find(|pair| pair[0] >= pair[1]) {
                return Err(format!("the numbers of a list rise, and {} is not less than {}", pair[0], pair[1]));
            }
            GoalMeaning::Listed(numbers)
        }
    };
    Ok(UtilityDeclaration { role: role.map(str::to_string), meaning })
}

/// The meaning of goal values as it is written, before its numbers are read.
enum WrittenMeaning<'a> {
    /// The sign and the constant.
    Shifted(char, &'a str),
    /// The entries of the list: a number, or the first and the last of several.
    Listed(Vec<(&'a str, Option<&'a str>)>),
}

/// The numbers that an entry of a list stands for: one, or the whole numbers up to `last`. These are at most as many as
/// there are goal values, so that a mistyped range cannot fill the memory.
fn listed_numbers(first: &str, last: Option<&str>) -> Result<Vec<Decimal>, String> {
    let Some(last) = last else { return Ok(vec![decimal(first)?]) };
    let (first, last) = (whole(first)?, whole(last)?);
    if first >= last {
        return Err(format!("the numbers of a list rise, and {first} is not less than {last}"));
    }
    if i64::from(last) - i64::from(first) > i64::from(GREATEST_GOAL) {
        return Err(format!("`{first} to {last}` are more than 101 numbers, and goal values end at 100"));
    }
    Ok((first..=last).map(Decimal::whole).collect())
}

/// The decimal number that a text stands for.
fn decimal(text: &str) -> Result<Decimal, String> {
    text.parse().map_err(|error: DecimalError| format!("`{text}`: {error}"))
}

/// The whole number that a text stands for.
fn whole(text: &str) -> Result<i32, String> {
    text.parse().map_err(|_| format!("`{text}` is not a whole number of 32 bits"))
}

/// Parses a declaration: the name of the role, if there is one, and the meaning.
fn parse_declaration(text: &str) -> IResult<&str, (Option<&str>, WrittenMeaning<'_>)> {
    let role = opt(delimited(word("("), take_while1(|letter: char| !"() =".contains(letter)), word(")")));
    let shifted = preceded(word("goal"), opt((spaced(one_of("+-")), number))).map(|shift| {
        shift.map_or(WrittenMeaning::Shifted('+', "0"), |(sign, constant)| WrittenMeaning::Shifted(sign, constant))
    });
    let entry = (number, opt(preceded(spaced(tag("to")), number)));
    let listed = delimited(word("["), separated_list1(spaced(char(',')), entry), word("]")).map(WrittenMeaning::Listed);
    let (rest, (_, role, _, meaning)) = (word("utility"), role, word("="), alt((shifted, listed))).parse(text)?;
    Ok((rest, (role, meaning)))
}

/// The text of a number. Texts such as `1.2.3` are refused later, with a message of their own ([`decimal`]).
fn number(text: &str) -> IResult<&str, &str> {
    recognize((opt(char('-')), take_while1(|letter: char| letter.is_ascii_digit() || letter == '.'))).parse(text)
}

/// A fixed word, with spaces around it.
fn word<'a>(fixed: &'static str) -> impl Parser<&'a str, Output = &'a str, Error = nom::error::Error<&'a str>> {
    delimited(multispace0, tag(fixed), multispace0)
}

/// A parser with spaces around it.
fn spaced<'a, O>(
    parser: impl Parser<&'a str, Output = O, Error = nom::error::Error<&'a str>>,
) -> impl Parser<&'a str, Output = O, Error = nom::error::Error<&'a str>> {
    delimited(multispace0, parser, multispace0)
}

/// A comment that begins with `!`, such as `%! utility = goal - 50`.
#[derive(Clone, Copy, Debug)]
pub(super) struct Declaration<'a> {
    /// The first word: letters up to anything else.
    pub(super) word: &'a str,
    /// The text after the `!`, without blanks around it.
    pub(super) text: &'a str,
    /// The index of the text in the source, in bytes.
    start: usize,
    /// The span of the comment, its signs included.
    pub(super) comment: Span,
}

impl<'a> Declaration<'a> {
    /// The declarations of a sheet, in the order of the text.
    pub(super) fn all(sheet: &'a Sheet) -> impl Iterator<Item = Self> {
        sheet.comments.iter().filter_map(|comment| {
            let text = comment.text.trim_start().strip_prefix('!')?.trim_start();
            let start = comment.span.end as usize - text.len();
            let text = text.trim_end();
            let end = text.find(|letter: char| !letter.is_alphabetic()).unwrap_or(text.len());
            Some(Self { word: &text[..end], text, start, comment: comment.span })
        })
    }

    /// The span of a part of [`Declaration::text`]; if it is empty, that of the character there, or of the last one.
    pub(super) fn span(&self, part: &str) -> Span {
        let offset = (part.as_ptr() as usize).wrapping_sub(self.text.as_ptr() as usize).min(self.text.len());
        let from = if part.is_empty() && offset == self.text.len() { self.last() } else { offset };
        let length =
            if part.is_empty() { self.text[from..].chars().next().map_or(0, char::len_utf8) } else { part.len() };
        Span::new(self.start + from, self.start + (from + length).min(self.text.len()))
    }

    /// The index of the last character of the text.
    fn last(&self) -> usize {
        self.text.char_indices().next_back().map_or(0, |(index, _)| index)
    }
}
