//! The datums of water levels, as FORMS.md and the services spell them.

/// A datum and its spellings; the first is ours.
const DATUMS: &[&[&str]] = &[
    &["MLLW", "mean lower low water"],
    &["MLW", "mean low water"],
    &["MHHW", "mean higher high water"],
    &["MHW", "mean high water"],
    &["MSL", "LMSL", "local mean sea level"],
    &["GMSL", "global mean sea level datum"],
    &["MTL", "mean tide level"],
    &["DTL", "mean diurnal tide level"],
    &["NAVD88", "NAVD 88", "NAVD-88", "NAVD", "North American Vertical Datum of 1988"],
    &["NGVD29", "NGVD 29", "NGVD-29", "NGVD", "National Geodetic Vertical Datum of 1929"],
    &["STND", "station datum"],
    &["IGLD85", "IGLD 85", "IGLD-85", "IGLD", "International Great Lakes Datum of 1985"],
    &["PMVD"],
    &["PRVD02", "PRVD"],
    &["VIVD09", "VIVD"],
    &["LAT", "lowest astronomical tide"],
    &["HAT", "highest astronomical tide"],
    &["LWD", "low water datum"],
    &["CRD", "Columbia River datum"],
];

/// Words that make a datum of "mean sea level", which is a quantity by itself.
const RELATIVE: [&str; 6] = ["above", "below", "over", "to", "from", "under"];

/// Our name of a datum; one that we do not know keeps its own.
pub(crate) fn canonical(name: &str) -> &str {
    let name = name.trim();
    DATUMS
        .iter()
        .find(|all| all.iter().any(|spelling| spelling.eq_ignore_ascii_case(name)))
        .and_then(|all| all.first().copied())
        .unwrap_or(if name.eq_ignore_ascii_case("mean sea level") { "MSL" } else { name })
}

/// The datum that a text begins with, and how long it is. `before` is the word before it.
pub(crate) fn datum_at(text: &str, before: &str) -> Option<(&'static str, usize)> {
    let mut best: Option<(&'static str, usize)> = None;
    for all in DATUMS {
        for spelling in *all {
            let short = spelling.len() <= 8 && !spelling.contains(char::is_lowercase);
            let head = text.get(..spelling.len());
            let fits =
                head.is_some_and(
                    |head| if short { head == *spelling } else { head.eq_ignore_ascii_case(spelling) },
                );
            let ends = || {
                !text
                    .get(spelling.len()..)
                    .is_some_and(|rest| rest.starts_with(|c: char| c.is_alphanumeric()))
            };
            // A latitude may be written LAT.
            let is_level = !matches!(*spelling, "LAT" | "HAT") || RELATIVE.contains(&before);
            if fits && ends() && is_level && best.is_none_or(|(_, length)| spelling.len() > length) {
                best = all.first().map(|name| (*name, spelling.len()));
            }
        }
    }
    let sea = "mean sea level";
    if best.is_none()
        && RELATIVE.contains(&before)
        && text.get(..sea.len()).is_some_and(|head| head.eq_ignore_ascii_case(sea))
    {
        best = Some(("MSL", sea.len()));
    }
    best
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn spellings_of_the_services_are_known() {
        for (text, before, expected) in [
            ("NAVD 88.", "m", Some(("NAVD88", 7))),
            ("NAVD88", "", Some(("NAVD88", 6))),
            ("mean lower low water,", "above", Some(("MLLW", 20))),
            ("mean low water", "above", Some(("MLW", 14))),
            ("mean sea level", "above", Some(("MSL", 14))),
            ("mean sea level rose", "", None),
            ("LAT 20", "at", None),
            ("STNDX", "", None),
            ("msl", "", None),
        ] {
            assert_eq!(datum_at(text, before), expected, "{text}");
        }
        assert_eq!(canonical("NAVD"), "NAVD88");
        assert_eq!(canonical("lmsl"), "MSL");
        assert_eq!(canonical("EGM2008"), "EGM2008");
    }
}
