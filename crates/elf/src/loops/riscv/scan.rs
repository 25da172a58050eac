//! The scan loop: one visit of a live section marks what it refers to and notes what its
//! relocations need ("RISC-V ABIs Specification", "Relocations").

use crate::format::elf::Rela;
use crate::loops::scan_loop::ScanTypes;
use crate::loops::scanning::{Reference, Scan};
use crate::machine::riscv::howto::{ABSOLUTE, COMPUTED, MARKS, is_thread_local};
use crate::machine::type_set::TypeSet;
use crate::resolve::definitions::attr;
use crate::select::scan::{Problem, need};
use object::elf::*;

/// RISC-V's part of the scan loop, for 64 or for 32 bits.
pub struct Types<const RV32: bool>;

impl<const RV32: bool> ScanTypes for Types<RV32> {
    const MARKS: &'static TypeSet = &TypeSet::of(MARKS);
    const COMPUTED: &'static TypeSet = &TypeSet::of(COMPUTED).and(MARKS);
    const COMPUTED_IF_FIXED: &'static TypeSet = &TypeSet::of(COMPUTED).and(MARKS).and(ABSOLUTE);
    const WORD: u32 = word_type(RV32);

    fn relocation(scan: &mut Scan<'_, '_>, reference: Reference<'_>, _: Option<&Rela>) -> usize {
        relocation::<RV32>(scan, reference);
        0
    }
}

/// The type of a word with an address.
const fn word_type(is_32: bool) -> u32 {
    if is_32 { R_RISCV_32 } else { R_RISCV_64 }
}

/// Handles one relocation.
fn relocation<const RV32: bool>(scan: &mut Scan<'_, '_>, reference: Reference<'_>) {
    let Reference { reloc, view, place } = reference;
    let r_type = reloc.r_type();
    if !scan.admits(view, place, false) {
        return;
    }
    if view.attributes & attr::TLS != 0 && is_plain(r_type) && scan.is_mistaken(reference) {
        return;
    }
    match r_type {
        _ if r_type == word_type(RV32) => scan.absolute_word(reference),
        R_RISCV_32 | R_RISCV_HI20 => scan.absolute_narrow(reference, false),
        R_RISCV_LO12_I | R_RISCV_LO12_S => {
            // The instruction with the upper part is reported, if need be.
            if !scan.input.shape.is_pic {
                scan.absolute_narrow(reference, false);
            }
        }
        R_RISCV_64 => scan.absolute_word(reference),
        R_RISCV_PCREL_HI20 => {
            if !scan.has_no_address(view) {
                scan.distance(reference, false);
            }
        }
        R_RISCV_32_PCREL => scan.distance(reference, false),
        R_RISCV_CALL | R_RISCV_CALL_PLT | R_RISCV_BRANCH | R_RISCV_JAL | R_RISCV_RVC_BRANCH
        | R_RISCV_RVC_JUMP | R_RISCV_PLT32 => scan.branch(reference),
        R_RISCV_GOT_HI20 | R_RISCV_GOT32_PCREL => scan.need(reference, need::GOT),
        // Differences of places in this output, and lower parts, which refer to a label.
        R_RISCV_ADD8..=R_RISCV_SUB64
        | R_RISCV_SUB6..=R_RISCV_SET32
        | R_RISCV_SET_ULEB128
        | R_RISCV_SUB_ULEB128
        | R_RISCV_PCREL_LO12_I
        | R_RISCV_PCREL_LO12_S
        | R_RISCV_TLSDESC_LOAD_LO12
        | R_RISCV_TLSDESC_ADD_LO12
        | R_RISCV_TLSDESC_CALL => {}
        _ => thread_local::<RV32>(scan, reference),
    }
}

/// Whether a type treats the symbol as a plain one.
const fn is_plain(r_type: u32) -> bool {
    // Lower parts and differences refer to labels.
    !is_thread_local(r_type)
        && matches!(
            r_type,
            R_RISCV_32
                | R_RISCV_64
                | R_RISCV_BRANCH..=R_RISCV_GOT_HI20
                | R_RISCV_PCREL_HI20
                | R_RISCV_HI20..=R_RISCV_LO12_S
                | R_RISCV_GOT32_PCREL
                | R_RISCV_RVC_BRANCH
                | R_RISCV_RVC_JUMP
                | R_RISCV_32_PCREL
                | R_RISCV_PLT32
        )
}

fn thread_local<const RV32: bool>(scan: &mut Scan<'_, '_>, reference: Reference<'_>) {
    let Reference { reloc, view, place } = reference;
    let r_type = reloc.r_type();
    if !is_thread_local(r_type) {
        return scan.report(place, Problem::UnknownType);
    }
    if scan.is_not_thread_local(view, place) {
        return;
    }
    match r_type {
        R_RISCV_TLS_GD_HI20 => scan.need(reference, need::TLSGD),
        R_RISCV_TLS_GOT_HI20 => {
            scan.out.has_static_tls |= scan.input.shape.is_shared;
            scan.need(reference, need::GOTTP);
        }
        R_RISCV_TLSDESC_HI20 => {
            let model = scan.tls_model(view);
            scan.need_model(reference, model, need::TLSDESC);
        }
        R_RISCV_TLS_DTPREL32 | R_RISCV_TLS_DTPREL64 => scan.own_block(view, place),
        _ => {
            let word = if RV32 { R_RISCV_TLS_TPREL32 } else { R_RISCV_TLS_TPREL64 };
            let has_dynamic = r_type == word;
            scan.thread_offset(view, place, has_dynamic);
        }
    }
}
