//! `.sframe`: one table of the functions that are in the output, sorted by address.
//!
//! As in GNU ld, rows stay in the order of the inputs and only the FDEs are sorted. Functions that
//! are not in the output have no FDE; GNU ld drops the whole table in that case.
//!
//! Tables of different versions are not joined, because a debugger or a kernel reads one version.
//! GNU ld 2.46 fails then. Here the output has no table: the program runs without it.

use super::image::Image;
use super::plt::Plt;
use super::slots::Slots;
use super::values::{self, Value};
use crate::format::elf::{Rela, SymbolId};
use crate::format::sframe::{self, Entry, Fde, HEADER_SIZE, Header, flags};
use crate::layout::Synthetic;
use crate::read::object_file::InputSection;
use crate::read::{ObjectId, Objects};
use crate::resolve::definitions::{Definitions, SectionId};
use crate::select::fault::SectionFault;
use crate::select::liveness::Liveness;
use object::elf::SHT_PROGBITS;
use skald_core::par::prelude::*;

/// `sh_type` that newer assemblers use, and that all tables of version 3 have.
const SHT_GNU_SFRAME: u32 = 0x6fff_fff4;

/// A function in the output, as its FDE describes it.
#[derive(Debug, Clone, Copy)]
struct Function {
    place: Place,
    row_count: u32,
    /// As [`Fde::tail`], padded with zeros.
    tail: [u8; 4],
    rows: &'static [u8],
}

/// The code that an FDE describes.
#[derive(Debug, Clone, Copy)]
enum Place {
    /// The function that this relocation refers to.
    Input { object: ObjectId, section: SectionId, reloc: &'static Rela, size: u32 },
    /// Code of the linker: a PLT, from `start` on.
    Table { which: Synthetic, start: u64, size: Option<u64> },
}

/// The plan of `.sframe`.
#[derive(Debug)]
pub struct SFrameOutput {
    /// SHT_PROGBITS, or [`SHT_GNU_SFRAME`] if an input has that.
    pub sh_type: u32,
    header: Header,
    functions: Vec<Function>,
    row_bytes: u64,
}

/// FDEs and rows of the `.sframe` sections of an object.
#[derive(Default)]
struct ObjectTables {
    headers: Vec<(Header, u32)>,
    functions: Vec<Function>,
}

/// Reads the tables of all objects. `None` if there are none; fails on the first table that cannot
/// be merged with the earlier ones.
pub fn plan(
    objects: &Objects,
    definitions: &Definitions,
    liveness: &Liveness,
) -> Result<Option<SFrameOutput>, SectionFault> {
    if objects.iter().all(|object| object.sframes.is_empty()) {
        return Ok(None);
    }
    let reader = Reader { objects, definitions, liveness };
    let all: Vec<Result<ObjectTables, SectionFault>> = objects
        .par_ids()
        .filter(|&at| !objects[at].sframes.is_empty())
        .map(|at| reader.object(at))
        .collect();
    let mut output: Option<SFrameOutput> = None;
    let mut sh_type = SHT_PROGBITS;
    for (found, object) in all.into_iter().zip(reader.with_tables()) {
        let ObjectTables { headers, functions } = found?;
        for (header, shndx) in headers {
            let is_typed = objects[object].header(shndx).sh_type() == SHT_GNU_SFRAME;
            if is_typed || header.version > 2 {
                sh_type = SHT_GNU_SFRAME;
            }
            // The header of a version 3 table without functions may lack this flag, but the FDEs of
            // the PLT need it.
            let from_field = if header.version > 2 { flags::FROM_FIELD } else { 0 };
            let flags = header.flags | flags::SORTED | from_field;
            let header = Header { flags, ..header };
            let Some(output) = &mut output else {
                let (functions, row_bytes) = (Vec::new(), 0);
                output = Some(SFrameOutput { sh_type, header, functions, row_bytes });
                continue;
            };
            let both = output.header.flags & header.flags & flags::FRAME_POINTER;
            let any = (output.header.flags | header.flags) & !flags::FRAME_POINTER;
            output.header.flags = both | any;
            if output.header != (Header { flags: output.header.flags, ..header }) {
                let what = "differs in version or ABI from the .sframe before";
                return Err(SectionFault { object, shndx, section_offset: 0, what });
            }
        }
        if let Some(output) = &mut output {
            output.functions.extend(functions);
        }
    }
    Ok(output.map(|mut output| {
        output.sh_type = sh_type;
        output.row_bytes = output.functions.iter().map(|f| output.row_size(f) as u64).sum();
        output
    }))
}

struct Reader<'a> {
    objects: &'a Objects,
    definitions: &'a Definitions,
    liveness: &'a Liveness,
}

