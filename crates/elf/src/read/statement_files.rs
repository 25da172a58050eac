//! Files that statements of input sections name without a wildcard, as `crt0.o(.text)`: GNU ld
//! links them at the script's place among the inputs even if nothing else names them
//! (`open_input_bfds` in `ldlang.c`).

use super::numbering::{Opened, OpenedKind};
use crate::args::{Input, InputName};
use crate::script::statements::{ArchivePattern, BodyStatement, INTERNAL, Statement};
use crate::script::text_script::{Command, ScriptInput, ScriptName, ScriptPath};
use skald_host::paths::OsStrBytes;
use skald_linking::glob::Glob;
use std::collections::BTreeSet;
use std::ffi::OsStr;
use std::path::Path;

/// The files that patterns of a script's statements name, in order, except those that the inputs
/// `before` it or the script itself name; `opened` is the result of the script.
pub fn unstated<'a>(
    before: impl Iterator<Item = &'a Input>,
    opened: &'a [Opened],
) -> Vec<ScriptInput> {
    let of_script = opened.iter().map(|opened| &opened.input);
    let stated: BTreeSet<&Path> =
        before.chain(of_script).filter_map(|input| path_of(&input.what)).collect();
    let statements = opened.iter().flat_map(|opened| match &opened.kind {
        OpenedKind::Command(_, Command::Sections(statements)) => &statements[..],
        _ => &[],
    });
    let inputs = statements.flat_map(|statement| match statement {
        Statement::Output(output) => {
            let inputs = output.body.iter().filter_map(|statement| match statement {
                BodyStatement::Inputs(inputs) => Some(&**inputs),
                _ => None,
            });
            inputs.collect()
        }
        Statement::Class(class) => class.inputs.iter().collect(),
        _ => Vec::new(),
    });
    let names = inputs
        .filter(|inputs| inputs.file.archive == ArchivePattern::Any)
        .map(|inputs| &*inputs.file.name);
    let mut seen = BTreeSet::new();
    names
        .filter(|name| Glob::is_plain(name) && **name != *INTERNAL.as_bytes())
        .map(|name| Path::new(OsStr::from_bytes(name)))
        .filter(|path| !stated.contains(path) && seen.insert(*path))
        .map(|path| ScriptInput {
            name: ScriptName::Path(ScriptPath { path: path.to_owned(), in_sysroot: false }),
            as_needed: false,
        })
        .collect()
}

/// The path of an input that is given by path.
pub fn path_of(name: &InputName) -> Option<&Path> {
    match name {
        InputName::Path(path) => Some(path),
        InputName::Library(_) => None,
    }
}
