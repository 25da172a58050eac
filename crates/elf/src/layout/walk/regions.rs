//! Memory regions while the location counter walks through a layout.

use super::{Problem, Walk, Walker};
use crate::layout::items::{Heading, Layout};
use crate::script::statements::{OutputStatement, Region, region_flags};
use object::elf::*;
use skald_core::unordered::UnorderedMap;

/// How many sets of [`region_flags`] there are.
pub(super) const FLAG_SETS: usize = 1 << 5;

/// Regions by their names, if several have one name, the first.
pub(super) fn by_name(regions: &[Region]) -> UnorderedMap<&[u8], usize> {
    let mut by_name = UnorderedMap::new();
    for (at, region) in regions.iter().enumerate() {
        for name in &region.names {
            by_name.entry(&name[..]).or_insert(at);
        }
    }
    by_name
}

/// How full a region is.
#[derive(Debug, Clone)]
pub struct RegionUsage {
    /// The region's name in `MEMORY`.
    pub name: Vec<u8>,
    /// ORIGIN of the region: its first address.
    pub origin: u64,
    /// Bytes from its start to the end of the last section in it.
    pub used: u64,
    /// LENGTH of the region, in bytes.
    pub length: u64,
    /// Attributes that sections must have, and those that they must not have: `region_flags`.
    pub flags: [u32; 2],
}

/// An output section that a memory region holds.
#[derive(Debug, Clone, Copy)]
pub struct RegionFill {
    /// Position of the region in the layout.
    region: usize,
    /// Position of the output section in the layout.
    pub heading: usize,
    /// By how many bytes the section goes past the end of the region.
    pub excess: u64,
}

impl Walk {
    /// The first output section that goes past the end of its memory region, followed by those
    /// before it in the same region, backwards.
    pub fn overflow(&self) -> Vec<RegionFill> {
        let Some(first) = self.fills.iter().position(|fill| fill.excess != 0) else {
            return Vec::new();
        };
        let fills = self.fills.iter().take(first + 1).rev();
        fills.filter(|fill| fill.region == self.fills[first].region).copied().collect()
    }

    /// How full the regions are.
    pub fn usage(&self, layout: &Layout) -> Vec<RegionUsage> {
        let regions = layout.regions.iter().zip(&self.regions);
        let usage = regions.map(|(region, state)| RegionUsage {
            name: region.names[0].clone(),
            origin: state.origin,
            used: state.current.wrapping_sub(state.origin),
            length: state.length,
            flags: [region.with_flags, region.without_flags],
        });
        usage.collect()
    }
}

impl Walker<'_> {
    /// Reports a section that is in no memory region though the script has some (GNU ld's
    /// `lang_size_sections_1`).
    pub(super) fn refuse_without_region(&mut self, heading: &Heading) {
        if self.layout.regions.is_empty() || heading.head.is_none() {
            return;
        }
        let OutputStatement { name, place, .. } = &*heading.statement;
        let name = String::from_utf8_lossy(name);
        let text = format!("no memory region is given for section {name}, and none fits its flags");
        let text = match place.line {
            0 => text,
            _ => format!("{place}: {text}"),
        };
        if self.environment.checks {
            self.walk.problems.push(text.into())
        } else {
            self.walk.warnings.push(text)
        }
    }

    /// Advances the region of the load address, if it is another one than that of the address.
    pub(super) fn fill_load_region(
        &mut self,
        at: usize,
        region: Option<usize>,
        sh_type: u32,
        size: u64,
    ) {
        let heading = &self.layout.headings[at];
        let load_region = self.named_region(heading.load_region.as_deref());
        if let Some(load_region) = load_region.filter(|&other| Some(other) != region)
            && (sh_type != SHT_NOBITS || heading.statement.aligns_with_input)
        {
            let end = self.walk.places[at].load_address.wrapping_add(size);
            self.fill_region(load_region, at, end);
        }
    }

    pub(super) fn named_region(&self, name: Option<&[u8]>) -> Option<usize> {
        self.regions.get(name?).copied()
    }

    /// The first region whose attributes fit an output section that names none and has no address.
    pub(super) fn region_like(&self, sh_type: u32, sh_flags: u64, has_data: bool) -> Option<usize> {
        let has = |flag: u32| sh_flags & u64::from(flag) != 0;
        if !has(SHF_ALLOC) {
            return None;
        }
        let mut flags = region_flags::ALLOC;
        flags |= if has(SHF_EXECINSTR) { region_flags::EXEC } else { 0 };
        // `w` means data, writable or not, but not code.
        let is_data = has_data || has(SHF_WRITE) && !has(SHF_EXECINSTR);
        flags |= if has(SHF_WRITE) { 0 } else { region_flags::READ_ONLY };
        flags |= if is_data { region_flags::WRITE } else { 0 };
        flags |= if sh_type == SHT_NOBITS { 0 } else { region_flags::LOAD };
        let fits =
            |region: &Region| region.with_flags & flags != 0 && region.without_flags & flags == 0;
        let found = &mut self.fitting.borrow_mut()[flags as usize];
        *found.get_or_insert_with(|| self.layout.regions.iter().position(fits))
    }

    /// Moves a region's counter to `end`, the end of a section in it.
    pub(super) fn fill_region(&mut self, region: usize, at: usize, end: u64) {
        let state = &mut self.walk.regions[region];
        // Of the sections of an overlay the largest counts, which may be an earlier one.
        let is_overlay = self.layout.headings[at].statement.is_overlay;
        state.current = if is_overlay { state.current.max(end) } else { end };
        let (origin, length) = (state.origin, state.length);
        // A region may end with the address space: there its end and that of a section are 0.
        let is_before = end < origin && end != origin.wrapping_add(length);
        let used = end.wrapping_sub(origin);
        let excess = if is_before { 0 } else { used.saturating_sub(length) };
        self.walk.fills.push(RegionFill { region, heading: at, excess });
        if excess == 0 && !is_before || excess != 0 && state.is_full {
            return;
        }
        state.is_full = true;
        let name = String::from_utf8_lossy(&self.layout.regions[region].names[0]);
        let section = String::from_utf8_lossy(&self.layout.headings[at].statement.name);
        let text = if is_before {
            format!(
                "section {section} is not within memory region {name}: it ends at {end:#x}, before \
                 the region begins at {origin:#x}"
            )
        } else {
            format!(
                "section {section} does not fit in memory region {name}: it ends at {end:#x}, \
                 {excess} bytes behind the region"
            )
        };
        self.walk.problems.push(Problem { text, passes: true });
    }
}
