//! Times, sizes of memory and counts as text: in options of the shell, in commands of the prompt and in the options of
//! players.
//!
//! A time is a number of seconds: `5`, `0.5`, `90s`. A size is an integer with a binary unit: `64K`, `500M`, `2G`; a
//! number without a unit counts MiB. Both are printed in a form that can be parsed again. Counts are written with
//! commas and their word.

use std::fmt;
use std::str::FromStr;
use std::time::Duration;

/// A time from 0 to 10^9, written in seconds.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord)]
pub struct Seconds(Duration);

/// A size of memory in bytes.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord)]
pub struct Size(u64);

/// Reason for which a text is not a time or a size; the message says what to type instead.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
pub enum QuantityError {
    /// The text is not a number of seconds from 0 to 10^9.
    #[error("a number of seconds is needed, such as 5 or 0.5")]
    NoSeconds,
    /// The time is 0, where a positive time is needed.
    #[error("a number of seconds above 0 is needed, such as 5 or 0.5")]
    NoTime,
    /// The text is not an integer with a unit of memory, or the size is 16 EiB or more.
    #[error("a size is needed, such as 500M or 2G (K, M or G; MiB without a letter)")]
    NoSize,
    /// The size is 0, where a positive size is needed.
    #[error("a size above 0 is needed, such as 500M or 2G (K, M or G; MiB without a letter)")]
    NoMemory,
}

impl Seconds {
    /// The longest time, in seconds: about thirty years.
    pub(crate) const MOST: f64 = 1e9;

    /// A time of this number of seconds.
    pub const fn new(seconds: u64) -> Self {
        Self(Duration::from_secs(seconds))
    }

    /// Parses a time above 0.
    ///
    /// # Errors
    /// Those of [`Seconds::from_str`], and [`QuantityError::NoTime`] for 0.
    pub fn positive(text: &str) -> Result<Self, QuantityError> {
        let seconds: Self = text.parse()?;
        if seconds.0.is_zero() { Err(QuantityError::NoTime) } else { Ok(seconds) }
    }

    /// The time as the standard library has it.
    pub const fn duration(self) -> Duration {
        self.0
    }
}

impl FromStr for Seconds {
    type Err = QuantityError;

    fn from_str(text: &str) -> Result<Self, QuantityError> {
        let number = text.strip_suffix('s').unwrap_or(text).trim_end().parse().ok();
        let seconds = number.filter(|seconds| (0.0..=Self::MOST).contains(seconds));
        seconds.map(|seconds| Self(Duration::from_secs_f64(seconds))).ok_or(QuantityError::NoSeconds)
    }
}

impl From<Duration> for Seconds {
    fn from(time: Duration) -> Self {
        Self(time)
    }
}

impl fmt::Display for Seconds {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.0.as_secs_f64().fmt(formatter)
    }
}

impl Size {
    /// A size of this number of bytes.
    pub const fn new(bytes: u64) -> Self {
        Self(bytes)
    }

    /// A size of this number of MiB.
    pub const fn mebibytes(count: u32) -> Self {
        Self((count as u64) << 20)
    }

    /// The number of bytes.
    pub const fn bytes(self) -> u64 {
        self.0
    }

    /// The number of bytes, at most `usize::MAX`.
    pub fn addressable(self) -> usize {
        usize::try_from(self.0).unwrap_or(usize::MAX)
    }

    /// Parses a size above 0.
    ///
    /// # Errors
    /// Those of [`Size::from_str`], and [`QuantityError::NoMemory`] for 0.
    pub fn positive(text: &str) -> Result<Self, QuantityError> {
        let size: Self = text.parse()?;
        if size.0 == 0 { Err(QuantityError::NoMemory) } else { Ok(size) }
    }

    /// As [`Size::from_str`], but a number without a unit counts KiB.
    ///
    /// # Errors
    /// [`QuantityError::NoSize`], as there.
    pub fn in_kibibytes(text: &str) -> Result<Self, QuantityError> {
        Self::read(text, 10)
    }

    /// The size in a suitable unit with one decimal place, for messages: `1.5 GiB`.
    pub fn rounded(self) -> String {
        const UNITS: [&str; 4] = ["bytes", "KiB", "MiB", "GiB"];
        // Ten bits a unit. GiB is the last, so larger sizes get more digits.
        let power = (self.0.checked_ilog2().unwrap_or(0) / 10).min(3);
        let exact = self.0 as f64 / f64::from(1_u32 << (10 * power));
        format!("{} {}", (exact * 10.0).round() / 10.0, UNITS[power as usize])
    }

    /// Parses a size; a number without a unit counts 2 to the power of `bare` bytes.
    fn read(text: &str, bare: u32) -> Result<Self, QuantityError> {
        let number = text.trim_end_matches(|c: char| c.is_ascii_alphabetic());
        let power = match text[number.len()..].to_ascii_uppercase().as_str() {
            "B" => 0,
            "K" | "KB" | "KIB" => 10,
            "M" | "MB" | "MIB" => 20,
            "G" | "GB" | "GIB" => 30,
            "" => bare,
            _ => return Err(QuantityError::NoSize),
        };
        let number = number.trim_end().parse::<u64>().ok();
        number.and_then(|number| number.checked_mul(1 << power)).map(Self).ok_or(QuantityError::NoSize)
    }
}

impl FromStr for Size {
    type Err = QuantityError;

    fn from_str(text: &str) -> Result<Self, QuantityError> {
        Self::read(text, 20)
    }
}

/// Writes the size in the largest unit that divides it, so that nothing is rounded.
impl fmt::Display for Size {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        let units = [(30, "G"), (20, "M"), (10, "K")];
        let whole = units.into_iter().find(|(power, _)| self.0 > 0 && self.0.is_multiple_of(1 << power));
        let (power, unit) = whole.unwrap_or((0, "B"));
        formatter.pad(&format!("{}{unit}", self.0 >> power))
    }
}

/// A number with commas between groups of three digits before the decimal point.
pub fn grouped(number: impl std::fmt::Display) -> String {
    let digits = number.to_string();
    let (whole, rest) = digits.split_at(digits.find('.').unwrap_or(digits.len()));
    let mut text = String::new();
    for (at, digit) in whole.chars().enumerate() {
        if at > 0 && (whole.len() - at).is_multiple_of(3) {
            text.push(',');
        }
        text.push(digit);
    }
    text + rest
}

/// A count with its word, in the plural by `s`: `1 node`, `2,000 nodes`.
pub fn counted(count: usize, word: &str) -> String {
    counted_as(count as u64, word, &format!("{word}s"))
}

/// A count with its word, whose plural is given.
pub fn counted_as(count: u64, one: &str, several: &str) -> String {
    format!("{} {}", grouped(count), if count == 1 { one } else { several })
}
