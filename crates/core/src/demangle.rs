//! Demangles the names of C++ and Rust.
//!
//! Two callers with two needs. Messages want a name that reads well ([`demangle`]): C++ (Itanium
//! C++ ABI, section 5.1), Rust legacy and Rust v0 (RFC 2603) are recognised, versions (`@V1`) are
//! kept, whatever a terminal or a log parser could trip over is escaped. Version scripts match
//! patterns of an `extern "C++"` block against the demangled name ([`demangle_cxx`]), where a
//! difference of one blank makes a symbol local: that function prints what GNU ld matches against,
//! which `c++filt --no-verbose` shows.
//!
//! Names come from untrusted files. A mangled name may describe an output exponentially longer than
//! itself through substitutions (section 5.1.10), and may nest as deep as it is long. So the length
//! of the input, the depth of the recursion and the length of the output are all limited. A name
//! beyond a limit counts as not mangled.

mod gnu;

use std::borrow::Cow;
use std::fmt;

/// Longest name that is demangled, in bytes. The longest in a Release clang has 4,035; heavy
/// users of expression templates reach some tens of thousands.
const MAX_MANGLED: usize = 1 << 16;

/// Longest result that is built, in bytes.
const MAX_DEMANGLED: usize = 1 << 20;

/// Nesting of the C++ parser: fits a quarter of a thread's 2 MiB stack, which a test makes sure of.
const MAX_DEPTH: u32 = 96;

/// Codes of productions that the C++ parser tries in two ways, which doubles its work with each
/// level of nesting: `new`, `delete` and casts in expressions. All occurrences of these letters are
/// counted, even in identifiers; none of 95,000 names of libLLVM, libclang-cpp and libstdc++ has
/// more than [`MAX_AMBIGUOUS`].
const AMBIGUOUS: [&[u8; 2]; 5] = [b"nw", b"na", b"dl", b"da", b"cv"];

/// Occurrences of [`AMBIGUOUS`] from which on a name is parsed to [`AMBIGUOUS_DEPTH`] only.
const MAX_AMBIGUOUS: usize = 12;

/// Enough for nine of ten real names, and 10 ms for the worst of made-up ones.
const AMBIGUOUS_DEPTH: u32 = 28;

/// The readable form of `name` for a message.
///
/// A name that is not mangled comes back as it is, except that bytes which are not UTF-8 and
/// control characters are written as `\xNN`, so that a message stays on its line and valid text.
/// A `@VERSION` or `@@VERSION` suffix is kept behind the demangled name.
pub fn demangle(name: &[u8]) -> Cow<'_, str> {
    let Some(text) = printable(name) else { return Cow::Owned(escape(name)) };
    let (base, version) = split_version(text);
    let demangled = if is_rust(base) { demangle_rust(base) } else { demangle_cxx(base.as_bytes()) };
    match demangled {
        Some(demangled) => Cow::Owned(demangled + version),
        None => Cow::Borrowed(text),
    }
}

/// The declaration that a C++ name stands for, as GNU ld prints it: functions with their parameters
/// (`foo::bar(int)`), special names in words (`vtable for foo`), `std::string` as that. `None` if
/// `name` is not a mangled C++ name or is beyond the limits.
///
/// A Rust legacy name is a valid C++ name and is printed as one.
pub fn demangle_cxx(name: &[u8]) -> Option<String> {
    if name.len() > MAX_MANGLED || !name.starts_with(b"_Z") {
        return None;
    }
    // The parser replaces bytes that are not UTF-8, which could make two names equal.
    std::str::from_utf8(name).ok()?;
    let depth = if is_ambiguous(name) { AMBIGUOUS_DEPTH } else { MAX_DEPTH };
    let parsing = cpp_demangle::ParseOptions::default().recursion_limit(depth);
    let symbol = cpp_demangle::BorrowedSymbol::new_with_options(name, &parsing).ok()?;
    let mut printing = cpp_demangle::DemangleOptions::new().recursion_limit(MAX_DEPTH);
    if name.starts_with(b"_ZZ") || (name.starts_with(b"_ZT") && name.get(4) == Some(&b'Z')) {
        // A variable in a function is no function: the type of the function around it is left out.
        printing = printing.no_return_type();
    }
    let mut out = Bounded(String::with_capacity(2 * name.len()));
    symbol.structured_demangle(&mut out, &printing).ok()?;
    Some(gnu::spelling(out.0))
}

/// Whether a name may have more than [`MAX_AMBIGUOUS`] of [`AMBIGUOUS`], none of which overlap.
fn is_ambiguous(name: &[u8]) -> bool {
    let is_code = |pair: &&[u8]| AMBIGUOUS.iter().any(|code| code == pair);
    name.len() > 2 * MAX_AMBIGUOUS && name.windows(2).filter(is_code).count() > MAX_AMBIGUOUS
}

