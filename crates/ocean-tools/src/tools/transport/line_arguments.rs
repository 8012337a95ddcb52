//! The arguments that every transport through a line takes.

/// Defines `Arguments` of these and further members, and `Arguments::asked`.
macro_rules! line_arguments {
    ($(#[$doc:meta])* { $($own:tt)* }) => {
        $(#[$doc])*
        #[derive(Debug, serde::Deserialize, schemars::JsonSchema)]
        #[serde(deny_unknown_fields)]
        pub(crate) struct Arguments {
            /// Eastward current; a line along a parallel does without.
            #[serde(default)]
            #[schemars(extend("x-leg-port" = {"kind": "field", "dims": ["time?", "depth?", "lat", "lon"], "unit": "m s-1"}))]
            u: Option<crate::argument::FieldArgument>,
            /// Northward current; a line along a meridian does without.
            #[serde(default)]
            #[schemars(extend("x-leg-port" = {"kind": "field", "dims": ["time?", "depth?", "lat", "lon"], "unit": "m s-1"}))]
            v: Option<crate::argument::FieldArgument>,
            $($own)*
            /// Places `[lon, lat]` of the line, two or more.
            transect_points: Vec<[f64; 2]>,
            /// A window of the fields' times.
            #[serde(default)]
            time: Option<crate::argument::WindowArgument>,
            /// Depths between which the water is counted: {"range": [0, 200]}.
            #[serde(default)]
            depth: Option<crate::argument::DepthArgument>,
            /// Pieces of a line that follows no meridian or parallel.
            #[serde(default = "crate::tools::transport::section_flow::samples")]
            #[schemars(range(min = 1, max = 100_000))]
            n_samples: usize,
            /// The positive direction.
            #[serde(default)]
            positive: crate::tools::transport::section_flow::Positive,
        }

        impl Arguments {
            fn asked(&self) -> crate::tools::transport::section_flow::Asked<'_> {
                crate::tools::transport::section_flow::Asked {
                    u: self.u.as_ref(),
                    v: self.v.as_ref(),
                    points: &self.transect_points,
                    time: self.time.as_ref(),
                    depth: self.depth.as_ref(),
                    samples: self.n_samples,
                    positive: self.positive,
                }
            }
        }
    };
}

pub(super) use line_arguments;
