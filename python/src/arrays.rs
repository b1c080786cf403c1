//! Arrays of NumPy: their shapes are checked, and bits are unpacked into them.

use crate::failure::Failure;
use numpy::{Element, PyArrayDyn, PyArrayMethods, PyReadonlyArrayDyn, PyReadwriteArrayDyn, PyUntypedArrayMethods};
use pyo3::prelude::*;

/// An array that is written, of this shape, in C order.
pub(crate) fn writable<'py, T: Element>(
    array: &Bound<'py, PyAny>,
    name: &str,
    shape: &[usize],
) -> PyResult<PyReadwriteArrayDyn<'py, T>> {
    let array = typed::<T>(array, name)?;
    check(array, name, shape)?;
    let taken = |error| Failure::usage(format!("{name} cannot be written: {error}"));
    Ok(array.try_readwrite().map_err(taken)?)
}

/// An array that is read, of this shape, in C order.
pub(crate) fn readable<'py, T: Element>(
    array: &Bound<'py, PyAny>,
    name: &str,
    shape: &[usize],
) -> PyResult<PyReadonlyArrayDyn<'py, T>> {
    let array = typed::<T>(array, name)?;
    check(array, name, shape)?;
    let taken = |error| Failure::usage(format!("{name} cannot be read: {error}"));
    Ok(array.try_readonly().map_err(taken)?)
}

/// True if an object is an array of this type.
pub(crate) fn is_of<T: Element>(array: &Bound<'_, PyAny>) -> bool {
    array.cast::<PyArrayDyn<T>>().is_ok()
}

fn typed<'a, 'py, T: Element>(array: &'a Bound<'py, PyAny>, name: &str) -> PyResult<&'a Bound<'py, PyArrayDyn<T>>> {
    array.cast::<PyArrayDyn<T>>().map_err(|_| {
        let wanted = T::get_dtype(array.py());
        let found = match array.getattr("dtype") {
            Ok(dtype) => format!("an array of {dtype}"),
            Err(_) => format!("{}", array.get_type()),
        };
        Failure::new("ArrayTypeError", format!("{name} must be an array of {wanted}, and is {found}")).into()
    })
}

fn check<T: Element>(array: &Bound<'_, PyArrayDyn<T>>, name: &str, shape: &[usize]) -> PyResult<()> {
    if array.shape() != shape {
        let wanted = tuple(shape);
        let found = tuple(array.shape());
        return Err(Failure::new("ShapeError", format!("{name} must have the shape {wanted}, and has {found}")).into());
    }
    if !array.is_c_contiguous() {
        return Err(Failure::new("ShapeError", format!("{name} must be contiguous, in C order")).into());
    }
    Ok(())
}

/// A shape as Python writes it.
fn tuple(shape: &[usize]) -> String {
    match shape {
        [only] => format!("({only},)"),
        _ => format!("({})", shape.iter().map(ToString::to_string).collect::<Vec<_>>().join(", ")),
    }
}

/// For each byte, its bits as values, the lowest first.
struct Table<T>([[T; 8]; 256]);

// Constants, not statics, so that the compiler knows that writing an array does not change them.
const BOOLS: Table<bool> = Table(bools());
const FLOATS: Table<f32> = Table(floats());

const fn bools() -> [[bool; 8]; 256] {
    let mut table = [[false; 8]; 256];
    let mut index = 0;
    while index < 256 * 8 {
        table[index / 8][index % 8] = (index / 8) >> (index % 8) & 1 == 1;
        index += 1;
    }
    table
}

const fn floats() -> [[f32; 8]; 256] {
    let mut table = [[0.0; 8]; 256];
    let mut index = 0;
    while index < 256 * 8 {
        table[index / 8][index % 8] = if (index / 8) >> (index % 8) & 1 == 1 { 1.0 } else { 0.0 };
        index += 1;
    }
    table
}

/// Writes the bits of rows of words as truth values, `bits` to a row.
pub(crate) fn to_bools(words: &[u64], bits: usize, values: &mut [bool]) {
    unpack(&BOOLS, words, bits, values);
}

/// Writes the bits of rows of words as 0 or 1, `bits` to a row.
pub(crate) fn to_floats(words: &[u64], bits: usize, values: &mut [f32]) {
    unpack(&FLOATS, words, bits, values);
}

fn unpack<T: Copy>(Table(table): &Table<T>, words: &[u64], bits: usize, values: &mut [T]) {
    if bits == 0 {
        return;
    }
    let mut start = 0;
    let bytes = bits.div_ceil(8);
    for words in words.chunks_exact(bits.div_ceil(64)) {
        let Some(rest) = values.get_mut(start..).filter(|rest| rest.len() >= bits) else { return };
        for index in 0..bytes {
            let found = &table[(words[index / 8] >> (8 * (index % 8)) & 0xff) as usize];
            // What is written beyond the end of a row is overwritten by the next one.
            match rest.get_mut(8 * index..).and_then(<[T]>::first_chunk_mut) {
                Some(values) => *values = *found,
                None => {
                    let rest = &mut rest[8 * index..];
                    rest.copy_from_slice(&found[..rest.len()]);
                }
            }
        }
        start += bits;
    }
}
