//! `--strip-debug-non-line`: keeps only the debug information that line numbers need. Other debug
//! sections are not read. `.debug_info` and `.debug_abbrev` of an object are replaced by reduced
//! units ([`skald_dwarf::line_unit`]) and their relocations, before anything else reads them.

use super::implicit_addends;
use super::object_file::{InputSection, ObjectFile, SectionFlags};
use super::section_records::Decoder;
use crate::format::compressed::CompressedSection;
use crate::format::elf::{self, Rela};
use crate::machine::{Machine, RelocKind};
use crate::read::RecordId;
use object::elf::SHF_COMPRESSED;
use skald_dwarf::abbreviations::Abbreviations;
use skald_dwarf::line_unit::{self, LineUnit, TextField};
use skald_dwarf::units::{MAX_HEADER, Unit};
use skald_dwarf::values::Value;
use skald_linking::cursor::Malformed;
use std::borrow::Cow;
use std::cell::RefCell;
use std::rc::Rc;

/// The most bytes that a section may decompress to.
const LIMIT: u64 = 1 << 40;

/// Names, without `.debug_` or `.zdebug_`, of sections that line numbers need: the line tables, the
/// units, and their addresses. `.debug_aranges` would only repeat these.
const KEPT: [&[u8]; 7] =
    [b"abbrev", b"addr", b"info", b"line", b"line_str", b"ranges", b"rnglists"];

/// Whether line numbers need the debug section of this name.
pub fn is_kept(name: &[u8]) -> bool {
    let tail = name.strip_prefix(b".debug_").or_else(|| name.strip_prefix(b".zdebug_"));
    tail.is_some_and(|tail| KEPT.contains(&tail))
}

fn is_called(name: &[u8], tail: &[u8]) -> bool {
    name.strip_prefix(b".debug_").or_else(|| name.strip_prefix(b".zdebug_")) == Some(tail)
}

/// The new content of a section.
#[derive(Default)]
struct Replacement {
    bytes: Vec<u8>,
    relocs: Vec<Rela>,
}

/// Replaces the sections of units of an object whose sections are all decoded.
///
/// # Errors
/// A fault, with the name of the section.
pub(super) fn reduce(decoder: &mut Decoder<'_>) -> Result<(), String> {
    let records: Vec<RecordId> = decoder.records_of_debug().collect();
    let named = |object: &ObjectFile, record: &InputSection, tail: &[u8]| {
        is_called(object.section_name(record.shndx), tail)
    };
    let Decoder { object, records: all, rules, .. } = &*decoder;
    let is = |&&id: &&RecordId, tail| named(object, &all[id], tail);
    let abbreviations: Vec<RecordId> =
        records.iter().filter(|id| is(id, b"abbrev")).copied().collect();
    let Some(&first) = abbreviations.first() else { return Ok(()) };
    let tables = Tables::new(object, rules.machine, all[first].shndx);
    let mut replaced = Vec::new();
    let mut made = Vec::new();
    for &id in records.iter().filter(|id| is(id, b"info")) {
        let relocs = object.relocs(&all[id]);
        let reduced = tables.section(&all[id], relocs, &mut made);
        let said = |fault| format!("section .debug_info: {fault}");
        replaced.push((id, reduced.map_err(said)?));
    }
    drop(tables);
    replaced.push((first, Replacement { bytes: made, relocs: Vec::new() }));
    let rest = abbreviations.into_iter().skip(1);
    replaced.extend(rest.map(|id| (id, Replacement::default())));
    for (id, with) in replaced {
        decoder.replace(id, with);
    }
    Ok(())
}

