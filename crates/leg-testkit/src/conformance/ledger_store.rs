//! What every [`LedgerStore`] must do.

#![expect(clippy::panic, reason = "a suite says by panicking what does not hold")]

use std::thread;

use leg_core::ledger::{EntryKind, FaultKind, Ledger, LedgerStore, read};

/// Checks a ledger store: lines come back to the byte and in order, as soon as they were taken and from then on, and a
/// [`Ledger`] over it writes lines that follow from each other, however many threads write.
///
/// `make` gives a new, empty store and a function that reads what it holds, without asking the store: from the
/// outside, as a verifier does.
///
/// # Panics
/// When a check does not hold.
pub fn ledger_store<S, R>(mut make: impl FnMut() -> (S, R))
where
    S: LedgerStore + 'static,
    R: Fn() -> Vec<u8>,
{
    let (mut store, held) = make();
    assert_eq!(held(), b"", "a new store holds nothing");
    takes(&mut store, b"{\"a\":1}\n");
    assert_eq!(held(), b"{\"a\":1}\n", "a line is there when the store has taken it, without a sync");
    takes(&mut store, b"{\"b\":\"\xc3\xa9 \\n\"}\n");
    let long = [vec![b'x'; 3_000_000], vec![b'\n']].concat();
    takes(&mut store, &long);
    let whole = [b"{\"a\":1}\n{\"b\":\"\xc3\xa9 \\n\"}\n".as_slice(), &long].concat();
    assert!(held() == whole, "lines come back to the byte and in order, long ones too");
    store.sync().unwrap_or_else(|error| panic!("a store syncs: {error}"));
    store.sync().unwrap_or_else(|error| panic!("a store syncs twice: {error}"));
    takes(&mut store, b"{\"c\":3}\n");
    drop(store);
    assert!(
        held() == [whole.as_slice(), b"{\"c\":3}\n"].concat(),
        "what was taken is there after the store has gone"
    );
    chains(make());
}

fn takes(store: &mut dyn LedgerStore, line: &[u8]) {
    store.append(line).unwrap_or_else(|error| panic!("a store takes a line: {error}"));
}

/// Many threads write through one ledger.
fn chains<S: LedgerStore + 'static, R: Fn() -> Vec<u8>>((store, held): (S, R)) {
    let ledger = Ledger::new(store);
    thread::scope(|scope| {
        for writer in 0..4 {
            let ledger = &ledger;
            scope.spawn(move || {
                for n in 0..25 {
                    let core = format!("{{\"n\":{n},\"writer\":{writer}}}");
                    let taken = ledger.append(EntryKind::Gap, core.as_bytes(), b"{}");
                    assert!(taken.is_ok(), "a record is taken: {taken:?}");
                }
            });
        }
    });
    let (root, size) = ledger.log_root();
    let reading = read(&held(), "ledger");
    assert_eq!((size, reading.entries.len()), (100, 100), "every record is a line");
    assert_eq!(reading.log_root, root, "the lines have the root that the ledger states");
    let other = reading.faults.iter().find(|fault| fault.kind != FaultKind::Unfinished);
    assert!(other.is_none(), "the lines follow from each other: {other:?}");
}
