//! Program headers and file offsets of an output that a script lays out. The headers are those that
//! `PHDRS` lists, or those that GNU ld makes from the sections' addresses
//! (`_bfd_elf_map_sections_to_segments` in `elf.c`).

use super::items::Layout;
use super::nature::Traits;
use super::output_sections::{OutputSections, Synthetic};
use super::segments::{
    AddressRules, FileEnd, PT_GNU_PROPERTY, PT_GNU_SFRAME, Segment, interpreter, own_permissions,
    place_unloaded, reach, single_segments,
};
use super::walk::Walk;
use crate::args::options::OutputFormat;
use crate::args::{Options, SeparateCode};
use crate::format::elf::{Ehdr, Phdr};
use crate::format::encoding::Encoding;
use object::elf::*;
use skald_core::unordered::UnorderedMap;
use std::ops::Range;

mod phdrs_command;
pub mod unloaded_sections;

/// A loaded output section, with the properties that segments depend on.
#[derive(Debug, Clone, Copy)]
struct Loaded {
    /// Position among the section headers.
    head: usize,
    address: u64,
    load_address: u64,
    size: u64,
    /// No byte of the section comes from the file.
    is_nobits: bool,
    is_tls: bool,
    /// It takes no memory in the image: `.tbss`, zeros of thread-local storage.
    is_tbss: bool,
    is_code: bool,
    is_writable: bool,
    /// The memory region of the first output section with its name.
    region: Option<usize>,
}

fn loaded(outputs: &OutputSections, layout: &Layout, walk: &Walk) -> Vec<Loaded> {
    let mut regions: UnorderedMap<&[u8], Option<usize>> = UnorderedMap::new();
    for at in layout.order().filter(|_| !layout.regions.is_empty()) {
        let name = &layout.headings[at].statement.name;
        regions.entry(&name[..]).or_insert(walk.places[at].region);
    }
    let all = outputs.heads.iter().enumerate();
    let all = all.filter_map(|(at, head)| {
        let part = &outputs.sections[head.parts.start];
        let has = |flag: u32| part.sh_flags & u64::from(flag) != 0;
        let is_tbss = part.sh_type == SHT_NOBITS && has(SHF_TLS);
        (has(SHF_ALLOC) && head.is_in_memory() && !head.is_passed).then_some(Loaded {
            head: at,
            address: head.address,
            load_address: head.load_address,
            size: if is_tbss { 0 } else { head.size },
            is_nobits: !head.traits.has(Traits::LOADED),
            is_tls: has(SHF_TLS),
            is_tbss,
            is_code: head.traits.has(Traits::CODE),
            is_writable: has(SHF_WRITE) && !head.traits.has(Traits::READ_ONLY),
            region: regions.get(&part.name[..]).copied().flatten(),
        })
    });
    let mut all: Vec<Loaded> = all.collect();
    gather_zeros(&mut all);
    all.sort_by_key(|section| {
        let (_, _, is_last, size) = by_address(outputs, section.head);
        (section.load_address, section.address, is_last, size)
    });
    all
}

/// A `.tbss` section behind another one has addresses at which other sections are loaded. Such
/// sections count as if they were where the first one is.
fn gather_zeros(sections: &mut [Loaded]) {
    let mut first: Option<(u64, u64)> = None;
    for section in sections {
        if !section.is_tbss {
            first = None;
            continue;
        }
        let own = (section.address, section.load_address);
        (section.address, section.load_address) = *first.get_or_insert(own);
    }
}

/// The sort key of sections in a segment, as in GNU ld (`elf_sort_sections` in `elf.c`): load
/// address; at the same address empty sections come first, and those without bytes in the file
/// last.
fn by_address(outputs: &OutputSections, head: usize) -> (u64, u64, bool, u64) {
    let head = &outputs.heads[head];
    let first = &outputs.sections[head.parts.start];
    let is_nobits = first.sh_type == SHT_NOBITS;
    let is_tls = first.sh_flags & u64::from(SHF_TLS) != 0;
    let size = if is_nobits { 0 } else { head.size };
    (head.load_address, head.address, is_nobits && !is_tls && head.size != 0, size)
}

