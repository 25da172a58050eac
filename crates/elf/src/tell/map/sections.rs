//! The output sections of a map, each with the input sections in it and their symbols.

use super::{LINKER, Map, columns};
use crate::layout::output_sections::{Content, MergedPart, StatedId};
use crate::layout::{OutputSection, Synthetic};
use crate::read::object_file::SectionFlags;
use crate::resolve::definitions::SectionId;
use crate::select::eh_frame::CieId;
use skald_core::column;
use std::ops::Range;
use std::sync::atomic::Ordering;

/// Distance in input sections between one step of [`Map::prefetch`] and the next.
const AHEAD: usize = 4;

/// Number of input sections in a part of the text.
const CHUNK: usize = 1 << 9;

/// A part of the text: some inputs of an output section.
pub struct SectionPart {
    /// Position of the output section.
    position: usize,
    /// Index range of its inputs that are not merged.
    inputs: Range<usize>,
    is_first: bool,
    is_last: bool,
}

impl Map<'_> {
    /// All output sections, in parts of about the same length.
    pub fn section_parts(&self) -> Vec<SectionPart> {
        let mut parts = Vec::new();
        for (position, output) in self.input.placed.outputs.sections.iter().enumerate() {
            let count = match &output.content {
                Content::Inputs { sections, .. } => sections.len(),
                Content::Synthetic(_) => 0,
            };
            let chunks = count.div_ceil(CHUNK).max(1);
            parts.extend((0..chunks).map(|chunk| SectionPart {
                position,
                inputs: chunk * CHUNK..count.min((chunk + 1) * CHUNK),
                is_first: chunk == 0,
                is_last: chunk + 1 == chunks,
            }));
        }
        parts
    }

    /// Appends the lines of a part.
    pub fn write_section(&self, part: &SectionPart, out: &mut Vec<u8>) {
        let output = &self.input.placed.outputs.sections[part.position];
        if part.is_first {
            self.write_head(part.position, out);
            self.symbols.write_scripted((part.position, true), out);
        }
        match &output.content {
            Content::Inputs { .. } => self.write_inputs(output, part, out),
            Content::Synthetic(Synthetic::EhFrame) => self.write_frames(output, out),
            Content::Synthetic(Synthetic::Stated(stated)) => {
                self.write_stated(output, part.position, *stated, out);
            }
            Content::Synthetic(_) => {
                self.inputs.columns.input_section(
                    out,
                    &output.name,
                    output.address,
                    output.size,
                    LINKER,
                );
            }
        }
        if part.is_last {
            self.symbols.write_own(part.position, out);
            self.symbols.write_scripted((part.position, false), out);
        }
    }

    /// The line of an output section, before its first part; and the gap that alignment leaves
    /// before this part.
    fn write_head(&self, position: usize, out: &mut Vec<u8>) {
        let outputs = &self.input.placed.outputs;
        let output = &outputs.sections[position];
        let parts = &outputs.head(position).parts;
        if parts.start == position {
            let (address, size) = match parts.len() {
                1 => (output.address, output.size),
                _ => outputs.extent(position),
            };
            let head = outputs.head(position);
            let moved = head.load_address.wrapping_sub(head.address);
            let load_address = (moved != 0).then(|| address.wrapping_add(moved));
            self.inputs.columns.output_section(out, &output.name, address, size, load_address);
            return;
        }
        let before = &outputs.sections[position - 1];
        let end = before.address.wrapping_add(before.size);
        if output.address > end && output.size != 0 {
            self.inputs.columns.fill(out, end, output.address - end);
        }
    }

    /// Bytes that a script gives, and gaps.
    fn write_stated(
        &self,
        output: &OutputSection,
        position: usize,
        stated: StatedId,
        out: &mut Vec<u8>,
    ) {
        let placed = self.input.placed;
        if placed.shown.gaps.contains(&position) {
            if output.size != 0 {
                self.inputs.columns.fill(out, output.address, output.size);
            }
            return;
        }
        let bytes = &placed.stated[stated];
        let mut number = [0; 8];
        let mut text = match (placed.shown.numbers.contains(&position), bytes.len()) {
            (true, 1) => b"BYTE ".to_vec(),
            (true, 2) => b"SHORT ".to_vec(),
            (true, 4) => b"LONG ".to_vec(),
            (true, 8) => b"QUAD ".to_vec(),
            _ => b"ASCII".to_vec(),
        };
        if text.ends_with(b" ") {
            number[..bytes.len()].copy_from_slice(bytes);
            columns::number(&mut text, u64::from_le_bytes(number), 0);
        }
        self.inputs.columns.input_section(out, b"", output.address, output.size, &text);
    }

    fn write_inputs(&self, output: &OutputSection, part: &SectionPart, out: &mut Vec<u8>) {
        let Content::Inputs { groups, sections, islands, .. } = &output.content else { return };
        let end_of = |id: SectionId| self.address(id) + self.record(id).size;
        let merged = &self.input.selected.merged.groups;
        let group_end = |at: &MergedPart| output.address + at.offset + merged[at.group].size;
        let Range { start: from, end: to } = part.inputs.clone();
        // Groups at the start of this part belong to the previous part.
        let earlier = groups.iter().rfind(|group| !part.is_first && group.before == from);
        let before = from.checked_sub(1).map(|before| end_of(sections[before]));
        let mut end = earlier.map(group_end).or(before).unwrap_or(output.address);
        let own =
            |group: &&MergedPart| (group.before > from || part.is_first) && group.before <= to;
        let mut groups = groups.iter().filter(own).peekable();
        let mut near = 0;
        let mut islands = islands
            .iter()
            .filter(|island| island.room != 0 && island.before >= part.inputs.start)
            .peekable();
        let island_line = |island: &crate::layout::islands::Island, out: &mut Vec<u8>| {
            let start = output.address + island.offset;
            self.inputs.columns.input_section(out, &output.name, start, island.room, LINKER);
            start + island.room
        };
        for at in part.inputs.clone() {
            if let Some(island) = islands.next_if(|island| island.before == at) {
                end = island_line(island, out);
            }
            while let Some(group) = groups.next_if(|group| group.before <= at) {
                end = self.write_group(output.address, end, group, &mut near, out);
            }
            self.prefetch(sections, at);
            let id = sections[at];
            let address = self.address(id);
            if address > end {
                self.inputs.columns.fill(out, end, address - end);
            }
            self.write_input(id, address, &mut near, out);
            end = end_of(id);
        }
        for group in groups {
            end = self.write_group(output.address, end, group, &mut near, out);
        }
        if part.is_last
            && let Some(island) = islands.next()
        {
            end = island_line(island, out);
        }
        if part.is_last && output.address + output.size > end {
            self.inputs.columns.fill(out, end, output.address + output.size - end);
        }
    }

    /// Prefetches the tables for the sections behind `at`, in steps: each step is a table whose
    /// index the previous step has loaded.
    fn prefetch(&self, sections: &[SectionId], at: usize) {
        let header = |id: SectionId| {
            let record = self.record(id);
            Some((self.input.tables.objects.get(record.object)?, record.shndx as usize))
        };
        if let Some(&id) = sections.get(at + 3 * AHEAD) {
            self.input.placed.addresses.prefetch(id);
            self.input.tables.definitions.sections.prefetch(id);
        }
        if let Some((object, shndx)) = sections.get(at + 2 * AHEAD).and_then(|&id| header(id)) {
            column::prefetch(object.mapped.shdrs, shndx);
        }
        if let Some((object, shndx)) = sections.get(at + AHEAD).and_then(|&id| header(id))
            && let Some(header) = object.mapped.shdrs.get(shndx)
        {
            column::prefetch(object.mapped.shstrtab, header.sh_name() as usize);
        }
    }

    /// An input section as a whole, and its symbols. An empty one is listed if it has symbols.
    fn write_input(&self, id: SectionId, address: u64, near: &mut usize, out: &mut Vec<u8>) {
        let record = self.record(id);
        let start = out.len();
        let is_copy = Some(&id) >= self.input.tables.definitions.section_base.last();
        if is_copy {
            self.inputs.columns.input_section(out, b".dynbss", address, record.size, LINKER);
            self.symbols.write_copies(id, address, out);
            return;
        }
        let file = self.inputs.file(record.object);
        self.inputs.columns.input_section(out, self.name(id), address, record.size, file);
        let line_end = out.len();
        self.symbols.write(id, near, out);
        if record.size == 0 && out.len() == line_end {
            out.truncate(start);
        }
    }

    /// A merged group behind `end`: for each member, the content that no earlier member has.
    /// Returns its end.
    fn write_group(
        &self,
        start: u64,
        end: u64,
        part: &MergedPart,
        near: &mut usize,
        out: &mut Vec<u8>,
    ) -> u64 {
        let merged = &self.input.selected.merged;
        let group = &merged.groups[part.group];
        let base = start + part.offset;
        if base > end {
            self.inputs.columns.fill(out, end, base - end);
        }
        let has_tails = !group.tails.is_empty();
        for (at, &member) in group.members.iter().enumerate() {
            let member = &merged.members[member];
            // Strings share tails across sections, so the whole group is listed with its first
            // member.
            let (from, size) = match (has_tails, at) {
                (true, 0) => (0, group.size),
                (true, _) => (group.size, 0),
                _ => (member.owned_start, member.owned_size),
            };
            let record = self.record(member.section);
            let file = self.inputs.file(record.object);
            self.inputs.columns.input_section(
                out,
                self.name(member.section),
                base + from,
                size,
                file,
            );
            if size != record.size {
                self.inputs.columns.size_before(out, record.size);
            }
            self.symbols.write(member.section, near, out);
        }
        base + group.size
    }

    /// `.eh_frame`: CIEs, then FDEs by object, then those of the linker's own code.
    fn write_frames(&self, output: &OutputSection, out: &mut Vec<u8>) {
        let plan = &self.input.planned.plan.eh_frame;
        let frames = &self.input.selected.frames;
        let mut at = output.address;
        let owner = |cie: CieId| self.record(frames.cies[cie].input).object;
        for cies in plan.cies.chunk_by(|&a, &b| owner(a) == owner(b)) {
            let size = cies.iter().map(|&cie| u64::from(frames.cies[cie].size)).sum();
            self.inputs.columns.input_section(
                out,
                &output.name,
                at,
                size,
                self.inputs.file(owner(cies[0])),
            );
            at += size;
        }
        for (object, range) in plan.object_offsets.ids().zip(plan.object_offsets.ranges()) {
            let (start, end) = (output.address + range.start, output.address + range.end);
            if start < end {
                self.inputs.columns.input_section(
                    out,
                    &output.name,
                    start,
                    end - start,
                    self.inputs.file(object),
                );
                at = end;
            }
        }
        let rest = (output.address + output.size).saturating_sub(at);
        if rest != 0 {
            self.inputs.columns.input_section(out, &output.name, at, rest, LINKER);
        }
    }

    fn name(&self, id: SectionId) -> &'static [u8] {
        let record = self.record(id);
        if record.flags.has(SectionFlags::COMMON) {
            b"COMMON"
        } else {
            self.input.tables.objects[record.object].section_name(record.shndx)
        }
    }

    fn record(&self, id: SectionId) -> &crate::read::object_file::InputSection {
        &self.input.tables.definitions.sections[id]
    }

    fn address(&self, id: SectionId) -> u64 {
        self.input.placed.addresses[id].load(Ordering::Relaxed)
    }
}
