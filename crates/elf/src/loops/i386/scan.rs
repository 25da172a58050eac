//! The scan loop: one visit of a live section marks what it refers to and notes what its
//! relocations need (i386 psABI, "Relocation" and "Dynamic Linking").
//!
//! Whatever this loop decides to relax, `apply_any.rs` relaxes by the same functions of
//! [`super::decide`].

use super::branch::BRANCHES;
use super::{decide, tls};
use crate::format::elf::{Rela, SymbolId};
use crate::loops::scanning::{self, Range, Reference, Scan};
use crate::loops::tls_model::TlsModel;
use crate::machine::i386::howto::*;
use crate::read::object_file::{InputSection, SectionFlags};
use crate::read::rel_in_place::{Entry, InPlace};
use crate::resolve::definitions::{SectionId, attr};
use crate::resolve::referent::PackedReferent;
use crate::select::marker::{Follow, Marker};
use crate::select::scan::{Problem, ScanInput, ScanOutput, need};
use object::elf::*;
use skald_core::ids::{IdSlice, OptionalId};
use std::sync::atomic::Ordering;

/// Types that need nothing from the scan if the symbol is defined in this output and not
/// preemptible: the field is computed when it is written. `R_386_GOTOFF` needs the GOT.
const COMPUTED: u64 = 1 << R_386_NONE
    | 1 << R_386_PC32
    | 1 << R_386_PLT32
    | 1 << R_386_GOTOFF
    | 1 << R_386_PC16
    | 1 << R_386_PC8
    | 1 << R_386_16
    | 1 << R_386_8
    | 1 << R_386_SIZE32;
/// Likewise, if the output is at fixed addresses.
const ABSOLUTE: u64 = 1 << R_386_32;

/// [`scan_range`] where references are followed.
pub fn follow(
    input: &ScanInput<'_>,
    id: SectionId,
    section: &InputSection,
    relocs: &[Rela],
    first: u32,
    out: &mut ScanOutput,
    marker: &mut Follow<'_>,
) {
    scan_range(input, id, section, relocs, first, out, marker);
}

/// [`scan_in_place`] where references are followed.
pub fn follow_in_place(
    input: &ScanInput<'_>,
    id: SectionId,
    section: &InputSection,
    relocs: InPlace<'_>,
    out: &mut ScanOutput,
    marker: &mut Follow<'_>,
) {
    scan_in_place(input, id, section, relocs, out, marker);
}

/// Scans the relocations of a section as the file has them.
#[inline(always)]
pub fn scan_in_place(
    input: &ScanInput<'_>,
    id: SectionId,
    section: &InputSection,
    relocs: InPlace<'_>,
    out: &mut ScanOutput,
    marker: &mut impl Marker,
) {
    scan_entries(input, id, section, relocs.entries, out, marker, |index, out, marker| {
        let mut buffer = Default::default();
        let (relocs, at) = relocs.around(index, is_thread_local, &mut buffer);
        let range = Range { id, section, relocs, first: (index - at) as u32 };
        scan_other(input, &range, at, out, marker)
    });
}

/// Scans `relocs`, which are those of `section` from index `first` on. Most refer to a plain
/// definition, and are done after one load from [`ScanInput::direct`]; [`relocation`] takes the
/// others.
#[inline(always)]
pub fn scan_range(
    input: &ScanInput<'_>,
    id: SectionId,
    section: &InputSection,
    relocs: &[Rela],
    first: u32,
    out: &mut ScanOutput,
    marker: &mut impl Marker,
) {
    let range = Range { id, section, relocs, first };
    scan_entries(input, id, section, relocs, out, marker, |index, out, marker| {
        scan_other(input, &range, index, out, marker)
    });
}

