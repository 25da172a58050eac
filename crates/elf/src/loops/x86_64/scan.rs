//! The scan loop: one visit of a live section marks what it refers to and notes what its
//! relocations need (x86-64 psABI, "Relocation Types" and "Dynamic Linking").
//!
//! Whatever this loop decides to relax, `apply.rs` relaxes by the same functions of
//! [`super::decide`]; a decision depends on the symbol, the output's kind and the original bytes
//! only.

use super::decide;
use super::relax::{self, ShortForm};
use super::tls;
use crate::format::elf::{Rela, SymbolId};
use crate::loops::scanning::{self, Range, Reference, Scan};
use crate::loops::tls_model::TlsModel;
use crate::machine::x86_64::howto::*;
use crate::read::object_file::{InputSection, SectionFlags};
use crate::resolve::definitions::{Definition, SectionId, attr};
use crate::resolve::referent::PackedReferent;
use crate::select::marker::{Follow, Marker};
use crate::select::scan::{Problem, ScanInput, ScanOutput, need};
use object::elf::*;
use skald_core::column::prefetch;
use skald_core::ids::{IdSlice, OptionalId};
use std::sync::atomic::Ordering;

/// Relocation types below 64, as bits.
struct Types(u64);

impl Types {
    /// Types that need nothing from the scan if the symbol is defined in this output and not
    /// preemptible: the field is computed when it is written.
    const COMPUTED: u64 = 1 << R_X86_64_NONE
        | 1 << R_X86_64_PC64
        | 1 << R_X86_64_PC32
        | 1 << R_X86_64_PC16
        | 1 << R_X86_64_PC8
        | 1 << R_X86_64_PC32_BND
        | 1 << R_X86_64_PLT32
        | 1 << R_X86_64_PLT32_BND
        | 1 << R_X86_64_SIZE32
        | 1 << R_X86_64_SIZE64;
    /// Likewise, if the output is at fixed addresses.
    const ABSOLUTE: u64 = 1 << R_X86_64_64
        | 1 << R_X86_64_32
        | 1 << R_X86_64_32S
        | 1 << R_X86_64_16
        | 1 << R_X86_64_8;

    fn computed(is_pic: bool) -> Types {
        Types(if is_pic { Types::COMPUTED } else { Types::COMPUTED | Types::ABSOLUTE })
    }

    #[inline(always)]
    fn has(&self, r_type: u32) -> bool {
        r_type < u64::BITS && self.0 >> r_type & 1 != 0
    }
}

/// The type of words with an address.
#[inline(always)]
const fn word(is_x32: bool) -> u32 {
    if is_x32 { R_X86_64_32 } else { R_X86_64_64 }
}

/// [`scan_range`] where references are followed.
pub fn follow<const X32: bool>(
    input: &ScanInput<'_>,
    id: SectionId,
    section: &InputSection,
    relocs: &[Rela],
    first: u32,
    out: &mut ScanOutput,
    marker: &mut Follow<'_>,
) {
    scan_range::<X32>(input, id, section, relocs, first, out, marker);
}

/// Scans `relocs`, which are those of `section` from index `first` on.
///
/// Nine of ten refer to a plain definition, and are done after one load from
/// [`ScanInput::direct`]; calls of imports are next; [`scan_other`] takes the others.
#[inline(always)]
pub fn scan_range<const X32: bool>(
    input: &ScanInput<'_>,
    id: SectionId,
    section: &InputSection,
    relocs: &[Rela],
    first: u32,
    out: &mut ScanOutput,
    marker: &mut impl Marker,
) {
    let is_pic = input.shape.is_pic;
    let plain = Plain::<X32> {
        direct: input.direct(section.object),
        computed: Types::computed(is_pic),
        has_relative: is_pic && section.flags.has(SectionFlags::WRITE),
    };
    let mut relative = 0;
    let rest = plain.scan(relocs, &mut relative, marker);
    if !rest.is_empty() {
        let range = Range { id, section, relocs, first };
        relative += plain.scan_rest(input, &range, rest, out, marker);
    }
    if relative != 0 {
        // `.eh_frame` is scanned record by record; other sections are visited once.
        input.relative[id].fetch_add(relative, Ordering::Relaxed);
    }
}

