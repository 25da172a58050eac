//! Writes a package: an ELF file of the sections in its layout. All threads write; each takes one
//! contribution of a `.dwo` file at a time.

use super::Package;
use super::dwo_file::{DwoFile, DwoSection, skip};
use crate::format::elf::{Ehdr, Shdr};
use crate::format::encoding::Encoding;
use crate::write::debug_file::{add_name, plain};
use object::elf::{ET_REL, SHF_EXCLUDE, SHF_MERGE, SHF_STRINGS, SHT_PROGBITS, SHT_STRTAB};
use skald_core::diag::Result;
use skald_core::ids::IndexRange;
use skald_core::output::{Output, OutputPlan};
use skald_core::par::prelude::*;
use skald_dwarf::package::layout::Run;
use skald_dwarf::package::strings::string;
use skald_dwarf::package::{DwoId, Kind, Sizes};
use skald_host::output::permission_bits;
use std::ops::Range;

/// Bytes that are written at once.
const SPAN: usize = 1 << 20;

/// Alignment of the tables, which readers take as words.
const TABLE_ALIGN: u64 = 8;

/// A piece of work for one thread.
enum Job<'a> {
    /// Bytes that are in memory, and their file offset.
    Made(u64, &'a [u8]),
    /// A run of units of one `.dwo` file.
    Run(&'a Run),
    /// The sections that the units of a file share.
    Shared(DwoId, Kind),
    /// The tables of string offsets of a file.
    StringOffsets(DwoId),
    /// The strings of a file that no earlier one has.
    Strings(DwoId),
}

/// Writes `package`.
pub(super) fn write(package: &Package<'_>) -> Result<Output> {
    let encoding = Encoding::of(package.options.machine);
    let header_size = encoding.size::<Ehdr>() as u64;
    let mut starts = Sizes::default();
    let mut end = header_size;
    for kind in Kind::ALL {
        *starts.get_mut(kind) = end;
        end += size(package, kind);
    }
    let (header, tail) = frame(package, &starts, end);
    let output = Output::create(&OutputPlan {
        path: package.path.to_owned(),
        size: end + tail.len() as u64,
        mode: permission_bits(false),
        is_executable_kind: false,
        atomic: package.options.atomic_output,
        mmap: package.options.mmap_output,
    })?;
    let header = encoding.bytes(std::slice::from_ref(&header));
    let mut jobs = vec![Job::Made(0, &header), Job::Made(end, &tail)];
    jobs.extend(package.layout.runs.iter().map(Job::Run));
    for (file, dwo) in package.files.with_ids() {
        for kind in Kind::ALL.into_iter().filter(|kind| !kind.has_units()) {
            if dwo.all(kind).next().is_some() {
                jobs.push(match kind {
                    Kind::StringOffsets => Job::StringOffsets(file),
                    Kind::Strings => Job::Strings(file),
                    _ => Job::Shared(file, kind),
                });
            }
        }
    }
    let writer = PackageWriter { package, starts, output };
    jobs.par_iter().with_max_len(1).try_for_each(|job| writer.job(job))?;
    Ok(writer.output)
}

/// Bytes of a section.
fn size(package: &Package<'_>, kind: Kind) -> u64 {
    match kind {
        Kind::Strings => package.strings.size,
        _ => package.layout.sizes.get(kind),
    }
}

/// The file header, and the content behind the sections, which end at `end`: the tables of units,
/// names and headers of sections.
fn frame(package: &Package<'_>, starts: &Sizes, end: u64) -> (Ehdr, Vec<u8>) {
    let mut names = vec![0];
    let mut headers = vec![Shdr::default()];
    let mut tail = Vec::new();
    let mut add = |name: &str, place: Range<u64>, align| {
        let mut header = plain(add_name(&mut names, name.as_bytes()), SHT_PROGBITS, align);
        header.set_sh_flags(SHF_EXCLUDE.into());
        header.set_sh_offset(place.start);
        header.set_sh_size(place.end - place.start);
        if name == Kind::Strings.section_name() {
            header.set_sh_flags(u64::from(SHF_EXCLUDE | SHF_MERGE | SHF_STRINGS));
            header.set_sh_entsize(1);
        }
        headers.push(header);
    };
    for kind in Kind::ALL {
        let (start, size) = (starts.get(kind), size(package, kind));
        if size != 0 {
            add(kind.section_name(), start..start + size, 1);
        }
    }
    let encoding = Encoding::of(package.options.machine);
    let (layout, order, align) = (&package.layout, encoding.order, TABLE_ALIGN);
    for (name, table) in [
        (".debug_cu_index", layout.compile_unit_index(order)),
        (".debug_tu_index", layout.type_unit_index(order)),
    ] {
        if !table.is_empty() {
            pad(&mut tail, end);
            let start = end + tail.len() as u64;
            tail.extend_from_slice(&table);
            add(name, start..start + table.len() as u64, align);
        }
    }
    let mut header = plain(add_name(&mut names, b".shstrtab"), SHT_STRTAB, 1);
    header.set_sh_offset(end + tail.len() as u64);
    header.set_sh_size(names.len() as u64);
    headers.push(header);
    tail.extend_from_slice(&names);
    pad(&mut tail, end);
    let mut file = Ehdr::of_machine(package.options.machine, ET_REL, 0);
    file.set_e_shoff(end + tail.len() as u64);
    file.set_e_shentsize(encoding.size::<Shdr>() as u16);
    file.set_e_shnum(headers.len() as u16);
    file.set_e_shstrndx(headers.len() as u16 - 1);
    tail.extend_from_slice(&encoding.bytes(&headers));
    (file, tail)
}

/// Aligns the end of `tail`, which begins at file offset `start`.
fn pad(tail: &mut Vec<u8>, start: u64) {
    let end = start + tail.len() as u64;
    tail.resize(tail.len() + (end.next_multiple_of(TABLE_ALIGN) - end) as usize, 0);
}

struct PackageWriter<'a> {
    package: &'a Package<'a>,
    /// File offsets of sections.
    starts: Sizes,
    output: Output,
}