impl Decoder<'_> {
    /// Records of sections that are not loaded.
    fn records_of_debug(&self) -> impl Iterator<Item = RecordId> {
        let unfit = SectionFlags::ALLOC | SectionFlags::NOBITS | SectionFlags::COMMON;
        let ids = self.object.recorded.iter().filter_map(|recorded| recorded.record());
        ids.filter(move |&id| !self.records[id].flags.has(unfit))
    }

    fn replace(&mut self, id: RecordId, with: Replacement) {
        let mapped = &mut self.object.mapped;
        let section = &mut self.records[id];
        section.size = with.bytes.len() as u64;
        section.flags.0 &= !SectionFlags::COMPRESSED;
        section.data_offset = mapped.decoded_data.len() as u64;
        section.flags.set(SectionFlags::DECODED_DATA);
        mapped.decoded_data.push(Box::leak(with.bytes.into_boxed_slice()));
        section.set_relocs(mapped, with.relocs.leak());
    }
}

/// The contents of a section, shared by its readers.
type Content = Rc<Cow<'static, [u8]>>;

/// The debug sections of one object, as they are in its file.
struct Tables<'a> {
    object: &'a ObjectFile,
    machine: &'static Machine,
    /// Index of the section for the abbreviations of the reduced units.
    abbreviations: u32,
    /// Contents, by index of the section.
    contents: RefCell<Vec<(u32, Content)>>,
}

