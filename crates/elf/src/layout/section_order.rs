//! The layout of `--section-order`, as items: sections one after the other as they are listed.
//!
//! The file header and the program headers are parts of the list like sections, so that they may
//! stand anywhere in memory, or in none; the list's addresses are assignments to the location
//! counter, as a script would have them. Where permissions change, a page begins. The file has no
//! padding for gaps of a page or more in memory. The number of segments depends on the addresses,
//! and the addresses depend on the size of the program headers, so both are computed in rounds.

use super::address_segments;
use super::automatic;
use super::items::{Assigning, Item, Layout};
use super::output_sections::{OutputSection, OutputSections};
use super::segments::{self, AddressRules, FileEnd, Segment};
use super::walk::{Environment, Walk};
use crate::args::section_order::{Group, OrderItem, SectionOrder};
use crate::format::elf::{Ehdr, Phdr};
use object::elf::*;
use skald_core::ids::Column;
use skald_linking::expr::Expr;

/// Rounds end once the number of segments, which only grows, suffices; this many rounds are always
/// enough.
const MAX_ROUNDS: usize = 64;

/// The results of assigning addresses.
#[derive(Debug)]
pub struct AssignedAddresses {
    /// Ends of the file's parts.
    pub end: FileEnd,
    /// Values of the symbols that the list assigns, in its order.
    pub symbols: Vec<u64>,
    /// The message if the list does not fit these sections; `None` if it does.
    pub problem: Option<String>,
}

/// A section or header with an address and a file offset.
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

/// The content of memory: sections and headers in the order of the list.
#[derive(Debug, Default)]
struct Blocks(Vec<Block>);

/// The sort key of a section: its place in the list. Sections that are not loaded come last. So do
/// sections without a place in the list, until [`assign`] reports them.
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
        // `.tbss` stands behind the rest of the TLS template.
        _ if is_nobits && !flag(SHF_TLS) => Group::Bss,
        _ if flag(SHF_WRITE) => Group::Data,
        _ => Group::Rodata,
    };
    let find = |wanted: OrderItem| order.items.iter().position(|item| *item == wanted);
    let name = String::from_utf8_lossy(&section.name).into_owned();
    find(OrderItem::Section(name)).or_else(|| find(OrderItem::Group(group)))
}

/// Gives sections addresses and file offsets and replaces the PT_LOAD entries of `segments`.
pub fn assign(
    outputs: &mut OutputSections,
    segments: &mut Vec<Segment>,
    rules: &AddressRules,
    order: &SectionOrder,
    with_section_headers: bool,
) -> AssignedAddresses {
    segments::align_tls_start(&mut outputs.sections);
    segments.retain(|segment| !matches!(segment.p_type, PT_LOAD | PT_PHDR));
    let others = segments.len() + usize::from(order.has_program_headers());
    let mut loads: Vec<Segment> = Vec::new();
    let mut blocks = Blocks::default();
    let mut places = Vec::new();
    let mut end = 0;
    for _ in 0..MAX_ROUNDS {
        let count = others + loads.len();
        places = walk(outputs, rules, order, count);
        blocks = Blocks::new(outputs, rules, order, &places, count);
        end = blocks.assign_file_offsets(order, rules, count);
        let found = blocks.loads(rules);
        let is_enough = found.len() == loads.len();
        loads = found;
        if is_enough {
            break;
        }
    }
    for block in &blocks.0 {
        if let BlockContent::Section(position) = block.what {
            outputs.sections[position].file_offset = block.file_offset;
        }
    }
    let problem = problem(outputs, rules, order, &places);
    segments::place_tbss_run(&mut outputs.sections);
    segments::fill(segments, &outputs.sections, rules, 0..0);
    let interp = segments.iter().take_while(|segment| segment.p_type == PT_INTERP).count();
    segments.splice(interp..interp, loads);
    let headers = blocks.0.iter().find(|block| block.what == BlockContent::ProgramHeaders);
    if let Some(headers) = headers {
        segments.insert(0, segment_of(PT_PHDR, headers));
    }
    segments::place_physically(segments, rules);
    segments::measure_heads(outputs);
    let end = segments::place_unloaded(outputs, end, with_section_headers);
    let is_symbol = |(item, _): &(&OrderItem, &u64)| matches!(item, OrderItem::Symbol(_));
    let symbols = order.items.iter().zip(&places).filter(is_symbol);
    AssignedAddresses { end, symbols: symbols.map(|(_, &address)| address).collect(), problem }
}

/// The message if the list does not fit these sections; `places` are the starts of its items.
fn problem(
    outputs: &OutputSections,
    rules: &AddressRules,
    order: &SectionOrder,
    places: &[u64],
) -> Option<String> {
    let mut loaded = outputs.sections.iter().filter(|s| s.is_loaded());
    if let Some(section) = loaded.find(|s| place(order, s).is_none()) {
        let name = String::from_utf8_lossy(&section.name);
        return Some(format!("--section-order: no place is given for section {name}"));
    }
    let mut is_first = true;
    for (item, &address) in order.items.iter().zip(places) {
        match item {
            OrderItem::FileHeader if !address.is_multiple_of(rules.page) => {
                let text = "--section-order: EHDR is not at a multiple of the page size";
                return Some(text.to_owned());
            }
            OrderItem::Address(wanted) if *wanted < address && !is_first => {
                return Some(format!(
                    "--section-order: address goes backward: {wanted:#x} is asked for behind \
                     {address:#x}"
                ));
            }
            OrderItem::Address(_) | OrderItem::Align(_) | OrderItem::Symbol(_) => {}
            _ => is_first = false,
        }
    }
    None
}

