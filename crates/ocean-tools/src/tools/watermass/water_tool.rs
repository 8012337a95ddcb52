//! What the tools that need temperature and salinity alone share.

use leg_core::{Kind, Port, ToolContext, ToolError, ToolOutput};

use crate::Datasets;
use crate::columns::{ColumnView, KINDS, Levels, Quantity};
use crate::water::{WaterArguments, WaterColumn};

/// Makes a tool of a function on columns of sea water: its type, name, summary, description and [`WaterResult`].
macro_rules! water_tool {
    ($(#[$doc:meta])* $type:ident, $name:literal, $summary:literal, $description:literal, $result:expr) => {
        $(#[$doc])*
        #[derive(Debug)]
        pub(crate) struct $type;

        impl crate::computation::Computation for $type {
            const NAME: &'static str = $name;
            type Arguments = crate::water::WaterArguments;

            fn describe() -> leg_core::ToolSpec {
                let result: WaterResult = $result;
                leg_core::ToolSpec::new("watermass", $summary, super::water_tool::port(result.quantities[0].1))
                    .description($description)
                    .evidence(&crate::evidence::MAP)
                    .purity(leg_core::Purity::ReadsData)
            }

            fn run(
                arguments: &Self::Arguments,
                datasets: &crate::Datasets,
                context: &leg_core::ToolContext,
            ) -> Result<leg_core::ToolOutput, leg_core::ToolError> {
                super::water_tool::run(arguments, datasets, context, &$result)
            }
        }
    };
}

pub(super) use water_tool;

/// What a tool makes of a column.
#[derive(Debug)]
pub(super) struct WaterResult {
    /// The levels of the result.
    pub(super) levels: Levels,
    /// Names, units and whether the names are standard names.
    pub(super) quantities: &'static [(&'static str, &'static str, bool)],
    /// How it is called in evidence.
    pub(super) method: &'static str,
    /// As many lists as quantities.
    pub(super) column: fn(&ColumnView<'_>, &WaterColumn) -> Vec<Vec<f64>>,
}

/// A port for any field of water.
pub(in crate::tools) fn port(unit: &str) -> Port {
    Port { or: KINDS.to_vec(), ..Port::of(Kind::Field) }.unit(unit)
}

/// Computes and reports.
pub(super) fn run(
    arguments: &WaterArguments,
    datasets: &Datasets,
    context: &ToolContext,
    result: &WaterResult,
) -> Result<ToolOutput, ToolError> {
    let water = arguments.open(vec![], datasets, context)?;
    if result.levels == Levels::Between {
        water.columns.need_levels(2)?;
    }
    let computed = water.columns.compute(context, &result.levels, result.quantities.len(), |view| {
        (result.column)(view, &water.column(view))
    })?;
    let quantities: Vec<Quantity> = result
        .quantities
        .iter()
        .map(
            |&(name, units, is_standard)| {
                if is_standard { Quantity::standard(name, units) } else { Quantity::new(name, units) }
            },
        )
        .collect();
    water.columns.output(&result.levels, &quantities, &computed, result.method, water.notes.clone())
}
