//! The instruction with the upper part of an address, to which that with the lower part refers by a
//! label (RISC-V; LoongArch with PCADDU12I).

use crate::format::elf::Rela;
use crate::synth::patch::Patch;

/// How far before a lower part its upper part is searched for, one by one.
const NEARBY: usize = 16;

/// The relocation of the upper part at offset `at` of the section, for the relocation with an index
/// of the patch. `all` are all relocations of the section; `is_upper` knows the types.
pub fn find<'a>(
    patch: &Patch<'a>,
    all: &'a [Rela],
    index: usize,
    at: u64,
    is_upper: fn(u32) -> bool,
) -> Option<&'a Rela> {
    let is_it = |reloc: &&Rela| reloc.r_offset() == at && is_upper(reloc.r_type());
    let end = index.min(patch.relocs.len());
    let nearby = &patch.relocs[end.saturating_sub(NEARBY)..end];
    if let Some(found) = nearby.iter().rev().find(is_it) {
        return Some(found);
    }
    let relocs = if all.is_empty() { patch.relocs } else { all };
    let first = relocs.partition_point(|reloc| reloc.r_offset() < at);
    let here = relocs[first..].iter().take_while(|reloc| reloc.r_offset() == at);
    // Without an order each one has to be looked at.
    here.into_iter().find(is_it).or_else(|| relocs.iter().find(is_it))
}
