//! Addresses and file offsets of output sections, and the program headers (gABI chapter 5).
//!
//! First the list of segments is made, which depends on the order of sections alone; then the size
//! of the headers is known, and one pass over the sections gives addresses.

use super::address_segments;
use super::memory_binding;
use super::output_sections::{Content, OutputSection, OutputSections, Synthetic};
use super::segment_marks;
use crate::args::section_order::SectionOrder;
use crate::args::{Options, SeparateCode};
use crate::format::elf::{Ehdr, Shdr};
use crate::format::encoding::Encoding;
use crate::read::Objects;
use crate::read::claimed_files::AskedSegment;
use crate::read::object_file::StackNote;
use crate::resolve::definitions::SectionId;
use crate::script::LayoutScript;
use crate::script::statements::Zone;
use object::elf::*;
use skald_core::unordered::UnorderedMap;
use std::ops::Range;

/// A program header before it is written.
#[derive(Debug, Clone)]
pub struct Segment {
    /// `p_type`: PT_*.
    pub p_type: u32,
    /// `p_flags`: PF_*.
    pub p_flags: u32,
    /// Positions of the output sections that it covers.
    pub sections: std::ops::Range<usize>,
    /// It covers the file header and program headers too.
    pub has_headers: bool,
    /// `p_offset`.
    pub file_offset: u64,
    /// `p_vaddr`.
    pub address: u64,
    /// `p_paddr`.
    pub physical_address: u64,
    /// `p_filesz`, in bytes.
    pub file_size: u64,
    /// `p_memsz`, in bytes.
    pub memory_size: u64,
    /// `p_align`, in bytes.
    pub align: u64,
}

impl Segment {
    pub(super) fn new(p_type: u32, p_flags: u32, sections: std::ops::Range<usize>) -> Segment {
        Segment {
            p_type,
            p_flags,
            sections,
            has_headers: false,
            file_offset: 0,
            address: 0,
            physical_address: 0,
            file_size: 0,
            memory_size: 0,
            align: 1,
        }
    }
}

/// The rules for addresses and segments that options and inputs give.
#[derive(Debug, Clone)]
pub struct AddressRules {
    /// How the output stores its headers.
    pub encoding: Encoding,
    /// `--image-base`: address of the first byte of the file.
    pub image_base: u64,
    /// An option gives the image base.
    pub is_base_given: bool,
    /// Largest page (`-z max-page-size`), in bytes.
    pub page: u64,
    /// Page size to which the end of RELRO is aligned: `-z common-page-size` if it is given, or
    /// else the largest page.
    pub relro_page: u64,
    /// `-z relro`: a PT_GNU_RELRO is made.
    pub relro: bool,
    /// `-z separate-code` and relatives: whether code shares pages of file or memory with data.
    pub separate: SeparateCode,
    /// `--no-rosegment`: read-only data may share the segment of code.
    pub no_rosegment: bool,
    /// `p_flags` of PT_GNU_STACK; `None` for no such header.
    pub stack_flags: Option<u32>,
    /// `-z stack-size`: `p_memsz` of PT_GNU_STACK.
    pub stack_size: u64,
    /// Addresses of `--section-start` and relatives by section name: the last of each counts.
    pub fixed: UnorderedMap<Vec<u8>, u64>,
    /// `-N`: no page alignment, one writable segment.
    pub omagic: bool,
    /// `-n`: no page alignment.
    pub nmagic: bool,
    /// `--spare-program-headers`: how many PT_NULL entries are added.
    pub spare_headers: usize,
    /// `--execute-only`: segments of code have no PF_R.
    pub execute_only: bool,
    /// SHF_* of code without data, which needs no PF_R; 0 if there is none.
    pub pure_code: u64,
    /// `--xosegment`: such code shares no segment with what is read.
    pub xosegment: bool,
    /// `-Trodata-segment` and `-Tldata-segment`: where zones start.
    pub zone_starts: Vec<(Zone, u64)>,
    /// `--physical-image-base`: first `p_paddr`; `None` if `p_paddr` is `p_vaddr`.
    pub physical_base: Option<u64>,
    /// Types and flags of empty segments that kernels look for.
    pub marks: Vec<(u32, u32)>,
    /// The list of `--section-order`.
    pub order: Option<SectionOrder>,
    /// By output section: extra `p_flags` and the alignment of a segment of its own.
    pub own_segments: UnorderedMap<Vec<u8>, (u32, u64)>,
}

