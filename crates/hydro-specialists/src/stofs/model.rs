//! [`Model`], [`Product`]: what there is, how its files are named, and what its levels are above.

use jiff::civil::Date;
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use super::cycle::Cycle;

/// A model.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, Serialize, Deserialize, JsonSchema)]
pub(crate) enum Model {
    /// STOFS-2D-Global.
    #[default]
    #[serde(rename = "2d_global")]
    Global2d,
    /// STOFS-3D-Atlantic.
    #[serde(rename = "3d_atlantic")]
    Atlantic3d,
}

impl Model {
    /// The name of the model.
    pub(crate) const fn title(self) -> &'static str {
        match self {
            Self::Global2d => "STOFS-2D-Global",
            Self::Atlantic3d => "STOFS-3D-Atlantic",
        }
    }

    /// The hours of its cycles, newest first.
    pub(crate) const fn hours(self) -> &'static [i8] {
        match self {
            Self::Global2d => &[18, 12, 6, 0],
            Self::Atlantic3d => &[12],
        }
    }

    /// What the levels at stations are above. What the files themselves say of it is wrong.
    pub(crate) const fn station_datum(self) -> &'static str {
        match self {
            Self::Global2d => "LMSL",
            Self::Atlantic3d => "NAVD88",
        }
    }

    /// What precedes the date in the name of a folder.
    pub(crate) const fn folder_prefix(self) -> &'static str {
        match self {
            Self::Global2d => "stofs_2d_glo.",
            Self::Atlantic3d => "STOFS-3D-Atl/stofs_3d_atl.",
        }
    }

    /// The folder of a day.
    pub(crate) fn folder(self, date: Date) -> String {
        format!("{}{}/", self.folder_prefix(), date.strftime("%Y%m%d"))
    }

    /// The file of a cycle, such as `points.cwl.nc`.
    pub(crate) fn key(self, cycle: Cycle, file: &str) -> String {
        let name = match self {
            Self::Global2d => "stofs_2d_glo",
            Self::Atlantic3d => "stofs_3d_atl",
        };
        format!("{}{name}.t{:02}z.{file}", self.folder(cycle.date), cycle.hour)
    }

    /// The hour of a cycle and the file, from a key.
    pub(crate) fn parts(key: &str) -> Option<(i8, &str)> {
        let name = key.rsplit('/').next()?;
        let (_, rest) = name.split_once(".t")?;
        let (hour, file) = rest.split_once("z.")?;
        let hour = hour.parse().ok().filter(|hour| (0..24).contains(hour))?;
        Some((hour, file))
    }

    /// The day of a folder or a key.
    pub(crate) fn date(self, key: &str) -> Option<Date> {
        let digits = key.strip_prefix(self.folder_prefix())?.get(..8)?;
        let number = |part: &str| part.parse::<i16>().ok();
        let day = |part: &str| part.parse::<i8>().ok();
        Date::new(number(digits.get(..4)?)?, day(digits.get(4..6)?)?, day(digits.get(6..)?)?).ok()
    }
}

/// What is forecast.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "snake_case")]
pub(crate) enum Product {
    /// Tide and surge together.
    #[default]
    Cwl,
    /// The tide alone.
    Htp,
    /// The surge alone.
    Swl,
}

impl Product {
    /// The name in a file's name.
    pub(crate) const fn as_str(self) -> &'static str {
        match self {
            Self::Cwl => "cwl",
            Self::Htp => "htp",
            Self::Swl => "swl",
        }
    }

    /// What it is, in words.
    pub(crate) const fn words(self) -> &'static str {
        match self {
            Self::Cwl => "water level",
            Self::Htp => "tide level",
            Self::Swl => "storm surge",
        }
    }
}

/// What the levels on the mesh are above.
pub(crate) const FIELD_DATUM: &str = "GMSL";

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn keys_and_their_parts_agree() {
        let cycle = Cycle { date: Date::new(2026, 2, 21).unwrap(), hour: 6 };
        let key = Model::Global2d.key(cycle, "points.cwl.nc");
        assert_eq!(key, "stofs_2d_glo.20260221/stofs_2d_glo.t06z.points.cwl.nc");
        assert_eq!(Model::parts(&key), Some((6, "points.cwl.nc")));
        assert_eq!(Model::Global2d.date(&key), Some(cycle.date));
        let key = Model::Atlantic3d.key(cycle, "points.cwl.nc");
        assert_eq!(key, "STOFS-3D-Atl/stofs_3d_atl.20260221/stofs_3d_atl.t06z.points.cwl.nc");
        assert_eq!(Model::Atlantic3d.date(&key), Some(cycle.date));
        for bad in
            ["", "stofs_2d_glo.2026", "stofs_2d_glo.20261340/", "x.t99z.a", "x.txz", "stofs_2d_glo.2026é221/"]
        {
            assert_eq!(Model::Global2d.date(bad).map(|date| date.to_string()), None, "{bad}");
            assert_eq!(Model::parts(bad), None, "{bad}");
        }
    }
}
