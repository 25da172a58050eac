//! Clang from its static libraries, the benchmark's input: the linked compiler compiles a program,
//! which runs.

use super::{Done, Place, output};
use crate::Result;
use skald_testkit::linker::Way;
use std::process::Command;
use xtask::corpus;

pub(super) fn clang(place: &Place) -> Result<Done> {
    let cache = corpus::default_cache();
    let all = corpus::all();
    let Some(workload) = all.iter().find(|workload| workload.name == "clang-release") else {
        return Err("the benchmark has no clang-release".to_owned());
    };
    if let Err(message) = workload.prepare(&cache) {
        return Ok(Done::Skipped(message));
    }
    let program = place.directory.join("clang");
    let mut link = Command::new(place.linker.directory(Way::Plain).join("ld"));
    link.arg(format!("@{}", workload.response)).arg("-o").arg(&program);
    output(link.current_dir(workload.path(&cache)))?;
    (workload.prove)(&program, &workload.path(&cache))?;
    Ok(Done::Right)
}
