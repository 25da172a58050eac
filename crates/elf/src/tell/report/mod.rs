//! `--report`: a picture of the link, for people as a page (`FILE.html`) and for tools as the same
//! data (`FILE.json`, described in `docs/report.md`).
//!
//! [`collect`] makes a report from the tables of a link that has succeeded: columns of plain values
//! without ids of the link. The crate `report` writes these in either form. Everything but the
//! timeline depends on the inputs and options alone. Without the option a link pays two tests.

mod collect;
mod gone;
mod graph;
mod libraries;

use crate::args::Options;
use crate::layout::placed::PlacedOutput;
use crate::resolve::definitions::SectionId;
use crate::resolve::dynamic::OutputShape;
use crate::resolve::tables::{Sources, Tables};
use crate::resolve::wanted::entry_name;
use crate::select::group_rings::GroupRings;
use crate::select::liveness::StartStop;
use crate::select::references::ReferenceGraph;
use crate::select::roots;
use crate::select::selected::Selected;
use crate::synth::planned::Planned;
use crate::tell::{listing, why_live};
use skald_core::diag::Failed;
use skald_core::time::Timer;
use skald_report::{json, page};
use std::io::{BufWriter, Write};

/// The tables that a report is made from.
pub struct Input<'a> {
    /// Options, files, names and definitions.
    pub tables: Tables<'a>,
    pub shape: OutputShape,
    /// Which sections live, and which are folded into others.
    pub selected: &'a Selected,
    /// Sections that marking started from.
    pub kept: &'a MarkingRoots,
    /// Edges between sections that are no relocations.
    pub ties: OtherEdges<'a>,
    /// The sections that the linker makes, with their sizes.
    pub planned: &'a Planned,
    pub placed: &'a PlacedOutput,
    /// Has the phases of the link, for `timeline`.
    pub timer: &'a Timer,
}

impl Input<'_> {
    fn references(&self) -> ReferenceGraph<'_> {
        ReferenceGraph {
            objects: self.tables.objects,
            definitions: self.tables.definitions,
            frames: &self.selected.frames,
            start_stop: self.ties.0,
            rings: self.ties.1,
        }
    }
}

/// Sections that marking started from, ascending, and why.
pub struct MarkingRoots(Vec<(SectionId, &'static str)>);

impl MarkingRoots {
    /// Keeps the roots if a report is asked for. Without garbage collection (`marked` is `None`)
    /// they are the sections that it would keep in any case, and the section of the entry point.
    pub fn note(
        sources: &Sources<'_>,
        references: &ReferenceGraph<'_>,
        marked: Option<&[SectionId]>,
    ) -> MarkingRoots {
        if sources.options.reports.report.is_none() {
            return MarkingRoots(Vec::new());
        }
        let definitions = references.definitions;
        let mut roots = marked.map_or_else(|| kept_by_nature(sources, references), <[_]>::to_vec);
        roots.sort();
        roots.dedup();
        let reason = |id| (id, why_live::reason(sources, definitions, id));
        MarkingRoots(roots.into_iter().map(reason).collect())
    }
}

/// Edges between sections that are no relocations: see [`ReferenceGraph::start_stop`] and
/// [`ReferenceGraph::rings`].
pub type OtherEdges<'a> = (&'a StartStop, &'a GroupRings);

fn kept_by_nature(sources: &Sources<'_>, references: &ReferenceGraph<'_>) -> Vec<SectionId> {
    let definitions = references.definitions;
    let is_kept = |id: &SectionId| roots::is_kept(definitions.sections[*id].flags);
    let mut roots: Vec<SectionId> = definitions.sections.ids().filter(is_kept).collect();
    let entry = entry_name(sources.options, sources.candidates);
    let entry = entry.and_then(|name| sources.extraction.own_name(&name));
    roots.extend(entry.and_then(|name| definitions.globals[name].value_base.section()));
    roots
}

/// Writes the report, if one is asked for, of a link that has succeeded.
pub fn write(input: &Input<'_>) -> Result<(), Failed> {
    let Tables { options, diag, .. } = input.tables;
    let Some(path) = &options.reports.report else { return Ok(()) };
    diag.checkpoint()?;
    let report = collect::collect(input);
    listing::write_file("report ", path, diag, |file| {
        let mut file = BufWriter::new(file);
        if is_page(options) {
            page::write(&report, &mut file)
        } else {
            json::write(&report, &mut file)
        }?;
        file.flush()
    });
    diag.checkpoint()
}

fn is_page(options: &Options) -> bool {
    let path = options.reports.report.as_deref();
    path.and_then(|path| path.extension()).is_some_and(|extension| extension != "json")
}