/// A section that stands between those of thread-local storage. These have to be contiguous,
/// because the program header PT_TLS describes them as one template.
pub fn amid_thread_local(outputs: &OutputSections) -> Option<&[u8]> {
    let mut all: Vec<(u64, bool, &[u8])> = Vec::new();
    // A second `.tbss` has addresses at which other sections are loaded.
    let mut zeros: Option<u64> = None;
    for head in outputs.heads.iter().filter(|head| head.size != 0) {
        let part = &outputs.sections[head.parts.start];
        if part.is_loaded() {
            let is_thread_local = part.sh_flags & u64::from(SHF_TLS) != 0;
            let is_zeros = is_thread_local && part.sh_type == SHT_NOBITS;
            zeros = is_zeros.then(|| *zeros.get_or_insert(head.address));
            all.push((zeros.unwrap_or(head.address), is_thread_local, &part.name));
        }
    }
    // Addresses are compared, not load addresses: the template's initial data may be loaded
    // anywhere.
    let addresses = || all.iter().filter(|section| section.1).map(|section| section.0);
    let (first, last) = (addresses().min()?, addresses().max()?);
    let is_amid = |&&(address, is_thread_local, _): &&(u64, bool, &[u8])| {
        !is_thread_local && address > first && address < last
    };
    all.iter().find(is_amid).map(|section| section.2)
}

/// Runs of sections that share a segment.
fn runs(sections: &[Loaded], rules: &AddressRules) -> Vec<Vec<Loaded>> {
    let mut runs: Vec<Vec<Loaded>> = Vec::new();
    let (mut is_writable, mut is_code) = (false, false);
    for &section in sections {
        let starts = match runs.last().and_then(|run| run.last()) {
            None => true,
            Some(before) => {
                before.region != section.region
                    || begins(before, &section, is_writable, is_code, rules)
            }
        };
        if starts {
            (is_writable, is_code) = (false, false);
            runs.push(Vec::new());
        }
        is_writable |= section.is_writable;
        is_code |= section.is_code;
        runs.last_mut().expect("started above").push(section);
    }
    runs
}

/// Whether a section has to start a segment, because it cannot share that of the section before it.
fn begins(
    before: &Loaded,
    section: &Loaded,
    is_writable: bool,
    is_code: bool,
    rules: &AddressRules,
) -> bool {
    let end = before.load_address.wrapping_add(before.size);
    let is_paged = is_paged(rules);
    let page_of = |address: u64| address & !(rules.page - 1);
    let shift = |of: &Loaded| of.load_address.wrapping_sub(of.address);
    if shift(before) != shift(section) || section.load_address < end {
        return true;
    }
    if is_paged && page_of(end.wrapping_sub(1)) == page_of(section.load_address) {
        // A page of memory has one set of permissions.
        return false;
    }
    let next_page = end.checked_next_multiple_of(rules.page).unwrap_or(u64::MAX);
    if next_page.saturating_add(rules.page) <= section.load_address {
        return true;
    }
    if before.is_nobits && !before.is_tls && (!section.is_nobits || section.is_tls) {
        return true;
    }
    is_paged
        && (rules.separate != SeparateCode::None && is_code != section.is_code
            || !is_writable && section.is_writable)
}

fn is_paged(rules: &AddressRules) -> bool {
    !rules.omagic && !rules.nmagic
}

/// Whether the file header and program headers are in memory, and where.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum HeaderPlace {
    /// The headers are not loaded.
    Nowhere,
    /// At the start of the first segment.
    First,
    /// In a segment of their own, at this address and load address.
    Own(u64, u64),
}

/// Headers are loaded if something asks for them, or if the page of the first section has room for
/// them. If code has segments of its own and is first, the headers get a segment of their own too.
fn header_place(
    first: Option<&Loaded>,
    is_asked: bool,
    size: u64,
    rules: &AddressRules,
) -> HeaderPlace {
    let Some(first) = first.filter(|_| is_paged(rules)) else { return HeaderPlace::Nowhere };
    let in_page = |address: u64| address & (rules.page - 1);
    let page_of = |address: u64| address & !(rules.page - 1);
    if !is_asked && in_page(first.load_address) < in_page(size) || first.load_address < size {
        return HeaderPlace::Nowhere;
    }
    let start = page_of(first.load_address - size);
    if rules.separate == SeparateCode::None || !first.is_code {
        return HeaderPlace::First;
    }
    let shares_page = page_of(start + size - 1) == page_of(first.load_address);
    let own = if shares_page { start.checked_sub(rules.page) } else { Some(start) };
    let address = page_of(first.address.wrapping_sub(size));
    own.map_or(HeaderPlace::First, |own| HeaderPlace::Own(address, own))
}

