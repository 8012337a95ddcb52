//! Lines of ATCF decks: best tracks (b-deck) and forecasts (a-deck).

use jiff::ToSpan as _;
use jiff::civil::{Date, DateTime};

use super::hurdat2::turned;
use crate::nhc::{Point, Radii, Track, TrackSource};
use crate::question::storms::StormId;

/// The most lines that are read: ten times the longest a-deck's official forecasts.
const MAX_LINES: usize = 200_000;

/// A line of a deck.
#[derive(Debug, Clone, PartialEq)]
pub struct Line {
    /// Analysis time, UTC; of a best track with its minutes.
    pub time: DateTime,
    /// Technique, such as `BEST` or `OFCL`.
    pub technique: String,
    /// Hours from the analysis time.
    pub tau: i32,
    /// Degrees north.
    pub lat: f64,
    /// Degrees east, -180 to 180.
    pub lon: f64,
    /// Wind in knots.
    pub wind: Option<f64>,
    /// Pressure in hPa.
    pub pressure: Option<f64>,
    /// Stage.
    pub status: String,
    /// Wind radii, of a line that has some.
    pub radii: Option<Radii>,
    /// Radius of the greatest wind, in nautical miles.
    pub rmw: Option<f64>,
    /// Gusts in knots.
    pub gust: Option<f64>,
    /// Name of the storm.
    pub name: String,
}

/// The lines of some technique, how many there were, and how many of them could not be read.
#[derive(Debug, Clone, PartialEq, Default)]
pub struct Lines {
    /// Those that were read, in the order of the file.
    pub lines: Vec<Line>,
    /// All of that technique and storm.
    pub count: usize,
    /// Those that could not be read, of other storms too.
    pub skipped: usize,
}

/// Reads the lines of a technique of a storm.
pub fn read(text: &str, id: &StormId, technique: &str) -> Lines {
    let mut out = Lines::default();
    for line in text.lines().map(str::trim).filter(|line| !line.is_empty()).take(MAX_LINES) {
        let fields: Vec<&str> = line.split(',').take(40).map(str::trim).collect();
        let field = |at: usize| fields.get(at).copied().unwrap_or_default();
        if fields.len() >= 5 && !field(4).eq_ignore_ascii_case(technique) {
            continue;
        }
        let own = format!("{}{:0>2}{}", field(0), field(1), field(2).get(..4).unwrap_or_default());
        // A storm of January keeps the season of its id: only basin and number must agree.
        let same = own
            .get(..4)
            .is_some_and(|own| id.to_string().get(..4).is_some_and(|id| own.eq_ignore_ascii_case(id)));
        match parsed(&fields).filter(|_| same) {
            Some(line) => {
                out.count += 1;
                out.lines.push(line);
            }
            None => out.skipped += 1,
        }
    }
    out
}

fn parsed(fields: &[&str]) -> Option<Line> {
    let field = |at: usize| fields.get(at).copied().unwrap_or_default();
    let hour = field(2);
    if hour.len() != 10 || !hour.bytes().all(|byte| byte.is_ascii_digit()) {
        return None;
    }
    let part = |from: usize, to: usize| hour.get(from..to)?.parse::<i8>().ok();
    let date = Date::new(hour.get(..4)?.parse().ok()?, part(4, 6)?, part(6, 8)?).ok()?;
    let is_best = field(4).eq_ignore_ascii_case("BEST");
    // Of forecasts the field is an order of techniques.
    let minute = if is_best { field(3).parse::<i8>().unwrap_or(0) } else { 0 };
    let time = DateTime::new(date.year(), date.month(), date.day(), part(8, 10)?, minute, 0, 0).ok()?;
    // Zero and blank stand for none.
    let number =
        |at: usize| field(at).parse::<f64>().ok().filter(|number| number.is_finite() && *number > 0.0);
    let radius = |at: usize| field(at).parse::<f64>().ok().filter(|number| (0.0..5_000.0).contains(number));
    let radii = match (field(11).parse::<u8>(), field(12)) {
        (Ok(wind_kt @ (34 | 50 | 64)), code) => {
            let first = radius(13);
            let quadrants = if code.eq_ignore_ascii_case("AAA") {
                [first; 4]
            } else {
                [first, radius(14), radius(15), radius(16)]
            };
            Some(Radii { wind_kt, quadrants })
        }
        _ => None,
    };
    Some(Line {
        time,
        technique: field(4).to_ascii_uppercase(),
        tau: field(5).parse().ok().filter(|tau| (-240..=1_000).contains(tau))?,
        lat: tenths(field(6), 'N', 'S').filter(|lat| lat.abs() <= 90.0)?,
        lon: turned(tenths(field(7), 'E', 'W')?)?,
        wind: number(8),
        pressure: number(9),
        status: field(10).chars().take(8).collect(),
        radii,
        rmw: number(19),
        gust: number(20),
        name: field(27).chars().take(40).collect(),
    })
}

