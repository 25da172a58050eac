//! The scan loop's part: what relocations need, which is nothing. All symbols are defined in the
//! output, or the link fails.

use crate::format::elf::Rela;
use crate::loops::scan_loop::ScanTypes;
use crate::loops::scanning::{Reference, Scan};
use crate::machine::msp430::howto::*;
use crate::machine::type_set::TypeSet;
use crate::select::scan::Problem;
use object::elf::*;

/// The part of the scan loop that is MSP430's.
pub struct Types;

impl ScanTypes for Types {
    const MARKS: &'static TypeSet = &TypeSet::of(MARKS);
    const COMPUTED: &'static TypeSet = &TypeSet::of(COMPUTED).and(MARKS);
    const COMPUTED_IF_FIXED: &'static TypeSet = &TypeSet::of(COMPUTED).and(MARKS);
    const WORD: u32 = R_MSP430_32;
    const HAS_IFUNC: bool = false;

    fn relocation(scan: &mut Scan<'_, '_>, reference: Reference<'_>, _: Option<&Rela>) -> usize {
        let Reference { reloc, view, place } = reference;
        let r_type = reloc.r_type();
        if !scan.admits(view, place, false) {
            return 0;
        }
        match r_type {
            R_MSP430_10_PCREL => scan.branch(reference),
            R_MSP430_16_PCREL | R_MSP430_16_PCREL_BYTE => scan.distance(reference, false),
            _ if COMPUTED.contains(&r_type) => scan.absolute_narrow(reference, false),
            _ => scan.report(place, Problem::UnknownType),
        }
        0
    }
}
