//! The scan loop's part: what relocations need.

use crate::format::elf::Rela;
use crate::loops::scan_loop::ScanTypes;
use crate::loops::scanning::{Reference, Scan};
use crate::machine::sh::howto::*;
use crate::machine::type_set::TypeSet;
use crate::read::object_file::SectionFlags;
use crate::resolve::definitions::attr;
use crate::select::scan::{Problem, SymbolView, need};
use object::elf::*;

/// The part of the scan loop that is SH's.
pub struct Types;

impl ScanTypes for Types {
    const MARKS: &'static TypeSet = &TypeSet::of(MARKS);
    const COMPUTED: &'static TypeSet = &TypeSet::of(COMPUTED).and(MARKS);
    const COMPUTED_IF_FIXED: &'static TypeSet = &TypeSet::of(COMPUTED).and(MARKS).and(ABSOLUTE);
    const WORD: u32 = R_SH_DIR32;
    const HAS_IFUNC: bool = false;

    fn relocation(scan: &mut Scan<'_, '_>, reference: Reference<'_>, _: Option<&Rela>) -> usize {
        let Reference { reloc, view, place } = reference;
        let r_type = reloc.r_type();
        if !scan.admits(view, place, false) {
            return 0;
        }
        let is_plain = !is_thread_local(r_type);
        if view.attributes & attr::TLS != 0 && is_plain && scan.is_mistaken(reference) {
            return 0;
        }
        match r_type {
            R_SH_DIR32 if may_be_call(scan, view) => {
                scan.need(reference, need::PLT | need::CANONICAL);
            }
            R_SH_DIR32 => scan.absolute_word(reference),
            R_SH_DIR16 | R_SH_DIR8 => scan.absolute_narrow(reference, false),
            // The loader knows this one.
            R_SH_REL32 => scan.distance(reference, true),
            R_SH_DIR8WPL | R_SH_DIR8WPZ => scan.distance(reference, false),
            R_SH_PLT32 | R_SH_IND12W | R_SH_DIR8WPN => {
                // Its entry reads the GOT by the register that has its address.
                scan.out.needs_got_base |= r_type == R_SH_PLT32;
                scan.branch(reference);
            }
            R_SH_GOT32 | R_SH_GOTPLT32 | R_SH_GOT20 => {
                scan.out.needs_got_base = true;
                scan.need(reference, need::GOT);
            }
            R_SH_GOTOFF | R_SH_GOTOFF20 => {
                scan.out.needs_got_base = true;
                scan.distance(reference, false);
            }
            R_SH_GOTPC => scan.out.needs_got_base = true,
            _ => thread_local(scan, reference),
        }
        0
    }
}

/// Whether a word is the address of a protected function of a library, in code at fixed addresses.
/// Calls load such a word, and a call of a PLT entry is right. What compares addresses of the
/// function cannot be told from it, and finds those of program and library to differ, as with
/// GNU ld.
fn may_be_call(scan: &Scan<'_, '_>, view: SymbolView) -> bool {
    let is_protected = attr::FUNC | attr::PROTECTED;
    let shape = scan.input.shape;
    let is_code = scan.flags.has(SectionFlags::EXEC) && !scan.flags.has(SectionFlags::WRITE);
    let is_import = view.is_imported() && view.attributes & is_protected == is_protected;
    is_import && is_code && !shape.is_pic
}

fn thread_local(scan: &mut Scan<'_, '_>, reference: Reference<'_>) {
    let Reference { reloc, view, place } = reference;
    let r_type = reloc.r_type();
    if !is_thread_local(r_type) {
        return scan.report(place, Problem::UnknownType);
    }
    if scan.is_not_thread_local(view, place) {
        return;
    }
    scan.out.needs_got_base |= !matches!(r_type, R_SH_TLS_LDO_32 | R_SH_TLS_LE_32);
    match r_type {
        R_SH_TLS_GD_32 => scan.need(reference, need::TLSGD),
        R_SH_TLS_LD_32 => scan.out.needs_tlsld = true,
        R_SH_TLS_LDO_32 => scan.own_block(view, place),
        R_SH_TLS_IE_32 => {
            scan.out.has_static_tls |= scan.input.shape.is_shared;
            scan.need(reference, need::GOTTP);
        }
        _ => scan.thread_offset(view, place, true),
    }
}
