//! Any text as a linker script.
#![no_main]

use libfuzzer_sys::fuzz_target;
use skald_elf::read::text_script::Script;

fuzz_target!(|data: &[u8]| {
    let _ = Script::parse("script", data);
});
