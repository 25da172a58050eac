//! The scan loop's part: what relocations need (psABI, "Relocation Types").

use super::decide;
use crate::format::elf::Rela;
use crate::loops::scan_loop::ScanTypes;
use crate::loops::scanning::{Reference, Scan};
use crate::machine::m68k::howto::{ABSOLUTE, COMPUTED, MARKS, is_thread_local};
use crate::machine::type_set::TypeSet;
use crate::resolve::definitions::attr;
use crate::select::scan::{Problem, need};
use object::elf::*;

/// The part of the scan loop that is m68k's.
pub struct Types;

impl ScanTypes for Types {
    const MARKS: &'static TypeSet = &TypeSet::of(MARKS);
    const COMPUTED: &'static TypeSet = &TypeSet::of(COMPUTED).and(MARKS);
    const COMPUTED_IF_FIXED: &'static TypeSet = &TypeSet::of(COMPUTED).and(MARKS).and(ABSOLUTE);
    const WORD: u32 = R_68K_32;
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
            R_68K_32 if view.is_imported() && is_call(scan, reference) => scan.branch(reference),
            R_68K_32 => scan.absolute_word(reference),
            R_68K_16 | R_68K_8 => scan.absolute_narrow(reference, false),
            // The loader knows this one.
            R_68K_PC32 => scan.distance(reference, true),
            R_68K_PC16 | R_68K_PC8 => scan.distance(reference, false),
            R_68K_PLT32 | R_68K_PLT16 | R_68K_PLT8 => scan.branch(reference),
            R_68K_PLT32O | R_68K_PLT16O | R_68K_PLT8O => scan.branch(reference),
            R_68K_GOT32..=R_68K_GOT8O => {
                scan.out.needs_got_base = true;
                let object = &scan.input.objects[scan.object];
                if r_type > R_68K_GOT8 || !decide::is_got(object, reloc.symbol()) {
                    scan.need(reference, need::GOT);
                }
            }
            _ => thread_local(scan, reference),
        }
        0
    }
}

fn is_call(scan: &Scan<'_, '_>, reference: Reference<'_>) -> bool {
    let shape = scan.input.shape;
    decide::is_call(shape, reference.view, scan.flags, scan.bytes, reference.reloc)
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
    scan.out.needs_got_base |= !matches!(r_type, R_68K_TLS_LDO32..=R_68K_TLS_LDO8)
        && !matches!(r_type, R_68K_TLS_LE32..=R_68K_TLS_LE8);
    match r_type {
        R_68K_TLS_GD32..=R_68K_TLS_GD8 => scan.need(reference, need::TLSGD),
        R_68K_TLS_LDM32..=R_68K_TLS_LDM8 => scan.out.needs_tlsld = true,
        R_68K_TLS_LDO32..=R_68K_TLS_LDO8 => scan.own_block(view, place),
        R_68K_TLS_IE32..=R_68K_TLS_IE8 => {
            scan.out.has_static_tls |= scan.input.shape.is_shared;
            scan.need(reference, need::GOTTP);
        }
        _ => scan.thread_offset(view, place, false),
    }
}
