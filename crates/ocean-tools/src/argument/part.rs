//! Parts of a selection as arguments of their own.

use std::borrow::Cow;

use ocean_data::field::{Depth, Region, TimeWindow};
use schemars::{JsonSchema, Schema, SchemaGenerator};
use serde::{Deserialize, Deserializer};
use serde_json::Value;

/// A newtype of a part of a selection, with its JSON form and schema.
macro_rules! part {
    ($(#[$doc:meta])* $name:ident, $inner:ty, $pointer:literal) => {
        $(#[$doc])*
        #[derive(Debug, Clone, PartialEq)]
        pub(crate) struct $name(pub(crate) $inner);

        impl<'de> Deserialize<'de> for $name {
            fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
                let value = Value::deserialize(deserializer)?;
                <$inner>::from_json(&value, $pointer).map(Self).map_err(serde::de::Error::custom)
            }
        }

        impl JsonSchema for $name {
            fn inline_schema() -> bool {
                true
            }

            fn schema_name() -> Cow<'static, str> {
                stringify!($name).into()
            }

            fn json_schema(_: &mut SchemaGenerator) -> Schema {
                Schema::try_from(<$inner>::json_schema()).unwrap_or_default()
            }
        }
    };
}

part!(
    /// A region.
    RegionArgument,
    Region,
    "/region"
);
part!(
    /// Two dates, both inclusive.
    WindowArgument,
    TimeWindow,
    "/time"
);
part!(
    /// A choice of depth.
    DepthArgument,
    Depth,
    "/depth"
);
