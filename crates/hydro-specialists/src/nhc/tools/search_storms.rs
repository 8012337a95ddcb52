//! `nhc_search_storms`: storms of the archive by name, season, basin and wind.

use async_trait::async_trait;
use leg_core::{DataClass, EvidenceDraft, Kind, Port, ToolContext, ToolOutput, ToolSpec};
use schemars::JsonSchema;
use serde::Deserialize;
use serde_json::json;

use super::storm_argument::{Basin, place};
use crate::ServiceError;
use crate::nhc::client::Ocean;
use crate::nhc::track::shown;
use crate::nhc::{Client, Track, saffir_simpson};
use crate::prose::table;
use crate::tool::ServiceTool;

/// The most storms with evidence of their own.
const MOST: usize = 40;

/// Storms of the archive.
#[derive(Debug, Clone, Copy)]
pub(crate) struct SearchStorms;

/// The arguments of [`SearchStorms`].
#[derive(Debug, Clone, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub(crate) struct Arguments {
    /// A part of the name, in any letter case.
    #[serde(default)]
    name: Option<String>,
    /// Season.
    #[serde(default)]
    year: Option<i32>,
    /// Basin: al, ep or cp.
    #[serde(default)]
    basin: Option<Basin>,
    /// Least peak wind, in knots.
    #[serde(default)]
    min_wind: Option<i32>,
    /// Most rows.
    #[serde(default = "fifty")]
    limit: u32,
}

const fn fifty() -> u32 {
    50
}

#[async_trait]
impl ServiceTool for SearchStorms {
    const NAME: &'static str = "nhc_search_storms";

    type Client = Client;
    type Arguments = Arguments;

    fn describe(client: &Client) -> ToolSpec {
        let mut names: Vec<String> = [
            "n_found",
            "n_hurricanes",
            "n_major",
            "strongest_wind",
            "strongest_name",
            "lowest_pressure",
            "storms",
            "no_data",
        ]
        .map(str::to_owned)
        .to_vec();
        names.extend((1..=MOST).map(|number| format!("found_{number}_id")));
        let names: Vec<&str> = names.iter().map(String::as_str).collect();
        ToolSpec::new("nhc", "Storms of the HURDAT2 archive by name, season, basin and wind.", Port::of(Kind::Table))
            .description(
                "At least one filter is required. Names repeat over the seasons and many early storms are UNNAMED: go on with \
                 the ids. Without a basin, both archives are read: Atlantic, Northeast and Central Pacific. Peak winds in \
                 knots, lowest pressures in hPa where the archive has some.",
            )
            .evidence(&names)
            .data_class(DataClass::Observation)
            .hosts(&[client.pages_host()])
    }

    async fn run(
        arguments: Self::Arguments,
        client: &Client,
        context: &ToolContext,
    ) -> Result<ToolOutput, ServiceError> {
        let name = arguments.name.as_deref().map(str::trim).filter(|name| !name.is_empty());
        let name = name.map(str::to_uppercase);
        if name.is_none()
            && arguments.year.is_none()
            && arguments.basin.is_none()
            && arguments.min_wind.is_none()
        {
            let message = "no filter is given; give at least one of `name`, `year`, `basin`, `min_wind`";
            return Err(ServiceError::BadArgument(message.to_owned()));
        }
        let oceans = match arguments.basin {
            Some(basin) => vec![Ocean::of(basin.as_str())],
            None => vec![Ocean::Atlantic, Ocean::Pacific],
        };
        let (mut tracks, mut sources, mut notes) = (Vec::new(), Vec::new(), Vec::new());
        let mut failure = None;
        let wanted = oceans.len();
        let mut failed = 0;
        for ocean in oceans {
            match client.archive(ocean, context).await {
                Ok((own, from)) => {
                    tracks.extend(own);
                    sources.extend(from);
                }
                Err(ServiceError::Tool(error)) => return Err(ServiceError::Tool(error)),
                Err(error) => {
                    notes.push(format!("the archive of the {} could not be read: {error}", ocean.as_str()));
                    failure = Some(error);
                    failed += 1;
                }
            }
        }
        if let Some(error) = failure.filter(|_| failed == wanted) {
            return Err(error);
        }
        let fits = |track: &Track| {
            let peak = track.peak().map_or(0.0, |(_, wind)| wind);
            name.as_ref().is_none_or(|name| track.name.to_uppercase().contains(name.as_str()))
                && arguments.year.is_none_or(|year| i32::from(track.id.season) == year)
                && arguments.basin.is_none_or(|basin| track.id.basin == basin.as_str())
                && arguments.min_wind.is_none_or(|least| peak >= f64::from(least))
        };
        let mut found: Vec<&Track> = tracks.iter().filter(|track| fits(track)).collect();
        // The same storm twice would be counted twice.
        found.sort_by(|a, b| (a.id.season, &a.id).cmp(&(b.id.season, &b.id)));
        found.dedup_by(|a, b| a.id == b.id);
        let limit = usize::try_from(arguments.limit.max(1)).unwrap_or(usize::MAX);
        if found.len() > limit {
            notes.push(format!(
                "{} storms fit and the first {limit} are listed; raise `limit` for all",
                found.len()
            ));
        }
        let columns = ["id", "name", "year", "peak_wind", "min_pressure", "category", "points"];
        let rows = found.iter().take(limit).map(|track| {
            let peak = track.peak().map(|(_, wind)| wind);
            json!([
                track.id.to_string(),
                track.name,
                track.id.season,
                peak,
                track.deepest().map(|(_, pressure)| pressure),
                peak.map(saffir_simpson),
                track.points.len(),
            ])
        });
        let artifact =
            table("storms", &columns, rows.collect(), &[("peak_wind", "knot"), ("min_pressure", "hPa")]);
        let mut output =
            ToolOutput::of(artifact).with_evidence(evidence(&found, &arguments)).with_notes(notes);
        output.sources = sources;
        Ok(output)
    }
}

