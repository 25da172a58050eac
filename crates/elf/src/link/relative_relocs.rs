//! `-z report-relative-reloc`: GNU ld's line for each dynamic relocation that has no symbol: relative
//! ones, packed or not, and IRELATIVE ones. First come those of input sections, then the words that the
//! linker adds, for which the output stands as file.

use super::plan::{Link, Planned};
use crate::arch::x86_64::loader;
use crate::arch::x86_64::names::relocation_name;
use crate::diagnose::place::display_name;
use crate::format::elf::Rela;
use crate::read::object_file::{InputSection, SectionFlags};
use crate::resolve::definitions::SectionId;
use crate::synth::dynamic_relocs::is_relative;
use crate::synth::image::Image;
use crate::synth::slots::SlotOwner;
use crate::synth::values::{self, Value};
use std::fmt::Write as _;
use std::io::Write as _;
use std::sync::atomic::Ordering;

/// A relocation to be told.
struct Told<'a> {
    r_type: u32,
    address: u64,
    addend: u64,
    name: &'a [u8],
    section: &'a [u8],
    file: String,
}

impl Link<'_> {
    /// Tells all.
    pub(super) fn report_relative(&self, planned: &Planned, image: &Image<'_>) {
        if !self.options.z.report_relative_reloc {
            return;
        }
        let mut text = String::new();
        let mut tell = |told: Told<'_>| {
            let _ = writeln!(
                text,
                "{}: {} (offset: {:#x}, info: {:#x}, addend: {:#x}) against '{}' for section '{}' \
                 in {}",
                self.options.output.display(),
                relocation_name(told.r_type),
                told.address,
                told.r_type,
                told.addend,
                display_name(told.name, self.options.demangle),
                String::from_utf8_lossy(told.section),
                told.file
            );
        };
        for (id, section) in (0..).zip(&self.definitions.sections) {
            let count = self.columns.relative.get(id as usize);
            if count.is_some_and(|count| count.load(Ordering::Relaxed) != 0) {
                self.of_section(planned, image, (id, section), &mut tell);
            }
        }
        for word in planned.plan.relocs.resolved_in_sections(image) {
            let section = &self.definitions.sections[word.section as usize];
            tell(Told {
                r_type: word.r_type,
                address: word.address,
                addend: word.addend,
                name: self.extraction.pools.name(&self.extraction.names, word.name),
                section: self.objects[section.object as usize].section_name(section.shndx),
                file: self.file_of(section.object),
            });
        }
        for (owner, r_type, address, addend) in planned.plan.relocs.of_got(image) {
            let (name, section) = (self.owner_name(owner), &b".rela.dyn"[..]);
            let file = self.options.output.display().to_string();
            tell(Told { r_type, address, addend, name, section, file });
        }
        // Nobody is left to tell that standard error is closed.
        let _ = std::io::stderr().write_all(text.as_bytes());
    }

    /// The relative ones of an input section.
    fn of_section(
        &self,
        planned: &Planned,
        image: &Image<'_>,
        (id, section): (SectionId, &InputSection),
        tell: &mut impl FnMut(Told<'_>),
    ) {
        let object = &self.objects[section.object as usize];
        let relocs = object.relocs(section);
        let mut run = |relocs: &[Rela], start: u64| {
            for reloc in relocs {
                let symbol = reloc.r_sym.get();
                if !is_relative(section, reloc, image.view(section.object, symbol)) {
                    continue;
                }
                let name = match object.symbol_name(symbol as usize) {
                    b"" => object
                        .symbol_section(symbol as usize)
                        .map_or(&b""[..], |shndx| object.section_name(shndx)),
                    name => name,
                };
                tell(Told {
                    r_type: loader::RELATIVE,
                    address: start.wrapping_add(reloc.r_offset.get()),
                    addend: addend_of(image, section.object, reloc),
                    name,
                    section: object.section_name(section.shndx),
                    file: self.file_of(section.object),
                });
            }
        };
        if !section.flags.has(SectionFlags::EH_FRAME) {
            run(relocs, image.address(id));
            return;
        }
        for part in planned.plan.eh_frame.scanned_relocs(image, id) {
            run(&relocs[part.relocs], part.address);
        }
    }

    fn file_of(&self, object: u32) -> String {
        let file = self.objects[object as usize].file;
        file.map(|f| self.candidates.display_name(f)).unwrap_or_default()
    }

    fn owner_name(&self, owner: SlotOwner) -> &'static [u8] {
        match owner {
            SlotOwner::Name(name) => self.extraction.pools.name(&self.extraction.names, name),
            SlotOwner::Local(object, symbol) => {
                self.objects[object as usize].symbol_name(symbol as usize)
            }
        }
    }
}

/// What the loader adds the base to.
fn addend_of(image: &Image<'_>, object: u32, reloc: &Rela) -> u64 {
    let addend = reloc.r_addend.get();
    match values::decode(image.value(object, reloc.r_sym.get())) {
        Value::Plain(value) => value.wrapping_add_signed(addend),
        Value::Merged(merged) => image.merged.member(merged).map_or(0, |member| {
            image.address(merged).wrapping_add(member.output_offset(addend as u64))
        }),
        Value::Dead | Value::Indirect | Value::Called(_) => addend as u64,
    }
}
