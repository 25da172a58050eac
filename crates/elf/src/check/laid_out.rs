//! Checks of a layout in which everything has its address.

use super::{address_checks, array_bounds, undefined};
use crate::args::options::OutputFormat;
use crate::diagnose::order::MessageKind;
use crate::layout::placed::PlacedOutput;
use crate::layout::segments::{self, Segment};
use crate::layout::settle::Settled;
use crate::layout::{OutputSections, address_segments};
use crate::resolve::definitions::SectionId;
use crate::resolve::linker_symbols::{ClaimedSymbols, LinkerSymbol, Mark};
use crate::resolve::names::references::ref_flags;
use crate::resolve::tables::Tables;
use crate::script::layout_script::LayoutScript;
use crate::select::liveness::Liveness;
use crate::select::used_symbols;
use object::elf::PT_LOAD;
use skald_core::diag::WHOLE_LINK;
use skald_core::names::NameId;
use std::sync::atomic::Ordering;

/// Reports problems of the last walk, bounds of moved arrays, and segments and sections that an
/// output cannot have.
pub fn check(
    tables: &Tables<'_>,
    script: &LayoutScript,
    claimed: &ClaimedSymbols,
    live: &Liveness,
    settled: &Settled<'_>,
) {
    let Tables { options, diag, .. } = *tables;
    let Settled { placed, layout, walk, .. } = settled;
    address_checks::report(&walk.problems, options, diag);
    refuse_missing_header(tables, claimed, live, placed);
    if !layout.is_automatic {
        let moved = array_bounds::of_moved_arrays(tables, &placed.outputs, &claimed.symbols);
        undefined::report(tables, live, moved);
    }
    for (at, warning) in (0..).zip(&walk.warnings) {
        diag.warn(MessageKind::Assertion.key(at), warning.clone());
    }
    let outside = settled.outside.iter().filter(|_| options.output_format == OutputFormat::Elf);
    for (at, message) in (0..).zip(outside) {
        diag.warn(MessageKind::OutsideSegment.key(at), message.clone());
    }
    let is_stated = layout.headers.is_some();
    if !is_stated {
        check_thread_local(tables, &placed.outputs, layout.is_automatic);
    }
    if !placed.segments.iter().all(|segment| has_room(segment, &placed.segments, is_stated)) {
        let text = "there is no room for the program headers before the first section: \
                    SIZEOF_HEADERS says how many bytes they take";
        diag.error(WHOLE_LINK, text);
    }
    address_checks::unfilled(layout, &placed.outputs, diag);
    address_checks::check(options, script, &placed.outputs, &placed.segments, diag);
}

/// Reports references to `__ehdr_start` if the ELF header is in no loaded segment. As with GNU ld
/// the symbol is undefined then, so weak references are null.
fn refuse_missing_header(
    tables: &Tables<'_>,
    claimed: &ClaimedSymbols,
    live: &Liveness,
    placed: &PlacedOutput,
) {
    let &Tables { options, candidates, extraction, objects, definitions, diag } = tables;
    let is_loaded =
        placed.segments.iter().any(|segment| segment.p_type == PT_LOAD && segment.has_headers);
    if is_loaded || options.output_format != OutputFormat::Elf {
        return;
    }
    let is_header = |symbol: &&LinkerSymbol| matches!(symbol.mark, Mark::Header);
    let names = claimed.symbols.iter().filter(is_header).map(|symbol| symbol.name);
    let is_strong =
        |name: &NameId| extraction.refs.get(*name).flags() & ref_flags::UNDEF_STRONG != 0;
    let mut names: Vec<NameId> = names.filter(is_strong).collect();
    if names.is_empty() {
        return;
    }
    // References of sections that are not kept do not count.
    let used = used_symbols::find(objects, definitions, live, candidates, diag);
    names.retain(|name| used.names[*name].load(Ordering::Relaxed) != 0);
    undefined::report(tables, live, names);
}

/// Reports a section that stands between those of thread-local storage.
fn check_thread_local(tables: &Tables<'_>, outputs: &OutputSections, is_automatic: bool) {
    let sections = &outputs.sections;
    let amid = if is_automatic {
        segments::amid_thread_local(sections)
    } else {
        address_segments::amid_thread_local(outputs)
    };
    let Some(amid) = amid else { return };
    let amid = String::from_utf8_lossy(amid);
    // A section whose flags differ from all others of its kind is probably a mistake in an input.
    let inputs = segments::thread_local_inputs(sections);
    let object = |id: SectionId| tables.object_name(tables.definitions.sections[id].object);
    let mut files: Vec<String> = inputs.map(object).collect();
    files.dedup();
    let from = if files.is_empty() { "" } else { ", which are from " };
    let files = files.join(", ");
    let text = format!("section {amid} stands amid sections of thread-local storage{from}{files}");
    tables.diag.error(WHOLE_LINK, text);
}

/// Whether a segment that begins with headers has room for them. Otherwise it would begin below
/// address zero, or, if a script puts them there, share pages with a segment that has other
/// permissions and other bytes in the file.
fn has_room(segment: &Segment, all: &[Segment], is_stated: bool) -> bool {
    if !segment.has_headers || segment.p_type != PT_LOAD {
        return true;
    }
    let page_of = |address: u64| address - address % segment.align.max(1);
    let pages = |segment: &Segment| {
        let end = segment.address.checked_add(segment.memory_size)?;
        Some((page_of(segment.address), end))
    };
    let Some((start, _)) = pages(segment) else { return false };
    if !is_stated {
        return true;
    }
    let is_before = |other: &&Segment| {
        other.p_type == PT_LOAD && other.memory_size != 0 && other.address < segment.address
    };
    all.iter().filter(is_before).all(|other| pages(other).is_none_or(|(_, end)| end <= start))
}