/// Scans relocations of either form. `other` handles one that is not plain, by its index, and
/// returns how many it has handled.
#[inline(always)]
fn scan_entries<E: Entry, M: Marker>(
    input: &ScanInput<'_>,
    id: SectionId,
    section: &InputSection,
    relocs: &[E],
    out: &mut ScanOutput,
    marker: &mut M,
    other: impl Fn(usize, &mut ScanOutput, &mut M) -> usize,
) {
    let is_pic = input.shape.is_pic;
    let plain = Plain {
        direct: input.direct(section.object),
        computed: if is_pic { COMPUTED } else { COMPUTED | ABSOLUTE },
        has_relative: is_pic && section.flags.has(SectionFlags::WRITE),
    };
    let mut seen = Seen::default();
    let mut rest = plain.scan(relocs, &mut seen, marker);
    while !rest.is_empty() {
        let handled = other(relocs.len() - rest.len(), out, marker);
        rest = plain.scan(rest.get(handled..).unwrap_or_default(), &mut seen, marker);
    }
    out.needs_got_base |= seen.got_base;
    if seen.relative != 0 {
        // `.eh_frame` is scanned record by record; other sections are visited once.
        input.relative[id].fetch_add(seen.relative, Ordering::Relaxed);
    }
}

/// What plain references of a section need together.
#[derive(Default)]
struct Seen {
    /// Words that get a relative relocation.
    relative: u32,
    /// The address of the GOT is used.
    got_base: bool,
}

/// Handles references that need no GOT or PLT entry, no message and no dynamic relocation.
struct Plain<'a> {
    direct: &'a IdSlice<SymbolId, PackedReferent>,
    /// Types below 64, as bits.
    computed: u64,
    /// Words with an address get a relative relocation: the output is position-independent.
    has_relative: bool,
}

impl Plain<'_> {
    /// Handles relocations up to the first that needs a closer look; returns those from it on.
    #[inline(always)]
    fn scan<'r, E: Entry>(
        &self,
        mut relocs: &'r [E],
        seen: &mut Seen,
        marker: &mut impl Marker,
    ) -> &'r [E] {
        while let [reloc, rest @ ..] = relocs {
            let direct = self.direct.get(reloc.symbol());
            let Some(target) = direct.and_then(|direct| direct.section()) else { break };
            let r_type = reloc.r_type();
            if r_type != R_386_PC32 && r_type != R_386_PLT32 {
                let is_relative = r_type == R_386_32 && self.has_relative;
                let is_computed = r_type < u64::BITS && self.computed >> r_type & 1 != 0;
                if !is_computed && !is_relative {
                    break;
                }
                seen.relative += u32::from(is_relative);
                seen.got_base |= r_type == R_386_GOTOFF;
            }
            marker.mark(target);
            relocs = rest;
        }
        relocs
    }
}

/// Handles the relocation at `index` of `range`, whatever it is; returns how many were handled.
#[inline(never)]
fn scan_other(
    input: &ScanInput<'_>,
    range: &Range<'_>,
    index: usize,
    out: &mut ScanOutput,
    marker: &mut impl Marker,
) -> usize {
    scanning::scan_at(input, range, index, out, marker, relocation)
}

