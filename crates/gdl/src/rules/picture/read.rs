//! The grammar of a declaration of drawings, and the names of the game that such declarations mention. The rules play
//! no part here; `resolve` compares the two.

use super::{BoardShape, COLOUR, Colour, Field, FigureKind, Glyph, UNREADABLE, UTILITY};
use crate::diagnostic::Diagnostic;
use crate::rules::GroundTerm;
use crate::rules::utilities::Declaration;
use crate::suggestion::{did_you_mean_names, nearest};
use crate::syntax::Span;
use crate::syntax::ast::Sheet;
use nom::branch::alt;
use nom::bytes::complete::{tag, take_till, take_while1};
use nom::character::complete::{char, multispace0, multispace1};
use nom::combinator::{all_consuming, map, opt, verify};
use nom::multi::{many0, separated_list0, separated_list1};
use nom::sequence::{delimited, preceded, terminated};
use nom::{IResult, Parser};

/// A declaration as it is written.
pub(super) enum WrittenDeclaration<'a> {
    /// `board cell(row,column,piece) upwards unlabelled "title"`, and other figures.
    Figure { kind: FigureKind, form: DeclaredTerm<'a>, words: Vec<&'a str>, title: Option<&'a str> },
    /// `layer wall(row,column)`
    Layer(DeclaredTerm<'a>),
    /// `glyph white,pawn p red`
    Glyph { piece: Vec<DeclaredTerm<'a>>, glyph: Sign<'a> },
    /// `empty .`
    Empty(Sign<'a>),
    /// `wall # grey`
    Wall(Sign<'a>),
    /// `shape hex`
    Shape(&'a str),
}

/// A name with arguments.
pub(super) struct DeclaredTerm<'a> {
    pub(super) name: &'a str,
    pub(super) arguments: Vec<DeclaredTerm<'a>>,
}

/// A glyph and its colour.
pub(super) struct Sign<'a> {
    pub(super) text: &'a str,
    pub(super) colour: Option<&'a str>,
}

/// The words that begin a declaration of a picture, with the form of each.
const FORMS: [(&str, &str); 11] = [
    (
        "board",
        "a board is `board cell(row,column,piece)`, and then, if wanted, `upwards`, `unlabelled` and a title in quotation marks",
    ),
    ("stack", "a stack is `stack on(piece,column)`, and then, if wanted, a title in quotation marks"),
    ("bars", "bars are `bars heap(row,count)`, and then, if wanted, a title in quotation marks"),
    ("tree", "a tree is `tree branch(parent,value,child)`, and then, if wanted, a title in quotation marks"),
    ("hand", "a hand is `hand holds(owner,piece)`, and then, if wanted, a title in quotation marks"),
    (
        "label",
        "a label is `label score(owner,value)` or `label step(value)`, and then, if wanted, a title in quotation marks",
    ),
    ("layer", "a layer is `layer wall(row,column)`, and that of a tree `layer at(child)`"),
    ("glyph", "a glyph is `glyph PIECE SIGN COLOUR`: `glyph x X red`; the colour can be left out"),
    ("empty", "an empty square is `empty SIGN COLOUR`: `empty .`; the colour can be left out"),
    ("wall", "a wall is `wall SIGN COLOUR`: `wall # grey`; the colour can be left out"),
    ("shape", "a shape is `shape square`, `shape hex` or `shape ring`"),
];

/// The longest declaration, in bytes: its terms are read recursively.
const LONGEST: usize = 500;

/// Reads a declaration; `None` if it is none of a picture.
pub(super) fn read<'a>(declaration: &Declaration<'a>) -> Option<Result<WrittenDeclaration<'a>, Diagnostic>> {
    let word = declaration.word;
    let text = declaration.text;
    let Some((_, form)) = FORMS.iter().find(|(known, _)| *known == word) else { return unknown(declaration) };
    if text.len() > LONGEST {
        return Some(Err(Diagnostic::new(&UNREADABLE, declaration.comment, "the declaration is too long")));
    }
    let rest = &text[word.len()..];
    Some(match all_consuming(terminated(|rest| body(word, rest), multispace0)).parse(rest) {
        Ok((_, written)) => Ok(written),
        Err(nom::Err::Error(error) | nom::Err::Failure(error)) => {
            let (wrong, message) = misread(declaration, error.input.trim_start());
            Err(Diagnostic::new(&UNREADABLE, declaration.span(wrong), message).with_help(*form))
        }
        Err(nom::Err::Incomplete(_)) => Err(Diagnostic::new(&UNREADABLE, declaration.comment, *form)),
    })
}

