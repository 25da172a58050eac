//! Rewrites demangled C++ from the spelling of `cpp_demangle` to that of GNU ld and `c++filt`.
//!
//! Both print the same tree; they differ in details that a version script's pattern can depend on:
//! special names in braces, types of integer literals, empty argument packs, blanks in function
//! types, standard abbreviations in constructors. The text is enough to tell these apart.
//!
//! What the text cannot tell stays different: `const &` on the pattern of a pack expansion, which
//! only instances of variadic templates have, and function types with qualifiers. Of the 95,000 C++
//! names of libLLVM, libclang-cpp and libstdc++ 99 in 100 agree.

use crate::perturb::shuffled;

/// The text as GNU prints it.
pub(super) fn spelling(text: String) -> String {
    // A search for one character shows for most names that there is no clone suffix.
    let clone = if text.contains('[') { text.find(" [clone ") } else { None };
    let mut text = match clone {
        Some(at) => special_name(text[..at].to_owned()) + &text[at..],
        None => special_name(text),
    };
    let is_followed = |text: &str, first: u8, by: &[&[u8]]| {
        let rests =
            memchr::memchr_iter(first, text.as_bytes()).map(|at| &text.as_bytes()[at + 1..]);
        rests.into_iter().any(|rest| by.iter().any(|one| rest.starts_with(one)))
    };
    if is_followed(&text, b',', &[b" >", b" ,", b" )"]) {
        text = without_empty_packs(&text);
    }
    if is_followed(&text, b'(', &[b"unsigned", b"long"]) {
        text = literal_suffixes(&text);
    }
    if text.contains('<') {
        text = spaced_function_types(&text);
    }
    if memchr::memmem::find(text.as_bytes(), b"std::").is_some() {
        text = standard_names(text);
    }
    text
}

/// `{vtable(x)}` as `vtable for x`, and the like.
fn special_name(text: String) -> String {
    const CONSTRUCTION: &str = "construction vtable for ";
    if let Some((class, base)) = text.strip_prefix(CONSTRUCTION).and_then(|t| t.split_once("-in-"))
    {
        return format!("{CONSTRUCTION}{base}-in-{class}");
    }
    let Some(inner) = text.strip_prefix('{').and_then(|t| t.strip_suffix(")}")) else {
        return text;
    };
    for (theirs, gnu) in [("vtable(", "vtable for "), ("vtt(", "VTT for ")] {
        if let Some(of) = inner.strip_prefix(theirs) {
            return format!("{gnu}{of}");
        }
    }
    for (theirs, gnu) in [
        ("virtual override thunk({offset(", "non-virtual thunk to "),
        ("virtual override thunk({virtual offset(", "virtual thunk to "),
    ] {
        // The offsets are numbers, so the first closing bracket ends them.
        if let Some((_, of)) = inner.strip_prefix(theirs).and_then(|rest| rest.split_once(")}, ")) {
            return format!("{gnu}{of}");
        }
    }
    text
}

/// `A<B, , C, >` as `A<B, C>`.
fn without_empty_packs(text: &str) -> String {
    let mut out = String::with_capacity(text.len());
    for part in text.split_inclusive(", ") {
        let starts_closed = part.starts_with(['>', ')']) || part == ", ";
        if starts_closed && out.ends_with(", ") {
            out.truncate(out.len() - 2);
        }
        out.push_str(part);
    }
    out
}

/// `(unsigned int)7` as `7u`: the suffixes that C++ has for integer literals.
fn literal_suffixes(text: &str) -> String {
    const SUFFIXES: [(&str, &str); 5] = [
        ("(unsigned int)", "u"),
        ("(unsigned long)", "ul"),
        ("(unsigned long long)", "ull"),
        ("(long)", "l"),
        ("(long long)", "ll"),
    ];
    let mut out = String::with_capacity(text.len());
    let mut rest = text;
    while let Some(at) = rest.find('(') {
        out.push_str(&rest[..at]);
        rest = &rest[at..];
        let literal = SUFFIXES.iter().find_map(|&(cast, suffix)| {
            let number = rest.strip_prefix(cast)?;
            let sign = usize::from(number.starts_with('-'));
            let digits = number[sign..].bytes().take_while(u8::is_ascii_digit).count();
            (digits > 0).then(|| (number.split_at(sign + digits), suffix))
        });
        match literal {
            Some(((number, behind), suffix)) => {
                out.push_str(number);
                out.push_str(suffix);
                rest = behind;
            }
            None => {
                out.push('(');
                rest = &rest[1..];
            }
        }
    }
    out.push_str(rest);
    out
}

