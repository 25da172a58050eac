//! Skeleton units of the objects that are linked: each names the `.dwo` file that has the rest of
//! the unit (DWARF 5, section 3.1.2; up to DWARF 4, GNU's extensions).
//!
//! They are read before anything is relocated: an offset into another debug section is taken from
//! the relocation of the field, so nothing is copied. Of a unit that is not a skeleton only the
//! header is read and, up to DWARF 4, the first entry.

use crate::args::Options;
use crate::format::elf;
use crate::read::ObjectId;
use crate::read::object_file::{InputSection, ObjectFile, SectionFlags};
use crate::synth::image::Image;
use skald_core::par::prelude::*;
use skald_dwarf::abbreviations::Abbreviations;
use skald_dwarf::package::first_entry::{self, Field, FirstEntry};
use skald_dwarf::sections::{Contribution, Sections};
use skald_dwarf::units::{Unit, UnitKind};
use skald_dwarf::values::Value;
use skald_host::paths::OsStrBytes;
use skald_linking::cursor::Malformed;
use skald_linking::root_directories::RootDirectories;
use std::borrow::Cow;
use std::ffi::OsStr;
use std::path::{Path, PathBuf};

/// A skeleton unit.
pub struct Skeleton {
    /// The object that it is in.
    pub object: ObjectId,
    /// The id that names the unit in the `.dwo` file.
    pub dwo_id: u64,
    /// The `.dwo` file.
    pub path: PathBuf,
}

/// A fault of an object.
pub type Fault = (ObjectId, String);

/// The skeleton units of all objects, in order, and the faults of units.
pub fn find(image: &Image<'_>, options: &Options) -> (Vec<Skeleton>, Vec<Fault>) {
    let roots = RootDirectories { sysroot: None, chroot: options.chroot.as_deref() };
    let of_object = |object| DebugInfo { image, id: object, object: &image.objects[object] }.find();
    let found: Vec<_> = image.objects.par_ids().with_max_len(16).map(of_object).collect();
    let mut skeletons = Vec::new();
    let mut faults = Vec::new();
    for (mut of_object, fault) in found {
        faults.extend(fault);
        skeletons.append(&mut of_object);
    }
    for skeleton in &mut skeletons {
        skeleton.path = roots.in_root(&skeleton.path);
    }
    (skeletons, faults)
}

/// The debug sections of one object.
struct DebugInfo<'a> {
    image: &'a Image<'a>,
    id: ObjectId,
    object: &'a ObjectFile,
}

impl<'a> DebugInfo<'a> {
    fn find(&self) -> (Vec<Skeleton>, Option<Fault>) {
        let mut skeletons = Vec::new();
        let definitions = self.image.definitions;
        for (id, section) in definitions.sections.part(definitions.sections_of(self.id)) {
            let is_debug = !section.flags.has(SectionFlags::ALLOC | SectionFlags::COMMON)
                && self.image.liveness.is_live(id)
                && self.object.section_name(section.shndx) == b".debug_info";
            if !is_debug {
                continue;
            }
            self.object.at_work();
            if let Err(fault) = self.of_section(section, &mut skeletons) {
                return (skeletons, Some((self.id, format!("section .debug_info: {fault}"))));
            }
        }
        (skeletons, None)
    }

    fn of_section(
        &self,
        section: &InputSection,
        skeletons: &mut Vec<Skeleton>,
    ) -> Result<(), String> {
        let said = |fault: Malformed| fault.to_string();
        let bytes = self.bytes(section)?;
        let sections = Sections {
            order: self.image.encoding().order,
            info: &bytes.as_ref(),
            ..Sections::default()
        };
        let size = bytes.len() as u64;
        let whole = Contribution { is_types: false, start: 0, size };
        let (units, fault) = sections.units(whole);
        for unit in &units {
            let own = elf::range(&bytes, unit.start, unit.len).unwrap_or_default();
            let is_new = unit.encoding.version >= 5;
            let dwo_id = match unit.kind {
                UnitKind::Skeleton { dwo_id } => Some(dwo_id),
                UnitKind::Compile if !is_new => None,
                _ => continue,
            };
            let abbreviations = self.abbreviations(section, unit)?;
            let first = first_entry::read(unit, own, &abbreviations).map_err(said)?;
            let without = |what| {
                let fault = Malformed::new(what, unit.start as usize);
                Err(fault.to_string())
            };
            let path = self.path(section, unit, &first);
            match (path, dwo_id.or(first.dwo_id)) {
                (Some(path), Some(dwo_id)) => {
                    skeletons.push(Skeleton { object: self.id, dwo_id, path });
                }
                (None, Some(_)) => return without("skeleton unit without the name of its file"),
                (Some(_), None) => return without("skeleton unit without an id"),
                (None, None) => {}
            }
        }
        fault.map_or(Ok(()), |fault| Err(said(fault)))
    }

