//! [`Points`]: a file of stations: names, places, times, levels.

use bytes::Bytes;
use jiff::ToSpan as _;
use jiff::civil::DateTime;
use ocean_data::dataset::{NetcdfBytes, Store, StoredVariable, Window};

/// Levels below this are one of several values that stand for none.
const MISSING_BELOW: f64 = -1000.0;
/// The most stations and times that are read, against hostile files.
const MAX_VALUES: usize = 16 << 20;

/// A file of stations.
#[derive(Debug)]
pub(crate) struct Points {
    file: NetcdfBytes,
    zeta: usize,
    pub(crate) stations: Vec<Station>,
    pub(crate) times: Vec<DateTime>,
}

/// A station of a file.
#[derive(Debug, Clone, PartialEq)]
pub(crate) struct Station {
    /// The seven digits inside its name, if there are.
    pub(crate) id: Option<String>,
    /// Its name in words.
    pub(crate) name: String,
    /// The whole text of the file.
    pub(crate) text: String,
    pub(crate) lon: f64,
    pub(crate) lat: f64,
}

impl Points {
    /// Reads a file.
    ///
    /// # Errors
    /// What is wrong with it, in words.
    pub(crate) fn parse(bytes: Bytes) -> Result<Self, String> {
        let file = NetcdfBytes::open(bytes, "the station file").map_err(|error| error.to_string())?;
        let store = file.store();
        let zeta = index(store, "zeta")?;
        let shape = variable(store, zeta)?.shape();
        let &[times, stations] = shape.as_slice() else {
            return Err(format!("`zeta` has {} dimensions instead of time and station", shape.len()));
        };
        if times.saturating_mul(stations) > MAX_VALUES {
            return Err(format!("{times} times at {stations} stations are more than is read"));
        }
        let times = times_of(store)?;
        let (x, y) = (numbers(store, "x")?, numbers(store, "y")?);
        let names = file.texts("station_name").map_err(|error| error.to_string())?;
        if x.len() != stations || y.len() != stations || names.len() != stations || times.len() != shape[0] {
            return Err("its names, places, times and levels are of different lengths".to_owned());
        }
        let stations = names
            .into_iter()
            .zip(x.into_iter().zip(y))
            .map(|(text, (lon, lat))| Station::new(text, lon, lat))
            .collect();
        Ok(Self { file, zeta, stations, times })
    }

    /// The levels of a station; `None` where there is none.
    ///
    /// # Errors
    /// What is wrong with the file.
    pub(crate) fn series(&self, station: usize) -> Result<Vec<Option<f64>>, String> {
        let window = Window { start: vec![0, station], shape: vec![self.times.len(), 1] };
        let block = self.file.store().read(self.zeta, &window).map_err(|error| error.to_string())?;
        Ok(block.values.iter().map(|value| level(*value)).collect())
    }

    /// The highest level of each station with the place of its time; `None` for a station without any.
    ///
    /// # Errors
    /// What is wrong with the file.
    pub(crate) fn peaks(&self) -> Result<Vec<Option<(f64, usize)>>, String> {
        let width = self.stations.len();
        let window = Window { start: vec![0, 0], shape: vec![self.times.len(), width] };
        let block = self.file.store().read(self.zeta, &window).map_err(|error| error.to_string())?;
        let mut peaks: Vec<Option<(f64, usize)>> = vec![None; width];
        for (at, value) in block.values.iter().enumerate() {
            if let (Some(level), Some(peak)) = (level(*value), peaks.get_mut(at % width.max(1)))
                && peak.is_none_or(|(highest, _)| level > highest)
            {
                *peak = Some((level, at / width.max(1)));
            }
        }
        Ok(peaks)
    }
}

impl Station {
    fn new(text: String, lon: f64, lat: f64) -> Self {
        let words: Vec<&str> = text.split_whitespace().collect();
        let is_id = |word: &str| word.len() == 7 && word.bytes().all(|byte| byte.is_ascii_digit());
        let at = words.iter().position(|word| is_id(word));
        let id = at.and_then(|at| words.get(at)).map(|id| (*id).to_owned());
        // After the id stand the state and the name.
        let mut rest = at.and_then(|at| words.get(at + 1..)).unwrap_or(&words);
        if let [state, name @ ..] = rest
            && at.is_some()
            && !name.is_empty()
            && state.len() == 2
            && state.bytes().all(|byte| byte.is_ascii_uppercase())
        {
            rest = name;
        }
        let name = rest.join(" ");
        Self { id, name, text, lon: half_turn(lon), lat }
    }

    /// Its id, or else its text.
    pub(crate) fn key(&self) -> &str {
        self.id.as_deref().unwrap_or(&self.text)
    }
}

/// A longitude in -180 to 180.
pub(crate) fn half_turn(lon: f64) -> f64 {
    if lon > 180.0 { lon - 360.0 } else { lon }
}

/// A level, unless the number stands for none.
pub(crate) fn level(value: f64) -> Option<f64> {
    Some(value).filter(|value| value.is_finite() && *value > MISSING_BELOW)
}