/// Gives sections their addresses, assuming this many program headers; returns the addresses where
/// the items of the list begin.
fn walk(
    outputs: &mut OutputSections,
    rules: &AddressRules,
    order: &SectionOrder,
    header_count: usize,
) -> Vec<u64> {
    let layout = layout(outputs, rules, order, header_count);
    let names = vec![Some(&b""[..]); layout.assignments];
    let environment = Environment { assigned: &names, ..Environment::automatic(rules) };
    let mut walk = Walk::default();
    walk.go(&layout, outputs, &mut Column::new(), &environment, false);
    walk.values.iter().map(|value| value.map_or(0, |value| value.address)).collect()
}

/// The list as items of a layout. Each begins with an assignment, numbered by the item, of its
/// address.
fn layout(
    outputs: &OutputSections,
    rules: &AddressRules,
    order: &SectionOrder,
    header_count: usize,
) -> Layout {
    let encoding = rules.encoding;
    let assign = |number, text: String| {
        let expr = Expr::parse_text("--section-order", text.as_bytes());
        let expr = expr.expect("written here");
        Item::Assign(Assigning { number, is_tied: false, expr })
    };
    let mut items = vec![assign(None, rules.image_base.to_string())];
    let mut sections = outputs.sections.iter().enumerate().peekable();
    let mut previous: Option<u32> = None;
    // A page begins where permissions change.
    let mut page = |items: &mut Vec<Item>, p_flags: u32| {
        if previous.replace(p_flags).is_some_and(|before| before != p_flags) {
            items.push(assign(None, format!("ALIGN({})", rules.page)));
        }
    };
    for (at, item) in order.items.iter().enumerate() {
        if matches!(item, OrderItem::FileHeader | OrderItem::ProgramHeaders) {
            page(&mut items, PF_R);
            items.push(assign(None, format!("ALIGN({})", encoding.word_size())));
        }
        items.push(assign(Some(at), ".".to_owned()));
        let next = match item {
            OrderItem::FileHeader => format!(". + {}", encoding.size::<Ehdr>()),
            OrderItem::ProgramHeaders => format!(". + {}", header_count * encoding.size::<Phdr>()),
            OrderItem::Address(wanted) => wanted.to_string(),
            OrderItem::Align(align) => format!("ALIGN({align})"),
            OrderItem::Symbol(_) => continue,
            OrderItem::Section(_) | OrderItem::Group(_) => {
                while let Some((position, section)) =
                    sections.next_if(|(_, section)| place(order, section) == Some(at))
                {
                    page(&mut items, segments::permissions(rules, section));
                    items.push(Item::Heading(position));
                }
                continue;
            }
        };
        items.push(assign(None, next));
    }
    items.extend(sections.map(|(position, _)| Item::Heading(position)));
    let headings = automatic::headings(outputs);
    let assignments = order.items.len();
    Layout { items, headings, assignments, is_automatic: true, ..Layout::default() }
}

/// A block of headers.
fn header(rules: &AddressRules, what: BlockContent, address: u64, size: u64) -> Block {
    let align = rules.encoding.word_size() as u64;
    Block { what, address, size, align, p_flags: PF_R, is_nobits: false, file_offset: 0 }
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

impl Blocks {
    /// The blocks in memory, once sections have their addresses and items of the list begin at
    /// these `places`.
    fn new(
        outputs: &OutputSections,
        rules: &AddressRules,
        order: &SectionOrder,
        places: &[u64],
        header_count: usize,
    ) -> Blocks {
        let mut blocks = Vec::new();
        let mut sections = outputs.sections.iter().enumerate().peekable();
        for (at, (item, &address)) in order.items.iter().zip(places).enumerate() {
            match item {
                OrderItem::FileHeader => {
                    let size = rules.encoding.size::<Ehdr>() as u64;
                    blocks.push(header(rules, BlockContent::FileHeader, address, size));
                }
                OrderItem::ProgramHeaders => {
                    let size = (header_count * rules.encoding.size::<Phdr>()) as u64;
                    blocks.push(header(rules, BlockContent::ProgramHeaders, address, size));
                }
                _ => {}
            }
            while let Some((position, section)) =
                sections.next_if(|(_, section)| place(order, section) == Some(at))
            {
                let is_nobits = section.sh_type == SHT_NOBITS;
                // `.tbss` takes no memory.
                let is_tbss = is_nobits && section.sh_flags & u64::from(SHF_TLS) != 0;
                blocks.push(Block {
                    what: BlockContent::Section(position),
                    address: section.address,
                    size: if is_tbss { 0 } else { section.size },
                    align: section.align,
                    p_flags: segments::permissions(rules, section),
                    is_nobits,
                    file_offset: 0,
                });
            }
        }
        Blocks(blocks)
    }

    /// Gives blocks their file offsets; returns the end.
    fn assign_file_offsets(
        &mut self,
        order: &SectionOrder,
        rules: &AddressRules,
        count: usize,
    ) -> u64 {
        let &AddressRules { encoding, page, .. } = rules;
        let mut end = 0;
        if !order.items.contains(&OrderItem::FileHeader) {
            end = encoding.size::<Ehdr>() as u64;
        }
        if !order.has_program_headers() {
            // Headers that are not loaded follow the file header.
            end = address_segments::header_size(encoding, count);
        }
        let mut before: Option<Block> = None;
        for block in &mut self.0 {
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
        for block in self.0.iter().filter(|block| block.size != 0) {
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
                    // Offset and address are congruent even if the section has no bytes in the
                    // file, because loaders require it.
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
                        let start =
                            if load.sections.is_empty() { position } else { load.sections.start };
                        load.sections = start..position + 1;
                    }
                }
            }
        }
        loads.sort_by_key(|load| load.address);
        loads
    }
}
