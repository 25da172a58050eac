//! The scan loop: one visit of a live section marks what it refers to and notes what its
//! relocations need ("ELF for the LoongArch Architecture", "Relocations").

use super::decide::is_bound_here;
use super::instruction::Form;
use super::sequence::Code;
use super::tls::{self, TlsRewrite};
use crate::format::elf::Rela;
use crate::loops::scan_loop::ScanTypes;
use crate::loops::scanning::{Reference, Scan};
use crate::loops::tls_model::TlsModel;
use crate::machine::loongarch::howto::*;
use crate::machine::type_set::TypeSet;
use crate::resolve::definitions::attr;
use crate::select::scan::{Problem, need};
use object::elf::*;

/// LoongArch's part of the scan loop, for 64 or for 32 bits.
pub struct Types<const LA32: bool>;

impl<const LA32: bool> ScanTypes for Types<LA32> {
    const MARKS: &'static TypeSet = &TypeSet::of(MARKS);
    const COMPUTED: &'static TypeSet = &TypeSet::of(COMPUTED).and(LABELS).and(MARKS);
    const COMPUTED_IF_FIXED: &'static TypeSet =
        &TypeSet::of(COMPUTED).and(LABELS).and(MARKS).and(ABSOLUTE);
    const WORD: u32 = word_type(LA32);

    fn relocation(scan: &mut Scan<'_, '_>, reference: Reference<'_>, _: Option<&Rela>) -> usize {
        relocation::<LA32>(scan, reference);
        0
    }
}

/// The type of a word with an address.
const fn word_type(is_32: bool) -> u32 {
    if is_32 { R_LARCH_32 } else { R_LARCH_64 }
}

/// Handles one relocation.
fn relocation<const LA32: bool>(scan: &mut Scan<'_, '_>, reference: Reference<'_>) {
    let Reference { reloc, view, place } = reference;
    let r_type = reloc.r_type();
    let is_vtable_mark = matches!(r_type, R_LARCH_GNU_VTINHERIT | R_LARCH_GNU_VTENTRY);
    if !scan.admits(view, place, is_vtable_mark) || is_vtable_mark {
        return;
    }
    if view.attributes & attr::TLS != 0 && is_plain(r_type) && scan.is_mistaken(reference) {
        return;
    }
    match r_type {
        _ if r_type == word_type(LA32) => scan.absolute_word(reference),
        R_LARCH_64 => scan.absolute_word(reference),
        R_LARCH_32 | R_LARCH_ABS_HI20 | R_LARCH_SOP_PUSH_ABSOLUTE => {
            scan.absolute_narrow(reference, false);
        }
        R_LARCH_ABS_LO12 | R_LARCH_ABS64_LO20 | R_LARCH_ABS64_HI12 => {
            // The instruction with the upper part is reported, if need be.
            if !scan.input.shape.is_pic {
                scan.absolute_narrow(reference, false);
            }
        }
        R_LARCH_PCALA_HI20 => page(scan, reference),
        R_LARCH_PCALA_LO12 => {
            if is_jump(scan, reference) {
                scan.branch(reference);
            }
        }
        R_LARCH_PCREL20_S2 | R_LARCH_PCADD_HI20 => {
            if !scan.has_no_address(view) {
                scan.distance(reference, false);
            }
        }
        R_LARCH_32_PCREL | R_LARCH_64_PCREL | R_LARCH_SOP_PUSH_PCREL => {
            scan.distance(reference, false);
        }
        R_LARCH_B16
        | R_LARCH_B21
        | R_LARCH_B26
        | R_LARCH_CALL36
        | R_LARCH_CALL30
        | R_LARCH_SOP_PUSH_PLT_PCREL => scan.branch(reference),
        R_LARCH_GOT_PC_HI20 | R_LARCH_GOT_PC_LO12 => got_load::<LA32>(scan, reference),
        R_LARCH_GOT_HI20 | R_LARCH_GOT_PCADD_HI20 => scan.need(reference, need::GOT),
        R_LARCH_SOP_PUSH_GPREL => {
            scan.out.needs_got_base = true;
            scan.need(reference, need::GOT);
        }
        _ if needs_nothing(r_type) => {}
        _ if is_thread_local(r_type) => thread_local::<LA32>(scan, reference),
        _ if is_stack(r_type) => {}
        _ => scan.report(place, Problem::UnknownType),
    }
}