impl<'a> Tables<'a> {
    fn new(object: &'a ObjectFile, machine: &'static Machine, abbreviations: u32) -> Tables<'a> {
        Tables { object, machine, abbreviations, contents: RefCell::new(Vec::new()) }
    }

    /// Reduces the units of a section; appends their abbreviations to `made`.
    fn section(
        &self,
        section: &InputSection,
        relocs: &[Rela],
        made: &mut Vec<u8>,
    ) -> Result<Replacement, String> {
        let said = |fault: Malformed| fault.to_string();
        let bytes = self.bytes(section.shndx).ok_or("it cannot be decompressed")?;
        let order = self.object.mapped.encoding.order;
        let mut replacement = Replacement::default();
        let mut start = 0;
        while start < bytes.len() {
            let room = (bytes.len() - start) as u64;
            let header = &bytes[start..bytes.len().min(start + MAX_HEADER)];
            let unit = Unit::parse(header, start as u64, room, false, order).map_err(said)?;
            let own = elf::range(&bytes, unit.start, unit.len).unwrap_or_default();
            start += unit.len.max(1) as usize;
            let field = self.target(relocs, unit.abbreviations_at());
            let none = || format!("unit at offset {:#x} has no abbreviations", unit.start);
            let (shndx, offset) = field.ok_or_else(none)?;
            let table = self.bytes(shndx).ok_or_else(none)?;
            let table = Abbreviations::parse(&table, offset, unit.encoding).map_err(said)?;
            let text = |field: TextField<'_>| self.text(relocs, field, unit.encoding.offset_size);
            if let Some(reduced) = line_unit::reduce(&unit, own, &table, &text).map_err(said)? {
                if shndx != self.abbreviations {
                    let text = "has its abbreviations in another section than others";
                    return Err(format!("unit at offset {:#x} {text}", unit.start));
                }
                self.add(&unit, reduced, relocs, &mut replacement, made);
            }
        }
        Ok(replacement)
    }

    /// Adds a reduced unit, and relocations for its fields.
    fn add(
        &self,
        unit: &Unit,
        reduced: LineUnit,
        relocs: &[Rela],
        to: &mut Replacement,
        made: &mut Vec<u8>,
    ) {
        let start = to.bytes.len() as u64;
        // Each shape has one entry; most objects have one shape.
        let len = reduced.abbreviations.len();
        let known = made.windows(len).position(|table| table == reduced.abbreviations);
        let offset = known.unwrap_or(made.len()) as i64;
        if known.is_none() {
            made.extend(reduced.abbreviations);
        }
        // This field was found through its relocation.
        if let Some(mut reloc) = reloc_at(relocs, unit.abbreviations_at(), true).copied() {
            let symbol = self.object.mapped.symbols.get(reloc.symbol());
            let before = symbol.map_or(0, |symbol| symbol.st_value());
            reloc.set_r_offset(start + reduced.abbreviations_at);
            reloc.set_r_addend(offset.wrapping_sub_unsigned(before));
            to.relocs.push(reloc);
        }
        for field in reduced.fields {
            let found = reloc_at(relocs, field.from.start, field.is_reference).copied();
            if let Some(mut reloc) = found {
                reloc.set_r_offset(start + field.to);
                to.relocs.push(reloc);
            }
        }
        to.bytes.extend(reduced.info);
    }

    /// The section, and the offset in it, that the field at `offset` will be relocated to.
    fn target(&self, relocs: &[Rela], offset: u64) -> Option<(u32, u64)> {
        let reloc = reloc_at(relocs, offset, true)?;
        let value = self.object.mapped.symbols.get(reloc.symbol())?.st_value();
        let shndx = self.object.symbol_section(reloc.symbol())?;
        Some((shndx, value.wrapping_add_signed(reloc.r_addend())))
    }

    fn text(&self, relocs: &[Rela], field: TextField<'_>, offset_size: u8) -> Option<Vec<u8>> {
        let (strings, offset) = match field.value {
            Value::StringIndex(index) => {
                let (table, start) = self.target(relocs, field.string_offsets?)?;
                let entry = start.checked_add(index.checked_mul(offset_size.into())?)?;
                self.target(&self.raw_relocs(table)?, entry)?
            }
            _ => self.target(relocs, field.offset)?,
        };
        let bytes = self.bytes(strings)?;
        elf::string(&bytes, u32::try_from(offset).ok()?).map(<[u8]>::to_vec)
    }

    /// The relocations of a section that has no record.
    fn raw_relocs(&self, shndx: u32) -> Option<Cow<'static, [Rela]>> {
        let mapped = &self.object.mapped;
        let kind = self.machine.reloc_kind.sh_type();
        let is_of = |header: &&elf::Shdr| header.sh_type() == kind && header.sh_info() == shndx;
        let header = mapped.shdrs.iter().find(is_of)?;
        let bytes = elf::range(mapped.data, header.sh_offset(), header.sh_size())?;
        match self.machine.reloc_kind {
            RelocKind::Rela => mapped.encoding.records(bytes),
            RelocKind::Rel => {
                let content = self.bytes(shndx)?;
                implicit_addends::decode(self.machine, bytes, &content).ok().map(Cow::Owned)
            }
            RelocKind::RelaInFields => {
                let content = self.bytes(shndx)?;
                let mut relocs = mapped.encoding.records(bytes)?.into_owned();
                let is_inside = implicit_addends::take(self.machine, &mut relocs, &content);
                is_inside.then_some(Cow::Owned(relocs))
            }
        }
    }

    /// The bytes of a section, decompressed.
    fn bytes(&self, shndx: u32) -> Option<Content> {
        let mut contents = self.contents.borrow_mut();
        if let Some((_, known)) = contents.iter().find(|(known, _)| *known == shndx) {
            return Some(known.clone());
        }
        let raw = self.object.raw_bytes(shndx);
        let is_marked = self.object.header(shndx).sh_flags() & u64::from(SHF_COMPRESSED) != 0;
        let compressed = if self.object.section_name(shndx).starts_with(b".zdebug_") {
            CompressedSection::parse_zdebug(raw)
        } else if is_marked {
            Some(CompressedSection::parse(self.object.mapped.encoding, raw).ok()?)
        } else {
            None
        };
        let content = Rc::new(match compressed {
            Some(section) => Cow::Owned(section.decompress(LIMIT).ok()?),
            None => Cow::Borrowed(raw),
        });
        contents.push((shndx, content.clone()));
        Some(content)
    }
}

/// The relocation of the field at `offset`. Assemblers sort relocations, but nothing requires that:
/// if there must be one (`is`), all are searched.
fn reloc_at(relocs: &[Rela], offset: u64, is: bool) -> Option<&Rela> {
    let place = relocs.partition_point(|reloc| reloc.r_offset() < offset);
    let is_of_field = |reloc: &&Rela| reloc.r_offset() == offset;
    let found = relocs.get(place).filter(is_of_field);
    found.or_else(|| relocs.iter().find(|reloc| is && is_of_field(reloc)))
}
