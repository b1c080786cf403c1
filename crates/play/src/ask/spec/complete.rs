//! What the end of a specification is, so that it can be completed: a name, the key of an option or its value.

use super::grammar::{options, pieces, split};
use super::{NamedOption, Signature, ValueKind, Vocabulary};

/// The end of a specification that is being typed.
#[derive(Clone, Debug)]
pub struct SpecEnd {
    /// Where it begins, in bytes.
    pub start: usize,
    /// What it may become.
    pub expected: ExpectedWord,
}

/// What may stand at the end of a specification.
#[derive(Clone, Debug)]
pub enum ExpectedWord {
    /// One of these names.
    Name(Vec<&'static str>),
    /// The key of one of these options.
    Key(Vec<NamedOption>),
    /// A value of this option, which is no search.
    Value(NamedOption),
}

impl Vocabulary {
    /// The end of a specification by this vocabulary; `None` if its name is not of it.
    pub fn end(&self, text: &str) -> Option<SpecEnd> {
        let (name, rest) = split(text);
        if rest.is_empty() {
            let names = self.signatures.iter().map(|signature| signature.name).collect();
            return Some(SpecEnd { start: text.len() - name.len(), expected: ExpectedWord::Name(names) });
        }
        let signature = self.signatures.iter().find(|signature| signature.name == name)?;
        Some(signature.end(rest)?.after(text.len() - rest.len()))
    }
}

impl Signature<'_> {
    /// The end of the options in a text that follows the name, with the sign that ended it; `None` if it is a value of an
    /// option that there is not.
    pub fn end(&self, text: &str) -> Option<SpecEnd> {
        if text.starts_with(' ') {
            return None;
        }
        let (separator, piece) = pieces(text.get(1..)?).last()?;
        let start = text.len() - piece.len();
        let earlier = options(self, &text[..start - 1]);
        // Behind a plus sign the options of a search that is a value go on.
        let inner = earlier.last().filter(|_| separator == '+').and_then(|given| {
            let ValueKind::Search { vocabulary, .. } = self.option(given.key)?.value else { return None };
            let name = split(given.value.as_deref()?).0;
            vocabulary.signatures.iter().find(|signature| signature.name == name)
        });
        let Some((key, value)) = piece.split_once('=') else {
            let is_free = |option: &&NamedOption| earlier.iter().all(|given| given.key != option.key());
            let inner = inner.into_iter().flat_map(Signature::every_option);
            let options = inner.chain(self.every_option().filter(is_free)).copied().collect();
            return Some(SpecEnd { start, expected: ExpectedWord::Key(options) });
        };
        let option = inner.and_then(|signature| signature.option(key)).or_else(|| self.option(key))?;
        let start = text.len() - value.len();
        match option.value {
            ValueKind::Search { vocabulary, .. } => Some(vocabulary.end(value)?.after(start)),
            _ => Some(SpecEnd { start, expected: ExpectedWord::Value(*option) }),
        }
    }
}

impl SpecEnd {
    /// The same end of a text that has `length` bytes in front.
    fn after(self, length: usize) -> Self {
        Self { start: self.start + length, ..self }
    }
}
