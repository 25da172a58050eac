//! `skald_fuzz::dynamic_list` for libFuzzer.
#![no_main]

libfuzzer_sys::fuzz_target!(|data: &[u8]| skald_fuzz::dynamic_list(data));
