//! Trees back to text, in either dialect.

use super::{Dialect, lexical};
use std::fmt::{self, Write};

/// Writes the name of an object, a function or a relation. Infix puts it in quotes where it could not be read without:
/// `'Red'`, `'+'`, `'don''t'`. Prefix has no quotes and needs none.
pub fn write_symbol(name: &str, dialect: Dialect, out: &mut impl Write) -> fmt::Result {
    match dialect {
        Dialect::Infix if !lexical::is_bare(name) => write!(out, "'{}'", name.replace('\'', "''")),
        _ => out.write_str(name),
    }
}
