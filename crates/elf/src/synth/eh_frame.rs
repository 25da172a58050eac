//! `.eh_frame`: one CIE of each kind, the FDEs of live sections, a terminator.
//!
//! CIEs come first, then the FDEs object by object in command-line order, so that an object's part
//! is written by one task.

use super::eh_frame_hdr::{HdrEntry, Row, Rows};
use super::emitted_relocs::RelocRun;
use super::image::Image;
use super::patch::{Failure, Patch};
use super::plt_frames::PltFrames;
use super::values::{self, Value};
use crate::format::eh_frame::make_relative;
use crate::format::elf::Rela;
use crate::layout::Synthetic;
use crate::read::lending::SectionBuffer;
use crate::read::object_file::SectionFlags;
use crate::read::{ObjectId, Objects};
use crate::resolve::definitions::{Definitions, SectionId, attr};
use crate::select::eh_frame::{CieId, EhFrames, Fde};
use crate::select::liveness::Liveness;
use object::elf::STT_SECTION;
use skald_core::column::{split_mut, zeroed};
use skald_core::ids::{Column, IdRange, IndexRange};
use skald_core::par::prelude::*;
use skald_core::unordered::UnorderedMap;
use std::ops::Range;
use std::sync::atomic::Ordering;
use std::sync::{Arc, Mutex};

/// Bytes of the record of length zero that ends `.eh_frame`.
pub const TERMINATOR: u64 = 4;

/// The plan of `.eh_frame`.
#[derive(Debug, Default)]
pub struct EhFrameOutput {
    /// Offset in the section of each CIE that is kept; equal CIEs share that of their leader.
    pub cie_offsets: Column<CieId, u32>,
    /// The CIEs that are kept, in order.
    pub cies: Vec<CieId>,
    /// Offset in the section of each object's FDEs; one more entry is the end of the last object's.
    pub object_offsets: Column<ObjectId, u64>,
    /// Count of FDEs before those of each object; one more entry is the total.
    pub fde_counts: Column<ObjectId, u32>,
    /// Bytes of the section.
    pub size: u64,
    /// Records that describe the PLT.
    pub plt: PltFrames,
    places: FdePlaces,
}

/// By object with symbols in `.eh_frame`: where its FDEs are. Filled at the first look-up.
#[derive(Debug, Default)]
struct FdePlaces(Mutex<UnorderedMap<ObjectId, Arc<[FdePlace]>>>);

/// Where an FDE that is kept comes from, and where it goes.
#[derive(Debug, Clone, Copy)]
pub struct FdePlace {
    /// The input `.eh_frame`.
    pub input: SectionId,
    /// Offset in that section.
    pub section_offset: u32,
    /// Bytes, with the length field.
    pub size: u32,
    /// Distance in the output from the object's first FDE.
    pub object_offset: u64,
}

impl FdePlace {
    /// Looks up the byte at `section_offset` of the input section `input`: its distance from the
    /// object's first FDE, if one of `places` holds it, and the index of the first of `places`
    /// behind it.
    pub fn find(
        places: &[FdePlace],
        input: SectionId,
        section_offset: u64,
    ) -> (Option<u64>, usize) {
        let place = (input, section_offset);
        let next = places.partition_point(|f| (f.input, u64::from(f.section_offset)) <= place);
        let last = next.checked_sub(1).map(|last| places[last]).filter(|fde| fde.input == input);
        let at = last.and_then(|fde| {
            let inside = section_offset - u64::from(fde.section_offset);
            (inside < u64::from(fde.size)).then_some(fde.object_offset + inside)
        });
        (at, next)
    }
}

impl EhFrameOutput {
    /// Adds records for the PLT if inputs have records. If none has, nothing can unwind through
    /// callers.
    pub fn describe_plt(&mut self, frames: PltFrames) {
        if self.fde_count() != 0 {
            self.size += frames.size();
            self.plt = frames;
        }
    }

