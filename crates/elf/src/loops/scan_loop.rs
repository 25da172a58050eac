//! The scan loop of machines whose own part of it is tables: one visit of a live section marks what
//! it refers to and notes what its relocations need.
//!
//! Machines that people link large programs for have loops of their own, which know more of
//! frequent types (`x86_64`, `aarch64`, `i386`). A machine is a type argument, so its part is
//! compiled into the loop.

use super::scanning::{self, Range, Reference, Scan};
use crate::format::elf::{Rela, SymbolId};
use crate::machine::type_set::TypeSet;
use crate::read::object_file::{InputSection, SectionFlags};
use crate::read::rel_in_place::{Entry, InPlace};
use crate::resolve::definitions::SectionId;
use crate::resolve::referent::PackedReferent;
use crate::select::marker::{Follow, Marker, ScanLoops, ScanLoopsInPlace};
use crate::select::scan::{Problem, ScanInput, ScanOutput};
use skald_core::ids::IdSlice;
use std::sync::atomic::Ordering;

/// What the loop asks a machine.
pub trait ScanTypes: 'static {
    /// Types that say something of the code and refer to nothing.
    const MARKS: &'static TypeSet;
    /// Types that need nothing from the scan if the symbol is defined in this output and not
    /// preemptible: the field is computed when it is written. With [`Self::MARKS`].
    const COMPUTED: &'static TypeSet;
    /// The same where the output is at fixed addresses.
    const COMPUTED_IF_FIXED: &'static TypeSet;
    /// The type of a word with an address.
    const WORD: u32;

    /// Whether words of `.eh_frame` become distances: `Machine::relative_frames`.
    const HAS_RELATIVE_FRAMES: bool = false;

    /// Whether functions may be chosen at run time (IFUNC).
    const HAS_IFUNC: bool = true;

    /// Handles one relocation; returns how many of the following ones belong to it. `next` is the
    /// one behind it.
    fn relocation(scan: &mut Scan<'_, '_>, reference: Reference<'_>, next: Option<&Rela>) -> usize;

    /// Whether relocations of a type are looked at with those beside them, where the file's own
    /// entries are read.
    fn is_grouped(_r_type: u32) -> bool {
        false
    }
}

/// The loops of a machine whose relocations are records with addends.
pub const fn of_records<T: ScanTypes>() -> ScanLoops {
    ScanLoops { follow: follow::<T>, all: scan_range::<T>, in_place: None }
}

/// The loops of a machine that also reads SHT_REL as the file has it.
pub const fn of_entries<T: ScanTypes>() -> ScanLoops {
    ScanLoops {
        in_place: Some(ScanLoopsInPlace { follow: follow_in_place::<T>, all: scan_in_place::<T> }),
        ..of_records::<T>()
    }
}

/// [`scan_range`] where references are followed.
fn follow<T: ScanTypes>(
    input: &ScanInput<'_>,
    id: SectionId,
    section: &InputSection,
    relocs: &[Rela],
    first: u32,
    out: &mut ScanOutput,
    marker: &mut Follow<'_>,
) {
    scan_range::<T>(input, id, section, relocs, first, out, marker);
}

/// [`scan_in_place`] where references are followed.
fn follow_in_place<T: ScanTypes>(
    input: &ScanInput<'_>,
    id: SectionId,
    section: &InputSection,
    relocs: InPlace<'_>,
    out: &mut ScanOutput,
    marker: &mut Follow<'_>,
) {
    scan_in_place::<T>(input, id, section, relocs, out, marker);
}

/// Scans `relocs`, which are those of `section` from index `first` on.
#[inline(always)]
fn scan_range<T: ScanTypes>(
    input: &ScanInput<'_>,
    id: SectionId,
    section: &InputSection,
    relocs: &[Rela],
    first: u32,
    out: &mut ScanOutput,
    marker: &mut impl Marker,
) {
    let range = Range { id, section, relocs, first };
    scan_entries::<T, _, _>(input, id, section, relocs, out, marker, |index, out, marker| {
        scan_other::<T>(input, &range, index, out, marker)
    });
}

