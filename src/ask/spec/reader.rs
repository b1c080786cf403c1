//! Reads specifications: each option by its kind of value, and each name by its signature.

use super::grammar::{options, split};
use super::{SearchOption, SearchSpec, Signature, SpecError, SpecValue, ValueKind, Vocabulary};
use crate::number::Real;
use crate::quantity::Size;

impl SearchOption {
    /// Reads a value, which gets the form in which it is written.
    ///
    /// # Errors
    /// If the option does not take it.
    fn read(&self, value: Option<&str>) -> Result<SpecValue, SpecError> {
        let text = value.unwrap_or_default();
        let written = match self.value {
            ValueKind::Flag | ValueKind::OptionalWord(_) if value.is_none() => return Ok(SpecValue::Flag),
            ValueKind::Flag => None,
            ValueKind::Any => return Ok(value.map_or(SpecValue::Flag, |text| SpecValue::Text(text.to_string()))),
            ValueKind::Integer { least, most } => {
                let number = text.parse().ok().filter(|number: &u64| (least..=most).contains(number));
                number.map(|number| number.to_string())
            }
            ValueKind::Probability => {
                let is_probability = |number: &Real| !Real::ZERO.exceeds(*number) && !number.exceeds(Real::ONE);
                text.parse().ok().filter(is_probability).map(|number| number.to_string())
            }
            ValueKind::Weight => {
                let is_weight = |number: &f64| number.is_finite() && *number >= 0.0;
                text.parse().ok().filter(is_weight).map(|number| number.to_string())
            }
            ValueKind::Size => Size::positive(text).ok().map(|size| size.to_string()),
            ValueKind::Word(words) | ValueKind::OptionalWord(words) => words.contains(&text).then(|| text.to_string()),
            ValueKind::File => Some(text.to_string()).filter(|text| !text.is_empty()),
            ValueKind::Search(vocabulary) => return Ok(SpecValue::Search(vocabulary.read(text)?)),
        };
        let bad = || {
            let text = value.map_or(self.key.to_string(), |value| format!("{}={value}", self.key));
            SpecError::BadOption { text, form: self.form }
        };
        written.map(SpecValue::Text).ok_or_else(bad)
    }
}

impl Signature<'_> {
    /// Reads the options behind a name that stands for this one.
    ///
    /// # Errors
    /// If there is no such option, or one that is required is missing, or a value is not of the kind that the option
    /// takes.
    pub(crate) fn read(&self, name: &str, text: &str) -> Result<SearchSpec, SpecError> {
        let mut spec = SearchSpec::new(name);
        for given in options(self, text) {
            let unknown = || self.unknown(given.key);
            let option = self.option(given.key).ok_or_else(unknown)?;
            spec.options.push((given.key.to_string(), option.read(given.value.as_deref())?));
        }
        let is_given = |key: &str| spec.options.iter().any(|(given, _)| given == key);
        let excludes = |option: &&SearchOption| is_given(option.key) && is_given(option.excludes);
        if let Some(&SearchOption { key, excludes, .. }) = self.every_option().find(excludes) {
            return Err(SpecError::Excluded { key, other: excludes });
        }
        let is_missing = |option: &&SearchOption| option.is_required && spec.value(option).is_none();
        match self.every_option().find(is_missing) {
            Some(missing) => {
                Err(SpecError::Missing { noun: self.noun, name: self.name.to_string(), form: missing.form })
            }
            None => Ok(spec),
        }
    }

    /// A specification with a value for an option in place of the one that it has.
    ///
    /// # Errors
    /// If there is no such option, or it does not take the value.
    pub(crate) fn with_value(&self, mut spec: SearchSpec, key: &str, value: &str) -> Result<SearchSpec, SpecError> {
        let option = self.option(key).ok_or_else(|| self.unknown(key))?;
        spec.options.push((key.to_string(), option.read(Some(value))?));
        Ok(spec)
    }

    /// The error for a key that is not an option's.
    fn unknown(&self, key: &str) -> SpecError {
        let known = self.every_option().map(|option| option.key).collect();
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
