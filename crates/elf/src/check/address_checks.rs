//! Checks that are made once every output section has its address: overlapping sections, writable
//! segments of code, and gaps between sections.

use crate::args::{Options, OutputFormat};
use crate::diagnose::order::MessageKind;
use crate::layout::address_segments::sizeof_headers;
use crate::layout::items::{Layout, Unfilled};
use crate::layout::output_sections::Head;
use crate::layout::walk::Problem;
use crate::layout::{OutputSection, OutputSections, Segment};
use crate::machine::Class;
use crate::script::LayoutScript;
use object::elf::{PF_W, PF_X, PT_LOAD, PT_TLS, SHF_ALLOC, SHF_TLS, SHT_NOBITS};
use skald_core::diag::{Diag, WHOLE_LINK};
use skald_core::unordered::UnorderedSet;

/// Reports errors in the values of a layout.
pub fn report(problems: &[Problem], options: &Options, diag: &Diag) {
    for (at, Problem { text, passes }) in (0..).zip(problems) {
        let key = MessageKind::Assertion.key(at);
        if *passes && options.noinhibit_exec {
            diag.warn(key, text.clone())
        } else {
            diag.error(key, text.clone())
        }
    }
}

/// Makes the checks that `options` do not turn off.
pub fn check(
    options: &Options,
    script: &LayoutScript,
    outputs: &OutputSections,
    segments: &[Segment],
    diag: &Diag,
) {
    let sections = &outputs.sections;
    if options.reports.warn_section_align {
        moved(sections, segments, diag);
    }
    if !options.reports.no_check_sections {
        overlaps(script, outputs, options.noinhibit_exec, diag);
        if script.is_automatic {
            over_headers(options, outputs, segments, diag);
        } else {
            load_overlaps(outputs, options.noinhibit_exec, diag);
        }
    }
    writable_code(options, segments, diag);
    if options.machine.class == Class::Elf32 {
        beyond_32_bits(outputs, diag);
    }
    let zeros_are_last = zeros_amid_template(sections, diag);
    if zeros_are_last && !script.is_automatic && script.headers.is_none() {
        template_in_pieces(sections, segments, diag);
    }
}

/// Reports sections that addresses of 32 bits do not reach, in lld's words. What a script computes
/// as a negative number is at the upper end.
fn beyond_32_bits(outputs: &OutputSections, diag: &Diag) {
    for section in &outputs.sections {
        let end = section.address.saturating_add(section.size);
        let is_reached = end <= 1 << 32 || (section.address as i64) < 0;
        if section.sh_flags & u64::from(SHF_ALLOC) != 0 && !is_reached {
            let name = String::from_utf8_lossy(&section.name);
            let (start, size) = (section.address, section.size);
            let text = format!(
                "section {name} at {start:#x} of size {size:#x} exceeds available address space"
            );
            diag.error(WHOLE_LINK, text);
        }
    }
}

/// Reports tables of the linker that would not be written. GNU ld reports that their section has no
/// contents, except for `.dynstr`, without which libraries and symbols have no names.
pub fn unfilled(layout: &Layout, outputs: &OutputSections, diag: &Diag) {
    for Unfilled { table, name } in &layout.unfilled {
        let Some(section) = outputs.synthetic(*table).filter(|section| section.size != 0) else {
            continue;
        };
        let (name, output) =
            (String::from_utf8_lossy(name), String::from_utf8_lossy(&section.name));
        let text = format!(
            "section {name} would not be written: the script puts it into {output}, which has no \
             bytes in the file"
        );
        diag.error(WHOLE_LINK, text);
    }
}

/// `--warn-section-align`: sections that do not begin at the end of the section before them in
/// their segment.
fn moved(sections: &[OutputSection], segments: &[Segment], diag: &Diag) {
    let loaded = segments.iter().filter(|segment| segment.p_type == PT_LOAD);
    let pairs = loaded.flat_map(|segment| sections[segment.sections.clone()].windows(2));
    for (at, pair) in (0..).zip(pairs) {
        let by = pair[1].address.saturating_sub(pair[0].address.saturating_add(pair[0].size));
        if by != 0 && pair[0].sh_flags & u64::from(SHF_TLS) == 0 {
            let name = String::from_utf8_lossy(&pair[1].name);
            diag.warn(
                MessageKind::MovedSection.key(at),
                format!("start of section {name} changed by {by}"),
            );
        }
    }
}

