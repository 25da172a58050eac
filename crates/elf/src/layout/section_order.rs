//! Addresses under `--section-order`: sections one after the other as they are listed.
//!
//! The file header and the program headers are parts of the list like sections, so that they may
//! stand anywhere in memory, or in none. Where permissions change a page begins; a part of the file
//! that memory has a gap of a page in is not filled. How many segments there are depends on the
//! addresses, and with the size of the program headers addresses depend on it, so that both are
//! found in rounds.

use super::output_sections::{OutputSection, OutputSections};
use super::segments::{self, AddressRules, FileEnd, Segment};
use crate::args::section_order::{Group, OrderItem, SectionOrder};
use crate::format::elf::{Ehdr, Phdr};
use object::elf::*;
use skald_core::align::align_up;

/// The number of segments grows with each round until it is enough; these always are.
const MAX_ROUNDS: usize = 64;

/// Something with an address.
#[derive(Debug, Clone, Copy)]
struct Block {
    what: BlockContent,
    address: u64,
    size: u64,
    align: u64,
    p_flags: u32,
    is_nobits: bool,
    file_offset: u64,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum BlockContent {
    FileHeader,
    ProgramHeaders,
    /// Position among the output sections.
    Section(usize),
}

/// The list walked through, with all addresses.
#[derive(Debug, Default)]
struct Walk {
    blocks: Vec<Block>,
    /// Values of symbols, in the order of [`SectionOrder::symbols`].
    symbols: Vec<u64>,
    problem: Option<String>,
}

/// The sort key of a section: its place in the list. What is not loaded comes last, and so does,
/// until [`check`] finds it, what the list has no place for.
pub fn rank(order: &SectionOrder, section: &OutputSection) -> usize {
    place(order, section).unwrap_or(order.items.len())
}

fn place(order: &SectionOrder, section: &OutputSection) -> Option<usize> {
    let flag = |flag: u32| section.sh_flags & u64::from(flag) != 0;
    if !flag(SHF_ALLOC) {
        return None;
    }
    let is_nobits = section.sh_type == SHT_NOBITS;
    let group = match section.sh_type {
        _ if flag(SHF_EXECINSTR) => Group::Text,
        // The zeros of the TLS template stand behind the rest of it.
        _ if is_nobits && !flag(SHF_TLS) => Group::Bss,
        _ if flag(SHF_WRITE) => Group::Data,
        _ => Group::Rodata,
    };
    let find = |wanted: OrderItem| order.items.iter().position(|item| *item == wanted);
    let name = String::from_utf8_lossy(&section.name).into_owned();
    find(OrderItem::Section(name)).or_else(|| find(OrderItem::Group(group)))
}

/// What is wrong with the list for these sections, which have been assigned addresses.
pub fn check(
    outputs: &OutputSections,
    segments: &[Segment],
    rules: &AddressRules,
    order: &SectionOrder,
) -> Option<String> {
    let mut loaded = outputs.sections.iter().filter(|s| s.is_loaded());
    let missing = loaded.find(|s| place(order, s).is_none());
    if let Some(section) = missing {
        let name = String::from_utf8_lossy(&section.name);
        return Some(format!("--section-order: no place is given for section {name}"));
    }
    walk(outputs, rules, order, segments.len()).problem
}

/// Values of the list's symbols.
pub fn symbols(
    outputs: &OutputSections,
    segments: &[Segment],
    rules: &AddressRules,
    order: &SectionOrder,
) -> Vec<u64> {
    walk(outputs, rules, order, segments.len()).symbols
}

/// Gives sections addresses and file offsets and replaces the PT_LOAD entries of `segments`.
pub fn assign(
    outputs: &mut OutputSections,
    segments: &mut Vec<Segment>,
    rules: &AddressRules,
    order: &SectionOrder,
    with_section_headers: bool,
) -> FileEnd {
    segments::align_tls_start(&mut outputs.sections);
    segments.retain(|segment| !matches!(segment.p_type, PT_LOAD | PT_PHDR));
    let others = segments.len() + usize::from(order.has_program_headers());
    let mut loads: Vec<Segment> = Vec::new();
    let mut walked = Walk::default();
    let mut end = 0;
    for _ in 0..MAX_ROUNDS {
        let count = others + loads.len();
        walked = walk(outputs, rules, order, count);
        end = walked.assign_file_offsets(order, rules.page, count);
        let found = walked.loads(rules);
        let is_enough = found.len() == loads.len();
        loads = found;
        if is_enough {
            break;
        }
    }
    for block in &walked.blocks {
        if let BlockContent::Section(position) = block.what {
            let section = &mut outputs.sections[position];
            (section.address, section.file_offset) = (block.address, block.file_offset);
        }
    }
    segments::place_tbss_run(&mut outputs.sections);
    segments::fill(segments, &outputs.sections, rules, 0..0);
    let interp = segments.iter().take_while(|segment| segment.p_type == PT_INTERP).count();
    segments.splice(interp..interp, loads);
    let headers = walked.blocks.iter().find(|block| block.what == BlockContent::ProgramHeaders);
    if let Some(headers) = headers {
        segments.insert(0, segment_of(PT_PHDR, headers));
    }
    segments::place_physically(segments, rules);
    segments::measure_heads(outputs);
    segments::place_unloaded(outputs, end, with_section_headers)
}

/// Gives every item of the list its address, with so many program headers.
fn walk(
    outputs: &OutputSections,
    rules: &AddressRules,
    order: &SectionOrder,
    header_count: usize,
) -> Walk {
    let mut walk = Walk::default();
    let mut address = rules.image_base;
    let mut sections = outputs.sections.iter().enumerate().peekable();
    for (at, item) in order.items.iter().enumerate() {
        match item {
            OrderItem::FileHeader => {
                let size = size_of::<Ehdr>() as u64;
                walk.push(&mut address, header(BlockContent::FileHeader, size), rules.page);
                if !walk.blocks[0].address.is_multiple_of(rules.page) {
                    let text = "--section-order: EHDR is not at a multiple of the page size";
                    walk.problem.get_or_insert(text.to_owned());
                }
            }
            OrderItem::ProgramHeaders => {
                let size = (header_count * size_of::<Phdr>()) as u64;
                walk.push(&mut address, header(BlockContent::ProgramHeaders, size), rules.page);
            }
            OrderItem::Section(_) | OrderItem::Group(_) => {
                while let Some((position, section)) =
                    sections.next_if(|(_, section)| place(order, section) == Some(at))
                {
                    let block = Block {
                        what: BlockContent::Section(position),
                        address: 0,
                        size: section.size,
                        align: section.align,
                        p_flags: segments::permissions(rules, section),
                        is_nobits: section.sh_type == SHT_NOBITS,
                        file_offset: 0,
                    };
                    if block.is_nobits && section.sh_flags & u64::from(SHF_TLS) != 0 {
                        // It takes no memory; what follows may begin at the same address.
                        walk.push(&mut address.clone(), Block { size: 0, ..block }, rules.page);
                    } else {
                        walk.push(&mut address, block, rules.page);
                    }
                }
            }
            OrderItem::Address(wanted) => {
                if *wanted < address && !walk.blocks.is_empty() {
                    walk.problem.get_or_insert(format!(
                        "--section-order: address goes backward: {wanted:#x} is asked for behind \
                         {address:#x}"
                    ));
                }
                address = *wanted;
            }
            OrderItem::Align(align) => address = align_up(address, align.ilog2() as u8),
            OrderItem::Symbol(_) => walk.symbols.push(address),
        }
    }
    walk
}

/// A block of headers.
fn header(what: BlockContent, size: u64) -> Block {
    let (p_flags, is_nobits) = (PF_R, false);
    Block { what, address: 0, size, align: 8, p_flags, is_nobits, file_offset: 0 }
}

fn segment_of(p_type: u32, block: &Block) -> Segment {
    let position = match block.what {
        BlockContent::Section(position) => position..position + 1,
        _ => 0..0,
    };
    Segment {
        file_offset: block.file_offset,
        address: block.address,
        file_size: if block.is_nobits { 0 } else { block.size },
        memory_size: block.size,
        align: block.align,
        ..Segment::new(p_type, block.p_flags, position)
    }
}

impl Block {
    fn end(&self) -> u64 {
        self.address.saturating_add(self.size)
    }
}

impl Walk {
    /// Puts `block` at `address` or behind, and moves it on.
    fn push(&mut self, address: &mut u64, block: Block, page: u64) {
        if self.blocks.last().is_some_and(|before| before.p_flags != block.p_flags) {
            *address = align_up(*address, page.ilog2() as u8);
        }
        *address = align_up(*address, block.align.max(1).ilog2() as u8);
        self.blocks.push(Block { address: *address, ..block });
        *address = address.saturating_add(block.size);
    }

