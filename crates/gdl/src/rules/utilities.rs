//! What goal values stand for, where a sheet declares that they are not utilities themselves.
//!
//! GDL's goal values are whole numbers from 0 to 100. A comment that begins with `! utility` says what they stand for,
//! so that a sheet which every other program can play has utilities of any sign, with decimals:
//!
//! ```text
//! %! utility = goal - 50
//! %! utility(max) = [-12, 8, 24]
//! ```
//!
//! The first form adds a constant to the goal values of all roles or, with a name in parentheses, of one; in the second
//! the goal values 0, 1, 2 … stand for the numbers of the list, which rise; `-12 to -3` in it stands for every whole
//! number from one to the other.

use super::GroundTerm;
use super::declaration;
use crate::number::{Decimal, DecimalError};
use crate::syntax::Span;
use crate::syntax::ast::Sheet;
use nom::branch::alt;
use nom::bytes::complete::{tag, take_while1};
use nom::character::complete::{char, multispace0, one_of};
use nom::combinator::{all_consuming, opt, recognize};
use nom::multi::separated_list1;
use nom::sequence::{delimited, preceded, separated_pair};
use nom::{IResult, Parser};
use serde::{Deserialize, Serialize};

/// The declarations of a sheet; without any, goal values are utilities.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Utilities(Vec<UtilityDeclaration>);

/// What the goal values of one role, or of all, stand for.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
struct UtilityDeclaration {
    /// The name of the role; `None` for all.
    role: Option<String>,
    meaning: GoalMeaning,
}

#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
enum GoalMeaning {
    /// The goal value plus a constant.
    Shifted(Decimal),
    /// The goal value is an index into these numbers.
    Listed(Vec<Decimal>),
}

/// A declaration that cannot be read.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct BadDeclaration {
    /// The span of the comment.
    pub(super) span: Span,
    /// What is wrong with it.
    pub(super) problem: String,
}

impl Utilities {
    /// The declarations in the comments of a sheet that can be read.
    pub(super) fn from_sheet(sheet: &Sheet) -> Self {
        Self(declarations(sheet).filter_map(|(_, declaration)| declaration.ok()).collect())
    }

    /// The declarations that cannot be read, in the order of the text.
    pub(super) fn problems(sheet: &Sheet) -> Vec<BadDeclaration> {
        let bad = |(span, declaration): (Span, Result<UtilityDeclaration, String>)| {
            declaration.err().map(|problem| BadDeclaration { span, problem })
        };
        declarations(sheet).filter_map(bad).collect()
    }

    /// Whether goal values are utilities.
    pub fn is_empty(&self) -> bool {
        self.0.is_empty()
    }

    /// The utility that a goal value of a role stands for; `None` if it is no whole number of 32 bits, or not in the
    /// role's list.
    pub fn value(&self, role: &GroundTerm, goal: &GroundTerm) -> Option<Decimal> {
        let number: i32 = goal.arguments.is_empty().then(|| goal.name.parse().ok()).flatten()?;
        match self.meaning(role) {
            None => Some(Decimal::whole(number)),
            Some(GoalMeaning::Shifted(constant)) => Decimal::whole(number).plus(*constant),
            Some(GoalMeaning::Listed(numbers)) => numbers.get(usize::try_from(number).ok()?).copied(),
        }
    }

    /// The least and the greatest utility that goal values from 0 to 100 of these roles stand for, without chance. Rules may
    /// give others ([`RuleSet::utility_range`](super::RuleSet::utility_range)).
    pub fn range(&self, roles: &[GroundTerm]) -> (Decimal, Decimal) {
        let ends = |role: &GroundTerm| match self.meaning(role) {
            None => (Decimal::whole(0), Decimal::whole(100)),
            Some(GoalMeaning::Shifted(constant)) => {
                let end = |number| Decimal::whole(number).plus(*constant).unwrap_or(*constant);
                (end(0), end(100))
            }
            Some(GoalMeaning::Listed(numbers)) => (numbers[0], numbers[numbers.len() - 1]),
        };
        let players = roles.iter().filter(|&role| !role.is_chance());
        let all = players.map(ends).reduce(|(least, most), (low, high)| (least.min(low), most.max(high)));
        all.unwrap_or((Decimal::whole(0), Decimal::whole(100)))
    }