    /// How many FDEs the section has, with those of the PLT.
    pub fn fde_count(&self) -> u32 {
        self.fde_counts.last().copied().unwrap_or(0) + self.plt.count()
    }

    /// Offset of the end of the objects' FDEs.
    fn end_of_objects(&self) -> u64 {
        self.object_offsets.last().copied().unwrap_or(0)
    }

    /// Writes what follows the objects' FDEs: records of the PLT, and the terminator.
    pub fn write_end(&self, image: &Image<'_>, address: u64, out: &mut [u8]) -> Result<(), String> {
        let (frames, terminator) = out.split_at_mut(self.plt.size() as usize);
        terminator.fill(0);
        self.plt.write(image, address + self.end_of_objects(), frames)
    }
}

/// Bytes of FDEs in one part, if an object has more than enough of them for several.
const RUN_SIZE: u64 = 256 << 10;

/// Neighbouring FDEs of one object, which one part writes.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct FdeRun {
    /// The object whose FDEs `fdes` counts.
    pub object: ObjectId,
    /// In the object's list of all FDEs, with those that are left out.
    pub fdes: Range<u32>,
    /// Offset in the output's `.eh_frame` of the first FDE that is kept.
    pub output_offset: u64,
    /// Bytes of the FDEs that are kept.
    pub size: u64,
    /// Relocations of the FDEs that are kept.
    pub reloc_count: u64,
}

/// Gives records their offsets. The section is empty if no record is kept, unless `has_symbols`:
/// symbols in the section need an address.
pub fn plan(
    frames: &EhFrames,
    liveness: &Liveness,
    objects: usize,
    has_symbols: impl Fn() -> bool,
) -> EhFrameOutput {
    let mut output = EhFrameOutput {
        cie_offsets: Column::zeroed(frames.cies.len()),
        cies: Vec::with_capacity(frames.cies.len()),
        ..EhFrameOutput::default()
    };
    let mut end = 0u64;
    for (index, cie) in frames.cies.with_ids() {
        if liveness.live_cies[index].load(Ordering::Relaxed) != 0 {
            output.cie_offsets[index] = end as u32;
            output.cies.push(index);
            end += u64::from(cie.size);
        }
    }
    let sums: Vec<(u64, u32)> = (0..objects)
        .into_par_iter()
        .with_min_len(64)
        .map(|object| {
            live_fdes(frames, liveness, ObjectId::from_index(object))
                .fold((0, 0), |(bytes, count), fde| (bytes + u64::from(fde.size), count + 1))
        })
        .collect();
    let mut count = 0;
    output.object_offsets.push(end);
    output.fde_counts.push(0);
    for (bytes, fdes) in sums {
        end += bytes;
        count += fdes;
        output.object_offsets.push(end);
        output.fde_counts.push(count);
    }
    output.size = if count == 0 && !has_symbols() { 0 } else { end + TERMINATOR };
    output
}

/// Whether objects have symbols in `.eh_frame`: start code marks its begin and end so.
pub fn has_symbols(objects: &Objects, definitions: &Definitions) -> bool {
    let is_of_frames = |at: ObjectId, id: SectionId| {
        let section = &definitions.sections[id];
        let wanted = section.flags.has(SectionFlags::EH_FRAME);
        section.object == at && wanted && !section.flags.has(SectionFlags::DISCARDED)
    };
    objects.par_with_ids().any(|(at, object)| {
        definitions.sections_of(at).ids().any(|id| is_of_frames(at, id))
            && object.mapped.symbols.with_ids().any(|(index, symbol)| {
                let target = definitions.target_of(at, index);
                symbol.kind() != STT_SECTION
                    && definitions.section_of(target).is_some_and(|id| is_of_frames(at, id))
            })
    })
}

/// The FDEs of an object that reach the output.
pub fn live_fdes<'a>(
    frames: &'a EhFrames,
    liveness: &'a Liveness,
    object: ObjectId,
) -> impl Iterator<Item = &'a Fde> {
    frames.fdes_of(object).iter().filter(|fde| liveness.is_live(fde.section))
}

