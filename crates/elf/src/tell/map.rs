//! `-Map`, `-M`: why files are linked, which sections were dropped, and where the others are, in
//! the format of GNU ld's maps, which many scripts read.
//!
//! The longest parts, lists of sections, are cut into pieces that all threads write at once
//! ([`skald_core::in_order`]).

pub mod columns;
mod discarded;
mod head;
mod sections;
mod symbols;

use crate::layout::placed::PlacedOutput;
use crate::layout::walk::RegionUsage;
use crate::read::ObjectId;
use crate::resolve::definitions::Definitions;
use crate::resolve::linker_symbols::ClaimedSymbols;
use crate::resolve::tables::{Sources, Tables};
use crate::select::liveness::Liveness;
use crate::select::selected::Selected;
use crate::synth::planned::Planned;
use crate::tell::cross_references::{self, CrossReferences};
use crate::tell::listing;
use columns::Columns;
use skald_core::diag::Failed;
use skald_core::ids::Column;
use skald_core::in_order;
use skald_core::names::NameId;
use skald_core::par::prelude::*;
use std::io;
use std::ops::Range;
use symbols::Symbols;

pub use symbols::Placements;

/// The text in the file column for sections that the linker makes.
pub const LINKER: &[u8] = b"linker stubs";

/// The parts of a map about inputs, which `-r` has too.
pub struct Inputs<'a> {
    sources: Sources<'a>,
    definitions: &'a Definitions,
    live: &'a Liveness,
    /// The text in the file column for each object.
    files: Column<ObjectId, Vec<u8>>,
    pub columns: Columns,
}

/// The tables that a map is made from.
pub struct MapInput<'a> {
    /// Files, names and definitions.
    pub tables: Tables<'a>,
    /// Which sections live, and which are folded into others.
    pub selected: &'a Selected,
    /// The sections that the linker makes.
    pub planned: &'a Planned,
    pub placed: &'a PlacedOutput,
    /// Names that the linker defines (bounds, `--defsym`, assignments).
    pub claimed: &'a ClaimedSymbols,
    /// The values of `claimed`.
    pub values: Vec<(NameId, u64)>,
}

struct Map<'a> {
    inputs: &'a Inputs<'a>,
    input: &'a MapInput<'a>,
    symbols: Symbols<'a>,
}

/// What one task appends to the text.
enum Part {
    Head,
    Discarded(Range<ObjectId>),
    Read,
    Body(usize),
    Output,
    References(usize),
}

/// Writes the map.
pub fn write(input: &MapInput<'_>) -> Result<(), Failed> {
    let (symbols, inputs) = skald_core::par::join(
        || Symbols::find(input),
        || Inputs::new(input.tables.sources(), input.tables.definitions, &input.selected.live),
    );
    let map = Map { inputs: &inputs, input, symbols };
    let sections = map.section_parts();
    inputs.write_map(&input.placed.regions, 1 + sections.len(), |part, out| {
        match part.checked_sub(1) {
            None => map.symbols.write_assigned(out),
            Some(part) => map.write_section(&sections[part], out),
        }
    })
}

impl<'a> Inputs<'a> {
    /// Makes the texts of the file column.
    pub fn new(
        sources: Sources<'a>,
        definitions: &'a Definitions,
        live: &'a Liveness,
    ) -> Inputs<'a> {
        let name = |file| sources.candidates.display_name(file).into_bytes();
        let objects = sources.objects.par_iter().with_min_len(64);
        let files = objects.map(|object| object.file.map_or(LINKER.to_vec(), name)).collect();
        let columns = Columns::new(sources.options.machine.class);
        Inputs { sources, definitions, live, files, columns }
    }

    /// Writes a map, whose output sections `body` writes in `parts` parts.
    pub fn write_map(
        &self,
        regions: &[RegionUsage],
        parts: usize,
        body: impl Fn(usize, &mut Vec<u8>) + Sync,
    ) -> Result<(), Failed> {
        let Some(path) = &self.sources.options.map else { return Ok(()) };
        let diag = self.sources.diag;
        listing::write_file("map ", path, diag, |file| self.write(regions, parts, body, file));
        diag.checkpoint()
    }

    fn write(
        &self,
        regions: &[RegionUsage],
        body_parts: usize,
        body: impl Fn(usize, &mut Vec<u8>) + Sync,
        sink: &mut (impl io::Write + Send),
    ) -> io::Result<()> {
        let wants_references = self.sources.options.reports.cref;
        let mentions = if wants_references {
            cross_references::mentions(&self.sources, self.definitions)
        } else {
            Vec::new()
        };
        let table = wants_references.then(|| CrossReferences::new(&self.sources, &mentions));
        let mut parts = vec![Part::Head];
        parts.extend(self.discarded_parts().into_iter().map(Part::Discarded));
        parts.push(Part::Read);
        parts.extend((0..body_parts).map(Part::Body));
        parts.push(Part::Output);
        let references = table.as_ref().map_or(0, CrossReferences::parts);
        parts.extend((0..references).map(Part::References));
        in_order::write(parts.len(), sink, |at, out| match &parts[at] {
            Part::Head => {
                self.write_reasons(out);
                self.write_commons(out);
                if matches!(parts[at + 1], Part::Discarded(_)) {
                    out.extend_from_slice(b"Discarded input sections\n\n");
                }
            }
            Part::Discarded(objects) => {
                self.write_discarded(objects.clone(), out);
                if matches!(parts[at + 1], Part::Read) {
                    out.push(b'\n');
                }
            }
            Part::Read => self.write_inputs_read(regions, out),
            Part::Body(part) => body(*part, out),
            Part::Output => self.write_output(out),
            Part::References(part) => {
                if let Some(table) = &table {
                    table.write(*part, out);
                }
            }
        })
    }

    pub fn file(&self, object: ObjectId) -> &[u8] {
        &self.files[object]
    }
}
