//! [`Budget`]: what a run, a sub-graph or a node may spend, and [`Amounts`]: what something asks for or has spent.
//!
//! Amounts are kept as whole billionths, so that sums are exact and do not depend on the order in which threads add:
//! integers up to 2^53, and fractions of money or seconds to nine digits.

use std::collections::BTreeMap;

use serde::{Deserialize, Deserializer, Serialize, Serializer};
use serde_json::{Map, Value, json};

use crate::canonical::{Canonical, CanonicalError, Writer, settled};

/// What can be limited. The order is that of the names, which is the order of canonical JSON.
///
/// ```
/// use leg_core::run::Resource;
///
/// assert_eq!(Resource::from_name("calls"), Some(Resource::Calls));
/// assert_eq!(Resource::Tokens.to_string(), "tokens");
/// ```
#[derive(
    Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize, schemars::JsonSchema,
)]
#[serde(rename_all = "snake_case")]
pub enum Resource {
    /// Bytes that come from outside: files, stores, HTTP bodies.
    Bytes,
    /// Calls of tools; a retry of a call is the same call.
    Calls,
    /// Money, in the currency of the configuration.
    Money,
    /// Nodes that start.
    Nodes,
    /// Seconds that nodes take, added up; nodes that run side by side count each.
    Seconds,
    /// Tokens of language models, read and written.
    Tokens,
}

impl Resource {
    /// All of them, in order.
    pub const ALL: [Self; 6] =
        [Self::Bytes, Self::Calls, Self::Money, Self::Nodes, Self::Seconds, Self::Tokens];

    /// Their names in JSON, in the same order.
    pub const NAMES: [&'static str; 6] = ["bytes", "calls", "money", "nodes", "seconds", "tokens"];

    /// The name in JSON.
    pub const fn as_str(self) -> &'static str {
        match self {
            Self::Bytes => "bytes",
            Self::Calls => "calls",
            Self::Money => "money",
            Self::Nodes => "nodes",
            Self::Seconds => "seconds",
            Self::Tokens => "tokens",
        }
    }

    /// The one with this name.
    pub fn from_name(name: &str) -> Option<Self> {
        Self::ALL.into_iter().find(|resource| resource.as_str() == name)
    }
}

impl std::fmt::Display for Resource {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str(self.as_str())
    }
}

/// A budget says what cannot be.
///
/// ```
/// use leg_core::run::{Budget, BudgetError, Resource};
///
/// assert!(matches!(Budget::default().with(Resource::Calls, -1.0), Err(BudgetError::BadAmount { .. })));
/// ```
#[derive(Debug, Clone, PartialEq, thiserror::Error)]
pub enum BudgetError {
    /// Nothing has this name.
    #[error("nothing called `{name}` has a budget; use one of: {}", Resource::NAMES.join(", "))]
    UnknownResource {
        /// The name.
        name: String,
    },
    /// The amount is negative or not finite.
    #[error("the budget of `{resource}` is {amount}; give 0 or more, or leave it out for no limit")]
    BadAmount {
        /// Of what.
        resource: Resource,
        /// The amount.
        amount: f64,
    },
}

/// Limits by resource. What has none is unlimited, and is written as `"unlimited"`; 0 allows nothing.
///
/// ```
/// use leg_core::run::{Budget, Resource};
///
/// let budget = Budget::default().with(Resource::Calls, 10.0)?.with(Resource::Money, 0.0)?;
/// assert_eq!(budget.limit(Resource::Tokens), None);
/// assert_eq!(
///     serde_json::to_string(&budget).unwrap(),
///     r#"{"bytes":"unlimited","calls":10,"money":0,"nodes":"unlimited","seconds":"unlimited","tokens":"unlimited"}"#
/// );
/// # Ok::<(), leg_core::run::BudgetError>(())
/// ```
#[derive(Debug, Clone, PartialEq, Default)]
pub struct Budget(BTreeMap<Resource, f64>);

