//! Single sentences that are easy to judge wrongly, true and false, and one pair for each operation.

use leg_core::evidence::{Claim, Evidence, Grounder, Operation, Verdict};
use serde_json::{Value, json};

use Operation::{Compare, Convert, Count, Diff, Max, Mean, Min, Percent, Quote, Ratio, Round, Sum, Trend};
use Verdict::{Contradicted, Grounded, Uncheckable, Ungrounded};

fn evidence(all: &[Value]) -> Vec<Evidence> {
    let read = |(at, json): (usize, &Value)| {
        let mut one = json!({"id": format!("E{}", at + 1), "key": format!("n{at}.x"), "name": "x", "unit": "1", "method": "test"});
        one.as_object_mut().unwrap().extend(json.as_object().unwrap().clone());
        serde_json::from_value(one).unwrap()
    };
    all.iter().enumerate().map(read).collect()
}

fn check(all: &[Value], table: &[(Operation, &str, Verdict)]) {
    let evidence = evidence(all);
    let grounder = Grounder::new(&evidence);
    let ids: Vec<_> = evidence.iter().filter_map(|one| one.id.clone()).collect();
    for (op, text, expected) in table {
        let verdict = grounder.check(&Claim::new(*text, ids.clone(), *op));
        assert_eq!(verdict, *expected, "{}: {text}", op.as_str());
    }
}

#[test]
fn rounding_and_signs() {
    check(
        &[json!({"name": "height", "value": 0.25, "unit": "m"})],
        &[
            (Round, "It was 0.3 m.", Grounded),
            (Round, "It was 0.2 m.", Grounded),
            (Round, "It was 0.25 m.", Grounded),
            (Round, "It was 0.26 m.", Contradicted),
            (Round, "It was -0.25 m.", Contradicted),
            (Round, "It was 25 cm.", Grounded),
            (Quote, "It was 25 cm.", Contradicted),
            (Round, "It was 0.3.", Ungrounded),
            (Round, "It was 0.25 °C.", Ungrounded),
            (Round, "It was more than 0.2 m.", Grounded),
            (Round, "It was more than 0.4 m.", Contradicted),
            (Round, "It was at most 0.4 m.", Grounded),
            (Round, "It was 2.5e-1 m, or 2.5 × 10⁻¹ m.", Grounded),
            (Round, "It was 2.5 × 10⁻² m.", Contradicted),
        ],
    );
    check(
        &[json!({"name": "mean", "value": -0.004, "unit": "degC", "baseline": "1991/2020"})],
        &[
            (Round, "It was −0.00 °C.", Grounded),
            (Round, "It was 0.00 °C.", Grounded),
            (Round, "It was −0.0 °C from the 1991–2020 mean.", Grounded),
            (Round, "It was 0.1 °C.", Contradicted),
        ],
    );
    check(
        &[
            json!({"name": "anomaly", "value": 1.2, "unit": "degC", "baseline": "1991/2020", "when": "2015-11"}),
        ],
        &[
            (Round, "It was 1.2 °C above the 1991–2020 mean in November 2015.", Grounded),
            (Round, "It was 1.2 K above the baseline.", Grounded),
            (Round, "It was 2.2 °F above the baseline.", Grounded),
            (Round, "It was 34.2 °F.", Contradicted),
            (Round, "It was 1.2 °C below the 1991–2020 mean.", Contradicted),
            (Round, "It was minus 1.2 °C.", Contradicted),
            (Round, "It was 1.2 °C above the 1991–2010 mean.", Contradicted),
            (Round, "It was 1.2 °C above the mean in 2015.", Grounded),
            (Round, "It was 1.2 °C above the mean in 1991.", Contradicted),
            (Round, "It was 1.2 °C above the mean in May 2015.", Contradicted),
        ],
    );
    check(
        &[json!({"name": "change", "value": -0.3, "unit": "m"})],
        &[
            (Round, "It fell by 0.3 m.", Grounded),
            (Round, "It changed by −0.3 m.", Grounded),
            (Round, "It rose by 0.3 m.", Contradicted),
            (Round, "It changed by 0.3 m.", Contradicted),
            (Round, "A drop of 30 cm was seen.", Grounded),
        ],
    );
    check(&[json!({"name": "drop", "value": 0.3, "unit": "m"})], &[(Round, "It fell by 0.3 m.", Grounded)]);
}

