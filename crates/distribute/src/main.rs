//! A distributor for ThinLTO (`--thinlto-distributor`): reads the list of compilations that a
//! linker has written, and runs them on a service with the Remote Execution API
//! (<https://github.com/bazelbuild/remote-apis>), such as BuildGrid, Buildbarn or Buildfarm. Jobs
//! that the service cannot do run on this machine.
//!
//! [`list`] reads the jobs, and [`place`] finds their directories. [`tree`] makes an action of the
//! API from each job, with [`blob`]s for its content. [`remote`] is the client of the service,
//! [`local`] compiles on this machine, [`run`] decides which of the two runs a job, and
//! [`progress`] shows the progress.

mod blob;
mod input_root;
mod list;
mod local;
mod manual;
mod options;
mod progress;
mod remote;
mod run;
mod tree;

use options::{Action, Options};
use std::process::ExitCode;

fn main() -> ExitCode {
    let words: Vec<String> = std::env::args().skip(1).collect();
    let options = match Options::parse(&words, |name| std::env::var(name).ok()) {
        Ok(Action::Run(options)) => options,
        Ok(Action::Print(text)) => {
            print!("{text}");
            return ExitCode::SUCCESS;
        }
        Err(text) => {
            eprintln!("skald-distribute: {text}\n>>> see skald-distribute --help");
            return ExitCode::from(2);
        }
    };
    match run::run(&options) {
        Ok(()) => ExitCode::SUCCESS,
        Err(text) => {
            eprintln!("skald-distribute: error: {}", text.trim_end());
            ExitCode::FAILURE
        }
    }
}
