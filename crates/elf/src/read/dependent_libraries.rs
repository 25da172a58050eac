//! `.deplibs`: libraries that objects name themselves (LLVM's `#pragma comment(lib, "NAME")`).
//!
//! The set of linked objects is known after extraction. Then extraction resumes with their
//! libraries, behind all inputs, until no more libraries are named.

use crate::args::Options;
use crate::args::options::{Input, InputName};
use crate::read::candidates::Candidates;
use crate::read::{FileId, ObjectFile};
use skald_core::diag::Diag;
use skald_core::perturb::shuffled;
use std::path::{Path, PathBuf};

/// Adds to `late` the libraries that `taken` objects name.
pub fn add<'a>(
    late: &mut Vec<Input>,
    options: &Options,
    candidates: &Candidates,
    taken: impl Iterator<Item = &'a (FileId, Box<ObjectFile>)>,
    diag: &Diag,
) {
    if options.no_dependent_libraries {
        return;
    }
    let mut naming: Vec<_> =
        taken.filter(|(_, object)| !object.dependent_libraries.is_empty()).collect();
    shuffled(&mut naming).sort_unstable_by_key(|(file, _)| *file);
    for (file, object) in naming {
        for name in object.dependent_library_names() {
            let Some(what) = find(options, &name) else {
                let by = candidates.display_name(*file);
                let text = "unable to find library from dependent library specifier";
                diag.error((0, u64::from(file.number())), format!("{by}: {text}: {name}"));
                continue;
            };
            if !options.inputs.iter().any(|input| input.what == what) {
                late.push(Input::unnamed(what, options.is_static));
            }
        }
    }
}

/// The input that `name` means: a library as after `-l`, a file in a library directory, or a path.
fn find(options: &Options, name: &str) -> Option<InputName> {
    let is_there = |file: &str| options.library_paths.iter().any(|dir| dir.join(file).is_file());
    let archive = format!("lib{name}.a");
    if (!options.is_static && is_there(&format!("lib{name}.so"))) || is_there(&archive) {
        return Some(InputName::Library(name.to_owned()));
    }
    if is_there(name) {
        return Some(InputName::Library(format!(":{name}")));
    }
    Path::new(name).is_file().then(|| InputName::Path(PathBuf::from(name)))
}