/// Whether a type is one of differences of places in this output, of lower parts, which refer to a
/// label, or of other parts of an address, whose upper part says what it needs.
const fn needs_nothing(r_type: u32) -> bool {
    matches!(
        r_type,
        R_LARCH_ADD8
            ..=R_LARCH_SUB64
                | R_LARCH_ADD6
                | R_LARCH_SUB6
                | R_LARCH_ADD_ULEB128
                | R_LARCH_SUB_ULEB128
                | R_LARCH_PCALA64_LO20
                | R_LARCH_PCALA64_HI12
                | R_LARCH_GOT64_PC_LO20
                | R_LARCH_GOT64_PC_HI12
                | R_LARCH_GOT_LO12
                | R_LARCH_GOT64_LO20
                | R_LARCH_GOT64_HI12
                | R_LARCH_PCADD_LO12
                | R_LARCH_GOT_PCADD_LO12
                | R_LARCH_TLS_IE_PCADD_LO12
                | R_LARCH_TLS_LD_PCADD_LO12
                | R_LARCH_TLS_GD_PCADD_LO12
                | R_LARCH_TLS_DESC_PCADD_LO12
    )
}

/// Whether a type treats the symbol as a plain one.
const fn is_plain(r_type: u32) -> bool {
    // Lower parts of GOT words may be those of thread-local variables.
    matches!(
        r_type,
        R_LARCH_32
            | R_LARCH_64
            | R_LARCH_SOP_PUSH_PCREL..=R_LARCH_SOP_PUSH_GPREL
            | R_LARCH_SOP_PUSH_PLT_PCREL
            | R_LARCH_B16..=R_LARCH_GOT_PC_HI20
            | R_LARCH_GOT_HI20
            | R_LARCH_32_PCREL
            | R_LARCH_PCREL20_S2
            | R_LARCH_64_PCREL
            | R_LARCH_CALL36
            | R_LARCH_CALL30
            | R_LARCH_PCADD_HI20
            | R_LARCH_GOT_PCADD_HI20
    )
}

/// The section's code, and the index in it of the relocation.
fn code<'a>(scan: &Scan<'a, '_>, reference: Reference<'_>) -> (Code<'a>, usize) {
    let section = &scan.input.definitions.sections[scan.section];
    let relocs = scan.input.objects[scan.object].relocs(section);
    (Code { bytes: scan.bytes, relocs }, reference.place.index as usize)
}

/// The upper part of an address, or of a function that JIRL calls, as compilers wrote it for the
/// medium code model before there was `R_LARCH_CALL36`.
fn page(scan: &mut Scan<'_, '_>, reference: Reference<'_>) {
    let view = reference.view;
    if scan.has_no_address(view) {
        return;
    }
    let (code, index) = code(scan, reference);
    let calls = code.has(index, 4, R_LARCH_PCALA_LO12)
        && code.word_behind(index, 4).is_some_and(|word| Form::JIRL.is(word));
    // A library has no address of its own for a function of another one.
    let is_function = scan.input.shape.is_shared && view.attributes & attr::FUNC != 0;
    if calls || is_function {
        return scan.branch(reference);
    }
    scan.distance(reference, false);
}

/// Whether a lower part is that of a jump.
fn is_jump(scan: &Scan<'_, '_>, reference: Reference<'_>) -> bool {
    let (code, index) = code(scan, reference);
    code.word(index).is_some_and(|word| Form::JIRL.is(word))
}

/// An instruction of a load from the GOT, which may be rewritten together with its neighbour.
fn got_load<const LA32: bool>(scan: &mut Scan<'_, '_>, reference: Reference<'_>) {
    let Reference { reloc, view, .. } = reference;
    let is_first = reloc.r_type() == R_LARCH_GOT_PC_HI20;
    // The words for `__tls_get_addr` have the same lower part.
    if !is_first && view.attributes & attr::TLS != 0 {
        return;
    }
    let is_bound = is_bound_here(scan.input.relax, scan.input.shape, view);
    let (code, index) = code(scan, reference);
    if is_bound && code.is_got_load(index, Form::load(LA32)) {
        return;
    }
    scan.need(reference, need::GOT);
    if is_bound {
        // The GOT has the word for the symbol's other loads in the section, too.
        scan.out.kept_loads.push((scan.section, reloc.symbol()));
    }
}