/// Reports two sections at one address that are not in an overlay: the content of one would be
/// lost.
fn overlaps(script: &LayoutScript, outputs: &OutputSections, passes: bool, diag: &Diag) {
    let takes_room = |section: &&OutputSection| {
        let is_thread_bss =
            section.sh_type == SHT_NOBITS && section.sh_flags & u64::from(SHF_TLS) != 0;
        section.sh_flags & u64::from(SHF_ALLOC) != 0 && section.size != 0 && !is_thread_bss
    };
    let mut sorted: Vec<InMemory<'_>> = (0..outputs.sections.len())
        .filter(|&position| takes_room(&&outputs.sections[position]))
        .map(|position| InMemory::new(outputs, position))
        .collect();
    sorted.sort_by_key(|one| one.section.address);
    let overlays = Overlays::new(script, &sorted);
    // The earlier sections that reach behind the start of the next one: several if there is an
    // overlay.
    let mut open: Vec<InMemory<'_>> = Vec::new();
    for (at, one) in (0..).zip(sorted) {
        let section = one.section;
        let end = |section: &OutputSection| section.address.saturating_add(section.size);
        let range = |section: &OutputSection| {
            let name = String::from_utf8_lossy(&section.name);
            format!(">>> {name} range is [{:#x}, {:#x}]", section.address, end(section) - 1)
        };
        open.retain(|last| end(last.section) > section.address);
        let met = open.iter().filter(|last| !overlays.take_turns(last, &one));
        if let Some(last) = met.map(|last| last.section).max_by_key(|last| end(last)) {
            let text = format!(
                "section {} overlaps with {}\n{}\n{}",
                String::from_utf8_lossy(&section.name),
                String::from_utf8_lossy(&last.name),
                range(section),
                range(last)
            );
            if passes {
                diag.warn(MessageKind::Overlap.key(at), text)
            } else {
                diag.error(MessageKind::Overlap.key(at), text)
            }
        }
        open.push(one);
        if open.len() > MOST_OPEN {
            let nearest = (0..open.len()).min_by_key(|&at| end(open[at].section));
            nearest.map(|at| open.swap_remove(at));
        }
    }
}

/// Reports a section that an option places at the address of the file header and the program
/// headers. (Where it places others, the headers may be no part of what is loaded in the end.)
fn over_headers(options: &Options, outputs: &OutputSections, segments: &[Segment], diag: &Diag) {
    let has_headers = |segment: &&Segment| segment.p_type == PT_LOAD && segment.has_headers;
    let Some(start) = segments.iter().find(has_headers).map(|segment| segment.address) else {
        return;
    };
    let end = start.saturating_add(sizeof_headers(options, segments.len()));
    let is_over = |section: &&OutputSection| {
        let (address, size) = (section.address, section.size);
        section.is_apart && size != 0 && address < end && start < address.saturating_add(size)
    };
    if let Some(section) = outputs.sections.iter().find(is_over) {
        let text = format!(
            "section {} overlaps with the program headers\n>>> {0} range is [{:#x}, {:#x}]\n>>> the \
             range of the headers is [{start:#x}, {:#x}]",
            name_of(section),
            section.address,
            section.address.saturating_add(section.size - 1),
            end - 1
        );
        if options.noinhibit_exec {
            diag.warn(MessageKind::Overlap.key(0), text)
        } else {
            diag.error(MessageKind::Overlap.key(0), text)
        }
    }
}

/// Limit of the earlier sections with which the next is compared: those that reach furthest are
/// kept.
const MOST_OPEN: usize = 64;

/// A section with its load address.
struct InMemory<'a> {
    section: &'a OutputSection,
    load_address: u64,
}