/// Whether an option or, without one, an input asks for an executable stack. An object without a
/// stack note does not ask for one (docs/decisions/0018-stack.md).
fn wants_exec_stack(options: &Options, objects: &Objects) -> bool {
    let asks = || objects.iter().any(|object| object.stack_note == StackNote::Exec);
    options.z.execstack.unwrap_or_else(asks)
}

impl AddressRules {
    /// The rules from options and inputs.
    pub fn new(options: &Options, objects: &Objects) -> AddressRules {
        let page = options.max_page_size().max(1);
        let mut stack_flags = PF_R | PF_W;
        if wants_exec_stack(options, objects) {
            stack_flags |= PF_X;
        }
        AddressRules {
            encoding: Encoding::of(options.machine),
            image_base: options.image_base.unwrap_or(options.usual_base()),
            is_base_given: options.image_base.is_some(),
            page,
            relro_page: relro_page(options),
            relro: options.z.relro,
            separate: options.separate_code(),
            no_rosegment: !options.has_rosegment(),
            stack_flags: options.has_stack_header().then_some(stack_flags),
            stack_size: options.z.stack_size,
            fixed: fixed_addresses(&options.section_start),
            omagic: options.omagic,
            nmagic: options.nmagic,
            spare_headers: options.arrangement.spare_program_headers as usize,
            execute_only: options.arrangement.execute_only,
            pure_code: options.machine.pure_code.into(),
            xosegment: options.arrangement.xosegment,
            zone_starts: zone_starts(options),
            physical_base: options.arrangement.physical_image_base,
            marks: segment_marks::of(options),
            order: options.arrangement.section_order.clone(),
            own_segments: UnorderedMap::new(),
        }
    }

    /// Gives sections segments of their own.
    pub fn separate(&mut self, asked: &[AskedSegment]) {
        self.own_segments =
            asked.iter().map(|own| (own.name.clone(), (own.flags, own.align))).collect();
    }

    /// The segment of its own that a section has.
    pub fn own_segment(&self, section: &OutputSection) -> Option<(u32, u64)> {
        self.own_segments.get(&section.name).copied()
    }

    /// Gives output sections the addresses that an automatic layout states, where no option says
    /// otherwise.
    pub fn fix_stated(&mut self, script: &LayoutScript) {
        for output in script.outputs() {
            let address = output.address.as_ref().and_then(|address| address.constant());
            if let Some(address) = address {
                self.fixed.entry(output.name.clone()).or_insert(address);
            }
        }
    }

    /// Gives the first section of each zone with a given start its address; `sections` are in
    /// order.
    pub fn fix_zone_starts(&mut self, sections: &[OutputSection]) {
        for &(zone, address) in &self.zone_starts {
            if let Some(section) = sections.iter().find(|section| section.zone == zone) {
                self.fixed.insert(section.name.clone(), address);
            }
        }
    }

    /// The first writable section of code, to which `--execute-only` cannot apply.
    pub fn unprotectable<'a>(&self, sections: &'a [OutputSection]) -> Option<&'a OutputSection> {
        let both = u64::from(SHF_WRITE | SHF_EXECINSTR);
        sections.iter().find(|s| self.execute_only && s.sh_flags & both == both)
    }

    /// Address of the file header in memory. Where an option places the first section, the image
    /// begins on the page before it. `None` if there is no such page, or the image has no pages.
    fn header_address(&self, sections: &[OutputSection]) -> Option<u64> {
        match sections.first().and_then(|first| self.fixed_address(first)) {
            Some(_) if self.omagic || self.nmagic => None,
            Some(first) if first <= self.image_base || !self.is_base_given => {
                let lowest = self.lowest_apart(sections).map_or(first, |apart| apart.min(first));
                lowest.checked_sub(self.page).map(|address| address & !(self.page - 1))
            }
            _ => Some(self.base_beside(sections)),
        }
    }
}

