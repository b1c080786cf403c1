//! Numbers of 32 bits (ids, and indices into lists that are stored by the million), and decimal numbers.

mod decimal;

pub(crate) use decimal::{Decimal, DecimalError};

/// A length or an index in 32 bits.
///
/// # Panics
/// If it does not fit. The limits on the length of texts and on memory make this impossible for any input, unless a
/// limit of hundreds of gigabytes was given.
#[inline]
#[track_caller]
#[expect(clippy::cast_possible_truncation, reason = "it is compared with the largest value first")]
pub(crate) const fn to_u32(number: usize) -> u32 {
    assert!(number <= u32::MAX as usize, "a number does not fit into 32 bits");
    number as u32
}

/// A number of bytes, or an index, in the width of this machine; the greatest if it does not fit.
#[inline]
#[expect(clippy::cast_possible_truncation, reason = "it is compared with the largest value first")]
pub(crate) const fn to_index(number: u64) -> usize {
    if number > usize::MAX as u64 { usize::MAX } else { number as usize }
}

#[cfg(test)]
mod tests {
    use super::{to_index, to_u32};

    #[test]
    fn numbers_that_fit_are_kept() {
        assert_eq!([0, 1, u32::MAX as usize].map(to_u32), [0, 1, u32::MAX]);
        assert_eq!([0, 1, u64::from(u32::MAX)].map(to_index), [0, 1, u32::MAX as usize]);
    }

    #[test]
    #[cfg(target_pointer_width = "64")]
    #[should_panic(expected = "does not fit into 32 bits")]
    fn numbers_that_do_not_fit_are_no_other_number() {
        to_u32(1 << 32);
    }
}
