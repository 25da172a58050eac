//! `.deplibs`: libraries that objects name themselves (LLVM's `#pragma comment(lib, "NAME")`).
//!
//! Which objects take part is known after extraction, so a link that meets such names reads its
//! inputs once more, with the libraries behind them; until no new name turns up.

use crate::args::options::{Input, InputName};
use crate::args::{Options, OutputKind};
use crate::read::Objects;
use crate::read::candidates::Candidates;
use skald_core::diag::Diag;
use std::path::{Path, PathBuf};

/// Adds to `added` what `objects` name and is no input yet; whether there was any.
pub fn add(
    added: &mut Vec<Input>,
    options: &Options,
    candidates: &Candidates,
    objects: &Objects,
    diag: &Diag,
) -> bool {
    if options.no_dependent_libraries || options.kind == OutputKind::Relocatable {
        return false;
    }
    let before = added.len();
    for (at, object) in objects.with_ids().filter(|(_, o)| !o.dependent_libraries.is_empty()) {
        for name in object.dependent_library_names() {
            let Some(what) = find(options, &name) else {
                let file = object.file.map(|f| candidates.display_name(f)).unwrap_or_default();
                let text = "unable to find library from dependent library specifier";
                diag.error((0, at.into()), format!("{file}: {text}: {name}"));
                continue;
            };
            if !options.inputs.iter().chain(&*added).any(|input| input.what == what) {
                added.push(Input::unnamed(what, options.is_static));
            }
        }
    }
    added.len() != before
}

/// What `name` stands for: a library as after `-l`, a file in a library directory, or a path.
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
