//! Linear equations modulo a prime, solved exactly and without fractions.

/// The prime, 2^31 - 1: products of two numbers below it fit into 64 bits.
pub const PRIME: u64 = (1 << 31) - 1;

/// The difference of two numbers below the prime, modulo the prime.
#[inline]
pub fn subtract(left: u64, right: u64) -> u64 {
    if left >= right { left - right } else { left + PRIME - right }
}

/// Equations in triangular form.
#[derive(Clone, Debug)]
pub struct Equations {
    /// For each unknown, the equation that gives it from later ones: its coefficients, of which the first that is not 0
    /// is 1, then the right side.
    rows: Vec<Option<Vec<u64>>>,
}

impl Equations {
    /// No equation for this many unknowns.
    #[inline]
    pub fn new(unknowns: usize) -> Self {
        Self { rows: vec![None; unknowns] }
    }

    /// The number of unknowns.
    #[inline]
    pub fn unknowns(&self) -> usize {
        self.rows.len()
    }

    /// Adds an equation, given as its coefficients, one for each unknown, and the right side, all below the prime.
    /// `None` if it contradicts those before. Quadratic in the unknowns.
    pub fn add(&mut self, mut equation: Vec<u64>) -> Option<()> {
        for (column, row) in self.rows.iter_mut().enumerate() {
            let factor = equation[column];
            if factor == 0 {
                continue;
            }
            match row {
                Some(row) => {
                    for (own, other) in equation.iter_mut().zip(row.iter()).skip(column) {
                        *own = (*own + (PRIME - factor) * other) % PRIME;
                    }
                }
                None => {
                    let inverse = power(factor, PRIME - 2);
                    equation.iter_mut().for_each(|coefficient| *coefficient = *coefficient * inverse % PRIME);
                    *row = Some(equation);
                    return Some(());
                }
            }
        }
        (equation[self.unknowns()] == 0).then_some(())
    }

    /// Numbers that satisfy all equations; those that no equation determines are 0.
    pub fn solution(&self) -> Vec<u64> {
        let mut solution = vec![0; self.unknowns()];
        for (column, row) in self.rows.iter().enumerate().rev() {
            let Some(row) = row else { continue };
            let known = solution.iter().zip(row).skip(column + 1);
            let sum = known.fold(0, |sum, (number, coefficient)| (sum + number * coefficient) % PRIME);
            solution[column] = subtract(row[self.unknowns()], sum);
        }
        solution
    }
}

/// A power modulo the prime.
fn power(base: u64, exponent: u64) -> u64 {
    let mut result = 1;
    let mut square = base;
    let mut rest = exponent;
    while rest > 0 {
        if rest & 1 == 1 {
            result = result * square % PRIME;
        }
        square = square * square % PRIME;
        rest >>= 1;
    }
    result
}