/// Notes where sections start that an option places: inputs are aligned whatever the address is.
pub fn note_starts(sections: &mut [OutputSection], rules: &AddressRules) {
    for section in sections {
        let (address, align) = (rules.fixed_address(section), section.align.max(1));
        if let (Some(address), Content::Inputs { start, .. }) = (address, &mut section.content) {
            start.remainder = address % align;
        }
    }
}

fn fixed_addresses(starts: &[(String, u64)]) -> UnorderedMap<Vec<u8>, u64> {
    starts.iter().map(|(name, address)| (name.clone().into_bytes(), *address)).collect()
}

fn relro_page(options: &Options) -> u64 {
    let page = options.max_page_size().max(1);
    options.z.common_page_size.map_or(page, |common| common.clamp(1, page))
}

fn zone_starts(options: &Options) -> Vec<(Zone, u64)> {
    let arrangement = &options.arrangement;
    let rodata = arrangement.rodata_segment.map(|at| (Zone::LateReadOnly, at));
    let ldata = arrangement.ldata_segment.map(|at| (Zone::LargeData, at));
    rodata.into_iter().chain(ldata).collect()
}

/// Whether a section takes memory that the loader makes read-only.
pub(super) fn is_relro_memory(section: &OutputSection) -> bool {
    section.zone == Zone::Relro && !(is_tls(section) && is_nobits(section))
}

/// A section that `INSERT` has put between those of thread-local storage.
pub fn amid_thread_local(sections: &[OutputSection]) -> Option<&[u8]> {
    let first = sections.iter().position(is_tls)?;
    let last = sections.iter().rposition(is_tls)?;
    let amid = sections[first..last].iter().find(|section| is_alloc(section) && !is_tls(section));
    amid.map(|section| &section.name[..])
}

/// The first inputs of sections of thread-local storage.
pub fn thread_local_inputs(sections: &[OutputSection]) -> impl Iterator<Item = SectionId> {
    let all = sections.iter().filter(|section| is_alloc(section) && is_tls(section));
    all.filter_map(|section| match &section.content {
        Content::Inputs { sections, .. } => sections.first().copied(),
        Content::Synthetic(_) => None,
    })
}

fn is_alloc(section: &OutputSection) -> bool {
    section.sh_flags & u64::from(SHF_ALLOC) != 0
}

fn is_tls(section: &OutputSection) -> bool {
    section.sh_flags & u64::from(SHF_TLS) != 0
}

fn is_nobits(section: &OutputSection) -> bool {
    section.sh_type == SHT_NOBITS
}

