//! Units that are products of others.

use super::unit::Unit;
use super::unit_table::MASS_FRACTION;

/// Factors of a unit, multiplied.
pub(crate) struct Product {
    unit: Unit,
    count: usize,
    masses: (i32, i32),
}

impl Default for Product {
    fn default() -> Self {
        Self { unit: Unit::ONE, count: 0, masses: (0, 0) }
    }
}

impl Product {
    pub(crate) fn add(&mut self, factor: Unit, exponent: i32) {
        self.count += 1;
        if self.count == 1 && exponent == 1 {
            self.unit = factor;
        } else {
            self.unit.offset = 0.0;
            self.unit.axis = None;
            self.unit.factor *= factor.factor.powi(exponent);
            let step = i8::try_from(exponent).unwrap_or(0);
            for (sum, one) in self.unit.dimensions.iter_mut().zip(factor.dimensions) {
                *sum = sum.saturating_add(one.saturating_mul(step));
            }
        }
        if factor.dimensions == [0, 1, 0, 0, 0, 0, 0, 0, 0] {
            if exponent > 0 {
                self.masses.0 += 1;
            } else {
                self.masses.1 += 1;
            }
        }
    }

    pub(crate) fn unit(self) -> Option<Unit> {
        if self.count == 2 && self.masses == (1, 1) && self.unit.is_pure() {
            return Some(Unit { dimensions: MASS_FRACTION, factor: self.unit.factor * 1e3, ..Unit::ONE });
        }
        (self.count > 0 && self.unit.factor.is_finite() && self.unit.factor > 0.0).then_some(self.unit)
    }
}
