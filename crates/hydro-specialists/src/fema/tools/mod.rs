//! The tools of the specialist: a file each.

mod bfe_lines;
mod check_coverage;
mod coastal_limits;
mod firm_panel;
mod map_image;
mod parts;
mod zone_at_point;
mod zones_in_bbox;
mod zones_of_study;

pub(crate) use parts::COUNTED;

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
];