/// `268N`, in tenths of a degree.
fn tenths(text: &str, plus: char, minus: char) -> Option<f64> {
    let (number, letter) = text.split_at_checked(text.len().checked_sub(1)?)?;
    let tenths: f64 =
        number.trim().parse().ok().filter(|_| number.bytes().all(|b| b.is_ascii_digit() || b == b' '))?;
    let degrees = tenths / 10.0;
    let letter = letter.chars().next()?.to_ascii_uppercase();
    match letter {
        c if c == plus => Some(degrees),
        c if c == minus => Some(-degrees),
        _ => None,
    }
}

/// A best track out of a b-deck: the lines of one time, one for each wind radius, are one point.
///
/// ```
/// let id = "AL092022".parse().unwrap();
/// let text = "AL, 09, 2022092820, 35, BEST, 0, 268N, 820W, 125, 945, HU, 34, NEQ, 130, 150, 100, 90\n\
///             AL, 09, 2022092820, 35, BEST, 0, 268N, 820W, 125, 945, HU, 50, NEQ, 80, 70, 60, 50\n";
/// let track = hydro_specialists::nhc::wire::atcf::best_track(text, &id);
/// assert_eq!((track.lines, track.points.len(), track.points[0].radii.len()), (2, 1, 2));
/// assert_eq!(track.points[0].time.to_string(), "2022-09-28T20:35:00");
/// ```
pub fn best_track(text: &str, id: &StormId) -> Track {
    let Lines { mut lines, count, skipped } = read(text, id, "BEST");
    lines.sort_by_key(|line| line.time);
    let mut points: Vec<Point> = Vec::new();
    let first_name = lines.iter().find(|line| !line.name.is_empty()).map(|line| line.name.clone());
    let name = lines.iter().rev().find(|line| !line.name.is_empty()).map(|line| line.name.clone());
    for line in lines {
        match points.last_mut().filter(|last| last.time == line.time) {
            Some(last) => {
                last.wind = last.wind.or(line.wind);
                last.pressure = last.pressure.or(line.pressure);
                last.rmw = last.rmw.or(line.rmw);
                if let Some(radii) = line.radii
                    && !last.radii.iter().any(|own| own.wind_kt == radii.wind_kt)
                {
                    last.radii.push(radii);
                }
            }
            None => points.push(Point {
                time: line.time,
                lat: line.lat,
                lon: line.lon,
                wind: line.wind,
                pressure: line.pressure,
                status: line.status,
                record: None,
                rmw: line.rmw,
                radii: line.radii.into_iter().collect(),
            }),
        }
    }
    for point in &mut points {
        point.radii.sort_by_key(|radii| radii.wind_kt);
    }
    Track {
        id: id.clone(),
        name: name.unwrap_or_default(),
        first_name: first_name.unwrap_or_default(),
        source: TrackSource::BDeck,
        points,
        lines: count,
        skipped,
    }
}

/// When a forecast of a line holds.
pub fn valid(line: &Line) -> Option<DateTime> {
    line.time.checked_add(i64::from(line.tau).hours()).ok()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn quirks_of_the_format_are_read() {
        let id: StormId = "EP012020".parse().unwrap();
        let text = "EP, 01, 2020010100,   , BEST,   0, 100N, 1799W,   0,    0\r\n\
            EP, 01, 2020010106, 00, BEST,   0, 105S, 1801W,  35, 1004, TS,  34, AAA,  40,\r\n\
            EP, 02, 2020010106,   , BEST,   0, 105N, 1801W,  35, 1004, TS\n\
            EP, 01, 2020010106,   , CARQ,   0, 105N, 1801W,  35, 1004, TS\n\
            EP, 01, 2020010112,   , BEST,   0, 10xN, 1805W,  35, 1004, TS\n\
            nonsense\n";
        let track = best_track(text, &id);
        assert_eq!((track.points.len(), track.lines, track.skipped), (2, 2, 3), "{track:?}");
        assert_eq!((track.points[0].wind, track.points[0].pressure), (None, None));
        assert!((track.points[1].lat + 10.5).abs() < 1e-9 && (track.points[1].lon - 179.9).abs() < 1e-9);
        assert_eq!(track.points[1].radii[0].quadrants, [Some(40.0); 4]);
    }
}
