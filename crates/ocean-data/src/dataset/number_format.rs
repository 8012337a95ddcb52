//! Numbers as bytes hold them.

/// Kind, size and byte order of stored numbers.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct NumberFormat {
    kind: Kind,
    is_big_endian: bool,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Kind {
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

impl NumberFormat {
    /// The format of a usual name, such as `float32`; `None` for others.
    pub(crate) fn of(name: &str, is_big_endian: bool) -> Option<Self> {
        let kind = match name {
            "bool" => Kind::Bool,
            "int8" => Kind::Int8,
            "int16" => Kind::Int16,
            "int32" => Kind::Int32,
            "int64" => Kind::Int64,
            "uint8" => Kind::UInt8,
            "uint16" => Kind::UInt16,
            "uint32" => Kind::UInt32,
            "uint64" => Kind::UInt64,
            "float32" => Kind::Float32,
            "float64" => Kind::Float64,
            _ => return None,
        };
        Some(Self { kind, is_big_endian })
    }

    /// The format in the byte order of this machine.
    pub(crate) fn native(name: &str) -> Option<Self> {
        Self::of(name, cfg!(target_endian = "big"))
    }

    /// Bytes of one number.
    pub(crate) fn size(self) -> usize {
        match self.kind {
            Kind::Bool | Kind::Int8 | Kind::UInt8 => 1,
            Kind::Int16 | Kind::UInt16 => 2,
            Kind::Int32 | Kind::UInt32 | Kind::Float32 => 4,
            Kind::Int64 | Kind::UInt64 | Kind::Float64 => 8,
        }
    }

    /// The name that Zarr v2 has for it, such as `<f4`.
    pub(crate) fn zarr_v2(self) -> String {
        let kind = match self.kind {
            Kind::Bool => 'b',
            Kind::Int8 | Kind::Int16 | Kind::Int32 | Kind::Int64 => 'i',
            Kind::UInt8 | Kind::UInt16 | Kind::UInt32 | Kind::UInt64 => 'u',
            Kind::Float32 | Kind::Float64 => 'f',
        };
        let order = match (self.size(), self.is_big_endian) {
            (1, _) => '|',
            (_, true) => '>',
            (_, false) => '<',
        };
        format!("{order}{kind}{}", self.size())
    }

    /// Reads as many numbers as there is room for and bytes to read. 64-bit integers are rounded to doubles.
    pub(crate) fn read(self, bytes: &[u8], out: &mut [f64]) {
        macro_rules! each {
            ($type:ty, $convert:expr) => {
                if self.is_big_endian {
                    each(bytes, out, |bytes| $convert(<$type>::from_be_bytes(bytes)))
                } else {
                    each(bytes, out, |bytes| $convert(<$type>::from_le_bytes(bytes)))
                }
            };
        }
        match self.kind {
            Kind::Bool => each(bytes, out, |[byte]| f64::from(u8::from(byte != 0))),
            Kind::Int8 => each!(i8, f64::from),
            Kind::Int16 => each!(i16, f64::from),
            Kind::Int32 => each!(i32, f64::from),
            Kind::Int64 => each!(i64, |value| value as f64),
            Kind::UInt8 => each!(u8, f64::from),
            Kind::UInt16 => each!(u16, f64::from),
            Kind::UInt32 => each!(u32, f64::from),
            Kind::UInt64 => each!(u64, |value| value as f64),
            Kind::Float32 => each!(f32, f64::from),
            Kind::Float64 => each!(f64, |value| value),
        }
    }

    /// One number; `None` when there are too few bytes.
    pub(crate) fn read_one(self, bytes: &[u8]) -> Option<f64> {
        let mut out = [0.0];
        self.read(bytes.get(..self.size())?, &mut out);
        Some(out[0])
    }
}

fn each<const N: usize>(bytes: &[u8], out: &mut [f64], convert: impl Fn([u8; N]) -> f64) {
    let (numbers, _) = bytes.as_chunks::<N>();
    for (out, &number) in out.iter_mut().zip(numbers) {
        *out = convert(number);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn numbers_are_read_in_both_orders() {
        for (name, big, little, wanted) in [
            ("int16", vec![0xff, 0xfe], vec![0xfe, 0xff], -2.0),
            ("uint16", vec![0xff, 0xfe], vec![0xfe, 0xff], 65_534.0),
            ("float32", 1.5_f32.to_be_bytes().to_vec(), 1.5_f32.to_le_bytes().to_vec(), 1.5),
            ("float64", (-0.1_f64).to_be_bytes().to_vec(), (-0.1_f64).to_le_bytes().to_vec(), -0.1),
            ("int64", 7_i64.to_be_bytes().to_vec(), 7_i64.to_le_bytes().to_vec(), 7.0),
            ("bool", vec![3], vec![3], 1.0),
        ] {
            for (bytes, is_big) in [(big, true), (little, false)] {
                let format = NumberFormat::of(name, is_big).unwrap();
                assert_eq!(format.size(), bytes.len(), "{name}");
                assert_eq!(format.read_one(&bytes), Some(wanted), "{name}");
                assert_eq!(format.read_one(&bytes[1..]), None, "{name}");
            }
        }
        assert_eq!(NumberFormat::of("complex64", false), None);
    }
}