/// The wrong part of a declaration that cannot be read beyond `rest`, with a message.
fn misread<'a>(declaration: &Declaration<'a>, rest: &'a str) -> (&'a str, String) {
    let word = &rest[..rest.find(char::is_whitespace).unwrap_or(rest.len())];
    let count = |sign: char| declaration.text.matches(sign).count();
    let words_before = declaration.text[..declaration.text.len() - rest.len()].split_whitespace().count();
    // A sign follows its piece, and that of an empty square or of a wall stands first.
    let is_sign = matches!((declaration.word, words_before), ("glyph", 2) | ("empty" | "wall", 1));
    if word.is_empty() {
        (word, "the declaration ends too early".to_string())
    } else if !count('"').is_multiple_of(2) {
        (word, "a quotation mark is never closed".to_string())
    } else if is_sign && word.chars().count() > LONGEST_GLYPH {
        (word, format!("a sign has at most {LONGEST_GLYPH} characters, and `{word}` has more"))
    } else if count('(') != count(')') {
        (word, "the brackets are not balanced".to_string())
    } else {
        (word, format!("`{word}` has no meaning here"))
    }
}

/// A first word that is nearly one of a declaration.
fn unknown<'a>(declaration: &Declaration<'a>) -> Option<Result<WrittenDeclaration<'a>, Diagnostic>> {
    let word = declaration.word;
    let known = FORMS.iter().map(|(known, _)| *known).chain(["utility"]);
    let near = nearest(word, known);
    if word == "utility" || word.len() < 3 || near.is_empty() {
        return None;
    }
    let problem = Diagnostic::new(&UNREADABLE, declaration.span(word), format!("there is no declaration `{word}`"));
    Some(Err(problem.with_help(did_you_mean_names(&near))))
}

fn body<'a>(word: &str, rest: &'a str) -> IResult<&'a str, WrittenDeclaration<'a>> {
    let kinds =
        [FigureKind::Board, FigureKind::Stack, FigureKind::Bars, FigureKind::Tree, FigureKind::Hand, FigureKind::Label];
    if let Some(kind) = kinds.into_iter().find(|kind| kind.word() == word) {
        let (rest, form) = preceded(multispace1, term).parse(rest)?;
        let (rest, words) = many0(preceded(multispace1, option)).parse(rest)?;
        let (rest, title) = opt(preceded(multispace1, quoted)).parse(rest)?;
        return Ok((rest, WrittenDeclaration::Figure { kind, form, words, title }));
    }
    match word {
        "layer" => map(preceded(multispace1, term), WrittenDeclaration::Layer).parse(rest),
        "glyph" => {
            let piece = separated_list1(char(','), term);
            let (rest, (piece, glyph)) = (preceded(multispace1, piece), sign).parse(rest)?;
            Ok((rest, WrittenDeclaration::Glyph { piece, glyph }))
        }
        "empty" => map(sign, WrittenDeclaration::Empty).parse(rest),
        "wall" => map(sign, WrittenDeclaration::Wall).parse(rest),
        _ => map(preceded(multispace1, name), WrittenDeclaration::Shape).parse(rest),
    }
}

/// A word after the facts of a board.
fn option(text: &str) -> IResult<&str, &str> {
    alt((tag("upwards"), tag("unlabelled"))).parse(text)
}

fn quoted(text: &str) -> IResult<&str, &str> {
    delimited(char('"'), take_till(|letter| letter == '"'), char('"')).parse(text)
}

/// A glyph and, if there is one, its colour, each with blanks before it.
fn sign(text: &str) -> IResult<&str, Sign<'_>> {
    let word = || preceded(multispace1, take_while1(|letter: char| !letter.is_whitespace()));
    let is_short = |word: &str| word == SPACE || word.chars().count() <= LONGEST_GLYPH;
    map((verify(word(), is_short), opt(word())), |(text, colour)| Sign { text, colour }).parse(text)
}

/// The word for a glyph that shows nothing.
const SPACE: &str = "space";

/// The greatest number of characters of a glyph.
const LONGEST_GLYPH: usize = 3;

