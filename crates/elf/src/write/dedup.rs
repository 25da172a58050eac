//! `--dedup-debug-types`: debug sections are built, duplicates in them are removed, and they get
//! new file offsets, before anything is written: see [`skald_dwarf::dedup`].
//!
//! All sections that this reads stay in memory, and are written or compressed from there.

use super::debug_index::source::{contributions, find, section_faults};
use super::inputs::InputWriter;
use super::parts;
use crate::check::section_faults;
use crate::layout::Content;
use crate::resolve::tables::Tables;
use crate::synth::image::Image;
use crate::synth::sections::Plan;
use skald_core::diag::{Error, Result};
use skald_core::ids::IdSlice;
use skald_dwarf::dedup::{Dedup, DedupInput, Outcome, RewrittenUnits};
use skald_dwarf::sections::{Contribution, Sections};
use skald_linking::byte_order::ByteOrder;
use skald_linking::spans;

/// Names of sections that contain offsets into units. An output with rewritten units does not have
/// them.
const LISTS: [&[u8]; 9] = [
    b".debug_pubnames",
    b".debug_pubtypes",
    b".debug_funcnames",
    b".debug_varnames",
    b".debug_typenames",
    b".debug_weaknames",
    b".debug_gnu_pubnames",
    b".debug_gnu_pubtypes",
    b".debug_names",
];

/// Whether an output section of this name would be wrong if units are rewritten.
pub fn is_list(name: &[u8]) -> bool {
    LISTS.contains(&name)
}

/// Sections that are read, by name.
const NAMES: [&str; 12] = [
    "info",
    "types",
    "abbrev",
    "line",
    "macro",
    "loc",
    "loclists",
    "aranges",
    "str",
    "line_str",
    "str_offsets",
    "addr",
];

/// The new content of debug sections.
#[derive(Default)]
pub struct Rewritten {
    /// Positions of output sections, and their bytes.
    pub sections: Vec<(usize, Vec<u8>)>,
    /// Where the units are; `None` if they are unchanged.
    pub units: Option<RewrittenUnits>,
}

/// Rewrites the debug sections as the options ask.
///
/// # Errors
/// If the sections cannot be rewritten all at once.
pub fn rewritten(tables: &Tables<'_>, image: &Image<'_>, plan: &Plan) -> Result<Rewritten> {
    let Some(level) = tables.options.dedup_debug_types else { return Ok(Rewritten::default()) };
    let mut positions = [None; NAMES.len()];
    let mut built: [Vec<u8>; NAMES.len()] = Default::default();
    let inputs = InputWriter::new(image, None);
    for (at, name) in NAMES.into_iter().enumerate() {
        let Some((head, _)) = find(image.outputs, name) else { continue };
        let position = head.parts.start;
        let section = &image.outputs.sections[position];
        if !image.outputs.is_whole(position) || !matches!(section.content, Content::Inputs { .. }) {
            let text = "--dedup-debug-types: a debug section of the output consists of parts";
            return Err(Error(text.to_owned()));
        }
        let mut parts = parts::of_section(image, plan, IdSlice::new(&[]), position);
        parts.iter_mut().for_each(|part| part.file_offset -= section.file_offset);
        built[at] = spans::in_memory(&parts, section.size, |part, out| inputs.build(part, out));
        positions[at] = Some(position);
    }
    inputs.report(tables);
    let (contributions, of_inputs) = contributions(image);
    let order = image.encoding().order;
    let outcome = input(&built, &contributions, order, level).dedup();
    let Outcome { dedup, faults, is_given_up, is_too_large } = outcome;
    let faults = section_faults(image, &contributions, &of_inputs, &faults);
    section_faults::left_units(tables, &faults, is_given_up);
    if is_too_large {
        let text = "--dedup-debug-types: .debug_info takes more than 4 GiB";
        return Err(Error(text.to_owned()));
    }
    let units = dedup.map(|dedup| replace(dedup, &mut built));
    let sections = positions.into_iter().zip(built);
    let sections = sections.filter_map(|(position, bytes)| Some((position?, bytes))).collect();
    Ok(Rewritten { sections, units })
}

/// The sections, in the order of [`NAMES`], as they are read.
fn input<'a>(
    built: &'a [Vec<u8>; NAMES.len()],
    contributions: &'a [Contribution],
    order: ByteOrder,
    level: skald_dwarf::dedup::Level,
) -> DedupInput<'a> {
    let [
        info,
        types,
        abbreviations,
        lines,
        macros,
        locations,
        location_lists,
        address_ranges,
        strings,
        line_strings,
        string_offsets,
        addresses,
    ] = std::array::from_fn(|at| &built[at][..]);
    let others = Sections {
        order,
        abbreviations,
        strings,
        line_strings,
        string_offsets,
        addresses,
        locations,
        location_lists,
        address_ranges,
        ..Sections::default()
    };
    let shares_lines = macros.is_empty();
    DedupInput { info, types, lines, shares_lines, others, contributions, level }
}

/// Replaces the sections that have changed; returns where units are.
fn replace(dedup: Dedup, built: &mut [Vec<u8>; NAMES.len()]) -> RewrittenUnits {
    let [info, types, abbreviations, lines, _, locations, location_lists, ranges, ..] = built;
    *info = dedup.info;
    *types = dedup.types;
    *abbreviations = dedup.abbreviations;
    let others = [
        (lines, dedup.lines),
        (locations, dedup.locations),
        (location_lists, dedup.location_lists),
        (ranges, dedup.address_ranges),
    ];
    for (section, new) in others {
        if let Some(new) = new {
            *section = new;
        }
    }
    dedup.units
}