/// The segments that sorted `outputs` need.
pub fn plan(outputs: &OutputSections, rules: &AddressRules) -> Vec<Segment> {
    let sections = &outputs.sections;
    let loaded = sections.iter().take_while(|s| is_alloc(s)).count();
    let mut segments = Vec::new();
    let interp = interpreter(&sections[..loaded]);
    let loads = plan_loads(&sections[..loaded], rules);
    if loads[0].has_headers {
        segments.push(Segment { has_headers: true, ..Segment::new(PT_PHDR, PF_R, 0..0) });
    }
    if let Some(at) = interp {
        segments.push(Segment::new(PT_INTERP, PF_R, at..at + 1));
    }
    segments.extend(loads);
    let single = |which: Synthetic, p_type: u32, p_flags: u32| {
        let at = sections.iter().position(|s| s.is_synthetic(which))?;
        Some(Segment::new(p_type, p_flags, at..at + 1))
    };
    let dynamic = outputs.synthetic(Synthetic::Dynamic);
    let writes = dynamic.is_some_and(|s| s.sh_flags & u64::from(SHF_WRITE) != 0);
    let dynamic_flags = if writes { PF_R | PF_W } else { PF_R };
    segments.extend(single(Synthetic::Dynamic, PT_DYNAMIC, dynamic_flags));
    let span = |has: &dyn Fn(&OutputSection) -> bool| {
        let first = sections[..loaded].iter().position(has)?;
        let last = sections[..loaded].iter().rposition(has)?;
        Some(first..last + 1)
    };
    if let Some(range) = span(&is_tls) {
        segments.push(Segment::new(PT_TLS, PF_R, range));
    }
    segments.extend(memory_binding::plan(&sections[..loaded], rules));
    // `.tbss` alone takes no memory that could be protected.
    if sections[..loaded].iter().any(is_relro_memory)
        && let Some(range) = span(&|s| s.zone == Zone::Relro)
        && is_in_one(&segments, &range)
    {
        segments.push(Segment::new(PT_GNU_RELRO, PF_R, range));
    }
    segments.extend(single(Synthetic::EhFrameHdr, PT_GNU_EH_FRAME, PF_R));
    segments.extend(single(Synthetic::SFrame, PT_GNU_SFRAME, PF_R));
    segments.extend(plan_notes(&sections[..loaded]));
    if let Some(index) = outputs.machine.unwind_index
        && let Some(range) = span(&|s| s.sh_type == index.sh_type)
    {
        segments.push(Segment::new(index.p_type, PF_R, range));
    }
    segments.extend(single(Synthetic::Property, PT_GNU_PROPERTY, PF_R));
    let attributes = outputs.attribute_segments();
    segments.extend(attributes.filter_map(|(which, p_type)| single(which, p_type, PF_R)));
    if let Some(flags) = rules.stack_flags {
        segments.push(Segment::new(PT_GNU_STACK, flags, 0..0));
    }
    let marks = rules.marks.iter();
    segments.extend(marks.map(|&(p_type, flags)| Segment::new(p_type, flags, 0..0)));
    for _ in 0..rules.spare_headers {
        segments.push(Segment::new(PT_NULL, 0, 0..0));
    }
    segments
}

/// Whether sections are in one PT_LOAD. An option may put some of them elsewhere, and the memory
/// between would be protected with them.
fn is_in_one(segments: &[Segment], sections: &Range<usize>) -> bool {
    let is_load = |segment: &&Segment| segment.p_type == PT_LOAD;
    let mut loads = segments.iter().filter(is_load).map(|load| &load.sections);
    loads.any(|own| own.start <= sections.start && sections.end <= own.end)
}

/// Position of the section for PT_INTERP: the linker's, or that of a library that is also a
/// program. No other `.interp` of an object contains a path that the kernel could read.
pub(super) fn interpreter(sections: &[OutputSection]) -> Option<usize> {
    let own = sections.iter().position(|s| s.is_synthetic(Synthetic::Interp));
    let writable = u64::from(SHF_WRITE | SHF_EXECINSTR);
    let is_path = |s: &OutputSection| {
        s.name == b".interp" && s.sh_type == SHT_PROGBITS && s.sh_flags & writable == 0
    };
    own.or_else(|| sections.iter().position(is_path))
}

/// Segment of `.note.gnu.property`, which lists the features that all inputs allow.
pub(super) const PT_GNU_PROPERTY: u32 = 0x6474_e553;
/// Segment of `.sframe`, for stack traces.
pub(super) const PT_GNU_SFRAME: u32 = 0x6474_e554;

/// The permissions by which sections are put into segments: those in one segment have the same.
pub(super) fn permissions(rules: &AddressRules, section: &OutputSection) -> u32 {
    if rules.omagic {
        return PF_R | PF_W | PF_X;
    }
    let mut flags = own_permissions(rules, section);
    if rules.no_rosegment && flags & (PF_R | PF_W) == PF_R {
        flags |= PF_X;
    }
    let may_be_read = !rules.xosegment && !rules.execute_only;
    if may_be_read && flags == PF_X { PF_R | PF_X } else { flags }
}

/// The permissions that a section asks for, without regard to what it may share a segment with.
pub(super) fn own_permissions(rules: &AddressRules, section: &OutputSection) -> u32 {
    let mut flags = PF_R;
    if section.sh_flags & u64::from(SHF_WRITE) != 0 {
        flags |= PF_W;
    }
    if section.sh_flags & u64::from(SHF_EXECINSTR) != 0 {
        flags |= PF_X;
    }
    let is_pure = rules.execute_only || section.sh_flags & rules.pure_code != 0;
    if is_pure && flags == PF_R | PF_X {
        return PF_X;
    }
    flags
}

