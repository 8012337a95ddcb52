//! Metadata of NetCDF variables and groups, in the terms of the storage port.

use hdf5_reader::Hdf5File;
use netcdf_reader::{NcAttrValue, NcAttribute, NcGroup, NcType};
use serde_json::json;

use super::store::{ElementType, StoredVariable};
use crate::cf::{Attribute, Attributes};

/// The variables of a group and of those below it.
pub(crate) fn collect(group: &NcGroup, prefix: &str, hdf5: Option<&Hdf5File>, out: &mut Vec<StoredVariable>) {
    for variable in &group.variables {
        let name = format!("{prefix}{}", variable.name);
        let dimensions: Vec<(String, usize)> = variable
            .dimensions
            .iter()
            .map(|dimension| (dimension.name.clone(), usize::try_from(dimension.size).unwrap_or(usize::MAX)))
            .collect();
        let chunks = hdf5
            .and_then(|file| file.dataset(&name).ok())
            .and_then(|dataset| dataset.chunks())
            .map(|chunks| chunks.iter().map(|&n| n as usize).collect::<Vec<_>>())
            .filter(|chunks| chunks.len() == dimensions.len() && chunks.iter().all(|&n| n > 0));
        let whole: Vec<usize> =
            dimensions.iter().enumerate().map(|(i, d)| if i == 0 { 1 } else { d.1.max(1) }).collect();
        let is_chunked = chunks.is_some();
        out.push(StoredVariable {
            name,
            element: element_of(&variable.dtype),
            attributes: attributes_of(&variable.attributes),
            chunk_shape: chunks.unwrap_or(whole),
            is_chunked,
            fill_value: default_fill(&variable.dtype),
            is_packed_in_single: is_packed_in_single(&variable.attributes),
            dimensions,
        });
    }
    for child in &group.groups {
        collect(child, &format!("{prefix}{}/", child.name), hdf5, out);
    }
}

/// The element type of a NetCDF type.
pub(crate) fn element_of(kind: &NcType) -> ElementType {
    ElementType::Number(match kind {
        NcType::Byte => "int8",
        NcType::Short => "int16",
        NcType::Int => "int32",
        NcType::Float => "float32",
        NcType::Double => "float64",
        NcType::UByte => "uint8",
        NcType::UShort => "uint16",
        NcType::UInt => "uint32",
        NcType::Int64 => "int64",
        NcType::UInt64 => "uint64",
        NcType::Char => return ElementType::Other("characters".to_owned()),
        NcType::String => return ElementType::Other("text".to_owned()),
        NcType::Enum { .. } => return ElementType::Other("an enumeration".to_owned()),
        _ => return ElementType::Other("a compound type".to_owned()),
    })
}

/// Default fill values of the NetCDF library; bytes have none that is applied.
fn default_fill(kind: &NcType) -> Option<f64> {
    match kind {
        NcType::Short => Some(-32_767.0),
        NcType::UShort => Some(65_535.0),
        NcType::Int => Some(-2_147_483_647.0),
        NcType::UInt => Some(4_294_967_295.0),
        NcType::Int64 => Some(-9_223_372_036_854_775_806_i64 as f64),
        NcType::UInt64 => Some(18_446_744_073_709_551_614_u64 as f64),
        NcType::Float => Some(f64::from(9.969_21e36_f32)),
        NcType::Double => Some(9.969_209_968_386_869e36),
        _ => None,
    }
}

/// Whether there are packing attributes and all of them are in single precision.
fn is_packed_in_single(attributes: &[NcAttribute]) -> bool {
    let mut packing = attributes
        .iter()
        .filter(|own| ["scale_factor", "add_offset"].contains(&own.name.as_str()))
        .peekable();
    packing.peek().is_some() && packing.all(|own| matches!(own.value, NcAttrValue::Floats(_)))
}

/// Attributes as the CF layer takes them.
pub(crate) fn attributes_of(attributes: &[NcAttribute]) -> Attributes {
    attributes.iter().map(|attribute| (attribute.name.clone(), attribute_of(&attribute.value))).collect()
}

fn attribute_of(value: &NcAttrValue) -> Attribute {
    if let Some(numbers) = value.as_f64_vec() {
        return Attribute::Numbers(numbers);
    }
    match value {
        NcAttrValue::Chars(text) => Attribute::Text(text.clone()),
        NcAttrValue::Strings(texts) if texts.len() == 1 => Attribute::Text(texts[0].clone()),
        NcAttrValue::Strings(texts) => Attribute::Texts(texts.clone()),
        _ => Attribute::Other(json!("a user-defined type").to_string()),
    }
}
