//! The two ways in which GDL is written, and how to tell them apart.

use super::lexical::is_blank;

/// A concrete syntax of GDL.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, serde::Serialize)]
#[serde(rename_all = "lowercase")]
pub enum Dialect {
    /// KIF, as the GGP protocol speaks it: `(<= (legal ?r noop) (role ?r) (not (true (control ?r))))`.
    Prefix,
    /// HRF, as Genesereth's book writes it: `legal(R,noop) :- role(R) & ~true(control(R))`.
    Infix,
}

impl Dialect {
    /// Both of them.
    pub const ALL: [Self; 2] = [Self::Prefix, Self::Infix];

    /// The dialect in which a text is written, judged by all that tells them apart in its first few thousand signs, so that
    /// slips into the other dialect do not matter. A text without any such sign, which reads the same in both, is infix.
    ///
    /// The time is linear in the length of the text, and short for all but the oddest.
    pub fn of(text: &str) -> Self {
        let mut evidence = Evidence::default();
        evidence.prefix += u32::from(text.trim_start_matches(is_blank).starts_with('('));
        for line in text.split(['\n', '\r']) {
            evidence.weigh_line(line);
            if evidence.prefix.abs_diff(evidence.infix) >= Evidence::ENOUGH {
                break;
            }
        }
        if evidence.prefix > evidence.infix { Self::Prefix } else { Self::Infix }
    }

    /// How it is written: `prefix` or `infix`.
    pub fn name(self) -> &'static str {
        match self {
            Self::Prefix => "prefix",
            Self::Infix => "infix",
        }
    }

    /// The sign with which a comment begins.
    pub fn comment_sign(self) -> char {
        match self {
            Self::Prefix => ';',
            Self::Infix => '%',
        }
    }
}

/// How much speaks for either dialect.
#[derive(Default)]
struct Evidence {
    prefix: u32,
    infix: u32,
}

impl Evidence {
    /// A lead that no slip makes up for.
    const ENOUGH: u32 = 64;

    fn weigh_line(&mut self, line: &str) {
        let mut previous = ' ';
        let mut characters = line.chars().peekable();
        while let Some(c) = characters.next() {
            let next = characters.peek().copied().unwrap_or(' ');
            if c == ';' {
                self.prefix += u32::from(previous == ' ');
                return;
            }
            if c == '%' && !is_inside_name(previous) {
                self.infix += u32::from(previous == ' ');
                return;
            }
            self.weigh(previous, c, next);
            previous = if is_blank(c) { ' ' } else { c };
        }
    }

    fn weigh(&mut self, previous: char, c: char, next: char) {
        match c {
            '?' if !is_inside_name(previous) && is_inside_name(next) => self.prefix += 1,
            '(' if next == '<' => self.prefix += 2,
            '(' if is_inside_name(previous) => self.infix += 1,
            '(' if matches!(previous, ' ' | '(' | ')') && is_inside_name(next) => self.prefix += 1,
            ':' if next == '-' => self.infix += 2,
            ',' | '~' | '&' | '|' | '[' | '.' => self.infix += 1,
            _ => {}
        }
    }
}

fn is_inside_name(c: char) -> bool {
    c.is_alphanumeric() || matches!(c, '_' | '-' | '+')
}
