//! Which machine is linked for where no option says it: the machine that a script of `-T` names, or
//! else that of the first file of the command line that has one. Such a file may be an object, a
//! shared library, an archive by its first member, bitcode by its triple, a script by what it
//! names. Order is that of the command line, as in lld.
//!
//! `OUTPUT_FORMAT` in a script of `-T` overrides `-m`, as in GNU ld and lld: compilers always say
//! `-m`, and a script for a boot loader's 32-bit part knows better.
//!
//! Libraries of `-l` come last: their search passes over those for other machines, as GNU ld's
//! does, so the search has to know the machine. Whatever is wrong with a file is reported when it
//! is opened as an input.

use crate::args::options::MachineFrom;
use crate::args::{Input, InputName, Options};
use crate::lto::producer;
use crate::machine::Machine;
use crate::read::identify::{self, FileMachine};
use crate::script::text_script::{Command, Script, ScriptName, ScriptPath, looks_like_script};
use memchr::memmem;
use skald_core::diag::{Diag, Error, Failed, Result, WHOLE_LINK};
use skald_core::input::{self, InputFile};
use skald_linking::first_bytes;
use skald_linking::remap::Remap;
use std::path::{Path, PathBuf};

/// How deep scripts may name each other.
const MAX_DEPTH: usize = 16;

/// `options` with the machine that the files are for, or the default if no file is for one. `None`
/// if an option names one that no script overrides.
pub(super) fn options(
    options: &Options,
    diag: &Diag,
) -> std::result::Result<Option<Options>, Failed> {
    let found = if options.machine_from == MachineFrom::Option {
        let Some(found) = overriding(options) else { return Ok(None) };
        Some(found)
    } else {
        first(options).unwrap_or_else(|error| {
            diag.error(WHOLE_LINK, error.0);
            None
        })
    };
    diag.checkpoint()?;
    let (machine, from) = match found {
        Some((path, machine)) => (machine, MachineFrom::File(path)),
        None => (options.machine, MachineFrom::Nothing),
    };
    let mut found = options.clone();
    for warning in found.link_for(machine, from) {
        diag.warn(WHOLE_LINK, warning);
    }
    Ok(Some(found))
}

/// The machine, and the first file that is for it.
fn first(options: &Options) -> Result<Option<(PathBuf, &'static Machine)>> {
    let remap = Remap::new(&options.remap_inputs, &options.remap_inputs_files).unwrap_or_default();
    let scripts = options.scripts.iter().map(|script| &script.path);
    let scripts = scripts.chain(&options.default_script).cloned();
    let inputs = || options.inputs.iter().filter(|input| !input.binary && !input.just_symbols);
    let named = inputs().filter_map(|input| match &input.what {
        InputName::Path(path) => remap.apply(path).map(Path::to_owned),
        InputName::Library(_) => None,
    });
    for path in scripts.chain(named) {
        let Some(file) = open(&path) else { continue };
        match machine_of(options, &path, file.data, 0) {
            FileMachine::None => {}
            FileMachine::Known(machine) => return Ok(Some((path, machine))),
            FileMachine::Unknown => {
                let what = identify::describe_unknown_machine(file.data);
                return Err(Error(format!("{}: {what}", path.display())));
            }
        }
    }
    // The search passes over libraries for other machines, so libraries come last here.
    let mut libraries = inputs().flat_map(|input| library_places(options, input));
    Ok(libraries.find_map(|path| match machine_of(options, &path, open(&path)?.data, 0) {
        FileMachine::Known(machine) => Some((path, machine)),
        FileMachine::None | FileMachine::Unknown => None,
    }))
}

/// The script whose `OUTPUT_FORMAT` is that of another machine than `-m` names.
fn overriding(options: &Options) -> Option<(PathBuf, &'static Machine)> {
    let scripts = options.scripts.iter().map(|script| &script.path);
    scripts.chain(&options.default_script).find_map(|path| {
        let file = open(path)?;
        let own = options.machine.format.as_bytes();
        // A script that names the format of `-m` alone is not parsed twice.
        let names_another = |at| {
            let rest: &[u8] = &file.data[at..];
            let end = memchr::memchr(b')', rest).unwrap_or(rest.len());
            memmem::find(&rest[..end], own).is_none()
        };
        memmem::find_iter(file.data, b"OUTPUT_FORMAT").find(|&at| names_another(at))?;
        let includes = |_: &[u8]| Ok((String::new(), &b""[..]));
        let script = Script::parse("", file.data, &includes).ok()?;
        let mut formats = script.commands.iter().filter_map(|(_, command)| {
            Machine::by_format(command.output_format(options.format_choice)?)
        });
        let (machine, _) = formats.next()?;
        (!std::ptr::eq(machine, options.machine)).then(|| (path.clone(), machine))
    })
}

