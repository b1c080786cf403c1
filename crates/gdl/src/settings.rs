//! Files that people write as lines `SETTING = VALUE`: tournaments and tasks of the course.
//!
//! ```
//! use gdl::settings::settings;
//! use gdl::source::Source;
//!
//! let file = Source::new("spring.txt", "% The tournament of a class.\nkind = all\ngames = nim, chess\n");
//! let lines = settings(&file, "`SETTING = VALUE`").expect("each line has a sign and a value");
//! assert_eq!(lines[1].key.text, "games");
//! assert_eq!(lines[1].value.listed().map(|part| part.text).collect::<Vec<_>>(), ["nim", "chess"]);
//! assert!(settings(&Source::new("spring.txt", "kind all"), "`SETTING = VALUE`").is_err());
//! ```
//!
//! A comment begins with `%` and reaches to the end of its line. What a file may set is the business of its reader; a
//! mistake is a [`SettingMistake`] with its position.

use crate::source::{Source, Span};
use std::str::FromStr;

/// A line `SETTING = VALUE`.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct SettingLine<'t> {
    /// The setting: what stands before the first `=`.
    pub key: TextPart<'t>,
    /// The value, which is not empty.
    pub value: TextPart<'t>,
}

/// A wrong part of a file.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct SettingMistake {
    /// The wrong part.
    pub span: Span,
    /// The mistake.
    pub problem: String,
    /// The right form, if there is one to show.
    pub help: Option<String>,
}

/// A piece of a text, with its offset in bytes.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct TextPart<'t> {
    /// The piece.
    pub text: &'t str,
    /// The offset of its first byte in the text.
    pub start: usize,
}

/// The settings of a file, in the order of its lines. `form` is the form of a line, for help.
///
/// # Errors
/// The first line without `=`, or without a value.
pub fn settings<'t>(source: &'t Source, form: &str) -> Result<Vec<SettingLine<'t>>, SettingMistake> {
    let mut settings = Vec::new();
    let mut start = 0;
    for line in source.text().split_inclusive('\n') {
        let uncommented = &line[..line.find('%').unwrap_or(line.len())];
        let part = TextPart { text: uncommented, start }.trimmed();
        start += line.len();
        if !part.text.is_empty() {
            settings.push(SettingLine::read(part, form)?);
        }
    }
    Ok(settings)
}

impl<'t> SettingLine<'t> {
    fn read(line: TextPart<'t>, form: &str) -> Result<Self, SettingMistake> {
        let Some((key, value)) = line.split_once('=') else {
            let help = Some(format!("write {form}"));
            return Err(SettingMistake { help, ..line.mistake("there is no `=` in this line") });
        };
        if value.text.is_empty() {
            return Err(line.mistake(format!("`{}` has no value", key.text)));
        }
        Ok(Self { key, value })
    }
}

impl<'t> TextPart<'t> {
    /// The end of a text, for mistakes of omission.
    pub fn end_of(text: &'t str) -> Self {
        Self { text: "", start: text.len() }
    }

    /// Its position.
    pub fn span(self) -> Span {
        Span::new(self.start, self.start + self.text.len())
    }

    /// A mistake at its position.
    pub fn mistake(self, problem: impl Into<String>) -> SettingMistake {
        SettingMistake { span: self.span(), problem: problem.into(), help: None }
    }

    /// The part without the space around it.
    pub fn trimmed(self) -> Self {
        let text = self.text.trim_start();
        Self { text: text.trim_end(), start: self.start + self.text.len() - text.len() }
    }

    /// The parts before and after the first `sign`, without the space around them.
    pub fn split_once(self, sign: char) -> Option<(Self, Self)> {
        let at = self.text.find(sign)?;
        let after = at + sign.len_utf8();
        let before = Self { text: &self.text[..at], start: self.start };
        let rest = Self { text: &self.text[after..], start: self.start + after };
        Some((before.trimmed(), rest.trimmed()))
    }

    /// The parts between commas, without the space around them.
    pub fn listed(self) -> impl Iterator<Item = Self> {
        let mut rest = Some(self);
        std::iter::from_fn(move || {
            let whole = rest.take()?;
            let Some((first, others)) = whole.split_once(',') else { return Some(whole.trimmed()) };
            rest = Some(others);
            Some(first)
        })
    }

    /// The value that it stands for; `wanted` names the values that it could be.
    ///
    /// # Errors
    /// If it is none of them.
    pub fn read<T: FromStr>(self, wanted: &str) -> Result<T, SettingMistake> {
        self.text.parse().map_err(|_| self.mistake(format!("`{}` is not {wanted}", self.text)))
    }

    /// A whole number from 1 on.
    ///
    /// # Errors
    /// If it is none.
    pub fn count(self) -> Result<u64, SettingMistake> {
        let count = self.read("a whole number from 1 on")?;
        if count == 0 { Err(self.mistake("a whole number from 1 on is needed")) } else { Ok(count) }
    }
}
