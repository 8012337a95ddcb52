//! The units of both sides of a condition.

use ocean_data::cf::Unit;

use super::expression::{Expression, Operator};

/// The units of an expression; `None` for numbers, which take those of what they meet.
type Units = Option<Unit>;

/// Brings an expression into one unit a comparison and a sum: factors are put in where both sides measure one quantity in
/// different units.
///
/// # Errors
/// Sides that measure different quantities.
pub(in crate::tools::data) fn checked(
    expression: Expression,
    fields: &[Unit],
    statistics: &[usize],
) -> Result<Expression, String> {
    Check { fields, statistics }.of(expression).map(|found| found.0)
}

struct Check<'a> {
    fields: &'a [Unit],
    /// The field of each statistic.
    statistics: &'a [usize],
}

impl Check<'_> {
    fn of(&self, expression: Expression) -> Result<(Expression, Units), String> {
        use Expression as E;
        Ok(match expression {
            E::Number(number) => (E::Number(number), None),
            E::Field(at) => (E::Field(at), Some(self.fields[at].clone())),
            E::Statistic(at) => (E::Statistic(at), Some(self.fields[self.statistics[at]].clone())),
            E::Negative(inner) => {
                let (inner, units) = self.of(*inner)?;
                (E::Negative(Box::new(inner)), units)
            }
            E::Absolute(inner) => {
                let (inner, units) = self.of(*inner)?;
                (E::Absolute(Box::new(inner)), units)
            }
            E::IsFinite(inner) => (E::IsFinite(Box::new(self.of(*inner)?.0)), None),
            E::Not(inner) => (E::Not(Box::new(self.of(*inner)?.0)), None),
            E::And(a, b) => (E::And(Box::new(self.of(*a)?.0), Box::new(self.of(*b)?.0)), None),
            E::Or(a, b) => (E::Or(Box::new(self.of(*a)?.0), Box::new(self.of(*b)?.0)), None),
            E::Comparison(relation, a, b) => {
                let (a, b, _) = self.alike(*a, *b)?;
                (E::Comparison(relation, Box::new(a), Box::new(b)), None)
            }
            E::Arithmetic(operator @ (Operator::Add | Operator::Subtract), a, b) => {
                let (a, b, units) = self.alike(*a, *b)?;
                (E::Arithmetic(operator, Box::new(a), Box::new(b)), units)
            }
            E::Arithmetic(Operator::Power, a, b) => self.power(*a, *b)?,
            E::Arithmetic(operator, a, b) => {
                let ((a, units_a), (b, units_b)) = (self.of(*a)?, self.of(*b)?);
                let units = match (units_a, units_b) {
                    (None, None) => None,
                    (Some(units), None) => Some(units),
                    (None, Some(units)) if operator == Operator::Multiply => Some(units),
                    (None, Some(units)) => Some(parse(&inverse(units.text()))?),
                    (Some(a), Some(b)) if operator == Operator::Multiply => {
                        Some(parse(&format!("{} {}", a.text(), b.text()))?)
                    }
                    (Some(a), Some(b)) => Some(parse(&format!("{} {}", a.text(), inverse(b.text())))?),
                };
                (E::Arithmetic(operator, Box::new(a), Box::new(b)), units)
            }
        })
    }

    fn power(&self, a: Expression, b: Expression) -> Result<(Expression, Units), String> {
        let (a, units) = self.of(a)?;
        let (b, exponent_units) = self.of(b)?;
        if exponent_units.is_some_and(|units| !units.is_compatible(&Unit::dimensionless())) {
            return Err("an exponent must be a pure number".to_owned());
        }
        let units = match (&units, &b) {
            (Some(units), Expression::Number(power))
                if (power.round() - power).abs() < 1e-12 && power.abs() <= 9.0 =>
            {
                Some(parse(&raised(units.text(), *power))?)
            }
            (Some(units), _) if !units.is_compatible(&Unit::dimensionless()) => {
                return Err(format!(
                    "`{}` can be raised to a whole number only, written as one",
                    units.text()
                ));
            }
            (units, _) => (*units).clone(),
        };
        Ok((Expression::Arithmetic(Operator::Power, Box::new(a), Box::new(b)), units))
    }

    /// Two sides in one unit: that of the left, or of the one that has any.
    fn alike(&self, a: Expression, b: Expression) -> Result<(Expression, Expression, Units), String> {
        let ((a, units_a), (b, units_b)) = (self.of(a)?, self.of(b)?);
        let (Some(left), Some(right)) = (&units_a, &units_b) else {
            return Ok((a, b, units_a.or(units_b)));
        };
        let conversion = right.to(left).map_err(|_| {
            format!(
                "`{}` and `{}` measure different quantities and cannot be compared or added",
                left.text(),
                right.text()
            )
        })?;
        let scaled = Expression::Arithmetic(
            Operator::Multiply,
            Box::new(b),
            Box::new(Expression::Number(conversion.scale)),
        );
        let same = (conversion.scale - 1.0).abs() < 1e-15 && conversion.offset.abs() < 1e-15;
        let b = match scaled {
            Expression::Arithmetic(_, b, _) if same => *b,
            scaled if conversion.offset.abs() < 1e-15 => scaled,
            scaled => Expression::Arithmetic(
                Operator::Add,
                Box::new(scaled),
                Box::new(Expression::Number(conversion.offset)),
            ),
        };
        Ok((a, b, units_a))
    }
}

fn parse(text: &str) -> Result<Unit, String> {
    text.parse()
        .map_err(|_| format!("the units `{text}` of a product are not understood; convert the fields first"))
}

fn inverse(text: &str) -> String {
    raised(text, -1.0)
}

/// Units to a whole power: each factor to it.
fn raised(text: &str, power: f64) -> String {
    let factor = |word: &str| {
        let split =
            word.find(|c: char| c.is_ascii_digit() || c == '-' || c == '+' || c == '^').unwrap_or(word.len());
        let own: f64 = word[split..].trim_start_matches('^').parse().unwrap_or(1.0);
        if split == 0 { word.to_owned() } else { format!("{}{}", &word[..split], own * power) }
    };
    text.split([' ', '.', '*']).filter(|word| !word.is_empty()).map(factor).collect::<Vec<_>>().join(" ")
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::tools::data::condition::parse::parse as read;

    fn check(text: &str) -> Result<Expression, String> {
        let names = ["t", "k", "u", "v", "s"];
        let units: Vec<Unit> =
            ["degC", "K", "m s-1", "cm s-1", "1"].iter().map(|text| text.parse().unwrap()).collect();
        let condition = read(text, &names).unwrap();
        let fields: Vec<usize> = condition.statistics.iter().map(|own| own.field).collect();
        checked(condition.expression, &units, &fields)
    }

    #[test]
    fn sides_must_measure_one_quantity() {
        for fine in [
            "t > 25",
            "t > k",
            "u > v",
            "u ** 2 + v ** 2 > 0.01",
            "u / v > 2",
            "abs(u * s) < u",
            "u > percentile(v, 90, time)",
        ] {
            assert!(check(fine).is_ok(), "{fine}: {:?}", check(fine));
        }
        for wrong in ["t > u", "u + s > 1", "u * v > u", "u ** 2 > u", "s ** u > 1"] {
            assert!(check(wrong).is_err(), "{wrong}");
        }
    }

    #[test]
    fn factors_are_put_in() {
        let Expression::Comparison(_, _, right) = check("u > v").unwrap() else { panic!() };
        let Expression::Arithmetic(Operator::Multiply, _, factor) = *right else { panic!("{right:?}") };
        assert_eq!(*factor, Expression::Number(0.01));
    }
}