#[test]
fn names_with_digits_are_names() {
    let gauge = json!({"name": "max", "value": 3.434, "unit": "m", "datum": "NAVD", "when": "2012-10-30T01:24Z",
        "where": {"station": 8_518_750, "name": "The Battery, NY"}, "method": "highest 6-minute value"});
    check(
        &[gauge],
        &[
            (
                Max,
                "Station 8518750 (The Battery) reached 3.43 m NAVD88 on 30 October 2012 at 01:24 UTC.",
                Grounded,
            ),
            (Max, "The Battery, NY, reached 3.434 m above NAVD 88 on the 30th of October 2012.", Grounded),
            (Max, "The highest 6-minute value was 3.43 m NAVD88 on 2012-304.", Grounded),
            (Max, "Station 8518751 reached 3.43 m NAVD88.", Contradicted),
            (Max, "The Battery reached 3.43 m NAVD88 at 02:24 UTC.", Contradicted),
            (Max, "The Battery reached 11.27 ft NAVD88.", Grounded),
            (Max, "The Battery reached 3.43 m above mean lower low water.", Contradicted),
            (Max, "The Battery reached 3.43 m.", Contradicted),
            (Max, "Sandy Hook reached 3.43 m NAVD88.", Ungrounded),
            (Max, "ERA5 and GFSv16 agree: 3.43 m NAVD88 at The Battery.", Grounded),
        ],
    );
    let river = json!({"name": "discharge", "value": 1420, "unit": "ft3/s", "when": "2022-09-29", "where": {"site_no": "02292900"}});
    check(
        &[river],
        &[
            (Round, "USGS 02292900 carried 1,420 ft³/s on 29 September 2022.", Grounded),
            (Round, "USGS 02292900 carried 40.2 m³/s on September 29.", Grounded),
            (Round, "USGS 02292901 carried 1,420 ft³/s.", Contradicted),
            (Round, "USGS 02292900 carried 1,430 cfs.", Contradicted),
        ],
    );
    let nino = json!({"name": "index", "value": 2.72, "unit": "degC", "baseline": "1991/2020", "where": {"region": "nino_3_4"}, "when": "2015-12"});
    check(
        &[nino],
        &[
            (Round, "The Niño 3.4 index was 2.72 °C in December 2015.", Grounded),
            (Round, "The Nino 3.4 index of ERA5 was 2.7 °C in December 2015.", Grounded),
            (Round, "The Niño 3.4 index was 3.4 °C.", Contradicted),
        ],
    );
    let storm = json!({"name": "wind", "value": 135, "unit": "kt", "where": {"storm": "Ian", "category": 4}});
    check(
        &[storm],
        &[
            (Convert, "Ian was a category 4 hurricane with winds of 155 mph.", Grounded),
            (Convert, "Ian was a category 5 hurricane with winds of 155 mph.", Contradicted),
            (Round, "Winds reached 135 knots (69.4 m/s, 250 km/h).", Grounded),
            (Quote, "Figure 2 shows winds of 135 kt under RCP8.5 and SSP5-8.5 in Section 3.", Grounded),
        ],
    );
    let deep =
        json!({"name": "temperature_50m", "value": 17.31, "unit": "degC", "where": {"depth": {"at": 50}}});
    check(
        &[deep],
        &[
            (Round, "At 50 m the water was 17.3 °C.", Grounded),
            (Round, "The water was 17.3 °C, 50 m below the surface.", Grounded),
            (Round, "At 60 m the water was 17.3 °C.", Ungrounded),
            (Round, "At 50 ft the water was 17.3 °C.", Ungrounded),
            (Convert, "At 50 m the water was 63.2 °F (290.46 K).", Grounded),
        ],
    );
}

