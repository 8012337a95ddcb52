//! `coops_convert_datum`: a level above another datum of the same station.

use async_trait::async_trait;
use leg_core::{DataClass, EvidenceDraft, Kind, Port, ToolContext, ToolOutput, ToolSpec};
use schemars::JsonSchema;
use serde::Deserialize;
use serde_json::json;

use crate::coops::Client;
use crate::coops::wire::DatumTable;
use crate::gauge::{place, table, to_millis};
use crate::tool::ServiceTool;
use crate::{Datum, ServiceError, StationId, Units};

/// A level above another datum of the same station.
#[derive(Debug, Clone, Copy)]
pub struct ConvertDatum;

/// The arguments of [`ConvertDatum`].
#[derive(Debug, Clone, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct ConvertDatumArguments {
    /// 7 digits, such as `8518750`.
    pub station_id: StationId,
    /// The level, in metres above `from`; in feet when `units` is `english`.
    pub value: f64,
    /// The datum that the level is above.
    pub from: Datum,
    /// The datum that it shall be above.
    pub to: Datum,
    /// Unit system of the level.
    #[serde(default)]
    pub units: Units,
}

#[async_trait]
impl ServiceTool for ConvertDatum {
    const NAME: &'static str = "coops_convert_datum";

    type Client = Client;
    type Arguments = ConvertDatumArguments;

    fn describe(client: &Client) -> ToolSpec {
        ToolSpec::new("coops", "Converts a level between two datums of one station.", Port::of(Kind::Table))
            .description(
                "value above `to` = value above `from` + `from` - `to`, both datums above station datum by the \
                 station's datum table. Datums that the station does not have are refused with those that it has.",
            )
            .evidence(&["value", "given", "offset"])
            .data_class(DataClass::Observation)
            .hosts(&[client.host()])
    }

    async fn run(
        arguments: Self::Arguments,
        client: &Client,
        context: &ToolContext,
    ) -> Result<ToolOutput, ServiceError> {
        let ConvertDatumArguments { station_id: station, value, from, to, units } = arguments;
        if !value.is_finite() {
            return Err(ServiceError::BadArgument("`value` is no level; give a finite number".to_owned()));
        }
        let (datums, source) = client.datums(&station, units, context).await?;
        let unit = units.length();
        let offset =
            scaled(&datums, units) * (height(&datums, from, &station)? - height(&datums, to, &station)?);
        let converted = to_millis(value + offset);
        let place = place(station.as_str(), "", None, None);
        let draft = |name: &str, value: f64, method: &str| {
            EvidenceDraft::new(name, value, unit, method).place(place.clone())
        };
        let method = format!("level above {from} converted to {to} by the station's datum table");
        let evidence = vec![
            draft("value", converted, &method).datum(to.as_str()),
            draft("given", value, "level that was given").datum(from.as_str()),
            draft("offset", to_millis(offset), &format!("difference: {from} above {to}")),
        ];
        let columns = [("from", ""), ("given", unit), ("to", ""), ("value", unit), ("offset", unit)];
        let row = vec![json!(from), json!(value), json!(to), json!(converted), json!(to_millis(offset))];
        let artifact = table("level", &columns, &[row]).with_attribute("station", station.as_str());
        let mut output = ToolOutput::of(artifact).with_evidence(evidence);
        output.sources = vec![source];
        Ok(output)
    }
}

/// What turns the table's unit into the one that was asked for.
fn scaled(datums: &DatumTable, units: Units) -> f64 {
    match (datums.unit(), units) {
        ("ft", Units::Metric) => 0.3048,
        ("m", Units::English) => 1.0 / 0.3048,
        _ => 1.0,
    }
}

fn height(datums: &DatumTable, datum: Datum, station: &StationId) -> Result<f64, ServiceError> {
    datums.get(datum).ok_or_else(|| {
        let mut known: Vec<Datum> = datums.names().filter_map(Datum::from_name).collect();
        if !known.contains(&Datum::Stnd) {
            known.push(Datum::Stnd);
        }
        let names: Vec<&str> = known.into_iter().map(Datum::as_str).collect();
        ServiceError::NotFound(format!(
            "station `{station}` has no `{datum}` datum; convert between: {}",
            names.join(", ")
        ))
    })
}