/// Relocations ahead whose instructions are prefetched, for a look at those that may be rewritten.
const INSTRUCTION_DISTANCE: usize = 4;

/// Handles references that need no GOT or PLT entry, no message and no dynamic relocation.
struct Plain<'a, const X32: bool> {
    direct: &'a IdSlice<SymbolId, PackedReferent>,
    computed: Types,
    /// Words with an address get a relative relocation: the output is position-independent.
    has_relative: bool,
}

impl<const X32: bool> Plain<'_, X32> {
    /// Handles relocations up to the first that needs a closer look; returns those from it on.
    #[inline(always)]
    fn scan<'r>(
        &self,
        mut relocs: &'r [Rela],
        relative: &mut u32,
        marker: &mut impl Marker,
    ) -> &'r [Rela] {
        while let [reloc, rest @ ..] = relocs {
            let direct = self.direct.get(reloc.symbol());
            let Some(target) = direct.and_then(|direct| direct.section()) else { break };
            let r_type = reloc.r_type();
            if r_type != R_X86_64_PC32 && r_type != R_X86_64_PLT32 {
                let is_relative = r_type == word(X32) && self.has_relative;
                if !self.computed.has(r_type) && !is_relative {
                    break;
                }
                *relative += u32::from(is_relative);
            }
            marker.mark(target);
            relocs = rest;
        }
        relocs
    }

    /// Handles `rest`, the end of `range` from the first relocation on that needs a closer look;
    /// returns how many become relative. A function of its own, so that sections with nothing else
    /// have a small loop without setup.
    #[inline(never)]
    fn scan_rest(
        &self,
        input: &ScanInput<'_>,
        range: &Range<'_>,
        mut rest: &[Rela],
        out: &mut ScanOutput,
        marker: &mut impl Marker,
    ) -> u32 {
        let mut relative = 0;
        let bytes = input.objects[range.section.object].bytes(range.section);
        while let [reloc, tail @ ..] = rest {
            if let Some(ahead) = tail.get(INSTRUCTION_DISTANCE) {
                prefetch(bytes, ahead.r_offset() as usize);
            }
            let mut next = tail;
            let is_done = self.is_known_call(input, reloc, marker)
                || self.is_common_load(input, range.section, bytes, reloc, marker);
            if !is_done {
                let index = range.relocs.len() - rest.len();
                let handled = scan_other::<X32>(input, range, index, out, marker);
                next = rest.get(handled..).unwrap_or_default();
            }
            rest = self.scan(next, &mut relative, marker);
        }
        relative
    }

    /// For a call of an imported function: marks the section of its definition in this output, if
    /// there is one. Returns whether that is all, because another call was scanned before.
    #[inline(always)]
    fn is_known_call(&self, input: &ScanInput<'_>, reloc: &Rela, marker: &mut impl Marker) -> bool {
        const NOTED: need::Bits = need::PLT | need::REFERENCED;
        let Some(&target) = self.direct.get(reloc.symbol()) else { return false };
        if reloc.r_type() != R_X86_64_PLT32 {
            return false;
        }
        let Some(name) = target.name() else { return false };
        let Definition { value_base, attributes } = input.definitions.globals[name];
        let is_import =
            attributes & (attr::IMPORTED | attr::UNDEFINED | attr::START_STOP) == attr::IMPORTED;
        if !is_import || input.needs[name].load(Ordering::Relaxed) & NOTED != NOTED {
            return false;
        }
        if let Some(section) = value_base.section() {
            marker.mark(section);
        }
        true
    }

    /// Handles a GOT load of a plain symbol's address, if the instruction has a common form.
    #[inline(never)]
    fn is_common_load(
        &self,
        input: &ScanInput<'_>,
        section: &InputSection,
        bytes: &[u8],
        reloc: &Rela,
        marker: &mut impl Marker,
    ) -> bool {
        let symbol = reloc.symbol();
        let direct = self.direct.get(symbol);
        let Some(target) = direct.and_then(|direct| direct.section()) else { return false };
        match relax::short_form(bytes, reloc) {
            None => return false,
            Some(ShortForm::Slot) => match input.targets(section.object)[symbol].name() {
                Some(name) => input.need_name(name, need::GOT),
                None => return false,
            },
            Some(_) if !input.relax => return false,
            Some(_) => {}
        }
        marker.mark(target);
        true
    }
}

