//! Any bytes as an SHT_CREL section.
#![no_main]

use libfuzzer_sys::fuzz_target;
use skald_elf::format::crel::Crel;

fuzz_target!(|data: &[u8]| {
    if let Ok(crel) = Crel::parse(data) {
        assert!(crel.into_iter().count() <= data.len() + 1);
    }
});