/// The place of a variable.
pub(crate) fn index(store: &dyn Store, name: &str) -> Result<usize, String> {
    let found = store.variables().iter().position(|variable| variable.name == name);
    found.ok_or_else(|| format!("it has no `{name}`"))
}

/// A variable by its place.
pub(crate) fn variable(store: &dyn Store, at: usize) -> Result<&StoredVariable, String> {
    store.variables().get(at).ok_or_else(|| "it has no such variable".to_owned())
}

/// All numbers of a variable.
pub(crate) fn numbers(store: &dyn Store, name: &str) -> Result<Vec<f64>, String> {
    let at = index(store, name)?;
    let variable = variable(store, at)?;
    if variable.len() > MAX_VALUES {
        return Err(format!("`{name}` has {} values, which is more than is read", variable.len()));
    }
    let block = store.read(at, &Window::all(variable)).map_err(|error| error.to_string())?;
    Ok(block.values.iter().copied().collect())
}

/// The times of a file, UTC.
pub(crate) fn times_of(store: &dyn Store) -> Result<Vec<DateTime>, String> {
    let at = index(store, "time")?;
    let units = variable(store, at)?.attributes.get("units").and_then(|units| match units.to_json() {
        serde_json::Value::String(text) => Some(text),
        _ => None,
    });
    let units = units.ok_or("its times have no units")?;
    let (seconds, base) = time_base(&units).ok_or_else(|| format!("its times are in `{units}`"))?;
    numbers(store, "time")?
        .into_iter()
        .map(|number| {
            let number = number * seconds;
            if !number.is_finite() || number.abs() > 1e12 {
                return Err(format!("{number} s is no time"));
            }
            #[expect(clippy::cast_possible_truncation, reason = "the number is within bounds")]
            let whole = number.round() as i64;
            base.checked_add(whole.seconds()).map_err(|error| error.to_string())
        })
        .collect()
}

/// The seconds of a unit of time and the time that it counts from. A comment follows a `!`; the base is a cold start and not
/// the cycle.
pub(crate) fn time_base(units: &str) -> Option<(f64, DateTime)> {
    let units = units.split('!').next()?.trim();
    let (unit, base) = units.split_once(" since ")?;
    let seconds = match unit.trim().to_ascii_lowercase().as_str() {
        "second" | "seconds" | "s" | "sec" => 1.0,
        "minute" | "minutes" | "min" => 60.0,
        "hour" | "hours" | "h" => 3600.0,
        "day" | "days" | "d" => 86_400.0,
        _ => return None,
    };
    let base = base.trim().trim_end_matches("UTC").trim_end_matches('Z').trim_end();
    let base = base.strip_suffix("+00:00").or_else(|| base.strip_suffix("+0000")).unwrap_or(base).trim_end();
    base.parse::<DateTime>().ok().map(|base| (seconds, base))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn ids_stand_inside_names() {
        let station = |text: &str| Station::new(text.to_owned(), 288.67, 41.5);
        let newport = station("NWPR1 SOUS41 8452660 RI Newport");
        assert_eq!((newport.id.as_deref(), newport.name.as_str()), (Some("8452660"), "Newport"));
        assert!((newport.lon + 71.33).abs() < 1e-9);
        let plain = station("Harbour mouth 12");
        assert_eq!(
            (plain.id.as_deref(), plain.name.as_str(), plain.key()),
            (None, "Harbour mouth 12", "Harbour mouth 12")
        );
        assert_eq!(station("A 1234567 St Johns").name, "St Johns");
        assert_eq!(station("").name, "");
    }

    #[test]
    fn the_time_base_ends_at_the_mark() {
        let base = |text: &str| time_base(text).map(|(seconds, base)| format!("{seconds} {base}"));
        let expected = Some("1 2024-04-04T12:00:00".to_owned());
        assert_eq!(base("seconds since 2024-04-04 12:00:00        ! NCDASE - BASE_DAT"), expected);
        assert_eq!(base("seconds since 2024-04-04 12:00:00 +00:00"), expected);
        assert_eq!(base("seconds since 2024-04-04T12:00:00Z"), expected);
        assert_eq!(base("hours since 2024-04-04"), Some("3600 2024-04-04T00:00:00".to_owned()));
        for bad in ["", "seconds", "since 2024", "fortnights since 2024-04-04", "seconds since the cycle"] {
            assert_eq!(base(bad), None, "{bad}");
        }
    }

    #[test]
    fn all_values_that_stand_for_none_are_masked() {
        for value in [-99_999.0, -99_998.9, -99_998.8, -99_998.7, f64::NAN, f64::INFINITY] {
            assert_eq!(level(value), None, "{value}");
        }
        assert_eq!(level(-3.5), Some(-3.5));
        assert!(Points::parse(Bytes::from_static(b"<Error>")).is_err());
        assert!(Points::parse(Bytes::from_static(b"CDF\x01")).is_err());
    }
}