/// Handles the relocation at `index` of `range`, whatever it is; returns how many were handled.
#[inline(never)]
fn scan_other<const X32: bool>(
    input: &ScanInput<'_>,
    range: &Range<'_>,
    index: usize,
    out: &mut ScanOutput,
    marker: &mut impl Marker,
) -> usize {
    scanning::scan_at(input, range, index, out, marker, relocation::<X32>)
}

/// Handles one relocation; returns how many of the following ones belong to it.
fn relocation<const X32: bool>(
    scan: &mut Scan<'_, '_>,
    reference: Reference<'_>,
    next: Option<&Rela>,
) -> usize {
    let Reference { reloc, view, place } = reference;
    let r_type = reloc.r_type();
    let is_mark = matches!(r_type, R_X86_64_GNU_VTINHERIT | R_X86_64_GNU_VTENTRY);
    if !scan.admits(view, place, is_mark) {
        return 0;
    }
    if view.attributes & attr::TLS != 0 && is_plain(r_type) && scan.is_mistaken(reference) {
        return 0;
    }
    match r_type {
        _ if r_type == word(X32) => scan.absolute_word(reference),
        // Of x32, where it is wider than an address.
        R_X86_64_64 => wide_word(scan, reference),
        R_X86_64_32 | R_X86_64_32S | R_X86_64_16 | R_X86_64_8 => {
            scan.absolute_narrow(reference, r_type == R_X86_64_32);
        }
        R_X86_64_PC32 | R_X86_64_PC16 | R_X86_64_PC8 | R_X86_64_PC64 | R_X86_64_PC32_BND => {
            // A distance of 64 bits is one that the loader can write.
            scan.distance(reference, r_type == R_X86_64_PC64);
        }
        R_X86_64_PLT32 | R_X86_64_PLT32_BND => scan.branch(reference),
        R_X86_64_PLTOFF64 => {
            scan.out.needs_got_base = true;
            if view.is_imported() || view.is_local_ifunc() {
                scan.need(reference, need::PLT);
            }
        }
        R_X86_64_GOTPCREL
        | R_X86_64_GOTPCRELX
        | R_X86_64_REX_GOTPCRELX
        | R_X86_64_CODE_4_GOTPCRELX
        | R_X86_64_CODE_5_GOTPCRELX
        | R_X86_64_CODE_6_GOTPCRELX => {
            let input = scan.input;
            let relaxed = decide::got_form(input.relax, input.shape, view, scan.bytes, reloc);
            if relaxed.is_none() {
                scan.need(reference, need::GOT);
            }
        }
        R_X86_64_GOT32 | R_X86_64_GOT64 | R_X86_64_GOTPCREL64 | R_X86_64_GOTPLT64 => {
            scan.out.needs_got_base = true;
            scan.need(reference, need::GOT);
        }
        R_X86_64_GOTOFF64 => {
            scan.out.needs_got_base = true;
            let is_undefined = view.attributes & attr::UNDEF_WEAK != 0;
            if view.is_imported() || view.is_local_ifunc() || is_undefined {
                scan.distance(reference, false);
            }
        }
        R_X86_64_GOTPC32 | R_X86_64_GOTPC64 => scan.out.needs_got_base = true,
        R_X86_64_SIZE32 | R_X86_64_SIZE64 => scan.size(view, place),
        R_X86_64_GNU_VTINHERIT | R_X86_64_GNU_VTENTRY => {}
        _ => return thread_local::<X32>(scan, reference, next),
    }
    0
}

