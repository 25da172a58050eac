//! Measures the output sink: `output_strategy DIR MIB THREADS`.
//!
//! Writes a file of MIB MiB into DIR in spans of 1 MiB, copied from a source that stays in cache,
//! with every combination of new or existing file and writing or mapping; prints the medians of
//! five runs. The figures in `docs/decisions/0002-output-strategy.md` come from here.

use std::path::Path;
use std::time::Instant;

use rayon::prelude::*;
use skald_core::output::{Output, OutputPlan, permission_bits};

const SPAN: usize = 1 << 20;
const RUNS: usize = 5;

/// Milliseconds.
struct Cost {
    wall: f64,
    user: f64,
    system: f64,
}

fn main() {
    let arguments: Vec<String> = std::env::args().collect();
    let [_, dir, mib, threads] = arguments.as_slice() else {
        eprintln!("usage: output_strategy DIR MIB THREADS");
        std::process::exit(2);
    };
    let mib: usize = mib.parse().expect("MIB is a number");
    let threads = threads.parse().expect("THREADS is a number");
    rayon::ThreadPoolBuilder::new().num_threads(threads).build_global().expect("threads");
    let path = Path::new(dir).join("output");
    println!("| {mib} MiB in {dir} | wall ms | user ms | sys ms | cpu ms |\n|---|---|---|---|---|");
    for (name, kind) in [
        ("old file overwritten", Kind::Overwrite),
        ("new file", Kind::New),
        ("old file replaced", Kind::Replace),
    ] {
        for (strategy, mmap) in [("pwrite", false), ("mapping", true)] {
            let mut costs: Vec<Cost> = (0..RUNS).map(|_| run(&path, mib, kind, mmap)).collect();
            costs.sort_by(|a, b| (a.user + a.system).total_cmp(&(b.user + b.system)));
            let Cost { wall, user, system } = &costs[RUNS / 2];
            println!(
                "| {strategy}, {name} | {wall:.0} | {user:.0} | {system:.0} | {:.0} |",
                user + system
            );
        }
    }
    std::fs::remove_file(path).expect("the output");
}

#[derive(Clone, Copy, PartialEq)]
enum Kind {
    Overwrite,
    New,
    Replace,
}

fn run(path: &Path, mib: usize, kind: Kind, mmap: bool) -> Cost {
    let plan = OutputPlan {
        path: path.to_owned(),
        size: (mib * SPAN) as u64,
        mode: permission_bits(true),
        is_executable_kind: kind == Kind::Overwrite,
        atomic: false,
        mmap: Some(mmap),
    };
    if kind == Kind::New {
        let _ = std::fs::remove_file(path);
    } else if !path.exists() {
        write(&plan, mib);
    }
    // What other runs left dirty is written now and not by the run that is measured.
    rustix::fs::sync();
    let (start, before) = (Instant::now(), cpu());
    write(&plan, mib);
    let after = cpu();
    Cost {
        wall: start.elapsed().as_secs_f64() * 1e3,
        user: after.0 - before.0,
        system: after.1 - before.1,
    }
}

fn write(plan: &OutputPlan, mib: usize) {
    let source: Vec<u8> = (0..SPAN / 4).map(|i| (i * 31 % 251) as u8).collect();
    let output = Output::create(plan).expect("an output");
    (0..mib).into_par_iter().for_each(|i| {
        let fill = |span: &mut [u8]| {
            for part in span.chunks_mut(source.len()) {
                part.copy_from_slice(&source[..part.len()]);
            }
        };
        output.write_span((i * SPAN) as u64, SPAN, fill).expect("space");
    });
    output.commit().expect("a whole output");
}

/// User and system milliseconds of the process.
fn cpu() -> (f64, f64) {
    // SAFETY: getrusage fills a structure that is valid when zero.
    let usage = unsafe {
        let mut usage: libc::rusage = std::mem::zeroed();
        libc::getrusage(libc::RUSAGE_SELF, &mut usage);
        usage
    };
    let milliseconds = |t: libc::timeval| t.tv_sec as f64 * 1e3 + t.tv_usec as f64 / 1e3;
    (milliseconds(usage.ru_utime), milliseconds(usage.ru_stime))
}
