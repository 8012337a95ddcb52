//! [`Evidence`]: a small named quantity that stays tied to where it came from.

use serde::{Deserialize, Serialize};
use serde_json::Value;

use crate::canonical::{Canonical, CanonicalError, Writer};
use crate::{Digest, EvidenceId};

/// A named quantity with its unit, place, time, method and origin.
///
/// ```
/// use leg_core::evidence::ground;
/// use leg_core::{Claim, Evidence, EvidenceId, Operation, Verdict};
/// use serde_json::json;
///
/// // The engine makes evidence of the drafts of tools; a stored report gives it back.
/// let range: Evidence = serde_json::from_value(json!({
///     "id": "E1", "key": "range.range", "name": "range", "value": 2.5, "unit": "m",
///     "method": "highest minus lowest", "pointer": "/content/range"}))?;
/// let claim = Claim::new("The range was 2.5 m.", vec![EvidenceId::numbered(1)], Operation::Quote);
/// assert_eq!(ground(&claim, &[range]), Verdict::Grounded);
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, schemars::JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct Evidence {
    /// `E<n>` in plan order; given before the reporter runs.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub id: Option<EvidenceId>,
    /// `<node>.<name>`: stable before anything runs.
    pub key: String,
    /// The name alone, such as `max`.
    pub name: String,
    /// A number, a text, or null for a value that is missing.
    pub value: Value,
    /// CF units; `1` for pure numbers, empty for texts.
    pub unit: String,
    /// The datum of a water level.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub datum: Option<String>,
    /// An instant, a period (`2015-11`) or an interval (`2010-01/2019-12`).
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub when: Option<String>,
    /// A point `{"lon", "lat"}`, a region, a station.
    #[serde(default, rename = "where", skip_serializing_if = "Option::is_none")]
    pub place: Option<Value>,
    /// What an anomaly is relative to.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub baseline: Option<String>,
    /// An interval or a standard error, with its meaning.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub uncertainty: Option<Value>,
    /// How many values it was made from.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub n: Option<u64>,
    /// How it was made.
    pub method: String,
    /// The artifact that it was taken from.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub artifact: Option<Digest>,
    /// JSON pointer into the artifact's JSON; empty for the whole of it.
    #[serde(default)]
    pub pointer: String,
}

/// What a tool says of a quantity; the engine adds key, id and artifact.
///
/// ```
/// use leg_core::EvidenceDraft;
///
/// let max = EvidenceDraft::new("max", 29.4, "degC", "maximum over time").when("2015-11").pointer("/values/70");
/// assert_eq!(max.name, "max");
/// ```
#[derive(Debug, Clone, PartialEq)]
pub struct EvidenceDraft {
    /// The name, as the tool's specification lists it.
    pub name: String,
    /// A number, a text, or null.
    pub value: Value,
    /// CF units.
    pub unit: String,
    /// How it was made.
    pub method: String,
    /// See [`Evidence::datum`].
    pub datum: Option<String>,
    /// See [`Evidence::when`].
    pub when: Option<String>,
    /// See [`Evidence::place`].
    pub place: Option<Value>,
    /// See [`Evidence::baseline`].
    pub baseline: Option<String>,
    /// See [`Evidence::uncertainty`].
    pub uncertainty: Option<Value>,
    /// See [`Evidence::n`].
    pub n: Option<u64>,
    /// The output that it points into; the primary one when absent.
    pub output: Option<String>,
    /// See [`Evidence::pointer`].
    pub pointer: String,
}

impl EvidenceDraft {
    /// A quantity with a name, a value, a unit and a method. A number that is not finite becomes null.
    pub fn new(name: &str, value: impl Into<Value>, unit: &str, method: &str) -> Self {
        Self {
            name: name.to_owned(),
            value: value.into(),
            unit: unit.to_owned(),
            method: method.to_owned(),
            datum: None,
            when: None,
            place: None,
            baseline: None,
            uncertainty: None,
            n: None,
            output: None,
            pointer: String::new(),
        }
    }

    /// Says when.
    #[must_use]
    pub fn when(mut self, when: impl Into<String>) -> Self {
        self.when = Some(when.into());
        self
    }

    /// Says where.
    #[must_use]
    pub fn place(mut self, place: impl Into<Value>) -> Self {
        self.place = Some(place.into());
        self
    }

