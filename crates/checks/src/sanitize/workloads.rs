//! Large links with several numbers of threads: the generated ones whose instructions are counted,
//! and those of the benchmark whose inputs are there.

use crate::{Result, instructions};
use std::path::{Path, PathBuf};
use std::process::Command;
use xtask::{corpus, root};

/// Workloads of the benchmark.
const NAMES: [&str; 3] = ["hello-c", "hello-cxx", "clang-release"];

const THREADS: [usize; 4] = [1, 2, 3, 8];

/// Makes all links below `work`, with an environment variable; the outputs must be the same with
/// any number of threads.
pub fn link(linker: &Path, work: &Path, variable: &str, value: &str) -> Result<()> {
    let output = work.join("out");
    for (name, directory, response) in inputs(work)? {
        let mut first: Option<Vec<u8>> = None;
        for threads in THREADS {
            println!("{name}, {threads} threads");
            let mut link = Command::new(linker);
            link.current_dir(&directory).arg(format!("@{response}")).arg("-o").arg(&output);
            link.args([format!("--threads={threads}"), "--no-fork".to_owned()]);
            root::run(link.env(variable, value))?;
            let bytes = std::fs::read(&output).map_err(|e| format!("{name}: {e}"))?;
            if *first.get_or_insert_with(|| bytes.clone()) != bytes {
                return Err(format!("{name}: another output with {threads} threads"));
            }
        }
    }
    Ok(())
}

/// Name, directory and response file of each link.
fn inputs(work: &Path) -> Result<Vec<(&'static str, PathBuf, String)>> {
    let mut inputs = Vec::new();
    for (name, make) in instructions::links::LINKS {
        let directory = work.join("inputs").join(name);
        std::fs::create_dir_all(&directory).map_err(|e| format!("{}: {e}", directory.display()))?;
        make(&directory)?;
        inputs.push((name, directory, "link.rsp".to_owned()));
    }
    let cache = corpus::default_cache();
    for workload in corpus::all().into_iter().filter(|workload| NAMES.contains(&workload.name)) {
        if workload.is_ready(&cache) {
            inputs.push((workload.name, workload.path(&cache), workload.response.to_owned()));
        } else {
            println!(
                "{}: not prepared (cargo xtask bench --prepare), so not linked",
                workload.name
            );
        }
    }
    Ok(inputs)
}