fn plan_loads(sections: &[OutputSection], rules: &AddressRules) -> Vec<Segment> {
    let mut loads: Vec<Segment> = Vec::new();
    let mut previous: Option<&OutputSection> = None;
    for (at, section) in sections.iter().enumerate() {
        let flags = permissions(rules, section);
        let starts = previous.is_none_or(|before| {
            let relro_ends = (before.zone == Zone::Relro) != (section.zone == Zone::Relro);
            let large = before.zone != section.zone
                && matches!(
                    (before.zone, section.zone),
                    (Zone::LargeCode | Zone::LargeReadOnly, _) | (_, Zone::LargeData)
                );
            permissions(rules, before) != flags
                || (relro_ends && !rules.omagic)
                || large
                || (is_nobits(before) && !is_tls(before) && !is_nobits(section))
                || rules.fixed_address(section).is_some()
                || rules.own_segment(before).is_some()
                || rules.own_segment(section).is_some()
        });
        if starts {
            let more = rules.own_segment(section).map_or(0, |(flags, _)| flags);
            loads.push(Segment::new(PT_LOAD, flags | more, at..at + 1));
        } else {
            loads.last_mut().expect("started above").sections.end = at + 1;
        }
        // `.tbss` takes no memory, so the section before it decides.
        if !(is_tls(section) && is_nobits(section)) || starts {
            previous = Some(section);
        }
    }
    join_tbss(&mut loads, sections, rules);
    if rules.no_rosegment && !rules.omagic {
        without_code(&mut loads, sections, rules);
    }
    if loads.is_empty() {
        loads.push(Segment::new(PT_LOAD, PF_R, 0..0));
    }
    match sections.first() {
        Some(first) if rules.fixed_address(first).is_some() => {
            if rules.header_address(sections).is_some() {
                loads.insert(0, Segment::new(PT_LOAD, PF_R, 0..0));
                loads[0].has_headers = true;
            }
        }
        Some(first) if first.zone == Zone::LargeCode || permissions(rules, first) & PF_R == 0 => {
            loads.insert(0, Segment::new(PT_LOAD, PF_R, 0..0));
            loads[0].has_headers = true;
        }
        // The headers are read-only data. If code comes first, they share its pages.
        _ => loads[0].has_headers = true,
    }
    if rules.pure_code != 0 && !rules.omagic {
        without_reading(&mut loads, sections, rules);
    }
    loads
}

/// Segments of nothing but code without data are not to be read.
fn without_reading(loads: &mut [Segment], sections: &[OutputSection], rules: &AddressRules) {
    let is_pure = |section: &OutputSection| {
        own_permissions(rules, section) == PF_X && rules.own_segment(section).is_none()
    };
    for load in loads.iter_mut().filter(|load| !load.has_headers && !load.sections.is_empty()) {
        if sections[load.sections.clone()].iter().all(is_pure) {
            load.p_flags &= !PF_R;
        }
    }
}

/// Read-only data that could have shared the segment of code, but has one of its own, is not to be
/// executed.
fn without_code(loads: &mut [Segment], sections: &[OutputSection], rules: &AddressRules) {
    let is_code = |section: &OutputSection| {
        section.sh_flags & u64::from(SHF_EXECINSTR) != 0 || rules.own_segment(section).is_some()
    };
    for load in loads {
        if !sections[load.sections.clone()].iter().any(is_code) {
            load.p_flags &= !PF_X;
        }
    }
}

/// Joins segments that consist of `.tbss` alone, which takes no memory, with those before them.
fn join_tbss(loads: &mut Vec<Segment>, sections: &[OutputSection], rules: &AddressRules) {
    let is_nothing = |segment: &Segment| {
        let takes_none =
            |s: &OutputSection| is_tls(s) && is_nobits(s) && rules.fixed_address(s).is_none();
        sections[segment.sections.clone()].iter().all(takes_none)
    };
    loads.dedup_by(|later, before| {
        let joins = is_nothing(later);
        if joins {
            before.sections.end = later.sections.end;
        }
        joins
    });
}