/// An input `.eh_frame` while its records are copied.
struct FrameSection<'a> {
    bytes: &'a [u8],
    relocs: &'a [Rela],
}

impl<'a> FrameSection<'a> {
    /// The section that `fde` is in.
    fn new(image: &Image<'_>, fde: &Fde, buffer: &'a mut SectionBuffer) -> FrameSection<'a> {
        let section = &image.definitions.sections[fde.input];
        let object = &image.objects[section.object];
        let (bytes, relocs) = object.lend(section, buffer);
        FrameSection { bytes, relocs }
    }
}

/// One record, or a run of them, to be copied.
struct RecordCopy<'a> {
    input: SectionId,
    section_offset: u32,
    relocs: &'a [Rela],
    first: u32,
}

impl EhFrameOutput {
    /// Offset in the section of a symbol at `section_offset` of the input section `input` of
    /// `object`: in its FDE or, if that is dropped, at the next FDE that is kept. A symbol before
    /// any FDE is at the start of the section (`__EH_FRAME_BEGIN__` of a static program's start
    /// code). A symbol at or behind the terminator of the last input with records is at the
    /// section's own terminator (`__FRAME_END__`), although records of the PLT come between.
    pub fn symbol_offset(
        &self,
        frames: &EhFrames,
        liveness: &Liveness,
        object: ObjectId,
        input: SectionId,
        section_offset: u64,
    ) -> u64 {
        let places = self.places(frames, liveness, object);
        let (at, next) = FdePlace::find(&places, input, section_offset);
        let start = self.object_offsets[object];
        let is_last = self.object_offsets[object + 1] == self.end_of_objects();
        if let Some(terminator) = frames.terminator_of(input).filter(|_| is_last)
            && let Some(inside) = section_offset.checked_sub(terminator)
        {
            return self.size.saturating_sub(TERMINATOR) + inside.min(TERMINATOR);
        }
        match at {
            Some(object_offset) => start + object_offset,
            None if self.fde_counts[object] as usize + next == 0 => 0,
            None => places
                .get(next)
                .map_or(self.object_offsets[object + 1], |next| start + next.object_offset),
        }
    }

    /// The FDEs of an object that are kept, sorted by their place in the inputs.
    pub fn places(
        &self,
        frames: &EhFrames,
        liveness: &Liveness,
        object: ObjectId,
    ) -> Arc<[FdePlace]> {
        let mut all = self.places.0.lock().unwrap_or_else(|e| e.into_inner());
        if let Some(places) = all.get(&object) {
            return places.clone();
        }
        let mut object_offset = 0;
        let place = |fde: &Fde| {
            let Fde { input, section_offset, size, .. } = *fde;
            let place = FdePlace { input, section_offset, size, object_offset };
            object_offset += u64::from(size);
            place
        };
        let places: Arc<[FdePlace]> = live_fdes(frames, liveness, object).map(place).collect();
        debug_assert!(places.is_sorted_by_key(|place| (place.input, place.section_offset)));
        all.insert(object, places.clone());
        places
    }

    /// Offset of the kept CIE `at`; for one past the last CIE, the end of all CIEs.
    pub fn cie_start(&self, at: usize) -> u64 {
        match self.cies.get(at) {
            Some(&index) => u64::from(self.cie_offsets[index]),
            None => self.object_offsets[ObjectId::default()],
        }
    }

