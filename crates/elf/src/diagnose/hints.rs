//! Hints for undefined symbols: a name similar to the missing one ([`skald_linking::near_names`]).
//! If there is none, the name itself may show what is missing: see `known_names`.

use super::known_names;
use super::location::display_name;
use super::messages::Hint;
use skald_core::demangle::escape;
use skald_linking::near_names::{self, DefinedName, Kind, NearName};

/// Up to this many undefined symbols get hints: if more are missing, a library is.
const MAX_HINTED: usize = 16;

/// A hint for each of `undefined` (mangled names), where there is one. `file_name` names a file in
/// messages; `demangled`: names are printed demangled.
pub fn find<'a>(
    undefined: &[&[u8]],
    defined: impl Iterator<Item = DefinedName<'a>>,
    file_name: &dyn Fn(u32) -> String,
    demangled: bool,
) -> Vec<Option<Hint>> {
    // If a name itself shows what is missing, no similar name is searched for.
    let is_searched = |index: usize, name: &[u8]| {
        index < MAX_HINTED && !known_names::is_told(near_names::unversioned(name))
    };
    let searched: Vec<&[u8]> = (0..)
        .zip(undefined)
        .filter(|&(index, name)| is_searched(index, name))
        .map(|(_, &name)| name)
        .collect();
    let mut near = near_names::find(&searched, defined).into_iter();
    let mut hint_of = |(index, name): (usize, &&[u8])| {
        let found = if is_searched(index, name) { near.next().flatten() } else { None };
        let hint = found.map(|near| hint(&near, file_name, demangled));
        hint.or_else(|| known_names::hint(name))
    };
    undefined.iter().enumerate().map(&mut hint_of).collect()
}

fn hint(near: &NearName<'_>, file_name: &dyn Fn(u32) -> String, demangled: bool) -> Hint {
    let defined_in = file_name(near.file);
    let name = display_name(near.name, demangled).into_owned();
    let version = escape(near.version);
    match near.kind {
        Kind::OtherVersion => Hint::OtherVersion { name, version, defined_in },
        Kind::OldVersion => Hint::OldVersion { name, version, defined_in },
        Kind::TableOnly => Hint::NoTypeInfo { defined_in },
        Kind::OtherString => Hint::OtherString { name, defined_in },
        Kind::Hidden => Hint::Hidden { defined_in },
        Kind::Local => Hint::Local { defined_in },
        Kind::InC => Hint::DefinedInC { name, defined_in },
        Kind::InCxx => Hint::DefinedInCxx { name, defined_in },
        Kind::OtherParameters | Kind::Misspelled => Hint::Similar { name, defined_in },
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use skald_linking::near_names::Reach;

    fn hint(undefined: &str, defined: &str) -> Option<Hint> {
        let defined = DefinedName {
            name: defined.as_bytes(),
            version: b"",
            in_library: false,
            file: 1,
            reach: Reach::Global,
        };
        let file_name = |file| format!("{file}.o");
        find(&[undefined.as_bytes()], [defined].into_iter(), &file_name, true).remove(0)
    }

    #[test]
    fn names_are_demangled() {
        let similar = |name: &str| {
            Some(Hint::Similar { name: name.to_owned(), defined_in: "1.o".to_owned() })
        };
        assert_eq!(hint("pritnf", "printf"), similar("printf"));
        assert_eq!(hint("_Z3fooi", "_Z3foov"), similar("foo()"));
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
    }

    #[test]
    fn virtual_tables_need_a_key_function() {
        assert_eq!(hint("_ZTV3Foo", "_ZTV3Fop"), Some(Hint::KeyFunction));
        let many = vec![b"_ZTV3Foo".as_slice(); 2 * MAX_HINTED];
        let hints = find(&many, std::iter::empty(), &|_| String::new(), true);
        assert!(hints.iter().all(|hint| *hint == Some(Hint::KeyFunction)));
    }

    #[test]
    fn hints_stand_beside_the_names_they_are_of() {
        let defined = |name: &'static str| DefinedName {
            name: name.as_bytes(),
            version: b"",
            in_library: false,
            file: 1,
            reach: Reach::Global,
        };
        let undefined: [&[u8]; 4] = [b"_ZTV3Foo", b"pritnf", b"nothing", b"scnaf"];
        let all = ["printf", "scanf"].map(defined).into_iter();
        let hints = find(&undefined, all, &|file| file.to_string(), true);
        let name = |hint: &Option<Hint>| match hint {
            Some(Hint::Similar { name, .. }) => name.clone(),
            _ => String::new(),
        };
        assert_eq!(hints.iter().map(name).collect::<Vec<String>>(), ["", "printf", "", "scanf"]);
    }
}