fn plan_notes(sections: &[OutputSection]) -> Vec<Segment> {
    let mut notes: Vec<Segment> = Vec::new();
    for (at, section) in sections.iter().enumerate().filter(|(_, s)| s.sh_type == SHT_NOTE) {
        match notes.last_mut() {
            Some(last)
                if last.sections.end == at
                    && sections[last.sections.start].align == section.align =>
            {
                last.sections.end = at + 1;
            }
            _ => notes.push(Segment::new(PT_NOTE, PF_R, at..at + 1)),
        }
    }
    notes
}

/// The ends of the loaded part and of the whole file.
#[derive(Debug, Clone, Copy, Default)]
pub struct FileEnd {
    /// File offset behind the last loaded section.
    pub loaded: u64,
    /// `e_shoff`: offset of the section header table, 0 if there is none.
    pub section_headers: u64,
    /// Size of the file in bytes.
    pub size: u64,
}

/// The addresses of file header and program headers in an automatic layout with these `segments`;
/// prepares the sections for addressing.
pub fn headers(
    outputs: &mut OutputSections,
    segments: &[Segment],
    rules: &AddressRules,
) -> std::ops::Range<u64> {
    align_tls_start(&mut outputs.sections);
    let size = address_segments::header_size(rules.encoding, segments.len());
    let address = rules.header_address(&outputs.sections).unwrap_or(0);
    address..address.saturating_add(size)
}

/// Fills `segments`, once loaded sections have their addresses and file offsets, which end at
/// `loaded`. Gives all other sections their file offsets.
pub fn finish(
    outputs: &mut OutputSections,
    segments: &mut [Segment],
    rules: &AddressRules,
    headers: std::ops::Range<u64>,
    loaded: u64,
    with_section_headers: bool,
) -> FileEnd {
    for segment in segments.iter().filter(|segment| segment.p_type == PT_LOAD) {
        place_tbss_run(&mut outputs.sections[segment.sections.clone()]);
    }
    measure_heads(outputs);
    let end = place_unloaded(outputs, loaded, with_section_headers);
    fill(segments, &outputs.sections, rules, headers);
    sort_loads(segments);
    place_physically(segments, rules);
    end
}

/// Copies address and size into the headers of single sections.
pub(super) fn measure_heads(outputs: &mut OutputSections) {
    for head in &mut outputs.heads {
        let section = &outputs.sections[head.parts.start];
        if head.parts.len() != 1 {
            head.file_offset = section.file_offset;
            continue;
        }
        (head.address, head.load_address) = (section.address, section.address);
        (head.size, head.align) = (section.size, section.align);
        head.file_offset = section.file_offset;
    }
}

/// Segments that cover one synthetic section each, for those sections that the output has.
pub(super) fn single_segments(
    outputs: &OutputSections,
    wanted: &[(Synthetic, u32)],
) -> Vec<Segment> {
    let found = wanted.iter().filter_map(|&(which, p_type)| {
        let at = outputs.sections.iter().position(|s| s.is_synthetic(which))?;
        let writes = outputs.sections[at].sh_flags & u64::from(SHF_WRITE) != 0;
        Some(Segment::new(p_type, if writes { PF_R | PF_W } else { PF_R }, at..at + 1))
    });
    found.collect()
}

/// Gives sections that are not loaded their file offsets, behind `start`; parts of one header stay
/// together.
pub fn place_unloaded(
    outputs: &mut OutputSections,
    start: u64,
    with_section_headers: bool,
) -> FileEnd {
    let is_placed = |section: &OutputSection| !is_alloc(section);
    let end = place_in_file(outputs, start, u64::MAX, is_placed);
    if with_section_headers {
        behind_headers(outputs, start, end)
    } else {
        FileEnd { loaded: start, section_headers: 0, size: end }
    }
}

/// Gives all sections of a relocatable output their places in the file, behind the file header. The
/// file is not mapped as an image, so alignments above the page size leave no gaps.
pub fn place_all(outputs: &mut OutputSections) -> FileEnd {
    let start = outputs.encoding().size::<Ehdr>() as u64;
    let end = place_in_file(outputs, start, 1 << 12, |_| true);
    behind_headers(outputs, 0, end)
}