    /// Gives blocks their place in the file; returns the end.
    fn assign_file_offsets(&mut self, order: &SectionOrder, page: u64, count: usize) -> u64 {
        let mut end = 0;
        if !order.items.contains(&OrderItem::FileHeader) {
            end = size_of::<Ehdr>() as u64;
        }
        if !order.has_program_headers() {
            // Headers that are not loaded follow the file header.
            end = (size_of::<Ehdr>() + count * size_of::<Phdr>()) as u64;
        }
        let mut before: Option<Block> = None;
        for block in &mut self.blocks {
            let follows = before.filter(|before| {
                !before.is_nobits
                    && block.address >= before.end()
                    && block.address - before.end() < page
                    && block.align <= page
            });
            let behind =
                follows.map(|before| before.file_offset + (block.address - before.address));
            let apart = || end + block.address.wrapping_sub(end) % page.max(block.align);
            let offset = behind.filter(|&offset| offset >= end).unwrap_or_else(apart);
            if block.what == BlockContent::FileHeader {
                block.file_offset = 0;
                end = end.max(block.size);
            } else if block.is_nobits {
                block.file_offset = end;
            } else {
                block.file_offset = offset;
                end = block.file_offset.saturating_add(block.size);
            }
            if block.size != 0 {
                before = Some(*block);
            }
        }
        end
    }

