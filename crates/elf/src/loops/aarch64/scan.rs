//! The scan loop: one visit of a live section marks what it refers to and notes what its
//! relocations need ("ELF for the Arm 64-bit Architecture", "Relocation").
//!
//! Whatever this loop decides to relax, `apply_any.rs` relaxes by the same functions of
//! [`super::relax`] and [`super::tls`]; a decision depends on the symbol, the output's kind and the
//! original bytes only.

use super::instruction;
use super::relax::{self, is_bound_here};
use super::sequence::{self, Step};
use super::tls;
use crate::format::elf::{Rela, SymbolId};
use crate::loops::scanning::{self, Range, Reference, Scan};
use crate::loops::tls_model::TlsModel;
use crate::machine::aarch64::howto::*;
use crate::read::object_file::{InputSection, SectionFlags};
use crate::resolve::definitions::{Definition, SectionId, attr};
use crate::resolve::referent::PackedReferent;
use crate::select::marker::{Follow, Marker};
use crate::select::scan::{Problem, ScanInput, ScanOutput, SymbolView, need};
use skald_core::column::prefetch;
use skald_core::ids::IdSlice;
use std::sync::atomic::Ordering;

/// Relocation types from [`FIRST`](Types::FIRST) on, as bits.
struct Types(u64);

impl Types {
    const FIRST: u32 = R_AARCH64_ABS64;

    /// Types that need nothing from the scan if the symbol is defined in this output and not
    /// preemptible: the field is computed when it is written.
    const COMPUTED: u64 = Types::bits(&[
        R_AARCH64_PREL64,
        R_AARCH64_PREL32,
        R_AARCH64_PREL16,
        R_AARCH64_LD_PREL_LO19,
        R_AARCH64_ADR_PREL_LO21,
        R_AARCH64_ADR_PREL_PG_HI21,
        R_AARCH64_ADR_PREL_PG_HI21_NC,
        R_AARCH64_ADD_ABS_LO12_NC,
        R_AARCH64_LDST8_ABS_LO12_NC,
        R_AARCH64_LDST16_ABS_LO12_NC,
        R_AARCH64_LDST32_ABS_LO12_NC,
        R_AARCH64_LDST64_ABS_LO12_NC,
        R_AARCH64_LDST128_ABS_LO12_NC,
        R_AARCH64_TSTBR14,
        R_AARCH64_CONDBR19,
        R_AARCH64_JUMP26,
        R_AARCH64_CALL26,
        R_AARCH64_PLT32,
    ]);
    /// Likewise, if the output is at fixed addresses.
    const ABSOLUTE: u64 = Types::bits(&[R_AARCH64_ABS64, R_AARCH64_ABS32, R_AARCH64_ABS16]);

    const fn bits(types: &[u32]) -> u64 {
        let (mut bits, mut at) = (0, 0);
        while at < types.len() {
            bits |= 1 << (types[at] - Types::FIRST);
            at += 1;
        }
        bits
    }

    fn computed(is_pic: bool) -> Types {
        Types(if is_pic { Types::COMPUTED } else { Types::COMPUTED | Types::ABSOLUTE })
    }

    #[inline(always)]
    fn has(&self, r_type: u32) -> bool {
        let at = r_type.wrapping_sub(Types::FIRST);
        at < u64::BITS && self.0 >> at & 1 != 0
    }
}

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

