//! The ledger stores that the engine ships.

use std::cell::Cell;

use leg_core::ledger::{JsonlLedger, LedgerError, LedgerStore, MemoryLedger};
use leg_testkit::conformance;

#[test]
fn the_ledger_in_memory_conforms() {
    conformance::ledger_store(|| {
        let store = MemoryLedger::default();
        let held = store.clone();
        (store, move || held.bytes())
    });
}

#[test]
fn the_ledger_of_lines_conforms_and_makes_no_file_twice() {
    let folder = tempfile::tempdir().unwrap();
    let made = Cell::new(0);
    conformance::ledger_store(|| {
        made.set(made.get() + 1);
        let run = folder.path().join(format!("run-{}", made.get()));
        std::fs::create_dir(&run).unwrap();
        let path = run.join("ledger.jsonl");
        let store = JsonlLedger::create(&path).unwrap();
        assert!(matches!(JsonlLedger::create(&path), Err(LedgerError::Exists { .. })));
        (store, move || std::fs::read(&path).unwrap())
    });
}

#[test]
fn a_reopened_file_goes_on_after_its_whole_lines() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("ledger.jsonl");
    let mut store = JsonlLedger::create(&path).unwrap();
    store.append(b"{\"a\":1}\n{\"tor").unwrap();
    drop(store);
    let mut store = JsonlLedger::reopen(&path, 8).unwrap();
    store.append(b"{\"b\":2}\n").unwrap();
    assert_eq!(std::fs::read(&path).unwrap(), b"{\"a\":1}\n{\"b\":2}\n");
}

#[test]
fn the_suite_finds_a_store_that_waits_for_a_sync() {
    #[derive(Debug)]
    struct Lazy(MemoryLedger, Vec<u8>);
    impl LedgerStore for Lazy {
        fn append(&mut self, line: &[u8]) -> Result<(), LedgerError> {
            self.1.extend_from_slice(line);
            Ok(())
        }
        fn sync(&mut self) -> Result<(), LedgerError> {
            let waiting = std::mem::take(&mut self.1);
            self.0.append(&waiting)
        }
    }
    let suite = || {
        conformance::ledger_store(|| {
            let memory = MemoryLedger::default();
            let held = memory.clone();
            (Lazy(memory, Vec::new()), move || held.bytes())
        });
    };
    let told = std::panic::catch_unwind(suite).unwrap_err();
    assert!(told.downcast_ref::<String>().is_some_and(|text| text.contains("without a sync")));
}
