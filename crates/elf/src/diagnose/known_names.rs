//! Names that show by themselves why they are undefined: names that compilers generate, and the
//! libraries that define them.
//!
//! The table has prefixes of names in run-time libraries that a compiler option links. An option
//! that was given when compiling and forgotten when linking is the most common mistake of this
//! kind.

use super::messages::Hint;
use skald_core::demangle::demangle_cxx;
use skald_linking::near_names::without_parameters;

/// Prefix of a name, and the advice. If several match, the first counts.
const PREFIXES: &[(&str, &str)] = &[
    ("__asan_", "part of AddressSanitizer: pass -fsanitize=address to the link too"),
    ("__hwasan_", "part of HWAddressSanitizer: pass -fsanitize=hwaddress to the link too"),
    ("__lsan_", "part of LeakSanitizer: pass -fsanitize=leak to the link too"),
    ("__msan_", "part of MemorySanitizer: pass -fsanitize=memory to the link too"),
    ("__tsan_", "part of ThreadSanitizer: pass -fsanitize=thread to the link too"),
    ("__ubsan_", "part of UndefinedBehaviorSanitizer: pass -fsanitize=undefined to the link too"),
    (
        "__sanitizer_cov_",
        "part of sanitizers' coverage: pass the options -fsanitize... to the link too",
    ),
    ("GOMP_", "part of OpenMP: pass -fopenmp to the link too"),
    ("omp_", "part of OpenMP: pass -fopenmp to the link too"),
    ("__kmpc_", "part of LLVM's OpenMP: pass -fopenmp to the link too, and link with clang"),
    ("GOACC_", "part of OpenACC: pass -fopenacc to the link too"),
    ("__gcov_", "part of coverage: pass --coverage to the link too"),
    ("__llvm_profile_", "part of profiling: pass -fprofile-instr-generate to the link too"),
    ("__atomic_", "part of libatomic: add -latomic"),
    ("__fentry__", "part of profiling: pass -pg to the link too"),
    ("_mcount", "part of profiling: pass -pg to the link too"),
    ("mcount", "part of profiling: pass -pg to the link too"),
    ("__dso_handle", "part of crtbeginS.o: link with the compiler, not with the linker alone"),
    (
        "__rust_alloc",
        "rustc makes it when it links: link Rust's objects with rustc, or a staticlib",
    ),
    ("__cudaRegisterLinkedBinary", "nvcc -dlink makes it: link with nvcc"),
    ("WinMain", "the start of Windows programs; this is a link for Linux"),
];

/// Names in the table that must match as a whole, not as a prefix.
const WHOLE: &[&str] = &["__fentry__", "_mcount", "mcount", "__dso_handle", "WinMain"];

/// Whether the name itself says more than a similar name or a library with the name would.
pub fn is_told(name: &[u8]) -> bool {
    name == b"main" || name.starts_with(b"_ZTV") || by_prefix(name).is_some()
}

/// The reason that the name alone suggests.
pub fn hint(name: &[u8]) -> Option<Hint> {
    if name == b"main" {
        return Some(Hint::Known(
            "a program begins with main: is its file among the inputs? For a library, pass -shared",
        ));
    }
    if let Some(text) = by_prefix(name) {
        return Some(Hint::Known(text));
    }
    if name.starts_with(b"_ZTV") {
        return Some(Hint::KeyFunction);
    }
    if name.starts_with(b"_ZTI") {
        return Some(Hint::Known(
            "the type information is where the class's first virtual function that is not inline \
             is defined, if that file was compiled without -fno-rtti",
        ));
    }
    if name.ends_with(b"16staticMetaObjectE") || name.ends_with(b"11qt_metacallE") {
        return Some(Hint::Known(
            "part of Qt's Q_OBJECT: run moc on the header and link what it makes",
        ));
    }
    let text = demangle_cxx(name)?;
    is_template(&text).then_some(Hint::Known(
        "a template's code is made where it is used: is its definition in the header, or is it \
         instantiated with these types in the file that defines it?",
    ))
}

fn by_prefix(name: &[u8]) -> Option<&'static str> {
    let fits = |prefix: &str| {
        if WHOLE.contains(&prefix) {
            name == prefix.as_bytes()
        } else {
            name.starts_with(prefix.as_bytes())
        }
    };
    PREFIXES.iter().find(|(prefix, _)| fits(prefix)).map(|&(_, text)| text)
}

/// Whether a demangled function is an instance of a template, its own or its class's, but not one
/// of the standard library.
fn is_template(text: &str) -> bool {
    let function = without_parameters(text);
    if function.len() == text.len() || function.contains("operator") {
        return false;
    }
    // A function template has its return type in front.
    let scopes = function.rsplit(' ').next().unwrap_or(function);
    function.contains('<') && !function.contains("std::") && !scopes.starts_with("std::")
}

#[cfg(test)]
mod tests {
    use super::*;

    fn text(name: &str) -> Option<&'static str> {
        match hint(name.as_bytes()) {
            Some(Hint::Known(text)) => Some(text),
            _ => None,
        }
    }

    #[test]
    fn runtime_libraries_are_known() {
        assert!(text("__asan_init").is_some_and(|text| text.contains("-fsanitize=address")));
        assert!(text("GOMP_parallel").is_some_and(|text| text.contains("-fopenmp")));
        assert_eq!(text("mcounter"), None);
        assert_eq!(text("area"), None);
    }

    #[test]
    fn templates_are_recognised() {
        assert!(text("_ZN5StackIiE4pushEi").is_some_and(|text| text.contains("template")));
        assert!(text("_Z5twiceIiET_S0_").is_some_and(|text| text.contains("template")));
        assert_eq!(text("_ZNSt6vectorIiSaIiEE4pushEi"), None);
        assert_eq!(text("_Z4areai"), None);
    }

    #[test]
    fn tables_have_key_functions() {
        assert_eq!(hint(b"_ZTV5Shape"), Some(Hint::KeyFunction));
        assert_eq!(hint(b"_ZTVN2ns5ShapeE"), Some(Hint::KeyFunction));
    }
}