/// A segment, and the section headers that it covers, by address.
#[derive(Debug, Clone)]
pub struct Covering {
    /// The program header to be written.
    pub segment: Segment,
    /// Positions of the covered sections among the section headers.
    pub heads: Vec<usize>,
    /// It covers the file header, not only the program headers.
    has_file_header: bool,
    /// It covers the program headers, not only the file header.
    has_program_headers: bool,
    /// The load address that a script gives the segment.
    load_address: Option<u64>,
    /// Where PT_GNU_RELRO ends, if a script says so: sections may extend beyond it.
    end: Option<u64>,
}

impl Covering {
    /// A segment of output sections.
    fn new(p_type: u32, p_flags: u32, outputs: &OutputSections, heads: Vec<usize>) -> Covering {
        let parts = heads.iter().map(|&head| &outputs.heads[head].parts);
        let start = parts.clone().map(|parts| parts.start).min().unwrap_or(0);
        let range = start..parts.map(|parts| parts.end).max().unwrap_or(0);
        Covering { heads, ..Covering::of(Segment::new(p_type, p_flags, range)) }
    }

    /// A segment that covers one part of an output section, or nothing.
    fn of(segment: Segment) -> Covering {
        Covering {
            segment,
            heads: Vec::new(),
            has_file_header: true,
            has_program_headers: true,
            load_address: None,
            end: None,
        }
    }

    /// File range of the headers that the segment covers; `size` is that of all headers.
    fn headers(&self, encoding: Encoding, size: u64) -> Range<u64> {
        let between = encoding.size::<Ehdr>() as u64;
        let start = if self.has_file_header { 0 } else { between };
        start..if self.has_program_headers { size } else { between }
    }
}

fn positions(run: &[Loaded]) -> Vec<usize> {
    run.iter().map(|section| section.head).collect()
}

/// The segments that the script's sections need, with the sections that they cover; `count` is the
/// number of segments in the round before.
pub fn plan(
    outputs: &OutputSections,
    layout: &Layout,
    walk: &Walk,
    rules: &AddressRules,
    count: usize,
) -> Vec<Covering> {
    let sections = loaded(outputs, layout, walk);
    if let Some(headers) = &layout.headers {
        let mut segments = phdrs_command::plan(outputs, layout, headers, &walk.headers, rules);
        let end = walk.relro.range().map(|(_, end)| end);
        segments
            .iter_mut()
            .filter(|own| own.segment.p_type == PT_GNU_RELRO)
            .for_each(|own| own.end = end);
        return segments;
    }
    let is_asked = layout.uses_headers || interpreter(&outputs.sections).is_some();
    let place =
        |count| header_place(sections.first(), is_asked, header_size(rules.encoding, count), rules);
    let planned = |place| plan_around(outputs, &sections, place, walk, rules);
    match place(count) {
        // With small pages, the size of the headers modulo the page counts, and a segment for the
        // headers alone may make room for them.
        own @ HeaderPlace::Own(..)
            if !is_asked && rules.page <= header_size(rules.encoding, count) =>
        {
            let without = planned(HeaderPlace::Nowhere);
            match place(without.len()) {
                HeaderPlace::Nowhere => without,
                _ => planned(own),
            }
        }
        place => planned(place),
    }
}