    /// Writes the kept CIEs that `cies` counts to `out`, their part of the section at `address`.
    pub fn write_cies(
        &self,
        image: &Image<'_>,
        cies: Range<usize>,
        address: u64,
        out: &mut [u8],
        failures: &mut Vec<Failure>,
    ) {
        let start = self.cie_start(cies.start);
        for &index in &self.cies[cies] {
            let cie = &image.frames.cies[index];
            let section = &image.definitions.sections[cie.input];
            let object = &image.objects[section.object];
            let offset = u64::from(self.cie_offsets[index]);
            let at = (offset - start) as usize;
            let record = RecordCopy {
                input: cie.input,
                section_offset: cie.section_offset,
                relocs: image.frames.cie_relocs(object, section, cie),
                first: cie.first_reloc,
            };
            let part = &mut out[at..at + cie.size as usize];
            let bytes = object.bytes(section);
            copy_record(image, &record, bytes, address + offset, part, failures);
            if image.machine.relative_frames && image.shape.is_pic {
                let is_here = |reloc: &Rela| {
                    let view = image.view(section.object, reloc.symbol());
                    view.attributes & (attr::DEFINED | attr::SHARED) == attr::DEFINED
                };
                let encoding = image.encoding();
                let all = record.relocs.iter().all(is_here);
                make_relative(encoding.order, part, encoding.word_size(), all);
            }
        }
    }

    /// Writes the FDEs of an object to `out`, its part of the section at `address`.
    pub fn write_object(
        &self,
        image: &Image<'_>,
        object: ObjectId,
        address: u64,
        out: &mut [u8],
        failures: &mut Vec<Failure>,
    ) {
        let run = self.run_of_all(image.frames, object);
        self.write_run(image, &run, address, out, failures);
    }

    /// All FDEs of an object, kept or not.
    fn run_of_all(&self, frames: &EhFrames, object: ObjectId) -> FdeRun {
        FdeRun {
            object,
            fdes: 0..frames.fdes_of(object).len() as u32,
            output_offset: self.object_offsets[object],
            size: 0,
            reloc_count: 0,
        }
    }

    /// Writes the FDEs of a run to `out`, their part of the section at `address`.
    pub fn write_run(
        &self,
        image: &Image<'_>,
        run: &FdeRun,
        address: u64,
        out: &mut [u8],
        failures: &mut Vec<Failure>,
    ) {
        let start = run.output_offset;
        let mut cursor = start;
        let is_live = |fde: &Fde| image.liveness.is_live(fde.section);
        let fdes = &image.frames.fdes_of(run.object)[run.fdes.wide()];
        let inputs = fdes.chunk_by(|a, b| a.input == b.input);
        let mut buffer = SectionBuffer::default();
        for fdes in inputs {
            let section = FrameSection::new(image, &fdes[0], &mut buffer);
            // FDEs that follow each other in the input do so in the output.
            for run in fdes.chunk_by(|a, b| a.precedes(b) && is_live(a) == is_live(b)) {
                let (first, last) = (&run[0], &run[run.len() - 1]);
                if !is_live(first) {
                    continue;
                }
                let size = (last.section_offset + last.size - first.section_offset) as usize;
                let at = (cursor - start) as usize;
                let part = &mut out[at..at + size];
                let record = RecordCopy {
                    input: first.input,
                    section_offset: first.section_offset,
                    relocs: &section.relocs[first.relocs().start..last.relocs().end],
                    first: first.first_reloc,
                };
                copy_record(image, &record, section.bytes, address + cursor, part, failures);
                self.point_to_cies(image, run, cursor, part);
                cursor += size as u64;
            }
        }
    }

    /// Sets the CIE pointers of `run`, which is at offset `start` of the section.
    fn point_to_cies(&self, image: &Image<'_>, run: &[Fde], start: u64, out: &mut [u8]) {
        let order = image.machine.byte_order;
        let mut at = 0;
        for fde in run {
            // The CIE pointer is the distance back from itself; it follows a length of 4 or 12
            // bytes.
            let field = at + if out[at..at + 4] == [0xff; 4] { 12 } else { 4 };
            let leader = image.frames.cies[fde.cie].leader;
            let cie = u64::from(self.cie_offsets[leader]);
            let distance = (start + field as u64 - cie) as u32;
            order.put(out, field, distance);
            at += fde.size as usize;
        }
    }