/// Where the library that an input of `-l` means may be.
fn library_places(options: &Options, input: &Input) -> Vec<PathBuf> {
    let InputName::Library(name) = &input.what else { return Vec::new() };
    let names = match name.strip_prefix(':') {
        Some(file) => vec![file.to_owned()],
        None if input.search_static => vec![format!("lib{name}.a")],
        None => vec![format!("lib{name}.so"), format!("lib{name}.a")],
    };
    let given = &options.library_paths[..options.machine_words.given_directories];
    given.iter().flat_map(|dir| names.iter().map(move |name| dir.join(name))).collect()
}

/// Opens a file; not a pipe, which could be read only once.
fn open(path: &Path) -> Option<InputFile> {
    path.is_file().then(|| input::open(path).ok()).flatten()
}

/// The machine of the file `path` with the bytes `data`. `depth`: how many scripts led to it.
fn machine_of(options: &Options, path: &Path, data: &[u8], depth: usize) -> FileMachine {
    if first_bytes::are_bitcode(data) {
        let triple = producer::triple(data);
        let machine = triple.and_then(|triple| Machine::by_triple(&triple));
        return machine.map_or(FileMachine::None, FileMachine::Known);
    }
    match identify::machine_of(data) {
        FileMachine::None if looks_like_script(data) => of_script(options, path, data, depth),
        machine => machine,
    }
}

/// The machine that a script names, or that of the first file that it names; scripts that it
/// includes are not asked. A script without one of the words that can say so is not parsed: it may
/// have very many rules.
fn of_script(options: &Options, path: &Path, text: &[u8], depth: usize) -> FileMachine {
    let words: [&[u8]; 5] = [b"OUTPUT_FORMAT", b"OUTPUT_ARCH", b"TARGET", b"INPUT", b"GROUP"];
    if depth > MAX_DEPTH || words.iter().all(|word| memmem::find(text, word).is_none()) {
        return FileMachine::None;
    }
    let includes = |_: &[u8]| Ok((String::new(), &b""[..]));
    let Ok(script) = Script::parse("", text, &includes) else { return FileMachine::None };
    let named = script.commands.iter().find_map(|(_, command)| match command {
        Command::Target(format) => Machine::by_format(format).map(|(machine, _)| machine),
        Command::OutputArch(name) => Machine::by_architecture(name),
        Command::Input { files, .. } => {
            files.iter().find_map(|file| of_named_file(options, path, &file.name, depth))
        }
        _ => {
            let format = command.output_format(options.format_choice)?;
            Machine::by_format(format).map(|(machine, _)| machine)
        }
    });
    named.map_or(FileMachine::None, FileMachine::Known)
}

/// The machine of a file that the script `script` names by its path.
fn of_named_file(
    options: &Options,
    script: &Path,
    name: &ScriptName,
    depth: usize,
) -> Option<&'static Machine> {
    let ScriptName::Path(ScriptPath { path, in_sysroot: false }) = name else { return None };
    let given = &options.library_paths[..options.machine_words.given_directories];
    let beside = script.parent().map(|directory| directory.join(path));
    let places = std::iter::once(path.clone()).chain(beside);
    let places = places.chain(given.iter().map(|directory| directory.join(path)));
    let (path, file) = places.into_iter().find_map(|path| open(&path).map(|file| (path, file)))?;
    match machine_of(options, &path, file.data, depth + 1) {
        FileMachine::Known(machine) => Some(machine),
        FileMachine::None | FileMachine::Unknown => None,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn scripts_name_a_machine() {
        let script = Path::new("script");
        for text in ["OUTPUT_FORMAT(elf64-x86-64)", "x = 1; OUTPUT_ARCH(i386:x86-64)"] {
            let machine = machine_of(&Options::default(), script, text.as_bytes(), 0);
            assert!(matches!(machine, FileMachine::Known(_)), "{text}");
        }
        for text in ["OUTPUT_FORMAT(binary)", "TARGET(default)", "INPUT(a.o)", "not a script"] {
            let machine = machine_of(&Options::default(), script, text.as_bytes(), 0);
            assert_eq!(machine, FileMachine::None, "{text}");
        }
    }
}
