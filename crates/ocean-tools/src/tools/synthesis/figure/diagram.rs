//! Diagrams of two quantities: temperature against salinity with lines of density, else a scatter diagram.

use leg_core::{ToolError, Variable};
use ocean_chart::{Density, FittedLine, ScatterSpec, TsCast, TsSpec};
use serde_json::Value;

use super::histogram;
use super::source::{Source, drawn, numbers, people};

/// Draws a diagram.
pub(super) fn draw(source: &Source<'_>) -> Result<String, ToolError> {
    let all = &source.artifact.variables;
    let is_of = |words: &[&str], variable: &&Variable| {
        let standard = variable.standard_name.as_deref().unwrap_or(&variable.name);
        words.iter().any(|word| standard.contains(word) || variable.name == *word)
    };
    let flat = || all.iter().filter(|variable| variable.dims.len() == 1);
    let salinity = flat().find(|variable| is_of(&["salinity", "salt", "so"], variable));
    let temperature = flat().find(|variable| is_of(&["temperature", "temp", "thetao"], variable));
    if let (Some(salinity), Some(temperature)) = (salinity, temperature)
        && salinity.values.len() == temperature.values.len()
    {
        return ts(source, salinity, temperature);
    }
    if source.main()?.dims.len() == 2 {
        return histogram::draw(source);
    }
    scatter(source)
}

fn ts(source: &Source<'_>, salinity: &Variable, temperature: &Variable) -> Result<String, ToolError> {
    let count = salinity.values.len();
    let artifact = source.artifact;
    let depth = source.named(&["depth", "color", "colour"], count).map(|variable| variable.values.clone());
    let depth = depth
        .or_else(|| artifact.coords.get("depth").filter(|coord| coord.values.len() == count).map(numbers));
    let depth = depth.unwrap_or_default();
    let colour = source.named(&["color", "colour"], count);
    let colour_label = colour.map_or_else(|| "depth".to_owned(), |variable| people(&variable.name));
    let colour_units = colour.map_or_else(|| "m".to_owned(), |variable| variable.units.clone());
    // Densities on a grid of temperature and salinity, with coordinates of their own.
    let grid = artifact.variables.iter().find(|variable| {
        variable.dims.len() == 2
            && ["sigma", "density", "rho"].iter().any(|word| variable.name.contains(word))
    });
    let sides = grid.and_then(|grid| {
        let side = |dim: &String| artifact.coords.get(dim).map(numbers);
        Some((side(&grid.dims[0])?, side(&grid.dims[1])?))
    });
    let is_salinity_first = grid.is_some_and(|grid| grid.dims[0].contains("sal"));
    let values = grid.and_then(|grid| {
        let [first, second] = [grid.dims[0].as_str(), grid.dims[1].as_str()];
        super::take::take(grid, &if is_salinity_first { [second, first] } else { [first, second] }, 0)
    });
    let density = match (&sides, &values) {
        (Some((first, second)), Some(values)) => {
            let (temperature, salinity) = if is_salinity_first { (second, first) } else { (first, second) };
            Density::Grid { salinity, temperature, values }
        }
        _ => Density::None,
    };
    let name = |variable: &Variable| {
        people(variable.standard_name.as_deref().unwrap_or(&variable.name)).replace("sea water ", "")
    };
    let cast = TsCast {
        label: "",
        salinity: &salinity.values,
        temperature: &temperature.values,
        colour_values: &depth,
        is_joined: false,
    };
    drawn(
        TsSpec {
            title: &source.look.title,
            subtitle: &source.subtitle(),
            salinity_label: &name(salinity),
            salinity_units: &salinity.units,
            temperature_label: &name(temperature),
            temperature_units: &temperature.units,
            casts: &[cast],
            colour_label: &colour_label,
            colour_units: &colour_units,
            density,
            ..TsSpec::default()
        }
        .to_svg(),
    )
}

fn scatter(source: &Source<'_>) -> Result<String, ToolError> {
    let main = source.main()?;
    let count = main.values.len();
    let same = |variable: &&Variable| variable.values.len() == count && variable.dims == main.dims;
    let mut same = source.artifact.variables.iter().filter(same);
    let (Some(x), Some(y)) = (same.next(), same.next()) else {
        return Err(source.lacks("two arrays along one axis"));
    };
    let colour = same.next();
    let number = |key: &str| source.fact(key).and_then(Value::as_f64);
    let label = [("slope", "slope"), ("r", "r"), ("correlation", "r"), ("n", "n")]
        .iter()
        .filter_map(|(key, name)| Some(format!("{name} {:.3}", number(key)?)))
        .collect::<Vec<_>>()
        .join(", ");
    let fit = number("slope").zip(number("intercept"));
    let fit = fit.map(|(slope, intercept)| FittedLine { slope, intercept, label: &label });
    let colour_label = colour.map(|variable| people(&variable.name)).unwrap_or_default();
    drawn(
        ScatterSpec {
            title: &source.look.title,
            subtitle: &source.subtitle(),
            x_label: &people(&x.name),
            x_units: &x.units,
            y_label: &people(&y.name),
            y_units: &y.units,
            x: &x.values,
            y: &y.values,
            colour_values: colour.map_or(&[][..], |variable| variable.values.as_slice()),
            colour_label: &colour_label,
            colour_units: colour.map_or("", |variable| &variable.units),
            colours: colour.map(|variable| source.colours(variable)).unwrap_or_default(),
            fit,
            has_identity: x.units == y.units && fit.is_none(),
        }
        .to_svg(),
    )
}