impl InMemory<'_> {
    fn new(outputs: &OutputSections, position: usize) -> InMemory<'_> {
        let section = &outputs.sections[position];
        let head = (outputs.header_index(position) as usize).checked_sub(1);
        let shift = head
            .and_then(|head| outputs.heads.get(head))
            .map_or(0, |head| head.load_address.wrapping_sub(head.address));
        InMemory { section, load_address: section.address.wrapping_add(shift) }
    }

    /// Whether the two may have the same address: their load addresses differ, or one is not
    /// loaded.
    fn loses_nothing_to(&self, other: &InMemory<'_>) -> bool {
        let end = |one: &InMemory<'_>| one.load_address.saturating_add(one.section.size);
        let is_zeros = |one: &InMemory<'_>| one.section.sh_type == SHT_NOBITS;
        end(self) <= other.load_address
            || end(other) <= self.load_address
            || is_zeros(self) && is_zeros(other)
    }
}

/// Sections that are in memory at different times, at one address.
struct Overlays<'a> {
    /// Names of the sections in `OVERLAY` statements.
    stated: UnorderedSet<&'a [u8]>,
    /// The script has overlays written by hand. Two sections that begin at one address are intended
    /// then, as for GNU ld (`lang_check_section_addresses` in `ldlang.c`), and so are other
    /// overlaps. Unlike in GNU ld, that holds only if no content is lost.
    are_by_hand: bool,
}

impl<'a> Overlays<'a> {
    /// The overlays of `script`; `sorted` has the sections by address.
    fn new(script: &'a LayoutScript, sorted: &[InMemory<'_>]) -> Overlays<'a> {
        let stated = script.outputs().filter(|output| output.is_overlay);
        let by_hand = |pair: &[InMemory<'_>]| {
            pair[0].section.address == pair[1].section.address && pair[0].loses_nothing_to(&pair[1])
        };
        Overlays {
            stated: stated.map(|output| &output.name[..]).collect(),
            are_by_hand: !script.is_automatic && sorted.windows(2).any(by_hand),
        }
    }

    fn take_turns(&self, a: &InMemory<'_>, b: &InMemory<'_>) -> bool {
        let is_stated = |one: &InMemory<'_>| self.stated.contains(&one.section.name[..]);
        is_stated(a) && is_stated(b) || self.are_by_hand && a.loses_nothing_to(b)
    }
}

/// Reports two sections at one load address: a loader would put the bytes of one over those of the
/// other. An overlap of their addresses too has been reported already.
fn load_overlaps(outputs: &OutputSections, passes: bool, diag: &Diag) {
    let first = |head: &Head| &outputs.sections[head.parts.start];
    let is_loaded = |head: &&Head| {
        let first = first(head);
        first.is_loaded() && first.sh_type != SHT_NOBITS && head.size != 0
    };
    let mut sorted: Vec<&Head> = outputs.heads.iter().filter(is_loaded).collect();
    sorted.sort_by_key(|head| head.load_address);
    let end = |start: u64, head: &Head| start.saturating_add(head.size);
    let load_end = |head: &Head| end(head.load_address, head);
    let mut last: Option<&Head> = None;
    for (at, head) in (0..).zip(sorted) {
        let name = |head: &Head| String::from_utf8_lossy(&first(head).name).into_owned();
        let range = |head: &Head| {
            let (name, start) = (name(head), head.load_address);
            format!(">>> {name} range is [{start:#x}, {:#x}]", load_end(head) - 1)
        };
        let is_apart = |last: &Head| {
            end(last.address, last) <= head.address || end(head.address, head) <= last.address
        };
        let meets = |last: &&Head| load_end(last) > head.load_address && is_apart(last);
        if let Some(last) = last.filter(meets) {
            let (own, other) = (name(head), name(last));
            let text = format!(
                "section {own} load address range overlaps with {other}\n{}\n{}",
                range(head),
                range(last)
            );
            if passes {
                diag.warn(MessageKind::LoadOverlap.key(at), text)
            } else {
                diag.error(MessageKind::LoadOverlap.key(at), text)
            }
        }
        last = last.filter(|last| load_end(last) >= load_end(head)).or(Some(head));
    }
}

