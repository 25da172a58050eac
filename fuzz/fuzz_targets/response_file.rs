//! Any text as a response file.
#![no_main]

use libfuzzer_sys::fuzz_target;
use skald_elf::args::response::{Quoting, split};

fuzz_target!(|data: &[u8]| {
    for quoting in [Quoting::Posix, Quoting::Windows] {
        let _ = split(data, quoting);
    }
});
