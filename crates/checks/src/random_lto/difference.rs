//! The differences between skald's and GNU ld's links of a program.

use super::links::Made;
use super::program::Program;
use crate::Result;
use skald_testkit::machine::Machine;
use skald_testkit::structure;
use skald_verify::output_file::OutputFile;
use std::path::Path;

/// The first unintended difference: in what the program prints, in the structure of the outputs, or
/// in the resolutions that the plugin was told. The outputs are below `directory`, in `skald` and
/// `gnu`.
pub fn find(
    machine: &Machine,
    program: &Program,
    directory: &Path,
    ours: &Made,
    theirs: &Made,
) -> Result<Option<String>> {
    if ours.printed != theirs.printed {
        let (ours, theirs) = (&ours.printed, &theirs.printed);
        return Ok(Some(format!("\n  skald  {ours}\n  GNU ld {theirs}")));
    }
    if !program.is_told_alike() {
        return Ok(None);
    }
    for output in ours.outputs.iter().filter(|_| !program.is_static()) {
        let read = |by: &str| OutputFile::read(&directory.join(by).join(output));
        let mut found = structure::unexplained(&ours.text, &read("skald")?, &read("gnu")?);
        found.retain(|one| !is_meant(output, one) && !is_of_machine(machine, one));
        if !found.is_empty() {
            let found: String = found.iter().map(|one| format!("\n  {one}")).collect();
            return Ok(Some(format!("{output}: by structure{found}")));
        }
    }
    Ok(of_told(program, &ours.told, &theirs.told))
}

/// The first difference in what the plugin was told.
fn of_told(program: &Program, ours: &str, theirs: &str) -> Option<String> {
    // For a reference to a wrapped name, GNU ld gives the resolution of the function that takes its
    // place; to LLVM's plugin it does not report wrapping.
    let name = &program.wrapped;
    let is_wrapped =
        |line: &&str| !name.is_empty() && (program.is_clang || line.ends_with(&format!(" {name}")));
    // GNU ld takes a library's versioned definition for undefined if the reference came first.
    let [ours, theirs] = [ours, theirs].map(|told| {
        if program.has_versions() {
            told.replace(" RESOLVED_DYN ", " UNDEF ")
        } else {
            told.to_owned()
        }
    });
    let mut ours = ours.lines().filter(|line| !is_wrapped(line));
    let mut theirs = theirs.lines().filter(|line| !is_wrapped(line));
    loop {
        match (ours.next(), theirs.next()) {
            (None, None) => return None,
            (ours, theirs) if ours == theirs => {}
            (ours, theirs) => {
                let [ours, theirs] = [ours, theirs].map(|line| line.unwrap_or("nothing more"));
                return Some(format!(
                    "the plugin is told\n  by skald  {ours}\n  by GNU ld {theirs}"
                ));
            }
        }
    }
}

/// Whether a difference in structure is what GNU ld does for AArch64 alone: loads from the GOT
/// stay, and so do their words. Section symbols without names are exported.
fn is_of_machine(machine: &Machine, difference: &str) -> bool {
    let of_theirs = difference.ends_with(": there at all: no | ld: yes");
    let is = |start: &&str| difference.starts_with(start);
    !machine.is_x86() && of_theirs && ["relocation RELATIVE ", "export : "].iter().any(is)
}

/// Whether a difference in structure is one of GNU ld's leftovers from before the compiled code was
/// there. These are dynamic relocations of what is the program's own by then, a name without its
/// section, commons that nothing refers to, and an export for a library's reference to a wrapped
/// function. Or it is a name that code defines, too, whose intermediate code has been inlined
/// everywhere, or a resolver that nothing calls or that has another name besides.
fn is_meant(output: &str, difference: &str) -> bool {
    let of_ours = difference.ends_with(": there at all: yes | ld: no");
    let of_theirs = difference.ends_with(": there at all: no | ld: yes");
    let is = |start: &&str| difference.starts_with(start);
    let own = [
        "relocation JUMP_SLOT __tls_get_addr@",
        "relocation TPOFF64 ",
        "relocation TLS_TPOFF",
        "relocation R_386_NONE ",
    ];
    let of_program =
        ["relocation GLOB_DAT ", "relocation COPY ", "word ", "export __wrap_", "symbol "];
    of_theirs && own.iter().any(is)
        || of_theirs && output == "out" && of_program.iter().any(is)
        || of_ours && ["symbol ", "unwind "].iter().any(is)
        || is(&"unwind ") && difference.ends_with(" covered: yes; yes | ld: yes")
        || difference == "header ELF: osabi: 0 | ld: 3"
        || is(&"relocation IRELATIVE ")
        || is(&"symbol also: ") && difference.ends_with(" section: .text | ld: ABS")
}
