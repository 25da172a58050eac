//! `-Map`, `-M`: why files are in the link, what was left out, and where the rest is, in the layout
//! of GNU ld's maps, which many scripts read.
//!
//! The longest parts, lists of sections, are cut into pieces that all threads write at once
//! ([`skald_core::in_order`]).

mod columns;
mod discarded;
mod head;
mod sections;
mod symbols;

use super::cross_references::{self, CrossReferences};
use super::place::Placed;
use super::plan::{Link, Planned};
use super::reports::Sources;
use crate::select::liveness::Liveness;
use rayon::prelude::*;
use sections::SectionPart;
use skald_core::diag::Failed;
use skald_core::in_order;
use std::fs::File;
use std::io;
use std::ops::Range;
use symbols::Symbols;

pub use symbols::spelled;

/// The file of what the linker makes.
const LINKER: &[u8] = b"linker stubs";

struct Map<'a> {
    link: &'a Link<'a>,
    planned: &'a Planned,
    placed: &'a Placed,
    live: &'a Liveness,
    symbols: Symbols<'a>,
    /// Names of the objects.
    files: Vec<Vec<u8>>,
}

/// A piece of the text.
enum Part {
    Head,
    Discarded(Range<usize>),
    Inputs,
    Section(SectionPart),
    Output,
    References(usize),
}

impl Link<'_> {
    /// Writes the map if one is asked for.
    pub fn write_map(
        &self,
        planned: &Planned,
        placed: &Placed,
        live: &Liveness,
    ) -> Result<(), Failed> {
        let Some(path) = &self.options.map else { return Ok(()) };
        let (symbols, files) =
            rayon::join(|| Symbols::find(self, planned, placed, live), || self.object_names());
        let map = Map { link: self, planned, placed, live, symbols, files };
        let outcome = match path.as_os_str() == "-" {
            true => map.write(&mut io::stdout()),
            false => File::create(path).and_then(|mut file| map.write(&mut file)),
        };
        if let Err(error) = outcome {
            self.diag.error((0, 0), format!("cannot write map {}: {error}", path.display()));
        }
        self.diag.checkpoint()
    }

    fn object_names(&self) -> Vec<Vec<u8>> {
        let name = |file| self.candidates.display_name(file).into_bytes();
        let objects = self.objects.par_iter().with_min_len(64);
        objects.map(|object| object.file.map_or(LINKER.to_vec(), name)).collect()
    }

    fn sources(&self) -> Sources<'_> {
        Sources {
            options: self.options,
            candidates: self.candidates,
            extraction: self.extraction,
            objects: self.objects,
            diag: self.diag,
        }
    }
}

impl Map<'_> {
    fn write(&self, sink: &mut (impl io::Write + Send)) -> io::Result<()> {
        let discarded = self.discarded_parts();
        let mut parts = vec![Part::Head];
        parts.extend(discarded.into_iter().map(Part::Discarded));
        parts.push(Part::Inputs);
        parts.extend(self.section_parts().into_iter().map(Part::Section));
        parts.push(Part::Output);
        let sources = self.link.sources();
        let mentions = match self.link.options.reports.cref {
            true => cross_references::mentions(&sources, &self.link.definitions),
            false => Vec::new(),
        };
        let table =
            self.link.options.reports.cref.then(|| CrossReferences::new(&sources, &mentions));
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
                if matches!(parts[at + 1], Part::Inputs) {
                    out.push(b'\n');
                }
            }
            Part::Inputs => self.write_inputs_read(out),
            Part::Section(part) => self.write_section(part, out),
            Part::Output => self.write_output(out),
            Part::References(part) => {
                if let Some(table) = &table {
                    table.write(*part, out);
                }
            }
        })?;
        sink.flush()
    }

    /// The name of an object.
    fn file(&self, object: usize) -> &[u8] {
        &self.files[object]
    }
}
