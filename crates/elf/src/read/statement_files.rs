//! Files that statements of input sections name without a wildcard, as `crt0.o(.text)`: GNU ld links
//! them, although nothing else names them (`open_input_bfds` in `ldlang.c`).

use crate::args::{InputName, Options};
use crate::script::statements::{ArchivePattern, BodyStatement, INTERNAL, Statement};
use crate::script::text_script::{Command, ScriptInput, ScriptName, ScriptPath};
use skald_base::glob::Glob;
use std::collections::BTreeSet;
use std::ffi::OsStr;
use std::os::unix::ffi::OsStrExt;
use std::path::{Path, PathBuf};

/// The files that the command line names, and `INPUT`, `GROUP` and `STARTUP` of a script.
pub fn stated(options: &Options, commands: &[(u32, Command)]) -> BTreeSet<PathBuf> {
    let mut stated = BTreeSet::new();
    for input in &options.inputs {
        if let InputName::Path(path) = &input.what {
            stated.insert(path.clone());
        }
    }
    for (_, command) in commands {
        match command {
            Command::Input { files, .. } => {
                stated.extend(files.iter().filter_map(|file| match &file.name {
                    ScriptName::Path(named) => Some(named.path.clone()),
                    ScriptName::Library(_) => None,
                }));
            }
            Command::Startup(file) => {
                stated.insert(file.clone());
            }
            _ => {}
        }
    }
    stated
}

/// The files that patterns of `statements` name and that are not among those `stated`, in order.
pub fn unstated(statements: &[Statement], stated: &BTreeSet<PathBuf>) -> Vec<ScriptInput> {
    let bodies = statements.iter().filter_map(|statement| match statement {
        Statement::Output(output) => Some(&output.body),
        _ => None,
    });
    let names = bodies.flatten().filter_map(|statement| match statement {
        BodyStatement::Inputs(inputs) if inputs.file.archive == ArchivePattern::Any => {
            Some(&*inputs.file.name)
        }
        _ => None,
    });
    let mut seen = BTreeSet::new();
    names
        .filter(|name| Glob::is_plain(name) && **name != *INTERNAL.as_bytes())
        .map(|name| Path::new(OsStr::from_bytes(name)))
        .filter(|path| !stated.contains(*path) && seen.insert(*path))
        .map(|path| ScriptInput {
            name: ScriptName::Path(ScriptPath { path: path.to_owned(), in_sysroot: false }),
            as_needed: false,
        })
        .collect()
}
