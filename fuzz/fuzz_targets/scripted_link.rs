//! `skald_fuzz::scripted_link` for libFuzzer.
#![no_main]

libfuzzer_sys::fuzz_target!(|data: &[u8]| skald_fuzz::scripted_link(data));
