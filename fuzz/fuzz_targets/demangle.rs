//! Any name, demangled.
#![no_main]

use libfuzzer_sys::fuzz_target;

fuzz_target!(|data: &[u8]| {
    let _ = skald_core::demangle::demangle(data);
    let _ = skald_core::demangle::demangle_cxx(data);
});
