//! Casts of the cases as profile artifacts: bottles of a CSV file, profiles of an Argo file, columns of a grid.
//!
//! A column of a grid is taken by `extract_vertical_profile`. Casts are no gridded data: their rows and flags are read
//! here as the case says, and become profiles on pressure.

use leg_core::{Artifact, Coord, Kind, Variable};
use netcdf_reader::NcFile;
use serde_json::{Value, json};

use super::bench::{Bench, Session};
use super::case::Given;
use super::csv;

/// In-situ temperature and practical salinity of a cast.
#[derive(Debug)]
pub(super) struct Cast {
    /// Calls over it.
    pub(super) session: Session,
    /// Reference to the temperature, degC.
    pub(super) temp: Value,
    /// Reference to the salinity.
    pub(super) salt: Value,
    /// Positions of the levels that have both.
    pub(super) levels: Vec<usize>,
    /// The temperatures at these.
    pub(super) t: Vec<f64>,
    /// The salinities at these.
    pub(super) sp: Vec<f64>,
}

/// Rows of a cast: pressure, temperature, salinity.
type Rows = Vec<[f64; 3]>;

impl Cast {
    /// The cast that an input describes.
    ///
    /// # Errors
    /// A message: a file or a rule that is not known.
    pub(super) async fn read(input: &Given, bench: &Bench) -> Result<Self, String> {
        let file = input.text("file")?;
        let place = [input.number("lon")?, input.number("lat")?];
        if std::path::Path::new(file).extension().is_some_and(|own| own.eq_ignore_ascii_case("csv")) {
            return Self::of_rows(&bottles(input, bench)?, place, bench);
        }
        if input.get("n_prof").is_some() {
            return Self::of_rows(&argo(input, bench)?, place, bench);
        }
        Self::of_grid(input, place, bench).await
    }

    fn of_rows(rows: &[[f64; 3]], place: [f64; 2], bench: &Bench) -> Result<Self, String> {
        let session = bench.open(&[])?;
        let column = |at: usize| -> Vec<f64> { rows.iter().map(|row| row[at]).collect() };
        let profile = |name: &str, units: &str, values: Vec<f64>| {
            let variable = Variable {
                name: name.to_owned(),
                standard_name: Some(name.to_owned()),
                units: units.to_owned(),
                dims: vec!["depth".to_owned()],
                shape: vec![values.len()],
                values,
            };
            let pressure = Coord::numbers(&column(0), "dbar", "sea_water_pressure");
            Artifact::array(Kind::Profile, name, variable)
                .with_coord("depth", pressure)
                .with_coord("lat", Coord::numbers(&place[1..], "degrees_north", "latitude"))
                .with_coord("lon", Coord::numbers(&place[..1], "degrees_east", "longitude"))
        };
        let (t, sp) = (column(1), column(2));
        let temp = session.keep(&profile("sea_water_temperature", "degC", t.clone()))?;
        let salt = session.keep(&profile("sea_water_practical_salinity", "1", sp.clone()))?;
        Ok(Self { session, temp, salt, levels: (0..t.len()).collect(), t, sp })
    }

    async fn of_grid(input: &Given, [lon, lat]: [f64; 2], bench: &Bench) -> Result<Self, String> {
        input.one_of("note", &["theta K to degC; p from depth; t from pt"])?;
        let indices = [input.index("lat_index")?, input.index("lon_index")?];
        let session = bench.open_one(input.text("file")?)?;
        let mut profiles = Vec::new();
        for variable in ["theta", "salinity"] {
            let ask = json!({"data": {"variable": variable}, "lon": lon, "lat": lat});
            profiles.push(session.call("extract_vertical_profile", ask).await?);
        }
        check_place(input, bench, indices, &profiles[0].artifact()?.coords)?;
        let salt = profiles[1].reference.clone();
        let ask = json!({"data": profiles[0].reference, "salt": salt, "target_kind": "in_situ"});
        let in_situ = session.call("convert_temperature", ask).await?;
        let (all_t, all_sp) = (in_situ.values("")?, profiles[1].values("")?);
        let levels: Vec<usize> =
            (0..all_t.len()).filter(|&at| all_t[at].is_finite() && all_sp[at].is_finite()).collect();
        let pick = |values: &[f64]| levels.iter().map(|&at| values[at]).collect::<Vec<f64>>();
        let (t, sp) = (pick(all_t), pick(all_sp));
        Ok(Self { temp: in_situ.reference.clone(), session, salt, levels, t, sp })
    }

