//! Any bytes as an archive: its index and all members.
#![no_main]

use libfuzzer_sys::fuzz_target;
use skald_elf::format::archive::Archive;

fuzz_target!(|data: &[u8]| {
    let Ok(archive) = Archive::parse(data) else { return };
    for symbol in archive.index().iter().flatten() {
        let Ok(symbol) = symbol else { break };
        let _ = archive.member_at(symbol.member_offset);
    }
    for member in archive.members() {
        if member.is_err() {
            break;
        }
    }
});
