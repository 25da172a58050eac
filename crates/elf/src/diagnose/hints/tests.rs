//! Hints for names as compilers make them.

use super::*;
use proptest::prelude::*;

fn global(name: &[u8], file: u32) -> DefinedName<'_> {
    DefinedName { name, version: b"", in_library: false, file, reach: Reach::Global }
}

fn hint_among(undefined: &str, defined: &[(&str, Reach)]) -> Option<Hint> {
    let names = defined.iter().zip(1..).map(|(&(name, reach), file)| DefinedName {
        name: name.as_bytes(),
        version: b"",
        in_library: false,
        file,
        reach,
    });
    find(&[undefined.as_bytes()], names, &|file| format!("{file}.o"), true).remove(0)
}

fn hint(undefined: &str, defined: &str) -> Option<Hint> {
    hint_among(undefined, &[(defined, Reach::Global)])
}

fn similar(name: &str) -> Option<Hint> {
    Some(Hint::Similar { name: name.to_owned(), defined_in: "1.o".to_owned() })
}

#[test]
fn typing_errors_are_recognised() {
    assert_eq!(hint("pritnf", "printf"), similar("printf"));
    assert_eq!(hint("print", "printf"), similar("printf"));
    assert_eq!(hint("prinntf", "printf"), similar("printf"));
    assert_eq!(hint("prantf", "printf"), similar("printf"));
    assert_eq!(hint("PRINTF", "printf"), similar("printf"));
    assert_eq!(hint("pthred_craete", "pthread_create"), similar("pthread_create"));
    // foo::frobnicate(int) and ns::fooo(int): the lengths change too.
    assert_eq!(hint("_ZN2ns3fooEi", "_ZN2ns4foooEi"), similar("ns::fooo(int)"));
}

#[test]
fn other_names_are_not_suggested() {
    assert_eq!(hint("read", "write"), None);
    assert_eq!(hint("f", "g"), None);
    assert_eq!(hint("_Z1fv", "_Z1gv"), None);
    assert_eq!(hint("printf", "printf"), None);
    // The complete and the base object constructor print the same.
    assert_eq!(hint("_ZN3fooC1Ev", "_ZN3fooC2Ev"), None);
    assert_eq!(hint("_ZN3fooC1Ev", "_ZN3fooD1Ev"), None);
    // Members of one letter, a variable for a function, classes of one letter.
    assert_eq!(hint("_ZN3foo1sEv", "_ZN3foo1mEv"), None);
    assert_eq!(hint("_ZN3foo5countE", "_ZN3foo5coun2Ev"), None);
    assert_eq!(hint("_ZN1D4drawEv", "_ZN1C4drawEv"), None);
    assert!(!matches!(hint("_ZTI1P", "_ZTI1Q"), Some(Hint::Similar { .. })));
}

#[test]
fn other_parameters_are_suggested() {
    assert_eq!(
        hint("_Z3fooi", "_Z3fooPKcmm"),
        similar("foo(char const*, unsigned long, unsigned long)")
    );
    assert_eq!(hint("_ZN2ns3fooEi", "_ZN2ns3fooEv"), similar("ns::foo()"));
    assert_eq!(hint("_Z3fooi", "_Z3foov"), similar("foo()"));
    assert_eq!(hint("_Z3fooi", "_Z3fooIiEvv"), None);
    // Constructors, and members that are const here and not there.
    assert_eq!(hint("_ZN3fooC1Ei", "_ZN3fooC1El"), similar("foo::foo(long)"));
    assert_eq!(hint("_ZNK3foo3getEv", "_ZN3foo3getEv"), similar("foo::get()"));
    assert_eq!(hint("_ZN3foo3getEv", "_ZNK3foo3getEv"), similar("foo::get() const"));
}

#[test]
fn language_linkage_is_recognised() {
    let defined_in = || "1.o".to_owned();
    assert_eq!(
        hint("_Z3fooi", "foo"),
        Some(Hint::DefinedInC { name: "foo".to_owned(), defined_in: defined_in() })
    );
    assert_eq!(
        hint("foo", "_Z3fooi"),
        Some(Hint::DefinedInCxx { name: "foo(int)".to_owned(), defined_in: defined_in() })
    );
    assert_eq!(hint("foo", "_ZN2ns3fooEi"), None);
}

#[test]
fn virtual_tables_need_a_key_function() {
    assert_eq!(hint("_ZTV3Foo", "_ZTV3Fop"), Some(Hint::KeyFunction));
    let many = vec![b"_ZTV3Foo".as_slice(); 2 * MAX_HINTED];
    let hints = find(&many, std::iter::empty(), &|_| String::new(), true);
    assert!(hints.iter().all(|hint| *hint == Some(Hint::KeyFunction)));
}

#[test]
fn definitions_out_of_reach_come_first() {
    let all = [("frobnicatf", Reach::Global), ("frobnicate", Reach::Local)];
    assert_eq!(hint_among("frobnicate", &all), Some(Hint::Local { defined_in: "2.o".to_owned() }));
    let all = [("frobnicate", Reach::Local), ("frobnicate", Reach::Hidden)];
    assert_eq!(hint_among("frobnicate", &all), Some(Hint::Hidden { defined_in: "2.o".to_owned() }));
    assert_eq!(hint_among("frobnicate", &[("frobnicatf", Reach::Local)]), None);
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
            find(&[b"abca", b"_abc_"], all, &|file| file.to_string(), true)
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
            find(&[undefined], all, &|_| String::new(), true);
        }
    }
}
