//! The two dialects of GDL, and how to recognise them.

use super::characters::is_blank;

/// A concrete syntax of GDL.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, serde::Serialize, serde::Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum Dialect {
    /// KIF, the dialect of the GGP protocol: `(<= (legal ?r noop) (role ?r) (not (true (control ?r))))`.
    Prefix,
    /// HRF, the dialect of Genesereth's book: `legal(R,noop) :- role(R) & ~true(control(R))`.
    Infix,
}

impl Dialect {
    /// Both dialects.
    pub const ALL: [Self; 2] = [Self::Prefix, Self::Infix];

    /// The dialect in which a text is written, judged by all distinctive signs among its first few thousand, so that
    /// single signs of the other dialect do not matter. A text without any such sign, which reads the same in both,
    /// is infix.
    ///
    /// Linear in the length of the text; nearly always only a short prefix is read.
    pub fn detect(text: &str) -> Self {
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

    /// The name on the command line: `prefix` or `infix`.
    pub fn name(self) -> &'static str {
        match self {
            Self::Prefix => "prefix",
            Self::Infix => "infix",
        }
    }

    /// The sign that begins a comment.
    pub fn comment_sign(self) -> char {
        match self {
            Self::Prefix => ';',
            Self::Infix => '%',
        }
    }
}

/// The number of signs found for each dialect.
#[derive(Default)]
struct Evidence {
    prefix: u32,
    infix: u32,
}

impl Evidence {
    /// A lead that the rest of the text does not outweigh.
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
