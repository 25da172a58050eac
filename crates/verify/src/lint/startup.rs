//! Functions that run before and after `main`: at run time, each word of the arrays is the address
//! of code (generic ABI, "Initialization and Termination Functions").

use super::{Report, is_code};
use crate::output_file::{OutputFile, Relocation, Section};
use crate::relocation_types;
use object::elf;
use std::collections::BTreeMap;

const ARRAYS: [u32; 3] = [elf::SHT_INIT_ARRAY, elf::SHT_FINI_ARRAY, elf::SHT_PREINIT_ARRAY];

/// Dynamic relocation tables in formats that [`OutputFile`] does not decode: those packed for
/// Android's loader (`SHT_ANDROID_REL`, `SHT_ANDROID_RELA`, `SHT_ANDROID_RELR`).
const UNREAD: [u32; 3] = [0x6000_0001, 0x6000_0002, 0x6fff_ff00];

pub(super) fn check(file: &OutputFile, report: &mut Report) {
    let is_array = |s: &&Section| ARRAYS.contains(&s.kind) && s.is_alloc() && is_run(file, s);
    let arrays: Vec<&Section> = file.sections.iter().filter(is_array).collect();
    // For other machines, the place of an addend in a table without addends is not known.
    let is_unread = |s: &Section| {
        let is_known = s.kind != elf::SHT_REL || file.machine == elf::EM_386;
        s.is_alloc() && (UNREAD.contains(&s.kind) || !is_known)
    };
    if arrays.is_empty() || file.sections.iter().any(is_unread) {
        return;
    }
    let relocations: BTreeMap<u64, &Relocation> =
        file.relocations.iter().map(|relocation| (relocation.place, relocation)).collect();
    let size = file.encoding.word_size();
    for array in arrays {
        for (at, bytes) in file.section_bytes(array).chunks_exact(size as usize).enumerate() {
            let place = array.address.wrapping_add(size * at as u64);
            word(file, &array.name, place, bytes, relocations.get(&place).copied(), report);
        }
    }
}

/// Whether anybody runs an array. A dynamic linker finds arrays by the tags, and a program without
/// one by the bounds of the sections with these names. A script can define further sections of this
/// type.
fn is_run(file: &OutputFile, array: &Section) -> bool {
    let tags = ["INIT_ARRAY", "FINI_ARRAY", "PREINIT_ARRAY"];
    let mut starts = tags.iter().filter_map(|tag| file.dynamic_value(tag));
    let names = [".init_array", ".fini_array", ".preinit_array"];
    starts.any(|start| start == array.address) || names.contains(&array.name.as_str())
}

fn word(
    file: &OutputFile,
    array: &str,
    place: u64,
    bytes: &[u8],
    relocation: Option<&Relocation>,
    report: &mut Report,
) {
    let stored = file.encoding.number(bytes);
    let relative = relocation_types::relative_relocation(file.machine, file.encoding);
    let target = match relocation {
        Some(relocation) if Some(&relocation.kind) == relative.as_ref() => {
            file.encoding.address(relocation.addend as u64)
        }
        None if file.file_type == elf::ET_DYN && stored != 0 => {
            return report
                .add("startup", format!("{array}: the word at {place:#x} is not relocated"));
        }
        None => stored,
        Some(relocation) if relocation.kind == "RELR" => stored,
        // The address is that of a symbol, or the result of a resolver, and not known here.
        Some(_) => return,
    };
    // 0 and -1 are skipped by some programs that walk these arrays.
    let is_right = target == 0
        || target == file.encoding.address(u64::MAX)
        || is_code(file, target)
        || file.is_descriptor(target);
    report.expect("startup", is_right, || format!("{array}: {target:#x} at {place:#x} is no code"));
}
