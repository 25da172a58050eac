//! The order of code in big-endian programs: instructions are little-endian with `--be8` (ARM
//! Architecture Reference Manual, "Endian support"), and data in code is not.
//!
//! Relocations are applied while all has the order of the object. Mapping symbols ("ELF for the Arm
//! Architecture", "Mapping symbols") say which kind of instructions, or data, begins where.

use crate::format::elf::SymbolId;
use crate::loops::code::CodeOrder;
use crate::read::object_file::ObjectFile;
use crate::resolve::definitions::SectionId;
use crate::synth::image::Image;
use object::elf::{EF_ARM_BE8, STT_NOTYPE};

/// How code is turned around.
pub static CODE_ORDER: CodeOrder = CodeOrder { turn, header_flags: EF_ARM_BE8 };

/// Turns the instructions of an input section around.
fn turn(image: &Image<'_>, id: SectionId, out: &mut [u8]) {
    let section = &image.definitions.sections[id];
    let marks = marks(&image.objects[section.object], section.shndx);
    let ends = marks.iter().skip(1).map(|mark| mark.offset).chain([out.len()]);
    for (mark, end) in marks.iter().zip(ends) {
        let Some(part) = out.get_mut(mark.offset..end) else { continue };
        part.chunks_exact_mut(mark.width).for_each(<[u8]>::reverse);
    }
}

/// What begins at an offset of a section.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
struct Mark {
    offset: usize,
    /// Of two at one place the later symbol counts.
    index: u32,
    /// Bytes that are turned around together: those of an instruction, or one of data.
    width: usize,
}

fn marks(object: &ObjectFile, shndx: u32) -> Vec<Mark> {
    let locals = object.mapped.symbols.items().get(..object.first_global.index());
    let mut marks: Vec<Mark> = Vec::new();
    for (index, symbol) in (0..).zip(locals.unwrap_or_default()) {
        let name = object.mapped.strtab.get(symbol.st_name() as usize..).unwrap_or_default();
        let width = match name {
            [b'$', b'a', 0 | b'.', ..] => 4,
            [b'$', b't', 0 | b'.', ..] => 2,
            [b'$', b'd', 0 | b'.', ..] => 1,
            _ => continue,
        };
        let is_here = object.symbol_section(SymbolId::new(index)) == Some(shndx);
        if symbol.kind() == STT_NOTYPE && is_here {
            marks.push(Mark { offset: symbol.st_value() as usize, index, width });
        }
    }
    marks.sort();
    marks
}
