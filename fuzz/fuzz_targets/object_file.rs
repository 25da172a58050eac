//! Any bytes as a relocatable object.
#![no_main]

use libfuzzer_sys::fuzz_target;
use skald_elf::read::ObjectFile;
use skald_elf::read::object_file::ReadRules;

fuzz_target!(|data: &[u8]| {
    let Ok(object) = ObjectFile::parse(data.to_vec().leak(), ReadRules::default()) else { return };
    for section in &object.sections {
        let _ = (object.bytes(section), object.relocs(section));
    }
    for index in 0..object.symbols.len() {
        let _ = object.symbol_fault(index);
    }
});