impl Reader<'_> {
    fn with_tables(&self) -> impl Iterator<Item = ObjectId> + '_ {
        self.objects.ids().filter(|&at| !self.objects[at].sframes.is_empty())
    }

    fn object(&self, at: ObjectId) -> Result<ObjectTables, SectionFault> {
        let object = &self.objects[at];
        let mut found = ObjectTables::default();
        for &shndx in &object.sframes {
            let Some(index) = object.record_index(shndx) else { continue };
            let id = self.definitions.sections_of(at).start + index;
            let record = &self.definitions.sections[id];
            self.section(at, record, &mut found).map_err(|(section_offset, what)| {
                SectionFault { object: at, shndx, section_offset: section_offset as u64, what }
            })?;
        }
        Ok(found)
    }

    fn section(
        &self,
        at: ObjectId,
        record: &InputSection,
        found: &mut ObjectTables,
    ) -> Result<(), (usize, &'static str)> {
        let object = &self.objects[at];
        let (bytes, relocs) = (object.raw_bytes(record.shndx), object.relocs(record));
        let order = object.mapped.encoding.order;
        let mut fdes = Vec::new();
        for table in sframe::tables(order, bytes).map_err(|e| (e.offset, e.what))? {
            found.headers.push((table.header, record.shndx));
            fdes.extend(table.fdes().map_err(|e| (e.offset, e.what))?);
        }
        // With -r GNU ld 2.40 joins tables but leaves relocations at the old offsets. Either way
        // there is one for each FDE, in the order of FDEs.
        if relocs.len() != fdes.len() {
            return Err((0, "not one relocation for each function"));
        }
        for (fde, reloc) in fdes.into_iter().zip(relocs) {
            let section = self.described(at, reloc.symbol());
            if let Some(section) = section.filter(|&section| self.liveness.is_live(section)) {
                found.functions.push(Function::new(at, section, reloc, &fde));
            }
        }
        Ok(())
    }

    /// The section of this object in which a symbol is defined. If another file's definition won,
    /// that file has the FDE.
    fn described(&self, object: ObjectId, symbol: SymbolId) -> Option<SectionId> {
        let target = self.definitions.target_of(object, symbol);
        let section = self.definitions.section_of(target)?;
        (self.definitions.sections[section].object == object).then_some(section)
    }
}

impl SFrameOutput {
    /// Adds FDEs for the PLT.
    pub fn describe_plts(&mut self, slots: &Slots, plt: &Plt) {
        for (entries, is_direct) in [(&slots.plt, false), (&slots.direct_plt, true)] {
            if !entries.is_empty() {
                self.describe_plt(plt, is_direct);
            }
        }
    }

    /// Adds FDEs for `.plt` or, if `is_direct`, for `.plt.got`.
    pub fn describe_plt(&mut self, plt: &Plt, is_direct: bool) {
        if Some((self.header.abi, self.header.fixed_ra_offset)) != plt.sframe {
            return;
        }
        let which = if is_direct { Synthetic::PltGot } else { Synthetic::Plt };
        for part in plt.unwinding(is_direct).rows {
            let place = Place::Table { which, start: part.start, size: part.size };
            let is_repeated = u8::from(part.repeat != 0);
            let tail = self.header.tail(is_repeated << 4, part.repeat);
            let function = Function { place, row_count: part.count, tail, rows: part.rows };
            self.row_bytes += self.row_size(&function) as u64;
            self.functions.push(function);
        }
    }

    /// Bytes of a function's rows and of the header in front of them.
    fn row_size(&self, function: &Function) -> usize {
        self.header.attributes_size() + function.rows.len()
    }

