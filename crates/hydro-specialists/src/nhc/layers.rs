//! [`Layers`]: which layer of the tropical map service shows what of which storm.

use leg_core::Source;

use crate::ServiceError;
use crate::question::storms::StormId;

/// Slots of storms in the order of the map service, five to a basin.
const BASINS: [&str; 3] = ["AT", "EP", "CP"];

/// Layers from one slot to the next, and those of the first slot: for a list of layers that does not come.
const STRIDE: u32 = 26;
const FIRST_POINTS: u32 = 6;
const FIRST_ALERTS: u32 = 9;

/// What a slot of the map service shows.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum LayerKind {
    Points,
    Alerts,
}

/// The layers of the map service by name, or a note that they are taken by number.
#[derive(Debug, Clone, Default)]
pub(crate) struct Layers {
    pub(crate) names: Vec<(u32, String)>,
    pub(crate) sources: Vec<Source>,
    pub(crate) note: Option<String>,
}

impl Layers {
    /// The layer of a slot, such as `AT1`.
    pub(crate) fn id(&self, bin: &str, kind: LayerKind) -> Option<u32> {
        let words: &[&str] = match kind {
            LayerKind::Points => &["forecast", "points"],
            LayerKind::Alerts => &["watch", "warning"],
        };
        let is_it = |name: &str| {
            let lower = name.to_lowercase();
            let mut parts = lower.split(|c: char| !c.is_alphanumeric());
            parts.any(|part| part.eq_ignore_ascii_case(bin)) && words.iter().all(|word| lower.contains(word))
        };
        if let Some((id, _)) = self.names.iter().find(|(_, name)| is_it(name)) {
            return Some(*id);
        }
        let (basin, slot) = bin.split_at_checked(2)?;
        let basin = BASINS.iter().position(|own| basin.eq_ignore_ascii_case(own))?;
        let slot = slot.parse::<u32>().ok().filter(|slot| (1..=5).contains(slot))?;
        let place = u32::try_from(basin).ok()? * 5 + slot - 1;
        let first = match kind {
            LayerKind::Points => FIRST_POINTS,
            LayerKind::Alerts => FIRST_ALERTS,
        };
        Some(first + STRIDE * place)
    }
}

/// The slots that a storm of a basin may be in; one that crossed 140° W keeps its id and changes its slot.
pub(crate) fn slots(id: &StormId) -> Vec<String> {
    let basins: &[&str] = match id.basin.as_str() {
        "al" => &["AT"],
        "ep" => &["EP", "CP"],
        _ => &["CP"],
    };
    basins.iter().flat_map(|basin| (1..=5).map(move |slot| format!("{basin}{slot}"))).collect()
}

/// Why layers are taken by number.
pub(crate) fn by_number(error: &ServiceError) -> String {
    format!("the list of layers did not come ({error}); layers are taken by number")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn layers_are_found_by_name_and_else_by_number() {
        let names = vec![
            (0, "NHC".to_owned()),
            (41, "AT2 Forecast Points".to_owned()),
            (44, "AT2 Watch-Warning".to_owned()),
        ];
        let named = Layers { names, ..Layers::default() };
        assert_eq!(
            (named.id("AT2", LayerKind::Points), named.id("AT2", LayerKind::Alerts)),
            (Some(41), Some(44))
        );
        let none = Layers::default();
        assert_eq!(none.id("AT1", LayerKind::Points), Some(6));
        assert_eq!(none.id("EP2", LayerKind::Alerts), Some(9 + 26 * 6));
        assert_eq!(none.id("XX1", LayerKind::Points), None);
        assert_eq!(none.id("é1", LayerKind::Points), None);
        assert_eq!(slots(&"EP012020".parse().unwrap()).len(), 10);
    }
}
