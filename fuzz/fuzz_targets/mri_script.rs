//! `skald_fuzz::mri_script` for libFuzzer.
#![no_main]

libfuzzer_sys::fuzz_target!(|data: &[u8]| skald_fuzz::mri_script(data));
