//! The scan loop: one visit of a live section marks what it refers to and notes what its
//! relocations need (SPARC Compliance Definition 2.4, "Relocation").

use super::decide::{self, type_of};
use super::instruction;
use crate::format::elf::Rela;
use crate::loops::scan_loop::ScanTypes;
use crate::loops::scanning::{Reference, Scan};
use crate::loops::tls_model::{TlsModel, TlsRules};
use crate::machine::sparc64::howto::*;
use crate::machine::type_set::TypeSet;
use crate::resolve::definitions::attr;
use crate::select::scan::{Problem, need};
use object::elf::*;
use skald_core::ids::OptionalId;

/// SPARC64's part of the scan loop.
pub struct Types;

impl ScanTypes for Types {
    const MARKS: &'static TypeSet = &TypeSet::of(&[R_SPARC_NONE]);
    const COMPUTED: &'static TypeSet = &TypeSet::of(COMPUTED).and(SIZES).and(&[R_SPARC_NONE]);
    const COMPUTED_IF_FIXED: &'static TypeSet =
        &TypeSet::of(COMPUTED).and(SIZES).and(ABSOLUTE).and(&[R_SPARC_NONE]);
    const WORD: u32 = R_SPARC_64;

    fn relocation(scan: &mut Scan<'_, '_>, reference: Reference<'_>, _: Option<&Rela>) -> usize {
        relocation(scan, reference);
        0
    }
}

/// Handles one relocation.
fn relocation(scan: &mut Scan<'_, '_>, reference: Reference<'_>) {
    let Reference { reloc, view, place } = reference;
    let r_type = type_of(reloc);
    let is_mark = matches!(r_type, R_SPARC_GNU_VTINHERIT | R_SPARC_GNU_VTENTRY);
    if !scan.admits(view, place, is_mark) || is_mark {
        return;
    }
    let is_plain = !is_thread_local(r_type) && !SIZES.contains(&r_type);
    if view.attributes & attr::TLS != 0 && is_plain && scan.is_mistaken(reference) {
        return;
    }
    match r_type {
        R_SPARC_64 => scan.absolute_word(reference),
        R_SPARC_UA64 => unaligned_word(scan, reference),
        R_SPARC_8 | R_SPARC_16 | R_SPARC_32 | R_SPARC_UA16 | R_SPARC_UA32 => {
            scan.absolute_narrow(reference, true);
        }
        R_SPARC_HI22 | R_SPARC_22 | R_SPARC_13 | R_SPARC_LO10 | R_SPARC_10 | R_SPARC_11
        | R_SPARC_OLO10 | R_SPARC_HH22 | R_SPARC_HM10 | R_SPARC_LM22 | R_SPARC_7 | R_SPARC_5
        | R_SPARC_6 | R_SPARC_HIX22 | R_SPARC_LOX10 | R_SPARC_H44 | R_SPARC_M44 | R_SPARC_L44
        | R_SPARC_REGISTER | R_SPARC_H34 => scan.absolute_narrow(reference, false),
        R_SPARC_DISP8 | R_SPARC_DISP16 | R_SPARC_DISP32 => scan.distance(reference, false),
        // A distance of 64 bits is one that the loader can write.
        R_SPARC_DISP64 => scan.distance(reference, true),
        R_SPARC_PC10 | R_SPARC_PC22 | R_SPARC_PC_HH22 | R_SPARC_PC_HM10 | R_SPARC_PC_LM22 => {
            if !scan.has_no_address(view) {
                scan.distance(reference, false);
            }
        }
        R_SPARC_WDISP30 | R_SPARC_WPLT30 | R_SPARC_WDISP22 | R_SPARC_WDISP19 | R_SPARC_WDISP16
        | R_SPARC_WDISP10 | R_SPARC_PCPLT32 | R_SPARC_PCPLT22 | R_SPARC_PCPLT10 => {
            scan.branch(reference);
        }
        R_SPARC_PLT32 | R_SPARC_PLT64 | R_SPARC_HIPLT22 | R_SPARC_LOPLT10 => {
            if scan.input.shape.is_pic {
                scan.report(place, Problem::NeedsPic);
            } else {
                scan.branch(reference);
            }
        }
        R_SPARC_GOT10 | R_SPARC_GOT13 | R_SPARC_GOT22 => {
            scan.out.needs_got_base = true;
            scan.need(reference, need::GOT);
        }
        R_SPARC_GOTDATA_HIX22 | R_SPARC_GOTDATA_LOX10 => {
            scan.out.needs_got_base = true;
            let is_undefined = view.attributes & attr::UNDEF_WEAK != 0;
            if view.is_imported() || view.is_local_ifunc() || is_undefined {
                scan.distance(reference, false);
            }
        }
        R_SPARC_GOTDATA_OP_HIX22 | R_SPARC_GOTDATA_OP_LOX10 | R_SPARC_GOTDATA_OP => {
            scan.out.needs_got_base = true;
            if !decide::is_distance(scan.input.relax, view) {
                scan.need(reference, need::GOT);
            }
        }
        R_SPARC_SIZE32 | R_SPARC_SIZE64 => scan.size(view, place),
        _ if is_thread_local(r_type) => thread_local(scan, reference),
        _ => scan.report(place, Problem::UnknownType),
    }
}

