//! A whole link of one object (or anything else) made of any bytes.
//!
//! The first byte chooses among a few command lines.
#![no_main]

use libfuzzer_sys::fuzz_target;
use skald_core::diag::{Diag, Style};
use skald_elf::args::{Action, prepare};
use std::ffi::OsString;
use std::sync::LazyLock;

static DIRECTORY: LazyLock<tempfile::TempDir> =
    LazyLock::new(|| tempfile::tempdir().expect("a temporary directory"));

const OPTIONS: &[&str] = &[
    "-static", "-pie --eh-frame-hdr", "-shared -O2 -z notext", "-static --gc-sections", "-r",
    "-shared --emit-relocs", "-static --start-lib",
];

fuzz_target!(|data: &[u8]| {
    let Some((&choice, data)) = data.split_first() else { return };
    let input = DIRECTORY.path().join("input");
    std::fs::write(&input, data).expect("the directory can be written");
    let mut argv: Vec<OsString> = vec!["skald".into(), "--threads=1".into(), "-o".into()];
    argv.push(DIRECTORY.path().join("out").into());
    let options = OPTIONS[usize::from(choice) % OPTIONS.len()];
    argv.extend(options.split(' ').map(OsString::from));
    argv.push(input.into());
    if let Ok(Action::Link { options, .. }) = prepare(&argv) {
        let diag = Diag::new(Style { no_warnings: true, ..Style::default() });
        let _ = skald_elf::link::link(&options, &diag);
    }
});
