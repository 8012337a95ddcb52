//! CF attributes as the JSON of a Zarr v3 store.

use base64::Engine as _;
use serde_json::{Map, Value};

use super::element::Element;
use crate::cf::{Attribute, Attributes};

/// Attributes that belong to the source's format and mean nothing in Zarr v3.
const FORMAT_ATTRIBUTES: [&str; 6] = [
    "_ARRAY_DIMENSIONS",
    "_NCProperties",
    "_Netcdf4Dimid",
    "_Netcdf4Coordinates",
    "DIMENSION_LIST",
    "REFERENCE_LIST",
];

/// Turns attributes into JSON. `element` is the array's type, `None` for the attributes of a store.
pub(crate) fn attributes(attributes: &Attributes, element: Option<Element>) -> Map<String, Value> {
    let mut json = Map::new();
    for (name, attribute) in attributes {
        if FORMAT_ATTRIBUTES.contains(&name.as_str()) {
            continue;
        }
        let value = match (name.as_str(), element, attribute.as_number()) {
            ("_FillValue", Some(element), Some(number)) => fill_value(element, number),
            // Already in the form of Zarr v3, or text that no number can stand for.
            ("_FillValue", _, _) => attribute.to_json(),
            // NaN is missing without being named.
            ("missing_value", _, Some(number)) if number.is_nan() => continue,
            _ => value(attribute),
        };
        json.insert(name.clone(), value);
    }
    json
}

/// Returns the `_FillValue` attribute of an array: for floating point the eight little-endian bytes of a double in
/// base64, which is how xarray writes and reads it in Zarr v3; else the number.
pub(crate) fn fill_value(element: Element, number: f64) -> Value {
    if element.is_float() {
        base64::engine::general_purpose::STANDARD.encode(number.to_le_bytes()).into()
    } else {
        self::number(number)
    }
}

fn value(attribute: &Attribute) -> Value {
    match attribute {
        Attribute::Numbers(numbers) if numbers.len() == 1 => number(numbers[0]),
        Attribute::Numbers(numbers) => numbers.iter().copied().map(number).collect(),
        Attribute::Text(_) | Attribute::Texts(_) | Attribute::Other(_) => attribute.to_json(),
    }
}

/// A number as JSON: whole numbers without a point; what JSON has no number for as text.
fn number(number: f64) -> Value {
    const EXACT: f64 = 9_007_199_254_740_992.0;
    if libm::trunc(number).to_bits() == number.to_bits() && number.abs() <= EXACT {
        #[expect(
            clippy::cast_possible_truncation,
            reason = "it is whole and within the range of exact integers"
        )]
        let whole = number as i64;
        return whole.into();
    }
    serde_json::Number::from_f64(number).map_or_else(|| number.to_string().into(), Value::Number)
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;

    #[test]
    fn attributes_keep_their_meaning() {
        let source: Attributes = [
            ("units", Attribute::Text("degC".to_owned())),
            ("scale_factor", Attribute::Numbers(vec![0.01])),
            ("valid_range", Attribute::Numbers(vec![-5.0, 45.0])),
            ("missing_value", Attribute::Numbers(vec![f64::NAN])),
            ("odd", Attribute::Numbers(vec![f64::INFINITY])),
            ("_FillValue", Attribute::Numbers(vec![-32767.0])),
            ("_ARRAY_DIMENSIONS", Attribute::Texts(vec!["x".to_owned()])),
        ]
        .into_iter()
        .map(|(name, attribute)| (name.to_owned(), attribute))
        .collect();
        let packed = json!({
            "units": "degC", "scale_factor": 0.01, "valid_range": [-5, 45], "odd": "inf", "_FillValue": -32767
        });
        assert_eq!(Value::Object(attributes(&source, Some(Element::Int16))), packed);
        // -32767 as a double is c0dfffc000000000.
        assert_eq!(attributes(&source, Some(Element::Float32))["_FillValue"], "AAAAAMD/38A=");
    }
}