    /// Bytes of the section.
    pub fn size(&self) -> u64 {
        let fdes = self.functions.len() as u64 * self.header.fde_size() as u64;
        HEADER_SIZE as u64 + fdes + self.row_bytes
    }

    /// Writes the section.
    pub fn write(&self, image: &Image<'_>, out: &mut [u8]) -> Result<(), String> {
        let start = image.outputs.address_of(Synthetic::SFrame);
        let order = image.machine.byte_order;
        let fde_size = self.header.fde_size();
        let too_large = |_| String::from(".sframe is too large");
        let count = u32::try_from(self.functions.len()).map_err(too_large)?;
        let row_bytes = u32::try_from(self.row_bytes).map_err(too_large)?;
        let row_counts = self.functions.iter().map(|f| u64::from(f.row_count));
        let row_count = u32::try_from(row_counts.sum::<u64>()).map_err(too_large)?;
        let (header, rest) = out.split_at_mut(HEADER_SIZE);
        self.header.write(order, header, count, row_count, row_bytes);
        let (fdes, rows) = rest.split_at_mut(self.functions.len() * fde_size);
        let mut end = 0;
        let mut sorted: Vec<(u64, u32, &Function)> = Vec::with_capacity(self.functions.len());
        for function in &self.functions {
            sorted.push((function.address(image), end as u32, function));
            let next = end + self.row_size(function);
            let (attributes, of_function) =
                rows[end..next].split_at_mut(self.header.attributes_size());
            self.header.write_attributes(order, attributes, function.row_count, &function.tail);
            of_function.copy_from_slice(function.rows);
            end = next;
        }
        sorted.par_sort_by_key(|&(address, ..)| address);
        for (at, (place, out)) in
            sorted.into_iter().zip(fdes.chunks_exact_mut(fde_size)).enumerate()
        {
            let (address, first_row, function) = place;
            let field = match self.header.flags & flags::FROM_FIELD {
                0 => start,
                _ => start + (HEADER_SIZE + at * fde_size) as u64,
            };
            let entry = Entry {
                start: address.wrapping_sub(field) as i64,
                size: function.size(image, address),
                first_row,
                row_count: function.row_count,
                tail: &function.tail,
            };
            self.header
                .write_fde(order, out, &entry)
                .ok_or_else(|| format!(".sframe: {address:#x} is more than 2 GiB away"))?;
        }
        Ok(())
    }
}

impl Function {
    fn new(
        object: ObjectId,
        section: SectionId,
        reloc: &'static Rela,
        fde: &Fde<'static>,
    ) -> Function {
        let mut tail = [0; 4];
        tail[..fde.tail.len()].copy_from_slice(fde.tail);
        let place = Place::Input { object, section, reloc, size: fde.size };
        Function { place, row_count: fde.row_count, tail, rows: fde.rows }
    }

    /// The function's address in this output, even if its name may be bound elsewhere at run time.
    fn address(&self, image: &Image<'_>) -> u64 {
        let (object, section, reloc) = match self.place {
            Place::Input { object, section, reloc, .. } => (object, section, reloc),
            Place::Table { which, start, .. } => return image.outputs.address_of(which) + start,
        };
        let symbol = reloc.symbol();
        let value = match image.view(object, symbol).name() {
            Some(name) => image.values.of_name[name],
            None => image.value(object, symbol),
        };
        match values::decode(value) {
            Value::Plain(value) => value.wrapping_add_signed(reloc.r_addend()),
            _ => image.address(section),
        }
    }

    /// The function's size if it is at `address`; code at the end of its section may have been
    /// deleted.
    fn size(&self, image: &Image<'_>, address: u64) -> u32 {
        let (end, size) = match self.place {
            Place::Input { section, size, .. } => {
                let record = &image.definitions.sections[section];
                (image.address(section).wrapping_add(record.size), u64::from(size))
            }
            Place::Table { which, size, .. } => {
                let table = image.outputs.synthetic(which);
                (table.map_or(0, |s| s.address + s.size), size.unwrap_or(u64::MAX))
            }
        };
        u32::try_from(size.min(end.saturating_sub(address))).unwrap_or(u32::MAX)
    }
}
