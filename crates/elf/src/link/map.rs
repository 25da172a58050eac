//! `-Map`, `-M`: which input section went where, and the symbols in it.

use super::place::Placed;
use super::plan::{Link, Planned};
use super::reports::Sources;
use super::usage_lists;
use crate::diagnose::place::display_name;
use crate::layout::{Content, OutputSection};
use crate::read::object_file::SectionFlags;
use crate::resolve::definitions::{GLOBAL, SectionId};
use crate::select::liveness::Liveness;
use object::elf::STT_SECTION;
use rayon::prelude::*;
use skald_core::diag::Failed;
use skald_core::perturb::shuffled;
use std::fmt::Write as _;
use std::io::Write as _;
use std::sync::atomic::Ordering;

/// A symbol of a section: section, `st_value`, object, index.
type Placement = (SectionId, u64, u32, u32);

struct Map<'a, 'b> {
    link: &'a Link<'b>,
    placed: &'a Placed,
    symbols: Vec<Placement>,
    text: String,
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
        let mut map = Map { link: self, placed, symbols: self.placements(), text: String::new() };
        if !self.options.reports.no_map_discarded {
            map.discarded(live);
        }
        map.text.push_str("         Address           Size  Align Section / Input / Symbol\n");
        for section in &planned.outputs.sections {
            map.section(section);
        }
        if self.options.reports.cref {
            let sources = Sources {
                options: self.options,
                candidates: self.candidates,
                extraction: self.extraction,
                objects: self.objects,
                diag: self.diag,
            };
            map.text.push_str(&usage_lists::cross_references(&sources, &self.definitions));
        }
        let outcome = match path.as_os_str() == "-" {
            true => std::io::stdout().write_all(map.text.as_bytes()),
            false => std::fs::write(path, &map.text),
        };
        if let Err(error) = outcome {
            self.diag.error((0, 0), format!("cannot write map {}: {error}", path.display()));
        }
        self.diag.checkpoint()
    }

    /// Named symbols by section and place.
    fn placements(&self) -> Vec<Placement> {
        let definitions = &self.definitions;
        let mut all: Vec<Placement> = (0..self.objects.len())
            .into_par_iter()
            .flat_map_iter(|at| {
                let object = &self.objects[at];
                (1..object.symbols.len()).filter_map(move |index| {
                    let symbol = &object.symbols[index];
                    let mut section = definitions.target_of(at, index as u32);
                    if section & GLOBAL != 0 {
                        let name = (section & !GLOBAL) as usize;
                        let rank = definitions.ranks[name];
                        if rank.file() as usize != at || rank.symbol() as usize != index {
                            return None;
                        }
                        section = definitions.globals[name].section;
                    }
                    let is_placed = (section as usize) < definitions.sections.len();
                    let is_named = symbol.kind() != STT_SECTION && symbol.st_name.get() != 0;
                    (is_placed && is_named).then(|| {
                        let flags = definitions.sections[section as usize].flags;
                        // The value of a common symbol is its alignment.
                        let common = flags.has(SectionFlags::COMMON);
                        let value = if common { 0 } else { symbol.st_value.get() };
                        (section, value, at as u32, index as u32)
                    })
                })
            })
            .collect();
        // Symbols of folded sections are where their leader is.
        if !self.folds.folded.is_empty() {
            all.par_iter_mut().for_each(|place| place.0 = self.folds.leader(place.0));
        }
        shuffled(&mut all).par_sort_unstable();
        all
    }
}

impl Map<'_, '_> {
    fn row(&mut self, address: u64, size: u64, align: u64) {
        let _ = write!(self.text, "{address:16x} {size:14x} {align:6} ");
    }

    /// `FILE:(SECTION)`.
    fn input(&mut self, id: SectionId) {
        let section = &self.link.definitions.sections[id as usize];
        let object = &self.link.objects[section.object as usize];
        let file = object.file.map(|f| self.link.candidates.display_name(f)).unwrap_or_default();
        let name = match section.flags.has(SectionFlags::COMMON) {
            true => b"COMMON",
            false => object.section_name(section.shndx),
        };
        let _ = writeln!(self.text, "{file}:({})", String::from_utf8_lossy(name));
    }

    fn discarded(&mut self, live: &Liveness) {
        let sections = &self.link.definitions.sections;
        let mut has_title = false;
        for (id, section) in sections.iter().enumerate() {
            let flags = section.flags;
            let is_gone = flags.has(SectionFlags::DISCARDED) || !live.is_live(id as u32);
            if !is_gone || flags.has(SectionFlags::COMMON | SectionFlags::EH_FRAME) {
                continue;
            }
            if !has_title {
                self.text.push_str("Discarded input sections\n");
                has_title = true;
            }
            self.text.push_str("  ");
            self.input(id as u32);
        }
        if has_title {
            self.text.push('\n');
        }
    }

    fn section(&mut self, section: &OutputSection) {
        self.row(section.address, section.size, section.align);
        let _ = writeln!(self.text, "{}", String::from_utf8_lossy(&section.name));
        let Content::Inputs { groups, sections, .. } = &section.content else { return };
        let merged = self.link.merged;
        let members = groups
            .iter()
            .flat_map(|&(group, _)| &merged.groups[group as usize].members)
            .map(|&member| merged.members[member as usize].section);
        for id in members.chain(sections.iter().copied()) {
            let record = self.link.definitions.sections[id as usize];
            let address = self.placed.addresses[id as usize].load(Ordering::Relaxed);
            self.row(address, record.size, 1 << record.align_log2);
            self.text.push_str("        ");
            self.input(id);
            if !record.flags.has(SectionFlags::MERGE) {
                self.symbols_of(id, address);
            }
        }
    }

    fn symbols_of(&mut self, id: SectionId, address: u64) {
        let first = self.symbols.partition_point(|s| s.0 < id);
        let end = first + self.symbols[first..].partition_point(|s| s.0 == id);
        for at in first..end {
            let (_, value, object, index) = self.symbols[at];
            let object = &self.link.objects[object as usize];
            let size = object.symbols[index as usize].st_size.get();
            self.row(address.wrapping_add(value), size, 0);
            let name = object.symbol_name(index as usize);
            let name = display_name(name, self.link.options.demangle);
            let _ = writeln!(self.text, "                {name}");
        }
    }
}
