//! Reads specifications: each option by its kind of value, and each name by its signature.

use super::grammar::{options, split};
use super::option::violated;
use super::{NamedOption, NumberKind, SearchSpec, Signature, SpecError, SpecValue, TextValue, ValueKind, Vocabulary};
use gdl::number::Real;
use gdl::quantity::{Seconds, Size};
use gdl::suggestion::alternatives;
use ggp_game::Utility;

impl NamedOption {
    /// Reads a value, which gets the form in which it is written.
    ///
    /// # Errors
    /// If the option does not take it.
    fn read(&self, value: Option<&str>) -> Result<SpecValue, SpecError> {
        let text = value.unwrap_or_default();
        let written = match self.value {
            ValueKind::Flag | ValueKind::OptionalNumber { .. } | ValueKind::Word { is_optional: true, .. }
                if value.is_none() =>
            {
                return Ok(SpecValue::Flag);
            }
            ValueKind::Search { vocabulary, .. } => return Ok(SpecValue::Search(vocabulary.read(text)?)),
            ValueKind::Flag => None,
            ValueKind::Number { kind, .. } => kind.written(text),
            ValueKind::OptionalNumber { .. } => NumberKind::INTEGER.written(text),
            ValueKind::Word { of, .. } => of.contains(&text).then(|| text.to_string()),
            ValueKind::Text { kind: TextValue::Size, .. } => Size::positive(text).ok().map(|size| size.to_string()),
            ValueKind::Text { .. } | ValueKind::TwoWords { .. } => (!text.is_empty()).then(|| text.to_string()),
        };
        let bad = || {
            let text = value.map_or(self.key().to_string(), |value| format!("{}={value}", self.key()));
            SpecError::BadOption { text, form: self.described() }
        };
        written.map(SpecValue::Text).ok_or_else(bad)
    }

    /// The form with the values that it takes, for messages: `` `seed=N`, a whole number ``.
    fn described(&self) -> String {
        match self.value {
            ValueKind::Flag => format!("`{}`, which takes no value", self.key()),
            ValueKind::Word { of, .. } => {
                alternatives(&of.iter().map(|word| format!("`{}={word}`", self.key())).collect::<Vec<_>>())
            }
            _ => format!("`{}`, {}", self.form(), self.possible()),
        }
    }
}

impl NumberKind {
    /// The form in which a number of this kind is written; `None` if the text is none.
    pub fn written(self, text: &str) -> Option<String> {
        match self {
            Self::Integer { least, most } => {
                let number: u64 = text.parse().ok()?;
                (least..=most).contains(&number).then(|| number.to_string())
            }
            Self::Weight => {
                let number: f64 = text.parse().ok()?;
                (number.is_finite() && number >= 0.0).then(|| number.to_string())
            }
            Self::Seconds => text.parse::<Seconds>().ok().map(|_| text.to_string()),
            Self::Utility => text.parse::<Utility>().ok().map(|utility| utility.to_string()),
            Self::Probability => {
                let number: Real = text.parse().ok()?;
                (!Real::ZERO.exceeds(number) && !number.exceeds(Real::ONE)).then(|| number.to_string())
            }
        }
    }
}

impl Signature<'_> {
    /// Reads the options behind a name that stands for this one.
    ///
    /// # Errors
    /// If there is no such option, a value is not of the kind that the option takes, an option is missing, or two cannot be
    /// combined.
    pub(crate) fn read(&self, name: &str, text: &str) -> Result<SearchSpec, SpecError> {
        let spec = self.read_each(name, text)?;
        self.check(&spec)?;
        Ok(spec)
    }

    /// The same, where the options are only some of those that will be given, so that none of them is missed yet.
    ///
    /// # Errors
    /// If there is no such option, or a value is not of the kind that the option takes.
    pub fn read_each(&self, name: &str, text: &str) -> Result<SearchSpec, SpecError> {
        let mut spec = SearchSpec::new(name);
        for given in options(self, text) {
            let unknown = || self.unknown(given.key);
            let option = self.option(given.key).ok_or_else(unknown)?;
            spec.options.push((given.key.to_string(), option.read(given.value.as_deref())?));
        }
        Ok(spec)
    }

    /// Checks that an option has what it needs and that no two exclude each other.
    ///
    /// # Errors
    /// What is missing, or cannot be combined.
    fn check(&self, spec: &SearchSpec) -> Result<(), SpecError> {
        let table: Vec<&NamedOption> = self.every_option().collect();
        if let Some(missing) = table.iter().find(|option| option.is_required && !spec.has(option)) {
            let form = missing.described();
            return Err(SpecError::Missing { noun: self.noun, name: self.name.to_string(), form });
        }
        let has = |name: &str, value: &str| {
            let option = table.iter().find(|option| option.name == name);
            option.is_some_and(|option| spec.has(option) && (value.is_empty() || spec.text(option) == Some(value)))
        };
        match violated(&table, has) {
            Some(problem) => Err(SpecError::Violated { problem }),
            None => Ok(()),
        }
    }

    /// A specification with a value for an option in place of the one that it has.
    ///
    /// # Errors
    /// If there is no such option, or it does not take the value.
    pub(crate) fn with_value(&self, mut spec: SearchSpec, key: &str, value: &str) -> Result<SearchSpec, SpecError> {
        let option = self.option(key).ok_or_else(|| self.unknown(key))?;
        spec.options.retain(|(given, _)| given != key);
        spec.options.push((key.to_string(), option.read(Some(value))?));
        self.check(&spec)?;
        Ok(spec)
    }

    /// The error for a key that is not an option's.
    fn unknown(&self, key: &str) -> SpecError {
        let known = self.every_option().map(NamedOption::key).collect();
        SpecError::UnknownOption { noun: self.noun, name: self.name.to_string(), key: key.to_string(), known }
    }
}

impl Vocabulary {
    /// Reads a name with options.
    ///
    /// # Errors
    /// If there is no such name, and those of its options.
    pub fn read(&self, text: &str) -> Result<SearchSpec, SpecError> {
        let (name, options) = split(text);
        let signature = self.signatures.iter().find(|signature| signature.name == name);
        let unknown = || {
            let known = self.signatures.iter().map(|signature| signature.name).collect();
            SpecError::UnknownName { noun: self.noun, name: name.to_string(), known }
        };
        signature.ok_or_else(unknown)?.read(name, options)
    }
}
