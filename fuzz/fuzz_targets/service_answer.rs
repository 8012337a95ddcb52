//! See `../service_answer.rs`.
#![no_main]

#[path = "../service_answer.rs"]
mod service_answer;

use libfuzzer_sys::fuzz_target;

fuzz_target!(|data: &[u8]| service_answer::service_answer(data));