/// Gives headers their file offsets from `start` on, aligned to `most_align` at most. Only headers
/// whose first part `is_placed` accepts are placed. Returns the end of the last one.
fn place_in_file(
    outputs: &mut OutputSections,
    start: u64,
    most_align: u64,
    is_placed: impl Fn(&OutputSection) -> bool,
) -> u64 {
    let mut end = start;
    for head in &mut outputs.heads {
        let parts = &mut outputs.sections[head.parts.clone()];
        if !is_placed(&parts[0]) {
            continue;
        }
        end = align_up(end, head.align.clamp(1, most_align));
        head.file_offset = end;
        for part in parts.iter_mut() {
            part.file_offset = end.wrapping_add(part.address.wrapping_sub(head.address));
        }
        if !is_nobits(&parts[0]) {
            end = end.saturating_add(head.size);
        }
    }
    end
}

/// The end of a file whose last section ends at `end`: section headers follow.
fn behind_headers(outputs: &OutputSections, loaded: u64, end: u64) -> FileEnd {
    let encoding = outputs.encoding();
    let section_headers = align_up(end, encoding.word_size() as u64);
    let size = ((outputs.heads.len() + 1) * encoding.size::<Shdr>()) as u64;
    FileEnd { loaded, section_headers, size: section_headers.saturating_add(size) }
}

/// The next multiple of `align`, or `u64::MAX` if there is none, which [`overflowing`] finds.
fn align_up(value: u64, align: u64) -> u64 {
    value.checked_next_multiple_of(align).unwrap_or(u64::MAX)
}

/// The first section that does not fit: addresses have 64 bits, file offsets 63.
pub fn overflowing(outputs: &OutputSections) -> Option<&OutputSection> {
    outputs.sections.iter().find(|section| {
        // The last byte of the address space may be used.
        let last = section.size.saturating_sub(1);
        let address_fits = section.address != u64::MAX || section.size == 0;
        let address_fits = address_fits && section.address.checked_add(last).is_some();
        let is_in_file = !is_nobits(section);
        let end = section.file_offset.checked_add(section.size);
        !address_fits || is_in_file && end.is_none_or(|end| end >> 62 != 0)
    })
}

/// PT_LOAD entries ascend by address (gABI chapter 5, "Program Header"), even if `--section-start`
/// makes addresses go back.
fn sort_loads(segments: &mut [Segment]) {
    let is_load = |s: &Segment| s.p_type == PT_LOAD;
    let Some(first) = segments.iter().position(is_load) else { return };
    let count = segments[first..].iter().take_while(|s| is_load(s)).count();
    segments[first..first + count].sort_by_key(|s| s.address);
}

/// `p_paddr`: equal to `p_vaddr`, or where a loader is to put the bytes (`--physical-image-base`).
/// From the given start on, segments follow each other without gaps. While their own addresses
/// begin there and leave gaps of less than two pages, those are the physical addresses, too, as in
/// mold.
pub(super) fn place_physically(segments: &mut [Segment], rules: &AddressRules) {
    for segment in segments.iter_mut() {
        segment.physical_address = segment.address;
    }
    let Some(mut next) = rules.physical_base else { return };
    let mut is_in_step = true;
    for segment in segments.iter_mut().filter(|s| s.p_type == PT_LOAD) {
        let gap = segment.address.checked_sub(next);
        is_in_step &= if next == rules.physical_base.unwrap_or(0) {
            gap == Some(0)
        } else {
            gap.is_some_and(|gap| gap < rules.page.saturating_mul(2))
        };
        segment.physical_address = if is_in_step { segment.address } else { next };
        next = segment.physical_address.saturating_add(segment.memory_size);
    }
}

/// PT_TLS must start at its own alignment, so its first section takes the greatest of all.
pub(super) fn align_tls_start(sections: &mut [OutputSection]) {
    let align = sections.iter().filter(|s| is_tls(s)).map(|s| s.align).max();
    if let (Some(align), Some(first)) = (align, sections.iter_mut().find(|s| is_tls(s))) {
        first.align = align;
    }
}

