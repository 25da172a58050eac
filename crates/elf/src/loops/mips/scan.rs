//! MIPS's part of the scan loop: what each relocation needs.

use super::formula::{Formula, formula};
use super::words::{self, Word};
use crate::format::elf::Rela;
use crate::loops::scan_loop::ScanTypes;
use crate::loops::scanning::{Reference, Scan};
use crate::machine::mips::howto::{ABSOLUTE, COMPUTED, MARKS, is_thread_local};
use crate::machine::mips::numbers::*;
use crate::machine::type_set::TypeSet;
use crate::read::object_file::SectionFlags;
use crate::resolve::definitions::attr;
use crate::select::scan::{Problem, SymbolView, need};
use object::elf::*;

/// The n64 ABI.
pub const N64: u8 = 0;
/// The n32 ABI.
pub const N32: u8 = 1;
/// The o32 ABI.
pub const O32: u8 = 2;

/// The part of the scan loop, for an ABI.
pub struct Types<const ABI: u8>;

impl<const ABI: u8> ScanTypes for Types<ABI> {
    const MARKS: &'static TypeSet = &TypeSet::of(MARKS);
    const COMPUTED: &'static TypeSet = &TypeSet::of(COMPUTED).and(MARKS);
    const COMPUTED_IF_FIXED: &'static TypeSet = &TypeSet::of(COMPUTED).and(MARKS).and(ABSOLUTE);
    const WORD: u32 = if ABI == N64 { R_MIPS_64 } else { R_MIPS_32 };
    const HAS_IFUNC: bool = false;
    const HAS_RELATIVE_FRAMES: bool = true;

    fn relocation(scan: &mut Scan<'_, '_>, reference: Reference<'_>, next: Option<&Rela>) -> usize {
        relocation(scan, reference, Self::WORD);
        // Further steps on the same field refer to nothing.
        let has_step =
            ABI == N32 && next.is_some_and(|next| words::continues(reference.reloc, next));
        usize::from(has_step)
    }
}

fn relocation(scan: &mut Scan<'_, '_>, reference: Reference<'_>, word: u32) {
    let Reference { reloc, view, place } = reference;
    if reloc.r_sym() == 0 {
        return;
    }
    if !scan.admits(view, place, false) {
        return;
    }
    if special_symbol(reloc.r_type()) != 0 {
        return scan.report(place, Problem::UnknownType);
    }
    // The first step has the symbol.
    let [r_type, ..] = parts(reloc.r_type());
    if view.attributes & attr::TLS != 0
        && !is_thread_local(r_type)
        && !matches!(formula(r_type), Formula::Rest | Formula::Hint)
        && scan.is_mistaken(reference)
    {
        return;
    }
    match formula(r_type) {
        // The distance takes its place.
        Formula::Address if r_type == word && is_relative_frame(scan, view) => {}
        Formula::Address if r_type == word => scan.absolute_word(reference),
        Formula::Address => scan.absolute_narrow(reference, false),
        Formula::High | Formula::Low => absolute_part(scan, reference),
        Formula::Jump => absolute_branch(scan, reference),
        Formula::Branch => branch(scan, reference),
        Formula::Distance => distance(scan, reference),
        // Small data is the program's own, and so is what a function finds the pointer by.
        Formula::FromPointer if view.is_imported() && words::is_here(view) => {}
        Formula::FromPointer if view.is_imported() && scan.input.shape.is_shared => {
            scan.report(place, Problem::NeedsPic);
        }
        Formula::FromPointer => scan.place_in_page(reference),
        Formula::Word => load(scan, reference, r_type),
        Formula::Rest | Formula::Hint => {}
        Formula::Other => thread_local(scan, reference, r_type),
    }
}

/// Whether a word of `.eh_frame` has the distance to its target.
fn is_relative_frame(scan: &Scan<'_, '_>, view: SymbolView) -> bool {
    scan.input.shape.is_pic && scan.flags.has(SectionFlags::EH_FRAME) && words::is_here(view)
}

