//! See `leg_testkit::fuzz::reference`.
#![no_main]

use std::sync::LazyLock;

use leg_core::Registry;
use leg_testkit::{fake_registry, fuzz};
use libfuzzer_sys::fuzz_target;

static REGISTRY: LazyLock<Registry> = LazyLock::new(|| fake_registry().expect("the fake world"));

fuzz_target!(|data: &[u8]| fuzz::reference(&REGISTRY, data));