    /// A declaration for the role alone comes before one for all.
    fn meaning(&self, role: &GroundTerm) -> Option<&GoalMeaning> {
        let is_own = |name: &str| role.arguments.is_empty() && *role.name == *name;
        let own = self.0.iter().find(|declaration| declaration.role.as_deref().is_some_and(is_own));
        own.or_else(|| self.0.iter().find(|declaration| declaration.role.is_none())).map(|found| &found.meaning)
    }
}

/// The declarations of a sheet, with the spans of their comments.
fn declarations(sheet: &Sheet) -> impl Iterator<Item = (Span, Result<UtilityDeclaration, String>)> {
    let own = declaration::Declaration::all(sheet).filter(|found| found.text.starts_with("utility"));
    own.map(|found| (found.comment, read(found.text)))
}

fn read(text: &str) -> Result<UtilityDeclaration, String> {
    let form = "a declaration is `utility = goal - 50`, `utility(ROLE) = goal + 50` or `utility(ROLE) = [-1, 0, 2.5, 10 to 20]`";
    let (_, (role, meaning)) = all_consuming(declaration).parse(text).map_err(|_| form.to_string())?;
    let meaning = match meaning {
        RuleValue::Shifted(sign, constant) => {
            let constant = decimal(constant)?;
            GoalMeaning::Shifted(if sign == '-' { constant.negated() } else { constant })
        }
        RuleValue::Listed(numbers) => {
            let numbers = numbers.into_iter().map(|entry| entry.numbers()).collect::<Result<Vec<_>, _>>()?.concat();
            if let Some(pair) = numbers.windows(2).find(|pair| pair[0] >= pair[1]) {
                return Err(format!("the numbers of a list rise, and {} is not less than {}", pair[0], pair[1]));
            }
            GoalMeaning::Listed(numbers)
        }
    };
    Ok(UtilityDeclaration { role: role.map(str::to_string), meaning })
}

/// A declaration before its numbers are read.
enum RuleValue<'a> {
    Shifted(char, &'a str),
    Listed(Vec<UtilityEntry<'a>>),
}

/// A part of a list: a number, or the whole numbers from one to another.
enum UtilityEntry<'a> {
    Number(&'a str),
    Range(&'a str, &'a str),
}

impl UtilityEntry<'_> {
    /// The numbers of a range are as many as goal values at most, so that a slip of the pen costs no memory.
    fn numbers(&self) -> Result<Vec<Decimal>, String> {
        let (first, last) = match *self {
            Self::Number(text) => return Ok(vec![decimal(text)?]),
            Self::Range(first, last) => (whole(first)?, whole(last)?),
        };
        if first >= last {
            return Err(format!("the numbers of a list rise, and {first} is not less than {last}"));
        }
        if i64::from(last) - i64::from(first) > 100 {
            return Err(format!("`{first} to {last}` are more than 101 numbers, and goal values end at 100"));
        }
        Ok((first..=last).map(Decimal::whole).collect())
    }
}

fn decimal(text: &str) -> Result<Decimal, String> {
    text.parse().map_err(|error: DecimalError| format!("`{text}`: {error}"))
}

fn whole(text: &str) -> Result<i32, String> {
    text.parse().map_err(|_| format!("`{text}` is not a whole number of 32 bits"))
}

fn declaration(text: &str) -> IResult<&str, (Option<&str>, RuleValue<'_>)> {
    let role = opt(delimited(word("("), take_while1(|letter: char| !"() =".contains(letter)), word(")")));
    let shifted = preceded(word("goal"), opt((spaced(one_of("+-")), number)))
        .map(|shift| shift.map_or(RuleValue::Shifted('+', "0"), |(sign, constant)| RuleValue::Shifted(sign, constant)));
    let range = separated_pair(number, spaced(tag("to")), number).map(|(first, last)| UtilityEntry::Range(first, last));
    let entry = alt((range, number.map(UtilityEntry::Number)));
    let listed = delimited(word("["), separated_list1(spaced(char(',')), entry), word("]")).map(RuleValue::Listed);
    let (rest, (_, role, _, meaning)) = (word("utility"), role, word("="), alt((shifted, listed))).parse(text)?;
    Ok((rest, (role, meaning)))
}

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
