//! Contents of sections: relocations, unwind tables, merged pieces, notes.

use super::dimension::{Dimension, grows};
use crate::corpus::synthetic::code::Code;
use crate::corpus::synthetic::input::Input;
use crate::corpus::synthetic::object::{
    ABS32, ABS64, ALLOC, MERGE, NOTE, Object, PC32, STRINGS, Target, WRITE,
};

pub const ROWS: &[Dimension] = &[
    grows("relocations", 200_000, relocations).also(&["-r", "--emit-relocs", "-pie"]),
    grows("relative-relocations", 100_000, relative).also(&["--pack-dyn-relocs=relr"]),
    grows("relocations-of-debug", 200_000, debug_relocations).also(&["-r", "--emit-relocs"]),
    grows("fdes", 30_000, fdes).also(&["-r", "--emit-relocs", "--gc-sections"]),
    grows("fdes-apart", 10_000, fdes_apart).also(&["-r", "--gc-sections"]),
    grows("symbols-among-fdes", 10_000, symbols_among_fdes).also(&["-r"]),
    grows("cies", 10_000, cies).also(&["-r"]),
    grows("cies-alike", 10_000, cies_alike).also(&["-r"]),
    grows("merged-strings", 50_000, strings).also(&["-r", "--emit-relocs", "-O2"]),
    grows("merged-strings-alike", 200_000, strings_alike),
    grows("merged-string-references", 200_000, string_references).also(&["-r", "--emit-relocs"]),
    grows("merged-constants", 50_000, constants).also(&["-r"]),
    grows("debug-strings", 200_000, debug_strings).also(&["-r"]),
    grows("notes", 500_000, notes).also(&["-r"]),
    grows("note-sections", 15_000, note_sections).also(&["-r"]),
    grows("properties", 1000, properties).also(&["-r"]),
    grows("property-kinds", 15_000, property_kinds),
    grows("section-sizes", 20_000_000, section_sizes).also(&["-r", "--build-id"]),
];

fn relocations(n: u64, input: &mut Input) {
    let mut code = Code::starting();
    for number in 0..1000 {
        code.define(&format!("f_{number}"));
    }
    for number in 0..n {
        code.call(&format!("f_{}", number % 1000));
    }
    input.code("main.o", &code);
}

fn relative(n: u64, input: &mut Input) {
    let mut code = Code::starting();
    for _ in 0..n {
        code.point_at("_start");
    }
    input.code("main.o", &code);
    input.word("-pie");
}

fn debug_relocations(n: u64, input: &mut Input) {
    let mut code = Code::starting();
    let text = code.text();
    let debug = code.object.section(".debug_addr", 0, 1);
    for _ in 0..n {
        let place = code.object.data(debug).len();
        code.object.data(debug).extend([0; 8]);
        code.object.relocate(debug, place, ABS64, Target::Section(text), 0);
    }
    input.code("main.o", &code);
}

/// "zR", code alignment 1, data alignment -8, return address 16, PC-relative 4-byte pointers;
/// CFA = rsp + 8, return address at CFA - 8, and a number that tells CIEs apart.
fn cie(number: u64) -> Vec<u8> {
    let mut cie = vec![0, 0, 0, 0, 1, b'z', b'R', 0, 1, 0x78, 16, 1, 0x1b, 0x0c, 7, 8, 0x90, 1];
    // DW_CFA_def_cfa_offset, of three bytes.
    let offset = [number, number >> 7, number >> 14].map(|part| part as u8 & 0x7f);
    cie.extend([0x0e, offset[0] | 0x80, offset[1] | 0x80, offset[2], 0, 0]);
    sized(cie)
}

fn sized(content: Vec<u8>) -> Vec<u8> {
    [&(content.len() as u32).to_le_bytes()[..], &content].concat()
}

/// An FDE of a function of one byte, `back` bytes behind its CIE.
fn fde(back: usize) -> Vec<u8> {
    let mut fde = ((back + 4) as u32).to_le_bytes().to_vec();
    fde.extend([0, 0, 0, 0, 1, 0, 0, 0, 0, 0, 0, 0]);
    sized(fde)
}