/// Handles one relocation; returns how many of the following ones belong to it.
fn relocation(scan: &mut Scan<'_, '_>, reference: Reference<'_>, next: Option<&Rela>) -> usize {
    let Reference { reloc, view, place } = reference;
    let r_type = reloc.r_type();
    let is_mark = matches!(r_type, R_386_GNU_VTINHERIT | R_386_GNU_VTENTRY);
    if !scan.admits(view, place, is_mark) {
        return 0;
    }
    if view.attributes & attr::TLS != 0 && is_plain(r_type) && scan.is_mistaken(reference) {
        return 0;
    }
    match r_type {
        R_386_32 => scan.absolute_word(reference),
        R_386_16 | R_386_8 => {
            // Code for real mode runs where its author puts it, also as a part of a
            // position-independent program.
            if view.is_imported() || view.is_local_ifunc() {
                scan.absolute_narrow(reference, false);
            }
        }
        R_386_PC32 => distance(scan, reference),
        R_386_PC16 | R_386_PC8 => scan.distance(reference, false),
        R_386_PLT32 => scan.branch(reference),
        R_386_GOT32 | R_386_GOT32X => got_load(scan, reference),
        R_386_GOTOFF => {
            scan.out.needs_got_base = true;
            if view.is_imported() || view.is_local_ifunc() {
                distance_of_pic(scan, reference, false);
            } else if view.attributes & attr::UNDEF_WEAK == 0 {
                scan.steady_distance(view, place);
            }
            // A weak symbol that nothing defines is at address zero, as for GNU ld and lld: code
            // asks for the slot of the GOT where it compares the address.
        }
        R_386_GOTPC => scan.out.needs_got_base = true,
        R_386_SIZE32 => scan.size(view, place),
        R_386_GNU_VTINHERIT | R_386_GNU_VTENTRY => {}
        _ => return thread_local(scan, reference, next),
    }
    0
}

/// Whether a type treats the symbol as a plain one.
fn is_plain(r_type: u32) -> bool {
    !is_thread_local(r_type)
        && !matches!(r_type, R_386_SIZE32 | R_386_GNU_VTINHERIT | R_386_GNU_VTENTRY)
}

/// A distance of 32 bits, which is one that the loader can write. Code that is not
/// position-independent calls by it too, and a call does not care about the function's own address.
fn distance(scan: &mut Scan<'_, '_>, reference: Reference<'_>) {
    let Reference { reloc, view, .. } = reference;
    let is_function = view.attributes & (attr::FUNC | attr::UNDEF_WEAK) == attr::FUNC;
    let is_elsewhere = view.is_imported() && is_function || view.is_local_ifunc();
    if is_elsewhere
        && !scan.input.shape.is_pic
        && scan.flags.has(SectionFlags::EXEC)
        && (BRANCHES.is_direct)(scan.bytes, reloc)
    {
        return scan.branch(reference);
    }
    let may_write = scan.flags.has(SectionFlags::WRITE) || scan.input.allow_text_relocations;
    distance_of_pic(scan, reference, may_write);
}

/// A distance from code or from the GOT. A position-independent program cannot give a function an
/// address of its own: the PLT entry expects the address of the GOT in %ebx, which only a call
/// through the PLT has there.
fn distance_of_pic(scan: &mut Scan<'_, '_>, reference: Reference<'_>, has_dynamic: bool) {
    let Reference { view, place, .. } = reference;
    let shape = scan.input.shape;
    let is_function = view.attributes & attr::FUNC != 0;
    let is_imported = view.is_imported() && is_function && view.attributes & attr::UNDEF_WEAK == 0;
    if !shape.is_pic || !(is_imported || view.is_local_ifunc()) {
        let is_left = has_dynamic && scan.stays_in_library(view) && view.is_imported();
        match view.name().filter(|_| is_left && scan.is_writable(place)) {
            // glibc writes it in programs, too, other than R_X86_64_PC64.
            Some(name) => scan.out.symbolic.push((place, name.into())),
            None => scan.distance(reference, has_dynamic),
        }
        return;
    }
    match view.name().filter(|_| has_dynamic && is_imported && scan.is_writable(place)) {
        Some(name) => scan.out.symbolic.push((place, name.into())),
        None => scan.report(place, Problem::NeedsPic),
    }
}

fn got_load(scan: &mut Scan<'_, '_>, reference: Reference<'_>) {
    let Reference { reloc, view, place } = reference;
    let input = scan.input;
    let is_address = decide::is_got_address(scan.flags, scan.bytes, reloc);
    if is_address && input.shape.is_pic {
        // Where the GOT is, is not known.
        return scan.report(place, Problem::NeedsPic);
    }
    scan.out.needs_got_base |= !is_address;
    let found = decide::got_relaxation_of(input.relax, input.shape, view, scan.bytes, reloc);
    if found.is_none() {
        scan.need(reference, need::GOT);
    }
}

