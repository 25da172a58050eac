//! Code that shrinks: references, descriptions and tables are adjusted to the code that is left.

use super::object::{Reloc, Section, Symbol, function, object};
use super::{Linked, link};
use crate::loops::toy::types::*;
use ::object::elf::*;

/// A symbol of `size` bytes at offset `value` of `.text.a`.
fn local(name: &'static str, value: u64, size: u64) -> Symbol {
    Symbol { name, section: ".text.a", value, size, is_global: false }
}

/// Three calls of `mid`, which is near, then `mid`, padding, and at `aligned` one call of a far
/// function. The output has 32 bytes of 56: calls at 0, 4 and 8, `mid` at 12, and `aligned` at 16.
fn shrinking_code() -> Section {
    let relocs = vec![
        Reloc(0, CALL, "near", 0),
        Reloc(8, CALL, "near", 0),
        // A reference to `mid` by the section symbol.
        Reloc(16, CALL, ".text.a", 24),
        Reloc(28, ALIGN, "", 12),
        Reloc(40, CALL, "far", 0),
        Reloc(48, SHORT_BRANCH, "mid", 0),
    ];
    Section { align: 16, ..Section::code(".text.a", 56, relocs) }
}

/// A CIE, and an FDE of `a` with an advance to `mid`, as compilers write them for such code.
fn unwind_table() -> Section {
    let mut bytes = Vec::new();
    let mut record = |words: &[u32], rest: &[u8]| {
        bytes.extend((words.len() as u32 * 4 + rest.len() as u32).to_le_bytes());
        bytes.extend(words.iter().flat_map(|word| word.to_le_bytes()));
        bytes.extend(rest);
    };
    // Version 1, `zR`, factors 1 and -8, return address 16, PC-relative addresses of 4 bytes.
    record(&[0], &[1, b'z', b'R', 0, 1, 0x78, 16, 1, 0x1b, 0, 0, 0]);
    // DW_CFA_advance_loc1, DW_CFA_def_cfa_offset.
    record(&[24, 0, 0], &[0, 2, 0, 0x0e, 16, 0, 0, 0]);
    let relocs = vec![
        Reloc(28, DISTANCE, "a", 0),
        Reloc(32, ADD32, "a_end", 0),
        Reloc(32, SUB32, "a", 0),
        Reloc(38, ADD8, "mid", 0),
        Reloc(38, SUB8, "a", 0),
    ];
    Section { name: ".eh_frame", sh_type: SHT_PROGBITS, flags: SHF_ALLOC, align: 8, bytes, relocs }
}

fn shrunk(options: &[&str]) -> Linked {
    let data = vec![
        Reloc(0, WORD, "mid", 0),
        Reloc(8, WORD, ".text.a", 40),
        Reloc(16, WORD, "aligned", 4),
        Reloc(24, ADD32, "a_end", 0),
        Reloc(24, SUB32, "a", 0),
    ];
    let debug = vec![
        Reloc(0, WORD, ".text.a", 0),
        Reloc(8, WORD, ".text.a", 56),
        Reloc(16, WORD, ".text.a", 24),
        Reloc(24, ADD32, "a_end", 0),
        Reloc(24, SUB32, "mid", 0),
    ];
    let sections = [
        shrinking_code(),
        Section::code(".text.near", 64, vec![]),
        Section::code(".text.filler", 8 << 10, vec![]),
        Section::code(".text.far", 64, vec![]),
        Section::data(".data", SHF_ALLOC | SHF_WRITE, 32, data),
        Section::data(".debug_test", 0, 32, debug),
        unwind_table(),
    ];
    let symbols = [
        function("a", ".text.a", 56),
        local("mid", 24, 16),
        local("aligned", 40, 8),
        local("a_end", 56, 0),
        function("near", ".text.near", 64),
        function("far", ".text.far", 64),
    ];
    let options = [&["-e", "a", "--eh-frame-hdr"], options].concat();
    link(&options, &[object(&sections, &symbols)])
}

fn words(bytes: &[u8]) -> Vec<u64> {
    bytes.as_chunks::<8>().0.iter().map(|word| u64::from_le_bytes(*word)).collect()
}

#[test]
fn symbols_and_code_move() {
    let linked = shrunk(&[]);
    let (a, size) = linked.symbol("a");
    assert_eq!((size, a % 16), (32, 0));
    // The padding that was deleted counted to `mid`, in which it was.
    assert_eq!(linked.symbol("mid"), (a + 12, 4));
    assert_eq!(linked.symbol("aligned"), (a + 16, 8));
    assert_eq!(linked.symbol("a_end").0, a + 32);
    let near = linked.symbol("near");
    assert_eq!(near, (a + 32, 64));
    let distance = |at: u64| a + at + linked.number_at(a + at) as u64;
    assert_eq!((distance(0), distance(4), distance(8)), (near.0, near.0, a + 12));
    assert_eq!(distance(16), linked.symbol("far").0);
    assert_eq!(a.wrapping_add(24).wrapping_add_signed(linked.number_at(a + 24).into()), a + 12);
    // Bytes without a relocation are unchanged: each number is an instruction's index in the input.
    let instruction = |at: u64| linked.number_at(a + at);
    assert_eq!([12, 20, 28].map(instruction), [6, 11, 13]);
    let of_near: Vec<i32> = (0..4).map(|at| linked.number_at(near.0 + 4 * at)).collect();
    assert_eq!(of_near, [0, 1, 2, 3]);
}