/// A load from the GOT.
fn load(scan: &mut Scan<'_, '_>, reference: Reference<'_>, r_type: u32) {
    let Reference { reloc, view, .. } = reference;
    match words::word_of(r_type, view, reloc.r_addend()) {
        Word::Symbol => scan.need(reference, need::GOT),
        Word::Sum => {
            let placed = (scan.object, reloc.symbol(), reloc.r_addend());
            if scan.out.placed.last() != Some(&placed) {
                scan.out.placed.push(placed);
            }
        }
        Word::Page => {
            if let Some(section) = view.value_base.section()
                && scan.out.paged.last() != Some(&section)
            {
                scan.out.paged.push(section);
            }
        }
    }
}

/// A jump within 256 MiB of memory, which code that can be anywhere does not have.
fn absolute_branch(scan: &mut Scan<'_, '_>, reference: Reference<'_>) {
    if scan.input.shape.is_pic && !reference.view.is_constant() {
        return scan.report(reference.place, Problem::NeedsPic);
    }
    branch(scan, reference);
}

/// A branch. There is no PLT for position-independent code, which calls through the GOT.
fn branch(scan: &mut Scan<'_, '_>, reference: Reference<'_>) {
    if scan.input.shape.is_pic && reference.view.is_imported() {
        return scan.report(reference.place, Problem::NeedsPic);
    }
    scan.branch(reference);
}

fn distance(scan: &mut Scan<'_, '_>, reference: Reference<'_>) {
    let view = reference.view;
    if scan.input.shape.is_pic && view.is_imported() && view.attributes & attr::FUNC != 0 {
        return scan.report(reference.place, Problem::NeedsPic);
    }
    if scan.has_no_address(view) {
        return;
    }
    scan.distance(reference, false);
}

/// Half of an address, or of the distance to the global pointer.
fn absolute_part(scan: &mut Scan<'_, '_>, reference: Reference<'_>) {
    let Reference { reloc, view, .. } = reference;
    if words::is_pointer_distance(scan.input.objects, scan.object, reloc.symbol(), view) {
        return;
    }
    // The lower half of what was loaded from the GOT is a distance from a page.
    let is_low = matches!(reloc.r_type(), R_MIPS_LO16 | R_MICROMIPS_LO16);
    if is_low && scan.input.shape.is_pic && view.name().is_none() {
        return;
    }
    scan.absolute_narrow(reference, false);
}

fn thread_local(scan: &mut Scan<'_, '_>, reference: Reference<'_>, r_type: u32) {
    let Reference { view, place, .. } = reference;
    if !is_thread_local(r_type) {
        return scan.report(place, Problem::UnknownType);
    }
    if scan.is_not_thread_local(view, place) {
        return;
    }
    match r_type {
        R_MIPS_TLS_GD | R_MICROMIPS_TLS_GD => scan.need(reference, need::TLSGD),
        R_MIPS_TLS_LDM | R_MICROMIPS_TLS_LDM => scan.out.needs_tlsld = true,
        R_MIPS_TLS_GOTTPREL | R_MICROMIPS_TLS_GOTTPREL => {
            scan.out.has_static_tls |= scan.input.shape.is_shared;
            scan.need(reference, need::GOTTP);
        }
        R_MIPS_TLS_DTPREL32
        | R_MIPS_TLS_DTPREL64
        | R_MIPS_TLS_DTPREL_HI16
        | R_MIPS_TLS_DTPREL_LO16
        | R_MICROMIPS_TLS_DTPREL_HI16
        | R_MICROMIPS_TLS_DTPREL_LO16 => scan.own_block(view, place),
        _ => {
            let has_dynamic = matches!(r_type, R_MIPS_TLS_TPREL32 | R_MIPS_TLS_TPREL64)
                && scan.flags.has(SectionFlags::ALLOC);
            scan.thread_offset(view, place, has_dynamic);
        }
    }
}
