//! Branches that do not reach their targets get thunks, which are near and shared.

use super::link;
use super::object::{Reloc, Section, function, object};
use crate::loops::toy::thunk::{LONG, MARKS, SHORT};
use crate::loops::toy::types::{BRANCH, SHORT_BRANCH, WORD};

/// The address that a branch at `place` gets to: through a thunk if there is one.
fn followed(linked: &super::Linked, place: u64) -> (u64, Option<u64>) {
    let at = place.wrapping_add_signed(linked.number_at(place).into());
    let bytes = linked.bytes_at(at, 16);
    if MARKS.iter().any(|mark| bytes.starts_with(*mark)) {
        let to = u64::from_le_bytes(bytes[8..].try_into().expect("eight bytes"));
        (to, Some(at))
    } else {
        (at, None)
    }
}

#[test]
fn branches_get_where_they_lead() {
    let calls = |r_type: u32| {
        vec![Reloc(0, r_type, "far", 0), Reloc(8, r_type, "far", 1), Reloc(16, r_type, "near", 0)]
    };
    let sections = [
        Section::code(".text.a", 256, calls(SHORT_BRANCH)),
        Section::code(".text.near", 64, vec![]),
        Section::code(".text.b", 256, calls(SHORT_BRANCH)),
        Section::code(".text.filler", 20 << 10, vec![]),
        Section::code(".text.c", 256, calls(BRANCH)),
        Section::code(".text.filler2", 40 << 10, vec![]),
        Section::code(".text.far", 64, vec![Reloc(0, SHORT_BRANCH, "a", 0)]),
    ];
    let names = ["a", "near", "b", "c", "far"];
    let homes = [".text.a", ".text.near", ".text.b", ".text.c", ".text.far"];
    let symbols: Vec<_> =
        names.iter().zip(homes).map(|(name, home)| function(name, home, 64)).collect();
    let linked = link(&["-e", "a"], &[object(&sections, &symbols)]);
    let of = |name: &str| linked.symbol(name).0;
    let (far, near) = (of("far"), of("near"));
    let mut thunks = Vec::new();
    for (caller, reach) in [("a", SHORT), ("b", SHORT), ("c", LONG)] {
        for (offset, to) in [(0, far), (8, far + 1), (16, near)] {
            let place = of(caller) + offset;
            let (reached, thunk) = followed(&linked, place);
            assert_eq!(reached, to, "{caller}+{offset}");
            assert_eq!(thunk.is_none(), reach.covers(place, to), "{caller}+{offset}");
            if let Some(thunk) = thunk {
                assert!(reach.covers(place, thunk), "{caller}+{offset}");
                let kind = (to % 2) as usize;
                assert_eq!(linked.bytes_at(thunk, 8), MARKS[kind], "the kind is the target's");
                assert_eq!(thunk % [4, 16][kind], 0, "each kind has its alignment");
                thunks.push((caller, offset, thunk));
            }
        }
    }
    assert_eq!(followed(&linked, far).0, of("a"));
    let thunk_of = |caller: &str, offset: u64| {
        thunks.iter().find(|(c, o, _)| (*c, *o) == (caller, offset)).expect("it has one").2
    };
    assert_eq!(thunk_of("a", 0), thunk_of("b", 0), "neighbours share a thunk");
    assert_eq!(thunk_of("a", 0), thunk_of("c", 0), "who reaches farther shares it too");
    assert_ne!(thunk_of("a", 0), thunk_of("a", 8));
}

#[test]
fn code_that_reaches_all_has_no_thunks() {
    let data = Section::data(
        ".data",
        object::elf::SHF_ALLOC | object::elf::SHF_WRITE,
        8,
        vec![Reloc(0, WORD, "b", 0)],
    );
    let sections = [
        Section::code(".text.a", 64, vec![Reloc(0, SHORT_BRANCH, "b", 0)]),
        Section::code(".text.b", 64, vec![]),
        data,
    ];
    let symbols = [function("a", ".text.a", 64), function("b", ".text.b", 64)];
    let linked = link(&["-e", "a"], &[super::object::object(&sections, &symbols)]);
    let (text, bytes) = linked.section(".text");
    assert_eq!(bytes.len(), 128);
    assert_eq!(followed(&linked, text), (linked.symbol("b").0, None));
    assert_eq!(linked.section(".data").1, linked.symbol("b").0.to_le_bytes());
}
