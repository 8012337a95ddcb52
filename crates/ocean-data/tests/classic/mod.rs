//! A classic NetCDF file written by hand.

/// `sst(time, lat, lon)` as packed shorts with unlimited time, in the classic format.
pub(crate) fn classic() -> Vec<u8> {
    let mut file = File::default();
    file.bytes.extend(b"CDF\x01");
    file.int(3);
    file.int(10);
    file.int(3);
    for (name, length) in [("time", 0), ("lat", 2), ("lon", 3)] {
        file.name(name);
        file.int(length);
    }
    file.int(0);
    file.int(0);
    file.int(11);
    file.int(4);
    // Name, dimensions, attributes, type, size, offset; offsets are patched below.
    let packed = [("units", "degC"), ("scale_factor", "0.5"), ("_FillValue", "-99")];
    let offsets = [
        file.variable("time", &[0], &[("units", "days since 2000-01-01")], 4, 4),
        file.variable("lat", &[1], &[("units", "degrees_north")], 5, 8),
        file.variable("lon", &[2], &[("units", "degrees_east")], 5, 12),
        file.variable("sst", &[0, 1, 2], &packed, 3, 12),
    ];
    let lat = file.bytes.len();
    for value in [-1.0_f32, 1.0] {
        file.bytes.extend(value.to_be_bytes());
    }
    let lon = file.bytes.len();
    for value in [10.0_f32, 20.0, 30.0] {
        file.bytes.extend(value.to_be_bytes());
    }
    let records = file.bytes.len();
    for record in 0..3_i16 {
        file.int(i32::from(record) * 10);
        for cell in 0..6_i16 {
            let value = if cell == 4 { -99 } else { record * 100 + cell };
            file.bytes.extend(value.to_be_bytes());
        }
    }
    for (at, offset) in offsets.into_iter().zip([records, lat, lon, records + 4]) {
        file.bytes[at..at + 4].copy_from_slice(&u32::try_from(offset).unwrap().to_be_bytes());
    }
    file.bytes
}

#[derive(Default)]
struct File {
    bytes: Vec<u8>,
}

impl File {
    fn int(&mut self, value: i32) {
        self.bytes.extend(value.to_be_bytes());
    }

    fn name(&mut self, name: &str) {
        self.int(i32::try_from(name.len()).unwrap());
        self.bytes.extend(name.as_bytes());
        self.bytes.resize(self.bytes.len().next_multiple_of(4), 0);
    }

    fn variable(
        &mut self,
        name: &str,
        dims: &[i32],
        attributes: &[(&str, &str)],
        kind: i32,
        size: i32,
    ) -> usize {
        self.name(name);
        self.int(i32::try_from(dims.len()).unwrap());
        for &dim in dims {
            self.int(dim);
        }
        self.int(12);
        self.int(i32::try_from(attributes.len()).unwrap());
        for (key, value) in attributes {
            self.name(key);
            if let Ok(number) = value.parse::<f64>() {
                self.int(6);
                self.int(1);
                self.bytes.extend(number.to_be_bytes());
            } else {
                self.int(2);
                self.name(value);
            }
        }
        self.int(kind);
        self.int(size);
        self.int(0);
        self.bytes.len() - 4
    }
}
