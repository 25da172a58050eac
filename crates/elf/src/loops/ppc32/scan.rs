//! The scan loop: one visit of a live section marks what it refers to and notes what its
//! relocations need ("Power Architecture 32-bit Application Binary Interface Supplement",
//! "Relocation Types").

use super::tls;
use crate::format::elf::Rela;
use crate::loops::ppc64::instruction;
use crate::loops::scan_loop::ScanTypes;
use crate::loops::scanning::{Reference, Scan};
use crate::loops::tls_model::TlsModel;
use crate::machine::ppc32::howto::{
    self, Base, COMPUTED, COMPUTED_IF_FIXED, MARKS, Part, Row, ThreadWord, types,
};
use crate::machine::type_set::TypeSet;
use crate::read::object_file::SectionFlags;
use crate::resolve::definitions::attr;
use crate::select::scan::{Problem, SymbolView, need};

/// PowerPC's part of the scan loop.
pub struct Types;

impl ScanTypes for Types {
    const MARKS: &'static TypeSet = &TypeSet::of(MARKS);
    const COMPUTED: &'static TypeSet = &COMPUTED;
    const COMPUTED_IF_FIXED: &'static TypeSet = &COMPUTED_IF_FIXED;
    const WORD: u32 = types::ADDR32;

    fn relocation(scan: &mut Scan<'_, '_>, reference: Reference<'_>, _: Option<&Rela>) -> usize {
        let Reference { reloc, view, place } = reference;
        let r_type = reloc.r_type();
        let is_vtable = matches!(r_type, types::VTINHERIT | types::VTENTRY);
        if !scan.admits(view, place, is_vtable) || is_vtable {
            return 0;
        }
        match howto::of(r_type) {
            Some(row) if howto::is_thread_local(r_type) => thread_local(scan, reference, row),
            Some(row) => {
                plain(scan, reference, row);
                0
            }
            None => {
                scan.report(place, Problem::UnknownType);
                0
            }
        }
    }
}

/// Handles a relocation that is not for thread-local storage.
fn plain(scan: &mut Scan<'_, '_>, reference: Reference<'_>, row: &Row) {
    let Reference { reloc, view, place } = reference;
    let r_type = reloc.r_type();
    let is_address = !matches!(row.base, Base::SectionOffset | Base::Nothing);
    if view.attributes & attr::TLS != 0 && is_address && scan.is_mistaken(reference) {
        return;
    }
    let is_pic = scan.input.shape.is_pic;
    match row.base {
        Base::Absolute if matches!(r_type, types::ADDR32 | types::UADDR32) => {
            scan.absolute_word(reference);
        }
        // The instruction with the upper part is reported, if need be.
        Base::Absolute if matches!(row.part, Part::Low) && is_pic => {}
        Base::Absolute | Base::Negative | Base::Jump | Base::PltEntry => {
            scan.absolute_narrow(reference, false);
        }
        // Registers of the program have these bases.
        Base::Small => {
            if !is_pic {
                scan.absolute_narrow(reference, false);
            }
        }
        Base::ConstantSmall | Base::SmallWithRegister | Base::AnySmall => {
            scan.absolute_narrow(reference, false);
        }
        Base::Distance | Base::PltEntryDistance => {
            if !scan.has_no_address(view) {
                // The loader knows this one.
                scan.distance(reference, r_type == types::REL32);
            }
        }
        Base::Call if calls_got(scan, reference) => scan.report(place, Problem::CalledGot),
        Base::Call | Base::PicCall => scan.branch(reference),
        Base::SectionOffset => {}
        Base::Got => {
            scan.out.needs_got_base = true;
            scan.need(reference, need::GOT);
        }
        Base::PltWord => {
            scan.out.needs_got_base |= is_pic;
            if is_pic && row.part == Part::HighAdjusted && !adds_to_register(scan, reloc) {
                return scan.report(place, Problem::NeedsPic);
            }
            if has_plt_word(view) {
                scan.need(reference, need::PLT);
            } else if !scan.input.relax {
                scan.need(reference, need::GOT);
            }
        }
        Base::Nothing if is_plt_mark(r_type) => {
            if has_plt_word(view) {
                scan.need(reference, need::PLT);
            }
        }
        _ => scan.report(place, Problem::UnknownType),
    }
}

