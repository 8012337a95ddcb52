//! Any text is read as faults or refused with a reason, and what is read is written and read alike.

use leg_fetch::FaultSpec;
use proptest::prelude::*;

proptest! {
    #[test]
    fn any_text_is_read_or_refused(text in ".{0,80}") {
        if let Err(error) = text.parse::<FaultSpec>() {
            prop_assert!(error.to_string().starts_with("faults: "), "{error}");
        }
    }

    #[test]
    fn what_is_written_is_read_alike(
        percents in proptest::collection::vec(0_u32..14, 7),
        millis in 0_u64..3_600_000,
        retry_after in proptest::option::of(0_u64..100),
        seed in any::<u64>(),
        n in any::<u64>(),
    ) {
        let names = ["429", "503", "timeout", "cut", "html", "garbage", "drip"];
        let mut parts: Vec<String> =
            names.iter().zip(&percents).map(|(name, percent)| format!("{name}=0.{percent:02}")).collect();
        parts.extend(retry_after.map(|seconds| format!("retry-after={seconds}")));
        parts.push(format!("delay={millis}ms;seed={seed}"));
        let text = parts.join(",");
        let spec: FaultSpec = text.parse().unwrap();
        let again: FaultSpec = spec.to_string().parse().unwrap();
        prop_assert_eq!(&again, &spec);
        prop_assert_eq!(again.choose(n), spec.choose(n));
        prop_assert_eq!(again.retry_after(n), retry_after.unwrap_or_else(|| spec.retry_after(n)));
    }

    #[test]
    fn each_fault_is_as_frequent_as_told(percent in 0_u32..=100, seed in any::<u64>()) {
        let spec: FaultSpec = format!("cut={};seed={seed}", f64::from(percent) / 100.0).parse().unwrap();
        let met = (0..2_000).filter(|n| spec.choose(*n).is_some()).count();
        // Six standard deviations of 2000 throws.
        prop_assert!((met as f64 / 2_000.0 - f64::from(percent) / 100.0).abs() < 0.068, "{}", met);
    }
}
