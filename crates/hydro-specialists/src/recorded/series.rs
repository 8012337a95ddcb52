//! A recorded series as the file that the service has: a station file in the classic NetCDF format.

use jiff::civil::DateTime;
use serde_json::Value;

use crate::question::places;

/// Characters of a station's name.
const WIDTH: u32 = 50;

/// The series of a gauge, `times` and `values`, as a station file. The values are those of the recording; only their form differs.
/// `None` when the text is no such series.
pub(super) fn station_file(series: &Value, town: &str) -> Option<Vec<u8>> {
    let place = places::places(town).into_iter().find(|place| place.gauge.is_some())?;
    let name = format!("{} {} {}", place.gauge.as_deref()?, place.state, place.name);
    let times: Vec<DateTime> = series
        .get("times")?
        .as_array()?
        .iter()
        .map(|time| time.as_str()?.replace(' ', "T").parse().ok())
        .collect::<Option<_>>()?;
    let values: Vec<f64> =
        series.get("values")?.as_array()?.iter().map(Value::as_f64).collect::<Option<_>>()?;
    let base = times.first()?.date().at(0, 0, 0, 0);
    if times.len() != values.len() {
        return None;
    }
    let units = format!("seconds since {} 00:00:00", base.date());
    let start = u32::try_from(head(times.len(), &units, [0; 5])?.len()).ok()?;
    let names = WIDTH.next_multiple_of(4);
    let records = start + names + 16;
    let mut out = head(times.len(), &units, [start, start + names, start + names + 8, records, records + 8])?;
    out.extend(format!("{name:<50}").bytes().take(usize::try_from(WIDTH).ok()?));
    out.resize(usize::try_from(start + names).ok()?, 0);
    out.extend(place.lon.to_be_bytes());
    out.extend(place.lat.to_be_bytes());
    for (time, value) in times.iter().zip(&values) {
        let seconds = i32::try_from(base.duration_until(*time).as_secs()).ok()?;
        out.extend(f64::from(seconds).to_be_bytes());
        out.extend(value.to_be_bytes());
    }
    Some(out)
}

/// The header: dimensions, variables and where each begins.
fn head(records: usize, units: &str, begins: [u32; 5]) -> Option<Vec<u8>> {
    let mut out = b"CDF\x01".to_vec();
    let int = |out: &mut Vec<u8>, value: u32| out.extend(value.to_be_bytes());
    let text = |out: &mut Vec<u8>, text: &str| -> Option<()> {
        out.extend(u32::try_from(text.len()).ok()?.to_be_bytes());
        out.extend(text.as_bytes());
        out.resize(out.len().next_multiple_of(4), 0);
        Some(())
    };
    int(&mut out, u32::try_from(records).ok()?);
    int(&mut out, 0x0A);
    int(&mut out, 3);
    for (name, length) in [("time", 0), ("station", 1), ("namelen", WIDTH)] {
        text(&mut out, name)?;
        int(&mut out, length);
    }
    out.extend([0; 8]);
    int(&mut out, 0x0B);
    int(&mut out, 5);
    let variables: [(&str, &[u32], u32, u32); 5] = [
        ("station_name", &[1, 2], 2, WIDTH),
        ("x", &[1], 6, 8),
        ("y", &[1], 6, 8),
        ("time", &[0], 6, 8),
        ("zeta", &[0, 1], 6, 8),
    ];
    for ((name, dims, kind, size), begin) in variables.into_iter().zip(begins) {
        text(&mut out, name)?;
        int(&mut out, u32::try_from(dims.len()).ok()?);
        for dim in dims {
            int(&mut out, *dim);
        }
        if name == "time" {
            int(&mut out, 0x0C);
            int(&mut out, 1);
            text(&mut out, "units")?;
            int(&mut out, 2);
            text(&mut out, units)?;
        } else {
            out.extend([0; 8]);
        }
        int(&mut out, kind);
        int(&mut out, size.next_multiple_of(4));
        int(&mut out, begin);
    }
    Some(out)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_series_becomes_a_file_that_can_be_read() {
        let series =
            serde_json::json!({ "times": ["2026-02-20 12:06", "2026-02-20 12:12"], "values": [0.25, -0.5] });
        let file = station_file(&series, "Newport").unwrap();
        let points = crate::stofs::Points::parse(file.into()).unwrap();
        assert_eq!(points.series(0).unwrap(), [Some(0.25), Some(-0.5)]);
        assert_eq!(points.stations[0].key(), "8452660");
        assert_eq!(station_file(&series, "nowhere"), None);
    }
}