/// The segments, given this place of the headers.
fn plan_around(
    outputs: &OutputSections,
    sections: &[Loaded],
    place: HeaderPlace,
    walk: &Walk,
    rules: &AddressRules,
) -> Vec<Covering> {
    let mut segments: Vec<Covering> = Vec::new();
    let interp = interpreter(&outputs.sections);
    if let Some(at) = interp {
        if place != HeaderPlace::Nowhere {
            segments.push(Covering::of(Segment::new(PT_PHDR, PF_R, 0..0)));
        }
        segments.push(Covering::of(Segment::new(PT_INTERP, PF_R, at..at + 1)));
    }
    segments.extend(plan_loads(outputs, sections, place, rules));
    let single =
        |which, p_type| single_segments(outputs, &[(which, p_type)]).into_iter().map(Covering::of);
    segments.extend(single(Synthetic::Dynamic, PT_DYNAMIC));
    segments.extend(plan_notes(outputs));
    if let Some(index) = outputs.machine.unwind_index {
        let is_index = |loaded: &&Loaded| {
            let first = outputs.heads[loaded.head].parts.start;
            outputs.sections[first].sh_type == index.sh_type
        };
        let found: Vec<Loaded> = sections.iter().filter(is_index).copied().collect();
        if !found.is_empty() {
            segments.push(Covering::new(index.p_type, PF_R, outputs, positions(&found)));
        }
    }
    let tls: Vec<Loaded> = sections.iter().filter(|section| section.is_tls).copied().collect();
    if !tls.is_empty() {
        segments.push(Covering::new(PT_TLS, PF_R, outputs, positions(&tls)));
    }
    segments.extend(single(Synthetic::Property, PT_GNU_PROPERTY));
    segments.extend(outputs.attribute_segments().flat_map(|(which, p_type)| single(which, p_type)));
    segments.extend(single(Synthetic::EhFrameHdr, PT_GNU_EH_FRAME));
    segments.extend(single(Synthetic::SFrame, PT_GNU_SFRAME));
    if let Some(flags) = rules.stack_flags {
        let stack = Segment::new(PT_GNU_STACK, flags, 0..0);
        segments.push(Covering::of(Segment { align: 16, ..stack }));
    }
    if rules.relro {
        let relro = plan_relro(outputs, &segments, walk);
        segments.extend(relro);
    }
    segments
}

fn plan_loads(
    outputs: &OutputSections,
    sections: &[Loaded],
    place: HeaderPlace,
    rules: &AddressRules,
) -> Vec<Covering> {
    let mut loads = Vec::new();
    if let HeaderPlace::Own(address, physical_address) = place {
        let load = Segment::new(PT_LOAD, PF_R, 0..0);
        let load = Segment { has_headers: true, address, physical_address, ..load };
        loads.push(Covering::of(load));
    }
    let mut has_headers = place == HeaderPlace::First;
    for run in runs(sections, rules) {
        let takes_nothing = |section: &Loaded| section.is_tbss || section.size == 0;
        if run.iter().all(takes_nothing) {
            continue;
        }
        let flags = flags_of(outputs, &positions(&run), rules);
        let mut load = Covering::new(PT_LOAD, flags, outputs, positions(&run));
        load.segment.has_headers = std::mem::take(&mut has_headers);
        load.segment.address = run[0].address;
        load.segment.physical_address = run[0].load_address;
        loads.push(load);
    }
    loads
}

/// The `p_flags` that these sections need together.
fn flags_of(outputs: &OutputSections, heads: &[usize], rules: &AddressRules) -> u32 {
    let part = |&head: &usize| &outputs.sections[outputs.heads[head].parts.start];
    heads.iter().fold(0, |flags, head| flags | own_permissions(rules, part(head)))
}

/// PT_GNU_RELRO: memory that is written while relocations are applied, and read-only afterwards.
/// There is none if no segment begins within this memory, because then it shares pages with the
/// sections before (`_bfd_elf_map_sections_to_segments` in `elf.c`).
fn plan_relro(outputs: &OutputSections, segments: &[Covering], walk: &Walk) -> Option<Covering> {
    let (start, end) = walk.relro.range()?;
    let head = |at: usize| &outputs.heads[at];
    let is_in = |at: usize| (start..end).contains(&head(at).address);
    let has_bytes = |at: &usize| {
        let part = &outputs.sections[head(*at).parts.start];
        head(*at).size != 0 && part.sh_type != SHT_NOBITS
    };
    let mut loads = segments.iter().filter(|own| own.segment.p_type == PT_LOAD);
    let begins = |load: &Covering| {
        load.heads.first().is_some_and(|&at| is_in(at)) && load.heads.iter().any(has_bytes)
    };
    if !loads.clone().any(begins) {
        return None;
    }
    let reaches = |at: &usize| head(*at).address.saturating_add(head(*at).size) > start;
    let holds = |load: &&Covering| {
        load.heads.last().is_some_and(reaches)
            && load.heads.first().is_some_and(|&at| head(at).address < end)
    };
    let heads = &loads.find(holds)?.heads;
    let from = heads.iter().position(|&at| is_in(at) && head(at).size != 0)?;
    let heads: Vec<usize> = heads[from..].iter().copied().filter(|&at| is_in(at)).collect();
    Some(Covering { end: Some(end), ..Covering::new(PT_GNU_RELRO, PF_R, outputs, heads) })
}