#[test]
fn data_and_debug_information_refer_to_what_is_left() {
    let linked = shrunk(&[]);
    let a = linked.symbol("a").0;
    assert_eq!(words(&linked.section(".data").1), [a + 12, a + 16, a + 20, 32]);
    assert_eq!(words(&linked.section(".debug_test").1), [a, a + 32, a + 12, 20]);
}

#[test]
fn unwind_tables_describe_what_is_left() {
    let linked = shrunk(&[]);
    let a = linked.symbol("a").0;
    let (start, table) = linked.section(".eh_frame");
    let number = |at: usize| i32::from_le_bytes(table[at..at + 4].try_into().expect("four"));
    assert_eq!((start + 28).wrapping_add_signed(number(28).into()), a);
    assert_eq!((number(32), table[38]), (32, 12));
    let (header, index) = linked.section(".eh_frame_hdr");
    let number = |at: usize| i32::from_le_bytes(index[at..at + 4].try_into().expect("four"));
    assert_eq!(number(8), 1, "one row");
    assert_eq!(header.wrapping_add_signed(number(12).into()), a);
    assert_eq!(header.wrapping_add_signed(number(16).into()), start + 20);
}

#[test]
fn emitted_relocations_are_those_of_the_short_code() {
    let linked = shrunk(&["--emit-relocs"]);
    let a = linked.symbol("a").0;
    let emitted = words(&linked.section(".rela.text").1);
    let found: Vec<(u64, u32)> =
        emitted.chunks(3).map(|reloc| (reloc[0].wrapping_sub(a), reloc[1] as u32)).collect();
    let short = |at: u64| (at, SHORT_BRANCH);
    assert_eq!(found, [short(0), short(4), short(8), (16, NONE), (16, CALL), short(24)]);
    // Against the section symbol of `.text`: the offset that `mid` has now.
    assert_eq!(emitted[3 * 2 + 2], a + 12 - linked.section(".text").0);
    let of_data = words(&linked.section(".rela.data").1);
    assert_eq!(of_data[3 + 2], a + 16 - linked.section(".text").0);
}

#[test]
fn maps_have_the_sizes_that_are_left() {
    let linked = shrunk(&[]);
    let (_, rest) = linked.map.split_once(" .text.a").expect("the map has the section");
    let words: Vec<&str> = rest.split_whitespace().take(2).collect();
    let a = linked.symbol("a").0;
    let numbers = words.iter().map(|word| u64::from_str_radix(word.trim_start_matches("0x"), 16));
    let numbers: Vec<u64> = numbers.map(|number| number.expect("a number")).collect();
    assert_eq!(numbers, [a, 32], "{}", linked.map);
}

#[test]
fn without_relaxation_only_padding_goes() {
    let linked = shrunk(&["--no-relax"]);
    let (a, size) = linked.symbol("a");
    // `mid` ends at 28, and 4 of 12 bytes bring `aligned` to 32.
    assert_eq!((size, linked.symbol("aligned").0), (48, a + 32));
    assert_eq!(a + 16 + linked.number_at(a + 16) as u64, linked.symbol("mid").0);
}

/// Deletions bring targets nearer: a call becomes short in a later round.
#[test]
fn code_shrinks_until_nothing_changes() {
    let mut relocs = vec![Reloc(0, CALL, "end", 0)];
    // 200 bytes fewer between the two, which were 1208 bytes and a little more apart.
    relocs.extend((1..=50).map(|at| Reloc(at * 8, CALL, "a", 0)));
    let through_thunk = vec![Reloc(0, CALL, "c", 0), Reloc(8, SHORT_BRANCH, "beyond", 0)];
    let sections = [
        Section::code(".text.a", 1208, relocs),
        Section::code(".text.end", 64, vec![]),
        Section::code(".text.c", 16, through_thunk),
        Section::code(".text.filler", 8 << 10, vec![]),
        Section::code(".text.beyond", 64, vec![]),
    ];
    let symbols = [
        function("a", ".text.a", 1208),
        function("end", ".text.end", 64),
        function("c", ".text.c", 16),
        function("beyond", ".text.beyond", 64),
    ];
    let linked = link(&["-e", "a"], &[object(&sections, &symbols)]);
    let (a, size) = linked.symbol("a");
    assert_eq!(size, 1208 - 51 * 4);
    let at = |place: u64| place.wrapping_add_signed(linked.number_at(place).into());
    assert_eq!(at(a), linked.symbol("end").0);
    assert!((1..=50).all(|call| at(a + call * 4) == a));
    // A branch in a section that shrinks goes through a thunk where the target is too far.
    let (c, size) = linked.symbol("c");
    assert_eq!((size, at(c)), (12, c));
    let thunk = at(c + 4);
    let to = linked.bytes_at(thunk + 8, 8);
    assert_eq!(to, linked.symbol("beyond").0.to_le_bytes());
}
