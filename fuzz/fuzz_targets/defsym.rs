//! Any text as an expression of `--defsym`.
#![no_main]

use libfuzzer_sys::fuzz_target;
use skald_elf::args::expr::Expr;

fuzz_target!(|data: &[u8]| {
    let _ = Expr::parse_text("--defsym", data);
});