fn thread_local(scan: &mut Scan<'_, '_>, reference: Reference<'_>, next: Option<&Rela>) -> usize {
    let Reference { reloc, view, place } = reference;
    let r_type = reloc.r_type();
    if !is_thread_local(r_type) {
        scan.report(place, Problem::UnknownType);
        return 0;
    }
    if scan.is_not_thread_local(view, place) {
        return 0;
    }
    scan.out.needs_got_base |= !matches!(
        r_type,
        R_386_TLS_IE | R_386_TLS_LE | R_386_TLS_LE_32 | R_386_TLS_LDO_32 | R_386_TLS_DESC_CALL
    );
    match r_type {
        R_386_TLS_GD => return general_dynamic(scan, reference, next),
        R_386_TLS_LDM => return local_dynamic(scan, reference, next),
        R_386_TLS_IE | R_386_TLS_GOTIE | R_386_TLS_IE_32 => initial_exec(scan, reference),
        R_386_TLS_LE | R_386_TLS_LE_32 => scan.thread_offset(view, place, true),
        R_386_TLS_GOTDESC => {
            let model = scan.tls_model(view);
            scan.need_model(reference, model, need::TLSDESC);
            if model != TlsModel::Dynamic && !tls::is_descriptor_lea(scan.bytes, reloc) {
                scan.report(place, Problem::BadTlsSequence);
            }
        }
        R_386_TLS_DESC_CALL => {
            let is_rewritten = scan.tls_model(view) != TlsModel::Dynamic;
            if is_rewritten && !tls::is_descriptor_call(scan.bytes, reloc.r_offset() as usize) {
                scan.report(place, Problem::BadTlsSequence);
            }
        }
        // Offsets in the module's TLS block need nothing.
        _ => scan.own_block(view, place),
    }
    0
}

/// A load of an offset from the thread pointer. Sun's offsets are negative, and have GOT words of
/// their own.
fn initial_exec(scan: &mut Scan<'_, '_>, reference: Reference<'_>) {
    let Reference { reloc, view, place } = reference;
    let shape = scan.input.shape;
    scan.out.has_static_tls |= shape.is_shared;
    let relax = scan.relaxes_tls();
    if decide::initial_exec(shape, relax, view, scan.bytes, reloc).is_some() {
        return;
    }
    let is_negative = reloc.r_type() == R_386_TLS_IE_32;
    scan.need(reference, if is_negative { need::NEGATIVE_GOTTP } else { need::GOTTP });
    // The field holds the address of the word, which only the loader knows.
    if reloc.r_type() == R_386_TLS_IE && shape.is_pic {
        if scan.is_writable(place) {
            scan.out.symbolic.push((place, OptionalId::NONE));
        } else {
            scan.report(place, Problem::NeedsPic);
        }
    }
}

fn general_dynamic(
    scan: &mut Scan<'_, '_>,
    reference: Reference<'_>,
    next: Option<&Rela>,
) -> usize {
    let Reference { reloc, view, place } = reference;
    let model = scan.tls_model(view);
    scan.need_model(reference, model, need::TLSGD);
    if model == TlsModel::Dynamic {
        return 0;
    }
    if tls::general_dynamic(scan.bytes, reloc, next).is_none() {
        scan.report(place, Problem::BadTlsSequence);
    }
    tls::FOLLOWING
}

fn local_dynamic(scan: &mut Scan<'_, '_>, reference: Reference<'_>, next: Option<&Rela>) -> usize {
    let Reference { reloc, place, .. } = reference;
    if scan.input.shape.is_shared || !scan.relaxes_tls() {
        scan.out.needs_tlsld = true;
        return 0;
    }
    if tls::local_dynamic(scan.bytes, reloc, next).is_none() {
        scan.report(place, Problem::BadTlsSequence);
    }
    tls::FOLLOWING
}
