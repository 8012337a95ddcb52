//! The tools of the specialist: a file each.

mod bfe_lines;
mod check_coverage;
mod coastal_limits;
mod firm_panel;
mod map_image;
mod parts;
mod service_info;
mod zone_at_point;
mod zones_in_bbox;
mod zones_of_study;

pub(crate) use parts::COUNTED;

/// Whether evidence is the id of a layer, of whichever call.
pub(crate) fn is_layer(evidence: &leg_core::Evidence) -> bool {
    evidence.method.starts_with("id of the layer ")
}

crate::tool::tools![
    super::Client;
    check_coverage::CheckCoverage,
    zone_at_point::ZoneAtPoint,
    zones_in_bbox::ZonesInBbox,
    bfe_lines::BfeLines,
    firm_panel::FirmPanel,
    coastal_limits::CoastalLimits,
    map_image::MapImage,
    zones_of_study::ZonesOfStudy,
    service_info::ServiceInfo,
];
