//! Packed values and missing values.
//!
//! # Source
//! CF conventions 1.11, sections 2.5.1 and 8.1; the NetCDF users' guide for default fill values and
//! `valid_range`.

use super::attribute::{Attribute, Attributes};

/// How stored numbers become physical ones: comparison with fill values and limits first, on the stored
/// number, then `scale_factor` and `add_offset`, in double precision unless [`Packing::in_single`] says otherwise.
#[derive(Debug, Clone, PartialEq)]
pub struct Packing {
    scale: f64,
    offset: f64,
    missing: Vec<f64>,
    minimum: f64,
    maximum: f64,
    is_single: bool,
}

impl Packing {
    /// Reads the attributes of a variable.
    ///
    /// `fill_value` is what the format itself says: the fill value of a Zarr v2 array, or the default fill
    /// value of the NetCDF type.
    ///
    /// A Zarr v3 `_FillValue` attribute in base64 of a little-endian double is understood. A packed
    /// variable whose `valid_range` lies in a type that is not the stored one (some files give it in
    /// unpacked numbers) is taken at its word, as the NetCDF library does.
    pub fn from_attributes(attributes: &Attributes, fill_value: Option<f64>) -> Self {
        let number = |key: &str| attributes.get(key).and_then(Attribute::as_number);
        let mut missing: Vec<f64> = Vec::new();
        match attributes.get("_FillValue") {
            Some(attribute) => missing.extend(numbers_of(attribute)),
            None => missing.extend(fill_value),
        }
        if let Some(attribute) = attributes.get("missing_value") {
            missing.extend(numbers_of(attribute));
        }
        missing.retain(|value| !value.is_nan());
        // Single-precision data hold a double-precision fill value rounded.
        missing.extend(missing.clone().into_iter().map(single));
        missing.sort_by(f64::total_cmp);
        missing.dedup_by(|a, b| a.to_bits() == b.to_bits());
        let range =
            attributes.get("valid_range").and_then(Attribute::as_numbers).filter(|range| range.len() == 2);
        let minimum = range.map(|r| r[0]).or_else(|| number("valid_min")).unwrap_or(f64::NEG_INFINITY);
        let maximum = range.map(|r| r[1]).or_else(|| number("valid_max")).unwrap_or(f64::INFINITY);
        Self {
            scale: number("scale_factor").unwrap_or(1.0),
            offset: number("add_offset").unwrap_or(0.0),
            missing,
            minimum: if minimum.is_nan() { f64::NEG_INFINITY } else { minimum.min(single(minimum)) },
            maximum: if maximum.is_nan() { f64::INFINITY } else { maximum.max(single(maximum)) },
            is_single: false,
        }
    }

    /// The same, unpacked in single precision: each product and each sum is rounded, as readers do that unpack to
    /// the type of the attributes.
    #[must_use]
    pub fn in_single(self) -> Self {
        Self { is_single: true, ..self }
    }

    /// Whether stored numbers are packed and unpacked in single precision.
    pub fn is_single(&self) -> bool {
        self.is_single && self.is_packed()
    }

    /// Whether stored numbers are packed.
    pub fn is_packed(&self) -> bool {
        self.scale.to_bits() != 1.0_f64.to_bits() || self.offset.to_bits() != 0.0_f64.to_bits()
    }

    /// Whether stored numbers are the physical ones, with NaN alone for missing.
    pub(crate) fn is_plain(&self) -> bool {
        !self.is_packed()
            && self.missing.is_empty()
            && self.minimum == f64::NEG_INFINITY
            && self.maximum == f64::INFINITY
    }

    /// The stored numbers that mean missing.
    pub fn missing(&self) -> &[f64] {
        &self.missing
    }

    /// One stored number as a physical one; NaN when missing.
    pub fn decode(&self, stored: f64) -> f64 {
        if stored.is_nan() || stored < self.minimum || stored > self.maximum {
            return f64::NAN;
        }
        if self.missing.contains(&stored) {
            return f64::NAN;
        }
        if self.is_single() {
            // Rounding the double result of one operation on singles is that operation in single precision.
            single(single(single(stored) * single(self.scale)) + single(self.offset))
        } else if self.is_packed() {
            stored * self.scale + self.offset
        } else {
            stored
        }
    }