/// Sections of thread-local storage that are loaded and not empty, in output order.
fn thread_local(sections: &[OutputSection]) -> impl Iterator<Item = &OutputSection> {
    sections
        .iter()
        .filter(|section| section.is_loaded() && section.sh_flags & u64::from(SHF_TLS) != 0)
        .filter(|section| section.size != 0)
}

/// Reports a `.tbss` before a section of thread-local storage that has bytes, in the output or in
/// memory. A `.tbss` takes no room in the image, so variables of both would share memory in a
/// thread's TLS block. Returns whether there is none.
fn zeros_amid_template(sections: &[OutputSection], diag: &Diag) -> bool {
    let in_order: Vec<&OutputSection> = thread_local(sections).collect();
    let mut in_memory = in_order.clone();
    in_memory.sort_by_key(|section| section.address);
    let first_pair = |all: &[&OutputSection]| {
        let is_zeros = |section: &&OutputSection| section.sh_type == SHT_NOBITS;
        let zeros = all.iter().position(is_zeros)?;
        let filled = all[zeros..].iter().find(|section| !is_zeros(section))?;
        Some((name_of(all[zeros]), name_of(filled)))
    };
    let Some((zeros, filled)) = first_pair(&in_order).or_else(|| first_pair(&in_memory)) else {
        return true;
    };
    let text = format!(
        "section {zeros} has no bytes in the file and stands before {filled}, which has: \
         thread-local variables of both would have the same place"
    );
    diag.error(WHOLE_LINK, text);
    false
}

/// Reports sections of thread-local storage that PT_TLS cannot describe together with the others:
/// they stand before the first, or their initial data is in another segment. (The contents that
/// PHDRS gives PT_TLS are accepted.)
fn template_in_pieces(sections: &[OutputSection], segments: &[Segment], diag: &Diag) {
    let mut headers = segments.iter().filter(|segment| segment.p_type == PT_TLS);
    let (Some(template), None) = (headers.next(), headers.next()) else { return };
    let holds = |segment: &Segment, size: u64, section: &OutputSection| {
        let end = section.address.saturating_add(section.size);
        segment.address <= section.address && end <= segment.address.saturating_add(size)
    };
    let starts_in = |load: &&Segment| {
        let end = load.address.saturating_add(load.memory_size);
        load.p_type == PT_LOAD && (load.address..end).contains(&template.address)
    };
    let load = segments.iter().find(starts_in);
    let is_apart = |section: &&OutputSection| {
        let is_filled = section.sh_type != SHT_NOBITS;
        !holds(template, template.memory_size, section)
            || is_filled && load.is_some_and(|load| !holds(load, load.file_size, section))
    };
    if let Some(section) = thread_local(sections).find(is_apart) {
        let text = format!(
            "section {} stands apart from the other sections of thread-local storage: one piece of \
             one segment has to hold them all",
            name_of(section)
        );
        diag.error(WHOLE_LINK, text);
    }
}

fn name_of(section: &OutputSection) -> String {
    String::from_utf8_lossy(&section.name).into_owned()
}

/// Warns, as GNU ld does, of segments that are writable and executable, unless an option turns that
/// off. Images of other formats than ELF have no segments.
fn writable_code(options: &Options, segments: &[Segment], diag: &Diag) {
    let is_error = options.reports.error_rwx_segments;
    // A `.plt` that the loader writes into is such a segment, and no mistake.
    let is_usual = options.machine.plt_in_place.is_some();
    let warns = options.reports.warn_rwx_segments.unwrap_or(!is_usual);
    if !is_error && !warns {
        return;
    }
    let both = PF_W | PF_X;
    if !is_error && options.output_format != OutputFormat::Elf {
        return;
    }
    if !segments.iter().any(|s| s.p_type == PT_LOAD && s.p_flags & both == both) {
        return;
    }
    let text = format!("{} has a LOAD segment with RWX permissions", options.output.display());
    if is_error {
        diag.error(MessageKind::WritableCode.key(0), text)
    } else {
        diag.warn(MessageKind::WritableCode.key(0), text)
    }
}
