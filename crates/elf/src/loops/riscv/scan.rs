//! The scan loop: one visit of a live section marks what it refers to and notes what its
//! relocations need ("RISC-V ABIs Specification", "Relocations").

use crate::format::elf::{Rela, SymbolId};
use crate::loops::scanning::{self, Range, Reference, Scan};
use crate::machine::riscv::howto::is_thread_local;
use crate::read::object_file::{InputSection, SectionFlags};
use crate::resolve::definitions::{SectionId, attr};
use crate::resolve::referent::PackedReferent;
use crate::select::marker::{Follow, Marker};
use crate::select::scan::{Problem, ScanInput, ScanOutput, need};
use object::elf::*;
use skald_core::ids::IdSlice;
use std::sync::atomic::Ordering;

/// Types that need nothing from the scan if the symbol is defined in this output and not
/// preemptible: the field is computed when it is written.
const COMPUTED: u64 = bits(&[
    R_RISCV_BRANCH,
    R_RISCV_JAL,
    R_RISCV_CALL,
    R_RISCV_CALL_PLT,
    R_RISCV_PCREL_HI20,
    R_RISCV_PCREL_LO12_I,
    R_RISCV_PCREL_LO12_S,
    R_RISCV_ADD8,
    R_RISCV_ADD16,
    R_RISCV_ADD32,
    R_RISCV_ADD64,
    R_RISCV_SUB8,
    R_RISCV_SUB16,
    R_RISCV_SUB32,
    R_RISCV_SUB64,
    R_RISCV_RVC_BRANCH,
    R_RISCV_RVC_JUMP,
    R_RISCV_SUB6,
    R_RISCV_SET6,
    R_RISCV_SET8,
    R_RISCV_SET16,
    R_RISCV_SET32,
    R_RISCV_32_PCREL,
    R_RISCV_PLT32,
    R_RISCV_SET_ULEB128,
    R_RISCV_SUB_ULEB128,
]);
/// Likewise, if the output is at fixed addresses.
const ABSOLUTE: u64 = bits(&[R_RISCV_32, R_RISCV_64, R_RISCV_HI20, R_RISCV_LO12_I, R_RISCV_LO12_S]);
/// Types that say something of the code and refer to nothing.
const MARKS: u64 = bits(&[R_RISCV_NONE, R_RISCV_RELAX, R_RISCV_ALIGN]);

const fn bits(types: &[u32]) -> u64 {
    let (mut bits, mut at) = (0, 0);
    while at < types.len() {
        bits |= 1 << types[at];
        at += 1;
    }
    bits
}

#[inline(always)]
const fn has(types: u64, r_type: u32) -> bool {
    r_type < u64::BITS && types >> r_type & 1 != 0
}

/// [`scan_range`] where references are followed.
pub fn follow<const RV32: bool>(
    input: &ScanInput<'_>,
    id: SectionId,
    section: &InputSection,
    relocs: &[Rela],
    first: u32,
    out: &mut ScanOutput,
    marker: &mut Follow<'_>,
) {
    scan_range::<RV32>(input, id, section, relocs, first, out, marker);
}

/// Scans `relocs`, which are those of `section` from index `first` on. Most refer to a plain
/// definition, and are done after one load from [`ScanInput::direct`]; [`relocation`] takes the
/// others.
#[inline(always)]
pub fn scan_range<const RV32: bool>(
    input: &ScanInput<'_>,
    id: SectionId,
    section: &InputSection,
    relocs: &[Rela],
    first: u32,
    out: &mut ScanOutput,
    marker: &mut impl Marker,
) {
    let is_pic = input.shape.is_pic;
    let plain = Plain {
        direct: input.direct(section.object),
        computed: if is_pic { COMPUTED } else { COMPUTED | ABSOLUTE },
        word: word_type(RV32),
        has_relative: is_pic && section.flags.has(SectionFlags::WRITE),
    };
    let mut relative = 0;
    let mut rest = plain.scan(relocs, &mut relative, marker);
    let range = Range { id, section, relocs, first };
    while !rest.is_empty() {
        let handled = scan_other::<RV32>(input, &range, relocs.len() - rest.len(), out, marker);
        rest = plain.scan(rest.get(handled..).unwrap_or_default(), &mut relative, marker);
    }
    if relative != 0 {
        // `.eh_frame` is scanned record by record; other sections are visited once.
        input.relative[id].fetch_add(relative, Ordering::Relaxed);
    }
}

/// The type of a word with an address.
const fn word_type(is_32: bool) -> u32 {
    if is_32 { R_RISCV_32 } else { R_RISCV_64 }
}

/// Handles references that need no GOT or PLT entry, no message and no dynamic relocation.
struct Plain<'a> {
    direct: &'a IdSlice<SymbolId, PackedReferent>,
    /// Types below 64, as bits.
    computed: u64,
    /// The type of a word with an address.
    word: u32,
    /// Words with an address get a relative relocation: the output is position-independent.
    has_relative: bool,
}

impl Plain<'_> {
    /// Handles relocations up to the first that needs a closer look; returns those from it on.
    #[inline(always)]
    fn scan<'r>(
        &self,
        mut relocs: &'r [Rela],
        relative: &mut u32,
        marker: &mut impl Marker,
    ) -> &'r [Rela] {
        while let [reloc, rest @ ..] = relocs {
            let r_type = reloc.r_type();
            if !has(MARKS, r_type) {
                let direct = self.direct.get(reloc.symbol());
                let Some(target) = direct.and_then(|direct| direct.section()) else { break };
                let is_relative = self.has_relative && r_type == self.word;
                if !is_relative && !has(self.computed, r_type) {
                    break;
                }
                *relative += u32::from(is_relative);
                marker.mark(target);
            }
            relocs = rest;
        }
        relocs
    }
}

/// Handles the relocation at `index` of `range`, whatever it is; returns how many were handled.
#[inline(never)]
fn scan_other<const RV32: bool>(
    input: &ScanInput<'_>,
    range: &Range<'_>,
    index: usize,
    out: &mut ScanOutput,
    marker: &mut impl Marker,
) -> usize {
    scanning::scan_at(input, range, index, out, marker, |scan, reference, _| {
        relocation::<RV32>(scan, reference);
        0
    })
}

/// Handles one relocation.
fn relocation<const RV32: bool>(scan: &mut Scan<'_, '_>, reference: Reference<'_>) {
    let Reference { reloc, view, place } = reference;
    let r_type = reloc.r_type();
    if has(MARKS, r_type) || !scan.admits(view, place, false) {
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
