//! `skald_fuzz::debug_dedup` for libFuzzer.
#![no_main]

libfuzzer_sys::fuzz_target!(|data: &[u8]| skald_fuzz::debug_dedup(data));
