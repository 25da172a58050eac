//! The scan loop: one visit of a live section marks what it refers to and notes what its
//! relocations need (s390x psABI, "Relocation").

use super::decide::{self, Symbols};
use super::instruction;
use crate::format::elf::Rela;
use crate::loops::scan_loop::ScanTypes;
use crate::loops::scanning::{Reference, Scan};
use crate::loops::tls_model::{TlsModel, TlsRules};
use crate::machine::s390x::howto::*;
use crate::machine::type_set::TypeSet;
use crate::resolve::definitions::attr;
use crate::select::scan::{Problem, need};
use object::elf::*;
use skald_core::ids::OptionalId;

/// s390x's part of the scan loop.
pub struct Types;

impl ScanTypes for Types {
    const MARKS: &'static TypeSet = &TypeSet::of(&[R_390_NONE]);
    const COMPUTED: &'static TypeSet = &TypeSet::of(COMPUTED).and(&[R_390_NONE]);
    const COMPUTED_IF_FIXED: &'static TypeSet =
        &TypeSet::of(COMPUTED).and(ABSOLUTE).and(&[R_390_NONE]);
    const WORD: u32 = R_390_64;

    fn relocation(scan: &mut Scan<'_, '_>, reference: Reference<'_>, next: Option<&Rela>) -> usize {
        relocation(scan, reference, next);
        0
    }
}

fn tls(scan: &Scan<'_, '_>) -> TlsRules {
    TlsRules { shape: scan.input.shape, relax: scan.relaxes_tls() }
}

/// Handles one relocation.
fn relocation(scan: &mut Scan<'_, '_>, reference: Reference<'_>, next: Option<&Rela>) {
    let Reference { reloc, view, place } = reference;
    let r_type = reloc.r_type();
    if decide::is_call_distance(r_type) {
        let (input, object) = (scan.input, scan.object);
        let view_of = |next: &Rela| input.symbol(object, next.symbol());
        if decide::is_of_dropped_call(tls(scan), reloc, next, view_of) {
            return;
        }
    }
    let is_mark = matches!(r_type, R_390_GNU_VTINHERIT | R_390_GNU_VTENTRY);
    if !scan.admits(view, place, is_mark) || is_mark {
        return;
    }
    if view.attributes & attr::TLS != 0 && !is_thread_local(r_type) && scan.is_mistaken(reference) {
        return;
    }
    match r_type {
        R_390_64 => scan.absolute_word(reference),
        R_390_8 | R_390_12 | R_390_16 | R_390_20 | R_390_32 => {
            scan.absolute_narrow(reference, matches!(r_type, R_390_8 | R_390_16 | R_390_32));
        }
        R_390_PC12DBL | R_390_PC16 | R_390_PC16DBL | R_390_PC24DBL | R_390_PC32 | R_390_PC32DBL => {
            scan.distance(reference, false)
        }
        // A distance of 64 bits is one that the loader can write.
        R_390_PC64 => scan.distance(reference, true),
        // Compilers write `larl %r1,f@PLT` in code that is not position-independent, where all of
        // the program shall see one address.
        R_390_PLT32DBL
            if !scan.input.shape.is_shared
                && instruction::takes_address(scan.bytes, reloc.r_offset() as usize) =>
        {
            scan.distance(reference, false);
        }
        R_390_PLT12DBL | R_390_PLT16DBL | R_390_PLT24DBL | R_390_PLT32 | R_390_PLT32DBL
        | R_390_PLT64 => scan.branch(reference),
        R_390_PLTOFF16 | R_390_PLTOFF32 | R_390_PLTOFF64 => {
            scan.out.needs_got_base = true;
            if view.is_imported() || view.is_local_ifunc() {
                scan.need(reference, need::PLT);
            }
        }
        R_390_GOTENT => {
            let input = scan.input;
            let symbols = Symbols { definitions: input.definitions, objects: input.objects };
            let found = symbols.without_got(input.relax, scan.object, view, scan.bytes, reloc);
            if found.is_none() {
                scan.need(reference, need::GOT);
            }
        }
        R_390_GOT12 | R_390_GOT16 | R_390_GOT20 | R_390_GOT32 | R_390_GOT64 | R_390_GOTPLT12
        | R_390_GOTPLT16 | R_390_GOTPLT20 | R_390_GOTPLT32 | R_390_GOTPLT64 | R_390_GOTPLTENT => {
            scan.out.needs_got_base = true;
            scan.need(reference, need::GOT);
        }
        R_390_GOTOFF16 | R_390_GOTOFF32 | R_390_GOTOFF64 => {
            scan.out.needs_got_base = true;
            let is_undefined = view.attributes & attr::UNDEF_WEAK != 0;
            if view.is_imported() || view.is_local_ifunc() || is_undefined {
                scan.distance(reference, false);
            }
        }
        R_390_GOTPC | R_390_GOTPCDBL => scan.out.needs_got_base = true,
        _ if is_thread_local(r_type) => thread_local(scan, reference, next),
        _ => scan.report(place, Problem::UnknownType),
    }
}

