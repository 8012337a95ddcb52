//! `compute_upwelling_index_sst`: how much colder the coast is than the open sea.

use leg_core::{EvidenceDraft, Kind, Purity, ToolContext, ToolError, ToolOutput, ToolSpec};
use ndarray::{Array2, Array4};
use ocean_data::Field;
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use crate::argument::{FieldArgument, RegionArgument, WindowArgument};
use crate::computation::Computation;
use crate::derived::from_series;
use crate::frame::Frame;
use crate::kernels::coast_bands::{Side, to_coast};
use crate::kernels::sphere::{EARTH_RADIUS, RADIANS};
use crate::outcome::{Quantity, any_array, read_from};
use crate::series::axis_of;
use crate::together::Part;
use crate::tools::dynamics::flow::yes;
use crate::tools::statistic::preparation::Preparation;
use crate::water::in_celsius;
use crate::{Datasets, evidence, reading};

/// The upwelling index of temperature.
pub(crate) struct ComputeUpwellingIndexSst;

/// Arguments of `compute_upwelling_index_sst`.
#[derive(Debug, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub(crate) struct Arguments {
    /// Sea surface temperature, missing on land; the region must hold the coast and the open sea.
    #[schemars(extend("x-leg-port" = {"kind": "field", "dims": ["time", "lat", "lon"], "unit": "degC"}))]
    sst: FieldArgument,
    /// Width of the coastal band in kilometres.
    #[serde(default = "hundred")]
    #[schemars(range(min = 1, max = 1000))]
    coast_width_km: f64,
    /// Nearer and farther edge of the band offshore, in kilometres from the coast.
    #[serde(default = "offshore")]
    offshore_km: [f64; 2],
    /// Take the mean annual cycle of each latitude out.
    #[serde(default = "yes")]
    deseasonalise: bool,
    /// On which side of the sea the coast is.
    #[serde(default)]
    coast: CoastArgument,
    /// The years of the cycle; the whole calendar years of the record if absent.
    #[serde(default)]
    baseline: Option<WindowArgument>,
    /// A region inside the field's own.
    #[serde(default)]
    region: Option<RegionArgument>,
    /// A window of the field's times.
    #[serde(default)]
    time: Option<WindowArgument>,
}

fn hundred() -> f64 {
    100.0
}

fn offshore() -> [f64; 2] {
    [500.0, 1000.0]
}

/// On which side of the sea the coast is.
#[derive(Debug, Clone, Copy, Default, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "snake_case")]
enum CoastArgument {
    /// In the east, as off Peru, California, Benguela and the Canaries.
    #[default]
    East,
    /// In the west.
    West,
}

impl Computation for ComputeUpwellingIndexSst {
    const NAME: &'static str = "compute_upwelling_index_sst";
    type Arguments = Arguments;

    fn describe() -> ToolSpec {
        let mut port = any_array("K");
        port.kind = Some(Kind::Hovmoller);
        port.or.push(Kind::Field);
        let names = [&evidence::SERIES[..], &["latitudes", "coastal_cells", "offshore_cells"]].concat();
        ToolSpec::new("dynamics", "Offshore less coastal temperature at each latitude.", port)
            .description(
                "At each latitude and time, the mean temperature between both offshore distances less that within \
                 `coast_width_km` of the coast, along the parallel (R = 6371000 m), cells weighted by width: positive where the \
                 coast is colder, as by upwelling. Land is where no time has a value; the coast is the outermost edge of the \
                 sea with land beyond it on the side that `coast` says, and a latitude without one, or with an empty band, is \
                 missing. With deseasonalise the mean annual cycle of the index at each latitude is taken out, which also \
                 takes its mean out.",
            )
            .evidence(&names)
            .purity(Purity::ReadsData)
    }

    fn run(
        arguments: &Arguments,
        datasets: &Datasets,
        context: &ToolContext,
    ) -> Result<ToolOutput, ToolError> {
        let [near, far] = arguments.offshore_km;
        if near >= far || near < arguments.coast_width_km {
            return Err(ToolError::invalid(format!(
                "offshore_km must be two growing distances beyond coast_width_km ({}), such as [500, 1000]",
                arguments.coast_width_km
            )));
        }
        let part = Part { region: arguments.region.as_ref(), time: arguments.time.as_ref(), depth: None };
        let sst = in_celsius(&part.open_as_is(&arguments.sst, datasets, context)?)?;
        if sst.depths().is_some_and(|axis| axis.values.len() > 1) {
            return Err(ToolError::invalid("sst has several levels; choose depth \"surface\""));
        }
        let axis = axis_of(&sst)?;
        let wet = from_series(&[&sst], context, 1, |_, series, out| {
            out[0] = f64::from(u8::from(series[0].iter().any(|value| !value.is_nan())));
        })?;
        let bands = Bands::of(&sst, &wet.values, arguments)?;
        let (mut index, chunks) = bands.index(&sst, context)?;
        let preparation = Preparation::of(
            &axis,
            arguments.deseasonalise,
            false,
            arguments.baseline.as_ref().map(|w| &w.0),
        )?;
        for mut row in index.lanes_mut(ndarray::Axis(0)) {
            let prepared = preparation.apply(&row.to_vec());
            for (out, value) in row.iter_mut().zip(prepared) {
                *out = value;
            }
        }
        let method = format!(
            "temperature {near} to {far} km off the coast less that within {} km of it{}",
            arguments.coast_width_km,
            preparation.text()
        );
        let quantity = Quantity { name: "upwelling_index", standard_name: None, units: "K", method: &method };
        let frame = Frame::of(&sst)?.without_depth().without_lon();
        let shape = (index.nrows(), 1, index.ncols(), 1);
        let values = Array4::from_shape_vec(shape, index.iter().copied().collect())
            .unwrap_or_else(|_| Array4::from_elem(shape, f64::NAN));
        let count = |name: &str, n: usize, what: &str| EvidenceDraft::new(name, n as u64, "1", what);
        let cells = |band: &Array2<f64>| band.iter().filter(|weight| **weight > 0.0).count();
        let output = quantity.output(&frame, &values).with_evidence([
            count("latitudes", bands.whole, "latitudes with a coast and both bands"),
            count("coastal_cells", cells(&bands.coastal), "cells of the coastal band"),
            count("offshore_cells", cells(&bands.offshore), "cells of the offshore band"),
        ]);
        Ok(read_from(output, &[&sst], &[chunks]).with_notes(preparation.note()))
    }
}

