//! Draws pictures of each kind into a folder, from invented values, to look at after a change:
//! `cargo run -p ocean-chart --example gallery -- FOLDER [NAME]`
//!
//! With a name only the pictures whose name holds it. Awkward values are among them: one cell of many, constants,
//! tiny numbers, long titles, the date line, poles.

use std::{error::Error, path::Path};

use ocean_chart::{ChartError, to_png};

#[path = "gallery/charts.rs"]
mod charts;
#[path = "gallery/fields.rs"]
mod fields;
#[path = "gallery/maps.rs"]
mod maps;
#[path = "gallery/values.rs"]
mod values;

/// A picture: its name and what draws it.
type Picture = (&'static str, fn() -> Result<String, ChartError>);

fn main() -> Result<(), Box<dyn Error>> {
    let folder = std::env::args_os().nth(1).ok_or("name a folder: gallery FOLDER [NAME]")?;
    let wanted = std::env::args().nth(2).unwrap_or_default();
    let folder = Path::new(&folder);
    std::fs::create_dir_all(folder)?;
    let all = [maps::PICTURES, fields::PICTURES, charts::PICTURES].concat();
    for (name, draw) in all.into_iter().filter(|(name, _)| name.contains(&wanted)) {
        let svg = draw().map_err(|error| format!("{name}: {error}"))?;
        std::fs::write(folder.join(format!("{name}.png")), to_png(&svg, 1000)?)?;
        std::fs::write(folder.join(format!("{name}.svg")), svg)?;
    }
    Ok(())
}