impl PackageWriter<'_> {
    fn job(&self, job: &Job<'_>) -> Result<()> {
        let layout = &self.package.layout;
        match *job {
            Job::Made(start, bytes) => self.bytes(start, bytes),
            Job::Run(run) => {
                let start = self.starts.get(run.kind) + run.start;
                let dwo = &self.package.files[run.file];
                let section = dwo.all(run.kind).nth(run.section as usize);
                let section = section.expect("units were read of it");
                self.copy(dwo, section, run.source..run.source + run.len, start)
            }
            Job::Shared(file, kind) => {
                let mut start = self.starts.get(kind) + layout.start(file, kind);
                let dwo = &self.package.files[file];
                for section in dwo.all(kind) {
                    self.copy(dwo, section, 0..section.len(), start)?;
                    start += section.len();
                }
                Ok(())
            }
            Job::StringOffsets(file) => self.string_offsets(file),
            Job::Strings(file) => self.strings(file),
        }
    }

    /// Writes bytes that are in memory.
    fn bytes(&self, start: u64, bytes: &[u8]) -> Result<()> {
        bytes.par_chunks(SPAN).enumerate().try_for_each(|(at, span)| {
            let start = start + (at * SPAN) as u64;
            self.output.write_span(start, span.len(), |out| out.copy_from_slice(span))
        })
    }

    /// Writes `range` of the content of a section to file offset `start`.
    fn copy(
        &self,
        dwo: &DwoFile,
        section: &DwoSection,
        range: Range<u64>,
        start: u64,
    ) -> Result<()> {
        const CHECKED: &str = "it was decompressed before";
        if let Some(reader) = section.reader() {
            let mut reader = reader.expect(CHECKED);
            skip(&mut reader, range.start).expect(CHECKED);
            let mut at = range.start;
            while at < range.end {
                let len = (range.end - at).min(SPAN as u64);
                let start = start + at - range.start;
                let fill = |out: &mut [u8]| reader.fill(out).expect(CHECKED);
                self.output.write_span(start, len as usize, fill)?;
                at += len;
            }
            return Ok(());
        }
        let bytes = &section.bytes[range.wide()];
        bytes.par_chunks(SPAN).enumerate().try_for_each(|(at, span)| {
            let start = start + (at * SPAN) as u64;
            self.output.write_span(start, span.len(), |out| dwo.file().copy(span, out))
        })
    }

    fn string_offsets(&self, file: DwoId) -> Result<()> {
        let Package { files, layout, strings, .. } = self.package;
        let kind = Kind::StringOffsets;
        let start = self.starts.get(kind) + layout.start(file, kind);
        files[file].with_strings(layout.form, |tables, _| {
            let fill = |out: &mut [u8]| tables.write(strings.places(file), out);
            self.output.write_span(start, tables.len(), fill)
        })
    }

    fn strings(&self, file: DwoId) -> Result<()> {
        let Package { files, layout, strings, .. } = self.package;
        let mut start = self.starts.get(Kind::Strings) + strings.start(file);
        files[file].with_strings(layout.form, |tables, bytes| {
            let mut span = Vec::new();
            for (offset, is_owner) in tables.offsets().zip(strings.are_owners(file)) {
                if is_owner {
                    span.extend_from_slice(string(bytes, offset));
                }
                if span.len() >= SPAN {
                    self.bytes(start, &span)?;
                    start += span.len() as u64;
                    span.clear();
                }
            }
            self.bytes(start, &span)
        })
    }
}