    /// Decodes numbers in place.
    pub fn decode_all<'a>(&self, values: impl Iterator<Item = &'a mut f64>) {
        for value in values {
            *value = self.decode(*value);
        }
    }
}

/// The nearest single-precision number.
fn single(value: f64) -> f64 {
    #[expect(clippy::cast_possible_truncation, reason = "rounding is what is wanted")]
    let rounded = value as f32;
    f64::from(rounded)
}

fn numbers_of(attribute: &Attribute) -> Vec<f64> {
    match attribute {
        Attribute::Numbers(numbers) => numbers.clone(),
        Attribute::Text(text) => text_number(text).into_iter().collect(),
        Attribute::Texts(_) | Attribute::Other(_) => Vec::new(),
    }
}

/// A number in text: `NaN`, `Infinity`, decimal, or xarray's base64 of eight little-endian bytes.
fn text_number(text: &str) -> Option<f64> {
    use base64::Engine as _;

    if let Ok(number) = text.trim().parse() {
        return Some(number);
    }
    let bytes = base64::engine::general_purpose::STANDARD.decode(text.trim()).ok()?;
    Some(f64::from_le_bytes(bytes.try_into().ok()?))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn packing(attributes: &[(&str, Attribute)], fill: Option<f64>) -> Packing {
        let attributes = attributes.iter().map(|(k, v)| ((*k).to_owned(), v.clone())).collect();
        Packing::from_attributes(&attributes, fill)
    }

    fn number(value: f64) -> Attribute {
        Attribute::Numbers(vec![value])
    }

    #[test]
    fn fill_is_compared_before_unpacking() {
        let p = packing(
            &[
                ("scale_factor", number(0.001)),
                ("add_offset", number(15.0)),
                ("_FillValue", number(-32767.0)),
            ],
            None,
        );
        assert!(p.decode(-32767.0).is_nan());
        assert!((p.decode(5000.0) - 20.0).abs() < 1e-12);
    }

    #[test]
    fn single_precision_rounds_product_and_sum() {
        let scale = f64::from(0.01_f32);
        let double =
            packing(&[("scale_factor", number(scale)), ("add_offset", number(single(273.15)))], None);
        let own = double.clone().in_single();
        for stored in [-300_i16, 0, 1, 1234, 4500, 32_767] {
            let exact = f32::from(stored) * 0.01_f32 + 273.15_f32;
            assert_eq!(own.decode(f64::from(stored)).to_bits(), f64::from(exact).to_bits(), "{stored}");
        }
        assert!((own.decode(1234.0) - double.decode(1234.0)).abs() > 1e-7);
        assert!(own.is_single() && !double.is_single() && !packing(&[], None).in_single().is_single());
    }

    #[test]
    fn an_attribute_replaces_the_default_and_missing_value_adds() {
        let p = packing(&[("_FillValue", number(-1.0)), ("missing_value", number(-2.0))], Some(-3.0));
        assert!(p.decode(-1.0).is_nan() && p.decode(-2.0).is_nan());
        assert!((p.decode(-3.0) + 3.0).abs() < f64::EPSILON);
        assert!(packing(&[], Some(-3.0)).decode(-3.0).is_nan());
    }

    #[test]
    fn a_double_fill_value_covers_single_precision_data() {
        let p = packing(&[("missing_value", number(1e20)), ("valid_max", number(30.1))], None);
        assert!(p.decode(f64::from(1e20_f32)).is_nan());
        assert!(p.decode(f64::from(30.1_f32)).is_finite());
    }

    #[test]
    fn limits_apply_to_stored_numbers() {
        let p = packing(
            &[("valid_range", Attribute::Numbers(vec![0.0, 10.0])), ("scale_factor", number(2.0))],
            None,
        );
        assert!(p.decode(10.5).is_nan() && p.decode(-0.5).is_nan());
        assert!((p.decode(10.0) - 20.0).abs() < f64::EPSILON);
        assert!(packing(&[("valid_min", number(1.0))], None).decode(0.0).is_nan());
    }

    #[test]
    fn base64_fill_values_of_zarr_v3_are_read() {
        assert!(text_number("AAAAAAAA+H8=").unwrap().is_nan());
        assert_eq!(text_number("-999"), Some(-999.0));
        assert_eq!(text_number("hello"), None);
    }
}
