//! What a map shows before the sections: why files are linked, common symbols, and the files read.

use super::{Inputs, columns};
use crate::layout::walk::RegionUsage;
use crate::read::FileId;
use crate::read::candidates::Candidates;
use crate::read::claimed_files::{Reason, Reasons, Requester};
use crate::resolve::definitions::{Rank, Strength};
use crate::script::statements::region_flags;
use crate::tell::cross_references::spelled;
use object::elf::SHN_COMMON;
use skald_host::paths::OsStrBytes;

/// The letters of a memory region's attributes, in the order of GNU ld.
fn letters(flags: u32) -> Vec<u8> {
    let all = [
        (region_flags::ALLOC, b'a'),
        (region_flags::EXEC, b'x'),
        (region_flags::READ_ONLY, b'r'),
        (region_flags::WRITE, b'w'),
        (region_flags::LOAD, b'l'),
    ];
    let given = all.into_iter().filter(|(flag, _)| flags & flag != 0);
    given.map(|(_, letter)| letter).collect()
}

/// Width of the column of files and of that of common symbols.
const FILE_WIDTH: usize = 30;
const COMMON_WIDTH: usize = 20;

impl Inputs<'_> {
    /// Appends the tables of archive members that were taken, and of common symbols.
    pub fn write_reasons(&self, out: &mut Vec<u8>) {
        let sources = &self.sources;
        let reasons = Reasons::find(sources, self.definitions);
        let mut members = Vec::new();
        for object in self.sources.objects {
            if let Some(file) = object.file.filter(|&file| sources.candidates.is_whole(file)) {
                columns::padded(&mut members, 0, self.file_name(file).as_bytes(), FILE_WIDTH);
                members.extend_from_slice(b"(--whole-archive)\n");
            }
        }
        for &(file, reason) in &reasons.members {
            self.write_reason(&mut members, self.file_name(file).as_bytes(), reason);
        }
        if !members.is_empty() {
            out.extend_from_slice(
                b"Archive member included to satisfy reference by file (symbol)\n\n",
            );
            out.append(&mut members);
            out.push(b'\n');
        }
        let mut libraries = Vec::new();
        for &(library, reason) in &reasons.libraries {
            let soname = &self.sources.candidates.shared[library].soname;
            self.write_reason(&mut libraries, soname, reason);
        }
        if !libraries.is_empty() {
            out.extend_from_slice(
                b"As-needed library included to satisfy reference by file (symbol)\n\n",
            );
            out.append(&mut libraries);
            out.push(b'\n');
        }
    }

    fn write_reason(&self, out: &mut Vec<u8>, file: &[u8], Reason { asker, name }: Reason) {
        columns::padded(out, 0, file, FILE_WIDTH);
        if let Requester::File(file) = asker {
            out.extend_from_slice(self.file_name(file).as_bytes());
            out.push(b' ');
        }
        let name = self.sources.extraction.pools.name(&self.sources.extraction.names, name);
        out.push(b'(');
        out.extend_from_slice(&spelled(name, self.sources.options.demangle_lists));
        out.extend_from_slice(b")\n");
    }

    /// Appends the table of common symbols that got a place.
    pub fn write_commons(&self, out: &mut Vec<u8>) {
        let definitions = self.definitions;
        let mut rows = Vec::new();
        let objects = self.sources.objects.with_ids();
        for (at, object) in objects.filter(|(_, object)| object.common_count != 0) {
            let first = object.first_global;
            for (index, &name) in first.onward().zip(&object.globals) {
                let rank = definitions.ranks[name];
                let value_base = definitions.globals[name].value_base;
                let is_common = object.mapped.symbols[index].st_shndx() == SHN_COMMON;
                if !is_common || rank != Rank::of_object(Strength::Common, at, index) {
                    continue;
                }
                let Some(section) = value_base.section() else { continue };
                let record = &definitions.sections[section];
                if !self.live.has_address(section) {
                    continue;
                }
                let name = spelled(object.symbol_name(index), self.sources.options.demangle_lists);
                columns::padded(&mut rows, 0, &name, COMMON_WIDTH);
                let start = rows.len();
                columns::number(&mut rows, record.size, 0);
                let width = rows.len() - start;
                columns::spaces(&mut rows, 18_usize.saturating_sub(width).max(1));
                rows.extend_from_slice(self.file(at));
                rows.push(b'\n');
            }
        }
        if !rows.is_empty() {
            out.extend_from_slice(b"Allocating common symbols\n");
            out.extend_from_slice(b"Common symbol       size              file\n\n");
            out.append(&mut rows);
            out.push(b'\n');
        }
    }

    /// Appends the lines between discarded sections and output sections: `LOAD` of each input.
    pub fn write_inputs_read(&self, regions: &[RegionUsage], out: &mut Vec<u8>) {
        out.extend_from_slice(
            b"Memory Configuration\n\n\
              Name             Origin             Length             Attributes\n",
        );
        for RegionUsage { name, origin, length, flags: [with, without], .. } in regions {
            let mut attributes = letters(*with);
            if *without != 0 {
                attributes.push(b'!');
                attributes.append(&mut letters(*without));
            }
            self.columns.region(out, name, *origin, *length, &attributes);
        }
        self.columns.region(out, b"*default*", 0, !0, b"");
        out.extend_from_slice(b"\nLinker script and memory map\n\n");
        let Candidates { paths, given_scripts, .. } = self.sources.candidates;
        // Scripts of -T are not listed as inputs.
        for path in paths.iter().filter(|path| !given_scripts.contains(path)) {
            out.extend_from_slice(b"LOAD ");
            out.extend_from_slice(path.as_os_str().as_bytes());
            out.push(b'\n');
        }
    }

    /// Appends the last line of the memory map: the output's name and format.
    pub fn write_output(&self, out: &mut Vec<u8>) {
        out.extend_from_slice(b"OUTPUT(");
        out.extend_from_slice(self.sources.options.output.as_os_str().as_bytes());
        out.push(b' ');
        out.extend_from_slice(self.sources.options.machine.format.as_bytes());
        out.extend_from_slice(b")\n");
    }

    fn file_name(&self, file: FileId) -> String {
        self.sources.candidates.display_name(file)
    }
}
