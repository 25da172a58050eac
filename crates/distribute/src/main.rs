//! A distributor for ThinLTO (`--thinlto-distributor`): reads the list of compilations that a
//! linker has written, and has a service run them that speaks the Remote Execution API
//! (<https://github.com/bazelbuild/remote-apis>), such as BuildGrid, Buildbarn or Buildfarm. What
//! the service cannot do is done here.
//!
//! [`list`] reads what is to be done and [`place`] where; [`tree`] makes of it what the API calls
//! an action, of [`blob`]s; [`remote`] speaks to the service, [`local`] compiles here; [`run`]
//! decides who does what, and [`progress`] tells.

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