/// A name, with arguments as infix or prefix writes them: `f(a,b)` or `(f a b)`.
fn term(text: &str) -> IResult<&str, DeclaredTerm<'_>> {
    let comma = delimited(multispace0, char(','), multispace0);
    let inside = delimited(multispace0, separated_list0(comma, term), multispace0);
    let infix = map((name, opt(delimited(char('('), inside, char(')')))), |(name, arguments)| DeclaredTerm {
        name,
        arguments: arguments.unwrap_or_default(),
    });
    let parts = delimited(multispace0, (name, many0(preceded(multispace1, term))), multispace0);
    let prefix = map(delimited(char('('), parts, char(')')), |(name, arguments)| DeclaredTerm { name, arguments });
    alt((prefix, infix)).parse(text)
}

fn name(text: &str) -> IResult<&str, &str> {
    take_while1(|letter: char| !letter.is_whitespace() && !"(),\"".contains(letter)).parse(text)
}

impl DeclaredTerm<'_> {
    /// The term without its positions.
    pub(super) fn ground(&self) -> GroundTerm {
        GroundTerm { name: self.name.into(), arguments: self.arguments.iter().map(Self::ground).collect() }
    }

    /// The meaning of an argument of a figure; `None` for a constant.
    pub(super) fn field(&self) -> Option<Field> {
        if let (UTILITY, [role]) = (self.name, &self.arguments[..]) {
            return Some(Field::Utility(role.ground()));
        }
        if !self.arguments.is_empty() {
            return None;
        }
        let words = [
            Field::Row,
            Field::Column,
            Field::Piece,
            Field::Count,
            Field::Owner,
            Field::Value,
            Field::Parent,
            Field::Child,
            Field::Any,
        ];
        words.into_iter().find(|field| field.word() == self.name)
    }
}

impl Sign<'_> {
    /// The glyph, or the problem with its colour.
    pub(super) fn glyph(&self, declaration: &Declaration) -> Result<Glyph, Diagnostic> {
        let text = if self.text == SPACE { " " } else { self.text }.to_string();
        let Some(name) = self.colour else { return Ok(Glyph { text, colour: None }) };
        let found = Colour::ALL.iter().find(|(known, _)| *known == name);
        let (_, colour) = found.ok_or_else(|| {
            let names: Vec<&str> = Colour::ALL.iter().map(|(name, _)| *name).collect();
            let message = format!("there is no colour `{name}`");
            let help = format!("the colours are {}", names.join(", "));
            Diagnostic::new(&COLOUR, declaration.span(name), message).with_help(help)
        })?;
        Ok(Glyph { text, colour: Some(*colour) })
    }
}

impl BoardShape {
    /// The shape with this name.
    pub(super) fn find(name: &str) -> Option<Self> {
        let shapes = [("square", Self::Square), ("hex", Self::Hex), ("ring", Self::Ring), ("hollows", Self::Hollows)];
        shapes.into_iter().find(|(known, _)| *known == name).map(|(_, shape)| shape)
    }
}

/// Visits the names of the game in the declarations that can be read, in the order of the text: each with its number of
/// arguments and its span. Words such as `row`, which say what an argument means, are left out.
pub(crate) fn each_mention(sheet: &Sheet, visit: &mut dyn FnMut(&str, usize, Span)) {
    for declaration in Declaration::all(sheet) {
        match read(&declaration) {
            Some(Ok(WrittenDeclaration::Figure { form, .. } | WrittenDeclaration::Layer(form))) => {
                each_name(&declaration, &form, visit);
            }
            Some(Ok(WrittenDeclaration::Glyph { piece, .. })) => {
                piece.iter().for_each(|term| each_name(&declaration, term, visit));
            }
            Some(
                Ok(WrittenDeclaration::Empty(_) | WrittenDeclaration::Wall(_) | WrittenDeclaration::Shape(_)) | Err(_),
            ) => {}
            None => {
                if let Some(role) = role_of_utility(&declaration) {
                    visit(role, 0, declaration.span(role));
                }
            }
        }
    }
}

fn each_name(declaration: &Declaration<'_>, term: &DeclaredTerm<'_>, visit: &mut dyn FnMut(&str, usize, Span)) {
    visit(term.name, term.arguments.len(), declaration.span(term.name));
    for part in &term.arguments {
        match part.field() {
            None => each_name(declaration, part, visit),
            Some(Field::Utility(_)) => part.arguments.iter().for_each(|role| each_name(declaration, role, visit)),
            Some(_) => {}
        }
    }
}

/// The role in `utility(max) = goal - 50`.
fn role_of_utility<'a>(declaration: &Declaration<'a>) -> Option<&'a str> {
    let inside = declaration.text.strip_prefix("utility")?.trim_start().strip_prefix('(')?;
    Some(inside.split_once(')')?.0.trim())
}