fn evidence(found: &[&Track], arguments: &Arguments) -> Vec<EvidenceDraft> {
    let mut what = "storms of the archive".to_owned();
    if let Some(year) = arguments.year {
        what = format!("{what} of the season {year}");
    }
    if let Some(least) = arguments.min_wind {
        what = format!("{what} with a peak wind of at least {least} knots");
    }
    let season = |draft: EvidenceDraft| match arguments.year {
        Some(year) => draft.when(format!("{year:04}")),
        None => draft,
    };
    let count =
        |name: &str, value: usize, method: String| season(EvidenceDraft::new(name, value, "1", &method));
    let of = |least: u8| {
        found
            .iter()
            .filter(|track| track.peak().is_some_and(|(_, wind)| saffir_simpson(wind) >= least))
            .count()
    };
    let mut out = vec![
        count("n_found", found.len(), format!("number of {what}")),
        count("n_hurricanes", of(1), format!("hurricanes among the {what}")),
        count("n_major", of(3), format!("major hurricanes, of category 3 and more, among the {what}")),
    ];
    if found.is_empty() {
        let text = "No storm of the archive fits.";
        out.push(EvidenceDraft::new("no_data", text, "", "search in HURDAT2"));
        return out;
    }
    let listed: Vec<String> = found
        .iter()
        .take(MOST)
        .map(|track| format!("{} ({})", shown(&track.name).unwrap_or_else(|| "unnamed".to_owned()), track.id))
        .collect();
    out.push(season(EvidenceDraft::new(
        "storms",
        listed.join(", "),
        "",
        "names and ids of the storms that fit",
    )));
    for (number, track) in (1..=MOST).zip(found) {
        let draft = EvidenceDraft::new(
            &format!("found_{number}_id"),
            track.id.to_string(),
            "",
            "id of a storm that fits",
        );
        out.push(draft.place(place(&track.shown_name(), &track.id, None)));
    }
    let strongest = found.iter().filter_map(|track| Some((*track, track.peak()?))).fold(
        None,
        |best: Option<(&Track, (&crate::nhc::Point, f64))>, next| match best {
            Some(own) if next.1.1 <= own.1.1 => Some(own),
            _ => Some(next),
        },
    );
    if let Some((track, (point, wind))) = strongest {
        let spot = place(&track.shown_name(), &track.id, Some((point.lat, point.lon)));
        let draft = |name: &str, value: serde_json::Value, unit: &str, method: &str| {
            EvidenceDraft::new(name, value, unit, method).when(format!("{}Z", point.time)).place(spot.clone())
        };
        out.push(draft(
            "strongest_wind",
            json!(wind),
            "knot",
            "greatest sustained wind of the storms that fit",
        ));
        out.push(draft(
            "strongest_name",
            json!(track.shown_name()),
            "",
            "name of the strongest storm that fits",
        ));
    }
    let deepest = found.iter().filter_map(|track| Some((*track, track.deepest()?))).fold(
        None,
        |best: Option<(&Track, (&crate::nhc::Point, f64))>, next| match best {
            Some(own) if next.1.1 >= own.1.1 => Some(own),
            _ => Some(next),
        },
    );
    if let Some((track, (point, pressure))) = deepest {
        let spot = place(&track.shown_name(), &track.id, Some((point.lat, point.lon)));
        let draft = EvidenceDraft::new(
            "lowest_pressure",
            pressure,
            "hPa",
            "lowest central pressure of the storms that fit",
        );
        out.push(draft.when(format!("{}Z", point.time)).place(spot));
    }
    out
}