/// Splits `name@VERSION` or `name@@VERSION` before the first `@`.
pub fn split_version(name: &str) -> (&str, &str) {
    match name.find('@') {
        // A name cannot be empty: a leading `@` belongs to it.
        Some(at) if at > 0 => name.split_at(at),
        _ => (name, ""),
    }
}

/// Whether `name` carries one of Rust's two manglings. A legacy name looks like a nested C++ name
/// whose last component is `h` and 16 hexadecimal digits.
fn is_rust(name: &str) -> bool {
    if let Some(rest) = name.strip_prefix("_R") {
        // A path of v0 starts with an upper-case letter, after an optional encoding version.
        return rest.starts_with(|c: char| c.is_ascii_uppercase() || c.is_ascii_digit());
    }
    if !name.starts_with("_ZN") {
        return false;
    }
    const HASH: usize = "17h0123456789abcdefE".len();
    // Passes of LLVM append `.llvm.123` and the like.
    let stem = name.split('.').next().unwrap_or(name);
    let legacy = |stem: &str| {
        let Some(tail) = stem.len().checked_sub(HASH).and_then(|at| stem.get(at..)) else {
            return false;
        };
        tail.strip_prefix("17h")
            .and_then(|tail| tail.strip_suffix('E'))
            .is_some_and(|hash| hash.bytes().all(|b| b.is_ascii_hexdigit()))
    };
    // Legacy names write `::` within a component as `..`, so the first dot may be too early.
    legacy(stem) || legacy(name) || name.match_indices('.').any(|(at, _)| legacy(&name[..at]))
}

fn demangle_rust(name: &str) -> Option<String> {
    use fmt::Write;
    if name.len() > MAX_MANGLED {
        return None;
    }
    let symbol = rustc_demangle::try_demangle(name).ok()?;
    let mut out = Bounded(String::new());
    // The alternate form leaves out hashes and crate disambiguators.
    write!(out, "{symbol:#}").ok()?;
    Some(out.0)
}

/// A string that fails a write which would make it longer than [`MAX_DEMANGLED`].
struct Bounded(String);

impl fmt::Write for Bounded {
    fn write_str(&mut self, s: &str) -> fmt::Result {
        if self.0.len() + s.len() > MAX_DEMANGLED {
            return Err(fmt::Error);
        }
        self.0.push_str(s);
        Ok(())
    }
}

/// `name` as text if every character of it can be printed.
fn printable(name: &[u8]) -> Option<&str> {
    std::str::from_utf8(name).ok().filter(|text| !text.chars().any(char::is_control))
}

