//! Hardening: no segment is both writable and executable, the stack is not executable, code has no
//! text relocations, and the library search path has no directory where anybody may put libraries.
//!
//! Options can turn each of these off; a test that does so allows the finding explicitly.

use super::Report;
use crate::output_file::OutputFile;
use object::elf;

pub(super) fn check(file: &OutputFile, report: &mut Report) {
    for segment in &file.segments {
        let both = elf::PF_W | elf::PF_X;
        // The loader of SPARC writes code into the PLT.
        let is_usual = file.machine == elf::EM_SPARCV9 && file.section(".plt").is_some();
        let is_loose = segment.flags & both == both && !is_usual;
        match segment.kind {
            elf::PT_LOAD => report.expect("writable-code", !is_loose, || {
                format!("the segment at {:#x}", segment.address)
            }),
            elf::PT_GNU_STACK => {
                // Compilers for MIPS ask for it: kernels without an FPU run code there.
                let is_usual = file.machine == elf::EM_MIPS;
                let is_executable = segment.flags & elf::PF_X != 0;
                report.expect("executable-stack", !is_executable || is_usual, || {
                    "PT_GNU_STACK".to_owned()
                });
            }
            _ => {}
        }
    }
    for entry in &file.dynamic {
        let text = entry.text.as_deref().unwrap_or_default();
        let relocates = entry.tag == "TEXTREL"
            || entry.tag == "FLAGS" && text.split(' ').any(|flag| flag == "TEXTREL");
        report.expect("relocated-code", !relocates, || format!("DT_{}", entry.tag));
        if entry.tag == "RUNPATH" || entry.tag == "RPATH" {
            let is_anywhere =
                |place: &str| !place.starts_with('/') && !place.starts_with("$ORIGIN");
            let open = text.split(':').find(|place| is_anywhere(place));
            report.expect("open-runpath", open.is_none(), || format!("DT_{} {text}", entry.tag));
        }
    }
}