    /// The PT_LOAD entries that cover the blocks.
    fn loads(&self, rules: &AddressRules) -> Vec<Segment> {
        let mut loads: Vec<Segment> = Vec::new();
        for block in self.blocks.iter().filter(|block| block.size != 0) {
            let fits = loads.last().is_some_and(|load| {
                let in_memory = block.address.wrapping_sub(load.address);
                let in_file = block.file_offset.wrapping_sub(load.file_offset);
                let gap = block.address.wrapping_sub(load.address + load.memory_size);
                let has_bss = load.memory_size != load.file_size;
                load.p_flags == block.p_flags
                    && gap < rules.page
                    && if block.is_nobits { true } else { !has_bss && in_memory == in_file }
            });
            let one = segment_of(PT_LOAD, block);
            match loads.last_mut().filter(|_| fits) {
                None => {
                    // Congruent even if there is nothing in the file: loaders insist.
                    let shift = one.address.wrapping_sub(one.file_offset) % rules.page;
                    let file_offset = one.file_offset + shift;
                    loads.push(Segment { align: one.align.max(rules.page), file_offset, ..one });
                }
                Some(load) => {
                    load.memory_size = block.end() - load.address;
                    if !block.is_nobits {
                        load.file_size = load.memory_size;
                    }
                    load.align = load.align.max(block.align);
                    if let BlockContent::Section(position) = block.what {
                        let start = match load.sections.is_empty() {
                            true => position,
                            false => load.sections.start,
                        };
                        load.sections = start..position + 1;
                    }
                }
            }
        }
        loads.sort_by_key(|load| load.address);
        loads
    }
}