/// A PT_NOTE for each run of notes of one alignment.
fn plan_notes(outputs: &OutputSections) -> Vec<Covering> {
    let mut notes: Vec<Vec<usize>> = Vec::new();
    for (at, head) in outputs.heads.iter().enumerate() {
        let first = &outputs.sections[head.parts.start];
        if first.sh_type != SHT_NOTE || !first.is_loaded() {
            continue;
        }
        let follows =
            |last: &usize| *last + 1 == at && outputs.heads[*last].align == outputs.heads[at].align;
        match notes.last_mut() {
            Some(run) if run.last().is_some_and(follows) => run.push(at),
            _ => notes.push(vec![at]),
        }
    }
    notes.into_iter().map(|run| Covering::new(PT_NOTE, PF_R, outputs, run)).collect()
}

/// Size in bytes of file header and program headers with `segments` segments.
pub fn header_size(encoding: Encoding, segments: usize) -> u64 {
    (encoding.size::<Ehdr>() + segments * encoding.size::<Phdr>()) as u64
}

/// `SIZEOF_HEADERS` with this many segments; 0 for output formats without ELF headers.
pub fn sizeof_headers(options: &Options, segments: usize) -> u64 {
    if options.output_format == OutputFormat::Elf {
        header_size(Encoding::of(options.machine), segments)
    } else {
        0
    }
}

/// Gives parts and section headers their file offsets, and fills the segments' fields.
pub fn assign(
    outputs: &mut OutputSections,
    segments: &mut [Covering],
    rules: &AddressRules,
    with_section_headers: bool,
) -> FileEnd {
    let size = header_size(rules.encoding, segments.len());
    let mut offset = size;
    for covering in segments.iter_mut() {
        if covering.segment.p_type == PT_LOAD {
            offset = assign_load(outputs, covering, rules, size, offset);
        }
    }
    offset = place_without_segment(outputs, segments, offset);
    for head in &mut outputs.heads {
        head.file_offset = outputs.sections[head.parts.start].file_offset;
    }
    cover_others(outputs, segments, rules, size);
    keep_relro_inside(segments);
    place_unloaded(outputs, offset, with_section_headers)
}

/// Gives loaded sections that are in no segment (`:NONE`) a file offset too.
fn place_without_segment(
    outputs: &mut OutputSections,
    segments: &[Covering],
    mut offset: u64,
) -> u64 {
    let mut is_covered = vec![false; outputs.heads.len()];
    for covering in segments.iter().filter(|covering| covering.segment.p_type == PT_LOAD) {
        covering.heads.iter().for_each(|&head| is_covered[head] = true);
    }
    for (head, _) in outputs.heads.iter().zip(is_covered).filter(|(_, is_covered)| !is_covered) {
        let parts = &mut outputs.sections[head.parts.clone()];
        if !parts[0].is_loaded() {
            continue;
        }
        let start = offset.checked_next_multiple_of(head.align.max(1)).unwrap_or(u64::MAX);
        for part in parts.iter_mut() {
            part.file_offset = start.wrapping_add(part.address.wrapping_sub(head.address));
        }
        if parts[0].sh_type != SHT_NOBITS {
            offset = start.saturating_add(head.size);
        }
    }
    offset
}