/// Scans the relocations of a section as the file has them.
#[inline(always)]
fn scan_in_place<T: ScanTypes>(
    input: &ScanInput<'_>,
    id: SectionId,
    section: &InputSection,
    relocs: InPlace<'_>,
    out: &mut ScanOutput,
    marker: &mut impl Marker,
) {
    let entries = relocs.entries;
    scan_entries::<T, _, _>(input, id, section, entries, out, marker, |index, out, marker| {
        let mut buffer = Default::default();
        let (relocs, at) = relocs.around(index, T::is_grouped, &mut buffer);
        let range = Range { id, section, relocs, first: (index - at) as u32 };
        scan_other::<T>(input, &range, at, out, marker)
    });
}

/// Scans relocations of either form. Most refer to a plain definition, and are done after one load
/// from [`ScanInput::direct`]. `other` handles one that is not plain, by its index, and returns how
/// many it has handled.
#[inline(always)]
fn scan_entries<T: ScanTypes, E: Entry, M: Marker>(
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
        computed: if is_pic { T::COMPUTED } else { T::COMPUTED_IF_FIXED },
        has_relative: is_pic
            && section.flags.has(SectionFlags::WRITE)
            && !(T::HAS_RELATIVE_FRAMES && section.flags.has(SectionFlags::EH_FRAME)),
    };
    let mut relative = 0;
    let mut rest = plain.scan::<T, E>(relocs, &mut relative, marker);
    while !rest.is_empty() {
        let handled = other(relocs.len() - rest.len(), out, marker);
        rest = plain.scan::<T, E>(rest.get(handled..).unwrap_or_default(), &mut relative, marker);
    }
    if relative != 0 {
        // `.eh_frame` is scanned record by record; other sections are visited once.
        input.relative[id].fetch_add(relative, Ordering::Relaxed);
    }
}

/// Handles references that need no GOT or PLT entry, no message and no dynamic relocation.
struct Plain<'a> {
    direct: &'a IdSlice<SymbolId, PackedReferent>,
    computed: &'static TypeSet,
    /// Words with an address get a relative relocation: the output is position-independent.
    has_relative: bool,
}

impl Plain<'_> {
    /// Handles relocations up to the first that needs a closer look; returns those from it on.
    #[inline(always)]
    fn scan<'r, T: ScanTypes, E: Entry>(
        &self,
        mut relocs: &'r [E],
        relative: &mut u32,
        marker: &mut impl Marker,
    ) -> &'r [E] {
        while let [reloc, rest @ ..] = relocs {
            let r_type = reloc.r_type();
            let direct = self.direct.get(reloc.symbol());
            match direct.and_then(|direct| direct.section()) {
                Some(target) => {
                    if !self.computed.has(r_type) {
                        if r_type != T::WORD || !self.has_relative {
                            break;
                        }
                        *relative += 1;
                    }
                    marker.mark(target);
                }
                None if T::MARKS.has(r_type) => {}
                None => break,
            }
            relocs = rest;
        }
        relocs
    }
}

/// Handles the relocation at `index` of `range`, whatever it is; returns how many were handled.
#[inline(never)]
fn scan_other<T: ScanTypes>(
    input: &ScanInput<'_>,
    range: &Range<'_>,
    index: usize,
    out: &mut ScanOutput,
    marker: &mut impl Marker,
) -> usize {
    scanning::scan_at(input, range, index, out, marker, |scan, reference, next| {
        if T::MARKS.has(reference.reloc.r_type()) {
            return 0;
        }
        if !T::HAS_IFUNC && reference.view.is_local_ifunc() {
            scan.report(reference.place, Problem::NoIfunc);
            return 0;
        }
        T::relocation(scan, reference, next)
    })
}
