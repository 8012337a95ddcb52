//! Recorded tiles.

use leg_fetch::Response;

use super::asked::Asked;
use super::{Recorded, whole};

pub(super) fn answer(recorded: &Recorded, asked: &Asked<'_>) -> Option<Response> {
    let name = |path: &str| path.trim_end_matches(".png").trim_matches('/').to_owned();
    recorded.of("osm").into_iter().find(|own| name(&own.path) == name(asked.path)).map(whole)
}