/// Places the sections of a PT_LOAD behind `offset`; returns the end in the file.
fn assign_load(
    outputs: &mut OutputSections,
    covering: &mut Covering,
    rules: &AddressRules,
    headers: u64,
    offset: u64,
) -> u64 {
    let own_headers = covering.headers(rules.encoding, headers);
    let Covering { segment, heads, load_address, .. } = covering;
    segment.align = if is_paged(rules) { rules.page } else { 1 };
    if heads.is_empty() {
        segment.physical_address = load_address.unwrap_or(segment.physical_address);
        if segment.has_headers {
            // The segment has the headers alone.
            let size = own_headers.end - own_headers.start;
            (segment.file_size, segment.memory_size) = (size, size);
            segment.file_offset = own_headers.start;
        }
        return offset;
    }
    let greatest = heads.iter().map(|&head| outputs.heads[head].align).max().unwrap_or(1);
    segment.align = segment.align.max(greatest);
    let start = offset.wrapping_add(segment.address.wrapping_sub(offset) % segment.align.max(1));
    let (mut memory_size, mut file_end) = (0u64, start);
    let first = outputs.heads[heads[0]].load_address;
    for &head in heads.iter() {
        let shift = outputs.heads[head].load_address.wrapping_sub(first);
        let address = outputs.heads[head].address;
        for section in &mut outputs.sections[outputs.heads[head].parts.clone()] {
            let distance = section.address.wrapping_sub(address).wrapping_add(shift);
            section.file_offset = start.wrapping_add(distance);
            if section.size == 0 {
                // The section needs no bytes in front of it either: the zeros there stay zeros.
            } else if section.sh_type != SHT_NOBITS {
                file_end = file_end.max(section.file_offset.wrapping_add(section.size));
            } else {
                section.file_offset = section.file_offset.min(file_end.max(start));
            }
            let is_tbss =
                section.sh_type == SHT_NOBITS && section.sh_flags & u64::from(SHF_TLS) != 0;
            if !is_tbss {
                memory_size = memory_size.max(distance.saturating_add(section.size));
            }
        }
    }
    segment.file_offset = start;
    segment.file_size = file_end - start;
    segment.memory_size = memory_size.max(segment.file_size);
    let end = if segment.file_size == 0 { offset } else { offset.max(file_end) };
    let limit = if segment.file_size == 0 { offset } else { file_end };
    keep_in_file(outputs, heads, limit);
    if segment.file_size == 0 {
        // Nothing is read from the file, but loaders require offset and address to be congruent.
        segment.file_offset = segment.address % segment.align.max(1);
    }
    if segment.has_headers {
        let before = start - own_headers.start;
        segment.file_offset = own_headers.start;
        segment.address = segment.address.wrapping_sub(before);
        segment.physical_address = segment.physical_address.wrapping_sub(before);
        segment.file_size += before;
        segment.memory_size += before;
    }
    segment.physical_address = load_address.unwrap_or(segment.physical_address);
    end
}

/// Moves empty sections that stand behind all bytes of their segment to an offset within the file.
fn keep_in_file(outputs: &mut OutputSections, heads: &[usize], limit: u64) {
    for &head in heads {
        for section in &mut outputs.sections[outputs.heads[head].parts.clone()] {
            if section.size == 0 {
                section.file_offset = section.file_offset.min(limit);
            }
        }
    }
}

