//! Element types that are written.

use crate::dataset::ElementType;

/// The type of an array's elements as stored.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
#[non_exhaustive]
#[expect(missing_docs, reason = "the names say it")]
pub enum Element {
    Bool,
    Int8,
    Int16,
    Int32,
    Int64,
    UInt8,
    UInt16,
    UInt32,
    UInt64,
    Float32,
    Float64,
}

impl Element {
    /// Its name in Zarr.
    pub fn name(self) -> &'static str {
        match self {
            Self::Bool => "bool",
            Self::Int8 => "int8",
            Self::Int16 => "int16",
            Self::Int32 => "int32",
            Self::Int64 => "int64",
            Self::UInt8 => "uint8",
            Self::UInt16 => "uint16",
            Self::UInt32 => "uint32",
            Self::UInt64 => "uint64",
            Self::Float32 => "float32",
            Self::Float64 => "float64",
        }
    }

    /// The element type that holds what was read from an array of the given type: itself, or doubles for number
    /// types that Zarr stores rarely have. `None` for what is no number.
    pub fn of(stored: &ElementType) -> Option<Self> {
        let ElementType::Number(name) = stored else { return None };
        let all = [
            Self::Bool,
            Self::Int8,
            Self::Int16,
            Self::Int32,
            Self::Int64,
            Self::UInt8,
            Self::UInt16,
            Self::UInt32,
            Self::UInt64,
            Self::Float32,
        ];
        Some(all.into_iter().find(|element| element.name() == *name).unwrap_or(Self::Float64))
    }

    /// Bytes an element takes.
    pub fn size(self) -> usize {
        match self {
            Self::Bool | Self::Int8 | Self::UInt8 => 1,
            Self::Int16 | Self::UInt16 => 2,
            Self::Int32 | Self::UInt32 | Self::Float32 => 4,
            Self::Int64 | Self::UInt64 | Self::Float64 => 8,
        }
    }

    /// Whether it has fractions and NaN.
    pub fn is_float(self) -> bool {
        matches!(self, Self::Float32 | Self::Float64)
    }

    /// Turns values into the machine's bytes. Integers are rounded toward zero and held to their type's range.
    #[expect(
        clippy::cast_possible_truncation,
        clippy::cast_sign_loss,
        reason = "`as` saturates; values read from an array of the type fit it exactly"
    )]
    pub(crate) fn to_bytes(self, values: &[f64]) -> Vec<u8> {
        macro_rules! bytes {
            ($kind:ty) => {
                values.iter().flat_map(|value| (*value as $kind).to_ne_bytes()).collect()
            };
        }
        match self {
            Self::Bool => values.iter().map(|value| u8::from(*value != 0.0)).collect(),
            Self::Int8 => bytes!(i8),
            Self::Int16 => bytes!(i16),
            Self::Int32 => bytes!(i32),
            Self::Int64 => bytes!(i64),
            Self::UInt8 => bytes!(u8),
            Self::UInt16 => bytes!(u16),
            Self::UInt32 => bytes!(u32),
            Self::UInt64 => bytes!(u64),
            Self::Float32 => bytes!(f32),
            Self::Float64 => bytes!(f64),
        }
    }
}
