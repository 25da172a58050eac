//! Any bytes as an `.sframe` section.
#![no_main]

use libfuzzer_sys::fuzz_target;
use skald_elf::format::sframe;

fuzz_target!(|data: &[u8]| {
    for table in sframe::tables(data).unwrap_or_default() {
        let _ = table.fdes();
    }
});