/// A word of 64 bits in x32: the loader adds the base address to all of it.
fn wide_word(scan: &mut Scan<'_, '_>, reference: Reference<'_>) {
    let Reference { view, place, .. } = reference;
    let is_data = scan.flags.has(SectionFlags::WRITE);
    if view.is_imported() {
        return scan.absolute_word(reference);
    }
    if view.is_local_ifunc() {
        scan.need(reference, need::PLT | need::CANONICAL);
    }
    if scan.input.shape.is_pic && (view.is_local_ifunc() || view.is_relative_word(is_data)) {
        if scan.is_writable(place) {
            scan.out.symbolic.push((place, OptionalId::NONE));
        } else {
            scan.report(place, Problem::TextRelocation);
        }
    }
}

/// Whether a type treats the symbol as a plain one.
fn is_plain(r_type: u32) -> bool {
    !is_thread_local(r_type)
        && !matches!(
            r_type,
            R_X86_64_SIZE32 | R_X86_64_SIZE64 | R_X86_64_GNU_VTINHERIT | R_X86_64_GNU_VTENTRY
        )
}

fn thread_local<const X32: bool>(
    scan: &mut Scan<'_, '_>,
    reference: Reference<'_>,
    next: Option<&Rela>,
) -> usize {
    let Reference { reloc, view, place } = reference;
    let shape = scan.input.shape;
    let relax = scan.relaxes_tls();
    let r_type = reloc.r_type();
    if !is_thread_local(r_type) {
        scan.report(place, Problem::UnknownType);
        return 0;
    }
    if scan.is_not_thread_local(view, place) {
        return 0;
    }
    match r_type {
        R_X86_64_TLSGD => return general_dynamic::<X32>(scan, reference, next),
        R_X86_64_TLSLD => return local_dynamic(scan, reference, next),
        R_X86_64_TLSDESC_CALL => {
            let r_offset = reloc.r_offset() as usize;
            if scan.tls_model(view) != TlsModel::Dynamic
                && tls::descriptor_call(scan.bytes, r_offset).is_none()
            {
                scan.report(place, Problem::BadTlsSequence);
            }
        }
        R_X86_64_GOTTPOFF
        | R_X86_64_CODE_4_GOTTPOFF
        | R_X86_64_CODE_5_GOTTPOFF
        | R_X86_64_CODE_6_GOTTPOFF => {
            scan.out.has_static_tls |= shape.is_shared;
            if decide::initial_exec(shape, relax, view, scan.bytes, reloc, X32).is_none() {
                scan.need(reference, need::GOTTP);
            }
        }
        R_X86_64_TPOFF32 | R_X86_64_TPOFF64 => {
            scan.thread_offset(view, place, r_type == R_X86_64_TPOFF64);
        }
        R_X86_64_GOTPC32_TLSDESC
        | R_X86_64_CODE_4_GOTPC32_TLSDESC
        | R_X86_64_CODE_5_GOTPC32_TLSDESC
        | R_X86_64_CODE_6_GOTPC32_TLSDESC => {
            let model = scan.tls_model(view);
            let recognized =
                model == TlsModel::Dynamic || decide::descriptor(scan.bytes, reloc, X32).is_some();
            scan.need_model(reference, model, need::TLSDESC);
            if !recognized {
                scan.report(place, Problem::BadTlsSequence);
            }
        }
        // Offsets in the module's TLS block need nothing.
        _ => scan.own_block(view, place),
    }
    0
}

fn general_dynamic<const X32: bool>(
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
    if decide::general_dynamic(scan.bytes, reloc, next, X32).is_none() {
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
    let r_offset = reloc.r_offset() as usize;
    let next = next.map(decide::next_relocation);
    if tls::local_dynamic(scan.bytes, r_offset, reloc.r_addend(), next).is_none() {
        scan.report(place, Problem::BadTlsSequence);
    }
    tls::FOLLOWING
}
