//! Numbers of callers: what is out of range is a `UsageError` that names the range, and truth values are no numbers.

use crate::failure::Failure;
use pyo3::exceptions::{PyOverflowError, PyTypeError};
use pyo3::prelude::*;
use pyo3::types::PyBool;
use std::fmt::Display;

/// The seed of random choices.
#[derive(Clone, Copy)]
pub(crate) struct Seed(pub(crate) u64);

/// A number of things, or the index of one.
#[derive(Clone, Copy)]
pub(crate) struct Count<T>(pub(crate) T);

impl<'py> FromPyObject<'_, 'py> for Seed {
    type Error = PyErr;

    fn extract(given: Borrowed<'_, 'py, PyAny>) -> PyResult<Self> {
        within(given, "a seed", u64::MAX).map(Self)
    }
}

impl<'py> FromPyObject<'_, 'py> for Count<u32> {
    type Error = PyErr;

    fn extract(given: Borrowed<'_, 'py, PyAny>) -> PyResult<Self> {
        within(given, "a number of things", u32::MAX).map(Self)
    }
}

impl<'py> FromPyObject<'_, 'py> for Count<u64> {
    type Error = PyErr;

    fn extract(given: Borrowed<'_, 'py, PyAny>) -> PyResult<Self> {
        within(given, "a number of things", u64::MAX).map(Self)
    }
}

impl<'py> FromPyObject<'_, 'py> for Count<usize> {
    type Error = PyErr;

    fn extract(given: Borrowed<'_, 'py, PyAny>) -> PyResult<Self> {
        within(given, "a number of things", usize::MAX).map(Self)
    }
}

/// Reads a number from 0 to `most`, the greatest of its type.
fn within<'py, T>(given: Borrowed<'_, 'py, PyAny>, what: &str, most: T) -> PyResult<T>
where
    T: Display + for<'a> FromPyObject<'a, 'py, Error = PyErr>,
{
    refuse_truth_values(&given, what)?;
    given.extract().map_err(|error: PyErr| match error.is_instance_of::<PyOverflowError>(given.py()) {
        true => Failure::usage(format!("{what} is from 0 to {most}, not {}", &*given)).into(),
        false => error,
    })
}

/// Refuses `True` and `False`, which Python counts among the integers.
///
/// # Errors
/// `TypeError`, if the value is one of them.
pub(crate) fn refuse_truth_values(given: &Bound<'_, PyAny>, what: &str) -> PyResult<()> {
    match given.is_instance_of::<PyBool>() {
        true => Err(PyTypeError::new_err(format!("{what} is no truth value, and {given} was given"))),
        false => Ok(()),
    }
}