/// Scans `relocs`, which are those of `section` from index `first` on.
///
/// Nine of ten refer to a plain definition, and are done after one load from
/// [`ScanInput::direct`]; calls of imports are next; [`scan_other`] takes the others.
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
    let is_pic = input.shape.is_pic;
    let plain = Plain {
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
struct Plain<'a> {
    direct: &'a IdSlice<SymbolId, PackedReferent>,
    computed: Types,
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
            let direct = self.direct.get(reloc.symbol());
            let Some(target) = direct.and_then(|direct| direct.section()) else { break };
            let r_type = reloc.r_type();
            if !self.computed.has(r_type) {
                if r_type != R_AARCH64_ABS64 || !self.has_relative {
                    break;
                }
                *relative += 1;
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
            let handled = if self.is_known_import(input, reloc, marker) {
                1
            } else if self.is_rewritten_load(input, bytes, rest, marker) {
                2
            } else {
                scan_other(input, range, range.relocs.len() - rest.len(), out, marker)
            };
            let next = rest.get(handled..).unwrap_or_default();
            rest = self.scan(next, &mut relative, marker);
        }
        relative
    }

    /// For a call of an imported function, and a load of an imported address from the GOT: marks
    /// the section of the definition in this output, if there is one. Returns whether that is all,
    /// because such a reference was scanned before.
    #[inline(always)]
    fn is_known_import(
        &self,
        input: &ScanInput<'_>,
        reloc: &Rela,
        marker: &mut impl Marker,
    ) -> bool {
        let Some(&target) = self.direct.get(reloc.symbol()) else { return false };
        let noted: need::Bits = match reloc.r_type() {
            R_AARCH64_CALL26 | R_AARCH64_JUMP26 => need::PLT | need::REFERENCED,
            R_AARCH64_ADR_GOT_PAGE | R_AARCH64_LD64_GOT_LO12_NC => need::GOT | need::REFERENCED,
            _ => return false,
        };
        let Some(name) = target.name() else { return false };
        let Definition { value_base, attributes } = input.definitions.globals[name];
        let is_import =
            attributes & (attr::IMPORTED | attr::UNDEFINED | attr::START_STOP) == attr::IMPORTED;
        let is_tls = attributes & attr::TLS != 0;
        if !is_import || is_tls || input.needs[name].load(Ordering::Relaxed) & noted != noted {
            return false;
        }
        if let Some(section) = value_base.section() {
            marker.mark(section);
        }
        true
    }

    /// Handles a load of a plain symbol's address from the GOT, if both instructions are rewritten.
    #[inline(always)]
    fn is_rewritten_load(
        &self,
        input: &ScanInput<'_>,
        bytes: &[u8],
        relocs: &[Rela],
        marker: &mut impl Marker,
    ) -> bool {
        let [first, second, ..] = relocs else { return false };
        if first.r_type() != R_AARCH64_ADR_GOT_PAGE || !input.relax || !input.tagged.is_empty() {
            return false;
        }
        let direct = self.direct.get(first.symbol());
        let Some(target) = direct.and_then(|direct| direct.section()) else { return false };
        let is_rewritten = relax::is_pair(bytes, first, second);
        if is_rewritten {
            marker.mark(target);
        }
        is_rewritten
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
    scanning::scan_at(input, range, index, out, marker, |scan, reference, _| {
        relocation(scan, reference, range.relocs, index)
    })
}

/// Handles one relocation, that at `index` of `relocs`; returns how many of the following ones
/// belong to it.
fn relocation(
    scan: &mut Scan<'_, '_>,
    reference: Reference<'_>,
    relocs: &[Rela],
    index: usize,
) -> usize {
    let Reference { reloc, view, place } = reference;
    let r_type = reloc.r_type();
    let is_plain = view.attributes & attr::TLS != 0 && !is_thread_local(r_type);
    if !scan.admits(view, place, false) || is_plain && scan.is_mistaken(reference) {
        return 0;
    }
    match r_type {
        R_AARCH64_WITHDRAWN => {}
        R_AARCH64_ABS64 => scan.absolute_word(reference),
        R_AARCH64_AUTH_ABS64 => signed_word(scan, reference),
        R_AARCH64_ABS32 | R_AARCH64_ABS16 | R_AARCH64_MOVW_UABS_G0..=R_AARCH64_MOVW_SABS_G2 => {
            scan.absolute_narrow(reference, false);
        }
        R_AARCH64_PREL64
        | R_AARCH64_PREL32
        | R_AARCH64_PREL16
        | R_AARCH64_LD_PREL_LO19
        | R_AARCH64_ADR_PREL_LO21
        | R_AARCH64_ADR_PREL_PG_HI21
        | R_AARCH64_ADR_PREL_PG_HI21_NC
        | R_AARCH64_MOVW_PREL_G0..=R_AARCH64_MOVW_PREL_G3 => {
            if !scan.has_no_address(view) {
                scan.distance(reference, false);
            }
        }
        R_AARCH64_ADD_ABS_LO12_NC
        | R_AARCH64_LDST8_ABS_LO12_NC
        | R_AARCH64_LDST16_ABS_LO12_NC
        | R_AARCH64_LDST32_ABS_LO12_NC
        | R_AARCH64_LDST64_ABS_LO12_NC
        | R_AARCH64_LDST128_ABS_LO12_NC => {
            if !scan.has_no_address(view) {
                scan.place_in_page(reference);
            }
        }
        R_AARCH64_TSTBR14 | R_AARCH64_CONDBR19 | R_AARCH64_JUMP26 | R_AARCH64_CALL26
        | R_AARCH64_PLT32 => branch(scan, reference),
        R_AARCH64_ADR_GOT_PAGE | R_AARCH64_LD64_GOT_LO12_NC => {
            got_load(scan, reference, relocs, index);
        }
        R_AARCH64_GOT_LD_PREL19 | R_AARCH64_GOTPCREL32 => scan.need(reference, need::GOT),
        R_AARCH64_LD64_GOTOFF_LO15
        | R_AARCH64_LD64_GOTPAGE_LO15
        | R_AARCH64_MOVW_GOTOFF_G0..=R_AARCH64_MOVW_GOTOFF_G3 => {
            scan.out.needs_got_base = true;
            scan.need(reference, need::GOT);
        }
        R_AARCH64_GOTREL64 | R_AARCH64_GOTREL32 => {
            scan.out.needs_got_base = true;
            scan.distance(reference, false);
        }
        R_AARCH64_AUTH_MOVW_GOTOFF_G0..=R_AARCH64_AUTH_GOT_ADR_PREL_LO21 => {
            signed_load(scan, reference);
        }
        R_AARCH64_TLSGD_ADR_PREL21..=R_AARCH64_TLSLD_LD_PREL19 => {
            return call_sequence(scan, reference, relocs, index);
        }
        _ if is_thread_local(r_type) => thread_local(scan, reference),
        _ => scan.report(place, Problem::UnknownType),
    }
    0
}

