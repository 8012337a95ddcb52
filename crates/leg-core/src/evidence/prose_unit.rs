//! How units are written in prose: `degC (10 year)-1` in data is "°C per decade" in a sentence.

use super::unit::Unit;
use super::unit_table::{RATES, WRITTEN};

/// CF units as prose writes them; units without a usual spelling stay as they are.
///
/// ```
/// assert_eq!(leg_core::evidence::prose_unit("degC (10 year)-1"), "°C per decade");
/// assert_eq!(leg_core::evidence::prose_unit("mmol m-3"), "mmol/m³");
/// assert_eq!(leg_core::evidence::prose_unit("1"), "");
/// ```
pub fn prose_unit(cf: &str) -> String {
    let rate = RATES.iter().find_map(|(unit, prose)| {
        let base = cf.strip_suffix(unit)?;
        (base.is_empty() || base.ends_with(' ')).then(|| (base.trim_end(), *prose))
    });
    // "cm day-1" is written as a rate, "m s-1" as a unit of its own.
    let (base, per) = rate.unwrap_or((cf, ""));
    format!("{}{per}", written(base))
}

fn written(cf: &str) -> &str {
    if matches!(cf, "" | "1") {
        return "";
    }
    let exact = WRITTEN.iter().find(|(unit, _)| *unit == cf);
    let same = || {
        let unit = Unit::from_cf(cf)?;
        // Of two units of one worth, such as hPa and mb, the data's own stays when it has no other spelling.
        WRITTEN.iter().find(|(other, _)| {
            Unit::from_cf(other).is_some_and(|other| other.is_same(&unit) && other.axis == unit.axis)
        })
    };
    exact.or_else(same).map_or(cf, |(_, prose)| *prose)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_we_write_is_read_back() {
        for (cf, _) in WRITTEN {
            for (rate, _) in
                RATES.iter().map(|(rate, prose)| (format!(" {rate}"), prose)).chain([(String::new(), &"")])
            {
                let unit = format!("{cf}{rate}");
                let text = format!(" {}.", prose_unit(&unit));
                let known = Unit::from_cf(&unit).unwrap_or_else(|| panic!("{unit} is no unit"));
                let (read, length) = Unit::at(&text).unwrap_or_else(|| panic!("{text} is not read"));
                assert!(read.is_same(&known), "{unit} as {text}: {read:?}, {known:?}");
                assert_eq!(length, text.len() - 1, "{text}");
            }
        }
    }
}