    /// The values of an array of a result at the levels of the cast.
    pub(super) fn pick(&self, values: &[f64]) -> Vec<f64> {
        self.levels.iter().filter_map(|&at| values.get(at).copied()).collect()
    }
}

/// The column of the profile must be that of the positions in the case.
fn check_place(
    input: &Given,
    bench: &Bench,
    [row, column]: [usize; 2],
    coords: &std::collections::BTreeMap<String, Coord>,
) -> Result<(), String> {
    let path = bench.path(input.text("file")?);
    let file = NcFile::open(&path).map_err(|error| error.to_string())?;
    for (names, at, coord) in [(["lat", "latitude"], row, "lat"), (["lon", "longitude"], column, "lon")] {
        let values = names.iter().find_map(|name| file.read_variable_as_f64(name).ok());
        let own = values.and_then(|values| values.iter().nth(at).copied());
        let found = coords.get(coord).and_then(|coord| coord.values.first()).and_then(Value::as_f64);
        let agrees =
            own.zip(found).is_some_and(|(own, found)| ((own - found).rem_euclid(360.0)).abs() < 1e-4);
        if !agrees {
            return Err(format!("position {at} of `{coord}` is {own:?} and the profile is at {found:?}"));
        }
    }
    Ok(())
}

fn bottles(input: &Given, bench: &Bench) -> Result<Rows, String> {
    input.one_of("sort", &["pressure"])?;
    input.one_of("drop", &["rows without T or S, repeated pressure"])?;
    let station = input.number("station")?;
    let table = csv::table(&bench.path(input.text("file")?))?;
    let stations = csv::numbers(&table, "station")?;
    let mut columns = Vec::new();
    for name in ["pressure_dbar", "temperature_its90", "salinity_psu"] {
        columns.push(csv::numbers(&table, name)?);
    }
    let mut rows: Rows = (0..table.rows)
        .filter(|&at| stations[at].to_bits() == station.to_bits())
        .map(|at| [columns[0][at], columns[1][at], columns[2][at]])
        .filter(|row| row.iter().all(|own| !own.is_nan()))
        .collect();
    rows.sort_by(|a, b| a[0].total_cmp(&b[0]));
    rows.dedup_by(|a, b| a[0].to_bits() == b[0].to_bits());
    Ok(rows)
}

fn argo(input: &Given, bench: &Bench) -> Result<Rows, String> {
    input.one_of("keep", &["QC flag 1 or 2 in all three"])?;
    input.one_of("variables", &["PRES PSAL TEMP"])?;
    let profile = input.index("n_prof")?;
    let file = NcFile::open(bench.path(input.text("file")?)).map_err(|error| error.to_string())?;
    let mut columns = Vec::new();
    let mut is_good: Vec<bool> = Vec::new();
    for name in ["PRES", "TEMP", "PSAL"] {
        let values = file.read_variable_as_f64(name).map_err(|error| error.to_string())?;
        let flags =
            file.read_variable_as_strings(&format!("{name}_QC")).map_err(|error| error.to_string())?;
        let levels = values.shape().get(1).copied().unwrap_or(0);
        let all: Vec<f64> = values.iter().copied().skip(profile * levels).take(levels).collect();
        let own = flags.get(profile).map(String::as_bytes).unwrap_or_default();
        // The reader cuts blanks at the end, which are flags of levels without a value.
        let good = (0..levels).map(|at| matches!(own.get(at), Some(b'1' | b'2')));
        is_good = if is_good.is_empty() {
            good.collect()
        } else {
            is_good.iter().zip(good).map(|(a, b)| *a && b).collect()
        };
        columns.push(all);
    }
    if is_good.is_empty() {
        return Err(format!("the file has no profile {profile}"));
    }
    Ok((0..is_good.len())
        .filter(|&at| is_good[at])
        .map(|at| [columns[0][at], columns[1][at], columns[2][at]])
        .collect())
}