fn thread_local<const LA32: bool>(scan: &mut Scan<'_, '_>, reference: Reference<'_>) {
    let Reference { reloc, view, place } = reference;
    let r_type = reloc.r_type();
    if scan.is_not_thread_local(view, place) {
        return;
    }
    match r_type {
        R_LARCH_TLS_DTPREL32 | R_LARCH_TLS_DTPREL64 => scan.own_block(view, place),
        R_LARCH_TLS_TPREL32 | R_LARCH_TLS_TPREL64 => {
            let word = if LA32 { R_LARCH_TLS_TPREL32 } else { R_LARCH_TLS_TPREL64 };
            scan.thread_offset(view, place, r_type == word);
        }
        R_LARCH_TLS_LE_HI20..=R_LARCH_TLS_LE64_HI12
        | R_LARCH_TLS_LE_HI20_R..=R_LARCH_TLS_LE_LO12_R
        | R_LARCH_SOP_PUSH_TLS_TPREL => scan.thread_offset(view, place, false),
        // Local dynamic references name the variable, and get its words.
        R_LARCH_TLS_LD_PC_HI20..=R_LARCH_TLS_GD_HI20
        | R_LARCH_TLS_LD_PCREL20_S2
        | R_LARCH_TLS_GD_PCREL20_S2
        | R_LARCH_TLS_LD_PCADD_HI20
        | R_LARCH_TLS_GD_PCADD_HI20
        | R_LARCH_SOP_PUSH_TLS_GD => {
            scan.out.needs_got_base |= r_type == R_LARCH_SOP_PUSH_TLS_GD;
            need_slot(scan, reference, TlsModel::Dynamic, need::TLSGD);
        }
        R_LARCH_TLS_IE_HI20 | R_LARCH_TLS_IE_PCADD_HI20 | R_LARCH_SOP_PUSH_TLS_GOT => {
            scan.out.needs_got_base |= r_type == R_LARCH_SOP_PUSH_TLS_GOT;
            scan.out.has_static_tls |= scan.input.shape.is_shared;
            need_slot(scan, reference, TlsModel::InitialExec, need::GOTTP);
        }
        R_LARCH_TLS_DESC_HI20 | R_LARCH_TLS_DESC_PCADD_HI20 => {
            need_slot(scan, reference, TlsModel::Dynamic, need::TLSDESC);
        }
        R_LARCH_TLS_IE_PC_HI20 | R_LARCH_TLS_IE_PC_LO12 => {
            scan.out.has_static_tls |= scan.input.shape.is_shared;
            rewritable::<LA32>(scan, reference, TlsModel::InitialExec);
        }
        R_LARCH_TLS_DESC_PC_HI20
        | R_LARCH_TLS_DESC_PC_LO12
        | R_LARCH_TLS_DESC_PCREL20_S2
        | R_LARCH_TLS_DESC_LD
        | R_LARCH_TLS_DESC_CALL => rewritable::<LA32>(scan, reference, TlsModel::Dynamic),
        // Other parts of an address.
        _ => {}
    }
}

/// An instruction that may be rewritten: notes the word that it needs then, or that of the model
/// for which it was compiled.
fn rewritable<const LA32: bool>(
    scan: &mut Scan<'_, '_>,
    reference: Reference<'_>,
    compiled: TlsModel,
) {
    let (code, index) = code(scan, reference);
    let model = scan.tls_model(reference.view);
    let model = match tls::rewritten(code, index, model, None, LA32) {
        TlsRewrite::Fail => return scan.report(reference.place, Problem::BadTlsSequence),
        TlsRewrite::Keep => compiled,
        TlsRewrite::By(_) => model,
    };
    // Marks of other instructions need no slot of their own.
    let is_mark = matches!(reference.reloc.r_type(), R_LARCH_TLS_DESC_LD | R_LARCH_TLS_DESC_CALL);
    if !is_mark {
        need_slot(scan, reference, model, need::TLSDESC);
    }
}

/// Notes the slot for a thread-local variable that `model` needs. A slot is that of the variable,
/// and not of a place in it.
fn need_slot(
    scan: &mut Scan<'_, '_>,
    reference: Reference<'_>,
    model: TlsModel,
    dynamic: need::Bits,
) {
    if model != TlsModel::LocalExec && reference.reloc.r_addend() != 0 {
        scan.report(reference.place, Problem::ThreadSlotAddend);
    }
    scan.need_model(reference, model, dynamic);
}