impl Budget {
    /// Reads the `budget` of a plan's node.
    ///
    /// # Errors
    /// Everything that is wrong: names that are not known, amounts that are negative or not finite.
    pub fn from_plan(limits: &BTreeMap<String, f64>) -> Result<Self, Vec<BudgetError>> {
        let mut budget = Self::default();
        let mut wrong = Vec::new();
        for (name, &amount) in limits {
            let set = Resource::from_name(name)
                .ok_or_else(|| BudgetError::UnknownResource { name: name.clone() })
                .and_then(|resource| budget.set(resource, amount));
            wrong.extend(set.err());
        }
        if wrong.is_empty() { Ok(budget) } else { Err(wrong) }
    }

    /// Limits a resource.
    ///
    /// # Errors
    /// [`BudgetError::BadAmount`].
    pub fn with(mut self, resource: Resource, limit: f64) -> Result<Self, BudgetError> {
        self.set(resource, limit)?;
        Ok(self)
    }

    fn set(&mut self, resource: Resource, limit: f64) -> Result<(), BudgetError> {
        if !(limit.is_finite() && limit >= 0.0) {
            return Err(BudgetError::BadAmount { resource, amount: limit });
        }
        // `+ 0.0` makes a negative zero a plain one.
        self.0.insert(resource, limit + 0.0);
        Ok(())
    }

    /// The limit of a resource; `None` is unlimited.
    pub fn limit(&self, resource: Resource) -> Option<f64> {
        self.0.get(&resource).copied()
    }

    /// Whether nothing is limited.
    pub fn is_unlimited(&self) -> bool {
        self.0.is_empty()
    }

    /// What a node with this budget reserves before it starts: all that it may spend, and at least `least` (such as
    /// one node and one call) where the budget does not say.
    pub fn reservation(&self, least: &Amounts) -> Amounts {
        Resource::ALL
            .into_iter()
            .map(|resource| (resource, self.limit(resource).unwrap_or_else(|| least.get(resource))))
            .collect()
    }

    /// The JSON: every resource with its limit or `"unlimited"`.
    pub fn to_json(&self) -> Value {
        let member = |resource: Resource| (resource.as_str().to_owned(), limit_json(self.limit(resource)));
        Value::Object(Resource::ALL.into_iter().map(member).collect())
    }
}

/// An amount in JSON: a whole one is written as an integer, as its canonical form is.
#[expect(
    clippy::cast_possible_truncation,
    clippy::cast_sign_loss,
    reason = "the value is whole and in range"
)]
pub(super) fn number(of: f64) -> Value {
    const EXACT: f64 = 9_007_199_254_740_992.0;
    if of.fract() == 0.0 && (0.0..=EXACT).contains(&of) { json!(of as u64) } else { settled(json!(of)) }
}

/// A limit in JSON.
pub(super) fn limit_json(limit: Option<f64>) -> Value {
    limit.map_or_else(|| json!("unlimited"), number)
}

impl Serialize for Budget {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        self.to_json().serialize(serializer)
    }
}

impl<'de> Deserialize<'de> for Budget {
    /// Takes what is written, and leaves out what is not there.
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        use serde::de::Error as _;
        let members = Map::<String, Value>::deserialize(deserializer)?;
        let mut limits = BTreeMap::new();
        for (name, value) in members {
            let limit = match &value {
                Value::String(text) if text == "unlimited" => None,
                other => Some(other.as_f64().ok_or_else(|| {
                    D::Error::custom(format!("the budget of `{name}` is neither a number nor \"unlimited\""))
                })?),
            };
            if limit.is_none() && Resource::from_name(&name).is_none() {
                return Err(D::Error::custom(BudgetError::UnknownResource { name }));
            }
            limits.extend(limit.map(|limit| (name, limit)));
        }
        Self::from_plan(&limits).map_err(|wrong| {
            D::Error::custom(wrong.iter().map(ToString::to_string).collect::<Vec<_>>().join("; "))
        })
    }
}

