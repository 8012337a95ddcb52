//! [`Kind`]: the closed list of what a tool can return.

use serde::{Deserialize, Serialize};

/// What an artifact is.
///
/// ```
/// use leg_core::Kind;
///
/// assert_eq!(Kind::from_name("series"), Some(Kind::Series));
/// assert_eq!(Kind::Series.to_string(), "series");
/// assert_eq!(Kind::from_name("spreadsheet"), None);
/// ```
#[derive(
    Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize, schemars::JsonSchema,
)]
#[serde(rename_all = "snake_case")]
pub enum Kind {
    /// A dataset as a whole.
    Dataset,
    /// A lazy variable with a selection: (time, depth, lat, lon), some of them absent.
    Field,
    /// Values on (lat, lon).
    Map,
    /// Values along time.
    Series,
    /// Values along depth.
    Profile,
    /// Values along depth and distance.
    Section,
    /// Values along time and one space axis.
    Hovmoller,
    /// True or false on a grid.
    Mask,
    /// Values for each month, season or day of the year.
    Climatology,
    /// Detected events.
    Events,
    /// Modes and their time series.
    Eof,
    /// Power along frequency.
    Spectrum,
    /// Counts in bins.
    Histogram,
    /// A diagram of two variables, such as temperature against salinity.
    Diagram,
    /// A few named numbers of one statistic.
    Statistic,
    /// One number.
    Scalar,
    /// Rows and columns.
    Table,
    /// Plain text.
    Text,
    /// A report.
    Report,
    /// A picture, by its specification.
    Figure,
    /// A file.
    File,
}

impl Kind {
    /// All kinds, in the order of the list.
    pub const ALL: [Self; 21] = [
        Self::Dataset,
        Self::Field,
        Self::Map,
        Self::Series,
        Self::Profile,
        Self::Section,
        Self::Hovmoller,
        Self::Mask,
        Self::Climatology,
        Self::Events,
        Self::Eof,
        Self::Spectrum,
        Self::Histogram,
        Self::Diagram,
        Self::Statistic,
        Self::Scalar,
        Self::Table,
        Self::Text,
        Self::Report,
        Self::Figure,
        Self::File,
    ];

    /// The name in JSON.
    pub const fn as_str(self) -> &'static str {
        match self {
            Self::Dataset => "dataset",
            Self::Field => "field",
            Self::Map => "map",
            Self::Series => "series",
            Self::Profile => "profile",
            Self::Section => "section",
            Self::Hovmoller => "hovmoller",
            Self::Mask => "mask",
            Self::Climatology => "climatology",
            Self::Events => "events",
            Self::Eof => "eof",
            Self::Spectrum => "spectrum",
            Self::Histogram => "histogram",
            Self::Diagram => "diagram",
            Self::Statistic => "statistic",
            Self::Scalar => "scalar",
            Self::Table => "table",
            Self::Text => "text",
            Self::Report => "report",
            Self::Figure => "figure",
            Self::File => "file",
        }
    }

    /// The kind with this name.
    pub fn from_name(name: &str) -> Option<Self> {
        Self::ALL.into_iter().find(|kind| kind.as_str() == name)
    }
}

impl std::fmt::Display for Kind {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str(self.as_str())
    }
}

#[cfg(test)]
mod tests {
    use super::Kind;

    #[test]
    fn names_are_those_of_the_json() {
        for kind in Kind::ALL {
            assert_eq!(serde_json::to_value(kind).unwrap(), kind.as_str());
            assert_eq!(Kind::from_name(kind.as_str()), Some(kind));
        }
    }
}
