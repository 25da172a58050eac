//! `-z report-relative-reloc`: GNU ld's line for each dynamic relocation that has no symbol:
//! relative ones, packed or not, and IRELATIVE ones. Relocations of input sections come first, then
//! words that the linker adds, for which the output is named as the file.

use crate::diagnose::location::display_name;
use crate::format::elf::Rela;
use crate::read::ObjectId;
use crate::read::object_file::{InputSection, SectionFlags};
use crate::resolve::definitions::SectionId;
use crate::resolve::tables::Tables;
use crate::synth::dynamic_relocs::is_relative;
use crate::synth::image::Image;
use crate::synth::sections::Plan;
use crate::synth::values::{self, Value};
use skald_core::ids::IdSlice;
use std::fmt::Write as _;
use std::io::Write as _;
use std::sync::atomic::{AtomicU32, Ordering};

/// A relocation that is printed.
struct ShownReloc<'a> {
    r_type: u32,
    address: u64,
    addend: u64,
    name: &'a [u8],
    section: &'a [u8],
    file: String,
}

/// Prints the relocations if `-z report-relative-reloc` is given; `relative` has the count of each
/// section.
pub fn print(
    tables: &Tables<'_>,
    plan: &Plan,
    relative: &IdSlice<SectionId, AtomicU32>,
    image: &Image<'_>,
) {
    if !tables.options.z.report_relative_reloc {
        return;
    }
    let mut text = String::new();
    let mut tell = |told: ShownReloc<'_>| {
        let _ = writeln!(
            text,
            "{}: {} (offset: {:#x}, info: {:#x}, addend: {:#x}) against '{}' for section '{}' \
             in {}",
            tables.options.output.display(),
            image.machine.relocation_name(told.r_type),
            told.address,
            told.r_type,
            told.addend,
            display_name(told.name, tables.options.demangle),
            String::from_utf8_lossy(told.section),
            told.file
        );
    };
    for (id, section) in image.definitions.sections.with_ids() {
        let count = relative.get(id);
        if count.is_some_and(|count| count.load(Ordering::Relaxed) != 0) {
            of_section(tables, plan, image, id, section, &mut tell);
        }
    }
    for word in plan.relocs.resolved_in_sections(image) {
        let section = &image.definitions.sections[word.section];
        tell(ShownReloc {
            r_type: word.r_type,
            address: word.address,
            addend: word.addend,
            name: tables.extraction.pools.name(&tables.extraction.names, word.name),
            section: tables.objects[section.object].section_name(section.shndx),
            file: file_of(tables, section.object),
        });
    }
    for (owner, r_type, address, addend) in plan.relocs.of_got(image) {
        let (name, section) = (owner.name(tables), &b".rela.dyn"[..]);
        let file = tables.options.output.display().to_string();
        tell(ShownReloc { r_type, address, addend, name, section, file });
    }
    // If standard error is closed, nobody can be told.
    let _ = std::io::stderr().write_all(text.as_bytes());
}

/// The relative relocations of an input section.
fn of_section(
    tables: &Tables<'_>,
    plan: &Plan,
    image: &Image<'_>,
    id: SectionId,
    section: &InputSection,
    tell: &mut impl FnMut(ShownReloc<'_>),
) {
    let object = &tables.objects[section.object];
    let (loader, relocs) = (image.machine.loader, object.relocs(section));
    let mut run = |relocs: &[Rela], start: u64| {
        for reloc in relocs {
            let symbol = reloc.symbol();
            if !is_relative(loader.word, section, reloc, image.view(section.object, symbol)) {
                continue;
            }
            let name = match object.symbol_name(symbol) {
                b"" => object
                    .symbol_section(symbol)
                    .map_or(&b""[..], |shndx| object.section_name(shndx)),
                name => name,
            };
            tell(ShownReloc {
                r_type: loader.relative,
                address: start.wrapping_add(reloc.r_offset()),
                addend: addend_of(image, section.object, reloc),
                name,
                section: object.section_name(section.shndx),
                file: file_of(tables, section.object),
            });
        }
    };
    if !section.flags.has(SectionFlags::EH_FRAME) {
        run(relocs, image.address(id));
        return;
    }
    for part in plan.eh_frame.scanned_relocs(image, id) {
        run(&relocs[part.relocs], part.address);
    }
}

fn file_of(tables: &Tables<'_>, object: ObjectId) -> String {
    let file = tables.objects[object].file;
    file.map(|f| tables.candidates.display_name(f)).unwrap_or_default()
}

/// The addend of the relative relocation, to which the loader adds the base address.
fn addend_of(image: &Image<'_>, object: ObjectId, reloc: &Rela) -> u64 {
    let addend = reloc.r_addend();
    match values::decode(image.value(object, reloc.symbol())) {
        Value::Plain(value) => value.wrapping_add_signed(addend),
        Value::Merged(section) => image.place_in(section, addend as u64).unwrap_or(0),
        Value::Dead | Value::Indirect | Value::Called(_) => addend as u64,
    }
}