fn thread_local(scan: &mut Scan<'_, '_>, reference: Reference<'_>, next: Option<&Rela>) {
    let Reference { reloc, view, place } = reference;
    let r_type = reloc.r_type();
    if scan.is_not_thread_local(view, place) {
        return;
    }
    let tls = tls(scan);
    let at = reloc.r_offset() as usize;
    match r_type {
        R_390_TLS_GD32 | R_390_TLS_GD64 => {
            scan.out.needs_got_base = true;
            scan.need_model(reference, tls.model(view), need::TLSGD);
        }
        R_390_TLS_GDCALL | R_390_TLS_LDCALL => {
            let is_dropped = decide::call(tls, r_type, view).is_some();
            let is_known =
                instruction::is_call(scan.bytes, at) && !decide::is_before_distance(reloc, next);
            if is_dropped && !is_known {
                scan.report(place, Problem::BadTlsSequence);
            }
        }
        R_390_TLS_LDM32 | R_390_TLS_LDM64 => {
            scan.out.needs_got_base = true;
            scan.out.needs_tlsld |= !tls.drops_module();
        }
        R_390_TLS_LOAD => {
            if tls.is_local_exec(view) && instruction::without_load(scan.bytes, at).is_none() {
                scan.report(place, Problem::BadTlsSequence);
            }
        }
        R_390_TLS_GOTIE12 | R_390_TLS_GOTIE20 | R_390_TLS_IEENT => initial_exec(scan, reference),
        R_390_TLS_GOTIE32 | R_390_TLS_GOTIE64 => {
            if tls.model(view) != TlsModel::LocalExec {
                initial_exec(scan, reference);
            }
        }
        R_390_TLS_IE32 | R_390_TLS_IE64 => {
            if tls.model(view) != TlsModel::LocalExec {
                initial_exec(scan, reference);
                address_of_word(scan, reference);
            }
        }
        R_390_TLS_LE32 | R_390_TLS_LE64 => {
            scan.thread_offset(view, place, r_type == R_390_TLS_LE64);
        }
        // Offsets in the module's TLS block need nothing.
        _ => scan.own_block(view, place),
    }
}

/// A word of the GOT with the offset from the thread pointer.
fn initial_exec(scan: &mut Scan<'_, '_>, reference: Reference<'_>) {
    scan.out.has_static_tls |= scan.input.shape.is_shared;
    scan.out.needs_got_base = true;
    scan.need(reference, need::GOTTP);
}

/// A field with the address of that word, which only the loader knows where the output may move.
fn address_of_word(scan: &mut Scan<'_, '_>, reference: Reference<'_>) {
    if !scan.input.shape.is_pic {
        return;
    }
    if reference.reloc.r_type() == R_390_TLS_IE64 && scan.is_writable(reference.place) {
        scan.out.symbolic.push((reference.place, OptionalId::NONE));
    } else {
        scan.report(reference.place, Problem::NeedsPic);
    }
}