/// Weights of the cells in both bands.
struct Bands {
    coastal: Array2<f64>,
    offshore: Array2<f64>,
    /// Latitudes that have both.
    whole: usize,
}

impl Bands {
    fn of(sst: &Field, wet: &Array4<f64>, arguments: &Arguments) -> Result<Self, ToolError> {
        let (Some(lats), Some(lons)) = (sst.lats(), sst.lons()) else {
            return Err(ToolError::invalid("sst has no latitudes and longitudes; give a map of the coast"));
        };
        let side = match arguments.coast {
            CoastArgument::East => Side::East,
            CoastArgument::West => Side::West,
        };
        let [near, far] = arguments.offshore_km;
        let shape = (lats.values.len(), lons.values.len());
        let (mut coastal, mut offshore, mut whole) = (Array2::zeros(shape), Array2::zeros(shape), 0);
        for (y, lat) in lats.values.iter().enumerate() {
            let row: Vec<bool> = (0..shape.1).map(|x| wet[[0, 0, y, x]] > 0.0).collect();
            let metres = EARTH_RADIUS * RADIANS * libm::cos(lat * RADIANS);
            let Some(distances) = to_coast(&row, &lons.bounds, metres, side) else { continue };
            let mut found = [false; 2];
            for (x, distance) in distances.iter().enumerate().filter(|(x, _)| row[*x]) {
                let (kilometres, width) = (distance / 1000.0, lons.bounds[x][1] - lons.bounds[x][0]);
                if (0.0..=arguments.coast_width_km).contains(&kilometres) {
                    (coastal[[y, x]], found[0]) = (width, true);
                } else if (near..=far).contains(&kilometres) {
                    (offshore[[y, x]], found[1]) = (width, true);
                }
            }
            whole += usize::from(found == [true; 2]);
        }
        if whole == 0 {
            return Err(ToolError::no_data(format!(
                "no latitude of the region has land on the side `coast` says with sea within {} km of it and {near} to {far} km \
                 off; give a region that holds the coast and the open sea, other distances, or the other side",
                arguments.coast_width_km
            )));
        }
        Ok(Self { coastal, offshore, whole })
    }

    /// Offshore less coastal mean at each time and latitude.
    fn index(
        &self,
        sst: &Field,
        context: &ToolContext,
    ) -> Result<(Array2<f64>, ocean_data::field::ChunkTree), ToolError> {
        let [times, ..] = sst.full_shape();
        // Sum and weight of the coastal band, then those of the offshore one.
        let mut sums = vec![[0.0; 4]; times * self.coastal.nrows()];
        let rows = self.coastal.nrows();
        let chunks = sst
            .walk(
                &reading::control(context),
                |block| {
                    let [ot, _, oy, ox] = block.offset;
                    let (nt, _, ny, _) = block.values.dim();
                    let mut parts = vec![[0.0; 4]; nt * ny];
                    for ((t, _, y, x), &own) in block.values.indexed_iter().filter(|(_, own)| !own.is_nan()) {
                        let part = &mut parts[t * ny + y];
                        for (at, band) in [&self.coastal, &self.offshore].into_iter().enumerate() {
                            let weight = band[[oy + y, ox + x]];
                            part[2 * at] += weight * own;
                            part[2 * at + 1] += weight;
                        }
                    }
                    (ot, oy, ny, parts)
                },
                |(ot, oy, ny, parts)| {
                    for (at, part) in parts.iter().enumerate() {
                        let sum = &mut sums[(ot + at / ny) * rows + oy + at % ny];
                        for (sum, part) in sum.iter_mut().zip(part) {
                            *sum += part;
                        }
                    }
                },
            )
            .map_err(|error| reading::cannot_read(&error))?;
        let value = |[coast, near, sea, far]: [f64; 4]| {
            if near > 0.0 && far > 0.0 { sea / far - coast / near } else { f64::NAN }
        };
        Ok((Array2::from_shape_fn((times, rows), |(t, y)| value(sums[t * rows + y])), chunks))
    }
}
