//! Dynamic lists: names that a link exports or leaves preemptible.
//!
//! The syntax of `--dynamic-list` and `--export-dynamic-symbol-list` files is a version script
//! without version names and without `local:` (GNU ld manual, "--dynamic-list"): one or more `{
//! name; pattern*; "exact"; extern "C++" { ... }; };`. As in lld, a `global:` label is accepted. A
//! quoted name is exact as in GNU ld; in lld it is a pattern.

use super::version_script::{SymbolPattern, parse_block};
use skald_linking::glob::Glob;
use skald_linking::lexer::{Kind, Lexer, Mode};
use skald_linking::pattern_set::{Order, PatternSet};

use skald_core::diag::Result;

/// The patterns of one or more dynamic lists, for `--dynamic-list` and `--export-dynamic-symbol`.
#[derive(Debug, Clone)]
pub struct DynamicList {
    c: PatternSet<()>,
    cxx: PatternSet<()>,
}

impl Default for DynamicList {
    fn default() -> DynamicList {
        DynamicList { c: PatternSet::new(Order::FirstWins), cxx: PatternSet::new(Order::FirstWins) }
    }
}

impl DynamicList {
    /// Adds the names of the file `origin`.
    ///
    /// # Errors
    /// Syntax, with file and line; nothing has been added then.
    pub fn add_file(&mut self, origin: &str, text: &[u8]) -> Result<()> {
        for pattern in parse(origin, text)? {
            self.add(&pattern);
        }
        Ok(())
    }

    /// Adds a pattern of a script.
    pub(crate) fn add(&mut self, pattern: &SymbolPattern) {
        let set = if pattern.cxx { &mut self.cxx } else { &mut self.c };
        if pattern.exact {
            set.insert_exact(pattern.text.clone(), ())
        } else {
            set.insert_wildcard(Glob::new(&pattern.text), ())
        }
    }

    /// Adds the pattern of an `--export-dynamic-symbol` option.
    pub fn add_pattern(&mut self, pattern: &[u8]) {
        self.c.insert(pattern, ());
    }

    /// Adds the names for which `--dynamic-list-cpp-typeinfo` stands: C++ type information.
    pub fn add_cxx_typeinfo(&mut self) {
        self.cxx.insert(b"typeinfo name for*", ());
        self.cxx.insert(b"typeinfo for*", ());
    }

    /// Adds the names for which `--dynamic-list-cpp-new` stands: C++ operators new and delete.
    pub fn add_cxx_new(&mut self) {
        self.cxx.insert(b"operator new*", ());
        self.cxx.insert(b"operator delete*", ());
    }

    /// Whether `name` is in the list. `demangle` is called only if there are `extern "C++"`
    /// patterns; a name that does not demangle is compared with them as it stands.
    pub fn matches(&self, name: &[u8], demangle: impl Fn(&[u8]) -> Option<String>) -> bool {
        if self.c.get(name).is_some() {
            return true;
        }
        if self.cxx.is_empty() {
            return false;
        }
        let demangled = demangle(name);
        let cxx_name = demangled.as_ref().map_or(name, |demangled| demangled.as_bytes());
        self.cxx.get(cxx_name).is_some()
    }

    /// Whether there is no pattern.
    pub fn is_empty(&self) -> bool {
        self.c.is_empty() && self.cxx.is_empty()
    }
}

fn parse(origin: &str, text: &[u8]) -> Result<Vec<SymbolPattern>> {
    let mut lexer = Lexer::new(origin, text);
    let mut patterns = Vec::new();
    // An empty file is an error: it is probably a truncated list.
    loop {
        lexer.expect(Mode::Pattern, "{")?;
        patterns.append(&mut parse_block(&mut lexer)?);
        lexer.expect(Mode::Pattern, ";")?;
        if lexer.peek(Mode::Pattern)?.kind == Kind::End {
            break;
        }
    }
    match patterns.iter().find(|pattern| pattern.local) {
        Some(local) => Err(lexer.error_at(local.line, "local: is not allowed in a dynamic list")),
        None => Ok(patterns),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    fn list(text: &str) -> DynamicList {
        let mut list = DynamicList::default();
        list.add_file("s.dl", text.as_bytes()).expect("the list is valid");
        list
    }

    fn demangle(name: &[u8]) -> Option<String> {
        let rest = name.strip_prefix(b"_Z")?;
        Some(String::from_utf8_lossy(rest).into_owned())
    }

    /// Checked with GNU ld 2.40: `ld -pie --dynamic-list`, then `readelf --dyn-syms`.
    #[test]
    fn names_of_a_list() {
        let rows: [(&str, &[&str], &[&str]); 8] = [
            ("{ foo; };", &["foo"], &["foo2", "bar"]),
            ("{ foo; }; { b*; };", &["foo", "bar"], &["fob"]),
            ("{ \"fo*\"; f?b; };", &["fob", "fo*"], &["foo"]),
            ("{ extern \"C++\" { foo; \"ba*\"; }; };", &["foo", "_Zfoo"], &["bar", "_Zbar"]),
            ("{ extern \"C\" { foo; bar }; baz; };", &["foo", "bar", "baz"], &["_Zfoo"]),
            ("{ global: foo; };", &["foo"], &["global"]),
            ("# none\n{ foo; };", &["foo"], &["none"]),
            ("{ };", &[], &["foo", ""]),
        ];
        for (text, inside, outside) in rows {
            let list = list(text);
            for name in inside {
                assert!(list.matches(name.as_bytes(), demangle), "{name} in {text}");
            }
            for name in outside {
                assert!(!list.matches(name.as_bytes(), demangle), "{name} not in {text}");
            }
        }
    }

    #[test]
    fn names_of_options() {
        let mut list = DynamicList::default();
        assert!(list.is_empty());
        list.add_pattern(b"exp_*");
        assert!(list.matches(b"exp_a", |_| panic!("no pattern needs a demangled name")));
        assert!(!list.matches(b"_Ztypeinfo for A", demangle));
        list.add_cxx_typeinfo();
        list.add_cxx_new();
        for name in ["_Ztypeinfo for A", "_Ztypeinfo name for A", "_Zoperator new(unsigned long)"] {
            assert!(list.matches(name.as_bytes(), demangle), "{name}");
        }
        assert!(!list.matches(b"_Zvtable for A", demangle));
    }

    #[test]
    fn errors_name_file_and_line() {
        let rows = [
            ("{ foo bar; };", "s.dl:1: expected ';' after 'foo', found 'bar'"),
            ("{ foo; };\nV1 { bar; };", "s.dl:2: expected '{', found 'V1'"),
            ("{\nlocal: foo; };", "s.dl:2: local: is not allowed in a dynamic list"),
            ("", "s.dl:1: expected '{', found end of file"),
            ("{ foo; } x", "s.dl:1: expected ';', found 'x'"),
            ("{ foo;\n", "s.dl:2: expected symbol name or '}', found end of file"),
        ];
        for (text, message) in rows {
            let mut list = DynamicList::default();
            let error = list.add_file("s.dl", text.as_bytes()).expect_err("the list is wrong");
            assert_eq!(error.0.lines().next(), Some(message));
            assert!(list.is_empty());
        }
    }

    proptest! {
        #[test]
        fn no_input_panics(text: Vec<u8>, name: Vec<u8>) {
            let mut list = DynamicList::default();
            if list.add_file("s.dl", &text).is_ok() {
                list.matches(&name, demangle);
            }
        }
    }
}