/// Fills the segments that are not PT_LOAD.
fn cover_others(
    outputs: &OutputSections,
    segments: &mut [Covering],
    rules: &AddressRules,
    header_size: u64,
) {
    let has_headers =
        |covering: &&Covering| covering.segment.p_type == PT_LOAD && covering.segment.has_headers;
    // The place of the file header, or the one it would have, before the program headers.
    let base = segments.iter().find(has_headers).map(|covering| {
        let Segment { address, physical_address, file_offset, .. } = covering.segment;
        HeaderBase {
            address: address.wrapping_sub(file_offset),
            physical: physical_address.wrapping_sub(file_offset),
        }
    });
    let word = rules.encoding.word_size() as u64;
    for covering in segments.iter_mut() {
        let headers = covering.headers(rules.encoding, header_size);
        let Covering { segment, heads, load_address, end, .. } = covering;
        match segment.p_type {
            PT_LOAD => continue,
            PT_PHDR => {
                let own = rules.encoding.size::<Ehdr>() as u64..header_size;
                cover_headers(segment, base.unwrap_or_default(), own, word);
                segment.physical_address = load_address.unwrap_or(segment.physical_address);
                continue;
            }
            _ if segment.has_headers => {
                cover_headers(segment, base.unwrap_or_default(), headers, word);
                segment.physical_address = load_address.unwrap_or(segment.physical_address);
                continue;
            }
            PT_GNU_STACK => {
                segment.memory_size = rules.stack_size;
                segment.align = segment.align.max(word);
                continue;
            }
            _ => {}
        }
        let of_heads = heads.iter().map(|&head| outputs.heads[head].align).max();
        segment.align = segment.align.max(of_heads.unwrap_or(1));
        let covered = &outputs.sections[segment.sections.clone()];
        let Some(first) = covered.first() else { continue };
        segment.file_offset = first.file_offset;
        segment.address = first.address;
        let head = outputs.header_index(segment.sections.start) as usize;
        let head = outputs.heads.get(head.wrapping_sub(1));
        let shift = head.map_or(0, |head| head.load_address.wrapping_sub(head.address));
        let usual = segment.address.wrapping_add(shift);
        segment.physical_address = load_address.unwrap_or(usual);
        segment.align = segment.align.max(head.map_or(1, |head| head.align));
        for section in covered {
            segment.align = segment.align.max(section.align);
            if section.sh_flags & u64::from(SHF_ALLOC) != 0 {
                segment.memory_size = segment.memory_size.max(reach(segment.address, section));
            }
            if section.sh_type != SHT_NOBITS {
                let end = section.file_offset.saturating_add(section.size);
                segment.file_size = segment.file_size.max(end.saturating_sub(segment.file_offset));
            }
        }
        if segment.p_type == PT_GNU_RELRO {
            let size = end.and_then(|end| end.checked_sub(segment.address));
            segment.memory_size = size.unwrap_or(segment.memory_size);
            segment.align = 1;
            segment.file_size = segment.memory_size;
        }
    }
}

/// Makes PT_GNU_RELRO end within its PT_LOAD. The last protected page may have no content up to
/// its end, if the section behind it has an address of its own. Then zeros extend the segment to
/// the end of the page, because loaders would not protect the page otherwise. If another segment
/// is in the rest of the page, PT_GNU_RELRO is shortened instead.
fn keep_relro_inside(segments: &mut [Covering]) {
    let is = |p_type: u32| move |own: &Covering| own.segment.p_type == p_type;
    let end_of = |segment: &Segment| segment.address.saturating_add(segment.memory_size);
    let Some(relro) = segments.iter().position(is(PT_GNU_RELRO)) else { return };
    let (start, end) = (segments[relro].segment.address, end_of(&segments[relro].segment));
    let holds = |own: &Covering| {
        is(PT_LOAD)(own) && own.segment.address <= start && start < end_of(&own.segment)
    };
    let Some(load) = segments.iter().position(holds) else { return };
    let load_end = end_of(&segments[load].segment);
    if end <= load_end {
        return;
    }
    let is_in_rest = |own: &Covering| {
        is(PT_LOAD)(own) && own.segment.address < end && end_of(&own.segment) > load_end
    };
    if segments.iter().any(is_in_rest) {
        let segment = &mut segments[relro].segment;
        segment.memory_size = load_end - start;
        segment.file_size = segment.memory_size;
    } else {
        let segment = &mut segments[load].segment;
        segment.memory_size = end - segment.address;
    }
}

/// The address that the file header has, or would have, in memory.
#[derive(Debug, Clone, Copy, Default)]
struct HeaderBase {
    address: u64,
    /// The load address.
    physical: u64,
}

/// Makes a segment that is not PT_LOAD cover `headers`.
fn cover_headers(segment: &mut Segment, base: HeaderBase, headers: Range<u64>, align: u64) {
    segment.file_offset = headers.start;
    segment.address = base.address.wrapping_add(headers.start);
    segment.physical_address = base.physical.wrapping_add(headers.start);
    segment.file_size = headers.end - headers.start;
    segment.memory_size = segment.file_size;
    segment.align = align;
}