/// An instruction of a load from the GOT, which may be rewritten together with its neighbour.
fn got_load(scan: &mut Scan<'_, '_>, reference: Reference<'_>, relocs: &[Rela], index: usize) {
    let is_bound = is_bound_here(scan.input.relax, reference.view);
    // The GOT has the tag of a variable, too.
    let symbol = reference.reloc.symbol();
    let is_tagged = scan.input.tagged.has(scan.object, symbol, reference.view.target);
    if is_bound && !is_tagged && relax::is_of_pair(scan.bytes, relocs, index) {
        return;
    }
    scan.need(reference, need::GOT);
    if is_bound {
        // The GOT has the word for the symbol's other loads in the section, too.
        scan.out.kept_loads.push((scan.section, symbol));
    }
}

/// Whether a signed pointer is null, which has no signature: nothing defines the symbol, here or at
/// run time.
pub fn is_null(view: SymbolView) -> bool {
    view.attributes & attr::UNDEF_WEAK != 0 && !view.is_imported()
}

/// A word with a signed pointer: only the loader knows the key, or the start of a static program.
fn signed_word(scan: &mut Scan<'_, '_>, reference: Reference<'_>) {
    let Reference { view, place, .. } = reference;
    if is_null(view) {
        // The word is zero: a program compares the pointer before it uses it.
    } else if view.is_local_ifunc() {
        scan.report(place, Problem::NeedsPic);
    } else if scan.is_writable(place) {
        let name = view.name().filter(|_| view.is_imported());
        scan.out.symbolic.push((place, name.into()));
    } else {
        scan.report(place, Problem::TextRelocation);
    }
}

/// An instruction that refers to a signed word of the GOT. It is never rewritten: what follows
/// checks the signature.
fn signed_load(scan: &mut Scan<'_, '_>, reference: Reference<'_>) {
    scan.out.needs_got_base |= matches!(
        reference.reloc.r_type(),
        R_AARCH64_AUTH_MOVW_GOTOFF_G0
            ..=R_AARCH64_AUTH_MOVW_GOTOFF_G3
                | R_AARCH64_AUTH_LD64_GOTOFF_LO15
                | R_AARCH64_AUTH_LD64_GOTPAGE_LO15
    );
    scan.need(reference, need::SIGNED_GOT);
}