    /// Says relative to what.
    #[must_use]
    pub fn baseline(mut self, baseline: impl Into<String>) -> Self {
        self.baseline = Some(baseline.into());
        self
    }

    /// Says how sure it is.
    #[must_use]
    pub fn uncertainty(mut self, uncertainty: impl Into<Value>) -> Self {
        self.uncertainty = Some(uncertainty.into());
        self
    }

    /// Says from how many values.
    #[must_use]
    pub fn n(mut self, n: usize) -> Self {
        self.n = Some(n as u64);
        self
    }

    /// Names the datum.
    #[must_use]
    pub fn datum(mut self, datum: impl Into<String>) -> Self {
        self.datum = Some(datum.into());
        self
    }

    /// Points into the artifact.
    #[must_use]
    pub fn pointer(mut self, pointer: impl Into<String>) -> Self {
        self.pointer = pointer.into();
        self
    }

    /// Names the output that it points into.
    #[must_use]
    pub fn output(mut self, output: impl Into<String>) -> Self {
        self.output = Some(output.into());
        self
    }
}

impl Canonical for Evidence {
    /// The canonical form leaves the id out: it is an address in one report, the key is the name.
    fn write(&self, out: &mut Writer) -> Result<(), CanonicalError> {
        let mut object = out.object();
        if let Some(artifact) = &self.artifact {
            object.key("artifact").display(artifact);
        }
        for (key, text) in [("baseline", &self.baseline), ("datum", &self.datum)] {
            if let Some(text) = text {
                object.key(key).str(text);
            }
        }
        object.key("key").str(&self.key);
        object.key("method").str(&self.method);
        if let Some(n) = self.n {
            object.key("n").count(n);
        }
        object.key("name").str(&self.name);
        object.key("pointer").str(&self.pointer);
        if let Some(uncertainty) = &self.uncertainty {
            object.key("uncertainty").value(uncertainty)?;
        }
        object.key("unit").str(&self.unit);
        object.key("value").value(&self.value)?;
        if let Some(when) = &self.when {
            object.key("when").str(when);
        }
        if let Some(place) = &self.place {
            object.key("where").value(place)?;
        }
        object.end();
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_direct_form_is_the_canonical_json_without_the_id() {
        let evidence = Evidence {
            id: Some(EvidenceId::numbered(3)),
            key: "mean.max".into(),
            name: "max".into(),
            value: 29.4.into(),
            unit: "degC".into(),
            datum: Some("MSL".into()),
            when: Some("2015-11".into()),
            place: Some(serde_json::json!({"lon": 1, "lat": 2.5})),
            baseline: Some("2010/2019".into()),
            uncertainty: Some(serde_json::json!({"se": 0.1})),
            n: Some(12),
            method: "maximum".into(),
            artifact: Some(Digest::of(crate::Domain::Object, b"a")),
            pointer: "/values/70".into(),
        };
        let mut json = serde_json::to_value(&evidence).unwrap();
        json.as_object_mut().unwrap().remove("id");
        assert_eq!(
            crate::canonical::to_vec(&evidence).unwrap(),
            serde_json_canonicalizer::to_vec(&json).unwrap()
        );
    }

    #[test]
    fn the_form_of_evidence_stands() {
        let json = r#"{"id":"E3","key":"gauge.max","name":"max","value":2.13,"unit":"m","datum":"NAVD88","when":"2022-09-28T19:30Z","where":{"station":"8725520","name":"Fort Myers"},"baseline":"1991/2020","uncertainty":{"se":0.1},"n":240,"method":"highest value","artifact":"b3:0000000000000000000000000000000000000000000000000000000000000000","pointer":"/values/70"}"#;
        let evidence: Evidence = serde_json::from_str(json).unwrap();
        assert_eq!(serde_json::to_string(&evidence).unwrap(), json);
        let least = r#"{"key":"gauge.no_data","name":"no_data","value":"No data was found.","unit":"","method":"answer","pointer":""}"#;
        let evidence: Evidence = serde_json::from_str(least).unwrap();
        assert_eq!(serde_json::to_string(&evidence).unwrap(), least);
        assert!(
            serde_json::from_str::<Evidence>(
                r#"{"key":"a.b","name":"b","value":1,"unit":"1","method":"m","more":1}"#
            )
            .is_err()
        );
    }
}
