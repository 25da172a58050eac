//! The scan loop: one visit of a live section marks what it refers to and notes what its
//! relocations need ("ELF for the Arm Architecture", "Relocation types").

use crate::args::processors::{PlatformTypes, Target2};
use crate::format::elf::Rela;
use crate::loops::scan_loop::ScanTypes;
use crate::loops::scanning::{Reference, Scan};
use crate::machine::arm::howto::*;
use crate::machine::type_set::TypeSet;
use crate::resolve::definitions::attr;
use crate::select::scan::{Problem, need};

/// ARM's part of the scan loop.
pub struct Types;

impl ScanTypes for Types {
    const MARKS: &'static TypeSet = &TypeSet::of(MARKS);
    const COMPUTED: &'static TypeSet = &TypeSet::of(COMPUTED).and(MARKS);
    const COMPUTED_IF_FIXED: &'static TypeSet = &TypeSet::of(COMPUTED).and(MARKS).and(ABSOLUTE);
    const WORD: u32 = R_ARM_ABS32;

    fn relocation(scan: &mut Scan<'_, '_>, reference: Reference<'_>, _: Option<&Rela>) -> usize {
        relocation(scan, reference);
        0
    }
}

/// The type that stands for one whose meaning the platform decides.
pub fn meaning(types: PlatformTypes, r_type: u32) -> u32 {
    match r_type {
        R_ARM_TARGET1 if types.target1_is_relative => R_ARM_REL32,
        R_ARM_TARGET2 => match types.target2 {
            Target2::Relative => R_ARM_REL32,
            Target2::Absolute => R_ARM_ABS32_NOI,
            Target2::GotRelative => R_ARM_GOT_PREL,
        },
        _ => r_type,
    }
}

fn relocation(scan: &mut Scan<'_, '_>, reference: Reference<'_>) {
    let Reference { reloc, view, place } = reference;
    let r_type = meaning(scan.input.platform_types, reloc.r_type());
    // The symbol of these is the table itself.
    if matches!(r_type, R_ARM_BASE_PREL | R_ARM_BASE_ABS) {
        scan.out.needs_got_base = true;
    }
    if !scan.admits(view, place, false) {
        return;
    }
    if view.attributes & attr::TLS != 0 && is_plain(r_type) && scan.is_mistaken(reference) {
        return;
    }
    match r_type {
        R_ARM_ABS32 => scan.absolute_word(reference),
        R_ARM_ABS32_NOI | R_ARM_TARGET1 => scan.other_word(reference),
        R_ARM_ABS16
        | R_ARM_ABS12
        | R_ARM_ABS8
        | R_ARM_THM_ABS5
        | R_ARM_MOVW_ABS_NC
        | R_ARM_MOVT_ABS
        | R_ARM_THM_MOVW_ABS_NC
        | R_ARM_THM_MOVT_ABS
        | R_ARM_THM_ALU_ABS_G0_NC..=R_ARM_THM_ALU_ABS_G3
        | R_ARM_PLT32_ABS => scan.absolute_narrow(reference, false),
        R_ARM_REL32
        | R_ARM_REL32_NOI
        | R_ARM_LDR_PC_G0
        | R_ARM_THM_PC8
        | R_ARM_ALU_PCREL_7_0..=R_ARM_ALU_PCREL_23_15
        | R_ARM_MOVW_PREL_NC
        | R_ARM_MOVT_PREL
        | R_ARM_THM_MOVW_PREL_NC
        | R_ARM_THM_MOVT_PREL
        | R_ARM_THM_ALU_PREL_11_0
        | R_ARM_THM_PC12
        | R_ARM_ALU_PC_G0_NC..=R_ARM_LDC_PC_G2 => {
            if !scan.has_no_address(view) {
                scan.distance(reference, false);
            }
        }
        R_ARM_PC24
        | R_ARM_PLT32
        | R_ARM_CALL
        | R_ARM_JUMP24
        | R_ARM_XPC25
        | R_ARM_PREL31
        | R_ARM_THM_CALL
        | R_ARM_THM_XPC22
        | R_ARM_THM_JUMP24
        | R_ARM_THM_JUMP19
        | R_ARM_THM_JUMP11
        | R_ARM_THM_JUMP8
        | R_ARM_THM_JUMP6
        | R_ARM_THM_BF16..=R_ARM_THM_BF18 => scan.branch(reference),
        // The distance from the segment that code keeps the address of.
        R_ARM_SBREL32
        | R_ARM_SBREL31
        | R_ARM_LDR_SBREL_11_0_NC..=R_ARM_ALU_SBREL_27_20_CK
        | R_ARM_ALU_SB_G0_NC..=R_ARM_THM_MOVW_BREL => scan.distance(reference, false),
        _ => of_got(scan, reference, r_type),
    }
}

/// A reference through the GOT, or to it.
fn of_got(scan: &mut Scan<'_, '_>, reference: Reference<'_>, r_type: u32) {
    let Reference { view, place, .. } = reference;
    match r_type {
        R_ARM_GOTOFF32 | R_ARM_GOTOFF12 => {
            scan.out.needs_got_base = true;
            if view.is_imported() || view.is_local_ifunc() {
                scan.distance(reference, false);
            } else if view.attributes & attr::UNDEF_WEAK == 0 {
                scan.steady_distance(view, place);
            }
        }
        R_ARM_BASE_PREL => {}
        R_ARM_BASE_ABS if scan.input.shape.is_pic => scan.report(place, Problem::NeedsPic),
        R_ARM_BASE_ABS => {}
        R_ARM_GOT_BREL | R_ARM_GOT_BREL12 | R_ARM_THM_GOT_BREL12 => {
            scan.out.needs_got_base = true;
            scan.need(reference, need::GOT);
        }
        R_ARM_GOT_PREL => scan.need(reference, need::GOT),
        R_ARM_GOT_ABS if scan.input.shape.is_pic => scan.report(place, Problem::NeedsPic),
        R_ARM_GOT_ABS => scan.need(reference, need::GOT),
        _ => thread_local(scan, reference),
    }
}

/// Whether a type treats the symbol as a plain one.
fn is_plain(r_type: u32) -> bool {
    !is_thread_local(r_type)
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
    match r_type {
        R_ARM_TLS_GD32 => scan.need(reference, need::TLSGD),
        R_ARM_TLS_LDM32 => scan.out.needs_tlsld = true,
        R_ARM_TLS_LDO32 | R_ARM_TLS_LDO12 => scan.own_block(view, place),
        R_ARM_TLS_IE32 | R_ARM_TLS_IE12GP => {
            scan.out.needs_got_base |= r_type == R_ARM_TLS_IE12GP;
            scan.out.has_static_tls |= scan.input.shape.is_shared;
            scan.need(reference, need::GOTTP);
        }
        R_ARM_TLS_LE32 => scan.thread_offset(view, place, true),
        R_ARM_TLS_LE12 => scan.thread_offset(view, place, false),
        R_ARM_TLS_GOTDESC => {
            let model = scan.tls_model(view);
            scan.need_model(reference, model, need::TLSDESC);
        }
        R_ARM_TLS_CALL
        | R_ARM_THM_TLS_CALL
        | R_ARM_TLS_DESCSEQ
        | R_ARM_THM_TLS_DESCSEQ16
        | R_ARM_THM_TLS_DESCSEQ32 => {}
        _ => scan.report(place, Problem::UnknownType),
    }
}