    /// The relocations of the CIEs, for `--emit-relocs`.
    pub fn cie_relocs(&self, image: &Image<'_>, address: u64) -> Vec<RelocRun> {
        let run = |&index: &CieId| {
            let cie = &image.frames.cies[index];
            let start = address + u64::from(self.cie_offsets[index]);
            RelocRun {
                section: cie.input,
                relocs: range(cie.first_reloc, cie.reloc_count),
                address: start.wrapping_sub(u64::from(cie.section_offset)),
            }
        };
        self.cies.iter().map(run).collect()
    }

    /// The relocations of an object's FDEs, for `--emit-relocs`.
    pub fn fde_relocs(&self, image: &Image<'_>, object: ObjectId, address: u64) -> Vec<RelocRun> {
        self.relocs_of_run(image, &self.run_of_all(image.frames, object), address)
    }

    /// The relocations of the FDEs of a run.
    pub fn relocs_of_run(&self, image: &Image<'_>, run: &FdeRun, address: u64) -> Vec<RelocRun> {
        let mut cursor = address + run.output_offset;
        let fdes = &image.frames.fdes_of(run.object)[run.fdes.wide()];
        fdes.iter()
            .filter(|fde| image.liveness.is_live(fde.section))
            .map(|fde| {
                let start = cursor;
                cursor += u64::from(fde.size);
                RelocRun {
                    section: fde.input,
                    relocs: range(fde.first_reloc, fde.reloc_count),
                    address: start.wrapping_sub(u64::from(fde.section_offset)),
                }
            })
            .collect()
    }

    /// The FDEs of an object, in runs of about [`RUN_SIZE`] bytes.
    pub fn runs(&self, frames: &EhFrames, live: &Liveness, object: ObjectId) -> Vec<FdeRun> {
        let start = self.object_offsets[object];
        let empty = |at, output_offset| FdeRun {
            object,
            fdes: at..at,
            output_offset,
            size: 0,
            reloc_count: 0,
        };
        let mut runs = vec![empty(0, start)];
        for (next, fde) in (1..).zip(frames.fdes_of(object)) {
            let run = runs.last_mut().expect("never empty");
            run.fdes.end = next;
            if live.is_live(fde.section) {
                run.size += u64::from(fde.size);
                run.reloc_count += u64::from(fde.reloc_count);
            }
            if run.size >= RUN_SIZE {
                let end = run.output_offset + run.size;
                runs.push(empty(next, end));
            }
        }
        runs
    }

    /// The relocations of the kept records of `input` that scanning looked at: all except most
    /// initial locations.
    pub fn scanned_relocs(&self, image: &Image<'_>, input: SectionId) -> Vec<RelocRun> {
        let address = image.outputs.address_of(Synthetic::EhFrame);
        let object = image.definitions.sections[input].object;
        let mut fdes = self.fde_relocs(image, object, address);
        for (run, fde) in fdes.iter_mut().zip(live_fdes(image.frames, image.liveness, object)) {
            run.relocs.start += image.frames.first_scanned(fde) as usize;
        }
        let cies = self.cie_relocs(image, address);
        cies.into_iter().chain(fdes).filter(|run| run.section == input).collect()
    }

    /// The rows of `.eh_frame_hdr`, if the section is at `address`. An FDE whose function has no
    /// address leaves `NO_ROW`.
    pub fn search_table(&self, image: &Image<'_>, address: u64, rows: &Rows) -> Vec<Row> {
        let of_plt = self.plt.search_entries(image, address + self.end_of_objects());
        let of_objects = self.fde_counts.last().copied().unwrap_or(0) as usize;
        let mut table = zeroed(of_objects + of_plt.len());
        let ranges = self.fde_counts.ranges().map(|range| range.wide());
        let parts = split_mut(&mut table[..of_objects], ranges);
        parts.into_par_iter().enumerate().with_min_len(32).for_each(|(object, part)| {
            self.list_entries(image, ObjectId::from_index(object), address, rows, part);
        });
        for (row, entry) in table[of_objects..].iter_mut().zip(of_plt) {
            *row = rows.row(entry);
        }
        table
    }

