//! The three dialects of GDL, and recognition of the dialect of a text.

use super::characters::is_blank;

/// A concrete syntax of GDL.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, serde::Serialize, serde::Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum Dialect {
    /// KIF, the dialect of the GGP protocol: `(<= (legal ?r noop) (role ?r) (not (true (control ?r))))`.
    Prefix,
    /// HRF, the dialect of Genesereth's book: `legal(R,noop) :- role(R) & ~true(control(R))`.
    Infix,
    /// The dialect of Stanford's present course, infix with operations: `mark(M,N) :: control(R) ==> cell(M,N,R)`.
    Operations,
}

impl Dialect {
    /// All dialects.
    pub const ALL: [Self; 3] = [Self::Prefix, Self::Infix, Self::Operations];

    /// The dialect in which a text is written, judged by all distinctive signs among its first few thousand, so that
    /// single signs of another dialect do not matter. A text without any such sign, which reads the same in all,
    /// is infix. An infix text with an operation, `::` or `==>`, is of the dialect with operations.
    ///
    /// Linear in the length of the text.
    pub fn detect(text: &str) -> Self {
        let mut lead = i64::from(text.trim_start_matches(is_blank).starts_with('('));
        for line in text.split(['\n', '\r']) {
            lead += prefix_lead(line);
            if lead.unsigned_abs() >= ENOUGH {
                break;
            }
        }
        match lead > 0 {
            true => Self::Prefix,
            false if has_operation(text) => Self::Operations,
            false => Self::Infix,
        }
    }

    /// True for the dialects that are written infix.
    pub fn is_infix(self) -> bool {
        self != Self::Prefix
    }

    /// The name on the command line: `prefix`, `infix` or `operations`.
    pub fn name(self) -> &'static str {
        match self {
            Self::Prefix => "prefix",
            Self::Infix => "infix",
            Self::Operations => "operations",
        }
    }

    /// The sign that begins a comment.
    pub fn comment_sign(self) -> char {
        match self {
            Self::Prefix => ';',
            Self::Infix | Self::Operations => '%',
        }
    }
}

/// A lead of prefix or of infix that the rest of a text does not outweigh.
const ENOUGH: u64 = 64;

/// True if a line of an infix text has a sign of an operation outside of comments and quotes.
fn has_operation(text: &str) -> bool {
    let code = || text.split(['\n', '\r']).filter_map(|line| line.split('%').next());
    // Bytes that are not text may look like any sign.
    code().any(line_has_operation) && !text.contains('\0') && code().all(|line| !line.contains('\u{fffd}'))
}

/// True if a line without its comment has the sign outside of quotes.
fn line_has_operation(line: &str) -> bool {
    line.split('\'').step_by(2).any(|part| part.contains("::") || part.contains("==>"))
}

/// The number of signs of prefix in a line, less the number of signs of infix. A comment ends the line, since its text
/// says nothing about the dialect.
fn prefix_lead(line: &str) -> i64 {
    let mut lead = 0;
    let mut previous = ' ';
    let mut characters = line.chars().peekable();
    while let Some(c) = characters.next() {
        let next = characters.peek().copied().unwrap_or(' ');
        match c {
            ';' => return lead + i64::from(previous == ' '),
            '%' if !is_inside_name(previous) => return lead - i64::from(previous == ' '),
            '?' if !is_inside_name(previous) && is_inside_name(next) => lead += 1,
            '(' if next == '<' => lead += 2,
            '(' if is_inside_name(previous) => lead -= 1,
            '(' if matches!(previous, ' ' | '(' | ')') && is_inside_name(next) => lead += 1,
            ':' if next == '-' => lead -= 2,
            ',' | '~' | '&' | '|' | '[' | '.' => lead -= 1,
            _ => {}
        }
        previous = if is_blank(c) { ' ' } else { c };
    }
    lead
}

fn is_inside_name(c: char) -> bool {
    c.is_alphanumeric() || matches!(c, '_' | '-' | '+')
}
