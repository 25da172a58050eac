//! Any text as a version script.
#![no_main]

use libfuzzer_sys::fuzz_target;
use skald_elf::args::version_script::VersionScript;

fuzz_target!(|data: &[u8]| {
    if let Ok(script) = VersionScript::parse("script", data) {
        let _ = script.find(b"some_name", |_| None);
    }
});