impl Canonical for Budget {
    fn write(&self, out: &mut Writer) -> Result<(), CanonicalError> {
        self.to_json().write(out)
    }
}

/// So many of each resource, exact to a billionth.
///
/// In JSON only what is not 0 is written: `{"calls":2,"tokens":150}`.
///
/// ```
/// use leg_core::run::{Amounts, Resource};
///
/// let tenth = Amounts::default().with(Resource::Money, 0.1);
/// let sum = (0..10).fold(Amounts::default(), |sum, _| sum.plus(&tenth));
/// assert_eq!(sum.get(Resource::Money), 1.0);
/// ```
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub struct Amounts(pub(super) [u128; 6]);

/// Parts of one.
const SCALE: u128 = 1_000_000_000;
/// More of anything than this is this: no sum of amounts can overflow.
const MOST: f64 = 1e24;

/// An amount in billionths. What is negative or no number is nothing; what is more than nothing is never nothing.
#[expect(
    clippy::cast_possible_truncation,
    clippy::cast_sign_loss,
    reason = "the value was brought into the range of the integer"
)]
pub(super) fn units(amount: f64) -> u128 {
    if amount.is_nan() || amount <= 0.0 {
        return 0;
    }
    let amount = amount.min(MOST);
    let parts = (amount.fract() * SCALE as f64).round() as u128;
    (amount.trunc() as u128 * SCALE + parts).max(1)
}

/// Billionths as an amount.
pub(super) fn amount(units: u128) -> f64 {
    // A decimal fraction must come back as the double that is nearest to it, not as a sum of two. A quotient of two
    // exact numbers is.
    let (whole, parts) = (units / SCALE, units % SCALE);
    if parts == 0 {
        whole as f64
    } else if units < 1 << 53 {
        units as f64 / SCALE as f64
    } else {
        format!("{whole}.{parts:09}").parse().unwrap_or(whole as f64)
    }
}

impl Amounts {
    /// Nothing.
    pub const ZERO: Self = Self([0; 6]);

    /// The same with so much of a resource. A negative amount or NaN counts as 0.
    #[must_use]
    pub fn with(mut self, resource: Resource, of: f64) -> Self {
        if let Some(place) = self.0.get_mut(resource as usize) {
            *place = units(of);
        }
        self
    }

    /// How much of a resource.
    pub fn get(&self, resource: Resource) -> f64 {
        self.0.get(resource as usize).map_or(0.0, |&units| amount(units))
    }

    /// The sum.
    #[must_use]
    pub fn plus(&self, other: &Self) -> Self {
        let mut sum = *self;
        sum.0.iter_mut().zip(other.0).for_each(|(own, other)| *own += other);
        sum
    }

    /// What is not 0, in order.
    pub fn iter(&self) -> impl Iterator<Item = (Resource, f64)> + '_ {
        Resource::ALL.into_iter().map(|resource| (resource, self.get(resource))).filter(|(_, of)| *of > 0.0)
    }
}

impl Canonical for Amounts {
    fn write(&self, out: &mut Writer) -> Result<(), CanonicalError> {
        let mut object = out.object();
        for (resource, of) in self.iter() {
            object.key(resource.as_str()).number(of)?;
        }
        object.end();
        Ok(())
    }
}

impl FromIterator<(Resource, f64)> for Amounts {
    fn from_iter<I: IntoIterator<Item = (Resource, f64)>>(amounts: I) -> Self {
        amounts.into_iter().fold(Self::default(), |sum, (resource, of)| sum.with(resource, of))
    }
}

impl Serialize for Amounts {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.collect_map(self.iter().map(|(resource, of)| (resource, number(of))))
    }
}

impl<'de> Deserialize<'de> for Amounts {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        BTreeMap::<Resource, f64>::deserialize(deserializer).map(|amounts| amounts.into_iter().collect())
    }
}

