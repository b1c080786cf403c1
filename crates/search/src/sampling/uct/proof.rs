//! The exact values of a state, as far as they are proven.

use gdl::limits::heap_block;
use gdl::number::Real;
use ggp_game::Role;

/// The exact value of a state for each role, of which at least one is known.
#[derive(Clone, Debug, PartialEq)]
pub(super) struct Proof(Box<[f64]>);

/// What is not known.
pub(super) const OPEN: f64 = f64::NAN;

/// Whether values are the same, but for rounding: it must not choose between equal moves. What is not known is the same
/// as nothing.
#[inline]
pub(super) fn is_equal(one: f64, other: f64) -> bool {
    (one - other).abs() < Real::EQUAL
}

impl Proof {
    /// The proof of these values, of which those that are not known are [`OPEN`]; `None` if no value is known.
    #[inline]
    pub(super) fn from_values(values: impl Into<Box<[f64]>>) -> Option<Self> {
        let values = values.into();
        values.iter().any(|value| !value.is_nan()).then_some(Self(values))
    }

    /// The value for each role; [`OPEN`] where it is not known.
    #[inline]
    pub(super) fn values(&self) -> &[f64] {
        &self.0
    }

    /// The value for a role, if it is known.
    #[inline]
    pub(super) fn of(&self, role: Role) -> Option<f64> {
        let value = self.0[role.index()];
        (!value.is_nan()).then_some(value)
    }

    /// Whether the values of all roles but this one are known.
    #[inline]
    pub(super) fn is_complete_without(&self, chance: Option<Role>) -> bool {
        self.0.iter().enumerate().all(|(index, value)| !value.is_nan() || chance == Some(Role::new(index)))
    }

    /// Adds values that were not known. Returns whether there are any.
    #[inline]
    pub(super) fn extend(&mut self, values: &[f64]) -> bool {
        let mut has_news = false;
        for (own, &value) in self.0.iter_mut().zip(values).filter(|(own, value)| own.is_nan() && !value.is_nan()) {
            *own = value;
            has_news = true;
        }
        has_news
    }

    /// The approximate heap bytes.
    #[inline]
    pub(super) fn bytes(&self) -> usize {
        heap_block(size_of_val(&*self.0))
    }
}

/// The values that all states of some have in common.
pub(super) struct CommonValues(Option<Vec<f64>>);

impl CommonValues {
    /// Of no state.
    #[inline]
    pub(super) fn new() -> Self {
        Self(None)
    }

    /// Takes another state into account.
    pub(super) fn add(&mut self, values: &[f64]) {
        match &mut self.0 {
            None => self.0 = Some(values.to_vec()),
            Some(common) => {
                let differing = common.iter_mut().zip(values).filter(|(own, value)| !is_equal(**own, **value));
                differing.for_each(|(own, _)| *own = OPEN);
            }
        }
    }

    /// The value for each role; [`OPEN`] where it is not known of all states, or not the same in all.
    #[inline]
    pub(super) fn finish(self, roles: usize) -> Vec<f64> {
        self.0.unwrap_or_else(|| vec![OPEN; roles])
    }
}
