//! `skald_fuzz::eh_frame` for libFuzzer.
#![no_main]

libfuzzer_sys::fuzz_target!(|data: &[u8]| skald_fuzz::eh_frame(data));
