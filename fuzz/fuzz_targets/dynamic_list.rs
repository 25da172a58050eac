//! Any text as a dynamic list.
#![no_main]

use libfuzzer_sys::fuzz_target;
use skald_elf::args::dynamic_list::DynamicList;

fuzz_target!(|data: &[u8]| {
    let mut list = DynamicList::default();
    if list.add_file("list", data).is_ok() {
        list.matches(b"some_name", |_| None);
    }
});
