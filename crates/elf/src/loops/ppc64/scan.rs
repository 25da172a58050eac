//! The scan loop: one visit of a live section marks what it refers to and notes what its
//! relocations need ("64-Bit ELF V2 ABI Specification", "Relocation Types").

use super::{tls, toc};
use crate::format::elf::Rela;
use crate::loops::scan_loop::ScanTypes;
use crate::loops::scanning::{Reference, Scan};
use crate::loops::tls_model::TlsModel;
use crate::machine::ppc64::howto::{
    self, Base, COMPUTED, COMPUTED_IF_FIXED, Field, MARKS, Part, Row, ThreadWord, types,
};
use crate::machine::type_set::TypeSet;
use crate::read::object_file::SectionFlags;
use crate::resolve::definitions::attr;
use crate::select::scan::{Problem, RelocId, SymbolView, need};
use skald_linking::byte_order::ByteOrder;

/// PowerPC's part of the scan loop.
pub struct Types;

impl ScanTypes for Types {
    const MARKS: &'static TypeSet = &TypeSet::of(MARKS);
    const COMPUTED: &'static TypeSet = &COMPUTED;
    const COMPUTED_IF_FIXED: &'static TypeSet = &COMPUTED_IF_FIXED;
    const WORD: u32 = types::ADDR64;

    fn relocation(scan: &mut Scan<'_, '_>, reference: Reference<'_>, _: Option<&Rela>) -> usize {
        relocation(scan, reference)
    }
}

/// Handles one relocation; returns how many of the following ones belong to it.
fn relocation(scan: &mut Scan<'_, '_>, reference: Reference<'_>) -> usize {
    let Reference { reloc, view, place } = reference;
    let r_type = reloc.r_type();
    if r_type == types::TOC {
        return toc_address(scan, place);
    }
    if r_type == types::ADDR64 && scan.input.is_gone(view) && is_common_table(scan) {
        // Nothing refers to the descriptor of a function that another copy replaces, nor to an
        // address that only such a function loads.
        return 0;
    }
    let is_vtable = matches!(r_type, types::VTINHERIT | types::VTENTRY);
    if !scan.admits(view, place, is_vtable) || is_vtable {
        return 0;
    }
    let Some(row) = howto::of(r_type) else {
        scan.report(place, Problem::UnknownType);
        return 0;
    };
    scan.out.has_new_instructions |= matches!(row.field, Field::Long34 | Field::Long28);
    if howto::is_thread_local(r_type) {
        return thread_local(scan, reference, row);
    }
    let is_address = !matches!(row.base, Base::SectionOffset | Base::Nothing);
    if view.attributes & attr::TLS != 0 && is_address && scan.is_mistaken(reference) {
        return 0;
    }
    let is_low = matches!(row.part, Part::Low);
    let is_word = r_type == types::ADDR64 && scan.flags.has(SectionFlags::WRITE);
    let is_taken =
        matches!(row.base, Base::Absolute | Base::Distance | Base::Toc | Base::LocalEntry);
    if is_taken && !is_word && has_no_entry(scan, view) {
        scan.report(place, Problem::NeedsPic);
        return 0;
    }
    match row.base {
        Base::Absolute if r_type == types::ADDR64 => scan.absolute_word(reference),
        // The instruction with the upper part is reported, if need be.
        Base::Absolute if is_low && scan.input.shape.is_pic => {}
        Base::Absolute | Base::LocalEntry | Base::Jump => scan.absolute_narrow(reference, false),
        Base::Distance => {
            if !scan.has_no_address(view) {
                scan.distance(reference, false);
            }
        }
        Base::Call | Base::CallWithoutToc => scan.branch(reference),
        Base::Toc => toc_distance(scan, reference),
        Base::SectionOffset => {}
        Base::Got => {
            scan.out.needs_got_base = true;
            scan.need(reference, need::GOT);
        }
        Base::GotDistance => {
            let input = scan.input;
            let order = order(scan);
            if !toc::is_rewritten(input.relax, order, scan.bytes, reloc, view) {
                scan.need(reference, need::GOT);
            }
        }
        Base::PltWord | Base::PltWordDistance | Base::PltWordToc => plt_word(scan, reference, row),
        Base::Nothing if is_plt_mark(r_type) => {
            if has_plt_word(view) {
                scan.need(reference, need::PLT);
            }
        }
        _ => scan.report(place, Problem::UnknownType),
    }
    0
}

