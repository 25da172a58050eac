//! Which output section a symbol belongs to that a script assigns outside of all output sections
//! (`section_for_dot` in GNU ld's `ldlang.c`), or in one that is not in the output
//! (`_bfd_nearby_section` in `bfd/linker.c`). Addresses do not depend on it; tools that read
//! `st_shndx` do, such as the Linux kernel's `relocs`.

use super::{Walk, Walker};
use crate::layout::items::Layout;
use crate::layout::nature::Traits;
use crate::layout::output_sections::OutputSections;

/// Traits of the output section of the heading at `at`, if it is in the output.
fn traits_of(layout: &Layout, outputs: &OutputSections, at: usize) -> Option<Traits> {
    let head = &outputs.heads[layout.headings[at].head?];
    let part = &outputs.sections[head.parts.start];
    Some(Traits::of_header(part.sh_type, part.sh_flags, &part.name))
}

impl Walker<'_> {
    /// The output section that a symbol assigned outside of all belongs to. That is the last one in
    /// memory. If the location counter has been assigned to since, it is the next one, unless the
    /// end of the program (`_end`) has been assigned before. `None` means no section.
    pub(super) fn near_dot(&self) -> Option<usize> {
        let next = self.made.partition_point(|&(before, _)| before < self.walked);
        let is_behind_end = match (self.made.get(next), self.ended) {
            (Some(&(before, _)), Some(end)) => end <= before,
            _ => false,
        };
        let last = self.made[..next].iter().rposition(|&(_, at)| Some(at) == self.previous);
        match last {
            Some(last) if !self.is_dot_assigned || is_behind_end => self
                .in_memory(self.made[..=last].iter().rev())
                .or_else(|| self.in_memory(self.made.iter())),
            _ => self.in_memory(self.made[..self.made.len().min(next + 1)].iter().rev()),
        }
    }

    /// The first of these that is in memory and not in the TLS template.
    fn in_memory<'b>(&self, mut made: impl Iterator<Item = &'b (usize, usize)>) -> Option<usize> {
        let is_in_memory = |at: usize| {
            let traits = traits_of(self.layout, self.outputs, at).unwrap_or_default();
            traits.has(Traits::ALLOCATED) && !traits.has(Traits::THREAD_LOCAL)
        };
        made.find(|&&(_, at)| is_in_memory(at)).map(|&(_, at)| at)
    }
}

impl Walk {
    /// The output section that stands for the one at `at`, which is not in the output: the
    /// neighbour that would be in the same segment, for a symbol with this `address`.
    pub fn neighbor(
        &self,
        layout: &Layout,
        outputs: &OutputSections,
        at: usize,
        address: u64,
    ) -> Option<usize> {
        let order: Vec<usize> = layout.order().collect();
        let own = order.iter().position(|&other| other == at)?;
        let is_made = |at: &&usize| layout.headings[**at].head.is_some();
        let before = order[..own].iter().rev().find(is_made).copied();
        let traits = |at: usize| traits_of(layout, outputs, at).unwrap_or_default();
        // A section that is not in memory cannot hold an address, though GNU ld may choose a
        // .comment.
        let is_loaded = |at: &&usize| is_made(at) && traits(**at).has(Traits::ALLOCATED);
        let behind = order[own + 1..].iter().find(is_loaded).copied();
        let (Some(before), Some(behind)) = (before, behind) else { return before.or(behind) };
        let (first, second) = (traits(before), traits(behind));
        let dropped = layout.headings[at].nature.traits().unwrap_or_default();
        let differ = |a: Traits, b: Traits, mask: Traits| a.only(mask) != b.only(mask);
        let memory = Traits::ALLOCATED | Traits::THREAD_LOCAL;
        let is_before = if differ(first, second, memory | Traits::LOADED) {
            differ(second, dropped, memory)
                || first.has(Traits::LOADED) && !second.has(Traits::LOADED)
        } else if differ(first, second, Traits::READ_ONLY) {
            differ(second, dropped, Traits::READ_ONLY)
        } else if differ(first, second, Traits::CODE) {
            differ(second, dropped, Traits::CODE)
        } else {
            address < self.places[behind].address
        };
        Some(if is_before { before } else { behind })
    }
}