/// A sequence with a call of `__tls_get_addr`, which is not scanned where it is rewritten.
fn call_sequence(
    scan: &mut Scan<'_, '_>,
    reference: Reference<'_>,
    relocs: &[Rela],
    index: usize,
) -> usize {
    let Reference { reloc, view, place } = reference;
    if scan.is_not_thread_local(view, place) {
        return 0;
    }
    let r_type = reloc.r_type();
    scan.out.needs_got_base |= matches!(
        r_type,
        R_AARCH64_TLSGD_MOVW_G1
            | R_AARCH64_TLSGD_MOVW_G0_NC
            | R_AARCH64_TLSLD_MOVW_G1
            | R_AARCH64_TLSLD_MOVW_G0_NC
    );
    let step = sequence::step_at(scan.bytes, relocs, index);
    let is_rewritten = !scan.input.shape.is_shared && scan.relaxes_tls() && step.is_some();
    if r_type >= R_AARCH64_TLSLD_ADR_PREL21 {
        scan.out.needs_tlsld |= !is_rewritten;
    } else {
        let model = if is_rewritten { scan.tls_model(view) } else { TlsModel::Dynamic };
        need_slot(scan, reference, model, need::TLSGD);
    }
    usize::from(is_rewritten && step == Some(Step::Low))
}

/// A branch. Where a script or an absolute symbol leads is not seen from the extent of code.
fn branch(scan: &mut Scan<'_, '_>, reference: Reference<'_>) {
    let view = reference.view;
    scan.out.has_far_branches |= view.value_base.section().is_none()
        && !view.is_imported()
        && view.attributes & attr::UNDEF_WEAK == 0;
    scan.branch(reference);
}

fn thread_local(scan: &mut Scan<'_, '_>, reference: Reference<'_>) {
    let Reference { reloc, view, place } = reference;
    let shape = scan.input.shape;
    let r_type = reloc.r_type();
    if scan.is_not_thread_local(view, place) {
        return;
    }
    match r_type {
        R_AARCH64_TLSIE_MOVW_GOTTPREL_G1..=R_AARCH64_TLSIE_LD_GOTTPREL_PREL19 => {
            scan.out.has_static_tls |= shape.is_shared;
            scan.out.needs_got_base |= r_type < R_AARCH64_TLSIE_ADR_GOTTPREL_PAGE21;
            let word = instruction::read(scan.bytes, reloc.r_offset() as usize);
            let is_local = scan.tls_model(view) == TlsModel::LocalExec;
            if !is_local || !word.is_some_and(|word| tls::is_initial_exec(r_type, word)) {
                need_slot(scan, reference, TlsModel::InitialExec, need::GOTTP);
            }
        }
        R_AARCH64_TLSLE_MOVW_TPREL_G2..=R_AARCH64_TLSLE_LDST64_TPREL_LO12_NC
        | R_AARCH64_TLSLE_LDST128_TPREL_LO12
        | R_AARCH64_TLSLE_LDST128_TPREL_LO12_NC => scan.thread_offset(view, place, false),
        R_AARCH64_TLS_TPREL64 => scan.thread_offset(view, place, true),
        R_AARCH64_TLSDESC_LD_PREL19..=R_AARCH64_TLSDESC_CALL => descriptor(scan, reference),
        R_AARCH64_AUTH_TLSDESC_ADR_PAGE21..=R_AARCH64_AUTH_TLSDESC_CALL if is_null(view) => {
            if tls::null_descriptor(scan.bytes, r_type, reloc.r_offset() as usize).is_none() {
                scan.report(place, Problem::BadTlsSequence);
            }
        }
        R_AARCH64_AUTH_TLSDESC_CALL => {}
        R_AARCH64_AUTH_TLSDESC_ADR_PAGE21..=R_AARCH64_AUTH_TLSDESC_ADD_LO12 => {
            need_slot(scan, reference, TlsModel::Dynamic, need::SIGNED_TLSDESC);
        }
        // Offsets in the module's TLS block need nothing.
        _ => scan.own_block(view, place),
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

fn descriptor(scan: &mut Scan<'_, '_>, reference: Reference<'_>) {
    let Reference { reloc, view, place } = reference;
    let r_type = reloc.r_type();
    let model = scan.tls_model(view);
    let is_offset = matches!(r_type, R_AARCH64_TLSDESC_OFF_G1 | R_AARCH64_TLSDESC_OFF_G0_NC);
    // Marks of other instructions need no slot of their own.
    if !matches!(r_type, R_AARCH64_TLSDESC_LDR..=R_AARCH64_TLSDESC_CALL) {
        need_slot(scan, reference, model, need::TLSDESC);
        scan.out.needs_got_base |= is_offset && model != TlsModel::LocalExec;
    }
    if model != TlsModel::Dynamic {
        let word = instruction::read(scan.bytes, reloc.r_offset() as usize);
        if word.and_then(|word| tls::descriptor(r_type, word, model)).is_none() {
            scan.report(place, Problem::BadTlsSequence);
        }
    }
}
