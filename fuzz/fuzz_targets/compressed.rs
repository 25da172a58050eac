//! Any bytes as a compressed section.
#![no_main]

use libfuzzer_sys::fuzz_target;
use skald_elf::format::compressed::CompressedSection;

fuzz_target!(|data: &[u8]| {
    const LIMIT: u64 = 16 << 20;
    if let Ok(section) = CompressedSection::parse(data) {
        let _ = section.decompress(LIMIT);
    }
    if let Some(section) = CompressedSection::parse_zdebug(data) {
        let _ = section.decompress(LIMIT);
    }
});