/// `function<R(A)>` as `function<R (A)>`: a blank before the parameters of a function type that is
/// a template argument. Told from a function's name, which also has brackets behind, by what
/// follows them: the end of the argument.
fn spaced_function_types(text: &str) -> String {
    let bytes = text.as_bytes();
    // Each open bracket, and where the argument behind it begins.
    let mut open: Vec<(usize, usize)> = Vec::new();
    let mut blanks: Vec<usize> = Vec::new();
    for (at, &byte) in bytes.iter().enumerate() {
        let of_operator = matches!(byte, b'<' | b'>')
            && (text[..at].ends_with("operator")
                || text[..at].ends_with(['-', '<', '>'])
                    && text[..at].trim_end_matches(['-', '<', '>']).ends_with("operator"));
        match byte {
            _ if of_operator => {}
            b'<' | b'(' | b'{' | b'[' => open.push((at, at + 1)),
            b',' => {
                if let Some((_, argument)) = open.last_mut() {
                    *argument = at + 2;
                }
            }
            b'>' | b')' | b'}' | b']' => {
                let (Some((start, _)), Some(&(outer, argument))) = (open.pop(), open.last()) else {
                    continue;
                };
                let is_expression = matches!(bytes.get(argument), Some(b'&' | b'('));
                let is_argument = byte == b')' && bytes[outer] == b'<' && !is_expression;
                if is_argument && is_function_type(text, start, at) {
                    blanks.push(start);
                }
            }
            _ => {}
        }
    }
    shuffled(&mut blanks).sort_unstable();
    let mut out = String::with_capacity(text.len() + blanks.len());
    let mut copied = 0;
    for at in blanks {
        out.push_str(&text[copied..at]);
        out.push(' ');
        copied = at;
    }
    out.push_str(&text[copied..]);
    out
}

/// Whether the brackets from `start` to `end` hold the parameters of a function type that is a
/// whole template argument.
fn is_function_type(text: &str, start: usize, end: usize) -> bool {
    let (before, behind) = (&text[..start], &text[end + 1..]);
    let behind_type = before.ends_with(|c: char| c.is_alphanumeric() || "_>*&]}".contains(c));
    let keyword = ["decltype", "sizeof", "sizeof...", "alignof", "noexcept", "typeid", "operator"];
    behind_type
        && !keyword.iter().any(|word| before.ends_with(word))
        && (behind.starts_with([',', '>']) || behind.starts_with(" const>"))
}

/// Standard names (Itanium C++ ABI, section 5.1.8): GNU writes abbreviations out only where a
/// constructor or destructor follows, so `std::string::string(` is
/// `std::basic_string<...>::basic_string(`, and calls the type of `nullptr` what it is.
fn standard_names(text: String) -> String {
    const ABBREVIATIONS: [(&str, &str, &str); 4] = [
        (
            "string",
            "basic_string",
            "basic_string<char, std::char_traits<char>, std::allocator<char> >",
        ),
        ("istream", "basic_istream", "basic_istream<char, std::char_traits<char> >"),
        ("ostream", "basic_ostream", "basic_ostream<char, std::char_traits<char> >"),
        ("iostream", "basic_iostream", "basic_iostream<char, std::char_traits<char> >"),
    ];
    let mut text = text.replace("std::nullptr_t", "decltype(nullptr)");
    for (short, class, full) in ABBREVIATIONS {
        for tilde in ["", "~"] {
            let abbreviated = format!("std::{short}::{tilde}{short}(");
            if text.contains(&abbreviated) {
                text = text.replace(&abbreviated, &format!("std::{full}::{tilde}{class}("));
            }
        }
        // `vtable for`, `typeinfo for` and so on.
        if let Some((what, of)) = text.split_once(" for std::")
            && of == full
        {
            text = format!("{what} for std::{short}");
        }
    }
    text
}

#[cfg(test)]
mod tests {
    use crate::demangle::demangle_cxx;