#[test]
fn trends_and_times() {
    let slope = json!({"name": "slope", "value": 3.4, "unit": "mm year-1", "when": "1993-01/2022-12", "uncertainty": {"confidence": 0.95, "half": 0.4}});
    check(
        &[slope],
        &[
            (Trend, "Sea level rose by 3.4 mm per year since 1993.", Grounded),
            (Trend, "Sea level rose by 3.4 ± 0.4 mm a year since 1993 (95 % confidence).", Grounded),
            (Trend, "Sea level rose by 3.4 ± 0.5 mm a year since 1993.", Contradicted),
            (Trend, "Sea level rose by 3.4 mm per year (90 % confidence interval).", Contradicted),
            (Trend, "Sea level rose by 3.4 cm per decade.", Grounded),
            (Trend, "Sea level rose by 10.2 cm over 30 years.", Grounded),
            (Trend, "Sea level rose by 34 cm per century, from January 1993 to December 2022.", Grounded),
            (Trend, "Sea level rose by 10.2 cm over 31 years.", Contradicted),
            (Trend, "Sea level fell by 3.4 mm per year.", Contradicted),
            (Trend, "Sea level rose by 3.4 mm per year since 1998.", Contradicted),
            (Trend, "Sea level rose by 3.4 mm.", Contradicted),
            (Trend, "Sea level rose.", Grounded),
            (Trend, "Sea level fell.", Contradicted),
            (Trend, "Sea level did not fall.", Uncheckable),
        ],
    );
    check(
        &[json!({"name": "rate", "value": -0.2, "unit": "degC (10 year)-1"})],
        &[
            (Trend, "It cooled by 0.2 °C per decade.", Grounded),
            (Trend, "It warmed by 0.2 °C per decade.", Contradicted),
            (Trend, "It cooled by 0.6 °C over 30 years.", Grounded),
            (Trend, "It cooled by 0.6 °C over 40 years.", Contradicted),
        ],
    );
    check(
        &[
            json!({"name": "mean", "value": 26.61, "unit": "degC", "when": "2010-01/2019-12", "n": 120, "method": "area mean, 90th percentile"}),
        ],
        &[
            (
                Mean,
                "It averaged 26.6 °C from January 2010 to December 2019 (120 months, 10 years).",
                Grounded,
            ),
            (Mean, "It averaged 26.6 °C over 2010–2019.", Grounded),
            (Mean, "It averaged 26.6 °C in the 2010s.", Grounded),
            (Mean, "It averaged 26.6 °C in the 2000s.", Contradicted),
            (Mean, "It averaged 26.6 °C in 2010.", Contradicted),
            (Mean, "It averaged 26.6 °C over 120 days.", Contradicted),
            (Mean, "Its 90th percentile area mean was 26.6 °C.", Grounded),
            (Mean, "Its 95th percentile area mean was 26.6 °C.", Contradicted),
            (Mean, "It averaged 26.6 °C in 2 of 3 boxes.", Grounded),
            (Mean, "It averaged 26.6 °C in 14 of 17 boxes.", Contradicted),
        ],
    );
}

#[test]
fn each_operation_has_its_own_meaning() {
    let gauge = |name: &str, value: f64, when: &str| json!({"name": "max", "value": value, "unit": "m", "datum": "MLLW", "when": when, "where": {"name": name}});
    let three = [
        gauge("Naples", 2.0, "2022-09-28"),
        gauge("Fort Myers", 3.0, "2022-09-29"),
        gauge("Key West", 1.0, "2022-09-27"),
    ];
    check(
        &three,
        &[
            (Max, "The highest was 3.0 m MLLW, at Fort Myers.", Grounded),
            (Max, "The highest was 2.0 m MLLW, at Naples.", Contradicted),
            (Max, "It was highest at Naples.", Contradicted),
            (Min, "The lowest was 1.0 m MLLW, at Key West.", Grounded),
            (Min, "The lowest was 2.0 m MLLW, at Naples.", Contradicted),
            (Mean, "Their mean is 2.0 m MLLW.", Grounded),
            (Mean, "Their mean is 3.0 m MLLW.", Contradicted),
            (Sum, "Together they make 6.0 m MLLW.", Grounded),
            (Sum, "Together they make 3.0 m MLLW.", Contradicted),
            (Count, "A peak was seen at 3 stations.", Grounded),
            (Count, "A peak was seen at three stations.", Grounded),
            (Count, "A peak was seen at 2 stations.", Contradicted),
            (Count, "A peak was seen at four stations.", Contradicted),
            (Operation::None, "Three gauges stood in the storm.", Uncheckable),
            (Operation::None, "The water stood at 3.0 m MLLW.", Ungrounded),
        ],
    );
    check(
        &three[..2],
        &[
            (Diff, "Fort Myers was 1.0 m higher than Naples.", Grounded),
            (Diff, "Naples was 1.0 m lower than Fort Myers.", Grounded),
            (Diff, "Naples was 1.0 m higher than Fort Myers.", Contradicted),
            (Diff, "Naples and Fort Myers differed by 1.0 m.", Grounded),
            (Diff, "Naples reached 2.0 m MLLW.", Contradicted),
            (Ratio, "The level at Fort Myers was 1.5 times that at Naples.", Grounded),
            (Ratio, "The level at Naples was 1.5 times that at Fort Myers.", Contradicted),
            (Percent, "The level at Fort Myers was 50 % higher than that at Naples.", Grounded),
            (Percent, "The level at Naples was 67 % of that at Fort Myers.", Grounded),
            (Percent, "The level at Naples was 67 % higher than at Fort Myers.", Contradicted),
            (Compare, "Fort Myers was higher than Naples.", Grounded),
            (Compare, "Naples was higher than Fort Myers.", Contradicted),
            (Compare, "Naples peaked earlier than Fort Myers.", Grounded),
            (Compare, "Fort Myers peaked before Naples.", Contradicted),
            (Compare, "Fort Myers was higher than Naples: 3.0 m against 2.0 m MLLW.", Grounded),
            (Compare, "Fort Myers was higher than Naples: 2.0 m against 3.0 m MLLW.", Contradicted),
            (
                Compare,
                "Naples reached 2.0 m MLLW on 28 September, Fort Myers 3.0 m on 29 September.",
                Grounded,
            ),
            (
                Compare,
                "Naples reached 2.0 m MLLW on 29 September, Fort Myers 3.0 m on 28 September.",
                Contradicted,
            ),
            (Quote, "Fort Myers 3.0 m, Naples 2.0 m (MLLW).", Grounded),
            (Quote, "Fort Myers 2.0 m, Naples 3.0 m (MLLW).", Contradicted),
        ],
    );
    let mut other = gauge("Naples", 2.0, "2022-09-28");
    other["datum"] = json!("NAVD88");
    check(
        &[other, gauge("Fort Myers", 3.0, "2022-09-29")],
        &[
            (Diff, "Fort Myers was 1.0 m higher than Naples.", Contradicted),
            (Compare, "Fort Myers was higher than Naples.", Contradicted),
            (Quote, "Naples reached 2.0 m NAVD88, Fort Myers 3.0 m MLLW.", Grounded),
            (Quote, "Naples reached 2.0 m MLLW, Fort Myers 3.0 m NAVD88.", Contradicted),
        ],
    );
}