/// Adds FDEs of functions in `.text`; before each there is a CIE if `with_cie` makes one.
fn frames(n: u64, input: &mut Input, with_cie: impl Fn(u64) -> Option<Vec<u8>>) {
    let mut code = Code::starting();
    let text = code.text();
    let frames = code.object.section(".eh_frame", ALLOC, 8);
    let mut last_cie = 0;
    for number in 0..n {
        code.define(&format!("f_{number}"));
        let content = code.object.data(frames);
        if let Some(cie) = with_cie(number) {
            last_cie = content.len();
            content.extend(cie);
        }
        let place = content.len();
        content.extend(fde(place - last_cie));
        let function = number as i64 + 1;
        code.object.relocate(frames, place + 8, PC32, Target::Section(text), function);
    }
    input.code("main.o", &code);
    input.word("--eh-frame-hdr");
}

fn fdes(n: u64, input: &mut Input) {
    frames(n, input, |number| (number == 0).then(|| cie(0)));
}

fn cies(n: u64, input: &mut Input) {
    frames(n, input, |number| Some(cie(number)));
}

fn cies_alike(n: u64, input: &mut Input) {
    frames(n, input, |_| Some(cie(0)));
}

/// FDEs, each with a symbol, as handwritten assembly may have them.
fn symbols_among_fdes(n: u64, input: &mut Input) {
    let mut code = Code::starting();
    let text = code.text();
    let frames = code.object.section(".eh_frame", ALLOC, 8);
    code.object.data(frames).extend(cie(0));
    for number in 0..n {
        code.define(&format!("f_{number}"));
        let content = code.object.data(frames);
        let place = content.len();
        content.extend(fde(place));
        code.object.relocate(frames, place + 8, PC32, Target::Section(text), number as i64 + 1);
        code.object.local(&format!("fde_{number}"), frames, place as u64);
    }
    input.code("main.o", &code);
    input.word("--eh-frame-hdr");
}

/// FDEs of functions in sections of their own.
fn fdes_apart(n: u64, input: &mut Input) {
    for (at, first) in (0..n).step_by(10_000).enumerate() {
        let mut code = if at == 0 { Code::starting() } else { Code::new() };
        let frames = code.object.section(".eh_frame", ALLOC, 8);
        code.object.data(frames).extend(cie(0));
        for number in first..n.min(first + 10_000) {
            let section = code.define_apart(&format!("f_{number}"));
            let content = code.object.data(frames);
            let place = content.len();
            content.extend(fde(place));
            code.object.relocate(frames, place + 8, PC32, Target::Section(section), 0);
        }
        input.code(&format!("functions_{at}.o"), &code);
    }
    input.word("--eh-frame-hdr");
}

/// A program with one more section.
fn with_section(
    input: &mut Input,
    name: &str,
    flags: u64,
    align: u64,
    content: impl IntoIterator<Item = u8>,
) {
    let mut code = Code::starting();
    let section = code.object.section(name, flags, align);
    code.object.data(section).extend(content);
    // What nobody refers to need not be there.
    code.point(Target::Section(section));
    input.code("main.o", &code);
}

fn text_of(numbers: impl Iterator<Item = u64>) -> impl Iterator<Item = u8> {
    numbers.flat_map(|number| format!("a string with the number {number}\0").into_bytes())
}

fn strings(n: u64, input: &mut Input) {
    with_section(input, ".rodata.str1.1", ALLOC | STRINGS, 1, text_of(0..n));
}

fn strings_alike(n: u64, input: &mut Input) {
    with_section(input, ".rodata.str1.1", ALLOC | STRINGS, 1, text_of((0..n).map(|at| at % 1000)));
}

fn debug_strings(n: u64, input: &mut Input) {
    let mut code = Code::starting();
    let strings = code.object.section(".debug_str", STRINGS, 1);
    let offsets = code.object.section(".debug_str_offsets", 0, 4);
    let mut next = 0;
    for number in 0..n {
        let text: Vec<u8> = text_of([number].into_iter()).collect();
        code.object.data(strings).extend(&text);
        let place = code.object.data(offsets).len();
        code.object.data(offsets).extend([0; 4]);
        code.object.relocate(offsets, place, ABS32, Target::Section(strings), next);
        next += text.len() as i64;
    }
    input.code("main.o", &code);
}

