//! What is near names as compilers make them.

use super::*;
use proptest::prelude::*;

fn global(name: &[u8], file: u32) -> DefinedName<'_> {
    DefinedName { name, version: b"", in_library: false, file, reach: Reach::Global }
}

fn near_among(undefined: &str, defined: &[(&str, Reach)]) -> Option<(Kind, u32)> {
    let names = defined.iter().zip(1..).map(|(&(name, reach), file)| DefinedName {
        name: name.as_bytes(),
        version: b"",
        in_library: false,
        file,
        reach,
    });
    let near = find(&[undefined.as_bytes()], names).remove(0)?;
    Some((near.kind, near.file))
}

fn kind(undefined: &str, defined: &str) -> Option<Kind> {
    near_among(undefined, &[(defined, Reach::Global)]).map(|near| near.0)
}

#[test]
fn typing_errors_are_recognised() {
    assert_eq!(kind("pritnf", "printf"), Some(Kind::Misspelled));
    assert_eq!(kind("print", "printf"), Some(Kind::Misspelled));
    assert_eq!(kind("prinntf", "printf"), Some(Kind::Misspelled));
    assert_eq!(kind("prantf", "printf"), Some(Kind::Misspelled));
    assert_eq!(kind("PRINTF", "printf"), Some(Kind::Misspelled));
    assert_eq!(kind("pthred_craete", "pthread_create"), Some(Kind::Misspelled));
    // foo::frobnicate(int) and ns::fooo(int): the lengths change too.
    assert_eq!(kind("_ZN2ns3fooEi", "_ZN2ns4foooEi"), Some(Kind::Misspelled));
}

#[test]
fn other_names_are_not_suggested() {
    assert_eq!(kind("read", "write"), None);
    assert_eq!(kind("f", "g"), None);
    assert_eq!(kind("_Z1fv", "_Z1gv"), None);
    assert_eq!(kind("printf", "printf"), None);
    // The complete and the base object constructor print the same.
    assert_eq!(kind("_ZN3fooC1Ev", "_ZN3fooC2Ev"), None);
    assert_eq!(kind("_ZN3fooC1Ev", "_ZN3fooD1Ev"), None);
    // Members of one letter, a variable for a function, classes of one letter.
    assert_eq!(kind("_ZN3foo1sEv", "_ZN3foo1mEv"), None);
    assert_eq!(kind("_ZN3foo5countE", "_ZN3foo5coun2Ev"), None);
    assert_eq!(kind("_ZN1D4drawEv", "_ZN1C4drawEv"), None);
    assert_eq!(kind("_ZTI1P", "_ZTI1Q"), None);
}

#[test]
fn other_parameters_are_suggested() {
    assert_eq!(kind("_Z3fooi", "_Z3fooPKcmm"), Some(Kind::OtherParameters));
    assert_eq!(kind("_ZN2ns3fooEi", "_ZN2ns3fooEv"), Some(Kind::OtherParameters));
    assert_eq!(kind("_Z3fooi", "_Z3foov"), Some(Kind::OtherParameters));
    assert_eq!(kind("_Z3fooi", "_Z3fooIiEvv"), None);
    // Constructors, and members that are const here and not there.
    assert_eq!(kind("_ZN3fooC1Ei", "_ZN3fooC1El"), Some(Kind::OtherParameters));
    assert_eq!(kind("_ZNK3foo3getEv", "_ZN3foo3getEv"), Some(Kind::OtherParameters));
    assert_eq!(kind("_ZN3foo3getEv", "_ZNK3foo3getEv"), Some(Kind::OtherParameters));
}

#[test]
fn language_linkage_is_recognised() {
    assert_eq!(kind("_Z3fooi", "foo"), Some(Kind::InC));
    assert_eq!(kind("foo", "_Z3fooi"), Some(Kind::InCxx));
    assert_eq!(kind("foo", "_ZN2ns3fooEi"), None);
}

#[test]
fn definitions_out_of_reach_come_first() {
    let all = [("frobnicatf", Reach::Global), ("frobnicate", Reach::Local)];
    assert_eq!(near_among("frobnicate", &all), Some((Kind::Local, 2)));
    let all = [("frobnicate", Reach::Local), ("frobnicate", Reach::Hidden)];
    assert_eq!(near_among("frobnicate", &all), Some((Kind::Hidden, 2)));
    assert_eq!(near_among("frobnicate", &[("frobnicatf", Reach::Local)]), None);
}

proptest! {
    #[test]
    fn order_does_not_matter(mut names in proptest::collection::vec("[abc_]{3,6}", 0..30)) {
        let defined = |names: &[String]| {
            let mut sorted: Vec<&String> = names.iter().collect();
            sorted.sort();
            let file = |name: &String| sorted.iter().position(|n| *n == name).unwrap_or(0) as u32;
            let all: Vec<(Vec<u8>, u32)> =
                names.iter().map(|n| (n.clone().into_bytes(), file(n))).collect();
            let all = all.iter().map(|(name, file)| global(name, *file));
            let near = find(&[b"abca", b"_abc_"], all);
            let owned = |near: NearName<'_>| (near.kind, near.name.to_vec(), near.file);
            near.into_iter().map(|near| near.map(owned)).collect::<Vec<_>>()
        };
        let forward = defined(&names);
        names.reverse();
        prop_assert_eq!(forward, defined(&names));
    }

    #[test]
    fn garbage_is_survived(
        undefined in any::<Vec<u8>>(),
        name in any::<Vec<u8>>(),
        cxx in "_ZN?[0-9a-zA-Z]{0,20}",
    ) {
        for undefined in [undefined.as_slice(), cxx.as_bytes()] {
            let all = [name.as_slice(), cxx.as_bytes()];
            let all = all.iter().map(|name| global(name, 0));
            find(&[undefined], all);
        }
    }
}