/// A word at any address. The loader has a type of its own for it, for symbols and for the base
/// address.
fn unaligned_word(scan: &mut Scan<'_, '_>, reference: Reference<'_>) {
    let Reference { view, place, .. } = reference;
    if view.is_imported() {
        return scan.absolute_word(reference);
    }
    if view.is_local_ifunc() {
        scan.need(reference, need::PLT | need::CANONICAL);
    }
    if scan.input.shape.is_pic && (view.is_local_ifunc() || view.is_relative_word(false)) {
        if scan.is_writable(place) {
            scan.out.symbolic.push((place, OptionalId::NONE));
        } else {
            scan.report(place, Problem::TextRelocation);
        }
    }
}

fn thread_local(scan: &mut Scan<'_, '_>, reference: Reference<'_>) {
    let Reference { reloc, view, place } = reference;
    let r_type = type_of(reloc);
    if scan.is_not_thread_local(view, place) {
        return;
    }
    let rules = TlsRules { shape: scan.input.shape, relax: scan.relaxes_tls() };
    let model = rules.model(view);
    if decide::must_be_replaced(rules, view, r_type) {
        let word = instruction::read(scan.bytes, reloc.r_offset() as usize);
        if word.and_then(|word| decide::replacement(rules, view, r_type, word)).is_none() {
            return scan.report(place, Problem::BadTlsSequence);
        }
    }
    match r_type {
        R_SPARC_TLS_GD_HI22 | R_SPARC_TLS_GD_LO10 => {
            scan.out.needs_got_base = true;
            scan.need_model(reference, model, need::TLSGD);
        }
        R_SPARC_TLS_LDM_HI22 | R_SPARC_TLS_LDM_LO10 => {
            scan.out.needs_got_base = true;
            scan.out.needs_tlsld |= !rules.drops_module();
        }
        R_SPARC_TLS_GD_CALL if model == TlsModel::Dynamic => scan.implied_call(place),
        R_SPARC_TLS_LDM_CALL if !rules.drops_module() => scan.implied_call(place),
        R_SPARC_TLS_IE_HI22 | R_SPARC_TLS_IE_LO10 if model != TlsModel::LocalExec => {
            scan.out.has_static_tls |= scan.input.shape.is_shared;
            scan.out.needs_got_base = true;
            scan.need(reference, need::GOTTP);
        }
        R_SPARC_TLS_LE_HIX22 | R_SPARC_TLS_LE_LOX10 => scan.thread_offset(view, place, false),
        R_SPARC_TLS_LDO_HIX22
        | R_SPARC_TLS_LDO_LOX10
        | R_SPARC_TLS_DTPOFF32
        | R_SPARC_TLS_DTPOFF64 => scan.own_block(view, place),
        // Marks of instructions that refer to what others have.
        _ => {}
    }
}
