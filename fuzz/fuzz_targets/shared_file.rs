//! Any bytes as a shared object.
#![no_main]

use libfuzzer_sys::fuzz_target;
use skald_elf::read::SharedFile;

fuzz_target!(|data: &[u8]| {
    let Ok(shared) = SharedFile::parse(data.to_vec().leak(), b"lib.so") else { return };
    for symbol in 0..shared.symbols.len() as u32 {
        let _ = (shared.symbol_name(symbol), shared.version_name(symbol));
        let _ = (shared.is_export(symbol), shared.symbol_align_log2(symbol));
    }
});
