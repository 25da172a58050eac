//! `skald_fuzz::object_file` for libFuzzer.
#![no_main]

libfuzzer_sys::fuzz_target!(|data: &[u8]| skald_fuzz::object_file(data));