fn string_references(n: u64, input: &mut Input) {
    let mut code = Code::starting();
    let strings = code.object.section(".rodata.str1.1", ALLOC | STRINGS, 1);
    let data = code.object.section(".data", ALLOC | WRITE, 8);
    let mut next = 0;
    for number in 0..n {
        let text: Vec<u8> = text_of([number].into_iter()).collect();
        code.object.data(strings).extend(&text);
        let place = code.object.data(data).len();
        code.object.data(data).extend([0; 8]);
        code.object.relocate(data, place, ABS64, Target::Section(strings), next);
        next += text.len() as i64;
    }
    input.code("main.o", &code);
}

fn constants(n: u64, input: &mut Input) {
    with_section(input, ".rodata.cst8", ALLOC | MERGE, 8, (0..n).flat_map(u64::to_le_bytes));
}

/// Owner "Test", a type, and four bytes.
fn note(kind: u32) -> Vec<u8> {
    [5_u32, 4, kind]
        .into_iter()
        .flat_map(u32::to_le_bytes)
        .chain(*b"Test\0\0\0\0")
        .chain(kind.to_le_bytes())
        .collect()
}

fn notes(n: u64, input: &mut Input) {
    let mut code = Code::starting();
    let section = code.object.section_of(NOTE, ".note.test", ALLOC, 4);
    for number in 0..n {
        code.object.data(section).extend(note(number as u32));
    }
    input.code("main.o", &code);
}

fn note_sections(n: u64, input: &mut Input) {
    for (at, first) in (0..n).step_by(10_000).enumerate() {
        let mut code = if at == 0 { Code::starting() } else { Code::new() };
        for number in first..n.min(first + 10_000) {
            // Of a few names: as many output sections are another dimension.
            let name = format!(".note.test{}", number % 20);
            let section = code.object.section_of(NOTE, &name, ALLOC, 4);
            code.object.data(section).extend(note(number as u32));
        }
        input.code(&format!("notes_{at}.o"), &code);
    }
}

/// A note of properties: `.note.gnu.property` with types and values of four bytes.
fn property_note(object: &mut Object, properties: impl Iterator<Item = (u32, u32)>) {
    let content: Vec<u8> = properties
        .flat_map(|(kind, value)| [kind, 4, value, 0])
        .flat_map(u32::to_le_bytes)
        .collect();
    let section = object.section_of(NOTE, ".note.gnu.property", ALLOC, 8);
    let header = [4, content.len() as u32, 5].into_iter().flat_map(u32::to_le_bytes);
    object.data(section).extend(header.chain(*b"GNU\0").chain(content));
}

/// `GNU_PROPERTY_X86_FEATURE_1_AND`
const FEATURES: u32 = 0xc000_0002;
/// `GNU_PROPERTY_X86_ISA_1_NEEDED`
const INSTRUCTIONS: u32 = 0xc000_8002;
/// `GNU_PROPERTY_UINT32_OR_LO`: the first of those that are united.
const UNITED: u32 = 0xb000_8000;

/// Objects with a note each.
fn properties(n: u64, input: &mut Input) {
    for number in 0..n {
        let mut code = if number == 0 { Code::starting() } else { Code::new() };
        property_note(&mut code.object, [(FEATURES, 3), (INSTRUCTIONS, 1)].into_iter());
        input.code(&format!("objects/{number}.o"), &code);
    }
}

/// Properties in one note, in four objects.
fn property_kinds(n: u64, input: &mut Input) {
    for copy in 0..4 {
        let mut code = if copy == 0 { Code::starting() } else { Code::new() };
        let kinds = (0..n as u32).map(|number| (UNITED + number, 1 << copy));
        property_note(&mut code.object, kinds);
        input.code(&format!("{copy}.o"), &code);
    }
}

fn section_sizes(n: u64, input: &mut Input) {
    with_section(input, ".data.large", ALLOC | WRITE, 16, (0..n).map(|at| at as u8));
}
