//! `skald_fuzz::response_file` for libFuzzer.
#![no_main]

libfuzzer_sys::fuzz_target!(|data: &[u8]| skald_fuzz::response_file(data));