    /// Fills `table`, which has one row for each FDE of the object.
    fn list_entries(
        &self,
        image: &Image<'_>,
        object: ObjectId,
        address: u64,
        rows: &Rows,
        table: &mut [Row],
    ) {
        let mut places = table.iter_mut();
        let mut next = address + self.object_offsets[object];
        let symbols = image.columns(object);
        let inputs = image.frames.fdes_of(object).chunk_by(|a, b| a.input == b.input);
        let mut buffer = SectionBuffer::default();
        for fdes in inputs {
            let section = FrameSection::new(image, &fdes[0], &mut buffer);
            for fde in fdes.iter().filter(|fde| image.liveness.is_live(fde.section)) {
                let Some(row) = places.next() else { return };
                let fde_address = next;
                next += u64::from(fde.size);
                let reloc = &section.relocs[fde.first_reloc as usize];
                let width = usize::from(image.frames.cies[fde.cie].fde_width);
                if is_empty_range(section.bytes, reloc.r_offset(), width)
                    && !is_range_relocated(section.relocs, fde)
                {
                    continue;
                }
                let value = symbols.values[reloc.symbol()];
                let initial_location = if values::is_plain(value) {
                    value.wrapping_add_signed(reloc.r_addend())
                } else if let Value::Merged(section) = values::decode(value) {
                    image.place_in(section, reloc.r_addend() as u64).unwrap_or(0)
                } else {
                    // Even if the function is preemptible, the FDE describes the definition in this
                    // output.
                    own_address(image, object, reloc)
                };
                *row = rows.row(HdrEntry { initial_location, fde_address });
            }
        }
    }
}

/// Whether an FDE describes no byte. Compilers leave such records for functions that they removed;
/// in the search table they would hide the function that is now at the same address.
/// `section_offset` is that of the initial location, behind which the length follows. Both have
/// `width` bytes; 0 if the width is not known.
fn is_empty_range(section: &[u8], section_offset: u64, width: usize) -> bool {
    let start = (section_offset as usize).saturating_add(width);
    let length = section.get(start..start.saturating_add(width)).filter(|_| width != 0);
    length.is_some_and(|length| length.iter().all(|&byte| byte == 0))
}

/// Whether relocations give the length in an FDE: the difference of two symbols, as compilers write
/// it for code that may shrink.
fn is_range_relocated(relocs: &[Rela], fde: &Fde) -> bool {
    let own = &relocs[range(fde.first_reloc, fde.reloc_count)];
    let Some((location, others)) = own.split_first() else { return false };
    let behind = |reloc: &Rela| reloc.r_offset().wrapping_sub(location.r_offset());
    others.iter().any(|reloc| (1..=8).contains(&behind(reloc)))
}

fn range(first: u32, count: u32) -> std::ops::Range<usize> {
    first as usize..first as usize + count as usize
}

/// The address in this output of a symbol that may be bound elsewhere at run time.
fn own_address(image: &Image<'_>, object: ObjectId, reloc: &Rela) -> u64 {
    let view = image.view(object, reloc.symbol());
    match view.name() {
        Some(name) => match values::decode(image.values.of_name[name]) {
            Value::Plain(value) => value.wrapping_add_signed(reloc.r_addend()),
            _ => 0,
        },
        None => 0,
    }
}

fn copy_record(
    image: &Image<'_>,
    record: &RecordCopy<'_>,
    original: &[u8],
    address: u64,
    out: &mut [u8],
    failures: &mut Vec<Failure>,
) {
    let start = record.section_offset as usize;
    out.copy_from_slice(&original[start..start + out.len()]);
    let patch = Patch {
        id: record.input,
        section: &image.definitions.sections[record.input],
        original,
        section_offset: u64::from(record.section_offset),
        address,
        relocs: record.relocs,
        first: record.first,
    };
    (image.apply)(image, &patch, out, failures);
}
