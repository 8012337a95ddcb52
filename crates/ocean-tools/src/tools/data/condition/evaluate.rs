//! The value of an [`Expression`] at a cell.

use super::expression::{Expression, Operator, Relation};

/// What is known at a cell: NaN is missing.
pub(in crate::tools::data) struct Cell<'a> {
    /// The value of each field.
    pub(in crate::tools::data) fields: &'a [f64],
    /// The value of each statistic.
    pub(in crate::tools::data) statistics: &'a [f64],
}

impl Cell<'_> {
    /// A number, or 1 and 0 for true and false; NaN where it is not known. Truths follow Kleene's logic.
    pub(in crate::tools::data) fn value(&self, expression: &Expression) -> f64 {
        use Expression as E;
        match expression {
            E::Number(number) => *number,
            E::Field(at) => self.fields[*at],
            E::Statistic(at) => self.statistics[*at],
            E::Negative(inner) => -self.value(inner),
            E::Absolute(inner) => self.value(inner).abs(),
            E::IsFinite(inner) => truth(self.value(inner).is_finite()),
            E::Arithmetic(operator, a, b) => {
                let (a, b) = (self.value(a), self.value(b));
                match operator {
                    Operator::Add => a + b,
                    Operator::Subtract => a - b,
                    Operator::Multiply => a * b,
                    Operator::Divide => a / b,
                    // The power of nothing is nothing, also to 0.
                    Operator::Power if a.is_nan() || b.is_nan() => f64::NAN,
                    Operator::Power => libm::pow(a, b),
                }
            }
            E::Comparison(relation, a, b) => {
                let (a, b) = (self.value(a), self.value(b));
                if a.is_nan() || b.is_nan() {
                    return f64::NAN;
                }
                truth(match relation {
                    Relation::Less => a < b,
                    Relation::LessOrEqual => a <= b,
                    Relation::Greater => a > b,
                    Relation::GreaterOrEqual => a >= b,
                    Relation::Equal => a.total_cmp(&b).is_eq() || (a == 0.0 && b == 0.0),
                    Relation::NotEqual => !(a.total_cmp(&b).is_eq() || (a == 0.0 && b == 0.0)),
                })
            }
            E::Not(inner) => 1.0 - self.value(inner),
            E::And(a, b) => match (self.value(a), self.value(b)) {
                (a, b) if a == 0.0 || b == 0.0 => 0.0,
                (a, b) if a.is_nan() || b.is_nan() => f64::NAN,
                _ => 1.0,
            },
            E::Or(a, b) => match (self.value(a), self.value(b)) {
                (a, b) if a > 0.0 || b > 0.0 => 1.0,
                (a, b) if a.is_nan() || b.is_nan() => f64::NAN,
                _ => 0.0,
            },
        }
    }
}

fn truth(holds: bool) -> f64 {
    f64::from(u8::from(holds))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::tools::data::condition::parse::parse;

    fn value(text: &str, fields: &[f64]) -> f64 {
        let condition = parse(text, &["a", "b"]).unwrap();
        Cell { fields, statistics: &[10.0] }.value(&condition.expression)
    }

    #[test]
    fn conditions_hold_as_they_do_by_hand() {
        let nan = f64::NAN;
        for (text, fields, expected) in [
            ("a > 1 and b < 2", [2.0, 1.0], 1.0),
            ("a - b * 2 >= 0", [2.0, 1.0], 1.0),
            ("(a + b) ** 2 == 9", [2.0, 1.0], 1.0),
            ("-a ** 2 == -4", [2.0, 0.0], 1.0),
            ("abs(a) / 4 < 0.5 or b != 1", [-2.0, 1.0], 0.0),
            ("not a > 1", [2.0, 0.0], 0.0),
            ("a > percentile(b, 90, time)", [11.0, 0.0], 1.0),
            ("a > 1 and b > 1", [nan, 0.0], 0.0),
            ("a > 1 or b > 1", [nan, 2.0], 1.0),
            ("isfinite(a) and b > 1", [nan, 2.0], 0.0),
        ] {
            assert_eq!(value(text, &fields).to_bits(), f64::to_bits(expected), "{text}");
        }
        assert!(value("a > 1 and b > 1", &[nan, 2.0]).is_nan());
        assert!(value("not a > 1", &[nan, 2.0]).is_nan());
        assert!(value("a ** 0 == 1", &[nan, 2.0]).is_nan());
    }
}