/// Several `.tbss` sections follow each other in the TLS template, though they take no memory in
/// the image. An option may place the first where it is not aligned.
pub(super) fn place_tbss_run(sections: &mut [OutputSection]) {
    let mut end = None;
    for section in sections.iter_mut().filter(|s| is_tls(s) && is_nobits(s)) {
        let start = end.map_or(section.address, |end| align_up(end, section.align));
        section.address = start;
        end = Some(start.saturating_add(section.size));
    }
}

/// Gives `segments` the addresses and sizes of what they cover.
pub fn fill(
    segments: &mut [Segment],
    sections: &[OutputSection],
    rules: &AddressRules,
    headers: std::ops::Range<u64>,
) {
    for segment in segments {
        match segment.p_type {
            PT_PHDR => {
                segment.file_offset = rules.encoding.size::<Ehdr>() as u64;
                segment.address = headers.start.saturating_add(segment.file_offset);
                segment.file_size = headers.end - segment.address;
                segment.memory_size = segment.file_size;
                segment.align = rules.encoding.word_size() as u64;
                continue;
            }
            PT_GNU_STACK => {
                segment.memory_size = rules.stack_size;
                segment.align = 16;
                continue;
            }
            _ => {}
        }
        let covered = &sections[segment.sections.clone()];
        cover(segment, covered, rules, &headers);
    }
}

/// The distance from `start` to a section's end, in bytes: the end may be the end of the address
/// space.
pub(super) fn reach(start: u64, section: &OutputSection) -> u64 {
    match section.address.checked_sub(start) {
        Some(distance) => distance.saturating_add(section.size),
        None => section.address.saturating_add(section.size).saturating_sub(start),
    }
}

fn cover(
    segment: &mut Segment,
    covered: &[OutputSection],
    rules: &AddressRules,
    headers: &std::ops::Range<u64>,
) {
    if segment.has_headers {
        segment.address = headers.start;
        segment.file_size = headers.end - headers.start;
        segment.memory_size = segment.file_size;
    } else if let Some(first) = covered.first() {
        segment.file_offset = first.file_offset;
        segment.address = first.address;
    }
    for section in covered {
        segment.align = segment.align.max(section.align);
        if segment.p_type != PT_TLS && is_tls(section) && is_nobits(section) {
            continue;
        }
        if section.sh_flags & u64::from(SHF_ALLOC) != 0 {
            segment.memory_size = segment.memory_size.max(reach(segment.address, section));
        }
        if !is_nobits(section) {
            let end = section.file_offset.saturating_add(section.size);
            segment.file_size = segment.file_size.max(end.saturating_sub(segment.file_offset));
        }
    }
    let is_relro = covered.first().is_some_and(|s| s.zone == Zone::Relro);
    match segment.p_type {
        PT_LOAD => {
            if segment.has_headers {
                // The start of the image may be less aligned than a section in it, but the entry
                // must state a true congruence (gABI chapter 5, "Program Header": congruent modulo
                // `p_align`).
                let distance = segment.address.wrapping_sub(segment.file_offset);
                segment.align = segment.align.min(1 << distance.trailing_zeros().min(63));
            }
            if !(rules.omagic || rules.nmagic) {
                segment.align = segment.align.max(rules.page);
            }
            if is_relro {
                // The dynamic linker protects whole pages, so nothing else shares the last one.
                let end = segment.address.saturating_add(segment.memory_size);
                segment.memory_size = align_up(end, rules.relro_page) - segment.address;
            }
            if segment.file_size == 0 {
                // Nothing is read, but loaders require offset and address to be congruent.
                let distance = segment.address.wrapping_sub(segment.file_offset);
                segment.file_offset += distance % segment.align.max(1);
            }
        }
        PT_GNU_RELRO => {
            let end = segment.address.saturating_add(segment.memory_size);
            segment.memory_size = align_up(end, rules.relro_page) - segment.address;
            segment.align = 1;
        }
        _ => {}
    }
}
