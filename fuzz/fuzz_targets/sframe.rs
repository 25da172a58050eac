//! `skald_fuzz::sframe` for libFuzzer.
#![no_main]

libfuzzer_sys::fuzz_target!(|data: &[u8]| skald_fuzz::sframe(data));