    /// The bytes of a section, not relocated.
    fn bytes(&self, section: &InputSection) -> Result<Cow<'static, [u8]>, String> {
        match self.object.compressed(section) {
            Some(packed) => packed.decompress(u64::MAX).map(Cow::Owned).map_err(|e| e.to_string()),
            None => Ok(Cow::Borrowed(self.object.bytes(section))),
        }
    }

    fn section(&self, shndx: u32) -> Option<&'a InputSection> {
        let definitions = self.image.definitions;
        let record = self.object.record_index(shndx)?;
        Some(&definitions.sections[definitions.sections_of(self.id).start + record])
    }

    /// The section, and the offset in it, to which the field at `offset` of `section` will be
    /// relocated.
    fn target(&self, section: &InputSection, offset: u64) -> Option<(&'a InputSection, u64)> {
        let relocs = self.object.relocs(section);
        // Assemblers sort relocations, but nothing requires that.
        let place = relocs.partition_point(|reloc| reloc.r_offset() < offset);
        let is_of_field = |reloc: &&elf::Rela| reloc.r_offset() == offset;
        let found = relocs.get(place).filter(is_of_field);
        let reloc = found.or_else(|| relocs.iter().find(is_of_field))?;
        let value = self.object.mapped.symbols.get(reloc.symbol())?.st_value();
        let target = self.section(self.object.symbol_section(reloc.symbol())?)?;
        Some((target, value.wrapping_add_signed(reloc.r_addend())))
    }

    fn abbreviations(&self, section: &InputSection, unit: &Unit) -> Result<Abbreviations, String> {
        let long = if unit.encoding.offset_size == 8 { 12 } else { 4 };
        let field = unit.start + long + if unit.encoding.version >= 5 { 4 } else { 2 };
        let (table, offset) = self
            .target(section, field)
            .ok_or_else(|| format!("unit at offset {:#x} has no abbreviations", unit.start))?;
        let bytes = self.bytes(table)?;
        Abbreviations::parse(&bytes, offset, unit.encoding).map_err(|fault| fault.to_string())
    }

    /// The file that a skeleton names.
    fn path(&self, section: &InputSection, unit: &Unit, first: &FirstEntry<'_>) -> Option<PathBuf> {
        let text = |field: &Field<'_>| self.text(section, unit, first, field);
        let name = text(first.dwo_name.as_ref()?)?;
        let directory = first.directory.as_ref().and_then(text).unwrap_or_default();
        let path = |text: &[u8]| Path::new(OsStr::from_bytes(text)).to_owned();
        Some(path(&directory).join(path(&name)))
    }

    fn text(
        &self,
        section: &InputSection,
        unit: &Unit,
        first: &FirstEntry<'_>,
        field: &Field<'_>,
    ) -> Option<Vec<u8>> {
        let (strings, offset) = match field.value {
            Value::Text(text) => return Some(text.to_vec()),
            Value::String(_) | Value::LineString(_) => self.target(section, field.offset)?,
            Value::StringIndex(index) => {
                let (table, start) = self.target(section, first.string_offsets?.offset)?;
                let size = u64::from(unit.encoding.offset_size);
                let entry = start.checked_add(index.checked_mul(size)?)?;
                self.target(table, entry)?
            }
            _ => return None,
        };
        let bytes = self.bytes(strings).ok()?;
        elf::string(&bytes, u32::try_from(offset).ok()?).map(<[u8]>::to_vec)
    }
}
