//! No input crashes the linker: a sample of the links of `skald_testkit::hostile`.
//!
//! `SKALD_HOSTILE_ONE_IN=1 cargo test -p skald --test hostile_input` tries all links, which takes
//! minutes. `SKALD_HOSTILE_FILTER` selects seeds and damages, and `SKALD_HOSTILE_LINKER` is the
//! path of another linker.

use skald_testkit::hostile::run::{Settings, run};
use std::path::PathBuf;

#[test]
fn damaged_files_are_refused_or_linked() {
    let variable = |name: &str| std::env::var(name).ok();
    let directory = std::env::temp_dir().join(format!("skald-hostile-{}", std::process::id()));
    let settings = Settings {
        linker: variable("SKALD_HOSTILE_LINKER")
            .map_or_else(|| PathBuf::from(env!("CARGO_BIN_EXE_skald")), PathBuf::from),
        directory: directory.clone(),
        one_in: variable("SKALD_HOSTILE_ONE_IN").map_or(97, |n| n.parse().expect("a number")),
        filter: variable("SKALD_HOSTILE_FILTER").unwrap_or_default(),
        threads: std::thread::available_parallelism().map_or(2, |n| n.get().min(4)),
    };
    let outcome = run(&settings);
    let _ = std::fs::remove_dir_all(&directory);
    let (links, findings) = outcome.unwrap();
    println!("{links} links");
    assert!(findings.is_empty(), "{} of {links} links do not end as they must", findings.len());
}