/// A word with the TOC's address, which moves with the output. There is no symbol.
fn toc_address(scan: &mut Scan<'_, '_>, place: RelocId) -> usize {
    scan.out.needs_got_base = true;
    if scan.input.shape.is_pic && scan.is_writable(place) {
        scan.relative += 1;
    } else if scan.input.shape.is_pic {
        scan.report(place, Problem::TextRelocation);
    }
    0
}

/// Whether a symbol is a function of another module that has no address in this one: where
/// functions have descriptors, the loader alone knows it. All such files are big-endian.
fn has_no_entry(scan: &Scan<'_, '_>, view: SymbolView) -> bool {
    let is_function = view.is_imported() && view.attributes & attr::FUNC != 0;
    is_function && !scan.input.shape.is_shared && order(scan) == ByteOrder::Big
}

/// Whether the section is a table of all functions of its object: their descriptors, or the
/// addresses that they load.
fn is_common_table(scan: &Scan<'_, '_>) -> bool {
    let section = scan.input.section(scan.section);
    let name = scan.input.objects[scan.object].section_name(section.shndx);
    name == b".opd" || name == b".toc"
}

/// The byte order of the object that is scanned.
fn order(scan: &Scan<'_, '_>) -> ByteOrder {
    scan.input.objects[scan.object].mapped.encoding.order
}

/// Whether a type marks an instruction of a call through a word of the PLT.
pub const fn is_plt_mark(r_type: u32) -> bool {
    matches!(r_type, types::PLTSEQ | types::PLTCALL | types::PLTSEQ_NOTOC | types::PLTCALL_NOTOC)
}

/// Whether a function is called through a word that the loader, or a resolver, fills.
pub fn has_plt_word(view: SymbolView) -> bool {
    view.is_imported() || view.is_local_ifunc()
}

/// A part of the distance of something from the TOC's address.
fn toc_distance(scan: &mut Scan<'_, '_>, reference: Reference<'_>) {
    let Reference { reloc, view, .. } = reference;
    scan.out.needs_got_base = true;
    if scan.has_no_address(view) {
        return;
    }
    scan.distance(reference, false);
    let r_type = reloc.r_type();
    let Some(id) = view.value_base.section().filter(|_| scan.input.relax) else { return };
    let order = order(scan);
    if r_type != types::TOC16_HA
        && toc::is_toc(scan.input.section(id))
        && !toc::is_load(order, scan.bytes, reloc)
    {
        scan.out.kept_loads.push((scan.section, reloc.symbol()));
    }
}

/// Whether a call through a word, as the compiler wrote it out, becomes a direct one.
pub fn is_direct(relax: bool, view: SymbolView, row: &Row) -> bool {
    relax && !has_plt_word(view) && !matches!(row.field, Field::Data)
}

/// A reference to the word through which a function is called. One that needs none has a word of
/// `.got` if one is asked for.
fn plt_word(scan: &mut Scan<'_, '_>, reference: Reference<'_>, row: &Row) {
    let Reference { view, place, .. } = reference;
    scan.out.needs_got_base |= row.base == Base::PltWordToc;
    if has_plt_word(view) {
        scan.need(reference, need::PLT);
    } else if !is_direct(scan.input.relax, view, row) {
        scan.need(reference, need::GOT);
    }
    if row.base == Base::PltWord && scan.input.shape.is_pic {
        scan.report(place, Problem::NeedsPic);
    }
}

/// Handles a relocation for thread-local storage.
fn thread_local(scan: &mut Scan<'_, '_>, reference: Reference<'_>, row: &Row) -> usize {
    let Reference { reloc, view, place } = reference;
    if scan.is_not_thread_local(view, place) {
        return 0;
    }
    let r_type = reloc.r_type();
    let model = scan.tls_model(view);
    let is_own_relaxed = !scan.input.shape.is_shared && scan.relaxes_tls();
    match row.base {
        Base::Nothing => {
            // A mark; what it is a mark of becomes an addition.
            let is_relaxed =
                if r_type == types::TLSLD { is_own_relaxed } else { model != TlsModel::Dynamic };
            return usize::from(is_relaxed);
        }
        Base::ThreadOffset if row.field == Field::None => {}
        Base::ThreadOffset => {
            let has_dynamic = r_type == types::TPREL64;
            scan.thread_offset(view, place, has_dynamic);
        }
        Base::ModuleOffset => scan.own_block(view, place),
        Base::Thread(word) | Base::ThreadDistance(word) => {
            scan.out.needs_got_base |= matches!(row.base, Base::Thread(_));
            thread_word(scan, reference, word, model, is_own_relaxed);
        }
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