/// `bytes` as text, with `\xNN` for every byte that is not part of a printable character.
pub fn escape(bytes: &[u8]) -> String {
    use fmt::Write;
    let mut out = String::with_capacity(bytes.len() + 8);
    for chunk in bytes.utf8_chunks() {
        for c in chunk.valid().chars() {
            if !c.is_control() {
                out.push(c);
                continue;
            }
            for byte in c.encode_utf8(&mut [0; 4]).bytes() {
                let _ = write!(out, "\\x{byte:02x}");
            }
        }
        for byte in chunk.invalid() {
            let _ = write!(out, "\\x{byte:02x}");
        }
    }
    out
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    /// Stack of the test's thread: a quarter of what threads have, and all of it in unoptimised
    /// builds, whose frames are some three times as large.
    const STACK: usize = if cfg!(debug_assertions) { 1 << 21 } else { 1 << 19 };

    fn text(name: &str) -> String {
        demangle(name.as_bytes()).into_owned()
    }

    #[test]
    fn three_manglings_are_known() {
        assert_eq!(text("_ZN3foo3barEi"), "foo::bar(int)");
        assert_eq!(
            text("_ZN4core3fmt5Write9write_fmt17h0123456789abcdefE"),
            "core::fmt::Write::write_fmt"
        );
        assert_eq!(text("_ZN10a$LT$b$GT$17h0123456789abcdefE.llvm.42"), "a<b>");
        assert_eq!(text("_ZN4a..b1c17h0123456789abcdefE"), "a::b::c");
        assert_eq!(text("_RNvCs15kBYyAo9fc_7mycrate7example"), "mycrate::example");
    }

    #[test]
    fn other_names_stay() {
        for name in ["main", "", "_Z", "_ZN", "_R", "_Registry", "_ZXYZ", "@V1", "a b", "größe"] {
            assert!(matches!(demangle(name.as_bytes()), Cow::Borrowed(same) if same == name));
        }
        for name in ["main", "_R", "_RNvCs15kBYyAo9fc_7mycrate7example", "", "_Z3foo@V1"] {
            assert_eq!(demangle_cxx(name.as_bytes()), None, "{name}");
        }
    }

    #[test]
    #[cfg_attr(
        miri,
        ignore = "cpp_demangle compares references to trait objects with their tables, of which \
            Miri makes several"
    )]
    fn versions_stay() {
        assert_eq!(text("_Z3foov@V1"), "foo()@V1");
        assert_eq!(text("_Z3foov@@V_2.0"), "foo()@@V_2.0");
        assert_eq!(text("memcpy@GLIBC_2.2.5"), "memcpy@GLIBC_2.2.5");
    }

    #[test]
    fn unprintable_bytes_are_escaped() {
        assert_eq!(demangle(b"a\xffb"), "a\\xffb");
        assert_eq!(demangle(b"a\nb\x1b[1m"), "a\\x0ab\\x1b[1m");
        assert_eq!(demangle(b"_Z3f\xffov"), "_Z3f\\xffov");
        assert_eq!(demangle("a\u{85}".as_bytes()), "a\\xc2\\x85");
    }

    /// Names whose demangled form or nesting is out of proportion.
    #[test]
    #[cfg_attr(miri, ignore = "long, and all of it safe code")]
    fn limits_hold() {
        let doubling = |levels: usize| {
            // Each type is a pair of the type before.
            let mut name = String::from("_Z1f1aI1bS_E");
            for level in 0..levels {
                let id = ["0_", "1_", "2_"][level % 3];
                name += &format!("1aIS{id}S{id}E");
            }
            name
        };
        let names = [
            doubling(40),
            doubling(4000),
            format!("_Z1f{}i", "P".repeat(50_000)),
            format!("_Z1f{}i", "P".repeat(100_000)),
            format!("_Z1f{}{}", "1aI".repeat(20_000), "E".repeat(20_000)),
            format!("_ZN{}Ev", "1a".repeat(30_000)),
            format!("_Z1fIX{}", "ad".repeat(30_000)),
            format!("_Z1fIX{}", "nw".repeat(30)),
            format!("_Z1fIX{}", "dl".repeat(45)),
            format!("_Z{}", "cvT_I".repeat(22)),
            format!("_R{}", "I".repeat(60_000)),
            format!("_RNvC{}", "Nv".repeat(30_000)),
            format!("_RINvC1a1b{}E", "T".repeat(30_000)),
            "a".repeat(1 << 20),
        ];
        let demangle_all = move || {
            for name in names {
                let text = text(&name);
                assert!(text.len() <= MAX_DEMANGLED || text.len() == name.len());
            }
        };
        let thread = std::thread::Builder::new().stack_size(STACK).spawn(demangle_all);
        thread.expect("a thread").join().expect("no name is refused by a panic");
    }

    /// Text that gets far into a demangler: manglings cut up and put together again.
    fn mangled() -> impl Strategy<Value = String> {
        const PIECES: &[&str] = &[
            "_Z",
            "_R",
            "N",
            "I",
            "E",
            "J",
            "X",
            "L",
            "S_",
            "S0_",
            "S1_",
            "T_",
            "T0_",
            "Dp",
            "St",
            "Ss",
            "1a",
            "2bc",
            "i",
            "v",
            "P",
            "R",
            "K",
            "F",
            "M",
            "A3_",
            "Ul",
            "E_",
            "ad",
            "cl",
            "sr",
            "cv",
            "C1",
            "D0",
            "Z",
            "TV",
            "Th8_",
            "Tv0_n8_",
            "GV",
            "B1c",
            "17h0123456789abcdefE",
            ".",
            "@",
            "NvC",
            "B_",
            "B3_",
            "p",
            "T",
            "s_",
            "u3abc",
            "Kj7_",
            "D",
            "h",
            "$LT$",
            "..",
        ];
        let piece = proptest::sample::select(PIECES);
        let list = proptest::collection::vec(piece, 0..60);
        (proptest::sample::select(&["_Z", "_ZN", "_R", "_RNv", ""][..]), list)
            .prop_map(|(head, tail)| head.to_owned() + &tail.concat())
    }

    proptest! {
        #![proptest_config(ProptestConfig::with_cases(4000))]

        #[test]
        #[cfg_attr(miri, ignore = "long, and all of it safe code")]
        fn manglings_are_survived(name in mangled()) {
            demangle(name.as_bytes());
            demangle_cxx(name.as_bytes());
        }

        #[test]
        #[cfg_attr(miri, ignore = "long, and all of it safe code")]
        fn bytes_become_one_printable_line(name in any::<Vec<u8>>()) {
            prop_assert!(!demangle(&name).chars().any(char::is_control));
        }
    }
}