#[test]
fn every_unit_of_the_list_is_converted() {
    for (value, unit, text) in [
        (20.0, "degC", "68.0 °F or 293.15 K"),
        (300.0, "K", "26.85 °C or 80.33 °F"),
        (68.0, "degF", "20.0 °C"),
        (1.0, "m", "3.28 ft, 100 cm, 1000 mm or 0.001 km"),
        (10.0, "km", "5.40 nautical miles or 6.21 miles"),
        (10.0, "m s-1", "19.4 knots, 36.0 km/h, 22.4 mph or 1000 cm/s"),
        (1013.25, "hPa", "1013.25 mb, 101,325 Pa, 29.92 inHg or 101.325 kPa"),
        (35.0, "psu", "35.0 PSU"),
        (35.2, "g kg-1", "35.2 g/kg"),
        (31.5, "Sv", "31.5 Sv or 31,500,000 m³/s"),
        (2.5, "day", "60 hours"),
        (0.42, "1", "42 %"),
        (42.0, "%", "42 percent"),
        (0.2, "degC (10 year)-1", "0.02 °C per year or 2.0 °C per century"),
        (12.0, "mm year-1", "1.0 mm per month or 12 cm per decade"),
        (3.2e22, "J", "3.2 × 10²² J or 32 ZJ"),
        (0.35, "mg m-3", "0.35 mg/m³"),
    ] {
        check(
            &[json!({"name": "x", "value": value, "unit": unit})],
            &[(Convert, &format!("It was {text}."), Grounded)],
        );
    }
    let other = [
        ("psu", "35.0 g/kg"),
        ("degC", "35.0 K"),
        ("m", "35.0 ft"),
        ("hPa", "35.0 inHg"),
        ("weird unit", "35.0 m"),
    ];
    for (unit, text) in other {
        let evidence = evidence(&[json!({"value": 35.0, "unit": unit})]);
        let claim = Claim::new(format!("It was {text}."), vec![evidence[0].id.clone().unwrap()], Convert);
        let verdict = Grounder::new(&evidence).check(&claim);
        assert!(matches!(verdict, Contradicted | Ungrounded), "{unit} {text}: {verdict:?}");
    }
    check(&[json!({"value": 35.0, "unit": "weird unit"})], &[(Quote, "It was 35.0 weird unit.", Grounded)]);
}

#[test]
fn without_evidence_nothing_holds() {
    let ids = vec![leg_core::EvidenceId::numbered(1)];
    let none: [Evidence; 0] = [];
    let empty = Grounder::new(&none);
    for text in ["It was 3.2 m.", "It held in 2 boxes.", "It was so in 2015.", "On 3 May it rained.", "12 %"]
    {
        assert_eq!(empty.check(&Claim::new(text, vec![], Round)), Ungrounded, "{text}");
        assert_eq!(empty.check(&Claim::new(text, ids.clone(), Round)), Ungrounded, "{text}");
    }
    assert_eq!(
        empty.check(&Claim::new("Step `s[0]` of `t2` gave nothing.", vec![], Operation::None)),
        Uncheckable
    );
    let all = evidence(&[json!({"value": 3.2, "unit": "m"})]);
    let some = Grounder::new(&all);
    assert_eq!(some.check(&Claim::new("It was 3.2 m.", vec![], Round)), Ungrounded);
    assert_eq!(some.check(&Claim::new("It was so in 2015.", vec![], Round)), Uncheckable);
    assert_eq!(some.check(&Claim::new("It was 3.2 m in 2015.", ids, Round)), Grounded);
}
