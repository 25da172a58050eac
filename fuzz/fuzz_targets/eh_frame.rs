//! Any bytes as an `.eh_frame` section.
#![no_main]

use libfuzzer_sys::fuzz_target;
use skald_elf::format::eh_frame::{Cie, EhFrame, RecordKind};

fuzz_target!(|data: &[u8]| {
    for record in EhFrame::new(data) {
        let Ok(record) = record else { break };
        if matches!(record.kind, RecordKind::Cie) {
            let _ = Cie::parse(data, &record);
        }
    }
});