/// Whether the instruction with an upper half adds it to something, as position-independent code
/// does.
fn adds_to_register(scan: &Scan<'_, '_>, reloc: &Rela) -> bool {
    let order = scan.input.objects[scan.object].mapped.encoding.order;
    let at = usize::try_from(reloc.r_offset() & !3).unwrap_or(usize::MAX);
    instruction::read(order, scan.bytes, at).is_none_or(|word| instruction::base(word) != 0)
}

/// Whether the GOT itself is called, for the instruction before it that code for the BSS PLT finds
/// its address by.
fn calls_got(scan: &Scan<'_, '_>, reference: Reference<'_>) -> bool {
    let object = &scan.input.objects[scan.object];
    reference.view.attributes & attr::SYNTHETIC != 0
        && object.symbol_name(reference.reloc.symbol()) == b"_GLOBAL_OFFSET_TABLE_"
}

/// Whether a type marks an instruction of a call through a word of the PLT.
pub const fn is_plt_mark(r_type: u32) -> bool {
    matches!(r_type, types::PLTSEQ | types::PLTCALL)
}

/// Whether a function is called through a word that the loader, or a resolver, fills.
pub fn has_plt_word(view: SymbolView) -> bool {
    view.is_imported() || view.is_local_ifunc()
}

/// Handles a relocation for thread-local storage; returns how many of the following ones belong to
/// it.
fn thread_local(scan: &mut Scan<'_, '_>, reference: Reference<'_>, row: &Row) -> usize {
    let Reference { reloc, view, place } = reference;
    if scan.is_not_thread_local(view, place) {
        return 0;
    }
    let r_type = reloc.r_type();
    let model = scan.tls_model(view);
    let is_own_relaxed = !scan.input.shape.is_shared && scan.relaxes_tls();
    match row.base {
        Base::Nothing if r_type == types::TLS => {}
        Base::Nothing => {
            // A mark; what it is a mark of becomes an addition.
            let is_relaxed =
                if r_type == types::TLSLD { is_own_relaxed } else { model != TlsModel::Dynamic };
            return usize::from(is_relaxed);
        }
        Base::ThreadOffset => scan.thread_offset(view, place, r_type == types::TPREL32),
        Base::ModuleOffset => scan.own_block(view, place),
        Base::Thread(word) => thread_word(scan, reference, word, model, is_own_relaxed),
        _ => scan.report(place, Problem::UnknownType),
    }
    0
}

/// A reference to a word of the GOT with something thread-local.
fn thread_word(
    scan: &mut Scan<'_, '_>,
    reference: Reference<'_>,
    word: ThreadWord,
    model: TlsModel,
    is_own_relaxed: bool,
) {
    scan.out.needs_got_base = true;
    match word {
        ThreadWord::Dynamic => {
            scan.need_model(reference, model, need::TLSGD);
            if model != TlsModel::Dynamic {
                check_mark(scan, reference);
            }
        }
        ThreadWord::OwnModule if is_own_relaxed => check_mark(scan, reference),
        ThreadWord::OwnModule => scan.out.needs_tlsld = true,
        ThreadWord::Offset if model == TlsModel::LocalExec => {}
        ThreadWord::Offset => {
            scan.out.has_static_tls |= scan.input.shape.is_shared;
            scan.need(reference, need::GOTTP);
        }
        ThreadWord::ModuleOffset => scan.need(reference, need::GOTDTP),
    }
}

/// Reports a sequence that is rewritten, and whose call is not marked so that it would not be.
fn check_mark(scan: &mut Scan<'_, '_>, reference: Reference<'_>) {
    let section = scan.input.section(scan.section);
    if section.flags.has(SectionFlags::EH_FRAME) {
        return;
    }
    let relocs = scan.input.objects[scan.object].relocs(section);
    if !tls::is_marked(relocs, reference.place.index as usize) {
        scan.report(reference.place, Problem::BadTlsSequence);
    }
}