#[cfg(test)]
#[expect(clippy::float_cmp, reason = "amounts are exact")]
mod tests {
    use super::*;
    use crate::canonical::to_vec;

    #[test]
    fn a_plan_s_budget_names_all_that_is_wrong_with_it() {
        let limits = BTreeMap::from([
            ("calls".to_owned(), 3.0),
            ("dollars".to_owned(), 1.0),
            ("seconds".to_owned(), -1.0),
            ("tokens".to_owned(), f64::NAN),
        ]);
        let wrong: Vec<String> =
            Budget::from_plan(&limits).unwrap_err().iter().map(ToString::to_string).collect();
        assert_eq!(
            wrong,
            [
                "nothing called `dollars` has a budget; use one of: bytes, calls, money, nodes, seconds, tokens",
                "the budget of `seconds` is -1; give 0 or more, or leave it out for no limit",
                "the budget of `tokens` is NaN; give 0 or more, or leave it out for no limit",
            ]
        );
    }

    #[test]
    fn names_are_those_of_the_json_and_in_its_order() {
        for (resource, name) in Resource::ALL.into_iter().zip(Resource::NAMES) {
            assert_eq!(serde_json::to_value(resource).unwrap(), name);
            assert_eq!(resource.as_str(), name);
            assert_eq!(Resource::from_name(name), Some(resource));
        }
        assert!(Resource::NAMES.is_sorted() && Resource::ALL.is_sorted());
    }

    #[test]
    fn unlimited_is_written_and_read_and_is_not_zero() {
        let budget = Budget::default().with(Resource::Calls, 0.0).unwrap();
        let json = serde_json::to_value(&budget).unwrap();
        assert_eq!(json["calls"], 0);
        assert_eq!(json["tokens"], "unlimited");
        assert_eq!(serde_json::from_value::<Budget>(json).unwrap(), budget);
        for bad in [
            json!({"calls": "none"}),
            json!({"calls": null}),
            json!({"callz": "unlimited"}),
            json!({"calls": -1}),
        ] {
            assert!(serde_json::from_value::<Budget>(bad.clone()).is_err(), "{bad}");
        }
    }

    #[test]
    fn integers_up_to_2_53_and_decimal_fractions_are_exact() {
        let big = 9_007_199_254_740_991.0;
        let sum = Amounts::default()
            .with(Resource::Bytes, big)
            .plus(&Amounts::default().with(Resource::Bytes, 1.0));
        assert_eq!(sum.get(Resource::Bytes), 9_007_199_254_740_992.0);
        let sum = Amounts::default()
            .with(Resource::Money, 0.1)
            .plus(&Amounts::default().with(Resource::Money, 0.2));
        assert_eq!(sum.get(Resource::Money), 0.3);
        assert_eq!(serde_json::to_string(&sum).unwrap(), r#"{"money":0.3}"#);
        assert_eq!(to_vec(&sum).unwrap(), to_vec(&serde_json::json!(sum)).unwrap());
        let strange =
            [f64::NAN, -1.0, f64::INFINITY, 1e-300].map(|of| Amounts::default().with(Resource::Calls, of));
        assert_eq!(strange.map(|amounts| amounts.get(Resource::Calls)), [0.0, 0.0, 1e24, 1e-9]);
    }

    #[test]
    fn a_node_reserves_its_budget_and_at_least_what_it_is_sure_to_need() {
        let least = Amounts::default().with(Resource::Nodes, 1.0).with(Resource::Calls, 1.0);
        let budget =
            Budget::default().with(Resource::Tokens, 100.0).unwrap().with(Resource::Calls, 0.0).unwrap();
        let asked = budget.reservation(&least);
        assert_eq!(asked.get(Resource::Tokens), 100.0);
        assert_eq!(asked.get(Resource::Nodes), 1.0);
        // A node that may not make a call reserves none: its own meter refuses the call.
        assert_eq!(asked.get(Resource::Calls), 0.0);
    }
}