    /// As `c++filt --no-verbose` of GNU binutils 2.40 prints.
    #[test]
    #[cfg_attr(
        miri,
        ignore = "cpp_demangle compares references to trait objects with their tables, of which \
            Miri makes several"
    )]
    fn names_are_spelled_as_gnu_spells_them() {
        for (name, gnu) in GNU {
            assert_eq!(demangle_cxx(name.as_bytes()).as_deref(), Some(gnu), "{name}");
        }
    }

    const GNU: [(&str, &str); 47] = [
        ("_Z3fooi", "foo(int)"),
        ("_ZN3foo3barEi", "foo::bar(int)"),
        ("_ZNK2ns1A1fERKNS_1BE", "ns::A::f(ns::B const&) const"),
        ("_ZN2nsL1xE", "ns::x"),
        ("_Z3foov.isra.0", "foo() [clone .isra.0]"),
        ("_ZTV1A", "vtable for A"),
        ("_ZTT1A", "VTT for A"),
        ("_ZTI1A", "typeinfo for A"),
        ("_ZTS1A", "typeinfo name for A"),
        ("_ZTVSd", "vtable for std::iostream"),
        ("_ZTC1A0_1B", "construction vtable for B-in-A"),
        ("_ZThn16_N1A1fEv", "non-virtual thunk to A::f()"),
        ("_ZTv0_n24_N1AD1Ev", "virtual thunk to A::~A()"),
        ("_ZThn16_N1AD0Ev.cold", "non-virtual thunk to A::~A() [clone .cold]"),
        ("_ZGVZ1fvE1x", "guard variable for f()::x"),
        ("_ZZ1fIiET_S0_E1x", "f<int>(int)::x"),
        ("_ZTVZ1fIiET_S0_E1L", "vtable for f<int>(int)::L"),
        ("_ZTW1x", "TLS wrapper function for x"),
        ("_ZN1AC1Ev", "A::A()"),
        ("_ZN1AD2Ev", "A::~A()"),
        ("_ZN12_GLOBAL__N_11fEv", "(anonymous namespace)::f()"),
        ("_ZN1AcvbEv", "A::operator bool()"),
        ("_ZN1AltERKS_", "A::operator<(A const&)"),
        ("_ZN1AptEv", "A::operator->()"),
        ("_ZdlPvm", "operator delete(void*, unsigned long)"),
        ("_Z1fIiEvT_", "void f<int>(int)"),
        ("_ZN1A1fB5cxx11Ev", "A::f[abi:cxx11]()"),
        (
            "_Z1fNSt7__cxx1112basic_stringIcSt11char_traitsIcESaIcEEE",
            "f(std::__cxx11::basic_string<char, std::char_traits<char>, std::allocator<char> >)",
        ),
        ("_Z1fSs", "f(std::string)"),
        (
            "_ZNSsC1Ev",
            "std::basic_string<char, std::char_traits<char>, std::allocator<char> \
             >::basic_string()",
        ),
        ("_ZNSoD1Ev", "std::basic_ostream<char, std::char_traits<char> >::~basic_ostream()"),
        ("_Z1fDn", "f(decltype(nullptr))"),
        ("_Z1fSt8functionIF1A1BEE", "f(std::function<A (B)>)"),
        ("_Z1fSt8functionIFvvEE", "f(std::function<void ()>)"),
        (
            "_Z1fSt8functionIFSt6vectorIiSaIiEEiEE",
            "f(std::function<std::vector<int, std::allocator<int> > (int)>)",
        ),
        ("_Z1fPFviE", "f(void (*)(int))"),
        ("_Z1fM1AFiiE", "f(int (A::*)(int))"),
        ("_Z1fRA10_Ki", "f(int const (&) [10])"),
        ("_Z1f1AILj7EE", "f(A<7u>)"),
        ("_Z1f1AILm7ELl3ELi5ELb1EE", "f(A<7ul, 3l, 5, true>)"),
        ("_Z1f1AILin3ELxn7EE", "f(A<-3, -7ll>)"),
        ("_Z1f1AIJEE", "f(A<>)"),
        ("_Z1f1AI1BJEE", "f(A<B>)"),
        ("_Z1f1AIJE1BE", "f(A<, B>)"),
        ("_Z1f1AI1BI1CJEEJEE", "f(A<B<C>>)"),
        ("_ZZ1fvENKUliE_clEi", "f()::{lambda(int)#1}::operator()(int) const"),
        ("_Z1fz", "f(...)"),
    ];
}
