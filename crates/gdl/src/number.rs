//! Numbers of 32 bits (ids, and indices into lists that are stored by the million), decimal numbers, exact fractions,
//! and linear equations modulo a prime.

mod decimal;
mod equations;
mod rational;
mod real;

#[doc(hidden)]
pub use decimal::{Decimal, DecimalError};
#[doc(hidden)]
pub use equations::{Equations, PRIME, subtract};
pub use rational::{Rational, RationalError};
pub use real::Real;

/// A length or an index in 32 bits.
///
/// # Panics
/// If it does not fit. The limits on the length of texts and on memory make this impossible for any input, unless a
/// limit of hundreds of gigabytes was given.
#[inline]
#[track_caller]
#[expect(clippy::cast_possible_truncation, reason = "it is compared with the largest value first")]
pub const fn to_u32(number: usize) -> u32 {
    assert!(number <= u32::MAX as usize, "a number does not fit into 32 bits");
    number as u32
}

/// Defines an id of 32 bits, which is made of an index and gives it back.
#[doc(hidden)]
#[macro_export]
macro_rules! index_id {
    ($(#[$attribute:meta])* $visibility:vis struct $name:ident) => {
        $(#[$attribute])*
        $visibility struct $name(u32);

        impl $name {
            /// The id with this index.
            ///
            /// # Panics
            /// If it does not fit into 32 bits.
            #[inline]
            $visibility const fn new(index: usize) -> Self {
                Self($crate::number::to_u32(index))
            }

            /// The index.
            #[inline]
            $visibility const fn index(self) -> usize {
                self.0 as usize
            }
        }
    };
}
#[doc(hidden)]
pub use crate::index_id;

/// A number of bytes, or an index, in the width of this machine; the greatest if it does not fit.
#[inline]
#[expect(clippy::cast_possible_truncation, reason = "it is compared with the largest value first")]
pub const fn to_index(number: u64) -> usize {
    if number > usize::MAX as u64 { usize::MAX } else { number as usize }
}
