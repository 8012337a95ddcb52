//! The property of a ledger's lines.

use leg_core::Registry;
use leg_core::ledger::read;

/// What a file may hold that calls itself a ledger.
///
/// - Reading ends, gives no more entries than lines, and gives the same twice.
/// - Each line feed more or byte less is seen: a whole ledger with a byte taken from its end has a fault, or loses
///   its torn last line.
///
/// # Panics
/// When one of these does not hold.
pub fn ledger_line(_: &Registry, data: &[u8]) {
    let reading = read(data, "fuzz");
    let lines = data.split(|byte| *byte == b'\n').count();
    assert!(reading.entries.len() <= lines, "{} entries in {lines} lines", reading.entries.len());
    let again = read(data, "fuzz");
    assert_eq!((&reading.entries, reading.log_root), (&again.entries, again.log_root));
    for fault in &reading.faults {
        assert!(!fault.message.is_empty() && !fault.place.is_empty(), "{fault:?}");
    }
    if reading.faults.is_empty()
        && let Some((_, shorter)) = data.split_last()
    {
        let cut = read(shorter, "fuzz");
        assert!(
            !cut.faults.is_empty() || cut.entries.len() < reading.entries.len(),
            "a byte is gone and nothing is said"
        );
    }
}
